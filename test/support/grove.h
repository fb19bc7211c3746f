// A vault with components of every storage, and templates that have them all:
//
//   tree {leaf x 3 {bud x 2}, twin}
//
//          Position  Team      Label  Text  Mesh  Heat  Note       Flag
//   tree   {1, 2, 3} 7         11     21    31    41    51         yes
//   leaf   {0, 0, 0} 8                22          42
//   bud              default                32          like new
//   twin   {0, 0, 0} 8                23
#ifndef COSM_TEST_GROVE_H
#define COSM_TEST_GROVE_H

#include "support/vault.h"

typedef struct Team {
    uint32_t number;
} Team;

typedef struct Heat {
    uint32_t degrees;
} Heat;

#define TEAM_DEFAULT 3u
#define HEAT_DEFAULT 5u

// Entities of a tree; objects that each brings, but for its label, which trees of a world share;
// and objects that the templates themselves have.
#define TREE_ENTITIES 11u
#define TREE_OBJECTS 19u
#define TEMPLATE_OBJECTS 7u

struct grove {
    struct vault vault;
    cosm_component team;  // shared: plain bytes
    cosm_component label; // shared: a Text
    cosm_component heat;  // sector: plain bytes, in one group with the next
    cosm_component note;  // sector: a Text
    cosm_component flag;  // sector: a tag
    cosm_template bud;
    cosm_template leaf;
    cosm_template twin;
    cosm_template tree;
};

// What the entity at the top of a tree has.
struct tree_values {
    float x;
    uint32_t team;
    uint32_t label;
    uint32_t text;
    uint32_t mesh;
    uint32_t heat;
    uint32_t note;
};

extern const struct tree_values tree_as_defined;

// All values of the one at the top, others than those of the template; numbers from `first` on.
struct other_values {
    Position position;
    Team team;
    Heat heat;
    Text label;
    Text text;
    Text note;
    Mesh mesh;
    cosm_value list[7];
    struct tree_values values;
};

void other_open(struct grove *grove, struct other_values *other, uint32_t first);
void other_close(struct grove *grove, struct other_values *other);

void grove_open(struct grove *grove, uint32_t world_count);
void grove_open_with(struct grove *grove, const cosm_engine_desc *engine_desc,
                     const cosm_batch_desc *batch_desc);

// Checks that every object has ended, those of the templates too.
void grove_close(struct grove *grove);

// Defines the templates; the same ones when called again. Zeroes from the first failure on.
void grove_define(struct grove *grove);

// Is this a tree with these values, in all its parts?
void grove_check(const struct grove *grove, cosm_world world, cosm_entity tree,
                 const struct tree_values *values);

// The number of a text that an entity has of a component; VAULT_NONE: none.
uint32_t grove_text(cosm_world world, cosm_entity entity, cosm_component component);

#endif
