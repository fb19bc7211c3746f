// Hashers and hashes of snapshots over random histories with every storage: always those of the
// batch, read anew.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "support/ledger.h"
#include "support/templates.h"

#define WORLD_COUNT 3u
#define ENTITY_COUNT 40u
#define KIND_COUNT 2u

// Split, with padding.
typedef struct Uneven {
    uint8_t a;
    double b;
} Uneven;

static const cosm_field uneven_fields[] = {
    {.name = "a", .type = COSM_FIELD_U8, .offset = offsetof(Uneven, a)},
    {.name = "b", .type = COSM_FIELD_F64, .offset = offsetof(Uneven, b)},
};

struct story {
    struct fixture box;
    struct dice dice;
    cosm_component uneven; // split
    cosm_component track;  // changes by row
    cosm_component block;  // large: few rows are a chunk
    cosm_singleton clock;
    cosm_archetype slots; // fixed: position and track
    cosm_archetype crowd; // position and block
    cosm_query *positions;
    cosm_hasher *hasher;
    cosm_entity entities[WORLD_COUNT][ENTITY_COUNT];
};

static void story_define(struct story *story) {
    struct fixture *box = &story->box;
    cosm_engine *engine = box->engine;
    story->uneven =
        cosm_component_define(engine, &(cosm_component_desc){.name = "Uneven",
                                                             .size = sizeof(Uneven),
                                                             .alignment = _Alignof(Uneven),
                                                             .fields = uneven_fields,
                                                             .field_count = 2,
                                                             .layout = COSM_LAYOUT_SPLIT});
    story->track = cosm_component_define(
        engine, &(cosm_component_desc){.name = "Track", .size = 4, .change_rows = true});
    story->block = cosm_component_define(
        engine, &(cosm_component_desc){.name = "Block", .size = 3000, .alignment = 4});
    story->clock = cosm_singleton_define(
        engine, &(cosm_singleton_desc){.name = "Clock", .size = sizeof(uint64_t)});
    story->slots = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.name = "slots",
                                       .components = {box->position, story->track},
                                       .placement = COSM_PLACEMENT_FIXED,
                                       .max_per_world = 4000});
    story->crowd = cosm_archetype_define(
        engine,
        &(cosm_archetype_desc){.name = "crowd", .components = {box->position, story->block}});
    story->positions = cosm_query_create(
        engine,
        &(cosm_query_desc){.terms = {{.component = box->position, .access = COSM_ACCESS_WRITE}}});
    REQUIRE(story->slots.id != 0 && story->crowd.id != 0 && story->positions != NULL);
    REQUIRE(story->clock.id != 0 && story->uneven.id != 0);
}

static void story_open(struct story *story, uint64_t seed) {
    fixture_open(&story->box, FIXTURE_TEMPLATE, WORLD_COUNT);
    story->dice.state = seed;
    for (uint32_t w = 0; w < WORLD_COUNT; w++) {
        for (uint32_t i = 0; i < ENTITY_COUNT; i++) {
            story->entities[w][i] = COSM_ENTITY_NONE;
        }
    }
    story_define(story);
    story->hasher = cosm_hasher_create(story->box.batch);
    REQUIRE(story->hasher != NULL);
}

static void story_close(struct story *story) {
    cosm_hasher_destroy(story->hasher);
    cosm_query_destroy(story->positions);
    fixture_close(&story->box);
}

// Entities may be stale, tables full, components absent.
static void maybe(cosm_result result) {
    CHECK(result == COSM_OK || result == COSM_STALE || result == COSM_ERROR_LIMIT ||
          result == COSM_ERROR_ARGUMENT || result == COSM_ERROR_CONFLICT ||
          result == COSM_ERROR_FULL);
    cosm_error_clear();
}

static uint32_t roll(struct story *story, uint32_t sides) {
    return dice_roll(&story->dice, sides);
}

static void story_spawn(struct story *story, cosm_world world, cosm_entity *entity) {
    const struct fixture *box = &story->box;
    const cosm_archetype choices[] = {box->actor, box->plain, story->slots, story->crowd,
                                      box->pack};
    *entity = cosm_entity_spawn(world, choices[roll(story, 5)]);
    cosm_error_clear();
}

