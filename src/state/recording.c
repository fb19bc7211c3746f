// Recordings as files: writing blocks, and finding them.
#include "state/recording.h"

#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"

static void write_recording(void *target, const char *text, size_t size) {
    struct recording_writer *writer = target;
    writer->failed = writer->failed || fwrite(text, 1, size, writer->file) != size;
}

static cosm_result fail_file(const struct recording_writer *writer, const char *what) {
    return cosmi_fail(writer->blocks.sink, COSM_ERROR_IO,
                      "%s: %s: %s; check that the folder exists, is writable and has free space",
                      writer->blocks.call, what, strerror(errno));
}

cosm_result cosmi_recording_put(struct recording_writer *writer, uint32_t tag, uint64_t step,
                                const void *bytes, size_t size) {
    struct block_head head = {.tag = tag, .values = {step}};
    struct byte_part part = {bytes, size};
    cosm_result result = cosmi_blocks_put(&writer->blocks, &head, &part, 1);
    if (result != COSM_OK) {
        return result;
    }
    writer->failed = writer->failed || fflush(writer->file) != 0;
    return writer->failed ? fail_file(writer, "cannot write the recording") : COSM_OK;
}

cosm_result cosmi_recording_put_step(struct recording_writer *writer,
                                     const struct recording_step *step, const uint64_t *hashes,
                                     uint32_t hash_count) {
    struct byte_writer bytes;
    uint32_t dt;
    memcpy(&dt, &step->dt, sizeof(dt));
    cosmi_writer_init(&bytes, writer->blocks.memory);
    cosmi_write_u32(&bytes, step->kind);
    cosmi_write_u32(&bytes, dt);
    cosmi_write_u64(&bytes, step->hash_before);
    for (uint32_t i = 0; i < hash_count; i++) {
        cosmi_write_u64(&bytes, hashes[i]);
    }
    struct block_head head = {.tag = RECORDING_STEP, .values = {step->number, step->hash}};
    struct byte_part part = {bytes.bytes, bytes.size};
    cosm_result result =
        bytes.failed
            ? cosmi_fail_memory(writer->blocks.sink, writer->blocks.memory, writer->blocks.call)
            : cosmi_blocks_put(&writer->blocks, &head, &part, 1);
    cosmi_writer_free(&bytes);
    if (result != COSM_OK) {
        return result;
    }
    writer->failed = writer->failed || fflush(writer->file) != 0;
    return writer->failed ? fail_file(writer, "cannot write the recording") : COSM_OK;
}

static cosm_result put_info(struct recording_writer *writer, const struct recording_info *info) {
    struct byte_writer bytes;
    uint32_t seconds;
    memcpy(&seconds, &info->step_seconds, sizeof(seconds));
    cosmi_writer_init(&bytes, writer->blocks.memory);
    cosmi_write_u64(&bytes, info->seed);
    cosmi_write_u32(&bytes, seconds);
    cosmi_write_u8(&bytes, info->history);
    cosmi_write_text(&bytes, info->note);
    struct block_head head = {.tag = RECORDING_INFO,
                              .values = {info->first_step, info->world_count}};
    struct byte_part part = {bytes.bytes, bytes.size};
    cosm_result result =
        bytes.failed
            ? cosmi_fail_memory(writer->blocks.sink, writer->blocks.memory, writer->blocks.call)
            : cosmi_blocks_put(&writer->blocks, &head, &part, 1);
    cosmi_writer_free(&bytes);
    return result;
}

cosm_result cosmi_recording_create(struct recording_writer *writer, const char *path,
                                   const struct recording_info *info) {
    writer->failed = false;
    // A replay may have mapped a file of this name: that one stays as it is, without a name.
    cosmi_file_unname(path);
    writer->file = fopen(path, "wb");
    if (writer->file == NULL) {
        return cosmi_fail(writer->blocks.sink, COSM_ERROR_IO,
                          "%s: cannot create '%s': %s; check that the folder exists and is "
                          "writable",
                          writer->blocks.call, path, strerror(errno));
    }
    writer->blocks.write = write_recording;
    writer->blocks.target = writer;
    cosmi_blocks_begin(&writer->blocks, RECORDING_FORMAT, FILE_KIND_RECORDING);
    cosm_result result = put_info(writer, info);
    if (result != COSM_OK) {
        (void)fclose(writer->file);
    }
    return result;
}

cosm_result cosmi_recording_end(struct recording_writer *writer, bool is_whole) {
    if (is_whole) {
        cosmi_blocks_end(&writer->blocks);
    }
    writer->failed = fclose(writer->file) != 0 || writer->failed;
    return writer->failed ? fail_file(writer, "cannot write the recording") : COSM_OK;
}

