// Exchanges: objects of an image that come into the places of a world.
//
// The copies are made before anything is touched, since that can fail: where there is no object now
// they are made in their places, elsewhere aside, to be moved in once the old object has ended. An
// object that equals the one of the image stays where it is.
//
//     look at every place -> make room -> make every copy -> [end what does not stay] -> finish
#ifndef COSM_STATE_EXCHANGE_H
#define COSM_STATE_EXCHANGE_H

#include "state/object.h"

// A copy, and where it belongs: the same address where it was made in its place.
struct pending_copy {
    const struct value_type *type;
    void *made;
    void *place;
};

// Invariant: the first `made_count` copies are objects, the others are not there yet.
struct exchange {
    struct memory *memory;
    uint64_t *stays; // a bit for each of `count` places
    struct pending_copy *copies;
    char *aside;
    size_t aside_size;
    size_t aside_used;
    size_t aside_alignment;
    uint32_t count;
    uint32_t copy_count;
    uint32_t made_count;
};

// Begins one for so many places; false when out of memory. One that is zeroed may be cancelled.
bool cosmi_exchange_begin(struct exchange *exchange, struct memory *memory, uint32_t count);

// Looks at a place: what it is to hold, or NULL, and the object that it holds now, or NULL.
void cosmi_exchange_look(struct exchange *exchange, uint32_t index, const struct object *wanted,
                         const void *now);

// Makes room for the copies; false when out of memory.
bool cosmi_exchange_room(struct exchange *exchange);

// Makes the copy for a place that was looked at, where one is needed; `is_taken`: an object is
// there now. On failure there is a message.
cosm_result cosmi_exchange_make(struct exchange *exchange, const struct sink *sink,
                                const char *call, uint32_t index, const struct object *wanted,
                                void *place, bool is_taken);

// Does the object of a place stay? Not past the last place.
static inline bool exchange_stays(const struct exchange *exchange, uint32_t index) {
    return index < exchange->count && (exchange->stays[index / 64] >> (index % 64) & 1) != 0;
}

// Moves the copies to their places, which are free now; gives back all memory.
void cosmi_exchange_finish(struct exchange *exchange);

// Ends the copies; gives back all memory.
void cosmi_exchange_cancel(struct exchange *exchange);

#endif
