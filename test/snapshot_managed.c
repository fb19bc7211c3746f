// Managed components in snapshots: objects come back, each is made once and ends once, and tickets
// are what they were.
#include <string.h>

#include "harness.h"
#include "state/restore.h"
#include "support/ledger.h"
#include "support/storages.h"

enum { WORLDS = 2, ACTORS = 24, KEPT = 5 };

// What a history goes on from, beside the batch.
struct memo {
    struct dice dice;
    cosm_entity actors[WORLDS][ACTORS];
};

struct kept {
    cosm_snapshot *snapshot;
    struct memo memo;
    uint64_t hash;
    uint64_t tickets;
};

struct play {
    struct fixture box;
    struct ledger ledger;
    struct memo memo;
    cosm_commands *commands;
    uint64_t trace; // everything that calls have returned
    struct kept kept[KEPT];
};

static uint32_t roll(struct play *p, uint32_t sides) {
    return dice_roll(&p->memo.dice, sides);
}

static void note(struct play *p, uint64_t value) {
    p->trace = (p->trace ^ value) * 0x9E3779B97F4A7C15u;
    p->trace ^= p->trace >> 29;
}

static void note_entity(struct play *p, cosm_entity entity) {
    note(p, (uint64_t)entity.gen << 32 | entity.id);
}

static void sum_entry(void *context, const cosm_managed_entry *entry) {
    uint64_t *sum = context;
    *sum = *sum * 31 + entry->ticket.id;
    *sum = *sum * 31 + entry->entity.id;
    *sum = *sum * 31 + entry->component.id;
}

// Whose tickets there are, in their order.
static uint64_t tickets_of(cosm_batch *batch) {
    uint64_t sum = 0;
    CHECK_DONE(cosm_managed_audit(batch, sum_entry, &sum));
    return sum;
}

static void spawn(struct play *p, cosm_world world, cosm_entity *actor) {
    Text text;
    text_open(&p->box.books, &text, roll(p, 50));
    cosm_archetype archetypes[] = {p->box.actor, p->box.actor, p->box.pack, p->box.plain};
    uint32_t which = roll(p, 4);
    uint32_t values = which < 3 ? roll(p, 2) : 0;
    cosm_entity made =
        cosm_entity_spawn_with(world, archetypes[which], &(cosm_value){p->box.text, &text}, values);
    text_end(&p->box.books, &text);
    note_entity(p, made);
    *actor = cosm_entity_is_none(made) ? *actor : made;
}

static void set(struct play *p, cosm_world world, cosm_entity actor) {
    uint32_t number = roll(p, 50);
    if (roll(p, 2) == 0) {
        Text text;
        text_open(&p->box.books, &text, number);
        note(p, (uint64_t)cosm_entity_set(world, actor, p->box.text, &text));
        text_end(&p->box.books, &text);
    } else if (roll(p, 3) > 0) {
        Mesh mesh;
        mesh_open(&p->box.books, &mesh, number);
        note(p, (uint64_t)cosm_entity_set(world, actor, p->box.mesh, &mesh));
        mesh_end(&p->box.books, &mesh);
    } else {
        note(p, (uint64_t)cosm_entity_set(world, actor, p->box.pair, &(Pair){number, 2}));
    }
}

static void take(struct play *p, cosm_world world, cosm_entity actor) {
    Text text;
    cosm_result result = cosm_managed_take(world, actor, p->box.text, &text);
    note(p, (uint64_t)result);
    if (result == COSM_OK) {
        note(p, text_number(&text));
        text_end(&p->box.books, &text);
    }
}

static void put(struct play *p, cosm_world world, cosm_entity actor) {
    Text text;
    text_open(&p->box.books, &text, roll(p, 50));
    cosm_result result = cosm_managed_put(world, actor, p->box.text, &text);
    note(p, (uint64_t)result);
    if (result != COSM_OK) {
        text_end(&p->box.books, &text);
    }
}

// Changes an object where it is.
static void write(struct play *p, cosm_world world, cosm_entity actor) {
    cosm_ticket ticket = cosm_managed_ticket(world, actor, p->box.pair);
    Pair *pair = cosm_managed_write(world, p->box.pair, ticket);
    note(p, ticket.id);
    if (pair != NULL) {
        pair->b += roll(p, 9);
    }
}

