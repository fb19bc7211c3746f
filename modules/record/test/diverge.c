// Divergence: where two runs part. A bit is flipped in one of them, after a system of a step, in a
// field of a component of an entity of a world: and just that is found.
#include <cosm/cosm.h>
#include <cosm_record/diverge.h>
#include <cosm_record/recorder.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support/tape.h"

#define WORLD_COUNT 3u
#define ENTITY_COUNT 4u
#define RUN_STEPS 10u
#define PLACE_COUNT 3u

// No field has padding behind it: every bit of the struct is one of a field.
typedef struct Gear {
    uint32_t teeth;
    int32_t turns;
    float wear;
    uint16_t load[2];
} Gear;

// Not described.
typedef struct Rust {
    uint32_t layers[2];
} Rust;

typedef struct Clock {
    uint64_t ticks;
} Clock;

static const cosm_field gear_fields[] = {
    {.name = "teeth", .type = COSM_FIELD_U32, .offset = offsetof(Gear, teeth)},
    {.name = "turns", .type = COSM_FIELD_I32, .offset = offsetof(Gear, turns)},
    {.name = "wear", .type = COSM_FIELD_F32, .offset = offsetof(Gear, wear)},
    {.name = "load", .type = COSM_FIELD_U16, .offset = offsetof(Gear, load), .dims = {2}},
};
static const char *const gear_paths[] = {"teeth", "turns", "wear", "load[0]", "load[1]"};

// A bit that flips in one batch.
struct fault {
    const cosm_batch *batch; // NULL: none
    uint64_t step;           // the number of the step
    uint32_t place;          // behind which system
    uint32_t world;
    uint32_t entity; // its id
    bool in_rust;
    bool in_clock;
    uint32_t bit;
};

struct workshop;

struct fault_place {
    struct workshop *workshop;
    uint32_t place;
};

struct workshop {
    cosm_engine *engine;
    cosm_component gear;
    cosm_component rust;
    cosm_singleton clock;
    cosm_archetype machine;
    cosm_query *all;
    struct fault fault;
    struct fault_place places[PLACE_COUNT];
    uint32_t whim; // what a system that cannot be repeated adds
    bool is_moody;
};

// What systems do can be undone, so that runs which differ go on differing.
static void turn_gears(cosm_rows *rows) {
    Gear *gear = COSM_COLUMN_WRITE(rows, Gear, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        gear[i].teeth = gear[i].teeth * 5u + 1u;
        gear[i].turns ^= 0x55;
    }
}

static void load_gears(cosm_rows *rows) {
    struct workshop *workshop = rows->context;
    Gear *gear = COSM_COLUMN_WRITE(rows, Gear, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        gear[i].load[1] = (uint16_t)(gear[i].load[1] + 3u);
        gear[i].teeth += workshop->is_moody ? workshop->whim++ : 0;
    }
}

static void rust_gears(cosm_rows *rows) {
    Rust *rust = COSM_COLUMN_WRITE(rows, Rust, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        rust[i].layers[0] += 7u;
    }
}

static void flip(void *bytes, uint32_t bit) {
    ((unsigned char *)bytes)[bit / 8] ^= (unsigned char)(1u << bit % 8);
}

static bool is_due(const struct fault_place *at, const cosm_turn *turn) {
    const struct fault *fault = &at->workshop->fault;
    return fault->batch == turn->worlds.batch && fault->place == at->place &&
           fault->step == turn->step + 1;
}

static void fault_rows(cosm_rows *rows) {
    const struct fault_place *at = rows->context;
    const struct fault *fault = &at->workshop->fault;
    if (!is_due(at, rows->turn) || fault->in_clock) {
        return;
    }
    for (uint32_t i = 0; i < rows->count; i++) {
        if (rows->entities[i].id != fault->entity ||
            cosm_rows_world(rows, i).index != fault->world) {
            continue;
        }
        if (fault->in_rust) {
            flip(&COSM_COLUMN_WRITE(rows, Rust, 1)[i], fault->bit);
        } else {
            flip(&COSM_COLUMN_WRITE(rows, Gear, 0)[i], fault->bit);
        }
    }
}

