// Concurrent sectors under writers and readers on several threads.
#define _POSIX_C_SOURCE 200809L // barriers

#include "harness.h"
#include "support/fixture.h"
#include "support/thing.h"

#include <cosm/container.h>
#include <pthread.h>

enum { NUMBER, THING, WORD, MEMBER_COUNT };

#define ID_COUNT 64u
#define WRITERS 3u
#define READERS 3u
#define TURNS 4000u

// Every value tells whose it is, twice, so that a torn, freed or mixed one shows.
typedef struct Number {
    uint64_t owner;
    uint64_t check; // ~owner
} Number;

struct arena_of_all {
    cosm_container *sectors;
    struct thing_books books;
    atomic_uint writers_left;
    uint64_t seed;
};

struct actor {
    struct arena_of_all *all;
    uint32_t index;
    pthread_t thread;
};

static uint64_t owner_of(cosm_entity entity) {
    return (uint64_t)entity.gen << 32 | entity.id;
}

static void write_once(struct actor *actor, struct dice *dice) {
    cosm_container *sectors = actor->all->sectors;
    cosm_entity entity = {1 + 2 * dice_roll(dice, 3), dice_roll(dice, ID_COUNT)};
    uint64_t owner = owner_of(entity);
    cosm_result result;
    switch (dice_roll(dice, 10)) {
    case 0:
    case 1:
    case 2:
        (void)cosm_container_add(sectors, entity, NUMBER, &(Number){owner, ~owner});
        break;
    case 3:
    case 4: {
        Thing thing = thing_of(owner);
        (void)cosm_container_add(sectors, entity, THING, &thing);
        break;
    }
    case 5:
        result = cosm_container_remove(sectors, entity, dice_roll(dice, MEMBER_COUNT));
        CHECK(result == COSM_OK || result == COSM_STALE);
        break;
    case 6:
    case 7:
        result = cosm_container_erase(sectors, entity);
        CHECK(result == COSM_OK || result == COSM_STALE);
        break;
    case 8:
        (void)cosm_container_add(sectors, entity, WORD, NULL);
        break;
    default:
        CHECK_DONE(cosm_container_maintain(sectors, &(cosm_container_budget){.move_max = 8}, NULL));
        break;
    }
}

static void *run_writer(void *context) {
    struct actor *actor = context;
    struct dice dice = {actor->all->seed + actor->index};
    for (uint32_t i = 0; i < TURNS; i++) {
        write_once(actor, &dice);
    }
    atomic_fetch_sub(&actor->all->writers_left, 1);
    return NULL;
}

static void check_sector(cosm_container_reader *reader, const cosm_sector *sector) {
    uint64_t owner = owner_of(sector->entity);
    const Number *number = cosm_container_reader_member(reader, sector, NUMBER);
    CHECK(number == NULL || (number->owner == owner && number->check == ~owner));
    const Thing *thing = cosm_container_reader_member(reader, sector, THING);
    CHECK(thing == NULL || (thing->self == thing && thing->value == owner));
}

static void look_around(cosm_container_reader *reader, struct dice *dice) {
    cosm_container_reader_enter(reader);
    for (uint32_t i = 0; i < 8; i++) {
        cosm_entity entity = {1 + 2 * dice_roll(dice, 3), dice_roll(dice, ID_COUNT)};
        const cosm_sector *sector = cosm_container_reader_find(reader, entity);
        if (sector != NULL) {
            CHECK(sector->entity.gen == entity.gen && sector->entity.id == entity.id);
            check_sector(reader, sector);
        }
    }
    uint32_t last = UINT32_MAX;
    uint32_t id = 0;
    const cosm_sector *sector;
    while ((sector = cosm_container_reader_next(reader, &id, UINT32_MAX, 0, 0)) != NULL) {
        CHECK(last == UINT32_MAX || sector->entity.id > last);
        last = sector->entity.id;
        check_sector(reader, sector);
    }
    cosm_container_reader_leave(reader);
}

