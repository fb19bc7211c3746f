// An engine with managed components whose objects are kept account of.
#include "support/vault.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

static void books_wrong(struct vault_books *books, const char *what) {
    books->wrong = books->wrong == NULL ? what : books->wrong;
}

// Where an address is, or should be.
static size_t live_place(const uintptr_t *live, size_t capacity, uintptr_t address) {
    size_t at = (size_t)((address * 0x9E3779B97F4A7C15u) >> 20) & (capacity - 1);
    while (live[at] != 0 && live[at] != address) {
        at = (at + 1) & (capacity - 1);
    }
    return at;
}

static size_t books_place(const struct vault_books *books, uintptr_t address) {
    return live_place(books->live, books->capacity, address);
}

static void books_grow(struct vault_books *books) {
    size_t capacity = books->capacity == 0 ? 1024 : books->capacity * 2;
    uintptr_t *live = calloc(capacity, sizeof(*live));
    for (size_t i = 0; i < books->capacity; i++) {
        if (books->live[i] != 0) {
            live[live_place(live, capacity, books->live[i])] = books->live[i];
        }
    }
    free(books->live);
    books->live = live;
    books->capacity = capacity;
}

static void books_add(struct vault_books *books, const void *object) {
    if ((books->count + 1) * 2 > books->capacity) {
        books_grow(books);
    }
    size_t at = books_place(books, (uintptr_t)object);
    if (books->live[at] != 0) {
        books_wrong(books, "an object is made where one lives");
        return;
    }
    books->live[at] = (uintptr_t)object;
    books->count++;
}

static void books_remove(struct vault_books *books, const void *object) {
    size_t at = books->capacity == 0 ? 0 : books_place(books, (uintptr_t)object);
    if (books->capacity == 0 || books->live[at] == 0) {
        books_wrong(books, "an object ends that does not live");
        return;
    }
    books->live[at] = 0;
    books->count--;
    // What follows may stand elsewhere now.
    for (size_t next = (at + 1) & (books->capacity - 1); books->live[next] != 0;
         next = (next + 1) & (books->capacity - 1)) {
        uintptr_t address = books->live[next];
        books->live[next] = 0;
        books->live[books_place(books, address)] = address;
    }
}

// One call of a hook that may fail; true: it is to fail.
static bool books_call(struct vault_books *books) {
    pthread_mutex_lock(&books->lock);
    bool fails = ++books->calls == books->fail_at;
    books->has_failed = books->has_failed || fails;
    pthread_mutex_unlock(&books->lock);
    return fails;
}

static void books_note(struct vault_books *books, const void *begun, const void *ended,
                       bool is_move) {
    pthread_mutex_lock(&books->lock);
    if (ended != NULL) {
        books_remove(books, ended);
        books->ended += !is_move;
    }
    if (begun != NULL) {
        books_add(books, begun);
        books->made += !is_move;
    }
    pthread_mutex_unlock(&books->lock);
}

static void check_self(struct vault_books *books, const void *self, const void *object) {
    if (self != object) {
        pthread_mutex_lock(&books->lock);
        books_wrong(books, "an object is not where it was made or moved to");
        pthread_mutex_unlock(&books->lock);
    }
}

static void text_begin(Text *text, uint32_t number) {
    text->self = text;
    text->letters = malloc(16);
    snprintf(text->letters, 16, "text %u", number);
    text->number = number;
}

static bool text_construct(void *context, void *object) {
    if (books_call(context)) {
        return false;
    }
    text_begin(object, 0);
    books_note(context, object, NULL, false);
    return true;
}

static bool text_copy(void *context, void *object, const void *source) {
    const Text *from = source;
    if (books_call(context)) {
        return false;
    }
    check_self(context, from->self, from);
    text_begin(object, from->number);
    books_note(context, object, NULL, false);
    return true;
}

static void text_move(void *context, void *object, void *source) {
    Text *from = source;
    Text *to = object;
    check_self(context, from->self, from);
    *to = *from;
    to->self = to;
    memset(from, 0xEE, sizeof(*from));
    books_note(context, object, source, true);
}

static void text_destroy(void *context, void *object) {
    Text *text = object;
    check_self(context, text->self, text);
    free(text->letters);
    memset(text, 0xDD, sizeof(*text));
    books_note(context, NULL, object, false);
}

