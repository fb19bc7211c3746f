// The environment forage: up to eight agents to a world look for food on a small grid with walls.
//
// Who enters a cell with food eats it; who grows rich splits in two; who has no energy left has
// starved. So agents come and go within an episode, all by commands. An agent that starves keeps
// its row, and its cell, until the beginning of the next step, when `bury` takes it away; one that
// is born is there, and sees, at the end of the step. Agents move in the order of rows: of two that
// want one cell the first gets it, and the other stays.
//
// What is on a cell is in the world's singleton ForageGround, which systems keep in step with the
// entities: a cell is marked when the command that fills it is recorded.
#include "envs.h"
#include "forage.cosm.h"
#include "paint.h"

#define SIDE FORAGE_SIDE
#define CELL_COUNT FORAGE_CELL_COUNT
#define SIGHT 2 // cells that an agent sees in each direction

struct forage {
    cosm_archetype agent;
    cosm_component place;
    cosm_component energy;
};

// What each move adds to the number of a cell.
static const int32_t moves[FORAGE_MOVE_COUNT] = {0, 1, (int32_t)SIDE, -1, -(int32_t)SIDE};

static uint32_t moved(uint32_t cell, uint32_t move) {
    return (uint32_t)((int32_t)cell + moves[move]);
}

// What is on a cell. Beyond the ground all is wall: a file may have a border with gaps in it.
static uint8_t tile(const ForageGround *ground, uint32_t cell) {
    return cell < CELL_COUNT ? ground->cells[cell] : FORAGE_WALL;
}

// The first empty cell from a random one on, or CELL_COUNT. In an episode that began here there is
// one: the limits in forage.h see to it. A file may have filled all of them.
static uint32_t find_empty(const ForageGround *ground, cosm_random *random) {
    uint32_t cell = cosm_random_below(random, CELL_COUNT);
    for (uint32_t i = 0; i < CELL_COUNT; i++) {
        if (ground->cells[cell] == FORAGE_EMPTY) {
            return cell;
        }
        cell = (cell + 1) % CELL_COUNT;
    }
    return CELL_COUNT;
}

// Takes away who starved in the step before.
static void bury(cosm_rows *rows) {
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    cosm_world world = cosm_rows_world(rows, 0);
    const ForageTerminated *terminated = ForageTerminated_column_read(rows, 0);
    const ForagePlace *place = ForagePlace_column_read(rows, 1);
    ForageGround *ground = ForageGround_write(world);
    for (uint32_t i = 0; i < rows->count; i++) {
        if (terminated[i].is_so) {
            cosm_commands_despawn(commands, world, rows->entities[i]);
            ground->cells[place[i].cell] = FORAGE_EMPTY;
        }
    }
}

// A move that was not allowed when the agent saw the world, or is none, is to stay; one to a cell
// that another agent has reached before it comes to the same.
static uint32_t choose(const ForageGround *ground, uint32_t cell, int32_t move,
                       const ForageMask *mask) {
    if (move <= FORAGE_STAY || move >= FORAGE_MOVE_COUNT || mask->allowed[move] == 0) {
        return cell;
    }
    uint32_t to = moved(cell, (uint32_t)move);
    uint8_t kind = tile(ground, to);
    return kind == FORAGE_EMPTY || kind == FORAGE_FOOD ? to : cell;
}

