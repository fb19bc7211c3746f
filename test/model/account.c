// The account of objects: see account.h.
#include "account.h"

#include <stdlib.h>
#include <string.h>

#include "oracle.h"

static void account_wrong(struct account *account, const char *what) {
    account->wrong = account->wrong ? account->wrong : what;
}

static uint32_t number_of(const void *object) {
    uint32_t number;
    memcpy(&number, object, sizeof(number));
    return number;
}

// The entry of a living object, or NULL.
static struct account_entry *entry_of(const struct account *account, const void *object) {
    uint32_t number = number_of(object);
    bool is_known = number > 0 && number <= account->count;
    struct account_entry *entry = is_known ? &account->entries[number - 1] : NULL;
    return entry && entry->alive ? entry : NULL;
}

void account_enter(const struct trade *trade, void *object) {
    struct account *account = trade->account;
    account->entries =
        grow(account->entries, &account->capacity, account->count + 1, sizeof(*account->entries));
    account->entries[account->count++] = (struct account_entry){object, true};
    account->alive++;
    memset(object, 0, ACCOUNT_NUMBER_SIZE);
    memcpy(object, &account->count, sizeof(account->count));
}

void account_end(const struct trade *trade, void *object) {
    struct account *account = trade->account;
    struct account_entry *entry = entry_of(account, object);
    if (!entry) {
        account_wrong(account, "something was destroyed that is no object, or had ended before");
        return;
    }
    if (trade->is_tracked && entry->at != object) {
        account_wrong(account, "an object was destroyed where it is not");
    }
    entry->alive = false;
    account->alive--;
    memset(object, 0xDE, trade->size);
}

bool account_has(const struct trade *trade, const void *object) {
    const struct account_entry *entry = entry_of(trade->account, object);
    return entry && (!trade->is_tracked || entry->at == object);
}

static bool object_copy(void *context, void *object, const void *source) {
    const struct trade *trade = context;
    if (number_of(source) != 0 && !entry_of(trade->account, source)) {
        account_wrong(trade->account, "an object was copied that had ended");
    }
    if (heap_refuses(trade->account->heap)) {
        return false;
    }
    memcpy(object, source, trade->size);
    account_enter(trade, object);
    return true;
}

static bool object_construct(void *context, void *object) {
    const struct trade *trade = context;
    return object_copy(context, object, trade->initial);
}

static void object_move(void *context, void *object, void *source) {
    const struct trade *trade = context;
    struct account_entry *entry = entry_of(trade->account, source);
    if (!entry || entry->at != source || object == source) {
        account_wrong(trade->account, "something was moved that is no object, or not there");
        return;
    }
    memcpy(object, source, trade->size);
    memset(source, 0xDD, trade->size);
    entry->at = object;
}

static void object_destroy(void *context, void *object) {
    account_end(context, object);
}

static bool object_equals(void *context, const void *a, const void *b) {
    const struct trade *trade = context;
    return memcmp((const uint8_t *)a + ACCOUNT_NUMBER_SIZE,
                  (const uint8_t *)b + ACCOUNT_NUMBER_SIZE, trade->size - ACCOUNT_NUMBER_SIZE) == 0;
}

static uint64_t object_hash(void *context, const void *object) {
    const struct trade *trade = context;
    const uint8_t *bytes = object;
    uint64_t hash = 0;
    for (size_t i = ACCOUNT_NUMBER_SIZE; i < trade->size; i++) {
        hash = hash * 0x100000001B3u + bytes[i];
    }
    return hash;
}

static uint64_t object_hash_of_few(void *context, const void *object) {
    return object_hash(context, object) % 4;
}

cosm_lifecycle account_lifecycle(struct trade *trade, uint32_t hooks) {
    cosm_lifecycle life = {.context = NULL};
    if (hooks != 0) {
        life = (cosm_lifecycle){.copy = object_copy,
                                .destroy = object_destroy,
                                .equals = object_equals,
                                .context = trade};
        life.hash = hooks & HOOK_MEET ? object_hash_of_few : object_hash;
        life.move = hooks & HOOK_MOVE ? object_move : NULL;
        life.construct = hooks & HOOK_CONSTRUCT ? object_construct : NULL;
    }
    return life;
}

void account_free(struct account *account) {
    free(account->entries);
    memset(account, 0, sizeof(*account));
}
