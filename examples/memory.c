// Where memory comes from and how much is in use: an allocator of your own, a limit, and trim.
#include <cosm/cosm.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Cargo {
    unsigned char bytes[1024];
} Cargo;

static void *allocate(void *context, size_t size, size_t alignment) {
    size_t *in_use = context;
    // aligned_alloc wants a multiple of the alignment.
    void *memory = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    *in_use += memory != NULL ? size : 0;
    return memory;
}

static void release(void *context, void *memory, size_t size, size_t alignment) {
    (void)alignment;
    size_t *in_use = context;
    *in_use -= size;
    free(memory);
}

int main(void) {
    size_t in_use = 0;
    cosm_allocator allocator = {.allocate = allocate, .release = release, .context = &in_use};
    cosm_engine *engine =
        cosm_engine_create(&(cosm_engine_desc){.allocator = allocator, .quiet = true});
    COSM_COMPONENT_DEFINE(engine, Cargo, bytes);
    cosm_batch *batch = cosm_batch_create(engine, &(cosm_batch_desc){.memory_limit = 8 << 20});
    cosm_world world = cosm_batch_world(batch, 0);
    printf("the allocator is used: %s\n", in_use > 0 ? "yes" : "no");

    uint32_t count = 0;
    while (!cosm_entity_is_none(COSM_SPAWN(world, COSM_DEFAULT(Cargo)))) {
        count++;
    }
    cosm_memory full = cosm_batch_memory(batch);
    printf("stopped by %s, within the limit: %s, more than a thousand ships: %s\n",
           cosm_result_name(cosm_error_result()), full.used <= 8 << 20 ? "yes" : "no",
           count > 1000 ? "yes" : "no");

    // A reset keeps memory for the next episode; trim gives it back.
    if (cosm_world_reset(world) != COSM_OK) {
        return 1;
    }
    cosm_memory reset = cosm_batch_memory(batch);
    if (cosm_batch_trim(batch) != COSM_OK) {
        return 1;
    }
    cosm_memory trimmed = cosm_batch_memory(batch);
    printf("after reset: %zu live, memory kept: %s\n", reset.live,
           reset.used == full.used ? "yes" : "no");
    printf("after trim: most given back: %s, the peak is remembered: %s\n",
           trimmed.used < full.used / 10 ? "yes" : "no", trimmed.peak >= full.used ? "yes" : "no");

    cosm_batch_destroy(batch);
    cosm_engine_destroy(engine);
    printf("still in use at the end: %zu bytes\n", in_use);
}
