// The head of a patch, and what its two directions share: names of parts, and pairs of sections.
//
// The head has a hash of the components and singletons of the engine that made it: of the first so
// many definitions, since later ones do not make it another program. With equal definitions a
// component id, a field and a size mean the same on both sides, and need no check of their own.
// What is left to check is what programs form as they run: the layout of a component in an
// archetype, and the members of a sector group.
#include <string.h>

#include "base/hash.h"
#include "state/hash.h"
#include "state/patch.h"

uint64_t cosmi_patch_hash(const struct schema *schema, const struct world_image *image) {
    struct view view = view_of_image(schema, image);
    return cosmi_hash_view(&view, COSM_HASH_EXACT);
}

static uint64_t hash_type(uint64_t hash, const struct value_type *type) {
    hash = cosmi_hash_bytes(hash, type->name, strlen(type->name));
    hash = hash_u64(hash, type->hash);
    return hash_u64(hash, (uint64_t)type->storage << 32 | (uint32_t)type->layout);
}

// How many definitions a list has: ids begin with 1.
static uint32_t count_defined(uint32_t end) {
    return end == 0 ? 0 : end - 1;
}

// A hash of the first definitions of an engine: later ones do not make it another program.
static uint64_t hash_definitions(const struct schema *schema, uint32_t components,
                                 uint32_t singletons) {
    uint64_t hash = hash_u64(components, singletons);
    for (uint32_t id = 1; id < components; id++) {
        hash = hash_type(hash, schema_component(schema, id));
    }
    for (uint32_t id = 1; id < singletons; id++) {
        hash = hash_type(hash, schema_singleton(schema, id));
    }
    return hash;
}

static void write_archetype(struct byte_writer *out, const struct archetype *archetype) {
    cosmi_write_short(out, (uint64_t)archetype->component_count << 1 | archetype->temporary);
    for (uint32_t c = 0; c < archetype->component_count; c++) {
        uint32_t id = archetype->components[c];
        bool is_split = slot_is_split(archetype, archetype_find(archetype, id));
        cosmi_write_short(out, (uint64_t)id << 1 | is_split);
    }
}

static void write_group(struct byte_writer *out, const struct sector_group *group) {
    cosmi_write_short(out, group->member_count);
    for (uint32_t m = 0; m < group->member_count; m++) {
        cosmi_write_short(out, group->components[m].id);
    }
}

void cosmi_patch_write_name(struct byte_writer *out, const struct part *part) {
    cosmi_write_short(out, part->kind + 1);
    if (part->kind == PART_TABLE) {
        write_archetype(out, part->archetype);
        if (part->archetype->shared_count > 0) {
            cosmi_write_short(out, table_group(part));
        }
    } else if (part->kind == PART_SECTOR) {
        write_group(out, part->group);
    } else if (part->kind == PART_MANAGED) {
        cosmi_write_short(out, part->type->id);
    }
}

// The archetype of a table. NULL, with a message where the bytes are no fault.
static struct archetype *read_archetype(const struct patch_job *job, struct byte_reader *in,
                                        bool *out_fault) {
    uint32_t head = cosmi_read_short_max(in, 2 * COSM_ARCHETYPE_COMPONENT_MAX + 1);
    struct signature signature = {.count = 0};
    bool splits[COSM_ARCHETYPE_COMPONENT_MAX];
    uint32_t count = head >> 1;
    uint32_t last = 0;
    for (uint32_t i = 0; i < count && !*out_fault; i++) {
        uint32_t number = cosmi_read_short_max(in, 2 * COSM_COMPONENT_MAX + 1);
        const struct value_type *type = schema_component(job->schema, number >> 1);
        splits[i] = (number & 1) != 0;
        *out_fault = number >> 1 <= last || type == NULL || type->storage == COSM_STORAGE_SECTOR;
        last = number >> 1;
        if (!*out_fault) {
            cosmi_signature_add(&signature, last);
        }
    }
    *out_fault = *out_fault || in->failed;
    struct archetype *archetype =
        *out_fault ? NULL
                   : cosmi_schema_form_kind(job->schema, job->call, &signature, (head & 1) != 0);
    for (uint32_t i = 0; i < count && archetype != NULL; i++) {
        uint32_t id = archetype->components[i];
        if (slot_is_split(archetype, archetype_find(archetype, id)) != splits[i]) {
            (void)cosmi_fail(job->sink, COSM_ERROR_FORMAT,
                             "%s: component '%s' has another layout in archetype '%s' than in the "
                             "patch; define the archetype as the engine that made the patch does",
                             job->call, schema_component(job->schema, id)->name, archetype->name);
            return NULL;
        }
    }
    return archetype;
}

