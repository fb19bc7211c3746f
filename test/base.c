// The ground floor: arenas, pools, maps, paged lists, hashes, arithmetic, signatures (src/base,
// src/schema/signature.h).
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/paged.h"
#include "base/pool.h"
#include "harness.h"
#include "schema/signature.h"
#include "support/fixture.h"
#include "support/ledger.h"

// Memory over a ledger.
struct ground {
    struct ledger ledger;
    struct memory memory;
};

static void ground_open(struct ground *ground, size_t limit) {
    ledger_open(&ground->ledger);
    cosm_allocator allocator = ledger_allocator(&ground->ledger);
    CHECK(cosmi_memory_init(&ground->memory, &allocator, limit));
}

static void ground_close(struct ground *ground) {
    CHECK_INT(atomic_load(&ground->memory.used), 0);
    ledger_close(&ground->ledger);
}

TEST(powers_of_two_are_rounded_as_they_should) {
    CHECK(!is_power_of_two(0));
    CHECK(is_power_of_two(1));
    CHECK(!is_power_of_two(3));
    CHECK(is_power_of_two((size_t)1 << 40));
    CHECK_INT(power_of_two_ceil(0), 1);
    CHECK_INT(power_of_two_ceil(5), 8);
    CHECK_INT(power_of_two_ceil(8), 8);
    CHECK_INT(power_of_two_floor(1), 1);
    CHECK_INT(power_of_two_floor(7), 4);
    CHECK_INT(power_of_two_floor(8), 8);
    CHECK_INT(log2_of(1), 0);
    CHECK_INT(log2_of(4096), 12);
    CHECK_INT(align_up(0, 64), 0);
    CHECK_INT(align_up(65, 64), 128);
}

TEST(the_account_of_memory_is_exact) {
    struct ground ground;
    ground_open(&ground, 1000);
    struct memory *memory = &ground.memory;
    void *a = cosmi_memory_alloc(memory, 600, 16);
    void *b = cosmi_memory_alloc_zeroed(memory, 400, 64);
    REQUIRE(a != NULL && b != NULL);
    static const unsigned char zeroes[400];
    CHECK_MEM(b, zeroes, 400);
    CHECK_INT(atomic_load(&memory->used), 1000);
    CHECK(cosmi_memory_alloc(memory, 1, 1) == NULL);
    CHECK_INT(atomic_load(&memory->used), 1000);
    cosmi_memory_free(memory, a, 600, 16);
    CHECK_INT(atomic_load(&memory->used), 400);
    CHECK_INT(atomic_load(&memory->peak), 1000);
    ledger_refuse(&ground.ledger, 1, 1);
    CHECK(cosmi_memory_alloc(memory, 100, 1) == NULL);
    CHECK_INT(atomic_load(&memory->used), 400);
    cosmi_memory_free(memory, NULL, 5, 1);
    cosmi_memory_free(memory, b, 400, 64);
    ground_close(&ground);
}

TEST(an_array_grows_by_doubling_and_keeps_its_items) {
    struct ground ground;
    ground_open(&ground, 0);
    uint32_t capacity = 0;
    uint32_t *items = NULL;
    for (uint32_t i = 0; i < 1000; i++) {
        uint32_t *grown = cosmi_array_grow(&ground.memory, items, &capacity, i + 1, sizeof(*items));
        REQUIRE(grown != NULL);
        items = grown;
        items[i] = i * 3;
    }
    CHECK_INT(capacity, 1024);
    for (uint32_t i = 0; i < 1000; i++) {
        CHECK_INT(items[i], i * 3);
    }
    ledger_refuse(&ground.ledger, 1, 1);
    CHECK(cosmi_array_grow(&ground.memory, items, &capacity, 5000, sizeof(*items)) == NULL);
    CHECK_INT(capacity, 1024);
    cosmi_array_free(&ground.memory, items, capacity, sizeof(*items));
    ground_close(&ground);
}

