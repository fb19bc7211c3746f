// Images with flaws: what cosmi_image_check lets through can be restored and lived on with,
// whatever was done to the bytes; and each flaw is found for what it is.
#include <stdio.h>
#include <string.h>

#include "api/snapshot.h"
#include "harness.h"
#include "state/image.h"
#include "state/shared_order.h"
#include "support/history.h"
#include "support/ledger.h"

static struct history history;

static struct memory *image_memory(void) {
    return &history.box.engine->memory;
}

static struct blob *clone_blob(const struct blob *blob) {
    return blob == NULL ? NULL : cosmi_blob_copy(image_memory(), blob->bytes, blob->size);
}

static struct part *clone_part(const struct part *part) {
    struct part *clone = cosmi_part_create(image_memory(), part);
    for (uint32_t i = 0; i < part->blob_count; i++) {
        clone->blobs[i] = clone_blob(part->blobs[i]);
    }
    for (uint32_t i = 0; i < part->object_count; i++) {
        clone->objects[i] = object_retain(part->objects[i]);
    }
    return clone;
}

// An image that shares nothing with another one, but objects.
static struct world_image *clone_image(const struct world_image *image) {
    struct world_image *clone = cosmi_image_create(image_memory(), image->part_count);
    clone->stream = image->stream;
    for (uint32_t i = 0; i < image->part_count; i++) {
        cosmi_image_add(clone, clone_part(image->parts[i]));
    }
    cosmi_image_seal(clone);
    return clone;
}

static struct ids_words *ids_of(struct world_image *image) {
    return &image->parts[image->first[PART_IDS]]->ids;
}

static struct part *table_of(const struct world_image *image, uint32_t i) {
    return image_part(image, PART_TABLE, i);
}

static struct blob *order_of(const struct world_image *image) {
    return image_only(image, PART_GROUPS)->blobs[0];
}

#define order_count(image) (image_only(image, PART_GROUPS)->groups.count)

// Takes the one part of a kind out of an image, whose reference is the caller's.
static void drop_part(struct world_image *image, uint32_t kind) {
    for (uint32_t i = image->first[kind]; i + 1 < image->part_count; i++) {
        image->parts[i] = image->parts[i + 1];
    }
    image->part_count--;
    cosmi_image_seal(image);
}

static uint32_t *words_of(struct blob *blob) {
    return blob_fill(blob);
}

static cosm_result check_clone(const struct world_image *image) {
    cosm_error_clear();
    return cosmi_image_check(&history.box.engine->schema, &history.box.engine->sink, "a_test",
                             image, 7, NULL);
}

// A number that may do harm: near the old one, or one of those with a meaning.
static uint32_t odd_number(struct dice *dice, uint32_t old) {
    static const uint32_t known[] = {0,       1,           2,           0xFFFFFFFFu, 0xFFFFFFFEu,
                                     0xFFFFu, GROUP_FIRST, 0xFFFFFFFDu, 128,         1u << 28};
    switch (dice_roll(dice, 4)) {
    case 0:
        return old + 1;
    case 1:
        return old - 1;
    case 2:
        return known[dice_roll(dice, sizeof(known) / sizeof(*known))];
    default:
        return dice_roll(dice, 40);
    }
}

static void harm_word(struct dice *dice, uint32_t *word) {
    *word = odd_number(dice, *word);
}

static void harm_blob(struct dice *dice, struct blob *blob) {
    if (blob != NULL && blob->size >= 4) {
        harm_word(dice, &words_of(blob)[dice_roll(dice, (uint32_t)(blob->size / 4))]);
    }
}

// Two words that change places say something that each of them may.
static void swap_words(struct dice *dice, struct blob *blob) {
    uint32_t count = blob == NULL ? 0 : (uint32_t)(blob->size / 4);
    if (count > 0) {
        uint32_t *a = &words_of(blob)[dice_roll(dice, count)];
        uint32_t *b = &words_of(blob)[dice_roll(dice, count)];
        uint32_t word = *a;
        *a = *b;
        *b = word;
    }
}

