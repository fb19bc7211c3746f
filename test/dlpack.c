// ctest: threads
// DLPack: what receivers find in the structs, and who may go when (cosm/export.h). The structs are
// told here once more, as DLPack's own header has them, so that a slip in the library's shows.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support/exports.h"
#include "support/fixture.h"

typedef struct {
    void *data;
    struct {
        int32_t device_type;
        int32_t device_id;
    } device;
    int32_t ndim;
    struct {
        uint8_t code;
        uint8_t bits;
        uint16_t lanes;
    } dtype;
    int64_t *shape;
    int64_t *strides;
    uint64_t byte_offset;
} Received;

struct DLManagedTensor {
    Received dl_tensor;
    void *manager_ctx;
    void (*deleter)(struct DLManagedTensor *self);
};

struct DLManagedTensorVersioned {
    struct {
        uint32_t major;
        uint32_t minor;
    } version;
    void *manager_ctx;
    void (*deleter)(struct DLManagedTensorVersioned *self);
    uint64_t flags;
    Received dl_tensor;
};

static void count_call(void *context) {
    ++*(uint32_t *)context;
}

static void check_received(const Received *received, const cosm_tensor *tensor, uint8_t code,
                           uint8_t bits) {
    CHECK(received->data == tensor->data);
    CHECK_INT(received->device.device_type, 1);
    CHECK_INT(received->device.device_id, 0);
    CHECK_INT(received->ndim, tensor->dim_count);
    CHECK_INT(received->dtype.code, code);
    CHECK_INT(received->dtype.bits, bits);
    CHECK_INT(received->dtype.lanes, 1);
    CHECK_INT(received->byte_offset, 0);
    for (uint32_t d = 0; d < tensor->dim_count; d++) {
        CHECK_INT(received->shape[d], tensor->shape[d]);
        CHECK_INT(received->strides[d] * (bits / 8), tensor->strides[d]);
    }
}

TEST(both_forms_show_data_shape_and_strides_in_scalars) {
    struct exports exports;
    exports_open(&exports, 5, 1);
    const struct {
        uint32_t slot;
        uint8_t code;
        uint8_t bits;
    } cases[] = {
        {SLOT_TILE_CHOICE, 0, 32}, {SLOT_TILE_POINT, 2, 32}, {SLOT_PAWN_ENTITY, 1, 32},
        {SLOT_ALL_PUSH, 2, 32},    {SLOT_GOAL, 1, 32},       {SLOT_SPIN_RATE, 2, 32},
    };
    for (uint32_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const cosm_tensor *tensor = cosm_batch_tensor(exports.batch, cases[i].slot);
        struct DLManagedTensor *legacy = cosm_dlpack_create(exports.batch, cases[i].slot, NULL);
        struct DLManagedTensorVersioned *versioned =
            cosm_dlpack_create_versioned(exports.batch, cases[i].slot, NULL);
        REQUIRE(legacy != NULL && versioned != NULL);
        CHECK_INT(cosm_dlpack_count(exports.batch), 2);
        check_received(&legacy->dl_tensor, tensor, cases[i].code, cases[i].bits);
        check_received(&versioned->dl_tensor, tensor, cases[i].code, cases[i].bits);
        CHECK_INT(versioned->version.major, 1);
        CHECK_INT(versioned->version.minor, 0);
        CHECK_INT(versioned->flags, 0);
        legacy->deleter(legacy);
        versioned->deleter(versioned);
        CHECK_INT(cosm_dlpack_count(exports.batch), 0);
    }
    exports_close(&exports);
}

TEST(the_versioned_form_says_that_a_tensor_is_only_to_be_read) {
    struct exports exports;
    exports_open(&exports, 1, 1);
    cosm_dlpack_desc desc = {.is_read_only = true};
    struct DLManagedTensorVersioned *versioned =
        cosm_dlpack_create_versioned(exports.batch, SLOT_PAWN_Y, &desc);
    REQUIRE(versioned != NULL);
    CHECK_INT(versioned->flags, 1);
    versioned->deleter(versioned);
    exports_close(&exports);
}

