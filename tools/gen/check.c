// Checks what no single declaration can show.
#include "check.h"

#include <string.h>

#include <cosm/container.h>

#include "emit.h"
#include "storage.h"

// A name that the generated files will declare.
struct made {
    const char *name;
    struct place place;
};

struct checking {
    struct report *report;
    const struct model *model;
    struct made *made;
    uint32_t count;
    uint32_t capacity;
};

static void check_titles(struct checking *checking) {
    const struct model *model = checking->model;
    for (uint32_t i = 0; i < model->thing_count; i++) {
        const struct thing *thing = &model->things[i];
        for (uint32_t j = 0; j < i; j++) {
            const struct thing *other = &model->things[j];
            bool is_same_room =
                (thing->kind == THING_SINGLETON) == (other->kind == THING_SINGLETON);
            if (is_same_room && strcmp(thing->title, other->title) == 0) {
                report_error(checking->report, thing->place,
                             "a %s named '%s' already exists; rename one of them",
                             thing->kind == THING_SINGLETON ? "singleton" : "component",
                             thing->title);
                report_note(checking->report, other->place, "the other one");
                break;
            }
        }
    }
}

static void make_name(struct checking *checking, struct place place, const char *name) {
    struct report *report = checking->report;
    for (uint32_t i = 0; i < checking->count; i++) {
        if (strcmp(checking->made[i].name, name) == 0) {
            report_error(report, place,
                         "the generated name '%s' would be defined twice; rename one of the two",
                         name);
            report_note(report, checking->made[i].place, "the other one");
            return;
        }
    }
    for (uint32_t i = 0; i < checking->model->declared_count; i++) {
        const struct declared *declared = &checking->model->declared[i];
        if (strcmp(declared->name, name) == 0) {
            report_error(report, place,
                         "the generated name '%s' is already declared by the program; rename one "
                         "of the two",
                         name);
            report_note(report, declared->place, "declared here");
            return;
        }
    }
    checking->made = arena_grow(report->arena, checking->made, checking->count, &checking->capacity,
                                sizeof(*checking->made));
    checking->made[checking->count++] = (struct made){name, place};
}

static void make_names(struct checking *checking, const struct thing *thing,
                       const char *const *endings) {
    for (; *endings != NULL; endings++) {
        make_name(checking, thing->place,
                  arena_format(checking->report->arena, "%s_%s", thing->name, *endings));
    }
}

// The names of what a component has beside those that every one has.
static void make_component_names(struct checking *checking, const struct thing *thing) {
    static const char *const copied[] = {"get", NULL};
    static const char *const data[] = {"set", "fields", NULL};
    static const char *const column[] = {"columns",       "const_columns", "columns_read",
                                         "columns_write", "columns_of",    NULL};
    static const char *const plain[] = {"read",         "write",     "column_read",
                                        "column_write", "column_of", NULL};
    static const char *const shared[] = {"read", "shared_read", NULL};
    static const char *const managed[] = {"read", "write", "row_read", "row_write", NULL};
    static const char *const sector[] = {"read", "write", "sector_read", "sector_write", NULL};
    make_names(checking, thing, data);
    if (!storage_is_object(thing)) {
        make_names(checking, thing, copied);
    }
    switch (thing->storage) {
    case COSM_STORAGE_SHARED:
        make_names(checking, thing, shared);
        break;
    case COSM_STORAGE_MANAGED:
        make_names(checking, thing, managed);
        break;
    case COSM_STORAGE_SECTOR:
        make_names(checking, thing, sector);
        break;
    default:
        make_names(checking, thing, column);
        if (thing->layout == COSM_LAYOUT_STRUCT) {
            make_names(checking, thing, plain);
        }
        break;
    }
}

static void check_names(struct checking *checking, const struct thing *thing) {
    static const char *const tag[] = {"type", "component", "has", "add", "remove", NULL};
    static const char *const singleton[] = {"type", "singleton", "read", "write", "fields", NULL};
    if (thing->kind == THING_SINGLETON) {
        make_names(checking, thing, singleton);
    } else {
        make_names(checking, thing, tag);
        if (thing->kind == THING_COMPONENT) {
            make_component_names(checking, thing);
        }
    }
    struct arena *arena = checking->report->arena;
    for (uint32_t i = 0; i < thing->leaf_count; i++) {
        const struct leaf *leaf = &thing->leaves[i];
        make_name(checking, leaf->place,
                  arena_format(arena, "%s_field_%s", thing->name, leaf->symbol));
        if (leaf->padding > 0 && emit_has_columns(thing)) {
            make_name(checking, leaf->place,
                      arena_format(arena, "%s_%s_row", thing->name, leaf->symbol));
        }
        if (leaf->values != NULL) {
            make_name(checking, leaf->place,
                      arena_format(arena, "%s_default_%s", thing->name, leaf->symbol));
        }
    }
}

