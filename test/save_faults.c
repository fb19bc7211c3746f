// Save files when something goes wrong: no memory, no room, no right, damaged bytes.
// ctest: threads
#define _DEFAULT_SOURCE // fork, setrlimit
#include "harness.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/ark.h"
#include "support/folder.h"
#include "support/ledger.h"
#include "support/reseal.h"

TEST(saving_survives_every_allocation_that_fails) {
    struct folder folder;
    folder_open(&folder);
    struct ledger ledger;
    ledger_open(&ledger);
    struct ark ark;
    ark_open_with(&ark, NULL, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)}, 2);
    ark_live(&ark, 3, 200);
    ark_save(&ark, folder.file);
    uint64_t old_hash = ark_file_hash(&ark, folder.file);
    ark_live(&ark, 4, 100);
    ark_fill(&ark, 2000);
    cosm_snapshot *snapshot = cosm_snapshot_create(ark.all);
    cosm_save_desc save = ark_save_desc(&ark);
    uint32_t failures = 0;
    for (uint64_t n = 1;; n++) {
        cosm_error_clear();
        ledger_refuse(&ledger, n, UINT64_MAX / 2);
        cosm_result result = cosm_save_write(snapshot, folder.file, &save);
        if (!ledger_relent(&ledger)) {
            CHECK_INT(result, COSM_OK);
            break;
        }
        failures++;
        CHECK_INT(result, COSM_ERROR_MEMORY);
        CHECK_FAILURE(COSM_ERROR_MEMORY, "cosm_save_write", "out of memory", "");
        CHECK_INT(folder_count(&folder), 1);
        CHECK_INT(ark_file_hash(&ark, folder.file), old_hash);
    }
    CHECK(failures > 5);
    CHECK_INT(ark_file_hash(&ark, folder.file), cosm_hash_batch(ark.batch, COSM_HASH_EXACT));
    cosm_snapshot_destroy(snapshot);
    ark_close(&ark);
    ledger_close(&ledger);
    folder_close(&folder);
}

// Loads with the n-th request refused, for every n; the batch is never touched.
static void load_with_faults(const struct ark_plan *plan, const char *path, bool copy) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct ark ark;
    ark_open_with(&ark, plan, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)}, 2);
    cosm_entity entity = cosm_entity_spawn(ark.world, ark.mover);
    uint64_t hash = cosm_hash_batch(ark.batch, COSM_HASH_EXACT);
    cosm_load_desc load = ark_load_desc(&ark);
    load.copy = copy;
    uint32_t failures = 0;
    for (uint64_t n = 1;; n++) {
        cosm_error_clear();
        int words = atomic_load(&ark.words);
        // Where it can do with less it goes on, so all further ones are refused, too.
        ledger_refuse(&ledger, n, UINT64_MAX / 2);
        cosm_snapshot *snapshot = cosm_save_read(ark.engine, path, &load, NULL);
        bool refused = ledger_relent(&ledger);
        if (snapshot != NULL) {
            cosm_snapshot_destroy(snapshot);
        }
        if (!refused) {
            CHECK(snapshot != NULL);
            break;
        }
        failures++;
        CHECK(snapshot == NULL);
        CHECK_FAILURE(COSM_ERROR_MEMORY, "cosm_save_read", "out of memory", "");
        CHECK_INT(atomic_load(&ark.words), words);
    }
    CHECK(failures > 20);
    CHECK(cosm_entity_is_alive(ark.world, entity));
    CHECK_INT(cosm_hash_batch(ark.batch, COSM_HASH_EXACT), hash);
    ark_close(&ark);
    ledger_close(&ledger);
}

TEST(loading_survives_every_allocation_that_fails) {
    static const struct ark_plan plans[] = {{.backwards = false}, {.split = true}, {.fewer = true}};
    struct folder folder;
    folder_open(&folder);
    struct ark ark;
    ark_open(&ark, NULL, 2);
    ark_live(&ark, 21, 150);
    ark_fill(&ark, 1500);
    ark_save(&ark, folder.file);
    ark_close(&ark);
    for (uint32_t p = 0; p < 3; p++) {
        load_with_faults(&plans[p], folder.file, p % 2 == 1);
    }
    folder_close(&folder);
}

