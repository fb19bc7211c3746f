// Objects that tests put in components: each has memory of its own, is made once and ends once, and
// is at the address it was made or moved to. The books know which live.
#ifndef COSM_TEST_OBJECTS_H
#define COSM_TEST_OBJECTS_H

#include <cosm/component.h>

#include <pthread.h>

// A text on the heap. Construct makes number 0. `(Text){.number = 5}` is a picture of one: it can
// be copied from, and is no object itself.
typedef struct Text {
    const void *self; // its own address: bytes that were moved behind its back are found out
    char *letters;    // "text N"
    uint32_t number;
} Text;

// A string, equal by content: NULL is "". Any bytes with such a string can be copied from.
typedef struct Label {
    char *text;
} Label;

// Wide and large, so that it is not replaced by way of the stack.
typedef struct Mesh {
    _Alignas(128) const void *self;
    uint32_t *number; // on the heap
    char rest[300];
} Mesh;

// What is known of the objects, from all threads.
struct object_books {
    pthread_mutex_t lock;
    uintptr_t *live; // open addressing: addresses of objects
    size_t capacity;
    size_t count; // objects that live
    uint64_t constructed;
    uint64_t copied;
    uint64_t moved;
    uint64_t destroyed;
    uint64_t calls;   // of construct and copy, since objects_refuse
    uint64_t fail_at; // the number of the first call that returns false; 0: none
    uint64_t fail_count;
    bool has_failed;
    const char *wrong; // the first thing that was done wrong, or NULL
};

void objects_open(struct object_books *books);

// Checks that every object has ended and that nothing was done wrong.
void objects_close(struct object_books *books);

// All hooks of Text; all of Mesh but hash and equals; of Label what shared values need.
cosm_lifecycle text_lifecycle(struct object_books *books);
cosm_lifecycle mesh_lifecycle(struct object_books *books);
cosm_lifecycle label_lifecycle(struct object_books *books);

// Objects of the caller's own.
void text_open(struct object_books *books, Text *text, uint32_t number);
void mesh_open(struct object_books *books, Mesh *mesh, uint32_t number);
void text_end(struct object_books *books, Text *text);
void mesh_end(struct object_books *books, Mesh *mesh);

// Objects that live now; those that were made by construct and copy.
size_t objects_count(struct object_books *books);
uint64_t objects_made(struct object_books *books);

// Lets `count` calls of construct and copy fail, from the n-th from now on; relent returns whether
// any did.
void objects_refuse(struct object_books *books, uint64_t n, uint64_t count);
bool objects_relent(struct object_books *books);

// The number of an object, after a check of what it is made of; OBJECT_NONE for NULL.
#define OBJECT_NONE 0xFFFFFFFFu
uint32_t text_number(const Text *text);
uint32_t mesh_number(const Mesh *mesh);

#endif
