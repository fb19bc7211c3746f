// Strict fields: values that programs use as indices, counts and the like, and that must not come
// from a file otherwise than within their bounds.
#ifndef COSM_STATE_STRICT_H
#define COSM_STATE_STRICT_H

#include "state/image.h"

// Looks at all strict fields of an image; COSM_ERROR_FORMAT, with a message that names `call`,
// `world`, the type, the field, its value and what is allowed, where a value is out of bounds. The
// image is sound: cosmi_image_check has passed it, or it was captured.
cosm_result cosmi_strict_check(const struct schema *schema, const struct sink *sink,
                               const char *call, const struct world_image *image, uint32_t world);

#endif
