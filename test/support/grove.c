// A vault with components of every storage, and templates that have them all.
#include "support/grove.h"

#include <string.h>

#include "harness.h"

const struct tree_values tree_as_defined = {1, 7, 11, 21, 31, 41, 51};

static void define_storages(struct grove *grove) {
    static const Team team_default = {TEAM_DEFAULT};
    static const Heat heat_default = {HEAT_DEFAULT};
    cosm_engine *engine = grove->vault.engine;
    cosm_lifecycle texts = vault_text_lifecycle(&grove->vault);
    grove->note =
        cosm_component_define(engine, &(cosm_component_desc){.name = "Note",
                                                             .size = sizeof(Text),
                                                             .alignment = _Alignof(Text),
                                                             .lifecycle = texts,
                                                             .storage = COSM_STORAGE_SECTOR});
    texts.construct = NULL;
    texts.move = NULL;
    grove->label =
        cosm_component_define(engine, &(cosm_component_desc){.name = "Label",
                                                             .size = sizeof(Text),
                                                             .alignment = _Alignof(Text),
                                                             .lifecycle = texts,
                                                             .storage = COSM_STORAGE_SHARED});
    grove->team =
        cosm_component_define(engine, &(cosm_component_desc){.name = "Team",
                                                             .size = sizeof(Team),
                                                             .default_value = &team_default,
                                                             .storage = COSM_STORAGE_SHARED});
    grove->heat =
        cosm_component_define(engine, &(cosm_component_desc){.name = "Heat",
                                                             .size = sizeof(Heat),
                                                             .default_value = &heat_default,
                                                             .storage = COSM_STORAGE_SECTOR});
    grove->flag = cosm_component_define(
        engine, &(cosm_component_desc){.name = "Flag", .storage = COSM_STORAGE_SECTOR});
    cosm_sector_group group = cosm_sector_group_define(
        engine, &(cosm_sector_group_desc){.components = {grove->heat, grove->note}});
    CHECK(grove->note.id != 0 && grove->label.id != 0 && grove->team.id != 0);
    CHECK(grove->heat.id != 0 && grove->flag.id != 0 && group.id != 0);
}

// A leaf or a twin.
static cosm_template define_leaf(struct grove *grove, const char *name, uint32_t number,
                                 const Heat *heat, cosm_template bud) {
    struct vault *vault = &grove->vault;
    Text text;
    vault_text_open(vault, &text, number);
    cosm_value values[] = {{vault->text, &text},
                           {grove->team, &(Team){8}},
                           {vault->position, &(Position){0, 0, 0}},
                           {grove->heat, heat}};
    cosm_template_child buds = {bud, 2};
    cosm_template made = cosm_template_define(
        vault->engine, &(cosm_template_desc){.name = name,
                                             .values = values,
                                             .value_count = heat == NULL ? 3 : 4,
                                             .children = &buds,
                                             .child_count = bud.id == 0 ? 0 : 1});
    vault_text_end(vault, &text);
    return made;
}

static cosm_template define_bud(struct grove *grove) {
    struct vault *vault = &grove->vault;
    Mesh mesh;
    vault_mesh_open(vault, &mesh, 32);
    cosm_template made = cosm_template_define(
        vault->engine, &(cosm_template_desc){.name = "bud",
                                             .components = {grove->team, vault->mesh, grove->note},
                                             .values = &(cosm_value){vault->mesh, &mesh},
                                             .value_count = 1});
    vault_mesh_end(vault, &mesh);
    return made;
}

static cosm_template define_tree(struct grove *grove) {
    struct vault *vault = &grove->vault;
    Text label;
    Text text;
    Text note;
    Mesh mesh;
    vault_text_open(vault, &label, 11);
    vault_text_open(vault, &text, 21);
    vault_text_open(vault, &note, 51);
    vault_mesh_open(vault, &mesh, 31);
    cosm_value values[] = {{grove->note, &note},      {vault->position, &(Position){1, 2, 3}},
                           {grove->team, &(Team){7}}, {grove->heat, &(Heat){41}},
                           {vault->text, &text},      {grove->label, &label},
                           {vault->mesh, &mesh},      {grove->flag, NULL}};
    cosm_template_child children[] = {{grove->leaf, 3}, {grove->twin, 1}};
    cosm_template made = cosm_template_define(
        vault->engine, &(cosm_template_desc){.name = "tree",
                                             .values = values,
                                             .value_count = sizeof(values) / sizeof(*values),
                                             .children = children,
                                             .child_count = 2});
    vault_text_end(vault, &label);
    vault_text_end(vault, &text);
    vault_text_end(vault, &note);
    vault_mesh_end(vault, &mesh);
    return made;
}

void grove_define(struct grove *grove) {
    cosm_template none = {0};
    grove->leaf = none;
    grove->twin = none;
    grove->tree = none;
    grove->bud = define_bud(grove);
    if (grove->bud.id != 0) {
        grove->leaf = define_leaf(grove, "leaf", 22, &(Heat){42}, grove->bud);
    }
    if (grove->leaf.id != 0) {
        grove->twin = define_leaf(grove, "twin", 23, NULL, none);
    }
    if (grove->twin.id != 0) {
        grove->tree = define_tree(grove);
    }
}

