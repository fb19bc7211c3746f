// Operations that only ask, with good and bad handles, places and ids.
#include "state.h"

#include <string.h>

// The same question of an entity asked by type; a wrong size is detected.
static void ask_sized(struct model *m, struct place place, cosm_entity entity,
                      const struct kind *kind, const void *bytes, bool split) {
    bool shared = bytes && kind->storage == COSM_STORAGE_SHARED;
    char padded[COSM_NAME_LENGTH_MAX + 9] = {0};
    memcpy(padded, kind->name, strlen(kind->name));
    cosm_type type = cosm_type_of(padded, strlen(padded), kind->size);
    cosm_error_clear();
    if (cosm_entity_read_type(place.world, entity, type) != bytes ||
        cosm_entity_write_type(place.world, entity, type) != (shared ? NULL : bytes)) {
        fail(m, "%s read by its type is something else", kind->name);
    }
    if (split || shared) {
        expect_refusal(m, kind, "COSM_WRITE");
    }
    type.size++;
    if (cosm_entity_read_type(place.world, entity, type) ||
        cosm_entity_write_type(place.world, entity, type)) {
        fail(m, "%s was read with a wrong size", kind->name);
    }
    if (bytes && cosm_error_result() != COSM_ERROR_ARGUMENT) {
        fail(m, "a wrong size of %s has no message", kind->name);
    }
    cosm_error_clear();
}

// By column and place, where both are good: the unchecked way.
static void ask_unchecked(struct model *m, struct place place, cosm_loc loc,
                          const struct kind *kind, const void *bytes) {
    cosm_archetype archetype = cosm_entity_archetype(place.world, cosm_entity_at(place.world, loc));
    cosm_column column = cosm_archetype_column(m->engine, archetype, kind->id);
    if (column.archetype != archetype.id || column.index == 0 ||
        cosm_loc_read_unchecked(place.world, loc, column) != bytes ||
        cosm_loc_write_unchecked(place.world, loc, column) != bytes) {
        fail(m, "%s by column and place is something else", kind->name);
    }
}

void op_ask_entity(struct model *m) {
    struct place place = pick_place(m);
    cosm_entity entity = pick_entity(m, place.index);
    struct part part = pick_part(m);
    say(m, "ask world %u for {gen %u, id %u}, %s", place.index, entity.gen, entity.id,
        part.kind ? part.kind->name : "an unknown component");
    struct being *being = place_is_good(place) ? being_find(&m->o, place.index, entity) : NULL;
    cosm_loc loc = cosm_entity_loc(place.world, entity);
    bool has = being && part.kind && (being->set & part.kind->set) == part.kind->set;
    bool split = has && is_split(m, being->set, false, part.kind);
    bool bytes_there = has && shows_bytes(m, being->set, false, part.kind, being->value);
    const void *bytes = cosm_entity_read(place.world, entity, part.id);
    if (cosm_entity_is_alive(place.world, entity) != (being != NULL) ||
        (loc.table != COSM_LOC_NONE.table) != (being != NULL) ||
        (cosm_entity_archetype(place.world, entity).id != 0) != (being != NULL)) {
        fail(m, "{gen %u, id %u} is %salive", entity.gen, entity.id, being ? "" : "not ");
    }
    if (cosm_entity_has(place.world, entity, part.id) != has || (bytes != NULL) != bytes_there) {
        fail(m, "{gen %u, id %u} has it: %d, has bytes: %d", entity.gen, entity.id, has,
             bytes_there);
    }
    const void *open = bytes && part.kind->storage == COSM_STORAGE_SHARED ? NULL : bytes;
    if (cosm_entity_write(place.world, entity, part.id) != open ||
        cosm_loc_read(place.world, loc, part.id) != bytes ||
        cosm_loc_write(place.world, loc, part.id) != open) {
        fail(m, "reading, writing, by entity and by place are not the same");
    }
    if (cosm_entity_is_none(entity) != cosm_entity_equals(entity, COSM_ENTITY_NONE)) {
        fail(m, "{gen %u, id %u} is none or not", entity.gen, entity.id);
    }
    if (part.kind && !part.kind->bundle && part.kind->size > 0) {
        ask_sized(m, place, entity, part.kind, bytes, split);
    }
    uint8_t *copy = scratch(m, part.kind ? part.kind->size + 1 : 1);
    bool copies = (bytes_there || split) && part.kind->storage != COSM_STORAGE_MANAGED;
    if (cosm_entity_get(place.world, entity, part.id, copy) != copies ||
        cosm_entity_get(place.world, entity, part.id, NULL)) {
        fail(m, "{gen %u, id %u} can be copied: %d", entity.gen, entity.id, copies);
    }
    if (bytes && part.kind->storage == COSM_STORAGE_COLUMN) {
        ask_unchecked(m, place, loc, part.kind, bytes);
    }
    if (being) {
        compare_being(m, place.index, being);
    }
}