static void define_work(struct workshop *workshop) {
    static const char *const names[] = {"turn", "load", "rust"};
    static const char *const fault_names[] = {"fault 0", "fault 1", "fault 2"};
    static cosm_rows_fn *const work[] = {turn_gears, load_gears, rust_gears};
    for (uint32_t i = 0; i < PLACE_COUNT; i++) {
        cosm_system_desc desc = {.name = names[i], .each = work[i], .context = workshop};
        desc.queries[0].terms[0] = (cosm_term){
            .component = i == 2 ? workshop->rust : workshop->gear, .access = COSM_ACCESS_WRITE};
        CHECK(cosm_system_define(workshop->engine, &desc).id != 0);
        workshop->places[i] = (struct fault_place){workshop, i};
        cosm_system_desc fault = {
            .name = fault_names[i], .each = fault_rows, .context = &workshop->places[i]};
        fault.queries[0].terms[0] =
            (cosm_term){.component = workshop->gear, .access = COSM_ACCESS_WRITE};
        fault.queries[0].terms[1] =
            (cosm_term){.component = workshop->rust, .access = COSM_ACCESS_WRITE};
        CHECK(cosm_system_define(workshop->engine, &fault).id != 0);
    }
}

// `other`: the same in another order.
static void workshop_open(struct workshop *workshop, bool other) {
    *workshop = (struct workshop){.whim = 1};
    workshop->engine = cosm_engine_create(&(cosm_engine_desc){.worker_count = 1});
    cosm_component_desc gear = {.name = "Gear",
                                .size = sizeof(Gear),
                                .alignment = _Alignof(Gear),
                                .fields = gear_fields,
                                .field_count = 4};
    if (other) {
        workshop->rust = COSM_COMPONENT_DEFINE(workshop->engine, Rust);
        workshop->gear = cosm_component_define(workshop->engine, &gear);
    } else {
        workshop->gear = cosm_component_define(workshop->engine, &gear);
        workshop->rust = COSM_COMPONENT_DEFINE(workshop->engine, Rust);
    }
    workshop->clock = COSM_SINGLETON_DEFINE(workshop->engine, Clock);
    workshop->machine = cosm_archetype_define(
        workshop->engine,
        &(cosm_archetype_desc){.name = "machine", .components = {workshop->gear, workshop->rust}});
    workshop->all = cosm_query_create(
        workshop->engine,
        &(cosm_query_desc){.terms = {{.component = workshop->gear, .access = COSM_ACCESS_WRITE}}});
    CHECK(workshop->machine.id != 0 && workshop->clock.id != 0 && workshop->all != NULL);
    define_work(workshop);
}

static void workshop_close(struct workshop *workshop) {
    cosm_query_destroy(workshop->all);
    CHECK_DONE(cosm_engine_destroy(workshop->engine));
}

static cosm_batch *workshop_batch(struct workshop *workshop) {
    cosm_batch *batch = cosm_batch_create(
        workshop->engine, &(cosm_batch_desc){.world_count = WORLD_COUNT, .seed = 5});
    CHECK(batch != NULL);
    for (uint32_t w = 0; w < WORLD_COUNT; w++) {
        for (uint32_t i = 0; i < ENTITY_COUNT; i++) {
            Gear gear = {i, (int32_t)w, 0.5f, {1, 2}};
            cosm_value value = {.component = workshop->gear, .data = &gear};
            cosm_entity entity =
                cosm_entity_spawn_with(cosm_batch_world(batch, w), workshop->machine, &value, 1);
            CHECK_INT(entity.id, i);
        }
    }
    return batch;
}

static struct fault roll_fault(struct dice *dice, const cosm_batch *batch) {
    struct fault fault = {
        .batch = batch,
        .step = 1 + dice_roll(dice, RUN_STEPS),
        .place = dice_roll(dice, PLACE_COUNT),
        .world = dice_roll(dice, WORLD_COUNT),
        .entity = dice_roll(dice, ENTITY_COUNT),
        .in_rust = dice_roll(dice, 3) == 0,
    };
    fault.bit = dice_roll(dice, 8 * (uint32_t)(fault.in_rust ? sizeof(Rust) : sizeof(Gear)));
    return fault;
}

// Is a divergence just where a fault was?
static bool is_found(const struct workshop *workshop, const struct fault *fault,
                     const cosm_divergence *where) {
    uint32_t field = fault->bit / 32;
    const char *path =
        fault->in_rust ? "" : gear_paths[field < 3 ? field : 3 + fault->bit / 16 % 2];
    return where->found && !where->at_input && where->step == fault->step &&
           where->world == fault->world && where->kind == COSM_DIFF_CHANGED &&
           where->entity.id == fault->entity && where->entity.gen == 1 &&
           where->component.id == (fault->in_rust ? workshop->rust : workshop->gear).id &&
           where->field == (fault->in_rust ? COSM_FIELD_INDEX_NONE : field) &&
           strcmp(where->name, fault->in_rust ? "Rust" : "Gear") == 0 &&
           strcmp(where->path, path) == 0 && where->before[0] != '\0' && where->after[0] != '\0' &&
           strcmp(where->before, where->after) != 0;
}

