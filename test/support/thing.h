// Things: objects that must be made, moved and destroyed by their hooks, and books of them.
//
// A thing knows its own address, so one that was moved as raw memory is found out. The books count
// what was made and what was destroyed; they may be used on several threads.
#ifndef COSM_TEST_THING_H
#define COSM_TEST_THING_H

#include <cosm/component.h>

#include <stdatomic.h>

typedef struct Thing {
    struct Thing *self; // NULL: there is none here
    uint64_t value;
} Thing;

struct thing_books {
    atomic_ullong constructed;
    atomic_ullong copied;
    atomic_ullong moved;
    atomic_ullong destroyed;
    atomic_ullong wrong;    // objects that were not where they thought
    atomic_llong refuse_in; // makings until one is refused; 0: none
};

#define THING_CONSTRUCTED 77u // the value of one that was constructed

// All four hooks, with the books as their context.
cosm_lifecycle thing_lifecycle(struct thing_books *books);

// How many there are now.
uint64_t thing_count(struct thing_books *books);

// One that can be copied from.
Thing thing_of(uint64_t value);

#endif
