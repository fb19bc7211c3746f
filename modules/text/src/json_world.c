// JSON to worlds: the text of a world, or of a table.
#include <cosm_text/json.h>

#include "check.h"
#include "format.h"
#include "stage.h"

struct world_text {
    struct parts parts;
    struct stage stage;
    struct entity_text entity; // the one at hand
    cosm_world world;
};

static bool read_entities(struct world_text *text) {
    struct reader *reader = &text->parts.reader;
    struct place *place = &reader->place;
    bool first = true;
    if (!cosmi_text_open_array(reader, NULL)) {
        return false;
    }
    place->list = "entities";
    place->index = 0;
    while (cosmi_text_scan_element(&reader->scan, &first)) {
        if (place->index == COSM_WORLD_ENTITY_MAX) {
            return cosmi_text_read_fail(reader, NULL, NULL,
                                        "a world has at most %u entities; read the others into "
                                        "another world",
                                        COSM_WORLD_ENTITY_MAX);
        }
        if (!cosmi_text_read_object(&text->parts, &text->entity) ||
            !cosmi_text_stage_entity(&text->stage, &text->entity)) {
            return false;
        }
        place->index++;
    }
    place->list = NULL;
    return reader->scan.result == COSM_OK;
}

static bool read_format(struct reader *reader) {
    struct number number;
    uint64_t format;
    char found[EXCERPT_SIZE];
    enum scan_kind kind = cosmi_text_scan_peek(&reader->scan);
    const char *where = reader->scan.at;
    if (kind == SCAN_NUMBER && !cosmi_text_scan_take_number(&reader->scan, &number)) {
        return false;
    }
    if (kind == SCAN_NUMBER && cosmi_text_number_u64(&number, &format) && format == JSON_FORMAT) {
        return true;
    }
    return cosmi_text_read_fail(reader, where, NULL,
                                "the format is %s, this library reads %u; use the library that "
                                "wrote it",
                                cosmi_text_excerpt(reader, where, found), JSON_FORMAT);
}

// The components of a table, which its entities name too.
static bool pass_names(struct reader *reader) {
    struct scan_string name;
    bool first = true;
    if (!cosmi_text_open_array(reader, NULL)) {
        return false;
    }
    while (cosmi_text_scan_element(&reader->scan, &first)) {
        if (!cosmi_text_scan_take_string(&reader->scan, &name)) {
            return false;
        }
    }
    return reader->scan.result == COSM_OK;
}

enum { MEMBER_FORMAT, MEMBER_SINGLETONS, MEMBER_ENTITIES, MEMBER_ARCHETYPE, MEMBER_COMPONENTS };

static bool read_top_member(struct world_text *text, uint32_t number) {
    struct scan_string name;
    switch (number) {
    case MEMBER_FORMAT:
        return read_format(&text->parts.reader);
    case MEMBER_SINGLETONS:
        if (!cosmi_text_read_singletons(&text->parts, text->world)) {
            return false;
        }
        cosmi_text_stage_singletons(&text->stage);
        return true;
    case MEMBER_ENTITIES:
        return read_entities(text);
    case MEMBER_ARCHETYPE:
        return cosmi_text_scan_take_string(&text->parts.reader.scan, &name);
    default:
        return pass_names(&text->parts.reader);
    }
}

static bool read_text(struct world_text *text) {
    static const char *const members[] = {"cosm", "singletons", "entities", "archetype",
                                          "components"};
    const uint32_t count = sizeof(members) / sizeof(members[0]);
    struct reader *reader = &text->parts.reader;
    struct member member;
    char found[EXCERPT_SIZE];
    uint32_t seen = 0;
    bool first = true;
    if (!cosmi_text_open_object(reader, NULL)) {
        return false;
    }
    while (cosmi_text_read_member(reader, &first, &member)) {
        uint32_t number = 0;
        while (number < count && strcmp(member.name, members[number]) != 0) {
            number++;
        }
        if (number == count) {
            return cosmi_text_read_fail(reader, member.where, NULL,
                                        "there is no member %s; a world has \"cosm\", "
                                        "\"singletons\" and \"entities\"",
                                        cosmi_text_excerpt(reader, member.where, found));
        }
        if ((seen & 1u << number) != 0) {
            return cosmi_text_read_fail(reader, member.where, NULL,
                                        "the member %s appears twice; remove one of them",
                                        cosmi_text_excerpt(reader, member.where, found));
        }
        seen |= 1u << number;
        if (!read_top_member(text, number)) {
            return false;
        }
    }
    return cosmi_text_scan_end(&reader->scan);
}

cosm_result cosm_json_read_world(cosm_world world, const char *text, size_t length) {
    static const char call[] = "cosm_json_read_world";
    struct world_text reading;
    cosm_result result = cosmi_text_check_world(call, world);
    if (result != COSM_OK) {
        return result;
    }
    const cosm_engine *engine = cosm_batch_engine(world.batch);
    result = cosmi_text_check_pointer(call, engine, text, "text");
    if (result != COSM_OK) {
        return result;
    }
    reading.world = world;
    if (cosmi_text_parts_begin(&reading.parts, engine, call, text, length)) {
        cosmi_text_stage_begin(&reading.stage, &reading.parts);
        result = read_text(&reading) ? cosmi_text_stage_apply(&reading.stage, world)
                                     : cosmi_text_parts_result(&reading.parts);
        cosmi_text_stage_end(&reading.stage);
    } else {
        result = COSM_ERROR_MEMORY;
    }
    cosmi_text_parts_end(&reading.parts);
    return result;
}
