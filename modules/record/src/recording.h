// What the blocks of a recording hold, and where they are.
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
#ifndef COSM_RECORD_RECORDING_H
#define COSM_RECORD_RECORDING_H

#include "blocks.h"

// With more worlds than this only the hash of the batch is kept: 32 KiB a step is enough.
#define RECORD_HASH_WORLDS 4096u

#define RECORD_TAG_INFO RECORD_TAG('I', 'N', 'F', 'O')
#define RECORD_TAG_STEP RECORD_TAG('S', 'T', 'E', 'P')
#define RECORD_TAG_WHOLE RECORD_TAG('W', 'H', 'O', 'L')
#define RECORD_TAG_INPUT RECORD_TAG('I', 'N', 'P', 'T')
#define RECORD_TAG_INPUT_WHOLE RECORD_TAG('I', 'N', 'P', 'W')
#define RECORD_TAG_HISTORY RECORD_TAG('H', 'I', 'S', 'T')

// The content of an INFO, before its note with a zero at the end.
struct record_info {
    uint64_t seed;
    float step_seconds;
    uint32_t has_history;
};

// The content of a STEP, before the hashes of its worlds.
struct record_step {
    uint32_t phases; // cosm_step_phases
    float dt;
    uint64_t hash_before; // when it began, after its input
};

// A step of a recording that was read. Entry 0 is that which it begins with. Offsets of blocks are
// zero where there is none.
struct recorded_step {
    struct record_step what;
    uint64_t hash; // of the batch, after it
    // The sum of what all steps up to here come to, so that the hashes of a run of steps are
    // compared at once: equal between two places where the differences of their sums are.
    uint64_t sum;
    size_t itself;
    size_t whole;
    size_t input;
    size_t history;
    bool input_is_whole;
};

// A recording that lies in memory.
struct recording {
    struct record_reader file;
    struct record_info info;
    const char *note; // in the file; NULL: none
    uint64_t first_step;
    uint32_t world_count;
    uint32_t hash_count; // hashes of worlds that each step has
    struct recorded_step *steps;
    uint32_t step_count;
    uint32_t step_capacity;
    struct recorded_step next; // inputs of a step that never ended
};

// Reads all blocks; `file` is filled in as for cosmi_record_open_file. On failure there is a
// message, and nothing is left to be freed.
cosm_result cosmi_record_open(struct recording *recording, const cosm_load_desc *desc);
void cosmi_record_free(struct recording *recording);

// The step with a number; NULL where there is none.
const struct recorded_step *cosmi_record_find(const struct recording *recording, uint64_t number);

// The content of the block at an offset; on failure there is a message that names `call`.
cosm_result cosmi_record_content(const struct recording *recording, size_t offset, const char *call,
                                 struct record_content *out_content);

#endif
