// What the tests of cosm::text share: text that is kept, JSON that is checked by another reader,
// and a zoo: an engine with components of every kind, in both layouts.
#ifndef COSM_TEXT_TEST_SUPPORT_H
#define COSM_TEXT_TEST_SUPPORT_H

#include <cosm/cosm.h>
#include <cosm_text/json.h>
#include <cosm_text/print.h>

#include "support/fixture.h"

// Text that was written, with a zero behind it. Good when zeroed.
struct kept_text {
    char *bytes;
    size_t length;
    size_t capacity;
    size_t piece_count; // how often it was written to
};

// A cosm_text_fn whose context is a kept_text.
void keep_text(void *context, const char *text, size_t length);

// Empties the text, or gives its memory back.
void kept_text_clear(struct kept_text *kept);
void kept_text_free(struct kept_text *kept);

// Is it JSON? Asks jansson where that is at hand, else says yes.
bool is_json(const char *text, size_t length);

typedef struct Scalars {
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    float f32;
    double f64;
    bool yes;
    cosm_entity entity;
} Scalars;

typedef struct Vector {
    float x, y, z;
} Vector;

typedef struct Nested {
    struct {
        Vector position;
        double angle;
    } pose;
    struct {
        uint16_t count;
        char kind[4];
        int8_t cells[2][3];
    } items[3];
    uint8_t last;
} Nested;

typedef struct Arrays {
    float line[5];
    int16_t grid[2][3];
    uint64_t cube[2][2][2];
    double hyper[2][1][3][2];
    bool flags[3];
    cosm_entity friends[2][2];
    char one[1];
    char lines[2][3][6];
} Arrays;

typedef struct Labels {
    int32_t color; // an enum
    uint8_t small; // an enum
    uint32_t bits; // a mask
    int8_t tiny;   // a mask whose highest bit is a sign
    uint64_t wide; // a mask
    int64_t far;   // an enum of extremes
} Labels;

typedef struct Name {
    char text[24];
} Name;

typedef struct Link {
    cosm_entity target;
    cosm_entity others[3];
} Link;

typedef struct Raw {
    unsigned char bytes[13];
} Raw;

// Of every kind there is one in struct layout, at [0], and one in split layout, at [1].
struct zoo {
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_world world;
    cosm_component scalars[2];
    cosm_component nested[2];
    cosm_component arrays[2];
    cosm_component labels[2];
    cosm_component name[2];
    cosm_component link[2];
    cosm_component vector[2];
    cosm_component raw;
    cosm_component tag;
    cosm_component entity; // called "entity", with a float "entity"
    cosm_component team;   // a Name, shared
    cosm_component bond;   // a Link, shared
    cosm_component seal;   // a Raw, shared
    cosm_component heat;   // a Vector, in sectors
    cosm_component tie;    // a Link, in one group with heat
    cosm_component wet;    // a tag, in sectors
    cosm_singleton clock;  // a Vector
    cosm_singleton leader; // a Link
    cosm_singleton blob;   // a Raw
};

void zoo_open(struct zoo *zoo);
void zoo_open_with(struct zoo *zoo, cosm_allocator allocator);

// Checks that the batch is valid, and that nothing hinders its end.
void zoo_close(struct zoo *zoo);

// Defines all of it in an engine.
void zoo_define(struct zoo *zoo);

// Fills the fields of a value with random bits: often extremes, text that is nearly right, and NaN.
// What lies between fields is zero.
void zoo_fill(const struct zoo *zoo, cosm_component component, struct dice *dice, void *out_value);

// The same for a list of fields.
void fill_fields(const cosm_field *fields, uint32_t count, size_t size, struct dice *dice,
                 void *out_value);

// The component with that number, from 0 on; zero behind the last one. Columns come first.
#define ZOO_COLUMN_COUNT 17u
#define ZOO_COUNT 23u
cosm_component zoo_component(const struct zoo *zoo, uint32_t number);

// Writes a value, a world, an entity as JSON. What was there before is gone.
void write_value(struct kept_text *text, const cosm_engine *engine, cosm_component component,
                 const void *value, bool spaced);
void write_world(struct kept_text *text, cosm_world world, bool spaced);
void write_entity(struct kept_text *text, cosm_world world, cosm_entity entity, bool spaced);

#endif
