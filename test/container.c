// Sectors: the promises of cosm/container.h, in plain containers. Concurrent ones:
// container_reader.c.
#include "harness.h"
#include "support/fixture.h"
#include "support/ledger.h"
#include "support/thing.h"

#include <cosm/container.h>
#include <stdlib.h>
#include <string.h>

enum { POSITION, HEALTH, MARK };

static cosm_container *open_with(const cosm_container_desc *extra) {
    static const Health full = {100};
    static const cosm_container_member members[] = {
        {.name = "Position", .size = sizeof(Position)},
        {.name = "Health", .size = sizeof(Health), .default_value = &full},
        {.name = "Mark"},
    };
    cosm_container_desc desc = extra == NULL ? (cosm_container_desc){0} : *extra;
    desc.members = members;
    desc.member_count = 3;
    return cosm_container_create(&desc);
}

static cosm_container *open_small(void) {
    return open_with(&(cosm_container_desc){.chunk_sectors = 4});
}

static cosm_entity entity_of(uint32_t id) {
    return (cosm_entity){1, id};
}

static void put(cosm_container *sectors, uint32_t id, float x) {
    CHECK(cosm_container_add(sectors, entity_of(id), POSITION, &(Position){x, 0, 0}) != NULL);
}

static float x_of(cosm_container *sectors, uint32_t id) {
    const Position *position = COSM_CONTAINER_READ(sectors, entity_of(id), Position, POSITION);
    return position == NULL ? -1 : position->x;
}

static void shut(cosm_container *sectors) {
    CHECK_DONE(cosm_container_validate(sectors));
    CHECK_DONE(cosm_container_destroy(sectors));
}

TEST(what_was_added_is_read_back_and_only_that_is_there) {
    cosm_container *sectors = open_small();
    REQUIRE(sectors != NULL);
    cosm_entity entity = entity_of(3);
    cosm_error_clear();
    CHECK(cosm_container_read(sectors, entity, POSITION) == NULL);
    CHECK(!cosm_container_has(sectors, entity, POSITION));
    put(sectors, 3, 7);
    CHECK_NEAR(x_of(sectors, 3), 7, 0);
    CHECK(cosm_container_has(sectors, entity, POSITION));
    CHECK(!cosm_container_has(sectors, entity, HEALTH));
    CHECK(cosm_container_read(sectors, entity, HEALTH) == NULL);
    CHECK_INT(cosm_container_live(sectors, entity), 1);
    CHECK_INT(cosm_container_live(sectors, entity_of(2)), 0);
    CHECK(cosm_container_find(sectors, entity_of(2)) == NULL);
    CHECK(cosm_container_find(sectors, entity_of(100000)) == NULL);
    CHECK_INT(cosm_container_describe(sectors).count, 1);
    CHECK_SILENT();
    shut(sectors);
}

TEST(a_new_member_has_its_default_value_and_one_that_is_there_stays) {
    cosm_container *sectors = open_small();
    REQUIRE(sectors != NULL);
    Health *health = cosm_container_add(sectors, entity_of(1), HEALTH, NULL);
    REQUIRE(health != NULL);
    CHECK_INT(health->points, 100);
    health->points = 5;
    CHECK(cosm_container_add(sectors, entity_of(1), HEALTH, NULL) == health);
    CHECK_INT(health->points, 5);
    CHECK(cosm_container_add(sectors, entity_of(1), HEALTH, &(Health){6}) == health);
    CHECK_INT(health->points, 6);
    // A place that is used again shows nothing of what was there.
    CHECK_DONE(cosm_container_erase(sectors, entity_of(1)));
    health = cosm_container_add(sectors, entity_of(9), HEALTH, NULL);
    REQUIRE(health != NULL);
    CHECK_INT(health->points, 100);
    const Position *position = cosm_container_add(sectors, entity_of(9), POSITION, NULL);
    REQUIRE(position != NULL);
    CHECK_NEAR(position->x, 0, 0);
    shut(sectors);
}

TEST(a_member_of_no_bytes_is_a_bit_with_an_address) {
    cosm_container *sectors = open_small();
    REQUIRE(sectors != NULL);
    CHECK(cosm_container_add(sectors, entity_of(1), MARK, NULL) != NULL);
    CHECK(cosm_container_has(sectors, entity_of(1), MARK));
    CHECK_INT(cosm_container_describe(sectors).count, 1);
    CHECK_INT(cosm_container_remove(sectors, entity_of(1), MARK), COSM_OK);
    CHECK(!cosm_container_has(sectors, entity_of(1), MARK));
    CHECK_INT(cosm_container_describe(sectors).count, 0);
    shut(sectors);
}

TEST(removing_the_last_member_ends_the_record) {
    cosm_container *sectors = open_small();
    REQUIRE(sectors != NULL);
    put(sectors, 1, 1);
    CHECK(cosm_container_add(sectors, entity_of(1), HEALTH, NULL) != NULL);
    CHECK_INT(cosm_container_remove(sectors, entity_of(1), HEALTH), COSM_OK);
    CHECK_INT(cosm_container_describe(sectors).count, 1);
    CHECK_INT(cosm_container_remove(sectors, entity_of(1), HEALTH), COSM_STALE);
    CHECK_INT(cosm_container_remove(sectors, entity_of(1), POSITION), COSM_OK);
    CHECK_INT(cosm_container_describe(sectors).count, 0);
    CHECK_INT(cosm_container_describe(sectors).dead_count, 1);
    CHECK_INT(cosm_container_erase(sectors, entity_of(1)), COSM_STALE);
    CHECK_INT(cosm_container_erase(sectors, COSM_ENTITY_NONE), COSM_STALE);
    shut(sectors);
}

