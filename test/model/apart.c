// Components that are not in columns, as they are seen: shared values, managed objects and sectors,
// in runs of rows and by the figures of a world; and the account of objects held against all of it.
#include "state.h"

#include <string.h>

bool shows_bytes(struct model *m, uint64_t set, bool temporary, const struct kind *kind,
                 const uint32_t *values) {
    if (kind->bundle || kind->size == 0 || (set & kind->set) == 0) {
        return false;
    }
    bool has_none = kind->storage == COSM_STORAGE_MANAGED && values[kind->bit] == 0;
    return !has_none && !is_split(m, set, temporary, kind);
}

bool setting_moves(const struct kind *kind, const struct being *being) {
    return kind->storage == COSM_STORAGE_SHARED ||
           (kind->storage == COSM_STORAGE_MANAGED && being->value[kind->bit] == 0);
}

// A value by pointer: the bytes of the number and, of an object, one that lives.
static void check_value(struct model *m, const struct kind *kind, uint32_t i, uint32_t value,
                        const void *bytes) {
    if (!bytes_are(kind, value, bytes)) {
        fail(m, "row %u of the run: %s is wrong", i, kind->name);
    }
    if (kind->hooks != 0 && !account_has(&m->trades[kind->bit], bytes)) {
        fail(m, "row %u of the run: %s is no living object", i, kind->name);
    }
}

static void check_shared_term(struct model *m, const cosm_rows *rows, uint32_t t,
                              const struct kind *kind, bool has) {
    const void *value = cosm_rows_read_shared(rows, t, kind->size);
    if ((value != NULL) != has || value != cosm_rows_shared(rows, kind->id)) {
        fail(m, "term %u, %s, shows %s shared value", t, kind->name, value ? "a wrong" : "no");
    }
    if (cosm_rows_read(rows, t, kind->size)) {
        fail(m, "term %u, %s, is shared and has a column", t, kind->name);
    }
    expect_refusal(m, kind, "COSM_COLUMN_READ");
    if (has && cosm_rows_column(rows, kind->id)) {
        fail(m, "%s is shared and has a column", kind->name);
    }
    if (has) {
        expect_refusal(m, kind, "cosm_rows_column");
    }
}

static void check_managed_term(struct model *m, const cosm_rows *rows, uint32_t t,
                               const struct kind *kind, bool has) {
    const cosm_ticket *tickets = cosm_rows_read(rows, t, sizeof(cosm_ticket));
    if ((tickets != NULL) != has || tickets != cosm_managed_tickets(rows, kind->id)) {
        fail(m, "term %u, %s, shows %s tickets", t, kind->name, tickets ? "wrong" : "no");
    }
    if (cosm_rows_write(rows, t, sizeof(cosm_ticket))) {
        fail(m, "term %u, %s, gives tickets to be written", t, kind->name);
    }
    expect_refusal(m, kind, "COSM_COLUMN_WRITE");
}

void check_apart_term(struct model *m, const cosm_rows *rows, uint32_t t, const struct kind *kind,
                      const struct archetype *archetype) {
    bool has = (archetype->set & kind->set) != 0;
    if (kind->storage == COSM_STORAGE_SHARED) {
        check_shared_term(m, rows, t, kind, has);
    } else if (kind->storage == COSM_STORAGE_MANAGED) {
        check_managed_term(m, rows, t, kind, has);
    } else if (kind->size > 0) {
        if (cosm_rows_read(rows, t, kind->size)) {
            fail(m, "term %u, %s, lies beside the tables and has a column", t, kind->name);
        }
        expect_refusal(m, kind, "COSM_COLUMN_READ");
    }
}

void check_apart_row(struct model *m, const cosm_rows *rows, uint32_t t, uint32_t i,
                     const struct kind *kind, uint64_t set, const uint32_t *values) {
    bool has = (set & kind->set) != 0;
    uint32_t value = values[kind->bit];
    cosm_world world = cosm_rows_world(rows, i);
    const void *bytes;
    if (kind->storage == COSM_STORAGE_SHARED) {
        bytes = cosm_rows_shared(rows, kind->id);
    } else if (kind->storage == COSM_STORAGE_MANAGED) {
        const cosm_ticket *tickets = cosm_managed_tickets(rows, kind->id);
        bytes = cosm_managed_row_read(rows, i, kind->id);
        if (tickets && cosm_managed_read(world, kind->id, tickets[i]) != bytes) {
            fail(m, "row %u of the run: the ticket of %s is that of another object", i, kind->name);
        }
        has = has && value != 0;
    } else {
        bytes = cosm_rows_sector(rows, t, i, kind->size, false);
    }
    if ((bytes != NULL) != has) {
        fail(m, "row %u of the run has %s %s", i, bytes ? "a" : "no", kind->name);
    }
    if (!has || kind->size == 0) {
        return;
    }
    check_value(m, kind, i, value, bytes);
    uint8_t *copy = scratch(m, kind->size);
    bool copies = kind->storage != COSM_STORAGE_MANAGED;
    if (cosm_rows_get(rows, i, kind->id, copy) != copies ||
        (copies && !bytes_are(kind, value, copy))) {
        fail(m, "row %u of the run: the copy of %s is wrong", i, kind->name);
    }
}

