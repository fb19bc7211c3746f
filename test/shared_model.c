// Shared components over long random histories, next to an oracle that is a plain list of entities.
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"

#define WORLDS 3u
#define MOST 48u
#define COLORS 5u
#define LEVELS 4u
#define LABELS 6u

static char texts[LABELS][8] = {"", "a", "e", "abcde", "efghi", "zz"};

// What an entity has. Parts of it: bits 0 to 4.
enum { HAS_SPOT = 1, HAS_TEAM = 2, HAS_LEVEL = 4, HAS_LABEL = 8, HAS_MARK = 16 };

struct figure {
    cosm_entity entity;
    uint32_t parts;
    uint32_t color;
    uint32_t level;
    uint32_t label;
    float x;
};

struct oracle {
    struct figure figures[WORLDS][MOST];
    uint32_t counts[WORLDS];
};

struct match_game {
    struct fixture box;
    struct oracle oracle;
    struct dice dice;
    cosm_commands *commands;
    cosm_query *colors[COLORS];
    cosm_query *levels[LEVELS];
    cosm_query *labels[LABELS];
    cosm_query *pairs[COLORS]; // with level 1 too
};

static uint32_t roll(struct match_game *game, uint32_t sides) {
    return dice_roll(&game->dice, sides);
}

static cosm_component part_of(const struct fixture *box, uint32_t part) {
    return part == HAS_SPOT    ? box->position
           : part == HAS_TEAM  ? box->team
           : part == HAS_LEVEL ? box->level
           : part == HAS_LABEL ? box->label
                               : box->mark;
}

static void set_defaults(struct figure *figure, uint32_t parts) {
    figure->x = (parts & HAS_SPOT) != 0 ? 0 : figure->x;
    figure->color = (parts & HAS_TEAM) != 0 ? 0 : figure->color;
    figure->level = (parts & HAS_LEVEL) != 0 ? LEVEL_DEFAULT : figure->level;
    figure->label = (parts & HAS_LABEL) != 0 ? 0 : figure->label;
}

// A value for a part, and what the oracle makes of it.
union value {
    Position position;
    Team team;
    Level level;
    Label label;
};

static union value make_value(struct match_game *game, uint32_t part, struct figure *figure) {
    union value value;
    memset(&value, 0, sizeof(value));
    if (part == HAS_SPOT) {
        figure->x = (float)roll(game, 1000);
        value.position.x = figure->x;
    } else if (part == HAS_TEAM) {
        figure->color = roll(game, COLORS);
        value.team.color = figure->color;
    } else if (part == HAS_LEVEL) {
        figure->level = roll(game, LEVELS);
        value.level.number = figure->level;
    } else if (part == HAS_LABEL) {
        figure->label = roll(game, LABELS);
        value.label.text = texts[figure->label];
    }
    return value;
}

static uint32_t random_part(struct match_game *game) {
    return 1u << roll(game, 5);
}

// The parts of an archetype that has one of the first three by name; for spawning.
static cosm_archetype spawn_archetype(const struct fixture *box, uint32_t which,
                                      uint32_t *out_parts) {
    static const uint32_t parts[] = {HAS_SPOT, HAS_SPOT | HAS_TEAM, HAS_SPOT | HAS_TEAM | HAS_LEVEL,
                                     HAS_SPOT | HAS_LABEL};
    const cosm_archetype archetypes[] = {box->plain, box->player, box->hero, box->badge};
    *out_parts = parts[which];
    return archetypes[which];
}

static void keep_figure(struct match_game *game, uint32_t w, struct figure figure) {
    CHECK(!cosm_entity_is_none(figure.entity));
    if (!cosm_entity_is_none(figure.entity)) {
        game->oracle.figures[w][game->oracle.counts[w]++] = figure;
    }
}

static void drop_figure(struct match_game *game, uint32_t w, uint32_t i) {
    game->oracle.figures[w][i] = game->oracle.figures[w][--game->oracle.counts[w]];
}

