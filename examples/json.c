// A world as text that people read, as JSON, and from JSON into another world, with the references
// between its entities kept.
#include <cosm/cosm.h>
#include <cosm_text/json.h>
#include <cosm_text/print.h>
#include <stdio.h>
#include <string.h>

typedef struct Friend {
    cosm_entity who;
    int32_t since;
} Friend;

struct text {
    char bytes[1024];
    size_t length;
};

static void keep(void *context, const char *piece, size_t length) {
    struct text *text = context;
    if (length < sizeof(text->bytes) - text->length) {
        memcpy(text->bytes + text->length, piece, length);
        text->length += length;
    }
}

static void print(void *context, const char *piece, size_t length) {
    (void)context;
    fwrite(piece, 1, length, stdout);
}

int main(void) {
    cosm_engine *engine = cosm_engine_create(&(cosm_engine_desc){.quiet = true});
    cosm_component friendship = COSM_COMPONENT_DEFINE(engine, Friend, who, since);
    cosm_batch *batch = cosm_batch_create(engine, &(cosm_batch_desc){.world_count = 2});
    cosm_world here = cosm_batch_world(batch, 0);
    cosm_world there = cosm_batch_world(batch, 1);

    // Somebody is in the other world already, so handles there will be others.
    COSM_SPAWN(there, COSM_DEFAULT(Friend));
    cosm_entity ann = COSM_SPAWN(here, COSM_DEFAULT(Friend));
    cosm_entity bob = COSM_SPAWN(here, COSM_VALUE(Friend, ann, 2001));
    *COSM_WRITE(here, ann, Friend) = (Friend){bob, 1999};

    struct text text = {.length = 0};
    cosm_json_style style = {.spaced = true};
    if (cosm_json_write_world(here, style, keep, &text) != COSM_OK ||
        cosm_json_read_world(there, text.bytes, text.length) != COSM_OK) {
        printf("%s\n", cosm_error_message());
        return 1;
    }
    printf("%.*s\n", (int)text.length, text.bytes);
    if (cosm_text_print_world(there, 0, print, NULL) != COSM_OK) {
        return 1;
    }

    // A mistake is reported with its line and column, and nothing has changed.
    Friend value;
    static const char wrong[] = "{\"who\": null,\n \"since\": \"long ago\"}";
    if (cosm_json_read_value(engine, friendship, wrong, strlen(wrong), &value) != COSM_OK) {
        printf("\n%s\n", cosm_error_message());
    }
    cosm_batch_destroy(batch);
    cosm_engine_destroy(engine);
}
