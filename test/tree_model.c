// The model of trees: random histories of everything that makes, ends, links and moves entities,
// directly and by commands, against parents and lists of children kept in plain arrays.
//
// A failure prints the seed of its history: --seed with that number runs it first.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "support/sandbox.h"

enum { WORLDS = 2, MOST = 400, FULL = 60, STEPS = 250, HISTORIES = 60 };

// One entity that was ever spawned in a world.
struct person {
    cosm_entity entity;
    bool alive;
    int parent; // -1: none
    int children[MOST];
    int child_count;
};

struct family {
    struct person people[MOST];
    int count;
    int alive;
};

struct play {
    struct sandbox box;
    cosm_query *query;
    cosm_commands *commands;
    struct family families[WORLDS];
    struct dice dice;
    bool wrong;
};

static void expect(struct play *play, bool right, const char *what) {
    if (!right && !play->wrong) {
        fprintf(stderr, "not so: %s\n", what);
        play->wrong = true;
    }
}

static void leave_parent(struct family *family, int who) {
    int parent = family->people[who].parent;
    if (parent < 0) {
        return;
    }
    struct person *above = &family->people[parent];
    int at = 0;
    while (above->children[at] != who) {
        at++;
    }
    memmove(&above->children[at], &above->children[at + 1],
            (size_t)(above->child_count - at - 1) * sizeof(int));
    above->child_count--;
    family->people[who].parent = -1;
}

static bool is_above(const struct family *family, int above, int who) {
    for (; who >= 0; who = family->people[who].parent) {
        if (who == above) {
            return true;
        }
    }
    return false;
}

static void adopt(struct family *family, int who, int parent) {
    if (family->people[who].parent == parent) {
        return;
    }
    leave_parent(family, who);
    if (parent >= 0) {
        struct person *above = &family->people[parent];
        above->children[above->child_count++] = who;
        family->people[who].parent = parent;
    }
}

static void bury(struct family *family, int who) {
    struct person *person = &family->people[who];
    while (person->child_count > 0) {
        leave_parent(family, person->children[0]);
    }
    leave_parent(family, who);
    person->alive = false;
    family->alive--;
}

static void bury_all(struct family *family, int who) {
    while (family->people[who].child_count > 0) {
        bury_all(family, family->people[who].children[0]);
    }
    bury(family, who);
}

static void born(struct family *family, cosm_entity entity) {
    family->people[family->count++] =
        (struct person){.entity = entity, .alive = true, .parent = -1};
    family->alive++;
}

static int anybody(struct play *play, const struct family *family) {
    return (int)dice_roll(&play->dice, (uint32_t)family->count);
}

static cosm_entity handle(const struct family *family, int who) {
    return who < 0 ? COSM_ENTITY_NONE : family->people[who].entity;
}

static cosm_archetype any_archetype(struct play *play) {
    return dice_roll(&play->dice, 2) == 0 ? play->box.mover : play->box.stone;
}

static void link_directly(struct play *play, cosm_world world, struct family *family) {
    int who = anybody(play, family);
    int parent = dice_roll(&play->dice, 4) == 0 ? -1 : anybody(play, family);
    cosm_result result = cosm_tree_set_parent(world, handle(family, who), handle(family, parent));
    bool lives = family->people[who].alive && (parent < 0 || family->people[parent].alive);
    if (!lives) {
        expect(play, result == COSM_STALE, "a link of what is gone is stale");
    } else if (parent >= 0 && is_above(family, who, parent)) {
        expect(play, result == COSM_ERROR_ARGUMENT, "a circle is refused");
    } else {
        expect(play, result == COSM_OK, "a link is made");
        adopt(family, who, parent);
    }
}

