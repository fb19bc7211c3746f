// The program cosm-gen: reads a header in which structs are marked, and writes NAME.cosm.h and
// NAME.cosm.c with their descriptions and typed calls.
//
//     arguments  the command line               check        names that meet, padding
//     session    clang's parse of the header    emit_header  NAME.cosm.h
//     read       which structs are marked       emit_source  NAME.cosm.c
//     fields     a struct flattened to leaves   files        written only where they change
//     probe      values of options              report       errors, as compilers print them
//     stray      marks that clang drops         storage      where components live
#include <stdio.h>

#include "arguments.h"
#include "check.h"
#include "depfile.h"
#include "emit.h"
#include "files.h"
#include "probe.h"
#include "read.h"
#include "resource.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

struct output {
    const char *path;
    struct text text;
};

static bool compare(const struct output *output, const struct arguments *arguments) {
    if (files_same(output->path, text_data(&output->text), output->text.length)) {
        return true;
    }
    fprintf(stderr, "%s: error: not what cosm-gen makes of %s; run cosm-gen again\n", output->path,
            arguments->header);
    return false;
}

static bool write_depfile(struct session *session, const struct output *outputs) {
    const struct arguments *arguments = session->arguments;
    struct text depfile = {.arena = session->arena};
    const char *files[] = {outputs[0].path, outputs[1].path};
    if (arguments->depfile == NULL) {
        return true;
    }
    if (arguments->stamp != NULL) {
        depfile_add(&depfile, session, &arguments->stamp, 1);
    } else {
        depfile_add(&depfile, session, files, 2);
    }
    return files_write(session->arena, arguments->depfile, text_data(&depfile), depfile.length);
}

static bool write_outputs(struct session *session, const struct output *outputs) {
    const struct arguments *arguments = session->arguments;
    struct arena *arena = session->arena;
    bool done = files_make_folder(arena, arguments->folder);
    for (int i = 0; i < 2; i++) {
        done = done && files_update(arena, outputs[i].path, text_data(&outputs[i].text),
                                    outputs[i].text.length);
    }
    done = done && write_depfile(session, outputs);
    if (done && arguments->stamp != NULL) {
        done = files_write(arena, arguments->stamp, "", 0);
    }
    return done;
}

// Reads, checks and writes. False where the header has errors or the files cannot be written.
static bool run(struct session *session, const struct arguments *arguments) {
    struct arena *arena = session->arena;
    struct model model = {0};
    read_header(session, &model);
    probe_values(session, &model);
    check_model(session->report, &model, emit_function(arena, arguments->stem),
                arguments->is_module);
    if (session->report->error_count > 0) {
        return false;
    }
    struct output outputs[2] = {
        {arena_format(arena, "%s/%s.cosm.c", arguments->folder, arguments->stem), {.arena = arena}},
        {arena_format(arena, "%s/%s.cosm.h", arguments->folder, arguments->stem),
         {.arena = arena}}};
    emit_source(&outputs[0].text, &model, arguments);
    emit_header(&outputs[1].text, &model, arguments);
    if (arguments->action == ACTION_CHECK) {
        bool is_same = compare(&outputs[0], arguments);
        return compare(&outputs[1], arguments) && is_same;
    }
    return write_outputs(session, outputs);
}

static int generate(struct arena *arena, const struct arguments *arguments) {
    struct report report = {.arena = arena};
    struct session session;
    bool done = session_open(&session, arena, &report, arguments) && run(&session, arguments);
    report_sort(&report);
    report_print(&report, stderr);
    session_close(&session);
    return done ? EXIT_DONE : EXIT_FAILED;
}

static int print_resource_dir(struct arena *arena, const struct arguments *arguments) {
    const char *tried = NULL;
    const char *found = resource_find(arena, arguments->resource_dir, &tried);
    if (found == NULL) {
        fprintf(stderr, "cosm-gen: clang's own headers are not in %s\n", tried);
        return EXIT_FAILED;
    }
    puts(found);
    return EXIT_DONE;
}

int main(int argc, char **argv) {
    struct arena arena = {0};
    struct arguments arguments;
    int status = EXIT_USAGE;
    if (arguments_read(&arena, argc, argv, &arguments)) {
        switch (arguments.action) {
        case ACTION_HELP:
            fputs(arguments_help, stdout);
            status = EXIT_DONE;
            break;
        case ACTION_VERSION:
            printf("cosm-gen %s, libclang %s\n", COSM_VERSION, resource_clang_version(&arena));
            status = EXIT_DONE;
            break;
        case ACTION_RESOURCE_DIR:
            status = print_resource_dir(&arena, &arguments);
            break;
        default:
            status = generate(&arena, &arguments);
            break;
        }
    }
    arena_free(&arena);
    return status;
}
