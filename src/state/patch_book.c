// The book of a patch: what its numbers stand for.
//
// Numbers are given in the order in which they are first needed. Tables are written in an order
// that ids of archetypes have no part in: which thread formed one first does not show in the bytes.
#include <string.h>

#include "base/hash.h"
#include "schema/names.h"
#include "state/patch.h"

// Kinds of words, and of parts and archetypes, in bytes.
#define WORD_SINGLETON 1u
#define WORD_STORAGE_SHIFT 1u

void cosmi_patch_book_init(struct patch_book *book, struct memory *memory, struct schema *schema,
                           const struct sink *sink) {
    *book = (struct patch_book){.schema = schema, .sink = sink, .memory = memory};
    cosmi_arena_init(&book->arena, memory);
    cosmi_map_init(&book->archetype_numbers, memory);
}

void cosmi_patch_book_free(struct patch_book *book) {
    cosmi_array_free(book->memory, book->words, book->word_capacity, sizeof(*book->words));
    cosmi_array_free(book->memory, book->archetypes, book->archetype_capacity,
                     sizeof(*book->archetypes));
    cosmi_array_free(book->memory, book->groups, book->group_capacity, sizeof(*book->groups));
    cosmi_map_free(&book->archetype_numbers);
    cosmi_arena_free(&book->arena);
}

bool cosmi_patch_is_plain(const struct value_type *type) {
    return type->lifecycle.copy == NULL && type->lifecycle.destroy == NULL;
}

bool cosmi_patch_same_object(const struct object *a, const struct object *b) {
    if (a == b || a == NULL || b == NULL) {
        return a == b;
    }
    const cosm_lifecycle *lifecycle = &a->type->lifecycle;
    if (a->type != b->type) {
        return false;
    }
    return cosmi_patch_is_plain(a->type) || lifecycle->equals == NULL
               ? memcmp(a->bytes, b->bytes, a->type->size) == 0
               : lifecycle->equals(lifecycle->context, a->bytes, b->bytes);
}

void cosmi_patch_pack(const struct patch_word *word, const void *value, void *packed) {
    char *at = packed;
    for (uint32_t i = 0; i < word->span_count; i++) {
        memcpy(at, (const char *)value + word->spans[i].offset, word->spans[i].size);
        at += word->spans[i].size;
    }
}

void cosmi_patch_unpack(const struct patch_word *word, const void *packed, void *value) {
    const char *at = packed;
    for (uint32_t i = 0; i < word->span_count; i++) {
        memcpy((char *)value + word->spans[i].offset, at, word->spans[i].size);
        at += word->spans[i].size;
    }
}

// Puts a field among spans that are in order; neighbours become one. Returns how many there are.
static uint32_t patch_add_span(struct patch_span *spans, uint32_t count, struct patch_span span) {
    uint32_t at = count;
    while (at > 0 && spans[at - 1].offset > span.offset) {
        at--;
    }
    memmove(spans + at + 1, spans + at, (count - at) * sizeof(*spans));
    spans[at] = span;
    return count + 1;
}

static uint32_t patch_join_spans(struct patch_span *spans, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t i = 1; i < count; i++) {
        if (spans[kept].offset + spans[kept].size == spans[i].offset) {
            spans[kept].size += spans[i].size;
        } else {
            spans[++kept] = spans[i];
        }
    }
    return kept + 1;
}

// The bytes of a type that mean something: all, or those of its fields.
static bool patch_make_spans(struct patch_book *book, struct patch_word *word) {
    const struct value_type *type = word->type;
    const struct field_list *fields = &type->fields;
    bool is_padded = fields->count > 0 && fields->byte_count != type->size;
    uint32_t room = is_padded ? fields->count : 1;
    struct patch_span *spans =
        cosmi_arena_take(&book->arena, room * sizeof(*spans), _Alignof(struct patch_span));
    if (spans == NULL) {
        return false;
    }
    word->spans = spans;
    if (!is_padded) {
        spans[0] = (struct patch_span){0, type->size};
        word->span_count = type->size > 0;
        word->packed_size = type->size;
        return true;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < fields->count; i++) {
        count = patch_add_span(
            spans, count, (struct patch_span){fields->items[i].offset, fields->columns[i].size});
    }
    word->span_count = patch_join_spans(spans, count);
    word->packed_size = fields->byte_count;
    return true;
}

static uint32_t patch_refuse_memory(const struct patch_book *book) {
    (void)cosmi_fail_memory(book->sink, book->memory, book->call);
    return PATCH_NONE;
}

