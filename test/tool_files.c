// The program cosm and its files: saved states and recordings, made, replayed, compared.
// ctest: record
#include "harness.h"
#include "support/folder.h"
#include "support/program.h"

#include <cosm/cosm.h>
#include <cosm_record/recorder.h>
#include <stdio.h>
#include <string.h>

TEST(a_recording_replays_with_any_number_of_workers_and_diverges_from_another_one) {
    program_open_place();
    CHECK_PROGRAM("$cosm record falling a.rec --worlds 5 --steps 40 --seed 3 --keyframes 16", 0,
                  "steps      40");
    CHECK_PROGRAM("$cosm replay a.rec", 0,
                  "scene      falling\nworlds     5, seed 3\n"
                  "steps      0 to 40: every hash is as recorded\n"
                  "entities   160, 32.0 per world\nhash       ");
    CHECK_PROGRAM("$cosm replay a.rec --workers 2", 0, "every hash is as recorded");
    CHECK_PROGRAM("$cosm info a.rec", 0, "scene falling");
    CHECK_PROGRAM(
        "$cosm record falling b.rec --worlds 5 --steps 40 --seed 3 --history --placement fixed", 0,
        "steps      40");
    CHECK_PROGRAM("$cosm diverge a.rec b.rec", 0, "no divergence");
    CHECK_PROGRAM("$cosm diverge a.rec b.rec | grep -c lengths", 1, "0\n");
    CHECK_PROGRAM("$cosm record falling short.rec --worlds 5 --steps 25 --seed 3", 0, "steps");
    CHECK_PROGRAM("$cosm diverge a.rec short.rec", 0,
                  "lengths    a.rec has steps 0 to 40, short.rec has 0 to 25: only steps in both");
    CHECK_PROGRAM("$cosm record falling c.rec --worlds 5 --steps 40 --seed 4 --history", 0,
                  "steps      40");
    CHECK_PROGRAM("$cosm diverge b.rec c.rec", 1, "step");
    CHECK_PROGRAM("$cosm diverge b.rec c.rec", 1, "entity     @0:1\n");
    program_close_place();
}

TEST(where_worlds_and_steps_begin_is_printed_with_the_seed) {
    program_open_place();
    CHECK_PROGRAM("$cosm run grid --worlds 2 --steps 3 --world-first 9 --step-first 7", 0,
                  "seed 1, world-first 9, step-first 7\n");
    CHECK_PROGRAM("$cosm record grid a.rec --worlds 2 --steps 3 --world-first 9", 0,
                  "seed 1, world-first 9\n");
    CHECK_PROGRAM("$cosm replay a.rec", 0, "worlds     2, seed 1, world-first 9\n");
    program_close_place();
}

TEST(a_state_that_cannot_be_saved_is_not_run) {
    program_open_place();
    CHECK_PROGRAM("$cosm save grid nowhere/a.cosm --steps 3", 1,
                  "nowhere/a.cosm: it cannot be written (No such file or directory); nothing was "
                  "run\n");
    CHECK_PROGRAM("$cosm save grid nowhere/a.cosm --steps 3 | grep -c hash", 1, "0\n");
    program_close_place();
}

TEST(saved_states_are_described_and_compared) {
    program_open_place();
    CHECK_PROGRAM("$cosm save boids a.cosm --worlds 2 --steps 10", 0, "steps      10");
    CHECK_PROGRAM("$cosm save boids b.cosm --worlds 2 --steps 10 --workers 2", 0, "steps      10");
    CHECK_PROGRAM("$cosm save boids c.cosm --worlds 2 --steps 11", 0, "steps      11");
    CHECK_PROGRAM("$cosm info a.cosm", 0, "Position");
    CHECK_PROGRAM("$cosm diff a.cosm b.cosm", 0, "no difference");
    CHECK_PROGRAM("$cosm diff a.cosm c.cosm", 1, "world 0: changed @0:1 Position");
    program_close_place();
}

#ifdef COSM_TEST_TEXT
TEST(a_diff_shows_the_values_before_and_after_as_show_spells_them) {
    program_open_place();
    CHECK_PROGRAM("$cosm save falling a.cosm --worlds 1 --steps 3", 0, "");
    CHECK_PROGRAM("$cosm save falling b.cosm --worlds 1 --steps 4", 0, "");
    CHECK_PROGRAM("$cosm save grid c.cosm --worlds 1 --steps 3", 0, "");
    CHECK_PROGRAM("$cosm save grid d.cosm --worlds 1 --steps 4", 0, "");
    // The first line is of entity @0:1, which show prints with the same numbers.
    CHECK_PROGRAM(
        "y() { $cosm show falling --steps $1 | sed -n 's/.*@0:1  Position {x: [^ ]* y: "
        "\\([^}]*\\)}.*/\\1/p'; }; $cosm diff a.cosm b.cosm >diff; "
        "grep -F \"world 0: changed @0:1 Position {x: \" diff | grep -F \", y: $(y 3) -> $(y 4)}\"",
        0, " -> ");
    CHECK_PROGRAM("$cosm diff c.cosm d.cosm", 1, "Heading {way: WAY_");
    CHECK_PROGRAM("$cosm diff c.cosm d.cosm", 1, "world 0: singleton Ground {cells[");
    CHECK_PROGRAM("$cosm diff c.cosm d.cosm", 1, "]: CELL_");
    CHECK_PROGRAM("$cosm diff c.cosm d.cosm", 1, " and ");
    program_close_place();
}
#endif

