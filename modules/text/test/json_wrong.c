// Texts that are wrong: each is told with its line and column, and nothing changes
// (cosm_text/json.h).
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "support.h"

struct wrong {
    const char *text;
    const char *place; // "line 1, column 2", and what follows
    const char *says;  // a further part of the message
};

// Every member with a value that it cannot have, in the object of an entity.
static const struct wrong in_entities[] = {
    {"{\"entity\":\"@0:0\"}", "column 11: entity: this is the none handle", "another handle"},
    {"{\"Vector\":{\"x\":null}}", "column 16: Vector.x: found null", "write a number"},
    {"{\"Vector\":{\"x\":\"1\"}}", "column 16: Vector.x: found \"1\"", "write a number"},
    {"{\"Vector\":{\"x\":[1]}}", "column 16: Vector.x: found an array", "write a number"},
    {"{\"Vector\":{\"x\":{}}}", "column 16: Vector.x: found an object", "write a number"},
    {"{\"Vector\":{\"x\":1e39}}", "column 16: Vector.x: found 1e39", "that fits f32"},
    {"{\"Vector\":{\"x\":\"nan:7f800000\"}}", "column 16: Vector.x: found \"nan:7f800000\"",
     "8 hex digits of a NaN"},
    {"{\"Vector\":{\"x\":\"nan:7fc000\"}}", "column 16: Vector.x: found", "8 hex digits"},
    {"{\"Vector\":{\"x\":\"nan:7fc0000g\"}}", "column 16: Vector.x: found", "8 hex digits"},
    {"{\"Vector\":{\"x\":\"nan:\"}}", "column 16: Vector.x: found", "8 hex digits"},
    {"{\"Vector\":{\"x\":\"NaN\"}}", "column 16: Vector.x: found \"NaN\"", "write a number"},
    {"{\"Vector\":{\"x\":nan}}", "column 16: Vector.x: found nan", "write a number"},
    {"{\"Vector\":{\"x\":+1}}", "column 16: Vector.x: found +1", "write a number"},
    {"{\"Vector\":{\"x\":01}}", "column 16", "begins with a zero"},
    {"{\"Vector\":{\"x\":1.}}", "column 16", "no digit after its point"},
    {"{\"Vector\":{\"x\":1 \"y\":2}}", "column 18", "','"},
    {"{\"Vector\":{\"x\":1,}}", "column 18", "remove the preceding comma"},
    {"{\"Vector\":{\"x\" 1}}", "column 16", "':'"},
    {"{\"Vector\":{x:1}}", "column 12", "double quotes"},
    {"{\"Vector\":{\"x\":1,\"x\":2}}", "column 18: Vector.x: ", "appears twice"},
    {"{\"Vector\":{\"x\":1,\"y\":2,\"x\":2}}", "column 24: Vector.x: ", "appears twice"},
    {"{\"Vector\":{\"w\":1}}", "column 12: Vector: there is no member \"w\"", "such as 'x'"},
    {"{\"Vector\":{\"x\\u0000\":1}}", "column 12: Vector: there is no member", "remove it"},
    {"{\"Vector\":{\"\":1}}", "column 12: Vector: there is no member \"\"", "remove it"},
    {"{\"Vector\":1}", "column 11: Vector: found 1", "write an object"},
    {"{\"Vector\":[]}", "column 11: Vector: found an array", "write an object"},
    {"{\"Vector\":null}", "column 11: Vector: found null", "write an object"},
    {"{\"Vector\":{}", "column 13", "end of the text"},
    {"{\"Vector\":{\"x\":1", "column 17", "end of the text"},
    {"{\"Vector\":{\"x", "column 14", "not closed"},
    {"{\"Vector\":{}} {}", "column 15", "the end of the text"},
    {"{\"Vector\":{},\"Vector\":{}}", "column 14: ", "'Vector' appears twice"},
    {"{\"Tag\":{},\"Vector\":{},\"Tag\":{}}", "column 23: ", "'Tag' appears twice"},
    {"{\"Nobody\":{}}", "column 2: there is no component \"Nobody\"", "define it"},
    {"{\"Vector\\u0000\":{}}", "column 2: there is no component", "define it"},
    {"{\"Both\":{}}", "column 2: \"Both\" is a bundle", "name its members"},
    {"{\"Tag\":{\"x\":1}}", "column 9: Tag: a tag has no members", "write {}"},
    {"{\"Tag\":1}", "column 8: Tag: found 1", "write an object"},
    {"{\"entity\":5}", "column 11: entity: found 5", "\"@id:gen\""},
    {"{\"entity\":\"5:1\"}", "column 11: entity: found \"5:1\"", "\"@id:gen\""},
    {"{\"entity\":\"@5\"}", "column 11: entity: found \"@5\"", "\"@id:gen\""},
    {"{\"entity\":\"@:1\"}", "column 11: entity: found \"@:1\"", "\"@id:gen\""},
    {"{\"entity\":\"@5:\"}", "column 11: entity: found \"@5:\"", "\"@id:gen\""},
    {"{\"entity\":\"@5:1 \"}", "column 11: entity: found \"@5:1 \"", "\"@id:gen\""},
    {"{\"entity\":\"@-5:1\"}", "column 11: entity: found \"@-5:1\"", "\"@id:gen\""},
    {"{\"entity\":\"@4294967296:1\"}", "column 11: entity: found \"@4294967296:1\"", "\"@id:gen\""},
    {"{\"entity\":\"@1:99999999999999999999\"}", "column 11: entity: found", "\"@id:gen\""},
    {"{\"entity\":\"@5:1\",\"entity\":null}", "column 18: ", "\"entity\" appears twice"},
    {"{\"Link\":{\"target\":5}}", "column 19: Link.target: found 5", "\"@5:1\""},
    {"{\"Link\":{\"others\":[null,null,true]}}", "column 30: Link.others[2]: found true",
     "\"@5:1\""},
    {"{\"Link\":{\"others\":[null,null]}}", "column 19: Link.others: the array has 2 elements",
     "instead of 3"},
    {"{\"Link\":{\"others\":[null,null,null,null]}}", "column 35: Link.others: the array has more",
     "than 3"},
    {"{\"Scalars\":{\"i8\":128}}", "column 18: Scalars.i8: found 128", "from -128 to 127"},
    {"{\"Scalars\":{\"i8\":-129}}", "column 18: Scalars.i8: found -129", "from -128 to 127"},
    {"{\"Scalars\":{\"u8\":256}}", "column 18: Scalars.u8: found 256", "from 0 to 255"},
    {"{\"Scalars\":{\"u8\":-1}}", "column 18: Scalars.u8: found -1", "from 0 to 255"},
    {"{\"Scalars\":{\"u8\":1.5}}", "column 18: Scalars.u8: found 1.5", "an integer"},
    {"{\"Scalars\":{\"i16\":32768}}", "column 19: Scalars.i16: found", "from -32768 to 32767"},
    {"{\"Scalars\":{\"u32\":4294967296}}", "column 19: Scalars.u32: found", "to 4294967295"},
    {"{\"Scalars\":{\"i64\":9223372036854775808}}", "column 19: Scalars.i64: found",
     "from -9223372036854775808 to 9223372036854775807"},
    {"{\"Scalars\":{\"u64\":18446744073709551616}}", "column 19: Scalars.u64: found",
     "from 0 to 18446744073709551615"},
    {"{\"Scalars\":{\"i32\":\"1\"}}", "column 19: Scalars.i32: found \"1\"", "without quotes"},
    {"{\"Scalars\":{\"i32\":[1]}}", "column 19: Scalars.i32: found an array", "write an integer"},
    {"{\"Scalars\":{\"i32\":null}}", "column 19: Scalars.i32: found null", "write an integer"},
    {"{\"Scalars\":{\"i32\":true}}", "column 19: Scalars.i32: found true", "write an integer"},
    {"{\"Scalars\":{\"f64\":1e309}}", "column 19: Scalars.f64: found 1e309", "that fits f64"},
    {"{\"Scalars\":{\"yes\":\"true\"}}", "column 19: Scalars.yes: found", "write true or false"},
    {"{\"Scalars\":{\"yes\":256}}", "column 19: Scalars.yes: found 256", "from 0 to 255"},
    {"{\"Scalars\":{\"yes\":tru}}", "column 19", "true or false"},
    {"{\"Labels\":{\"color\":\"grey\"}}", "column 20: Labels.color: found \"grey\"",
     "labels, such as 'red'"},
    {"{\"Labels\":{\"color\":null}}", "column 20: Labels.color: found null", "write a label"},
    {"{\"Labels\":{\"color\":[\"red\"]}}", "column 20: Labels.color: found an array",
     "write an integer"},
    {"{\"Labels\":{\"bits\":\"a\"}}", "column 19: Labels.bits: found \"a\"", "an array of labels"},
    {"{\"Labels\":{\"bits\":[\"a\",\"z\"]}}", "column 24: Labels.bits: found \"z\"",
     "not a label of this field"},
    {"{\"Labels\":{\"bits\":[\"a\",null]}}", "column 24: Labels.bits: found null",
     "names of bits as strings"},
    {"{\"Labels\":{\"tiny\":[256]}}", "column 20: Labels.tiny: found 256", "from 0 to 255"},
    {"{\"Labels\":{\"small\":\"bad \\u00ff\"}}", "column 20: Labels.small: found", "not a label"},
    {"{\"Name\":{\"text\":5}}", "column 17: Name.text: found 5", "write a string"},
    {"{\"Name\":{\"text\":null}}", "column 17: Name.text: found null", "write a string"},
    {"{\"Name\":{\"text\":\"1234567890123456789012345\"}}",
     "column 17: Name.text: found a text of 25", "room for 24"},
    {"{\"Name\":{\"text\":[1,2]}}", "column 17: Name.text: the array has 2 elements", "of 24"},
    {"{\"Name\":{\"text\":[256]}}", "column 18: Name.text[0]: found 256", "from 0 to 255"},
    {"{\"Name\":{\"text\":[\"a\"]}}", "column 18: Name.text[0]: found \"a\"", "write a byte"},
    {"{\"Name\":{\"text\":\"\\ud800\"}}", "column 18", "surrogate pair"},
    {"{\"Name\":{\"text\":\"\xFF\"}}", "column 18", "not UTF-8"},
    {"{\"Name\":{\"text\":\"\n\"}}", "column 18", "control character"},
    {"{\"Raw\":\"00\"}", "column 8: Raw: found a string of 2 characters", "write 26 hex digits"},
    {"{\"Raw\":\"0001020304050607080910111g\"}", "column 33: Raw: ", "not hex digits"},
    {"{\"Raw\":{}}", "column 8: Raw: found an object", "hex digits"},
    {"{\"Nested\":{\"pose\":{\"position\":{\"w\":1}}}}",
     "column 32: Nested.pose.position: there is no member \"w\"", "such as 'x'"},
    {"{\"Nested\":{\"pose\":{\"position\":{\"y\":\"a\"}}}}",
     "column 36: Nested.pose.position.y: found \"a\"", "write a number"},
    {"{\"Nested\":{\"pose\":{\"angle\":1,\"angle\":2}}}",
     "column 30: Nested.pose.angle: ", "twice"},
    {"{\"Nested\":{\"items\":{}}}", "column 20: Nested.items: found an object", "write an array"},
    {"{\"Nested\":{\"items\":[{},{}]}}", "column 20: Nested.items: the array has 2 elements",
     "of 3"},
    {"{\"Nested\":{\"items\":[{},{},{},{}]}}", "column 30: Nested.items: the array has more than 3",
     "remove"},
    {"{\"Nested\":{\"items\":[{},1,{}]}}", "column 24: Nested.items[1]: found 1",
     "write an object"},
    {"{\"Nested\":{\"items\":[{},{\"count\":-1},{}]}}",
     "column 33: Nested.items[1].count: found -1", "from 0 to 65535"},
    {"{\"Nested\":{\"items\":[{\"cells\":[[1,2,3],[4,5]]},{},{}]}}",
     "column 39: Nested.items[0].cells[1]: the array has 2 elements", "of 3"},
    {"{\"Nested\":{\"items\":[{\"cells\":[[1,2,3],[4,5,6],[7]]},{},{}]}}",
     "column 47: Nested.items[0].cells: the array has more than 2", "remove"},
    {"{\"Nested\":{\"items\":[{\"cells\":[[1,2,300],[4,5,6]]},{},{}]}}",
     "column 36: Nested.items[0].cells[0][2]: found 300", "from -128 to 127"},
    {"{\"Arrays\":{\"lines\":[[\"\",\"\",\"1234567\"],[\"\",\"\",\"\"]]}}",
     "column 28: Arrays.lines[0][2]: found a text of 7", "room for 6"},
    {"{\"Arrays\":{\"line\":1}}", "column 19: Arrays.line: found 1", "write an array"},
    {"{\"Arrays\":{\"grid\":[1,2]}}", "column 20: Arrays.grid[0]: found 1", "write an array"},
};

