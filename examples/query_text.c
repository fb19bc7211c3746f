// A query as text, and the same query term by term. Text can be parsed and printed.
#include <cosm/cosm.h>
#include <stdio.h>

typedef struct Position {
    float x, y;
} Position;

typedef struct Velocity {
    float x, y;
} Velocity;

static void print(void *context, const char *text, size_t length) {
    (void)context;
    fwrite(text, 1, length, stdout);
}

int main(void) {
    cosm_engine *engine = cosm_engine_create(&(cosm_engine_desc){.quiet = true});
    cosm_component position = COSM_COMPONENT_DEFINE(engine, Position, x, y);
    cosm_component velocity = COSM_COMPONENT_DEFINE(engine, Velocity, x, y);
    cosm_component frozen = COSM_TAG_DEFINE(engine, Frozen);

    cosm_query *by_text =
        cosm_query_create(engine, &(cosm_query_desc){.text = "mut Position, Velocity, !Frozen"});
    cosm_query *by_terms = cosm_query_create(
        engine, &(cosm_query_desc){.terms = {{.component = position, .access = COSM_ACCESS_WRITE},
                                             {.component = velocity},
                                             {.component = frozen, .kind = COSM_TERM_WITHOUT}}});
    printf("one and the same: %s\n", by_text == by_terms ? "yes" : "no");
    cosm_query_print(by_terms, print, NULL);
    printf("\n");

    // Parsing gives the terms, to be changed before a query is made of them. A mistake is reported
    // with its column.
    cosm_query_desc desc;
    if (cosm_query_parse(engine, "mut Position, Velocty", &desc) != COSM_OK) {
        printf("%s\n", cosm_error_message());
    }
    cosm_query_destroy(by_text);
    cosm_query_destroy(by_terms);
    cosm_engine_destroy(engine);
}