// Values for some of the parts.
static uint32_t some_values(struct match_game *game, struct figure *figure, cosm_value *values,
                            union value *bytes) {
    uint32_t count = 0;
    set_defaults(figure, figure->parts);
    for (uint32_t part = 1; part <= HAS_LABEL; part *= 2) {
        if ((figure->parts & part) != 0 && roll(game, 3) > 0) {
            bytes[count] = make_value(game, part, figure);
            values[count] = (cosm_value){part_of(&game->box, part), &bytes[count]};
            count++;
        }
    }
    return count;
}

static void spawn(struct match_game *game, uint32_t w, bool recorded) {
    struct figure figure = {.parts = 0};
    cosm_value values[4];
    union value bytes[4];
    cosm_world world = cosm_batch_world(game->box.batch, w);
    cosm_archetype archetype = spawn_archetype(&game->box, roll(game, 4), &figure.parts);
    uint32_t many = roll(game, 4) == 0 ? 1 + roll(game, 6) : 1;
    if (game->oracle.counts[w] + many > MOST) {
        return;
    }
    uint32_t count = some_values(game, &figure, values, bytes);
    if (recorded) {
        figure.entity = cosm_commands_spawn_with(game->commands, world, archetype, values, count);
        keep_figure(game, w, figure);
    } else if (many == 1) {
        figure.entity = cosm_entity_spawn_with(world, archetype, values, count);
        keep_figure(game, w, figure);
    } else {
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many_with(world, archetype, many, values, count, &rows));
        for (uint32_t i = 0; i < rows.count; i++) {
            figure.entity = rows.entities[i];
            keep_figure(game, w, figure);
        }
    }
}

// Adds, removes or sets a part of one entity, at once or by a command.
static void change(struct match_game *game, uint32_t w, bool recorded) {
    if (game->oracle.counts[w] == 0) {
        return;
    }
    uint32_t i = roll(game, game->oracle.counts[w]);
    struct figure *figure = &game->oracle.figures[w][i];
    cosm_world world = cosm_batch_world(game->box.batch, w);
    cosm_commands *commands = game->commands;
    uint32_t part = random_part(game);
    cosm_component component = part_of(&game->box, part);
    uint32_t what = roll(game, 7);
    cosm_result result;
    if (what == 0) {
        result = recorded ? cosm_commands_despawn(commands, world, figure->entity)
                          : cosm_entity_despawn(world, figure->entity);
        drop_figure(game, w, i);
    } else if (what == 1) {
        result = recorded ? cosm_commands_remove(commands, world, figure->entity, component)
                          : cosm_entity_remove(world, figure->entity, component);
        figure->parts &= ~part;
    } else if (what == 2) {
        result = recorded ? cosm_commands_add(commands, world, figure->entity, component)
                          : cosm_entity_add(world, figure->entity, component);
        set_defaults(figure, part & ~figure->parts);
        figure->parts |= part;
    } else {
        union value value = make_value(game, part, figure);
        result = recorded ? cosm_commands_set(commands, world, figure->entity, component, &value)
                          : cosm_entity_set(world, figure->entity, component, &value);
        figure->parts |= part;
    }
    CHECK_DONE(result);
}

static void apply_some(struct match_game *game) {
    uint32_t count = 1 + roll(game, 20);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t w = roll(game, WORLDS);
        if (roll(game, 3) == 0) {
            spawn(game, w, true);
        } else {
            change(game, w, true);
        }
    }
    CHECK_DONE(cosm_commands_apply(game->commands, NULL));
}

// A query by one value, or of everything with a position; and which figures it is for.
struct asked {
    const cosm_query *query;
    uint32_t part;
    uint32_t value;
};

static struct asked ask(struct match_game *game) {
    struct asked asked = {game->box.positions, HAS_SPOT, 0};
    uint32_t kind = roll(game, 4);
    if (kind == 0) {
        asked = (struct asked){NULL, HAS_TEAM, roll(game, COLORS)};
        asked.query = game->colors[asked.value];
    } else if (kind == 1) {
        asked = (struct asked){NULL, HAS_LEVEL, roll(game, LEVELS)};
        asked.query = game->levels[asked.value];
    } else if (kind == 2) {
        asked = (struct asked){NULL, HAS_LABEL, roll(game, LABELS)};
        asked.query = game->labels[asked.value];
    }
    return asked;
}

