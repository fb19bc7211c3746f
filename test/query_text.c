// Queries as text: reading and printing them (cosm/query.h).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"
#include "support/ledger.h"

// An engine with names to write about.
struct words {
    cosm_engine *engine;
    cosm_component position;
    cosm_component velocity;
    cosm_component mass;
    cosm_component frozen; // tags, from here on
    cosm_component cube;
    cosm_component ball;
    cosm_component body; // a bundle of Position and Velocity
};

static cosm_component define_tag(cosm_engine *engine, const char *name) {
    cosm_component tag = cosm_component_define(engine, &(cosm_component_desc){.name = name});
    CHECK(tag.id != 0);
    return tag;
}

static void open_words(struct words *words, const cosm_engine_desc *desc) {
    cosm_error_clear();
    words->engine = cosm_engine_create(desc);
    CHECK(words->engine != NULL);
    words->position = COSM_COMPONENT_DEFINE(words->engine, Position);
    words->velocity = COSM_COMPONENT_DEFINE(words->engine, Velocity);
    words->mass =
        cosm_component_define(words->engine, &(cosm_component_desc){.name = "Mass", .size = 4});
    words->frozen = define_tag(words->engine, "Frozen");
    words->cube = define_tag(words->engine, "Cube");
    words->ball = define_tag(words->engine, "Ball");
    words->body = cosm_bundle_define(
        words->engine,
        &(cosm_bundle_desc){.name = "Body", .components = {words->position, words->velocity}});
    CHECK(words->body.id != 0);
    CHECK_SILENT();
}

static void close_words(struct words *words) {
    CHECK_DONE(cosm_engine_destroy(words->engine));
}

// Text as it is printed, piece after piece.
struct page {
    size_t length;
    char text[8192];
};

static void write_page(void *context, const char *text, size_t length) {
    struct page *page = context;
    CHECK(length > 0);
    CHECK(page->length + length < sizeof(page->text));
    if (page->length + length < sizeof(page->text)) {
        memcpy(page->text + page->length, text, length);
        page->length += length;
        page->text[page->length] = '\0';
    }
}

static const char *print_query(const cosm_query *query, struct page *page) {
    page->length = 0;
    page->text[0] = '\0';
    cosm_query_print(query, write_page, page);
    return page->text;
}

// The query that a text stands for; NULL, with a failed check, where it stands for none.
static cosm_query *read_query(cosm_engine *engine, const char *text, bool by_world) {
    cosm_query_desc desc;
    memset(&desc, 0x5A, sizeof(desc));
    desc.by_world = by_world;
    CHECK_DONE(cosm_query_parse(engine, text, &desc));
    CHECK_INT(desc.by_world, by_world);
    cosm_query *query = cosm_query_create(engine, &desc);
    if (query == NULL) {
        printf("    the text is: %s\n", text);
    }
    CHECK(query != NULL);
    return query;
}

// A text and a desc are one query, which prints as `printed`; and that is the query again.
static void check_text(const struct words *words, const char *text, const char *printed,
                       cosm_query_desc desc) {
    struct page page;
    cosm_query *expected = cosm_query_create(words->engine, &desc);
    cosm_query *query = read_query(words->engine, text, desc.by_world);
    CHECK(expected != NULL && query == expected);
    CHECK_STR(print_query(expected, &page), printed);
    cosm_query *again = read_query(words->engine, page.text, desc.by_world);
    CHECK(again == expected);
    cosm_query_destroy(expected);
    cosm_query_destroy(query);
    cosm_query_destroy(again);
}

TEST(the_text_of_the_header_is_the_desc_it_stands_for) {
    struct words words;
    open_words(&words, NULL);
    define_tag(words.engine, "any name");
    check_text(
        &words, "mut Position, Velocity, !Frozen, ?Mass, mut (Cube | Ball), \"any name\"",
        "mut Position, Velocity, !Frozen, ?Mass, mut (Cube | Ball), \"any name\"",
        (cosm_query_desc){
            .terms = {
                {.component = words.position, .access = COSM_ACCESS_WRITE},
                {.component = words.velocity, .kind = COSM_TERM_WITH},
                {.component = words.frozen, .kind = COSM_TERM_WITHOUT},
                {.component = words.mass, .kind = COSM_TERM_OPTIONAL},
                {.component = words.cube, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF},
                {.component = words.ball, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF},
                {.component = cosm_component_find(words.engine, "any name"),
                 .kind = 0,
                 .access = 0,
                 .group = 0},
            }});
    close_words(&words);
}

TEST(a_text_without_terms_is_every_row) {
    struct words words;
    open_words(&words, NULL);
    cosm_query_desc every = {.by_world = false};
    check_text(&words, "", "", every);
    check_text(&words, " \t\r\n\v\f ", "", every);
    every.by_world = true;
    check_text(&words, "", "", every);
    close_words(&words);
}

TEST(a_bare_name_reads_and_mut_writes) {
    struct words words;
    open_words(&words, NULL);
    cosm_query_desc desc = {
        .terms = {{.component = words.mass, .kind = COSM_TERM_WITH, .access = COSM_ACCESS_WRITE}}};
    check_text(&words, "mut Mass", "mut Mass", desc);
    check_text(&words, "mut\"Mass\"", "mut Mass", desc);
    desc.terms[0].access = COSM_ACCESS_MARK;
    check_text(&words, "mark Mass", "mark Mass", desc);
    desc.terms[0].access = COSM_ACCESS_READ;
    check_text(&words, "Mass", "Mass", desc);
    check_text(&words, "\"Mass\"", "Mass", desc);
    close_words(&words);
}