// Words of parts of which there are few are harmed as often as blobs, whose words are many.
static void harm(struct dice *dice, struct world_image *image) {
    struct part *part = image->parts[dice_roll(dice, image->part_count)];
    struct blob *blob =
        part->blob_count == 0 ? NULL : part->blobs[dice_roll(dice, part->blob_count)];
    switch (dice_roll(dice, 8)) {
    case 0:
        harm_word(dice, &part->key);
        break;
    case 1:
    case 2:
        harm_word(dice, &part->words[dice_roll(dice, PART_WORDS)]);
        break;
    case 3:
        swap_words(dice, blob);
        break;
    case 4:
        if (blob != NULL && part->kind == PART_GROUPS) {
            blob->size -= blob->size > 4 ? 4 : 0; // it was taken longer: put right in the end
        }
        break;
    default:
        harm_blob(dice, blob);
        break;
    }
}

// What was made longer or shorter is released as it was taken.
static void put_right(struct world_image *image, const struct world_image *good) {
    for (uint32_t i = 0; i < image->part_count && i < good->part_count; i++) {
        struct part *part = image->parts[i];
        bool is_longer = part->kind == PART_GROUPS || part->kind == PART_TREE;
        if (is_longer && part->kind == good->parts[i]->kind && part->blobs[0] != NULL) {
            part->blobs[0]->size = good->parts[i]->blobs[0]->size;
        }
    }
}

// Restores what was let through, and lives on with it.
static void live_with(struct world_image *image, uint32_t turn) {
    cosm_snapshot *snapshot = cosmi_snapshot_new(history.box.engine, 1, "a_test");
    snapshot->worlds[0] = image;
    atomic_fetch_add(&image->refs, 1);
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, cosm_worlds_one(history.box.world)));
    CHECK_VALID(history.box.batch);
    cosm_snapshot *again = cosm_snapshot_create(cosm_worlds_one(history.box.world));
    CHECK_INT(check_clone(again->worlds[0]), COSM_OK);
    cosm_snapshot_destroy(again);
    history.mind.dice.state += turn;
    history_play(&history, 6);
    CHECK_VALID(history.box.batch);
    cosm_snapshot_destroy(snapshot);
}

TEST(an_image_with_a_flaw_is_refused_or_can_be_lived_with) {
    uint32_t refused = 0;
    uint32_t passed = 0;
    for (uint32_t game = 0; game < (harness_is_long() ? 100u : 8u); game++) {
        struct dice dice = {harness_seed() + game};
        history_open(&history, harness_seed() + game, NULL);
        history_play(&history, 40 + 10 * game % 100);
        cosm_snapshot *good = cosm_snapshot_create(history.box.all);
        CHECK_INT(check_clone(good->worlds[0]), COSM_OK);
        for (uint32_t turn = 0; turn < 400; turn++) {
            struct world_image *image = clone_image(good->worlds[0]);
            for (uint32_t i = dice_roll(&dice, 3); i < 3; i++) {
                harm(&dice, image);
            }
            cosm_result result = check_clone(image);
            refused += result == COSM_ERROR_FORMAT;
            if (result == COSM_OK) {
                passed++;
                live_with(image, turn);
            } else {
                CHECK_FAILURE(COSM_ERROR_FORMAT, "a_test", "world 7", "get another copy");
            }
            // The world's base may have it too: with its right figures.
            put_right(image, good->worlds[0]);
            cosmi_image_release(image_memory(), image);
        }
        cosm_error_clear();
        cosm_snapshot_destroy(good);
        history_close(&history);
    }
    CHECK(refused > 1000);
    CHECK(passed > 20);
}

// A world in which everything that can be named wrongly is there:
//   ids 0 .. 5: players of colors 0, 0, 1, 2, 2 and a hero of color 0; 1 has gone, so has color 1.
//   the tree: 0 {3, 4}, 4 {5}
static struct world_image *small_image(void) {
    struct fixture *box = &history.box;
    cosm_entity entities[6];
    history_open(&history, 1, NULL);
    for (uint32_t i = 0; i < 5; i++) {
        static const uint32_t colors[] = {0, 0, 1, 2, 2};
        entities[i] = spawn_player(box, box->world, colors[i], 0);
    }
    entities[5] = cosm_entity_spawn(box->world, box->hero);
    CHECK_DONE(cosm_entity_despawn(box->world, entities[1]));
    CHECK_DONE(cosm_entity_despawn(box->world, entities[2]));
    CHECK_DONE(cosm_tree_set_parent(box->world, entities[3], entities[0]));
    CHECK_DONE(cosm_tree_set_parent(box->world, entities[4], entities[0]));
    CHECK_DONE(cosm_tree_set_parent(box->world, entities[5], entities[4]));
    cosm_snapshot *snapshot = cosm_snapshot_create(box->all);
    struct world_image *image = clone_image(snapshot->worlds[0]);
    cosm_snapshot_destroy(snapshot);
    return image;
}

