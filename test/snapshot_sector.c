// Sector components in snapshots: records come back to their places, objects are made once and end
// once, and what comes next goes where it went.
#include <string.h>

#include "harness.h"
#include "state/restore.h"
#include "support/ledger.h"
#include "support/storages.h"

enum { WORLDS = 2, THINGS = 60, KEPT = 5 };

// What a history goes on from, beside the batch.
struct memo {
    struct dice dice;
    cosm_entity things[WORLDS][THINGS];
};

struct kept {
    cosm_snapshot *snapshot;
    struct memo memo;
    uint64_t hash;
    uint64_t order;
};

struct play {
    struct fixture box;
    struct ledger ledger;
    struct memo memo;
    cosm_commands *commands;
    cosm_query *warm;
    uint64_t trace; // everything that calls have returned
    struct kept kept[KEPT];
};

static uint32_t roll(struct play *p, uint32_t sides) {
    return dice_roll(&p->memo.dice, sides);
}

static uint64_t mix(uint64_t sum, uint64_t value) {
    sum = (sum ^ value) * 0x9E3779B97F4A7C15u;
    return sum ^ sum >> 29;
}

static void note(struct play *p, uint64_t value) {
    p->trace = mix(p->trace, value);
}

// The records of a component in the order of a walk, with their places in their chunks.
static uint64_t walk_order(cosm_world world, cosm_component component) {
    uint64_t sum = 0;
    cosm_container *sectors = cosm_sector_container(world, component, NULL);
    cosm_container_walk walk;
    for (cosm_sector *s = sectors == NULL ? NULL : cosm_container_walk_begin(sectors, NULL, &walk);
         s != NULL; s = cosm_container_walk_next(&walk, s)) {
        sum = mix(sum, (uint64_t)s->entity.gen << 32 | s->entity.id);
        sum = mix(sum, s->live);
    }
    return sum;
}

static uint64_t order_of(struct play *p) {
    cosm_component parts[] = {p->box.heat, p->box.wet, p->box.note};
    uint64_t sum = 0;
    for (uint32_t w = 0; w < WORLDS; w++) {
        for (uint32_t i = 0; i < 3; i++) {
            sum = mix(sum, walk_order(fixture_world(&p->box, w), parts[i]));
        }
    }
    return sum;
}

static cosm_component pick(struct play *p) {
    cosm_component parts[] = {p->box.heat, p->box.smoke, p->box.wet,
                              p->box.kiln, p->box.note,  p->box.mark};
    return parts[roll(p, 6)];
}

static void spawn(struct play *p, cosm_world world, cosm_entity *thing) {
    uint32_t number = roll(p, 90);
    cosm_value values[] = {{p->box.heat, &(Heat){(float)number}},
                           {p->box.note, &(Text){.number = number}},
                           {p->box.wet, NULL}};
    cosm_archetype archetypes[] = {p->box.plain, p->box.plain, p->box.pot, p->box.stone};
    uint32_t first = roll(p, 3);
    cosm_entity made =
        cosm_entity_spawn_with(world, archetypes[roll(p, 4)], values + first, roll(p, 4 - first));
    note(p, (uint64_t)made.gen << 32 | made.id);
    *thing = cosm_entity_is_none(made) ? *thing : made;
}

static void set(struct play *p, cosm_world world, cosm_entity thing) {
    uint32_t number = roll(p, 90);
    cosm_result result = COSM_OK;
    switch (roll(p, 4)) {
    case 0:
        result = cosm_entity_set(world, thing, p->box.heat, &(Heat){(float)number});
        break;
    case 1:
        result = cosm_entity_set(world, thing, p->box.smoke, &(Smoke){number});
        break;
    case 2:
        result = cosm_entity_set(world, thing, p->box.kiln, &(Kiln){.number = number});
        break;
    default:
        result = cosm_entity_set(world, thing, p->box.note, &(Text){.number = number});
        break;
    }
    note(p, (uint64_t)result);
}

