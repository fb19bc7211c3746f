// What operations share beside choosing: telling, judging results, and failing.
#include "state.h"

#include <stdarg.h>
#include <string.h>

void fail(struct model *m, const char *format, ...) {
    va_list list;
    va_start(list, format);
    m->result->failed = true;
    for (const char *at = format; *at != '\0'; at++) {
        m->result->kind = m->result->kind * 31 + (uint8_t)*at;
    }
    vsnprintf(m->result->text, sizeof(m->result->text), format, list);
    va_end(list);
    longjmp(m->failed, 1);
}

void say(struct model *m, const char *format, ...) {
    if (!m->options->trace) {
        return;
    }
    va_list list;
    va_start(list, format);
    if (m->batch) {
        fprintf(m->options->trace, "%5u  ", m->result->operation);
    } else {
        fprintf(m->options->trace, "    -  ");
    }
    vfprintf(m->options->trace, format, list);
    fputc('\n', m->options->trace);
    // A crash in the call that was just told must not swallow the line.
    fflush(m->options->trace);
    va_end(list);
}

// The results in a mask, by name.
static void name_results(uint32_t mask, char *out, size_t size) {
    out[0] = '\0';
    for (uint32_t i = 0; i < COSM_RESULT_COUNT; i++) {
        if (mask >> i & 1) {
            size_t used = strlen(out);
            snprintf(out + used, size - used, "%s%s", used > 0 ? " or " : "",
                     cosm_result_name((cosm_result)i));
        }
    }
}

// A failure says what it was in the slot of this thread; anything else leaves the slot empty.
static void check_slot(struct model *m, cosm_result got) {
    bool quiet = got == COSM_OK || got == COSM_STALE;
    cosm_result slot = cosm_error_result();
    const char *message = cosm_error_message();
    if (quiet && (slot != COSM_OK || message[0] != '\0')) {
        fail(m, "%s, but the error slot says %s: \"%s\"", cosm_result_name(got),
             cosm_result_name(slot), message);
    }
    if (!quiet && (slot != got || message[0] == '\0')) {
        fail(m, "%s, but the error slot says %s: \"%s\"", cosm_result_name(got),
             cosm_result_name(slot), message);
    }
}

cosm_result settle(struct model *m, cosm_result got, uint32_t must, uint32_t may,
                   uint32_t touches) {
    // The call is over: what is asked from here on gets its memory.
    m->fail_after = m->heap.fail_after;
    m->heap.fail_after = 0;
    uint32_t right = must != 0 ? must : RESULT_BIT(COSM_OK) | may;
    if (m->memory_limit > 0 || m->heap.refused) {
        right |= RESULT_BIT(COSM_ERROR_MEMORY);
    }
    if ((uint32_t)got >= COSM_RESULT_COUNT || !(right >> (uint32_t)got & 1)) {
        char names[200];
        name_results(right, names, sizeof(names));
        fail(m, "%s where %s is right; the message is \"%s\"", cosm_result_name(got), names,
             cosm_error_message());
    }
    // What observers could not be told for want of memory is told to nobody but the slot.
    bool scarce = m->memory_limit > 0 || m->heap.refused;
    if (got == COSM_OK && m->watcher_count > 0 && scarce &&
        cosm_error_result() == COSM_ERROR_MEMORY) {
        m->watch_lost = true;
        cosm_error_clear();
    }
    check_slot(m, got);
    m->renumbered |= got == COSM_ERROR_MEMORY;
    if (got == COSM_OK) {
        m->touched |= touches;
    } else if (got != COSM_STALE && got != COSM_ERROR_WALKED) {
        m->compare = true;
    }
    return got;
}

cosm_result made(struct model *m, bool success) {
    if (!success && cosm_error_result() == COSM_OK) {
        fail(m, "nothing was made, and the error slot is empty");
    }
    return success ? COSM_OK : cosm_error_result();
}

cosm_result defined(struct model *m, bool success) {
    if (!success && m->undefined == COSM_OK) {
        m->undefined = cosm_error_result();
    }
    return made(m, success);
}

uint32_t walked_bit(const struct model *m, struct place place) {
    bool walked = place_is_good(place) && world_is_walked(&m->o, place.index);
    return walked ? RESULT_BIT(COSM_ERROR_WALKED) : 0;
}