// A whole text, in which places count lines.
static const struct wrong in_worlds[] = {
    {"", "line 1, column 1: found the end of the text", "write an object"},
    {"[]", "line 1, column 1: found an array", "write an object"},
    {"{\"worlds\":1}", "line 1, column 2: there is no member \"worlds\"", "\"singletons\""},
    {"{\"cosm\":1,\"cosm\":1}", "line 1, column 11: the member \"cosm\" appears twice", "remove"},
    {"{\"cosm\":2}", "line 1, column 9: the format is 2", "reads 1"},
    {"{\"cosm\":\"1\"}", "line 1, column 9: the format is \"1\"", "reads 1"},
    {"{\"cosm\":1.5}", "line 1, column 9: the format is 1.5", "reads 1"},
    {"{\"archetype\":5}", "line 1, column 14", "a string"},
    {"{\"components\":[5]}", "line 1, column 16", "a string"},
    {"{\"entities\":{}}", "line 1, column 13: found an object", "write an array"},
    {"{\"entities\":[1]}", "line 1, column 14: entities[0]: found 1", "write an object"},
    {"{\"entities\":[{},{},\n {},\n null]}", "line 3, column 2: entities[3]: found null",
     "write an object"},
    {"{\"entities\":[{},\n\n{\"Vector\":\n{\"x\":false}}]}",
     "line 4, column 6: entities[1].Vector.x: found false", "write a number"},
    {"{\"entities\":[{},]}", "line 1, column 17", "remove the comma"},
    {"{\"entities\":[{}", "line 1, column 16", "the end of the text"},
    {"{\"entities\":[\n{\"entity\":\"@1:1\"},\n{\"entity\":\"@1:3\"},\n{\"entity\":\"@1:1\"}]}",
     "line 4, column 11: two entities are called \"@1:1\"", "unique name"},
    {"{\"entities\":[\n{\"entity\":\"@1:1\"},\n{\"entity\":\"@1:1\"},\n{\"entity\":\"@0:1\"}]}",
     "line 3, column 11: two entities are called \"@1:1\"", "unique name"},
    {"{\"entities\":[\n{\"entity\":\"@1:1\"},\n{\"entity\":\"@4000000000:1\"},"
     "{\"entity\":\"@1:1\"}]}",
     "line 3, column 38: two entities are called \"@1:1\"", "unique name"},
    {"{\"singletons\":[]}", "line 1, column 15: singletons: found an array", "write an object"},
    {"{\"singletons\":{\"Nothing\":1}}",
     "line 1, column 16: singletons: there is no singleton \"Nothing\"", "define it"},
    {"{\"singletons\":{\"Clock\":{\"x\":true}}}",
     "line 1, column 29: singletons.Clock.x: found true", "write a number"},
    {"{\"singletons\":{\"Clock\":{},\"Clock\":{}}}",
     "line 1, column 27: singletons: the singleton \"Clock\" appears twice", "remove"},
    {"{\"singletons\":{\"Clock\":{\"x\":9},\"Raw\":5}}",
     "line 1, column 38: singletons.Raw: found 5", "hex digits"},
    {"{\"singletons\":{\"Clock\":{\"x\":9}},\"entities\":[{}],\"x\":0}",
     "line 1, column 49: there is no member \"x\"", "\"singletons\""},
    {"{\"singletons\":{\"Clock\":{\"x\":9}},\"entities\":[{}]}x", "line 1, column 49",
     "the end of the text"},
    {"\xEF\xBB\xBF{}", "line 1, column 1: found", "write an object"},
    {"{\"cosm\":1} // done", "line 1, column 12", "the end of the text"},
};