static void by_commands(struct play *p, cosm_world world, cosm_entity thing) {
    uint32_t number = roll(p, 90);
    cosm_entity made = cosm_commands_spawn_with(
        p->commands, world, p->box.plain, &(cosm_value){p->box.note, &(Text){.number = number}}, 1);
    note(p, (uint64_t)made.gen << 32 | made.id);
    CHECK_DONE(
        cosm_commands_set(p->commands, world, thing, p->box.note, &(Text){.number = number}));
    CHECK_DONE(cosm_commands_add(p->commands, world, thing, p->box.hot));
    CHECK_DONE(cosm_commands_remove(p->commands, world, thing, p->box.smoke));
    note(p, (uint64_t)cosm_commands_apply(p->commands, NULL));
    cosm_commands_clear(p->commands);
}

static void maintain(struct play *p, cosm_world world) {
    cosm_container_report report = {0, 0, 0, 0};
    cosm_container_budget budget = {.move_max = roll(p, 5)};
    CHECK_DONE(cosm_sector_maintain(world, &budget, &report));
    note(p, report.moved); // how many chunks go is a matter of memory
    note(p, report.reclaimed);
    note(p, report.left);
}

// Changes of many at a time.
static void crowd(struct play *p, cosm_world world, cosm_entity *things) {
    cosm_component part = pick(p);
    cosm_worlds worlds = cosm_worlds_one(world);
    cosm_entity living[THINGS];
    uint32_t count = 0;
    for (uint32_t i = roll(p, THINGS); i < THINGS; i++) {
        if (cosm_entity_is_alive(world, things[i])) {
            living[count++] = things[i];
        }
    }
    switch (roll(p, 6)) {
    case 0:
        note(p, (uint64_t)cosm_entity_add_many(world, living, count, part));
        break;
    case 1:
        note(p, (uint64_t)cosm_entity_remove_many(world, living, count, part));
        break;
    case 2:
        note(p, (uint64_t)cosm_query_add(p->warm, worlds, part));
        break;
    case 3:
        note(p, (uint64_t)cosm_query_remove(p->warm, worlds, part));
        break;
    default:
        for (uint32_t i = 0; i < count / 2; i++) {
            note(p, (uint64_t)cosm_entity_despawn(world, living[i]));
        }
        break;
    }
}

static void act(struct play *p) {
    uint32_t w = roll(p, WORLDS);
    cosm_world world = fixture_world(&p->box, w);
    cosm_entity *thing = &p->memo.things[w][roll(p, THINGS)];
    uint32_t what = roll(p, 200);
    if (what < 60) {
        spawn(p, world, thing);
    } else if (what < 100) {
        set(p, world, *thing);
    } else if (what < 120) {
        note(p, (uint64_t)cosm_entity_remove(world, *thing, pick(p)));
    } else if (what < 135) {
        note(p, (uint64_t)cosm_entity_add(world, *thing, pick(p)));
    } else if (what < 150) {
        note(p, (uint64_t)cosm_entity_despawn(world, *thing));
    } else if (what < 165) {
        by_commands(p, world, *thing);
    } else if (what < 185) {
        maintain(p, world);
    } else if (what < 197) {
        crowd(p, world, p->memo.things[w]);
    } else if (what == 197) {
        CHECK_DONE(cosm_batch_trim(p->box.batch));
    } else if (roll(p, 3) == 0) {
        CHECK_DONE(cosm_world_reset(world));
    }
    cosm_error_clear();
}

static void open_batch(struct play *p) {
    p->box.batch = cosm_batch_create(p->box.engine, &(cosm_batch_desc){.world_count = WORLDS});
    p->box.all = cosm_worlds_all(p->box.batch);
    p->box.world = cosm_batch_world(p->box.batch, 0);
    p->commands = cosm_commands_create(p->box.batch);
}

static void open_play(struct play *p, uint64_t seed) {
    memset(p, 0, sizeof(*p));
    p->memo.dice.state = seed;
    memset(p->memo.things, 0xFF, sizeof(p->memo.things));
    ledger_open(&p->ledger);
    fixture_open_with(&p->box, FIXTURE_SECTOR,
                      &(cosm_engine_desc){.allocator = ledger_allocator(&p->ledger)},
                      &(cosm_batch_desc){.world_count = WORLDS});
    p->commands = cosm_commands_create(p->box.batch);
    p->warm = cosm_query_create(
        p->box.engine,
        &(cosm_query_desc){.terms = {{.component = p->box.heat, .access = COSM_ACCESS_WRITE}}});
}

