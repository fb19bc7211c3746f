// The codec for save files: what is packed comes back, and damage is found.
#include <cosm_zstd/codec.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "shuffle.h"
#include "support/fixture.h"

#define SIZE_MAX_TRIED ((size_t)5000)
#define GUARD 32

// Bytes of some kind: random ones, all alike, floats that go up, words of a few, text.
enum kind { KIND_RANDOM, KIND_CONSTANT, KIND_FLOATS, KIND_FEW, KIND_COUNT };

static void fill(enum kind kind, uint64_t seed, unsigned char *bytes, size_t size) {
    struct dice dice = {seed};
    for (size_t i = 0; i < size; i++) {
        float number = (float)(i / 4) * 0.25f + 100;
        unsigned char parts[4];
        memcpy(parts, &number, sizeof(parts));
        bytes[i] = kind == KIND_RANDOM     ? (unsigned char)dice_next(&dice)
                   : kind == KIND_CONSTANT ? (unsigned char)seed
                   : kind == KIND_FLOATS   ? parts[i % 4]
                                           : (unsigned char)(i % 8 == 0 ? dice_roll(&dice, 3) : 0);
    }
}

// Packs to `*out_packed`, which is as long as what was packed, and is to be freed.
static size_t pack_all(const cosm_codec *codec, const void *bytes, size_t size, size_t stride,
                       unsigned char **out_packed) {
    size_t room = codec->bound(codec->context, size);
    unsigned char *packed = malloc(room);
    size_t packed_size = codec->pack(codec->context, bytes, size, stride, packed, room);
    CHECK(packed_size > 0 && packed_size <= room);
    // At its own length the address sanitizer sees reads past the end.
    *out_packed = malloc(packed_size + 1);
    memcpy(*out_packed, packed, packed_size);
    *out_packed = realloc(*out_packed, packed_size > 0 ? packed_size : 1);
    free(packed);
    return packed_size;
}

// Packs and unpacks, to just enough room and to more. Returns the packed size.
static size_t check_round(const cosm_codec *codec, const unsigned char *bytes, size_t size,
                          size_t stride) {
    unsigned char *packed;
    size_t packed_size = pack_all(codec, bytes, size, stride, &packed);
    unsigned char *back = malloc(size + GUARD);
    for (size_t more = 0; more <= GUARD; more += GUARD) {
        memset(back, 0xEE, size + GUARD);
        size_t got = codec->unpack(codec->context, packed, packed_size, stride, back, size + more);
        CHECK_INT(got, size);
        CHECK_MEM(back, bytes, size);
        for (size_t i = 0; i < GUARD; i++) {
            CHECK_INT(back[size + i], 0xEE);
        }
    }
    // One byte too little is not enough.
    if (size > 0) {
        memset(back, 0xEE, size + GUARD);
        CHECK_INT(codec->unpack(codec->context, packed, packed_size, stride, back, size - 1), 0);
        CHECK_INT(back[size - 1], 0xEE);
    }
    free(back);
    free(packed);
    return packed_size;
}

TEST(every_size_and_stride_comes_back) {
    static unsigned char bytes[SIZE_MAX_TRIED];
    struct dice dice = {harness_seed()};
    bool is_long = harness_is_long();
    for (size_t size = 0; size <= SIZE_MAX_TRIED; size += is_long || size < 200 ? 1 : 3) {
        // Each stride with every twentieth size, or with all.
        for (size_t stride = is_long ? 1 : size % 20 + 1; stride <= 20;
             stride += is_long ? 1 : 20) {
            enum kind kind = (enum kind)dice_roll(&dice, KIND_COUNT);
            fill(kind, dice_next(&dice), bytes, size);
            (void)check_round(cosm_zstd_codec(), bytes, size, stride);
        }
    }
}

TEST(small_sizes_come_back_with_every_stride_and_level) {
    static unsigned char bytes[70];
    for (size_t size = 0; size <= sizeof(bytes); size += 7) {
        for (size_t stride = 1; stride <= 20; stride++) {
            fill((enum kind)(size % KIND_COUNT), size, bytes, size);
            (void)check_round(cosm_zstd_codec(), bytes, size, stride);
        }
    }
    static unsigned char more[3000];
    fill(KIND_FLOATS, 1, more, sizeof(more));
    for (int level = 1; level <= COSM_ZSTD_LEVEL_MAX; level++) {
        const cosm_codec *codec = cosm_zstd_codec_at(level);
        REQUIRE(codec != NULL);
        CHECK_STR(codec->name, "zstd");
        (void)check_round(codec, more, sizeof(more), 4);
        // What one level packs, the default unpacks.
        unsigned char *packed;
        size_t packed_size = pack_all(codec, more, sizeof(more), 4, &packed);
        unsigned char back[sizeof(more)];
        const cosm_codec *other = cosm_zstd_codec();
        CHECK_INT(other->unpack(other->context, packed, packed_size, 4, back, sizeof(back)),
                  sizeof(more));
        CHECK_MEM(back, more, sizeof(more));
        free(packed);
    }
    CHECK(cosm_zstd_codec() == cosm_zstd_codec_at(COSM_ZSTD_LEVEL_DEFAULT));
    // The last level packs better than the first one.
    CHECK(check_round(cosm_zstd_codec_at(COSM_ZSTD_LEVEL_MAX), more, sizeof(more), 1) <
          check_round(cosm_zstd_codec_at(1), more, sizeof(more), 1));
}

