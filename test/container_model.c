// Sectors: long random histories against an obvious oracle, plain and concurrent, and every
// allocation that can fail, failing.
#include "harness.h"
#include "support/fixture.h"
#include "support/ledger.h"
#include "support/thing.h"

#include <cosm/container.h>
#include <stdlib.h>
#include <string.h>

enum { A, B, T, MARK, MEMBER_COUNT };
enum { ID_COUNT = 96, READER_COUNT = 2 };

// What an entity should have. Ids are spread over pages of the map.
struct expected {
    uint32_t gen;
    uint64_t live;
    uint64_t values[MEMBER_COUNT];
};

struct history {
    struct dice dice;
    struct thing_books books;
    struct ledger *ledger;
    cosm_container *sectors;
    uint32_t id_count; // that it is about: with few of them, more happens to each
    bool concurrent;
    struct expected expected[ID_COUNT];
    cosm_container_reader *readers[READER_COUNT];
    const cosm_sector *pins[READER_COUNT];
    uint32_t pin_ids[READER_COUNT]; // index of the id
    struct expected pin_state[READER_COUNT];
    bool inside[READER_COUNT];
};

static cosm_entity entity_at(const struct history *history, uint32_t index) {
    static const uint32_t pages[] = {0, 1, 2, 3000};
    return (cosm_entity){history->expected[index].gen, index / 4 + pages[index % 4] * 4096};
}

static uint64_t read_value(const void *bytes, uint32_t member) {
    uint64_t value = 0;
    switch (member) {
    case A:
        memcpy(&value, bytes, 4);
        return value;
    case B:
        memcpy(&value, bytes, 8);
        return value ^ ((const uint64_t *)bytes)[2];
    case T:
        return ((const Thing *)bytes)->value;
    default:
        return 0;
    }
}

static void *add_value(struct history *history, cosm_entity entity, uint32_t member,
                       uint64_t value) {
    uint32_t a = (uint32_t)value;
    uint64_t b[3] = {value, 1, 0};
    Thing thing = thing_of(value);
    const void *sources[] = {&a, b, &thing, NULL};
    return cosm_container_add(history->sectors, entity, member, sources[member]);
}

static void history_open(struct history *history, uint64_t seed, bool concurrent,
                         struct ledger *ledger) {
    *history = (struct history){.dice = {seed}, .concurrent = concurrent, .ledger = ledger};
    cosm_container_member members[MEMBER_COUNT] = {
        {.name = "a", .size = 4},
        {.name = "b", .size = 24},
        {.name = "t", .size = sizeof(Thing), .lifecycle = thing_lifecycle(&history->books)},
        {.name = "mark"},
    };
    history->sectors = cosm_container_create(&(cosm_container_desc){
        .members = members,
        .member_count = MEMBER_COUNT,
        .chunk_sectors = 1u << dice_roll(&history->dice, 5),
        .threshold = dice_roll(&history->dice, 2) == 0 ? 0 : 0.01f,
        .concurrent = concurrent,
        .allocator = ledger == NULL ? (cosm_allocator){0} : ledger_allocator(ledger),
    });
    history->id_count = ID_COUNT >> 2 * dice_roll(&history->dice, 3);
    for (uint32_t i = 0; i < ID_COUNT; i++) {
        history->expected[i].gen = 1;
    }
    for (uint32_t i = 0; history->sectors != NULL && concurrent && i < READER_COUNT; i++) {
        history->readers[i] = cosm_container_reader_create(history->sectors);
    }
}

static uint64_t expected_things(const struct history *history) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < ID_COUNT; i++) {
        count += history->expected[i].live >> T & 1u;
    }
    return count;
}

// Is the record of this id pinned by us? Then changes that end or move something may be refused.
static bool is_held(const struct history *history, uint32_t index) {
    for (uint32_t i = 0; i < READER_COUNT; i++) {
        if (history->pins[i] != NULL && history->pin_ids[i] == index) {
            return true;
        }
    }
    return false;
}