void grove_open_with(struct grove *grove, const cosm_engine_desc *engine_desc,
                     const cosm_batch_desc *batch_desc) {
    vault_open_with(&grove->vault, engine_desc, batch_desc);
    define_storages(grove);
}

void grove_open(struct grove *grove, uint32_t world_count) {
    grove_open_with(grove, NULL, &(cosm_batch_desc){.world_count = world_count});
    grove_define(grove);
    CHECK(grove->tree.id != 0);
    CHECK_INT(vault_count(&grove->vault), TEMPLATE_OBJECTS);
}

void grove_close(struct grove *grove) {
    vault_close(&grove->vault);
}

uint32_t grove_text(cosm_world world, cosm_entity entity, cosm_component component) {
    return text_number(cosm_entity_read(world, entity, component));
}

static uint32_t team_of(const struct grove *grove, cosm_world world, cosm_entity entity) {
    const Team *team = cosm_entity_read(world, entity, grove->team);
    return team == NULL ? VAULT_NONE : team->number;
}

static uint32_t heat_of(const struct grove *grove, cosm_world world, cosm_entity entity) {
    const Heat *heat = cosm_entity_read(world, entity, grove->heat);
    return heat == NULL ? VAULT_NONE : heat->degrees;
}

static void check_leaf(const struct grove *grove, cosm_world world, cosm_entity leaf) {
    const struct vault *vault = &grove->vault;
    cosm_entity buds[3];
    CHECK_INT(team_of(grove, world, leaf), 8);
    CHECK_INT(vault_text_of(vault, world, leaf), 22);
    CHECK_INT(heat_of(grove, world, leaf), 42);
    CHECK_INT(grove_text(world, leaf, grove->note), VAULT_NONE);
    CHECK_INT(cosm_tree_children(world, leaf, 3, buds), 2);
    for (uint32_t i = 0; i < 2; i++) {
        CHECK_INT(team_of(grove, world, buds[i]), TEAM_DEFAULT);
        CHECK_INT(vault_mesh_of(vault, world, buds[i]), 32);
        CHECK_INT(grove_text(world, buds[i], grove->note), 0);
        CHECK_INT(heat_of(grove, world, buds[i]), VAULT_NONE);
        CHECK(!cosm_entity_has(world, buds[i], grove->flag));
    }
}

void grove_check(const struct grove *grove, cosm_world world, cosm_entity tree,
                 const struct tree_values *values) {
    const struct vault *vault = &grove->vault;
    const Position *position = COSM_READ(world, tree, Position);
    REQUIRE(position != NULL);
    CHECK_NEAR(position->x, values->x, 0);
    CHECK_NEAR(position->z, 3, 0);
    CHECK_INT(team_of(grove, world, tree), values->team);
    CHECK_INT(grove_text(world, tree, grove->label), values->label);
    CHECK_INT(vault_text_of(vault, world, tree), values->text);
    CHECK_INT(vault_mesh_of(vault, world, tree), values->mesh);
    CHECK_INT(heat_of(grove, world, tree), values->heat);
    CHECK_INT(grove_text(world, tree, grove->note), values->note);
    CHECK(cosm_entity_has(world, tree, grove->flag));
    cosm_entity parts[5];
    CHECK_INT(cosm_tree_children(world, tree, 5, parts), 4);
    for (uint32_t i = 0; i < 3; i++) {
        check_leaf(grove, world, parts[i]);
    }
    CHECK_INT(team_of(grove, world, parts[3]), 8);
    CHECK_INT(vault_text_of(vault, world, parts[3]), 23);
    CHECK_INT(heat_of(grove, world, parts[3]), VAULT_NONE);
    CHECK_INT(cosm_tree_child_count(world, parts[3]), 0);
}

void other_open(struct grove *grove, struct other_values *other, uint32_t first) {
    struct vault *vault = &grove->vault;
    other->position = (Position){(float)first, 0, 3};
    other->team.number = first + 1;
    other->heat.degrees = first + 5;
    vault_text_open(vault, &other->label, first + 2);
    vault_text_open(vault, &other->text, first + 3);
    vault_mesh_open(vault, &other->mesh, first + 4);
    vault_text_open(vault, &other->note, first + 6);
    const cosm_value list[] = {{grove->heat, &other->heat}, {vault->position, &other->position},
                               {vault->mesh, &other->mesh}, {grove->note, &other->note},
                               {grove->team, &other->team}, {grove->label, &other->label},
                               {vault->text, &other->text}};
    memcpy(other->list, list, sizeof(list));
    other->values = (struct tree_values){(float)first, first + 1, first + 2, first + 3,
                                         first + 4,    first + 5, first + 6};
}

void other_close(struct grove *grove, struct other_values *other) {
    vault_text_end(&grove->vault, &other->label);
    vault_text_end(&grove->vault, &other->text);
    vault_text_end(&grove->vault, &other->note);
    vault_mesh_end(&grove->vault, &other->mesh);
}