static void prepare(struct zoo *zoo) {
    zoo_open(zoo);
    CHECK(cosm_bundle_define(
              zoo->engine, &(cosm_bundle_desc){.name = "Both", .components = {zoo->tag, zoo->raw}})
              .id != 0);
    static const char text[] = "{\"entities\":[{\"Vector\":{},\"Tag\":{}},{\"NestedSplit\":{}},"
                               "{\"LinkSplit\":{}}]}";
    CHECK_DONE(cosm_json_read_world(zoo->world, text, strlen(text)));
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

TEST(a_wrong_object_is_told_with_its_place_and_spawns_nothing) {
    struct zoo zoo;
    prepare(&zoo);
    cosm_entity target =
        cosm_table_entities(zoo.world, cosm_archetype_of(zoo.engine, &zoo.nested[1], 1))[0];
    uint64_t before = cosm_hash_world(zoo.world, COSM_HASH_EXACT);
    for (size_t i = 0; i < COUNT(in_entities); i++) {
        const struct wrong *wrong = &in_entities[i];
        size_t length = strlen(wrong->text);
        cosm_error_clear();
        CHECK(cosm_entity_is_none(cosm_json_spawn(zoo.world, wrong->text, length)));
        CHECK_FAILURE(COSM_ERROR_FORMAT, "cosm_json_spawn: line ", wrong->place, wrong->says);
        // The same onto an entity that is there.
        CHECK_INT(cosm_json_read_entity(zoo.world, target, wrong->text, length), COSM_ERROR_FORMAT);
        CHECK_FAILURE(COSM_ERROR_FORMAT, "cosm_json_read_entity: line ", wrong->place, wrong->says);
        CHECK_INT(cosm_hash_world(zoo.world, COSM_HASH_EXACT), before);
        if (cosm_hash_world(zoo.world, COSM_HASH_EXACT) != before) {
            printf("%s\n", wrong->text);
        }
    }
    zoo_close(&zoo);
}

TEST(a_wrong_object_in_a_world_is_told_with_its_number_and_nothing_changes) {
    struct zoo zoo;
    prepare(&zoo);
    uint64_t before = cosm_hash_world(zoo.world, COSM_HASH_EXACT);
    for (size_t i = 0; i < COUNT(in_entities); i++) {
        struct kept_text text = {0};
        char place[160];
        static const char head[] = "{\"singletons\":{\"Clock\":{\"x\":77}},\n\"entities\":[{},\n";
        const char *inner = strchr(in_entities[i].place, ':');
        keep_text(&text, head, strlen(head));
        keep_text(&text, in_entities[i].text, strlen(in_entities[i].text));
        keep_text(&text, "\n]}", 3);
        // The column is the same, the path is longer; where there is none, texts may go on
        // otherwise.
        bool has_path = inner != NULL && strncmp(inner, ": ", 2) == 0;
        bool is_named = has_path && ((inner[2] >= 'A' && inner[2] <= 'Z') ||
                                     strncmp(inner + 2, "entity:", 7) == 0);
        (void)snprintf(place, sizeof(place), "%.*s: entities[1]%s%s",
                       (int)(has_path ? inner - in_entities[i].place : 0), in_entities[i].place,
                       is_named ? "." : ": ", has_path ? inner + 2 : "");
        cosm_error_clear();
        CHECK_INT(cosm_json_read_world(zoo.world, text.bytes, text.length), COSM_ERROR_FORMAT);
        CHECK_FAILURE(COSM_ERROR_FORMAT, "cosm_json_read_world: line ", has_path ? place : "column",
                      has_path ? in_entities[i].says : ";");
        CHECK_INT(cosm_hash_world(zoo.world, COSM_HASH_EXACT), before);
        kept_text_free(&text);
    }
    zoo_close(&zoo);
}

TEST(a_wrong_world_is_told_with_its_place_and_nothing_changes) {
    struct zoo zoo;
    prepare(&zoo);
    uint64_t before = cosm_hash_world(zoo.world, COSM_HASH_EXACT);
    for (size_t i = 0; i < COUNT(in_worlds); i++) {
        const struct wrong *wrong = &in_worlds[i];
        cosm_error_clear();
        CHECK_INT(cosm_json_read_world(zoo.world, wrong->text, strlen(wrong->text)),
                  COSM_ERROR_FORMAT);
        CHECK_FAILURE(COSM_ERROR_FORMAT, "cosm_json_read_world: ", wrong->place, wrong->says);
        CHECK_INT(cosm_hash_world(zoo.world, COSM_HASH_EXACT), before);
    }
    zoo_close(&zoo);
}

TEST(every_text_that_is_cut_off_is_refused) {
    struct zoo zoo;
    struct kept_text text = {0};
    struct dice dice = {harness_seed()};
    prepare(&zoo);
    char value[1024];
    for (uint32_t i = 0; i < ZOO_COLUMN_COUNT; i++) {
        cosm_component component = zoo_component(&zoo, i);
        zoo_fill(&zoo, component, &dice, value);
        cosm_archetype archetype =
            cosm_archetype_define(zoo.engine, &(cosm_archetype_desc){.components = {component}});
        cosm_entity entity = cosm_entity_spawn(zoo.world, archetype);
        CHECK_DONE(cosm_entity_set(zoo.world, entity, component, value));
    }
    write_world(&text, zoo.world, true);
    uint64_t before = cosm_hash_world(zoo.world, COSM_HASH_EXACT);
    // Up to the brace that ends it, which a line follows.
    size_t whole = text.length - 1;
    for (size_t length = 0; length < whole; length++) {
        // An exact copy lets the address sanitizer see a read past the end.
        struct kept_text cut = {0};
        keep_text(&cut, text.bytes, length);
        CHECK_INT(cosm_json_read_world(zoo.world, cut.bytes, length), COSM_ERROR_FORMAT);
        kept_text_free(&cut);
    }
    CHECK_INT(cosm_hash_world(zoo.world, COSM_HASH_EXACT), before);
    kept_text_free(&text);
    zoo_close(&zoo);
}

TEST(messages_stay_whole_with_the_longest_names) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    char name[COSM_NAME_LENGTH_MAX + 1];
    char path[COSM_FIELD_PATH_LENGTH_MAX + 1];
    char text[1024];
    memset(name, 'n', sizeof(name) - 1);
    memset(path, 'p', sizeof(path) - 1);
    name[sizeof(name) - 1] = '\0';
    path[sizeof(path) - 1] = '\0';
    cosm_field field = {.name = path, .type = COSM_FIELD_U8};
    CHECK(cosm_component_define(
              engine,
              &(cosm_component_desc){.name = name, .size = 1, .fields = &field, .field_count = 1})
              .id != 0);
    (void)snprintf(text, sizeof(text), "{\"entities\":[{\"%s\":{\"%s\":256}}]}", name, path);
    CHECK_INT(cosm_json_read_world(cosm_batch_world(batch, 0), text, strlen(text)),
              COSM_ERROR_FORMAT);
    CHECK_CONTAINS(cosm_error_message(), name);
    CHECK_CONTAINS(cosm_error_message(), path);
    CHECK_CONTAINS(cosm_error_message(), "found 256; write an integer from 0 to 255");
    CHECK_DONE(cosm_batch_destroy(batch));
    CHECK_DONE(cosm_engine_destroy(engine));
}
