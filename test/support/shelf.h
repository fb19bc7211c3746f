// Bytes of a save file in memory, and a batch that goes there and back.
#ifndef COSM_TEST_SHELF_H
#define COSM_TEST_SHELF_H

#include <cosm/cosm.h>

struct shelf {
    char *bytes;
    size_t size;
    size_t capacity;
};

// cosm_text_fn: puts bytes behind those that are there.
void shelf_put(void *shelf, const char *bytes, size_t size);
void shelf_free(struct shelf *shelf);

// Saves all worlds of a batch.
void shelf_save(struct shelf *shelf, cosm_batch *batch, const cosm_save_desc *desc);

// Reads what was saved to all worlds of a batch. False, with a message, where that fails.
bool shelf_load(const struct shelf *shelf, cosm_batch *batch, const cosm_load_desc *desc,
                cosm_save_report *out_report);

// Checks all of a report but the format.
void check_report(const char *file, int line, const cosm_save_report *actual,
                  const cosm_save_report *expected);
#define CHECK_REPORT(actual, ...)                                                                  \
    do {                                                                                           \
        cosm_save_report expected_report = {__VA_ARGS__};                                          \
        check_report(__FILE__, __LINE__, (actual), &expected_report);                              \
    } while (0)

#endif
