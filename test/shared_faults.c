// Shared components where something is wrong: misuse and its messages, and the limits. Memory that is
// refused is in storage_failures.c.
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "store/shared.h"
#include "support/storages.h"

// A pointer that is refused: NULL, and a message that names the call, the component and a remedy.
#define CHECK_REFUSED(pointer, call, value, remedy)                                                \
    do {                                                                                           \
        cosm_error_clear();                                                                        \
        CHECK((pointer) == NULL);                                                                  \
        CHECK_FAILURE(COSM_ERROR_ARGUMENT, call, value, remedy);                                   \
    } while (0)

static bool copy_nothing(void *context, void *object, const void *source) {
    (void)context;
    (void)object;
    (void)source;
    return true;
}

static bool make_nothing(void *context, void *object) {
    (void)context;
    (void)object;
    return true;
}

static void move_nothing(void *context, void *object, void *source) {
    (void)context;
    (void)object;
    (void)source;
}

static bool equal_always(void *context, const void *a, const void *b) {
    (void)context;
    (void)a;
    (void)b;
    return true;
}

static uint64_t hash_one(void *context, const void *object) {
    (void)context;
    (void)object;
    return 1;
}

TEST(components_that_cannot_be_are_refused) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    static const cosm_field field = {.name = "x", .type = COSM_FIELD_U32};
    struct {
        cosm_component_desc desc;
        const char *value;
        const char *remedy;
    } cases[] = {
        {{.name = "A", .size = 4, .storage = (cosm_storage)9}, "desc.storage 9", "cosm_storage"},
        {{.name = "A", .storage = COSM_STORAGE_SHARED}, "desc.size is 0", "for a tag"},
        {{.name = "A", .size = 4, .lifecycle = {.copy = copy_nothing}},
         "has a lifecycle",
         "leave out the lifecycle"},
        {{.name = "A",
          .size = 4,
          .storage = COSM_STORAGE_SHARED,
          .fields = &field,
          .field_count = 1,
          .layout = COSM_LAYOUT_SPLIT},
         "no column",
         "leave out the layout"},
        {{.name = "A",
          .size = 4,
          .storage = COSM_STORAGE_SHARED,
          .lifecycle = {.equals = equal_always}},
         "one of equals and hash",
         "set both"},
        {{.name = "A", .size = 4, .storage = COSM_STORAGE_SHARED, .lifecycle = {.hash = hash_one}},
         "one of equals and hash",
         "set both"},
        {{.name = "A",
          .size = 4,
          .storage = COSM_STORAGE_SHARED,
          .lifecycle = {.construct = make_nothing}},
         "construct or move",
         "leave them out"},
        {{.name = "A",
          .size = 4,
          .storage = COSM_STORAGE_SHARED,
          .lifecycle = {.move = move_nothing}},
         "construct or move",
         "leave them out"},
        {{.name = "A", .size = 4, .storage = COSM_STORAGE_SHARED, .change_rows = true},
         "desc.change_rows",
         "leave it out"},
    };
    for (uint32_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        cosm_error_clear();
        CHECK_INT(cosm_component_define(box.engine, &cases[i].desc).id, 0);
        CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_component_define", cases[i].value,
                      cases[i].remedy);
    }
    // The same name with another storage, or another function.
    cosm_error_clear();
    CHECK_INT(COSM_COMPONENT_DEFINE(box.engine, Team).id, 0);
    CHECK_INT(cosm_error_result(), COSM_ERROR_CONFLICT);
    CHECK_INT(cosm_component_define(box.engine,
                                    &(cosm_component_desc){.name = "Team",
                                                           .size = sizeof(Team),
                                                           .storage = COSM_STORAGE_SHARED,
                                                           .lifecycle = {.copy = copy_nothing}})
                  .id,
              0);
    CHECK_INT(cosm_error_result(), COSM_ERROR_CONFLICT);
    CHECK_INT(
        cosm_component_define(box.engine, &(cosm_component_desc){.name = "Team",
                                                                 .size = sizeof(Team),
                                                                 .storage = COSM_STORAGE_SHARED})
            .id,
        box.team.id);
    CHECK_INT(cosm_component_describe(box.engine, box.team).storage, COSM_STORAGE_SHARED);
    CHECK_INT(cosm_component_describe(box.engine, box.position).storage, COSM_STORAGE_COLUMN);
    cosm_error_clear();
    fixture_close(&box);
}

