// cosm.hpp: typed definitions, spawns, values, columns, walks, commands and owners, and what is
// reported where a type or an access is wrong.
#include <cosm/cosm.hpp>

#include <string>
#include <utility>
#include <vector>

#include "harness.h"

struct Height {
    float meters;
};
struct Speed {
    float meters_per_second;
};
struct Health {
    int32_t points = 100;
    bool shielded = false;
};
struct Frozen {};
struct Score {
    uint32_t points;
};
struct Absent {
    float value;
};
enum Mood { MOOD_CALM, MOOD_WILD };
enum class Level : int16_t { low, high };
struct Moody {
    Mood mood;
    Mood moods[2];
    const float scale;
    volatile int16_t plain;
    Level level;
    uint16_t pairs[2];
};
struct Constants {
    const float values[2];
};

namespace {

// An engine that keeps its messages, one world of it, and all the types above but Absent.
struct Fixture {
    std::vector<std::string> messages;
    cosm::engine engine;
    cosm::batch batch;
    cosm_world world{};

    Fixture() {
        cosm_engine_desc desc{};
        desc.error_context = this;
        desc.error = [](void *context, cosm_result, const char *message) {
            static_cast<Fixture *>(context)->messages.emplace_back(message);
        };
        desc.worker_count = 1;
        engine.reset(cosm_engine_create(&desc));
        cosm::define<Height>(engine, COSM_FIELDS(Height, meters));
        cosm::define<Speed>(engine, COSM_FIELDS(Speed, meters_per_second));
        cosm::define<Health>(engine, COSM_FIELDS(Health, points, shielded));
        cosm::define<Frozen>(engine);
        cosm::define_singleton<Score>(engine, COSM_FIELDS(Score, points));
        batch.reset(cosm_batch_create(engine, nullptr));
        world = cosm_batch_world(batch, 0);
    }

    cosm_query *make_query(const char *text) {
        cosm_query_desc desc{};
        desc.text = text;
        return cosm_query_create(engine, &desc);
    }

    std::string last() const {
        return messages.empty() ? "" : messages.back();
    }
};

} // namespace

TEST(a_type_is_defined_with_its_name_size_fields_and_default) {
    Fixture f;
    const cosm_component height = cosm_component_find(f.engine, "Height");
    CHECK(height.id != 0);
    CHECK_INT(cosm_component_describe(f.engine, height).size, sizeof(Height));
    CHECK_INT(cosm_component_describe(f.engine, cosm::id<Frozen>(f.world)).size, 0);
    const auto *health = static_cast<const Health *>(
        cosm_component_describe(f.engine, cosm::id<Health>(f.world)).default_value);
    CHECK(health != nullptr);
    CHECK_INT(health == nullptr ? 0 : health->points, 100);
    CHECK(health != nullptr && !health->shielded);
    CHECK_INT(cosm::define<Height>(f.engine, COSM_FIELDS(Height, meters)).id, height.id);
    CHECK_INT(f.messages.size(), 0);
}

struct Three {
    float a, b, c;
};
struct Small {
    int32_t points;
    bool boss;
    bool dead; // where there would be padding
};
using Rock = int32_t;

TEST(a_field_that_a_definition_does_not_name_is_reported) {
    Fixture f;
    CHECK_INT(cosm::define<Three>(f.engine, COSM_FIELDS(Three, a, b)).id, 0);
    CHECK_STR(f.last().c_str(),
              "cosm::define: 'Three': bytes 8 to 11 belong to no field; name every "
              "field, or none");
    CHECK_INT(cosm::define_singleton<Three>(f.engine, COSM_FIELDS(Three, a, b)).id, 0);
    CHECK_CONTAINS(f.last().c_str(), "cosm::define_singleton: 'Three': bytes 8 to 11");
    CHECK_INT(COSM_COMPONENT_DEFINE(f.engine, Three, b, c).id, 0);
    CHECK_CONTAINS(f.last().c_str(), "COSM_COMPONENT_DEFINE: 'Three': bytes 0 to 3");
#ifdef COSM_CLEAR_PADDING
    CHECK_INT(cosm::define<Small>(f.engine, COSM_FIELDS(Small, points, boss)).id, 0);
    CHECK_CONTAINS(f.last().c_str(), "byte 5 belongs to no field");
    CHECK_INT(COSM_SINGLETON_DEFINE(f.engine, Small, points, dead).id, 0);
    CHECK_CONTAINS(f.last().c_str(), "byte 4 belongs to no field");
#endif
    f.messages.clear();
    CHECK(cosm::define<Three>(f.engine, COSM_FIELDS(Three, a, b, c)).id != 0);
    CHECK(cosm::define<Small>(f.engine, COSM_FIELDS(Small, points, boss, dead)).id != 0);
    CHECK_INT(f.messages.size(), 0);
}

