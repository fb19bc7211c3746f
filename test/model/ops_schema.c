// Operations that define: components, bundles, archetypes and singletons, right and wrong.
#include "state.h"

#include <string.h>

static const size_t sizes[] = {4, 0, 1, 12, 64, 200, 8, 70000, 4096, 2, 16, 8192};
static const size_t alignments[] = {0, 1, 4, 64, 4096, 16, 3, 8192};
enum { SIZE_COUNT = 12, ALIGNMENT_COUNT = 8, PART_MAX = 5 };

static bool is_power_of_two(size_t n) {
    return n != 0 && (n & (n - 1)) == 0;
}

// Zero stands for what the size allows, at most 16.
static size_t effective_alignment(size_t size, size_t alignment) {
    if (alignment != 0) {
        return alignment;
    }
    alignment = 16;
    while (size % alignment != 0) {
        alignment /= 2;
    }
    return alignment;
}

static uint32_t alignment_reasons(size_t size, size_t alignment) {
    if (alignment == 0) {
        return 0;
    }
    if (alignment > COSM_COMPONENT_ALIGNMENT_MAX) {
        return RESULT_BIT(COSM_ERROR_ARGUMENT) | RESULT_BIT(COSM_ERROR_LIMIT);
    }
    bool good = is_power_of_two(alignment) && size % alignment == 0;
    return good ? 0 : RESULT_BIT(COSM_ERROR_ARGUMENT);
}

// What the library says of the fields of a component.
static void check_shape(struct model *m, const struct kind *kind) {
    const struct shape *shape = &kind->shape;
    cosm_layout layout = kind->split ? COSM_LAYOUT_SPLIT : COSM_LAYOUT_STRUCT;
    cosm_component_info info = cosm_component_describe(m->engine, kind->id);
    if (info.field_count != shape->count || (info.fields == NULL) != (shape->count == 0) ||
        info.layout != layout) {
        fail(m, "%s does not have %u fields, or another layout", kind->name, shape->count);
    }
    for (uint32_t f = 0; f < shape->count && f < info.field_count; f++) {
        const cosm_field *field = &info.fields[f];
        const cosm_field *wanted = &shape->fields[f];
        if (strcmp(field->name, wanted->name) != 0 || field->offset != wanted->offset ||
            field->type != wanted->type || field->padding != wanted->padding ||
            cosm_field_size(field) != field_size(wanted) ||
            (wanted->alignment != 0 && field->alignment != wanted->alignment) ||
            cosm_field_find(info.fields, info.field_count, wanted->name) != f) {
            fail(m, "field %u of %s is not what was defined", f, kind->name);
        }
    }
    uint8_t *copy = scratch(m, kind->size + 1);
    bool has_bytes = kind->size > 0 && !kind->bundle;
    memset(copy, 0, kind->size);
    if (has_bytes && info.default_value != NULL) {
        memcpy(copy, info.default_value, kind->size);
    }
    if ((info.default_value != NULL && !has_bytes) ||
        (has_bytes && !bytes_are(kind, kind->initial, copy))) {
        fail(m, "the default of %s is wrong", kind->name);
    }
}

// What the library says of a component must be what was asked for.
static void check_kind(struct model *m, const struct kind *kind) {
    cosm_component members[ORACLE_COMPONENT_MAX];
    uint32_t count = cosm_component_members(m->engine, kind->id, ORACLE_COMPONENT_MAX, members);
    uint64_t set = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0 && members[i].id <= members[i - 1].id) {
            fail(m, "the members of %s are not in ascending order", kind->name);
        }
        for (uint32_t k = 0; k < m->o.kind_count; k++) {
            set |= m->o.kinds[k].id.id == members[i].id ? m->o.kinds[k].set : 0;
        }
    }
    if (set != kind->set) {
        fail(m, "%s has the members %llx instead of %llx", kind->name, (unsigned long long)set,
             (unsigned long long)kind->set);
    }
    if (cosm_component_find(m->engine, kind->name).id != kind->id.id ||
        strcmp(cosm_component_describe(m->engine, kind->id).name, kind->name) != 0 ||
        cosm_component_describe(m->engine, kind->id).is_bundle != kind->bundle ||
        cosm_component_describe(m->engine, kind->id).storage != kind->storage ||
        cosm_component_describe(m->engine, kind->id).size != kind->size ||
        (kind->size > 0 &&
         cosm_component_describe(m->engine, kind->id).alignment != kind->alignment)) {
        fail(m, "the name, kind, size or alignment of %s is not what was defined", kind->name);
    }
    check_shape(m, kind);
}

