// Applying commands: one by one on the oracle, in the order of recording.
//
// The library merges the changes of an entity into one. Where a step on the way would be refused
// but the end is allowed (a full table that empties again, a sealed entity that gets back what it
// had), the headers leave open whether the apply fails, and both are right.
#include "state.h"

#include <string.h>

// What applying does, and why it must or may fail.
struct outcome {
    uint32_t on_the_way; // results that a step would give
    uint32_t at_the_end; // results that the end state would give
    uint32_t walked_must;
    uint32_t walked_may;
    uint32_t worlds;
    cosm_commands_report report;
    uint32_t born_and_gone;
    uint32_t values;
    uint32_t stirred_count; // entities whose set a step changed
    struct {
        uint32_t world;
        cosm_entity entity;
    } stirred[MODEL_COMMANDS_MAX * MODEL_COMMAND_MAX];
};

static bool was_alive(const struct model *m, uint32_t world, cosm_entity entity) {
    const struct world *w = &m->saved[world];
    return entity.id < w->being_capacity && w->beings[entity.id].alive &&
           w->beings[entity.id].handle.gen == entity.gen;
}

static void stir(struct outcome *out, uint32_t world, cosm_entity entity) {
    for (uint32_t i = 0; i < out->stirred_count; i++) {
        if (out->stirred[i].world == world && cosm_entity_equals(out->stirred[i].entity, entity)) {
            return;
        }
    }
    out->stirred[out->stirred_count].world = world;
    out->stirred[out->stirred_count++].entity = entity;
}

static void run_spawn(struct model *m, const struct command *c, struct outcome *out) {
    out->on_the_way |= is_full(m, c->world, c->set, false, 1) ? RESULT_BIT(COSM_ERROR_FULL) : 0;
    struct being *being = being_spawn(&m->o, c->world, c->entity, c->set);
    for (uint32_t i = 0; i < c->value_count; i++) {
        being->value[c->bits[i]] = c->values[i];
    }
    out->report.spawned++;
    out->values += c->value_count;
}

static void run_emit(struct model *m, const struct command *c, struct outcome *out) {
    out->on_the_way |= is_full(m, c->world, c->set, true, 1) ? RESULT_BIT(COSM_ERROR_FULL) : 0;
    const struct archetype *archetype = archetype_of_set(&m->o, c->set, true);
    struct row *row = bag_append(&m->o, bag_of(&m->o, c->world, archetype));
    for (uint32_t i = 0; i < c->value_count; i++) {
        row->value[c->bits[i]] = c->values[i];
    }
    out->report.spawned++;
    out->values += c->value_count;
}

static void run_change(struct model *m, const struct command *c, struct being *being,
                       struct outcome *out) {
    uint64_t to = c->kind == COMMAND_REMOVE ? being->set & ~c->set : being->set | c->set;
    bool moves = table_set(&m->o, to) != table_set(&m->o, being->set);
    if (c->kind == COMMAND_SET && (c->set & m->o.shared) != 0) {
        stir(out, c->world, c->entity);
    }
    if (moves) {
        out->on_the_way |= is_sealed(m, being->set) ? RESULT_BIT(COSM_ERROR_SEALED) : 0;
        out->on_the_way |= is_full(m, c->world, to, false, 1) ? RESULT_BIT(COSM_ERROR_FULL) : 0;
        stir(out, c->world, c->entity);
    }
    being_change(&m->o, being, to);
    if (c->kind == COMMAND_SET) {
        out->values++;
        if (m->o.fault != MODEL_FAULT_COMMANDS_VALUE) {
            being->value[c->bits[0]] = c->values[0];
        }
    }
}

// Who is told of those that end with a tree.
struct gone {
    struct model *m;
    struct outcome *out;
    uint32_t world;
};

static void count_gone(void *context, const struct being *being) {
    struct gone *gone = context;
    bool was = was_alive(gone->m, gone->world, being->handle);
    gone->out->born_and_gone += was ? 0u : 1u;
}

static void run_command(struct model *m, const struct command *c, struct outcome *out) {
    struct being *being = being_find(&m->o, c->world, c->entity);
    uint32_t walked = world_is_walked(&m->o, c->world) ? RESULT_BIT(COSM_ERROR_WALKED) : 0;
    out->walked_may |= walked;
    out->worlds |= 1u << c->world;
    bool makes = c->kind == COMMAND_SPAWN || c->kind == COMMAND_EMIT;
    if (c->kind == COMMAND_SPAWN ? c->is_broken : !makes && !being) {
        bool harmless = c->kind == COMMAND_DESPAWN || c->kind == COMMAND_DESPAWN_TREE;
        bool counts = !harmless || m->o.fault == MODEL_FAULT_COMMANDS_SKIP_COUNT;
        out->report.skipped += counts ? 1u : 0u;
        return;
    }
    out->walked_must |= walked;
    if (makes && c->kind == COMMAND_SPAWN) {
        run_spawn(m, c, out);
    } else if (makes) {
        run_emit(m, c, out);
    } else if (c->kind == COMMAND_DESPAWN) {
        out->report.despawned++;
        out->born_and_gone += was_alive(m, c->world, c->entity) ? 0u : 1u;
        being_despawn(&m->o, c->world, being);
    } else if (c->kind == COMMAND_DESPAWN_TREE) {
        struct gone gone = {m, out, c->world};
        out->report.despawned += being_despawn_tree(&m->o, c->world, being, count_gone, &gone);
    } else if (c->kind == COMMAND_PARENT) {
        out->report.skipped += run_parent(m, c, being) ? 0u : 1u;
    } else {
        run_change(m, c, being, out);
    }
}

