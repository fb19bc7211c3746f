// Uses the installed C++ header from outside: prints the version of the library it runs with.
#include <cosm/cosm.hpp>

#include <cstdio>

struct Height {
    float meters;
};

int main() {
    cosm::engine engine(cosm_engine_create(nullptr));
    cosm::define<Height>(engine, COSM_FIELDS(Height, meters));
    cosm::batch batch(cosm_batch_create(engine, nullptr));
    const cosm_world world = cosm_batch_world(batch, 0);
    const cosm_entity stone = cosm::spawn(world, Height{10});
    if (cosm_entity_is_none(stone) || cosm::read<Height>(world, stone)->meters < 10) {
        return 1;
    }
    std::printf("%s\n", cosm_version());
}