static void append_kind(struct model *m, const struct kind *kind) {
    for (uint32_t i = 0; i < m->o.kind_count; i++) {
        if (m->o.kinds[i].id.id == kind->id.id) {
            fail(m, "%s got the id %u, which %s has", kind->name, kind->id.id, m->o.kinds[i].name);
        }
    }
    m->o.kinds[m->o.kind_count++] = *kind;
    check_kind(m, &m->o.kinds[m->o.kind_count - 1]);
}

// Calls the library. The default goes with the whole, or with each field.
static cosm_component call_define(struct model *m, const struct kind *kind, size_t alignment) {
    const uint8_t *bytes = kind->initial != 0 ? bytes_of(m, kind, kind->initial) : NULL;
    cosm_component_desc desc = {
        .name = kind->name, .size = kind->size, .alignment = alignment, .default_value = bytes};
    cosm_field fields[SHAPE_FIELD_MAX];
    memcpy(fields, kind->shape.fields, sizeof(fields));
    for (uint32_t f = 0; f < kind->shape.count && bytes && kind->field_defaults; f++) {
        fields[f].default_value = bytes + fields[f].offset;
        desc.default_value = NULL;
    }
    desc.storage = kind->storage;
    desc.lifecycle = account_lifecycle(&m->trades[kind->bit], kind->hooks);
    desc.layout = kind->split ? COSM_LAYOUT_SPLIT : COSM_LAYOUT_STRUCT;
    desc.fields = kind->shape.count > 0 ? fields : NULL;
    desc.field_count = kind->shape.count;
    cosm_component id = cosm_component_define(m->engine, &desc);
    memset(fields, 0xEE, sizeof(fields));
    return id;
}

static void say_shape(struct model *m, const struct shape *shape) {
    for (uint32_t f = 0; f < shape->count; f++) {
        const cosm_field *field = &shape->fields[f];
        say(m, "       %s: %s {%u, %u}, offset %u, alignment %u, padding %u", field->name,
            cosm_field_type_name(field->type), field->dims[0], field->dims[1], field->offset,
            field->alignment, field->padding);
    }
}

static void define_component(struct model *m, struct kind *kind, size_t alignment,
                             const struct kind *same) {
    static const char *const storages[] = {"", ", shared", ", managed", ", sector"};
    say(m, "cosm_component_define(%s, size %zu, alignment %zu, default %u%s, %u fields%s%s)",
        kind->name, kind->size, alignment, kind->initial, kind->field_defaults ? " by field" : "",
        kind->shape.count, kind->split ? ", split" : "", storages[kind->storage]);
    say_shape(m, &kind->shape);
    uint32_t must = alignment_reasons(kind->size, alignment);
    kind->alignment = effective_alignment(kind->size, alignment);
    uint32_t may = 0;
    if (same) {
        bool equal = same->size == kind->size && !same->bundle && same->initial == kind->initial &&
                     same->storage == kind->storage && same->split == kind->split &&
                     shape_equals(&same->shape, &kind->shape);
        bool aligned = kind->size == 0 || same->alignment == kind->alignment;
        must |= equal && aligned ? 0 : RESULT_BIT(COSM_ERROR_CONFLICT);
        // The headers do not say what alignment a tag has.
        may |= kind->size == 0 && alignment != same->asked ? RESULT_BIT(COSM_ERROR_CONFLICT) : 0;
    }
    kind->id = call_define(m, kind, alignment);
    if (settle(m, defined(m, kind->id.id != 0), must, may, 0) != COSM_OK) {
        return;
    }
    if (same) {
        if (same->id.id != kind->id.id) {
            fail(m, "%s was defined again and got another id", kind->name);
        }
        return;
    }
    m->o.plain[m->o.plain_count++] = m->o.kind_count;
    m->o.shared |= kind->storage == COSM_STORAGE_SHARED ? kind->set : 0;
    m->o.managed |= kind->storage == COSM_STORAGE_MANAGED ? kind->set : 0;
    if (kind->storage == COSM_STORAGE_SECTOR) {
        m->o.sectors |= kind->set;
        m->o.groups[m->o.group_count++] = (struct group){.set = kind->set};
    }
    append_kind(m, kind);
}

