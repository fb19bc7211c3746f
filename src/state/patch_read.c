// Reading a patch: the image after, made of the image before and the body of a world.
//
// Nothing is believed. A body that asks for what is not there, or has too little, is a fault; what
// came out of it is an image that has yet to be checked as a whole. A part takes no more memory
// than the part before and the bytes of the patch account for.
#include <string.h>

#include "state/patch.h"

// One world on its way out of bytes. The first thing that is wrong stays in `fault`.
struct patch_in {
    struct byte_reader in;
    struct patch_names *names;
    const struct world_image *before;
    struct world_image *image; // the parts before in their places, NULL where gone; then new ones
    struct part *ids;          // those of the image, while rows are yet to be entered
    const char *fault;         // in words; NULL: nothing so far
    bool no_memory;
};

static bool has_failed(const struct patch_in *patch) {
    return patch->fault != NULL || patch->no_memory || patch->in.failed;
}

static void set_fault(struct patch_in *patch, const char *fault) {
    if (patch->fault == NULL) {
        patch->fault = fault;
    }
}

// A part that is being made, and what it was before: NULL where it is new.
struct part_in {
    struct part *part;
    const struct part *before;
};

// A key, and what it names, by kind and numbers. False, and a fault, where there is no such thing.
static bool read_name(struct patch_in *patch, uint32_t kind, struct part *head) {
    const struct patch_names *names = patch->names;
    const struct schema *schema = names->schema;
    uint32_t number = 0;
    *head = (struct part){.kind = kind};
    if (kind == PART_TABLE || kind == PART_SECTOR || kind == PART_MANAGED) {
        number = cosmi_read_short_max(&patch->in, UINT32_MAX);
    }
    bool is_good = !patch->in.failed;
    if (kind == PART_TABLE && number < names->archetype_count) {
        head->archetype = names->archetypes[number];
        head->key = head->archetype->id;
        if (head->archetype->shared_count > 0) {
            uint32_t group = cosmi_read_short_max(&patch->in, TABLE_RESERVED - GROUP_FIRST - 1);
            head->key = GROUP_FIRST + group;
        }
    } else if (kind == PART_SECTOR && number < names->group_count) {
        head->group = names->groups[number];
        head->key = head->group->id;
    } else if (kind == PART_MANAGED) {
        head->type = schema_component(schema, number);
        is_good = is_good && head->type != NULL && head->type->storage == COSM_STORAGE_MANAGED;
        head->key = is_good ? head->type->managed_number : 0;
    } else {
        is_good = is_good && kind != PART_TABLE && kind != PART_SECTOR;
        head->schema = kind == PART_SINGLETONS ? schema : NULL;
    }
    if (!is_good) {
        set_fault(patch, "it names a table, group or list that does not exist");
    }
    return is_good && !patch->in.failed;
}

static void read_words(struct patch_in *patch, const struct part *before, struct part *head) {
    uint32_t mask = cosmi_read_short_max(&patch->in, (1u << PART_WORDS) - 1);
    if (before != NULL) {
        memcpy(head->words, before->words, sizeof(head->words));
    }
    for (uint32_t i = 0; i < PART_WORDS; i++) {
        if ((mask >> i & 1) != 0) {
            head->words[i] = (uint32_t)(cosmi_read_short(&patch->in) - 1);
        }
    }
}

// Are the bytes there that new elements take? Ids take one at least, anywhere in the body: a record
// or a handle.
static bool has_bytes(const struct patch_in *patch, const struct part *head,
                      const struct part *before) {
    const struct schema *schema = patch->names->schema;
    uint64_t left = head->kind == PART_IDS ? patch->in.size : reader_left(&patch->in);
    struct section section;
    struct section old;
    if (head->kind == PART_SINGLETONS) {
        return true;
    }
    for (uint32_t s = 0; cosmi_part_section(schema, head, s, &section); s++) {
        uint32_t count =
            before != NULL && cosmi_part_section(schema, before, s, &old) ? old.count : 0;
        uint64_t more = section.count > count && section.empty == NULL ? section.count - count : 0;
        uint64_t size = head->kind == PART_IDS ? 1 : section.is_entities ? 2 : section.size;
        if (more * size > left) {
            return false;
        }
    }
    return true;
}