TEST(a_range_counts_what_is_committed) {
    struct ground ground;
    ground_open(&ground, 0);
    struct memory *memory = &ground.memory;
    char *range = cosmi_range_reserve(memory, 1000000);
    REQUIRE(range != NULL);
    CHECK_INT(atomic_load(&memory->used), 0);
    CHECK(cosmi_range_commit(memory, range, 0, 5000));
    CHECK_INT(atomic_load(&memory->used), 8192);
    range[4999] = 1;
    CHECK(cosmi_range_commit(memory, range, 5000, 6000));
    CHECK_INT(atomic_load(&memory->used), 8192);
    CHECK(cosmi_range_commit(memory, range, 6000, 100000));
    CHECK_INT(range[99999], 0);
    cosmi_range_decommit(memory, range, 3000, 100000);
    CHECK_INT(atomic_load(&memory->used), 4096);
    CHECK(cosmi_range_commit(memory, range, 3000, 5000));
    CHECK_INT(range[4999], 0);
    ledger_refuse(&ground.ledger, 1, 1);
    CHECK(!cosmi_range_commit(memory, range, 5000, 50000));
    CHECK_INT(atomic_load(&memory->used), 8192);
    cosmi_range_unreserve(memory, range, 1000000, 5000);
    ground_close(&ground);
}

TEST(the_system_gives_small_alignments_and_no_ranges_that_cannot_be) {
    void *bytes = cosmi_os_allocate(NULL, 10, 1);
    CHECK(bytes != NULL);
    cosmi_os_release(NULL, bytes, 10, 1);
    CHECK(cosmi_os_reserve(NULL, SIZE_MAX - 65535) == NULL);
    CHECK(cosmi_os_reserve(NULL, (size_t)1 << 60) == NULL);
    char *range = cosmi_os_reserve(NULL, (size_t)4 << 20);
    REQUIRE(range != NULL);
    CHECK_INT((uintptr_t)range % ((size_t)2 << 20), 0);
    CHECK(cosmi_os_commit(NULL, range, (size_t)4 << 20));
    range[12345] = 1;
    cosmi_os_decommit(NULL, range, (size_t)4 << 20);
    CHECK_INT(range[12345], 0);
    cosmi_os_unreserve(NULL, range, (size_t)4 << 20);
}

TEST(an_arena_hands_out_aligned_bytes_that_never_move) {
    struct dice dice = {harness_seed()};
    struct ground ground;
    ground_open(&ground, 0);
    struct arena arena;
    cosmi_arena_init(&arena, &ground.memory);
    enum { COUNT = 400 };
    static unsigned char *pieces[COUNT];
    static size_t sizes[COUNT];
    for (int turn = 0; turn < 3; turn++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            size_t alignment = (size_t)1 << dice_roll(&dice, 5);
            sizes[i] = dice_roll(&dice, i % 50 == 0 ? 20000 : 200);
            pieces[i] = cosmi_arena_alloc(&arena, sizes[i], alignment);
            REQUIRE(pieces[i] != NULL);
            CHECK_INT((uintptr_t)pieces[i] % alignment, 0);
            memset(pieces[i], (int)(i & 0xFF), sizes[i]);
        }
        uint32_t wrong = 0;
        for (uint32_t i = 0; i < COUNT; i++) {
            for (size_t b = 0; b < sizes[i]; b++) {
                wrong += pieces[i][b] != (i & 0xFF);
            }
        }
        CHECK_INT(wrong, 0);
        cosmi_arena_clear(&arena);
    }
    CHECK_STR(cosmi_arena_copy_text(&arena, "a text"), "a text");
    cosmi_arena_free(&arena);
    ground_close(&ground);
}

