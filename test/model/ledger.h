// The ledger of objects: which there are, where they lie, and that each of them ends once.
//
// The values of components with a lifecycle are objects of the ledger. An object begins with its
// number there; the rest is its content. Number zero is a picture of an object, such as a default
// or a value that the model passes in: it is copied, and never moved or ended.
#ifndef MODEL_LEDGER_H
#define MODEL_LEDGER_H

#include <cosm/component.h>

#include "heap.h"

enum { LEDGER_NUMBER_SIZE = 8 }; // bytes in front of the content

struct ledger_entry {
    const void *at;
    bool alive;
};

struct ledger {
    struct heap *heap;            // whose refusals the functions share
    struct ledger_entry *entries; // by number
    uint32_t count;               // numbers given out
    uint32_t capacity;
    uint32_t alive;
    const char *wrong; // the first thing done wrong, or NULL
};

// What the functions of one component need to know.
struct trade {
    struct ledger *ledger;
    size_t size;
    bool is_tracked;     // there is a function for moving: the ledger knows where objects are
    const void *initial; // what construct makes
};

// A lifecycle of these functions (HOOK_… in oracle.h).
cosm_lifecycle ledger_lifecycle(struct trade *trade, uint32_t hooks);

// Enters an object that the model made, and ends it.
void ledger_enter(const struct trade *trade, void *object);
void ledger_end(const struct trade *trade, void *object);

// Is there a living object just here?
bool ledger_has(const struct trade *trade, const void *object);

void ledger_free(struct ledger *ledger);

#endif
