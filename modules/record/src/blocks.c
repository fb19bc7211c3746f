// Recordings as files: blocks written, and found again.
#include "blocks.h"

#include <cosm/error.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Read in the byte order that it was written in, it is itself.
#define BYTE_ORDER_MARK 0x01020304u

// Packed bytes may say that they become this many times as many, and so many more: what a few bytes
// of a file may have us allocate.
#define UNPACKED_RATIO_MAX ((uint64_t)1024)
#define UNPACKED_FREE_BYTES ((uint64_t)1 << 20)

#define FILE_HEADER_BYTES (sizeof(struct record_file_header))
#define BLOCK_HEADER_BYTES (sizeof(struct record_block_header))

static const unsigned char record_magic[8] = {'C', 'O', 'S', 'M', 'R', 'E', 'C', 0x1A};

_Static_assert(sizeof(struct record_file_header) == 64, "blocks begin at multiples of 64");
_Static_assert(sizeof(struct record_block_header) == 64, "contents begin at multiples of 64");

static size_t padded(size_t size) {
    return (size + RECORD_ALIGNMENT - 1) & ~(RECORD_ALIGNMENT - 1);
}

// Each step can be undone, so that one wrong word always makes another sum.
static uint64_t sum_word(uint64_t sum, uint64_t word) {
    sum = (sum ^ word) * 0x9E3779B97F4A7C15u;
    return sum ^ sum >> 32;
}

#define SUM_LANES 4u

// In lanes, since a multiplication takes longer than reading what it is to multiply.
uint64_t cosmi_record_sum(uint64_t sum, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    uint64_t lanes[SUM_LANES] = {size, 1, 2, 3};
    uint64_t words[SUM_LANES];
    for (; size >= sizeof(words); size -= sizeof(words), at += sizeof(words)) {
        memcpy(words, at, sizeof(words));
        for (uint32_t i = 0; i < SUM_LANES; i++) {
            lanes[i] = sum_word(lanes[i], words[i]);
        }
    }
    memset(words, 0, sizeof(words));
    if (size > 0) {
        memcpy(words, at, size);
    }
    for (uint32_t i = 0; i < SUM_LANES; i++) {
        sum = sum_word(sum, sum_word(lanes[i], words[i]));
    }
    return sum;
}

static uint64_t block_sum(const struct record_block_header *head, const void *stored) {
    uint64_t sum = cosmi_record_sum(0, head, BLOCK_HEADER_BYTES - sizeof(head->sum));
    return cosmi_record_sum(sum, stored, (size_t)head->stored_size);
}

cosm_result cosmi_record_fail_memory(const cosm_engine *engine, const char *call) {
    return cosm_error_raise(engine, COSM_ERROR_MEMORY,
                            "%s: out of memory from the C library; free some, or record less",
                            call);
}

void cosmi_record_append(void *target, const char *text, size_t size) {
    struct record_bytes *out = target;
    if (out->capacity - out->size < size && !out->failed) {
        size_t capacity = out->capacity + out->capacity / 2 + size;
        unsigned char *bytes = realloc(out->bytes, capacity);
        out->failed = bytes == NULL;
        out->bytes = bytes == NULL ? out->bytes : bytes;
        out->capacity = bytes == NULL ? out->capacity : capacity;
    }
    if (!out->failed && size > 0) {
        memcpy(out->bytes + out->size, text, size);
        out->size += size;
    }
}

static void write_out(struct record_writer *writer, const void *bytes, size_t size) {
    if (size > 0 && !writer->failed) {
        writer->failed = fwrite(bytes, 1, size, writer->file) != size;
        writer->offset += size;
    }
}

static cosm_result check_written(const struct record_writer *writer) {
    return !writer->failed
               ? COSM_OK
               : cosm_error_raise(writer->engine, COSM_ERROR_IO,
                                  "%s: cannot write the recording: %s; check that the folder "
                                  "exists, is writable and has free space",
                                  writer->call, strerror(errno));
}

cosm_result cosmi_record_create_file(struct record_writer *writer, const char *path) {
    struct record_file_header header = {.format = RECORD_FORMAT, .byte_order = BYTE_ORDER_MARK};
    memcpy(header.magic, record_magic, sizeof(record_magic));
    // Names are checked by who saves the first state with this codec.
    (void)snprintf(header.codec, sizeof(header.codec), "%s",
                   writer->codec == NULL ? "" : writer->codec->name);
    header.sum = cosmi_record_sum(0, &header, FILE_HEADER_BYTES - sizeof(header.sum));
    writer->file = fopen(path, "wb");
    if (writer->file == NULL) {
        return cosm_error_raise(writer->engine, COSM_ERROR_IO,
                                "%s: cannot create '%s': %s; check that the folder exists and is "
                                "writable",
                                writer->call, path, strerror(errno));
    }
    write_out(writer, &header, sizeof(header));
    return COSM_OK;
}