TEST(a_cleared_arena_asks_for_no_memory_for_the_same_again) {
    struct ground ground;
    ground_open(&ground, 0);
    struct arena arena;
    cosmi_arena_init(&arena, &ground.memory);
    for (int turn = 0; turn < 5; turn++) {
        for (int i = 0; i < 100; i++) {
            CHECK(cosmi_arena_alloc(&arena, 1000, 16) != NULL);
        }
        cosmi_arena_clear(&arena);
        if (turn == 0) {
            ledger_refuse(&ground.ledger, 1, UINT64_MAX);
        }
    }
    CHECK(!ledger_relent(&ground.ledger));
    cosmi_arena_free(&arena);
    ground_close(&ground);
}

TEST(a_pool_hands_out_distinct_aligned_blocks_and_reuses_them) {
    struct dice dice = {harness_seed()};
    struct ground ground;
    ground_open(&ground, 0);
    struct pool pool;
    REQUIRE(cosmi_pool_init(&pool, &ground.memory));
    enum { COUNT = 300 };
    static unsigned char *blocks[COUNT];
    static size_t sizes[COUNT];
    memset(blocks, 0, sizeof(blocks));
    for (uint32_t round = 0; round < 6000; round++) {
        uint32_t i = dice_roll(&dice, COUNT);
        if (round % 500 == 499) {
            cosmi_pool_trim(&pool);
        }
        if (blocks[i] != NULL) {
            CHECK_INT(blocks[i][0], i & 0xFF);
            CHECK_INT(blocks[i][sizes[i] - 1], i & 0xFF);
            cosmi_pool_give(&pool, blocks[i], sizes[i]);
            blocks[i] = NULL;
            continue;
        }
        sizes[i] = POOL_BLOCK_MIN << dice_roll(&dice, dice_roll(&dice, POOL_CLASS_COUNT) + 1);
        blocks[i] = cosmi_pool_take(&pool, sizes[i]);
        REQUIRE(blocks[i] != NULL);
        CHECK_INT((uintptr_t)blocks[i] % 64, 0);
        memset(blocks[i], (int)(i & 0xFF), sizes[i]);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        if (blocks[i] != NULL) {
            cosmi_pool_give(&pool, blocks[i], sizes[i]);
        }
    }
    cosmi_pool_trim(&pool);
    CHECK_INT(atomic_load(&ground.memory.used), 0);
    cosmi_pool_free(&pool);
    ground_close(&ground);
}

TEST(a_pool_gives_the_block_that_came_back_last_and_nothing_when_memory_is_out) {
    struct ground ground;
    ground_open(&ground, 0);
    struct pool pool;
    REQUIRE(cosmi_pool_init(&pool, &ground.memory));
    void *small = cosmi_pool_take(&pool, POOL_BLOCK_MIN);
    void *large = cosmi_pool_take(&pool, POOL_BLOCK_MAX);
    cosmi_pool_give(&pool, small, POOL_BLOCK_MIN);
    cosmi_pool_give(&pool, large, POOL_BLOCK_MAX);
    ledger_refuse(&ground.ledger, 1, UINT64_MAX);
    CHECK(cosmi_pool_take(&pool, POOL_BLOCK_MIN) == small);
    CHECK(cosmi_pool_take(&pool, POOL_BLOCK_MAX) == large);
    CHECK(cosmi_pool_take(&pool, POOL_BLOCK_MAX) == NULL);
    CHECK(cosmi_pool_take(&pool, POOL_SLAB_BLOCK_MAX) == NULL);
    CHECK(ledger_relent(&ground.ledger));
    cosmi_pool_trim(&pool);
    cosmi_pool_give(&pool, small, POOL_BLOCK_MIN);
    cosmi_pool_give(&pool, large, POOL_BLOCK_MAX);
    cosmi_pool_free(&pool);
    ground_close(&ground);
}

static bool same_number(const void *context, uint32_t index, const void *key) {
    const uint64_t *numbers = context;
    return numbers[index] == *(const uint64_t *)key;
}