TEST(a_type_that_is_a_number_has_one_field) {
    Fixture f;
    const cosm_component parts[] = {COSM_COMPONENT_DEFINE(f.engine, Rock),
                                    cosm::define<Level>(f.engine)};
    const cosm_field_type types[] = {COSM_FIELD_I32, COSM_FIELD_I16};
    for (int i = 0; i < 2; i++) {
        const cosm_field *field = cosm_component_describe(f.engine, parts[i]).fields;
        REQUIRE(field != nullptr);
        CHECK_STR(field->name, "value");
        CHECK_INT(field->type, types[i]);
    }
    CHECK_INT(f.messages.size(), 0);
}

TEST(an_enum_is_a_number_and_qualifiers_do_not_matter_as_in_c) {
    Fixture f;
    const cosm_component moody = COSM_COMPONENT_DEFINE(f.engine, Moody, mood, moods, scale, plain,
                                                       level, pairs[0], pairs[1]);
    CHECK_STR(f.last().c_str(), "");
    CHECK_INT(cosm_component_describe(f.engine, moody).field_count, 7);
    const cosm_field_type types[] = {COSM_FIELD_U32, COSM_FIELD_U32, COSM_FIELD_F32,
                                     COSM_FIELD_I16, COSM_FIELD_I16, COSM_FIELD_U16};
    for (uint32_t i = 0; i < 6 && moody.id != 0; i++) {
        CHECK_INT(cosm_component_describe(f.engine, moody).fields[i].type, types[i]);
        CHECK_INT(cosm_component_describe(f.engine, moody).fields[i].dims[0], i == 1 ? 2 : 0);
    }
    CHECK_INT(COSM_COMPONENT_DEFINE(f.engine, Constants, values).id, 0);
    CHECK_CONTAINS(f.last().c_str(), "field 'values' has COSM_FIELD_NONE");
}

TEST(functions_and_macros_name_the_same_component) {
    Fixture f;
    const cosm_entity entity = cosm::spawn(f.world, Height{3});
    CHECK_INT(cosm::id<Height>(f.world).id, COSM_ID(f.world, Height).id);
    CHECK(COSM_READ(f.world, entity, Height) == cosm::read<Height>(f.world, entity));
    CHECK_INT(cosm::type<Health>().key, COSM_TYPE(Health).key);
}

TEST(spawned_entities_have_the_values_the_tags_and_the_defaults_they_were_given) {
    Fixture f;
    const cosm_entity entity =
        cosm::spawn(f.world, Height{10}, Speed{-2}, Frozen{}, cosm::by_default<Health>);
    REQUIRE(cosm_entity_is_alive(f.world, entity));
    CHECK_NEAR(cosm::read<Height>(f.world, entity)->meters, 10, 0);
    CHECK_NEAR(cosm::read<Speed>(f.world, entity)->meters_per_second, -2, 0);
    CHECK_INT(cosm::read<Health>(f.world, entity)->points, 100);
    CHECK(cosm_entity_has(f.world, entity, cosm::id<Frozen>(f.world)));
    cosm::write<Height>(f.world, entity)->meters = 4;
    CHECK_NEAR(cosm::read<Height>(f.world, entity)->meters, 4, 0);
    CHECK(cosm::read<Height>(f.world, COSM_ENTITY_NONE) == nullptr);
    CHECK_INT(f.messages.size(), 0);
}

TEST(set_writes_a_value_and_adds_what_is_absent) {
    Fixture f;
    const cosm_entity entity = cosm::spawn(f.world, Height{1});
    CHECK_INT(cosm::set(f.world, entity, Height{2}), COSM_OK);
    CHECK_INT(cosm::set(f.world, entity, Speed{5}), COSM_OK);
    CHECK_INT(cosm::set(f.world, entity, Frozen{}), COSM_OK);
    CHECK_NEAR(cosm::read<Height>(f.world, entity)->meters, 2, 0);
    CHECK_NEAR(cosm::read<Speed>(f.world, entity)->meters_per_second, 5, 0);
    CHECK(cosm_entity_has(f.world, entity, cosm::id<Frozen>(f.world)));
}

TEST(a_singleton_is_read_and_written_by_its_type) {
    Fixture f;
    cosm::singleton<Score>(f.world)->points = 7;
    const Score *score = cosm::singleton<const Score>(f.world);
    CHECK_INT(score->points, 7);
    CHECK(cosm::singleton<const Absent>(f.world) == nullptr);
    CHECK_CONTAINS(f.last().c_str(), "no singleton holds type 'Absent'");
}

