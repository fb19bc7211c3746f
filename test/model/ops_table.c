// Operations on one table: clearing it, and sorting it, which must be stable.
#include "state.h"

#include <stdlib.h>
#include <string.h>

// What a row is sorted by, and where it was before.
struct sort_item {
    uint32_t table; // rows with shared values are sorted table by table
    uint64_t key;
    uint32_t before;
    cosm_entity entity;
    struct row row;
};

// How a sort gets its key: from a row's bytes, or from its entity; masked so that keys repeat.
struct sort_rule {
    const struct kind *kind; // NULL: from the entity
    bool by_u32;
    size_t offset;
    uint64_t mask;
    bool temporary;
    bool askew; // a value came that was not aligned
};

// From the first bytes; of a described component from those of its first field.
static uint64_t bytes_key(const struct sort_rule *rule, const void *bytes) {
    const struct shape *shape = &rule->kind->shape;
    uint64_t key = 0;
    size_t front = rule->kind->hooks != 0 ? ACCOUNT_NUMBER_SIZE : 0;
    size_t size = shape->count > 0 ? field_size(&shape->fields[0]) : rule->kind->size - front;
    size_t offset = shape->count > 0 ? shape->fields[0].offset : front;
    memcpy(&key, (const uint8_t *)bytes + offset, size < sizeof(key) ? size : sizeof(key));
    return key & rule->mask;
}

static uint64_t entity_key(const struct sort_rule *rule, cosm_entity entity) {
    if (rule->temporary) {
        return 0;
    }
    uint64_t stream = ((uint64_t)entity.gen << 32) | entity.id;
    return model_random(&stream) & rule->mask;
}

static uint64_t library_key(void *context, cosm_entity entity, const void *value) {
    struct sort_rule *rule = context;
    bool askew = value && rule->kind && (uintptr_t)value % rule->kind->alignment != 0;
    rule->askew = rule->askew || askew;
    return value && rule->kind ? bytes_key(rule, value) : entity_key(rule, entity);
}

// The key that the oracle's value gives.
static uint64_t oracle_key(struct model *m, const struct sort_rule *rule, cosm_entity entity,
                           const uint32_t *values) {
    bool has_none =
        rule->kind && rule->kind->storage == COSM_STORAGE_MANAGED && values[rule->kind->bit] == 0;
    if (!rule->kind || rule->kind->size == 0 || has_none) {
        return entity_key(rule, entity);
    }
    const uint8_t *bytes = bytes_of(m, rule->kind, values[rule->kind->bit]);
    if (!rule->by_u32) {
        return bytes_key(rule, bytes);
    }
    uint32_t key;
    memcpy(&key, bytes + rule->offset, sizeof(key));
    return key;
}

static int ascending(const void *left, const void *right) {
    const struct sort_item *a = left;
    const struct sort_item *b = right;
    if (a->table != b->table) {
        return a->table < b->table ? -1 : 1;
    }
    if (a->key != b->key) {
        return a->key < b->key ? -1 : 1;
    }
    return a->before < b->before ? -1 : 1;
}

// The rows in the order they have now, with their keys.
static struct sort_item *list_rows(struct model *m, uint32_t world, struct choice choice,
                                   const struct sort_rule *rule, uint32_t count) {
    struct sort_item *items = calloc(count + 1, sizeof(*items));
    if (!items) {
        fprintf(stderr, "model: no memory to sort\n");
        exit(2);
    }
    const struct archetype *archetype = choice_archetype(m, choice);
    const struct world *w = &m->o.worlds[world];
    cosm_world place = cosm_batch_world(m->batch, world);
    uint32_t found = 0;
    if (cosm_table_row_count(place, choice.id) != count) {
        free(items);
        fail(m, "the table of archetype %u does not have %u rows", choice.id.id, count);
    }
    for (; found < count && archetype->temporary; found++) {
        items[found].before = found;
        items[found].row = bag_of(&m->o, world, archetype)->rows[found];
    }
    for (uint32_t i = 0; i < w->being_capacity && found < count; i++) {
        const struct being *being = &w->beings[i];
        if (being->alive && table_set(&m->o, being->set) == archetype->set) {
            cosm_loc loc = cosm_entity_loc(place, being->handle);
            struct sort_item *item = &items[found++];
            *item = (struct sort_item){.table = loc.table, .before = loc.row};
            item->entity = being->handle;
            memcpy(item->row.value, being->value, sizeof(being->value));
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        items[i].key = oracle_key(m, rule, items[i].entity, items[i].row.value);
    }
    return items;
}

static void order_items(const struct model *m, struct sort_item *items, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (m->o.fault == MODEL_FAULT_SORT_DESCENDS) {
            items[i].key = ~items[i].key;
        }
        if (m->o.fault == MODEL_FAULT_SORT_UNSTABLE) {
            items[i].before = ~items[i].before;
        }
    }
    qsort(items, count, sizeof(*items), ascending);
}

