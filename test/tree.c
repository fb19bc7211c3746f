// Trees: parents, children, order, depth, despawn, walks by depth, commands (cosm/tree.h).
#include <stdlib.h>

#include "harness.h"
#include "support/fixture.h"
#include "support/ledger.h"

static const cosm_entity none = {0, 0};

#define CHECK_SAME(a, b) CHECK(cosm_entity_equals((a), (b)))

// Spawns `count` movers; each has its number as x.
static void spawn_row(struct fixture *box, cosm_entity *out, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        out[i] = fixture_spawn(box, (float)i);
    }
}

TEST(an_entity_begins_as_a_root_without_children) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity a = fixture_spawn(&box, 0);
    CHECK_SAME(cosm_tree_parent(box.world, a), none);
    CHECK_SAME(cosm_tree_first_child(box.world, a), none);
    CHECK_SAME(cosm_tree_last_child(box.world, a), none);
    CHECK_SAME(cosm_tree_next_sibling(box.world, a), none);
    CHECK_SAME(cosm_tree_previous_sibling(box.world, a), none);
    CHECK_SAME(cosm_tree_root(box.world, a), a);
    CHECK_SAME(cosm_tree_next(box.world, a, a), none);
    CHECK_INT(cosm_tree_child_count(box.world, a), 0);
    CHECK_INT(cosm_tree_children(box.world, a, 1, &a), 0);
    CHECK_INT(cosm_tree_depth(box.world, a), 0);
    CHECK_INT(cosm_tree_list(box.world, a, 1, &a), 1);
    CHECK_SILENT();
    fixture_close(&box);
}

TEST(links_are_exact_in_both_directions) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity e[5];
    spawn_row(&box, e, 5);
    for (uint32_t i = 1; i < 4; i++) {
        CHECK_DONE(cosm_tree_set_parent(box.world, e[i], e[0]));
    }
    CHECK_DONE(cosm_tree_set_parent(box.world, e[4], e[2]));
    CHECK_SAME(cosm_tree_parent(box.world, e[2]), e[0]);
    CHECK_SAME(cosm_tree_first_child(box.world, e[0]), e[1]);
    CHECK_SAME(cosm_tree_last_child(box.world, e[0]), e[3]);
    CHECK_SAME(cosm_tree_next_sibling(box.world, e[1]), e[2]);
    CHECK_SAME(cosm_tree_next_sibling(box.world, e[3]), none);
    CHECK_SAME(cosm_tree_previous_sibling(box.world, e[3]), e[2]);
    CHECK_SAME(cosm_tree_previous_sibling(box.world, e[1]), none);
    CHECK_INT(cosm_tree_child_count(box.world, e[0]), 3);
    CHECK_INT(cosm_tree_depth(box.world, e[4]), 2);
    CHECK_SAME(cosm_tree_root(box.world, e[4]), e[0]);
    CHECK(cosm_tree_is_ancestor(box.world, e[0], e[4]));
    CHECK(cosm_tree_is_ancestor(box.world, e[2], e[4]));
    CHECK(!cosm_tree_is_ancestor(box.world, e[1], e[4]));
    CHECK(!cosm_tree_is_ancestor(box.world, e[4], e[0]));
    CHECK(!cosm_tree_is_ancestor(box.world, e[4], e[4]));
    cosm_entity children[3] = {none, none, none};
    CHECK_INT(cosm_tree_children(box.world, e[0], 2, children), 3);
    CHECK_SAME(children[0], e[1]);
    CHECK_SAME(children[1], e[2]);
    CHECK_SAME(children[2], none);
    CHECK_INT(cosm_tree_children(box.world, e[0], 3, NULL), 3);
    CHECK_VALID(box.batch);
    fixture_close(&box);
}

