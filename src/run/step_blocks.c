// By block: each worker takes blocks of worlds through a whole segment, with no barrier between
// systems.
#include "run/step.h"

struct block_work {
    struct step *step;
    const struct plan_segment *segment;
    uint32_t block;
};

// Tells who looks on that the commands of a stage were applied.
COLD static void notify_sync(struct step *step, const struct plan_stage *stage) {
    const struct system *last = NULL;
    for (uint32_t place = stage->first; place < stage->first + stage->count; place++) {
        const struct system *system = step->phase->systems[place];
        last = step->active[place] && system->commands ? system : last;
    }
    if (last != NULL) {
        step->after(step->after_context, last);
    }
}

static void sync_stage(struct step *step, struct worker *worker, const struct plan_stage *stage) {
    cosmi_sync_block(step, worker, stage->first + stage->count - 1);
    if (UNLIKELY(step->after != NULL)) {
        notify_sync(step, stage);
    }
}

static void run_block(struct step *step, const struct plan_segment *segment, struct worker *worker,
                      cosm_worlds worlds) {
    const struct plan_phase *phase = step->phase;
    uint32_t place = phase->stages[segment->first].first;
    for (uint32_t s = 0; s < segment->count; s++) {
        const struct plan_stage *stage = &phase->stages[segment->first + s];
        INVARIANT(stage->first == place, "stages lie one behind the other");
        for (uint32_t end = place + stage->count; place < end; place++) {
            if (!step->active[place]) {
                continue;
            }
            cosmi_turn_run(step, worker, place, worlds);
            if (UNLIKELY(step->after != NULL)) {
                step->after(step->after_context, phase->systems[place]);
            }
        }
        sync_stage(step, worker, stage);
    }
}

static void work_block(void *context, uint32_t item, uint32_t worker) {
    const struct block_work *work = context;
    struct cosm_batch *batch = work->step->batch;
    uint32_t first = item * work->block;
    uint32_t left = batch->world_count - first;
    cosm_worlds worlds = {batch, first, left < work->block ? left : work->block};
    run_block(work->step, work->segment, work->step->run->workers[worker], worlds);
}

// How long those who were done first stood idle.
static uint64_t idle_ns(const uint64_t *done_ns, uint32_t count) {
    uint64_t last = 0;
    uint64_t idle = 0;
    for (uint32_t i = 0; i < count; i++) {
        last = done_ns[i] > last ? done_ns[i] : last;
    }
    for (uint32_t i = 0; i < count; i++) {
        idle += last - done_ns[i];
    }
    return idle;
}

void cosmi_step_job(struct step *step, struct worker_job *job, uint32_t system) {
    uint64_t done_ns[COSM_WORKER_MAX];
    bool is_profiled = step->batch->profile != NULL;
    job->done_ns = is_profiled ? done_ns : NULL;
    cosmi_workers_run(&step->batch->runner->workers, job);
    if (is_profiled && job->worker_count > 1) {
        cosmi_profile_add_wait(step->batch->profile, system, idle_ns(done_ns, job->worker_count));
    }
}

void cosmi_step_blocks(struct step *step, const struct plan_segment *segment, uint32_t block,
                       uint32_t worker_count) {
    struct block_work work = {step, segment, block};
    uint32_t block_count = (step->batch->world_count + block - 1) / block;
    if (worker_count == 1 || block_count == 1) {
        for (uint32_t i = 0; i < block_count; i++) {
            work_block(&work, i, 0);
        }
        return;
    }
    struct worker_job job = {.work = work_block,
                             .context = &work,
                             .item_count = block_count,
                             .worker_count = worker_count};
    cosmi_step_job(step, &job, 0);
}
