// Managed components over random histories: an obvious mirror of who has which object, compared
// after every change, with hooks and memory that fail now and then.
#include <string.h>

#include "harness.h"
#include "support/fixture.h"
#include "support/ledger.h"

enum { WORLDS = 2, ACTORS = 40, PENDING = 30, NOTES = 20 };
enum kind { KIND_TEXT, KIND_MESH, KIND_PAIR, KIND_MARK, KIND_COUNT };

// What is known of one entity. Objects by number, OBJECT_NONE: none.
struct actor {
    cosm_entity entity;
    bool lives;
    bool is_promised;
    bool has[KIND_COUNT];
    uint32_t number[KIND_COUNT];
};

struct world_mirror {
    struct actor actors[ACTORS];
    uint32_t notes[NOTES];
    uint32_t note_count;
};

enum deed { DEED_SPAWN, DEED_EMIT, DEED_DESPAWN, DEED_ADD, DEED_REMOVE, DEED_SET };

struct pending {
    enum deed deed;
    uint32_t world;
    uint32_t actor;
    enum kind kind;
    uint32_t number;
    cosm_entity entity;
};

struct history {
    struct fixture box;
    struct ledger ledger;
    struct dice dice;
    struct world_mirror worlds[WORLDS];
    struct pending pending[PENDING];
    uint32_t pending_count;
    cosm_commands *commands;
    cosm_query *all;
    uint32_t failures;
    Text text; // the value at hand
    Mesh mesh;
    Pair pair;
};

static cosm_component kind_component(const struct history *h, enum kind kind) {
    const cosm_component list[] = {h->box.text, h->box.mesh, h->box.pair, h->box.mark};
    return list[kind];
}

// A value of that number, until value_end.
static const void *value_begin(struct history *h, enum kind kind, uint32_t number) {
    switch (kind) {
    case KIND_TEXT:
        text_open(&h->box.books, &h->text, number);
        return &h->text;
    case KIND_MESH:
        mesh_open(&h->box.books, &h->mesh, number);
        return &h->mesh;
    case KIND_PAIR:
        h->pair = (Pair){number, 1};
        return &h->pair;
    default:
        return NULL;
    }
}

static void value_end(struct history *h, enum kind kind) {
    if (kind == KIND_TEXT) {
        text_end(&h->box.books, &h->text);
    } else if (kind == KIND_MESH) {
        mesh_end(&h->box.books, &h->mesh);
    }
}

static uint32_t object_number(enum kind kind, const void *object) {
    if (object == NULL) {
        return OBJECT_NONE;
    }
    return kind == KIND_TEXT   ? text_number(object)
           : kind == KIND_MESH ? mesh_number(object)
                               : ((const Pair *)object)->a;
}

// The mirror's half of each change.
static void mirror_spawn(struct actor *actor, cosm_entity entity) {
    *actor = (struct actor){.entity = entity, .lives = true};
    for (uint32_t k = 0; k < KIND_COUNT; k++) {
        actor->number[k] = OBJECT_NONE;
    }
    actor->has[KIND_TEXT] = true; // an actor
}

static void mirror_set(struct actor *actor, enum kind kind, uint32_t number) {
    actor->has[kind] = true;
    actor->number[kind] = kind == KIND_MARK ? OBJECT_NONE : number;
}

static void mirror_remove(struct actor *actor, enum kind kind) {
    actor->has[kind] = false;
    actor->number[kind] = OBJECT_NONE;
}

static void mirror_pending(struct history *h, const struct pending *pending) {
    struct world_mirror *world = &h->worlds[pending->world];
    struct actor *actor = &world->actors[pending->actor];
    if (pending->deed == DEED_EMIT) {
        world->notes[world->note_count++] = pending->number;
        return;
    }
    if (pending->deed == DEED_SPAWN) {
        mirror_spawn(actor, actor->entity);
        mirror_set(actor, KIND_TEXT, pending->number);
        return;
    }
    // The place may have got another entity meanwhile.
    if (!actor->lives || !cosm_entity_equals(actor->entity, pending->entity)) {
        return;
    }
    switch (pending->deed) {
    case DEED_DESPAWN:
        actor->lives = false;
        break;
    case DEED_ADD:
        actor->has[pending->kind] = true;
        break;
    case DEED_REMOVE:
        mirror_remove(actor, pending->kind);
        break;
    default:
        mirror_set(actor, pending->kind, pending->number);
        break;
    }
}

