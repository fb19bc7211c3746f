// Managed components: every object is made once and ends once, and a row owns it in between.
#include <string.h>

#include "harness.h"
#include "support/portrait.h"
#include "support/storages.h"

// A text of the caller's, for one call.
#define WITH_TEXT(box, name, number)                                                               \
    for (Text name, *name##_once = (text_open(&(box)->books, &name, number), &name);               \
         name##_once != NULL; text_end(&(box)->books, &name), name##_once = NULL)

static void set_text(struct fixture *box, cosm_world world, cosm_entity entity, uint32_t number) {
    WITH_TEXT(box, text, number) {
        CHECK_DONE(cosm_entity_set(world, entity, box->text, &text));
    }
}

TEST(a_row_begins_without_an_object) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    cosm_entity entity = cosm_entity_spawn(box.world, box.actor);
    CHECK_INT(cosm_managed_ticket(box.world, entity, box.text).id, 0);
    CHECK(cosm_entity_read(box.world, entity, box.text) == NULL);
    CHECK_DONE(cosm_entity_add(box.world, entity, box.mesh));
    CHECK(cosm_entity_has(box.world, entity, box.mesh));
    CHECK(cosm_entity_read(box.world, entity, box.mesh) == NULL);
    CHECK_INT(objects_count(&box.books), 0);
    CHECK_SILENT();
    fixture_close(&box);
}

TEST(rows_that_are_left_unset_have_no_objects_either) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    cosm_rows rows;
    for (uint32_t round = 0; round < 3; round++) {
        CHECK_DONE(cosm_entity_spawn_many_unset(box.world, box.actor, 40, &rows));
        for (uint32_t i = 0; i < rows.count; i++) {
            CHECK(cosm_managed_row_read(&rows, i, box.text) == NULL);
            WITH_TEXT(&box, text, i) {
                CHECK_DONE(cosm_rows_set(&rows, i, box.text, &text));
            }
        }
        CHECK_INT(cosm_managed_count(box.world, box.text), 40);
        CHECK_VALID(box.batch);
        CHECK_DONE(cosm_table_clear(box.world, box.actor));
    }
    CHECK_INT(objects_count(&box.books), 0);
    fixture_close(&box);
}

TEST(spawning_with_an_object_copies_it) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 2);
    Text text;
    Mesh mesh;
    text_open(&box.books, &text, 7);
    mesh_open(&box.books, &mesh, 9);
    cosm_value values[] = {
        {box.mesh, &mesh}, {box.position, &(Position){1, 2, 3}}, {box.text, &text}};
    cosm_entity entity = cosm_entity_spawn_with(box.world, box.pack, values, 3);
    text_end(&box.books, &text);
    mesh_end(&box.books, &mesh);
    CHECK_INT(text_of(&box, box.world, entity), 7);
    CHECK_INT(mesh_of(&box, box.world, entity), 9);
    const Position *position = COSM_READ(box.world, entity, Position);
    REQUIRE(position != NULL);
    CHECK_NEAR(position->z, 3, 0);
    CHECK_INT(objects_count(&box.books), 2);
    fixture_close(&box);
}

TEST(of_two_values_for_one_component_the_last_one_stays) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    Text texts[12];
    cosm_value values[12];
    for (uint32_t i = 0; i < 12; i++) {
        text_open(&box.books, &texts[i], i);
        values[i] = (cosm_value){box.text, &texts[i]};
    }
    cosm_entity few = cosm_entity_spawn_with(box.world, box.actor, values, 2);
    cosm_entity many = cosm_entity_spawn_with(box.world, box.actor, values, 12);
    CHECK_INT(text_of(&box, box.world, few), 1);
    CHECK_INT(text_of(&box, box.world, many), 11);
    CHECK_INT(cosm_managed_count(box.world, box.text), 2);
    for (uint32_t i = 0; i < 12; i++) {
        text_end(&box.books, &texts[i]);
    }
    fixture_close(&box);
}

