// Pending commands: copied out of the objects that hold them, and put back.
#include "run/pending.h"

#include "base/bits.h"
#include "store/managed.h"

#define PENDING_ALIGNMENT ((size_t)16)

bool cosmi_pending_any(const struct cosm_batch *batch) {
    const struct cosm_commands *holder = pending_first(batch);
    while (holder != NULL && holder->count == 0) {
        holder = pending_next(holder->following);
    }
    return holder != NULL;
}

static size_t command_head(void) {
    return align_up(sizeof(struct command), PENDING_ALIGNMENT);
}

size_t cosmi_command_size(const struct schema *schema, const struct command *command) {
    size_t values = 0;
    if (command->kind == COMMAND_SET) {
        values = cosmi_command_value_size(schema_component(schema, command->subject));
    } else if (command->kind == COMMAND_PARENT) {
        values = sizeof(cosm_entity);
    } else if (command->kind == COMMAND_SPAWN || command->kind == COMMAND_EMIT) {
        values = cosmi_values_size(schema, command->values, command->value_count);
    }
    return command_head() + align_up(values, PENDING_ALIGNMENT);
}

// Copies what is held in the place of an object, which another command holds.
static bool copy_held(const struct cosm_batch *batch, const char *call,
                      const struct value_type *type, const void *source, void *bytes) {
    const struct held_object *held = source;
    struct held_object *copy = cosmi_held_lay(type, bytes);
    return held->object == NULL || cosmi_held_copy(batch, call, copy, held->object);
}

static bool copy_set(const struct cosm_batch *batch, const char *call,
                     const struct command *command, void *bytes) {
    const struct value_type *type = schema_component(batch->schema, command->subject);
    if (type->is_object) {
        return copy_held(batch, call, type, command->values, bytes);
    }
    if (type->size > 0) {
        memcpy(bytes, command->values, type->size);
    }
    return true;
}

static bool copy_row_values(const struct cosm_batch *batch, const char *call,
                            const struct command *command, void *bytes) {
    const cosm_value *values = command->values;
    const cosm_value *copies =
        cosmi_values_copy(batch->schema, values, command->value_count, bytes);
    bool done = true;
    for (uint32_t i = 0; i < command->value_count && done; i++) {
        const struct value_type *type = schema_component(batch->schema, values[i].component.id);
        if (type->is_object) {
            done = copy_held(batch, call, type, values[i].data, (void *)(uintptr_t)copies[i].data);
        }
    }
    return done;
}

bool cosmi_command_copy(const struct cosm_batch *batch, const char *call,
                        const struct command *command, void *memory) {
    struct command *copy = memory;
    void *bytes = (char *)memory + command_head();
    *copy = *command;
    copy->next = NULL;
    copy->values = bytes;
    switch (command->kind) {
    case COMMAND_SET:
        return copy_set(batch, call, command, bytes);
    case COMMAND_PARENT:
        memcpy(bytes, command->values, sizeof(cosm_entity));
        return true;
    case COMMAND_SPAWN:
    case COMMAND_EMIT:
        return copy_row_values(batch, call, command, bytes);
    case COMMAND_DESPAWN:
    case COMMAND_DESPAWN_TREE:
    case COMMAND_ADD:
    case COMMAND_REMOVE:
        break;
    }
    return true;
}

void cosmi_pending_free(struct pending *pending) {
    for (uint32_t i = 0; pending != NULL && i < pending->chain_count; i++) {
        cosmi_chain_end_held(pending->schema, &pending->chains[i].commands);
    }
    if (pending != NULL) {
        cosmi_memory_give(pending->memory, pending, pending->size, PENDING_ALIGNMENT);
    }
}

// One world on its way into a struct pending.
struct pending_note {
    uint64_t serial; // of the object whose commands came last
    uint32_t chain_count;
    size_t bytes;  // of the commands
    bool is_other; // than what was kept
    struct pending *kept;
    const struct command *next; // what was kept, from here on
    uint32_t left;
    struct pending *made;
    char *end;                // of what was filled in
    struct command_list list; // the chain that is being filled in
};

struct pending_capture {
    cosm_worlds worlds;
    const char *call;
    struct memory *memory;
    struct pending_note *notes; // [worlds.count]
};

// Is this command, of the object `serial`, the next of those that were kept?
static void compare_kept(struct pending_note *note, uint64_t serial,
                         const struct command *command) {
    if (note->serial != serial) {
        const struct pending *kept = note->kept;
        bool has = kept != NULL && note->chain_count < kept->chain_count &&
                   kept->chains[note->chain_count].serial == serial;
        note->is_other |= !has || note->left != 0;
        note->next = has ? kept->chains[note->chain_count].commands.first : NULL;
        note->left = has ? kept->chains[note->chain_count].commands.count : 0;
    }
    if (note->left == 0 || note->next->number != command->number) {
        note->is_other = true;
        return;
    }
    note->next = note->next->next;
    note->left--;
}

