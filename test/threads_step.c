// Threads: random programs of systems end in the same state whatever the number of workers, the
// split, the size of blocks and the placement; steps end; the cases of threads with systems.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"

typedef struct Cell {
    uint32_t value;
} Cell;

// Large, so that a chunk holds few rows and small worlds have many chunks.
typedef struct Wide {
    uint32_t value;
    uint32_t rest[511];
} Wide;

typedef struct Link {
    cosm_entity to;
} Link;

typedef struct Sum {
    uint64_t value;
} Sum;

// The thread sanitizer takes ten times as long.
#ifdef __SANITIZE_THREAD__
#define ROUNDS 5u
#else
#define ROUNDS 24u
#endif

#define PROGRAM_STEPS 7u
#define PROGRAM_SYSTEMS 12u
#define POPULATION 120u // per world, about which programs keep to

enum deed {
    DEED_MIX,
    DEED_LINKED,
    DEED_CHANGE,
    DEED_SUM,
    DEED_GLOBAL,
    DEED_EXCLUSIVE,
    DEED_EVENTS,
    DEED_RANDOM,
    DEED_RUN_COMMANDS,
    DEED_COUNT
};

struct program;

struct part {
    struct program *program;
    enum deed deed;
    uint32_t salt;
    uint32_t burst; // spawns of a row that spawns
    cosm_component own;
};

struct variant {
    uint32_t worker_count;
    cosm_split split;
    uint32_t block_worlds;
    cosm_placement placement;
};

struct program {
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_component cells[3];
    cosm_component wide;
    cosm_component link;
    cosm_component mark;
    cosm_singleton sum;
    cosm_archetype stock; // cells 0 and 1 and Wide: many chunks
    cosm_archetype small; // cells 1 and 2
    cosm_archetype tight; // cell 2 and Link, fixed and often full
    cosm_archetype event; // cell 0, temporary
    struct part parts[PROGRAM_SYSTEMS];
    uint64_t checksums[PROGRAM_STEPS];
    char failures[PROGRAM_STEPS][256];
};

static uint32_t mix_bits(uint32_t a, uint32_t b, uint32_t c) {
    uint64_t z = ((uint64_t)a << 32 | b) + 0x9E3779B97F4A7C15u * (c + 1u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (uint32_t)(z >> 32);
}

static void define_kinds(struct program *program, cosm_placement placement) {
    cosm_engine *engine = program->engine;
    static const char *const names[] = {"cell 0", "cell 1", "cell 2"};
    for (uint32_t i = 0; i < 3; i++) {
        program->cells[i] = cosm_component_define(
            engine, &(cosm_component_desc){.name = names[i], .size = sizeof(Cell)});
    }
    program->wide = COSM_COMPONENT_DEFINE(engine, Wide);
    program->link = COSM_COMPONENT_DEFINE(engine, Link);
    program->mark = COSM_TAG_DEFINE(engine, Mark);
    program->sum = COSM_SINGLETON_DEFINE(engine, Sum);
    cosm_archetype_desc stock = {
        .components = {program->cells[0], program->cells[1], program->wide},
        .placement = placement,
        .max_per_world = placement == COSM_PLACEMENT_FIXED ? 4096 : 0};
    program->stock = cosm_archetype_define(engine, &stock);
    program->small = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.components = {program->cells[1], program->cells[2]}});
    program->tight = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.components = {program->cells[2], program->link},
                                       .placement = COSM_PLACEMENT_FIXED,
                                       .max_per_world = 24});
    program->event = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.components = {program->cells[0]}, .temporary = true});
    CHECK(program->stock.id != 0 && program->small.id != 0 && program->tight.id != 0 &&
          program->event.id != 0);
}

static void do_mix(cosm_rows *rows) {
    const struct part *part = rows->context;
    Cell *own = COSM_COLUMN_WRITE(rows, Cell, 0);
    const Cell *other = COSM_COLUMN_READ(rows, Cell, 1);
    for (uint32_t i = 0; i < rows->count; i++) {
        own[i].value = mix_bits(own[i].value, other == NULL ? 1 : other[i].value, part->salt);
    }
}

// Reads another entity by its handle.
static void do_linked(cosm_rows *rows) {
    const struct part *part = rows->context;
    Cell *own = COSM_COLUMN_WRITE(rows, Cell, 0);
    const Link *link = COSM_COLUMN_READ(rows, Link, 1);
    for (uint32_t i = 0; i < rows->count; i++) {
        const Cell *far =
            READ_BY_ID(cosm_rows_world(rows, i), link[i].to, Cell, part->program->cells[1]);
        own[i].value = mix_bits(own[i].value, far == NULL ? 3 : far->value, part->salt);
    }
}

