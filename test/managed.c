// Managed components: every object is made once and ends once, and a row owns it in between.
#include <string.h>

#include "harness.h"
#include "support/vault.h"

// A text of the caller's, for one call.
#define WITH_TEXT(vault, name, number)                                                             \
    for (Text name, *name##_once = (vault_text_open(vault, &name, number), &name);                 \
         name##_once != NULL; vault_text_end(vault, &name), name##_once = NULL)

static void set_text(struct vault *vault, cosm_world world, cosm_entity entity, uint32_t number) {
    WITH_TEXT(vault, text, number) {
        CHECK_DONE(cosm_entity_set(world, entity, vault->text, &text));
    }
}

TEST(a_row_begins_without_an_object) {
    struct vault vault;
    vault_open(&vault, 1);
    cosm_entity entity = cosm_entity_spawn(vault.world, vault.actor);
    CHECK_INT(cosm_managed_ticket(vault.world, entity, vault.text).id, 0);
    CHECK(cosm_entity_read(vault.world, entity, vault.text) == NULL);
    CHECK_DONE(cosm_entity_add(vault.world, entity, vault.mesh));
    CHECK(cosm_entity_has(vault.world, entity, vault.mesh));
    CHECK(cosm_entity_read(vault.world, entity, vault.mesh) == NULL);
    CHECK_INT(vault_count(&vault), 0);
    CHECK_SILENT();
    vault_close(&vault);
}

TEST(rows_that_are_left_unset_have_no_objects_either) {
    struct vault vault;
    vault_open(&vault, 1);
    cosm_rows rows;
    for (uint32_t round = 0; round < 3; round++) {
        CHECK_DONE(cosm_entity_spawn_many_unset(vault.world, vault.actor, 40, &rows));
        for (uint32_t i = 0; i < rows.count; i++) {
            CHECK(cosm_managed_row_read(&rows, i, vault.text) == NULL);
            WITH_TEXT(&vault, text, i) {
                CHECK_DONE(cosm_rows_set(&rows, i, vault.text, &text));
            }
        }
        CHECK_INT(cosm_managed_count(vault.world, vault.text), 40);
        CHECK_VALID(vault.batch);
        CHECK_DONE(cosm_table_clear(vault.world, vault.actor));
    }
    CHECK_INT(vault_count(&vault), 0);
    vault_close(&vault);
}

TEST(spawning_with_an_object_copies_it) {
    struct vault vault;
    vault_open(&vault, 2);
    Text text;
    Mesh mesh;
    vault_text_open(&vault, &text, 7);
    vault_mesh_open(&vault, &mesh, 9);
    cosm_value values[] = {
        {vault.mesh, &mesh}, {vault.position, &(Position){1, 2, 3}}, {vault.text, &text}};
    cosm_entity entity = cosm_entity_spawn_with(vault.world, vault.pack, values, 3);
    vault_text_end(&vault, &text);
    vault_mesh_end(&vault, &mesh);
    CHECK_INT(vault_text_of(&vault, vault.world, entity), 7);
    CHECK_INT(vault_mesh_of(&vault, vault.world, entity), 9);
    const Position *position = COSM_READ(vault.world, entity, Position);
    REQUIRE(position != NULL);
    CHECK_NEAR(position->z, 3, 0);
    CHECK_INT(vault_count(&vault), 2);
    vault_close(&vault);
}

TEST(of_two_values_for_one_component_the_last_one_stays) {
    struct vault vault;
    vault_open(&vault, 1);
    Text texts[12];
    cosm_value values[12];
    for (uint32_t i = 0; i < 12; i++) {
        vault_text_open(&vault, &texts[i], i);
        values[i] = (cosm_value){vault.text, &texts[i]};
    }
    cosm_entity few = cosm_entity_spawn_with(vault.world, vault.actor, values, 2);
    cosm_entity many = cosm_entity_spawn_with(vault.world, vault.actor, values, 12);
    CHECK_INT(vault_text_of(&vault, vault.world, few), 1);
    CHECK_INT(vault_text_of(&vault, vault.world, many), 11);
    CHECK_INT(cosm_managed_count(vault.world, vault.text), 2);
    for (uint32_t i = 0; i < 12; i++) {
        vault_text_end(&vault, &texts[i]);
    }
    vault_close(&vault);
}

TEST(a_failed_spawn_releases_what_it_copied) {
    struct vault vault;
    vault_open(&vault, 1);
    Text text;
    vault_text_open(&vault, &text, 1);
    cosm_value value = {vault.text, &text};
    for (uint32_t i = 0; i < 4; i++) {
        CHECK(!cosm_entity_is_none(cosm_entity_spawn_with(vault.world, vault.pack, &value, 1)));
    }
    cosm_error_clear();
    CHECK(cosm_entity_is_none(cosm_entity_spawn_with(vault.world, vault.pack, &value, 1)));
    CHECK_FAILURE(COSM_ERROR_FULL, "cosm_entity_spawn_with", "max_per_world 4", "despawn some");
    CHECK_INT(cosm_managed_count(vault.world, vault.text), 4);
    CHECK_INT(vault_count(&vault), 5);
    cosm_value wrong[] = {{vault.text, &text}, {vault.mesh, &text}};
    CHECK(cosm_entity_is_none(cosm_entity_spawn_with(vault.world, vault.actor, wrong, 2)));
    CHECK_INT(vault_count(&vault), 5);
    vault_text_end(&vault, &text);
    vault_close(&vault);
}

TEST(a_set_copies_the_object_and_replacing_releases_the_old_one_once) {
    struct vault vault;
    vault_open(&vault, 1);
    cosm_entity entity = cosm_entity_spawn(vault.world, vault.actor);
    set_text(&vault, vault.world, entity, 1);
    CHECK_INT(vault_text_of(&vault, vault.world, entity), 1);
    cosm_ticket ticket = cosm_managed_ticket(vault.world, entity, vault.text);
    uint64_t ended = vault.books.ended;
    set_text(&vault, vault.world, entity, 2);
    CHECK_INT(vault.books.ended - ended, 2); // the old one, and the caller's
    CHECK_INT(vault_text_of(&vault, vault.world, entity), 2);
    CHECK_INT(cosm_managed_ticket(vault.world, entity, vault.text).id, ticket.id);
    CHECK_INT(vault_count(&vault), 1);
    Mesh mesh;
    vault_mesh_open(&vault, &mesh, 3);
    CHECK_DONE(cosm_entity_set(vault.world, entity, vault.mesh, &mesh)); // adds it
    CHECK_DONE(cosm_entity_set(vault.world, entity, vault.mesh, &mesh)); // by way of the heap
    vault_mesh_end(&vault, &mesh);
    CHECK_INT(vault_mesh_of(&vault, vault.world, entity), 3);
    CHECK_INT(vault_text_of(&vault, vault.world, entity), 2);
    CHECK_INT(cosm_entity_set(vault.world, COSM_ENTITY_NONE, vault.text, &mesh), COSM_STALE);
    vault_close(&vault);
}

TEST(an_object_may_be_set_to_itself_and_to_that_of_another) {
    struct vault vault;
    vault_open(&vault, 1);
    cosm_entity a = vault_spawn(&vault, vault.world, 1);
    cosm_entity b = vault_spawn(&vault, vault.world, 2);
    CHECK_DONE(
        cosm_entity_set(vault.world, a, vault.text, cosm_entity_read(vault.world, a, vault.text)));
    CHECK_INT(vault_text_of(&vault, vault.world, a), 1);
    CHECK_DONE(
        cosm_entity_set(vault.world, a, vault.text, cosm_entity_read(vault.world, b, vault.text)));
    CHECK_INT(vault_text_of(&vault, vault.world, a), 2);
    cosm_entity c = cosm_entity_spawn(vault.world, vault.bare);
    CHECK_DONE(
        cosm_entity_set(vault.world, c, vault.text, cosm_entity_read(vault.world, a, vault.text)));
    CHECK_DONE(cosm_query_set(vault.texts, vault.all, vault.text,
                              cosm_entity_read(vault.world, c, vault.text)));
    CHECK_INT(vault_text_of(&vault, vault.world, a), 2);
    CHECK_INT(vault_text_of(&vault, vault.world, c), 2);
    CHECK_INT(vault_count(&vault), 3);
    vault_close(&vault);
}

TEST(a_ticket_and_its_object_survive_every_move_of_their_row) {
    struct vault vault;
    vault_open(&vault, 1);
    cosm_entity entities[50];
    cosm_ticket tickets[50];
    const void *objects[50];
    for (uint32_t i = 0; i < 50; i++) {
        entities[i] = vault_spawn(&vault, vault.world, i);
        tickets[i] = cosm_managed_ticket(vault.world, entities[i], vault.text);
        objects[i] = cosm_entity_read(vault.world, entities[i], vault.text);
    }
    cosm_query *all = cosm_query_create(vault.engine, &(cosm_query_desc){.by_world = false});
    CHECK_DONE(cosm_entity_add(vault.world, entities[3], vault.mark));
    CHECK_DONE(cosm_query_add(all, vault.all, vault.plain));
    CHECK_DONE(cosm_entity_add_many(vault.world, entities + 10, 20, vault.mark));
    CHECK_DONE(cosm_query_remove(all, vault.all, vault.position));
    CHECK_DONE(cosm_entity_remove_many(vault.world, entities, 50, vault.plain));
    CHECK_DONE(cosm_entity_despawn(vault.world, entities[0]));
    CHECK_DONE(cosm_batch_trim(vault.batch));
    for (uint32_t i = 1; i < 50; i++) {
        CHECK_INT(cosm_managed_ticket(vault.world, entities[i], vault.text).id, tickets[i].id);
        CHECK(cosm_managed_read(vault.world, vault.text, tickets[i]) == objects[i]);
        CHECK_INT(vault_text_of(&vault, vault.world, entities[i]), i);
    }
    CHECK(cosm_managed_read(vault.world, vault.text, tickets[0]) == NULL);
    CHECK_INT(vault_count(&vault), 49);
    cosm_query_destroy(all);
    vault_close(&vault);
}

TEST(removing_the_component_releases_and_so_does_every_end_of_a_row) {
    struct vault vault;
    vault_open(&vault, 3);
    cosm_entity entities[12];
    for (uint32_t i = 0; i < 12; i++) {
        entities[i] = vault_spawn(&vault, vault.world, i);
    }
    CHECK_DONE(cosm_entity_remove(vault.world, entities[0], vault.text));
    CHECK_INT(vault_count(&vault), 11);
    CHECK_DONE(cosm_entity_add(vault.world, entities[0], vault.text));
    CHECK(cosm_entity_read(vault.world, entities[0], vault.text) == NULL);
    CHECK_DONE(cosm_entity_despawn(vault.world, entities[1]));
    CHECK_INT(vault_count(&vault), 10);
    CHECK_DONE(cosm_entity_despawn_many(vault.world, entities + 1, 3));
    CHECK_INT(vault_count(&vault), 8);
    CHECK_DONE(cosm_entity_remove_many(vault.world, entities + 4, 2, vault.text));
    CHECK_INT(vault_count(&vault), 6);
    CHECK_DONE(cosm_query_remove(vault.texts, vault.all, vault.text));
    CHECK_INT(vault_count(&vault), 0);
    vault_spawn(&vault, vault.world, 1);
    CHECK_DONE(cosm_query_despawn(vault.texts, vault.all));
    CHECK_INT(vault_count(&vault), 0);
    vault_spawn(&vault, vault.world, 1);
    CHECK_DONE(cosm_table_clear(vault.world, vault.actor));
    CHECK_INT(vault_count(&vault), 0);
    for (uint32_t w = 0; w < 3; w++) {
        vault_spawn(&vault, vault_world(&vault, w), w);
    }
    CHECK_DONE(cosm_world_reset(vault.world));
    CHECK_INT(vault_count(&vault), 2);
    CHECK_DONE(cosm_batch_reset(vault.batch, (const uint8_t[]){1, 0, 1}));
    CHECK_INT(vault_count(&vault), 1);
    CHECK_INT(cosm_managed_count(vault_world(&vault, 1), vault.text), 1);
    vault_close(&vault); // releases the last one
}

TEST(putting_moves_an_object_in_without_a_copy) {
    struct vault vault;
    vault_open(&vault, 1);
    cosm_entity entity = cosm_entity_spawn(vault.world, vault.bare);
    Text text;
    vault_text_open(&vault, &text, 1);
    uint64_t made = vault.books.made;
    CHECK_DONE(cosm_managed_put(vault.world, entity, vault.text, &text)); // adds it
    CHECK_INT(vault_text_of(&vault, vault.world, entity), 1);
    CHECK_INT(vault.books.made, made);
    vault_text_open(&vault, &text, 2);
    CHECK_DONE(cosm_managed_put(vault.world, entity, vault.text, &text)); // replaces it
    CHECK_INT(vault_text_of(&vault, vault.world, entity), 2);
    CHECK_INT(vault_count(&vault), 1);
    vault_text_open(&vault, &text, 3);
    CHECK_INT(cosm_managed_put(vault.world, (cosm_entity){5, 5}, vault.text, &text), COSM_STALE);
    CHECK_INT(text_number(&text), 3); // still the caller's
    vault_text_end(&vault, &text);
    void *own = cosm_entity_write(vault.world, entity, vault.text);
    CHECK_FAILS(cosm_managed_put(vault.world, entity, vault.text, own), COSM_ERROR_ARGUMENT,
                "cosm_managed_put", "belongs to a row", "cosm_managed_take");
    CHECK_INT(vault_text_of(&vault, vault.world, entity), 2);
    vault_close(&vault);
}

TEST(emplacing_constructs_in_place) {
    struct vault vault;
    vault_open(&vault, 1);
    cosm_entity entity = cosm_entity_spawn(vault.world, vault.bare);
    Text *text = cosm_managed_emplace(vault.world, entity, vault.text);
    REQUIRE(text != NULL);
    CHECK_INT(text_number(text), 0);
    CHECK(text == cosm_entity_read(vault.world, entity, vault.text));
    set_text(&vault, vault.world, entity, 4);
    CHECK(cosm_managed_emplace(vault.world, entity, vault.text) == text);
    CHECK_INT(text_number(text), 0);
    // Without a construct it is the default value.
    Plain *plain = cosm_managed_emplace(vault.world, entity, vault.plain);
    REQUIRE(plain != NULL);
    CHECK_INT(plain->a, PLAIN_DEFAULT_A);
    plain->b = 1;
    plain = cosm_managed_emplace(vault.world, entity, vault.plain);
    REQUIRE(plain != NULL);
    CHECK_INT(plain->b, 0);
    CHECK(cosm_managed_emplace(vault.world, COSM_ENTITY_NONE, vault.text) == NULL);
    CHECK_SILENT();
    vault_close(&vault);
}

TEST(an_object_can_be_taken_out_or_cleared_and_the_component_stays) {
    struct vault vault;
    vault_open(&vault, 1);
    cosm_entity entity = vault_spawn(&vault, vault.world, 1);
    Text text;
    uint64_t made = vault.books.made;
    CHECK_DONE(cosm_managed_take(vault.world, entity, vault.text, &text));
    CHECK_INT(text_number(&text), 1);
    CHECK_INT(vault.books.made, made);
    CHECK(cosm_entity_has(vault.world, entity, vault.text));
    CHECK_INT(cosm_managed_take(vault.world, entity, vault.text, &text), COSM_STALE);
    CHECK_INT(cosm_managed_count(vault.world, vault.text), 0);
    CHECK_DONE(cosm_managed_put(vault.world, entity, vault.text, &text));
    CHECK_DONE(cosm_managed_clear(vault.world, entity, vault.text));
    CHECK_INT(vault_count(&vault), 0);
    CHECK_DONE(cosm_managed_clear(vault.world, entity, vault.text)); // none is fine
    CHECK_DONE(cosm_managed_clear(vault.world, entity, vault.mesh)); // and so is none such
    CHECK_INT(cosm_managed_clear(vault.world, COSM_ENTITY_NONE, vault.text), COSM_STALE);
    CHECK_INT(cosm_managed_take(vault.world, COSM_ENTITY_NONE, vault.text, &text), COSM_STALE);
    vault_close(&vault);
}

TEST(a_query_shows_a_column_of_tickets) {
    struct vault vault;
    vault_open(&vault, 2);
    for (uint32_t i = 0; i < 10; i++) {
        vault_spawn(&vault, vault_world(&vault, i % 2), i);
    }
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(vault.world, vault.actor)));
    uint32_t seen = 0;
    uint32_t sum = 0;
    cosm_rows rows;
    cosm_query_walk(vault.texts, vault.all, &rows);
    while (cosm_rows_next(&rows)) {
        const cosm_ticket *tickets = COSM_COLUMN_READ(&rows, cosm_ticket, 0);
        REQUIRE(tickets != NULL && tickets == cosm_managed_tickets(&rows, vault.text));
        for (uint32_t i = 0; i < rows.count; i++) {
            const Text *text = cosm_managed_read(cosm_rows_world(&rows, i), vault.text, tickets[i]);
            CHECK(text == cosm_managed_row_read(&rows, i, vault.text));
            seen++;
            sum += text == NULL ? 100 : text_number(text);
            Text *written = cosm_managed_row_write(&rows, i, vault.text);
            CHECK(written == text);
        }
    }
    CHECK_INT(seen, 11);
    CHECK_INT(sum, 45 + 100);
    CHECK_SILENT();
    vault_close(&vault);
}

