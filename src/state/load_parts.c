// What a world has besides ids and tables, made into parts as it is read: singletons, objects,
// sector records, the tree, the order of groups. Whether it makes sense is seen when the image is
// checked.
//
// A reader that has failed has a fault of the file, which the caller reports; other failures have a
// message.
#include "base/check.h"
#include "state/load.h"

const void *cosmi_load_plain(struct load_job *job, uint32_t type, struct load_value value) {
    struct load_type *plan = &job->types[type];
    if (!conversion_is_needed(&plan->conversion)) {
        return value.bytes;
    }
    // What converts may look at the old value as the type it was.
    if (!cosmi_load_room(job, &job->old_values, value.size + 1) ||
        !cosmi_load_room(job, &job->new_values, plan->type->size + 1)) {
        return NULL;
    }
    if (value.size > 0) {
        memcpy(job->old_values.bytes, value.bytes, value.size);
    }
    cosm_result result =
        cosmi_convert_values(&plan->conversion, 1, job->old_values.bytes, job->new_values.bytes);
    return result == COSM_OK ? job->new_values.bytes : NULL;
}

struct object *cosmi_load_object(struct load_job *job, uint32_t type, struct load_value value) {
    const struct load_type *plan = &job->types[type];
    bool is_object = job->files[type].is_object;
    const void *plain = is_object ? NULL : cosmi_load_plain(job, type, value);
    if (!is_object && plain == NULL) {
        return NULL;
    }
    struct object *object = cosmi_object_create(job->order->memory, plan->type);
    if (object == NULL) {
        (void)load_fail_memory(job);
        return NULL;
    }
    if (!is_object) {
        memcpy(object->bytes, plain, plan->type->size);
        return object;
    }
    cosm_result result =
        plan->loader->load(plan->loader->context, value.bytes, value.size, object->bytes);
    if (result != COSM_OK) {
        cosmi_object_drop(job->order->memory, object);
        (void)cosmi_fail(job->order->sink, result,
                         "%s: component '%s': the load function of its cosm_save_object returned "
                         "%s; find out why it failed",
                         job->order->call, plan->type->name, cosm_result_name(result));
        return NULL;
    }
    return object;
}

struct load_value cosmi_load_read_value(struct load_job *job, uint32_t type) {
    const struct file_type *file = &job->files[type];
    uint64_t size = file->is_object ? cosmi_read_short(&job->in) : file->size;
    if (size > reader_left(&job->in)) {
        job->in.failed = true;
        return (struct load_value){NULL, 0};
    }
    const void *bytes = cosmi_read_bytes(&job->in, (size_t)size);
    return (struct load_value){bytes, (size_t)size};
}

static cosm_result fail_format(struct load_job *job) {
    job->in.failed = true;
    return COSM_ERROR_FORMAT;
}

struct part *cosmi_load_part(struct load_job *job, struct part *head, struct load_world *world) {
    cosmi_part_count(head);
    struct part **parts = cosmi_array_grow(job->order->memory, world->parts, &world->part_capacity,
                                           world->part_count + 1, sizeof(*parts));
    if (parts != NULL) {
        world->parts = parts;
        parts[world->part_count] = cosmi_part_create(job->order->memory, head);
    }
    if (parts == NULL || parts[world->part_count] == NULL) {
        (void)load_fail_memory(job);
        return NULL;
    }
    return parts[world->part_count++];
}

// A part whose blobs are there, and zero. NULL, with a message, when out of memory.
static struct part *make_filled(struct load_job *job, struct part *head, struct load_world *world) {
    struct part *part = cosmi_load_part(job, head, world);
    if (part != NULL && !cosmi_part_fill(job->order->memory, part)) {
        (void)load_fail_memory(job);
        part = NULL;
    }
    return part;
}

// Has the world a part of that kind and key already?
static bool has_part(const struct load_world *world, uint32_t kind, uint32_t key) {
    bool has = false;
    for (uint32_t i = 0; i < world->part_count; i++) {
        has = has || (world->parts[i]->kind == kind && world->parts[i]->key == key);
    }
    return has;
}

