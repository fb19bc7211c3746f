// Long random histories of changes against an obvious oracle: who wrote what since who looked.
//
// Two things are held against what a reader shows. What the history wrote: of components with ticks
// by row just these rows are shown, of the others at least these. And the bytes: no value differs
// from what the reader last saw of it unless it is shown.
#include <string.h>

#include "harness.h"
#include "support/fixture.h"

#define KINDS 3u   // components: by row, by chunk, by row and split
#define READERS 3u // of each of them
#define WORLDS 2u
#define BEINGS 4096u
#define SIZE 8u // bytes of a value

typedef struct Pair {
    uint32_t a;
    uint32_t b;
} Pair;

// An entity of one world, by its number there.
struct being {
    cosm_entity entity;
    bool lives;
    bool has[KINDS];
    bool written[KINDS][READERS]; // since that reader looked
    Pair last[KINDS][READERS];    // as that reader saw it
    bool known[KINDS][READERS];
};

struct history {
    struct dice dice;
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_component kinds[KINDS];
    cosm_component tag;
    cosm_archetype fixed;
    cosm_query *writers[KINDS];
    cosm_query *markers[KINDS];
    cosm_query *watchers[KINDS];
    cosm_change_reader *readers[KINDS][READERS];
    struct being beings[WORLDS][BEINGS];
    uint32_t counts[WORLDS];
    uint32_t by_id[WORLDS][BEINGS]; // the last one with that id
    uint32_t number;                // makes each value a new one
};

static struct history history; // too large for the stack

static void define_history(struct history *h) {
    static const cosm_field fields[] = {
        {.name = "a", .type = COSM_FIELD_U32, .offset = 0},
        {.name = "b", .type = COSM_FIELD_U32, .offset = 4},
    };
    const char *names[KINDS] = {"Row", "Chunk", "Split"};
    for (uint32_t k = 0; k < KINDS; k++) {
        h->kinds[k] = cosm_component_define(
            h->engine,
            &(cosm_component_desc){.name = names[k],
                                   .size = SIZE,
                                   .fields = fields,
                                   .field_count = 2,
                                   .layout = k == 2 ? COSM_LAYOUT_SPLIT : COSM_LAYOUT_STRUCT,
                                   .change_rows = k != 1});
        cosm_term term = {.component = h->kinds[k], .access = COSM_ACCESS_WRITE};
        h->writers[k] = cosm_query_create(h->engine, &(cosm_query_desc){.terms = {term}});
        term.access = COSM_ACCESS_MARK;
        h->markers[k] = cosm_query_create(h->engine, &(cosm_query_desc){.terms = {term}});
        term.access = COSM_ACCESS_READ;
        term.changed = true;
        h->watchers[k] = cosm_query_create(h->engine, &(cosm_query_desc){.terms = {term}});
    }
    h->tag = COSM_TAG_DEFINE(h->engine, Tag);
    h->fixed = cosm_archetype_define(
        h->engine, &(cosm_archetype_desc){.name = "fixed",
                                          .components = {h->kinds[0], h->kinds[1], h->tag},
                                          .placement = COSM_PLACEMENT_FIXED,
                                          .max_per_world = 1500});
}

static void open_history(struct history *h, uint64_t seed) {
    memset(h, 0, sizeof(*h));
    h->dice.state = seed;
    h->engine = cosm_engine_create(NULL);
    define_history(h);
    h->batch = cosm_batch_create(h->engine, &(cosm_batch_desc){.world_count = WORLDS});
    CHECK(h->batch != NULL);
}

static void close_history(struct history *h) {
    for (uint32_t k = 0; k < KINDS; k++) {
        for (uint32_t r = 0; r < READERS; r++) {
            cosm_change_reader_destroy(h->readers[k][r]);
        }
        cosm_query_destroy(h->writers[k]);
        cosm_query_destroy(h->markers[k]);
        cosm_query_destroy(h->watchers[k]);
    }
    CHECK_DONE(cosm_batch_destroy(h->batch));
    CHECK_DONE(cosm_engine_destroy(h->engine));
}

static cosm_world world_of(const struct history *h, uint32_t w) {
    return cosm_batch_world(h->batch, w);
}

static Pair new_pair(struct history *h) {
    h->number++;
    return (Pair){h->number, ~h->number};
}

static struct being *being_of(struct history *h, uint32_t w, cosm_entity entity) {
    struct being *being =
        entity.id < BEINGS ? &h->beings[w][h->by_id[w][entity.id]] : &h->beings[w][0];
    return cosm_entity_equals(being->entity, entity) ? being : NULL;
}

static void note_write(struct being *being, uint32_t kind) {
    for (uint32_t r = 0; r < READERS; r++) {
        being->written[kind][r] = true;
    }
}