TEST(rows_that_run_over_full_worlds_find_each_its_own_object) {
    struct vault vault;
    vault_open(&vault, 3);
    for (uint32_t w = 0; w < 3; w++) {
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(vault_world(&vault, w), vault.pack, 4, &rows));
        for (uint32_t i = 0; i < 4; i++) {
            WITH_TEXT(&vault, text, w * 10 + i) {
                CHECK_DONE(cosm_rows_set(&rows, i, vault.text, &text));
            }
        }
    }
    cosm_rows rows;
    cosm_query_walk(vault.texts, vault.all, &rows);
    REQUIRE(cosm_rows_next(&rows));
    CHECK_INT(rows.count, 12);
    for (uint32_t i = 0; i < 12; i++) {
        CHECK_INT(text_number(cosm_managed_row_read(&rows, i, vault.text)), i / 4 * 10 + i % 4);
        // Replacing is not a structural change.
        WITH_TEXT(&vault, text, 50 + i) {
            CHECK_DONE(cosm_rows_set(&rows, i, vault.text, &text));
        }
    }
    cosm_rows_end(&rows);
    for (uint32_t w = 0; w < 3; w++) {
        cosm_entity last = cosm_entity_at(vault_world(&vault, w), (cosm_loc){vault.pack.id, 3});
        CHECK_INT(vault_text_of(&vault, vault_world(&vault, w), last), 50 + w * 4 + 3);
    }
    vault_close(&vault);
}

