// Text in descs: queries, systems, observers, archetypes, bundles, groups of sector components and
// exports name components by text and get the ids that they would be given by hand.
#include <string.h>

#include "harness.h"
#include "support/fixture.h"

#define COUNT_OF(list) ((uint32_t)(sizeof(list) / sizeof(*(list))))

typedef struct Score {
    uint32_t points;
} Score;

struct page {
    char text[8192];
    size_t length;
};

static void write_page(void *context, const char *text, size_t length) {
    struct page *page = context;
    if (page->length + length < sizeof(page->text)) {
        memcpy(page->text + page->length, text, length);
        page->length += length;
        page->text[page->length] = '\0';
    }
}

static void no_rows(cosm_rows *rows) {
    (void)rows;
}

static void no_turn(const cosm_turn *turn) {
    (void)turn;
}

static void no_event(const cosm_event *event) {
    (void)event;
}

TEST(a_query_made_from_text_is_the_one_made_from_terms) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_query *by_text =
        cosm_query_create(box.engine, &(cosm_query_desc){.text = "mut Position, ?Velocity, !Mark"});
    cosm_query *by_hand = cosm_query_create(
        box.engine,
        &(cosm_query_desc){.terms = {{.component = box.position, .access = COSM_ACCESS_WRITE},
                                     {.component = box.velocity, .kind = COSM_TERM_OPTIONAL},
                                     {.component = box.mark, .kind = COSM_TERM_WITHOUT}}});
    CHECK(by_text != NULL && by_text == by_hand);
    cosm_query_destroy(by_text);
    cosm_query_destroy(by_hand);
    // `by_world` is said beside the text.
    by_text =
        cosm_query_create(box.engine, &(cosm_query_desc){.text = "Position", .by_world = true});
    by_hand = cosm_query_create(
        box.engine, &(cosm_query_desc){.terms = {{.component = box.position}}, .by_world = true});
    CHECK(by_text != NULL && by_text == by_hand);
    cosm_query_destroy(by_text);
    cosm_query_destroy(by_hand);
    by_text = cosm_query_create(box.engine, &(cosm_query_desc){.text = ""});
    by_hand = cosm_query_create(box.engine, &(cosm_query_desc){.by_world = false});
    CHECK(by_text != NULL && by_text == by_hand);
    cosm_query_destroy(by_text);
    cosm_query_destroy(by_hand);
    fixture_close(&box);
}

TEST(a_query_with_wrong_text_or_with_text_and_terms_is_refused) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    CHECK(cosm_query_create(box.engine, &(cosm_query_desc){.text = "Position, Nobody"}) == NULL);
    CHECK_FAILURE(COSM_ERROR_FORMAT, "cosm_query_create:", "column 11 at 'Nobody'", "");
    cosm_query_desc both = {.text = "Position", .terms = {{.component = box.velocity}}};
    CHECK(cosm_query_create(box.engine, &both) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_query_create:", "the query has both text and terms",
                  "set only one of the two");
    fixture_close(&box);
}

// Systems: two engines, one with ids and one with text, have the same plan.

static void define_by_hand(struct fixture *box, cosm_singleton score) {
    cosm_system_desc desc = {
        .name = "move",
        .each = no_rows,
        .queries = {{.terms = {{.component = box->position, .access = COSM_ACCESS_WRITE},
                               {.component = box->velocity}}},
                    {.terms = {{.component = box->mark}}}},
        .reads = {box->health},
        .singletons = {{score, COSM_ACCESS_WRITE}}};
    CHECK(cosm_system_define(box->engine, &desc).id != 0);
    desc = (cosm_system_desc){.name = "heal",
                              .run = no_turn,
                              .writes = {box->health, box->velocity},
                              .singletons = {{score, COSM_ACCESS_READ}}};
    CHECK(cosm_system_define(box->engine, &desc).id != 0);
    desc = (cosm_system_desc){
        .name = "look", .each = no_rows, .queries = {{.terms = {{.component = box->position}}}}};
    CHECK(cosm_system_define(box->engine, &desc).id != 0);
}