// The number of a type that is a component, or a singleton.
static uint32_t read_type_number(struct load_job *job, bool is_singleton) {
    uint32_t type = cosmi_read_short_max(&job->in, job->type_count - 1);
    if (job->in.failed || job->type_count == 0 || job->files[type].is_singleton != is_singleton) {
        job->in.failed = true;
    }
    return job->in.failed ? 0 : type;
}

static cosm_result read_singleton(struct load_job *job, struct part *part) {
    uint32_t number = read_type_number(job, true);
    struct load_value value = {NULL, 0};
    if (!job->in.failed) {
        value = cosmi_load_read_value(job, number);
    }
    const struct value_type *type = job->in.failed ? NULL : job->types[number].type;
    if (job->in.failed || (type != NULL && part->blobs[type->id] != NULL)) {
        return fail_format(job);
    }
    if (type == NULL) {
        job->order->report->dropped_count++;
        return COSM_OK;
    }
    const void *plain = cosmi_load_plain(job, number, value);
    if (plain == NULL) {
        return cosm_error_result();
    }
    part->blobs[type->id] = cosmi_blob_copy(job->order->memory, plain, type->size);
    return part->blobs[type->id] == NULL ? load_fail_memory(job) : COSM_OK;
}

static cosm_result read_singletons(struct load_job *job, struct load_world *world) {
    const struct schema *schema = job->order->schema;
    struct part head = {.kind = PART_SINGLETONS,
                        .schema = schema,
                        .singletons = {.end = paged_count(&schema->singletons)}};
    uint32_t count = cosmi_read_short_max(&job->in, job->type_count);
    struct part *part = cosmi_load_part(job, &head, world);
    cosm_result result = part == NULL ? COSM_ERROR_MEMORY : COSM_OK;
    for (uint32_t i = 0; i < count && result == COSM_OK; i++) {
        result = read_singleton(job, part);
    }
    return result;
}

// The list of free tickets; one that is in it twice is found when the image is checked. The others
// have objects: `gen` of their slots is not free until the rows have said whose they are.
static bool read_free_tickets(struct load_job *job, uint32_t count, struct part *part) {
    struct managed_slot *slots = blob_fill(part->blobs[0]);
    uint32_t *link = &part->managed.free_head;
    for (uint32_t i = 0; i < part->managed.used; i++) {
        slots[i].gen = SLOT_READY;
    }
    for (uint32_t i = 0; i < count && !job->in.failed; i++) {
        uint32_t ticket = cosmi_read_short_max(&job->in, part->managed.used);
        if (ticket == 0) {
            job->in.failed = true;
            break;
        }
        slots[ticket - 1] = (struct managed_slot){SLOT_FREE, 0};
        *link = ticket;
        link = &slots[ticket - 1].id;
    }
    return !job->in.failed;
}

// A list of objects that is of no use here: its values are read, and dropped.
static cosm_result skip_objects(struct load_job *job, uint32_t type, uint32_t used,
                                uint32_t free_count) {
    for (uint32_t i = 0; i < free_count; i++) {
        (void)cosmi_read_short(&job->in);
    }
    for (uint32_t i = free_count; i < used && !job->in.failed; i++) {
        (void)cosmi_load_read_value(job, type);
    }
    return job->in.failed ? COSM_ERROR_FORMAT : COSM_OK;
}

static cosm_result read_objects(struct load_job *job, uint32_t number, struct part *part) {
    const struct managed_slot *slots = part->blobs[0]->bytes;
    for (uint32_t t = 0; t < part->managed.used; t++) {
        if (slots[t].gen == SLOT_FREE) {
            continue;
        }
        struct load_value value = cosmi_load_read_value(job, number);
        if (job->in.failed) {
            return COSM_ERROR_FORMAT;
        }
        part->objects[t] = cosmi_load_object(job, number, value);
        if (part->objects[t] == NULL) {
            return cosm_error_result();
        }
    }
    return COSM_OK;
}

