// Recordings in tests: names of files, and a program that meddles with a scene between its steps.
#include "support/tape.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"

typedef struct Push {
    uint32_t force;
    uint32_t age;
} Push;

typedef struct Wind {
    float speed;
} Wind;

void tape_path(char path[TAPE_PATH_MAX]) {
    static atomic_uint number;
    const char *folder = getenv("TMPDIR");
    (void)snprintf(path, TAPE_PATH_MAX, "%s/cosm_tape_%ld_%u.cosmrec",
                   folder == NULL ? "/tmp" : folder, (long)getpid(), atomic_fetch_add(&number, 1));
}

unsigned char *tape_read(const char *path, size_t *out_size) {
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL);
    if (file == NULL) {
        return NULL;
    }
    CHECK(fseek(file, 0, SEEK_END) == 0);
    size_t size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(size + 1);
    CHECK(bytes != NULL && fread(bytes, 1, size, file) == size);
    (void)fclose(file);
    *out_size = size;
    return bytes;
}

void meddler_open(struct meddler *meddler, cosm_engine *engine, uint64_t seed) {
    static const cosm_field fields[] = {
        {.name = "force", .type = COSM_FIELD_U32, .offset = offsetof(Push, force)},
        {.name = "age", .type = COSM_FIELD_U32, .offset = offsetof(Push, age)},
    };
    *meddler = (struct meddler){.engine = engine, .first = {1}, .dice = {seed}};
    meddler->push = cosm_component_define(engine, &(cosm_component_desc){.name = "Push",
                                                                         .size = sizeof(Push),
                                                                         .alignment = 4,
                                                                         .fields = fields,
                                                                         .field_count = 2});
    meddler->pushed = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.name = "pushed", .components = {meddler->push}});
    meddler->wind = COSM_SINGLETON_DEFINE(engine, Wind);
    meddler->any =
        cosm_query_create(engine, &(cosm_query_desc){.terms = {{.component = meddler->first}}});
    meddler->shoved =
        cosm_component_define(engine, &(cosm_component_desc){.name = "Shoved", .size = 0});
    meddler->own =
        cosm_query_create(engine, &(cosm_query_desc){.terms = {{.component = meddler->push}}});
    CHECK(meddler->own != NULL && meddler->shoved.id != 0);
    CHECK(meddler->push.id != 0 && meddler->pushed.id != 0 && meddler->any != NULL);
}

void meddler_close(struct meddler *meddler) {
    cosm_query_destroy(meddler->any);
    cosm_query_destroy(meddler->own);
}

// Some entity of a query in a world, or none.
static cosm_entity pick(struct meddler *meddler, const cosm_query *query, cosm_world world) {
    cosm_worlds one = {world.batch, world.index, 1};
    uint64_t count = cosm_query_count(query, one);
    uint32_t wanted = count == 0 ? 0 : dice_roll(&meddler->dice, (uint32_t)count);
    cosm_rows rows;
    cosm_entity found = COSM_ENTITY_NONE;
    cosm_query_walk(query, one, &rows);
    while (cosm_rows_next(&rows)) {
        if (wanted < rows.count) {
            found = rows.entities[wanted];
            cosm_rows_end(&rows);
            break;
        }
        wanted -= rows.count;
    }
    return found;
}

// Another entity's value: one that the systems of the scene can live with.
static void copy_value(struct meddler *meddler, cosm_world world) {
    _Alignas(64) char value[512];
    cosm_entity from = pick(meddler, meddler->any, world);
    cosm_entity to = pick(meddler, meddler->any, world);
    if (cosm_component_describe(meddler->engine, meddler->first).size <= sizeof(value) &&
        cosm_entity_get(world, from, meddler->first, value)) {
        CHECK_DONE(cosm_entity_set(world, to, meddler->first, value));
    }
}

static void act_in(struct meddler *meddler, cosm_world world) {
    Push push = {.force = (uint32_t)dice_next(&meddler->dice), .age = 1};
    switch (dice_roll(&meddler->dice, 7)) {
    case 0: {
        cosm_entity spawned = cosm_entity_spawn_with(
            world, meddler->pushed, &(cosm_value){.component = meddler->push, .data = &push}, 1);
        CHECK(!cosm_entity_is_none(spawned));
        break;
    }
    case 1: {
        // Of its own entities: systems of a scene may want the layout of its archetypes.
        cosm_entity entity = pick(meddler, meddler->own, world);
        if (cosm_entity_has(world, entity, meddler->shoved)) {
            CHECK_DONE(cosm_entity_remove(world, entity, meddler->shoved));
        } else if (!cosm_entity_is_none(entity)) {
            CHECK_DONE(cosm_entity_add(world, entity, meddler->shoved));
        }
        break;
    }
    case 2: {
        cosm_entity entity = pick(meddler, meddler->any, world);
        if (!cosm_entity_is_none(entity) && dice_roll(&meddler->dice, 4) == 0) {
            CHECK_DONE(cosm_entity_despawn(world, entity));
        }
        break;
    }
    case 3: {
        Wind *wind = COSM_SINGLETON_WRITE(world, Wind);
        wind->speed = (float)dice_roll(&meddler->dice, 100);
        break;
    }
    default:
        copy_value(meddler, world);
        break;
    }
}

void meddler_act(struct meddler *meddler, cosm_batch *batch) {
    if (dice_roll(&meddler->dice, 3) != 0) {
        return;
    }
    uint32_t times = 1 + dice_roll(&meddler->dice, 3);
    for (uint32_t i = 0; i < times; i++) {
        uint32_t world = dice_roll(&meddler->dice, cosm_batch_world_count(batch));
        act_in(meddler, cosm_batch_world(batch, world));
    }
}
