// A path that is longer than a field's may be.
#include <cosm/mark.h>
struct Leaf { int a_name_that_is_about_as_long_as_names_of_people_who_like_long_names_can_be_without_a_break; };
struct Twig { struct Leaf a_name_that_is_about_as_long_as_names_of_people_who_like_long_names_can_be_without_a_break; };
typedef struct COSM_COMPONENT() Tree {
    struct Twig a_name_that_is_about_as_long_as_names_of_people_who_like_long_names_can_be_without_a_break;
} Tree;
