// The program cosm and its files: saved states and recordings, made, replayed, compared.
#include "harness.h"
#include "support/program.h"

#include <string.h>

TEST(a_recording_replays_with_any_number_of_workers_and_diverges_from_another_one) {
    program_open_place();
    CHECK_PROGRAM("$cosm record falling a.rec --worlds 5 --steps 40 --seed 3 --keyframes 16", 0,
                  "steps      40");
    CHECK_PROGRAM("$cosm replay a.rec", 0, "40 steps");
    CHECK_PROGRAM("$cosm replay a.rec --workers 2", 0, "every hash is as recorded");
    CHECK_PROGRAM("$cosm info a.rec", 0, "scene falling");
    CHECK_PROGRAM(
        "$cosm record falling b.rec --worlds 5 --steps 40 --seed 3 --history --placement fixed", 0,
        "steps      40");
    CHECK_PROGRAM("$cosm diverge a.rec b.rec", 0, "no divergence");
    CHECK_PROGRAM("$cosm record falling c.rec --worlds 5 --steps 40 --seed 4 --history", 0,
                  "steps      40");
    CHECK_PROGRAM("$cosm diverge b.rec c.rec", 1, "\nentity     @0:1\n");
    CHECK_PROGRAM("$cosm diff a.rec b.rec", 1,
                  "cosm: a.rec: it is a recording; compare recordings with cosm diverge\n");
    program_close_place();
}

TEST(saved_states_are_described_and_compared) {
    program_open_place();
    CHECK_PROGRAM("$cosm save boids a.cosm --worlds 2 --steps 10", 0, "steps      10");
    CHECK_PROGRAM("$cosm save boids b.cosm --worlds 2 --steps 10 --workers 2", 0, "steps      10");
    CHECK_PROGRAM("$cosm save boids c.cosm --worlds 2 --steps 11", 0, "steps      11");
    CHECK_PROGRAM("$cosm info a.cosm", 0, "Position");
    CHECK_PROGRAM("$cosm diff a.cosm b.cosm", 0, "no difference");
    CHECK_PROGRAM("$cosm diff a.cosm c.cosm", 1, "changed entity @0:1 ");
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
    CHECK_PROGRAM("$cosm record grid", 2, "needs the name of a file");
    CHECK_PROGRAM("$cosm diff a.cosm", 2, "needs the name of a file, twice");
    CHECK_PROGRAM("$cosm replay a.cosm b.cosm", 2, "one too many");
    CHECK_PROGRAM("$cosm info a.cosm --steps 4", 2, "--steps is an option of");
    CHECK_PROGRAM("$cosm run grid --history", 2, "--history is an option of record");
    program_close_place();
}
