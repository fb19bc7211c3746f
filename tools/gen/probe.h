// Values of options that are C expressions: min, max, padding and default.
//
// They may use the header's own constants, macros and enums, so clang computes them: a second parse
// of the header has a variable behind it for each scalar that is asked for. Generated files then
// hold plain numbers, which mean the same in C and in C++.
#ifndef COSM_GEN_PROBE_H
#define COSM_GEN_PROBE_H

#include "model.h"
#include "session.h"

// Fills padding, min, max and values of all leaves. What is no constant, does not fit its field or
// is out of range is reported.
void probe_values(struct session *session, struct model *model);

#endif
