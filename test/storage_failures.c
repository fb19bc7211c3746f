// Failures of memory and of hooks in calls about components of every storage: tables of calls, of
// which each is tried with the n-th request refused (see support/rig.h; the others are in
// failures.c).
#include <string.h>

#include "harness.h"
#include "support/rig.h"

// One call: the function of a case.
#define CALL(name, ...)                                                                            \
    static cosm_result name(struct rig *rig) {                                                     \
        const struct fixture *box = &rig->box;                                                     \
        const cosm_entity *e = rig->entities;                                                      \
        cosm_world world = box->world;                                                             \
        (void)e, (void)world;                                                                      \
        return __VA_ARGS__;                                                                        \
    }

CALL(apply, cosm_commands_apply(rig->commands, NULL))
CALL(trim, cosm_batch_trim(box->batch))

// Shared values.

static void prepare_shared(struct rig *rig) {
    const struct fixture *box = &rig->box;
    // Values that ended, so that there are numbers and places to take again.
    for (uint32_t i = 0; i < 9; i++) {
        rig->entities[i] = spawn_player(box, box->world, 100 + i, 0);
    }
    CHECK_DONE(cosm_entity_despawn_many(box->world, rig->entities + 2, 5));
    for (uint32_t i = 0; i < 24; i++) {
        Team team = {i % 4, 0};
        Level level = {i % 3};
        Position position = {(float)i, 0, 0};
        cosm_value values[] = {
            {box->position, &position}, {box->team, &team}, {box->level, &level}};
        cosm_archetype archetypes[] = {box->plain, box->player, box->hero};
        rig->entities[i] = cosm_entity_spawn_with(box->world, archetypes[i / 8], values, 1 + i / 8);
    }
    spawn_player(box, fixture_world(box, 1), 1, 0);
    rig->commands = cosm_commands_create(box->batch);
    for (uint32_t i = 4; i < 24; i++) {
        Team team = {i * 5 % 7, i};
        CHECK_DONE(
            cosm_commands_set(rig->commands, box->world, rig->entities[i], box->team, &team));
    }
    CHECK_DONE(cosm_commands_remove(rig->commands, box->world, rig->entities[20], box->team));
    CHECK_DONE(cosm_commands_despawn(rig->commands, box->world, rig->entities[21]));
    cosm_value value = {box->team, &(Team){61, 62}};
    (void)cosm_commands_spawn_with(rig->commands, fixture_world(box, 1), box->hero, &value, 1);
}

CALL(shared_spawn,
     or_none(cosm_entity_spawn_with(world, box->hero, &(cosm_value){box->team, &(Team){55, 0}}, 1)))
CALL(shared_spawn_default, or_none(cosm_entity_spawn(world, box->badge)))
CALL(shared_spawn_many_default,
     cosm_entity_spawn_many(world, box->badge, 40, &(cosm_rows){.count = 0}))
CALL(shared_add, cosm_entity_add(world, e[17], box->label))
CALL(shared_add_column, cosm_entity_add(world, e[17], box->mark))
CALL(shared_remove, cosm_entity_remove(world, e[17], box->level))
CALL(shared_set, cosm_entity_set(world, e[18], box->team, &(Team){71, 0}))
CALL(shared_set_absent, cosm_entity_set(world, e[0], box->team, &(Team){72, 0}))
CALL(shared_add_many, cosm_entity_add_many(world, e, 24, box->label))
CALL(shared_remove_many, cosm_entity_remove_many(world, e, 24, box->team))
CALL(shared_query_set, cosm_query_set(box->positions, box->all, box->team, &(Team){90, 1}))
CALL(shared_query_add, cosm_query_add(box->positions, box->all, box->label))
CALL(shared_query_add_column, cosm_query_add(box->positions, box->all, box->mark))
CALL(shared_query_remove, cosm_query_remove(box->positions, box->all, box->rank))
CALL(shared_sort, cosm_table_sort_u32(world, box->player, box->position, 0))

static cosm_result shared_spawn_many(struct rig *rig) {
    cosm_rows rows;
    cosm_value values[] = {{rig->box.team, &(Team){56, 0}}, {rig->box.level, &(Level){57}}};
    return cosm_entity_spawn_many_with(rig->box.world, rig->box.hero, 3000, values, 2, &rows);
}

static cosm_result shared_set_many(struct rig *rig) {
    Team values[24];
    for (uint32_t i = 0; i < 24; i++) {
        values[i] = (Team){i % 5, 80};
    }
    return cosm_entity_set_many(rig->box.world, rig->entities, 24, rig->box.team, values);
}

