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

static const cosm_field friend_fields[] = {
    {.name = "who", .type = COSM_FIELD_ENTITY, .offset = offsetof(Friend, who)},
    {.name = "since", .type = COSM_FIELD_I32, .offset = offsetof(Friend, since), .unit = "year"},
};

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
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component friendship =
        cosm_component_define(engine, &(cosm_component_desc){.name = "Friend",
                                                             .size = sizeof(Friend),
                                                             .alignment = _Alignof(Friend),
                                                             .fields = friend_fields,
                                                             .field_count = 2});
    cosm_archetype person =
        cosm_archetype_define(engine, &(cosm_archetype_desc){.components = {friendship}});
    cosm_batch *batch = cosm_batch_create(engine, &(cosm_batch_desc){.world_count = 2});
    cosm_world here = cosm_batch_world(batch, 0);
    cosm_world there = cosm_batch_world(batch, 1);

    // Somebody is in the other world already, so handles there will be others.
    (void)cosm_entity_spawn(there, person);
    cosm_entity ann = cosm_entity_spawn(here, person);
    cosm_entity bob = cosm_entity_spawn(here, person);
    Friend of_ann = {bob, 1999};
    Friend of_bob = {ann, 2001};
    if (cosm_entity_set(here, ann, friendship, &of_ann) != COSM_OK ||
        cosm_entity_set(here, bob, friendship, &of_bob) != COSM_OK) {
        return 1;
    }

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

    // What is wrong is told with its line and column, and nothing has changed.
    static const char wrong[] = "{\"who\": null,\n \"since\": \"long ago\"}";
    if (cosm_json_read_value(engine, friendship, wrong, strlen(wrong), &of_ann) != COSM_OK) {
        printf("\n%s\n", cosm_error_message());
    }
    cosm_batch_destroy(batch);
    cosm_engine_destroy(engine);
    return 0;
}