static void spawn_some(const struct part *part, cosm_commands *commands, cosm_world world,
                       cosm_entity parent, uint32_t bits) {
    const struct program *program = part->program;
    for (uint32_t i = 0; i < part->burst; i++) {
        Cell cell = {bits + i};
        cosm_value value = {program->cells[1], &cell};
        cosm_archetype archetype = (bits >> 7) % 3 == 0 ? program->small : program->stock;
        cosm_entity child = cosm_commands_spawn_with(commands, world, archetype, &value, 1);
        if (i % 3 == 1) {
            CHECK_DONE(cosm_commands_set(commands, world, child, program->link, &(Link){parent}));
        }
        if (i % 5 == 4) {
            CHECK_DONE(cosm_commands_despawn(commands, world, child));
        }
    }
    if ((bits >> 9) % 4 == 0) {
        Link link = {parent};
        cosm_value value = {program->link, &link};
        (void)cosm_commands_spawn_with(commands, world, program->tight, &value, 1);
    }
}

// One random change of an entity.
static void change_one(const struct part *part, cosm_commands *commands, cosm_world world,
                       cosm_entity entity, uint32_t bits) {
    const struct program *program = part->program;
    bool is_crowded = cosm_world_entity_count(world) > POPULATION;
    Cell cell = {bits};
    cosm_component any = program->cells[bits % 3];
    switch ((bits >> 3) % 12) {
    case 0:
        if (!is_crowded) {
            spawn_some(part, commands, world, entity, bits);
        }
        break;
    case 1:
        CHECK_DONE(cosm_commands_despawn(commands, world, entity));
        break;
    case 2:
        if (is_crowded) {
            CHECK_DONE(cosm_commands_despawn(commands, world, entity));
        }
        break;
    case 3:
        CHECK_DONE(cosm_commands_set(commands, world, entity, any, &cell));
        break;
    case 4:
        CHECK_DONE(cosm_commands_add(commands, world, entity, program->mark));
        CHECK_DONE(cosm_commands_remove(commands, world, entity, any));
        break;
    case 5:
        CHECK_DONE(cosm_commands_remove(commands, world, entity, program->mark));
        break;
    case 6:
        CHECK_DONE(cosm_commands_set(commands, world, entity, program->link, &(Link){entity}));
        break;
    case 7: {
        cosm_value value = {program->cells[0], &cell};
        CHECK_DONE(cosm_commands_emit(commands, world, program->event, &value, 1));
        break;
    }
    default:
        break;
    }
}

static void do_change(cosm_rows *rows) {
    const struct part *part = rows->context;
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    const Cell *own = COSM_COLUMN_READ(rows, Cell, 0);
    for (uint32_t i = 0; rows->entities != NULL && i < rows->count; i++) {
        uint32_t bits =
            mix_bits(own[i].value, rows->entities[i].id ^ (uint32_t)rows->turn->step, part->salt);
        change_one(part, commands, cosm_rows_world(rows, i), rows->entities[i], bits);
    }
}

static void do_run_commands(const cosm_turn *turn) {
    const struct part *part = turn->context;
    cosm_commands *commands = cosm_turn_commands(turn);
    cosm_rows rows;
    cosm_turn_walk(turn, 0, turn->worlds, &rows);
    while (cosm_rows_next(&rows)) {
        const Cell *own = COSM_COLUMN_READ(&rows, Cell, 0);
        for (uint32_t i = 0; rows.entities != NULL && i < rows.count; i++) {
            uint32_t bits = mix_bits(own[i].value, rows.entities[i].id, part->salt);
            if (bits % 3 == 0) {
                change_one(part, commands, cosm_rows_world(&rows, i), rows.entities[i], bits);
            }
        }
    }
}

static void do_sum(const cosm_turn *turn) {
    const struct part *part = turn->context;
    cosm_rows rows;
    cosm_turn_walk(turn, 0, turn->worlds, &rows);
    while (cosm_rows_next(&rows)) {
        const Cell *own = COSM_COLUMN_READ(&rows, Cell, 0);
        for (uint32_t i = 0; i < rows.count; i++) {
            Sum *sum = SINGLETON_WRITE_BY_ID(cosm_rows_world(&rows, i), Sum, part->program->sum);
            sum->value = sum->value * 31 + own[i].value + part->salt;
        }
    }
}

// All worlds at once: each takes something over from its neighbour.
static void do_global(const cosm_turn *turn) {
    const struct part *part = turn->context;
    CHECK_INT(turn->worlds.count, cosm_batch_world_count(turn->worlds.batch));
    uint64_t carried = part->salt;
    for (uint32_t w = 0; w < turn->worlds.count; w++) {
        cosm_world world = cosm_batch_world(turn->worlds.batch, w);
        Sum *sum = SINGLETON_WRITE_BY_ID(world, Sum, part->program->sum);
        carried = carried * 33 + sum->value + cosm_world_entity_count(world);
        sum->value = carried;
    }
}

static void do_exclusive(const cosm_turn *turn) {
    const struct part *part = turn->context;
    for (uint32_t w = 0; w < turn->worlds.count; w++) {
        cosm_world world = cosm_batch_world(turn->worlds.batch, turn->worlds.first + w);
        uint32_t bits = mix_bits(world.index, (uint32_t)turn->step, part->salt);
        uint32_t count = cosm_table_row_count(world, part->program->stock);
        if (bits % 9 == 0) {
            CHECK_DONE(cosm_world_reset(world));
            count = 0;
        }
        for (uint32_t i = 0; i < bits % 4 && i < count; i++) {
            const cosm_entity *entities = cosm_table_entities(world, part->program->stock);
            CHECK_DONE(cosm_entity_despawn(world, entities[0]));
        }
        for (uint32_t i = 0; count < POPULATION && i < 3 + bits % 20; i++) {
            Cell cell = {bits + i};
            cosm_value value = {part->program->cells[1], &cell};
            CHECK(!cosm_entity_is_none(
                cosm_entity_spawn_with(world, part->program->stock, &value, 1)));
        }
    }
}