TEST(children_stay_in_the_order_in_which_they_came) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity e[5];
    spawn_row(&box, e, 5);
    const uint32_t order[] = {3, 1, 4, 2};
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_DONE(cosm_tree_set_parent(box.world, e[order[i]], e[0]));
    }
    // The parent it has already changes nothing; coming back puts it last.
    CHECK_DONE(cosm_tree_set_parent(box.world, e[1], e[0]));
    CHECK_DONE(cosm_tree_set_parent(box.world, e[4], none));
    CHECK_DONE(cosm_tree_set_parent(box.world, e[4], e[0]));
    const uint32_t expected[] = {3, 1, 2, 4};
    cosm_entity children[4];
    REQUIRE(cosm_tree_children(box.world, e[0], 4, children) == 4);
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_SAME(children[i], e[expected[i]]);
    }
    CHECK_DONE(cosm_entity_despawn(box.world, e[1]));
    CHECK_SAME(cosm_tree_next_sibling(box.world, e[3]), e[2]);
    CHECK_SAME(cosm_tree_previous_sibling(box.world, e[2]), e[3]);
    fixture_close(&box);
}

TEST(a_circle_is_refused_and_its_ends_are_named) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity e[4];
    spawn_row(&box, e, 4);
    for (uint32_t i = 1; i < 4; i++) {
        CHECK_DONE(cosm_tree_set_parent(box.world, e[i], e[i - 1]));
    }
    uint64_t checksum = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    CHECK_FAILS(cosm_tree_set_parent(box.world, e[0], e[3]), COSM_ERROR_ARGUMENT,
                "cosm_tree_set_parent:", "@0:1 of world 0 cannot become a child of @3:1",
                "3 levels below it; move the lower one out");
    CHECK_FAILS(cosm_tree_set_parent(box.world, e[3], e[3]), COSM_ERROR_ARGUMENT,
                "cosm_tree_set_parent:", "@3:1 of world 0 cannot be its own parent",
                "COSM_ENTITY_NONE");
    cosm_entity lone = fixture_spawn(&box, 9);
    CHECK_FAILS(cosm_tree_set_parent(box.world, lone, lone), COSM_ERROR_ARGUMENT,
                "cosm_tree_set_parent:", "cannot be its own parent", "pass another");
    CHECK_DONE(cosm_entity_despawn(box.world, lone));
    CHECK(cosm_hash_batch(box.batch, COSM_HASH_EXACT) != checksum); // a generation was used
    CHECK_SAME(cosm_tree_parent(box.world, e[0]), none);
    CHECK_SAME(cosm_tree_parent(box.world, e[3]), e[2]);
    // Taken out of the subtree first, it is possible.
    CHECK_DONE(cosm_tree_set_parent(box.world, e[3], none));
    CHECK_DONE(cosm_tree_set_parent(box.world, e[0], e[3]));
    CHECK_INT(cosm_tree_depth(box.world, e[2]), 3);
    fixture_close(&box);
}

TEST(stale_entities_and_worlds_that_do_not_exist_have_no_tree) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity a = fixture_spawn(&box, 0);
    cosm_entity gone = fixture_spawn(&box, 1);
    CHECK_DONE(cosm_tree_set_parent(box.world, gone, a));
    CHECK_DONE(cosm_entity_despawn(box.world, gone));
    const cosm_entity stale[] = {gone, {0, 1}, {7, 0}, {1, 12345}, {2, 0xFFFFFFFF}};
    cosm_error_clear();
    for (size_t i = 0; i < sizeof(stale) / sizeof(*stale); i++) {
        cosm_entity s = stale[i];
        CHECK_INT(cosm_tree_set_parent(box.world, s, a), COSM_STALE);
        CHECK_INT(cosm_tree_set_parent(box.world, a, s), COSM_STALE);
        CHECK_INT(cosm_tree_despawn(box.world, s), COSM_STALE);
        CHECK_SAME(cosm_tree_parent(box.world, s), none);
        CHECK_SAME(cosm_tree_first_child(box.world, s), none);
        CHECK_SAME(cosm_tree_root(box.world, s), none);
        CHECK_SAME(cosm_tree_next(box.world, s, s), none);
        CHECK_INT(cosm_tree_child_count(box.world, s), 0);
        CHECK_INT(cosm_tree_depth(box.world, s), 0);
        CHECK_INT(cosm_tree_list(box.world, s, 1, &a), 0);
        CHECK(!cosm_tree_is_ancestor(box.world, s, a) && !cosm_tree_is_ancestor(box.world, a, s));
    }
    CHECK_INT(cosm_tree_set_parent(box.world, none, a), COSM_STALE);
    CHECK_SILENT();
    const cosm_world wrong[] = {{NULL, 0}, {box.batch, 1}};
    for (size_t i = 0; i < 2; i++) {
        CHECK_SAME(cosm_tree_parent(wrong[i], a), none);
        CHECK_INT(cosm_tree_list(wrong[i], none, 1, &a), 0);
        CHECK_SILENT();
        CHECK_INT(cosm_tree_set_parent(wrong[i], a, none), COSM_ERROR_ARGUMENT);
        CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_tree_set_parent:", "world.", "pass a");
        CHECK_INT(cosm_tree_despawn(wrong[i], a), COSM_ERROR_ARGUMENT);
        CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_tree_despawn:", "world.", "pass a");
    }
    fixture_close(&box);
}