// A living one, or NULL.
static struct being *pick_being(struct history *h, uint32_t w) {
    for (uint32_t tries = 0; h->counts[w] > 0 && tries < 20; tries++) {
        struct being *being = &h->beings[w][dice_roll(&h->dice, h->counts[w])];
        if (being->lives) {
            return being;
        }
    }
    return NULL;
}

static void add_being(struct history *h, uint32_t w, cosm_entity entity, const bool *has) {
    h->by_id[w][entity.id] = h->counts[w];
    struct being *being = &h->beings[w][h->counts[w]++];
    memset(being, 0, sizeof(*being));
    being->entity = entity;
    being->lives = true;
    for (uint32_t k = 0; k < KINDS; k++) {
        being->has[k] = has[k];
        if (has[k]) {
            note_write(being, k);
        }
    }
}

static void do_spawn(struct history *h, uint32_t w) {
    uint32_t room = BEINGS - h->counts[w];
    uint32_t count = dice_roll(&h->dice, 6) == 0 ? 1 + dice_roll(&h->dice, 400) : 1;
    bool has[KINDS] = {true, true, false};
    cosm_archetype archetype = h->fixed;
    if (dice_roll(&h->dice, 2) == 0 ||
        cosm_table_row_count(world_of(h, w), h->fixed) + count > 1500) {
        cosm_component list[KINDS] = {{0}};
        uint32_t listed = 0;
        for (uint32_t k = 0; k < KINDS; k++) {
            has[k] = dice_roll(&h->dice, 3) > 0;
            list[listed] = h->kinds[k];
            listed += has[k];
        }
        cosm_archetype_desc desc = {.more = list, .more_count = listed};
        archetype = cosm_archetype_define(h->engine, &desc);
    }
    cosm_rows rows;
    if (count > room || archetype.id == 0) {
        return;
    }
    CHECK_DONE(cosm_entity_spawn_many(world_of(h, w), archetype, count, &rows));
    for (uint32_t i = 0; i < count; i++) {
        add_being(h, w, rows.entities[i], has);
    }
}

static void do_despawn(struct history *h, uint32_t w) {
    struct being *being = pick_being(h, w);
    if (being != NULL) {
        CHECK_DONE(cosm_entity_despawn(world_of(h, w), being->entity));
        being->lives = false;
    }
}

static void do_change(struct history *h, uint32_t w) {
    struct being *being = pick_being(h, w);
    uint32_t k = dice_roll(&h->dice, KINDS + 1);
    if (being == NULL) {
        return;
    }
    bool add = dice_roll(&h->dice, 3) > 0;
    cosm_component component = k == KINDS ? h->tag : h->kinds[k];
    // The table of the tag may be full.
    cosm_result result = add ? cosm_entity_add(world_of(h, w), being->entity, component)
                             : cosm_entity_remove(world_of(h, w), being->entity, component);
    cosm_error_clear();
    if (result != COSM_OK || k == KINDS) {
        return;
    }
    if (add && !being->has[k]) {
        note_write(being, k);
    }
    being->has[k] = add;
}

static void do_write(struct history *h, uint32_t w) {
    struct being *being = pick_being(h, w);
    uint32_t k = dice_roll(&h->dice, KINDS);
    if (being == NULL || !being->has[k]) {
        return;
    }
    Pair value = new_pair(h);
    cosm_world world = world_of(h, w);
    note_write(being, k);
    switch (dice_roll(&h->dice, 4)) {
    case 0:
        if (k != 2) {
            memcpy(cosm_entity_write(world, being->entity, h->kinds[k]), &value, SIZE);
            break;
        }
        // fall through
    case 1:
        CHECK_DONE(cosm_entity_set(world, being->entity, h->kinds[k], &value));
        break;
    case 2:
        CHECK_DONE(cosm_entity_set_many(world, &being->entity, 1, h->kinds[k], &value));
        break;
    default: {
        cosm_commands *commands = cosm_commands_create(h->batch);
        CHECK_DONE(cosm_commands_set(commands, world, being->entity, h->kinds[k], &value));
        CHECK_DONE(cosm_commands_apply(commands, NULL));
        cosm_commands_destroy(commands);
    }
    }
}

// A walk that writes all rows, or marks some.
static void do_walk(struct history *h) {
    uint32_t k = dice_roll(&h->dice, KINDS);
    bool mark = dice_roll(&h->dice, 4) > 0;
    cosm_worlds worlds = cosm_worlds_all(h->batch);
    if (dice_roll(&h->dice, 2) == 0) {
        worlds = (cosm_worlds){h->batch, dice_roll(&h->dice, WORLDS), 1};
    }
    cosm_rows rows;
    cosm_query_walk(mark ? h->markers[k] : h->writers[k], worlds, &rows);
    while (cosm_rows_next(&rows)) {
        uint32_t step = mark ? 1 + dice_roll(&h->dice, 300) : 1;
        for (uint32_t i = mark ? step / 2 : 0; i < rows.count; i += step) {
            struct being *being = being_of(h, cosm_rows_world(&rows, i).index, rows.entities[i]);
            Pair value = new_pair(h);
            if (k != 2) {
                memcpy((char *)rows.columns[0] + i * SIZE, &value, SIZE);
            } else {
                COSM_FIELD_WRITE(&rows, uint32_t, 0, 0)[i] = value.a;
                COSM_FIELD_WRITE(&rows, uint32_t, 0, 1)[i] = value.b;
            }
            if (mark) {
                cosm_change_mark(&rows, 0, i, 1);
            }
            if (being != NULL) {
                note_write(being, k);
            }
        }
    }
}

