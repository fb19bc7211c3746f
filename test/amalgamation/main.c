// Prints what the calls return, twice: both forms of the library must say the same.
#include <cosm/cosm.h>
#include <stdio.h>

int main(void) {
    for (int i = 0; i < 2; i++) {
        printf("%d %d\n", cosm_first(), cosm_second());
    }
    return 0;
}
