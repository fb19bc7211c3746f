// What worlds have beside tables, made of what was read: singletons, objects, sector records,
// trees.
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

static cosm_result load_singletons(struct load_job *job, const struct load_world *world,
                                   struct world_image *image) {
    const struct schema *schema = job->order->schema;
    struct part head = {.kind = PART_SINGLETONS,
                        .schema = schema,
                        .singletons = {.end = paged_count(&schema->singletons)}};
    struct part *part = cosmi_load_part(job, &head, image);
    cosm_result result = part == NULL ? COSM_ERROR_MEMORY : COSM_OK;
    for (uint32_t i = 0; i < world->singleton_count && result == COSM_OK; i++) {
        const struct load_singleton *singleton = &world->singletons[i];
        const struct value_type *type = job->types[singleton->type].type;
        if (type == NULL) {
            continue;
        }
        const void *value = cosmi_load_plain(job, singleton->type, singleton->value);
        if (value == NULL) {
            return cosm_error_result();
        }
        part->blobs[type->id] = cosmi_blob_copy(job->order->memory, value, type->size);
        result = part->blobs[type->id] == NULL ? load_fail_memory(job) : COSM_OK;
    }
    return result;
}

// Slots say who owns their objects: those rows of the tables that have the tickets. What is wrong
// with them is found when the image is checked.
static void own_slots(const struct world_image *image, const struct part *managed,
                      struct managed_slot *slots) {
    for (uint32_t i = 0; image->parts[i]->kind == PART_TABLE; i++) {
        const struct part *table = image->parts[i];
        const struct column_slot *slot = archetype_find(table->archetype, managed->type->id);
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

static cosm_result put_managed(struct load_job *job, const struct load_managed *source,
                               struct world_image *image) {
    const struct value_type *type = job->types[source->type].type;
    struct part head = {
        .kind = PART_MANAGED,
        .key = type->managed_number,
        .type = type,
        .managed = {.used = source->used,
                    .free_head = source->free_count == 0 ? 0 : source->free_list[0]}};
    struct part *managed = cosmi_load_part(job, &head, image);
    if (managed == NULL || !cosmi_part_fill(job->order->memory, managed)) {
        return load_fail_memory(job);
    }
    struct managed_slot *slots =
        source->used == 0 ? NULL : (struct managed_slot *)blob_fill(managed->blobs[0]);
    for (uint32_t i = 0; i < source->free_count; i++) {
        uint32_t next = i + 1 < source->free_count ? source->free_list[i + 1] : 0;
        slots[source->free_list[i] - 1] = (struct managed_slot){SLOT_FREE, next};
    }
    for (uint32_t t = 0; t < source->used; t++) {
        if (source->objects[t].bytes == NULL) {
            continue;
        }
        managed->objects[t] = cosmi_load_object(job, source->type, source->objects[t]);
        if (managed->objects[t] == NULL) {
            return cosm_error_result();
        }
        managed->managed.count++;
    }
    own_slots(image, managed, slots);
    return COSM_OK;
}

static cosm_result put_managed_lists(struct load_job *job, const struct load_world *world,
                                     struct world_image *image) {
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; i < world->managed_count && result == COSM_OK; i++) {
        if (job->types[world->managed[i].type].type != NULL) {
            result = put_managed(job, &world->managed[i], image);
        }
    }
    return result;
}

// Fills in a record that is zero.
static cosm_result load_record_at(struct load_job *job, const struct load_sector *source,
                                  struct part *sector, const uint32_t *types, uint32_t place) {
    const struct sectors_layout *layout = sector->group->layout;
    cosm_sector *record = (cosm_sector *)(uintptr_t)sector_record(sector, place);
    uint32_t object = 0;
    record->entity = source->records[place].entity;
    record->live = source->records[place].live;
    sector->sector.live_count += record->live != 0;
    for (uint32_t m = 0; m < layout->member_count; m++) {
        bool is_object = sector_member_is_object(sector->group, m);
        size_t at = (size_t)place * sector->sector.object_members + object;
        object += is_object;
        if ((record->live >> m & 1) == 0) {
            continue;
        }
        struct load_value value = source->values[(size_t)place * layout->member_count + m];
        if (is_object) {
            sector->objects[at] = cosmi_load_object(job, types[m], value);
            if (sector->objects[at] == NULL) {
                return cosm_error_result();
            }
        } else if (layout->members[m].size > 0) {
            const void *plain = cosmi_load_plain(job, types[m], value);
            if (plain == NULL) {
                return cosm_error_result();
            }
            memcpy(cosm_sector_at(record, layout->members[m].offset), plain,
                   layout->members[m].size);
        }
    }
    return COSM_OK;
}

// The types of the file that the members of a group are.
static void find_member_types(const struct load_job *job, const struct sector_group *group,
                              uint32_t *out_types) {
    for (uint32_t t = 0; t < job->type_count; t++) {
        const struct value_type *type = job->types[t].type;
        for (uint32_t m = 0; type != NULL && !job->files[t].is_singleton && m < group->member_count;
             m++) {
            out_types[m] = group->components[m].id == type->id ? t : out_types[m];
        }
    }
}

static cosm_result put_sector(struct load_job *job, const struct load_sector *source,
                              struct world_image *image) {
    uint32_t types[COSM_CONTAINER_MEMBER_MAX] = {0};
    struct part head = {.kind = PART_SECTOR,
                        .key = source->group->id,
                        .group = source->group,
                        .sector = {.place_end = source->count, .is_packing = source->is_packing}};
    struct part *sector = cosmi_load_part(job, &head, image);
    if (sector == NULL || !cosmi_part_fill(job->order->memory, sector)) {
        return load_fail_memory(job);
    }
    find_member_types(job, source->group, types);
    cosm_result result = COSM_OK;
    for (uint32_t place = 0; place < source->count && result == COSM_OK; place++) {
        result = load_record_at(job, source, sector, types, place);
    }
    return result;
}

static cosm_result put_sectors(struct load_job *job, const struct load_world *world,
                               struct world_image *image) {
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; i < world->sector_count && result == COSM_OK; i++) {
        result = put_sector(job, &world->sectors[i], image);
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

// Links a parent and its children. Whether they are a tree is seen when the image is checked.
static cosm_result put_family(struct load_job *job, const struct load_family *family,
                              struct part *tree) {
    struct link *parent = need_link(job, tree, family->parent);
    if (parent == NULL) {
        return load_fail_memory(job);
    }
    tree->tree.linked += !is_linked(parent);
    parent->child_count = family->child_count;
    parent->first_child = family->children[0];
    parent->last_child = family->children[family->child_count - 1];
    for (uint32_t c = 0; c < family->child_count; c++) {
        struct link *link = need_link(job, tree, family->children[c]);
        if (link == NULL) {
            return load_fail_memory(job);
        }
        tree->tree.linked += !is_linked(link);
        link->parent = family->parent;
        link->previous = c == 0 ? ID_NONE : family->children[c - 1];
        link->next = c + 1 == family->child_count ? ID_NONE : family->children[c + 1];
    }
    return COSM_OK;
}

// Blobs end with the last id that is linked.
static uint32_t count_link_blobs(const struct load_world *world) {
    uint32_t last = 0;
    for (uint32_t i = 0; i < world->family_count; i++) {
        const struct load_family *family = &world->families[i];
        last = family->parent > last ? family->parent : last;
        for (uint32_t c = 0; c < family->child_count; c++) {
            last = family->children[c] > last ? family->children[c] : last;
        }
    }
    return last / LINK_BLOB_IDS + 1;
}

static cosm_result put_tree(struct load_job *job, const struct load_world *world,
                            struct world_image *image) {
    if (world->family_count == 0) {
        return COSM_OK;
    }
    struct part head = {.kind = PART_TREE, .tree = {.blob_count = count_link_blobs(world)}};
    struct part *tree = cosmi_load_part(job, &head, image);
    cosm_result result = tree == NULL ? COSM_ERROR_MEMORY : COSM_OK;
    for (uint32_t i = 0; i < world->family_count && result == COSM_OK; i++) {
        result = put_family(job, &world->families[i], tree);
    }
    return result;
}

cosm_result cosmi_load_beside(struct load_job *job, const struct load_world *world,
                              struct world_image *image) {
    cosm_result result = load_singletons(job, world, image);
    result = result == COSM_OK ? put_managed_lists(job, world, image) : result;
    result = result == COSM_OK ? put_sectors(job, world, image) : result;
    return result == COSM_OK ? put_tree(job, world, image) : result;
}