// Every type of scalar, in one component: exported field by field.
TEST(each_type_of_scalar_has_its_code_and_bool_is_told_as_u8) {
    static const struct {
        cosm_field_type type;
        uint8_t code;
        uint8_t bits;
        uint32_t dims; // of a value, behind worlds and rows
    } types[] = {
        {COSM_FIELD_I64, 0, 64, 0}, {COSM_FIELD_U64, 1, 64, 0}, {COSM_FIELD_F64, 2, 64, 0},
        {COSM_FIELD_I32, 0, 32, 0}, {COSM_FIELD_U32, 1, 32, 0}, {COSM_FIELD_F32, 2, 32, 0},
        {COSM_FIELD_I16, 0, 16, 0}, {COSM_FIELD_U16, 1, 16, 0}, {COSM_FIELD_I8, 0, 8, 0},
        {COSM_FIELD_U8, 1, 8, 0},   {COSM_FIELD_BOOL, 1, 8, 0}, {COSM_FIELD_ENTITY, 1, 32, 1},
        {COSM_FIELD_CHAR, 1, 8, 1},
    };
    enum { COUNT = sizeof(types) / sizeof(*types) };
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_field fields[COUNT];
    char names[COUNT][8];
    memset(fields, 0, sizeof(fields));
    for (uint32_t i = 0; i < COUNT; i++) {
        memcpy(names[i], "fa", 3);
        names[i][1] = (char)('a' + i);
        fields[i].name = names[i];
        fields[i].type = types[i].type;
        fields[i].dims[0] = types[i].type == COSM_FIELD_CHAR ? 6 : 0;
    }
    size_t size = 0;
    size_t alignment = 0;
    CHECK_DONE(cosm_field_place(fields, COUNT, &size, &alignment));
    cosm_component all = cosm_component_define(
        engine, &(cosm_component_desc){
                    .name = "All", .size = size, .fields = fields, .field_count = COUNT});
    cosm_archetype one = cosm_archetype_define(
        engine, &(cosm_archetype_desc){
                    .components = {all}, .placement = COSM_PLACEMENT_FIXED, .max_per_world = 2});
    cosm_batch *batch = cosm_batch_create(engine, &(cosm_batch_desc){.world_count = 3});
    for (uint32_t i = 0; i < COUNT; i++) {
        CHECK_DONE(cosm_export_define(engine, &(cosm_export_desc){.slot = i,
                                                                  .name = names[i],
                                                                  .archetype = one,
                                                                  .component = all,
                                                                  .field = names[i]}));
        struct DLManagedTensor *managed = cosm_dlpack_create(batch, i, NULL);
        REQUIRE(managed != NULL);
        check_received(&managed->dl_tensor, cosm_batch_tensor(batch, i), types[i].code,
                       types[i].bits);
        CHECK_INT(managed->dl_tensor.ndim, 2 + types[i].dims);
        managed->deleter(managed);
    }
    CHECK_DONE(cosm_batch_destroy(batch));
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(a_tensor_shows_the_shape_that_the_slot_had_when_it_was_made) {
    struct exports exports;
    exports_open(&exports, 2, 1);
    struct DLManagedTensor *before = cosm_dlpack_create(exports.batch, SLOT_PAWN_POINT, NULL);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many((cosm_world){exports.batch, 1}, exports.pawn, 1000, &rows));
    CHECK_DONE(cosm_batch_gather(exports.batch));
    struct DLManagedTensor *after = cosm_dlpack_create(exports.batch, SLOT_PAWN_POINT, NULL);
    CHECK_INT(before->dl_tensor.shape[0], 0);
    CHECK_INT(after->dl_tensor.shape[0], 1000);
    CHECK(before->dl_tensor.data == after->dl_tensor.data);
    before->deleter(before);
    after->deleter(after);
    exports_close(&exports);
}

TEST(a_batch_cannot_be_destroyed_while_its_tensors_are_held) {
    struct exports exports;
    exports_open(&exports, 1, 1);
    uint32_t calls = 0;
    cosm_dlpack_desc desc = {.release = count_call, .context = &calls};
    struct DLManagedTensor *legacy = cosm_dlpack_create(exports.batch, SLOT_GOAL, &desc);
    struct DLManagedTensorVersioned *versioned =
        cosm_dlpack_create_versioned(exports.batch, SLOT_GOAL, &desc);
    CHECK_FAILS(cosm_batch_destroy(exports.batch), COSM_ERROR_BUSY, "cosm_batch_destroy",
                "2 tensors", "deleter");
    legacy->deleter(legacy);
    CHECK_INT(calls, 1);
    CHECK_FAILS(cosm_batch_destroy(exports.batch), COSM_ERROR_BUSY, "cosm_batch_destroy",
                "1 tensors", "deleter");
    CHECK_DONE(cosm_batch_step(exports.batch));
    versioned->deleter(versioned);
    CHECK_INT(calls, 2);
    exports_close(&exports);
}

