// The names of entities in a text, such as "@5:1", and which entity of the world each became.
//
// Ids come from a text, so nothing is taken from them but what the number of entities justifies: a
// list by id where ids are dense, as in what was written from a world, else a sorted list.
#ifndef COSM_TEXT_NAMES_H
#define COSM_TEXT_NAMES_H

#include <cosm/cosm.h>

struct name {
    cosm_entity entity; // as the text calls it
    const char *where;  // in the text
    uint32_t group;     // which entity that is: see stage.h
    uint32_t row;
};

// Good when zeroed.
struct names {
    struct name *items; // in the order of the text, until they are sorted
    uint32_t count;
    uint32_t capacity;
    uint32_t *slots; // by id: the number of the item, plus one. NULL: the items are sorted
    uint32_t slot_count;
};

// False when out of memory.
bool cosmi_text_names_add(struct names *names, struct name name);

// Makes names ready to be found. Where one comes twice, *out_twice is one that comes behind
// another; else it is NULL. False when out of memory.
bool cosmi_text_names_index(struct names *names, const struct name **out_twice);

// The name, or NULL.
const struct name *cosmi_text_names_find(const struct names *names, cosm_entity entity);

void cosmi_text_names_free(struct names *names);

#endif
