// Letters beyond ASCII, and bytes that are no letters at all.
#include <cosm/mark.h>
typedef struct COSM_COMPONENT(name = "Körper") Body {
    float mass COSM_FIELD(unit = "µg"); // Größe €
    int latin; // caf� �
} Body;