// Copies the elements of a blob that were there before into it, section by section.
static void copy_elements(const struct patch_in *patch, const struct part_in *at, uint32_t blob,
                          char *bytes) {
    const struct schema *schema = patch->names->schema;
    struct section to;
    struct section from;
    for (uint32_t s = 0; cosmi_part_section(schema, at->part, s, &to); s++) {
        bool is_here = blob >= to.first && (blob - to.first) % to.step == 0;
        uint64_t first = (uint64_t)((blob - to.first) / to.step) * to.rows;
        bool was = at->before != NULL && cosmi_part_section(schema, at->before, s, &from);
        uint64_t end = first + to.rows;
        end = end < to.count ? end : to.count;
        for (uint64_t i = first; is_here && i < end;) {
            uint32_t some = (uint32_t)(end - i);
            char *target = bytes + to.offset + (size_t)(i - first) * to.size;
            const void *run = was && i < from.count
                                  ? cosmi_section_run(at->before, &from, (uint32_t)i, &some)
                                  : NULL;
            if (run != NULL) {
                memcpy(target, run, (size_t)some * to.size);
            }
            for (uint32_t n = 0; run == NULL && to.empty != NULL && n < some; n++) {
                memcpy(target + (size_t)n * to.size, to.empty, to.size);
            }
            i += some;
        }
    }
}

// A blob of the part that can be written to. NULL when out of memory.
static char *open_blob(struct patch_in *patch, const struct part_in *at, uint32_t blob) {
    struct part *part = at->part;
    if (part->blobs[blob] == NULL) {
        size_t size = cosmi_blob_size(part, blob);
        part->blobs[blob] = cosmi_blob_create(patch->names->memory, size);
        if (part->blobs[blob] == NULL) {
            patch->no_memory = true;
            return NULL;
        }
        memset(blob_fill(part->blobs[blob]), 0, size);
        copy_elements(patch, at, blob, blob_fill(part->blobs[blob]));
    }
    return blob_fill(part->blobs[blob]);
}

// Where an element is written to. NULL when out of memory.
static char *open_element(struct patch_in *patch, const struct part_in *at,
                          const struct section *section, uint32_t i) {
    char *bytes = open_blob(patch, at, section->first + i / section->rows * section->step);
    return bytes == NULL ? NULL
                         : bytes + section->offset + (size_t)(i % section->rows) * section->size;
}

static void read_elements(struct patch_in *patch, const struct part_in *at,
                          const struct section *section, uint32_t first, uint32_t count) {
    uint32_t expected = 0;
    for (uint32_t i = first; i < first + count && !has_failed(patch); i++) {
        char *element = open_element(patch, at, section, i);
        if (section->is_entities) {
            cosm_entity entity;
            entity.id = expected + unzigzag(cosmi_read_short_max(&patch->in, UINT32_MAX));
            entity.gen = cosmi_read_short_max(&patch->in, UINT32_MAX);
            expected = entity.id + 1;
            if (element != NULL) {
                memcpy(element, &entity, sizeof(entity));
            }
            continue;
        }
        const void *bytes = cosmi_read_bytes(&patch->in, section->size);
        if (element != NULL && bytes != NULL) {
            memcpy(element, bytes, section->size);
        }
    }
}

static void read_section(struct patch_in *patch, const struct part_in *at,
                         const struct section *section, uint32_t common) {
    uint64_t next = 0;
    while (!has_failed(patch)) {
        uint32_t count = cosmi_read_short_max(&patch->in, UINT32_MAX);
        if (count == 0) {
            break;
        }
        next += cosmi_read_short_max(&patch->in, UINT32_MAX);
        if (next + count > common) {
            set_fault(patch, "it has elements past the last one");
            break;
        }
        read_elements(patch, at, section, (uint32_t)next, count);
        next += count;
    }
    if (!has_failed(patch)) {
        read_elements(patch, at, section, common, section->count - common);
    }
}

