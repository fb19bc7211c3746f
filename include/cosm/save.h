// Save files: snapshots stored as files. Newer versions of the program can load them.
//
//     result = cosm_save_worlds(cosm_worlds_all(batch), "level.cosm", NULL);
//     ...
//     result = cosm_load_worlds(cosm_worlds_all(batch), "level.cosm", NULL, NULL);
//
// A file describes its components, and each of its blocks has a checksum. It is written under a
// temporary name and renamed when complete, so whatever happens, either the old file or the new one
// exists. Reading produces a snapshot and changes no batch.
//
// A file of an older program is converted field by field: new fields get their defaults, removed
// ones are dropped, fields are matched by name at any offset, or by an old name (aliases), and
// numbers are widened, or narrowed where the value fits. Components and singletons that the engine
// does not know are dropped. For anything else there is `migrate`. The report counts all of this. A
// component must have the storage and the sector group that it has in the file.
//
// Files are not trusted: a truncated or damaged file fails with COSM_ERROR_FORMAT, and the message
// names the block.
#ifndef COSM_SAVE_H
#define COSM_SAVE_H

#include <cosm/error.h>
#include <cosm/field.h>
#include <cosm/types.h>

COSM_BEGIN_C

// The format that is written. All formats from 1 on can be read.
#define COSM_SAVE_FORMAT 1u

// Compresses blocks; module `zstd` provides one. The functions may be called from several threads.
typedef struct cosm_codec {
    const char *name; // at most 15 bytes; identifies the codec in files
    void *context;
    // The most bytes that `size` bytes can compress to.
    size_t (*bound)(void *context, size_t size);
    // Both return the number of bytes written to `target`, which has space for `room`, or 0 on
    // failure. A block that cannot be compressed is stored as it is. `stride` is the size of the
    // items that make up the bytes: 4 for floats.
    size_t (*pack)(void *context, const void *source, size_t size, size_t stride, void *target,
                   size_t room);
    size_t (*unpack)(void *context, const void *source, size_t size, size_t stride, void *target,
                     size_t room);
} cosm_codec;

// Writes and reads the objects of a component whose bytes alone do not make a copy
// (is_object of cosm_component_info).
typedef struct cosm_save_object {
    cosm_component component;
    void *context;
    // Passes the bytes that represent the object to `write`, in any number of parts.
    cosm_result (*save)(void *context, const void *object, cosm_text_fn *write, void *target);
    // Constructs an object from the bytes, in uninitialized memory. The component's lifecycle
    // destroys it.
    cosm_result (*load)(void *context, const void *bytes, size_t size, void *object);
} cosm_save_object;

// Zeroed: the defaults.
typedef struct cosm_save_desc {
    const cosm_codec *codec; // NULL: not compressed
    bool fast; // does not wait for the disk: the file survives a crash of the program, but not of
               // the machine
    const cosm_save_object *objects;
    uint32_t object_count;
} cosm_save_desc;

// Writes worlds to a file: takes a snapshot and calls cosm_save_write. `desc` may be NULL.
COSM_API COSM_MUST_USE cosm_result cosm_save_worlds(cosm_worlds worlds, const char *path,
                                                    const cosm_save_desc *desc);

// Writes a snapshot to a file. Fails with COSM_ERROR_IO, and the system's reason, if the file
// cannot be written; an existing file is then unchanged.
COSM_API COSM_MUST_USE cosm_result cosm_save_write(const cosm_snapshot *snapshot, const char *path,
                                                   const cosm_save_desc *desc);

// Writes to a function: for archives and networks.
COSM_API COSM_MUST_USE cosm_result cosm_save_write_to(const cosm_snapshot *snapshot,
                                                      const cosm_save_desc *desc,
                                                      cosm_text_fn *write, void *target);

