// What a file says there is: types, archetypes, sector groups.
#include <string.h>

#include "state/load.h"
#include "state/type_text.h"

// Types of one file: twice what an engine may have. Each is compared with all others.
#define FILE_TYPE_MAX (2 * (COSM_COMPONENT_MAX + COSM_SINGLETON_MAX))

static cosm_result refuse_schema(struct load_job *job, const char *what) {
    return cosmi_block_refuse(&job->blocks, &job->schema_block, what);
}

// A list of `count` things that take a byte each at least. NULL where the bytes do not have so
// many, which is a failure of the reader, or when out of memory.
static void *make_list(struct load_job *job, uint32_t count, size_t size) {
    if (count > reader_left(&job->in)) {
        job->in.failed = true;
        return NULL;
    }
    size_t bytes = (count == 0 ? 1 : count) * size;
    void *list = cosmi_arena_alloc(&job->arena, bytes, 16);
    if (list != NULL) {
        memset(list, 0, bytes);
    }
    return list;
}

static cosm_result end_list(struct load_job *job, bool done, const char *what) {
    if (job->in.failed) {
        return refuse_schema(job, what);
    }
    return done ? COSM_OK : load_fail_memory(job);
}

static cosm_result read_types(struct load_job *job) {
    job->type_count = cosmi_read_short_max(&job->in, FILE_TYPE_MAX);
    job->files = make_list(job, job->type_count, sizeof(*job->files));
    job->types = make_list(job, job->type_count, sizeof(*job->types));
    bool done = job->files != NULL && job->types != NULL;
    for (uint32_t i = 0; done && i < job->type_count; i++) {
        done = cosmi_type_read(&job->in, &job->arena, &job->files[i]);
    }
    return end_list(job, done, "its list of types is damaged");
}

// Parts of a split component: within its value, one behind the other.
static bool read_parts(struct load_job *job, struct load_member *member) {
    uint32_t size = job->files[member->type].size;
    struct load_part *parts = make_list(job, member->part_count, sizeof(*parts));
    for (uint32_t p = 0; parts != NULL && p < member->part_count; p++) {
        parts[p].offset = cosmi_read_short_max(&job->in, size);
        parts[p].size = cosmi_read_short_max(&job->in, size - parts[p].offset);
        job->in.failed = job->in.failed || parts[p].size == 0;
    }
    member->parts = parts;
    return parts != NULL && !job->in.failed;
}

// A component of an archetype: known, of a storage that tables have, and not there twice.
static bool read_set_member(struct load_job *job, struct load_set *set,
                            struct load_member *member) {
    struct byte_reader *in = &job->in;
    member->type = cosmi_read_short_max(in, job->type_count - 1);
    member->part_count = cosmi_read_short_max(in, COSM_FIELD_MAX);
    if (in->failed || job->files[member->type].is_singleton) {
        in->failed = true;
        return false;
    }
    const struct file_type *file = &job->files[member->type];
    for (const struct load_member *other = set->members; other < member; other++) {
        in->failed = in->failed || other->type == member->type;
    }
    member->storage = file->storage;
    member->column = set->column_count;
    bool is_column = file->storage == COSM_STORAGE_COLUMN;
    in->failed = in->failed || file->storage == COSM_STORAGE_SECTOR ||
                 (member->part_count > 0 && !is_column);
    member->column_count = member->part_count > 0                  ? member->part_count
                           : is_column && file->size > 0           ? 1u
                           : file->storage == COSM_STORAGE_MANAGED ? 1u
                                                                   : 0u;
    set->column_count += member->column_count;
    set->shared_count += file->storage == COSM_STORAGE_SHARED;
    return !in->failed && (member->part_count == 0 || read_parts(job, member));
}

static cosm_result read_sets(struct load_job *job) {
    job->set_count = cosmi_read_short_max(&job->in, COSM_ARCHETYPE_MAX);
    job->sets = make_list(job, job->set_count, sizeof(*job->sets));
    bool done = job->sets != NULL;
    for (uint32_t i = 0; done && i < job->set_count; i++) {
        struct load_set *set = &job->sets[i];
        uint8_t flags = cosmi_read_u8(&job->in);
        set->temporary = (flags & SET_IS_TEMPORARY) != 0;
        set->member_count = cosmi_read_short_max(&job->in, COSM_ARCHETYPE_COMPONENT_MAX);
        set->column_count = 1;
        job->in.failed = job->in.failed || flags > SET_IS_TEMPORARY ||
                         (set->member_count > 0 && job->type_count == 0);
        set->members = make_list(job, set->member_count, sizeof(*set->members));
        done = set->members != NULL && !job->in.failed;
        for (uint32_t m = 0; done && m < set->member_count; m++) {
            done = read_set_member(job, set, &set->members[m]);
        }
    }
    return end_list(job, done, "its list of archetypes is damaged");
}

static cosm_result read_groups(struct load_job *job) {
    job->group_count = cosmi_read_short_max(&job->in, COSM_COMPONENT_MAX);
    job->groups = make_list(job, job->group_count, sizeof(*job->groups));
    bool done = job->groups != NULL;
    for (uint32_t i = 0; done && i < job->group_count; i++) {
        struct load_group *group = &job->groups[i];
        group->member_count = cosmi_read_short_max(&job->in, COSM_CONTAINER_MEMBER_MAX);
        for (uint32_t m = 0; m < group->member_count && !job->in.failed; m++) {
            uint32_t type = cosmi_read_short_max(&job->in, job->type_count - 1);
            group->types[m] = type;
            job->in.failed = job->in.failed || job->type_count == 0 ||
                             job->files[type].is_singleton ||
                             job->files[type].storage != COSM_STORAGE_SECTOR;
            for (uint32_t o = 0; o < m; o++) {
                job->in.failed = job->in.failed || group->types[o] == type;
            }
        }
        done = !job->in.failed;
    }
    // Nothing comes behind it.
    job->in.failed = job->in.failed || (done && reader_left(&job->in) > 0);
    return end_list(job, done, "its list of sector groups is damaged");
}

