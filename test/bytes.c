// Bytes on their way out and in: what is written is read, and nothing past the end is.
#include "base/bytes.h"
#include "harness.h"
#include "support/fixture.h"

#include <string.h>

TEST(what_is_written_is_read_in_the_same_order) {
    struct memory memory;
    CHECK(cosmi_memory_init(&memory, &(cosm_allocator){.context = NULL}, 0));
    struct byte_writer writer;
    cosmi_writer_init(&writer, &memory);
    static const uint64_t numbers[] = {0, 1, 127, 128, 16383, 16384, UINT32_MAX, UINT64_MAX};
    for (size_t i = 0; i < 8; i++) {
        cosmi_write_short(&writer, numbers[i]);
        cosmi_write_u64(&writer, numbers[i]);
        cosmi_write_u32(&writer, (uint32_t)numbers[i]);
    }
    cosmi_write_u8(&writer, 200);
    cosmi_write_text(&writer, "text");
    cosmi_write_text(&writer, "");
    cosmi_write_text(&writer, NULL);
    cosmi_write_align(&writer, 64);
    CHECK_INT(writer.size % 64, 0);
    CHECK(!writer.failed);
    struct byte_reader reader = reader_of(writer.bytes, writer.size);
    for (size_t i = 0; i < 8; i++) {
        CHECK_INT(cosmi_read_short(&reader), numbers[i]);
        CHECK_INT(cosmi_read_u64(&reader), numbers[i]);
        CHECK_INT(cosmi_read_u32(&reader), (uint32_t)numbers[i]);
    }
    CHECK_INT(cosmi_read_u8(&reader), 200);
    CHECK_STR(cosmi_read_text(&reader), "text");
    CHECK_STR(cosmi_read_text(&reader), "");
    CHECK(cosmi_read_text(&reader) == NULL);
    CHECK(!reader.failed);
    CHECK(cosmi_read_bytes(&reader, reader_left(&reader) + 1) == NULL);
    CHECK(reader.failed);
    CHECK_INT(cosmi_read_u8(&reader), 0);
    cosmi_writer_free(&writer);
    CHECK_INT(atomic_load(&memory.used), 0);
}

TEST(numbers_that_are_none_fail) {
    static const unsigned char endless[] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                                            0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
    struct byte_reader reader = reader_of(endless, sizeof(endless));
    CHECK_INT(cosmi_read_short(&reader), 0);
    CHECK(reader.failed);
    static const unsigned char large[] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2};
    reader = reader_of(large, sizeof(large));
    CHECK_INT(cosmi_read_short(&reader), 0);
    CHECK(reader.failed);
    reader = reader_of("\x05", 1);
    CHECK_INT(cosmi_read_short_max(&reader, 4), 0);
    CHECK(reader.failed);
    reader = reader_of("\x05text", 5);
    CHECK(cosmi_read_text(&reader) == NULL);
    CHECK(reader.failed);
    reader = reader_of("\x04t\0xt", 5);
    CHECK(cosmi_read_text(&reader) == NULL);
    CHECK(reader.failed);
}

TEST(a_writer_without_memory_fails_and_stays_so) {
    struct memory memory;
    CHECK(cosmi_memory_init(&memory, &(cosm_allocator){.context = NULL}, 1000));
    struct byte_writer writer;
    cosmi_writer_init(&writer, &memory);
    char bytes[700];
    memset(bytes, 1, sizeof(bytes));
    cosmi_write_bytes(&writer, bytes, 200);
    CHECK(!writer.failed);
    cosmi_write_bytes(&writer, bytes, sizeof(bytes));
    CHECK(writer.failed);
    CHECK_INT(writer.size, 200);
    cosmi_write_u8(&writer, 1);
    CHECK_INT(writer.size, 200);
    cosmi_writer_free(&writer);
}