static bool is_asked_for(const struct asked *asked, const struct figure *figure) {
    uint32_t value = asked->part == HAS_TEAM    ? figure->color
                     : asked->part == HAS_LEVEL ? figure->level
                     : asked->part == HAS_LABEL ? figure->label
                                                : 0;
    return (figure->parts & HAS_SPOT) != 0 && (figure->parts & asked->part) != 0 &&
           value == asked->value;
}

static void change_all(struct match_game *game) {
    struct asked asked = ask(game);
    uint32_t first = roll(game, WORLDS);
    uint32_t count = 1 + roll(game, WORLDS - first);
    cosm_worlds worlds = cosm_worlds_range(game->box.batch, first, count);
    uint32_t part = random_part(game);
    uint32_t what = roll(game, 8);
    cosm_component component = part_of(&game->box, part);
    struct figure model = {.parts = 0};
    union value value = make_value(game, part, &model);
    cosm_result result = what == 0   ? cosm_query_despawn(asked.query, worlds)
                         : what == 1 ? cosm_query_remove(asked.query, worlds, component)
                         : what < 4  ? cosm_query_add(asked.query, worlds, component)
                                     : cosm_query_set(asked.query, worlds, component, &value);
    CHECK_DONE(result);
    for (uint32_t w = first; w < first + count; w++) {
        for (uint32_t i = game->oracle.counts[w]; i-- > 0;) {
            struct figure *figure = &game->oracle.figures[w][i];
            if (!is_asked_for(&asked, figure)) {
                continue;
            }
            if (what == 0) {
                drop_figure(game, w, i);
                continue;
            }
            if (what == 1) {
                figure->parts &= ~part;
                continue;
            }
            set_defaults(figure, part & ~figure->parts);
            figure->parts |= part;
            if (what >= 4) {
                figure->x = part == HAS_SPOT ? model.x : figure->x;
                figure->color = part == HAS_TEAM ? model.color : figure->color;
                figure->level = part == HAS_LEVEL ? model.level : figure->level;
                figure->label = part == HAS_LABEL ? model.label : figure->label;
            }
        }
    }
}

static uint64_t by_gen(void *context, cosm_entity entity, const void *value) {
    (void)context;
    (void)value;
    return entity.id * 7919u % 1000u;
}

static void do_rarely(struct match_game *game) {
    uint32_t w = roll(game, WORLDS);
    cosm_world world = cosm_batch_world(game->box.batch, w);
    uint32_t what = roll(game, 6);
    if (what == 0) {
        CHECK_DONE(cosm_world_reset(world));
        game->oracle.counts[w] = 0;
    } else if (what == 1) {
        CHECK_DONE(cosm_batch_trim(game->box.batch));
    } else if (what == 2) {
        CHECK_DONE(cosm_table_sort(world, game->box.player, (cosm_component){0}, by_gen, NULL));
    } else if (what == 3) {
        CHECK_DONE(cosm_table_clear(world, game->box.player));
        for (uint32_t i = game->oracle.counts[w]; i-- > 0;) {
            if (game->oracle.figures[w][i].parts == (HAS_SPOT | HAS_TEAM)) {
                drop_figure(game, w, i);
            }
        }
    } else {
        cosm_entity list[MOST];
        uint32_t count = roll(game, game->oracle.counts[w] + 1);
        uint32_t part = random_part(game);
        for (uint32_t i = 0; i < count; i++) {
            struct figure *figure = &game->oracle.figures[w][i];
            list[i] = figure->entity;
            set_defaults(figure, what == 4 ? part & ~figure->parts : 0);
            figure->parts = what == 4 ? figure->parts | part : figure->parts & ~part;
        }
        cosm_component component = part_of(&game->box, part);
        CHECK_DONE(what == 4 ? cosm_entity_add_many(world, list, count, component)
                             : cosm_entity_remove_many(world, list, count, component));
    }
}

