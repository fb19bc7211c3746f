// The public calls of cosm/system.h that are about profiles, and the table they print.
#include <cosm/system.h>

#include <inttypes.h>

#include <cosm/system.h>

#include "api/check.h"
#include "run/step.h"

// Making and ending.

// Takes the batch as a step does, so that none begins meanwhile; cosmi_step_unclaim gives it back.
static cosm_result claim_batch(struct cosm_batch *batch, const char *call) {
    if (atomic_exchange_explicit(&batch->running, true, memory_order_acquire)) {
        return cosmi_fail(batch->sink, COSM_ERROR_BUSY,
                          "%s: the batch is running; call it between steps", call);
    }
    return COSM_OK;
}

static cosm_profile *make_profile(cosm_batch *batch, const cosm_profile_desc *desc,
                                  const char *call) {
    if (batch->profile != NULL) {
        (void)cosmi_fail(batch->sink, COSM_ERROR_BUSY,
                         "%s: the batch has a profile already; destroy that one first", call);
        return NULL;
    }
    cosm_profile *profile = cosmi_profile_create(&batch->memory, desc);
    if (profile == NULL) {
        (void)cosmi_fail_memory(batch->sink, &batch->memory, call);
        return NULL;
    }
    profile->batch = batch;
    batch->profile = profile;
    return profile;
}

cosm_profile *cosm_profile_create(cosm_batch *batch, const cosm_profile_desc *desc) {
    static const char call[] = "cosm_profile_create";
    if (batch == NULL) {
        (void)cosmi_refuse_null(NULL, call, "batch", "pass one from cosm_batch_create");
        return NULL;
    }
    if (claim_batch(batch, call) != COSM_OK) {
        return NULL;
    }
    cosm_profile *profile = make_profile(batch, desc, call);
    cosmi_step_unclaim(batch);
    return profile;
}

cosm_result cosm_profile_destroy(cosm_profile *profile) {
    if (profile == NULL) {
        return COSM_OK;
    }
    struct cosm_batch *batch = profile->batch;
    cosm_result result = claim_batch(batch, "cosm_profile_destroy");
    if (result == COSM_OK) {
        batch->profile = NULL;
        cosmi_profile_free(profile);
        cosmi_step_unclaim(batch);
    }
    return result;
}

// Figures.

cosm_profile_figures cosm_profile_system(const cosm_profile *profile, cosm_system system) {
    return profile == NULL ? (cosm_profile_figures){0}
                           : cosmi_profile_system_figures(profile, system.id);
}

cosm_profile_figures cosm_profile_phase(const cosm_profile *profile, cosm_phase phase) {
    return profile == NULL ? (cosm_profile_figures){0}
                           : cosmi_profile_phase_figures(profile, phase.id);
}

uint64_t cosm_profile_events_dropped(const cosm_profile *profile) {
    return profile == NULL ? 0 : profile->dropped;
}

// Texts.

// On success the batch is claimed.
static cosm_result begin_writing(const cosm_profile *profile, const char *call,
                                 cosm_text_fn *write) {
    if (profile == NULL) {
        return cosmi_refuse_null(NULL, call, "profile", "pass one from cosm_profile_create");
    }
    if (write == NULL) {
        return cosmi_refuse_null(profile->batch->sink, call, "write",
                                 "pass a function that receives the text");
    }
    return claim_batch(profile->batch, call);
}

static const char *name_of_system(const void *engine, uint32_t system) {
    return cosm_system_describe(engine, (cosm_system){system}).name;
}

static const char *name_of_phase(const void *engine, uint32_t phase) {
    return cosm_phase_describe(engine, (cosm_phase){phase}).name;
}

cosm_result cosm_profile_trace(const cosm_profile *profile, cosm_text_fn *write, void *context) {
    static const char call[] = "cosm_profile_trace";
    cosm_result result = begin_writing(profile, call, write);
    if (result != COSM_OK) {
        return result;
    }
    if (profile->event_max == 0) {
        result = cosmi_fail(profile->batch->sink, COSM_ERROR_ARGUMENT,
                            "%s: the profile keeps no events; create it with desc.event_max", call);
    } else {
        cosmi_profile_write_trace(
            profile, &(struct profile_names){name_of_system, name_of_phase, profile->batch->engine},
            write, context);
    }
    cosmi_step_unclaim(profile->batch);
    return result;
}

// Puts a name with nothing in it that would break the line; NULL for `text` only measures. Returns
// the number of characters.
static uint32_t put_label(struct profile_text *text, const char *name) {
    uint32_t count = 0;
    for (; *name != '\0'; count++) {
        size_t size = cosmi_profile_character(name);
        bool is_plain = size > 0 && (unsigned char)*name >= 0x20 && *name != 0x7F;
        if (text != NULL && is_plain) {
            cosmi_profile_put(text, "%.*s", (int)size, name);
        } else if (text != NULL) {
            cosmi_profile_put(text, "?");
        }
        name += size > 0 ? size : 1;
    }
    return count;
}