// Pins one, changes its word in place with atomics, and looks at it again, outside.
static void hold_one(cosm_container *sectors, cosm_container_reader *reader, struct dice *dice) {
    cosm_entity entity = {1 + 2 * dice_roll(dice, 3), dice_roll(dice, ID_COUNT)};
    const cosm_sector *sector = cosm_container_reader_pin(reader, entity);
    if (sector == NULL) {
        return;
    }
    CHECK(sector->entity.gen == entity.gen && sector->entity.id == entity.id);
    for (uint32_t i = 0; i < 4; i++) {
        check_sector(reader, sector);
        atomic_ullong *word =
            (atomic_ullong *)(uintptr_t)cosm_container_reader_member(reader, sector, WORD);
        if (word != NULL) {
            atomic_fetch_add_explicit(word, 1, memory_order_relaxed);
        }
    }
    if (dice_roll(dice, 4) == 0) {
        cosm_result result = cosm_container_erase(sectors, entity);
        // Done only where others have ended the one we hold and made another since.
        CHECK(result == COSM_ERROR_BUSY || result == COSM_STALE || result == COSM_OK);
        check_sector(reader, sector);
    }
    cosm_container_reader_unpin(reader, sector);
}

static void *run_reader(void *context) {
    struct actor *actor = context;
    struct dice dice = {actor->all->seed + 100 + actor->index};
    cosm_container_reader *reader = cosm_container_reader_create(actor->all->sectors);
    CHECK(reader != NULL);
    while (reader != NULL && atomic_load(&actor->all->writers_left) != 0) {
        look_around(reader, &dice);
        hold_one(actor->all->sectors, reader, &dice);
    }
    CHECK_DONE(cosm_container_reader_destroy(reader));
    return NULL;
}

static void all_open(struct arena_of_all *all) {
    cosm_container_member members[MEMBER_COUNT] = {
        {.name = "number", .size = sizeof(Number)},
        {.name = "thing", .size = sizeof(Thing), .lifecycle = thing_lifecycle(&all->books)},
        {.name = "word", .size = sizeof(atomic_ullong)},
    };
    all->sectors = cosm_container_create(&(cosm_container_desc){.members = members,
                                                                .member_count = MEMBER_COUNT,
                                                                .concurrent = true,
                                                                .threshold = 0.01f,
                                                                .chunk_sectors = 8});
}

TEST(readers_see_whole_records_while_writers_insert_erase_and_maintain) {
    struct arena_of_all all = {.writers_left = WRITERS, .seed = harness_seed()};
    all_open(&all);
    REQUIRE(all.sectors != NULL);
    struct actor actors[WRITERS + READERS];
    for (uint32_t i = 0; i < WRITERS + READERS; i++) {
        actors[i] = (struct actor){.all = &all, .index = i};
        CHECK_INT(pthread_create(&actors[i].thread, NULL, i < WRITERS ? run_writer : run_reader,
                                 &actors[i]),
                  0);
    }
    for (uint32_t i = 0; i < WRITERS + READERS; i++) {
        CHECK_INT(pthread_join(actors[i].thread, NULL), 0);
    }
    CHECK_DONE(cosm_container_validate(all.sectors));
    CHECK_DONE(cosm_container_maintain(all.sectors, NULL, NULL));
    CHECK_INT(cosm_container_describe(all.sectors).dead_count, 0); // nobody holds anything back
    CHECK_DONE(cosm_container_destroy(all.sectors));
    CHECK_INT(thing_count(&all.books), 0);
    CHECK_INT(atomic_load(&all.books.wrong), 0);
}

// A thread that pins a record and holds it while another ends it.
struct holder {
    struct arena_of_all *all;
    pthread_barrier_t meet;
};

static void *hold(void *context) {
    struct holder *holder = context;
    cosm_container_reader *reader = cosm_container_reader_create(holder->all->sectors);
    const cosm_sector *sector = cosm_container_reader_pin(reader, (cosm_entity){1, 7});
    CHECK(sector != NULL);
    const Thing *thing = cosm_container_reader_member(reader, sector, THING);
    pthread_barrier_wait(&holder->meet); // pinned
    pthread_barrier_wait(&holder->meet); // ended by the other thread
    CHECK(thing != NULL && thing->self == thing && thing->value == 70);
    CHECK_INT(cosm_container_reader_live(reader, sector), 0);
    CHECK(cosm_container_reader_pin(reader, (cosm_entity){1, 7}) == NULL);
    cosm_container_reader_unpin(reader, sector);
    CHECK_DONE(cosm_container_reader_destroy(reader));
    return NULL;
}

