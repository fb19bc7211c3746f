// Operations on trees, directly and by command, and on templates; and the comparison of trees.
#include "state.h"

#include <string.h>

static void link_one(struct model *m, struct place place, cosm_entity entity, cosm_entity parent) {
    bool is_root = cosm_entity_is_none(parent);
    say(m, "cosm_tree_set_parent(world %u, {gen %u, id %u}, {gen %u, id %u})", place.index,
        entity.gen, entity.id, parent.gen, parent.id);
    bool good = place_is_good(place);
    struct being *being = good ? being_find(&m->o, place.index, entity) : NULL;
    struct being *above = good && !is_root ? being_find(&m->o, place.index, parent) : NULL;
    uint32_t must = walked_bit(m, place);
    if (!good) {
        must |= RESULT_BIT(COSM_ERROR_ARGUMENT);
    } else if (!being || (!is_root && !above)) {
        must |= RESULT_BIT(COSM_STALE);
    } else if (above && being->parent != parent.id + 1 &&
               being_is_below(&m->o, place.index, above, being)) {
        must |= RESULT_BIT(COSM_ERROR_ARGUMENT);
    }
    cosm_result got = cosm_tree_set_parent(place.world, entity, parent);
    if (settle(m, got, must, 0, 1u << place.index) == COSM_OK) {
        being_link(&m->o, place.index, being, above);
        compare_tree(m, place.index);
    }
}

// Links an entity, and now and then further ones, to the same parent or to others.
void op_tree_link(struct model *m) {
    struct place place = pick_place(m);
    cosm_entity entity = pick_entity(m, place.index);
    cosm_entity parent = pick(m, 4) == 1 ? COSM_ENTITY_NONE : pick_entity(m, place.index);
    bool same = pick(m, 2) == 1;
    bool alone = !place_is_good(place) || m->o.worlds[place.index].alive_count < 2;
    if (!alone && cosm_entity_equals(entity, parent) && !rarely(m, 4)) {
        const struct being *first = being_nth(&m->o, place.index, 0);
        bool taken = cosm_entity_equals(first->handle, entity);
        parent = taken ? being_nth(&m->o, place.index, 1)->handle : first->handle;
    }
    link_one(m, place, entity, parent);
    for (uint32_t more = rarely(m, 4) ? 3 : 0; more > 0; more--) {
        cosm_error_clear();
        entity = draw_entity(m, place.index);
        parent = same ? parent : draw_entity(m, place.index);
        link_one(m, place, entity, parent);
    }
}

// The parent of an entity, where it has one: a tree of one is no news.
static cosm_entity pick_above(struct model *m, uint32_t world, cosm_entity entity) {
    bool up = pick(m, 4) != 1;
    const struct being *being = world < m->o.world_count ? being_find(&m->o, world, entity) : NULL;
    return up && being && being->parent != 0 ? m->o.worlds[world].beings[being->parent - 1].handle
                                             : entity;
}

void op_tree_despawn(struct model *m) {
    struct place place = pick_place(m);
    cosm_entity entity = pick_above(m, place.index, pick_entity(m, place.index));
    say(m, "cosm_tree_despawn(world %u, {gen %u, id %u})", place.index, entity.gen, entity.id);
    bool good = place_is_good(place);
    struct being *being = good ? being_find(&m->o, place.index, entity) : NULL;
    uint32_t must = walked_bit(m, place);
    must |= !good ? RESULT_BIT(COSM_ERROR_ARGUMENT) : !being ? RESULT_BIT(COSM_STALE) : 0;
    cosm_result got = cosm_tree_despawn(place.world, entity);
    if (settle(m, got, must, 0, 1u << place.index) == COSM_OK) {
        (void)being_despawn_tree(&m->o, place.index, being, NULL, NULL);
        m->compare = true;
    }
}

void op_commands_parent(struct model *m) {
    struct commands *commands = pick_commands(m);
    struct place place = pick_place(m);
    if (!commands) {
        return;
    }
    cosm_entity entity = pick_target(m, commands, place.index);
    cosm_entity parent = pick(m, 8) == 1 ? COSM_ENTITY_NONE : pick_target(m, commands, place.index);
    say(m, "cosm_commands_set_parent(object %u, world %u, {gen %u, id %u}, {gen %u, id %u})",
        (unsigned)(commands - m->commands), place.index, entity.gen, entity.id, parent.gen,
        parent.id);
    uint32_t must = place_is_good(place) ? 0 : RESULT_BIT(COSM_ERROR_ARGUMENT);
    cosm_result got = cosm_commands_set_parent(commands->library, place.world, entity, parent);
    if (settle_record(m, commands, got, must, 0) == COSM_OK) {
        record(
            m, commands,
            &(struct command){
                .kind = COMMAND_PARENT, .world = place.index, .entity = entity, .parent = parent});
    }
}