TEST(a_failed_spawn_releases_what_it_copied) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    Text text;
    text_open(&box.books, &text, 1);
    cosm_value value = {box.text, &text};
    for (uint32_t i = 0; i < 4; i++) {
        CHECK(!cosm_entity_is_none(cosm_entity_spawn_with(box.world, box.pack, &value, 1)));
    }
    cosm_error_clear();
    CHECK(cosm_entity_is_none(cosm_entity_spawn_with(box.world, box.pack, &value, 1)));
    CHECK_FAILURE(COSM_ERROR_FULL, "cosm_entity_spawn_with", "max_per_world 4", "despawn some");
    CHECK_INT(cosm_managed_count(box.world, box.text), 4);
    CHECK_INT(objects_count(&box.books), 5);
    cosm_value wrong[] = {{box.text, &text}, {box.mesh, &text}};
    CHECK(cosm_entity_is_none(cosm_entity_spawn_with(box.world, box.actor, wrong, 2)));
    CHECK_INT(objects_count(&box.books), 5);
    text_end(&box.books, &text);
    fixture_close(&box);
}

TEST(a_set_copies_the_object_and_replacing_releases_the_old_one_once) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    cosm_entity entity = cosm_entity_spawn(box.world, box.actor);
    set_text(&box, box.world, entity, 1);
    CHECK_INT(text_of(&box, box.world, entity), 1);
    cosm_ticket ticket = cosm_managed_ticket(box.world, entity, box.text);
    uint64_t ended = box.books.destroyed;
    set_text(&box, box.world, entity, 2);
    CHECK_INT(box.books.destroyed - ended, 2); // the old one, and the caller's
    CHECK_INT(text_of(&box, box.world, entity), 2);
    CHECK_INT(cosm_managed_ticket(box.world, entity, box.text).id, ticket.id);
    CHECK_INT(objects_count(&box.books), 1);
    Mesh mesh;
    mesh_open(&box.books, &mesh, 3);
    CHECK_DONE(cosm_entity_set(box.world, entity, box.mesh, &mesh)); // adds it
    CHECK_DONE(cosm_entity_set(box.world, entity, box.mesh, &mesh)); // by way of the heap
    mesh_end(&box.books, &mesh);
    CHECK_INT(mesh_of(&box, box.world, entity), 3);
    CHECK_INT(text_of(&box, box.world, entity), 2);
    CHECK_INT(cosm_entity_set(box.world, COSM_ENTITY_NONE, box.text, &mesh), COSM_STALE);
    fixture_close(&box);
}

TEST(an_object_may_be_set_to_itself_and_to_that_of_another) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    cosm_entity a = spawn_text(&box, box.world, 1);
    cosm_entity b = spawn_text(&box, box.world, 2);
    CHECK_DONE(cosm_entity_set(box.world, a, box.text, cosm_entity_read(box.world, a, box.text)));
    CHECK_INT(text_of(&box, box.world, a), 1);
    CHECK_DONE(cosm_entity_set(box.world, a, box.text, cosm_entity_read(box.world, b, box.text)));
    CHECK_INT(text_of(&box, box.world, a), 2);
    cosm_entity c = cosm_entity_spawn(box.world, box.plain);
    CHECK_DONE(cosm_entity_set(box.world, c, box.text, cosm_entity_read(box.world, a, box.text)));
    CHECK_DONE(
        cosm_query_set(box.texts, box.all, box.text, cosm_entity_read(box.world, c, box.text)));
    CHECK_INT(text_of(&box, box.world, a), 2);
    CHECK_INT(text_of(&box, box.world, c), 2);
    CHECK_INT(objects_count(&box.books), 3);
    fixture_close(&box);
}

TEST(a_ticket_and_its_object_survive_every_move_of_their_row) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    cosm_entity entities[50];
    cosm_ticket tickets[50];
    const void *objects[50];
    for (uint32_t i = 0; i < 50; i++) {
        entities[i] = spawn_text(&box, box.world, i);
        tickets[i] = cosm_managed_ticket(box.world, entities[i], box.text);
        objects[i] = cosm_entity_read(box.world, entities[i], box.text);
    }
    cosm_query *all = cosm_query_create(box.engine, &(cosm_query_desc){.by_world = false});
    CHECK_DONE(cosm_entity_add(box.world, entities[3], box.mark));
    CHECK_DONE(cosm_query_add(all, box.all, box.pair));
    CHECK_DONE(cosm_entity_add_many(box.world, entities + 10, 20, box.mark));
    CHECK_DONE(cosm_query_remove(all, box.all, box.position));
    CHECK_DONE(cosm_entity_remove_many(box.world, entities, 50, box.pair));
    CHECK_DONE(cosm_entity_despawn(box.world, entities[0]));
    CHECK_DONE(cosm_batch_trim(box.batch));
    for (uint32_t i = 1; i < 50; i++) {
        CHECK_INT(cosm_managed_ticket(box.world, entities[i], box.text).id, tickets[i].id);
        CHECK(cosm_managed_read(box.world, box.text, tickets[i]) == objects[i]);
        CHECK_INT(text_of(&box, box.world, entities[i]), i);
    }
    CHECK(cosm_managed_read(box.world, box.text, tickets[0]) == NULL);
    CHECK_INT(objects_count(&box.books), 49);
    cosm_query_destroy(all);
    fixture_close(&box);
}