// After the sort, every row must be where the oracle sorted it to.
static void follow_sort(struct model *m, uint32_t world, struct choice choice,
                        const struct sort_item *items, uint32_t count, uint32_t *out_bad) {
    const struct archetype *archetype = choice_archetype(m, choice);
    cosm_world place = cosm_batch_world(m->batch, world);
    uint32_t first = 0; // of its table
    *out_bad = count;
    for (uint32_t i = 0; i < count; i++) {
        first = items[i].table == items[first].table ? first : i;
        cosm_loc loc = {items[i].table, i - first};
        if (archetype->temporary) {
            bag_of(&m->o, world, archetype)->rows[i] = items[i].row;
        } else if (!cosm_entity_equals(cosm_entity_at(place, loc), items[i].entity)) {
            *out_bad = i;
            return;
        }
    }
}

// Calls the sort and settles it.
static void sort_table(struct model *m, struct place place, struct choice choice,
                       struct sort_rule *rule, cosm_component id, uint32_t must, uint32_t may) {
    uint32_t count = 0;
    struct sort_item *items = NULL;
    const struct archetype *archetype = choice_archetype(m, choice);
    uint32_t walked = walked_bit(m, place);
    if (place_is_good(place) && archetype) {
        rule->temporary = archetype->temporary;
        count = row_count(&m->o, place.index, archetype);
    }
    must |= count > 1 || must != 0 ? walked : 0;
    may |= walked;
    if (must == 0) {
        items = list_rows(m, place.index, choice, rule, count);
        order_items(m, items, count);
    }
    cosm_result got = rule->by_u32 ? cosm_table_sort_u32(place.world, choice.id, id, rule->offset)
                                   : cosm_table_sort(place.world, choice.id, id, library_key, rule);
    uint32_t bad = count;
    if (got == COSM_OK && items) {
        follow_sort(m, place.index, choice, items, count, &bad);
    }
    free(items);
    (void)settle(m, got, must, may, 1u << place.index);
    if (rule->askew) {
        fail(m, "the sort showed a value of %s that was not aligned", rule->kind->name);
    }
    if (bad < count) {
        fail(m, "after the sort, row %u holds another entity than it should", bad);
    }
    m->compare = true;
}

void op_table_sort(struct model *m) {
    struct place place = pick_place(m);
    struct choice choice = pick_table(m, place);
    bool by_entity = pick(m, 4) == 3;
    struct part part = pick_column(m, choice);
    uint32_t shift = pick(m, 64);
    struct sort_rule rule = {.mask = ~(uint64_t)0 >> shift};
    const struct archetype *archetype = choice_archetype(m, choice);
    uint32_t must = 0;
    uint32_t may = 0;
    if (!place_is_good(place) || !archetype) {
        must |= RESULT_BIT(COSM_ERROR_ARGUMENT);
    }
    cosm_component id = by_entity ? (cosm_component){0} : part.id;
    if (id.id != 0) {
        rule.kind = part.kind && !part.kind->bundle ? part.kind : NULL;
        bool present = rule.kind && archetype && (archetype->set & rule.kind->set) != 0 &&
                       rule.kind->storage != COSM_STORAGE_SHARED;
        must |= present ? 0 : RESULT_BIT(COSM_ERROR_ARGUMENT);
        // The headers do not say whether a tag, which has no bytes, is good as a key.
        may |= present && rule.kind->size == 0 ? RESULT_BIT(COSM_ERROR_ARGUMENT) : 0;
    }
    say(m, "cosm_table_sort(world %u, archetype %u, %s, keys shifted by %u)", place.index,
        choice.id.id, rule.kind ? rule.kind->name : (id.id == 0 ? "none" : "unknown"), shift);
    sort_table(m, place, choice, &rule, id, must, may);
}

