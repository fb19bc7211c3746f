// A query can be written as text. It is the same query as the one that a desc gives.
#include <cosm/cosm.h>
#include <stdio.h>

static void print(void *context, const char *text, size_t length) {
    (void)context;
    fwrite(text, 1, length, stdout);
}

int main(void) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component position = cosm_component_define(
        engine, &(cosm_component_desc){.name = "Position", .size = 8, .alignment = 4});
    cosm_component velocity = cosm_component_define(
        engine, &(cosm_component_desc){.name = "Velocity", .size = 8, .alignment = 4});
    cosm_component frozen = COSM_TAG_DEFINE(engine, Frozen);

    cosm_query_desc desc = {.by_world = false};
    if (cosm_query_parse(engine, "mut Position, Velocity, !Frozen", &desc) != COSM_OK) {
        printf("%s\n", cosm_error_message());
        return 1;
    }
    cosm_query *by_text = cosm_query_create(engine, &desc);
    cosm_query *by_desc = cosm_query_create(
        engine, &(cosm_query_desc){.terms = {{.component = position, .access = COSM_ACCESS_WRITE},
                                             {.component = velocity},
                                             {.component = frozen, .kind = COSM_TERM_WITHOUT}}});
    printf("one and the same: %s\n", by_text == by_desc ? "yes" : "no");
    cosm_query_print(by_text, print, NULL);
    printf("\n");

    // What is wrong is told with its place.
    if (cosm_query_parse(engine, "mut Position, Velocty", &desc) != COSM_OK) {
        printf("%s\n", cosm_error_message());
    }
    cosm_query_destroy(by_text);
    cosm_query_destroy(by_desc);
    cosm_engine_destroy(engine);
    return 0;
}
