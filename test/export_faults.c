// Exports where memory is refused: the n-th request fails, for every n, and nothing leaks and
// nothing is half there.
#include <string.h>

#include "harness.h"
#include "support/exports.h"
#include "support/fixture.h"
#include "support/ledger.h"

#define ROUNDS 400u // more than any of these calls makes requests

static void spawn_some(const struct exports *exports, uint32_t count) {
    for (uint32_t w = 0; w < exports->all.count; w++) {
        cosm_rows rows;
        CHECK_DONE(
            cosm_entity_spawn_many((cosm_world){exports->batch, w}, exports->pawn, count, &rows));
    }
}

static void open_with(struct exports *exports, struct ledger *ledger, uint32_t worlds) {
    ledger_open(ledger);
    cosm_engine_desc desc = {.allocator = ledger_allocator(ledger), .worker_count = 1};
    exports_define(exports, &desc);
    if (worlds > 0) {
        exports->batch =
            cosm_batch_create(exports->engine, &(cosm_batch_desc){.world_count = worlds});
        exports->all = (cosm_worlds){exports->batch, 0, worlds};
    }
}

static void close_with(struct exports *exports, struct ledger *ledger) {
    if (exports->batch != NULL) {
        CHECK_VALID(exports->batch);
        CHECK_DONE(cosm_batch_destroy(exports->batch));
    }
    CHECK_DONE(cosm_engine_destroy(exports->engine));
    ledger_close(ledger);
}

// Defines a slot while the n-th request fails, then again without; two batches exist.
static void try_slot(uint32_t slot, uint32_t worlds) {
    bool refused = true;
    for (uint32_t n = 1; refused && n < ROUNDS; n++) {
        struct ledger ledger;
        struct exports exports;
        open_with(&exports, &ledger, worlds);
        cosm_batch *other = cosm_batch_create(exports.engine, NULL);
        spawn_some(&exports, 3);
        uint64_t before = cosm_hash_batch(exports.batch, COSM_HASH_EXACT);
        cosm_export_desc desc = exports_slot_desc(&exports, slot);
        ledger_refuse(&ledger, n, 1);
        cosm_result result = cosm_export_define(exports.engine, &desc);
        refused = ledger_relent(&ledger);
        if (result != COSM_OK) {
            CHECK_INT(result, COSM_ERROR_MEMORY);
            CHECK_INT(cosm_engine_describe(exports.engine).export_count, 0);
            CHECK(cosm_batch_tensor(exports.batch, slot) == NULL);
            CHECK(cosm_batch_tensor(other, slot) == NULL);
            CHECK_INT(cosm_export_find(exports.engine, desc.name), COSM_EXPORT_SLOT_NONE);
            CHECK_INT(cosm_batch_step(exports.batch), COSM_ERROR_MEMORY); // as of any definition
            CHECK_DONE(cosm_batch_step(exports.batch));
            CHECK_DONE(cosm_batch_trim(exports.batch));
            CHECK_DONE(cosm_export_define(exports.engine, &desc));
        } else {
            CHECK_INT(cosm_hash_batch(exports.batch, COSM_HASH_EXACT), before);
        }
        CHECK(cosm_batch_tensor(exports.batch, slot) != NULL);
        CHECK(cosm_batch_tensor(other, slot) != NULL);
        CHECK_DONE(cosm_batch_destroy(other));
        close_with(&exports, &ledger);
    }
    CHECK(!refused);
}

TEST(a_definition_that_finds_no_memory_leaves_nothing_behind) {
    for (uint32_t slot = 0; slot < SLOT_COUNT; slot++) {
        try_slot(slot, 2);
    }
    try_slot(SLOT_PAWN_POINT, 1);
    try_slot(SLOT_ALL_PUSH, 1);
}

TEST(a_batch_whose_tensors_find_no_memory_is_not_made) {
    bool refused = true;
    for (uint32_t n = 1; refused && n < ROUNDS; n++) {
        struct ledger ledger;
        struct exports exports;
        open_with(&exports, &ledger, 0);
        exports_export(&exports);
        ledger_refuse(&ledger, n, 1);
        cosm_batch *batch = cosm_batch_create(exports.engine, &(cosm_batch_desc){.world_count = 2});
        refused = ledger_relent(&ledger);
        if (batch == NULL) {
            CHECK_INT(cosm_error_result(), COSM_ERROR_MEMORY);
        } else {
            CHECK_DONE(cosm_batch_destroy(batch));
        }
        close_with(&exports, &ledger);
    }
    CHECK(!refused);
}

