// What a failure looks like: a result or a null, and a message that says what to do; nothing has
// changed. This callback sees every message; without one they go to stderr. A stale handle is no
// failure and has no message.
#include <cosm/cosm.h>
#include <stdio.h>

typedef struct Load {
    double kilograms;
} Load;

static void report(void *context, cosm_result result, const char *message) {
    int *count = context;
    ++*count;
    printf("%d. %s\n   %s\n", *count, cosm_result_name(result), message);
}

int main(void) {
    int count = 0;
    cosm_engine *engine =
        cosm_engine_create(&(cosm_engine_desc){.error = report, .error_context = &count});
    cosm_component load = COSM_COMPONENT_DEFINE(engine, Load, kilograms);
    cosm_archetype cart =
        cosm_archetype_define(engine, &(cosm_archetype_desc){.name = "cart",
                                                             .text = "Load",
                                                             .placement = COSM_PLACEMENT_FIXED,
                                                             .max_per_world = 1,
                                                             .sealed = true});
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_world world = cosm_batch_world(batch, 0);
    cosm_entity one = cosm_entity_spawn(world, cart);

    // Making returns the thing, or its null.
    cosm_entity two = cosm_entity_spawn(world, cart);
    cosm_component again =
        cosm_component_define(engine, &(cosm_component_desc){.name = "Load", .size = 4});
    printf("second cart: %s, second Load: %u\n", cosm_entity_is_none(two) ? "none" : "made",
           again.id);

    // Doing returns a result.
    cosm_result result = cosm_entity_remove(world, one, load);
    printf("remove: %s\n", cosm_result_name(result));

    // A type that no component holds.
    const float *wrong = COSM_READ(world, one, float);
    printf("load as float: %s\n", wrong == NULL ? "NULL" : "read");

    // Stale: no message, and the callback is silent.
    result = cosm_entity_despawn(world, one);
    printf("despawn: %s, again: ", cosm_result_name(result));
    result = cosm_entity_despawn(world, one);
    printf("%s\n", cosm_result_name(result));

    result = cosm_engine_destroy(engine);
    printf("destroy the engine first: %s\n", cosm_result_name(result));
    cosm_batch_destroy(batch);
    result = cosm_engine_destroy(engine);
    printf("then after the batch: %s, %d failures in all\n", cosm_result_name(result), count);
}
