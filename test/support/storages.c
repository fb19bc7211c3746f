// Components of every storage, their archetypes and their values: see storages.h.
#include "support/storages.h"

#include <string.h>

#include "harness.h"

static const int16_t default_team = BODY_DEFAULT_TEAM;
static const double default_mass = BODY_DEFAULT_MASS;

const cosm_field body_fields[BODY_FIELD_COUNT] = {
    {.name = "kind", .type = COSM_FIELD_U8, .offset = offsetof(Body, kind)},
    {.name = "team",
     .type = COSM_FIELD_I16,
     .offset = offsetof(Body, team),
     .default_value = &default_team},
    {.name = "position", .type = COSM_FIELD_F32, .offset = offsetof(Body, position), .dims = {3}},
    {.name = "mass",
     .type = COSM_FIELD_F64,
     .offset = offsetof(Body, mass),
     .default_value = &default_mass},
    {.name = "flag", .type = COSM_FIELD_U8, .offset = offsetof(Body, flag)},
};

const cosm_field line_fields[LINE_FIELD_COUNT] = {
    {.name = "hot", .type = COSM_FIELD_U32, .alignment = 64, .padding = 60},
    {.name = "label", .type = COSM_FIELD_CHAR, .offset = offsetof(Line, label), .dims = {20}},
    {.name = "target", .type = COSM_FIELD_ENTITY, .offset = offsetof(Line, target)},
};

const Body body_default = {.kind = 3, .team = 99, .position = {1, 2, 3}, .flag = 9};

static cosm_component define(struct fixture *box, cosm_component_desc desc) {
    cosm_component component = cosm_component_define(box->engine, &desc);
    (void)harness_check(__FILE__, __LINE__, cosm_error_message(), component.id != 0);
    return component;
}

cosm_archetype form_archetype(struct fixture *box, cosm_archetype_desc desc) {
    cosm_archetype archetype = cosm_archetype_define(box->engine, &desc);
    (void)harness_check(__FILE__, __LINE__, cosm_error_message(), archetype.id != 0);
    return archetype;
}

static void define_shared(struct fixture *box) {
    static const Level level = {LEVEL_DEFAULT};
    box->team =
        define(box, (cosm_component_desc){
                        .name = "Team", .size = sizeof(Team), .storage = COSM_STORAGE_SHARED});
    box->level = define(box, (cosm_component_desc){.name = "Level",
                                                   .size = sizeof(Level),
                                                   .default_value = &level,
                                                   .storage = COSM_STORAGE_SHARED});
    box->label = define(box, (cosm_component_desc){.name = "Label",
                                                   .size = sizeof(Label),
                                                   .storage = COSM_STORAGE_SHARED,
                                                   .lifecycle = label_lifecycle(&box->books)});
    box->still = COSM_TAG_DEFINE(box->engine, Still);
    box->rank = cosm_bundle_define(
        box->engine, &(cosm_bundle_desc){.name = "Rank", .components = {box->team, box->level}});
    box->player = form_archetype(
        box, (cosm_archetype_desc){.name = "player", .components = {box->position, box->team}});
    box->hero = form_archetype(
        box, (cosm_archetype_desc){.name = "hero", .components = {box->position, box->rank}});
    box->badge = form_archetype(
        box, (cosm_archetype_desc){.name = "badge", .components = {box->position, box->label}});
    box->statue = form_archetype(
        box, (cosm_archetype_desc){.name = "statue",
                                   .components = {box->position, box->team, box->still},
                                   .sealed = true});
}

static cosm_component define_sized(struct fixture *box, const char *name, size_t size,
                                   cosm_storage storage, const void *default_value) {
    return define(
        box, (cosm_component_desc){
                 .name = name, .size = size, .default_value = default_value, .storage = storage});
}

