// Stacks, overlaps, moving obstacles: what many contacts do together.
#include "support/yard.h"

TEST(a_box_at_rest_stays_where_it_is) {
    struct yard yard = yard_open(1, 1, 0);
    put_ground(yard.world, 0.5f);
    cosm_entity one = put(yard.world, cube(), 1, pose_at(0, 0, 0.5f), still());
    yard_steps(&yard, 60);
    cosm_vec3 before = position_of(yard.world, one);
    yard_steps(&yard, 600);
    cosm_vec3 after = position_of(yard.world, one);
    CHECK_NEAR(after.x, before.x, 1e-4);
    CHECK_NEAR(after.z, before.z, 1e-4);
    CHECK(after.z > 0.499f);
    yard_close(&yard);
}

// Steps a wall for ten seconds; checks that it stands, how far it sank, and that it rests.
static void check_wall(uint32_t layers, float gap, float drift_max, float sink_max,
                       float rest_max) {
    struct yard yard = yard_open(1, 1, 2048);
    cosm_entity boxes[256];
    cosm_vec3 start[256], before[256];
    put_ground(yard.world, 0.5f);
    uint32_t n = put_wall(yard.world, layers, gap, boxes);
    for (uint32_t i = 0; i < n; i++) {
        start[i] = position_of(yard.world, boxes[i]);
    }
    yard_steps(&yard, 540);
    for (uint32_t i = 0; i < n; i++) {
        before[i] = position_of(yard.world, boxes[i]);
    }
    yard_steps(&yard, 60);
    for (uint32_t i = 0, layer = 0, left = layers; i < n; i++) {
        cosm_vec3 p = position_of(yard.world, boxes[i]);
        float drift = hypotf(p.x - start[i].x, p.y - start[i].y);
        float moved = hypotf(hypotf(p.x - before[i].x, p.y - before[i].y), p.z - before[i].z);
        CHECK(drift <= drift_max);
        CHECK((0.5f + (float)layer - p.z) / (float)(layer + 1) <= sink_max);
        CHECK(p.z > 0.5f + (float)layer - 0.45f);
        CHECK(moved <= rest_max);
        if (--left == 0) {
            layer++;
            left = layers - layer;
        }
    }
    yard_close(&yard);
}

TEST(a_wall_stands) {
    if (harness_is_long()) {
        check_wall(20, 0, 0.02f, 0.004f, 0.002f);
        check_wall(20, 0.3f, 0.2f, 0.006f, 0.003f);
    }
    check_wall(8, 0, 0.005f, 0.002f, 0.001f);
    check_wall(8, 0.3f, 0.15f, 0.003f, 0.002f);
}

TEST(a_column_of_ten_stands) {
    struct yard yard = yard_open(1, 1, 0);
    cosm_entity top = COSM_ENTITY_NONE;
    put_ground(yard.world, 0.5f);
    for (int k = 0; k < 10; k++) {
        top = put(yard.world, cube(), 1, pose_at(0, 0, 0.5f + (float)k), still());
    }
    yard_steps(&yard, 600);
    CHECK(position_of(yard.world, top).z > 9.4f);
    CHECK_NEAR(position_of(yard.world, top).x, 0, 0.01);
    yard_close(&yard);
}

TEST(a_wall_carries_a_box_of_a_hundred_times_the_weight) {
    struct yard yard = yard_open(1, 1, 0);
    cosm_entity boxes[64];
    put_ground(yard.world, 0.5f);
    uint32_t n = put_heavy_wall(yard.world, 10, 0, 100, boxes);
    yard_steps(&yard, 600);
    CHECK(position_of(yard.world, boxes[n - 1]).z > 9.5f - 10 * 0.01f);
    yard_close(&yard);
}

TEST(bodies_that_overlap_part_no_faster_than_the_push_speed) {
    struct yard yard = yard_open(1, 1, 0);
    COSM_SINGLETON_WRITE(yard.world, cosm_physics_settings)->gravity = (cosm_vec3){0, 0, 0};
    cosm_entity a = put(yard.world, cube(), 1, pose_at(0, 0, 0), still());
    cosm_entity b = put(yard.world, cube(), 1, pose_at(0.7f, 0, 0), still());
    float fastest = 0;
    for (int i = 0; i < 60; i++) {
        yard_steps(&yard, 1);
        float speed = motion_of(yard.world, b).velocity.x - motion_of(yard.world, a).velocity.x;
        fastest = speed > fastest ? speed : fastest;
    }
    CHECK(position_of(yard.world, b).x - position_of(yard.world, a).x > 0.99f);
    CHECK(fastest <= 3.1f);
    yard_close(&yard);
}

