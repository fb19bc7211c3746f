// The ids of a world from a file.
//
// A file has the dead ids only. Those that live are in the entity columns, so their records are
// made here, row by row, and what is made is checked in the same pass: every id gets a record once,
// living ones are below `used` with an odd generation, free ones below `used` with an even one,
// others are retired or not used yet. There are as many dead ids and rows as ids, so when none came
// twice, none is missing. The image check relies on that and does not look at the ids again.
#include <string.h>

#include "state/load.h"

// Ids in a word of the set of those that came. Rows whose ids ascend one by one, as those of rows
// that were never moved do, are put a word at a time.
#define WORD_IDS 64u

// The ids while they are made. Their pages are not cleared: every record is written once.
struct id_maker {
    struct part *ids;
    uint64_t *came; // a bit for each id
};

static void skip_ids(struct byte_reader *in, uint32_t count) {
    for (uint32_t i = 0; i < 2 * (uint64_t)count && !in->failed; i++) {
        (void)cosmi_read_short_max(in, UINT32_MAX);
    }
}

void cosmi_load_read_ids(struct load_job *job, struct load_world *world) {
    struct byte_reader *in = &job->in;
    world->used = cosmi_read_short_max(in, COSM_WORLD_ENTITY_MAX);
    world->known = cosmi_read_short_max(in, COSM_WORLD_ENTITY_MAX);
    world->fresh_deaths = cosmi_read_short_max(in, UINT16_MAX);
    world->free_count = cosmi_read_short_max(in, world->known);
    world->dead = *in;
    skip_ids(in, world->free_count);
    uint32_t others = cosmi_read_short_max(in, world->known - world->free_count);
    skip_ids(in, others);
    world->dead_count = world->free_count + others;
    in->failed = in->failed || world->used > world->known;
}

// Each id lives in a row or is dead, and takes bytes of the file: so room for as many as the file
// says there are may be made.
cosm_result cosmi_load_check_ids(struct load_job *job, const struct load_world *world) {
    uint64_t count = world->dead_count;
    for (uint32_t i = 0; i < world->table_count; i++) {
        const struct load_table *table = &world->tables[i];
        count += table->set->temporary ? 0 : table->count;
    }
    return count == world->known
               ? COSM_OK
               : cosmi_block_refuse(&job->blocks, &job->block, "ids of a world are missing");
}

static struct record *filled_record(struct part *ids, uint32_t id) {
    struct record *page = blob_fill(ids->blobs[id / RECORD_PAGE_IDS]);
    return page + id % RECORD_PAGE_IDS;
}

// Notes that `count` ids of one word came, from `id` on, which is known. False: one of them came
// before.
static bool take_ids(const struct id_maker *maker, uint32_t id, uint32_t count) {
    uint64_t *word = &maker->came[id / WORD_IDS];
    uint64_t bits = UINT64_MAX >> (WORD_IDS - count) << id % WORD_IDS;
    bool are_new = (*word & bits) == 0;
    *word |= bits;
    return are_new;
}

// The next dead id of the file. NULL: there is no such id, or it came before, or lives.
static struct record *put_dead(const struct id_maker *maker, struct byte_reader *in,
                               uint32_t *out_id) {
    uint32_t id = cosmi_read_short_max(in, UINT32_MAX);
    uint32_t gen = cosmi_read_short_max(in, UINT32_MAX);
    if (id >= maker->ids->ids.known || (gen & 1) != 0 || !take_ids(maker, id, 1)) {
        return NULL;
    }
    struct record *record = filled_record(maker->ids, id);
    *record = (struct record){gen, TABLE_FREE, ID_NONE};
    *out_id = id;
    return record;
}

static bool put_all_dead(const struct id_maker *maker, const struct load_world *world) {
    struct byte_reader in = world->dead;
    uint32_t *link = &maker->ids->ids.free_head;
    uint32_t id = 0;
    for (uint32_t i = 0; i < world->free_count; i++) {
        struct record *record = put_dead(maker, &in, &id);
        if (record == NULL || id >= world->used || record->gen == GEN_RETIRED) {
            return false;
        }
        *link = id;
        link = &record->row;
    }
    (void)cosmi_read_short(&in); // how many others there are
    for (uint32_t i = world->free_count; i < world->dead_count; i++) {
        const struct record *record = put_dead(maker, &in, &id);
        if (record == NULL || (id < world->used && record->gen != GEN_RETIRED)) {
            return false;
        }
    }
    return true;
}

