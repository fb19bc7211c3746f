// An allocator that keeps books: what it gave, how it was asked for, and what did not come back.
//
// It can refuse the n-th request, fills blocks with rubbish, keeps uncommitted parts of ranges out
// of reach, and may be used from several threads. Opened and closed around an engine:
//
//     struct ledger ledger;
//     ledger_open(&ledger);
//     ... .allocator = ledger_allocator(&ledger) ...
//     ledger_close(&ledger); // checks that everything came back as it was taken
#ifndef COSM_TEST_LEDGER_H
#define COSM_TEST_LEDGER_H

#include <cosm/engine.h>

#include <pthread.h>

struct ledger_entry {
    uintptr_t address; // 0: empty
    size_t size;
    size_t alignment; // 0: a range
};

struct ledger {
    pthread_mutex_t lock;
    struct ledger_entry *entries; // open addressing by address
    size_t capacity;
    size_t count;        // blocks and ranges that are out
    size_t block_bytes;  // bytes of the blocks that are out
    uint64_t requests;   // calls of allocate, reserve and commit so far
    uint64_t fail_at;    // the number of the first request to refuse; 0: none
    uint64_t fail_count; // how many requests to refuse from there on
    size_t range_max;    // reservations above this are refused; 0: no limit
    bool has_refused;
    const char *wrong; // the first thing that was done wrong, or NULL
};

void ledger_open(struct ledger *ledger);

// Checks that nothing is out and that nothing was done wrong.
void ledger_close(struct ledger *ledger);

// All six functions, or only the two for blocks.
cosm_allocator ledger_allocator(struct ledger *ledger);
cosm_allocator ledger_block_allocator(struct ledger *ledger);

// Refuses `count` requests from the n-th after this call on; n is 1 for the very next.
void ledger_refuse(struct ledger *ledger, uint64_t n, uint64_t count);

// Refuses nothing any more; returns whether anything was refused since ledger_refuse.
bool ledger_relent(struct ledger *ledger);

#endif