// A component that is there already, defined once more: the same, or differently.
static void define_again(struct model *m, bool differs, size_t size, bool with_default) {
    const struct kind *same = pick_plain(m);
    struct kind again = *same;
    size_t alignment = same->size > 0 && pick(m, 2) == 1 ? same->alignment : same->asked;
    uint32_t how = differs ? pick(m, 3) : 0;
    if (differs && same->storage != COSM_STORAGE_COLUMN) {
        again.storage = COSM_STORAGE_COLUMN;
        again.hooks = 0;
    } else if (differs && again.shape.count > 0 && how == 0) {
        again.split = !again.split;
    } else if (differs && again.shape.count > 0 && how == 1) {
        again.shape.count -= again.shape.count > 1 ? 1u : 0u;
        again.shape.fields[again.shape.count - 1].name = "other";
    } else if (differs) {
        again.split = false;
        again.shape.count = 0;
        again.size = size;
        again.initial = with_default ? draw_value(m) : 0;
    }
    define_component(m, &again, alignment, same);
}

void op_define_component(struct model *m) {
    uint32_t how = pick(m, 8);
    size_t size = sizes[pick(m, SIZE_COUNT)];
    size_t alignment = alignments[pick(m, ALIGNMENT_COUNT)];
    bool with_default = pick(m, 2) == 1;
    uint32_t layout = pick(m, 4);
    uint32_t storage = pick(m, 8);
    if (how >= 6) {
        define_again(m, how == 7, size, with_default && size > 0);
        return;
    }
    if (m->o.plain_count == ORACLE_COMPONENT_MAX || m->o.kind_count == ORACLE_KIND_MAX) {
        return;
    }
    char name[sizeof(m->o.kinds[0].name)];
    snprintf(name, sizeof(name), "C%u", m->name_next++);
    if (layout >= 2) {
        struct shape shape;
        shape_draw(&shape, &m->record_stream);
        define_shape_as(m, name, &shape, layout == 3, with_default ? draw_value(m) : 0);
        return;
    }
    if (storage >= 5) {
        static const size_t stored_sizes[] = {16, 64, 200, 400};
        bool hooked = draw(m, 2) == 1;
        uint32_t hooks = hooked ? HOOK_COPY | (draw(m, 4) << 1) : 0;
        hooks &= storage == 5 ? HOOK_COPY : HOOK_COPY | HOOK_MOVE | HOOK_CONSTRUCT;
        define_stored_as(m, name, (cosm_storage)(storage - 4), stored_sizes[draw(m, 4)],
                         draw(m, 2) * 8u, draw_value(m), hooks);
        return;
    }
    define_component_as(m, name, size, alignment, with_default && size > 0 ? draw_value(m) : 0);
}

static struct kind new_kind(const struct model *m, const char *name, size_t size, size_t alignment,
                            uint32_t initial) {
    struct kind kind = {
        .size = size, .asked = alignment, .initial = initial, .bit = m->o.plain_count};
    snprintf(kind.name, sizeof(kind.name), "%s", name);
    kind.set = (uint64_t)1 << kind.bit;
    return kind;
}

void define_shape_as(struct model *m, const char *name, const struct shape *shape, bool split,
                     uint32_t initial) {
    struct kind kind = new_kind(m, name, shape->size, shape->alignment, initial);
    kind.shape = *shape;
    kind.split = split;
    kind.field_defaults = initial % 2 == 1;
    define_component(m, &kind, shape->alignment, NULL);
}

void define_stored_as(struct model *m, const char *name, cosm_storage storage, size_t size,
                      size_t alignment, uint32_t initial, uint32_t hooks) {
    struct kind kind = new_kind(m, name, size, alignment, initial);
    kind.storage = storage;
    kind.hooks = hooks;
    bytes_to(&kind, initial, m->initials[kind.bit]);
    m->trades[kind.bit] =
        (struct trade){&m->account, size, (hooks & HOOK_MOVE) != 0, m->initials[kind.bit]};
    define_component(m, &kind, alignment, NULL);
}

