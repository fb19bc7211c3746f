// What this process writes to stderr meanwhile.
#ifndef COSM_TEST_OVERHEARD_H
#define COSM_TEST_OVERHEARD_H

#include <stdint.h>
#include <stdio.h>

struct overheard {
    int kept;   // where stderr went before
    FILE *file; // where it goes meanwhile
    char text[32768];
};

// From the one call to the other stderr goes to `text`. Make no checks in between: what they print
// would go there too.
void overheard_begin(struct overheard *heard);
void overheard_end(struct overheard *heard);

// How many lines there are.
uint32_t overheard_lines(const struct overheard *heard);

#endif