// Objects of one type. Each takes a byte at least, as managed types have a size.
static cosm_result read_managed(struct load_job *job, struct load_world *world) {
    uint32_t number = read_type_number(job, false);
    uint32_t used = cosmi_read_short_max(&job->in, UINT32_MAX - 1);
    uint32_t free_count = cosmi_read_short_max(&job->in, used);
    const struct file_type *file = &job->files[number];
    const struct value_type *type = job->types[number].type;
    if (job->in.failed || used == 0 || used > reader_left(&job->in) ||
        file->storage != COSM_STORAGE_MANAGED || (file->size == 0 && !file->is_object) ||
        (type != NULL && has_part(world, PART_MANAGED, type->managed_number))) {
        return fail_format(job);
    }
    if (type == NULL) {
        return skip_objects(job, number, used, free_count);
    }
    struct part head = {.kind = PART_MANAGED,
                        .key = type->managed_number,
                        .type = type,
                        .managed = {.used = used, .count = used - free_count}};
    struct part *part = make_filled(job, &head, world);
    if (part == NULL) {
        return COSM_ERROR_MEMORY;
    }
    return read_free_tickets(job, free_count, part) ? read_objects(job, number, part)
                                                    : COSM_ERROR_FORMAT;
}

void cosmi_load_own_slots(const struct load_world *world, const struct part *managed) {
    struct managed_slot *slots = blob_fill(managed->blobs[0]);
    for (uint32_t i = 0; i < world->part_count; i++) {
        const struct part *table = world->parts[i];
        const struct column_slot *slot =
            table->kind != PART_TABLE ? NULL : archetype_find(table->archetype, managed->type->id);
        for (uint32_t chunk = 0; slot != NULL && chunk < table_chunks(table); chunk++) {
            const cosm_ticket *tickets = cosmi_table_column(table, chunk, slot->column);
            const cosm_entity *entities = table->archetype->temporary
                                              ? NULL
                                              : cosmi_table_column(table, chunk, ENTITY_COLUMN);
            for (uint32_t r = 0; r < table_chunk_rows(table, chunk); r++) {
                uint32_t at = tickets[r].id - 1;
                if (at < managed->managed.used && managed->objects[at] != NULL) {
                    cosm_entity owner = entities == NULL ? OWNER_TEMPORARY : entities[r];
                    slots[at] = (struct managed_slot){owner.gen, owner.id};
                }
            }
        }
    }
}

// One member of a record, which lives: `type` is the number of its type in the file.
static cosm_result read_member(struct load_job *job, struct part *sector, uint32_t place,
                               uint32_t number) {
    const struct value_type *type = job->types[number].type;
    struct load_value value = cosmi_load_read_value(job, number);
    if (job->in.failed || type == NULL) {
        job->order->report->dropped_count += type == NULL;
        return job->in.failed ? COSM_ERROR_FORMAT : COSM_OK;
    }
    const struct sector_group *group = sector->group;
    uint32_t m = type->sector_member;
    cosm_sector *record = (cosm_sector *)(uintptr_t)sector_record(sector, place);
    record->live |= (uint64_t)1 << m;
    if (sector_member_is_object(group, m)) {
        size_t at = (size_t)place * sector->sector.object_members;
        for (uint32_t i = 0; i < m; i++) {
            at += sector_member_is_object(group, i);
        }
        sector->objects[at] = cosmi_load_object(job, number, value);
        return sector->objects[at] == NULL ? cosm_error_result() : COSM_OK;
    }
    size_t size = group->layout->members[m].size;
    const void *plain = size == 0 ? record : cosmi_load_plain(job, number, value);
    if (plain != NULL && size > 0) {
        memcpy(cosm_sector_at(record, group->layout->members[m].offset), plain, size);
    }
    return plain == NULL ? cosm_error_result() : COSM_OK;
}