static void read_sections(struct patch_in *patch, const struct part_in *at) {
    const struct schema *schema = patch->names->schema;
    struct section section;
    struct section old;
    for (uint32_t s = 0; !has_failed(patch) && cosmi_part_section(schema, at->part, s, &section);
         s++) {
        bool was = at->before != NULL && cosmi_part_section(schema, at->before, s, &old);
        uint32_t count = was ? old.count : 0;
        bool all = section.empty != NULL || count > section.count;
        read_section(patch, at, &section, all ? section.count : count);
    }
}

// Singletons that are there have blobs: those from before, or zeroes, whose bytes then follow.
static void read_presence(struct patch_in *patch, const struct part_in *at) {
    uint32_t bits = 0;
    for (uint32_t i = 0; i < at->part->blob_count && !has_failed(patch); i++) {
        bits = i % 8 == 0 ? cosmi_read_u8(&patch->in) : bits;
        if ((bits >> (i % 8) & 1) == 0) {
            continue;
        }
        const struct value_type *type = schema_singleton(patch->names->schema, i);
        bool was = at->before != NULL && i < at->before->blob_count && at->before->blobs[i] != NULL;
        if (type == NULL || (!was && type->size > reader_left(&patch->in))) {
            set_fault(patch, "it has a singleton that does not exist");
        } else {
            at->part->blobs[i] =
                was ? cosmi_blob_copy(patch->names->memory, at->before->blobs[i]->bytes, type->size)
                    : cosmi_blob_create(patch->names->memory, type->size);
            patch->no_memory = patch->no_memory || at->part->blobs[i] == NULL;
        }
    }
}

static void set_record(struct patch_in *patch, const struct part_in *ids, uint32_t id,
                       struct record record) {
    if (id >= ids->part->ids.known) {
        set_fault(patch, "it has an unknown id");
        return;
    }
    char *page = open_blob(patch, ids, id / RECORD_PAGE_IDS);
    if (page != NULL) {
        ((struct record *)(void *)page)[id % RECORD_PAGE_IDS] = record;
    }
}

// Ids that are not alive.
static void read_records(struct patch_in *patch, const struct part_in *ids) {
    const struct part *before = ids->before;
    uint64_t id = 0;
    while (!has_failed(patch)) {
        uint32_t gap = cosmi_read_short_max(&patch->in, UINT32_MAX);
        if (gap == 0) {
            break;
        }
        id += gap - 1;
        uint32_t gen = unzigzag(cosmi_read_short_max(&patch->in, UINT32_MAX));
        uint64_t rest = cosmi_read_short(&patch->in);
        if (id >= ids->part->ids.known || rest >> 33 != 0) {
            set_fault(patch, "it has an unknown id");
            break;
        }
        uint32_t number = (uint32_t)id;
        gen += before != NULL && number < before->ids.known ? ids_record(before, number)->gen : 0;
        set_record(patch, ids, number,
                   (struct record){gen, (rest & 1) != 0 ? TABLE_RESERVED : TABLE_FREE,
                                   number + unzigzag((uint32_t)(rest >> 1))});
        id++;
    }
}

// The type of an object of a part.
static const struct value_type *object_type(const struct patch_in *patch, const struct part *part,
                                            uint32_t i) {
    const struct schema *schema = patch->names->schema;
    if (part->kind == PART_TABLE) {
        return schema_component(schema, part->archetype->shared[i]);
    }
    if (part->kind == PART_MANAGED) {
        return part->type;
    }
    uint32_t k = i % part->sector.object_members;
    uint32_t member = 0;
    while (!sector_member_is_object(part->group, member) || k-- > 0) {
        member++;
    }
    return schema_component(schema, part->group->components[member].id);
}

