// cosm.hpp: a whole small game, with hits, score, save by snapshot and hash.
#include <cosm/cosm.hpp>

#include "harness.h"

namespace game {

struct Position {
    float x;
};
struct Velocity {
    float x;
};
struct Life {
    int32_t left = 3;
};
struct Wall {};
struct Score {
    uint32_t hits;
    cosm_entity last;
};

// Balls fly; one that leaves 0 to 10 is turned back and loses a life.
void fly(cosm_rows *rows) {
    cosm::each<Position, const Velocity>(
        rows, [dt = rows->dt](Position &at, const Velocity &by) { at.x += by.x * dt; });
}

void bounce(cosm_rows *rows) {
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    const cosm_world world = cosm_rows_world(rows, 0);
    Score *score = cosm::singleton<Score>(world);
    cosm::each<const Position, Velocity, Life>(
        rows, [=](cosm_entity entity, const Position &at, Velocity &by, Life &life) {
            if ((at.x < 0 && by.x < 0) || (at.x > 10 && by.x > 0)) {
                by.x = -by.x;
                score->hits++;
                score->last = entity;
                if (--life.left == 0) {
                    cosm_commands_despawn(commands, world, entity);
                }
            }
        });
}

cosm_engine *make_engine() {
    cosm_engine *engine = cosm_engine_create(nullptr);
    cosm::define<Position>(engine, COSM_FIELDS(Position, x));
    cosm::define<Velocity>(engine, COSM_FIELDS(Velocity, x));
    cosm::define<Life>(engine, COSM_FIELDS(Life, left));
    cosm::define<Wall>(engine);
    cosm::define_singleton<Score>(engine, COSM_FIELDS(Score, hits, last));
    cosm::define_system(engine, "fly", "mut Position, Velocity", fly);
    cosm_system_desc desc{};
    desc.name = "bounce";
    desc.each = bounce;
    desc.query = "Position, mut Velocity, mut Life, !Wall";
    desc.uses = "mut Score";
    desc.commands = true;
    desc.after[0] = "fly";
    desc.whole = true;
    cosm_system_define(engine, &desc);
    return engine;
}

} // namespace game

TEST(a_game_in_cpp_runs_goes_back_and_runs_the_same_again) {
    cosm::engine engine(game::make_engine());
    cosm_batch_desc desc{};
    desc.world_count = 4;
    desc.step_seconds = 0.25f;
    cosm::batch batch(cosm_batch_create(engine, &desc));
    REQUIRE(batch);
    const cosm_worlds all = cosm_worlds_all(batch);
    for (uint32_t w = 0; w < 4; w++) {
        const cosm_world world = cosm_batch_world(batch, w);
        for (uint32_t i = 0; i < 8; i++) {
            cosm::spawn(world, game::Position{static_cast<float>(i)},
                        game::Velocity{static_cast<float>(1 + i + w)}, game::Life{});
        }
        cosm::spawn(world, game::Position{20}, game::Wall{});
    }
    CHECK_INT(cosm_batch_run(batch, 10), COSM_OK);
    cosm::snapshot before(cosm_snapshot_create(all));
    REQUIRE(before);
    CHECK_INT(cosm_batch_run(batch, 200), COSM_OK);
    const uint64_t hash = cosm_hash_worlds(all, COSM_HASH_EXACT);
    for (uint32_t w = 0; w < 4; w++) {
        const cosm_world world = cosm_batch_world(batch, w);
        CHECK_INT(cosm::singleton<const game::Score>(world)->hits, 24); // 8 balls with 3 lives
        CHECK_INT(cosm_world_entity_count(world), 1);
    }
    CHECK_INT(cosm_snapshot_restore(before, 0, all), COSM_OK);
    CHECK(cosm_hash_worlds(all, COSM_HASH_EXACT) != hash);
    CHECK_INT(cosm_batch_run(batch, 200), COSM_OK);
    CHECK_INT(cosm_hash_worlds(all, COSM_HASH_EXACT), hash);
}
