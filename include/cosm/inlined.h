// Internal: the building blocks of the macros of typed.h and query.h, and of inline functions. Do
// not use them directly.
#ifndef COSM_INLINED_H
#define COSM_INLINED_H

#include <cosm/field.h>
#include <cosm/types.h>

#ifdef __cplusplus
#include <type_traits>
#endif

COSM_BEGIN_C

// Reports an index past the end of a range of worlds, and returns {NULL, 0}.
COSM_API cosm_world cosm_worlds_outside(cosm_worlds worlds, uint32_t i);

static inline uint64_t cosm_type_mix(uint64_t key, const char *text) {
    uint64_t next_bytes;
    memcpy(&next_bytes, text, sizeof(next_bytes));
    key = (key ^ next_bytes) * 0x9E3779B97F4A7C15u;
    return key ^ key >> 29;
}

// A hash of a name, eight bytes at a time; the name is followed by eight zeros. The first 32 bytes
// are unrolled, so that compilers fold all of it into a constant.
static inline uint64_t cosm_type_key(const char *padded, size_t length) {
    uint64_t key = cosm_type_mix(length, padded);
    if (length > 8) {
        key = cosm_type_mix(key, padded + 8);
    }
    if (length > 16) {
        key = cosm_type_mix(key, padded + 16);
    }
    if (length > 24) {
        key = cosm_type_mix(key, padded + 24);
    }
    for (size_t at = 32; at < length; at += 8) {
        key = cosm_type_mix(key, padded + at);
    }
    return key | 1; // zero is no key
}

static inline cosm_type cosm_type_of(const char *padded, size_t length, size_t size) {
    cosm_type type = {padded, size, cosm_type_key(padded, length)};
    return type;
}

// Name and size as one number, so that a column is checked by one comparison.
static inline uint64_t cosm_type_check(cosm_type type) {
    return (type.key ^ type.size * UINT64_C(0x9E3779B97F4A7C15)) | 1; // zero fits nothing
}

// A field as COSM_COMPONENT_DEFINE describes it: the number of its type, plus COSM_FIELD_ARRAY for
// an array.
static inline cosm_field cosm_field_make(const char *name, unsigned code, size_t offset,
                                         size_t size) {
    cosm_field field;
    memset(&field, 0, sizeof(field));
    field.name = name;
    field.type = COSM_CAST(cosm_field_type, code & 63u);
    field.offset = COSM_CAST(uint32_t, offset);
    size_t scalar = cosm_field_type_size(field.type);
    field.dims[0] = (code & 64u) != 0 && scalar > 0 ? COSM_CAST(uint32_t, size / scalar) : 0;
    return field;
}

// How many fields that makes of a type for which none is named.
static inline uint32_t cosm_field_count_made(unsigned code) {
    return code == COSM_FIELD_NONE ? 0 : 1;
}

COSM_END_C

// Where the compiler knows the padding of a type, a definition macro finds it: of a probe of ones
// the bits of padding are cleared, and what is left of it is the members. Larger types are left
// out, since the probe is on the stack.
#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
#define COSM_CLEAR_PADDING(pointer) __builtin_clear_padding(pointer)
#endif
#endif
#ifdef COSM_CLEAR_PADDING
#define COSM_PROBE_SIZE(T) (sizeof(T) == 0 || sizeof(T) > 4096 ? 1 : sizeof(T))
#endif

#define COSM_FIELDS_TOO_MANY                                                                       \
    "a definition macro takes at most 32 fields; list more in desc.fields of the define call"
#define COSM_FIELD_ARRAY 64u
#define COSM_FIELD_LONG (sizeof(long) == 8 ? COSM_FIELD_I64 : COSM_FIELD_I32)
#define COSM_FIELD_ULONG (sizeof(long) == 8 ? COSM_FIELD_U64 : COSM_FIELD_U32)

// A name followed by eight zeros, and a type by its name.
#define COSM_PADDED(Type) #Type "\0\0\0\0\0\0\0"
#define COSM_TYPE_NAMED(Type, size) cosm_type_of(COSM_PADDED(Type), sizeof(#Type) - 1, (size))
#define COSM_TYPE(Type) COSM_TYPE_NAMED(Type, sizeof(Type))
#define COSM_NAME(Type) COSM_TYPE_NAMED(Type, 0)

#define COSM_FIRST(first, ...) first
#define COSM_JOIN(a, b) COSM_JOINED(a, b)
#define COSM_JOINED(a, b) a##b

