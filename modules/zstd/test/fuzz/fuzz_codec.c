// Fuzzes the codec: bytes are unpacked to little room; what bytes are packed to comes back.
//
// The first byte is the stride, the second one the room; the rest is what is unpacked and packed.
#include <cosm_zstd/codec.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect_that(bool holds) {
    if (!holds) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) {
        return 0;
    }
    const cosm_codec *codec = cosm_zstd_codec_at(1);
    size_t stride = data[0] % 24;
    size_t room = (size_t)data[1] * 16;
    unsigned char *target = malloc(room + 1); // just as large: the address sanitizer looks on
    expect_that(codec->unpack(codec->context, data + 2, size - 2, stride, target, room) <= room);
    free(target);
    size_t bound = codec->bound(codec->context, size - 2);
    unsigned char *packed = malloc(bound);
    unsigned char *back = malloc(size);
    size_t packed_size = codec->pack(codec->context, data + 2, size - 2, stride, packed, bound);
    expect_that(packed_size > 0);
    expect_that(codec->unpack(codec->context, packed, packed_size, stride, back, size - 2) ==
                size - 2);
    expect_that(memcmp(back, data + 2, size - 2) == 0);
    free(packed);
    free(back);
    return 0;
}
