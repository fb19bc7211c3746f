// Checksums: the whole state of a world or a batch in 64 bits.
#ifndef COSM_STATE_CHECKSUM_H
#define COSM_STATE_CHECKSUM_H

#include "store/batch.h"

// The contracts of cosm_world_checksum and cosm_batch_checksum.
uint64_t cosmi_checksum_world(const struct cosm_batch *batch, uint32_t world);
uint64_t cosmi_checksum_batch(const struct cosm_batch *batch);

#endif