// In a process of its own, because the limit stays.
static int save_with_limit(struct ark *ark, cosm_snapshot *snapshot, const char *path,
                           rlim_t limit) {
    pid_t child = fork();
    if (child == 0) {
        (void)signal(SIGXFSZ, SIG_IGN);
        (void)setrlimit(RLIMIT_FSIZE, &(struct rlimit){limit, limit});
        cosm_save_desc save = ark_save_desc(ark);
        bool told = cosm_save_write(snapshot, path, &save) == COSM_ERROR_IO &&
                    strstr(cosm_error_message(), "File too large") != NULL &&
                    strstr(cosm_error_message(), path) != NULL;
        _exit(told ? 42 : 1);
    }
    int status = 0;
    CHECK_INT(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(a_disk_that_is_full_leaves_the_old_file) {
    struct folder folder;
    folder_open(&folder);
    struct ark ark;
    ark_open(&ark, NULL, 1);
    ark_live(&ark, 1, 50);
    ark_save(&ark, folder.file);
    uint64_t hash = cosm_hash_batch(ark.batch, COSM_HASH_EXACT);
    ark_fill(&ark, 9000);
    cosm_snapshot *snapshot = cosm_snapshot_create(ark.all);
    for (rlim_t limit = 0; limit < 300000; limit += 37001) {
        CHECK_INT(save_with_limit(&ark, snapshot, folder.file, limit), 42);
        CHECK_INT(folder_count(&folder), 1);
        CHECK_INT(ark_file_hash(&ark, folder.file), hash);
    }
    cosm_snapshot_destroy(snapshot);
    ark_close(&ark);
    folder_close(&folder);
}

TEST(what_the_system_refuses_is_told_with_its_reason) {
    struct folder folder;
    folder_open(&folder);
    struct ark ark;
    ark_open(&ark, NULL, 1);
    cosm_snapshot *snapshot = cosm_snapshot_create(ark.all);
    char path[160];
    (void)snprintf(path, sizeof(path), "%s/none/level.cosm", folder.path);
    CHECK_FAILS(cosm_save_write(snapshot, path, NULL), COSM_ERROR_IO, "cosm_save_write",
                "No such file or directory", "check the path");
    CHECK_FAILS(cosm_save_write(snapshot, folder.path, NULL), COSM_ERROR_IO, "cosm_save_write",
                "Is a directory", "check the path");
    // What is no file is not replaced by one.
    (void)snprintf(path, sizeof(path), "%s/pipe", folder.path);
    CHECK_INT(mkfifo(path, 0666), 0);
    CHECK_FAILS(cosm_save_write(snapshot, path, NULL), COSM_ERROR_IO, "cosm_save_write",
                "Invalid argument", "check the path");
    struct stat facts;
    CHECK(stat(path, &facts) == 0 && S_ISFIFO(facts.st_mode));
    cosm_error_clear();
    CHECK(cosm_save_read(ark.engine, path, NULL, NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_IO, "cosm_save_read", "Invalid argument", "check the path");
    CHECK_INT(unlink(path), 0);
    (void)snprintf(path, sizeof(path), "%s/none/level.cosm", folder.path);
    cosm_error_clear();
    CHECK(cosm_save_read(ark.engine, path, NULL, NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_IO, "cosm_save_read", "No such file or directory", "check the path");
    CHECK(cosm_save_read(ark.engine, folder.path, &(cosm_load_desc){.copy = true}, NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_IO, "cosm_save_read", "Is a directory", "check the path");
    // A file without bytes is there, but none of ours.
    FILE *empty = fopen(folder.file, "wb");
    REQUIRE(empty != NULL);
    (void)fclose(empty);
    for (int copy = 0; copy < 2; copy++) {
        cosm_load_desc load = {.copy = copy == 1};
        CHECK(cosm_save_read(ark.engine, folder.file, &load, NULL) == NULL);
        CHECK_FAILURE(COSM_ERROR_FORMAT, "cosm_save_read", "first 8 bytes", "use a complete file");
    }
    // Root may write everywhere, so this needs somebody else.
    CHECK_INT(chmod(folder.path, 0555), 0);
    if (geteuid() != 0) {
        CHECK_FAILS(cosm_save_write(snapshot, folder.file, NULL), COSM_ERROR_IO, "cosm_save_write",
                    "Permission denied", "check the path");
    }
    CHECK_INT(chmod(folder.path, 0755), 0);
    CHECK_INT(folder_count(&folder), 1);
    cosm_snapshot_destroy(snapshot);
    ark_close(&ark);
    folder_close(&folder);
}

TEST(a_file_that_is_replaced_keeps_its_mode) {
    struct folder folder;
    folder_open(&folder);
    struct ark ark;
    ark_open(&ark, NULL, 1);
    ark_save(&ark, folder.file);
    CHECK_INT(chmod(folder.file, 0604), 0);
    ark_save(&ark, folder.file);
    struct stat facts;
    CHECK_INT(stat(folder.file, &facts), 0);
    CHECK_INT(facts.st_mode & 0777, 0604);
    ark_close(&ark);
    folder_close(&folder);
}

struct writer {
    struct ark *ark;
    const struct folder *folder;
    uint32_t number;
};

// Several of them to one folder, and two to each file.
static void *write_files(void *context) {
    const struct writer *writer = context;
    cosm_save_desc save = ark_save_desc(writer->ark);
    cosm_snapshot *snapshot =
        cosm_save_read(writer->ark->engine, writer->folder->file,
                       &(cosm_load_desc){.objects = writer->ark->objects,
                                         .object_count = writer->ark->object_count},
                       NULL);
    CHECK(snapshot != NULL);
    for (int i = 0; i < 40 && snapshot != NULL; i++) {
        char path[160];
        (void)snprintf(path, sizeof(path), "%s/%u.cosm", writer->folder->path, writer->number / 2);
        save.fast = i > 0;
        CHECK_DONE(cosm_save_write(snapshot, path, &save));
    }
    cosm_snapshot_destroy(snapshot);
    return NULL;
}

TEST(threads_save_side_by_side) {
    struct folder folder;
    folder_open(&folder);
    struct ark ark;
    ark_open(&ark, NULL, 1);
    ark_live(&ark, 1, 100);
    ark_save(&ark, folder.file);
    pthread_t threads[4];
    struct writer writers[4];
    for (uint32_t i = 0; i < 4; i++) {
        writers[i] = (struct writer){&ark, &folder, i};
        CHECK_INT(pthread_create(&threads[i], NULL, write_files, &writers[i]), 0);
    }
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    }
    CHECK_INT(folder_count(&folder), 3);
    ark_close(&ark);
    folder_close(&folder);
}

// A file with a little of everything.
static unsigned char *small_file(struct ark *ark, size_t *out_size) {
    ark_live(ark, 40, 90);
    return ark_save_bytes(ark, out_size);
}

// Tries bytes that are not right: an error, with a message that says where, or a snapshot.
static bool try_bytes(struct ark *ark, const void *bytes, size_t size) {
    cosm_load_desc load = ark_load_desc(ark);
    cosm_error_clear();
    cosm_snapshot *snapshot = cosm_save_read_bytes(ark->engine, bytes, size, &load, NULL);
    if (snapshot != NULL) {
        cosm_snapshot_destroy(snapshot);
        return true;
    }
    CHECK_INT(cosm_error_result(), COSM_ERROR_FORMAT);
    const char *message = cosm_error_message();
    CHECK(strstr(message, ": block ") != NULL || strstr(message, ": file header: ") != NULL);
    return false;
}

TEST(a_file_that_is_cut_off_anywhere_is_refused) {
    struct ark ark;
    ark_open(&ark, NULL, 2);
    size_t size = 0;
    unsigned char *bytes = small_file(&ark, &size);
    uint64_t hash = cosm_hash_batch(ark.batch, COSM_HASH_EXACT);
    for (size_t length = 0; length < size; length++) {
        // On the heap, so that a look past the end is found out.
        unsigned char *cut = malloc(length + 1);
        memcpy(cut, bytes, length);
        CHECK(!try_bytes(&ark, cut, length));
        free(cut);
    }
    CHECK(try_bytes(&ark, bytes, size));
    bytes = realloc(bytes, size + 64);
    memset(bytes + size, 0, 64);
    CHECK(!try_bytes(&ark, bytes, size + 1));
    CHECK(!try_bytes(&ark, bytes, size + 64));
    CHECK_INT(cosm_hash_batch(ark.batch, COSM_HASH_EXACT), hash);
    free(bytes);
    ark_close(&ark);
}

TEST(a_byte_that_is_wrong_anywhere_is_found) {
    struct ark ark;
    ark_open(&ark, NULL, 2);
    size_t size = 0;
    unsigned char *bytes = small_file(&ark, &size);
    uint64_t hash = cosm_hash_batch(ark.batch, COSM_HASH_EXACT);
    static const unsigned char changes[] = {0x01, 0x80, 0xFF};
    for (size_t at = 0; at < size; at++) {
        unsigned char change = changes[at % 3];
        bytes[at] ^= change;
        CHECK(!try_bytes(&ark, bytes, size));
        bytes[at] ^= change;
    }
    CHECK_INT(cosm_hash_batch(ark.batch, COSM_HASH_EXACT), hash);
    free(bytes);
    ark_close(&ark);
}

// Changes some bytes behind the headers, in ways that numbers are mostly wrong.
static void spoil(unsigned char *bytes, size_t size, struct dice *dice) {
    uint32_t count = 1 + dice_roll(dice, 3);
    for (uint32_t i = 0; i < count; i++) {
        size_t at = 128 + (size_t)dice_next(dice) % (size - 128);
        switch (dice_roll(dice, 4)) {
        case 0:
            bytes[at] ^= (unsigned char)(1u << dice_roll(dice, 8));
            break;
        case 1:
            bytes[at] = (unsigned char)dice_roll(dice, 256);
            break;
        case 2:
            bytes[at]++;
            break;
        default:
            bytes[at] = dice_roll(dice, 2) == 0 ? 0 : 0xFF;
            break;
        }
    }
}

TEST(bytes_that_lie_with_the_right_checksum_do_no_harm) {
    static const struct ark_plan plans[] = {
        {.backwards = false}, {.backwards = true, .split = true}, {.fewer = true}};
    struct dice dice = {harness_seed()};
    uint32_t loaded = 0;
    int rounds = harness_is_long() ? 40000 : 1500;
    struct ark source;
    ark_open(&source, NULL, 1);
    size_t size = 0;
    ark_live(&source, 40, 120);
    unsigned char *bytes = ark_save_bytes(&source, &size);
    unsigned char *spoilt = malloc(size);
    struct ark ark;
    for (int round = 0; round < rounds; round++) {
        if (round % 50 == 0) {
            // Files form archetypes, so the engine is a new one now and then.
            ark_open(&ark, &plans[round / 50 % 3], 1);
        }
        memcpy(spoilt, bytes, size);
        spoil(spoilt, size, &dice);
        size_t sealed_size = 0;
        unsigned char *sealed = reseal(spoilt, size, &sealed_size);
        cosm_load_desc load = ark_load_desc(&ark);
        cosm_error_clear();
        cosm_snapshot *snapshot =
            cosm_save_read_bytes(ark.engine, sealed, sealed_size, &load, NULL);
        if (snapshot != NULL && cosm_snapshot_describe(snapshot).world_count == 1) {
            loaded++;
            CHECK_DONE(cosm_snapshot_restore(snapshot, 0, cosm_worlds_one(ark.world)));
            CHECK_VALID(ark.batch);
        } else if (snapshot == NULL) {
            CHECK(cosm_error_result() != COSM_OK);
            CHECK(cosm_error_result() != COSM_ERROR_MEMORY);
        }
        cosm_snapshot_destroy(snapshot);
        free(sealed);
        if (round % 50 == 49) {
            ark_close(&ark);
        }
    }
    CHECK(loaded > 0);
    free(spoilt);
    free(bytes);
    ark_close(&source);
}

TEST(bytes_behind_the_list_of_sector_groups_are_a_fault_of_the_block_and_not_of_memory) {
    struct ark ark;
    ark_open(&ark, NULL, 1);
    size_t size = 0;
    unsigned char *bytes = ark_save_bytes(&ark, &size);
    // The first block is the schema; its size stands at byte 16, and zeroes fill up its last line.
    uint64_t stored = 0;
    memcpy(&stored, bytes + 64 + 16, sizeof(stored));
    REQUIRE(stored % 64 != 0);
    stored++;
    memcpy(bytes + 64 + 16, &stored, sizeof(stored));
    size_t sealed_size = 0;
    unsigned char *sealed = reseal(bytes, size, &sealed_size);
    cosm_load_desc load = ark_load_desc(&ark);
    cosm_error_clear();
    CHECK(cosm_save_read_bytes(ark.engine, sealed, sealed_size, &load, NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_FORMAT, "cosm_save_read_bytes", "block 0",
                  "its list of sector groups is damaged");
    free(sealed);
    free(bytes);
    ark_close(&ark);
}
