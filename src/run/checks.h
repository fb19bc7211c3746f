// Access checks: does a system keep to what it declares? Only in checked builds.
//
// Each fault is told once per system and thing; the step fails every time.
#ifndef COSM_RUN_CHECKS_H
#define COSM_RUN_CHECKS_H

#include "run/turn.h"

#define ROW_ANY UINT32_MAX // some row, or all of them

#ifdef COSM_CHECKS

// What the columns that a system may only read were before it was called.
struct rows_seal {
    uint32_t count;
    const void *columns[COSM_QUERY_TERM_MAX];
    uint64_t hashes[COSM_QUERY_TERM_MAX];
};

struct rows_seal cosmi_check_rows_begin(struct turn *turn, cosm_rows *rows);
void cosmi_check_rows_end(struct turn *turn, cosm_rows *rows, const struct rows_seal *seal);
void cosmi_check_turn_begin(struct turn *turn);
void cosmi_check_turn_end(struct turn *turn);

// The calling thread touches a component, a singleton, or all that a query names. `call` is how.
void cosmi_check_component(const struct cosm_batch *batch, uint32_t world, uint32_t component,
                           bool write, const char *call);
void cosmi_check_singleton(const struct cosm_batch *batch, uint32_t world, uint32_t singleton,
                           bool write, const char *call);
void cosmi_check_query(const cosm_query *query, cosm_worlds worlds, const char *call);

// A component that is declared is touched in one row, or (ROW_ANY) in any row, of a table. What a
// system declares by a query it has in the rows of that query only, and what its own rows write in
// the rows at hand only, where they are spread over workers.
void cosmi_check_cell(const struct cosm_batch *batch, uint32_t world,
                      const struct archetype *archetype, uint32_t row, uint32_t component,
                      bool write, const char *call);

#else

struct rows_seal {
    char nothing;
};

static inline struct rows_seal cosmi_check_rows_begin(struct turn *turn, cosm_rows *rows) {
    (void)turn;
    (void)rows;
    return (struct rows_seal){0};
}

static inline void cosmi_check_rows_end(struct turn *turn, cosm_rows *rows,
                                        const struct rows_seal *seal) {
    (void)turn;
    (void)rows;
    (void)seal;
}

static inline void cosmi_check_turn_begin(struct turn *turn) {
    (void)turn;
}

static inline void cosmi_check_turn_end(struct turn *turn) {
    (void)turn;
}

static inline void cosmi_check_cell(const struct cosm_batch *batch, uint32_t world,
                                    const struct archetype *archetype, uint32_t row,
                                    uint32_t component, bool write, const char *call) {
    (void)batch;
    (void)world;
    (void)archetype;
    (void)row;
    (void)component;
    (void)write;
    (void)call;
}

static inline void cosmi_check_component(const struct cosm_batch *batch, uint32_t world,
                                         uint32_t component, bool write, const char *call) {
    (void)batch;
    (void)world;
    (void)component;
    (void)write;
    (void)call;
}

static inline void cosmi_check_singleton(const struct cosm_batch *batch, uint32_t world,
                                         uint32_t singleton, bool write, const char *call) {
    (void)batch;
    (void)world;
    (void)singleton;
    (void)write;
    (void)call;
}

static inline void cosmi_check_query(const cosm_query *query, cosm_worlds worlds,
                                     const char *call) {
    (void)query;
    (void)worlds;
    (void)call;
}

#endif

#endif