static void close_play(struct play *p) {
    cosm_commands_destroy(p->commands);
    cosm_query_destroy(p->warm);
    fixture_close(&p->box);
    ledger_close(&p->ledger);
}

// Some calls, and what they and the batch have come to.
static uint64_t go_on(struct play *p, uint32_t turns) {
    p->trace = 0;
    for (uint32_t i = 0; i < turns; i++) {
        act(p);
        note(p, order_of(p));
    }
    note(p, cosm_hash_batch(p->box.batch, COSM_HASH_EXACT));
    return p->trace;
}

static void keep(struct play *p, struct kept *kept) {
    cosm_snapshot_destroy(kept->snapshot);
    uint64_t before = cosm_hash_worlds(p->box.all, COSM_HASH_EXACT);
    kept->snapshot = cosm_snapshot_create(p->box.all);
    CHECK(kept->snapshot != NULL);
    for (uint32_t w = 0; w < WORLDS; w++) {
        CHECK_STR(cosmi_image_fault(kept->snapshot->schema, kept->snapshot->worlds[w], NULL), NULL);
    }
    kept->memo = p->memo;
    kept->hash = before;
    kept->order = order_of(p);
    CHECK_INT(cosm_hash_worlds(p->box.all, COSM_HASH_EXACT), before);
    CHECK_INT(cosm_hash_snapshot(kept->snapshot, COSM_HASH_EXACT), before);
}

static void go_back(struct play *p, const struct kept *kept) {
    CHECK_DONE(cosm_snapshot_restore(kept->snapshot, 0, p->box.all));
    CHECK_VALID(p->box.batch);
    CHECK_INT(cosm_hash_worlds(p->box.all, COSM_HASH_EXACT), kept->hash);
    CHECK_INT(order_of(p), kept->order);
    p->memo = kept->memo;
}

TEST(records_come_back_to_their_places_and_have_the_same_future) {
    static struct play play;
    struct play *p = &play;
    for (uint64_t round = 0; round < 3; round++) {
        open_play(p, harness_seed() + round);
        struct dice dice = {harness_seed() * 7 + round};
        for (uint32_t turn = 0; turn < (harness_is_long() ? 3000u : 250u); turn++) {
            go_on(p, dice_roll(&dice, 20));
            struct kept *kept = &p->kept[dice_roll(&dice, KEPT)];
            if (kept->snapshot == NULL || dice_roll(&dice, 3) == 0) {
                keep(p, kept);
                continue;
            }
            go_back(p, kept);
            uint32_t turns = 1 + dice_roll(&dice, 25);
            uint64_t first = go_on(p, turns);
            go_back(p, kept);
            CHECK_INT(go_on(p, turns), first);
            if (dice_roll(&dice, 4) == 0) {
                cosm_snapshot_destroy(kept->snapshot);
                kept->snapshot = NULL;
            }
        }
        for (uint32_t i = 0; i < KEPT; i++) {
            cosm_snapshot_destroy(p->kept[i].snapshot);
        }
        close_play(p);
    }
}

TEST(a_batch_that_never_had_sectors_gets_them_by_a_restore) {
    static struct play play;
    struct play *p = &play;
    open_play(p, harness_seed());
    go_on(p, 400);
    struct kept *kept = &p->kept[0];
    keep(p, kept);
    uint64_t first = go_on(p, 40);
    cosm_commands_destroy(p->commands);
    CHECK_DONE(cosm_batch_destroy(p->box.batch));
    open_batch(p);
    // Tables of before are told of entities that end, too.
    cosm_entity early = cosm_entity_spawn(p->box.world, p->box.pot);
    CHECK(!cosm_entity_is_none(early));
    go_back(p, kept);
    CHECK_INT(go_on(p, 40), first);
    cosm_snapshot_destroy(kept->snapshot);
    close_play(p);
}