uint32_t cosmi_patch_word(struct patch_book *book, const struct value_type *type,
                          bool is_singleton) {
    for (uint32_t i = 0; i < book->word_count; i++) {
        if (book->words[i].type == type) {
            return i;
        }
    }
    void *grown = cosmi_array_grow(book->memory, book->words, &book->word_capacity,
                                   book->word_count + 1, sizeof(*book->words));
    if (grown == NULL) {
        return patch_refuse_memory(book);
    }
    book->words = grown;
    struct patch_word *word = &book->words[book->word_count];
    *word = (struct patch_word){.type = type, .is_singleton = is_singleton};
    if (!patch_make_spans(book, word)) {
        return patch_refuse_memory(book);
    }
    return book->word_count++;
}

static bool patch_is_split_in(const struct archetype *archetype, uint32_t component) {
    return slot_is_split(archetype, archetype_find(archetype, component));
}

// The components of an archetype as parts, by name.
static bool patch_make_parts(struct patch_book *book, struct patch_archetype *entry) {
    const struct archetype *archetype = entry->archetype;
    uint32_t count = archetype->component_count;
    const struct value_type **types =
        cosmi_arena_take(&book->arena, (count + 1) * sizeof(*types), sizeof(void *));
    struct patch_part *parts =
        cosmi_arena_take(&book->arena, (count + 1) * sizeof(*parts), _Alignof(struct patch_part));
    if (types == NULL || parts == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct value_type *type = schema_component(book->schema, archetype->components[i]);
        uint32_t at = i;
        while (at > 0 && strcmp(types[at - 1]->name, type->name) > 0) {
            types[at] = types[at - 1];
            at--;
        }
        types[at] = type;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t word = cosmi_patch_word(book, types[i], false);
        if (word == PATCH_NONE) {
            return false;
        }
        parts[i] = (struct patch_part){word, patch_is_split_in(archetype, types[i]->id)};
    }
    entry->parts = parts;
    entry->part_count = count;
    return true;
}

static bool patch_is_archetype(const void *context, uint32_t index, const void *key) {
    return ((const struct patch_book *)context)->archetypes[index].archetype == key;
}

uint32_t cosmi_patch_archetype(struct patch_book *book, struct archetype *archetype) {
    uint64_t hash = hash_u64(0, archetype->id);
    uint32_t found =
        cosmi_map_find(&book->archetype_numbers, hash, patch_is_archetype, book, archetype);
    if (found != MAP_NONE) {
        return found;
    }
    void *grown = cosmi_array_grow(book->memory, book->archetypes, &book->archetype_capacity,
                                   book->archetype_count + 1, sizeof(*book->archetypes));
    if (grown == NULL) {
        return patch_refuse_memory(book);
    }
    book->archetypes = grown;
    struct patch_archetype *entry = &book->archetypes[book->archetype_count];
    *entry = (struct patch_archetype){.archetype = archetype,
                                      .name = archetype->temporary ? archetype->name : NULL};
    if (!patch_make_parts(book, entry) || !cosmi_patch_lanes(book, entry) ||
        !cosmi_map_reserve(&book->archetype_numbers)) {
        return patch_refuse_memory(book);
    }
    cosmi_map_insert(&book->archetype_numbers, hash, book->archetype_count);
    return book->archetype_count++;
}

// A group without its words.
static struct patch_group *patch_add_group(struct patch_book *book, uint32_t member_count) {
    void *grown = cosmi_array_grow(book->memory, book->groups, &book->group_capacity,
                                   book->group_count + 1, sizeof(*book->groups));
    if (grown == NULL) {
        return NULL;
    }
    book->groups = grown;
    uint32_t *numbers = cosmi_arena_take(
        &book->arena, ((size_t)member_count * 2 + 1) * sizeof(uint32_t), _Alignof(uint32_t));
    if (numbers == NULL) {
        return NULL;
    }
    struct patch_group *entry = &book->groups[book->group_count];
    *entry = (struct patch_group){
        .member_count = member_count, .words = numbers, .members = numbers + member_count};
    return entry;
}

