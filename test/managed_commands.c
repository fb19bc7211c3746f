// Managed components in commands, walks and systems: objects are copied when they are recorded,
// moved when they are applied, and released where they come to nothing.
#include "harness.h"
#include "support/vault.h"

// Records a set of a text of that number.
static cosm_result record_text(struct vault *vault, cosm_commands *commands, cosm_world world,
                               cosm_entity entity, uint32_t number) {
    Text text;
    vault_text_open(vault, &text, number);
    cosm_result result = cosm_commands_set(commands, world, entity, vault->text, &text);
    vault_text_end(vault, &text);
    return result;
}

static cosm_entity record_spawn(struct vault *vault, cosm_commands *commands, uint32_t number) {
    Text text;
    Mesh mesh;
    vault_text_open(vault, &text, number);
    vault_mesh_open(vault, &mesh, number + 1);
    cosm_value values[] = {
        {vault->position, &(Position){1, 2, 3}}, {vault->mesh, &mesh}, {vault->text, &text}};
    cosm_entity entity = cosm_commands_spawn_with(commands, vault->world, vault->pack, values, 3);
    vault_text_end(vault, &text);
    vault_mesh_end(vault, &mesh);
    return entity;
}

TEST(commands_copy_an_object_once_and_move_it_in) {
    struct vault vault;
    vault_open(&vault, 1);
    cosm_commands *commands = cosm_commands_create(vault.batch);
    cosm_entity has = vault_spawn(&vault, vault.world, 1);
    cosm_entity none = cosm_entity_spawn(vault.world, vault.actor);
    cosm_entity lacks = cosm_entity_spawn(vault.world, vault.bare);
    CHECK_DONE(record_text(&vault, commands, vault.world, has, 11));
    CHECK_DONE(record_text(&vault, commands, vault.world, none, 12));
    CHECK_DONE(record_text(&vault, commands, vault.world, lacks, 13));
    cosm_entity made = record_spawn(&vault, commands, 20);
    CHECK_INT(vault_count(&vault), 1 + 3 + 2);
    uint64_t before = vault.books.made;
    cosm_commands_report report;
    CHECK_DONE(cosm_commands_apply(commands, &report));
    CHECK_INT(vault.books.made, before);
    CHECK_INT(report.written, 6);
    CHECK_INT(vault_count(&vault), 5);
    CHECK_INT(vault_text_of(&vault, vault.world, has), 11);
    CHECK_INT(vault_text_of(&vault, vault.world, none), 12);
    CHECK_INT(vault_text_of(&vault, vault.world, lacks), 13);
    CHECK_INT(vault_text_of(&vault, vault.world, made), 20);
    CHECK_INT(vault_mesh_of(&vault, vault.world, made), 21);
    cosm_commands_destroy(commands);
    vault_close(&vault);
}

TEST(what_comes_to_nothing_is_released) {
    struct vault vault;
    vault_open(&vault, 1);
    cosm_commands *commands = cosm_commands_create(vault.batch);
    cosm_entity a = vault_spawn(&vault, vault.world, 1);
    cosm_entity b = vault_spawn(&vault, vault.world, 2);
    cosm_entity gone = vault_spawn(&vault, vault.world, 3);
    CHECK_DONE(cosm_entity_despawn(vault.world, gone));
    CHECK_DONE(record_text(&vault, commands, vault.world, a, 10)); // overwritten
    CHECK_DONE(record_text(&vault, commands, vault.world, a, 11));
    CHECK_DONE(record_text(&vault, commands, vault.world, gone, 12)); // skipped
    CHECK_DONE(record_text(&vault, commands, vault.world, b, 13));    // despawned afterwards
    CHECK_DONE(cosm_commands_despawn(commands, vault.world, b));
    CHECK_DONE(record_text(&vault, commands, vault.world, b, 14));
    cosm_entity made = record_spawn(&vault, commands, 20); // never lives
    CHECK_DONE(cosm_commands_despawn(commands, vault.world, made));
    cosm_commands_report report;
    CHECK_DONE(cosm_commands_apply(commands, &report));
    CHECK_INT(report.skipped, 2);
    CHECK_INT(vault_text_of(&vault, vault.world, a), 11);
    CHECK_INT(vault_count(&vault), 1);
    CHECK_DONE(record_text(&vault, commands, vault.world, a, 15)); // cleared
    record_spawn(&vault, commands, 30);
    cosm_commands_clear(commands);
    CHECK_INT(vault_count(&vault), 1);
    CHECK_DONE(record_text(&vault, commands, vault.world, a, 16)); // destroyed
    record_spawn(&vault, commands, 40);
    cosm_commands_destroy(commands);
    CHECK_INT(vault_count(&vault), 1);
    vault_close(&vault);
}

