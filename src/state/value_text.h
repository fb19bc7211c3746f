// Values as short text: what tells where two runs part.
#ifndef COSM_STATE_VALUE_TEXT_H
#define COSM_STATE_VALUE_TEXT_H

#include <cosm/field.h>

// The first scalar of a field in which two values differ, counted over all its dimensions; 0 where
// they are the same. Text is one.
uint32_t cosmi_value_differs_at(const cosm_field *field, const void *a, const void *b);

// A field's path with the place of one of its scalars, such as "cells[2][0]".
void cosmi_value_path(const cosm_field *field, uint32_t element, char *text, size_t room);

// One scalar of a field of a value, or all of its text.
void cosmi_value_text(const cosm_field *field, const void *value, uint32_t element, char *text,
                      size_t room);

// Bytes as hexadecimal digits, as many as there is room for.
void cosmi_bytes_text(const void *bytes, size_t size, char *text, size_t room);

#endif
