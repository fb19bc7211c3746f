// The entities of a text, set aside until all of it has been read and found right.
//
// Entities with the same components are a group, whatever the order in which the text has them.
// Their values lie in blocks, each with a column per component:
//
//     group {Position, Velocity}
//       block  | Position x 4 | Velocity x 4 |
//       block  | Position x 8         | Velocity x 8         |
//
// Sector components are no part of a table. Each has a group of its own for them, whose rows know
// whose they are.
//
// Blocks do not move, so that references to be translated can be kept by address.
#ifndef COSM_TEXT_STAGE_H
#define COSM_TEXT_STAGE_H

#include "names.h"
#include "parts.h"

// An entity that was set aside.
struct owner {
    uint32_t group; // its number
    uint32_t row;
};

struct block {
    struct block *next;
    uint32_t capacity; // rows there is room for
    uint32_t count;    // rows in use
    char *cells;
    struct owner *owners; // in the group of a sector component: one for each row
};

struct group {
    uint32_t number; // in the order in which they came
    uint32_t part_count;
    struct part **order; // as they came in the first entity
    struct part **parts; // the same by ascending id
    size_t *offsets;     // of the column of parts[i], per row of a block
    uint64_t hash;       // of the set
    uint32_t count;      // entities
    struct block *first;
    struct block *last;
    // Once they are spawned:
    cosm_archetype archetype;
    uint32_t first_row;
    cosm_entity *handles;
    struct group *next;
};

// A handle that was read, and that may name an entity of the text.
struct reference {
    char *at; // in the value of the part, and once the row is set aside, in its cell
    struct part *part;
};

struct stage {
    struct parts *parts;
    struct names names;
    struct reference *references;
    size_t reference_count;
    size_t reference_capacity;
    size_t settled;       // references that are in cells
    struct group **slots; // by hash, open addressing
    uint32_t slot_count;  // a power of two, or zero
    uint32_t group_count; // at most COSM_ARCHETYPE_MAX
    struct group *first;  // in the order in which they came
    struct group *last;
    struct group *last_used;
    struct group *first_beside; // of sector components, through `next`
    bool has_shared;            // a group has a shared component
};

// From now on the stage hears of handles that the parts' reader reads.
void cosmi_text_stage_begin(struct stage *stage, struct parts *parts);
void cosmi_text_stage_end(struct stage *stage);

// Sets aside an entity that was just read. False after a failure, and when out of memory.
bool cosmi_text_stage_entity(struct stage *stage, const struct entity_text *text);

// Leaves the singletons that were just read where they are: in their parts.
void cosmi_text_stage_singletons(struct stage *stage);

// Spawns all that was set aside and sets the singletons that were read, or changes nothing.
cosm_result cosmi_text_stage_apply(struct stage *stage, cosm_world world);

#endif