static void print_fault(const struct fault *fault, const cosm_divergence *where) {
    printf("\nfault: step %llu place %u world %u entity %u %s bit %u\n",
           (unsigned long long)fault->step, fault->place, fault->world, fault->entity,
           fault->in_rust ? "Rust" : "Gear", fault->bit);
    printf("found: %d input %d step %llu system '%s' world %u kind %d entity %u.%u '%s' '%s' "
           "%s -> %s\n",
           where->found, where->at_input, (unsigned long long)where->step, where->system,
           where->world, (int)where->kind, where->entity.gen, where->entity.id, where->name,
           where->path, where->before, where->after);
}

TEST(a_thousand_flipped_bits_are_found_in_batches) {
    struct workshop workshop;
    struct dice dice = {harness_seed()};
    workshop_open(&workshop, false);
    cosm_batch *a = workshop_batch(&workshop);
    cosm_batch *b = workshop_batch(&workshop);
    cosm_snapshot *begin = cosm_snapshot_create(cosm_worlds_all(a));
    uint32_t found = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        CHECK_DONE(cosm_snapshot_restore(begin, 0, cosm_worlds_all(a)));
        CHECK_DONE(cosm_snapshot_restore(begin, 0, cosm_worlds_all(b)));
        workshop.fault = roll_fault(&dice, b);
        cosm_divergence where;
        CHECK_DONE(cosm_diverge_batches(a, b, RUN_STEPS, &where));
        char system[16];
        (void)snprintf(system, sizeof(system), "fault %u", workshop.fault.place);
        bool right = is_found(&workshop, &workshop.fault, &where) &&
                     strcmp(where.system, system) == 0 &&
                     where.compared_count == workshop.fault.step + 1 &&
                     cosm_batch_step_count(a) == workshop.fault.step &&
                     cosm_batch_step_count(b) == workshop.fault.step;
        found += right;
        if (!right && found + 3 > i) {
            print_fault(&workshop.fault, &where);
        }
    }
    CHECK_INT(found, 1000);
    cosm_snapshot_destroy(begin);
    CHECK_DONE(cosm_batch_destroy(a));
    CHECK_DONE(cosm_batch_destroy(b));
    workshop_close(&workshop);
}

// Records a run from a state; with a program that meddles before the step with that number.
static void record_run(struct workshop *workshop, cosm_batch *batch, const cosm_snapshot *begin,
                       const char *path, uint32_t step_count, bool history, uint64_t meddle) {
    CHECK_DONE(cosm_snapshot_restore(begin, 0, cosm_worlds_all(batch)));
    cosm_recorder *recorder = cosm_recorder_create(
        batch, path, &(cosm_recorder_desc){.history = history, .keyframe_steps = 1000});
    REQUIRE(recorder != NULL);
    for (uint64_t step = 1; step <= step_count; step++) {
        if (step == meddle) {
            cosm_world world = cosm_batch_world(batch, 1);
            CHECK_DONE(
                cosm_entity_set(world, (cosm_entity){1, 2}, workshop->rust, &(Rust){{0xABCD, 2}}));
        }
        CHECK_DONE(cosm_batch_step(batch));
    }
    CHECK_DONE(cosm_recorder_close(recorder));
}

static cosm_divergence compare_files(cosm_engine *engine, const char *path_a, const char *path_b) {
    cosm_replay *a = cosm_replay_open(engine, path_a, NULL);
    cosm_replay *b = cosm_replay_open(engine, path_b, NULL);
    cosm_divergence where;
    memset(&where, 0xEE, sizeof(where));
    CHECK(a != NULL && b != NULL);
    if (a != NULL && b != NULL) {
        CHECK_DONE(cosm_diverge_replays(a, b, &where));
    }
    cosm_replay_close(a);
    cosm_replay_close(b);
    return where;
}

// Two batches, their common beginning, and two files.
struct duel {
    struct workshop workshop;
    cosm_batch *a;
    cosm_batch *b;
    cosm_snapshot *begin;
    char path_a[TAPE_PATH_MAX];
    char path_b[TAPE_PATH_MAX];
};