TEST(marks_say_what_is_lacked_and_what_is_optional) {
    struct words words;
    open_words(&words, NULL);
    cosm_query_desc desc = {.terms = {{.component = words.mass, .kind = COSM_TERM_WITHOUT}}};
    check_text(&words, "!Mass", "!Mass", desc);
    check_text(&words, "! \"Mass\"", "!Mass", desc);
    desc.terms[0].kind = COSM_TERM_OPTIONAL;
    check_text(&words, "?Mass", "?Mass", desc);
    desc.terms[0].access = COSM_ACCESS_WRITE;
    check_text(&words, "?mut Mass", "?mut Mass", desc);
    check_text(&words, "mut ?Mass", "?mut Mass", desc);
    close_words(&words);
}

TEST(names_in_parentheses_are_alternatives_in_numbered_groups) {
    struct words words;
    open_words(&words, NULL);
    cosm_term_kind any = COSM_TERM_ANY_OF;
    cosm_access reads = COSM_ACCESS_READ;
    cosm_access writes = COSM_ACCESS_WRITE;
    check_text(
        &words, "(mut Cube|Ball|mut Mass), mut Position, mut ( Velocity | Frozen )",
        "(mut Cube | Ball | mut Mass), mut Position, mut (Velocity | Frozen)",
        (cosm_query_desc){
            .terms = {{.component = words.cube, .kind = any, .access = writes, .group = 0},
                      {.component = words.ball, .kind = any, .access = reads, .group = 0},
                      {.component = words.mass, .kind = any, .access = writes, .group = 0},
                      {.component = words.position, .access = COSM_ACCESS_WRITE},
                      {.component = words.velocity, .kind = any, .access = writes, .group = 1},
                      {.component = words.frozen, .kind = any, .access = writes, .group = 1}}});
    close_words(&words);
}

TEST(an_access_before_a_parenthesis_is_that_of_all_in_it) {
    struct words words;
    open_words(&words, NULL);
    cosm_term_kind any = COSM_TERM_ANY_OF;
    cosm_query_desc desc = {.terms = {{.component = words.velocity, .kind = any},
                                      {.component = words.mass, .kind = any}}};
    check_text(&words, "(Velocity | Mass)", "(Velocity | Mass)", desc);
    desc.terms[0].access = COSM_ACCESS_WRITE;
    desc.terms[1].access = COSM_ACCESS_WRITE;
    check_text(&words, "mut (Velocity | Mass)", "mut (Velocity | Mass)", desc);
    check_text(&words, "(mut Velocity | mut Mass)", "mut (Velocity | Mass)", desc);
    desc.terms[0].access = COSM_ACCESS_MARK;
    desc.terms[1].access = COSM_ACCESS_MARK;
    check_text(&words, "mark(Velocity | Mass)", "mark (Velocity | Mass)", desc);
    close_words(&words);
}

TEST(bundles_stand_where_components_do_but_are_not_optional) {
    struct words words;
    open_words(&words, NULL);
    check_text(
        &words, "Body, mut (Body | Cube)", "Body, mut (Body | Cube)",
        (cosm_query_desc){
            .terms = {
                {.component = words.body, .kind = COSM_TERM_WITH},
                {.component = words.body, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF},
                {.component = words.cube, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF}}});
    check_text(&words, "!Body", "!Body",
               (cosm_query_desc){.terms = {{.component = words.body, .kind = COSM_TERM_WITHOUT}}});
    close_words(&words);
}

TEST(blanks_and_lines_between_tokens_do_not_matter) {
    struct words words;
    open_words(&words, NULL);
    const cosm_query_desc desc = {
        .terms = {
            {.component = words.mass, .kind = COSM_TERM_OPTIONAL},
            {.component = words.cube, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF},
            {.component = words.ball, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF}}};
    const char *printed = "?Mass, mut (Cube | Ball)";
    check_text(&words, "?Mass,mut(Cube|Ball)", printed, desc);
    check_text(&words, "\r\n ?\n\tMass\v,\fmut\n(\nCube\n|\nBall\n)\n", printed, desc);
    close_words(&words);
}

TEST(the_same_component_may_be_in_several_terms) {
    struct words words;
    open_words(&words, NULL);
    check_text(
        &words, "mut Mass, mut Mass, !Mass, mut (Mass | Mass)",
        "mut Mass, mut Mass, !Mass, mut (Mass | Mass)",
        (cosm_query_desc){
            .terms = {
                {.component = words.mass, .access = COSM_ACCESS_WRITE},
                {.component = words.mass, .access = COSM_ACCESS_WRITE},
                {.component = words.mass, .kind = COSM_TERM_WITHOUT},
                {.component = words.mass, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF},
                {.component = words.mass, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF}}});
    close_words(&words);
}

