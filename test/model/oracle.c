// The oracle's state and its rules: obvious, slow, and independent of the library.
#include "oracle.h"

#include <stdlib.h>
#include <string.h>

uint64_t model_random(uint64_t *state) {
    *state += 0x9E3779B97F4A7C15u;
    uint64_t mixed = *state;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
    return mixed ^ (mixed >> 31);
}

// The stream that a value's bytes come from, eight at a time.
static uint64_t value_stream(uint32_t salt, uint32_t value) {
    return ((uint64_t)salt << 32) ^ value;
}

void value_bytes(uint32_t salt, uint32_t value, void *out, size_t size) {
    if (value == 0) {
        memset(out, 0, size);
        return;
    }
    uint64_t stream = value_stream(salt, value);
    uint8_t *bytes = out;
    for (size_t at = 0; at < size; at += sizeof(uint64_t)) {
        uint64_t word = model_random(&stream);
        size_t rest = size - at;
        memcpy(bytes + at, &word, rest < sizeof(word) ? rest : sizeof(word));
    }
}

bool value_equals(uint32_t salt, uint32_t value, const void *bytes, size_t size) {
    uint64_t stream = value_stream(salt, value);
    const uint8_t *at = bytes;
    uint64_t differs = 0;
    for (; size >= sizeof(uint64_t); size -= sizeof(uint64_t), at += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, at, sizeof(word));
        differs |= word ^ (value == 0 ? 0 : model_random(&stream));
    }
    uint64_t last = value == 0 ? 0 : model_random(&stream);
    return differs == 0 && memcmp(at, &last, size) == 0;
}

void *grow(void *items, uint32_t *capacity, uint32_t needed, size_t item_size) {
    if (needed <= *capacity) {
        return items;
    }
    uint32_t larger = *capacity < 16 ? 16 : *capacity * 2;
    larger = larger < needed ? needed : larger;
    uint8_t *grown = realloc(items, (size_t)larger * item_size);
    if (!grown) {
        fprintf(stderr, "model: no memory for the oracle itself\n");
        exit(2);
    }
    memset(grown + (size_t)*capacity * item_size, 0, (size_t)(larger - *capacity) * item_size);
    *capacity = larger;
    return grown;
}

uint64_t table_set(const struct oracle *o, uint64_t set) {
    return set & ~o->sectors;
}

uint32_t first_value(const struct oracle *o, uint32_t bit) {
    bool is_none = o->managed >> bit & 1 && o->fault != MODEL_FAULT_OBJECT_ADDED;
    return is_none ? 0 : o->kinds[o->plain[bit]].initial;
}

struct archetype *archetype_of_set(struct oracle *o, uint64_t set, bool temporary) {
    set = table_set(o, set);
    for (uint32_t i = 0; i < o->archetype_count; i++) {
        if (o->archetypes[i].set == set && o->archetypes[i].temporary == temporary) {
            return &o->archetypes[i];
        }
    }
    return NULL;
}

struct archetype *archetype_of_id(struct oracle *o, cosm_archetype id) {
    for (uint32_t i = 0; i < o->archetype_count; i++) {
        if (o->archetypes[i].id.id == id.id) {
            return &o->archetypes[i];
        }
    }
    return NULL;
}

struct archetype *archetype_append(struct oracle *o, const struct archetype *archetype) {
    struct archetype copy = *archetype;
    o->archetypes =
        grow(o->archetypes, &o->archetype_capacity, o->archetype_count + 1, sizeof(*o->archetypes));
    o->archetypes[o->archetype_count] = copy;
    return &o->archetypes[o->archetype_count++];
}

size_t set_size(const struct oracle *o, uint64_t set) {
    size_t size = 0;
    for (uint32_t bit = 0; bit < o->plain_count; bit++) {
        if (set >> bit & 1) {
            size += o->kinds[o->plain[bit]].size;
        }
    }
    return size;
}

uint64_t split_of_set(struct oracle *o, uint64_t set, bool temporary) {
    const struct archetype *archetype = archetype_of_set(o, set, temporary);
    uint64_t split = archetype ? archetype->split : 0;
    for (uint32_t bit = 0; !archetype && bit < o->plain_count; bit++) {
        split |= o->kinds[o->plain[bit]].split ? set & (uint64_t)1 << bit : 0;
    }
    return split;
}