TEST(another_generation_is_absent_and_a_newer_one_ends_the_older) {
    cosm_container *sectors = open_small();
    REQUIRE(sectors != NULL);
    cosm_entity old = {5, 2}, new = {7, 2}, stale = {3, 2};
    CHECK(cosm_container_add(sectors, old, POSITION, NULL) != NULL);
    CHECK(cosm_container_add(sectors, old, HEALTH, NULL) != NULL);
    CHECK_INT(cosm_container_live(sectors, new), 0);
    cosm_error_clear();
    CHECK(cosm_container_add(sectors, stale, HEALTH, NULL) == NULL);
    CHECK_SILENT();
    CHECK_INT(cosm_container_erase(sectors, stale), COSM_STALE);
    CHECK_INT(cosm_container_remove(sectors, new, HEALTH), COSM_STALE);
    CHECK(cosm_container_add(sectors, new, HEALTH, &(Health){1}) != NULL);
    CHECK_INT(cosm_container_live(sectors, old), 0);
    CHECK_INT(cosm_container_live(sectors, new), COSM_CONTAINER_BIT(HEALTH));
    CHECK_INT(cosm_container_describe(sectors).count, 1);
    CHECK_DONE(cosm_container_validate(sectors));
    // Once it is gone, the id is free for any generation.
    CHECK_DONE(cosm_container_erase(sectors, new));
    CHECK(cosm_container_add(sectors, old, MARK, NULL) != NULL);
    CHECK_INT(cosm_container_live(sectors, old), COSM_CONTAINER_BIT(MARK));
    shut(sectors);
}

TEST(addresses_hold_while_others_come_and_go) {
    cosm_container *sectors = open_small();
    REQUIRE(sectors != NULL);
    put(sectors, 0, 1);
    const void *first = cosm_container_read(sectors, entity_of(0), POSITION);
    for (uint32_t id = 1; id < 1000; id++) {
        put(sectors, id, (float)id);
    }
    for (uint32_t id = 1; id < 1000; id += 2) {
        CHECK_DONE(cosm_container_erase(sectors, entity_of(id)));
    }
    CHECK(cosm_container_read(sectors, entity_of(0), POSITION) == first);
    CHECK_NEAR(x_of(sectors, 998), 998, 0);
    shut(sectors);
}

TEST(holes_are_filled_from_the_lowest_place_up) {
    cosm_container *sectors = open_small();
    REQUIRE(sectors != NULL);
    for (uint32_t id = 0; id < 300; id++) {
        put(sectors, id, 0);
    }
    const void *low = cosm_container_find(sectors, entity_of(17));
    const void *high = cosm_container_find(sectors, entity_of(299));
    CHECK_DONE(cosm_container_erase(sectors, entity_of(299)));
    CHECK_DONE(cosm_container_erase(sectors, entity_of(17)));
    put(sectors, 1000, 0);
    put(sectors, 1001, 0);
    CHECK(cosm_container_find(sectors, entity_of(1000)) == low);
    CHECK(cosm_container_find(sectors, entity_of(1001)) == high);
    shut(sectors);
}

TEST(maintain_packs_and_moves_only_what_lies_past_the_end) {
    cosm_container *sectors = open_small();
    REQUIRE(sectors != NULL);
    for (uint32_t id = 0; id < 100; id++) {
        put(sectors, id, (float)id);
    }
    for (uint32_t id = 0; id < 100; id++) {
        if (id % 4 != 0) {
            CHECK_DONE(cosm_container_erase(sectors, entity_of(id)));
        }
    }
    CHECK_INT(cosm_container_describe(sectors).dead_count, 75);
    CHECK_NEAR(cosm_container_describe(sectors).fragmentation, 0.75, 0);
    const void *stays = cosm_container_find(sectors, entity_of(24));
    cosm_container_report report;
    CHECK_DONE(cosm_container_maintain(sectors, NULL, &report));
    // 25 live; those at places 0, 4, .. 24 stay, 18 lie past place 25.
    CHECK_INT(report.moved, 18);
    CHECK_INT(report.reclaimed, 75);
    CHECK_INT(report.chunks_freed, 25 - 7);
    CHECK_INT(report.left, 0);
    CHECK(cosm_container_find(sectors, entity_of(24)) == stays);
    CHECK_NEAR(cosm_container_describe(sectors).fragmentation, 0, 0);
    CHECK_INT(cosm_container_describe(sectors).chunk_count, 7);
    for (uint32_t id = 0; id < 100; id += 4) {
        CHECK_NEAR(x_of(sectors, id), (float)id, 0);
    }
    shut(sectors);
}

TEST(maintain_leaves_records_alone_below_the_threshold) {
    cosm_container *sectors =
        open_with(&(cosm_container_desc){.chunk_sectors = 4, .threshold = 0.5f});
    REQUIRE(sectors != NULL);
    for (uint32_t id = 0; id < 8; id++) {
        put(sectors, id, 0);
    }
    for (uint32_t id = 1; id < 4; id++) {
        CHECK_DONE(cosm_container_erase(sectors, entity_of(id)));
    }
    cosm_container_report report;
    CHECK_DONE(cosm_container_maintain(sectors, NULL, &report));
    CHECK_INT(report.moved, 0);
    CHECK_INT(report.left, 3);
    CHECK_DONE(cosm_container_erase(sectors, entity_of(4)));
    CHECK_DONE(cosm_container_maintain(sectors, NULL, &report));
    CHECK_INT(report.moved, 3);
    CHECK_INT(report.left, 0);
    shut(sectors);
}

