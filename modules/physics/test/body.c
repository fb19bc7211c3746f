// Single bodies: falling, drag, spin, bounces, friction, locks, forces, and what is refused.
#include "support/yard.h"

TEST(a_body_falls_as_far_as_it_should_with_a_collider_and_without) {
    struct yard yard = yard_open(1, 1, 0);
    cosm_collider c = cube();
    cosm_mass mass = cosm_physics_mass(&c, 1);
    cosm_pose high = pose_at(0, 0, 100);
    cosm_entity one = put(yard.world, c, 1, high, still());
    cosm_entity bare = COSM_SPAWN(yard.world, COSM_COPY(cosm_pose, high), COSM_DEFAULT(cosm_motion),
                                  COSM_COPY(cosm_mass, mass));
    yard_steps(&yard, 60);
    CHECK_NEAR(motion_of(yard.world, one).velocity.z, -9.81, 9.81e-4);
    CHECK_NEAR(100 - position_of(yard.world, one).z, 4.905, 0.025);
    cosm_vec3 a = position_of(yard.world, one), b = position_of(yard.world, bare);
    CHECK_NEAR(a.z, b.z, 1e-4);
    yard_close(&yard);
}

TEST(drag_slows_by_the_same_factor_in_every_substep) {
    struct yard yard = yard_open(1, 1, 0);
    cosm_moves moves = {.gravity = 0, .drag = 2};
    cosm_entity one = put(yard.world, cube(), 1, pose_at(0, 0, 0), moving(10, 0, 0));
    CHECK_INT(cosm_entity_set(yard.world, one, COSM_ID(yard.world, cosm_moves), &moves), COSM_OK);
    yard_steps(&yard, 60);
    CHECK_NEAR(motion_of(yard.world, one).velocity.x, 10 * pow(1 + 2.0 / 240, -240), 1e-4);
    yard_close(&yard);
}

TEST(a_body_that_spins_freely_keeps_its_momentum_and_gains_no_energy) {
    struct yard yard = yard_open(1, 1, 0);
    COSM_SINGLETON_WRITE(yard.world, cosm_physics_settings)->gravity = (cosm_vec3){0, 0, 0};
    cosm_collider c = shape_of(COSM_SHAPE_BOX, 0.5f, 1, 1.5f);
    cosm_motion motion = {{0, 0, 0}, {0.1f, 5, 0.1f}};
    cosm_entity one = put(yard.world, c, 1, pose_at(0, 0, 0), motion);
    cosm_vec3 i = COSM_READ(yard.world, one, cosm_mass)->inverse_inertia;
    double energy[2], momentum[2][3];
    for (int k = 0; k < 2; k++) {
        cosm_quat q = COSM_READ(yard.world, one, cosm_pose)->rotation;
        cosm_quat back = {q.w, -q.x, -q.y, -q.z};
        cosm_vec3 w = cosm_quat_rotate(back, motion_of(yard.world, one).spin);
        cosm_vec3 l = {w.x / i.x, w.y / i.y, w.z / i.z};
        energy[k] = 0.5 * ((double)l.x * w.x + (double)l.y * w.y + (double)l.z * w.z);
        l = cosm_quat_rotate(q, l);
        momentum[k][0] = l.x, momentum[k][1] = l.y, momentum[k][2] = l.z;
        yard_steps(&yard, k == 0 ? 600 : 0);
    }
    CHECK(energy[1] <= 1.001 * energy[0]);
    double size = fabs(momentum[0][1]);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(momentum[1][k], momentum[0][k], 0.01 * size);
    }
    yard_close(&yard);
}

TEST(a_ball_bounces_to_the_square_of_its_restitution) {
    const float kinds[] = {0, 0.3f, 0.5f, 0.9f, 1};
    for (int k = 0; k < 5; k++) {
        struct yard yard = yard_open(1, 1, 0);
        put_ground(yard.world, 0.5f);
        cosm_collider c = ball(0.5f);
        c.restitution = kinds[k];
        cosm_entity one = put(yard.world, c, 1, pose_at(0, 0, 5.5f), still());
        float highest = 0;
        bool has_hit = false;
        for (int i = 0; i < 200; i++) {
            yard_steps(&yard, 1);
            has_hit |= motion_of(yard.world, one).velocity.z >= 0;
            float height = position_of(yard.world, one).z - 0.5f;
            highest = has_hit && height > highest ? height : highest;
        }
        double wanted = 5.0 * kinds[k] * kinds[k];
        CHECK_NEAR(highest, wanted, (kinds[k] == 1 ? 0.02 : 0.05) * wanted + 0.02);
        CHECK(highest <= 5.05f);
        yard_close(&yard);
    }
}