size_t row_size(struct oracle *o, uint64_t set, bool temporary) {
    uint64_t split = split_of_set(o, set, temporary);
    size_t size = set_size(o, set & ~split);
    size -= set_size(o, set & ~split & (o->shared | o->managed | o->sectors));
    for (uint32_t bit = 0; bit < o->plain_count; bit++) {
        size += split >> bit & 1 ? shape_split_size(&o->kinds[o->plain[bit]].shape) : 0;
        size += (set & o->managed) >> bit & 1 ? sizeof(cosm_ticket) : 0;
    }
    return size;
}

struct being *being_find(struct oracle *o, uint32_t world, cosm_entity handle) {
    struct world *w = &o->worlds[world];
    if (handle.id >= w->being_capacity) {
        return NULL;
    }
    struct being *being = &w->beings[handle.id];
    bool same = being->handle.id == handle.id && being->handle.gen == handle.gen;
    if (o->fault == MODEL_FAULT_STALE_ALIVE) {
        same = being->handle.id == handle.id;
    }
    return being->alive && same ? being : NULL;
}

uint32_t being_count(const struct oracle *o, uint32_t world, uint64_t set) {
    const struct world *w = &o->worlds[world];
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->being_capacity; i++) {
        if (w->beings[i].alive && table_set(o, w->beings[i].set) == table_set(o, set)) {
            count++;
        }
    }
    return count;
}

struct being *being_nth(struct oracle *o, uint32_t world, uint32_t n) {
    struct world *w = &o->worlds[world];
    for (uint32_t i = 0; i < w->being_capacity; i++) {
        if (w->beings[i].alive && n-- == 0) {
            return &w->beings[i];
        }
    }
    return NULL;
}

static void world_make_room(struct world *w, uint32_t id) {
    uint32_t capacity = w->being_capacity;
    w->given_last = grow(w->given_last, &capacity, id + 1, sizeof(*w->given_last));
    w->beings = grow(w->beings, &w->being_capacity, id + 1, sizeof(*w->beings));
}

bool handle_give(struct oracle *o, uint32_t world, cosm_entity handle) {
    struct world *w = &o->worlds[world];
    world_make_room(w, handle.id);
    for (uint32_t i = w->given_last[handle.id]; i != 0; i = w->given[i - 1].before) {
        if (w->given[i - 1].handle.gen == handle.gen || o->fault == MODEL_FAULT_HANDLE_TWICE) {
            return false;
        }
    }
    w->given = grow(w->given, &w->given_capacity, w->given_count + 1, sizeof(*w->given));
    w->given[w->given_count].handle = handle;
    w->given[w->given_count].before = w->given_last[handle.id];
    w->given_last[handle.id] = ++w->given_count;
    return true;
}

struct being *being_spawn(struct oracle *o, uint32_t world, cosm_entity handle, uint64_t set) {
    struct world *w = &o->worlds[world];
    world_make_room(w, handle.id);
    struct being *being = &w->beings[handle.id];
    w->alive_count += being->alive ? 0u : 1u;
    if (o->fault == MODEL_FAULT_SECTOR_LINGERS) {
        set |= being->set & o->sectors;
    }
    memset(being, 0, sizeof(*being));
    being->alive = true;
    being->handle = handle;
    for (uint32_t bit = 0; bit < o->plain_count; bit++) {
        if (o->fault != MODEL_FAULT_SPAWN_ZEROED) {
            being->value[bit] = first_value(o, bit);
        }
    }
    being->set = set;
    return being;
}

void being_despawn(struct oracle *o, uint32_t world, struct being *being) {
    struct world *w = &o->worlds[world];
    w->fresh = false;
    if (o->fault == MODEL_FAULT_DESPAWN_KEPT) {
        return;
    }
    w->alive_count--;
    being->alive = false;
    for (uint32_t i = 0; i < w->being_capacity; i++) {
        struct being *child = &w->beings[i];
        child->parent = child->parent == being->handle.id + 1 ? 0 : child->parent;
    }
}

