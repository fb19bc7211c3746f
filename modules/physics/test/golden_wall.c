// The same poses to the last bit, whatever the compiler, the level and the machine.
#include "support/yard.h"

// FNV-1a over the bytes of all poses and motions, in the order of ids.
static uint64_t hash_bodies(cosm_world world, const cosm_entity *bodies, uint32_t count) {
    uint64_t hash = 14695981039346656037u;
    for (uint32_t i = 0; i < count; i++) {
        unsigned char bytes[sizeof(cosm_pose) + sizeof(cosm_motion)];
        memcpy(bytes, COSM_READ(world, bodies[i], cosm_pose), sizeof(cosm_pose));
        memcpy(bytes + sizeof(cosm_pose), COSM_READ(world, bodies[i], cosm_motion),
               sizeof(cosm_motion));
        for (size_t b = 0; b < sizeof(bytes); b++) {
            hash = (hash ^ bytes[b]) * 1099511628211u;
        }
    }
    return hash;
}

TEST(a_wall_that_is_knocked_over_falls_the_same_way_everywhere) {
    struct yard yard = yard_open(2, 1, 0);
    cosm_entity bodies[64];
    uint64_t hashes[2];
    for (uint32_t w = 0; w < 2; w++) {
        cosm_world world = cosm_batch_world(yard.batch, w);
        put_ground(world, 0.6f);
        uint32_t n = put_wall(world, 6, 0.05f, bodies);
        cosm_collider c = shape_of(COSM_SHAPE_CAPSULE, 0.3f, 0, 0.5f), round = ball(0.4f);
        c.restitution = 0.4f, round.rolling = 0.02f;
        bodies[n++] = put(world, c, 5, pose_at(-5, 0.1f, 2.2f), moving(12, 0, 1));
        bodies[n++] = put(world, round, 2, pose_at(5, 0.2f, 1.5f), moving(-9, w ? 0.5f : 0, 2));
        bodies[n] = COSM_ENTITY_NONE;
    }
    yard_steps(&yard, 120);
    for (uint32_t w = 0; w < 2; w++) {
        hashes[w] = hash_bodies(cosm_batch_world(yard.batch, w), bodies, 23);
    }
    CHECK_INT(hashes[0], 0x0c1ba6cb175cd8cbu);
    CHECK_INT(hashes[1], 0x7cab69bcd825a3b3u);
    yard_close(&yard);
}
