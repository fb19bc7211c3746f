// Views of worlds.
//
// Every function asks once whether the world lives and then goes to the store, or to the part of
// the image. Values of objects are reached through their kinds: a world that lives has them in
// lists, groups and containers, an image has copies in a row.
#include "state/view.h"

struct view cosmi_view_world(cosm_world world) {
    return (struct view){
        .schema = world.batch->schema, .world = world, .stream = world_stream(world)};
}

bool cosmi_view_next(const struct view *view, uint32_t kind, struct part_view *io_part,
                     struct part *head) {
    if (view->image != NULL) {
        bool is_there = io_part->next < image_count(view->image, kind);
        io_part->part = is_there ? image_part(view->image, kind, io_part->next++) : NULL;
        return is_there;
    }
    if (!cosmi_part_kinds[kind]->next(view->world, &io_part->live)) {
        return false;
    }
    *head = (struct part){.kind = kind, .key = io_part->live.key};
    cosmi_part_kinds[kind]->shape(view->world, &io_part->live, head);
    cosmi_part_count(head);
    io_part->part = head;
    return true;
}

bool cosmi_view_find(const struct view *view, uint32_t kind, uint32_t key, struct part_view *out,
                     struct part *head) {
    *out = (struct part_view){.part = NULL};
    if (view->image != NULL) {
        out->part = image_find(view->image, kind, key);
        return out->part != NULL;
    }
    bool is_there = cosmi_view_next(view, kind, out, head);
    while (is_there && out->part->key != key) {
        is_there = cosmi_view_next(view, kind, out, head);
    }
    return is_there;
}

const void *cosmi_view_column(const struct view *view, const struct part_view *table,
                              uint32_t chunk, uint32_t column) {
    if (!view_lives(table)) {
        return cosmi_table_column(table->part, chunk, column);
    }
    const struct store *store = table->live.at;
    uint32_t world = view->world.index;
    return store_cell(store, store_table(store, world), world, column,
                      chunk * store->archetype->chunk_rows, store->archetype->sizes[column]);
}

struct cells cosmi_view_cells(const struct view *view, const struct part_view *table,
                              uint32_t chunk, uint32_t column, const void **columns) {
    const struct column_info *info = &table->part->archetype->columns[column];
    for (uint32_t i = 0; i == 0 || i < info->part_count; i++) {
        columns[i] = cosmi_view_column(view, table, chunk, column + i);
    }
    return (struct cells){schema_component(view->schema, info->component), info, columns};
}

const void *cosmi_view_object(const struct view *view, const struct part_view *part, uint32_t i) {
    if (i >= part->part->object_count) {
        return NULL;
    }
    if (view_lives(part)) {
        struct live_object object =
            cosmi_part_kinds[part->part->kind]->object(view->world, &part->live, part->part, i);
        return object.is_there ? object.bytes : NULL;
    }
    return part->part->objects[i] == NULL ? NULL : part->part->objects[i]->bytes;
}

const cosm_sector *cosmi_view_sector(const struct part_view *sectors, uint32_t place) {
    return view_lives(sectors) ? sectors_at(sectors->live.at, place)
                               : sector_record(sectors->part, place);
}

const void *cosmi_view_member(const struct view *view, const struct part_view *sectors,
                              uint32_t place, uint32_t member) {
    const struct sector_group *group = sectors->part->group;
    if (!sector_member_is_object(group, member)) {
        return cosm_sector_at(cosmi_view_sector(sectors, place),
                              group->layout->members[member].offset);
    }
    uint32_t i = place * sectors->part->sector.object_members;
    for (uint32_t m = 0; m < member; m++) {
        i += sector_member_is_object(group, m);
    }
    return cosmi_view_object(view, sectors, i);
}

const struct managed_slot *cosmi_view_slot(const struct part_view *managed, uint32_t ticket) {
    void *object;
    return view_lives(managed)
               ? slot_of_ticket(managed->live.at, ticket, &object)
               : (const struct managed_slot *)managed->part->blobs[0]->bytes + (ticket - 1);
}

const struct record *cosmi_view_record(const struct view *view, uint32_t id) {
    return view->image != NULL ? image_record(view->image, id)
                               : &world_data(view->world)->records[id];
}

const struct link *cosmi_view_link(const struct view *view, uint32_t id) {
    return view->image != NULL ? tree_part_link(image_only(view->image, PART_TREE), id)
                               : tree_link(batch_tree(view->world.batch, view->world.index), id);
}

const void *cosmi_view_singleton(const struct view *view, uint32_t id) {
    if (view->image != NULL) {
        const struct blob *blob = image_singleton(view->image, id);
        return blob == NULL ? NULL : blob->bytes;
    }
    const struct cosm_batch *batch = view->world.batch;
    bool is_there = id < paged_count(&batch->singletons);
    const char *values = is_there ? paged_get(&batch->singletons, id) : NULL;
    return values == NULL ? NULL
                          : values + view->world.index * schema_singleton(view->schema, id)->size;
}
