// Bytes on their way out and in: a buffer that grows, and a reader that never looks past the end.
//
// Numbers are little-endian; the short form takes seven bits a byte. A reader that was asked for
// more than there is, or met a number that is none, has failed: from then on it gives zeroes, so it
// is enough to look at the end.
#ifndef COSM_BASE_BYTES_H
#define COSM_BASE_BYTES_H

#include "base/memory.h"

// Once memory has run out it stays `failed`, and nothing is written any more.
struct byte_writer {
    struct memory *memory;
    unsigned char *bytes;
    size_t size;
    size_t capacity;
    bool failed;
};

void cosmi_writer_init(struct byte_writer *writer, struct memory *memory);
void cosmi_writer_free(struct byte_writer *writer);
void cosmi_write_bytes(struct byte_writer *writer, const void *bytes, size_t size);
void cosmi_write_u8(struct byte_writer *writer, uint8_t value);
void cosmi_write_u32(struct byte_writer *writer, uint32_t value);
void cosmi_write_u64(struct byte_writer *writer, uint64_t value);
void cosmi_write_short(struct byte_writer *writer, uint64_t value);  // 1 to 10 bytes
void cosmi_write_text(struct byte_writer *writer, const char *text); // NULL is kept apart from ""

// Room for bytes that the caller fills in; NULL when out of memory. Good until the next write.
void *cosmi_write_room(struct byte_writer *writer, size_t size);

// Adds zeroes until the size is a multiple of `alignment`.
void cosmi_write_align(struct byte_writer *writer, size_t alignment);

struct byte_reader {
    const unsigned char *bytes;
    size_t size;
    size_t at; // at most size
    bool failed;
};

static inline struct byte_reader reader_of(const void *bytes, size_t size) {
    return (struct byte_reader){.bytes = bytes, .size = size, .at = 0, .failed = false};
}

static inline size_t reader_left(const struct byte_reader *reader) {
    return reader->size - reader->at;
}

// The next `size` bytes where they lie, or NULL where there are not so many.
const void *cosmi_read_bytes(struct byte_reader *reader, size_t size);
uint8_t cosmi_read_u8(struct byte_reader *reader);
uint32_t cosmi_read_u32(struct byte_reader *reader);
uint64_t cosmi_read_u64(struct byte_reader *reader);
uint64_t cosmi_read_short(struct byte_reader *reader);

// The same where more than `max` is a failure.
uint32_t cosmi_read_short_max(struct byte_reader *reader, uint32_t max);

// A text where it lies, with its zero; NULL for one that is none, and on failure.
const char *cosmi_read_text(struct byte_reader *reader);

#endif