static cosm_result shared_query_create(struct rig *rig) {
    char text[] = "requested";
    cosm_query_desc desc = {
        .terms = {
            {.component = rig->box.team, .access = COSM_ACCESS_WRITE, .value = &(Team){1, 0}},
            {.component = rig->box.label, .access = COSM_ACCESS_WRITE, .value = &(Label){text}}}};
    rig->query = cosm_query_create(rig->box.engine, &desc);
    return or_memory(rig->query != NULL);
}

TEST(calls_about_shared_values_survive_every_refusal) {
    static const struct failure_case cases[] = {
        {.call = "cosm_entity_spawn_with:", .attempt = shared_spawn, .prepare = prepare_shared},
        {.call = "cosm_entity_spawn:", .attempt = shared_spawn_default, .prepare = prepare_shared},
        {.call = "cosm_entity_spawn_many_with:",
         .attempt = shared_spawn_many,
         .prepare = prepare_shared},
        {.call = "cosm_entity_spawn_many:",
         .attempt = shared_spawn_many_default,
         .prepare = prepare_shared},
        {.call = "cosm_entity_add:", .attempt = shared_add, .prepare = prepare_shared},
        {.call = "cosm_entity_add:", .attempt = shared_add_column, .prepare = prepare_shared},
        {.call = "cosm_entity_remove:", .attempt = shared_remove, .prepare = prepare_shared},
        {.call = "cosm_entity_set:", .attempt = shared_set, .prepare = prepare_shared},
        {.call = "cosm_entity_set:", .attempt = shared_set_absent, .prepare = prepare_shared},
        {.call = "cosm_entity_set_many:", .attempt = shared_set_many, .prepare = prepare_shared},
        {.call = "cosm_entity_add_many:", .attempt = shared_add_many, .prepare = prepare_shared},
        {.call = "cosm_entity_remove_many:",
         .attempt = shared_remove_many,
         .prepare = prepare_shared},
        {.call = "cosm_commands_apply:", .attempt = apply, .prepare = prepare_shared},
        {.call = "cosm_query_set:", .attempt = shared_query_set, .prepare = prepare_shared},
        {.call = "cosm_query_add:", .attempt = shared_query_add, .prepare = prepare_shared},
        {.call = "cosm_query_add:", .attempt = shared_query_add_column, .prepare = prepare_shared},
        {.call = "cosm_query_remove:", .attempt = shared_query_remove, .prepare = prepare_shared},
        {.call = "cosm_table_sort_u32:", .attempt = shared_sort, .prepare = prepare_shared},
        {.call = "cosm_query_create:", .attempt = shared_query_create, .prepare = prepare_shared},
    };
    CHECK_FAILURES(FIXTURE_SHARED, cases);
}

// Managed objects. Each begins where the one before it ends.

static void prepare_managed(struct rig *rig) {
    const struct fixture *box = &rig->box;
    rig->commands = cosm_commands_create(box->batch);
    rig->query = cosm_query_create(
        box->engine,
        &(cosm_query_desc){.terms = {{.component = box->position, .access = COSM_ACCESS_WRITE},
                                     {.component = box->text, .kind = COSM_TERM_WITHOUT}}});
    for (uint32_t i = 0; i < 12; i++) {
        rig->entities[i] = cosm_entity_spawn(box->world, i % 3 == 0 ? box->actor : box->plain);
    }
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(fixture_world(box, 1), box->actor)));
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(fixture_world(box, 1), box->plain)));
}

static cosm_result managed_spawn(struct rig *rig) {
    cosm_value values[] = {{rig->box.text, rig->texts}, {rig->box.mesh, &rig->mesh}};
    return or_none(cosm_entity_spawn_with(rig->box.world, rig->box.pack, values, 2));
}

CALL(managed_set, cosm_entity_set(world, e[0], box->text, rig->texts))
CALL(managed_set_mesh, cosm_entity_set(world, e[1], box->mesh, &rig->mesh))
CALL(managed_emplace, or_memory(cosm_managed_emplace(world, e[2], box->mesh) != NULL))
CALL(managed_emplace_text, or_memory(cosm_managed_emplace(world, e[2], box->text) != NULL))

static cosm_result managed_put(struct rig *rig) {
    struct fixture *box = &rig->box;
    Text moved;
    text_open(&box->books, &moved, 9);
    cosm_result result = cosm_managed_put(box->world, rig->entities[3], box->text, &moved);
    if (result != COSM_OK) {
        CHECK_INT(text_number(&moved), 9); // still the caller's
        text_end(&box->books, &moved);
    }
    return result;
}

