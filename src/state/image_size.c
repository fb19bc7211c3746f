// How many bytes an image holds, and how many of them nobody else does.
//
// What is shared has more references than one. A part that only this image leads to is its own; one
// below a part that is shared is not.
#include "state/image.h"

// The bytes at hand, and whether all parts on the way down are held once only.
struct weight {
    size_t bytes;
    size_t own;
};

static bool is_held_once(const atomic_uint *refs) {
    return atomic_load_explicit(refs, memory_order_relaxed) == 1;
}

static void weigh(struct weight *weight, size_t size, bool own) {
    weight->bytes += size;
    weight->own += own ? size : 0;
}

static void weigh_piece(struct weight *weight, const struct piece *piece, bool own) {
    if (piece != NULL) {
        size_t size = sizeof(*piece) + (piece->home == NULL ? piece->size : 0);
        weigh(weight, size, own && is_held_once(&piece->refs));
    }
}

static void weigh_object(struct weight *weight, const struct object *object, bool own) {
    if (object != NULL) {
        weigh(weight, sizeof(*object) + object->type->size, own && is_held_once(&object->refs));
    }
}

static void weigh_table(struct weight *weight, const struct table_image *table, bool own) {
    own = own && is_held_once(&table->refs);
    weigh(weight, sizeof(*table) + table->piece_count * sizeof(void *), own);
    for (uint32_t i = 0; i < table->piece_count; i++) {
        weigh_piece(weight, table->pieces[i], own);
    }
    for (uint32_t i = 0; i < table->archetype->shared_count; i++) {
        weigh_object(weight, table->shared[i], own);
    }
}

static void weigh_beside(struct weight *weight, const struct world_image *image, bool own) {
    for (uint32_t i = 0; i < image->managed_count; i++) {
        const struct managed_image *managed = image->managed[i];
        bool of_own = own && is_held_once(&managed->refs);
        weigh(weight, sizeof(*managed) + managed->used * sizeof(void *), of_own);
        weigh_piece(weight, managed->slots, of_own);
        for (uint32_t t = 0; t < managed->used; t++) {
            weigh_object(weight, managed->objects[t], of_own);
        }
    }
    for (uint32_t i = 0; i < image->sector_count; i++) {
        const struct sector_image *sector = image->sectors[i];
        bool of_own = own && is_held_once(&sector->refs);
        size_t objects = (size_t)sector->place_end * sector->object_members;
        weigh(weight, sizeof(*sector) + (sector->piece_count + objects) * sizeof(void *), of_own);
        for (uint32_t p = 0; p < sector->piece_count; p++) {
            weigh_piece(weight, sector->pieces[p], of_own);
        }
        for (size_t o = 0; o < objects; o++) {
            weigh_object(weight, sector->objects[o], of_own);
        }
    }
    if (image->tree != NULL) {
        bool of_own = own && is_held_once(&image->tree->refs);
        weigh(weight, sizeof(*image->tree) + image->tree->piece_count * sizeof(void *), of_own);
        for (uint32_t p = 0; p < image->tree->piece_count; p++) {
            weigh_piece(weight, image->tree->pieces[p], of_own);
        }
    }
}

static void weigh_world(struct weight *weight, const struct world_image *image) {
    bool own = is_held_once(&image->refs);
    weigh(weight, image->size, own);
    if (image->directory.list != NULL) {
        bool of_own = own && is_held_once(&image->directory.list->refs);
        weigh(weight, sizeof(struct page_list) + image->directory.page_count * sizeof(void *),
              of_own);
        for (uint32_t i = 0; i < image->directory.page_count; i++) {
            weigh_piece(weight, image->directory.pages[i], of_own);
        }
    }
    for (uint32_t i = 0; i < image->table_count; i++) {
        weigh_table(weight, image->tables[i], own);
    }
    for (uint32_t i = 0; i < image->singleton_end; i++) {
        weigh_piece(weight, image->singletons[i], own);
    }
    weigh_piece(weight, image->shared_order, own);
    weigh_beside(weight, image, own);
}

void cosmi_snapshot_bytes(const struct cosm_snapshot *snapshot, size_t *out_bytes,
                          size_t *out_own) {
    struct weight weight = {0, 0};
    weigh(&weight, sizeof(*snapshot) + snapshot->world_count * sizeof(void *), true);
    for (uint32_t w = 0; w < snapshot->world_count; w++) {
        weigh_world(&weight, snapshot->worlds[w]);
    }
    *out_bytes = weight.bytes;
    *out_own = weight.own;
}
