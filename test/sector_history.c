// Long random histories of worlds with sector components, against an obvious oracle.
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"

#define WORLDS 3u
#define MOST 200u // entities of a world

// What an entity should be: -1 stands for absent.
struct twin {
    cosm_entity handle;
    int kind; // 0 thing, 1 pot, 2 stone
    bool marked;
    int heat;
    int smoke;
    int wet;
    int note;
};

struct history {
    struct fixture box;
    struct twin twins[WORLDS][MOST];
    uint32_t counts[WORLDS];
    struct dice dice;
    cosm_commands *commands;
    cosm_query *hot;
    cosm_query *cold;
    int next;
};

static uint32_t roll(struct history *t, uint32_t sides) {
    return dice_roll(&t->dice, sides);
}

static bool is_hot(const struct twin *twin) {
    return twin->heat >= 0 && twin->wet < 0;
}

static bool is_cold(const struct twin *twin) {
    return twin->heat < 0 && (twin->note >= 0 || twin->marked);
}

static void check_twin(struct history *t, uint32_t w, const struct twin *twin) {
    cosm_world world = fixture_world(&t->box, w);
    cosm_entity e = twin->handle;
    CHECK(cosm_entity_is_alive(world, e));
    CHECK_INT((int)degrees_of(&t->box, world, e), twin->heat);
    const Smoke *smoke = COSM_READ(world, e, Smoke);
    CHECK_INT(smoke == NULL ? -1 : (int)smoke->density, twin->smoke);
    CHECK(cosm_entity_has(world, e, t->box.wet) == (twin->wet >= 0));
    CHECK_INT(note_of(&t->box, world, e), twin->note);
    CHECK(cosm_entity_has(world, e, t->box.mark) == twin->marked);
}

static void check_all(struct history *t) {
    int notes = 0;
    for (uint32_t w = 0; w < WORLDS; w++) {
        uint32_t hot = 0;
        uint32_t cold = 0;
        for (uint32_t i = 0; i < t->counts[w]; i++) {
            check_twin(t, w, &t->twins[w][i]);
            notes += t->twins[w][i].note >= 0;
            hot += is_hot(&t->twins[w][i]);
            cold += is_cold(&t->twins[w][i]);
        }
        cosm_worlds one = cosm_worlds_one(fixture_world(&t->box, w));
        CHECK_INT(cosm_query_count(t->hot, one), hot);
        CHECK_INT(cosm_query_count(t->cold, one), cold);
    }
    CHECK_INT(objects_count(&t->box.books), notes);
    CHECK_VALID(t->box.batch);
}

static void spawn_one(struct history *t, uint32_t w) {
    if (t->counts[w] == MOST) {
        return;
    }
    struct twin twin = {.kind = (int)roll(t, 3), .heat = -1, .smoke = -1, .wet = -1, .note = -1};
    uint32_t pots = 0;
    for (uint32_t i = 0; i < t->counts[w]; i++) {
        pots += t->twins[w][i].kind == 1;
    }
    twin.kind = twin.kind == 1 && pots == 8 ? 0 : twin.kind;
    twin.marked = twin.kind == 2;
    cosm_archetype archetypes[] = {t->box.plain, t->box.pot, t->box.stone};
    uint32_t number = (uint32_t)t->next++;
    cosm_value values[3];
    uint32_t count = 0;
    if (roll(t, 2) == 0) {
        twin.heat = t->next++;
        values[count++] = (cosm_value){t->box.heat, &(Heat){(float)twin.heat}};
    }
    Heat heat = {(float)twin.heat};
    if (count == 1) {
        values[0].data = &heat;
    }
    Text note = {.number = number};
    if (roll(t, 3) == 0) {
        twin.note = (int)number;
        values[count++] = (cosm_value){t->box.note, &note};
    }
    if (roll(t, 3) == 0) {
        twin.wet = 0;
        values[count++] = (cosm_value){t->box.wet, NULL};
    }
    cosm_world world = fixture_world(&t->box, w);
    if (roll(t, 2) == 0) {
        twin.handle = cosm_entity_spawn_with(world, archetypes[twin.kind], values, count);
    } else {
        twin.handle =
            cosm_commands_spawn_with(t->commands, world, archetypes[twin.kind], values, count);
        CHECK_DONE(cosm_commands_apply(t->commands, NULL));
    }
    CHECK(!cosm_entity_is_none(twin.handle));
    t->twins[w][t->counts[w]++] = twin;
}

