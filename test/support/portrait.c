// Portraits of worlds: see portrait.h. All is seen as a user sees it, but for the ids that come
// next: nothing shows these but spawning, so the directory is read.
#include "support/portrait.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "store/batch.h"

static void add_fact(struct portrait *portrait, const char *what, uint64_t a, uint64_t b) {
    if (portrait->count == portrait->capacity) {
        portrait->capacity = portrait->capacity == 0 ? 64 : 2 * portrait->capacity;
        portrait->facts = realloc(portrait->facts, portrait->capacity * sizeof(*portrait->facts));
    }
    portrait->facts[portrait->count++] = (struct portrait_fact){what, a, b};
}

static uint64_t handle_of(cosm_entity entity) {
    return (uint64_t)entity.gen << 32 | entity.id;
}

// The values of a shared component in their order, by address.
struct value_list {
    const void *at[256];
    uint32_t count;
    uint32_t entities[256];
};

static void list_value(void *context, const void *value, uint32_t entity_count) {
    struct value_list *list = context;
    if (list->count < 256) {
        list->at[list->count] = value;
        list->entities[list->count] = entity_count;
    }
    list->count++;
}

static void list_values(cosm_world world, cosm_component component, struct value_list *list) {
    list->count = 0;
    CHECK(cosm_shared_each(world, component, list_value, list) == COSM_OK);
    CHECK(list->count <= 256);
}

// How many entities have each value, the values in their order.
static void add_groups(struct portrait *portrait, cosm_world world) {
    const cosm_engine *engine = cosm_batch_engine(world.batch);
    for (cosm_component c = {1}; cosm_component_describe(engine, c).name != NULL; c.id++) {
        if (cosm_component_describe(engine, c).storage == COSM_STORAGE_SHARED) {
            struct value_list values;
            list_values(world, c, &values);
            for (uint32_t i = 0; i < values.count; i++) {
                add_fact(portrait, "shared value", c.id, values.entities[i]);
            }
        }
    }
}

// Which values, by their numbers in that order, the rows of a run have.
static void add_values(struct portrait *portrait, const cosm_rows *rows) {
    cosm_world world = cosm_rows_world(rows, 0);
    const cosm_engine *engine = cosm_batch_engine(world.batch);
    cosm_component components[COSM_ARCHETYPE_COMPONENT_MAX];
    uint32_t count = cosm_archetype_components(engine, rows->archetype,
                                               COSM_ARCHETYPE_COMPONENT_MAX, components);
    for (uint32_t i = 0; i < count; i++) {
        const void *value = cosm_rows_shared(rows, components[i]);
        if (value != NULL) {
            struct value_list values;
            list_values(world, components[i], &values);
            uint32_t number = 0;
            while (number < values.count && values.at[number] != value) {
                number++;
            }
            add_fact(portrait, "value of a table", components[i].id, number);
        }
    }
}

static void add_children(struct portrait *portrait, cosm_world world, cosm_entity entity) {
    cosm_entity child = cosm_tree_first_child(world, entity);
    while (!cosm_entity_is_none(child)) {
        add_fact(portrait, "child", handle_of(entity), handle_of(child));
        child = cosm_tree_next_sibling(world, child);
    }
}

// The rows of every table, one per archetype or group, as a walk comes to them.
static void add_rows(struct portrait *portrait, cosm_world world, const cosm_query *query) {
    cosm_rows rows;
    cosm_query_walk(query, cosm_worlds_one(world), &rows);
    while (cosm_rows_next(&rows)) {
        add_fact(portrait, "run of an archetype", rows.archetype.id, rows.row);
        add_values(portrait, &rows);
        for (uint32_t i = 0; i < rows.count; i++) {
            cosm_entity entity = rows.entities == NULL ? COSM_ENTITY_NONE : rows.entities[i];
            add_fact(portrait, "row", rows.row + i, handle_of(entity));
            add_children(portrait, world, entity);
        }
    }
}

// The free ids in their order, and the first that was never handed out. A reserved id is not free,
// whether or not it has been taken off the list yet.
static void add_ids(struct portrait *portrait, cosm_world world) {
    const struct world *ids = &world.batch->worlds[world.index];
    struct ids_ahead ahead = directory_ahead(ids);
    uint32_t reserved = ids->reserved_free + ids->reserved_fresh;
    bool has_more = true;
    for (uint32_t i = 0; has_more || i <= reserved; i++) {
        has_more = ahead.listed != ID_NONE;
        cosm_entity next = directory_next(ids, &ahead);
        if (i >= reserved) {
            add_fact(portrait, "next id", i - reserved, handle_of(next));
        }
    }
}

struct portrait portrait_of(cosm_worlds worlds, uint32_t flags) {
    struct portrait portrait = {NULL, 0, 0};
    cosm_engine *engine = cosm_batch_engine(worlds.batch);
    cosm_query *query = cosm_query_create(engine, &(cosm_query_desc){.by_world = true});
    CHECK(query != NULL);
    for (uint32_t w = worlds.first; w < worlds.first + worlds.count; w++) {
        cosm_world world = cosm_batch_world(worlds.batch, w);
        uint64_t content = cosm_hash_world(world, COSM_HASH_CONTENT);
        add_fact(&portrait, "content", content, cosm_world_entity_count(world));
        if ((flags & PORTRAIT_NO_STREAM) == 0) {
            cosm_random random = cosm_world_random(world, 0);
            uint64_t drawn = cosm_random_u64(&random);
            add_fact(&portrait, "random stream and step", drawn, cosm_world_step_count(world));
        }
        add_groups(&portrait, world);
        add_rows(&portrait, world, query);
        add_ids(&portrait, world);
    }
    cosm_query_destroy(query);
    return portrait;
}

void portrait_free(struct portrait *portrait) {
    free(portrait->facts);
    *portrait = (struct portrait){NULL, 0, 0};
}

static bool is_same(const struct portrait_fact *a, const struct portrait_fact *b) {
    return strcmp(a->what, b->what) == 0 && a->a == b->a && a->b == b->b;
}

// A fact for a message; there may be none of that number.
static void print_fact(char *text, size_t size, const struct portrait *portrait, uint32_t i) {
    if (i < portrait->count) {
        const struct portrait_fact *fact = &portrait->facts[i];
        (void)snprintf(text, size, "%s %" PRIx64 " %" PRIx64, fact->what, fact->a, fact->b);
    } else {
        (void)snprintf(text, size, "nothing more");
    }
}

static void compare(const char *file, int line, const struct portrait *actual,
                    const struct portrait *expected) {
    uint32_t i = 0;
    while (i < actual->count && i < expected->count &&
           is_same(&actual->facts[i], &expected->facts[i])) {
        i++;
    }
    char what[2][96];
    print_fact(what[0], sizeof(what[0]), actual, i);
    print_fact(what[1], sizeof(what[1]), expected, i);
    (void)harness_check_str(file, line, "the first fact that differs", what[0], what[1]);
}

void check_portrait(const char *file, int line, const struct portrait *expected, cosm_worlds worlds,
                    uint32_t flags) {
    struct portrait actual = portrait_of(worlds, flags);
    compare(file, line, &actual, expected);
    portrait_free(&actual);
}

void check_same(const char *file, int line, cosm_world actual, cosm_world expected,
                uint32_t flags) {
    struct portrait portrait = portrait_of(cosm_worlds_one(expected), flags);
    check_portrait(file, line, &portrait, cosm_worlds_one(actual), flags);
    portrait_free(&portrait);
}
