// Sector components where something is wrong: hooks that say no, memory that is refused, systems
// that touch what they did not declare.
#include "harness.h"
#include "support/hearth.h"
#include "support/ledger.h"

TEST(a_hook_that_says_no_leaves_everything_as_it_was) {
    struct hearth h;
    hearth_open(&h, 1);
    cosm_entity e[4];
    for (uint32_t i = 0; i < 4; i++) {
        e[i] = hearth_spawn(&h, h.world, 0);
        hearth_ember(&h, h.world, e[i], i);
    }
    CHECK_DONE(cosm_entity_remove(h.world, e[3], h.ember));
    uint64_t before = cosm_hash_batch(h.batch, COSM_HASH_EXACT);
    uint32_t nine = 9;
    h.book.refuse = 1;
    CHECK_FAILS(cosm_entity_set(h.world, e[0], h.ember, &(Ember){&nine}), COSM_ERROR_MEMORY,
                "cosm_entity_set", "Ember", "free");
    CHECK_FAILS(cosm_entity_set(h.world, e[3], h.ember, &(Ember){&nine}), COSM_ERROR_MEMORY,
                "cosm_entity_set", "Ember", "free");
    CHECK_FAILS(cosm_entity_add(h.world, e[3], h.ember), COSM_ERROR_MEMORY, "cosm_entity_add",
                "construct", "free");
    CHECK_INT(cosm_hash_batch(h.batch, COSM_HASH_EXACT), before);
    // A bundle: what was added before is taken away again, and leaves a free position.
    before = cosm_hash_batch(h.batch, COSM_HASH_CONTENT);
    cosm_component both = cosm_bundle_define(
        h.engine, &(cosm_bundle_desc){.name = "both", .components = {h.heat, h.mark, h.ember}});
    CHECK_INT(cosm_entity_add(h.world, e[3], both), COSM_ERROR_MEMORY);
    CHECK(!cosm_entity_has(h.world, e[3], h.heat) && !cosm_entity_has(h.world, e[3], h.mark));
    CHECK_INT(cosm_hash_batch(h.batch, COSM_HASH_CONTENT), before);
    // Commands: those that would make objects come to nothing as a whole, and can be tried again.
    cosm_commands *c = cosm_commands_create(h.batch);
    CHECK_DONE(cosm_commands_set(c, h.world, e[0], h.heat, &(Heat){5}));
    CHECK_DONE(cosm_commands_add(c, h.world, e[3], h.ember));
    CHECK_DONE(cosm_commands_remove(c, h.world, e[1], h.ember));
    CHECK_DONE(cosm_commands_add(c, h.world, e[1], h.ember));
    CHECK_DONE(cosm_commands_remove(c, h.world, e[2], h.ember));
    for (int n = 1; n <= 2; n++) {
        h.book.refuse = n;
        CHECK_FAILS(cosm_commands_apply(c, NULL), COSM_ERROR_MEMORY, "cosm_commands_apply", "Ember",
                    "free");
        CHECK_INT(cosm_hash_batch(h.batch, COSM_HASH_CONTENT), before);
        CHECK_INT(atomic_load(&h.book.alive), 3);
    }
    h.book.refuse = 0;
    CHECK_DONE(cosm_commands_apply(c, NULL));
    CHECK_INT(hearth_number(&h, h.world, e[3]), 7);
    CHECK_INT(hearth_number(&h, h.world, e[1]), 7);
    CHECK_INT(hearth_number(&h, h.world, e[2]), -1);
    CHECK(hearth_degrees(&h, h.world, e[0]) == 5);
    before = cosm_hash_batch(h.batch, COSM_HASH_EXACT);
    // Recording a value makes its copy.
    h.book.refuse = 1;
    CHECK_INT(cosm_commands_set(c, h.world, e[0], h.ember, &(Ember){&nine}), COSM_ERROR_MEMORY);
    CHECK(cosm_entity_is_none(
        cosm_commands_spawn_with(c, h.world, h.thing, &(cosm_value){h.ember, &(Ember){&nine}}, 1)));
    CHECK_INT(cosm_commands_count(c), 0);
    Ember many[2] = {{&nine}, {&nine}};
    cosm_entity bare[2] = {e[2], hearth_spawn(&h, h.world, 0)};
    before = cosm_hash_batch(h.batch, COSM_HASH_EXACT);
    for (int n = 1; n <= 2; n++) {
        h.book.refuse = n;
        CHECK_INT(cosm_entity_set_many(h.world, e, 2, h.ember, many), COSM_ERROR_MEMORY);
        h.book.refuse = n;
        CHECK_INT(cosm_entity_add_many(h.world, bare, 2, h.ember), COSM_ERROR_MEMORY);
        CHECK_INT(cosm_hash_batch(h.batch, COSM_HASH_EXACT), before);
    }
    h.book.refuse = 0;
    CHECK_INT(atomic_load(&h.book.alive), 3);
    cosm_commands_destroy(c);
    hearth_close(&h);
}