static uint64_t step_sum(const struct recording_step *step) {
    uint64_t words[3] = {step->number, step->hash, step->hash_before};
    return cosmi_hash_bytes(0, words, sizeof(words));
}

static const char *read_info(struct recording *recording, const struct block *block) {
    struct byte_reader reader = reader_of(block->bytes, block->size);
    struct recording_info *info = &recording->info;
    info->first_step = block->head.values[0];
    info->seed = cosmi_read_u64(&reader);
    uint32_t seconds = cosmi_read_u32(&reader);
    memcpy(&info->step_seconds, &seconds, sizeof(seconds));
    info->history = cosmi_read_u8(&reader) != 0;
    const char *note = cosmi_read_text(&reader);
    if (reader.failed || reader_left(&reader) != 0) {
        return "its content is invalid";
    }
    if (block->head.values[1] == 0 || block->head.values[1] > COSM_BATCH_WORLD_MAX) {
        return "its number of worlds is out of range";
    }
    // Written so that NaN is refused too.
    if (!(info->step_seconds >= 0.0f && info->step_seconds <= 1e9f)) {
        return "its step length is invalid";
    }
    info->world_count = (uint32_t)block->head.values[1];
    recording->hash_count = info->world_count <= RECORDING_HASH_WORLDS ? info->world_count : 0;
    info->note = note;
    return NULL;
}

static cosm_result keep_note(struct recording *recording) {
    const char *note = recording->info.note;
    struct block_reader *blocks = &recording->blocks;
    if (note == NULL) {
        return COSM_OK;
    }
    recording->text_size = strlen(note) + 1;
    recording->text = cosmi_memory_alloc(blocks->memory, recording->text_size, 1);
    if (recording->text == NULL) {
        return cosmi_fail_memory(blocks->sink, blocks->memory, blocks->call);
    }
    memcpy(recording->text, note, recording->text_size);
    recording->info.note = recording->text;
    return COSM_OK;
}

static uint64_t next_number(const struct recording *recording) {
    return recording->info.first_step + recording->step_count;
}

