// Calls with every request refused in turn: the n-th of memory or of a hook, for every n, once and
// from there on. A call that fails says COSM_ERROR_MEMORY and has changed nothing; done again it
// comes to what it would have come to at once.
#ifndef COSM_TEST_RIG_H
#define COSM_TEST_RIG_H

#include "support/ledger.h"
#include "support/templates.h"

// A fixture on a ledger, and what a case keeps between preparing and trying.
struct rig {
    struct ledger ledger;
    struct fixture box;
    cosm_component spare; // "spare": 4 bytes, 9 by default, in no archetype
    cosm_query *query;    // these three are destroyed with the rig
    cosm_commands *commands;
    cosm_batch *second;
    cosm_entity entities[64];
    Text texts[12]; // objects of the caller's
    Mesh mesh;
    struct other_values other; // of FIXTURE_TEMPLATE
    uint64_t told;             // components that observers were told are added, where they watch
};

// A call under test.
struct failure_case {
    const char *call;                        // as messages name it
    cosm_result (*attempt)(struct rig *rig); // makes the one call that may fail
    void (*prepare)(struct rig *rig);        // makes the state, or NULL
    bool goes_on;                            // after the case before it, whose state it begins with
    uint32_t told;                           // what observers are told by it, where they watch
};

// The result of a call that makes something.
cosm_result or_memory(bool made);
cosm_result or_none(cosm_entity entity);

// Tries all cases of a table in fixtures with these flags. With FIXTURE_TEMPLATE they are watched
// by observers, and once more not.
void check_failures(uint32_t flags, const struct failure_case *cases, uint32_t count);
#define CHECK_FAILURES(flags, cases)                                                               \
    check_failures((flags), (cases), sizeof(cases) / sizeof((cases)[0]))

// A rig by itself, in three worlds.
void rig_open(struct rig *rig, uint32_t flags);
void rig_close(struct rig *rig);

#endif
