// What hashes see of a world.
#include "state/hash_view.h"

bool cosmi_view_table(const struct hash_view *view, size_t *io_at, struct table_view *io_table) {
    if (view->image != NULL) {
        if (*io_at >= image_count(view->image, PART_TABLE)) {
            return false;
        }
        const struct part *table = image_part(view->image, PART_TABLE, (uint32_t)(*io_at)++);
        *io_table = (struct table_view){table->archetype, table->table.count, NULL, table, NULL};
        return true;
    }
    const struct cosm_batch *batch = view->batch;
    const struct store *store = (*io_at)++ == 0
                                    ? world_first_store(batch, view->world)
                                    : world_next_store(batch, view->world, io_table->store);
    while (store != NULL && store->counts[view->world] == 0) {
        store = world_next_store(batch, view->world, store);
    }
    if (store == NULL) {
        return false;
    }
    *io_table =
        (struct table_view){store->archetype, store->counts[view->world], store, NULL, NULL};
    return true;
}

bool cosmi_view_sectors(const struct hash_view *view, uint32_t *io_at, struct sector_view *out) {
    if (view->image != NULL) {
        if (*io_at >= image_count(view->image, PART_SECTOR)) {
            return false;
        }
        const struct part *sector = image_part(view->image, PART_SECTOR, (*io_at)++);
        *out = (struct sector_view){sector->group, sector->sector.place_end, NULL, sector};
        return true;
    }
    uint32_t end = paged_count(&view->schema->sector_groups);
    while (++*io_at < end) {
        const struct sectors *sectors = sector_container(view->batch, view->world, *io_at);
        if (sectors != NULL && sectors->place_end > 0) {
            *out = (struct sector_view){schema_sector_group(view->schema, *io_at),
                                        sectors->place_end, sectors, NULL};
            return true;
        }
    }
    return false;
}

const void *cosmi_view_column(const struct hash_view *view, const struct table_view *table,
                              uint32_t chunk, uint32_t column) {
    if (table->image != NULL) {
        return cosmi_table_column(table->image, chunk, column);
    }
    const struct store *store = table->store;
    const struct archetype *archetype = table->archetype;
    return store_cell(store, store_table(store, view->world), view->world, column,
                      chunk * archetype->chunk_rows, archetype->sizes[column]);
}

const void *cosmi_view_shared(const struct table_view *table, uint32_t slot) {
    return table->image != NULL ? table->image->objects[slot]->bytes
                                : table->store->group->values[slot]->bytes;
}

const void *cosmi_view_object(const struct hash_view *view, const struct value_type *type,
                              uint32_t ticket) {
    if (view->image == NULL) {
        return managed_object(managed_find(view->batch, view->world, type), ticket);
    }
    const struct part *managed = image_find(view->image, PART_MANAGED, type->managed_number);
    const struct object *object =
        managed != NULL && ticket - 1 < managed->managed.used ? managed->objects[ticket - 1] : NULL;
    return object == NULL ? NULL : object->bytes;
}

const cosm_sector *cosmi_view_sector(const struct sector_view *view, uint32_t place) {
    return view->image == NULL ? sectors_at(view->sectors, place)
                               : sector_record(view->image, place);
}

const void *cosmi_view_member(const struct sector_view *sectors, uint32_t place, uint32_t member) {
    const struct sector_group *group = sectors->group;
    if (sectors->image != NULL && sector_member_is_object(group, member)) {
        uint32_t number = 0;
        for (uint32_t m = 0; m < member; m++) {
            number += sector_member_is_object(group, m);
        }
        size_t first = (size_t)place * sectors->image->sector.object_members;
        return sectors->image->objects[first + number]->bytes;
    }
    return cosm_sector_at(cosmi_view_sector(sectors, place), group->layout->members[member].offset);
}

struct ids_words cosmi_view_directory(const struct hash_view *view) {
    if (view->image != NULL) {
        return image_ids(view->image)->ids;
    }
    const struct world *world = &view->batch->worlds[view->world];
    return (struct ids_words){
        .used = world->used,
        .known = world->known,
        .free_head = world->free_head,
        .free_count = world->free_count,
        .alive = world->alive,
        .fresh_deaths = world->fresh_deaths,
        .reserved_free = atomic_load_explicit(&world->reserved_free, memory_order_relaxed),
        .reserved_fresh = atomic_load_explicit(&world->reserved_fresh, memory_order_relaxed),
    };
}

const struct record *cosmi_view_record(const struct hash_view *view, uint32_t id) {
    return view->image != NULL ? image_record(view->image, id)
                               : &view->batch->worlds[view->world].records[id];
}

uint32_t cosmi_view_link_end(const struct hash_view *view) {
    if (view->image != NULL) {
        const struct part *tree = image_only(view->image, PART_TREE);
        return tree == NULL ? 0 : tree->blob_count * LINK_BLOB_IDS;
    }
    const struct tree *tree = batch_tree(view->batch, view->world);
    return tree == NULL || tree->linked == 0 ? 0 : tree->page_end * LINK_PAGE_IDS;
}

const struct link *cosmi_view_link(const struct hash_view *view, uint32_t id) {
    return view->image == NULL ? tree_link(batch_tree(view->batch, view->world), id)
                               : tree_part_link(image_only(view->image, PART_TREE), id);
}

uint32_t cosmi_view_singleton_end(const struct hash_view *view) {
    return view->image != NULL ? image_singleton_end(view->image)
                               : paged_count(&view->batch->singletons);
}

const void *cosmi_view_singleton(const struct hash_view *view, uint32_t id) {
    if (view->image != NULL) {
        const struct blob *blob = image_singleton(view->image, id);
        return blob == NULL ? NULL : blob->bytes;
    }
    const char *values = paged_get(&view->batch->singletons, id);
    size_t size = values == NULL ? 0 : schema_singleton(view->schema, id)->size;
    return values == NULL ? NULL : values + view->world * size;
}

struct stream_image cosmi_view_stream(const struct hash_view *view) {
    if (view->stream != NULL || view->image != NULL) {
        return view->stream != NULL ? *view->stream : view->image->stream;
    }
    return (struct stream_image){.seed = world_seed(view->batch, view->world),
                                 .step = world_step(view->batch, view->world),
                                 .number = world_number(view->batch, view->world)};
}
