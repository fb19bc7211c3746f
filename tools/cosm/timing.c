// The table and the trace of a run; timing.h says when they are made.
#include "timing.h"
#include "format.h"

#define EVENT_MAX 1000000u // turns that a trace has room for: 40 MB

void timing_write(void *context, const char *text, size_t length) {
    // A failure to write shows when the file is closed or flushed.
    (void)fwrite(text, 1, length, context);
}

bool timing_open(struct timing *timing, const struct arguments *arguments) {
    *timing = (struct timing){.table = arguments->profile, .path = arguments->trace};
    if (timing->path == NULL) {
        return true;
    }
    timing->file = fopen(timing->path, "wb");
    if (timing->file == NULL) {
        fprintf(stderr,
                "cosm: the trace \"%s\" cannot be written; choose a writable file in a directory "
                "that exists\n",
                timing->path);
    }
    return timing->file != NULL;
}

cosm_result timing_begin(struct timing *timing, cosm_batch *batch) {
    if (!timing->table && timing->file == NULL) {
        return COSM_OK;
    }
    cosm_profile_desc desc = {.event_max = timing->file != NULL ? EVENT_MAX : 0};
    timing->profile = cosm_profile_create(batch, &desc);
    return timing->profile != NULL ? COSM_OK : cosm_error_result();
}

// Closes the file; false when not all of it could be written.
static bool close_file(struct timing *timing) {
    bool is_whole = ferror(timing->file) == 0;
    is_whole = fclose(timing->file) == 0 && is_whole;
    timing->file = NULL;
    return is_whole;
}

static bool report_trace(struct timing *timing) {
    cosm_result result = cosm_profile_trace(timing->profile, timing_write, timing->file);
    bool is_whole = close_file(timing);
    if (result != COSM_OK) {
        fprintf(stderr, "cosm: no trace: %s\n", cosm_error_message());
        return false;
    }
    if (!is_whole) {
        fprintf(stderr, "cosm: the trace \"%s\" could not be written; is the disk full?\n",
                timing->path);
        return false;
    }
    uint64_t dropped = cosm_profile_events_dropped(timing->profile);
    char count[32];
    format_count(count, sizeof(count), dropped);
    printf("trace      %s, %s events dropped%s\n", timing->path, count,
           dropped > 0 ? ": use fewer steps, or larger blocks" : "");
    return true;
}

bool timing_report(struct timing *timing) {
    bool is_done = timing->file == NULL || report_trace(timing);
    if (timing->table) {
        fputc('\n', stdout);
        cosm_result result = cosm_profile_print(timing->profile, timing_write, stdout);
        if (result != COSM_OK) {
            fprintf(stderr, "cosm: no profile: %s\n", cosm_error_message());
            is_done = false;
        }
    }
    return is_done;
}

void timing_close(struct timing *timing) {
    // The batch is not running, so the profile can be ended.
    (void)cosm_profile_destroy(timing->profile);
    timing->profile = NULL;
    if (timing->file != NULL) {
        (void)close_file(timing);
    }
}
