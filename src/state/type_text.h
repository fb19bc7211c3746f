// Descriptions of components and singletons as bytes, in save files.
//
//   flags u8 | name text | size | alignment | storage u8 | hash u64 | field count | fields
//
// Numbers without a type are short ones (base/bytes.h).
#ifndef COSM_STATE_TYPE_TEXT_H
#define COSM_STATE_TYPE_TEXT_H

#include "base/arena.h"
#include "base/bytes.h"
#include "state/convert.h"

// Adds the description of a type of the engine.
void cosmi_type_write(struct byte_writer *out, const struct value_type *type, bool is_singleton);

// Reads one; texts stay where they are in the bytes, lists are made in the arena. What it says is
// for cosmi_file_type_check to look at. On failure the reader has failed, unless memory has run
// out.
bool cosmi_type_read(struct byte_reader *in, struct arena *arena, struct file_type *out_type);

#endif
