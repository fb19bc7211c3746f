// Worlds as JSON, and back: values, entities, tables, worlds, and the schema of an engine.
//
//     {"entity": "@5:1", "Position": {"x": 1.5, "y": 2, "z": 0}, "Frozen": {}}
//
// Every value reads back as the same bytes. Numbers are the shortest that do; NaN and infinities
// are the strings "nan", "nan:7fc00001" (other bits), "inf" and "-inf"; text that is not UTF-8, or
// has bytes after its first zero, is an array of numbers; a component without fields is a string of
// hex digits, and a tag is {}. Nested structs are objects, arrays of structs arrays of objects. The
// storage of a component does not show; but values that own something (managed ones, and others
// with a lifecycle) are written by their fields only, and cannot be read.
//
// An entity is the string "@id:gen"; none is null. Reading a world spawns its entities and maps
// every reference among them to the new handle; a reference to an entity that is not in the text
// becomes none, and a zeroed handle stays one. Labels of an enum are strings, those of a mask an
// array of strings; values without a label are numbers.
//
// Readers accept untrusted text: an error is reported with its line and column (COSM_ERROR_FORMAT),
// and the world is unchanged. Members may come in any order; missing ones keep their value, or get
// the default; unknown and repeated ones are errors. Depth, sizes and counts are bounded. Bytes
// between the fields of a new value are zero.
//
// Writers pass on their text in parts; the function they call must not change the world. They
// allocate memory before the first part, except for the schema. See docs/manual/text_json.md.
#ifndef COSM_TEXT_JSON_H
#define COSM_TEXT_JSON_H

#include <cosm/cosm.h>

COSM_BEGIN_C

// How JSON is written. Zeroed: as short as possible.
typedef struct cosm_json_style {
    bool spaced; // a space after colons and commas, and one line per entity
} cosm_json_style;

// One value of a component: an object of its fields. `value` has the size of the component.
COSM_API COSM_MUST_USE cosm_result cosm_json_write_value(const cosm_engine *engine,
                                                         cosm_component component,
                                                         const void *value, cosm_json_style style,
                                                         cosm_text_fn *write, void *context);

// An entity: an object with its handle, "entity", and its components. (A component named "entity"
// is the member "=entity".) COSM_STALE if it is not alive.
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

// Reads a value into `io_value`; fields that are not named stay. Entity references are taken
// literally.
COSM_API COSM_MUST_USE cosm_result cosm_json_read_value(const cosm_engine *engine,
                                                        cosm_component component, const char *text,
                                                        size_t length, void *io_value);

// Reads an entity's object into a living entity: sets the components it names, and adds absent
// ones, all of them or none; others stay. Its "entity" is ignored, and references are taken
// literally. If nothing is added and no shared value changes, the world may be walked. COSM_STALE
// if it is not alive.
COSM_API COSM_MUST_USE cosm_result cosm_json_read_entity(cosm_world world, cosm_entity entity,
                                                         const char *text, size_t length);

// Spawns the entity that an object describes; "entity" and references as above. COSM_ENTITY_NONE on
// failure.
COSM_API cosm_entity cosm_json_spawn(cosm_world world, const char *text, size_t length);

// Adds the entities of a world's (or a table's) text to a world, and sets the singletons it names.
// To replace the world's contents, call cosm_world_reset before. Rows are added in the order of the
// text; missing archetypes are created. An entity without "entity" cannot be referred to in the
// text. (If memory runs out in a text with more than 256 different sets of components, or with
// shared or sector components, ids used meanwhile have other generations.)
COSM_API COSM_MUST_USE cosm_result cosm_json_read_world(cosm_world world, const char *text,
                                                        size_t length);

COSM_END_C

#endif
