// Operations on one entity: spawn, despawn, add, remove, set and write; and spawning many.
#include "state.h"

#include <string.h>

// Why a spawn of `count` rows must fail.
static uint32_t spawn_reasons(struct model *m, struct place place, struct choice choice,
                              uint32_t count) {
    const struct archetype *archetype = choice_archetype(m, choice);
    uint32_t must = 0;
    if (!place_is_good(place) || !archetype) {
        must |= RESULT_BIT(COSM_ERROR_ARGUMENT);
    }
    must |= walked_bit(m, place);
    if (must == 0 && is_full(m, place.index, archetype->set, archetype->temporary, count)) {
        must |= RESULT_BIT(COSM_ERROR_FULL);
    }
    return must;
}

// Lets the oracle follow a spawn. With a fault, the next world gets one too.
static struct being *follow_spawn(struct model *m, uint32_t world, cosm_entity entity,
                                  uint64_t set) {
    take_handle(m, world, entity);
    if (m->o.fault == MODEL_FAULT_WORLD_LEAK && m->o.world_count > 1) {
        being_spawn(&m->o, (world + 1) % m->o.world_count, entity, set);
    }
    return being_spawn(&m->o, world, entity, set);
}

void op_spawn(struct model *m) {
    struct place place = pick_place(m);
    struct choice choice = pick_archetype(m);
    if (!spawn_fits(m, place, choice)) {
        return;
    }
    say(m, "cosm_entity_spawn(world %u, archetype %u)", place.index, choice.id.id);
    uint32_t must = spawn_reasons(m, place, choice, 1);
    const struct archetype *archetype = choice_archetype(m, choice);
    if (archetype && archetype->temporary) {
        must |= RESULT_BIT(COSM_ERROR_ARGUMENT);
    }
    cosm_entity entity = cosm_entity_spawn(place.world, choice.id);
    cosm_result got = made(m, !cosm_entity_is_none(entity));
    if (settle(m, got, must, 0, 1u << place.index) == COSM_OK) {
        struct being *being = follow_spawn(m, place.index, entity, archetype->set);
        compare_being(m, place.index, being);
    }
}

void op_spawn_with(struct model *m) {
    struct place place = pick_place(m);
    struct choice choice = pick_archetype(m);
    const struct archetype *archetype = choice_archetype(m, choice);
    struct values values;
    pick_values(m, archetype, &values);
    if (!spawn_fits(m, place, choice)) {
        return;
    }
    take_row_values(m, place, &values);
    say(m, "cosm_entity_spawn_with(world %u, archetype %u, %u values)", place.index, choice.id.id,
        values.count);
    uint32_t must = spawn_reasons(m, place, choice, 1);
    if (values.strange || (archetype && archetype->temporary)) {
        must |= RESULT_BIT(COSM_ERROR_ARGUMENT);
    }
    cosm_entity entity = cosm_entity_spawn_with(place.world, choice.id, values.list, values.count);
    cosm_result got = made(m, !cosm_entity_is_none(entity));
    if (settle(m, got, must, 0, 1u << place.index) == COSM_OK) {
        struct being *being = follow_spawn(m, place.index, entity, archetype->set | values.beside);
        for (uint32_t i = 0; i < values.count && m->o.fault != MODEL_FAULT_SPAWN_VALUE_LOST; i++) {
            being->value[values.bits[i]] = values.numbers[i];
        }
        compare_being(m, place.index, being);
    }
}

// Fills the columns of new rows, some of them or all, and lets the oracle follow.
static void fill_rows(struct model *m, uint32_t world, const struct archetype *archetype,
                      const cosm_rows *rows, struct bag *bag, bool all) {
    for (uint32_t bit = 0; bit < m->o.plain_count; bit++) {
        const struct kind *kind = &m->o.kinds[m->o.plain[bit]];
        uint8_t *column = cosm_rows_column(rows, kind->id);
        bool present = (archetype->set >> bit & 1) && kind->size > 0 && rows->count > 0;
        bool split = present && (archetype->split >> bit & 1);
        bool whole = present && !split && kind->storage == COSM_STORAGE_COLUMN;
        if ((column != NULL) != whole) {
            fail(m, "the new rows %s a column for %s", column ? "have" : "lack", kind->name);
        }
        if (present && !whole) {
            expect_refusal(m, kind, "cosm_rows_column");
        }
        if (!present || (!all && draw(m, 2) == 0)) {
            continue;
        }
        uint32_t how = draw(m, whole ? 3 : 2);
        for (uint32_t i = 0; i < rows->count; i++) {
            uint32_t value = draw_value(m);
            if (how == 2) {
                bytes_to(kind, value, column + i * kind->size);
            } else if (!write_row(m, rows, i, kind, value, how == 1)) {
                continue;
            }
            if (bag) {
                bag->rows[bag->count - rows->count + i].value[bit] = value;
            } else {
                being_find(&m->o, world, rows->entities[i])->value[bit] = value;
            }
        }
    }
}

