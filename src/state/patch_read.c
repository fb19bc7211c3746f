// Reading a patch: the image after, made of the image before and the body of a world.
//
// Nothing is believed. A body that asks for what is not there, or has too little, is a fault; what
// came out of it is an image that has yet to be checked as a whole.
#include <string.h>

#include "state/patch.h"

static struct stream_image patch_read_stream(struct patch_in *patch) {
    struct stream_image stream = patch->before->stream;
    if (cosmi_read_u8(&patch->in) != 0) {
        stream.seed = cosmi_read_u64(&patch->in);
        stream.number = cosmi_read_short(&patch->in);
    }
    stream.step = cosmi_read_short(&patch->in);
    return stream;
}

// The numbers of the directory after. Its pages are yet to be made.
static struct directory_image patch_read_directory_numbers(struct patch_in *patch) {
    struct directory_image directory = patch->before->directory;
    uint32_t *const numbers[] = {
        &directory.used,          &directory.known,          &directory.free_head,
        &directory.free_count,    &directory.alive,          &directory.fresh_deaths,
        &directory.promised_free, &directory.promised_fresh, &directory.promise_cursor,
    };
    uint32_t count = sizeof(numbers) / sizeof(numbers[0]);
    uint32_t mask = cosmi_read_short_max(&patch->in, (1u << count) - 1);
    for (uint32_t i = 0; i < count; i++) {
        if ((mask >> i & 1) != 0) {
            *numbers[i] = cosmi_read_short_max(&patch->in, UINT32_MAX) - 1;
        }
    }
    // An id that is new takes a byte at least: a record that is free, or a handle.
    uint32_t known = patch->before->directory.known;
    if (directory.known > COSM_WORLD_ENTITY_MAX ||
        (directory.known > known && directory.known - known > reader_left(&patch->in))) {
        patch_in_fault(patch, "it has more ids than bytes");
    }
    directory.page_count = (directory.known + RECORD_PAGE_IDS - 1) / RECORD_PAGE_IDS;
    directory.pages = NULL;
    directory.list = NULL;
    return directory;
}

static size_t patch_page_size(const struct directory_image *directory, uint32_t page) {
    uint32_t left = directory->known - page * RECORD_PAGE_IDS;
    return (left < RECORD_PAGE_IDS ? left : RECORD_PAGE_IDS) * sizeof(struct record);
}

// A page of the image after that can be written to: a copy of the one before.
static struct record *patch_open_page(struct patch_in *patch, uint32_t page) {
    const struct directory_image *before = &patch->before->directory;
    struct directory_image *after = &patch->image->directory;
    if (after->pages[page] == NULL) {
        size_t size = patch_page_size(after, page);
        struct piece *piece = cosmi_piece_create(patch->book->memory, size);
        if (piece == NULL) {
            patch->no_memory = true;
            return NULL;
        }
        size_t kept = page < before->page_count ? before->pages[page]->size : 0;
        kept = kept < size ? kept : size;
        if (kept > 0) {
            memcpy(piece_fill(piece), before->pages[page]->bytes, kept);
        }
        memset((char *)piece_fill(piece) + kept, 0, size - kept);
        after->pages[page] = piece;
    }
    return piece_fill(after->pages[page]);
}

void cosmi_patch_set_record(struct patch_in *patch, uint32_t id, struct record record) {
    if (id >= patch->image->directory.known) {
        patch_in_fault(patch, "it has an unknown id");
        return;
    }
    struct record *records = patch_open_page(patch, id / RECORD_PAGE_IDS);
    if (records != NULL) {
        records[id % RECORD_PAGE_IDS] = record;
    }
}

static void patch_read_records(struct patch_in *patch) {
    const struct directory_image *before = &patch->before->directory;
    uint64_t id = 0;
    while (!patch_in_failed(patch)) {
        uint32_t gap = cosmi_read_short_max(&patch->in, UINT32_MAX);
        if (gap == 0) {
            break;
        }
        id += gap - 1;
        uint32_t gen = unzigzag(cosmi_read_short_max(&patch->in, UINT32_MAX));
        uint64_t rest = cosmi_read_short(&patch->in);
        if (id >= patch->image->directory.known || rest >> 33 != 0) {
            patch_in_fault(patch, "it has an unknown id");
            break;
        }
        uint32_t number = (uint32_t)id;
        gen += number < before->known ? image_record(patch->before, number)->gen : 0;
        struct record record = {gen, (rest & 1) != 0 ? TABLE_PROMISED : TABLE_FREE,
                                number + unzigzag((uint32_t)(rest >> 1))};
        cosmi_patch_set_record(patch, number, record);
        id++;
    }
}

// Are all pages those of the image before? Then so is their list.
static bool patch_share_pages(struct patch_in *patch) {
    const struct directory_image *before = &patch->before->directory;
    struct directory_image *after = &patch->image->directory;
    bool is_same = after->known == before->known && after->known > 0;
    for (uint32_t page = 0; page < after->page_count && is_same; page++) {
        is_same = after->pages[page] == NULL;
    }
    if (is_same) {
        cosmi_page_list_give(patch->book->memory, after->list);
        atomic_fetch_add_explicit(&before->list->refs, 1, memory_order_relaxed);
        after->list = before->list;
        after->pages = before->pages;
    }
    return is_same;
}

