// The head of a patch: what it says of itself, what its numbers stand for, and where the worlds are
// that changed.
#include <string.h>

#include "base/hash.h"
#include "state/hash.h"
#include "state/patch.h"

uint64_t cosmi_patch_hash(const struct schema *schema, const struct world_image *image) {
    struct view view = view_of_image(schema, image);
    return cosmi_hash_view(&view, COSM_HASH_EXACT);
}

void cosmi_patch_names_init(struct patch_names *names, struct memory *memory, struct schema *schema,
                            const struct sink *sink, const char *call) {
    *names = (struct patch_names){.schema = schema, .sink = sink, .memory = memory, .call = call};
    cosmi_map_init(&names->numbers, memory);
}

void cosmi_patch_names_free(struct patch_names *names) {
    cosmi_array_free(names->memory, names->archetypes, names->archetype_capacity,
                     sizeof(*names->archetypes));
    cosmi_array_free(names->memory, names->groups, names->group_capacity, sizeof(*names->groups));
    cosmi_map_free(&names->numbers);
}

// Puts one more into a list. False, with a message, when out of memory.
static bool add_archetype(struct patch_names *names, struct archetype *archetype) {
    void *grown = cosmi_array_grow(names->memory, names->archetypes, &names->archetype_capacity,
                                   names->archetype_count + 1, sizeof(*names->archetypes));
    if (grown == NULL) {
        (void)cosmi_fail_memory(names->sink, names->memory, names->call);
        return false;
    }
    names->archetypes = grown;
    names->archetypes[names->archetype_count++] = archetype;
    return true;
}

static bool add_group(struct patch_names *names, const struct sector_group *group) {
    void *grown = cosmi_array_grow(names->memory, names->groups, &names->group_capacity,
                                   names->group_count + 1, sizeof(*names->groups));
    if (grown == NULL) {
        (void)cosmi_fail_memory(names->sink, names->memory, names->call);
        return false;
    }
    names->groups = grown;
    names->groups[names->group_count++] = group;
    return true;
}

static bool is_archetype(const void *context, uint32_t index, const void *key) {
    return ((const struct patch_names *)context)->archetypes[index] == key;
}

uint32_t cosmi_patch_archetype(struct patch_names *names, struct archetype *archetype) {
    uint64_t hash = hash_u64(0, archetype->id);
    uint32_t found = cosmi_map_find(&names->numbers, hash, is_archetype, names, archetype);
    if (found != MAP_NONE) {
        return found;
    }
    if (!cosmi_map_reserve(&names->numbers)) {
        (void)cosmi_fail_memory(names->sink, names->memory, names->call);
        return PATCH_NONE;
    }
    if (!add_archetype(names, archetype)) {
        return PATCH_NONE;
    }
    cosmi_map_insert(&names->numbers, hash, names->archetype_count - 1);
    return names->archetype_count - 1;
}

