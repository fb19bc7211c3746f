// Books of the objects of a fixture: which live, what their hooks did, and which hooks are to fail.
#ifndef COSM_TEST_BOOKS_H
#define COSM_TEST_BOOKS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

// Objects that live now; those that were made by construct and copy.
size_t objects_count(struct object_books *books);
uint64_t objects_made(struct object_books *books);

// Lets `count` calls of construct and copy fail, from the n-th from now on; relent returns whether
// any did.
void objects_refuse(struct object_books *books, uint64_t n, uint64_t count);
bool objects_relent(struct object_books *books);

#endif