static void end_directly(struct play *play, cosm_world world, struct family *family, bool whole) {
    int who = anybody(play, family);
    cosm_entity entity = handle(family, who);
    cosm_result result =
        whole ? cosm_tree_despawn(world, entity) : cosm_entity_despawn(world, entity);
    if (!family->people[who].alive) {
        expect(play, result == COSM_STALE, "what is gone cannot end");
        return;
    }
    expect(play, result == COSM_OK, "an entity ends");
    if (whole) {
        bury_all(family, who);
    } else {
        bury(family, who);
    }
}

// Ends all that have a mark: a whole query at once.
static void end_marked(struct play *play, cosm_world world, struct family *family) {
    for (int i = 0; i < family->count; i++) {
        if (family->people[i].alive &&
            cosm_entity_has(world, family->people[i].entity, play->box.mark)) {
            bury(family, i);
        }
    }
    CHECK_DONE(cosm_query_despawn(play->query, cosm_worlds_one(world)));
}

// Moves an entity to another table; sealed ones stay where they are.
static void change_table(struct play *play, cosm_world world, struct family *family) {
    cosm_entity entity = handle(family, anybody(play, family));
    cosm_result result =
        cosm_entity_has(world, entity, play->box.velocity) && dice_roll(&play->dice, 2) == 0
            ? cosm_entity_add(world, entity, play->box.health)
            : cosm_entity_remove(world, entity, play->box.health);
    expect(play, result != COSM_ERROR_MEMORY, "there is memory");
}

// Records a command and believes that it has been done.
static void record(struct play *play, cosm_world world, struct family *family) {
    int who = anybody(play, family);
    int parent = dice_roll(&play->dice, 4) == 0 ? -1 : anybody(play, family);
    bool lives = family->people[who].alive;
    switch (dice_roll(&play->dice, 6)) {
    case 0:
        born(family, cosm_commands_spawn(play->commands, world, any_archetype(play)));
        break;
    case 1:
        CHECK_DONE(cosm_commands_despawn(play->commands, world, handle(family, who)));
        if (lives) {
            bury(family, who);
        }
        break;
    case 2:
        CHECK_DONE(cosm_commands_despawn_tree(play->commands, world, handle(family, who)));
        if (lives) {
            bury_all(family, who);
        }
        break;
    default:
        CHECK_DONE(cosm_commands_set_parent(play->commands, world, handle(family, who),
                                            handle(family, parent)));
        if (lives &&
            (parent < 0 || (family->people[parent].alive && !is_above(family, who, parent)))) {
            adopt(family, who, parent);
        }
        break;
    }
}

static void by_commands(struct play *play, cosm_world world, struct family *family) {
    for (uint32_t i = dice_roll(&play->dice, 25); i > 0 && family->count < MOST - 1; i--) {
        record(play, world, family);
    }
    CHECK_DONE(cosm_commands_apply(play->commands, NULL));
}

static void start_over(struct family *family) {
    family->count = 0;
    family->alive = 0;
}

static void take_step(struct play *play, cosm_world world, struct family *family) {
    if (family->count == 0 || (family->alive < FULL && dice_roll(&play->dice, 4) == 0)) {
        born(family, cosm_entity_spawn(world, any_archetype(play)));
        return;
    }
    switch (dice_roll(&play->dice, 20)) {
    case 0:
        end_directly(play, world, family, true);
        break;
    case 1:
    case 2:
        end_directly(play, world, family, false);
        break;
    case 3:
    case 4:
        by_commands(play, world, family);
        break;
    case 5:
    case 6:
        change_table(play, world, family);
        break;
    case 7:
        if (dice_roll(&play->dice, 6) == 0) {
            end_marked(play, world, family);
        }
        break;
    case 8:
        CHECK_DONE(cosm_batch_trim(play->box.batch));
        break;
    default:
        link_directly(play, world, family);
        break;
    }
    if (family->count > MOST - 30 || dice_roll(&play->dice, 200) == 0) {
        CHECK_DONE(cosm_world_reset(world));
        start_over(family);
    }
}

