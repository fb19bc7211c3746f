// Objects that tests put in components: each has memory of its own, is made once and ends once, and
// is at the address it was made or moved to. The books know which live.
#ifndef COSM_TEST_OBJECTS_H
#define COSM_TEST_OBJECTS_H

#include <cosm/component.h>

#include "support/books.h"

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

// All hooks of Text; all of Mesh but hash and equals; of Label what shared values need.
cosm_lifecycle text_lifecycle(struct object_books *books);
cosm_lifecycle mesh_lifecycle(struct object_books *books);
cosm_lifecycle label_lifecycle(struct object_books *books);

// Objects of the caller's own.
void text_open(struct object_books *books, Text *text, uint32_t number);
void mesh_open(struct object_books *books, Mesh *mesh, uint32_t number);
void text_end(struct object_books *books, Text *text);
void mesh_end(struct object_books *books, Mesh *mesh);

// The number of an object, after a check of what it is made of; OBJECT_NONE for NULL.
#define OBJECT_NONE 0xFFFFFFFFu
uint32_t text_number(const Text *text);
uint32_t mesh_number(const Mesh *mesh);

#endif
