// Numbers as people read them. Every function writes to a buffer of `size` bytes; 32 are enough.
#ifndef COSM_TOOL_FORMAT_H
#define COSM_TOOL_FORMAT_H

#include <stddef.h>
#include <stdint.h>

// With a comma after each group of three: 1,234,567.
void format_count(char *buffer, size_t size, uint64_t count);

// Bytes in the unit that fits: 640 B, 3.1 KiB, 12.6 MiB.
void format_bytes(char *buffer, size_t size, uint64_t bytes);

// So many per second, with three digits that count: 1.12 M.
void format_rate(char *buffer, size_t size, uint64_t count, uint64_t elapsed_ns);

#endif