TEST(whole_queries_are_set_with_a_copy_for_each_row) {
    struct vault vault;
    vault_open(&vault, 3);
    for (uint32_t i = 0; i < 9; i++) {
        vault_spawn(&vault, vault_world(&vault, i % 3), i);
    }
    cosm_entity bare = cosm_entity_spawn(vault_world(&vault, 2), vault.bare);
    cosm_query *all = cosm_query_create(vault.engine, &(cosm_query_desc){.by_world = false});
    WITH_TEXT(&vault, text, 77) {
        CHECK_DONE(cosm_query_set(all, vault.all, vault.text, &text));
    }
    CHECK_INT(vault_count(&vault), 10);
    CHECK_INT(vault_text_of(&vault, vault_world(&vault, 2), bare), 77);
    CHECK_INT(cosm_managed_count(vault_world(&vault, 2), vault.text), 4);
    CHECK_VALID(vault.batch);
    Mesh mesh;
    vault_mesh_open(&vault, &mesh, 5);
    CHECK_DONE(cosm_query_set(vault.texts, vault.all, vault.mesh, &mesh));
    vault_mesh_end(&vault, &mesh);
    CHECK_INT(vault_count(&vault), 20);
    CHECK_INT(vault_mesh_of(&vault, vault_world(&vault, 2), bare), 5);
    cosm_query_destroy(all);
    vault_close(&vault);
}

