// The ledger of objects: see ledger.h.
#include "ledger.h"

#include <stdlib.h>
#include <string.h>

#include "oracle.h"

static void ledger_wrong(struct ledger *ledger, const char *what) {
    ledger->wrong = ledger->wrong ? ledger->wrong : what;
}

static uint32_t number_of(const void *object) {
    uint32_t number;
    memcpy(&number, object, sizeof(number));
    return number;
}

// The entry of a living object, or NULL.
static struct ledger_entry *entry_of(const struct ledger *ledger, const void *object) {
    uint32_t number = number_of(object);
    bool is_known = number > 0 && number <= ledger->count;
    struct ledger_entry *entry = is_known ? &ledger->entries[number - 1] : NULL;
    return entry && entry->alive ? entry : NULL;
}

void ledger_enter(const struct trade *trade, void *object) {
    struct ledger *ledger = trade->ledger;
    ledger->entries =
        grow(ledger->entries, &ledger->capacity, ledger->count + 1, sizeof(*ledger->entries));
    ledger->entries[ledger->count++] = (struct ledger_entry){object, true};
    ledger->alive++;
    memset(object, 0, LEDGER_NUMBER_SIZE);
    memcpy(object, &ledger->count, sizeof(ledger->count));
}

void ledger_end(const struct trade *trade, void *object) {
    struct ledger *ledger = trade->ledger;
    struct ledger_entry *entry = entry_of(ledger, object);
    if (!entry) {
        ledger_wrong(ledger, "something was destroyed that is no object, or had ended before");
        return;
    }
    if (trade->is_tracked && entry->at != object) {
        ledger_wrong(ledger, "an object was destroyed where it is not");
    }
    entry->alive = false;
    ledger->alive--;
    memset(object, 0xDE, trade->size);
}

bool ledger_has(const struct trade *trade, const void *object) {
    const struct ledger_entry *entry = entry_of(trade->ledger, object);
    return entry && (!trade->is_tracked || entry->at == object);
}

static bool object_copy(void *context, void *object, const void *source) {
    const struct trade *trade = context;
    if (number_of(source) != 0 && !entry_of(trade->ledger, source)) {
        ledger_wrong(trade->ledger, "an object was copied that had ended");
    }
    if (heap_refuses(trade->ledger->heap)) {
        return false;
    }
    memcpy(object, source, trade->size);
    ledger_enter(trade, object);
    return true;
}

static bool object_construct(void *context, void *object) {
    const struct trade *trade = context;
    return object_copy(context, object, trade->initial);
}

static void object_move(void *context, void *object, void *source) {
    const struct trade *trade = context;
    struct ledger_entry *entry = entry_of(trade->ledger, source);
    if (!entry || entry->at != source || object == source) {
        ledger_wrong(trade->ledger, "something was moved that is no object, or not there");
        return;
    }
    memcpy(object, source, trade->size);
    memset(source, 0xDD, trade->size);
    entry->at = object;
}

static void object_destroy(void *context, void *object) {
    ledger_end(context, object);
}

static bool object_equals(void *context, const void *a, const void *b) {
    const struct trade *trade = context;
    return memcmp((const uint8_t *)a + LEDGER_NUMBER_SIZE, (const uint8_t *)b + LEDGER_NUMBER_SIZE,
                  trade->size - LEDGER_NUMBER_SIZE) == 0;
}

static uint64_t object_hash(void *context, const void *object) {
    const struct trade *trade = context;
    const uint8_t *bytes = object;
    uint64_t hash = 0;
    for (size_t i = LEDGER_NUMBER_SIZE; i < trade->size; i++) {
        hash = hash * 0x100000001B3u + bytes[i];
    }
    return hash;
}

cosm_lifecycle ledger_lifecycle(struct trade *trade, uint32_t hooks) {
    cosm_lifecycle life = {.context = NULL};
    if (hooks != 0) {
        life = (cosm_lifecycle){.copy = object_copy,
                                .destroy = object_destroy,
                                .equals = object_equals,
                                .hash = object_hash,
                                .context = trade};
        life.move = hooks & HOOK_MOVE ? object_move : NULL;
        life.construct = hooks & HOOK_CONSTRUCT ? object_construct : NULL;
    }
    return life;
}

void ledger_free(struct ledger *ledger) {
    free(ledger->entries);
    memset(ledger, 0, sizeof(*ledger));
}
