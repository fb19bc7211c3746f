// Queries: changes of all rows that match, in bulk (cosm/query.h).
#include <stdlib.h>

#include "harness.h"
#include "support/fixture.h"

TEST(despawning_a_query_despawns_what_matches_in_the_worlds_given) {
    struct fixture box;
    fixture_open(&box, 0, 3);
    cosm_rows rows;
    for (uint32_t w = 0; w < 3; w++) {
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, w), box.mover, 5, &rows));
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, w), box.slot, 3, &rows));
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, w), box.event, 2, &rows));
    }
    cosm_query *query = fixture_query(&box, box.health, (cosm_component){0});
    CHECK_DONE(cosm_query_despawn(query, cosm_worlds_range(box.batch, 1, 2)));
    CHECK_INT(cosm_world_entity_count(box.world), 8);
    CHECK_INT(cosm_table_row_count(box.world, box.event), 2);
    for (uint32_t w = 1; w < 3; w++) {
        CHECK_INT(cosm_world_entity_count(fixture_world(&box, w)), 5);
        CHECK_INT(cosm_table_row_count(fixture_world(&box, w), box.event), 0);
    }
    CHECK_VALID(box.batch);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(spawning_as_many_again_gives_the_same_ids_to_the_same_rows) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 100, &rows));
    cosm_entity old[100];
    for (uint32_t i = 0; i < 100; i++) {
        old[i] = rows.entities[i];
    }
    cosm_query *query = fixture_query(&box, box.velocity, (cosm_component){0});
    CHECK_DONE(cosm_query_despawn(query, box.all));
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 100, &rows));
    for (uint32_t i = 0; i < 100; i++) {
        CHECK_INT(rows.entities[i].id, old[i].id);
        CHECK_INT(rows.entities[i].gen, old[i].gen + 2);
        CHECK(!cosm_entity_is_alive(box.world, old[i]));
    }
    cosm_query_destroy(query);
    fixture_close(&box);
}

// Spawns `count` movers in every world whose x tells world and number.
static void spawn_numbered(const struct fixture *box, uint32_t count) {
    for (uint32_t w = 0; w < cosm_batch_world_count(box->batch); w++) {
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(box, w), box->mover, count, &rows));
        for (uint32_t i = 0; i < count; i++) {
            COSM_WRITE(&rows, Position)[i].x = (float)(w * 1000000 + i);
        }
    }
}

// Every entity that was numbered still has its number; ids are handed out in ascending order.
static void check_numbered(const struct fixture *box, uint32_t count, cosm_component has,
                           cosm_component lacks) {
    uint32_t wrong = 0;
    for (uint32_t w = 0; w < cosm_batch_world_count(box->batch); w++) {
        cosm_world world = fixture_world(box, w);
        for (uint32_t i = 0; i < count; i++) {
            cosm_entity entity = {1, i};
            const Position *position = cosm_entity_read(world, entity, box->position);
            wrong += position == NULL || position->x != (float)(w * 1000000 + i);
            wrong += has.id != 0 && !cosm_entity_has(world, entity, has);
            wrong += lacks.id != 0 && cosm_entity_has(world, entity, lacks);
        }
    }
    CHECK_INT(wrong, 0);
    CHECK_VALID(box->batch);
}

TEST(adding_and_removing_for_a_query_keeps_every_value_in_small_and_large_tables) {
    const uint32_t counts[] = {1, 50, 30000};
    for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
        struct fixture box;
        fixture_open(&box, 0, 2);
        uint32_t count = counts[i];
        cosm_component none = {0};
        spawn_numbered(&box, count);
        cosm_query *query = fixture_query(&box, box.position, none);
        CHECK_DONE(cosm_query_add(query, box.all, box.health));
        check_numbered(&box, count, box.health, none);
        CHECK_INT(COSM_READ(box.world, ((cosm_entity){1, 0}), Health)->points, 100);
        CHECK_DONE(cosm_query_add(query, box.all, box.mark));
        check_numbered(&box, count, box.mark, none);
        CHECK_DONE(cosm_query_remove(query, box.all, box.velocity));
        check_numbered(&box, count, box.mark, box.velocity);
        CHECK_DONE(cosm_query_add(query, box.all, box.velocity));
        check_numbered(&box, count, box.velocity, none);
        const Velocity *velocity =
            cosm_entity_read(box.world, (cosm_entity){1, count - 1}, box.velocity);
        CHECK(velocity != NULL && velocity->x == 0);
        CHECK_DONE(cosm_query_remove(query, box.all, box.mark));
        check_numbered(&box, count, none, box.mark);
        cosm_query_destroy(query);
        fixture_close(&box);
    }
}

