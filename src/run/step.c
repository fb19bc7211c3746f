// Steps: taking the plan, calling hooks, running phases, telling the first failure.
#include "run/step.h"

// Keeps what a batch has for its steps, made with the first one.
static struct batch_run *make_run(struct cosm_batch *batch) {
    struct batch_run *run =
        cosmi_memory_alloc_zeroed(&batch->memory, sizeof(*run), _Alignof(struct batch_run));
    if (run == NULL) {
        return NULL;
    }
    run->worker_count = batch->runner->workers.worker_count;
    size_t size = run->worker_count * sizeof(struct worker *);
    run->workers = cosmi_memory_alloc_zeroed(&batch->memory, size, sizeof(void *));
    if (run->workers == NULL) {
        cosmi_memory_free(&batch->memory, run, sizeof(*run), _Alignof(struct batch_run));
        return NULL;
    }
    cosmi_arena_init(&run->items, &batch->memory);
    cosmi_mutex_lock(&batch->runner->lock);
    batch->run = run;
    cosmi_mutex_unlock(&batch->runner->lock);
    return run;
}

static struct worker *make_worker(struct cosm_batch *batch, uint32_t index) {
    struct worker *worker =
        cosmi_memory_alloc_zeroed(&batch->memory, sizeof(*worker), _Alignof(struct worker));
    if (worker != NULL) {
        worker->batch = batch;
        worker->index = index;
        cosmi_commands_init(&worker->commands, batch);
        worker->commands.is_of_turn = true;
        cosmi_arena_init(&worker->scratch, &batch->memory);
        cosmi_arena_init(&worker->lanes, &batch->memory);
    }
    return worker;
}

bool cosmi_worker_reserve(struct worker *worker, uint32_t chain_count) {
    struct lane_chain *chains =
        cosmi_array_grow(&worker->batch->memory, worker->chains, &worker->chain_capacity,
                         worker->chain_count + chain_count, sizeof(*chains));
    if (chains == NULL) {
        return false;
    }
    worker->chains = chains;
    return true;
}

static void free_worker(struct cosm_batch *batch, struct worker *worker) {
    cosmi_commands_free(&worker->commands);
    cosmi_arena_free(&worker->scratch);
    cosmi_arena_free(&worker->lanes);
    cosmi_array_free(&batch->memory, worker->chains, worker->chain_capacity,
                     sizeof(*worker->chains));
    cosmi_array_free(&batch->memory, worker->spares, worker->spare_capacity,
                     sizeof(*worker->spares));
    cosmi_memory_free(&batch->memory, worker, sizeof(*worker), _Alignof(struct worker));
}

uint32_t cosmi_step_workers(struct step *step, uint32_t count) {
    struct batch_run *run = step->run;
    uint32_t made = 0;
    while (made < count) {
        if (run->workers[made] == NULL) {
            run->workers[made] = make_worker(step->batch, made);
        }
        if (run->workers[made] == NULL) {
            break;
        }
        made++;
    }
    return made;
}

void cosmi_step_trim(struct cosm_batch *batch) {
    struct batch_run *run = batch->run;
    for (uint32_t s = 0; run != NULL && s < run->worker_count; s++) {
        if (run->workers[s] != NULL) {
            free_worker(batch, run->workers[s]);
            run->workers[s] = NULL;
        }
    }
    if (run != NULL) {
        cosmi_arena_free(&run->items);
        run->plan_number = 0; // the next step makes the first worker again
    }
}

void cosmi_step_free(struct cosm_batch *batch) {
    struct batch_run *run = batch->run;
    if (run == NULL) {
        return;
    }
    for (uint32_t s = 0; s < run->worker_count; s++) {
        if (run->workers[s] != NULL) {
            free_worker(batch, run->workers[s]);
        }
    }
    cosmi_memory_free(&batch->memory, run->workers, run->worker_count * sizeof(struct worker *),
                      sizeof(void *));
    cosmi_array_free(&batch->memory, run->active, run->active_capacity, 1);
    cosmi_array_free(&batch->memory, run->costs, run->cost_capacity, sizeof(*run->costs));
    cosmi_array_free(&batch->memory, run->inits, run->init_capacity, sizeof(struct system *));
    cosmi_readers_free(batch, &run->readers);
    cosmi_arena_free(&run->items);
    cosmi_memory_free(&batch->memory, run, sizeof(*run), _Alignof(struct batch_run));
    batch->run = NULL;
}