void define_component_as(struct model *m, const char *name, size_t size, size_t alignment,
                         uint32_t initial) {
    struct kind kind = new_kind(m, name, size, alignment, initial);
    define_component(m, &kind, alignment, NULL);
}

// A few components and bundles, and their set.
struct parts {
    cosm_component ids[PART_MAX];
    uint32_t count;
    uint64_t set;
    bool bad;
    char text[100];
};

static void append_part(struct parts *parts, const struct kind *kind) {
    size_t used = strlen(parts->text);
    snprintf(parts->text + used, sizeof(parts->text) - used, "%s%s", used > 0 ? " " : "",
             kind->name);
    parts->set |= kind->set;
    parts->ids[parts->count++] = kind->id;
}

static struct parts named_parts(const struct model *m, const int *kinds) {
    struct parts parts = {.count = 0};
    for (; *kinds >= 0; kinds++) {
        append_part(&parts, &m->o.kinds[*kinds]);
    }
    return parts;
}

static struct parts pick_parts(struct model *m, uint32_t least) {
    struct parts parts = {.count = 0};
    uint32_t count = least + pick(m, PART_MAX + 1 - least);
    for (uint32_t i = 0; i < count; i++) {
        append_part(&parts, &m->o.kinds[draw(m, m->o.kind_count)]);
    }
    if (rarely(m, 24) && parts.count > 0) {
        parts.ids[0] = (cosm_component){999999};
        parts.bad = true;
        snprintf(parts.text, sizeof(parts.text), "an unknown id and others");
    }
    return parts;
}

static void define_bundle(struct model *m, const char *name, const struct parts *parts,
                          bool by_pointer) {
    struct kind kind = {.bundle = true, .set = parts->set};
    snprintf(kind.name, sizeof(kind.name), "%s", name);
    say(m, "cosm_bundle_define(%s: %s)", kind.name, parts->text);
    cosm_bundle_desc desc = {.name = kind.name};
    if (by_pointer) {
        desc.more = parts->ids;
        desc.more_count = parts->count;
    } else {
        memcpy(desc.components, parts->ids, parts->count * sizeof(parts->ids[0]));
    }
    kind.id = cosm_bundle_define(m->engine, &desc);
    uint32_t must = parts->bad ? RESULT_BIT(COSM_ERROR_ARGUMENT) : 0;
    if (settle(m, defined(m, kind.id.id != 0), must, 0, 0) == COSM_OK) {
        append_kind(m, &kind);
    }
}

void define_bundle_as(struct model *m, const char *name, const int *kinds) {
    struct parts parts = named_parts(m, kinds);
    define_bundle(m, name, &parts, false);
}

void define_group_as(struct model *m, const char *name, const int *kinds) {
    struct parts parts = named_parts(m, kinds);
    cosm_sector_group_desc desc = {.name = name, .chunk_sectors = 4};
    memcpy(desc.components, parts.ids, parts.count * sizeof(parts.ids[0]));
    say(m, "cosm_sector_group_define(%s: %s)", name, parts.text);
    cosm_sector_group id = cosm_sector_group_define(m->engine, &desc);
    if (settle(m, defined(m, id.id != 0), 0, 0, 0) != COSM_OK) {
        fail(m, "the group %s could not be defined", name);
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m->o.group_count; i++) {
        if ((m->o.groups[i].set & parts.set) == 0) {
            m->o.groups[kept++] = m->o.groups[i];
        }
    }
    m->o.groups[kept] = (struct group){.id = id, .set = parts.set};
    m->o.group_count = kept + 1;
}

void op_define_bundle(struct model *m) {
    struct parts parts = pick_parts(m, 1);
    bool by_pointer = pick(m, 2) == 1;
    if (m->o.kind_count < ORACLE_KIND_MAX) {
        char name[16];
        snprintf(name, sizeof(name), "B%u", m->name_next++);
        define_bundle(m, name, &parts, by_pointer);
    }
}

// The archetype that is there already, also where the library formed it on the way.
static struct archetype *existing(struct model *m, const struct parts *parts, bool temporary) {
    if ((parts->set & m->o.sectors) != 0) {
        return NULL;
    }
    if (!temporary && !parts->bad) {
        cosm_archetype formed = cosm_archetype_of(m->engine, parts->ids, parts->count);
        if (formed.id != 0 && !learn_archetype(m, parts->set, formed)) {
            fail(m, "cosm_archetype_of gives %u, which is not the archetype of {%s}", formed.id,
                 parts->text);
        }
    }
    return archetype_of_set(&m->o, parts->set, temporary);
}