// For a type and its fields: 1 if there is no field, 2 for up to 32, 3 for more; and the number of
// fields. Digits, because a program may have a macro N.
#define COSM_FIELD_FORM_OF(_0, _1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15,   \
                           _16, _17, _18, _19, _20, _21, _22, _23, _24, _25, _26, _27, _28, _29,   \
                           _30, _31, _32, _33, _34, _35, _36, _37, _38, _39, _40, _41, _42, _43,   \
                           _44, _45, _46, _47, _48, _49, _50, _51, _52, _53, _54, _55, _56, _57,   \
                           _58, _59, _60, _61, _62, _63, _64, form, ...)                           \
    form
#define COSM_FIELD_FORM(...)                                                                       \
    COSM_FIELD_FORM_OF(__VA_ARGS__, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, \
                       3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,  \
                       2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, )
#define COSM_FIELD_COUNT_OF(_0, _1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15,  \
                            _16, _17, _18, _19, _20, _21, _22, _23, _24, _25, _26, _27, _28, _29,  \
                            _30, _31, _32, count, ...)                                             \
    count
#define COSM_FIELD_COUNT(...)                                                                      \
    COSM_FIELD_COUNT_OF(__VA_ARGS__, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18,   \
                        17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, )

#define COSM_MAP_1(T, m) COSM_FIELD_ITEM(T, m)
#define COSM_MAP_2(T, m, ...) COSM_FIELD_ITEM(T, m), COSM_MAP_1(T, __VA_ARGS__)
#define COSM_MAP_3(T, m, ...) COSM_FIELD_ITEM(T, m), COSM_MAP_2(T, __VA_ARGS__)
#define COSM_MAP_4(T, m, ...) COSM_FIELD_ITEM(T, m), COSM_MAP_3(T, __VA_ARGS__)
#define COSM_MAP_5(T, m, ...) COSM_FIELD_ITEM(T, m), COSM_MAP_4(T, __VA_ARGS__)
#define COSM_MAP_6(T, m, ...) COSM_FIELD_ITEM(T, m), COSM_MAP_5(T, __VA_ARGS__)
#define COSM_MAP_7(T, m, ...) COSM_FIELD_ITEM(T, m), COSM_MAP_6(T, __VA_ARGS__)
#define COSM_MAP_8(T, m, ...) COSM_FIELD_ITEM(T, m), COSM_MAP_7(T, __VA_ARGS__)
#define COSM_MAP_9(T, m, ...) COSM_FIELD_ITEM(T, m), COSM_MAP_8(T, __VA_ARGS__)
#define COSM_MAP_10(T, m, ...) COSM_FIELD_ITEM(T, m), COSM_MAP_9(T, __VA_ARGS__)
#define COSM_MAP_11(T, m, ...) COSM_FIELD_ITEM(T, m), COSM_MAP_10(T, __VA_ARGS__)
#define COSM_MAP_12(T, m, ...) COSM_FIELD_ITEM(T, m), COSM_MAP_11(T, __VA_ARGS__)
#define COSM_MAP_13(T, m, ...) COSM_FIELD_ITEM(T, m), COSM_MAP_12(T, __VA_ARGS__)
#define COSM_MAP_14(T, m, ...) COSM_FIELD_ITEM(T, m), COSM_MAP_13(T, __VA_ARGS__)
#define COSM_MAP_15(T, m, ...) COSM_FIELD_ITEM(T, m), COSM_MAP_14(T, __VA_ARGS__)
#define COSM_MAP_16(T, m, ...) COSM_FIELD_ITEM(T, m), COSM_MAP_15(T, __VA_ARGS__)
#define COSM_MAP_17(T, m, ...) COSM_FIELD_ITEM(T, m), COSM_MAP_16(T, __VA_ARGS__)
#define COSM_MAP_18(T, m, ...) COSM_FIELD_ITEM(T, m), COSM_MAP_17(T, __VA_ARGS__)
#define COSM_MAP_19(T, m, ...) COSM_FIELD_ITEM(T, m), COSM_MAP_18(T, __VA_ARGS__)
#define COSM_MAP_20(T, m, ...) COSM_FIELD_ITEM(T, m), COSM_MAP_19(T, __VA_ARGS__)
#define COSM_MAP_21(T, m, ...) COSM_FIELD_ITEM(T, m), COSM_MAP_20(T, __VA_ARGS__)
#define COSM_MAP_22(T, m, ...) COSM_FIELD_ITEM(T, m), COSM_MAP_21(T, __VA_ARGS__)
#define COSM_MAP_23(T, m, ...) COSM_FIELD_ITEM(T, m), COSM_MAP_22(T, __VA_ARGS__)
#define COSM_MAP_24(T, m, ...) COSM_FIELD_ITEM(T, m), COSM_MAP_23(T, __VA_ARGS__)
#define COSM_MAP_25(T, m, ...) COSM_FIELD_ITEM(T, m), COSM_MAP_24(T, __VA_ARGS__)
#define COSM_MAP_26(T, m, ...) COSM_FIELD_ITEM(T, m), COSM_MAP_25(T, __VA_ARGS__)
#define COSM_MAP_27(T, m, ...) COSM_FIELD_ITEM(T, m), COSM_MAP_26(T, __VA_ARGS__)
#define COSM_MAP_28(T, m, ...) COSM_FIELD_ITEM(T, m), COSM_MAP_27(T, __VA_ARGS__)
#define COSM_MAP_29(T, m, ...) COSM_FIELD_ITEM(T, m), COSM_MAP_28(T, __VA_ARGS__)
#define COSM_MAP_30(T, m, ...) COSM_FIELD_ITEM(T, m), COSM_MAP_29(T, __VA_ARGS__)
#define COSM_MAP_31(T, m, ...) COSM_FIELD_ITEM(T, m), COSM_MAP_30(T, __VA_ARGS__)
#define COSM_MAP_32(T, m, ...) COSM_FIELD_ITEM(T, m), COSM_MAP_31(T, __VA_ARGS__)

