// Bytes on their way out and in.
#include "base/bytes.h"

#include <string.h>

#define WRITER_FIRST ((size_t)256)
#define WRITER_ALIGNMENT ((size_t)64)

void cosmi_writer_init(struct byte_writer *writer, struct memory *memory) {
    *writer = (struct byte_writer){.memory = memory};
}

void cosmi_writer_free(struct byte_writer *writer) {
    cosmi_memory_free(writer->memory, writer->bytes, writer->capacity, WRITER_ALIGNMENT);
    *writer = (struct byte_writer){.memory = writer->memory};
}

static bool grow_writer(struct byte_writer *writer, size_t need) {
    size_t capacity = writer->capacity < WRITER_FIRST ? WRITER_FIRST : writer->capacity;
    while (capacity < need) {
        if (capacity > SIZE_MAX / 2) {
            return false;
        }
        capacity *= 2;
    }
    unsigned char *bytes = cosmi_memory_alloc(writer->memory, capacity, WRITER_ALIGNMENT);
    if (bytes == NULL) {
        return false;
    }
    if (writer->size > 0) {
        memcpy(bytes, writer->bytes, writer->size);
    }
    cosmi_memory_free(writer->memory, writer->bytes, writer->capacity, WRITER_ALIGNMENT);
    writer->bytes = bytes;
    writer->capacity = capacity;
    return true;
}

void *cosmi_write_room(struct byte_writer *writer, size_t size) {
    if (writer->failed || size > SIZE_MAX - writer->size) {
        writer->failed = true;
        return NULL;
    }
    if (size > writer->capacity - writer->size && !grow_writer(writer, writer->size + size)) {
        writer->failed = true;
        return NULL;
    }
    void *room = writer->bytes + writer->size;
    writer->size += size;
    return room;
}

void cosmi_write_bytes(struct byte_writer *writer, const void *bytes, size_t size) {
    void *room = size == 0 ? NULL : cosmi_write_room(writer, size);
    if (room != NULL) {
        memcpy(room, bytes, size);
    }
}

void cosmi_write_u8(struct byte_writer *writer, uint8_t value) {
    cosmi_write_bytes(writer, &value, 1);
}

void cosmi_write_u32(struct byte_writer *writer, uint32_t value) {
    unsigned char bytes[4];
    for (uint32_t i = 0; i < 4; i++) {
        bytes[i] = (unsigned char)(value >> (8 * i));
    }
    cosmi_write_bytes(writer, bytes, sizeof(bytes));
}

void cosmi_write_u64(struct byte_writer *writer, uint64_t value) {
    cosmi_write_u32(writer, (uint32_t)value);
    cosmi_write_u32(writer, (uint32_t)(value >> 32));
}

void cosmi_write_short(struct byte_writer *writer, uint64_t value) {
    while (value >= 0x80) {
        cosmi_write_u8(writer, (uint8_t)(value | 0x80));
        value >>= 7;
    }
    cosmi_write_u8(writer, (uint8_t)value);
}

void cosmi_write_text(struct byte_writer *writer, const char *text) {
    size_t length = text == NULL ? 0 : strlen(text) + 1;
    cosmi_write_short(writer, length);
    cosmi_write_bytes(writer, text, length);
}

void cosmi_write_align(struct byte_writer *writer, size_t alignment) {
    size_t over = writer->size % alignment;
    void *room = over == 0 ? NULL : cosmi_write_room(writer, alignment - over);
    if (room != NULL) {
        memset(room, 0, alignment - over);
    }
}

const void *cosmi_read_bytes(struct byte_reader *reader, size_t size) {
    if (reader->failed || size > reader_left(reader)) {
        reader->failed = true;
        return NULL;
    }
    const void *bytes = reader->bytes + reader->at;
    reader->at += size;
    return bytes;
}

uint8_t cosmi_read_u8(struct byte_reader *reader) {
    const uint8_t *byte = cosmi_read_bytes(reader, 1);
    return byte == NULL ? 0 : *byte;
}

uint32_t cosmi_read_u32(struct byte_reader *reader) {
    const uint8_t *bytes = cosmi_read_bytes(reader, 4);
    uint32_t value = 0;
    for (uint32_t i = 0; bytes != NULL && i < 4; i++) {
        value |= (uint32_t)bytes[i] << (8 * i);
    }
    return value;
}

uint64_t cosmi_read_u64(struct byte_reader *reader) {
    uint64_t low = cosmi_read_u32(reader);
    return low | (uint64_t)cosmi_read_u32(reader) << 32;
}

uint64_t cosmi_read_short(struct byte_reader *reader) {
    uint64_t value = 0;
    for (uint32_t shift = 0; shift < 64; shift += 7) {
        uint8_t byte = cosmi_read_u8(reader);
        if (shift == 63 && byte > 1) {
            break;
        }
        value |= (uint64_t)(byte & 0x7F) << shift;
        if ((byte & 0x80) == 0) {
            return reader->failed ? 0 : value;
        }
    }
    reader->failed = true;
    return 0;
}

uint32_t cosmi_read_short_max(struct byte_reader *reader, uint32_t max) {
    uint64_t value = cosmi_read_short(reader);
    if (value > max) {
        reader->failed = true;
        return 0;
    }
    return (uint32_t)value;
}

const char *cosmi_read_text(struct byte_reader *reader) {
    uint64_t length = cosmi_read_short(reader);
    if (length == 0 || length > reader_left(reader)) {
        reader->failed = reader->failed || length > 0;
        return NULL;
    }
    const char *text = cosmi_read_bytes(reader, (size_t)length);
    if (text == NULL || text[length - 1] != '\0' ||
        memchr(text, 0, (size_t)length) != text + length - 1) {
        reader->failed = true;
        return NULL;
    }
    return text;
}