static void define_sector(struct fixture *box) {
    box->pan = COSM_TAG_DEFINE(box->engine, Pan);
    box->heat = define_sized(box, "Heat", sizeof(Heat), COSM_STORAGE_SECTOR, &(Heat){20});
    box->smoke = define_sized(box, "Smoke", sizeof(Smoke), COSM_STORAGE_SECTOR, NULL);
    box->wet = define_sized(box, "Wet", 0, COSM_STORAGE_SECTOR, NULL);
    box->kiln = define(box, (cosm_component_desc){.name = "Kiln",
                                                  .size = sizeof(Kiln),
                                                  .alignment = 64,
                                                  .default_value = &(Kiln){.number = KILN_DEFAULT},
                                                  .storage = COSM_STORAGE_SECTOR});
    box->note = define(box, (cosm_component_desc){.name = "Note",
                                                  .size = sizeof(Text),
                                                  .alignment = _Alignof(Text),
                                                  .storage = COSM_STORAGE_SECTOR,
                                                  .lifecycle = text_lifecycle(&box->books)});
    box->hot = cosm_bundle_define(
        box->engine,
        &(cosm_bundle_desc){.name = "Hot", .components = {box->heat, box->wet, box->mark}});
    cosm_sector_group_desc fire = {.name = "fire", .components = {box->heat, box->smoke}};
    cosm_sector_group_desc coal = {
        .name = "coal", .components = {box->kiln, box->note}, .chunk_sectors = 8};
    CHECK(cosm_sector_group_define(box->engine, &fire).id != 0);
    CHECK(cosm_sector_group_define(box->engine, &coal).id != 0);
    box->pot = form_archetype(box, (cosm_archetype_desc){.name = "pot",
                                                         .components = {box->position, box->pan},
                                                         .placement = COSM_PLACEMENT_FIXED,
                                                         .max_per_world = 8});
    box->event = form_archetype(
        box,
        (cosm_archetype_desc){.name = "event", .components = {box->position}, .temporary = true});
    box->stone = form_archetype(
        box, (cosm_archetype_desc){.name = "stone",
                                   .components = {box->position, box->mark, box->team},
                                   .sealed = true});
}

static void define_title(struct fixture *box) {
    cosm_lifecycle texts = text_lifecycle(&box->books);
    texts.construct = NULL;
    texts.move = NULL;
    box->title = define(box, (cosm_component_desc){.name = "Title",
                                                   .size = sizeof(Text),
                                                   .alignment = _Alignof(Text),
                                                   .lifecycle = texts,
                                                   .storage = COSM_STORAGE_SHARED});
}

static void define_managed(struct fixture *box) {
    static const cosm_field fields[] = {
        {.name = "a", .type = COSM_FIELD_U32, .offset = offsetof(Pair, a)},
        {.name = "b", .type = COSM_FIELD_U32, .offset = offsetof(Pair, b)}};
    static const Pair pair_default = {PAIR_DEFAULT_A, 0};
    box->text = define(box, (cosm_component_desc){.name = "Text",
                                                  .size = sizeof(Text),
                                                  .alignment = _Alignof(Text),
                                                  .storage = COSM_STORAGE_MANAGED,
                                                  .lifecycle = text_lifecycle(&box->books)});
    box->mesh = define(box, (cosm_component_desc){.name = "Mesh",
                                                  .size = sizeof(Mesh),
                                                  .alignment = _Alignof(Mesh),
                                                  .storage = COSM_STORAGE_MANAGED,
                                                  .lifecycle = mesh_lifecycle(&box->books)});
    box->pair = define(box, (cosm_component_desc){.name = "Pair",
                                                  .size = sizeof(Pair),
                                                  .storage = COSM_STORAGE_MANAGED,
                                                  .default_value = &pair_default,
                                                  .fields = fields,
                                                  .field_count = 2});
    box->actor = form_archetype(
        box, (cosm_archetype_desc){.name = "actor", .components = {box->position, box->text}});
    box->pack = form_archetype(
        box, (cosm_archetype_desc){.name = "pack",
                                   .components = {box->position, box->text, box->mesh, box->mark},
                                   .placement = COSM_PLACEMENT_FIXED,
                                   .max_per_world = 4});
    box->letter = form_archetype(
        box, (cosm_archetype_desc){.name = "letter", .components = {box->text}, .temporary = true});
    box->texts = fixture_query(box, box->text, (cosm_component){0});
}

