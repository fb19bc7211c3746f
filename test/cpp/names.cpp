// cosm.hpp: the names of types, and the keys that come from them.
#include <cosm/cosm.hpp>

#include "harness.h"

struct Plain {
    int a;
};
typedef struct {
    int a;
} Aliased;
typedef struct a_tag {
    int a;
} Tagged;
enum class Team : uint8_t { red, blue };
union Either {
    int a;
    float b;
};
struct Outer {
    struct Inner {
        int a;
    };
};
struct AVeryLongNameOfAComponentThatHasMoreThanThirtyTwoCharacters {
    int a;
};
template <typename T> struct Pair { T a, b; };
namespace game::parts {
struct Wheel {
    int a;
};
} // namespace game::parts
namespace {
struct Hidden {
    int a;
};
} // namespace

COSM_NAME_TYPE(Pair<float>, "FloatPair");
COSM_NAME_TYPE(double, "Seconds");

static_assert(cosm::name_of<Plain>::value == "Plain");
static_assert(cosm::name_of<Aliased>::value == "Aliased");
static_assert(cosm::name_of<Tagged>::value == "a_tag");
static_assert(cosm::name_of<Team>::value == "Team");
static_assert(cosm::name_of<Either>::value == "Either");
static_assert(cosm::name_of<Outer::Inner>::value == "Inner");
static_assert(cosm::name_of<game::parts::Wheel>::value == "Wheel");
static_assert(cosm::name_of<Hidden>::value == "Hidden");
static_assert(cosm::name_of<Pair<float>>::value == "FloatPair");
static_assert(cosm::name_of<double>::value == "Seconds");

TEST(a_type_has_the_key_that_the_macros_of_c_give_it) {
    using Long = AVeryLongNameOfAComponentThatHasMoreThanThirtyTwoCharacters;
    CHECK_INT(cosm::type<Plain>().key, COSM_TYPE(Plain).key);
    CHECK_INT(cosm::type<const Plain>().key, COSM_TYPE(Plain).key);
    CHECK_INT(cosm::type<Long>().key,
              COSM_TYPE(AVeryLongNameOfAComponentThatHasMoreThanThirtyTwoCharacters).key);
    CHECK_STR(cosm::type<game::parts::Wheel>().name, "Wheel");
    CHECK_INT(cosm::type<Plain>().size, sizeof(Plain));
}

TEST(types_of_functions_and_of_templates_are_components_too) {
    struct Local {
        int a;
    };
    cosm::engine engine(cosm_engine_create(nullptr));
    CHECK(cosm::define<Local>(engine, COSM_FIELDS(Local, a)).id != 0);
    CHECK(cosm::define<Pair<float>>(engine).id != 0);
    CHECK(cosm::define<double>(engine).id != 0);
    cosm::batch batch(cosm_batch_create(engine, nullptr));
    const cosm_world world = cosm_batch_world(batch, 0);
    const cosm_entity entity = cosm::spawn(world, Local{4}, Pair<float>{1, 2}, 0.5);
    CHECK_INT(cosm::read<Local>(world, entity)->a, 4);
    CHECK_NEAR(cosm::read<Pair<float>>(world, entity)->b, 2, 0);
    CHECK_NEAR(*cosm::read<double>(world, entity), 0.5, 0);
    CHECK(cosm_component_find(engine, "Seconds").id != 0);
}