// Lets agents go, eat, and starve.
static void roam(cosm_rows *rows) {
    cosm_world world = cosm_rows_world(rows, 0);
    ForageGround *ground = ForageGround_write(world);
    ForageTally *tally = ForageTally_write(world);
    ForagePlace *place = ForagePlace_column_write(rows, 0);
    ForageEnergy *energy = ForageEnergy_column_write(rows, 1);
    ForageReward *reward = ForageReward_column_write(rows, 2);
    ForageTerminated *terminated = ForageTerminated_column_write(rows, 3);
    const ForageAction *action = ForageAction_column_read(rows, 4);
    const ForageMask *mask = ForageMask_column_read(rows, 5);
    for (uint32_t i = 0; i < rows->count; i++) {
        uint32_t to = choose(ground, place[i].cell, action[i].move, &mask[i]);
        bool is_fed = ground->cells[to] == FORAGE_FOOD;
        ground->cells[place[i].cell] = FORAGE_EMPTY;
        ground->cells[to] = FORAGE_AGENT;
        place[i].cell = to;
        int32_t left = energy[i].left > 0 ? energy[i].left - 1 : 0;
        left += is_fed ? FORAGE_ENERGY_FOOD : 0;
        energy[i].left = left < FORAGE_ENERGY_MAX ? left : FORAGE_ENERGY_MAX;
        terminated[i].is_so = energy[i].left <= 0;
        reward[i].value = (is_fed ? 1.0f : 0.0f) - (terminated[i].is_so ? 1.0f : 0.0f);
        tally->food -= is_fed;
        tally->eaten += is_fed;
        tally->starved += terminated[i].is_so;
    }
}

// Splits agents that are rich and have an empty cell beside, as long as there is room for more.
static void split(cosm_rows *rows) {
    const struct forage *forage = rows->context;
    cosm_world world = cosm_rows_world(rows, 0);
    if (ForageRules_read(world)->births == 0) {
        return;
    }
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    ForageGround *ground = ForageGround_write(world);
    ForageTally *tally = ForageTally_write(world);
    ForageEnergy *energy = ForageEnergy_column_write(rows, 0);
    const ForagePlace *place = ForagePlace_column_read(rows, 1);
    uint32_t count = rows->count;
    for (uint32_t i = 0; i < rows->count && count < FORAGE_AGENT_MAX; i++) {
        if (energy[i].left < FORAGE_ENERGY_SPLIT) {
            continue;
        }
        for (uint32_t move = FORAGE_EAST; move < FORAGE_MOVE_COUNT; move++) {
            ForagePlace beside = {moved(place[i].cell, move)};
            if (tile(ground, beside.cell) != FORAGE_EMPTY) {
                continue;
            }
            ForageEnergy half = {energy[i].left / 2};
            cosm_value values[] = {{forage->place, &beside}, {forage->energy, &half}};
            cosm_entity child = cosm_commands_spawn_with(commands, world, forage->agent, values, 2);
            if (cosm_entity_is_none(child)) {
                return;
            }
            energy[i].left -= half.left;
            ground->cells[beside.cell] = FORAGE_AGENT;
            tally->born++;
            count++;
            break;
        }
    }
}

// Puts food on an empty cell, if there is one.
static void sow(ForageGround *ground, ForageTally *tally, cosm_random *random) {
    uint32_t cell = find_empty(ground, random);
    if (cell < CELL_COUNT) {
        ground->cells[cell] = FORAGE_FOOD;
        tally->food++;
        tally->sown++;
    }
}

// Where there is less food than there may be, one piece more grows in every step.
static void grow(const cosm_turn *turn) {
    for (uint32_t i = 0; i < turn->worlds.count; i++) {
        cosm_world world = {turn->worlds.batch, turn->worlds.first + i};
        ForageTally *tally = ForageTally_write(world);
        if (tally->food < tally->food_max) {
            cosm_random random = cosm_turn_random(turn, world, 0);
            sow(ForageGround_write(world), tally, &random);
        }
    }
}

static void see_cells(const ForageGround *ground, uint32_t cell, ForageWindow *out_window) {
    int32_t x = (int32_t)(cell % SIDE);
    int32_t y = (int32_t)(cell / SIDE);
    for (int32_t down = -SIGHT; down <= SIGHT; down++) {
        for (int32_t across = -SIGHT; across <= SIGHT; across++) {
            int32_t column = x + across;
            int32_t row = y + down;
            bool is_inside =
                column >= 0 && row >= 0 && column < (int32_t)SIDE && row < (int32_t)SIDE;
            uint8_t kind = is_inside ? ground->cells[row * (int32_t)SIDE + column] : FORAGE_WALL;
            out_window->cells[down + SIGHT][across + SIGHT] = kind;
        }
    }
}