TEST(a_map_finds_what_was_put_in_and_not_what_was_taken_out) {
    struct dice dice = {harness_seed()};
    struct ground ground;
    ground_open(&ground, 0);
    struct map map;
    cosmi_map_init(&map, &ground.memory);
    enum { COUNT = 500 };
    static uint64_t numbers[COUNT];
    static bool present[COUNT];
    memset(present, 0, sizeof(present));
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        numbers[i] = i;
    }
    for (uint32_t round = 0; round < 20000; round++) {
        uint32_t i = dice_roll(&dice, COUNT);
        // Few distinct hashes, so that runs are long and collide.
        uint64_t hash = numbers[i] % 37 * 0x100000001u;
        uint32_t found = cosmi_map_find(&map, hash, same_number, numbers, &numbers[i]);
        wrong += found != (present[i] ? i : MAP_NONE);
        if (present[i]) {
            cosmi_map_remove(&map, hash, i);
        } else {
            REQUIRE(cosmi_map_reserve(&map));
            cosmi_map_insert(&map, hash, i);
        }
        present[i] = !present[i];
    }
    CHECK_INT(wrong, 0);
    cosmi_map_free(&map);
    ground_close(&ground);
}

TEST(a_paged_list_keeps_what_was_set_and_is_null_elsewhere) {
    struct ground ground;
    ground_open(&ground, 0);
    struct paged paged;
    cosmi_paged_init(&paged);
    static int things[4];
    const uint32_t indices[] = {0, 300, 255, PAGED_MAX - 1};
    for (int i = 0; i < 4; i++) {
        REQUIRE(cosmi_paged_reserve(&paged, &ground.memory, indices[i]));
        cosmi_paged_set(&paged, indices[i], &things[i]);
    }
    for (int i = 0; i < 4; i++) {
        CHECK(paged_get(&paged, indices[i]) == &things[i]);
        CHECK(paged_known(&paged, indices[i]) == &things[i]);
    }
    CHECK(paged_get(&paged, 1) == NULL);
    CHECK(paged_get(&paged, 5000) == NULL);
    CHECK_INT(paged_count(&paged), PAGED_MAX);
    cosmi_paged_free(&paged, &ground.memory);
    CHECK_INT(paged_count(&paged), 0);
    ledger_refuse(&ground.ledger, 1, 1);
    CHECK(!cosmi_paged_reserve(&paged, &ground.memory, 7));
    ground_close(&ground);
}

TEST(a_hash_sees_every_bit_the_length_and_the_seed) {
    unsigned char bytes[100];
    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (unsigned char)(i * 31);
    }
    for (size_t size = 0; size <= sizeof(bytes); size++) {
        uint64_t hash = cosmi_hash_bytes(1, bytes, size);
        CHECK_INT(cosmi_hash_bytes(1, bytes, size), hash);
        CHECK(cosmi_hash_bytes(2, bytes, size) != hash);
        CHECK(size == 0 || cosmi_hash_bytes(1, bytes, size - 1) != hash);
        for (size_t bit = 0; bit < size * 8; bit++) {
            bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
            CHECK(cosmi_hash_bytes(1, bytes, size) != hash);
            bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        }
    }
    static const unsigned char zeroes[64];
    CHECK(cosmi_hash_bytes(0, zeroes, 32) != cosmi_hash_bytes(0, zeroes, 64));
    CHECK(cosmi_hash_bytes(0, zeroes, 3) != cosmi_hash_bytes(0, zeroes, 4));
}

TEST(the_hash_of_a_name_stays_what_it_is) {
    CHECK_INT(cosmi_hash_text(""), 0x62303CAF5F4CF84Au);
    CHECK_INT(cosmi_hash_text("fall"), 0x049E3E198C42BC41u);
    CHECK_INT(cosmi_hash_text("a name of more than 32 letters, for the loop"), 0x02F50ABA29A4EF4Au);
}

