// The components of numbers.h, described: made by cosm-gen, not to be edited.
// clang-format off
#include "numbers.cosm.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define COSM_GEN_SAW(what) \
    static_assert(what, "numbers.h is not as cosm-gen saw it; run cosm-gen again")

COSM_GEN_SAW(sizeof(Ends) == 96 && COSM_ALIGNOF(Ends) == 8);
COSM_GEN_SAW(offsetof(Ends, a) == 0 && sizeof(((Ends *)0)->a) == 1);
COSM_GEN_SAW(offsetof(Ends, b) == 2 && sizeof(((Ends *)0)->b) == 2);
COSM_GEN_SAW(offsetof(Ends, c) == 4 && sizeof(((Ends *)0)->c) == 4);
COSM_GEN_SAW(offsetof(Ends, d) == 8 && sizeof(((Ends *)0)->d) == 8);
COSM_GEN_SAW(offsetof(Ends, e) == 16 && sizeof(((Ends *)0)->e) == 1);
COSM_GEN_SAW(offsetof(Ends, f) == 18 && sizeof(((Ends *)0)->f) == 2);
COSM_GEN_SAW(offsetof(Ends, g) == 20 && sizeof(((Ends *)0)->g) == 4);
COSM_GEN_SAW(offsetof(Ends, h) == 24 && sizeof(((Ends *)0)->h) == 8);
COSM_GEN_SAW(offsetof(Ends, i) == 32 && sizeof(((Ends *)0)->i) == 4);
COSM_GEN_SAW(offsetof(Ends, j) == 36 && sizeof(((Ends *)0)->j) == 4);
COSM_GEN_SAW(offsetof(Ends, k) == 40 && sizeof(((Ends *)0)->k) == 8);
COSM_GEN_SAW(offsetof(Ends, l) == 48 && sizeof(((Ends *)0)->l) == 8);
COSM_GEN_SAW(offsetof(Ends, m) == 56 && sizeof(((Ends *)0)->m) == 8);
COSM_GEN_SAW(offsetof(Ends, n) == 64 && sizeof(((Ends *)0)->n) == 4);
COSM_GEN_SAW(offsetof(Ends, o) == 68 && sizeof(((Ends *)0)->o) == 4);
COSM_GEN_SAW(offsetof(Ends, p) == 72 && sizeof(((Ends *)0)->p) == 8);
COSM_GEN_SAW(offsetof(Ends, q) == 80 && sizeof(((Ends *)0)->q) == 1);
COSM_GEN_SAW(offsetof(Ends, r) == 81 && sizeof(((Ends *)0)->r) == 3);
COSM_GEN_SAW(offsetof(Ends, s) == 84 && sizeof(((Ends *)0)->s) == 4);
COSM_GEN_SAW(offsetof(Ends, t) == 88 && sizeof(((Ends *)0)->t) == 4);

static const int8_t Ends_default_a = -128;
static const int16_t Ends_default_b = -32768;
static const int32_t Ends_default_c = INT32_MIN;
static const int64_t Ends_default_d = INT64_MIN;
static const uint8_t Ends_default_e = 255;
static const uint16_t Ends_default_f = 65535;
static const uint32_t Ends_default_g = 4294967295u;
static const uint64_t Ends_default_h = UINT64_C(18446744073709551615);
static const float Ends_default_i = 3.4028235e+38f;
static const float Ends_default_j = 1e-45f;
static const double Ends_default_k = 2.2250738585072014e-308;
static const double Ends_default_l = 5e-324;
static const double Ends_default_m = -HUGE_VAL;
static const float Ends_default_n = NAN;
static const float Ends_default_o = -0.0f;
static const double Ends_default_p = 0.1;
static const bool Ends_default_q = true;
static const bool Ends_default_r[3] = {false, true, false};
static const uint32_t Ends_default_s = 4294967295u;
static const float Ends_default_t = 1e+30f;

static const cosm_field Ends_fields[] = {
    {"a", COSM_FIELD_I8, offsetof(Ends, a), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, &Ends_default_a, false},
    {"b", COSM_FIELD_I16, offsetof(Ends, b), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, &Ends_default_b, false},
    {"c", COSM_FIELD_I32, offsetof(Ends, c), {0, 0, 0, 0}, 0, 0,
     NULL, -2147483648.0, 2147483647.0, NULL,
     NULL, &Ends_default_c, false},
    {"d", COSM_FIELD_I64, offsetof(Ends, d), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, &Ends_default_d, false},
    {"e", COSM_FIELD_U8, offsetof(Ends, e), {0, 0, 0, 0}, 0, 0,
     NULL, 1.0, 255.0, NULL,
     NULL, &Ends_default_e, false},
    {"f", COSM_FIELD_U16, offsetof(Ends, f), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, &Ends_default_f, false},
    {"g", COSM_FIELD_U32, offsetof(Ends, g), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, &Ends_default_g, false},
    {"h", COSM_FIELD_U64, offsetof(Ends, h), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 1.8446744073709552e+19, NULL,
     NULL, &Ends_default_h, false},
    {"i", COSM_FIELD_F32, offsetof(Ends, i), {0, 0, 0, 0}, 0, 0,
     NULL, -HUGE_VAL, 3.4028234663852886e+38, NULL,
     NULL, &Ends_default_i, false},
    {"j", COSM_FIELD_F32, offsetof(Ends, j), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, &Ends_default_j, false},
    {"k", COSM_FIELD_F64, offsetof(Ends, k), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, &Ends_default_k, false},
    {"l", COSM_FIELD_F64, offsetof(Ends, l), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, &Ends_default_l, false},
    {"m", COSM_FIELD_F64, offsetof(Ends, m), {0, 0, 0, 0}, 0, 0,
     NULL, -HUGE_VAL, HUGE_VAL, NULL,
     NULL, &Ends_default_m, false},
    {"n", COSM_FIELD_F32, offsetof(Ends, n), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, &Ends_default_n, false},
    {"o", COSM_FIELD_F32, offsetof(Ends, o), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, &Ends_default_o, false},
    {"p", COSM_FIELD_F64, offsetof(Ends, p), {0, 0, 0, 0}, 0, 0,
     NULL, -0.3333333333333333, 0.3333333333333333, NULL,
     NULL, &Ends_default_p, false},
    {"q", COSM_FIELD_BOOL, offsetof(Ends, q), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, &Ends_default_q, false},
    {"r", COSM_FIELD_BOOL, offsetof(Ends, r), {3, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, Ends_default_r, false},
    {"s", COSM_FIELD_U32, offsetof(Ends, s), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, &Ends_default_s, false},
    {"t", COSM_FIELD_F32, offsetof(Ends, t), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, &Ends_default_t, false},
};

cosm_component_type Ends_type = {
    {"Ends", sizeof(Ends), COSM_ALIGNOF(Ends), NULL, COSM_LAYOUT_STRUCT, Ends_fields, 20,
     NULL,
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Ends"},
    0};

cosm_result numbers_register_all(cosm_engine *engine) {
    bool done = true;
    done = done && cosm_component_register(engine, &Ends_type).id != 0;
    return done ? COSM_OK : cosm_error_result();
}