// Sets one row as a whole. Whether it must be refused is known; memory may be wanting.
static bool set_row(struct model *m, const struct apart_write *w, uint32_t must) {
    const void *bytes = bytes_of(m, w->kind, w->value);
    cosm_error_clear();
    cosm_result got = cosm_rows_set(w->rows, w->row, w->kind->id, bytes);
    return settle(m, got, must, 0, 0) == COSM_OK;
}

static bool write_sector(struct model *m, const struct apart_write *w) {
    bool has = (w->set & w->kind->set) != 0;
    if (w->kind->size == 0) {
        return false;
    }
    if (!w->by_pointer) {
        return set_row(m, w, has && w->may_write ? 0 : RESULT_BIT(COSM_ERROR_ARGUMENT));
    }
    cosm_error_clear();
    void *bytes = cosm_rows_sector(w->rows, w->term, w->row, w->kind->size, true);
    if ((bytes != NULL) != (has && w->may_write)) {
        fail(m, "%s of row %u can%s be written", w->kind->name, w->row, bytes ? "" : "not");
    }
    if (!w->may_write) {
        expect_refusal(m, w->kind, "COSM_SECTOR_WRITE");
    }
    if (bytes) {
        bytes_over(w->kind, w->value, bytes);
    }
    return bytes != NULL;
}

static bool write_object(struct model *m, const struct apart_write *w) {
    bool has = (w->set & w->kind->set) != 0;
    bool has_object = has && w->values[w->kind->bit] != 0;
    if (!w->by_pointer) {
        uint32_t must = has && w->may_write ? 0 : RESULT_BIT(COSM_ERROR_ARGUMENT);
        // An object where there was none changes more than a value.
        must |= has_object ? 0 : RESULT_BIT(COSM_ERROR_WALKED);
        return set_row(m, w, must);
    }
    cosm_error_clear();
    void *bytes = cosm_managed_row_write(w->rows, w->row, w->kind->id);
    if ((bytes != NULL) != (has_object && w->may_write)) {
        fail(m, "the object %s of row %u can%s be written", w->kind->name, w->row,
             bytes ? "" : "not");
    }
    if (!w->may_write) {
        expect_refusal(m, w->kind, "cosm_managed_row_write");
    }
    if (bytes) {
        bytes_over(w->kind, w->value, bytes);
    }
    return bytes != NULL;
}

bool write_apart(struct model *m, const struct apart_write *write) {
    if (write->kind->storage == COSM_STORAGE_SECTOR) {
        return write_sector(m, write);
    }
    if (write->kind->storage == COSM_STORAGE_MANAGED) {
        return write_object(m, write);
    }
    (void)set_row(m, write, RESULT_BIT(COSM_ERROR_ARGUMENT));
    return false;
}

// What cosm_shared_each is to tell.
struct shared_look {
    struct model *m;
    const struct kind *kind;
    uint32_t world;
    uint32_t values;
    uint32_t entities;
    bool differs; // a value does not have as many as is told
};

static void look_at_value(void *context, const void *value, uint32_t entity_count) {
    struct shared_look *look = context;
    const struct world *w = &look->m->o.worlds[look->world];
    uint32_t expected = 0;
    for (uint32_t i = 0; i < w->being_capacity; i++) {
        const struct being *being = &w->beings[i];
        bool has = being->alive && (being->set & look->kind->set) != 0;
        expected += has && bytes_are(look->kind, being->value[look->kind->bit], value) ? 1u : 0u;
    }
    look->differs = look->differs || expected != entity_count;
    look->values++;
    look->entities += entity_count;
}

static void compare_shared(struct model *m, uint32_t index, const struct kind *kind) {
    cosm_world world = cosm_batch_world(m->batch, index);
    uint32_t expected = distinct_count(&m->o, index, kind->bit);
    uint32_t extra = m->o.fault == MODEL_FAULT_SHARED_KEPT && expected > 0 ? 1u : 0u;
    if (cosm_shared_value_count(world, kind->id) != expected + extra) {
        fail(m, "world %u has %u values of %s instead of %u", index,
             cosm_shared_value_count(world, kind->id), kind->name, expected + extra);
    }
    // For few of them, so that this does not grow with the square of the entities.
    struct shared_look look = {.m = m, .kind = kind, .world = index};
    if (expected > 16) {
        return;
    }
    if (cosm_shared_each(world, kind->id, look_at_value, &look) != COSM_OK || look.differs ||
        look.values != expected || look.entities != record_count(&m->o, index, kind->set)) {
        fail(m, "world %u tells %u values of %s, and not those it has", index, look.values,
             kind->name);
    }
}