static void story_set(struct story *story, cosm_world world, cosm_entity entity) {
    struct fixture *box = &story->box;
    uint32_t number = roll(story, 4);
    Text text;
    unsigned char block[3000];
    memset(block, (int)number, sizeof(block));
    text_open(&box->books, &text, number + 1);
    Uneven uneven;
    memset(&uneven, (int)roll(story, 256), sizeof(uneven));
    uneven.a = (uint8_t)number;
    uneven.b = number;
    const cosm_value values[] = {
        {box->position, &(Position){(float)number, 0, 0}},
        {box->text, &text},
        {box->pair, &(Pair){number, 1}},
        {box->level, &(Level){number}},
        {box->title, &text},
        {box->kiln, &(Kiln){.number = number}},
        {box->note, &text},
        {story->uneven, &uneven},
        {story->track, &number},
        {story->block, block},
    };
    const cosm_value *value = &values[roll(story, sizeof(values) / sizeof(*values))];
    maybe(cosm_entity_set(world, entity, value->component, value->data));
    text_end(&box->books, &text);
}

static cosm_component story_component(struct story *story) {
    const struct fixture *box = &story->box;
    const cosm_component all[] = {box->text,  box->mesh,     box->pair,    box->mark,
                                  box->level, box->title,    box->kiln,    box->note,
                                  box->wet,   story->uneven, story->track, box->position};
    return all[roll(story, sizeof(all) / sizeof(*all))];
}

// Writes through pointers, which only ticks tell of.
static void story_write(struct story *story, cosm_world world, cosm_entity entity) {
    struct fixture *box = &story->box;
    Position *position = cosm_entity_write(world, entity, box->position);
    cosm_error_clear();
    if (position != NULL) {
        position->y += 1;
    }
    Kiln *kiln = cosm_entity_write(world, entity, story->box.kiln);
    cosm_error_clear();
    if (kiln != NULL) {
        kiln->number++;
    }
    *(uint64_t *)cosm_singleton_write(world, story->clock) += 1;
}

// What concerns many rows.
static void story_bulk(struct story *story, cosm_world world) {
    struct fixture *box = &story->box;
    cosm_rows rows;
    switch (roll(story, 7)) {
    case 0:
        maybe(cosm_entity_spawn_many(world, story->slots, 900, &rows));
        break;
    case 1:
        maybe(cosm_entity_spawn_many(world, box->plain, 1500, &rows));
        break;
    case 2:
        maybe(cosm_table_clear(world, story->slots));
        break;
    case 3:
        maybe(cosm_world_reset(world));
        break;
    case 4:
        for (cosm_query_walk(story->positions, cosm_worlds_one(world), &rows);
             cosm_rows_next(&rows);) {
            Position *positions = COSM_COLUMN_WRITE(&rows, Position, 0);
            positions[rows.count / 2].z += 1;
        }
        break;
    case 5:
        maybe(cosm_query_set(story->positions, cosm_worlds_one(world), story->box.level,
                             &(Level){roll(story, 3)}));
        break;
    default:
        maybe(cosm_batch_step(box->batch));
        break;
    }
}

static void story_turn(struct story *story) {
    struct fixture *box = &story->box;
    uint32_t w = roll(story, WORLD_COUNT);
    cosm_world world = fixture_world(box, w);
    cosm_entity *entity = &story->entities[w][roll(story, ENTITY_COUNT)];
    cosm_entity other = story->entities[w][roll(story, ENTITY_COUNT)];
    uint32_t what = roll(story, 100);
    if (what < 20) {
        story_spawn(story, world, entity);
    } else if (what < 30) {
        maybe(cosm_entity_despawn(world, *entity));
    } else if (what < 50) {
        story_set(story, world, *entity);
    } else if (what < 60) {
        // A label that nobody gave a value would be a copy of no object at all.
        cosm_component added = story_component(story);
        maybe(added.id == story->box.title.id ? COSM_OK : cosm_entity_add(world, *entity, added));
    } else if (what < 70) {
        maybe(cosm_entity_remove(world, *entity, story_component(story)));
    } else if (what < 78) {
        maybe(cosm_tree_set_parent(world, *entity, other));
    } else if (what < 80) {
        *entity = cosm_template_spawn(world, story->box.tree, NULL, 0);
    } else if (what < 82) {
        maybe(cosm_tree_despawn(world, *entity));
    } else if (what < 95) {
        story_write(story, world, *entity);
    } else {
        story_bulk(story, world);
    }
}

