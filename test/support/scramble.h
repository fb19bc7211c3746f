// Worlds with other values in every field: what a file of somebody else may hold, as far as it
// loads.
#ifndef COSM_TEST_SCRAMBLE_H
#define COSM_TEST_SCRAMBLE_H

#include <cosm/cosm.h>

#include "support/fixture.h"

// Gives every field of every component and singleton new values: strict ones within their bounds,
// others any bits.
void scramble(cosm_batch *batch, struct dice *dice);

// Scrambles, saves and loads a batch.
void scramble_and_load(cosm_batch *batch, struct dice *dice);

#endif
