// Recordings as files: a header, then blocks with checksums.
//
//   +--------------------+ 0     magic, format, byte order, codec, checksum
//   | file header        |
//   +--------------------+ 64    tag, sizes, values, number, checksum
//   | block header       |
//   | stored bytes       | 128
//   | zeroes             |       up to a multiple of 64
//   +--------------------+
//   | ...                |
//   | block 'END '       |       without bytes: its number says how many blocks there are
//   +--------------------+
//
// Numbers are in the byte order of the machine, which the header tells. A block is written and
// flushed as a whole, so a program that dies leaves a file that is good up to its last whole block.
//
// The reader does not trust a byte: it hands out a block when its checksum is right. That keeps
// accidents out, not intent; what is in the bytes is for the caller to check.
#ifndef COSM_RECORD_BLOCKS_H
#define COSM_RECORD_BLOCKS_H

#include <cosm/save.h>
#include <stdio.h>

#define RECORD_FORMAT 1u
#define RECORD_ALIGNMENT ((size_t)64)

// Tags read as text in a dump.
#define RECORD_TAG(a, b, c, d)                                                                     \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define RECORD_TAG_END RECORD_TAG('E', 'N', 'D', ' ')

// The headers as they lie in a file.
struct record_file_header {
    unsigned char magic[8];
    uint32_t format;
    uint32_t byte_order;
    char codec[16]; // the name, terminated; "": none
    uint64_t zeroes[3];
    uint64_t sum; // of all before it
};

struct record_block_header {
    uint32_t tag;
    uint32_t is_packed;
    uint64_t size;        // of the content
    uint64_t stored_size; // of the bytes in the file
    uint64_t values[2];   // whatever the tag makes of them
    uint32_t number;
    uint32_t zeroes[3];
    uint64_t sum; // of all before it, then of the stored bytes
};

// The checksum of bytes, continued from that of the bytes before them.
uint64_t cosmi_record_sum(uint64_t sum, const void *bytes, size_t size);

// Bytes that grow. `failed`: there was no memory; nothing is added any more.
struct record_bytes {
    unsigned char *bytes;
    size_t size;
    size_t capacity;
    bool failed;
};

// A cosm_text_fn whose target is a struct record_bytes.
void cosmi_record_append(void *target, const char *text, size_t size);

// Reports that the C library has no memory.
cosm_result cosmi_record_fail_memory(const cosm_engine *engine, const char *call);

// Writing. Once a write has failed, nothing is written any more.
struct record_writer {
    const cosm_engine *engine;
    const cosm_codec *codec; // NULL: nothing is packed
    const char *call;        // for messages
    FILE *file;
    uint64_t offset; // bytes written
    uint32_t number; // blocks written
    bool failed;
};

// Creates the file and writes its header. On failure nothing is left to be closed.
cosm_result cosmi_record_create_file(struct record_writer *writer, const char *path);

// Writes a block and hands it to the system. `packs`: with the codec, if that makes it smaller.
cosm_result cosmi_record_put(struct record_writer *writer, uint32_t tag, const uint64_t values[2],
                             const void *bytes, size_t size, bool packs);

// Closes the file, with an END if it is whole.
cosm_result cosmi_record_close_file(struct record_writer *writer, bool is_whole);

// Reading a file that lies in memory, front to back.
struct record_reader {
    const cosm_engine *engine;
    const char *call;
    const unsigned char *bytes;
    size_t size;
    char codec_name[16];
    const cosm_codec *codec; // the one with that name; NULL: not given
    size_t at;               // of the next block
    uint32_t number;         // of the next block
    bool is_finished;        // there is none
    bool is_closed;          // there is none because the file says so
};

struct record_block {
    struct record_block_header head;
    size_t offset; // in the file
    const unsigned char *stored;
};

// Checks the file header. `engine`, `call`, `bytes` and `size` are filled in.
cosm_result cosmi_record_open_file(struct record_reader *reader, const cosm_load_desc *desc);

// The next block; at the end the reader is finished.
cosm_result cosmi_record_next(struct record_reader *reader, struct record_block *out_block);

// What is in a block: `bytes` is in `owned`, which the caller frees, or in the file.
struct record_content {
    const void *bytes;
    size_t size;
    void *owned;
};

cosm_result cosmi_record_unpack(const struct record_reader *reader,
                                const struct record_block *block,
                                struct record_content *out_content);

// Fails with COSM_ERROR_FORMAT and a message that names the block and says `what` is wrong with it.
cosm_result cosmi_record_refuse(const struct record_reader *reader,
                                const struct record_block *block, const char *what);

#endif
