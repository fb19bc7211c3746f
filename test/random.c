// Random numbers: known answers, independence, distributions (cosm/random.h).
//
// ctest: golden
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cosm/random.h>

#include "base/random.h"
#include "harness.h"
#include "store/batch.h"
#include "support/fixture.h"

// The seed of everything that has bounds: with one outcome a test of chance cannot fail by chance.
#define SEED 0x0123456789ABCDEFu

// A stream whose next four numbers are these.
static cosm_random fed(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    return (cosm_random){.block = {a, b, c, d}, .left = 4};
}

// A stream whose next two numbers are the halves of this one.
static cosm_random fed_wide(uint64_t bits) {
    uint32_t low = (uint32_t)bits;
    uint32_t high = (uint32_t)(bits >> 32);
    return fed(low, high, low, high);
}

static uint32_t float_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static uint64_t double_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

// The sum over all bins of (count - expected)^2 / expected.
static double chi_square(const uint32_t *counts, uint32_t bin_count, double expected) {
    double sum = 0.0;
    for (uint32_t i = 0; i < bin_count; i++) {
        double off = (double)counts[i] - expected;
        sum += off * off / expected;
    }
    return sum;
}

// Chi-square has this mean and a deviation of sqrt(2 * freedom): five of them, either way. Too even
// is as wrong as too uneven.
static void check_chi_square(const uint32_t *counts, uint32_t bin_count, double expected) {
    double freedom = (double)bin_count - 1.0;
    CHECK_NEAR(chi_square(counts, bin_count, expected), freedom, 5.0 * sqrt(2.0 * freedom));
}

TEST(the_generator_gives_the_published_answers) {
    static const struct {
        uint32_t counter[4];
        uint32_t key[2];
        uint32_t block[4];
    } answers[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627E8D5u, 0xE169C58Du, 0xBC57AC4Cu, 0x9B00DBD8u}},
        {{0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu},
         {0xFFFFFFFFu, 0xFFFFFFFFu},
         {0x408F276Du, 0x41C83B0Eu, 0xA20BC7C6u, 0x6D5451FDu}},
        {{0x243F6A88u, 0x85A308D3u, 0x13198A2Eu, 0x03707344u},
         {0xA4093822u, 0x299F31D0u},
         {0xD16CFE09u, 0x94FDCCEBu, 0x5001E420u, 0x24126EA1u}},
    };
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t block[4];
        cosm_random_philox(answers[i].counter, answers[i].key, block);
        CHECK_MEM(block, answers[i].block, sizeof(block));
        uint32_t in_place[4];
        memcpy(in_place, answers[i].counter, sizeof(in_place));
        cosm_random_philox(in_place, answers[i].key, in_place);
        CHECK_MEM(in_place, answers[i].block, sizeof(in_place));
    }
}

TEST(a_stream_is_the_generator_on_counters_that_go_up) {
    cosm_random random = cosm_random_seed(SEED, 5);
    for (uint32_t block = 0; block < 100; block++) {
        uint32_t counter[4] = {block, 5, 0, 0xFFFFFFFFu};
        uint32_t key[2] = {(uint32_t)SEED, (uint32_t)(SEED >> 32)};
        uint32_t expected[4];
        cosm_random_philox(counter, key, expected);
        for (uint32_t i = 0; i < 4; i++) {
            CHECK_INT(cosm_random_u32(&random), expected[i]);
        }
    }
}

TEST(a_wide_number_is_two_numbers_with_the_low_half_first) {
    cosm_random narrow = cosm_random_seed(SEED, 6);
    cosm_random wide = narrow;
    cosm_random_u32(&narrow); // an odd start: halves then come from two blocks
    cosm_random_u32(&wide);
    for (uint32_t i = 0; i < 10; i++) {
        uint64_t low = cosm_random_u32(&narrow);
        uint64_t high = cosm_random_u32(&narrow);
        CHECK_INT(cosm_random_u64(&wide), low | high << 32);
    }
}

TEST(a_copy_of_a_stream_gives_the_same_numbers) {
    cosm_random random = cosm_random_seed(SEED, 7);
    for (uint32_t i = 0; i < 9; i++) {
        cosm_random copy = random;
        CHECK_INT(cosm_random_u32(&copy), cosm_random_u32(&random));
    }
}

TEST(a_worlds_stream_is_laid_out_as_the_design_says) {
    cosm_random random = cosmi_random_stream(7, 0xA5A5A5A55A5A5A5Au, 0xABCDEF, 0x1234567890u, 42);
    CHECK_INT(random.counter[0], 0);
    CHECK_INT(random.counter[1], 42);
    CHECK_INT(random.counter[2], 0x34567890u);
    CHECK_INT(random.counter[3], 0x12ABCDEFu);
    CHECK_INT(random.key[0], 0x5A5A5A5Du);
    CHECK_INT(random.key[1], 0xA5A5A5A5u);
    CHECK_INT(random.left, 0);
    CHECK_INT(cosm_random_u32(&random), 0x99B6387Au);
    CHECK_INT(cosm_random_u32(&random), 0x6B9F4AFDu);
    CHECK_INT(cosm_random_u32(&random), 0xE3842A90u);
    CHECK_INT(cosm_random_u32(&random), 0x6743808Cu);
}

