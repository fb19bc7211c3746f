// Snapshots of trees: links come back in their order, over as many ids as there are.
#include <string.h>

#include "harness.h"
#include "state/image.h"
#include "support/fixture.h"
#include "support/ledger.h"

enum { WORLDS = 2, MOST = 1500 };

// What a player knows beside the batch.
struct forest_mind {
    struct dice dice;
    cosm_entity entities[WORLDS][MOST];
    uint32_t counts[WORLDS];
};

struct forest {
    struct fixture box;
    struct forest_mind mind;
};

static struct forest forest;

static uint32_t roll(uint32_t sides) {
    return dice_roll(&forest.mind.dice, sides);
}

static void forest_open(uint64_t seed, const cosm_engine_desc *engine_desc) {
    memset(&forest, 0, sizeof(forest));
    forest.mind.dice = (struct dice){seed};
    fixture_open_with(&forest.box, 0, engine_desc, &(cosm_batch_desc){.world_count = WORLDS});
}

static cosm_entity anybody(uint32_t w) {
    uint32_t count = forest.mind.counts[w];
    return count == 0 ? COSM_ENTITY_NONE : forest.mind.entities[w][roll(count)];
}

// Entities may be gone, and links may close a circle.
static void may_be_refused(cosm_result result) {
    CHECK(result == COSM_OK || result == COSM_STALE || result == COSM_ERROR_ARGUMENT);
}

static void spawn_some(uint32_t w, uint32_t most) {
    cosm_world world = fixture_world(&forest.box, w);
    for (uint32_t i = 1 + roll(most); i > 0; i--) {
        uint32_t at = forest.mind.counts[w] < MOST ? forest.mind.counts[w]++ : roll(MOST);
        forest.mind.entities[w][at] = cosm_entity_spawn(world, forest.box.mover);
    }
}

static void take_turn(void) {
    uint32_t w = roll(WORLDS);
    uint32_t what = roll(100);
    cosm_world world = fixture_world(&forest.box, w);
    if (what < 10) {
        spawn_some(w, roll(10) == 0 ? 400 : 6);
    } else if (what < 20) {
        may_be_refused(cosm_entity_despawn(world, anybody(w)));
    } else if (what < 22) {
        may_be_refused(cosm_tree_despawn(world, anybody(w)));
    } else if (what < 25) {
        may_be_refused(cosm_entity_add(world, anybody(w), forest.box.health));
    } else if (what == 25 && roll(4) == 0) {
        CHECK_DONE(cosm_world_reset(world));
    } else if (what == 26) {
        CHECK_DONE(cosm_batch_trim(forest.box.batch));
    } else if (what < 35) {
        may_be_refused(cosm_tree_set_parent(world, anybody(w), COSM_ENTITY_NONE));
    } else {
        for (uint32_t i = 0; i < 10; i++) {
            may_be_refused(cosm_tree_set_parent(world, anybody(w), anybody(w)));
        }
    }
}

static uint64_t fold(uint64_t trace, uint64_t value) {
    trace ^= value + 0x9E3779B97F4A7C15u + (trace << 6) + (trace >> 2);
    return trace * 0xD6E8FEB86659FD93u;
}

// Everything that can be seen of the trees, in the order in which it is seen.
static uint64_t view(void) {
    uint64_t trace = cosm_hash_batch(forest.box.batch, COSM_HASH_EXACT);
    static cosm_entity list[4 * MOST];
    for (uint32_t w = 0; w < WORLDS; w++) {
        cosm_world world = fixture_world(&forest.box, w);
        uint32_t count = cosm_tree_list(world, COSM_ENTITY_NONE, 4 * MOST, list);
        for (uint32_t i = 0; i < count && i < 4 * MOST; i++) {
            trace = fold(trace, (uint64_t)list[i].gen << 32 | list[i].id);
            trace = fold(trace, cosm_tree_depth(world, list[i]));
            trace = fold(trace, cosm_tree_child_count(world, list[i]));
            trace = fold(trace, cosm_tree_first_child(world, list[i]).id);
            trace = fold(trace, cosm_tree_last_child(world, list[i]).id);
            trace = fold(trace, cosm_tree_previous_sibling(world, list[i]).id);
        }
    }
    return trace;
}