uint32_t cosmi_patch_group(struct patch_names *names, const struct sector_group *group) {
    for (uint32_t i = 0; i < names->group_count; i++) {
        if (names->groups[i] == group) {
            return i;
        }
    }
    return add_group(names, group) ? names->group_count - 1 : PATCH_NONE;
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

void cosmi_patch_names_write(const struct patch_names *names, struct byte_writer *out) {
    const struct schema *schema = names->schema;
    uint32_t components = paged_count(&schema->components);
    uint32_t singletons = paged_count(&schema->singletons);
    cosmi_write_short(out, components);
    cosmi_write_short(out, singletons);
    cosmi_write_u64(out, hash_definitions(schema, components, singletons));
    cosmi_write_short(out, names->archetype_count);
    for (uint32_t i = 0; i < names->archetype_count; i++) {
        const struct archetype *archetype = names->archetypes[i];
        cosmi_write_short(out, (uint64_t)archetype->component_count << 1 | archetype->temporary);
        for (uint32_t c = 0; c < archetype->component_count; c++) {
            uint32_t id = archetype->components[c];
            bool is_split = slot_is_split(archetype, archetype_find(archetype, id));
            cosmi_write_short(out, (uint64_t)id << 1 | is_split);
        }
    }
    cosmi_write_short(out, names->group_count);
    for (uint32_t i = 0; i < names->group_count; i++) {
        const struct sector_group *group = names->groups[i];
        cosmi_write_short(out, group->member_count);
        for (uint32_t m = 0; m < group->member_count; m++) {
            cosmi_write_short(out, group->components[m].id);
        }
    }
}

static cosm_result refuse_names(const struct patch_names *names) {
    return cosmi_fail(names->sink, COSM_ERROR_FORMAT,
                      "%s: the bytes are truncated or damaged: the list of components is invalid; "
                      "get the patch again",
                      names->call);
}

static cosm_result refuse_definitions(const struct patch_names *names, uint32_t components,
                                      uint32_t singletons) {
    const struct schema *schema = names->schema;
    return cosmi_fail(names->sink, COSM_ERROR_FORMAT,
                      "%s: the patch is of an engine with %u components and %u singletons, which "
                      "are not those of this engine (%u and %u), or are defined in another order; "
                      "define them as that engine does, or use a save file",
                      names->call, count_defined(components), count_defined(singletons),
                      count_defined(paged_count(&schema->components)),
                      count_defined(paged_count(&schema->singletons)));
}

// A component of a list that ascends; NULL where there is none.
static const struct value_type *read_component(const struct patch_names *names,
                                               struct byte_reader *in, uint32_t last,
                                               bool *out_split) {
    uint32_t number = cosmi_read_short_max(in, 2 * COSM_COMPONENT_MAX + 1);
    const struct value_type *type = schema_component(names->schema, number >> 1);
    *out_split = (number & 1) != 0;
    return in->failed || number >> 1 <= last ? NULL : type;
}

static cosm_result read_archetype(struct patch_names *names, struct byte_reader *in,
                                  bool is_formed) {
    uint32_t head = cosmi_read_short_max(in, 2 * COSM_ARCHETYPE_COMPONENT_MAX + 1);
    struct signature signature = {.count = 0};
    bool splits[COSM_ARCHETYPE_COMPONENT_MAX];
    uint32_t count = head >> 1;
    uint32_t last = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct value_type *type = read_component(names, in, last, &splits[i]);
        if (type == NULL || type->storage == COSM_STORAGE_SECTOR) {
            return refuse_names(names);
        }
        last = type->id;
        cosmi_signature_add(&signature, type->id);
    }
    if (!is_formed) {
        return COSM_OK;
    }
    struct archetype *archetype =
        cosmi_schema_form_kind(names->schema, names->call, &signature, (head & 1) != 0);
    if (archetype == NULL) {
        return cosm_error_result();
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct column_slot *slot = archetype_find(archetype, archetype->components[i]);
        if (slot_is_split(archetype, slot) != splits[i]) {
            return cosmi_fail(names->sink, COSM_ERROR_FORMAT,
                              "%s: component '%s' has another layout in archetype '%s' than in the "
                              "patch; define the archetype as the engine that made the patch does",
                              names->call,
                              schema_component(names->schema, archetype->components[i])->name,
                              archetype->name);
        }
    }
    return add_archetype(names, archetype) ? COSM_OK : COSM_ERROR_MEMORY;
}

static cosm_result read_group(struct patch_names *names, struct byte_reader *in, bool is_formed) {
    uint32_t count = cosmi_read_short_max(in, COSM_CONTAINER_MEMBER_MAX);
    uint32_t ids[COSM_CONTAINER_MEMBER_MAX];
    bool is_good = count > 0 && !in->failed;
    for (uint32_t m = 0; m < count && is_good; m++) {
        ids[m] = cosmi_read_short_max(in, COSM_COMPONENT_MAX);
        const struct value_type *type = schema_component(names->schema, ids[m]);
        is_good = type != NULL && type->storage == COSM_STORAGE_SECTOR;
    }
    if (!is_good || !is_formed) {
        return is_good ? COSM_OK : refuse_names(names);
    }
    const struct value_type *first = schema_component(names->schema, ids[0]);
    const struct sector_group *group = cosmi_sector_group_need(names->schema, names->call, first);
    if (group == NULL) {
        return cosm_error_result();
    }
    bool is_same = group->member_count == count;
    for (uint32_t m = 0; m < count && is_same; m++) {
        is_same = group->components[m].id == ids[m];
    }
    if (!is_same) {
        return cosmi_fail(names->sink, COSM_ERROR_FORMAT,
                          "%s: sector component '%s' of the patch is in another group than here; "
                          "define its group as the engine that made the patch does",
                          names->call, first->name);
    }
    return add_group(names, group) ? COSM_OK : COSM_ERROR_MEMORY;
}

