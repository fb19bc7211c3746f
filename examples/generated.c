// Marked structs (generated.h) become components: cosm-gen writes their descriptions, typed access
// and one function that registers them all.
#include <cosm/cosm.h>
#include <stdio.h>

#include "generated.cosm.h"

int main(void) {
    cosm_engine *engine = cosm_engine_create(NULL);
    if (generated_register_all(engine) != COSM_OK) {
        return 1;
    }
    cosm_archetype animal =
        cosm_archetype_define(engine, &(cosm_archetype_desc){.text = "Place, Creature"});
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_world world = cosm_batch_world(batch, 0);
    cosm_entity fox = cosm_entity_spawn(world, animal);

    // The default comes from the marks; a whole component is written by name.
    Creature *creature = Creature_write(world, fox);
    creature->mood = MOOD_HUNGRY;
    printf("energy %.1f, senses %u\n", (double)creature->energy, (unsigned)creature->senses);

    // A split one is copied: in memory its fields are far apart.
    Place place = {3.0f, 4.0f};
    if (Place_set(world, fox, &place) == COSM_OK && Place_get(world, fox, &place)) {
        printf("at %.1f, %.1f\n", (double)place.x, (double)place.y);
    }
    printf("asleep: %s\n", Asleep_has(world, fox) ? "yes" : "no");

    const cosm_field *energy =
        &cosm_component_describe(engine, Creature_component(engine)).fields[Creature_field_energy];
    printf("%s: %s, %g to %g, %s\n", energy->name, cosm_field_type_name(energy->type), energy->min,
           energy->max, energy->doc);
    cosm_batch_destroy(batch);
    cosm_engine_destroy(engine);
}
