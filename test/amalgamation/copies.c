// A program with three copies of the library: two that files keep for themselves, and one that is
// linked as usual.
#include "cosm.h"

#include <stdio.h>

bool first(void);
bool second(void);

int main(void) {
    // A call of a module is there too.
    bool has_module = cosm_replay_describe(NULL).world_count == 0;
    return first() && second() && has_module && printf("%s\n", cosm_version()) > 0 ? 0 : 1;
}
