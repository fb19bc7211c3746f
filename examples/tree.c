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

static cosm_component offset;
static cosm_component place;

// Every entity comes after its parent, so the parent's place is that of this step.
static void put_in_place(cosm_rows *rows) {
    const Offset *o = COSM_COLUMN_READ(rows, Offset, 0);
    Place *p = COSM_COLUMN_WRITE(rows, Place, 1);
    for (uint32_t i = 0; i < rows->count; i++) {
        cosm_world world = cosm_rows_world(rows, i);
        cosm_entity parent = cosm_tree_parent(world, rows->entities[i]);
        const Place *above = COSM_READ(world, parent, Place);
        p[i].x = o[i].x + (above == NULL ? 0 : above->x);
        p[i].y = o[i].y + (above == NULL ? 0 : above->y);
    }
}

static cosm_entity add_part(cosm_world world, cosm_archetype part, cosm_entity parent, Offset at) {
    cosm_entity entity = cosm_entity_spawn_with(world, part, &(cosm_value){offset, &at}, 1);
    if (cosm_tree_set_parent(world, entity, parent) != COSM_OK) {
        printf("%s\n", cosm_error_message());
    }
    return entity;
}

int main(void) {
    cosm_engine *engine = cosm_engine_create(NULL);
    offset = COSM_COMPONENT_DEFINE(engine, Offset);
    place = COSM_COMPONENT_DEFINE(engine, Place);
    cosm_archetype part =
        cosm_archetype_define(engine, &(cosm_archetype_desc){.components = {offset, place}});
    cosm_query *parts = cosm_query_create(
        engine, &(cosm_query_desc){.terms = {{.component = offset},
                                             {.component = place, .access = COSM_ACCESS_WRITE}}});
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_world world = cosm_batch_world(batch, 0);

    cosm_entity body = add_part(world, part, COSM_ENTITY_NONE, (Offset){10, 0});
    cosm_entity shoulder = add_part(world, part, body, (Offset){0, 5});
    cosm_entity arm = add_part(world, part, shoulder, (Offset){3, 0});
    cosm_entity hand = add_part(world, part, arm, (Offset){2, -1});
    add_part(world, part, body, (Offset){0, -4});

    if (cosm_tree_each(parts, cosm_worlds_all(batch), put_in_place, NULL) != COSM_OK) {
        return 1;
    }
    for (cosm_entity at = body; !cosm_entity_is_none(at); at = cosm_tree_next(world, body, at)) {
        const Place *p = COSM_READ(world, at, Place);
        printf("%*spart %u at %g, %g\n", (int)(2 * cosm_tree_depth(world, at)), "", at.id,
               (double)p->x, (double)p->y);
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
    return 0;
}