TEST(a_despawn_after_a_restore_ends_what_the_entity_has_beside_its_table) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    cosm_entity e = spawn_at(&box, box.world, 1);
    set_note(&box, box.world, e, 5);
    cosm_snapshot *snapshot = cosm_snapshot_create(box.all);
    cosm_batch *other = cosm_batch_create(box.engine, NULL);
    cosm_world world = cosm_batch_world(other, 0);
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(world, box.plain)));
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, cosm_worlds_all(other)));
    CHECK_INT(note_of(&box, world, e), 5);
    CHECK_INT(objects_count(&box.books), 3); // of two worlds and a snapshot
    CHECK_DONE(cosm_entity_despawn(world, e));
    CHECK_INT(objects_count(&box.books), 2);
    CHECK_VALID(other);
    CHECK_DONE(cosm_batch_destroy(other));
    cosm_snapshot_destroy(snapshot);
    fixture_close(&box);
}

TEST(what_is_equal_is_shared_and_stays) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    cosm_entity e[100];
    for (uint32_t i = 0; i < 100; i++) {
        e[i] = spawn_at(&box, box.world, 0);
        set_note(&box, box.world, e[i], i);
        CHECK_DONE(cosm_entity_set(box.world, e[i], box.kiln, &(Kiln){.number = i}));
    }
    cosm_snapshot *a = cosm_snapshot_create(box.all);
    CHECK(cosm_snapshot_memory(a).bytes > 100 * sizeof(Kiln));
    cosm_snapshot *b = cosm_snapshot_create(box.all);
    CHECK(cosm_snapshot_memory(b).own_bytes < 1000);
    CHECK_DONE(cosm_entity_set(box.world, e[50], box.kiln, &(Kiln){.number = 7}));
    CHECK_DONE(cosm_entity_remove(box.world, e[51], box.note));
    set_note(&box, box.world, e[52], 99);
    uint64_t copied = box.books.copied;
    cosm_snapshot *c = cosm_snapshot_create(box.all);
    CHECK_INT(box.books.copied - copied, 1);
    CHECK(cosm_snapshot_memory(c).own_bytes < 10 * sizeof(Kiln) + 2000);
    const void *kiln = cosm_entity_read(box.world, e[1], box.kiln);
    const void *sectors = cosm_sector_container(box.world, box.kiln, NULL);
    copied = box.books.copied;
    CHECK_DONE(cosm_snapshot_restore(a, 0, box.all));
    CHECK_INT(box.books.copied - copied, 2);
    CHECK_INT(note_of(&box, box.world, e[51]), 51);
    CHECK_INT(note_of(&box, box.world, e[52]), 52);
    CHECK_INT(COSM_READ(box.world, e[50], Kiln)->number, 50);
    CHECK(cosm_entity_read(box.world, e[1], box.kiln) == kiln);
    CHECK(cosm_sector_container(box.world, box.kiln, NULL) == sectors);
    cosm_snapshot_destroy(a);
    CHECK_DONE(cosm_world_reset(box.world));
    CHECK_DONE(cosm_batch_trim(box.batch));
    CHECK_DONE(cosm_snapshot_restore(c, 0, box.all));
    CHECK_INT(note_of(&box, box.world, e[51]), -1);
    CHECK_INT(note_of(&box, box.world, e[99]), 99);
    CHECK_VALID(box.batch);
    cosm_snapshot_destroy(c);
    cosm_snapshot_destroy(b);
    fixture_close(&box);
}

TEST(a_world_that_had_nothing_beside_has_nothing_again) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    cosm_entity e = spawn_at(&box, box.world, 0);
    cosm_snapshot *nothing = cosm_snapshot_create(box.all);
    set_note(&box, box.world, e, 3);
    CHECK_DONE(cosm_entity_add(box.world, e, box.hot));
    cosm_snapshot *something = cosm_snapshot_create(box.all);
    CHECK_DONE(cosm_snapshot_restore(nothing, 0, box.all));
    CHECK_VALID(box.batch);
    CHECK_INT(note_of(&box, box.world, e), -1);
    CHECK(!cosm_entity_has(box.world, e, box.heat) && !cosm_entity_has(box.world, e, box.wet));
    CHECK_INT(objects_count(&box.books), 1);
    CHECK_DONE(cosm_snapshot_restore(something, 0, box.all));
    CHECK_VALID(box.batch);
    CHECK_INT(note_of(&box, box.world, e), 3);
    CHECK(cosm_entity_has(box.world, e, box.heat) && cosm_entity_has(box.world, e, box.wet));
    cosm_snapshot_destroy(nothing);
    cosm_snapshot_destroy(something);
    fixture_close(&box);
}