static void emit(struct play *p, cosm_world world, cosm_entity actor) {
    Text text;
    text_open(&p->box.books, &text, roll(p, 50));
    cosm_value value = {p->box.text, &text};
    CHECK_DONE(cosm_commands_emit(p->commands, world, p->box.letter, &value, 1));
    CHECK_DONE(cosm_commands_set(p->commands, world, actor, p->box.text, &text));
    CHECK_DONE(cosm_commands_remove(p->commands, world, actor, p->box.mesh));
    text_end(&p->box.books, &text);
    note(p, (uint64_t)cosm_commands_apply(p->commands, NULL));
    cosm_commands_clear(p->commands);
}

static uint64_t sort_key(void *context, cosm_entity entity, const void *value) {
    (void)context;
    return value == NULL ? entity.id : ((const Text *)value)->number;
}

// What is rare.
static void upheaval(struct play *p, cosm_world world) {
    cosm_component parts[] = {p->box.text, p->box.mesh, p->box.pair, p->box.mark};
    switch (roll(p, 7)) {
    case 0:
        CHECK_DONE(cosm_world_reset(world));
        break;
    case 1:
        CHECK_DONE(cosm_batch_trim(p->box.batch));
        break;
    case 2:
        CHECK_DONE(cosm_batch_end_step(p->box.batch));
        break;
    case 3:
        note(p, (uint64_t)cosm_table_sort(world, p->box.actor, p->box.text, sort_key, NULL));
        break;
    case 4:
        note(p,
             (uint64_t)cosm_query_remove(p->box.texts, cosm_worlds_one(world), parts[roll(p, 4)]));
        break;
    case 5:
        CHECK_DONE(cosm_table_clear(world, p->box.letter));
        break;
    default:
        note(p, (uint64_t)cosm_query_despawn(p->box.texts, cosm_worlds_one(world)));
        break;
    }
}

static void act(struct play *p) {
    uint32_t w = roll(p, WORLDS);
    cosm_world world = fixture_world(&p->box, w);
    cosm_entity *actor = &p->memo.actors[w][roll(p, ACTORS)];
    cosm_component parts[] = {p->box.text, p->box.mesh, p->box.pair, p->box.mark};
    uint32_t what = roll(p, 100);
    if (what < 25) {
        spawn(p, world, actor);
    } else if (what < 45) {
        set(p, world, *actor);
    } else if (what < 53) {
        note(p, (uint64_t)cosm_entity_remove(world, *actor, parts[roll(p, 4)]));
    } else if (what < 58) {
        note(p, (uint64_t)cosm_entity_add(world, *actor, parts[roll(p, 4)]));
    } else if (what < 64) {
        note(p, (uint64_t)cosm_entity_despawn(world, *actor));
    } else if (what < 70) {
        take(p, world, *actor);
    } else if (what < 76) {
        put(p, world, *actor);
    } else if (what < 80) {
        note(p, cosm_managed_emplace(world, *actor, parts[roll(p, 3)]) != NULL);
    } else if (what < 84) {
        note(p, (uint64_t)cosm_managed_clear(world, *actor, parts[roll(p, 3)]));
    } else if (what < 90) {
        write(p, world, *actor);
    } else if (what < 97) {
        emit(p, world, *actor);
    } else {
        upheaval(p, world);
    }
    cosm_error_clear();
}

static void open_play(struct play *p, uint64_t seed) {
    memset(p, 0, sizeof(*p));
    p->memo.dice.state = seed;
    memset(p->memo.actors, 0xFF, sizeof(p->memo.actors));
    ledger_open(&p->ledger);
    fixture_open_with(&p->box, FIXTURE_MANAGED,
                      &(cosm_engine_desc){.allocator = ledger_allocator(&p->ledger)},
                      &(cosm_batch_desc){.world_count = WORLDS});
    p->commands = cosm_commands_create(p->box.batch);
}

static void close_play(struct play *p) {
    cosm_commands_destroy(p->commands);
    fixture_close(&p->box);
    ledger_close(&p->ledger);
}

