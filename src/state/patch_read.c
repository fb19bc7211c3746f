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
    const struct patch_job *job;
    const struct world_image *before;
    struct world_image *image; // the parts before in their places, NULL where gone; then new ones
    struct part *ids;          // those of the image, while rows are yet to be entered
    const char *fault;         // in words; NULL: nothing so far
    cosm_result result;        // of what failed with a message
};

static bool has_failed(const struct patch_in *patch) {
    return patch->fault != NULL || patch->result != COSM_OK || patch->in.failed;
}

static void set_fault(struct patch_in *patch, const char *fault) {
    if (patch->fault == NULL) {
        patch->fault = fault;
    }
}

static void fail_memory(struct patch_in *patch) {
    patch->result = cosmi_fail_memory(patch->job->sink, patch->job->memory, patch->job->call);
}

// A part that is being made, and what it was before: NULL where it is new.
struct part_in {
    struct part *part;
    const struct part *before;
};

// Kind and name of a part. False, and a fault, where there is no such thing.
static bool read_name(struct patch_in *patch, uint32_t kind, struct part *head) {
    bool is_fault = false;
    cosm_result result = cosmi_patch_read_name(patch->job, &patch->in, kind, head, &is_fault);
    patch->result = patch->result == COSM_OK ? result : patch->result;
    if (is_fault) {
        set_fault(patch, "it names a table, group or list that does not exist");
    }
    return !has_failed(patch);
}