TEST(an_array_of_objects_is_set_at_once) {
    struct vault vault;
    vault_open(&vault, 1);
    cosm_entity entities[20];
    Text texts[20];
    for (uint32_t i = 0; i < 20; i++) {
        entities[i] = i % 2 == 0 ? vault_spawn(&vault, vault.world, i)
                                 : cosm_entity_spawn(vault.world, vault.bare);
        vault_text_open(&vault, &texts[i], 100 + i);
    }
    entities[5] = COSM_ENTITY_NONE;
    CHECK_DONE(cosm_entity_set_many(vault.world, entities, 20, vault.text, texts));
    for (uint32_t i = 0; i < 20; i++) {
        vault_text_end(&vault, &texts[i]);
        CHECK_INT(vault_text_of(&vault, vault.world, entities[i]), i == 5 ? VAULT_NONE : 100 + i);
    }
    CHECK_INT(vault_count(&vault), 19);
    const void *found[20];
    CHECK_INT(cosm_entity_read_many(vault.world, entities, 20, vault.text, found), 19);
    CHECK(found[5] == NULL);
    CHECK_INT(text_number(found[19]), 119);
    cosm_loc loc = cosm_entity_loc(vault.world, entities[19]);
    CHECK(cosm_loc_read(vault.world, loc, vault.text) == found[19]);
    CHECK(cosm_loc_write(vault.world, loc, vault.text) == found[19]);
    vault_close(&vault);
}

