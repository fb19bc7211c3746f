// Templates with components of every storage where a hook says no: what a failed call leaves behind.
// Every refusal of every call is in storage_failures.c.
#include "harness.h"
#include "support/templates.h"

TEST(a_failed_spawn_leaves_no_table_of_a_shared_value) {
    struct fixture box;
    fixture_open(&box, FIXTURE_TEMPLATE, 1);
    cosm_rows rows;
    objects_refuse(&box.books, 3, 1); // the label is there, and so is a text
    cosm_value level = {box.level, &(Level){77}};
    CHECK_INT(cosm_template_spawn_many(box.world, box.tree, 4, &level, 1, &rows),
              COSM_ERROR_MEMORY);
    CHECK(objects_relent(&box.books));
    CHECK_INT(cosm_shared_value_count(box.world, box.level), 0);
    CHECK_INT(cosm_shared_value_count(box.world, box.title), 0);
    CHECK_INT(objects_count(&box.books), TEMPLATE_OBJECTS);
    CHECK_INT(cosm_managed_count(box.world, box.text), 0);
    CHECK_VALID(box.batch);
    fixture_close(&box);
}

TEST(a_full_table_spawns_nobody_and_makes_no_object) {
    struct fixture box;
    fixture_open(&box, FIXTURE_TEMPLATE, 1);
    Text text;
    text_open(&box.books, &text, 5);
    cosm_value values[] = {{box.text, &text}, {box.kiln, &(Kiln){.number = 6}}};
    cosm_template pack = cosm_template_define(
        box.engine, &(cosm_template_desc){
                        .name = "pack", .archetype = box.pack, .values = values, .value_count = 2});
    text_end(&box.books, &text);
    cosm_rows rows;
    CHECK_DONE(cosm_template_spawn_many(box.world, pack, 3, NULL, 0, &rows));
    size_t count = objects_count(&box.books);
    CHECK_FAILS(cosm_template_spawn_many(box.world, pack, 2, NULL, 0, &rows), COSM_ERROR_FULL,
                "cosm_template_spawn_many:", "3 of max_per_world 4", "despawn some");
    CHECK_INT(objects_count(&box.books), count);
    CHECK(!cosm_entity_is_none(cosm_template_spawn(box.world, pack, NULL, 0)));
    CHECK(cosm_entity_is_none(cosm_template_spawn(box.world, pack, NULL, 0)));
    CHECK_FAILURE(COSM_ERROR_FULL, "cosm_template_spawn:", "4 of max_per_world 4", "despawn some");
    CHECK_INT(objects_count(&box.books), count + 1);
    fixture_close(&box);
}
