// `cosm new`: the folder that it writes, and what it leaves where it cannot. That the folder
// builds, passes its own test and trains is checked by test/package/new.sh.
#define _XOPEN_SOURCE 700
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct outcome {
    int code;
    char text[65536]; // both streams
};

// A directory for one test, in which the program is run.
static char place[64];

static void open_place(void) {
    snprintf(place, sizeof(place), "/tmp/cosm-new-XXXXXX");
    REQUIRE(mkdtemp(place) != NULL);
}

static void run_line(struct outcome *outcome, const char *line) {
    *outcome = (struct outcome){.code = -1};
    FILE *pipe = popen(line, "r");
    REQUIRE(pipe != NULL);
    size_t length = fread(outcome->text, 1, sizeof(outcome->text) - 1, pipe);
    outcome->text[length] = '\0';
    int status = pclose(pipe);
    REQUIRE(WIFEXITED(status));
    outcome->code = WEXITSTATUS(status);
}

static void close_place(void) {
    char line[128];
    snprintf(line, sizeof(line), "rm -rf '%s'", place);
    CHECK_INT(system(line), 0);
}

// Runs a line of the shell in the place; $cosm is the program.
static void run(struct outcome *outcome, const char *command) {
    const char *path = getenv("COSM_PROGRAM");
    char *whole = realpath(path != NULL ? path : "../bin/cosm", NULL);
    REQUIRE(whole != NULL);
    char line[8192];
    snprintf(line, sizeof(line), "cd '%s' && cosm='%s' && { %s; } 2>&1", place, whole, command);
    free(whole);
    run_line(outcome, line);
}

static void check_run(const char *command, int code, const char *part) {
    struct outcome outcome;
    run(&outcome, command);
    CHECK_INT(outcome.code, code);
    CHECK_CONTAINS(outcome.text, part);
}

// Nothing is in the place, hidden or not.
static void check_empty(void) {
    struct outcome outcome;
    run(&outcome, "ls -A");
    CHECK_STR(outcome.text, "");
}

TEST(a_new_environment_is_a_folder_of_its_own) {
    open_place();
    check_run("$cosm new walk", 0, "./walk is written");
    check_run("ls walk", 0, "CMakeLists.txt\nREADME.md\ntest.c\ntrain.py\nwalk.c\nwalk.h\n");
    check_run("ls -A", 0, "walk\n");
    check_run("cat walk/walk.h", 0, "#ifndef WALK_H");
    check_run("cat walk/walk.c", 0, ".name = \"walk\"");
    check_run("cat walk/CMakeLists.txt", 0, "project(walk LANGUAGES C)");
    struct outcome outcome;
    run(&outcome, "grep -ri my_env walk");
    CHECK_STR(outcome.text, "");
    // As other new folders are, not as temporary ones.
    run(&outcome, "umask 022; $cosm new other >/dev/null; stat -c %a other");
    CHECK_STR(outcome.text, "755\n");
    close_place();
}

TEST(a_new_environment_goes_where_it_is_asked_to) {
    open_place();
    check_run("mkdir sub && $cosm new walk --dir sub", 0, "sub/walk is written");
    check_run("ls sub/walk", 0, "walk.c");
    check_run("$cosm new --dir=sub Run_9", 0, "sub/Run_9 is written");
    check_run("cat sub/Run_9/Run_9.h", 0, "#ifndef RUN_9_H");
    check_run("$cosm new hop --dir=\"$(pwd)/sub\"", 0, "/sub/hop -B /tmp/");
    close_place();
}