static void follow_spawn_many(struct model *m, uint32_t world, struct choice choice,
                              const cosm_rows *rows, bool unset) {
    struct archetype archetype = *choice_archetype(m, choice);
    struct bag *bag = NULL;
    if (archetype.temporary) {
        bag = bag_of(&m->o, world, choice_archetype(m, choice));
        if (rows->entities != NULL) {
            fail(m, "new temporary rows have handles");
        }
        if (rows->count > 0 && rows->row != bag->count) {
            fail(m, "new temporary rows begin at row %u instead of %u", rows->row, bag->count);
        }
    }
    if (rows->count > 0 &&
        (rows->world != world || rows->world_count != 1 || rows->archetype.id != archetype.id.id)) {
        fail(m, "the new rows do not tell the right world and archetype");
    }
    for (uint32_t i = 0; i < rows->count; i++) {
        if (bag) {
            bag_append(&m->o, bag);
        } else {
            follow_spawn(m, world, rows->entities[i], archetype.set);
        }
    }
    fill_rows(m, world, &archetype, rows, bag, unset);
}

void op_spawn_many(struct model *m) {
    struct place place = pick_place(m);
    struct choice choice = pick_archetype(m);
    bool unset = pick(m, 3) == 2;
    uint32_t wanted = 1 + pick(m, 256) % 24;
    if (rarely(m, 8)) {
        wanted = draw(m, m->alive_max);
    }
    const struct archetype *archetype = choice_archetype(m, choice);
    uint32_t count = wanted;
    if (archetype && place_is_good(place)) {
        count = room_for(m, place.index, set_size(&m->o, archetype->set) + 1, wanted);
    }
    say(m, "cosm_entity_spawn_many%s(world %u, archetype %u, %u)", unset ? "_unset" : "",
        place.index, choice.id.id, count);
    uint32_t must = spawn_reasons(m, place, choice, count);
    uint32_t may = 0;
    if (count == 0 && must == RESULT_BIT(COSM_ERROR_WALKED)) {
        may = must;
        must = 0;
    }
    cosm_rows rows;
    memset(&rows, 0xEE, sizeof(rows));
    cosm_result got = unset ? cosm_entity_spawn_many_unset(place.world, choice.id, count, &rows)
                            : cosm_entity_spawn_many(place.world, choice.id, count, &rows);
    if (settle(m, got, must, may, 1u << place.index) != COSM_OK) {
        return;
    }
    if (rows.count != count) {
        fail(m, "%u rows were asked for, and %u shown", count, rows.count);
    }
    follow_spawn_many(m, place.index, choice, &rows, unset);
    m->compare = true;
}

// Fills a fixed table in several worlds, so that walks find rows that run across them.
void op_fill_fixed(struct model *m) {
    struct choice choice = pick_archetype(m);
    uint32_t first = pick(m, m->o.world_count);
    uint32_t last = pick(m, m->o.world_count);
    if (choice.index == 0xFFFFFFFFu) {
        return;
    }
    struct archetype archetype = m->o.archetypes[choice.index];
    for (uint32_t i = first; i <= last && archetype.max > 0; i++) {
        uint32_t rows = row_count(&m->o, i, choice_archetype(m, choice));
        uint32_t count = archetype.max - rows;
        if (world_is_walked(&m->o, i) ||
            room_for(m, i, set_size(&m->o, archetype.set) + 1, count) < count) {
            continue;
        }
        struct place place = {cosm_batch_world(m->batch, i), i};
        cosm_rows rows_made;
        say(m, "cosm_entity_spawn_many(world %u, archetype %u, %u)", i, choice.id.id, count);
        cosm_result got = cosm_entity_spawn_many(place.world, choice.id, count, &rows_made);
        if (settle(m, got, 0, 0, 1u << i) != COSM_OK) {
            return;
        }
        follow_spawn_many(m, i, choice, &rows_made, false);
    }
    m->compare = true;
}

// Reasons that do not depend on what is asked for; `out_being` is NULL where there is one.
static uint32_t target_reasons(struct model *m, struct place place, cosm_entity entity,
                               struct being **out_being) {
    *out_being = NULL;
    if (!place_is_good(place)) {
        return RESULT_BIT(COSM_ERROR_ARGUMENT);
    }
    *out_being = being_find(&m->o, place.index, entity);
    return *out_being ? 0 : RESULT_BIT(COSM_STALE);
}