TEST(a_table_of_ranges_that_traded_its_columns_hands_out_clean_rows) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    uint32_t count = 30000;
    spawn_numbered(&box, count);
    cosm_query *query = fixture_query(&box, box.position, (cosm_component){0});
    for (int round = 0; round < 3; round++) {
        CHECK_DONE(cosm_query_set(query, box.all, box.health, &(Health){0xFFFFFFFF}));
        check_numbered(&box, count, box.health, (cosm_component){0});
        CHECK_DONE(cosm_query_remove(query, box.all, box.health));
        check_numbered(&box, count, (cosm_component){0}, box.health);
        CHECK_DONE(cosm_query_add(query, box.all, box.health));
        const Health *health = cosm_entity_read(box.world, (cosm_entity){1, 9}, box.health);
        CHECK(health != NULL && health->points == 100);
        CHECK_DONE(cosm_query_remove(query, box.all, box.health));
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 5000, &rows));
        Velocity *velocity = COSM_WRITE(&rows, Velocity);
        uint32_t dirty = 0;
        for (uint32_t i = 0; i < 5000; i++) {
            dirty += velocity[i].x != 0 || velocity[i].z != 0;
            velocity[i] = (Velocity){9, 9, 9};
        }
        CHECK_INT(dirty, 0);
        cosm_entity *entities = malloc(5000 * sizeof(*entities));
        REQUIRE(entities != NULL);
        for (uint32_t i = 0; i < 5000; i++) {
            entities[i] = rows.entities[i];
        }
        CHECK_DONE(cosm_entity_despawn_many(box.world, entities, 5000));
        free(entities);
    }
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(columns_are_traded_with_a_table_that_has_been_larger) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component none = {0};
    cosm_query *query = fixture_query(&box, box.position, none);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 90000, &rows));
    CHECK_DONE(cosm_query_add(query, box.all, box.health));
    CHECK_DONE(cosm_query_set(query, box.all, box.velocity, &(Velocity){7, 7, 7}));
    CHECK_DONE(cosm_world_reset(box.world));
    CHECK_DONE(cosm_batch_trim(box.batch));
    CHECK_DONE(cosm_world_reserve(box.world, box.mover, 80000));
    cosm_archetype hurt = cosm_archetype_define(
        box.engine, &(cosm_archetype_desc){.components = {box.position, box.velocity, box.health}});
    CHECK_DONE(cosm_world_reserve(box.world, hurt, 25000));
    CHECK_DONE(cosm_entity_spawn_many(box.world, hurt, 25000, &rows));
    for (uint32_t i = 0; i < 25000; i++) {
        COSM_WRITE(&rows, Position)[i].x = (float)i;
    }
    CHECK_DONE(cosm_query_remove(query, box.all, box.health));
    CHECK_VALID(box.batch);
    CHECK_INT(cosm_table_row_count(box.world, box.mover), 25000);
    const Position *position = cosm_table_column(box.world, box.mover, box.position);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < 25000; i++) {
        wrong += position[i].x != (float)i;
    }
    CHECK_INT(wrong, 0);
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 55000, &rows));
    CHECK_VALID(box.batch);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(setting_for_a_query_writes_one_value_everywhere) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    spawn_numbered(&box, 20);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.slot, 3, &rows));
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.event, 3, &rows));
    cosm_query *places = fixture_query(&box, box.position, (cosm_component){0});
    CHECK_DONE(cosm_query_set(places, box.all, box.health, &(Health){4}));
    CHECK_DONE(cosm_query_set(places, box.all, box.mark, NULL));
    cosm_query *query = fixture_query(&box, box.health, box.position);
    uint32_t seen = 0;
    cosm_query_walk(query, box.all, &rows);
    while (cosm_rows_next(&rows)) {
        for (uint32_t i = 0; i < rows.count; i++) {
            CHECK_INT(COSM_COLUMN_READ(&rows, Health, 0)[i].points, 4);
            seen++;
        }
    }
    CHECK_INT(seen, 43);
    check_numbered(&box, 20, box.mark, (cosm_component){0});
    cosm_query_destroy(places);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(rows_of_several_tables_meet_in_one) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component none = {0};
    spawn_numbered(&box, 30);
    for (uint32_t i = 0; i < 30; i++) {
        cosm_entity entity = {1, i};
        if (i % 3 == 0) {
            CHECK_DONE(cosm_entity_add(box.world, entity, box.health));
        }
        if (i % 5 == 0) {
            CHECK_DONE(cosm_entity_add(box.world, entity, box.mark));
        }
    }
    cosm_component kit = cosm_bundle_define(
        box.engine, &(cosm_bundle_desc){.name = "kit", .components = {box.health, box.mark}});
    cosm_query *query = fixture_query(&box, box.velocity, none);
    CHECK_DONE(cosm_query_add(query, box.all, kit));
    check_numbered(&box, 30, kit, none);
    CHECK_INT(
        cosm_table_row_count(box.world, cosm_entity_archetype(box.world, (cosm_entity){1, 7})), 30);
    CHECK_DONE(cosm_query_remove(query, box.all, kit));
    check_numbered(&box, 30, none, box.health);
    CHECK_INT(cosm_table_row_count(box.world, box.mover), 30);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(a_bulk_change_that_does_not_fit_changes_nothing) {
    struct fixture box;
    fixture_open(&box, 0, 3);
    cosm_archetype place =
        cosm_archetype_define(box.engine, &(cosm_archetype_desc){.components = {box.position}});
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, 0), place, 4, &rows));
    CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, 2), place, 3, &rows));
    CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, 2), box.slot, 2, &rows));
    cosm_query *query = fixture_query(&box, box.position, (cosm_component){0});
    uint64_t checksum = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    CHECK_FAILS(cosm_query_add(query, box.all, box.health), COSM_ERROR_FULL,
                "cosm_query_add:", "no room in world 2", "despawn some");
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), checksum);
    CHECK_DONE(cosm_query_add(query, cosm_worlds_range(box.batch, 0, 2), box.health));
    CHECK_INT(cosm_table_row_count(box.world, box.slot), 4);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(sealed_and_temporary_rows_that_match_refuse_the_whole_change) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 2, &rows));
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.stone, 2, &rows));
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.event, 2, &rows));
    uint64_t checksum = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    cosm_query *places = fixture_query(&box, box.position, (cosm_component){0});
    CHECK_FAILS(cosm_query_add(places, box.all, box.health), COSM_ERROR_SEALED,
                "cosm_query_add:", "'stone' is sealed", "define it without");
    cosm_query *healths = fixture_query(&box, box.health, (cosm_component){0});
    CHECK_FAILS(cosm_query_add(healths, box.all, box.mark), COSM_ERROR_ARGUMENT,
                "cosm_query_add:", "'event' is temporary", "COSM_TERM_WITHOUT");
    CHECK_FAILS(cosm_query_remove(healths, box.all, box.health), COSM_ERROR_ARGUMENT,
                "cosm_query_remove:", "'event' is temporary", "COSM_TERM_WITHOUT");
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), checksum);
    CHECK_DONE(cosm_query_set(healths, box.all, box.health, &(Health){2}));
    CHECK_INT(((Health *)cosm_table_column(box.world, box.event, box.health))[1].points, 2);
    cosm_query_destroy(places);
    cosm_query_destroy(healths);
    fixture_close(&box);
}

