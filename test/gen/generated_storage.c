// What cosm-gen writes for every storage works: golden/storages.h, registered and used.
#include <string.h>

#include "harness.h"
#include "storages.cosm.h"

#include <cosm/cosm.h>

bool material_equals(void *context, const void *a, const void *b) {
    (void)context;
    return strcmp(((const Material *)a)->name, ((const Material *)b)->name) == 0;
}

uint64_t material_hash(void *context, const void *object) {
    (void)context;
    return (uint64_t)strlen(((const Material *)object)->name);
}

bool label_copy(void *context, void *object, const void *source) {
    const Label *from = source;
    Label *to = object;
    (void)context;
    to->length = from->length;
    to->text = malloc(from->length + 1);
    if (to->text != NULL) {
        memcpy(to->text, from->text, from->length + 1);
    }
    return to->text != NULL;
}

void label_destroy(void *context, void *object) {
    (void)context;
    free(((Label *)object)->text);
}

struct shelf {
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_world world;
    cosm_archetype archetype;
    cosm_entity entity;
};

static struct shelf open_shelf(void) {
    struct shelf shelf = {.engine = cosm_engine_create(NULL)};
    CHECK_INT(storages_register_all(shelf.engine), COSM_OK);
    shelf.batch = cosm_batch_create(shelf.engine, NULL);
    shelf.world = cosm_batch_world(shelf.batch, 0);
    cosm_archetype_desc desc = {.components = {Health_component(shelf.engine)}};
    shelf.archetype = cosm_archetype_define(shelf.engine, &desc);
    shelf.entity = cosm_entity_spawn(shelf.world, shelf.archetype);
    return shelf;
}

static void close_shelf(struct shelf *shelf) {
    CHECK_INT(cosm_batch_validate(shelf->batch), COSM_OK);
    CHECK_INT(cosm_batch_destroy(shelf->batch), COSM_OK);
    CHECK_INT(cosm_engine_destroy(shelf->engine), COSM_OK);
}

TEST(storages_and_groups_are_those_of_the_header) {
    struct shelf shelf = open_shelf();
    const cosm_engine *engine = shelf.engine;
    CHECK_INT(cosm_component_describe(engine, Health_component(engine)).storage,
              COSM_STORAGE_COLUMN);
    CHECK_INT(cosm_component_describe(engine, Team_component(engine)).storage, COSM_STORAGE_SHARED);
    CHECK_INT(cosm_component_describe(engine, Mesh_component(engine)).storage,
              COSM_STORAGE_MANAGED);
    CHECK_INT(cosm_component_describe(engine, Wound_component(engine)).storage,
              COSM_STORAGE_SECTOR);
    CHECK_INT(cosm_component_describe(engine, Mesh_component(engine)).field_count, 0);
    CHECK_INT(cosm_component_describe(engine, Label_component(engine)).field_count, 1);
    cosm_sector_group fire = cosm_sector_group_of(engine, Heat_component(engine));
    cosm_sector_group_info info = cosm_sector_group_describe(engine, fire);
    CHECK_INT(info.member_count, 2);
    if (info.member_count == 2) {
        CHECK_INT(info.members[0].id, Heat_component(engine).id);
        CHECK_INT(info.members[1].id, Smoke_component(engine).id);
    }
    CHECK_INT(cosm_sector_group_of(engine, Wound_component(engine)).id, 0);
    CHECK_INT(Wound_set(shelf.world, shelf.entity, &(Wound){3}), COSM_OK);
    CHECK_INT(storages_register_all(shelf.engine), COSM_OK); // again, and in use
    close_shelf(&shelf);
}

TEST(a_group_that_comes_too_late_makes_registering_fail) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_world world = cosm_batch_world(batch, 0);
    REQUIRE(cosm_component_register(engine, &Heat_type).id != 0);
    cosm_archetype empty = cosm_archetype_define(engine, &(cosm_archetype_desc){.name = "empty"});
    CHECK_INT(Heat_add(world, cosm_entity_spawn(world, empty)), COSM_OK);
    CHECK_INT(storages_register_all(engine), COSM_ERROR_CONFLICT);
    CHECK(strstr(cosm_error_message(), "cosm_sector_group_define") != NULL);
    CHECK_INT(cosm_batch_destroy(batch), COSM_OK);
    CHECK_INT(cosm_engine_destroy(engine), COSM_OK);
}