static void define_split(struct fixture *box) {
    box->body = define(box, (cosm_component_desc){.name = "Body",
                                                  .size = sizeof(Body),
                                                  .alignment = _Alignof(Body),
                                                  .default_value = &body_default,
                                                  .layout = COSM_LAYOUT_SPLIT,
                                                  .fields = body_fields,
                                                  .field_count = BODY_FIELD_COUNT});
    box->line = define(box, (cosm_component_desc){.name = "Line",
                                                  .size = sizeof(Line),
                                                  .alignment = 64,
                                                  .layout = COSM_LAYOUT_SPLIT,
                                                  .fields = line_fields,
                                                  .field_count = LINE_FIELD_COUNT});
    box->bare = define(box, (cosm_component_desc){.name = "Bare", .size = 8});
    box->walker = form_archetype(
        box, (cosm_archetype_desc){.name = "walker", .components = {box->body, box->bare}});
    box->seat = form_archetype(box, (cosm_archetype_desc){.name = "seat",
                                                          .components = {box->body, box->line},
                                                          .placement = COSM_PLACEMENT_FIXED,
                                                          .max_per_world = 4});
    box->whole =
        form_archetype(box, (cosm_archetype_desc){.name = "whole",
                                                  .components = {box->body, box->mark},
                                                  .layouts = {{box->body, COSM_LAYOUT_STRUCT}}});
    box->pit =
        form_archetype(box, (cosm_archetype_desc){.name = "pit",
                                                  .components = {box->line, box->bare},
                                                  .placement = COSM_PLACEMENT_FIXED,
                                                  .max_per_world = 8,
                                                  .layouts = {{box->line, COSM_LAYOUT_STRUCT}}});
    box->body_event =
        form_archetype(box, (cosm_archetype_desc){.components = {box->body}, .temporary = true});
    box->bodies = fixture_query(box, box->body, (cosm_component){0});
}

void define_storages(struct fixture *box, uint32_t flags) {
    if (flags & (FIXTURE_SHARED | FIXTURE_SECTOR)) {
        box->team = define_sized(box, "Team", sizeof(Team), COSM_STORAGE_SHARED, NULL);
    }
    if (flags & FIXTURE_SHARED) {
        define_shared(box);
    }
    if (flags & FIXTURE_MANAGED) {
        define_managed(box);
    }
    if (flags & FIXTURE_SECTOR) {
        define_sector(box);
    }
    if (flags & FIXTURE_SPLIT) {
        define_split(box);
    }
    if (flags & FIXTURE_TITLE) {
        define_title(box);
    }
}

cosm_query *query_of_value(const struct fixture *box, cosm_component component, const void *value) {
    cosm_query *query = cosm_query_create(
        box->engine,
        &(cosm_query_desc){
            .terms = {{.component = box->position, .access = COSM_ACCESS_WRITE},
                      {.component = component, .access = COSM_ACCESS_WRITE, .value = value}}});
    CHECK(query != NULL);
    return query;
}

cosm_entity spawn_player(const struct fixture *box, cosm_world world, uint32_t color, float x) {
    Team team = {color, 0};
    Position position = {x, -x, 0};
    cosm_value values[] = {{box->team, &team}, {box->position, &position}};
    cosm_entity entity = cosm_entity_spawn_with(world, box->player, values, 2);
    CHECK(!cosm_entity_is_none(entity));
    return entity;
}

uint32_t color_of(cosm_world world, cosm_entity entity) {
    cosm_component team = cosm_component_find(cosm_batch_engine(world.batch), "Team");
    const Team *found = cosm_entity_read(world, entity, team);
    return found == NULL ? UINT32_MAX : found->color;
}

