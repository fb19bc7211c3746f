// Objects with pointers of all kinds, functions from another header, the largest group.
#include <cosm/mark.h>
#include <stdbool.h>
#include <stdint.h>
#include "include/functions.h"
typedef struct COSM_COMPONENT(storage = managed) Any { const void *one; int *two[3]; void (*call)(int); } Any;
typedef struct COSM_COMPONENT(storage = sector, copy = other_copy) Deep {
    struct { char *text; uint32_t length; } names[2];
    struct Deep *next;
} Deep;
typedef struct COSM_COMPONENT(storage = shared, copy = other_copy, destroy = other_destroy, equals = other_equals,
                              hash = other_hash, default = {.size = 3}) Owned { char *text; uint32_t size; } Owned;
typedef struct COSM_COMPONENT(storage = sector, group = engine, name = "the group") Engine { int x COSM_FIELD(padding = 4); long y; } Engine;
#define PART(Name) typedef struct COSM_COMPONENT(storage = sector, group = crowd) Name { int x; } Name
PART(P0);
PART(P1);
PART(P2);
PART(P3);
PART(P4);
PART(P5);
PART(P6);
PART(P7);
PART(P8);
PART(P9);
PART(P10);
PART(P11);
PART(P12);
PART(P13);
PART(P14);
PART(P15);
PART(P16);
PART(P17);
PART(P18);
PART(P19);
PART(P20);
PART(P21);
PART(P22);
PART(P23);
PART(P24);
PART(P25);
PART(P26);
PART(P27);
PART(P28);
PART(P29);
PART(P30);
PART(P31);
PART(P32);
PART(P33);
PART(P34);
PART(P35);
PART(P36);
PART(P37);
PART(P38);
PART(P39);
PART(P40);
PART(P41);
PART(P42);
PART(P43);
PART(P44);
PART(P45);
PART(P46);
PART(P47);
PART(P48);
PART(P49);
PART(P50);
PART(P51);
PART(P52);
PART(P53);
PART(P54);
PART(P55);
PART(P56);
PART(P57);
PART(P58);
PART(P59);
PART(P60);
PART(P61);
PART(P62);
PART(P63);
