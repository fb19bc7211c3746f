// `cosm new`: the folder that it writes, and what it leaves where it cannot. That the folder
// builds and passes its own test, and that an environment trains, is checked by
// test/package/new.sh.
#define _XOPEN_SOURCE 700
#include "harness.h"
#include "support/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Nothing is in the place, hidden or not.
static void check_empty(void) {
    struct outcome outcome;
    program_run_in_place(&outcome, "ls -A");
    CHECK_STR(outcome.text, "");
}

TEST(a_new_environment_is_a_folder_of_its_own) {
    program_open_place();
    CHECK_PROGRAM("$cosm new walk", 0, "./walk is written");
    CHECK_PROGRAM("ls walk", 0, "CMakeLists.txt\nREADME.md\ntest.c\ntrain.py\nwalk.c\nwalk.h\n");
    CHECK_PROGRAM("ls -A", 0, "walk\n");
    CHECK_PROGRAM("cat walk/walk.h", 0, "#ifndef WALK_H");
    CHECK_PROGRAM("cat walk/walk.c", 0, ".name = \"walk\"");
    CHECK_PROGRAM("cat walk/CMakeLists.txt", 0, "project(walk LANGUAGES C)");
    struct outcome outcome;
    program_run_in_place(&outcome, "grep -ri my_env walk");
    CHECK_STR(outcome.text, "");
    // As other new folders are, not as temporary ones.
    program_run_in_place(&outcome, "umask 022; $cosm new other >/dev/null; stat -c %a other");
    CHECK_STR(outcome.text, "755\n");
    program_close_place();
}

TEST(a_new_game_is_a_folder_of_its_own) {
    program_open_place();
    CHECK_PROGRAM("$cosm new stones --game", 0, "./stones is written: a game. Next:\n\n  cmake");
    CHECK_PROGRAM("ls stones", 0,
                  "CMakeLists.txt\nREADME.md\nmain.c\nstones.c\nstones.h\ntest.c\n");
    CHECK_PROGRAM("cat stones/stones.h", 0, "#ifndef STONES_H");
    CHECK_PROGRAM("cat stones/CMakeLists.txt", 0, "project(stones LANGUAGES C)");
    CHECK_PROGRAM("grep -c -i my_ stones/*", 1, "stones/README.md:0\n");
    CHECK_PROGRAM("$cosm new --game --dir . hop", 0,
                  "  ctest --test-dir ./hop/build\n  ./hop/build/hop\n");
    // Without a word it is an environment, and says how a game is had.
    CHECK_PROGRAM("$cosm new walk", 0, "an environment (--game writes a game)");
    CHECK_PROGRAM("$cosm new run --env && ls run", 0, "train.py");
    program_close_place();
}

TEST(a_new_environment_goes_where_it_is_asked_to) {
    program_open_place();
    CHECK_PROGRAM("mkdir sub && $cosm new walk --dir sub", 0, "sub/walk is written");
    CHECK_PROGRAM("ls sub/walk", 0, "walk.c");
    CHECK_PROGRAM("$cosm new --dir=sub Run_9", 0, "sub/Run_9 is written");
    CHECK_PROGRAM("cat sub/Run_9/Run_9.h", 0, "#ifndef RUN_9_H");
    CHECK_PROGRAM("$cosm new hop --dir=\"$(pwd)/sub\"", 0, "/sub/hop -B /tmp/");
    program_close_place();
}

// The program of a build folder, as here, has cosm.tree beside it.
TEST(the_commands_to_go_on_with_name_what_is_where_it_is) {
    program_open_place();
    CHECK_PROGRAM("ln -s $cosm tool && ./tool new walk", 0,
                  "  cmake -S walk -B walk/build -DCOSM_SOURCE_DIR=/");
    CHECK_PROGRAM("$cosm new run", 0, "\n  cmake --build run/build\n");
    CHECK_PROGRAM("./tool new hop", 0,
                  "\n  ./tool run hop/build/libhop.so\n  ctest --test-dir hop/build");
    CHECK_PROGRAM("./tool new jump", 0, " jump/train.py");
    // From within the folder: the program by its whole path.
    CHECK_PROGRAM("cat walk/README.md", 0, "\ncmake -B build -DCOSM_SOURCE_DIR=/");
    CHECK_PROGRAM("grep -qxF \"$cosm run build/libwalk.so\" walk/README.md", 0, "");
    CHECK_PROGRAM("PATH=$(dirname $cosm):$PATH; cosm new swim", 0,
                  "\n  cosm run swim/build/libswim.so\n");
    CHECK_PROGRAM("grep -c my_ walk/*", 1, "walk/README.md:0\n");
    // Where the tree is not there, or the program is not in a build folder, nothing is made up.
    CHECK_PROGRAM("mkdir -p bin && cp $cosm bin && bin/cosm new climb", 0, "-B climb/build\n");
    CHECK_PROGRAM("printf '/nowhere\\n/nowhere\\n' >bin/cosm.tree; bin/cosm new crawl", 0,
                  "-B crawl/build\n");
    // An installed one names its folder, in quotes where the shell needs them.
    CHECK_PROGRAM("mkdir -p \"it's here/include/cosm_sim\" && cp -r bin \"it's here\" && "
                  "rm \"it's here/bin/cosm.tree\" && touch \"it's here/include/cosm_sim/env.h\" && "
                  "\"it's here/bin/cosm\" new fly",
                  0, "/it'\\''s here'\n");
    program_close_place();
}