static bool text_equals(void *context, const void *a, const void *b) {
    check_self(context, ((const Text *)a)->self, a);
    check_self(context, ((const Text *)b)->self, b);
    return ((const Text *)a)->number == ((const Text *)b)->number;
}

static uint64_t text_hash(void *context, const void *object) {
    (void)context;
    return ((const Text *)object)->number;
}

static void mesh_begin(Mesh *mesh, uint32_t number) {
    memset(mesh, 0, sizeof(*mesh));
    mesh->self = mesh;
    mesh->number = malloc(sizeof(*mesh->number));
    *mesh->number = number;
    mesh->rest[299] = (char)number;
}

static bool mesh_construct(void *context, void *object) {
    if (books_call(context)) {
        return false;
    }
    mesh_begin(object, 0);
    books_note(context, object, NULL, false);
    return true;
}

static bool mesh_copy(void *context, void *object, const void *source) {
    const Mesh *from = source;
    if (books_call(context)) {
        return false;
    }
    check_self(context, from->self, from);
    mesh_begin(object, *from->number);
    books_note(context, object, NULL, false);
    return true;
}

static void mesh_move(void *context, void *object, void *source) {
    Mesh *from = source;
    Mesh *to = object;
    check_self(context, from->self, from);
    memcpy(to, from, sizeof(*to));
    to->self = to;
    memset(from, 0xEE, sizeof(*from));
    books_note(context, object, source, true);
}

static void mesh_destroy(void *context, void *object) {
    Mesh *mesh = object;
    check_self(context, mesh->self, mesh);
    if ((uintptr_t)object % _Alignof(Mesh) != 0) {
        pthread_mutex_lock(&((struct vault_books *)context)->lock);
        books_wrong(context, "an object is misaligned");
        pthread_mutex_unlock(&((struct vault_books *)context)->lock);
    }
    free(mesh->number);
    memset(mesh, 0xDD, sizeof(*mesh));
    books_note(context, NULL, object, false);
}

cosm_lifecycle vault_text_lifecycle(struct vault *vault) {
    return (cosm_lifecycle){text_construct, text_copy, text_move,    text_destroy,
                            text_equals,    text_hash, &vault->books};
}

static void define_components(struct vault *vault) {
    static const cosm_field plain_fields[] = {
        {.name = "a", .type = COSM_FIELD_U32, .offset = offsetof(Plain, a)},
        {.name = "b", .type = COSM_FIELD_U32, .offset = offsetof(Plain, b)}};
    static const Plain plain_default = {PLAIN_DEFAULT_A, 0};
    vault->text = cosm_component_define(
        vault->engine, &(cosm_component_desc){.name = "Text",
                                              .size = sizeof(Text),
                                              .alignment = _Alignof(Text),
                                              .storage = COSM_STORAGE_MANAGED,
                                              .lifecycle = vault_text_lifecycle(vault)});
    vault->mesh = cosm_component_define(
        vault->engine,
        &(cosm_component_desc){.name = "Mesh",
                               .size = sizeof(Mesh),
                               .alignment = _Alignof(Mesh),
                               .storage = COSM_STORAGE_MANAGED,
                               .lifecycle = {mesh_construct, mesh_copy, mesh_move, mesh_destroy,
                                             NULL, NULL, &vault->books}});
    vault->plain =
        cosm_component_define(vault->engine, &(cosm_component_desc){.name = "Plain",
                                                                    .size = sizeof(Plain),
                                                                    .storage = COSM_STORAGE_MANAGED,
                                                                    .default_value = &plain_default,
                                                                    .fields = plain_fields,
                                                                    .field_count = 2});
    vault->position = COSM_COMPONENT_DEFINE(vault->engine, Position);
    vault->mark = COSM_TAG_DEFINE(vault->engine, Mark);
}

static void define_archetypes(struct vault *vault) {
    cosm_engine *engine = vault->engine;
    vault->actor = cosm_archetype_define(
        engine,
        &(cosm_archetype_desc){.name = "actor", .components = {vault->position, vault->text}});
    vault->pack = cosm_archetype_define(
        engine, &(cosm_archetype_desc){
                    .name = "pack",
                    .components = {vault->position, vault->text, vault->mesh, vault->mark},
                    .placement = COSM_PLACEMENT_FIXED,
                    .max_per_world = 4});
    vault->bare = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.name = "bare", .components = {vault->position}});
    vault->note = cosm_archetype_define(
        engine,
        &(cosm_archetype_desc){.name = "note", .components = {vault->text}, .temporary = true});
    vault->texts = cosm_query_create(
        engine,
        &(cosm_query_desc){.terms = {{.component = vault->text, .access = COSM_ACCESS_WRITE}}});
}