static cosm_result managed_put_mesh(struct rig *rig) {
    struct fixture *box = &rig->box;
    Mesh moved;
    mesh_open(&box->books, &moved, 9);
    cosm_result result = cosm_managed_put(box->world, rig->entities[3], box->mesh, &moved);
    if (result != COSM_OK) {
        CHECK_INT(mesh_number(&moved), 9);
        mesh_end(&box->books, &moved);
    }
    return result;
}

CALL(managed_query_set, cosm_query_set(box->texts, box->all, box->text, rig->texts))
CALL(managed_query_set_mesh, cosm_query_set(rig->query, box->all, box->mesh, &rig->mesh))
CALL(managed_set_many, cosm_entity_set_many(world, e, 12, box->text, rig->texts))
CALL(managed_record_set, cosm_commands_set(rig->commands, world, e[4], box->text, rig->texts))
CALL(managed_record_emit,
     cosm_commands_emit(rig->commands, world, box->letter, &(cosm_value){box->text, rig->texts}, 1))
CALL(managed_record_pair, cosm_commands_set(rig->commands, world, e[1], box->pair, &(Pair){1, 2}))

static cosm_result managed_record_spawn(struct rig *rig) {
    cosm_value values[] = {{rig->box.text, rig->texts}, {rig->box.mesh, &rig->mesh}};
    return or_none(
        cosm_commands_spawn_with(rig->commands, rig->box.world, rig->box.pack, values, 2));
}

TEST(calls_about_managed_objects_survive_every_refusal) {
    static const struct failure_case cases[] = {
        {.call = "cosm_entity_spawn_with:", .attempt = managed_spawn, .prepare = prepare_managed},
        {.call = "cosm_entity_set:", .attempt = managed_set, .goes_on = true},
        {.call = "cosm_entity_set:", .attempt = managed_set, .goes_on = true}, // it has one
        {.call = "cosm_entity_set:", .attempt = managed_set_mesh, .goes_on = true},
        {.call = "cosm_entity_set:", .attempt = managed_set_mesh, .goes_on = true}, // by the heap
        {.call = "cosm_managed_emplace:", .attempt = managed_emplace, .goes_on = true},
        {.call = "cosm_managed_emplace:", .attempt = managed_emplace_text, .goes_on = true},
        {.call = "cosm_managed_put:", .attempt = managed_put, .goes_on = true},
        {.call = "cosm_managed_put:", .attempt = managed_put_mesh, .goes_on = true},
        {.call = "cosm_query_set:", .attempt = managed_query_set, .goes_on = true},
        {.call = "cosm_query_set:", .attempt = managed_query_set_mesh, .goes_on = true},
        {.call = "cosm_entity_set_many:", .attempt = managed_set_many, .goes_on = true},
        {.call = "cosm_commands_set:", .attempt = managed_record_set, .goes_on = true},
        {.call = "cosm_commands_spawn_with:", .attempt = managed_record_spawn, .goes_on = true},
        {.call = "cosm_commands_emit:", .attempt = managed_record_emit, .goes_on = true},
        {.call = "cosm_commands_set:", .attempt = managed_record_pair, .goes_on = true},
        {.call = "cosm_commands_apply:", .attempt = apply, .goes_on = true},
    };
    CHECK_FAILURES(FIXTURE_MANAGED, cases);
}

// Sector components.

#define CROWD 30u

static void prepare_sector(struct rig *rig) {
    const struct fixture *box = &rig->box;
    rig->query = fixture_query(box, box->position, box->heat);
    rig->commands = cosm_commands_create(box->batch);
    for (uint32_t i = 0; i < 4 + CROWD; i++) {
        rig->entities[i] = spawn_at(box, box->world, (float)i);
    }
}

// All that a new one is given, for three of them.
static const Text three_notes[3] = {{.number = 9}, {.number = 9}, {.number = 9}};

static cosm_result sector_spawn(struct rig *rig) {
    const struct fixture *box = &rig->box;
    cosm_value values[] = {{box->position, &(Position){1, 2, 0}},
                           {box->heat, &(Heat){3}},
                           {box->note, three_notes},
                           {box->wet, NULL}};
    return or_none(cosm_entity_spawn_with(box->world, box->plain, values, 4));
}