// The table of an archetype, where the world and the archetype are good.
static void ask_table(struct model *m, struct place place, const struct archetype *archetype) {
    uint32_t rows = row_count(&m->o, place.index, archetype);
    uint32_t chunk = cosm_archetype_describe(m->engine, archetype->id).chunk_rows;
    cosm_table_info info = cosm_table_describe(place.world, archetype->id);
    if (cosm_table_row_count(place.world, archetype->id) != rows || info.row_count != rows ||
        info.capacity < rows) {
        fail(m, "archetype %u does not have %u rows in world %u, and room for them",
             archetype->id.id, rows, place.index);
    }
    // With shared values each combination has chunks of its own.
    bool shared = (archetype->set & m->o.shared) != 0;
    uint32_t chunks = info.chunk_count;
    uint32_t least = chunk == 0 ? 0 : (rows + chunk - 1) / chunk;
    if (chunk == 0 || (chunk & (chunk - 1)) != 0 || chunks < least ||
        chunks > (shared ? rows : least)) {
        fail(m, "%u rows in chunks of %u are not %u chunks", rows, chunk, chunks);
    }
    if (archetype->max > 0 && info.capacity > archetype->max) {
        fail(m, "a fixed table has room for more than its limit");
    }
    size_t live = rows * row_size(&m->o, archetype->set, archetype->temporary);
    if (cosm_table_memory(place.world, archetype->id).live != live) {
        fail(m, "archetype %u in world %u does not have %zu bytes live", archetype->id.id,
             place.index, live);
    }
    size_t columns = 0;
    for (uint32_t i = 0; i < m->o.plain_count; i++) {
        cosm_component id = m->o.kinds[m->o.plain[i]].id;
        columns += cosm_table_column_memory(place.world, archetype->id, id).live;
    }
    if (columns != live) {
        fail(m, "the columns of archetype %u have %zu bytes live instead of %zu", archetype->id.id,
             columns, live);
    }
    bool handles = cosm_table_entities(place.world, archetype->id) != NULL;
    if (rows > 0 && handles == (archetype->temporary || shared)) {
        fail(m, "archetype %u has the wrong kind of rows", archetype->id.id);
    }
}

static void ask_bad_table(struct model *m, struct place place, struct choice choice,
                          struct part part) {
    cosm_table_info info = cosm_table_describe(place.world, choice.id);
    if (cosm_table_row_count(place.world, choice.id) != 0 || info.row_count != 0 ||
        info.capacity != 0 || info.chunk_count != 0 ||
        cosm_table_column(place.world, choice.id, part.id) != NULL ||
        cosm_table_span(place.world, choice.id, part.id, 0).data != NULL ||
        cosm_table_entities(place.world, choice.id) != NULL ||
        cosm_table_memory(place.world, choice.id).used != 0 ||
        cosm_table_column_memory(place.world, choice.id, part.id).used != 0) {
        fail(m, "there is a table where world or archetype do not exist");
    }
}