TEST(a_recycled_id_finds_no_links_of_the_one_before) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity e[4];
    spawn_row(&box, e, 4);
    CHECK_DONE(cosm_tree_set_parent(box.world, e[1], e[0]));
    CHECK_DONE(cosm_tree_set_parent(box.world, e[2], e[1]));
    CHECK_DONE(cosm_tree_set_parent(box.world, e[3], e[1]));
    CHECK_DONE(cosm_entity_despawn(box.world, e[1]));
    cosm_entity fresh = fixture_spawn(&box, 5);
    CHECK_INT(fresh.id, e[1].id);
    CHECK_SAME(cosm_tree_parent(box.world, fresh), none);
    CHECK_INT(cosm_tree_child_count(box.world, fresh), 0);
    CHECK_INT(cosm_tree_child_count(box.world, e[0]), 0);
    // Children of the one that ended alone are roots.
    CHECK_SAME(cosm_tree_parent(box.world, e[2]), none);
    CHECK_SAME(cosm_tree_next_sibling(box.world, e[2]), none);
    CHECK_SAME(cosm_tree_root(box.world, e[3]), e[3]);
    CHECK_SAME(cosm_tree_parent(box.world, e[1]), none);
    CHECK_VALID(box.batch);
    fixture_close(&box);
}

TEST(every_way_to_end_takes_entities_out_of_the_tree) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_query *query = fixture_query(&box, box.mark, (cosm_component){0});
    cosm_entity e[6];
    spawn_row(&box, e, 6);
    for (uint32_t i = 1; i < 6; i++) {
        CHECK_DONE(cosm_tree_set_parent(box.world, e[i], e[0]));
    }
    CHECK_DONE(cosm_entity_despawn(box.world, e[1]));
    CHECK_INT(cosm_tree_child_count(box.world, e[0]), 4);
    CHECK_DONE(cosm_entity_despawn_many(box.world, &e[2], 1));
    CHECK_INT(cosm_tree_child_count(box.world, e[0]), 3);
    CHECK_DONE(cosm_entity_add(box.world, e[3], box.mark));
    CHECK_DONE(cosm_query_despawn(query, box.all));
    CHECK_INT(cosm_tree_child_count(box.world, e[0]), 2);
    CHECK_DONE(cosm_entity_add(box.world, e[4], box.health));
    CHECK_DONE(cosm_table_clear(box.world, cosm_entity_archetype(box.world, e[4])));
    CHECK_INT(cosm_tree_child_count(box.world, e[0]), 1);
    CHECK_VALID(box.batch);
    CHECK_DONE(cosm_world_reset(box.world));
    CHECK_VALID(box.batch);
    cosm_entity again = fixture_spawn(&box, 0);
    CHECK_INT(again.id, 0);
    CHECK_INT(cosm_tree_child_count(box.world, again), 0);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(changes_of_components_and_sorting_do_not_touch_the_tree) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity e[4];
    spawn_row(&box, e, 4);
    for (uint32_t i = 1; i < 4; i++) {
        CHECK_DONE(cosm_tree_set_parent(box.world, e[i], e[0]));
    }
    CHECK_DONE(cosm_entity_add(box.world, e[2], box.mark));
    CHECK_DONE(cosm_entity_remove(box.world, e[0], box.velocity));
    CHECK_DONE(cosm_table_sort_u32(box.world, box.mover, box.position, 0));
    CHECK_DONE(cosm_batch_trim(box.batch));
    for (uint32_t i = 1; i < 4; i++) {
        CHECK_SAME(cosm_tree_parent(box.world, e[i]), e[0]);
    }
    CHECK_SAME(cosm_tree_next_sibling(box.world, e[1]), e[2]);
    CHECK_VALID(box.batch);
    fixture_close(&box);
}