// Under the runner's lock, as all of the list is: a system may be removed from it by another
// thread.
static bool was_initialised(struct step *step, const struct system *system) {
    const struct batch_run *run = step->run;
    bool found = false;
    cosmi_mutex_lock(&step->batch->runner->lock);
    for (uint32_t i = 0; i < run->init_count && !found; i++) {
        found = run->inits[i] == system;
    }
    cosmi_mutex_unlock(&step->batch->runner->lock);
    return found;
}

// Makes room for one more, so that adding it cannot fail.
static bool reserve_init(struct step *step) {
    struct batch_run *run = step->run;
    cosmi_mutex_lock(&step->batch->runner->lock);
    struct system **inits = cosmi_array_grow(&step->batch->memory, run->inits, &run->init_capacity,
                                             run->init_count + 1, sizeof(struct system *));
    run->inits = inits == NULL ? run->inits : inits;
    cosmi_mutex_unlock(&step->batch->runner->lock);
    return inits != NULL;
}

static void add_init(struct step *step, struct system *system) {
    cosmi_mutex_lock(&step->batch->runner->lock);
    step->run->inits[step->run->init_count++] = system;
    cosmi_mutex_unlock(&step->batch->runner->lock);
}

// Calls the init hook of a system that is new to this batch. The list needs no reference: a system
// that ends is disposed in all batches first.
static cosm_result init_system(struct step *step, struct system *system) {
    if (!reserve_init(step)) {
        return cosmi_fail_memory(step->batch->sink, &step->batch->memory, step->call);
    }
    if (system->init != NULL) {
        cosm_result result = system->init(system->context, step->batch);
        if (result != COSM_OK) {
            return cosmi_fail(step->batch->sink, result,
                              "%s: the init hook of system '%s' failed with %s; fix the cause and "
                              "step again",
                              step->call, system->name, cosm_result_name(result));
        }
    }
    add_init(step, system);
    return COSM_OK;
}

// Gets the batch ready for a plan that is new to it.
static cosm_result adopt_plan(struct step *step) {
    struct batch_run *run = step->run;
    struct memory *memory = &step->batch->memory;
    uint32_t system_count = step->plan->system_count;
    uint8_t *active = cosmi_array_grow(memory, run->active, &run->active_capacity, system_count + 1,
                                       sizeof(*active));
    run->active = active == NULL ? run->active : active;
    struct run_cost *costs = cosmi_array_grow(memory, run->costs, &run->cost_capacity,
                                              step->plan->cost_count + 1, sizeof(*costs));
    run->costs = costs == NULL ? run->costs : costs;
    if (active == NULL || costs == NULL || cosmi_step_workers(step, 1) == 0 ||
        !cosmi_worker_reserve(run->workers[0], system_count)) {
        return cosmi_fail_memory(step->batch->sink, memory, step->call);
    }
    memset(costs, 0, step->plan->cost_count * sizeof(*costs));
    cosm_result adopted = cosmi_readers_adopt(step);
    if (adopted != COSM_OK) {
        return adopted;
    }
    for (uint32_t p = 0; p < step->plan->phase_count; p++) {
        const struct plan_phase *phase = &step->plan->phases[p];
        for (uint32_t s = 0; s < phase->system_count; s++) {
            if (was_initialised(step, phase->systems[s])) {
                continue;
            }
            cosm_result result = init_system(step, phase->systems[s]);
            if (result != COSM_OK) {
                return result;
            }
        }
    }
    run->plan_number = step->plan->number;
    return COSM_OK;
}

static cosm_result refuse_second_step(const struct cosm_batch *batch, const char *call) {
    const struct turn *turn = cosmi_turn_now;
    if (turn != NULL && turn->open.worlds.batch == batch) {
        return cosmi_fail(batch->sink, COSM_ERROR_BUSY,
                          "%s: called from system '%s', which runs in a step of this batch; steps "
                          "do not nest: use `every` or a phase of your own",
                          call, turn->system->name);
    }
    return cosmi_fail(batch->sink, COSM_ERROR_BUSY,
                      "%s: the batch is running, on another thread or in a hook; step a batch from "
                      "one thread at a time",
                      call);
}

cosm_result cosmi_step_claim(struct cosm_batch *batch, const char *call) {
    return UNLIKELY(atomic_exchange_explicit(&batch->running, true, memory_order_acquire))
               ? refuse_second_step(batch, call)
               : COSM_OK;
}

void cosmi_step_unclaim(struct cosm_batch *batch) {
    atomic_store_explicit(&batch->running, false, memory_order_release);
}