static void define_by_text(struct fixture *box) {
    cosm_system_desc desc = {.name = "move",
                             .each = no_rows,
                             .query = "mut Position, Velocity",
                             .queries = {{.text = NULL}, {.text = "Mark"}},
                             .uses = "Health, mut Score"};
    CHECK(cosm_system_define(box->engine, &desc).id != 0);
    desc = (cosm_system_desc){
        .name = "heal", .run = no_turn, .uses = "mut Health, Score, mut Velocity"};
    CHECK(cosm_system_define(box->engine, &desc).id != 0);
    desc = (cosm_system_desc){.name = "look", .each = no_rows, .queries = {{.text = "Position"}}};
    CHECK(cosm_system_define(box->engine, &desc).id != 0);
}

TEST(systems_defined_by_text_have_the_plan_of_systems_defined_by_hand) {
    static struct page pages[2];
    memset(pages, 0, sizeof(pages));
    for (uint32_t i = 0; i < 2; i++) {
        struct fixture box;
        fixture_open(&box, 0, 1);
        cosm_singleton score = COSM_SINGLETON_DEFINE(box.engine, Score, points);
        if (i == 0) {
            define_by_hand(&box, score);
        } else {
            define_by_text(&box);
        }
        CHECK_DONE(cosm_plan_print(box.engine, COSM_PLAN_TEXT, write_page, &pages[i]));
        CHECK_DONE(cosm_batch_step(box.batch));
        fixture_close(&box);
    }
    CHECK_CONTAINS(pages[0].text, "Health");
    CHECK_CONTAINS(pages[0].text, "Score");
    CHECK_STR(pages[1].text, pages[0].text);
}

struct refused {
    cosm_system_desc desc;
    cosm_result result;
    const char *where;
    const char *value;
    const char *remedy;
};

TEST(a_system_with_wrong_text_is_refused_by_name_field_and_column) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    COSM_SINGLETON_DEFINE(box.engine, Score);
    CHECK(
        cosm_singleton_define(box.engine, &(cosm_singleton_desc){.name = "Health", .size = 4}).id !=
        0);
    const struct refused list[] = {
        {{.name = "s", .each = no_rows, .query = "Position, , Mark"},
         COSM_ERROR_FORMAT,
         "cosm_system_define: 's': desc.query",
         "column 11",
         ""},
        {{.name = "s", .each = no_rows, .query = "Position, [in] Mark"},
         COSM_ERROR_FORMAT,
         "cosm_system_define: 's': desc.query",
         "column 11",
         ""},
        {{.name = "s", .run = no_turn, .queries = {{.text = "Mark"}, {.text = "Nobody"}}},
         COSM_ERROR_FORMAT,
         "cosm_system_define: 's': desc.queries[1]",
         "column 1 at 'Nobody'",
         ""},
        {{.name = "s", .each = no_rows, .query = "Mark", .queries = {{.text = "Mark"}}},
         COSM_ERROR_ARGUMENT,
         "cosm_system_define: 's': desc.query",
         "queries[0] is set too",
         "set only one of the two"},
        {{.name = "s",
          .each = no_rows,
          .query = "Mark",
          .queries = {{.terms = {{.component = box.mark}}}}},
         COSM_ERROR_ARGUMENT,
         "cosm_system_define: 's': desc.query",
         "queries[0] is set too",
         "set only one of the two"},
        {{.name = "s",
          .run = no_turn,
          .queries = {{.text = "Mark"}, {.text = "Mark", .terms = {{.component = box.mark}}}}},
         COSM_ERROR_ARGUMENT,
         "cosm_system_define: 's': desc.queries[1]",
         "the query has both text and terms",
         "set only one of the two"},
        {{.name = "s", .run = no_turn, .uses = "Velocity, mut Nobody"},
         COSM_ERROR_FORMAT,
         "cosm_system_define: 's': desc.uses",
         "column 15 at 'Nobody': no component, bundle or singleton has this name",
         "define it first"},
        {{.name = "s", .run = no_turn, .uses = "Velocity, mut Scors"},
         COSM_ERROR_FORMAT,
         "cosm_system_define: 's': desc.uses",
         "column 15 at 'Scors': no component, bundle or singleton has this name",
         "did you mean 'Score'?"},
        {{.name = "s", .run = no_turn, .uses = "Position, !Score"},
         COSM_ERROR_FORMAT,
         "cosm_system_define: 's': desc.uses",
         "column 11 at '!Score': uses takes names, with or without 'mut'",
         "remove '!'"},
        {{.name = "s", .run = no_turn, .uses = "const Position"},
         COSM_ERROR_FORMAT,
         "cosm_system_define: 's': desc.uses",
         "column 1 at 'const': this is not an access",
         "the bare name to read"},
        {{.name = "s", .run = no_turn, .uses = "Velocity, Health"},
         COSM_ERROR_FORMAT,
         "cosm_system_define: 's': desc.uses",
         "column 11 at 'Health': a component and a singleton have this name",
         "desc.singletons"},
        {{.name = "s", .run = no_turn, .uses = "Velocity Position"},
         COSM_ERROR_FORMAT,
         "cosm_system_define: 's': desc.uses",
         "column 10",
         "write ','"},
        {{.name = "s", .run = no_turn, .uses = "Velocity,\n Position, "},
         COSM_ERROR_FORMAT,
         "cosm_system_define: 's': desc.uses",
         "line 2, column 10",
         "remove it"},
        {{.name = "s", .run = no_turn, .uses = "mut"},
         COSM_ERROR_FORMAT,
         "cosm_system_define: 's': desc.uses",
         "column",
         ""},
    };
    for (uint32_t i = 0; i < COUNT_OF(list); i++) {
        cosm_error_clear();
        CHECK_INT(cosm_system_define(box.engine, &list[i].desc).id, 0);
        CHECK_FAILURE(list[i].result, list[i].where, list[i].value, list[i].remedy);
    }
    CHECK_INT(cosm_engine_describe(box.engine).system_count, 0);
    fixture_close(&box);
}