static void small_close(struct world_image *image) {
    cosmi_image_release(image_memory(), image);
    cosm_error_clear();
    history_close(&history);
}

static struct record *record_of(struct world_image *image, uint32_t id) {
    return (struct record *)(uintptr_t)image_record(image, id);
}

static struct link *link_of(struct world_image *image, uint32_t id) {
    return (struct link *)blob_fill(image_only(image, PART_TREE)->blobs[0]) + id;
}

// Is a flaw found for what it is? It is undone when the checks are.
#define CHECK_FLAW(flaw, image, sentence)                                                          \
    do {                                                                                           \
        struct world_image *held = clone_image(image);                                             \
        flaw;                                                                                      \
        CHECK_INT(check_clone(image), COSM_ERROR_FORMAT);                                          \
        CHECK_CONTAINS(cosm_error_message(), sentence);                                            \
        struct world_image *spoilt = image;                                                        \
        image = held;                                                                              \
        put_right(spoilt, image);                                                                  \
        cosmi_image_release(image_memory(), spoilt);                                               \
    } while (0)

TEST(flaws_of_ids_are_found) {
    struct world_image *image = small_image();
    CHECK_INT(check_clone(image), COSM_OK);
    CHECK_INT(ids_of(image)->free_count, 2);
    CHECK_FLAW(ids_of(image)->used = 7, image, "more ids than");
    CHECK_FLAW(ids_of(image)->known = (1u << 28) + 1, image, "than it may have");
    CHECK_FLAW(ids_of(image)->reserved_fresh = 1u << 28, image, "more ids than");
    CHECK_FLAW(ids_of(image)->free_count = 7, image, "inconsistent");
    CHECK_FLAW(ids_of(image)->reserved_free = 3, image, "inconsistent");
    CHECK_FLAW(ids_of(image)->fresh_deaths = 65536, image, "inconsistent");
    CHECK_FLAW(ids_of(image)->known = 5; ids_of(image)->used = 5, image, "wrong number of bytes");
    CHECK_FLAW(ids_of(image)->alive = 5, image, "do not add up");
    CHECK_FLAW(ids_of(image)->free_head = 1, image, "ends too early");
    CHECK_FLAW(record_of(image, 1)->row = 2, image, "has a cycle");
    CHECK_FLAW(record_of(image, 2)->row = 0, image, "is not free");
    CHECK_FLAW(ids_of(image)->free_head = ID_NONE, image, "ends too early");
    CHECK_FLAW(record_of(image, 1)->table = 3, image, "is invalid");
    CHECK_FLAW(record_of(image, 1)->gen = GEN_RETIRED, image, "do not add up");
    CHECK_FLAW(record_of(image, 0)->gen = 0xFFFFFFFFu, image, "is invalid");
    CHECK_FLAW(record_of(image, 0)->gen += 2, image, "not where its record says");
    CHECK_FLAW(record_of(image, 0)->row = 1, image, "not where its record says");
    CHECK_FLAW(record_of(image, 3)->table++, image, "not where its record says");
    CHECK_FLAW(ids_of(image)->reserved_free = 1;
               ids_of(image)->reserved_cursor = 2, image, "reserved ids");
    // Promises that are told right pass.
    ids_of(image)->reserved_free = 1;
    ids_of(image)->reserved_cursor = 1;
    CHECK_INT(check_clone(image), COSM_OK);
    small_close(image);
}