TEST(an_entity_finds_its_old_place_after_a_restore_too) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    cosm_entity e[3];
    for (uint32_t i = 0; i < 3; i++) {
        e[i] = spawn_at(&box, box.world, 0);
        set_heat(&box, box.world, e[i], (float)i);
    }
    CHECK_DONE(cosm_entity_remove(box.world, e[0], box.heat));
    CHECK_DONE(cosm_entity_remove(box.world, e[1], box.heat));
    cosm_snapshot *snapshot = cosm_snapshot_create(box.all);
    uint64_t orders[2];
    for (uint32_t i = 0; i < 2; i++) {
        set_heat(&box, box.world, e[1], 5); // to the second place, though the first is free
        set_heat(&box, box.world, spawn_at(&box, box.world, 0), 6);
        orders[i] = walk_order(box.world, box.heat);
        CHECK_DONE(cosm_world_reset(box.world));
        CHECK_DONE(cosm_batch_trim(box.batch));
        CHECK_DONE(cosm_snapshot_restore(snapshot, 0, box.all));
        CHECK_VALID(box.batch);
    }
    CHECK_INT(orders[0], orders[1]);
    cosm_snapshot_destroy(snapshot);
    fixture_close(&box);
}

TEST(packing_that_was_under_way_goes_on) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    cosm_entity e[64];
    for (uint32_t i = 0; i < 64; i++) {
        e[i] = spawn_at(&box, box.world, 0);
        set_heat(&box, box.world, e[i], (float)i);
    }
    for (uint32_t i = 0; i < 20; i++) {
        CHECK_DONE(cosm_entity_remove(box.world, e[i], box.heat));
    }
    // After these moves fewer than a quarter are dead: only because it was begun does it go on.
    cosm_container_report report;
    cosm_container_budget some = {.move_max = 10};
    CHECK_DONE(cosm_sector_maintain(box.world, &some, &report));
    CHECK_INT(report.moved, 10);
    CHECK_INT(report.left, 10);
    cosm_snapshot *midway = cosm_snapshot_create(box.all);
    CHECK_DONE(cosm_sector_maintain(box.world, NULL, &report));
    CHECK_INT(report.moved, 10);
    cosm_snapshot *after = cosm_snapshot_create(box.all);
    CHECK_DONE(cosm_snapshot_restore(midway, 0, box.all));
    CHECK_VALID(box.batch);
    CHECK_DONE(cosm_sector_maintain(box.world, NULL, &report));
    CHECK_INT(report.moved, 10);
    CHECK_INT(report.left, 0);
    CHECK_DONE(cosm_snapshot_restore(midway, 0, box.all));
    CHECK_DONE(cosm_snapshot_restore(after, 0, box.all));
    CHECK_DONE(cosm_entity_remove(box.world, e[40], box.heat));
    CHECK_DONE(cosm_sector_maintain(box.world, NULL, &report));
    CHECK_INT(report.moved, 0);
    cosm_snapshot_destroy(midway);
    cosm_snapshot_destroy(after);
    fixture_close(&box);
}

TEST(that_nothing_is_left_to_pack_is_in_a_snapshot_too) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    cosm_entity e[64];
    for (uint32_t i = 0; i < 64; i++) {
        e[i] = spawn_at(&box, box.world, 0);
        set_heat(&box, box.world, e[i], (float)i);
    }
    for (uint32_t i = 0; i < 20; i++) {
        CHECK_DONE(cosm_entity_remove(box.world, e[i], box.heat));
    }
    // The budget ends with the last move: whether that was all is found by the next call.
    cosm_container_report report;
    cosm_container_budget all = {.move_max = 20};
    CHECK_DONE(cosm_sector_maintain(box.world, &all, &report));
    CHECK_INT(report.moved, 20);
    cosm_snapshot *packing = cosm_snapshot_create(box.all);
    CHECK_DONE(cosm_sector_maintain(box.world, NULL, &report));
    CHECK_INT(report.moved, 0);
    cosm_snapshot *packed = cosm_snapshot_create(box.all);
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_DONE(cosm_snapshot_restore(i % 2 == 0 ? packed : packing, 0, box.all));
        CHECK_DONE(cosm_entity_remove(box.world, e[30], box.heat));
        CHECK_DONE(cosm_sector_maintain(box.world, NULL, &report));
        CHECK_INT(report.moved, i % 2);
    }
    cosm_snapshot_destroy(packed);
    cosm_snapshot_destroy(packing);
    fixture_close(&box);
}