// Rows of events have no handles; what they say goes into the singleton of their world.
static void do_events(cosm_rows *rows) {
    const struct part *part = rows->context;
    const Cell *own = COSM_COLUMN_READ(rows, Cell, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        Sum *sum = SINGLETON_WRITE_BY_ID(cosm_rows_world(rows, i), Sum, part->program->sum);
        sum->value = sum->value * 7 + own[i].value;
    }
}

static void do_random(cosm_rows *rows) {
    Cell *own = COSM_COLUMN_WRITE(rows, Cell, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        uint32_t stream = rows->entities == NULL ? 0 : rows->entities[i].id;
        cosm_random random = cosm_turn_random(rows->turn, cosm_rows_world(rows, i), stream);
        own[i].value += cosm_random_below(&random, 1000);
    }
}

// What each deed touches.
static void describe(const struct program *program, const struct part *part, struct dice *dice,
                     cosm_system_desc *desc) {
    cosm_term own = {.component = part->own, .access = COSM_ACCESS_WRITE};
    cosm_term read = {.component = part->own};
    cosm_term other = {.component = program->cells[dice_roll(dice, 3)], .kind = COSM_TERM_OPTIONAL};
    cosm_term marked = {.component = program->mark,
                        .kind = dice_roll(dice, 2) == 0 ? COSM_TERM_WITHOUT : COSM_TERM_OPTIONAL};
    cosm_term link = {.component = program->link};
    cosm_query_desc *query = &desc->queries[0];
    cosm_singleton_use sum = {program->sum, COSM_ACCESS_WRITE};
    query->terms[0] = read;
    switch (part->deed) {
    case DEED_MIX:
        desc->each = do_mix;
        *query = (cosm_query_desc){.terms = {own, other, marked}};
        break;
    case DEED_LINKED:
        desc->each = do_linked;
        *query = (cosm_query_desc){.terms = {own, link}};
        desc->reads[0] = program->cells[1];
        break;
    case DEED_CHANGE:
        desc->each = do_change;
        query->terms[1] = marked;
        desc->commands = true;
        break;
    case DEED_RUN_COMMANDS:
        desc->run = do_run_commands;
        desc->commands = true;
        break;
    case DEED_SUM:
        desc->run = do_sum;
        desc->singletons[0] = sum;
        break;
    case DEED_GLOBAL:
        desc->run = do_global;
        query->terms[0] = (cosm_term){.component = {0}};
        desc->singletons[0] = sum;
        desc->main_thread = dice_roll(dice, 2) == 0;
        desc->global = !desc->main_thread;
        break;
    case DEED_EXCLUSIVE:
        desc->run = do_exclusive;
        desc->exclusive = true;
        break;
    case DEED_EVENTS:
        desc->each = do_events;
        query->terms[0] = (cosm_term){.component = program->cells[0], .access = COSM_ACCESS_WRITE};
        desc->singletons[0] = sum;
        break;
    case DEED_RANDOM:
        desc->each = do_random;
        query->terms[0] = own;
        break;
    case DEED_COUNT:
        break;
    }
}

static void define_parts(struct program *program, struct dice *dice) {
    char names[PROGRAM_SYSTEMS][16];
    for (uint32_t i = 0; i < PROGRAM_SYSTEMS; i++) {
        struct part *part = &program->parts[i];
        (void)snprintf(names[i], sizeof(names[i]), "part %u", i);
        *part = (struct part){program, (enum deed)dice_roll(dice, DEED_COUNT),
                              dice_roll(dice, 1000), 1 + dice_roll(dice, 2) * dice_roll(dice, 30),
                              program->cells[dice_roll(dice, 3)]};
        // Something has to happen at all.
        part->deed = i == 0 ? DEED_EXCLUSIVE : i == 1 ? DEED_CHANGE : part->deed;
        cosm_system_desc desc = {.name = names[i], .context = part};
        describe(program, part, dice, &desc);
        desc.rank = (int32_t)dice_roll(dice, 5) - 2;
        desc.synced = dice_roll(dice, 4) == 0;
        desc.whole = dice_roll(dice, 5) == 0;
        desc.every = dice_roll(dice, 3);
        desc.phase.id = i < 2 ? 0 : dice_roll(dice, 4);
        if (i > 0 && dice_roll(dice, 3) == 0) {
            uint32_t to = dice_roll(dice, i);
            cosm_system earlier = cosm_system_find(program->engine, names[to]);
            cosm_phase phase = cosm_system_describe(program->engine, earlier).phase;
            cosm_phase own = {desc.phase.id == 0 ? 2 : desc.phase.id};
            if (phase.id <= own.id) {
                desc.after[0] = names[to];
            }
        }
        cosm_system defined = cosm_system_define(program->engine, &desc);
        CHECK(defined.id != 0);
    }
}

