// Snapshots as other public calls use them.
#ifndef COSM_API_SNAPSHOT_H
#define COSM_API_SNAPSHOT_H

#include <cosm/snapshot.h>

#include "api/engine.h"
#include "state/image.h"

// May snapshots of these worlds be taken, or put into them, now? The batch is made ready for it. On
// failure there is a message.
cosm_result cosmi_snapshot_enter(cosm_worlds worlds, const char *call);

// Have observers of these worlds been told of everything? What they are yet to be told names tables
// and values as they are. On failure there is a message.
cosm_result cosmi_check_delivered(cosm_worlds worlds, const char *call);

// Does no object of the program hold commands for these worlds? A state is what is, not what is to
// be done to it. On failure there is a message.
cosm_result cosmi_check_applied(cosm_worlds worlds, const char *call);

// The contracts of cosm_snapshot_create and _destroy, and of _restore for all worlds of a snapshot,
// with the name of another call.
cosm_snapshot *cosmi_snapshot_take(cosm_worlds worlds, const char *call);
void cosmi_snapshot_end(cosm_snapshot *snapshot);
cosm_result cosmi_snapshot_put(const cosm_snapshot *snapshot, cosm_worlds worlds, const char *call);

// An empty snapshot of an engine, counted among its snapshots. NULL, with a message, on failure.
cosm_snapshot *cosmi_snapshot_new(cosm_engine *engine, uint32_t world_count, const char *call);

#endif
