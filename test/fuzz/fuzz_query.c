// Fuzzes the reader of queries as text: the input is the text, byte by byte, and once more with
// each byte standing for a token, so that made-up inputs too get past the first name.
//
// Whatever the text, it is a query or a failure with a message. A query that was read is printed
// and read again, and must be the same.
#include <cosm/cosm.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE_TRUE(condition)                                                                    \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n%s\n", __FILE__, __LINE__, #condition,                     \
                    cosm_error_message());                                                         \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

static const char *const names[] = {"A",           "Ball", "Velocity", "odd \"name\"",
                                    "back\\slash", "x, y", "\xC3\xA9", "Body"};
#define NAME_COUNT (sizeof(names) / sizeof(names[0]))

static const char *const tokens[] = {"A",    "Ball", "Velocity", "\"odd \\\"name\\\"\"",
                                     "Body", "mut ", "mark ",    "mut",
                                     "!",    "?",    ",",        ", ",
                                     ",",    "(",    "|",        " | ",
                                     ")",    " ",    "\n",       "Bal"};
#define TOKEN_COUNT (sizeof(tokens) / sizeof(tokens[0]))

// Made once: a query leaves nothing behind in it.
static cosm_engine *open_engine(void) {
    cosm_engine *engine = cosm_engine_create(&(cosm_engine_desc){.quiet = true});
    REQUIRE_TRUE(engine != NULL);
    cosm_bundle_desc body = {.name = names[NAME_COUNT - 1]};
    for (size_t i = 0; i + 1 < NAME_COUNT; i++) {
        cosm_component component =
            cosm_component_define(engine, &(cosm_component_desc){.name = names[i], .size = i});
        REQUIRE_TRUE(component.id != 0);
        body.components[i % 2] = component;
    }
    REQUIRE_TRUE(cosm_bundle_define(engine, &body).id != 0);
    return engine;
}

// Printed text: 32 terms of at most 32 bytes.
struct page {
    size_t length;
    char text[2048];
};

static void write_page(void *context, const char *text, size_t length) {
    struct page *page = context;
    REQUIRE_TRUE(length < sizeof(page->text) - page->length);
    memcpy(page->text + page->length, text, length);
    page->length += length;
    page->text[page->length] = '\0';
}

// The message points into the text, or just behind it.
static void check_message(const char *text) {
    const char *message = cosm_error_message();
    REQUIRE_TRUE(cosm_error_result() == COSM_ERROR_FORMAT);
    REQUIRE_TRUE(strncmp(message, "cosm_query_parse: ", 18) == 0);
    unsigned long line = 1;
    const char *column_at = message + 18;
    if (strncmp(column_at, "line ", 5) == 0) {
        char *end;
        line = strtoul(column_at + 5, &end, 10);
        column_at = end + 2;
    }
    REQUIRE_TRUE(strncmp(column_at, "column ", 7) == 0);
    unsigned long column = strtoul(column_at + 7, NULL, 10);
    for (; line > 1; line--) {
        text = strchr(text, '\n');
        REQUIRE_TRUE(text != NULL);
        text++;
    }
    REQUIRE_TRUE(column >= 1 && column - 1 <= strcspn(text, "\n"));
}

static void read_text(cosm_engine *engine, const char *text) {
    cosm_query_desc desc;
    cosm_query_desc before;
    memset(&desc, 0x5A, sizeof(desc));
    memcpy(&before, &desc, sizeof(desc));
    if (cosm_query_parse(engine, text, &desc) != COSM_OK) {
        REQUIRE_TRUE(memcmp(&desc, &before, sizeof(desc)) == 0);
        check_message(text);
        return;
    }
    desc.by_world = false;
    cosm_query *query = cosm_query_create(engine, &desc);
    REQUIRE_TRUE(query != NULL);
    struct page page = {0};
    cosm_query_print(query, write_page, &page);
    cosm_query_desc again_desc = {.by_world = false};
    REQUIRE_TRUE(cosm_query_parse(engine, page.text, &again_desc) == COSM_OK);
    REQUIRE_TRUE(memcmp(desc.terms, again_desc.terms, sizeof(desc.terms)) == 0);
    cosm_query *again = cosm_query_create(engine, &again_desc);
    REQUIRE_TRUE(again == query);
    cosm_query_destroy(query);
    cosm_query_destroy(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static cosm_engine *engine;
    if (engine == NULL) {
        engine = open_engine();
    }
    // Just as large as the text, so that the address sanitizer sees a read behind its end.
    char *text = malloc(size + 1);
    REQUIRE_TRUE(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    read_text(engine, text);
    free(text);

    size_t length = 0;
    for (size_t i = 0; i < size; i++) {
        length += strlen(tokens[data[i] % TOKEN_COUNT]);
    }
    text = malloc(length + 1);
    REQUIRE_TRUE(text != NULL);
    text[0] = '\0';
    char *end = text;
    for (size_t i = 0; i < size; i++) {
        const char *token = tokens[data[i] % TOKEN_COUNT];
        memcpy(end, token, strlen(token) + 1);
        end += strlen(token);
    }
    read_text(engine, text);
    free(text);
    return 0;
}
