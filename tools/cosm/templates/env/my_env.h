// The environment my_env: what its agent is, sees and does, and where the outside finds it.
//
// The task: an agent on a line from -1 to 1 pushes itself to the left or to the right, and is to
// come to rest at a target. This header is all that test.c needs; change it to make the task yours.
#ifndef MY_ENV_H
#define MY_ENV_H

#include <cosm_sim/env.h>

// Components are plain structs; `define` in my_env.c lists their fields.
typedef struct Body {
    float position; // from -1 to 1
    float speed;    // per second
    float target;   // where to come to rest
    float wind;     // what blows in this episode
} Body;

// A singleton: one for each world. Its field is a parameter, which the outside sets:
// cosm.VectorEnv(path, wind=0.5) in Python.
typedef struct Weather {
    float wind; // what it adds to the speed, per second; from -WIND_MAX to WIND_MAX
} Weather;

typedef struct View {
    float offset; // how far to the right the target is
    float speed;
} View;

enum { PUSH_LEFT, PUSH_NONE, PUSH_RIGHT, PUSH_COUNT };

typedef struct Action {
    int32_t push;
} Action;

typedef struct Reward {
    float value;
} Reward;

typedef struct Terminated {
    bool value;
} Terminated;

// The numbers of the exports. The outside finds them by name, too.
enum { SLOT_VIEW, SLOT_ACTION, SLOT_REWARD, SLOT_TERMINATED, SLOT_WIND };

// Steps after which an episode is cut off.
#define STEP_LIMIT 200

// Half of a push, so that every wind can be steered against.
#define WIND_MAX 2

#endif
