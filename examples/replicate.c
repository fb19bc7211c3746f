// A mirror kept up to date by patches: the server steps, the client only receives bytes.
//
// The two have an engine each, as two programs would, and define the same components in the same
// order.
#include <cosm/cosm.h>
#include <stdio.h>

typedef struct Height {
    float meters;
} Height;

typedef struct Speed {
    float meters_per_second;
} Speed;

static void fall(cosm_rows *rows) {
    Height *height = COSM_WRITE(rows, Height);
    Speed *speed = COSM_WRITE(rows, Speed);
    for (uint32_t i = 0; i < rows->count; i++) {
        speed[i].meters_per_second -= 0.5f;
        height[i].meters += speed[i].meters_per_second;
    }
}

// What travels: the bytes of a patch, which the client's engine opens.
static cosm_result receive(cosm_batch *client, const void *bytes, size_t size) {
    cosm_patch *patch = cosm_patch_open(cosm_batch_engine(client), bytes, size);
    cosm_result result =
        patch == NULL ? cosm_error_result() : cosm_patch_apply(patch, cosm_worlds_all(client));
    cosm_patch_destroy(patch);
    return result;
}

int main(void) {
    cosm_engine *server_engine = cosm_engine_create(NULL);
    COSM_COMPONENT_DEFINE(server_engine, Height, meters);
    COSM_COMPONENT_DEFINE(server_engine, Speed, meters_per_second);
    COSM_SYSTEM_DEFINE(server_engine, fall, "mut Height, mut Speed");
    cosm_batch *server = cosm_batch_create(server_engine, NULL);
    cosm_world world = cosm_batch_world(server, 0);

    cosm_engine *client_engine = cosm_engine_create(NULL);
    COSM_COMPONENT_DEFINE(client_engine, Height, meters);
    COSM_COMPONENT_DEFINE(client_engine, Speed, meters_per_second);
    cosm_batch *client = cosm_batch_create(client_engine, NULL);
    cosm_world mirror = cosm_batch_world(client, 0);

    // What the client has: nothing yet.
    cosm_snapshot *sent = cosm_snapshot_create(cosm_worlds_all(server));
    for (int step = 1; step <= 4; step++) {
        COSM_SPAWN(world, COSM_VALUE(Height, 10), COSM_VALUE(Speed, 0));
        if (cosm_batch_step(server) != COSM_OK) {
            return 1;
        }
        cosm_snapshot *now = cosm_snapshot_create(cosm_worlds_all(server));
        cosm_patch *patch = cosm_patch_create(sent, now);
        cosm_patch_info info = cosm_patch_describe(patch);
        if (receive(client, info.bytes, info.size) != COSM_OK) {
            return 1;
        }
        cosm_patch_destroy(patch);
        cosm_snapshot_destroy(sent);
        sent = now;

        const Height *first = COSM_READ(mirror, ((cosm_entity){1, 0}), Height);
        printf("step %d: %u balls, the first at %g m, %s\n", step, cosm_world_entity_count(mirror),
               first->meters,
               cosm_hash_world(mirror, COSM_HASH_EXACT) == cosm_hash_world(world, COSM_HASH_EXACT)
                   ? "the same as the server's"
                   : "not the server's");
    }
    cosm_snapshot_destroy(sent);
    cosm_batch_destroy(server);
    cosm_batch_destroy(client);
    cosm_engine_destroy(server_engine);
    cosm_engine_destroy(client_engine);
}