static void compare_figure(const struct fixture *box, cosm_world world,
                           const struct figure *figure) {
    CHECK(cosm_entity_is_alive(world, figure->entity));
    const Position *position = cosm_entity_read(world, figure->entity, box->position);
    const Team *team = cosm_entity_read(world, figure->entity, box->team);
    const Level *level = cosm_entity_read(world, figure->entity, box->level);
    const Label *label = cosm_entity_read(world, figure->entity, box->label);
    CHECK((position != NULL) == ((figure->parts & HAS_SPOT) != 0));
    CHECK((team != NULL) == ((figure->parts & HAS_TEAM) != 0));
    CHECK((level != NULL) == ((figure->parts & HAS_LEVEL) != 0));
    CHECK((label != NULL) == ((figure->parts & HAS_LABEL) != 0));
    CHECK(cosm_entity_has(world, figure->entity, box->mark) == ((figure->parts & HAS_MARK) != 0));
    CHECK(position == NULL || position->x == figure->x);
    CHECK(team == NULL || team->color == figure->color);
    CHECK(level == NULL || level->number == figure->level);
    CHECK(label == NULL || strcmp(label->text, texts[figure->label]) == 0);
}

// Counts of each value by the oracle; returns how many values there are.
static uint32_t oracle_values(const struct oracle *oracle, uint32_t w, uint32_t part,
                              uint32_t *counts, uint32_t count) {
    memset(counts, 0, count * sizeof(*counts));
    uint32_t values = 0;
    for (uint32_t i = 0; i < oracle->counts[w]; i++) {
        const struct figure *figure = &oracle->figures[w][i];
        uint32_t value = part == HAS_TEAM    ? figure->color
                         : part == HAS_LEVEL ? figure->level
                                             : figure->label;
        if ((figure->parts & part) != 0) {
            values += counts[value]++ == 0;
        }
    }
    return values;
}

static void compare_values(struct match_game *game, uint32_t w) {
    const struct fixture *box = &game->box;
    cosm_world world = cosm_batch_world(box->batch, w);
    uint32_t counts[16];
    uint32_t values = oracle_values(&game->oracle, w, HAS_TEAM, counts, 16);
    CHECK_INT(cosm_shared_value_count(world, box->team), values);
    for (uint32_t i = 0; i < COLORS; i++) {
        CHECK_INT(cosm_shared_entity_count(world, box->team, &(Team){i, 0}), counts[i]);
    }
    values = oracle_values(&game->oracle, w, HAS_LEVEL, counts, 16);
    CHECK_INT(cosm_shared_value_count(world, box->level), values);
    for (uint32_t i = 0; i < LEVEL_DEFAULT + 1; i++) {
        CHECK_INT(cosm_shared_entity_count(world, box->level, &(Level){i}), counts[i]);
    }
    values = oracle_values(&game->oracle, w, HAS_LABEL, counts, 16);
    CHECK_INT(cosm_shared_value_count(world, box->label), values);
    for (uint32_t i = 0; i < LABELS; i++) {
        CHECK_INT(cosm_shared_entity_count(world, box->label, &(Label){texts[i]}), counts[i]);
    }
}

static uint32_t count_asked(const struct oracle *oracle, struct asked asked) {
    uint32_t count = 0;
    for (uint32_t w = 0; w < WORLDS; w++) {
        for (uint32_t i = 0; i < oracle->counts[w]; i++) {
            count += is_asked_for(&asked, &oracle->figures[w][i]);
        }
    }
    return count;
}

static uint32_t walked(const cosm_query *query, cosm_worlds worlds) {
    cosm_rows rows;
    uint32_t count = 0;
    cosm_query_walk(query, worlds, &rows);
    while (cosm_rows_next(&rows)) {
        count += rows.count;
    }
    return count;
}

static void compare_queries(struct match_game *game) {
    const struct oracle *oracle = &game->oracle;
    cosm_worlds all = game->box.all;
    for (uint32_t i = 0; i < COLORS; i++) {
        CHECK_INT(walked(game->colors[i], all),
                  count_asked(oracle, (struct asked){NULL, HAS_TEAM, i}));
        uint32_t pairs = 0;
        for (uint32_t w = 0; w < WORLDS; w++) {
            for (uint32_t k = 0; k < oracle->counts[w]; k++) {
                const struct figure *figure = &oracle->figures[w][k];
                pairs += (figure->parts & (HAS_TEAM | HAS_LEVEL)) == (HAS_TEAM | HAS_LEVEL) &&
                         figure->color == i && figure->level == 1;
            }
        }
        CHECK_INT(walked(game->pairs[i], all), pairs);
    }
    for (uint32_t i = 0; i < LEVELS; i++) {
        CHECK_INT(cosm_query_count(game->levels[i], all),
                  count_asked(oracle, (struct asked){NULL, HAS_LEVEL, i}));
    }
    for (uint32_t i = 0; i < LABELS; i++) {
        CHECK_INT(walked(game->labels[i], all),
                  count_asked(oracle, (struct asked){NULL, HAS_LABEL, i}));
    }
    CHECK_INT(walked(game->box.positions, all),
              count_asked(oracle, (struct asked){NULL, HAS_SPOT, 0}));
}

