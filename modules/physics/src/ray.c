// Rays and views: colliders packed, rays in packets, normals of what was met.
#include <cosm/cosm.h>
#include <stdlib.h>

#include "view.h"

// ---- views ----

static void add_item(struct cosm_physics_view *view, cosm_entity entity, const cosm_pose *pose,
                     const cosm_collider *collider) {
    struct mat3 axes = mat_of(pose->rotation);
    // Rows come in the order of ids nearly always: an insertion is a comparison.
    uint32_t at = view->count++;
    for (; at > 0 && view->items[at - 1].entity.id > entity.id; at--) {
        view->items[at] = view->items[at - 1];
    }
    view->items[at] = (struct view_item){
        .shape = {collider->shape, vec_add(pose->position, mat_out(&axes, collider->offset)),
                  collider->size, axes},
        .entity = entity,
        .layer = collider->layer,
    };
}

static void fill(struct cosm_physics_view *view, cosm_rows *rows) {
    while (cosm_rows_next(rows)) {
        const cosm_pose *pose = COSM_READ(rows, cosm_pose);
        const cosm_collider *collider = COSM_READ(rows, cosm_collider);
        for (uint32_t i = 0; i < rows->count && view->count < view->max; i++) {
            add_item(view, rows->entities[i], pose + i, collider + i);
        }
    }
}

static cosm_worlds only(cosm_world world) {
    return (cosm_worlds){world.batch, world.index, 1};
}

static struct cosm_physics_view *begin(void *memory, uint32_t max) {
    struct cosm_physics_view *view = memory;
    view->count = 0;
    view->max = max;
    view->items = (struct view_item *)(void *)((char *)memory + 64);
    view->memory = NULL;
    return view;
}

static size_t size_for(uint64_t count) {
    return 64 + (size_t)count * sizeof(struct view_item);
}

cosm_physics_view *cosm_physics_view_create(cosm_world world) {
    if (world.batch == NULL) {
        cosm_error_raise(NULL, COSM_ERROR_ARGUMENT, "cosm_physics_view_create: there is no world");
        return NULL;
    }
    cosm_engine *engine = cosm_batch_engine(world.batch);
    cosm_query *query = cosm_query_create(engine, &(cosm_query_desc){.text = "Pose, Collider"});
    if (query == NULL) {
        return NULL;
    }
    uint64_t count = cosm_query_count(query, only(world));
    struct cosm_physics_view *view = NULL;
    void *memory = malloc(size_for(count));
    if (memory == NULL) {
        cosm_error_raise(engine, COSM_ERROR_MEMORY,
                         "cosm_physics_view_create: no memory for %llu colliders",
                         (unsigned long long)count);
    } else {
        cosm_rows rows;
        view = begin(memory, (uint32_t)count);
        view->memory = memory;
        cosm_query_walk(query, only(world), &rows);
        fill(view, &rows);
    }
    cosm_query_destroy(query);
    return view;
}

void cosm_physics_view_destroy(cosm_physics_view *view) {
    if (view != NULL && view->memory != NULL) {
        free(view->memory);
    }
}

const cosm_physics_view *cosm_physics_view_of(const cosm_turn *turn, uint32_t query_index,
                                              cosm_world world) {
    const cosm_query *query = cosm_turn_query(turn, query_index);
    uint64_t count = query != NULL ? cosm_query_count(query, only(world)) : 0;
    void *memory = query != NULL ? cosm_turn_scratch(turn, size_for(count)) : NULL;
    if (memory == NULL) {
        return NULL;
    }
    struct cosm_physics_view *view = begin(memory, (uint32_t)count);
    cosm_rows rows;
    cosm_turn_walk(turn, query_index, only(world), &rows);
    fill(view, &rows);
    return view;
}

// ---- normals ----

