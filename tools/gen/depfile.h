// The depfile: what the generated files depend on, in the words of make.
#ifndef COSM_GEN_DEPFILE_H
#define COSM_GEN_DEPFILE_H

#include "session.h"
#include "text.h"

// Adds "targets: files" with the header and everything that it includes.
void depfile_add(struct text *out, struct session *session, const char *const *targets,
                 uint32_t target_count);

#endif