// Some calls, and what they and the batch have come to.
static uint64_t go_on(struct play *p, uint32_t turns) {
    p->trace = 0;
    for (uint32_t i = 0; i < turns; i++) {
        act(p);
        note(p, tickets_of(p->box.batch));
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
    kept->tickets = tickets_of(p->box.batch);
    CHECK_INT(cosm_hash_worlds(p->box.all, COSM_HASH_EXACT), before);
    CHECK_INT(cosm_hash_snapshot(kept->snapshot, COSM_HASH_EXACT), before);
}

static void go_back(struct play *p, const struct kept *kept) {
    CHECK_DONE(cosm_snapshot_restore(kept->snapshot, 0, p->box.all));
    CHECK_VALID(p->box.batch);
    CHECK_INT(cosm_hash_worlds(p->box.all, COSM_HASH_EXACT), kept->hash);
    CHECK_INT(tickets_of(p->box.batch), kept->tickets);
    CHECK(p->box.books.wrong == NULL);
    p->memo = kept->memo;
}

TEST(objects_and_tickets_come_back_and_have_the_same_future) {
    static struct play play;
    struct play *p = &play;
    for (uint64_t round = 0; round < 3; round++) {
        open_play(p, harness_seed() + round);
        struct dice dice = {harness_seed() * 7 + round};
        for (uint32_t turn = 0; turn < (harness_is_long() ? 6000u : 500u); turn++) {
            go_on(p, dice_roll(&dice, 12));
            struct kept *kept = &p->kept[dice_roll(&dice, KEPT)];
            if (kept->snapshot == NULL || dice_roll(&dice, 3) == 0) {
                keep(p, kept);
                continue;
            }
            go_back(p, kept);
            uint32_t turns = 1 + dice_roll(&dice, 15);
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

TEST(a_snapshot_outlives_its_batch_and_is_restored_into_another) {
    static struct play play;
    struct play *p = &play;
    open_play(p, harness_seed());
    go_on(p, 300);
    struct kept *kept = &p->kept[0];
    keep(p, kept);
    uint64_t tickets = tickets_of(p->box.batch);
    uint64_t first = go_on(p, 40);
    cosm_commands_destroy(p->commands);
    CHECK_DONE(cosm_batch_destroy(p->box.batch));
    p->box.batch = cosm_batch_create(p->box.engine, &(cosm_batch_desc){.world_count = WORLDS});
    p->box.all = cosm_worlds_all(p->box.batch);
    p->commands = cosm_commands_create(p->box.batch);
    go_back(p, kept);
    CHECK_INT(tickets_of(p->box.batch), tickets);
    CHECK_INT(go_on(p, 40), first);
    cosm_snapshot_destroy(kept->snapshot);
    close_play(p);
}

TEST(worlds_change_places_with_their_objects) {
    static struct play play;
    struct play *p = &play;
    open_play(p, harness_seed() + 5);
    go_on(p, 200);
    cosm_world a = fixture_world(&p->box, 0);
    cosm_world b = fixture_world(&p->box, 1);
    uint64_t hashes[] = {cosm_hash_world(a, COSM_HASH_EXACT), cosm_hash_world(b, COSM_HASH_EXACT)};
    cosm_snapshot *snapshot = cosm_snapshot_create(p->box.all);
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, cosm_worlds_one(b)));
    CHECK_DONE(cosm_snapshot_restore(snapshot, 1, cosm_worlds_one(a)));
    CHECK_VALID(p->box.batch);
    CHECK_INT(cosm_hash_world(b, COSM_HASH_EXACT), hashes[0]);
    CHECK_INT(cosm_hash_world(a, COSM_HASH_EXACT), hashes[1]);
    cosm_snapshot_destroy(snapshot);
    close_play(p);
}

TEST(what_is_equal_is_shared_and_stays_where_it_is) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    cosm_entity entities[40];
    for (uint32_t i = 0; i < 40; i++) {
        entities[i] = spawn_text(&box, box.world, i);
    }
    cosm_snapshot *a = cosm_snapshot_create(box.all);
    CHECK_INT(objects_count(&box.books), 80);
    Text text;
    text_open(&box.books, &text, 99);
    CHECK_DONE(cosm_entity_set(box.world, entities[7], box.text, &text));
    uint64_t made = objects_made(&box.books);
    cosm_snapshot *b = cosm_snapshot_create(box.all);
    CHECK_INT(objects_made(&box.books) - made, 1);
    cosm_snapshot *c = cosm_snapshot_create(box.all);
    CHECK_INT(objects_made(&box.books) - made, 1);
    CHECK(cosm_snapshot_memory(c).own_bytes < 1000);
    const void *address = cosm_entity_read(box.world, entities[3], box.text);
    CHECK_DONE(cosm_snapshot_restore(a, 0, box.all));
    CHECK_INT(objects_made(&box.books) - made, 2);
    CHECK(cosm_entity_read(box.world, entities[3], box.text) == address);
    CHECK_INT(text_of(&box, box.world, entities[7]), 7);
    cosm_snapshot_destroy(a);
    CHECK_DONE(cosm_snapshot_restore(b, 0, box.all));
    CHECK_INT(text_of(&box, box.world, entities[7]), 99);
    CHECK_DONE(cosm_world_reset(box.world));
    cosm_snapshot_destroy(b);
    // One that was emptied, and one whose slots are freed in another order.
    CHECK_DONE(cosm_snapshot_restore(c, 0, box.all));
    CHECK_INT(text_of(&box, box.world, entities[39]), 39);
    cosm_snapshot *before = cosm_snapshot_create(box.all);
    CHECK_DONE(cosm_world_reset(box.world));
    cosm_snapshot *empty = cosm_snapshot_create(box.all);
    CHECK_DONE(cosm_snapshot_restore(before, 0, box.all));
    CHECK_DONE(cosm_snapshot_restore(empty, 0, box.all));
    CHECK_INT(cosm_managed_count(box.world, box.text), 0);
    CHECK_INT(objects_count(&box.books), 40 + 1); // those of `before`, which `c` has too, and ours
    text_end(&box.books, &text);
    cosm_snapshot_destroy(empty);
    cosm_snapshot_destroy(c);
    cosm_snapshot_destroy(before);
    fixture_close(&box);
}

TEST(a_world_of_many_objects_becomes_one_of_few) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    cosm_entity first = spawn_text(&box, box.world, 1);
    cosm_snapshot *few = cosm_snapshot_create(box.all);
    for (uint32_t i = 0; i < 300; i++) {
        spawn_text(&box, box.world, i);
    }
    cosm_snapshot *many = cosm_snapshot_create(box.all);
    CHECK_INT(objects_count(&box.books), 301 + 301);
    CHECK_DONE(cosm_snapshot_restore(few, 0, box.all));
    CHECK_INT(objects_count(&box.books), 1 + 301);
    CHECK_INT(text_of(&box, box.world, first), 1);
    CHECK_DONE(cosm_snapshot_restore(many, 0, box.all));
    CHECK_INT(objects_count(&box.books), 301 + 301);
    CHECK_VALID(box.batch);
    cosm_snapshot_destroy(few);
    cosm_snapshot_destroy(many);
    fixture_close(&box);
}

