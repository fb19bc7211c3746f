// Telling the differences of two images: entities by id, then singletons, the stream, and the
// order.
#include "state/diff.h"

#include <string.h>

#include "state/hash.h"

static void diff_report(struct diff *diff, const cosm_difference *difference) {
    diff->reported += difference->kind != COSM_DIFF_RANDOM;
    diff->is_stopped = diff->is_stopped || !diff->call(diff->context, difference);
}

static void diff_report_entity(struct diff *diff, cosm_diff_kind kind, cosm_entity entity,
                               uint32_t component) {
    cosm_difference difference = {.kind = kind,
                                  .world = diff->world,
                                  .entity = entity,
                                  .component = {component},
                                  .field = COSM_FIELD_INDEX_NONE};
    diff_report(diff, &difference);
}

static void diff_compare_component(struct diff *diff, cosm_entity entity,
                                   const struct diff_place *places, uint32_t component) {
    const struct value_type *type = schema_component(diff->schema, component);
    const void *values[2];
    bool was = cosmi_diff_value(diff, 0, places[0], component, &values[0]);
    bool is = cosmi_diff_value(diff, 1, places[1], component, &values[1]);
    cosm_difference difference = {.kind = COSM_DIFF_CHANGED,
                                  .world = diff->world,
                                  .entity = entity,
                                  .component = {component},
                                  .field = COSM_FIELD_INDEX_NONE};
    if (was != is) {
        diff_report_entity(diff, is ? COSM_DIFF_ADDED : COSM_DIFF_REMOVED, entity, component);
    } else if (was && (values[0] == NULL || values[1] == NULL)) {
        if (values[0] != values[1]) {
            diff_report(diff, &difference); // one of them is a ticket without an object
        }
    } else if (was && !cosmi_diff_equal(type, values[0], values[1], &difference.field)) {
        difference.before = values[0];
        difference.after = values[1];
        difference.size = type->size;
        diff_report(diff, &difference);
    }
}

// The handle of the parent of an id, or none.
static cosm_entity diff_parent_of(const struct world_image *image, uint32_t id) {
    const struct link *link = diff_link(image, id);
    if (link == NULL || link->parent == ID_NONE) {
        return COSM_ENTITY_NONE;
    }
    return (cosm_entity){image_record(image, link->parent)->gen, link->parent};
}

static void diff_compare_parts(struct diff *diff, cosm_entity entity,
                               const struct record *const *records) {
    struct diff_place places[2];
    for (uint32_t side = 0; side < 2; side++) {
        places[side] =
            (struct diff_place){image_find(diff->images[side], PART_TABLE, records[side]->table),
                                records[side]->row, entity.id};
        INVARIANT(places[side].table != NULL, "a living entity is in a table");
    }
    uint32_t component = cosmi_diff_next(diff, places, 0);
    while (component != 0 && !diff->is_stopped) {
        diff_compare_component(diff, entity, places, component);
        component = cosmi_diff_next(diff, places, component);
    }
    cosm_entity was = diff_parent_of(diff->images[0], entity.id);
    cosm_entity is = diff_parent_of(diff->images[1], entity.id);
    bool has_moved = (diff->moved[entity.id / 64] >> (entity.id % 64) & 1) != 0;
    if ((has_moved || was.id != is.id || was.gen != is.gen) && !diff->is_stopped) {
        diff_report_entity(diff, COSM_DIFF_PARENT, entity, 0);
    }
}

static void diff_compare_id(struct diff *diff, uint32_t id) {
    const struct record *records[2] = {diff_record(diff, 0, id), diff_record(diff, 1, id)};
    bool is_same = records[0] != NULL && records[1] != NULL && records[0]->gen == records[1]->gen;
    if (is_same) {
        diff_compare_parts(diff, (cosm_entity){records[0]->gen, id}, records);
        return;
    }
    if (records[0] != NULL) {
        diff_report_entity(diff, COSM_DIFF_DESPAWNED, (cosm_entity){records[0]->gen, id}, 0);
    }
    if (records[1] != NULL && !diff->is_stopped) {
        diff_report_entity(diff, COSM_DIFF_SPAWNED, (cosm_entity){records[1]->gen, id}, 0);
    }
}

static void diff_compare_marked(struct diff *diff) {
    for (uint32_t word = 0; word <= diff->id_end / 64 && !diff->is_stopped; word++) {
        for (uint32_t bit = 0; diff->marks[word] >> bit != 0 && !diff->is_stopped; bit++) {
            if ((diff->marks[word] >> bit & 1) != 0) {
                diff_compare_id(diff, word * 64 + bit);
            }
            if (bit == 63) {
                break;
            }
        }
    }
}

