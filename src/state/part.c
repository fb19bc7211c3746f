// Parts: made, compared, released; and the shape of each kind.
//
// A part is one allocation: the head, then pointers to its blobs, then pointers to its objects. How
// many there are, how long each blob is and which elements lie in it all follow from the kind, the
// words and what the key names; nothing of it is stored twice. Most kinds are one section: elements
// of one size, so many in a blob. Only tables, whose columns are sections of their own, and
// singletons, which are one blob each, are not.
#include "state/part.h"

#define PART_ALIGNMENT ((size_t)16)

// Objects of one component in a world; no image may say that it has more.
#define MANAGED_MAX (1u << 30)

const struct link cosmi_no_links = {ID_NONE, ID_NONE, ID_NONE, ID_NONE, ID_NONE, 0, 0};

struct part *cosmi_part_create(struct memory *memory, const struct part *head) {
    struct part *part = cosmi_memory_alloc_zeroed(memory, part_size(head), PART_ALIGNMENT);
    if (part != NULL) {
        atomic_init(&part->refs, 1);
        part->kind = head->kind;
        part->key = head->key;
        part->blob_count = head->blob_count;
        part->object_count = head->object_count;
        part->of = head->of;
        memcpy(part->words, head->words, sizeof(part->words));
        part->objects = (struct object **)(part->blobs + part->blob_count);
    }
    return part;
}

void cosmi_part_release(struct memory *memory, struct part *part) {
    if (part == NULL) {
        return;
    }
    INVARIANT(atomic_load(&part->refs) > 0, "what is released was retained");
    if (atomic_fetch_sub_explicit(&part->refs, 1, memory_order_acq_rel) != 1) {
        return;
    }
    for (uint32_t i = 0; i < part->blob_count; i++) {
        cosmi_blob_release(memory, part->blobs[i]);
    }
    for (uint32_t i = 0; i < part->object_count; i++) {
        cosmi_object_release(memory, part->objects[i]);
    }
    cosmi_memory_free(memory, part, part_size(part), PART_ALIGNMENT);
}

bool cosmi_part_is_alike(const struct part *a, const struct part *b) {
    return a->kind == b->kind && a->key == b->key && a->of == b->of &&
           a->blob_count == b->blob_count && a->object_count == b->object_count &&
           memcmp(a->words, b->words, sizeof(a->words)) == 0;
}

bool cosmi_part_is_same(const struct part *a, const struct part *b) {
    return a == b || (cosmi_part_is_alike(a, b) &&
                      memcmp(a->blobs, b->blobs, part_size(a) - sizeof(*a)) == 0);
}

static uint32_t count_object_members(const struct sector_group *group) {
    uint32_t count = 0;
    for (uint32_t m = 0; m < group->member_count; m++) {
        count += sector_member_is_object(group, m);
    }
    return count;
}

bool cosmi_part_has_shape(const struct part *part) {
    switch (part->kind) {
    case PART_TABLE:
        return part->archetype != NULL && part->table.count > 0 &&
               part->table.count <= COSM_TABLE_ROW_MAX;
    case PART_IDS:
        return part->ids.known <= COSM_WORLD_ENTITY_MAX;
    case PART_SINGLETONS:
        return part->schema != NULL && part->singletons.end <= COSM_SINGLETON_MAX + 1;
    case PART_TREE:
        return part->tree.blob_count <= COSM_WORLD_ENTITY_MAX / LINK_BLOB_IDS + 1;
    case PART_MANAGED:
        return part->type != NULL && part->managed.used <= MANAGED_MAX;
    case PART_SECTOR:
        return part->group != NULL && part->sector.place_end <= SECTORS_PLACE_MAX &&
               (uint64_t)part->sector.place_end * part->group->member_count <= UINT32_MAX;
    default:
        return true;
    }
}

// The one section of a part that is neither a table nor singletons: elements of one size, blob by
// blob. Counts and sizes of blobs follow from it.
static struct section only_section(const struct part *part) {
    struct section section = {.step = 1, .rows = UINT32_MAX};
    switch (part->kind) {
    case PART_IDS:
        section.count = part->ids.known;
        section.size = sizeof(struct record);
        section.rows = RECORD_PAGE_IDS;
        break;
    case PART_TREE:
        section.count = part->tree.blob_count * LINK_BLOB_IDS;
        section.size = sizeof(struct link);
        section.rows = LINK_BLOB_IDS;
        section.empty = &cosmi_no_links;
        break;
    case PART_MANAGED:
        section.count = part->managed.used;
        section.size = sizeof(struct managed_slot);
        break;
    case PART_SECTOR:
        section.count = part->sector.place_end;
        section.size = (uint32_t)part->group->layout->stride;
        section.rows = part->group->layout->chunk_sectors;
        break;
    default:
        section.count = part->groups.count;
        section.size = sizeof(uint32_t);
        break;
    }
    return section;
}