TEST(a_box_on_a_slope_stays_below_the_angle_of_friction_and_slides_above) {
    const double degrees[] = {26.0, 30.0};
    for (int k = 0; k < 2; k++) {
        struct yard yard = yard_open(1, 1, 0);
        double angle = degrees[k] * 3.14159265 / 180;
        cosm_vec3 down = {(float)(9.81 * sin(angle)), 0, (float)(-9.81 * cos(angle))};
        COSM_SINGLETON_WRITE(yard.world, cosm_physics_settings)->gravity = down;
        put_ground(yard.world, 0.5f);
        cosm_entity one = put(yard.world, cube(), 1, pose_at(0, 0, 0.5f), still());
        yard_steps(&yard, 180);
        double slid = position_of(yard.world, one).x;
        double wanted = 9.81 * (sin(angle) - 0.5 * cos(angle)) * 9 / 2;
        if (k == 0) {
            CHECK(slid < 0.005);
        } else {
            CHECK_NEAR(slid, wanted, 0.02 * wanted);
        }
        yard_close(&yard);
    }
}

TEST(a_sliding_box_stops_where_friction_says_and_goes_straight) {
    struct yard yard = yard_open(1, 1, 0);
    put_ground(yard.world, 0.5f);
    cosm_entity one = put(yard.world, cube(), 1, pose_at(0, 0, 0.5f), moving(5, 0, 0));
    yard_steps(&yard, 180);
    CHECK_NEAR(position_of(yard.world, one).x, 25 / 9.81, 0.03 * 25 / 9.81);
    CHECK_NEAR(position_of(yard.world, one).y, 0, 0.001);
    yard_close(&yard);
}

TEST(a_ball_comes_to_roll_and_rolling_resistance_stops_it) {
    for (int k = 0; k < 2; k++) {
        struct yard yard = yard_open(1, 1, 0);
        put_ground(yard.world, 0.5f);
        cosm_collider c = ball(0.5f);
        c.rolling = k == 0 ? 0 : 0.05f;
        cosm_entity one = put(yard.world, c, 1, pose_at(0, 0, 0.5f), moving(3, 0, 0));
        yard_steps(&yard, k == 0 ? 60 : 600);
        cosm_motion motion = motion_of(yard.world, one);
        if (k == 0) {
            CHECK(motion.velocity.x > 1);
            CHECK_NEAR(motion.spin.y * 0.5f, motion.velocity.x, 0.01 * motion.velocity.x);
        } else {
            CHECK_NEAR(motion.velocity.x, 0, 0.01);
        }
        yard_close(&yard);
    }
}

TEST(a_conveyor_carries_a_box_at_its_speed) {
    struct yard yard = yard_open(1, 1, 0);
    cosm_collider belt = shape_of(COSM_SHAPE_BOX, 50, 5, 0.5f);
    belt.surface = (cosm_vec3){1, 0, 0};
    put_static(yard.world, belt, pose_at(0, 0, -0.5f));
    cosm_entity one = put(yard.world, cube(), 1, pose_at(0, 0, 0.5f), still());
    yard_steps(&yard, 120);
    CHECK_NEAR(motion_of(yard.world, one).velocity.x, 1, 0.01);
    yard_close(&yard);
}

TEST(a_locked_body_does_not_tilt_and_a_force_counts_for_one_step) {
    struct yard yard = yard_open(1, 1, 0);
    put_ground(yard.world, 0.5f);
    cosm_moves moves = {.gravity = 1, .locks = COSM_LOCK_TURN_X | COSM_LOCK_TURN_Y};
    cosm_force force = {{2000, 0, 0}, {100, 100, 10}};
    cosm_entity one = put(yard.world, cube(), 1, pose_at(0, 0, 0.5f), still());
    CHECK_INT(cosm_entity_set(yard.world, one, COSM_ID(yard.world, cosm_moves), &moves), COSM_OK);
    CHECK_INT(cosm_entity_set(yard.world, one, COSM_ID(yard.world, cosm_force), &force), COSM_OK);
    yard_steps(&yard, 1);
    CHECK(motion_of(yard.world, one).velocity.x > 10);
    CHECK(COSM_READ(yard.world, one, cosm_force)->force.x == 0);
    yard_steps(&yard, 30);
    cosm_quat q = COSM_READ(yard.world, one, cosm_pose)->rotation;
    CHECK(q.x == 0 && q.y == 0);
    CHECK(q.z != 0);
    yard_close(&yard);
}

