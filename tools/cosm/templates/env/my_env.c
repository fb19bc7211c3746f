// The environment my_env. Its contract is in cosm_sim/env.h.
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
    cosm_archetype agent;
    cosm_singleton weather;
};

static float magnitude(float value) {
    return value < 0.0f ? -value : value;
}

// Moves every agent of many worlds: the rows of all of them lie side by side.
static void move(cosm_rows *rows) {
    const Action *action = COSM_READ(rows, Action);
    Body *body = COSM_WRITE(rows, Body);
    Reward *reward = COSM_WRITE(rows, Reward);
    Terminated *terminated = COSM_WRITE(rows, Terminated);
    for (uint32_t i = 0; i < rows->count; i++) {
        // Actions come from outside: what is no push counts as none.
        float push = action[i].push == PUSH_LEFT ? -PUSH : action[i].push == PUSH_RIGHT ? PUSH : 0;
        Body *b = &body[i];
        b->speed += (push + b->wind - b->speed * FRICTION) * rows->dt;
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
    const Body *body = COSM_READ(rows, Body);
    View *view = COSM_WRITE(rows, View);
    for (uint32_t i = 0; i < rows->count; i++) {
        view[i] = (View){.offset = body[i].target - body[i].position, .speed = body[i].speed};
    }
}

// Starts an episode in a world, which is empty. Everything random is drawn from `random`: then
// world k of seed s goes the same way whatever the number of worlds and threads. Parameters are
// looked at here: one that is set later counts from the next episode on.
static cosm_result begin(void *context, cosm_world world, cosm_random *random) {
    const struct task *task = context;
    cosm_entity agent = cosm_entity_spawn(world, task->agent);
    Body *body = COSM_WRITE(world, agent, Body);
    const Weather *weather = cosm_singleton_read(world, task->weather);
    if (body == NULL || weather == NULL) {
        return cosm_error_result();
    }
    body->wind = weather->wind;
    body->position = cosm_random_between(random, -0.9f, 0.9f);
    body->target = cosm_random_between(random, -0.9f, 0.9f);
    return COSM_OK;
}

// A place as a pixel. A file may have one outside of -1 to 1: it is drawn at the end.
static uint32_t pixel(float place, float scale) {
    return place > -1.0f ? (uint32_t)(((place < 1.0f ? place : 1.0f) + 1.0f) * scale) : 0;
}

// Draws a world from above: the target green, the agent white.
static void draw(void *context, cosm_world world, cosm_canvas *canvas) {
    const struct task *task = context;
    cosm_entity agent = cosm_entity_at(world, (cosm_loc){task->agent.id, 0});
    const Body *body = COSM_READ(world, agent, Body);
    if (body == NULL) {
        return;
    }
    float scale = (float)(canvas->width - 8) / 2.0f;
    uint32_t from[] = {pixel(body->target, scale), pixel(body->position, scale)};
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

// COSM_COMPONENT_DEFINE knows the type of a field. Bounds are written by hand: an integer from 0 to
// n - 1 is a choice of n in Python.
static cosm_component define_action(cosm_engine *engine) {
    const cosm_field push = {
        .name = "push", .type = COSM_FIELD_I32, .min = 0, .max = PUSH_COUNT - 1};
    return cosm_component_define(
        engine, &(cosm_component_desc){
                    .name = "Action", .size = sizeof(Action), .fields = &push, .field_count = 1});
}

// A parameter: a field of a singleton, with its bounds. What is outside of them is refused.
static cosm_singleton define_weather(cosm_engine *engine) {
    const cosm_field wind = {
        .name = "wind", .type = COSM_FIELD_F32, .min = -WIND_MAX, .max = WIND_MAX};
    return cosm_singleton_define(
        engine, &(cosm_singleton_desc){
                    .name = "Weather", .size = sizeof(Weather), .fields = &wind, .field_count = 1});
}

// A definition that fails is reported, and fails the exports or the first step.
static cosm_result define(const cosm_env_setup *setup) {
    struct task *task = setup->context;
    cosm_engine *engine = setup->engine;
    COSM_COMPONENT_DEFINE(engine, Body, position, speed, target, wind);
    cosm_component view = COSM_COMPONENT_DEFINE(engine, View, offset, speed);
    cosm_component action = define_action(engine);
    cosm_component reward = COSM_COMPONENT_DEFINE(engine, Reward, value);
    cosm_component terminated = COSM_COMPONENT_DEFINE(engine, Terminated, value);
    task->weather = define_weather(engine);
    // Fixed: the columns of all worlds are one range of memory, which Python sees without a copy.
    // With a larger max_per_world there are several agents; each row is one.
    task->agent = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.name = "agent",
                                       .text = "Body, View, Action, Reward, Terminated",
                                       .placement = COSM_PLACEMENT_FIXED,
                                       .max_per_world = 1});
    COSM_SYSTEM_DEFINE(engine, move, "Action, mut Body, mut Reward, mut Terminated");
    cosm_system_define(engine, &(cosm_system_desc){.name = "look",
                                                   .each = look,
                                                   .phase = setup->observe,
                                                   .query = "Body, mut View"});
    // Columns of the agents that the outside sees, each under its number and its name.
    const cosm_export_desc exports[] = {
        {.slot = SLOT_VIEW, .name = "view", .component = view},
        {.slot = SLOT_ACTION,
         .name = "action",
         .component = action,
         .direction = COSM_DIRECTION_IN},
        {.slot = SLOT_REWARD, .name = "reward", .component = reward},
        {.slot = SLOT_TERMINATED, .name = "terminated", .component = terminated},
    };
    cosm_result result =
        cosm_export_define(engine, &(cosm_export_desc){.slot = SLOT_WIND,
                                                       .name = "wind",
                                                       .singleton = task->weather,
                                                       .field = "wind",
                                                       .direction = COSM_DIRECTION_BOTH});
    for (size_t i = 0; i < sizeof(exports) / sizeof(exports[0]) && result == COSM_OK; i++) {
        cosm_export_desc desc = exports[i];
        desc.archetype = task->agent;
        result = cosm_export_define(engine, &desc);
    }
    return result;
}

static const cosm_env_desc desc = {
    COSM_ENV_BUILT,
    .name = "my_env",
    .summary = "an agent on a line stops at a target",
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
              {SLOT_TERMINATED, COSM_ROLE_TERMINATED},
              {SLOT_WIND, COSM_ROLE_PARAMETER}},
};

// The one name that a library shows to its host.
COSM_ENV_ENTRY const cosm_env_desc *cosm_env_entry(void) {
    return &desc;
}
