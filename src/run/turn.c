// Turns: calling a system on rows, lane by lane where it records commands.
#include "run/step.h"

_Thread_local struct turn *cosmi_turn_now;

struct lane_cut cosmi_lane_cut(const cosm_query *query, const struct cosm_batch *batch,
                               uint32_t world, bool whole) {
    uint32_t tables = 0;
    uint64_t chunks = 0;
    for (struct match *m = match_first(query); m != NULL; m = match_next(m)) {
        uint64_t chunk_rows = m->archetype->chunk_rows;
        const struct store *table = cosmi_match_table(query, m, batch, world, NULL);
        for (; table != NULL; table = cosmi_match_table(query, m, batch, world, table)) {
            tables++;
            chunks += (table->counts[world] + chunk_rows - 1) / chunk_rows;
        }
    }
    if (whole) {
        return (struct lane_cut){tables, 0};
    }
    struct lane_cut cut = {0, (uint32_t)((chunks + LANE_MAX - 1) / LANE_MAX)};
    cut.chunks = cut.chunks == 0 ? 1 : cut.chunks;
    for (struct match *m = match_first(query); m != NULL; m = match_next(m)) {
        uint64_t each = (uint64_t)cut.chunks * m->archetype->chunk_rows;
        const struct store *table = cosmi_match_table(query, m, batch, world, NULL);
        for (; table != NULL; table = cosmi_match_table(query, m, batch, world, table)) {
            cut.lane_count += (uint32_t)((table->counts[world] + each - 1) / each);
        }
    }
    return cut;
}

// Sets ids aside for all lanes. False when out of memory or out of ids: spawns then fail.
static bool make_ids(struct reservation *reservation, struct worker *worker, struct world *world) {
    uint32_t count = reservation->lane_count * LANE_IDS;
    if (reservation->ids == NULL) {
        reservation->ids = cosmi_arena_alloc(&worker->lanes, count * sizeof(*reservation->ids), 8);
        reservation->taken = cosmi_arena_alloc(&worker->lanes, reservation->lane_count, 1);
    }
    if (reservation->ids == NULL || reservation->taken == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        reservation->ids[i] = cosmi_directory_reserve_id(world);
    }
    memset(reservation->taken, 0, reservation->lane_count);
    atomic_store_explicit(&reservation->is_made, true, memory_order_release);
    return true;
}

static bool reserve_ids(struct reservation *reservation, struct worker *worker,
                        struct world *world) {
    if (atomic_load_explicit(&reservation->is_made, memory_order_acquire)) {
        return true;
    }
    while (atomic_flag_test_and_set_explicit(&reservation->lock, memory_order_acquire)) {
        cpu_relax();
    }
    bool made = atomic_load_explicit(&reservation->is_made, memory_order_relaxed) ||
                make_ids(reservation, worker, world);
    atomic_flag_clear_explicit(&reservation->lock, memory_order_release);
    return made;
}

// Lanes are begun in their order, so the first one that is not done is at work and waits for
// nobody.
static void wait_for_lanes(const struct reservation *reservation, uint32_t lane) {
    for (uint32_t before = 0; reservation->done != NULL && before < lane; before++) {
        for (uint32_t tries = 0;
             atomic_load_explicit(&reservation->done[before], memory_order_acquire) == 0; tries++) {
            cpu_relax();
            if (tries % 64 == 63) {
                cosmi_thread_yield();
            }
        }
    }
}