static void check_entity(struct history *history, uint32_t index, cosm_container_reader *reader) {
    const struct expected *expected = &history->expected[index];
    cosm_entity entity = entity_at(history, index);
    CHECK(cosm_container_live(history->sectors, entity) == expected->live);
    CHECK_INT(cosm_container_live(history->sectors, (cosm_entity){entity.gen + 2, entity.id}), 0);
    for (uint32_t member = 0; member < MEMBER_COUNT; member++) {
        const void *bytes = reader != NULL ? cosm_container_reader_read(reader, entity, member)
                                           : cosm_container_read(history->sectors, entity, member);
        CHECK_INT(bytes != NULL, expected->live >> member & 1u);
        if (bytes != NULL) {
            CHECK(read_value(bytes, member) == expected->values[member]);
        }
    }
}

static void check_history(struct history *history) {
    CHECK_DONE(cosm_container_validate(history->sectors));
    cosm_container_reader *reader = NULL;
    if (history->concurrent) {
        reader = cosm_container_reader_create(history->sectors);
        cosm_container_reader_enter(reader);
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < ID_COUNT; i++) {
        check_entity(history, i, reader);
        count += history->expected[i].live != 0;
    }
    CHECK_INT(cosm_container_describe(history->sectors).count, count);
    if (reader != NULL) {
        cosm_container_reader_leave(reader);
        CHECK_DONE(cosm_container_reader_destroy(reader));
        CHECK(thing_count(&history->books) >= expected_things(history));
    } else {
        CHECK_INT(thing_count(&history->books), expected_things(history));
    }
    for (uint32_t i = 0; i < READER_COUNT; i++) {
        for (uint32_t member = 0; history->pins[i] != NULL && member < MEMBER_COUNT; member++) {
            // Not through its mask: what was taken away since is still there.
            size_t offset = cosm_container_describe_member(history->sectors, member).offset;
            if ((history->pin_state[i].live >> member & 1u) != 0) {
                CHECK(read_value(cosm_sector_at(history->pins[i], offset), member) ==
                      history->pin_state[i].values[member]);
            }
        }
    }
    CHECK_INT(atomic_load(&history->books.wrong), 0);
}

static void act_add(struct history *history, uint32_t index) {
    struct expected *expected = &history->expected[index];
    uint32_t member = dice_roll(&history->dice, MEMBER_COUNT);
    uint64_t value = member == MARK ? 0 : dice_roll(&history->dice, 1000000);
    uint64_t bit = COSM_CONTAINER_BIT(member);
    cosm_entity entity = entity_at(history, index);
    bool is_new = dice_roll(&history->dice, 8) == 0; // a newer generation
    if (is_new) {
        entity.gen += 2;
    }
    if (is_held(history, index) && (is_new || (expected->live & bit) != 0)) {
        return; // refused: tested elsewhere
    }
    uint64_t made = member == B ? value ^ 0 : value;
    if (add_value(history, entity, member, value) != NULL) {
        if (is_new) {
            *expected = (struct expected){.gen = entity.gen};
        }
        expected->live |= bit;
        expected->values[member] = made;
    } else {
        // Only for want of memory, or because a removed member is still pinned.
        CHECK(history->ledger != NULL || is_held(history, index));
    }
}

static void act_remove(struct history *history, uint32_t index) {
    struct expected *expected = &history->expected[index];
    uint32_t member = dice_roll(&history->dice, MEMBER_COUNT);
    bool all = dice_roll(&history->dice, 3) == 0;
    cosm_entity entity = entity_at(history, index);
    cosm_result result = all ? cosm_container_erase(history->sectors, entity)
                             : cosm_container_remove(history->sectors, entity, member);
    uint64_t mask = all ? UINT64_MAX : COSM_CONTAINER_BIT(member);
    cosm_result due = (expected->live & mask) == 0 ? COSM_STALE
                      : is_held(history, index)    ? COSM_ERROR_BUSY
                                                   : COSM_OK;
    CHECK_INT(result, due);
    if (result == COSM_OK) {
        expected->live &= ~mask;
    }
}

