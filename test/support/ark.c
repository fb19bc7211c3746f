// An engine with components of every storage.
#include "support/ark.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"

static const cosm_field vector_fields[] = {
    {.name = "x", .type = COSM_FIELD_F32, .offset = 0},
    {.name = "y", .type = COSM_FIELD_F32, .offset = 4},
    {.name = "z", .type = COSM_FIELD_F32, .offset = 8},
};

static const cosm_label kinds[] = {{"cook", 1}, {"mate", 2}};
static const cosm_labels kind_labels = {"kind", COSM_LABELS_ENUM, 2, kinds};

static const cosm_field crew_fields[] = {
    {.name = "kind", .type = COSM_FIELD_U8, .offset = offsetof(Crew, kind), .labels = &kind_labels},
    {.name = "mass", .type = COSM_FIELD_F32, .offset = offsetof(Crew, mass), .unit = "kg"},
    {.name = "number", .type = COSM_FIELD_U64, .offset = offsetof(Crew, number)},
    {.name = "flag", .type = COSM_FIELD_U8, .offset = offsetof(Crew, flag)},
};

static const cosm_field wide_fields[] = {
    {.name = "words", .type = COSM_FIELD_U32, .offset = 0, .dims = {16}},
};

static const cosm_field tribe_fields[] = {{.name = "n", .type = COSM_FIELD_U32, .offset = 0}};
static const cosm_field heat_fields[] = {{.name = "d", .type = COSM_FIELD_F32, .offset = 0}};
static const cosm_field coin_fields[] = {
    {.name = "a", .type = COSM_FIELD_U32, .offset = 0},
    {.name = "b", .type = COSM_FIELD_U32, .offset = 4},
};

static const cosm_field wind_fields[] = {
    {.name = "force", .type = COSM_FIELD_U8, .offset = offsetof(Wind, force)},
    {.name = "x", .type = COSM_FIELD_F32, .offset = offsetof(Wind, x)},
};

static bool word_make(struct ark *ark, Word *word, const char *letters) {
    word->self = word;
    word->letters = malloc(strlen(letters) + 1);
    memcpy(word->letters, letters, strlen(letters) + 1);
    atomic_fetch_add(&ark->words, 1);
    return true;
}

static void word_check(struct ark *ark, const Word *word) {
    atomic_fetch_add(&ark->wrong, word->self == word ? 0 : 1);
}

static bool word_construct(void *context, void *object) {
    return word_make(context, object, "new");
}

static bool word_copy(void *context, void *object, const void *source) {
    return word_make(context, object, ((const Word *)source)->letters);
}

static void word_move(void *context, void *object, void *source) {
    Word *word = source;
    Word *target = object;
    word_check(context, word);
    *target = (Word){target, word->letters};
    word->self = NULL;
}

static void word_destroy(void *context, void *object) {
    struct ark *ark = context;
    Word *word = object;
    word_check(ark, word);
    free(word->letters);
    word->self = NULL;
    atomic_fetch_sub(&ark->words, 1);
}

static bool word_equals(void *context, const void *a, const void *b) {
    (void)context;
    return strcmp(((const Word *)a)->letters, ((const Word *)b)->letters) == 0;
}

static uint64_t word_hash(void *context, const void *object) {
    (void)context;
    uint64_t hash = 7;
    for (const char *at = ((const Word *)object)->letters; *at != '\0'; at++) {
        hash = hash * 31 + (unsigned char)*at;
    }
    return hash;
}

// In two pieces, because that is allowed.
static cosm_result word_save(void *context, const void *object, cosm_text_fn *write, void *target) {
    struct ark *ark = context;
    const Word *word = object;
    word_check(ark, word);
    size_t length = strlen(word->letters);
    write(target, word->letters, length / 2);
    write(target, word->letters + length / 2, length - length / 2);
    return COSM_OK;
}

static cosm_result word_load(void *context, const void *bytes, size_t size, void *object) {
    char letters[64];
    if (size >= sizeof(letters)) {
        return COSM_ERROR_FORMAT;
    }
    memcpy(letters, bytes, size);
    letters[size] = '\0';
    return word_make(context, object, letters) ? COSM_OK : COSM_ERROR_MEMORY;
}

