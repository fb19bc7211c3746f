// The words of shared groups: written, and compared with a world.
#include "state/shared_order.h"

#include "base/hash.h"

bool cosmi_order_groups(const struct world_image *image, const struct shared_order *order,
                        struct order_group *groups) {
    for (uint32_t i = 0; i < image_count(image, PART_TABLE); i++) {
        const struct part *table = image_part(image, PART_TABLE, i);
        uint32_t number = table_group(table);
        if (number != GROUP_NONE && number >= order->group_count) {
            return false;
        }
        if (number != GROUP_NONE) {
            groups[number].table = table;
        }
    }
    const uint32_t *words = order->groups;
    for (uint32_t n = 0; n < order->group_count; n++) {
        if (groups[n].table != NULL) {
            groups[n].words = words;
            words += order_group_words(groups[n].table->archetype);
        }
    }
    return true;
}

void cosmi_order_slots(const struct schema *schema, const struct archetype *archetype,
                       struct order_slots *slots) {
    if (slots->archetype == archetype) {
        return;
    }
    slots->archetype = archetype;
    for (uint32_t i = 0; i < archetype->shared_count; i++) {
        const char *name = schema_component(schema, archetype->shared[i])->name;
        uint32_t at = i;
        while (at > 0 &&
               strcmp(schema_component(schema, archetype->shared[slots->slots[at - 1]])->name,
                      name) > 0) {
            slots->slots[at] = slots->slots[at - 1];
            at--;
        }
        slots->slots[at] = (uint16_t)i;
    }
}

// Where words go: into a blob, against those of one, or into a hash.
struct words {
    uint32_t *out;        // NULL: they are not written
    const uint32_t *with; // what they are compared with, or NULL
    uint64_t hash;
    size_t count;
    bool is_same;
};

static void put_word(struct words *words, uint32_t word) {
    if (words->out != NULL) {
        words->out[words->count] = word;
    } else if (words->with != NULL) {
        words->is_same = words->is_same && words->with[words->count] == word;
    } else {
        words->hash = hash_u64(words->hash, word);
    }
    words->count++;
}

size_t cosmi_shared_order_count(const struct shared *shared) {
    size_t count = ORDER_HEAD_WORDS + shared->free_count;
    for (uint32_t n = 0; n < shared->group_count; n++) {
        const struct group *group = shared->groups[n];
        count += group == NULL ? 0 : order_group_words(group->store->archetype);
    }
    return count;
}

static void put_group(struct words *words, const struct group *group,
                      const struct order_slots *slots) {
    put_word(words, group->place);
    for (uint32_t i = 0; i < slots->archetype->shared_count; i++) {
        uint32_t slot = slots->slots[i];
        const struct group *next = group->links[slot].next;
        put_word(words, group->values[slot]->index);
        put_word(words, next == NULL ? GROUP_NONE : next->number);
    }
}

static void put_words(struct words *words, const struct schema *schema,
                      const struct shared *shared) {
    put_word(words, shared->group_count);
    put_word(words, shared->value_count);
    put_word(words, shared->free_count);
    for (uint32_t i = 0; i < shared->free_count; i++) {
        put_word(words, shared->free_numbers[i]);
    }
    struct order_slots slots = {.archetype = NULL};
    for (uint32_t n = 0; n < shared->group_count; n++) {
        const struct group *group = shared->groups[n];
        if (group != NULL) {
            cosmi_order_slots(schema, group->store->archetype, &slots);
            put_group(words, group, &slots);
        }
    }
}

bool cosmi_shared_order_is(const struct schema *schema, const struct shared *shared,
                           const struct blob *blob) {
    struct words words = {.with = blob->bytes, .is_same = true};
    if (blob->size != cosmi_shared_order_count(shared) * sizeof(uint32_t)) {
        return false;
    }
    put_words(&words, schema, shared);
    return words.is_same;
}

uint64_t cosmi_shared_order_hash(const struct schema *schema, const struct shared *shared) {
    struct words words = {.out = NULL};
    put_words(&words, schema, shared);
    return words.hash;
}

void cosmi_shared_order_write(const struct schema *schema, const struct shared *shared,
                              uint32_t *out_words) {
    struct words words = {.out = out_words};
    put_words(&words, schema, shared);
}
