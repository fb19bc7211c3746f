// What is known of each kind of part: how a live world has it, how it comes back, what can be wrong
// with it. Everything else treats all kinds alike.
#ifndef COSM_STATE_KIND_H
#define COSM_STATE_KIND_H

#include "state/capture.h"
#include "state/restore.h"

// A part as a live world has it.
struct live_part {
    uint32_t key;
    void *at; // the store, list of objects or container; NULL before the first one
};

// A blob of a live part.
struct live_blob {
    bool is_there;
    const void *bytes; // NULL: `fill` makes them
};

// An object, or where one belongs.
struct live_object {
    const struct value_type *type;
    void *bytes;
    bool is_there;
};

struct part_kind {
    // Capturing. `next` moves on to the next part that the world has; false at the end.
    bool (*next)(cosm_world world, struct live_part *io_live);
    // Fills in what the key names, and the words.
    void (*shape)(cosm_world world, const struct live_part *live, struct part *head);
    // Is it what the base has, whose head is alike? NULL: only its bytes tell.
    bool (*is_clean)(const struct capture *capture, const struct live_part *live,
                     const struct part *base);
    // Takes blobs of the base that are known to be the same. NULL: none is.
    void (*share)(const struct capture *capture, const struct live_part *live, struct part *part,
                  const struct part *base);
    // NULL: all are there, and `fill` makes their bytes.
    void (*blob)(const struct capture *capture, const struct live_part *live,
                 const struct part *part, uint32_t i, struct live_blob *out);
    void (*fill)(const struct capture *capture, const struct live_part *live,
                 const struct part *part, uint32_t i, void *out);
    // Blobs that were not shared are compared with those of the base.
    bool is_compared;

    // NULL where a kind has none.
    struct live_object (*object)(cosm_world world, const struct live_part *live,
                                 const struct part *part, uint32_t i);
    // Callbacks of the program begin, or end, to run on its objects.
    void (*hooks)(const struct live_part *live, bool begin);

    // Restoring. `reserve` makes all room, and can fail with a message; `cancel` undoes it.
    cosm_result (*reserve)(struct restore *restore, const struct part *part,
                           struct restore_plan *plan);
    void (*cancel)(struct restore *restore, struct restore_plan *plan);
    // Ends what the world has and the image has not.
    void (*prune)(struct restore *restore);
    void (*adopt)(struct restore *restore, const struct part *part, struct restore_plan *plan);
    // Objects come by exchange, into the places that `object` tells.
    bool is_exchanged;

    // What is wrong with a part that was made from bytes, in words; NULL: nothing. Its blobs have
    // the sizes that its words ask for, and parts of kinds before its own are right.
    const char *(*fault)(const struct schema *schema, const struct world_image *image,
                         const struct part *part);
};

extern const struct part_kind *const cosmi_part_kinds[PART_KINDS];

extern const struct part_kind cosmi_kind_table;
extern const struct part_kind cosmi_kind_ids;
extern const struct part_kind cosmi_kind_singletons;
extern const struct part_kind cosmi_kind_groups;
extern const struct part_kind cosmi_kind_tree;
extern const struct part_kind cosmi_kind_managed;
extern const struct part_kind cosmi_kind_sector;

// For kinds of which a world has one part at most: `next` with the part there or not.
static inline bool live_once(struct live_part *io_live, void *at) {
    bool is_first = io_live->at == NULL && at != NULL;
    *io_live = (struct live_part){0, at};
    return is_first;
}

// Ends the first `count` objects that the world has where a part goes, but for those that stay.
void cosmi_objects_end(cosm_world world, const struct part *part, const struct restore_plan *plan,
                       uint32_t count);

// The fault of a part that could not be looked at for lack of memory.
extern const char cosmi_fault_memory[];

// Shared groups: a file of its own.
const char *cosmi_groups_fault(const struct schema *schema, const struct world_image *image,
                               const struct part *part);

// The tickets in all rows of an image, against the objects that it has.
const char *cosmi_tickets_fault(const struct schema *schema, const struct world_image *image);

// A bit for each number below `count`, all clear: what may be there once is marked. NULL when out
// of memory.
static inline size_t marks_size(uint32_t count) {
    return ((size_t)count / 64 + 1) * sizeof(uint64_t);
}

static inline uint64_t *marks_create(struct memory *memory, uint32_t count) {
    return cosmi_memory_alloc_zeroed(memory, marks_size(count), sizeof(uint64_t));
}

static inline void marks_free(struct memory *memory, uint64_t *marks, uint32_t count) {
    cosmi_memory_free(memory, marks, marks_size(count), sizeof(uint64_t));
}

// False: it was marked already.
static inline bool mark_once(uint64_t *marks, uint32_t number) {
    uint64_t bit = (uint64_t)1 << (number % 64);
    bool is_first = (marks[number / 64] & bit) == 0;
    marks[number / 64] |= bit;
    return is_first;
}

#endif
