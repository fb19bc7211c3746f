// Cosm: worlds of entities and components, one or many thousands, as one engine.
//
// This header includes all the others.
#ifndef COSM_COSM_H
#define COSM_COSM_H

#include <cosm/archetype.h>
#include <cosm/batch.h>
#include <cosm/commands.h>
#include <cosm/component.h>
#include <cosm/container.h>
#include <cosm/diff.h>
#include <cosm/engine.h>
#include <cosm/entity.h>
#include <cosm/error.h>
#include <cosm/export.h>
#include <cosm/fast.h>
#include <cosm/field.h>
#include <cosm/hash.h>
#include <cosm/loop.h>
#include <cosm/managed.h>
#include <cosm/mark.h>
#include <cosm/math.h>
#include <cosm/observer.h>
#include <cosm/query.h>
#include <cosm/random.h>
#include <cosm/save.h>
#include <cosm/sector.h>
#include <cosm/shared.h>
#include <cosm/singleton.h>
#include <cosm/snapshot.h>
#include <cosm/system.h>
#include <cosm/template.h>
#include <cosm/tree.h>
#include <cosm/typed.h>
#include <cosm/types.h>

#endif