static vec3 box_normal(vec3 local, vec3 half) {
    // The face that the point is nearest to, relative to the extents' own rounding.
    vec3 past = vec(fabsf(local.x) - half.x, fabsf(local.y) - half.y, fabsf(local.z) - half.z);
    int axis = past.x >= past.y ? (past.x >= past.z ? 0 : 2) : (past.y >= past.z ? 1 : 2);
    float sign = vec_at(local, axis) < 0.0f ? -1.0f : 1.0f;
    return vec(axis == 0 ? sign : 0.0f, axis == 1 ? sign : 0.0f, axis == 2 ? sign : 0.0f);
}

static vec3 normal_at(const struct shape *s, vec3 at) {
    vec3 local = mat_in(&s->axes, vec_sub(at, s->centre)), n;
    switch (s->kind) {
    case COSM_SHAPE_BOX:
        n = box_normal(local, s->size);
        break;
    case COSM_SHAPE_PLANE:
        n = vec(0, 0, 1);
        break;
    default:
        if (s->kind == COSM_SHAPE_CAPSULE) {
            local.z -= clamp(local.z, -s->size.z, s->size.z);
        }
        n = vec_scale(local, 1.0f / fmaxf(vec_length(local), 1e-20f));
    }
    return mat_out(&s->axes, n);
}

// ---- casting ----

static cast_fn *chosen_cast(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") ? cosmi_physics_cast_avx2 : cosmi_physics_cast_plain;
#else
    return cosmi_physics_cast_plain;
#endif
}

static bool is_ray(const cosm_ray *ray, float length) {
    return vec_is_finite(ray->origin) && length > 0.0f && isfinite(length) && ray->length > 0.0f;
}

// Rays [0, count) as lanes; those that are none get a length of zero and meet nothing.
static void pack_rays(const cosm_ray *rays, uint32_t count, struct ray_packet *out) {
    memset(out, 0, sizeof(*out));
    for (uint32_t l = 0; l < LANE_COUNT; l++) {
        const cosm_ray *ray = &rays[l < count ? l : 0];
        float length = vec_length(ray->direction);
        bool is_cast = l < count && is_ray(ray, length);
        vec3 d = is_cast ? vec_scale(ray->direction, 1.0f / length) : vec(0, 0, 1);
        vec3 o = is_cast ? ray->origin : vec(0, 0, 0);
        out->origin[0][l] = o.x, out->origin[1][l] = o.y, out->origin[2][l] = o.z;
        out->direction[0][l] = d.x, out->direction[1][l] = d.y, out->direction[2][l] = d.z;
        out->length[l] = is_cast ? ray->length : 0.0f;
    }
}

static void write_hit(const cosm_physics_view *view, const struct ray_packet *packet, uint32_t l,
                      const cosm_ray *ray, cosm_ray_hit *out) {
    *out = (cosm_ray_hit){.distance = ray->length};
    if (packet->met[l] == 0) {
        return;
    }
    const struct view_item *item = &view->items[packet->met[l] - 1];
    vec3 o = ray->origin;
    vec3 d = vec(packet->direction[0][l], packet->direction[1][l], packet->direction[2][l]);
    out->entity = item->entity;
    out->distance = packet->length[l];
    out->normal = normal_at(&item->shape, vec_along(o, packet->length[l], d));
}

void cosm_physics_cast(const cosm_physics_view *view, const cosm_ray *rays, uint32_t count,
                       const cosm_ray_filter *filter, cosm_ray_hit *out_hits) {
    static const cosm_ray_filter everything;
    cast_fn *cast = chosen_cast();
    for (uint32_t first = 0; view != NULL && first < count; first += LANE_COUNT) {
        uint32_t n = count - first < LANE_COUNT ? count - first : LANE_COUNT;
        struct ray_packet packet;
        pack_rays(rays + first, n, &packet);
        cast(view, filter != NULL ? filter : &everything, &packet);
        for (uint32_t l = 0; l < n; l++) {
            write_hit(view, &packet, l, &rays[first + l], &out_hits[first + l]);
        }
    }
}
