#!/bin/sh
# Rule: every header stands alone. Public ones compile as C17 and as C++17, private ones as C17,
# each included twice, with warnings as errors, under every compiler that is there. A program in
# C++17 that uses every public macro compiles too, and what cosm.hpp is to refuse does not.
#
# COSM_COMPILERS says which of gcc and clang are asked; both, if it does not.
set -eu
cc_all=${COSM_COMPILERS:-gcc clang}
cxx_all=""
for compiler in $cc_all; do
    cxx_all="$cxx_all ${compiler%cc}++"
done
warnings="-Wall -Wextra -Wconversion -Wshadow -Wpedantic -Werror"
# In C++ our casts are those of C++.
cpp_warnings="$warnings -Wold-style-cast"
status=0

# try COMPILER LANGUAGE INCLUDE-LINE WHAT
try() {
    words=$warnings
    [ "$2" = c ] || words=$cpp_warnings
    if ! printf '%s\n%s\nint cosm_header_test;\n' "$3" "$3" |
        "$1" -x "$2" -std="${2}17" $words $flags -Iinclude -Isrc -fsyntax-only - 2>&1; then
        echo "$4 does not compile alone as ${2}17 with $1"
        status=1
    fi
}

# Every macro of the public headers, in C++.
macros() {
    cat <<'END'
#include <cosm/cosm.h>

#include <cstdint>
#include <cstdio>

struct Position {
    float x, y;
};
struct alignas(64) Wide {
    char bytes[64];
};
struct Clock {
    uint32_t ticks;
};
enum COSM_MASK() Flag { FLAG_HOT = 1 };
struct COSM_COMPONENT(name = "body", layout = split) Body {
    float mass COSM_FIELD(unit = "kg", min = 0, max = 100);
    uint32_t flags COSM_FIELD(mask = Flag);
};
struct COSM_SINGLETON() Weather {
    float wind;
};
COSM_TAG(Frozen);
struct COSM_MARK("component", "") Marked {
    int32_t count;
};

COSM_BEGIN_C
COSM_API COSM_MUST_USE int use_macros(void);
COSM_API void tell(const char *format, ...) COSM_PRINTF(1, 2);
COSM_END_C

static const uint64_t limits[] = {
    COSM_SAVE_FORMAT,
    COSM_NAME_LENGTH_MAX, COSM_COMPONENT_MAX,     COSM_COMPONENT_SIZE_MAX,
    COSM_BUNDLE_MAX,      COSM_SINGLETON_MAX,     COSM_COMPONENT_ALIGNMENT_MAX,
    COSM_LIST_MAX,        COSM_ARCHETYPE_MAX,     COSM_ARCHETYPE_COMPONENT_MAX,
    COSM_QUERY_TERM_MAX,  COSM_BATCH_WORLD_MAX,   COSM_TABLE_ROW_MAX,   COSM_BATCH_STEP_MAX,
    COSM_WORLD_ENTITY_MAX, COSM_LOOKUP_SLOT_COUNT, COSM_ALIGNOF(Wide),
    COSM_PHASE_MAX,       COSM_SYSTEM_MAX,        COSM_SYSTEM_ORDER_MAX,
    COSM_SYSTEM_QUERY_MAX, COSM_WORKER_MAX,       COSM_ARCHETYPE_COLUMN_MAX,
    COSM_FIELD_MAX,       COSM_FIELD_DIM_MAX,     COSM_FIELD_PATH_LENGTH_MAX,
    COSM_LABEL_MAX,       COSM_FIELD_INDEX_NONE,  COSM_GEN_FORMAT,
    COSM_TEMPLATE_MAX,    COSM_TEMPLATE_PART_MAX,
    COSM_OBSERVER_MAX,    COSM_OBSERVER_ROUND_MAX, COSM_EXPORT_SLOT_NONE,
    COSM_EXPORT_SLOT_MAX, COSM_TENSOR_DIM_MAX,
    COSM_CONTAINER_MEMBER_MAX, COSM_CONTAINER_CHUNK_MAX, COSM_CONTAINER_FOREIGN_MAX,
    COSM_CONTAINER_PAGE_IDS, COSM_CONTAINER_BIT(3), COSM_SECTOR_GROUP_MAX,
};

static const double rates[] = {COSM_LOOP_RATE_MIN, COSM_LOOP_RATE_MAX};

static void drift(cosm_rows *rows) {
    (void)rows;
}

int use_macros(void) {
    cosm_engine *engine = cosm_engine_create(nullptr);
    const cosm_component position = COSM_COMPONENT_DEFINE(engine, Position, x, y);
    const cosm_component wide = COSM_COMPONENT_DEFINE(engine, Wide);
    const cosm_component frozen = COSM_TAG_DEFINE(engine, Frozen);
    (void)COSM_SINGLETON_DEFINE(engine, Clock, ticks);
    (void)COSM_SYSTEM_DEFINE(engine, drift, "mut Position");
    cosm_field field{};
    field.name = "mass";
    field.type = COSM_FIELD_F32;
    cosm_component_type body_type{};
    body_type.desc.name = "Body";
    body_type.desc.size = sizeof(Body);
    body_type.desc.layout = COSM_LAYOUT_SPLIT;
    body_type.desc.fields = &field;
    body_type.desc.field_count = 1;
    const cosm_component body = cosm_component_register(engine, &body_type);
    cosm_archetype_desc archetype_desc{};
    archetype_desc.components[0] = position;
    archetype_desc.components[1] = wide;
    archetype_desc.components[2] = frozen;
    const cosm_archetype archetype = cosm_archetype_define(engine, &archetype_desc);
    cosm_query_desc query_desc{};
    query_desc.terms[0].component = position;
    cosm_query *query = cosm_query_create(engine, &query_desc);
    cosm_batch *batch = cosm_batch_create(engine, nullptr);
    const cosm_world world = cosm_batch_world(batch, 0);

    cosm_entity entity = COSM_ENTITY_NONE;
    const cosm_phase phases[] = {COSM_PHASE_INPUT, COSM_PHASE_SIMULATION, COSM_PHASE_RENDER};
    cosm_loc loc = COSM_LOC_NONE;
    entity = cosm_entity_spawn(world, archetype);
    COSM_WRITE(world, entity, Position)->x = 1;
    float sum = COSM_READ(world, entity, Position)->x;
    COSM_SINGLETON_WRITE(world, Clock)->ticks = 2;
    sum += static_cast<float>(COSM_SINGLETON_READ(world, Clock)->ticks);
    sum += static_cast<float>(COSM_ID(world, Frozen).id + COSM_CAST(uint32_t, sizeof(rates)));
    sum += *COSM_UNCONST(float *, &COSM_READ(world, entity, Position)->x);
    cosm_lookup lookup;
    cosm_lookup_begin(world, position, &lookup);
    COSM_LOOKUP_WRITE(&lookup, Position, entity)->y = 3;
    sum += COSM_LOOKUP_READ(&lookup, Position, entity)->y;
    cosm_container_member member{};
    member.name = "Position";
    member.size = sizeof(Position);
    cosm_container_desc sectors_desc{};
    sectors_desc.members = &member;
    sectors_desc.member_count = 1;
    cosm_container *sectors = cosm_container_create(&sectors_desc);
    cosm_container_add(sectors, entity, 0, nullptr);
    COSM_CONTAINER_WRITE(sectors, entity, Position, 0)->x = 4;
    sum += COSM_CONTAINER_READ(sectors, entity, Position, 0)->x;
    cosm_container_walk_desc walk_desc{};
    walk_desc.foreign[0] = {sectors, 0};
    cosm_container_walk walk;
    for (cosm_sector *sector = cosm_container_walk_begin(sectors, &walk_desc, &walk);
         sector != nullptr; sector = cosm_container_walk_next(&walk, sector)) {
        sum += COSM_CONTAINER_FOREIGN(&walk, sector, Position, 0)->x;
    }
    cosm_container_destroy(sectors);
    cosm_rows rows;
    cosm_query_walk(query, cosm_worlds_all(batch), &rows);
    while (cosm_rows_next(&rows)) {
        COSM_COLUMN_WRITE(&rows, Position, 0)[0].x += 1;
        sum += COSM_COLUMN_READ(&rows, Position, 0)[0].x;
        sum += COSM_READ(&rows, Position)[0].y;
        COSM_WRITE(&rows, Position)[0].y += 1;
        COSM_FIELD_WRITE(&rows, float, 1, 0)[0] += 1;
        sum += COSM_FIELD_READ(&rows, float, 1, 0)[0];
        sum += COSM_FIELD_OF(&rows, float, body, 0)[0];
        sum += static_cast<float>(COSM_SHARED_READ(&rows, Clock, 2)->ticks);
        sum += COSM_SECTOR_READ(&rows, Position, 0, 0) == nullptr ? 1.0f : 0.0f; // has a column
        sum += COSM_SECTOR_WRITE(&rows, Position, 0, 0) == nullptr ? 1.0f : 0.0f;
    }
    cosm_event event{};
    event.kind = COSM_EVENT_START;
    event.world = world;
    sum += COSM_EVENT_VALUE(&event, 0, Position) == nullptr ? 1.0f : 0.0f;
    tell("at " COSM_ENTITY_FORMAT, COSM_ENTITY_PRINT(entity));
    tell("%u and %u", static_cast<unsigned>(sizeof(Weather)), static_cast<unsigned>(FLAG_HOT));
    std::printf("%s %g %u %u %u %g\n", COSM_VERSION, static_cast<double>(sum), loc.row,
                static_cast<unsigned>(limits[0]), phases[0].id, rates[0]);
    cosm_batch_destroy(batch);
    return cosm_engine_destroy(engine) == COSM_OK ? 0 : 1;
}
END
}

