// Operations that only components outside of columns have: objects moved in and out, spawns of many
// with values, maintaining sectors, and what there is to ask.
#include "state.h"

#include <string.h>

// A component of that storage from the one that the record chooses on, mostly; NULL: there is none.
static struct part pick_stored(struct model *m, cosm_storage storage) {
    struct part part = pick_part(m);
    uint32_t start = part.kind ? (uint32_t)(part.kind - m->o.kinds) : 0;
    if (rarely(m, 16)) {
        return part;
    }
    for (uint32_t i = 0; i < m->o.kind_count; i++) {
        const struct kind *kind = &m->o.kinds[(start + i) % m->o.kind_count];
        if (!kind->bundle && kind->storage == storage) {
            return (struct part){kind->id, kind};
        }
    }
    return part;
}

// A call about one object.
struct object_call {
    struct place place;
    cosm_entity entity;
    struct part part;
    struct being *being; // NULL: there is none, or the arguments are bad
    bool is_bad;         // the world or the component
    bool has_object;
    uint32_t must;
    uint64_t set; // that the entity will have
};

static struct object_call pick_object_call(struct model *m, bool gives) {
    struct object_call c = {.place = pick_place(m)};
    c.entity = pick_entity(m, c.place.index);
    c.part = pick_stored(m, COSM_STORAGE_MANAGED);
    c.is_bad = !place_is_good(c.place) || !c.part.kind ||
               c.part.kind->storage != COSM_STORAGE_MANAGED || c.part.kind->bundle;
    c.being = c.is_bad ? NULL : being_find(&m->o, c.place.index, c.entity);
    c.must |= c.is_bad ? RESULT_BIT(COSM_ERROR_ARGUMENT) : 0;
    c.must |= !c.is_bad && !c.being ? RESULT_BIT(COSM_STALE) : 0;
    if (!c.being) {
        c.must |= walked_bit(m, c.place);
        return c;
    }
    bool has = (c.being->set & c.part.kind->set) != 0;
    c.has_object = has && c.being->value[c.part.kind->bit] != 0;
    c.set = gives ? c.being->set | c.part.kind->set : c.being->set;
    // Replacing an object changes nothing else.
    c.must |= gives && c.has_object ? 0 : walked_bit(m, c.place);
    if (c.set != c.being->set) {
        c.must |= is_sealed(m, c.being->set) ? RESULT_BIT(COSM_ERROR_SEALED) : 0;
        c.must |= is_full(m, c.place.index, c.set, false, 1) ? RESULT_BIT(COSM_ERROR_FULL) : 0;
    }
    return c;
}

static void say_object_call(struct model *m, const struct object_call *c, const char *call) {
    say(m, "%s(world %u, {gen %u, id %u}, %s)", call, c->place.index, c->entity.gen, c->entity.id,
        c->part.kind ? c->part.kind->name : "an unknown component");
}

// The entity has an object now.
static void follow_object(struct model *m, const struct object_call *c, uint32_t value) {
    being_change(&m->o, c->being, c->set);
    c->being->value[c->part.kind->bit] = value;
    compare_being(m, c->place.index, c->being);
}

static void put_object(struct model *m) {
    struct object_call c = pick_object_call(m, true);
    uint32_t value = draw_value(m);
    const struct kind *kind = c.is_bad ? NULL : c.part.kind;
    size_t size = kind ? kind->size : OBJECT_SIZE_MAX;
    uint8_t *object = scratch(m, size);
    memset(object, 0, size);
    if (kind && c.set != 0 && !room_for_bytes(m, size)) {
        return;
    }
    say_object_call(m, &c, "cosm_managed_put");
    if (kind) {
        bytes_to(kind, value, object);
    }
    if (kind && kind->hooks != 0) {
        account_enter(&m->trades[kind->bit], object);
    }
    cosm_result got = cosm_managed_put(c.place.world, c.entity, c.part.id, object);
    // What was not moved in is still ours.
    if (got != COSM_OK && kind && kind->hooks != 0) {
        account_end(&m->trades[kind->bit], object);
    }
    if (settle(m, got, c.must, 0, 1u << c.place.index) == COSM_OK) {
        follow_object(m, &c, m->o.fault == MODEL_FAULT_OBJECT_LOST ? 0 : value);
    }
}