TEST(removing_the_component_releases_and_so_does_every_end_of_a_row) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 3);
    cosm_entity entities[12];
    for (uint32_t i = 0; i < 12; i++) {
        entities[i] = spawn_text(&box, box.world, i);
    }
    CHECK_DONE(cosm_entity_remove(box.world, entities[0], box.text));
    CHECK_INT(objects_count(&box.books), 11);
    CHECK_DONE(cosm_entity_add(box.world, entities[0], box.text));
    CHECK(cosm_entity_read(box.world, entities[0], box.text) == NULL);
    CHECK_DONE(cosm_entity_despawn(box.world, entities[1]));
    CHECK_INT(objects_count(&box.books), 10);
    CHECK_DONE(cosm_entity_despawn_many(box.world, entities + 1, 3));
    CHECK_INT(objects_count(&box.books), 8);
    CHECK_DONE(cosm_entity_remove_many(box.world, entities + 4, 2, box.text));
    CHECK_INT(objects_count(&box.books), 6);
    CHECK_DONE(cosm_query_remove(box.texts, box.all, box.text));
    CHECK_INT(objects_count(&box.books), 0);
    spawn_text(&box, box.world, 1);
    CHECK_DONE(cosm_query_despawn(box.texts, box.all));
    CHECK_INT(objects_count(&box.books), 0);
    spawn_text(&box, box.world, 1);
    CHECK_DONE(cosm_table_clear(box.world, box.actor));
    CHECK_INT(objects_count(&box.books), 0);
    for (uint32_t w = 0; w < 3; w++) {
        spawn_text(&box, fixture_world(&box, w), w);
    }
    CHECK_DONE(cosm_world_reset(box.world));
    CHECK_INT(objects_count(&box.books), 2);
    CHECK_DONE(cosm_batch_reset(box.batch, (const uint8_t[]){1, 0, 1}));
    CHECK_INT(objects_count(&box.books), 1);
    CHECK_INT(cosm_managed_count(fixture_world(&box, 1), box.text), 1);
    fixture_close(&box); // releases the last one
}

TEST(putting_moves_an_object_in_without_a_copy) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    cosm_entity entity = cosm_entity_spawn(box.world, box.plain);
    Text text;
    text_open(&box.books, &text, 1);
    uint64_t made = objects_made(&box.books);
    CHECK_DONE(cosm_managed_put(box.world, entity, box.text, &text)); // adds it
    CHECK_INT(text_of(&box, box.world, entity), 1);
    CHECK_INT(objects_made(&box.books), made);
    text_open(&box.books, &text, 2);
    CHECK_DONE(cosm_managed_put(box.world, entity, box.text, &text)); // replaces it
    CHECK_INT(text_of(&box, box.world, entity), 2);
    CHECK_INT(objects_count(&box.books), 1);
    text_open(&box.books, &text, 3);
    CHECK_INT(cosm_managed_put(box.world, (cosm_entity){5, 5}, box.text, &text), COSM_STALE);
    CHECK_INT(text_number(&text), 3); // still the caller's
    text_end(&box.books, &text);
    void *own = cosm_entity_write(box.world, entity, box.text);
    CHECK_FAILS(cosm_managed_put(box.world, entity, box.text, own), COSM_ERROR_ARGUMENT,
                "cosm_managed_put", "belongs to a row", "cosm_managed_take");
    CHECK_INT(text_of(&box, box.world, entity), 2);
    fixture_close(&box);
}

