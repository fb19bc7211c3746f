// The environment two, for tests of the Python package: two actions, each with a mask of its own,
// and two columns that look alike, of which only one shows handles.
//
//   turn, move             actions of two choices, and of three
//   may_turn, may_move     their masks; a walker may always do the last choice, and only that
//   cell                   [worlds, 2, 2] of u32: where a walker is; changes in each step
//   walker                 [worlds, 2, 2] of u32: its handle
//
// The reward is 1 where both actions are allowed, and -1 where one is not.
#include <cosm_sim/env.h>

enum { TURN_COUNT = 2, MOVE_COUNT = 3, WALKER_COUNT = 2 };

enum {
    SLOT_SEEN,
    SLOT_TURN,
    SLOT_MAY_TURN,
    SLOT_MOVE,
    SLOT_MAY_MOVE,
    SLOT_REWARD,
    SLOT_CELL,
    SLOT_WALKER,
};

struct two {
    cosm_component seen;
    cosm_component turn;
    cosm_component may_turn;
    cosm_component move;
    cosm_component may_move;
    cosm_component reward;
    cosm_component cell;
    cosm_archetype walker;
};

static void walk(cosm_rows *rows) {
    const int32_t *turn = COSM_COLUMN_READ(rows, int32_t, 0);
    const int32_t *move = COSM_COLUMN_READ(rows, int32_t, 1);
    float *reward = COSM_COLUMN_WRITE(rows, float, 2);
    uint32_t(*cell)[2] = cosm_rows_write(rows, 3, sizeof *cell);
    for (uint32_t i = 0; i < rows->count; i++) {
        reward[i] = turn[i] == TURN_COUNT - 1 && move[i] == MOVE_COUNT - 1 ? 1 : -1;
        cell[i][0]++;
    }
}

static cosm_result begin(void *context, cosm_world world, cosm_random *random) {
    const struct two *two = context;
    (void)random;
    const uint8_t may_turn[TURN_COUNT] = {[TURN_COUNT - 1] = 1};
    const uint8_t may_move[MOVE_COUNT] = {[MOVE_COUNT - 1] = 1};
    for (uint32_t i = 0; i < WALKER_COUNT; i++) {
        cosm_value values[] = {{two->may_turn, may_turn}, {two->may_move, may_move}};
        if (cosm_entity_is_none(cosm_entity_spawn_with(world, two->walker, values, 2))) {
            return cosm_error_result();
        }
    }
    return COSM_OK;
}

// A component of scalars, with choices where `max` is not zero.
static cosm_component scalars(cosm_engine *engine, const char *name, cosm_field_type type,
                              uint32_t count, double max) {
    cosm_field field = {.name = "value", .type = type, .dims = {count}, .max = max};
    size_t size = cosm_field_type_size(type);
    return cosm_component_define(engine, &(cosm_component_desc){
                                             .name = name,
                                             .size = size * (count == 0 ? 1 : count),
                                             .alignment = size,
                                             .fields = &field,
                                             .field_count = 1,
                                         });
}

static cosm_result define(const cosm_env_setup *setup) {
    struct two *two = setup->context;
    cosm_engine *engine = setup->engine;
    two->seen = scalars(engine, "Seen", COSM_FIELD_F32, 0, 0);
    two->turn = scalars(engine, "Turn", COSM_FIELD_I32, 0, TURN_COUNT - 1);
    two->may_turn = scalars(engine, "MayTurn", COSM_FIELD_U8, TURN_COUNT, 0);
    two->move = scalars(engine, "Move", COSM_FIELD_I32, 0, MOVE_COUNT - 1);
    two->may_move = scalars(engine, "MayMove", COSM_FIELD_U8, MOVE_COUNT, 0);
    two->reward = scalars(engine, "Reward", COSM_FIELD_F32, 0, 0);
    two->cell = scalars(engine, "Cell", COSM_FIELD_U32, 2, 0);
    two->walker = cosm_archetype_define(
        engine,
        &(cosm_archetype_desc){.name = "walker",
                               .components = {two->seen, two->turn, two->may_turn, two->move,
                                              two->may_move, two->reward, two->cell},
                               .placement = COSM_PLACEMENT_FIXED,
                               .max_per_world = WALKER_COUNT});
    const cosm_system_desc walking = {
        .name = "walk",
        .each = walk,
        .queries = {{.terms = {{.component = two->turn},
                               {.component = two->move},
                               {.component = two->reward, .access = COSM_ACCESS_WRITE},
                               {.component = two->cell, .access = COSM_ACCESS_WRITE}}}},
    };
    if (two->walker.id == 0 || cosm_system_define(engine, &walking).id == 0) {
        return cosm_error_result();
    }
    cosm_export_desc exports[] = {
        {.slot = SLOT_SEEN, .name = "seen", .component = two->seen},
        {.slot = SLOT_TURN, .name = "turn", .component = two->turn},
        {.slot = SLOT_MAY_TURN, .name = "may_turn", .component = two->may_turn},
        {.slot = SLOT_MOVE, .name = "move", .component = two->move},
        {.slot = SLOT_MAY_MOVE, .name = "may_move", .component = two->may_move},
        {.slot = SLOT_REWARD, .name = "reward", .component = two->reward},
        {.slot = SLOT_CELL, .name = "cell", .component = two->cell},
        {.slot = SLOT_WALKER, .name = "walker", .entities = true},
    };
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; result == COSM_OK && i < sizeof exports / sizeof exports[0]; i++) {
        bool is_in = exports[i].slot == SLOT_TURN || exports[i].slot == SLOT_MOVE;
        exports[i].archetype = two->walker;
        exports[i].direction = is_in ? COSM_DIRECTION_IN : COSM_DIRECTION_OUT;
        result = cosm_export_define(engine, &exports[i]);
    }
    return result;
}

static const cosm_env_desc desc = {
    COSM_ENV_BUILT,
    .name = "two",
    .summary = "two actions with masks",
    .define = define,
    .begin = begin,
    .context_size = sizeof(struct two),
    .slots = {{SLOT_SEEN, COSM_ROLE_OBSERVATION},
              {SLOT_TURN, COSM_ROLE_ACTION},
              {SLOT_MAY_TURN, COSM_ROLE_ACTION_MASK},
              {SLOT_MOVE, COSM_ROLE_ACTION},
              {SLOT_MAY_MOVE, COSM_ROLE_ACTION_MASK},
              {SLOT_REWARD, COSM_ROLE_REWARD},
              {SLOT_CELL, COSM_ROLE_INFO},
              {SLOT_WALKER, COSM_ROLE_INFO}},
};

COSM_ENV_ENTRY const cosm_env_desc *cosm_env_entry(void) {
    return &desc;
}