uint32_t cosmi_patch_group(struct patch_book *book, const struct sector_group *group) {
    for (uint32_t i = 0; i < book->group_count; i++) {
        if (book->groups[i].group == group) {
            return i;
        }
    }
    struct patch_group *entry = patch_add_group(book, group->member_count);
    if (entry == NULL) {
        return patch_refuse_memory(book);
    }
    entry->group = group;
    uint32_t *words = entry->members - entry->member_count;
    for (uint32_t m = 0; m < group->member_count; m++) {
        words[m] =
            cosmi_patch_word(book, schema_component(book->schema, group->components[m].id), false);
        entry->members[m] = m;
        if (words[m] == PATCH_NONE) {
            return PATCH_NONE;
        }
    }
    return book->group_count++;
}

static void patch_write_parts(struct byte_writer *out, const struct patch_archetype *entry) {
    cosmi_write_text(out, entry->name);
    cosmi_write_short(out, entry->part_count);
    for (uint32_t i = 0; i < entry->part_count; i++) {
        cosmi_write_short(out, (uint64_t)entry->parts[i].word << 1 | entry->parts[i].is_split);
    }
}

void cosmi_patch_book_write(const struct patch_book *book, struct byte_writer *out) {
    cosmi_write_short(out, book->word_count);
    for (uint32_t i = 0; i < book->word_count; i++) {
        const struct patch_word *word = &book->words[i];
        uint32_t kind = word->is_singleton ? WORD_SINGLETON
                                           : (uint32_t)word->type->storage << WORD_STORAGE_SHIFT;
        cosmi_write_u8(out, (uint8_t)kind);
        cosmi_write_text(out, word->type->name);
        cosmi_write_u64(out, word->type->hash);
    }
    cosmi_write_short(out, book->archetype_count);
    for (uint32_t i = 0; i < book->archetype_count; i++) {
        patch_write_parts(out, &book->archetypes[i]);
    }
    cosmi_write_short(out, book->group_count);
    for (uint32_t i = 0; i < book->group_count; i++) {
        const struct patch_group *entry = &book->groups[i];
        cosmi_write_short(out, entry->member_count);
        for (uint32_t m = 0; m < entry->member_count; m++) {
            cosmi_write_short(out, entry->words[m]);
        }
    }
}

static cosm_result patch_refuse_book(const struct patch_book *book) {
    return cosmi_fail(book->sink, COSM_ERROR_FORMAT,
                      "%s: the bytes are truncated or damaged: the list of components is invalid; "
                      "get the patch again",
                      book->call);
}

// The type of a word, if the engine has it and means the same by it.
static const struct value_type *patch_find_type(const struct patch_book *book, uint32_t kind,
                                                const char *name, uint64_t hash) {
    bool is_singleton = kind == WORD_SINGLETON;
    const char *what = is_singleton ? "singleton" : "component";
    uint32_t id = is_singleton ? cosmi_schema_find_singleton(book->schema, name)
                               : cosmi_schema_find_component(book->schema, name);
    const struct value_type *type =
        is_singleton ? schema_singleton(book->schema, id) : schema_component(book->schema, id);
    if (type == NULL) {
        (void)cosmi_fail(book->sink, COSM_ERROR_FORMAT,
                         "%s: the patch has a %s '%s', which this engine does not have; define "
                         "it as the engine that made the patch does",
                         book->call, what, name);
        return NULL;
    }
    if (type->hash != hash ||
        (!is_singleton && (uint32_t)type->storage != kind >> WORD_STORAGE_SHIFT)) {
        (void)cosmi_fail(book->sink, COSM_ERROR_FORMAT,
                         "%s: %s '%s' of the patch has another %s than here; define it as the "
                         "engine that made the patch does",
                         book->call, what, type->name,
                         type->hash != hash ? "size, alignment or fields" : "storage");
        return NULL;
    }
    return type;
}

static cosm_result patch_read_word(struct patch_book *book, struct byte_reader *in) {
    uint32_t kind = cosmi_read_u8(in);
    const char *name = cosmi_read_text(in);
    uint64_t hash = cosmi_read_u64(in);
    if (in->failed || name == NULL || kind > (uint32_t)COSM_STORAGE_SECTOR << WORD_STORAGE_SHIFT ||
        (kind > WORD_SINGLETON && (kind & WORD_SINGLETON) != 0)) {
        return patch_refuse_book(book);
    }
    const struct value_type *type = patch_find_type(book, kind, name, hash);
    if (type == NULL) {
        return COSM_ERROR_FORMAT;
    }
    uint32_t count = book->word_count;
    uint32_t number = cosmi_patch_word(book, type, kind == WORD_SINGLETON);
    if (number == PATCH_NONE) {
        return COSM_ERROR_MEMORY;
    }
    return number == count ? COSM_OK : patch_refuse_book(book); // twice
}

