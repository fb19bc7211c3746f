// Save files with new checksums.
#include "support/reseal.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "state/blocks.h"

struct sealed {
    unsigned char *bytes;
    size_t size;
};

static void take_sealed(void *context, const char *bytes, size_t size) {
    struct sealed *sealed = context;
    sealed->bytes = realloc(sealed->bytes, sealed->size + size);
    memcpy(sealed->bytes + sealed->size, bytes, size);
    sealed->size += size;
}

static uint64_t number_at(const unsigned char *bytes, size_t size) {
    uint64_t number = 0;
    memcpy(&number, bytes, size);
    return number;
}

unsigned char *reseal(const unsigned char *bytes, size_t size, size_t *out_size) {
    struct sealed sealed = {NULL, 0};
    struct memory memory;
    (void)cosmi_memory_init(&memory, &(cosm_allocator){.allocate = NULL}, 0);
    struct block_writer writer = {
        .write = take_sealed, .target = &sealed, .memory = &memory, .call = "reseal"};
    cosmi_blocks_begin(&writer, COSM_SAVE_FORMAT);
    for (size_t at = FILE_HEADER_SIZE; at < size && size - at >= BLOCK_HEADER_SIZE;) {
        const unsigned char *header = bytes + at;
        size_t left = size - at - BLOCK_HEADER_SIZE;
        uint64_t stored = number_at(header + 16, 8);
        size_t part_size = stored < left ? (size_t)stored : left;
        struct block_head head = {.tag = (uint32_t)number_at(header, 4),
                                  .stride = (uint32_t)number_at(header + 24, 4),
                                  .values = {number_at(header + 32, 8), number_at(header + 40, 8)}};
        if (head.tag == BLOCK_TAG_END) {
            break;
        }
        struct byte_part part = {header + BLOCK_HEADER_SIZE, part_size};
        (void)cosmi_blocks_put(&writer, &head, &part, 1);
        size_t step = BLOCK_HEADER_SIZE + align_up(part_size, BLOCK_ALIGNMENT);
        at += step < size - at ? step : size - at;
    }
    cosmi_blocks_end(&writer);
    *out_size = sealed.size;
    return sealed.bytes;
}