for compiler in $cxx_all; do
    if command -v $compiler >/dev/null &&
        ! macros | "$compiler" -x c++ -std=c++17 $cpp_warnings -Iinclude -fsyntax-only - 2>&1; then
        echo "the public macros do not compile as c++17 with $compiler"
        status=1
    fi
done
# None is left out but guards, what macros are made of (inlined.h), and what is for C only.
for macro in $(find include/cosm -name '*.h' ! -name inlined.h -exec \
    sed -n 's/^#[[:space:]]*define[[:space:]]\{1,\}\([A-Z0-9_]*\).*/\1/p' {} + |
    grep -v -e '_H$' -e '^COSM_VALUE$' -e '^COSM_COPY$' -e '^COSM_DEFAULT$' -e '^COSM_SPAWN$' \
        -e '^COSM_COMMANDS_SPAWN$' | LC_ALL=C sort -u); do
    if ! macros | grep -qw "$macro"; then
        echo "$macro is not in the C++ program of test/rules/headers.sh: use it there"
        status=1
    fi
done

# What cosm.hpp is to refuse: a line of C++ for each, and words of the message. The first line is
# the control, which compiles.
refused() {
    cat <<'END'
cosm::each<Height, const Height *>(rows, [](Height &, const Height *) {});|
cosm::each<Height &>(rows, [](Height &) {});|no references
cosm::each<Frozen>(rows, [](Frozen &) {});|a tag has no column
cosm::each<const Height>(rows, [](Height &) {});|
cosm::define<float>(engine);|name the type with COSM_NAME_TYPE
cosm::define<Pair<float>>(engine);|this type has no plain name
cosm::define<std::string>(engine);|the library copies plain bytes
cosm::define_system(engine, "a", "Height", [rows](cosm_rows *) { (void)rows; });|
cosm_engine_destroy(cosm::engine(engine));|
cosm::define<Height>(engine, COSM_FIELDS(Speed, meters));|the fields are those of another type
cosm::define_singleton<Height>(engine, COSM_FIELDS(Speed, meters));|the fields are those of another type
END
}

