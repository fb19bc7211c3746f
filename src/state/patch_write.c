// Writing a patch: the head, and of each world that changed what differs of it.
//
// Parts that are the same in both images, pointer for pointer, are not looked at.
#include <string.h>

#include "base/hash.h"
#include "state/hash.h"
#include "state/patch.h"

uint64_t cosmi_patch_hash(const struct schema *schema, const struct world_image *image) {
    return cosmi_hash_view(&(struct hash_view){.schema = schema, .image = image}, COSM_HASH_EXACT);
}

// Counts that stand before the sections of a body.
#define COUNT_ROOM 4u

// What differs of the numbers of a directory: a bit for each, then those that do.
static bool patch_write_directory(const struct patch_out *patch) {
    const struct directory_image *b = &patch->before->directory;
    const struct directory_image *a = &patch->after->directory;
    const uint32_t pairs[][2] = {
        {b->used, a->used},
        {b->known, a->known},
        {b->free_head, a->free_head},
        {b->free_count, a->free_count},
        {b->alive, a->alive},
        {b->fresh_deaths, a->fresh_deaths},
        {b->promised_free, a->promised_free},
        {b->promised_fresh, a->promised_fresh},
        {b->promise_cursor, a->promise_cursor},
    };
    uint32_t mask = 0;
    for (uint32_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        mask |= (uint32_t)(pairs[i][0] != pairs[i][1]) << i;
    }
    cosmi_write_short(patch->out, mask);
    for (uint32_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        if ((mask >> i & 1) != 0) {
            cosmi_write_short(patch->out, pairs[i][1] + 1); // none, which is all ones, becomes 0
        }
    }
    return mask != 0;
}

// A record that is not alive: those that are follow from the rows.
static void patch_write_record(struct byte_writer *out, uint32_t gap, uint32_t id,
                               const struct record *before, const struct record *after) {
    cosmi_write_short(out, (uint64_t)gap + 1);
    cosmi_write_short(out, zigzag(after->gen - before->gen));
    cosmi_write_short(out,
                      (uint64_t)zigzag(after->row - id) << 1 | (after->table == TABLE_PROMISED));
}

// Has the id come into use again? Where it lay in no list, its record says nothing that counts, and
// may say something else in another copy of the state before: save files do not keep it.
static bool is_back_in_use(const struct patch_out *patch, uint32_t id) {
    return id >= patch->before->directory.used && id < patch->after->directory.used;
}

static bool patch_write_records(const struct patch_out *patch) {
    const struct directory_image *before = &patch->before->directory;
    const struct directory_image *after = &patch->after->directory;
    static const struct record none = {0, 0, 0};
    uint32_t next = 0;
    for (uint32_t page = 0; page < after->page_count; page++) {
        uint32_t end = (page + 1) * RECORD_PAGE_IDS < after->known ? (page + 1) * RECORD_PAGE_IDS
                                                                   : after->known;
        bool is_in_use = before->used >= after->used || end <= before->used;
        if (page < before->page_count && before->pages[page] == after->pages[page] && is_in_use) {
            continue;
        }
        for (uint32_t id = page * RECORD_PAGE_IDS; id < end; id++) {
            const struct record *now = image_record(patch->after, id);
            const struct record *then =
                id < before->known ? image_record(patch->before, id) : &none;
            if ((now->gen & 1) == 0 && (id >= before->known || is_back_in_use(patch, id) ||
                                        memcmp(now, then, sizeof(*now)) != 0)) {
                patch_write_record(patch->out, id - next, id, then, now);
                next = id + 1;
            }
        }
    }
    cosmi_write_short(patch->out, 0);
    return next > 0;
}