TEST(a_subtree_is_despawned_as_a_whole_and_its_ids_come_back_in_order) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity e[7];
    spawn_row(&box, e, 7);
    // 0 -> 1 -> (2 -> 3), 4;  0 -> 5;  6 apart
    CHECK_DONE(cosm_tree_set_parent(box.world, e[1], e[0]));
    CHECK_DONE(cosm_tree_set_parent(box.world, e[2], e[1]));
    CHECK_DONE(cosm_tree_set_parent(box.world, e[3], e[2]));
    CHECK_DONE(cosm_tree_set_parent(box.world, e[4], e[1]));
    CHECK_DONE(cosm_tree_set_parent(box.world, e[5], e[0]));
    CHECK_DONE(cosm_tree_despawn(box.world, e[1]));
    for (uint32_t i = 0; i < 7; i++) {
        CHECK_INT(cosm_entity_is_alive(box.world, e[i]), i == 0 || i >= 5);
    }
    CHECK_SAME(cosm_tree_first_child(box.world, e[0]), e[5]);
    for (uint32_t i = 1; i < 5; i++) {
        CHECK_INT(fixture_spawn(&box, 0).id, e[i].id);
    }
    CHECK_DONE(cosm_tree_despawn(box.world, e[6])); // one without a tree
    CHECK(!cosm_entity_is_alive(box.world, e[6]));
    CHECK_VALID(box.batch);
    fixture_close(&box);
}

TEST(going_through_a_subtree_meets_parents_first_and_children_in_order) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity e[8];
    spawn_row(&box, e, 8);
    // 0 -> 1 -> 3, 4;  0 -> 2 -> 5 -> 6;  7 apart
    const uint32_t parents[] = {0, 0, 0, 1, 1, 2, 5};
    for (uint32_t i = 1; i < 7; i++) {
        CHECK_DONE(cosm_tree_set_parent(box.world, e[i], e[parents[i]]));
    }
    const uint32_t all[] = {0, 1, 3, 4, 2, 5, 6};
    cosm_entity at = e[0];
    for (uint32_t i = 0; i < 7; i++) {
        CHECK_SAME(at, e[all[i]]);
        at = cosm_tree_next(box.world, e[0], at);
    }
    CHECK_SAME(at, none);
    CHECK_SAME(cosm_tree_next(box.world, e[1], e[4]), none); // the end of that subtree
    CHECK_SAME(cosm_tree_next(box.world, e[6], e[6]), none);
    cosm_entity list[8];
    const uint32_t by_depth[] = {0, 7, 1, 2, 3, 4, 5, 6};
    CHECK_INT(cosm_tree_list(box.world, none, 8, list), 8);
    for (uint32_t i = 0; i < 8; i++) {
        CHECK_SAME(list[i], e[by_depth[i]]);
    }
    list[3] = none;
    CHECK_INT(cosm_tree_list(box.world, none, 3, list), 8);
    CHECK_SAME(list[2], e[1]);
    CHECK_SAME(list[3], none);
    const uint32_t below_two[] = {2, 5, 6};
    CHECK_INT(cosm_tree_list(box.world, e[2], 8, list), 3);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_SAME(list[i], e[below_two[i]]);
    }
    CHECK_INT(cosm_tree_list(box.world, e[0], 9, NULL), 7);
    fixture_close(&box);
}

// What a walk by depth has shown.
struct sights {
    struct fixture *box;
    uint32_t runs;
    uint32_t rows;
    uint32_t orphans; // shown before their parents
    uint32_t depth;   // of the last row
    uint32_t world;
    bool seen[4][256];
};

