// Access: what systems touch, and whether two of them get in each other's way.
#ifndef COSM_RUN_ACCESS_H
#define COSM_RUN_ACCESS_H

#include "run/system.h"

// Fills in the uses of a system from its desc; its queries are there. On failure a message, and the
// system is as it was but for its arena.
cosm_result cosmi_access_fill(struct runner *runner, struct system *system,
                              const cosm_system_desc *desc);

// Why one system has to come before another.
enum order_reason {
    ORDER_NONE,
    ORDER_DECLARED,  // before or after
    ORDER_COMPONENT, // both touch a component and one writes
    ORDER_SINGLETON,
    ORDER_COMMANDS, // both record commands
    ORDER_SYNC,     // a sync point lies between
};

struct order_edge {
    enum order_reason reason;
    uint32_t subject; // the component or the singleton
};

// Do two systems get in each other's way?
struct order_edge cosmi_access_conflict(const struct system *a, const struct system *b);

// May the rows of a system's first query be worked on by several workers within one world? Not when
// one row's work can see what another's writes.
bool cosmi_access_splits(const struct system *system);

// Does the system declare that it reads, or writes, a component in some row, or a singleton?
bool cosmi_access_component(const struct system *system, uint32_t component, bool write);
bool cosmi_access_singleton(const struct system *system, uint32_t singleton, bool write);

#endif
