// Things, and books of them.
#include "support/thing.h"

static bool may_make(struct thing_books *books) {
    return atomic_load(&books->refuse_in) == 0 || atomic_fetch_sub(&books->refuse_in, 1) != 1;
}

static bool construct(void *context, void *object) {
    struct thing_books *books = context;
    Thing *thing = object;
    if (!may_make(books)) {
        return false;
    }
    *thing = (Thing){thing, THING_CONSTRUCTED};
    atomic_fetch_add(&books->constructed, 1);
    return true;
}

static bool copy(void *context, void *object, const void *source) {
    struct thing_books *books = context;
    Thing *thing = object;
    const Thing *from = source;
    if (!may_make(books)) {
        return false;
    }
    atomic_fetch_add(&books->wrong, from->self == NULL);
    *thing = (Thing){thing, from->value};
    atomic_fetch_add(&books->copied, 1);
    return true;
}

static void move(void *context, void *object, void *source) {
    struct thing_books *books = context;
    Thing *thing = object;
    Thing *from = source;
    atomic_fetch_add(&books->wrong, from->self != from);
    *thing = (Thing){thing, from->value};
    from->self = NULL;
    atomic_fetch_add(&books->moved, 1);
}

static void destroy(void *context, void *object) {
    struct thing_books *books = context;
    Thing *thing = object;
    atomic_fetch_add(&books->wrong, thing->self != thing);
    thing->self = NULL;
    atomic_fetch_add(&books->destroyed, 1);
}

cosm_lifecycle thing_lifecycle(struct thing_books *books) {
    return (cosm_lifecycle){
        .construct = construct, .copy = copy, .move = move, .destroy = destroy, .context = books};
}

uint64_t thing_count(struct thing_books *books) {
    return atomic_load(&books->constructed) + atomic_load(&books->copied) -
           atomic_load(&books->destroyed);
}

Thing thing_of(uint64_t value) {
    static Thing anywhere;
    return (Thing){&anywhere, value};
}