// A record, into a part that is NULL where nothing of the group is known.
static cosm_result read_record(struct load_job *job, const struct load_group *group,
                               struct part *sector, uint32_t place) {
    struct byte_reader *in = &job->in;
    cosm_entity entity;
    entity.gen = cosmi_read_u32(in);
    entity.id = cosmi_read_u32(in);
    uint64_t live = cosmi_read_short(in);
    if (in->failed || (group->member_count < 64 && live >> group->member_count != 0)) {
        return fail_format(job);
    }
    cosm_sector *record =
        sector == NULL ? NULL : (cosm_sector *)(uintptr_t)sector_record(sector, place);
    if (record != NULL) {
        record->entity = entity;
    }
    cosm_result result = COSM_OK;
    for (uint32_t m = 0; m < group->member_count && result == COSM_OK; m++) {
        if ((live >> m & 1) != 0) {
            result = read_member(job, sector, place, group->types[m]);
        }
    }
    if (record != NULL) {
        sector->sector.live_count += record->live != 0;
    }
    return result;
}

static cosm_result read_sector(struct load_job *job, struct load_world *world) {
    struct byte_reader *in = &job->in;
    uint32_t number = cosmi_read_short_max(in, job->group_count - 1);
    uint8_t is_packing = cosmi_read_u8(in);
    uint32_t count = cosmi_read_short_max(in, SECTORS_PLACE_MAX);
    if (in->failed || job->group_count == 0 || is_packing > 1 || count == 0 ||
        count > reader_left(in) / 9) {
        return fail_format(job);
    }
    const struct load_group *group = &job->groups[number];
    struct part *sector = NULL;
    if (group->here != NULL) {
        struct part head = {.kind = PART_SECTOR,
                            .key = group->here->id,
                            .group = group->here,
                            .sector = {.place_end = count, .is_packing = is_packing}};
        if (has_part(world, PART_SECTOR, head.key)) {
            return fail_format(job);
        }
        sector = make_filled(job, &head, world);
    }
    cosm_result result = group->here != NULL && sector == NULL ? COSM_ERROR_MEMORY : COSM_OK;
    for (uint32_t i = 0; i < count && result == COSM_OK; i++) {
        result = read_record(job, group, sector, i);
    }
    return result;
}

// The link of an id, in a blob that is made where there is none. NULL when out of memory.
static struct link *need_link(struct load_job *job, struct part *tree, uint32_t id) {
    struct blob **blob = &tree->blobs[id / LINK_BLOB_IDS];
    if (*blob == NULL) {
        *blob = cosmi_blob_create(job->order->memory, LINK_BLOB_IDS * sizeof(struct link));
        for (uint32_t i = 0; *blob != NULL && i < LINK_BLOB_IDS; i++) {
            ((struct link *)blob_fill(*blob))[i] = cosmi_no_links;
        }
    }
    return *blob == NULL ? NULL : (struct link *)blob_fill(*blob) + id % LINK_BLOB_IDS;
}

static bool is_linked(const struct link *link) {
    return link->parent != ID_NONE || link->child_count > 0;
}

// Links a parent and its children, which follow.
static cosm_result read_family(struct load_job *job, struct part *tree, uint32_t id,
                               uint32_t count) {
    struct link *parent = need_link(job, tree, id);
    struct link *last = NULL;
    uint32_t previous = ID_NONE;
    if (parent == NULL) {
        return load_fail_memory(job);
    }
    tree->tree.linked += !is_linked(parent);
    parent->child_count = count;
    for (uint32_t c = 0; c < count; c++) {
        uint32_t child = cosmi_read_short_max(&job->in, UINT32_MAX);
        struct link *link = need_link(job, tree, child);
        if (link == NULL) {
            return load_fail_memory(job);
        }
        tree->tree.linked += !is_linked(link);
        *(last == NULL ? &parent->first_child : &last->next) = child;
        link->parent = id;
        link->previous = previous;
        link->next = ID_NONE;
        previous = child;
        last = link;
    }
    parent->last_child = previous;
    return COSM_OK;
}