#define STEP_COUNT 15u
#define CROWD 30u

// What is tried with every allocation refused in turn. `step` numbers the operations.
static cosm_result do_step(struct hearth *h, cosm_commands *c, cosm_query *query, uint32_t step,
                           cosm_entity *e) {
    uint32_t nine = 9;
    cosm_value values[] = {{h->spot, &(Spot){1, 2}},
                           {h->heat, &(Heat){3}},
                           {h->ember, &(Ember){&nine}},
                           {h->wet, NULL}};
    Ember embers[3] = {{&nine}, {&nine}, {&nine}};
    cosm_entity made = COSM_ENTITY_NONE;
    cosm_result result = COSM_OK;
    switch (step) {
    case 0:
        return cosm_entity_add(h->world, e[0], h->heat);
    case 1:
        return cosm_entity_set(h->world, e[1], h->ember, embers);
    case 2:
        return cosm_entity_set(h->world, e[1], h->ember, embers);
    case 3:
        return cosm_entity_add(h->world, e[2], h->hot);
    case 4:
        made = cosm_entity_spawn_with(h->world, h->thing, values, 4);
        return cosm_entity_is_none(made) ? COSM_ERROR_MEMORY : COSM_OK;
    case 5:
        return cosm_entity_set_many(h->world, e, 3, h->ember, embers);
    case 6:
        return cosm_entity_add_many(h->world, e, 4, h->smoke);
    case 7:
        return cosm_entity_remove_many(h->world, e, 2, h->smoke);
    case 8:
        return cosm_query_add(query, h->all, h->kiln);
    case 9:
        return cosm_query_set(query, h->all, h->ember, embers);
    case 10:
        return cosm_query_remove(query, h->all, h->ember);
    case 11:
        if (cosm_commands_count(c) == 0) {
            made = cosm_commands_spawn_with(c, h->world, h->thing, values, 4);
            result = cosm_entity_is_none(made) ? COSM_ERROR_MEMORY : COSM_OK;
            result = result != COSM_OK ? result : cosm_commands_add(c, h->world, e[0], h->ember);
            result = result != COSM_OK ? result : cosm_commands_remove(c, h->world, e[1], h->smoke);
            result = result != COSM_OK
                         ? result
                         : cosm_commands_set(c, h->world, e[3], h->kiln, &(Kiln){.number = 4});
        }
        if (result != COSM_OK) {
            cosm_commands_clear(c);
            return result;
        }
        return cosm_commands_apply(c, NULL);
    case 12:
        return cosm_entity_remove(h->world, e[0], h->hot);
    case 13:
        return cosm_query_despawn(query, h->all);
    case 14: // over several chunks
        return cosm_entity_add_many(h->world, e + 4, CROWD, h->kiln);
    default:
        return COSM_STALE;
    }
}

// Does the steps before one of them, then this one with its n-th allocation refused. Returns
// whether there was such an allocation.
static bool try_step(uint32_t step, uint64_t n) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct hearth h;
    hearth_open_with(&h, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)}, NULL);
    cosm_query *query = cosm_query_create(
        h.engine,
        &(cosm_query_desc){.terms = {{.component = h.spot, .access = COSM_ACCESS_WRITE},
                                     {.component = h.heat, .access = COSM_ACCESS_WRITE}}});
    cosm_commands *c = cosm_commands_create(h.batch);
    cosm_entity e[4 + CROWD];
    for (uint32_t i = 0; i < 4 + CROWD; i++) {
        e[i] = hearth_spawn(&h, h.world, (float)i);
    }
    for (uint32_t i = 0; i < step; i++) {
        CHECK_DONE(do_step(&h, c, query, i, e));
    }
    uint64_t before = cosm_hash_batch(h.batch, COSM_HASH_CONTENT);
    int alive = atomic_load(&h.book.alive);
    ledger_refuse(&ledger, n, 1);
    cosm_result result = do_step(&h, c, query, step, e);
    bool has_refused = ledger_relent(&ledger);
    CHECK(result == COSM_OK || (result == COSM_ERROR_MEMORY && has_refused));
    if (result != COSM_OK) {
        cosm_commands_clear(c); // gives back what was promised, and the objects of values
        CHECK_INT(atomic_load(&h.book.alive), alive);
        CHECK(step == 11 || cosm_hash_batch(h.batch, COSM_HASH_CONTENT) == before);
        CHECK_VALID(h.batch);
        CHECK_DONE(do_step(&h, c, query, step, e));
    }
    CHECK_VALID(h.batch);
    cosm_commands_destroy(c);
    cosm_query_destroy(query);
    hearth_close(&h);
    ledger_close(&ledger);
    return has_refused;
}

TEST(running_out_of_memory_anywhere_changes_nothing) {
    uint32_t refused = 0;
    for (uint32_t step = 0; step < STEP_COUNT; step++) {
        for (uint64_t n = 1; try_step(step, n); n++) {
            refused++;
        }
    }
    CHECK(refused > 30);
}