TEST(maintain_stops_at_its_budget_and_goes_on_with_the_next_call) {
    cosm_container *sectors = open_small();
    REQUIRE(sectors != NULL);
    for (uint32_t id = 0; id < 100; id++) {
        put(sectors, id, (float)id);
    }
    for (uint32_t id = 0; id < 50; id++) {
        CHECK_DONE(cosm_container_erase(sectors, entity_of(id)));
    }
    cosm_container_report report;
    uint32_t moved = 0;
    for (uint32_t i = 0; i < 5; i++) {
        CHECK_DONE(
            cosm_container_maintain(sectors, &(cosm_container_budget){.move_max = 10}, &report));
        CHECK_INT(report.moved, 10);
        moved += report.moved;
        CHECK_INT(report.left, 50 - moved);
        CHECK_DONE(cosm_container_validate(sectors));
    }
    CHECK_DONE(cosm_container_maintain(sectors, NULL, &report));
    CHECK_INT(report.moved, 0);
    // With hardly any time it still gets somewhere, and ends in the end.
    for (uint32_t id = 50; id < 75; id++) {
        CHECK_DONE(cosm_container_erase(sectors, entity_of(id)));
    }
    do {
        CHECK_DONE(
            cosm_container_maintain(sectors, &(cosm_container_budget){.ns_max = 1}, &report));
    } while (report.left != 0);
    for (uint32_t id = 75; id < 100; id++) {
        CHECK_NEAR(x_of(sectors, id), (float)id, 0);
    }
    shut(sectors);
}

TEST(memory_is_flat_under_churn_in_any_order) {
    cosm_container *sectors = open_with(NULL);
    REQUIRE(sectors != NULL);
    const uint32_t count = 5000;
    struct dice dice = {harness_seed()};
    size_t used = 0;
    uint32_t oldest = 0, newest = 0;
    while (newest < count) {
        put(sectors, newest++, 0);
    }
    for (uint32_t round = 0; round < 12; round++) {
        for (uint32_t i = 0; i < count; i++) {
            // Descending, then random, then first in first out, with ids that never come again.
            uint32_t id = round % 3 == 0 ? newest - 1 - i : oldest + i;
            CHECK_DONE(cosm_container_erase(sectors, entity_of(id)));
            if (round % 3 == 2) {
                put(sectors, newest + i, 0);
            }
        }
        if (round % 3 != 2) {
            uint32_t start = dice_roll(&dice, count);
            for (uint32_t i = 0; i < count; i++) {
                put(sectors, newest + (start + i * 7) % count, 0);
            }
        }
        oldest = newest;
        newest += count;
        CHECK_INT(cosm_container_describe(sectors).count, count);
        CHECK(cosm_container_describe(sectors).dead_count <= 1);
        CHECK_DONE(cosm_container_validate(sectors));
        if (round == 2) {
            used = cosm_container_describe(sectors).memory.used;
        }
    }
    // The pages of old ids are given back; the list of pages grows by 8 bytes for 4096 ids.
    CHECK(cosm_container_describe(sectors).memory.used <= used + 32768);
    shut(sectors);
}

TEST(clear_ends_all_and_keeps_the_memory_and_reserve_keeps_maintain_from_freeing) {
    cosm_container *sectors = open_small();
    REQUIRE(sectors != NULL);
    CHECK_DONE(cosm_container_reserve(sectors, 10));
    CHECK_INT(cosm_container_describe(sectors).chunk_count, 3);
    for (uint32_t id = 0; id < 20; id++) {
        put(sectors, id, 0);
    }
    CHECK_DONE(cosm_container_clear(sectors));
    CHECK_INT(cosm_container_describe(sectors).count, 0);
    CHECK_INT(cosm_container_describe(sectors).dead_count, 0);
    CHECK_INT(cosm_container_describe(sectors).chunk_count, 5);
    CHECK_INT(cosm_container_live(sectors, entity_of(3)), 0);
    CHECK_DONE(cosm_container_maintain(sectors, NULL, NULL));
    CHECK_INT(cosm_container_describe(sectors).chunk_count, 3);
    CHECK_DONE(cosm_container_reserve(sectors, 0));
    CHECK_DONE(cosm_container_maintain(sectors, NULL, NULL));
    CHECK_INT(cosm_container_describe(sectors).chunk_count, 0);
    put(sectors, 1, 1);
    shut(sectors);
}

