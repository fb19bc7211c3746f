// Save files that are packed: smaller, equal when read, and nothing without the codec.
#include <cosm_zstd/codec.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"
#include "support/shelf.h"

#define COUNT 30000u

// Movers whose places are round numbers, and one of them without a velocity.
static void fill_box(struct fixture *box) {
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box->world, box->mover, COUNT, &rows));
    Position *position = cosm_rows_column(&rows, box->position);
    for (uint32_t i = 0; i < rows.count; i++) {
        position[i] = (Position){(float)(i % 100), (float)(i / 100) * 0.25f, 0};
    }
    cosm_entity entity = fixture_spawn(box, 5);
    CHECK_DONE(cosm_entity_remove(box->world, entity, box->velocity));
}

TEST(a_packed_file_is_smaller_and_reads_as_the_same_state) {
    struct fixture box;
    struct shelf plain = {.bytes = NULL};
    fixture_open(&box, 0, 3);
    fill_box(&box);
    uint64_t hash = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    shelf_save(&plain, box.batch, NULL);
    const int levels[] = {1, COSM_ZSTD_LEVEL_DEFAULT, 9};
    size_t before = plain.size;
    for (uint32_t i = 0; i < 3; i++) {
        struct shelf packed = {.bytes = NULL};
        shelf_save(&packed, box.batch, &(cosm_save_desc){.codec = cosm_zstd_codec_at(levels[i])});
        CHECK(packed.size < before / 4);
        struct fixture other;
        fixture_open(&other, 0, 3);
        cosm_save_report report;
        CHECK(shelf_load(&packed, other.batch,
                         &(cosm_load_desc){.codecs = cosm_zstd_codec(), .codec_count = 1},
                         &report));
        CHECK_INT(cosm_hash_batch(other.batch, COSM_HASH_EXACT), hash);
        CHECK_INT(report.same_count, report.component_count);
        fixture_close(&other);
        shelf_free(&packed);
    }
    shelf_free(&plain);
    fixture_close(&box);
}

TEST(a_packed_file_needs_the_codec_and_the_message_names_it) {
    struct fixture box;
    struct shelf packed = {.bytes = NULL};
    fixture_open(&box, 0, 1);
    fill_box(&box);
    uint64_t hash = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    shelf_save(&packed, box.batch, &(cosm_save_desc){.codec = cosm_zstd_codec()});
    cosm_error_clear();
    CHECK(!shelf_load(&packed, box.batch, NULL, NULL));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_save_read_bytes", "zstd", "desc.codecs");
    // Another one is of no help.
    cosm_codec other = *cosm_zstd_codec();
    other.name = "other";
    cosm_error_clear();
    CHECK(!shelf_load(&packed, box.batch, &(cosm_load_desc){.codecs = &other, .codec_count = 1},
                      NULL));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_save_read_bytes", "zstd", "desc.codecs");
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), hash);
    cosm_codec list[2] = {other, *cosm_zstd_codec()};
    CHECK(
        shelf_load(&packed, box.batch, &(cosm_load_desc){.codecs = list, .codec_count = 2}, NULL));
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), hash);
    shelf_free(&packed);
    fixture_close(&box);
}

TEST(damage_to_a_packed_file_is_found_wherever_it_is) {
    struct fixture box;
    struct shelf packed = {.bytes = NULL};
    fixture_open(&box, 0, 1);
    fill_box(&box);
    shelf_save(&packed, box.batch, &(cosm_save_desc){.codec = cosm_zstd_codec()});
    const cosm_load_desc desc = {.codecs = cosm_zstd_codec(), .codec_count = 1};
    struct dice dice = {harness_seed()};
    for (uint32_t i = 0; i < 300; i++) {
        size_t at = dice_next(&dice) % packed.size;
        char was = packed.bytes[at];
        packed.bytes[at] = (char)(was ^ (1 << dice_roll(&dice, 8)));
        cosm_snapshot *snapshot =
            cosm_save_read_bytes(box.engine, packed.bytes, packed.size, &desc, NULL);
        CHECK(snapshot == NULL);
        cosm_snapshot_destroy(snapshot);
        packed.bytes[at] = was;
        // Cut off, in a block of its own length for the address sanitizer.
        size_t size = dice_next(&dice) % packed.size;
        char *copy = malloc(size + 1);
        memcpy(copy, packed.bytes, size);
        CHECK(cosm_save_read_bytes(box.engine, copy, size, &desc, NULL) == NULL);
        free(copy);
    }
    CHECK(shelf_load(&packed, box.batch, &desc, NULL));
    shelf_free(&packed);
    fixture_close(&box);
}