static uint64_t play(uint32_t turns) {
    uint64_t trace = 0;
    for (uint32_t i = 0; i < turns; i++) {
        take_turn();
        trace = i % 8 == 0 ? fold(trace, view()) : trace;
    }
    return fold(trace, view());
}

TEST(a_restored_forest_has_the_same_future) {
    for (uint32_t game = 0; game < (harness_is_long() ? 200u : 12u); game++) {
        forest_open(harness_seed() + game, NULL);
        spawn_some(0, 1 + game * 100);
        play(game * 15);
        struct forest_mind mind = forest.mind;
        uint64_t seen = view();
        cosm_snapshot *snapshot = cosm_snapshot_create(forest.box.all);
        uint64_t future = play(100);
        for (uint32_t again = 0; again < 3; again++) {
            CHECK_DONE(cosm_snapshot_restore(snapshot, 0, forest.box.all));
            forest.mind = mind;
            CHECK_VALID(forest.box.batch);
            CHECK_INT(view(), seen);
            CHECK_INT(play(100), future);
            CHECK_VALID(forest.box.batch);
            CHECK_DONE(again == 0 ? cosm_batch_reset(forest.box.batch, NULL) : COSM_OK);
            CHECK_DONE(cosm_batch_trim(forest.box.batch));
        }
        cosm_snapshot_destroy(snapshot);
        fixture_close(&forest.box);
    }
}

TEST(any_of_many_forests_comes_back) {
    enum { KEPT = 5 };
    uint64_t seed = harness_seed() + 400;
    static struct forest_mind minds[KEPT];
    cosm_snapshot *kept[KEPT] = {NULL};
    uint64_t seen[KEPT];
    struct dice dice = {seed};
    forest_open(seed, NULL);
    for (uint32_t turn = 0; turn < (harness_is_long() ? 8000u : 500u); turn++) {
        uint32_t slot = dice_roll(&dice, KEPT);
        uint32_t what = dice_roll(&dice, 10);
        if (what == 0) {
            cosm_snapshot_destroy(kept[slot]);
            kept[slot] = cosm_snapshot_create(forest.box.all);
            minds[slot] = forest.mind;
            seen[slot] = view();
        } else if (what == 1 && kept[slot] != NULL) {
            CHECK_DONE(cosm_snapshot_restore(kept[slot], 0, forest.box.all));
            forest.mind = minds[slot];
            forest.mind.dice.state += turn; // another future
            CHECK_VALID(forest.box.batch);
            CHECK_INT(view(), seen[slot]);
        } else {
            take_turn();
        }
    }
    for (uint32_t i = 0; i < KEPT; i++) {
        cosm_snapshot_destroy(kept[i]);
    }
    fixture_close(&forest.box);
}

// A row of parents, each with the next as its child, in the order of a stride.
static void make_chain(cosm_world world, cosm_entity *entities, uint32_t count, uint32_t stride) {
    for (uint32_t i = 0; i < count; i++) {
        entities[i] = cosm_entity_spawn(world, forest.box.mover);
    }
    for (uint32_t i = 1; i < count; i++) {
        CHECK_DONE(cosm_tree_set_parent(world, entities[i * stride % count],
                                        entities[(i - 1) * stride % count]));
    }
}