void op_commands_despawn_tree(struct model *m) {
    struct commands *commands = pick_commands(m);
    struct place place = pick_place(m);
    if (!commands) {
        return;
    }
    cosm_entity entity = pick_above(m, place.index, pick_target(m, commands, place.index));
    say(m, "cosm_commands_despawn_tree(object %u, world %u, {gen %u, id %u})",
        (unsigned)(commands - m->commands), place.index, entity.gen, entity.id);
    uint32_t must = place_is_good(place) ? 0 : RESULT_BIT(COSM_ERROR_ARGUMENT);
    cosm_result got = cosm_commands_despawn_tree(commands->library, place.world, entity);
    if (settle_record(m, commands, got, must, 0) == COSM_OK) {
        record(m, commands,
               &(struct command){
                   .kind = COMMAND_DESPAWN_TREE, .world = place.index, .entity = entity});
    }
}

// False: the command is skipped.
bool run_parent(struct model *m, const struct command *c, struct being *being) {
    bool is_root = cosm_entity_is_none(c->parent);
    struct being *above = is_root ? NULL : being_find(&m->o, c->world, c->parent);
    if (!is_root && (!above || (being->parent != c->parent.id + 1 &&
                                being_is_below(&m->o, c->world, above, being)))) {
        return false;
    }
    being_link(&m->o, c->world, being, above);
    return true;
}

// Objects that a template of an entity holds.
static uint32_t captured_objects(const struct model *m, const struct being *being) {
    uint32_t count = 0;
    for (uint32_t bit = 0; bit < m->o.plain_count; bit++) {
        const struct kind *kind = &m->o.kinds[m->o.plain[bit]];
        bool has_none = kind->storage == COSM_STORAGE_MANAGED && being->value[bit] == 0;
        count += (being->set & kind->set) != 0 && kind->hooks != 0 && !has_none ? 1u : 0u;
    }
    return count;
}

// Captures an entity and spawns one like it.
void op_template(struct model *m) {
    struct place place = pick_place(m);
    cosm_entity entity = pick_entity(m, place.index);
    const struct being *being =
        place_is_good(place) ? being_find(&m->o, place.index, entity) : NULL;
    if (!being || room_for(m, place.index, set_size(&m->o, being->set), 1) == 0) {
        return;
    }
    struct being like = *being;
    char name[32];
    snprintf(name, sizeof(name), "template %u", m->name_next++);
    say(m, "cosm_template_capture(world %u, {gen %u, id %u}, \"%s\"), and a spawn", place.index,
        entity.gen, entity.id, name);
    cosm_template from = cosm_template_capture(place.world, entity, name, false);
    if (settle(m, defined(m, from.id != 0), 0, 0, 0) != COSM_OK) {
        return;
    }
    m->held_by_templates += captured_objects(m, &like);
    uint32_t must = walked_bit(m, place);
    if (must == 0 && is_full(m, place.index, like.set, false, 1)) {
        must |= RESULT_BIT(COSM_ERROR_FULL);
    }
    cosm_error_clear();
    cosm_entity spawned = cosm_template_spawn(place.world, from, NULL, 0);
    cosm_result got = made(m, !cosm_entity_is_none(spawned));
    if (settle(m, got, must, 0, 1u << place.index) == COSM_OK) {
        take_handle(m, place.index, spawned);
        struct being *twin = being_spawn(&m->o, place.index, spawned, like.set);
        if (m->o.fault != MODEL_FAULT_TEMPLATE_ZEROED) {
            memcpy(twin->value, like.value, sizeof(twin->value));
        } else {
            memset(twin->value, 0, sizeof(twin->value));
        }
        compare_being(m, place.index, twin);
    }
}

// One being's place: its parent, and the sibling behind it.
static void compare_links(struct model *m, uint32_t index, const struct being *being) {
    cosm_world world = cosm_batch_world(m->batch, index);
    const struct being *beings = m->o.worlds[index].beings;
    cosm_entity expected = being->parent == 0 ? COSM_ENTITY_NONE : beings[being->parent - 1].handle;
    cosm_entity parent = cosm_tree_parent(world, being->handle);
    if (!cosm_entity_equals(parent, expected)) {
        fail(m, "{gen %u, id %u} in world %u has {gen %u, id %u} as its parent, not id %u",
             being->handle.gen, being->handle.id, index, parent.gen, parent.id, expected.id);
    }
    cosm_entity next = cosm_tree_next_sibling(world, being->handle);
    const struct being *behind = cosm_entity_is_none(next) ? NULL : being_find(&m->o, index, next);
    if (!cosm_entity_is_none(next) &&
        (!behind || behind->parent != being->parent || behind->since <= being->since)) {
        fail(m,
             "{gen %u, id %u} in world %u is followed by {gen %u, id %u}, which is no sibling "
             "that came later",
             being->handle.gen, being->handle.id, index, next.gen, next.id);
    }
}