// Holds a world against its mirror.
static void compare_actor(struct history *h, uint32_t w, const struct actor *actor) {
    cosm_world world = fixture_world(&h->box, w);
    CHECK(cosm_entity_is_alive(world, actor->entity) == actor->lives);
    for (uint32_t k = 0; actor->lives && k < KIND_COUNT; k++) {
        cosm_component component = kind_component(h, k);
        CHECK(cosm_entity_has(world, actor->entity, component) == actor->has[k]);
        const void *object = cosm_entity_read(world, actor->entity, component);
        CHECK_INT(object_number(k, object), actor->number[k]);
    }
}

static void compare(struct history *h) {
    size_t objects = 0;
    for (uint32_t w = 0; w < WORLDS; w++) {
        const struct world_mirror *mirror = &h->worlds[w];
        uint32_t counts[KIND_COUNT] = {mirror->note_count, 0, 0, 0};
        for (uint32_t a = 0; a < ACTORS; a++) {
            compare_actor(h, w, &mirror->actors[a]);
            for (uint32_t k = 0; mirror->actors[a].lives && k < KIND_MARK; k++) {
                counts[k] += mirror->actors[a].number[k] != OBJECT_NONE;
            }
        }
        for (uint32_t k = 0; k < KIND_MARK; k++) {
            CHECK_INT(cosm_managed_count(fixture_world(&h->box, w), kind_component(h, k)),
                      counts[k]);
        }
        for (uint32_t n = 0; n < mirror->note_count; n++) {
            cosm_loc loc = {h->box.letter.id, n};
            CHECK_INT(text_number(cosm_loc_read(fixture_world(&h->box, w), loc, h->box.text)),
                      mirror->notes[n]);
        }
        objects += counts[KIND_TEXT] + counts[KIND_MESH];
    }
    for (uint32_t i = 0; i < h->pending_count; i++) {
        bool is_text = h->pending[i].deed == DEED_SPAWN || h->pending[i].deed == DEED_EMIT;
        objects += is_text || (h->pending[i].deed == DEED_SET && h->pending[i].kind < KIND_PAIR);
    }
    CHECK_INT(objects_count(&h->box.books), objects);
    CHECK_VALID(h->box.batch);
    CHECK(h->box.books.wrong == NULL);
}

static struct actor *pick_actor(struct history *h, uint32_t w) {
    return &h->worlds[w].actors[dice_roll(&h->dice, ACTORS)];
}

static enum kind pick_kind(struct history *h) {
    return (enum kind)dice_roll(&h->dice, KIND_COUNT);
}

// A free place for an actor, or NULL.
static struct actor *pick_free(struct history *h, uint32_t w) {
    for (uint32_t a = 0; a < ACTORS; a++) {
        struct actor *actor = &h->worlds[w].actors[a];
        if (!actor->lives && !actor->is_promised) {
            return actor;
        }
    }
    return NULL;
}

static void spawn_one(struct history *h, uint32_t w) {
    struct actor *actor = pick_free(h, w);
    bool with = dice_roll(&h->dice, 3) > 0;
    uint32_t number = dice_roll(&h->dice, 1000);
    if (actor == NULL) {
        return;
    }
    const void *value = value_begin(h, KIND_TEXT, number);
    cosm_entity entity = cosm_entity_spawn_with(fixture_world(&h->box, w), h->box.actor,
                                                &(cosm_value){h->box.text, value}, with ? 1 : 0);
    value_end(h, KIND_TEXT);
    if (!cosm_entity_is_none(entity)) {
        mirror_spawn(actor, entity);
        actor->number[KIND_TEXT] = with ? number : OBJECT_NONE;
    }
}

