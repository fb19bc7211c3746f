// A tag that has a body too.
#include <cosm/mark.h>
COSM_TAG(Frozen);
struct Frozen {
    int degrees;
};