static void look(cosm_rows *rows) {
    struct sights *sights = rows->context;
    sights->runs++;
    sights->depth = rows->world == sights->world ? sights->depth : 0;
    sights->world = rows->world;
    Position *position = COSM_COLUMN_WRITE(rows, Position, 0);
    CHECK(position != NULL);
    CHECK(cosm_world_is_walked(cosm_rows_world(rows, 0)));
    for (uint32_t i = 0; i < rows->count; i++) {
        cosm_world world = cosm_rows_world(rows, i);
        cosm_entity entity = rows->entities[i];
        cosm_entity parent = cosm_tree_parent(world, entity);
        uint32_t depth = cosm_tree_depth(world, entity);
        CHECK(depth >= sights->depth);
        sights->depth = depth;
        CHECK(cosm_entity_read(world, entity, sights->box->position) == (void *)&position[i]);
        if (!cosm_entity_is_none(parent) && parent.id < 256 &&
            !sights->seen[rows->world][parent.id]) {
            sights->orphans++;
        }
        if (entity.id < 256) {
            sights->seen[rows->world][entity.id] = true;
        }
        position[i].y += 1;
        sights->rows++;
    }
}

TEST(a_walk_by_depth_shows_every_row_once_and_after_its_parent) {
    struct fixture box;
    fixture_open(&box, 0, 3);
    cosm_query *query = fixture_query(&box, box.position, (cosm_component){0});
    struct dice dice = {harness_seed()};
    for (uint32_t w = 0; w < 2; w++) { // the last world has rows and no tree
        cosm_world world = fixture_world(&box, w);
        cosm_entity e[200];
        for (uint32_t i = 0; i < 200; i++) {
            e[i] = cosm_entity_spawn(world, dice_roll(&dice, 2) == 0 ? box.mover : box.stone);
        }
        for (uint32_t i = 0; i < 400; i++) {
            cosm_result result =
                cosm_tree_set_parent(world, e[dice_roll(&dice, 200)], e[dice_roll(&dice, 200)]);
            CHECK(result == COSM_OK || result == COSM_ERROR_ARGUMENT);
        }
    }
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, 2), box.mover, 30, &rows));
    for (uint32_t round = 0; round < 2; round++) {
        struct sights sights = {.box = &box};
        CHECK_DONE(cosm_tree_each(query, box.all, look, &sights));
        CHECK_INT(sights.rows, 430);
        CHECK_INT(sights.orphans, 0);
        CHECK(sights.runs < 430);
        CHECK(!cosm_world_is_walked(box.world));
    }
    const Position *position =
        cosm_entity_read(box.world, cosm_query_first(query, box.all, NULL), box.position);
    REQUIRE(position != NULL);
    CHECK_NEAR(position->y, 2, 0);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(rows_of_one_depth_that_lie_side_by_side_are_one_run) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_query *query = fixture_query(&box, box.position, (cosm_component){0});
    cosm_entity e[100];
    spawn_row(&box, e, 100);
    for (uint32_t i = 10; i < 100; i++) {
        CHECK_DONE(cosm_tree_set_parent(box.world, e[i], e[i % 10]));
    }
    struct sights sights = {.box = &box};
    CHECK_DONE(cosm_tree_each(query, box.all, look, &sights));
    CHECK_INT(sights.runs, 2);
    CHECK_INT(sights.rows, 100);
    // Without links a table is one run again.
    for (uint32_t i = 10; i < 100; i++) {
        CHECK_DONE(cosm_tree_set_parent(box.world, e[i], none));
    }
    struct sights plain = {.box = &box};
    CHECK_DONE(cosm_tree_each(query, box.all, look, &plain));
    CHECK_INT(plain.runs, 1);
    cosm_query_destroy(query);
    fixture_close(&box);
}

static void count_rows(cosm_rows *rows) {
    *(uint32_t *)rows->context += rows->count;
}

