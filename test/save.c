// Save files: what was saved is what is loaded, in this engine, in another one, in another process.
#define _DEFAULT_SOURCE // setenv, fork
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/ark.h"

// Both engines do the same from here on: was everything in the file that the future depends on?
static void check_same_future(struct ark *a, struct ark *b, uint64_t seed) {
    ark_live(a, seed, 200);
    ark_live(b, seed, 200);
    CHECK_DONE(cosm_batch_step(a->batch));
    CHECK_DONE(cosm_batch_step(b->batch));
    CHECK_INT(cosm_hash_batch(b->batch, COSM_HASH_EXACT),
              cosm_hash_batch(a->batch, COSM_HASH_EXACT));
}

TEST(what_was_saved_is_what_is_loaded) {
    uint64_t seed = harness_seed();
    for (uint64_t turn = 0; turn < 6; turn++) {
        struct ark ark;
        ark_open(&ark, NULL, 3);
        CHECK_DONE(cosm_batch_step(ark.batch));
        ark_live(&ark, seed + turn, 60 + 150 * (uint32_t)turn);
        uint64_t hash = cosm_hash_batch(ark.batch, COSM_HASH_EXACT);
        ark_save(&ark, ark_path("round"));
        ark_live(&ark, seed + 100, 100);
        ark_load(&ark, ark_path("round"), NULL);
        CHECK_INT(cosm_hash_batch(ark.batch, COSM_HASH_EXACT), hash);
        ark_close(&ark);
    }
    (void)remove(ark_path("round"));
}

TEST(worlds_are_saved_and_loaded_in_one_call_each) {
    struct ark a, b;
    ark_open(&a, NULL, 3);
    ark_open(&b, NULL, 2);
    ark_live(&a, harness_seed(), 200);
    uint64_t before = cosm_hash_batch(a.batch, COSM_HASH_EXACT);
    cosm_save_desc save = {.objects = a.objects, .object_count = a.object_count};
    cosm_load_desc load = {.objects = b.objects, .object_count = b.object_count};
    CHECK_DONE(cosm_save_worlds(cosm_worlds_all(a.batch), ark_path("worlds"), &save));
    uint64_t other = cosm_hash_batch(b.batch, COSM_HASH_EXACT);
    CHECK_FAILS(cosm_load_worlds(cosm_worlds_all(b.batch), ark_path("worlds"), &load, NULL),
                COSM_ERROR_ARGUMENT, "cosm_load_worlds:", "has 3 worlds, but 2", "pass as many");
    CHECK_INT(cosm_hash_batch(b.batch, COSM_HASH_EXACT), other);
    CHECK_FAILS(cosm_load_worlds((cosm_worlds){NULL, 0, 1}, ark_path("worlds"), &load, NULL),
                COSM_ERROR_ARGUMENT, "cosm_load_worlds:", "batch", "");
    load = (cosm_load_desc){.objects = a.objects, .object_count = a.object_count};
    CHECK_DONE(cosm_batch_reset(a.batch, NULL));
    cosm_save_report report;
    CHECK_DONE(cosm_load_worlds(cosm_worlds_all(a.batch), ark_path("worlds"), &load, &report));
    CHECK_INT(cosm_hash_batch(a.batch, COSM_HASH_EXACT), before);
    CHECK(report.component_count > 0);
    CHECK_INT(cosm_load_worlds(cosm_worlds_all(a.batch), ark_path("absent"), &load, NULL),
              COSM_ERROR_IO);
    (void)remove(ark_path("worlds"));
    ark_close(&a);
    ark_close(&b);
}

