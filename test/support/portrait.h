// Portraits of worlds: exactly what they are, but for what a call that failed, or maintenance, may
// change by its documentation.
//
// An exact hash covers tickets of objects and positions in sectors, which are handed out in another
// order once some were taken and given back. A content hash covers neither these nor the order of
// anything else. A portrait is between them: it has the content, the rows of each table in their
// order, the order of children, the groups of shared values in theirs, the ids that come next, and
// the random stream with its step, and leaves tickets and positions out. It is a list of facts, so
// that a comparison can say which one differs.
#ifndef COSM_TEST_PORTRAIT_H
#define COSM_TEST_PORTRAIT_H

#include <cosm/cosm.h>

// A fact: what it is about, and two numbers.
struct portrait_fact {
    const char *what;
    uint64_t a;
    uint64_t b;
};

struct portrait {
    struct portrait_fact *facts;
    uint32_t count;
    uint32_t capacity;
};

enum {
    PORTRAIT_WHOLE = 0,
    PORTRAIT_NO_STREAM = 1, // without random streams and steps: those of other worlds differ
};

// Looks at worlds that are not being walked. Free it; nothing else is to be done with it.
struct portrait portrait_of(cosm_worlds worlds, uint32_t flags);
void portrait_free(struct portrait *portrait);

// Checks that worlds are as in a portrait of the same flags. Prints the first fact that differs.
void check_portrait(const char *file, int line, const struct portrait *expected, cosm_worlds worlds,
                    uint32_t flags);
#define CHECK_PORTRAIT(expected, worlds, flags)                                                    \
    check_portrait(__FILE__, __LINE__, (expected), (worlds), (flags))

// Checks that two worlds are the same, likewise.
void check_same(const char *file, int line, cosm_world actual, cosm_world expected, uint32_t flags);
#define CHECK_SAME(actual, expected, flags)                                                        \
    check_same(__FILE__, __LINE__, (actual), (expected), (flags))

#endif
