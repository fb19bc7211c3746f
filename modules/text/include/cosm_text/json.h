// Worlds as JSON, and back: values, entities, tables, worlds, and the schema of an engine.
//
//     {"entity": "@5:1", "Position": {"x": 1.5, "y": 2, "z": 0}, "Frozen": {}}
//
// Every value reads back as the same bytes: numbers are the shortest that do; NaN and infinities
// are the strings "nan", "nan:7fc00001" (other bits), "inf" and "-inf"; text that is not UTF-8, or
// has something behind its first zero, is an array of numbers; a component without fields is a
// string of hex digits, and a tag is {}. Nested structs are objects, arrays of structs arrays of
// objects. Where a component is stored does not show; but values that own something (managed ones, and
// others with a lifecycle) are written by their fields only, and never read.
//
// An entity is the string "@id:gen", none is null. Reading a world spawns its entities anew and
// turns every reference among them into the new handle; a reference to an entity that is not in the
// text becomes none, and a zeroed handle stays one. Labels of an enum are strings, those of a mask
// an array of strings; values without a label are numbers.
//
// Readers take text from anywhere: what is wrong is told with its line and column
// (COSM_ERROR_FORMAT), and the world is as it was. Members come in any order; those that are
// missing keep the value they had, or the default; those that are unknown, or come twice, are a
// failure. Depth, sizes and counts are bounded. What lies between the fields of a new value is
// zero.
//
// Writers hand on their text in pieces; the function they call must not change the world. What
// needs memory comes before the first piece, except for the schema. docs/manual/text_json.md tells
// more.
#ifndef COSM_TEXT_JSON_H
#define COSM_TEXT_JSON_H

#include <cosm/cosm.h>

COSM_BEGIN_C

// How JSON is written. Good when zeroed: as short as can be.
typedef struct cosm_json_style {
    bool spaced; // with a space behind colons and commas, and a line per entity
} cosm_json_style;

// One value of a component: an object of its fields. `value` holds cosm_component_size bytes.
COSM_API COSM_MUST_USE cosm_result cosm_json_write_value(const cosm_engine *engine,
                                                         cosm_component component,
                                                         const void *value, cosm_json_style style,
                                                         cosm_text_fn *write, void *context);

// An entity: an object of its handle, "entity", and its components. (A component that is itself
// called "entity" is the member "=entity".) COSM_STALE where it is not alive.
COSM_API COSM_MUST_USE cosm_result cosm_json_write_entity(cosm_world world, cosm_entity entity,
                                                          cosm_json_style style,
                                                          cosm_text_fn *write, void *context);

// A table: {"archetype": name, "components": [...], "entities": [...]}. The "entity" of a temporary
// row is null.
COSM_API COSM_MUST_USE cosm_result cosm_json_write_table(cosm_world world, cosm_archetype archetype,
                                                         cosm_json_style style, cosm_text_fn *write,
                                                         void *context);

// A world: {"cosm": 1, "singletons": {...}, "entities": [...]}, table by table in the order of
// queries. Temporary rows are left out.
COSM_API COSM_MUST_USE cosm_result cosm_json_write_world(cosm_world world, cosm_json_style style,
                                                         cosm_text_fn *write, void *context);

// The schema: components (name, id, size, alignment, layout, storage, hash, default, fields),
// singletons, bundles, groups of sectors and archetypes. Hashes are strings of 16 hex digits.
COSM_API COSM_MUST_USE cosm_result cosm_json_write_schema(const cosm_engine *engine,
                                                          cosm_json_style style,
                                                          cosm_text_fn *write, void *context);

// Reads a value over the bytes at `io_value`, of which what is not named stays. Entity references
// are taken as they are.
COSM_API COSM_MUST_USE cosm_result cosm_json_read_value(const cosm_engine *engine,
                                                        cosm_component component, const char *text,
                                                        size_t length, void *io_value);

// Reads an entity's object onto a living entity: components it names are set, and added where they
// are absent, all of them or none; others stay. Its "entity" is passed over, and references are
// taken as they are. Where nothing is added, nor another shared value given, the world may be walked.
// COSM_STALE where it is not alive.
COSM_API COSM_MUST_USE cosm_result cosm_json_read_entity(cosm_world world, cosm_entity entity,
                                                         const char *text, size_t length);

// Spawns the entity that an object describes; as above for "entity" and references.
// COSM_ENTITY_NONE on failure.
COSM_API cosm_entity cosm_json_spawn(cosm_world world, const char *text, size_t length);

// Adds the entities of a world's (or a table's) text to a world, and sets the singletons it names.
// To replace what is there, call cosm_world_reset before. Rows come into tables in the order of the
// text; archetypes that are not there are formed. An entity without "entity" is one that nothing in
// the text refers to.
// (Where memory runs out in a text of more than 256 different sets of components, or with shared or
// sector components, ids that were used on the way have other generations.)
COSM_API COSM_MUST_USE cosm_result cosm_json_read_world(cosm_world world, const char *text,
                                                        size_t length);

COSM_END_C

#endif
