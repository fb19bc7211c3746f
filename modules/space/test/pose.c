// Poses: the component, and rotations.
#include <cosm/cosm.h>
#include <cosm_space/pose.h>

#include "harness.h"

#define PI 3.14159265f

TEST(a_pose_by_default_is_at_the_origin_and_not_turned) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    CHECK_INT(cosm_space_define(engine), COSM_OK);
    CHECK_INT(cosm_space_define(engine), COSM_OK); // again is harmless
    cosm_world world = cosm_batch_world(batch, 0);
    cosm_entity entity = COSM_SPAWN(world, COSM_DEFAULT(cosm_pose));
    const cosm_pose *pose = COSM_READ(world, entity, cosm_pose);
    REQUIRE(pose != NULL);
    CHECK(pose->position.x == 0 && pose->position.y == 0 && pose->position.z == 0);
    CHECK(pose->rotation.w == 1 && pose->rotation.x == 0);
    CHECK(cosm_component_find(engine, "Pose").id != 0);
    CHECK_INT(cosm_batch_destroy(batch), COSM_OK);
    CHECK_INT(cosm_engine_destroy(engine), COSM_OK);
}

TEST(a_quarter_turn_about_z_takes_x_to_y) {
    cosm_quat turn = cosm_quat_turn((cosm_vec3){0, 0, 5}, PI / 2);
    cosm_vec3 v = cosm_quat_rotate(turn, (cosm_vec3){2, 0, 1});
    CHECK_NEAR(v.x, 0, 1e-6);
    CHECK_NEAR(v.y, 2, 1e-6);
    CHECK_NEAR(v.z, 1, 1e-6);
}

TEST(joined_rotations_turn_one_after_the_other) {
    cosm_quat first = cosm_quat_turn((cosm_vec3){1, 2, 3}, 0.7f);
    cosm_quat then = cosm_quat_turn((cosm_vec3){-1, 0.5f, 0}, 2.1f);
    cosm_vec3 v = {0.3f, -2, 1};
    cosm_vec3 one = cosm_quat_rotate(cosm_quat_join(then, first), v);
    cosm_vec3 two = cosm_quat_rotate(then, cosm_quat_rotate(first, v));
    CHECK_NEAR(one.x, two.x, 1e-5);
    CHECK_NEAR(one.y, two.y, 1e-5);
    CHECK_NEAR(one.z, two.z, 1e-5);
}

TEST(an_axis_without_a_length_turns_nothing) {
    cosm_quat turn = cosm_quat_turn((cosm_vec3){0, 0, 0}, 1);
    CHECK(turn.w == 1 && turn.x == 0 && turn.y == 0 && turn.z == 0);
}
