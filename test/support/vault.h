// An engine and a batch with managed components, whose objects are kept account of: each is made
// once and ends once, is at the address it was made or moved to, and is text or bytes on the heap.
#ifndef COSM_TEST_VAULT_H
#define COSM_TEST_VAULT_H

#include <pthread.h>

#include "support/sandbox.h"

// An object with memory of its own. Number 0 is what construct makes.
typedef struct Text {
    const void *self; // its own address: bytes that were moved behind its back are found out
    char *letters;    // "text N"
    uint32_t number;
} Text;

// Wide and large, so that it is not replaced by way of the stack.
typedef struct Mesh {
    _Alignas(128) const void *self;
    uint32_t *number; // on the heap
    char rest[300];
} Mesh;

// Managed, but without a lifecycle: plain bytes, described.
typedef struct Plain {
    uint32_t a;
    uint32_t b;
} Plain;

#define PLAIN_DEFAULT_A 5u

// What is known of the objects of all batches of a vault, from all threads.
struct vault_books {
    pthread_mutex_t lock;
    uintptr_t *live; // open addressing: addresses of objects
    size_t capacity;
    size_t count;     // objects that live
    uint64_t made;    // by construct and copy
    uint64_t ended;   // by destroy
    uint64_t calls;   // of construct and copy, since vault_refuse
    uint64_t fail_at; // the number of the call that returns false; 0: none
    bool has_failed;
    const char *wrong; // the first thing that was done wrong, or NULL
};

struct vault {
    struct vault_books books;
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_world world; // the first one
    cosm_worlds all;
    cosm_component text;  // Text, with all hooks
    cosm_component mesh;  // Mesh, with all hooks but hash and equals
    cosm_component plain; // Plain
    cosm_component position;
    cosm_component mark;  // a tag
    cosm_archetype actor; // "actor": Position and Text, growing
    cosm_archetype pack;  // "pack": Position, Text, Mesh and the tag, fixed, 4 per world
    cosm_archetype bare;  // "bare": Position
    cosm_archetype note;  // "note": Text, temporary
    cosm_query *texts;    // what has a Text, for writing
};

void vault_open(struct vault *vault, uint32_t world_count);
void vault_open_with(struct vault *vault, const cosm_engine_desc *engine_desc,
                     const cosm_batch_desc *batch_desc);

// Checks that the batch is valid, that all can be destroyed, and that every object has ended.
void vault_close(struct vault *vault);

cosm_world vault_world(const struct vault *vault, uint32_t index);

// Objects of the caller's own: made outside of the account of hooks, but in the books.
void vault_text_open(struct vault *vault, Text *text, uint32_t number);
void vault_mesh_open(struct vault *vault, Mesh *mesh, uint32_t number);
void vault_text_end(struct vault *vault, Text *text);
void vault_mesh_end(struct vault *vault, Mesh *mesh);

// The number of an object, after a check of what it is made of; VAULT_NONE for NULL.
#define VAULT_NONE 0xFFFFFFFFu
uint32_t text_number(const Text *text);
uint32_t mesh_number(const Mesh *mesh);

// The numbers of an entity's objects.
uint32_t vault_text_of(const struct vault *vault, cosm_world world, cosm_entity entity);
uint32_t vault_mesh_of(const struct vault *vault, cosm_world world, cosm_entity entity);

// Spawns an actor with that text.
cosm_entity vault_spawn(struct vault *vault, cosm_world world, uint32_t number);

// Lets the n-th construct or copy from now on fail; relent returns whether it did.
void vault_refuse(struct vault *vault, uint64_t n);
bool vault_relent(struct vault *vault);

// The lifecycle of Text, for components of other storages.
cosm_lifecycle vault_text_lifecycle(struct vault *vault);

// Objects that live now.
size_t vault_count(struct vault *vault);

#endif