// The same of a sector group, whose members are those of the patch or the patch is refused.
static const struct sector_group *read_group(const struct patch_job *job, struct byte_reader *in,
                                             bool *out_fault) {
    uint32_t count = cosmi_read_short_max(in, COSM_CONTAINER_MEMBER_MAX);
    const struct sector_group *group = NULL;
    const struct value_type *first = NULL;
    bool is_same = true;
    for (uint32_t m = 0; m < count; m++) {
        uint32_t id = cosmi_read_short_max(in, COSM_COMPONENT_MAX);
        const struct value_type *type = schema_component(job->schema, id);
        if (type == NULL || type->storage != COSM_STORAGE_SECTOR) {
            *out_fault = true;
            return NULL;
        }
        if (m == 0) {
            first = type;
            group = cosmi_sector_group_need(job->schema, job->call, type);
        }
        if (group == NULL) {
            return NULL;
        }
        is_same = is_same && m < group->member_count && group->components[m].id == id;
    }
    *out_fault = count == 0;
    if (group != NULL && (!is_same || group->member_count != count)) {
        (void)cosmi_fail(job->sink, COSM_ERROR_FORMAT,
                         "%s: sector component '%s' of the patch is in another group than here; "
                         "define its group as the engine that made the patch does",
                         job->call, first->name);
        return NULL;
    }
    return group;
}

cosm_result cosmi_patch_read_name(const struct patch_job *job, struct byte_reader *in,
                                  uint32_t kind, struct part *out_head, bool *out_fault) {
    struct part *head = out_head;
    *head = (struct part){.kind = kind};
    *out_fault = false;
    if (kind == PART_TABLE) {
        head->archetype = read_archetype(job, in, out_fault);
        head->key = head->archetype == NULL ? 0 : head->archetype->id;
        if (head->archetype != NULL && head->archetype->shared_count > 0) {
            head->key = GROUP_FIRST + cosmi_read_short_max(in, TABLE_RESERVED - GROUP_FIRST - 1);
        }
    } else if (kind == PART_SECTOR) {
        head->group = read_group(job, in, out_fault);
        head->key = head->group == NULL ? 0 : head->group->id;
    } else if (kind == PART_MANAGED) {
        head->type = schema_component(job->schema, cosmi_read_short_max(in, COSM_COMPONENT_MAX));
        *out_fault = head->type == NULL || head->type->storage != COSM_STORAGE_MANAGED;
        head->key = *out_fault ? 0 : head->type->managed_number;
    } else if (kind == PART_SINGLETONS) {
        head->schema = job->schema;
    }
    *out_fault = *out_fault || in->failed;
    bool has_name = kind == PART_TABLE || kind == PART_SECTOR;
    return has_name && head->of == NULL && !*out_fault ? cosm_error_result() : COSM_OK;
}

bool cosmi_patch_section(const struct schema *schema, const struct part *before,
                         const struct part *after, uint32_t index, struct section_pair *out) {
    *out = (struct section_pair){.parts = {before, after}};
    struct section *section = &out->sections[1];
    bool is_there = cosmi_part_section(schema, after, index, section);
    out->was = before != NULL && cosmi_part_section(schema, before, index, &out->sections[0]);
    uint32_t count = out->was ? out->sections[0].count : 0;
    // Where blobs may be missing, new elements are compared, too: with the empty one.
    out->common = count < section->count && section->empty == NULL ? count : section->count;
    return is_there;
}

static cosm_result refuse_head(const struct patch_job *job, const char *what) {
    return cosmi_fail(
        job->sink, COSM_ERROR_FORMAT,
        "%s: the bytes are not a patch, or are truncated or damaged: %s; get the patch again",
        job->call, what);
}

static cosm_result refuse_definitions(const struct patch_job *job, uint32_t components,
                                      uint32_t singletons) {
    const struct schema *schema = job->schema;
    return cosmi_fail(job->sink, COSM_ERROR_FORMAT,
                      "%s: the patch is of an engine with %u components and %u singletons, which "
                      "are not those of this engine (%u and %u), or are defined in another order; "
                      "define them as that engine does, or use a save file",
                      job->call, count_defined(components), count_defined(singletons),
                      count_defined(paged_count(&schema->components)),
                      count_defined(paged_count(&schema->singletons)));
}

// What both engines have defined. Later definitions of this one do not count.
void cosmi_patch_write_definitions(const struct schema *schema, struct byte_writer *out) {
    uint32_t components = paged_count(&schema->components);
    uint32_t singletons = paged_count(&schema->singletons);
    cosmi_write_short(out, components);
    cosmi_write_short(out, singletons);
    cosmi_write_u64(out, hash_definitions(schema, components, singletons));
}

