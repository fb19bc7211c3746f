// Choosing between one thread and several, and how large blocks are: by what the last runs took.
//
// Each segment and each level keeps what it takes on one thread and on several. The faster way is
// taken, and now and then the other one is looked at again, the more seldom the surer it is that it
// loses. So a worker more costs no more than these looks.
#include "run/step.h"

#define CHOICE_SERIAL_NS                                                                           \
    3000.0f                   // below this no help can pay: a hand-over takes up to a microsecond
#define CHOICE_UNSEEN_MAX 32u // short runs are timed once in so many: a clock takes 30 ns to read
#define CHOICE_TRIALS 8u      // runs on several threads before they are compared
#define CHOICE_WARM_UP 4u     // of them, until the workers are awake
#define CHOICE_PATIENCE_MIN 64u
#define CHOICE_PATIENCE_MAX 65536u
#define CHOICE_BLOCK_NS 4000.0f // work of one block, at least: what its taking costs is then noise
#define CHOICE_BLOCKS_PER_WORKER 8u
#define CHOICE_BLOCK_MIN 8u

static bool is_alone(const struct step *step) {
    return step->batch->split == COSM_SPLIT_NONE || step->batch->runner->workers.worker_count == 1;
}

bool cosmi_choose_chunks(const struct step *step) {
    const struct cosm_batch *batch = step->batch;
    if (batch->split == COSM_SPLIT_CHUNKS) {
        return true;
    }
    // With fewer worlds than this the last block would leave the others waiting.
    return batch->split == COSM_SPLIT_AUTO && !is_alone(step) &&
           batch->world_count < 2 * batch->runner->workers.worker_count;
}

bool cosmi_choose_alone(const struct step *step, const struct plan_segment *segment) {
    if (step->batch->split == COSM_SPLIT_CHUNKS) {
        return false;
    }
    // Not known yet: find out.
    const struct run_cost *cost = &step->run->costs[segment->cost];
    return cost->serial_ns < CHOICE_SERIAL_NS;
}

// Several runs in a row, because the first ones may have to wake the workers up.
static void start_trials(struct run_cost *cost) {
    cost->trials = CHOICE_TRIALS;
    cost->parallel_ns = 0.0f;
}

static bool goes_parallel(struct run_cost *cost) {
    if (cost->serial_ns < CHOICE_SERIAL_NS) {
        return false;
    }
    if (cost->parallel_ns == 0.0f && cost->trials == 0) {
        cost->patience = CHOICE_PATIENCE_MIN;
        start_trials(cost);
    }
    if (cost->trials > 0) {
        return true;
    }
    bool is_faster = cost->parallel_ns < cost->serial_ns;
    if (cost->countdown > 0) {
        cost->countdown--;
        return is_faster;
    }
    // Time to look at the way not taken.
    cost->is_look = true;
    if (!is_faster) {
        start_trials(cost);
    }
    return !is_faster;
}

struct run_choice cosmi_choose_begin(struct step *step, uint32_t cost) {
    struct run_choice choice = {1, 0, NULL};
    if (is_alone(step)) {
        return choice;
    }
    uint32_t most = step->batch->runner->workers.worker_count;
    if (step->batch->split != COSM_SPLIT_AUTO) {
        choice.worker_count = cosmi_step_workers(step, most);
        return choice;
    }
    struct run_cost *known = &step->run->costs[cost];
    bool is_short = known->serial_ns > 0.0f && known->serial_ns < CHOICE_SERIAL_NS;
    if (is_short && ++known->unseen < CHOICE_UNSEEN_MAX) {
        return choice;
    }
    known->unseen = 0;
    choice.cost = known;
    choice.worker_count = goes_parallel(choice.cost) ? cosmi_step_workers(step, most) : 1;
    choice.begin_ns = cosmi_os_now_ns();
    return choice;
}

struct run_choice cosmi_choose_watch(struct step *step, uint32_t cost) {
    struct run_choice choice = {1, 0, NULL};
    if (step->batch->split == COSM_SPLIT_AUTO) {
        choice.cost = &step->run->costs[cost];
        choice.begin_ns = cosmi_os_now_ns();
    }
    return choice;
}

// A better figure counts at once, a worse one slowly: others may have had the processor.
static float learn(float known, float now) {
    return known == 0.0f || now < known ? now : known * 0.75f + now * 0.25f;
}

// After a look: if the order of the two is as it was, the next one can wait.
static void end_look(struct run_cost *cost, bool is_parallel) {
    bool is_faster =
        is_parallel ? cost->parallel_ns < cost->serial_ns : cost->serial_ns < cost->parallel_ns;
    uint32_t longer = cost->patience * 2;
    longer = longer < CHOICE_PATIENCE_MAX ? longer : CHOICE_PATIENCE_MAX;
    cost->patience = is_faster ? CHOICE_PATIENCE_MIN : longer;
    cost->countdown = cost->patience;
    cost->is_look = false;
}

void cosmi_choose_end(const struct run_choice *choice) {
    struct run_cost *cost = choice->cost;
    if (cost == NULL) {
        return;
    }
    float took = (float)(cosmi_os_now_ns() - choice->begin_ns) + 1.0f;
    bool is_parallel = choice->worker_count > 1;
    if (!is_parallel) {
        cost->serial_ns = learn(cost->serial_ns, took);
    } else if (cost->trials == 0 || cost->trials <= CHOICE_TRIALS - CHOICE_WARM_UP) {
        cost->parallel_ns = learn(cost->parallel_ns, took);
    }
    if (is_parallel && cost->trials > 0) {
        cost->trials--;
        cost->countdown = cost->patience;
    }
    if (cost->is_look && cost->trials == 0) {
        end_look(cost, is_parallel);
    }
}

// Worlds that fit into half of a worker's cache, so that one system after the other finds them
// there.
static uint32_t cached_worlds(const struct step *step) {
    const struct cosm_batch *batch = step->batch;
    size_t used = atomic_load_explicit(&batch->memory.used, memory_order_relaxed);
    size_t each = used / batch->world_count + 1;
    size_t worlds = batch->runner->cache_size / 2 / each;
    worlds = worlds < CHOICE_BLOCK_MIN ? CHOICE_BLOCK_MIN : worlds;
    return worlds < batch->world_count ? (uint32_t)worlds : batch->world_count;
}

uint32_t cosmi_choose_block(const struct step *step, const struct plan_segment *segment,
                            const struct run_choice *choice) {
    uint32_t world_count = step->batch->world_count;
    if (step->batch->block_worlds > 0) {
        return step->batch->block_worlds < world_count ? step->batch->block_worlds : world_count;
    }
    uint32_t most = segment->system_count == 1 ? world_count : cached_worlds(step);
    if (choice->worker_count == 1) {
        return most;
    }
    float wanted = choice->cost == NULL ? (float)(choice->worker_count * CHOICE_BLOCKS_PER_WORKER)
                                        : choice->cost->serial_ns / CHOICE_BLOCK_NS;
    uint32_t few = choice->worker_count;
    uint32_t many = choice->worker_count * CHOICE_BLOCKS_PER_WORKER;
    uint32_t count = wanted < (float)few ? few : wanted > (float)many ? many : (uint32_t)wanted;
    // As many for one worker as for the other.
    count = (count + choice->worker_count - 1) / choice->worker_count * choice->worker_count;
    uint32_t block = (world_count + count - 1) / count;
    block = block < most ? block : most;
    // Whole cache lines of counts, so that two workers do not write to one.
    return block >= 16 ? (block + 15) / 16 * 16 : block;
}
