// Functions of a lifecycle.
#include <stdbool.h>
#include <stdint.h>
bool other_copy(void *context, void *object, const void *source);
void other_destroy(void *context, void *object);
bool other_equals(void *context, const void *a, const void *b);
uint64_t other_hash(void *context, const void *object);
