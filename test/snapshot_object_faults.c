// Images that were made from bytes may say anything: what is wrong in their managed and sector
// components is found before they are restored.
#include <string.h>

#include "harness.h"
#include "state/restore.h"
#include "support/storages.h"

// Writes a value for as long as one check takes.
#define WITH(field, value, check)                                                                  \
    do {                                                                                           \
        __typeof__(field) *at_ = (__typeof__(field) *)(uintptr_t) & (field);                       \
        __typeof__(field) old_ = *at_;                                                             \
        *at_ = (value);                                                                            \
        check;                                                                                     \
        *at_ = old_;                                                                               \
    } while (0)

#define WRONG(fault, part)                                                                         \
    do {                                                                                           \
        const char *fault_ = (fault);                                                              \
        CHECK(fault_ != NULL);                                                                     \
        CHECK_CONTAINS(fault_ == NULL ? "" : fault_, part);                                        \
    } while (0)

#define MANAGED_WRONG(part) WRONG(cosmi_image_fault(snapshot->schema, image, NULL), part)
#define SECTOR_WRONG(part) WRONG(cosmi_image_fault(snapshot->schema, image, NULL), part)

static struct part *table_of(struct world_image *image, cosm_archetype archetype) {
    struct part *table = image_find(image, PART_TABLE, archetype.id);
    CHECK(table != NULL);
    return table;
}

static cosm_ticket *tickets_of(struct part *table, cosm_component component) {
    const struct column_slot *slot = archetype_find(table->archetype, component.id);
    return (cosm_ticket *)(uintptr_t)cosmi_table_column(table, 0, slot->column);
}

// Actors with tickets 1 to 6 of which 2 and 5 are free, two notes with 7 and 8, and a pack with a
// mesh.
static cosm_snapshot *take_managed(struct fixture *box) {
    cosm_entity actors[6];
    for (uint32_t i = 0; i < 6; i++) {
        actors[i] = spawn_text(box, box->world, i);
    }
    Text text;
    text_open(&box->books, &text, 1);
    cosm_commands *commands = cosm_commands_create(box->batch);
    for (uint32_t i = 0; i < 2; i++) {
        CHECK_DONE(cosm_commands_emit(commands, box->world, box->letter,
                                      &(cosm_value){box->text, &text}, 1));
    }
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    cosm_commands_destroy(commands);
    text_end(&box->books, &text);
    CHECK_DONE(cosm_entity_despawn(box->world, actors[1]));
    CHECK_DONE(cosm_entity_despawn(box->world, actors[4]));
    cosm_entity pack = cosm_entity_spawn(box->world, box->pack);
    CHECK(cosm_managed_emplace(box->world, pack, box->mesh) != NULL);
    CHECK_DONE(cosm_entity_add(box->world, pack, box->pair)); // tickets that are all zero
    return cosm_snapshot_create(box->all);
}

