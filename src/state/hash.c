// Hashes of worlds: what is outside of tables, and all of it together.
#include "state/hash.h"

#include "state/hash_values.h"

// Words on their way into a stream.
#define WORD_COUNT 64u

// One record: what it holds of the members in `wanted`, with who has it. The sum does not depend on
// how components are grouped, nor on where records lie.
static uint64_t hash_record(const struct hash_view *view, const struct sector_view *sectors,
                            uint32_t place, uint64_t wanted) {
    const cosm_sector *sector = cosmi_view_sector(sectors, place);
    uint64_t live = sector->live & wanted;
    uint64_t sum = 0;
    for (uint32_t m = 0; m < sectors->group->member_count; m++) {
        if ((live >> m & 1) != 0) {
            const struct value_type *type =
                schema_component(view->schema, sectors->group->components[m].id);
            const void *value = cosmi_view_member(sectors, place, m);
            sum += hash_fact(entity_key(sector->entity), cosmi_hash_value(type, value));
        }
    }
    return sum;
}

static uint64_t hash_records(const struct hash_view *view, const struct sector_view *sectors,
                             uint32_t first, uint32_t end, uint64_t wanted) {
    uint64_t sum = 0;
    for (uint32_t place = first; wanted != 0 && place < end; place++) {
        sum += hash_record(view, sectors, place, wanted);
    }
    return sum;
}

// Which members of a group are objects.
static uint64_t object_members(const struct sector_group *group) {
    uint64_t members = 0;
    for (uint32_t m = 0; m < group->member_count; m++) {
        members |= (uint64_t)sector_member_is_object(group, m) << m;
    }
    return members;
}

// The records of an image: bytes are noted piece by piece, objects are asked anew.
static uint64_t hash_sector_image(const struct hash_view *view, const struct sector_view *sectors) {
    uint64_t objects = object_members(sectors->group);
    uint32_t step = sectors->group->layout->chunk_sectors;
    uint64_t sum = hash_records(view, sectors, 0, sectors->place_end, objects);
    for (uint32_t i = 0; i < sectors->image->blob_count; i++) {
        struct blob *blob = sectors->image->blobs[i];
        uint32_t first = i * step;
        uint32_t end = sectors->place_end - first < step ? sectors->place_end : first + step;
        uint64_t known;
        if (!blob_knows(blob, NOTE_EXACT, FACT_SECTOR, &known)) {
            known = hash_records(view, sectors, first, end, ~objects);
            blob_note(blob, NOTE_EXACT, FACT_SECTOR, known);
        }
        sum += known;
    }
    return sum;
}

static uint64_t hash_beside(const struct hash_view *view) {
    struct sector_view sectors;
    uint64_t sum = 0;
    for (uint32_t at = 0; cosmi_view_sectors(view, &at, &sectors);) {
        sum += sectors.image != NULL
                   ? hash_sector_image(view, &sectors)
                   : hash_records(view, &sectors, 0, sectors.place_end, UINT64_MAX);
    }
    return sum;
}

// The generations of ids from `first` on that are dead, and not as those of new ids are, added up.
static uint64_t hash_dead(const struct hash_view *view, const struct ids_words *ids, uint32_t first,
                          uint32_t end) {
    uint32_t fresh = 2u * ids->fresh_deaths;
    uint64_t sum = 0;
    for (uint32_t id = first; id < end; id++) {
        uint32_t gen = cosmi_view_record(view, id)->gen;
        sum += (gen & 1) != 0 || gen == fresh ? 0 : hash_mix((uint64_t)gen << 32 | id);
    }
    return sum;
}

// The free ids in their order but for the reserved ones, which are the first of them; and the sum
// of hash_dead over all of them.
static uint64_t hash_free(const struct hash_view *view, const struct ids_words *ids,
                          uint64_t *out_dead) {
    uint32_t words[WORD_COUNT];
    uint32_t count = 0;
    struct hash_stream stream;
    cosmi_hash_begin(&stream);
    *out_dead = 0;
    uint32_t id = ids->free_head;
    for (uint32_t i = 0; id != ID_NONE; i++, id = cosmi_view_record(view, id)->row) {
        *out_dead += hash_dead(view, ids, id, id + 1);
        if (i >= ids->reserved_free) {
            words[count++] = id;
        }
        if (count == WORD_COUNT) {
            cosmi_hash_add(&stream, words, sizeof(words));
            count = 0;
        }
    }
    cosmi_hash_add(&stream, words, count * sizeof(*words));
    return cosmi_hash_end(&stream, 0);
}

// Ids that do not live: how many were handed out, their generations, and the order of free ones.
// Reserved ids count as such whether or not they have been taken off the free list yet. Those that
// live are in their tables, with their generations.
static uint64_t hash_ids(const struct hash_view *view) {
    struct ids_words ids = cosmi_view_directory(view);
    uint64_t listed;
    uint64_t hash = hash_u64(ids.fresh_deaths, (uint64_t)ids.used + ids.reserved_fresh);
    hash = hash_u64(hash, hash_free(view, &ids, &listed));
    // Mostly all that are dead are in the list. Others are retired, or reserved and off the list.
    uint64_t dead =
        ids.used - ids.alive == ids.free_count ? listed : hash_dead(view, &ids, 0, ids.used);
    return hash_u64(hash, dead + hash_dead(view, &ids, ids.used, ids.known));
}