static void leave_runner(struct step *step) {
    struct runner *runner = step->batch->runner;
    cosmi_mutex_lock(&runner->lock);
    INVARIANT(runner->running_count > 0, "who leaves has entered");
    cosmi_plan_release(runner, step->plan);
    runner->running_count--;
    cosmi_mutex_unlock(&runner->lock);
}

// What a step with systems needs beyond its plan.
static cosm_result ready_run(struct step *step) {
    struct cosm_batch *batch = step->batch;
    step->run = batch->run == NULL ? make_run(batch) : batch->run;
    if (step->run == NULL) {
        return cosmi_fail_memory(batch->sink, &batch->memory, step->call);
    }
    return step->run->plan_number == step->plan->number ? COSM_OK : adopt_plan(step);
}

// With fewer worlds walks find out themselves.
#define STEP_LOOK_WORLDS 64u

// Which stores have all their rows in all worlds: the walks of this step ask for it.
static void look_full(const struct cosm_batch *batch) {
    for (struct store *store = batch_first_store(batch); store != NULL; store = store_next(store)) {
        if (store->fixed_max != 0) {
            cosmi_store_look_full(store);
        }
    }
}

// A program whose definitions failed would run without them, and nobody would know why: the step
// that finds it out runs nothing.
COLD static cosm_result report_failed(struct cosm_batch *batch, const char *call) {
    struct runner *runner = batch->runner;
    cosmi_mutex_lock(&runner->lock);
    struct failed_definition failed = runner->failed;
    runner->failed.failure.result = COSM_OK;
    cosmi_mutex_unlock(&runner->lock);
    if (failed.failure.result == COSM_OK) {
        return COSM_OK;
    }
    // What was printed already is not printed again; the slot has all of it.
    const struct sink *sink = batch->sink;
    if (sink->function == NULL) {
        (void)cosmi_fail(
            sink, failed.failure.result,
            "%s: nothing ran, because %s could not be defined: see above; fix that, or "
            "step again to continue without it",
            call, failed.what);
        sink = &cosmi_sink_silent;
    }
    return cosmi_fail(sink, failed.failure.result,
                      "%s: nothing ran, because %s could not be defined; fix that, or step again "
                      "to continue without it: %s",
                      call, failed.what, failed.failure.text);
}

cosm_result cosmi_step_begin(struct step *step, struct cosm_batch *batch, const char *call) {
    *step = (struct step){.batch = batch, .call = call};
    struct runner *runner = batch->runner;
    cosmi_mutex_lock(&runner->lock);
    if (UNLIKELY(runner->failed.failure.result != COSM_OK)) {
        cosmi_mutex_unlock(&runner->lock);
        cosm_result reported = report_failed(batch, call);
        if (reported != COSM_OK) {
            return reported;
        }
        cosmi_mutex_lock(&runner->lock);
    }
    step->plan = cosmi_plan_take(runner, call);
    runner->running_count += step->plan != NULL;
    cosmi_mutex_unlock(&runner->lock);
    cosm_result result = COSM_OK;
    if (step->plan == NULL) {
        result = cosm_error_result();
    } else if (step->plan->system_count > 0) {
        result = ready_run(step);
        if (result != COSM_OK) {
            leave_runner(step);
        }
    }
    if (result == COSM_OK && batch->world_count >= STEP_LOOK_WORLDS) {
        look_full(batch);
    }
    return result;
}

static bool any_failure(const struct batch_run *run) {
    for (uint32_t s = 0; s < run->worker_count; s++) {
        if (run->workers[s] != NULL && run->workers[s]->watch.failure.result != COSM_OK) {
            return true;
        }
    }
    return false;
}

// The first failure in the order of the plan, of all workers; the workers forget theirs.
static void collect_failure(struct batch_run *run, struct failure_watch *out_watch) {
    for (uint32_t s = 0; s < run->worker_count; s++) {
        struct worker *worker = run->workers[s];
        if (worker == NULL || worker->watch.failure.result == COSM_OK) {
            continue;
        }
        out_watch->now = worker->watch.kept;
        cosmi_watch_keep(out_watch, &worker->watch.failure);
        worker->watch.failure.result = COSM_OK;
    }
}

cosm_result cosmi_step_end(struct step *step) {
    struct failure_watch first; // large: touched only when something failed
    bool failed = step->run != NULL && any_failure(step->run);
    if (UNLIKELY(failed)) {
        first = (struct failure_watch){.failure = {.result = COSM_OK}};
        collect_failure(step->run, &first);
    }
    leave_runner(step);
    return failed ? cosmi_error_show(&first.failure) : COSM_OK;
}

