// Reads where a component lives, and checks that what its mark says goes together.
#include "storage.h"

#include <string.h>

#include "text.h"

const char *const lifecycle_keys[LIFECYCLE_COUNT] = {"construct", "copy",   "move",
                                                     "destroy",   "equals", "hash"};

enum { CONSTRUCT, COPY, MOVE, DESTROY, EQUALS, HASH };

bool storage_is_object(const struct thing *thing) {
    return thing->storage == COSM_STORAGE_MANAGED || thing->lifecycle[COPY].text != NULL ||
           thing->lifecycle[DESTROY].text != NULL;
}

static bool is_function(const struct model *model, const char *name) {
    for (uint32_t i = 0; i < model->declared_count; i++) {
        if (model->declared[i].is_function && strcmp(model->declared[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void read_lifecycle(struct session *session, const struct model *model,
                           const struct mark *mark, struct thing *thing) {
    for (uint32_t i = 0; i < LIFECYCLE_COUNT; i++) {
        const struct option *option = mark_option(mark, lifecycle_keys[i]);
        if (option == NULL) {
            continue;
        }
        if (!text_is_identifier(option->value)) {
            report_error(session->report, option->value_place,
                         "'%s' is not the name of a function; write %s = name", option->value,
                         option->key);
        } else if (!is_function(model, option->value)) {
            report_error(session->report, option->value_place,
                         "no function is called '%s'; declare it in this header, or in one that "
                         "it includes",
                         option->value);
        } else {
            thing->lifecycle[i] = mark_expression(option);
        }
    }
}

static void check_lifecycle(struct session *session, const struct mark *mark,
                            const struct thing *thing) {
    const struct option *equals = mark_option(mark, lifecycle_keys[EQUALS]);
    const struct option *hash = mark_option(mark, lifecycle_keys[HASH]);
    for (uint32_t i = 0; i < LIFECYCLE_COUNT; i++) {
        const struct option *option = mark_option(mark, lifecycle_keys[i]);
        if (option != NULL && thing->storage == COSM_STORAGE_COLUMN) {
            report_error(session->report, option->key_place,
                         "'%s' is not for columns, which hold plain bytes; set storage = managed, "
                         "sector or shared, or remove it",
                         option->key);
            return;
        }
        if (option != NULL && thing->storage == COSM_STORAGE_SHARED &&
            (i == CONSTRUCT || i == MOVE)) {
            report_error(session->report, option->key_place,
                         "'%s' is not for shared values, which are only copied and never moved; "
                         "remove it",
                         option->key);
        }
    }
    if ((equals == NULL) != (hash == NULL)) {
        const struct option *one = equals != NULL ? equals : hash;
        report_error(session->report, one->key_place,
                     "'%s' requires '%s'; set both, or neither to compare bytes", one->key,
                     lifecycle_keys[equals != NULL ? HASH : EQUALS]);
    }
}

static void read_group(struct session *session, const struct mark *mark, struct thing *thing) {
    const struct option *group = mark_option(mark, "group");
    if (group == NULL) {
        return;
    }
    if (thing->storage != COSM_STORAGE_SECTOR) {
        report_error(session->report, group->key_place,
                     "'group' is for components with storage = sector; set that, or remove it");
    } else if (!text_is_identifier(group->value) || strlen(group->value) > COSM_NAME_LENGTH_MAX) {
        report_error(session->report, group->value_place,
                     "'%s' is not the name of a group; write group = name, of at most %u letters",
                     group->value, COSM_NAME_LENGTH_MAX);
    } else {
        thing->group = group->value;
        thing->group_place = group->value_place;
    }
}

void storage_read(struct session *session, const struct model *model, const struct mark *mark,
                  struct thing *thing) {
    static const char *const layouts[] = {"struct", "split", NULL};
    static const char *const storages[] = {"column", "shared", "managed", "sector", NULL};
    static const char *const changes[] = {"chunks", "rows", NULL};
    const struct option *layout = mark_option(mark, "layout");
    const struct option *storage = mark_option(mark, "storage");
    const struct option *change = mark_option(mark, "changes");
    int word = storage == NULL ? 0 : mark_word(session, storage, storages);
    bool is_known = word >= 0;
    thing->storage = is_known ? (cosm_storage)word : COSM_STORAGE_COLUMN;
    if (layout != NULL && mark_word(session, layout, layouts) == 1) {
        thing->layout = COSM_LAYOUT_SPLIT;
    }
    thing->change_rows = change != NULL && mark_word(session, change, changes) == 1;
    read_lifecycle(session, model, mark, thing);
    if (!is_known) {
        return; // what it goes with is not known either
    }
    if (thing->storage != COSM_STORAGE_COLUMN && thing->layout == COSM_LAYOUT_SPLIT) {
        report_error(session->report, layout->value_place,
                     "layout = split is for columns, but storage = %s has none; remove one of them",
                     storage->value);
        thing->layout = COSM_LAYOUT_STRUCT;
    }
    if (thing->storage != COSM_STORAGE_COLUMN && thing->change_rows) {
        report_error(session->report, change->value_place,
                     "changes = rows is for columns, but storage = %s has none; remove one of them",
                     storage->value);
    }
    check_lifecycle(session, mark, thing);
    read_group(session, mark, thing);
}
