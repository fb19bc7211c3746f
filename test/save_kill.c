// Save files of processes that are killed while they write them.
// ctest: slow
#define _DEFAULT_SOURCE // fork, kill, usleep
#include "harness.h"

#include <signal.h>
#include <string.h>
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

TEST(a_process_that_is_killed_leaves_the_old_file_or_the_new_one_and_nothing_for_good) {
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
        CHECK(folder_count(&folder) <= 2); // the file, and what this one left
    }
    CHECK_DONE(cosm_save_write(snapshots[0], folder.file, &save));
    CHECK_INT(folder_count(&folder), 1);
    cosm_snapshot_destroy(snapshots[0]);
    cosm_snapshot_destroy(snapshots[1]);
    ark_close(&ark);
    folder_close(&folder);
}

// A save that begins while another one of the same path is in the middle of writing.
struct within {
    const cosm_snapshot *snapshot; // without objects
    const char *path;
    const struct folder *folder;
    cosm_result result;
    uint32_t count; // files meanwhile
};

static bool copy_bytes(void *context, void *object, const void *source) {
    (void)context;
    memcpy(object, source, sizeof(uint32_t));
    return true;
}

static cosm_result save_within(void *context, const void *object, cosm_text_fn *write,
                               void *target) {
    struct within *within = context;
    within->count = folder_count(within->folder);
    within->result = cosm_save_write(within->snapshot, within->path, NULL);
    write(target, object, sizeof(uint32_t));
    return COSM_OK;
}

TEST(what_another_save_of_the_path_is_still_writing_is_left_to_it) {
    struct folder folder;
    folder_open(&folder);
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component note =
        cosm_component_define(engine, &(cosm_component_desc){.name = "Note",
                                                             .size = 4,
                                                             .storage = COSM_STORAGE_MANAGED,
                                                             .lifecycle = {.copy = copy_bytes}});
    cosm_archetype archetype =
        cosm_archetype_define(engine, &(cosm_archetype_desc){.components = {note}});
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_world world = cosm_batch_world(batch, 0);
    cosm_snapshot *empty = cosm_snapshot_create(cosm_worlds_all(batch));
    CHECK_DONE(cosm_entity_set(world, cosm_entity_spawn(world, archetype), note, &(uint32_t){7}));
    cosm_snapshot *full = cosm_snapshot_create(cosm_worlds_all(batch));
    struct within within = {empty, folder.file, &folder, COSM_ERROR_IO, 0};
    cosm_save_object object = {.component = note, .context = &within, .save = save_within};
    cosm_save_desc desc = {.objects = &object, .object_count = 1};
    for (int i = 0; i < 3; i++) {
        CHECK_DONE(cosm_save_write(full, folder.file, &desc));
        CHECK_DONE(within.result);
        CHECK_INT(within.count, i == 0 ? 1 : 2);
        CHECK_INT(folder_count(&folder), 1);
    }
    cosm_snapshot_destroy(empty);
    cosm_snapshot_destroy(full);
    CHECK_DONE(cosm_batch_destroy(batch));
    CHECK_DONE(cosm_engine_destroy(engine));
    folder_close(&folder);
}