TEST(layers_masks_and_groups_decide_who_collides) {
    for (uint32_t bits = 0; bits < 256; bits++) {
        struct yard yard = yard_open(1, 1, 0);
        cosm_collider a = cube(), b = cube();
        a.layer = bits & 3u, a.mask = bits >> 2 & 3u;
        b.layer = bits >> 4 & 3u, b.mask = bits >> 6 & 3u;
        a.group = b.group = (int32_t)(bits % 3u) - 1;
        bool wanted = a.group != 0 ? a.group > 0 : (a.mask & b.layer) && (b.mask & a.layer);
        put(yard.world, a, 1, pose_at(0, 0, 0), still());
        put(yard.world, b, 1, pose_at(0.9f, 0, 0), still());
        yard_steps(&yard, 1);
        CHECK_INT(COSM_SINGLETON_READ(yard.world, cosm_physics_report)->contacts, wanted);
        yard_close(&yard);
    }
}

// Spoils one number of a body; the rest of the world goes on.
static void check_bad(void (*spoil)(cosm_world, cosm_entity), const char *field) {
    struct yard yard = yard_open(2, 1, 0);
    put_ground(yard.world, 0.5f);
    cosm_entity bad = put(yard.world, cube(), 1, pose_at(0, 0, 3), still());
    cosm_entity good = put(yard.world, cube(), 1, pose_at(5, 0, 3), still());
    spoil(yard.world, bad);
    CHECK(cosm_batch_step(yard.batch) != COSM_OK);
    CHECK_CONTAINS(cosm_error_message(), "physics_step");
    CHECK_CONTAINS(cosm_error_message(), "world 0, entity @");
    CHECK_CONTAINS(cosm_error_message(), field);
    CHECK(position_of(yard.world, good).z < 3);
    yard_close(&yard);
}

static void spoil_position(cosm_world w, cosm_entity e) {
    COSM_WRITE(w, e, cosm_pose)->position.x = NAN;
}
static void spoil_rotation(cosm_world w, cosm_entity e) {
    COSM_WRITE(w, e, cosm_pose)->rotation.w = 0;
}
static void spoil_size(cosm_world w, cosm_entity e) {
    COSM_WRITE(w, e, cosm_collider)->size.y = -1;
}
static void spoil_mass(cosm_world w, cosm_entity e) {
    COSM_WRITE(w, e, cosm_mass)->inverse = -1;
}
static void spoil_motion(cosm_world w, cosm_entity e) {
    COSM_WRITE(w, e, cosm_motion)->spin.z = INFINITY;
}

TEST(a_body_with_a_bad_number_is_named_and_left_out) {
    check_bad(spoil_position, "Pose.position");
    check_bad(spoil_rotation, "Pose.rotation");
    check_bad(spoil_size, "Collider.size.y");
    check_bad(spoil_mass, "Mass.inverse");
    check_bad(spoil_motion, "Motion");
}

TEST(mass_follows_from_shape_and_density) {
    cosm_collider box = shape_of(COSM_SHAPE_BOX, 1, 2, 3), sphere = ball(2);
    cosm_mass m = cosm_physics_mass(&box, 10);
    CHECK_NEAR(1 / m.inverse, 480, 1e-3);
    CHECK_NEAR(1 / m.inverse_inertia.x, 480.0 / 3 * 13, 0.1);
    m = cosm_physics_mass(&sphere, 1);
    CHECK_NEAR(1 / m.inverse, 33.5103, 1e-3);
    cosm_collider plane = shape_of(COSM_SHAPE_PLANE, 1, 1, 1);
    CHECK(cosm_physics_mass(&plane, 1).inverse == 0);
    CHECK(cosm_physics_mass(&box, -1).inverse == 0);
}