static void compare(struct match_game *game) {
    CHECK_VALID(game->box.batch);
    for (uint32_t w = 0; w < WORLDS; w++) {
        cosm_world world = cosm_batch_world(game->box.batch, w);
        CHECK_INT(cosm_world_entity_count(world), game->oracle.counts[w]);
        for (uint32_t i = 0; i < game->oracle.counts[w]; i++) {
            compare_figure(&game->box, world, &game->oracle.figures[w][i]);
        }
        compare_values(game, w);
    }
    compare_queries(game);
}

static void game_open(struct match_game *game, uint64_t seed) {
    memset(&game->oracle, 0, sizeof(game->oracle));
    game->dice = (struct dice){seed};
    fixture_open(&game->box, FIXTURE_SHARED, WORLDS);
    game->commands = cosm_commands_create(game->box.batch);
    for (uint32_t i = 0; i < COLORS; i++) {
        Team team = {i, 0};
        game->colors[i] = query_of_value(&game->box, game->box.team, &team);
        game->pairs[i] = cosm_query_create(
            game->box.engine, &(cosm_query_desc){.terms = {{.component = game->box.team,
                                                            .access = COSM_ACCESS_WRITE,
                                                            .value = &team},
                                                           {.component = game->box.level,
                                                            .access = COSM_ACCESS_WRITE,
                                                            .value = &(Level){1}}}});
    }
    for (uint32_t i = 0; i < LEVELS; i++) {
        game->levels[i] = query_of_value(&game->box, game->box.level, &(Level){i});
    }
    for (uint32_t i = 0; i < LABELS; i++) {
        game->labels[i] = query_of_value(&game->box, game->box.label, &(Label){texts[i]});
    }
}

static void game_close(struct match_game *game) {
    cosm_commands_destroy(game->commands);
    for (uint32_t i = 0; i < COLORS; i++) {
        cosm_query_destroy(game->colors[i]);
        cosm_query_destroy(game->pairs[i]);
    }
    for (uint32_t i = 0; i < LEVELS; i++) {
        cosm_query_destroy(game->levels[i]);
    }
    for (uint32_t i = 0; i < LABELS; i++) {
        cosm_query_destroy(game->labels[i]);
    }
    fixture_close(&game->box);
}

static void play_turn(struct match_game *game) {
    uint32_t what = roll(game, 20);
    uint32_t w = roll(game, WORLDS);
    if (what < 5) {
        spawn(game, w, false);
    } else if (what < 13) {
        change(game, w, false);
    } else if (what < 16) {
        apply_some(game);
    } else if (what < 19) {
        change_all(game);
    } else {
        do_rarely(game);
    }
}

// Returns the checksum at the end.
static uint64_t play_game(uint64_t seed, uint32_t turns, bool compares) {
    static struct match_game game;
    game_open(&game, seed);
    for (uint32_t turn = 0; turn < turns; turn++) {
        play_turn(&game);
        if (compares) {
            compare(&game);
        }
    }
    uint64_t checksum = cosm_hash_batch(game.box.batch, COSM_HASH_EXACT);
    game_close(&game);
    return checksum;
}

TEST(long_histories_come_to_what_a_plain_list_says) {
    uint64_t seed = harness_seed();
    uint32_t games = harness_is_long() ? 400 : 16;
    for (uint32_t i = 0; i < games; i++) {
        (void)play_game(seed + i, 250, true);
    }
}

TEST(the_same_history_twice_has_the_same_checksum) {
    uint64_t seed = harness_seed();
    for (uint32_t i = 0; i < 10; i++) {
        CHECK_INT(play_game(seed + 1000 + i, 300, false), play_game(seed + 1000 + i, 300, false));
    }
}