// An object that a table had before.
static struct object *read_shared(struct patch_in *patch) {
    struct part name;
    if (cosmi_read_short_max(&patch->in, PART_KINDS) != PART_TABLE + 1 ||
        !read_name(patch, PART_TABLE, &name)) {
        set_fault(patch, "it has an object of a table that does not exist");
        return NULL;
    }
    const struct part *table = image_find(patch->before, PART_TABLE, name.key);
    uint32_t index = cosmi_read_short_max(&patch->in, COSM_ARCHETYPE_COMPONENT_MAX);
    if (table == NULL || table->of != name.of || index >= table->object_count) {
        set_fault(patch, "it has an object of a table that does not exist");
        return NULL;
    }
    return object_retain(table->objects[index]);
}

static struct object *read_object(struct patch_in *patch, const struct value_type *type) {
    uint32_t form = cosmi_read_u8(&patch->in);
    if (form == PATCH_OBJECT_NONE) {
        return NULL;
    }
    if (form == PATCH_OBJECT_SHARED) {
        return read_shared(patch);
    }
    const void *bytes = cosmi_read_bytes(&patch->in, type->size);
    if (form != PATCH_OBJECT_BYTES || !patch_is_plain(type) || (bytes == NULL && type->size > 0)) {
        set_fault(patch, "it has an object that cannot be read");
        return NULL;
    }
    struct object *object = cosmi_object_create(patch->names->memory, type);
    if (object == NULL) {
        patch->no_memory = true;
    } else if (type->size > 0) {
        memcpy(object->bytes, bytes, type->size);
    }
    return object;
}

static void read_objects(struct patch_in *patch, const struct part_in *at) {
    struct part *part = at->part;
    uint64_t i = 0;
    for (uint32_t n = 0; at->before != NULL && n < part->object_count; n++) {
        part->objects[n] =
            n < at->before->object_count ? object_retain(at->before->objects[n]) : NULL;
    }
    while (!has_failed(patch)) {
        uint32_t gap = cosmi_read_short_max(&patch->in, UINT32_MAX);
        if (gap == 0) {
            break;
        }
        i += gap - 1;
        if (i >= part->object_count) {
            set_fault(patch, "it has an object past the last one");
            break;
        }
        cosmi_object_release(patch->names->memory, part->objects[i]);
        part->objects[i] = read_object(patch, object_type(patch, part, (uint32_t)i));
        i++;
    }
}

// Do the blobs of two parts of one kind lie alike? Columns of packed tables move with the rows.
static bool has_same_blobs(const struct part *a, const struct part *b) {
    if (a->kind != PART_TABLE) {
        return true;
    }
    bool is_packed = table_is_packed(a->archetype, a->table.count);
    return is_packed == table_is_packed(b->archetype, b->table.count) &&
           (!is_packed || a->table.count == b->table.count);
}

// Is nothing in a blob but what would be there if it were missing?
static bool is_blob_empty(const struct blob *blob, const struct section *section) {
    const char *bytes = blob->bytes;
    bool is_empty = section->empty != NULL;
    for (size_t at = 0; is_empty && at < blob->size; at += section->size) {
        is_empty = memcmp(bytes + at, section->empty, section->size) == 0;
    }
    return is_empty;
}

// Blobs that were not opened are those from before, or have what was there.
static void finish_blobs(struct patch_in *patch, const struct part_in *at) {
    struct part *part = at->part;
    struct section first = {.empty = NULL};
    bool is_alike = at->before != NULL && has_same_blobs(part, at->before);
    (void)cosmi_part_section(patch->names->schema, part, 0, &first);
    for (uint32_t i = 0; i < part->blob_count && !has_failed(patch); i++) {
        size_t size = part->kind == PART_SINGLETONS ? 0 : cosmi_blob_size(part, i);
        struct blob *old = is_alike && i < at->before->blob_count ? at->before->blobs[i] : NULL;
        if (part->blobs[i] == NULL && old != NULL && old->size == size) {
            part->blobs[i] = blob_retain(old);
        } else if (part->blobs[i] == NULL && size > 0 && first.empty == NULL) {
            (void)open_blob(patch, at, i);
        } else if (part->blobs[i] != NULL && is_blob_empty(part->blobs[i], &first)) {
            cosmi_blob_release(patch->names->memory, part->blobs[i]);
            part->blobs[i] = NULL;
        }
    }
}

