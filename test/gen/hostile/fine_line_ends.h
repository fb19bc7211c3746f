// Lines that end as on other systems, and no last line end. (not compiled)
#include <cosm/mark.h>
typedef struct COSM_COMPONENT(default = {1,
   2}) Lines {
    int a; // one
           // two
    int b;
} Lines;