// Out of memory: the n-th allocation of the codec fails, for every n. The linker leads malloc and
// ZSTD_createCCtx here (see CMakeLists.txt).
#include <cosm_zstd/codec.h>
#include <stdlib.h>

#include "harness.h"
#include "support/fixture.h"

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_ZSTD_createCCtx(void);
void *__wrap_ZSTD_createCCtx(void);

static uint32_t request_count;
static uint32_t refuse_at; // zero: never

static bool refuses(void) {
    return refuse_at != 0 && ++request_count == refuse_at;
}

void *__wrap_malloc(size_t size) {
    return refuses() ? NULL : __real_malloc(size);
}

void *__wrap_ZSTD_createCCtx(void) {
    return refuses() ? NULL : __real_ZSTD_createCCtx();
}

TEST(packing_and_unpacking_without_memory_fail_and_leave_nothing_behind) {
    static float numbers[1000];
    static char packed[8000];
    static float back[1000];
    for (uint32_t i = 0; i < 1000; i++) {
        numbers[i] = (float)i;
    }
    const cosm_codec *codec = cosm_zstd_codec();
    size_t packed_size = 0;
    uint32_t refused = 0;
    for (refuse_at = 1; packed_size == 0; refuse_at++, refused++) {
        request_count = 0;
        packed_size =
            codec->pack(codec->context, numbers, sizeof(numbers), 4, packed, sizeof(packed));
    }
    CHECK_INT(refused, 4); // three requests, and one time without a refusal
    refuse_at = 1;
    request_count = 0;
    CHECK_INT(codec->unpack(codec->context, packed, packed_size, 4, back, sizeof(back)), 0);
    refuse_at = 0;
    CHECK_INT(codec->unpack(codec->context, packed, packed_size, 4, back, sizeof(back)),
              sizeof(back));
    CHECK_MEM(back, numbers, sizeof(back));
}
