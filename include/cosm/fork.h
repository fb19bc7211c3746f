// Forks: one world copied onto others.
//
//     cosm_fork_world(root, cosm_worlds_range(batch, 1, 1000), NULL);
//
// The targets become what the source is: the same handles, rows, singletons, trees, steps. They are
// worlds of the same batch or of another one of the same engine; what they held before is gone, as
// after a restore (snapshot.h). Rows are copied column by column; nothing is kept in between, unless
// entities of the source have something beside their tables.
#ifndef COSM_FORK_H
#define COSM_FORK_H

#include <cosm/error.h>
#include <cosm/types.h>

COSM_BEGIN_C

// Good when zeroed: an exact copy, with the future of the source.
typedef struct cosm_fork_desc {
    bool own_random; // each target goes on drawing from its own random stream: copies that differ
} cosm_fork_desc;

// Copies a world onto a run of worlds; `desc` may be NULL. The source may lie among them: it stays
// as it is. Commands that are recorded for the source and not yet applied are recorded for the
// targets too, where those are of the same batch; what was recorded for the targets is forgotten.
// On failure (memory, a world that is walked, a batch that runs) nothing has changed.
COSM_API COSM_MUST_USE cosm_result cosm_fork_world(cosm_world source, cosm_worlds targets,
                                                   const cosm_fork_desc *desc);

// The same for targets that are not neighbours: all of one batch, none of them twice.
COSM_API COSM_MUST_USE cosm_result cosm_fork_many(cosm_world source, const cosm_world *targets,
                                                  uint32_t target_count,
                                                  const cosm_fork_desc *desc);

COSM_END_C

#endif