static void look(cosm_rows *rows) {
    const ForageGround *ground = ForageGround_read(cosm_rows_world(rows, 0));
    const ForagePlace *place = ForagePlace_column_read(rows, 0);
    const ForageEnergy *energy = ForageEnergy_column_read(rows, 1);
    ForageWindow *window = ForageWindow_column_write(rows, 2);
    ForageSelf *self = ForageSelf_column_write(rows, 3);
    ForageMask *mask = ForageMask_column_write(rows, 4);
    for (uint32_t i = 0; i < rows->count; i++) {
        see_cells(ground, place[i].cell, &window[i]);
        self[i].energy = (float)energy[i].left / (float)FORAGE_ENERGY_MAX;
        self[i].crowd = (float)rows->count / (float)FORAGE_AGENT_MAX;
        mask[i].allowed[FORAGE_STAY] = 1;
        for (uint32_t move = FORAGE_EAST; move < FORAGE_MOVE_COUNT; move++) {
            uint8_t kind = tile(ground, moved(place[i].cell, move));
            mask[i].allowed[move] = kind == FORAGE_EMPTY || kind == FORAGE_FOOD;
        }
    }
}

static uint32_t clamp(uint32_t value, uint32_t low, uint32_t high) {
    return value < low ? low : value > high ? high : value;
}

// Walls first: a border, and some inside.
static void build(ForageGround *ground, cosm_random *random) {
    for (uint32_t cell = 0; cell < CELL_COUNT; cell++) {
        uint32_t x = cell % SIDE;
        uint32_t y = cell / SIDE;
        bool is_border = x == 0 || y == 0 || x == SIDE - 1 || y == SIDE - 1;
        ground->cells[cell] = is_border ? FORAGE_WALL : FORAGE_EMPTY;
    }
    for (uint32_t i = 0; i < FORAGE_WALL_COUNT; i++) {
        ground->cells[find_empty(ground, random)] = FORAGE_WALL;
    }
}

static cosm_result begin(void *context, cosm_world world, cosm_random *random) {
    const struct forage *forage = context;
    const ForageRules *rules = ForageRules_read(world);
    ForageGround *ground = ForageGround_write(world);
    ForageTally *tally = ForageTally_write(world);
    // What is out of range counts as the end of the range.
    uint32_t agent_count = clamp(rules->agents, 1, FORAGE_AGENT_MAX);
    *tally = (ForageTally){.food_max = clamp(rules->food, 0, FORAGE_FOOD_MAX)};
    build(ground, random);
    for (uint32_t i = 0; i < agent_count; i++) {
        ForagePlace place = {find_empty(ground, random)};
        ForageEnergy energy = {FORAGE_ENERGY_START};
        cosm_value values[] = {{forage->place, &place}, {forage->energy, &energy}};
        if (cosm_entity_is_none(cosm_entity_spawn_with(world, forage->agent, values, 2))) {
            return cosm_error_result();
        }
        ground->cells[place.cell] = FORAGE_AGENT;
    }
    while (tally->food < tally->food_max) {
        sow(ground, tally, random);
    }
    return COSM_OK;
}

