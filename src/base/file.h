// Files: read whole, and written so that the old one or the new one is there, whatever happens.
#ifndef COSM_BASE_FILE_H
#define COSM_BASE_FILE_H

#include "base/memory.h"

// What the system says why it refuses.
struct file_reason {
    char text[160];
};

enum file_outcome {
    FILE_DONE,
    FILE_REFUSED,   // by the system: there is a reason
    FILE_NO_MEMORY, // the account has none
};

// The bytes of a file: mapped, or copied into memory.
struct file_view {
    const void *bytes; // never NULL while it is open
    size_t size;
    struct memory *memory; // NULL: mapped
};

// Maps a file. Whoever makes it shorter while it is mapped ends the program that looks at it.
enum file_outcome cosmi_file_map(struct file_view *view, const char *path,
                                 struct file_reason *out_reason);

// Copies a file into memory.
enum file_outcome cosmi_file_read(struct file_view *view, struct memory *memory, const char *path,
                                  struct file_reason *out_reason);
void cosmi_file_end(struct file_view *view);

// A file on its way: written beside its place under another name, which no other thread or process
// has, and renamed when it is whole. The first failure is kept, and nothing is written after it.
struct file_output {
    struct memory *memory;
    const char *path;
    char *temporary; // its name until then; NULL: not open
    size_t temporary_size;
    int descriptor;
    int lock; // the same open file: as long as it is open, nobody takes the temporary for a left
              // one
    unsigned char *buffer;
    size_t buffered;
    bool failed;
    struct file_reason reason;
};

// `path` must stay until the end. On failure there is nothing to end, and a reason in it.
enum file_outcome cosmi_output_open(struct file_output *output, struct memory *memory,
                                    const char *path);

// A cosm_text_fn whose context is the output.
void cosmi_output_write(void *output, const char *bytes, size_t size);

// Hands on what is buffered; for those who look at the file meanwhile. False: it has failed.
bool cosmi_output_flush(struct file_output *output);

// Puts the file in its place; `durable`: waits until the disk has it. On failure the old file is as
// it was, and the new one is gone.
enum file_outcome cosmi_output_finish(struct file_output *output, bool durable);

// Gives it up.
void cosmi_output_cancel(struct file_output *output);

#endif
