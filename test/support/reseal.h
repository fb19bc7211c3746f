// Save files whose checksums are right and whose contents are not.
#ifndef COSM_TEST_RESEAL_H
#define COSM_TEST_RESEAL_H

#include <stddef.h>

// A file made of the blocks that these bytes hold, as far as they can be told apart: with sizes,
// numbers and checksums as they should be, and an end. To be freed.
unsigned char *reseal(const unsigned char *bytes, size_t size, size_t *out_size);

#endif
