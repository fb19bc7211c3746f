// Fuzzes the reader of recordings: a good recording with the bytes that the input says changed, its
// checksums made right again where the input asks for it, so that what blocks hold is reached too.
//
// Whatever the bytes, they are a recording or a failure with a message; and what can be replayed of
// a recording leaves a valid batch.
#include <cosm/cosm.h>
#include <cosm_record/diverge.h>
#include <cosm_record/recorder.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "blocks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE_TRUE(condition)                                                                    \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n%s\n", __FILE__, __LINE__, #condition,                     \
                    cosm_error_message());                                                         \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

#define CHANGE_MAX 6u

typedef struct Spot {
    uint32_t x;
    uint32_t y;
} Spot;

static struct stage {
    cosm_engine *engine;
    cosm_batch *batch;
    unsigned char *bytes; // of the good recording
    size_t size;
} stage;

static void move(cosm_rows *rows) {
    Spot *spot = COSM_COLUMN_WRITE(rows, Spot, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        spot[i].x += spot[i].y + 1;
    }
}

static void read_recording(const char *path) {
    FILE *file = fopen(path, "rb");
    REQUIRE_TRUE(file != NULL && fseek(file, 0, SEEK_END) == 0);
    stage.size = (size_t)ftell(file);
    rewind(file);
    stage.bytes = malloc(stage.size);
    REQUIRE_TRUE(stage.bytes != NULL && fread(stage.bytes, 1, stage.size, file) == stage.size);
    (void)fclose(file);
    (void)remove(path);
}

static void open_stage(void) {
    char path[64];
    (void)snprintf(path, sizeof(path), "/tmp/cosm_fuzz_%ld.cosmrec", (long)getpid());
    stage.engine = cosm_engine_create(&(cosm_engine_desc){.worker_count = 1, .quiet = true});
    cosm_component spot = COSM_COMPONENT_DEFINE(stage.engine, Spot);
    cosm_archetype archetype =
        cosm_archetype_define(stage.engine, &(cosm_archetype_desc){.components = {spot}});
    cosm_system_desc desc = {.name = "move", .each = move};
    desc.queries[0].terms[0] = (cosm_term){.component = spot, .access = COSM_ACCESS_WRITE};
    REQUIRE_TRUE(cosm_system_define(stage.engine, &desc).id != 0);
    stage.batch = cosm_batch_create(stage.engine, &(cosm_batch_desc){.world_count = 2});
    cosm_world world = cosm_batch_world(stage.batch, 1);
    cosm_recorder *recorder = cosm_recorder_create(
        stage.batch, path, &(cosm_recorder_desc){.history = true, .keyframe_steps = 3});
    REQUIRE_TRUE(recorder != NULL);
    for (int i = 0; i < 5; i++) {
        REQUIRE_TRUE(!cosm_entity_is_none(cosm_entity_spawn(world, archetype)));
        REQUIRE_TRUE(cosm_batch_step(stage.batch) == COSM_OK);
    }
    REQUIRE_TRUE(cosm_recorder_close(recorder) == COSM_OK);
    read_recording(path);
}

// Four bytes of input are one change: where, in three, and what. A few of them: what is wrong all
// over is refused at once.
static void change_bytes(unsigned char *bytes, const uint8_t *data, size_t size) {
    for (size_t i = 0; i + 4 <= size && i < 4 * CHANGE_MAX; i += 4) {
        size_t at = (size_t)data[i] | (size_t)data[i + 1] << 8 | (size_t)data[i + 2] << 16;
        bytes[at % stage.size] = data[i + 3];
    }
}

// Makes the sums of all blocks right, as far as their sizes make sense.
static void mend_sums(unsigned char *bytes, size_t size) {
    struct record_file_header header;
    struct record_block_header head;
    if (size < sizeof(header)) {
        return;
    }
    memcpy(&header, bytes, sizeof(header));
    header.sum = cosmi_record_sum(0, &header, sizeof(header) - 8);
    memcpy(bytes, &header, sizeof(header));
    for (size_t at = sizeof(header); size - at >= sizeof(head);) {
        memcpy(&head, bytes + at, sizeof(head));
        size_t left = size - at - sizeof(head);
        if (head.stored_size > left) {
            return;
        }
        head.sum = cosmi_record_sum(0, &head, sizeof(head) - 8);
        head.sum = cosmi_record_sum(head.sum, bytes + at + sizeof(head), (size_t)head.stored_size);
        memcpy(bytes + at, &head, sizeof(head));
        size_t padded =
            ((size_t)head.stored_size + RECORD_ALIGNMENT - 1) / RECORD_ALIGNMENT * RECORD_ALIGNMENT;
        if (padded > left) {
            return;
        }
        at += sizeof(head) + padded;
    }
}

static void play(const unsigned char *bytes, size_t size) {
    cosm_error_clear();
    cosm_replay *replay = cosm_replay_open_bytes(stage.engine, bytes, size, NULL);
    if (replay == NULL) {
        REQUIRE_TRUE(cosm_error_result() != COSM_OK && cosm_error_message()[0] != '\0');
        return;
    }
    uint64_t first = cosm_replay_describe(replay).first_step;
    uint64_t last = cosm_replay_describe(replay).last_step;
    REQUIRE_TRUE(first <= last);
    cosm_result result = cosm_replay_seek(replay, stage.batch, first);
    for (uint64_t step = first; step < last && result == COSM_OK; step++) {
        result = cosm_replay_step(replay, stage.batch);
    }
    REQUIRE_TRUE(cosm_batch_validate(stage.batch) == COSM_OK);
    cosm_snapshot_destroy(cosm_replay_snapshot(replay, last));
    (void)cosm_replay_world_hash(replay, last, 1);
    cosm_divergence where;
    cosm_replay *good = cosm_replay_open_bytes(stage.engine, stage.bytes, stage.size, NULL);
    REQUIRE_TRUE(good != NULL);
    if (cosm_diverge_replays(good, replay, &where) != COSM_OK) {
        REQUIRE_TRUE(cosm_error_message()[0] != '\0');
    }
    cosm_replay_close(good);
    cosm_replay_close(replay);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (stage.engine == NULL) {
        open_stage();
    }
    if (size < 3) {
        return 0;
    }
    // Cut off somewhere, in one of four.
    size_t length =
        data[0] % 4 == 0 ? ((size_t)data[1] | (size_t)data[2] << 8) % (stage.size + 1) : stage.size;
    unsigned char *bytes = malloc(stage.size);
    REQUIRE_TRUE(bytes != NULL);
    memcpy(bytes, stage.bytes, stage.size);
    change_bytes(bytes, data + 3, size - 3);
    if (data[0] % 8 >= 2) {
        mend_sums(bytes, stage.size);
    }
    // Just as large, so that the address sanitizer sees a read behind the end.
    unsigned char *cut = malloc(length + 1);
    REQUIRE_TRUE(cut != NULL);
    memcpy(cut, bytes, length);
    play(cut, length);
    free(cut);
    free(bytes);
    return 0;
}
