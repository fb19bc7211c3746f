// Objects that tests put in components: see objects.h.
#include "support/objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

static void books_wrong(struct object_books *books, const char *what) {
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

static size_t books_place(const struct object_books *books, uintptr_t address) {
    return live_place(books->live, books->capacity, address);
}

static void books_grow(struct object_books *books) {
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

static void books_add(struct object_books *books, const void *object) {
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

static void books_remove(struct object_books *books, const void *object) {
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
static bool books_call(struct object_books *books) {
    pthread_mutex_lock(&books->lock);
    bool fails = ++books->calls >= books->fail_at && books->fail_at > 0 &&
                 books->calls - books->fail_at < books->fail_count;
    books->has_failed = books->has_failed || fails;
    pthread_mutex_unlock(&books->lock);
    return fails;
}

// Notes in `counter` that an object began here, ended there, or moved.
static void books_note(struct object_books *books, uint64_t *counter, const void *begun,
                       const void *ended) {
    pthread_mutex_lock(&books->lock);
    (*counter)++;
    if (ended != NULL) {
        books_remove(books, ended);
    }
    if (begun != NULL) {
        books_add(books, begun);
    }
    pthread_mutex_unlock(&books->lock);
}

static void check_that(struct object_books *books, bool is_right, const char *what) {
    if (!is_right) {
        pthread_mutex_lock(&books->lock);
        books_wrong(books, what);
        pthread_mutex_unlock(&books->lock);
    }
}

static void check_self(struct object_books *books, const void *self, const void *object) {
    check_that(books, self == object, "an object is not where it was made or moved to");
}

// For what is only read: a picture will do.
static void check_source(struct object_books *books, const void *self, const void *object) {
    check_self(books, self == NULL ? object : self, object);
}

static void text_begin(Text *text, uint32_t number) {
    text->self = text;
    text->letters = malloc(16);
    snprintf(text->letters, 16, "text %u", number);
    text->number = number;
}

static bool text_construct(void *context, void *object) {
    struct object_books *books = context;
    if (books_call(books)) {
        return false;
    }
    text_begin(object, 0);
    books_note(books, &books->constructed, object, NULL);
    return true;
}

static bool text_copy(void *context, void *object, const void *source) {
    struct object_books *books = context;
    const Text *from = source;
    if (books_call(books)) {
        return false;
    }
    check_source(books, from->self, from);
    text_begin(object, from->number);
    books_note(books, &books->copied, object, NULL);
    return true;
}

static void text_move(void *context, void *object, void *source) {
    struct object_books *books = context;
    Text *from = source;
    Text *to = object;
    check_self(books, from->self, from);
    *to = *from;
    to->self = to;
    memset(from, 0xEE, sizeof(*from));
    books_note(books, &books->moved, object, source);
}

static void text_destroy(void *context, void *object) {
    struct object_books *books = context;
    Text *text = object;
    check_self(books, text->self, text);
    free(text->letters);
    memset(text, 0xDD, sizeof(*text));
    books_note(books, &books->destroyed, NULL, object);
}

static bool text_equals(void *context, const void *a, const void *b) {
    check_source(context, ((const Text *)a)->self, a);
    check_source(context, ((const Text *)b)->self, b);
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
    struct object_books *books = context;
    if (books_call(books)) {
        return false;
    }
    mesh_begin(object, 0);
    books_note(books, &books->constructed, object, NULL);
    return true;
}

static bool mesh_copy(void *context, void *object, const void *source) {
    struct object_books *books = context;
    const Mesh *from = source;
    if (books_call(books)) {
        return false;
    }
    check_self(books, from->self, from);
    mesh_begin(object, *from->number);
    books_note(books, &books->copied, object, NULL);
    return true;
}

static void mesh_move(void *context, void *object, void *source) {
    struct object_books *books = context;
    Mesh *from = source;
    Mesh *to = object;
    check_self(books, from->self, from);
    memcpy(to, from, sizeof(*to));
    to->self = to;
    memset(from, 0xEE, sizeof(*from));
    books_note(books, &books->moved, object, source);
}

static void mesh_destroy(void *context, void *object) {
    struct object_books *books = context;
    Mesh *mesh = object;
    check_self(books, mesh->self, mesh);
    check_that(books, (uintptr_t)object % _Alignof(Mesh) == 0, "an object is misaligned");
    free(mesh->number);
    memset(mesh, 0xDD, sizeof(*mesh));
    books_note(books, &books->destroyed, NULL, object);
}

static const char *label_text(const Label *label) {
    return label->text == NULL ? "" : label->text;
}

static bool label_copy(void *context, void *object, const void *source) {
    struct object_books *books = context;
    if (books_call(books)) {
        return false;
    }
    const char *text = label_text(source);
    char *letters = malloc(strlen(text) + 1);
    memcpy(letters, text, strlen(text) + 1);
    ((Label *)object)->text = letters;
    books_note(books, &books->copied, object, NULL);
    return true;
}

static void label_destroy(void *context, void *object) {
    struct object_books *books = context;
    free(((Label *)object)->text);
    books_note(books, &books->destroyed, NULL, object);
}

static bool label_equals(void *context, const void *a, const void *b) {
    (void)context;
    return strcmp(label_text(a), label_text(b)) == 0;
}

// Few bits, so that different labels meet in the map and equality decides.
static uint64_t label_hash(void *context, const void *object) {
    (void)context;
    const char *text = label_text(object);
    return strlen(text) % 4 + (unsigned char)text[0] % 4 * 4u;
}

cosm_lifecycle label_lifecycle(struct object_books *books) {
    return (cosm_lifecycle){.copy = label_copy,
                            .destroy = label_destroy,
                            .equals = label_equals,
                            .hash = label_hash,
                            .context = books};
}

cosm_lifecycle text_lifecycle(struct object_books *books) {
    return (cosm_lifecycle){text_construct, text_copy, text_move, text_destroy,
                            text_equals,    text_hash, books};
}

cosm_lifecycle mesh_lifecycle(struct object_books *books) {
    return (cosm_lifecycle){mesh_construct, mesh_copy, mesh_move, mesh_destroy, NULL, NULL, books};
}

void objects_open(struct object_books *books) {
    memset(books, 0, sizeof(*books));
    pthread_mutex_init(&books->lock, NULL);
}

void objects_close(struct object_books *books) {
    CHECK_INT(books->count, 0);
    CHECK_INT(objects_made(books), books->destroyed);
    CHECK_STR(books->wrong == NULL ? "" : books->wrong, "");
    free(books->live);
    pthread_mutex_destroy(&books->lock);
}

void text_open(struct object_books *books, Text *text, uint32_t number) {
    text_begin(text, number);
    books_note(books, &books->copied, text, NULL);
}

void mesh_open(struct object_books *books, Mesh *mesh, uint32_t number) {
    mesh_begin(mesh, number);
    books_note(books, &books->copied, mesh, NULL);
}

void text_end(struct object_books *books, Text *text) {
    text_destroy(books, text);
}

void mesh_end(struct object_books *books, Mesh *mesh) {
    mesh_destroy(books, mesh);
}

size_t objects_count(struct object_books *books) {
    pthread_mutex_lock(&books->lock);
    size_t count = books->count;
    pthread_mutex_unlock(&books->lock);
    return count;
}

uint64_t objects_made(struct object_books *books) {
    pthread_mutex_lock(&books->lock);
    uint64_t made = books->constructed + books->copied;
    pthread_mutex_unlock(&books->lock);
    return made;
}

void objects_refuse(struct object_books *books, uint64_t n, uint64_t count) {
    books->calls = 0;
    books->fail_at = n;
    books->fail_count = count;
    books->has_failed = false;
}

bool objects_relent(struct object_books *books) {
    books->fail_at = 0;
    return books->has_failed;
}

uint32_t text_number(const Text *text) {
    char expected[16];
    if (text == NULL) {
        return OBJECT_NONE;
    }
    snprintf(expected, sizeof(expected), "text %u", text->number);
    CHECK(text->self == text);
    CHECK_STR(text->letters, expected);
    return text->number;
}

uint32_t mesh_number(const Mesh *mesh) {
    if (mesh == NULL) {
        return OBJECT_NONE;
    }
    CHECK(mesh->self == mesh && (uintptr_t)mesh % _Alignof(Mesh) == 0);
    CHECK_INT(mesh->rest[299], (char)*mesh->number);
    return *mesh->number;
}
