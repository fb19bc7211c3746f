// A small test harness.
//
// Several test files make a program. Each TEST registers itself before main; those of a file run in
// the order in which they are written. Its name is a true sentence about the software:
//
//     TEST(a_despawned_entity_is_no_longer_alive) {
//         REQUIRE(world != NULL);
//         CHECK_INT(cosm_batch_world_count(batch), 4);
//     }
//
// A failed CHECK prints where, what and the values, and the test goes on; a failed REQUIRE
// returns from the function that it stands in. Checks may be used on any thread and in helper
// functions; REQUIRE only in functions that return void.
//
// The program understands --list, --file STEM (the tests of STEM.c), --filter TEXT and --seed N,
// and its last line of output is always "N passed, N failed".
#ifndef COSM_TEST_HARNESS_H
#define COSM_TEST_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// One registered test. Filled by TEST, linked by the harness.
struct harness_test {
    const char *name;
    const char *file;
    int line;
    void (*run)(void);
    struct harness_test *next;
};

// An integer of either sign, so that 64-bit values of different types compare by value.
struct harness_int {
    bool is_negative;
    uint64_t bits;
};

void harness_register(struct harness_test *test);
int harness_main(int argc, char **argv);

// The seed for random histories: --seed, else the environment's COSM_TEST_SEED, else a fixed
// number. It is printed with every test that asks for it.
uint64_t harness_seed(void);

// True when the environment asks for the long form of a test (COSM_TEST_LONG=1).
bool harness_is_long(void);

struct harness_int harness_signed(int64_t value);
struct harness_int harness_unsigned(uint64_t value);

bool harness_check(const char *file, int line, const char *what, bool passed);
bool harness_check_int(const char *file, int line, const char *what, struct harness_int actual,
                       struct harness_int expected);
bool harness_check_near(const char *file, int line, const char *what, double actual,
                        double expected, double tolerance);
bool harness_check_str(const char *file, int line, const char *what, const char *actual,
                       const char *expected);
bool harness_check_contains(const char *file, int line, const char *what, const char *haystack,
                            const char *needle);
bool harness_check_mem(const char *file, int line, const char *what, const void *actual,
                       const void *expected, size_t size);

#ifdef __cplusplus
}
template <typename T> harness_int harness_int_of(T value) {
    return value < T{} ? harness_signed(static_cast<int64_t>(value))
                       : harness_unsigned(static_cast<uint64_t>(value));
}
#define HARNESS_INT(value) harness_int_of(value)
#endif

#define TEST(name)                                                                                 \
    static void test_##name(void);                                                                 \
    static struct harness_test entry_##name = {#name, __FILE__, __LINE__, test_##name, NULL};      \
    __attribute__((constructor)) static void register_##name(void) {                               \
        harness_register(&entry_##name);                                                           \
    }                                                                                              \
    static void test_##name(void)

#ifndef __cplusplus
#define HARNESS_INT(value)                                                                         \
    _Generic((value), char                                                                         \
             : harness_signed, signed char                                                         \
             : harness_signed, short                                                               \
             : harness_signed, int                                                                 \
             : harness_signed, long                                                                \
             : harness_signed, long long                                                           \
             : harness_signed, default                                                             \
             : harness_unsigned)(value)
#endif

#define CHECK(condition) ((void)harness_check(__FILE__, __LINE__, #condition, (condition)))
#define CHECK_INT(actual, expected)                                                                \
    ((void)harness_check_int(__FILE__, __LINE__, #actual, HARNESS_INT(actual),                     \
                             HARNESS_INT(expected)))
#define CHECK_NEAR(actual, expected, tolerance)                                                    \
    ((void)harness_check_near(__FILE__, __LINE__, #actual, (actual), (expected), (tolerance)))
#define CHECK_STR(actual, expected)                                                                \
    ((void)harness_check_str(__FILE__, __LINE__, #actual, (actual), (expected)))
#define CHECK_CONTAINS(haystack, needle)                                                           \
    ((void)harness_check_contains(__FILE__, __LINE__, #haystack, (haystack), (needle)))
#define CHECK_MEM(actual, expected, size)                                                          \
    ((void)harness_check_mem(__FILE__, __LINE__, #actual, (actual), (expected), (size)))
#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!harness_check(__FILE__, __LINE__, #condition, (condition))) {                         \
            return;                                                                                \
        }                                                                                          \
    } while (0)

// Values by id: for components whose type is not what they are named after.
#define READ_BY_ID(world, entity, Type, component)                                                 \
    ((const Type *)cosm_entity_read((world), (entity), (component)))
#define WRITE_BY_ID(world, entity, Type, component)                                                \
    ((Type *)cosm_entity_write((world), (entity), (component)))
#define COLUMN_BY_ID(rows, Type, component) ((Type *)cosm_rows_column((rows), (component)))
#define SINGLETON_READ_BY_ID(world, Type, singleton)                                               \
    ((const Type *)cosm_singleton_read((world), (singleton)))
#define SINGLETON_WRITE_BY_ID(world, Type, singleton)                                              \
    ((Type *)cosm_singleton_write((world), (singleton)))
#define EVENT_BY_ID(event, i, Type, component)                                                     \
    ((const Type *)cosm_event_value((event), (i), (component)))

#endif
