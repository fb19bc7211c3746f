// Planning a save file: which types, archetypes and groups occur, and their numbers.
//
// Numbers go by what things are, not by when they were formed: archetypes by their components, so
// that the order in which threads came to form them is not in the file.
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "state/save.h"
#include "state/type_text.h"

static uint32_t *make_numbers(struct save_job *job, uint32_t end) {
    size_t size = (end == 0 ? 1 : end) * sizeof(uint32_t);
    uint32_t *numbers = cosmi_arena_alloc(&job->arena, size, sizeof(uint32_t));
    if (numbers != NULL) {
        memset(numbers, 0xFF, size);
    }
    return numbers;
}

static bool make_lists(struct save_job *job) {
    const struct schema *schema = job->schema;
    job->component_end = paged_count(&schema->components);
    job->singleton_end = paged_count(&schema->singletons);
    job->archetype_end = paged_count(&schema->archetypes);
    job->group_end = paged_count(&schema->sector_groups);
    job->components = make_numbers(job, job->component_end);
    job->singletons = make_numbers(job, job->singleton_end);
    job->archetypes = make_numbers(job, job->archetype_end);
    job->groups = make_numbers(job, job->group_end);
    return job->components != NULL && job->singletons != NULL && job->archetypes != NULL &&
           job->groups != NULL;
}

// Marks what a world has with a 0.
static void mark_world(struct save_job *job, const struct world_image *image) {
    for (uint32_t i = 0; i < image_count(image, PART_TABLE); i++) {
        const struct archetype *archetype = image_part(image, PART_TABLE, i)->archetype;
        if (job->archetypes[archetype->id] == NUMBER_NONE) {
            job->archetypes[archetype->id] = 0;
            for (uint32_t c = 0; c < archetype->component_count; c++) {
                job->components[archetype->components[c]] = 0;
            }
        }
    }
    for (uint32_t id = 0; id < image_singleton_end(image); id++) {
        if (image_singleton(image, id) != NULL) {
            job->singletons[id] = 0;
        }
    }
    for (uint32_t i = 0; i < image_count(image, PART_MANAGED); i++) {
        job->components[image_part(image, PART_MANAGED, i)->type->id] = 0;
    }
    for (uint32_t i = 0; i < image_count(image, PART_SECTOR); i++) {
        const struct sector_group *group = image_part(image, PART_SECTOR, i)->group;
        job->groups[group->id] = 0;
        for (uint32_t m = 0; m < group->member_count; m++) {
            job->components[group->components[m].id] = 0;
        }
    }
}

static uint32_t number_marked(uint32_t *numbers, uint32_t end, uint32_t first) {
    for (uint32_t id = 0; id < end; id++) {
        if (numbers[id] != NUMBER_NONE) {
            numbers[id] = first++;
        }
    }
    return first;
}

// Archetypes by their components, temporary ones behind.
static int compare_sets(const void *a_pointer, const void *b_pointer) {
    const struct archetype *a = ((const struct save_set *)a_pointer)->archetype;
    const struct archetype *b = ((const struct save_set *)b_pointer)->archetype;
    if (a->temporary != b->temporary) {
        return a->temporary ? 1 : -1;
    }
    return cosmi_signature_compare(a->components, a->component_count, b->components,
                                   b->component_count);
}

// The scalars of a value, where all are of one size and fill it: what a codec does best with.
static uint32_t item_stride(const struct value_type *type) {
    uint32_t size = type->fields.count == 0 ? 0 : type->fields.columns[0].scalar_size;
    for (uint32_t i = 0; i < type->fields.count; i++) {
        size = type->fields.columns[i].scalar_size == size ? size : 0;
    }
    return size == 0 || type->fields.byte_count != type->size ? type->size : size;
}

static bool plan_columns(struct save_job *job, struct save_set *set) {
    const struct archetype *archetype = set->archetype;
    set->columns = cosmi_arena_alloc(&job->arena, archetype->column_count * sizeof(*set->columns),
                                     _Alignof(struct save_column));
    for (uint32_t c = 0; set->columns != NULL && c < archetype->column_count; c++) {
        const struct column_info *info = &archetype->columns[c];
        if (image_column_size(archetype, c) == 0) {
            continue;
        }
        struct save_column *column = &set->columns[set->column_count++];
        *column = (struct save_column){
            .column = c, .size = info->size, .part_size = info->size, .stride = 4};
        if (info->component != 0 && info->managed == NULL) {
            const struct value_type *type = schema_component(job->schema, info->component);
            if (info->part_count > 0) {
                const cosm_field_column *field = &type->fields.columns[info->part];
                column->stride = field->scalar_size;
                column->part_size = field->size;
            } else {
                column->stride = item_stride(type);
                column->type = value_has_gaps(type) ? type : NULL;
            }
        }
        set->row_size += info->size;
    }
    return set->columns != NULL;
}