TEST(what_a_system_uses_has_the_limits_of_its_lists) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    char text[2048] = "";
    for (uint32_t i = 0; i < COSM_LIST_MAX + 1; i++) {
        char name[8] = "use00";
        name[3] = (char)('0' + i / 10);
        name[4] = (char)('0' + i % 10);
        CHECK(
            cosm_component_define(box.engine, &(cosm_component_desc){.name = name, .size = 4}).id !=
            0);
        strcat(strcat(text, i == 0 ? "" : ", "), name);
        cosm_system_desc desc = {.name = name, .run = no_turn, .uses = text};
        CHECK_INT(cosm_system_define(box.engine, &desc).id != 0, i < COSM_LIST_MAX);
    }
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_system_define: 'use32': desc.uses", "name 33", "bundle");
    // Those that are given by id count too.
    cosm_system_desc desc = {
        .name = "both", .run = no_turn, .reads = {box.health}, .uses = "Velocity, mut Position"};
    CHECK(cosm_system_define(box.engine, &desc).id != 0);
    fixture_close(&box);
}

// Archetypes and bundles.

TEST(an_archetype_defined_by_text_is_the_one_defined_by_ids) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_archetype same = cosm_archetype_define(
        box.engine, &(cosm_archetype_desc){.name = "mover", .text = "Velocity, Position"});
    CHECK_INT(same.id, box.mover.id);
    cosm_archetype fixed =
        cosm_archetype_define(box.engine, &(cosm_archetype_desc){.name = "heart",
                                                                 .text = " Health ,\n\"Mark\" ",
                                                                 .placement = COSM_PLACEMENT_FIXED,
                                                                 .max_per_world = 2});
    REQUIRE(fixed.id != 0);
    CHECK(cosm_archetype_has(box.engine, fixed, box.health));
    CHECK(cosm_archetype_has(box.engine, fixed, box.mark));
    CHECK_INT(cosm_archetype_components(box.engine, fixed, 0, NULL), 2);
    cosm_archetype none = cosm_archetype_define(box.engine, &(cosm_archetype_desc){.text = ""});
    CHECK(none.id != 0);
    CHECK_INT(cosm_archetype_components(box.engine, none, 0, NULL), 0);
    fixture_close(&box);
}