static uint32_t temporary_count(const struct model *m) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->o.archetype_count; i++) {
        count += m->o.archetypes[i].temporary ? 1u : 0u;
    }
    return count;
}

static void check_archetype(struct model *m, const struct archetype *archetype) {
    cosm_placement placement = archetype->max > 0 ? COSM_PLACEMENT_FIXED : COSM_PLACEMENT_GROWING;
    if (cosm_archetype_describe(m->engine, archetype->id).is_sealed != archetype->sealed ||
        cosm_archetype_describe(m->engine, archetype->id).is_temporary != archetype->temporary ||
        cosm_archetype_describe(m->engine, archetype->id).placement != placement ||
        cosm_archetype_describe(m->engine, archetype->id).max_per_world != archetype->max ||
        strcmp(cosm_archetype_describe(m->engine, archetype->id).name, archetype->name) != 0) {
        fail(m, "the properties of archetype %u are not those it was defined with",
             archetype->id.id);
    }
    for (uint32_t bit = 0; bit < m->o.plain_count; bit++) {
        const struct kind *kind = &m->o.kinds[m->o.plain[bit]];
        bool split = archetype->split >> bit & 1;
        if (cosm_archetype_layout(m->engine, archetype->id, kind->id) !=
            (split ? COSM_LAYOUT_SPLIT : COSM_LAYOUT_STRUCT)) {
            fail(m, "the layout of %s in archetype %u is not the one that was asked for",
                 kind->name, archetype->id.id);
        }
    }
}

static void settle_archetype(struct model *m, struct archetype *wanted, uint32_t must,
                             const struct archetype *before) {
    uint32_t may = 0;
    if (before) {
        bool equal = before->max == wanted->max && before->sealed == wanted->sealed &&
                     before->split == wanted->split;
        must |= equal ? 0 : RESULT_BIT(COSM_ERROR_CONFLICT);
        // The headers do not say whether the name is one of the properties.
        bool same_name = strcmp(before->name, wanted->name) == 0;
        may |= same_name ? 0 : RESULT_BIT(COSM_ERROR_CONFLICT);
    }
    cosm_result got = settle(m, made(m, wanted->id.id != 0), must, may, 0);
    if (got != COSM_OK) {
        return;
    }
    if (!before) {
        if (archetype_of_id(&m->o, wanted->id)) {
            fail(m, "a new archetype got the id %u of another", wanted->id.id);
        }
        check_archetype(m, archetype_append(&m->o, wanted));
    } else if (before->id.id != wanted->id.id) {
        fail(m, "the same set was defined again and got the id %u instead of %u", wanted->id.id,
             before->id.id);
    }
}

// Names the layouts of columns where they are not the component's own, and of others that are
// described where `all` is set; every one at most once.
static void write_layouts(struct model *m, const struct archetype *wanted, bool all,
                          cosm_column_layout *out_layouts) {
    uint32_t count = 0;
    for (uint32_t bit = 0; bit < m->o.plain_count; bit++) {
        const struct kind *kind = &m->o.kinds[m->o.plain[bit]];
        bool split = wanted->split >> bit & 1;
        if ((wanted->set & kind->set) != 0 && (split != kind->split || (all && kind->size > 0))) {
            out_layouts[count].component = kind->id;
            out_layouts[count++].layout = split ? COSM_LAYOUT_SPLIT : COSM_LAYOUT_STRUCT;
            say(m, "       %s is %s", kind->name, split ? "split" : "whole");
        }
    }
}

// Spoils the list of layouts: what was to be defined must be refused.
static void spoil_layouts(struct model *m, const struct archetype *wanted,
                          cosm_column_layout *layouts) {
    const struct kind *kind = pick_plain(m);
    uint32_t how = draw(m, 4);
    bool present = (wanted->set & kind->set) != 0;
    memset(layouts, 0, COSM_LIST_MAX * sizeof(*layouts));
    layouts[0].component = kind->id;
    if (!present) {
        say(m, "       %s, which is not of the set, has a layout", kind->name);
    } else if (how == 0 && kind->shape.count == 0) {
        layouts[0].layout = COSM_LAYOUT_SPLIT;
        say(m, "       %s, which is not described, is split", kind->name);
    } else if (how == 1) {
        layouts[1] = layouts[0];
        say(m, "       %s has two layouts", kind->name);
    } else if (how == 2) {
        layouts[5] = layouts[0];
        layouts[0].component.id = 0;
        say(m, "       %s has a layout behind the end of the list", kind->name);
    } else {
        layouts[0].layout = (cosm_layout)2;
        say(m, "       %s has an unknown layout", kind->name);
    }
}