void cosmi_part_count(struct part *head) {
    head->object_count = 0;
    if (head->kind == PART_TABLE) {
        INVARIANT(head->table.count > 0, "a table of an image has rows");
        head->object_count = head->archetype->shared_count;
        head->blob_count = table_is_packed(head->archetype, head->table.count)
                               ? 1
                               : table_chunks(head) * head->archetype->column_count;
        return;
    }
    if (head->kind == PART_SINGLETONS) {
        head->blob_count = head->singletons.end;
        return;
    }
    struct section section = only_section(head);
    // Those that are one blob have it even where it is empty.
    head->blob_count = section.rows == UINT32_MAX
                           ? 1
                           : section.count / section.rows + (section.count % section.rows != 0);
    if (head->kind == PART_MANAGED) {
        head->object_count = head->managed.used;
    } else if (head->kind == PART_SECTOR) {
        head->sector.object_members = count_object_members(head->group);
        head->object_count = head->sector.place_end * head->sector.object_members;
    }
}

static size_t table_blob_size(const struct part *table, uint32_t i) {
    const struct archetype *archetype = table->archetype;
    if (table_is_packed(archetype, table->table.count)) {
        return cosmi_packed_size(archetype, table->table.count);
    }
    return (size_t)table_chunk_rows(table, i / archetype->column_count) *
           image_column_size(archetype, i % archetype->column_count);
}

size_t cosmi_blob_size(const struct part *part, uint32_t i) {
    if (part->kind == PART_TABLE) {
        return table_blob_size(part, i);
    }
    if (part->kind == PART_SINGLETONS) {
        const struct value_type *type = schema_singleton(part->schema, i);
        return type == NULL ? 0 : type->size;
    }
    struct section section = only_section(part);
    uint32_t left = section.count - i * section.rows;
    return (size_t)(left < section.rows ? left : section.rows) * section.size;
}

// The index-th column that has bytes.
static bool table_section(const struct schema *schema, const struct part *table, uint32_t index,
                          struct section *out) {
    const struct archetype *archetype = table->archetype;
    uint32_t c = 0;
    for (; c < archetype->column_count; c++) {
        if (image_column_size(archetype, c) > 0 && index-- == 0) {
            break;
        }
    }
    if (c == archetype->column_count) {
        return false;
    }
    const struct column_info *info = &archetype->columns[c];
    bool is_packed = table_is_packed(archetype, table->table.count);
    *out = (struct section){
        .count = table->table.count,
        .size = archetype->sizes[c],
        .first = is_packed ? 0 : c,
        .step = archetype->column_count,
        .rows = is_packed ? UINT32_MAX : archetype->chunk_rows,
        .offset = is_packed ? cosmi_packed_offset(archetype, table->table.count, c) : 0,
        .is_entities = info->component == 0,
        .type = info->component == 0 || info->part_count > 0 || info->managed != NULL
                    ? NULL
                    : schema_component(schema, info->component),
    };
    return true;
}

bool cosmi_part_section(const struct schema *schema, const struct part *part, uint32_t index,
                        struct section *out) {
    if (part->kind == PART_TABLE) {
        return table_section(schema, part, index, out);
    }
    if (part->kind != PART_SINGLETONS) {
        *out = only_section(part);
        return index == 0;
    }
    bool is_there = index < part->blob_count;
    *out = (struct section){.step = 1, .rows = UINT32_MAX, .first = index, .size = 1};
    out->count = is_there && part->blobs[index] != NULL ? (uint32_t)part->blobs[index]->size : 0;
    return is_there;
}

const void *cosmi_section_run(const struct part *part, const struct section *section, uint32_t i,
                              uint32_t *io_count) {
    uint32_t left = section->rows - i % section->rows;
    uint32_t more = section->count - i;
    *io_count = *io_count < left ? *io_count : left;
    *io_count = *io_count < more ? *io_count : more;
    const struct blob *blob = part->blobs[section->first + i / section->rows * section->step];
    return blob == NULL ? NULL
                        : (const char *)blob->bytes + section->offset +
                              (size_t)(i % section->rows) * section->size;
}

bool cosmi_part_fill(struct memory *memory, struct part *part) {
    for (uint32_t i = 0; i < part->blob_count; i++) {
        size_t size = cosmi_blob_size(part, i);
        if (part->blobs[i] == NULL && size > 0) {
            part->blobs[i] = cosmi_blob_create(memory, size);
            if (part->blobs[i] == NULL) {
                return false;
            }
            memset(blob_fill(part->blobs[i]), 0, size);
        }
    }
    return true;
}

size_t cosmi_packed_offset(const struct archetype *archetype, uint32_t count, uint32_t column) {
    size_t offset = 0;
    for (uint32_t c = 0; c < column; c++) {
        offset += align_up((size_t)count * image_column_size(archetype, c), 16);
    }
    return offset;
}

size_t cosmi_packed_size(const struct archetype *archetype, uint32_t count) {
    return cosmi_packed_offset(archetype, count, archetype->column_count);
}

const void *cosmi_table_column(const struct part *table, uint32_t chunk, uint32_t column) {
    const struct archetype *archetype = table->archetype;
    if (image_column_size(archetype, column) == 0) {
        return NULL;
    }
    if (table_is_packed(archetype, table->table.count)) {
        return (const char *)table->blobs[0]->bytes +
               cosmi_packed_offset(archetype, table->table.count, column);
    }
    return table->blobs[(size_t)chunk * archetype->column_count + column]->bytes;
}

void *cosmi_table_fill(struct part *table, uint32_t chunk, uint32_t column) {
    return (void *)(uintptr_t)cosmi_table_column(table, chunk, column);
}
