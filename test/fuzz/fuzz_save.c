// Fuzzes the reader of save files: the input is a file, as it is and once more with checksums that
// are right, so that made-up inputs get past the first block.
//
// Whatever the bytes, they are a snapshot or a failure with a message. A snapshot that was read is
// restored into worlds that are then valid and go on; saved and read again it is the same.
#include <cosm/cosm.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/ark.h"
#include "support/reseal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE_TRUE(condition)                                                                    \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n%s\n", __FILE__, __LINE__, #condition,                     \
                    cosm_error_message());                                                         \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

struct copy {
    unsigned char *bytes;
    size_t size;
};

static void take_copy(void *context, const char *bytes, size_t size) {
    struct copy *copy = context;
    copy->bytes = realloc(copy->bytes, copy->size + size);
    REQUIRE_TRUE(copy->bytes != NULL);
    memcpy(copy->bytes + copy->size, bytes, size);
    copy->size += size;
}

// Worlds of which some are restored; those of a file may be many.
#define WORLD_MAX 4u

static void use_snapshot(struct ark *ark, const cosm_snapshot *snapshot) {
    uint32_t count = cosm_snapshot_describe(snapshot).world_count;
    for (uint32_t i = 0; i < count && i < WORLD_MAX; i++) {
        cosm_world world = cosm_batch_world(ark->batch, i);
        REQUIRE_TRUE(cosm_snapshot_restore(snapshot, i, cosm_worlds_one(world)) == COSM_OK);
    }
    REQUIRE_TRUE(cosm_batch_validate(ark->batch) == COSM_OK);
    for (uint32_t i = 0; i < WORLD_MAX; i++) {
        (void)cosm_entity_spawn(cosm_batch_world(ark->batch, i), ark->mover);
    }
    REQUIRE_TRUE(cosm_batch_step(ark->batch) == COSM_OK);
    REQUIRE_TRUE(cosm_batch_validate(ark->batch) == COSM_OK);
}

static void check_again(struct ark *ark, const cosm_snapshot *snapshot) {
    struct copy copy = {NULL, 0};
    cosm_save_desc save = ark_save_desc(ark);
    cosm_load_desc load = ark_load_desc(ark);
    REQUIRE_TRUE(cosm_save_write_to(snapshot, &save, take_copy, &copy) == COSM_OK);
    cosm_snapshot *again = cosm_save_read_bytes(ark->engine, copy.bytes, copy.size, &load, NULL);
    REQUIRE_TRUE(again != NULL);
    for (uint32_t i = 0; i < cosm_snapshot_describe(snapshot).world_count; i++) {
        REQUIRE_TRUE(cosm_hash_snapshot_world(again, i, COSM_HASH_EXACT) ==
                     cosm_hash_snapshot_world(snapshot, i, COSM_HASH_EXACT));
    }
    cosm_snapshot_destroy(again);
    free(copy.bytes);
}

static void read_bytes(struct ark *ark, const uint8_t *bytes, size_t size) {
    cosm_load_desc load = ark_load_desc(ark);
    cosm_error_clear();
    cosm_snapshot *snapshot = cosm_save_read_bytes(ark->engine, bytes, size, &load, NULL);
    if (snapshot == NULL) {
        REQUIRE_TRUE(cosm_error_result() != COSM_OK);
        REQUIRE_TRUE(strncmp(cosm_error_message(), "cosm_save_read_bytes: ", 22) == 0);
        return;
    }
    use_snapshot(ark, snapshot);
    check_again(ark, snapshot);
    cosm_snapshot_destroy(snapshot);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    // Files form archetypes in the engine, so each gets one of its own; the first byte says which.
    struct ark_plan plans[3] = {
        {.backwards = false}, {.backwards = true, .split = true}, {.fewer = true}};
    const struct ark_plan *plan = &plans[size == 0 ? 0 : data[size - 1] % 3];
    struct ark ark;
    ark_open(&ark, plan, WORLD_MAX);
    uint8_t *exact = malloc(size + 1);
    REQUIRE_TRUE(exact != NULL);
    memcpy(exact, data, size);
    read_bytes(&ark, exact, size);
    size_t sealed_size = 0;
    unsigned char *sealed = reseal(exact, size, &sealed_size);
    read_bytes(&ark, sealed, sealed_size);
    free(sealed);
    free(exact);
    ark_close(&ark);
    return 0;
}