// The program of a build folder, as here, has cosm.tree beside it.
TEST(the_commands_to_go_on_with_name_what_is_where_it_is) {
    open_place();
    check_run("ln -s $cosm tool && ./tool new walk", 0,
              "  cmake -S walk -B walk/build -DCOSM_SOURCE_DIR=/");
    check_run("$cosm new run", 0, "\n  cmake --build run/build\n");
    check_run("./tool new hop", 0,
              "\n  ./tool run hop/build/libhop.so\n  ctest --test-dir hop/build");
    check_run("./tool new jump", 0, " jump/train.py");
    // From within the folder: the program by its whole path.
    check_run("cat walk/README.md", 0, "\ncmake -B build -DCOSM_SOURCE_DIR=/");
    check_run("grep -qxF \"$cosm run build/libwalk.so\" walk/README.md", 0, "");
    check_run("PATH=$(dirname $cosm):$PATH; cosm new swim", 0,
              "\n  cosm run swim/build/libswim.so\n");
    check_run("grep -c my_ walk/*", 1, "walk/README.md:0\n");
    // Where the tree is not there, or the program is not in a build folder, nothing is made up.
    check_run("mkdir -p bin && cp $cosm bin && bin/cosm new climb", 0, "-B climb/build\n");
    check_run("printf '/nowhere\\n/nowhere\\n' >bin/cosm.tree; bin/cosm new crawl", 0,
              "-B crawl/build\n");
    // An installed one names its folder, in quotes where the shell needs them.
    check_run("mkdir -p \"it's here/include/cosm_sim\" && cp -r bin \"it's here\" && "
              "rm \"it's here/bin/cosm.tree\" && touch \"it's here/include/cosm_sim/env.h\" && "
              "\"it's here/bin/cosm\" new fly",
              0, "/it'\\''s here'\n");
    close_place();
}

TEST(a_name_that_no_environment_can_have_is_refused) {
    open_place();
    check_run("$cosm new", 2, "new needs a name, as in `cosm new walk`");
    check_run("$cosm new ''", 2, "the name is \"\"; it must be letters, digits and _");
    check_run("$cosm new 9lives", 2, "not begin with a digit");
    check_run("$cosm new two-legs", 2, "the name is \"two-legs\"");
    check_run("$cosm new ../walk", 2, "the name is \"../walk\"");
    check_run("$cosm new /tmp/walk", 2, "it must be letters");
    check_run("$cosm new 'a b'", 2, "it must be letters");
    check_run("$cosm new test", 2, "take another name");
    check_run("$cosm new _Run9", 2, "names that begin with _ are the compiler's");
    check_run("$cosm new cosm_sim_env", 2, "names that begin with cosm are the library's own");
    check_run("$cosm new cosm", 2, "names that begin with cosm are the library's own");
    check_run("$cosm new COSM_SIM_SIM", 2, "names that begin with cosm are the library's own");
    check_run("$cosm new while", 2, "the name is \"while\"; that is a word of C itself");
    check_run("$cosm new walk run", 2, "new takes one name, not \"walk\" and \"run\"");
    check_run("$cosm new walk --dir", 2, "--dir needs a value");
    check_run("$cosm new walk --dir=", 2, "--dir is \"\"; it must be the name of a folder");
    check_run("$cosm new walk --steps 4", 2, "--steps is an option of run, not of new");
    check_run("$cosm run grid --dir x", 2, "--dir is an option of new, not of run");
    check_run("$cosm new $(printf 'a%.0s' $(seq 64)) >/dev/null; ls", 0, "aaaa");
    check_run("rm -r a*; $cosm new $(printf 'a%.0s' $(seq 65))", 2, "at most 64");
    check_empty();
    close_place();
}

TEST(what_is_there_already_is_left_alone) {
    open_place();
    check_run("mkdir walk && echo mine >walk/walk.c && $cosm new walk", 1,
              "./walk is there already; take another name, or another --dir");
    check_run("cat walk/*", 0, "mine\n");
    check_run("echo mine >run; $cosm new run", 1, "./run is there already");
    check_run("ln -s nowhere link; $cosm new link", 1, "./link is there already");
    struct outcome outcome;
    run(&outcome, "ls -A");
    CHECK_STR(outcome.text, "link\nrun\nwalk\n");
    close_place();
}

TEST(a_folder_that_cannot_be_written_leaves_nothing_behind) {
    open_place();
    check_run("$cosm new walk --dir nowhere", 1, "nowhere cannot have a new folder");
    check_run("echo mine >file; $cosm new walk --dir file", 1, "file cannot have a new folder");
    check_run("rm file; ls -A", 0, "");
    // Files may have 1,024 bytes at most: some fit, the source does not.
    check_run("trap '' XFSZ; ulimit -f 2; $cosm new walk", 1, "cannot be written: ");
    check_empty();
    close_place();
}