static void duel_open(struct duel *duel) {
    workshop_open(&duel->workshop, false);
    duel->a = workshop_batch(&duel->workshop);
    duel->b = workshop_batch(&duel->workshop);
    duel->begin = cosm_snapshot_create(cosm_worlds_all(duel->a));
    tape_path(duel->path_a);
    tape_path(duel->path_b);
}

static void duel_close(struct duel *duel) {
    cosm_snapshot_destroy(duel->begin);
    CHECK_DONE(cosm_batch_destroy(duel->a));
    CHECK_DONE(cosm_batch_destroy(duel->b));
    workshop_close(&duel->workshop);
    (void)remove(duel->path_a);
    (void)remove(duel->path_b);
}

TEST(a_thousand_flipped_bits_are_found_in_recordings) {
    struct duel duel;
    struct dice dice = {harness_seed()};
    duel_open(&duel);
    record_run(&duel.workshop, duel.a, duel.begin, duel.path_a, RUN_STEPS, true, 0);
    uint32_t found = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        duel.workshop.fault = roll_fault(&dice, duel.b);
        record_run(&duel.workshop, duel.b, duel.begin, duel.path_b, RUN_STEPS, true, 0);
        cosm_divergence where = compare_files(duel.workshop.engine, duel.path_a, duel.path_b);
        bool right =
            is_found(&duel.workshop, &duel.workshop.fault, &where) && where.compared_count <= 6;
        found += right;
        if (!right && found + 3 > i) {
            print_fault(&duel.workshop.fault, &where);
        }
    }
    CHECK_INT(found, 1000);
    duel_close(&duel);
}

TEST(runs_that_agree_have_no_divergence) {
    struct duel duel;
    duel_open(&duel);
    cosm_divergence where;
    memset(&where, 0xEE, sizeof(where));
    CHECK_DONE(cosm_diverge_batches(duel.a, duel.b, 20, &where));
    CHECK(!where.found);
    CHECK_INT(where.compared_count, 21);
    CHECK_INT(cosm_batch_step_count(duel.a), 20);
    CHECK_INT(cosm_batch_step_count(duel.b), 20);
    record_run(&duel.workshop, duel.a, duel.begin, duel.path_a, 20, false, 0);
    record_run(&duel.workshop, duel.b, duel.begin, duel.path_b, 15, false, 0);
    where = compare_files(duel.workshop.engine, duel.path_a, duel.path_b);
    CHECK(!where.found);
    CHECK_INT(where.compared_count, 2);
    duel_close(&duel);
}

TEST(batches_that_differ_from_the_beginning_differ_at_an_input) {
    struct duel duel;
    duel_open(&duel);
    Clock *clock = cosm_singleton_write(cosm_batch_world(duel.b, 2), duel.workshop.clock);
    clock->ticks = 9;
    cosm_divergence where;
    CHECK_DONE(cosm_diverge_batches(duel.a, duel.b, 20, &where));
    CHECK(where.found && where.at_input);
    CHECK_INT(where.step, 1);
    CHECK_INT(where.world, 2);
    CHECK_INT(where.kind, COSM_DIFF_SINGLETON);
    CHECK_INT(where.singleton.id, duel.workshop.clock.id);
    CHECK_STR(where.name, "Clock");
    CHECK_STR(where.system, "");
    CHECK_STR(where.before, "0000000000000000");
    CHECK_STR(where.after, "0900000000000000");
    CHECK_INT(cosm_batch_step_count(duel.a), 0);
    record_run(&duel.workshop, duel.a, duel.begin, duel.path_a, 5, false, 0);
    cosm_recorder *recorder = cosm_recorder_create(duel.b, duel.path_b, NULL);
    CHECK_DONE(cosm_batch_step(duel.b));
    CHECK_DONE(cosm_recorder_close(recorder));
    where = compare_files(duel.workshop.engine, duel.path_a, duel.path_b);
    CHECK(where.found && where.at_input);
    CHECK_INT(where.step, 1);
    CHECK_INT(where.world, 2);
    CHECK_INT(where.kind, COSM_DIFF_SINGLETON);
    duel_close(&duel);
}

static void check_meddled(const struct duel *duel, const cosm_divergence *where, uint64_t step) {
    CHECK(where->found && where->at_input);
    CHECK_INT(where->step, step);
    CHECK_INT(where->world, 1);
    CHECK_INT(where->kind, COSM_DIFF_CHANGED);
    CHECK_INT(where->entity.id, 2);
    CHECK_INT(where->component.id, duel->workshop.rust.id);
    CHECK_STR(where->name, "Rust");
    CHECK_STR(where->after, "cdab000002000000");
}