// Puts a blank and `value` / 10^decimals, `width` characters in all. Without `%f`, since a host's
// locale may have its own decimal point.
static void put_decimal(struct profile_text *text, int width, uint64_t value, int decimals) {
    uint64_t one = 1;
    for (int i = 0; i < decimals; i++) {
        one *= 10;
    }
    cosmi_profile_put(text, " %*" PRIu64 ".%0*" PRIu64, width - decimals - 2, value / one, decimals,
                      value % one);
}

// A line: its name after `indent` blanks, its figures, and how much of `whole_ns` its time is.
static void put_line(struct profile_text *text, uint32_t width, uint32_t indent, const char *name,
                     const cosm_profile_figures *figures, uint64_t whole_ns) {
    cosmi_profile_put(text, "%*s", (int)indent, "");
    uint32_t used = indent + put_label(text, name);
    cosmi_profile_put(text, "%*s", (int)(width - used), "");
    cosmi_profile_put(text, " %9" PRIu64 " %10" PRIu64 " %13" PRIu64, figures->runs, figures->turns,
                      figures->rows);
    put_decimal(text, 13, (figures->total_ns + 500) / 1000, 3);
    put_decimal(text, 12, (figures->median_ns + 5) / 10, 2);
    put_decimal(text, 12, (figures->p99_ns + 5) / 10, 2);
    put_decimal(text, 12, (figures->longest_ns + 5) / 10, 2);
    put_decimal(text, 13, (figures->waited_ns + 5) / 10, 2);
    double share = whole_ns == 0 ? 0 : (double)figures->total_ns / (double)whole_ns;
    put_decimal(text, 9, (uint64_t)(share * 1000 + 0.5), 1);
    cosmi_profile_put(text, "\n");
}

static const char *label_of_system(const cosm_profile *profile, uint32_t system) {
    const char *name = name_of_system(profile->batch->engine, system);
    return name != NULL ? name : "(removed)";
}

// Did the system run, and in this phase?
static bool ran_in(const cosm_profile *profile, uint32_t system, uint32_t phase) {
    const struct profile_account *account = profile->systems[system];
    return account != NULL && account->runs > 0 && account->phase == phase;
}

// Wide enough for the names of all that ran.
static uint32_t label_width(const cosm_profile *profile) {
    uint32_t width = 14;
    for (uint32_t i = 1; i <= COSM_PHASE_MAX; i++) {
        const char *name = name_of_phase(profile->batch->engine, i);
        if (profile->phases[i] != NULL && name != NULL) {
            uint32_t needed = put_label(NULL, name);
            width = needed > width ? needed : width;
        }
    }
    for (uint32_t i = 1; i < profile->system_room; i++) {
        if (profile->systems[i] != NULL) {
            uint32_t needed = 2 + put_label(NULL, label_of_system(profile, i));
            width = needed > width ? needed : width;
        }
    }
    return width;
}

// A phase and the systems that ran in it, in the order in which they were defined.
static void put_phase_lines(struct profile_text *text, const cosm_profile *profile, uint32_t width,
                            cosm_phase phase, uint64_t whole_ns) {
    cosm_profile_figures figures = cosmi_profile_phase_figures(profile, phase.id);
    if (figures.runs == 0) {
        return;
    }
    put_line(text, width, 0, name_of_phase(profile->batch->engine, phase.id), &figures, whole_ns);
    for (uint32_t i = 1; i < profile->system_room; i++) {
        if (ran_in(profile, i, phase.id)) {
            cosm_profile_figures part = cosmi_profile_system_figures(profile, i);
            put_line(text, width, 2, label_of_system(profile, i), &part, figures.total_ns);
        }
    }
}

cosm_result cosm_profile_print(const cosm_profile *profile, cosm_text_fn *write, void *context) {
    cosm_result result = begin_writing(profile, "cosm_profile_print", write);
    if (result != COSM_OK) {
        return result;
    }
    struct profile_text text = {.write = write, .context = context};
    uint64_t whole_ns = 0;
    for (uint32_t i = 1; i <= COSM_PHASE_MAX; i++) {
        whole_ns += cosmi_profile_phase_figures(profile, i).total_ns;
    }
    uint32_t width = label_width(profile);
    cosmi_profile_put(&text, "%-*s%10s%11s%14s%13s%12s%12s%12s%13s%9s\n", (int)width,
                      "phase, system", "runs", "turns", "rows", "total ms", "median us", "p99 us",
                      "longest us", "waited us", "share %");
    const struct cosm_engine *engine = profile->batch->engine;
    for (uint32_t i = 0; i < cosm_engine_describe(engine).phase_count; i++) {
        put_phase_lines(&text, profile, width, cosm_phase_at(engine, i), whole_ns);
    }
    if (profile->dropped > 0) {
        cosmi_profile_put(&text, "%" PRIu64 " turns did not fit into the events\n",
                          profile->dropped);
    }
    cosmi_profile_flush(&text);
    cosmi_step_unclaim(profile->batch);
    return COSM_OK;
}
