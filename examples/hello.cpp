// A stone falls for a second: hello.c in C++17.
#include <cosm/cosm.hpp>
#include <cstdio>

struct Height {
    float meters;
};
struct Speed {
    float meters_per_second;
};

int main() {
    cosm::engine engine(cosm_engine_create(nullptr));
    cosm::define<Height>(engine, COSM_FIELDS(Height, meters));
    cosm::define<Speed>(engine, COSM_FIELDS(Speed, meters_per_second));
    cosm::define_system(engine, "fall", "mut Height, mut Speed", [](cosm_rows *rows) {
        cosm::each<Height, Speed>(rows, [dt = rows->dt](Height &height, Speed &speed) {
            speed.meters_per_second -= 9.81f * dt;
            height.meters += speed.meters_per_second * dt;
        });
    });
    cosm::batch batch(cosm_batch_create(engine, nullptr));
    cosm_world world = cosm_batch_world(batch, 0);
    cosm_entity stone = cosm::spawn(world, Height{10}, Speed{0});
    if (cosm_batch_run(batch, 60) != COSM_OK) {
        return 1;
    }
    std::printf("after a second the stone is at %.2f m\n",
                static_cast<double>(cosm::read<Height>(world, stone)->meters));
}
