// The components of texts.h, described: made by cosm-gen, not to be edited.
// clang-format off
#include "texts.cosm.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#define COSM_GEN_SAW(what) \
    static_assert(what, "texts.h is not as cosm-gen saw it; run cosm-gen again")

COSM_GEN_SAW(sizeof(Words) == 35 && COSM_ALIGNOF(Words) == 1);
COSM_GEN_SAW(offsetof(Words, full) == 0 && sizeof(((Words *)0)->full) == 3);
COSM_GEN_SAW(offsetof(Words, shorter) == 3 && sizeof(((Words *)0)->shorter) == 8);
COSM_GEN_SAW(offsetof(Words, lines) == 11 && sizeof(((Words *)0)->lines) == 8);
COSM_GEN_SAW(offsetof(Words, bytes) == 19 && sizeof(((Words *)0)->bytes) == 4);
COSM_GEN_SAW(offsetof(Words, odd) == 23 && sizeof(((Words *)0)->odd) == 8);
COSM_GEN_SAW(offsetof(Words, zero) == 31 && sizeof(((Words *)0)->zero) == 4);

static const char Words_default_full[3] = {'a', 'b', 'c'};
static const char Words_default_shorter[8] = "a\"\\\n?";
static const char Words_default_lines[2][4] = {"one", {'f', 'o', 'u', 'r'}};
static const char Words_default_bytes[4] = {'\001', '\000', '\377', '\047'};
static const char Words_default_odd[8] = "\0011\377";

static const cosm_field Words_fields[] = {
    {"full", COSM_FIELD_CHAR, offsetof(Words, full), {3, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, Words_default_full, false},
    {"shorter", COSM_FIELD_CHAR, offsetof(Words, shorter), {8, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, Words_default_shorter, false},
    {"lines", COSM_FIELD_CHAR, offsetof(Words, lines), {2, 4, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, Words_default_lines, false},
    {"bytes", COSM_FIELD_CHAR, offsetof(Words, bytes), {4, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, Words_default_bytes, false},
    {"odd", COSM_FIELD_CHAR, offsetof(Words, odd), {8, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, Words_default_odd, false},
    {"zero", COSM_FIELD_CHAR, offsetof(Words, zero), {4, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
};

cosm_component_type Words_type = {
    {"Words", sizeof(Words), COSM_ALIGNOF(Words), NULL, COSM_LAYOUT_SPLIT, Words_fields, 6,
     NULL,
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Words"},
    0};

cosm_result texts_register_all(cosm_engine *engine) {
    bool done = true;
    done = done && cosm_component_register(engine, &Words_type).id != 0;
    return done ? COSM_OK : cosm_error_result();
}