// Looks at `count` families, each with children, without using any: the last id, or ID_NONE where
// one was never used.
static uint32_t find_last_id(struct byte_reader in, uint32_t count, uint32_t used) {
    uint32_t last = 0;
    for (uint32_t i = 0; i < count && !in.failed; i++) {
        uint32_t id = cosmi_read_short_max(&in, UINT32_MAX);
        uint32_t children = cosmi_read_short_max(&in, UINT32_MAX);
        in.failed = in.failed || children == 0 || children > reader_left(&in) || id >= used;
        last = id > last ? id : last;
        for (uint32_t c = 0; c < children && !in.failed; c++) {
            id = cosmi_read_short_max(&in, UINT32_MAX);
            in.failed = in.failed || id >= used;
            last = id > last ? id : last;
        }
    }
    return in.failed ? ID_NONE : last;
}

static cosm_result read_tree(struct load_job *job, struct load_world *world) {
    uint32_t count = cosmi_read_short_max(&job->in, world->known);
    uint32_t last = find_last_id(job->in, count, world->used);
    if (job->in.failed || last == ID_NONE) {
        return fail_format(job);
    }
    if (count == 0) {
        return COSM_OK;
    }
    // Blobs end with the last id that is linked.
    struct part head = {.kind = PART_TREE, .tree = {.blob_count = last / LINK_BLOB_IDS + 1}};
    struct part *tree = cosmi_load_part(job, &head, world);
    cosm_result result = tree == NULL ? COSM_ERROR_MEMORY : COSM_OK;
    for (uint32_t i = 0; i < count && result == COSM_OK; i++) {
        uint32_t id = cosmi_read_short_max(&job->in, UINT32_MAX);
        result = read_family(job, tree, id, cosmi_read_short_max(&job->in, UINT32_MAX));
    }
    return result;
}

// The words of groups. Where tables are merged there will be others: load_merge.c.
static cosm_result read_groups(struct load_job *job, struct load_world *world) {
    uint64_t size = cosmi_read_short(&job->in);
    const void *words =
        size > reader_left(&job->in) ? NULL : cosmi_read_bytes(&job->in, (size_t)size);
    if (job->in.failed || words == NULL || size % sizeof(uint32_t) != 0) {
        return fail_format(job);
    }
    if (size == 0 || job->is_merging) {
        return COSM_OK;
    }
    struct part head = {.kind = PART_GROUPS,
                        .groups = {.count = (uint32_t)(size / sizeof(uint32_t))}};
    struct part *part = make_filled(job, &head, world);
    if (part == NULL) {
        return COSM_ERROR_MEMORY;
    }
    memcpy(blob_fill(part->blobs[0]), words, (size_t)size);
    return COSM_OK;
}

cosm_result cosmi_load_read_parts(struct load_job *job, struct load_world *world) {
    cosm_result result = read_singletons(job, world);
    uint32_t count = result == COSM_OK ? cosmi_read_short_max(&job->in, job->type_count) : 0;
    for (uint32_t i = 0; i < count && result == COSM_OK; i++) {
        result = read_managed(job, world);
    }
    count = result == COSM_OK ? cosmi_read_short_max(&job->in, job->group_count) : 0;
    for (uint32_t i = 0; i < count && result == COSM_OK; i++) {
        result = read_sector(job, world);
    }
    result = result == COSM_OK ? read_tree(job, world) : result;
    result = result == COSM_OK ? read_groups(job, world) : result;
    return result == COSM_OK && job->in.failed ? COSM_ERROR_FORMAT : result;
}

void cosmi_load_parts_free(struct load_job *job, struct load_world *world) {
    for (uint32_t i = 0; i < world->part_count; i++) {
        cosmi_part_release(job->order->memory, world->parts[i]);
    }
    cosmi_array_free(job->order->memory, world->parts, world->part_capacity, sizeof(*world->parts));
}
