// Marked structs without a tag.
#include <cosm/mark.h>
typedef struct COSM_COMPONENT() {
    float x, y;
} Position;
struct COSM_SINGLETON() {
    float g;
} gravity_of_all;