// A component or singleton that the engine defines differently from the file, with the values of
// some rows.
typedef struct cosm_migration {
    const char *component;    // its name in the file
    const cosm_field *fields; // as in the file; NULL if the file has none
    uint32_t field_count;
    size_t old_size;       // of a value in the file
    size_t new_size;       // of a value now
    cosm_component target; // the component now; zero for a singleton
    cosm_singleton singleton;
    uint32_t count;         // values
    const void *old_values; // contiguous, aligned as their struct was
    void *new_values;       // converted as far as possible, or defaults: change what you need to
} cosm_migration;

// A field, component or singleton with another name in older files. Where the engine still has the
// old name, or the file already has the new one, that match comes first.
typedef struct cosm_save_alias {
    const char *component; // its name now, or the singleton's
    const char *field;     // the field's path now, or that of a struct with fields; NULL: the
                           // component itself was renamed
    const char *old_name;
} cosm_save_alias;

// What reading did.
typedef struct cosm_save_report {
    uint32_t format;          // of the file
    uint32_t component_count; // components and singletons of the file: the sum of the next three
    uint32_t same_count;      // unchanged ones
    uint32_t converted_count; // converted ones
    uint32_t unknown_count;   // unknown ones, which are dropped
    uint32_t added_count;     // new fields, which got their default
    uint32_t removed_count;   // removed fields
    uint32_t changed_count;   // fields with another type, other dimensions or other labels
    uint32_t renamed_count;   // components, singletons and fields matched by an alias
    uint32_t migrated_count;  // components and singletons for which `migrate` was called
    uint64_t dropped_count;   // values of unknown components and singletons
    uint64_t clamped_count;   // values that did not fit: numbers were clamped to the limit of their
                              // field, texts cut, removed labels replaced by the default
} cosm_save_report;

// Zeroed: the defaults.
typedef struct cosm_load_desc {
    const cosm_codec *codecs; // codecs that files may use
    uint32_t codec_count;
    const cosm_save_alias *aliases;
    uint32_t alias_count;
    // Called for each component that differs, with some rows at a time. Return false to stop
    // reading with COSM_ERROR_FORMAT. NULL: fields are converted as described above.
    bool (*migrate)(void *context, const cosm_migration *migration);
    void *context;
    const cosm_save_object *objects;
    uint32_t object_count;
    bool copy;  // reads the file into memory instead of mapping it: others may then write to it
    bool quiet; // cosm_save_describe does not print errors; the other calls follow their engine
} cosm_load_desc;

// Reads a file, or bytes, which may be freed afterwards. Large parts of a file that need no
// conversion are mapped and used in place, as long as a snapshot or a world has them. `desc` and
// `out_report` may be NULL. NULL on failure; archetypes created meanwhile remain.
COSM_API cosm_snapshot *cosm_save_read(cosm_engine *engine, const char *path,
                                       const cosm_load_desc *desc, cosm_save_report *out_report);
COSM_API cosm_snapshot *cosm_save_read_bytes(cosm_engine *engine, const void *bytes, size_t size,
                                             const cosm_load_desc *desc,
                                             cosm_save_report *out_report);

// Reads a file and restores all its worlds; `worlds` must be as many. Calls cosm_save_read and
// cosm_snapshot_restore. `desc` and `out_report` may be NULL. On failure no world has changed.
COSM_API COSM_MUST_USE cosm_result cosm_load_worlds(cosm_worlds worlds, const char *path,
                                                    const cosm_load_desc *desc,
                                                    cosm_save_report *out_report);

// Defines in an engine the components, singletons and sector groups that a file describes and the
// engine lacks, as the file has them: for tools that inspect the files of any program. Objects are
// left out. If it fails, some may have been defined, and the next step fails as after any failed
// definition.
COSM_API COSM_MUST_USE cosm_result cosm_save_define(cosm_engine *engine, const char *path,
                                                    const cosm_load_desc *desc);

// Describes a file line by line, for `cosm info`, and checks all its blocks.
COSM_API COSM_MUST_USE cosm_result cosm_save_describe(const char *path, const cosm_load_desc *desc,
                                                      cosm_text_fn *write, void *target);

COSM_END_C

#endif