TEST(emplacing_constructs_in_place) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    cosm_entity entity = cosm_entity_spawn(box.world, box.plain);
    Text *text = cosm_managed_emplace(box.world, entity, box.text);
    REQUIRE(text != NULL);
    CHECK_INT(text_number(text), 0);
    CHECK(text == cosm_entity_read(box.world, entity, box.text));
    set_text(&box, box.world, entity, 4);
    CHECK(cosm_managed_emplace(box.world, entity, box.text) == text);
    CHECK_INT(text_number(text), 0);
    // Without a construct it is the default value.
    Pair *pair = cosm_managed_emplace(box.world, entity, box.pair);
    REQUIRE(pair != NULL);
    CHECK_INT(pair->a, PAIR_DEFAULT_A);
    pair->b = 1;
    pair = cosm_managed_emplace(box.world, entity, box.pair);
    REQUIRE(pair != NULL);
    CHECK_INT(pair->b, 0);
    CHECK(cosm_managed_emplace(box.world, COSM_ENTITY_NONE, box.text) == NULL);
    CHECK_SILENT();
    fixture_close(&box);
}

TEST(an_object_can_be_taken_out_or_cleared_and_the_component_stays) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    cosm_entity entity = spawn_text(&box, box.world, 1);
    Text text;
    uint64_t made = objects_made(&box.books);
    CHECK_DONE(cosm_managed_take(box.world, entity, box.text, &text));
    CHECK_INT(text_number(&text), 1);
    CHECK_INT(objects_made(&box.books), made);
    CHECK(cosm_entity_has(box.world, entity, box.text));
    CHECK_INT(cosm_managed_take(box.world, entity, box.text, &text), COSM_STALE);
    CHECK_INT(cosm_managed_count(box.world, box.text), 0);
    CHECK_DONE(cosm_managed_put(box.world, entity, box.text, &text));
    CHECK_DONE(cosm_managed_clear(box.world, entity, box.text));
    CHECK_INT(objects_count(&box.books), 0);
    CHECK_DONE(cosm_managed_clear(box.world, entity, box.text)); // none is fine
    CHECK_DONE(cosm_managed_clear(box.world, entity, box.mesh)); // and so is none such
    CHECK_INT(cosm_managed_clear(box.world, COSM_ENTITY_NONE, box.text), COSM_STALE);
    CHECK_INT(cosm_managed_take(box.world, COSM_ENTITY_NONE, box.text, &text), COSM_STALE);
    fixture_close(&box);
}

TEST(a_query_shows_a_column_of_tickets) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 2);
    for (uint32_t i = 0; i < 10; i++) {
        spawn_text(&box, fixture_world(&box, i % 2), i);
    }
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(box.world, box.actor)));
    uint32_t seen = 0;
    uint32_t sum = 0;
    cosm_rows rows;
    cosm_query_walk(box.texts, box.all, &rows);
    while (cosm_rows_next(&rows)) {
        const cosm_ticket *tickets = COSM_COLUMN_READ(&rows, cosm_ticket, 0);
        REQUIRE(tickets != NULL && tickets == cosm_managed_tickets(&rows, box.text));
        for (uint32_t i = 0; i < rows.count; i++) {
            const Text *text = cosm_managed_read(cosm_rows_world(&rows, i), box.text, tickets[i]);
            CHECK(text == cosm_managed_row_read(&rows, i, box.text));
            seen++;
            sum += text == NULL ? 100 : text_number(text);
            Text *written = cosm_managed_row_write(&rows, i, box.text);
            CHECK(written == text);
        }
    }
    CHECK_INT(seen, 11);
    CHECK_INT(sum, 45 + 100);
    CHECK_SILENT();
    fixture_close(&box);
}