// Do ids ascend one by one? The last one says no most of the time that they do not.
static bool ids_ascend(const cosm_entity *entities, uint32_t count) {
    uint32_t first = entities[0].id;
    uint32_t differs = 0;
    if (entities[count - 1].id != first + count - 1) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        differs |= entities[i].id ^ (first + i);
    }
    return differs == 0;
}

static uint32_t least_of(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

// Records of the first rows of `count`: of how many; 0: one of them cannot be right.
static uint32_t put_run(const struct id_maker *maker, const struct part *table, uint32_t row,
                        const cosm_entity *entities, uint32_t count) {
    uint32_t id = entities[0].id;
    uint32_t used = maker->ids->ids.used;
    if (id >= used) {
        return 0;
    }
    count = least_of(count, least_of(WORD_IDS - id % WORD_IDS, used - id));
    count = ids_ascend(entities, count) ? count : 1;
    uint32_t odd = 1;
    uint32_t too_large = 0;
    for (uint32_t i = 0; i < count; i++) {
        odd &= entities[i].gen;
        too_large |= entities[i].gen > GEN_RETIRED;
    }
    struct record *records = filled_record(maker->ids, id);
    for (uint32_t i = 0; i < count; i++) {
        records[i] = (struct record){entities[i].gen, table->key, row + i};
    }
    return take_ids(maker, id, count) && odd == 1 && too_large == 0 ? count : 0;
}

static bool put_rows(const struct id_maker *maker, const struct part *table) {
    for (uint32_t chunk = 0; chunk < table_chunks(table); chunk++) {
        const cosm_entity *entities = cosmi_table_column(table, chunk, ENTITY_COLUMN);
        uint32_t row = chunk * table->archetype->chunk_rows;
        uint32_t count = table_chunk_rows(table, chunk);
        for (uint32_t i = 0; i < count;) {
            uint32_t some = put_run(maker, table, row + i, entities + i, count - i);
            if (some == 0) {
                return false;
            }
            i += some;
        }
    }
    maker->ids->ids.alive += table->table.count;
    return true;
}

// A part with pages that are not filled in, and a set that no id is in. False when out of memory.
static bool make_maker(struct load_job *job, struct load_world *world, struct part *head,
                       struct id_maker *out_maker) {
    size_t size = (world->known / WORD_IDS + 1) * sizeof(uint64_t);
    uint64_t *came = cosmi_arena_alloc(&job->world_arena, size, sizeof(uint64_t));
    struct part *ids = came == NULL ? NULL : cosmi_load_part(job, head, world);
    bool done = ids != NULL;
    for (uint32_t i = 0; done && i < ids->blob_count; i++) {
        ids->blobs[i] = cosmi_blob_create(job->order->memory, cosmi_blob_size(ids, i));
        done = ids->blobs[i] != NULL;
    }
    if (came != NULL) {
        memset(came, 0, size);
    }
    *out_maker = (struct id_maker){ids, came};
    return done;
}

cosm_result cosmi_load_make_ids(struct load_job *job, struct load_world *world) {
    struct part head = {.kind = PART_IDS,
                        .ids = {.used = world->used,
                                .known = world->known,
                                .fresh_deaths = world->fresh_deaths,
                                .free_count = world->free_count,
                                .free_head = ID_NONE,
                                .reserved_cursor = ID_NONE}};
    struct id_maker maker;
    if (!make_maker(job, world, &head, &maker)) {
        return load_fail_memory(job);
    }
    bool is_good = put_all_dead(&maker, world);
    for (uint32_t i = 0; i < world->part_count && is_good; i++) {
        const struct part *part = world->parts[i];
        is_good = part->kind != PART_TABLE || part->archetype->temporary || put_rows(&maker, part);
    }
    return is_good ? COSM_OK
                   : cosmi_block_refuse(&job->blocks, &job->block,
                                        "a world has an id that is unknown, there twice, or "
                                        "neither alive nor dead");
}
