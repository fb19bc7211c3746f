// Steps: running the phases of a plan on a batch.
//
//   cosmi_step_claim     locks the batch against other steps
//   cosmi_step_begin     takes the plan, calls init hooks
//   cosmi_step_phase     runs one phase: active systems, segment by segment
//     blocks             step_blocks.c: each worker takes blocks of worlds through a whole segment
//     chunks             step_chunks.c: level by level, each level's rows spread over the workers
//     sync               step_sync.c: applies commands in the order of (system, world, lane)
//   cosmi_step_end       gives the plan back and tells the first failure
//
// Which way a segment goes is a matter of worlds, workers and cost: see step_choose.c.
#ifndef COSM_RUN_STEP_H
#define COSM_RUN_STEP_H

#include "run/checks.h"
#include "run/profile.h"
#include "run/turn.h"

// What a segment or a level took, the last times: on one thread and on several. 0: not known.
struct run_cost {
    float serial_ns;
    float parallel_ns;
    uint32_t trials;    // left of the runs that are to find out what parallel_ns is
    uint32_t countdown; // to the next look at the way not taken
    uint32_t patience;  // how long that countdown is
    bool is_look;       // the way not taken is being looked at
    uint32_t unseen;    // runs since the clock was looked at, while they are short
};

// What steps of a batch keep from one to the next. Touched by the thread that steps.
struct batch_run {
    struct worker **workers; // [worker_count], made when first needed
    uint32_t worker_count;   // the engine's workers
    uint64_t plan_number;
    uint8_t *active; // by place in the plan: does the system run this time?
    uint32_t active_capacity;
    struct run_cost *costs; // by the plan's numbers
    uint32_t cost_capacity;
    struct system **inits; // systems whose init was called, in that order; under the runner's lock
    uint32_t init_count;
    uint32_t init_capacity;
    struct reader_list readers; // of systems that look for changes
    struct arena items;         // what a level of chunks is made of; cleared with every level
};

// Called when a system has run in all worlds, and when the commands of a stage were applied: then
// `system` is the last one of the stage that records any.
typedef void step_after_fn(void *context, const struct system *system);

// One run of a phase.
struct step {
    struct cosm_batch *batch;
    struct batch_run *run; // NULL where the plan has no systems
    struct plan *plan;
    const struct plan_phase *phase;
    const uint8_t *active; // by place in the phase
    float dt;
    const char *call;
    bool is_side_by_side; // turns of several systems run in one world at the same time
    step_after_fn *after; // NULL, or who looks on: all runs on one thread then, system by system
    void *after_context;
};

// Makes this thread the one that steps the batch; on failure a message says who does.
cosm_result cosmi_step_claim(struct cosm_batch *batch, const char *call);
void cosmi_step_unclaim(struct cosm_batch *batch);

// The same at the beginning of a step: nobody walks, and what the outside may write counts as
// written. The other call gives it back, and hands the result on.
cosm_result cosmi_step_enter(struct cosm_batch *batch, const char *call);
cosm_result cosmi_step_leave(struct cosm_batch *batch, cosm_result result);

// A whole step, from entering to leaving it: the contract of cosm_batch_step_with, but that a dt of
// zero is meant so.
cosm_result cosmi_step_take(struct cosm_batch *batch, const cosm_step_desc *desc, const char *call);

// For a batch that was entered, and is left in any case: the end of a step whose phases the program
// ran; the init hooks of systems that are new to the batch; one phase.
cosm_result cosmi_step_end_by_hand(struct cosm_batch *batch, const char *call);
cosm_result cosmi_step_init(struct cosm_batch *batch, const char *call);
cosm_result cosmi_step_one_phase(struct cosm_batch *batch, uint32_t phase, float dt,
                                 const char *call);

// The batch whose watchers this thread calls; NULL: none.
extern _Thread_local const cosm_batch *cosmi_batch_watched;

// The batch is claimed. On failure there is a message and nothing has begun.
cosm_result cosmi_step_begin(struct step *step, struct cosm_batch *batch, const char *call);
void cosmi_step_phase(struct step *step, const struct plan_phase *phase, float dt);

// Returns the first failure of the phases that ran, or COSM_OK.
cosm_result cosmi_step_end(struct step *step);

// The phase of a plan with this id; NULL: none.
const struct plan_phase *cosmi_step_find_phase(const struct step *step, uint32_t id);

// Calls the dispose hooks of a batch, in the reverse order of the inits.
void cosmi_step_dispose(struct cosm_batch *batch);

// Was the system initialised in this batch? From now on it is not: its dispose hook is due.
bool cosmi_step_forget_init(struct cosm_batch *batch, const struct system *system);

// Gives back what steps of a batch that is not running keep for the next ones.
void cosmi_step_trim(struct cosm_batch *batch);

// Frees what steps kept.
void cosmi_step_free(struct cosm_batch *batch);

// Makes the workers [0, count) of a batch exist; how many there are.
uint32_t cosmi_step_workers(struct step *step, uint32_t count);

// Makes room for so many more chains in a worker. False when out of memory.
bool cosmi_worker_reserve(struct worker *worker, uint32_t chain_count);

// One system on some worlds, by this worker.
void cosmi_turn_run(struct step *step, struct worker *worker, uint32_t place, cosm_worlds worlds);

// Opens and closes a turn: what is between them is the system's.
void cosmi_turn_begin(struct step *step, struct worker *worker, uint32_t place, cosm_worlds worlds);
void cosmi_turn_end(struct step *step, struct worker *worker, uint64_t begin_ns);

// `each` on rows of this turn.
void cosmi_turn_each(struct turn *turn, cosm_rows *rows);

void cosmi_step_blocks(struct step *step, const struct plan_segment *segment, uint32_t block,
                       uint32_t worker_count);

// Runs a job and tells the profile how long workers stood idle at its end.
void cosmi_step_job(struct step *step, struct worker_job *job, uint32_t system);
void cosmi_step_chunks(struct step *step, const struct plan_segment *segment);

// Applies what a worker recorded for its block, or what all workers recorded.
void cosmi_sync_block(struct step *step, struct worker *worker, uint32_t place);
void cosmi_sync_all(struct step *step, uint32_t place);

// Is a world of a running batch walked by somebody else than the step, or by an exclusive system?
bool cosmi_sync_is_walked(const struct cosm_batch *batch, uint32_t world);

// Choosing.
struct run_choice {
    uint32_t worker_count;
    uint64_t begin_ns;
    struct run_cost *cost;
};

struct run_choice cosmi_choose_begin(struct step *step, uint32_t cost);
// As on one thread, whatever is done: for what the levels of a segment take together.
struct run_choice cosmi_choose_watch(struct step *step, uint32_t cost);
void cosmi_choose_end(const struct run_choice *choice);
uint32_t cosmi_choose_block(const struct step *step, const struct plan_segment *segment,
                            const struct run_choice *choice);
bool cosmi_choose_chunks(const struct step *step);

// Is a segment that could go by chunk so short that looking at its levels does not pay?
bool cosmi_choose_alone(const struct step *step, const struct plan_segment *segment);

#endif