TEST(a_stream_without_a_world_has_a_place_of_its_own) {
    cosm_random random = cosm_random_seed(SEED, 0xFEDCBA9876543210u);
    CHECK_INT(random.counter[0], 0);
    CHECK_INT(random.counter[1], 0x76543210u);
    CHECK_INT(random.counter[2], 0xFEDCBA98u);
    CHECK_INT(random.counter[3], 0xFFFFFFFFu);
    CHECK_INT(random.key[0], 0x89ABCDEFu);
    CHECK_INT(random.key[1], 0x01234567u);
    // The last world there can be comes there after 255 * 2^32 steps, and no sooner.
    uint64_t steps = (uint64_t)255 << 32;
    uint32_t last = COSM_BATCH_WORLD_MAX - 1;
    CHECK(cosmi_random_stream(SEED, 0, last, steps - 1, 0).counter[3] != 0xFFFFFFFFu);
    CHECK(cosmi_random_stream(SEED, 0, last - 1, steps, 0).counter[3] != 0xFFFFFFFFu);
    CHECK_INT(cosmi_random_stream(SEED, 0, last, steps, 0).counter[3], 0xFFFFFFFFu);
}

TEST(a_worlds_numbers_depend_on_seed_world_step_and_stream_only) {
    struct fixture box;
    fixture_open_with(&box, 0, NULL, &(cosm_batch_desc){.world_count = 3, .seed = SEED});
    for (uint64_t step = 0; step < 3; step++) {
        for (uint32_t w = 0; w < 3; w++) {
            for (uint32_t stream = 0; stream < 3; stream++) {
                cosm_random random = cosm_world_random(fixture_world(&box, w), stream);
                cosm_random again = cosm_world_random(fixture_world(&box, w), stream);
                cosm_random expected = cosmi_random_stream(SEED, 0, w, step, stream);
                CHECK_MEM(&random, &expected, sizeof(random));
                CHECK_INT(cosm_random_u64(&random), cosm_random_u64(&again));
            }
        }
        CHECK_DONE(cosm_batch_step(box.batch));
    }
    fixture_close(&box);
}

TEST(spawning_and_resetting_do_not_change_what_a_world_draws) {
    struct fixture box;
    fixture_open_with(&box, 0, NULL, &(cosm_batch_desc){.world_count = 2, .seed = 3});
    cosm_random before = cosm_world_random(box.world, 1);
    fixture_spawn(&box, 1.0f);
    CHECK_DONE(cosm_batch_reset(box.batch, NULL));
    cosm_random after = cosm_world_random(box.world, 1);
    CHECK_INT(cosm_random_u64(&before), cosm_random_u64(&after));
    fixture_close(&box);
}

TEST(a_world_that_does_not_exist_gives_a_message_and_a_stream_that_works) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    cosm_error_clear();
    cosm_random random = cosm_world_random((cosm_world){box.batch, 2}, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_world_random", "world.index 2", "smaller index");
    CHECK_INT(random.key[0] | random.key[1], 0);
    CHECK_INT(cosm_random_u32(&random), 0x6627E8D5u);
    random = cosm_world_random((cosm_world){0}, 9);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_world_random", "world.batch", "cosm_batch_world");
    CHECK_INT(cosm_random_u32(&random), 0x6627E8D5u);
    fixture_close(&box);
}

TEST(many_worlds_draw_at_once_what_each_draws_alone) {
    struct fixture box;
    fixture_open_with(&box, 0, NULL, &(cosm_batch_desc){.world_count = 150, .seed = SEED});
    CHECK_DONE(cosm_world_seed(fixture_world(&box, 3), 0x123456789ABCDEFu, (uint64_t)5 << 40 | 7));
    cosm_random random = cosm_random_seed(harness_seed(), 5);
    uint32_t worlds[150];
    uint32_t streams[150];
    uint32_t numbers[4 * 150 + 1];
    for (uint32_t step = 0; step < 3; step++) {
        for (uint32_t i = 0; i < 150; i++) {
            worlds[i] = i == 0 ? 3 : cosm_random_below(&random, 150);
            streams[i] = cosm_random_u32(&random);
        }
        uint32_t count = step == 0 ? 150 : cosm_random_below(&random, 150);
        numbers[4 * (size_t)count] = 77;
        cosm_worlds_random(box.batch, worlds, streams, count, numbers);
        for (uint32_t i = 0; i < count; i++) {
            cosm_random alone = cosm_world_random(fixture_world(&box, worlds[i]), streams[i]);
            for (uint32_t k = 0; k < 4; k++) {
                CHECK_INT(numbers[4 * (size_t)i + k], cosm_random_u32(&alone));
            }
        }
        CHECK_INT(numbers[4 * (size_t)count], 77);
        CHECK_DONE(cosm_batch_step(box.batch));
    }
    fixture_close(&box);
}