TEST(declaring_a_group_survives_every_refused_allocation) {
    struct ledger ledger;
    ledger_open(&ledger);
    cosm_engine *engine =
        cosm_engine_create(&(cosm_engine_desc){.allocator = ledger_allocator(&ledger)});
    for (uint32_t i = 0; i < 40; i++) {
        char name[2][8] = {{'a', (char)('A' + i), 0}, {'b', (char)('A' + i), 0}};
        cosm_component a = cosm_component_define(
            engine,
            &(cosm_component_desc){.name = name[0], .size = 4, .storage = COSM_STORAGE_SECTOR});
        cosm_component b = cosm_component_define(
            engine,
            &(cosm_component_desc){.name = name[1], .size = 400, .storage = COSM_STORAGE_SECTOR});
        cosm_sector_group_desc desc = {.components = {a, b}};
        for (uint64_t n = 1;; n++) {
            ledger_refuse(&ledger, n, 1);
            cosm_sector_group group = cosm_sector_group_define(engine, &desc);
            bool has_refused = ledger_relent(&ledger);
            if (group.id != 0) {
                CHECK_INT(cosm_sector_group_of(engine, b).id, group.id);
                break;
            }
            CHECK(has_refused);
            CHECK_INT(cosm_sector_group_of(engine, a).id, 0);
            CHECK_INT(cosm_sector_group_of(engine, b).id, 0);
        }
    }
    CHECK_DONE(cosm_engine_destroy(engine));
    ledger_close(&ledger);
}

#ifdef COSM_CHECKS
// What a system does that it has not declared.
enum misdeed { GET, READ, WRITE, SET, MANY, LOC, WALK, OTHER_ROW, ROWS_GET, MISDEED_COUNT };

struct culprit {
    struct hearth *h;
    cosm_query *query;
    cosm_entity other;
    enum misdeed misdeed;
};

static void misbehave(cosm_rows *rows) {
    const struct culprit *culprit = rows->context;
    const struct hearth *h = culprit->h;
    cosm_world world = cosm_rows_world(rows, 0);
    cosm_entity e = rows->entities[0];
    Heat heat = {1};
    const void *values[1];
    cosm_rows inner;
    switch (culprit->misdeed) {
    case GET:
        CHECK(cosm_entity_get(world, e, h->heat, &heat));
        break;
    case READ:
        (void)cosm_entity_read(world, e, h->heat);
        break;
    case WRITE:
        (void)cosm_entity_write(world, e, h->heat);
        break;
    case SET:
        CHECK_DONE(cosm_entity_set(world, e, h->heat, &heat));
        break;
    case MANY:
        (void)cosm_entity_read_many(world, &e, 1, h->heat, values);
        break;
    case LOC:
        (void)cosm_loc_read(world, cosm_entity_loc(world, e), h->heat);
        break;
    case WALK:
        cosm_query_walk(culprit->query, cosm_worlds_one(world), &inner);
        cosm_rows_end(&inner);
        break;
    case ROWS_GET:
        CHECK(cosm_rows_get(rows, 0, h->heat, &heat));
        break;
    default: // it may write heat, of its own rows
        CHECK_DONE(cosm_entity_set(world, culprit->other, h->heat, &heat));
        break;
    }
}

TEST(a_system_that_touches_a_sector_component_it_did_not_declare_is_reported) {
    for (int misdeed = 0; misdeed < MISDEED_COUNT; misdeed++) {
        struct hearth h;
        hearth_open(&h, 1);
        cosm_entity e = hearth_spawn(&h, h.world, 0);
        cosm_entity pot = cosm_entity_spawn(h.world, h.pot);
        hearth_heat(&h, h.world, e, 5);
        hearth_heat(&h, h.world, pot, 5);
        struct culprit culprit = {.h = &h, .other = pot, .misdeed = (enum misdeed)misdeed};
        culprit.query = cosm_query_create(
            h.engine,
            &(cosm_query_desc){.terms = {{.component = h.heat, .access = COSM_ACCESS_WRITE}}});
        cosm_query_desc query = {
            .terms = {{.component = h.spot, .access = COSM_ACCESS_WRITE},
                      {.component = misdeed == OTHER_ROW ? h.heat : h.wet,
                       .access = COSM_ACCESS_WRITE,
                       .kind = misdeed == OTHER_ROW ? COSM_TERM_WITH : COSM_TERM_OPTIONAL},
                      {.component = h.pan, .kind = COSM_TERM_WITHOUT}}};
        CHECK(cosm_system_define(h.engine, &(cosm_system_desc){.name = "culprit",
                                                               .each = misbehave,
                                                               .context = &culprit,
                                                               .queries = {query}})
                  .id != 0);
        CHECK_FAILS(cosm_batch_step(h.batch), COSM_ERROR_ACCESS, "cosm", "culprit", "Heat");
        cosm_query_destroy(culprit.query);
        hearth_close(&h);
    }
}
#endif