static void run_program(struct program *program, uint64_t seed, const struct variant *variant) {
    struct dice dice = {seed};
    memset(program, 0, sizeof(*program));
    program->engine =
        cosm_engine_create(&(cosm_engine_desc){.worker_count = variant->worker_count});
    REQUIRE(program->engine != NULL);
    define_kinds(program, variant->placement);
    static const uint32_t world_counts[] = {1, 2, 3, 5, 17, 64};
    uint32_t world_count = world_counts[dice_roll(&dice, 6)];
    program->batch = cosm_batch_create(program->engine,
                                       &(cosm_batch_desc){.world_count = world_count,
                                                          .seed = seed,
                                                          .split = variant->split,
                                                          .block_worlds = variant->block_worlds});
    REQUIRE(program->batch != NULL);
    define_parts(program, &dice);
    // Many chunks from the start in a batch of few worlds.
    uint32_t count = world_count < 4 ? 60 + dice_roll(&dice, 100) : dice_roll(&dice, 20);
    for (uint32_t w = 0; w < world_count; w++) {
        cosm_rows rows;
        cosm_world world = cosm_batch_world(program->batch, w);
        CHECK_DONE(cosm_entity_spawn_many(world, program->stock, count, &rows));
        Cell *cells = COLUMN_BY_ID(&rows, Cell, program->cells[0]);
        for (uint32_t i = 0; i < rows.count; i++) {
            cells[i].value = mix_bits(i, w, 5);
        }
    }
    for (uint32_t s = 0; s < PROGRAM_STEPS; s++) {
        cosm_error_clear();
        cosm_result result = cosm_batch_step(program->batch);
        // A full table is part of the game, and has to be told in the same words.
        if (result != COSM_OK) {
            CHECK_INT(result, COSM_ERROR_FULL);
            (void)snprintf(program->failures[s], sizeof(program->failures[s]), "%s",
                           cosm_error_message());
        }
        program->checksums[s] = cosm_hash_batch(program->batch, COSM_HASH_EXACT);
        CHECK_VALID(program->batch);
    }
    CHECK_INT(cosm_batch_step_count(program->batch), PROGRAM_STEPS);
    CHECK_DONE(cosm_batch_destroy(program->batch));
    CHECK_DONE(cosm_engine_destroy(program->engine));
}

static void compare_programs(const struct program *expected, const struct program *actual,
                             uint64_t seed, const struct variant *variant) {
    for (uint32_t s = 0; s < PROGRAM_STEPS; s++) {
        bool is_same = expected->checksums[s] == actual->checksums[s] &&
                       strcmp(expected->failures[s], actual->failures[s]) == 0;
        if (!is_same) {
            printf("  program %llu, step %u: %u workers, split %d, blocks of %u, placement %d\n",
                   (unsigned long long)seed, s, variant->worker_count, (int)variant->split,
                   variant->block_worlds, (int)variant->placement);
            CHECK_INT(actual->checksums[s], expected->checksums[s]);
            CHECK_STR(actual->failures[s], expected->failures[s]);
            return;
        }
    }
}

TEST(random_programs_end_alike_on_any_workers_split_block_and_placement) {
    static const struct variant plain = {1, COSM_SPLIT_NONE, 0, COSM_PLACEMENT_GROWING};
    static struct program expected;
    static struct program actual;
    struct dice dice = {harness_seed()};
    uint32_t rounds = harness_is_long() ? 2000 : ROUNDS;
    for (uint32_t round = 0; round < rounds; round++) {
        uint64_t seed = dice_next(&dice);
        run_program(&expected, seed, &plain);
        for (uint32_t i = 0; i < 5; i++) {
            struct variant variant = {
                1 + dice_roll(&dice, 8),
                (cosm_split)(i == 4 ? COSM_SPLIT_NONE : i % 3),
                dice_roll(&dice, 3) == 0 ? 1 + dice_roll(&dice, 9) : 0,
                dice_roll(&dice, 2) == 0 ? COSM_PLACEMENT_GROWING : COSM_PLACEMENT_FIXED,
            };
            run_program(&actual, seed, &variant);
            compare_programs(&expected, &actual, seed, &variant);
        }
    }
}

// A lane that spawns more than it has ids for waits for the lanes before it, in their order.
static void spawn_many_per_row(cosm_rows *rows) {
    const struct program *program = rows->context;
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    for (uint32_t i = 0; i < rows->count; i++) {
        cosm_world world = cosm_rows_world(rows, i);
        for (uint32_t k = 0; k < 1 + rows->entities[i].id % 5; k++) {
            Link link = {rows->entities[i]};
            cosm_value value = {program->link, &link};
            CHECK(!cosm_entity_is_none(
                cosm_commands_spawn_with(commands, world, program->small, NULL, 0)));
            cosm_entity far = cosm_commands_spawn(commands, world, program->small);
            CHECK_DONE(cosm_commands_set(commands, world, far, program->link, value.data));
        }
    }
}

