// Reading a patch: what it says of itself, and where the worlds are that changed.
#include <string.h>

#include "state/patch.h"

static cosm_result patch_refuse_head(const struct patch_book *book, const char *what) {
    return cosmi_fail(
        book->sink, COSM_ERROR_FORMAT,
        "%s: the bytes are not a patch, or are truncated or damaged: %s; get the patch again",
        book->call, what);
}

void cosmi_patch_head_free(struct memory *memory, struct patch_head *head) {
    cosmi_memory_give(memory, head->worlds, head->changed_count * sizeof(*head->worlds),
                      _Alignof(struct patch_world));
    head->worlds = NULL;
}

// The worlds that changed; each takes at least 22 bytes.
static cosm_result patch_read_index(struct patch_book *book, struct byte_reader *in,
                                    struct patch_head *head) {
    if (in->failed || head->changed_count > head->world_count ||
        head->changed_count > reader_left(in) / 22) {
        return patch_refuse_head(book, "it has fewer worlds than it states");
    }
    size_t size = head->changed_count * sizeof(*head->worlds);
    // Of no worlds there is no list: allocators are never asked for nothing.
    head->worlds =
        size == 0 ? NULL : cosmi_memory_take(book->memory, size, _Alignof(struct patch_world));
    if (head->worlds == NULL && size > 0) {
        return cosmi_fail_memory(book->sink, book->memory, book->call);
    }
    uint32_t next = 0;
    size_t end = 0;
    bool is_good = true;
    for (uint32_t i = 0; i < head->changed_count && is_good; i++) {
        struct patch_world *world = &head->worlds[i];
        uint32_t gap = cosmi_read_short_max(in, COSM_BATCH_WORLD_MAX);
        world->world = next + gap;
        world->hash_before = cosmi_read_u64(in);
        world->hash_after = cosmi_read_u64(in);
        world->print = cosmi_read_u32(in);
        uint64_t body_size = cosmi_read_short(in);
        is_good = !in->failed && world->world < head->world_count && body_size <= reader_left(in) &&
                  end <= reader_left(in) - (size_t)body_size;
        world->body = end;
        world->body_size = (size_t)body_size;
        end += is_good ? (size_t)body_size : 0;
        next = world->world + 1;
    }
    for (uint32_t i = 0; i < head->changed_count && is_good; i++) {
        head->worlds[i].body += in->at;
    }
    return is_good && end == reader_left(in)
               ? COSM_OK
               : patch_refuse_head(book, "its list of worlds is invalid");
}

cosm_result cosmi_patch_read_head(struct patch_book *book, const void *bytes, size_t size,
                                  struct patch_head *out_head) {
    struct byte_reader in = reader_of(bytes, size);
    *out_head = (struct patch_head){.worlds = NULL};
    const void *magic = cosmi_read_bytes(&in, PATCH_MAGIC_SIZE);
    if (magic == NULL || memcmp(magic, PATCH_MAGIC, PATCH_MAGIC_SIZE) != 0) {
        return patch_refuse_head(book, "the first bytes are wrong");
    }
    uint64_t format = cosmi_read_short(&in);
    if (!in.failed && format != PATCH_FORMAT) {
        return cosmi_fail(
            book->sink, COSM_ERROR_FORMAT,
            "%s: the patch has format %llu, but this library reads format %u; use the same "
            "library on both sides",
            book->call, (unsigned long long)format, PATCH_FORMAT);
    }
    struct patch_head head = {.worlds = NULL};
    head.world_count = cosmi_read_short_max(&in, COSM_BATCH_WORLD_MAX);
    head.changed_count = cosmi_read_short_max(&in, COSM_BATCH_WORLD_MAX);
    head.step_count = cosmi_read_short(&in);
    head.seed = cosmi_read_u64(&in);
    head.rest = cosmi_read_u64(&in);
    if (in.failed) {
        return patch_refuse_head(book, "its header is invalid");
    }
    cosm_result result = cosmi_patch_book_read(book, &in);
    result = result == COSM_OK ? patch_read_index(book, &in, &head) : result;
    if (result != COSM_OK) {
        cosmi_patch_head_free(book->memory, &head);
        return result;
    }
    *out_head = head;
    return COSM_OK;
}