static void spawn_some(struct history *h, uint32_t w) {
    cosm_rows rows;
    uint32_t count = 1 + dice_roll(&h->dice, 4);
    uint32_t room = 0;
    for (uint32_t a = 0; a < ACTORS; a++) {
        room += !h->worlds[w].actors[a].lives && !h->worlds[w].actors[a].is_promised;
    }
    cosm_world world = fixture_world(&h->box, w);
    cosm_result result = room < count ? COSM_STALE
                         : dice_roll(&h->dice, 2) == 0
                             ? cosm_entity_spawn_many(world, h->box.actor, count, &rows)
                             : cosm_entity_spawn_many_unset(world, h->box.actor, count, &rows);
    for (uint32_t i = 0; result == COSM_OK && i < count; i++) {
        struct actor *actor = pick_free(h, w);
        mirror_spawn(actor, rows.entities[i]);
        uint32_t number = dice_roll(&h->dice, 1000);
        const void *value = value_begin(h, KIND_TEXT, number);
        if (cosm_rows_set(&rows, i, h->box.text, value) == COSM_OK) {
            actor->number[KIND_TEXT] = number;
        }
        value_end(h, KIND_TEXT);
    }
}

static void change_one(struct history *h, uint32_t w) {
    cosm_world world = fixture_world(&h->box, w);
    struct actor *actor = pick_actor(h, w);
    enum kind kind = pick_kind(h);
    cosm_component component = kind_component(h, kind);
    uint32_t number = dice_roll(&h->dice, 1000);
    cosm_result result;
    switch (dice_roll(&h->dice, 5)) {
    case 0:
        if (cosm_entity_add(world, actor->entity, component) == COSM_OK) {
            actor->has[kind] = true;
        }
        break;
    case 1:
        if (cosm_entity_remove(world, actor->entity, component) == COSM_OK) {
            mirror_remove(actor, kind);
        }
        break;
    case 2:
        if (cosm_entity_despawn(world, actor->entity) == COSM_OK) {
            actor->lives = false;
        }
        break;
    default: {
        const void *value = value_begin(h, kind, number);
        result = cosm_entity_set(world, actor->entity, component, value);
        value_end(h, kind);
        if (result == COSM_OK) {
            mirror_set(actor, kind, number);
        }
        break;
    }
    }
}

// What only objects have.
static void change_object(struct history *h, uint32_t w) {
    cosm_world world = fixture_world(&h->box, w);
    struct actor *actor = pick_actor(h, w);
    uint32_t number = dice_roll(&h->dice, 1000);
    switch (dice_roll(&h->dice, 4)) {
    case 0:
        (void)value_begin(h, KIND_TEXT, number);
        if (cosm_managed_put(world, actor->entity, h->box.text, &h->text) == COSM_OK) {
            mirror_set(actor, KIND_TEXT, number);
        } else {
            value_end(h, KIND_TEXT);
        }
        break;
    case 1:
        if (cosm_managed_emplace(world, actor->entity, h->box.mesh) != NULL) {
            mirror_set(actor, KIND_MESH, 0);
        }
        break;
    case 2: {
        Text taken;
        if (cosm_managed_take(world, actor->entity, h->box.text, &taken) == COSM_OK) {
            CHECK_INT(text_number(&taken), actor->number[KIND_TEXT]);
            text_end(&h->box.books, &taken);
            actor->number[KIND_TEXT] = OBJECT_NONE;
        }
        break;
    }
    default:
        if (cosm_managed_clear(world, actor->entity, h->box.mesh) == COSM_OK) {
            actor->number[KIND_MESH] = OBJECT_NONE;
        }
        break;
    }
}