// Who follows whom under which parent says all of a tree.
static uint64_t hash_links(const struct hash_view *view, uint32_t first, uint32_t end) {
    uint64_t sum = 0;
    for (uint32_t id = first; id < end; id++) {
        const struct link *link = cosmi_view_link(view, id);
        if (link != NULL && link->parent != ID_NONE) {
            sum += hash_u64(hash_u64(id, (uint64_t)link->parent << 32 | link->next), FACT_TREE);
        }
    }
    return sum;
}

static uint64_t hash_tree(const struct hash_view *view) {
    uint32_t end = cosmi_view_link_end(view);
    if (view->image == NULL) {
        return hash_links(view, 0, end);
    }
    uint64_t sum = 0;
    for (uint32_t first = 0; first < end; first += LINK_BLOB_IDS) {
        struct blob *blob = image_only(view->image, PART_TREE)->blobs[first / LINK_BLOB_IDS];
        uint64_t check = hash_u64(FACT_TREE, first);
        uint64_t known = 0;
        if (blob != NULL && !blob_knows(blob, NOTE_EXACT, check, &known)) {
            known = hash_links(view, first, first + LINK_BLOB_IDS);
            blob_note(blob, NOTE_EXACT, check, known);
        }
        sum += known;
    }
    return sum;
}

static cosm_entity entity_of_id(const struct hash_view *view, uint32_t id) {
    return (cosm_entity){.gen = cosmi_view_record(view, id)->gen, .id = id};
}

// Who has which parent.
static uint64_t content_of_tree(const struct hash_view *view) {
    uint32_t end = cosmi_view_link_end(view);
    uint64_t sum = 0;
    for (uint32_t id = 0; id < end; id++) {
        const struct link *link = cosmi_view_link(view, id);
        if (link != NULL && link->parent != ID_NONE) {
            uint64_t parent = entity_key(entity_of_id(view, link->parent));
            sum += hash_fact(entity_key(entity_of_id(view, id)), hash_u64(FACT_PARENT, parent));
        }
    }
    return sum;
}

uint64_t cosmi_hash_singleton(const struct hash_view *view, const struct value_type *type) {
    const void *value =
        type->id < cosmi_view_singleton_end(view) ? cosmi_view_singleton(view, type->id) : NULL;
    return value == NULL ? 0 : hash_u64(FACT_SINGLETON, cosmi_hash_value(type, value));
}

static uint64_t hash_singletons(const struct hash_view *view) {
    uint64_t sum = 0;
    for (uint32_t id = 1; id < cosmi_view_singleton_end(view); id++) {
        // A batch may have made room for one whose definition then failed.
        const struct value_type *type = schema_singleton(view->schema, id);
        sum += type == NULL ? 0 : cosmi_hash_singleton(view, type);
    }
    return sum;
}

static uint64_t hash_stream_of(const struct hash_view *view) {
    struct stream_image stream = cosmi_view_stream(view);
    return hash_u64(hash_u64(hash_u64(0, stream.seed), stream.step), stream.number);
}

uint64_t cosmi_hash_world(const struct hash_view *view, uint64_t tables, cosm_hash_kind kind) {
    uint64_t beside = hash_beside(view);
    if (kind == COSM_HASH_CONTENT) {
        return hash_u64(hash_singletons(view), tables + beside + content_of_tree(view));
    }
    uint64_t hash = hash_u64(hash_ids(view), tables);
    hash = hash_u64(hash_u64(hash, beside), hash_tree(view));
    hash = hash_u64(hash, hash_singletons(view));
    hash = hash_u64(hash, hash_stream_of(view));
    uint64_t numbers = cosmi_hash_numbers(view);
    return numbers == 0 ? hash : hash_u64(hash, numbers);
}

void cosmi_hash_run_join(struct hash_run *run, uint64_t sum, uint64_t world_count) {
    run->sum += run->factor * sum;
    uint64_t power = HASH_WORLD_FACTOR;
    for (uint64_t left = world_count; left > 0; left >>= 1, power *= power) {
        run->factor *= (left & 1) != 0 ? power : 1;
    }
}

uint64_t cosmi_hash_view(const struct hash_view *view, cosm_hash_kind kind) {
    struct table_view table;
    uint64_t tables = 0;
    for (size_t at = 0; cosmi_view_table(view, &at, &table);) {
        tables += cosmi_hash_rows(view, &table, kind);
    }
    return cosmi_hash_world(view, tables, kind);
}

uint64_t cosmi_hash_archetype(const struct hash_view *view, const struct archetype *archetype,
                              cosm_hash_kind kind) {
    struct table_view table;
    uint64_t sum = 0;
    for (size_t at = 0; cosmi_view_table(view, &at, &table);) {
        sum += table.archetype == archetype ? cosmi_hash_rows(view, &table, kind) : 0;
    }
    return sum;
}

uint64_t cosmi_hash_component(const struct hash_view *view, const struct value_type *type,
                              cosm_hash_kind kind) {
    uint64_t sum = 0;
    struct table_view table;
    for (size_t at = 0; cosmi_view_table(view, &at, &table);) {
        sum += cosmi_hash_rows_component(view, &table, type, kind);
    }
    struct sector_view sectors;
    for (uint32_t at = 0; cosmi_view_sectors(view, &at, &sectors);) {
        uint64_t member = (uint64_t)1 << type->sector_member;
        bool has_it = sectors.group == atomic_load(&type->sector_group);
        sum += hash_records(view, &sectors, 0, sectors.place_end, has_it ? member : 0);
    }
    return sum;
}