TEST(flaws_of_tables_are_found) {
    struct world_image *image = small_image();
    CHECK_INT(image_count(image, PART_TABLE), 3);
    CHECK_FLAW(table_of(image, 0)->table.count = 0, image, "or none");
    CHECK_FLAW(table_of(image, 0)->table.count = 3, image, "wrong number of bytes");
    CHECK_FLAW(table_of(image, 0)->table.count = 1000, image, "number of blobs");
    CHECK_FLAW(table_of(image, 0)->key = table_of(image, 0)->archetype->id, image,
               "a group without shared values");
    CHECK_FLAW(table_of(image, 2)->key = 0xFFFFFFFEu, image, "too large");
    CHECK_FLAW(cosm_entity *e = blob_fill(table_of(image, 0)->blobs[0]);
               e->gen++, image, "not alive");
    CHECK_FLAW(cosm_entity *e = blob_fill(table_of(image, 0)->blobs[0]);
               e->id = 99, image, "not alive");
    CHECK_FLAW(table_of(image, 2)->key = table_of(image, 0)->key, image, "one number");
    small_close(image);
}

TEST(flaws_of_trees_are_found) {
    struct world_image *image = small_image();
    CHECK_INT(image_only(image, PART_TREE)->tree.linked, 4);
    CHECK_FLAW(image_only(image, PART_TREE)->tree.linked = 3, image, "entity count");
    CHECK_FLAW(link_of(image, 0)->child_count = 1, image, "child count");
    CHECK_FLAW(link_of(image, 0)->last_child = 3, image, "child count");
    CHECK_FLAW(link_of(image, 4)->previous = ID_NONE, image, "does not know its parent");
    CHECK_FLAW(link_of(image, 4)->parent = 3, image, "does not know its parent");
    CHECK_FLAW(link_of(image, 4)->next = 3, image, "does not know its parent");
    CHECK_FLAW(link_of(image, 0)->first_child = 100000, image, "does not know its parent");
    CHECK_FLAW(link_of(image, 0)->next = 5, image, "has siblings");
    CHECK_FLAW(link_of(image, 7)->next = 5, image, "has links");
    CHECK_FLAW(link_of(image, 3)->depth = 1, image, "has a depth");
    CHECK_FLAW(link_of(image, 1)->parent = 5, image, "not alive");
    CHECK_FLAW(link_of(image, 3)->parent = ID_NONE, image, "does not know its parent");
    CHECK_FLAW(image_only(image, PART_TREE)->blobs[0]->size = 28, image, "wrong number of bytes");
    // A circle: 4 and 5 are above each other, and 0 has but 3.
    CHECK_FLAW(*link_of(image, 4) = ((struct link){5, 5, 5, ID_NONE, ID_NONE, 1, 0});
               *link_of(image, 5) = ((struct link){4, 4, 4, ID_NONE, ID_NONE, 1, 0});
               *link_of(image, 0) = ((struct link){ID_NONE, 3, 3, ID_NONE, ID_NONE, 1, 0});
               link_of(image, 3)->next = ID_NONE, image, "has a cycle");
    // A child that no list has.
    CHECK_FLAW(*link_of(image, 4) =
                   ((struct link){ID_NONE, ID_NONE, ID_NONE, ID_NONE, ID_NONE, 0, 0});
               *link_of(image, 0) = ((struct link){ID_NONE, 3, 3, ID_NONE, ID_NONE, 1, 0});
               link_of(image, 3)->next = ID_NONE, image, "not among its parent's children");
    small_close(image);
}

// The words: 4 groups of which number 1 is free (its color has gone), 3 values (color 0,
// level 7, color 2). Groups 0 (color 0), 2 (color 2) are players', 3 (color 0, level 7) is the
// hero's.
//   4 3 1 | 1 | place value next | place value next | place level next team next
enum { W_GROUPS, W_VALUES, W_FREE, W_NUMBER, W_0, W_2 = W_0 + 3, W_3 = W_2 + 3, W_END = W_3 + 5 };