// The next entry of a list of gaps, and the number that it is about. False at the end, and with a
// fault where that is not below `end`.
static bool read_entry(struct patch_in *patch, uint32_t end, uint64_t *io_next, const char *fault) {
    uint32_t gap = has_failed(patch) ? 0 : cosmi_read_short_max(&patch->in, UINT32_MAX);
    *io_next += gap;
    if (gap > 0 && *io_next > end) {
        set_fault(patch, fault);
    }
    return gap > 0 && !has_failed(patch);
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

// New elements take a byte at least, those of ids anywhere in the body: so that a part cannot ask
// for more memory than the part before and the bytes account for. Missing links take none.
static bool has_bytes(const struct patch_in *patch, const struct part *head,
                      const struct part *before) {
    struct section_pair pair;
    if (head->kind == PART_SINGLETONS ||
        !cosmi_patch_section(patch->job->schema, before, head, 0, &pair)) {
        return true;
    }
    return pair.sections[1].count - pair.common <= patch->in.size;
}

// Copies the elements of a blob that were there before into it, section by section.
static void copy_elements(const struct patch_in *patch, const struct part_in *at, uint32_t blob,
                          char *bytes) {
    const struct schema *schema = patch->job->schema;
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
        part->blobs[blob] = cosmi_blob_create(patch->job->memory, size);
        if (part->blobs[blob] == NULL) {
            fail_memory(patch);
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
    struct section_pair pair;
    for (uint32_t s = 0; !has_failed(patch) &&
                         cosmi_patch_section(patch->job->schema, at->before, at->part, s, &pair);
         s++) {
        read_section(patch, at, &pair.sections[1], pair.common);
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
        const struct value_type *type = schema_singleton(patch->job->schema, i);
        bool was = at->before != NULL && i < at->before->blob_count && at->before->blobs[i] != NULL;
        if (type == NULL || (!was && type->size > reader_left(&patch->in))) {
            set_fault(patch, "it has a singleton that does not exist");
        } else {
            at->part->blobs[i] =
                was ? cosmi_blob_copy(patch->job->memory, at->before->blobs[i]->bytes, type->size)
                    : cosmi_blob_create(patch->job->memory, type->size);
            if (at->part->blobs[i] == NULL) {
                fail_memory(patch);
            }
        }
    }
}

static const char unknown_id[] = "it has an unknown id";

static void set_record(struct patch_in *patch, const struct part_in *ids, uint32_t id,
                       struct record record) {
    if (id >= ids->part->ids.known) {
        set_fault(patch, unknown_id);
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
    uint64_t next = 0;
    while (read_entry(patch, ids->part->ids.known, &next, unknown_id)) {
        uint32_t id = (uint32_t)next - 1;
        uint32_t gen = unzigzag(cosmi_read_short_max(&patch->in, UINT32_MAX));
        uint64_t rest = cosmi_read_short(&patch->in);
        if (rest >> 33 != 0) {
            set_fault(patch, unknown_id);
        }
        gen += before != NULL && id < before->ids.known ? ids_record(before, id)->gen : 0;
        set_record(patch, ids, id,
                   (struct record){gen, (rest & 1) != 0 ? TABLE_RESERVED : TABLE_FREE,
                                   id + unzigzag((uint32_t)(rest >> 1))});
    }
}

// The type of an object of a part.
static const struct value_type *object_type(const struct patch_in *patch, const struct part *part,
                                            uint32_t i) {
    const struct schema *schema = patch->job->schema;
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
    struct object *object = cosmi_object_create(patch->job->memory, type);
    if (object == NULL) {
        fail_memory(patch);
    } else if (type->size > 0) {
        memcpy(object->bytes, bytes, type->size);
    }
    return object;
}

static void read_objects(struct patch_in *patch, const struct part_in *at) {
    struct part *part = at->part;
    uint64_t next = 0;
    for (uint32_t n = 0; at->before != NULL && n < part->object_count; n++) {
        part->objects[n] =
            n < at->before->object_count ? object_retain(at->before->objects[n]) : NULL;
    }
    while (read_entry(patch, part->object_count, &next, "it has an object past the last one")) {
        struct object **object = &part->objects[next - 1];
        cosmi_object_release(patch->job->memory, *object);
        *object = read_object(patch, object_type(patch, part, (uint32_t)next - 1));
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
    (void)cosmi_part_section(patch->job->schema, part, 0, &first);
    for (uint32_t i = 0; i < part->blob_count && !has_failed(patch); i++) {
        size_t size = part->kind == PART_SINGLETONS ? 0 : cosmi_blob_size(part, i);
        struct blob *old = is_alike && i < at->before->blob_count ? at->before->blobs[i] : NULL;
        if (part->blobs[i] == NULL && old != NULL && old->size == size) {
            part->blobs[i] = blob_retain(old);
        } else if (part->blobs[i] == NULL && size > 0 && first.empty == NULL) {
            (void)open_blob(patch, at, i);
        } else if (part->blobs[i] != NULL && is_blob_empty(part->blobs[i], &first)) {
            cosmi_blob_release(patch->job->memory, part->blobs[i]);
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
    struct part_in at = {cosmi_part_create(patch->job->memory, head), before};
    if (at.part == NULL) {
        fail_memory(patch);
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
        cosmi_part_release(patch->job->memory, image->parts[index]);
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
        ids.part = cosmi_part_create(patch->job->memory, before);
        if (ids.part == NULL) {
            fail_memory(patch);
        }
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
        cosmi_part_release(patch->job->memory, patch->image->parts[index]);
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
    patch->image = cosmi_image_create(patch->job->memory, before->part_count + more);
    if (patch->image == NULL) {
        fail_memory(patch);
        return false;
    }
    for (uint32_t i = 0; i < before->part_count; i++) {
        cosmi_image_add(patch->image, part_retain(before->parts[i]));
    }
    return true;
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
    const struct patch_job *job = patch->job;
    if (patch->result != COSM_OK) {
        return patch->result;
    }
    if (has_failed(patch)) {
        return cosmi_fail(job->sink, COSM_ERROR_FORMAT,
                          "%s: the data of world %u in the patch is damaged: %s; get the patch "
                          "again",
                          job->call, world->world,
                          patch->fault != NULL ? patch->fault : "it is truncated");
    }
    cosm_result result =
        cosmi_image_check(job->schema, job->sink, job->call, patch->image, world->world, NULL);
    if (result == COSM_OK && cosmi_patch_hash(job->schema, patch->image) != world->hash_after) {
        result =
            cosmi_fail(job->sink, COSM_ERROR_FORMAT,
                       "%s: world %u would not get the hash in the patch; the patch is damaged: "
                       "get it again",
                       job->call, world->world);
    }
    return result;
}

struct world_image *cosmi_patch_read_world(const struct patch_job *job, const void *bytes,
                                           const struct patch_world *world,
                                           const struct world_image *before) {
    struct patch_in patch = {
        .in = reader_of((const char *)bytes + world->body, world->body_size),
        .job = job,
        .before = before,
    };
    read_body(&patch);
    if (check_read(&patch, world) != COSM_OK) {
        cosmi_image_release(job->memory, patch.image);
        return NULL;
    }
    return patch.image;
}