TEST(spheres_that_collide_keep_their_momentum) {
    struct yard yard = yard_open(1, 1, 0);
    COSM_SINGLETON_WRITE(yard.world, cosm_physics_settings)->gravity = (cosm_vec3){0, 0, 0};
    cosm_collider c = ball(0.5f);
    c.restitution = 0.8f;
    cosm_entity a = put(yard.world, c, 1, pose_at(-2, 0.2f, 0), moving(5, 0, 0));
    cosm_entity b = put(yard.world, c, 3, pose_at(2, 0, 0), moving(-1, 0.5f, 0));
    yard_steps(&yard, 120);
    cosm_motion ma = motion_of(yard.world, a), mb = motion_of(yard.world, b);
    CHECK_NEAR(ma.velocity.x + 3 * mb.velocity.x, 2, 2e-3);
    CHECK_NEAR(ma.velocity.y + 3 * mb.velocity.y, 1.5, 2e-3);
    CHECK(ma.velocity.x < mb.velocity.x);
    yard_close(&yard);
}

TEST(a_pile_of_all_shapes_comes_to_rest_inside_its_pit) {
    struct yard yard = yard_open(1, 1, 4096);
    cosm_entity bodies[90];
    put_ground(yard.world, 0.5f);
    for (int k = 0; k < 4; k++) {
        float x = k == 0 ? -4.0f : k == 1 ? 4.0f : 0.0f, y = k == 2 ? -4.0f : k == 3 ? 4.0f : 0.0f;
        put_static(yard.world, shape_of(COSM_SHAPE_BOX, k < 2 ? 1 : 5, k < 2 ? 5 : 1, 20),
                   pose_at(x, y, 20));
    }
    for (int i = 0; i < 90; i++) {
        cosm_collider c = i % 3 == 0   ? ball(0.4f)
                          : i % 3 == 1 ? shape_of(COSM_SHAPE_BOX, 0.4f, 0.3f, 0.5f)
                                       : shape_of(COSM_SHAPE_CAPSULE, 0.3f, 0, 0.4f);
        c.rolling = 0.01f;
        float x = 1.3f * (float)(i % 3 - 1) + 0.05f * (float)(i % 7),
              y = 1.3f * (float)(i / 3 % 3 - 1);
        bodies[i] = put(yard.world, c, 1, pose_at(x, y, 1 + 1.1f * (float)(i / 9)), still());
    }
    yard_steps(&yard, 600);
    for (int i = 0; i < 90; i++) {
        cosm_vec3 p = position_of(yard.world, bodies[i]);
        CHECK(fabsf(p.x) < 3 && fabsf(p.y) < 3 && p.z > 0.2f && p.z < 12);
    }
    CHECK(COSM_SINGLETON_READ(yard.world, cosm_physics_report)->deepest < 0.03f);
    yard_close(&yard);
}

TEST(a_kinematic_door_pushes_a_box_and_is_not_slowed) {
    struct yard yard = yard_open(1, 1, 0);
    put_ground(yard.world, 0.5f);
    cosm_collider door = shape_of(COSM_SHAPE_BOX, 0.2f, 2, 1);
    cosm_pose at = pose_at(0, 0, 1.05f);
    cosm_motion speed = moving(2, 0, 0);
    cosm_entity moving_door =
        COSM_SPAWN(yard.world, COSM_COPY(cosm_pose, at), COSM_COPY(cosm_motion, speed),
                   COSM_COPY(cosm_collider, door));
    cosm_entity box = put(yard.world, cube(), 1, pose_at(1.5f, 0, 0.5f), still());
    yard_steps(&yard, 120);
    CHECK_NEAR(position_of(yard.world, moving_door).x, 4, 1e-3);
    CHECK(position_of(yard.world, box).x > 4.65f);
    CHECK_NEAR(motion_of(yard.world, box).velocity.x, 2, 0.1);
    yard_close(&yard);
}

TEST(contacts_that_find_no_room_are_solved_and_counted) {
    struct yard yard = yard_open(1, 1, 8);
    cosm_entity boxes[16];
    put_ground(yard.world, 0.5f);
    for (int i = 0; i < 16; i++) {
        boxes[i] = put(yard.world, cube(), 1, pose_at(2.0f * (float)i, 0, 0.5f), still());
    }
    yard_steps(&yard, 60);
    const cosm_physics_report *report = COSM_SINGLETON_READ(yard.world, cosm_physics_report);
    CHECK_INT(report->contacts, 16);
    CHECK_INT(report->dropped, 8);
    for (int i = 0; i < 16; i++) {
        CHECK_NEAR(position_of(yard.world, boxes[i]).z, 0.5, 0.01);
    }
    yard_close(&yard);
}