// Pages that nothing was written to are those of the image before.
static void patch_finish_pages(struct patch_in *patch) {
    const struct directory_image *before = &patch->before->directory;
    struct directory_image *after = &patch->image->directory;
    if (patch_in_failed(patch) || patch_share_pages(patch)) {
        return;
    }
    for (uint32_t page = 0; page < after->page_count && !patch_in_failed(patch); page++) {
        if (after->pages[page] == NULL && page < before->page_count &&
            before->pages[page]->size == patch_page_size(after, page)) {
            after->pages[page] = piece_keep(before->pages[page]);
        } else {
            (void)patch_open_page(patch, page);
        }
    }
}

const struct patch_word *cosmi_patch_read_word(struct patch_in *patch, bool is_singleton,
                                               cosm_storage storage) {
    uint32_t number = cosmi_read_short_max(&patch->in, UINT32_MAX);
    if (patch->in.failed || number >= patch->book->word_count ||
        patch->book->words[number].is_singleton != is_singleton ||
        (!is_singleton && patch->book->words[number].type->storage != storage)) {
        patch_in_fault(patch, "it names a component that it does not list");
        return NULL;
    }
    return &patch->book->words[number];
}

// An image with room for all that is before and all that comes, and the numbers of its directory.
static bool patch_make_image(struct patch_in *patch, const uint32_t *entries) {
    const struct world_image *before = patch->before;
    struct stream_image stream = patch_read_stream(patch);
    struct directory_image directory = patch_read_directory_numbers(patch);
    if (patch_in_failed(patch)) {
        return false;
    }
    uint32_t singletons = paged_count(&patch->book->schema->singletons);
    struct image_counts counts = {
        .pages = directory.page_count,
        .tables = before->table_count + entries[0],
        .singletons = singletons > before->singleton_end ? singletons : before->singleton_end,
        .managed = before->managed_count + entries[2],
        .sectors = before->sector_count + entries[3],
    };
    patch->image = cosmi_image_create(patch->book->memory, &counts);
    if (patch->image == NULL) {
        patch->no_memory = true;
        return false;
    }
    directory.pages = patch->image->directory.pages;
    directory.list = patch->image->directory.list;
    patch->image->directory = directory;
    patch->image->stream = stream;
    return true;
}

static void patch_read_body(struct patch_in *patch) {
    uint32_t entries[4];
    for (uint32_t i = 0; i < 4; i++) {
        // Each entry takes two bytes at least.
        entries[i] = cosmi_read_short_max(&patch->in, UINT32_MAX / 2);
        if (entries[i] > reader_left(&patch->in)) {
            patch_in_fault(patch, "it has more entries than bytes");
        }
    }
    if (patch_in_failed(patch) || !patch_make_image(patch, entries)) {
        return;
    }
    cosmi_patch_read_tables(patch, entries[0]);
    patch_read_records(patch);
    patch_finish_pages(patch);
    cosmi_patch_read_tree(patch);
    cosmi_patch_read_order(patch);
    cosmi_patch_read_singletons(patch, entries[1]);
    cosmi_patch_read_managed(patch, entries[2]);
    cosmi_patch_read_sectors(patch, entries[3]);
    if (!patch_in_failed(patch) && reader_left(&patch->in) != 0) {
        patch_in_fault(patch, "it has bytes after its end");
    }
}

static cosm_result patch_check_read(const struct patch_in *patch, const struct patch_world *world) {
    const struct patch_book *book = patch->book;
    if (patch->no_memory) {
        return cosmi_fail_memory(book->sink, book->memory, book->call);
    }
    if (patch_in_failed(patch)) {
        return cosmi_fail(book->sink, COSM_ERROR_FORMAT,
                          "%s: the data of world %u in the patch is damaged: %s; get the patch "
                          "again",
                          book->call, world->world,
                          patch->fault != NULL ? patch->fault : "it is truncated");
    }
    cosm_result result =
        cosmi_image_check(book->schema, book->sink, book->call, patch->image, world->world);
    if (result == COSM_OK && cosmi_patch_hash(book->schema, patch->image) != world->hash_after) {
        result =
            cosmi_fail(book->sink, COSM_ERROR_FORMAT,
                       "%s: world %u would not get the hash in the patch; the patch is damaged: "
                       "get it again",
                       book->call, world->world);
    }
    return result;
}

struct world_image *cosmi_patch_read_world(struct patch_book *book, const void *bytes,
                                           const struct patch_world *world,
                                           const struct world_image *before) {
    struct patch_in patch = {
        .in = reader_of((const char *)bytes + world->body, world->body_size),
        .book = book,
        .before = before,
    };
    patch_read_body(&patch);
    if (patch_check_read(&patch, world) != COSM_OK) {
        cosmi_image_give(book->memory, patch.image);
        return NULL;
    }
    cosmi_image_enter_tables(patch.image);
    return patch.image;
}