TEST(archetypes_with_shared_components_grow_and_last) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    cosm_archetype_desc fixed = {
        .components = {box.team}, .placement = COSM_PLACEMENT_FIXED, .max_per_world = 4};
    cosm_error_clear();
    CHECK_INT(cosm_archetype_define(box.engine, &fixed).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_archetype_define", "'Team' is shared",
                  "leave out desc.placement");
    cosm_archetype_desc brief = {.components = {box.position, box.rank}, .temporary = true};
    CHECK_INT(cosm_archetype_define(box.engine, &brief).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_archetype_define", "is shared", "desc.temporary");
    cosm_archetype_desc split = {.components = {box.position, box.team},
                                 .layouts = {{box.team, COSM_LAYOUT_SPLIT}}};
    CHECK_INT(cosm_archetype_define(box.engine, &split).id, 0);
    CHECK_INT(cosm_error_result(), COSM_ERROR_ARGUMENT);
    cosm_error_clear();
    fixture_close(&box);
}

TEST(terms_with_values_that_cannot_be_are_refused) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    Team red = {1, 0};
    cosm_term terms[] = {
        {.component = box.position, .access = COSM_ACCESS_WRITE, .value = &red},
        {.component = box.rank, .access = COSM_ACCESS_WRITE, .value = &red},
        {.component = box.mark, .access = COSM_ACCESS_WRITE, .value = &red},
        {.component = box.team, .kind = COSM_TERM_WITHOUT, .value = &red},
        {.component = box.team,
         .access = COSM_ACCESS_WRITE,
         .kind = COSM_TERM_OPTIONAL,
         .value = &red},
        {.component = box.team,
         .access = COSM_ACCESS_WRITE,
         .kind = COSM_TERM_ANY_OF,
         .value = &red},
    };
    for (uint32_t i = 0; i < sizeof(terms) / sizeof(terms[0]); i++) {
        // Behind one that is good, whose copy must not be lost.
        cosm_query_desc desc = {
            .terms = {{.component = box.team, .access = COSM_ACCESS_WRITE, .value = &red},
                      terms[i]}};
        cosm_error_clear();
        CHECK(cosm_query_create(box.engine, &desc) == NULL);
        CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_query_create", "terms[1] has a value",
                      "COSM_STORAGE_SHARED");
    }
    fixture_close(&box);
}

TEST(calls_of_shared_h_refuse_what_is_wrong) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    cosm_world none = {NULL, 0};
    cosm_shared_fn *each = (cosm_shared_fn *)NULL;
    CHECK_FAILS(cosm_shared_each(none, box.team, each, NULL), COSM_ERROR_ARGUMENT,
                "cosm_shared_each", "NULL", "cosm_batch_world");
    CHECK_FAILS(cosm_shared_each(box.world, box.team, each, NULL), COSM_ERROR_ARGUMENT,
                "cosm_shared_each", "each is NULL", "pass a function");
    CHECK_FAILS(cosm_world_reserve(box.world, box.hero, 10), COSM_ERROR_ARGUMENT,
                "cosm_world_reserve", "'hero' has shared components",
                "cosm_entity_spawn_many_with");
    CHECK_VALID(box.batch);
    fixture_close(&box);
}

static void ignore_value(void *context, const void *value, uint32_t entity_count) {
    (void)context;
    (void)value;
    (void)entity_count;
}