TEST(a_walk_by_depth_shows_temporary_rows_with_the_roots) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_query *query = cosm_query_create(box.engine, &(cosm_query_desc){.by_world = false});
    cosm_entity e[2];
    spawn_row(&box, e, 2);
    CHECK_DONE(cosm_tree_set_parent(box.world, e[1], e[0]));
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.event, 5, &rows));
    uint32_t count = 0;
    CHECK_DONE(cosm_tree_each(query, box.all, count_rows, &count));
    CHECK_INT(count, 7);
    CHECK_DONE(cosm_batch_end_step(box.batch));
    CHECK_DONE(cosm_table_clear(box.world, box.event));
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(wrong_arguments_of_a_walk_by_depth_are_told) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    struct fixture other;
    fixture_open(&other, 0, 1);
    cosm_query *query = fixture_query(&box, box.position, (cosm_component){0});
    uint32_t count = 0;
    CHECK_FAILS(cosm_tree_each(NULL, box.all, count_rows, &count), COSM_ERROR_ARGUMENT,
                "cosm_tree_each:", "query is NULL", "cosm_query_create");
    CHECK_FAILS(cosm_tree_each(query, box.all, NULL, &count), COSM_ERROR_ARGUMENT,
                "cosm_tree_each:", "each is NULL", "pass a function");
    CHECK_FAILS(cosm_tree_each(query, other.all, count_rows, &count), COSM_ERROR_ARGUMENT,
                "cosm_tree_each:", "another engine", "own engine");
    CHECK_FAILS(cosm_tree_each(query, (cosm_worlds){box.batch, 1, 2}, count_rows, &count),
                COSM_ERROR_ARGUMENT, "cosm_tree_each:", "2 worlds from world 1", "range");
    CHECK_DONE(cosm_tree_each(query, (cosm_worlds){box.batch, 2, 0}, count_rows, &count));
    CHECK_INT(count, 0);
    cosm_query_destroy(query);
    fixture_close(&box);
    fixture_close(&other);
}

static void change_while_walked(cosm_rows *rows) {
    struct fixture *box = rows->context;
    cosm_error_clear();
    CHECK_INT(cosm_tree_set_parent(box->world, rows->entities[0], none), COSM_ERROR_WALKED);
    CHECK_FAILURE(COSM_ERROR_WALKED, "cosm_tree_set_parent:", "being walked", "cosm_commands");
    CHECK_INT(cosm_tree_despawn(box->world, rows->entities[0]), COSM_ERROR_WALKED);
    CHECK_FAILURE(COSM_ERROR_WALKED, "cosm_tree_despawn:", "being walked", "cosm_commands");
    CHECK(cosm_entity_is_none(cosm_entity_spawn(box->world, box->mover)));
}

TEST(a_world_that_is_walked_by_depth_is_not_changed) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_query *query = fixture_query(&box, box.position, (cosm_component){0});
    cosm_entity e[2];
    spawn_row(&box, e, 2);
    CHECK_DONE(cosm_tree_set_parent(box.world, e[1], e[0]));
    CHECK_DONE(cosm_tree_each(query, box.all, change_while_walked, &box));
    CHECK_SAME(cosm_tree_parent(box.world, e[1]), e[0]);
    CHECK_DONE(cosm_tree_set_parent(box.world, e[1], none));
    cosm_query_destroy(query);
    fixture_close(&box);
}

// A chain as deep as it has entities; the parent first.
static cosm_entity *make_chain(struct fixture *box, uint32_t count) {
    cosm_rows rows;
    cosm_entity *e = malloc(count * sizeof(*e));
    CHECK_DONE(cosm_entity_spawn_many(box->world, box->mover, count, &rows));
    for (uint32_t i = 0; i < count; i++) {
        e[i] = rows.entities[i];
    }
    for (uint32_t i = 1; i < count; i++) {
        CHECK_DONE(cosm_tree_set_parent(box->world, e[i], e[i - 1]));
    }
    return e;
}

static void sum_chain(cosm_rows *rows) {
    struct fixture *box = rows->context;
    Position *position = COSM_COLUMN_WRITE(rows, Position, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        cosm_entity parent = cosm_tree_parent(box->world, rows->entities[i]);
        const Position *above = cosm_entity_read(box->world, parent, box->position);
        position[i].x = above == NULL ? 1 : above->x + 1;
    }
}