TEST(a_walk_visits_each_record_that_has_the_members_once) {
    cosm_container *sectors = open_small();
    REQUIRE(sectors != NULL);
    for (uint32_t id = 0; id < 50; id++) {
        put(sectors, id, (float)id);
        if (id % 3 == 0) {
            CHECK(cosm_container_add(sectors, entity_of(id), HEALTH, NULL) != NULL);
        }
        if (id % 2 == 0) {
            CHECK(cosm_container_add(sectors, entity_of(id), MARK, NULL) != NULL);
        }
    }
    CHECK_DONE(cosm_container_erase(sectors, entity_of(6)));
    const struct {
        uint64_t with, without;
        uint32_t count;
    } cases[] = {
        {0, 0, 49},
        {COSM_CONTAINER_BIT(HEALTH), 0, 16},
        {COSM_CONTAINER_BIT(HEALTH) | COSM_CONTAINER_BIT(MARK), 0, 8},
        {COSM_CONTAINER_BIT(HEALTH), COSM_CONTAINER_BIT(MARK), 8},
        {0, COSM_CONTAINER_BIT(MARK), 25},
        {COSM_CONTAINER_BIT(POSITION), COSM_CONTAINER_BIT(HEALTH) | COSM_CONTAINER_BIT(MARK), 17},
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool seen[50] = {false};
        uint32_t count = 0;
        cosm_container_walk walk;
        cosm_container_walk_desc desc = {.with = cases[i].with, .without = cases[i].without};
        for (cosm_sector *sector = cosm_container_walk_begin(sectors, &desc, &walk); sector != NULL;
             sector = cosm_container_walk_next(&walk, sector)) {
            CHECK(!seen[sector->entity.id]);
            seen[sector->entity.id] = true;
            CHECK((sector->live & cases[i].with) == cases[i].with);
            CHECK((sector->live & cases[i].without) == 0);
            count++;
        }
        CHECK_INT(count, cases[i].count);
        // By runs, and by runs in the order of ids, the same ones.
        const cosm_container_range all = {0, 1000};
        for (uint32_t by_id = 0; by_id < 2; by_id++) {
            desc.ranges = by_id != 0 ? &all : NULL;
            desc.range_count = by_id;
            for (cosm_sector *first = cosm_container_walk_begin(sectors, &desc, &walk);
                 first != NULL; first = cosm_container_walk_turn(&walk)) {
                const cosm_container_run run = cosm_container_walk_run(&walk);
                for (cosm_sector *sector = first; sector != NULL;
                     sector = cosm_container_run_next(&run, sector)) {
                    CHECK(seen[sector->entity.id]);
                    count--;
                }
            }
            CHECK_INT(count, 0);
            count = cases[i].count;
        }
    }
    CHECK_DONE(cosm_container_maintain(sectors, NULL, NULL)); // all walks have ended
    shut(sectors);
}

TEST(a_walk_by_id_goes_up_through_its_ranges) {
    cosm_container *sectors = open_small();
    REQUIRE(sectors != NULL);
    struct dice dice = {harness_seed()};
    bool has[30000] = {false};
    for (uint32_t i = 0; i < 3000; i++) {
        uint32_t id = dice_roll(&dice, 30000);
        has[id] = true;
        put(sectors, id, 0);
    }
    const cosm_container_range ranges[] = {{0, 1}, {5, 0}, {10, 5000}, {20000, 60000}};
    cosm_container_walk walk;
    cosm_container_walk_desc desc = {.ranges = ranges, .range_count = 4};
    uint32_t next = 0;
    for (cosm_sector *sector = cosm_container_walk_begin(sectors, &desc, &walk); sector != NULL;
         sector = cosm_container_walk_next(&walk, sector)) {
        uint32_t id = sector->entity.id;
        for (; next < id; next++) {
            CHECK(!has[next] || (next > 0 && next < 10) || (next >= 5010 && next < 20000));
        }
        CHECK_INT(next, id);
        CHECK(has[id]);
        next = id + 1;
    }
    for (; next < 30000; next++) {
        CHECK(!has[next]);
    }
    // No range is no record.
    desc.range_count = 0;
    CHECK(cosm_container_walk_begin(sectors, &desc, &walk) == NULL);
    shut(sectors);
}

TEST(records_may_be_erased_removed_and_added_during_a_walk) {
    for (uint32_t by_id = 0; by_id < 2; by_id++) {
        cosm_container *sectors = open_small();
        REQUIRE(sectors != NULL);
        for (uint32_t id = 0; id < 40; id++) {
            put(sectors, id, 0);
        }
        const cosm_container_range all = {0, 1000000};
        cosm_container_walk_desc desc = {.ranges = by_id != 0 ? &all : NULL, .range_count = by_id};
        cosm_container_walk walk;
        uint32_t count = 0;
        for (cosm_sector *sector = cosm_container_walk_begin(sectors, &desc, &walk); sector != NULL;
             sector = cosm_container_walk_next(&walk, sector)) {
            uint32_t id = sector->entity.id;
            CHECK(id < 40);
            count++;
            CHECK_DONE(cosm_container_erase(sectors, sector->entity));
            if (id % 2 == 0) {
                CHECK_DONE(cosm_container_erase(sectors, entity_of(id + 1))); // the next one
            }
        }
        CHECK_INT(count, 20);
        CHECK_INT(cosm_container_describe(sectors).count, 0);
        shut(sectors);
    }
}

TEST(a_walk_in_which_every_turn_adds_a_record_ends) {
    cosm_container *sectors = open_small();
    REQUIRE(sectors != NULL);
    for (uint32_t id = 0; id < 10; id++) {
        put(sectors, id, 0);
    }
    cosm_container_walk walk;
    uint32_t count = 0;
    for (cosm_sector *sector = cosm_container_walk_begin(sectors, NULL, &walk); sector != NULL;
         sector = cosm_container_walk_next(&walk, sector)) {
        put(sectors, 1000 + count++, 0);
    }
    CHECK_INT(count, 10);
    CHECK_INT(cosm_container_describe(sectors).count, 20);
    shut(sectors);
}

TEST(what_would_break_a_walk_is_refused) {
    cosm_container *sectors = open_small();
    REQUIRE(sectors != NULL);
    put(sectors, 1, 0);
    cosm_container_walk walk;
    CHECK(cosm_container_walk_begin(sectors, NULL, &walk) != NULL);
    CHECK_FAILS(cosm_container_maintain(sectors, NULL, NULL), COSM_ERROR_WALKED,
                "cosm_container_maintain", "1 open walks", "cosm_container_walk_end");
    CHECK_FAILS(cosm_container_clear(sectors), COSM_ERROR_WALKED, "cosm_container_clear",
                "open walks", "after the walks");
    CHECK_FAILS(cosm_container_destroy(sectors), COSM_ERROR_WALKED, "cosm_container_destroy",
                "open walks", "after the walks");
    cosm_container_walk_end(&walk);
    cosm_container_walk_end(&walk);
    cosm_container_walk_end(NULL);
    CHECK(cosm_container_walk_turn(&walk) == NULL);
    CHECK_DONE(cosm_container_maintain(sectors, NULL, NULL));
    shut(sectors);
}

