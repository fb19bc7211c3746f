// Operations that make and give back queries.
#include "state.h"

#include <string.h>

static const char *const term_names[] = {"with", "without", "optional", "any of"};

static bool same_terms(const struct query *a, const struct query *b) {
    if (a->term_count != b->term_count || a->by_world != b->by_world) {
        return false;
    }
    for (uint32_t i = 0; i < a->term_count; i++) {
        const struct term *x = &a->terms[i];
        const struct term *y = &b->terms[i];
        if (x->kind != y->kind || x->how != y->how || x->access != y->access ||
            x->group != y->group || x->value != y->value) {
            return false;
        }
    }
    return true;
}

// Optional bundles are wrong; whether a component may be in two terms, the headers do not say.
static void term_reasons(const struct model *m, const struct query *query, uint32_t *must,
                         uint32_t *may) {
    for (uint32_t i = 0; i < query->term_count; i++) {
        const struct term *term = &query->terms[i];
        if (term->how == COSM_TERM_OPTIONAL && m->o.kinds[term->kind].bundle) {
            *must |= RESULT_BIT(COSM_ERROR_ARGUMENT);
        }
        const struct kind *kind = &m->o.kinds[term->kind];
        if (term->value != 0 &&
            (kind->storage != COSM_STORAGE_SHARED || term->how != COSM_TERM_WITH)) {
            *must |= RESULT_BIT(COSM_ERROR_ARGUMENT);
        }
        if (term->group > 31) {
            *must |= RESULT_BIT(COSM_ERROR_ARGUMENT) | RESULT_BIT(COSM_ERROR_LIMIT);
        }
        for (uint32_t k = 0; k < i; k++) {
            *may |= query->terms[k].kind == term->kind ? RESULT_BIT(COSM_ERROR_ARGUMENT) : 0;
        }
    }
    *must |= *must != 0 ? *may : 0;
}

static void say_query(struct model *m, uint32_t slot, const struct query *query) {
    say(m, "cosm_query_create(), query %u%s, of %u terms:", slot,
        query->by_world ? ", by world" : "", query->term_count);
    for (uint32_t i = 0; i < query->term_count; i++) {
        const struct term *term = &query->terms[i];
        say(m, "       %s %s, %s, group %u, value %u", term_names[term->how],
            m->o.kinds[term->kind].name, term->access == COSM_ACCESS_READ ? "read" : "write",
            term->group, term->value);
    }
}

void create_query_as(struct model *m, const struct query *wanted) {
    uint32_t slot = 0;
    while (slot < ORACLE_QUERY_MAX && m->o.queries[slot].library) {
        slot++;
    }
    if (slot == ORACLE_QUERY_MAX) {
        return;
    }
    struct query query = *wanted;
    cosm_query_desc desc = {.by_world = query.by_world};
    _Alignas(16) uint8_t values[ORACLE_TERM_MAX][OBJECT_SIZE_MAX];
    for (uint32_t i = 0; i < query.term_count; i++) {
        struct term *term = &query.terms[i];
        term->set = m->o.kinds[term->kind].set;
        desc.terms[i] = (cosm_term){.component = m->o.kinds[term->kind].id,
                                    .kind = term->how,
                                    .access = term->access,
                                    .group = term->group};
        if (term->value != 0) {
            bytes_to(&m->o.kinds[term->kind], term->value, values[i]);
            desc.terms[i].value = values[i];
        }
    }
    uint32_t must = 0;
    uint32_t may = 0;
    term_reasons(m, &query, &must, &may);
    say_query(m, slot, &query);
    query.library = cosm_query_create(m->engine, &desc);
    memset(&desc, 0xEE, sizeof(desc));
    memset(values, 0xEE, sizeof(values));
    if (settle(m, made(m, query.library != NULL), must, may, 0) != COSM_OK) {
        return;
    }
    for (uint32_t i = 0; i < ORACLE_QUERY_MAX; i++) {
        const struct query *other = &m->o.queries[i];
        if (other->library && same_terms(other, &query) && other->library != query.library) {
            fail(m, "queries %u and %u have equal terms and are not the same", i, slot);
        }
    }
    m->o.queries[slot] = query;
    m->compare = true;
}

void op_query_create(struct model *m) {
    struct query query = {.term_count = pick(m, ORACLE_TERM_MAX + 1), .by_world = false};
    query.by_world = pick(m, 2) == 1;
    bool again = rarely(m, 8);
    for (uint32_t i = 0; i < query.term_count; i++) {
        struct term *term = &query.terms[i];
        term->kind = draw(m, m->o.kind_count);
        // Mostly "with", so that queries match something, and their terms are few.
        uint32_t how = draw(m, 8);
        term->how = how < 4 ? (cosm_term_kind)how : COSM_TERM_WITH;
        term->access = draw(m, 2) == 0 ? COSM_ACCESS_READ : COSM_ACCESS_WRITE;
        if (term->how == COSM_TERM_ANY_OF) {
            term->group = draw(m, 40) == 39 ? 32 : draw(m, 2) * 31;
        }
        const struct kind *kind = &m->o.kinds[term->kind];
        if (kind->storage == COSM_STORAGE_SHARED && kind->size <= OBJECT_SIZE_MAX &&
            draw(m, 2) == 0) {
            term->value = 1 + draw(m, 4);
        }
    }
    const struct query *other = pick_query(m);
    if (again && other) {
        query = *other;
        query.walks = 0;
    }
    create_query_as(m, &query);
}

// A query is one object in all slots that hold it, and must not be given back during its walks.
static bool query_is_walked(const struct model *m, const cosm_query *library) {
    for (uint32_t i = 0; i < ORACLE_QUERY_MAX; i++) {
        if (m->o.queries[i].library == library && m->o.queries[i].walks > 0) {
            return true;
        }
    }
    return false;
}

void op_query_destroy(struct model *m) {
    struct query *query = pick_query(m);
    if (!query || query_is_walked(m, query->library)) {
        return;
    }
    say(m, "cosm_query_destroy(query %u)", (unsigned)(query - m->o.queries));
    cosm_query_destroy(query->library);
    memset(query, 0, sizeof(*query));
}
