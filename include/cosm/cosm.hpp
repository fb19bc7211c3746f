// Cosm in C++17: thin typed forms of the calls of cosm.h, on the same handles.
//
//     cosm::define<Height>(engine, COSM_FIELDS(Height, meters));
//     cosm::define_system(engine, "fall", "mut Height, Speed", [](cosm_rows *rows) {
//         cosm::each<Height, const Speed>(rows, [rows](Height &height, const Speed &speed) {
//             height.meters += speed.meters_per_second * rows->dt;
//         });
//     });
//     cosm_entity stone = cosm::spawn(world, Height{10}, Speed{0});
//
// A component is found by the name of its type, without namespaces; name and size are compared in
// every build. These are the macros of typed.h as functions. Everything else is done with the calls
// of C; `cosm_system_desc desc{};` is a zeroed desc. cosm.h does not include this header.
//
// The header throws nothing, needs no RTTI and allocates nothing. A callback that the library calls
// must not let an exception out: there are frames of C below it.
#ifndef COSM_HPP
#define COSM_HPP

#include <array>
#include <cosm/cosm.h>
#include <memory>
#include <string_view>
#include <type_traits>

// Gives a type another name than its own; at file scope, outside of namespaces, before its first
// use. For types whose names differ in their namespaces only, and for those that are no classes.
//     COSM_NAME_TYPE(physics::Body, "PhysicsBody");
#define COSM_NAME_TYPE(Type, text)                                                                 \
    template <> struct cosm::name_of<Type> { static constexpr std::string_view value = text; }

