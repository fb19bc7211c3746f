// How many bytes an image holds, how many of them nobody else does, and how many of them another
// image does not hold.
//
// What is shared has more references than one. A part that only this image leads to is its own; one
// below a part that is shared is not. Of two images of one history a part is in both at the same
// place or not at all: so they are compared place by place.
#include "state/image.h"

struct weight {
    size_t bytes;
    size_t own;   // all parts on the way down are held once only
    size_t fresh; // not in the other image
};

// A part on the way down.
struct scope {
    bool own;   // nobody else holds it
    bool fresh; // the other image does not
};

static void weigh(struct weight *weight, size_t size, struct scope scope) {
    weight->bytes += size;
    weight->own += scope.own ? size : 0;
    weight->fresh += scope.fresh ? size : 0;
}

// What is below: `part`, which has `refs`, where the other image has `before`.
static struct scope scope_below(struct scope scope, const atomic_uint *refs, const void *part,
                                const void *before) {
    return (struct scope){
        .own = scope.own && atomic_load_explicit(refs, memory_order_relaxed) == 1,
        .fresh = scope.fresh && part != before,
    };
}

static void weigh_piece(struct weight *weight, const struct piece *piece,
                        const struct piece *before, struct scope scope) {
    if (piece != NULL) {
        weigh(weight, sizeof(*piece) + (piece->home == NULL ? piece->size : 0),
              scope_below(scope, &piece->refs, piece, before));
    }
}

// Lists of pieces, place by place.
static void weigh_pieces(struct weight *weight, struct piece *const *pieces, uint32_t count,
                         struct piece *const *before, uint32_t before_count, struct scope scope) {
    for (uint32_t i = 0; i < count; i++) {
        weigh_piece(weight, pieces[i], i < before_count ? before[i] : NULL, scope);
    }
}

static void weigh_objects(struct weight *weight, struct object *const *objects, size_t count,
                          struct object *const *before, size_t before_count, struct scope scope) {
    for (size_t i = 0; i < count; i++) {
        const struct object *object = objects[i];
        if (object != NULL) {
            weigh(weight, sizeof(*object) + object->type->size,
                  scope_below(scope, &object->refs, object, i < before_count ? before[i] : NULL));
        }
    }
}

static void weigh_table(struct weight *weight, const struct table_image *table,
                        const struct table_image *before, struct scope scope) {
    scope = scope_below(scope, &table->refs, table, before);
    uint32_t shared_count = table->archetype->shared_count;
    weigh(weight, sizeof(*table) + (table->piece_count + shared_count) * sizeof(void *), scope);
    weigh_pieces(weight, table->pieces, table->piece_count, before == NULL ? NULL : before->pieces,
                 before == NULL ? 0 : before->piece_count, scope);
    weigh_objects(weight, table->shared, shared_count, before == NULL ? NULL : before->shared,
                  before == NULL ? 0 : shared_count, scope);
}

static void weigh_managed(struct weight *weight, const struct managed_image *managed,
                          const struct managed_image *before, struct scope scope) {
    scope = scope_below(scope, &managed->refs, managed, before);
    weigh(weight, sizeof(*managed) + managed->used * sizeof(void *), scope);
    weigh_piece(weight, managed->slots, before == NULL ? NULL : before->slots, scope);
    weigh_objects(weight, managed->objects, managed->used, before == NULL ? NULL : before->objects,
                  before == NULL ? 0 : before->used, scope);
}

static void weigh_sector(struct weight *weight, const struct sector_image *sector,
                         const struct sector_image *before, struct scope scope) {
    scope = scope_below(scope, &sector->refs, sector, before);
    size_t objects = (size_t)sector->place_end * sector->object_members;
    weigh(weight, sizeof(*sector) + (sector->piece_count + objects) * sizeof(void *), scope);
    weigh_pieces(weight, sector->pieces, sector->piece_count,
                 before == NULL ? NULL : before->pieces, before == NULL ? 0 : before->piece_count,
                 scope);
    weigh_objects(weight, sector->objects, objects, before == NULL ? NULL : before->objects,
                  before == NULL ? 0 : (size_t)before->place_end * before->object_members, scope);
}

static const struct managed_image *managed_before(const struct world_image *before,
                                                  const struct managed_image *managed) {
    for (uint32_t i = 0; before != NULL && i < before->managed_count; i++) {
        if (before->managed[i]->type == managed->type) {
            return before->managed[i];
        }
    }
    return NULL;
}

