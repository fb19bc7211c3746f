// Concurrent sectors, looked at on one thread: readers, pins, and what waits for them. With several
// threads: threads_container.c.
#include "harness.h"
#include "support/fixture.h"
#include "support/thing.h"

#include <cosm/container.h>

enum { PLAIN, THING, MEMBER_COUNT };

struct shared_box {
    struct thing_books books;
    cosm_container *sectors;
    cosm_container_reader *reader;
};

static void box_open(struct shared_box *box) {
    *box = (struct shared_box){0};
    cosm_container_member members[MEMBER_COUNT] = {
        {.name = "plain", .size = sizeof(Health)},
        {.name = "thing", .size = sizeof(Thing), .lifecycle = thing_lifecycle(&box->books)},
    };
    box->sectors = cosm_container_create(&(cosm_container_desc){
        .members = members, .member_count = MEMBER_COUNT, .concurrent = true, .chunk_sectors = 4});
    box->reader = cosm_container_reader_create(box->sectors);
    CHECK(box->reader != NULL);
}

static void box_close(struct shared_box *box) {
    CHECK_DONE(cosm_container_validate(box->sectors));
    CHECK_DONE(cosm_container_reader_destroy(box->reader));
    CHECK_DONE(cosm_container_destroy(box->sectors));
    CHECK_INT(thing_count(&box->books), 0);
    CHECK_INT(atomic_load(&box->books.wrong), 0);
}

static cosm_entity entity_of(uint32_t id) {
    return (cosm_entity){1, id};
}

static void put(struct shared_box *box, uint32_t id, uint32_t points) {
    CHECK(cosm_container_add(box->sectors, entity_of(id), PLAIN, &(Health){points}) != NULL);
}

static void put_thing(struct shared_box *box, uint32_t id, uint64_t value) {
    Thing thing = thing_of(value);
    CHECK(cosm_container_add(box->sectors, entity_of(id), THING, &thing) != NULL);
}

static cosm_container_report maintain(struct shared_box *box) {
    cosm_container_report report;
    CHECK_DONE(cosm_container_maintain(box->sectors, NULL, &report));
    CHECK_DONE(cosm_container_validate(box->sectors));
    return report;
}

TEST(a_reader_sees_what_was_added) {
    struct shared_box box;
    box_open(&box);
    put(&box, 5, 50);
    cosm_container_reader_enter(box.reader);
    const cosm_sector *sector = cosm_container_reader_find(box.reader, entity_of(5));
    REQUIRE(sector != NULL);
    const Health *health = cosm_container_reader_read(box.reader, entity_of(5), PLAIN);
    REQUIRE(health != NULL);
    CHECK_INT(health->points, 50);
    CHECK(cosm_container_reader_member(box.reader, sector, PLAIN) == health);
    CHECK(cosm_container_reader_member(box.reader, sector, THING) == NULL);
    CHECK_INT(cosm_container_reader_live(box.reader, sector), COSM_CONTAINER_BIT(PLAIN));
    CHECK(cosm_container_reader_find(box.reader, (cosm_entity){3, 5}) == NULL);
    CHECK(cosm_container_reader_find(box.reader, entity_of(6)) == NULL);
    CHECK(cosm_container_reader_find(box.reader, COSM_ENTITY_NONE) == NULL);
    // Also what is added while it is inside, in the same record, elsewhere, and on a new page.
    put_thing(&box, 5, 1);
    put(&box, 6, 60);
    put(&box, 9000, 90);
    CHECK(cosm_container_reader_read(box.reader, entity_of(5), THING) != NULL);
    CHECK(cosm_container_reader_read(box.reader, entity_of(6), PLAIN) != NULL);
    CHECK(cosm_container_reader_read(box.reader, entity_of(9000), PLAIN) != NULL);
    cosm_container_reader_leave(box.reader);
    box_close(&box);
}

TEST(what_a_reader_found_stays_until_it_leaves) {
    struct shared_box box;
    box_open(&box);
    put(&box, 1, 10);
    put_thing(&box, 1, 11);
    cosm_container_reader_enter(box.reader);
    const Thing *thing = cosm_container_reader_read(box.reader, entity_of(1), THING);
    const Health *health = cosm_container_reader_read(box.reader, entity_of(1), PLAIN);
    REQUIRE(thing != NULL && health != NULL);
    CHECK_DONE(cosm_container_erase(box.sectors, entity_of(1)));
    CHECK(cosm_container_reader_find(box.reader, entity_of(1)) == NULL);
    CHECK_INT(cosm_container_describe(box.sectors).count, 0);
    for (uint32_t id = 10; id < 30; id++) {
        put(&box, id, id); // no one takes its place
    }
    CHECK_INT(maintain(&box).left, 1);
    CHECK_INT(thing_count(&box.books), 1);
    CHECK_INT(thing->value, 11);
    CHECK_INT(health->points, 10);
    cosm_container_reader_leave(box.reader);
    (void)maintain(&box);
    CHECK_INT(thing_count(&box.books), 0);
    put(&box, 30, 0); // in its place
    CHECK_INT(cosm_container_describe(box.sectors).dead_count, 0);
    box_close(&box);
}

