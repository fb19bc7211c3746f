// The components of the environment cartpole: a pole on a cart, to be kept upright.
//
// Constants and equations are those of Gymnasium's CartPole-v1, in 32-bit floats.
#ifndef SCENES_CARTPOLE_H
#define SCENES_CARTPOLE_H

#include <cosm/mark.h>
#include <cosm/types.h>

#define CARTPOLE_GRAVITY 9.8f
#define CARTPOLE_CART_MASS 1.0f
#define CARTPOLE_POLE_MASS 0.1f
#define CARTPOLE_POLE_HALF 0.5f // half of the pole's length
#define CARTPOLE_FORCE 10.0f
#define CARTPOLE_STEP_SECONDS 0.02f
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

// From here on what one cart does in one step, for loops over carts. All of it is plain arithmetic
// without branches, so that such loops fill SIMD registers, and nothing depends on a C library.

// Sine and cosine of angles up to 0.42, which is 24 degrees, to within 1e-7: a pole that leans more
// than 12 degrees does not move any more. Further out they are finite and wrong.
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

// Does the episode go on there? Not where one of them is not a number.
static inline bool cartpole_is_within(float x, float theta) {
    return (x >= -CARTPOLE_X_MAX) & (x <= CARTPOLE_X_MAX) & (theta >= -CARTPOLE_THETA_MAX) &
           (theta <= CARTPOLE_THETA_MAX);
}

// The cart `seconds` later, by Euler's method, when it is pushed to the right (1) or to the left.
// What the equations divide by the mass of both is multiplied by constants here.
static inline CartState cartpole_moved(CartState now, int32_t push, float seconds) {
    const float mass = CARTPOLE_CART_MASS + CARTPOLE_POLE_MASS;
    const float swing = CARTPOLE_POLE_MASS * CARTPOLE_POLE_HALF / mass;
    const float force = CARTPOLE_FORCE / mass;
    float sine = cartpole_sine(now.theta);
    float cosine = cartpole_cosine(now.theta);
    float pull = (push == 1 ? force : -force) + swing * (now.theta_dot * now.theta_dot) * sine;
    float theta_acc = (CARTPOLE_GRAVITY * sine - cosine * pull) /
                      (CARTPOLE_POLE_HALF * (4.0f / 3.0f) - swing * (cosine * cosine));
    float x_acc = pull - swing * theta_acc * cosine;
    CartState next;
    next.x = now.x + seconds * now.x_dot;
    next.x_dot = now.x_dot + seconds * x_acc;
    next.theta = now.theta + seconds * now.theta_dot;
    next.theta_dot = now.theta_dot + seconds * theta_acc;
    return next;
}

// 32 random bits as a number where an episode may begin.
static inline float cartpole_start(uint32_t bits) {
    return (float)(bits >> 8) * (2.0f * CARTPOLE_START_MAX * 0x1p-24f) - CARTPOLE_START_MAX;
}

#endif