static const struct sector_image *sector_before(const struct world_image *before,
                                                const struct sector_image *sector) {
    for (uint32_t i = 0; before != NULL && i < before->sector_count; i++) {
        if (before->sectors[i]->group == sector->group) {
            return before->sectors[i];
        }
    }
    return NULL;
}

static const struct table_image *table_before(const struct world_image *before,
                                              const struct table_image *table, uint32_t hint) {
    if (before == NULL) {
        return NULL;
    }
    const struct table_image *found = hint < before->table_count ? before->tables[hint] : NULL;
    if (found == NULL || table_image_number(found) != table_image_number(table)) {
        found = cosmi_image_table(before, table_image_number(table));
    }
    // A group's number may have been another's.
    return found != NULL && found->archetype == table->archetype ? found : NULL;
}

static void weigh_beside(struct weight *weight, const struct world_image *image,
                         const struct world_image *before, struct scope scope) {
    for (uint32_t i = 0; i < image->managed_count; i++) {
        weigh_managed(weight, image->managed[i], managed_before(before, image->managed[i]), scope);
    }
    for (uint32_t i = 0; i < image->sector_count; i++) {
        weigh_sector(weight, image->sectors[i], sector_before(before, image->sectors[i]), scope);
    }
    const struct tree_image *tree = image->tree;
    if (tree != NULL) {
        const struct tree_image *other = before == NULL ? NULL : before->tree;
        struct scope below = scope_below(scope, &tree->refs, tree, other);
        weigh(weight, sizeof(*tree) + tree->piece_count * sizeof(void *), below);
        weigh_pieces(weight, tree->pieces, tree->piece_count, other == NULL ? NULL : other->pieces,
                     other == NULL ? 0 : other->piece_count, below);
    }
}

static void weigh_directory(struct weight *weight, const struct directory_image *directory,
                            const struct directory_image *before, struct scope scope) {
    if (directory->list == NULL) {
        return;
    }
    scope = scope_below(scope, &directory->list->refs, directory->list,
                        before == NULL ? NULL : before->list);
    weigh(weight, sizeof(struct page_list) + directory->page_count * sizeof(void *), scope);
    weigh_pieces(weight, directory->pages, directory->page_count,
                 before == NULL ? NULL : before->pages, before == NULL ? 0 : before->page_count,
                 scope);
}

static void weigh_world(struct weight *weight, const struct world_image *image,
                        const struct world_image *before) {
    struct scope all = {true, true};
    struct scope scope = scope_below(all, &image->refs, image, before);
    weigh(weight, image->size, scope);
    weigh_directory(weight, &image->directory, before == NULL ? NULL : &before->directory, scope);
    for (uint32_t i = 0; i < image->table_count; i++) {
        weigh_table(weight, image->tables[i], table_before(before, image->tables[i], i), scope);
    }
    weigh_pieces(weight, image->singletons, image->singleton_end,
                 before == NULL ? NULL : before->singletons,
                 before == NULL ? 0 : before->singleton_end, scope);
    weigh_piece(weight, image->shared_order, before == NULL ? NULL : before->shared_order, scope);
    weigh_beside(weight, image, before, scope);
}

static struct weight weigh_snapshot(const struct cosm_snapshot *snapshot,
                                    const struct cosm_snapshot *before) {
    struct weight weight = {0, 0, 0};
    struct scope all = {true, true};
    weigh(&weight, sizeof(*snapshot) + snapshot->world_count * sizeof(void *), all);
    for (uint32_t w = 0; w < snapshot->world_count; w++) {
        const struct world_image *other =
            before != NULL && w < before->world_count ? before->worlds[w] : NULL;
        weigh_world(&weight, snapshot->worlds[w], other);
    }
    return weight;
}

void cosmi_snapshot_bytes(const struct cosm_snapshot *snapshot, size_t *out_bytes,
                          size_t *out_own) {
    struct weight weight = weigh_snapshot(snapshot, NULL);
    *out_bytes = weight.bytes;
    *out_own = weight.own;
}

size_t cosmi_snapshot_growth(const struct cosm_snapshot *snapshot,
                             const struct cosm_snapshot *before) {
    return weigh_snapshot(snapshot, before).fresh;
}
