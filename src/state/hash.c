// Hashes of worlds: what is outside of tables, and all of it together.
//
// What has no order of its own is added up, so a part of it can be hashed apart: the links and
// records of a blob of an image are noted with the blob (state/hash_notes.h), as long as their hash
// depends on nothing else. Objects are never noted, since programs may change what their hash says.
//
// The last word of an exact hash is what the future of a world depends on beyond what it holds: the
// order of groups and of values that are shared, the tickets of objects, the places of sectors. Two
// worlds that hold the same may differ in these, and then walks, and what comes of them, may too.
#include "state/hash.h"

#include "state/shared_order.h"

// Words on their way into a stream.
#define WORD_COUNT 64u

// One record: what it holds of the members in `wanted`, with who has it. The sum does not depend on
// how components are grouped, nor on where records are stored.
static uint64_t hash_record(const struct view *view, const struct part_view *sectors,
                            uint32_t place, uint64_t wanted) {
    const struct sector_group *group = sectors->part->group;
    const cosm_sector *sector = cosmi_view_sector(sectors, place);
    uint64_t live = sector->live & wanted;
    uint64_t sum = 0;
    for (uint32_t m = 0; m < group->member_count; m++) {
        if ((live >> m & 1) != 0) {
            const struct value_type *type = schema_component(view->schema, group->components[m].id);
            const void *value = cosmi_view_member(view, sectors, place, m);
            sum += hash_fact(entity_key(sector->entity), cosmi_hash_value(type, value));
        }
    }
    return sum;
}