for compiler in $cxx_all; do
    command -v $compiler >/dev/null || continue
    number=0
    refused | while IFS='|' read -r line words; do
        number=$((number + 1))
        compiled=yes
        said=$(printf '%s\n' '#include <cosm/cosm.hpp>' '#include <string>' \
            'struct Height { float meters; }; struct Speed { float meters; }; struct Frozen {};' \
            'template <typename T> struct Pair { T a, b; };' \
            "void use(cosm_engine *engine, cosm_rows *rows) { (void)engine; (void)rows; $line }" |
            $compiler -x c++ -std=c++17 $cpp_warnings -Iinclude -fsyntax-only - 2>&1) || compiled=no
        if [ $number -eq 1 ] && [ $compiled = no ]; then
            echo "$compiler refuses what cosm.hpp takes: $line"
            echo "$said"
            exit 1
        elif [ $number -gt 1 ] && [ $compiled = yes ]; then
            echo "cosm.hpp is to refuse, and does not with $compiler: $line"
            exit 1
        elif [ -n "$words" ] && ! printf '%s' "$said" | grep -qF -e "$words"; then
            echo "$compiler does not say '$words' of: $line"
            exit 1
        fi
    done || status=1
done

# More fields than a definition takes: one message says so, in both languages.
for compiler in $cc_all $cxx_all; do
    command -v $compiler >/dev/null || continue
    language=c
    [ "${compiler%++}" = "$compiler" ] || language=c++
    said=$({
        echo '#include <cosm/cosm.h>'
        echo 'typedef struct Wide { int m[33]; } Wide;'
        printf 'void use(cosm_engine *engine) { COSM_COMPONENT_DEFINE(engine, Wide'
        i=0
        while [ $i -lt 33 ]; do
            printf ', m[%d]' $i
            i=$((i + 1))
        done
        echo '); }'
    } | $compiler -x $language -std=${language}17 -Iinclude -fsyntax-only - 2>&1) || true
    if [ "$(printf '%s\n' "$said" | grep -c 'error:')" != 1 ] ||
        ! printf '%s' "$said" | grep -q 'takes at most 32 fields'; then
        echo "$compiler does not say in one message that 33 fields are too many:"
        echo "$said"
        status=1
    fi
