// A grid world: agents look for food among walls, eat, split when rich and starve when poor; food
// grows again on random cells. Entities come and go in every step, all by commands.
//
// What is on a cell is in the world's singleton Ground, which systems keep in step with the
// entities: a cell is marked when the command that fills it is recorded, not when it is applied,
// so that no two commands of a step take the same cell. One entity per world, the season, decides
// how much food grows. A bite is a row of a temporary table: made by one system, read by the
// next, gone at the end of the step.
#include "grid.cosm.h"
#include "paint.h"
#include "stage.h"

#define SIDE GRID_SIDE
#define CELL_COUNT GRID_CELL_COUNT
#define WALL_ODDS 8u // one inner cell of so many is a wall
#define AGENT_START 12u
#define AGENT_MAX 32u
#define FOOD_START 20u
#define FOOD_MAX 32u
#define SIGHT 2u        // cells an agent sees in each of the four directions
#define ENERGY_START 20 // of an agent when it comes into a world
#define ENERGY_SPLIT 30 // an agent this rich splits in two
#define ENERGY_FOOD GRID_ENERGY_FOOD
#define SEASON_STEPS 256u  // steps of plenty, then as many of want
#define SEEDS_OF_PLENTY 4u // cells that food is tried on in a step
#define SEEDS_OF_WANT 2u
#define TURN_ODDS 6u // an agent with nothing in sight turns in one step of so many

struct grid {
    scene_run base;
    cosm_component cell;
    cosm_component energy;
    cosm_component heading;
    cosm_component bite;
    cosm_archetype agent;
    cosm_archetype food;
    cosm_archetype bites;
};

// East, south, west, north.
static const int32_t ways[4] = {1, (int32_t)SIDE, -1, -(int32_t)SIDE};

// Around the edge, where a file has a border with gaps in it.
static uint32_t beyond(uint32_t cell, uint32_t way) {
    return (uint32_t)((int32_t)cell + ways[way]) % CELL_COUNT;
}

// The first empty cell from a random one on, or CELL_COUNT. In a world that was populated here
// there is one: agents and food fill at most 64 of the cells inside, and one in eight of those is a
// wall.
static uint32_t find_empty(const Ground *ground, cosm_random *random) {
    uint32_t cell = cosm_random_below(random, CELL_COUNT);
    for (uint32_t i = 0; i < CELL_COUNT; i++) {
        if (ground->cells[cell] == CELL_EMPTY) {
            return cell;
        }
        cell = (cell + 1) % CELL_COUNT;
    }
    return CELL_COUNT;
}

// Cells to the nearest food in one direction, or SIGHT + 1 when none is in sight.
static uint32_t look(const Ground *ground, uint32_t cell, uint32_t way) {
    for (uint32_t far = 1; far <= SIGHT; far++) {
        cell = beyond(cell, way);
        uint8_t kind = ground->cells[cell];
        if (kind == CELL_FOOD) {
            return far;
        }
        if (kind != CELL_EMPTY) {
            break;
        }
    }
    return SIGHT + 1;
}

// Where to go: towards the nearest food in sight, else on, else anywhere.
static uint32_t choose(const Ground *ground, uint32_t cell, uint32_t way, cosm_random *random) {
    uint32_t best = way;
    uint32_t best_far = SIGHT + 1;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t candidate = (way + i) % 4;
        uint32_t far = look(ground, cell, candidate);
        if (far < best_far) {
            best = candidate;
            best_far = far;
        }
    }
    if (best_far <= SIGHT) {
        return best;
    }
    bool is_blocked = ground->cells[beyond(cell, way)] != CELL_EMPTY;
    if (is_blocked || cosm_random_below(random, TURN_ODDS) == 0) {
        return cosm_random_below(random, 4);
    }
    return way;
}