// Packs bytes if that makes them smaller; else `out_packed` is NULL.
static cosm_result pack(const struct record_writer *writer, const void *bytes, size_t size,
                        void **out_packed, size_t *out_size) {
    const cosm_codec *codec = writer->codec;
    *out_packed = NULL;
    if (codec == NULL || size == 0) {
        return COSM_OK;
    }
    size_t room = codec->bound(codec->context, size);
    void *packed = malloc(room);
    if (packed == NULL) {
        return cosmi_record_fail_memory(writer->engine, writer->call);
    }
    *out_size = codec->pack(codec->context, bytes, size, 1, packed, room);
    // So that a reader believes the sizes: what packs better than that is stored as it is.
    bool is_credible = size <= UNPACKED_RATIO_MAX * *out_size + UNPACKED_FREE_BYTES;
    if (*out_size == 0 || *out_size >= size || !is_credible) {
        free(packed);
        packed = NULL;
    }
    *out_packed = packed;
    return COSM_OK;
}

cosm_result cosmi_record_put(struct record_writer *writer, uint32_t tag, const uint64_t values[2],
                             const void *bytes, size_t size, bool packs) {
    static const unsigned char zeroes[64];
    void *packed = NULL;
    size_t stored_size = size;
    cosm_result result = packs ? pack(writer, bytes, size, &packed, &stored_size) : COSM_OK;
    if (result != COSM_OK) {
        return result;
    }
    stored_size = packed == NULL ? size : stored_size;
    const void *stored = packed == NULL ? bytes : packed;
    struct record_block_header head = {
        .tag = tag,
        .is_packed = packed != NULL,
        .size = size,
        .stored_size = stored_size,
        .values = {values[0], values[1]},
        .number = writer->number,
    };
    head.sum = block_sum(&head, stored);
    write_out(writer, &head, sizeof(head));
    write_out(writer, stored, stored_size);
    write_out(writer, zeroes, padded(stored_size) - stored_size);
    writer->number++;
    writer->failed = writer->failed || fflush(writer->file) != 0;
    result = check_written(writer);
    free(packed);
    return result;
}

cosm_result cosmi_record_close_file(struct record_writer *writer, bool is_whole) {
    static const uint64_t none[2];
    cosm_result result =
        is_whole ? cosmi_record_put(writer, RECORD_TAG_END, none, "", 0, false) : COSM_OK;
    bool is_closed = fclose(writer->file) == 0;
    writer->failed = writer->failed || !is_closed;
    return result == COSM_OK ? check_written(writer) : result;
}

static cosm_result refuse_file(const struct record_reader *reader, const char *what) {
    return cosm_error_raise(reader->engine, COSM_ERROR_FORMAT,
                            "%s: file header: %s; use a complete recording written by Cosm",
                            reader->call, what);
}

// NULL, or what is wrong with it.
static const char *header_fault(const struct record_file_header *header) {
    if (header->sum != cosmi_record_sum(0, header, FILE_HEADER_BYTES - sizeof(header->sum))) {
        return "its checksum is wrong";
    }
    if (header->byte_order != BYTE_ORDER_MARK) {
        return "it was written on a machine with another byte order";
    }
    if (header->format == 0 || header->format > RECORD_FORMAT) {
        return "it was written by a newer version of Cosm";
    }
    return header->codec[sizeof(header->codec) - 1] == '\0'
               ? NULL
               : "the name of its codec is not terminated";
}

cosm_result cosmi_record_open_file(struct record_reader *reader, const cosm_load_desc *desc) {
    struct record_file_header header;
    if (reader->size < sizeof(record_magic) ||
        memcmp(reader->bytes, record_magic, sizeof(record_magic)) != 0) {
        return refuse_file(reader, "the first 8 bytes are not those of a recording");
    }
    if (reader->size < FILE_HEADER_BYTES) {
        return refuse_file(reader, "it is truncated");
    }
    memcpy(&header, reader->bytes, sizeof(header));
    const char *fault = header_fault(&header);
    if (fault != NULL) {
        return refuse_file(reader, fault);
    }
    memcpy(reader->codec_name, header.codec, sizeof(header.codec));
    for (uint32_t i = 0; i < desc->codec_count && reader->codec == NULL; i++) {
        const cosm_codec *codec = &desc->codecs[i];
        bool is_it = codec->name != NULL && strcmp(codec->name, reader->codec_name) == 0;
        reader->codec = is_it && codec->unpack != NULL ? codec : NULL;
    }
    reader->at = FILE_HEADER_BYTES;
    return COSM_OK;
}