TEST(what_fails_to_be_saved_or_loaded_names_the_call_and_the_file) {
    struct ark ark;
    ark_open(&ark, NULL, 1);
    cosm_save_desc save = ark_save_desc(&ark);
    cosm_load_desc load = ark_load_desc(&ark);
    char absent[300];
    (void)snprintf(absent, sizeof(absent), "%s", ark_path("absent"));
    CHECK_FAILS(cosm_load_worlds(ark.all, absent, &load, NULL), COSM_ERROR_IO,
                "cosm_load_worlds: '", absent, "; check the path");
    CHECK(strstr(cosm_error_message(), "space") == NULL);
    char inside[310];
    (void)snprintf(inside, sizeof(inside), "%s/none", absent);
    CHECK_FAILS(cosm_save_worlds(ark.all, inside, &save), COSM_ERROR_IO, "cosm_save_worlds: '",
                inside, "check the path and the free space");
    CHECK_FAILS(cosm_save_worlds(ark.all, NULL, &save), COSM_ERROR_ARGUMENT,
                "cosm_save_worlds:", "path is NULL", "pass the path");
    FILE *file = fopen(absent, "wb");
    REQUIRE(file != NULL);
    (void)fputs("no file of worlds, but long enough to be looked at for its beginning", file);
    (void)fclose(file);
    CHECK_FAILS(cosm_load_worlds(ark.all, absent, &load, NULL), COSM_ERROR_FORMAT,
                "cosm_load_worlds: '", absent, "");
    CHECK(cosm_save_read(ark.engine, absent, &load, NULL) == NULL);
    CHECK_CONTAINS(cosm_error_message(), absent);
    (void)remove(absent);
    ark_close(&ark);
}

TEST(another_engine_of_other_order_and_layout_loads_the_same) {
    static const struct ark_plan plans[] = {
        {.backwards = false}, {.backwards = true}, {.split = true},
        {.half_split = true}, {.fixed = true},     {.backwards = true, .split = true},
    };
    uint64_t seed = harness_seed();
    for (uint32_t from = 0; from < 6; from++) {
        uint32_t to = (from * 5 + 1) % 6;
        struct ark a;
        struct ark b;
        ark_open(&a, &plans[from], 2);
        ark_open(&b, &plans[to], 2);
        CHECK_DONE(cosm_batch_step(a.batch));
        ark_live(&a, seed + from, 300);
        ark_save(&a, ark_path("other"));
        cosm_save_report report;
        ark_load(&b, ark_path("other"), &report);
        CHECK_INT(report.format, COSM_SAVE_FORMAT);
        CHECK_INT(report.same_count, report.component_count);
        CHECK_INT(report.converted_count + report.unknown_count, 0);
        CHECK_INT(cosm_batch_step_count(b.batch), 1);
        CHECK_INT(cosm_hash_batch(b.batch, COSM_HASH_EXACT),
                  cosm_hash_batch(a.batch, COSM_HASH_EXACT));
        check_same_future(&a, &b, seed + 50);
        ark_close(&a);
        ark_close(&b);
    }
    (void)remove(ark_path("other"));
}

TEST(large_tables_lie_in_the_file_and_outlive_it) {
    static const struct ark_plan plans[] = {
        {.backwards = false}, {.split = true}, {.half_split = true}, {.backwards = true}};
    struct ark a;
    ark_open(&a, NULL, 2);
    ark_live(&a, 5, 300);
    ark_fill(&a, 70000);
    uint64_t hash = cosm_hash_batch(a.batch, COSM_HASH_EXACT);
    for (uint32_t p = 0; p < 4; p++) {
        struct ark b;
        ark_open(&b, &plans[p], 2);
        ark_save(&a, ark_path("large"));
        ark_load(&b, ark_path("large"), NULL);
        // The file is gone, another one has its name, and the snapshot is destroyed.
        CHECK_INT(remove(ark_path("large")), 0);
        CHECK_INT(cosm_hash_batch(b.batch, COSM_HASH_EXACT), hash);
        cosm_snapshot *snapshot = cosm_snapshot_create(b.all);
        CHECK_INT(cosm_hash_snapshot(snapshot, COSM_HASH_EXACT), hash);
        ark_live(&b, 6, 50);
        CHECK_DONE(cosm_snapshot_restore(snapshot, 0, b.all));
        CHECK_INT(cosm_hash_batch(b.batch, COSM_HASH_EXACT), hash);
        cosm_snapshot_destroy(snapshot);
        ark_close(&b);
    }
    ark_close(&a);
}

