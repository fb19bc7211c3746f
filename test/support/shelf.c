// Bytes of a save file in memory.
#include "support/shelf.h"

#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"

void shelf_put(void *shelf_pointer, const char *bytes, size_t size) {
    struct shelf *shelf = shelf_pointer;
    if (size > shelf->capacity - shelf->size) {
        shelf->capacity = 2 * (shelf->size + size);
        shelf->bytes = realloc(shelf->bytes, shelf->capacity);
        if (shelf->bytes == NULL) {
            abort();
        }
    }
    memcpy(shelf->bytes + shelf->size, bytes, size);
    shelf->size += size;
}

void shelf_free(struct shelf *shelf) {
    free(shelf->bytes);
    *shelf = (struct shelf){.bytes = NULL};
}

void shelf_save(struct shelf *shelf, cosm_batch *batch, const cosm_save_desc *desc) {
    cosm_snapshot *snapshot = cosm_snapshot_create(cosm_worlds_all(batch));
    CHECK(snapshot != NULL);
    CHECK_DONE(cosm_save_write_to(snapshot, desc, shelf_put, shelf));
    cosm_snapshot_destroy(snapshot);
}

bool shelf_load(const struct shelf *shelf, cosm_batch *batch, const cosm_load_desc *desc,
                cosm_save_report *out_report) {
    cosm_snapshot *snapshot =
        cosm_save_read_bytes(cosm_batch_engine(batch), shelf->bytes, shelf->size, desc, out_report);
    if (snapshot == NULL) {
        return false;
    }
    bool done = cosm_snapshot_restore(snapshot, 0, cosm_worlds_all(batch)) == COSM_OK;
    cosm_snapshot_destroy(snapshot);
    CHECK_VALID(batch);
    return done;
}

void check_report(const char *file, int line, const cosm_save_report *actual,
                  const cosm_save_report *expected) {
    const struct {
        const char *name;
        uint64_t actual;
        uint64_t expected;
    } rows[] = {
        {"component_count", actual->component_count, expected->component_count},
        {"same_count", actual->same_count, expected->same_count},
        {"converted_count", actual->converted_count, expected->converted_count},
        {"unknown_count", actual->unknown_count, expected->unknown_count},
        {"added_count", actual->added_count, expected->added_count},
        {"removed_count", actual->removed_count, expected->removed_count},
        {"changed_count", actual->changed_count, expected->changed_count},
        {"renamed_count", actual->renamed_count, expected->renamed_count},
        {"migrated_count", actual->migrated_count, expected->migrated_count},
        {"dropped_count", actual->dropped_count, expected->dropped_count},
        {"clamped_count", actual->clamped_count, expected->clamped_count},
    };
    for (uint32_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        (void)harness_check_int(file, line, rows[i].name, harness_unsigned(rows[i].actual),
                                harness_unsigned(rows[i].expected));
    }
}