namespace cosm {

template <typename T> struct name_of;
namespace detail {
template <typename T> constexpr std::string_view spelled() noexcept {
    return __PRETTY_FUNCTION__; // of gcc and clang
}

// What compilers write around a type is the same for all types, and learnt from one of them.
template <typename T> constexpr std::string_view short_name() noexcept {
    constexpr std::string_view probe = spelled<double>();
    constexpr std::size_t before = probe.find("double");
    constexpr std::size_t after = probe.size() - before - 6;
    std::string_view name = spelled<T>();
    name = name.substr(before, name.size() - before - after);
    const std::size_t colons = name.rfind("::");
    return colons == std::string_view::npos ? name : name.substr(colons + 2);
}

// The name with eight zeroes behind it, as cosm_type_of wants it.
template <typename T> constexpr auto padded_name() noexcept {
    constexpr std::string_view name = name_of<T>::value;
    std::array<char, name.size() + 8> text{};
    for (std::size_t i = 0; i < name.size(); i++) {
        text[i] = name[i];
    }
    return text;
}
template <typename T> inline constexpr auto padded = padded_name<T>();
template <typename T> inline constexpr std::size_t size = std::is_empty_v<T> ? 0 : sizeof(T);

template <typename T> const void *default_value() {
    constexpr bool is_plain = std::is_trivially_default_constructible_v<T> || size<T> == 0;
    if constexpr (is_plain || !std::is_default_constructible_v<T>) {
        return nullptr; // zeroes
    } else {
        static const T value{};
        return &value;
    }
}

// The desc of a component or a singleton that holds T.
template <typename T, typename Desc> Desc describe(const cosm_field *fields, uint32_t count) {
    static_assert(std::is_trivially_copyable_v<T>,
                  "the library copies plain bytes: define other types with cosm_component_define "
                  "and a lifecycle, see managed.h");
    Desc desc{};
    desc.name = padded<T>.data();
    desc.type = desc.name;
    desc.size = size<T>;
    desc.alignment = alignof(T);
    desc.default_value = default_value<T>();
    desc.fields = fields;
    desc.field_count = count;
    return desc;
}
} // namespace detail

// The name of a type: its own, without what stands around it. COSM_NAME_TYPE gives another one.
template <typename T> struct name_of {
    static_assert(std::is_class_v<T> || std::is_union_v<T> || std::is_enum_v<T>,
                  "an alias of a number or a pointer has no name of its own: make it a struct, or "
                  "name the type with COSM_NAME_TYPE");
    static constexpr std::string_view value = detail::short_name<T>();
    static_assert(value.find_first_of("<>(){}[] $@.:-") == std::string_view::npos,
                  "this type has no plain name: give it one with COSM_NAME_TYPE");
};

// A type by its name, as the typed calls of C take it. A class without members is a tag.
template <typename T> cosm_type type() noexcept {
    constexpr auto &name = detail::padded<std::remove_const_t<T>>;
    return cosm_type_of(name.data(), name.size() - 8, detail::size<T>);
}

// The id of a component or a tag. Zero, reported, where there is none.
template <typename T> cosm_component id(cosm_world world) {
    return cosm_world_component(world, type<T>());
}

// Defines the component or the tag that T is. Fields are those of COSM_FIELDS(T, ...): all of them,
// or none. The default value is T{} where T says so (`int points = 100;`, a constructor), else
// zeroes. Zero on failure.
template <typename T, typename Listed, std::size_t count>
cosm_component define(cosm_engine *engine, const cosm_fields_of<Listed, count> &fields) {
    static_assert(
        std::is_same_v<T, Listed>,
        "the fields are those of another type: write define<T>(engine, COSM_FIELDS(T, ...))");
    const auto desc = detail::describe<T, cosm_component_desc>(fields.begin(), fields.count());
    cosm_members_of<T> members;
    return cosm_component_define_fields(engine, "cosm::define", &desc, members.find());
}
template <typename T> cosm_component define(cosm_engine *engine) {
    return define<T>(engine, cosm_fields_of<T, 0>{});
}

// Defines a singleton in the same way.
template <typename T, typename Listed, std::size_t count>
cosm_singleton define_singleton(cosm_engine *engine, const cosm_fields_of<Listed, count> &fields) {
    static_assert(std::is_same_v<T, Listed>,
                  "the fields are those of another type: write define_singleton<T>(engine, "
                  "COSM_FIELDS(T, ...))");
    const auto desc = detail::describe<T, cosm_singleton_desc>(fields.begin(), fields.count());
    cosm_members_of<T> members;
    return cosm_singleton_define_fields(engine, "cosm::define_singleton", &desc, members.find());
}
template <typename T> cosm_singleton define_singleton(cosm_engine *engine) {
    return define_singleton<T>(engine, cosm_fields_of<T, 0>{});
}

// Defines a system that is called for rows: a function, or a lambda that captures nothing. `uses`
// and `commands` are those of cosm_system_desc. For everything else there is cosm_system_define.
inline cosm_system define_system(cosm_engine *engine, const char *name, const char *query,
                                 cosm_rows_fn *each, const char *uses = nullptr,
                                 bool commands = false) {
    cosm_system_desc desc{};
    desc.name = name;
    desc.query = query;
    desc.each = each;
    desc.uses = uses;
    desc.commands = commands;
    return cosm_system_define(engine, &desc);
}

// Columns of a run of rows: COSM_READ and COSM_WRITE.
template <typename T> const T *read(const cosm_rows *rows) {
    return static_cast<const T *>(cosm_rows_read_type(rows, type<T>()));
}
template <typename T> T *write(const cosm_rows *rows) {
    return static_cast<T *>(cosm_rows_write_type(rows, type<T>()));
}

// One value; NULL where the entity is stale or lacks it.
template <typename T> const T *read(cosm_world world, cosm_entity entity) {
    return static_cast<const T *>(cosm_entity_read_type(world, entity, type<T>()));
}
template <typename T> T *write(cosm_world world, cosm_entity entity) {
    return static_cast<T *>(cosm_entity_write_type(world, entity, type<T>()));
}

// The world's singleton: singleton<const T> reads, singleton<T> writes. NULL, reported, where there
// is none.
template <typename T> T *singleton(cosm_world world) {
    if constexpr (std::is_const_v<T>) {
        return static_cast<T *>(cosm_singleton_read_type(world, type<T>()));
    } else {
        return static_cast<T *>(cosm_singleton_write_type(world, type<T>()));
    }
}

// The value of entity number `i` of an event: COSM_EVENT_VALUE.
template <typename T> const T *value(const cosm_event *event, uint32_t i) {
    return static_cast<const T *>(cosm_event_value_type(event, i, type<T>()));
}

// For spawn: the component with its default value, spawn(world, Height{10}, by_default<Speed>).
template <typename T> struct default_of {};
template <typename T> inline constexpr default_of<T> by_default{};

namespace detail {
template <typename T> cosm_typed typed(const T &value) {
    return {type<T>(), size<T> == 0 ? nullptr : &value};
}
template <typename T> cosm_typed typed(const default_of<T> &) {
    return {type<T>(), nullptr};
}

// In each, T is for writing, const T for reading; T * and const T * where it may be absent.
template <typename T> using column_of = std::remove_pointer_t<std::remove_reference_t<T>>;

template <typename T> column_of<T> *column(const cosm_rows *rows) {
    static_assert(!std::is_reference_v<T>, "each<T> writes, each<const T> reads: no references");
    static_assert(size<column_of<T>> > 0, "a tag has no column: leave it out");
    if constexpr (std::is_const_v<column_of<T>>) {
        return read<std::remove_const_t<column_of<T>>>(rows);
    } else {
        return write<column_of<T>>(rows);
    }
}

template <typename T> decltype(auto) item(column_of<T> *column, uint32_t i) noexcept {
    if constexpr (std::is_pointer_v<T>) {
        return column == nullptr ? nullptr : column + i;
    } else {
        return (column[i]);
    }
}

template <typename... Ts, typename F>
void visit(const cosm_rows *rows, F &function, column_of<Ts> *...columns) {
    if ((... || (!std::is_pointer_v<Ts> && columns == nullptr))) {
        return;
    }
    const uint32_t count = rows->count; // zero where a column was refused
    for (uint32_t i = 0; i < count; i++) {
        if constexpr (std::is_invocable_v<F &, cosm_world, cosm_entity,
                                          decltype(item<Ts>(columns, i))...>) {
            function(cosm_rows_world(rows, i),
                     rows->entities == nullptr ? COSM_ENTITY_NONE : rows->entities[i],
                     item<Ts>(columns, i)...);
        } else if constexpr (std::is_invocable_v<F &, cosm_entity,
                                                 decltype(item<Ts>(columns, i))...>) {
            function(rows->entities == nullptr ? COSM_ENTITY_NONE : rows->entities[i],
                     item<Ts>(columns, i)...);
        } else {
            function(item<Ts>(columns, i)...);
        }
    }
}
} // namespace detail

// Spawns an entity whose components are those of the values, 1 to 32; now, or as a command.
// COSM_ENTITY_NONE on failure.
template <typename... Ts> cosm_entity spawn(cosm_world world, const Ts &...values) {
    const cosm_typed list[] = {detail::typed(values)...};
    return cosm_entity_spawn_typed(world, list, sizeof...(Ts));
}
template <typename... Ts>
cosm_entity spawn(cosm_commands *commands, cosm_world world, const Ts &...values) {
    const cosm_typed list[] = {detail::typed(values)...};
    return cosm_commands_spawn_typed(commands, world, list, sizeof...(Ts));
}

// Sets a value, adding the component where it is absent; now, or as a command. Add and remove with
// cosm_entity_add and so on, by id<T>(world).
template <typename T>
COSM_MUST_USE cosm_result set(cosm_world world, cosm_entity entity, const T &value) {
    const cosm_component component = id<T>(world);
    return component.id == 0 ? cosm_error_result()
                             : cosm_entity_set(world, entity, component, detail::typed(value).data);
}
template <typename T>
cosm_result set(cosm_commands *commands, cosm_world world, cosm_entity entity, const T &value) {
    return cosm_commands_set(commands, world, entity, id<T>(world), detail::typed(value).data);
}

// Calls `function` for each row of a run: each<Height, const Speed>(rows, [](Height &height, const
// Speed &speed) {...}). T is for writing, const T for reading; where the query has `?Name`, T * or
// const T * gives a pointer that may be NULL, while T passes over the rows that lack it. A function
// whose first parameter is a cosm_entity gets that too, one that begins with a cosm_world and a
// cosm_entity both. What is wrong is reported, and no row is
// visited.
template <typename... Ts, typename F> void each(cosm_rows *rows, F &&function) {
    detail::visit<Ts...>(rows, function, detail::column<Ts>(rows)...);
}

// A walk that ends with its scope, however that is left.
class walk {
  public:
    walk(const cosm_query *query, cosm_worlds worlds) {
        cosm_query_walk(query, worlds, &rows);
    }
    walk(const cosm_turn *turn, uint32_t query_index, cosm_worlds worlds) {
        cosm_turn_walk(turn, query_index, worlds, &rows);
    }
    walk(const walk &) = delete;
    walk &operator=(const walk &) = delete;
    ~walk() {
        cosm_rows_end(&rows);
    }
    cosm_rows *next() { // NULL at the end
        return cosm_rows_next(&rows) ? &rows : nullptr;
    }

  private:
    cosm_rows rows;
};

// The same for each row of some worlds that matches.
template <typename... Ts, typename F>
void each(const cosm_query *query, cosm_worlds worlds, F &&function) {
    walk runs(query, worlds);
    while (cosm_rows *rows = runs.next()) {
        each<Ts...>(rows, function);
    }
}

// Owners: they destroy what they hold, and pass for its handle in calls. Declare an engine before
// what is made from it.
template <auto destroy> using destroyer = std::integral_constant<decltype(destroy), destroy>;
template <typename T, auto destroy> struct owner : std::unique_ptr<T, destroyer<destroy>> {
    using std::unique_ptr<T, destroyer<destroy>>::unique_ptr;
    operator T *() const &noexcept {
        return this->get();
    }
    operator T *() const && = delete; // it would be destroyed at once
};
using engine = owner<cosm_engine, cosm_engine_destroy>;
using batch = owner<cosm_batch, cosm_batch_destroy>;
using query = owner<cosm_query, cosm_query_destroy>;
using commands = owner<cosm_commands, cosm_commands_destroy>;
using snapshot = owner<cosm_snapshot, cosm_snapshot_destroy>;
using rollback = owner<cosm_rollback, cosm_rollback_destroy>;

} // namespace cosm

#endif