TEST(removing_and_adding_in_one_apply_ends_as_one_after_the_other) {
    struct vault vault;
    vault_open(&vault, 1);
    cosm_commands *commands = cosm_commands_create(vault.batch);
    cosm_entity a = vault_spawn(&vault, vault.world, 1);
    cosm_entity b = vault_spawn(&vault, vault.world, 2);
    cosm_entity c = vault_spawn(&vault, vault.world, 3);
    cosm_entity d = vault_spawn(&vault, vault.world, 4);
    CHECK_DONE(cosm_commands_remove(commands, vault.world, a, vault.text));
    CHECK_DONE(cosm_commands_add(commands, vault.world, a, vault.text));
    CHECK_DONE(record_text(&vault, commands, vault.world, b, 5));
    CHECK_DONE(cosm_commands_remove(commands, vault.world, b, vault.text));
    CHECK_DONE(cosm_commands_remove(commands, vault.world, c, vault.text));
    CHECK_DONE(record_text(&vault, commands, vault.world, c, 6));
    CHECK_DONE(cosm_commands_add(commands, vault.world, d, vault.text)); // is there
    CHECK_DONE(cosm_commands_add(commands, vault.world, d, vault.mark));
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK(cosm_entity_has(vault.world, a, vault.text));
    CHECK_INT(vault_text_of(&vault, vault.world, a), VAULT_NONE);
    CHECK(!cosm_entity_has(vault.world, b, vault.text));
    CHECK_INT(vault_text_of(&vault, vault.world, c), 6);
    CHECK_INT(vault_text_of(&vault, vault.world, d), 4);
    CHECK_INT(vault_count(&vault), 2);
    cosm_commands_destroy(commands);
    vault_close(&vault);
}

TEST(full_tables_trade_rows_and_each_keeps_its_object) {
    struct vault vault;
    vault_open(&vault, 1);
    cosm_archetype other = cosm_archetype_define(
        vault.engine, &(cosm_archetype_desc){.components = {vault.position, vault.text, vault.mesh,
                                                            vault.mark, vault.plain},
                                             .placement = COSM_PLACEMENT_FIXED,
                                             .max_per_world = 4});
    cosm_entity left[4];
    cosm_entity right[4];
    for (uint32_t i = 0; i < 4; i++) {
        left[i] = cosm_entity_spawn(vault.world, vault.pack);
        right[i] = cosm_entity_spawn(vault.world, other);
        Text text;
        vault_text_open(&vault, &text, i);
        CHECK_DONE(cosm_managed_put(vault.world, left[i], vault.text, &text));
        vault_text_open(&vault, &text, 10 + i);
        CHECK_DONE(cosm_managed_put(vault.world, right[i], vault.text, &text));
        CHECK(cosm_managed_emplace(vault.world, right[i], vault.mesh) != NULL);
    }
    cosm_commands *commands = cosm_commands_create(vault.batch);
    for (uint32_t i = 1; i < 4; i++) {
        CHECK_DONE(cosm_commands_add(commands, vault.world, left[i], vault.plain));
        CHECK_DONE(cosm_commands_remove(commands, vault.world, right[i], vault.plain));
    }
    // By way of a third table, where one object ends.
    CHECK_DONE(cosm_commands_remove(commands, vault.world, right[0], vault.mesh));
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_INT(vault_text_of(&vault, vault.world, left[i]), i);
        CHECK_INT(vault_text_of(&vault, vault.world, right[i]), 10 + i);
        CHECK_INT(vault_mesh_of(&vault, vault.world, right[i]), i == 0 ? VAULT_NONE : 0);
    }
    CHECK_INT(vault_count(&vault), 8 + 3);
    CHECK_VALID(vault.batch);
    cosm_commands_destroy(commands);
    vault_close(&vault);
}