TEST(a_removed_member_is_gone_at_once_and_destroyed_later) {
    struct shared_box box;
    box_open(&box);
    put(&box, 1, 10);
    put_thing(&box, 1, 11);
    cosm_container_reader_enter(box.reader);
    const Thing *thing = cosm_container_reader_read(box.reader, entity_of(1), THING);
    REQUIRE(thing != NULL);
    CHECK_DONE(cosm_container_remove(box.sectors, entity_of(1), THING));
    CHECK(cosm_container_reader_read(box.reader, entity_of(1), THING) == NULL);
    CHECK_INT(thing->value, 11);
    // Added again while the old one is looked at, it is another object, and the old one stays.
    put_thing(&box, 1, 12);
    const Thing *again = cosm_container_reader_read(box.reader, entity_of(1), THING);
    REQUIRE(again != NULL);
    CHECK_INT(again->value, 12);
    CHECK_INT(thing->value, 11);
    CHECK_INT(thing_count(&box.books), 2);
    const Health *health = cosm_container_reader_read(box.reader, entity_of(1), PLAIN);
    REQUIRE(health != NULL);
    CHECK_INT(health->points, 10);
    cosm_container_reader_leave(box.reader);
    (void)maintain(&box);
    CHECK_INT(thing_count(&box.books), 1);
    // With nobody inside it takes its old space.
    CHECK_DONE(cosm_container_remove(box.sectors, entity_of(1), THING));
    put_thing(&box, 1, 13);
    CHECK_INT(thing_count(&box.books), 1);
    CHECK_INT(cosm_container_describe(box.sectors).dead_count, 0);
    box_close(&box);
}

TEST(a_replaced_member_is_a_new_copy_and_the_old_one_stays_as_it_was) {
    struct shared_box box;
    box_open(&box);
    put(&box, 1, 10);
    put_thing(&box, 1, 11);
    cosm_container_reader_enter(box.reader);
    const Health *health = cosm_container_reader_read(box.reader, entity_of(1), PLAIN);
    REQUIRE(health != NULL);
    put(&box, 1, 20);
    CHECK_INT(health->points, 10);
    const Health *new = cosm_container_reader_read(box.reader, entity_of(1), PLAIN);
    REQUIRE(new != NULL);
    CHECK_INT(new->points, 20);
    CHECK_INT(cosm_container_describe(box.sectors).count, 1);
    CHECK_INT(thing_count(&box.books), 2); // copied, because readers may look at the old one
    cosm_container_reader_leave(box.reader);
    (void)maintain(&box);
    CHECK_INT(thing_count(&box.books), 1);
    box_close(&box);
}

TEST(a_pinned_record_is_neither_moved_nor_reclaimed) {
    struct shared_box box;
    box_open(&box);
    for (uint32_t id = 0; id < 16; id++) {
        put(&box, id, id);
        put_thing(&box, id, id);
    }
    cosm_container_reader *other = cosm_container_reader_create(box.sectors);
    REQUIRE(other != NULL);
    const cosm_sector *pinned = cosm_container_reader_pin(box.reader, entity_of(15));
    REQUIRE(pinned != NULL);
    for (uint32_t id = 0; id < 12; id++) {
        CHECK_DONE(cosm_container_erase(box.sectors, entity_of(id)));
    }
    cosm_container_report report = maintain(&box);
    CHECK_INT(report.moved, 3); // 12, 13 and 14
    CHECK(report.left > 0);
    cosm_container_reader_enter(other);
    CHECK(cosm_container_reader_find(other, entity_of(15)) == pinned);
    cosm_container_reader_leave(other);
    cosm_container_reader_unpin(box.reader, pinned);
    report = maintain(&box);
    CHECK_INT(report.moved, 1);
    CHECK_INT(report.left, 0);
    CHECK_INT(cosm_container_describe(box.sectors).chunk_count, 1);
    CHECK_DONE(cosm_container_reader_destroy(other));
    box_close(&box);
}

