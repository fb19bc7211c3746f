// What other public calls share with those of cosm/save.h.
#ifndef COSM_API_SAVE_H
#define COSM_API_SAVE_H

#include <cosm/save.h>

#include "schema/schema.h"

// Has a codec a name and all functions? On failure there is a message.
cosm_result cosmi_check_codec(const struct sink *sink, const char *call, const cosm_codec *codec);

// Are the lists of a desc there, and what is in them known? Without a schema objects are passed
// over.
cosm_result cosmi_check_load(const struct sink *sink, const struct schema *schema,
                             const cosm_load_desc *desc, const char *call);

#endif