static void define_archetype(struct model *m, const struct parts *parts, struct archetype *wanted,
                             bool no_max, uint32_t how) {
    bool fixed = wanted->max > 0;
    bool spoilt = how == 7;
    say(m, "cosm_archetype_define(%s: {%s}%s%s, max %u)", wanted->name, parts->text,
        wanted->sealed ? ", sealed" : "", wanted->temporary ? ", temporary" : "",
        no_max ? 0 : wanted->max);
    const struct archetype *before = existing(m, parts, wanted->temporary);
    cosm_archetype_desc desc = {.name = wanted->name[0] != '\0' ? wanted->name : NULL,
                                .placement = fixed ? COSM_PLACEMENT_FIXED : COSM_PLACEMENT_GROWING,
                                .max_per_world = no_max ? 0 : wanted->max,
                                .sealed = wanted->sealed,
                                .temporary = wanted->temporary};
    memcpy(desc.components, parts->ids, parts->count * sizeof(parts->ids[0]));
    write_layouts(m, wanted, how % 2 == 1, desc.layouts);
    if (spoilt) {
        spoil_layouts(m, wanted, desc.layouts);
    }
    wanted->id = cosm_archetype_define(m->engine, &desc);
    (void)defined(m, wanted->id.id != 0);
    bool grows = !fixed && !wanted->temporary;
    bool misplaced = (parts->set & m->o.sectors) != 0 || (!grows && parts->set & m->o.shared);
    uint32_t must =
        parts->bad || no_max || spoilt || misplaced ? RESULT_BIT(COSM_ERROR_ARGUMENT) : 0;
    if (before && must == 0) {
        struct archetype copy = *before;
        settle_archetype(m, wanted, must, &copy);
    } else {
        settle_archetype(m, wanted, must, NULL);
    }
    if (wanted->id.id != 0) {
        say(m, "       is archetype %u", wanted->id.id);
    }
}

// Those of a set that are split where an archetype says nothing about it.
static uint64_t own_split(const struct model *m, uint64_t set) {
    uint64_t split = 0;
    for (uint32_t bit = 0; bit < m->o.plain_count; bit++) {
        const struct kind *kind = &m->o.kinds[m->o.plain[bit]];
        split |= kind->split ? set & kind->set : 0;
    }
    return split;
}

void define_archetype_as(struct model *m, const struct archetype *wanted, const int *kinds,
                         const int *turned_kinds) {
    struct parts parts = named_parts(m, kinds);
    uint64_t turned = named_parts(m, turned_kinds).set;
    struct archetype copy = *wanted;
    copy.set = parts.set;
    copy.split = own_split(m, parts.set) ^ turned;
    define_archetype(m, &parts, &copy, false, 0);
}

void op_define_archetype(struct model *m) {
    struct parts parts = pick_parts(m, 0);
    struct archetype wanted = {.set = parts.set};
    uint32_t how = pick(m, 8);
    bool fixed = how == 1 || how == 2 || how == 5;
    wanted.sealed = how == 2 || how == 3;
    wanted.temporary = how == 4 || how == 5;
    wanted.max = fixed ? 1 + pick(m, 9) : 0;
    bool no_max = fixed && rarely(m, 16);
    if (pick(m, 2) == 1) {
        snprintf(wanted.name, sizeof(wanted.name), "A%u", m->name_next++);
    }
    uint32_t layouts = pick(m, 8);
    wanted.split = own_split(m, parts.set);
    for (uint32_t bit = 0; bit < m->o.plain_count && layouts >= 3; bit++) {
        const struct kind *kind = &m->o.kinds[m->o.plain[bit]];
        bool turned = kind->shape.count > 0 && draw(m, 2) == 1;
        wanted.split ^= turned ? parts.set & kind->set : 0;
    }
    if (!wanted.temporary || temporary_count(m) < ORACLE_BAG_MAX) {
        define_archetype(m, &parts, &wanted, no_max, layouts);
    }
}

