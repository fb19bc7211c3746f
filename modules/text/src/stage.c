// The entities of a text, set aside: groups, blocks, references.
#include "stage.h"

#include <stdlib.h>

// The first block of a group is small, because a text may have many groups of one entity. Each is
// twice as large as the one before it, up to this many bytes, about.
#define BLOCK_ROW_MIN 4u
#define BLOCK_BYTES ((size_t)64 << 10)

// Keeps a handle for translation, unless it names nothing.
static bool keep_reference(void *context, char *at) {
    struct stage *stage = context;
    cosm_entity entity;
    memcpy(&entity, at, sizeof(entity));
    if (cosm_entity_is_none(entity)) {
        return true;
    }
    if (stage->reference_count == stage->reference_capacity) {
        size_t capacity = stage->reference_capacity == 0 ? 64 : 2 * stage->reference_capacity;
        struct reference *references = realloc(stage->references, capacity * sizeof(*references));
        if (references == NULL) {
            return false;
        }
        stage->references = references;
        stage->reference_capacity = capacity;
    }
    stage->references[stage->reference_count++] = (struct reference){at, stage->parts->at_hand};
    return true;
}

void cosmi_text_stage_begin(struct stage *stage, struct parts *parts) {
    *stage = (struct stage){.parts = parts};
    parts->reader.reference = keep_reference;
    parts->reader.context = stage;
}

void cosmi_text_stage_end(struct stage *stage) {
    cosmi_text_names_free(&stage->names);
    free(stage->references);
    free(stage->slots);
}

// A number with all bits of the id in each of its own; the sum over a set does not depend on order.
static uint64_t mix(uint64_t id) {
    id = (id + 1) * 0x9E3779B97F4A7C15u;
    id = (id ^ (id >> 30)) * 0xBF58476D1CE4E5B9u;
    return id ^ (id >> 29);
}

static uint64_t hash_of(const struct entity_text *text) {
    uint64_t hash = 0;
    for (uint32_t i = 0; i < text->part_count; i++) {
        hash += mix(text->parts[i]->subject.id);
    }
    return hash;
}

static int compare_parts(const void *a, const void *b) {
    const struct part *left = *(struct part *const *)a;
    const struct part *right = *(struct part *const *)b;
    return left->subject.id < right->subject.id ? -1 : 1;
}

// Has the group these components? They are as many, and all different.
static bool has_parts(const struct group *group, const struct entity_text *text) {
    for (uint32_t i = 0; i < text->part_count; i++) {
        uint32_t first = 0;
        uint32_t end = group->part_count;
        while (first < end) {
            uint32_t middle = first + (end - first) / 2;
            if (group->parts[middle]->subject.id < text->parts[i]->subject.id) {
                first = middle + 1;
            } else {
                end = middle;
            }
        }
        if (first == group->part_count || group->parts[first] != text->parts[i]) {
            return false;
        }
    }
    return true;
}

static struct group *find_group(const struct stage *stage, const struct entity_text *text,
                                uint64_t hash) {
    uint32_t mask = stage->slot_count - 1;
    for (uint32_t i = (uint32_t)hash & mask; stage->slot_count > 0; i = (i + 1) & mask) {
        struct group *group = stage->slots[i];
        if (group == NULL || (group->hash == hash && group->part_count == text->part_count &&
                              has_parts(group, text))) {
            return group;
        }
    }
    return NULL;
}

static void put_in_slot(struct group **slots, uint32_t slot_count, struct group *group) {
    uint32_t i = (uint32_t)group->hash & (slot_count - 1);
    while (slots[i] != NULL) {
        i = (i + 1) & (slot_count - 1);
    }
    slots[i] = group;
}

// Keeps a quarter of the slots free at least.
static bool make_slot_room(struct stage *stage) {
    if (4 * (uint64_t)(stage->group_count + 1) <= 3 * (uint64_t)stage->slot_count) {
        return true;
    }
    uint32_t slot_count = stage->slot_count == 0 ? 16 : 2 * stage->slot_count;
    struct group **slots = calloc(slot_count, sizeof(*slots));
    if (slots == NULL) {
        return false;
    }
    for (struct group *group = stage->first; group != NULL; group = group->next) {
        put_in_slot(slots, slot_count, group);
    }
    free(stage->slots);
    stage->slots = slots;
    stage->slot_count = slot_count;
    return true;
}

static struct group *make_group(struct stage *stage, const struct entity_text *text,
                                uint64_t hash) {
    struct arena *arena = &stage->parts->arena;
    size_t bytes = (text->part_count + 1) * sizeof(struct part *);
    struct group *group = cosmi_text_take_zeroed(arena, sizeof(*group));
    struct part **order = cosmi_text_take(arena, bytes);
    struct part **parts = cosmi_text_take(arena, bytes);
    size_t *offsets = cosmi_text_take(arena, (text->part_count + 1) * sizeof(*offsets));
    if (group == NULL || order == NULL || parts == NULL || offsets == NULL) {
        return NULL;
    }
    memcpy(order, text->parts, text->part_count * sizeof(*order));
    memcpy(parts, text->parts, text->part_count * sizeof(*parts));
    qsort(parts, text->part_count, sizeof(*parts), compare_parts);
    size_t row_size = 0;
    for (uint32_t i = 0; i < text->part_count; i++) {
        offsets[i] = row_size;
        row_size += parts[i]->shape->size;
    }
    *group = (struct group){
        .number = stage->group_count,
        .part_count = text->part_count,
        .order = order,
        .parts = parts,
        .offsets = offsets,
        .hash = hash,
    };
    offsets[text->part_count] = row_size;
    return group;
}