// Does the hasher agree with what is read anew?
static void check_hasher(struct story *story) {
    const cosm_batch *batch = story->box.batch;
    cosm_hash_kind kind = (cosm_hash_kind)roll(story, KIND_COUNT);
    if (roll(story, 2) == 0) {
        CHECK_INT(cosm_hasher_batch(story->hasher, kind), cosm_hash_batch(batch, kind));
    } else {
        uint32_t world = roll(story, WORLD_COUNT);
        CHECK_INT(cosm_hasher_world(story->hasher, world, kind),
                  cosm_hash_world(fixture_world(&story->box, world), kind));
    }
}

TEST(a_hasher_always_agrees_with_what_is_read_anew) {
    struct story story;
    story_open(&story, harness_seed());
    uint32_t turns = harness_is_long() ? 40000 : 2500;
    for (uint32_t turn = 0; turn < turns; turn++) {
        story_turn(&story);
        if (roll(&story, 4) == 0) {
            check_hasher(&story);
        }
    }
    story_close(&story);
}

static void check_snapshot(const cosm_snapshot *snapshot, const cosm_batch *batch) {
    for (uint32_t k = 0; k < KIND_COUNT; k++) {
        CHECK_INT(cosm_hash_snapshot(snapshot, (cosm_hash_kind)k),
                  cosm_hash_batch(batch, (cosm_hash_kind)k));
    }
}

TEST(snapshots_that_share_what_has_not_changed_have_the_hashes_of_their_worlds) {
    struct story story;
    story_open(&story, harness_seed() + 1);
    cosm_worlds all = story.box.all;
    cosm_batch *batch = story.box.batch;
    cosm_snapshot *kept[4] = {NULL};
    uint64_t hashes[4] = {0};
    uint32_t turns = harness_is_long() ? 20000 : 1200;
    for (uint32_t turn = 0; turn < turns; turn++) {
        story_turn(&story);
        uint32_t which = roll(&story, 4);
        uint32_t what = roll(&story, 30);
        if (what == 0) {
            cosm_snapshot_destroy(kept[which]);
            kept[which] = cosm_snapshot_create(all);
            check_snapshot(kept[which], batch);
            hashes[which] = cosm_hash_batch(batch, COSM_HASH_EXACT);
        } else if (what == 1 && kept[which] != NULL) {
            CHECK_DONE(cosm_snapshot_restore(kept[which], 0, all));
            CHECK_INT(cosm_hash_batch(batch, COSM_HASH_EXACT), hashes[which]);
            check_snapshot(kept[which], batch);
            check_hasher(&story);
        }
    }
    for (int i = 0; i < 4; i++) {
        cosm_snapshot_destroy(kept[i]);
    }
    story_close(&story);
}

// The hashes of a world.
struct hashes {
    uint64_t of[KIND_COUNT];
};

static struct hashes hashes_of(cosm_world world) {
    struct hashes hashes;
    for (uint32_t k = 0; k < KIND_COUNT; k++) {
        hashes.of[k] = cosm_hash_world(world, (cosm_hash_kind)k);
    }
    return hashes;
}

static void check_all_differ(struct hashes a, struct hashes b) {
    for (uint32_t k = 0; k < KIND_COUNT; k++) {
        CHECK(a.of[k] != b.of[k]);
    }
}

TEST(values_of_every_storage_count) {
    struct story story;
    story_open(&story, 1);
    struct fixture *box = &story.box;
    cosm_world world = box->world;
    Text texts[2];
    text_open(&box->books, &texts[0], 3);
    text_open(&box->books, &texts[1], 4);
    const struct {
        cosm_component component;
        const void *values[2];
    } cases[] = {
        {box->text, {&texts[0], &texts[1]}},
        {box->pair, {&(Pair){1, 2}, &(Pair){1, 3}}},
        {box->level, {&(Level){1}, &(Level){2}}},
        {box->title, {&texts[0], &texts[1]}},
        {box->kiln, {&(Kiln){.number = 1}, &(Kiln){.number = 2}}},
        {box->note, {&texts[0], &texts[1]}},
        {story.uneven, {&(Uneven){.a = 1, .b = 1}, &(Uneven){.a = 1, .b = 2}}},
        {story.track, {&(uint32_t){1}, &(uint32_t){2}}},
    };
    cosm_entity entity = cosm_entity_spawn(world, box->plain);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct hashes without = hashes_of(world);
        CHECK_DONE(cosm_entity_set(world, entity, cases[i].component, cases[i].values[0]));
        struct hashes first = hashes_of(world);
        CHECK_DONE(cosm_entity_set(world, entity, cases[i].component, cases[i].values[1]));
        struct hashes second = hashes_of(world);
        check_all_differ(without, first);
        check_all_differ(first, second);
        check_all_differ(without, second);
        CHECK_DONE(cosm_entity_remove(world, entity, cases[i].component));
        CHECK_INT(cosm_hash_world(world, COSM_HASH_CONTENT), without.of[COSM_HASH_CONTENT]);
        // Tickets and positions that were in use are remembered.
        if (cosm_component_describe(box->engine, cases[i].component).storage ==
            COSM_STORAGE_COLUMN) {
            CHECK_INT(cosm_hash_world(world, COSM_HASH_EXACT), without.of[COSM_HASH_EXACT]);
        }
    }
    text_end(&box->books, &texts[0]);
    text_end(&box->books, &texts[1]);
    story_close(&story);
}

