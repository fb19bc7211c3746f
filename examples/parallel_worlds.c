// A thousand worlds on one worker and on four: the same hash after every step. Ids, the order of
// rows and random numbers do not depend on how the work is spread.
#include <cosm/cosm.h>
#include <stdio.h>

#define WORLDS 1000
#define STEPS 50

typedef struct Cell {
    uint32_t age;
} Cell;

// A cell divides with a chance of one in ten, and dies with the same chance.
static void live(cosm_rows *rows) {
    Cell *cell = COSM_WRITE(rows, Cell);
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    for (uint32_t i = 0; i < rows->count; i++) {
        cosm_world world = cosm_rows_world(rows, i);
        cosm_random random = cosm_turn_random(rows->turn, world, rows->entities[i].id);
        cell[i].age += 1;
        uint32_t roll = cosm_random_below(&random, 10);
        if (roll == 0) {
            COSM_COMMANDS_SPAWN(commands, world, COSM_DEFAULT(Cell));
        } else if (roll == 1) {
            cosm_commands_despawn(commands, world, rows->entities[i]);
        }
    }
}

static bool simulate(uint32_t worker_count, uint64_t hashes[STEPS]) {
    cosm_engine *engine = cosm_engine_create(&(cosm_engine_desc){.worker_count = worker_count});
    COSM_COMPONENT_DEFINE(engine, Cell, age);
    cosm_system_define(
        engine,
        &(cosm_system_desc){.name = "live", .each = live, .query = "mut Cell", .commands = true});
    cosm_batch *batch =
        cosm_batch_create(engine, &(cosm_batch_desc){.world_count = WORLDS, .seed = 2026});
    for (uint32_t i = 0; i < 10 * WORLDS; i++) {
        COSM_SPAWN(cosm_batch_world(batch, i / 10), COSM_DEFAULT(Cell));
    }
    cosm_result result = COSM_OK;
    for (uint32_t step = 0; step < STEPS && result == COSM_OK; step++) {
        result = cosm_batch_step(batch);
        hashes[step] = cosm_hash_batch(batch, COSM_HASH_EXACT);
    }
    printf("%u worker%s: %s, %u cells\n", worker_count, worker_count == 1 ? "" : "s",
           cosm_result_name(result), (unsigned)cosm_batch_entity_count(batch));
    cosm_batch_destroy(batch);
    cosm_engine_destroy(engine);
    return result == COSM_OK;
}

int main(void) {
    static uint64_t one[STEPS];
    static uint64_t four[STEPS];
    if (!simulate(1, one) || !simulate(4, four)) {
        return 1;
    }
    uint32_t equal = 0;
    for (uint32_t step = 0; step < STEPS; step++) {
        equal += one[step] == four[step];
    }
    printf("equal hashes: %u of %u\n", equal, (unsigned)STEPS);
}
