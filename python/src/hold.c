// Holds: who keeps memory alive, and the two questions that every call asks first.
#include "package.h"

#include <stdatomic.h>
#include <stdlib.h>

size_t cosmi_python_process;

static void end_memory(cosm_sim *sim, void *memory) {
    // Nothing that would make it refuse is left: snapshots and arrays have shares of their own.
    (void)cosm_sim_destroy(sim);
    free(memory);
}

struct hold *cosmi_python_hold_make(cosm_sim *sim, void *memory) {
    struct hold *hold = malloc(sizeof *hold);
    if (hold == NULL) {
        end_memory(sim, memory);
        PyErr_NoMemory();
        return NULL;
    }
    *hold =
        (struct hold){.shares = 1, .sim = sim, .memory = memory, .process = cosmi_python_process};
    return hold;
}

void cosmi_python_hold_share(struct hold *hold) {
    atomic_fetch_add_explicit(&hold->shares, 1, memory_order_relaxed);
}

void cosmi_python_hold_drop(struct hold *hold) {
    if (hold == NULL || atomic_fetch_sub_explicit(&hold->shares, 1, memory_order_acq_rel) != 1) {
        return;
    }
    // Ending it would wait for threads that only the parent has.
    if (!cosmi_python_hold_is_foreign(hold)) {
        end_memory(hold->sim, hold->memory);
    }
    free(hold);
}

bool cosmi_python_hold_is_open(const struct hold *hold, const char *call) {
    if (hold == NULL || hold->is_closed) {
        PyErr_Format(cosmi_python_closed_error, "%s: the simulation is closed; create a new one",
                     call);
        return false;
    }
    if (cosmi_python_hold_is_foreign(hold)) {
        PyErr_Format(cosmi_python_error,
                     "%s: the simulation was created before os.fork, and its threads exist only "
                     "in the parent; create a Sim in the child, or start it with "
                     "multiprocessing's \"spawn\"",
                     call);
        return false;
    }
    return true;
}

bool cosmi_python_hold_is_free(const struct hold *hold, const char *call) {
    if (!cosmi_python_hold_is_open(hold, call)) {
        return false;
    }
    if (hold->is_busy) {
        PyErr_Format(cosmi_python_busy_error,
                     "%s: the simulation is stepping on another thread; wait for it, or use one "
                     "simulation per thread",
                     call);
        return false;
    }
    return true;
}