TEST(worlds_that_do_not_exist_give_a_message_and_zeroes) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    uint32_t worlds[2] = {0, 2};
    uint32_t streams[2] = {0, 0};
    uint32_t numbers[8];
    const uint32_t zeroes[8] = {0};
    memset(numbers, 1, sizeof(numbers));
    cosm_worlds_random(box.batch, worlds, streams, 2, numbers);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_worlds_random", "world.index 2", "smaller index");
    CHECK_MEM(numbers, zeroes, sizeof(zeroes));
    memset(numbers, 1, sizeof(numbers));
    cosm_worlds_random(NULL, worlds, streams, 2, numbers);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_worlds_random", "batch", "pass a batch");
    CHECK_MEM(numbers, zeroes, sizeof(zeroes));
    memset(numbers, 1, sizeof(numbers));
    cosm_worlds_random(box.batch, worlds, NULL, 2, numbers);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_worlds_random", "streams", "pass a batch");
    CHECK_MEM(numbers, zeroes, sizeof(zeroes));
    cosm_error_clear();
    cosm_worlds_random(box.batch, NULL, NULL, 0, numbers);
    cosm_worlds_random(box.batch, worlds, streams, 2, NULL);
    CHECK_INT(cosm_error_result(), COSM_OK);
    fixture_close(&box);
}

