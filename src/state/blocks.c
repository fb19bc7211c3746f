// Blocks: writing them, reading them, finding what is wrong with them.
#include "state/blocks.h"

#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "base/check.h"
#include "base/hash.h"

static const unsigned char file_magic[8] = {'C', 'O', 'S', 'M', '\r', '\n', 0x1A, '\n'};

// Read in the byte order that it was written in, it is itself.
#define BYTE_ORDER_MARK 0x01020304u

// Where things are in the file header.
#define FILE_FORMAT_AT 8u
#define FILE_KIND_AT 12u // always 1
#define FILE_ORDER_AT 16u
#define FILE_CODEC_AT 24u
#define FILE_SUM_AT 56u

// Where things are in a block header.
#define BLOCK_TAG_AT 0u
#define BLOCK_PACKED_AT 4u
#define BLOCK_RAW_SIZE_AT 8u
#define BLOCK_STORED_SIZE_AT 16u
#define BLOCK_STRIDE_AT 24u
#define BLOCK_NUMBER_AT 28u
#define BLOCK_VALUES_AT 32u
#define BLOCK_ZERO_AT 48u
#define BLOCK_SUM_AT 56u

// Bytes are summed so many at a time: whoever has them in parts comes to the same sum as one who
// has them side by side.
#define SUM_STRETCH ((size_t)4096)

struct running_sum {
    uint64_t sum;
    size_t held; // bytes of `stretch`
    unsigned char stretch[SUM_STRETCH];
};

static void put_u32(unsigned char *at, uint32_t value) {
    for (uint32_t i = 0; i < 4; i++) {
        at[i] = (unsigned char)(value >> (8 * i));
    }
}

static void put_u64(unsigned char *at, uint64_t value) {
    put_u32(at, (uint32_t)value);
    put_u32(at + 4, (uint32_t)(value >> 32));
}

