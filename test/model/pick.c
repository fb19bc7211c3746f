// How an operation chooses what to act on, from the bytes of its record.
#include "state.h"

#include <stdlib.h>
#include <string.h>

uint32_t pick(struct model *m, uint32_t n) {
    // The last four bytes seed the record's stream and are not handed out.
    if (m->record_at >= MODEL_RECORD_SIZE - 4 || n == 0) {
        return 0;
    }
    return m->record[m->record_at++] % n;
}

uint32_t draw(struct model *m, uint32_t n) {
    return n == 0 ? 0 : (uint32_t)(model_random(&m->record_stream) >> 33) % n;
}

bool rarely(struct model *m, uint32_t n) {
    return pick(m, n) == n - 1;
}

uint32_t draw_value(struct model *m) {
    return 1 + draw(m, draw(m, 2) == 0 ? 4 : 0x7FFFFFFEu);
}

uint8_t *scratch(struct model *m, size_t size) {
    if (size > m->scratch_size) {
        free(m->scratch);
        m->scratch = malloc(size);
        m->scratch_size = size;
        if (!m->scratch) {
            fprintf(stderr, "model: no memory for a value\n");
            exit(2);
        }
    }
    return m->scratch;
}

const void *bytes_of(struct model *m, const struct kind *kind, uint32_t value) {
    bytes_to(kind, value, scratch(m, kind->size));
    return kind->size > 0 ? m->scratch : NULL;
}

void bytes_to(const struct kind *kind, uint32_t value, void *to) {
    if (kind->size > 0) {
        value_bytes(kind->bit + 1, value, to, kind->size);
    }
    if (kind->hooks != 0) {
        memset(to, 0, ACCOUNT_NUMBER_SIZE);
    }
}

void bytes_over(const struct kind *kind, uint32_t value, void *to) {
    uint8_t number[ACCOUNT_NUMBER_SIZE];
    size_t kept = kind->hooks != 0 ? sizeof(number) : 0;
    memcpy(number, to, kept);
    bytes_to(kind, value, to);
    memcpy(to, number, kept);
}

// Of an object: its content.
static bool content_is(const struct kind *kind, uint32_t value, const void *bytes) {
    uint8_t expected[OBJECT_SIZE_MAX];
    bytes_to(kind, value, expected);
    return memcmp((const uint8_t *)bytes + ACCOUNT_NUMBER_SIZE, expected + ACCOUNT_NUMBER_SIZE,
                  kind->size - ACCOUNT_NUMBER_SIZE) == 0;
}

bool bytes_are(const struct kind *kind, uint32_t value, const void *bytes) {
    if (kind->hooks != 0) {
        return content_is(kind, value, bytes);
    }
    if (kind->shape.count == 0) {
        return value_equals(kind->bit + 1, value, bytes, kind->size);
    }
    // What lies between fields does not outlive a table in which the component is split.
    uint8_t expected[SHAPE_SIZE_MAX];
    bytes_to(kind, value, expected);
    bool equal = true;
    for (uint32_t f = 0; f < kind->shape.count; f++) {
        const cosm_field *field = &kind->shape.fields[f];
        equal = equal && memcmp((const uint8_t *)bytes + field->offset, expected + field->offset,
                                field_size(field)) == 0;
    }
    return equal;
}

struct place pick_place(struct model *m) {
    uint32_t which = pick(m, 32);
    if (which < 29) {
        uint32_t index = which % m->o.world_count;
        return (struct place){cosm_batch_world(m->batch, index), index};
    }
    struct place bad = {{NULL, 0}, ORACLE_WORLD_MAX};
    if (which == 30) {
        bad.world = (cosm_world){m->batch, m->o.world_count};
    } else if (which == 31) {
        bad.world = (cosm_world){m->batch, 0xFFFFFFFFu - draw(m, 2)};
    }
    return bad;
}

bool place_is_good(struct place place) {
    return place.index < ORACLE_WORLD_MAX;
}

struct span pick_span(struct model *m) {
    uint32_t how = pick(m, 16);
    uint32_t first = pick(m, m->o.world_count);
    struct span span = {{NULL, 0, 0}, first, 1, true};
    if (how < 5) {
        span.worlds = cosm_worlds_one(cosm_batch_world(m->batch, first));
    } else if (how < 9) {
        span.first = 0;
        span.count = m->o.world_count;
        span.worlds = cosm_worlds_all(m->batch);
    } else if (how < 14) {
        span.count = 1 + pick(m, m->o.world_count - first);
        span.worlds = cosm_worlds_range(m->batch, first, span.count);
    } else {
        span.good = false;
        span.count = 0;
        if (how == 14) {
            span.worlds = (cosm_worlds){m->batch, first, m->o.world_count - first + 1};
        } else if (pick(m, 2) == 0) {
            span.worlds = (cosm_worlds){m->batch, 0xFFFFFFFFu, 2};
        }
    }
    return span;
}

