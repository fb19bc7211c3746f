// Fuzzes the readers of JSON: bytes are read as a world, an entity, a value. What is refused leaves
// the world as it was; what is taken is written again, and reads back as the same text.
//
// The first byte says which reader; the rest is the text.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "%s: %s\n", what, cosm_error_message());
        abort();
    }
}

// Writes the world, reads it to an empty one and writes that: then both texts are the same, and so
// on for ever.
static void check_texts(struct zoo *zoo) {
    struct kept_text texts[3] = {{0}, {0}, {0}};
    cosm_world from = zoo->world;
    cosm_batch *batches[2];
    for (int i = 0; i < 3; i++) {
        expect(cosm_json_write_world(from, (cosm_json_style){i % 2 == 0}, keep_text, &texts[i]) ==
                   COSM_OK,
               "a world is written");
        if (i < 2) {
            batches[i] = cosm_batch_create(zoo->engine, NULL);
            from = cosm_batch_world(batches[i], 0);
            expect(cosm_json_read_world(from, texts[i].bytes, texts[i].length) == COSM_OK,
                   "what was written is read");
        }
    }
    kept_text_clear(&texts[0]);
    expect(cosm_json_write_world(cosm_batch_world(batches[0], 0), (cosm_json_style){true},
                                 keep_text, &texts[0]) == COSM_OK,
           "a world is written");
    expect(texts[0].length == texts[2].length &&
               memcmp(texts[0].bytes, texts[2].bytes, texts[0].length) == 0,
           "both texts are the same");
    for (int i = 0; i < 3; i++) {
        kept_text_free(&texts[i]);
    }
    expect(cosm_batch_destroy(batches[0]) == COSM_OK, "the first batch ends");
    expect(cosm_batch_destroy(batches[1]) == COSM_OK, "the second batch ends");
}

// Reads the text in one way. Has anything been taken?
static bool read_somehow(struct zoo *zoo, uint32_t way, cosm_entity target, const char *text,
                         size_t length) {
    Nested value;
    Nested before;
    memset(&before, 0x5A, sizeof(before));
    memcpy(&value, &before, sizeof(value));
    switch (way) {
    case 0:
        return cosm_json_read_entity(zoo->world, target, text, length) == COSM_OK;
    case 1:
        return !cosm_entity_is_none(cosm_json_spawn(zoo->world, text, length));
    case 2:
        expect(cosm_json_read_value(zoo->engine, zoo->nested[0], text, length, &value) == COSM_OK ||
                   memcmp(&value, &before, sizeof(value)) == 0,
               "a value that is refused stays");
        return false;
    default:
        return cosm_json_read_world(zoo->world, text, length) == COSM_OK;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char start[] = "{\"entities\":[{\"Vector\":{},\"Link\":{}}]}";
    struct zoo zoo;
    if (size == 0) {
        return 0;
    }
    zoo_open(&zoo);
    expect(cosm_json_read_world(zoo.world, start, strlen(start)) == COSM_OK, "the start is read");
    cosm_entity target = {1, 0};
    uint64_t before = cosm_hash_world(zoo.world, COSM_HASH_EXACT);
    if (read_somehow(&zoo, data[0] % 8, target, (const char *)data + 1, size - 1)) {
        check_texts(&zoo);
    } else {
        expect(cosm_hash_world(zoo.world, COSM_HASH_EXACT) == before,
               "a text that is refused changes nothing");
    }
    expect(cosm_batch_validate(zoo.batch) == COSM_OK, "the batch is valid");
    zoo_close(&zoo);
    return 0;
}