void op_despawn(struct model *m) {
    struct place place = pick_place(m);
    cosm_entity entity = pick_entity(m, place.index);
    struct being *being;
    say(m, "cosm_entity_despawn(world %u, {gen %u, id %u})", place.index, entity.gen, entity.id);
    uint32_t must = target_reasons(m, place, entity, &being);
    must |= walked_bit(m, place);
    cosm_result got = cosm_entity_despawn(place.world, entity);
    if (settle(m, got, must, 0, 1u << place.index) == COSM_OK) {
        being_despawn(&m->o, place.index, being);
        m->o.worlds[place.index].freed = entity.id + 1;
        if (cosm_entity_is_alive(place.world, entity) != being->alive) {
            fail(m, "a despawned entity is still alive");
        }
    }
}

// Why a living entity may not get another set; a change to the same set is no change.
static void change_reasons(struct model *m, uint32_t world, const struct being *being, uint64_t set,
                           uint32_t *must, uint32_t *may) {
    uint32_t walked = 0;
    if (world_is_walked(&m->o, world)) {
        walked = RESULT_BIT(COSM_ERROR_WALKED);
    }
    if (being->set == set) {
        *may |= walked;
        return;
    }
    *must |= walked;
    if (table_set(&m->o, being->set) != table_set(&m->o, set) ||
        m->o.fault == MODEL_FAULT_SECTOR_MOVES) {
        *must |= is_sealed(m, being->set) ? RESULT_BIT(COSM_ERROR_SEALED) : 0;
        *must |= is_full(m, world, set, false, 1) ? RESULT_BIT(COSM_ERROR_FULL) : 0;
    }
}

// What add, remove and set have in common. The part is NULL or a bundle where that is allowed.
struct change {
    struct place place;
    cosm_entity entity;
    struct part part;
    struct being *being;
    uint32_t must;
    uint32_t may;
    uint64_t set;
    bool skip;
};

// Instead of the part that was picked now and then one that the entity has and that is not in a
// column: changing these is what nothing else does.
static void prefer_apart(struct model *m, struct change *c) {
    uint32_t start = draw(m, m->o.plain_count);
    uint64_t set = c->being ? c->being->set & (m->o.shared | m->o.managed | m->o.sectors) : 0;
    set = set != 0 && draw(m, 2) == 0 ? set : 0;
    for (uint32_t i = 0; set != 0 && i < m->o.plain_count; i++) {
        const struct kind *kind = &m->o.kinds[m->o.plain[(start + i) % m->o.plain_count]];
        if ((set & kind->set) != 0) {
            c->part = (struct part){kind->id, kind};
            return;
        }
    }
}

// For what is removed: now and then an entity that has several members of a group.
static void prefer_mates(struct model *m, struct change *c) {
    bool wants = draw(m, 3) == 2 && place_is_good(c->place);
    const struct world *w = wants ? &m->o.worlds[c->place.index] : NULL;
    for (uint32_t i = 0; wants && i < w->being_capacity; i++) {
        for (uint32_t g = 0; w->beings[i].alive && g < m->o.group_count; g++) {
            uint64_t members = w->beings[i].set & m->o.groups[g].set;
            if ((members & (members - 1)) != 0) {
                c->entity = w->beings[i].handle;
                return;
            }
        }
    }
}

static struct change pick_change(struct model *m, const char *call, bool adds, bool plain) {
    struct change c = {.place = pick_place(m)};
    c.entity = pick_entity(m, c.place.index);
    c.part = pick_part(m);
    if (!adds) {
        prefer_mates(m, &c);
    }
    c.must = target_reasons(m, c.place, c.entity, &c.being);
    if (!adds || plain) {
        prefer_apart(m, &c);
    }
    if (!c.part.kind || (plain && c.part.kind->bundle)) {
        c.must |= RESULT_BIT(COSM_ERROR_ARGUMENT);
    } else if (c.being) {
        c.set = adds ? c.being->set | c.part.kind->set : c.being->set & ~c.part.kind->set;
        c.skip = adds && !room_for_bytes(m, set_size(&m->o, c.part.kind->set));
        change_reasons(m, c.place.index, c.being, c.set, &c.must, &c.may);
    }
    // The headers leave open which of several failures is told.
    c.must |= c.must != 0 ? walked_bit(m, c.place) : 0;
    if (!c.skip) {
        say(m, "%s(world %u, {gen %u, id %u}, %s)", call, c.place.index, c.entity.gen, c.entity.id,
            c.part.kind ? c.part.kind->name : "an unknown component");
    }
    return c;
}

