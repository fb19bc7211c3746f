// The soak test: hours of churn in minutes, and at the end the memory is what it was.
//
//     soak [--seconds N] [--seed N]        or SOAK_SECONDS and SOAK_SEED in the environment
//
// Several threads step a batch each, all of one engine, on all of its workers: many small worlds,
// one large one, blocks of worlds, and a batch that is destroyed and made anew. In between they
// reset, trim, validate and change worlds directly. The main thread switches systems on and off,
// defines and removes them, prints a line every 10 seconds, and measures while all others wait.
//
// It ends with exit status 0 if nothing failed that should not, and memory is flat: empty batches
// take what empty batches took after the warm-up, and busy ones no more than in the first half.
#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "api/engine.h"
#include "soak/systems.h"

#define PLAYERS 4u
#define SAMPLE_MAX 4096u

// What memory may grow by: arenas and lists keep the largest size they ever had.
#define FLOOR_SLACK (2u << 20)
#define BUSY_SLACK (8u << 20)
#define RESIDENT_SLACK (32u << 20)

#if defined(__SANITIZE_ADDRESS__)
// Freed blocks are kept from reuse, 256 MB of them unless told otherwise: that is no leak.
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "quarantine_size_mb=8:allocator_release_to_os_interval_ms=500";
}
#endif

struct sample {
    size_t batches; // bytes in use
    size_t engine;
    size_t resident; // of the process; 0 where it is not known
    uint64_t entities;
    uint64_t steps;
};

// Players pass one at a time into a round; whoever closes the gate waits until all are out.
struct gate {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint32_t inside;
    bool closed;
};

struct soak {
    struct soak_schema schema;
    struct gate gate;
    struct player {
        struct soak *soak;
        pthread_t thread;
        cosm_batch_desc desc;
        cosm_batch *batch; // NULL: making it failed
        cosm_random dice;
        uint64_t steps;
        bool lives_short; // destroyed and made anew now and then
    } players[PLAYERS];
    cosm_system extras[SOAK_EXTRA_COUNT]; // zero: not defined now
    cosm_random dice;
    uint64_t defined;
    atomic_bool done;
    atomic_uint failures;
    atomic_ulong stale;
    pthread_mutex_t print_lock;
    struct sample samples[SAMPLE_MAX];
    uint32_t sample_count;
};

static void gate_enter(struct gate *gate) {
    pthread_mutex_lock(&gate->lock);
    while (gate->closed) {
        pthread_cond_wait(&gate->changed, &gate->lock);
    }
    gate->inside++;
    pthread_mutex_unlock(&gate->lock);
}

static void gate_leave(struct gate *gate) {
    pthread_mutex_lock(&gate->lock);
    gate->inside--;
    pthread_cond_broadcast(&gate->changed);
    pthread_mutex_unlock(&gate->lock);
}

static void gate_close(struct gate *gate) {
    pthread_mutex_lock(&gate->lock);
    gate->closed = true;
    while (gate->inside > 0) {
        pthread_cond_wait(&gate->changed, &gate->lock);
    }
    pthread_mutex_unlock(&gate->lock);
}

static void gate_open(struct gate *gate) {
    pthread_mutex_lock(&gate->lock);
    gate->closed = false;
    pthread_cond_broadcast(&gate->changed);
    pthread_mutex_unlock(&gate->lock);
}

static void complain(struct soak *soak, const char *what, const char *message) {
    if (atomic_fetch_add(&soak->failures, 1) < 10) {
        pthread_mutex_lock(&soak->print_lock);
        printf("soak: %s: %s\n", what, message);
        (void)fflush(stdout);
        pthread_mutex_unlock(&soak->print_lock);
    }
}

// Called on any thread. Commands on entities that died meanwhile are part of the game.
static void hear_failure(void *context, cosm_result result, const char *message) {
    struct soak *soak = context;
    if (result == COSM_STALE) {
        atomic_fetch_add(&soak->stale, 1);
    } else {
        complain(soak, cosm_result_name(result), message);
    }
}

