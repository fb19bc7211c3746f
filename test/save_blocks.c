// Save files whose blocks are right one by one and do not belong together, and files that were not
// closed.
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "state/blocks.h"
#include "support/ark.h"

#define BLOCK_MAX 64u

// The blocks of a file, to be changed and put together anew.
struct parcel {
    struct memory memory;
    unsigned char *file;
    size_t size;
    struct block blocks[BLOCK_MAX];
    uint32_t count;
};

static void parcel_open(struct parcel *parcel, unsigned char *file, size_t size) {
    *parcel = (struct parcel){.file = file, .size = size};
    (void)cosmi_memory_init(&parcel->memory, &(cosm_allocator){.allocate = NULL}, 0);
    struct block_reader reader = {
        .bytes = file, .size = size, .memory = &parcel->memory, .call = "parcel"};
    CHECK_INT(cosmi_blocks_open(&reader, COSM_SAVE_FORMAT), COSM_OK);
    while (parcel->count < BLOCK_MAX) {
        CHECK_INT(cosmi_blocks_next(&reader, &parcel->blocks[parcel->count]), COSM_OK);
        if (reader.is_finished) {
            break;
        }
        parcel->count++;
    }
}

// The first block with a tag; BLOCK_MAX: there is none.
static uint32_t parcel_find(const struct parcel *parcel, const char *tag) {
    for (uint32_t i = 0; i < parcel->count; i++) {
        char text[5];
        cosmi_block_tag_text(parcel->blocks[i].head.tag, text);
        if (strcmp(text, tag) == 0) {
            return i;
        }
    }
    return BLOCK_MAX;
}

struct wrapped {
    unsigned char *bytes;
    size_t size;
};

static void take_wrapped(void *context, const char *bytes, size_t size) {
    struct wrapped *wrapped = context;
    wrapped->bytes = realloc(wrapped->bytes, wrapped->size + size);
    memcpy(wrapped->bytes + wrapped->size, bytes, size);
    wrapped->size += size;
}

static struct wrapped parcel_wrap(struct parcel *parcel, bool closed) {
    struct wrapped wrapped = {NULL, 0};
    struct block_writer writer = {
        .write = take_wrapped, .target = &wrapped, .memory = &parcel->memory, .call = "parcel"};
    cosmi_blocks_begin(&writer, COSM_SAVE_FORMAT);
    for (uint32_t i = 0; i < parcel->count; i++) {
        struct byte_part part = {parcel->blocks[i].bytes, parcel->blocks[i].size};
        CHECK_INT(cosmi_blocks_put(&writer, &parcel->blocks[i].head, &part, 1), COSM_OK);
    }
    if (closed) {
        cosmi_blocks_end(&writer);
    }
    return wrapped;
}

static void check_refused(struct ark *ark, struct wrapped wrapped, const char *what) {
    cosm_load_desc load = ark_load_desc(ark);
    cosm_error_clear();
    CHECK(cosm_save_read_bytes(ark->engine, wrapped.bytes, wrapped.size, &load, NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_FORMAT, "cosm_save_read_bytes", what, "");
    free(wrapped.bytes);
}

// Two worlds; the first has large tables.
static void ark_with_columns(struct ark *ark, struct parcel *parcel) {
    ark_open(ark, NULL, 2);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(ark->world, ark->mover, 2000, &rows));
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(cosm_batch_world(ark->batch, 1), ark->mover)));
    size_t size = 0;
    unsigned char *file = ark_save_bytes(ark, &size);
    parcel_open(parcel, file, size);
}

static void parcel_close(struct ark *ark, struct parcel *parcel) {
    free(parcel->file);
    ark_close(ark);
}

TEST(blocks_come_in_their_order) {
    struct ark ark;
    struct parcel parcel;
    ark_with_columns(&ark, &parcel);
    uint32_t column = parcel_find(&parcel, "COLM");
    REQUIRE(column + 2 < parcel.count);
    // As they are in the file, with their checksums: the two columns of 12 bytes change places.
    const struct block *a = &parcel.blocks[column + 1];
    const struct block *b = &parcel.blocks[column + 2];
    REQUIRE(a->size == b->size);
    struct wrapped swapped = {malloc(parcel.size), parcel.size};
    memcpy(swapped.bytes, parcel.file, parcel.size);
    size_t size = BLOCK_HEADER_SIZE + a->size;
    memcpy(swapped.bytes + a->offset, parcel.file + b->offset, size);
    memcpy(swapped.bytes + b->offset, parcel.file + a->offset, size);
    check_refused(&ark, swapped, "its number is that of another block");
    // With numbers as they should be, it is not the column that should be there.
    struct block kept = parcel.blocks[column + 1];
    parcel.blocks[column + 1] = parcel.blocks[column + 2];
    parcel.blocks[column + 2] = kept;
    check_refused(&ark, parcel_wrap(&parcel, true), "it is not the expected column");
    parcel_close(&ark, &parcel);
}