bool being_is_below(struct oracle *o, uint32_t world, const struct being *being,
                    const struct being *above) {
    const struct being *beings = o->worlds[world].beings;
    while (being != above && being->parent != 0) {
        being = &beings[being->parent - 1];
    }
    return being == above;
}

void being_link(struct oracle *o, uint32_t world, struct being *being, const struct being *parent) {
    uint32_t number = parent ? parent->handle.id + 1 : 0;
    if (being->parent == number || o->fault == MODEL_FAULT_TREE_LOST) {
        return;
    }
    being->parent = number;
    being->since = ++o->worlds[world].links;
    being->since = o->fault == MODEL_FAULT_TREE_ORDER ? -being->since : being->since;
}

uint32_t being_despawn_tree(struct oracle *o, uint32_t world, struct being *being, being_fn *told,
                            void *context) {
    struct world *w = &o->worlds[world];
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->being_capacity && o->fault != MODEL_FAULT_TREE_DESPAWN_ONE; i++) {
        struct being *child = &w->beings[i];
        if (child->alive && child->parent == being->handle.id + 1) {
            count += being_despawn_tree(o, world, child, told, context);
        }
    }
    if (told) {
        told(context, being);
    }
    being_despawn(o, world, being);
    return count + 1;
}

void being_change(struct oracle *o, struct being *being, uint64_t set) {
    uint64_t added = set & ~being->set;
    if (o->fault == MODEL_FAULT_RESHAPE_RESETS) {
        uint64_t kept = set & being->set;
        added |= kept & (split_of_set(o, set, false) ^ split_of_set(o, being->set, false));
    }
    for (uint32_t bit = 0; bit < o->plain_count; bit++) {
        if (added >> bit & 1) {
            uint32_t initial = first_value(o, bit);
            being->value[bit] = o->fault == MODEL_FAULT_ADD_ZEROED ? 0 : initial;
        }
    }
    if (o->fault == MODEL_FAULT_SECTOR_MATES) {
        uint64_t removed = being->set & ~set;
        for (uint32_t i = 0; i < o->group_count; i++) {
            set &= (removed & o->groups[i].set) != 0 ? ~o->groups[i].set : ~(uint64_t)0;
        }
    }
    being->set = o->fault == MODEL_FAULT_REMOVE_KEPT ? set | being->set : set;
}

struct bag *bag_of(struct oracle *o, uint32_t world, const struct archetype *archetype) {
    struct world *w = &o->worlds[world];
    uint32_t index = (uint32_t)(archetype - o->archetypes);
    for (uint32_t i = 0; i < w->bag_count; i++) {
        if (w->bags[i].archetype == index) {
            return &w->bags[i];
        }
    }
    if (w->bag_count == ORACLE_BAG_MAX) {
        fprintf(stderr, "model: more temporary archetypes than the oracle has bags\n");
        exit(2);
    }
    w->bags[w->bag_count].archetype = index;
    return &w->bags[w->bag_count++];
}

struct row *bag_append(struct oracle *o, struct bag *bag) {
    bag->rows = grow(bag->rows, &bag->capacity, bag->count + 1, sizeof(*bag->rows));
    struct row *row = &bag->rows[bag->count++];
    for (uint32_t bit = 0; bit < o->plain_count; bit++) {
        row->value[bit] = first_value(o, bit);
    }
    return row;
}

uint32_t row_count(struct oracle *o, uint32_t world, const struct archetype *archetype) {
    if (archetype->temporary) {
        return bag_of(o, world, archetype)->count;
    }
    return being_count(o, world, archetype->set);
}

// Is a value that a term asks for the one that the row has?
static bool value_takes(const struct oracle *o, const struct term *term, const uint32_t *values) {
    return term->value == 0 || o->fault == MODEL_FAULT_SHARED_ANY ||
           values[o->kinds[term->kind].bit] == term->value;
}

