// The table and the trace of a run; record.h says when they are made.
#include "record.h"
#include "format.h"

#define EVENT_MAX 1000000u // turns that a trace has room for: 40 MB

void record_write(void *context, const char *text, size_t length) {
    // What could not be written is found out when the file is closed or flushed.
    (void)fwrite(text, 1, length, context);
}

bool record_open(struct record *record, const struct arguments *arguments) {
    *record = (struct record){.table = arguments->profile, .path = arguments->trace};
    if (record->path == NULL) {
        return true;
    }
    record->file = fopen(record->path, "wb");
    if (record->file == NULL) {
        fprintf(stderr,
                "cosm: the trace \"%s\" cannot be written; name a file that you may write to, in a "
                "directory that exists\n",
                record->path);
    }
    return record->file != NULL;
}

cosm_result record_begin(struct record *record, cosm_batch *batch) {
    if (!record->table && record->file == NULL) {
        return COSM_OK;
    }
    cosm_profile_desc desc = {.event_max = record->file != NULL ? EVENT_MAX : 0};
    record->profile = cosm_profile_create(batch, &desc);
    return record->profile != NULL ? COSM_OK : cosm_error_result();
}

// Closes the file; false when not all of it could be written.
static bool close_file(struct record *record) {
    bool is_whole = ferror(record->file) == 0;
    is_whole = fclose(record->file) == 0 && is_whole;
    record->file = NULL;
    return is_whole;
}

static bool tell_trace(struct record *record) {
    cosm_result result = cosm_profile_trace(record->profile, record_write, record->file);
    bool is_whole = close_file(record);
    if (result != COSM_OK) {
        fprintf(stderr, "cosm: no trace: %s\n", cosm_error_message());
        return false;
    }
    if (!is_whole) {
        fprintf(stderr, "cosm: the trace \"%s\" could not be written; is the disk full?\n",
                record->path);
        return false;
    }
    uint64_t dropped = cosm_profile_events_dropped(record->profile);
    char count[32];
    format_count(count, sizeof(count), dropped);
    printf("trace      %s, %s events dropped%s\n", record->path, count,
           dropped > 0 ? ": take fewer steps, or larger blocks" : "");
    return true;
}

bool record_tell(struct record *record) {
    bool is_told = record->file == NULL || tell_trace(record);
    if (record->table) {
        fputc('\n', stdout);
        cosm_result result = cosm_profile_print(record->profile, record_write, stdout);
        if (result != COSM_OK) {
            fprintf(stderr, "cosm: no profile: %s\n", cosm_error_message());
            is_told = false;
        }
    }
    return is_told;
}

void record_close(struct record *record) {
    // The batch is not running, so the profile can be ended.
    (void)cosm_profile_destroy(record->profile);
    record->profile = NULL;
    if (record->file != NULL) {
        (void)close_file(record);
    }
}