static void compare_person(struct play *play, cosm_world world, const struct family *family,
                           int who) {
    const struct person *person = &family->people[who];
    cosm_entity entity = person->entity;
    expect(play, cosm_entity_is_alive(world, entity) == person->alive, "they live or not");
    expect(play,
           cosm_entity_equals(cosm_tree_parent(world, entity), handle(family, person->parent)),
           "the parent is known");
    cosm_entity children[MOST];
    uint32_t count = cosm_tree_children(world, entity, MOST, children);
    expect(play, count == (uint32_t)person->child_count, "the children are counted");
    for (int i = 0; i < person->child_count && !play->wrong; i++) {
        expect(play, cosm_entity_equals(children[i], handle(family, person->children[i])),
               "the children are in their order");
    }
    uint32_t depth = 0;
    for (int up = person->parent; up >= 0; up = family->people[up].parent) {
        depth++;
    }
    expect(play, cosm_tree_depth(world, entity) == depth, "the depth is right");
}

// Depths of rows as they are shown.
struct order_seen {
    struct play *play;
    uint32_t depth;
    uint32_t rows;
};

static void see_order(cosm_rows *rows) {
    struct order_seen *seen = rows->context;
    for (uint32_t i = 0; i < rows->count; i++) {
        uint32_t depth = cosm_tree_depth(cosm_rows_world(rows, i), rows->entities[i]);
        expect(seen->play, depth >= seen->depth, "rows come by depth");
        seen->depth = depth;
        seen->rows++;
    }
}

static void compare(struct play *play, cosm_world world, const struct family *family) {
    for (int i = 0; i < family->count && !play->wrong; i++) {
        compare_person(play, world, family, i);
    }
    expect(play, cosm_world_entity_count(world) == (uint32_t)family->alive, "all are counted");
    struct order_seen seen = {.play = play};
    cosm_query *all = cosm_query_create(play->box.engine, &(cosm_query_desc){.by_world = true});
    CHECK_DONE(cosm_tree_each(all, cosm_worlds_one(world), see_order, &seen));
    cosm_query_destroy(all);
    expect(play, seen.rows == (uint32_t)family->alive, "every row is shown");
    cosm_entity list[MOST];
    uint32_t count = cosm_tree_list(world, COSM_ENTITY_NONE, MOST, list);
    expect(play, count == (uint32_t)family->alive, "all are listed");
    for (uint32_t i = 1; i < count && !play->wrong; i++) {
        expect(play, cosm_tree_depth(world, list[i - 1]) <= cosm_tree_depth(world, list[i]),
               "the list is by depth");
    }
    expect(play, cosm_batch_validate(play->box.batch) == COSM_OK, cosm_error_message());
}

static bool run_history(uint64_t seed) {
    static struct play play;
    memset(&play, 0, sizeof(play));
    play.dice = (struct dice){seed};
    sandbox_open(&play.box, WORLDS);
    play.query = sandbox_query(&play.box, play.box.mark, (cosm_component){0});
    play.commands = cosm_commands_create(play.box.batch);
    for (uint32_t step = 0; step < STEPS && !play.wrong; step++) {
        uint32_t w = dice_roll(&play.dice, WORLDS);
        cosm_world world = sandbox_world(&play.box, w);
        take_step(&play, world, &play.families[w]);
        compare(&play, world, &play.families[w]);
        if (play.wrong) {
            fprintf(stderr, "at step %u of the history of seed %" PRIu64 "\n", step, seed);
        }
    }
    cosm_commands_destroy(play.commands);
    cosm_query_destroy(play.query);
    sandbox_close(&play.box);
    return !play.wrong;
}

TEST(random_histories_of_trees_agree_with_plain_arrays) {
    uint32_t histories = harness_is_long() ? 40 * HISTORIES : HISTORIES;
    for (uint32_t i = 0; i < histories; i++) {
        REQUIRE(run_history(harness_seed() + i));
    }
}
