// Writes the two generated files, as text.
#ifndef COSM_GEN_EMIT_H
#define COSM_GEN_EMIT_H

#include "arguments.h"
#include "model.h"
#include "text.h"

void emit_header(struct text *out, const struct model *model, const struct arguments *arguments);
void emit_source(struct text *out, const struct model *model, const struct arguments *arguments);

// The name of the function that registers everything: STEM_register_all, with what is not part of
// an identifier made underscores.
const char *emit_function(struct arena *arena, const char *stem);

// What both files use.
//
// A piece of code in which $N is the thing's name and $T its type.
void emit_code(struct text *out, const struct thing *thing, const char *code);

// Has the component columns, that an archetype may split?
bool emit_has_columns(const struct thing *thing);

// The header's name without its folder.
const char *emit_header_name(const struct arguments *arguments);

#endif