static const cosm_save_object *find_loader(const struct load_job *job,
                                           const struct value_type *type) {
    const cosm_load_desc *desc = job->order->desc;
    for (uint32_t i = 0; i < desc->object_count; i++) {
        if (desc->objects[i].component.id == type->id && desc->objects[i].load != NULL) {
            return &desc->objects[i];
        }
    }
    return NULL;
}

// What becomes of the values of a type.
static cosm_result plan_type(struct load_job *job, uint32_t index, const struct value_type *type) {
    struct load_type *plan = &job->types[index];
    const struct file_type *file = &job->files[index];
    plan->type = type;
    cosm_result result = cosmi_convert_plan(&job->convert, file, type, &plan->conversion);
    if (result != COSM_OK || type == NULL) {
        job->is_merging =
            job->is_merging || (!file->is_singleton && file->storage != COSM_STORAGE_SECTOR);
        return result;
    }
    bool is_shared = !file->is_singleton && type->storage == COSM_STORAGE_SHARED;
    // Words about shared values go by the names of components, and tell equal values apart.
    job->is_merging = job->is_merging || (is_shared && (conversion_is_needed(&plan->conversion) ||
                                                        strcmp(file->name, type->name) != 0));
    if (file->is_object) {
        plan->loader = find_loader(job, type);
        if (plan->loader == NULL) {
            return cosmi_fail(job->order->sink, COSM_ERROR_ARGUMENT,
                              "%s: component '%s' has objects, which cannot be loaded as plain "
                              "bytes; set their load function in desc.objects",
                              job->order->call, type->name);
        }
    }
    return COSM_OK;
}

static const char *known_member(const struct load_job *job, const struct load_group *group) {
    uint32_t m = 0;
    while (job->types[group->types[m]].type == NULL) {
        m++;
    }
    return job->files[group->types[m]].name;
}

static cosm_result refuse_group(const struct load_job *job, const char *one, const char *other,
                                bool is_one_here) {
    return cosmi_fail(job->order->sink, COSM_ERROR_FORMAT,
                      "%s: sector components '%.127s' and '%.127s' are in %s in the file and in "
                      "%s here; define their groups as in the file",
                      job->order->call, one, other, is_one_here ? "two groups" : "one group",
                      is_one_here ? "one group" : "two groups");
}

// The group here that a group of the file is: members that the file lacks are dead.
static cosm_result plan_group(struct load_job *job, struct load_group *group) {
    for (uint32_t m = 0; m < group->member_count; m++) {
        const struct value_type *type = job->types[group->types[m]].type;
        if (type == NULL) {
            continue;
        }
        const struct sector_group *own =
            cosmi_sector_group_need(job->order->schema, job->order->call, type);
        if (own == NULL) {
            return cosm_error_result();
        }
        if (group->here != NULL && group->here != own) {
            return refuse_group(job, known_member(job, group), job->files[group->types[m]].name,
                                false);
        }
        group->here = own;
    }
    for (const struct load_group *other = job->groups; other < group; other++) {
        if (group->here != NULL && other->here == group->here) {
            return refuse_group(job, known_member(job, other), known_member(job, group), true);
        }
    }
    return COSM_OK;
}

cosm_result cosmi_load_plan(struct load_job *job) {
    size_t size = (job->type_count + 1) * sizeof(struct value_type *);
    const struct value_type **types = cosmi_arena_alloc(&job->arena, size, sizeof(void *));
    if (types == NULL) {
        return load_fail_memory(job);
    }
    cosm_result result = cosmi_convert_find(&job->convert, job->files, job->type_count, types);
    for (uint32_t i = 0; i < job->type_count && result == COSM_OK; i++) {
        result = plan_type(job, i, types[i]);
    }
    for (uint32_t i = 0; i < job->group_count && result == COSM_OK; i++) {
        result = plan_group(job, &job->groups[i]);
    }
    return result;
}

cosm_result cosmi_load_schema(struct load_job *job) {
    job->in = reader_of(job->schema_block.bytes, job->schema_block.size);
    cosm_result result = read_types(job);
    // What a type may be is known before archetypes are made of it.
    for (uint32_t i = 0; i < job->type_count && result == COSM_OK; i++) {
        result = cosmi_file_type_check(&job->convert, &job->files[i]);
    }
    result = result == COSM_OK ? read_sets(job) : result;
    return result == COSM_OK ? read_groups(job) : result;
}

struct archetype *cosmi_load_archetype(struct load_job *job, struct load_set *set) {
    if (set->archetype == NULL) {
        struct signature signature = {.count = 0};
        for (uint32_t m = 0; m < set->member_count; m++) {
            const struct value_type *type = job->types[set->members[m].type].type;
            if (type != NULL) {
                cosmi_signature_add(&signature, type->id);
            }
        }
        set->archetype = cosmi_schema_form_kind(job->order->schema, job->order->call, &signature,
                                                set->temporary);
    }
    return set->archetype;
}
