// Sector components where something is wrong: hooks that say no, systems that touch what they did
// not declare. Memory that is refused is in storage_failures.c.
#include "harness.h"
#include "support/ledger.h"
#include "support/portrait.h"
#include "support/storages.h"

TEST(a_hook_that_says_no_leaves_everything_as_it_was) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    cosm_entity e[4];
    for (uint32_t i = 0; i < 4; i++) {
        e[i] = spawn_at(&box, box.world, 0);
        set_note(&box, box.world, e[i], i);
    }
    CHECK_DONE(cosm_entity_remove(box.world, e[3], box.note));
    uint64_t before = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    uint32_t nine = 9;
    objects_refuse(&box.books, 1, UINT64_MAX);
    CHECK_FAILS(cosm_entity_set(box.world, e[0], box.note, &(Text){.number = nine}),
                COSM_ERROR_MEMORY, "cosm_entity_set", "Note", "free");
    CHECK_FAILS(cosm_entity_set(box.world, e[3], box.note, &(Text){.number = nine}),
                COSM_ERROR_MEMORY, "cosm_entity_set", "Note", "free");
    CHECK_FAILS(cosm_entity_add(box.world, e[3], box.note), COSM_ERROR_MEMORY, "cosm_entity_add",
                "construct", "free");
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), before);
    // A bundle: what was added before is taken away again, and leaves a free position.
    struct portrait same = portrait_of(box.all, PORTRAIT_WHOLE);
    cosm_component both = cosm_bundle_define(
        box.engine,
        &(cosm_bundle_desc){.name = "both", .components = {box.heat, box.mark, box.note}});
    CHECK_INT(cosm_entity_add(box.world, e[3], both), COSM_ERROR_MEMORY);
    CHECK(!cosm_entity_has(box.world, e[3], box.heat) &&
          !cosm_entity_has(box.world, e[3], box.mark));
    CHECK_PORTRAIT(&same, box.all, PORTRAIT_WHOLE);
    // Commands: those that would make objects come to nothing as a whole, and can be tried again.
    cosm_commands *c = cosm_commands_create(box.batch);
    CHECK_DONE(cosm_commands_set(c, box.world, e[0], box.heat, &(Heat){5}));
    CHECK_DONE(cosm_commands_add(c, box.world, e[3], box.note));
    CHECK_DONE(cosm_commands_remove(c, box.world, e[1], box.note));
    CHECK_DONE(cosm_commands_add(c, box.world, e[1], box.note));
    CHECK_DONE(cosm_commands_remove(c, box.world, e[2], box.note));
    for (int n = 1; n <= 2; n++) {
        objects_refuse(&box.books, (uint64_t)n, UINT64_MAX);
        CHECK_FAILS(cosm_commands_apply(c, NULL), COSM_ERROR_MEMORY, "cosm_commands_apply", "Note",
                    "free");
        CHECK_PORTRAIT(&same, box.all, PORTRAIT_WHOLE);
        CHECK_INT(objects_count(&box.books), 3);
    }
    portrait_free(&same);
    (void)objects_relent(&box.books);
    CHECK_DONE(cosm_commands_apply(c, NULL));
    CHECK_INT(note_of(&box, box.world, e[3]), 0);
    CHECK_INT(note_of(&box, box.world, e[1]), 0);
    CHECK_INT(note_of(&box, box.world, e[2]), -1);
    CHECK(degrees_of(&box, box.world, e[0]) == 5);
    before = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    // Recording a value makes its copy.
    objects_refuse(&box.books, 1, UINT64_MAX);
    CHECK_INT(cosm_commands_set(c, box.world, e[0], box.note, &(Text){.number = nine}),
              COSM_ERROR_MEMORY);
    CHECK(cosm_entity_is_none(cosm_commands_spawn_with(
        c, box.world, box.plain, &(cosm_value){box.note, &(Text){.number = nine}}, 1)));
    CHECK_INT(cosm_commands_count(c), 0);
    Text many[2] = {{.number = nine}, {.number = nine}};
    cosm_entity bare[2] = {e[2], spawn_at(&box, box.world, 0)};
    before = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    for (int n = 1; n <= 2; n++) {
        objects_refuse(&box.books, (uint64_t)n, UINT64_MAX);
        CHECK_INT(cosm_entity_set_many(box.world, e, 2, box.note, many), COSM_ERROR_MEMORY);
        objects_refuse(&box.books, (uint64_t)n, UINT64_MAX);
        CHECK_INT(cosm_entity_add_many(box.world, bare, 2, box.note), COSM_ERROR_MEMORY);
        CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), before);
    }
    (void)objects_relent(&box.books);
    CHECK_INT(objects_count(&box.books), 3);
    cosm_commands_destroy(c);
    fixture_close(&box);
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
    struct fixture *box;
    cosm_query *query;
    cosm_entity other;
    enum misdeed misdeed;
};