static cosm_component define(struct ark *ark, cosm_component_desc desc, bool is_word) {
    if (is_word) {
        desc.lifecycle = (cosm_lifecycle){.construct = word_construct,
                                          .copy = word_copy,
                                          .move = word_move,
                                          .destroy = word_destroy,
                                          .equals = word_equals,
                                          .hash = word_hash,
                                          .context = ark};
        if (desc.storage == COSM_STORAGE_SHARED) {
            desc.lifecycle.construct = NULL;
            desc.lifecycle.move = NULL;
        }
    }
    cosm_component component = cosm_component_define(ark->engine, &desc);
    (void)harness_check(__FILE__, __LINE__, cosm_error_message(), component.id != 0);
    if (is_word) {
        ark->objects[ark->object_count++] = (cosm_save_object){
            .component = component, .context = ark, .save = word_save, .load = word_load};
    }
    return component;
}

#define FIELDS(list) .fields = (list), .field_count = sizeof(list) / sizeof((list)[0])

// Kinds of things that are defined one after the other, or the other way round.
static void define_nth(struct ark *ark, const struct ark_plan *plan, int n) {
    cosm_layout layout = plan->split ? COSM_LAYOUT_SPLIT : COSM_LAYOUT_STRUCT;
    bool all = !plan->fewer;
    bool other = plan->other_ways;
    switch (n) {
    case 0:
        ark->position = define(ark,
                               (cosm_component_desc){.name = "Position",
                                                     .size = 12,
                                                     .alignment = 4,
                                                     .layout = layout,
                                                     FIELDS(vector_fields)},
                               false);
        break;
    case 1:
        ark->velocity = define(ark,
                               (cosm_component_desc){.name = "Velocity",
                                                     .size = 12,
                                                     .alignment = 4,
                                                     .change_rows = plan->backwards,
                                                     FIELDS(vector_fields)},
                               false);
        break;
    case 2:
        ark->crew = define(ark,
                           (cosm_component_desc){.name = "Crew",
                                                 .size = sizeof(Crew),
                                                 .alignment = _Alignof(Crew),
                                                 .layout = layout,
                                                 FIELDS(crew_fields)},
                           false);
        break;
    case 3:
        ark->wide =
            define(ark,
                   (cosm_component_desc){
                       .name = "Wide", .size = sizeof(Wide), .alignment = 64, FIELDS(wide_fields)},
                   false);
        break;
    case 4:
        if (all) {
            ark->bare = define(ark, (cosm_component_desc){.name = "Bare", .size = 8}, false);
        }
        break;
    case 5:
        if (all) {
            ark->flag = define(ark, (cosm_component_desc){.name = "Flag"}, false);
        }
        break;
    case 6:
        if (all) {
            ark->tribe = define(
                ark,
                (cosm_component_desc){.name = "Tribe",
                                      .size = 4,
                                      .storage = other ? COSM_STORAGE_SECTOR : COSM_STORAGE_SHARED,
                                      FIELDS(tribe_fields)},
                false);
        }
        break;
    case 7:
        ark->motto =
            define(ark,
                   (cosm_component_desc){
                       .name = "Motto", .size = sizeof(Word), .storage = COSM_STORAGE_SHARED},
                   true);
        break;
    case 8:
        if (all) {
            ark->word =
                define(ark,
                       (cosm_component_desc){
                           .name = "Word", .size = sizeof(Word), .storage = COSM_STORAGE_MANAGED},
                       true);
        }
        break;
    case 9:
        ark->coin = define(
            ark,
            (cosm_component_desc){.name = "Coin",
                                  .size = 8,
                                  .alignment = 4,
                                  .storage = other ? COSM_STORAGE_COLUMN : COSM_STORAGE_MANAGED,
                                  FIELDS(coin_fields)},
            false);
        break;
    case 10:
        ark->heat = define(
            ark,
            (cosm_component_desc){.name = "Heat",
                                  .size = 4,
                                  .storage = other ? COSM_STORAGE_SHARED : COSM_STORAGE_SECTOR,
                                  FIELDS(heat_fields)},
            false);
        break;
    case 11:
        if (all) {
            ark->note =
                define(ark,
                       (cosm_component_desc){
                           .name = "Note", .size = sizeof(Word), .storage = COSM_STORAGE_SECTOR},
                       true);
        }
        break;
    case 12:
        if (all) {
            ark->wet = define(
                ark, (cosm_component_desc){.name = "Wet", .storage = COSM_STORAGE_SECTOR}, false);
        }
        break;
    case 13:
        if (all) {
            ark->wind = cosm_singleton_define(ark->engine,
                                              &(cosm_singleton_desc){.name = "Wind",
                                                                     .size = sizeof(Wind),
                                                                     .alignment = _Alignof(Wind),
                                                                     FIELDS(wind_fields)});
        }
        break;
    default:
        ark->clock =
            cosm_singleton_define(ark->engine, &(cosm_singleton_desc){.name = "Clock", .size = 8});
        break;
    }
}