TEST(values_are_told_of_shared_components_only) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    CHECK_FAILS(cosm_shared_each(box.world, box.position, ignore_value, NULL), COSM_ERROR_ARGUMENT,
                "cosm_shared_each", "'Position' is not shared", "COSM_STORAGE_SHARED");
    CHECK_FAILS(cosm_shared_each(box.world, box.rank, ignore_value, NULL), COSM_ERROR_ARGUMENT,
                "cosm_shared_each", "Rank", "bundle");
    CHECK_FAILS(cosm_shared_each(box.world, (cosm_component){99}, ignore_value, NULL),
                COSM_ERROR_ARGUMENT, "cosm_shared_each", "99", "define");
    CHECK(!cosm_world_is_walked(box.world));
    fixture_close(&box);
}

TEST(shared_values_are_written_in_place_by_nobody) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    cosm_entity entity = spawn_player(&box, box.world, 1, 0);
    cosm_loc loc = cosm_entity_loc(box.world, entity);
    CHECK_REFUSED(cosm_entity_write(box.world, entity, box.team), "cosm_entity_write", "'Team'",
                  "cosm_entity_set");
    CHECK_REFUSED(COSM_WRITE(box.world, entity, Team), "COSM_WRITE", "'Team'", "cosm_entity_set");
    CHECK_REFUSED(cosm_loc_write(box.world, loc, box.team), "cosm_loc_write", "'Team'",
                  "cosm_entity_set");
    void *value = &entity;
    cosm_error_clear();
    CHECK_INT(cosm_entity_write_many(box.world, &entity, 1, box.team, &value), 0);
    CHECK(value == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_entity_write_many", "'Team'", "cosm_entity_set");
    cosm_lookup lookup;
    cosm_lookup_begin(box.world, box.team, &lookup);
    CHECK_REFUSED(COSM_LOOKUP_READ(&lookup, Team, entity), "cosm_lookup_read", "'Team'",
                  "cosm_entity_read");
    cosm_lookup_begin(box.world, box.team, &lookup);
    CHECK_REFUSED(COSM_LOOKUP_WRITE(&lookup, Team, entity), "cosm_lookup", "'Team'",
                  "cosm_entity_read");
    CHECK(COSM_READ(box.world, entity, Team) == cosm_entity_read(box.world, entity, box.team));
    CHECK_INT(color_of(box.world, entity), 1);
    fixture_close(&box);
}