TEST(any_name_can_be_written_in_quotes) {
    static const struct {
        const char *name;
        const char *printed;
    } odd[] = {
        {"any name", "\"any name\""},
        {"say \"hi\"", "\"say \\\"hi\\\"\""},
        {"\"", "\"\\\"\""},
        {"\\", "\"\\\\\""},
        {"c:\\new\\", "\"c:\\\\new\\\\\""},
        {"Gr\xC3\xB6\xC3\x9F"
         "e",
         "\"Gr\xC3\xB6\xC3\x9F"
         "e\""},
        {"\xE9\x80\x9F\xE5\xBA\xA6", "\"\xE9\x80\x9F\xE5\xBA\xA6\""},
        {"\xFF\x80", "\"\xFF\x80\""},
        {"x, y", "\"x, y\""},
        {"(A | B)", "\"(A | B)\""},
        {"!no", "\"!no\""},
        {"mut it", "\"mut it\""},
        {"two\nlines", "\"two\nlines\""},
        {" ", "\" \""},
        {"3D", "\"3D\""},
        {"game.Position", "\"game.Position\""},
        {"a::b", "\"a::b\""},
        {"mut", "\"mut\""},
        {"mark", "\"mark\""},
        {"mutable", "mutable"},
        {"_", "_"},
        {"_a1_", "_a1_"},
        {"Z", "Z"},
    };
    struct words words;
    open_words(&words, NULL);
    for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
        cosm_component tag = define_tag(words.engine, odd[i].name);
        check_text(&words, odd[i].printed, odd[i].printed,
                   (cosm_query_desc){.terms = {{.component = tag}}});
    }
    // Alone, or before a comma, these words are names.
    check_text(
        &words, "mut", "\"mut\"",
        (cosm_query_desc){.terms = {{.component = cosm_component_find(words.engine, "mut")}}});
    check_text(&words, "mut mark", "mut \"mark\"",
               (cosm_query_desc){.terms = {{.component = cosm_component_find(words.engine, "mark"),
                                            .access = COSM_ACCESS_WRITE}}});
    close_words(&words);
}

// What the parser says of a text: where it points, and a part of the remedy.
struct wrong_text {
    const char *text;
    const char *place;
    const char *says;
};

static const struct wrong_text wrong_texts[] = {
    // Names.
    {"Position, mut Velocty", "column 15 at 'Velocty'", "did you mean 'Velocity'?"},
    {"position", "column 1 at 'position'", "did you mean 'Position'?"},
    {"Mass, MASS", "column 7 at 'MASS'", "did you mean 'Mass'?"},
    {"!Forzen", "column 2 at 'Forzen'", "did you mean 'Frozen'?"},
    {"(Cube | Bal)", "column 9 at 'Bal'", "did you mean 'Ball'?"},
    {"Bodi", "column 1 at 'Bodi'", "did you mean 'Body'?"},
    {"\"Mass \"", "column 1 at '\"Mass \"'", "did you mean 'Mass'?"},
    {"Temperature", "column 1 at 'Temperature'", "define it first, or correct it"},
    {"Temperature, Mass", "column 1 at 'Temperature'", "no component or bundle has this name"},
    {"?Body", "column 2 at 'Body'", "write '?' before each member"},
    {"Mass, \"\"", "column 7 at '\"\"'", "the name of a component is missing"},
    {"\"Mass, Cube", "column 1 at '\"Mass, Cube'", "this quote is not closed"},
    {"\"Mass\\", "column 1 at '\"Mass\\'", "this quote is not closed"},
    {"\"a\\nb\"", "column 3 at '\\nb\"'", "write two for one"},
    {"3D", "column 1 at '3D'", "in double quotes if it is not an identifier"},
    {"Gr\xC3\xB6sse", "column 1 at 'Gr'", "no component or bundle has this name"},
    {"\xC3\xB6", "column 1 at '\xC3\xB6'", "in double quotes if it is not an identifier"},
    // Marks and access.
    {"!", "column 2 at the end", "the name of a component is missing"},
    {"Mass, ?, Cube", "column 8 at ', Cube'", "the name of a component is missing"},
    {"!!Mass", "column 2 at '!Mass'", "one of '!', '?' and '~'"},
    {"? !Mass", "column 3 at '!Mass'", "one of '!', '?' and '~'"},
    {"!mut Mass", "column 2 at 'mut Mass'", "remove this word"},
    {"mark !Mass", "column 1 at 'mark !Mass'", "remove this word"},
    {"mut mark Mass", "column 5 at 'mark Mass'", "a term has at most one access"},
    {"mut ?mut Mass", "column 6 at 'mut Mass'", "a term has at most one access"},
    {"[in] Mass", "column 1 at '[in] Mass'", "the bare name to read"},
    {"Mass, ?[out] Cube", "column 8 at '[out] Cube'", "write 'mut NAME'"},
    {"read Mass", "column 1 at 'read'", "this is not an access"},
    {"mutt Mass", "column 1 at 'mutt'", "write 'mut NAME' to write"},
    {"Cube, const Mass", "column 7 at 'const'", "the bare name to read"},
    {"mut", "column 1 at 'mut'", "no component or bundle has this name"},
    {"mut, Mass", "column 1 at 'mut'", "no component or bundle has this name"},
    {"Mass mut", "column 6 at 'mut'", "'mut' comes before the name; write 'mut NAME'"},
    {"Mass mark, Cube", "column 6 at 'mark, Cube'", "write 'mark NAME'"},
    {"Mass mutt", "column 6 at 'mutt'", "expected ',' or the end after a term"},
    // Commas.
    {",", "column 1 at ','", "no term before this comma"},
    {"Mass,, Cube", "column 6 at ', Cube'", "no term before this comma"},
    {"Mass, ", "column 5 at ', '", "no term after the last comma"},
    {"Mass Cube", "column 6 at 'Cube'", "expected ',' or the end after a term"},
    {"game.Position", "column 1 at 'game'", "no component or bundle has this name"},
    {"Mass.Kilos", "column 5 at '.Kilos'", "put the whole name in double quotes"},
    {"Mass; Cube", "column 5 at '; Cube'", "write ','"},
    // Alternatives.
    {"Cube | Ball", "column 6 at '| Ball'", "write '(A | B)'"},
    {"!(Cube | Ball)", "column 1 at '!(Cube | Ball)'", "write '!A, !B'"},
    {"?(Cube | Ball)", "column 1 at '?(Cube | Ball)'", "write '?A, ?B'"},
    {"(!Cube | Ball)", "column 2 at '!Cube | Ball)'", "write '!A, (B | C)'"},
    {"(Cube | ?Ball)", "column 9 at '?Ball)'", "write it without '?'"},
    {"(Cube)", "column 1 at '(Cube)'", "write it without parentheses"},
    {"()", "column 2 at ')'", "the name of a component is missing"},
    {"(Cube |)", "column 8 at ')'", "the name of a component is missing"},
    {"(Cube || Ball)", "column 8 at '| Ball)'", "alternatives have one '|' between them"},
    {"(Cube, Ball)", "column 6 at ', Ball)'", "expected '|' or ')' after an alternative"},
    {"Mass, (Cube | Ball", "column 7 at '(Cube | Ball'", "write ')' after the last name"},
    {"(", "column 2 at the end", "the name of a component is missing"},
    {"Cube)", "column 5 at ')'", "no parenthesis is open here"},
    {"(Cube | Ball))", "column 14 at ')'", "no parenthesis is open here"},
    {"((Cube | Ball) | Mass)", "column 2 at '(Cube | Ball) | Mass)'", "write '(A | B | C)'"},
    {"mut (Cube | mark Mass)", "column 13 at 'mark Mass)'", "keep that one"},
    {"(Cube | Ball) Mass", "column 15 at 'Mass'", "expected ',' or the end after a term"},
    // Several lines, long excerpts, and bytes that nobody should see.
    {"Position,\n  Velocty\n", "line 2, column 3 at 'Velocty'", "did you mean 'Velocity'?"},
    {"Velocty\n", "line 1, column 1 at 'Velocty'", "did you mean 'Velocity'?"},
    {"Position,\r\n!\n\n", "line 4, column 1 at the end", "the name of a component is missing"},
    {"Mass Cube\n, Ball", "line 1, column 6 at 'Cube...'", "expected ',' or the end after a term"},
    {"Mass Cube, Ball, Frozen, Velocity, Position",
     "column 6 at 'Cube, Ball, Frozen, Velocity, Po...'", "expected ',' or the end after a term"},
    {"Mass *1234567890123456789012345678\xE9\x80\x9F, Mass",
     "column 6 at '*1234567890123456789012345678\xE9\x80\x9F...'",
     "expected ',' or the end after a term"},
    {"Mass *12345678901234567890123456789\xE9\x80\x9F",
     "column 6 at '*12345678901234567890123456789...'", "expected ',' or the end after a term"},
    {"Mass \x1B[2J\x7F", "column 6 at '?[2J?'", "expected ',' or the end after a term"},
};