// Numbers of a list of words, none twice: marks are by word.
static bool patch_read_member(struct patch_book *book, struct byte_reader *in, uint32_t number,
                              bool is_sector) {
    if (in->failed || number >= book->word_count || book->words[number].is_singleton) {
        return false;
    }
    return (book->words[number].type->storage == COSM_STORAGE_SECTOR) == is_sector;
}

static cosm_result patch_read_archetype(struct patch_book *book, struct byte_reader *in) {
    struct patch_archetype entry = {.name = cosmi_read_text(in)};
    entry.part_count = cosmi_read_short_max(in, COSM_ARCHETYPE_COMPONENT_MAX);
    if (in->failed || entry.part_count > reader_left(in)) {
        return patch_refuse_book(book);
    }
    void *grown = cosmi_array_grow(book->memory, book->archetypes, &book->archetype_capacity,
                                   book->archetype_count + 1, sizeof(*book->archetypes));
    struct patch_part *parts = cosmi_arena_take(
        &book->arena, (entry.part_count + 1) * sizeof(*parts), _Alignof(struct patch_part));
    book->archetypes = grown == NULL ? book->archetypes : grown;
    if (grown == NULL || parts == NULL) {
        return cosmi_fail_memory(book->sink, book->memory, book->call);
    }
    for (uint32_t i = 0; i < entry.part_count; i++) {
        uint32_t number = cosmi_read_short_max(in, 2 * COSM_COMPONENT_MAX + 1);
        parts[i] = (struct patch_part){number >> 1, (number & 1) != 0};
        // By name, and so none of them twice.
        if (!patch_read_member(book, in, parts[i].word, false) ||
            (i > 0 && strcmp(book->words[parts[i - 1].word].type->name,
                             book->words[parts[i].word].type->name) >= 0) ||
            (parts[i].is_split &&
             (book->words[parts[i].word].type->fields.count == 0 ||
              book->words[parts[i].word].type->storage != COSM_STORAGE_COLUMN))) {
            return patch_refuse_book(book);
        }
    }
    entry.parts = parts;
    if (entry.name != NULL) {
        entry.name = cosmi_arena_copy_text(&book->arena, entry.name);
        if (entry.name == NULL) {
            return cosmi_fail_memory(book->sink, book->memory, book->call);
        }
    }
    book->archetypes[book->archetype_count++] = entry;
    return COSM_OK;
}

static cosm_result patch_read_group(struct patch_book *book, struct byte_reader *in) {
    uint32_t member_count = cosmi_read_short_max(in, COSM_CONTAINER_MEMBER_MAX);
    if (in->failed || member_count == 0 || member_count > reader_left(in)) {
        return patch_refuse_book(book);
    }
    struct patch_group *entry = patch_add_group(book, member_count);
    if (entry == NULL) {
        return cosmi_fail_memory(book->sink, book->memory, book->call);
    }
    uint32_t *words = entry->members - member_count;
    for (uint32_t m = 0; m < member_count; m++) {
        words[m] = cosmi_read_short_max(in, COSM_COMPONENT_MAX);
        bool is_good = patch_read_member(book, in, words[m], true);
        for (uint32_t i = 0; i < m; i++) {
            is_good = is_good && words[i] != words[m];
        }
        if (!is_good) {
            return patch_refuse_book(book);
        }
    }
    book->group_count++;
    return COSM_OK;
}

cosm_result cosmi_patch_book_read(struct patch_book *book, struct byte_reader *in) {
    cosm_result result = COSM_OK;
    uint32_t count = cosmi_read_short_max(in, COSM_COMPONENT_MAX + COSM_SINGLETON_MAX);
    for (uint32_t i = 0; i < count && result == COSM_OK; i++) {
        result = patch_read_word(book, in);
    }
    count = result == COSM_OK ? cosmi_read_short_max(in, COSM_ARCHETYPE_MAX) : 0;
    for (uint32_t i = 0; i < count && result == COSM_OK; i++) {
        result = patch_read_archetype(book, in);
    }
    count = result == COSM_OK ? cosmi_read_short_max(in, COSM_COMPONENT_MAX) : 0;
    for (uint32_t i = 0; i < count && result == COSM_OK; i++) {
        result = patch_read_group(book, in);
    }
    return result == COSM_OK && in->failed ? patch_refuse_book(book) : result;
}
