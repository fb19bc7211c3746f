// A mirror kept up to date by patches: the server steps, the client only receives bytes.
//
// The two have an engine each, as two programs would, and define the components in another order.
#include <cosm/cosm.h>

#include <stdio.h>

typedef struct Height {
    float meters;
} Height;

typedef struct Speed {
    float meters_per_second;
} Speed;

struct side {
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_component height;
    cosm_component speed;
};

static bool side_open(struct side *side, bool is_client) {
    side->engine = cosm_engine_create(NULL);
    if (is_client) {
        side->speed = COSM_COMPONENT_DEFINE(side->engine, Speed);
        side->height = COSM_COMPONENT_DEFINE(side->engine, Height);
    } else {
        side->height = COSM_COMPONENT_DEFINE(side->engine, Height);
        side->speed = COSM_COMPONENT_DEFINE(side->engine, Speed);
    }
    side->batch = cosm_batch_create(side->engine, NULL);
    return side->batch != NULL;
}

static void side_close(struct side *side) {
    cosm_batch_destroy(side->batch);
    cosm_engine_destroy(side->engine);
}

static void fall(cosm_rows *rows) {
    Height *height = COSM_COLUMN_WRITE(rows, Height, 0);
    Speed *speed = COSM_COLUMN_WRITE(rows, Speed, 1);
    for (uint32_t i = 0; i < rows->count; i++) {
        speed[i].meters_per_second -= 0.5f;
        height[i].meters += speed[i].meters_per_second;
    }
}

// What travels: the bytes of a patch, which the client's engine opens.
static cosm_result receive(struct side *client, const void *bytes, size_t size) {
    cosm_patch *patch = cosm_patch_open(client->engine, bytes, size);
    cosm_result result = patch == NULL ? cosm_error_result()
                                       : cosm_patch_apply(patch, cosm_worlds_all(client->batch));
    cosm_patch_destroy(patch);
    return result;
}

int main(void) {
    struct side server;
    struct side client;
    if (!side_open(&server, false) || !side_open(&client, true)) {
        return 1;
    }
    cosm_query_desc falling = {.terms = {{.component = server.height, .access = COSM_ACCESS_WRITE},
                                         {.component = server.speed, .access = COSM_ACCESS_WRITE}}};
    cosm_system_define(server.engine,
                       &(cosm_system_desc){.name = "fall", .each = fall, .queries = {falling}});
    cosm_archetype ball = cosm_archetype_define(
        server.engine, &(cosm_archetype_desc){.components = {server.height, server.speed}});
    cosm_world world = cosm_batch_world(server.batch, 0);
    cosm_worlds all = cosm_worlds_all(server.batch);

    // What the client has: nothing yet.
    cosm_snapshot *sent = cosm_snapshot_create(all);
    for (int step = 1; step <= 4; step++) {
        cosm_entity_spawn_with(world, ball, &(cosm_value){server.height, &(Height){10}}, 1);
        if (cosm_batch_step(server.batch) != COSM_OK) {
            return 1;
        }
        cosm_snapshot *now = cosm_snapshot_create(all);
        cosm_patch *patch = cosm_patch_create(sent, now);
        if (receive(&client, cosm_patch_bytes(patch), cosm_patch_size(patch)) != COSM_OK) {
            fprintf(stderr, "%s\n", cosm_error_message());
            return 1;
        }
        cosm_patch_destroy(patch);
        cosm_snapshot_destroy(sent);
        sent = now;

        cosm_world mirror = cosm_batch_world(client.batch, 0);
        const Height *first = cosm_entity_read(mirror, (cosm_entity){1, 0}, client.height);
        printf("step %d: %u balls, the first at %g m, %s\n", step, cosm_world_entity_count(mirror),
               first->meters,
               cosm_hash_world(mirror, COSM_HASH_EXACT) == cosm_hash_world(world, COSM_HASH_EXACT)
                   ? "the same as the server's"
                   : "not the server's");
    }
    cosm_snapshot_destroy(sent);
    side_close(&server);
    side_close(&client);
}
