// Fields say what the bytes of a component mean. With them a component can be split: each field has
// an array of its own, and loops over it fill SIMD registers.
#include <cosm/cosm.h>
#include <stdio.h>

typedef struct Body {
    float height;
    float speed;
    uint32_t bounces;
} Body;

// What COSM_COMPONENT_DEFINE writes for you; by hand they can have units, docs and ranges.
static const cosm_field body_fields[] = {
    {.name = "height", .type = COSM_FIELD_F32, .offset = offsetof(Body, height), .unit = "m"},
    {.name = "speed", .type = COSM_FIELD_F32, .offset = offsetof(Body, speed), .unit = "m/s"},
    {.name = "bounces", .type = COSM_FIELD_U32, .offset = offsetof(Body, bounces)},
};

// Their numbers, in the order above.
enum { BODY_HEIGHT, BODY_SPEED, BODY_BOUNCES };

static void fall(float *restrict height, float *restrict speed, uint32_t count, float dt) {
    for (uint32_t i = 0; i < count; i++) {
        speed[i] -= 9.81f * dt;
        height[i] += speed[i] * dt;
    }
}

int main(void) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component body = cosm_component_define(engine, &(cosm_component_desc){
                                                            .name = "Body",
                                                            .size = sizeof(Body),
                                                            .alignment = _Alignof(Body),
                                                            .layout = COSM_LAYOUT_SPLIT,
                                                            .fields = body_fields,
                                                            .field_count = 3,
                                                        });
    cosm_component_info info = cosm_component_describe(engine, body);
    for (uint32_t i = 0; i < info.field_count; i++) {
        const cosm_field *field = &info.fields[i];
        printf("%s: %s at byte %u, in %s\n", field->name, cosm_field_type_name(field->type),
               (unsigned)field->offset, field->unit != NULL ? field->unit : "no unit");
    }
    cosm_query *bodies = cosm_query_create(engine, &(cosm_query_desc){.text = "mut Body"});
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_world world = cosm_batch_world(batch, 0);

    // One by one, a value is a whole struct.
    cosm_entity balls[4];
    for (uint32_t i = 0; i < 4; i++) {
        balls[i] =
            COSM_SPAWN(world, COSM_VALUE(Body, .height = 10.0f * (float)(i + 1), .bounces = i));
    }

    // All together, a field is an array.
    cosm_rows rows;
    cosm_query_walk(bodies, cosm_worlds_one(world), &rows);
    while (cosm_rows_next(&rows)) {
        fall(COSM_FIELD_WRITE(&rows, float, 0, BODY_HEIGHT),
             COSM_FIELD_WRITE(&rows, float, 0, BODY_SPEED), rows.count, 0.5f);
        const uint32_t *bounces = COSM_FIELD_READ(&rows, uint32_t, 0, BODY_BOUNCES);
        printf("the last of %u has bounced %u times\n", (unsigned)rows.count,
               (unsigned)bounces[rows.count - 1]);
    }

    Body first;
    if (cosm_entity_get(world, balls[0], body, &first)) {
        printf("the first is at %.2f m and falls at %.2f m/s\n", (double)first.height,
               (double)-first.speed);
    }
    cosm_query_destroy(bodies);
    cosm_batch_destroy(batch);
    cosm_engine_destroy(engine);
}