done

for checks in "" "-DCOSM_CHECKS=1"; do
    flags=$checks
    for header in include/cosm/*.h; do
        [ -f "$header" ] || continue
        line="#include <cosm/$(basename "$header")>"
        for compiler in $cc_all; do
            ! command -v $compiler >/dev/null || try $compiler c "$line" "$header"
        done
        for compiler in $cxx_all; do
            ! command -v $compiler >/dev/null || try $compiler c++ "$line" "$header"
        done
    done
    for header in include/cosm/*.hpp; do
        [ -f "$header" ] || continue
        line="#include <cosm/$(basename "$header")>"
        for compiler in $cxx_all; do
            ! command -v $compiler >/dev/null || try $compiler c++ "$line" "$header"
        done
    done
done
# Those of modules too, as they are installed.
flags="-Imodules/physics/include -Imodules/record/include -Imodules/sim/include -Imodules/space/include -Imodules/text/include -Imodules/zstd/include"
for header in modules/*/include/*/*.h; do
    line="#include <${header#modules/*/include/}>"
    for compiler in $cc_all; do
        ! command -v $compiler >/dev/null || try $compiler c "$line" "$header"
    done
    for compiler in $cxx_all; do
        ! command -v $compiler >/dev/null || try $compiler c++ "$line" "$header"
    done
done
flags=""
for header in $(find src -name '*.h' 2>/dev/null | LC_ALL=C sort); do
    for compiler in $cc_all; do
        ! command -v $compiler >/dev/null || try $compiler c "#include \"${header#src/}\"" "$header"
    done
done
exit $status
