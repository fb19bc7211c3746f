// The public calls of cosm/system.h.
#include <cosm/system.h>

#include "api/check.h"
#include "base/random.h"
#include "run/step.h"

// The turn that this thread is in, if it is this one; NULL with a message.
static struct turn *check_turn(const cosm_turn *turn, const char *call) {
    struct turn *now = cosmi_turn_now;
    if (turn == NULL || now == NULL || &now->open != turn) {
        (void)cosmi_fail(now == NULL ? NULL : now->worker->batch->sink, COSM_ERROR_ARGUMENT,
                         "%s: turn is NULL or is not the current turn of this thread; use the "
                         "turn that the system was called with, and only until it returns",
                         call);
        return NULL;
    }
    return now;
}

const cosm_query *cosm_turn_query(const cosm_turn *turn, uint32_t query_index) {
    const struct turn *now = check_turn(turn, "cosm_turn_query");
    return now == NULL || query_index >= now->system->query_count
               ? NULL
               : now->system->queries[query_index];
}

static bool has_worlds(const cosm_turn *turn, cosm_worlds worlds) {
    return worlds.batch == turn->worlds.batch && worlds.first >= turn->worlds.first &&
           worlds.count <= turn->worlds.count &&
           worlds.first - turn->worlds.first <= turn->worlds.count - worlds.count;
}

void cosm_turn_walk(const cosm_turn *turn, uint32_t query_index, cosm_worlds worlds,
                    cosm_rows *out_rows) {
    static const char call[] = "cosm_turn_walk";
    if (out_rows == NULL) {
        (void)cosmi_refuse_null(NULL, call, "out_rows", "pass a cosm_rows to fill");
        return;
    }
    memset(out_rows, 0, sizeof(*out_rows));
    const struct turn *now = check_turn(turn, call);
    if (now == NULL) {
        return;
    }
    const struct sink *sink = now->worker->batch->sink;
    if (query_index >= now->system->query_count) {
        (void)cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                         "%s: system '%s' has %u queries, so there is no query %u; add it to "
                         "desc.queries",
                         call, now->system->name, now->system->query_count, query_index);
        return;
    }
    if (!has_worlds(turn, worlds)) {
        (void)cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                         "%s: %u worlds from world %u are not all in this turn of system '%s', "
                         "which has %u from world %u; pass turn->worlds or a part of it",
                         call, worlds.count, worlds.first, now->system->name, turn->worlds.count,
                         turn->worlds.first);
        return;
    }
    cosmi_check_query(now->system->queries[query_index], worlds, call);
    turn_walk(now->system->queries[query_index], worlds, out_rows);
    out_rows->turn = turn;
    out_rows->context = turn->context;
    out_rows->dt = turn->dt;
}

cosm_commands *cosm_turn_commands(const cosm_turn *turn) {
    static const char call[] = "cosm_turn_commands";
    struct turn *now = check_turn(turn, call);
    if (now == NULL) {
        return NULL;
    }
    if (!now->system->commands) {
        (void)cosmi_fail(now->worker->batch->sink, COSM_ERROR_ACCESS,
                         "%s: system '%s' does not declare that it records commands; set "
                         "desc.commands",
                         call, now->system->name);
        return NULL;
    }
    return &now->worker->commands;
}

void *cosm_turn_scratch(const cosm_turn *turn, size_t size) {
    static const char call[] = "cosm_turn_scratch";
    struct turn *now = check_turn(turn, call);
    if (now == NULL) {
        return NULL;
    }
    // The arena aligns to 16. A piece of no bytes gets one, so that no two have one address.
    size_t taken = (size == 0 ? 1 : size) + 48;
    char *bytes = size > PTRDIFF_MAX ? NULL : cosmi_arena_alloc(&now->worker->scratch, taken, 16);
    if (bytes == NULL) {
        (void)cosmi_fail_memory(now->worker->batch->sink, &now->worker->batch->memory, call);
        return NULL;
    }
    return bytes + (-(uintptr_t)bytes & 63);
}

cosm_random cosm_turn_random(const cosm_turn *turn, cosm_world world, uint32_t stream) {
    static const char call[] = "cosm_turn_random";
    const struct turn *now = check_turn(turn, call);
    if (now == NULL) {
        return cosmi_random_stream(0, 0, 0, 0, stream);
    }
    if (!world_exists(world)) {
        (void)cosmi_refuse_world(world, call);
        return cosmi_random_stream(0, 0, 0, 0, stream);
    }
    if (world.batch != now->worker->batch) {
        (void)cosmi_fail(now->worker->batch->sink, COSM_ERROR_ARGUMENT,
                         "%s: the world belongs to another batch than the turn of system '%s'; "
                         "use cosm_world_random for it",
                         call, now->system->name);
        return cosmi_random_stream(0, 0, 0, 0, stream);
    }
    return cosmi_random_stream(world_seed(world.batch, world.index), now->system->name_hash,
                               world_number(world.batch, world.index),
                               world_step(world.batch, world.index), stream);
}

void cosm_turn_fail(const cosm_turn *turn, const char *message) {
    const struct turn *now = check_turn(turn, "cosm_turn_fail");
    if (now != NULL) {
        (void)cosmi_fail(now->worker->batch->sink, COSM_ERROR_SYSTEM, "system '%s': %s",
                         now->system->name, message == NULL ? "failed" : message);
    }
}