TEST(a_snapshot_without_a_tree_empties_one_and_one_with_a_tree_makes_one) {
    static cosm_entity chain[1000];
    forest_open(1, NULL);
    cosm_world world = forest.box.world;
    cosm_snapshot *empty = cosm_snapshot_create(forest.box.all);
    make_chain(world, chain, 1000, 7);
    cosm_entity last = chain[999 * 7 % 1000];
    uint64_t seen = view();
    cosm_snapshot *full = cosm_snapshot_create(forest.box.all);
    CHECK_DONE(cosm_snapshot_restore(empty, 0, forest.box.all));
    CHECK_VALID(forest.box.batch);
    CHECK_INT(cosm_tree_list(world, COSM_ENTITY_NONE, 0, NULL), 0);
    cosm_entity first = cosm_entity_spawn(world, forest.box.mover);
    CHECK_INT(cosm_tree_child_count(world, first), 0);
    CHECK_DONE(cosm_snapshot_restore(full, 0, forest.box.all));
    CHECK_VALID(forest.box.batch);
    CHECK_INT(cosm_tree_depth(world, last), 999);
    CHECK_INT(view(), seen);
    // In a batch that never had one.
    cosm_batch *other =
        cosm_batch_create(forest.box.engine, &(cosm_batch_desc){.world_count = WORLDS});
    CHECK_DONE(cosm_snapshot_restore(full, 0, cosm_worlds_all(other)));
    CHECK_VALID(other);
    CHECK_INT(cosm_hash_batch(other, COSM_HASH_EXACT),
              cosm_hash_batch(forest.box.batch, COSM_HASH_EXACT));
    CHECK_INT(cosm_tree_depth(cosm_batch_world(other, 0), last), 999);
    // It tells its tree when one ends.
    CHECK_DONE(cosm_entity_despawn(cosm_batch_world(other, 0), chain[0]));
    CHECK_VALID(other);
    CHECK_INT(cosm_tree_depth(cosm_batch_world(other, 0), last), 998);
    CHECK_DONE(cosm_batch_destroy(other));
    cosm_snapshot_destroy(empty);
    cosm_snapshot_destroy(full);
    fixture_close(&forest.box);
}

static void see_rows(cosm_rows *rows) {
    (void)rows;
}

// Bytes that are taken for a snapshot and kept.
static size_t added_by(const struct ledger *ledger, cosm_snapshot **out_snapshot) {
    size_t before = ledger->block_bytes;
    *out_snapshot = cosm_snapshot_create(forest.box.all);
    return ledger->block_bytes - before;
}

TEST(links_that_have_not_changed_are_shared) {
    static cosm_entity chain[MOST];
    cosm_snapshot *taken[5];
    size_t blob = 128 * 28; // links of 28 bytes
    struct ledger ledger;
    ledger_open(&ledger);
    forest_open(1, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)});
    cosm_world world = forest.box.world;
    make_chain(world, chain, MOST, 1);
    CHECK(added_by(&ledger, &taken[0]) > MOST * (size_t)28);
    size_t nothing = added_by(&ledger, &taken[1]);
    CHECK(nothing < 2000);
    CHECK_DONE(cosm_tree_set_parent(world, chain[MOST - 1], chain[MOST - 3]));
    size_t one = added_by(&ledger, &taken[2]);
    CHECK(one > blob && one < nothing + blob + 1000);
    // Depths that a walk has found are no change; nor is a link that is back where it was.
    cosm_query *all = cosm_query_create(forest.box.engine, &(cosm_query_desc){.by_world = true});
    CHECK_DONE(cosm_tree_each(all, forest.box.all, see_rows, NULL));
    cosm_query_destroy(all);
    CHECK_INT(added_by(&ledger, &taken[3]), nothing);
    CHECK_DONE(cosm_tree_set_parent(world, chain[MOST - 1], chain[0]));
    CHECK_DONE(cosm_tree_set_parent(world, chain[MOST - 1], chain[MOST - 3]));
    CHECK_INT(added_by(&ledger, &taken[4]), nothing);
    for (uint32_t i = 0; i < 5; i++) {
        cosm_snapshot_destroy(taken[i]);
    }
    fixture_close(&forest.box);
    ledger_close(&ledger);
}

