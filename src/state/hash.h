// Hashes: the state of worlds in 64 bits, from worlds that live and from images alike.
//
//   world = mix(directory, sum of tables, sum of what is beside them, tree, singletons, stream)
//   table = mix(signature, rows, entities, what they share, sum of columns)
//   column = sum of P^b * hash of block b
//
// Nothing depends on ids of components, archetypes or groups: types count by what their bytes mean,
// and what has no order of its own is added up. A block has as many rows as follows from the types
// of an archetype, never from their layout, and a chunk is a whole number of blocks: so the hash of
// a chunk is kept where its bytes are, and split and whole components are alike.
#ifndef COSM_STATE_HASH_H
#define COSM_STATE_HASH_H

#include <cosm/hash.h>

#include "state/hash_view.h"

uint64_t cosmi_hash_view(const struct hash_view *view, cosm_hash_kind kind);

#endif
