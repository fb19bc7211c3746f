// Blocks: the container of save files.
//
//   +--------------------+ 0     magic, format, kind, byte order, codec, checksum
//   | file header        |
//   +--------------------+ 64    tag, codec, sizes, number, values, checksum
//   | block header       |
//   | stored bytes       | 128
//   | zeroes             |       up to a multiple of 64
//   +--------------------+
//   | ...                |
//   | block 'END '       |       without bytes: says how many blocks there are
//   +--------------------+
//
// Every block and the bytes in it begin at a multiple of 64, so that what is not packed may be used
// where it lies. A checksum covers a block's header and its stored bytes. The design page of save
// files has the layout byte by byte.
//
// Who reads does not trust a byte of it: a block is handed out when its checksum is right. That
// keeps accidents out, not intent; what is in the bytes is for the caller to check.
#ifndef COSM_STATE_BLOCKS_H
#define COSM_STATE_BLOCKS_H

#include <cosm/save.h>

#include "state/blob.h"

#define BLOCK_ALIGNMENT ((size_t)64)
#define BLOCK_VALUES 2u
#define FILE_HEADER_SIZE ((size_t)64)
#define BLOCK_HEADER_SIZE ((size_t)64)

// The longest name of a codec.
#define CODEC_NAME_MAX ((size_t)15)

// Packed bytes may say that they become this many times as many, and so many more: what a block of
// zeroes becomes, and what a few bytes of a file may have us allocate.
#define UNPACK_RATIO_MAX ((uint64_t)1024)
#define UNPACK_FREE_BYTES ((uint64_t)1 << 20)

// Tags read as text in a dump.
#define BLOCK_TAG(a, b, c, d)                                                                      \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define BLOCK_TAG_END BLOCK_TAG('E', 'N', 'D', ' ')

// What a block says of itself, beside its sizes.
struct block_head {
    uint32_t tag;
    uint32_t stride;               // bytes of the items that it consists of: for the codec; 0: 1
    uint64_t values[BLOCK_VALUES]; // whatever the tag makes of them: seen without unpacking
};

// Bytes that are written one behind the other.
struct byte_part {
    const void *bytes;
    size_t size;
};

// Writes a file front to back. `write` gets it in pieces of any size.
struct block_writer {
    cosm_text_fn *write;
    void *target;
    const cosm_codec *codec; // NULL: nothing is packed
    struct memory *memory;
    const struct sink *sink;
    const char *call;
    uint64_t offset; // bytes written so far
    uint32_t number; // blocks written so far
};

// The file header. The writer is filled in up to `call`, the rest zero.
void cosmi_blocks_begin(struct block_writer *writer, uint32_t format);

// A block of parts: not copied together, unless they are packed. Parts without bytes are fine. What
// packing does not make smaller, or fails on, is stored as it is. On failure (memory, for packing)
// there is a message, and nothing was written.
cosm_result cosmi_blocks_put(struct block_writer *writer, const struct block_head *head,
                             const struct byte_part *parts, uint32_t part_count);

// The block that ends the file.
void cosmi_blocks_end(struct block_writer *writer);

// Reads a file that lies in memory. Filled in up to `call`, the rest zero.
struct block_reader {
    const unsigned char *bytes;
    size_t size;
    struct blob_home *home; // of the bytes; NULL: they outlive all that is read
    const cosm_codec *codecs;
    uint32_t codec_count;
    struct memory *memory; // for what is unpacked
    const struct sink *sink;
    const char *call;

    // Known once it is open:
    uint32_t format;
    char codec_name[CODEC_NAME_MAX + 1]; // "": none
    const cosm_codec *codec;             // the one with that name; NULL: none of those given
    // How far it is:
    size_t at;        // of the next block
    uint32_t number;  // of the next block
    bool is_finished; // there is none
};

// A block as it was read. `bytes` are aligned to BLOCK_ALIGNMENT where the file's are or they were
// unpacked; `home` keeps them (NULL where the reader has none and nothing was unpacked).
struct block {
    struct block_head head;
    uint32_t number;
    bool is_packed;
    size_t offset;      // in the file
    size_t stored_size; // of the bytes in the file
    size_t size;        // of the bytes
    const void *bytes;
    struct blob_home *home;
};

// Looks at the file header: is it a save file, of a format up to `format_max`? On failure there is
// a message.
cosm_result cosmi_blocks_open(struct block_reader *reader, uint32_t format_max);

// The next block, to be released with cosmi_block_release. At the end of the file it is COSM_OK and
// the reader is finished; then there is nothing to release. On failure there is a message.
cosm_result cosmi_blocks_next(struct block_reader *reader, struct block *out_block);
void cosmi_block_release(struct block *block);

// Fails with COSM_ERROR_FORMAT and a message that names the block by number, tag and place, and
// says `what` is wrong with it.
cosm_result cosmi_block_refuse(const struct block_reader *reader, const struct block *block,
                               const char *what);

// The tag as text, of 4 characters and a zero.
void cosmi_block_tag_text(uint32_t tag, char text[5]);

#endif