static cosm_result sector_record_spawn(struct rig *rig) {
    const struct fixture *box = &rig->box;
    cosm_value values[] = {{box->position, &(Position){1, 2, 0}},
                           {box->heat, &(Heat){3}},
                           {box->note, three_notes},
                           {box->wet, NULL}};
    return or_none(cosm_commands_spawn_with(rig->commands, box->world, box->plain, values, 4));
}

CALL(sector_add, cosm_entity_add(world, e[0], box->heat))
CALL(sector_set, cosm_entity_set(world, e[1], box->note, three_notes))
CALL(sector_add_bundle, cosm_entity_add(world, e[2], box->hot))
CALL(sector_set_many, cosm_entity_set_many(world, e, 3, box->note, three_notes))
CALL(sector_add_many, cosm_entity_add_many(world, e, 4, box->smoke))
CALL(sector_remove_many, cosm_entity_remove_many(world, e, 2, box->smoke))
CALL(sector_query_add, cosm_query_add(rig->query, box->all, box->kiln))
CALL(sector_query_set, cosm_query_set(rig->query, box->all, box->note, three_notes))
CALL(sector_query_remove, cosm_query_remove(rig->query, box->all, box->note))
CALL(sector_record_add, cosm_commands_add(rig->commands, world, e[0], box->note))
CALL(sector_record_remove, cosm_commands_remove(rig->commands, world, e[1], box->smoke))
CALL(sector_record_set,
     cosm_commands_set(rig->commands, world, e[3], box->kiln, &(Kiln){.number = 4}))
CALL(sector_remove_bundle, cosm_entity_remove(world, e[0], box->hot))
CALL(sector_query_despawn, cosm_query_despawn(rig->query, box->all))
CALL(sector_add_crowd, cosm_entity_add_many(world, e + 4, CROWD, box->kiln))

TEST(calls_about_sector_components_survive_every_refusal) {
    static const struct failure_case cases[] = {
        {.call = "cosm_entity_add:", .attempt = sector_add, .prepare = prepare_sector},
        {.call = "cosm_entity_set:", .attempt = sector_set, .goes_on = true},
        {.call = "cosm_entity_set:", .attempt = sector_set, .goes_on = true},
        {.call = "cosm_entity_add:", .attempt = sector_add_bundle, .goes_on = true},
        {.call = "cosm_entity_spawn_with:", .attempt = sector_spawn, .goes_on = true},
        {.call = "cosm_entity_set_many:", .attempt = sector_set_many, .goes_on = true},
        {.call = "cosm_entity_add_many:", .attempt = sector_add_many, .goes_on = true},
        {.call = "cosm_entity_remove_many:", .attempt = sector_remove_many, .goes_on = true},
        {.call = "cosm_query_add:", .attempt = sector_query_add, .goes_on = true},
        {.call = "cosm_query_set:", .attempt = sector_query_set, .goes_on = true},
        {.call = "cosm_query_remove:", .attempt = sector_query_remove, .goes_on = true},
        {.call = "cosm_commands_spawn_with:", .attempt = sector_record_spawn, .goes_on = true},
        {.call = "cosm_commands_add:", .attempt = sector_record_add, .goes_on = true},
        {.call = "cosm_commands_remove:", .attempt = sector_record_remove, .goes_on = true},
        {.call = "cosm_commands_set:", .attempt = sector_record_set, .goes_on = true},
        {.call = "cosm_commands_apply:", .attempt = apply, .goes_on = true},
        {.call = "cosm_entity_remove:", .attempt = sector_remove_bundle, .goes_on = true},
        {.call = "cosm_query_despawn:", .attempt = sector_query_despawn, .goes_on = true},
        {.call = "cosm_entity_add_many:", .attempt = sector_add_crowd, .goes_on = true}, // chunks
    };
    CHECK_FAILURES(FIXTURE_SECTOR, cases);
}

// Split components.

static cosm_result split_query(struct rig *rig) {
    cosm_query_desc desc = {.terms = {{.component = rig->box.body, .access = COSM_ACCESS_WRITE},
                                      {.component = rig->box.mark, .access = COSM_ACCESS_WRITE}}};
    rig->query = cosm_query_create(rig->box.engine, &desc);
    return or_memory(rig->query != NULL);
}

static cosm_result split_component(struct rig *rig) {
    cosm_component_desc desc = {.name = "late",
                                .size = sizeof(Body),
                                .layout = COSM_LAYOUT_SPLIT,
                                .fields = body_fields,
                                .field_count = BODY_FIELD_COUNT};
    return or_memory(cosm_component_define(rig->box.engine, &desc).id != 0);
}

