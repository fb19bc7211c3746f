// The solver and the rays without AVX2 give the same bits as those with it.
#include "solve.h"
#include "support/yard.h"
#include "view.h"

static bool wants_plain;
const struct solver *__real_cosmi_physics_solver(void);
const struct solver *__wrap_cosmi_physics_solver(void);
const struct solver *__wrap_cosmi_physics_solver(void) {
    return wants_plain ? &cosmi_physics_solver_plain : __real_cosmi_physics_solver();
}

static uint64_t hash_with(bool plain) {
    struct yard yard = yard_open(3, 1, 0);
    cosm_entity boxes[64];
    for (uint32_t w = 0; w < 3; w++) {
        cosm_world world = cosm_batch_world(yard.batch, w);
        cosm_collider c = w == 0 ? ball(0.4f) : shape_of(COSM_SHAPE_CAPSULE, 0.3f, 0, 0.4f);
        c.restitution = 0.5f;
        c.rolling = 0.02f;
        put_ground(world, 0.5f);
        put_wall(world, 4 + 2 * w, 0.1f, boxes);
        put(world, c, 3, pose_at(-4, 0.1f, 2), moving(8, 0, 1));
    }
    wants_plain = plain;
    yard_steps(&yard, 90);
    wants_plain = false;
    uint64_t hash = cosm_hash_batch(yard.batch, COSM_HASH_EXACT);
    yard_close(&yard);
    return hash;
}

TEST(the_plain_solver_gives_the_same_bits) {
    CHECK_INT(hash_with(true), hash_with(false));
}