TEST(a_container_that_lost_a_whole_chunk_is_another) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    cosm_entity e[16];
    for (uint32_t i = 0; i < 16; i++) {
        e[i] = spawn_at(&box, box.world, 0);
        CHECK_DONE(cosm_entity_set(box.world, e[i], box.kiln, &(Kiln){.number = i}));
    }
    cosm_snapshot *two = cosm_snapshot_create(box.all);
    for (uint32_t i = 8; i < 16; i++) {
        CHECK_DONE(cosm_entity_remove(box.world, e[i], box.kiln));
    }
    CHECK_DONE(cosm_sector_maintain(box.world, NULL, NULL));
    cosm_snapshot *one = cosm_snapshot_create(box.all);
    CHECK_DONE(cosm_snapshot_restore(two, 0, box.all));
    CHECK(cosm_entity_has(box.world, e[8], box.kiln));
    CHECK_DONE(cosm_snapshot_restore(one, 0, box.all));
    CHECK(cosm_entity_has(box.world, e[7], box.kiln) &&
          !cosm_entity_has(box.world, e[8], box.kiln));
    CHECK_VALID(box.batch);
    cosm_snapshot_destroy(two);
    cosm_snapshot_destroy(one);
    fixture_close(&box);
}

TEST(a_spawn_that_failed_leaves_no_id_that_was_never_used) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    uint32_t nine = 9;
    cosm_value values[] = {{box.heat, &(Heat){1}}, {box.note, &(Text){.number = nine}}};
    for (uint32_t i = 0; i < 3; i++) {
        objects_refuse(&box.books, 1, UINT64_MAX);
        CHECK(cosm_entity_is_none(cosm_entity_spawn_with(box.world, box.plain, values, 2)));
        (void)objects_relent(&box.books);
        CHECK_VALID(box.batch);
        cosm_snapshot *snapshot = cosm_snapshot_create(box.all);
        cosm_entity e = cosm_entity_spawn_with(box.world, box.plain, values, 2);
        uint64_t order = walk_order(box.world, box.heat);
        CHECK_DONE(cosm_snapshot_restore(snapshot, 0, box.all));
        CHECK_VALID(box.batch);
        cosm_entity again = cosm_entity_spawn_with(box.world, box.plain, values, 2);
        CHECK(cosm_entity_equals(e, again));
        CHECK_INT(walk_order(box.world, box.heat), order);
        cosm_snapshot_destroy(snapshot);
    }
    fixture_close(&box);
}

TEST(containers_that_are_walked_are_left_alone) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 2);
    cosm_entity e = spawn_at(&box, box.world, 0);
    set_heat(&box, box.world, e, 1);
    cosm_snapshot *snapshot = cosm_snapshot_create(box.all);
    cosm_container_walk walk;
    CHECK(cosm_container_walk_begin(cosm_sector_container(box.world, box.heat, NULL), NULL,
                                    &walk) != NULL);
    cosm_error_clear();
    CHECK(cosm_snapshot_create(box.all) == NULL);
    CHECK_FAILURE(COSM_ERROR_WALKED, "cosm_snapshot_create", "world 0", "cosm_container_walk_end");
    CHECK_FAILS(cosm_snapshot_restore(snapshot, 0, box.all), COSM_ERROR_WALKED,
                "cosm_snapshot_restore", "world 0", "cosm_container_walk_end");
    // The other world is nobody's business.
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, cosm_worlds_one(fixture_world(&box, 1))));
    cosm_container_walk_end(&walk);
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, box.all));
    CHECK_VALID(box.batch);
    cosm_snapshot_destroy(snapshot);
    fixture_close(&box);
}

