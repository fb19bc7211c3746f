// Marks: to the compiler they are nothing (cosm/mark.h). What cosm-gen makes of them is tested with
// cosm-gen.
#include <cosm/mark.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "harness.h"

// Every mark, with every option, where it may stand.

typedef enum COSM_MASK() Flag {
    FLAG_HOT = 1,
    FLAG_WET = 2,
} Flag;

typedef enum Mood { MOOD_CALM, MOOD_ANGRY } Mood;

COSM_TAG(Frozen);

typedef struct Vec3 {
    float x, y, z;
} Vec3;

/// What it is, in the words of its header.
typedef struct COSM_COMPONENT(name = "game body", layout = split, storage = column,
                              default = {.mass = 1}) Body {
    float mass COSM_FIELD(unit = "kg", min = 0, max = 100, default = 1); // what it weighs
    uint32_t flags COSM_FIELD(mask = Flag);
    uint8_t mood COSM_FIELD(labels = Mood);
    char name[11] COSM_FIELD(default = "a, b");
    double grid[2][3] COSM_FIELD(padding = 16);
    Vec3 places[2];
    bool alive COSM_FIELD();
} Body;

typedef struct COSM_COMPONENT() Plain {
    uint16_t count;
    double COSM_FIELD(unit = "s") time;
} Plain;

typedef struct COSM_SINGLETON(name = "clock", default = {3}) Clock {
    uint64_t ticks COSM_FIELD(min = 0, max = 10);
} Clock;

// The same without marks.

typedef struct BareBody {
    float mass;
    uint32_t flags;
    uint8_t mood;
    char name[11];
    double grid[2][3];
    Vec3 places[2];
    bool alive;
} BareBody;

typedef struct BarePlain {
    uint16_t count;
    double time;
} BarePlain;

typedef struct BareClock {
    uint64_t ticks;
} BareClock;

#define CHECK_SAME_PLACE(Marked, Bare, member)                                                     \
    do {                                                                                           \
        CHECK_INT(offsetof(Marked, member), offsetof(Bare, member));                               \
        CHECK_INT(sizeof(((Marked *)NULL)->member), sizeof(((Bare *)NULL)->member));               \
    } while (0)

TEST(a_marked_struct_is_laid_out_as_without_its_marks) {
    CHECK_INT(sizeof(Body), sizeof(BareBody));
    CHECK_INT(_Alignof(Body), _Alignof(BareBody));
    CHECK_SAME_PLACE(Body, BareBody, mass);
    CHECK_SAME_PLACE(Body, BareBody, flags);
    CHECK_SAME_PLACE(Body, BareBody, mood);
    CHECK_SAME_PLACE(Body, BareBody, name);
    CHECK_SAME_PLACE(Body, BareBody, grid);
    CHECK_SAME_PLACE(Body, BareBody, places);
    CHECK_SAME_PLACE(Body, BareBody, alive);
    CHECK_INT(sizeof(Plain), sizeof(BarePlain));
    CHECK_SAME_PLACE(Plain, BarePlain, count);
    CHECK_SAME_PLACE(Plain, BarePlain, time);
    CHECK_INT(sizeof(Clock), sizeof(BareClock));
    CHECK_SAME_PLACE(Clock, BareClock, ticks);
    CHECK_INT(FLAG_HOT | FLAG_WET, 3);
    CHECK_INT(MOOD_ANGRY, 1);
}

TEST(a_marked_struct_is_used_like_any_other) {
    Body body = {.mass = 2, .name = "ten bytes!", .grid = {{1, 2, 3}, {4, 5, 6}}};
    BareBody bare;
    memcpy(&bare, &body, sizeof(bare));
    CHECK_NEAR(bare.mass, 2, 0);
    CHECK_STR(bare.name, "ten bytes!");
    CHECK_NEAR(bare.grid[1][2], 6, 0);
    CHECK_INT(bare.alive, false);
}

// What a macro call expands to, as text.
#define TEXT_OF(...) TEXT_OF_EXPANDED(__VA_ARGS__)
#define TEXT_OF_EXPANDED(...) #__VA_ARGS__

TEST(marks_expand_to_nothing) {
    CHECK_STR(TEXT_OF(COSM_COMPONENT(layout = split, name = "a")), "");
    CHECK_STR(TEXT_OF(COSM_COMPONENT()), "");
    CHECK_STR(TEXT_OF(COSM_SINGLETON(default = {1, 2})), "");
    CHECK_STR(TEXT_OF(COSM_FIELD(unit = "kg", max = 1e9)), "");
    CHECK_STR(TEXT_OF(COSM_MASK()), "");
    CHECK_STR(TEXT_OF(COSM_MARK("any", "thing")), "");
    CHECK_STR(TEXT_OF(COSM_TAG(Frozen)), "struct Frozen");
}
