// Paths of fields, step by step.
#include "schema/field_path.h"

#include <string.h>

#define PATH_INDEX_MAX 0xFFFFFFu // more than the bytes of a component, and no overflow on the way

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// [n], with neither sign nor needless zeroes.
static bool take_index(const char **io_at, uint32_t *out_index) {
    const char *at = *io_at + 1;
    const char *digits = at;
    uint32_t index = 0;
    while (is_digit(*at) && index <= PATH_INDEX_MAX) {
        index = index * 10 + (uint32_t)(*at - '0');
        at++;
    }
    if (at == digits || *at != ']' || index > PATH_INDEX_MAX ||
        (*digits == '0' && at > digits + 1)) {
        return false;
    }
    *io_at = at + 1;
    *out_index = index;
    return true;
}

// What stands behind a step: the end, an index, or a dot and a name, of which the dot is passed.
static bool pass_dot(const char **io_at) {
    if (**io_at == '.') {
        (*io_at)++;
        return is_letter(**io_at);
    }
    return **io_at == '\0' || **io_at == '[';
}

bool cosmi_path_step(const char **io_at, struct path_step *out_step) {
    const char *at = *io_at;
    *out_step = (struct path_step){NULL, 0, 0};
    if (*at == '[') {
        if (!take_index(&at, &out_step->index)) {
            return false;
        }
    } else if (is_letter(*at)) {
        out_step->name = at;
        while (is_letter(*at) || is_digit(*at)) {
            at++;
        }
        out_step->length = (size_t)(at - out_step->name);
    } else {
        return false;
    }
    *io_at = at;
    return pass_dot(io_at);
}

bool cosmi_path_is_valid(const char *path) {
    struct path_step step;
    if (!is_letter(*path)) {
        return false;
    }
    while (*path != '\0') {
        if (!cosmi_path_step(&path, &step)) {
            return false;
        }
    }
    return true;
}

static bool same_step(const struct path_step *a, const struct path_step *b) {
    if (a->name == NULL || b->name == NULL) {
        return a->name == b->name && a->index == b->index;
    }
    return a->length == b->length && memcmp(a->name, b->name, a->length) == 0;
}

// Do all indices from here on begin at 0?
static bool begins_arrays(const char *at) {
    struct path_step step;
    while (*at != '\0' && cosmi_path_step(&at, &step)) {
        if (step.name == NULL && step.index != 0) {
            return false;
        }
    }
    return true;
}

enum path_order cosmi_path_compare(const char *before, const char *path, size_t *out_length) {
    const char *at = path;
    if (before == NULL) {
        return begins_arrays(path) ? PATH_FOLLOWS : PATH_INDEX;
    }
    while (*before != '\0' && *at != '\0') {
        struct path_step old;
        struct path_step step;
        (void)cosmi_path_step(&before, &old);
        (void)cosmi_path_step(&at, &step);
        if (same_step(&old, &step)) {
            continue;
        }
        if ((old.name == NULL) != (step.name == NULL)) {
            return PATH_MIXED;
        }
        if (!begins_arrays(at) || (step.name == NULL && step.index != old.index + 1)) {
            return PATH_INDEX;
        }
        *out_length = step.name == NULL ? 0 : (size_t)(step.name + step.length - path);
        return step.name == NULL ? PATH_FOLLOWS : PATH_DIVERGES;
    }
    return PATH_INSIDE;
}

bool cosmi_path_leads_through(const char *path, const char *prefix, size_t length) {
    return strncmp(path, prefix, length) == 0 && !is_letter(path[length]) &&
           !is_digit(path[length]);
}