TEST(bytes_need_not_stay_nor_be_aligned) {
    struct ark a;
    struct ark b;
    ark_open(&a, NULL, 1);
    ark_open(&b, NULL, 1);
    ark_live(&a, 9, 200);
    ark_fill(&a, 9000);
    size_t size = 0;
    unsigned char *bytes = ark_save_bytes(&a, &size);
    for (size_t shift = 0; shift < 4; shift++) {
        unsigned char *moved = malloc(size + shift);
        memcpy(moved + shift, bytes, size);
        ark_load_bytes(&b, moved + shift, size, NULL);
        memset(moved, 0xEE, size + shift);
        free(moved);
        CHECK_INT(cosm_hash_batch(b.batch, COSM_HASH_EXACT),
                  cosm_hash_batch(a.batch, COSM_HASH_EXACT));
    }
    free(bytes);
    ark_close(&a);
    ark_close(&b);
}

TEST(thousands_of_small_worlds_share_blocks) {
    struct ark a;
    struct ark b;
    ark_open(&a, NULL, 3000);
    ark_open(&b, NULL, 3000);
    ark_live(&a, 77, 12);
    ark_save(&a, ark_path("small"));
    ark_load(&b, ark_path("small"), NULL);
    CHECK_INT(cosm_hash_batch(b.batch, COSM_HASH_EXACT), cosm_hash_batch(a.batch, COSM_HASH_EXACT));
    (void)remove(ark_path("small"));
    ark_close(&a);
    ark_close(&b);
}

TEST(one_world_of_many_is_saved_and_loaded_alone) {
    struct ark ark;
    ark_open(&ark, NULL, 3);
    ark_live(&ark, 8, 200);
    cosm_world world = cosm_batch_world(ark.batch, 1);
    uint64_t hash = cosm_hash_world(world, COSM_HASH_EXACT);
    cosm_snapshot *snapshot = cosm_snapshot_create(cosm_worlds_one(world));
    cosm_save_desc save = ark_save_desc(&ark);
    CHECK_DONE(cosm_save_write(snapshot, ark_path("one"), &save));
    cosm_snapshot_destroy(snapshot);
    cosm_load_desc load = ark_load_desc(&ark);
    load.copy = true;
    snapshot = cosm_save_read(ark.engine, ark_path("one"), &load, NULL);
    REQUIRE(snapshot != NULL);
    CHECK_INT(cosm_snapshot_describe(snapshot).world_count, 1);
    CHECK_DONE(cosm_batch_step(ark.batch));
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, cosm_worlds_one(cosm_batch_world(ark.batch, 2))));
    CHECK_INT(cosm_hash_world(cosm_batch_world(ark.batch, 2), COSM_HASH_EXACT), hash);
    CHECK_INT(cosm_batch_step_count(ark.batch), 1);
    cosm_snapshot_destroy(snapshot);
    (void)remove(ark_path("one"));
    ark_close(&ark);
}

TEST(equal_states_are_equal_files) {
    struct ark a;
    struct ark b;
    ark_open(&a, NULL, 2);
    ark_open(&b, NULL, 2);
    ark_live(&a, 31, 400);
    ark_fill(&a, 5000);
    size_t first_size = 0;
    size_t second_size = 0;
    unsigned char *first = ark_save_bytes(&a, &first_size);
    ark_load_bytes(&b, first, first_size, NULL);
    unsigned char *second = ark_save_bytes(&b, &second_size);
    CHECK_INT(second_size, first_size);
    CHECK(second_size == first_size && memcmp(first, second, first_size) == 0);
    free(first);
    free(second);
    ark_close(&a);
    ark_close(&b);
}

