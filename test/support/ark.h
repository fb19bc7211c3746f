// An engine and a batch with components of every storage, which can be made in several ways: what
// is saved with one ark is loaded with another.
#ifndef COSM_TEST_ARK_H
#define COSM_TEST_ARK_H

#include <stdatomic.h>

#include "support/fixture.h"

// With gaps behind `kind` and `flag`.
typedef struct Crew {
    uint8_t kind;
    float mass;
    uint64_t number;
    uint8_t flag;
} Crew;

typedef struct Wide {
    _Alignas(64) uint32_t words[16];
} Wide;

// A text that its component owns, and that knows its address.
typedef struct Word {
    const void *self;
    char *letters;
} Word;

typedef struct Coin {
    uint32_t a;
    uint32_t b;
} Coin;

typedef struct Wind {
    uint8_t force; // with a gap behind it
    float x;
} Wind;

// How an ark differs from a plain one.
struct ark_plan {
    bool backwards;  // defined in the opposite order
    bool split;      // Position and Crew are split
    bool half_split; // they are in one archetype only
    bool fewer;      // lacks Bare, Flag, Word, Tribe, Note, Wet and Wind
    bool apart;      // Heat and Note are in groups of their own
    bool other_ways; // Coin is a column, Tribe a sector component, Heat shared
    bool fixed;      // Position, Velocity is fixed: 5000 per world
};

struct ark {
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_world world; // the first one
    cosm_worlds all;
    cosm_component position; // a column
    cosm_component velocity; // a column
    cosm_component crew;     // a column with gaps
    cosm_component wide;     // a column, aligned to 64 bytes
    cosm_component bare;     // a column: 8 bytes, not described
    cosm_component flag;     // a tag
    cosm_component tribe;    // shared: a uint32_t
    cosm_component motto;    // shared: a Word
    cosm_component word;     // managed: a Word
    cosm_component coin;     // managed: plain bytes
    cosm_component heat;     // sector: a float, in a group with Note
    cosm_component note;     // sector: a Word
    cosm_component wet;      // sector: of size zero, alone
    cosm_singleton wind;
    cosm_singleton clock; // a uint64_t
    cosm_archetype mover; // "mover": Position and Velocity
    cosm_archetype event; // "event": Position and Word, temporary
    atomic_int words;     // that live
    atomic_int wrong;     // that were not where they thought
    cosm_save_object objects[3];
    uint32_t object_count;
};

// It must stay where it is while it is open. Without worlds there is no batch.
void ark_open(struct ark *ark, const struct ark_plan *plan, uint32_t world_count);
void ark_open_with(struct ark *ark, const struct ark_plan *plan, const cosm_engine_desc *desc,
                   uint32_t world_count);

// Checks that the batch is valid, that all can be destroyed and that every word ended.
void ark_close(struct ark *ark);

// A history of many changes of all kinds, in all worlds; the same for the same seed.
void ark_live(struct ark *ark, uint64_t seed, uint32_t turns);

// Many movers in the first world, and some of every other kind.
void ark_fill(struct ark *ark, uint32_t count);

cosm_save_desc ark_save_desc(const struct ark *ark);
cosm_load_desc ark_load_desc(const struct ark *ark);

// Saves the whole batch to a file, or to memory: to be freed.
void ark_save(struct ark *ark, const char *path);
unsigned char *ark_save_bytes(struct ark *ark, size_t *out_size);

// Loads a file, or bytes, into the whole batch.
void ark_load(struct ark *ark, const char *path, cosm_save_report *out_report);
void ark_load_bytes(struct ark *ark, const void *bytes, size_t size, cosm_save_report *out_report);

// The exact hash of what is in a file; 0 where it cannot be loaded, which is a failed check.
uint64_t ark_file_hash(struct ark *ark, const char *path);

// A codec, "runs": runs of equal bytes become a count and a byte.
extern const cosm_codec ark_runs;

// The path of a file in the folder of this test program; its text is good until the next call.
const char *ark_path(const char *name);

// A Word for as long as it is needed.
Word ark_word(struct ark *ark, uint32_t number);
void ark_word_end(struct ark *ark, Word *word);

// The text of a Word that an entity has, or "".
const char *ark_text(const struct ark *ark, cosm_world world, cosm_entity entity,
                     cosm_component component);

#endif
