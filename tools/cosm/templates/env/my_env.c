// The environment my_env. The contract it keeps is told in cosm_sim/env.h.
//
// Read it from the end: cosm_env_entry is what a host asks for, `define` says what there is,
// `begin` starts an episode, and the systems `move` and `look` are what happens in a step.
#include "my_env.h"

#include <string.h>

#define STEP_SECONDS 0.05f
#define PUSH 4.0f         // what a push adds to the speed, per second
#define FRICTION 0.2f     // share of the speed that is lost, per second
#define NEAR_TARGET 0.05f // this close,
#define AT_REST 0.25f     // and this slow, it has arrived

// What is kept for as long as the engine lives. State of worlds is not: that is in components and
// singletons, so that it can be hashed, saved and forked.
struct task {
    cosm_component body;
    cosm_component view;
    cosm_component action;
    cosm_component reward;
    cosm_component terminated;
    cosm_archetype agent;
};

static const cosm_field Body_fields[] = {
    {.name = "position", .type = COSM_FIELD_F32, .offset = offsetof(Body, position)},
    {.name = "speed", .type = COSM_FIELD_F32, .offset = offsetof(Body, speed)},
    {.name = "target", .type = COSM_FIELD_F32, .offset = offsetof(Body, target)},
};

// A field with .min and .max has those bounds in Python; without, it may be anything.
static const cosm_field View_fields[] = {
    {.name = "offset", .type = COSM_FIELD_F32, .offset = offsetof(View, offset)},
    {.name = "speed", .type = COSM_FIELD_F32, .offset = offsetof(View, speed)},
};

// An integer from 0 to n - 1 is a choice of n.
static const cosm_field Action_fields[] = {
    {.name = "push",
     .type = COSM_FIELD_I32,
     .offset = offsetof(Action, push),
     .min = 0,
     .max = PUSH_COUNT - 1},
};

static const cosm_field Reward_fields[] = {{.name = "value", .type = COSM_FIELD_F32}};
static const cosm_field Terminated_fields[] = {{.name = "value", .type = COSM_FIELD_BOOL}};