TEST(a_chain_of_a_hundred_thousand_is_walked_moved_and_despawned) {
    enum { LONG = 100000 };
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_query *query = fixture_query(&box, box.position, (cosm_component){0});
    cosm_entity *e = make_chain(&box, LONG);
    CHECK_INT(cosm_tree_depth(box.world, e[LONG - 1]), LONG - 1);
    CHECK_DONE(cosm_tree_each(query, box.all, sum_chain, &box));
    CHECK_NEAR(COSM_READ(box.world, e[LONG - 1], Position)->x, LONG, 0);
    // The upper half goes below the end of the lower one.
    CHECK_DONE(cosm_tree_set_parent(box.world, e[LONG / 2], none));
    CHECK_DONE(cosm_tree_set_parent(box.world, e[0], e[LONG - 1]));
    CHECK_INT(cosm_tree_depth(box.world, e[0]), LONG / 2);
    CHECK_DONE(cosm_tree_each(query, box.all, sum_chain, &box));
    CHECK_NEAR(COSM_READ(box.world, e[LONG / 2 - 1], Position)->x, LONG, 0);
    CHECK_INT(cosm_tree_list(box.world, e[LONG / 2], 0, NULL), LONG);
    CHECK_VALID(box.batch);
    CHECK_DONE(cosm_tree_despawn(box.world, e[LONG / 2]));
    CHECK_INT(cosm_world_entity_count(box.world), 0);
    free(e);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(the_tree_is_part_of_the_checksum_and_an_empty_one_is_not) {
    struct fixture box;
    fixture_open(&box, 0, 4);
    uint64_t plain = 0;
    for (uint32_t w = 0; w < 4; w++) {
        cosm_world world = fixture_world(&box, w);
        CHECK_DONE(cosm_world_seed(world, 1, 0));
        cosm_entity e[3];
        for (uint32_t i = 0; i < 3; i++) {
            e[i] = cosm_entity_spawn(world, box.mover);
        }
        plain = cosm_hash_world(world, COSM_HASH_EXACT);
        if (w < 2) {
            CHECK_DONE(cosm_tree_set_parent(world, e[1 + w], e[0]));
            CHECK_DONE(cosm_tree_set_parent(world, e[2 - w], e[0]));
        } else if (w == 2) {
            CHECK_DONE(cosm_tree_set_parent(world, e[1], e[0]));
            CHECK_DONE(cosm_tree_set_parent(world, e[2], e[1]));
        } else {
            CHECK_DONE(cosm_tree_set_parent(world, e[1], e[0]));
            CHECK_DONE(cosm_tree_set_parent(world, e[1], none));
        }
    }
    for (uint32_t w = 0; w < 4; w++) {
        uint64_t mine = cosm_hash_world(fixture_world(&box, w), COSM_HASH_EXACT);
        CHECK_INT(mine == plain, w == 3);
        for (uint32_t v = 0; v < w; v++) { // the order of siblings counts
            CHECK(mine != cosm_hash_world(fixture_world(&box, v), COSM_HASH_EXACT));
        }
    }
    fixture_close(&box);
}

TEST(links_cost_little_are_counted_and_given_back) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)},
                      &(cosm_batch_desc){.world_count = 100});
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 1000, &rows));
    cosm_entity first = rows.entities[0];
    cosm_entity last = rows.entities[999];
    size_t world_before = cosm_world_memory(box.world).used;
    size_t batch_before = cosm_batch_memory(box.batch).used;
    size_t others = cosm_world_memory(fixture_world(&box, 1)).used;
    CHECK_DONE(cosm_tree_set_parent(box.world, last, first));
    size_t grown = cosm_world_memory(box.world).used - world_before;
    CHECK(grown > 0 && grown < 2048); // two pages, and a list of 63
    CHECK(cosm_batch_memory(box.batch).used - batch_before < (size_t)80 << 10); // a slab at most
    CHECK_INT(cosm_world_memory(fixture_world(&box, 1)).used, others);
    CHECK_DONE(cosm_batch_trim(box.batch));
    CHECK(cosm_world_memory(box.world).used > world_before - 2048);
    CHECK_SAME(cosm_tree_parent(box.world, last), first);
    CHECK_DONE(cosm_tree_set_parent(box.world, last, none));
    CHECK_DONE(cosm_batch_trim(box.batch));
    CHECK_VALID(box.batch);
    size_t trimmed = cosm_world_memory(box.world).used;
    CHECK_DONE(cosm_tree_set_parent(box.world, last, first));
    CHECK(cosm_world_memory(box.world).used > trimmed);
    fixture_close(&box);
    ledger_close(&ledger);
}