// Where a number may lie in a described component: in one of its fields, or askew in none. What a
// gap holds nobody knows, so the oracle could not say how it sorts: then the offset is moved.
static size_t shaped_offset(struct model *m, const struct shape *shape, size_t offset, bool split) {
    uint32_t start = draw(m, shape->count);
    for (uint32_t i = 0; i < shape->count; i++) {
        const cosm_field *field = &shape->fields[(start + i) % shape->count];
        if (field_size(field) >= sizeof(uint32_t)) {
            size_t places = field_size(field) - sizeof(uint32_t) + 1;
            size_t inside = field->offset + offset % places;
            return split && shape_field_around(shape, offset) == shape->count ? offset : inside;
        }
    }
    // No field has room for it: a split one refuses every offset, a whole one is asked for none.
    return split && shape_field_around(shape, offset) == shape->count ? offset : shape->size;
}

void op_table_sort_u32(struct model *m) {
    struct place place = pick_place(m);
    struct choice choice = pick_table(m, place);
    struct part part = pick_column(m, choice);
    size_t offset = 4u * pick(m, 5);
    bool odd = rarely(m, 8);
    struct sort_rule rule = {.by_u32 = true, .offset = odd ? offset + 1 : offset};
    const struct archetype *archetype = choice_archetype(m, choice);
    rule.kind = part.kind && !part.kind->bundle ? part.kind : NULL;
    bool has = rule.kind && archetype && (archetype->set & rule.kind->set) != 0 &&
               rule.kind->storage == COSM_STORAGE_COLUMN;
    bool split = has && (archetype->split & rule.kind->set) != 0;
    if (has && rule.kind->shape.count > 0) {
        rule.offset = shaped_offset(m, &rule.kind->shape, rule.offset, split);
    }
    bool present =
        has && rule.offset + sizeof(uint32_t) <= rule.kind->size &&
        (!split || shape_field_around(&rule.kind->shape, rule.offset) < rule.kind->shape.count);
    uint32_t must = place_is_good(place) && present ? 0 : RESULT_BIT(COSM_ERROR_ARGUMENT);
    // The headers do not say whether the number may lie askew.
    uint32_t may = rule.offset % 4 != 0 ? RESULT_BIT(COSM_ERROR_ARGUMENT) : 0;
    say(m, "cosm_table_sort_u32(world %u, archetype %u, %s, offset %zu)", place.index, choice.id.id,
        rule.kind ? rule.kind->name : "unknown", rule.offset);
    sort_table(m, place, choice, &rule, part.id, must, may);
}

void op_table_clear(struct model *m) {
    struct place place = pick_place(m);
    struct choice choice = pick_table(m, place);
    const struct archetype *archetype = choice_archetype(m, choice);
    say(m, "cosm_table_clear(world %u, archetype %u)", place.index, choice.id.id);
    bool good = place_is_good(place) && archetype;
    uint32_t must = good ? 0 : RESULT_BIT(COSM_ERROR_ARGUMENT);
    uint32_t may = 0;
    uint32_t walked = walked_bit(m, place);
    bool empty = good && row_count(&m->o, place.index, archetype) == 0;
    must |= empty ? 0 : walked;
    may |= walked;
    cosm_result got = cosm_table_clear(place.world, choice.id);
    if (settle(m, got, must, may, 1u << place.index) != COSM_OK) {
        return;
    }
    if (archetype->temporary) {
        bag_of(&m->o, place.index, archetype)->count = 0;
    }
    struct world *w = &m->o.worlds[place.index];
    for (uint32_t i = 0; !archetype->temporary && i < w->being_capacity; i++) {
        if (w->beings[i].alive && table_set(&m->o, w->beings[i].set) == archetype->set) {
            being_despawn(&m->o, place.index, &w->beings[i]);
        }
    }
    m->compare = true;
}
