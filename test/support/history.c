// Random histories of shared values and trees: see history.h.
#include "support/history.h"

#include <string.h>

#include "harness.h"

static char label_texts[HISTORY_LABELS][8] = {"", "a", "e", "abcde", "efghi"};

static uint32_t roll(struct history *history, uint32_t sides) {
    return dice_roll(&history->mind.dice, sides);
}

static uint64_t fold(uint64_t trace, uint64_t value) {
    trace ^= value + 0x9E3779B97F4A7C15u + (trace << 6) + (trace >> 2);
    return trace * 0xD6E8FEB86659FD93u;
}

static cosm_world world_at(const struct history *history, uint32_t w) {
    return cosm_batch_world(history->box.batch, w);
}

static void open_queries(struct history *history) {
    struct fixture *box = &history->box;
    for (uint32_t i = 0; i < HISTORY_COLORS; i++) {
        history->colors[i] = query_of_value(box, box->team, &(Team){i, 0});
    }
    for (uint32_t i = 0; i < HISTORY_LEVELS; i++) {
        history->levels[i] = query_of_value(box, box->level, &(Level){i});
    }
    for (uint32_t i = 0; i < HISTORY_LABELS; i++) {
        history->labels[i] = query_of_value(box, box->label, &(Label){label_texts[i]});
    }
}

void history_open(struct history *history, uint64_t seed, const cosm_engine_desc *engine_desc) {
    memset(history, 0, sizeof(*history));
    fixture_open_with(&history->box, FIXTURE_SHARED, engine_desc,
                      &(cosm_batch_desc){.world_count = HISTORY_WORLDS});
    history->mind.dice = (struct dice){seed};
    for (uint32_t w = 0; w < HISTORY_WORLDS; w++) {
        for (uint32_t i = 0; i < HISTORY_MOST; i++) {
            history->mind.entities[w][i] = COSM_ENTITY_NONE;
        }
    }
    open_queries(history);
}

void history_close(struct history *history) {
    for (uint32_t i = 0; i < HISTORY_COLORS; i++) {
        cosm_query_destroy(history->colors[i]);
    }
    for (uint32_t i = 0; i < HISTORY_LEVELS; i++) {
        cosm_query_destroy(history->levels[i]);
    }
    for (uint32_t i = 0; i < HISTORY_LABELS; i++) {
        cosm_query_destroy(history->labels[i]);
    }
    fixture_close(&history->box);
}

void history_move(struct history *history, cosm_batch *batch) {
    history->box.batch = batch;
    history->box.world = cosm_batch_world(batch, 0);
    history->box.all = cosm_worlds_all(batch);
}

static uint64_t view_walk(uint64_t trace, const cosm_query *query, cosm_worlds worlds) {
    cosm_rows rows;
    cosm_query_walk(query, worlds, &rows);
    while (cosm_rows_next(&rows)) {
        for (uint32_t i = 0; i < rows.count; i++) {
            trace = fold(trace, (uint64_t)rows.entities[i].gen << 32 | rows.entities[i].id);
        }
        trace = fold(trace, rows.count);
    }
    return trace;
}

struct value_view {
    const struct fixture *box;
    cosm_component component;
    uint64_t trace;
};

static void view_value(void *context, const void *value, uint32_t count) {
    struct value_view *view = context;
    uint64_t trace = fold(view->trace, count);
    if (view->component.id == view->box->label.id) {
        for (const char *text = ((const Label *)value)->text; text != NULL && *text != 0; text++) {
            trace = fold(trace, (unsigned char)*text);
        }
    } else {
        trace = fold(trace, *(const uint32_t *)value);
    }
    view->trace = trace;
}

static uint64_t view_values(uint64_t trace, const struct fixture *box, cosm_world world) {
    const cosm_component components[] = {box->team, box->level, box->label};
    for (uint32_t i = 0; i < 3; i++) {
        struct value_view view = {box, components[i], trace};
        CHECK_DONE(cosm_shared_each(world, components[i], view_value, &view));
        trace = view.trace;
    }
    return trace;
}