static bool group_takes(const struct oracle *o, const struct query *query, uint32_t group,
                        uint64_t set) {
    bool all = o->fault == MODEL_FAULT_QUERY_ANY_OF;
    bool takes = all;
    for (uint32_t i = 0; i < query->term_count; i++) {
        const struct term *term = &query->terms[i];
        if (term->how == COSM_TERM_ANY_OF && term->group == group) {
            bool has = (set & term->set) == term->set;
            takes = all ? takes && has : takes || has;
        }
    }
    return takes;
}

bool query_takes(const struct oracle *o, const struct query *query, uint64_t set,
                 const uint32_t *values) {
    for (uint32_t i = 0; i < query->term_count; i++) {
        const struct term *term = &query->terms[i];
        if (term->how == COSM_TERM_WITH &&
            ((set & term->set) != term->set || !value_takes(o, term, values))) {
            return false;
        }
        if (term->how == COSM_TERM_WITHOUT && (set & term->set) != 0 &&
            o->fault != MODEL_FAULT_QUERY_WITHOUT) {
            return false;
        }
        if (term->how == COSM_TERM_ANY_OF && !group_takes(o, query, term->group, set)) {
            return false;
        }
    }
    return true;
}

bool query_may_take(const struct oracle *o, const struct query *query,
                    const struct archetype *archetype) {
    // An entity may have any sector component beside, or lack it; a temporary row has none.
    struct query tables = *query;
    uint64_t beside = archetype->temporary ? 0 : o->sectors;
    for (uint32_t i = 0; i < tables.term_count; i++) {
        tables.terms[i].value = 0;
        tables.terms[i].set &= ~beside;
    }
    return query_takes(o, &tables, archetype->set, NULL);
}

bool world_is_walked(const struct oracle *o, uint32_t world) {
    if (o->fault == MODEL_FAULT_WALKED_FREE) {
        return false;
    }
    return o->worlds[world].walks > 0;
}

// Counts numbers that have not been met before: a table of them that is emptied by its stamp.
uint32_t distinct_count(const struct oracle *o, uint32_t world, uint32_t bit) {
    const struct world *w = &o->worlds[world];
    enum { SLOTS = 4096 };
    static uint32_t numbers[SLOTS];
    static uint64_t stamps[SLOTS];
    static uint64_t stamp;
    uint32_t count = 0;
    stamp++;
    for (uint32_t i = 0; i < w->being_capacity; i++) {
        if (!w->beings[i].alive || !(w->beings[i].set >> bit & 1)) {
            continue;
        }
        uint32_t number = w->beings[i].value[bit];
        uint32_t at = number * 2654435761u % SLOTS;
        while (stamps[at] == stamp && numbers[at] != number) {
            at = (at + 1) % SLOTS;
        }
        count += stamps[at] == stamp ? 0u : 1u;
        stamps[at] = stamp;
        numbers[at] = number;
    }
    return count;
}

uint32_t record_count(const struct oracle *o, uint32_t world, uint64_t group) {
    const struct world *w = &o->worlds[world];
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->being_capacity; i++) {
        count += w->beings[i].alive && (w->beings[i].set & group) != 0 ? 1u : 0u;
    }
    return count;
}

uint32_t object_count(const struct oracle *o, uint32_t world, uint32_t bit) {
    const struct world *w = &o->worlds[world];
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->being_capacity; i++) {
        const struct being *being = &w->beings[i];
        count += being->alive && (being->set >> bit & 1) && being->value[bit] != 0 ? 1u : 0u;
    }
    for (uint32_t i = 0; i < w->bag_count; i++) {
        bool has = o->archetypes[w->bags[i].archetype].set >> bit & 1;
        for (uint32_t r = 0; has && r < w->bags[i].count; r++) {
            count += w->bags[i].rows[r].value[bit] != 0 ? 1u : 0u;
        }
    }
    return count;
}

// What a world has beside its tables.
static uint64_t beside_live(const struct oracle *o, uint32_t world) {
    uint64_t live = 0;
    for (uint32_t bit = 0; (o->shared | o->managed) >> bit != 0; bit++) {
        size_t size = o->kinds[o->plain[bit]].size;
        live += o->shared >> bit & 1 ? distinct_count(o, world, bit) * size : 0;
        live += o->managed >> bit & 1 ? object_count(o, world, bit) * size : 0;
    }
    for (uint32_t i = 0; i < o->group_count; i++) {
        live += record_count(o, world, o->groups[i].set) * o->groups[i].stride;
    }
    return live;
}