static void emplace_object(struct model *m) {
    struct object_call c = pick_object_call(m, true);
    if (!c.is_bad && !room_for_bytes(m, c.part.kind->size)) {
        return;
    }
    say_object_call(m, &c, "cosm_managed_emplace");
    const void *object = cosm_managed_emplace(c.place.world, c.entity, c.part.id);
    cosm_result got =
        object || cosm_error_result() != COSM_OK ? made(m, object != NULL) : COSM_STALE;
    if (settle(m, got, c.must, 0, 1u << c.place.index) == COSM_OK) {
        follow_object(m, &c, c.part.kind->initial);
        if (cosm_entity_read(c.place.world, c.entity, c.part.id) != object) {
            fail(m, "the object that was made is not the one that the entity has");
        }
    }
}

static void take_object(struct model *m) {
    struct object_call c = pick_object_call(m, false);
    const struct kind *kind = c.is_bad ? NULL : c.part.kind;
    say_object_call(m, &c, "cosm_managed_take");
    if (c.being && !c.has_object) {
        c.must |= RESULT_BIT(COSM_STALE);
    }
    uint8_t *object = scratch(m, kind ? kind->size : OBJECT_SIZE_MAX);
    cosm_result got = cosm_managed_take(c.place.world, c.entity, c.part.id, object);
    if (settle(m, got, c.must, 0, 1u << c.place.index) != COSM_OK) {
        return;
    }
    if (!bytes_are(kind, c.being->value[kind->bit], object) ||
        (kind->hooks != 0 && !account_has(&m->trades[kind->bit], object))) {
        fail(m, "what was taken is not the object that was there");
    }
    if (kind->hooks != 0) {
        account_end(&m->trades[kind->bit], object);
    }
    follow_object(m, &c, 0);
}

static void clear_object(struct model *m) {
    struct object_call c = pick_object_call(m, false);
    say_object_call(m, &c, "cosm_managed_clear");
    cosm_result got = cosm_managed_clear(c.place.world, c.entity, c.part.id);
    if (settle(m, got, c.must, 0, 1u << c.place.index) == COSM_OK &&
        (c.being->set & c.part.kind->set) != 0) {
        follow_object(m, &c, 0);
    }
}

void op_managed(struct model *m) {
    uint32_t how = pick(m, 8);
    if (m->o.managed == 0) {
        return;
    }
    if (how < 3) {
        put_object(m);
    } else if (how < 5) {
        emplace_object(m);
    } else if (how < 7) {
        take_object(m);
    } else {
        clear_object(m);
    }
}

// The rows that came, one value for all of each component.
static void follow_crowd(struct model *m, uint32_t world, const struct archetype *archetype,
                         const cosm_rows *rows, const struct values *values) {
    uint64_t set = archetype->set;
    struct bag *bag = archetype->temporary ? bag_of(&m->o, world, archetype) : NULL;
    for (uint32_t i = 0; i < rows->count; i++) {
        uint32_t *to;
        if (bag) {
            to = bag_append(&m->o, bag)->value;
        } else {
            take_handle(m, world, rows->entities[i]);
            to = being_spawn(&m->o, world, rows->entities[i], set)->value;
        }
        for (uint32_t k = 0; k < values->count; k++) {
            to[values->bits[k]] = values->numbers[k];
        }
    }
}

void op_spawn_many_with(struct model *m) {
    struct place place = pick_place(m);
    struct choice choice = pick_archetype(m);
    const struct archetype *archetype = choice_archetype(m, choice);
    uint32_t count = 1 + pick(m, 24);
    struct values values;
    pick_values(m, archetype, &values);
    bool good = place_is_good(place) && archetype;
    if (good) {
        count = room_for(m, place.index, set_size(&m->o, archetype->set) + 1, count);
    }
    if (count == 0) {
        return;
    }
    take_row_values(m, place, &values);
    say(m, "cosm_entity_spawn_many_with(world %u, archetype %u, %u, %u values)", place.index,
        choice.id.id, count, values.count);
    uint32_t must = walked_bit(m, place);
    must |= good && !values.strange && values.beside == 0 ? 0 : RESULT_BIT(COSM_ERROR_ARGUMENT);
    if (good && is_full(m, place.index, archetype->set, archetype->temporary, count)) {
        must |= RESULT_BIT(COSM_ERROR_FULL);
    }
    cosm_rows rows;
    memset(&rows, 0xEE, sizeof(rows));
    cosm_result got = cosm_entity_spawn_many_with(place.world, choice.id, count, values.list,
                                                  values.count, &rows);
    if (settle(m, got, must, 0, 1u << place.index) != COSM_OK) {
        return;
    }
    if (rows.count != count) {
        fail(m, "%u rows were asked for, and %u shown", count, rows.count);
    }
    follow_crowd(m, place.index, choice_archetype(m, choice), &rows, &values);
    m->compare = true;
}