TEST(a_wrong_text_is_refused_with_its_place_and_a_remedy) {
    struct words words;
    open_words(&words, NULL);
    for (size_t i = 0; i < sizeof(wrong_texts) / sizeof(wrong_texts[0]); i++) {
        const struct wrong_text *wrong = &wrong_texts[i];
        cosm_query_desc desc;
        cosm_query_desc before;
        memset(&desc, 0xA5, sizeof(desc));
        memcpy(&before, &desc, sizeof(desc));
        cosm_error_clear();
        CHECK_INT(cosm_query_parse(words.engine, wrong->text, &desc), COSM_ERROR_FORMAT);
        char start[256];
        (void)snprintf(start, sizeof(start), "cosm_query_parse: %s: ", wrong->place);
        CHECK_MEM(&desc, &before, sizeof(desc));
        CHECK_INT(strncmp(cosm_error_message(), start, strlen(start)), 0);
        CHECK_FAILURE(COSM_ERROR_FORMAT, start, wrong->says, "; ");
    }
    close_words(&words);
}

TEST(the_nearest_name_is_suggested_and_of_equals_the_first) {
    struct words words;
    open_words(&words, NULL);
    define_tag(words.engine, "Marker10");
    define_tag(words.engine, "Marker20");
    define_tag(words.engine, "marker_3");
    define_tag(words.engine, "Ma");
    define_tag(words.engine, "AngularVelocity");
    cosm_query_desc desc;
    static const char *const pairs[][2] = {
        {"Marker30", "'Marker10'"},        // as near as Marker20, which came later
        {"Marker2", "'Marker20'"},         // nearer than Marker10
        {"MARKER_3", "'marker_3'"},        // only its letters' size differs
        {"Markre20", "'Marker20'"},        // two slips in eight
        {"xMaker20x", "'Marker20'"},       // one too many at both ends, one missing
        {"Velocity3D", "'Velocity'"},      // two too many
        {"MA", "'Ma'"},                    // short names: size only
        {"Mb", "correct it"},              // ... since these are other words
        {"Vxxxxity", "correct it"},        // four slips in eight
        {"AngularVelXXXXy", "correct it"}, // ... and in fifteen
        {"AngularVelXXXty", "'AngularVelocity'"},
        {"VelocityOfTheBody", "correct it"},
    };
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        CHECK_FAILS(cosm_query_parse(words.engine, pairs[i][0], &desc), COSM_ERROR_FORMAT,
                    "cosm_query_parse:", "column 1 at", pairs[i][1]);
    }
    close_words(&words);
}

