// Rays in packets of eight against one shape after the other, compiled once for each instruction
// set: see wide_plain.c and wide_avx2.c, which define CAST.
#include "view.h"

LANE_FN struct lane_vec into(const struct shape *s, struct lane_vec v) {
    const vec3 *a = s->axes.axis;
    return (struct lane_vec){v.x * a[0].x + v.y * a[0].y + v.z * a[0].z,
                             v.x * a[1].x + v.y * a[1].y + v.z * a[1].z,
                             v.x * a[2].x + v.y * a[2].y + v.z * a[2].z};
}

// Where a ray is between two parallel faces: from `near` to `far`. A direction of zero becomes a
// tiny one: it is between them everywhere or nowhere.
LANE_FN void slab(lanes o, lanes d, float half, lanes *io_near, lanes *io_far) {
    lane_mask is_tiny = (d < 1e-20f) & (d > -1e-20f);
    lanes inverse = 1.0f / choose(is_tiny, all(1e-20f), d);
    lanes a = (-half - o) * inverse, b = (half - o) * inverse;
    *io_near = lanes_max(*io_near, lanes_min(a, b));
    *io_far = lanes_min(*io_far, lanes_max(a, b));
}

// All routines return the distance at which a ray enters the shape, or something negative or too
// far.
LANE_FN lanes enter_box(struct lane_vec o, struct lane_vec d, vec3 half) {
    lanes near = all(-1e30f), far = all(1e30f);
    slab(o.x, d.x, half.x, &near, &far);
    slab(o.y, d.y, half.y, &near, &far);
    slab(o.z, d.z, half.z, &near, &far);
    return choose(near <= far, near, all(-1));
}

// The first root of |o + t d| = r, from the outside: a, b and c are d.d, o.d and o.o - r r.
LANE_FN lanes first_root(lanes a, lanes b, lanes c) {
    lanes square = b * b - a * c;
    lanes t = (-b - lanes_sqrt(lanes_max(square, all(0)))) / lanes_max(a, all(1e-20f));
    return choose((square >= 0.0f) & (c > 0.0f), t, all(-1));
}

LANE_FN lanes enter_sphere(struct lane_vec o, struct lane_vec d, float radius) {
    return first_root(all(1), lane_dot(o, d), lane_dot(o, o) - radius * radius);
}

LANE_FN lanes enter_capsule(struct lane_vec o, struct lane_vec d, float radius, float half) {
    lanes square = radius * radius + all(0);
    lanes side =
        first_root(d.x * d.x + d.y * d.y, o.x * d.x + o.y * d.y, o.x * o.x + o.y * o.y - square);
    lanes z = o.z + side * d.z;
    lane_mask is_side = (side > 0.0f) & (z <= half) & (z >= -half);
    struct lane_vec top = {o.x, o.y, o.z - half}, bottom = {o.x, o.y, o.z + half};
    lanes t = enter_sphere(top, d, radius), b = enter_sphere(bottom, d, radius);
    // The nearer of the two ends that is met at all.
    lanes end = choose((t > 0.0f) & ((t < b) | (b <= 0.0f)), t, b);
    // Inside the tube between the ends neither the side nor an end is entered.
    lane_mask is_inside = (o.x * o.x + o.y * o.y < square) & (o.z < half) & (o.z > -half);
    lane_mask in_top = lane_dot(top, top) < square, in_bottom = lane_dot(bottom, bottom) < square;
    return choose(is_inside | in_top | in_bottom, all(-1), choose(is_side, side, end));
}

LANE_FN lanes enter_plane(struct lane_vec o, struct lane_vec d) {
    lane_mask is_met = (o.z > 0.0f) & (d.z < 0.0f);
    return choose(is_met, -o.z / choose(is_met, d.z, all(-1)), all(-1));
}

LANE_FN lanes enter(const struct shape *s, struct lane_vec o, struct lane_vec d) {
    switch (s->kind) {
    case COSM_SHAPE_SPHERE:
        return enter_sphere(o, d, s->size.x);
    case COSM_SHAPE_CAPSULE:
        return enter_capsule(o, d, s->size.x, s->size.z);
    case COSM_SHAPE_BOX:
        return enter_box(o, d, s->size);
    default:
        return enter_plane(o, d);
    }
}

void CAST(const struct cosm_physics_view *view, const cosm_ray_filter *filter,
          struct ray_packet *packet) {
    struct lane_vec o, d;
    lanes nearest;
    lane_mask met = {0};
    memcpy(&o, packet->origin, sizeof(o));
    memcpy(&d, packet->direction, sizeof(d));
    memcpy(&nearest, packet->length, sizeof(nearest));
    for (uint32_t i = 0; i < view->count; i++) {
        const struct view_item *item = &view->items[i];
        bool is_ignored =
            item->entity.id == filter->ignored.id && item->entity.gen == filter->ignored.gen;
        if (is_ignored || (filter->mask != 0 && (filter->mask & item->layer) == 0)) {
            continue;
        }
        vec3 c = item->shape.centre;
        struct lane_vec from = {o.x - c.x, o.y - c.y, o.z - c.z};
        lanes t = enter(&item->shape, into(&item->shape, from), into(&item->shape, d));
        lane_mask is_hit = (t > 0.0f) & (t < nearest);
        nearest = choose(is_hit, t, nearest);
        met = (is_hit & (int32_t)(i + 1)) | (~is_hit & met);
    }
    memcpy(packet->length, &nearest, sizeof(nearest));
    memcpy(packet->met, &met, sizeof(met));
}
