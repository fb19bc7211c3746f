// Are two images the same, as far as a look at what they share tells?
#ifndef COSM_STATE_IMAGE_SAME_H
#define COSM_STATE_IMAGE_SAME_H

#include "state/image.h"

// True where they share all they hold; false does not say that they differ. O(parts).
bool cosmi_image_same(const struct world_image *a, const struct world_image *b);

#endif
