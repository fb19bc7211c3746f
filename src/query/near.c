// The name that was most likely meant where one is unknown.
#include "query/near.h"

#include <string.h>

// Letters in small and in capitals are the same here.
static bool same_letter(char a, char b) {
    unsigned char small_a = (unsigned char)(a >= 'A' && a <= 'Z' ? a + ('a' - 'A') : a);
    unsigned char small_b = (unsigned char)(b >= 'A' && b <= 'Z' ? b + ('a' - 'A') : b);
    return small_a == small_b;
}

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

// The changes of one byte that make one name of the other; where they are more than `limit`, some
// number above it. Only paths near the diagonal can be that short, so that is all it looks at.
static uint32_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length,
                              uint32_t limit) {
    size_t apart = a_length > b_length ? a_length - b_length : b_length - a_length;
    if (apart > limit) {
        return limit + 1;
    }
    uint32_t row[COSM_NAME_LENGTH_MAX + 1];
    for (uint32_t j = 0; j <= b_length; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= a_length; i++) {
        size_t low = i > limit ? i - limit : 1;
        size_t high = i + limit < b_length ? i + limit : b_length;
        uint32_t diagonal = row[low - 1];
        row[low - 1] = low == 1 ? (uint32_t)i : limit + 1;
        uint32_t nearest = row[low - 1];
        for (size_t j = low; j <= high; j++) {
            uint32_t changed = diagonal + (same_letter(a[i - 1], b[j - 1]) ? 0 : 1);
            diagonal = row[j];
            row[j] = least(changed, least(row[j], row[j - 1]) + 1);
            nearest = least(nearest, row[j]);
        }
        if (nearest > limit) {
            return nearest;
        }
    }
    return row[b_length];
}

// The name of what has this number, counting components, then bundles, then singletons.
static const char *name_at(const struct schema *schema, uint32_t i, uint32_t component_end,
                           uint32_t bundle_end) {
    if (i >= component_end && i < bundle_end) {
        const struct bundle *bundle = schema_bundle(schema, BUNDLE_BIT | (i - component_end));
        return bundle == NULL ? NULL : bundle->name;
    }
    const struct value_type *type =
        i < component_end ? schema_component(schema, i) : schema_singleton(schema, i - bundle_end);
    return type == NULL ? NULL : type->name;
}

const char *cosmi_near_name(const struct schema *schema, const char *text, size_t length,
                            bool with_singletons) {
    // One slip in three letters, and no more than three: what is further off is another word.
    uint32_t limit = least((uint32_t)length / 3, 3);
    const char *guess = NULL;
    uint32_t component_end = paged_count(&schema->components);
    uint32_t bundle_end = component_end + paged_count(&schema->bundles);
    uint32_t end = bundle_end + (with_singletons ? paged_count(&schema->singletons) : 0);
    for (uint32_t i = 0; i < end; i++) {
        const char *name = name_at(schema, i, component_end, bundle_end);
        if (name == NULL) {
            continue;
        }
        uint32_t distance = edit_distance(text, length, name, strlen(name), limit);
        if (distance <= limit) {
            guess = name;
            if (distance == 0) {
                break;
            }
            limit = distance - 1;
        }
    }
    return guess;
}