static uint64_t spawn_bursts(uint32_t workers, cosm_split split, uint32_t worlds) {
    struct program program = {0};
    program.engine = cosm_engine_create(&(cosm_engine_desc){.worker_count = workers});
    define_kinds(&program, COSM_PLACEMENT_GROWING);
    program.batch = cosm_batch_create(program.engine,
                                      &(cosm_batch_desc){.world_count = worlds, .split = split});
    cosm_system_desc desc = {.name = "burst",
                             .each = spawn_many_per_row,
                             .context = &program,
                             .queries = {{.terms = {{.component = program.wide}}}},
                             .commands = true};
    CHECK(cosm_system_define(program.engine, &desc).id != 0);
    cosm_rows rows;
    for (uint32_t w = 0; w < worlds; w++) {
        CHECK_DONE(cosm_entity_spawn_many(cosm_batch_world(program.batch, w), program.stock,
                                          400 / worlds, &rows));
    }
    for (uint32_t s = 0; s < 3; s++) {
        CHECK_DONE(cosm_batch_step(program.batch));
    }
    CHECK_VALID(program.batch);
    uint64_t checksum = cosm_hash_batch(program.batch, COSM_HASH_EXACT);
    CHECK_DONE(cosm_batch_destroy(program.batch));
    CHECK_DONE(cosm_engine_destroy(program.engine));
    return checksum;
}

TEST(ids_of_spawns_beyond_those_that_a_lane_has_do_not_depend_on_workers) {
    for (uint32_t worlds = 1; worlds <= 4; worlds *= 4) {
        uint64_t expected = spawn_bursts(1, COSM_SPLIT_NONE, worlds);
        for (uint32_t workers = 1; workers <= 8; workers++) {
            CHECK_INT(spawn_bursts(workers, COSM_SPLIT_CHUNKS, worlds), expected);
        }
        CHECK_INT(spawn_bursts(4, COSM_SPLIT_WORLDS, worlds), expected);
        CHECK_INT(spawn_bursts(4, COSM_SPLIT_AUTO, worlds), expected);
    }
}

// Ids that a system's lanes did not use go back in one order, also when the next system of the
// stage does not split and was run by another worker.
static void spawn_one_per_run(cosm_rows *rows) {
    const struct program *program = rows->context;
    CHECK(!cosm_entity_is_none(cosm_commands_spawn(cosm_turn_commands(rows->turn),
                                                   cosm_rows_world(rows, 0), program->tight)));
}

static uint64_t spawn_in_two_ways(uint32_t workers, cosm_split split, uint32_t whole) {
    struct program program = {0};
    program.engine = cosm_engine_create(&(cosm_engine_desc){.worker_count = workers});
    define_kinds(&program, COSM_PLACEMENT_GROWING);
    // Growing, so that there is always room.
    program.tight =
        cosm_archetype_define(program.engine, &(cosm_archetype_desc){.components = {program.link}});
    program.batch =
        cosm_batch_create(program.engine, &(cosm_batch_desc){.world_count = 6, .split = split});
    for (uint32_t i = 0; i < 2; i++) {
        cosm_system_desc desc = {.name = i == whole ? "whole" : "lanes",
                                 .each = spawn_one_per_run,
                                 .context = &program,
                                 .queries = {{.terms = {{.component = program.cells[1]}}}},
                                 .whole = i == whole,
                                 .commands = true};
        CHECK(cosm_system_define(program.engine, &desc).id != 0);
    }
    cosm_rows rows;
    for (uint32_t w = 0; w < 6; w++) {
        cosm_world world = cosm_batch_world(program.batch, w);
        CHECK_DONE(cosm_entity_spawn_many(world, program.stock, 40, &rows));
        CHECK_DONE(cosm_entity_spawn_many(world, program.small, 40, &rows));
    }
    for (uint32_t s = 0; s < 4; s++) {
        CHECK_DONE(cosm_batch_step(program.batch));
    }
    CHECK_VALID(program.batch);
    uint64_t checksum = cosm_hash_batch(program.batch, COSM_HASH_EXACT);
    CHECK_DONE(cosm_batch_destroy(program.batch));
    CHECK_DONE(cosm_engine_destroy(program.engine));
    return checksum;
}

TEST(ids_that_lanes_did_not_use_go_back_in_one_order_whatever_the_workers) {
    for (uint32_t whole = 0; whole < 2; whole++) {
        uint64_t expected = spawn_in_two_ways(1, COSM_SPLIT_NONE, whole);
        for (uint32_t workers = 1; workers <= 8; workers++) {
            for (uint32_t round = 0; round < 4; round++) {
                CHECK_INT(spawn_in_two_ways(workers, COSM_SPLIT_CHUNKS, whole), expected);
            }
            CHECK_INT(spawn_in_two_ways(workers, COSM_SPLIT_WORLDS, whole), expected);
        }
    }
}

static void count_up(cosm_rows *rows) {
    Cell *own = COSM_COLUMN_WRITE(rows, Cell, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        own[i].value++;
    }
}