TEST(an_engine_without_components_suggests_nothing) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_query_desc desc;
    CHECK_FAILS(cosm_query_parse(engine, "Position", &desc), COSM_ERROR_FORMAT,
                "cosm_query_parse:", "'Position'", "define it first");
    CHECK_DONE(cosm_query_parse(engine, " ", &desc));
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(names_of_another_engine_are_not_known) {
    struct words words;
    struct words others;
    open_words(&words, NULL);
    open_words(&others, NULL);
    define_tag(others.engine, "Ours");
    cosm_query_desc desc;
    CHECK_DONE(cosm_query_parse(others.engine, "Ours", &desc));
    CHECK_FAILS(cosm_query_parse(words.engine, "Ours", &desc), COSM_ERROR_FORMAT,
                "cosm_query_parse:", "'Ours'", "define it first");
    close_words(&words);
    close_words(&others);
}

TEST(a_singleton_in_a_query_is_named_as_one) {
    struct words words;
    open_words(&words, NULL);
    CHECK(cosm_singleton_define(words.engine, &(cosm_singleton_desc){.name = "Score", .size = 4})
              .id != 0);
    cosm_query_desc desc;
    CHECK_FAILS(cosm_query_parse(words.engine, "Mass, Score", &desc), COSM_ERROR_FORMAT,
                "column 7 at 'Score'", "this is a singleton", "desc.uses");
    close_words(&words);
}

TEST(reading_overwrites_all_terms_and_leaves_by_world_alone) {
    struct words words;
    open_words(&words, NULL);
    for (int by_world = 0; by_world < 2; by_world++) {
        cosm_query_desc desc = {.by_world = by_world == 1};
        for (uint32_t i = 0; i < COSM_QUERY_TERM_MAX; i++) {
            desc.terms[i] =
                (cosm_term){.component = words.ball, .kind = COSM_TERM_ANY_OF, .group = 31};
        }
        CHECK_DONE(cosm_query_parse(words.engine, "mut Mass", &desc));
        cosm_term expected[COSM_QUERY_TERM_MAX] = {
            {.component = words.mass, .access = COSM_ACCESS_WRITE}};
        CHECK_MEM(desc.terms, expected, sizeof(expected));
        CHECK_INT(desc.by_world, by_world);
    }
    close_words(&words);
}

TEST(null_arguments_are_refused) {
    struct words words;
    open_words(&words, NULL);
    cosm_query_desc desc;
    memset(&desc, 0xA5, sizeof(desc));
    CHECK_FAILS(cosm_query_parse(NULL, "Mass", &desc), COSM_ERROR_ARGUMENT,
                "cosm_query_parse:", "engine is NULL", "cosm_engine_create");
    CHECK_FAILS(cosm_query_parse(words.engine, NULL, &desc), COSM_ERROR_ARGUMENT,
                "cosm_query_parse:", "text is NULL", "for every row");
    CHECK_FAILS(cosm_query_parse(words.engine, "Mass", NULL), COSM_ERROR_ARGUMENT,
                "cosm_query_parse:", "out_desc is NULL", "cosm_query_desc to fill");
    CHECK_INT(((unsigned char *)&desc)[0], 0xA5);
    struct page page = {0};
    cosm_query *query = read_query(words.engine, "Mass", false);
    cosm_query_print(NULL, write_page, &page);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_query_print:", "query is NULL", "cosm_query_create");
    cosm_query_print(query, NULL, &page);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_query_print:", "write is NULL", "receives the text");
    CHECK_INT(page.length, 0);
    cosm_query_destroy(query);
    close_words(&words);
}

static void count_failure(void *context, cosm_result result, const char *message) {
    uint32_t *count = context;
    CHECK_INT(result, COSM_ERROR_FORMAT);
    CHECK_CONTAINS(message, "cosm_query_parse: column 2 at the end");
    ++*count;
}

TEST(the_engines_callback_hears_of_a_wrong_text_once) {
    uint32_t count = 0;
    struct words words;
    open_words(&words, &(cosm_engine_desc){.error = count_failure, .error_context = &count});
    cosm_query_desc desc;
    CHECK_INT(cosm_query_parse(words.engine, "!", &desc), COSM_ERROR_FORMAT);
    CHECK_INT(count, 1);
    close_words(&words);
}

// Text of `count` times the same, with something between.
static void repeat(struct page *page, const char *text, const char *between, uint32_t count) {
    page->length = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0 && between[0] != '\0') {
            write_page(page, between, strlen(between));
        }
        write_page(page, text, strlen(text));
    }
}

