// The parts of the plain table of movers that are not inline: memory, and work on all rows.
#include "limit.h"

#include <stdlib.h>

void limit_movers_create(struct limit_movers *movers, uint32_t capacity) {
    *movers = (struct limit_movers){.capacity = capacity, .free_head = LIMIT_NONE};
    movers->position = bench_alloc(capacity, sizeof(Position));
    movers->velocity = bench_alloc(capacity, sizeof(Velocity));
    movers->ids = bench_alloc(capacity, sizeof(uint32_t));
    // Zeroed by the C library, which for a large block means: left to the operating system.
    movers->records = calloc(capacity, sizeof(struct limit_record));
    bench_need(movers->records != NULL, "memory");
}

void limit_movers_destroy(struct limit_movers *movers) {
    free(movers->position);
    free(movers->velocity);
    free(movers->ids);
    free(movers->records);
    *movers = (struct limit_movers){.free_head = LIMIT_NONE};
}

void limit_movers_grow(struct limit_movers *movers) {
    struct limit_movers old = *movers;
    limit_movers_create(movers, old.capacity * 2);
    memcpy(movers->position, old.position, old.count * sizeof(Position));
    memcpy(movers->velocity, old.velocity, old.count * sizeof(Velocity));
    memcpy(movers->ids, old.ids, old.count * sizeof(uint32_t));
    memcpy(movers->records, old.records, old.id_count * sizeof(struct limit_record));
    movers->count = old.count;
    movers->id_count = old.id_count;
    movers->free_head = old.free_head;
    limit_movers_destroy(&old);
}

uint64_t limit_movers_hash(const struct limit_movers *movers) {
    return work_hash_movers(movers->position, movers->velocity, movers->count);
}

void limit_movers_fill(struct limit_movers *movers, uint32_t count) {
    limit_movers_spawn_many(movers, count);
    work_fill(movers->position, movers->velocity, count);
}

uint32_t limit_movers_spawn_many(struct limit_movers *movers, uint32_t count) {
    uint32_t first = movers->count;
    uint32_t row = first;
    uint32_t end = first + count;
    uint32_t id = movers->free_head;
    for (; row < end && id != LIMIT_NONE; row++) {
        uint32_t next = movers->records[id].index;
        movers->ids[row] = id;
        movers->records[id].index = row;
        id = next;
    }
    movers->free_head = id;
    while (movers->capacity - movers->id_count < end - row) {
        limit_movers_grow(movers);
    }
    uint32_t *ids = movers->ids + row;
    struct limit_record *records = movers->records + movers->id_count;
    uint32_t first_id = movers->id_count;
    uint32_t fresh = end - row;
    for (uint32_t i = 0; i < fresh; i++) {
        ids[i] = first_id + i;
    }
    for (uint32_t i = 0; i < fresh; i++) {
        records[i].index = row + i;
    }
    movers->id_count += fresh;
    movers->count = end;
    return first;
}

// The table holds every living entity, so all generations may go up, those of free ids too; and
// ids may be handed out from zero again, with the new generations.
void limit_movers_clear(struct limit_movers *movers) {
    struct limit_record *records = movers->records;
    uint32_t id_count = movers->id_count;
    for (uint32_t i = 0; i < id_count; i++) {
        records[i].gen++;
    }
    movers->count = 0;
    movers->id_count = 0;
    movers->free_head = LIMIT_NONE;
}
