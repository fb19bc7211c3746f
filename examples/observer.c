// Observers: a hook that closes a channel when a component is removed, and an observer of a query
// that spawns something when an entity begins to match.
#include <cosm/cosm.h>
#include <stdio.h>

typedef struct Voice {
    int channel;
} Voice;

typedef struct Health {
    int points;
} Health;

// Whichever way an entity loses its voice, its channel is closed here, once.
static void close_channel(const cosm_event *event) {
    for (uint32_t i = 0; i < event->count; i++) {
        const Voice *voice = COSM_EVENT_VALUE(event, i, Voice);
        printf("channel %d is closed\n", voice->channel);
    }
}

static void light(const cosm_event *event) {
    for (uint32_t i = 0; i < event->count; i++) {
        const Health *health = COSM_EVENT_VALUE(event, i, Health);
        printf("one of %d points burns\n", health->points);
        // The world is locked while observers are called: changes are recorded.
        COSM_COMMANDS_SPAWN(event->commands, event->world, COSM_DEFAULT(Smoke));
    }
}

int main(void) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component voice = COSM_COMPONENT_DEFINE(engine, Voice, channel);
    COSM_COMPONENT_DEFINE(engine, Health, points);
    cosm_component burning = COSM_TAG_DEFINE(engine, Burning);
    COSM_TAG_DEFINE(engine, Smoke);
    cosm_query *smoke = cosm_query_create(engine, &(cosm_query_desc){.text = "Smoke"});
    cosm_observer_define(engine, &(cosm_observer_desc){.name = "close_channel",
                                                       .component = voice,
                                                       .on = COSM_EVENT_REMOVE,
                                                       .run = close_channel});
    cosm_observer_define(engine, &(cosm_observer_desc){.name = "light",
                                                       .query = "Burning, Health",
                                                       .on = COSM_EVENT_START,
                                                       .run = light});

    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_world world = cosm_batch_world(batch, 0);
    cosm_entity singers[4];
    for (int i = 0; i < 4; i++) {
        singers[i] = COSM_SPAWN(world, COSM_VALUE(Voice, i + 1), COSM_VALUE(Health, 10 * i));
    }
    cosm_result result = cosm_entity_despawn(world, singers[0]);
    result = result == COSM_OK ? cosm_entity_remove(world, singers[1], voice) : result;
    result = result == COSM_OK ? cosm_entity_add(world, singers[1], burning) : result;
    printf("%s, %u rows of smoke\n", cosm_result_name(result),
           (unsigned)cosm_query_count(smoke, cosm_worlds_all(batch)));
    cosm_query_destroy(smoke);
    cosm_batch_destroy(batch);
    cosm_engine_destroy(engine);
}