TEST(objects_that_cannot_be_copied_are_not_taken) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    cosm_lifecycle lifecycle = text_lifecycle(&box.books);
    lifecycle.copy = NULL;
    cosm_component lone =
        cosm_component_define(box.engine, &(cosm_component_desc){.name = "Lone",
                                                                 .size = sizeof(Text),
                                                                 .alignment = _Alignof(Text),
                                                                 .storage = COSM_STORAGE_MANAGED,
                                                                 .lifecycle = lifecycle});
    cosm_entity entity = spawn_text(&box, box.world, 1);
    CHECK(cosm_managed_emplace(box.world, entity, lone) != NULL);
    size_t count = objects_count(&box.books);
    cosm_error_clear();
    CHECK(cosm_snapshot_create(box.all) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_snapshot_create", "'Lone'", "copy function");
    CHECK_INT(objects_count(&box.books), count);
    CHECK_DONE(cosm_managed_clear(box.world, entity, lone));
    cosm_snapshot *snapshot = cosm_snapshot_create(box.all);
    CHECK(snapshot != NULL);
    CHECK(cosm_managed_emplace(box.world, entity, lone) != NULL);
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, box.all));
    CHECK_INT(cosm_managed_count(box.world, lone), 0);
    cosm_snapshot_destroy(snapshot);
    fixture_close(&box);
}

TEST(readers_of_changes_are_shown_objects_that_came_back) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    cosm_query *query = cosm_query_create(
        box.engine, &(cosm_query_desc){.terms = {{.component = box.pair, .changed = true}}});
    cosm_change_reader *reader = cosm_change_reader_create(box.batch, query);
    cosm_entity entity = spawn_text(&box, box.world, 1);
    CHECK_DONE(cosm_entity_set(box.world, entity, box.pair, &(Pair){1, 1}));
    cosm_snapshot *snapshot = cosm_snapshot_create(box.all);
    cosm_ticket ticket = cosm_managed_ticket(box.world, entity, box.pair);
    for (uint32_t i = 0; i < 2; i++) {
        cosm_rows rows;
        uint32_t shown = 0;
        for (cosm_change_walk(reader, box.all, &rows); cosm_rows_next(&rows);) {
            shown += rows.count;
        }
        CHECK_INT(shown, 1);
        // Nobody is told of this write; that it is undone is seen.
        ((Pair *)cosm_managed_write(box.world, box.pair, ticket))->a = 9;
        CHECK_DONE(cosm_snapshot_restore(snapshot, 0, box.all));
        CHECK_INT(((const Pair *)cosm_entity_read(box.world, entity, box.pair))->a, 1);
    }
    cosm_snapshot_destroy(snapshot);
    cosm_change_reader_destroy(reader);
    cosm_query_destroy(query);
    fixture_close(&box);
}