cosm_entity cosmi_turn_reserve_id(struct turn *turn, uint32_t world_index,
                                  cosm_result *out_result) {
    *out_result = COSM_ERROR_LIMIT;
    struct reservation *reservation = turn->reservation;
    struct cosm_batch *batch = turn->open.worlds.batch;
    struct world *world = &batch->worlds[world_index];
    if (reservation == NULL) {
        return cosmi_directory_reserve_id(world);
    }
    if (reservation->lane_count == 0) {
        reservation->lane_count =
            cosmi_lane_cut(turn->system->queries[0], batch, world_index, turn->system->whole)
                .lane_count;
    }
    if (reservation->lane_count == 1) {
        return cosmi_directory_reserve_id(world);
    }
    if (!reserve_ids(reservation, turn->worker, world)) {
        *out_result = COSM_ERROR_MEMORY;
        return COSM_ENTITY_NONE;
    }
    INVARIANT(turn->lane < reservation->lane_count, "the lanes of a turn are those that were cut");
    if (turn->lane_spawns < LANE_IDS) {
        reservation->taken[turn->lane]++;
        return reservation->ids[turn->lane * LANE_IDS + turn->lane_spawns++];
    }
    wait_for_lanes(reservation, turn->lane);
    return cosmi_directory_reserve_id(world);
}

bool cosmi_spares_reserve(struct worker *worker, uint32_t count) {
    struct spare_id *spares =
        cosmi_array_grow(&worker->batch->memory, worker->spares, &worker->spare_capacity,
                         worker->spare_count + count, sizeof(*spares));
    if (spares == NULL) {
        return false;
    }
    worker->spares = spares;
    return true;
}

void cosmi_reservation_end(struct worker *worker, struct reservation *reservation, uint32_t order,
                           uint32_t world) {
    if (!atomic_load_explicit(&reservation->is_made, memory_order_acquire)) {
        return;
    }
    if (!cosmi_spares_reserve(worker, reservation->lane_count * LANE_IDS)) {
        // They stay reserved until the world is reset; nothing else is lost.
        (void)cosmi_fail_memory(worker->batch->sink, &worker->batch->memory, "cosm_batch_step");
        return;
    }
    uint32_t sequence = 0;
    for (uint32_t lane = 0; lane < reservation->lane_count; lane++) {
        INVARIANT(reservation->taken[lane] <= LANE_IDS, "a lane takes no more than it has");
        for (uint32_t i = reservation->taken[lane]; i < LANE_IDS; i++) {
            cosm_entity entity = reservation->ids[lane * LANE_IDS + i];
            // Past the limit there was nothing to reserve.
            if (entity.id < COSM_WORLD_ENTITY_MAX) {
                worker->spares[worker->spare_count++] =
                    (struct spare_id){order, sequence++, world, entity};
            }
        }
    }
}

void cosmi_turn_begin(struct step *step, struct worker *worker, uint32_t place,
                      cosm_worlds worlds) {
    struct turn *turn = &worker->turn;
    const struct system *system = step->phase->systems[place];
    turn->open.worlds = worlds;
    turn->open.dt = step->dt;
    turn->open.worker = worker->index;
    turn->open.step = step->batch->step_count;
    turn->open.system = (cosm_system){system->id};
    turn->open.context = system->context;
    turn->system = system;
    turn->worker = worker;
    turn->reservation = NULL;
    turn->readers = system->reads_changes ? cosmi_readers_find(&step->run->readers, system) : NULL;
    turn->lane = 0;
    turn->lane_spawns = 0;
    turn->order = step->phase->order_first + place;
    turn->is_counting = system->exclusive;
    turn->rows = 0;
    turn->rows_now = NULL;
    turn->outer = cosmi_turn_now;
    worker->watch.now = turn_order(turn->order, 0);
    worker->watch.detail = &turn->open.worlds.first;
    worker->commands.turn = system->commands ? turn : NULL;
    cosmi_turn_now = turn;
    turn->outer_watch = cosmi_error_watch(&worker->watch);
    cosmi_check_turn_begin(turn);
}

static void forget_walks(atomic_uint *count, bool *found) {
    if (atomic_load_explicit(count, memory_order_relaxed) != 0) {
        atomic_store_explicit(count, 0, memory_order_relaxed);
        *found = true;
    }
}