TEST(other_inputs_are_found_with_a_history_and_by_running) {
    struct duel duel;
    duel_open(&duel);
    for (uint32_t i = 0; i < 4; i++) {
        bool history_a = (i & 1) != 0;
        bool history_b = (i & 2) != 0;
        record_run(&duel.workshop, duel.a, duel.begin, duel.path_a, 300, history_a, 0);
        record_run(&duel.workshop, duel.b, duel.begin, duel.path_b, 300, history_b, 177);
        cosm_divergence where = compare_files(duel.workshop.engine, duel.path_a, duel.path_b);
        check_meddled(&duel, &where, 177);
        CHECK(where.compared_count <= 11);
    }
    duel_close(&duel);
}

TEST(without_a_history_a_run_that_cannot_be_repeated_is_known_by_its_hashes) {
    struct duel duel;
    duel_open(&duel);
    record_run(&duel.workshop, duel.a, duel.begin, duel.path_a, 20, false, 0);
    duel.workshop.fault =
        (struct fault){.batch = duel.b, .step = 13, .place = 1, .world = 2, .entity = 1, .bit = 4};
    record_run(&duel.workshop, duel.b, duel.begin, duel.path_b, 20, false, 0);
    cosm_error_clear();
    cosm_divergence where = compare_files(duel.workshop.engine, duel.path_a, duel.path_b);
    CHECK_SILENT();
    CHECK(where.found && !where.at_input);
    CHECK_INT(where.step, 13);
    CHECK_INT(where.world, 2);
    CHECK_INT((int)where.kind, 0);
    CHECK(cosm_entity_is_none(where.entity));
    CHECK_STR(where.name, "");
    duel_close(&duel);
}

TEST(runs_that_part_and_meet_again_are_found_where_they_part_first) {
    struct duel duel;
    duel_open(&duel);
    record_run(&duel.workshop, duel.a, duel.begin, duel.path_a, 40, true, 0);
    // A rust layer that nothing else touches: set before step 11 and back before step 13.
    CHECK_DONE(cosm_snapshot_restore(duel.begin, 0, cosm_worlds_all(duel.b)));
    cosm_recorder *recorder =
        cosm_recorder_create(duel.b, duel.path_b, &(cosm_recorder_desc){.history = true});
    for (uint32_t step = 1; step <= 40; step++) {
        cosm_world world = cosm_batch_world(duel.b, 1);
        Rust *rust = cosm_entity_write(world, (cosm_entity){1, 3}, duel.workshop.rust);
        rust->layers[1] ^= step == 11 || step == 13 ? 1u : 0u;
        CHECK_DONE(cosm_batch_step(duel.b));
    }
    CHECK_DONE(cosm_recorder_close(recorder));
    cosm_divergence where = compare_files(duel.workshop.engine, duel.path_a, duel.path_b);
    CHECK(where.found && where.at_input);
    CHECK_INT(where.step, 11);
    CHECK_INT(where.entity.id, 3);
    duel_close(&duel);
}

TEST(batches_of_two_engines_are_compared_by_names) {
    struct workshop first;
    struct workshop second;
    workshop_open(&first, false);
    workshop_open(&second, true);
    CHECK(first.gear.id != second.gear.id);
    cosm_batch *a = workshop_batch(&first);
    cosm_batch *b = workshop_batch(&second);
    second.fault =
        (struct fault){.batch = b, .step = 4, .place = 1, .world = 2, .entity = 1, .bit = 64 + 31};
    cosm_divergence where;
    CHECK_DONE(cosm_diverge_batches(a, b, 10, &where));
    CHECK(is_found(&first, &second.fault, &where));
    CHECK_STR(where.system, "fault 1");
    CHECK_STR(where.before, "0.5");
    CHECK_STR(where.after, "-0.5");
    CHECK_DONE(cosm_batch_destroy(a));
    CHECK_DONE(cosm_batch_destroy(b));
    workshop_close(&first);
    workshop_close(&second);
}

TEST(a_step_that_does_not_repeat_itself_is_told_as_it_was) {
    struct duel duel;
    duel_open(&duel);
    duel.workshop.is_moody = true;
    cosm_divergence where;
    CHECK_DONE(cosm_diverge_batches(duel.a, duel.b, 10, &where));
    CHECK(where.found && !where.at_input);
    CHECK_INT(where.step, 1);
    CHECK_STR(where.name, "Gear");
    CHECK_STR(where.path, "teeth");
    CHECK_INT(cosm_batch_step_count(duel.a), 1);
    CHECK_INT(cosm_batch_step_count(duel.b), 1);
    // Each took the step once before it was looked at: four gears of three worlds.
    const Gear *gear =
        cosm_entity_read(cosm_batch_world(duel.b, 0), (cosm_entity){1, 0}, duel.workshop.gear);
    CHECK_INT(gear->teeth, 1 + 1 + WORLD_COUNT * ENTITY_COUNT);
    duel_close(&duel);
}