void vault_open_with(struct vault *vault, const cosm_engine_desc *engine_desc,
                     const cosm_batch_desc *batch_desc) {
    memset(vault, 0, sizeof(*vault));
    pthread_mutex_init(&vault->books.lock, NULL);
    vault->engine = cosm_engine_create(engine_desc);
    define_components(vault);
    define_archetypes(vault);
    CHECK(vault->text.id != 0 && vault->mesh.id != 0 && vault->plain.id != 0);
    CHECK(vault->note.id != 0 && vault->pack.id != 0 && vault->texts != NULL);
    vault->batch = cosm_batch_create(vault->engine, batch_desc);
    CHECK(vault->batch != NULL);
    vault->world = cosm_batch_world(vault->batch, 0);
    vault->all = cosm_worlds_all(vault->batch);
}

void vault_open(struct vault *vault, uint32_t world_count) {
    vault_open_with(vault, NULL, &(cosm_batch_desc){.world_count = world_count});
}

void vault_close(struct vault *vault) {
    if (vault->batch != NULL) {
        CHECK_VALID(vault->batch);
        CHECK_DONE(cosm_managed_audit(vault->batch, NULL, NULL));
        CHECK_DONE(cosm_batch_destroy(vault->batch));
    }
    cosm_query_destroy(vault->texts);
    CHECK_DONE(cosm_engine_destroy(vault->engine));
    CHECK_INT(vault->books.count, 0);
    CHECK_INT(vault->books.made, vault->books.ended);
    CHECK_STR(vault->books.wrong == NULL ? "" : vault->books.wrong, "");
    free(vault->books.live);
    pthread_mutex_destroy(&vault->books.lock);
}

cosm_world vault_world(const struct vault *vault, uint32_t index) {
    return cosm_batch_world(vault->batch, index);
}

void vault_text_open(struct vault *vault, Text *text, uint32_t number) {
    text_begin(text, number);
    books_note(&vault->books, text, NULL, false);
}

void vault_mesh_open(struct vault *vault, Mesh *mesh, uint32_t number) {
    mesh_begin(mesh, number);
    books_note(&vault->books, mesh, NULL, false);
}

void vault_text_end(struct vault *vault, Text *text) {
    text_destroy(&vault->books, text);
}

void vault_mesh_end(struct vault *vault, Mesh *mesh) {
    mesh_destroy(&vault->books, mesh);
}

uint32_t text_number(const Text *text) {
    char expected[16];
    if (text == NULL) {
        return VAULT_NONE;
    }
    snprintf(expected, sizeof(expected), "text %u", text->number);
    CHECK(text->self == text);
    CHECK_STR(text->letters, expected);
    return text->number;
}

uint32_t mesh_number(const Mesh *mesh) {
    if (mesh == NULL) {
        return VAULT_NONE;
    }
    CHECK(mesh->self == mesh && (uintptr_t)mesh % _Alignof(Mesh) == 0);
    CHECK_INT(mesh->rest[299], (char)*mesh->number);
    return *mesh->number;
}

uint32_t vault_text_of(const struct vault *vault, cosm_world world, cosm_entity entity) {
    return text_number(cosm_entity_read(world, entity, vault->text));
}

uint32_t vault_mesh_of(const struct vault *vault, cosm_world world, cosm_entity entity) {
    return mesh_number(cosm_entity_read(world, entity, vault->mesh));
}

cosm_entity vault_spawn(struct vault *vault, cosm_world world, uint32_t number) {
    Text text;
    vault_text_open(vault, &text, number);
    cosm_entity entity =
        cosm_entity_spawn_with(world, vault->actor, &(cosm_value){vault->text, &text}, 1);
    vault_text_end(vault, &text);
    return entity;
}

void vault_refuse(struct vault *vault, uint64_t n) {
    vault->books.calls = 0;
    vault->books.fail_at = n;
    vault->books.has_failed = false;
}

bool vault_relent(struct vault *vault) {
    vault->books.fail_at = 0;
    return vault->books.has_failed;
}

size_t vault_count(struct vault *vault) {
    pthread_mutex_lock(&vault->books.lock);
    size_t count = vault->books.count;
    pthread_mutex_unlock(&vault->books.lock);
    return count;
}