TEST(rows_that_run_over_full_worlds_find_each_its_own_object) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 3);
    for (uint32_t w = 0; w < 3; w++) {
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, w), box.pack, 4, &rows));
        for (uint32_t i = 0; i < 4; i++) {
            WITH_TEXT(&box, text, w * 10 + i) {
                CHECK_DONE(cosm_rows_set(&rows, i, box.text, &text));
            }
        }
    }
    cosm_rows rows;
    cosm_query_walk(box.texts, box.all, &rows);
    REQUIRE(cosm_rows_next(&rows));
    CHECK_INT(rows.count, 12);
    for (uint32_t i = 0; i < 12; i++) {
        CHECK_INT(text_number(cosm_managed_row_read(&rows, i, box.text)), i / 4 * 10 + i % 4);
        // Replacing is not a structural change.
        WITH_TEXT(&box, text, 50 + i) {
            CHECK_DONE(cosm_rows_set(&rows, i, box.text, &text));
        }
    }
    cosm_rows_end(&rows);
    for (uint32_t w = 0; w < 3; w++) {
        cosm_entity last = cosm_entity_at(fixture_world(&box, w), (cosm_loc){box.pack.id, 3});
        CHECK_INT(text_of(&box, fixture_world(&box, w), last), 50 + w * 4 + 3);
    }
    fixture_close(&box);
}

TEST(whole_queries_are_set_with_a_copy_for_each_row) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 3);
    for (uint32_t i = 0; i < 9; i++) {
        spawn_text(&box, fixture_world(&box, i % 3), i);
    }
    cosm_entity bare = cosm_entity_spawn(fixture_world(&box, 2), box.plain);
    cosm_query *all = cosm_query_create(box.engine, &(cosm_query_desc){.by_world = false});
    WITH_TEXT(&box, text, 77) {
        CHECK_DONE(cosm_query_set(all, box.all, box.text, &text));
    }
    CHECK_INT(objects_count(&box.books), 10);
    CHECK_INT(text_of(&box, fixture_world(&box, 2), bare), 77);
    CHECK_INT(cosm_managed_count(fixture_world(&box, 2), box.text), 4);
    CHECK_VALID(box.batch);
    Mesh mesh;
    mesh_open(&box.books, &mesh, 5);
    CHECK_DONE(cosm_query_set(box.texts, box.all, box.mesh, &mesh));
    mesh_end(&box.books, &mesh);
    CHECK_INT(objects_count(&box.books), 20);
    CHECK_INT(mesh_of(&box, fixture_world(&box, 2), bare), 5);
    cosm_query_destroy(all);
    fixture_close(&box);
}

TEST(an_array_of_objects_is_set_at_once) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    cosm_entity entities[20];
    Text texts[20];
    for (uint32_t i = 0; i < 20; i++) {
        entities[i] =
            i % 2 == 0 ? spawn_text(&box, box.world, i) : cosm_entity_spawn(box.world, box.plain);
        text_open(&box.books, &texts[i], 100 + i);
    }
    entities[5] = COSM_ENTITY_NONE;
    CHECK_DONE(cosm_entity_set_many(box.world, entities, 20, box.text, texts));
    for (uint32_t i = 0; i < 20; i++) {
        text_end(&box.books, &texts[i]);
        CHECK_INT(text_of(&box, box.world, entities[i]), i == 5 ? OBJECT_NONE : 100 + i);
    }
    CHECK_INT(objects_count(&box.books), 19);
    const void *found[20];
    CHECK_INT(cosm_entity_read_many(box.world, entities, 20, box.text, found), 19);
    CHECK(found[5] == NULL);
    CHECK_INT(text_number(found[19]), 119);
    cosm_loc loc = cosm_entity_loc(box.world, entities[19]);
    CHECK(cosm_loc_read(box.world, loc, box.text) == found[19]);
    CHECK(cosm_loc_write(box.world, loc, box.text) == found[19]);
    fixture_close(&box);
}

TEST(tickets_are_handed_out_last_freed_first_and_from_one_when_all_are_free) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    cosm_entity entities[20];
    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < 20; i++) {
            entities[i] = spawn_text(&box, box.world, i);
            CHECK_INT(cosm_managed_ticket(box.world, entities[i], box.text).id, i + 1);
        }
        CHECK_DONE(cosm_entity_despawn(box.world, entities[4]));
        CHECK_DONE(cosm_entity_despawn(box.world, entities[11]));
        entities[4] = spawn_text(&box, box.world, 0);
        entities[11] = spawn_text(&box, box.world, 0);
        CHECK_INT(cosm_managed_ticket(box.world, entities[4], box.text).id, 12);
        CHECK_INT(cosm_managed_ticket(box.world, entities[11], box.text).id, 5);
        CHECK_DONE(cosm_entity_despawn_many(box.world, entities, 20));
    }
    fixture_close(&box);
}