static void act_maintain(struct history *history) {
    cosm_container_budget budget = {.move_max = dice_roll(&history->dice, 4)};
    cosm_container_report report;
    CHECK_DONE(cosm_container_maintain(history->sectors, &budget, &report));
    CHECK(budget.move_max == 0 || report.moved <= budget.move_max);
    CHECK_INT(report.left, cosm_container_describe(history->sectors).dead_count);
}

static void act_reader(struct history *history, uint32_t index) {
    uint32_t i = dice_roll(&history->dice, READER_COUNT);
    cosm_container_reader *reader = history->readers[i];
    if (reader == NULL) {
        return;
    }
    if (dice_roll(&history->dice, 2) == 0) {
        if (history->inside[i]) {
            cosm_container_reader_leave(reader);
        } else {
            cosm_container_reader_enter(reader);
        }
        history->inside[i] = !history->inside[i];
    } else if (history->pins[i] != NULL) {
        cosm_container_reader_unpin(reader, history->pins[i]);
        history->pins[i] = NULL;
    } else {
        history->pins[i] = cosm_container_reader_pin(reader, entity_at(history, index));
        history->pin_ids[i] = index;
        history->pin_state[i] = history->expected[index];
        CHECK(history->ledger != NULL ||
              (history->pins[i] != NULL) == (history->expected[index].live != 0));
    }
}

static void act(struct history *history) {
    uint32_t index = dice_roll(&history->dice, history->id_count);
    uint32_t roll = dice_roll(&history->dice, 100);
    if (roll < 50) {
        act_add(history, index);
    } else if (roll < 85) {
        act_remove(history, index);
    } else if (roll < 90) {
        act_maintain(history);
    } else if (roll < 99) {
        act_reader(history, index);
    } else if (history->pins[0] == NULL && history->pins[1] == NULL &&
               dice_roll(&history->dice, 4) == 0) {
        CHECK_DONE(cosm_container_clear(history->sectors));
        for (uint32_t i = 0; i < ID_COUNT; i++) {
            history->expected[i].live = 0;
        }
    } else {
        // A reserve is kept, or it changes nothing.
        cosm_result result =
            cosm_container_reserve(history->sectors, dice_roll(&history->dice, 200));
        CHECK(result == COSM_OK || history->ledger != NULL);
    }
}

static void history_close(struct history *history) {
    for (uint32_t i = 0; i < READER_COUNT; i++) {
        if (history->pins[i] != NULL) {
            cosm_container_reader_unpin(history->readers[i], history->pins[i]);
        }
        if (history->inside[i]) {
            cosm_container_reader_leave(history->readers[i]);
        }
        CHECK_DONE(cosm_container_reader_destroy(history->readers[i]));
    }
    CHECK_DONE(cosm_container_maintain(history->sectors, NULL, NULL));
    CHECK_DONE(cosm_container_maintain(history->sectors, NULL, NULL));
    CHECK_INT(thing_count(&history->books), expected_things(history));
    CHECK_DONE(cosm_container_destroy(history->sectors));
    CHECK_INT(thing_count(&history->books), 0);
    CHECK_INT(atomic_load(&history->books.wrong), 0);
}

static void run_histories(bool concurrent) {
    uint64_t seed = harness_seed();
    uint32_t histories = harness_is_long() ? 400 : 40;
    for (uint32_t h = 0; h < histories; h++) {
        struct history history;
        history_open(&history, seed + h * 0x9E3779B97F4A7C15u, concurrent, NULL);
        REQUIRE(history.sectors != NULL);
        for (uint32_t i = 0; i < 1500; i++) {
            act(&history);
            if (i % 25 == 0) {
                check_history(&history);
            }
        }
        check_history(&history);
        history_close(&history);
    }
}