TEST(equal_trees_have_equal_images_whatever_their_histories) {
    static cosm_entity chain[1000];
    forest_open(1, NULL);
    cosm_world world = forest.box.world;
    make_chain(world, chain, 1000, 1);
    for (uint32_t i = 3; i < 1000; i++) {
        CHECK_DONE(cosm_tree_set_parent(world, chain[i], COSM_ENTITY_NONE));
    }
    cosm_snapshot *a = cosm_snapshot_create(forest.box.all);
    const struct part *tree = image_only(a->worlds[0], PART_TREE);
    CHECK_INT(tree->tree.linked, 3);
    CHECK_INT(tree->blob_count, 1);
    cosm_snapshot *b = cosm_snapshot_create(forest.box.all);
    CHECK(image_only(b->worlds[0], PART_TREE) == tree);
    // Without a base, and with pages and depths of its own.
    cosm_world other = fixture_world(&forest.box, 1);
    make_chain(other, chain, 3, 1);
    cosm_snapshot *c = cosm_snapshot_create(forest.box.all);
    CHECK_INT(image_only(c->worlds[1], PART_TREE)->blob_count, 1);
    CHECK_MEM(image_only(c->worlds[1], PART_TREE)->blobs[0]->bytes, tree->blobs[0]->bytes,
              LINK_BLOB_IDS * sizeof(struct link));
    CHECK_DONE(cosm_tree_set_parent(world, chain[1], COSM_ENTITY_NONE));
    CHECK_DONE(cosm_tree_set_parent(world, chain[2], COSM_ENTITY_NONE));
    cosm_snapshot *d = cosm_snapshot_create(forest.box.all);
    CHECK(image_only(d->worlds[0], PART_TREE) == NULL);
    cosm_snapshot_destroy(a);
    cosm_snapshot_destroy(b);
    cosm_snapshot_destroy(c);
    cosm_snapshot_destroy(d);
    fixture_close(&forest.box);
}

// Returns whether the n-th request of a restore, or of a snapshot, was refused.
static bool refuse_one(uint32_t n, bool of_snapshot) {
    static struct ledger ledger;
    ledger_open(&ledger);
    forest_open(harness_seed() + 9, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)});
    spawn_some(0, 500);
    play(60);
    struct forest_mind mind = forest.mind;
    uint64_t seen = view();
    cosm_snapshot *snapshot = cosm_snapshot_create(forest.box.all);
    play(30);
    CHECK_DONE(cosm_batch_reset(forest.box.batch, NULL));
    play(10);
    CHECK_DONE(cosm_batch_trim(forest.box.batch));
    uint64_t now = view();
    ledger_refuse(&ledger, n, 1);
    cosm_snapshot *taken = of_snapshot ? cosm_snapshot_create(forest.box.all) : NULL;
    bool done =
        of_snapshot ? taken != NULL : cosm_snapshot_restore(snapshot, 0, forest.box.all) == COSM_OK;
    bool refused = ledger_relent(&ledger);
    if (!done) {
        CHECK(refused);
        CHECK_INT(cosm_error_result(), COSM_ERROR_MEMORY);
        CHECK_VALID(forest.box.batch);
        CHECK_INT(view(), now);
    }
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, forest.box.all));
    forest.mind = mind;
    CHECK_VALID(forest.box.batch);
    CHECK_INT(view(), seen);
    cosm_snapshot_destroy(taken);
    cosm_snapshot_destroy(snapshot);
    cosm_error_clear();
    fixture_close(&forest.box);
    ledger_close(&ledger);
    return refused;
}

TEST(a_forest_for_which_memory_is_refused_stays_as_it_is) {
    for (uint32_t n = 1; refuse_one(n, false); n++) {
        REQUIRE(n < 1000);
    }
    for (uint32_t n = 1; refuse_one(n, true); n++) {
        REQUIRE(n < 1000);
    }
}
