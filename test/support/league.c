// Random histories of shared values and trees: see league.h.
#include "support/league.h"

#include <string.h>

#include "harness.h"

static char label_texts[LEAGUE_LABELS][8] = {"", "a", "e", "abcde", "efghi"};

static uint32_t roll(struct league *league, uint32_t sides) {
    return dice_roll(&league->mind.dice, sides);
}

static uint64_t fold(uint64_t trace, uint64_t value) {
    trace ^= value + 0x9E3779B97F4A7C15u + (trace << 6) + (trace >> 2);
    return trace * 0xD6E8FEB86659FD93u;
}

static cosm_world world_at(const struct league *league, uint32_t w) {
    return cosm_batch_world(league->box.batch, w);
}

static void open_queries(struct league *league) {
    struct fixture *box = &league->box;
    for (uint32_t i = 0; i < LEAGUE_COLORS; i++) {
        league->colors[i] = query_of_value(box, box->team, &(Team){i, 0});
    }
    for (uint32_t i = 0; i < LEAGUE_LEVELS; i++) {
        league->levels[i] = query_of_value(box, box->level, &(Level){i});
    }
    for (uint32_t i = 0; i < LEAGUE_LABELS; i++) {
        league->labels[i] = query_of_value(box, box->label, &(Label){label_texts[i]});
    }
}

void league_open(struct league *league, uint64_t seed, const cosm_engine_desc *engine_desc) {
    memset(league, 0, sizeof(*league));
    fixture_open_with(&league->box, FIXTURE_SHARED, engine_desc,
                      &(cosm_batch_desc){.world_count = LEAGUE_WORLDS});
    league->mind.dice = (struct dice){seed};
    for (uint32_t w = 0; w < LEAGUE_WORLDS; w++) {
        for (uint32_t i = 0; i < LEAGUE_MOST; i++) {
            league->mind.entities[w][i] = COSM_ENTITY_NONE;
        }
    }
    open_queries(league);
}

void league_close(struct league *league) {
    for (uint32_t i = 0; i < LEAGUE_COLORS; i++) {
        cosm_query_destroy(league->colors[i]);
    }
    for (uint32_t i = 0; i < LEAGUE_LEVELS; i++) {
        cosm_query_destroy(league->levels[i]);
    }
    for (uint32_t i = 0; i < LEAGUE_LABELS; i++) {
        cosm_query_destroy(league->labels[i]);
    }
    fixture_close(&league->box);
}

