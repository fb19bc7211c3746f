// Recordings as files: the blocks of one, written as a run goes on, and found again.
//
//   INFO  step it begins with, worlds; seed, note and so on
//   STEP  number, hash after it; how it was taken, hash before it, hashes of worlds
//   WHOL  number: the state after that step, as a save file
//   INPT  number of a step: what the program did before it, as a patch
//   INPW  number of a step: the state it began with, as a save file
//   HIST  number of a step: what it changed, as a patch
//
// The first STEP is the step that the recording begins with: nothing was taken. From there on a
// step is its INPT or INPW if there was an input, its HIST if the recording has a history, and its
// STEP; a WHOL may follow. A step with the number of one that is there already takes its place, and
// that of all after it: the program went back. The design page of recordings has the bytes.
//
// Nothing here knows what is in patches and save files.
#ifndef COSM_STATE_RECORDING_H
#define COSM_STATE_RECORDING_H

#include <stdio.h>

#include "base/bytes.h"
#include "state/blocks.h"

#define RECORDING_FORMAT 1u

// The bytes of a STEP before the hashes of its worlds.
#define RECORDING_STEP_HEAD ((size_t)16)

// With more worlds than this only the hash of the batch is kept: 32 KiB a step is enough.
#define RECORDING_HASH_WORLDS 4096u

#define RECORDING_INFO BLOCK_TAG('I', 'N', 'F', 'O')
#define RECORDING_STEP BLOCK_TAG('S', 'T', 'E', 'P')
#define RECORDING_WHOLE BLOCK_TAG('W', 'H', 'O', 'L')
#define RECORDING_INPUT BLOCK_TAG('I', 'N', 'P', 'T')
#define RECORDING_INPUT_WHOLE BLOCK_TAG('I', 'N', 'P', 'W')
#define RECORDING_HISTORY BLOCK_TAG('H', 'I', 'S', 'T')

// What a recording says of itself.
struct recording_info {
    uint64_t first_step;
    uint32_t world_count;
    uint64_t seed;
    float step_seconds;
    bool history;
    const char *note; // NULL: none
};

// How a step was taken, and what came of it.
struct recording_step {
    uint64_t number;
    uint64_t hash;        // of the batch, after it
    uint64_t hash_before; // when it began, after its input
    uint32_t kind;        // enum step_kind of api/batch.h; 0: the recording begins
    float dt;
};

// Writing. Once a write has failed, nothing is written any more.
struct recording_writer {
    struct block_writer blocks;
    FILE *file;
    bool failed;
};

// Makes a file and writes its INFO. On failure there is a message, and nothing is left to be ended.
cosm_result cosmi_recording_create(struct recording_writer *writer, const char *path,
                                   const struct recording_info *info);

// One block, handed to the system when the call returns. On failure there is a message.
cosm_result cosmi_recording_put(struct recording_writer *writer, uint32_t tag, uint64_t step,
                                const void *bytes, size_t size);
cosm_result cosmi_recording_put_step(struct recording_writer *writer,
                                     const struct recording_step *step, const uint64_t *hashes,
                                     uint32_t hash_count);

// Closes the file: as one that is whole, or (not `is_whole`) as it is.
cosm_result cosmi_recording_end(struct recording_writer *writer, bool is_whole);

// Where a block is. All zero: there is none, as the first block is behind the header.
struct block_place {
    size_t at;
    uint32_t number;
};

// A step of a recording that was read. Entry 0 is that which it begins with.
struct recorded_step {
    struct recording_step what;
    // The sum of what all steps up to here come to, so that the hashes of a run of steps are
    // compared at once: equal between two places where the differences of their sums are.
    uint64_t sum;
    struct block_place itself;
    struct block_place whole;
    struct block_place input;
    struct block_place history;
    bool input_is_whole;
};

// A recording that lies in memory.
struct recording {
    struct block_reader blocks; // opened
    struct recording_info info; // the note is in `text`
    char *text;
    size_t text_size;
    uint32_t hash_count; // hashes of worlds that each step has
    bool is_whole;       // it was closed
    struct recorded_step *steps;
    uint32_t step_count;
    uint32_t step_capacity;
    struct recorded_step next; // inputs of a step that never ended
};

// Looks at all blocks. `blocks` is filled in as for cosmi_blocks_open. On failure there is a
// message, and nothing is left to be freed.
cosm_result cosmi_recording_open(struct recording *recording);
void cosmi_recording_free(struct recording *recording);

// The step with a number; NULL where there is none.
const struct recorded_step *cosmi_recording_find(const struct recording *recording,
                                                 uint64_t number);

// A block again, to be released with cosmi_block_release. On failure there is a message that names
// `call`.
cosm_result cosmi_recording_block(const struct recording *recording, struct block_place place,
                                  const char *call, struct block *out_block);

#endif