static int compare_wide(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// 40,000 numbers of 64 bits: two equal ones by chance would be a matter of 1 in 2 * 10^10.
#define NEAR_COUNT (10u * 10u * 10u * 5u * 8u)

// Worlds, steps, streams and salts near each other, at the ends of the fields where carries would
// show.
static uint32_t draw_near(uint64_t *out_numbers) {
    static const uint32_t worlds[10] = {0, 1, 2, 3, 4, 255, 256, 0xFFFF, 0xFFFFFE, 0xFFFFFF};
    static const uint64_t steps[10] = {
        0, 1, 2, 3, 255, 256, 0xFFFFFFFFu, 0x100000000u, 0x100000001u, 0xFFFFFFFFFFu};
    static const uint32_t streams[10] = {0,   1,   2,        3,           4,
                                         255, 256, 0x10000u, 0x80000000u, 0xFFFFFFFFu};
    static const uint64_t salts[5] = {0, 1, 2, 0x100000000u, 0x8000000000000000u};
    uint32_t count = 0;
    for (uint32_t i = 0; i < 5000; i++) {
        cosm_random random = cosmi_random_stream(SEED, salts[i / 1000], worlds[i % 10],
                                                 steps[i / 10 % 10], streams[i / 100 % 10]);
        for (uint32_t k = 0; k < 8; k++) {
            out_numbers[count++] = cosm_random_u64(&random);
        }
    }
    return count;
}

TEST(streams_near_each_other_share_no_number) {
    static uint64_t numbers[NEAR_COUNT];
    uint32_t count = draw_near(numbers);
    CHECK_INT(count, NEAR_COUNT);
    qsort(numbers, count, sizeof(numbers[0]), compare_wide);
    uint32_t equal_count = 0;
    for (uint32_t i = 1; i < count; i++) {
        equal_count += numbers[i] == numbers[i - 1];
    }
    CHECK_INT(equal_count, 0);
}

static uint32_t ones(uint64_t bits) {
    uint32_t count = 0;
    for (; bits != 0; bits &= bits - 1) {
        count++;
    }
    return count;
}

TEST(one_bit_of_a_streams_name_changes_half_of_its_bits) {
    // 48 bits of seed and step, 4,096 of each: 64 * 4096 bits change or not, so that their mean has
    // a deviation of 4 / 64.
    for (uint32_t bit = 0; bit < 48; bit++) {
        double sum = 0.0;
        for (uint32_t i = 0; i < 4096; i++) {
            uint64_t flip = (uint64_t)1 << (bit % 24);
            uint64_t seed = SEED ^ (bit < 24 ? flip : 0);
            uint64_t step = i ^ (bit < 24 ? 0 : flip);
            cosm_random a = cosmi_random_stream(SEED, 0, 3, i, 0);
            cosm_random b = cosmi_random_stream(seed, 0, 3, step, 0);
            sum += ones(cosm_random_u64(&a) ^ cosm_random_u64(&b));
        }
        CHECK_NEAR(sum / 4096.0, 32.0, 5.0 * 4.0 / 64.0);
    }
}

TEST(every_byte_of_a_number_is_uniform) {
    static uint32_t counts[4][256];
    memset(counts, 0, sizeof(counts));
    cosm_random random = cosm_random_seed(SEED, 1);
    for (uint32_t i = 0; i < 1u << 18; i++) {
        uint32_t number = cosm_random_u32(&random);
        for (uint32_t k = 0; k < 4; k++) {
            counts[k][number >> 8 * k & 255u]++;
        }
    }
    for (uint32_t k = 0; k < 4; k++) {
        check_chi_square(counts[k], 256, 1024.0);
    }
}

TEST(the_first_numbers_of_neighbouring_streams_are_uniform_too) {
    static uint32_t counts[3][256];
    memset(counts, 0, sizeof(counts));
    for (uint32_t i = 0; i < 1u << 16; i++) {
        cosm_random by_world = cosmi_random_stream(SEED, 0, i, 9, 0);
        cosm_random by_step = cosmi_random_stream(SEED, 0, 9, i, 0);
        cosm_random by_stream = cosmi_random_stream(SEED, 0, 9, 9, i);
        counts[0][cosm_random_u32(&by_world) >> 24]++;
        counts[1][cosm_random_u32(&by_step) >> 24]++;
        counts[2][cosm_random_u32(&by_stream) >> 24]++;
    }
    for (uint32_t k = 0; k < 3; k++) {
        check_chi_square(counts[k], 256, 256.0);
    }
}

TEST(numbers_one_after_another_are_independent) {
    static uint32_t counts[64 * 64];
    memset(counts, 0, sizeof(counts));
    cosm_random random = cosm_random_seed(SEED, 2);
    uint32_t previous = cosm_random_u32(&random) >> 26;
    for (uint32_t i = 0; i < 1u << 19; i++) {
        uint32_t number = cosm_random_u32(&random) >> 26;
        counts[previous * 64 + number]++;
        previous = number;
    }
    check_chi_square(counts, 64 * 64, 128.0);
}

TEST(floats_and_doubles_reach_zero_and_never_one) {
    cosm_random random = fed(0, 0, 0xFFu, 0x7FFu);
    CHECK(cosm_random_float(&random) == 0.0f);
    random = fed(0, 0, 0, 0);
    CHECK(cosm_random_double(&random) == 0.0);
    random = fed(0xFFFFFFFFu, 0x1FFu, 0xFFu, 0x80000000u);
    CHECK(cosm_random_float(&random) == 1.0f - 0x1p-24f);
    CHECK(cosm_random_float(&random) == 0x1p-24f);
    CHECK(cosm_random_float(&random) == 0.0f);
    CHECK(cosm_random_float(&random) == 0.5f);
    random = fed(0xFFFFFFFFu, 0xFFFFFFFFu, 0x800u, 0);
    CHECK(cosm_random_double(&random) == 1.0 - 0x1p-53);
    CHECK(cosm_random_double(&random) == 0x1p-53);
}

TEST(below_gives_zero_where_there_is_nothing_to_choose) {
    cosm_random random = cosm_random_seed(SEED, 3);
    for (uint32_t i = 0; i < 100; i++) {
        CHECK_INT(cosm_random_below(&random, 0), 0);
        CHECK_INT(cosm_random_below(&random, 1), 0);
    }
}

TEST(below_draws_again_where_a_number_would_tip_the_scales) {
    // 2^32 mod (3 * 2^30) is 2^30: numbers whose product has a lower low half are in surplus. Those
    // are the multiples of 4.
    uint32_t count = 3u << 30;
    cosm_random random = fed(0, 4, 0x80000000u, 5);
    CHECK_INT(cosm_random_below(&random, count), 3); // 5 * 3 / 4
    CHECK_INT(random.left, 0);
    random = fed(1, 2, 3, 0xFFFFFFFFu);
    CHECK_INT(cosm_random_below(&random, count), 0);
    CHECK_INT(cosm_random_below(&random, count), 1);
    CHECK_INT(cosm_random_below(&random, count), 2);
    CHECK_INT(cosm_random_below(&random, count), count - 1);
}

TEST(below_is_unbiased_for_counts_that_do_not_divide_the_range) {
    // Without rejection, a third of the answers of 3 * 2^30 would come twice as often: every third
    // one where the number is multiplied, the first third where it is divided.
    uint32_t by_rest[3] = {0};
    uint32_t by_third[3] = {0};
    cosm_random random = cosm_random_seed(SEED, 4);
    for (uint32_t i = 0; i < 300000; i++) {
        uint32_t number = cosm_random_below(&random, 3u << 30);
        by_rest[number % 3]++;
        by_third[number >> 30 < 3 ? number >> 30 : 0]++;
        CHECK(number < 3u << 30);
    }
    check_chi_square(by_rest, 3, 100000.0);
    check_chi_square(by_third, 3, 100000.0);
}

TEST(below_gives_each_answer_equally_often) {
    cosm_random random = cosm_random_seed(SEED, 8);
    for (uint32_t count = 2; count <= 40; count++) {
        uint32_t counts[40] = {0};
        for (uint32_t i = 0; i < count * 1000; i++) {
            uint32_t number = cosm_random_below(&random, count);
            REQUIRE(number < count);
            counts[number]++;
        }
        check_chi_square(counts, count, 1000.0);
    }
}

TEST(a_range_has_both_of_its_ends) {
    uint32_t counts[7] = {0};
    cosm_random random = cosm_random_seed(SEED, 9);
    for (uint32_t i = 0; i < 7000; i++) {
        int32_t number = cosm_random_range(&random, -3, 3);
        REQUIRE(number >= -3 && number <= 3);
        counts[number + 3]++;
    }
    check_chi_square(counts, 7, 1000.0);
}

TEST(a_range_may_be_everything_or_nothing) {
    cosm_random random = fed(0, 0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFFu);
    CHECK_INT(cosm_random_range(&random, INT32_MIN, INT32_MAX), INT32_MIN);
    CHECK_INT(cosm_random_range(&random, INT32_MIN, INT32_MAX), -1);
    CHECK_INT(cosm_random_range(&random, INT32_MIN, INT32_MAX), 0);
    CHECK_INT(cosm_random_range(&random, INT32_MIN, INT32_MAX), INT32_MAX);
    random = fed(0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu);
    CHECK_INT(cosm_random_range(&random, INT32_MIN, INT32_MAX - 1), INT32_MAX - 1);
    CHECK_INT(cosm_random_range(&random, INT32_MIN + 1, INT32_MAX), INT32_MAX);
    CHECK_INT(cosm_random_range(&random, INT32_MIN, 0), 0);
    CHECK_INT(cosm_random_range(&random, INT32_MIN, INT32_MIN + 1), INT32_MIN + 1);
    random = fed(0x40000000u, 0x40000000u, 0xFFFFFFFFu, 0xFFFFFFFFu);
    CHECK_INT(cosm_random_range(&random, INT32_MAX - 1, INT32_MAX), INT32_MAX - 1);
    CHECK_INT(cosm_random_range(&random, INT32_MIN, INT32_MIN), INT32_MIN);
    CHECK_INT(cosm_random_range(&random, 5, 4), 5);
    CHECK_INT(cosm_random_range(&random, INT32_MAX, INT32_MIN), INT32_MAX);
}

// Whether `value` is at `low` or on the way from it to `high`, which it must not be.
static bool lies_between(float value, float low, float high) {
    return low < high ? value >= low && value < high : value <= low && value > high;
}

TEST(between_reaches_low_and_never_high) {
    static const float pairs[][2] = {
        {0.0f, 1.0f},
        {1.0f, 2.0f},
        {16777216.0f, 16777218.0f}, // neighbours: the last half would be rounded up
        {-16777218.0f, -16777216.0f},
        {-1.0f, 0.0f},
        {0.0f, 0x1p-149f}, // nothing in between
        {-0x1p-149f, 0.0f},
        {-0x1p-149f, 0x1p-149f},
        {1.0e30f, 1.0000001e30f},
        {-FLT_MAX, FLT_MAX}, // the span is no float
        {-FLT_MAX, 0.0f},
        {FLT_MAX / 2.0f, FLT_MAX},
        {-1.0f, 1.0e-30f},
    };
    for (uint32_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        for (uint32_t turned = 0; turned < 2; turned++) {
            float low = pairs[i][turned];
            float high = pairs[i][1 - turned];
            cosm_random random = fed(0, 0xFFFFFFFFu, 0xFFFFFE00u, 0x80000000u);
            CHECK(cosm_random_between(&random, low, high) == low);
            for (uint32_t k = 0; k < 3; k++) {
                float value = cosm_random_between(&random, low, high);
                CHECK(lies_between(value, low, high));
            }
        }
    }
}

TEST(between_never_reaches_high_for_any_two_floats) {
    cosm_random random = cosm_random_seed(harness_seed(), 0);
    for (uint32_t i = 0; i < 200000; i++) {
        float low = float_of(cosm_random_u32(&random));
        // Half of the pairs are close together, where rounding does the most.
        uint32_t close = float_bits(low) + cosm_random_below(&random, 16);
        float high = float_of((i & 1u) != 0 ? close : cosm_random_u32(&random));
        if (!isfinite(low) || !isfinite(high) || low == high) {
            continue;
        }
        uint32_t word = (i & 2u) != 0 ? 0xFFFFFFFFu : cosm_random_u32(&random);
        cosm_random next = fed(word, word, word, word);
        REQUIRE(lies_between(cosm_random_between(&next, low, high), low, high));
    }
}

TEST(between_gives_low_where_there_is_no_span) {
    cosm_random random = cosm_random_seed(SEED, 10);
    for (uint32_t i = 0; i < 10; i++) {
        CHECK(cosm_random_between(&random, 3.5f, 3.5f) == 3.5f);
        CHECK(cosm_random_between(&random, -0.0f, 0.0f) == 0.0f);
        CHECK(cosm_random_between(&random, 3.5f, NAN) == 3.5f);
        CHECK(cosm_random_between(&random, 3.5f, INFINITY) == 3.5f);
        CHECK(cosm_random_between(&random, 3.5f, -INFINITY) == 3.5f);
        CHECK(isnan(cosm_random_between(&random, NAN, 3.5f)));
        CHECK(cosm_random_between(&random, -INFINITY, INFINITY) == -INFINITY);
        CHECK(cosm_random_between(&random, INFINITY, INFINITY) == INFINITY);
    }
}

TEST(between_is_uniform) {
    uint32_t counts[100] = {0};
    cosm_random random = cosm_random_seed(SEED, 11);
    for (uint32_t i = 0; i < 100000; i++) {
        float value = cosm_random_between(&random, -50.0f, 50.0f);
        counts[(uint32_t)((double)value + 50.0)]++;
    }
    check_chi_square(counts, 100, 1000.0);
}

TEST(a_chance_is_as_likely_as_it_says) {
    static const float chances[] = {0.001f, 0.25f, 0.5f, 0.9f};
    cosm_random random = cosm_random_seed(SEED, 12);
    for (uint32_t c = 0; c < 4; c++) {
        double sum = 0.0;
        for (uint32_t i = 0; i < 100000; i++) {
            sum += cosm_random_chance(&random, chances[c]) ? 1.0 : 0.0;
        }
        double p = (double)chances[c];
        CHECK_NEAR(sum / 100000.0, p, 5.0 * sqrt(p * (1.0 - p) / 100000.0));
    }
}

TEST(a_chance_of_one_always_comes_and_one_of_zero_never) {
    cosm_random random = fed(0, 0xFFFFFFFFu, 0, 0xFFFFFFFFu);
    CHECK(!cosm_random_chance(&random, 0.0f));
    CHECK(cosm_random_chance(&random, 1.0f));
    CHECK(!cosm_random_chance(&random, -1.0f));
    CHECK(cosm_random_chance(&random, 2.0f));
    random = fed(0, 1, 0, 0x80000000u);
    CHECK(cosm_random_chance(&random, 0x1p-32f));
    CHECK(!cosm_random_chance(&random, 0x1p-32f));
    CHECK(!cosm_random_chance(&random, NAN));
    CHECK(!cosm_random_chance(&random, 0.5f));
}

// The chance that a normal is above z.
static double upper_tail(double z) {
    return 0.5 * erfc(z * 0.70710678118654752440);
}

TEST(a_normal_is_the_inverse_of_the_distribution) {
    // From the middle to the end of the tail: 52 bits of p, of which ever fewer are set.
    cosm_random random = cosm_random_seed(SEED, 13);
    for (uint32_t i = 0; i < 52000; i++) {
        uint64_t bits = (cosm_random_u64(&random) >> 12 >> i % 52) << 12 | 1u;
        double p = (double)(bits >> 12 << 1 | 1u) * 0x1p-54;
        cosm_random above = fed_wide(bits);
        cosm_random below = fed_wide(bits ^ 1u);
        double z = cosm_random_normal(&above);
        REQUIRE(z > 0.0 && cosm_random_normal(&below) == -z);
        // One part in 10^15 of z is at most 70 of the tail, out where z is 8.
        CHECK_NEAR(upper_tail(z) / p, 1.0, 2e-13);
    }
}

TEST(normals_have_two_ends) {
    cosm_random random = fed_wide(1);
    CHECK_NEAR(cosm_random_normal(&random), 8.292361075813595538, 1e-14);
    random = fed_wide(0);
    CHECK_NEAR(cosm_random_normal(&random), -8.292361075813595538, 1e-14);
    random = fed_wide(UINT64_MAX);
    CHECK_NEAR(cosm_random_normal(&random), 1.391458212335883e-16, 1e-30);
}

TEST(normals_have_the_moments_and_tails_of_the_distribution) {
    enum { COUNT = 400000 };
    double sums[5] = {0.0};
    uint32_t beyond[5] = {0};
    cosm_random random = cosm_random_seed(SEED, 14);
    for (uint32_t i = 0; i < COUNT; i++) {
        double z = cosm_random_normal(&random);
        double power = 1.0;
        for (uint32_t k = 1; k <= 4; k++) {
            power *= z;
            sums[k] += power;
            beyond[k] += fabs(z) > k;
        }
    }
    // The deviation of the mean of z^k is sqrt((E z^2k - (E z^k)^2) / n).
    CHECK_NEAR(sums[1] / COUNT, 0.0, 5.0 * sqrt(1.0 / COUNT));
    CHECK_NEAR(sums[2] / COUNT, 1.0, 5.0 * sqrt(2.0 / COUNT));
    CHECK_NEAR(sums[3] / COUNT, 0.0, 5.0 * sqrt(15.0 / COUNT));
    CHECK_NEAR(sums[4] / COUNT, 3.0, 5.0 * sqrt(96.0 / COUNT));
    for (uint32_t k = 1; k <= 4; k++) {
        double expected = 2.0 * upper_tail(k) * COUNT;
        CHECK_NEAR((double)beyond[k], expected, 5.0 * sqrt(expected));
    }
}

TEST(normals_fill_the_bell_evenly) {
    uint32_t counts[64] = {0};
    cosm_random random = cosm_random_seed(SEED, 15);
    for (uint32_t i = 0; i < 64000; i++) {
        double place = 64.0 * upper_tail(cosm_random_normal(&random));
        counts[place < 64.0 ? (uint32_t)place : 63u]++;
    }
    check_chi_square(counts, 64, 1000.0);
}

TEST(numbers_have_the_same_bits_everywhere) {
    static const uint32_t narrow[8] = {0x93CCAB16u, 0xE873EED5u, 0x4DCE8706u, 0x36B44508u,
                                       0xB54BCC9Au, 0x030E2288u, 0x4847DA46u, 0xA4FF8573u};
    static const uint32_t floats[4] = {0x3F13CCABu, 0x3F6873EEu, 0x3E9B9D0Eu, 0x3E5AD114u};
    static const uint64_t doubles[4] = {0x3FED0E7DDAB27995u, 0x3FCB5A228426E740u,
                                        0x3F88711445AA5E40u, 0x3FE49FF0AE6908FBu};
    cosm_random start = cosm_random_seed(SEED, 0xFEDCBA9876543210u);
    cosm_random random = start;
    for (uint32_t i = 0; i < 8; i++) {
        CHECK_INT(cosm_random_u32(&random), narrow[i]);
    }
    random = start;
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_INT(float_bits(cosm_random_float(&random)), floats[i]);
    }
    random = start;
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_INT(double_bits(cosm_random_double(&random)), doubles[i]);
    }
}