static cosm_result split_archetype(struct rig *rig) {
    cosm_component late = cosm_component_find(rig->box.engine, "late");
    cosm_archetype_desc desc = {.name = "late",
                                .components = {late, rig->box.body},
                                .layouts = {{late, COSM_LAYOUT_STRUCT}}};
    return or_memory(cosm_archetype_define(rig->box.engine, &desc).id != 0);
}

static cosm_result split_spawn(struct rig *rig) {
    Body body = rubbish_of(1);
    rig->entities[0] = cosm_entity_spawn_with(rig->box.world, rig->box.seat,
                                              &(cosm_value){rig->box.body, &body}, 1);
    return or_none(rig->entities[0]);
}

static cosm_result split_spawn_many(struct rig *rig) {
    cosm_rows rows;
    cosm_result result = cosm_entity_spawn_many(rig->box.world, rig->box.walker, 9000, &rows);
    for (uint32_t i = 0; i < rows.count; i++) {
        Body body = rubbish_of(i);
        CHECK_DONE(cosm_rows_set(&rows, i, rig->box.body, &body));
    }
    if (result == COSM_OK) {
        memcpy(rig->entities + 1, rows.entities, 11 * sizeof(rig->entities[0]));
    }
    return result;
}

static cosm_result split_set_many(struct rig *rig) {
    Line lines[4];
    memset(lines, 5, sizeof(lines));
    return cosm_entity_set_many(rig->box.world, rig->entities, 4, rig->box.line, lines);
}

CALL(split_add, cosm_entity_add(world, e[1], box->mark))
CALL(split_remove, cosm_entity_remove(world, e[1], box->bare)) // now whole
CALL(split_set_absent, cosm_entity_set(world, e[2], box->line, &(Line){.hot = 7}))
CALL(split_query_add, cosm_query_add(box->bodies, box->all, box->mark))
CALL(split_query_set, cosm_query_set(rig->query, box->all, box->line, &(Line){.hot = 9}))
CALL(split_query_remove, cosm_query_remove(rig->query, box->all, box->line))
CALL(split_make_whole, cosm_query_remove(rig->query, box->all, box->bare))

static cosm_result split_commands(struct rig *rig) {
    rig->commands = cosm_commands_create(rig->box.batch);
    return or_memory(rig->commands != NULL);
}

// Of the entity after those that there are commands for.
static cosm_result split_record_remove(struct rig *rig) {
    cosm_entity entity = rig->entities[cosm_commands_count(rig->commands) / 2];
    return cosm_commands_remove(rig->commands, rig->box.world, entity, rig->box.mark);
}

static cosm_result split_record_set(struct rig *rig) {
    Body body = rubbish_of(77);
    cosm_entity entity = rig->entities[cosm_commands_count(rig->commands) / 2];
    return cosm_commands_set(rig->commands, rig->box.world, entity, rig->box.body, &body);
}

// Both, for the next entity.
#define SPLIT_RECORD                                                                               \
    {.call = "cosm_commands_remove:", .attempt = split_record_remove, .goes_on = true}, {          \
        .call = "cosm_commands_set:", .attempt = split_record_set, .goes_on = true                 \
    }

static uint64_t by_team(void *context, cosm_entity entity, const void *value) {
    (void)context;
    (void)entity;
    return (uint64_t)(uint16_t)((const Body *)value)->team;
}

static cosm_result split_sort(struct rig *rig) {
    cosm_archetype archetype = cosm_entity_archetype(rig->box.world, rig->entities[9]);
    return cosm_table_sort(rig->box.world, archetype, rig->box.body, by_team, NULL);
}

