// Save files: snapshots as files that outlive the program, and the next version of it.
//
//     result = cosm_save_worlds(cosm_worlds_all(batch), "level.cosm", NULL);
//     ...
//     result = cosm_load_worlds(cosm_worlds_all(batch), "level.cosm", NULL, NULL);
//
// A file says what its components were like, and each of its blocks has a checksum. It is written
// under another name and renamed when it is whole: whatever happens on the way, the old file or the
// new one is there. Reading gives a snapshot and touches no batch.
//
// A file of an older program is converted field by field: a field that is new gets its default, one
// that is gone is dropped, fields are found by name wherever they are, or by an old name (aliases),
// numbers become wider (or, where the value allows it, narrower) numbers. A component or singleton
// that the engine does not know is kept as it is and written back by the next save of the worlds it
// was restored to. For the rest there is `migrate`. The report counts all of it.
//
// Bytes are not trusted. A file that is cut off or damaged gives COSM_ERROR_FORMAT, with a message
// that names the block.
#ifndef COSM_SAVE_H
#define COSM_SAVE_H

#include <cosm/error.h>
#include <cosm/field.h>
#include <cosm/types.h>

COSM_BEGIN_C

// The newest format that is written; all from 1 on are read.
#define COSM_SAVE_FORMAT 1u

// Compresses blocks; module `zstd` has one. Functions may be called from several threads.
typedef struct cosm_codec {
    const char *name; // at most 15 bytes; what files call it by
    void *context;
    // The most bytes that `size` bytes may become.
    size_t (*bound)(void *context, size_t size);
    // Both return the bytes written to `target`, which has room for `room`, or 0 on failure. What
    // cannot be packed is stored as it is.
    // `stride` is the size of the items that the bytes consist of: 4 for floats.
    size_t (*pack)(void *context, const void *source, size_t size, size_t stride, void *target,
                   size_t room);
    size_t (*unpack)(void *context, const void *source, size_t size, size_t stride, void *target,
                     size_t room);
} cosm_codec;

// Writes the objects of a component, whose bytes alone are no copy of them (cosm_component_is_object),
// and reads them again.
typedef struct cosm_save_object {
    cosm_component component;
    void *context;
    // Hands the bytes that stand for the object to `write`, in any number of pieces.
    cosm_result (*save)(void *context, const void *object, cosm_text_fn *write, void *target);
    // Makes an object of the bytes, where there is none yet; it is ended by the component's
    // lifecycle.
    cosm_result (*load)(void *context, const void *bytes, size_t size, void *object);
} cosm_save_object;

// Good when zeroed.
typedef struct cosm_save_desc {
    const cosm_codec *codec; // NULL: not compressed
    bool fast; // does not wait until the disk has it: survives a crash of the program,
               // not of the machine
    const cosm_save_object *objects;
    uint32_t object_count;
} cosm_save_desc;

// Writes worlds to a file: a snapshot and cosm_save_write in one. `desc` may be NULL.
COSM_API COSM_MUST_USE cosm_result cosm_save_worlds(cosm_worlds worlds, const char *path,
                                                    const cosm_save_desc *desc);

// Writes a file. COSM_ERROR_IO where the system refuses, with its reason; the old file, if there was
// one, is then as it was.
COSM_API COSM_MUST_USE cosm_result cosm_save_write(const cosm_snapshot *snapshot, const char *path,
                                                   const cosm_save_desc *desc);

// The same to a function: for archives and networks.
COSM_API COSM_MUST_USE cosm_result cosm_save_write_to(const cosm_snapshot *snapshot,
                                                      const cosm_save_desc *desc,
                                                      cosm_text_fn *write, void *target);

// A component or singleton of a file that the engine has otherwise, with the values of some rows.
typedef struct cosm_migration {
    const char *component;    // its name in the file
    const cosm_field *fields; // as in the file; NULL where it was not described
    uint32_t field_count;
    size_t old_size;       // of a value in the file
    size_t new_size;       // of a value here
    cosm_component target; // the component here; zero where it is a singleton
    cosm_singleton singleton;
    uint32_t count;         // values
    const void *old_values; // one behind the other, aligned as their structs were
    void *new_values; // converted already as well as can be, or defaults: change what you want to
} cosm_migration;

// A field, component or singleton that had another name when files were written. What has its old
// name in the engine still, or has its name of now in the file already, is found by that.
typedef struct cosm_save_alias {
    const char *component; // its name here, or the singleton's
    const char *field;     // path of the field here, or of a struct that fields are in; NULL: the
                           // component itself was renamed
    const char *old_name;
} cosm_save_alias;

// What reading did.
typedef struct cosm_save_report {
    uint32_t format;          // of the file
    uint32_t component_count; // components and singletons of the file: the next three together
    uint32_t same_count;      // that are as they were
    uint32_t converted_count; // that were converted
    uint32_t unknown_count;   // that are kept as bytes
    uint32_t added_count;     // fields that are new: they have their default
    uint32_t removed_count;   // fields that are gone
    uint32_t changed_count;   // fields of another type, of other dimensions or with other labels
    uint32_t renamed_count;   // components, singletons and fields found by an alias
    uint32_t migrated_count;  // components and singletons that `migrate` was called for
    uint64_t clamped_count;   // values that did not fit: numbers became the limit of their field,
                              // texts were cut, labels that are gone became the default
} cosm_save_report;

// Good when zeroed.
typedef struct cosm_load_desc {
    const cosm_codec *codecs; // those that files may ask for
    uint32_t codec_count;
    const cosm_save_alias *aliases;
    uint32_t alias_count;
    // Called for each component that differs, for some rows at a time; false ends the reading with
    // COSM_ERROR_FORMAT. NULL: fields are converted as told above.
    bool (*migrate)(void *context, const cosm_migration *migration);
    void *context;
    const cosm_save_object *objects;
    uint32_t object_count;
    bool copy; // reads the file into memory instead of mapping it: others may write to it meanwhile
    bool quiet; // cosm_save_describe prints no failure; the others do as their engine does
} cosm_load_desc;

// Reads a file, or bytes, which need not stay. Parts of a file that are large and as they were are
// used where they lie, for as long as a snapshot or a world has them. `desc` and `out_report` may be
// NULL. NULL on failure; archetypes that were formed on the way are still there.
COSM_API cosm_snapshot *cosm_save_read(cosm_engine *engine, const char *path,
                                       const cosm_load_desc *desc, cosm_save_report *out_report);
COSM_API cosm_snapshot *cosm_save_read_bytes(cosm_engine *engine, const void *bytes, size_t size,
                                             const cosm_load_desc *desc,
                                             cosm_save_report *out_report);

// Reads a file and restores all its worlds, of which there must be as many as `worlds`:
// cosm_save_read and cosm_snapshot_restore in one. `desc` and `out_report` may be NULL. On failure no
// world has changed.
COSM_API COSM_MUST_USE cosm_result cosm_load_worlds(cosm_worlds worlds, const char *path,
                                                    const cosm_load_desc *desc,
                                                    cosm_save_report *out_report);

// Defines in an engine the components and singletons that a file describes and the engine does not
// know, as the file has them: for tools that look into the files of any program. Objects are left
// out. Where it fails, some may be defined.
COSM_API COSM_MUST_USE cosm_result cosm_save_define(cosm_engine *engine, const char *path,
                                                    const cosm_load_desc *desc);

// What a file says of itself, for `cosm info`: checks all blocks, and tells line by line.
COSM_API COSM_MUST_USE cosm_result cosm_save_describe(const char *path, const cosm_load_desc *desc,
                                                      cosm_text_fn *write, void *target);

COSM_END_C

#endif