// Defines the component of a struct by the table that is called after it.
#define DEFINE_COMPONENT(engine, Type)                                                             \
    cosm_component_define((engine), &(cosm_component_desc){.name = #Type,                          \
                                                           .size = sizeof(Type),                   \
                                                           .alignment = _Alignof(Type),            \
                                                           .fields = Type##_fields,                \
                                                           .field_count = sizeof(Type##_fields) /  \
                                                                          sizeof(cosm_field)})

static float magnitude(float value) {
    return value < 0.0f ? -value : value;
}

// Moves every agent of many worlds: the rows of all of them lie side by side. The order of the
// columns is that of the terms in define_systems.
static void move(cosm_rows *rows) {
    const Action *action = COSM_COLUMN_READ(rows, Action, 0);
    Body *body = COSM_COLUMN_WRITE(rows, Body, 1);
    Reward *reward = COSM_COLUMN_WRITE(rows, Reward, 2);
    Terminated *terminated = COSM_COLUMN_WRITE(rows, Terminated, 3);
    for (uint32_t i = 0; i < rows->count; i++) {
        // Actions come from outside: what is no push counts as none.
        float push = action[i].push == PUSH_LEFT ? -PUSH : action[i].push == PUSH_RIGHT ? PUSH : 0;
        Body *b = &body[i];
        b->speed += (push - b->speed * FRICTION) * rows->dt;
        b->position += b->speed * rows->dt;
        if (magnitude(b->position) > 1.0f) {
            b->position = b->position > 0.0f ? 1.0f : -1.0f;
            b->speed = 0.0f;
        }
        float distance = magnitude(b->target - b->position);
        terminated[i].value = distance < NEAR_TARGET && magnitude(b->speed) < AT_REST;
        reward[i].value = terminated[i].value ? 1.0f : -distance * rows->dt;
    }
}

// Writes what agents see. It runs behind everything else, also behind `begin`, so that what is seen
// is always the world as it is now.
static void look(cosm_rows *rows) {
    const Body *body = COSM_COLUMN_READ(rows, Body, 0);
    View *view = COSM_COLUMN_WRITE(rows, View, 1);
    for (uint32_t i = 0; i < rows->count; i++) {
        view[i] = (View){.offset = body[i].target - body[i].position, .speed = body[i].speed};
    }
}

// Starts an episode in a world, which is empty. Everything random is drawn from `random`: then
// world k of seed s goes the same way whatever the number of worlds and threads.
static cosm_result begin(void *context, cosm_world world, cosm_random *random) {
    const struct task *task = context;
    Body body = {.speed = 0.0f};
    body.position = cosm_random_between(random, -0.9f, 0.9f);
    body.target = cosm_random_between(random, -0.9f, 0.9f);
    cosm_value value = {task->body, &body};
    cosm_entity agent = cosm_entity_spawn_with(world, task->agent, &value, 1);
    return cosm_entity_is_none(agent) ? cosm_error_result() : COSM_OK;
}

// Draws a world from above: the target green, the agent white.
static void draw(void *context, cosm_world world, cosm_canvas *canvas) {
    const struct task *task = context;
    const Body *body = cosm_table_column_read(world, task->agent, task->body);
    if (body == NULL) {
        return;
    }
    float scale = (float)(canvas->width - 8) / 2.0f;
    uint32_t from[] = {(uint32_t)((body->target + 1.0f) * scale),
                       (uint32_t)((body->position + 1.0f) * scale)};
    for (uint32_t y = 0; y < canvas->height; y++) {
        uint8_t *line = canvas->pixels + ((size_t)y * canvas->width * 3);
        for (uint32_t x = 0; x < 8; x++) {
            line[((from[0] + x) * 3) + 1] = 160;
        }
        for (uint32_t x = 0; x < 8 && y > canvas->height / 4 && y < canvas->height * 3 / 4; x++) {
            memset(line + ((size_t)(from[1] + x) * 3), 255, 3);
        }
    }
}

static cosm_result define_systems(const cosm_env_setup *setup, const struct task *task) {
    cosm_query_desc movers = {
        .terms = {{.component = task->action},
                  {.component = task->body, .access = COSM_ACCESS_WRITE},
                  {.component = task->reward, .access = COSM_ACCESS_WRITE},
                  {.component = task->terminated, .access = COSM_ACCESS_WRITE}}};
    cosm_query_desc lookers = {.terms = {{.component = task->body},
                                         {.component = task->view, .access = COSM_ACCESS_WRITE}}};
    cosm_system moving = cosm_system_define(
        setup->engine, &(cosm_system_desc){.name = "move", .each = move, .queries = {movers}});
    cosm_system looking = cosm_system_define(
        setup->engine,
        &(cosm_system_desc){
            .name = "look", .each = look, .phase = setup->observe, .queries = {lookers}});
    return moving.id != 0 && looking.id != 0 ? COSM_OK : cosm_error_result();
}

// Shows columns of the agents to the outside, each under its number and its name.
static cosm_result define_exports(cosm_engine *engine, const struct task *task) {
    const cosm_export_desc exports[] = {
        {.slot = SLOT_VIEW, .name = "view", .component = task->view},
        {.slot = SLOT_ACTION,
         .name = "action",
         .component = task->action,
         .direction = COSM_DIRECTION_IN},
        {.slot = SLOT_REWARD, .name = "reward", .component = task->reward},
        {.slot = SLOT_TERMINATED, .name = "terminated", .component = task->terminated},
    };
    cosm_result result = COSM_OK;
    for (size_t i = 0; i < sizeof(exports) / sizeof(exports[0]) && result == COSM_OK; i++) {
        cosm_export_desc desc = exports[i];
        desc.archetype = task->agent;
        result = cosm_export_define(engine, &desc);
    }
    return result;
}

static cosm_result define(const cosm_env_setup *setup) {
    struct task *task = setup->context;
    cosm_engine *engine = setup->engine;
    task->body = DEFINE_COMPONENT(engine, Body);
    task->view = DEFINE_COMPONENT(engine, View);
    task->action = DEFINE_COMPONENT(engine, Action);
    task->reward = DEFINE_COMPONENT(engine, Reward);
    task->terminated = DEFINE_COMPONENT(engine, Terminated);
    if (task->body.id == 0 || task->view.id == 0 || task->action.id == 0 || task->reward.id == 0 ||
        task->terminated.id == 0) {
        return cosm_error_result();
    }
    // Fixed: the columns of all worlds are one range of memory, which Python sees without a copy.
    // With a larger max_per_world there are several agents; each row is one.
    task->agent = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.name = "agent",
                                       .components = {task->body, task->view, task->action,
                                                      task->reward, task->terminated},
                                       .placement = COSM_PLACEMENT_FIXED,
                                       .max_per_world = 1});
    if (task->agent.id == 0) {
        return cosm_error_result();
    }
    cosm_result result = define_systems(setup, task);
    return result == COSM_OK ? define_exports(engine, task) : result;
}

static const cosm_env_desc desc = {
    COSM_ENV_BUILT,
    .name = "my_env",
    .summary = "an agent on a line comes to rest at a target",
    .define = define,
    .begin = begin,
    .draw = draw,
    .canvas_width = 256,
    .canvas_height = 32,
    .context_size = sizeof(struct task),
    .step_seconds = STEP_SECONDS,
    .step_limit = STEP_LIMIT,
    .slots = {{SLOT_VIEW, COSM_ROLE_OBSERVATION},
              {SLOT_ACTION, COSM_ROLE_ACTION},
              {SLOT_REWARD, COSM_ROLE_REWARD},
              {SLOT_TERMINATED, COSM_ROLE_TERMINATED}},
};

// The one name that a library shows to its host.
COSM_ENV_ENTRY const cosm_env_desc *cosm_env_entry(void) {
    return &desc;
}