// Ends walks that an exclusive system left open; nobody else may walk its worlds.
COLD static void end_walks(struct turn *turn) {
    cosm_worlds worlds = turn->open.worlds;
    struct cosm_batch *batch = worlds.batch;
    bool found = false;
    for (uint32_t w = worlds.first; w < worlds.first + worlds.count; w++) {
        forget_walks(&batch->worlds[w].walks, &found);
        forget_walks(&batch->worlds[w].walks_shared, &found);
        bool is_block = w % WALK_BLOCK == 0 && worlds.first + worlds.count - w >= WALK_BLOCK;
        if (is_block) {
            forget_walks(&batch->block_walks[w / WALK_BLOCK], &found);
        }
    }
    if (worlds.count == batch->world_count) {
        forget_walks(&batch->walks, &found);
        found = found || atomic_load_explicit(&batch->walks_shared, memory_order_relaxed) != 1;
        atomic_store_explicit(&batch->walks_shared, 1, memory_order_relaxed);
    }
    if (found) {
        (void)cosmi_fail(batch->sink, COSM_ERROR_WALKED,
                         "cosm_batch_step: system '%s' left a walk of its worlds open; finish the "
                         "walk, or call cosm_rows_end",
                         turn->system->name);
    }
}

void cosmi_turn_end(struct step *step, struct worker *worker, uint64_t begin_ns) {
    struct turn *turn = &worker->turn;
    INVARIANT(cosmi_turn_now == turn, "turns end in the reverse order of their beginnings");
    if (UNLIKELY(turn->is_counting)) {
        end_walks(turn);
    }
    cosmi_check_turn_end(turn);
    cosmi_turn_now = turn->outer;
    (void)cosmi_error_watch(turn->outer_watch);
    worker->watch.detail = NULL;
    worker->commands.turn = NULL;
    if (UNLIKELY(step->batch->profile != NULL)) {
        struct profile_turn done = {
            .system = turn->system->id,
            .thread = cosmi_workers_thread_number(),
            .world_first = turn->open.worlds.first,
            .world_count = turn->open.worlds.count,
            .rows = turn->rows,
            .begin_ns = begin_ns,
            .end_ns = cosmi_os_now_ns(),
        };
        cosmi_profile_add_turn(step->batch->profile, worker->index, &done);
    }
}

static void call_each(cosm_rows *rows) {
    // What a system sees is the first member of its turn.
    struct turn *turn = (struct turn *)rows->turn;
    turn->rows_now = rows;
    struct rows_seal seal = cosmi_check_rows_begin(turn, rows);
    turn->system->each(rows);
    cosmi_check_rows_end(turn, rows, &seal);
    turn->rows_now = NULL;
}

void cosmi_turn_each(struct turn *turn, cosm_rows *rows) {
    turn->worker->watch.detail = &rows->world;
    turn->rows += rows->count;
    rows->turn = &turn->open;
    rows->context = turn->open.context;
    rows->dt = turn->open.dt;
    cosmi_rows_sift(rows, call_each);
    turn->worker->watch.detail = &turn->open.worlds.first;
}

// Rows [first, first + count) of a run that lies in one world.
static void cut_rows(const cosm_rows *rows, uint32_t first, uint32_t count, cosm_rows *out_rows) {
    *out_rows = *rows;
    out_rows->match = NULL;
    out_rows->row = rows->row + first;
    out_rows->first = rows->first + first;
    out_rows->count = count;
    out_rows->entities = rows->entities == NULL ? NULL : rows->entities + first;
    for (uint32_t t = 0; t < rows->term_count; t++) {
        if (rows->columns[t] != NULL) {
            out_rows->columns[t] = (char *)rows->columns[t] + (size_t)first * rows->terms[t].size;
        }
    }
}

static void next_lane(struct turn *turn) {
    turn->lane++;
    turn->lane_spawns = 0;
    turn->worker->watch.now = turn_order(turn->order, turn->lane);
}