#define COSM_FIELD_ITEM(T, m)                                                                      \
    cosm_field_make(#m, COSM_FIELD_CODE(T, m), offsetof(T, m), sizeof(COSM_CAST(T *, NULL)->m))

#ifdef __cplusplus

template <typename cosm_member, bool cosm_is_enum = std::is_enum<cosm_member>::value>
struct cosm_scalar_code {
    static constexpr unsigned value = COSM_FIELD_NONE;
};
// An enum is the number that holds it, as in C.
template <typename cosm_member> struct cosm_scalar_code<cosm_member, true> {
    static constexpr unsigned value =
        cosm_scalar_code<typename std::underlying_type<cosm_member>::type>::value;
};
template <typename cosm_member> struct cosm_field_code {
    static constexpr unsigned value =
        cosm_scalar_code<typename std::remove_cv<cosm_member>::type>::value;
};
template <typename cosm_member, size_t cosm_count> struct cosm_field_code<cosm_member[cosm_count]> {
    static constexpr unsigned cosm_code = cosm_scalar_code<cosm_member>::value;
    static constexpr unsigned value =
        cosm_code == COSM_FIELD_NONE ? 0u + COSM_FIELD_NONE : COSM_FIELD_ARRAY | cosm_code;
};
template <size_t cosm_count> struct cosm_field_code<char[cosm_count]> {
    static constexpr unsigned value = COSM_FIELD_ARRAY | COSM_FIELD_CHAR;
};
#define COSM_FIELD_CODE_OF(M, code)                                                                \
    template <> struct cosm_scalar_code<M, false> { static constexpr unsigned value = (code); };
COSM_FIELD_CODE_OF(bool, COSM_FIELD_BOOL)
COSM_FIELD_CODE_OF(signed char, COSM_FIELD_I8)
COSM_FIELD_CODE_OF(unsigned char, COSM_FIELD_U8)
COSM_FIELD_CODE_OF(short, COSM_FIELD_I16)
COSM_FIELD_CODE_OF(unsigned short, COSM_FIELD_U16)
COSM_FIELD_CODE_OF(int, COSM_FIELD_I32)
COSM_FIELD_CODE_OF(unsigned int, COSM_FIELD_U32)
COSM_FIELD_CODE_OF(long, COSM_FIELD_LONG)
COSM_FIELD_CODE_OF(unsigned long, COSM_FIELD_ULONG)
COSM_FIELD_CODE_OF(long long, COSM_FIELD_I64)
COSM_FIELD_CODE_OF(unsigned long long, COSM_FIELD_U64)
COSM_FIELD_CODE_OF(float, COSM_FIELD_F32)
COSM_FIELD_CODE_OF(double, COSM_FIELD_F64)
COSM_FIELD_CODE_OF(cosm_entity, COSM_FIELD_ENTITY)
#undef COSM_FIELD_CODE_OF

// What is an element, as m[1], has a reference as its type.
#define COSM_FIELD_CODE(T, m)                                                                      \
    cosm_field_code<                                                                               \
        typename std::remove_reference<decltype(COSM_CAST(T *, nullptr)->m)>::type>::value

// Fields, and the type whose fields they are.
template <typename cosm_described, size_t cosm_count> struct cosm_fields_of {
    cosm_field items[cosm_count];
    const cosm_field *begin() const {
        return items;
    }
    uint32_t count() const {
        return COSM_CAST(uint32_t, cosm_count);
    }
};
// A number, or an array of them, is described without being asked; a class is not.
template <typename cosm_described> struct cosm_fields_of<cosm_described, 0> {
    static constexpr unsigned cosm_code = cosm_field_code<cosm_described>::value;
    cosm_field item = cosm_field_make("value", cosm_code, 0, sizeof(cosm_described));
    const cosm_field *begin() const {
        return &item;
    }
    uint32_t count() const {
        return cosm_field_count_made(cosm_code);
    }
};
#define COSM_FIELDS_1(T)                                                                           \
    cosm_fields_of<T, 0> {                                                                         \
    }
#define COSM_FIELDS_2(T, ...)                                                                      \
    cosm_fields_of<T, COSM_FIELD_COUNT(T, __VA_ARGS__)> {                                          \
        { COSM_JOIN(COSM_MAP_, COSM_FIELD_COUNT(T, __VA_ARGS__))(T, __VA_ARGS__) }                 \
    }
template <typename cosm_described> cosm_fields_of<cosm_described, 0> cosm_fields_too_many() {
    static_assert(sizeof(cosm_described) == 0, COSM_FIELDS_TOO_MANY);
    return {};
}
#define COSM_FIELDS_3(T, ...) cosm_fields_too_many<T>()

// The bytes of a type that are not padding, for the definitions.
template <typename cosm_described> struct cosm_members_of {
#ifdef COSM_CLEAR_PADDING
    alignas(cosm_described) unsigned char bytes[COSM_PROBE_SIZE(cosm_described)];
    const unsigned char *find() {
        if constexpr (sizeof(cosm_described) <= sizeof(bytes) &&
                      std::is_trivially_copyable<cosm_described>::value) {
            memset(bytes, 0xFF, sizeof(bytes));
            COSM_CLEAR_PADDING(COSM_CAST(cosm_described *, COSM_CAST(void *, bytes)));
            return bytes;
        }
        return nullptr;
    }
#else
    const unsigned char *find() {
        return nullptr;
    }
#endif
};
#define COSM_DEFINE(define, engine, T, fields) define<T>((engine), COSM_TYPE(T), fields)

#else

// A pointer cannot be a field; an array decays to one, so its address tells them apart. One to what
// is const or volatile matches no type of a value.
#define COSM_POINTER_TO(M) M ** : COSM_FIELD_NONE, M *const * : COSM_FIELD_NONE
#define COSM_PLACE_CODE(value)                                                                     \
    _Generic(&(value), COSM_POINTER_TO(char), COSM_POINTER_TO(void), COSM_POINTER_TO(bool),        \
             COSM_POINTER_TO(signed char), COSM_POINTER_TO(unsigned char), COSM_POINTER_TO(short), \
             COSM_POINTER_TO(unsigned short), COSM_POINTER_TO(int), COSM_POINTER_TO(unsigned int), \
             COSM_POINTER_TO(long), COSM_POINTER_TO(unsigned long), COSM_POINTER_TO(long long),    \
             COSM_POINTER_TO(unsigned long long), COSM_POINTER_TO(float), COSM_POINTER_TO(double), \
             COSM_POINTER_TO(cosm_entity), default                                                 \
             : COSM_VALUE_CODE(value))
#define COSM_VALUE_CODE(value)                                                                     \
    _Generic((value), bool: COSM_FIELD_BOOL, signed char: COSM_FIELD_I8,                     \
        unsigned char: COSM_FIELD_U8, short: COSM_FIELD_I16, unsigned short: COSM_FIELD_U16,       \
        int: COSM_FIELD_I32, unsigned int: COSM_FIELD_U32, long: COSM_FIELD_LONG,                  \
        unsigned long: COSM_FIELD_ULONG, long long: COSM_FIELD_I64,                                \
        unsigned long long: COSM_FIELD_U64, float: COSM_FIELD_F32, double: COSM_FIELD_F64,         \
        cosm_entity: COSM_FIELD_ENTITY, char *: COSM_FIELD_ARRAY | COSM_FIELD_CHAR,                \
        bool *: COSM_FIELD_ARRAY | COSM_FIELD_BOOL,                                                \
        signed char *: COSM_FIELD_ARRAY | COSM_FIELD_I8,                                           \
        unsigned char *: COSM_FIELD_ARRAY | COSM_FIELD_U8,                                         \
        short *: COSM_FIELD_ARRAY | COSM_FIELD_I16,                                                \
        unsigned short *: COSM_FIELD_ARRAY | COSM_FIELD_U16,                                       \
        int *: COSM_FIELD_ARRAY | COSM_FIELD_I32,                                                  \
        unsigned int *: COSM_FIELD_ARRAY | COSM_FIELD_U32,                                         \
        long *: COSM_FIELD_ARRAY | COSM_FIELD_LONG,                                                \
        unsigned long *: COSM_FIELD_ARRAY | COSM_FIELD_ULONG,                                      \
        long long *: COSM_FIELD_ARRAY | COSM_FIELD_I64,                                            \
        unsigned long long *: COSM_FIELD_ARRAY | COSM_FIELD_U64,                                   \
        float *: COSM_FIELD_ARRAY | COSM_FIELD_F32,                                                \
        double *: COSM_FIELD_ARRAY | COSM_FIELD_F64,                                               \
        cosm_entity *: COSM_FIELD_ARRAY | COSM_FIELD_ENTITY, default: COSM_FIELD_NONE)
#define COSM_FIELD_CODE(T, m) COSM_PLACE_CODE(((T *)0)->m)
#define COSM_TYPE_CODE(T) COSM_PLACE_CODE(*(T *)0)
// A number, or an array of them, is described without being asked; a struct is not.
#define COSM_FIELDS_1(T)                                                                           \
    (const cosm_field[]){cosm_field_make("value", COSM_TYPE_CODE(T), 0, sizeof(T))},               \
        cosm_field_count_made(COSM_TYPE_CODE(T))
#define COSM_FIELDS_2(T, ...)                                                                      \
    (const cosm_field[]){COSM_JOIN(COSM_MAP_, COSM_FIELD_COUNT(T, __VA_ARGS__))(T, __VA_ARGS__)},  \
        COSM_FIELD_COUNT(T, __VA_ARGS__)
#define COSM_FIELDS_3(T, ...)                                                                      \
    NULL, sizeof(struct {                                                                          \
        _Static_assert(sizeof(T) == 0, COSM_FIELDS_TOO_MANY);                                      \
        int cosm_unused;                                                                           \
    })

#ifdef COSM_CLEAR_PADDING
#define COSM_DEFINE(define, engine, T, ...)                                                        \
    __extension__({                                                                                \
        _Alignas(T) unsigned char cosm_members[COSM_PROBE_SIZE(T)];                                \
        memset(cosm_members, 0xFF, sizeof(cosm_members));                                          \
        if (sizeof(T) <= sizeof(cosm_members)) {                                                   \
            COSM_CLEAR_PADDING((T *)(void *)cosm_members);                                         \
        }                                                                                          \
        define((engine), COSM_TYPE(T), _Alignof(T),                                                \
               sizeof(T) <= sizeof(cosm_members) ? cosm_members : NULL, __VA_ARGS__);              \
    })
#else
#define COSM_DEFINE(define, engine, T, ...)                                                        \
    define((engine), COSM_TYPE(T), _Alignof(T), NULL, __VA_ARGS__)
#endif

#endif

#define COSM_FIELDS(...) COSM_JOIN(COSM_FIELDS_, COSM_FIELD_FORM(__VA_ARGS__))(__VA_ARGS__)

// COSM_READ and COSM_WRITE, chosen by the number of their arguments.
#define COSM_PICK_3(a, b, c, name, ...) name
#define COSM_READ_ROWS(rows, Type)                                                                 \
    COSM_CAST(const Type *, cosm_rows_read_type((rows), COSM_TYPE(Type)))
#define COSM_WRITE_ROWS(rows, Type) COSM_CAST(Type *, cosm_rows_write_type((rows), COSM_TYPE(Type)))
#define COSM_READ_ONE(world, entity, Type)                                                         \
    COSM_CAST(const Type *, cosm_entity_read_type((world), (entity), COSM_TYPE(Type)))
#define COSM_WRITE_ONE(world, entity, Type)                                                        \
    COSM_CAST(Type *, cosm_entity_write_type((world), (entity), COSM_TYPE(Type)))

#endif
