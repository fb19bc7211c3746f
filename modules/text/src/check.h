// The argument checks that the calls of this module share, and their messages.
#ifndef COSM_TEXT_CHECK_H
#define COSM_TEXT_CHECK_H

#include <cosm/cosm.h>

// COSM_OK, or a failure that has been reported and names `call`.
cosm_result cosmi_text_check_world(const char *call, cosm_world world);
cosm_result cosmi_text_check_engine(const char *call, const cosm_engine *engine);
cosm_result cosmi_text_check_component(const char *call, const cosm_engine *engine,
                                       cosm_component component);
cosm_result cosmi_text_check_singleton(const char *call, const cosm_engine *engine,
                                       cosm_singleton singleton);
cosm_result cosmi_text_check_archetype(const char *call, const cosm_engine *engine,
                                       cosm_archetype archetype);

// Is the pointer there? `what` is the argument's name.
cosm_result cosmi_text_check_pointer(const char *call, const cosm_engine *engine,
                                     const void *pointer, const char *what);
cosm_result cosmi_text_check_write(const char *call, const cosm_engine *engine,
                                   cosm_text_fn *write);

cosm_result cosmi_text_fail_memory(const char *call, const cosm_engine *engine);

#endif