TEST(the_lanes_of_a_hash_come_out_the_same_in_every_way) {
    hash_lanes_fn *ways[HASH_WAY_MAX];
    uint32_t count = cosmi_hash_lanes_ways(ways);
    REQUIRE(count > 0 && ways[count - 1] == cosmi_hash_lanes_plain);
    struct dice dice = {7};
    unsigned char bytes[5 * HASH_GROUP_BYTES + 1];
    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (unsigned char)dice_next(&dice);
    }
    for (size_t groups = 0; groups <= 5; groups++) {
        uint64_t expected[HASH_LANE_COUNT] = {1, 2, 3, 4, 5, 6, 7, UINT64_MAX};
        uint64_t first[HASH_LANE_COUNT];
        memcpy(first, expected, sizeof(first));
        cosmi_hash_lanes_plain(expected, bytes + 1, groups);
        CHECK((memcmp(first, expected, sizeof(first)) == 0) == (groups == 0));
        for (uint32_t w = 0; w <= count; w++) {
            uint64_t lanes[HASH_LANE_COUNT];
            memcpy(lanes, first, sizeof(lanes));
            (w == count ? cosmi_hash_lanes : ways[w])(lanes, bytes + 1, groups);
            CHECK_MEM(lanes, expected, sizeof(lanes));
        }
    }
}

TEST(a_hash_of_bytes_stays_what_it_is) {
    unsigned char bytes[1000];
    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (unsigned char)(i * 31 + 7);
    }
    static const struct {
        size_t size;
        uint64_t hash;
    } known[] = {
        {0, 0x29DB78ED89CE61C2u},    {3, 0x25A2431B0C17AAA1u},  {12, 0xBB6682482D988AECu},
        {95, 0xE06F7DB4EE93869Du},   {96, 0xDA85F4F493CB0122u}, {256, 0xB06204A1924A3A4Au},
        {1000, 0x4EB2E9CAC935F79Au},
    };
    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
        CHECK_INT(cosmi_hash_bytes(5, bytes, known[i].size), known[i].hash);
    }
}

TEST(a_stream_gives_the_hash_of_all_that_was_added) {
    struct dice dice = {11};
    unsigned char bytes[3000];
    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (unsigned char)dice_next(&dice);
    }
    for (int round = 0; round < 2000; round++) {
        size_t size = dice_roll(&dice, round % 2 == 0 ? 300 : sizeof(bytes) + 1);
        struct hash_stream stream;
        cosmi_hash_begin(&stream);
        for (size_t at = 0; at < size;) {
            size_t part = dice_roll(&dice, round % 3 == 0 ? 20 : 700);
            part = part > size - at ? size - at : part;
            cosmi_hash_add(&stream, bytes + at, part);
            at += part;
        }
        CHECK_INT(cosmi_hash_end(&stream, 9), cosmi_hash_bytes(9, bytes, size));
    }
}

