// Worlds with exports of every kind: see exports.h.
#include "support/exports.h"

#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"

static void advance(cosm_rows *rows) {
    Point *point = COSM_COLUMN_WRITE(rows, Point, 0);
    const Choice *choice = COSM_COLUMN_READ(rows, Choice, 1);
    for (uint32_t i = 0; i < rows->count; i++) {
        point[i].x += (float)choice[i].step;
    }
}

static void define_values(struct exports *exports) {
    static const cosm_field point[] = {{.name = "x", .type = COSM_FIELD_F32},
                                       {.name = "y", .type = COSM_FIELD_F32, .offset = 4}};
    static const cosm_field choice[] = {{.name = "step", .type = COSM_FIELD_I32}};
    static const cosm_field body[] = {
        {.name = "mass", .type = COSM_FIELD_F64},
        {.name = "push", .type = COSM_FIELD_F32, .offset = 8, .dims = {3}},
        {.name = "flags", .type = COSM_FIELD_U8, .offset = 20, .dims = {4}}};
    static const cosm_field spin[] = {{.name = "angle", .type = COSM_FIELD_F32},
                                      {.name = "rate", .type = COSM_FIELD_F32, .offset = 4}};
    static const cosm_field goal[] = {{.name = "x", .type = COSM_FIELD_F32},
                                      {.name = "score", .type = COSM_FIELD_U32, .offset = 4}};
    cosm_engine *engine = exports->engine;
    exports->point = cosm_component_define(
        engine, &(cosm_component_desc){
                    .name = "Point", .size = sizeof(Point), .fields = point, .field_count = 2});
    exports->choice = cosm_component_define(
        engine, &(cosm_component_desc){
                    .name = "Choice", .size = sizeof(Choice), .fields = choice, .field_count = 1});
    exports->body = cosm_component_define(
        engine, &(cosm_component_desc){
                    .name = "Body", .size = sizeof(Body), .fields = body, .field_count = 3});
    exports->spin =
        cosm_component_define(engine, &(cosm_component_desc){.name = "Spin",
                                                             .size = sizeof(Spin),
                                                             .fields = spin,
                                                             .field_count = 2,
                                                             .layout = COSM_LAYOUT_SPLIT});
    exports->side = cosm_component_define(
        engine, &(cosm_component_desc){
                    .name = "Side", .size = sizeof(Side), .storage = COSM_STORAGE_SHARED});
    exports->mark = COSM_TAG_DEFINE(engine, Mark);
    exports->flag = COSM_TAG_DEFINE(engine, Flag);
    exports->goal = cosm_singleton_define(
        engine, &(cosm_singleton_desc){
                    .name = "Goal", .size = sizeof(Goal), .fields = goal, .field_count = 2});
}

static cosm_archetype define_kind(struct exports *exports, const char *name, cosm_component a,
                                  cosm_component b, cosm_component c) {
    cosm_archetype kind = cosm_archetype_define(
        exports->engine, &(cosm_archetype_desc){.name = name, .components = {a, b, c}});
    CHECK(kind.id != 0);
    return kind;
}

void exports_define(struct exports *exports, const cosm_engine_desc *desc) {
    memset(exports, 0, sizeof(*exports));
    exports->engine = cosm_engine_create(desc);
    if (exports->engine == NULL) {
        return;
    }
    define_values(exports);
    cosm_component none = {0};
    exports->pawn = define_kind(exports, "pawn", exports->point, exports->choice, none);
    exports->heavy = define_kind(exports, "heavy", exports->point, exports->choice, exports->body);
    exports->player = define_kind(exports, "player", exports->point, exports->side, none);
    exports->top = define_kind(exports, "top", exports->spin, none, none);
    exports->tile = cosm_archetype_define(
        exports->engine,
        &(cosm_archetype_desc){.name = "tile",
                               .components = {exports->point, exports->choice, exports->mark},
                               .placement = COSM_PLACEMENT_FIXED,
                               .max_per_world = TILE_MAX,
                               .sealed = true});
    exports->points =
        (cosm_query_desc){.terms = {{.component = exports->point, .access = COSM_ACCESS_WRITE}}};
    exports->bodies =
        (cosm_query_desc){.terms = {{.component = exports->choice, .access = COSM_ACCESS_WRITE}}};
    cosm_system advance_all = cosm_system_define(
        exports->engine,
        &(cosm_system_desc){
            .name = "advance",
            .each = advance,
            .queries = {{.terms = {{.component = exports->point, .access = COSM_ACCESS_WRITE},
                                   {.component = exports->choice}}}}});
    CHECK(exports->tile.id != 0 && advance_all.id != 0);
}

