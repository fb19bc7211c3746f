// Reading entities: the object of an entity, as values of the components that it names.
//
// A part is a component or a singleton as one call knows it. It is made when the text first names
// it. Which part follows another is remembered and guessed the next time, so that rows of one table
// are read without looking up a name.
#ifndef COSM_TEXT_PARTS_H
#define COSM_TEXT_PARTS_H

#include "read.h"

struct group;

struct part {
    struct subject subject;
    cosm_storage storage;
    struct shape *shape;
    char *base;            // what a new value begins with: the default, with zeroes between fields
    char *value;           // the one that was read last
    char *cell;            // where that was copied to: see stage.h
    uint64_t stamp;        // of the entity that had it last
    struct part *follower; // came behind it last time, or NULL
    // Of a sector component, which is no part of an archetype:
    struct part *next_beside; // of the entity at hand
    struct group *staged;     // what was set aside of it: see stage.h
};

// An entity as the text has it.
struct entity_text {
    cosm_entity entity; // what it is called there; none where it is not
    const char *where;  // that is said
    uint32_t part_count;
    struct part *parts[COSM_ARCHETYPE_COMPONENT_MAX]; // of its table, in the order of the text
    struct part *besides;                             // its sector components, the last one first
    uint32_t beside_count;
};

struct parts {
    struct arena arena;
    struct reader reader;
    const cosm_engine *engine;
    uint32_t component_count;
    uint32_t singleton_count;
    struct part **components; // by id; NULL: not named so far
    struct part **singletons;
    struct part *first;   // the part that came first in the last entity
    struct part *at_hand; // the part whose value is being read
    uint64_t stamp;       // of the entity at hand
    cosm_world world;     // of the entity that values are read over
    cosm_entity target;   // that entity; none: new values
};

// Makes ready to read a text. False, with a failure, when out of memory; end it in any case.
bool cosmi_text_parts_begin(struct parts *parts, const cosm_engine *engine, const char *call,
                            const char *text, size_t length);
void cosmi_text_parts_end(struct parts *parts);

// Reads the object of an entity. False after a failure.
bool cosmi_text_read_object(struct parts *parts, struct entity_text *out_text);

// Reads the object "singletons": each that it names has a part, with the world's value read over.
bool cosmi_text_read_singletons(struct parts *parts, cosm_world world);

// The archetype of these components, formed where there is none. Zero, with a message, on failure.
cosm_archetype cosmi_text_need_archetype(cosm_engine *engine, const cosm_component *components,
                                         uint32_t count);

// The result of a text that is read: what the scan says or, where that is content, what it was
// short of: memory.
cosm_result cosmi_text_parts_result(struct parts *parts);

#endif