static void define_all(struct ark *ark, const struct ark_plan *plan) {
    for (int i = 0; i < 15; i++) {
        define_nth(ark, plan, plan->backwards ? 14 - i : i);
    }
    if (!plan->apart && !plan->fewer && !plan->other_ways) {
        cosm_sector_group_desc group = {.name = "beside", .components = {ark->heat, ark->note}};
        CHECK(cosm_sector_group_define(ark->engine, &group).id != 0);
    }
    cosm_archetype_desc mover = {.name = "mover", .components = {ark->position, ark->velocity}};
    if (plan->fixed) {
        mover.placement = COSM_PLACEMENT_FIXED;
        mover.max_per_world = 5000;
    }
    if (plan->half_split) {
        mover.layouts[0] = (cosm_column_layout){ark->position, COSM_LAYOUT_SPLIT};
    }
    ark->mover = cosm_archetype_define(ark->engine, &mover);
    ark->event = cosm_archetype_define(
        ark->engine, &(cosm_archetype_desc){.name = "event",
                                            .components = {ark->position, ark->word},
                                            .temporary = true});
    CHECK(ark->mover.id != 0 && ark->event.id != 0);
}

void ark_open_with(struct ark *ark, const struct ark_plan *plan, const cosm_engine_desc *desc,
                   uint32_t world_count) {
    static const struct ark_plan plain = {.backwards = false};
    memset(ark, 0, sizeof(*ark));
    ark->engine = cosm_engine_create(desc);
    define_all(ark, plan == NULL ? &plain : plan);
    if (world_count > 0) {
        ark->batch = cosm_batch_create(ark->engine,
                                       &(cosm_batch_desc){.world_count = world_count, .seed = 11});
        CHECK(ark->batch != NULL);
        ark->world = cosm_batch_world(ark->batch, 0);
        ark->all = cosm_worlds_all(ark->batch);
    }
}

void ark_open(struct ark *ark, const struct ark_plan *plan, uint32_t world_count) {
    ark_open_with(ark, plan, NULL, world_count);
}

void ark_close(struct ark *ark) {
    if (ark->batch != NULL) {
        CHECK_VALID(ark->batch);
        CHECK_DONE(cosm_batch_destroy(ark->batch));
    }
    CHECK_DONE(cosm_engine_destroy(ark->engine));
    CHECK_INT(atomic_load(&ark->words), 0);
    CHECK_INT(atomic_load(&ark->wrong), 0);
}

Word ark_word(struct ark *ark, uint32_t number) {
    char letters[32];
    Word word;
    (void)snprintf(letters, sizeof(letters), "word %u", number);
    (void)word_make(ark, &word, letters);
    return word;
}

void ark_word_end(struct ark *ark, Word *word) {
    free(word->letters);
    atomic_fetch_sub(&ark->words, 1);
}

const char *ark_text(const struct ark *ark, cosm_world world, cosm_entity entity,
                     cosm_component component) {
    (void)ark;
    const Word *word = cosm_entity_read(world, entity, component);
    return word == NULL ? "" : word->letters;
}

