// Whether two images of a world are made of the same parts.
#include "state/image.h"

static bool are_pieces_same(struct piece *const *a, struct piece *const *b, uint32_t count) {
    return count == 0 || memcmp(a, b, count * sizeof(*a)) == 0;
}

static bool are_objects_same(struct object *const *a, struct object *const *b, size_t count) {
    return count == 0 || memcmp(a, b, count * sizeof(*a)) == 0;
}

static bool is_directory_same(const struct directory_image *a, const struct directory_image *b) {
    return a->used == b->used && a->known == b->known && a->free_head == b->free_head &&
           a->free_count == b->free_count && a->alive == b->alive &&
           a->fresh_deaths == b->fresh_deaths && a->promised_free == b->promised_free &&
           a->promised_fresh == b->promised_fresh && a->promise_cursor == b->promise_cursor &&
           a->page_count == b->page_count && are_pieces_same(a->pages, b->pages, a->page_count);
}

static bool is_managed_same(const struct managed_image *a, const struct managed_image *b) {
    return a == b || (a->type == b->type && a->used == b->used && a->count == b->count &&
                      a->free_head == b->free_head && a->slots == b->slots &&
                      are_objects_same(a->objects, b->objects, a->used));
}

static bool is_sector_same(const struct sector_image *a, const struct sector_image *b) {
    return a == b ||
           (a->group == b->group && a->place_end == b->place_end &&
            a->live_count == b->live_count && a->piece_count == b->piece_count &&
            are_pieces_same(a->pieces, b->pieces, a->piece_count) &&
            are_objects_same(a->objects, b->objects, (size_t)a->place_end * a->object_members));
}

static bool is_tree_same(const struct tree_image *a, const struct tree_image *b) {
    return a == b ||
           (a != NULL && b != NULL && a->linked == b->linked && a->piece_count == b->piece_count &&
            are_pieces_same(a->pieces, b->pieces, a->piece_count));
}

static bool is_beside_same(const struct world_image *a, const struct world_image *b) {
    bool same = a->managed_count == b->managed_count && a->sector_count == b->sector_count &&
                a->shared_order == b->shared_order && is_tree_same(a->tree, b->tree);
    for (uint32_t i = 0; same && i < a->managed_count; i++) {
        same = is_managed_same(a->managed[i], b->managed[i]);
    }
    for (uint32_t i = 0; same && i < a->sector_count; i++) {
        same = is_sector_same(a->sectors[i], b->sectors[i]);
    }
    return same;
}

bool cosmi_image_is_same(const struct world_image *a, const struct world_image *b) {
    bool same = a->stream.seed == b->stream.seed && a->stream.step == b->stream.step &&
                a->stream.number == b->stream.number && a->table_count == b->table_count &&
                a->singleton_end == b->singleton_end &&
                is_directory_same(&a->directory, &b->directory) &&
                are_pieces_same(a->singletons, b->singletons, a->singleton_end);
    for (uint32_t i = 0; same && i < a->table_count; i++) {
        same = a->tables[i] == b->tables[i];
    }
    return same && is_beside_same(a, b);
}