void op_add(struct model *m) {
    struct change c = pick_change(m, "cosm_entity_add", true, false);
    if (c.skip) {
        return;
    }
    cosm_result got = cosm_entity_add(c.place.world, c.entity, c.part.id);
    if (settle(m, got, c.must, c.may, 1u << c.place.index) == COSM_OK) {
        if (m->o.fault == MODEL_FAULT_ADD_OVERWRITES && !c.part.kind->bundle) {
            c.being->value[c.part.kind->bit] = c.part.kind->initial;
        }
        being_change(&m->o, c.being, c.set);
        compare_being(m, c.place.index, c.being);
    }
}

void op_remove(struct model *m) {
    struct change c = pick_change(m, "cosm_entity_remove", false, false);
    cosm_result got = cosm_entity_remove(c.place.world, c.entity, c.part.id);
    if (settle(m, got, c.must, c.may, 1u << c.place.index) == COSM_OK) {
        being_change(&m->o, c.being, c.set);
        compare_being(m, c.place.index, c.being);
    }
}

// With a fault: a value is written where all find it who have it.
static void set_together(struct model *m, const struct change *c, uint32_t value) {
    struct world *w = &m->o.worlds[c->place.index];
    uint32_t bit = c->part.kind->bit;
    uint32_t old = c->being->value[bit];
    for (uint32_t i = 0; i < w->being_capacity; i++) {
        w->beings[i].value[bit] = w->beings[i].value[bit] == old ? value : w->beings[i].value[bit];
    }
    m->compare = true;
}

void op_set(struct model *m) {
    struct change c = pick_change(m, "cosm_entity_set", true, true);
    bool null = rarely(m, 16);
    bool from_row = pick(m, 4) == 3;
    uint32_t value = draw_value(m);
    if (c.skip) {
        return;
    }
    const void *bytes = NULL;
    if (c.part.kind && !null) {
        bytes = from_row ? row_value(m, c.place, c.part.kind, &value) : NULL;
        say(m, "       value %u%s", value, bytes ? ", which lies in a row" : "");
        bytes = bytes ? bytes : bytes_of(m, c.part.kind, value);
    } else if (c.part.kind && c.part.kind->size > 0) {
        c.must |= RESULT_BIT(COSM_ERROR_ARGUMENT);
    }
    if (c.being && c.part.kind && !c.part.kind->bundle && setting_moves(c.part.kind, c.being)) {
        c.must |= walked_bit(m, c.place);
    }
    cosm_result got = cosm_entity_set(c.place.world, c.entity, c.part.id, bytes);
    if (settle(m, got, c.must, c.may, 1u << c.place.index) == COSM_OK) {
        being_change(&m->o, c.being, c.set);
        if (m->o.fault == MODEL_FAULT_SHARED_TOGETHER && (m->o.shared & c.part.kind->set) != 0) {
            set_together(m, &c, value);
        }
        if (m->o.fault != MODEL_FAULT_SET_LOST) {
            c.being->value[c.part.kind->bit] = value;
        }
        compare_being(m, c.place.index, c.being);
    }
}

void op_write(struct model *m) {
    struct place place = pick_place(m);
    cosm_entity entity = pick_entity(m, place.index);
    struct part part = pick_part(m);
    bool by_loc = pick(m, 2) == 1;
    uint32_t value = draw_value(m);
    say(m, "cosm_%s_write(world %u, {gen %u, id %u}, %s)", by_loc ? "loc" : "entity", place.index,
        entity.gen, entity.id, part.kind ? part.kind->name : "an unknown component");
    struct being *being = NULL;
    if (place_is_good(place)) {
        being = being_find(&m->o, place.index, entity);
    }
    bool present = being && part.kind && !part.kind->bundle && part.kind->size > 0 &&
                   (being->set & part.kind->set) != 0;
    bool refused = present && (is_split(m, being->set, false, part.kind) ||
                               part.kind->storage == COSM_STORAGE_SHARED);
    present = present && (refused || shows_bytes(m, being->set, false, part.kind, being->value));
    cosm_loc loc = cosm_entity_loc(place.world, entity);
    void *bytes = by_loc ? cosm_loc_write(place.world, loc, part.id)
                         : cosm_entity_write(place.world, entity, part.id);
    if ((bytes != NULL) != (present && !refused)) {
        fail(m, "there is %s to write to", bytes ? "something" : "nothing");
    }
    if (refused) {
        expect_refusal(m, part.kind, by_loc ? "cosm_loc_write" : "cosm_entity_write");
    } else if (present) {
        bytes_over(part.kind, value, bytes);
        being->value[part.kind->bit] = value;
        m->touched |= 1u << place.index;
        compare_being(m, place.index, being);
    }
}
