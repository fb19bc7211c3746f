// Tells scalars from structs and from what a component cannot hold.
#include "types.h"

#include <string.h>

#include "text.h"

// One step towards the array below typedefs and the like; false where there is none.
static bool peel(CXType *io_type) {
    CXType type = *io_type;
    CXType canonical = clang_getCanonicalType(type);
    bool is_array =
        canonical.kind == CXType_ConstantArray || canonical.kind == CXType_IncompleteArray;
    if (!is_array || type.kind == canonical.kind) {
        return false;
    }
    if (type.kind == CXType_Elaborated) {
        *io_type = clang_Type_getNamedType(type);
    } else if (type.kind == CXType_Typedef) {
        *io_type = clang_getTypedefDeclUnderlyingType(clang_getTypeDeclaration(type));
    } else {
        *io_type = canonical;
    }
    return true;
}

struct shape type_shape(CXType type) {
    struct shape shape = {.dim_count = 0};
    while (true) {
        while (peel(&type)) {
        }
        if (type.kind == CXType_IncompleteArray) {
            shape.is_open = true;
        } else if (type.kind != CXType_ConstantArray) {
            break;
        } else {
            long long size = clang_getArraySize(type);
            shape.is_open = shape.is_open || size <= 0;
            if (shape.dim_count < TYPE_DIM_MAX) {
                shape.dims[shape.dim_count++] = (uint32_t)size;
            }
        }
        type = clang_getArrayElementType(type);
    }
    shape.element = type;
    shape.canonical = clang_getCanonicalType(type);
    return shape;
}

static bool is_entity(CXType canonical) {
    CXString name = clang_getCursorSpelling(clang_getTypeDeclaration(canonical));
    const char *text = clang_getCString(name);
    bool is_one = text != NULL && strcmp(text, "cosm_entity") == 0;
    clang_disposeString(name);
    return is_one;
}

static cosm_field_type integer(CXType type, bool is_signed) {
    switch (clang_Type_getSizeOf(type)) {
    case 1:
        return is_signed ? COSM_FIELD_I8 : COSM_FIELD_U8;
    case 2:
        return is_signed ? COSM_FIELD_I16 : COSM_FIELD_U16;
    case 4:
        return is_signed ? COSM_FIELD_I32 : COSM_FIELD_U32;
    case 8:
        return is_signed ? COSM_FIELD_I64 : COSM_FIELD_U64;
    default:
        return COSM_FIELD_NONE;
    }
}

cosm_field_type type_scalar(CXType canonical) {
    switch (canonical.kind) {
    case CXType_Bool:
        return COSM_FIELD_BOOL;
    case CXType_Char_S:
    case CXType_Char_U:
        return COSM_FIELD_CHAR;
    case CXType_SChar:
    case CXType_Short:
    case CXType_Int:
    case CXType_Long:
    case CXType_LongLong:
        return integer(canonical, true);
    case CXType_UChar:
    case CXType_UShort:
    case CXType_UInt:
    case CXType_ULong:
    case CXType_ULongLong:
        return integer(canonical, false);
    case CXType_Float:
        return COSM_FIELD_F32;
    case CXType_Double:
        return COSM_FIELD_F64;
    case CXType_Enum:
        return type_scalar(clang_getCanonicalType(
            clang_getEnumDeclIntegerType(clang_getTypeDeclaration(canonical))));
    case CXType_Record:
        return is_entity(canonical) ? COSM_FIELD_ENTITY : COSM_FIELD_NONE;
    default:
        return COSM_FIELD_NONE;
    }
}

bool type_is_record(CXType canonical) {
    return canonical.kind == CXType_Record && !is_entity(canonical);
}

bool type_is_union(CXType canonical) {
    return clang_getCursorKind(clang_getTypeDeclaration(canonical)) == CXCursor_UnionDecl;
}

// Wide characters are plain integers in C; only the name tells what they are meant for.
static bool is_wide(CXType type) {
    while (type.kind == CXType_Typedef || type.kind == CXType_Elaborated) {
        if (type.kind == CXType_Elaborated) {
            type = clang_Type_getNamedType(type);
            continue;
        }
        CXString name = clang_getTypedefName(type);
        const char *text = clang_getCString(name);
        bool is_one =
            text != NULL && (strcmp(text, "wchar_t") == 0 || strcmp(text, "char16_t") == 0 ||
                             strcmp(text, "char32_t") == 0);
        clang_disposeString(name);
        if (is_one) {
            return true;
        }
        type = clang_getTypedefDeclUnderlyingType(clang_getTypeDeclaration(type));
    }
    return false;
}

