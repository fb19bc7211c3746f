// The public calls of cosm/save.h.
#include <cosm/save.h>

#include <stdio.h>
#include <string.h>

#include "api/check.h"
#include "api/snapshot.h"
#include "base/file.h"
#include "state/load.h"
#include "state/save.h"

static cosm_result check_codec(const struct sink *sink, const char *call, const cosm_codec *codec) {
    size_t length = codec->name == NULL ? 0 : strlen(codec->name);
    if (length == 0 || length > CODEC_NAME_MAX || codec->bound == NULL || codec->pack == NULL ||
        codec->unpack == NULL) {
        return cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                          "%s: codec '%.127s' lacks a function, or its name does not have 1 to "
                          "%zu bytes; set all fields of cosm_codec",
                          call, codec->name == NULL ? "" : codec->name, CODEC_NAME_MAX);
    }
    return COSM_OK;
}

static cosm_result check_objects(const struct sink *sink, const struct schema *schema,
                                 const char *call, const cosm_save_object *objects,
                                 uint32_t count) {
    if (objects == NULL && count > 0) {
        return cosmi_refuse_null(sink, call, "desc.objects", "pass desc.object_count objects");
    }
    for (uint32_t i = 0; i < count; i++) {
        if (schema_component(schema, objects[i].component.id) == NULL) {
            return cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                              "%s: desc.objects[%u].component is %u, which is not a component of "
                              "this engine; pass one from cosm_component_define",
                              call, i, objects[i].component.id);
        }
    }
    return COSM_OK;
}

static cosm_result check_save(const cosm_snapshot *snapshot, const cosm_save_desc *desc,
                              const char *call) {
    if (snapshot == NULL) {
        return cosmi_refuse_null(NULL, call, "snapshot", "pass one from cosm_snapshot_create");
    }
    cosm_result result =
        desc->codec == NULL ? COSM_OK : check_codec(snapshot->sink, call, desc->codec);
    return result == COSM_OK ? check_objects(snapshot->sink, snapshot->schema, call, desc->objects,
                                             desc->object_count)
                             : result;
}

static const cosm_save_desc plain_save = {.codec = NULL};
static const cosm_load_desc plain_load = {.codecs = NULL};

static cosm_result refuse_file_access(const struct sink *sink, const char *call, const char *path,
                                      const struct file_reason *reason) {
    return cosmi_fail(sink, COSM_ERROR_IO, "%s: '%.255s': %s; check the path and the free space",
                      call, path, reason->text);
}

static cosm_result refuse_file_reading(const struct sink *sink, const char *call, const char *path,
                                       const struct file_reason *reason) {
    return cosmi_fail(sink, COSM_ERROR_IO, "%s: '%.255s': %s; check the path", call, path,
                      reason->text);
}

static cosm_result write_file(const cosm_snapshot *snapshot, const char *path,
                              const cosm_save_desc *desc, const char *call) {
    desc = desc == NULL ? &plain_save : desc;
    cosm_result result = check_save(snapshot, desc, call);
    if (result != COSM_OK) {
        return result;
    }
    if (path == NULL) {
        return cosmi_refuse_null(snapshot->sink, call, "path", "pass the path of a file");
    }
    struct file_output output;
    enum file_outcome outcome = cosmi_output_open(&output, snapshot->memory, path);
    if (outcome == FILE_DONE) {
        struct save_order order = {snapshot, desc, call, cosmi_output_write, &output};
        result = cosmi_save(&order);
        if (result != COSM_OK) {
            cosmi_output_cancel(&output);
            return result;
        }
        outcome = cosmi_output_finish(&output, !desc->fast);
    }
    if (outcome == FILE_NO_MEMORY) {
        return cosmi_fail_memory(snapshot->sink, snapshot->memory, call);
    }
    return outcome == FILE_DONE ? COSM_OK
                                : refuse_file_access(snapshot->sink, call, path, &output.reason);
}

cosm_result cosm_save_write(const cosm_snapshot *snapshot, const char *path,
                            const cosm_save_desc *desc) {
    return write_file(snapshot, path, desc, "cosm_save_write");
}

