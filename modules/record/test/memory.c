// Out of memory: the n-th allocation of the module fails, for every n, and nothing else suffers.
//
// The module takes its memory from the C library: the linker leads malloc, calloc and realloc here
// (see CMakeLists.txt). That of the engine runs out in recorder.c.
#include <cosm/cosm.h>
#include <cosm_record/diverge.h>
#include <cosm_record/recorder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support/ledger.h"
#include "support/tape.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

static uint64_t request_count; // since refusing began
static uint64_t refuse_at;     // zero: never
static bool has_refused;

static bool refuses(void) {
    request_count++;
    bool refused = refuse_at != 0 && request_count == refuse_at;
    has_refused = has_refused || refused;
    return refused;
}

void *__wrap_malloc(size_t size) {
    return refuses() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    return refuses() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size) {
    return refuses() ? NULL : __real_realloc(memory, size);
}

static void begin_refusing(uint64_t n) {
    request_count = 0;
    has_refused = false;
    refuse_at = n;
}

static bool end_refusing(void) {
    refuse_at = 0;
    return has_refused;
}

// A codec that leaves out zeroes at the end.
static size_t bound(void *context, size_t size) {
    (void)context;
    return size;
}

static size_t pack(void *context, const void *source, size_t size, size_t stride, void *target,
                   size_t room) {
    (void)context;
    (void)stride;
    const unsigned char *bytes = source;
    size_t kept = size;
    while (kept > 0 && bytes[kept - 1] == 0) {
        kept--;
    }
    if (kept + 1 > room || kept + 1 >= size) {
        return 0;
    }
    memcpy(target, source, kept);
    return kept;
}

static size_t unpack(void *context, const void *source, size_t size, size_t stride, void *target,
                     size_t room) {
    (void)context;
    (void)stride;
    memcpy(target, source, size);
    memset((char *)target + size, 0, room - size);
    return room;
}

static const cosm_codec codec = {.name = "trim", .bound = bound, .pack = pack, .unpack = unpack};
static const cosm_load_desc load = {.codecs = &codec, .codec_count = 1};

// The engine takes its memory from a ledger, which does not run out here.
static void open_box(struct fixture *box, struct ledger *ledger) {
    ledger_open(ledger);
    cosm_engine_desc desc = {
        .allocator = ledger_allocator(ledger), .worker_count = 1, .quiet = true};
    fixture_open_with(box, 0, &desc, &(cosm_batch_desc){.world_count = 2});
    fixture_spawn(box, 1);
    CHECK_DONE(cosm_batch_step(box->batch));
}

static cosm_recorder *begin_recording(struct fixture *box, const char *path) {
    return cosm_recorder_create(
        box->batch, path,
        &(cosm_recorder_desc){
            .history = true, .keyframe_steps = 2, .note = "a box", .codec = &codec});
}

// Records a few steps with inputs; steps never fail.
static void take_steps(struct fixture *box) {
    for (uint32_t i = 0; i < 4; i++) {
        fixture_spawn(box, (float)i);
        CHECK_DONE(cosm_batch_step(box->batch));
    }
}

static bool try_recording(uint64_t n) {
    struct fixture box;
    struct ledger ledger;
    char path[TAPE_PATH_MAX];
    tape_path(path);
    open_box(&box, &ledger);
    begin_refusing(n);
    cosm_recorder *recorder = begin_recording(&box, path);
    take_steps(&box);
    uint64_t count = cosm_recorder_describe(recorder).step_count;
    cosm_result closed = cosm_recorder_close(recorder);
    bool refused = end_refusing();
    CHECK((closed == COSM_OK) | (closed == COSM_ERROR_MEMORY) | (closed == COSM_ERROR_IO));
    CHECK((recorder == NULL) | (closed != COSM_OK) | (count == 4));
    cosm_replay *replay = recorder == NULL ? NULL : cosm_replay_open(box.engine, path, &load);
    CHECK((recorder == NULL) == (replay == NULL));
    if (replay != NULL) {
        CHECK(cosm_replay_describe(replay).last_step >= 1 + count);
        CHECK_DONE(cosm_replay_seek(replay, box.batch, 1 + count));
    }
    cosm_replay_close(replay);
    fixture_close(&box);
    ledger_close(&ledger);
    (void)remove(path);
    return refused;
}

TEST(memory_that_runs_out_ends_a_recording_and_not_its_batch) {
    uint64_t n = 1;
    while (try_recording(n)) {
        n++;
    }
    CHECK(n > 10);
}

static bool try_replay(struct fixture *box, const char *path, uint64_t n) {
    cosm_error_clear();
    begin_refusing(n);
    cosm_replay *replay = cosm_replay_open(box->engine, path, &load);
    cosm_result result =
        replay == NULL ? cosm_error_result() : cosm_replay_seek(replay, box->batch, 5);
    cosm_divergence where = {.found = true};
    if (result == COSM_OK) {
        result = cosm_diverge_replays(replay, replay, &where);
    }
    bool refused = end_refusing();
    CHECK(result == COSM_OK ? !where.found : (result == COSM_ERROR_MEMORY) & refused);
    CHECK_VALID(box->batch);
    cosm_replay_close(replay);
    return refused;
}

TEST(memory_that_runs_out_fails_a_replay) {
    struct fixture box;
    struct ledger ledger;
    char path[TAPE_PATH_MAX];
    tape_path(path);
    open_box(&box, &ledger);
    cosm_recorder *recorder = begin_recording(&box, path);
    REQUIRE(recorder != NULL);
    take_steps(&box);
    CHECK_DONE(cosm_recorder_close(recorder));
    uint64_t n = 1;
    while (try_replay(&box, path, n)) {
        n++;
    }
    CHECK(n > 3);
    fixture_close(&box);
    ledger_close(&ledger);
    (void)remove(path);
}