static void take_tiny_steps(uint32_t workers, uint32_t worlds, cosm_split split, uint32_t steps) {
    cosm_engine *engine = cosm_engine_create(&(cosm_engine_desc){.worker_count = workers});
    cosm_component cell = COSM_COMPONENT_DEFINE(engine, Cell);
    cosm_archetype archetype =
        cosm_archetype_define(engine, &(cosm_archetype_desc){.components = {cell}});
    cosm_batch *batch =
        cosm_batch_create(engine, &(cosm_batch_desc){.world_count = worlds, .split = split});
    cosm_entity entity = COSM_ENTITY_NONE;
    for (uint32_t w = 0; w < worlds; w++) {
        entity = cosm_entity_spawn(cosm_batch_world(batch, w), archetype);
    }
    static const char *const names[] = {"first", "second"};
    for (uint32_t i = 0; i < 2; i++) {
        cosm_system_desc desc = {
            .name = names[i],
            .each = count_up,
            .queries = {{.terms = {{.component = cell, .access = COSM_ACCESS_WRITE}}}},
            .synced = i == 1};
        CHECK(cosm_system_define(engine, &desc).id != 0);
    }
    for (uint32_t s = 0; s < steps; s++) {
        if (cosm_batch_step(batch) != COSM_OK) {
            CHECK_STR(cosm_error_message(), "");
            break;
        }
    }
    cosm_world last = cosm_batch_world(batch, worlds - 1);
    const Cell *value = READ_BY_ID(last, entity, Cell, cell);
    CHECK(value != NULL && value->value == 2 * steps);
    CHECK_DONE(cosm_batch_destroy(batch));
    CHECK_DONE(cosm_engine_destroy(engine));
}

// A wake-up that is lost shows as a test that does not end.
TEST(a_great_many_tiny_steps_end_with_any_workers_and_worlds) {
    uint32_t steps = harness_is_long() ? 200000 : 300;
    for (uint32_t workers = 1; workers <= 8; workers++) {
        for (uint32_t worlds = 1; worlds <= 64; worlds *= 4) {
            take_tiny_steps(workers, worlds, COSM_SPLIT_WORLDS, steps);
            take_tiny_steps(workers, worlds, COSM_SPLIT_CHUNKS, steps);
            take_tiny_steps(workers, worlds, COSM_SPLIT_AUTO, steps);
        }
    }
}

// Case 1: many systems record a hundred spawns each.
static void spawn_hundred(const cosm_turn *turn) {
    const struct fixture *box = turn->context;
    cosm_commands *commands = cosm_turn_commands(turn);
    for (uint32_t i = 0; i < 100; i++) {
        CHECK(!cosm_entity_is_none(cosm_commands_spawn(
            commands, cosm_batch_world(turn->worlds.batch, turn->worlds.first), box->mover)));
    }
}

static void open_workers(struct fixture *box, uint32_t workers, uint32_t worlds, cosm_split split) {
    fixture_open_with(box, 0, &(cosm_engine_desc){.worker_count = workers},
                      &(cosm_batch_desc){.world_count = worlds, .seed = 7, .split = split});
}

TEST(ten_systems_that_record_a_hundred_spawns_each_make_a_thousand_entities) {
    struct fixture box;
    open_workers(&box, 4, 1, COSM_SPLIT_CHUNKS);
    char name[16];
    for (uint32_t i = 0; i < 10; i++) {
        (void)snprintf(name, sizeof(name), "spawner %u", i);
        cosm_system_desc desc = {
            .name = name, .run = spawn_hundred, .context = &box, .commands = true};
        CHECK(cosm_system_define(box.engine, &desc).id != 0);
    }
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_INT(cosm_world_entity_count(box.world), 1000);
    const cosm_entity *entities = cosm_table_entities(box.world, box.mover);
    static bool seen[1000];
    memset(seen, 0, sizeof(seen));
    for (uint32_t i = 0; i < 1000; i++) {
        REQUIRE(entities[i].id < 1000);
        CHECK(!seen[entities[i].id]);
        seen[entities[i].id] = true;
    }
    fixture_close(&box);
}

// Case 2: two systems add and two remove on the same entities; the last in the plan has its way.
struct toggle {
    const struct fixture *box;
    bool adds;
};

static void toggle_mark(cosm_rows *rows) {
    const struct toggle *toggle = rows->context;
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    for (uint32_t i = 0; i < rows->count; i++) {
        cosm_world world = cosm_rows_world(rows, i);
        CHECK_DONE(
            toggle->adds
                ? cosm_commands_add(commands, world, rows->entities[i], toggle->box->mark)
                : cosm_commands_remove(commands, world, rows->entities[i], toggle->box->mark));
    }
}