// Ids far apart, so that pages of the map come and go.
TEST(maps_of_many_pages_come_back) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.plain, 20000, &rows));
    cosm_entity e[20];
    for (uint32_t i = 0; i < 20; i++) {
        e[i] = rows.entities[i * 1000 + 7];
    }
    cosm_snapshot *kept[21];
    for (uint32_t i = 0; i < 20; i++) {
        kept[i] = cosm_snapshot_create(box.all);
        set_heat(&box, box.world, e[i], (float)i);
        set_note(&box, box.world, e[19 - i], i);
    }
    kept[20] = cosm_snapshot_create(box.all);
    size_t used = cosm_batch_memory(box.batch).used;
    for (uint32_t n = 0; n < 60; n++) {
        uint32_t at = n * 13 % 21;
        CHECK_DONE(cosm_snapshot_restore(kept[at], 0, box.all));
        for (uint32_t i = 0; i < 20; i++) {
            CHECK(degrees_of(&box, box.world, e[i]) == (i < at ? (float)i : -1));
            CHECK_INT(note_of(&box, box.world, e[19 - i]), i < at ? (int)i : -1);
        }
    }
    CHECK_VALID(box.batch);
    CHECK_DONE(cosm_snapshot_restore(kept[20], 0, box.all));
    CHECK(cosm_batch_memory(box.batch).used <= used + 4096);
    for (uint32_t i = 0; i < 21; i++) {
        cosm_snapshot_destroy(kept[(i * 8) % 21]);
    }
    fixture_close(&box);
}

TEST(pages_of_the_map_are_given_back_when_their_ids_go_and_not_before) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.plain, 40000, &rows));
    cosm_entity e[40];
    for (uint32_t i = 0; i < 40; i++) {
        e[i] = rows.entities[i * 1000 + 7];
    }
    // Each in turn, so that the last id of a page goes and the first one comes.
    cosm_snapshot *lone[40];
    for (uint32_t i = 0; i < 40; i++) {
        set_heat(&box, box.world, e[i], (float)i);
        CHECK_DONE(i == 0 ? COSM_OK : cosm_entity_remove(box.world, e[i - 1], box.heat));
        lone[i] = cosm_snapshot_create(box.all);
    }
    for (uint32_t i = 0; i < 40; i++) {
        set_heat(&box, box.world, e[i], (float)i);
    }
    cosm_snapshot *all = cosm_snapshot_create(box.all);
    for (uint32_t i = 0; i < 80; i++) {
        CHECK_DONE(cosm_snapshot_restore(lone[i * 3 % 40], 0, box.all));
        CHECK(degrees_of(&box, box.world, e[i * 3 % 40]) == (float)(i * 3 % 40));
        CHECK_VALID(box.batch);
    }
    CHECK_DONE(cosm_snapshot_restore(all, 0, box.all));
    size_t used = cosm_batch_memory(box.batch).used;
    CHECK_DONE(cosm_snapshot_restore(lone[39], 0, box.all));
    CHECK(cosm_batch_memory(box.batch).used + 5 * 4096 * sizeof(uint32_t) < used);
    // After a restore they come and go as ever.
    for (uint32_t i = 0; i < 39; i++) {
        set_heat(&box, box.world, e[i], (float)i);
    }
    used = cosm_batch_memory(box.batch).used;
    for (uint32_t i = 0; i < 39; i++) {
        CHECK_DONE(cosm_entity_remove(box.world, e[i], box.heat));
    }
    CHECK_DONE(cosm_sector_maintain(box.world, NULL, NULL));
    CHECK(cosm_batch_memory(box.batch).used + 5 * 4096 * sizeof(uint32_t) < used);
    for (uint32_t i = 0; i < 40; i++) {
        cosm_snapshot_destroy(lone[i]);
    }
    cosm_snapshot_destroy(all);
    fixture_close(&box);
}

