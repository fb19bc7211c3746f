// Observers: a hook that gives a resource back when a component goes, and an observer of a query that
// spawns something when an entity begins to match.
#include <cosm/cosm.h>
#include <stdio.h>

typedef struct Voice {
    int channel;
} Voice;

typedef struct Health {
    int points;
} Health;

struct game {
    cosm_component voice;
    cosm_component health;
    cosm_component burning; // a tag
    cosm_archetype smoke;
};

// Whichever way an entity loses its voice, its channel is closed here, once.
static void close_channel(const cosm_event *event) {
    for (uint32_t i = 0; i < event->count; i++) {
        const Voice *voice = COSM_EVENT_VALUE(event, i, Voice);
        printf("channel %d is closed\n", voice->channel);
    }
}

static void light(const cosm_event *event) {
    const struct game *game = event->context;
    for (uint32_t i = 0; i < event->count; i++) {
        const Health *health = COSM_EVENT_VALUE(event, i, Health);
        printf("one of %d points burns\n", health->points);
        // The world is locked while observers are called: changes are recorded.
        cosm_commands_spawn(event->commands, event->world, game->smoke);
    }
}

int main(void) {
    cosm_engine *engine = cosm_engine_create(NULL);
    struct game game;
    game.voice = COSM_COMPONENT_DEFINE(engine, Voice);
    game.health = COSM_COMPONENT_DEFINE(engine, Health);
    game.burning = COSM_TAG_DEFINE(engine, Burning);
    cosm_component haze = COSM_TAG_DEFINE(engine, Haze);
    game.smoke = cosm_archetype_define(engine, &(cosm_archetype_desc){.components = {haze}});
    cosm_archetype singer = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.components = {game.voice, game.health}});
    cosm_observer_define(engine, &(cosm_observer_desc){.name = "close_channel",
                                                       .component = game.voice,
                                                       .on = COSM_EVENT_REMOVE,
                                                       .run = close_channel,
                                                       .context = &game});
    cosm_observer_define(
        engine,
        &(cosm_observer_desc){
            .name = "light",
            .query_desc = {.terms = {{.component = game.burning, .access = COSM_ACCESS_WRITE},
                                     {.component = game.health, .access = COSM_ACCESS_WRITE}}},
            .on = COSM_EVENT_START,
            .run = light,
            .context = &game});

    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_world world = cosm_batch_world(batch, 0);
    cosm_entity singers[4];
    for (int i = 0; i < 4; i++) {
        singers[i] = cosm_entity_spawn_with(
            world, singer,
            (cosm_value[]){{game.voice, &(Voice){i + 1}}, {game.health, &(Health){10 * i}}}, 2);
    }
    cosm_result result = cosm_entity_despawn(world, singers[0]);
    result = result == COSM_OK ? cosm_entity_remove(world, singers[1], game.voice) : result;
    result = result == COSM_OK ? cosm_entity_add(world, singers[1], game.burning) : result;
    printf("%s, %u rows of smoke\n", cosm_result_name(result),
           cosm_table_row_count(world, game.smoke));
    cosm_batch_destroy(batch);
    cosm_engine_destroy(engine);
    return 0;
}