// Despawns agents without energy, and lets the others go one cell; who enters food takes a bite.
static void roam(cosm_rows *rows) {
    const struct grid *grid = rows->context;
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    cosm_world world = cosm_rows_world(rows, 0);
    // Agents get in each other's way in the order of rows, so they may as well draw in that order
    // from one stream, which costs less than a stream for each.
    cosm_random random = cosm_turn_random(rows->turn, world, 0);
    Ground *ground = Ground_write(world);
    Tally *tally = Tally_write(world);
    Cell *cell = Cell_column_write(rows, 0);
    Heading *heading = Heading_column_write(rows, 1);
    const Energy *energy = Energy_column_read(rows, 2);
    for (uint32_t i = 0; i < rows->count; i++) {
        cosm_entity agent = rows->entities[i];
        uint32_t from = cell[i].index;
        if (energy[i].left <= 0) {
            cosm_commands_despawn(commands, world, agent);
            ground->cells[from] = CELL_EMPTY;
            tally->agents--;
            tally->starved++;
            continue;
        }
        heading[i].way = choose(ground, from, heading[i].way, &random);
        uint32_t to = beyond(from, heading[i].way);
        uint8_t kind = ground->cells[to];
        if (kind == CELL_WALL || kind == CELL_AGENT) {
            continue;
        }
        if (kind == CELL_FOOD) {
            Bite bite = {.eater = agent, .energy = ENERGY_FOOD};
            cosm_value value = {grid->bite, &bite};
            cosm_commands_emit(commands, world, grid->bites, &value, 1);
        }
        ground->cells[from] = CELL_EMPTY;
        ground->cells[to] = CELL_AGENT;
        cell[i].index = to;
    }
}

// Despawns food that an agent stands on now.
static void vanish(cosm_rows *rows) {
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    cosm_world world = cosm_rows_world(rows, 0);
    const Ground *ground = Ground_read(world);
    Tally *tally = Tally_write(world);
    const Cell *cell = Cell_column_read(rows, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        if (ground->cells[cell[i].index] != CELL_FOOD) {
            cosm_commands_despawn(commands, world, rows->entities[i]);
            tally->food--;
            tally->eaten++;
        }
    }
}

// Gives the energy of each bite to its eater.
static void digest(cosm_rows *rows) {
    cosm_world world = cosm_rows_world(rows, 0);
    const Bite *bite = Bite_column_read(rows, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        Energy *energy = Energy_write(world, bite[i].eater);
        if (energy != NULL) {
            energy->left += bite[i].energy;
        }
    }
}

// A world as the systems see it that put something on its ground.
struct plot {
    const struct grid *grid;
    cosm_world world;
    cosm_commands *commands;
    Ground *ground;
    Tally *tally;
};

static struct plot plot_of(const struct grid *grid, const cosm_turn *turn, cosm_world world) {
    return (struct plot){
        .grid = grid,
        .world = world,
        .commands = cosm_turn_commands(turn),
        .ground = Ground_write(world),
        .tally = Tally_write(world),
    };
}

// Records a new agent on an empty cell, and marks the cell. Without such a cell nothing happens.
static void settle(const struct plot *plot, uint32_t index, int32_t left) {
    const struct grid *grid = plot->grid;
    if (index == CELL_COUNT) {
        return;
    }
    Cell cell = {index};
    Energy energy = {left};
    Heading heading = {index % 4};
    cosm_value values[] = {{grid->cell, &cell}, {grid->energy, &energy}, {grid->heading, &heading}};
    (void)cosm_commands_spawn_with(plot->commands, plot->world, grid->agent, values, 3);
    plot->ground->cells[index] = CELL_AGENT;
    plot->tally->agents++;
}

