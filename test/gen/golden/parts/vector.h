// What golden headers include: a struct and an enum that are not marked.
#ifndef PARTS_VECTOR_H
#define PARTS_VECTOR_H

typedef struct Vector {
    float x; // to the right
    float y;
} Vector;

typedef enum Mood { MOOD_CALM, MOOD_ANGRY } Mood;

#endif