TEST(columns_are_of_their_world) {
    struct ark ark;
    struct parcel parcel;
    ark_with_columns(&ark, &parcel);
    parcel.blocks[parcel_find(&parcel, "COLM")].head.values[0] = 1;
    check_refused(&ark, parcel_wrap(&parcel, true), "it is not the expected column");
    parcel_close(&ark, &parcel);
}

TEST(blocks_that_are_missing_or_too_many_are_told) {
    static const char *const tags[] = {"SCHM", "SNAP", "WRLD", "COLM"};
    for (uint32_t t = 0; t < 4; t++) {
        struct ark ark;
        struct parcel parcel;
        ark_with_columns(&ark, &parcel);
        uint32_t at = parcel_find(&parcel, tags[t]);
        struct block kept = parcel.blocks[at];
        memmove(&parcel.blocks[at], &parcel.blocks[at + 1],
                (parcel.count - at - 1) * sizeof(struct block));
        parcel.count--;
        check_refused(&ark, parcel_wrap(&parcel, true), ": block ");
        parcel.blocks[parcel.count++] = kept;
        check_refused(&ark, parcel_wrap(&parcel, true), ": block ");
        parcel_close(&ark, &parcel);
    }
    struct ark ark;
    struct parcel parcel;
    ark_with_columns(&ark, &parcel);
    parcel.count--; // the second world
    check_refused(&ark, parcel_wrap(&parcel, true), "the file ends before all its worlds");
    parcel.count--; // the last column
    check_refused(&ark, parcel_wrap(&parcel, true), "columns of its last world are missing");
    parcel_close(&ark, &parcel);
}

TEST(worlds_fill_their_block) {
    struct ark ark;
    struct parcel parcel;
    ark_with_columns(&ark, &parcel);
    uint32_t first = parcel_find(&parcel, "WRLD");
    struct block *world = &parcel.blocks[first];
    struct block *last = &parcel.blocks[parcel.count - 1];
    // One byte more than its world takes.
    unsigned char *longer = calloc(1, last->size + 1);
    memcpy(longer, last->bytes, last->size);
    struct block kept = *last;
    last->bytes = longer;
    last->size++;
    check_refused(&ark, parcel_wrap(&parcel, true), "it has bytes after its worlds");
    *last = kept;
    // The other world stands behind the one whose columns follow the block.
    unsigned char *joined = malloc(world->size + last->size);
    memcpy(joined, world->bytes, world->size);
    memcpy(joined + world->size, last->bytes, last->size);
    world->bytes = joined;
    world->size += last->size;
    world->head.values[1] = 2;
    parcel.count--;
    check_refused(&ark, parcel_wrap(&parcel, true), "whose columns come after the block");
    free(longer);
    free(joined);
    parcel_close(&ark, &parcel);
}

TEST(a_newer_file_is_refused) {
    struct ark ark;
    struct parcel parcel;
    ark_with_columns(&ark, &parcel);
    struct wrapped wrapped = {NULL, 0};
    struct block_writer writer = {
        .write = take_wrapped, .target = &wrapped, .memory = &parcel.memory, .call = "parcel"};
    cosmi_blocks_begin(&writer, COSM_SAVE_FORMAT + 1);
    cosmi_blocks_end(&writer);
    check_refused(&ark, wrapped, "format 2, but this library reads 1 to 1");
    parcel_close(&ark, &parcel);
}