static void destroy_batch(void *context) {
    CHECK_DONE(cosm_batch_destroy(context));
}

TEST(the_release_of_the_last_tensor_may_destroy_the_batch) {
    struct exports exports;
    exports_open(&exports, 1, 1);
    cosm_dlpack_desc desc = {.release = destroy_batch, .context = exports.batch};
    struct DLManagedTensor *managed = cosm_dlpack_create(exports.batch, SLOT_GOAL, &desc);
    managed->deleter(managed);
    CHECK_DONE(cosm_engine_destroy(exports.engine));
}

TEST(what_cannot_be_made_is_refused_and_nothing_is_released) {
    struct exports exports;
    exports_open(&exports, 1, 1);
    uint32_t calls = 0;
    cosm_dlpack_desc desc = {.release = count_call, .context = &calls};
    CHECK(cosm_dlpack_create(NULL, 0, &desc) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_dlpack_create", "batch", "cosm_batch_create");
    CHECK(cosm_dlpack_create(exports.batch, 200, &desc) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_dlpack_create", "slot 200", "cosm_export_define");
    CHECK(cosm_dlpack_create_versioned(exports.batch, COSM_EXPORT_SLOT_NONE, &desc) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_dlpack_create_versioned", "slot 4294967295",
                  "cosm_export_define");
    CHECK_INT(calls, 0);
    CHECK_INT(cosm_dlpack_count(exports.batch), 0);
    CHECK_INT(cosm_dlpack_count(NULL), 0);
    exports_close(&exports);
}

TEST(values_that_are_not_a_whole_number_of_scalars_apart_are_refused) {
    static const cosm_field fields[] = {
        {.name = "far", .type = COSM_FIELD_F64, .offset = 0, .alignment = 4},
        {.name = "near", .type = COSM_FIELD_U32, .offset = 8}};
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_singleton odd = cosm_singleton_define(
        engine, &(cosm_singleton_desc){
                    .name = "Odd", .size = 12, .alignment = 4, .fields = fields, .field_count = 2});
    REQUIRE(odd.id != 0);
    CHECK_DONE(cosm_export_define(
        engine, &(cosm_export_desc){.name = "far", .singleton = odd, .field = "far"}));
    cosm_batch *batch = cosm_batch_create(engine, &(cosm_batch_desc){.world_count = 2});
    CHECK(cosm_dlpack_create(batch, 0, NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_dlpack_create", "12 bytes", "pad");
    CHECK_DONE(cosm_batch_destroy(batch));
    CHECK_DONE(cosm_engine_destroy(engine));
}

struct held {
    struct DLManagedTensor *tensors[64];
};

static void *give_all_back(void *context) {
    struct held *held = context;
    for (uint32_t i = 0; i < 64; i++) {
        ((int32_t *)held->tensors[i]->dl_tensor.data)[0] = 0;
        held->tensors[i]->deleter(held->tensors[i]);
    }
    return NULL;
}

TEST(tensors_are_given_back_from_any_thread) {
    struct exports exports;
    exports_open(&exports, 4, 1);
    struct held held[4];
    pthread_t threads[4];
    for (uint32_t t = 0; t < 4; t++) {
        for (uint32_t i = 0; i < 64; i++) {
            held[t].tensors[i] = cosm_dlpack_create(exports.batch, t, NULL);
        }
    }
    for (uint32_t t = 0; t < 4; t++) {
        CHECK_INT(pthread_create(&threads[t], NULL, give_all_back, &held[t]), 0);
    }
    for (uint32_t t = 0; t < 4; t++) {
        CHECK_INT(pthread_join(threads[t], NULL), 0);
    }
    CHECK_INT(cosm_dlpack_count(exports.batch), 0);
    exports_close(&exports);
}
