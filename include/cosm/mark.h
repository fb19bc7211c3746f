// Marks for cosm-gen: which structs of a header are components, and what their fields mean.
//
//     typedef struct COSM_COMPONENT(layout = split) Body {
//         float mass COSM_FIELD(unit = "kg", min = 0, max = 100, default = 1); // what it weighs
//         uint32_t flags COSM_FIELD(mask = BodyFlag);
//     } Body;
//
//     COSM_TAG(Frozen);
//
// The compiler ignores them. cosm-gen defines COSM_GEN and reads them as attributes; doc comments
// become the docs of components and fields. docs/manual/mark.md lists the options.
#ifndef COSM_MARK_H
#define COSM_MARK_H

#ifdef COSM_GEN
#define COSM_MARK(kind, options) __attribute__((annotate("cosm " kind " " options)))
#else
#define COSM_MARK(kind, options)
#endif

// Between `struct` and its tag: the struct is a component, or a singleton. Options: name = "...",
// default = {initializer}; for a component also layout = struct or split, storage = column, shared,
// managed or sector, changes = chunks or rows, group = name, and the functions of its lifecycle:
// construct, copy, move, destroy, equals, hash.
#define COSM_COMPONENT(...) COSM_MARK("component", #__VA_ARGS__)
#define COSM_SINGLETON(...) COSM_MARK("singleton", #__VA_ARGS__)

// A declaration: a component without bytes.
#define COSM_TAG(Name) struct COSM_MARK("tag", "") Name

// After the name of a field (and its dimensions). Options: unit = "...", min = number, max =
// number, default = expression, labels = Enum, mask = Enum, padding = bytes, strict = true.
#define COSM_FIELD(...) COSM_MARK("field", #__VA_ARGS__)

// Between `enum` and its tag: the values are bits to be or'ed.
#define COSM_MASK() COSM_MARK("bits", "")

#endif