TEST(each_visits_every_row_of_a_query_with_its_entity) {
    Fixture f;
    std::vector<cosm_entity> spawned;
    for (int i = 0; i < 5; i++) {
        spawned.push_back(cosm::spawn(f.world, Height{static_cast<float>(i)}, Speed{1}));
    }
    cosm::spawn(f.world, Speed{1});
    cosm::query query(f.make_query("mut Height, Speed"));
    REQUIRE(query);
    std::size_t at = 0;
    cosm::each<Height, const Speed>(query, cosm_worlds_all(f.batch),
                                    [&](cosm_entity entity, Height &height, const Speed &speed) {
                                        CHECK(cosm_entity_equals(entity, spawned[at++]));
                                        height.meters += speed.meters_per_second;
                                    });
    CHECK_INT(at, 5);
    float sum = 0;
    cosm::each<const Height>(query, cosm_worlds_one(f.world),
                             [&sum](const Height &height) { sum += height.meters; });
    CHECK_NEAR(sum, 15, 0);
}

TEST(an_optional_column_is_a_pointer_or_passes_over_rows_that_lack_it) {
    Fixture f;
    cosm::spawn(f.world, Height{1});
    cosm::spawn(f.world, Height{2}, Speed{3});
    cosm::query query(f.make_query("mut Height, ?Speed"));
    int with = 0;
    int without = 0;
    cosm::each<Height, const Speed *>(query, cosm_worlds_all(f.batch),
                                      [&](Height &height, const Speed *speed) {
                                          height.meters += speed == nullptr ? 10 : 20;
                                          (speed == nullptr ? without : with)++;
                                      });
    CHECK_INT(with, 1);
    CHECK_INT(without, 1);
    int seen = 0;
    cosm::each<const Height, const Speed>(query, cosm_worlds_all(f.batch),
                                          [&](const Height &height, const Speed &) {
                                              CHECK_NEAR(height.meters, 22, 0);
                                              seen++;
                                          });
    CHECK_INT(seen, 1);
    CHECK_INT(f.messages.size(), 0);
}

TEST(a_walk_that_is_left_early_has_ended) {
    Fixture f;
    cosm::spawn(f.world, Height{1});
    cosm::query query(f.make_query("Height"));
    {
        cosm::walk walk(query, cosm_worlds_all(f.batch));
        REQUIRE(walk.next() != nullptr);
        CHECK(cosm_world_is_walked(f.world));
    }
    CHECK(!cosm_world_is_walked(f.world));
}

TEST(a_function_that_throws_ends_the_walk_of_each) {
    Fixture f;
    cosm::spawn(f.world, Height{1});
    cosm::query query(f.make_query("Height"));
    int caught = 0;
    try {
        cosm::each<const Height>(query, cosm_worlds_all(f.batch), [](const Height &) { throw 7; });
    } catch (int thrown) {
        caught = thrown;
    }
    CHECK_INT(caught, 7);
    CHECK(!cosm_world_is_walked(f.world));
}

TEST(a_system_steps_and_records_commands) {
    Fixture f;
    cosm_system_desc desc{};
    desc.name = "split";
    desc.query = "mut Height, !Frozen";
    desc.commands = true;
    desc.each = [](cosm_rows *rows) {
        cosm_commands *commands = cosm_turn_commands(rows->turn);
        const cosm_world world = cosm_rows_world(rows, 0);
        cosm::each<Height>(rows, [=](cosm_entity entity, Height &height) {
            height.meters /= 2;
            cosm::spawn(commands, world, Height{height.meters}, Frozen{});
            cosm::set(commands, world, entity, Frozen{});
            cosm::set(commands, world, entity, Speed{1});
        });
    };
    cosm_system_define(f.engine, &desc);
    const cosm_entity entity = cosm::spawn(f.world, Height{8});
    CHECK_INT(cosm_batch_run(f.batch, 3), COSM_OK);
    CHECK_INT(cosm_world_entity_count(f.world), 2);
    CHECK_NEAR(cosm::read<Height>(f.world, entity)->meters, 4, 0);
    CHECK_NEAR(cosm::read<Speed>(f.world, entity)->meters_per_second, 1, 0);
}

TEST(an_observer_reads_the_value_of_an_event) {
    Fixture f;
    float seen = 0;
    cosm_observer_desc desc{};
    desc.name = "on_height";
    desc.query = "Height";
    desc.on = COSM_EVENT_START;
    desc.context = &seen;
    desc.run = [](const cosm_event *event) {
        *static_cast<float *>(event->context) += cosm::value<Height>(event, 0)->meters;
    };
    cosm_observer_define(f.engine, &desc);
    cosm::spawn(f.world, Height{6});
    CHECK_NEAR(seen, 6, 0);
}

TEST(a_column_of_another_type_is_reported_and_fails_the_step) {
    Fixture f;
    cosm::spawn(f.world, Height{8}, Speed{1});
    cosm::define_system(f.engine, "wrong", "mut Height", [](cosm_rows *rows) {
        cosm::each<Speed>(rows, [](Speed &speed) { speed.meters_per_second = 99; });
    });
    CHECK_INT(cosm_batch_step(f.batch), COSM_ERROR_ARGUMENT);
    CHECK_CONTAINS(f.last().c_str(), "system 'wrong': no term of the query");
    CHECK_CONTAINS(f.last().c_str(), "add 'mut Speed' to the query");
}