TEST(what_lies_between_fields_is_not_in_files) {
    unsigned char *files[2];
    size_t sizes[2];
    for (int i = 0; i < 2; i++) {
        struct ark ark;
        ark_open(&ark, NULL, 1);
        Crew crew;
        memset(&crew, i == 0 ? 0x11 : 0xEE, sizeof(crew));
        crew.kind = 1;
        crew.mass = 2;
        crew.number = 3;
        crew.flag = 4;
        cosm_archetype crews =
            cosm_archetype_define(ark.engine, &(cosm_archetype_desc){.components = {ark.crew}});
        for (int n = 0; n < 3000; n++) {
            CHECK(!cosm_entity_is_none(
                cosm_entity_spawn_with(ark.world, crews, &(cosm_value){ark.crew, &crew}, 1)));
        }
        memset(SINGLETON_WRITE_BY_ID(ark.world, Wind, ark.wind), i == 0 ? 0x11 : 0xEE,
               sizeof(Wind));
        *SINGLETON_WRITE_BY_ID(ark.world, Wind, ark.wind) = (Wind){1, 2};
        ((unsigned char *)SINGLETON_WRITE_BY_ID(ark.world, Wind, ark.wind))[1] = (unsigned char)i;
        files[i] = ark_save_bytes(&ark, &sizes[i]);
        ark_close(&ark);
    }
    CHECK_INT(sizes[0], sizes[1]);
    CHECK(sizes[0] == sizes[1] && memcmp(files[0], files[1], sizes[0]) == 0);
    free(files[0]);
    free(files[1]);
}

// Runs in a process of its own: see below.
TEST(a_child_loads_what_its_parent_saved) {
    const char *path = getenv("COSM_ARK_FILE");
    const char *hash = getenv("COSM_ARK_HASH");
    if (path == NULL || hash == NULL) {
        return;
    }
    struct ark ark;
    ark_open(&ark, &(struct ark_plan){.backwards = true, .split = true}, 2);
    ark_load(&ark, path, NULL);
    CHECK_INT(cosm_hash_batch(ark.batch, COSM_HASH_EXACT), strtoull(hash, NULL, 16));
    ark_close(&ark);
}

