// Save files of processes that are killed while they write them.
// ctest: slow
#define _DEFAULT_SOURCE // fork, kill, usleep
#include "harness.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/ark.h"
#include "support/folder.h"

// Saves in a loop until somebody ends it.
static void save_for_ever(const char *path, cosm_snapshot *const *snapshots,
                          const cosm_save_desc *save) {
    for (uint32_t i = 0;; i++) {
        if (cosm_save_write(snapshots[i % 2], path, save) != COSM_OK) {
            _exit(1);
        }
    }
}

TEST(a_process_that_is_killed_leaves_the_old_file_or_the_new_one) {
    uint64_t seed = harness_seed();
    struct dice dice = {seed};
    struct folder folder;
    folder_open(&folder);
    struct ark ark;
    ark_open(&ark, NULL, 1);
    ark_live(&ark, 1, 200);
    cosm_snapshot *snapshots[2];
    uint64_t hashes[2];
    snapshots[0] = cosm_snapshot_create(ark.all);
    hashes[0] = cosm_hash_batch(ark.batch, COSM_HASH_EXACT);
    ark_fill(&ark, 3000);
    snapshots[1] = cosm_snapshot_create(ark.all);
    hashes[1] = cosm_hash_batch(ark.batch, COSM_HASH_EXACT);
    cosm_save_desc save = ark_save_desc(&ark);
    CHECK_DONE(cosm_save_write(snapshots[0], folder.file, &save));
    for (int round = 0; round < 200; round++) {
        save.fast = round % 50 != 0;
        pid_t child = fork();
        if (child == 0) {
            save_for_ever(folder.file, snapshots, &save);
        }
        (void)usleep(dice_roll(&dice, 3000));
        CHECK_INT(kill(child, SIGKILL), 0);
        int status = 0;
        CHECK_INT(waitpid(child, &status, 0), child);
        CHECK(WIFSIGNALED(status));
        uint64_t hash = ark_file_hash(&ark, folder.file);
        CHECK(hash == hashes[0] || hash == hashes[1]);
    }
    cosm_snapshot_destroy(snapshots[0]);
    cosm_snapshot_destroy(snapshots[1]);
    ark_close(&ark);
    folder_close(&folder);
}