TEST(tickets_are_handed_out_last_freed_first_and_from_one_when_all_are_free) {
    struct vault vault;
    vault_open(&vault, 1);
    cosm_entity entities[20];
    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < 20; i++) {
            entities[i] = vault_spawn(&vault, vault.world, i);
            CHECK_INT(cosm_managed_ticket(vault.world, entities[i], vault.text).id, i + 1);
        }
        CHECK_DONE(cosm_entity_despawn(vault.world, entities[4]));
        CHECK_DONE(cosm_entity_despawn(vault.world, entities[11]));
        entities[4] = vault_spawn(&vault, vault.world, 0);
        entities[11] = vault_spawn(&vault, vault.world, 0);
        CHECK_INT(cosm_managed_ticket(vault.world, entities[4], vault.text).id, 12);
        CHECK_INT(cosm_managed_ticket(vault.world, entities[11], vault.text).id, 5);
        CHECK_DONE(cosm_entity_despawn_many(vault.world, entities, 20));
    }
    vault_close(&vault);
}

TEST(the_rows_of_a_temporary_table_own_objects_until_the_step_ends) {
    struct vault vault;
    vault_open(&vault, 2);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(vault.world, vault.note, 3, &rows));
    WITH_TEXT(&vault, text, 1) {
        CHECK_DONE(cosm_rows_set(&rows, 1, vault.text, &text));
    }
    cosm_commands *commands = cosm_commands_create(vault.batch);
    WITH_TEXT(&vault, text, 2) {
        CHECK_DONE(cosm_commands_emit(commands, vault_world(&vault, 1), vault.note,
                                      &(cosm_value){vault.text, &text}, 1));
    }
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    cosm_commands_destroy(commands);
    CHECK_INT(vault_count(&vault), 2);
    CHECK_VALID(vault.batch);
    const Text *noted =
        cosm_loc_read(vault_world(&vault, 1), (cosm_loc){vault.note.id, 0}, vault.text);
    CHECK_INT(text_number(noted), 2);
    CHECK_DONE(cosm_batch_step(vault.batch));
    CHECK_INT(vault_count(&vault), 0);
    vault_close(&vault);
}