// What is wrong with the end, whatever the way to it; and who has moved.
static void judge_end(struct model *m, struct outcome *out) {
    for (uint32_t i = 0; i < out->stirred_count; i++) {
        uint32_t world = out->stirred[i].world;
        cosm_entity entity = out->stirred[i].entity;
        const struct being *being = being_find(&m->o, world, entity);
        if (!being || !was_alive(m, world, entity)) {
            continue;
        }
        uint64_t from = m->saved[world].beings[entity.id].set;
        if (table_set(&m->o, from) != table_set(&m->o, being->set)) {
            out->report.moved++;
            out->at_the_end |= is_sealed(m, from) ? RESULT_BIT(COSM_ERROR_SEALED) : 0;
        }
    }
    for (uint32_t i = 0; i < m->o.archetype_count; i++) {
        const struct archetype *archetype = &m->o.archetypes[i];
        uint32_t more = m->o.fault == MODEL_FAULT_FIXED_ONE_MORE ? 1u : 0u;
        for (uint32_t w = 0; archetype->max > 0 && w < m->o.world_count; w++) {
            bool over = row_count(&m->o, w, archetype) > archetype->max + more;
            out->at_the_end |= over ? RESULT_BIT(COSM_ERROR_FULL) : 0;
        }
    }
}

static void simulate(struct model *m, struct commands *const *list, uint32_t count,
                     struct outcome *out) {
    memset(out, 0, sizeof(*out));
    for (uint32_t i = 0; i < m->o.world_count; i++) {
        world_copy_beings(&m->saved[i], &m->o.worlds[i]);
        for (uint32_t k = 0; k < ORACLE_BAG_MAX; k++) {
            m->saved[i].bags[k].count = m->o.worlds[i].bags[k].count;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        bool reversed = m->o.fault == MODEL_FAULT_COMMANDS_REVERSED;
        const struct commands *commands = list[reversed ? count - 1 - i : i];
        for (uint32_t k = 0; k < commands->count; k++) {
            run_command(m, &commands->list[k], out);
        }
    }
    judge_end(m, out);
}

static void undo(struct model *m) {
    for (uint32_t i = 0; i < m->o.world_count; i++) {
        world_copy_beings(&m->o.worlds[i], &m->saved[i]);
        for (uint32_t k = 0; k < m->o.worlds[i].bag_count; k++) {
            m->o.worlds[i].bags[k].count = m->saved[i].bags[k].count;
        }
    }
}

// An entity that is born and despawned in one apply may count on both sides or on none.
static void check_report(struct model *m, const struct outcome *out,
                         const cosm_commands_report *got) {
    uint32_t hidden = out->report.spawned - got->spawned;
    if (got->skipped != out->report.skipped) {
        fail(m, "%u commands were skipped, and the report says %u", out->report.skipped,
             got->skipped);
    }
    if (hidden > out->born_and_gone || got->despawned != out->report.despawned - hidden) {
        fail(m, "%u were spawned and %u despawned, and the report says %u and %u",
             out->report.spawned, out->report.despawned, got->spawned, got->despawned);
    }
    if (got->moved < out->report.moved || got->moved > out->stirred_count) {
        fail(m, "%u entities were moved, and the report says %u", out->report.moved, got->moved);
    }
    if (got->written > out->values) {
        fail(m, "at most %u values were written, and the report says %u", out->values,
             got->written);
    }
}

// What recording has met before, in the order of the list.
static cosm_result first_failed(struct commands *const *list, uint32_t count) {
    cosm_result failed = COSM_OK;
    for (uint32_t i = 0; i < count && failed == COSM_OK; i++) {
        failed = list[i]->failed;
    }
    return failed;
}

static void forget_failed(struct commands *const *list, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        list[i]->failed = COSM_OK;
    }
}

