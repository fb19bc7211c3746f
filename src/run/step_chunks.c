// By chunk: level by level, with the rows of a level's systems spread over the workers.
#include "run/step.h"

#define ITEMS_PER_WORKER 4u // so that a worker that falls behind is helped out

// A piece of work: a lane or some chunks of one table, or (no match) a whole turn on one world.
struct chunk_item {
    const struct match *match;
    const struct store *table;
    struct reservation *reservation;
    uint32_t place;
    uint32_t world;
    uint32_t row;
    uint32_t count;
    uint32_t lane;
};

// The items of one level.
struct chunk_work {
    struct step *step;
    struct chunk_item *items;
    uint32_t count;
    uint32_t capacity;
    uint32_t worker_count;
    bool out_of_memory;
};

static void add_item(struct chunk_work *work, struct chunk_item item) {
    if (work->count == work->capacity) {
        uint32_t more = work->capacity == 0 ? 64 : work->capacity * 2;
        struct chunk_item *items =
            cosmi_arena_alloc(&work->step->run->items, more * sizeof(*items), sizeof(void *));
        if (items == NULL) {
            work->out_of_memory = true;
            return;
        }
        if (work->count > 0) {
            memcpy(items, work->items, work->count * sizeof(*items));
        }
        work->items = items;
        work->capacity = more;
    }
    work->items[work->count++] = item;
}

// Remembers what the worker has recorded since `before` as one chain.
static void keep_chain(struct worker *worker, struct lane_chain chain, const struct command *before,
                       uint32_t count_before) {
    chain.chain.count = worker->commands.count - count_before;
    if (chain.chain.count > 0) {
        INVARIANT(worker->chain_count < worker->chain_capacity, "room for chains was made before");
        chain.chain.first = before == NULL ? worker->commands.first : before->next;
        worker->chains[worker->chain_count++] = chain;
    }
}

// A whole turn by one worker.
static void run_turn(struct step *step, struct worker *worker, uint32_t place, cosm_worlds worlds) {
    const struct command *before = worker->commands.last;
    uint32_t count_before = worker->commands.count;
    cosmi_turn_run(step, worker, place, worlds);
    struct lane_chain chain = {.order = worker->turn.order, .world = worlds.first};
    keep_chain(worker, chain, before, count_before);
}

static void run_item(struct step *step, struct worker *worker, const struct chunk_item *item) {
    cosm_worlds world = {step->batch, item->world, 1};
    if (item->match == NULL) {
        run_turn(step, worker, item->place, world);
        return;
    }
    const struct system *system = step->phase->systems[item->place];
    const struct command *before = worker->commands.last;
    uint32_t count_before = worker->commands.count;
    uint64_t begin_ns = UNLIKELY(step->batch->profile != NULL) ? cosmi_os_now_ns() : 0;
    cosmi_turn_begin(step, worker, item->place, world);
    worker->turn.reservation = item->reservation;
    worker->turn.lane = item->lane;
    worker->watch.now = turn_order(worker->turn.order, item->lane);
    cosm_rows rows;
    cosmi_rows_slice(&rows, system->queries[0], item->match, item->table,
                     batch_world(step->batch, item->world), item->row, item->count);
    rows.reader = worker->turn.readers == NULL ? NULL : worker->turn.readers->readers[0];
    cosmi_turn_each(&worker->turn, &rows);
    cosmi_turn_end(step, worker, begin_ns);
    struct lane_chain chain = {
        .order = worker->turn.order, .world = item->world, .lane = item->lane};
    keep_chain(worker, chain, before, count_before);
    if (item->reservation != NULL) {
        INVARIANT(item->lane < item->reservation->lane_count, "a lane of the world");
        atomic_store_explicit(&item->reservation->done[item->lane], 1, memory_order_release);
    }
}

static void work_item(void *context, uint32_t item, uint32_t worker) {
    const struct chunk_work *work = context;
    run_item(work->step, work->step->run->workers[worker], &work->items[item]);
}

// Cuts the rows of one table into items of at most `most` rows, which is a number of chunks.
static void cut_table(struct chunk_work *work, struct chunk_item item, uint32_t rows, uint32_t most,
                      uint32_t *lane) {
    for (uint32_t row = 0; row < rows; row += most) {
        item.row = row;
        item.count = rows - row < most ? rows - row : most;
        item.lane = (*lane)++;
        add_item(work, item);
    }
}