void op_ask_place(struct model *m) {
    struct place place = pick_place(m);
    struct choice choice = pick_table(m, place);
    struct part part = pick_column(m, choice);
    cosm_loc loc = {choice.id.id, pick(m, 32)};
    if (rarely(m, 8)) {
        loc.row = 0xFFFFFFFFu - draw(m, 2) * 0x70000000u;
    }
    say(m, "ask world %u for place {%u, %u}, %s", place.index, loc.table, loc.row,
        part.kind ? part.kind->name : "an unknown component");
    const struct archetype *archetype = choice_archetype(m, choice);
    bool good = place_is_good(place) && archetype;
    // Rows with shared values are in tables with numbers of their own.
    bool shared = good && (archetype->set & m->o.shared) != 0;
    uint32_t rows = good && !shared ? row_count(&m->o, place.index, archetype) : 0;
    cosm_entity entity = cosm_entity_at(place.world, loc);
    bool there = loc.row < rows && !archetype->temporary;
    if (there != !cosm_entity_is_none(entity)) {
        fail(m, "there is %s at {%u, %u}", there ? "nothing" : "something", loc.table, loc.row);
    }
    const struct being *being = there ? being_find(&m->o, place.index, entity) : NULL;
    if (there && (!being || table_set(&m->o, being->set) != archetype->set)) {
        fail(m, "a wrong entity is at {%u, %u}", loc.table, loc.row);
    }
    bool bytes = false;
    bool split = false;
    if (loc.row < rows && part.kind) {
        uint64_t set = being ? being->set : archetype->set;
        const uint32_t *values =
            being ? being->value : bag_of(&m->o, place.index, archetype)->rows[loc.row].value;
        bytes = shows_bytes(m, set, archetype->temporary, part.kind, values);
        split = (archetype->split & part.kind->set) != 0 && !part.kind->bundle;
    }
    if ((cosm_loc_read(place.world, loc, part.id) != NULL) != bytes) {
        fail(m, "{%u, %u} has %s bytes", loc.table, loc.row, bytes ? "no" : "some");
    }
    if (split) {
        expect_refusal(m, part.kind, "cosm_loc_read");
    }
    if (good) {
        ask_table(m, place, archetype);
    } else {
        ask_bad_table(m, place, choice, part);
    }
}

void op_ask_many(struct model *m) {
    struct place place = pick_place(m);
    struct part part = pick_part(m);
    cosm_entity entities[MODEL_LIST_MAX];
    const void *values[MODEL_LIST_MAX];
    void *targets[MODEL_LIST_MAX];
    uint32_t count = draw_entities(m, place.index, entities);
    memset(values, 0xEE, sizeof(values));
    memset(targets, 0xEE, sizeof(targets));
    say(m, "cosm_entity_read_many(world %u, %u entities, %s)", place.index, count,
        part.kind ? part.kind->name : "an unknown component");
    bool shared = part.kind && part.kind->storage == COSM_STORAGE_SHARED;
    uint32_t found = 0;
    uint32_t read = cosm_entity_read_many(place.world, entities, count, part.id, values);
    uint32_t written = cosm_entity_write_many(place.world, entities, count, part.id, targets);
    for (uint32_t i = 0; i < count; i++) {
        const void *expected = cosm_entity_read(place.world, entities[i], part.id);
        if (values[i] != expected || targets[i] != (shared ? NULL : expected)) {
            fail(m, "of %u read at once, number %u is not what it is alone", count, i);
        }
        found += expected ? 1u : 0u;
    }
    if (read != found || written != (shared ? 0 : found)) {
        fail(m, "%u were found, and %u and %u are said to be", found, read, written);
    }
}

// A look-up of a split component finds nothing and says why, once for every table.
static void ask_split_lookup(struct model *m, struct place place, struct part part) {
    uint32_t alive = place_is_good(place) ? m->o.worlds[place.index].alive_count : 0;
    for (uint32_t i = 0; part.kind && !part.kind->bundle && i < alive; i++) {
        const struct being *being = being_nth(&m->o, place.index, i);
        if ((being->set & part.kind->set) == 0 || !is_split(m, being->set, false, part.kind)) {
            continue;
        }
        cosm_lookup lookup;
        cosm_lookup_begin(place.world, part.id, &lookup);
        cosm_error_clear();
        if (cosm_lookup_read(&lookup, being->handle)) {
            fail(m, "%s, which is split, is looked up", part.kind->name);
        }
        expect_refusal(m, part.kind, "cosm_lookup_read");
        return;
    }
}

