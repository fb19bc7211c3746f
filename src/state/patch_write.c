// Writing a patch: the head, and of each world that changed the parts that differ.
//
// Blobs that are the same in both images, pointer for pointer, are not looked at.
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "state/patch.h"

// One world on its way into bytes.
struct patch_out {
    struct byte_writer *out;
    const struct patch_job *job;
    const struct world_image *before;
    const struct world_image *after;
    uint32_t world; // for messages
};

// A part before and after; one of them may be NULL.
struct part_pair {
    const struct part *before;
    const struct part *after;
};

static const struct part *pair_any(const struct part_pair *pair) {
    return pair->after != NULL ? pair->after : pair->before;
}

// Which of two parts is written first: nothing here depends on when archetypes and groups came
// about, so that the bytes do not.
static int compare_pairs(const void *a_pointer, const void *b_pointer) {
    const struct part *a = pair_any(a_pointer);
    const struct part *b = pair_any(b_pointer);
    int order = 0;
    if (a->kind != b->kind) {
        return a->kind < b->kind ? -1 : 1;
    }
    if (a->kind == PART_TABLE) {
        order = a->archetype->temporary - b->archetype->temporary;
        order =
            order != 0
                ? order
                : cosmi_signature_compare(a->archetype->components, a->archetype->component_count,
                                          b->archetype->components, b->archetype->component_count);
    } else if (a->kind == PART_SECTOR) {
        uint32_t x = a->group->components[0].id;
        uint32_t y = b->group->components[0].id;
        order = (x > y) - (x < y);
    }
    return order != 0 ? order : (a->key > b->key) - (a->key < b->key);
}

// What a part of one image is in another; a group's number may have been another's.
static const struct part *find_other(const struct world_image *image, const struct part *part) {
    const struct part *other = image_find(image, part->kind, part->key);
    return other != NULL && other->of == part->of ? other : NULL;
}

// The parts that are not the same, in their order; how many.
static uint32_t find_pairs(const struct patch_out *patch, struct part_pair *pairs) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < patch->after->part_count; i++) {
        const struct part *after = patch->after->parts[i];
        const struct part *before = find_other(patch->before, after);
        if (before != after) {
            pairs[count++] = (struct part_pair){before, after};
        }
    }
    for (uint32_t i = 0; i < patch->before->part_count; i++) {
        const struct part *before = patch->before->parts[i];
        if (find_other(patch->after, before) == NULL) {
            pairs[count++] = (struct part_pair){before, NULL};
        }
    }
    qsort(pairs, count, sizeof(*pairs), compare_pairs);
    return count;
}

// A bit for each word that differs, then those, plus one: none, which is all ones, becomes 0.
static bool write_words(struct byte_writer *out, const struct part_pair *pair) {
    uint32_t mask = 0;
    for (uint32_t i = 0; i < PART_WORDS; i++) {
        uint32_t then = pair->before == NULL ? 0 : pair->before->words[i];
        mask |= (uint32_t)(pair->after->words[i] != then) << i;
    }
    cosmi_write_short(out, mask);
    for (uint32_t i = 0; i < PART_WORDS; i++) {
        if ((mask >> i & 1) != 0) {
            cosmi_write_short(out, pair->after->words[i] + 1);
        }
    }
    return mask != 0;
}

// Is an element the same? What lies between the fields of its type does not count.
static bool is_same_element(const struct section *section, const char *a, const char *b) {
    const struct value_type *type = section->type;
    if (a == b || memcmp(a, b, section->size) == 0) {
        return true;
    }
    bool is_same = type != NULL && type->fields.count > 0 && type->fields.byte_count != type->size;
    for (uint32_t i = 0; is_same && i < type->fields.count; i++) {
        size_t offset = type->fields.items[i].offset;
        is_same = memcmp(a + offset, b + offset, type->fields.columns[i].size) == 0;
    }
    return is_same;
}

// Elements of a section, one after the other: handles are short, the ids by how far they are from
// the one behind the last.
static void write_elements(struct byte_writer *out, const struct part *part,
                           const struct section *section, uint32_t first, uint32_t count) {
    uint32_t expected = 0;
    for (uint32_t done = 0; done < count;) {
        uint32_t some = count - done;
        const void *run = cosmi_section_run(part, section, first + done, &some);
        const cosm_entity *entities = run;
        for (uint32_t i = 0; i < some && section->is_entities; i++) {
            cosmi_write_short(out, zigzag(entities[i].id - expected));
            cosmi_write_short(out, entities[i].gen);
            expected = entities[i].id + 1;
        }
        for (uint32_t i = 0; i < some && run == NULL; i++) {
            cosmi_write_bytes(out, section->empty, section->size);
        }
        if (!section->is_entities && run != NULL) {
            cosmi_write_bytes(out, run, (size_t)some * section->size);
        }
        done += some;
    }
}

