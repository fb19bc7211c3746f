// A save file, and the next version of the program that reads it: a field was renamed, one is new, one
// has become wider.
#include <cosm/cosm.h>
#include <stddef.h>
#include <stdio.h>

// How the first version had it.
typedef struct OldShip {
    float speed;
    uint16_t crew;
} OldShip;

static const cosm_field old_fields[] = {
    {.name = "speed", .type = COSM_FIELD_F32, .offset = offsetof(OldShip, speed)},
    {.name = "crew", .type = COSM_FIELD_U16, .offset = offsetof(OldShip, crew)},
};

// How the second one has it.
typedef struct Ship {
    uint32_t crew;
    float knots;
    float fuel;
} Ship;

static const float full = 100;
static const cosm_field fields[] = {
    {.name = "crew", .type = COSM_FIELD_U32, .offset = offsetof(Ship, crew)},
    {.name = "knots", .type = COSM_FIELD_F32, .offset = offsetof(Ship, knots)},
    {.name = "fuel",
     .type = COSM_FIELD_F32,
     .offset = offsetof(Ship, fuel),
     .default_value = &full},
};

static cosm_result first_version(const char *path) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component ship =
        cosm_component_define(engine, &(cosm_component_desc){.name = "Ship",
                                                             .size = sizeof(OldShip),
                                                             .alignment = _Alignof(OldShip),
                                                             .fields = old_fields,
                                                             .field_count = 2});
    cosm_archetype fleet =
        cosm_archetype_define(engine, &(cosm_archetype_desc){.components = {ship}});
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_world world = cosm_batch_world(batch, 0);
    for (uint16_t i = 0; i < 3; i++) {
        OldShip one = {10.0f + i, (uint16_t)(20 * (i + 1))};
        cosm_entity_spawn_with(world, fleet, &(cosm_value){ship, &one}, 1);
    }
    cosm_snapshot *now = cosm_snapshot_create(cosm_worlds_all(batch));
    cosm_result result = cosm_save_write(now, path, NULL);
    cosm_snapshot_destroy(now);
    cosm_batch_destroy(batch);
    cosm_engine_destroy(engine);
    return result;
}

static cosm_result second_version(const char *path) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component ship =
        cosm_component_define(engine, &(cosm_component_desc){.name = "Ship",
                                                             .size = sizeof(Ship),
                                                             .alignment = _Alignof(Ship),
                                                             .fields = fields,
                                                             .field_count = 3});
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    const cosm_save_alias renamed = {.component = "Ship", .field = "knots", .old_name = "speed"};
    cosm_save_report report;
    cosm_snapshot *old = cosm_save_read(
        engine, path, &(cosm_load_desc){.aliases = &renamed, .alias_count = 1}, &report);
    cosm_result result =
        old == NULL ? cosm_error_result() : cosm_snapshot_restore(old, 0, cosm_worlds_all(batch));
    cosm_snapshot_destroy(old);
    if (result == COSM_OK) {
        printf("converted %u, new fields %u, renamed %u, of another type %u\n",
               report.converted_count, report.added_count, report.renamed_count,
               report.changed_count);
    }
    cosm_query *ships =
        cosm_query_create(engine, &(cosm_query_desc){.terms = {{.component = ship}}});
    cosm_rows rows;
    cosm_query_walk(ships, cosm_worlds_all(batch), &rows);
    while (cosm_rows_next(&rows)) {
        const Ship *all = COSM_COLUMN_READ(&rows, Ship, 0);
        for (uint32_t i = 0; i < rows.count; i++) {
            printf("ship %u: %g knots, crew of %u, fuel %g\n", rows.entities[i].id, all[i].knots,
                   all[i].crew, all[i].fuel);
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
    if (result != COSM_OK) {
        printf("%s\n", cosm_error_message());
    }
    remove(path);
    return result == COSM_OK ? 0 : 1;
}