// Judges an apply of some objects that the library has made, and follows it.
static void settle_apply(struct model *m, struct commands *const *list, uint32_t count,
                         cosm_result got, const struct outcome *out, uint32_t may,
                         const cosm_commands_report *report) {
    uint32_t must = out->walked_must;
    uint32_t wrong = may | out->walked_must | out->walked_may; // reasons to refuse the call itself
    may |= out->walked_may;
    if (out->at_the_end != 0) {
        must |= out->at_the_end | out->on_the_way;
    } else {
        may |= out->on_the_way;
    }
    must |= must != 0 ? may : 0;
    cosm_result failed = first_failed(list, count);
    if (failed != COSM_OK) {
        // Before anything is applied, and behind what is wrong with the call itself.
        must = RESULT_BIT(failed) | wrong;
        forget_failed(list, got == failed && (wrong & RESULT_BIT(got)) == 0 ? count : 0);
    }
    if (got == COSM_OK && out->report.skipped > 0) {
        // Commands that were passed over are reported, though the apply succeeds.
        if (cosm_error_result() != COSM_STALE || cosm_error_message()[0] == '\0') {
            fail(m, "commands were passed over, and the error slot says %s",
                 cosm_result_name(cosm_error_result()));
        }
        cosm_error_clear();
    }
    if (got != COSM_OK) {
        undo(m);
    }
    (void)settle(m, got, must, may, out->worlds);
    m->compare = true;
    if (got == COSM_OK && report) {
        check_report(m, out, report);
    }
    for (uint32_t i = 0; i < count; i++) {
        bool emptied = got == COSM_OK || m->o.fault == MODEL_FAULT_COMMANDS_LOST;
        list[i]->count = emptied ? 0 : list[i]->count;
        if (cosm_commands_count(list[i]->library) != list[i]->count) {
            fail(m, "after the apply an object holds %u commands instead of %u",
                 cosm_commands_count(list[i]->library), list[i]->count);
        }
    }
}

void apply_object(struct model *m, struct commands *commands, bool with_report) {
    say(m, "cosm_commands_apply(object %u) of %u commands", (unsigned)(commands - m->commands),
        commands->count);
    struct outcome out;
    simulate(m, &commands, 1, &out);
    cosm_commands_report report;
    memset(&report, 0xEE, sizeof(report));
    cosm_result got = cosm_commands_apply(commands->library, with_report ? &report : NULL);
    settle_apply(m, &commands, 1, got, &out, 0, with_report ? &report : NULL);
}

void op_commands_apply(struct model *m) {
    struct commands *commands = &m->commands[pick(m, MODEL_COMMANDS_MAX)];
    bool with_report = pick(m, 2) == 0;
    if (commands->library) {
        apply_object(m, commands, with_report);
    }
}

// A list with something in it that cannot be applied: nothing is.
static void apply_wrongly(struct model *m, cosm_commands *good) {
    cosm_commands *list[2] = {good, draw(m, 2) == 0 ? NULL : m->other_commands};
    say(m, "cosm_commands_apply_many() with %s among them",
        list[1] ? "an object of another batch" : "NULL");
    m->heap.fail_after = 0;
    if (cosm_commands_despawn(m->other_commands, cosm_batch_world(m->other_batch, 0),
                              COSM_ENTITY_NONE) != COSM_OK) {
        fail(m, "a command for another batch was refused");
    }
    cosm_result got = cosm_commands_apply_many(list, 2, NULL);
    uint32_t must = RESULT_BIT(COSM_ERROR_ARGUMENT) | RESULT_BIT(COSM_ERROR_WALKED);
    (void)settle(m, got, must, 0, 0);
    cosm_commands_clear(m->other_commands);
}

void op_commands_apply_many(struct model *m) {
    struct commands *list[MODEL_COMMANDS_MAX];
    cosm_commands *library[MODEL_COMMANDS_MAX + 1];
    uint32_t start = pick(m, MODEL_COMMANDS_MAX);
    bool backwards = pick(m, 2) == 1;
    bool twice = rarely(m, 16);
    bool wrongly = rarely(m, 16);
    uint32_t count = 0;
    for (uint32_t i = 0; i < MODEL_COMMANDS_MAX; i++) {
        uint32_t step = backwards ? MODEL_COMMANDS_MAX - i : i;
        struct commands *commands = &m->commands[(start + step) % MODEL_COMMANDS_MAX];
        if (commands->library) {
            list[count] = commands;
            library[count++] = commands->library;
        }
    }
    if (wrongly && count > 0) {
        apply_wrongly(m, library[0]);
        return;
    }
    twice = twice && count > 0;
    library[count] = twice ? library[0] : NULL;
    say(m, "cosm_commands_apply_many(%u objects, the first is %d%s)", count,
        count > 0 ? (int)(list[0] - m->commands) : -1, twice ? ", which is there twice" : "");
    struct outcome out;
    simulate(m, list, count, &out);
    cosm_commands_report report;
    memset(&report, 0xEE, sizeof(report));
    cosm_result got = cosm_commands_apply_many(library, count + (twice ? 1u : 0u), &report);
    // The headers do not say whether one object may be in the list twice.
    uint32_t may = twice ? RESULT_BIT(COSM_ERROR_ARGUMENT) : 0;
    settle_apply(m, list, count, got, &out, may, &report);
}
