// Holes: which places of a container are free, and the lowest of them.
#include <string.h>

#include "store/sectors.h"

void cosmi_holes_init(struct holes *holes) {
    *holes = (struct holes){.words = NULL, .capacity = 64, .level_count = 1};
    holes->words = &holes->one;
}

static size_t holes_word_count(uint32_t capacity) {
    size_t count = 0;
    for (uint32_t words = capacity; words > 1;) {
        words = (words + 63) / 64;
        count += words;
    }
    return count;
}

void cosmi_holes_free(struct holes *holes, struct memory *memory) {
    if (holes->words != &holes->one) {
        cosmi_memory_free(memory, holes->words, holes_word_count(holes->capacity) * 8, 8);
    }
    cosmi_holes_init(holes);
}

size_t cosmi_holes_bytes(const struct holes *holes) {
    return holes->words != &holes->one ? holes_word_count(holes->capacity) * 8 : 0;
}

bool cosmi_holes_reserve(struct holes *holes, struct memory *memory, uint32_t capacity) {
    if (capacity <= holes->capacity) {
        return true;
    }
    struct holes larger = {.capacity = holes->capacity};
    while (larger.capacity < capacity) {
        larger.capacity *= 2;
    }
    larger.words = cosmi_memory_alloc_zeroed(memory, holes_word_count(larger.capacity) * 8, 8);
    if (larger.words == NULL) {
        return false;
    }
    uint32_t offset = 0;
    for (uint32_t words = larger.capacity; words > 1;) {
        words = (words + 63) / 64;
        larger.offsets[larger.level_count++] = offset;
        offset += words;
    }
    // Higher levels are wider than before: they are made anew of the lowest one.
    uint32_t word_count = holes->capacity / 64;
    for (uint32_t i = 0; i < word_count; i++) {
        larger.words[i] = holes->words[i];
        if (larger.words[i] != 0) {
            cosmi_holes_set_above(&larger, i);
        }
    }
    cosmi_holes_free(holes, memory);
    *holes = larger;
    return true;
}

void cosmi_holes_set_above(struct holes *holes, uint32_t word) {
    for (uint32_t level = 1; level < holes->level_count; level++) {
        uint64_t *at = &holes->words[holes->offsets[level] + word / 64];
        uint64_t before = *at;
        *at = before | (uint64_t)1 << (word % 64);
        if (before != 0) {
            return;
        }
        word /= 64;
    }
}

void cosmi_holes_clear_above(struct holes *holes, uint32_t word) {
    for (uint32_t level = 1; level < holes->level_count; level++) {
        uint64_t *at = &holes->words[holes->offsets[level] + word / 64];
        *at &= ~((uint64_t)1 << (word % 64));
        if (*at != 0) {
            return;
        }
        word /= 64;
    }
}

void cosmi_holes_clear_all(struct holes *holes) {
    memset(holes->words, 0, holes_word_count(holes->capacity) * 8);
}

static uint32_t lowest_bit(uint64_t word) {
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctzll(word);
#else
    uint32_t bit = 0;
    while ((word >> bit & 1u) == 0) {
        bit++;
    }
    return bit;
#endif
}

uint32_t cosmi_holes_first(const struct holes *holes) {
    uint32_t at = 0;
    for (uint32_t level = holes->level_count; level-- > 0;) {
        uint64_t word = holes->words[holes->offsets[level] + at];
        if (word == 0) {
            INVARIANT(level + 1 == holes->level_count, "a word that is pointed at has a hole");
            return PLACE_NONE;
        }
        at = at * 64 + lowest_bit(word);
    }
    return at;
}