TEST(what_another_thread_has_pinned_is_erased_and_destroyed_after_its_unpin) {
    struct arena_of_all all = {.seed = harness_seed()};
    all_open(&all);
    REQUIRE(all.sectors != NULL);
    Thing thing = thing_of(70);
    CHECK(cosm_container_add(all.sectors, (cosm_entity){1, 7}, THING, &thing) != NULL);
    struct holder holder = {.all = &all};
    pthread_t thread;
    CHECK_INT(pthread_barrier_init(&holder.meet, NULL, 2), 0);
    CHECK_INT(pthread_create(&thread, NULL, hold, &holder), 0);
    pthread_barrier_wait(&holder.meet);
    CHECK_DONE(cosm_container_erase(all.sectors, (cosm_entity){1, 7}));
    for (uint32_t i = 0; i < 10; i++) {
        CHECK(cosm_container_add(all.sectors, (cosm_entity){1, 100 + i}, NUMBER, NULL) != NULL);
        CHECK_DONE(cosm_container_maintain(all.sectors, NULL, NULL));
        CHECK_DONE(cosm_container_validate(all.sectors));
    }
    CHECK_INT(thing_count(&all.books), 1);
    pthread_barrier_wait(&holder.meet);
    CHECK_INT(pthread_join(thread, NULL), 0);
    CHECK_DONE(cosm_container_maintain(all.sectors, NULL, NULL));
    CHECK_INT(thing_count(&all.books), 0);
    CHECK_INT(pthread_barrier_destroy(&holder.meet), 0);
    CHECK_DONE(cosm_container_destroy(all.sectors));
    CHECK_INT(atomic_load(&all.books.wrong), 0);
}

// Two threads count under pins while one replaces and moves the record under their feet. The record
// is large, so that copying it takes long: no count is lost.
#define COUNTS 20000u

enum { COUNT, VERSION, BULK };

static void *count_up(void *context) {
    struct arena_of_all *all = context;
    cosm_container_reader *reader = cosm_container_reader_create(all->sectors);
    for (uint32_t i = 0; i < COUNTS; i++) {
        const cosm_sector *sector = cosm_container_reader_pin(reader, (cosm_entity){1, 40});
        atomic_ullong *word =
            (atomic_ullong *)(uintptr_t)cosm_container_reader_member(reader, sector, COUNT);
        if (word != NULL) {
            atomic_fetch_add_explicit(word, 1, memory_order_relaxed);
        }
        CHECK(word != NULL);
        cosm_container_reader_unpin(reader, sector);
    }
    CHECK_DONE(cosm_container_reader_destroy(reader));
    atomic_fetch_sub(&all->writers_left, 1);
    return NULL;
}

TEST(what_is_written_under_a_pin_survives_every_move) {
    struct arena_of_all all = {.writers_left = 2, .seed = harness_seed()};
    const cosm_container_member members[] = {{.name = "count", .size = sizeof(atomic_ullong)},
                                             {.name = "version", .size = sizeof(Number)},
                                             {.name = "bulk", .size = 1u << 16}};
    all.sectors = cosm_container_create(&(cosm_container_desc){
        .members = members, .member_count = 3, .concurrent = true, .threshold = 0.01f});
    REQUIRE(all.sectors != NULL);
    CHECK(cosm_container_add(all.sectors, (cosm_entity){1, 40}, COUNT, NULL) != NULL);
    CHECK(cosm_container_add(all.sectors, (cosm_entity){1, 40}, BULK, NULL) != NULL);
    pthread_t threads[2];
    for (uint32_t i = 0; i < 2; i++) {
        CHECK_INT(pthread_create(&threads[i], NULL, count_up, &all), 0);
    }
    uint64_t moved = 0;
    for (uint64_t i = 0; atomic_load(&all.writers_left) != 0 || moved == 0; i++) {
        // A copy of the record with another version, unless it is pinned just now.
        moved += cosm_container_add(all.sectors, (cosm_entity){1, 40}, VERSION, &(Number){i, ~i}) !=
                 NULL;
        CHECK_DONE(cosm_container_maintain(all.sectors, NULL, NULL));
    }
    for (uint32_t i = 0; i < 2; i++) {
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    }
    cosm_container_reader *reader = cosm_container_reader_create(all.sectors);
    cosm_container_reader_enter(reader);
    const atomic_ullong *word = cosm_container_reader_read(reader, (cosm_entity){1, 40}, COUNT);
    CHECK(word != NULL && atomic_load(word) == 2 * COUNTS);
    cosm_container_reader_leave(reader);
    CHECK_DONE(cosm_container_reader_destroy(reader));
    CHECK_DONE(cosm_container_destroy(all.sectors));
}