TEST(a_file_of_the_other_kind_is_refused_with_the_command_that_takes_it) {
    program_open_place();
    CHECK_PROGRAM("$cosm save grid a.cosm --worlds 1 --steps 1", 0, "hash");
    CHECK_PROGRAM("$cosm record grid a.rec --worlds 1 --steps 1", 0, "hash");
    CHECK_PROGRAM(
        "$cosm diff a.rec a.cosm", 1,
        "cosm: a.rec: it is a recording, not a saved state; compare recordings with `cosm "
        "diverge`\n");
    CHECK_PROGRAM("$cosm diff a.cosm a.rec", 1, "a.rec: it is a recording");
    CHECK_PROGRAM("$cosm diverge a.cosm a.rec", 1,
                  "a.cosm: it is a saved state, not a recording; `cosm record` makes recordings");
    CHECK_PROGRAM("$cosm replay a.cosm", 1, "a.cosm: it is a saved state, not a recording");
    program_close_place();
}

// A recording of nothing whose note says what it likes.
static void write_noted(const char *path, const char *note) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_recorder *recorder =
        cosm_recorder_create(batch, path, &(cosm_recorder_desc){.note = note});
    CHECK_INT(cosm_recorder_close(recorder), COSM_OK);
    CHECK_INT(cosm_batch_destroy(batch), COSM_OK);
    CHECK_INT(cosm_engine_destroy(engine), COSM_OK);
}

TEST(a_note_with_more_entities_than_the_command_line_takes_is_refused_before_they_are_made) {
    static const char *const counts[] = {"16777217", "4294967295", "4294967297",
                                         "99999999999999999999999"};
    struct folder folder;
    folder_open(&folder);
    program_open_place();
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        char note[96];
        char line[128];
        (void)snprintf(note, sizeof(note), "scene swarm, entities %s, placement growing",
                       counts[i]);
        write_noted(folder.file, note);
        (void)snprintf(line, sizeof(line), "$cosm replay %s", folder.file);
        CHECK_PROGRAM(line, 1, "does not name a scene that this program can make");
    }
    folder_close(&folder);
    CHECK_PROGRAM("$cosm record swarm few.rec --entities 9 --worlds 1 --steps 1", 0, "hash");
    CHECK_PROGRAM("$cosm replay few.rec", 0, "every hash is as recorded");
    program_close_place();
}

TEST(files_that_are_none_are_refused_with_words) {
    program_open_place();
    CHECK_PROGRAM("$cosm info nowhere.cosm", 1, "nowhere.cosm");
    CHECK_PROGRAM("$cosm replay nowhere.rec", 1, "nowhere.rec");
    CHECK_PROGRAM("$cosm diff nowhere.cosm nowhere.cosm", 1, "nowhere.cosm");
    CHECK_PROGRAM("$cosm save grid /nowhere/at/all.cosm --worlds 1 --steps 1", 1,
                  "/nowhere/at/all.cosm");
    CHECK_PROGRAM("$cosm save grid a.cosm --worlds 1 --steps 1", 0, "hash");
    CHECK_PROGRAM("$cosm replay a.cosm", 1, "a.cosm");
    CHECK_PROGRAM("$cosm diverge a.cosm a.cosm", 1, "a.cosm");
    CHECK_PROGRAM("$cosm record grid", 2, "record needs a file, as in `cosm record ");
    CHECK_PROGRAM("$cosm diff a.cosm", 2, "diff needs two files, as in `cosm diff a.cosm b.cosm`");
    CHECK_PROGRAM("$cosm replay a.cosm b.cosm", 2, "replay takes one file; \"b.cosm\" is one too");
    CHECK_PROGRAM("$cosm diff a b c", 2, "diff takes two files; \"c\" is one too many");
    CHECK_PROGRAM("$cosm info a.cosm --steps 4", 2, "--steps is an option of");
    CHECK_PROGRAM("$cosm run grid --history", 2, "--history is an option of record");
    program_close_place();
}
