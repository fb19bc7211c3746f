// Systems as readers of changes.
#include "run/readers.h"

#include "run/step.h"

static struct system_readers *find_readers(const struct reader_list *list, uint32_t system) {
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->items[i].system == system) {
            return &list->items[i];
        }
    }
    return NULL;
}

const struct system_readers *cosmi_readers_find(const struct reader_list *list,
                                                const struct system *system) {
    return list->count == 0 ? NULL : find_readers(list, system->id);
}

static void free_readers(const struct system_readers *readers) {
    for (uint32_t q = 0; q < COSM_SYSTEM_QUERY_MAX; q++) {
        if (readers->readers[q] != NULL) {
            cosmi_reader_destroy(readers->readers[q]);
        }
    }
}

void cosmi_readers_free(struct cosm_batch *batch, struct reader_list *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        free_readers(&list->items[i]);
    }
    cosmi_array_free(&batch->memory, list->items, list->capacity, sizeof(*list->items));
    *list = (struct reader_list){NULL, 0, 0};
}

static bool is_planned(const struct plan *plan, uint32_t system) {
    for (uint32_t p = 0; p < plan->phase_count; p++) {
        for (uint32_t s = 0; s < plan->phases[p].system_count; s++) {
            if (plan->phases[p].systems[s]->id == system) {
                return true;
            }
        }
    }
    return false;
}

static cosm_result add_readers(struct step *step, const struct system *system) {
    struct reader_list *list = &step->run->readers;
    struct cosm_batch *batch = step->batch;
    struct system_readers *items = cosmi_array_grow(&batch->memory, list->items, &list->capacity,
                                                    list->count + 1, sizeof(*items));
    if (items == NULL) {
        return cosmi_fail_memory(batch->sink, &batch->memory, step->call);
    }
    list->items = items;
    struct system_readers readers = {.system = system->id};
    for (uint32_t q = 0; q < system->query_count; q++) {
        if (system->queries[q]->changed == 0) {
            continue;
        }
        readers.readers[q] =
            cosmi_reader_create(batch, system->queries[q],
                                system->each != NULL ? READER_OF_EACH : READER_OF_RUN, step->call);
        if (readers.readers[q] == NULL) {
            free_readers(&readers);
            return cosm_error_result();
        }
    }
    items[list->count++] = readers;
    return COSM_OK;
}

cosm_result cosmi_readers_adopt(struct step *step) {
    struct reader_list *list = &step->run->readers;
    for (uint32_t i = list->count; i-- > 0;) {
        if (!is_planned(step->plan, list->items[i].system)) {
            free_readers(&list->items[i]);
            list->items[i] = list->items[--list->count];
        }
    }
    for (uint32_t p = 0; p < step->plan->phase_count; p++) {
        const struct plan_phase *phase = &step->plan->phases[p];
        for (uint32_t s = 0; s < phase->system_count; s++) {
            const struct system *system = phase->systems[s];
            if (!system->reads_changes || find_readers(list, system->id) != NULL) {
                continue;
            }
            cosm_result result = add_readers(step, system);
            if (result != COSM_OK) {
                return result;
            }
        }
    }
    return COSM_OK;
}

void cosmi_readers_advance(const struct system_readers *readers, const struct system *system,
                           cosm_worlds worlds) {
    for (uint32_t q = 0; system->each != NULL && q < system->query_count; q++) {
        if (readers->readers[q] != NULL) {
            cosmi_reader_advance(readers->readers[q], worlds.first, worlds.first + worlds.count);
        }
    }
}

void cosmi_turn_watch(const struct turn *turn, const cosm_query *query, cosm_rows *rows) {
    for (uint32_t q = 0; q < turn->system->query_count; q++) {
        struct cosm_change_reader *reader = turn->readers->readers[q];
        if (turn->system->queries[q] != query || reader == NULL) {
            continue;
        }
        if (reader->kind == READER_OF_RUN) {
            cosmi_reader_advance(reader, rows->world_first, rows->world_end);
        }
        rows->reader = reader;
        return;
    }
}