TEST(the_rows_of_a_temporary_table_own_objects_until_the_step_ends) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 2);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.letter, 3, &rows));
    WITH_TEXT(&box, text, 1) {
        CHECK_DONE(cosm_rows_set(&rows, 1, box.text, &text));
    }
    cosm_commands *commands = cosm_commands_create(box.batch);
    WITH_TEXT(&box, text, 2) {
        CHECK_DONE(cosm_commands_emit(commands, fixture_world(&box, 1), box.letter,
                                      &(cosm_value){box.text, &text}, 1));
    }
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    cosm_commands_destroy(commands);
    CHECK_INT(objects_count(&box.books), 2);
    CHECK_VALID(box.batch);
    const Text *noted =
        cosm_loc_read(fixture_world(&box, 1), (cosm_loc){box.letter.id, 0}, box.text);
    CHECK_INT(text_number(noted), 2);
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_INT(objects_count(&box.books), 0);
    fixture_close(&box);
}

static uint64_t by_number(void *context, cosm_entity entity, const void *value) {
    (void)context;
    (void)entity;
    return value == NULL ? 0 : ((const Text *)value)->number;
}

TEST(a_table_is_sorted_by_its_objects) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    cosm_entity entities[6];
    for (uint32_t i = 0; i < 5; i++) {
        entities[i] = spawn_text(&box, box.world, 50 - 10 * i);
    }
    entities[5] = cosm_entity_spawn(box.world, box.actor);
    CHECK_DONE(cosm_table_sort(box.world, box.actor, box.text, by_number, NULL));
    for (uint32_t i = 0; i < 6; i++) {
        CHECK_INT(cosm_entity_loc(box.world, entities[i]).row, 5 - i);
        CHECK_INT(text_of(&box, box.world, entities[i]), i == 5 ? OBJECT_NONE : 50 - 10 * i);
    }
    CHECK_VALID(box.batch);
    fixture_close(&box);
}

TEST(a_checksum_is_of_what_objects_hold_and_not_of_where_they_are) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 2);
    cosm_world a = fixture_world(&box, 0);
    cosm_world b = fixture_world(&box, 1);
    // The same entities with the same texts, but objects made in another order.
    cosm_entity in_a[3];
    cosm_entity in_b[3];
    for (uint32_t i = 0; i < 3; i++) {
        in_a[i] = spawn_text(&box, a, i);
        in_b[i] = cosm_entity_spawn(b, box.actor);
    }
    for (uint32_t i = 3; i-- > 0;) {
        set_text(&box, b, in_b[i], i);
    }
    CHECK(cosm_managed_ticket(a, in_a[0], box.text).id !=
          cosm_managed_ticket(b, in_b[0], box.text).id);
    CHECK_INT(cosm_hash_world(a, COSM_HASH_CONTENT), cosm_hash_world(b, COSM_HASH_CONTENT));
    CHECK_SAME(a, b, PORTRAIT_NO_STREAM);
    uint64_t before = cosm_hash_world(b, COSM_HASH_EXACT);
    set_text(&box, b, in_b[1], 9);
    CHECK(cosm_hash_world(b, COSM_HASH_EXACT) != before);
    set_text(&box, b, in_b[1], 1);
    CHECK_INT(cosm_hash_world(b, COSM_HASH_EXACT), before);
    CHECK_DONE(cosm_managed_clear(b, in_b[1], box.text));
    CHECK(cosm_hash_world(b, COSM_HASH_EXACT) != before);
    // Of one that is described the fields count, of others only that they are there.
    Pair pair = {1, 2};
    CHECK_DONE(cosm_entity_set(a, in_a[0], box.pair, &pair));
    before = cosm_hash_world(a, COSM_HASH_EXACT);
    COSM_WRITE(a, in_a[0], Pair)->b = 3;
    CHECK(cosm_hash_world(a, COSM_HASH_EXACT) != before);
    CHECK(cosm_managed_emplace(a, in_a[1], box.mesh) != NULL);
    before = cosm_hash_world(a, COSM_HASH_EXACT);
    Mesh mesh;
    mesh_open(&box.books, &mesh, 5);
    CHECK_DONE(cosm_managed_put(a, in_a[1], box.mesh, &mesh));
    CHECK_INT(cosm_hash_world(a, COSM_HASH_EXACT), before);
    CHECK_DONE(cosm_managed_clear(a, in_a[1], box.mesh));
    CHECK(cosm_hash_world(a, COSM_HASH_EXACT) != before);
    fixture_close(&box);
}