cosm_result cosm_save_write_to(const cosm_snapshot *snapshot, const cosm_save_desc *desc,
                               cosm_text_fn *write, void *target) {
    static const char call[] = "cosm_save_write_to";
    desc = desc == NULL ? &plain_save : desc;
    cosm_result result = check_save(snapshot, desc, call);
    if (result != COSM_OK) {
        return result;
    }
    if (write == NULL) {
        return cosmi_refuse_null(snapshot->sink, call, "write",
                                 "pass a function that receives the bytes");
    }
    struct save_order order = {snapshot, desc, call, write, target};
    return cosmi_save(&order);
}

// A file that blobs of snapshots lie in.
struct file_home {
    struct blob_home home;
    struct memory *memory;
    struct file_view view;
};

static void end_file_home(struct blob_home *home) {
    struct file_home *file = (struct file_home *)home;
    struct memory *memory = file->memory;
    cosmi_file_end(&file->view);
    cosmi_memory_free(memory, file, sizeof(*file), _Alignof(struct file_home));
}

static cosm_result check_load(const struct sink *sink, const struct schema *schema,
                              const cosm_load_desc *desc, const char *call) {
    if (desc->codecs == NULL && desc->codec_count > 0) {
        return cosmi_refuse_null(sink, call, "desc.codecs", "pass desc.codec_count codecs");
    }
    for (uint32_t i = 0; i < desc->codec_count; i++) {
        cosm_result result = check_codec(sink, call, &desc->codecs[i]);
        if (result != COSM_OK) {
            return result;
        }
    }
    return schema == NULL ? COSM_OK
                          : check_objects(sink, schema, call, desc->objects, desc->object_count);
}

static cosm_snapshot *load_bytes(cosm_engine *engine, const char *call, const void *bytes,
                                 size_t size, struct blob_home *home, const cosm_load_desc *desc,
                                 cosm_save_report *report) {
    struct load_order order = {.schema = &engine->schema,
                               .memory = &engine->memory,
                               .sink = &engine->sink,
                               .call = call,
                               .desc = desc,
                               .report = report,
                               .bytes = bytes,
                               .size = size,
                               .home = home};
    struct loaded loaded;
    if (cosmi_load(&order, &loaded) != COSM_OK) {
        return NULL;
    }
    cosm_snapshot *snapshot = cosmi_snapshot_new(engine, loaded.world_count, call);
    if (snapshot != NULL) {
        snapshot->step_count = loaded.step_count;
        snapshot->seed = loaded.seed;
        for (uint32_t w = 0; w < loaded.world_count; w++) {
            snapshot->worlds[w] = loaded.worlds[w];
        }
        loaded.world_count = 0; // they are the snapshot's
    }
    cosmi_loaded_free(&loaded, &engine->memory);
    return snapshot;
}

// Opens a file and keeps it for as long as somebody holds on to its bytes. NULL, with a message, on
// failure.
static struct file_home *open_file_home(struct memory *memory, const struct sink *sink,
                                        const char *call, const char *path, bool copy) {
    struct file_home *file = cosmi_memory_alloc(memory, sizeof(*file), _Alignof(struct file_home));
    if (file == NULL) {
        (void)cosmi_fail_memory(sink, memory, call);
        return NULL;
    }
    *file = (struct file_home){.memory = memory};
    atomic_init(&file->home.refs, 1);
    file->home.end = end_file_home;
    struct file_reason reason;
    enum file_outcome outcome = copy ? cosmi_file_read(&file->view, memory, path, &reason)
                                     : cosmi_file_map(&file->view, path, &reason);
    if (outcome == FILE_DONE) {
        return file;
    }
    cosmi_memory_free(memory, file, sizeof(*file), _Alignof(struct file_home));
    if (outcome == FILE_NO_MEMORY) {
        (void)cosmi_fail_memory(sink, memory, call);
    } else {
        (void)refuse_file_reading(sink, call, path, &reason);
    }
    return NULL;
}

// The call and the file, for messages about what is in it.
struct file_words {
    char text[320]; // a path of 255 bytes, and the longest call
};

static struct file_words words_of_file(const char *call, const char *path) {
    struct file_words words;
    (void)snprintf(words.text, sizeof(words.text), "%s: '%.255s'", call, path);
    return words;
}