uint64_t world_live(struct oracle *o, uint32_t world) {
    struct world *w = &o->worlds[world];
    uint64_t live = beside_live(o, world);
    uint64_t set = 0;
    size_t size = row_size(o, set, false);
    for (uint32_t i = 0; i < w->being_capacity; i++) {
        if (w->beings[i].alive) {
            size = w->beings[i].set == set ? size : row_size(o, w->beings[i].set, false);
            set = w->beings[i].set;
            live += size;
        }
    }
    for (uint32_t i = 0; i < w->bag_count; i++) {
        live += w->bags[i].count * row_size(o, o->archetypes[w->bags[i].archetype].set, true);
    }
    return live;
}

void world_clear(struct oracle *o, uint32_t world) {
    struct world *w = &o->worlds[world];
    struct being *last = being_nth(o, world, w->alive_count - 1);
    for (uint32_t i = 0; i < w->being_capacity; i++) {
        bool kept = o->fault == MODEL_FAULT_RESET_KEEPS && &w->beings[i] == last;
        if (w->beings[i].alive && !kept) {
            w->beings[i].alive = false;
            w->alive_count--;
        }
    }
    for (uint32_t i = 0; i < w->bag_count; i++) {
        w->bags[i].count = 0;
    }
    w->fresh = true;
    w->fresh_next = 0;
    for (uint32_t i = 0; o->fault == MODEL_FAULT_RESET_SINGLETONS && i < o->singleton_count; i++) {
        w->singletons[i] = o->singletons[i].initial;
    }
}

void world_copy_beings(struct world *to, const struct world *from) {
    uint32_t capacity = to->being_capacity;
    to->given_last = grow(to->given_last, &capacity, from->being_capacity, sizeof(*to->given_last));
    to->beings = grow(to->beings, &to->being_capacity, from->being_capacity, sizeof(*to->beings));
    for (uint32_t i = 0; i < to->being_capacity; i++) {
        to->beings[i].alive = false;
    }
    if (from->being_capacity > 0) {
        memcpy(to->beings, from->beings, from->being_capacity * sizeof(*to->beings));
    }
    to->alive_count = from->alive_count;
    to->fresh = from->fresh;
    to->fresh_next = from->fresh_next;
}

void world_copy(struct world *to, const struct world *from) {
    world_copy_beings(to, from);
    if (to->being_capacity > 0) {
        memset(to->given_last, 0, to->being_capacity * sizeof(*to->given_last));
    }
    if (from->being_capacity > 0) {
        memcpy(to->given_last, from->given_last, from->being_capacity * sizeof(*to->given_last));
    }
    to->given = grow(to->given, &to->given_capacity, from->given_count, sizeof(*to->given));
    if (from->given_count > 0) {
        memcpy(to->given, from->given, from->given_count * sizeof(*to->given));
    }
    to->given_count = from->given_count;
    for (uint32_t k = 0; k < ORACLE_BAG_MAX; k++) {
        struct bag *bag = &to->bags[k];
        uint32_t count = k < from->bag_count ? from->bags[k].count : 0;
        bag->rows = grow(bag->rows, &bag->capacity, count, sizeof(*bag->rows));
        if (count > 0) {
            memcpy(bag->rows, from->bags[k].rows, count * sizeof(*bag->rows));
        }
        bag->archetype = from->bags[k].archetype;
        bag->count = count;
    }
    to->bag_count = from->bag_count;
    memcpy(to->singletons, from->singletons, sizeof(to->singletons));
    to->freed = from->freed;
    to->links = from->links;
}

void world_free(struct world *w) {
    for (uint32_t k = 0; k < ORACLE_BAG_MAX; k++) {
        free(w->bags[k].rows);
    }
    free(w->beings);
    free(w->given);
    free(w->given_last);
}

void oracle_free(struct oracle *o) {
    for (uint32_t i = 0; i < ORACLE_WORLD_MAX; i++) {
        world_free(&o->worlds[i]);
    }
    free(o->archetypes);
    memset(o, 0, sizeof(*o));
}