// Takes a step's energy from each agent, and splits the rich ones that have an empty cell beside.
static void live(cosm_rows *rows) {
    struct plot plot = plot_of(rows->context, rows->turn, cosm_rows_world(rows, 0));
    Energy *energy = Energy_column_write(rows, 0);
    const Cell *cell = Cell_column_read(rows, 1);
    for (uint32_t i = 0; i < rows->count; i++) {
        energy[i].left--;
        if (energy[i].left < ENERGY_SPLIT || plot.tally->agents >= AGENT_MAX) {
            continue;
        }
        for (uint32_t way = 0; way < 4; way++) {
            uint32_t beside = beyond(cell[i].index, way);
            if (plot.ground->cells[beside] == CELL_EMPTY) {
                energy[i].left /= 2;
                settle(&plot, beside, energy[i].left);
                plot.tally->born++;
                break;
            }
        }
    }
}

// Records food on a cell, where the cell is empty and there is not enough food already.
static void sow(const struct plot *plot, uint32_t index) {
    if (plot->ground->cells[index] != CELL_EMPTY || plot->tally->food >= FOOD_MAX) {
        return;
    }
    Cell cell = {index};
    cosm_value value = {plot->grid->cell, &cell};
    (void)cosm_commands_spawn_with(plot->commands, plot->world, plot->grid->food, &value, 1);
    plot->ground->cells[index] = CELL_FOOD;
    plot->tally->food++;
}

// Lets food grow, and an agent come from elsewhere where none is left.
static void grow(cosm_rows *rows) {
    Season *season = Season_column_write(rows, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        struct plot plot = plot_of(rows->context, rows->turn, cosm_rows_world(rows, i));
        cosm_random random = cosm_turn_random(rows->turn, plot.world, 0);
        if (++season[i].day == SEASON_STEPS) {
            season[i].day = 0;
            season[i].count++;
        }
        uint32_t seeds = season[i].count % 2 == 0 ? SEEDS_OF_PLENTY : SEEDS_OF_WANT;
        for (uint32_t s = 0; s < seeds; s++) {
            sow(&plot, cosm_random_below(&random, CELL_COUNT));
        }
        if (plot.tally->agents == 0) {
            settle(&plot, find_empty(plot.ground, &random), ENERGY_START);
        }
    }
}

// What eats and is eaten. Everything here touches the ground and the tally of its world, so the
// systems come one after the other, and the worlds are what is spread over the workers.
static void define_eating(scene_run *run) {
    stage_system(run, &(cosm_system_desc){
                          .name = "roam",
                          .each = roam,
                          .query = "mut Cell, mut Heading, Energy",
                          .uses = "mut Ground, mut Tally",
                          .commands = true,
                          .whole = true,
                      });
    stage_system(run, &(cosm_system_desc){
                          .name = "vanish",
                          .each = vanish,
                          .queries = {{.text = "Cell, Edible", .by_world = true}},
                          .uses = "Ground, mut Tally",
                          .commands = true,
                      });
    // Bites are there, and who starved is gone, once what was recorded so far is applied.
    stage_system(run, &(cosm_system_desc){
                          .name = "digest",
                          .each = digest,
                          .queries = {{.text = "Bite", .by_world = true}},
                          .uses = "mut Energy",
                          .synced = true,
                      });
}

static void define_growing(scene_run *run) {
    stage_system(run, &(cosm_system_desc){
                          .name = "live",
                          .each = live,
                          .queries = {{.text = "mut Energy, Cell", .by_world = true}},
                          .uses = "mut Ground, mut Tally",
                          .commands = true,
                      });
    stage_system(run, &(cosm_system_desc){
                          .name = "grow",
                          .each = grow,
                          .query = "mut Season",
                          .uses = "mut Ground, mut Tally",
                          .commands = true,
                      });
}

static void define_archetypes(struct grid *grid) {
    scene_run *run = &grid->base;
    grid->agent = stage_archetype(run, &(cosm_archetype_desc){.name = "agent",
                                                              .text = "Cell, Energy, Heading",
                                                              .max_per_world = AGENT_MAX});
    grid->food = stage_archetype(
        run,
        &(cosm_archetype_desc){.name = "food", .text = "Cell, Edible", .max_per_world = FOOD_MAX});
    stage_archetype(run,
                    &(cosm_archetype_desc){.name = "garden", .text = "Season", .max_per_world = 1});
    grid->bites = stage_archetype(
        run, &(cosm_archetype_desc){
                 .name = "bites", .text = "Bite", .max_per_world = AGENT_MAX, .temporary = true});
}