// Inside generated functions these are variables, and would hide the type.
static void check_type_name(struct checking *checking, const struct thing *thing) {
    static const char *const taken[] = {"engine", "world",     "entity",  "rows",
                                        "term",   "value",     "columns", "out_value",
                                        "done",   "component", "group",   "i"};
    for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++) {
        if (strcmp(thing->c_type, taken[i]) == 0) {
            report_error(checking->report, thing->place,
                         "generated functions have a variable called '%s'; use another name for "
                         "the type",
                         thing->c_type);
        }
    }
}

static void check_padding(struct checking *checking, const struct thing *thing) {
    for (uint32_t i = 0; i < thing->leaf_count; i++) {
        const struct leaf *leaf = &thing->leaves[i];
        size_t end = leaf->offset + leaf->element_count * leaf->scalar_size;
        size_t room = thing->size - end;
        for (uint32_t j = 0; j < thing->leaf_count; j++) {
            size_t offset = thing->leaves[j].offset;
            room = offset >= end && offset - end < room ? offset - end : room;
        }
        uint32_t alignment = leaf->alignment != 0 ? leaf->alignment : leaf->natural;
        if (leaf->padding > room || leaf->padding % alignment != 0) {
            report_error(checking->report, leaf->padding_text.place,
                         "padding = %u does not fit after '%s', where %zu bytes are free; use a "
                         "multiple of %u up to that",
                         leaf->padding, leaf->path, room, alignment);
        }
    }
}

// A record holds so many components at most.
static void check_group(struct checking *checking, uint32_t index) {
    const struct thing *thing = &checking->model->things[index];
    uint32_t before = 0;
    for (uint32_t i = 0; thing->group != NULL && i < index; i++) {
        const char *group = checking->model->things[i].group;
        before += group != NULL && strcmp(group, thing->group) == 0;
    }
    if (before == COSM_CONTAINER_MEMBER_MAX) {
        report_error(checking->report, thing->group_place,
                     "group '%s' already has %u components, the limit of a record; use another "
                     "group",
                     thing->group, COSM_CONTAINER_MEMBER_MAX);
    }
}

// Names that begin with cosm_ are the library's.
static bool is_ours(const char *name) {
    return strncmp(name, "cosm", 4) == 0 && (name[4] == '\0' || name[4] == '_');
}

// Has an earlier one the same C name? Then all its generated names meet, which is said already.
static bool is_namesake(const struct model *model, uint32_t index) {
    for (uint32_t i = 0; i < index; i++) {
        if (strcmp(model->things[i].name, model->things[index].name) == 0) {
            return true;
        }
    }
    return false;
}

void check_model(struct report *report, const struct model *model, const char *function,
                 bool is_module) {
    struct checking checking = {.report = report, .model = model};
    check_titles(&checking);
    for (uint32_t i = 0; i < model->thing_count; i++) {
        check_type_name(&checking, &model->things[i]);
        if (!is_module && is_ours(model->things[i].name)) {
            report_error(report, model->things[i].place,
                         "'%s': names that start with cosm_ are reserved for the library; use "
                         "another one",
                         model->things[i].name);
        } else if (!is_namesake(model, i)) {
            check_names(&checking, &model->things[i]);
        }
        check_padding(&checking, &model->things[i]);
        check_group(&checking, i);
    }
    for (uint32_t i = 0; i < model->labels_count; i++) {
        const struct labels *labels = model->labels[i];
        struct place place = model->thing_count > 0 ? model->things[0].place : (struct place){0};
        make_name(&checking, place, labels->symbol);
        make_name(&checking, place, arena_format(report->arena, "%s_items", labels->symbol));
    }
    if (!is_module && is_ours(function)) {
        report_error(report, (struct place){0},
                     "the function would be called %s, which is reserved for the library; pass "
                     "--name",
                     function);
    } else if (model->thing_count > 0) {
        make_name(&checking, model->things[0].place, function);
    }
}