TEST(flaws_of_shared_values_are_found) {
    struct world_image *image = small_image();
    CHECK_INT(order_of(image)->size, W_END * 4);
    static const uint32_t expected[W_END] = {4, 3,          1, 1, 0,          0, GROUP_NONE, 1,
                                             2, GROUP_NONE, 0, 1, GROUP_NONE, 0, GROUP_NONE};
    CHECK_MEM(order_of(image)->bytes, expected, sizeof(expected));
#define WORD(at) words_of(order_of(image))[at]
    CHECK_FLAW(order_of(image)->size = 8; order_count(image) = 2, image, "truncated");
    CHECK_FLAW(order_of(image)->size -= 2, image, "wrong number of bytes");
    CHECK_FLAW(order_of(image)->size -= 4; order_count(image)--, image, "number of groups differs");
    CHECK_FLAW(WORD(W_GROUPS) = 5, image, "number of groups differs");
    CHECK_FLAW(WORD(W_FREE) = 0xFFFFFFFFu, image, "more free group numbers");
    CHECK_FLAW(WORD(W_FREE) = 2; WORD(W_GROUPS) = 5, image, "number of groups differs");
    CHECK_FLAW(WORD(W_VALUES) = 5, image, "more values than");
    CHECK_FLAW(WORD(W_VALUES) = 4, image, "not used");
    CHECK_FLAW(WORD(W_NUMBER) = 2, image, "is in use");
    CHECK_FLAW(WORD(W_NUMBER) = 4, image, "is in use");
    CHECK_FLAW(WORD(W_0) = 1, image, "the same index");
    CHECK_FLAW(WORD(W_0) = 2, image, "the same index");
    CHECK_FLAW(WORD(W_0 + 1) = 3, image, "does not exist");
    CHECK_FLAW(WORD(W_0 + 1) = 1, image, "different values");
    CHECK_FLAW(WORD(W_0 + 1) = 2, image, "different values");
    CHECK_FLAW(WORD(W_VALUES) = 4; WORD(W_3 + 3) = 3, image, "stored twice");
    CHECK_FLAW(WORD(W_0 + 2) = 2, image, "does not have its value");
    CHECK_FLAW(WORD(W_0 + 2) = 1, image, "does not have its value");
    CHECK_FLAW(WORD(W_0 + 2) = 3, image, "does not have its value");
    CHECK_FLAW(WORD(W_0 + 2) = 0, image, "has a cycle");
    CHECK_FLAW(cosmi_part_release(image_memory(), image_only(image, PART_GROUPS));
               drop_part(image, PART_GROUPS), image, "is missing");
#undef WORD
    small_close(image);
}

// Two heroes of one color, of levels 0 and 1: the groups are linked through their color.
TEST(flaws_of_lists_of_groups_are_found) {
    history_open(&history, 1, NULL);
    struct fixture *box = &history.box;
    for (uint32_t i = 0; i < 3; i++) {
        Level level = {i};
        cosm_value value = {box->level, &level};
        CHECK(!cosm_entity_is_none(cosm_entity_spawn_with(box->world, box->hero, &value, 1)));
    }
    cosm_snapshot *snapshot = cosm_snapshot_create(box->all);
    struct world_image *image = clone_image(snapshot->worlds[0]);
    cosm_snapshot_destroy(snapshot);
    // 3 4 0 | place level next color next | ... : colors go from 2 to 1 to 0.
    enum { FIRST = 3, GROUP = 5, LEVEL = 1, COLOR = 3, NEXT = 4 };
    uint32_t *words = words_of(order_of(image));
    CHECK_INT(words[FIRST + NEXT], GROUP_NONE);
    CHECK_INT(words[FIRST + GROUP + NEXT], 0);
    CHECK_INT(words[FIRST + 2 * GROUP + NEXT], 1);
#define WORD(at) words_of(order_of(image))[at]
    CHECK_FLAW(WORD(FIRST + 2 * GROUP + NEXT) = 0, image, "in a list twice");
    CHECK_FLAW(WORD(FIRST + 2 * GROUP + NEXT) = GROUP_NONE, image, "two lists");
    CHECK_FLAW(WORD(FIRST + NEXT) = 2, image, "has a cycle");
    CHECK_FLAW(WORD(FIRST + GROUP + NEXT) = GROUP_NONE;
               WORD(FIRST + NEXT) = 0, image, "has a cycle");
    CHECK_FLAW(WORD(FIRST + LEVEL) = WORD(FIRST + GROUP + LEVEL), image, "different values");
    // Two tables of one number, with records that agree.
    CHECK_FLAW(table_of(image, 1)->key = GROUP_FIRST;
               record_of(image, 1)->table = GROUP_FIRST, image, "one number");
    // The last one has the level of the one before.
    CHECK_INT(WORD(FIRST + 2 * GROUP + LEVEL), 3);
    CHECK_FLAW(cosmi_object_release(image_memory(), table_of(image, 2)->objects[1]);
               table_of(image, 2)->objects[1] = object_retain(table_of(image, 1)->objects[1]);
               WORD(FIRST + 2 * GROUP + LEVEL) = 2; WORD(1) = 3, image, "the same values");
    small_close(image);
#undef WORD
}