static void define(scene_run *run) {
    struct grid *grid = (struct grid *)run;
    stage_note(run, grid_register_all(run->engine));
    if (run->result != COSM_OK) {
        return;
    }
    grid->cell = Cell_component(run->engine);
    grid->energy = Energy_component(run->engine);
    grid->heading = Heading_component(run->engine);
    grid->bite = Bite_component(run->engine);
    define_archetypes(grid);
    define_eating(run);
    define_growing(run);
}

static void build_walls(Ground *ground, cosm_random *random) {
    for (uint32_t cell = 0; cell < CELL_COUNT; cell++) {
        uint32_t x = cell % SIDE;
        uint32_t y = cell / SIDE;
        bool is_border = x == 0 || y == 0 || x == SIDE - 1 || y == SIDE - 1;
        bool is_wall = is_border || cosm_random_below(random, WALL_ODDS) == 0;
        ground->cells[cell] = is_wall ? CELL_WALL : CELL_EMPTY;
    }
}

static void populate(scene_run *run, cosm_world world) {
    cosm_random random = cosm_world_random(world, 0);
    Ground *ground = Ground_write(world);
    Tally *tally = Tally_write(world);
    build_walls(ground, &random);
    for (uint32_t i = 0; i < AGENT_START; i++) {
        uint32_t cell = find_empty(ground, &random);
        stage_note_spawn(run,
                         COSM_SPAWN(world, COSM_VALUE(Cell, cell), COSM_VALUE(Energy, ENERGY_START),
                                    COSM_VALUE(Heading, i % 4)));
        ground->cells[cell] = CELL_AGENT;
        tally->agents++;
    }
    for (uint32_t i = 0; i < FOOD_START; i++) {
        uint32_t cell = find_empty(ground, &random);
        stage_note_spawn(run, COSM_SPAWN(world, COSM_VALUE(Cell, cell), COSM_DEFAULT(Edible)));
        ground->cells[cell] = CELL_FOOD;
        tally->food++;
    }
    stage_note_spawn(run, COSM_SPAWN(world, COSM_DEFAULT(Season)));
}

// One square to a cell.
static void draw(const scene_run *run, cosm_world world, cosm_canvas *canvas) {
    static const struct colour colours[] = {[CELL_EMPTY] = {24, 24, 28},
                                            [CELL_WALL] = {95, 95, 105},
                                            [CELL_FOOD] = {95, 190, 75},
                                            [CELL_AGENT] = {250, 170, 60}};
    (void)run;
    const Ground *ground = Ground_read(world);
    int32_t width = (int32_t)canvas->width;
    int32_t height = (int32_t)canvas->height;
    for (uint32_t cell = 0; cell < CELL_COUNT; cell++) {
        int32_t x = (int32_t)(cell % SIDE);
        int32_t y = (int32_t)(cell / SIDE);
        int32_t left = x * width / (int32_t)SIDE;
        int32_t top = y * height / (int32_t)SIDE;
        paint_box(canvas, left, top, (x + 1) * width / (int32_t)SIDE - left,
                  (y + 1) * height / (int32_t)SIDE - top, colours[ground->cells[cell] & 3u]);
    }
}

const scene_desc stage_grid = {
    .name = "grid",
    .summary = "agents look for food among walls, eat, split and starve",
    .defaults = {.world_count = 4096, .seed = 1, .placement = COSM_PLACEMENT_GROWING},
    .default_steps = 1000,
    .entity_max = AGENT_MAX + FOOD_MAX + 1,
    .size = sizeof(struct grid),
    .define = define,
    .populate = populate,
    .draw = draw,
    .canvas_width = 2 * SIDE,
    .canvas_height = 2 * SIDE,
};