static bool patch_write_stream(const struct patch_out *patch) {
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

// The sections of a body, and whether anything differs; their counts go before them.
static cosm_result patch_write_sections(const struct patch_out *patch, uint32_t *counts,
                                        bool *out_differs) {
    bool differs = patch_write_stream(patch);
    differs = patch_write_directory(patch) || differs;
    cosm_result result = cosmi_patch_write_tables(patch, &counts[0]);
    if (result != COSM_OK) {
        return result;
    }
    differs = patch_write_records(patch) || differs;
    differs = cosmi_patch_write_tree(patch) || differs;
    differs = cosmi_patch_write_order(patch) || differs;
    result = cosmi_patch_write_singletons(patch, &counts[1]);
    result = result == COSM_OK ? cosmi_patch_write_managed(patch, &counts[2]) : result;
    result = result == COSM_OK ? cosmi_patch_write_sectors(patch, &counts[3]) : result;
    *out_differs = differs || counts[0] + counts[1] + counts[2] + counts[3] > 0;
    return result;
}

// Puts the counts of a body, for which a byte each was left, before its sections.
static void patch_put_counts(struct byte_writer *out, size_t begin, const uint32_t *counts) {
    unsigned char bytes[COUNT_ROOM * 5];
    size_t length = 0;
    for (uint32_t i = 0; i < COUNT_ROOM; i++) {
        uint32_t count = counts[i];
        for (; count >= 0x80; count >>= 7) {
            bytes[length++] = (unsigned char)(count | 0x80);
        }
        bytes[length++] = (unsigned char)count;
    }
    size_t size = out->size - begin - COUNT_ROOM;
    if (length > COUNT_ROOM && cosmi_write_room(out, length - COUNT_ROOM) != NULL) {
        memmove(out->bytes + begin + length, out->bytes + begin + COUNT_ROOM, size);
    }
    if (!out->failed) {
        memcpy(out->bytes + begin, bytes, length);
    }
}

// Nothing is written where nothing differs.
static cosm_result patch_write_body(const struct patch_out *patch, bool *out_differs) {
    uint32_t counts[COUNT_ROOM] = {0, 0, 0, 0};
    size_t begin = patch->out->size;
    (void)cosmi_write_room(patch->out, COUNT_ROOM);
    cosm_result result = patch_write_sections(patch, counts, out_differs);
    if (*out_differs) {
        patch_put_counts(patch->out, begin, counts);
    } else if (!patch->out->failed) {
        patch->out->size = begin;
    }
    return result;
}

// The strings that a patch is put together from, besides its book.
struct patch_strings {
    struct byte_writer index;
    struct byte_writer bodies;
    uint64_t rest;
    uint32_t changed;
    uint32_t next; // behind the last world that changed
};

// Worlds of equal hash may still differ in what no hash looks at: places of sectors, tickets,
// numbers of groups. They count as changed, since later patches go by those.
static cosm_result patch_write_world(struct patch_strings *strings, const struct patch_out *patch) {
    const struct schema *schema = patch->book->schema;
    uint64_t hash_before = cosmi_patch_hash(schema, patch->before);
    size_t begin = strings->bodies.size;
    bool differs = false;
    cosm_result result = COSM_OK;
    if (patch->before != patch->after) {
        result = patch_write_body(patch, &differs);
    }
    if (result != COSM_OK || !differs) {
        strings->rest = hash_u64(strings->rest, hash_before);
        return result;
    }
    cosmi_write_short(&strings->index, patch->world - strings->next);
    cosmi_write_u64(&strings->index, hash_before);
    cosmi_write_u64(&strings->index, cosmi_patch_hash(schema, patch->after));
    cosmi_write_u32(&strings->index, cosmi_patch_print(schema, patch->before));
    cosmi_write_short(&strings->index, strings->bodies.size - begin);
    strings->next = patch->world + 1;
    strings->changed++;
    return COSM_OK;
}

static void patch_write_all(const struct cosm_snapshot *after, const struct patch_book *book,
                            const struct patch_strings *strings, struct byte_writer *out) {
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
    cosmi_patch_book_write(book, out);
    cosmi_write_bytes(out, strings->index.bytes, strings->index.size);
    cosmi_write_bytes(out, strings->bodies.bytes, strings->bodies.size);
}

cosm_result cosmi_patch_write(const struct cosm_snapshot *before, const struct cosm_snapshot *after,
                              const char *call, struct byte_writer *out) {
    struct patch_book book;
    cosmi_patch_book_init(&book, before->memory, before->schema, before->sink);
    book.call = call;
    struct patch_strings strings = {.rest = 0};
    cosmi_writer_init(&strings.index, book.memory);
    cosmi_writer_init(&strings.bodies, book.memory);
    cosm_result result = COSM_OK;
    for (uint32_t w = 0; w < before->world_count && result == COSM_OK; w++) {
        struct patch_out patch = {&strings.bodies, &book, before->worlds[w], after->worlds[w], w};
        result = patch_write_world(&strings, &patch);
    }
    if (result == COSM_OK) {
        patch_write_all(after, &book, &strings, out);
        if (strings.index.failed || strings.bodies.failed || out->failed) {
            result = cosmi_fail_memory(book.sink, book.memory, call);
        }
    }
    cosmi_writer_free(&strings.index);
    cosmi_writer_free(&strings.bodies);
    cosmi_patch_book_free(&book);
    return result;
}
