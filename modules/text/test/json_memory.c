// Out of memory: the n-th allocation fails, for every n, and everything is as it was.
//
// The module takes its memory from the C library: the linker leads malloc, calloc and realloc here
// (see CMakeLists.txt). The engine takes its own from a ledger. Either is made to refuse.
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support.h"
#include "support/ledger.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

static uint64_t request_count; // since refusing began
static uint64_t refuse_at;     // zero: never
static bool has_refused;

static bool refuses(void) {
    request_count++;
    bool refused = refuse_at != 0 && request_count == refuse_at;
    has_refused = has_refused || refused;
    return refused;
}

void *__wrap_malloc(size_t size) {
    return refuses() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    return refuses() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size) {
    return refuses() ? NULL : __real_realloc(memory, size);
}

// Who refuses: the C library, or the engine's allocator.
enum source { SOURCE_LIBRARY, SOURCE_ENGINE, SOURCE_COUNT };

// A zoo whose memory may run out.
struct lean {
    struct zoo zoo;
    struct ledger ledger;
    enum source source;
};

static void lean_open(struct lean *lean, enum source source) {
    lean->source = source;
    ledger_open(&lean->ledger);
    zoo_open_with(&lean->zoo, ledger_allocator(&lean->ledger));
}

static void lean_close(struct lean *lean) {
    zoo_close(&lean->zoo);
    ledger_close(&lean->ledger);
}

static void refuse(struct lean *lean, uint64_t n) {
    if (lean->source == SOURCE_ENGINE) {
        ledger_refuse(&lean->ledger, n, 1);
        return;
    }
    request_count = 0;
    refuse_at = n;
    has_refused = false;
}

static bool relent(struct lean *lean) {
    refuse_at = 0;
    return lean->source == SOURCE_ENGINE ? ledger_relent(&lean->ledger) : has_refused;
}

static const char world_text[] =
    "{\"singletons\":{\"Clock\":{\"x\":5},\"Leader\":{\"target\":\"@900000:1\"}},\"entities\":["
    "{\"entity\":\"@900000:1\",\"Vector\":{\"x\":1}},"
    "{\"entity\":\"@2:1\",\"LinkSplit\":{\"target\":\"@2:1\"},\"Tag\":{}},"
    "{\"entity\":\"@2:3\",\"Arrays\":{},\"Labels\":{\"color\":\"red\"}},"
    "{\"Name\":{\"text\":\"x\"}},{},{\"Nested\":{}},{\"Vector\":{\"y\":2}}]}";

// With values that no column holds.
static const char elsewhere_text[] =
    "{\"singletons\":{\"Clock\":{\"x\":5}},\"entities\":["
    "{\"entity\":\"@900000:1\",\"Vector\":{\"x\":1},\"Team\":{\"text\":\"red\"},\"Heat\":{\"x\":1}},"
    "{\"Bond\":{\"target\":\"@900000:1\"},\"Tie\":{\"target\":\"@900000:1\"},\"Wet\":{}},"
    "{\"Vector\":{},\"Team\":{\"text\":\"blue\"}},{\"Wet\":{}},{\"Vector\":{},\"Wet\":{}},"
    "{\"Seal\":\"01020304050607080900010203\"},{}]}";

// Reads the world with the n-th request refused. Was there an n-th one?
static bool read_world_short(enum source source, const char *text, uint64_t n) {
    struct lean lean;
    struct kept_text before = {0};
    struct kept_text after = {0};
    lean_open(&lean, source);
    struct zoo *zoo = &lean.zoo;
    CHECK(!cosm_entity_is_none(cosm_json_spawn(zoo->world, "{\"Vector\":{}}", 13)));
    uint64_t checksum = cosm_hash_world(zoo->world, COSM_HASH_EXACT);
    write_world(&before, zoo->world, false);
    refuse(&lean, n);
    cosm_result result = cosm_json_read_world(zoo->world, text, strlen(text));
    bool refused = relent(&lean);
    // The engine may make do with less.
    CHECK(result == COSM_OK || (refused && result == COSM_ERROR_MEMORY));
    CHECK(result != COSM_OK || !refused || source == SOURCE_ENGINE);
    if (result != COSM_OK) {
        CHECK_INT(cosm_error_result(), COSM_ERROR_MEMORY);
        write_world(&after, zoo->world, false);
        CHECK_STR(after.bytes, before.bytes);
        // Commands that are not applied leave their ids with other generations.
        CHECK(text != world_text || cosm_hash_world(zoo->world, COSM_HASH_EXACT) == checksum);
        CHECK_VALID(zoo->batch);
        CHECK_DONE(cosm_json_read_world(zoo->world, text, strlen(text)));
    }
    CHECK_INT(cosm_world_entity_count(zoo->world), 8);
    kept_text_free(&before);
    kept_text_free(&after);
    lean_close(&lean);
    return refused;
}

TEST(a_world_that_is_read_without_memory_is_as_it_was) {
    for (int source = 0; source < SOURCE_COUNT; source++) {
        uint64_t n = 1;
        while (read_world_short((enum source)source, world_text, n)) {
            n++;
        }
        CHECK(n > 5);
        n = 1;
        while (read_world_short((enum source)source, elsewhere_text, n)) {
            n++;
        }
        CHECK(n > 5);
    }
}

