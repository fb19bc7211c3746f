// What writing and reading save files agree on. docs/design/046-save-files.md has it byte by byte.
//
//   SCHM   types (components and singletons), archetypes as lists of types, sector groups
//   SNAP   how many worlds, at which step
//   WRLD   some worlds, one behind the other; of one with large tables it is the last of its block,
//   COLM   and those tables' columns follow, one or more blocks each
//   ...
//   END
#ifndef COSM_STATE_SAVE_FORMAT_H
#define COSM_STATE_SAVE_FORMAT_H

#include "base/bits.h"
#include "base/bytes.h"
#include "schema/schema.h"
#include "state/blocks.h"

#define TAG_SCHEMA BLOCK_TAG('S', 'C', 'H', 'M')
#define TAG_SNAPSHOT BLOCK_TAG('S', 'N', 'A', 'P')
#define TAG_WORLDS BLOCK_TAG('W', 'R', 'L', 'D')
#define TAG_COLUMN BLOCK_TAG('C', 'O', 'L', 'M')

// Flags of a type, of an archetype, of a table.
#define TYPE_IS_SINGLETON 1u
#define TYPE_IS_OBJECT 2u
#define SET_IS_TEMPORARY 1u
#define TABLE_IS_APART 1u // its columns are blocks of their own

// The bytes of a block of columns: small enough that what was summed up is still in the cache when
// it is written.
#define COLUMN_BLOCK_BYTES ((size_t)256 << 10)

// Rows of a block of a column, but for the last one: a power of two, so that chunks do not lie
// across blocks.
static inline uint32_t column_block_rows(size_t size) {
    size_t rows = COLUMN_BLOCK_BYTES / (size == 0 ? 1 : size);
    return rows == 0 ? 1 : (uint32_t)power_of_two_floor(rows);
}

#endif
