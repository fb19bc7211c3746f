// A save file, and the next version of the program that reads it: a field was renamed, one is new,
// and one has another type.
#include <cosm/cosm.h>
#include <stdio.h>

static cosm_result first_version(const char *path) {
    typedef struct Ship {
        float speed;
        uint16_t crew;
    } Ship;
    cosm_engine *engine = cosm_engine_create(NULL);
    COSM_COMPONENT_DEFINE(engine, Ship, speed, crew);
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    for (uint16_t i = 0; i < 3; i++) {
        COSM_SPAWN(cosm_batch_world(batch, 0),
                   COSM_VALUE(Ship, 10.0f + i, (uint16_t)(20 * (i + 1))));
    }
    cosm_result result = cosm_save_worlds(cosm_worlds_all(batch), path, NULL);
    cosm_batch_destroy(batch);
    cosm_engine_destroy(engine);
    return result;
}

static cosm_result second_version(const char *path) {
    typedef struct Ship {
        uint32_t crew;
        float knots;
        float cargo;
    } Ship;
    cosm_engine *engine = cosm_engine_create(NULL);
    COSM_COMPONENT_DEFINE(engine, Ship, crew, knots, cargo);
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    const cosm_save_alias renamed = {.component = "Ship", .field = "knots", .old_name = "speed"};
    cosm_save_report report;
    cosm_result result =
        cosm_load_worlds(cosm_worlds_all(batch), path,
                         &(cosm_load_desc){.aliases = &renamed, .alias_count = 1}, &report);
    if (result == COSM_OK) {
        printf("converted %u, new fields %u, renamed %u, of another type %u\n",
               report.converted_count, report.added_count, report.renamed_count,
               report.changed_count);
    }
    cosm_query *ships = cosm_query_create(engine, &(cosm_query_desc){.text = "Ship"});
    cosm_rows rows;
    cosm_query_walk(ships, cosm_worlds_all(batch), &rows);
    while (cosm_rows_next(&rows)) {
        const Ship *ship = COSM_READ(&rows, Ship);
        for (uint32_t i = 0; i < rows.count; i++) {
            printf("ship %u: %g knots, crew of %u, cargo %g\n", rows.entities[i].id, ship[i].knots,
                   ship[i].crew, ship[i].cargo);
        }
    }
    cosm_query_destroy(ships);
    cosm_batch_destroy(batch);
    cosm_engine_destroy(engine);
    return result;
}

int main(void) {
    static const char path[] = "example_save.cosm";
    cosm_result result = first_version(path);
    result = result == COSM_OK ? second_version(path) : result;
    remove(path);
    return result == COSM_OK ? 0 : 1;
}