void league_move(struct league *league, cosm_batch *batch) {
    league->box.batch = batch;
    league->box.world = cosm_batch_world(batch, 0);
    league->box.all = cosm_worlds_all(batch);
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

uint64_t league_view(const struct league *league) {
    const struct fixture *box = &league->box;
    uint64_t trace = cosm_hash_batch(box->batch, COSM_HASH_EXACT);
    for (uint32_t w = 0; w < LEAGUE_WORLDS; w++) {
        cosm_world world = world_at(league, w);
        for (uint32_t i = 0; i < LEAGUE_MOST; i++) {
            trace = view_entity(trace, world, league->mind.entities[w][i]);
        }
        trace = view_values(trace, box, world);
    }
    for (uint32_t i = 0; i < LEAGUE_COLORS; i++) {
        trace = view_walk(trace, league->colors[i], box->all);
    }
    for (uint32_t i = 0; i < LEAGUE_LEVELS; i++) {
        trace = view_walk(trace, league->levels[i], box->all);
    }
    for (uint32_t i = 0; i < LEAGUE_LABELS; i++) {
        trace = view_walk(trace, league->labels[i], box->all);
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

static struct any_value any_value(struct league *league) {
    const struct fixture *box = &league->box;
    struct any_value value;
    memset(&value, 0, sizeof(value));
    switch (roll(league, 7)) {
    case 0:
        value.component = box->position;
        value.bytes.position.x = (float)roll(league, 1000);
        break;
    case 1:
    case 2:
    case 3:
        value.component = box->team;
        value.bytes.team.color = roll(league, LEAGUE_COLORS);
        break;
    case 4:
        value.component = box->level;
        value.bytes.level.number = roll(league, LEAGUE_LEVELS);
        break;
    default:
        value.component = box->label;
        value.bytes.label.text = label_texts[roll(league, LEAGUE_LABELS)];
        break;
    }
    return value;
}

static cosm_component any_component(struct league *league) {
    const struct fixture *box = &league->box;
    const cosm_component components[] = {box->team, box->level, box->label, box->mark,
                                         box->position};
    return components[roll(league, 5)];
}

static const cosm_query *any_query(struct league *league) {
    switch (roll(league, 4)) {
    case 0:
        return league->colors[roll(league, LEAGUE_COLORS)];
    case 1:
        return league->levels[roll(league, LEAGUE_LEVELS)];
    case 2:
        return league->labels[roll(league, LEAGUE_LABELS)];
    default:
        return league->box.positions;
    }
}

// Entities may be gone, links may close a circle.
static void may_be_refused(cosm_result result) {
    CHECK(result == COSM_OK || result == COSM_STALE || result == COSM_ERROR_ARGUMENT);
}

static void spawn_some(struct league *league, uint32_t w) {
    const struct fixture *box = &league->box;
    const cosm_archetype archetypes[] = {box->plain, box->player, box->hero, box->badge};
    uint32_t which = roll(league, 4);
    cosm_world world = world_at(league, w);
    cosm_entity *entities = league->mind.entities[w];
    Team team = {roll(league, LEAGUE_COLORS), 0};
    cosm_value value = {box->team, &team};
    uint32_t count = which == 1 || which == 2 ? roll(league, 2) : 0;
    if (roll(league, 4) == 0) {
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many_with(world, archetypes[which], 1 + roll(league, 5),
                                               &value, count, &rows));
        for (uint32_t i = 0; i < rows.count; i++) {
            entities[roll(league, LEAGUE_MOST)] = rows.entities[i];
        }
    } else {
        entities[roll(league, LEAGUE_MOST)] =
            cosm_entity_spawn_with(world, archetypes[which], &value, count);
    }
}

static void change_one(struct league *league, uint32_t w) {
    cosm_world world = world_at(league, w);
    cosm_entity entity = league->mind.entities[w][roll(league, LEAGUE_MOST)];
    struct any_value value;
    switch (roll(league, 6)) {
    case 0:
        may_be_refused(cosm_entity_despawn(world, entity));
        break;
    case 1:
        may_be_refused(cosm_entity_remove(world, entity, any_component(league)));
        break;
    case 2:
        may_be_refused(cosm_entity_add(world, entity, any_component(league)));
        break;
    default:
        value = any_value(league);
        may_be_refused(cosm_entity_set(world, entity, value.component, &value.bytes));
        break;
    }
}

static void change_links(struct league *league, uint32_t w) {
    cosm_world world = world_at(league, w);
    cosm_entity entity = league->mind.entities[w][roll(league, LEAGUE_MOST)];
    cosm_entity parent = league->mind.entities[w][roll(league, LEAGUE_MOST)];
    uint32_t what = roll(league, 12);
    if (what == 0) {
        may_be_refused(cosm_tree_despawn(world, entity));
    } else {
        parent = what < 3 ? COSM_ENTITY_NONE : parent;
        may_be_refused(cosm_tree_set_parent(world, entity, parent));
    }
}

static void change_query(struct league *league, uint32_t w) {
    const cosm_query *query = any_query(league);
    cosm_worlds worlds = cosm_worlds_one(world_at(league, w));
    struct any_value value;
    switch (roll(league, 8)) {
    case 0:
        CHECK_DONE(cosm_query_despawn(query, worlds));
        break;
    case 1:
        CHECK_DONE(cosm_query_remove(query, worlds, any_component(league)));
        break;
    case 2:
        CHECK_DONE(cosm_query_add(query, worlds, any_component(league)));
        break;
    default:
        value = any_value(league);
        CHECK_DONE(cosm_query_set(query, worlds, value.component, &value.bytes));
        break;
    }
}

static void by_commands(struct league *league) {
    cosm_commands *commands = cosm_commands_create(league->box.batch);
    for (uint32_t i = roll(league, 12); i > 0; i--) {
        uint32_t w = roll(league, LEAGUE_WORLDS);
        cosm_world world = world_at(league, w);
        cosm_entity *entity = &league->mind.entities[w][roll(league, LEAGUE_MOST)];
        cosm_entity other = league->mind.entities[w][roll(league, LEAGUE_MOST)];
        uint32_t what = roll(league, 5);
        struct any_value value = any_value(league);
        if (what == 0) {
            *entity = cosm_commands_spawn(commands, world, league->box.hero);
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

static void do_rarely(struct league *league, uint32_t w) {
    cosm_world world = world_at(league, w);
    const struct fixture *box = &league->box;
    switch (roll(league, 6)) {
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

void league_turn(struct league *league) {
    uint32_t what = roll(league, 40);
    uint32_t w = roll(league, LEAGUE_WORLDS);
    if (what < 10) {
        spawn_some(league, w);
    } else if (what < 22) {
        change_one(league, w);
    } else if (what < 30) {
        change_links(league, w);
    } else if (what < 34) {
        by_commands(league);
    } else if (what < 38) {
        change_query(league, w);
    } else {
        do_rarely(league, w);
    }
    league->mind.trace = fold(league->mind.trace, league_view(league));
}

void league_play(struct league *league, uint32_t turns) {
    for (uint32_t i = 0; i < turns; i++) {
        league_turn(league);
    }
}