TEST(which_tags_and_which_entity_count) {
    struct fixture box;
    fixture_open(&box, 0, 3);
    cosm_component other =
        cosm_component_define(box.engine, &(cosm_component_desc){.name = "Other"});
    for (uint32_t w = 0; w < 3; w++) {
        cosm_world world = fixture_world(&box, w);
        CHECK_DONE(cosm_world_seed(world, 1, 0));
        cosm_entity entities[2] = {cosm_entity_spawn(world, box.mover),
                                   cosm_entity_spawn(world, box.mover)};
        CHECK_DONE(cosm_entity_add(world, entities[w / 2], w == 1 ? other : box.mark));
    }
    check_all_differ(hashes_of(fixture_world(&box, 0)), hashes_of(fixture_world(&box, 1)));
    check_all_differ(hashes_of(fixture_world(&box, 0)), hashes_of(fixture_world(&box, 2)));
    fixture_close(&box);
}

TEST(parents_count_and_the_order_of_children_but_for_content) {
    struct fixture box;
    fixture_open(&box, 0, 3);
    for (uint32_t w = 0; w < 3; w++) {
        cosm_world world = fixture_world(&box, w);
        CHECK_DONE(cosm_world_seed(world, 1, 0));
        cosm_entity e[3];
        for (int i = 0; i < 3; i++) {
            e[i] = cosm_entity_spawn(world, box.mover);
        }
        CHECK_DONE(cosm_tree_set_parent(world, e[w == 1 ? 2 : 1], e[0]));
        CHECK_DONE(cosm_tree_set_parent(world, e[w == 1 ? 1 : 2], e[w == 2 ? 1 : 0]));
    }
    struct hashes plain = hashes_of(fixture_world(&box, 0));
    struct hashes swapped = hashes_of(fixture_world(&box, 1));
    CHECK(plain.of[COSM_HASH_EXACT] != swapped.of[COSM_HASH_EXACT]);
    CHECK_INT(plain.of[COSM_HASH_CONTENT], swapped.of[COSM_HASH_CONTENT]);
    check_all_differ(plain, hashes_of(fixture_world(&box, 2)));
    fixture_close(&box);
}

TEST(past_lives_of_ids_that_are_promised_and_off_the_free_list_count) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    cosm_commands *commands = cosm_commands_create(box.batch);
    for (uint32_t w = 0; w < 2; w++) {
        cosm_world world = fixture_world(&box, w);
        CHECK_DONE(cosm_world_seed(world, 1, 0));
        cosm_entity first = cosm_entity_spawn(world, box.mover);
        cosm_entity second = cosm_entity_spawn(world, box.mover);
        (void)cosm_entity_spawn(world, box.mover);
        for (uint32_t i = 0; i < w; i++) {
            CHECK_DONE(cosm_entity_despawn(world, first));
            first = cosm_entity_spawn(world, box.mover);
        }
        CHECK_DONE(cosm_entity_despawn(world, first));
        CHECK_INT(cosm_commands_spawn(commands, world, box.mover).id, first.id);
        CHECK_DONE(cosm_entity_despawn(world, second));
    }
    CHECK(cosm_hash_world(box.world, COSM_HASH_EXACT) !=
          cosm_hash_world(fixture_world(&box, 1), COSM_HASH_EXACT));
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(a_batch_is_not_destroyed_before_its_hashers) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_hasher *hasher = cosm_hasher_create(box.batch);
    CHECK_FAILS(cosm_batch_destroy(box.batch), COSM_ERROR_BUSY, "cosm_batch_destroy:", "1 hashers",
                "cosm_hasher_destroy");
    cosm_hasher_destroy(hasher);
    cosm_hasher_destroy(NULL);
    fixture_close(&box);
}