// Changes of all that have a text, or of all, in one world or all of them.
static void change_query(struct history *h, uint32_t w) {
    bool everywhere = dice_roll(&h->dice, 2) == 0;
    bool of_texts = dice_roll(&h->dice, 2) == 0;
    enum kind kind = pick_kind(h);
    uint32_t verb = dice_roll(&h->dice, 8);
    uint32_t number = dice_roll(&h->dice, 1000);
    cosm_worlds worlds = everywhere ? h->box.all : cosm_worlds_one(fixture_world(&h->box, w));
    cosm_query *query = of_texts ? h->box.texts : h->all;
    cosm_component component = kind_component(h, kind);
    if (verb == 0) {
        CHECK_INT(cosm_query_despawn(query, worlds), COSM_OK);
    } else {
        const void *value = verb < 5 ? value_begin(h, kind, number) : NULL;
        cosm_result result = verb < 5   ? cosm_query_set(query, worlds, component, value)
                             : verb < 6 ? cosm_query_add(query, worlds, component)
                                        : cosm_query_remove(query, worlds, component);
        if (verb < 5) {
            value_end(h, kind);
        }
        if (result != COSM_OK) {
            return;
        }
    }
    for (uint32_t i = 0; i < WORLDS; i++) {
        struct world_mirror *mirror = &h->worlds[i];
        bool of_it = everywhere || i == w;
        for (uint32_t a = 0; of_it && a < ACTORS; a++) {
            struct actor *actor = &mirror->actors[a];
            if (!actor->lives || (of_texts && !actor->has[KIND_TEXT])) {
                continue;
            }
            if (verb == 0) {
                actor->lives = false;
            } else if (verb < 5) {
                mirror_set(actor, kind, number);
            } else if (verb < 6) {
                actor->has[kind] = true;
            } else {
                mirror_remove(actor, kind);
            }
        }
        // Temporary rows have texts too.
        bool sets_text = verb > 0 && verb < 5 && kind == KIND_TEXT;
        mirror->note_count = of_it && of_texts && verb == 0 ? 0 : mirror->note_count;
        for (uint32_t n = 0; of_it && of_texts && sets_text && n < mirror->note_count; n++) {
            mirror->notes[n] = number;
        }
    }
}

static void record(struct history *h, uint32_t w) {
    cosm_world world = fixture_world(&h->box, w);
    if (h->pending_count == PENDING) {
        return;
    }
    struct pending made = {(enum deed)dice_roll(&h->dice, DEED_SET + 3),
                           w,
                           dice_roll(&h->dice, ACTORS),
                           pick_kind(h),
                           dice_roll(&h->dice, 1000),
                           COSM_ENTITY_NONE};
    made.deed = made.deed > DEED_SET ? DEED_SET : made.deed;
    struct actor *actor = &h->worlds[w].actors[made.actor];
    made.entity = actor->entity;
    cosm_component component = kind_component(h, made.kind);
    cosm_result result = COSM_STALE;
    if (made.deed == DEED_EMIT || made.deed == DEED_SPAWN) {
        actor = pick_free(h, w);
        const void *value = value_begin(h, KIND_TEXT, made.number);
        cosm_value given = {h->box.text, value};
        if (made.deed == DEED_EMIT && h->worlds[w].note_count + h->pending_count < NOTES) {
            result = cosm_commands_emit(h->commands, world, h->box.letter, &given, 1);
        } else if (made.deed == DEED_SPAWN && actor != NULL) {
            cosm_entity entity =
                cosm_commands_spawn_with(h->commands, world, h->box.actor, &given, 1);
            result = cosm_entity_is_none(entity) ? COSM_STALE : COSM_OK;
            if (result == COSM_OK) {
                *actor = (struct actor){.entity = entity, .is_promised = true};
                made.actor = (uint32_t)(actor - h->worlds[w].actors);
            }
        }
        value_end(h, KIND_TEXT);
    } else if (made.deed == DEED_SET) {
        const void *value = value_begin(h, made.kind, made.number);
        result = cosm_commands_set(h->commands, world, actor->entity, component, value);
        value_end(h, made.kind);
    } else {
        result = made.deed == DEED_DESPAWN
                     ? cosm_commands_despawn(h->commands, world, actor->entity)
                 : made.deed == DEED_ADD
                     ? cosm_commands_add(h->commands, world, actor->entity, component)
                     : cosm_commands_remove(h->commands, world, actor->entity, component);
    }
    if (result == COSM_OK) {
        h->pending[h->pending_count++] = made;
    }
}

static void forget_pending(struct history *h) {
    h->pending_count = 0;
    for (uint32_t w = 0; w < WORLDS; w++) {
        for (uint32_t a = 0; a < ACTORS; a++) {
            h->worlds[w].actors[a].is_promised = false;
        }
    }
}

static void apply(struct history *h) {
    if (cosm_commands_apply(h->commands, NULL) == COSM_OK) {
        for (uint32_t i = 0; i < h->pending_count; i++) {
            mirror_pending(h, &h->pending[i]);
        }
        forget_pending(h);
    } else if (cosm_error_result() != COSM_ERROR_MEMORY) {
        CHECK_INT(cosm_error_result(), COSM_ERROR_FULL);
        cosm_commands_clear(h->commands);
        forget_pending(h);
    }
}