static void forget(struct history *t, uint32_t w, uint32_t i) {
    t->twins[w][i] = t->twins[w][--t->counts[w]];
}

// One change of one entity, at once or recorded.
static void change_one(struct history *t, uint32_t w, struct twin *twin, bool record) {
    struct fixture *box = &t->box;
    cosm_world world = fixture_world(box, w);
    cosm_entity e = twin->handle;
    cosm_commands *c = t->commands;
    int value = t->next++;
    uint32_t number = (uint32_t)value;
    cosm_result result = COSM_OK;
    switch (roll(t, 9)) {
    case 0:
        result = record ? cosm_commands_add(c, world, e, box->heat)
                        : cosm_entity_add(world, e, box->heat);
        twin->heat = twin->heat < 0 ? 20 : twin->heat;
        break;
    case 1:
        result = record ? cosm_commands_remove(c, world, e, box->heat)
                        : cosm_entity_remove(world, e, box->heat);
        twin->heat = -1;
        break;
    case 2:
        result = record ? cosm_commands_set(c, world, e, box->heat, &(Heat){(float)value})
                        : cosm_entity_set(world, e, box->heat, &(Heat){(float)value});
        twin->heat = value;
        break;
    case 3:
        result = record ? cosm_commands_set(c, world, e, box->smoke, &(Smoke){value})
                        : cosm_entity_set(world, e, box->smoke, &(Smoke){value});
        twin->smoke = value;
        break;
    case 4:
        result = record ? cosm_commands_remove(c, world, e, box->smoke)
                        : cosm_entity_remove(world, e, box->smoke);
        twin->smoke = -1;
        break;
    case 5:
        result = record ? cosm_commands_set(c, world, e, box->note, &(Text){.number = number})
                        : cosm_entity_set(world, e, box->note, &(Text){.number = number});
        twin->note = value;
        break;
    case 6:
        result = record ? cosm_commands_remove(c, world, e, box->note)
                        : cosm_entity_remove(world, e, box->note);
        twin->note = -1;
        break;
    case 7:
        result = record ? cosm_commands_add(c, world, e, box->note)
                        : cosm_entity_add(world, e, box->note);
        twin->note = twin->note < 0 ? 0 : twin->note;
        break;
    default:
        result =
            record ? cosm_commands_add(c, world, e, box->hot) : cosm_entity_add(world, e, box->hot);
        twin->heat = twin->heat < 0 ? 20 : twin->heat;
        twin->wet = 0;
        twin->marked = true;
        break;
    }
    CHECK_INT(result, COSM_OK);
}

static void change_many(struct history *t, uint32_t w) {
    struct fixture *box = &t->box;
    cosm_entity list[MOST];
    Heat heats[MOST];
    uint32_t count = 0;
    uint32_t way = roll(t, 3);
    for (uint32_t i = 0; i < t->counts[w]; i++) {
        struct twin *twin = &t->twins[w][i];
        if (roll(t, 3) == 0) {
            int value = t->next++;
            list[count] = twin->handle;
            heats[count++].degrees = (float)value;
            twin->heat = way == 0 ? value : twin->heat;
            twin->note = way == 1 && twin->note < 0 ? 0 : way == 2 ? -1 : twin->note;
        }
    }
    cosm_world world = fixture_world(box, w);
    CHECK_DONE(way == 0   ? cosm_entity_set_many(world, list, count, box->heat, heats)
               : way == 1 ? cosm_entity_add_many(world, list, count, box->note)
                          : cosm_entity_remove_many(world, list, count, box->note));
}

static void change_query(struct history *t, uint32_t w) {
    struct fixture *box = &t->box;
    bool hot = roll(t, 2) == 0;
    cosm_query *query = hot ? t->hot : t->cold;
    cosm_worlds worlds = cosm_worlds_one(fixture_world(box, w));
    uint32_t way = roll(t, 5);
    int value = t->next++;
    uint32_t number = (uint32_t)value;
    for (uint32_t i = t->counts[w]; i-- > 0;) {
        struct twin *twin = &t->twins[w][i];
        if (hot ? !is_hot(twin) : !is_cold(twin)) {
            continue;
        }
        if (way == 0) {
            twin->wet = 0;
        } else if (way == 1) {
            twin->heat = -1;
        } else if (way == 2) {
            twin->smoke = value;
        } else if (way == 3) {
            twin->note = value;
        } else if (hot) {
            forget(t, w, i);
        }
    }
    cosm_result result = way == 0   ? cosm_query_add(query, worlds, box->wet)
                         : way == 1 ? cosm_query_remove(query, worlds, box->heat)
                         : way == 2 ? cosm_query_set(query, worlds, box->smoke, &(Smoke){value})
                         : way == 3
                             ? cosm_query_set(query, worlds, box->note, &(Text){.number = number})
                         : hot ? cosm_query_despawn(query, worlds)
                               : COSM_OK;
    CHECK_INT(result, COSM_OK);
}

