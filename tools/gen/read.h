// Reads what a header marks: clang's tree in, model out.
#ifndef COSM_GEN_READ_H
#define COSM_GEN_READ_H

#include "model.h"
#include "session.h"

// Fills the model from a session that has parsed without errors. What is wrong with marks, options
// and fields is reported.
void read_header(struct session *session, struct model *model);

#endif