const struct plan_phase *cosmi_step_find_phase(const struct step *step, uint32_t id) {
    for (uint32_t p = 0; p < step->plan->phase_count; p++) {
        if (step->plan->phases[p].id == id) {
            return &step->plan->phases[p];
        }
    }
    return NULL;
}

static bool is_active(const struct cosm_batch *batch, const struct system *system) {
    return atomic_load_explicit(&system->enabled, memory_order_relaxed) &&
           (system->every == 1 || batch->step_count % system->every == 0) &&
           (system->condition == NULL || system->condition(system->context, batch));
}

// Which systems run this time; false: none.
static bool find_active(struct step *step) {
    uint8_t *active = step->run->active + step->phase->order_first;
    uint8_t any = 0;
    for (uint32_t s = 0; s < step->phase->system_count; s++) {
        active[s] = is_active(step->batch, step->phase->systems[s]);
        any |= active[s];
    }
    step->active = active;
    return any != 0;
}

static void run_segment(struct step *step, const struct plan_segment *segment) {
    if (segment->is_global || step->after != NULL) {
        cosmi_step_blocks(step, segment, step->batch->world_count, 1);
    } else if (cosmi_choose_chunks(step) && !cosmi_choose_alone(step, segment)) {
        cosmi_step_chunks(step, segment);
    } else {
        struct run_choice choice = cosmi_choose_begin(step, segment->cost);
        uint32_t block = cosmi_choose_block(step, segment, &choice);
        cosmi_step_blocks(step, segment, block, choice.worker_count);
        cosmi_choose_end(&choice);
    }
}

static void clear_scratch(struct batch_run *run) {
    for (uint32_t s = 0; s < run->worker_count; s++) {
        if (run->workers[s] != NULL) {
            cosmi_arena_clear(&run->workers[s]->scratch);
        }
    }
}

void cosmi_step_phase(struct step *step, const struct plan_phase *phase, float dt) {
    struct cosm_batch *batch = step->batch;
    INVARIANT(atomic_load_explicit(&batch->running, memory_order_relaxed),
              "a batch that steps is claimed");
    step->phase = phase;
    step->dt = dt;
    if (phase->system_count == 0 || !find_active(step)) {
        return;
    }
    uint64_t begin_ns = 0;
    if (UNLIKELY(batch->profile != NULL)) {
        begin_ns = cosmi_os_now_ns();
        cosmi_profile_begin_phase(batch->profile, phase->id, step->plan->system_id_end,
                                  step->run->worker_count);
    }
    clear_scratch(step->run);
    // Direct changes of any world are refused from here on.
    atomic_fetch_add_explicit(&batch->walks_shared, 1, memory_order_relaxed);
    for (uint32_t s = 0; s < phase->segment_count; s++) {
        run_segment(step, &phase->segments[s]);
    }
    atomic_fetch_sub_explicit(&batch->walks_shared, 1, memory_order_relaxed);
    if (UNLIKELY(batch->profile != NULL)) {
        cosmi_profile_end_phase(batch->profile, phase->id, begin_ns, cosmi_os_now_ns());
    }
}

// Takes a system out of the list of those that were initialised: this one, or (NULL) the last.
static struct system *pop_init(struct cosm_batch *batch, const struct system *system) {
    struct system *found = NULL;
    cosmi_mutex_lock(&batch->runner->lock);
    struct batch_run *run = batch->run;
    for (uint32_t i = run == NULL ? 0 : run->init_count; i-- > 0 && found == NULL;) {
        if (system == NULL || run->inits[i] == system) {
            found = run->inits[i];
            memmove(run->inits + i, run->inits + i + 1,
                    (run->init_count - i - 1) * sizeof(struct system *));
            run->init_count--;
        }
    }
    cosmi_mutex_unlock(&batch->runner->lock);
    return found;
}

bool cosmi_step_forget_init(struct cosm_batch *batch, const struct system *system) {
    return pop_init(batch, system) != NULL;
}

void cosmi_step_dispose(struct cosm_batch *batch) {
    struct system *found = pop_init(batch, NULL);
    for (; found != NULL; found = pop_init(batch, NULL)) {
        if (found->dispose != NULL) {
            found->dispose(found->context, batch);
        }
    }
    if (batch->run != NULL) {
        batch->run->plan_number = 0; // if the batch steps on, all are initialised again
    }
}