static cosm_snapshot *read_file(cosm_engine *engine, const char *path, const cosm_load_desc *desc,
                                cosm_save_report *out_report, const char *call) {
    cosm_save_report report = {.format = 0};
    desc = desc == NULL ? &plain_load : desc;
    if (engine == NULL) {
        (void)cosmi_refuse_null(NULL, call, "engine", "pass one from cosm_engine_create");
        return NULL;
    }
    if (path == NULL) {
        (void)cosmi_refuse_null(&engine->sink, call, "path", "pass the path of a file");
        return NULL;
    }
    if (check_load(&engine->sink, &engine->schema, desc, call) != COSM_OK) {
        return NULL;
    }
    struct file_home *file = open_file_home(&engine->memory, &engine->sink, call, path, desc->copy);
    if (file == NULL) {
        return NULL;
    }
    struct file_words words = words_of_file(call, path);
    cosm_snapshot *snapshot = load_bytes(engine, words.text, file->view.bytes, file->view.size,
                                         &file->home, desc, &report);
    cosmi_home_release(&file->home);
    if (snapshot != NULL && out_report != NULL) {
        *out_report = report;
    }
    return snapshot;
}

cosm_snapshot *cosm_save_read(cosm_engine *engine, const char *path, const cosm_load_desc *desc,
                              cosm_save_report *out_report) {
    return read_file(engine, path, desc, out_report, "cosm_save_read");
}

cosm_snapshot *cosm_save_read_bytes(cosm_engine *engine, const void *bytes, size_t size,
                                    const cosm_load_desc *desc, cosm_save_report *out_report) {
    static const char call[] = "cosm_save_read_bytes";
    cosm_save_report report = {.format = 0};
    desc = desc == NULL ? &plain_load : desc;
    if (engine == NULL) {
        (void)cosmi_refuse_null(NULL, call, "engine", "pass one from cosm_engine_create");
        return NULL;
    }
    if (bytes == NULL && size > 0) {
        (void)cosmi_refuse_null(&engine->sink, call, "bytes", "pass `size` bytes of a file");
        return NULL;
    }
    if (check_load(&engine->sink, &engine->schema, desc, call) != COSM_OK) {
        return NULL;
    }
    cosm_snapshot *snapshot = load_bytes(engine, call, bytes, size, NULL, desc, &report);
    if (snapshot != NULL && out_report != NULL) {
        *out_report = report;
    }
    return snapshot;
}

// Defines a type as a file has it. Objects are left out: their lifecycle is in no file.
static cosm_result define_type(void *context, const struct file_type *file) {
    cosm_engine *engine = context;
    bool is_known = file->is_singleton ? cosm_singleton_find(engine, file->name).id != 0
                                       : cosm_component_find(engine, file->name).id != 0;
    if (is_known || file->is_object) {
        return COSM_OK;
    }
    cosm_component_desc component = {.name = file->name,
                                     .size = file->size,
                                     .alignment = file->alignment,
                                     .storage = file->storage,
                                     .fields = file->fields,
                                     .field_count = file->field_count};
    cosm_singleton_desc singleton = {.name = file->name,
                                     .size = file->size,
                                     .alignment = file->alignment,
                                     .fields = file->fields,
                                     .field_count = file->field_count};
    bool is_done = file->is_singleton ? cosm_singleton_define(engine, &singleton).id != 0
                                      : cosm_component_define(engine, &component).id != 0;
    return is_done ? COSM_OK : cosm_error_result();
}

// Defines a sector group as a file has it, of those members that there are. One that is in a group
// already is left as it is: whether the file fits is seen when it is read.
static cosm_result define_group(void *context, const char *const *names, uint32_t count) {
    cosm_engine *engine = context;
    cosm_sector_group_desc group = {.name = NULL};
    uint32_t known = 0;
    for (uint32_t i = 0; i < count; i++) {
        cosm_component component = cosm_component_find(engine, names[i]);
        if (cosm_sector_group_of(engine, component).id != 0) {
            return COSM_OK;
        }
        if (cosm_component_describe(engine, component).storage == COSM_STORAGE_SECTOR) {
            group.components[known++] = component;
        }
    }
    return known < 2 || cosm_sector_group_define(engine, &group).id != 0 ? COSM_OK
                                                                         : cosm_error_result();
}