TEST(bytes_in_parts_are_the_same_file_as_bytes_in_one) {
    struct dice dice = {harness_seed()};
    struct memory memory;
    (void)cosmi_memory_init(&memory, &(cosm_allocator){.allocate = NULL}, 0);
    static unsigned char bytes[20000];
    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (unsigned char)dice_next(&dice);
    }
    struct wrapped whole = {NULL, 0};
    for (int round = 0; round < 300; round++) {
        struct wrapped file = {NULL, 0};
        struct block_writer writer = {
            .write = take_wrapped, .target = &file, .memory = &memory, .call = "parts"};
        struct byte_part parts[64];
        uint32_t count = 0;
        size_t at = 0;
        while (round > 0 && count < 63 && at < sizeof(bytes)) {
            // Near the stretches that are summed up at a time, and anywhere.
            size_t size =
                dice_roll(&dice, 2) == 0 ? 4094 + dice_roll(&dice, 5) : dice_roll(&dice, 3000);
            size = size < sizeof(bytes) - at ? size : sizeof(bytes) - at;
            parts[count++] = (struct byte_part){bytes + at, size};
            at += size;
        }
        parts[count++] = (struct byte_part){bytes + at, sizeof(bytes) - at};
        cosmi_blocks_begin(&writer, 1);
        CHECK_INT(cosmi_blocks_put(&writer, &(struct block_head){.tag = 1}, parts, count), COSM_OK);
        cosmi_blocks_end(&writer);
        CHECK_INT(writer.offset, file.size);
        if (round == 0) {
            whole = file;
        } else {
            CHECK_INT(file.size, whole.size);
            CHECK_MEM(file.bytes, whole.bytes, whole.size);
            free(file.bytes);
        }
    }
    free(whole.bytes);
}

// Packs zeroes into nothing but their number.
static size_t ghost_bound(void *context, size_t size) {
    (void)context;
    (void)size;
    return 8;
}

static size_t ghost_pack(void *context, const void *source, size_t size, size_t stride,
                         void *target, size_t room) {
    (void)context;
    (void)stride;
    (void)room;
    const unsigned char *bytes = source;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != 0) {
            return 0;
        }
    }
    memset(target, 1, 8);
    return 8;
}

static size_t ghost_unpack(void *context, const void *source, size_t size, size_t stride,
                           void *target, size_t room) {
    (void)context;
    (void)source;
    (void)size;
    (void)stride;
    memset(target, 0, room);
    return room;
}

static const cosm_codec ghost = {
    .name = "ghost", .bound = ghost_bound, .pack = ghost_pack, .unpack = ghost_unpack};

static struct wrapped ghost_file(struct memory *memory, size_t size) {
    struct wrapped wrapped = {NULL, 0};
    struct block_writer writer = {.write = take_wrapped,
                                  .target = &wrapped,
                                  .codec = &ghost,
                                  .memory = memory,
                                  .call = "ghost"};
    cosmi_blocks_begin(&writer, 1);
    unsigned char *zeroes = calloc(1, size);
    struct byte_part parts[] = {{zeroes, size / 2}, {NULL, 0}, {zeroes, size - size / 2}};
    struct block_head head = {.tag = BLOCK_TAG('Z', 'E', 'R', 'O')};
    CHECK_INT(cosmi_blocks_put(&writer, &head, parts, 3), COSM_OK);
    cosmi_blocks_end(&writer);
    free(zeroes);
    return wrapped;
}

TEST(a_block_unpacks_to_no_more_than_its_bytes_may_become) {
    struct memory memory;
    (void)cosmi_memory_init(&memory, &(cosm_allocator){.allocate = NULL}, 0);
    // 8 bytes may become 8 KiB and 1 MiB; one byte more is stored as it is.
    size_t most = 8 * 1024 + ((size_t)1 << 20);
    for (int past = 0; past < 2; past++) {
        struct wrapped file = ghost_file(&memory, most + (size_t)past);
        CHECK_INT(file.size < 1000, past == 0);
        struct block_reader reader = {.bytes = file.bytes,
                                      .size = file.size,
                                      .codecs = &ghost,
                                      .codec_count = 1,
                                      .memory = &memory,
                                      .call = "ghost"};
        struct block block;
        CHECK_INT(cosmi_blocks_open(&reader, 1), COSM_OK);
        CHECK_INT(cosmi_blocks_next(&reader, &block), COSM_OK);
        CHECK_INT(block.size, most + (size_t)past);
        CHECK_INT(block.is_packed, past == 0);
        cosmi_block_release(&block);
        if (past == 0) {
            // A header that says more is not believed, whatever its checksum.
            uint64_t more = most + 1;
            memcpy(file.bytes + FILE_HEADER_SIZE + 8, &more, sizeof(more));
            CHECK_INT(cosmi_blocks_open(&reader, 1), COSM_OK);
            CHECK_FAILS(cosmi_blocks_next(&reader, &block), COSM_ERROR_FORMAT, "ghost",
                        "unpacked size is too large", "use another copy");
        }
        free(file.bytes);
    }
    CHECK_INT(atomic_load(&memory.used), 0);
}
