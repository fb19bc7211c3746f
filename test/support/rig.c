// Calls with every request refused in turn: see rig.h.
#include "support/rig.h"

#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "support/portrait.h"

// More than any one call asks for.
#define REQUEST_MAX 1000u

// The state. Down to what only the future depends on, but for objects and sectors: tickets and
// positions that were taken and given back are given out in another order.
struct state {
    uint64_t exact; // the exact hash; zero where that may differ
    struct portrait portrait;
};

// How a case is tried.
struct trial {
    const struct failure_case *cases;
    uint32_t index;
    uint32_t flags;
    bool is_watched;
    bool by_hook;   // hooks are refused, not memory
    uint64_t count; // of refusals, from the n-th on
    struct state expected;
};

cosm_result or_memory(bool made) {
    return made ? COSM_OK : cosm_error_result();
}

cosm_result or_none(cosm_entity entity) {
    return or_memory(!cosm_entity_is_none(entity));
}

void rig_open(struct rig *rig, uint32_t flags) {
    static const uint32_t start = 9;
    memset(rig, 0, sizeof(*rig));
    ledger_open(&rig->ledger);
    fixture_open_with(&rig->box, flags,
                      &(cosm_engine_desc){.allocator = ledger_allocator(&rig->ledger)},
                      &(cosm_batch_desc){.world_count = 3});
    rig->spare = cosm_component_define(
        rig->box.engine,
        &(cosm_component_desc){.name = "spare", .size = 4, .default_value = &start});
    struct object_books *books = &rig->box.books;
    for (uint32_t i = 0; i < 12; i++) {
        text_open(books, &rig->texts[i], 100 + i);
    }
    mesh_open(books, &rig->mesh, 6);
    if ((flags & FIXTURE_TITLE) != 0) {
        define_templates(&rig->box);
        other_open(&rig->box, &rig->other, 100);
    }
}

void rig_close(struct rig *rig) {
    struct object_books *books = &rig->box.books;
    for (uint32_t i = 0; i < 12; i++) {
        text_end(books, &rig->texts[i]);
    }
    mesh_end(books, &rig->mesh);
    if (rig->other.label.self != NULL) {
        other_close(&rig->box, &rig->other);
    }
    cosm_commands_destroy(rig->commands);
    cosm_query_destroy(rig->query);
    CHECK_DONE(cosm_batch_destroy(rig->second));
    fixture_close(&rig->box);
    ledger_close(&rig->ledger);
}

static void count_events(const cosm_event *event) {
    uint64_t *count = event->context;
    *count += event->kind == COSM_EVENT_ADD ? event->count : 0;
}

// Observers of texts, titles and notes, which count what they are told of.
static void watch_rig(struct rig *rig) {
    const cosm_component watched[] = {rig->box.text, rig->box.title, rig->box.note};
    for (uint32_t i = 0; i < 3; i++) {
        char name[8];
        (void)snprintf(name, sizeof(name), "o%u", i);
        cosm_observer_desc desc = {
            .name = name, .component = watched[i], .run = count_events, .context = &rig->told};
        CHECK(cosm_observer_define(rig->box.engine, &desc).id != 0);
    }
}

static struct state state_of(const struct rig *rig) {
    bool is_exact = rig->box.text.id == 0 && rig->box.note.id == 0;
    if (is_exact) {
        return (struct state){.exact = cosm_hash_batch(rig->box.batch, COSM_HASH_EXACT)};
    }
    return (struct state){.portrait = portrait_of(rig->box.all, PORTRAIT_WHOLE)};
}

static void check_state(const struct rig *rig, const struct state *expected) {
    if (expected->exact != 0) {
        CHECK_INT(cosm_hash_batch(rig->box.batch, COSM_HASH_EXACT), expected->exact);
    } else {
        CHECK_PORTRAIT(&expected->portrait, rig->box.all, PORTRAIT_WHOLE);
    }
}

static void prepare(struct rig *rig, const struct trial *trial) {
    uint32_t first = trial->index;
    while (trial->cases[first].goes_on) {
        first--;
    }
    if (trial->cases[first].prepare != NULL) {
        trial->cases[first].prepare(rig);
    }
    for (uint32_t i = first; i < trial->index; i++) {
        CHECK_DONE(trial->cases[i].attempt(rig));
    }
}

