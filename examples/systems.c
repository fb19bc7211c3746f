// Two systems and commands. Candles burn down, go out and leave smoke; smoke rises and is gone. What
// the systems record is applied when the phase ends, so smoke rises from the step after on.
#include <cosm/cosm.h>
#include <stdio.h>

typedef struct Wax {
    int millimeters;
} Wax;

typedef struct Smoke {
    int height;
} Smoke;

static void burn(cosm_rows *rows) {
    const cosm_archetype *cloud =
        rows->context; // systems may read their rows->context, not write it
    Wax *wax = COSM_COLUMN_WRITE(rows, Wax, 0);
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    for (uint32_t i = 0; i < rows->count; i++) {
        wax[i].millimeters -= 1;
        if (wax[i].millimeters > 0) {
            continue;
        }
        cosm_world world = cosm_rows_world(rows, i);
        // If one of these fails, the step says so.
        cosm_commands_spawn(commands, world, *cloud);
        cosm_commands_despawn(commands, world, rows->entities[i]);
    }
}

static void rise(cosm_rows *rows) {
    Smoke *smoke = COSM_COLUMN_WRITE(rows, Smoke, 0);
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
    cosm_component wax = COSM_COMPONENT_DEFINE(engine, Wax);
    cosm_component smoke = COSM_COMPONENT_DEFINE(engine, Smoke);
    cosm_archetype candle =
        cosm_archetype_define(engine, &(cosm_archetype_desc){.components = {wax}});
    cosm_archetype cloud =
        cosm_archetype_define(engine, &(cosm_archetype_desc){.components = {smoke}});
    cosm_query_desc candles = {.terms = {{.component = wax, .access = COSM_ACCESS_WRITE}}};
    cosm_query_desc clouds = {.terms = {{.component = smoke, .access = COSM_ACCESS_WRITE}}};
    cosm_system_define(engine, &(cosm_system_desc){.name = "burn",
                                                   .each = burn,
                                                   .context = &cloud,
                                                   .queries = {candles},
                                                   .commands = true});
    cosm_system_define(
        engine,
        &(cosm_system_desc){.name = "rise", .each = rise, .queries = {clouds}, .commands = true});

    cosm_batch *batch = cosm_batch_create(engine, NULL);
    for (Wax w = {1}; w.millimeters <= 3; w.millimeters++) {
        cosm_entity_spawn_with(cosm_batch_world(batch, 0), candle, &(cosm_value){wax, &w}, 1);
    }
    cosm_query *lit = cosm_query_create(engine, &candles);
    cosm_query *gone = cosm_query_create(engine, &clouds);
    for (int step = 1; step <= 5; step++) {
        if (cosm_batch_step(batch) != COSM_OK) {
            fprintf(stderr, "%s\n", cosm_error_message());
            return 1;
        }
        printf("step %d: candles %u, clouds %u\n", step,
               (unsigned)cosm_query_count(lit, cosm_worlds_all(batch)),
               (unsigned)cosm_query_count(gone, cosm_worlds_all(batch)));
    }
    cosm_batch_destroy(batch);
    cosm_engine_destroy(engine);
    return 0;
}