// Elements of one side that lie side by side; NULL where their blob is missing, or they are new.
static const char *run_of(const struct section_pair *pair, uint32_t side, uint32_t i,
                          uint32_t *io_count) {
    const struct section *section = &pair->sections[side];
    return pair->parts[side] == NULL || i >= section->count
               ? NULL
               : cosmi_section_run(pair->parts[side], section, i, io_count);
}

// The first element from `i` on that differs, or is the same, as asked for; or `common`.
static uint32_t find_element(const struct section_pair *pair, uint32_t i, bool wants_same) {
    const struct section *section = &pair->sections[1];
    while (i < pair->common) {
        uint32_t count = pair->common - i;
        const char *after = run_of(pair, 1, i, &count);
        const char *before = run_of(pair, 0, i, &count);
        size_t size = (size_t)count * section->size;
        if (!wants_same && (before == after || (before != NULL && after != NULL &&
                                                memcmp(before, after, size) == 0))) {
            i += count;
            continue;
        }
        for (uint32_t n = 0; n < count; n++, i++) {
            const char *b = before == NULL ? section->empty : before + (size_t)n * section->size;
            const char *a = after == NULL ? section->empty : after + (size_t)n * section->size;
            if (is_same_element(section, b, a) == wants_same) {
                return i;
            }
        }
    }
    return pair->common;
}

// Runs of elements that differ: length, gap, elements; and a length of 0. Whether there are any.
static bool write_runs(struct byte_writer *out, const struct section_pair *pair) {
    uint32_t last = 0;
    bool any = false;
    for (uint32_t i = find_element(pair, 0, false); i < pair->common;) {
        uint32_t end = find_element(pair, i, true);
        cosmi_write_short(out, end - i);
        cosmi_write_short(out, i - last);
        write_elements(out, pair->parts[1], &pair->sections[1], i, end - i);
        last = end;
        any = true;
        i = find_element(pair, end, false);
    }
    cosmi_write_short(out, 0);
    return any;
}

// Is a singleton the same in both parts, but for what lies between its fields?
static bool is_same_singleton(const struct schema *schema, const struct part_pair *parts,
                              uint32_t id) {
    const struct blob *before = id < parts->before->blob_count ? parts->before->blobs[id] : NULL;
    const struct blob *after = parts->after->blobs[id];
    struct section whole = {.type = schema_singleton(schema, id)};
    whole.size = whole.type == NULL ? 0 : whole.type->size;
    return before != NULL && after != NULL && is_same_element(&whole, before->bytes, after->bytes);
}

// The sections of a part: runs that differ, and new elements.
static bool write_sections(const struct patch_out *patch, const struct part_pair *parts) {
    const struct schema *schema = patch->job->schema;
    struct section_pair pair;
    bool any = false;
    for (uint32_t s = 0; cosmi_patch_section(schema, parts->before, parts->after, s, &pair); s++) {
        const struct section *after = &pair.sections[1];
        if (pair.was && parts->after->kind == PART_SINGLETONS &&
            is_same_singleton(schema, parts, s)) {
            cosmi_write_short(patch->out, 0); // no run
            continue;
        }
        any = write_runs(patch->out, &pair) || any;
        write_elements(patch->out, parts->after, after, pair.common, after->count - pair.common);
    }
    return any;
}

// Records of ids that are not alive: those that are follow from the rows. What lies in no list says
// nothing that counts, and may say something else in another copy of the state before.
static struct record canonical_record(const struct part *ids, uint32_t id) {
    if (ids == NULL || id >= ids->ids.known) {
        return (struct record){0, 0, 0};
    }
    struct record record = *ids_record(ids, id);
    bool is_listed = id < ids->ids.used && record.gen != GEN_RETIRED;
    record.row = is_listed ? record.row : ID_NONE - 1;
    return record;
}

static bool write_records(struct byte_writer *out, const struct part_pair *pair) {
    const struct part *before = pair->before;
    const struct part *after = pair->after;
    bool is_used_same = before != NULL && before->ids.used == after->ids.used;
    uint32_t next = 0;
    for (uint32_t id = 0; id < after->ids.known; id++) {
        uint32_t page = id / RECORD_PAGE_IDS;
        if (is_used_same && page < before->blob_count &&
            before->blobs[page] == after->blobs[page]) {
            id |= RECORD_PAGE_IDS - 1;
            continue;
        }
        struct record now = canonical_record(after, id);
        struct record then = canonical_record(before, id);
        if ((now.gen & 1) == 0 && memcmp(&now, &then, sizeof(now)) != 0) {
            cosmi_write_short(out, (uint64_t)(id - next) + 1);
            cosmi_write_short(out, zigzag(now.gen - then.gen));
            cosmi_write_short(out,
                              (uint64_t)zigzag(now.row - id) << 1 | (now.table == TABLE_RESERVED));
            next = id + 1;
        }
    }
    cosmi_write_short(out, 0);
    return next > 0;
}