static uint64_t hash_records(const struct view *view, const struct part_view *sectors,
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

// The records of a container: bytes are noted blob by blob, objects are asked anew.
static uint64_t hash_container(const struct view *view, const struct part_view *sectors) {
    const struct part *part = sectors->part;
    uint64_t objects = object_members(part->group);
    uint64_t sum = hash_records(view, sectors, 0, part->sector.place_end, objects);
    uint32_t first = 0;
    for (uint32_t i = 0; i < part->blob_count; i++) {
        struct blob *blob = view_lives(sectors) ? NULL : part->blobs[i];
        uint32_t end = first + sector_blob_records(part, i);
        uint64_t known;
        if (!blob_knows(blob, NOTE_EXACT, FACT_SECTOR, &known)) {
            known = hash_records(view, sectors, first, end, ~objects);
            blob_note(blob, NOTE_EXACT, FACT_SECTOR, known);
        }
        sum += known;
        first = end;
    }
    return sum;
}

static uint64_t hash_sectors(const struct view *view) {
    struct part head;
    struct part_view sectors = {0};
    uint64_t sum = 0;
    while (cosmi_view_next(view, PART_SECTOR, &sectors, &head)) {
        sum += hash_container(view, &sectors);
    }
    return sum;
}

// The generations of ids from `first` on that are dead, and not as those of new ids are, added up.
static uint64_t hash_dead(const struct view *view, const struct ids_words *ids, uint32_t first,
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
static uint64_t hash_free(const struct view *view, const struct ids_words *ids,
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
static uint64_t hash_ids(const struct view *view) {
    struct part head;
    struct part_view part = {0};
    bool has_ids = cosmi_view_next(view, PART_IDS, &part, &head);
    INVARIANT(has_ids, "every world has ids");
    (void)has_ids;
    const struct ids_words *ids = &part.part->ids;
    uint64_t listed;
    uint64_t hash = hash_u64(ids->fresh_deaths, (uint64_t)ids->used + ids->reserved_fresh);
    hash = hash_u64(hash, hash_free(view, ids, &listed));
    // Mostly all that are dead are in the list. Others are retired, or reserved and off the list.
    uint64_t dead =
        ids->used - ids->alive == ids->free_count ? listed : hash_dead(view, ids, 0, ids->used);
    return hash_u64(hash, dead + hash_dead(view, ids, ids->used, ids->known));
}

// Who follows whom under which parent says all of a tree.
static uint64_t exact_of_links(const struct view *view, uint32_t first) {
    uint64_t sum = 0;
    for (uint32_t id = first; id < first + LINK_BLOB_IDS; id++) {
        const struct link *link = cosmi_view_link(view, id);
        if (link != NULL && link->parent != ID_NONE) {
            sum += hash_u64(hash_u64(id, (uint64_t)link->parent << 32 | link->next), FACT_TREE);
        }
    }
    return sum;
}

static uint64_t key_of_id(const struct view *view, uint32_t id) {
    return entity_key((cosm_entity){.gen = cosmi_view_record(view, id)->gen, .id = id});
}

// Who has which parent. It depends on generations too, so it is not noted.
static uint64_t content_of_links(const struct view *view, uint32_t first) {
    uint64_t sum = 0;
    for (uint32_t id = first; id < first + LINK_BLOB_IDS; id++) {
        const struct link *link = cosmi_view_link(view, id);
        if (link != NULL && link->parent != ID_NONE) {
            uint64_t parent = hash_u64(FACT_PARENT, key_of_id(view, link->parent));
            sum += hash_fact(key_of_id(view, id), parent);
        }
    }
    return sum;
}

static uint64_t hash_tree(const struct view *view, cosm_hash_kind kind) {
    struct part head;
    struct part_view tree = {0};
    uint32_t blobs = cosmi_view_next(view, PART_TREE, &tree, &head) ? tree.part->blob_count : 0;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < blobs; i++) {
        uint32_t first = i * LINK_BLOB_IDS;
        struct blob *blob = view_lives(&tree) ? NULL : tree.part->blobs[i];
        uint64_t check = hash_u64(FACT_TREE, first);
        uint64_t known;
        if (blob == NULL && !view_lives(&tree)) {
            continue; // no links
        }
        if (kind == COSM_HASH_CONTENT) {
            known = content_of_links(view, first);
        } else if (!blob_knows(blob, NOTE_EXACT, check, &known)) {
            known = exact_of_links(view, first);
            blob_note(blob, NOTE_EXACT, check, known);
        }
        sum += known;
    }
    return sum;
}

uint64_t cosmi_hash_singleton(const struct view *view, const struct value_type *type) {
    const void *value = cosmi_view_singleton(view, type->id);
    return value == NULL ? 0 : hash_u64(FACT_SINGLETON, cosmi_hash_value(type, value));
}

static uint64_t hash_singletons(const struct view *view) {
    uint64_t sum = 0;
    for (uint32_t id = 1; id < paged_count(&view->schema->singletons); id++) {
        sum += cosmi_hash_singleton(view, schema_singleton(view->schema, id));
    }
    return sum;
}

// The words of shared_order.h. 0 where there are no groups.
static uint64_t hash_groups(const struct view *view) {
    if (view->image == NULL) {
        const struct shared *shared = world_shared(view->world.batch, view->world.index);
        return shared == NULL || shared->group_count == 0
                   ? 0
                   : cosmi_shared_order_hash(view->schema, shared);
    }
    const struct part *groups = image_only(view->image, PART_GROUPS);
    uint64_t hash = 0;
    for (uint32_t i = 0; groups != NULL && i < groups->groups.count; i++) {
        hash = hash_u64(hash, ((const uint32_t *)groups->blobs[0]->bytes)[i]);
    }
    return hash;
}

static uint64_t hash_slots(const struct view *view) {
    struct part head;
    struct part_view managed = {0};
    uint64_t sum = 0;
    while (cosmi_view_next(view, PART_MANAGED, &managed, &head)) {
        const struct managed_words *words = &managed.part->managed;
        uint64_t hash = hash_u64(managed.part->type->hash, words->free_head);
        for (uint32_t ticket = 1; ticket <= words->used; ticket++) {
            const struct managed_slot *slot = cosmi_view_slot(&managed, ticket);
            hash = hash_u64(hash, (uint64_t)slot->gen << 32 | slot->id);
        }
        sum += hash;
    }
    return sum;
}

// Records that live and dead ones: an id that gets a member again may find its old place.
static uint64_t hash_places(const struct view *view) {
    struct part head;
    struct part_view sectors = {0};
    uint64_t sum = 0;
    while (cosmi_view_next(view, PART_SECTOR, &sectors, &head)) {
        const struct sector_group *group = sectors.part->group;
        uint64_t hash = 0;
        for (uint32_t m = 0; m < group->member_count; m++) {
            hash += hash_mix(schema_component(view->schema, group->components[m].id)->hash);
        }
        for (uint32_t place = 0; place < sectors.part->sector.place_end; place++) {
            const cosm_sector *sector = cosmi_view_sector(&sectors, place);
            hash = hash_u64(hash, entity_key(sector->entity) ^ (uint64_t)(sector->live != 0) << 63);
        }
        sum += hash;
    }
    return sum;
}

uint64_t cosmi_hash_rest(const struct view *view, uint64_t tables, cosm_hash_kind kind) {
    uint64_t sectors = hash_sectors(view);
    uint64_t tree = hash_tree(view, kind);
    uint64_t singletons = hash_singletons(view);
    if (kind == COSM_HASH_CONTENT) {
        return hash_u64(singletons, tables + sectors + tree);
    }
    const struct stream_image *drawn = &view->stream;
    uint64_t stream = hash_u64(hash_u64(hash_u64(0, drawn->seed), drawn->step), drawn->number);
    uint64_t hash = hash_u64(hash_u64(hash_ids(view), tables), sectors);
    hash = hash_u64(hash_u64(hash_u64(hash, tree), singletons), stream);
    uint64_t groups = hash_groups(view);
    uint64_t slots = hash_slots(view);
    uint64_t places = hash_places(view);
    return (groups | slots | places) == 0
               ? hash
               : hash_u64(hash, hash_u64(hash_u64(groups, slots), places));
}

void cosmi_hash_run_join(struct hash_run *run, uint64_t sum, uint64_t world_count) {
    run->sum += run->factor * sum;
    uint64_t power = HASH_WORLD_FACTOR;
    for (uint64_t left = world_count; left > 0; left >>= 1, power *= power) {
        run->factor *= (left & 1) != 0 ? power : 1;
    }
}

uint64_t cosmi_hash_view(const struct view *view, cosm_hash_kind kind) {
    struct part head;
    struct part_view table = {0};
    uint64_t tables = 0;
    while (cosmi_view_next(view, PART_TABLE, &table, &head)) {
        tables += cosmi_hash_rows(view, &table, kind);
    }
    return cosmi_hash_rest(view, tables, kind);
}

uint64_t cosmi_hash_archetype(const struct view *view, const struct archetype *archetype,
                              cosm_hash_kind kind) {
    struct part head;
    struct part_view table = {0};
    uint64_t sum = 0;
    while (cosmi_view_next(view, PART_TABLE, &table, &head)) {
        sum += table.part->archetype == archetype ? cosmi_hash_rows(view, &table, kind) : 0;
    }
    return sum;
}

uint64_t cosmi_hash_component(const struct view *view, const struct value_type *type,
                              cosm_hash_kind kind) {
    struct part head;
    struct part_view table = {0};
    struct part_view sectors = {0};
    uint64_t sum = 0;
    while (cosmi_view_next(view, PART_TABLE, &table, &head)) {
        sum += cosmi_hash_rows_component(view, &table, type, kind);
    }
    const struct sector_group *group = atomic_load(&type->sector_group);
    if (group != NULL && cosmi_view_find(view, PART_SECTOR, group->id, &sectors, &head)) {
        sum += hash_records(view, &sectors, 0, sectors.part->sector.place_end,
                            (uint64_t)1 << type->sector_member);
    }
    return sum;
}