cosm_export_desc exports_slot_desc(const struct exports *exports, uint32_t slot) {
    const cosm_export_desc descs[SLOT_COUNT] = {
        [SLOT_PAWN_CHOICE] = {.name = "pawn choice",
                              .archetype = exports->pawn,
                              .component = exports->choice,
                              .direction = COSM_DIRECTION_IN},
        [SLOT_PAWN_POINT] = {.name = "pawn point",
                             .archetype = exports->pawn,
                             .component = exports->point,
                             .direction = COSM_DIRECTION_BOTH},
        [SLOT_PAWN_ENTITY] = {.name = "pawn entity", .archetype = exports->pawn, .entities = true},
        [SLOT_PAWN_Y] = {.name = "pawn y",
                         .archetype = exports->pawn,
                         .component = exports->point,
                         .field = "y"},
        [SLOT_TILE_CHOICE] = {.name = "tile choice",
                              .archetype = exports->tile,
                              .component = exports->choice,
                              .direction = COSM_DIRECTION_IN},
        [SLOT_TILE_POINT] = {.name = "tile point",
                             .archetype = exports->tile,
                             .component = exports->point,
                             .direction = COSM_DIRECTION_BOTH},
        [SLOT_SIDE_POINT] = {.name = "player point",
                             .archetype = exports->player,
                             .component = exports->point},
        [SLOT_SPIN_RATE] = {.name = "top rate",
                            .archetype = exports->top,
                            .component = exports->spin,
                            .field = "rate",
                            .direction = COSM_DIRECTION_BOTH},
        [SLOT_ALL_POINT] = {.name = "all points",
                            .query = &exports->points,
                            .component = exports->point},
        [SLOT_ALL_ENTITY] = {.name = "all entities", .query = &exports->points, .entities = true},
        [SLOT_ALL_PUSH] = {.name = "all pushes",
                           .query = &exports->bodies,
                           .component = exports->body,
                           .field = "push",
                           .direction = COSM_DIRECTION_BOTH},
        [SLOT_GOAL] = {.name = "goal",
                       .singleton = exports->goal,
                       .field = "score",
                       .direction = COSM_DIRECTION_IN},
    };
    cosm_export_desc desc = descs[slot];
    desc.slot = slot;
    return desc;
}

struct exports_view exports_slot_view(const struct exports *exports, uint32_t slot) {
    cosm_export_desc desc = exports_slot_desc(exports, slot);
    struct exports_view view = {.archetype = desc.archetype, .component = desc.component};
    cosm_component component = desc.entities ? exports->point : desc.component;
    view.query = (cosm_query_desc){.terms = {{.component = component}}, .by_world = true};
    if (desc.entities) {
        view.size = sizeof(cosm_entity);
    } else if (desc.field == NULL) {
        view.size = component.id == exports->choice.id ? sizeof(Choice) : sizeof(Point);
    } else {
        bool is_push = strcmp(desc.field, "push") == 0;
        view.offset = is_push ? offsetof(Body, push) : 4;
        view.size = is_push ? sizeof(((Body *)0)->push) : 4;
    }
    return view;
}

void exports_export(struct exports *exports) {
    for (uint32_t slot = 0; slot < SLOT_COUNT; slot++) {
        cosm_export_desc desc = exports_slot_desc(exports, slot);
        CHECK_DONE(cosm_export_define(exports->engine, &desc));
    }
}

void exports_open(struct exports *exports, uint32_t world_count, uint32_t worker_count) {
    exports_define(exports, &(cosm_engine_desc){.worker_count = worker_count});
    exports_export(exports);
    exports->batch = cosm_batch_create(exports->engine,
                                       &(cosm_batch_desc){.world_count = world_count, .seed = 7});
    CHECK(exports->batch != NULL);
    exports->all = (cosm_worlds){exports->batch, 0, world_count};
}

void exports_close(struct exports *exports) {
    CHECK_VALID(exports->batch);
    CHECK_DONE(cosm_batch_destroy(exports->batch));
    CHECK_DONE(cosm_engine_destroy(exports->engine));
}

uint32_t exports_collect(const struct exports *exports, uint32_t slot, void *out_values,
                         int64_t *out_offsets, uint32_t max) {
    struct exports_view view = exports_slot_view(exports, slot);
    cosm_query *query = cosm_query_create(exports->engine, &view.query);
    uint32_t total = 0;
    for (uint32_t w = 0; w < exports->all.count; w++) {
        out_offsets[w] = total;
        cosm_rows rows;
        cosm_query_walk(query, (cosm_worlds){exports->batch, w, 1}, &rows);
        while (cosm_rows_next(&rows)) {
            bool counts = view.archetype.id == 0 || view.archetype.id == rows.archetype.id;
            for (uint32_t i = 0; counts && i < rows.count; i++, total++) {
                char value[64] = {0};
                memcpy(value, &rows.entities[i], sizeof(cosm_entity));
                if (view.component.id != 0) {
                    CHECK(cosm_rows_get(&rows, i, view.component, value));
                }
                if (total < max) {
                    memcpy((char *)out_values + total * view.size, value + view.offset, view.size);
                }
            }
        }
    }
    out_offsets[exports->all.count] = total;
    cosm_query_destroy(query);
    return total;
}

void check_rows(const char *file, int line, const struct exports *exports, uint32_t slot,
                bool is_in) {
    const cosm_tensor *tensor = cosm_batch_tensor(exports->batch, slot);
    struct exports_view view = exports_slot_view(exports, slot);
    uint32_t max = (uint32_t)tensor->shape[0] + 1;
    char *values = malloc(max * view.size);
    int64_t *offsets = malloc((exports->all.count + 1) * sizeof(*offsets));
    uint32_t count = exports_collect(exports, slot, values, offsets, max);
    (void)harness_check_int(file, line, tensor->name, HARNESS_INT(tensor->shape[0]),
                            HARNESS_INT(count));
    (void)harness_check_mem(file, line, "offsets", tensor->offsets, offsets,
                            (exports->all.count + 1) * sizeof(*offsets));
    size_t stride = (size_t)tensor->strides[0];
    for (uint32_t i = 0; i < count && i < max && !is_in; i++) {
        if (!harness_check_mem(file, line, tensor->name, (const char *)tensor->data + i * stride,
                               values + i * view.size, view.size)) {
            break;
        }
    }
    free(values);
    free(offsets);
}
