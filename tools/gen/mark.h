// Marks: the attributes that the macros of <cosm/mark.h> become, and their options.
#ifndef COSM_GEN_MARK_H
#define COSM_GEN_MARK_H

#include "model.h"
#include "session.h"

enum mark_kind { MARK_COMPONENT, MARK_SINGLETON, MARK_TAG, MARK_FIELD, MARK_BITS };

struct option {
    const char *key;
    const char *value; // as written, blanks at its ends cut off
    struct place key_place;
    struct place value_place;
};

struct mark {
    enum mark_kind kind;
    struct place place;
    struct option *options;
    uint32_t option_count;
    uint32_t option_capacity;
};

// The macro that makes such a mark, such as "COSM_FIELD".
const char *mark_macro(enum mark_kind kind);

// The mark that a macro of that name makes. False where it makes none.
bool mark_of_macro(const char *name, enum mark_kind *out_kind);

// What to do with such a mark that means nothing where it stands: "write it ...".
const char *mark_right_place(enum mark_kind kind);

// Is the cursor one of our marks? Does not look at the options.
bool mark_is_one(CXCursor attribute, enum mark_kind *out_kind);

// Reads a mark with its options. Unknown, repeated and malformed ones are reported and left out.
// False where it is not one of ours.
bool mark_read(struct session *session, CXCursor attribute, struct mark *out_mark);

// The mark among the cursor's attributes. False where there is none; several are reported.
bool mark_find(struct session *session, CXCursor cursor, struct mark *out_mark);

// The option with that key, or NULL.
const struct option *mark_option(const struct mark *mark, const char *key);

// The option as an expression; its text is NULL where the option is NULL.
struct expression mark_expression(const struct option *option);

// The text of an option in quotes; NULL, and reported, where it is something else.
const char *mark_string(struct session *session, const struct option *option);

// Which of `words` (ended by NULL) the option says; -1, and reported, where none.
int mark_word(struct session *session, const struct option *option, const char *const *words);

#endif
