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

struct meadow {
    cosm_component place;
    cosm_component order;
    cosm_archetype sheep;
};

static void walk(cosm_rows *rows) {
    Place *place = COSM_COLUMN_WRITE(rows, Place, 0);
    const Order *order = COSM_COLUMN_READ(rows, Order, 1);
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    for (uint32_t i = 0; i < rows->count; i++) {
        place[i].meters += (float)order[i].steps;
        if (place[i].meters <= 0.0f) {
            cosm_commands_despawn(commands, cosm_rows_world(rows, i), rows->entities[i]);
        }
    }
}

// What is shown: type and shape come from the fields.
static cosm_result define(struct meadow *meadow, cosm_engine *engine) {
    static const cosm_field meters[] = {{.name = "meters", .type = COSM_FIELD_F32}};
    static const cosm_field steps[] = {{.name = "steps", .type = COSM_FIELD_I32}};
    meadow->place = cosm_component_define(
        engine, &(cosm_component_desc){
                    .name = "Place", .size = sizeof(Place), .fields = meters, .field_count = 1});
    meadow->order = cosm_component_define(
        engine, &(cosm_component_desc){
                    .name = "Order", .size = sizeof(Order), .fields = steps, .field_count = 1});
    meadow->sheep = cosm_archetype_define(
        engine,
        &(cosm_archetype_desc){.name = "sheep", .components = {meadow->place, meadow->order}});
    cosm_system_define(engine,
                       &(cosm_system_desc){.name = "walk",
                                           .each = walk,
                                           .commands = true,
                                           .queries = {{.terms = {{.component = meadow->place,
                                                                   .access = COSM_ACCESS_WRITE},
                                                                  {.component = meadow->order}}}}});
    cosm_result result =
        cosm_export_define(engine, &(cosm_export_desc){.slot = SLOT_PLACE,
                                                       .name = "place",
                                                       .archetype = meadow->sheep,
                                                       .component = meadow->place});
    return result != COSM_OK
               ? result
               : cosm_export_define(engine, &(cosm_export_desc){.slot = SLOT_ORDER,
                                                                .name = "order",
                                                                .archetype = meadow->sheep,
                                                                .component = meadow->order,
                                                                .direction = COSM_DIRECTION_IN});
}

static void settle(const struct meadow *meadow, cosm_batch *batch) {
    for (uint32_t w = 0; w < MEADOWS; w++) {
        for (uint32_t i = 0; i <= w; i++) {
            Place place = {(float)(2 + 3 * i + w)};
            (void)cosm_entity_spawn_with(cosm_batch_world(batch, w), meadow->sheep,
                                         &(cosm_value){meadow->place, &place}, 1);
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
    struct meadow meadow;
    if (define(&meadow, engine) != COSM_OK) {
        printf("%s\n", cosm_error_message());
        return 1;
    }
    cosm_batch *batch = cosm_batch_create(engine, &(cosm_batch_desc){.world_count = MEADOWS});
    // Both structs, and the memory that they show, stay where they are as long as the batch.
    const cosm_tensor *place = cosm_batch_tensor(batch, SLOT_PLACE);
    int32_t *orders = cosm_batch_tensor(batch, SLOT_ORDER)->data;
    settle(&meadow, batch);
    // Sheep came between steps: the tensors are told.
    cosm_result result = cosm_batch_gather(batch);
    while (result == COSM_OK && place->shape[0] > 0) {
        show(place, cosm_batch_step_count(batch));
        decide(place, orders);
        result = cosm_batch_step(batch);
    }
    printf("%s\n", result == COSM_OK ? "all sheep are home" : cosm_error_message());
    cosm_batch_destroy(batch);
    cosm_engine_destroy(engine);
    return result == COSM_OK ? 0 : 1;
}