TEST(shared_values_are_read_by_typed_calls) {
    struct shelf shelf = open_shelf();
    cosm_entity other = cosm_entity_spawn(shelf.world, shelf.archetype);
    Material red = {"red", 1};
    Material dull = {"red", 0};
    CHECK_INT(Material_set(shelf.world, shelf.entity, &red), COSM_OK);
    CHECK_INT(Material_set(shelf.world, other, &dull), COSM_OK);
    // One value for both, because they are equal by the header's function.
    CHECK(Material_read(shelf.world, other) == Material_read(shelf.world, shelf.entity));
    CHECK_NEAR(Material_read(shelf.world, other)->shine, 1, 0);
    CHECK(Material_get(shelf.world, other, &dull));
    CHECK_NEAR(dull.shine, 1, 0);
    cosm_query_desc desc = {.terms = {{.component = Material_component(shelf.engine)}}};
    cosm_query *query = cosm_query_create(shelf.engine, &desc);
    cosm_rows rows;
    cosm_query_walk(query, cosm_worlds_all(shelf.batch), &rows);
    REQUIRE(cosm_rows_next(&rows));
    CHECK_INT(rows.count, 2);
    CHECK_STR(Material_shared_read(&rows, 0)->name, "red");
    cosm_rows_end(&rows);
    cosm_query_destroy(query);
    close_shelf(&shelf);
}

TEST(managed_objects_are_copied_and_seen_row_by_row) {
    struct shelf shelf = open_shelf();
    char text[] = "here";
    CHECK_INT(Label_set(shelf.world, shelf.entity, &(Label){text, 4}), COSM_OK);
    text[0] = 'H';
    CHECK_STR(Label_read(shelf.world, shelf.entity)->text, "here");
    Label_write(shelf.world, shelf.entity)->text[0] = 'w';
    cosm_query_desc desc = {
        .terms = {{.component = Label_component(shelf.engine), .access = COSM_ACCESS_WRITE}}};
    cosm_query *query = cosm_query_create(shelf.engine, &desc);
    cosm_rows rows;
    cosm_query_walk(query, cosm_worlds_all(shelf.batch), &rows);
    REQUIRE(cosm_rows_next(&rows));
    CHECK_STR(Label_row_read(&rows, 0)->text, "were");
    Label_row_write(&rows, 0)->text[2] = 's';
    CHECK(Label_row_read(&rows, 1) == NULL);
    cosm_rows_end(&rows);
    cosm_query_destroy(query);
    CHECK_STR(Label_read(shelf.world, shelf.entity)->text, "wese");
    CHECK(cosm_managed_emplace(shelf.world, shelf.entity, Mesh_component(shelf.engine)) != NULL);
    CHECK(Mesh_read(shelf.world, shelf.entity)->handle != NULL);
    CHECK_INT(Label_remove(shelf.world, shelf.entity), COSM_OK);
    close_shelf(&shelf);
}

TEST(sector_components_are_seen_row_by_row) {
    struct shelf shelf = open_shelf();
    CHECK_INT(Heat_add(shelf.world, shelf.entity), COSM_OK);
    CHECK_NEAR(Heat_read(shelf.world, shelf.entity)->degrees, 300, 0);
    Heat_write(shelf.world, shelf.entity)->degrees = 5;
    cosm_query_desc desc = {
        .terms = {{.component = Heat_component(shelf.engine), .access = COSM_ACCESS_WRITE},
                  {.component = Smoke_component(shelf.engine),
                   .access = COSM_ACCESS_WRITE,
                   .kind = COSM_TERM_OPTIONAL}}};
    cosm_query *query = cosm_query_create(shelf.engine, &desc);
    cosm_rows rows;
    cosm_query_walk(query, cosm_worlds_all(shelf.batch), &rows);
    REQUIRE(cosm_rows_next(&rows));
    CHECK_NEAR(Heat_sector_read(&rows, 0, 0)->degrees, 5, 0);
    Heat_sector_write(&rows, 0, 0)->degrees = 6;
    CHECK(Smoke_sector_read(&rows, 1, 0) == NULL);
    cosm_rows_end(&rows);
    cosm_query_destroy(query);
    Heat heat;
    CHECK(Heat_get(shelf.world, shelf.entity, &heat));
    CHECK_NEAR(heat.degrees, 6, 0);
    close_shelf(&shelf);
}