// Looks one component up for every living entity, for some that do not live, and for more tables
// than a look-up remembers.
void op_ask_lookup(struct model *m) {
    struct place place = pick_place(m);
    struct part part = pick_part(m);
    cosm_entity entities[MODEL_LIST_MAX];
    uint32_t count = draw_entities(m, place.index, entities);
    say(m, "cosm_lookup_begin(world %u, %s)", place.index,
        part.kind ? part.kind->name : "an unknown component");
    cosm_lookup lookup;
    memset(&lookup, 0xEE, sizeof(lookup));
    cosm_lookup_begin(place.world, part.id, &lookup);
    bool good = place_is_good(place) && part.kind && !part.kind->bundle &&
                part.kind->storage != COSM_STORAGE_SECTOR;
    if (good != (cosm_error_result() == COSM_OK)) {
        fail(m, "beginning a look-up says %s", cosm_result_name(cosm_error_result()));
    }
    // What is not in a column is absent.
    bool in_column = part.kind && part.kind->storage == COSM_STORAGE_COLUMN;
    for (uint32_t i = 0; i < count; i++) {
        const void *read = cosm_entity_read(place.world, entities[i], part.id);
        if (cosm_lookup_read(&lookup, entities[i]) != (in_column ? read : NULL)) {
            fail(m, "{gen %u, id %u} is looked up wrongly", entities[i].gen, entities[i].id);
        }
    }
    uint32_t alive = place_is_good(place) ? m->o.worlds[place.index].being_capacity : 0;
    for (uint32_t i = 0; i < alive; i++) {
        struct being *being = &m->o.worlds[place.index].beings[i];
        const void *bytes = being->alive ? cosm_lookup_read(&lookup, being->handle) : NULL;
        const void *read = cosm_entity_read(place.world, being->handle, part.id);
        if (being->alive && bytes != (in_column ? read : NULL)) {
            fail(m, "{gen %u, id %u} is looked up wrongly", being->handle.gen, being->handle.id);
        }
    }
    ask_split_lookup(m, place, part);
    cosm_error_clear();
    if (good && part.kind->size > 0 && count > 0 &&
        (cosm_lookup_write_sized(&lookup, entities[0], part.kind->size + 1) ||
         cosm_error_result() != COSM_ERROR_ARGUMENT)) {
        fail(m, "a wrong size of %s is not found out", part.kind->name);
    }
    cosm_error_clear();
}

static uint64_t matching_rows(struct model *m, const struct query *query, struct span span,
                              uint64_t *out_beings) {
    uint64_t rows = 0;
    *out_beings = 0;
    for (uint32_t i = span.first; i < span.first + span.count; i++) {
        const struct world *w = &m->o.worlds[i];
        for (uint32_t k = 0; k < w->being_capacity; k++) {
            bool takes = w->beings[k].alive &&
                         query_takes(&m->o, query, w->beings[k].set, w->beings[k].value);
            *out_beings += takes ? 1u : 0u;
        }
        for (uint32_t k = 0; k < w->bag_count; k++) {
            uint64_t set = m->o.archetypes[w->bags[k].archetype].set;
            rows += query_takes(&m->o, query, set, NULL) ? w->bags[k].count : 0;
        }
    }
    return rows + *out_beings;
}

void op_ask_query(struct model *m) {
    const struct query *query = pick_query(m);
    struct span span = pick_span(m);
    if (!query) {
        return;
    }
    say(m, "ask query %u, worlds %u to %u%s, for count and first", (unsigned)(query - m->o.queries),
        span.worlds.first, span.worlds.first + span.worlds.count, span.good ? "" : " (wrong)");
    uint64_t beings;
    uint64_t rows = matching_rows(m, query, span, &beings);
    uint64_t count = cosm_query_count(query->library, span.worlds);
    if (count != rows) {
        fail(m, "the query counts %llu rows instead of %llu", (unsigned long long)count,
             (unsigned long long)rows);
    }
    cosm_world world = {NULL, 77};
    cosm_entity first = cosm_query_first(query->library, span.worlds, &world);
    if (cosm_entity_is_none(first) != (beings == 0)) {
        fail(m, "the first that matches is %s", beings > 0 ? "none" : "some");
    }
    if (beings > 0) {
        const struct being *being =
            world.index < m->o.world_count ? being_find(&m->o, world.index, first) : NULL;
        if (!being || world.batch != m->batch || world.index < span.first ||
            world.index >= span.first + span.count ||
            !query_takes(&m->o, query, being->set, being->value)) {
            fail(m, "the first is {gen %u, id %u} in world %u, which does not match", first.gen,
                 first.id, world.index);
        }
    }
    for (uint32_t i = 0; i < m->o.archetype_count; i++) {
        bool takes = query_may_take(&m->o, query, &m->o.archetypes[i]);
        if (cosm_query_matches(query->library, m->o.archetypes[i].id) != takes) {
            fail(m, "archetype %u is said %sto match", m->o.archetypes[i].id.id,
                 takes ? "not " : "");
        }
    }
    if (cosm_query_count(NULL, span.worlds) != 0 || cosm_query_count(m->other_query, span.worlds)) {
        fail(m, "a query that is none, or of another engine, counts rows");
    }
}

