// Reading entities: parts, and the objects that name them.
#include "parts.h"

#include "check.h"

static const char entity_key[] = "\"entity\":";

bool cosmi_text_parts_begin(struct parts *parts, const cosm_engine *engine, const char *call,
                            const char *text, size_t length) {
    *parts = (struct parts){.engine = engine, .target = COSM_ENTITY_NONE};
    cosmi_text_reader_begin(&parts->reader, engine, call, text, length);
    cosm_engine_info info = cosm_engine_describe(engine);
    parts->component_count = info.component_count;
    parts->singleton_count = info.singleton_count;
    parts->components = cosmi_text_take_zeroed(&parts->arena, (parts->component_count + 1) *
                                                                  sizeof(*parts->components));
    parts->singletons = cosmi_text_take_zeroed(&parts->arena, (parts->singleton_count + 1) *
                                                                  sizeof(*parts->singletons));
    if (parts->components == NULL || parts->singletons == NULL) {
        (void)cosmi_text_fail_memory(call, engine);
        return false;
    }
    return true;
}

void cosmi_text_parts_end(struct parts *parts) {
    cosmi_text_give_all(&parts->arena);
}

cosm_result cosmi_text_parts_result(struct parts *parts) {
    return parts->reader.scan.result != COSM_OK
               ? parts->reader.scan.result
               : cosmi_text_fail_memory(parts->reader.scan.call, parts->engine);
}

// The default, without what may lie between its fields.
static void make_base(struct part *part) {
    struct shape *shape = part->shape;
    subject_default(part->subject, part->value);
    if (shape->field_count == 0) {
        memcpy(part->base, part->value, shape->size);
        return;
    }
    memset(part->base, 0, shape->size);
    for (uint32_t i = 0; i < shape->field_count; i++) {
        const cosm_field *field = subject_field(part->subject, i);
        memcpy(part->base + field->offset, part->value + field->offset, cosm_field_size(field));
    }
}

// NULL when out of memory.
static struct part *make_part(struct parts *parts, struct subject subject) {
    struct part *part = cosmi_text_take_zeroed(&parts->arena, sizeof(*part));
    struct shape *shape = cosmi_text_shape(&parts->arena, subject);
    if (part == NULL || shape == NULL) {
        return NULL;
    }
    part->subject = subject;
    part->storage =
        subject.is_singleton
            ? COSM_STORAGE_COLUMN
            : cosm_component_describe(subject.engine, (cosm_component){subject.id}).storage;
    part->shape = shape;
    part->base = cosmi_text_take(&parts->arena, shape->size);
    part->value = cosmi_text_take(&parts->arena, shape->size);
    if (part->base == NULL || part->value == NULL) {
        return NULL;
    }
    make_base(part);
    return part;
}

// The part of a component that a member names. NULL after a failure.
static struct part *find_component(struct parts *parts, const struct member *member) {
    char found[EXCERPT_SIZE];
    cosm_component component =
        cosm_component_find(parts->engine, cosmi_text_key_name(member->name));
    if (component.id != 0 && cosm_component_describe(parts->engine, component).is_bundle) {
        (void)cosmi_text_read_fail(&parts->reader, member->where, NULL,
                                   "%s is a bundle; name its members instead",
                                   cosmi_text_excerpt(&parts->reader, member->where, found));
        return NULL;
    }
    if (component.id == 0 || component.id > parts->component_count) {
        (void)cosmi_text_read_fail(&parts->reader, member->where, NULL,
                                   "there is no component %s; define it before you read, or remove "
                                   "the member",
                                   cosmi_text_excerpt(&parts->reader, member->where, found));
        return NULL;
    }
    if (cosm_component_describe(parts->engine, component).is_object) {
        (void)cosmi_text_read_fail(&parts->reader, member->where, NULL,
                                   "the values of %s are objects, which cannot be read from text; "
                                   "remove the member and set it yourself",
                                   cosmi_text_excerpt(&parts->reader, member->where, found));
        return NULL;
    }
    if (parts->components[component.id] == NULL) {
        parts->components[component.id] =
            make_part(parts, (struct subject){parts->engine, false, component.id});
    }
    return parts->components[component.id];
}

static bool read_handle(struct parts *parts, struct entity_text *text, bool *io_has_handle,
                        const char *where) {
    if (*io_has_handle) {
        return cosmi_text_read_fail(&parts->reader, where, NULL,
                                    "the member \"entity\" appears twice; remove one of them");
    }
    *io_has_handle = true;
    (void)cosmi_text_scan_peek(&parts->reader.scan);
    text->where = parts->reader.scan.at;
    parts->reader.place.part = "entity";
    bool done = cosmi_text_read_entity(&parts->reader, NULL, &text->entity);
    if (done && cosm_entity_is_none(text->entity) && *text->where == '"') {
        done = cosmi_text_read_fail(&parts->reader, text->where, NULL,
                                    "this is the none handle, which cannot be referenced; use "
                                    "another handle, or null");
    }
    parts->reader.place.part = NULL;
    return done;
}