// A step that was there already begins anew: what is known of it and of those after it goes.
static const char *go_back_to(struct recording *recording, uint64_t number) {
    uint64_t first = recording->info.first_step;
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

static const char *read_step(struct recording *recording, const struct block *block) {
    struct byte_reader reader = reader_of(block->bytes, block->size);
    struct recorded_step *step = &recording->steps[recording->step_count];
    *step = recording->next;
    step->what.number = block->head.values[0];
    step->what.hash = block->head.values[1];
    step->what.kind = cosmi_read_u32(&reader);
    uint32_t dt = cosmi_read_u32(&reader);
    memcpy(&step->what.dt, &dt, sizeof(dt));
    step->what.hash_before = cosmi_read_u64(&reader);
    if (reader.failed || block->size != RECORDING_STEP_HEAD + 8 * (size_t)recording->hash_count) {
        return "its content is invalid";
    }
    bool begins = recording->step_count == 0;
    if (begins ? step->what.kind != 0 : step->what.kind < 1 || step->what.kind > 3) {
        return "its kind is unknown";
    }
    if (!(step->what.dt >= 0.0f && step->what.dt <= 1e9f)) {
        return "its dt is not a valid duration";
    }
    step->itself = (struct block_place){block->offset, block->number};
    step->sum =
        step_sum(&step->what) + (begins ? 0 : recording->steps[recording->step_count - 1].sum);
    recording->step_count++;
    recording->next = (struct recorded_step){.sum = 0};
    return NULL;
}

static const char *read_whole(struct recording *recording, const struct block *block) {
    if (recording->step_count == 0 || block->head.values[0] != next_number(recording) - 1) {
        return "its step is not the last one";
    }
    recording->steps[recording->step_count - 1].whole =
        (struct block_place){block->offset, block->number};
    return NULL;
}

// What comes before a STEP and belongs to it.
static const char *read_ahead(struct recording *recording, const struct block *block) {
    if (recording->step_count == 0) {
        return "it comes before the first step";
    }
    const char *fault = go_back_to(recording, block->head.values[0]);
    struct block_place place = {block->offset, block->number};
    if (fault == NULL && block->head.tag == RECORDING_HISTORY) {
        recording->next.history = place;
    } else if (fault == NULL) {
        recording->next = (struct recorded_step){.sum = 0};
        recording->next.input = place;
        recording->next.input_is_whole = block->head.tag == RECORDING_INPUT_WHOLE;
    }
    return fault;
}

static const char *read_block(struct recording *recording, const struct block *block) {
    switch (block->head.tag) {
    case RECORDING_STEP: {
        const char *fault = go_back_to(recording, block->head.values[0]);
        return fault == NULL ? read_step(recording, block) : fault;
    }
    case RECORDING_WHOLE:
        return read_whole(recording, block);
    case RECORDING_INPUT:
    case RECORDING_INPUT_WHOLE:
    case RECORDING_HISTORY:
        return read_ahead(recording, block);
    default:
        // Of a later format, which would have another number if it could not be passed over.
        return NULL;
    }
}

// Unpacks those blocks only that are looked into here.
static cosm_result next_block(struct recording *recording, struct block *out_block) {
    struct block_reader *blocks = &recording->blocks;
    struct block_reader before = *blocks;
    cosm_result result = cosmi_blocks_peek(blocks, out_block);
    bool is_read = out_block->head.tag == RECORDING_INFO || out_block->head.tag == RECORDING_STEP;
    if (result == COSM_OK && !blocks->is_finished && out_block->is_packed && is_read) {
        *blocks = before;
        result = cosmi_blocks_next(blocks, out_block);
    }
    return result;
}

static bool reserve_step(struct recording *recording) {
    struct recorded_step *steps =
        cosmi_array_grow(recording->blocks.memory, recording->steps, &recording->step_capacity,
                         recording->step_count + 1, sizeof(*steps));
    recording->steps = steps == NULL ? recording->steps : steps;
    return steps != NULL;
}

static cosm_result scan_info(struct recording *recording) {
    struct block_reader *blocks = &recording->blocks;
    struct block block;
    cosm_result result = next_block(recording, &block);
    if (result != COSM_OK) {
        return result;
    }
    if (blocks->is_finished) {
        return cosmi_fail(blocks->sink, COSM_ERROR_FORMAT,
                          "%s: the recording ends within its first block; it has no content",
                          blocks->call);
    }
    const char *fault = block.head.tag == RECORDING_INFO ? read_info(recording, &block)
                                                         : "the first block is not the info block";
    result = fault == NULL ? keep_note(recording) : cosmi_block_refuse(blocks, &block, fault);
    cosmi_block_release(&block);
    return result;
}

static cosm_result scan_blocks(struct recording *recording) {
    struct block_reader *blocks = &recording->blocks;
    cosm_result result = scan_info(recording);
    while (result == COSM_OK && !blocks->is_finished) {
        struct block block;
        if (!reserve_step(recording)) {
            return cosmi_fail_memory(blocks->sink, blocks->memory, blocks->call);
        }
        result = next_block(recording, &block);
        if (result != COSM_OK || blocks->is_finished) {
            break;
        }
        const char *fault = read_block(recording, &block);
        result = fault == NULL ? COSM_OK : cosmi_block_refuse(blocks, &block, fault);
        cosmi_block_release(&block);
    }
    if (result == COSM_OK && (recording->step_count == 0 || recording->steps[0].whole.at == 0)) {
        result = cosmi_fail(blocks->sink, COSM_ERROR_FORMAT,
                            "%s: the recording ends within its first state; it cannot be replayed",
                            blocks->call);
    }
    recording->is_whole = blocks->is_closed;
    return result;
}

cosm_result cosmi_recording_open(struct recording *recording) {
    cosm_result result =
        cosmi_blocks_open(&recording->blocks, FILE_KIND_RECORDING, RECORDING_FORMAT);
    if (result == COSM_OK) {
        result = scan_blocks(recording);
        if (result != COSM_OK) {
            cosmi_recording_free(recording);
        }
    }
    return result;
}

void cosmi_recording_free(struct recording *recording) {
    struct memory *memory = recording->blocks.memory;
    cosmi_array_free(memory, recording->steps, recording->step_capacity, sizeof(*recording->steps));
    cosmi_memory_free(memory, recording->text, recording->text_size, 1);
    recording->steps = NULL;
    recording->text = NULL;
}

const struct recorded_step *cosmi_recording_find(const struct recording *recording,
                                                 uint64_t number) {
    uint64_t index = number - recording->info.first_step;
    return number >= recording->info.first_step && index < recording->step_count
               ? &recording->steps[index]
               : NULL;
}

cosm_result cosmi_recording_block(const struct recording *recording, struct block_place place,
                                  const char *call, struct block *out_block) {
    struct block_reader blocks = recording->blocks;
    blocks.at = place.at;
    blocks.number = place.number;
    blocks.call = call;
    blocks.is_finished = false;
    blocks.tolerant = false;
    return cosmi_blocks_next(&blocks, out_block);
}