TEST(a_failed_apply_keeps_the_objects_of_its_commands) {
    struct vault vault;
    vault_open(&vault, 1);
    cosm_commands *commands = cosm_commands_create(vault.batch);
    for (uint32_t i = 0; i < 5; i++) { // one too many
        record_spawn(&vault, commands, 10 * i);
    }
    uint64_t before = cosm_hash_batch(vault.batch, COSM_HASH_EXACT);
    CHECK_INT(cosm_commands_apply(commands, NULL), COSM_ERROR_FULL);
    CHECK_INT(cosm_hash_batch(vault.batch, COSM_HASH_EXACT), before);
    CHECK_INT(vault_count(&vault), 10);
    CHECK_INT(cosm_commands_count(commands), 5);
    cosm_commands_clear(commands);
    CHECK_INT(vault_count(&vault), 0);
    cosm_commands_destroy(commands);
    vault_close(&vault);
}

TEST(while_a_world_is_walked_objects_are_replaced_but_do_not_come_or_go) {
    struct vault vault;
    vault_open(&vault, 1);
    cosm_entity has = vault_spawn(&vault, vault.world, 1);
    cosm_entity none = cosm_entity_spawn(vault.world, vault.actor);
    Text text;
    vault_text_open(&vault, &text, 2);
    cosm_rows rows;
    cosm_query_walk(vault.texts, vault.all, &rows);
    REQUIRE(cosm_rows_next(&rows));
    CHECK_DONE(cosm_entity_set(vault.world, has, vault.text, &text));
    CHECK_DONE(cosm_rows_set(&rows, 0, vault.text, &text));
    CHECK(cosm_managed_emplace(vault.world, has, vault.text) != NULL);
    CHECK_FAILS(cosm_entity_set(vault.world, none, vault.text, &text), COSM_ERROR_WALKED,
                "cosm_entity_set", "world 0", "cosm_commands");
    CHECK_FAILS(cosm_rows_set(&rows, 1, vault.text, &text), COSM_ERROR_WALKED, "cosm_rows_set",
                "world 0", "cosm_commands");
    CHECK_FAILS(cosm_managed_put(vault.world, none, vault.text, &text), COSM_ERROR_WALKED,
                "cosm_managed_put", "world 0", "cosm_commands");
    CHECK_FAILS(cosm_managed_put(vault.world, has, vault.mesh, &text), COSM_ERROR_WALKED,
                "cosm_managed_put", "world 0", "cosm_commands");
    CHECK_FAILS(cosm_managed_clear(vault.world, has, vault.text), COSM_ERROR_WALKED,
                "cosm_managed_clear", "world 0", "cosm_commands");
    CHECK_FAILS(cosm_managed_take(vault.world, has, vault.text, &text), COSM_ERROR_WALKED,
                "cosm_managed_take", "world 0", "cosm_commands");
    cosm_error_clear();
    CHECK(cosm_managed_emplace(vault.world, none, vault.text) == NULL);
    CHECK_FAILURE(COSM_ERROR_WALKED, "cosm_managed_emplace", "world 0", "cosm_commands");
    cosm_commands *commands = cosm_commands_create(vault.batch);
    CHECK_DONE(cosm_commands_set(commands, vault.world, none, vault.text, &text));
    cosm_rows_end(&rows);
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_INT(vault_text_of(&vault, vault.world, none), 2);
    CHECK_INT(vault_text_of(&vault, vault.world, has), 0);
    cosm_commands_destroy(commands);
    vault_text_end(&vault, &text);
    vault_close(&vault);
}

struct meddler {
    struct vault *vault;
    cosm_entity entity;
    uint32_t refused;
    uint32_t calls;
};

static void meddle(struct meddler *meddler) {
    struct vault *vault = meddler->vault;
    meddler->calls++;
    meddler->refused += cosm_entity_is_none(cosm_entity_spawn(vault->world, vault->bare));
    meddler->refused += cosm_entity_despawn(vault->world, meddler->entity) == COSM_ERROR_WALKED;
    meddler->refused += cosm_world_reset(vault->world) == COSM_ERROR_WALKED;
}

static bool meddling_copy(void *context, void *object, const void *source) {
    *(Plain *)object = *(const Plain *)source;
    meddle(context);
    return true;
}

static void meddling_destroy(void *context, void *object) {
    (void)object;
    meddle(context);
}