// After a call that failed: nothing has changed, and what could not be recorded is not applied.
static void check_unchanged(struct rig *rig, const struct trial *trial, const struct state *before,
                            size_t objects, uint32_t recorded) {
    const char *call = trial->cases[trial->index].call;
    const char *reason = !trial->by_hook                   ? "out of memory"
                         : trial->flags == FIXTURE_MANAGED ? "lifecycle"
                                                           : "";
    CHECK_FAILURE(COSM_ERROR_MEMORY, call, reason, trial->by_hook ? "" : "call again");
    check_state(rig, before);
    CHECK_INT(objects_count(&rig->box.books), objects);
    if (rig->commands == NULL) {
        return;
    }
    CHECK_INT(cosm_commands_count(rig->commands), recorded);
    bool is_recording = strncmp(call, "cosm_commands_", 14) == 0 &&
                        strcmp(call, "cosm_commands_apply:") != 0 &&
                        strcmp(call, "cosm_commands_create:") != 0;
    if (is_recording) {
        CHECK_INT(cosm_commands_apply(rig->commands, NULL), COSM_ERROR_MEMORY);
        check_state(rig, before);
        CHECK_INT(cosm_commands_count(rig->commands), recorded);
    }
}

// One refusal: false when the call no longer reaches the n-th request.
static bool refuse_once(struct trial *trial, uint64_t n) {
    static struct rig rig;
    const struct failure_case *test = &trial->cases[trial->index];
    rig_open(&rig, trial->flags);
    if (trial->is_watched) {
        watch_rig(&rig);
    }
    prepare(&rig, trial);
    struct state before = state_of(&rig);
    size_t objects = objects_count(&rig.box.books);
    uint32_t recorded = rig.commands == NULL ? 0 : cosm_commands_count(rig.commands);
    rig.told = 0;
    cosm_error_clear();
    if (trial->by_hook) {
        objects_refuse(&rig.box.books, n, trial->count);
    } else {
        ledger_refuse(&rig.ledger, n, trial->count);
    }
    cosm_result result = test->attempt(&rig);
    bool refused = ledger_relent(&rig.ledger);
    refused = objects_relent(&rig.box.books) || refused;
    CHECK_VALID(rig.box.batch);
    if (result != COSM_OK) {
        CHECK(refused);
        CHECK_INT(result, COSM_ERROR_MEMORY);
        CHECK_INT(rig.told, 0);
        check_unchanged(&rig, trial, &before, objects, recorded);
        CHECK_DONE(test->attempt(&rig));
    }
    CHECK_INT(rig.told, trial->is_watched ? test->told : 0);
    portrait_free(&before.portrait);
    if (n == 0) {
        trial->expected = state_of(&rig);
    }
    check_state(&rig, &trial->expected);
    rig_close(&rig);
    return refused;
}

// Returns how many requests there are.
static uint64_t refuse_each(struct trial trial) {
    (void)refuse_once(&trial, 0);
    uint64_t n = 1;
    while (n < REQUEST_MAX && refuse_once(&trial, n)) {
        n++;
    }
    CHECK(n < REQUEST_MAX);
    portrait_free(&trial.expected.portrait);
    return n - 1;
}

void check_failures(uint32_t flags, const struct failure_case *cases, uint32_t count) {
    bool has_objects = (flags & (FIXTURE_SHARED | FIXTURE_MANAGED | FIXTURE_SECTOR)) != 0;
    uint64_t total = 0;
    for (uint32_t watched = 0; watched < ((flags & FIXTURE_TITLE) != 0 ? 2u : 1u); watched++) {
        for (uint32_t i = 0; i < count; i++) {
            struct trial trial = {cases, i, flags, watched == 1, false, 1, {.exact = 0}};
            uint64_t requests = refuse_each(trial);
            trial.count = UINT64_MAX;
            requests += watched == 1 ? 0 : refuse_each(trial);
            trial.by_hook = true;
            trial.count = 1;
            requests += has_objects ? refuse_each(trial) : 0;
            CHECK((flags & FIXTURE_TITLE) == 0 || requests > 0);
            total += requests;
        }
    }
    CHECK(flags == 0 || total > 50);
}
