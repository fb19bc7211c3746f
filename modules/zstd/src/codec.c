// The codec: a byte that says whether the items were shuffled, then one frame of zstd.
//
// The frame tells its size and has a checksum, so that damage is found. A block that is packed is
// looked at first: a sample of it is packed in both ways.
#include <cosm_zstd/codec.h>
#include <stdlib.h>
#include <zstd.h>

#include "shuffle.h"

// No bit in common: damage to a few bits does not make one of the other.
#define FLAG_PLAIN 0x5Au
#define FLAG_SHUFFLED 0xA5u

// Larger items are rarely of one kind, and their bytes lie too far apart.
#define STRIDE_MAX ((size_t)16)

// What both ways are tried on; of larger blocks, that in the middle.
#define SAMPLE_SIZE ((size_t)8192)

static size_t bound(void *context, size_t size) {
    (void)context;
    return 1 + ZSTD_compressBound(size);
}

// Packs one frame. Returns its size, or 0.
static size_t pack_frame(ZSTD_CCtx *zstd, int level, const void *source, size_t size, void *target,
                         size_t room) {
    if (ZSTD_isError(ZSTD_CCtx_reset(zstd, ZSTD_reset_session_and_parameters)) ||
        ZSTD_isError(ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel, level)) ||
        ZSTD_isError(ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1))) {
        return 0;
    }
    size_t packed = ZSTD_compress2(zstd, target, room, source, size);
    return ZSTD_isError(packed) ? 0 : packed;
}

// Memory for one call of pack.
struct bench {
    ZSTD_CCtx *zstd;
    unsigned char *shuffled; // as large as the block; NULL where items are not shuffled
    unsigned char *trial;    // room for a packed sample
    size_t trial_room;
};

static bool bench_open(struct bench *bench, size_t size, bool is_tried) {
    size_t sample = size < SAMPLE_SIZE ? size : SAMPLE_SIZE;
    *bench = (struct bench){.zstd = ZSTD_createCCtx(), .trial_room = ZSTD_compressBound(sample)};
    if (is_tried) {
        bench->shuffled = malloc(size);
        bench->trial = malloc(bench->trial_room);
    }
    return bench->zstd != NULL && (!is_tried || (bench->shuffled != NULL && bench->trial != NULL));
}

static void bench_close(struct bench *bench) {
    (void)ZSTD_freeCCtx(bench->zstd);
    free(bench->shuffled);
    free(bench->trial);
}

// Is the sample smaller when it is shuffled?
static bool shuffling_helps(struct bench *bench, const unsigned char *source, size_t size,
                            size_t stride) {
    size_t sample = size < SAMPLE_SIZE ? size : SAMPLE_SIZE;
    const unsigned char *from = source + (size - sample) / 2 / stride * stride;
    size_t plain = pack_frame(bench->zstd, 1, from, sample, bench->trial, bench->trial_room);
    cosmi_zstd_shuffle(from, sample, stride, bench->shuffled);
    size_t sorted =
        pack_frame(bench->zstd, 1, bench->shuffled, sample, bench->trial, bench->trial_room);
    return sorted != 0 && sorted < plain;
}

static size_t pack(void *context, const void *source, size_t size, size_t stride, void *target,
                   size_t room) {
    const int *level = context;
    struct bench bench;
    bool is_tried = stride > 1 && stride <= STRIDE_MAX && size >= 2 * stride;
    size_t packed = 0;
    if (bench_open(&bench, size, is_tried) && room > 1) {
        unsigned char *flag = target;
        const void *from = source;
        *flag = FLAG_PLAIN;
        if (is_tried && shuffling_helps(&bench, source, size, stride)) {
            cosmi_zstd_shuffle(source, size, stride, bench.shuffled);
            from = bench.shuffled;
            *flag = FLAG_SHUFFLED;
        }
        packed = pack_frame(bench.zstd, *level, from, size, flag + 1, room - 1);
    }
    bench_close(&bench);
    return packed == 0 ? 0 : 1 + packed;
}

// The size that a frame says it becomes, if that fits `room` and the frame is all there is; else 0.
static size_t size_of_frame(const void *frame, size_t size, size_t room) {
    unsigned long long content = ZSTD_getFrameContentSize(frame, size);
    if (content == ZSTD_CONTENTSIZE_UNKNOWN || content == ZSTD_CONTENTSIZE_ERROR ||
        content > room) {
        return 0;
    }
    size_t whole = ZSTD_findFrameCompressedSize(frame, size);
    return !ZSTD_isError(whole) && whole == size ? (size_t)content : 0;
}

static bool unpack_frame(const void *frame, size_t size, void *target, size_t content) {
    size_t unpacked = ZSTD_decompress(target, content, frame, size);
    return !ZSTD_isError(unpacked) && unpacked == content;
}

static size_t unpack(void *context, const void *source, size_t size, size_t stride, void *target,
                     size_t room) {
    (void)context;
    const unsigned char *bytes = source;
    if (size < 2 || (bytes[0] != FLAG_PLAIN && bytes[0] != FLAG_SHUFFLED)) {
        return 0;
    }
    const unsigned char *frame = bytes + 1;
    size_t content = size_of_frame(frame, size - 1, room);
    if (content == 0) {
        return 0;
    }
    if (bytes[0] == FLAG_PLAIN) {
        return unpack_frame(frame, size - 1, target, content) ? content : 0;
    }
    if (stride < 2 || stride > STRIDE_MAX) {
        return 0;
    }
    unsigned char *shuffled = malloc(content);
    bool is_good = shuffled != NULL && unpack_frame(frame, size - 1, shuffled, content);
    if (is_good) {
        cosmi_zstd_unshuffle(shuffled, content, stride, target);
    }
    free(shuffled);
    return is_good ? content : 0;
}

// Codecs point at their levels.
static const int levels[COSM_ZSTD_LEVEL_MAX] = {1,  2,  3,  4,  5,  6,  7,  8,  9, 10,
                                                11, 12, 13, 14, 15, 16, 17, 18, 19};

#define CODEC(level)                                                                               \
    {                                                                                              \
        .name = "zstd", .context = (void *)&levels[(level)-1], .bound = bound, .pack = pack,       \
        .unpack = unpack                                                                           \
    }

static const cosm_codec codecs[COSM_ZSTD_LEVEL_MAX] = {
    CODEC(1),  CODEC(2),  CODEC(3),  CODEC(4),  CODEC(5),  CODEC(6),  CODEC(7),
    CODEC(8),  CODEC(9),  CODEC(10), CODEC(11), CODEC(12), CODEC(13), CODEC(14),
    CODEC(15), CODEC(16), CODEC(17), CODEC(18), CODEC(19)};

const cosm_codec *cosm_zstd_codec(void) {
    return &codecs[COSM_ZSTD_LEVEL_DEFAULT - 1];
}

const cosm_codec *cosm_zstd_codec_at(int level) {
    if (level < 1 || level > COSM_ZSTD_LEVEL_MAX) {
        (void)cosm_error_raise(NULL, COSM_ERROR_ARGUMENT,
                               "cosm_zstd_codec_at: level is %d; use 1 (fastest) to %d (smallest)",
                               level, COSM_ZSTD_LEVEL_MAX);
        return NULL;
    }
    return &codecs[level - 1];
}
