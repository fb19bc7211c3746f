// The components of the environment cartpole: a pole on a cart, to be kept upright.
//
// Constants and equations are those of Gymnasium's CartPole-v1, in 32-bit floats.
#ifndef SCENES_CARTPOLE_H
#define SCENES_CARTPOLE_H

#include <cosm/mark.h>
#include <cosm/types.h>

#define CARTPOLE_X_MAX 2.4f            // further out than this, the episode is over
#define CARTPOLE_THETA_MAX 0.20943951f // 12 degrees: so it is when the pole leans more than this
#define CARTPOLE_START_MAX 0.05f       // each of the four begins between minus this and this
#define CARTPOLE_STEP_LIMIT 500u

// Each field is an array of its own, so that the loop over them fills SIMD registers.
typedef struct COSM_COMPONENT(layout = split) CartState {
    float x COSM_FIELD(unit = "m");
    float x_dot COSM_FIELD(unit = "m/s");
    float theta COSM_FIELD(unit = "rad"); // of the pole, from upright, clockwise
    float theta_dot COSM_FIELD(unit = "rad/s");
} CartState;

// The same side by side, as agents want it. The ranges are twice what ends an episode.
typedef struct COSM_COMPONENT() CartObservation {
    float x COSM_FIELD(unit = "m", min = -4.8, max = 4.8);
    float x_dot COSM_FIELD(unit = "m/s");
    float theta COSM_FIELD(unit = "rad", min = -0.41887903, max = 0.41887903);
    float theta_dot COSM_FIELD(unit = "rad/s");
} CartObservation;

typedef struct COSM_COMPONENT() CartAction {
    int32_t push COSM_FIELD(min = 0, max = 1); // to the left, to the right
} CartAction;

typedef struct COSM_COMPONENT() CartReward {
    float value;
} CartReward;

typedef struct COSM_COMPONENT() CartTerminated {
    bool is_so;
} CartTerminated;

// The slots of its exports.
enum {
    CARTPOLE_SLOT_OBSERVATION, // "observation": f32 [worlds, 1, 4]
    CARTPOLE_SLOT_ACTION,      // "action": i32 [worlds, 1], 0 or 1
    CARTPOLE_SLOT_REWARD,      // "reward": f32 [worlds, 1]
    CARTPOLE_SLOT_TERMINATED,  // "terminated": bool [worlds, 1]
};

// Sine and cosine of angles up to 0.42, which is 24 degrees, to within 1e-7: a pole that leans more
// than 12 degrees does not move any more. Beyond they are finite for every angle that matters, and
// wrong.
static inline float cartpole_sine(float angle) {
    float square = angle * angle;
    float tail = -1.0f / 6.0f + square * (1.0f / 120.0f - square * (1.0f / 5040.0f));
    return angle + angle * square * tail;
}

static inline float cartpole_cosine(float angle) {
    float square = angle * angle;
    float tail = 1.0f / 24.0f - square * (1.0f / 720.0f);
    return 1.0f - square * (0.5f - square * tail);
}

#endif