TEST(shuffling_sorts_bytes_by_their_place_and_is_undone) {
    const unsigned char items[] = {1, 2, 3, 11, 12, 13, 21, 22, 23, 99, 98};
    unsigned char sorted[sizeof(items)];
    cosmi_zstd_shuffle(items, sizeof(items), 3, sorted);
    CHECK_MEM(sorted, ((unsigned char[]){1, 11, 21, 2, 12, 22, 3, 13, 23, 99, 98}), sizeof(items));
    static unsigned char bytes[SIZE_MAX_TRIED];
    static unsigned char there[SIZE_MAX_TRIED + 1];
    static unsigned char back[SIZE_MAX_TRIED + 1];
    fill(KIND_RANDOM, 3, bytes, sizeof(bytes));
    for (size_t size = 0; size <= SIZE_MAX_TRIED; size += size < 100 ? 1 : 97) {
        for (size_t stride = 1; stride <= 20; stride++) {
            there[size] = back[size] = 0x77;
            cosmi_zstd_shuffle(bytes, size, stride, there);
            for (size_t i = 0; i < size / stride; i++) {
                if (there[size / stride * (stride - 1) + i] != bytes[i * stride + stride - 1]) {
                    CHECK(false);
                }
            }
            cosmi_zstd_unshuffle(there, size, stride, back);
            CHECK_MEM(back, bytes, size);
            CHECK(there[size] == 0x77 && back[size] == 0x77);
        }
    }
}

// A column of text in items of 16 bytes: names that come again and again.
static void fill_names(unsigned char *bytes, size_t size) {
    struct dice dice = {5};
    char names[8][16];
    for (uint32_t i = 0; i < 8; i++) {
        for (uint32_t k = 0; k < 16; k++) {
            names[i][k] = (char)('a' + dice_roll(&dice, 26));
        }
    }
    for (size_t at = 0; at + 16 <= size; at += 16) {
        memcpy(bytes + at, names[dice_roll(&dice, 8)], 16);
    }
}

TEST(items_are_shuffled_where_that_is_smaller) {
    enum { SIZE = 64000 };
    static unsigned char bytes[SIZE];
    // Floats between 1 and 2: the first bytes are alike, the others random.
    struct dice dice = {1};
    for (size_t i = 0; i < SIZE; i += 4) {
        float number = 1 + (float)dice_roll(&dice, 1u << 23) / (float)(1u << 23);
        memcpy(bytes + i, &number, 4);
    }
    const cosm_codec *codec = cosm_zstd_codec();
    size_t sorted = check_round(codec, bytes, SIZE, 4);
    size_t plain = check_round(codec, bytes, SIZE, 1);
    CHECK(sorted < plain);
    CHECK(sorted < SIZE * 8 / 10);
    // Names are better left alone, and then they are.
    fill_names(bytes, SIZE);
    sorted = check_round(codec, bytes, SIZE, 16);
    plain = check_round(codec, bytes, SIZE, 1);
    CHECK_INT(sorted, plain);
    unsigned char *packed;
    (void)pack_all(codec, bytes, SIZE, 16, &packed);
    CHECK_INT(packed[0], 0x5A);
    free(packed);
    // Large items are not looked at.
    fill(KIND_FLOATS, 1, bytes, SIZE);
    CHECK_INT(check_round(codec, bytes, SIZE, 20), check_round(codec, bytes, SIZE, 1));
    CHECK(check_round(codec, bytes, SIZE, 4) < check_round(codec, bytes, SIZE, 1));
}

TEST(packing_is_the_same_each_time) {
    static unsigned char bytes[20000];
    fill(KIND_FLOATS, 1, bytes, sizeof(bytes));
    unsigned char *first;
    unsigned char *second;
    size_t first_size = pack_all(cosm_zstd_codec(), bytes, sizeof(bytes), 4, &first);
    size_t second_size = pack_all(cosm_zstd_codec(), bytes, sizeof(bytes), 4, &second);
    CHECK_INT(first_size, second_size);
    CHECK_MEM(first, second, first_size);
    free(first);
    free(second);
}

TEST(too_little_room_to_pack_is_a_failure) {
    static unsigned char bytes[1000];
    static unsigned char target[1200];
    fill(KIND_RANDOM, 1, bytes, sizeof(bytes));
    const cosm_codec *codec = cosm_zstd_codec();
    size_t needed = codec->pack(codec->context, bytes, sizeof(bytes), 4, target, sizeof(target));
    CHECK(needed > 0 && needed <= codec->bound(codec->context, sizeof(bytes)));
    for (size_t room = 0; room < needed; room += room < 20 || room + 60 > needed ? 1 : 50) {
        memset(target, 0xEE, sizeof(target));
        CHECK_INT(codec->pack(codec->context, bytes, sizeof(bytes), 4, target, room), 0);
        for (size_t i = room; i < sizeof(target); i++) {
            if (target[i] != 0xEE) {
                CHECK_INT(i, room);
                break;
            }
        }
    }
}

