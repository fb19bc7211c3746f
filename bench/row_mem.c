// mem: bytes of real memory per entity, everything included: engine, batch, tables, directory.
//
// The movers are spawned one by one, so what growing leaves behind is counted too.
#include "fixture.h"
#include "resident.h"
#include "rows.h"

static struct fixture *fixture;

static void make(uint32_t n) {
    fixture = fixture_create(n);
    Position position;
    Velocity velocity;
    const cosm_value values[] = {{fixture->position, &position}, {fixture->velocity, &velocity}};
    for (uint32_t i = 0; i < n; i++) {
        position = work_position(i);
        velocity = work_velocity(i);
        // The handle is not kept: a program that keeps it has it on both sides.
        (void)cosm_entity_spawn_with(fixture->world, fixture->mover, values, 2);
    }
}

static uint64_t hash(void) {
    return fixture_hash(fixture);
}

static double bytes(uint32_t n, uint64_t *out_checksum) {
    return resident_measure(make, hash, n, out_checksum);
}

const struct bench_side mem_cosm = {.bytes = bytes};
