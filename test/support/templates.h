// Templates of FIXTURE_TEMPLATE, which have components of every storage:
//
//   tree {leaf x 3 {bud x 2}, twin}
//
//          Position  Level     Title  Text  Mesh  Kiln  Note       Wet
//   tree   {1, 2, 3} 7         11     21    31    41    51         yes
//   leaf   {0, 0, 0} 8                22          42
//   bud              default                32          like new
//   twin   {0, 0, 0} 8                23
#ifndef COSM_TEST_TEMPLATES_H
#define COSM_TEST_TEMPLATES_H

#include "support/storages.h"

// Entities of a tree; objects that each brings, but for its label, which trees of a world share;
// and objects that the templates themselves have.
#define TREE_ENTITIES 11u
#define TREE_OBJECTS 19u
#define TEMPLATE_OBJECTS 7u

// What the entity at the top of a tree has.
struct tree_values {
    float x;
    uint32_t level;
    uint32_t label;
    uint32_t text;
    uint32_t mesh;
    uint32_t kiln;
    uint32_t note;
};

extern const struct tree_values tree_as_defined;

// All values of the one at the top, others than those of the template; numbers from `first` on.
struct other_values {
    Position position;
    Level level;
    Kiln kiln;
    Text label;
    Text text;
    Text note;
    Mesh mesh;
    cosm_value list[7];
    struct tree_values values;
};

void other_open(struct fixture *box, struct other_values *other, uint32_t first);
void other_close(struct fixture *box, struct other_values *other);

// Defines the templates; the same ones when called again. Zeroes from the first failure on.
void define_templates(struct fixture *box);

// Is this a tree with these values, in all its parts?
void check_tree(const struct fixture *box, cosm_world world, cosm_entity tree,
                const struct tree_values *values);

// The number of a text that an entity has of a component; OBJECT_NONE: none.
uint32_t text_in(cosm_world world, cosm_entity entity, cosm_component component);

#endif
