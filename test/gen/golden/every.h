// Every kind of field, and every option, once.
#ifndef EVERY_H
#define EVERY_H

#include <cosm/mark.h>
#include <cosm/types.h>

#include "parts/vector.h"

#define MASS_MAX 100

typedef enum Color { COLOR_NONE = 0, COLOR_RED = 5, COLOR_BLUE = -3 } Color;

enum COSM_MASK() Flags { FLAG_HOT = 1, FLAG_WET = 2, FLAG_BOTH = FLAG_HOT | FLAG_WET };

// A thing with everything that a component can have,
// laid out field by field.
//
// Its docs have two paragraphs.
typedef struct COSM_COMPONENT(name = "a thing", layout = split, storage = column,
                              default = {.mass = 2, .items[1] = {7, FLAG_WET}}) Thing {
    float mass COSM_FIELD(unit = "kg", min = 0, max = MASS_MAX); // what it weighs,
                                                                 // hat included
    double precise COSM_FIELD(min = -0.5);
    int8_t i8;
    int16_t i16 COSM_FIELD(default = -300);
    int i32, more;
    int64_t i64 COSM_FIELD(default = INT64_MIN);
    uint8_t u8 COSM_FIELD(max = 9, strict = true);
    uint16_t u16;
    uint32_t u32 COSM_FIELD(default = -1);
    uint64_t u64;
    unsigned long long ull;
    size_t size;
    bool on COSM_FIELD(default = true, strict = true);
    /** Whom it follows. */
    cosm_entity target COSM_FIELD(default = COSM_ENTITY_NONE);
    cosm_entity friends[2];
    Color color COSM_FIELD(default = COLOR_RED);
    enum Flags flags;
    uint16_t mask COSM_FIELD(mask = Flags);
    char name[16] COSM_FIELD(default = "nobody");
    char lines[2][8] COSM_FIELD(default = {"one", "two"});
    uint8_t mood COSM_FIELD(labels = Mood, padding = 1, strict = true);
    float grid[2][3] COSM_FIELD(default = {{1, 2, 3}, {4, 5, 0.1}});
    Vector velocity COSM_FIELD(unit = "m/s", max = 10, strict = false); // how it moves
    struct {
        uint8_t count;
        enum Flags flags;
    } items[2];
    Vector path[2];
} Thing;

// The same layout as C gives it.
struct COSM_COMPONENT() Pose {
    Vector position COSM_FIELD(default = {1, 2});
    Vector scale COSM_FIELD(default = {1, 1});
};

COSM_TAG(Sleeping); // cannot move
COSM_TAG(Burning);

typedef struct COSM_SINGLETON(name = "the sky", default = {-9.81f, {0, 1}}) Sky_s {
    float gravity;
    Vector normal;
} Sky;

#endif