TEST(a_restore_that_failed_gives_back_the_room_it_made) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    for (uint32_t i = 0; i < 1000; i++) {
        cosm_entity e = spawn_at(&box, box.world, 0);
        set_note(&box, box.world, e, i);
    }
    cosm_snapshot *snapshot = cosm_snapshot_create(box.all);
    CHECK_DONE(cosm_world_reset(box.world));
    CHECK_DONE(cosm_batch_trim(box.batch));
    size_t used = cosm_batch_memory(box.batch).used;
    objects_refuse(&box.books, 1000, UINT64_MAX);
    CHECK_FAILS(cosm_snapshot_restore(snapshot, 0, box.all), COSM_ERROR_MEMORY,
                "cosm_snapshot_restore", "'Note'", "free memory");
    (void)objects_relent(&box.books);
    CHECK_INT(objects_count(&box.books), 1000); // those of the snapshot
    CHECK(cosm_batch_memory(box.batch).used < used + 100000);
    CHECK_VALID(box.batch);
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, box.all));
    CHECK_INT(objects_count(&box.books), 2000);
    cosm_snapshot_destroy(snapshot);
    fixture_close(&box);
}

// Lets the n-th copy or the n-th allocation fail, for every n, until it is done.
static uint32_t fail_in_turn(struct play *p, bool by_memory, const cosm_snapshot *snapshot,
                             cosm_snapshot **out_snapshot) {
    uint64_t before = cosm_hash_batch(p->box.batch, COSM_HASH_EXACT);
    uint64_t order = order_of(p);
    size_t alive = objects_count(&p->box.books);
    uint32_t failures = 0;
    for (int n = 1;; n++) {
        if (by_memory) {
            ledger_refuse(&p->ledger, (uint64_t)n, 1);
        } else {
            objects_refuse(&p->box.books, (uint64_t)n, UINT64_MAX);
        }
        cosm_result result;
        if (snapshot != NULL) {
            result = cosm_snapshot_restore(snapshot, 0, p->box.all);
        } else {
            *out_snapshot = cosm_snapshot_create(p->box.all);
            result = *out_snapshot == NULL ? cosm_error_result() : COSM_OK;
        }
        bool has_failed = by_memory ? ledger_relent(&p->ledger) : objects_relent(&p->box.books);
        if (result == COSM_OK) {
            return failures;
        }
        failures++;
        CHECK_INT(result, COSM_ERROR_MEMORY);
        CHECK(has_failed);
        CHECK_VALID(p->box.batch);
        CHECK_INT(cosm_hash_batch(p->box.batch, COSM_HASH_EXACT), before);
        CHECK_INT(order_of(p), order);
        CHECK(snapshot == NULL || objects_count(&p->box.books) == alive);
    }
}

TEST(a_failure_anywhere_leaves_all_records_as_they_were) {
    static struct play play;
    struct play *p = &play;
    uint32_t failures[3] = {0, 0, 0};
    for (uint32_t round = 0; round < 8; round++) {
        bool by_memory = round % 2 == 1;
        open_play(p, harness_seed() + 11 + round / 2);
        go_on(p, 250);
        cosm_snapshot *snapshot;
        failures[0] += fail_in_turn(p, by_memory, NULL, &snapshot);
        uint64_t hash = cosm_hash_worlds(p->box.all, COSM_HASH_EXACT);
        uint64_t order = order_of(p);
        go_on(p, 200);
        failures[1] += fail_in_turn(p, by_memory, snapshot, NULL);
        CHECK_VALID(p->box.batch);
        CHECK_INT(cosm_hash_worlds(p->box.all, COSM_HASH_EXACT), hash);
        CHECK_INT(order_of(p), order);
        cosm_commands_destroy(p->commands);
        CHECK_DONE(cosm_batch_destroy(p->box.batch));
        open_batch(p);
        failures[2] += fail_in_turn(p, by_memory, snapshot, NULL);
        CHECK_VALID(p->box.batch);
        CHECK_INT(cosm_hash_worlds(p->box.all, COSM_HASH_EXACT), hash);
        CHECK_INT(order_of(p), order);
        cosm_snapshot_destroy(snapshot);
        close_play(p);
    }
    CHECK(failures[0] > 40 && failures[1] > 10 && failures[2] > 20);
}