TEST(a_thread_that_pinned_a_record_is_refused_to_end_it) {
    struct shared_box box;
    box_open(&box);
    put(&box, 1, 1);
    put_thing(&box, 1, 1);
    put(&box, 2, 2);
    const cosm_sector *pinned = cosm_container_reader_pin(box.reader, entity_of(1));
    REQUIRE(pinned != NULL);
    CHECK_FAILS(cosm_container_erase(box.sectors, entity_of(1)), COSM_ERROR_BUSY,
                "cosm_container_erase", "@1:1", "unpin");
    CHECK_FAILS(cosm_container_remove(box.sectors, entity_of(1), THING), COSM_ERROR_BUSY,
                "cosm_container_remove", "@1:1", "unpin");
    CHECK_FAILS(cosm_container_clear(box.sectors), COSM_ERROR_BUSY, "cosm_container_clear",
                "pinned", "unpin");
    CHECK_FAILS(cosm_container_destroy(box.sectors), COSM_ERROR_BUSY, "cosm_container_destroy",
                "readers", "destroy them first");
    CHECK_FAILS(cosm_container_reader_destroy(box.reader), COSM_ERROR_BUSY,
                "cosm_container_reader_destroy", "1 pins", "unpin");
    cosm_error_clear();
    CHECK(cosm_container_add(box.sectors, (cosm_entity){3, 1}, PLAIN, NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_BUSY, "cosm_container_add", "@1:1", "unpin");
    CHECK(cosm_container_add(box.sectors, entity_of(1), PLAIN, &(Health){3}) == NULL);
    CHECK_FAILURE(COSM_ERROR_BUSY, "cosm_container_add", "is pinned", "unpin");
    CHECK_INT(cosm_container_describe(box.sectors).count, 2);
    CHECK_DONE(cosm_container_erase(box.sectors, entity_of(2))); // another one
    CHECK(cosm_container_add(box.sectors, entity_of(1), PLAIN, NULL) != NULL);
    cosm_container_reader_unpin(box.reader, pinned);
    CHECK_DONE(cosm_container_erase(box.sectors, entity_of(1)));
    box_close(&box);
}

TEST(pins_are_counted_and_work_outside_too) {
    struct shared_box box;
    box_open(&box);
    for (uint32_t id = 0; id < 40; id++) {
        put(&box, id, id);
    }
    const cosm_sector *pins[80];
    for (uint32_t i = 0; i < 80; i++) {
        pins[i] = cosm_container_reader_pin(box.reader, entity_of(i % 40));
        REQUIRE(pins[i] != NULL);
        CHECK_INT(pins[i]->entity.id, i % 40);
    }
    CHECK(cosm_container_reader_pin(box.reader, entity_of(40)) == NULL);
    for (uint32_t i = 0; i < 40; i++) {
        cosm_container_reader_unpin(box.reader, pins[i]);
    }
    CHECK_INT(cosm_container_erase(box.sectors, entity_of(7)), COSM_ERROR_BUSY);
    for (uint32_t i = 40; i < 80; i++) {
        cosm_container_reader_unpin(box.reader, pins[i]);
    }
    cosm_error_clear();
    cosm_container_reader_unpin(box.reader, pins[0]);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_container_reader_unpin", "no pin", "once per");
    CHECK_DONE(cosm_container_erase(box.sectors, entity_of(7)));
    CHECK_DONE(cosm_container_clear(box.sectors));
    CHECK_INT(cosm_container_describe(box.sectors).count, 0);
    CHECK_INT(maintain(&box).left, 0);
    box_close(&box);
}

TEST(a_reader_walks_in_the_order_of_ids) {
    struct shared_box box;
    box_open(&box);
    for (uint32_t i = 0; i < 300; i++) {
        put(&box, (i * 7919) % 20000, i);
        if (i % 2 == 0) {
            put_thing(&box, (i * 7919) % 20000, i);
        }
    }
    uint32_t count = 0, with = 0, without = 0, some = 0;
    cosm_container_reader_enter(box.reader);
    const cosm_sector *sector;
    uint32_t last = 0;
    uint32_t id = 0;
    while ((sector = cosm_container_reader_next(box.reader, &id, UINT32_MAX, 0, 0)) != NULL) {
        CHECK(count == 0 || sector->entity.id > last);
        last = sector->entity.id;
        CHECK_INT(id, last + 1);
        some += last >= 5000 && last < 9000;
        count++;
    }
    for (id = 0;
         cosm_container_reader_next(box.reader, &id, UINT32_MAX, COSM_CONTAINER_BIT(THING), 0);
         with++) {
    }
    for (id = 0;
         cosm_container_reader_next(box.reader, &id, UINT32_MAX, 0, COSM_CONTAINER_BIT(THING));
         without++) {
    }
    for (id = 5000; cosm_container_reader_next(box.reader, &id, 9000, 0, 0) != NULL; some--) {
    }
    cosm_container_reader_leave(box.reader);
    CHECK_INT(count, 300);
    CHECK_INT(with, 150);
    CHECK_INT(without, 150);
    CHECK_INT(some, 0);
    box_close(&box);
}

TEST(wrong_uses_of_readers_are_told) {
    struct shared_box box;
    box_open(&box);
    put(&box, 1, 1);
    cosm_error_clear();
    cosm_container_reader_leave(box.reader);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_container_reader_leave", "has not entered", "enter");
    CHECK(cosm_container_reader_find(box.reader, entity_of(1)) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_container_reader_find", "has not entered", "enter");
    CHECK(cosm_container_reader_read(box.reader, entity_of(1), 0) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_container_reader_read", "has not entered", "enter");
    cosm_container_reader_enter(NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_container_reader_enter", "reader is NULL",
                  "cosm_container_reader_create");
    CHECK(cosm_container_reader_pin(NULL, entity_of(1)) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_container_reader_pin", "reader is NULL", "create");
    cosm_container_reader_enter(box.reader);
    cosm_container_reader_enter(box.reader);
    cosm_container_reader_leave(box.reader);
    CHECK_FAILS(cosm_container_reader_destroy(box.reader), COSM_ERROR_BUSY,
                "cosm_container_reader_destroy", "entered 1 times", "leave");
    cosm_error_clear();
    CHECK(cosm_container_reader_read(box.reader, entity_of(1), 2) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_container_reader_read", "member is 2", "from zero");
    CHECK(cosm_container_reader_next(box.reader, NULL, 1, 0, 0) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_container_reader_next", "io_id is NULL",
                  "the first id");
    CHECK_INT(cosm_container_reader_live(box.reader, NULL), 0);
    CHECK(cosm_container_reader_member(box.reader, NULL, 0) == NULL);
    cosm_container_reader_leave(box.reader);
    CHECK_INT(cosm_container_reader_destroy(NULL), COSM_OK);
    // Looking at it as at a plain one.
    cosm_error_clear();
    CHECK(cosm_container_read(box.sectors, entity_of(1), 0) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_container_read", "concurrent", "reader");
    CHECK(cosm_container_find(box.sectors, entity_of(1)) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_container_find", "concurrent", "reader");
    cosm_container_walk walk;
    CHECK(cosm_container_walk_begin(box.sectors, NULL, &walk) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_container_walk_begin", "concurrent", "reader");
    CHECK_FAILS(cosm_container_add_many(box.sectors, &(cosm_entity){1, 1}, 1, 0, NULL),
                COSM_ERROR_ARGUMENT, "cosm_container_add_many", "concurrent", "one by one");
    CHECK_FAILS(cosm_container_remove_many(box.sectors, &(cosm_entity){1, 1}, 1, 0),
                COSM_ERROR_ARGUMENT, "cosm_container_remove_many", "concurrent", "one by one");
    CHECK(cosm_container_has(box.sectors, entity_of(1), 0));
    box_close(&box);
}

TEST(a_member_with_a_move_hook_and_no_copy_hook_stays_where_it_is) {
    struct thing_books books = {0};
    cosm_container_member members[] = {
        {.name = "thing", .size = sizeof(Thing), .lifecycle = thing_lifecycle(&books)},
        {.name = "plain", .size = 4}};
    members[0].lifecycle.copy = NULL;
    cosm_container *sectors = cosm_container_create(&(cosm_container_desc){
        .members = members, .member_count = 2, .concurrent = true, .chunk_sectors = 2});
    REQUIRE(sectors != NULL);
    for (uint32_t id = 0; id < 8; id++) {
        CHECK(cosm_container_add(sectors, entity_of(id), 0, NULL) != NULL);
        CHECK(cosm_container_add(sectors, entity_of(id), 1, NULL) != NULL);
    }
    for (uint32_t id = 0; id < 6; id++) {
        CHECK_DONE(cosm_container_erase(sectors, entity_of(id)));
    }
    cosm_container_report report;
    CHECK_DONE(cosm_container_maintain(sectors, NULL, &report));
    CHECK_INT(report.moved, 0);
    CHECK_INT(report.left, 6);
    cosm_error_clear();
    uint32_t value = 5;
    CHECK(cosm_container_add(sectors, entity_of(7), 1, &value) == NULL);
    CHECK_FAILURE(COSM_ERROR_BUSY, "cosm_container_add", "cannot be copied", "copy hook");
    CHECK_DONE(cosm_container_validate(sectors));
    CHECK_DONE(cosm_container_destroy(sectors));
    CHECK_INT(thing_count(&books), 0);
    CHECK_INT(atomic_load(&books.wrong), 0);
}