static cosm_result define_types(cosm_engine *engine, const char *path, const cosm_load_desc *desc,
                                const char *call) {
    desc = desc == NULL ? &plain_load : desc;
    if (engine == NULL) {
        return cosmi_refuse_null(NULL, call, "engine", "pass one from cosm_engine_create");
    }
    if (path == NULL) {
        return cosmi_refuse_null(&engine->sink, call, "path", "pass the path of a file");
    }
    cosm_result result = check_load(&engine->sink, &engine->schema, desc, call);
    if (result != COSM_OK) {
        return result;
    }
    struct file_home *file = open_file_home(&engine->memory, &engine->sink, call, path, desc->copy);
    if (file == NULL) {
        return cosm_error_result();
    }
    cosm_save_report report = {.format = 0};
    struct file_words words = words_of_file(call, path);
    struct load_order order = {.schema = &engine->schema,
                               .memory = &engine->memory,
                               .sink = &engine->sink,
                               .call = words.text,
                               .desc = desc,
                               .report = &report,
                               .bytes = file->view.bytes,
                               .size = file->view.size};
    result = cosmi_load_each_type(&order, define_type, define_group, engine);
    cosmi_home_release(&file->home);
    return result;
}

cosm_result cosm_save_define(cosm_engine *engine, const char *path, const cosm_load_desc *desc) {
    cosm_result result = define_types(engine, path, desc, "cosm_save_define");
    (void)cosmi_defined(engine, path == NULL ? "file" : "the types of file", path,
                        result == COSM_OK);
    return result;
}

cosm_result cosm_save_describe(const char *path, const cosm_load_desc *desc, cosm_text_fn *write,
                               void *target) {
    static const char call[] = "cosm_save_describe";
    desc = desc == NULL ? &plain_load : desc;
    const struct sink sink = {.is_quiet = desc->quiet};
    if (path == NULL) {
        return cosmi_refuse_null(&sink, call, "path", "pass the path of a file");
    }
    if (write == NULL) {
        return cosmi_refuse_null(&sink, call, "write", "pass a function that receives the text");
    }
    cosm_result result = check_load(&sink, NULL, desc, call);
    if (result != COSM_OK) {
        return result;
    }
    struct memory memory;
    (void)cosmi_memory_init(&memory, &(cosm_allocator){.allocate = NULL}, 0);
    struct file_home *file = open_file_home(&memory, &sink, call, path, desc->copy);
    if (file == NULL) {
        return cosm_error_result();
    }
    struct schema none = {.sink = &sink};
    cosm_save_report report = {.format = 0};
    struct file_words words = words_of_file(call, path);
    struct load_order order = {.schema = &none,
                               .memory = &memory,
                               .sink = &sink,
                               .call = words.text,
                               .desc = desc,
                               .report = &report,
                               .bytes = file->view.bytes,
                               .size = file->view.size};
    result = cosmi_load_describe(&order, write, target);
    cosmi_home_release(&file->home);
    return result;
}

cosm_result cosm_save_worlds(cosm_worlds worlds, const char *path, const cosm_save_desc *desc) {
    static const char call[] = "cosm_save_worlds";
    cosm_snapshot *snapshot = cosmi_snapshot_take(worlds, call);
    cosm_result result =
        snapshot == NULL ? cosm_error_result() : write_file(snapshot, path, desc, call);
    cosm_snapshot_destroy(snapshot);
    return result;
}

// A part of a file is a matter of cosm_snapshot_restore; here a wrong number is most likely a slip.
static cosm_result check_world_count(const cosm_snapshot *snapshot, cosm_worlds worlds,
                                     const char *path) {
    uint32_t count = cosm_snapshot_describe(snapshot).world_count;
    if (count == worlds.count) {
        return COSM_OK;
    }
    return cosmi_fail(
        worlds.batch->sink, COSM_ERROR_ARGUMENT,
        "cosm_load_worlds: '%.255s' has %u worlds, but %u were passed; pass as many, or use "
        "cosm_save_read and cosm_snapshot_restore",
        path, count, worlds.count);
}

cosm_result cosm_load_worlds(cosm_worlds worlds, const char *path, const cosm_load_desc *desc,
                             cosm_save_report *out_report) {
    static const char call[] = "cosm_load_worlds";
    if (!worlds_exist(worlds)) {
        return cosmi_refuse_worlds(worlds, call);
    }
    cosm_snapshot *snapshot = read_file(worlds.batch->engine, path, desc, out_report, call);
    if (snapshot == NULL) {
        return cosm_error_result();
    }
    cosm_result result = check_world_count(snapshot, worlds, path);
    if (result == COSM_OK) {
        result = cosmi_snapshot_put(snapshot, worlds, call);
    }
    cosm_snapshot_destroy(snapshot);
    return result;
}