static void set(struct ark *ark, cosm_world world, cosm_entity entity, uint32_t what,
                uint32_t number) {
    cosm_component words[] = {ark->motto, ark->word, ark->note};
    cosm_result result = COSM_OK;
    Crew crew;
    memset(&crew, 0xA5, sizeof(crew)); // rubbish in the gaps
    crew.kind = (uint8_t)(1 + number % 2);
    crew.mass = (float)number;
    crew.number = number * 3;
    crew.flag = (uint8_t)number;
    Wide wide = {{number, 1}};
    Word word = ark_word(ark, number % 5);
    switch (what) {
    case 0:
        result = cosm_entity_set(world, entity, ark->position, &(Position){(float)number, 1, 2});
        break;
    case 1:
        result = cosm_entity_set(world, entity, ark->crew, &crew);
        break;
    case 2:
        result = cosm_entity_set(world, entity, ark->wide, &wide);
        break;
    case 3:
        result = cosm_entity_set(world, entity, ark->bare, &(uint64_t){number});
        break;
    case 4:
        result = cosm_entity_add(world, entity, ark->flag);
        break;
    case 5:
        result = cosm_entity_set(world, entity, ark->tribe, &(uint32_t){number % 3});
        break;
    case 6:
    case 7:
    case 8:
        result = cosm_entity_set(world, entity, words[what - 6], &word);
        break;
    case 9:
        result = cosm_entity_set(world, entity, ark->coin, &(Coin){number, 9});
        break;
    case 10:
        result = cosm_entity_set(world, entity, ark->heat, &(float){(float)(number % 4)});
        break;
    default:
        result = cosm_entity_add(world, entity, ark->wet);
        break;
    }
    CHECK(result == COSM_OK || result == COSM_STALE);
    ark_word_end(ark, &word);
}

static void unset(struct ark *ark, cosm_world world, cosm_entity entity, uint32_t what) {
    cosm_component all[] = {ark->velocity, ark->crew, ark->bare, ark->flag, ark->tribe, ark->motto,
                            ark->word,     ark->coin, ark->heat, ark->note, ark->wet};
    cosm_result result = cosm_entity_remove(world, entity, all[what % 11]);
    CHECK(result == COSM_OK || result == COSM_STALE);
}

void ark_live(struct ark *ark, uint64_t seed, uint32_t turns) {
    struct dice dice = {seed};
    cosm_entity entities[48];
    uint32_t world_count = cosm_batch_world_count(ark->batch);
    for (uint32_t w = 0; w < world_count; w++) {
        cosm_world world = cosm_batch_world(ark->batch, w);
        for (uint32_t i = 0; i < 48; i++) {
            entities[i] = COSM_ENTITY_NONE;
        }
        for (uint32_t turn = 0; turn < turns; turn++) {
            uint32_t which = dice_roll(&dice, 48);
            uint32_t what = dice_roll(&dice, 20);
            cosm_entity entity = entities[which];
            if (what < 4 && !cosm_entity_is_alive(world, entity)) {
                entities[which] = cosm_entity_spawn(world, ark->mover);
            } else if (what < 14) {
                // One after the other: compilers differ in which argument they look at first.
                uint32_t value = dice_roll(&dice, 100);
                set(ark, world, entity, dice_roll(&dice, 12), value);
            } else if (what < 16) {
                unset(ark, world, entity, dice_roll(&dice, 11));
            } else if (what == 16) {
                cosm_result result = cosm_entity_despawn(world, entity);
                CHECK(result == COSM_OK || result == COSM_STALE);
            } else if (what == 17) {
                cosm_entity parent = entities[dice_roll(&dice, 48)];
                if (cosm_entity_is_alive(world, entity) && cosm_entity_is_alive(world, parent)) {
                    cosm_error_clear();
                    cosm_result result = cosm_tree_set_parent(world, entity, parent);
                    CHECK(result == COSM_OK || result == COSM_ERROR_ARGUMENT);
                }
            } else if (what == 18) {
                Wind *wind = SINGLETON_WRITE_BY_ID(world, Wind, ark->wind);
                memset(wind, 0x5A, sizeof(*wind));
                wind->force = (uint8_t)turn;
                wind->x = (float)turn;
            } else {
                *SINGLETON_WRITE_BY_ID(world, uint64_t, ark->clock) += turn;
            }
        }
        if (dice_roll(&dice, 2) == 0) {
            // Rows without handles, as they are before the end of a step.
            cosm_rows rows;
            CHECK_DONE(cosm_entity_spawn_many(world, ark->event, 3, &rows));
        }
    }
    cosm_error_clear();
}

void ark_fill(struct ark *ark, uint32_t count) {
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(ark->world, ark->mover, count, &rows));
    cosm_entity first = rows.entities[0];
    for (uint32_t i = 0; i < count; i += 7) {
        cosm_entity entity = {first.gen, first.id + i};
        set(ark, ark->world, entity, 0, i);
        if (i % 3 == 0) {
            set(ark, ark->world, entity, 1, i);
        }
    }
}

cosm_save_desc ark_save_desc(const struct ark *ark) {
    return (cosm_save_desc){
        .fast = true, .objects = ark->objects, .object_count = ark->object_count};
}