TEST(a_text_has_as_many_terms_as_a_query) {
    struct words words;
    open_words(&words, NULL);
    struct page page;
    struct page printed;
    cosm_query_desc desc;
    repeat(&page, "Mass", ", ", COSM_QUERY_TERM_MAX);
    cosm_query *query = read_query(words.engine, page.text, false);
    CHECK_STR(print_query(query, &printed), page.text);
    cosm_query_destroy(query);
    repeat(&page, "Mass", ", ", COSM_QUERY_TERM_MAX + 1);
    CHECK_FAILS(cosm_query_parse(words.engine, page.text, &desc), COSM_ERROR_FORMAT,
                "cosm_query_parse: column 193 at 'Mass'", "limit of 32 terms", "in a bundle");

    repeat(&page, "(Cube | Ball)", ", ", COSM_QUERY_TERM_MAX / 2);
    query = read_query(words.engine, page.text, false);
    CHECK_STR(print_query(query, &printed), page.text);
    cosm_query_destroy(query);
    repeat(&page, "(Cube | Ball)", ", ", COSM_QUERY_TERM_MAX / 2 + 1);
    CHECK_FAILS(cosm_query_parse(words.engine, page.text, &desc), COSM_ERROR_FORMAT,
                "cosm_query_parse: column 242 at 'Cube'", "limit of 32 terms", "in a bundle");

    close_words(&words);
}

TEST(a_text_has_names_as_long_as_components) {
    struct words words;
    open_words(&words, NULL);
    struct page page;
    struct page printed;
    cosm_query_desc desc;
    repeat(&page, "n", "", COSM_NAME_LENGTH_MAX);
    define_tag(words.engine, page.text);
    cosm_query *query = read_query(words.engine, page.text, false);
    CHECK_STR(print_query(query, &printed), page.text);
    cosm_query_destroy(query);
    repeat(&page, "n", "", COSM_NAME_LENGTH_MAX + 1);
    CHECK_FAILS(cosm_query_parse(words.engine, page.text, &desc), COSM_ERROR_FORMAT,
                "cosm_query_parse: column 1 at 'nnnnnnnn", "nnnn...'",
                "128 bytes, the limit is 127");
    // A name of quotes only is twice as long in the text.
    repeat(&page, "\"", "", COSM_NAME_LENGTH_MAX);
    define_tag(words.engine, page.text);
    struct page quoted = {0};
    write_page(&quoted, "\"", 1);
    for (uint32_t i = 0; i < COSM_NAME_LENGTH_MAX; i++) {
        write_page(&quoted, "\\\"", 2);
    }
    write_page(&quoted, "\"", 1);
    query = read_query(words.engine, quoted.text, false);
    CHECK_STR(print_query(query, &printed), quoted.text);
    cosm_query_destroy(query);
    quoted.length--;
    write_page(&quoted, "\\\\\"", 3);
    CHECK_FAILS(cosm_query_parse(words.engine, quoted.text, &desc), COSM_ERROR_FORMAT,
                "cosm_query_parse: column 1", "128 bytes", "127");
    close_words(&words);
}

TEST(long_texts_are_read_to_their_end) {
    struct words words;
    open_words(&words, NULL);
    size_t length = 1 << 20;
    char *text = malloc(length + 16);
    REQUIRE(text != NULL);
    cosm_query_desc desc;
    memset(text, ' ', length);
    memcpy(text + length, "Mas", 4);
    CHECK_FAILS(cosm_query_parse(words.engine, text, &desc), COSM_ERROR_FORMAT,
                "cosm_query_parse: column 1048577 at 'Mas'", "this name", "'Mass'");
    memset(text, '\n', length);
    CHECK_FAILS(cosm_query_parse(words.engine, text, &desc), COSM_ERROR_FORMAT,
                "cosm_query_parse: line 1048577, column 1 at 'Mas'", "this name", "'Mass'");
    memset(text, 'x', length);
    CHECK_FAILS(cosm_query_parse(words.engine, text, &desc), COSM_ERROR_FORMAT,
                "cosm_query_parse: column 1 at 'xxx", "1048579 bytes", "127");
    memset(text, '!', length);
    CHECK_FAILS(cosm_query_parse(words.engine, text, &desc), COSM_ERROR_FORMAT,
                "cosm_query_parse: column 2 at '!!!", "one of", "remove this one");
    free(text);
    close_words(&words);
}

TEST(reading_and_printing_take_no_memory) {
    struct ledger ledger;
    ledger_open(&ledger);
    cosm_allocator allocator = ledger_allocator(&ledger);
    struct words words;
    open_words(&words, &(cosm_engine_desc){.allocator = allocator});
    struct page page;
    cosm_query *query = read_query(words.engine, "Position, (Cube | Ball)", false);
    uint64_t requests = ledger.requests;
    cosm_query_desc desc;
    CHECK_DONE(cosm_query_parse(words.engine, "Position, !Mass, (Cube | Body)", &desc));
    CHECK_INT(cosm_query_parse(words.engine, "Position, !Mas", &desc), COSM_ERROR_FORMAT);
    CHECK_STR(print_query(query, &page), "Position, (Cube | Ball)");
    CHECK_INT(ledger.requests, requests);
    cosm_query_destroy(query);
    close_words(&words);
    ledger_close(&ledger);
}