TEST(another_process_loads_the_same) {
    if (getenv("COSM_ARK_FILE") != NULL) {
        return;
    }
    struct ark ark;
    ark_open(&ark, NULL, 2);
    ark_live(&ark, 12, 500);
    ark_fill(&ark, 4000);
    ark_save(&ark, ark_path("child"));
    char hash[32];
    (void)snprintf(hash, sizeof(hash), "%llx",
                   (unsigned long long)cosm_hash_batch(ark.batch, COSM_HASH_EXACT));
    pid_t child = fork();
    if (child == 0) {
        (void)setenv("COSM_ARK_FILE", ark_path("child"), 1);
        // The path names the parent.
        char path[64];
        (void)snprintf(path, sizeof(path), "/tmp/cosm-ark-%ld-child", (long)getppid());
        (void)setenv("COSM_ARK_FILE", path, 1);
        (void)setenv("COSM_ARK_HASH", hash, 1);
        (void)freopen("/dev/null", "w", stdout);
        (void)execl("/proc/self/exe", "save", "--filter", "a_child_loads", (char *)NULL);
        _exit(127);
    }
    int status = -1;
    CHECK_INT(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    (void)remove(ark_path("child"));
    ark_close(&ark);
}

// The unknown components of an ark with `fewer`, on every entity; removed where `remove`.
static uint64_t count_unknown(struct ark *ark, bool remove) {
    cosm_component unknown[] = {ark->bare, ark->flag, ark->word, ark->tribe, ark->note, ark->wet};
    uint64_t count = 0;
    for (uint32_t w = 0; w < cosm_batch_world_count(ark->batch); w++) {
        cosm_world world = cosm_batch_world(ark->batch, w);
        // Nobody in an ark gets older than this.
        for (uint32_t n = 0; n < 48 * 64; n++) {
            cosm_entity entity = {2 * (n / 48) + 1, n % 48};
            for (uint32_t i = 0; i < 6; i++) {
                bool has = cosm_entity_has(world, entity, unknown[i]);
                count += has;
                if (has && remove) {
                    CHECK_DONE(cosm_entity_remove(world, entity, unknown[i]));
                }
            }
        }
    }
    return count;
}

// What loading drops is what removing takes away, also where archetypes and groups of the file fall
// together by it.
TEST(unknown_components_are_dropped_and_counted) {
    uint64_t seed = harness_seed();
    for (uint64_t turn = 0; turn < 8; turn++) {
        struct ark a;
        struct ark b;
        struct ark c;
        ark_open(&a, NULL, 2);
        ark_open(&b, &(struct ark_plan){.fewer = true, .split = turn % 2 == 1}, 2);
        ark_open(&c, &(struct ark_plan){.fewer = true, .backwards = turn % 4 >= 2}, 2);
        ark_live(&a, seed + turn, 400);
        CHECK_DONE(cosm_batch_step(a.batch));
        ark_save(&a, ark_path("all"));
        uint64_t expected = count_unknown(&a, true);
        CHECK(expected > 0);
        CHECK_INT(count_unknown(&a, false), 0);
        ark_save(&a, ark_path("some"));
        cosm_save_report report;
        ark_load(&b, ark_path("all"), &report);
        CHECK(report.unknown_count >= 5);
        CHECK_INT(report.converted_count, 0);
        // And Wind, of each world.
        CHECK_INT(report.dropped_count, expected + 2);
        ark_load(&c, ark_path("some"), NULL);
        CHECK_INT(cosm_hash_batch(b.batch, COSM_HASH_CONTENT),
                  cosm_hash_batch(c.batch, COSM_HASH_CONTENT));
        // They are not in the next file.
        ark_save(&b, ark_path("all"));
        ark_load(&a, ark_path("all"), &report);
        CHECK_INT(report.unknown_count + report.dropped_count, 0);
        CHECK_INT(count_unknown(&a, false), 0);
        ark_close(&a);
        ark_close(&b);
        ark_close(&c);
    }
    (void)remove(ark_path("all"));
    (void)remove(ark_path("some"));
}

TEST(rows_of_temporary_archetypes_lose_their_unknown_components_too) {
    struct ark a;
    struct ark b;
    ark_open(&a, NULL, 1);
    ark_open(&b, &(struct ark_plan){.fewer = true}, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(a.world, a.event, 3, &rows));
    ark_save(&a, ark_path("event"));
    cosm_save_report report;
    ark_load(&b, ark_path("event"), &report);
    // Word and, of the one world, Wind.
    CHECK_INT(report.unknown_count, 2);
    CHECK_INT(report.dropped_count, 3 + 1);
    CHECK_INT(cosm_world_entity_count(b.world), 0);
    (void)remove(ark_path("event"));
    ark_close(&a);
    ark_close(&b);
}

TEST(components_with_another_storage_or_group_are_refused) {
    static const struct ark_plan plans[] = {{.other_ways = true}, {.apart = true}};
    static const char *const reasons[] = {
        "component 'Tribe' has storage shared in the file and sector here",
        "sector components 'Heat' and 'Note' are in one group in the file and in two groups here"};
    static const char *const remedies[] = {"define it with the file's storage",
                                           "define their groups as in the file"};
    for (uint32_t p = 0; p < 2; p++) {
        struct ark a;
        struct ark b;
        ark_open(&a, NULL, 2);
        ark_open(&b, &plans[p], 2);
        ark_live(&a, 90 + p, 400);
        ark_save(&a, ark_path("ways"));
        uint64_t hash = cosm_hash_batch(b.batch, COSM_HASH_EXACT);
        cosm_load_desc load = ark_load_desc(&b);
        CHECK_FAILS(cosm_load_worlds(b.all, ark_path("ways"), &load, NULL), COSM_ERROR_FORMAT,
                    "cosm_load_worlds", reasons[p], remedies[p]);
        CHECK_INT(cosm_hash_batch(b.batch, COSM_HASH_EXACT), hash);
        ark_close(&a);
        ark_close(&b);
    }
    (void)remove(ark_path("ways"));
}

TEST(objects_need_somebody_who_saves_and_loads_them) {
    struct ark ark;
    ark_open(&ark, NULL, 1);
    cosm_entity entity = cosm_entity_spawn(ark.world, ark.mover);
    Word word = ark_word(&ark, 3);
    CHECK_DONE(cosm_entity_set(ark.world, entity, ark.word, &word));
    ark_word_end(&ark, &word);
    cosm_snapshot *snapshot = cosm_snapshot_create(ark.all);
    CHECK_FAILS(cosm_save_write(snapshot, ark_path("objects"), NULL), COSM_ERROR_ARGUMENT,
                "cosm_save_write", "component 'Word'", "function in desc.objects");
    CHECK(access(ark_path("objects"), F_OK) != 0);
    cosm_save_desc save = ark_save_desc(&ark);
    CHECK_DONE(cosm_save_write(snapshot, ark_path("objects"), &save));
    cosm_error_clear();
    CHECK(cosm_save_read(ark.engine, ark_path("objects"), NULL, NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_save_read", "component 'Word'",
                  "function in desc.objects");
    cosm_snapshot_destroy(snapshot);
    (void)remove(ark_path("objects"));
    ark_close(&ark);
}

static cosm_result refuse_save(void *context, const void *object, cosm_text_fn *write,
                               void *target) {
    (void)context;
    (void)object;
    (void)write;
    (void)target;
    return COSM_ERROR_SYSTEM;
}

static cosm_result refuse_load(void *context, const void *bytes, size_t size, void *object) {
    (void)context;
    (void)bytes;
    (void)size;
    (void)object;
    return COSM_ERROR_SYSTEM;
}

TEST(functions_for_objects_may_fail) {
    struct ark ark;
    ark_open(&ark, NULL, 1);
    ark_live(&ark, 4, 300);
    cosm_snapshot *snapshot = cosm_snapshot_create(ark.all);
    cosm_save_desc save = ark_save_desc(&ark);
    CHECK_DONE(cosm_save_write(snapshot, ark_path("fail"), &save));
    cosm_load_desc load = ark_load_desc(&ark);
    for (uint32_t i = 0; i < ark.object_count; i++) {
        cosm_save_object kept = ark.objects[i];
        ark.objects[i].save = refuse_save;
        ark.objects[i].load = refuse_load;
        CHECK_FAILS(cosm_save_write(snapshot, ark_path("fail"), &save), COSM_ERROR_SYSTEM,
                    "cosm_save_write", "returned COSM_ERROR_SYSTEM", "find out why it failed");
        cosm_error_clear();
        CHECK(cosm_save_read(ark.engine, ark_path("fail"), &load, NULL) == NULL);
        CHECK_FAILURE(COSM_ERROR_SYSTEM, "cosm_save_read", "returned COSM_ERROR_SYSTEM",
                      "find out why it failed");
        ark.objects[i] = kept;
    }
    cosm_snapshot_destroy(snapshot);
    (void)remove(ark_path("fail"));
    ark_close(&ark);
}

TEST(a_codec_packs_what_becomes_smaller) {
    struct ark ark;
    ark_open(&ark, NULL, 2);
    ark_live(&ark, 14, 200);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(ark.world, ark.mover, 20000, &rows));
    uint64_t hash = cosm_hash_batch(ark.batch, COSM_HASH_EXACT);
    cosm_snapshot *snapshot = cosm_snapshot_create(ark.all);
    cosm_save_desc save = ark_save_desc(&ark);
    CHECK_DONE(cosm_save_write(snapshot, ark_path("plain"), &save));
    save.codec = &ark_runs;
    CHECK_DONE(cosm_save_write(snapshot, ark_path("packed"), &save));
    cosm_snapshot_destroy(snapshot);
    FILE *plain = fopen(ark_path("plain"), "rb");
    FILE *packed = fopen(ark_path("packed"), "rb");
    REQUIRE(plain != NULL && packed != NULL);
    (void)fseek(plain, 0, SEEK_END);
    (void)fseek(packed, 0, SEEK_END);
    CHECK(ftell(packed) < ftell(plain) / 2);
    (void)fclose(plain);
    (void)fclose(packed);
    cosm_load_desc load = ark_load_desc(&ark);
    cosm_error_clear();
    CHECK(cosm_save_read(ark.engine, ark_path("packed"), &load, NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_save_read", "codec 'runs'", "desc.codecs");
    CHECK_DONE(cosm_world_reset(ark.world));
    load.codecs = &ark_runs;
    load.codec_count = 1;
    snapshot = cosm_save_read(ark.engine, ark_path("packed"), &load, NULL);
    REQUIRE(snapshot != NULL);
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, ark.all));
    cosm_snapshot_destroy(snapshot);
    CHECK_INT(cosm_hash_batch(ark.batch, COSM_HASH_EXACT), hash);
    (void)remove(ark_path("plain"));
    (void)remove(ark_path("packed"));
    ark_close(&ark);
}

TEST(commands_that_wait_are_not_saved) {
    struct ark ark;
    ark_open(&ark, NULL, 2);
    cosm_world second = cosm_batch_world(ark.batch, 1);
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(second, ark.mover)));
    cosm_commands *commands = cosm_commands_create(ark.batch);
    CHECK(!cosm_entity_is_none(cosm_commands_spawn(commands, second, ark.mover)));
    CHECK_FAILS(cosm_save_worlds(ark.all, ark_path("wait"), NULL), COSM_ERROR_BUSY,
                "cosm_save_worlds", "world 1", "cosm_commands_apply");
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    ark_save(&ark, ark_path("wait"));
    cosm_commands_destroy(commands);
    (void)remove(ark_path("wait"));
    ark_close(&ark);
}