TEST(a_hook_that_changes_its_world_is_refused) {
    struct vault vault;
    vault_open(&vault, 1);
    struct meddler meddler = {&vault, cosm_entity_spawn(vault.world, vault.bare), 0, 0};
    cosm_component odd = cosm_component_define(
        vault.engine, &(cosm_component_desc){.name = "Odd",
                                             .size = sizeof(Plain),
                                             .storage = COSM_STORAGE_MANAGED,
                                             .lifecycle = {.copy = meddling_copy,
                                                           .destroy = meddling_destroy,
                                                           .context = &meddler}});
    Plain plain = {1, 2};
    cosm_entity entity = cosm_entity_spawn(vault.world, vault.bare);
    CHECK_DONE(cosm_entity_set(vault.world, entity, odd, &plain));
    CHECK_INT(meddler.calls, 1);
    CHECK_DONE(cosm_entity_remove(vault.world, entity, odd));
    CHECK_DONE(cosm_entity_set(vault.world, entity, odd, &plain));
    CHECK_DONE(cosm_entity_despawn(vault.world, entity));
    CHECK_INT(meddler.calls, 4);
    CHECK_INT(meddler.refused, 3 * 4);
    CHECK_INT(cosm_world_entity_count(vault.world), 1);
    CHECK_VALID(vault.batch);
    CHECK(!cosm_world_is_walked(vault.world));
    CHECK_DONE(cosm_entity_set(vault.world, meddler.entity, odd, &plain));
    CHECK_DONE(cosm_world_reset(vault.world));
    CHECK_INT(meddler.refused, 3 * 6);
    vault_close(&vault);
}

static void rename_all(cosm_rows *rows) {
    struct vault *vault = rows->context;
    for (uint32_t i = 0; i < rows->count; i++) {
        Text *text = cosm_managed_row_write(rows, i, vault->text);
        Text made;
        vault_text_open(vault, &made, text == NULL ? 1 : text->number + 1);
        cosm_world world = cosm_rows_world(rows, i);
        cosm_result result = text != NULL
                                 ? cosm_rows_set(rows, i, vault->text, &made)
                                 : cosm_commands_set(cosm_turn_commands(rows->turn), world,
                                                     rows->entities[i], vault->text, &made);
        CHECK_INT(result, COSM_OK);
        vault_text_end(vault, &made);
    }
}

TEST(systems_replace_objects_and_record_new_ones) {
    struct vault vault;
    vault_open(&vault, 3);
    cosm_entity entities[9];
    for (uint32_t i = 0; i < 9; i++) {
        entities[i] = cosm_entity_spawn(vault_world(&vault, i % 3), vault.actor);
    }
    CHECK(cosm_system_define(
              vault.engine,
              &(cosm_system_desc){
                  .name = "rename",
                  .each = rename_all,
                  .context = &vault,
                  .commands = true,
                  .queries = {{.terms = {{.component = vault.text, .access = COSM_ACCESS_WRITE}}}}})
              .id != 0);
    for (uint32_t step = 1; step <= 4; step++) {
        CHECK_DONE(cosm_batch_step(vault.batch));
        for (uint32_t i = 0; i < 9; i++) {
            CHECK_INT(vault_text_of(&vault, vault_world(&vault, i % 3), entities[i]), step);
        }
    }
    CHECK_INT(vault_count(&vault), 9);
    vault_close(&vault);
}

static void give_directly(cosm_rows *rows) {
    struct vault *vault = rows->context;
    Text text;
    vault_text_open(vault, &text, 1);
    CHECK_INT(cosm_rows_set(rows, 0, vault->text, &text), COSM_ERROR_WALKED);
    vault_text_end(vault, &text);
}

TEST(a_system_that_gives_an_object_directly_is_refused) {
    struct vault vault;
    vault_open(&vault, 1);
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(vault.world, vault.actor)));
    CHECK(cosm_system_define(
              vault.engine,
              &(cosm_system_desc){
                  .name = "give",
                  .each = give_directly,
                  .context = &vault,
                  .queries = {{.terms = {{.component = vault.text, .access = COSM_ACCESS_WRITE}}}}})
              .id != 0);
    CHECK_INT(cosm_batch_step(vault.batch), COSM_ERROR_WALKED);
    CHECK_INT(vault_count(&vault), 0);
    vault_close(&vault);
}
