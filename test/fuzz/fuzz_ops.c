// Fuzzes the public interface with the operations of the model test: the input is a program of
// 16-byte records, and the oracle says whether the library did the right thing.
#include <stdlib.h>

#include "model/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct model_program program;
    struct model_options options = {.fault = MODEL_FAULT_NONE};
    struct model_result result;
    model_program_from_bytes(&program, data, size);
    model_run(&program, &options, &result);
    if (result.failed) {
        model_print(&program, &options, stderr);
        abort();
    }
    model_program_free(&program);
    return 0;
}
