// Records that are added and removed often, in a container of their own, without an engine.
#include <cosm/cosm.h>
#include <stdio.h>

typedef struct Heat {
    float degrees;
} Heat;

typedef struct Smoke {
    float density;
} Smoke;

enum { HEAT, SMOKE };

int main(void) {
    const cosm_container_member members[] = {{.name = "Heat", .size = sizeof(Heat)},
                                             {.name = "Smoke", .size = sizeof(Smoke)}};
    cosm_container *fires = cosm_container_create(
        &(cosm_container_desc){.name = "fires", .members = members, .member_count = 2});

    // Entities of a world, or handles of your own: an odd generation, and an id.
    for (uint32_t id = 0; id < 6; id++) {
        cosm_entity tree = {1, id};
        cosm_container_add(fires, tree, HEAT, &(Heat){100.0f * (float)id});
        if (id % 2 == 0) {
            cosm_container_add(fires, tree, SMOKE, &(Smoke){0.5f});
        }
    }
    printf("%u burn\n", cosm_container_describe(fires).count);

    // Cool down; what is cold goes out. Erasing the record at hand is fine.
    size_t heat_offset = cosm_container_describe_member(fires, HEAT).offset;
    cosm_container_walk walk;
    for (cosm_sector *fire = cosm_container_walk_begin(fires, NULL, &walk); fire != NULL;
         fire = cosm_container_walk_next(&walk, fire)) {
        Heat *heat = cosm_sector_at(fire, heat_offset);
        heat->degrees -= 250;
        if (heat->degrees < 0 && cosm_container_erase(fires, fire->entity) != COSM_OK) {
            return 1;
        }
    }
    printf("%u burn, %u have gone out\n", cosm_container_describe(fires).count,
           cosm_container_describe(fires).dead_count);

    // Those with smoke, by id.
    const cosm_container_range all = {0, COSM_WORLD_ENTITY_MAX};
    const cosm_container_walk_desc smoking = {
        .with = COSM_CONTAINER_BIT(SMOKE), .ranges = &all, .range_count = 1};
    for (cosm_sector *fire = cosm_container_walk_begin(fires, &smoking, &walk); fire != NULL;
         fire = cosm_container_walk_next(&walk, fire)) {
        const Heat *heat = cosm_sector_at(fire, heat_offset);
        printf("tree %u smokes at %g degrees\n", fire->entity.id, (double)heat->degrees);
    }

    cosm_container_report report;
    if (cosm_container_maintain(fires, NULL, &report) != COSM_OK) {
        return 1;
    }
    printf("moved %u, reclaimed %u, left %u\n", report.moved, report.reclaimed, report.left);
    cosm_container_destroy(fires);
}
