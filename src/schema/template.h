// Templates as the library sees them: flat lists of parts, each with its values.
//
//   desc: car {wheel x 4 {bolt x 5}, lamp}
//
//   part   0 car    parent -   count 1   per_root 1    room 0
//          1 wheel  parent 0   count 4   per_root 4    room 0
//          2 bolt   parent 1   count 5   per_root 20   room 1
//          3 lamp   parent 0   count 1   per_root 1    room 2
//
// A part becomes one run of rows however many are spawned. Children come behind their parent, and
// those of one parent in their order. A room is a table that parts go to: those of one archetype
// with equal shared values have one.
#ifndef COSM_SCHEMA_TEMPLATE_H
#define COSM_SCHEMA_TEMPLATE_H

#include <cosm/template.h>

#include "schema/schema.h"

// The storages of some values, a bit each.
#define STORAGE_BIT(storage) (1u << (uint32_t)(storage))

// What one entity gets. Invariants: values ascend by component, each once. They are of components
// of the archetype that have bytes, all its shared ones among them; and of sector components, where
// NULL data stands for what a new one is like. Once kept, objects are the engine's own copies.
// Parts of other templates may share it.
struct template_body {
    struct archetype *archetype;
    const cosm_value *values;
    uint32_t value_count;
    uint32_t storages;     // of the values
    const uint64_t *given; // a bit for each column that a value fills; NULL before it is kept
};

// Invariant: parent is below the part's own number (of part 0: 0), and per_root is the parent's
// times count. The room of part 0 is 0.
struct template_part {
    const struct template_body *body;
    uint32_t parent;
    uint32_t count;
    uint32_t per_root;
    uint32_t room;
};

// Rows that one spawn adds to one table.
struct template_room {
    const struct template_body *body; // of the first part that goes there
    uint32_t rows;
};

// Immutable once published.
struct template {
    uint32_t id;
    const char *name;
    const struct template_part *parts;
    uint32_t part_count;
    uint32_t entity_count; // of all parts
    uint32_t storages;     // of the values of all parts
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

// The same from parts that are put together already, but for per_root, rooms and `given`. What they
// point to is copied, but for bodies that are kept.
uint32_t cosmi_schema_keep_template(struct schema *schema, const char *call, const char *name,
                                    struct template_part *parts, uint32_t count);

// Ends the objects of all templates.
void cosmi_schema_end_templates(struct schema *schema);

// Too many parts, or entities: says so and returns 0.
uint32_t cosmi_template_refuse_size(const struct schema *schema, const char *call,
                                    const char *name);

// The name is that of a template with other properties: says so.
void cosmi_template_conflict(const struct schema *schema, const char *call, const char *name);

// The number of a component among the values of a body; value_count where it has none.
uint32_t cosmi_template_value_index(const struct template_body *body, uint32_t component);

// Puts a value into a list as bodies have it, which has room for it, in the place of one for the
// same component. Tags of tables are passed over.
void cosmi_template_put(const struct schema *schema, cosm_value *values, uint32_t *count,
                        cosm_value value);

// What the storages of some values are.
uint32_t cosmi_template_storages(const struct schema *schema, const cosm_value *values,
                                 uint32_t count);

// The body with other values in the place of its own, or besides: `list` has room for both.
struct template_body cosmi_template_join(const struct schema *schema,
                                         const struct template_body *body,
                                         const cosm_value *overrides, uint32_t override_count,
                                         cosm_value *list);

// The same for the values alone: how many there are in `list`.
uint32_t cosmi_template_join_values(const struct schema *schema, const struct template_body *body,
                                    const cosm_value *overrides, uint32_t override_count,
                                    cosm_value *list);

#endif