TEST(a_column_that_is_only_read_is_not_given_for_writing) {
    Fixture f;
    const cosm_entity entity = cosm::spawn(f.world, Height{8});
    cosm::define_system(f.engine, "wrong", "Height", [](cosm_rows *rows) {
        cosm::each<Height>(rows, [](Height &height) { height.meters = 99; });
    });
    CHECK_INT(cosm_batch_step(f.batch), COSM_ERROR_ARGUMENT);
    CHECK_CONTAINS(f.last().c_str(), "system 'wrong': term 0, 'Height', is only read");
    CHECK_NEAR(cosm::read<Height>(f.world, entity)->meters, 8, 0);
}

TEST(a_type_that_no_component_holds_is_reported) {
    Fixture f;
    CHECK(cosm_entity_is_none(cosm::spawn(f.world, Height{1}, Absent{1})));
    CHECK_CONTAINS(f.last().c_str(), "no component holds type 'Absent'");
    const cosm_entity entity = cosm::spawn(f.world, Height{1});
    CHECK(cosm::read<Absent>(f.world, entity) == nullptr);
    CHECK_INT(cosm::set(f.world, entity, Absent{1}), COSM_ERROR_ARGUMENT);
    CHECK_INT(cosm_world_entity_count(f.world), 1);
}

namespace other {
struct Height {
    double meters;
    double more;
};
} // namespace other

TEST(a_type_of_the_same_name_and_another_size_is_refused) {
    Fixture f;
    const cosm_entity entity = cosm::spawn(f.world, Height{1});
    CHECK_INT(cosm::set(f.world, entity, other::Height{1, 2}), COSM_ERROR_ARGUMENT);
    CHECK_CONTAINS(f.last().c_str(), "'Height'");
    CHECK(cosm::read<other::Height>(f.world, entity) == nullptr);
    CHECK(cosm_entity_is_none(cosm::spawn(f.world, other::Height{1, 2})));
    CHECK_INT(cosm::define<other::Height>(f.engine).id, 0);
    CHECK_INT(f.messages.size(), 4);
}

TEST(owners_destroy_what_they_hold_once) {
    cosm::engine engine(cosm_engine_create(nullptr));
    {
        cosm::batch first(cosm_batch_create(engine, nullptr));
        cosm::snapshot snapshot(cosm_snapshot_create(cosm_worlds_all(first)));
        cosm::commands commands(cosm_commands_create(first));
        CHECK(commands != nullptr);
        CHECK_INT(cosm_engine_describe(engine).batch_count, 1);
        CHECK_INT(cosm_engine_describe(engine).snapshot_count, 1);
        cosm::batch second(std::move(first));
        CHECK(first == nullptr);
        CHECK_INT(cosm_engine_describe(engine).batch_count, 1);
        commands.reset();
    }
    CHECK_INT(cosm_engine_describe(engine).batch_count, 0);
    CHECK_INT(cosm_engine_describe(engine).snapshot_count, 0);
    CHECK_INT(cosm_engine_destroy(engine.release()), COSM_OK);
}

TEST(a_system_gets_the_world_of_each_row_its_uses_and_its_commands) {
    Fixture f;
    cosm_batch_desc desc{};
    desc.world_count = 3;
    cosm::batch batch(cosm_batch_create(f.engine, &desc));
    cosm::define_system(
        f.engine, "melt", "Height",
        [](cosm_rows *rows) {
            cosm::each<const Height>(
                rows, [rows](cosm_world world, cosm_entity entity, const Height &height) {
                    cosm::singleton<Score>(world)->points += static_cast<uint32_t>(height.meters);
                    cosm_commands_despawn(cosm_turn_commands(rows->turn), world, entity);
                });
        },
        "mut Score", true);
    cosm::rollback past(cosm_rollback_create(cosm_worlds_all(batch), nullptr));
    for (uint32_t i = 0; i < 3; i++) {
        cosm::spawn(cosm_batch_world(batch, i), Height{static_cast<float>(i + 1)});
    }
    CHECK_INT(cosm_rollback_keep(past), COSM_OK);
    CHECK_INT(cosm_batch_step(batch), COSM_OK);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_INT(cosm::singleton<const Score>(cosm_batch_world(batch, i))->points, i + 1);
    }
    CHECK_INT(cosm_batch_entity_count(batch), 0);
    CHECK_INT(cosm_rollback_back(past, 1), COSM_OK);
    CHECK_INT(cosm_batch_entity_count(batch), 3);
    CHECK_STR(f.last().c_str(), "");
}
