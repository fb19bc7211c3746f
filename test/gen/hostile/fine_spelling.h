// Marks over several lines, with comments, blanks and another macro around them.
#include <cosm/mark.h>
#define SPLIT(Name) struct COSM_COMPONENT(layout = split) Name
#define KILO "kg"
SPLIT(Wrapped) { float x; };
typedef struct COSM_COMPONENT(
    name = "a \"quoted\" name, with = signs" /* a comment, with a comma */ ,  // and another
    default
      =
      { .mass = 2.5f, \
        .text = "a, b = {c}" }
) Spread {
    float mass COSM_FIELD ( unit = "k" "g" , max = 1e3 ) ;
    char text[16];
}
Spread;
