// Values on their way: those of split components, whose fields are columns of their own, and those
// that may lie in rows which are about to move and are kept aside.
#ifndef COSM_STORE_VALUES_H
#define COSM_STORE_VALUES_H

#include "base/arena.h"
#include "store/batch.h"

// Copies a value of a split component between its parts, of row `at` of the table's columns, and a
// struct. What no field covers is zero in the struct, and is not looked at.
void cosmi_split_write(const struct archetype *archetype, const struct column_slot *slot,
                       void *const *columns, size_t at, const void *value);
void cosmi_split_read(const struct archetype *archetype, const struct column_slot *slot,
                      void *const *columns, size_t at, void *out_value);

// A value that may lie in a row which is about to move, kept aside. Give it back in any case.
struct kept_value {
    const void *bytes;
    void *taken;
    size_t size;
    _Alignas(16) unsigned char small[64]; // functions of a lifecycle may look at it
};

// False, with a message, when out of memory. A NULL value stays NULL.
bool cosmi_value_keep(struct cosm_batch *batch, const char *call, const void *value, size_t size,
                      struct kept_value *out_kept);
void cosmi_value_give(struct cosm_batch *batch, struct kept_value *kept);

// Copies of values of components that are known; NULL when out of memory, or when there are none.
// They take as many bytes, aligned to 16, as cosmi_values_size says. In the place of an object a
// copy has a struct held_object, still empty; one that is kept is left where it is.
size_t cosmi_values_size(const struct schema *schema, const cosm_value *values, uint32_t count);
const cosm_value *cosmi_values_copy(const struct schema *schema, const cosm_value *values,
                                    uint32_t count, void *bytes);
const cosm_value *cosmi_values_keep(struct arena *arena, const struct schema *schema,
                                    const cosm_value *values, uint32_t count);

#endif
