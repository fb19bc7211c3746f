// Pointers: to data, behind a typedef, in an array, to a function, to itself.
#include <cosm/mark.h>
typedef const char *text;
typedef struct COSM_COMPONENT() Node {
    struct Node *next;
    text name;
    int *table[4];
    void (*call)(int);
    void *anything;
} Node;