static bool has_shared(const struct group *group) {
    for (uint32_t i = 0; i < group->part_count; i++) {
        if (group->parts[i]->storage == COSM_STORAGE_SHARED) {
            return true;
        }
    }
    return false;
}

// The group of an entity, made where there is none. NULL after a failure, and when out of memory.
static struct group *need_group(struct stage *stage, const struct entity_text *text) {
    struct group *group = stage->last_used;
    if (group != NULL && group->part_count == text->part_count &&
        memcmp(group->order, text->parts, text->part_count * sizeof(*group->order)) == 0) {
        return group;
    }
    uint64_t hash = hash_of(text);
    group = find_group(stage, text, hash);
    if (group != NULL) {
        return stage->last_used = group;
    }
    if (stage->group_count == COSM_ARCHETYPE_MAX) {
        (void)cosmi_text_read_fail(
            &stage->parts->reader, NULL, NULL,
            "the text has more than %u different sets of components; read it "
            "in parts, with an engine for each",
            COSM_ARCHETYPE_MAX);
        return NULL;
    }
    group = make_slot_room(stage) ? make_group(stage, text, hash) : NULL;
    if (group != NULL) {
        put_in_slot(stage->slots, stage->slot_count, group);
        *(stage->last == NULL ? &stage->first : &stage->last->next) = group;
        stage->last = group;
        stage->group_count++;
        stage->has_shared = stage->has_shared || has_shared(group);
        stage->last_used = group;
    }
    return group;
}

static uint32_t next_capacity(const struct group *group) {
    size_t row_size = group->offsets[group->part_count];
    if (group->last == NULL) {
        return row_size < BLOCK_BYTES ? BLOCK_ROW_MIN : 1;
    }
    uint32_t capacity = group->last->capacity;
    return 2 * capacity * (row_size + 1) <= BLOCK_BYTES ? 2 * capacity : capacity;
}

// The block that has room for one more row. NULL when out of memory.
static struct block *need_block(struct stage *stage, struct group *group) {
    struct block *block = group->last;
    if (block != NULL && block->count < block->capacity) {
        return block;
    }
    struct arena *arena = &stage->parts->arena;
    uint32_t capacity = next_capacity(group);
    block = cosmi_text_take_zeroed(arena, sizeof(*block));
    char *cells = cosmi_text_take(arena, capacity * group->offsets[group->part_count]);
    if (block == NULL || cells == NULL) {
        return NULL;
    }
    block->capacity = capacity;
    block->cells = cells;
    *(group->last == NULL ? &group->first : &group->last->next) = block;
    group->last = block;
    return block;
}

// Has references point into the cells that the values were copied to.
static void settle(struct stage *stage) {
    for (; stage->settled < stage->reference_count; stage->settled++) {
        struct reference *reference = &stage->references[stage->settled];
        reference->at = reference->part->cell + (reference->at - reference->part->value);
    }
}

void cosmi_text_stage_singletons(struct stage *stage) {
    stage->settled = stage->reference_count;
}

// The group of a sector component, made where there is none. NULL when out of memory.
static struct group *need_beside(struct stage *stage, struct part *part) {
    if (part->staged == NULL) {
        struct entity_text alone = {.part_count = 1, .parts = {part}};
        struct group *group = make_group(stage, &alone, 0);
        if (group == NULL) {
            return NULL;
        }
        group->next = stage->first_beside;
        stage->first_beside = group;
        part->staged = group;
    }
    return part->staged;
}

// Sets aside the sector components of an entity. False when out of memory.
static bool stage_besides(struct stage *stage, const struct entity_text *text, struct owner owner) {
    for (struct part *part = text->besides; part != NULL; part = part->next_beside) {
        struct group *group = need_beside(stage, part);
        struct block *block = group == NULL ? NULL : need_block(stage, group);
        if (block == NULL) {
            return false;
        }
        if (block->owners == NULL) {
            block->owners =
                cosmi_text_take(&stage->parts->arena, block->capacity * sizeof(*block->owners));
            if (block->owners == NULL) {
                return false;
            }
        }
        part->cell = block->cells + block->count * part->shape->size;
        memcpy(part->cell, part->value, part->shape->size);
        block->owners[block->count++] = owner;
        group->count++;
    }
    return true;
}

bool cosmi_text_stage_entity(struct stage *stage, const struct entity_text *text) {
    struct group *group = need_group(stage, text);
    struct block *block = group == NULL ? NULL : need_block(stage, group);
    if (block == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < group->part_count; i++) {
        struct part *part = group->parts[i];
        size_t size = part->shape->size;
        part->cell = block->cells + block->capacity * group->offsets[i] + block->count * size;
        memcpy(part->cell, part->value, size);
    }
    if (!stage_besides(stage, text, (struct owner){group->number, group->count})) {
        return false;
    }
    settle(stage);
    if (!cosm_entity_is_none(text->entity) &&
        !cosmi_text_names_add(
            &stage->names, (struct name){text->entity, text->where, group->number, group->count})) {
        return false;
    }
    block->count++;
    group->count++;
    return true;
}
