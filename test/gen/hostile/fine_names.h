// Names that are awkward: keywords of C++, names of the library, one letter. (c only)
#include <cosm/mark.h>
typedef struct COSM_COMPONENT(layout = split) class {
    int new, delete, this, template, count, rows, term, columns, component;
} class;
struct COSM_COMPONENT() world { int entity; };
typedef struct COSM_COMPONENT() X { int _; } X;