// Tries damaged bytes, which must give nothing or, where zstd does not look at what was changed,
// just the bytes that were packed. Returns whether they gave nothing.
static bool try_damaged(const unsigned char *packed, size_t size, size_t stride, size_t room,
                        const unsigned char *bytes) {
    unsigned char *copy = malloc(size > 0 ? size : 1);
    unsigned char *target = malloc(room + GUARD);
    memcpy(copy, packed, size);
    memset(target, 0xEE, room + GUARD);
    const cosm_codec *codec = cosm_zstd_codec();
    size_t got = codec->unpack(codec->context, copy, size, stride, target, room);
    if (got != 0 && bytes != NULL) {
        CHECK_INT(got, room);
        CHECK_MEM(target, bytes, room);
    }
    for (size_t i = 0; i < GUARD; i++) {
        CHECK_INT(target[room + i], 0xEE);
    }
    free(copy);
    free(target);
    return got == 0;
}

static void check_refused(const unsigned char *packed, size_t size, size_t stride, size_t room) {
    CHECK(try_damaged(packed, size, stride, room, NULL));
}

TEST(what_is_cut_off_changed_or_followed_by_more_is_refused) {
    static unsigned char bytes[600];
    for (uint32_t round = 0; round < 3; round++) {
        size_t stride = round == 2 ? 1 : 4;
        fill(round == 0 ? KIND_FLOATS : KIND_FEW, 1, bytes, sizeof(bytes));
        unsigned char *packed;
        size_t size = pack_all(cosm_zstd_codec(), bytes, sizeof(bytes), stride, &packed);
        CHECK_INT(packed[0], round == 0 ? 0xA5 : 0x5A);
        for (size_t cut = 0; cut < size; cut++) {
            check_refused(packed, cut, stride, sizeof(bytes));
        }
        // Every byte changed, to some others and in every bit.
        size_t refused = 0;
        for (size_t at = 0; at < size; at++) {
            for (uint32_t k = 0; k < 12; k++) {
                unsigned char was = packed[at];
                packed[at] = (unsigned char)(k < 8 ? was ^ (1u << k) : was + 31u * k);
                refused += try_damaged(packed, size, stride, sizeof(bytes), bytes) ? 1 : 0;
                packed[at] = was;
            }
        }
        CHECK(refused >= 12 * size * 8 / 10);
        unsigned char *longer = malloc(2 * size + 8);
        memcpy(longer, packed, size);
        memcpy(longer + size, packed + 1, size - 1); // a second frame
        check_refused(longer, 2 * size - 1, stride, 2 * sizeof(bytes));
        check_refused(longer, size + 1, stride, sizeof(bytes));
        memcpy(longer + size, "\x50\x2A\x4D\x18\0\0\0\0", 8); // one that zstd passes over
        check_refused(longer, size + 8, stride, sizeof(bytes));
        free(longer);
        free(packed);
    }
}

TEST(bytes_that_were_never_packed_are_refused) {
    struct dice dice = {harness_seed()};
    for (uint32_t i = 0; i < 2000; i++) {
        unsigned char bytes[64];
        size_t size = dice_roll(&dice, sizeof(bytes));
        fill(KIND_RANDOM, dice_next(&dice), bytes, size);
        // Most of them look like a frame at first.
        static const unsigned char head[] = {0xA5, 0x28, 0xB5, 0x2F, 0xFD};
        memcpy(bytes, head, i % 6);
        check_refused(bytes, size, 1 + i % 20, 100);
    }
    // A frame that says it becomes more than there can be.
    const unsigned char huge[] = {0x5A, 0x28, 0xB5, 0x2F, 0xFD, 0xE0, 0xFF, 0xFF, 0xFF, 0xFF,
                                  0xFF, 0xFF, 0xFF, 0x7F, 0x01, 0x00, 0x00, 0x01, 0x00, 0x00};
    check_refused(huge, sizeof(huge), 1, 1000);
    // Items that were shuffled need a stride to be put in order.
    static unsigned char floats[600];
    fill(KIND_FLOATS, 1, floats, sizeof(floats));
    unsigned char *packed;
    size_t size = pack_all(cosm_zstd_codec(), floats, sizeof(floats), 4, &packed);
    for (size_t stride = 0; stride < 40; stride = stride == 1 ? 17 : stride + 1) {
        check_refused(packed, size, stride, sizeof(floats));
    }
    free(packed);
}

TEST(a_level_that_is_none_is_refused) {
    const int levels[] = {0, -1, COSM_ZSTD_LEVEL_MAX + 1};
    for (uint32_t i = 0; i < 3; i++) {
        cosm_error_clear();
        CHECK(cosm_zstd_codec_at(levels[i]) == NULL);
        CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_zstd_codec_at", "level is", "use 1 (fastest)");
    }
}
