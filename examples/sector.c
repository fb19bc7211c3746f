// Components that come and go: trees catch fire and burn down, and no row moves for it.
#include <cosm/cosm.h>
#include <stdio.h>

typedef struct Tree {
    float leaves;
} Tree;

typedef struct Heat {
    float degrees;
} Heat;

typedef struct Smoke {
    float density;
} Smoke;

static cosm_component define_sector(cosm_engine *engine, const char *name, size_t size) {
    return cosm_component_define(
        engine, &(cosm_component_desc){.name = name, .size = size, .storage = COSM_STORAGE_SECTOR});
}

// Burns the leaves of what is hot; the smoke is there or not.
static void burn(cosm_rows *rows) {
    Tree *tree = COSM_WRITE(rows, Tree);
    for (uint32_t i = 0; i < rows->count; i++) {
        Smoke *smoke = COSM_SECTOR_WRITE(rows, Smoke, 2, i);
        tree[i].leaves -= COSM_SECTOR_READ(rows, Heat, 1, i)->degrees / 10;
        if (smoke != NULL) {
            smoke->density += 1;
        }
        if (tree[i].leaves <= 0) {
            cosm_world world = cosm_rows_world(rows, i);
            cosm_commands_remove(cosm_turn_commands(rows->turn), world, rows->entities[i],
                                 COSM_ID(world, Heat));
            printf("tree %u has burnt down\n", rows->entities[i].id);
        }
    }
}

int main(void) {
    cosm_engine *engine = cosm_engine_create(NULL);
    COSM_COMPONENT_DEFINE(engine, Tree, leaves);
    cosm_component heat = define_sector(engine, "Heat", sizeof(Heat));
    cosm_component smoke = define_sector(engine, "Smoke", sizeof(Smoke));
    // Read together, so kept together.
    cosm_sector_group_define(
        engine, &(cosm_sector_group_desc){.name = "fire", .components = {heat, smoke}});
    cosm_system_define(engine, &(cosm_system_desc){.name = "burn",
                                                   .each = burn,
                                                   .query = "mut Tree, Heat, ?mut Smoke",
                                                   .commands = true});

    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_world world = cosm_batch_world(batch, 0);
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; i < 6; i++) {
        cosm_entity tree = COSM_SPAWN(world, COSM_VALUE(Tree, 50));
        if (i % 2 == 1 && result == COSM_OK) {
            result = cosm_entity_set(world, tree, heat, &(Heat){100.0f * (float)i});
        }
        if (i == 3 && result == COSM_OK) {
            result = cosm_entity_add(world, tree, smoke);
        }
    }
    for (uint32_t step = 0; step < 3 && result == COSM_OK; step++) {
        printf("step %u\n", step);
        result = cosm_batch_step(batch);
    }
    cosm_container *records = cosm_sector_container(world, heat, NULL);
    printf("%u records: one burns, one smokes\n", cosm_container_describe(records).count);

    cosm_batch_destroy(batch);
    cosm_engine_destroy(engine);
    return result == COSM_OK ? 0 : 1;
}
