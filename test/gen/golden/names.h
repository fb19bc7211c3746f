// Chains of typedefs, to scalars, arrays and structs; and what a struct with several names is called.
#include <cosm/mark.h>
#include <cosm/types.h>
typedef float real;
typedef real meters;
typedef meters vec3[3];
typedef vec3 frame[2];
typedef struct Pose_s { vec3 position; frame axes[2]; } Pose;
typedef Pose PoseAlias;
typedef cosm_entity target;
typedef unsigned long word;
typedef struct COSM_COMPONENT(layout = split) Robot_tag {
    PoseAlias pose;
    target goal;
    target friends[4];
    word bits;
    meters range COSM_FIELD(unit = "m", min = 0);
} Robot;
typedef Robot Machine;
typedef struct COSM_COMPONENT() Many { int x; } Alias, Many, Other;