// Records the despawn of an entity in one batch only.
static void despawn_one(cosm_rows *rows) {
    const struct workshop *workshop = rows->context;
    const struct fault *fault = &workshop->fault;
    for (uint32_t i = 0; i < rows->count; i++) {
        cosm_world world = cosm_rows_world(rows, i);
        if (fault->batch == world.batch && rows->turn->step + 1 == fault->step &&
            world.index == fault->world && rows->entities[i].id == fault->entity) {
            cosm_result result =
                cosm_commands_despawn(cosm_turn_commands(rows->turn), world, rows->entities[i]);
            CHECK_INT(result, COSM_OK);
        }
    }
}

TEST(what_commands_do_is_told_of_the_system_that_records_them) {
    struct duel duel;
    duel_open(&duel);
    cosm_system_desc desc = {
        .name = "despawn one", .each = despawn_one, .context = &duel.workshop, .commands = true};
    desc.queries[0].terms[0] = (cosm_term){.component = duel.workshop.gear};
    CHECK(cosm_system_define(duel.workshop.engine, &desc).id != 0);
    duel.workshop.fault =
        (struct fault){.batch = duel.b, .step = 6, .place = PLACE_COUNT, .world = 1, .entity = 2};
    cosm_divergence where;
    CHECK_DONE(cosm_diverge_batches(duel.a, duel.b, 10, &where));
    CHECK(where.found && !where.at_input);
    CHECK_INT(where.step, 6);
    CHECK_STR(where.system, "despawn one");
    CHECK_INT(where.world, 1);
    CHECK_INT(where.kind, COSM_DIFF_DESPAWNED);
    CHECK_INT(where.entity.id, 2);
    duel_close(&duel);
}

TEST(what_cannot_be_compared_is_refused) {
    struct duel duel;
    duel_open(&duel);
    cosm_divergence where;
    CHECK_FAILS(cosm_diverge_batches(NULL, duel.b, 1, &where), COSM_ERROR_ARGUMENT,
                "cosm_diverge_batches", "a is NULL", "pass all");
    CHECK_FAILS(cosm_diverge_batches(duel.a, NULL, 1, &where), COSM_ERROR_ARGUMENT,
                "cosm_diverge_batches", "b is NULL", "pass all");
    CHECK_FAILS(cosm_diverge_batches(duel.a, duel.b, 1, NULL), COSM_ERROR_ARGUMENT,
                "cosm_diverge_batches", "out_divergence is NULL", "pass all");
    CHECK_FAILS(cosm_diverge_batches(duel.a, duel.a, 1, &where), COSM_ERROR_ARGUMENT,
                "cosm_diverge_batches", "the same", "the same number of worlds");
    cosm_batch *small = cosm_batch_create(duel.workshop.engine, NULL);
    CHECK_FAILS(cosm_diverge_batches(duel.a, small, 1, &where), COSM_ERROR_ARGUMENT,
                "cosm_diverge_batches", "3 and 1 worlds", "the same number of worlds");
    CHECK_DONE(cosm_batch_destroy(small));
    record_run(&duel.workshop, duel.a, duel.begin, duel.path_a, 3, false, 0);
    CHECK_DONE(cosm_batch_step(duel.a));
    cosm_recorder *recorder = cosm_recorder_create(duel.a, duel.path_b, NULL);
    CHECK_DONE(cosm_recorder_close(recorder));
    cosm_replay *a = cosm_replay_open(duel.workshop.engine, duel.path_a, NULL);
    cosm_replay *b = cosm_replay_open(duel.workshop.engine, duel.path_b, NULL);
    CHECK_FAILS(cosm_diverge_replays(a, b, &where), COSM_ERROR_ARGUMENT, "cosm_diverge_replays",
                "no step in common", "the same step");
    CHECK_FAILS(cosm_diverge_replays(a, NULL, &where), COSM_ERROR_ARGUMENT, "cosm_diverge_replays",
                "b is NULL", "pass all");
    cosm_replay_close(a);
    cosm_replay_close(b);
    duel_close(&duel);
}