// One of those that are not in columns; of that storage, unless it is COLUMN.
static struct part draw_apart(struct model *m, cosm_storage storage) {
    uint32_t start = draw(m, m->o.kind_count);
    for (uint32_t i = 0;; i++) {
        const struct kind *kind = &m->o.kinds[(start + i) % m->o.kind_count];
        if (storage == COSM_STORAGE_COLUMN ? kind->storage != storage : kind->storage == storage) {
            return (struct part){kind->id, kind};
        }
    }
}

struct part pick_part(struct model *m) {
    uint32_t which = pick(m, 64);
    if (m->has_storages && which < 60 && draw(m, 4) == 3) {
        return draw_apart(m, COSM_STORAGE_COLUMN);
    }
    if (m->focus != COSM_STORAGE_COLUMN && which < 60 && draw(m, 2) == 1) {
        return draw_apart(m, m->focus);
    }
    if (which < 60 && m->o.kind_count > 0) {
        const struct kind *kind = &m->o.kinds[(which + draw(m, 2) * 60) % m->o.kind_count];
        return (struct part){kind->id, kind};
    }
    uint32_t bad[] = {0, 0xFFFFFFFFu, 999999, 0x7FFFFFFFu};
    return (struct part){{bad[which % 4]}, NULL};
}

const struct kind *pick_plain(struct model *m) {
    return &m->o.kinds[m->o.plain[pick(m, m->o.plain_count)]];
}

struct choice pick_archetype(struct model *m) {
    uint32_t which = pick(m, 64);
    if (which < 61) {
        uint32_t index = which % m->o.archetype_count;
        return (struct choice){m->o.archetypes[index].id, index};
    }
    uint32_t bad[] = {0, 0xFFFFFFFFu, 60001};
    return (struct choice){{bad[which - 61]}, 0xFFFFFFFFu};
}

struct choice pick_table(struct model *m, struct place place) {
    struct choice choice = pick_archetype(m);
    if (!place_is_good(place) || choice.index == 0xFFFFFFFFu || rarely(m, 16)) {
        return choice;
    }
    for (uint32_t i = 0; i < m->o.archetype_count; i++) {
        uint32_t index = (choice.index + i) % m->o.archetype_count;
        if (row_count(&m->o, place.index, &m->o.archetypes[index]) > 1) {
            return (struct choice){m->o.archetypes[index].id, index};
        }
    }
    return choice;
}

struct part pick_column(struct model *m, struct choice choice) {
    struct part part = pick_part(m);
    if (choice.index == 0xFFFFFFFFu || !part.kind || rarely(m, 16)) {
        return part;
    }
    uint32_t start = (uint32_t)(part.kind - m->o.kinds);
    for (uint32_t i = 0; i < m->o.kind_count; i++) {
        const struct kind *kind = &m->o.kinds[(start + i) % m->o.kind_count];
        if (!kind->bundle && (m->o.archetypes[choice.index].set & kind->set) != 0) {
            return (struct part){kind->id, kind};
        }
    }
    return part;
}

const struct archetype *choice_archetype(const struct model *m, struct choice choice) {
    return choice.index == 0xFFFFFFFFu ? NULL : &m->o.archetypes[choice.index];
}

// A handle that a commands object gave out and that did not come alive yet.
static cosm_entity pending_handle(struct model *m, uint32_t n) {
    const struct commands *commands = &m->commands[n % MODEL_COMMANDS_MAX];
    for (uint32_t i = 0; commands->library && i < commands->count; i++) {
        if (commands->list[i].kind == COMMAND_SPAWN) {
            return commands->list[i].entity;
        }
    }
    return (cosm_entity){0, 0};
}

static cosm_entity odd_entity(struct model *m, uint32_t world, uint32_t how) {
    const struct world *w = &m->o.worlds[world];
    if (how <= 12 && w->given_count > 0) {
        return w->given[draw(m, w->given_count)].handle;
    }
    if (how == 13) {
        uint32_t other = (world + 1) % m->o.world_count;
        struct being *being = being_nth(&m->o, other, draw(m, m->o.worlds[other].alive_count));
        return being ? being->handle : (cosm_entity){0, 0};
    }
    if (how == 14) {
        return pending_handle(m, draw(m, MODEL_COMMANDS_MAX));
    }
    switch (draw(m, 4)) {
    case 0:
        return COSM_ENTITY_NONE;
    case 1:
        return (cosm_entity){1 + 2 * draw(m, 4), draw(m, 0x7FFFFFFFu) * 2 + draw(m, 2)};
    case 2:
        return (cosm_entity){draw(m, 8), draw(m, w->being_capacity + 2)};
    default:
        return (cosm_entity){0, 0};
    }
}

static cosm_entity entity_by(struct model *m, uint32_t world, uint32_t how, uint32_t n) {
    if (world >= m->o.world_count) {
        world = 0;
    }
    if (how < 11) {
        struct being *being = being_nth(&m->o, world, n);
        if (being) {
            return being->handle;
        }
    }
    return odd_entity(m, world, how);
}