static bool define_systems(const cosm_env_setup *setup) {
    const cosm_system_desc systems[] = {
        {.name = "bury",
         .each = bury,
         .query = "ForageTerminated, ForagePlace",
         .uses = "mut ForageGround",
         .whole = true,
         .phase = COSM_PHASE_INPUT,
         .commands = true},
        {.name = "roam",
         .each = roam,
         .query = "mut ForagePlace, mut ForageEnergy, mut ForageReward, mut ForageTerminated, "
                  "ForageAction, ForageMask",
         .uses = "mut ForageGround, mut ForageTally",
         .whole = true},
        {.name = "split",
         .each = split,
         .query = "mut ForageEnergy, ForagePlace",
         .uses = "mut ForageGround, mut ForageTally, ForageRules",
         .whole = true,
         .commands = true},
        {.name = "grow", .run = grow, .uses = "mut ForageGround, mut ForageTally"},
        {.name = "look",
         .each = look,
         .query = "ForagePlace, ForageEnergy, mut ForageWindow, mut ForageSelf, mut ForageMask",
         .uses = "ForageGround",
         .whole = true,
         .phase = setup->observe},
    };
    for (size_t i = 0; i < sizeof(systems) / sizeof(systems[0]); i++) {
        if (!scene_env_system(setup, &systems[i])) {
            return false;
        }
    }
    return true;
}

// Exports of agents have a component, those of worlds a field of a singleton.
static cosm_result define_exports(const cosm_env_setup *setup) {
    cosm_engine *engine = setup->engine;
    const struct forage *forage = setup->context;
    const cosm_singleton rules = ForageRules_singleton(engine);
    const cosm_singleton tally = ForageTally_singleton(engine);
    const struct {
        uint32_t slot;
        const char *name;
        cosm_component component;
        cosm_singleton singleton;
        cosm_direction direction;
    } list[] = {
        {FORAGE_SLOT_WINDOW, "window", ForageWindow_component(engine), {0}, 0},
        {FORAGE_SLOT_SELF, "self", ForageSelf_component(engine), {0}, 0},
        {FORAGE_SLOT_ACTION, "action", ForageAction_component(engine), {0}, COSM_DIRECTION_IN},
        {FORAGE_SLOT_MASK, "action_mask", ForageMask_component(engine), {0}, 0},
        {FORAGE_SLOT_REWARD, "reward", ForageReward_component(engine), {0}, 0},
        {FORAGE_SLOT_TERMINATED, "terminated", ForageTerminated_component(engine), {0}, 0},
        {FORAGE_SLOT_AGENT_ID, "agent_id", {0}, {0}, 0},
        {FORAGE_SLOT_AGENTS, "agents", {0}, rules, COSM_DIRECTION_BOTH},
        {FORAGE_SLOT_FOOD, "food", {0}, rules, COSM_DIRECTION_BOTH},
        {FORAGE_SLOT_BIRTHS, "births", {0}, rules, COSM_DIRECTION_BOTH},
        {FORAGE_SLOT_EATEN, "eaten", {0}, tally, 0},
        {FORAGE_SLOT_BORN, "born", {0}, tally, 0},
        {FORAGE_SLOT_STARVED, "starved", {0}, tally, 0},
    };
    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
        bool is_of_world = list[i].singleton.id != 0;
        cosm_export_desc desc = {
            .slot = list[i].slot,
            .name = list[i].name,
            .singleton = list[i].singleton,
            .archetype = is_of_world ? (cosm_archetype){0} : forage->agent,
            .component = list[i].component,
            .entities = !is_of_world && list[i].component.id == 0,
            .field = is_of_world ? list[i].name : NULL,
            .direction = list[i].direction,
        };
        cosm_result result = cosm_export_define(engine, &desc);
        if (result != COSM_OK) {
            return result;
        }
    }
    return COSM_OK;
}

static cosm_result define(const cosm_env_setup *setup) {
    struct forage *forage = setup->context;
    cosm_engine *engine = setup->engine;
    cosm_result result = forage_register_all(engine);
    if (result != COSM_OK) {
        return result;
    }
    forage->place = ForagePlace_component(engine);
    forage->energy = ForageEnergy_component(engine);
    forage->agent = cosm_archetype_define(
        engine, &(cosm_archetype_desc){
                    .name = "forager",
                    .text = "ForagePlace, ForageEnergy, ForageAction, ForageReward, "
                            "ForageTerminated, ForageMask, ForageWindow, ForageSelf",
                    .placement = COSM_PLACEMENT_FIXED,
                    .max_per_world = FORAGE_AGENT_MAX,
                });
    bool done = forage->agent.id != 0 && define_systems(setup);
    return done ? define_exports(setup) : cosm_error_result();
}

