// Templates as the library sees them: flat lists of parts, each with its values.
//
//   desc: car {wheel x 4 {bolt x 5}, lamp}
//
//   part   0 car    parent -   count 1   per_root 1
//          1 wheel  parent 0   count 4   per_root 4
//          2 bolt   parent 1   count 5   per_root 20
//          3 lamp   parent 0   count 1   per_root 1
//
// A part becomes one run of rows however many are spawned. Children come behind their parent, and
// those of one parent in their order.
#ifndef COSM_SCHEMA_TEMPLATE_H
#define COSM_SCHEMA_TEMPLATE_H

#include <cosm/template.h>

#include "schema/schema.h"

// What one entity gets. Invariants: values are of components with bytes, ascending and each once,
// and the archetype has them all. Parts of other templates may share it.
struct template_body {
    struct archetype *archetype;
    const cosm_value *values;
    uint32_t value_count;
    const uint64_t *given; // a bit for each column that a value fills; NULL before it is kept
};

// Invariant: parent is below the part's own number (of part 0: 0), and per_root is the parent's
// times count.
struct template_part {
    const struct template_body *body;
    uint32_t parent;
    uint32_t count;
    uint32_t per_root;
};

// Rows that one spawn adds to the tables of an archetype.
struct template_room {
    struct archetype *archetype;
    uint32_t rows;
};

// Immutable once published.
struct template {
    uint32_t id;
    const char *name;
    const struct template_part *parts;
    uint32_t part_count;
    uint32_t entity_count; // of all parts
    const struct template_room *rooms;
    uint32_t room_count;
};

static inline const struct template *schema_template(const struct schema *schema, uint32_t id) {
    return id < paged_count(&schema->templates) ? paged_get(&schema->templates, id) : NULL;
}

// By name: 0 when absent.
uint32_t cosmi_schema_find_template(struct schema *schema, const char *name);

// 0, with a message, on failure.
uint32_t cosmi_schema_define_template(struct schema *schema, const cosm_template_desc *desc);

// The same from parts that are put together already, but for per_root and `given`. What they point
// to is copied, but for bodies that are kept.
uint32_t cosmi_schema_keep_template(struct schema *schema, const char *call, const char *name,
                                    struct template_part *parts, uint32_t count);

// Too many parts, or entities: says so and returns 0.
uint32_t cosmi_template_refuse_size(const struct schema *schema, const char *call,
                                    const char *name);

// The number of a component among the values of a body; value_count where it has none.
uint32_t cosmi_template_value_index(const struct template_body *body, uint32_t component);

#endif