cosm_result cosmi_patch_names_read(struct patch_names *names, struct byte_reader *in,
                                   bool is_formed) {
    const struct schema *schema = names->schema;
    uint32_t components = cosmi_read_short_max(in, COSM_COMPONENT_MAX + 1);
    uint32_t singletons = cosmi_read_short_max(in, COSM_SINGLETON_MAX + 1);
    uint64_t hash = cosmi_read_u64(in);
    if (in->failed) {
        return refuse_names(names);
    }
    if (components > paged_count(&schema->components) ||
        singletons > paged_count(&schema->singletons) ||
        hash != hash_definitions(schema, components, singletons)) {
        return refuse_definitions(names, components, singletons);
    }
    cosm_result result = COSM_OK;
    uint32_t count = cosmi_read_short_max(in, COSM_ARCHETYPE_MAX);
    for (uint32_t i = 0; i < count && result == COSM_OK; i++) {
        result = read_archetype(names, in, is_formed);
    }
    count = result == COSM_OK ? cosmi_read_short_max(in, COSM_COMPONENT_MAX) : 0;
    for (uint32_t i = 0; i < count && result == COSM_OK; i++) {
        result = read_group(names, in, is_formed);
    }
    return result == COSM_OK && in->failed ? refuse_names(names) : result;
}

static cosm_result refuse_head(const struct patch_names *names, const char *what) {
    return cosmi_fail(
        names->sink, COSM_ERROR_FORMAT,
        "%s: the bytes are not a patch, or are truncated or damaged: %s; get the patch again",
        names->call, what);
}

void cosmi_patch_head_free(struct memory *memory, struct patch_head *head) {
    cosmi_memory_free(memory, head->worlds, head->changed_count * sizeof(*head->worlds),
                      _Alignof(struct patch_world));
    head->worlds = NULL;
}

// The fewest bytes that a world takes in the index.
#define INDEX_BYTES 18u

static cosm_result read_index(struct patch_names *names, struct byte_reader *in,
                              struct patch_head *head) {
    if (in->failed || head->changed_count > head->world_count ||
        head->changed_count > reader_left(in) / INDEX_BYTES) {
        return refuse_head(names, "it has fewer worlds than it states");
    }
    size_t size = head->changed_count * sizeof(*head->worlds);
    // Of no worlds there is no list: allocators are never asked for nothing.
    head->worlds =
        size == 0 ? NULL : cosmi_memory_alloc(names->memory, size, _Alignof(struct patch_world));
    if (head->worlds == NULL && size > 0) {
        return cosmi_fail_memory(names->sink, names->memory, names->call);
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
                                             : refuse_head(names, "its list of worlds is invalid");
}

cosm_result cosmi_patch_read_head(struct patch_names *names, const void *bytes, size_t size,
                                  bool is_formed, struct patch_head *out_head) {
    struct byte_reader in = reader_of(bytes, size);
    *out_head = (struct patch_head){.worlds = NULL};
    const void *magic = cosmi_read_bytes(&in, PATCH_MAGIC_SIZE);
    if (magic == NULL || memcmp(magic, PATCH_MAGIC, PATCH_MAGIC_SIZE) != 0) {
        return refuse_head(names, "the first bytes are wrong");
    }
    uint64_t format = cosmi_read_short(&in);
    if (!in.failed && format != PATCH_FORMAT) {
        return cosmi_fail(
            names->sink, COSM_ERROR_FORMAT,
            "%s: the patch has format %llu, but this library reads format %u; use the same "
            "library on both sides",
            names->call, (unsigned long long)format, PATCH_FORMAT);
    }
    struct patch_head head = {.worlds = NULL};
    head.world_count = cosmi_read_short_max(&in, COSM_BATCH_WORLD_MAX);
    head.changed_count = cosmi_read_short_max(&in, COSM_BATCH_WORLD_MAX);
    head.step_count = cosmi_read_short(&in);
    head.seed = cosmi_read_u64(&in);
    head.rest = cosmi_read_u64(&in);
    if (in.failed) {
        return refuse_head(names, "its header is invalid");
    }
    cosm_result result = cosmi_patch_names_read(names, &in, is_formed);
    result = result == COSM_OK ? read_index(names, &in, &head) : result;
    if (result != COSM_OK) {
        cosmi_patch_head_free(names->memory, &head);
        return result;
    }
    *out_head = head;
    return COSM_OK;
}