static uint32_t get_u32(const unsigned char *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static uint64_t get_u64(const unsigned char *at) {
    return get_u32(at) | (uint64_t)get_u32(at + 4) << 32;
}

static void sum_add(struct running_sum *sum, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    if (sum->held > 0) {
        size_t room = SUM_STRETCH - sum->held;
        size_t taken = size < room ? size : room;
        memcpy(sum->stretch + sum->held, at, taken);
        sum->held += taken;
        at += taken;
        size -= taken;
        if (sum->held < SUM_STRETCH) {
            return;
        }
        sum->sum = cosmi_hash_bytes(sum->sum, sum->stretch, SUM_STRETCH);
        sum->held = 0;
    }
    while (size >= SUM_STRETCH) {
        sum->sum = cosmi_hash_bytes(sum->sum, at, SUM_STRETCH);
        at += SUM_STRETCH;
        size -= SUM_STRETCH;
    }
    if (size > 0) {
        memcpy(sum->stretch, at, size);
        sum->held = size;
    }
}

static uint64_t sum_end(struct running_sum *sum) {
    return sum->held == 0 ? sum->sum : cosmi_hash_bytes(sum->sum, sum->stretch, sum->held);
}

// The checksum of a block: of its header up to there, then of its bytes.
static uint64_t block_sum(const unsigned char *header, const struct byte_part *parts,
                          uint32_t part_count) {
    struct running_sum sum;
    sum.sum = cosmi_hash_bytes(0, header, BLOCK_SUM_AT);
    sum.held = 0;
    for (uint32_t i = 0; i < part_count; i++) {
        sum_add(&sum, parts[i].bytes, parts[i].size);
    }
    return sum_end(&sum);
}

static void write_out(struct block_writer *writer, const void *bytes, size_t size) {
    if (size > 0) {
        writer->write(writer->target, bytes, size);
        writer->offset += size;
    }
}

void cosmi_blocks_begin(struct block_writer *writer, uint32_t format) {
    unsigned char header[FILE_HEADER_SIZE] = {0};
    uint32_t order = BYTE_ORDER_MARK;
    memcpy(header, file_magic, sizeof(file_magic));
    put_u32(header + FILE_FORMAT_AT, format);
    put_u32(header + FILE_KIND_AT, 1);
    memcpy(header + FILE_ORDER_AT, &order, sizeof(order));
    if (writer->codec != NULL) {
        size_t length = strlen(writer->codec->name);
        INVARIANT(length <= CODEC_NAME_MAX, "names of codecs are checked before");
        memcpy(header + FILE_CODEC_AT, writer->codec->name, length);
    }
    put_u64(header + FILE_SUM_AT, cosmi_hash_bytes(0, header, FILE_SUM_AT));
    write_out(writer, header, sizeof(header));
}

// Parts that are to be packed, side by side, and what they become: one allocation.
struct packing {
    unsigned char *bytes;
    size_t size; // of the allocation
};

static size_t total_size(const struct byte_part *parts, uint32_t part_count) {
    size_t size = 0;
    for (uint32_t i = 0; i < part_count; i++) {
        size += parts[i].size;
    }
    return size;
}

// Packs parts, if that makes them smaller: else `out_part` has no bytes.
static cosm_result pack_block(struct block_writer *writer, const struct block_head *head,
                              const struct byte_part *parts, uint32_t part_count, size_t raw_size,
                              struct packing *packing, struct byte_part *out_part) {
    const cosm_codec *codec = writer->codec;
    *packing = (struct packing){NULL, 0};
    *out_part = (struct byte_part){NULL, 0};
    if (codec == NULL || raw_size == 0) {
        return COSM_OK;
    }
    size_t gathered = part_count == 1 ? 0 : align_up(raw_size, BLOCK_ALIGNMENT);
    size_t room = codec->bound(codec->context, raw_size);
    packing->size = gathered + room;
    packing->bytes = cosmi_memory_alloc(writer->memory, packing->size, BLOCK_ALIGNMENT);
    if (packing->bytes == NULL) {
        return cosmi_fail_memory(writer->sink, writer->memory, writer->call);
    }
    const void *source = part_count == 1 ? parts[0].bytes : packing->bytes;
    size_t at = 0;
    for (uint32_t i = 0; gathered > 0 && i < part_count; i++) {
        if (parts[i].size > 0) {
            memcpy(packing->bytes + at, parts[i].bytes, parts[i].size);
            at += parts[i].size;
        }
    }
    size_t stride = head->stride == 0 ? 1 : head->stride;
    unsigned char *target = packing->bytes + gathered;
    size_t size = codec->pack(codec->context, source, raw_size, stride, target, room);
    // So that a reader believes the sizes: what packs better than that is stored as it is.
    bool is_credible = raw_size <= UNPACK_RATIO_MAX * size + UNPACK_FREE_BYTES;
    if (size > 0 && size < raw_size && is_credible) {
        *out_part = (struct byte_part){target, size};
    }
    return COSM_OK;
}

static void put_block(struct block_writer *writer, const struct block_head *head, bool is_packed,
                      size_t raw_size, const struct byte_part *parts, uint32_t part_count) {
    static const unsigned char zeroes[BLOCK_ALIGNMENT];
    unsigned char header[BLOCK_HEADER_SIZE] = {0};
    size_t stored_size = total_size(parts, part_count);
    put_u32(header + BLOCK_TAG_AT, head->tag);
    put_u32(header + BLOCK_PACKED_AT, is_packed);
    put_u64(header + BLOCK_RAW_SIZE_AT, raw_size);
    put_u64(header + BLOCK_STORED_SIZE_AT, stored_size);
    put_u32(header + BLOCK_STRIDE_AT, head->stride);
    put_u32(header + BLOCK_NUMBER_AT, writer->number);
    for (uint32_t i = 0; i < BLOCK_VALUES; i++) {
        put_u64(header + BLOCK_VALUES_AT + 8 * i, head->values[i]);
    }
    put_u64(header + BLOCK_SUM_AT, block_sum(header, parts, part_count));
    write_out(writer, header, sizeof(header));
    for (uint32_t i = 0; i < part_count; i++) {
        write_out(writer, parts[i].bytes, parts[i].size);
    }
    write_out(writer, zeroes, align_up(stored_size, BLOCK_ALIGNMENT) - stored_size);
    writer->number++;
}

cosm_result cosmi_blocks_put(struct block_writer *writer, const struct block_head *head,
                             const struct byte_part *parts, uint32_t part_count) {
    struct packing packing;
    struct byte_part packed;
    size_t raw_size = total_size(parts, part_count);
    cosm_result result = pack_block(writer, head, parts, part_count, raw_size, &packing, &packed);
    if (result == COSM_OK) {
        bool is_packed = packed.size > 0;
        put_block(writer, head, is_packed, raw_size, is_packed ? &packed : parts,
                  is_packed ? 1 : part_count);
    }
    cosmi_memory_free(writer->memory, packing.bytes, packing.size, BLOCK_ALIGNMENT);
    return result;
}

void cosmi_blocks_end(struct block_writer *writer) {
    struct block_head head = {.tag = BLOCK_TAG_END, .values = {writer->number}};
    put_block(writer, &head, false, 0, NULL, 0);
}

static cosm_result refuse_file(const struct block_reader *reader, const char *what) {
    return cosmi_fail(reader->sink, COSM_ERROR_FORMAT,
                      "%s: file header: %s; use a complete file written by Cosm", reader->call,
                      what);
}

static cosm_result check_file_header(const struct block_reader *reader, uint32_t format_max) {
    const unsigned char *header = reader->bytes;
    if (reader->size < sizeof(file_magic) || memcmp(header, file_magic, sizeof(file_magic)) != 0) {
        return refuse_file(reader, "the first 8 bytes are not those of a Cosm file");
    }
    if (reader->size < FILE_HEADER_SIZE) {
        return refuse_file(reader, "it is truncated");
    }
    if (get_u64(header + FILE_SUM_AT) != cosmi_hash_bytes(0, header, FILE_SUM_AT)) {
        return refuse_file(reader, "its checksum is wrong");
    }
    uint32_t order;
    memcpy(&order, header + FILE_ORDER_AT, sizeof(order));
    if (order != BYTE_ORDER_MARK) {
        return refuse_file(reader, "it was written on a machine with another byte order");
    }
    if (get_u32(header + FILE_KIND_AT) != 1) {
        return refuse_file(reader, "it is not that of a save file");
    }
    uint32_t format = get_u32(header + FILE_FORMAT_AT);
    if (format < 1 || format > format_max) {
        return cosmi_fail(
            reader->sink, COSM_ERROR_FORMAT,
            "%s: file header: format %u, but this library reads 1 to %u; use a newer library",
            reader->call, format, format_max);
    }
    if (header[FILE_CODEC_AT + CODEC_NAME_MAX] != 0) {
        return refuse_file(reader, "the name of its codec is not terminated");
    }
    return COSM_OK;
}

cosm_result cosmi_blocks_open(struct block_reader *reader, uint32_t format_max) {
    cosm_result result = check_file_header(reader, format_max);
    if (result != COSM_OK) {
        return result;
    }
    reader->format = get_u32(reader->bytes + FILE_FORMAT_AT);
    memcpy(reader->codec_name, reader->bytes + FILE_CODEC_AT, sizeof(reader->codec_name));
    reader->codec = NULL;
    for (uint32_t i = 0; i < reader->codec_count && reader->codec == NULL; i++) {
        const cosm_codec *codec = &reader->codecs[i];
        reader->codec = strcmp(codec->name, reader->codec_name) == 0 ? codec : NULL;
    }
    reader->at = FILE_HEADER_SIZE;
    reader->number = 0;
    reader->is_finished = false;
    return COSM_OK;
}

void cosmi_block_tag_text(uint32_t tag, char text[5]) {
    for (uint32_t i = 0; i < 4; i++) {
        unsigned char c = (unsigned char)(tag >> (8 * i));
        text[i] = (char)(c >= 0x20 && c < 0x7F ? c : '?');
    }
    text[4] = '\0';
}

cosm_result cosmi_block_refuse(const struct block_reader *reader, const struct block *block,
                               const char *what) {
    char tag[5];
    cosmi_block_tag_text(block->head.tag, tag);
    return cosmi_fail(reader->sink, COSM_ERROR_FORMAT,
                      "%s: block %u '%s' at byte %zu: %s; the file is damaged or truncated: use "
                      "another copy",
                      reader->call, block->number, tag, block->offset, what);
}

// What a block is like by its header: NULL, or what is wrong with it.
static const char *read_header(const struct block_reader *reader, struct block *block) {
    static const unsigned char zeroes[BLOCK_SUM_AT - BLOCK_ZERO_AT];
    const unsigned char *header = reader->bytes + reader->at;
    size_t left = reader->size - reader->at;
    *block = (struct block){.number = reader->number, .offset = reader->at};
    if (left < BLOCK_HEADER_SIZE) {
        return left == 0 ? "the file ends without an end block" : "its header is truncated";
    }
    block->head.tag = get_u32(header + BLOCK_TAG_AT);
    block->head.stride = get_u32(header + BLOCK_STRIDE_AT);
    for (uint32_t i = 0; i < BLOCK_VALUES; i++) {
        block->head.values[i] = get_u64(header + BLOCK_VALUES_AT + 8 * i);
    }
    uint64_t raw_size = get_u64(header + BLOCK_RAW_SIZE_AT);
    uint64_t stored_size = get_u64(header + BLOCK_STORED_SIZE_AT);
    uint32_t packed = get_u32(header + BLOCK_PACKED_AT);
    if (packed > 1 || (packed == 0 && raw_size != stored_size) ||
        memcmp(header + BLOCK_ZERO_AT, zeroes, sizeof(zeroes)) != 0) {
        return "its header is wrong";
    }
    left -= BLOCK_HEADER_SIZE;
    if (stored_size > left || align_up((size_t)stored_size, BLOCK_ALIGNMENT) > left) {
        return "it has fewer bytes than its header states";
    }
    if (packed == 1 && raw_size > UNPACK_RATIO_MAX * stored_size + UNPACK_FREE_BYTES) {
        return "its unpacked size is too large";
    }
    block->is_packed = packed == 1;
    block->size = (size_t)raw_size;
    block->stored_size = (size_t)stored_size;
    return NULL;
}

// Is the block whole, and the next one?
static const char *check_block(const struct block_reader *reader, const struct block *block) {
    const unsigned char *header = reader->bytes + block->offset;
    const unsigned char *bytes = header + BLOCK_HEADER_SIZE;
    struct byte_part part = {bytes, block->stored_size};
    if (get_u64(header + BLOCK_SUM_AT) != block_sum(header, &part, 1)) {
        return "its checksum is wrong";
    }
    if (get_u32(header + BLOCK_NUMBER_AT) != reader->number) {
        return "its number is that of another block";
    }
    size_t end = align_up(block->stored_size, BLOCK_ALIGNMENT);
    for (size_t i = block->stored_size; i < end; i++) {
        if (bytes[i] != 0) {
            return "there are bytes between it and the next block";
        }
    }
    return NULL;
}

static const char *check_end(const struct block_reader *reader, const struct block *block) {
    if (block->head.values[0] != reader->number || block->stored_size != 0) {
        return "its block count is wrong";
    }
    bool is_last = block->offset + BLOCK_HEADER_SIZE == reader->size;
    return is_last ? NULL : "there are bytes after it";
}

// The next block, not unpacked: `bytes` is NULL where it is packed.
static cosm_result next_stored(struct block_reader *reader, struct block *out_block) {
    struct block block;
    *out_block = (struct block){0};
    if (reader->is_finished) {
        return COSM_OK;
    }
    const char *fault = read_header(reader, &block);
    size_t end = block.offset + BLOCK_HEADER_SIZE + align_up(block.stored_size, BLOCK_ALIGNMENT);
    if (fault == NULL) {
        fault = check_block(reader, &block);
    }
    if (fault == NULL && block.head.tag == BLOCK_TAG_END) {
        fault = check_end(reader, &block);
        reader->is_finished = fault == NULL;
    }
    if (fault != NULL) {
        return cosmi_block_refuse(reader, &block, fault);
    }
    if (reader->is_finished) {
        return COSM_OK;
    }
    reader->at = end;
    reader->number++;
    block.bytes = block.is_packed ? NULL : reader->bytes + block.offset + BLOCK_HEADER_SIZE;
    block.home = block.is_packed ? NULL : home_retain(reader->home);
    *out_block = block;
    return COSM_OK;
}

// Bytes that were unpacked: what blobs that lie in them hold on to.
struct unpacked_home {
    struct blob_home home;
    struct memory *memory;
    size_t size; // of all
};

#define UNPACKED_BYTES_AT (align_up(sizeof(struct unpacked_home), BLOCK_ALIGNMENT))

static void end_unpacked(struct blob_home *home) {
    struct unpacked_home *unpacked = (struct unpacked_home *)home;
    cosmi_memory_free(unpacked->memory, unpacked, unpacked->size, BLOCK_ALIGNMENT);
}

static struct unpacked_home *make_unpacked(struct memory *memory, size_t size) {
    size_t all = UNPACKED_BYTES_AT + size;
    struct unpacked_home *unpacked = cosmi_memory_alloc(memory, all, BLOCK_ALIGNMENT);
    if (unpacked != NULL) {
        atomic_init(&unpacked->home.refs, 1);
        unpacked->home.end = end_unpacked;
        unpacked->memory = memory;
        unpacked->size = all;
    }
    return unpacked;
}

static cosm_result unpack_block(const struct block_reader *reader, struct block *block) {
    const cosm_codec *codec = reader->codec;
    if (codec == NULL) {
        return cosmi_fail(reader->sink, COSM_ERROR_ARGUMENT,
                          "%s: block %u is packed with codec '%s', which was not passed; add it "
                          "to desc.codecs",
                          reader->call, block->number, reader->codec_name);
    }
    struct unpacked_home *unpacked = make_unpacked(reader->memory, block->size);
    if (unpacked == NULL) {
        return cosmi_fail_memory(reader->sink, reader->memory, reader->call);
    }
    unsigned char *target = (unsigned char *)unpacked + UNPACKED_BYTES_AT;
    size_t stride = block->head.stride == 0 ? 1 : block->head.stride;
    size_t size = codec->unpack(codec->context, reader->bytes + block->offset + BLOCK_HEADER_SIZE,
                                block->stored_size, stride, target, block->size);
    if (size != block->size) {
        cosmi_home_release(&unpacked->home);
        return cosmi_block_refuse(reader, block, "it cannot be unpacked");
    }
    block->bytes = target;
    block->home = &unpacked->home;
    return COSM_OK;
}

cosm_result cosmi_blocks_next(struct block_reader *reader, struct block *out_block) {
    cosm_result result = next_stored(reader, out_block);
    if (result == COSM_OK && !reader->is_finished && out_block->is_packed) {
        result = unpack_block(reader, out_block);
    }
    return result;
}

void cosmi_block_release(struct block *block) {
    cosmi_home_release(block->home);
    *block = (struct block){0};
}
