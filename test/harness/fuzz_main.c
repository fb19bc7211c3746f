// The main of a fuzz target where libFuzzer is not there.
//
// Runs the target over the files named on the command line or, without any, over a fixed
// number of made-up inputs, so that every ordinary test run exercises the fuzz targets a little
// and a crash that libFuzzer found can be repeated under any compiler or debugger.
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INPUT_SIZE_MAX 4096
#define FILE_SIZE_MAX (1 << 20)
#define INPUT_COUNT 300

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// splitmix64: small, and the same everywhere.
static uint64_t next_random(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// An exact-size copy on the heap lets the address sanitizer see a read past the end.
static void run_input(const uint8_t *bytes, size_t size) {
    uint8_t *copy = malloc(size > 0 ? size : 1);
    if (copy == NULL) {
        abort();
    }
    memcpy(copy, bytes, size);
    (void)LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static int run_file(const char *path) {
    static uint8_t bytes[FILE_SIZE_MAX];
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "cannot open %s\n", path);
        return 1;
    }
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    run_input(bytes, size);
    return 0;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (run_file(argv[i]) != 0) {
            return 1;
        }
    }
    uint64_t state = 1;
    uint8_t bytes[INPUT_SIZE_MAX];
    int count = argc > 1 ? 0 : INPUT_COUNT;
    for (int i = 0; i < count; i++) {
        // Mostly short inputs, now and then a long one; half of them of small byte values, which
        // is where operation codes are.
        size_t size = (size_t)(next_random(&state) % (i % 8 == 0 ? INPUT_SIZE_MAX : 256));
        uint8_t mask = i % 2 == 0 ? 0xff : 0x1f;
        for (size_t j = 0; j < size; j++) {
            bytes[j] = (uint8_t)(next_random(&state) & mask);
        }
        run_input(bytes, size);
    }
    printf("%d files, %d made-up inputs\n", argc - 1, count);
    return 0;
}