// What a value is read over.
static void begin_value(struct parts *parts, struct part *part) {
    cosm_component component = {part->subject.id};
    if (part->shape->size > 0 &&
        (cosm_entity_is_none(parts->target) ||
         !cosm_entity_get(parts->world, parts->target, component, part->value))) {
        memcpy(part->value, part->base, part->shape->size);
    }
}

// Reads the value of a part over what it has, with messages that name it.
static bool read_at_place(struct parts *parts, struct part *part) {
    parts->at_hand = part;
    parts->reader.place.part = part->shape->name;
    bool done = cosmi_text_read_value(&parts->reader, part->shape, part->value);
    parts->reader.place.part = NULL;
    return done;
}

static bool read_part(struct parts *parts, struct entity_text *text, struct part *part,
                      const char *where) {
    if (part->stamp == parts->stamp) {
        return cosmi_text_read_fail(&parts->reader, where, NULL,
                                    "the component '%s' appears twice; remove one of them",
                                    part->shape->name);
    }
    bool is_beside = part->storage == COSM_STORAGE_SECTOR;
    if (!is_beside && text->part_count == COSM_ARCHETYPE_COMPONENT_MAX) {
        return cosmi_text_read_fail(&parts->reader, where, NULL,
                                    "the entity has more than %u components; remove some",
                                    COSM_ARCHETYPE_COMPONENT_MAX);
    }
    part->stamp = parts->stamp;
    if (is_beside) {
        part->next_beside = text->besides;
        text->besides = part;
        text->beside_count++;
    } else {
        text->parts[text->part_count++] = part;
    }
    begin_value(parts, part);
    return read_at_place(parts, part);
}

cosm_archetype cosmi_text_need_archetype(cosm_engine *engine, const cosm_component *components,
                                         uint32_t count) {
    cosm_archetype archetype = cosm_archetype_of(engine, components, count);
    if (archetype.id == 0) {
        cosm_archetype_desc desc = {.more = components, .more_count = count};
        archetype = cosm_archetype_define(engine, &desc);
    }
    return archetype;
}

static bool is_entity_member(const struct member *member) {
    return member->length == 6 && memcmp(member->name, "entity", 6) == 0;
}

bool cosmi_text_read_object(struct parts *parts, struct entity_text *out_text) {
    struct scan *scan = &parts->reader.scan;
    struct part **guess = &parts->first;
    struct member member;
    bool first = true;
    bool has_handle = false;
    out_text->entity = COSM_ENTITY_NONE;
    out_text->part_count = 0;
    out_text->besides = NULL;
    out_text->beside_count = 0;
    parts->stamp++;
    if (!cosmi_text_open_object(&parts->reader, NULL) ||
        (read_expected(scan, &first, entity_key, sizeof(entity_key) - 1) &&
         !read_handle(parts, out_text, &has_handle, scan->at))) {
        return false;
    }
    for (;;) {
        struct part *part = *guess;
        const char *where;
        if (part != NULL && part->stamp != parts->stamp &&
            read_expected(scan, &first, part->shape->key, part->shape->key_length)) {
            where = scan->at - part->shape->key_length;
        } else {
            if (!cosmi_text_read_member(&parts->reader, &first, &member)) {
                return scan->result == COSM_OK;
            }
            where = member.where;
            if (is_entity_member(&member)) {
                if (!read_handle(parts, out_text, &has_handle, where)) {
                    return false;
                }
                continue;
            }
            part = find_component(parts, &member);
        }
        if (part == NULL || !read_part(parts, out_text, part, where)) {
            return false;
        }
        *guess = part;
        guess = &part->follower;
    }
}

static struct part *find_singleton(struct parts *parts, const struct member *member) {
    char found[EXCERPT_SIZE];
    cosm_singleton singleton = cosm_singleton_find(parts->engine, member->name);
    if (singleton.id == 0 || singleton.id > parts->singleton_count) {
        (void)cosmi_text_read_fail(&parts->reader, member->where, NULL,
                                   "there is no singleton %s; define it before you read, or remove "
                                   "the member",
                                   cosmi_text_excerpt(&parts->reader, member->where, found));
        return NULL;
    }
    if (parts->singletons[singleton.id] != NULL) {
        (void)cosmi_text_read_fail(&parts->reader, member->where, NULL,
                                   "the singleton %s appears twice; remove one of them",
                                   cosmi_text_excerpt(&parts->reader, member->where, found));
        return NULL;
    }
    return parts->singletons[singleton.id] =
               make_part(parts, (struct subject){parts->engine, true, singleton.id});
}

bool cosmi_text_read_singletons(struct parts *parts, cosm_world world) {
    struct member member;
    bool first = true;
    parts->reader.place.list = "singletons";
    if (!cosmi_text_open_object(&parts->reader, NULL)) {
        return false;
    }
    while (cosmi_text_read_member(&parts->reader, &first, &member)) {
        struct part *part = find_singleton(parts, &member);
        if (part == NULL) {
            return false;
        }
        cosm_singleton singleton = {part->subject.id};
        memcpy(part->value, cosm_singleton_read(world, singleton), part->shape->size);
        if (!read_at_place(parts, part)) {
            return false;
        }
    }
    parts->reader.place.list = NULL;
    return parts->reader.scan.result == COSM_OK;
}
