// The table of a profile: a line per phase, and below it one per system that ran in it.
//
// Numbers are put together from integers, since a host's locale may have its own decimal point, and
// names are measured in characters, so that columns line up whatever the names hold.
#include "run/profile.h"

#include <inttypes.h>

// Puts a name with nothing in it that would break the line; NULL for `text` only measures. Returns
// the number of characters.
static uint32_t put_label(struct profile_text *text, const char *name) {
    uint32_t count = 0;
    for (; *name != '\0'; count++) {
        size_t size = cosmi_profile_character(name);
        bool is_plain = size > 0 && (unsigned char)*name >= 0x20 && *name != 0x7F;
        if (text != NULL && is_plain) {
            cosmi_profile_put(text, "%.*s", (int)size, name);
        } else if (text != NULL) {
            cosmi_profile_put(text, "?");
        }
        name += size > 0 ? size : 1;
    }
    return count;
}

// Puts a blank and `value` / 10^decimals, `width` characters in all. Without `%f`, since a host's
// locale may have its own decimal point.
static void put_decimal(struct profile_text *text, int width, uint64_t value, int decimals) {
    uint64_t one = 1;
    for (int i = 0; i < decimals; i++) {
        one *= 10;
    }
    cosmi_profile_put(text, " %*" PRIu64 ".%0*" PRIu64, width - decimals - 2, value / one, decimals,
                      value % one);
}

// A line: its name after `indent` blanks, its figures, and how much of `whole_ns` its time is.
static void put_line(struct profile_text *text, uint32_t width, uint32_t indent, const char *name,
                     const cosm_profile_figures *figures, uint64_t whole_ns) {
    cosmi_profile_put(text, "%*s", (int)indent, "");
    uint32_t used = indent + put_label(text, name);
    cosmi_profile_put(text, "%*s", (int)(width - used), "");
    cosmi_profile_put(text, " %9" PRIu64 " %10" PRIu64 " %13" PRIu64, figures->runs, figures->turns,
                      figures->rows);
    put_decimal(text, 13, (figures->total_ns + 500) / 1000, 3);
    put_decimal(text, 12, (figures->median_ns + 5) / 10, 2);
    put_decimal(text, 12, (figures->p99_ns + 5) / 10, 2);
    put_decimal(text, 12, (figures->longest_ns + 5) / 10, 2);
    put_decimal(text, 13, (figures->waited_ns + 5) / 10, 2);
    double share = whole_ns == 0 ? 0 : (double)figures->total_ns / (double)whole_ns;
    put_decimal(text, 9, (uint64_t)(share * 1000 + 0.5), 1);
    cosmi_profile_put(text, "\n");
}

static const char *label_of_system(const struct profile_names *names, uint32_t system) {
    const char *name = names->system(names->context, system);
    return name != NULL ? name : "(removed)";
}

// Did the system run, and in this phase?
static bool ran_in(const cosm_profile *profile, uint32_t system, uint32_t phase) {
    const struct profile_account *account = profile->systems[system];
    return account != NULL && account->runs > 0 && account->phase == phase;
}

// Wide enough for the names of all that ran.
static uint32_t label_width(const cosm_profile *profile, const struct profile_names *names) {
    uint32_t width = 14;
    for (uint32_t i = 1; i <= COSM_PHASE_MAX; i++) {
        const char *name = names->phase(names->context, i);
        if (profile->phases[i] != NULL && name != NULL) {
            uint32_t needed = put_label(NULL, name);
            width = needed > width ? needed : width;
        }
    }
    for (uint32_t i = 1; i < profile->system_room; i++) {
        if (profile->systems[i] != NULL) {
            uint32_t needed = 2 + put_label(NULL, label_of_system(names, i));
            width = needed > width ? needed : width;
        }
    }
    return width;
}

// A phase and the systems that ran in it, in the order in which they were defined.
static void put_phase_lines(struct profile_text *text, const cosm_profile *profile,
                            const struct profile_names *names, uint32_t width, uint32_t phase,
                            uint64_t whole_ns) {
    cosm_profile_figures figures = cosmi_profile_phase_figures(profile, phase);
    if (figures.runs == 0) {
        return;
    }
    put_line(text, width, 0, names->phase(names->context, phase), &figures, whole_ns);
    for (uint32_t i = 1; i < profile->system_room; i++) {
        if (ran_in(profile, i, phase)) {
            cosm_profile_figures part = cosmi_profile_system_figures(profile, i);
            put_line(text, width, 2, label_of_system(names, i), &part, figures.total_ns);
        }
    }
}

void cosmi_profile_write_table(const cosm_profile *profile, const struct profile_names *names,
                               const uint32_t *phases, uint32_t phase_count, cosm_text_fn *write,
                               void *context) {
    struct profile_text text = {.write = write, .context = context};
    uint64_t whole_ns = 0;
    for (uint32_t i = 1; i <= COSM_PHASE_MAX; i++) {
        whole_ns += cosmi_profile_phase_figures(profile, i).total_ns;
    }
    uint32_t width = label_width(profile, names);
    cosmi_profile_put(&text, "%-*s%10s%11s%14s%13s%12s%12s%12s%13s%9s\n", (int)width,
                      "phase, system", "runs", "turns", "rows", "total ms", "median us", "p99 us",
                      "longest us", "waited us", "share %");
    for (uint32_t i = 0; i < phase_count; i++) {
        put_phase_lines(&text, profile, names, width, phases[i], whole_ns);
    }
    if (profile->dropped > 0) {
        cosmi_profile_put(&text, "%" PRIu64 " turns did not fit into the events\n",
                          profile->dropped);
    }
    cosmi_profile_flush(&text);
}
