// Two systems and commands. Candles burn down, go out and leave smoke; smoke rises and is gone. The
// commands are applied when the phase ends, so smoke rises from the next step on.
#include <cosm/cosm.h>
#include <stdio.h>

typedef struct Wax {
    int millimeters;
} Wax;

typedef struct Smoke {
    int height;
} Smoke;

static void burn(cosm_rows *rows) {
    Wax *wax = COSM_WRITE(rows, Wax);
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    for (uint32_t i = 0; i < rows->count; i++) {
        wax[i].millimeters -= 1;
        if (wax[i].millimeters > 0) {
            continue;
        }
        cosm_world world = cosm_rows_world(rows, i);
        // If one of these fails, the step fails.
        COSM_COMMANDS_SPAWN(commands, world, COSM_VALUE(Smoke, 0));
        cosm_commands_despawn(commands, world, rows->entities[i]);
    }
}

static void rise(cosm_rows *rows) {
    Smoke *smoke = COSM_WRITE(rows, Smoke);
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    for (uint32_t i = 0; i < rows->count; i++) {
        smoke[i].height += 1;
        if (smoke[i].height == 2) {
            cosm_commands_despawn(commands, cosm_rows_world(rows, i), rows->entities[i]);
        }
    }
}

int main(void) {
    cosm_engine *engine = cosm_engine_create(NULL);
    COSM_COMPONENT_DEFINE(engine, Wax, millimeters);
    COSM_COMPONENT_DEFINE(engine, Smoke, height);
    cosm_system_define(
        engine,
        &(cosm_system_desc){.name = "burn", .each = burn, .query = "mut Wax", .commands = true});
    cosm_system_define(
        engine,
        &(cosm_system_desc){.name = "rise", .each = rise, .query = "mut Smoke", .commands = true});
    cosm_query *candles = cosm_query_create(engine, &(cosm_query_desc){.text = "Wax"});
    cosm_query *clouds = cosm_query_create(engine, &(cosm_query_desc){.text = "Smoke"});

    cosm_batch *batch = cosm_batch_create(engine, NULL);
    for (int millimeters = 1; millimeters <= 3; millimeters++) {
        COSM_SPAWN(cosm_batch_world(batch, 0), COSM_VALUE(Wax, millimeters));
    }
    for (int step = 1; step <= 5; step++) {
        if (cosm_batch_step(batch) != COSM_OK) {
            return 1;
        }
        printf("step %d: candles %u, clouds %u\n", step,
               (unsigned)cosm_query_count(candles, cosm_worlds_all(batch)),
               (unsigned)cosm_query_count(clouds, cosm_worlds_all(batch)));
    }
    cosm_query_destroy(candles);
    cosm_query_destroy(clouds);
    cosm_batch_destroy(batch);
    cosm_engine_destroy(engine);
}