static void compare_group(struct model *m, uint32_t index, const struct group *group) {
    cosm_world world = cosm_batch_world(m->batch, index);
    uint32_t expected = record_count(&m->o, index, group->set);
    for (uint32_t bit = 0; bit < m->o.plain_count; bit++) {
        const struct kind *kind = &m->o.kinds[m->o.plain[bit]];
        if ((group->set & kind->set) == 0) {
            continue;
        }
        uint32_t member = 0xFFFFFFFFu;
        const cosm_container *sectors = cosm_sector_container(world, kind->id, &member);
        if (sectors ? cosm_container_describe(sectors).count != expected || member >= 64
                    : expected != 0) {
            fail(m, "world %u has %u records for %s instead of %u", index,
                 sectors ? cosm_container_describe(sectors).count : 0, kind->name, expected);
        }
    }
}

void compare_apart(struct model *m, uint32_t world) {
    for (uint32_t bit = 0; bit < m->o.plain_count; bit++) {
        const struct kind *kind = &m->o.kinds[m->o.plain[bit]];
        if (kind->storage == COSM_STORAGE_SHARED) {
            compare_shared(m, world, kind);
        } else if (kind->storage == COSM_STORAGE_MANAGED) {
            uint32_t expected = object_count(&m->o, world, bit);
            uint32_t count = cosm_managed_count(cosm_batch_world(m->batch, world), kind->id);
            if (count != expected) {
                fail(m, "world %u has %u objects of %s instead of %u", world, count, kind->name,
                     expected);
            }
        }
    }
    for (uint32_t i = 0; i < m->o.group_count; i++) {
        compare_group(m, world, &m->o.groups[i]);
    }
}

// Objects that commands hold until they are applied or forgotten.
static uint32_t held_by_commands(const struct model *m) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < MODEL_COMMANDS_MAX; i++) {
        for (uint32_t k = 0; m->commands[i].library && k < m->commands[i].count; k++) {
            const struct command *command = &m->commands[i].list[k];
            for (uint32_t v = 0; v < command->value_count; v++) {
                count += m->o.kinds[m->o.plain[command->bits[v]]].hooks != 0 ? 1u : 0u;
            }
        }
    }
    return count;
}

// Objects that queries ask for. Queries with equal terms are one.
static uint32_t held_by_queries(const struct model *m) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < ORACLE_QUERY_MAX; i++) {
        const struct query *query = &m->o.queries[i];
        bool is_first = query->library != NULL;
        for (uint32_t k = 0; k < i; k++) {
            is_first = is_first && m->o.queries[k].library != query->library;
        }
        for (uint32_t t = 0; is_first && t < query->term_count; t++) {
            const struct term *term = &query->terms[t];
            count += term->value != 0 && m->o.kinds[term->kind].hooks != 0 ? 1u : 0u;
        }
    }
    return count;
}

uint32_t account_expected(const struct model *m) {
    uint32_t expected = held_by_commands(m) + held_by_queries(m);
    expected += m->held_by_templates + m->held_by_pasts;
    for (uint32_t bit = 0; bit < m->o.plain_count; bit++) {
        const struct kind *kind = &m->o.kinds[m->o.plain[bit]];
        for (uint32_t i = 0; kind->hooks != 0 && i < m->o.world_count; i++) {
            expected += kind->storage == COSM_STORAGE_SHARED    ? distinct_count(&m->o, i, bit)
                        : kind->storage == COSM_STORAGE_MANAGED ? object_count(&m->o, i, bit)
                                                                : record_count(&m->o, i, kind->set);
        }
    }
    return expected;
}

void compare_account(struct model *m) {
    uint32_t expected = account_expected(m);
    uint32_t alive = m->account.alive + (m->o.fault == MODEL_FAULT_OBJECT_LEAK ? 1u : 0u);
    if (alive != expected) {
        fail(m, "%u objects live instead of %u", alive, expected);
    }
    if (cosm_managed_audit(m->batch, NULL, NULL) != COSM_OK) {
        fail(m, "audit: %s", cosm_error_message());
    }
}

void learn_strides(struct model *m) {
    for (uint32_t i = 0; i < m->o.group_count; i++) {
        struct group *group = &m->o.groups[i];
        for (uint32_t w = 0; group->stride == 0 && w < m->o.world_count; w++) {
            uint32_t bit = 0;
            while (!(group->set >> bit & 1)) {
                bit++;
            }
            cosm_world world = cosm_batch_world(m->batch, w);
            const cosm_container *sectors =
                cosm_sector_container(world, m->o.kinds[m->o.plain[bit]].id, NULL);
            uint32_t count = sectors ? cosm_container_describe(sectors).count : 0;
            group->stride = count > 0 ? cosm_container_describe(sectors).memory.live / count : 0;
            if (count > 0 && group->stride < sizeof(cosm_sector) + set_size(&m->o, group->set)) {
                fail(m, "a record of group %u has %zu bytes, too few for its members", i,
                     group->stride);
            }
        }
    }
}
