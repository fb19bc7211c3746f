// Cosm: worlds of entities and components, one or many thousands, as one engine.
//
// This header includes all the others.
#ifndef COSM_COSM_H
#define COSM_COSM_H

#include <cosm/archetype.h>
#include <cosm/batch.h>
#include <cosm/commands.h>
#include <cosm/component.h>
#include <cosm/engine.h>
#include <cosm/entity.h>
#include <cosm/error.h>
#include <cosm/lookup.h>
#include <cosm/memory.h>
#include <cosm/query.h>
#include <cosm/singleton.h>
#include <cosm/table.h>
#include <cosm/types.h>
#include <cosm/world.h>

#endif
