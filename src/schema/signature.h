// Signatures: sets of components as sorted lists of ids without duplicates.
#ifndef COSM_SCHEMA_SIGNATURE_H
#define COSM_SCHEMA_SIGNATURE_H

#include <cosm/types.h>

// One more than an archetype may have, so that "too many" can be told from "just enough".
#define SIGNATURE_MAX (COSM_ARCHETYPE_COMPONENT_MAX + 1)

struct signature {
    uint32_t count;
    uint32_t ids[SIGNATURE_MAX];
};

// Where `id` stands, or would stand.
uint32_t cosmi_signature_place(const uint32_t *ids, uint32_t count, uint32_t id);

// Both do nothing when there is nothing to do. Adding to a full signature leaves it full: the
// caller looks at count > COSM_ARCHETYPE_COMPONENT_MAX.
void cosmi_signature_add(struct signature *signature, uint32_t id);
void cosmi_signature_remove(struct signature *signature, uint32_t id);

// Lexicographic: the order in which tables are visited.
int cosmi_signature_compare(const uint32_t *a, uint32_t a_count, const uint32_t *b,
                            uint32_t b_count);

#endif
