// Templates with components of every storage: see templates.h.
#include "support/templates.h"

#include <string.h>

#include "harness.h"

const struct tree_values tree_as_defined = {1, 7, 11, 21, 31, 41, 51};

// A leaf or a twin.
static cosm_template define_leaf(struct fixture *box, const char *name, uint32_t number,
                                 const Kiln *kiln, cosm_template bud) {
    Text text;
    text_open(&box->books, &text, number);
    cosm_value values[] = {{box->text, &text},
                           {box->level, &(Level){8}},
                           {box->position, &(Position){0, 0, 0}},
                           {box->kiln, kiln}};
    cosm_template_child buds = {bud, 2};
    cosm_template made = cosm_template_define(
        box->engine, &(cosm_template_desc){.name = name,
                                           .values = values,
                                           .value_count = kiln == NULL ? 3 : 4,
                                           .children = &buds,
                                           .child_count = bud.id == 0 ? 0 : 1});
    text_end(&box->books, &text);
    return made;
}

static cosm_template define_bud(struct fixture *box) {
    Mesh mesh;
    mesh_open(&box->books, &mesh, 32);
    cosm_template made = cosm_template_define(
        box->engine, &(cosm_template_desc){.name = "bud",
                                           .components = {box->level, box->mesh, box->note},
                                           .values = &(cosm_value){box->mesh, &mesh},
                                           .value_count = 1});
    mesh_end(&box->books, &mesh);
    return made;
}

static cosm_template define_tree(struct fixture *box) {
    Text label;
    Text text;
    Text note;
    Mesh mesh;
    text_open(&box->books, &label, 11);
    text_open(&box->books, &text, 21);
    text_open(&box->books, &note, 51);
    mesh_open(&box->books, &mesh, 31);
    cosm_value values[] = {{box->note, &note},        {box->position, &(Position){1, 2, 3}},
                           {box->level, &(Level){7}}, {box->kiln, &(Kiln){.number = 41}},
                           {box->text, &text},        {box->title, &label},
                           {box->mesh, &mesh},        {box->wet, NULL}};
    cosm_template_child children[] = {{box->leaf, 3}, {box->twin, 1}};
    cosm_template made = cosm_template_define(
        box->engine, &(cosm_template_desc){.name = "tree",
                                           .values = values,
                                           .value_count = sizeof(values) / sizeof(*values),
                                           .children = children,
                                           .child_count = 2});
    text_end(&box->books, &label);
    text_end(&box->books, &text);
    text_end(&box->books, &note);
    mesh_end(&box->books, &mesh);
    return made;
}

void define_templates(struct fixture *box) {
    cosm_template none = {0};
    box->leaf = none;
    box->twin = none;
    box->tree = none;
    box->bud = define_bud(box);
    if (box->bud.id != 0) {
        box->leaf = define_leaf(box, "leaf", 22, &(Kiln){.number = 42}, box->bud);
    }
    if (box->leaf.id != 0) {
        box->twin = define_leaf(box, "twin", 23, NULL, none);
    }
    if (box->twin.id != 0) {
        box->tree = define_tree(box);
    }
}

uint32_t text_in(cosm_world world, cosm_entity entity, cosm_component component) {
    return text_number(cosm_entity_read(world, entity, component));
}

static uint32_t level_of(const struct fixture *box, cosm_world world, cosm_entity entity) {
    const Level *level = cosm_entity_read(world, entity, box->level);
    return level == NULL ? OBJECT_NONE : level->number;
}

static uint32_t kiln_of(const struct fixture *box, cosm_world world, cosm_entity entity) {
    const Kiln *kiln = cosm_entity_read(world, entity, box->kiln);
    return kiln == NULL ? OBJECT_NONE : kiln->number;
}

static void check_leaf(const struct fixture *box, cosm_world world, cosm_entity leaf) {
    cosm_entity buds[3];
    CHECK_INT(level_of(box, world, leaf), 8);
    CHECK_INT(text_of(box, world, leaf), 22);
    CHECK_INT(kiln_of(box, world, leaf), 42);
    CHECK_INT(text_in(world, leaf, box->note), OBJECT_NONE);
    CHECK_INT(cosm_tree_children(world, leaf, 3, buds), 2);
    for (uint32_t i = 0; i < 2; i++) {
        CHECK_INT(level_of(box, world, buds[i]), LEVEL_DEFAULT);
        CHECK_INT(mesh_of(box, world, buds[i]), 32);
        CHECK_INT(text_in(world, buds[i], box->note), 0);
        CHECK_INT(kiln_of(box, world, buds[i]), OBJECT_NONE);
        CHECK(!cosm_entity_has(world, buds[i], box->wet));
    }
}

void check_tree(const struct fixture *box, cosm_world world, cosm_entity tree,
                const struct tree_values *values) {
    const Position *position = COSM_READ(world, tree, Position);
    REQUIRE(position != NULL);
    CHECK_NEAR(position->x, values->x, 0);
    CHECK_NEAR(position->z, 3, 0);
    CHECK_INT(level_of(box, world, tree), values->level);
    CHECK_INT(text_in(world, tree, box->title), values->label);
    CHECK_INT(text_of(box, world, tree), values->text);
    CHECK_INT(mesh_of(box, world, tree), values->mesh);
    CHECK_INT(kiln_of(box, world, tree), values->kiln);
    CHECK_INT(text_in(world, tree, box->note), values->note);
    CHECK(cosm_entity_has(world, tree, box->wet));
    cosm_entity parts[5];
    CHECK_INT(cosm_tree_children(world, tree, 5, parts), 4);
    for (uint32_t i = 0; i < 3; i++) {
        check_leaf(box, world, parts[i]);
    }
    CHECK_INT(level_of(box, world, parts[3]), 8);
    CHECK_INT(text_of(box, world, parts[3]), 23);
    CHECK_INT(kiln_of(box, world, parts[3]), OBJECT_NONE);
    CHECK_INT(cosm_tree_child_count(world, parts[3]), 0);
}

void other_open(struct fixture *box, struct other_values *other, uint32_t first) {
    other->position = (Position){(float)first, 0, 3};
    other->level.number = first + 1;
    other->kiln.number = first + 5;
    text_open(&box->books, &other->label, first + 2);
    text_open(&box->books, &other->text, first + 3);
    mesh_open(&box->books, &other->mesh, first + 4);
    text_open(&box->books, &other->note, first + 6);
    const cosm_value list[] = {{box->kiln, &other->kiln},   {box->position, &other->position},
                               {box->mesh, &other->mesh},   {box->note, &other->note},
                               {box->level, &other->level}, {box->title, &other->label},
                               {box->text, &other->text}};
    memcpy(other->list, list, sizeof(list));
    other->values = (struct tree_values){(float)first, first + 1, first + 2, first + 3,
                                         first + 4,    first + 5, first + 6};
}

void other_close(struct fixture *box, struct other_values *other) {
    text_end(&box->books, &other->label);
    text_end(&box->books, &other->text);
    text_end(&box->books, &other->note);
    mesh_end(&box->books, &other->mesh);
}
