// Tensors: a policy outside of the simulation steers sheep in three meadows. It never calls into
// the worlds: it reads one array and writes another, though sheep come home and leave the arrays.
#include <cosm/cosm.h>
#include <stdio.h>

#define MEADOWS 3

typedef struct Place {
    float meters; // from home
} Place;

typedef struct Order {
    int32_t steps;
} Order;

enum { SLOT_PLACE, SLOT_ORDER };

static void walk(cosm_rows *rows) {
    Place *place = COSM_WRITE(rows, Place);
    const Order *order = COSM_READ(rows, Order);
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    for (uint32_t i = 0; i < rows->count; i++) {
        place[i].meters += (float)order[i].steps;
        if (place[i].meters <= 0.0f) {
            cosm_commands_despawn(commands, cosm_rows_world(rows, i), rows->entities[i]);
        }
    }
}

// What is exported: type and shape come from the fields.
static cosm_result define(cosm_engine *engine) {
    cosm_component place = COSM_COMPONENT_DEFINE(engine, Place, meters);
    cosm_component order = COSM_COMPONENT_DEFINE(engine, Order, steps);
    cosm_archetype sheep = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.name = "sheep", .text = "Place, Order"});
    cosm_system_define(
        engine, &(cosm_system_desc){
                    .name = "walk", .each = walk, .query = "mut Place, Order", .commands = true});
    cosm_result result = cosm_export_define(
        engine, &(cosm_export_desc){
                    .slot = SLOT_PLACE, .name = "place", .archetype = sheep, .component = place});
    return result != COSM_OK
               ? result
               : cosm_export_define(engine, &(cosm_export_desc){.slot = SLOT_ORDER,
                                                                .name = "order",
                                                                .archetype = sheep,
                                                                .component = order,
                                                                .direction = COSM_DIRECTION_IN});
}

static void settle(cosm_batch *batch) {
    for (uint32_t w = 0; w < MEADOWS; w++) {
        for (uint32_t i = 0; i <= w; i++) {
            COSM_SPAWN(cosm_batch_world(batch, w), COSM_VALUE(Place, (float)(2 + 3 * i + w)),
                       COSM_DEFAULT(Order));
        }
    }
}

static void show(const cosm_tensor *place, uint64_t step) {
    const float *meters = place->data;
    printf("step %d:", (int)step);
    for (uint32_t w = 0; w < MEADOWS; w++) {
        printf(" [");
        for (int64_t i = place->offsets[w]; i < place->offsets[w + 1]; i++) {
            printf(" %g", (double)meters[i]);
        }
        printf(" ]");
    }
    printf("\n");
}

// Sheep that are near run home; the others walk.
static void decide(const cosm_tensor *place, int32_t *orders) {
    const float *meters = place->data;
    for (int64_t i = 0; i < place->shape[0]; i++) {
        orders[i] = meters[i] < 4.0f ? -2 : -1;
    }
}

int main(void) {
    cosm_engine *engine = cosm_engine_create(NULL);
    if (define(engine) != COSM_OK) {
        return 1;
    }
    cosm_batch *batch = cosm_batch_create(engine, &(cosm_batch_desc){.world_count = MEADOWS});
    // Both structs, and the memory they point to, stay where they are as long as the batch.
    const cosm_tensor *place = cosm_batch_tensor(batch, SLOT_PLACE);
    int32_t *orders = cosm_batch_tensor(batch, SLOT_ORDER)->data;
    settle(batch);
    // Sheep were spawned between steps: bring the tensors up to date.
    cosm_result result = cosm_batch_gather(batch);
    while (result == COSM_OK && place->shape[0] > 0) {
        show(place, cosm_batch_step_count(batch));
        decide(place, orders);
        result = cosm_batch_step(batch);
    }
    printf("%s\n", result == COSM_OK ? "all sheep are home" : cosm_result_name(result));
    cosm_batch_destroy(batch);
    cosm_engine_destroy(engine);
    return result == COSM_OK ? 0 : 1;
}