TEST(wrong_slots_of_objects_are_found) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    cosm_snapshot *snapshot = take_managed(&box);
    REQUIRE(snapshot != NULL);
    struct world_image *image = snapshot->worlds[0];
    CHECK_STR(cosmi_image_fault(snapshot->schema, image, NULL), NULL);
    REQUIRE(image_count(image, PART_MANAGED) == 2);
    struct part *texts = image_part(image, PART_MANAGED, 0);
    struct part *meshes = image_part(image, PART_MANAGED, 1);
    REQUIRE(texts->managed.used == 8 && texts->managed.count == 6 && texts->managed.free_head == 5);
    struct managed_slot *slots = (struct managed_slot *)(uintptr_t)texts->blobs[0]->bytes;
    WITH(texts->managed.count, 5, MANAGED_WRONG("count of"));
    WITH(texts->managed.count, 9, MANAGED_WRONG("holds none"));
    WITH(texts->managed.count, 0, MANAGED_WRONG("holds none"));
    WITH(texts->managed.used, 7, MANAGED_WRONG("number of blobs or objects"));
    WITH(texts->blobs[0]->size, 56, MANAGED_WRONG("number of bytes"));
    WITH(texts->blobs[0], NULL, MANAGED_WRONG("number of bytes"));
    WITH(texts->type, schema_component(snapshot->schema, box.position.id),
         MANAGED_WRONG("not managed"));
    WITH(meshes->key, texts->key, MANAGED_WRONG("one number"));
    WITH(texts->managed.free_head, 0, MANAGED_WRONG("the wrong length"));
    WITH(texts->managed.free_head, 1, MANAGED_WRONG("not free"));
    WITH(texts->managed.free_head, 9, MANAGED_WRONG("not free"));
    WITH(slots[4].id, 5, MANAGED_WRONG("the wrong length"));
    WITH(slots[4].id, 0, MANAGED_WRONG("the wrong length"));
    WITH(slots[4].id, 0xFFFFFFFF, MANAGED_WRONG("not free"));
    WITH(slots[0].gen, SLOT_READY, MANAGED_WRONG("not in a row yet"));
    WITH(slots[0].gen, SLOT_FREE, MANAGED_WRONG("no object, or free and has one"));
    WITH(texts->objects[0], NULL, MANAGED_WRONG("no object, or free and has one"));
    WITH(texts->objects[4], texts->objects[0], MANAGED_WRONG("no object, or free and has one"));
    WITH(texts->objects[0], meshes->objects[0], MANAGED_WRONG("another component"));
    CHECK_STR(cosmi_image_fault(snapshot->schema, image, NULL), NULL);
    cosm_snapshot_destroy(snapshot);
    fixture_close(&box);
}

TEST(tickets_that_are_not_those_of_their_rows_are_found) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    cosm_snapshot *snapshot = take_managed(&box);
    REQUIRE(snapshot != NULL);
    struct world_image *image = snapshot->worlds[0];
    cosm_ticket *actors = tickets_of(table_of(image, box.actor), box.text);
    cosm_ticket *notes = tickets_of(table_of(image, box.letter), box.text);
    struct managed_slot *slots =
        (struct managed_slot *)(uintptr_t)image_part(image, PART_MANAGED, 0)->blobs[0]->bytes;
    REQUIRE(notes[0].id == 7 && notes[1].id == 8);
    WITH(actors[0].id, 0, MANAGED_WRONG("no row"));
    WITH(actors[0].id, 9, MANAGED_WRONG("ticket of no object"));
    WITH(actors[0].id, 0xFFFFFFFF, MANAGED_WRONG("ticket of no object"));
    WITH(actors[0].id, 2, MANAGED_WRONG("not its own"));
    WITH(actors[0].id, 7, MANAGED_WRONG("not its own"));
    WITH(actors[0].id, actors[1].id, MANAGED_WRONG("not its own"));
    WITH(notes[0].id, 8, MANAGED_WRONG("two rows"));
    WITH(notes[0].id, 1, MANAGED_WRONG("not its own"));
    WITH(slots[0].gen, slots[0].gen + 2, MANAGED_WRONG("not its own"));
    WITH(slots[0].id, slots[0].id + 1, MANAGED_WRONG("not its own"));
    // Of a component without a list every ticket is zero.
    for (uint32_t i = 0; i < image_count(image, PART_TABLE); i++) {
        struct part *table = image_part(image, PART_TABLE, i);
        if (archetype_find(table->archetype, box.pair.id) != NULL) {
            cosm_ticket *plains = tickets_of(table, box.pair);
            WITH(plains[0].id, 1, MANAGED_WRONG("ticket of no object"));
        }
    }
    CHECK_STR(cosmi_image_fault(snapshot->schema, image, NULL), NULL);
    cosm_snapshot_destroy(snapshot);
    fixture_close(&box);
}

// Ten things with notes and kilns in chunks of eight; the records of 3 and 9 are dead, and 1 has
// no kiln. All have heat.
static cosm_snapshot *take_sectors(struct fixture *box) {
    cosm_entity e[10];
    for (uint32_t i = 0; i < 10; i++) {
        e[i] = spawn_at(box, box->world, 0);
        set_heat(box, box->world, e[i], (float)i);
        set_note(box, box->world, e[i], i);
        CHECK_DONE(i == 1 ? COSM_OK : cosm_entity_add(box->world, e[i], box->kiln));
    }
    for (uint32_t i = 3; i < 10; i += 6) {
        CHECK_DONE(cosm_entity_remove(box->world, e[i], box->note));
        CHECK_DONE(cosm_entity_remove(box->world, e[i], box->kiln));
    }
    CHECK_DONE(cosm_entity_despawn(box->world, e[9]));
    return cosm_snapshot_create(box->all);
}

