// The book of a patch in the engine at hand: archetypes, groups, and where lanes are in tables.
#include <string.h>

#include "state/patch.h"

// Where a byte of a value is in its packed form.
static uint32_t patch_packed_place(const struct patch_word *word, uint32_t offset) {
    uint32_t before = 0;
    for (uint32_t i = 0; i < word->span_count; i++) {
        const struct patch_span *span = &word->spans[i];
        if (offset >= span->offset && offset - span->offset < span->size) {
            return before + offset - span->offset;
        }
        before += span->size;
    }
    INVARIANT(false, "a field is in one of the spans");
    return 0;
}

static struct patch_move *patch_take_moves(struct patch_book *book, struct patch_lane *lane,
                                           uint32_t count) {
    struct patch_move *moves =
        cosmi_arena_take(&book->arena, count * sizeof(*moves), _Alignof(struct patch_move));
    lane->moves = moves;
    lane->move_count = count;
    return moves;
}

// A lane whose rows are the cells of one column, or lie in them at one place.
static bool patch_make_simple_lane(struct patch_book *book, const struct archetype *archetype,
                                   struct patch_lane *lane, uint32_t column, uint32_t at,
                                   uint32_t size) {
    *lane = (struct patch_lane){.row_size = size};
    struct patch_move *moves = patch_take_moves(book, lane, 1);
    if (moves == NULL) {
        return false;
    }
    moves[0] = (struct patch_move){column, at, 0, size};
    lane->is_dense = archetype->sizes[column] == size;
    return true;
}

// Values that the patch has whole.
static bool patch_make_whole_lane(struct patch_book *book, const struct archetype *archetype,
                                  const struct patch_word *word, struct patch_lane *lane) {
    const struct column_slot *slot = archetype_find(archetype, word->type->id);
    const struct field_list *fields = &word->type->fields;
    bool is_split = slot_is_split(archetype, slot);
    *lane = (struct patch_lane){.row_size = word->packed_size};
    uint32_t count = is_split ? fields->count : word->span_count;
    struct patch_move *moves = patch_take_moves(book, lane, count);
    if (moves == NULL) {
        return false;
    }
    uint32_t from = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (is_split) {
            from = patch_packed_place(word, fields->items[i].offset);
            moves[i] = (struct patch_move){slot->column + i, 0, from, fields->columns[i].size};
        } else {
            moves[i] =
                (struct patch_move){slot->column, word->spans[i].offset, from, word->spans[i].size};
            from += word->spans[i].size;
        }
    }
    lane->is_dense = count == 1 && archetype->sizes[moves[0].column] == lane->row_size;
    return true;
}

// The lanes of a part; *io_count of them are there before and after.
static bool patch_make_part_lanes(struct patch_book *book, const struct archetype *archetype,
                                  const struct patch_part *part, struct patch_lane *lanes,
                                  uint32_t *io_count) {
    const struct patch_word *word = &book->words[part->word];
    const struct value_type *type = word->type;
    const struct column_slot *slot = archetype_find(archetype, type->id);
    if (type->cell_size == 0) {
        return true;
    }
    if (type->storage == COSM_STORAGE_MANAGED) {
        return patch_make_simple_lane(book, archetype, &lanes[(*io_count)++], slot->column, 0,
                                      sizeof(cosm_ticket));
    }
    if (!part->is_split) {
        return patch_make_whole_lane(book, archetype, word, &lanes[(*io_count)++]);
    }
    bool is_split_here = slot_is_split(archetype, slot);
    for (uint32_t f = 0; f < type->fields.count; f++) {
        uint32_t column = is_split_here ? slot->column + f : slot->column;
        uint32_t at = is_split_here ? 0 : type->fields.items[f].offset;
        if (!patch_make_simple_lane(book, archetype, &lanes[(*io_count)++], column, at,
                                    type->fields.columns[f].size)) {
            return false;
        }
    }
    return true;
}

bool cosmi_patch_lanes(struct patch_book *book, struct patch_archetype *entry) {
    const struct archetype *archetype = entry->archetype;
    uint32_t room = 1;
    entry->shared_count = 0;
    for (uint32_t i = 0; i < entry->part_count; i++) {
        const struct value_type *type = book->words[entry->parts[i].word].type;
        room += entry->parts[i].is_split ? type->fields.count : 1;
        entry->shared_count += type->storage == COSM_STORAGE_SHARED;
    }
    struct patch_lane *lanes =
        cosmi_arena_take(&book->arena, room * sizeof(*lanes), _Alignof(struct patch_lane));
    if (lanes == NULL) {
        return false;
    }
    uint32_t count = 0;
    if (!archetype->temporary) {
        if (!patch_make_simple_lane(book, archetype, &lanes[count++], ENTITY_COLUMN, 0,
                                    sizeof(cosm_entity))) {
            return false;
        }
        lanes[0].is_entity = true;
    }
    for (uint32_t i = 0; i < entry->part_count; i++) {
        if (!patch_make_part_lanes(book, archetype, &entry->parts[i], lanes, &count)) {
            return false;
        }
    }
    entry->lanes = lanes;
    entry->lane_count = count;
    entry->row_bytes = 0;
    for (uint32_t i = 0; i < count; i++) {
        entry->row_bytes += lanes[i].is_entity ? 2 : lanes[i].row_size;
    }
    return true;
}

static cosm_result patch_form_archetype(struct patch_book *book, struct patch_archetype *entry) {
    struct signature signature = {.count = 0};
    for (uint32_t i = 0; i < entry->part_count; i++) {
        cosmi_signature_add(&signature, book->words[entry->parts[i].word].type->id);
    }
    // Only temporary archetypes have a name in a patch; they are known by their components all the
    // same, since not all have one.
    struct archetype *archetype =
        cosmi_schema_form_kind(book->schema, book->call, &signature, entry->name != NULL);
    if (archetype == NULL) {
        return cosm_error_result();
    }
    entry->archetype = archetype;
    if (!cosmi_patch_lanes(book, entry)) {
        entry->archetype = NULL;
        return cosmi_fail_memory(book->sink, book->memory, book->call);
    }
    return COSM_OK;
}

// Finds the group here, which must have the same members, in whatever order.
static cosm_result patch_form_group(struct patch_book *book, struct patch_group *entry) {
    const struct value_type *first = book->words[entry->words[0]].type;
    const struct sector_group *group = cosmi_sector_group_need(book->schema, book->call, first);
    if (group == NULL) {
        return cosm_error_result();
    }
    bool is_same = group->member_count == entry->member_count;
    for (uint32_t i = 0; i < entry->member_count && is_same; i++) {
        const struct value_type *type = book->words[entry->words[i]].type;
        uint32_t member = 0;
        while (member < group->member_count && group->components[member].id != type->id) {
            member++;
        }
        is_same = member < group->member_count;
        entry->members[i] = member;
    }
    if (!is_same) {
        return cosmi_fail(book->sink, COSM_ERROR_FORMAT,
                          "%s: sector component '%s' of the patch is in another group than here; "
                          "define its group as the engine that made the patch does",
                          book->call, first->name);
    }
    entry->group = group;
    return COSM_OK;
}

cosm_result cosmi_patch_form(struct patch_book *book) {
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; i < book->archetype_count && result == COSM_OK; i++) {
        if (book->archetypes[i].archetype == NULL) {
            result = patch_form_archetype(book, &book->archetypes[i]);
        }
    }
    for (uint32_t i = 0; i < book->group_count && result == COSM_OK; i++) {
        if (book->groups[i].group == NULL) {
            result = patch_form_group(book, &book->groups[i]);
        }
    }
    return result;
}