TEST(calls_about_split_components_survive_every_refusal) {
    static const struct failure_case cases[] = {
        {.call = "cosm_query_create:", .attempt = split_query},
        {.call = "cosm_component_define:", .attempt = split_component, .goes_on = true},
        {.call = "cosm_archetype_define:", .attempt = split_archetype, .goes_on = true},
        {.call = "cosm_entity_spawn_with:", .attempt = split_spawn, .goes_on = true},
        {.call = "cosm_entity_spawn_many:", .attempt = split_spawn_many, .goes_on = true},
        {.call = "cosm_entity_add:", .attempt = split_add, .goes_on = true},
        {.call = "cosm_table_sort:", .attempt = split_sort, .goes_on = true},
        {.call = "cosm_entity_remove:", .attempt = split_remove, .goes_on = true},
        {.call = "cosm_entity_set:", .attempt = split_set_absent, .goes_on = true},
        {.call = "cosm_entity_set_many:", .attempt = split_set_many, .goes_on = true},
        {.call = "cosm_query_add:", .attempt = split_query_add, .goes_on = true},
        {.call = "cosm_query_set:", .attempt = split_query_set, .goes_on = true},
        {.call = "cosm_table_sort:", .attempt = split_sort, .goes_on = true},
        {.call = "cosm_query_remove:", .attempt = split_query_remove, .goes_on = true},
        {.call = "cosm_query_remove:", .attempt = split_make_whole, .goes_on = true},
        {.call = "cosm_commands_create:", .attempt = split_commands, .goes_on = true},
        SPLIT_RECORD,
        SPLIT_RECORD,
        SPLIT_RECORD,
        SPLIT_RECORD,
        SPLIT_RECORD,
        {.call = "cosm_commands_apply:", .attempt = apply, .goes_on = true},
        {.call = "cosm_batch_trim:", .attempt = trim, .goes_on = true},
    };
    CHECK_FAILURES(FIXTURE_SPLIT, cases);
}

// Templates that have components of every storage. The first world has a tree, and they spawn in
// the second.

static void prepare_tree(struct rig *rig) {
    rig->commands = cosm_commands_create(rig->box.batch);
    rig->entities[0] = cosm_template_spawn(rig->box.world, rig->box.tree, NULL, 0);
    CHECK(!cosm_entity_is_none(rig->entities[0]));
}

static cosm_result template_define(struct rig *rig) {
    const struct fixture *box = &rig->box;
    cosm_template_desc desc = {.name = "oak",
                               .components = {box->wet},
                               .values = rig->other.list,
                               .value_count = 7,
                               .children = &(cosm_template_child){box->tree, 2},
                               .child_count = 1};
    return or_memory(cosm_template_define(box->engine, &desc).id != 0);
}

static cosm_result template_spawn_many(struct rig *rig) {
    cosm_rows rows;
    cosm_result result = cosm_template_spawn_many(fixture_world(&rig->box, 1), rig->box.tree, 5,
                                                  rig->other.list, 7, &rows);
    CHECK_INT(rows.count, result == COSM_OK ? 5 : 0);
    return result;
}

// Of what was captured, with all objects at hand.
static cosm_result template_spawn_whole(struct rig *rig) {
    cosm_rows rows;
    cosm_template whole = cosm_template_find(rig->box.engine, "whole");
    return cosm_template_spawn_many(fixture_world(&rig->box, 1), whole, 3, NULL, 0, &rows);
}

CALL(template_spawn, or_none(cosm_template_spawn(fixture_world(box, 1), box->tree, NULL, 0)))
CALL(template_spawn_with,
     or_none(cosm_template_spawn(fixture_world(box, 1), box->tree, rig->other.list, 7)))
CALL(template_spawn_twin, or_none(cosm_template_spawn(fixture_world(box, 1), box->twin, NULL, 0)))
CALL(template_capture, or_memory(cosm_template_capture(world, e[0], "whole", true).id != 0))
CALL(template_record, or_none(cosm_commands_spawn_template(rig->commands, fixture_world(box, 1),
                                                           box->tree, rig->other.list, 7)))

TEST(calls_about_templates_survive_every_refusal_and_tell_observers_only_what_is_done) {
    static const struct failure_case cases[] = {
        {.call = "cosm_template_define:", .attempt = template_define, .prepare = prepare_tree},
        {.call = "cosm_template_spawn:",
         .attempt = template_spawn,
         .prepare = prepare_tree,
         .told = 13},
        {.call = "cosm_template_spawn:",
         .attempt = template_spawn_with,
         .prepare = prepare_tree,
         .told = 13},
        {.call = "cosm_template_spawn_many:",
         .attempt = template_spawn_many,
         .prepare = prepare_tree,
         .told = 65},
        {.call = "cosm_template_spawn:",
         .attempt = template_spawn_twin,
         .prepare = prepare_tree,
         .told = 1},
        {.call = "cosm_template_capture:", .attempt = template_capture, .prepare = prepare_tree},
        {.call = "cosm_template_spawn_many:",
         .attempt = template_spawn_whole,
         .goes_on = true,
         .told = 39},
        {.call = "cosm_commands_spawn_template:",
         .attempt = template_record,
         .prepare = prepare_tree},
        {.call = "cosm_commands_apply:", .attempt = apply, .goes_on = true, .told = 13},
    };
    CHECK_FAILURES(FIXTURE_TEMPLATE, cases);
}