TEST(a_view_shows_foreign_members_and_null_where_they_are_absent) {
    cosm_container *main = open_small();
    cosm_container *other = open_small();
    REQUIRE(main != NULL && other != NULL);
    for (uint32_t id = 0; id < 60; id++) {
        put(main, id, 0);
        if (id % 2 == 0) {
            CHECK(cosm_container_add(main, entity_of(id), HEALTH, &(Health){id}) != NULL);
        }
        if (id % 3 == 0) {
            put(other, id, (float)id);
        }
        if (id % 5 == 0) {
            CHECK(cosm_container_add(other, entity_of(id), MARK, NULL) != NULL);
        }
    }
    // The same id in another generation is another entity.
    CHECK(cosm_container_add(other, (cosm_entity){3, 3}, POSITION, NULL) != NULL);
    cosm_container_walk_desc desc = {.foreign = {{other, POSITION}, {main, HEALTH}, {other, MARK}}};
    cosm_container_walk walk;
    uint32_t count = 0;
    for (cosm_sector *sector = cosm_container_walk_begin(main, &desc, &walk); sector != NULL;
         sector = cosm_container_walk_next(&walk, sector)) {
        uint32_t id = sector->entity.id;
        const Position *position = COSM_CONTAINER_FOREIGN(&walk, sector, Position, 0);
        const Health *health = COSM_CONTAINER_FOREIGN(&walk, sector, Health, 1);
        CHECK_INT(position != NULL, id % 3 == 0 && id != 3);
        CHECK(position == NULL || (uint32_t)position->x == id);
        CHECK_INT(health != NULL, id % 2 == 0);
        CHECK(health == NULL || health->points == id);
        CHECK_INT(cosm_container_walk_foreign(&walk, sector, 2) != NULL, id % 5 == 0);
        CHECK(cosm_container_walk_foreign(&walk, sector, 7) == NULL);
        count++;
    }
    CHECK_INT(count, 60);
    shut(main);
    shut(other);
}

TEST(adding_and_removing_many_does_what_one_by_one_does) {
    cosm_container *many = open_small();
    cosm_container *one = open_small();
    REQUIRE(many != NULL && one != NULL);
    struct dice dice = {harness_seed()};
    cosm_entity entities[100];
    Health values[100];
    for (uint32_t round = 0; round < 200; round++) {
        uint32_t count = dice_roll(&dice, 101);
        for (uint32_t i = 0; i < count; i++) {
            entities[i] = (cosm_entity){1 + 2 * dice_roll(&dice, 3), dice_roll(&dice, 200)};
            values[i] = (Health){dice_roll(&dice, 1000)};
        }
        bool has_values = dice_roll(&dice, 4) != 0;
        uint32_t member = dice_roll(&dice, 8) == 0 ? MARK : HEALTH;
        if (dice_roll(&dice, 2) == 0) {
            CHECK_DONE(
                cosm_container_add_many(many, entities, count, member, has_values ? values : NULL));
            for (uint32_t i = 0; i < count; i++) {
                (void)cosm_container_add(one, entities[i], member, has_values ? &values[i] : NULL);
            }
        } else {
            CHECK_DONE(cosm_container_remove_many(many, entities, count, member));
            for (uint32_t i = 0; i < count; i++) {
                cosm_result result = cosm_container_remove(one, entities[i], member);
                CHECK(result == COSM_OK || result == COSM_STALE);
            }
        }
        CHECK_DONE(cosm_container_validate(many));
        CHECK_INT(cosm_container_describe(many).count, cosm_container_describe(one).count);
        for (uint32_t id = 0; id < 200; id++) {
            for (uint32_t gen = 1; gen < 7; gen += 2) {
                cosm_entity entity = {gen, id};
                CHECK_INT(cosm_container_live(many, entity), cosm_container_live(one, entity));
                const Health *a = cosm_container_read(many, entity, HEALTH);
                const Health *b = cosm_container_read(one, entity, HEALTH);
                CHECK(a == NULL || (b != NULL && a->points == b->points));
            }
        }
    }
    shut(many);
    shut(one);
}