TEST(a_list_with_wrong_text_is_refused) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_archetype_desc desc = {.name = "a", .text = "Position, Nobody"};
    CHECK_INT(cosm_archetype_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_FORMAT, "cosm_archetype_define: 'a': desc.text",
                  "column 11 at 'Nobody'", "");
    desc = (cosm_archetype_desc){.text = "mut Position"};
    CHECK_INT(cosm_archetype_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_FORMAT, "cosm_archetype_define: desc.text", "column 1", "");
    desc = (cosm_archetype_desc){.text = "Position", .components = {box.health}};
    CHECK_INT(cosm_archetype_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_archetype_define: desc.text",
                  "listed both as text and as ids", "set only one of the two");
    desc = (cosm_archetype_desc){.text = "Position", .more = &box.health, .more_count = 1};
    CHECK_INT(cosm_archetype_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_archetype_define: desc.text",
                  "listed both as text and as ids", "set only one of the two");
    CHECK(cosm_singleton_define(box.engine, &(cosm_singleton_desc){.name = "Wind", .size = 4}).id !=
          0);
    desc = (cosm_archetype_desc){.name = "a", .text = "Position, Wind"};
    CHECK_INT(cosm_archetype_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_FORMAT, "cosm_archetype_define: 'a': desc.text",
                  "column 11 at 'Wind': this is a singleton", "list components only");
    cosm_bundle_desc bundle = {.name = "b", .text = "Position,"};
    CHECK_INT(cosm_bundle_define(box.engine, &bundle).id, 0);
    CHECK_FAILURE(COSM_ERROR_FORMAT, "cosm_bundle_define: 'b': desc.text", "column 9", "remove it");
    bundle = (cosm_bundle_desc){.name = "b", .text = "b"};
    CHECK_INT(cosm_bundle_define(box.engine, &bundle).id, 0);
    CHECK_FAILURE(COSM_ERROR_FORMAT, "cosm_bundle_define: 'b': desc.text", "column 1 at 'b'", "");
    fixture_close(&box);
}

TEST(a_bundle_defined_by_text_is_the_one_defined_by_ids) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component by_ids = cosm_bundle_define(
        box.engine, &(cosm_bundle_desc){.name = "pair", .components = {box.mark, box.health}});
    CHECK_INT(
        cosm_bundle_define(box.engine, &(cosm_bundle_desc){.name = "pair", .text = "Health, Mark"})
            .id,
        by_ids.id);
    cosm_component nested = cosm_bundle_define(
        box.engine, &(cosm_bundle_desc){.name = "nested", .text = "pair, Position"});
    CHECK_INT(cosm_component_members(box.engine, nested, 0, NULL), 3);
    fixture_close(&box);
}

TEST(a_list_holds_as_many_names_as_an_archetype_has_components) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    static char text[8192];
    text[0] = '\0';
    for (uint32_t i = 0; i < COSM_ARCHETYPE_COMPONENT_MAX + 1; i++) {
        char name[8] = "c000";
        name[1] = (char)('0' + i / 100);
        name[2] = (char)('0' + i / 10 % 10);
        name[3] = (char)('0' + i % 10);
        CHECK(
            cosm_component_define(box.engine, &(cosm_component_desc){.name = name, .size = 1}).id !=
            0);
        strcat(strcat(text, i == 0 ? "" : ","), name);
        if (i + 1 == COSM_ARCHETYPE_COMPONENT_MAX) {
            cosm_archetype all =
                cosm_archetype_define(box.engine, &(cosm_archetype_desc){.text = text});
            CHECK_INT(cosm_archetype_components(box.engine, all, 0, NULL),
                      COSM_ARCHETYPE_COMPONENT_MAX);
        }
    }
    CHECK_INT(cosm_archetype_define(box.engine, &(cosm_archetype_desc){.text = text}).id, 0);
    CHECK_FAILURE(COSM_ERROR_FORMAT, "cosm_archetype_define: desc.text", "limit of 512 names",
                  "remove some");
    fixture_close(&box);
}

// Groups of sector components, observers, exports.