static void ask_archetype(struct model *m, const struct archetype *archetype, struct part part) {
    cosm_component list[ORACLE_COMPONENT_MAX];
    uint32_t count =
        cosm_archetype_components(m->engine, archetype->id, ORACLE_COMPONENT_MAX, list);
    uint64_t set = 0;
    for (uint32_t i = 0; i < count && i < ORACLE_COMPONENT_MAX; i++) {
        for (uint32_t k = 0; k < m->o.kind_count; k++) {
            set |= m->o.kinds[k].id.id == list[i].id ? m->o.kinds[k].set : 0;
        }
    }
    bool has = part.kind && (archetype->set & part.kind->set) == part.kind->set;
    bool split = has && !part.kind->bundle && (archetype->split & part.kind->set) != 0;
    bool bytes = has && !part.kind->bundle && part.kind->size > 0 && !split &&
                 part.kind->storage == COSM_STORAGE_COLUMN;
    if (cosm_archetype_layout(m->engine, archetype->id, part.id) !=
        (split ? COSM_LAYOUT_SPLIT : COSM_LAYOUT_STRUCT)) {
        fail(m, "archetype %u is said %sto split %s", archetype->id.id, split ? "not " : "",
             part.kind ? part.kind->name : "what is unknown");
    }
    if (set != archetype->set || cosm_archetype_has(m->engine, archetype->id, part.id) != has ||
        (cosm_archetype_column(m->engine, archetype->id, part.id).index != 0) != bytes) {
        fail(m, "archetype %u does not have the components it should", archetype->id.id);
    }
    cosm_archetype of = cosm_archetype_of(m->engine, list, count);
    if (!archetype->temporary && of.id != archetype->id.id) {
        fail(m, "the archetype of the components of %u is %u", archetype->id.id, of.id);
    }
    if (archetype->name[0] != '\0' &&
        cosm_archetype_find(m->engine, archetype->name).id != archetype->id.id) {
        fail(m, "archetype %u is not found by its name", archetype->id.id);
    }
}

void op_ask_schema(struct model *m) {
    struct choice choice = pick_archetype(m);
    struct part part = pick_part(m);
    say(m, "ask what archetype %u and %s are", choice.id.id,
        part.kind ? part.kind->name : "an unknown component");
    const struct archetype *archetype = choice_archetype(m, choice);
    if (archetype) {
        ask_archetype(m, archetype, part);
    } else if (cosm_archetype_describe(m->engine, choice.id).name ||
               cosm_archetype_has(m->engine, choice.id, part.id) ||
               cosm_archetype_describe(m->engine, choice.id).max_per_world != 0 ||
               cosm_archetype_describe(m->engine, choice.id).is_sealed ||
               cosm_archetype_describe(m->engine, choice.id).is_temporary ||
               cosm_archetype_column(m->engine, choice.id, part.id).index != 0) {
        fail(m, "archetype %u, which is not defined, has properties", choice.id.id);
    }
    if (!part.kind && (cosm_component_describe(m->engine, part.id).name ||
                       cosm_component_describe(m->engine, part.id).size != 0 ||
                       cosm_component_members(m->engine, part.id, 0, NULL) != 0)) {
        fail(m, "component %u, which is not defined, has properties", part.id.id);
    }
    if (cosm_component_find(m->engine, "no such name").id != 0 ||
        cosm_component_find(m->engine, NULL).id != 0 ||
        cosm_archetype_find(m->engine, "no such name").id != 0) {
        fail(m, "something is found by a name that was never given");
    }
}
