// Defining physics in an engine, and the mass of shapes.
#include <cosm_physics/physics.h>

#include "cosm_physics_body.cosm.h"
#include "step.h"

#define CONTACT_DEFAULT 256u
#define CONTACT_MAX 262143u
#define PI 3.14159265f

static cosm_singleton define_contacts(cosm_engine *engine, uint32_t contact_max) {
    size_t size = sizeof(struct memory) + (size_t)contact_max * sizeof(struct remembered);
    return cosm_singleton_define(
        engine, &(cosm_singleton_desc){.name = "PhysicsContacts",
                                       .size = size,
                                       .alignment = 64,
                                       .doc = "impulses of contacts, for the next step"});
}

static cosm_system define_fall(cosm_engine *engine, cosm_phase phase) {
    cosm_system_desc desc = {
        .name = "physics_fall",
        .phase = phase,
        .each = cosmi_physics_fall,
        .uses = "PhysicsSettings",
    };
    desc.queries[0].text = "mut Pose, mut Motion, Mass, !Collider, ?Moves, mut ?Force";
    desc.queries[0].by_world = true;
    return cosm_system_define(engine, &desc);
}

static cosm_system define_step(cosm_engine *engine, cosm_phase phase) {
    cosm_system_desc desc = {
        .name = "physics_step",
        .phase = phase,
        .run = cosmi_physics_step,
        .uses = "PhysicsSettings, mut PhysicsReport, mut PhysicsContacts",
    };
    desc.queries[QUERY_STATIC].text = "Pose, Collider, !Motion";
    desc.queries[QUERY_KINEMATIC].text = "mut Pose, mut Motion, Collider, !Mass";
    desc.queries[QUERY_DYNAMIC].text = "mut Pose, mut Motion, Mass, Collider, ?Moves, mut ?Force";
    return cosm_system_define(engine, &desc);
}

cosm_result cosm_physics_define(cosm_engine *engine, const cosm_physics_desc *desc) {
    static const cosm_physics_desc usual;
    desc = desc != NULL ? desc : &usual;
    uint32_t contact_max = desc->contact_max != 0 ? desc->contact_max : CONTACT_DEFAULT;
    if (contact_max > CONTACT_MAX) {
        return cosm_error_raise(engine, COSM_ERROR_ARGUMENT,
                                "cosm_physics_define: desc.contact_max is %u; at most %u fit",
                                contact_max, CONTACT_MAX);
    }
    cosm_result result = cosm_space_define(engine);
    if (result == COSM_OK) {
        result = cosm_physics_body_register_all(engine);
    }
    if (result != COSM_OK) {
        return result;
    }
    bool is_defined = define_contacts(engine, contact_max).id != 0 &&
                      define_step(engine, desc->phase).id != 0 &&
                      define_fall(engine, desc->phase).id != 0;
    return is_defined ? COSM_OK : cosm_error_result();
}

void cosmi_physics_find(cosm_engine *engine, struct physics *out) {
    out->settings = cosm_physics_settings_singleton(engine);
    out->report = cosm_physics_report_singleton(engine);
    out->contacts = cosm_singleton_find(engine, "PhysicsContacts");
    size_t size = cosm_singleton_describe(engine, out->contacts).size;
    out->contact_max = (uint32_t)((size - sizeof(struct memory)) / sizeof(struct remembered));
}

// ---- mass ----

// Inertia about three axes of a solid of this mass.
static vec3 sphere_inertia(float mass, float r) {
    float i = 0.4f * mass * r * r;
    return vec(i, i, i);
}

static vec3 box_inertia(float mass, vec3 h) {
    float third = mass / 3.0f;
    return vec(third * (h.y * h.y + h.z * h.z), third * (h.x * h.x + h.z * h.z),
               third * (h.x * h.x + h.y * h.y));
}

// A cylinder and two half spheres, each about the middle of the capsule.
static vec3 capsule_inertia(float density, float r, float half) {
    float rod = density * PI * r * r * 2.0f * half;
    float ball = density * 4.0f / 3.0f * PI * r * r * r;
    float along = 0.5f * rod * r * r + 0.4f * ball * r * r;
    float across = rod * (0.25f * r * r + half * half / 3.0f) +
                   ball * (0.4f * r * r + half * half + 0.75f * half * r);
    return vec(across, across, along);
}

static float volume_of(const cosm_collider *c) {
    vec3 s = c->size;
    switch (c->shape) {
    case COSM_SHAPE_SPHERE:
        return 4.0f / 3.0f * PI * s.x * s.x * s.x;
    case COSM_SHAPE_CAPSULE:
        return PI * s.x * s.x * (2.0f * s.z + 4.0f / 3.0f * s.x);
    case COSM_SHAPE_BOX:
        return 8.0f * s.x * s.y * s.z;
    default:
        return 0.0f;
    }
}

cosm_mass cosm_physics_mass(const cosm_collider *collider, float density) {
    cosm_mass out = {.frame = {1.0f, 0.0f, 0.0f, 0.0f}};
    float mass = density * volume_of(collider);
    if (!(mass > 0.0f) || !isfinite(mass)) {
        return out;
    }
    vec3 i = collider->shape == COSM_SHAPE_SPHERE ? sphere_inertia(mass, collider->size.x)
             : collider->shape == COSM_SHAPE_BOX
                 ? box_inertia(mass, collider->size)
                 : capsule_inertia(density, collider->size.x, collider->size.z);
    out.inverse = 1.0f / mass;
    out.inverse_inertia = vec(1.0f / i.x, 1.0f / i.y, 1.0f / i.z);
    out.centre = collider->offset;
    return out;
}