TEST(systems_that_add_and_remove_on_the_same_entities_follow_the_plan) {
    for (uint32_t last = 0; last < 2; last++) {
        struct fixture box;
        open_workers(&box, 4, 1, COSM_SPLIT_CHUNKS);
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 3000, &rows));
        struct toggle toggles[4];
        static const char *const names[] = {"a", "b", "c", "d"};
        for (uint32_t i = 0; i < 4; i++) {
            toggles[i] = (struct toggle){&box, i % 2 == last};
            cosm_system_desc desc = {.name = names[i],
                                     .each = toggle_mark,
                                     .context = &toggles[i],
                                     .queries = {{.terms = {{.component = box.position}}}},
                                     .commands = true,
                                     .rank = -(int32_t)i};
            CHECK(cosm_system_define(box.engine, &desc).id != 0);
        }
        // Defined first, so last by rank: toggles[0].
        for (uint32_t s = 0; s < 20; s++) {
            CHECK_DONE(cosm_batch_step(box.batch));
        }
        cosm_query *query = fixture_query(&box, box.mark, (cosm_component){0});
        CHECK_INT(cosm_query_count(query, box.all), toggles[0].adds ? 3000 : 0);
        cosm_query_destroy(query);
        fixture_close(&box);
    }
}

// Case 3: systems that only read run side by side, and every walk sees every row once.
static void count_rows(const cosm_turn *turn) {
    atomic_uint *wrong = turn->context;
    for (uint32_t round = 0; round < 20; round++) {
        uint32_t seen = 0;
        cosm_rows rows;
        cosm_turn_walk(turn, 0, turn->worlds, &rows);
        while (cosm_rows_next(&rows)) {
            seen += rows.count;
        }
        atomic_fetch_add(wrong, seen != 5000);
    }
}

TEST(five_systems_that_walk_a_world_at_the_same_time_see_every_row_once) {
    struct fixture box;
    open_workers(&box, 5, 1, COSM_SPLIT_CHUNKS);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 5000, &rows));
    static atomic_uint wrong;
    atomic_store(&wrong, 0);
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    for (uint32_t i = 0; i < 5; i++) {
        cosm_system_desc desc = {.name = names[i],
                                 .run = count_rows,
                                 .context = &wrong,
                                 .queries = {{.terms = {{.component = box.position}}}}};
        CHECK(cosm_system_define(box.engine, &desc).id != 0);
    }
    for (uint32_t s = 0; s < 5; s++) {
        CHECK_DONE(cosm_batch_step(box.batch));
    }
    CHECK_INT(atomic_load(&wrong), 0);
    fixture_close(&box);
}

// Cases 4 and 5: mixed operations of twenty systems over many archetypes.
static void mix_in_world(const struct fixture *box, const cosm_turn *turn, cosm_world world) {
    cosm_commands *commands = cosm_turn_commands(turn);
    cosm_component components[] = {box->position, box->velocity, box->health, box->mark};
    cosm_random random = cosm_turn_random(turn, world, 0);
    cosm_entity last = COSM_ENTITY_NONE;
    for (uint32_t i = 0; i < 500; i++) {
        cosm_component component = components[cosm_random_below(&random, 4)];
        uint32_t deed = cosm_entity_is_none(last) ? 0 : cosm_random_below(&random, 4);
        if (deed == 0) {
            last = cosm_commands_spawn(commands, world, box->mover);
            CHECK(!cosm_entity_is_none(last));
        } else if (deed == 1) {
            CHECK_DONE(cosm_commands_despawn(commands, world, last));
            last = COSM_ENTITY_NONE;
        } else {
            CHECK_DONE(deed == 2 ? cosm_commands_add(commands, world, last, component)
                                 : cosm_commands_remove(commands, world, last, component));
        }
    }
}

static void mix_operations(const cosm_turn *turn) {
    const struct fixture *box = turn->context;
    for (uint32_t w = 0; w < turn->worlds.count; w++) {
        mix_in_world(box, turn, cosm_batch_world(turn->worlds.batch, turn->worlds.first + w));
    }
}

static uint64_t run_mixed(uint32_t workers, cosm_split split) {
    struct fixture box;
    open_workers(&box, workers, 3, split);
    // The sealed and the fixed archetypes of the fixture are in the way of free mixing.
    cosm_component extra = COSM_COMPONENT_DEFINE(box.engine, Cell);
    box.mover = cosm_archetype_define(box.engine,
                                      &(cosm_archetype_desc){.components = {box.position, extra}});
    char name[16];
    for (uint32_t i = 0; i < 20; i++) {
        (void)snprintf(name, sizeof(name), "mixer %u", i);
        cosm_system_desc desc = {.name = name,
                                 .run = mix_operations,
                                 .context = &box,
                                 .commands = true,
                                 .synced = i % 5 == 0};
        CHECK(cosm_system_define(box.engine, &desc).id != 0);
    }
    for (uint32_t s = 0; s < 2; s++) {
        CHECK_DONE(cosm_batch_step(box.batch));
    }
    uint64_t checksum = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    fixture_close(&box);
    return checksum;
}

TEST(twenty_systems_of_mixed_operations_all_take_effect_in_the_order_of_the_plan) {
    uint64_t expected = run_mixed(1, COSM_SPLIT_NONE);
    CHECK_INT(run_mixed(4, COSM_SPLIT_CHUNKS), expected);
    CHECK_INT(run_mixed(3, COSM_SPLIT_WORLDS), expected);
}