static void reset_some(struct player *player) {
    uint8_t mask[1024];
    uint32_t count = cosm_batch_world_count(player->batch);
    for (uint32_t w = 0; w < count && w < sizeof(mask); w++) {
        mask[w] = cosm_random_chance(&player->dice, 0.5f);
    }
    soak_told(cosm_batch_reset(player->batch, mask));
}

static void renew(struct player *player) {
    static const cosm_split splits[] = {COSM_SPLIT_AUTO, COSM_SPLIT_WORLDS, COSM_SPLIT_CHUNKS,
                                        COSM_SPLIT_NONE};
    if (cosm_batch_destroy(player->batch) != COSM_OK) {
        return;
    }
    player->desc.split = splits[cosm_random_below(&player->dice, 4)];
    player->desc.world_count = 1 + cosm_random_below(&player->dice, 40);
    player->desc.seed = cosm_random_u64(&player->dice);
    player->batch = cosm_batch_create(player->soak->schema.engine, &player->desc);
}

// A few steps and then perhaps something else.
static void play_round(struct player *player) {
    uint32_t steps = 1 + cosm_random_below(&player->dice, 8);
    for (uint32_t i = 0; i < steps; i++) {
        soak_told(cosm_batch_step(player->batch));
        player->steps++;
    }
    uint32_t roll = cosm_random_below(&player->dice, 256);
    if (roll < 32) {
        if (!soak_change(&player->soak->schema, player->batch, &player->dice)) {
            complain(player->soak, "soak_change", cosm_error_message());
        }
    } else if (roll < 36) {
        reset_some(player);
    } else if (roll < 40) {
        soak_told(cosm_batch_trim(player->batch));
    } else if (roll < 46) {
        soak_told(cosm_batch_validate(player->batch));
    } else if (roll < 49 && player->lives_short) {
        renew(player);
    }
}

static void *play(void *argument) {
    struct player *player = argument;
    struct soak *soak = player->soak;
    while (!atomic_load(&soak->done)) {
        gate_enter(&soak->gate);
        if (player->batch != NULL) {
            play_round(player);
        }
        gate_leave(&soak->gate);
    }
    return NULL;
}

// Switches, defines and removes. Removing wants that nothing runs; the others do not.
static void change_systems(struct soak *soak) {
    struct soak_schema *schema = &soak->schema;
    uint32_t steady = cosm_random_below(&soak->dice, SOAK_STEADY_COUNT);
    soak_told(cosm_system_enable(schema->engine, schema->steady[steady],
                                 cosm_random_chance(&soak->dice, 0.85f)));
    uint32_t extra = cosm_random_below(&soak->dice, SOAK_EXTRA_COUNT);
    if (soak->extras[extra].id == 0) {
        soak->extras[extra] = soak_define_extra(schema, extra, &soak->dice);
        soak->defined++;
        return;
    }
    if (cosm_random_chance(&soak->dice, 0.5f)) {
        soak_told(cosm_system_enable(schema->engine, soak->extras[extra],
                                     cosm_random_chance(&soak->dice, 0.5f)));
        return;
    }
    gate_close(&soak->gate);
    if (cosm_system_remove(schema->engine, soak->extras[extra]) == COSM_OK) {
        soak->extras[extra].id = 0;
    }
    gate_open(&soak->gate);
}

