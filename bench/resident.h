// How many bytes of memory something really takes: measured in a child process.
#ifndef BENCH_RESIDENT_H
#define BENCH_RESIDENT_H

#include <stdint.h>

// Starts a child that calls `make`, and returns by how many bytes of real memory per item it grew;
// then the child calls `hash` for the checksum. What `make` makes dies with the child.
double resident_measure(void (*make)(uint32_t n), uint64_t (*hash)(void), uint32_t n,
                        uint64_t *out_checksum);

#endif