TEST(a_hasher_is_refused_where_there_is_nothing_to_hash_or_somebody_walks) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    (void)fixture_spawn(&box, 1);
    CHECK(cosm_hasher_create(NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_hasher_create:", "batch", "cosm_batch_create");
    CHECK_INT(cosm_hasher_batch(NULL, COSM_HASH_EXACT), 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_hasher_batch:", "hasher", "cosm_hasher_create");
    CHECK_INT(cosm_hasher_world(NULL, 0, COSM_HASH_EXACT), 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_hasher_world:", "hasher", "cosm_hasher_create");
    cosm_hasher *hasher = cosm_hasher_create(box.batch);
    CHECK_INT(cosm_hasher_world(hasher, 5, COSM_HASH_EXACT), 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_hasher_world:", "5", "smaller");
    CHECK_INT(cosm_hasher_world(hasher, 0, (cosm_hash_kind)8), 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_hasher_world:", "kind 8", "cosm_hash_kind");
    CHECK_INT(cosm_hasher_batch(hasher, (cosm_hash_kind)8), 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_hasher_batch:", "kind 8", "cosm_hash_kind");
    cosm_query *query = fixture_query(&box, box.position, (cosm_component){0});
    cosm_rows rows;
    cosm_query_walk(query, box.all, &rows);
    CHECK(cosm_rows_next(&rows));
    CHECK_INT(cosm_hasher_batch(hasher, COSM_HASH_EXACT), 0);
    CHECK_FAILURE(COSM_ERROR_WALKED, "cosm_hasher_batch:", "walked", "");
    CHECK(cosm_hasher_create(box.batch) == NULL);
    CHECK_FAILURE(COSM_ERROR_WALKED, "cosm_hasher_create:", "walked", "");
    cosm_rows_end(&rows);
    CHECK_INT(cosm_hasher_batch(hasher, COSM_HASH_EXACT),
              cosm_hash_batch(box.batch, COSM_HASH_EXACT));
    cosm_query_destroy(query);
    cosm_hasher_destroy(hasher);
    fixture_close(&box);
}

TEST(a_hasher_that_runs_out_of_memory_goes_on_where_it_was) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)},
                      &(cosm_batch_desc){.world_count = 2});
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 2000, &rows));
    (void)cosm_entity_spawn(fixture_world(&box, 1), box.stone);
    bool refused = true;
    for (uint64_t n = 1; refused; n++) {
        ledger_refuse(&ledger, n, 1);
        cosm_hasher *hasher = cosm_hasher_create(box.batch);
        uint64_t hash = hasher == NULL ? 0 : cosm_hasher_batch(hasher, COSM_HASH_EXACT);
        refused = ledger_relent(&ledger);
        CHECK(refused == (hash == 0));
        if (refused) {
            CHECK_FAILURE(COSM_ERROR_MEMORY, "cosm_hasher_", "", "");
        }
        hasher = hasher == NULL ? cosm_hasher_create(box.batch) : hasher;
        CHECK_INT(cosm_hasher_batch(hasher, COSM_HASH_EXACT),
                  cosm_hash_batch(box.batch, COSM_HASH_EXACT));
        // A table more, and one that has grown.
        cosm_entity entity = fixture_spawn(&box, (float)n);
        CHECK_DONE(cosm_entity_add(box.world, entity, box.health));
        CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 700, &rows));
        ledger_refuse(&ledger, n, 1);
        hash = cosm_hasher_batch(hasher, COSM_HASH_CONTENT);
        refused |= ledger_relent(&ledger);
        CHECK(hash == 0 || hash == cosm_hash_batch(box.batch, COSM_HASH_CONTENT));
        cosm_error_clear();
        CHECK_INT(cosm_hasher_batch(hasher, COSM_HASH_CONTENT),
                  cosm_hash_batch(box.batch, COSM_HASH_CONTENT));
        cosm_hasher_destroy(hasher);
        CHECK_DONE(cosm_world_reset(box.world));
    }
    fixture_close(&box);
    ledger_close(&ledger);
}