static uint64_t sort_key(void *context, cosm_entity entity, const void *value) {
    (void)context;
    return value == NULL ? entity.id : ((const Text *)value)->number;
}

// Rare changes of everything.
static void change_all(struct history *h, uint32_t w) {
    switch (dice_roll(&h->dice, 6)) {
    case 0:
        cosm_commands_clear(h->commands);
        forget_pending(h);
        CHECK_INT(cosm_world_reset(fixture_world(&h->box, w)), COSM_OK);
        for (uint32_t a = 0; a < ACTORS; a++) {
            h->worlds[w].actors[a].lives = false;
        }
        h->worlds[w].note_count = 0;
        break;
    case 1:
        CHECK_INT(cosm_batch_trim(h->box.batch), COSM_OK);
        break;
    case 2: {
        cosm_result sorted =
            cosm_table_sort(fixture_world(&h->box, w), h->box.actor, h->box.text, sort_key, NULL);
        CHECK(sorted == COSM_OK || sorted == COSM_ERROR_MEMORY);
        break;
    }
    case 3:
        CHECK_INT(cosm_batch_end_step(h->box.batch), COSM_OK);
        for (uint32_t i = 0; i < WORLDS; i++) {
            h->worlds[i].note_count = 0;
        }
        break;
    case 4:
        CHECK_INT(cosm_table_clear(fixture_world(&h->box, w), h->box.letter), COSM_OK);
        h->worlds[w].note_count = 0;
        break;
    default:
        cosm_commands_clear(h->commands);
        forget_pending(h);
        break;
    }
}

static void take_step(struct history *h) {
    uint32_t w = dice_roll(&h->dice, WORLDS);
    uint32_t roll = dice_roll(&h->dice, 100);
    if (roll < 15) {
        spawn_one(h, w);
    } else if (roll < 20) {
        spawn_some(h, w);
    } else if (roll < 50) {
        change_one(h, w);
    } else if (roll < 65) {
        change_object(h, w);
    } else if (roll < 70) {
        change_query(h, w);
    } else if (roll < 90) {
        record(h, w);
    } else if (roll < 97) {
        apply(h);
    } else {
        change_all(h, w);
    }
}

static void run_history(uint64_t seed, uint32_t steps, bool with_failures) {
    static struct history history;
    struct history *h = &history;
    memset(h, 0, sizeof(*h));
    h->dice = (struct dice){seed};
    ledger_open(&h->ledger);
    fixture_open_with(&h->box, FIXTURE_MANAGED,
                      &(cosm_engine_desc){.allocator = ledger_allocator(&h->ledger)},
                      &(cosm_batch_desc){.world_count = WORLDS});
    h->commands = cosm_commands_create(h->box.batch);
    h->all = cosm_query_create(
        h->box.engine,
        &(cosm_query_desc){.terms = {{.component = h->box.position, .access = COSM_ACCESS_WRITE}}});
    for (uint32_t i = 0; i < steps; i++) {
        uint32_t fails = with_failures ? dice_roll(&h->dice, 6) : 2;
        if (fails == 0) {
            objects_refuse(&h->box.books, 1 + dice_roll(&h->dice, 4), 1);
        } else if (fails == 1) {
            ledger_refuse(&h->ledger, 1 + dice_roll(&h->dice, 4), 1);
        }
        take_step(h);
        h->failures += objects_relent(&h->box.books);
        h->failures += ledger_relent(&h->ledger);
        compare(h);
    }
    CHECK(!with_failures || h->failures > 0);
    cosm_commands_destroy(h->commands);
    cosm_query_destroy(h->all);
    fixture_close(&h->box);
    ledger_close(&h->ledger);
}

TEST(random_histories_of_objects_agree_with_a_mirror) {
    uint32_t steps = harness_is_long() ? 20000 : 1500;
    for (uint64_t i = 0; i < 4; i++) {
        run_history(harness_seed() + i, steps, false);
    }
}

TEST(random_histories_of_objects_survive_hooks_and_memory_that_fail) {
    uint32_t steps = harness_is_long() ? 20000 : 1500;
    for (uint64_t i = 0; i < 4; i++) {
        run_history(harness_seed() + 100 + i, steps, true);
    }
}