// Which singletons there are: a bit for each.
static bool write_presence(struct byte_writer *out, const struct part_pair *pair) {
    bool any = false;
    for (uint32_t first = 0; first < pair->after->blob_count; first += 8) {
        uint32_t bits = 0;
        for (uint32_t i = first; i < first + 8 && i < pair->after->blob_count; i++) {
            bool was = pair->before != NULL && i < pair->before->blob_count &&
                       pair->before->blobs[i] != NULL;
            bits |= (uint32_t)(pair->after->blobs[i] != NULL) << (i - first);
            any = any || was != (pair->after->blobs[i] != NULL);
        }
        cosmi_write_u8(out, (uint8_t)bits);
    }
    return any;
}

static cosm_result refuse_object(const struct patch_out *patch, const struct value_type *type) {
    return cosmi_fail(
        patch->job->sink, COSM_ERROR_ARGUMENT,
        "%s: the two states of world %u differ in objects of component '%s', which cannot be "
        "copied as bytes; use a save file with cosm_save_object",
        patch->job->call, patch->world, type->name);
}

// Are two objects the same as far as a patch can tell? Only both may be NULL.
static bool is_same_object(const struct object *a, const struct object *b) {
    if (a == b || a == NULL || b == NULL || a->type != b->type) {
        return a == b;
    }
    const cosm_lifecycle *lifecycle = &a->type->lifecycle;
    return patch_is_plain(a->type) || lifecycle->equals == NULL
               ? memcmp(a->bytes, b->bytes, a->type->size) == 0
               : lifecycle->equals(lifecycle->context, a->bytes, b->bytes);
}

// An object that a table had before and that equals one; the table, or NULL.
static const struct part *find_shared(const struct world_image *before, const struct object *object,
                                      uint32_t *out_index) {
    for (uint32_t t = 0; t < image_count(before, PART_TABLE); t++) {
        const struct part *table = image_part(before, PART_TABLE, t);
        for (uint32_t i = 0; i < table->object_count; i++) {
            if (is_same_object(table->objects[i], object)) {
                *out_index = i;
                return table;
            }
        }
    }
    return NULL;
}

// What becomes of an object: nothing, its bytes, or one that was shared before.
static cosm_result write_object(const struct patch_out *patch, const struct part *part,
                                const struct object *object) {
    if (object == NULL) {
        cosmi_write_u8(patch->out, PATCH_OBJECT_NONE);
        return COSM_OK;
    }
    if (patch_is_plain(object->type)) {
        cosmi_write_u8(patch->out, PATCH_OBJECT_BYTES);
        cosmi_write_bytes(patch->out, object->bytes, object->type->size);
        return COSM_OK;
    }
    uint32_t index = 0;
    const struct part *table =
        part->kind == PART_TABLE ? find_shared(patch->before, object, &index) : NULL;
    if (table == NULL) {
        return refuse_object(patch, object->type);
    }
    cosmi_write_u8(patch->out, PATCH_OBJECT_SHARED);
    cosmi_patch_write_name(patch->out, table);
    cosmi_write_short(patch->out, index);
    return COSM_OK;
}

static cosm_result write_objects(const struct patch_out *patch, const struct part_pair *pair,
                                 bool *io_differs) {
    uint32_t next = 0;
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; i < pair->after->object_count && result == COSM_OK; i++) {
        const struct object *then = pair->before != NULL && i < pair->before->object_count
                                        ? pair->before->objects[i]
                                        : NULL;
        if (!is_same_object(then, pair->after->objects[i])) {
            cosmi_write_short(patch->out, (uint64_t)(i - next) + 1);
            result = write_object(patch, pair->after, pair->after->objects[i]);
            next = i + 1;
            *io_differs = true;
        }
    }
    cosmi_write_short(patch->out, 0);
    return result;
}

// One part. Nothing is written where nothing differs.
static cosm_result write_part(const struct patch_out *patch, const struct part_pair *pair,
                              bool *io_differs) {
    size_t begin = patch->out->size;
    cosmi_patch_write_name(patch->out, pair_any(pair));
    cosmi_write_u8(patch->out, pair->after != NULL);
    bool differs = pair->before == NULL || pair->after == NULL;
    cosm_result result = COSM_OK;
    if (pair->after != NULL) {
        differs = write_words(patch->out, pair) || differs;
        if (pair->after->kind == PART_IDS) {
            differs = write_records(patch->out, pair) || differs;
        } else {
            differs = (pair->after->kind == PART_SINGLETONS && write_presence(patch->out, pair)) ||
                      differs;
            differs = write_sections(patch, pair) || differs;
        }
        result = write_objects(patch, pair, &differs);
    }
    if (!differs && !patch->out->failed) {
        patch->out->size = begin;
    }
    *io_differs = *io_differs || differs;
    return result;
}