TEST(a_number_of_a_group_is_free_once) {
    history_open(&history, 1, NULL);
    struct fixture *box = &history.box;
    cosm_entity entities[4];
    for (uint32_t i = 0; i < 4; i++) {
        entities[i] = spawn_player(box, box->world, i, 0);
    }
    CHECK_DONE(cosm_entity_despawn(box->world, entities[2]));
    CHECK_DONE(cosm_entity_despawn(box->world, entities[1]));
    cosm_snapshot *snapshot = cosm_snapshot_create(box->all);
    struct world_image *image = clone_image(snapshot->worlds[0]);
    cosm_snapshot_destroy(snapshot);
    uint32_t *words = words_of(order_of(image));
    CHECK_INT(words[2], 2);
    CHECK_INT(words[3], 2);
    CHECK_INT(words[4], 1);
    CHECK_INT(check_clone(image), COSM_OK);
    CHECK_FLAW(words_of(order_of(image))[3] = 1, image, "listed twice");
    small_close(image);
}

TEST(an_archetype_has_one_table_and_a_singleton_one_size) {
    history_open(&history, 1, NULL);
    struct fixture *box = &history.box;
    cosm_singleton clock =
        cosm_singleton_define(box->engine, &(cosm_singleton_desc){.name = "Clock", .size = 8});
    cosm_entity a = cosm_entity_spawn(box->world, box->plain);
    cosm_entity b = cosm_entity_spawn(box->world, box->plain);
    CHECK_DONE(cosm_entity_add(box->world, b, box->mark));
    cosm_snapshot *snapshot = cosm_snapshot_create(box->all);
    struct world_image *image = clone_image(snapshot->worlds[0]);
    cosm_snapshot_destroy(snapshot);
    CHECK_INT(check_clone(image), COSM_OK);
    CHECK_INT(image_count(image, PART_TABLE), 2);
    CHECK_FLAW(struct blob *small = cosmi_blob_create(image_memory(), 4);
               struct blob **value = &image_only(image, PART_SINGLETONS)->blobs[clock.id];
               cosmi_blob_release(image_memory(), *value);
               *value = small, image, "wrong number of bytes");
    uint32_t other = table_of(image, 0)->archetype->id == box->plain.id ? 1 : 0;
    CHECK_FLAW(struct part *twin = clone_part(table_of(image, 1 - other));
               *(cosm_entity *)blob_fill(twin->blobs[0]) = b;
               *record_of(image, b.id) = *record_of(image, a.id);
               cosmi_part_release(image_memory(), table_of(image, other));
               image->parts[other] = twin, image, "one number");
    small_close(image);
}

TEST(a_check_for_which_memory_is_refused_says_so) {
    struct ledger ledger;
    ledger_open(&ledger);
    history_open(&history, harness_seed(),
                 &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)});
    history_play(&history, 80);
    cosm_snapshot *snapshot = cosm_snapshot_create(history.box.all);
    bool refused = true;
    uint32_t failures = 0;
    for (uint32_t n = 1; refused; n++) {
        REQUIRE(n < 100);
        ledger_refuse(&ledger, n, UINT64_MAX / 2);
        cosm_result result = check_clone(snapshot->worlds[0]);
        refused = ledger_relent(&ledger);
        CHECK_INT(result, refused ? COSM_ERROR_MEMORY : COSM_OK);
        CHECK_INT(cosm_error_result(), result);
        failures += result != COSM_OK;
    }
    CHECK(failures > 3);
    cosm_error_clear();
    cosm_snapshot_destroy(snapshot);
    history_close(&history);
    ledger_close(&ledger);
}