// A parallel for inside a parallel for.
struct nested {
    cosm_query *query;
    cosm_worlds worlds;
    atomic_uint inner;
    atomic_uint outer;
};

static void count_inner(cosm_rows *rows) {
    struct nested *nested = rows->context;
    atomic_fetch_add(&nested->inner, rows->count);
}

static void run_inner(cosm_rows *rows) {
    struct nested *nested = rows->context;
    atomic_fetch_add(&nested->outer, rows->count);
    if (rows->row == 0) {
        CHECK_DONE(cosm_query_run(nested->query, nested->worlds, count_inner, nested));
    }
}

static void run_in_turn(const cosm_turn *turn) {
    struct nested *nested = turn->context;
    CHECK_DONE(cosm_query_run(nested->query, turn->worlds, run_inner, nested));
}

TEST(a_parallel_for_inside_a_parallel_for_and_inside_a_system_visits_all_rows) {
    struct fixture box;
    open_workers(&box, 4, 2, COSM_SPLIT_WORLDS);
    cosm_rows rows;
    for (uint32_t w = 0; w < 2; w++) {
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, w), box.mover, 50000, &rows));
    }
    static struct nested nested;
    memset(&nested, 0, sizeof(nested));
    nested.query =
        cosm_query_create(box.engine, &(cosm_query_desc){.terms = {{.component = box.position}}});
    nested.worlds = box.all;
    CHECK_DONE(cosm_query_run(nested.query, box.all, run_inner, &nested));
    CHECK_INT(atomic_load(&nested.outer), 100000);
    CHECK_INT(atomic_load(&nested.inner), 200000);
    cosm_system_desc desc = {.name = "nested",
                             .run = run_in_turn,
                             .context = &nested,
                             .global = true,
                             .queries = {{.terms = {{.component = box.position}}}}};
    CHECK(cosm_system_define(box.engine, &desc).id != 0);
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_INT(atomic_load(&nested.outer), 200000);
    CHECK_INT(atomic_load(&nested.inner), 400000);
    cosm_query_destroy(nested.query);
    fixture_close(&box);
}

// A lane that steps another batch, and then waits for the lanes before it.
struct outer_step {
    const struct fixture *box;
    cosm_batch *inner[64]; // one per chunk, so that no two lanes step the same
    uint32_t chunk_rows;
};

static void step_inside(cosm_rows *rows) {
    const struct outer_step *outer = rows->context;
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    cosm_world world = cosm_rows_world(rows, 0);
    CHECK_DONE(cosm_batch_step(outer->inner[rows->row / outer->chunk_rows % 64]));
    for (uint32_t i = 0; i < 20; i++) {
        CHECK(!cosm_entity_is_none(cosm_commands_spawn(commands, world, outer->box->slot)));
    }
}

TEST(systems_step_other_batches_while_their_lanes_wait_for_each_other) {
    struct fixture box;
    open_workers(&box, 4, 1, COSM_SPLIT_CHUNKS);
    cosm_component cell = COSM_COMPONENT_DEFINE(box.engine, Cell);
    cosm_component wide = COSM_COMPONENT_DEFINE(box.engine, Wide);
    cosm_archetype inner =
        cosm_archetype_define(box.engine, &(cosm_archetype_desc){.components = {cell}});
    cosm_archetype large =
        cosm_archetype_define(box.engine, &(cosm_archetype_desc){.components = {wide}});
    box.slot = cosm_archetype_define(
        box.engine, &(cosm_archetype_desc){.components = {box.health, box.velocity}});
    struct outer_step outer = {.box = &box};
    for (uint32_t i = 0; i < 64; i++) {
        outer.inner[i] = cosm_batch_create(
            box.engine, &(cosm_batch_desc){.world_count = 3, .split = COSM_SPLIT_WORLDS});
        for (uint32_t w = 0; w < 3; w++) {
            CHECK(!cosm_entity_is_none(
                cosm_entity_spawn(cosm_batch_world(outer.inner[i], w), inner)));
        }
    }
    cosm_system_desc count = {
        .name = "count",
        .each = count_up,
        .queries = {{.terms = {{.component = cell, .access = COSM_ACCESS_WRITE}}}}};
    cosm_system_desc steps = {.name = "steps",
                              .each = step_inside,
                              .context = &outer,
                              .queries = {{.terms = {{.component = wide}}}},
                              .commands = true};
    CHECK(cosm_system_define(box.engine, &count).id != 0);
    CHECK(cosm_system_define(box.engine, &steps).id != 0);
    outer.chunk_rows = cosm_archetype_describe(box.engine, large).chunk_rows;
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, large, outer.chunk_rows * 16, &rows));
    for (uint32_t s = 0; s < 10; s++) {
        CHECK_DONE(cosm_batch_step(box.batch));
    }
    // Sixteen lanes, twenty spawns each, ten steps.
    CHECK_INT(cosm_table_row_count(box.world, box.slot), 3200);
    for (uint32_t i = 0; i < 64; i++) {
        CHECK_VALID(outer.inner[i]);
        CHECK_DONE(cosm_batch_destroy(outer.inner[i]));
    }
    fixture_close(&box);
}