TEST(columns_of_shared_components_are_refused) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    cosm_entity entity = spawn_player(&box, box.world, 1, 0);
    cosm_query *query = query_of_value(&box, box.team, NULL);
    cosm_rows rows;
    cosm_query_walk(query, box.all, &rows);
    CHECK(cosm_rows_next(&rows));
    CHECK_REFUSED(COSM_FIELD_READ(&rows, uint32_t, 1, 0), "COSM_FIELD_READ", "'Team'",
                  "COSM_COLUMN_READ");
    CHECK_REFUSED(cosm_rows_column(&rows, box.team), "cosm_rows_column", "'Team' is shared",
                  "cosm_rows_shared");
    CHECK_REFUSED(COSM_SHARED_READ(&rows, Position, 0), "COSM_SHARED_READ", "'Position'",
                  "COSM_COLUMN_READ");
    CHECK_REFUSED(COSM_SHARED_READ(&rows, uint32_t, 1), "COSM_SHARED_READ", "'Team'",
                  "use the type");
    CHECK_REFUSED(COSM_SHARED_READ(&rows, Team, 2), "COSM_SHARED_READ", "index 2",
                  "cosm_rows_next");
    CHECK_FAILS(cosm_rows_set(&rows, 0, box.team, &(Team){2, 0}), COSM_ERROR_ARGUMENT,
                "cosm_rows_set", "'Team' is shared", "cosm_commands_set");
    // Last, because they empty the rows.
    CHECK_REFUSED(COSM_COLUMN_READ(&rows, Team, 1), "COSM_COLUMN_READ", "'Team' is shared",
                  "COSM_SHARED_READ");
    CHECK_REFUSED(COSM_COLUMN_WRITE(&rows, Team, 1), "COSM_COLUMN_WRITE", "'Team' is shared",
                  "COSM_SHARED_READ");
    CHECK_REFUSED(COSM_READ(&rows, Team), "COSM_READ", "'Team' is shared", "COSM_SHARED_READ");
    CHECK_INT(rows.count, 0);
    cosm_rows_end(&rows);
    CHECK_REFUSED(COSM_SHARED_READ(&rows, Team, 1), "COSM_SHARED_READ", "index 1",
                  "cosm_rows_next");
    // Of a table as a whole there is none.
    CHECK_REFUSED(cosm_table_column(box.world, box.player, box.position), "cosm_table_column",
                  "'player' has shared components", "walk a query");
    CHECK_REFUSED(cosm_table_entities(box.world, box.player), "cosm_table_entities",
                  "'player' has shared components", "walk a query");
    CHECK_REFUSED(cosm_table_span(box.world, box.player, box.position, 0).data, "cosm_table_span",
                  "'player' has shared components", "walk a query");
    CHECK_FAILS(cosm_table_sort_u32(box.world, box.player, box.team, 0), COSM_ERROR_ARGUMENT,
                "cosm_table_sort_u32", "'Team'", "sort by one that it has");
    CHECK_INT(color_of(box.world, entity), 1);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(values_that_are_missing_are_refused) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    cosm_entity entity = spawn_player(&box, box.world, 1, 0);
    cosm_rows rows;
    cosm_value none = {box.team, NULL};
    cosm_value other = {box.level, &(Level){1}};
    uint64_t before = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    CHECK_FAILS(cosm_entity_set(box.world, entity, box.team, NULL), COSM_ERROR_ARGUMENT,
                "cosm_entity_set", "'Team'", "point it to 8 bytes");
    CHECK_FAILS(cosm_query_set(box.positions, box.all, box.team, NULL), COSM_ERROR_ARGUMENT,
                "cosm_query_set", "'Team'", "point it to 8 bytes");
    cosm_error_clear();
    CHECK(cosm_entity_is_none(cosm_entity_spawn_with(box.world, box.player, &none, 1)));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_entity_spawn_with", "values[0].data is NULL",
                  "point it to 8 bytes");
    CHECK_FAILS(cosm_entity_spawn_many_with(box.world, box.player, 3, &none, 1, &rows),
                COSM_ERROR_ARGUMENT, "cosm_entity_spawn_many_with", "values[0].data is NULL",
                "point it to 8 bytes");
    CHECK_FAILS(cosm_entity_spawn_many_with(box.world, box.player, 3, &other, 1, &rows),
                COSM_ERROR_ARGUMENT, "cosm_entity_spawn_many_with", "'Level'", "lacks");
    CHECK_FAILS(cosm_entity_spawn_many_with(box.world, box.player, 3, NULL, 1, &rows),
                COSM_ERROR_ARGUMENT, "cosm_entity_spawn_many_with", "values is NULL",
                "value_count");
    CHECK_FAILS(cosm_entity_spawn_many_with(box.world, box.player, 3, NULL, 0, NULL),
                COSM_ERROR_ARGUMENT, "cosm_entity_spawn_many_with", "out_rows is NULL",
                "cosm_rows");
    CHECK_FAILS(cosm_entity_spawn_many_with(box.world, (cosm_archetype){99}, 3, NULL, 0, &rows),
                COSM_ERROR_ARGUMENT, "cosm_entity_spawn_many_with", "99", "define");
    CHECK_FAILS(cosm_entity_spawn_many_with((cosm_world){NULL, 0}, box.player, 3, NULL, 0, &rows),
                COSM_ERROR_ARGUMENT, "cosm_entity_spawn_many_with", "NULL", "cosm_batch_world");
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), before);
    fixture_close(&box);
}