static bool read_entity_short(enum source source, const char *text, uint64_t n) {
    struct lean lean;
    lean_open(&lean, source);
    struct zoo *zoo = &lean.zoo;
    cosm_entity entity = cosm_json_spawn(zoo->world, "{\"Vector\":{}}", 13);
    uint64_t before = cosm_hash_world(zoo->world, COSM_HASH_EXACT);
    refuse(&lean, n);
    cosm_result result = cosm_json_read_entity(zoo->world, entity, text, strlen(text));
    bool refused = relent(&lean);
    CHECK(result == (refused ? COSM_ERROR_MEMORY : COSM_OK) || source == SOURCE_ENGINE);
    if (result != COSM_OK) {
        CHECK_INT(result, COSM_ERROR_MEMORY);
        CHECK_INT(cosm_hash_world(zoo->world, COSM_HASH_EXACT), before);
    }
    before = cosm_hash_world(zoo->world, COSM_HASH_CONTENT);
    refuse(&lean, n);
    cosm_entity spawned = cosm_json_spawn(zoo->world, text, strlen(text));
    refused = relent(&lean) || refused;
    CHECK(!cosm_entity_is_none(spawned) ||
          cosm_hash_world(zoo->world, COSM_HASH_CONTENT) == before);
    lean_close(&lean);
    return refused;
}

TEST(an_entity_that_is_read_without_memory_is_as_it_was) {
    for (int source = 0; source < SOURCE_COUNT; source++) {
        static const char *const texts[] = {
            "{\"Vector\":{\"x\":9},\"Name\":{\"text\":\"a\"},\"Tag\":{}}",
            "{\"Team\":{\"text\":\"red\"},\"Heat\":{\"x\":9},\"Wet\":{}}"};
        for (int i = 0; i < 2; i++) {
            uint64_t n = 1;
            while (read_entity_short((enum source)source, texts[i], n)) {
                n++;
            }
            CHECK(n > 1);
        }
    }
}

TEST(a_value_that_is_read_without_memory_is_as_it_was) {
    static const char text[] = "{\"color\":\"red\",\"bits\":[\"a\"]}";
    struct lean lean;
    Labels value;
    Labels before;
    memset(&before, 0x55, sizeof(before));
    lean_open(&lean, SOURCE_LIBRARY);
    bool refused = true;
    for (uint64_t n = 1; refused; n++) {
        memcpy(&value, &before, sizeof(value));
        refuse(&lean, n);
        cosm_result result =
            cosm_json_read_value(lean.zoo.engine, lean.zoo.labels[0], text, strlen(text), &value);
        refused = relent(&lean);
        CHECK_INT(result, refused ? COSM_ERROR_MEMORY : COSM_OK);
        CHECK(!refused || memcmp(&value, &before, sizeof(value)) == 0);
    }
    CHECK_INT(value.color, 0);
    lean_close(&lean);
}

enum {
    WRITE_VALUE,
    WRITE_ENTITY,
    WRITE_TABLE,
    WRITE_WORLD,
    PRINT_WORLD,
    PRINT_TABLE,
    WRITE_SCHEMA,
    WRITE_COUNT
};

static cosm_result write_something(struct zoo *zoo, int what, struct kept_text *text) {
    static const Labels value;
    cosm_json_style style = {false};
    cosm_archetype archetype = cosm_archetype_of(zoo->engine, &zoo->vector[0], 1);
    cosm_entity entity = cosm_entity_at(zoo->world, (cosm_loc){archetype.id, 0});
    switch (what) {
    case WRITE_VALUE:
        return cosm_json_write_value(zoo->engine, zoo->labels[0], &value, style, keep_text, text);
    case WRITE_ENTITY:
        return cosm_json_write_entity(zoo->world, entity, style, keep_text, text);
    case WRITE_TABLE:
        return cosm_json_write_table(zoo->world, archetype, style, keep_text, text);
    case WRITE_WORLD:
        return cosm_json_write_world(zoo->world, style, keep_text, text);
    case PRINT_WORLD:
        return cosm_text_print_world(zoo->world, 0, keep_text, text);
    case WRITE_SCHEMA:
        return cosm_json_write_schema(zoo->engine, style, keep_text, text);
    default:
        return cosm_text_print_table(zoo->world, archetype, 0, keep_text, text);
    }
}

// Writes with every request refused in turn, the last time with none.
static void write_short(struct lean *lean, int what, struct kept_text *text) {
    bool refused = true;
    for (uint64_t n = 1; refused; n++) {
        kept_text_clear(text);
        refuse(lean, n);
        cosm_result result = write_something(&lean->zoo, what, text);
        refused = relent(lean);
        CHECK_INT(result, refused ? COSM_ERROR_MEMORY : COSM_OK);
        CHECK(text->length == 0 || !refused || what == WRITE_SCHEMA);
    }
    CHECK(text->length > 0);
}

TEST(without_memory_nothing_is_written) {
    for (int source = 0; source < SOURCE_COUNT; source++) {
        struct lean lean;
        struct kept_text text = {0};
        lean_open(&lean, (enum source)source);
        CHECK_DONE(cosm_json_read_world(lean.zoo.world, world_text, strlen(world_text)));
        CHECK_DONE(cosm_json_read_world(lean.zoo.world, elsewhere_text, strlen(elsewhere_text)));
        for (int what = 0; what < WRITE_COUNT; what++) {
            // Room beforehand, so that it is not the test itself that is refused.
            CHECK_DONE(write_something(&lean.zoo, what, &text));
            write_short(&lean, what, &text);
        }
        kept_text_free(&text);
        lean_close(&lean);
    }
}