// The ids for the lanes of one system in one world; NULL when out of memory.
static struct reservation *make_reservation(struct chunk_work *work, uint32_t lane_count) {
    struct arena *arena = &work->step->run->items;
    struct reservation *reservation =
        cosmi_arena_alloc(arena, sizeof(*reservation), _Alignof(struct reservation));
    atomic_uchar *done = cosmi_arena_alloc(arena, lane_count + 1, 1);
    cosm_entity *ids =
        cosmi_arena_alloc(arena, (size_t)lane_count * LANE_IDS * sizeof(*ids) + 1, 8);
    uint8_t *taken = cosmi_arena_alloc(arena, lane_count + 1, 1);
    if (reservation == NULL || done == NULL || ids == NULL || taken == NULL) {
        work->out_of_memory = true;
        return NULL;
    }
    *reservation = (struct reservation){.lane_count = lane_count,
                                        .ids = ids,
                                        .taken = taken,
                                        .done = done,
                                        .lock = ATOMIC_FLAG_INIT};
    for (uint32_t i = 0; i < lane_count; i++) {
        atomic_init(&done[i], 0);
    }
    return reservation;
}

// The rows of items of a system that records nothing: as many as make enough items for all workers.
static uint32_t rows_of_items(uint64_t rows, uint32_t chunk_rows, uint32_t worker_count) {
    uint64_t wanted = rows / (worker_count * ITEMS_PER_WORKER) + 1;
    uint64_t chunks = (wanted + chunk_rows - 1) / chunk_rows;
    uint64_t most = chunks * chunk_rows;
    return most < COSM_TABLE_ROW_MAX ? (uint32_t)most : COSM_TABLE_ROW_MAX;
}

static void split_world(struct chunk_work *work, uint32_t place, uint32_t world) {
    struct step *step = work->step;
    const struct system *system = step->phase->systems[place];
    const cosm_query *query = system->queries[0];
    struct chunk_item item = {.place = place, .world = world};
    struct lane_cut cut = {0, 0};
    uint64_t rows = 0;
    if (system->commands) {
        cut = cosmi_lane_cut(query, step->batch, world, false);
        item.reservation = make_reservation(work, cut.lane_count);
    } else {
        rows = cosmi_query_count_rows(query, (cosm_worlds){step->batch, world, 1});
    }
    uint32_t lane = 0;
    for (struct match *m = match_first(query); m != NULL && !work->out_of_memory;
         m = match_next(m)) {
        item.match = m;
        uint32_t most = system->commands
                            ? lane_rows(cut, m->archetype)
                            : rows_of_items(rows, m->archetype->chunk_rows, work->worker_count);
        const struct store *table = cosmi_match_table(query, m, step->batch, world, NULL);
        for (; table != NULL; table = cosmi_match_table(query, m, step->batch, world, table)) {
            item.table = table;
            cut_table(work, item, table->counts[world], most, &lane);
        }
    }
}

static void split_system(struct chunk_work *work, uint32_t place) {
    const struct system *system = work->step->phase->systems[place];
    for (uint32_t w = 0; w < work->step->batch->world_count && !work->out_of_memory; w++) {
        if (system->splits) {
            split_world(work, place, w);
        } else {
            add_item(work, (struct chunk_item){.place = place, .world = w});
        }
    }
}

// Ids that the lanes of this level did not use.
static void end_reservations(const struct chunk_work *work) {
    struct worker *first = work->step->run->workers[0];
    struct failure_watch *outer = cosmi_error_watch(&first->watch);
    const struct reservation *last = NULL;
    for (uint32_t i = 0; i < work->count; i++) {
        struct reservation *reservation = work->items[i].reservation;
        if (reservation != NULL && reservation != last) {
            const struct step *step = work->step;
            cosmi_reservation_end(first, reservation,
                                  step->phase->order_first + work->items[i].place,
                                  work->items[i].world);
            last = reservation;
        }
    }
    (void)cosmi_error_watch(outer);
}