// Counts what each world has.
static void count_pending(const struct pending_capture *capture) {
    const struct cosm_batch *batch = capture->worlds.batch;
    struct cosm_commands *holder = pending_first(batch);
    for (; holder != NULL; holder = pending_next(holder->following)) {
        for (const struct command *c = holder->first; c != NULL; c = c->next) {
            if (c->world - capture->worlds.first >= capture->worlds.count) {
                continue;
            }
            struct pending_note *note = &capture->notes[c->world - capture->worlds.first];
            compare_kept(note, holder->serial, c);
            note->chain_count += note->serial != holder->serial;
            note->serial = holder->serial;
            note->bytes += cosmi_command_size(batch->schema, c);
        }
    }
}

// A block for what a world has, unless what was kept says the same.
static bool make_pending(const struct pending_capture *capture, struct pending_note *note) {
    const struct pending *kept = note->kept;
    if (kept != NULL && !note->is_other && note->left == 0 &&
        note->chain_count == kept->chain_count) {
        return true;
    }
    note->kept = NULL;
    if (note->chain_count == 0) {
        return true;
    }
    size_t head = sizeof(struct pending) + note->chain_count * sizeof(struct pending_chain);
    size_t size = align_up(head, PENDING_ALIGNMENT) + note->bytes;
    note->made = cosmi_memory_take(capture->memory, size, PENDING_ALIGNMENT);
    if (note->made == NULL) {
        return false;
    }
    *note->made = (struct pending){
        .memory = capture->memory, .schema = capture->worlds.batch->schema, .size = size};
    note->end = (char *)note->made + align_up(head, PENDING_ALIGNMENT);
    note->serial = 0;
    return true;
}

static bool fill_pending(const struct pending_capture *capture, struct pending_note *note,
                         uint64_t serial, const struct command *command) {
    const struct cosm_batch *batch = capture->worlds.batch;
    struct pending *pending = note->made;
    if (note->serial != serial) {
        note->serial = serial;
        note->list = (struct command_list){NULL, NULL, 0};
        pending->chains[pending->chain_count++] = (struct pending_chain){serial, {NULL, 0}};
    }
    struct command *copy = (void *)note->end;
    bool done = cosmi_command_copy(batch, capture->call, command, copy);
    // One whose objects could not all be copied is listed too: so those that were are ended.
    command_list_append(&note->list, copy);
    pending->chains[pending->chain_count - 1].commands =
        (struct command_chain){note->list.first, note->list.count};
    note->end += cosmi_command_size(batch->schema, command);
    return done;
}

static cosm_result fill_all_pending(const struct pending_capture *capture) {
    struct cosm_commands *holder = pending_first(capture->worlds.batch);
    for (; holder != NULL; holder = pending_next(holder->following)) {
        for (const struct command *c = holder->first; c != NULL; c = c->next) {
            uint32_t at = c->world - capture->worlds.first;
            if (at < capture->worlds.count && capture->notes[at].made != NULL &&
                !fill_pending(capture, &capture->notes[at], holder->serial, c)) {
                return COSM_ERROR_MEMORY;
            }
        }
    }
    return COSM_OK;
}

static cosm_result capture_pending(const struct pending_capture *capture) {
    count_pending(capture);
    for (uint32_t i = 0; i < capture->worlds.count; i++) {
        if (!make_pending(capture, &capture->notes[i])) {
            return cosmi_fail_memory(capture->worlds.batch->sink, capture->memory, capture->call);
        }
    }
    return fill_all_pending(capture);
}

cosm_result cosmi_pending_capture(cosm_worlds worlds, struct memory *memory, const char *call,
                                  struct pending *const *kept, struct pending **out) {
    struct cosm_batch *batch = worlds.batch;
    size_t size = worlds.count * sizeof(struct pending_note);
    struct pending_capture capture = {worlds, call, memory, NULL};
    capture.notes = cosmi_memory_take_zeroed(&batch->memory, size, _Alignof(struct pending_note));
    if (capture.notes == NULL) {
        return cosmi_fail_memory(batch->sink, &batch->memory, call);
    }
    for (uint32_t i = 0; i < worlds.count; i++) {
        capture.notes[i].kept = kept == NULL ? NULL : kept[i];
    }
    cosm_result result = capture_pending(&capture);
    for (uint32_t i = 0; i < worlds.count; i++) {
        struct pending_note *note = &capture.notes[i];
        out[i] = note->kept != NULL ? note->kept : note->made;
        if (result != COSM_OK) {
            cosmi_pending_free(note->made);
            out[i] = NULL;
        }
    }
    cosmi_memory_give(&batch->memory, capture.notes, size, _Alignof(struct pending_note));
    return result;
}