cosm_result cosmi_record_refuse(const struct record_reader *reader,
                                const struct record_block *block, const char *what) {
    char tag[5] = "";
    for (uint32_t i = 0; i < 4; i++) {
        unsigned char c = (unsigned char)(block->head.tag >> (8 * i));
        tag[i] = (char)(c >= 0x20 && c < 0x7F ? c : '?');
    }
    return cosm_error_raise(reader->engine, COSM_ERROR_FORMAT,
                            "%s: block %u '%s' at byte %zu: %s; the recording is damaged: use "
                            "another copy",
                            reader->call, reader->number, tag, block->offset, what);
}

// NULL, or what is wrong with the header. `out_is_cut`: so that the file may end here.
static const char *head_fault(const struct record_block_header *head, size_t left,
                              bool *out_is_cut) {
    // Some systems leave zeroes where a file was made longer and not written.
    *out_is_cut = head->tag == 0 && head->stored_size == 0;
    if (head->is_packed > 1 || (head->is_packed == 0 && head->size != head->stored_size)) {
        return "its header is wrong";
    }
    if (head->stored_size > left || padded((size_t)head->stored_size) > left) {
        *out_is_cut = true;
        return "it has fewer bytes than its header states";
    }
    return head->size > UNPACKED_RATIO_MAX * head->stored_size + UNPACKED_FREE_BYTES &&
                   head->is_packed
               ? "its unpacked size is too large"
               : NULL;
}

static const char *content_fault(const struct record_reader *reader,
                                 const struct record_block *block) {
    const struct record_block_header *head = &block->head;
    if (head->sum != block_sum(head, block->stored)) {
        return "its checksum is wrong";
    }
    if (head->number != reader->number) {
        return "its number is that of another block";
    }
    for (size_t i = (size_t)head->stored_size; i < padded((size_t)head->stored_size); i++) {
        if (block->stored[i] != 0) {
            return "there are bytes between it and the next block";
        }
    }
    return NULL;
}

// The same for all of the block at the reader.
static const char *read_block(const struct record_reader *reader, struct record_block *block,
                              bool *out_is_cut) {
    size_t left = reader->size - reader->at;
    *block = (struct record_block){.offset = reader->at};
    *out_is_cut = true;
    if (left < BLOCK_HEADER_BYTES) {
        return "its header is truncated";
    }
    memcpy(&block->head, reader->bytes + reader->at, BLOCK_HEADER_BYTES);
    block->stored = reader->bytes + reader->at + BLOCK_HEADER_BYTES;
    left -= BLOCK_HEADER_BYTES;
    const char *fault = head_fault(&block->head, left, out_is_cut);
    if (fault == NULL) {
        fault = content_fault(reader, block);
        *out_is_cut = padded((size_t)block->head.stored_size) == left;
    }
    return fault;
}

cosm_result cosmi_record_next(struct record_reader *reader, struct record_block *out_block) {
    bool is_cut = false;
    if (reader->is_finished) {
        return COSM_OK;
    }
    const char *fault = read_block(reader, out_block, &is_cut);
    if (fault != NULL && !is_cut) {
        return cosmi_record_refuse(reader, out_block, fault);
    }
    reader->is_closed = fault == NULL && out_block->head.tag == RECORD_TAG_END;
    reader->is_finished = fault != NULL || reader->is_closed;
    if (!reader->is_finished) {
        reader->at += BLOCK_HEADER_BYTES + padded((size_t)out_block->head.stored_size);
        reader->number++;
    }
    return COSM_OK;
}

cosm_result cosmi_record_unpack(const struct record_reader *reader,
                                const struct record_block *block,
                                struct record_content *out_content) {
    const cosm_codec *codec = reader->codec;
    size_t size = (size_t)block->head.size;
    *out_content = (struct record_content){block->stored, size, NULL};
    if (!block->head.is_packed) {
        return COSM_OK;
    }
    if (codec == NULL) {
        return cosm_error_raise(reader->engine, COSM_ERROR_ARGUMENT,
                                "%s: block %u is packed with codec '%s', which was not passed; add "
                                "it to desc.codecs",
                                reader->call, block->head.number, reader->codec_name);
    }
    void *bytes = malloc(size + 1);
    if (bytes == NULL) {
        return cosmi_record_fail_memory(reader->engine, reader->call);
    }
    if (codec->unpack(codec->context, block->stored, (size_t)block->head.stored_size, 1, bytes,
                      size) != size) {
        free(bytes);
        return cosmi_record_refuse(reader, block, "it cannot be unpacked");
    }
    *out_content = (struct record_content){bytes, size, bytes};
    return COSM_OK;
}
