// A shared component: one value for many entities. Those of equal value stand together, so a query
// for one value walks only what has it.
#include <cosm/cosm.h>
#include <stdio.h>

typedef struct Place {
    uint32_t street;
} Place;

typedef struct Material {
    char name[8];
} Material;

static void show(void *context, const void *value, uint32_t entity_count) {
    (void)context;
    printf("%6u of %s\n", entity_count, ((const Material *)value)->name);
}

int main(void) {
    static const Material materials[] = {{"brick"}, {"wood"}, {"glass"}};
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component place = COSM_COMPONENT_DEFINE(engine, Place, street);
    cosm_component material = cosm_component_define(
        engine, &(cosm_component_desc){
                    .name = "Material", .size = sizeof(Material), .storage = COSM_STORAGE_SHARED});
    cosm_archetype house =
        cosm_archetype_define(engine, &(cosm_archetype_desc){.text = "Place, Material"});
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_world town = cosm_batch_world(batch, 0);
    cosm_worlds all = cosm_worlds_all(batch);

    // A street of each kind: one call, one value.
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; i < 3 && result == COSM_OK; i++) {
        cosm_value values[] = {{material, &materials[i]}, {place, &(Place){i}}};
        cosm_rows rows;
        result = cosm_entity_spawn_many_with(town, house, 100 * (i + 1), values, 2, &rows);
    }
    printf("the town has %u houses\n", cosm_world_entity_count(town));
    if (result == COSM_OK) {
        result = cosm_shared_each(town, material, show, NULL);
    }

    // Whatever is of wood is rebuilt: all rows of the query get another value at once.
    cosm_query *wooden = cosm_query_create(
        engine,
        &(cosm_query_desc){.terms = {{.component = place},
                                     {.component = material, .value = &(Material){"wood"}}}});
    printf("%u of them may burn\n", (uint32_t)cosm_query_count(wooden, all));
    if (result == COSM_OK) {
        result = cosm_query_set(wooden, all, material, &materials[0]);
    }
    printf("after rebuilding %u may burn\n", (uint32_t)cosm_query_count(wooden, all));

    // Each run of rows has one value.
    cosm_query *houses = cosm_query_create(engine, &(cosm_query_desc){.text = "Place, Material"});
    cosm_rows rows;
    cosm_query_walk(houses, all, &rows);
    while (cosm_rows_next(&rows)) {
        printf("%6u of %s\n", rows.count, COSM_SHARED_READ(&rows, Material, 1)->name);
    }
    cosm_query_destroy(wooden);
    cosm_query_destroy(houses);
    cosm_batch_destroy(batch);
    cosm_engine_destroy(engine);
    return result == COSM_OK ? 0 : 1;
}