static uint64_t by_number(void *context, cosm_entity entity, const void *value) {
    (void)context;
    (void)entity;
    return value == NULL ? 0 : ((const Text *)value)->number;
}

TEST(a_table_is_sorted_by_its_objects) {
    struct vault vault;
    vault_open(&vault, 1);
    cosm_entity entities[6];
    for (uint32_t i = 0; i < 5; i++) {
        entities[i] = vault_spawn(&vault, vault.world, 50 - 10 * i);
    }
    entities[5] = cosm_entity_spawn(vault.world, vault.actor);
    CHECK_DONE(cosm_table_sort(vault.world, vault.actor, vault.text, by_number, NULL));
    for (uint32_t i = 0; i < 6; i++) {
        CHECK_INT(cosm_entity_loc(vault.world, entities[i]).row, 5 - i);
        CHECK_INT(vault_text_of(&vault, vault.world, entities[i]),
                  i == 5 ? VAULT_NONE : 50 - 10 * i);
    }
    CHECK_VALID(vault.batch);
    vault_close(&vault);
}

TEST(a_checksum_is_of_what_objects_hold_and_not_of_where_they_are) {
    struct vault vault;
    vault_open(&vault, 2);
    cosm_world a = vault_world(&vault, 0);
    cosm_world b = vault_world(&vault, 1);
    // The same entities with the same texts, but objects made in another order.
    cosm_entity in_a[3];
    cosm_entity in_b[3];
    for (uint32_t i = 0; i < 3; i++) {
        in_a[i] = vault_spawn(&vault, a, i);
        in_b[i] = cosm_entity_spawn(b, vault.actor);
    }
    for (uint32_t i = 3; i-- > 0;) {
        set_text(&vault, b, in_b[i], i);
    }
    CHECK(cosm_managed_ticket(a, in_a[0], vault.text).id !=
          cosm_managed_ticket(b, in_b[0], vault.text).id);
    CHECK_INT(cosm_hash_world(a, COSM_HASH_CONTENT), cosm_hash_world(b, COSM_HASH_CONTENT));
    uint64_t before = cosm_hash_world(b, COSM_HASH_EXACT);
    set_text(&vault, b, in_b[1], 9);
    CHECK(cosm_hash_world(b, COSM_HASH_EXACT) != before);
    set_text(&vault, b, in_b[1], 1);
    CHECK_INT(cosm_hash_world(b, COSM_HASH_EXACT), before);
    CHECK_DONE(cosm_managed_clear(b, in_b[1], vault.text));
    CHECK(cosm_hash_world(b, COSM_HASH_EXACT) != before);
    // Of one that is described the fields count, of others only that they are there.
    Plain plain = {1, 2};
    CHECK_DONE(cosm_entity_set(a, in_a[0], vault.plain, &plain));
    before = cosm_hash_world(a, COSM_HASH_EXACT);
    COSM_WRITE(a, in_a[0], Plain)->b = 3;
    CHECK(cosm_hash_world(a, COSM_HASH_EXACT) != before);
    CHECK(cosm_managed_emplace(a, in_a[1], vault.mesh) != NULL);
    before = cosm_hash_world(a, COSM_HASH_EXACT);
    Mesh mesh;
    vault_mesh_open(&vault, &mesh, 5);
    CHECK_DONE(cosm_managed_put(a, in_a[1], vault.mesh, &mesh));
    CHECK_INT(cosm_hash_world(a, COSM_HASH_EXACT), before);
    CHECK_DONE(cosm_managed_clear(a, in_a[1], vault.mesh));
    CHECK(cosm_hash_world(a, COSM_HASH_EXACT) != before);
    vault_close(&vault);
}

