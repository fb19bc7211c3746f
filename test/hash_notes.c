// Hashes that are noted in blobs of images: good only for what they were made of.
#include <stddef.h>
#include <string.h>

#include "api/engine.h"
#include "harness.h"
#include "state/hash.h"
#include "support/fixture.h"

typedef struct Pair {
    uint8_t a;
    double b;
} Pair;

static const cosm_field pair_fields[] = {
    {.name = "a", .type = COSM_FIELD_U8, .offset = offsetof(Pair, a)},
    {.name = "b", .type = COSM_FIELD_F64, .offset = offsetof(Pair, b)},
};

#define ROW_COUNT 1500u
#define KIND_COUNT 2u

static struct memory memory;

// A table of blobs that come from two others, as the dice say; or of copies of them, which know no
// hashes.
static struct part *mix_tables(const struct part *a, const struct part *b, uint64_t seed,
                               bool copied) {
    struct dice dice = {seed};
    struct part *mixed = cosmi_part_create(&memory, a);
    for (uint32_t i = 0; i < mixed->blob_count; i++) {
        struct blob *blob = (dice_roll(&dice, 2) == 0 ? a : b)->blobs[i];
        mixed->blobs[i] = blob == NULL ? NULL
                          : copied     ? cosmi_blob_copy(&memory, blob->bytes, blob->size)
                                       : blob_retain(blob);
    }
    return mixed;
}

static uint64_t hash_with(const struct world_image *image, struct part *table,
                          const struct schema *schema, uint32_t kind) {
    struct world_image *world = cosmi_image_create(&memory, image->part_count);
    for (uint32_t i = 0; i < image->part_count; i++) {
        struct part *part = image->parts[i];
        cosmi_image_add(world, part_retain(part->kind == PART_TABLE ? table : part));
    }
    cosmi_image_seal(world);
    world->stream = image->stream;
    struct view view = view_of_image(schema, world);
    uint64_t hash = cosmi_hash_view(&view, (cosm_hash_kind)kind);
    cosmi_image_release(&memory, world);
    return hash;
}

TEST(notes_of_blobs_that_come_together_anew_are_not_taken_for_good) {
    CHECK(cosmi_memory_init(&memory, &(cosm_allocator){.context = NULL}, 0));
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component pair =
        cosm_component_define(box.engine, &(cosm_component_desc){.name = "Pair",
                                                                 .size = sizeof(Pair),
                                                                 .alignment = _Alignof(Pair),
                                                                 .fields = pair_fields,
                                                                 .field_count = 2,
                                                                 .layout = COSM_LAYOUT_SPLIT});
    cosm_archetype couple = cosm_archetype_define(
        box.engine,
        &(cosm_archetype_desc){.name = "couple", .components = {pair, box.position, box.mark}});
    cosm_snapshot *snapshots[2];
    for (uint32_t s = 0; s < 2; s++) {
        cosm_rows rows;
        CHECK_DONE(cosm_world_reset(box.world));
        CHECK_DONE(cosm_entity_spawn_many(box.world, couple, ROW_COUNT, &rows));
        for (uint32_t i = 0; i < ROW_COUNT; i++) {
            Pair value = {.a = (uint8_t)(i * (s + 2u)), .b = i * (s + 3.0)};
            Position position = {(float)i, (float)s, 0};
            CHECK_DONE(cosm_rows_set(&rows, i, pair, &value));
            CHECK_DONE(cosm_rows_set(&rows, i, box.position, &position));
        }
        snapshots[s] = cosm_snapshot_create(box.all);
        for (uint32_t k = 0; k < KIND_COUNT; k++) {
            CHECK_INT(cosm_hash_snapshot(snapshots[s], (cosm_hash_kind)k),
                      cosm_hash_batch(box.batch, (cosm_hash_kind)k));
        }
    }
    const struct world_image *image = snapshots[0]->worlds[0];
    const struct part *one = image_part(image, PART_TABLE, 0);
    const struct part *other = image_part(snapshots[1]->worlds[0], PART_TABLE, 0);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct part *mixed = mix_tables(one, other, seed, false);
        struct part *copied = mix_tables(one, other, seed, true);
        for (uint32_t k = 0; k < KIND_COUNT; k++) {
            // Twice: what is noted now, over what was, is good for this one.
            for (int i = 0; i < 2; i++) {
                CHECK_INT(hash_with(image, mixed, snapshots[0]->schema, k),
                          hash_with(image, copied, snapshots[0]->schema, k));
            }
        }
        cosmi_part_release(&memory, mixed);
        cosmi_part_release(&memory, copied);
    }
    cosm_snapshot_destroy(snapshots[0]);
    cosm_snapshot_destroy(snapshots[1]);
    fixture_close(&box);
}

// Packed tables, trees, sectors and singletons are covered by the histories of hash_storages.c;
// here is that a note is not taken for that of another table.
TEST(a_note_is_good_for_its_own_check_only) {
    CHECK(cosmi_memory_init(&memory, &(cosm_allocator){.context = NULL}, 0));
    struct blob *blob = cosmi_blob_copy(&memory, "abc", 3);
    uint64_t hash = 1;
    CHECK(!blob_knows(blob, NOTE_EXACT, 0, &hash));
    blob_note(blob, NOTE_EXACT, 6, 55);
    CHECK(blob_knows(blob, NOTE_EXACT, 6, &hash));
    CHECK_INT(hash, 55);
    CHECK(!blob_knows(blob, NOTE_EXACT, 8, &hash));
    CHECK(!blob_knows(blob, NOTE_CONTENT, 6, &hash));
    // The first word of one writer, the second of another.
    uint64_t second = atomic_load(&blob->hashes[1]);
    blob_note(blob, NOTE_EXACT, 8, 77);
    atomic_store(&blob->hashes[1], second);
    CHECK(!blob_knows(blob, NOTE_EXACT, 6, &hash));
    CHECK(!blob_knows(blob, NOTE_EXACT, 8, &hash));
    cosmi_blob_release(&memory, blob);
}