TEST(normals_have_the_same_bits_everywhere) {
    static const uint64_t drawn[4] = {0xBFBD93DFC2E66EB3u, 0xBFF3E55348DA03CAu, 0xC0041CD47E8B7F93u,
                                      0xBFDD874BFB0B369Fu};
    // The end of the tail, both sides of where each of the three quotients takes over, the middle.
    static const uint64_t placed[7][2] = {
        {0x0000000000000001u, 0x402095B059D67C4Cu}, {0x000000001E8A2001u, 0x401AA1B20E5A3F09u},
        {0x000000001E8A3001u, 0x401AA1B1BF7B3B52u}, {0x0123456789ABCDEFu, 0x4006C2133B144F62u},
        {0x2666666666665001u, 0x3FF7085226D3E526u}, {0x2666666666667001u, 0x3FF7085226D3E520u},
        {0xFFFFFFFFFFFFFFFFu, 0x3CA40D931FF62707u},
    };
    cosm_random random = cosm_random_seed(SEED, 0xFEDCBA9876543210u);
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_INT(double_bits(cosm_random_normal(&random)), drawn[i]);
    }
    for (uint32_t i = 0; i < 7; i++) {
        random = fed_wide(placed[i][0]);
        CHECK_INT(double_bits(cosm_random_normal(&random)), placed[i][1]);
    }
}

