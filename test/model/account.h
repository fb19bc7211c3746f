// The account of objects: which there are, where they lie, and that each of them ends once.
//
// The values of components with a lifecycle are objects of the account. An object begins with its
// number there; the rest is its content. Number zero is a picture of an object, such as a default
// or a value that the model passes in: it is copied, and never moved or ended.
#ifndef MODEL_ACCOUNT_H
#define MODEL_ACCOUNT_H

#include <cosm/component.h>

#include "heap.h"

enum { ACCOUNT_NUMBER_SIZE = 8 }; // bytes in front of the content

struct account_entry {
    const void *at;
    bool alive;
};

struct account {
    struct heap *heap;             // whose refusals the functions share
    struct account_entry *entries; // by number
    uint32_t count;                // numbers given out
    uint32_t capacity;
    uint32_t alive;
    const char *wrong; // the first thing done wrong, or NULL
};

// What the functions of one component need to know.
struct trade {
    struct account *account;
    size_t size;
    bool is_tracked;     // there is a function for moving: the account knows where objects are
    const void *initial; // what construct makes
};

// A lifecycle of these functions (HOOK_… in oracle.h).
cosm_lifecycle account_lifecycle(struct trade *trade, uint32_t hooks);

// Enters an object that the model made, and ends it.
void account_enter(const struct trade *trade, void *object);
void account_end(const struct trade *trade, void *object);

// Is there a living object just here?
bool account_has(const struct trade *trade, const void *object);

void account_free(struct account *account);

#endif
