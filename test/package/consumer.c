// A program that uses nothing but the installed library.
#include <cosm/cosm.h>
#include <stdio.h>

int main(void) {
    printf("%s\n", cosm_version());
    return 0;
}
