// Marks that stand where clang drops attributes, so that nothing is left of them to be read.
// Without an error they would be missing in silence.
#ifndef COSM_GEN_STRAY_H
#define COSM_GEN_STRAY_H

#include "mark.h"

// A mark that clang has kept.
struct kept_mark {
    enum mark_kind kind;
    unsigned offset; // where it is written
};

// Good with a session and the rest zeroed.
struct strays {
    struct session *session;
    struct kept_mark *kept;
    uint32_t count;
    uint32_t capacity;
};

// Says that clang has kept this mark of the header.
void strays_note(struct strays *strays, CXCursor attribute, enum mark_kind kind);

// Reports the marks of the header that were not noted.
void strays_report(struct strays *strays);

#endif