// Several changes of several entities in one go, despawns among them.
static void record_some(struct history *t, uint32_t w) {
    for (uint32_t n = roll(t, 20); n > 0 && t->counts[w] > 0; n--) {
        uint32_t i = roll(t, t->counts[w]);
        if (roll(t, 8) == 0) {
            CHECK_DONE(cosm_commands_despawn(t->commands, fixture_world(&t->box, w),
                                             t->twins[w][i].handle));
            forget(t, w, i);
        } else {
            change_one(t, w, &t->twins[w][i], true);
        }
    }
    CHECK_DONE(cosm_commands_apply(t->commands, NULL));
}

static void act(struct history *t) {
    uint32_t w = roll(t, WORLDS);
    cosm_world world = fixture_world(&t->box, w);
    uint32_t action = roll(t, 100);
    if (action < 30 || t->counts[w] == 0) {
        spawn_one(t, w);
    } else if (action < 70) {
        change_one(t, w, &t->twins[w][roll(t, t->counts[w])], false);
    } else if (action < 80) {
        record_some(t, w);
    } else if (action < 85) {
        change_many(t, w);
    } else if (action < 88) {
        change_query(t, w);
    } else if (action < 95) {
        uint32_t i = roll(t, t->counts[w]);
        CHECK_DONE(cosm_entity_despawn(world, t->twins[w][i].handle));
        CHECK(cosm_entity_read(world, t->twins[w][i].handle, t->box.heat) == NULL);
        forget(t, w, i);
    } else if (action < 98) {
        uint64_t before = cosm_hash_batch(t->box.batch, COSM_HASH_CONTENT);
        cosm_container_budget budget = {.move_max = roll(t, 10)};
        CHECK_DONE(cosm_sector_maintain(world, &budget, NULL));
        CHECK_INT(cosm_hash_batch(t->box.batch, COSM_HASH_CONTENT), before);
    } else if (action == 98) {
        CHECK_DONE(cosm_batch_trim(t->box.batch));
    } else if (roll(t, 4) == 0) {
        uint8_t mask[WORLDS] = {0};
        mask[w] = 1;
        CHECK_DONE(cosm_batch_reset(t->box.batch, mask));
        t->counts[w] = 0;
    }
}

TEST(random_histories_agree_with_an_oracle) {
    uint64_t seed = harness_seed();
    uint32_t rounds = harness_is_long() ? 60 : 6;
    static struct history t;
    for (uint32_t round = 0; round < rounds; round++) {
        memset(&t, 0, sizeof(t));
        fixture_open(&t.box, FIXTURE_SECTOR, WORLDS);
        t.dice.state = seed + round;
        t.commands = cosm_commands_create(t.box.batch);
        t.hot = cosm_query_create(
            t.box.engine,
            &(cosm_query_desc){.terms = {{.component = t.box.heat, .access = COSM_ACCESS_WRITE},
                                         {.component = t.box.wet, .kind = COSM_TERM_WITHOUT}}});
        t.cold = cosm_query_create(
            t.box.engine,
            &(cosm_query_desc){.terms = {{.component = t.box.heat, .kind = COSM_TERM_WITHOUT},
                                         {.component = t.box.note,
                                          .access = COSM_ACCESS_WRITE,
                                          .kind = COSM_TERM_ANY_OF},
                                         {.component = t.box.mark,
                                          .access = COSM_ACCESS_WRITE,
                                          .kind = COSM_TERM_ANY_OF}}});
        t.next = 100;
        for (uint32_t i = 0; i < 1500; i++) {
            act(&t);
            if (i % 25 == 0) {
                check_all(&t);
            }
        }
        check_all(&t);
        cosm_query_destroy(t.hot);
        cosm_query_destroy(t.cold);
        cosm_commands_destroy(t.commands);
        fixture_close(&t.box);
    }
}