TEST(the_ten_thousandth_episode_costs_what_the_first_did) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    size_t used = 0;
    for (uint32_t episode = 0; episode < 10000; episode++) {
        cosm_world world = fixture_world(&box, episode % 2);
        cosm_entity e[20];
        for (uint32_t i = 0; i < 20; i++) {
            e[i] = cosm_entity_spawn(world, box.mover);
            if (i > 0) {
                CHECK_DONE(cosm_tree_set_parent(world, e[i], e[i / 3]));
            }
        }
        if (episode % 3 == 0) {
            CHECK_DONE(cosm_tree_despawn(world, e[0]));
        } else {
            CHECK_DONE(cosm_world_reset(world));
        }
        used = episode == 10 ? cosm_batch_memory(box.batch).used : used;
    }
    CHECK_INT(cosm_batch_memory(box.batch).used, used);
    fixture_close(&box);
}

TEST(links_survive_the_failure_of_every_allocation) {
    for (uint64_t n = 1; n < 200; n++) {
        struct ledger ledger;
        ledger_open(&ledger);
        struct fixture box;
        fixture_open_with(&box, 0, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)},
                          NULL);
        cosm_query *query = fixture_query(&box, box.position, (cosm_component){0});
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 3000, &rows));
        uint64_t checksum = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
        ledger_refuse(&ledger, n, 1);
        cosm_result result = COSM_OK;
        for (uint32_t i = 1; i < 3000 && result == COSM_OK; i++) {
            checksum = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
            result = cosm_tree_set_parent(box.world, rows.entities[i], rows.entities[i / 2]);
            i += i > 20 ? 997 : 0;
        }
        uint32_t count = 0;
        if (result == COSM_OK) {
            checksum = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
            result = cosm_tree_each(query, box.all, count_rows, &count);
        }
        bool refused = ledger_relent(&ledger);
        CHECK_INT(result, refused ? COSM_ERROR_MEMORY : COSM_OK);
        CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), checksum);
        CHECK_INT(count, refused ? 0 : 3000);
        CHECK_VALID(box.batch);
        cosm_query_destroy(query);
        fixture_close(&box);
        ledger_close(&ledger);
        if (!refused) {
            CHECK(n > 5);
            return;
        }
    }
    CHECK(false);
}

TEST(trimming_without_memory_leaves_the_tree_as_it_was) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)}, NULL);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 3000, &rows));
    cosm_entity a = rows.entities[0];
    cosm_entity b = rows.entities[1];
    CHECK_DONE(cosm_tree_set_parent(box.world, rows.entities[2999], a));
    CHECK_DONE(cosm_tree_set_parent(box.world, rows.entities[2999], none));
    CHECK_DONE(cosm_tree_set_parent(box.world, b, a));
    size_t before = cosm_world_memory(box.world).used;
    ledger_refuse(&ledger, 1, 1000);
    CHECK_DONE(cosm_batch_trim(box.batch));
    (void)ledger_relent(&ledger);
    CHECK_SAME(cosm_tree_parent(box.world, b), a);
    CHECK_VALID(box.batch);
    CHECK_DONE(cosm_batch_trim(box.batch));
    CHECK(cosm_world_memory(box.world).used < before);
    CHECK_SAME(cosm_tree_parent(box.world, b), a);
    CHECK_DONE(cosm_tree_set_parent(box.world, b, none));
    fixture_close(&box);
    ledger_close(&ledger);
}

TEST(worlds_have_trees_of_their_own) {
    struct fixture box;
    fixture_open(&box, 0, 3);
    cosm_entity a[3];
    cosm_entity b[3];
    for (uint32_t w = 0; w < 3; w++) {
        a[w] = cosm_entity_spawn(fixture_world(&box, w), box.mover);
        b[w] = cosm_entity_spawn(fixture_world(&box, w), box.mover);
    }
    CHECK_DONE(cosm_tree_set_parent(fixture_world(&box, 0), b[0], a[0]));
    CHECK_DONE(cosm_tree_set_parent(fixture_world(&box, 1), a[1], b[1]));
    CHECK_SAME(cosm_tree_parent(fixture_world(&box, 0), b[0]), a[0]);
    CHECK_SAME(cosm_tree_parent(fixture_world(&box, 1), a[1]), b[1]);
    CHECK_SAME(cosm_tree_parent(fixture_world(&box, 2), a[2]), none);
    const uint8_t mask[] = {1, 0, 0};
    CHECK_DONE(cosm_batch_reset(box.batch, mask));
    CHECK_SAME(cosm_tree_parent(fixture_world(&box, 1), a[1]), b[1]);
    fixture_close(&box);
}