static void read_content(struct patch_in *patch, const struct part_in *at) {
    if (at->part->kind == PART_IDS) {
        read_records(patch, at);
    } else {
        if (at->part->kind == PART_SINGLETONS) {
            read_presence(patch, at);
        }
        read_sections(patch, at);
        finish_blobs(patch, at);
    }
    read_objects(patch, at);
}

// The part after, of one that is there. NULL, and a fault, on failure.
static struct part *read_made(struct patch_in *patch, struct part *head,
                              const struct part *before) {
    read_words(patch, before, head);
    if (patch->in.failed || !cosmi_part_has_shape(head)) {
        set_fault(patch, "it has a part with more rows, ids or records than there may be");
        return NULL;
    }
    cosmi_part_count(head);
    if (!has_bytes(patch, head, before)) {
        set_fault(patch, "it has more rows, ids or records than bytes");
        return NULL;
    }
    struct part_in at = {cosmi_part_create(patch->names->memory, head), before};
    if (at.part == NULL) {
        patch->no_memory = true;
        return NULL;
    }
    read_content(patch, &at);
    return at.part;
}

// An entry about one part. `kind` was read.
static void read_part(struct patch_in *patch, uint32_t kind) {
    struct part head;
    if (!read_name(patch, kind, &head)) {
        return;
    }
    struct world_image *image = patch->image;
    uint32_t index = cosmi_image_index(patch->before, kind, head.key);
    const struct part *before = index == IMAGE_NONE ? NULL : patch->before->parts[index];
    before = before != NULL && before->of == head.of ? before : NULL;
    bool is_there = cosmi_read_u8(&patch->in) != 0;
    if (before == NULL ? !is_there || image->part_count == image->part_room
                       : image->parts[index] != before) {
        set_fault(patch, "it has a part twice, or removes one that is not there");
        return;
    }
    struct part *made = is_there ? read_made(patch, &head, before) : NULL;
    if (before != NULL) {
        cosmi_part_release(patch->names->memory, image->parts[index]);
        image->parts[index] = made;
    } else if (made != NULL) {
        cosmi_image_add(image, made);
    }
    patch->ids = made != NULL && kind == PART_IDS ? made : patch->ids;
}

// Rows say where living ids are. Of chunks with the same handles, so are the records.
static void enter_rows(struct patch_in *patch, const struct part_in *ids, const struct part *table,
                       const struct part *before) {
    const struct archetype *archetype = table->archetype;
    uint32_t chunks = archetype->temporary ? 0 : table_chunks(table);
    uint32_t old_chunks = before == NULL || before->of != table->of ? 0 : table_chunks(before);
    for (uint32_t chunk = 0; chunk < chunks && !has_failed(patch); chunk++) {
        const cosm_entity *entities = cosmi_table_column(table, chunk, ENTITY_COLUMN);
        if (chunk < old_chunks && entities == cosmi_table_column(before, chunk, ENTITY_COLUMN)) {
            continue;
        }
        uint32_t first = chunk * archetype->chunk_rows;
        for (uint32_t i = 0; i < table_chunk_rows(table, chunk); i++) {
            set_record(patch, ids, entities[i].id,
                       (struct record){entities[i].gen, table->key, first + i});
        }
    }
}