TEST(memory_figures_count_objects_and_trimming_gives_back_what_they_leave) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 2);
    cosm_memory empty = cosm_world_memory(box.world);
    cosm_entity kept = spawn_text(&box, box.world, 1);
    for (uint32_t i = 0; i < 5000; i++) {
        spawn_text(&box, box.world, i);
    }
    cosm_memory full = cosm_world_memory(box.world);
    CHECK_INT(full.live, 5001 * (sizeof(Position) + sizeof(cosm_ticket)) + 5001 * sizeof(Text));
    CHECK(full.used >= empty.used + 5001 * sizeof(Text));
    CHECK_INT(cosm_world_memory(fixture_world(&box, 1)).live, 0);
    cosm_rows rows;
    cosm_query_walk(box.texts, box.all, &rows);
    REQUIRE(cosm_rows_next(&rows));
    static cosm_entity gone[5000];
    memcpy(gone, rows.entities + 1, sizeof(gone));
    cosm_rows_end(&rows);
    CHECK_DONE(cosm_entity_despawn_many(box.world, gone, 5000));
    CHECK_DONE(cosm_batch_trim(box.batch));
    CHECK(cosm_world_memory(box.world).used + 4096 * sizeof(Text) < full.used);
    CHECK_INT(text_of(&box, box.world, kept), 1);
    CHECK_VALID(box.batch);
    // What was trimmed comes back as it is needed.
    for (uint32_t i = 0; i < 100; i++) {
        CHECK_INT(text_of(&box, box.world, spawn_text(&box, box.world, i)), i);
    }
    fixture_close(&box);
}

TEST(trimming_keeps_the_order_of_free_tickets_below_the_last_object) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    cosm_entity entities[60];
    for (uint32_t i = 0; i < 60; i++) {
        entities[i] = spawn_text(&box, box.world, i);
    }
    static const uint32_t order[] = {50, 3, 20, 59, 7, 58, 57, 11};
    for (uint32_t i = 0; i < 8; i++) {
        CHECK_DONE(cosm_entity_despawn(box.world, entities[order[i]]));
    }
    CHECK_DONE(cosm_batch_trim(box.batch));
    CHECK_VALID(box.batch);
    static const uint32_t expected[] = {11, 7, 20, 3, 50, 57, 58, 59};
    for (uint32_t i = 0; i < 8; i++) {
        cosm_entity entity = spawn_text(&box, box.world, 0);
        CHECK_INT(cosm_managed_ticket(box.world, entity, box.text).id, expected[i] + 1);
    }
    fixture_close(&box);
}

TEST(a_small_world_pays_little_for_its_objects) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1000);
    for (uint32_t w = 0; w < 1000; w++) {
        spawn_text(&box, fixture_world(&box, w), w);
    }
    CHECK(cosm_world_memory(box.world).used < 2048);
    CHECK_INT(objects_count(&box.books), 1000);
    fixture_close(&box);
}

// What an audit told.
struct audit {
    struct fixture *box;
    uint32_t count;
    uint32_t wrong;
    cosm_managed_entry last;
};

static void take_entry(void *context, const cosm_managed_entry *entry) {
    struct audit *audit = context;
    bool is_text = entry->component.id == audit->box->text.id;
    if (!cosm_entity_is_none(entry->entity)) {
        cosm_ticket ticket = cosm_managed_ticket(entry->world, entry->entity, entry->component);
        audit->wrong +=
            ticket.id != entry->ticket.id ||
            cosm_entity_read(entry->world, entry->entity, entry->component) != entry->object;
    }
    if (audit->count > 0) {
        cosm_managed_entry last = audit->last;
        bool is_later =
            entry->world.index > last.world.index ||
            (entry->world.index == last.world.index &&
             (entry->component.id > last.component.id ||
              (entry->component.id == last.component.id && entry->ticket.id > last.ticket.id)));
        audit->wrong += !is_later;
    }
    audit->wrong += is_text && text_number(entry->object) == OBJECT_NONE;
    audit->last = *entry;
    audit->count++;
}

