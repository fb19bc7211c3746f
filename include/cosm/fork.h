// Forks: copies of one world onto others.
//
//     cosm_fork_world(root, cosm_worlds_range(batch, 1, 1000), NULL);
//
// The targets become equal to the source: the same handles, rows, singletons, trees and steps. They
// are worlds of the same batch, or of another batch of the same engine; their previous contents are
// dropped, as in a restore (snapshot.h). Rows are copied column by column, without an intermediate
// copy unless entities of the source have data outside their tables.
#ifndef COSM_FORK_H
#define COSM_FORK_H

#include <cosm/error.h>
#include <cosm/types.h>

COSM_BEGIN_C

// Zeroed: an exact copy, with the same future as the source.
typedef struct cosm_fork_desc {
    bool own_random; // each target keeps its own random stream, so the copies diverge
} cosm_fork_desc;

// Copies a world onto a range of worlds; `desc` may be NULL. If the source is in the range, it
// stays as it is. Commands recorded for the source and not yet applied are also recorded for
// targets of the same batch; commands recorded for the targets are dropped. On failure (out of
// memory, a world is being walked, a batch is running) nothing has changed.
COSM_API COSM_MUST_USE cosm_result cosm_fork_world(cosm_world source, cosm_worlds targets,
                                                   const cosm_fork_desc *desc);

// The same for any targets: all of one batch, none of them twice.
COSM_API COSM_MUST_USE cosm_result cosm_fork_many(cosm_world source, const cosm_world *targets,
                                                  uint32_t target_count,
                                                  const cosm_fork_desc *desc);

COSM_END_C

#endif
