// Calls everything that cosm-gen writes for golden/*.h: compiled as C17 and as C++17, not run.
#include "bodies.cosm.h"
#include "every.cosm.h"
#include "storages.cosm.h"

int use_bodies(cosm_engine *engine, cosm_world world, cosm_entity entity, cosm_rows *rows);
int use_every(cosm_engine *engine, cosm_world world, cosm_entity entity, cosm_rows *rows);
int use_storages(cosm_engine *engine, cosm_world world, cosm_entity entity, cosm_rows *rows);

int use_bodies(cosm_engine *engine, cosm_world world, cosm_entity entity, cosm_rows *rows) {
    Position position = {1.0f, 2.0f, 3.0f};
    Velocity velocity;
    cosm_result result = bodies_register_all(engine);
    result = result == COSM_OK ? Position_add(world, entity) : result;
    result = result == COSM_OK ? Position_set(world, entity, &position) : result;
    result = result == COSM_OK ? Position_remove(world, entity) : result;
    const Position *read = Position_read(world, entity);
    Position *write = Position_write(world, entity);
    const Position *column = Position_column_read(rows, 0);
    float sum = read->x + write->y + column[0].z;
    Position_column_write(rows, 0)[0].x = sum;
    Position_column_of(rows)[0].y = sum;

    Velocity_const_columns from = Velocity_columns_read(rows, 1);
    Velocity_columns to = Velocity_columns_write(rows, 1);
    Velocity_columns of = Velocity_columns_of(rows);
    to.x[0] = from.x[0] + of.z[0];
    result = result == COSM_OK ? Velocity_add(world, entity) : result;
    result = result == COSM_OK ? Velocity_set(world, entity, &velocity) : result;
    result = result == COSM_OK ? Velocity_remove(world, entity) : result;
    bool all = Velocity_get(world, entity, &velocity) && Position_get(world, entity, &position) &&
               Position_has(world, entity) && Velocity_has(world, entity) &&
               Frozen_has(world, entity);
    result = result == COSM_OK ? Frozen_add(world, entity) : result;
    result = result == COSM_OK ? Frozen_remove(world, entity) : result;
    Ground_write(world)->height = Ground_read(world)->height + 1.0f;
    uint32_t ids = Position_component(engine).id + Velocity_component(engine).id +
                   Frozen_component(engine).id + Ground_singleton(engine).id;
    const uint32_t fields[] = {Position_field_x, Velocity_field_z, Ground_field_height};
    return all && result == COSM_OK && ids + fields[0] + fields[1] > 0;
}

int use_every(cosm_engine *engine, cosm_world world, cosm_entity entity, cosm_rows *rows) {
    Thing thing;
    cosm_result result = COSM_OK;
    Thing_columns columns = Thing_columns_of(rows);
    Thing_const_columns read = Thing_columns_read(rows, 0);
    Thing_columns write = Thing_columns_write(rows, 0);
    const char *name = read.name;
    cosm_entity *friends = columns.friends;
    write.color[0] = COLOR_BLUE;
    write.items_1_flags[0] = read.items_0_flags[0];
    write.grid[5] = read.path_1_y[0];
    struct Pose *pose = Pose_write(world, entity);
    pose->position.x = Pose_read(world, entity)->scale.y;
    result = Thing_get(world, entity, &thing) ? Thing_set(world, entity, &thing) : result;
    return result == COSM_OK && name[0] == 'n' && friends[1].id == Thing_component(engine).id;
}

int use_storages(cosm_engine *engine, cosm_world world, cosm_entity entity, cosm_rows *rows) {
    Team team = {1};
    Label label = {NULL, 0};
    Heat heat = {1.0f};
    cosm_result result = storages_register_all(engine);
    result = result == COSM_OK ? Team_set(world, entity, &team) : result;
    result = result == COSM_OK ? Label_set(world, entity, &label) : result;
    result = result == COSM_OK ? Heat_set(world, entity, &heat) : result;
    bool all = Team_get(world, entity, &team) && Heat_get(world, entity, &heat) &&
               Team_has(world, entity) && Label_has(world, entity) && Heat_has(world, entity);
    const Team *shared = Team_read(world, entity);
    uint32_t sum = shared->number + Team_shared_read(rows, 0)->number + Team_field_number;
    Label_write(world, entity)->length = Label_read(world, entity)->length + sum;
    Label_row_write(rows, 1)->length = Label_row_read(rows, 0)->length + Label_field_length;
    Mesh_row_write(rows, 0)->handle = NULL;
    Heat_write(world, entity)->degrees = Heat_read(world, entity)->degrees;
    Heat_sector_write(rows, 1, 0)->degrees = Heat_sector_read(rows, 1, 1)->degrees;
    return all && result == COSM_OK;
}