TEST(what_text_cannot_say_is_printed_as_what_matches_the_same) {
    static const char *const texts[] = {
        "!Mass",                                            // the access of what is lacked
        "Mass",                                             // a group of one
        "mut Body, ?mut Mass",                              // groups where there is no choice
        "mut (Cube | Ball), mut Mass",                      // numbers out of order
        "(mut Cube | Ball), mut Mass, (Velocity | Frozen)", // terms of a group apart
    };
    struct words words;
    open_words(&words, NULL);
    cosm_term_kind any = COSM_TERM_ANY_OF;
    cosm_access reads = COSM_ACCESS_READ;
    const cosm_query_desc descs[] = {
        {.terms = {{.component = words.mass,
                    .kind = COSM_TERM_WITHOUT,
                    .access = COSM_ACCESS_WRITE}}},
        {.terms = {{.component = words.mass, .kind = any, .access = reads, .group = 0}}},
        {.terms = {{.component = words.body,
                    .kind = COSM_TERM_WITH,
                    .access = COSM_ACCESS_WRITE,
                    .group = 3},
                   {.component = words.mass,
                    .kind = COSM_TERM_OPTIONAL,
                    .access = COSM_ACCESS_WRITE,
                    .group = 9}}},
        {.terms = {{.component = words.cube, .kind = any, .access = COSM_ACCESS_WRITE, .group = 31},
                   {.component = words.ball, .kind = any, .access = COSM_ACCESS_WRITE, .group = 31},
                   {.component = words.mass,
                    .kind = COSM_TERM_WITH,
                    .access = COSM_ACCESS_WRITE,
                    .group = 31}}},
        {.terms = {{.component = words.cube, .kind = any, .access = COSM_ACCESS_WRITE, .group = 4},
                   {.component = words.mass,
                    .kind = COSM_TERM_WITH,
                    .access = COSM_ACCESS_WRITE,
                    .group = 4},
                   {.component = words.velocity, .kind = any, .access = reads, .group = 2},
                   {.component = words.ball, .kind = any, .access = reads, .group = 4},
                   {.component = words.frozen, .kind = any, .access = reads, .group = 2}}},
    };
    for (size_t i = 0; i < sizeof(descs) / sizeof(descs[0]); i++) {
        struct page page;
        cosm_query *query = cosm_query_create(words.engine, &descs[i]);
        CHECK(query != NULL);
        CHECK_STR(print_query(query, &page), texts[i]);
        cosm_query *again = read_query(words.engine, page.text, false);
        CHECK(again != query);
        CHECK_STR(print_query(again, &page), texts[i]);
        cosm_query_destroy(query);
        cosm_query_destroy(again);
    }
    close_words(&words);
}

#define NAME_COUNT 12u
#define SET_COUNT 40u

// Components of all sorts of names, some bundles of them, and archetypes to tell queries apart.
struct crowd {
    cosm_engine *engine;
    cosm_component names[NAME_COUNT]; // the last two are bundles
    cosm_archetype sets[SET_COUNT];
};

static void open_crowd(struct crowd *crowd, struct dice *dice) {
    static const char letters[] = "aZ_09 \"\\,|()[]!?\n\xC3\xA9";
    crowd->engine = cosm_engine_create(NULL);
    for (uint32_t i = 0; i < NAME_COUNT - 2; i++) {
        char name[16] = "";
        uint32_t length = 1 + dice_roll(dice, 8);
        for (uint32_t c = 0; c < length; c++) {
            name[c] = letters[dice_roll(dice, sizeof(letters) - 1)];
        }
        name[length] = (char)('a' + i); // so that they differ
        crowd->names[i] = define_tag(crowd->engine, name);
    }
    for (uint32_t i = NAME_COUNT - 2; i < NAME_COUNT; i++) {
        cosm_bundle_desc bundle = {.name = i % 2 == 0 ? "Two" : "or three"};
        for (uint32_t m = 0; m < 2 + i % 2; m++) {
            bundle.components[m] = crowd->names[dice_roll(dice, NAME_COUNT - 2)];
        }
        crowd->names[i] = cosm_bundle_define(crowd->engine, &bundle);
        CHECK(crowd->names[i].id != 0);
    }
    for (uint32_t i = 0; i < SET_COUNT; i++) {
        cosm_archetype_desc desc = {.name = NULL};
        uint32_t count = 0;
        for (uint32_t n = 0; n < NAME_COUNT - 2; n++) {
            if (dice_roll(dice, 2) == 0) {
                desc.components[count++] = crowd->names[n];
            }
        }
        crowd->sets[i] = cosm_archetype_define(crowd->engine, &desc);
        CHECK(crowd->sets[i].id != 0);
    }
}

static cosm_component pick_name(const struct crowd *crowd, struct dice *dice, bool bundles) {
    return crowd->names[dice_roll(dice, bundles ? NAME_COUNT : NAME_COUNT - 2)];
}

static cosm_access pick_access(struct dice *dice) {
    return dice_roll(dice, 2) == 0 ? COSM_ACCESS_READ : COSM_ACCESS_WRITE;
}