// The lanes of one table of one world.
static void run_table(struct turn *turn, cosm_rows *rows, struct lane_cut *cut) {
    const struct system *system = turn->system;
    const struct archetype *archetype = schema_archetype(rows->batch->schema, rows->archetype.id);
    if (LIKELY(system->whole || rows->count <= archetype->chunk_rows)) {
        cosmi_turn_each(turn, rows);
        next_lane(turn);
        return;
    }
    if (cut->lane_count == 0) {
        *cut = cosmi_lane_cut(system->queries[0], rows->batch, rows->world, false);
    }
    uint32_t most = lane_rows(*cut, archetype);
    for (uint32_t first = 0; first < rows->count; first += most) {
        uint32_t left = rows->count - first;
        cosm_rows lane;
        cut_rows(rows, first, left < most ? left : most, &lane);
        cosmi_turn_each(turn, &lane);
        next_lane(turn);
    }
}

// World by world and lane by lane: ids and the order of commands are those of lanes.
static void run_lanes(struct turn *turn, cosm_worlds worlds) {
    for (uint32_t w = worlds.first; w < worlds.first + worlds.count; w++) {
        struct reservation reservation = {.lock = ATOMIC_FLAG_INIT};
        struct lane_cut cut = {0, 0};
        cosm_worlds one = {worlds.batch, w, 1};
        cosm_rows rows;
        turn->open.worlds = one;
        turn->reservation = turn->system->commands ? &reservation : NULL;
        turn->lane = 0;
        turn->lane_spawns = 0;
        turn->worker->watch.now = turn_order(turn->order, 0);
        cosmi_walk_open(turn->system->queries[0], one, &rows);
        rows.is_sieved = 0; // lanes are cut from whole tables
        rows.reader = turn->readers == NULL ? NULL : turn->readers->readers[0];
        while (cosmi_walk_next(&rows)) {
            run_table(turn, &rows, &cut);
        }
        cosmi_reservation_end(turn->worker, &reservation, turn->order, w);
    }
    turn->open.worlds = worlds;
}

static void run_walk(struct turn *turn, cosm_worlds worlds) {
    cosm_rows rows;
    cosmi_walk_open(turn->system->queries[0], worlds, &rows);
    rows.turn = &turn->open;
    rows.context = turn->open.context;
    rows.dt = turn->open.dt;
    rows.reader = turn->readers == NULL ? NULL : turn->readers->readers[0];
    turn->worker->watch.detail = &rows.world;
#ifdef COSM_CHECKS
    turn->rows = cosmi_walk_each(turn->system->queries[0], &rows, call_each);
#else
    // Straight to the system: with tables of a few rows one call more is felt.
    turn->rows = cosmi_walk_each(turn->system->queries[0], &rows, turn->system->each);
#endif
    turn->worker->watch.detail = &turn->open.worlds.first;
}

// Is there no row for certain? In one world all tables are looked at; in many that would be a walk.
static bool is_idle(const cosm_query *query, cosm_worlds worlds) {
    const struct match *match = match_first(query);
    if (worlds.count == 1) {
        while (match != NULL &&
               cosmi_match_table(query, match, worlds.batch, worlds.first, NULL) == NULL) {
            match = match_next(match);
        }
    }
    return match == NULL;
}

void cosmi_turn_run(struct step *step, struct worker *worker, uint32_t place, cosm_worlds worlds) {
    const struct system *system = step->phase->systems[place];
    if (system->each != NULL && !system->reads_changes && is_idle(system->queries[0], worlds)) {
        return;
    }
    uint64_t begin_ns = UNLIKELY(step->batch->profile != NULL) ? cosmi_os_now_ns() : 0;
    cosmi_turn_begin(step, worker, place, worlds);
    bool has_readers = system->reads_changes && !step->is_side_by_side;
    if (UNLIKELY(has_readers)) {
        cosmi_readers_advance(worker->turn.readers, system, worlds);
    }
    if (system->run != NULL) {
        system->run(&worker->turn.open);
    } else if (system->commands || system->whole) {
        run_lanes(&worker->turn, worlds);
    } else {
        run_walk(&worker->turn, worlds);
    }
    if (UNLIKELY(has_readers)) {
        cosmi_clocks_tick(worlds);
    }
    cosmi_turn_end(step, worker, begin_ns);
}