uint32_t color_count(const struct fixture *box, cosm_world world, uint32_t color) {
    Team team = {color, 0};
    return cosm_shared_entity_count(world, box->team, &team);
}

cosm_entity spawn_at(const struct fixture *box, cosm_world world, float x) {
    Position position = {x, 0, 0};
    cosm_entity entity =
        cosm_entity_spawn_with(world, box->plain, &(cosm_value){box->position, &position}, 1);
    CHECK(!cosm_entity_is_none(entity));
    return entity;
}

void set_heat(const struct fixture *box, cosm_world world, cosm_entity entity, float degrees) {
    CHECK_DONE(cosm_entity_set(world, entity, box->heat, &(Heat){degrees}));
}

void set_note(const struct fixture *box, cosm_world world, cosm_entity entity, uint32_t number) {
    CHECK_DONE(cosm_entity_set(world, entity, box->note, &(Text){.number = number}));
}

float degrees_of(const struct fixture *box, cosm_world world, cosm_entity entity) {
    const Heat *heat = COSM_READ(world, entity, Heat);
    CHECK((heat != NULL) == cosm_entity_has(world, entity, box->heat));
    return heat == NULL ? -1 : heat->degrees;
}

int note_of(const struct fixture *box, cosm_world world, cosm_entity entity) {
    const Note *note = COSM_READ(world, entity, Note);
    CHECK((note != NULL) == cosm_entity_has(world, entity, box->note));
    return note == NULL ? -1 : (int)text_number(note);
}

uint32_t text_of(const struct fixture *box, cosm_world world, cosm_entity entity) {
    return text_number(cosm_entity_read(world, entity, box->text));
}

uint32_t mesh_of(const struct fixture *box, cosm_world world, cosm_entity entity) {
    return mesh_number(cosm_entity_read(world, entity, box->mesh));
}

cosm_entity spawn_text(const struct fixture *box, cosm_world world, uint32_t number) {
    Text text = {.number = number};
    return cosm_entity_spawn_with(world, box->actor, &(cosm_value){box->text, &text}, 1);
}

Body body_of(uint32_t number) {
    Body body;
    memset(&body, 0, sizeof(body));
    body.kind = (uint8_t)number;
    body.team = (int16_t)(number * 3);
    body.position[0] = (float)number;
    body.position[1] = (float)number + 0.25f;
    body.position[2] = (float)number + 0.5f;
    body.mass = (double)number * 1.5;
    body.flag = (uint8_t)(number >> 8);
    return body;
}

Body rubbish_of(uint32_t number) {
    Body body = body_of(number);
    memset((char *)&body + 1, 0xDD, 1);
    memset((char *)&body + offsetof(Body, flag) + 1, 0xDD, 7);
    return body;
}

void check_body(const struct fixture *box, cosm_world world, cosm_entity entity, uint32_t number) {
    Body expected = body_of(number);
    Body body;
    memset(&body, 0xEE, sizeof(body));
    CHECK(cosm_entity_get(world, entity, box->body, &body));
    CHECK_MEM(&body, &expected, sizeof(body));
}

cosm_entity spawn_body(const struct fixture *box, cosm_world world, cosm_archetype archetype,
                       uint32_t number) {
    Body body = rubbish_of(number);
    cosm_entity entity =
        cosm_entity_spawn_with(world, archetype, &(cosm_value){box->body, &body}, 1);
    CHECK(!cosm_entity_is_none(entity));
    return entity;
}

void spawn_bodies(const struct fixture *box, cosm_world world, cosm_archetype archetype,
                  uint32_t count) {
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many_unset(world, archetype, count, &rows));
    for (uint32_t i = 0; i < rows.count; i++) {
        Body body = rubbish_of(i);
        CHECK_DONE(cosm_rows_set(&rows, i, box->body, &body));
    }
}