static uint32_t depth_of(const struct world *w, const struct being *being) {
    uint32_t depth = 0;
    for (uint32_t up = being->parent; up != 0; up = w->beings[up - 1].parent) {
        depth++;
    }
    return depth;
}

// A being's children in their order, by list and by both ends, and how deep it stands.
static void compare_below(struct model *m, uint32_t index, const struct being *being) {
    cosm_world world = cosm_batch_world(m->batch, index);
    cosm_entity children[MODEL_LIST_MAX];
    uint32_t count = cosm_tree_children(world, being->handle, MODEL_LIST_MAX, children);
    uint32_t shown = count < MODEL_LIST_MAX ? count : MODEL_LIST_MAX;
    cosm_entity next = cosm_tree_first_child(world, being->handle);
    cosm_entity before = COSM_ENTITY_NONE;
    for (uint32_t i = 0; i < shown; i++) {
        if (!cosm_entity_equals(children[i], next) ||
            !cosm_entity_equals(cosm_tree_previous_sibling(world, next), before)) {
            fail(m, "child %u of id %u in world %u is not the one in its place", i,
                 being->handle.id, index);
        }
        before = next;
        next = cosm_tree_next_sibling(world, next);
    }
    bool ends = count > shown || cosm_entity_is_none(next);
    bool is_last =
        count > shown || cosm_entity_equals(cosm_tree_last_child(world, being->handle), before);
    if (!ends || !is_last || count != cosm_tree_child_count(world, being->handle)) {
        fail(m, "id %u in world %u lists %u children, and not all", being->handle.id, index, count);
    }
    uint32_t depth = depth_of(&m->o.worlds[index], being);
    if (cosm_tree_depth(world, being->handle) != depth) {
        fail(m, "id %u in world %u is %u deep instead of %u", being->handle.id, index,
             cosm_tree_depth(world, being->handle), depth);
    }
}

// Rows that are shown by depth.
struct depth_look {
    struct model *m;
    uint32_t world;
    uint32_t depth;
    uint32_t rows;
    bool falls;
};

static void look_at_depth(struct depth_look *look, cosm_entity entity) {
    struct world *w = &look->m->o.worlds[look->world];
    const struct being *being = being_find(&look->m->o, look->world, entity);
    uint32_t depth = being ? depth_of(w, being) : 0;
    look->falls = look->falls || !being || depth < look->depth;
    look->depth = depth;
    look->rows++;
}

static void look_at_rows(cosm_rows *rows) {
    for (uint32_t i = 0; rows->entities && i < rows->count; i++) {
        look_at_depth(rows->context, rows->entities[i]);
    }
}

// Everything by depth, parents first: the list, and the rows of a query that asks for nothing.
static void compare_order(struct model *m, uint32_t index) {
    cosm_world world = cosm_batch_world(m->batch, index);
    uint32_t alive = m->o.worlds[index].alive_count;
    cosm_entity *list =
        (cosm_entity *)(void *)scratch(m, ((size_t)alive + 1) * sizeof(cosm_entity));
    struct depth_look listed = {.m = m, .world = index};
    uint32_t count = cosm_tree_list(world, COSM_ENTITY_NONE, alive, list);
    for (uint32_t i = 0; i < count && i < alive; i++) {
        look_at_depth(&listed, list[i]);
    }
    if (count != alive || listed.falls) {
        fail(m, "the tree of world %u lists %u entities of %u, or not by depth", index, count,
             alive);
    }
    const struct query *all = &m->o.queries[0];
    if (!all->library || all->term_count > 0) {
        return;
    }
    struct depth_look shown = {.m = m, .world = index};
    cosm_result got = cosm_tree_each(all->library, cosm_worlds_one(world), look_at_rows, &shown);
    if (got == COSM_ERROR_MEMORY && m->memory_limit > 0) {
        cosm_error_clear();
    } else if (got != COSM_OK || shown.rows != alive || shown.falls) {
        fail(m, "the tree of world %u shows %u rows of %u, or not by depth", index, shown.rows,
             alive);
    }
}

void compare_tree(struct model *m, uint32_t index) {
    cosm_world world = cosm_batch_world(m->batch, index);
    const struct world *w = &m->o.worlds[index];
    size_t size = (w->being_capacity + 1) * sizeof(uint32_t);
    uint32_t *counts = (uint32_t *)(void *)scratch(m, size);
    memset(counts, 0, size);
    for (uint32_t i = 0; i < w->being_capacity; i++) {
        if (w->beings[i].alive) {
            compare_links(m, index, &w->beings[i]);
            compare_below(m, index, &w->beings[i]);
            counts[w->beings[i].parent]++;
        }
    }
    for (uint32_t i = 0; i < w->being_capacity; i++) {
        uint32_t count = cosm_tree_child_count(world, w->beings[i].handle);
        if (w->beings[i].alive && count != counts[i + 1]) {
            fail(m, "id %u in world %u has %u children instead of %u", i, index, count,
                 counts[i + 1]);
        }
    }
    compare_order(m, index);
}
