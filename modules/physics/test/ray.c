// Rays against all shapes, held against sphere tracing in double; filters, and rays that are none.
#include "support/yard.h"

static uint32_t state;
static float unit(void) {
    state = state * 1664525u + 1013904223u;
    return (float)(state >> 8) / 16777216.0f;
}
static float both(void) {
    return 2.0f * unit() - 1.0f;
}

static double positive(double x) {
    return x > 0 ? x : 0;
}

// How far a point is from a shape, negative inside.
static double distance_to(const cosm_collider *c, const cosm_pose *p, const double at[3]) {
    cosm_quat q = p->rotation, back = {q.w, -q.x, -q.y, -q.z};
    cosm_vec3 d = {(float)(at[0] - p->position.x), (float)(at[1] - p->position.y),
                   (float)(at[2] - p->position.z)};
    cosm_vec3 l = cosm_quat_rotate(back, d);
    if (c->shape == COSM_SHAPE_PLANE) {
        return l.z;
    }
    if (c->shape == COSM_SHAPE_BOX) {
        double x = fabs(l.x) - c->size.x, y = fabs(l.y) - c->size.y, z = fabs(l.z) - c->size.z;
        double out =
            sqrt(positive(x) * positive(x) + positive(y) * positive(y) + positive(z) * positive(z));
        double in = fmax(x, fmax(y, z));
        return out + (in < 0 ? in : 0);
    }
    double half = c->shape == COSM_SHAPE_CAPSULE ? c->size.z : 0;
    double z = l.z - fmax(-half, fmin(half, l.z));
    return sqrt((double)l.x * l.x + (double)l.y * l.y + z * z) - c->size.x;
}

// The distance along a ray to a shape, or its length.
static double trace(const cosm_collider *c, const cosm_pose *p, const cosm_ray *ray) {
    double d[3] = {ray->direction.x, ray->direction.y, ray->direction.z}, t = 0;
    double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    for (int i = 0; i < 4000 && t < ray->length; i++) {
        double at[3] = {ray->origin.x + t * d[0] / length, ray->origin.y + t * d[1] / length,
                        ray->origin.z + t * d[2] / length};
        double step = distance_to(c, p, at);
        if (step < 1e-6) {
            return i == 0 ? ray->length : t; // inside: not met
        }
        t += step;
    }
    return t < ray->length ? t : ray->length;
}

TEST(rays_meet_what_is_nearest) {
    struct yard yard = yard_open(1, 1, 0);
    cosm_collider colliders[19];
    cosm_pose poses[19];
    state = (uint32_t)harness_seed();
    for (int i = 0; i < 19; i++) {
        colliders[i] = shape_of(i == 18 ? COSM_SHAPE_PLANE : (cosm_shape)(i % 3), 0.3f + unit(),
                                0.3f + unit(), 0.3f + unit());
        poses[i] = pose_at(10 * both(), 10 * both(), i == 18 ? -12 : 10 * both());
        if (i < 18) {
            cosm_vec3 axis = {both(), both(), both()};
            poses[i].rotation = cosm_quat_turn(axis, 3 * both());
        }
        put_static(yard.world, colliders[i], poses[i]);
    }
    cosm_physics_view *view = cosm_physics_view_create(yard.world);
    REQUIRE(view != NULL);
    uint32_t hits = 0;
    for (int k = 0; k < 400; k++) {
        cosm_ray rays[13];
        cosm_ray_hit out[13];
        for (int i = 0; i < 13; i++) {
            rays[i] =
                (cosm_ray){{9 * both(), 9 * both(), 9 * both()}, {both(), both(), both()}, 30};
            rays[i].direction.x = i % 5 == 0 ? 0 : rays[i].direction.x;
            rays[i].direction.y = i % 10 == 0 ? 0 : rays[i].direction.y;
        }
        cosm_physics_cast(view, rays, 13, NULL, out);
        for (int i = 0; i < 13; i++) {
            double nearest = rays[i].length;
            for (int c = 0; c < 19; c++) {
                double t = trace(&colliders[c], &poses[c], &rays[i]);
                nearest = t < nearest ? t : nearest;
            }
            hits += out[i].entity.gen != 0;
            CHECK_NEAR(out[i].distance, nearest, 2e-3 * (1 + nearest));
        }
    }
    CHECK(hits > 500);
    cosm_physics_view_destroy(view);
    yard_close(&yard);
}

TEST(a_ray_says_whom_it_meets_how_far_and_the_normal_there) {
    struct yard yard = yard_open(1, 1, 0);
    cosm_collider other = cube();
    other.layer = 2;
    cosm_entity near = put_static(yard.world, cube(), pose_at(3, 0, 0));
    cosm_entity far = put_static(yard.world, other, pose_at(6, 0, 0));
    cosm_physics_view *view = cosm_physics_view_create(yard.world);
    cosm_ray ray = {{0, 0, 0}, {2, 0, 0}, 10};
    cosm_ray_hit hit;
    cosm_physics_cast(view, &ray, 1, NULL, &hit);
    CHECK_INT(hit.entity.id, near.id);
    CHECK_NEAR(hit.distance, 2.5, 1e-5);
    CHECK_NEAR(hit.normal.x, -1, 1e-6);
    cosm_physics_cast(view, &ray, 1, &(cosm_ray_filter){.ignored = near}, &hit);
    CHECK_INT(hit.entity.id, far.id);
    cosm_physics_cast(view, &ray, 1, &(cosm_ray_filter){.mask = 2}, &hit);
    CHECK_INT(hit.entity.id, far.id);
    ray.length = 2;
    cosm_physics_cast(view, &ray, 1, NULL, &hit);
    CHECK_INT(hit.entity.gen, 0);
    CHECK_NEAR(hit.distance, 2, 0);
    const cosm_ray none[2] = {{{0, 0, 0}, {0, 0, 0}, 9}, {{NAN, 0, 0}, {1, 0, 0}, 9}};
    cosm_ray_hit out[2];
    cosm_physics_cast(view, none, 2, NULL, out);
    CHECK(out[0].entity.gen == 0 && out[1].entity.gen == 0);
    cosm_physics_view_destroy(view);
    yard_close(&yard);
}