TEST(a_gather_that_finds_no_memory_leaves_tensors_as_they_were) {
    bool refused = true;
    for (uint32_t n = 1; refused && n < ROUNDS; n++) {
        struct ledger ledger;
        struct exports exports;
        open_with(&exports, &ledger, 2);
        exports_export(&exports);
        spawn_some(&exports, 3);
        CHECK_DONE(cosm_batch_gather(exports.batch));
        spawn_some(&exports, 5000);
        ledger_refuse(&ledger, n, 2);
        cosm_result result = cosm_batch_gather(exports.batch);
        refused = ledger_relent(&ledger);
        if (result != COSM_OK) {
            CHECK_INT(result, COSM_ERROR_MEMORY);
            CHECK_INT(cosm_batch_tensor(exports.batch, SLOT_PAWN_POINT)->shape[0], 6);
            CHECK_INT(cosm_batch_tensor(exports.batch, SLOT_ALL_ENTITY)->offsets[1], 3);
            CHECK_VALID(exports.batch);
            CHECK_DONE(cosm_batch_gather(exports.batch));
        }
        CHECK_ROWS(&exports, SLOT_PAWN_POINT);
        CHECK_ROWS(&exports, SLOT_ALL_ENTITY);
        close_with(&exports, &ledger);
    }
    CHECK(!refused);
}

TEST(a_pinned_table_that_finds_no_memory_stays_where_it_is) {
    bool refused = true;
    for (uint32_t n = 1; refused && n < ROUNDS; n++) {
        struct ledger ledger;
        struct exports exports;
        open_with(&exports, &ledger, 1);
        exports_export(&exports);
        const void *data = cosm_batch_tensor(exports.batch, SLOT_PAWN_POINT)->data;
        ledger_refuse(&ledger, n, 2);
        cosm_rows rows;
        cosm_result result =
            cosm_entity_spawn_many((cosm_world){exports.batch, 0}, exports.pawn, 20000, &rows);
        refused = ledger_relent(&ledger);
        CHECK(result == COSM_OK || result == COSM_ERROR_MEMORY);
        CHECK_DONE(cosm_batch_gather(exports.batch));
        CHECK(cosm_batch_tensor(exports.batch, SLOT_PAWN_POINT)->data == data);
        close_with(&exports, &ledger);
    }
    CHECK(!refused);
}

// Where the system has little address space, a pinned table reserves less, and ends there.
TEST(a_pinned_table_does_not_grow_past_what_was_reserved_for_it) {
    struct ledger ledger;
    struct exports exports;
    open_with(&exports, &ledger, 1);
    cosm_export_desc desc = exports_slot_desc(&exports, SLOT_PAWN_POINT);
    ledger.range_max = (size_t)1 << 20;
    CHECK_DONE(cosm_export_define(exports.engine, &desc));
    ledger.range_max = 0;
    const cosm_tensor *tensor = cosm_batch_tensor(exports.batch, SLOT_PAWN_POINT);
    const void *data = tensor->data;
    cosm_world world = {exports.batch, 0};
    cosm_rows rows;
    uint32_t count = 0;
    while (cosm_entity_spawn_many(world, exports.pawn, 1000, &rows) == COSM_OK && count < 1000000) {
        count += 1000;
    }
    CHECK(count > 10000 && count < 300000);
    CHECK_INT(cosm_error_result(), COSM_ERROR_MEMORY);
    CHECK(tensor->data == data);
    CHECK_INT(cosm_table_row_count(world, exports.pawn), count);
    cosm_error_clear();
    close_with(&exports, &ledger);
}

TEST(a_dlpack_tensor_that_finds_no_memory_is_not_made) {
    struct ledger ledger;
    struct exports exports;
    open_with(&exports, &ledger, 1);
    exports_export(&exports);
    for (uint32_t form = 0; form < 2; form++) {
        ledger_refuse(&ledger, 1, 1);
        CHECK((form == 0 ? (void *)cosm_dlpack_create(exports.batch, 0, NULL)
                         : (void *)cosm_dlpack_create_versioned(exports.batch, 0, NULL)) == NULL);
        CHECK(ledger_relent(&ledger));
        CHECK_INT(cosm_error_result(), COSM_ERROR_MEMORY);
        CHECK_INT(cosm_dlpack_count(exports.batch), 0);
    }
    close_with(&exports, &ledger);
}