static void follow_singleton(struct model *m, const struct singleton *one,
                             const cosm_singleton_desc *desc) {
    uint32_t index = m->o.singleton_count++;
    m->o.singletons[index] = *one;
    for (uint32_t i = 0; i < m->o.world_count; i++) {
        m->o.worlds[i].singletons[index] = one->initial;
    }
    if (cosm_singleton_find(m->engine, one->name).id != one->id.id ||
        cosm_singleton_describe(m->engine, one->id).size != one->size ||
        strcmp(cosm_singleton_describe(m->engine, one->id).name, one->name) != 0 ||
        cosm_singleton_define(m->engine, desc).id != one->id.id) {
        fail(m, "the name or size of singleton %s is not what was defined", one->name);
    }
}

void define_singleton_as(struct model *m, const char *name, size_t size, size_t alignment,
                         uint32_t initial) {
    struct singleton one = {.size = size, .initial = initial};
    snprintf(one.name, sizeof(one.name), "%s", name);
    struct kind as_kind = {.size = size, .bit = 1000 + m->o.singleton_count};
    say(m, "cosm_singleton_define(%s, size %zu, alignment %zu, default %u)", name, size, alignment,
        initial);
    uint32_t must = alignment_reasons(size, alignment);
    must |= size == 0 ? RESULT_BIT(COSM_ERROR_ARGUMENT) : 0;
    cosm_singleton_desc desc = {.name = one.name, .size = size, .alignment = alignment};
    desc.default_value = initial != 0 ? bytes_of(m, &as_kind, initial) : NULL;
    one.id = cosm_singleton_define(m->engine, &desc);
    cosm_result got = settle(m, defined(m, one.id.id != 0), must, 0, ALL_WORLDS(m));
    if (m->other_batch) {
        m->other_checksum = cosm_hash_batch(m->other_batch, COSM_HASH_EXACT);
    }
    if (got == COSM_OK) {
        one.alignment = effective_alignment(size, alignment);
        follow_singleton(m, &one, &desc);
    }
}

void op_define_singleton(struct model *m) {
    size_t size = sizes[pick(m, SIZE_COUNT)];
    size_t alignment = alignments[pick(m, ALIGNMENT_COUNT)];
    bool with_default = pick(m, 2) == 1 && size > 0;
    if (m->o.singleton_count < ORACLE_SINGLETON_MAX) {
        char name[16];
        snprintf(name, sizeof(name), "S%u", m->name_next++);
        define_singleton_as(m, name, size, alignment, with_default ? draw_value(m) : 0);
    }
}

static void define_wrongly(struct model *m, uint32_t how) {
    char name[COSM_NAME_LENGTH_MAX + 2];
    memset(name, 'n', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    cosm_component_desc nameless = {.size = 4};
    cosm_component_desc unnamed = {.name = "", .size = 4};
    cosm_component_desc long_name = {.name = name, .size = 4};
    cosm_component_desc huge = {.name = "Huge", .size = (size_t)COSM_COMPONENT_SIZE_MAX + 16};
    const cosm_component_desc *descs[] = {&nameless, &unnamed, &long_name, &huge, NULL};
    cosm_component made_id = {0};
    cosm_engine *engine = how == 5 ? NULL : m->engine;
    if (how < 6) {
        made_id = cosm_component_define(engine, descs[how == 5 ? 0 : how]);
    } else if (how == 6) {
        made_id = cosm_bundle_define(engine, NULL);
    } else {
        made_id.id =
            cosm_archetype_define(engine, NULL).id + cosm_singleton_define(engine, NULL).id;
    }
    uint32_t reasons = RESULT_BIT(COSM_ERROR_ARGUMENT) | RESULT_BIT(COSM_ERROR_LIMIT);
    cosm_result got = engine == NULL ? made(m, made_id.id != 0) : defined(m, made_id.id != 0);
    (void)settle(m, got, reasons, 0, 0);
}

void op_define_wrong(struct model *m) {
    uint32_t how = pick(m, 8);
    say(m, "define something wrongly, way %u", how);
    define_wrongly(m, how);
}