static uint64_t view_entity(uint64_t trace, cosm_world world, cosm_entity entity) {
    cosm_loc loc = cosm_entity_loc(world, entity);
    trace = fold(trace, (uint64_t)loc.table << 32 | loc.row);
    trace = fold(trace, cosm_tree_parent(world, entity).id);
    trace = fold(trace, cosm_tree_next_sibling(world, entity).id);
    trace = fold(trace, cosm_tree_previous_sibling(world, entity).id);
    trace = fold(trace, cosm_tree_first_child(world, entity).id);
    trace = fold(trace, cosm_tree_last_child(world, entity).id);
    trace = fold(trace, cosm_tree_child_count(world, entity));
    return fold(trace, cosm_tree_depth(world, entity));
}

uint64_t history_view(const struct history *history) {
    const struct fixture *box = &history->box;
    uint64_t trace = cosm_hash_batch(box->batch, COSM_HASH_EXACT);
    for (uint32_t w = 0; w < HISTORY_WORLDS; w++) {
        cosm_world world = world_at(history, w);
        for (uint32_t i = 0; i < HISTORY_MOST; i++) {
            trace = view_entity(trace, world, history->mind.entities[w][i]);
        }
        trace = view_values(trace, box, world);
    }
    for (uint32_t i = 0; i < HISTORY_COLORS; i++) {
        trace = view_walk(trace, history->colors[i], box->all);
    }
    for (uint32_t i = 0; i < HISTORY_LEVELS; i++) {
        trace = view_walk(trace, history->levels[i], box->all);
    }
    for (uint32_t i = 0; i < HISTORY_LABELS; i++) {
        trace = view_walk(trace, history->labels[i], box->all);
    }
    return view_walk(trace, box->positions, box->all);
}

// A value of one of the components, made anew.
struct any_value {
    cosm_component component;
    union {
        Position position;
        Team team;
        Level level;
        Label label;
    } bytes;
};

static struct any_value any_value(struct history *history) {
    const struct fixture *box = &history->box;
    struct any_value value;
    memset(&value, 0, sizeof(value));
    switch (roll(history, 7)) {
    case 0:
        value.component = box->position;
        value.bytes.position.x = (float)roll(history, 1000);
        break;
    case 1:
    case 2:
    case 3:
        value.component = box->team;
        value.bytes.team.color = roll(history, HISTORY_COLORS);
        break;
    case 4:
        value.component = box->level;
        value.bytes.level.number = roll(history, HISTORY_LEVELS);
        break;
    default:
        value.component = box->label;
        value.bytes.label.text = label_texts[roll(history, HISTORY_LABELS)];
        break;
    }
    return value;
}

static cosm_component any_component(struct history *history) {
    const struct fixture *box = &history->box;
    const cosm_component components[] = {box->team, box->level, box->label, box->mark,
                                         box->position};
    return components[roll(history, 5)];
}

static const cosm_query *any_query(struct history *history) {
    switch (roll(history, 4)) {
    case 0:
        return history->colors[roll(history, HISTORY_COLORS)];
    case 1:
        return history->levels[roll(history, HISTORY_LEVELS)];
    case 2:
        return history->labels[roll(history, HISTORY_LABELS)];
    default:
        return history->box.positions;
    }
}

// Entities may be gone, links may close a circle.
static void may_be_refused(cosm_result result) {
    CHECK(result == COSM_OK || result == COSM_STALE || result == COSM_ERROR_ARGUMENT);
}

static void spawn_some(struct history *history, uint32_t w) {
    const struct fixture *box = &history->box;
    const cosm_archetype archetypes[] = {box->plain, box->player, box->hero, box->badge};
    uint32_t which = roll(history, 4);
    cosm_world world = world_at(history, w);
    cosm_entity *entities = history->mind.entities[w];
    Team team = {roll(history, HISTORY_COLORS), 0};
    cosm_value value = {box->team, &team};
    uint32_t count = which == 1 || which == 2 ? roll(history, 2) : 0;
    if (roll(history, 4) == 0) {
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many_with(world, archetypes[which], 1 + roll(history, 5),
                                               &value, count, &rows));
        for (uint32_t i = 0; i < rows.count; i++) {
            entities[roll(history, HISTORY_MOST)] = rows.entities[i];
        }
    } else {
        entities[roll(history, HISTORY_MOST)] =
            cosm_entity_spawn_with(world, archetypes[which], &value, count);
    }
}