// A lifecycle that asks for a change from within.
struct meddler {
    cosm_world world;
    cosm_entity entity;
    uint32_t calls;
    uint32_t refused;
};

static void meddle(struct meddler *meddler) {
    meddler->calls++;
    if (meddler->world.batch != NULL) {
        meddler->refused +=
            cosm_entity_despawn(meddler->world, meddler->entity) == COSM_ERROR_WALKED;
    }
}

static bool meddle_copy(void *context, void *object, const void *source) {
    memcpy(object, source, sizeof(uint64_t));
    meddle(context);
    return true;
}

static void meddle_destroy(void *context, void *object) {
    (void)object;
    meddle(context);
}

TEST(a_hook_that_changes_the_world_meanwhile_is_refused) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    struct meddler meddler = {.calls = 0};
    cosm_component sly = cosm_component_define(
        box.engine,
        &(cosm_component_desc){
            .name = "Sly",
            .size = sizeof(uint64_t),
            .storage = COSM_STORAGE_MANAGED,
            .lifecycle = {.copy = meddle_copy, .destroy = meddle_destroy, .context = &meddler}});
    cosm_entity entity = fixture_spawn(&box, 1);
    CHECK_DONE(cosm_entity_set(box.world, entity, sly, &(uint64_t){1}));
    meddler = (struct meddler){.world = box.world, .entity = entity};
    cosm_snapshot *snapshot = cosm_snapshot_create(box.all);
    CHECK(snapshot != NULL);
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, box.all));
    CHECK_INT(meddler.calls, 3); // the copy of the snapshot, that of the restore, and the old one
    CHECK_INT(meddler.refused, 3);
    CHECK(cosm_entity_is_alive(box.world, entity));
    meddler.world.batch = NULL;
    cosm_snapshot_destroy(snapshot);
    fixture_close(&box);
}

// Lets the n-th copy or the n-th allocation fail, for every n, until it is done.
static uint32_t fail_in_turn(struct play *p, bool by_memory, const cosm_snapshot *snapshot,
                             cosm_snapshot **out_snapshot) {
    uint64_t before = cosm_hash_batch(p->box.batch, COSM_HASH_EXACT);
    uint64_t tickets = tickets_of(p->box.batch);
    size_t count = objects_count(&p->box.books);
    uint32_t failures = 0;
    for (uint64_t n = 1;; n++) {
        if (by_memory) {
            ledger_refuse(&p->ledger, n, 1);
        } else {
            objects_refuse(&p->box.books, n, 1);
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
            return has_failed ? 0 : failures;
        }
        failures++;
        CHECK_INT(result, COSM_ERROR_MEMORY);
        CHECK(has_failed);
        CHECK_VALID(p->box.batch);
        CHECK_INT(cosm_hash_batch(p->box.batch, COSM_HASH_EXACT), before);
        CHECK_INT(tickets_of(p->box.batch), tickets);
        // A world before the one that failed may have a base now, whose objects it holds on to.
        CHECK_DONE(snapshot == NULL ? cosm_batch_trim(p->box.batch) : COSM_OK);
        CHECK(snapshot == NULL || objects_count(&p->box.books) == count);
        tickets = tickets_of(p->box.batch);
    }
}

TEST(a_failure_anywhere_leaves_all_objects_as_they_were) {
    static struct play play;
    struct play *p = &play;
    uint32_t failures[3] = {0, 0, 0};
    for (uint32_t round = 0; round < 8; round++) {
        bool by_memory = round % 2 == 1;
        open_play(p, harness_seed() + 11 + round / 2);
        go_on(p, 120);
        cosm_snapshot *snapshot;
        failures[0] += fail_in_turn(p, by_memory, NULL, &snapshot);
        uint64_t hash = cosm_hash_worlds(p->box.all, COSM_HASH_EXACT);
        go_on(p, 120);
        failures[1] += fail_in_turn(p, by_memory, snapshot, NULL);
        CHECK_VALID(p->box.batch);
        CHECK_INT(cosm_hash_worlds(p->box.all, COSM_HASH_EXACT), hash);
        CHECK_DONE(cosm_world_reset(fixture_world(&p->box, 0)));
        CHECK_DONE(cosm_batch_trim(p->box.batch));
        failures[2] += fail_in_turn(p, by_memory, snapshot, NULL);
        CHECK_INT(cosm_hash_worlds(p->box.all, COSM_HASH_EXACT), hash);
        cosm_snapshot_destroy(snapshot);
        close_play(p);
    }
    CHECK(failures[0] > 40 && failures[1] > 10 && failures[2] > 20);
}