TEST(a_fixed_table_that_is_too_small_is_told) {
    struct ark a;
    struct ark b;
    ark_open(&a, NULL, 1);
    ark_open(&b, &(struct ark_plan){.fixed = true}, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(a.world, a.mover, 5001, &rows));
    ark_save(&a, ark_path("fixed"));
    cosm_error_clear();
    CHECK(cosm_save_read(b.engine, ark_path("fixed"), NULL, NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_FULL, "cosm_save_read", "5001 rows of archetype 'mover'",
                  "larger max_per_world");
    (void)remove(ark_path("fixed"));
    ark_close(&a);
    ark_close(&b);
}

struct text {
    char letters[4096];
    size_t length;
};

static void take_text(void *context, const char *letters, size_t length) {
    struct text *text = context;
    if (text->length + length < sizeof(text->letters)) {
        memcpy(text->letters + text->length, letters, length);
        text->length += length;
        text->letters[text->length] = '\0';
    }
}

TEST(a_file_tells_what_is_in_it) {
    struct ark ark;
    ark_open(&ark, NULL, 2);
    CHECK_DONE(cosm_batch_step(ark.batch));
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(ark.world, ark.mover, 3000, &rows));
    cosm_entity first = rows.entities[0];
    CHECK_DONE(cosm_entity_set(ark.world, first, ark.crew, &(Crew){.kind = 1}));
    CHECK_DONE(cosm_entity_set(ark.world, first, ark.heat, &(float){1}));
    ark_save(&ark, ark_path("tell"));
    ark_close(&ark);
    static struct text text;
    CHECK_DONE(cosm_save_describe(ark_path("tell"), NULL, take_text, &text));
    CHECK_CONTAINS(text.letters, "save file, format 1, ");
    CHECK_CONTAINS(text.letters, "codec none\n");
    CHECK_CONTAINS(text.letters, "component Position: 12 bytes, column\n    x f32 at 0\n");
    CHECK_CONTAINS(text.letters, "    kind u8 at 0, 2 labels\n");
    CHECK_CONTAINS(text.letters, "component Heat: 4 bytes, sector\n");
    CHECK_CONTAINS(text.letters, "singleton Wind: 8 bytes\n");
    CHECK_CONTAINS(text.letters, "archetype Position, Velocity\n");
    CHECK_CONTAINS(text.letters, "sector group Heat, Note\n");
    CHECK_CONTAINS(text.letters, "worlds: 2, entities: 3000, step 1, seed 11\n");
    CHECK_CONTAINS(text.letters, "blocks SCHM: 1, ");
    CHECK_CONTAINS(text.letters, "blocks COLM: 3, ");
    (void)remove(ark_path("tell"));
}

