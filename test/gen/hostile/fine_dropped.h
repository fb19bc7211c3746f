// Attributes of others that clang drops: not ours to refuse. (not compiled)
#include <cosm/mark.h>
__attribute__((annotate("other"))) struct Other { int x; };
int;
struct COSM_COMPONENT() Good { int x; struct Nothing { int y; }; };
