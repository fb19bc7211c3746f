// A small robot: parts below parts, and positions in the world made from those relative to the
// parent, parents first.
#include <cosm/cosm.h>
#include <stdio.h>

typedef struct Offset {
    float x, y; // from the parent
} Offset;

typedef struct Place {
    float x, y; // in the world
} Place;

// Every entity comes after its parent, so the parent's place is that of this step.
static void put_in_place(cosm_rows *rows) {
    const Offset *offset = COSM_READ(rows, Offset);
    Place *place = COSM_WRITE(rows, Place);
    for (uint32_t i = 0; i < rows->count; i++) {
        cosm_world world = cosm_rows_world(rows, i);
        cosm_entity parent = cosm_tree_parent(world, rows->entities[i]);
        const Place *above = COSM_READ(world, parent, Place);
        place[i].x = offset[i].x + (above == NULL ? 0 : above->x);
        place[i].y = offset[i].y + (above == NULL ? 0 : above->y);
    }
}

static cosm_entity add_part(cosm_world world, cosm_entity parent, float x, float y) {
    cosm_entity part = COSM_SPAWN(world, COSM_VALUE(Offset, x, y), COSM_DEFAULT(Place));
    return cosm_tree_set_parent(world, part, parent) == COSM_OK ? part : COSM_ENTITY_NONE;
}

int main(void) {
    cosm_engine *engine = cosm_engine_create(&(cosm_engine_desc){.quiet = true});
    COSM_COMPONENT_DEFINE(engine, Offset, x, y);
    COSM_COMPONENT_DEFINE(engine, Place, x, y);
    cosm_query *parts = cosm_query_create(engine, &(cosm_query_desc){.text = "Offset, mut Place"});
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_world world = cosm_batch_world(batch, 0);

    cosm_entity body = add_part(world, COSM_ENTITY_NONE, 10, 0);
    cosm_entity shoulder = add_part(world, body, 0, 5);
    cosm_entity arm = add_part(world, shoulder, 3, 0);
    cosm_entity hand = add_part(world, arm, 2, -1);
    add_part(world, body, 0, -4);

    if (cosm_tree_each(parts, cosm_worlds_all(batch), put_in_place, NULL) != COSM_OK) {
        return 1;
    }
    for (cosm_entity at = body; !cosm_entity_is_none(at); at = cosm_tree_next(world, body, at)) {
        const Place *place = COSM_READ(world, at, Place);
        printf("%*spart %u at %g, %g\n", (int)(2 * cosm_tree_depth(world, at)), "", at.id,
               (double)place->x, (double)place->y);
    }

    if (cosm_tree_set_parent(world, body, hand) == COSM_ERROR_ARGUMENT) {
        printf("a body does not hang from its own hand\n");
    }
    if (cosm_tree_despawn(world, shoulder) != COSM_OK) {
        return 1;
    }
    printf("without the arm: %u parts, the hand is %s\n", cosm_world_entity_count(world),
           cosm_entity_is_alive(world, hand) ? "there" : "gone");
    cosm_query_destroy(parts);
    cosm_batch_destroy(batch);
    cosm_engine_destroy(engine);
}
