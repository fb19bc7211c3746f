// Shared components to try things in: see teams.h.
#include "support/teams.h"

#include <stdlib.h>
#include <string.h>

#include "harness.h"

static const char *label_text(const Label *label) {
    return label->text == NULL ? "" : label->text;
}

static bool copy_label(void *context, void *object, const void *source) {
    struct label_book *book = context;
    uint32_t fail_at = atomic_load(&book->fail_at);
    if (fail_at > 0) {
        atomic_store(&book->fail_at, fail_at - 1);
        if (fail_at == 1) {
            return false;
        }
    }
    const char *text = label_text(source);
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy == NULL) {
        return false;
    }
    memcpy(copy, text, size);
    ((Label *)object)->text = copy;
    atomic_fetch_add(&book->copies, 1);
    return true;
}

static void end_label(void *context, void *object) {
    struct label_book *book = context;
    free(((Label *)object)->text);
    atomic_fetch_add(&book->ends, 1);
}

static bool equal_labels(void *context, const void *a, const void *b) {
    (void)context;
    return strcmp(label_text(a), label_text(b)) == 0;
}

// Few bits, so that different labels meet in the map and equality decides.
static uint64_t hash_label(void *context, const void *object) {
    (void)context;
    const char *text = label_text(object);
    return strlen(text) % 4 + (unsigned char)text[0] % 4 * 4u;
}

static void define_components(struct teams *teams) {
    static const Level level = {LEVEL_DEFAULT};
    cosm_engine *engine = teams->engine;
    teams->spot = COSM_COMPONENT_DEFINE(engine, Spot);
    teams->team = cosm_component_define(
        engine, &(cosm_component_desc){
                    .name = "Team", .size = sizeof(Team), .storage = COSM_STORAGE_SHARED});
    teams->level =
        cosm_component_define(engine, &(cosm_component_desc){.name = "Level",
                                                             .size = sizeof(Level),
                                                             .default_value = &level,
                                                             .storage = COSM_STORAGE_SHARED});
    teams->label = cosm_component_define(
        engine, &(cosm_component_desc){.name = "Label",
                                       .size = sizeof(Label),
                                       .storage = COSM_STORAGE_SHARED,
                                       .lifecycle = {.copy = copy_label,
                                                     .destroy = end_label,
                                                     .equals = equal_labels,
                                                     .hash = hash_label,
                                                     .context = &teams->book}});
    teams->mark = COSM_TAG_DEFINE(engine, Mark);
    teams->still = COSM_TAG_DEFINE(engine, Still);
    teams->rank = cosm_bundle_define(
        engine, &(cosm_bundle_desc){.name = "Rank", .components = {teams->team, teams->level}});
    CHECK(teams->team.id != 0 && teams->level.id != 0 && teams->label.id != 0);
}

static void define_archetypes(struct teams *teams) {
    cosm_engine *engine = teams->engine;
    teams->plain = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.name = "plain", .components = {teams->spot}});
    teams->player = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.name = "player", .components = {teams->spot, teams->team}});
    teams->hero = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.name = "hero", .components = {teams->spot, teams->rank}});
    teams->badge = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.name = "badge", .components = {teams->spot, teams->label}});
    teams->statue = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.name = "statue",
                                       .components = {teams->spot, teams->team, teams->still},
                                       .sealed = true});
    CHECK(teams->player.id != 0 && teams->hero.id != 0 && teams->badge.id != 0 &&
          teams->statue.id != 0);
}

void teams_open_with(struct teams *teams, const cosm_engine_desc *engine_desc,
                     const cosm_batch_desc *batch_desc) {
    cosm_error_clear();
    memset(teams, 0, sizeof(*teams));
    teams->engine = cosm_engine_create(engine_desc);
    CHECK(teams->engine != NULL);
    define_components(teams);
    define_archetypes(teams);
    teams->batch = cosm_batch_create(teams->engine, batch_desc);
    CHECK(teams->batch != NULL);
    teams->world = cosm_batch_world(teams->batch, 0);
    teams->all = cosm_worlds_all(teams->batch);
    teams->spots = cosm_query_create(
        teams->engine,
        &(cosm_query_desc){.terms = {{.component = teams->spot, .access = COSM_ACCESS_WRITE}}});
    CHECK_SILENT();
}

void teams_open(struct teams *teams, uint32_t world_count) {
    teams_open_with(teams, NULL, &(cosm_batch_desc){.world_count = world_count, .seed = 7});
}

void teams_close(struct teams *teams) {
    CHECK_VALID(teams->batch);
    cosm_query_destroy(teams->spots);
    CHECK_DONE(cosm_batch_destroy(teams->batch));
    CHECK_DONE(cosm_engine_destroy(teams->engine));
    CHECK_INT(atomic_load(&teams->book.copies), atomic_load(&teams->book.ends));
}

cosm_query *teams_query(const struct teams *teams, cosm_component component, const void *value) {
    cosm_query *query = cosm_query_create(
        teams->engine,
        &(cosm_query_desc){
            .terms = {{.component = teams->spot, .access = COSM_ACCESS_WRITE},
                      {.component = component, .access = COSM_ACCESS_WRITE, .value = value}}});
    CHECK(query != NULL);
    return query;
}

cosm_entity teams_spawn(const struct teams *teams, cosm_world world, uint32_t color, float x) {
    Team team = {color, 0};
    Spot spot = {x, -x};
    cosm_value values[] = {{teams->team, &team}, {teams->spot, &spot}};
    cosm_entity entity = cosm_entity_spawn_with(world, teams->player, values, 2);
    CHECK(!cosm_entity_is_none(entity));
    return entity;
}

uint32_t teams_color(cosm_world world, cosm_entity entity) {
    cosm_component team = cosm_component_find(cosm_batch_engine(world.batch), "Team");
    const Team *found = cosm_entity_read(world, entity, team);
    return found == NULL ? UINT32_MAX : found->color;
}

uint32_t teams_count(const struct teams *teams, cosm_world world, uint32_t color) {
    Team team = {color, 0};
    return cosm_shared_entity_count(world, teams->team, &team);
}