static uint64_t sort_key(void *context, cosm_entity entity, const void *value) {
    (void)value;
    return (entity.id * (uint64_t)0x9E3779B9u) ^ *(uint32_t *)context;
}

static void do_sort(struct history *h, uint32_t w) {
    uint32_t salt = (uint32_t)dice_next(&h->dice);
    CHECK_DONE(cosm_table_sort(world_of(h, w), h->fixed, (cosm_component){0}, sort_key, &salt));
}

static void do_reset(struct history *h) {
    CHECK_DONE(cosm_batch_reset(h->batch, NULL));
    if (dice_roll(&h->dice, 2) == 0) {
        CHECK_DONE(cosm_batch_trim(h->batch));
    }
    h->counts[0] = 0;
    h->counts[1] = 0;
}

// Goes over what a reader shows, and then over what it should have.
static void do_look(struct history *h) {
    uint32_t k = dice_roll(&h->dice, KINDS);
    uint32_t r = dice_roll(&h->dice, READERS);
    bool first = h->readers[k][r] == NULL;
    if (first) {
        h->readers[k][r] = cosm_change_reader_create(h->batch, h->watchers[k]);
        CHECK(h->readers[k][r] != NULL);
    }
    static bool shown[WORLDS][BEINGS];
    memset(shown, 0, sizeof(shown));
    cosm_worlds worlds = cosm_worlds_all(h->batch);
    if (!first && dice_roll(&h->dice, 2) == 0) {
        worlds = (cosm_worlds){h->batch, dice_roll(&h->dice, WORLDS), 1};
    }
    uint32_t strange = 0;
    cosm_rows rows;
    cosm_change_walk(h->readers[k][r], worlds, &rows);
    while (cosm_rows_next(&rows)) {
        for (uint32_t i = 0; i < rows.count; i++) {
            struct being *being = being_of(h, rows.world, rows.entities[i]);
            strange += being == NULL || !being->lives || !being->has[k];
            if (being != NULL) {
                shown[rows.world][being - h->beings[rows.world]] = true;
            }
        }
    }
    uint32_t missed = 0;
    uint32_t extra = 0;
    for (uint32_t w = worlds.first; w < worlds.first + worlds.count; w++) {
        for (uint32_t i = 0; i < h->counts[w]; i++) {
            struct being *being = &h->beings[w][i];
            if (!being->lives || !being->has[k]) {
                continue;
            }
            Pair value;
            CHECK(cosm_entity_get(world_of(h, w), being->entity, h->kinds[k], &value));
            bool differs = !being->known[k][r] || memcmp(&value, &being->last[k][r], SIZE) != 0;
            missed += (being->written[k][r] || differs || first) && !shown[w][i];
            extra += k != 1 && !first && shown[w][i] && !being->written[k][r];
            being->written[k][r] = false;
            being->known[k][r] = true;
            being->last[k][r] = value;
        }
    }
    CHECK_INT(strange, 0);
    CHECK_INT(missed, 0);
    CHECK_INT(extra, 0);
}

static void run_history(uint64_t seed, uint32_t steps) {
    struct history *h = &history;
    open_history(h, seed);
    for (uint32_t s = 0; s < steps; s++) {
        uint32_t w = dice_roll(&h->dice, WORLDS);
        uint32_t roll = dice_roll(&h->dice, 100);
        if (roll < 22) {
            do_spawn(h, w);
        } else if (roll < 36) {
            do_despawn(h, w);
        } else if (roll < 52) {
            do_change(h, w);
        } else if (roll < 74) {
            do_write(h, w);
        } else if (roll < 77) {
            do_walk(h);
        } else if (roll < 79) {
            do_sort(h, w);
        } else if (roll == 79 && dice_roll(&h->dice, 8) == 0) {
            do_reset(h);
        } else if (roll > 85) {
            do_look(h);
        }
        if (s % 64 == 0) {
            CHECK_VALID(h->batch);
        }
    }
    close_history(h);
}

TEST(readers_show_what_a_random_history_wrote_since_they_looked) {
    uint64_t seed = harness_seed();
    uint32_t rounds = harness_is_long() ? 60 : 6;
    for (uint32_t i = 0; i < rounds; i++) {
        run_history(seed + i, 900);
    }
}