TEST(memory_figures_count_objects_and_trimming_gives_back_what_they_leave) {
    struct vault vault;
    vault_open(&vault, 2);
    cosm_memory empty = cosm_world_memory(vault.world);
    cosm_entity kept = vault_spawn(&vault, vault.world, 1);
    for (uint32_t i = 0; i < 5000; i++) {
        vault_spawn(&vault, vault.world, i);
    }
    cosm_memory full = cosm_world_memory(vault.world);
    CHECK_INT(full.live, 5001 * (sizeof(Position) + sizeof(cosm_ticket)) + 5001 * sizeof(Text));
    CHECK(full.used >= empty.used + 5001 * sizeof(Text));
    CHECK_INT(cosm_world_memory(vault_world(&vault, 1)).live, 0);
    cosm_rows rows;
    cosm_query_walk(vault.texts, vault.all, &rows);
    REQUIRE(cosm_rows_next(&rows));
    static cosm_entity gone[5000];
    memcpy(gone, rows.entities + 1, sizeof(gone));
    cosm_rows_end(&rows);
    CHECK_DONE(cosm_entity_despawn_many(vault.world, gone, 5000));
    CHECK_DONE(cosm_batch_trim(vault.batch));
    CHECK(cosm_world_memory(vault.world).used + 4096 * sizeof(Text) < full.used);
    CHECK_INT(vault_text_of(&vault, vault.world, kept), 1);
    CHECK_VALID(vault.batch);
    // What was trimmed comes back as it is needed.
    for (uint32_t i = 0; i < 100; i++) {
        CHECK_INT(vault_text_of(&vault, vault.world, vault_spawn(&vault, vault.world, i)), i);
    }
    vault_close(&vault);
}

TEST(trimming_keeps_the_order_of_free_tickets_below_the_last_object) {
    struct vault vault;
    vault_open(&vault, 1);
    cosm_entity entities[60];
    for (uint32_t i = 0; i < 60; i++) {
        entities[i] = vault_spawn(&vault, vault.world, i);
    }
    static const uint32_t order[] = {50, 3, 20, 59, 7, 58, 57, 11};
    for (uint32_t i = 0; i < 8; i++) {
        CHECK_DONE(cosm_entity_despawn(vault.world, entities[order[i]]));
    }
    CHECK_DONE(cosm_batch_trim(vault.batch));
    CHECK_VALID(vault.batch);
    static const uint32_t expected[] = {11, 7, 20, 3, 50, 57, 58, 59};
    for (uint32_t i = 0; i < 8; i++) {
        cosm_entity entity = vault_spawn(&vault, vault.world, 0);
        CHECK_INT(cosm_managed_ticket(vault.world, entity, vault.text).id, expected[i] + 1);
    }
    vault_close(&vault);
}

TEST(a_small_world_pays_little_for_its_objects) {
    struct vault vault;
    vault_open(&vault, 1000);
    for (uint32_t w = 0; w < 1000; w++) {
        vault_spawn(&vault, vault_world(&vault, w), w);
    }
    CHECK(cosm_world_memory(vault.world).used < 2048);
    CHECK_INT(vault_count(&vault), 1000);
    vault_close(&vault);
}

// What an audit told.
struct audit {
    struct vault *vault;
    uint32_t count;
    uint32_t wrong;
    cosm_managed_entry last;
};

static void take_entry(void *context, const cosm_managed_entry *entry) {
    struct audit *audit = context;
    bool is_text = entry->component.id == audit->vault->text.id;
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
    audit->wrong += is_text && text_number(entry->object) == VAULT_NONE;
    audit->last = *entry;
    audit->count++;
}

