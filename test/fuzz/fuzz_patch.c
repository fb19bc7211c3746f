// Fuzzes the reader of patches: bytes that begin as a patch are one; all others are edits of a good
// patch, three bytes each: where, in two bytes, and what to write there.
//
// Whatever the bytes, they are refused with a message and nothing has changed, or the result has
// the hash that the patch promises.
#include <cosm/cosm.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/mixed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE_TRUE(condition)                                                                    \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n%s\n", __FILE__, __LINE__, #condition,                     \
                    cosm_error_message());                                                         \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

// Two states, and the way between them. Made once: a patch that is refused leaves nothing behind.
struct stage {
    struct mixed mixed;
    cosm_snapshot *before;
    cosm_patch *good;
    uint64_t hash;
};

static void open_stage(struct stage *stage) {
    struct dice dice = {2026};
    struct mixed_cast cast;
    for (uint32_t i = 0; i < MIXED_ENTITY_COUNT; i++) {
        cast.entities[i] = COSM_ENTITY_NONE;
    }
    mixed_open(&stage->mixed, 2, false, NULL);
    for (int i = 0; i < 300; i++) {
        mixed_act(&stage->mixed, &dice, &cast);
    }
    stage->before = cosm_snapshot_create(stage->mixed.all);
    for (int i = 0; i < 40; i++) {
        mixed_act(&stage->mixed, &dice, &cast);
    }
    stage->good = cosm_patch_create_now(stage->before, stage->mixed.all);
    REQUIRE_TRUE(stage->good != NULL);
    REQUIRE_TRUE(cosm_snapshot_restore(stage->before, 0, stage->mixed.all) == COSM_OK);
    stage->hash = cosm_hash_batch(stage->mixed.batch, COSM_HASH_EXACT);
}

static void read_patch(struct stage *stage, const void *bytes, size_t size) {
    cosm_patch *patch = cosm_patch_open(stage->mixed.engine, bytes, size);
    if (patch == NULL) {
        REQUIRE_TRUE(cosm_error_result() == COSM_ERROR_FORMAT);
        return;
    }
    cosm_snapshot *after = cosm_patch_snapshot(patch, stage->before);
    if (after == NULL) {
        REQUIRE_TRUE(cosm_error_message()[0] != '\0');
    } else {
        for (uint32_t w = 0; w < cosm_patch_describe(patch).world_count; w++) {
            uint64_t hash = cosm_patch_hash_after(patch, w);
            REQUIRE_TRUE(hash == 0 || hash == cosm_hash_snapshot_world(after, w, COSM_HASH_EXACT));
        }
        REQUIRE_TRUE(cosm_snapshot_restore(after, 0, stage->mixed.all) == COSM_OK);
        REQUIRE_TRUE(cosm_batch_validate(stage->mixed.batch) == COSM_OK);
        REQUIRE_TRUE(cosm_snapshot_restore(stage->before, 0, stage->mixed.all) == COSM_OK);
        cosm_snapshot_destroy(after);
    }
    REQUIRE_TRUE(cosm_hash_batch(stage->mixed.batch, COSM_HASH_EXACT) == stage->hash);
    cosm_patch_destroy(patch);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct stage stage;
    if (stage.good == NULL) {
        open_stage(&stage);
    }
    if (size >= 4 && memcmp(data, "cosp", 4) == 0) {
        read_patch(&stage, data, size);
        return 0;
    }
    size_t length = cosm_patch_describe(stage.good).size;
    unsigned char *bytes = malloc(length);
    REQUIRE_TRUE(bytes != NULL);
    memcpy(bytes, cosm_patch_describe(stage.good).bytes, length);
    for (size_t i = 0; i + 3 <= size; i += 3) {
        bytes[(data[i] | (size_t)data[i + 1] << 8) % length] = data[i + 2];
    }
    read_patch(&stage, bytes, length);
    free(bytes);
    return 0;
}