static size_t resident_bytes(void) {
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long pages = 0;
    if (file != NULL) {
        if (fscanf(file, "%*s %lu", &pages) != 1) {
            pages = 0;
        }
        (void)fclose(file);
    }
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

// While the gate is closed.
static struct sample take_sample(const struct soak *soak) {
    struct sample sample = {.resident = resident_bytes()};
    sample.engine = atomic_load_explicit(&soak->schema.engine->memory.used, memory_order_relaxed);
    for (uint32_t p = 0; p < PLAYERS; p++) {
        const struct player *player = &soak->players[p];
        sample.batches += cosm_batch_memory(player->batch).used;
        sample.entities += cosm_batch_entity_count(player->batch);
        sample.steps += player->steps;
    }
    return sample;
}

// What all batches take when they are empty.
static struct sample take_floor(struct soak *soak) {
    for (uint32_t p = 0; p < PLAYERS; p++) {
        soak_told(cosm_batch_reset(soak->players[p].batch, NULL));
        soak_told(cosm_batch_trim(soak->players[p].batch));
    }
    struct sample sample = take_sample(soak);
    // A batch that was made anew has a number of worlds of its own, and so its own floor.
    for (uint32_t p = 0; p < PLAYERS; p++) {
        if (soak->players[p].lives_short) {
            sample.batches -= cosm_batch_memory(soak->players[p].batch).used;
        }
    }
    return sample;
}

static double now_seconds(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void print_sample(const struct soak *soak, const char *what, double at,
                         const struct sample *sample) {
    printf("%6.0f s  %-8s %9" PRIu64 " steps %7" PRIu64 " entities  batches %7zu KB  engine %5zu "
           "KB  resident %7zu KB  %u systems, %" PRIu64 " defined, %lu stale, %u failures\n",
           at, what, sample->steps, sample->entities, sample->batches >> 10, sample->engine >> 10,
           sample->resident >> 10, cosm_engine_describe(soak->schema.engine).system_count,
           soak->defined, atomic_load(&soak->stale), atomic_load(&soak->failures));
    (void)fflush(stdout);
}

static void measure(struct soak *soak, double at) {
    gate_close(&soak->gate);
    struct sample sample = take_sample(soak);
    gate_open(&soak->gate);
    if (soak->sample_count < SAMPLE_MAX) {
        soak->samples[soak->sample_count++] = sample;
    }
    print_sample(soak, "busy", at, &sample);
}

static bool setup(struct soak *soak, uint64_t seed) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    cosm_engine *engine =
        cosm_engine_create(&(cosm_engine_desc){.error = hear_failure,
                                               .error_context = soak,
                                               .worker_count = cores < 4    ? 4
                                                               : cores > 64 ? 64
                                                                            : (uint32_t)cores});
    pthread_mutex_init(&soak->gate.lock, NULL);
    pthread_cond_init(&soak->gate.changed, NULL);
    pthread_mutex_init(&soak->print_lock, NULL);
    soak->dice = cosm_random_seed(seed, 0);
    soak->schema.large_target = 20000;
    soak->schema.small_target = 48;
    if (engine == NULL || !soak_define(&soak->schema, engine)) {
        return false;
    }
    const cosm_batch_desc descs[PLAYERS] = {
        {.world_count = 512},
        {.world_count = 1},
        {.world_count = 96, .split = COSM_SPLIT_WORLDS, .block_worlds = 5},
        {.world_count = 7, .split = COSM_SPLIT_CHUNKS},
    };
    bool done = true;
    for (uint32_t p = 0; p < PLAYERS; p++) {
        struct player *player = &soak->players[p];
        player->soak = soak;
        player->desc = descs[p];
        player->desc.seed = seed + p;
        player->dice = cosm_random_seed(seed, p + 1);
        player->lives_short = p == 3;
        player->batch = cosm_batch_create(engine, &player->desc);
        done = done && player->batch != NULL;
    }
    return done;
}

static size_t largest(const struct soak *soak, uint32_t first, uint32_t end, size_t offset) {
    size_t most = 0;
    for (uint32_t i = first; i < end; i++) {
        size_t value;
        memcpy(&value, (const char *)&soak->samples[i] + offset, sizeof(value));
        most = value > most ? value : most;
    }
    return most;
}

// Is the second half no larger than the first one, but for a quarter and some slack?
static bool is_flat(const struct soak *soak, const char *what, size_t offset, size_t slack) {
    uint32_t half = soak->sample_count / 2;
    size_t early = largest(soak, 0, half, offset);
    size_t late = largest(soak, half, soak->sample_count, offset);
    bool flat = late <= early + early / 4 + slack;
    printf("%-18s %8zu KB at most in the first half, %8zu KB in the second: %s\n", what,
           early >> 10, late >> 10, flat ? "flat" : "GROWS");
    return flat;
}

static bool floors_agree(const char *what, size_t warm, size_t end, size_t slack) {
    bool agree = end <= warm + slack;
    printf("%-18s %8zu KB after the warm-up, %16zu KB at the end: %s\n", what, warm >> 10,
           end >> 10, agree ? "flat" : "GROWS");
    return agree;
}

static void shut_down(struct soak *soak) {
    for (uint32_t p = 0; p < PLAYERS; p++) {
        if (cosm_batch_validate(soak->players[p].batch) != COSM_OK ||
            cosm_batch_destroy(soak->players[p].batch) != COSM_OK) {
            complain(soak, "at the end", cosm_error_message());
        }
    }
    if (cosm_engine_destroy(soak->schema.engine) != COSM_OK) {
        complain(soak, "at the end", cosm_error_message());
    }
    unsigned long inits = atomic_load(&soak->schema.inits);
    unsigned long disposes = atomic_load(&soak->schema.disposes);
    printf("hooks              %lu inits, %lu disposes\n", inits, disposes);
    if (inits != disposes) {
        complain(soak, "hooks", "every init has a dispose");
    }
}

static void wait_a_little(cosm_random *dice) {
    struct timespec pause = {0, 1000000L * (long)(5 + cosm_random_below(dice, 60))};
    (void)nanosleep(&pause, NULL);
}

// Warm-up, then samples at even distances until the time is over.
static bool churn(struct soak *soak, double seconds) {
    double warm_up = seconds / 6 < 60 ? seconds / 6 : 60;
    double tick = seconds < 120 ? seconds / 12 : 10;
    double began = now_seconds();
    double next = warm_up;
    struct sample warm = {.batches = 0};
    for (double at = 0; at < seconds; at = now_seconds() - began) {
        change_systems(soak);
        wait_a_little(&soak->dice);
        if (at < next) {
            continue;
        }
        next += tick;
        if (warm.batches == 0) {
            gate_close(&soak->gate);
            warm = take_floor(soak);
            gate_open(&soak->gate);
            print_sample(soak, "empty", at, &warm);
        } else {
            measure(soak, at);
        }
    }
    gate_close(&soak->gate);
    atomic_store(&soak->done, true);
    gate_open(&soak->gate);
    for (uint32_t p = 0; p < PLAYERS; p++) {
        pthread_join(soak->players[p].thread, NULL);
    }
    struct sample end = take_floor(soak);
    print_sample(soak, "empty", seconds, &end);
    bool flat = floors_agree("empty batches", warm.batches, end.batches, FLOOR_SLACK);
    flat = floors_agree("engine", warm.engine, end.engine, FLOOR_SLACK) && flat;
    flat = floors_agree("resident, empty", warm.resident, end.resident, RESIDENT_SLACK) && flat;
    flat = is_flat(soak, "busy batches", offsetof(struct sample, batches), BUSY_SLACK) && flat;
    return is_flat(soak, "resident, busy", offsetof(struct sample, resident), RESIDENT_SLACK) &&
           flat;
}

static uint64_t option(int argc, char **argv, const char *flag, const char *variable,
                       uint64_t otherwise) {
    for (int i = 1; i + 1 < argc; i++) {
        if (strcmp(argv[i], flag) == 0) {
            return strtoull(argv[i + 1], NULL, 10);
        }
    }
    const char *text = getenv(variable);
    return text == NULL || text[0] == '\0' ? otherwise : strtoull(text, NULL, 10);
}

int main(int argc, char **argv) {
    static struct soak soak;
    uint64_t seconds = option(argc, argv, "--seconds", "SOAK_SECONDS", 600);
    uint64_t seed = option(argc, argv, "--seed", "SOAK_SEED", (uint64_t)time(NULL));
    printf("soak: %" PRIu64 " seconds, seed %" PRIu64 "\n", seconds, seed);
    if (!setup(&soak, seed)) {
        printf("soak: FAILED to begin: %s\n", cosm_error_message());
        return 1;
    }
    for (uint32_t p = 0; p < PLAYERS; p++) {
        if (pthread_create(&soak.players[p].thread, NULL, play, &soak.players[p]) != 0) {
            printf("soak: FAILED to start a thread\n");
            return 1;
        }
    }
    bool flat = churn(&soak, (double)seconds);
    shut_down(&soak);
    bool passed = flat && atomic_load(&soak.failures) == 0;
    printf("soak: %s, seed %" PRIu64 "\n", passed ? "passed" : "FAILED", seed);
    return passed ? 0 : 1;
}