TEST(a_long_history_of_draws_has_the_same_bits_everywhere) {
    cosm_random random = cosm_random_seed(SEED, 16);
    uint64_t hash = 0;
    for (uint32_t i = 0; i < 100000; i++) {
        float low = cosm_random_float(&random) * 1000.0f;
        hash = hash * 0x100000001B3u ^ double_bits(cosm_random_normal(&random));
        hash = hash * 0x100000001B3u ^ float_bits(cosm_random_between(&random, low, 1000.0f));
        hash = hash * 0x100000001B3u ^ cosm_random_below(&random, 3u << 30);
        hash = hash * 0x100000001B3u ^ cosm_random_chance(&random, low * 0.001f);
    }
    CHECK_INT(hash, 0x4948C2549D6CDA9Au);
}

TEST(a_shuffle_gives_each_order_equally_often) {
    uint32_t counts[24] = {0};
    cosm_random random = cosm_random_seed(SEED, 17);
    for (uint32_t i = 0; i < 24000; i++) {
        uint8_t items[4] = {0, 1, 2, 3};
        cosm_random_shuffle(&random, items, 4, 1);
        // The number of the order: for each item, how many of the later ones are smaller.
        uint32_t order = 0;
        for (uint32_t a = 0; a < 4; a++) {
            uint32_t smaller = 0;
            for (uint32_t b = a + 1; b < 4; b++) {
                smaller += items[b] < items[a];
            }
            order = order * (4 - a) + smaller;
        }
        REQUIRE(order < 24);
        counts[order]++;
    }
    check_chi_square(counts, 24, 1000.0);
}

