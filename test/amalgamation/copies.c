// A program with three copies of the library: two that files keep for themselves, and one that is
// linked as usual.
#include "cosm.h"

#include <stdio.h>

bool first(void);
bool second(void);

int main(void) {
    return first() && second() && printf("%s\n", cosm_version()) > 0 ? 0 : 1;
}