cosm_load_desc ark_load_desc(const struct ark *ark) {
    return (cosm_load_desc){.objects = ark->objects, .object_count = ark->object_count};
}

void ark_save(struct ark *ark, const char *path) {
    cosm_save_desc desc = ark_save_desc(ark);
    cosm_snapshot *snapshot = cosm_snapshot_create(ark->all);
    CHECK(snapshot != NULL);
    CHECK_DONE(cosm_save_write(snapshot, path, &desc));
    cosm_snapshot_destroy(snapshot);
}

struct byte_sink {
    unsigned char *bytes;
    size_t size;
};

static void take_bytes(void *context, const char *text, size_t length) {
    struct byte_sink *sink = context;
    sink->bytes = realloc(sink->bytes, sink->size + length + 1);
    memcpy(sink->bytes + sink->size, text, length);
    sink->size += length;
}

unsigned char *ark_save_bytes(struct ark *ark, size_t *out_size) {
    cosm_save_desc desc = ark_save_desc(ark);
    struct byte_sink sink = {NULL, 0};
    cosm_snapshot *snapshot = cosm_snapshot_create(ark->all);
    CHECK(snapshot != NULL);
    CHECK_DONE(cosm_save_write_to(snapshot, &desc, take_bytes, &sink));
    cosm_snapshot_destroy(snapshot);
    *out_size = sink.size;
    return sink.bytes;
}

static void restore(struct ark *ark, cosm_snapshot *snapshot) {
    if (!harness_check(__FILE__, __LINE__, cosm_error_message(), snapshot != NULL)) {
        return;
    }
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, ark->all));
    cosm_snapshot_destroy(snapshot);
    CHECK_VALID(ark->batch);
}

void ark_load(struct ark *ark, const char *path, cosm_save_report *out_report) {
    cosm_load_desc desc = ark_load_desc(ark);
    restore(ark, cosm_save_read(ark->engine, path, &desc, out_report));
}

void ark_load_bytes(struct ark *ark, const void *bytes, size_t size, cosm_save_report *out_report) {
    cosm_load_desc desc = ark_load_desc(ark);
    restore(ark, cosm_save_read_bytes(ark->engine, bytes, size, &desc, out_report));
}

uint64_t ark_file_hash(struct ark *ark, const char *path) {
    cosm_load_desc load = ark_load_desc(ark);
    cosm_snapshot *snapshot = cosm_save_read(ark->engine, path, &load, NULL);
    if (!harness_check(__FILE__, __LINE__, cosm_error_message(), snapshot != NULL)) {
        return 0;
    }
    uint64_t hash = cosm_hash_snapshot(snapshot, COSM_HASH_EXACT);
    cosm_snapshot_destroy(snapshot);
    return hash;
}

const char *ark_path(const char *name) {
    static char path[256];
    (void)snprintf(path, sizeof(path), "/tmp/cosm-ark-%ld-%s", (long)getpid(), name);
    return path;
}

// Runs of equal bytes become a count and a byte; what is not like that grows.
static size_t runs_bound(void *context, size_t size) {
    (void)context;
    return 2 * size;
}

static size_t runs_pack(void *context, const void *source, size_t size, size_t stride, void *target,
                        size_t room) {
    (void)context;
    (void)stride;
    const unsigned char *in = source;
    unsigned char *out = target;
    size_t used = 0;
    for (size_t i = 0; i < size;) {
        size_t run = 1;
        while (i + run < size && run < 255 && in[i + run] == in[i]) {
            run++;
        }
        if (used + 2 > room) {
            return 0;
        }
        out[used++] = (unsigned char)run;
        out[used++] = in[i];
        i += run;
    }
    return used;
}

static size_t runs_unpack(void *context, const void *source, size_t size, size_t stride,
                          void *target, size_t room) {
    (void)context;
    (void)stride;
    const unsigned char *in = source;
    unsigned char *out = target;
    size_t used = 0;
    for (size_t i = 0; i + 1 < size; i += 2) {
        if (in[i] > room - used) {
            return 0;
        }
        memset(out + used, in[i + 1], in[i]);
        used += in[i];
    }
    return used;
}

const cosm_codec ark_runs = {
    .name = "runs", .bound = runs_bound, .pack = runs_pack, .unpack = runs_unpack};