bool room_for_bytes(struct model *m, uint64_t bytes) {
    uint64_t live = 0;
    for (uint32_t i = 0; i < m->o.world_count; i++) {
        live += world_live(&m->o, i);
    }
    return live + bytes <= m->live_max;
}

uint32_t room_for(struct model *m, uint32_t world, size_t size, uint32_t wanted) {
    uint32_t alive = m->o.worlds[world].alive_count;
    uint32_t room = alive < m->alive_max ? m->alive_max - alive : 0;
    room = room < wanted ? room : wanted;
    while (room > 0 && !room_for_bytes(m, (uint64_t)room * size)) {
        room /= 2;
    }
    return room;
}

bool is_full(struct model *m, uint32_t world, uint64_t set, bool temporary, uint32_t more) {
    const struct archetype *archetype = archetype_of_set(&m->o, set, temporary);
    if (!archetype || archetype->max == 0 || more == 0) {
        return false;
    }
    uint32_t max = archetype->max + (m->o.fault == MODEL_FAULT_FIXED_ONE_MORE ? 1u : 0u);
    return row_count(&m->o, world, archetype) + more > max;
}

bool is_sealed(struct model *m, uint64_t set) {
    const struct archetype *archetype = archetype_of_set(&m->o, set, false);
    return archetype && archetype->sealed && m->o.fault != MODEL_FAULT_SEALED_OPEN;
}

bool spawn_fits(struct model *m, struct place place, struct choice choice) {
    const struct archetype *archetype = choice_archetype(m, choice);
    if (!place_is_good(place) || !archetype) {
        return true;
    }
    return room_for(m, place.index, set_size(&m->o, archetype->set), 1) == 1;
}

bool has_pending_spawn(const struct model *m, uint32_t world, const uint32_t *id) {
    for (uint32_t i = 0; i < MODEL_COMMANDS_MAX; i++) {
        for (uint32_t k = 0; m->commands[i].library && k < m->commands[i].count; k++) {
            const struct command *command = &m->commands[i].list[k];
            if (command->kind == COMMAND_SPAWN && command->world == world &&
                (!id || command->entity.id == *id) && !command->is_broken) {
                return true;
            }
        }
    }
    return false;
}

void take_handle(struct model *m, uint32_t world, cosm_entity handle) {
    struct world *w = &m->o.worlds[world];
    if (handle.gen % 2 != 1) {
        fail(m, "a new entity {gen %u, id %u} has an even generation", handle.gen, handle.id);
    }
    if (handle.id >= ORACLE_ID_MAX) {
        fail(m, "a new entity {gen %u, id %u} has an id far past the others", handle.gen,
             handle.id);
    }
    if (w->fresh && handle.id != w->fresh_next++) {
        fail(m,
             "a new entity {gen %u, id %u}: the ids of an empty world come in order, and %u is "
             "due",
             handle.gen, handle.id, w->fresh_next - 1);
    }
    if (w->freed != 0 && handle.id != w->freed - 1) {
        fail(m, "a new entity {gen %u, id %u}: the id freed last is due, %u", handle.gen, handle.id,
             w->freed - 1);
    }
    w->freed = 0;
    bool taken = handle.id < w->being_capacity && w->beings[handle.id].alive;
    if (taken || has_pending_spawn(m, world, &handle.id)) {
        fail(m, "a new entity {gen %u, id %u} has the id of one that lives or is about to",
             handle.gen, handle.id);
    }
    if (!handle_give(&m->o, world, handle)) {
        fail(m, "the handle {gen %u, id %u} was given out before in world %u", handle.gen,
             handle.id, world);
    }
}

const struct archetype *learn_archetype(struct model *m, uint64_t set, cosm_archetype id) {
    set = table_set(&m->o, set);
    const struct archetype *known = archetype_of_set(&m->o, set, false);
    if (known) {
        return known->id.id == id.id ? known : NULL;
    }
    if (id.id == 0 || archetype_of_id(&m->o, id)) {
        return NULL;
    }
    struct archetype formed = {.id = id, .set = set, .split = split_of_set(&m->o, set, false)};
    return archetype_append(&m->o, &formed);
}