void op_sector_maintain(struct model *m) {
    struct place place = pick_place(m);
    cosm_container_budget budget = {.move_max = pick(m, 4)};
    cosm_container_report report;
    say(m, "cosm_sector_maintain(world %u, at most %u moves)", place.index, budget.move_max);
    uint32_t must = place_is_good(place) ? 0 : RESULT_BIT(COSM_ERROR_ARGUMENT);
    must |= walked_bit(m, place);
    cosm_result got = cosm_sector_maintain(place.world, &budget, &report);
    if (settle(m, got, must, 0, 0) != COSM_OK) {
        return;
    }
    if (budget.move_max != 0 && report.moved > budget.move_max) {
        fail(m, "%u records were moved, and at most %u were to be", report.moved, budget.move_max);
    }
    m->renumbered = true;
    m->compare = true;
}

// A container that a world keeps is looked at, and not changed.
static void ask_container(struct model *m, struct place place, const struct kind *kind) {
    uint32_t member = 0;
    cosm_container *sectors = cosm_sector_container(place.world, kind->id, &member);
    const struct world *w = &m->o.worlds[place.index];
    for (uint32_t i = 0; sectors && i < w->being_capacity; i++) {
        const struct being *being = &w->beings[i];
        bool has = being->alive && (being->set & kind->set) != 0;
        if (cosm_container_has(sectors, being->handle, member) != has) {
            fail(m, "the container of %s %s id %u", kind->name, has ? "lacks" : "has", i);
        }
        const void *bytes = cosm_container_read(sectors, being->handle, member);
        if (has && kind->size > 0 && !bytes_are(kind, being->value[kind->bit], bytes)) {
            fail(m, "the container of %s has a wrong value for id %u", kind->name, i);
        }
    }
    cosm_error_clear();
    if (sectors && (cosm_container_clear(sectors) != COSM_ERROR_ARGUMENT ||
                    cosm_container_validate(sectors) != COSM_OK)) {
        fail(m, "the container of %s can be changed, or is not valid", kind->name);
    }
}

// One value of a shared component: how many have it.
static void ask_value(struct model *m, struct place place, const struct kind *kind) {
    const struct world *w = &m->o.worlds[place.index];
    uint32_t value = 1 + draw(m, 4);
    uint32_t expected = 0;
    for (uint32_t i = 0; i < w->being_capacity; i++) {
        const struct being *being = &w->beings[i];
        bool has = being->alive && (being->set & kind->set) != 0;
        expected += has && being->value[kind->bit] == value ? 1u : 0u;
    }
    uint32_t count = cosm_shared_entity_count(place.world, kind->id, bytes_of(m, kind, value));
    if (count != expected) {
        fail(m, "%u entities have value %u of %s instead of %u", count, value, kind->name,
             expected);
    }
}

void op_ask_apart(struct model *m) {
    struct place place = pick_place(m);
    cosm_storage storage = (cosm_storage)(1 + pick(m, 3));
    struct part part = pick_stored(m, storage);
    say(m, "ask world %u what it has beside its tables of %s", place.index,
        part.kind ? part.kind->name : "an unknown component");
    cosm_storage known = part.kind ? part.kind->storage : COSM_STORAGE_COLUMN;
    if (cosm_component_describe(m->engine, part.id).storage != known) {
        fail(m, "component %u has another storage", part.id.id);
    }
    bool good = place_is_good(place) && part.kind && !part.kind->bundle;
    if (!good || known != COSM_STORAGE_SECTOR) {
        uint32_t member;
        if (cosm_sector_container(place.world, part.id, &member)) {
            fail(m, "there is a container where there should be none");
        }
    }
    if ((!good || known != COSM_STORAGE_MANAGED) && cosm_managed_count(place.world, part.id) != 0) {
        fail(m, "there are objects where there should be none");
    }
    if ((!good || known != COSM_STORAGE_SHARED) &&
        cosm_shared_value_count(place.world, part.id) != 0) {
        fail(m, "there are shared values where there should be none");
    }
    if (good && known == COSM_STORAGE_SECTOR) {
        ask_container(m, place, part.kind);
    } else if (good && known == COSM_STORAGE_SHARED) {
        ask_value(m, place, part.kind);
    }
}