static void misbehave(cosm_rows *rows) {
    const struct culprit *culprit = rows->context;
    const struct fixture *box = culprit->box;
    cosm_world world = cosm_rows_world(rows, 0);
    cosm_entity e = rows->entities[0];
    Heat heat = {1};
    const void *values[1];
    cosm_rows inner;
    switch (culprit->misdeed) {
    case GET:
        CHECK(cosm_entity_get(world, e, box->heat, &heat));
        break;
    case READ:
        (void)cosm_entity_read(world, e, box->heat);
        break;
    case WRITE:
        (void)cosm_entity_write(world, e, box->heat);
        break;
    case SET:
        CHECK_DONE(cosm_entity_set(world, e, box->heat, &heat));
        break;
    case MANY:
        (void)cosm_entity_read_many(world, &e, 1, box->heat, values);
        break;
    case LOC:
        (void)cosm_loc_read(world, cosm_entity_loc(world, e), box->heat);
        break;
    case WALK:
        cosm_query_walk(culprit->query, cosm_worlds_one(world), &inner);
        cosm_rows_end(&inner);
        break;
    case ROWS_GET:
        CHECK(cosm_rows_get(rows, 0, box->heat, &heat));
        break;
    default: // it may write heat, of its own rows
        CHECK_DONE(cosm_entity_set(world, culprit->other, box->heat, &heat));
        break;
    }
}

TEST(a_system_that_touches_a_sector_component_it_did_not_declare_is_reported) {
    for (int misdeed = 0; misdeed < MISDEED_COUNT; misdeed++) {
        struct fixture box;
        fixture_open(&box, FIXTURE_SECTOR, 1);
        cosm_entity e = spawn_at(&box, box.world, 0);
        cosm_entity pot = cosm_entity_spawn(box.world, box.pot);
        set_heat(&box, box.world, e, 5);
        set_heat(&box, box.world, pot, 5);
        struct culprit culprit = {.box = &box, .other = pot, .misdeed = (enum misdeed)misdeed};
        culprit.query = cosm_query_create(
            box.engine,
            &(cosm_query_desc){.terms = {{.component = box.heat, .access = COSM_ACCESS_WRITE}}});
        cosm_query_desc query = {
            .terms = {{.component = box.position, .access = COSM_ACCESS_WRITE},
                      {.component = misdeed == OTHER_ROW ? box.heat : box.wet,
                       .access = COSM_ACCESS_WRITE,
                       .kind = misdeed == OTHER_ROW ? COSM_TERM_WITH : COSM_TERM_OPTIONAL},
                      {.component = box.pan, .kind = COSM_TERM_WITHOUT}}};
        CHECK(cosm_system_define(box.engine, &(cosm_system_desc){.name = "culprit",
                                                                 .each = misbehave,
                                                                 .context = &culprit,
                                                                 .queries = {query}})
                  .id != 0);
        CHECK_FAILS(cosm_batch_step(box.batch), COSM_ERROR_ACCESS, "cosm", "culprit", "Heat");
        cosm_query_destroy(culprit.query);
        fixture_close(&box);
    }
}
#endif