static void diff_compare_singletons(struct diff *diff) {
    const struct world_image *before = diff->images[0];
    const struct world_image *after = diff->images[1];
    uint32_t end = image_singleton_end(before) > image_singleton_end(after)
                       ? image_singleton_end(before)
                       : image_singleton_end(after);
    for (uint32_t id = 1; id < end && !diff->is_stopped; id++) {
        const struct blob *b = image_singleton(before, id);
        const struct blob *a = image_singleton(after, id);
        cosm_difference difference = {.kind = COSM_DIFF_SINGLETON,
                                      .world = diff->world,
                                      .entity = COSM_ENTITY_NONE,
                                      .singleton = {id},
                                      .field = COSM_FIELD_INDEX_NONE};
        bool is_same = a == b;
        if (a != NULL && b != NULL && !is_same) {
            is_same = cosmi_diff_equal(schema_singleton(diff->schema, id), b->bytes, a->bytes,
                                       &difference.field);
            difference.before = b->bytes;
            difference.after = a->bytes;
            difference.size = a->size;
        }
        if (!is_same) {
            diff_report(diff, &difference);
        }
    }
}

static void diff_compare_stream(struct diff *diff) {
    const struct stream_image *b = &diff->images[0]->stream;
    const struct stream_image *a = &diff->images[1]->stream;
    if (a->seed != b->seed || a->step != b->step || a->number != b->number) {
        diff_report_entity(diff, COSM_DIFF_RANDOM, COSM_ENTITY_NONE, 0);
    }
}

// The exact hash, with the stream of the first image in both: streams are compared on their own.
static uint64_t diff_hash(const struct diff *diff, uint32_t side) {
    struct view view = view_of_image(diff->schema, diff->images[side]);
    view.stream = diff->images[0]->stream;
    return cosmi_hash_view(&view, COSM_HASH_EXACT);
}

// Components of split layout are put together here. Sizes are those of types, which are few.
static bool diff_take_values(struct diff *diff) {
    for (uint32_t id = 1; id < paged_count(&diff->schema->components); id++) {
        const struct value_type *type = schema_component(diff->schema, id);
        if (type->fields.count > 0 && type->size > diff->value_size) {
            diff->value_size = type->size;
        }
    }
    for (uint32_t side = 0; side < 2; side++) {
        diff->values[side] =
            cosmi_memory_alloc(diff->memory, diff->value_size + 1, COSM_COMPONENT_ALIGNMENT_MAX);
        diff->no_memory = diff->no_memory || diff->values[side] == NULL;
    }
    return !diff->no_memory;
}

static bool diff_take_marks(struct diff *diff) {
    uint32_t before = image_ids(diff->images[0])->ids.known;
    uint32_t after = image_ids(diff->images[1])->ids.known;
    diff->id_end = before > after ? before : after;
    size_t size = ((size_t)diff->id_end / 64 + 1) * sizeof(uint64_t);
    diff->marks = cosmi_memory_alloc_zeroed(diff->memory, size, _Alignof(uint64_t));
    diff->moved = cosmi_memory_alloc_zeroed(diff->memory, size, _Alignof(uint64_t));
    diff->no_memory = diff->marks == NULL || diff->moved == NULL;
    return !diff->no_memory;
}

static void diff_give_all(struct diff *diff) {
    size_t size = ((size_t)diff->id_end / 64 + 1) * sizeof(uint64_t);
    cosmi_memory_free(diff->memory, diff->marks, size, _Alignof(uint64_t));
    cosmi_memory_free(diff->memory, diff->moved, size, _Alignof(uint64_t));
    for (uint32_t side = 0; side < 2; side++) {
        cosmi_memory_free(diff->memory, diff->values[side], diff->value_size + 1,
                          COSM_COMPONENT_ALIGNMENT_MAX);
        for (uint32_t i = 0; i < diff->sector_count; i++) {
            cosmi_memory_free(diff->memory, diff->sectors[i].places[side],
                              ((size_t)diff->id_end + 1) * sizeof(uint32_t), _Alignof(uint32_t));
        }
    }
    cosmi_array_free(diff->memory, diff->sectors, diff->sector_room, sizeof(*diff->sectors));
}

bool cosmi_diff_world(struct diff *diff) {
    if (diff_take_marks(diff) && diff_take_values(diff)) {
        cosmi_diff_mark(diff);
    }
    if (!diff->no_memory) {
        diff_compare_marked(diff);
        diff_compare_singletons(diff);
        if (!diff->is_stopped) {
            diff_compare_stream(diff);
        }
        if (!diff->is_stopped && diff->reported == 0 && diff_hash(diff, 0) != diff_hash(diff, 1)) {
            diff_report_entity(diff, COSM_DIFF_ORDER, COSM_ENTITY_NONE, 0);
        }
    }
    diff_give_all(diff);
    return !diff->no_memory;
}