TEST(plain_containers_hold_what_an_oracle_says) {
    run_histories(false);
}

TEST(concurrent_containers_hold_what_an_oracle_says) {
    run_histories(true);
}

// The n-th allocation of a history fails, for every n: the call says so, nothing is lost, and the
// next call works.
static void fail_each_allocation(bool concurrent) {
    uint64_t seed = harness_seed();
    for (uint64_t n = 1;; n++) {
        struct ledger ledger;
        ledger_open(&ledger);
        ledger_refuse(&ledger, n, 1);
        struct history history;
        cosm_error_clear();
        history_open(&history, seed, concurrent, &ledger);
        if (history.sectors == NULL) {
            CHECK_INT(cosm_error_result(), COSM_ERROR_MEMORY);
        } else {
            for (uint32_t i = 0; i < 250; i++) {
                act(&history);
            }
            bool refused = ledger_relent(&ledger);
            // Where memory is wanted, a concurrent container first looks for what it can free.
            if (refused && !concurrent) {
                CHECK_INT(cosm_error_result(), COSM_ERROR_MEMORY);
            }
            check_history(&history);
            history_close(&history);
            if (!refused) {
                ledger_close(&ledger);
                CHECK(n > 10);
                return;
            }
        }
        ledger_close(&ledger);
    }
}

TEST(a_plain_container_survives_every_allocation_that_fails) {
    fail_each_allocation(false);
}

TEST(a_concurrent_container_survives_every_allocation_that_fails) {
    fail_each_allocation(true);
}

TEST(a_hook_that_refuses_at_any_time_loses_nothing) {
    for (uint32_t concurrent = 0; concurrent < 2; concurrent++) {
        for (int64_t n = 1; n < 120; n++) {
            struct ledger ledger;
            ledger_open(&ledger);
            struct history history;
            history_open(&history, harness_seed(), concurrent != 0, &ledger);
            REQUIRE(history.sectors != NULL);
            atomic_store(&history.books.refuse_in, n);
            for (uint32_t i = 0; i < 400; i++) {
                act(&history);
            }
            check_history(&history);
            history_close(&history);
            ledger_close(&ledger);
        }
    }
}

TEST(adding_many_is_all_or_nothing) {
    for (uint64_t n = 1;; n++) {
        struct ledger ledger;
        ledger_open(&ledger);
        cosm_container_member member = {.name = "a", .size = 4};
        cosm_container *sectors =
            cosm_container_create(&(cosm_container_desc){.members = &member,
                                                         .member_count = 1,
                                                         .chunk_sectors = 8,
                                                         .allocator = ledger_allocator(&ledger)});
        REQUIRE(sectors != NULL);
        CHECK(cosm_container_add(sectors, (cosm_entity){1, 3}, 0, &(uint32_t){7}) != NULL);
        // The first new one takes the place of the only one on a page that others will need.
        CHECK(cosm_container_add(sectors, (cosm_entity){1, 45057}, 0, NULL) != NULL);
        CHECK_DONE(cosm_container_erase(sectors, (cosm_entity){1, 45057}));
        cosm_entity entities[100];
        uint32_t values[100];
        for (uint32_t i = 0; i < 100; i++) {
            entities[i] = (cosm_entity){1, i * 500};
            values[i] = i;
        }
        ledger_refuse(&ledger, n, 1);
        cosm_result result = cosm_container_add_many(sectors, entities, 100, 0, values);
        bool refused = ledger_relent(&ledger);
        CHECK_INT(result, refused ? COSM_ERROR_MEMORY : COSM_OK);
        CHECK_INT(cosm_container_describe(sectors).count, refused ? 1 : 101);
        CHECK_DONE(cosm_container_validate(sectors));
        CHECK_DONE(cosm_container_destroy(sectors));
        ledger_close(&ledger);
        if (!refused) {
            CHECK(n > 10);
            return;
        }
    }
}
