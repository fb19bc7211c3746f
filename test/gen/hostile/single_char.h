// A single char: text of one letter, or a number?
#include <cosm/mark.h>
typedef struct COSM_COMPONENT() Letter {
    char c;
    signed char number;
    char text[1];
} Letter;