TEST(a_hash_of_many_bytes_sees_every_bit_and_every_place) {
    enum { SIZE = 1600 };
    struct dice dice = {3};
    unsigned char bytes[SIZE];
    for (size_t i = 0; i < SIZE; i++) {
        bytes[i] = (unsigned char)dice_next(&dice);
    }
    uint64_t hash = cosmi_hash_bytes(0, bytes, SIZE);
    for (size_t bit = 0; bit < 8 * SIZE; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        CHECK(cosmi_hash_bytes(0, bytes, SIZE) != hash);
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    // One that is not zero, in every place; all lengths of zeroes: no two are alike.
    static uint64_t seen[2 * SIZE];
    memset(bytes, 0, SIZE);
    for (size_t i = 0; i < SIZE; i++) {
        seen[i] = cosmi_hash_bytes(0, bytes, i);
        bytes[i] = 1;
        seen[SIZE + i] = cosmi_hash_bytes(0, bytes, SIZE);
        bytes[i] = 0;
    }
    for (size_t i = 0; i < 2 * SIZE; i++) {
        for (size_t j = 0; j < i; j++) {
            CHECK(seen[i] != seen[j]);
        }
    }
}

TEST(words_that_change_places_change_a_hash) {
    enum { WORDS = 256 };
    uint64_t words[WORDS];
    for (uint64_t i = 0; i < WORDS; i++) {
        words[i] = i; // small numbers, as ids and counts are
    }
    uint64_t hash = cosmi_hash_bytes(0, words, sizeof(words));
    for (uint32_t a = 0; a < WORDS; a++) {
        for (uint32_t b = 0; b < a; b++) {
            words[a] = b;
            words[b] = a;
            CHECK(cosmi_hash_bytes(0, words, sizeof(words)) != hash);
            // What one gains the other loses.
            words[a] = a + 1;
            words[b] = b - 1ull;
            CHECK(cosmi_hash_bytes(0, words, sizeof(words)) != hash);
            words[a] = a;
            words[b] = b;
        }
    }
}

TEST(a_changed_bit_changes_half_of_the_bits_of_a_hash) {
    static const size_t sizes[] = {8, 12, 60, 64, 300, 3072};
    struct dice dice = {5};
    unsigned char bytes[3072];
    for (size_t s = 0; s < sizeof(sizes) / sizeof(*sizes); s++) {
        uint64_t flips = 0;
        for (int round = 0; round < 1000; round++) {
            for (size_t i = 0; i < sizes[s]; i++) {
                bytes[i] = (unsigned char)dice_next(&dice);
            }
            uint64_t before = cosmi_hash_bytes(0, bytes, sizes[s]);
            uint32_t bit = dice_roll(&dice, (uint32_t)sizes[s] * 8);
            bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
            uint64_t changed = before ^ cosmi_hash_bytes(0, bytes, sizes[s]);
            for (; changed != 0; changed &= changed - 1) {
                flips++;
            }
        }
        CHECK(flips > 31500 && flips < 32500);
    }
}

static bool has_id(const struct signature *signature, uint32_t id) {
    uint32_t at = cosmi_signature_place(signature->ids, signature->count, id);
    return at < signature->count && signature->ids[at] == id;
}

TEST(a_signature_is_a_sorted_set) {
    struct dice dice = {harness_seed()};
    static struct signature signature;
    static bool present[1000];
    signature.count = 0;
    memset(present, 0, sizeof(present));
    uint32_t size = 0;
    for (uint32_t round = 0; round < 5000; round++) {
        uint32_t id = dice_roll(&dice, 1000);
        bool add = dice_roll(&dice, 3) > 0;
        bool is_full = size == SIGNATURE_MAX;
        if (add) {
            cosmi_signature_add(&signature, id);
            size += !present[id] && !is_full;
            present[id] = present[id] || !is_full;
        } else {
            cosmi_signature_remove(&signature, id);
            size -= present[id];
            present[id] = false;
        }
        CHECK_INT(signature.count, size);
        CHECK(has_id(&signature, id) == present[id]);
    }
    for (uint32_t i = 1; i < signature.count; i++) {
        CHECK(signature.ids[i - 1] < signature.ids[i]);
    }
    for (uint32_t id = 0; id < 1000; id++) {
        cosmi_signature_add(&signature, id);
    }
    CHECK_INT(signature.count, SIGNATURE_MAX);
}

TEST(signatures_compare_like_words) {
    const uint32_t a[] = {1, 2, 3};
    const uint32_t b[] = {1, 3};
    CHECK(cosmi_signature_compare(a, 3, b, 2) < 0);
    CHECK(cosmi_signature_compare(b, 2, a, 3) > 0);
    CHECK(cosmi_signature_compare(a, 2, a, 3) < 0);
    CHECK(cosmi_signature_compare(a, 3, a, 2) > 0);
    CHECK(cosmi_signature_compare(a, 0, b, 0) == 0);
    CHECK(cosmi_signature_compare(a, 1, b, 1) == 0);
    CHECK(cosmi_signature_compare(a, 0, b, 1) < 0);
}