static const char *kind_refusal(CXType type) {
    switch (type.kind) {
    case CXType_Pointer:
    case CXType_BlockPointer: {
        CXType target = clang_getCanonicalType(clang_getPointeeType(type));
        return target.kind == CXType_FunctionProto || target.kind == CXType_FunctionNoProto
                   ? "points at a function; use an enum that says which one"
                   : "is a pointer, which is not valid in a copy of the world; use a cosm_entity, "
                     "an index, or an array of fixed size";
    }
    case CXType_LongDouble:
    case CXType_Float128:
        return "is a floating point type that differs between machines; use double";
    case CXType_Half:
    case CXType_Float16:
        return "has 16 bits of floating point; use float";
    case CXType_Int128:
    case CXType_UInt128:
        return "has 128 bits; use two of uint64_t";
    case CXType_Complex:
        return "is a complex number; use a struct of two";
    case CXType_Vector:
    case CXType_ExtVector:
        return "is a compiler vector type; use an array, and layout = split for fast loops";
    case CXType_Atomic:
        return "is atomic; remove _Atomic: systems that write it do not run at the same time";
    default:
        return NULL;
    }
}

const char *type_refusal(struct session *session, const struct shape *shape) {
    if (shape->is_open) {
        return "is an array without a size; use a fixed size";
    }
    if (clang_isVolatileQualifiedType(shape->canonical) != 0) {
        return "is volatile; remove volatile";
    }
    if (clang_isConstQualifiedType(shape->canonical) != 0) {
        return "is const, but values of components are written; remove const";
    }
    if (type_is_union(shape->canonical)) {
        return "is a union; use a struct with all its members, and an enum that says which one is "
               "valid";
    }
    if (is_wide(shape->element)) {
        return "is of wide characters; use char and UTF-8";
    }
    const char *refusal = kind_refusal(shape->canonical);
    cosm_field_type type = type_scalar(shape->canonical);
    if (refusal != NULL) {
        return refusal;
    }
    if (type == COSM_FIELD_NONE && !type_is_record(shape->canonical)) {
        return arena_format(session->arena,
                            "has type '%s'; use numbers, bool, text, cosm_entity, enums and "
                            "structs of these",
                            session_text(session, clang_getTypeSpelling(shape->canonical)));
    }
    if (type == COSM_FIELD_CHAR && shape->dim_count == 0) {
        return "is a single char; use int8_t or uint8_t for a number, an array of char for text";
    }
    if (!type_is_record(shape->canonical) && shape->dim_count > COSM_FIELD_DIM_MAX) {
        return arena_format(session->arena, "has %u dimensions; use at most %u", shape->dim_count,
                            COSM_FIELD_DIM_MAX);
    }
    return NULL;
}

const char *type_fixed(cosm_field_type type) {
    static const char *const names[COSM_FIELD_TYPE_COUNT] = {
        "void",     "int8_t",   "int16_t", "int32_t", "int64_t", "uint8_t",     "uint16_t",
        "uint32_t", "uint64_t", "float",   "double",  "bool",    "cosm_entity", "char",
    };
    return names[type];
}

// Only words: no places of unnamed types, no operators.
static bool is_plain(const char *name) {
    // What generated functions call their parameters, and so cannot use as a type inside.
    static const char *const taken[] = {"rows", "term", "columns", "component"};
    for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++) {
        if (strcmp(name, taken[i]) == 0) {
            return false;
        }
    }
    for (; *name != '\0'; name++) {
        if (!text_is_letter(*name) && !text_is_digit(*name) && *name != ' ') {
            return false;
        }
    }
    return true;
}

// In C++ what is declared inside a struct has another name outside of it.
static bool is_local(CXType canonical) {
    CXCursor parent = clang_getCursorLexicalParent(clang_getTypeDeclaration(canonical));
    return canonical.kind == CXType_Enum && clang_getCursorKind(parent) == CXCursor_StructDecl;
}

const char *type_column(struct session *session, const struct shape *shape, cosm_field_type type) {
    if (type == COSM_FIELD_BOOL || type == COSM_FIELD_ENTITY || type == COSM_FIELD_CHAR ||
        is_local(shape->canonical)) {
        return type_fixed(type);
    }
    const char *written = session_text(session, clang_getTypeSpelling(shape->element));
    if (is_plain(written)) {
        return written;
    }
    const char *canonical = session_text(session, clang_getTypeSpelling(shape->canonical));
    return is_plain(canonical) ? canonical : type_fixed(type);
}
