// Typed access: components by the names of their C types. Most programs need little else.
//
//     typedef struct Height { float meters; } Height;
//     typedef struct Speed { float meters_per_second; } Speed;
//
//     static void fall(cosm_rows *rows) {
//         Height *height = COSM_WRITE(rows, Height);
//         const Speed *speed = COSM_READ(rows, Speed);
//         for (uint32_t i = 0; i < rows->count; i++) {
//             height[i].meters += speed[i].meters_per_second * rows->dt;
//         }
//     }
//     ...
//     COSM_COMPONENT_DEFINE(engine, Height, meters);
//     COSM_COMPONENT_DEFINE(engine, Speed, meters_per_second);
//     COSM_SYSTEM_DEFINE(engine, fall, "mut Height, Speed");
//     ...
//     cosm_entity stone = COSM_SPAWN(world, COSM_VALUE(Height, 10), COSM_VALUE(Speed, 0));
//     printf("%f\n", COSM_READ(world, stone, Height)->meters);
//
// The macros are short forms of calls in other headers. They find a component by the name of its
// type (cosm_component_desc.type) and compare a 64-bit hash of the name, and the size, in every
// build; two names with one hash cannot be defined in one engine. By rows they cost what the calls
// by number cost, by entity a look-up more than those by id.
#ifndef COSM_TYPED_H
#define COSM_TYPED_H

#include <cosm/commands.h>
#include <cosm/component.h>
#include <cosm/entity.h>
#include <cosm/error.h>
#include <cosm/field.h>
#include <cosm/inlined.h>
#include <cosm/observer.h>
#include <cosm/query.h>
#include <cosm/singleton.h>
#include <cosm/system.h>
#include <cosm/types.h>

// Defines the component for `Type`, with the type's name and a default value of zeros:
//
//     COSM_COMPONENT_DEFINE(engine, Body, mass, team, name, pose.x, pose.y);
//
// The fields follow the type, at most 32, or none. A field is a number, a bool, a cosm_entity or an
// array of these; an array of char is text. An enum is the number that holds it. Fields of nested
// structs are written as paths. For docs, units, ranges and labels use cosm-gen or
// cosm_component_define.
//
// A type that is itself a number, a bool, a cosm_entity or an array of these has one field,
// "value", if none is named. Of a struct name every field or none: a byte of a member that belongs
// to no field is refused. Where padding cannot be told from members, with a compiler without
// __builtin_clear_padding and in types of more than 4,096 bytes, it is noticed only if as many
// bytes as the type's alignment are bare.
#define COSM_COMPONENT_DEFINE(engine, ...)                                                         \
    COSM_DEFINE(cosm_component_define_type, engine, COSM_FIRST(__VA_ARGS__, ),                     \
                COSM_FIELDS(__VA_ARGS__))

// Defines a singleton in the same way.
#define COSM_SINGLETON_DEFINE(engine, ...)                                                         \
    COSM_DEFINE(cosm_singleton_define_type, engine, COSM_FIRST(__VA_ARGS__, ),                     \
                COSM_FIELDS(__VA_ARGS__))

// Defines a tag: a component without bytes.
#define COSM_TAG_DEFINE(engine, Name) cosm_tag_define((engine), COSM_NAME(Name))

// Defines a system that is called with rows, named after the function.
#define COSM_SYSTEM_DEFINE(engine, each, query)                                                    \
    cosm_system_define_each((engine), #each, (each), (query))

// Values, for reading and for writing:
//
//     COSM_READ(rows, Type)             the column of a run of rows; NULL if it is optional and
//                                       absent
//     COSM_READ(world, entity, Type)    one value; NULL if the entity is stale or lacks it
//
// A type that the rows do not have, or that the query only reads and you write, is reported and
// fails the step; rows->count is then 0, so that a loop over the rows does not run.
#define COSM_READ(...)                                                                             \
    COSM_PICK_3(__VA_ARGS__, COSM_READ_ONE, COSM_READ_ROWS, COSM_READ_NEEDS_A_TYPE, )(__VA_ARGS__)
#define COSM_WRITE(...)                                                                            \
    COSM_PICK_3(__VA_ARGS__, COSM_WRITE_ONE, COSM_WRITE_ROWS, COSM_WRITE_NEEDS_A_TYPE, )           \
    (__VA_ARGS__)

// A world's value of a singleton. NULL, reported, if no singleton has this type.
#define COSM_SINGLETON_READ(world, Type)                                                           \
    COSM_CAST(const Type *, cosm_singleton_read_type((world), COSM_TYPE(Type)))
#define COSM_SINGLETON_WRITE(world, Type)                                                          \
    COSM_CAST(Type *, cosm_singleton_write_type((world), COSM_TYPE(Type)))

// The value that entity number `i` of an event has, or had before it stopped matching; NULL if
// there is none. A type that no component holds is reported; event->count is then 0. So it is if
// COSM_READ(event->rows, Type) is refused.
#define COSM_EVENT_VALUE(event, i, Type)                                                           \
    COSM_CAST(const Type *, cosm_event_value_type((event), (i), COSM_TYPE(Type)))

// The id of a component or a tag by its name, for calls that need one:
//
//     cosm_entity_add(world, entity, COSM_ID(world, Frozen))
//
// Zero, reported, if there is none, or if several components have this type.
#define COSM_ID(world, Type) cosm_world_component((world), COSM_NAME(Type))

#ifndef __cplusplus

// Values for COSM_SPAWN: a component with an initializer of its type; with a copy of a value that
// you have, as COSM_COPY(Height, height); a component or a tag with its default. In C++ use
// cosm.hpp.
#define COSM_VALUE(Type, ...)                                                                      \
    {                                                                                              \
        COSM_TYPE(Type), &(const Type) {                                                           \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define COSM_COPY(Type, ...)                                                                       \
    {                                                                                              \
        COSM_TYPE(Type), (const Type[1]) {                                                         \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define COSM_DEFAULT(Type)                                                                         \
    { COSM_NAME(Type), NULL }

// Spawns an entity with the components of the values, at most 32 and each once. COSM_ENTITY_NONE on
// failure.
#define COSM_SPAWN(world, ...)                                                                     \
    cosm_entity_spawn_typed((world), (const cosm_typed[]){__VA_ARGS__},                            \
                            sizeof((const cosm_typed[]){__VA_ARGS__}) / sizeof(cosm_typed))

// Records the same as a command.
#define COSM_COMMANDS_SPAWN(commands, world, ...)                                                  \
    cosm_commands_spawn_typed((commands), (world), (const cosm_typed[]){__VA_ARGS__},              \
                              sizeof((const cosm_typed[]){__VA_ARGS__}) / sizeof(cosm_typed))

#endif

#endif
