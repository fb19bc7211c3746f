// Images that share all they hold.
#include "state/image_same.h"

#include <string.h>

static bool same_list(const void *a, const void *b, uint32_t count) {
    return count == 0 || memcmp(a, b, count * sizeof(void *)) == 0;
}

static bool same_directory(const struct directory_image *a, const struct directory_image *b) {
    return a->used == b->used && a->known == b->known && a->free_head == b->free_head &&
           a->free_count == b->free_count && a->alive == b->alive &&
           a->fresh_deaths == b->fresh_deaths && a->promised_free == b->promised_free &&
           a->promised_fresh == b->promised_fresh && a->promise_cursor == b->promise_cursor &&
           a->page_count == b->page_count && same_list(a->pages, b->pages, a->page_count);
}

static bool same_stream(const struct stream_image *a, const struct stream_image *b) {
    return a->seed == b->seed && a->step == b->step && a->world == b->world;
}

bool cosmi_image_same(const struct world_image *a, const struct world_image *b) {
    return a == b ||
           (same_stream(&a->stream, &b->stream) && same_directory(&a->directory, &b->directory) &&
            a->table_count == b->table_count && a->singleton_end == b->singleton_end &&
            a->managed_count == b->managed_count && a->sector_count == b->sector_count &&
            a->tree == b->tree && a->shared_order == b->shared_order &&
            a->strangers == b->strangers && a->pending == b->pending &&
            same_list(a->tables, b->tables, a->table_count) &&
            same_list(a->singletons, b->singletons, a->singleton_end) &&
            same_list(a->managed, b->managed, a->managed_count) &&
            same_list(a->sectors, b->sectors, a->sector_count));
}
