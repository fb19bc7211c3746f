// A mark on a struct whose fields are nowhere, and a mark whose struct follows.
#include <cosm/mark.h>
struct COSM_COMPONENT() Ghost;
struct COSM_COMPONENT() Late;
struct Late {
    int x;
};