// A broken batch is found out, and the message says where.
static void check_broken(const cosm_batch *batch, const char *what) {
    CHECK_FAILS(cosm_batch_validate(batch), COSM_ERROR_CORRUPT, "cosm_batch_validate: world 0",
                what, "report it");
}

TEST(validation_finds_what_is_wrong_with_shared_values) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    for (uint32_t i = 0; i < 9; i++) {
        spawn_player(&box, box.world, i % 3, 0);
    }
    struct shared *shared = world_shared(box.batch, 0);
    struct group *group = shared->groups[1];
    struct shared_value *value = shared->values[2];
    struct record *record = &box.batch->worlds[0].records[4]; // in that group
    CHECK_VALID(box.batch);
    value->group_count++;
    check_broken(box.batch, "groups of a shared value");
    value->group_count--;
    ((Team *)value->bytes)->color += 100;
    check_broken(box.batch, "unchanged");
    ((Team *)value->bytes)->color -= 100;
    value->index--;
    check_broken(box.batch, "in its slot");
    value->index++;
    record->row++;
    check_broken(box.batch, "whose records lead to it");
    record->row--;
    record->table++;
    check_broken(box.batch, "whose records lead to it");
    record->table--;
    record->gen += 2;
    check_broken(box.batch, "whose records lead to it");
    record->gen -= 2;
    group->is_noted = true;
    check_broken(box.batch, "groups have rows");
    group->is_noted = false;
    group->hash++;
    check_broken(box.batch, "hash of a group");
    group->hash--;
    group->place++;
    check_broken(box.batch, "list of its archetype");
    group->place--;
    group->store->id++;
    check_broken(box.batch, "found by its number");
    group->store->id--;
    shared->free_count++;
    check_broken(box.batch, "in use and free");
    shared->free_count--;
    group->values[0] = shared->values[0];
    check_broken(box.batch, "listed by a value");
    group->values[0] = shared->values[1];
    // A record that leads to a group which has no row for it.
    cosm_entity lost = cosm_entity_spawn(box.world, box.plain);
    struct record *astray = &box.batch->worlds[0].records[lost.id];
    uint32_t table = astray->table;
    astray->table = group->store->id;
    check_broken(box.batch, "entities with shared values");
    astray->table = table;
    cosm_error_clear();
    fixture_close(&box);
}

TEST(an_archetype_may_have_as_many_shared_components_as_components) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    enum { COUNT = COSM_ARCHETYPE_COMPONENT_MAX };
    static cosm_component list[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        char name[16];
        snprintf(name, sizeof(name), "s%u", i);
        list[i] = cosm_component_define(box.engine,
                                        &(cosm_component_desc){.name = name,
                                                               .size = sizeof(uint32_t),
                                                               .storage = COSM_STORAGE_SHARED});
        CHECK(list[i].id != 0);
    }
    cosm_archetype all = cosm_archetype_define(
        box.engine, &(cosm_archetype_desc){.more = list, .more_count = COUNT});
    REQUIRE(all.id != 0);
    cosm_entity a = cosm_entity_spawn(box.world, all);
    cosm_entity b = cosm_entity_spawn(box.world, all);
    for (uint32_t i = 0; i < COUNT; i += 50) {
        CHECK_DONE(cosm_entity_set(box.world, b, list[i], &(uint32_t){i + 1}));
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        CHECK_INT(*(const uint32_t *)cosm_entity_read(box.world, a, list[i]), 0);
        CHECK_INT(*(const uint32_t *)cosm_entity_read(box.world, b, list[i]),
                  i % 50 == 0 ? i + 1 : 0);
    }
    uint64_t before = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    CHECK_INT(cosm_entity_add(box.world, a, box.team), COSM_ERROR_LIMIT);
    CHECK_INT(cosm_entity_set(box.world, a, box.team, &(Team){1, 1}), COSM_ERROR_LIMIT);
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), before);
    CHECK_VALID(box.batch);
    cosm_error_clear();
    fixture_close(&box);
}