TEST(wrong_arguments_are_told_and_change_nothing) {
    cosm_container *sectors = open_small();
    REQUIRE(sectors != NULL);
    put(sectors, 1, 1);
    cosm_entity entity = entity_of(1);
    cosm_error_clear();
    CHECK(cosm_container_add(NULL, entity, 0, NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_container_add", "sectors is NULL",
                  "cosm_container_create");
    CHECK(cosm_container_add(sectors, entity, 3, NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_container_add", "member is 3", "from zero");
    CHECK(cosm_container_add(sectors, entity, 64, NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_container_add", "member is 64", "from zero");
    const cosm_entity dead[] = {{0, 0}, {2, 1}, {1, COSM_WORLD_ENTITY_MAX}, COSM_ENTITY_NONE};
    for (uint32_t i = 0; i < 4; i++) {
        CHECK(cosm_container_add(sectors, dead[i], POSITION, NULL) == NULL);
        CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_container_add", "can never be alive", "odd");
        CHECK_FAILS(cosm_container_add_many(sectors, &dead[i], 1, POSITION, NULL),
                    COSM_ERROR_ARGUMENT, "cosm_container_add_many", "never be alive", "odd");
        CHECK_INT(cosm_container_live(sectors, dead[i]), 0);
    }
    CHECK_FAILS(cosm_container_remove(sectors, entity, 9), COSM_ERROR_ARGUMENT,
                "cosm_container_remove", "member is 9", "from zero");
    CHECK_FAILS(cosm_container_remove(NULL, entity, 0), COSM_ERROR_ARGUMENT,
                "cosm_container_remove", "NULL", "cosm_container_create");
    CHECK_FAILS(cosm_container_add_many(sectors, NULL, 2, 0, NULL), COSM_ERROR_ARGUMENT,
                "cosm_container_add_many", "count is 2", "pass the entities");
    CHECK_FAILS(cosm_container_reserve(sectors, COSM_WORLD_ENTITY_MAX + 1), COSM_ERROR_LIMIT,
                "cosm_container_reserve", "268435457", "fewer");
    cosm_error_clear();
    CHECK(COSM_CONTAINER_READ(sectors, entity, Health, POSITION) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_container_write_sized", "4 bytes", "pass the type");
    cosm_container_walk walk;
    CHECK(cosm_container_walk_begin(sectors, &(cosm_container_walk_desc){.with = 8}, &walk) ==
          NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_container_walk_begin", "with is 0x8", "bits of the 3");
    CHECK(cosm_container_walk_begin(sectors, &(cosm_container_walk_desc){.with = 1, .without = 1},
                                    &walk) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_container_walk_begin", "without 0x1", "at most one");
    const cosm_container_range ranges[] = {{5, 5}, {9, 1}};
    CHECK(cosm_container_walk_begin(sectors,
                                    &(cosm_container_walk_desc){.ranges = ranges, .range_count = 2},
                                    &walk) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_container_walk_begin", "range 1", "ascending");
    CHECK(cosm_container_walk_begin(sectors, &(cosm_container_walk_desc){.foreign = {{sectors, 3}}},
                                    &walk) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_container_walk_begin", "member is 3", "from zero");
    CHECK(cosm_container_walk_begin(sectors, NULL, NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_container_walk_begin", "out_walk is NULL", "fill in");
    CHECK(cosm_container_reader_create(sectors) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_container_reader_create", "not concurrent",
                  "concurrent");
    CHECK_INT(cosm_container_describe(sectors).count, 1);
    CHECK_INT(cosm_container_destroy(NULL), COSM_OK);
    CHECK_DONE(cosm_container_maintain(sectors, NULL, NULL)); // no walk is under way
    shut(sectors);
}

static void refuse(const cosm_container_desc *desc, cosm_result result, const char *what,
                   const char *remedy) {
    cosm_error_clear();
    CHECK(cosm_container_create(desc) == NULL);
    CHECK_FAILURE(result, "cosm_container_create", what, remedy);
}

TEST(a_bad_desc_is_refused_with_its_field) {
    cosm_container_member members[65];
    char names[65][8];
    for (uint32_t i = 0; i < 65; i++) {
        names[i][0] = 'm';
        names[i][1] = (char)('0' + i / 10);
        names[i][2] = (char)('0' + i % 10);
        names[i][3] = '\0';
        members[i] = (cosm_container_member){.name = names[i], .size = 4};
    }
    refuse(NULL, COSM_ERROR_ARGUMENT, "desc is NULL", "at least one");
    refuse(&(cosm_container_desc){0}, COSM_ERROR_ARGUMENT, "member_count is 0", "at least one");
    refuse(&(cosm_container_desc){.members = members, .member_count = 65}, COSM_ERROR_LIMIT,
           "member_count is 65", "several containers");
    refuse(&(cosm_container_desc){.members = members, .member_count = 1, .chunk_sectors = 3},
           COSM_ERROR_ARGUMENT, "chunk_sectors is 3", "power of two");
    refuse(&(cosm_container_desc){.members = members, .member_count = 1, .chunk_sectors = 1u << 17},
           COSM_ERROR_ARGUMENT, "chunk_sectors is 131072", "power of two");
    refuse(&(cosm_container_desc){.members = members, .member_count = 1, .threshold = 1.5f},
           COSM_ERROR_ARGUMENT, "threshold is 1.5", "0 to 1");
    members[1].name = members[0].name;
    refuse(&(cosm_container_desc){.members = members, .member_count = 2}, COSM_ERROR_CONFLICT,
           "members 0 and 1", "unique name");
    members[1].name = names[1];
    members[0].alignment = 3;
    refuse(&(cosm_container_desc){.members = members, .member_count = 1}, COSM_ERROR_ARGUMENT,
           "alignment 3", "power of two");
    members[0].alignment = 8192;
    refuse(&(cosm_container_desc){.members = members, .member_count = 1}, COSM_ERROR_ARGUMENT,
           "alignment 8192", "power of two");
    members[0].alignment = 0;
    members[0].size = COSM_COMPONENT_SIZE_MAX + 1u;
    refuse(&(cosm_container_desc){.members = members, .member_count = 1}, COSM_ERROR_LIMIT,
           "16777217", "pointer");
    members[0].size = 4;
    cosm_container *sectors =
        cosm_container_create(&(cosm_container_desc){.members = members, .member_count = 64});
    REQUIRE(sectors != NULL);
    CHECK_INT(cosm_container_describe(sectors).member_count, 64);
    CHECK_STR(cosm_container_describe_member(sectors, 63).name, "m63");
    CHECK(cosm_container_describe_member(sectors, 64).name == NULL);
    CHECK_INT(cosm_container_describe_member(sectors, 63).offset, 16 + 63 * 4);
    for (uint32_t i = 0; i < 64; i++) {
        CHECK(cosm_container_add(sectors, entity_of(0), i, &i) != NULL);
    }
    CHECK(cosm_container_live(sectors, entity_of(0)) == UINT64_MAX);
    CHECK_INT(*(const uint32_t *)cosm_container_read(sectors, entity_of(0), 63), 63);
    CHECK_INT(cosm_container_remove(sectors, entity_of(0), 63), COSM_OK);
    CHECK(!cosm_container_has(sectors, entity_of(0), 63));
    shut(sectors);
}

typedef struct Large {
    char bytes[70000];
} Large;

typedef struct Wide {
    _Alignas(64) char bytes[64];
} Wide;

TEST(over_aligned_and_very_large_members_lie_as_they_should) {
    cosm_container_member members[] = {
        {.name = "odd", .size = 3},
        {.name = "wide", .size = sizeof(Wide), .alignment = 64},
        {.name = "large", .size = sizeof(Large), .alignment = 1},
        {.name = "page", .size = 4096, .alignment = 4096},
        {.name = "none", .size = 0, .alignment = 4096},
    };
    cosm_container *sectors =
        cosm_container_create(&(cosm_container_desc){.members = members, .member_count = 5});
    REQUIRE(sectors != NULL);
    static Large large;
    for (uint32_t id = 0; id < 9; id++) {
        for (uint32_t member = 0; member < 5; member++) {
            memset(large.bytes, (int)(id * 5 + member), sizeof large);
            void *bytes = cosm_container_add(sectors, entity_of(id), member, &large);
            REQUIRE(bytes != NULL);
            size_t alignment = members[member].alignment == 0 ? 1 : members[member].alignment;
            CHECK_INT((uintptr_t)bytes % alignment, 0);
        }
    }
    CHECK_DONE(cosm_container_erase(sectors, entity_of(0)));
    CHECK_DONE(cosm_container_erase(sectors, entity_of(1)));
    CHECK_DONE(cosm_container_erase(sectors, entity_of(2)));
    cosm_container_report report;
    CHECK_DONE(cosm_container_maintain(sectors, NULL, &report));
    CHECK_INT(report.moved, 3);
    for (uint32_t id = 3; id < 9; id++) {
        for (uint32_t member = 0; member < 5; member++) {
            memset(large.bytes, (int)(id * 5 + member), sizeof large);
            const void *bytes = cosm_container_read(sectors, entity_of(id), member);
            REQUIRE(bytes != NULL);
            CHECK_MEM(bytes, &large, members[member].size);
        }
    }
    shut(sectors);
}

TEST(a_high_id_costs_a_page_and_a_list_of_pages) {
    cosm_container *sectors = open_small();
    REQUIRE(sectors != NULL);
    cosm_entity last = {1, COSM_WORLD_ENTITY_MAX - 1};
    CHECK(cosm_container_add(sectors, last, POSITION, NULL) != NULL);
    CHECK(cosm_container_has(sectors, last, POSITION));
    CHECK(cosm_container_describe(sectors).memory.used < 600000);
    put(sectors, 0, 1);
    put(sectors, 4095, 2);
    put(sectors, 4096, 3);
    CHECK_NEAR(x_of(sectors, 4095), 2, 0);
    CHECK_NEAR(x_of(sectors, 4096), 3, 0);
    CHECK_DONE(cosm_container_erase(sectors, last));
    CHECK(!cosm_container_has(sectors, last, POSITION));
    shut(sectors);
    // A small one takes little: no page of 16 KiB, no list.
    sectors = open_small();
    put(sectors, 9, 1);
    CHECK(cosm_container_describe(sectors).memory.used < 2000);
    put(sectors, 100, 1);
    put(sectors, 5000, 1);
    CHECK_NEAR(x_of(sectors, 100), 1, 0);
    shut(sectors);
}

TEST(hooks_run_once_for_each_object) {
    struct thing_books books = {0};
    const Thing fallback = thing_of(5);
    cosm_container_member members[] = {
        {.name = "plain", .size = 4},
        {.name = "thing", .size = sizeof(Thing), .lifecycle = thing_lifecycle(&books)},
        {.name = "copied",
         .size = sizeof(Thing),
         .default_value = &fallback,
         .lifecycle = thing_lifecycle(&books)},
    };
    members[2].lifecycle.construct = NULL;
    cosm_container *sectors = cosm_container_create(
        &(cosm_container_desc){.members = members, .member_count = 3, .chunk_sectors = 2});
    REQUIRE(sectors != NULL);
    for (uint32_t id = 0; id < 10; id++) {
        CHECK(cosm_container_add(sectors, entity_of(id), 0, &id) != NULL);
        const Thing *thing = cosm_container_add(sectors, entity_of(id), 1, NULL);
        REQUIRE(thing != NULL);
        CHECK_INT(thing->value, THING_CONSTRUCTED);
        thing = cosm_container_add(sectors, entity_of(id), 2, NULL);
        REQUIRE(thing != NULL);
        CHECK_INT(thing->value, 5);
    }
    CHECK_INT(thing_count(&books), 20);
    Thing value = thing_of(123);
    const Thing *thing = cosm_container_add(sectors, entity_of(3), 1, &value);
    REQUIRE(thing != NULL);
    CHECK_INT(thing->value, 123);
    CHECK_INT(thing_count(&books), 20);
    CHECK(cosm_container_add(sectors, entity_of(3), 1, thing) == thing); // itself
    CHECK_INT(cosm_container_remove(sectors, entity_of(4), 1), COSM_OK);
    CHECK_INT(thing_count(&books), 19);
    for (uint32_t id = 0; id < 3; id++) {
        CHECK_DONE(cosm_container_erase(sectors, entity_of(id)));
    }
    CHECK_INT(thing_count(&books), 13);
    CHECK(cosm_container_add(sectors, (cosm_entity){3, 5}, 1, NULL) != NULL); // ends two of gen 1
    CHECK_INT(thing_count(&books), 12);
    cosm_container_report report;
    CHECK_DONE(cosm_container_maintain(sectors, NULL, &report));
    CHECK(report.moved > 0);
    thing = cosm_container_read(sectors, entity_of(3), 1);
    REQUIRE(thing != NULL);
    CHECK_INT(thing->value, 123);
    CHECK(atomic_load(&books.moved) > 0);
    cosm_error_clear();
    CHECK_INT(cosm_container_add_many(sectors, &(cosm_entity){1, 50}, 1, 1, NULL),
              COSM_ERROR_ARGUMENT);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_container_add_many", "hook", "one by one");
    CHECK_DONE(cosm_container_clear(sectors));
    CHECK_INT(thing_count(&books), 0);
    CHECK(cosm_container_add(sectors, entity_of(1), 2, NULL) != NULL);
    shut(sectors);
    CHECK_INT(thing_count(&books), 0);
    CHECK_INT(atomic_load(&books.wrong), 0);
}

TEST(a_hook_that_refuses_leaves_everything_as_it_was) {
    struct thing_books books = {0};
    cosm_container_member member = {
        .name = "thing", .size = sizeof(Thing), .lifecycle = thing_lifecycle(&books)};
    cosm_container *sectors =
        cosm_container_create(&(cosm_container_desc){.members = &member, .member_count = 1});
    REQUIRE(sectors != NULL);
    Thing value = thing_of(9);
    CHECK(cosm_container_add(sectors, entity_of(1), 0, &value) != NULL);
    const cosm_entity cases[] = {{1, 1}, {3, 1}, {1, 2}};
    for (uint32_t i = 0; i < 3; i++) {
        atomic_store(&books.refuse_in, 1);
        cosm_error_clear();
        Thing other = thing_of(10);
        CHECK(cosm_container_add(sectors, cases[i], 0, &other) == NULL);
        CHECK_FAILURE(COSM_ERROR_MEMORY, "cosm_container_add", "hook copy of member thing",
                      "again");
        const Thing *thing = cosm_container_read(sectors, entity_of(1), 0);
        REQUIRE(thing != NULL);
        CHECK_INT(thing->value, 9);
        CHECK_INT(thing_count(&books), 1);
        CHECK_INT(cosm_container_describe(sectors).count, 1);
        CHECK_DONE(cosm_container_validate(sectors));
    }
    shut(sectors);
    CHECK_INT(thing_count(&books), 0);
    CHECK_INT(atomic_load(&books.wrong), 0);
}

static cosm_container *meddled;

static void meddle(void *context, void *object) {
    (void)object;
    *(cosm_result *)context = cosm_container_erase(meddled, (cosm_entity){1, 2});
    CHECK(cosm_container_add(meddled, (cosm_entity){1, 7}, 0, NULL) == NULL);
}

TEST(a_hook_that_changes_the_container_is_refused) {
    for (uint32_t concurrent = 0; concurrent < 2; concurrent++) {
        cosm_result result = COSM_OK;
        cosm_container_member member = {
            .name = "fuse", .size = 4, .lifecycle = {.destroy = meddle, .context = &result}};
        meddled = cosm_container_create(&(cosm_container_desc){
            .members = &member, .member_count = 1, .concurrent = concurrent != 0});
        REQUIRE(meddled != NULL);
        CHECK(cosm_container_add(meddled, entity_of(1), 0, NULL) != NULL);
        CHECK(cosm_container_add(meddled, entity_of(2), 0, NULL) != NULL);
        CHECK_DONE(cosm_container_erase(meddled, entity_of(1)));
        CHECK_DONE(cosm_container_maintain(meddled, NULL, NULL));
        CHECK_INT(result, COSM_ERROR_BUSY);
        CHECK(cosm_container_has(meddled, entity_of(2), 0));
        cosm_container *sectors = meddled;
        CHECK_DONE(cosm_container_validate(sectors));
        CHECK_DONE(cosm_container_destroy(sectors));
    }
}

static void note(void *context, cosm_result result, const char *message) {
    CHECK_CONTAINS(message, "cosm_container_");
    *(cosm_result *)context = result;
}

TEST(failures_reach_the_callback_and_the_limit_holds) {
    cosm_result told = COSM_OK;
    cosm_container *sectors = open_with(
        &(cosm_container_desc){.error = note, .error_context = &told, .memory_limit = 100000});
    REQUIRE(sectors != NULL);
    uint32_t id = 0;
    while (id < 100000 && cosm_container_add(sectors, entity_of(id), POSITION, NULL) != NULL) {
        id++;
    }
    CHECK_INT(told, COSM_ERROR_MEMORY);
    CHECK_INT(cosm_container_describe(sectors).count, id);
    CHECK(cosm_container_describe(sectors).memory.used <= 100000);
    CHECK(cosm_container_describe(sectors).memory.peak <= 100000);
    CHECK(cosm_container_describe(sectors).memory.live > 0);
    CHECK_CONTAINS(cosm_error_message(), "limit 100000");
    shut(sectors);
}