TEST(an_audit_lists_every_object_with_its_owner) {
    struct vault vault;
    vault_open(&vault, 3);
    for (uint32_t i = 0; i < 30; i++) {
        cosm_entity entity = vault_spawn(&vault, vault_world(&vault, i % 3), i);
        if (i % 4 == 0) {
            CHECK(cosm_managed_emplace(vault_world(&vault, i % 3), entity, vault.mesh) != NULL);
        }
    }
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(vault.world, vault.note, 1, &rows));
    WITH_TEXT(&vault, text, 1) {
        CHECK_DONE(cosm_rows_set(&rows, 0, vault.text, &text));
    }
    struct audit audit = {&vault, 0, 0, {{NULL, 0}, {0}, {0}, {0, 0}, NULL}};
    CHECK_DONE(cosm_managed_audit(vault.batch, take_entry, &audit));
    CHECK_INT(audit.count, 30 + 8 + 1);
    CHECK_INT(audit.wrong, 0);
    CHECK_INT(cosm_managed_audit(NULL, take_entry, &audit), COSM_ERROR_ARGUMENT);
    vault_close(&vault);
}

TEST(a_ticket_written_by_hand_is_found_out) {
    struct vault vault;
    vault_open(&vault, 1);
    cosm_entity a = vault_spawn(&vault, vault.world, 1);
    cosm_entity b = vault_spawn(&vault, vault.world, 2);
    cosm_rows rows;
    cosm_query_walk(vault.texts, vault.all, &rows);
    REQUIRE(cosm_rows_next(&rows));
    cosm_ticket *tickets = (cosm_ticket *)(uintptr_t)COSM_COLUMN_READ(&rows, cosm_ticket, 0);
    cosm_rows_end(&rows);
    cosm_ticket own = tickets[0];
    static const uint32_t wrong[] = {0, 2, 3, 77, 0xFFFFFFFFu};
    for (uint32_t i = 0; i < 5; i++) {
        tickets[0].id = wrong[i];
        cosm_error_clear();
        CHECK_INT(cosm_batch_validate(vault.batch), COSM_ERROR_CORRUPT);
        CHECK_FAILURE(COSM_ERROR_CORRUPT, "cosm_batch_validate", "'Text'", "report");
        CHECK_INT(cosm_managed_audit(vault.batch, NULL, NULL), COSM_ERROR_CORRUPT);
        (void)vault_text_of(&vault, vault.world, a);
        tickets[0] = own;
    }
    // Two rows that have each other's.
    cosm_ticket other = tickets[1];
    tickets[0] = other;
    tickets[1] = own;
    CHECK_INT(cosm_batch_validate(vault.batch), COSM_ERROR_CORRUPT);
    tickets[0] = own;
    tickets[1] = other;
    CHECK_INT(vault_text_of(&vault, vault.world, b), 2);
    // Of temporary rows too, whose objects have no entity.
    CHECK_DONE(cosm_entity_spawn_many(vault.world, vault.note, 2, &rows));
    for (uint32_t i = 0; i < 2; i++) {
        WITH_TEXT(&vault, text, i) {
            CHECK_DONE(cosm_rows_set(&rows, i, vault.text, &text));
        }
    }
    tickets = (cosm_ticket *)(uintptr_t)cosm_managed_tickets(&rows, vault.text);
    own = tickets[1];
    tickets[1] = tickets[0];
    CHECK_INT(cosm_batch_validate(vault.batch), COSM_ERROR_CORRUPT);
    tickets[1] = own;
    vault_close(&vault);
}

TEST(objects_are_many) {
    struct vault vault;
    vault_open(&vault, 1);
    enum { COUNT = 40000 };
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(vault.world, vault.actor, COUNT, &rows));
    WITH_TEXT(&vault, text, 6) {
        CHECK_DONE(cosm_query_set(vault.texts, vault.all, vault.text, &text));
    }
    CHECK_INT(cosm_managed_count(vault.world, vault.text), COUNT);
    const cosm_ticket *tickets = cosm_managed_tickets(&rows, vault.text);
    REQUIRE(tickets != NULL);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        const Text *text = cosm_managed_read(vault.world, vault.text, tickets[i]);
        wrong += tickets[i].id != i + 1 || text == NULL || text->number != 6 || text->self != text;
    }
    CHECK_INT(wrong, 0);
    // Whole columns change hands, the tickets with them.
    CHECK_DONE(cosm_query_add(vault.texts, vault.all, vault.mark));
    CHECK_DONE(cosm_query_remove(vault.texts, vault.all, vault.mark));
    CHECK_VALID(vault.batch);
    CHECK_DONE(cosm_query_remove(vault.texts, vault.all, vault.text));
    CHECK_INT(vault_count(&vault), 0);
    vault_close(&vault);
}