cosm_entity pick_entity(struct model *m, uint32_t world) {
    uint32_t how = pick(m, 16);
    uint32_t alive = world < m->o.world_count ? m->o.worlds[world].alive_count : 0;
    uint32_t n = alive > 256 ? pick(m, 256) * alive / 256 : pick(m, alive);
    return entity_by(m, world, how, n);
}

cosm_entity draw_entity(struct model *m, uint32_t world) {
    uint32_t alive = world < m->o.world_count ? m->o.worlds[world].alive_count : 0;
    uint32_t how = draw(m, 24);
    return entity_by(m, world, how < 16 ? how : 0, draw(m, alive));
}

uint32_t draw_entities(struct model *m, uint32_t world, cosm_entity *out_entities) {
    uint32_t count = pick(m, MODEL_LIST_MAX + 1);
    for (uint32_t i = 0; i < count; i++) {
        bool again = i > 0 && draw(m, 8) == 7;
        out_entities[i] = again ? out_entities[draw(m, i)] : draw_entity(m, world);
    }
    return count;
}

void pick_values(struct model *m, const struct archetype *archetype, struct values *out_values) {
    uint32_t wanted = pick(m, MODEL_VALUE_MAX + 1);
    bool strange = rarely(m, 16);
    uint64_t set = archetype ? archetype->set : 0;
    out_values->count = 0;
    out_values->strange = false;
    out_values->beside = 0;
    for (uint32_t bit = 0; bit < m->o.plain_count && out_values->count < wanted; bit++) {
        const struct kind *kind = &m->o.kinds[m->o.plain[bit]];
        bool beside = kind->storage == COSM_STORAGE_SECTOR && archetype && !archetype->temporary;
        bool present = beside ? draw(m, 3) == 0 : set >> bit & 1;
        uint32_t at = out_values->count;
        if (kind->size > sizeof(out_values->bytes[0]) || (!present && !strange)) {
            continue;
        }
        out_values->strange = out_values->strange || !(present || beside);
        out_values->beside |= beside ? kind->set : 0;
        out_values->bits[at] = bit;
        out_values->numbers[at] = draw_value(m);
        bytes_to(kind, out_values->numbers[at], out_values->bytes[at]);
        out_values->list[at] =
            (cosm_value){kind->id, kind->size > 0 ? out_values->bytes[at] : NULL};
        out_values->count++;
    }
}

const void *row_value(struct model *m, struct place place, const struct kind *kind,
                      uint32_t *out_value) {
    uint32_t alive = place_is_good(place) ? m->o.worlds[place.index].alive_count : 0;
    uint32_t start = draw(m, alive);
    for (uint32_t i = 0; i < alive && kind->size > 0; i++) {
        const struct being *being = being_nth(&m->o, place.index, (start + i) % alive);
        if ((being->set & kind->set) != 0 && !is_split(m, being->set, false, kind) &&
            !(kind->storage == COSM_STORAGE_MANAGED && being->value[kind->bit] == 0)) {
            *out_value = being->value[kind->bit];
            return cosm_entity_read(place.world, being->handle, kind->id);
        }
    }
    return NULL;
}

const void *row_values(struct model *m, struct place place, const struct kind *kind, uint32_t count,
                       uint32_t *out_values) {
    for (uint32_t i = 0; i < m->o.archetype_count && place_is_good(place); i++) {
        const struct archetype *archetype = &m->o.archetypes[i];
        if ((archetype->set & kind->set & ~archetype->split) == 0 || archetype->temporary ||
            kind->size == 0 || count == 0 || kind->storage != COSM_STORAGE_COLUMN ||
            (archetype->set & m->o.shared) != 0 ||
            being_count(&m->o, place.index, archetype->set) < count) {
            continue;
        }
        const cosm_entity *entities = cosm_table_entities(place.world, archetype->id);
        for (uint32_t k = 0; k < count; k++) {
            const struct being *being = being_find(&m->o, place.index, entities[k]);
            if (!being) {
                fail(m, "a table holds {gen %u, id %u}, which is not alive", entities[k].gen,
                     entities[k].id);
            }
            out_values[k] = being->value[kind->bit];
        }
        return cosm_table_column_read(place.world, archetype->id, kind->id);
    }
    return NULL;
}

void take_row_values(struct model *m, struct place place, struct values *values) {
    for (uint32_t i = 0; i < values->count; i++) {
        const struct kind *kind = &m->o.kinds[m->o.plain[values->bits[i]]];
        const void *bytes = draw(m, 4) == 3 ? row_value(m, place, kind, &values->numbers[i]) : NULL;
        values->list[i].data = bytes ? bytes : values->list[i].data;
    }
}

struct query *pick_query(struct model *m) {
    uint32_t start = pick(m, ORACLE_QUERY_MAX);
    for (uint32_t i = 0; i < ORACLE_QUERY_MAX; i++) {
        struct query *query = &m->o.queries[(start + i) % ORACLE_QUERY_MAX];
        if (query->library) {
            return query;
        }
    }
    return NULL;
}
