// What the blocks of a recording hold: read, and found by the number of a step.
#include "recording.h"

#include <cosm/batch.h>
#include <stdlib.h>
#include <string.h>

static bool is_duration(float seconds) {
    // Written so that NaN is refused too.
    return seconds >= 0.0f && seconds <= 1e9f;
}

static const char *read_info(struct recording *recording, const struct record_block *block) {
    size_t size = (size_t)block->head.stored_size;
    struct record_info *info = &recording->info;
    if (block->head.tag != RECORD_TAG_INFO) {
        return "the first block is not the info block";
    }
    if (block->head.is_packed || size < sizeof(*info)) {
        return "its content is invalid";
    }
    memcpy(info, block->stored, sizeof(*info));
    const char *note = (const char *)block->stored + sizeof(*info);
    size_t note_size = size - sizeof(*info);
    if (note_size > 0 && memchr(note, '\0', note_size) != note + note_size - 1) {
        return "its note is not terminated";
    }
    if (block->head.values[1] == 0 || block->head.values[1] > COSM_BATCH_WORLD_MAX) {
        return "its number of worlds is out of range";
    }
    if (!is_duration(info->step_seconds)) {
        return "its step length is invalid";
    }
    recording->note = note_size == 0 ? NULL : note;
    recording->first_step = block->head.values[0];
    recording->world_count = (uint32_t)block->head.values[1];
    recording->hash_count =
        recording->world_count <= RECORD_HASH_WORLDS ? recording->world_count : 0;
    return NULL;
}

static uint64_t next_number(const struct recording *recording) {
    return recording->first_step + recording->step_count;
}

// A step that was there already begins anew: what is known of it and of those after it goes.
static const char *go_back_to(struct recording *recording, uint64_t number) {
    uint64_t first = recording->first_step;
    if (number > next_number(recording) || number < first ||
        (number == first && recording->step_count > 0)) {
        return "its step does not follow those before it";
    }
    if (number < next_number(recording)) {
        recording->step_count = (uint32_t)(number - first);
        recording->next = (struct recorded_step){.sum = 0};
    }
    return NULL;
}

static const char *read_step(struct recording *recording, const struct record_block *block) {
    const char *fault = go_back_to(recording, block->head.values[0]);
    if (fault != NULL) {
        return fault;
    }
    struct recorded_step *step = &recording->steps[recording->step_count];
    *step = recording->next;
    if (block->head.is_packed ||
        block->head.stored_size != sizeof(step->what) + 8 * (size_t)recording->hash_count) {
        return "its content is invalid";
    }
    memcpy(&step->what, block->stored, sizeof(step->what));
    bool begins = recording->step_count == 0;
    if (step->what.phases > (begins ? COSM_STEP_ALL : COSM_STEP_NONE)) {
        return "its kind is unknown";
    }
    if (!is_duration(step->what.dt)) {
        return "its dt is not a valid duration";
    }
    step->hash = block->head.values[1];
    step->itself = block->offset;
    uint64_t words[3] = {block->head.values[0], step->hash, step->what.hash_before};
    step->sum = cosmi_record_sum(0, words, sizeof(words));
    step->sum += begins ? 0 : recording->steps[recording->step_count - 1].sum;
    recording->step_count++;
    recording->next = (struct recorded_step){.sum = 0};
    return NULL;
}

static const char *read_whole(struct recording *recording, const struct record_block *block) {
    if (recording->step_count == 0 || block->head.values[0] != next_number(recording) - 1) {
        return "its step is not the last one";
    }
    recording->steps[recording->step_count - 1].whole = block->offset;
    return NULL;
}

// What comes before a STEP and belongs to it.
static const char *read_ahead(struct recording *recording, const struct record_block *block) {
    if (recording->step_count == 0) {
        return "it comes before the first step";
    }
    const char *fault = go_back_to(recording, block->head.values[0]);
    if (fault == NULL && block->head.tag == RECORD_TAG_HISTORY) {
        recording->next.history = block->offset;
    } else if (fault == NULL) {
        recording->next = (struct recorded_step){
            .input = block->offset, .input_is_whole = block->head.tag == RECORD_TAG_INPUT_WHOLE};
    }
    return fault;
}

static const char *read_block(struct recording *recording, const struct record_block *block) {
    switch (block->head.tag) {
    case RECORD_TAG_STEP:
        return read_step(recording, block);
    case RECORD_TAG_WHOLE:
        return read_whole(recording, block);
    case RECORD_TAG_INPUT:
    case RECORD_TAG_INPUT_WHOLE:
    case RECORD_TAG_HISTORY:
        return read_ahead(recording, block);
    default:
        // Of a later format, which would have another number if it could not be passed over.
        return NULL;
    }
}

static bool reserve_step(struct recording *recording) {
    if (recording->step_count < recording->step_capacity) {
        return true;
    }
    uint32_t capacity = recording->step_capacity + recording->step_capacity / 2 + 64;
    struct recorded_step *steps = realloc(recording->steps, capacity * sizeof(*steps));
    recording->steps = steps == NULL ? recording->steps : steps;
    recording->step_capacity = steps == NULL ? recording->step_capacity : capacity;
    return steps != NULL;
}

static cosm_result scan_blocks(struct recording *recording) {
    struct record_reader *file = &recording->file;
    while (!file->is_finished) {
        struct record_block block;
        bool is_first = file->number == 0;
        struct record_reader before = *file;
        cosm_result result = reserve_step(recording)
                                 ? cosmi_record_next(file, &block)
                                 : cosmi_record_fail_memory(file->engine, file->call);
        if (result != COSM_OK || file->is_finished) {
            return result;
        }
        const char *fault = is_first ? read_info(recording, &block) : read_block(recording, &block);
        if (fault != NULL) {
            return cosmi_record_refuse(&before, &block, fault);
        }
    }
    return COSM_OK;
}

cosm_result cosmi_record_open(struct recording *recording, const cosm_load_desc *desc) {
    const struct record_reader *file = &recording->file;
    cosm_result result = cosmi_record_open_file(&recording->file, desc);
    result = result == COSM_OK ? scan_blocks(recording) : result;
    if (result == COSM_OK && (recording->step_count == 0 || recording->steps[0].whole == 0)) {
        result = cosm_error_raise(
            file->engine, COSM_ERROR_FORMAT,
            "%s: the recording ends within its first state; it cannot be replayed", file->call);
    }
    if (result != COSM_OK) {
        cosmi_record_free(recording);
    }
    return result;
}

void cosmi_record_free(struct recording *recording) {
    free(recording->steps);
    recording->steps = NULL;
}

const struct recorded_step *cosmi_record_find(const struct recording *recording, uint64_t number) {
    uint64_t index = number - recording->first_step;
    return number >= recording->first_step && index < recording->step_count
               ? &recording->steps[index]
               : NULL;
}

cosm_result cosmi_record_content(const struct recording *recording, size_t offset, const char *call,
                                 struct record_content *out_content) {
    struct record_reader file = recording->file;
    struct record_block block = {.offset = offset};
    // It was checked when the recording was opened.
    memcpy(&block.head, file.bytes + offset, sizeof(block.head));
    block.stored = file.bytes + offset + sizeof(block.head);
    file.call = call;
    file.number = block.head.number;
    return cosmi_record_unpack(&file, &block, out_content);
}