static void change_one(struct history *history, uint32_t w) {
    cosm_world world = world_at(history, w);
    cosm_entity entity = history->mind.entities[w][roll(history, HISTORY_MOST)];
    struct any_value value;
    switch (roll(history, 6)) {
    case 0:
        may_be_refused(cosm_entity_despawn(world, entity));
        break;
    case 1:
        may_be_refused(cosm_entity_remove(world, entity, any_component(history)));
        break;
    case 2:
        may_be_refused(cosm_entity_add(world, entity, any_component(history)));
        break;
    default:
        value = any_value(history);
        may_be_refused(cosm_entity_set(world, entity, value.component, &value.bytes));
        break;
    }
}

static void change_links(struct history *history, uint32_t w) {
    cosm_world world = world_at(history, w);
    cosm_entity entity = history->mind.entities[w][roll(history, HISTORY_MOST)];
    cosm_entity parent = history->mind.entities[w][roll(history, HISTORY_MOST)];
    uint32_t what = roll(history, 12);
    if (what == 0) {
        may_be_refused(cosm_tree_despawn(world, entity));
    } else {
        parent = what < 3 ? COSM_ENTITY_NONE : parent;
        may_be_refused(cosm_tree_set_parent(world, entity, parent));
    }
}

static void change_query(struct history *history, uint32_t w) {
    const cosm_query *query = any_query(history);
    cosm_worlds worlds = cosm_worlds_one(world_at(history, w));
    struct any_value value;
    switch (roll(history, 8)) {
    case 0:
        CHECK_DONE(cosm_query_despawn(query, worlds));
        break;
    case 1:
        CHECK_DONE(cosm_query_remove(query, worlds, any_component(history)));
        break;
    case 2:
        CHECK_DONE(cosm_query_add(query, worlds, any_component(history)));
        break;
    default:
        value = any_value(history);
        CHECK_DONE(cosm_query_set(query, worlds, value.component, &value.bytes));
        break;
    }
}

static void by_commands(struct history *history) {
    cosm_commands *commands = cosm_commands_create(history->box.batch);
    for (uint32_t i = roll(history, 12); i > 0; i--) {
        uint32_t w = roll(history, HISTORY_WORLDS);
        cosm_world world = world_at(history, w);
        cosm_entity *entity = &history->mind.entities[w][roll(history, HISTORY_MOST)];
        cosm_entity other = history->mind.entities[w][roll(history, HISTORY_MOST)];
        uint32_t what = roll(history, 5);
        struct any_value value = any_value(history);
        if (what == 0) {
            *entity = cosm_commands_spawn(commands, world, history->box.hero);
        } else if (what == 1) {
            CHECK_DONE(cosm_commands_despawn(commands, world, *entity));
        } else if (what == 2) {
            CHECK_DONE(cosm_commands_set_parent(commands, world, *entity, other));
        } else {
            CHECK_DONE(cosm_commands_set(commands, world, *entity, value.component, &value.bytes));
        }
    }
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    cosm_commands_destroy(commands);
}

static uint64_t by_number(void *context, cosm_entity entity, const void *value) {
    (void)context;
    (void)value;
    return entity.id * 7919u % 1000u;
}

static void do_rarely(struct history *history, uint32_t w) {
    cosm_world world = world_at(history, w);
    const struct fixture *box = &history->box;
    switch (roll(history, 6)) {
    case 0:
        CHECK_DONE(cosm_world_reset(world));
        break;
    case 1:
        CHECK_DONE(cosm_batch_trim(box->batch));
        break;
    case 2:
        CHECK_DONE(cosm_table_clear(world, box->player));
        break;
    case 3:
        CHECK_DONE(cosm_batch_step(box->batch));
        break;
    default:
        CHECK_DONE(cosm_table_sort(world, box->player, (cosm_component){0}, by_number, NULL));
        break;
    }
}

void history_turn(struct history *history) {
    uint32_t what = roll(history, 40);
    uint32_t w = roll(history, HISTORY_WORLDS);
    if (what < 10) {
        spawn_some(history, w);
    } else if (what < 22) {
        change_one(history, w);
    } else if (what < 30) {
        change_links(history, w);
    } else if (what < 34) {
        by_commands(history);
    } else if (what < 38) {
        change_query(history, w);
    } else {
        do_rarely(history, w);
    }
    history->mind.trace = fold(history->mind.trace, history_view(history));
}

void history_play(struct history *history, uint32_t turns) {
    for (uint32_t i = 0; i < turns; i++) {
        history_turn(history);
    }
}