static bool write_stream(const struct patch_out *patch) {
    const struct stream_image *b = &patch->before->stream;
    const struct stream_image *a = &patch->after->stream;
    bool is_same = a->seed == b->seed && a->number == b->number;
    cosmi_write_u8(patch->out, !is_same);
    if (!is_same) {
        cosmi_write_u64(patch->out, a->seed);
        cosmi_write_short(patch->out, a->number);
    }
    cosmi_write_short(patch->out, a->step);
    return !is_same || a->step != b->step;
}

static cosm_result write_body(const struct patch_out *patch, bool *out_differs) {
    struct memory *memory = patch->job->memory;
    size_t size = ((size_t)patch->before->part_count + patch->after->part_count + 1) *
                  sizeof(struct part_pair);
    struct part_pair *pairs = cosmi_memory_alloc(memory, size, _Alignof(struct part_pair));
    if (pairs == NULL) {
        return cosmi_fail_memory(patch->job->sink, memory, patch->job->call);
    }
    uint32_t count = find_pairs(patch, pairs);
    uint32_t new_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        new_count += pairs[i].before == NULL;
    }
    cosmi_write_short(patch->out, new_count);
    bool differs = write_stream(patch);
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; i < count && result == COSM_OK; i++) {
        result = write_part(patch, &pairs[i], &differs);
    }
    cosmi_memory_free(memory, pairs, size, _Alignof(struct part_pair));
    cosmi_write_short(patch->out, 0);
    *out_differs = differs;
    return result;
}

// The strings that a patch is put together from, besides its head.
struct patch_strings {
    struct byte_writer index;
    struct byte_writer bodies;
    uint64_t rest;
    uint32_t changed;
    uint32_t next; // behind the last world that changed
};

static cosm_result write_world(struct patch_strings *strings, const struct patch_out *patch) {
    const struct schema *schema = patch->job->schema;
    uint64_t hash_before = cosmi_patch_hash(schema, patch->before);
    size_t begin = strings->bodies.size;
    bool differs = false;
    cosm_result result = COSM_OK;
    if (patch->before != patch->after) {
        result = write_body(patch, &differs);
    }
    if (result != COSM_OK || !differs) {
        strings->rest = hash_u64(strings->rest, hash_before);
        strings->bodies.size = strings->bodies.failed ? strings->bodies.size : begin;
        return result;
    }
    cosmi_write_short(&strings->index, patch->world - strings->next);
    cosmi_write_u64(&strings->index, hash_before);
    cosmi_write_u64(&strings->index, cosmi_patch_hash(schema, patch->after));
    cosmi_write_short(&strings->index, strings->bodies.size - begin);
    strings->next = patch->world + 1;
    strings->changed++;
    return COSM_OK;
}

static void write_all(const struct cosm_snapshot *after, const struct patch_strings *strings,
                      struct byte_writer *out) {
    // Room for all of it at once, mostly.
    if (cosmi_write_room(out, strings->index.size + strings->bodies.size + 1024) != NULL) {
        out->size = 0;
    }
    cosmi_write_bytes(out, PATCH_MAGIC, PATCH_MAGIC_SIZE);
    cosmi_write_short(out, PATCH_FORMAT);
    cosmi_write_short(out, after->world_count);
    cosmi_write_short(out, strings->changed);
    cosmi_write_short(out, after->step_count);
    cosmi_write_u64(out, after->seed);
    cosmi_write_u64(out, strings->rest);
    cosmi_patch_write_definitions(after->schema, out);
    cosmi_write_bytes(out, strings->index.bytes, strings->index.size);
    cosmi_write_bytes(out, strings->bodies.bytes, strings->bodies.size);
}

cosm_result cosmi_patch_write(const struct cosm_snapshot *before, const struct cosm_snapshot *after,
                              const char *call, struct byte_writer *out) {
    const struct patch_job job = {before->schema, before->sink, before->memory, call};
    struct patch_strings strings = {.rest = 0};
    cosmi_writer_init(&strings.index, job.memory);
    cosmi_writer_init(&strings.bodies, job.memory);
    cosm_result result = COSM_OK;
    for (uint32_t w = 0; w < before->world_count && result == COSM_OK; w++) {
        struct patch_out patch = {&strings.bodies, &job, before->worlds[w], after->worlds[w], w};
        result = write_world(&strings, &patch);
    }
    if (result == COSM_OK) {
        write_all(after, &strings, out);
        if (strings.index.failed || strings.bodies.failed || out->failed) {
            result = cosmi_fail_memory(job.sink, job.memory, call);
        }
    }
    cosmi_writer_free(&strings.index);
    cosmi_writer_free(&strings.bodies);
    return result;
}