TEST(a_bulk_change_of_a_walked_world_is_refused) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    spawn_numbered(&box, 3);
    cosm_query *query = fixture_query(&box, box.position, (cosm_component){0});
    cosm_rows rows;
    cosm_query_walk(query, cosm_worlds_one(fixture_world(&box, 1)), &rows);
    CHECK_FAILS(cosm_query_despawn(query, box.all), COSM_ERROR_WALKED,
                "cosm_query_despawn:", "world 1", "cosm_rows_end");
    CHECK_FAILS(cosm_query_add(query, box.all, box.mark), COSM_ERROR_WALKED,
                "cosm_query_add:", "world 1", "cosm_rows_end");
    CHECK_FAILS(cosm_query_remove(query, box.all, box.velocity), COSM_ERROR_WALKED,
                "cosm_query_remove:", "world 1", "cosm_rows_end");
    CHECK_FAILS(cosm_query_set(query, box.all, box.mark, NULL), COSM_ERROR_WALKED,
                "cosm_query_set:", "world 1", "cosm_rows_end");
    CHECK_DONE(cosm_query_despawn(query, cosm_worlds_one(box.world)));
    cosm_rows_end(&rows);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(a_bulk_change_with_wrong_arguments_is_refused) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    spawn_numbered(&box, 1);
    cosm_query *query = fixture_query(&box, box.position, (cosm_component){0});
    cosm_component kit = cosm_bundle_define(
        box.engine, &(cosm_bundle_desc){.name = "kit", .components = {box.health, box.mark}});
    CHECK_FAILS(cosm_query_despawn(NULL, box.all), COSM_ERROR_ARGUMENT,
                "cosm_query_despawn:", "query is NULL", "cosm_query_create");
    CHECK_FAILS(cosm_query_add(query, (cosm_worlds){box.batch, 1, 1}, box.mark),
                COSM_ERROR_ARGUMENT, "cosm_query_add:", "1 worlds from world 1", "the batch has 1");
    CHECK_FAILS(cosm_query_add(query, box.all, (cosm_component){999}), COSM_ERROR_ARGUMENT,
                "cosm_query_add:", "component 999", "cosm_component_define");
    CHECK_FAILS(cosm_query_remove(query, box.all, (cosm_component){999}), COSM_ERROR_ARGUMENT,
                "cosm_query_remove:", "component 999", "cosm_component_define");
    CHECK_FAILS(cosm_query_set(query, box.all, box.health, NULL), COSM_ERROR_ARGUMENT,
                "cosm_query_set:", "'Health' is NULL", "4 bytes");
    CHECK_FAILS(cosm_query_set(query, box.all, kit, ""), COSM_ERROR_ARGUMENT,
                "cosm_query_set:", "'kit' is a bundle", "name one of its components");
    CHECK_FAILS(cosm_query_set(NULL, box.all, box.health, ""), COSM_ERROR_ARGUMENT,
                "cosm_query_set:", "query is NULL", "cosm_query_create");
    cosm_query_destroy(query);
    fixture_close(&box);
}