TEST(a_shuffle_loses_nothing_whatever_the_size_of_an_item) {
    enum { COUNT = 33 };
    static uint8_t items[COUNT * 1000 + 1];
    cosm_random random = cosm_random_seed(SEED, 18);
    for (size_t size = 1; size <= 1000; size += size < 100 ? 1 : 300) {
        for (uint32_t i = 0; i < COUNT; i++) {
            for (size_t k = 0; k < size; k++) {
                items[i * size + k] = (uint8_t)(i * 7 + k);
            }
        }
        items[COUNT * size] = 0xEE;
        cosm_random_shuffle(&random, items, COUNT, size);
        bool seen[COUNT] = {false};
        for (uint32_t i = 0; i < COUNT; i++) {
            uint32_t number = 0;
            while (number < COUNT && (uint8_t)(number * 7) != items[i * size]) {
                number++;
            }
            REQUIRE(number < COUNT && !seen[number]);
            seen[number] = true;
            for (size_t k = 0; k < size; k++) {
                REQUIRE(items[i * size + k] == (uint8_t)(number * 7 + k));
            }
        }
        CHECK_INT(items[COUNT * size], 0xEE);
    }
}

TEST(a_shuffle_of_large_items_moves_them_whole) {
    enum { SIZE = 1 << 20 };
    uint8_t *items = malloc((size_t)3 * SIZE);
    REQUIRE(items != NULL);
    for (uint32_t i = 0; i < 3; i++) {
        memset(items + (size_t)i * SIZE, (int)i + 1, SIZE);
    }
    cosm_random random = cosm_random_seed(SEED, 19);
    uint32_t sum = 0;
    cosm_random_shuffle(&random, items, 3, SIZE);
    for (uint32_t i = 0; i < 3; i++) {
        const uint8_t *item = items + (size_t)i * SIZE;
        sum += 1u << item[0];
        CHECK(memcmp(item, item + 1, SIZE - 1) == 0);
    }
    CHECK_INT(sum, 2 + 4 + 8);
    free(items);
}