static void enter_tables(struct patch_in *patch) {
    const struct part *before = image_ids(patch->before);
    struct part_in ids = {patch->ids, before};
    bool has_ids = ids.part != NULL;
    if (!has_ids) {
        ids.part = cosmi_part_create(patch->names->memory, before);
        patch->no_memory = patch->no_memory || ids.part == NULL;
    }
    for (uint32_t i = 0; i < patch->image->part_count && !has_failed(patch); i++) {
        const struct part *part = patch->image->parts[i];
        bool is_old = i < patch->before->part_count && part == patch->before->parts[i];
        if (part != NULL && part->kind == PART_TABLE && !is_old) {
            enter_rows(patch, &ids, part, image_find(patch->before, PART_TABLE, part->key));
        }
    }
    if (!has_failed(patch)) {
        finish_blobs(patch, &ids);
    }
    if (!has_ids && ids.part != NULL) {
        uint32_t index = patch->before->first[PART_IDS];
        cosmi_part_release(patch->names->memory, patch->image->parts[index]);
        patch->image->parts[index] = ids.part;
    }
}

// The parts that are there, without those that are gone.
static void close_gaps(struct world_image *image) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < image->part_count; i++) {
        if (image->parts[i] != NULL) {
            image->parts[count++] = image->parts[i];
        }
    }
    image->part_count = count;
}

static void read_stream(struct patch_in *patch) {
    struct stream_image *stream = &patch->image->stream;
    *stream = patch->before->stream;
    if (cosmi_read_u8(&patch->in) != 0) {
        stream->seed = cosmi_read_u64(&patch->in);
        stream->number = cosmi_read_short(&patch->in);
    }
    stream->step = cosmi_read_short(&patch->in);
}

static bool make_image(struct patch_in *patch) {
    const struct world_image *before = patch->before;
    uint32_t more = cosmi_read_short_max(&patch->in, UINT32_MAX);
    if (patch->in.failed || more > reader_left(&patch->in)) {
        set_fault(patch, "it has more parts than bytes");
        return false;
    }
    patch->image = cosmi_image_create(patch->names->memory, before->part_count + more);
    patch->no_memory = patch->image == NULL;
    for (uint32_t i = 0; i < before->part_count && patch->image != NULL; i++) {
        cosmi_image_add(patch->image, part_retain(before->parts[i]));
    }
    return patch->image != NULL;
}

static void read_body(struct patch_in *patch) {
    if (!make_image(patch)) {
        return;
    }
    read_stream(patch);
    while (!has_failed(patch)) {
        uint32_t kind = cosmi_read_short_max(&patch->in, PART_KINDS);
        if (kind == 0) {
            break;
        }
        read_part(patch, kind - 1);
    }
    if (!has_failed(patch)) {
        enter_tables(patch);
    }
    if (!has_failed(patch) && reader_left(&patch->in) != 0) {
        set_fault(patch, "it has bytes after its end");
    }
    close_gaps(patch->image);
    cosmi_image_seal(patch->image);
}

static cosm_result check_read(const struct patch_in *patch, const struct patch_world *world) {
    const struct patch_names *names = patch->names;
    if (patch->no_memory) {
        return cosmi_fail_memory(names->sink, names->memory, names->call);
    }
    if (has_failed(patch)) {
        return cosmi_fail(names->sink, COSM_ERROR_FORMAT,
                          "%s: the data of world %u in the patch is damaged: %s; get the patch "
                          "again",
                          names->call, world->world,
                          patch->fault != NULL ? patch->fault : "it is truncated");
    }
    cosm_result result = cosmi_image_check(names->schema, names->sink, names->call, patch->image,
                                           world->world, NULL);
    if (result == COSM_OK && cosmi_patch_hash(names->schema, patch->image) != world->hash_after) {
        result =
            cosmi_fail(names->sink, COSM_ERROR_FORMAT,
                       "%s: world %u would not get the hash in the patch; the patch is damaged: "
                       "get it again",
                       names->call, world->world);
    }
    return result;
}

struct world_image *cosmi_patch_read_world(struct patch_names *names, const void *bytes,
                                           const struct patch_world *world,
                                           const struct world_image *before) {
    struct patch_in patch = {
        .in = reader_of((const char *)bytes + world->body, world->body_size),
        .names = names,
        .before = before,
    };
    read_body(&patch);
    if (check_read(&patch, world) != COSM_OK) {
        cosmi_image_release(names->memory, patch.image);
        return NULL;
    }
    return patch.image;
}