TEST(an_audit_lists_every_object_with_its_owner) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 3);
    for (uint32_t i = 0; i < 30; i++) {
        cosm_entity entity = spawn_text(&box, fixture_world(&box, i % 3), i);
        if (i % 4 == 0) {
            CHECK(cosm_managed_emplace(fixture_world(&box, i % 3), entity, box.mesh) != NULL);
        }
    }
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.letter, 1, &rows));
    WITH_TEXT(&box, text, 1) {
        CHECK_DONE(cosm_rows_set(&rows, 0, box.text, &text));
    }
    struct audit audit = {&box, 0, 0, {{NULL, 0}, {0}, {0}, {0, 0}, NULL}};
    CHECK_DONE(cosm_managed_audit(box.batch, take_entry, &audit));
    CHECK_INT(audit.count, 30 + 8 + 1);
    CHECK_INT(audit.wrong, 0);
    CHECK_INT(cosm_managed_audit(NULL, take_entry, &audit), COSM_ERROR_ARGUMENT);
    fixture_close(&box);
}

TEST(a_ticket_written_by_hand_is_found_out) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    cosm_entity a = spawn_text(&box, box.world, 1);
    cosm_entity b = spawn_text(&box, box.world, 2);
    cosm_rows rows;
    cosm_query_walk(box.texts, box.all, &rows);
    REQUIRE(cosm_rows_next(&rows));
    cosm_ticket *tickets = (cosm_ticket *)(uintptr_t)COSM_COLUMN_READ(&rows, cosm_ticket, 0);
    cosm_rows_end(&rows);
    cosm_ticket own = tickets[0];
    static const uint32_t wrong[] = {0, 2, 3, 77, 0xFFFFFFFFu};
    for (uint32_t i = 0; i < 5; i++) {
        tickets[0].id = wrong[i];
        cosm_error_clear();
        CHECK_INT(cosm_batch_validate(box.batch), COSM_ERROR_CORRUPT);
        CHECK_FAILURE(COSM_ERROR_CORRUPT, "cosm_batch_validate", "'Text'", "report");
        CHECK_INT(cosm_managed_audit(box.batch, NULL, NULL), COSM_ERROR_CORRUPT);
        (void)text_of(&box, box.world, a);
        tickets[0] = own;
    }
    // Two rows that have each other's.
    cosm_ticket other = tickets[1];
    tickets[0] = other;
    tickets[1] = own;
    CHECK_INT(cosm_batch_validate(box.batch), COSM_ERROR_CORRUPT);
    tickets[0] = own;
    tickets[1] = other;
    CHECK_INT(text_of(&box, box.world, b), 2);
    // Of temporary rows too, whose objects have no entity.
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.letter, 2, &rows));
    for (uint32_t i = 0; i < 2; i++) {
        WITH_TEXT(&box, text, i) {
            CHECK_DONE(cosm_rows_set(&rows, i, box.text, &text));
        }
    }
    tickets = (cosm_ticket *)(uintptr_t)cosm_managed_tickets(&rows, box.text);
    own = tickets[1];
    tickets[1] = tickets[0];
    CHECK_INT(cosm_batch_validate(box.batch), COSM_ERROR_CORRUPT);
    tickets[1] = own;
    fixture_close(&box);
}

TEST(objects_are_many) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    enum { COUNT = 40000 };
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.actor, COUNT, &rows));
    WITH_TEXT(&box, text, 6) {
        CHECK_DONE(cosm_query_set(box.texts, box.all, box.text, &text));
    }
    CHECK_INT(cosm_managed_count(box.world, box.text), COUNT);
    const cosm_ticket *tickets = cosm_managed_tickets(&rows, box.text);
    REQUIRE(tickets != NULL);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        const Text *text = cosm_managed_read(box.world, box.text, tickets[i]);
        wrong += tickets[i].id != i + 1 || text == NULL || text->number != 6 || text->self != text;
    }
    CHECK_INT(wrong, 0);
    // Whole columns change hands, the tickets with them.
    CHECK_DONE(cosm_query_add(box.texts, box.all, box.mark));
    CHECK_DONE(cosm_query_remove(box.texts, box.all, box.mark));
    CHECK_VALID(box.batch);
    CHECK_DONE(cosm_query_remove(box.texts, box.all, box.text));
    CHECK_INT(objects_count(&box.books), 0);
    fixture_close(&box);
}