TEST(a_name_that_no_environment_can_have_is_refused) {
    program_open_place();
    CHECK_PROGRAM("$cosm new", 2, "new needs a name, as in `cosm new walk`");
    CHECK_PROGRAM("$cosm new ''", 2, "the name is \"\"; it can have letters, digits and _");
    CHECK_PROGRAM("$cosm new 9lives", 2, "not start with a digit");
    CHECK_PROGRAM("$cosm new two-legs", 2, "the name is \"two-legs\"");
    CHECK_PROGRAM("$cosm new ../walk", 2, "the name is \"../walk\"");
    CHECK_PROGRAM("$cosm new /tmp/walk", 2, "it can have letters");
    CHECK_PROGRAM("$cosm new 'a b'", 2, "it can have letters");
    CHECK_PROGRAM("$cosm new test", 2, "choose another name");
    CHECK_PROGRAM("$cosm new _Run9", 2, "names that start with _ are reserved for the compiler");
    CHECK_PROGRAM("$cosm new cosm_sim_env", 2,
                  "names that start with cosm are reserved for the library");
    CHECK_PROGRAM("$cosm new cosm", 2, "names that start with cosm are reserved for the library");
    CHECK_PROGRAM("$cosm new COSM_SIM_SIM", 2,
                  "names that start with cosm are reserved for the library");
    CHECK_PROGRAM("$cosm new while", 2, "the name is \"while\"; it is a keyword of C");
    CHECK_PROGRAM("$cosm new walk run", 2, "new takes one name, not \"walk\" and \"run\"");
    CHECK_PROGRAM("$cosm new walk --dir", 2, "--dir needs a value");
    CHECK_PROGRAM("$cosm new walk --dir=", 2, "--dir is \"\"; it must be the name of a folder");
    CHECK_PROGRAM("$cosm new walk --steps 4", 2, "--steps is an option of run, not of new");
    CHECK_PROGRAM("$cosm new walk --gmae", 2, "new has no option --gmae; did you mean --game?");
    CHECK_PROGRAM("$cosm run grid --dir x", 2, "--dir is an option of new, not of run");
    CHECK_PROGRAM("$cosm new $(printf 'a%.0s' $(seq 64)) >/dev/null; ls", 0, "aaaa");
    CHECK_PROGRAM("rm -r a*; $cosm new $(printf 'a%.0s' $(seq 65))", 2, "at most 64");
    check_empty();
    program_close_place();
}

TEST(what_is_there_already_is_left_alone) {
    program_open_place();
    CHECK_PROGRAM("mkdir walk && echo mine >walk/walk.c && $cosm new walk", 1,
                  "./walk already exists; choose another name, or another --dir");
    CHECK_PROGRAM("cat walk/*", 0, "mine\n");
    CHECK_PROGRAM("echo mine >run; $cosm new run", 1, "./run already exists");
    CHECK_PROGRAM("ln -s nowhere link; $cosm new link", 1, "./link already exists");
    struct outcome outcome;
    program_run_in_place(&outcome, "ls -A");
    CHECK_STR(outcome.text, "link\nrun\nwalk\n");
    program_close_place();
}

TEST(a_folder_that_cannot_be_written_leaves_nothing_behind) {
    program_open_place();
    CHECK_PROGRAM("$cosm new walk --dir nowhere", 1,
                  "nowhere is not a folder that you can write to");
    CHECK_PROGRAM("echo mine >file; $cosm new walk --dir file", 1,
                  "file is not a folder that you can write to");
    CHECK_PROGRAM("rm file; ls -A", 0, "");
    // Files may have 1,024 bytes at most: some fit, the source does not.
    CHECK_PROGRAM("trap '' XFSZ; ulimit -f 2; $cosm new walk", 1, "cannot be written: ");
    check_empty();
    program_close_place();
}