// One square to a cell; the fuller an agent's energy, the brighter it is.
static void draw(void *context, cosm_world world, cosm_canvas *canvas) {
    static const struct colour colours[] = {
        {235, 230, 215}, {70, 70, 75}, {90, 170, 60}, {0, 0, 0}};
    const struct forage *forage = context;
    const ForageGround *ground = ForageGround_read(world);
    int32_t size = (int32_t)(canvas->width < canvas->height ? canvas->width : canvas->height);
    for (uint32_t cell = 0; cell < CELL_COUNT; cell++) {
        int32_t x = (int32_t)(cell % SIDE);
        int32_t y = (int32_t)(cell / SIDE);
        int32_t left = x * size / (int32_t)SIDE;
        int32_t top = y * size / (int32_t)SIDE;
        paint_box(canvas, left, top, (x + 1) * size / (int32_t)SIDE - left,
                  (y + 1) * size / (int32_t)SIDE - top, colours[ground->cells[cell] & 3u]);
    }
    for (uint32_t row = 0; row < FORAGE_AGENT_MAX; row++) {
        cosm_entity agent = cosm_entity_at(world, (cosm_loc){forage->agent.id, row});
        const ForagePlace *place = ForagePlace_read(world, agent);
        const ForageEnergy *energy = ForageEnergy_read(world, agent);
        if (place == NULL || energy == NULL) {
            break;
        }
        int32_t left = (int32_t)(place->cell % SIDE) * size / (int32_t)SIDE;
        int32_t top = (int32_t)(place->cell / SIDE) * size / (int32_t)SIDE;
        int32_t share = energy->left < 0 ? 0 : energy->left * 175 / FORAGE_ENERGY_MAX;
        struct colour colour = {(uint8_t)(80 + share), (uint8_t)(30 + share / 3), 30};
        paint_box(canvas, left + 1, top + 1, size / (int32_t)SIDE - 2, size / (int32_t)SIDE - 2,
                  colour);
    }
}

const cosm_env_desc scene_forage = {
    COSM_ENV_BUILT,
    .name = "forage",
    .summary = "agents look for food on a grid, split when rich and starve when poor",
    .define = define,
    .begin = begin,
    .draw = draw,
    .canvas_width = 160,
    .canvas_height = 160,
    .context_size = sizeof(struct forage),
    .step_limit = FORAGE_STEP_LIMIT,
    .slots = {{FORAGE_SLOT_WINDOW, COSM_ROLE_OBSERVATION},
              {FORAGE_SLOT_SELF, COSM_ROLE_OBSERVATION},
              {FORAGE_SLOT_ACTION, COSM_ROLE_ACTION},
              {FORAGE_SLOT_MASK, COSM_ROLE_ACTION_MASK},
              {FORAGE_SLOT_REWARD, COSM_ROLE_REWARD},
              {FORAGE_SLOT_TERMINATED, COSM_ROLE_TERMINATED},
              {FORAGE_SLOT_AGENT_ID, COSM_ROLE_INFO},
              {FORAGE_SLOT_AGENTS, COSM_ROLE_PARAMETER},
              {FORAGE_SLOT_FOOD, COSM_ROLE_PARAMETER},
              {FORAGE_SLOT_BIRTHS, COSM_ROLE_PARAMETER},
              {FORAGE_SLOT_EATEN, COSM_ROLE_INFO},
              {FORAGE_SLOT_BORN, COSM_ROLE_INFO},
              {FORAGE_SLOT_STARVED, COSM_ROLE_INFO}},
};