TEST(wrong_arguments_are_told) {
    struct ark ark;
    ark_open(&ark, NULL, 1);
    cosm_snapshot *snapshot = cosm_snapshot_create(ark.all);
    struct text text = {"", 0};
    CHECK_FAILS(cosm_save_write(NULL, "x", NULL), COSM_ERROR_ARGUMENT, "cosm_save_write",
                "snapshot is NULL", "cosm_snapshot_create");
    CHECK_FAILS(cosm_save_write(snapshot, NULL, NULL), COSM_ERROR_ARGUMENT, "cosm_save_write",
                "path is NULL", "path of a file");
    CHECK_FAILS(cosm_save_write_to(snapshot, NULL, NULL, NULL), COSM_ERROR_ARGUMENT,
                "cosm_save_write_to", "write is NULL", "receives the bytes");
    cosm_codec bad = ark_runs;
    bad.name = "a name of sixteen";
    CHECK_FAILS(cosm_save_write_to(snapshot, &(cosm_save_desc){.codec = &bad}, take_text, &text),
                COSM_ERROR_ARGUMENT, "cosm_save_write_to", "a name of sixteen", "set all fields");
    bad = ark_runs;
    bad.unpack = NULL;
    CHECK_FAILS(cosm_save_describe("x", &(cosm_load_desc){.codecs = &bad, .codec_count = 1},
                                   take_text, &text),
                COSM_ERROR_ARGUMENT, "cosm_save_describe", "'runs'", "set all fields");
    CHECK_FAILS(
        cosm_save_write_to(snapshot, &(cosm_save_desc){.object_count = 1}, take_text, &text),
        COSM_ERROR_ARGUMENT, "cosm_save_write_to", "desc.objects is NULL", "object_count");
    cosm_save_object stray = {.component = {4000}};
    CHECK_FAILS(cosm_save_write_to(snapshot,
                                   &(cosm_save_desc){.objects = &stray, .object_count = 1},
                                   take_text, &text),
                COSM_ERROR_ARGUMENT, "cosm_save_write_to", "is 4000", "cosm_component_define");
    cosm_error_clear();
    CHECK(cosm_save_read(NULL, "x", NULL, NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_save_read", "engine is NULL", "cosm_engine_create");
    CHECK(cosm_save_read(ark.engine, NULL, NULL, NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_save_read", "path is NULL", "path of a file");
    CHECK(cosm_save_read_bytes(ark.engine, NULL, 4, NULL, NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_save_read_bytes", "bytes is NULL", "bytes of a file");
    CHECK(cosm_save_read_bytes(ark.engine, NULL, 0, NULL, NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_FORMAT, "cosm_save_read_bytes", "file header", "use a complete file");
    CHECK_FAILS(cosm_save_describe(NULL, NULL, take_text, &text), COSM_ERROR_ARGUMENT,
                "cosm_save_describe", "path is NULL", "path of a file");
    CHECK_FAILS(cosm_save_describe("x", NULL, NULL, NULL), COSM_ERROR_ARGUMENT,
                "cosm_save_describe", "write is NULL", "receives the text");
    cosm_snapshot_destroy(snapshot);
    ark_close(&ark);
}

static void save_inside(const cosm_turn *turn) {
    CHECK_FAILS(cosm_save_worlds(turn->worlds, "never.cosm", NULL), COSM_ERROR_BUSY,
                "cosm_save_worlds:", "the batch is running", "between steps");
    CHECK_FAILS(cosm_load_worlds(turn->worlds, "never.cosm", NULL, NULL), COSM_ERROR_IO,
                "cosm_load_worlds:", "'never.cosm'", "path");
}

TEST(saving_and_loading_worlds_fail_under_their_own_names) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_system_desc desc = {.name = "saver", .run = save_inside};
    CHECK(cosm_system_define(box.engine, &desc).id != 0);
    CHECK_INT(cosm_batch_step(box.batch), COSM_ERROR_BUSY);
    CHECK_FAILS(cosm_save_worlds(cosm_worlds_all(box.batch), "no/such/folder.cosm", NULL),
                COSM_ERROR_IO, "cosm_save_worlds:", "no/such/folder.cosm", "path");
    fixture_close(&box);
}