// A desc as text says it.
static cosm_query_desc plain_desc(const struct crowd *crowd, struct dice *dice) {
    cosm_query_desc desc = {.by_world = dice_roll(dice, 2) == 0};
    uint32_t end = dice_roll(dice, COSM_QUERY_TERM_MAX + 1);
    uint32_t group = 0;
    for (uint32_t i = 0; i < end;) {
        uint32_t kind = dice_roll(dice, 4);
        uint32_t count = kind == COSM_TERM_ANY_OF ? 2 + dice_roll(dice, 3) : 1;
        if (i + count > end) {
            continue;
        }
        for (uint32_t last = i + count; i < last; i++) {
            bool bundles = kind != COSM_TERM_OPTIONAL;
            desc.terms[i].component = pick_name(crowd, dice, bundles);
            desc.terms[i].kind = (cosm_term_kind)kind;
            desc.terms[i].access = kind == COSM_TERM_WITHOUT ? COSM_ACCESS_READ : pick_access(dice);
            desc.terms[i].group = kind == COSM_TERM_ANY_OF ? group : 0;
        }
        group += kind == COSM_TERM_ANY_OF;
    }
    return desc;
}

// Any desc that makes a query.
static cosm_query_desc wild_desc(const struct crowd *crowd, struct dice *dice) {
    cosm_query_desc desc = {.by_world = false};
    uint32_t count = dice_roll(dice, 9);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t kind = dice_roll(dice, 2) == 0 ? COSM_TERM_ANY_OF : dice_roll(dice, 4);
        desc.terms[i] = (cosm_term){.component = pick_name(crowd, dice, kind != COSM_TERM_OPTIONAL),
                                    .kind = (cosm_term_kind)kind,
                                    .access = pick_access(dice),
                                    .group = dice_roll(dice, 2) == 0 ? 31 : dice_roll(dice, 3)};
    }
    return desc;
}

TEST(a_printed_query_is_read_back_as_the_same_query) {
    struct dice dice = {harness_seed()};
    uint32_t rounds = harness_is_long() ? 400 : 40;
    for (uint32_t round = 0; round < rounds; round++) {
        struct crowd crowd;
        open_crowd(&crowd, &dice);
        for (uint32_t i = 0; i < 50; i++) {
            struct page page;
            cosm_query_desc desc = plain_desc(&crowd, &dice);
            cosm_query *query = cosm_query_create(crowd.engine, &desc);
            REQUIRE(query != NULL);
            cosm_query *again = read_query(crowd.engine, print_query(query, &page), desc.by_world);
            CHECK(again == query);
            cosm_query_destroy(query);
            cosm_query_destroy(again);
        }
        CHECK_DONE(cosm_engine_destroy(crowd.engine));
    }
}

TEST(a_printed_query_is_read_back_as_one_that_matches_the_same) {
    struct dice dice = {harness_seed()};
    uint32_t rounds = harness_is_long() ? 400 : 40;
    uint32_t matches = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        struct crowd crowd;
        open_crowd(&crowd, &dice);
        for (uint32_t i = 0; i < 50; i++) {
            struct page page;
            struct page page_again;
            cosm_query_desc desc = wild_desc(&crowd, &dice);
            cosm_query *query = cosm_query_create(crowd.engine, &desc);
            REQUIRE(query != NULL);
            cosm_query *again = read_query(crowd.engine, print_query(query, &page), false);
            for (uint32_t s = 0; s < SET_COUNT; s++) {
                bool expected = cosm_query_matches(query, crowd.sets[s]);
                CHECK_INT(cosm_query_matches(again, crowd.sets[s]), expected);
                matches += expected;
            }
            CHECK_STR(print_query(again, &page_again), page.text);
            cosm_query_destroy(query);
            cosm_query_destroy(again);
        }
        CHECK_DONE(cosm_engine_destroy(crowd.engine));
    }
    CHECK(matches > 0);
}

// A text with a byte changed, left out or put in is read or refused, and if read then printed.
TEST(a_text_with_a_slip_is_read_or_refused) {
    struct dice dice = {harness_seed()};
    uint32_t refused = 0;
    uint32_t taken = 0;
    static const char bytes[] = "!?[]()|,\" \\\nain";
    struct crowd crowd;
    open_crowd(&crowd, &dice);
    for (uint32_t i = 0; i < 4000; i++) {
        struct page page;
        cosm_query_desc desc = plain_desc(&crowd, &dice);
        cosm_query *query = cosm_query_create(crowd.engine, &desc);
        REQUIRE(query != NULL);
        print_query(query, &page);
        cosm_query_destroy(query);
        size_t at = dice_roll(&dice, (uint32_t)page.length + 1);
        size_t from = at + (at < page.length ? dice_roll(&dice, 2) : 0);
        size_t gap = dice_roll(&dice, 2);
        memmove(page.text + at + gap, page.text + from, page.length + 1 - from);
        if (gap == 1) {
            page.text[at] = bytes[dice_roll(&dice, sizeof(bytes) - 1)];
        }
        cosm_query_desc read;
        memset(&read, 0, sizeof(read));
        cosm_query_desc before = read;
        if (cosm_query_parse(crowd.engine, page.text, &read) == COSM_OK) {
            cosm_query *once = cosm_query_create(crowd.engine, &read);
            cosm_query *twice = read_query(crowd.engine, print_query(once, &page), false);
            CHECK(once == twice);
            cosm_query_destroy(once);
            cosm_query_destroy(twice);
            taken++;
        } else {
            CHECK_MEM(&read, &before, sizeof(read));
            CHECK_FAILURE(COSM_ERROR_FORMAT, "cosm_query_parse: ", "column ", "; ");
            refused++;
        }
    }
    CHECK(refused > 0 && taken > 0);
    CHECK_DONE(cosm_engine_destroy(crowd.engine));
}
