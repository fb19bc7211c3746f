// Hashes that are noted in pieces of images: good only for what they were made of.
#include <stddef.h>
#include <string.h>

#include "api/engine.h"
#include "harness.h"
#include "state/hash.h"
#include "support/sandbox.h"

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

// A table of pieces that come from two others, as the dice say; or of copies of them, which know no
// hashes.
static struct table_image *mix_tables(const struct table_image *a, const struct table_image *b,
                                      uint64_t seed, bool copied) {
    struct dice dice = {seed};
    struct table_image *mixed = cosmi_table_image_create(&memory, a->archetype, a->count, false);
    for (uint32_t i = 0; i < mixed->piece_count; i++) {
        struct piece *piece = (dice_roll(&dice, 2) == 0 ? a : b)->pieces[i];
        mixed->pieces[i] = piece == NULL ? NULL
                           : copied      ? cosmi_piece_copy(&memory, piece->bytes, piece->size)
                                         : piece_keep(piece);
    }
    return mixed;
}

static uint64_t hash_with(const struct world_image *image, struct table_image *table,
                          const struct schema *schema, uint32_t kind) {
    struct world_image world = *image;
    world.tables = &table;
    world.table_count = 1;
    struct hash_view view = {schema, NULL, &world, 0};
    return cosmi_hash_view(&view, (cosm_hash_kind)kind);
}

TEST(notes_of_pieces_that_come_together_anew_are_not_taken_for_good) {
    CHECK(cosmi_memory_init(&memory, &(cosm_allocator){.context = NULL}, 0));
    struct sandbox box;
    sandbox_open(&box, 1);
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
    const struct table_image *one = image->tables[0];
    const struct table_image *other = snapshots[1]->worlds[0]->tables[0];
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct table_image *mixed = mix_tables(one, other, seed, false);
        struct table_image *copied = mix_tables(one, other, seed, true);
        for (uint32_t k = 0; k < KIND_COUNT; k++) {
            // Twice: what is noted now, over what was, is good for this one.
            for (int i = 0; i < 2; i++) {
                CHECK_INT(hash_with(image, mixed, snapshots[0]->schema, k),
                          hash_with(image, copied, snapshots[0]->schema, k));
            }
        }
        cosmi_table_image_give(&memory, mixed);
        cosmi_table_image_give(&memory, copied);
    }
    cosm_snapshot_destroy(snapshots[0]);
    cosm_snapshot_destroy(snapshots[1]);
    sandbox_close(&box);
}

// Packed tables, trees, sectors and singletons are covered by the histories of hash_storages.c;
// here is that a note is not taken for that of another table.
TEST(a_note_is_good_for_its_own_check_only) {
    CHECK(cosmi_memory_init(&memory, &(cosm_allocator){.context = NULL}, 0));
    struct piece *piece = cosmi_piece_copy(&memory, "abc", 3);
    uint64_t hash = 1;
    CHECK(!piece_knows(piece, NOTE_EXACT, 0, &hash));
    piece_note(piece, NOTE_EXACT, 6, 55);
    CHECK(piece_knows(piece, NOTE_EXACT, 6, &hash));
    CHECK_INT(hash, 55);
    CHECK(!piece_knows(piece, NOTE_EXACT, 8, &hash));
    CHECK(!piece_knows(piece, NOTE_CONTENT, 6, &hash));
    // The first word of one writer, the second of another.
    uint64_t second = atomic_load(&piece->hashes[1]);
    piece_note(piece, NOTE_EXACT, 8, 77);
    atomic_store(&piece->hashes[1], second);
    CHECK(!piece_knows(piece, NOTE_EXACT, 6, &hash));
    CHECK(!piece_knows(piece, NOTE_EXACT, 8, &hash));
    cosmi_piece_give(&memory, piece);
}
