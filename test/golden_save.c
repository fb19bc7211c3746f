// Save files of every format there was: they load, and mean what they meant.
//
// The files are in test/golden/save. They were written by the last test of this file, which does so
// when COSM_GOLDEN_WRITE is set in the environment: run it once when there is a new format, with
// new names, and never again for the old ones.
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/ark.h"

#define GOLDEN_ALL "format-1-all.cosm"         // all storages, two worlds
#define GOLDEN_COLUMNS "format-1-columns.cosm" // large tables, split and whole
#define GOLDEN_PACKED "format-1-packed.cosm"   // the same with the codec "runs"
#define GOLDEN_WORLDS "format-1-worlds.cosm"   // forty small worlds

static const char *golden_path(const char *name) {
    static char path[512];
    const char *source = getenv("COSM_SOURCE_DIR");
    (void)snprintf(path, sizeof(path), "%s/test/golden/save/%s", source == NULL ? "." : source,
                   name);
    return path;
}

static void golden_load(struct ark *ark, const char *name) {
    cosm_load_desc load = ark_load_desc(ark);
    load.codecs = &ark_runs;
    load.codec_count = 1;
    cosm_save_report report = {.format = 0};
    cosm_snapshot *snapshot = cosm_save_read(ark->engine, golden_path(name), &load, &report);
    if (!harness_check(__FILE__, __LINE__, cosm_error_message(), snapshot != NULL)) {
        return;
    }
    CHECK_INT(report.format, 1);
    CHECK_INT(report.same_count, report.component_count);
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, ark->all));
    cosm_snapshot_destroy(snapshot);
    CHECK_VALID(ark->batch);
}

// What the files were made of.
static void live_all(struct ark *ark) {
    CHECK_DONE(cosm_batch_step(ark->batch));
    ark_live(ark, 1, 300);
}

static void live_columns(struct ark *ark) {
    ark_fill(ark, 2500);
}

static void live_worlds(struct ark *ark) {
    ark_live(ark, 3, 15);
}

TEST(a_file_of_format_1_with_all_storages_loads) {
    struct ark ark;
    struct ark same;
    ark_open(&ark, &(struct ark_plan){.backwards = true}, 2);
    ark_open(&same, NULL, 2);
    golden_load(&ark, GOLDEN_ALL);
    live_all(&same);
    CHECK_INT(cosm_batch_step_count(ark.batch), 1);
    CHECK_INT(cosm_world_entity_count(ark.world), 27);
    CHECK_INT(cosm_hash_batch(ark.batch, COSM_HASH_EXACT),
              cosm_hash_batch(same.batch, COSM_HASH_EXACT));
    ark_close(&ark);
    ark_close(&same);
}

TEST(files_of_format_1_with_large_tables_load) {
    static const char *const names[] = {GOLDEN_COLUMNS, GOLDEN_PACKED};
    for (int i = 0; i < 4; i++) {
        struct ark ark;
        ark_open(&ark, &(struct ark_plan){.split = i >= 2}, 1);
        golden_load(&ark, names[i % 2]);
        CHECK_INT(cosm_world_entity_count(ark.world), 2500);
        // Every seventh has a place, and every third of these a crew.
        for (uint32_t id = 0; id < 2500; id++) {
            cosm_entity entity = {1, id};
            Position position = {0, 0, 0};
            Crew crew = {.kind = 0};
            CHECK(cosm_entity_get(ark.world, entity, ark.position, &position));
            CHECK(position.x == (id % 7 == 0 ? (float)id : 0));
            bool has_crew = id % 21 == 0;
            CHECK_INT(cosm_entity_get(ark.world, entity, ark.crew, &crew), has_crew);
            CHECK(!has_crew || (crew.number == id * 3 && crew.mass == (float)id));
        }
        ark_close(&ark);
    }
}

TEST(a_file_of_format_1_with_many_worlds_loads) {
    struct ark ark;
    struct ark same;
    ark_open(&ark, &(struct ark_plan){.split = true}, 40);
    ark_open(&same, NULL, 40);
    golden_load(&ark, GOLDEN_WORLDS);
    live_worlds(&same);
    CHECK_INT(cosm_hash_batch(ark.batch, COSM_HASH_EXACT),
              cosm_hash_batch(same.batch, COSM_HASH_EXACT));
    ark_close(&ark);
    ark_close(&same);
}

static void golden_write(const struct ark_plan *plan, uint32_t worlds, void (*live)(struct ark *),
                         const char *name, const cosm_codec *codec) {
    struct ark ark;
    ark_open(&ark, plan, worlds);
    live(&ark);
    cosm_save_desc save = ark_save_desc(&ark);
    save.codec = codec;
    cosm_snapshot *snapshot = cosm_snapshot_create(ark.all);
    CHECK_DONE(cosm_save_write(snapshot, golden_path(name), &save));
    cosm_snapshot_destroy(snapshot);
    ark_close(&ark);
}

TEST(golden_files_are_written_when_somebody_asks_for_it) {
    if (getenv("COSM_GOLDEN_WRITE") == NULL) {
        return;
    }
    golden_write(NULL, 2, live_all, GOLDEN_ALL, NULL);
    golden_write(&(struct ark_plan){.half_split = true}, 1, live_columns, GOLDEN_COLUMNS, NULL);
    golden_write(NULL, 1, live_columns, GOLDEN_PACKED, &ark_runs);
    golden_write(NULL, 40, live_worlds, GOLDEN_WORLDS, NULL);
}