TEST(a_shuffle_of_nothing_touches_nothing) {
    cosm_random random = cosm_random_seed(SEED, 20);
    cosm_random before = random;
    uint8_t items[4] = {1, 2, 3, 4};
    cosm_random_shuffle(&random, items, 0, 1);
    cosm_random_shuffle(&random, items, 1, 1);
    cosm_random_shuffle(&random, items, 4, 0);
    cosm_random_shuffle(&random, NULL, 4, 1);
    CHECK_MEM(items, ((uint8_t[4]){1, 2, 3, 4}), 4);
    CHECK_MEM(&random, &before, sizeof(random));
}

TEST(how_many_numbers_a_call_draws_does_not_depend_on_its_bounds) {
    cosm_random random = cosm_random_seed(SEED, 21);
    cosm_random_u32(&random);
    uint32_t left = random.left;
    (void)cosm_random_below(&random, 0);
    CHECK_INT(random.left, left - 1);
    (void)cosm_random_range(&random, 3, 3);
    CHECK_INT(random.left, left - 2);
    (void)cosm_random_between(&random, 3.0f, 3.0f);
    CHECK_INT(random.left, left - 3);
    (void)cosm_random_between(&random, NAN, 3.0f);
    (void)cosm_random_chance(&random, 0.0f);
    CHECK_INT(random.left, 2);
    (void)cosm_random_chance(&random, 1.0f);
    (void)cosm_random_range(&random, INT32_MIN, INT32_MAX);
    CHECK_INT(random.left, 0);
}

TEST(no_stream_gives_zero) {
    uint8_t items[4] = {1, 2, 3, 4};
    uint32_t words[4] = {1, 2, 3, 4};
    cosm_error_clear();
    CHECK_INT(cosm_random_u32(NULL), 0);
    CHECK_INT(cosm_random_u64(NULL), 0);
    CHECK_INT(cosm_random_below(NULL, 9), 0);
    CHECK_INT(cosm_random_range(NULL, 3, 9), 0);
    CHECK(cosm_random_float(NULL) == 0.0f);
    CHECK(cosm_random_double(NULL) == 0.0);
    CHECK(cosm_random_between(NULL, 3.0f, 9.0f) == 0.0f);
    CHECK(!cosm_random_chance(NULL, 1.0f));
    CHECK(cosm_random_normal(NULL) == 0.0);
    cosm_random_shuffle(NULL, items, 4, 1);
    CHECK_MEM(items, ((uint8_t[4]){1, 2, 3, 4}), 4);
    cosm_random_philox(NULL, words, words);
    cosm_random_philox(words, NULL, words);
    cosm_random_philox(words, words, NULL);
    CHECK_INT(words[0], 1);
    CHECK_SILENT();
}

TEST(a_stream_that_nobody_filled_in_reads_nothing_but_itself) {
    cosm_random random;
    memset(&random, 0xCD, sizeof(random));
    (void)cosm_random_u32(&random);
    CHECK_INT(random.left, 3);
    random = (cosm_random){0};
    CHECK_INT(cosm_random_u32(&random), 0x6627E8D5u);
}

TEST(a_stream_starts_again_after_its_last_block) {
    cosm_random random = cosm_random_seed(SEED, 22);
    cosm_random first = random;
    random.counter[0] = 0xFFFFFFFFu;
    for (uint32_t i = 0; i < 4; i++) {
        (void)cosm_random_u32(&random);
    }
    CHECK_INT(cosm_random_u32(&random), cosm_random_u32(&first));
    CHECK_INT(random.counter[1], 22);
}
