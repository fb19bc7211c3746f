// Every storage, with functions and groups.
#ifndef STORAGES_H
#define STORAGES_H

#include <cosm/mark.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool material_equals(void *context, const void *a, const void *b);
uint64_t material_hash(void *context, const void *object);

// Its changes are kept row by row.
typedef struct COSM_COMPONENT(storage = column, changes = rows) Health {
    float points COSM_FIELD(default = 100);
} Health;

typedef struct COSM_COMPONENT(storage = shared) Team {
    uint32_t number;
} Team;

// Equal where the names are.
typedef struct COSM_COMPONENT(storage = shared, equals = material_equals, hash = material_hash)
    Material {
    char name[12];
    float shine;
} Material;

// A text of its own.
typedef struct COSM_COMPONENT(storage = managed, copy = label_copy, destroy = label_destroy) Label {
    char *text;
    uint32_t length;
} Label;

// Nothing but a pointer: there is nothing to describe.
typedef struct COSM_COMPONENT(storage = managed, construct = mesh_construct, copy = mesh_copy,
                              move = mesh_move, destroy = mesh_destroy) Mesh {
    void *handle;
} Mesh;

typedef struct COSM_COMPONENT(storage = sector, group = fire) Heat {
    float degrees COSM_FIELD(unit = "K", default = 300);
} Heat;

typedef struct COSM_COMPONENT(storage = sector, changes = chunks) Wound {
    uint16_t depth;
} Wound;

// Comes with heat.
typedef struct COSM_COMPONENT(storage = sector, layout = struct, group = fire) Smoke {
    float density;
    uint32_t color;
} Smoke;

bool label_copy(void *context, void *object, const void *source);
void label_destroy(void *context, void *object);

static inline bool mesh_construct(void *context, void *object) {
    (void)context;
    ((Mesh *)object)->handle = malloc(1);
    return ((Mesh *)object)->handle != NULL;
}

static inline bool mesh_copy(void *context, void *object, const void *source) {
    (void)source;
    return mesh_construct(context, object);
}

static inline void mesh_move(void *context, void *object, void *source) {
    (void)context;
    memcpy(object, source, sizeof(Mesh));
}

static inline void mesh_destroy(void *context, void *object) {
    (void)context;
    free(((Mesh *)object)->handle);
}

#endif
