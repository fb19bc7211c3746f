// Exact comparison of a number's text with a binary value, for the few that need it.
#ifndef COSM_TEXT_NUMBER_EXACT_H
#define COSM_TEXT_NUMBER_EXACT_H

#include "number.h"

// Below, at or above zero: the number, without its sign, is less than, equal to or greater than
// factor * 2^exponent. They must agree in their first 18 digits or so, and lie in the range of
// doubles, halfway to infinity and to zero included; that is what bounds the memory, all of it on
// the stack.
int cosmi_text_number_compare(const struct number *number, uint64_t factor, int32_t exponent);

#endif
