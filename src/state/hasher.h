// Hashers: hash worlds again and again, and read only what has changed in between.
#ifndef COSM_STATE_HASHER_H
#define COSM_STATE_HASHER_H

#include "base/map.h"
#include "state/hash.h"

// What is known of one table: for each chunk that there is room for, and each column of the
// archetype, two hashes, by enum hash_note; 0 where it is not known.
struct hasher_table {
    uint64_t *notes; // [chunk_capacity * columns * 2]
    const struct archetype *archetype;
    uint32_t number; // of the table: see struct store
    uint32_t count;  // rows when it was last hashed
    uint32_t chunk_capacity;
};

// What is known of one world. Tables are found by number, and stay: numbers are used again.
struct hasher_world {
    struct hasher_table *tables;
    uint32_t table_count;
    uint32_t table_capacity;
    struct map map;
    uint64_t clock; // what is stamped later has changed since
};

// Its memory is the batch's. Used by one thread at a time.
struct cosm_hasher {
    struct cosm_batch *batch;
    struct hasher_world worlds[]; // [batch->world_count]
};

// For a batch that is ready for capturing (state/capture.h). NULL, with a message, when out of
// memory.
struct cosm_hasher *cosmi_hasher_create(struct cosm_batch *batch, const char *call);
void cosmi_hasher_destroy(struct cosm_hasher *hasher);

// The hash of a world that does not change meanwhile. On failure there is a message.
cosm_result cosmi_hasher_world(struct cosm_hasher *hasher, const char *call, uint32_t world,
                               cosm_hash_kind kind, uint64_t *out_hash);

#endif