static cosm_sector *record(const struct part *sectors, uint32_t place) {
    return (cosm_sector *)(uintptr_t)sector_record(sectors, place);
}

TEST(wrong_sectors_are_found) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    cosm_snapshot *snapshot = take_sectors(&box);
    REQUIRE(snapshot != NULL);
    struct world_image *image = snapshot->worlds[0];
    CHECK_STR(cosmi_image_fault(snapshot->schema, image, NULL), NULL);
    REQUIRE(image_count(image, PART_SECTOR) == 2);
    struct part *coal = image_part(image, PART_SECTOR, 1);
    REQUIRE(coal->sector.place_end == 10 && coal->sector.live_count == 8 && coal->blob_count == 2);
    REQUIRE(coal->sector.object_members == 1);
    WITH(coal->sector.live_count, 7, SECTOR_WRONG("count of"));
    WITH(coal->sector.place_end, 0, SECTOR_WRONG("number of blobs or objects"));
    WITH(coal->sector.place_end, SECTORS_PLACE_MAX + 1, SECTOR_WRONG("than it may have"));
    WITH(coal->sector.place_end, 9, SECTOR_WRONG("number of blobs or objects"));
    WITH(coal->blobs[1]->size, 8, SECTOR_WRONG("number of bytes"));
    WITH(coal->blobs[1], NULL, SECTOR_WRONG("number of bytes"));
    WITH(image_part(image, PART_SECTOR, 0)->key, coal->key, SECTOR_WRONG("one number"));
    // Entities: alive where a member lives, known where none does, and none twice.
    WITH(record(coal, 0)->entity.gen, 3, SECTOR_WRONG("not alive"));
    WITH(record(coal, 0)->entity.id, 9, SECTOR_WRONG("not alive"));
    WITH(record(coal, 0)->entity.id, 10, SECTOR_WRONG("never used"));
    WITH(record(coal, 0)->entity, SECTOR_NOBODY, SECTOR_WRONG("not alive"));
    WITH(record(coal, 3)->entity.id, 10, SECTOR_WRONG("never used"));
    WITH(record(coal, 3)->entity.id, 0, SECTOR_WRONG("two sectors"));
    WITH(record(coal, 3)->entity, SECTOR_NOBODY,
         CHECK_STR(cosmi_image_fault(snapshot->schema, image, NULL), NULL));
    WITH(record(coal, 0)->entity, record(coal, 2)->entity, SECTOR_WRONG("two sectors"));
    // Members.
    WITH(record(coal, 0)->live, 7, SECTOR_WRONG("do not exist"));
    WITH(record(coal, 0)->live, 1, SECTOR_WRONG("an object without its member"));
    WITH(record(coal, 0)->live, 2, SECTOR_WRONG("bytes of a member"));
    WITH(record(coal, 3)->live, 1, SECTOR_WRONG("count of"));
    WITH(record(coal, 3)->live, 3, SECTOR_WRONG("member without its object"));
    WITH(coal->objects[0], NULL, SECTOR_WRONG("member without its object"));
    WITH(coal->objects[3], coal->objects[0], SECTOR_WRONG("an object without its member"));
    size_t kiln = coal->group->layout->members[0].offset;
    size_t note = coal->group->layout->members[1].offset;
    WITH(*(char *)cosm_sector_at(record(coal, 1), kiln + 191), 1, SECTOR_WRONG("bytes of"));
    WITH(*(char *)cosm_sector_at(record(coal, 1), note), 1, SECTOR_WRONG("bytes of"));
    struct object *object = coal->objects[0];
    WITH(object->type, schema_component(snapshot->schema, box.heat.id),
         SECTOR_WRONG("another component"));
    CHECK_STR(cosmi_image_fault(snapshot->schema, image, NULL), NULL);
    cosm_snapshot_destroy(snapshot);
    fixture_close(&box);
}