// Each set of tags with and without the mark: all but one table have another to go to, and a table
// that rows come to has rows of its own.
TEST(hundreds_of_tables_change_in_one_call_and_rows_that_meet_share_a_table) {
    enum { TAGS = 8, SETS = 1 << TAGS };
    struct fixture box;
    fixture_open(&box, 0, 2);
    cosm_component tags[TAGS];
    for (uint32_t t = 0; t < TAGS; t++) {
        char name[8] = {'t', (char)('0' + t), '\0'};
        tags[t] = cosm_component_define(box.engine, &(cosm_component_desc){.name = name});
    }
    cosm_entity entities[2 * SETS];
    for (uint32_t i = 0; i < 2 * SETS; i++) {
        entities[i] = fixture_spawn(&box, (float)i);
        for (uint32_t t = 0; t < TAGS; t++) {
            if ((i >> t & 1) != 0) {
                CHECK_DONE(cosm_entity_add(box.world, entities[i], tags[t]));
            }
        }
        if (i >= SETS) {
            CHECK_DONE(cosm_entity_add(box.world, entities[i], box.mark));
        }
    }
    cosm_query *query =
        cosm_query_create(box.engine, &(cosm_query_desc){.terms = {{.component = box.position}}});
    for (uint32_t turn = 0; turn < 4; turn++) {
        bool is_add = turn % 2 == 0;
        CHECK_DONE(is_add ? cosm_query_add(query, box.all, box.mark)
                          : cosm_query_remove(query, box.all, box.mark));
        CHECK_VALID(box.batch);
        for (uint32_t i = 0; i < 2 * SETS; i++) {
            CHECK_INT(cosm_entity_has(box.world, entities[i], box.mark), is_add);
            const Position *position = cosm_entity_read(box.world, entities[i], box.position);
            CHECK(position != NULL && position->x == (float)i);
            CHECK_INT(cosm_entity_archetype(box.world, entities[i]).id,
                      cosm_entity_archetype(box.world, entities[i ^ SETS]).id);
        }
    }
    cosm_query_destroy(query);
    fixture_close(&box);
}
