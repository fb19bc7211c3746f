// Components of the example `generated`: plain structs with marks. cosm-gen writes the rest.
#ifndef EXAMPLE_GENERATED_H
#define EXAMPLE_GENERATED_H

#include <cosm/mark.h>
#include <cosm/types.h>

// What a creature is up to.
typedef enum Mood { MOOD_CALM, MOOD_HUNGRY, MOOD_FLEEING } Mood;

typedef enum COSM_MASK() Sense { SENSE_SIGHT = 1, SENSE_HEARING = 2, SENSE_SMELL = 4 } Sense;

// Where a creature is: each float in an array of its own.
typedef struct COSM_COMPONENT(layout = split) Place {
    float x COSM_FIELD(unit = "m");
    float y COSM_FIELD(unit = "m");
} Place;

typedef struct COSM_COMPONENT() Creature {
    Mood mood;
    uint32_t senses COSM_FIELD(mask = Sense, default = SENSE_SIGHT);
    float energy COSM_FIELD(min = 0, max = 1, default = 1); // of what it can have
    cosm_entity follows;                                    // another creature, or none
    char name[16];
} Creature;

// Cannot move for a while.
COSM_TAG(Asleep);

#endif