// Room for all chains that the items may leave, and for the turns of a level run alone: keeping a
// chain cannot fail then.
static bool reserve_chains(struct chunk_work *work) {
    uint32_t more = work->count + work->step->phase->system_count;
    for (uint32_t s = 0; s < work->worker_count; s++) {
        if (!cosmi_worker_reserve(work->step->run->workers[s], more)) {
            return false;
        }
    }
    return true;
}

static void run_level_alone(struct step *step, const struct plan_level *level) {
    cosm_worlds all = {step->batch, 0, step->batch->world_count};
    for (uint32_t i = level->first; i < level->first + level->count; i++) {
        uint32_t place = step->phase->order[i];
        if (step->active[place]) {
            run_turn(step, step->run->workers[0], place, all);
        }
    }
}

// The systems of a level look for changes together, before the first of them is called. False: none
// of them does.
static bool advance_readers(struct step *step, const struct plan_level *level) {
    bool has_readers = false;
    cosm_worlds all = {step->batch, 0, step->batch->world_count};
    for (uint32_t i = level->first; i < level->first + level->count; i++) {
        uint32_t place = step->phase->order[i];
        const struct system *system = step->phase->systems[place];
        if (step->active[place] && system->reads_changes) {
            has_readers = true;
            cosmi_readers_advance(cosmi_readers_find(&step->run->readers, system), system, all);
        }
    }
    return has_readers;
}

// `system` is the one that runs, or 0 where there are several.
static void run_level_items(struct chunk_work *work, const struct plan_level *level,
                            uint32_t system) {
    struct step *step = work->step;
    bool has_readers = advance_readers(step, level);
    if (work->count > 0) {
        struct worker_job job = {.work = work_item,
                                 .context = work,
                                 .item_count = work->count,
                                 .worker_count = work->worker_count};
        step->is_side_by_side = true;
        cosmi_step_job(step, &job, system);
        step->is_side_by_side = false;
    }
    if (has_readers) {
        cosmi_clocks_tick((cosm_worlds){step->batch, 0, step->batch->world_count});
    }
    end_reservations(work);
}

// False when there is no memory for the items: then nothing was done.
static bool run_level_split(struct step *step, const struct plan_level *level,
                            uint32_t worker_count) {
    struct chunk_work work = {.step = step, .worker_count = worker_count};
    uint32_t systems = 0;
    uint32_t last = 0;
    bool is_recording = false;
    for (uint32_t i = level->first; i < level->first + level->count; i++) {
        uint32_t place = step->phase->order[i];
        if (step->active[place]) {
            split_system(&work, place);
            last = step->phase->systems[place]->id;
            is_recording = is_recording || step->phase->systems[place]->commands;
            systems++;
        }
    }
    if (!work.out_of_memory && is_recording && !reserve_chains(&work)) {
        work.out_of_memory = true;
    }
    if (!work.out_of_memory) {
        run_level_items(&work, level, systems == 1 ? last : 0);
    }
    cosmi_arena_clear(&step->run->items);
    return !work.out_of_memory;
}

static void run_level(struct step *step, const struct plan_level *level) {
    const struct system *first = step->phase->by_level[level->first];
    struct run_choice choice = {1, 0, NULL};
    bool is_one_turn = first->global || first->exclusive;
    if (!is_one_turn) {
        choice = cosmi_choose_begin(step, level->cost);
    }
    if (choice.worker_count == 1 || !run_level_split(step, level, choice.worker_count)) {
        run_level_alone(step, level);
    }
    cosmi_choose_end(&choice);
}

void cosmi_step_chunks(struct step *step, const struct plan_segment *segment) {
    const struct plan_phase *phase = step->phase;
    // Whatever its levels do, a segment that has become short goes back to one thread.
    struct run_choice whole = cosmi_choose_watch(step, segment->cost);
    for (uint32_t s = 0; s < segment->count; s++) {
        const struct plan_stage *stage = &phase->stages[segment->first + s];
        for (uint32_t i = 0; i < stage->level_count; i++) {
            run_level(step, &phase->levels[stage->level_first + i]);
        }
        cosmi_sync_all(step, stage->first + stage->count - 1);
    }
    cosmi_choose_end(&whole);
}