static bool plan_sets(struct save_job *job) {
    for (uint32_t id = 0; id < job->archetype_end; id++) {
        job->set_count += job->archetypes[id] != NUMBER_NONE;
    }
    size_t size = (job->set_count + 1) * sizeof(struct save_set);
    job->sets = cosmi_arena_alloc(&job->arena, size, _Alignof(struct save_set));
    if (job->sets == NULL) {
        return false;
    }
    memset(job->sets, 0, size);
    uint32_t at = 0;
    for (uint32_t id = 0; id < job->archetype_end; id++) {
        if (job->archetypes[id] != NUMBER_NONE) {
            job->sets[at++].archetype = schema_archetype(job->schema, id);
        }
    }
    qsort(job->sets, job->set_count, sizeof(*job->sets), compare_sets);
    bool done = true;
    for (uint32_t i = 0; done && i < job->set_count; i++) {
        job->archetypes[job->sets[i].archetype->id] = i;
        done = plan_columns(job, &job->sets[i]);
    }
    return done;
}

cosm_result cosmi_save_plan(struct save_job *job) {
    if (!make_lists(job)) {
        return save_fail_memory(job);
    }
    for (uint32_t w = 0; w < job->snapshot->world_count; w++) {
        mark_world(job, job->snapshot->worlds[w]);
    }
    job->type_count = number_marked(job->components, job->component_end, 0);
    job->type_count = number_marked(job->singletons, job->singleton_end, job->type_count);
    job->group_count = number_marked(job->groups, job->group_end, 0);
    return plan_sets(job) ? COSM_OK : save_fail_memory(job);
}

// An archetype: its components, and how the columns of each are cut.
static void write_set(struct save_job *job, struct byte_writer *out, const struct save_set *set) {
    const struct archetype *archetype = set->archetype;
    cosmi_write_u8(out, archetype->temporary ? SET_IS_TEMPORARY : 0);
    cosmi_write_short(out, archetype->component_count);
    for (uint32_t i = 0; i < archetype->component_count; i++) {
        uint32_t id = archetype->components[i];
        const struct column_slot *slot = archetype_find(archetype, id);
        bool is_split = slot_is_split(archetype, slot);
        uint32_t part_count = is_split ? slot_part_count(archetype, slot) : 0;
        cosmi_write_short(out, job->components[id]);
        cosmi_write_short(out, part_count);
        for (uint32_t p = 0; p < part_count; p++) {
            cosmi_write_short(out, archetype->columns[slot->column + p].offset);
            cosmi_write_short(out, archetype->columns[slot->column + p].size);
        }
    }
}

static void write_group(struct save_job *job, struct byte_writer *out,
                        const struct sector_group *group) {
    cosmi_write_short(out, group->member_count);
    for (uint32_t m = 0; m < group->member_count; m++) {
        cosmi_write_short(out, job->components[group->components[m].id]);
    }
}

cosm_result cosmi_save_schema(struct save_job *job) {
    struct byte_writer *out = &job->stream;
    cosmi_write_short(out, job->type_count);
    for (uint32_t id = 0; id < job->component_end; id++) {
        if (job->components[id] != NUMBER_NONE) {
            cosmi_type_write(out, schema_component(job->schema, id), false);
        }
    }
    for (uint32_t id = 0; id < job->singleton_end; id++) {
        if (job->singletons[id] != NUMBER_NONE) {
            cosmi_type_write(out, schema_singleton(job->schema, id), true);
        }
    }
    cosmi_write_short(out, job->set_count);
    for (uint32_t i = 0; i < job->set_count; i++) {
        write_set(job, out, &job->sets[i]);
    }
    cosmi_write_short(out, job->group_count);
    for (uint32_t id = 0; id < job->group_end; id++) {
        if (job->groups[id] != NUMBER_NONE) {
            write_group(job, out, schema_sector_group(job->schema, id));
        }
    }
    if (out->failed) {
        return save_fail_memory(job);
    }
    struct block_head head = {.tag = TAG_SCHEMA, .values = {job->type_count, job->set_count}};
    struct byte_part part = {out->bytes, out->size};
    cosm_result result = cosmi_blocks_put(&job->blocks, &head, &part, 1);
    out->size = 0;
    return result;
}