TEST(a_sector_group_is_defined_by_text) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component ids[3];
    static const char *const names[] = {"Heat", "Smoke", "Wet"};
    for (uint32_t i = 0; i < 3; i++) {
        cosm_component_desc desc = {.name = names[i], .size = 4, .storage = COSM_STORAGE_SECTOR};
        ids[i] = cosm_component_define(box.engine, &desc);
    }
    cosm_sector_group_desc desc = {.text = "Smoke, Nobody"};
    CHECK_INT(cosm_sector_group_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_FORMAT, "cosm_sector_group_define: desc.text", "column 8", "");
    desc = (cosm_sector_group_desc){.name = "air", .text = "Smoke", .components = {ids[0]}};
    CHECK_INT(cosm_sector_group_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_sector_group_define: 'air': desc.text",
                  "listed both as text and as ids", "set only one of the two");
    desc = (cosm_sector_group_desc){.name = "air", .text = "Smoke, Wet"};
    cosm_sector_group group = cosm_sector_group_define(box.engine, &desc);
    REQUIRE(group.id != 0);
    CHECK_INT(cosm_sector_group_of(box.engine, ids[1]).id, group.id);
    CHECK_INT(cosm_sector_group_of(box.engine, ids[2]).id, group.id);
    CHECK(cosm_sector_group_of(box.engine, ids[0]).id != group.id);
    static char text[1024];
    text[0] = '\0';
    for (uint32_t i = 0; i < COSM_CONTAINER_MEMBER_MAX + 1; i++) {
        strcat(text, i == 0 ? "Heat" : ", Heat");
    }
    desc = (cosm_sector_group_desc){.name = "hot", .text = text};
    CHECK_INT(cosm_sector_group_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_sector_group_define:", "names 65 components",
                  "define two");
    fixture_close(&box);
}

TEST(an_observer_takes_text_or_a_desc_or_a_component) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_observer_desc desc = {.name = "a", .run = no_event, .query = "Position, Nobody"};
    CHECK_INT(cosm_observer_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_FORMAT, "cosm_observer_define: 'a': desc.query",
                  "column 11 at 'Nobody'", "");
    desc.query = "Position";
    desc.query_desc.text = "Position";
    CHECK_INT(cosm_observer_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_observer_define: 'a': desc.query",
                  "desc.query_desc has text too", "set only one of the two");
    desc.query_desc = (cosm_query_desc){.terms = {{.component = box.health}}};
    CHECK_INT(cosm_observer_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_observer_define: 'a': desc.query", "text and terms",
                  "set only one of the two");
    desc.query_desc = (cosm_query_desc){.by_world = false};
    desc.component = box.health;
    CHECK_INT(cosm_observer_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_observer_define: 'a'", "desc.component and",
                  "set exactly one");
    desc.component = (cosm_component){0};
    CHECK(cosm_observer_define(box.engine, &desc).id != 0);
    desc = (cosm_observer_desc){
        .name = "b", .run = no_event, .query_desc = {.text = "Position, !Mark"}};
    CHECK(cosm_observer_define(box.engine, &desc).id != 0);
    fixture_close(&box);
}

TEST(an_export_takes_a_query_by_text) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    cosm_query_desc query = {.text = "Score, Nobody"};
    cosm_component score = COSM_COMPONENT_DEFINE(box.engine, Score, points);
    cosm_export_desc desc = {.slot = 0, .name = "score", .query = &query, .component = score};
    CHECK_FAILS(cosm_export_define(box.engine, &desc), COSM_ERROR_FORMAT,
                "cosm_export_define: 'score': desc.query", "column 8 at 'Nobody'", "");
    query.terms[0].component = score;
    query.text = "Score";
    CHECK_FAILS(cosm_export_define(box.engine, &desc), COSM_ERROR_ARGUMENT,
                "cosm_export_define: 'score': desc.query", "text and terms",
                "set only one of the two");
    query.terms[0].component = (cosm_component){0};
    CHECK_DONE(cosm_export_define(box.engine, &desc));
    (void)COSM_SPAWN(box.world, COSM_VALUE(Score, 3));
    (void)COSM_SPAWN(fixture_world(&box, 1), COSM_VALUE(Score, 4), COSM_DEFAULT(Mark));
    CHECK_INT(cosm_batch_step(box.batch), COSM_ERROR_FORMAT); // of the first definition
    CHECK_DONE(cosm_batch_step(box.batch));
    const cosm_tensor *tensor = cosm_batch_tensor(box.batch, 0);
    REQUIRE(tensor != NULL);
    CHECK_INT(tensor->shape[0], 2);
    CHECK_INT(((const uint32_t *)tensor->data)[0], 3);
    CHECK_INT(((const uint32_t *)tensor->data)[1], 4);
    fixture_close(&box);
}
