// The trace: the events of a profile in Chrome's JSON format, and what writing text takes.
//
// Each event is a line: complete events ("X") with their beginning and their duration, in
// microseconds since the first one, and metadata ("M") that names the process and its tracks.
// Numbers are put together from integers, since a host's locale may have its own decimal point.
#include "run/profile.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define TRACE_NAME_LOST "(removed)"

void cosmi_profile_flush(struct profile_text *text) {
    if (text->length > 0) {
        text->write(text->context, text->bytes, text->length);
        text->length = 0;
    }
}

void cosmi_profile_put(struct profile_text *text, const char *format, ...) {
    for (int attempt = 0; attempt < 2; attempt++) {
        size_t room = sizeof(text->bytes) - text->length;
        va_list arguments;
        va_start(arguments, format);
        int length = vsnprintf(text->bytes + text->length, room, format, arguments);
        va_end(arguments);
        if (length >= 0 && (size_t)length < room) {
            text->length += (size_t)length;
            return;
        }
        cosmi_profile_flush(text);
    }
}

size_t cosmi_profile_character(const char *text) {
    const unsigned char *bytes = (const unsigned char *)text;
    unsigned char first = bytes[0];
    if (first < 0x80) {
        return 1;
    }
    size_t size = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    // The second byte's range keeps out what has a shorter form, surrogates, and what is beyond
    // U+10FFFF.
    unsigned char low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    unsigned char high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (first < 0xC2 || first > 0xF4 || bytes[1] < low || bytes[1] > high) {
        return 0;
    }
    // A text that ends here has a zero in the way, so that nothing behind it is looked at.
    for (size_t i = 2; i < size; i++) {
        if ((bytes[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    return size;
}

// A string of JSON, quotes included. A byte that is not part of good UTF-8 becomes U+FFFD.
static void put_json_string(struct profile_text *text, const char *name) {
    cosmi_profile_put(text, "\"");
    while (*name != '\0') {
        size_t size = cosmi_profile_character(name);
        unsigned char first = (unsigned char)*name;
        if (size == 0) {
            cosmi_profile_put(text, "\xEF\xBF\xBD");
            size = 1;
        } else if (first < 0x20 || first == 0x7F) {
            cosmi_profile_put(text, "\\u%04x", first);
        } else if (first == '"' || first == '\\') {
            cosmi_profile_put(text, "\\%c", first);
        } else {
            cosmi_profile_put(text, "%.*s", (int)size, name);
        }
        name += size;
    }
    cosmi_profile_put(text, "\"");
}

static void put_name(struct profile_text *text, const char *key, const char *name) {
    cosmi_profile_put(text, ",\"%s\":", key);
    put_json_string(text, name != NULL ? name : TRACE_NAME_LOST);
}

static uint64_t first_begin(const cosm_profile *profile) {
    uint64_t first = UINT64_MAX;
    for (uint32_t i = 0; i < profile->event_count; i++) {
        uint64_t begin = profile->events[i].begin_ns;
        first = begin < first ? begin : first;
    }
    return first;
}

// The process, and every track that has an event.
static void put_tracks(struct profile_text *text, const cosm_profile *profile) {
    bool seen[COSM_WORKER_MAX] = {false};
    for (uint32_t i = 0; i < profile->event_count; i++) {
        if (profile->events[i].track < COSM_WORKER_MAX) {
            seen[profile->events[i].track] = true;
        }
    }
    cosmi_profile_put(text, "{\"ph\":\"M\",\"pid\":1,\"tid\":0,\"name\":\"process_name\","
                            "\"args\":{\"name\":\"cosm\"}}");
    for (uint32_t i = 0; i < COSM_WORKER_MAX; i++) {
        if (seen[i]) {
            cosmi_profile_put(text,
                              ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":%" PRIu32
                              ",\"name\":\"thread_name\",\"args\":{\"name\":\"worker %" PRIu32
                              "%s\"}}",
                              i, i, i == 0 ? " (caller)" : "");
        }
    }
}

static void put_event(struct profile_text *text, const cosm_profile *profile,
                      const struct profile_names *names, const struct profile_event *event,
                      uint64_t start_ns) {
    uint64_t ts = event->begin_ns - start_ns;
    uint64_t dur = event->end_ns > event->begin_ns ? event->end_ns - event->begin_ns : 0;
    cosmi_profile_put(text,
                      ",\n{\"ph\":\"X\",\"pid\":1,\"tid\":%" PRIu32 ",\"ts\":%" PRIu64
                      ".%03u,\"dur\":%" PRIu64 ".%03u",
                      event->track, ts / 1000, (unsigned)(ts % 1000), dur / 1000,
                      (unsigned)(dur % 1000));
    if (event->system == 0) {
        put_name(text, "name", names->phase(names->context, event->world_first));
        cosmi_profile_put(text, ",\"cat\":\"phase\",\"args\":{\"run\":%" PRIu64 "}}", event->rows);
        return;
    }
    const struct profile_account *account = profile->systems[event->system];
    put_name(text, "name", names->system(names->context, event->system));
    put_name(text, "cat", account == NULL ? NULL : names->phase(names->context, account->phase));
    cosmi_profile_put(text,
                      ",\"args\":{\"first_world\":%" PRIu32 ",\"worlds\":%" PRIu32
                      ",\"rows\":%" PRIu64 "}}",
                      event->world_first, event->world_count, event->rows);
}

void cosmi_profile_write_trace(const cosm_profile *profile, const struct profile_names *names,
                               cosm_text_fn *write, void *context) {
    struct profile_text text = {.write = write, .context = context};
    uint64_t start_ns = first_begin(profile);
    cosmi_profile_put(&text, "{\"traceEvents\":[\n");
    put_tracks(&text, profile);
    for (uint32_t i = 0; i < profile->event_count; i++) {
        put_event(&text, profile, names, &profile->events[i], start_ns);
    }
    cosmi_profile_put(&text,
                      "\n],\n\"displayTimeUnit\":\"ns\",\"otherData\":{\"dropped\":%" PRIu64 "}}\n",
                      profile->dropped);
    cosmi_profile_flush(&text);
}