static cosm_result read_definitions(const struct patch_job *job, struct byte_reader *in) {
    const struct schema *schema = job->schema;
    uint32_t components = cosmi_read_short_max(in, COSM_COMPONENT_MAX + 1);
    uint32_t singletons = cosmi_read_short_max(in, COSM_SINGLETON_MAX + 1);
    uint64_t hash = cosmi_read_u64(in);
    if (in->failed) {
        return refuse_head(job, "its header is invalid");
    }
    bool is_same = components <= paged_count(&schema->components) &&
                   singletons <= paged_count(&schema->singletons) &&
                   hash == hash_definitions(schema, components, singletons);
    return is_same ? COSM_OK : refuse_definitions(job, components, singletons);
}

void cosmi_patch_head_free(struct memory *memory, struct patch_head *head) {
    cosmi_memory_free(memory, head->worlds, head->changed_count * sizeof(*head->worlds),
                      _Alignof(struct patch_world));
    head->worlds = NULL;
}

// The fewest bytes that a world takes in the index.
#define INDEX_BYTES 18u

static cosm_result read_index(const struct patch_job *job, struct byte_reader *in,
                              struct patch_head *head) {
    if (in->failed || head->changed_count > head->world_count ||
        head->changed_count > reader_left(in) / INDEX_BYTES) {
        return refuse_head(job, "it has fewer worlds than it states");
    }
    size_t size = head->changed_count * sizeof(*head->worlds);
    // Of no worlds there is no list: allocators are never asked for nothing.
    head->worlds =
        size == 0 ? NULL : cosmi_memory_alloc(job->memory, size, _Alignof(struct patch_world));
    if (head->worlds == NULL && size > 0) {
        return cosmi_fail_memory(job->sink, job->memory, job->call);
    }
    uint32_t next = 0;
    size_t end = 0;
    bool is_good = true;
    for (uint32_t i = 0; i < head->changed_count && is_good; i++) {
        struct patch_world *world = &head->worlds[i];
        uint32_t gap = cosmi_read_short_max(in, COSM_BATCH_WORLD_MAX);
        world->world = next + gap;
        world->hash_before = cosmi_read_u64(in);
        world->hash_after = cosmi_read_u64(in);
        uint64_t body_size = cosmi_read_short(in);
        is_good = !in->failed && world->world < head->world_count && body_size <= reader_left(in) &&
                  end <= reader_left(in) - (size_t)body_size;
        world->body = end;
        world->body_size = (size_t)body_size;
        end += is_good ? (size_t)body_size : 0;
        next = world->world + 1;
    }
    for (uint32_t i = 0; i < head->changed_count && is_good; i++) {
        head->worlds[i].body += in->at;
    }
    return is_good && end == reader_left(in) ? COSM_OK
                                             : refuse_head(job, "its list of worlds is invalid");
}

cosm_result cosmi_patch_read_head(const struct patch_job *job, const void *bytes, size_t size,
                                  struct patch_head *out_head) {
    struct byte_reader in = reader_of(bytes, size);
    *out_head = (struct patch_head){.worlds = NULL};
    const void *magic = cosmi_read_bytes(&in, PATCH_MAGIC_SIZE);
    if (magic == NULL || memcmp(magic, PATCH_MAGIC, PATCH_MAGIC_SIZE) != 0) {
        return refuse_head(job, "the first bytes are wrong");
    }
    uint64_t format = cosmi_read_short(&in);
    if (!in.failed && format != PATCH_FORMAT) {
        return cosmi_fail(
            job->sink, COSM_ERROR_FORMAT,
            "%s: the patch has format %llu, but this library reads format %u; use the same "
            "library on both sides",
            job->call, (unsigned long long)format, PATCH_FORMAT);
    }
    struct patch_head head = {.worlds = NULL};
    head.world_count = cosmi_read_short_max(&in, COSM_BATCH_WORLD_MAX);
    head.changed_count = cosmi_read_short_max(&in, COSM_BATCH_WORLD_MAX);
    head.step_count = cosmi_read_short(&in);
    head.seed = cosmi_read_u64(&in);
    head.rest = cosmi_read_u64(&in);
    cosm_result result = read_definitions(job, &in);
    result = result == COSM_OK ? read_index(job, &in, &head) : result;
    if (result != COSM_OK) {
        cosmi_patch_head_free(job->memory, &head);
        return result;
    }
    *out_head = head;
    return COSM_OK;
}
