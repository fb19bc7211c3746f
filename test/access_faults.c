// Access faults: systems with exactly one fault each, and what the step says of it, whatever the
// number of workers and the split; and correct systems on every path there is, of which nothing is
// said. Without COSM_CHECKS only what is refused in every build is looked at.
// ctest: threads
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"

#define WORLDS 4u
#define MOVERS 1300u // in each world: three chunks
#define MESSAGE_MAX 16u
#define MESSAGE_LENGTH 640u

// The ids that the fixture gets, so that tables of systems can be constant; checked when opening.
enum { POSITION = 1, VELOCITY, HEALTH, MARK };
enum { CLOCK = 1, SCORE };
#define PAIR 0x80000001u // a bundle of Velocity and Health

typedef struct Clock {
    uint64_t ticks;
} Clock;

// Queries that belong to no system.
enum foreign {
    READS_VELOCITY,
    WRITES_VELOCITY,
    OPTIONAL_VELOCITY,
    OPTIONAL_VELOCITY_WRITTEN,
    ANY_OF_TWO,
    ANY_OF_TWO_WRITTEN,
    READS_POSITION,
    WRITES_POSITION,
    POSITION_WITHOUT_VELOCITY,
    POSITION_MARKED,
    FOREIGN_COUNT
};

// Messages that the engine told, each once.
struct told {
    pthread_mutex_t lock;
    uint32_t count;
    uint32_t total;
    cosm_result results[MESSAGE_MAX];
    char texts[MESSAGE_MAX][MESSAGE_LENGTH];
};

struct stage {
    struct fixture box;
    cosm_query *foreign[FOREIGN_COUNT];
    cosm_batch *other; // of the same engine
    cosm_entity movers[WORLDS];
    cosm_entity slots[WORLDS];
    struct told told;
    bool is_legal; // systems may use what they are given
};

// Where a system touches something.
struct spot {
    cosm_world world;
    cosm_entity entity;
    cosm_rows *rows; // NULL in `run`
    uint32_t row;    // of them
    const cosm_turn *turn;
};

struct probe;
typedef void touch_fn(struct probe *probe, const struct spot *spot);

// A system with a fault, or (COSM_OK) a correct one.
struct trial {
    const char *name; // of the system
    touch_fn *touch;
    uint32_t subject; // a component, a singleton or a query
    cosm_result result;
    const char *call;  // what the message names
    const char *thing; // likewise
    cosm_system_desc desc;
};

// The context of one system. What a system keeps goes to the end.
struct probe {
    struct stage *stage;
    const struct trial *trial;
    const cosm_turn *outer;
    const void *kept;
    char unaligned[24];
    cosm_rows kept_rows;
    cosm_lookup kept_lookup;
    cosm_commands *kept_commands;
};

static cosm_component subject_of(const struct probe *probe) {
    return (cosm_component){probe->trial->subject};
}

// Failures come to the callback and to the step.
static void let(cosm_result result) {
    (void)result;
}

// Correct systems do what they have asked for; faulty ones do not, lest the fault be a race too.
static void use_read(const struct probe *probe, const void *value) {
    if (probe->stage->is_legal && value != NULL) {
        (void)*(const volatile unsigned char *)value;
    }
}

static void use_write(const struct probe *probe, void *value) {
    if (probe->stage->is_legal && value != NULL) {
        ((unsigned char *)value)[0]++;
    }
}

// By handle.

static void entity_read(struct probe *probe, const struct spot *spot) {
    use_read(probe, cosm_entity_read(spot->world, spot->entity, subject_of(probe)));
}

static void entity_write(struct probe *probe, const struct spot *spot) {
    use_write(probe, cosm_entity_write(spot->world, spot->entity, subject_of(probe)));
}

static void typed_read(struct probe *probe, const struct spot *spot) {
    cosm_component subject = subject_of(probe);
    if (subject.id == HEALTH) {
        use_read(probe, COSM_READ(spot->world, spot->entity, Health));
    } else if (subject.id == POSITION) {
        use_read(probe, COSM_READ(spot->world, spot->entity, Position));
    } else {
        use_read(probe, COSM_READ(spot->world, spot->entity, Velocity));
    }
}

static void typed_write(struct probe *probe, const struct spot *spot) {
    cosm_component subject = subject_of(probe);
    if (subject.id == HEALTH) {
        use_write(probe, COSM_WRITE(spot->world, spot->entity, Health));
    } else if (subject.id == POSITION) {
        use_write(probe, COSM_WRITE(spot->world, spot->entity, Position));
    } else {
        use_write(probe, COSM_WRITE(spot->world, spot->entity, Velocity));
    }
}

static void read_many(struct probe *probe, const struct spot *spot) {
    const void *values[2];
    cosm_entity entities[2] = {spot->entity, COSM_ENTITY_NONE};
    (void)cosm_entity_read_many(spot->world, entities, 2, subject_of(probe), values);
    use_read(probe, values[0]);
}

static void write_many(struct probe *probe, const struct spot *spot) {
    void *values[2];
    cosm_entity entities[2] = {spot->entity, COSM_ENTITY_NONE};
    (void)cosm_entity_write_many(spot->world, entities, 2, subject_of(probe), values);
    use_write(probe, values[0]);
}

static void loc_read(struct probe *probe, const struct spot *spot) {
    cosm_loc loc = cosm_entity_loc(spot->world, spot->entity);
    use_read(probe, cosm_loc_read(spot->world, loc, subject_of(probe)));
}

static void loc_write(struct probe *probe, const struct spot *spot) {
    cosm_loc loc = cosm_entity_loc(spot->world, spot->entity);
    use_write(probe, cosm_loc_write(spot->world, loc, subject_of(probe)));
}

static cosm_column column_of(const struct probe *probe, cosm_loc loc) {
    return cosm_archetype_column(probe->stage->box.engine, (cosm_archetype){loc.table},
                                 subject_of(probe));
}

static void loc_read_unchecked(struct probe *probe, const struct spot *spot) {
    cosm_loc loc = cosm_entity_loc(spot->world, spot->entity);
    cosm_column column = column_of(probe, loc);
    if (column.index != 0) {
        use_read(probe, cosm_loc_read_unchecked(spot->world, loc, column));
    }
}

static void loc_write_unchecked(struct probe *probe, const struct spot *spot) {
    cosm_loc loc = cosm_entity_loc(spot->world, spot->entity);
    cosm_column column = column_of(probe, loc);
    if (column.index != 0) {
        use_write(probe, cosm_loc_write_unchecked(spot->world, loc, column));
    }
}

static void lookup_read(struct probe *probe, const struct spot *spot) {
    cosm_lookup lookup;
    cosm_lookup_begin(spot->world, subject_of(probe), &lookup);
    use_read(probe, cosm_lookup_read(&lookup, spot->entity));
}

static void lookup_write(struct probe *probe, const struct spot *spot) {
    cosm_lookup lookup;
    cosm_lookup_begin(spot->world, subject_of(probe), &lookup);
    use_write(probe, cosm_lookup_write(&lookup, spot->entity));
}

// By column.

// The cell of a row of the run at hand.
static void *cell_of(void *column, const struct spot *spot, size_t size) {
    return column == NULL ? NULL : (char *)column + spot->row * size;
}

static void table_column(struct probe *probe, const struct spot *spot) {
    cosm_archetype archetype = cosm_entity_archetype(spot->world, spot->entity);
    use_write(probe, cosm_table_column(spot->world, archetype, subject_of(probe)));
}

static void rows_column(struct probe *probe, const struct spot *spot) {
    size_t size = cosm_component_describe(probe->stage->box.engine, subject_of(probe)).size;
    use_write(probe, cell_of(cosm_rows_column(spot->rows, subject_of(probe)), spot, size));
}

static void typed_column(struct probe *probe, const struct spot *spot) {
    if (subject_of(probe).id == HEALTH) {
        void *column = COSM_WRITE(spot->rows, Health);
        use_write(probe, cell_of(column, spot, sizeof(Health)));
    } else {
        void *column = COSM_WRITE(spot->rows, Velocity);
        use_write(probe, cell_of(column, spot, sizeof(Velocity)));
    }
}

static void rows_column_read(struct probe *probe, const struct spot *spot) {
    use_read(probe, cosm_rows_column(spot->rows, subject_of(probe)));
}

static void table_column_read(struct probe *probe, const struct spot *spot) {
    cosm_archetype archetype = cosm_entity_archetype(spot->world, spot->entity);
    use_read(probe, cosm_table_column(spot->world, archetype, subject_of(probe)));
}

static uint32_t term_of(const struct probe *probe, const cosm_rows *rows) {
    uint32_t t = 0;
    while (t + 1 < rows->term_count && rows->terms[t].component != probe->trial->subject) {
        t++;
    }
    return t;
}

static void own_read(struct probe *probe, const struct spot *spot) {
    cosm_rows *rows = spot->rows;
    uint32_t t = term_of(probe, rows);
    use_read(probe, cosm_rows_read(rows, t, rows->terms[t].size));
}

static void own_write(struct probe *probe, const struct spot *spot) {
    cosm_rows *rows = spot->rows;
    uint32_t t = term_of(probe, rows);
    void *column = cosm_rows_write(rows, t, rows->terms[t].size);
    use_write(probe, cell_of(column, spot, rows->terms[t].size));
}

// The one fault that nobody sees when it is made: in the last byte of the run, or where it is none.
static void cast_write(struct probe *probe, const struct spot *spot) {
    cosm_rows *rows = spot->rows;
    uint32_t t = term_of(probe, rows);
    size_t size = rows->terms[t].size;
    unsigned char *column = (unsigned char *)(uintptr_t)cosm_rows_read(rows, t, size);
    if (column != NULL) {
        size_t row = probe->stage->is_legal ? spot->row : rows->count - 1;
        column[row * size + size - 1]++;
    }
}

static void wrong_index(struct probe *probe, const struct spot *spot) {
    use_read(probe, COSM_COLUMN_READ(spot->rows, Velocity, 9));
}

// By query.

static void touch_walked(struct probe *probe, cosm_rows *rows) {
    while (cosm_rows_next(rows)) {
        for (uint32_t t = 0; t < rows->term_count; t++) {
            if (rows->terms[t].access == COSM_ACCESS_READ) {
                use_read(probe, rows->columns[t]);
            } else {
                use_write(probe, rows->columns[t]);
            }
        }
    }
}

static void foreign_walk(struct probe *probe, const struct spot *spot) {
    cosm_rows rows;
    cosm_query_walk(probe->stage->foreign[probe->trial->subject], cosm_worlds_one(spot->world),
                    &rows);
    touch_walked(probe, &rows);
}

static void leave_rows(cosm_rows *rows) {
    use_read(rows->context, rows->columns[0]);
}

static void foreign_run(struct probe *probe, const struct spot *spot) {
    let(cosm_query_run(probe->stage->foreign[probe->trial->subject], cosm_worlds_one(spot->world),
                       leave_rows, probe));
}

static void own_walk(struct probe *probe, const struct spot *spot) {
    cosm_rows rows;
    cosm_turn_walk(spot->turn, probe->trial->subject, cosm_worlds_one(spot->world), &rows);
    touch_walked(probe, &rows);
}

static void nested_walk(struct probe *probe, const struct spot *spot) {
    cosm_rows outer;
    cosm_turn_walk(spot->turn, 0, cosm_worlds_one(spot->world), &outer);
    while (cosm_rows_next(&outer)) {
        own_walk(probe, spot);
    }
    cosm_turn_walk(spot->turn, 0, cosm_worlds_one(spot->world), &outer);
    (void)cosm_rows_next(&outer);
    own_walk(probe, spot);
    cosm_rows_end(&outer);
}

static void walk_all(struct probe *probe, const struct spot *spot) {
    cosm_rows rows;
    cosm_turn_walk(spot->turn, probe->trial->subject, cosm_worlds_all(spot->world.batch), &rows);
    touch_walked(probe, &rows);
}

static void foreign_walk_all(struct probe *probe, const struct spot *spot) {
    if (spot->world.index == 0) {
        cosm_rows rows;
        cosm_query_walk(probe->stage->foreign[READS_POSITION], cosm_worlds_all(spot->world.batch),
                        &rows);
        touch_walked(probe, &rows);
    }
}

// Singletons.

static void singleton_read(struct probe *probe, const struct spot *spot) {
    use_read(probe, cosm_singleton_read(spot->world, (cosm_singleton){probe->trial->subject}));
}

static void singleton_write(struct probe *probe, const struct spot *spot) {
    use_write(probe, cosm_singleton_write(spot->world, (cosm_singleton){probe->trial->subject}));
}

static void singleton_read_typed(struct probe *probe, const struct spot *spot) {
    use_read(probe, COSM_SINGLETON_READ(spot->world, Clock));
}

static void singleton_write_typed(struct probe *probe, const struct spot *spot) {
    use_write(probe, COSM_SINGLETON_WRITE(spot->world, Clock));
}

static void singleton_cast(struct probe *probe, const struct spot *spot) {
    const void *value = cosm_singleton_read(spot->world, (cosm_singleton){probe->trial->subject});
    (*(unsigned char *)(uintptr_t)value)++;
}

// Another row than those at hand.
static void other_row_read(struct probe *probe, const struct spot *spot) {
    struct spot other = *spot;
    other.entity = probe->stage->movers[spot->world.index];
    entity_read(probe, &other);
}

static void other_row_lookup(struct probe *probe, const struct spot *spot) {
    struct spot other = *spot;
    other.entity = probe->stage->movers[spot->world.index];
    lookup_read(probe, &other);
}

// Worlds: what the system does is right but for where. Only in world 0, so that there is one
// message whoever comes first.

static void touch_next_world(struct probe *probe, const struct spot *spot, touch_fn *touch) {
    if (spot->world.index == 0) {
        struct spot next = *spot;
        next.world.index = 1;
        next.entity = probe->stage->movers[1];
        touch(probe, &next);
    }
}

static void next_entity_read(struct probe *probe, const struct spot *spot) {
    touch_next_world(probe, spot, entity_read);
}

static void next_entity_write(struct probe *probe, const struct spot *spot) {
    touch_next_world(probe, spot, entity_write);
}

static void next_read_many(struct probe *probe, const struct spot *spot) {
    touch_next_world(probe, spot, read_many);
}

static void next_loc_read(struct probe *probe, const struct spot *spot) {
    touch_next_world(probe, spot, loc_read);
}

static void next_lookup(struct probe *probe, const struct spot *spot) {
    touch_next_world(probe, spot, lookup_read);
}

static void next_table_column(struct probe *probe, const struct spot *spot) {
    touch_next_world(probe, spot, table_column);
}

static void next_walk(struct probe *probe, const struct spot *spot) {
    touch_next_world(probe, spot, foreign_walk);
}

static void next_own_walk(struct probe *probe, const struct spot *spot) {
    touch_next_world(probe, spot, own_walk);
}

static void next_singleton_read(struct probe *probe, const struct spot *spot) {
    touch_next_world(probe, spot, singleton_read);
}

static void next_singleton_write(struct probe *probe, const struct spot *spot) {
    touch_next_world(probe, spot, singleton_write);
}

// Structure, changed directly.

static void spawn(struct probe *probe, const struct spot *spot) {
    (void)cosm_entity_spawn(spot->world, probe->stage->box.mover);
}

static void spawn_with(struct probe *probe, const struct spot *spot) {
    (void)cosm_entity_spawn_with(spot->world, probe->stage->box.mover, NULL, 0);
}

static void spawn_many(struct probe *probe, const struct spot *spot) {
    cosm_rows rows;
    let(cosm_entity_spawn_many(spot->world, probe->stage->box.mover, 2, &rows));
}

static void spawn_many_unset(struct probe *probe, const struct spot *spot) {
    cosm_rows rows;
    let(cosm_entity_spawn_many_unset(spot->world, probe->stage->box.mover, 2, &rows));
}

static void despawn(struct probe *probe, const struct spot *spot) {
    (void)probe;
    let(cosm_entity_despawn(spot->world, spot->entity));
}

static void despawn_many(struct probe *probe, const struct spot *spot) {
    (void)probe;
    let(cosm_entity_despawn_many(spot->world, &spot->entity, 1));
}

static void add(struct probe *probe, const struct spot *spot) {
    let(cosm_entity_add(spot->world, spot->entity, subject_of(probe)));
}

static void add_many(struct probe *probe, const struct spot *spot) {
    let(cosm_entity_add_many(spot->world, &spot->entity, 1, subject_of(probe)));
}

static void take_away(struct probe *probe, const struct spot *spot) {
    let(cosm_entity_remove(spot->world, spot->entity, subject_of(probe)));
}

static void take_away_many(struct probe *probe, const struct spot *spot) {
    let(cosm_entity_remove_many(spot->world, &spot->entity, 1, subject_of(probe)));
}

static void set_adds(struct probe *probe, const struct spot *spot) {
    let(cosm_entity_set(spot->world, spot->entity, subject_of(probe), NULL));
}

static void set_many(struct probe *probe, const struct spot *spot) {
    Velocity velocity = {1, 2, 3};
    let(cosm_entity_set_many(spot->world, &spot->entity, 1, subject_of(probe), &velocity));
}

static void set_present(struct probe *probe, const struct spot *spot) {
    Velocity velocity = {1, 2, 3};
    let(cosm_entity_set(spot->world, spot->entity, subject_of(probe), &velocity));
}

static void reset_world(struct probe *probe, const struct spot *spot) {
    (void)probe;
    let(cosm_world_reset(spot->world));
}

static void reset_batch(struct probe *probe, const struct spot *spot) {
    (void)probe;
    let(cosm_batch_reset(spot->world.batch, NULL));
}

static void reserve_rows(struct probe *probe, const struct spot *spot) {
    let(cosm_world_reserve(spot->world, probe->stage->box.mover, 100000));
}

static void trim_batch(struct probe *probe, const struct spot *spot) {
    (void)probe;
    let(cosm_batch_trim(spot->world.batch));
}

static void clear_table(struct probe *probe, const struct spot *spot) {
    let(cosm_table_clear(spot->world, probe->stage->box.stone));
}

static void sort_table(struct probe *probe, const struct spot *spot) {
    let(cosm_table_sort_u32(spot->world, probe->stage->box.mover, subject_of(probe), 0));
}

static uint64_t id_key(void *context, cosm_entity entity, const void *value) {
    (void)context;
    (void)value;
    return entity.id;
}

static void sort_by_key(struct probe *probe, const struct spot *spot) {
    let(cosm_table_sort(spot->world, probe->stage->box.mover, (cosm_component){0}, id_key, NULL));
}

static void query_despawn(struct probe *probe, const struct spot *spot) {
    let(cosm_query_despawn(probe->stage->foreign[POSITION_MARKED], cosm_worlds_one(spot->world)));
}

static void query_add(struct probe *probe, const struct spot *spot) {
    let(cosm_query_add(probe->stage->foreign[READS_VELOCITY], cosm_worlds_one(spot->world),
                       subject_of(probe)));
}

static void query_remove(struct probe *probe, const struct spot *spot) {
    let(cosm_query_remove(probe->stage->foreign[READS_VELOCITY], cosm_worlds_one(spot->world),
                          subject_of(probe)));
}

static void query_set(struct probe *probe, const struct spot *spot) {
    Health health = {5};
    let(cosm_query_set(probe->stage->foreign[READS_VELOCITY], cosm_worlds_one(spot->world),
                       subject_of(probe), &health));
}

static void step_again(struct probe *probe, const struct spot *spot) {
    (void)probe;
    let(cosm_batch_step(spot->world.batch));
}

static void run_phase_again(struct probe *probe, const struct spot *spot) {
    (void)probe;
    let(cosm_batch_run_phase(spot->world.batch, COSM_PHASE_RENDER, 0.0f));
}

static void destroy_batch(struct probe *probe, const struct spot *spot) {
    (void)probe;
    let(cosm_batch_destroy(spot->world.batch));
}

static void remove_itself(struct probe *probe, const struct spot *spot) {
    let(cosm_system_remove(probe->stage->box.engine, spot->turn->system));
}

// Everything that an exclusive system may do, leaving about as many rows as there were.
static void change_all(struct probe *probe, const struct spot *spot) {
    const struct fixture *box = &probe->stage->box;
    cosm_entity entity = cosm_entity_spawn(spot->world, box->mover);
    let(cosm_entity_add(spot->world, entity, box->mark));
    let(cosm_entity_set(spot->world, entity, box->health, &(Health){3}));
    let(cosm_entity_remove(spot->world, entity, box->mark));
    use_write(probe, cosm_entity_write(spot->world, entity, box->health));
    let(cosm_table_sort_u32(spot->world, box->mover, box->velocity, 0));
    let(cosm_query_add(probe->stage->foreign[READS_VELOCITY], cosm_worlds_one(spot->world),
                       box->mark));
    let(cosm_query_remove(probe->stage->foreign[READS_VELOCITY], cosm_worlds_one(spot->world),
                          box->mark));
    let(cosm_entity_despawn(spot->world, entity));
    use_write(probe, cosm_singleton_write(spot->world, (cosm_singleton){SCORE}));
}

// Commands and turns.

static void ask_for_commands(struct probe *probe, const struct spot *spot) {
    (void)probe;
    (void)cosm_turn_commands(spot->turn);
}

static void record(struct probe *probe, const struct spot *spot) {
    const struct fixture *box = &probe->stage->box;
    if (spot->rows != NULL && spot->entity.id % 64 != 0) {
        return;
    }
    cosm_commands *commands = cosm_turn_commands(spot->turn);
    cosm_entity entity = cosm_commands_spawn(commands, spot->world, box->mover);
    let(cosm_commands_set(commands, spot->world, entity, box->health, &(Health){7}));
    let(cosm_commands_add(commands, spot->world, entity, box->mark));
    let(cosm_commands_remove(commands, spot->world, entity, box->mark));
    let(cosm_commands_despawn(commands, spot->world, entity));
    let(cosm_commands_emit(commands, spot->world, box->event, NULL, 0));
}

static void record_for_next_world(struct probe *probe, const struct spot *spot) {
    if (spot->world.index == 0) {
        cosm_world next = {spot->world.batch, 1};
        (void)cosm_commands_spawn(cosm_turn_commands(spot->turn), next, probe->stage->box.mover);
    }
}

static void record_for_other_batch(struct probe *probe, const struct spot *spot) {
    let(cosm_commands_despawn(cosm_turn_commands(spot->turn),
                              cosm_batch_world(probe->stage->other, 0), spot->entity));
}

static void apply_own(struct probe *probe, const struct spot *spot) {
    (void)probe;
    let(cosm_commands_apply(cosm_turn_commands(spot->turn), NULL));
}

static void clear_own(struct probe *probe, const struct spot *spot) {
    (void)probe;
    cosm_commands_clear(cosm_turn_commands(spot->turn));
}

static void destroy_own(struct probe *probe, const struct spot *spot) {
    (void)probe;
    cosm_commands_destroy(cosm_turn_commands(spot->turn));
}

// Steps another batch within its turn, and uses the outer turn there.
static void use_outer_turn(struct probe *probe, const struct spot *spot) {
    if (spot->world.batch == probe->stage->other) {
        (void)cosm_turn_scratch(probe->outer, 16);
    } else if (spot->world.index == 0) {
        probe->outer = spot->turn;
        if (cosm_batch_step(probe->stage->other) != COSM_OK) {
            cosm_turn_fail(spot->turn, cosm_error_message());
        }
        probe->outer = NULL;
    }
}

static void use_no_turn(struct probe *probe, const struct spot *spot) {
    (void)probe;
    (void)spot;
    (void)cosm_turn_scratch(NULL, 16);
}

static void use_turn(struct probe *probe, const struct spot *spot) {
    void *scratch = cosm_turn_scratch(spot->turn, 100);
    use_write(probe, scratch);
    cosm_random random = cosm_turn_random(spot->turn, spot->world, 3);
    (void)cosm_random_u32(&random);
    (void)cosm_entity_is_alive(spot->world, spot->entity);
    (void)cosm_entity_has(spot->world, spot->entity, (cosm_component){HEALTH});
    (void)cosm_query_count(cosm_turn_query(spot->turn, 0), cosm_worlds_one(spot->world));
}

// What is kept: the systems that do it are global, so that only one thread writes the context.

static void keep_column(struct probe *probe, const struct spot *spot) {
    cosm_rows rows;
    cosm_turn_walk(spot->turn, 0, cosm_worlds_one(spot->world), &rows);
    (void)cosm_rows_next(&rows);
    probe->kept = rows.columns[0];
    cosm_rows_end(&rows);
}

static void keep_middle(struct probe *probe, const struct spot *spot) {
    cosm_rows rows;
    cosm_turn_walk(spot->turn, 0, cosm_worlds_one(spot->world), &rows);
    (void)cosm_rows_next(&rows);
    probe->kept = (const char *)rows.columns[0] + rows.terms[0].size * (rows.count / 2) + 1;
    cosm_rows_end(&rows);
}

static void keep_last_byte(struct probe *probe, const struct spot *spot) {
    cosm_rows rows;
    cosm_turn_walk(spot->turn, 0, cosm_worlds_one(spot->world), &rows);
    (void)cosm_rows_next(&rows);
    probe->kept = (const char *)rows.columns[0] + (size_t)rows.terms[0].size * rows.count - 1;
    cosm_rows_end(&rows);
}

static void keep_rows(struct probe *probe, const struct spot *spot) {
    cosm_rows rows;
    cosm_turn_walk(spot->turn, 0, cosm_worlds_one(spot->world), &rows);
    (void)cosm_rows_next(&rows);
    probe->kept_rows = rows;
    probe->kept_rows.entities = NULL;
    cosm_rows_end(&rows);
}

static void keep_write(struct probe *probe, const struct spot *spot) {
    if (subject_of(probe).id == HEALTH) {
        probe->kept = COSM_WRITE(spot->world, spot->entity, Health);
    } else {
        probe->kept = COSM_WRITE(spot->world, spot->entity, Velocity);
    }
}

static void keep_read(struct probe *probe, const struct spot *spot) {
    probe->kept = cosm_entity_read(spot->world, spot->entity, subject_of(probe));
}

static void keep_entities(struct probe *probe, const struct spot *spot) {
    probe->kept = cosm_table_entities(spot->world, probe->stage->box.mover);
}

static void keep_lookup(struct probe *probe, const struct spot *spot) {
    cosm_lookup_begin(spot->world, subject_of(probe), &probe->kept_lookup);
    (void)cosm_lookup_read(&probe->kept_lookup, spot->entity);
}

static void keep_table_column(struct probe *probe, const struct spot *spot) {
    probe->kept = cosm_table_column(spot->world, probe->stage->box.mover, subject_of(probe));
}

// The hook of a system that only looks on: it may touch anything, and must keep nothing of it.
static cosm_result keep_in_init(void *context, cosm_batch *batch) {
    struct probe *probe = context;
    cosm_world world = cosm_batch_world(batch, 0);
    if (batch == probe->stage->box.batch) {
        probe->kept = cosm_entity_read(world, probe->stage->movers[0], subject_of(probe));
    }
    return COSM_OK;
}

static void look_on(struct probe *probe, const struct spot *spot) {
    (void)probe;
    (void)spot;
}

// Things that may be kept: handles, places, and what outlives the turn.
static void keep_nothing_of_rows(struct probe *probe, const struct spot *spot) {
    memcpy(probe->unaligned, &spot->entity, sizeof(spot->entity));
    probe->kept = cosm_singleton_read(spot->world, (cosm_singleton){CLOCK});
}

// Commands and turns that outlive their turn: two systems share a context.
static void keep_commands(struct probe *probe, const struct spot *spot) {
    if (spot->turn->system.id == 1) {
        probe->kept_commands = cosm_turn_commands(spot->turn);
    } else {
        (void)cosm_commands_spawn(probe->kept_commands, spot->world, probe->stage->box.mover);
    }
}

// A fault once for every run of rows, what is right for every row: how runs are cut must not show.
static void touch_rows(cosm_rows *rows) {
    struct probe *probe = rows->context;
    uint32_t count = probe->stage->is_legal ? rows->count : 1;
    for (uint32_t i = 0; i < count; i++) {
        struct spot spot = {cosm_rows_world(rows, i), rows->entities[i], rows, i, rows->turn};
        probe->trial->touch(probe, &spot);
    }
}

static void touch_worlds(const cosm_turn *turn) {
    struct probe *probe = turn->context;
    for (uint32_t w = turn->worlds.first; w < turn->worlds.first + turn->worlds.count; w++) {
        const struct stage *stage = probe->stage;
        bool is_fixed = probe->trial->subject == HEALTH;
        struct spot spot = {
            {turn->worlds.batch, w}, is_fixed ? stage->slots[w] : stage->movers[w], NULL, 0, turn};
        probe->trial->touch(probe, &spot);
    }
}

// What systems declare.
#define READ(id)                                                                                   \
    {                                                                                              \
        .component = { id }                                                                        \
    }
#define WRITE(id)                                                                                  \
    { .component = {id}, .access = COSM_ACCESS_WRITE }
#define WITHOUT(id)                                                                                \
    { .component = {id}, .kind = COSM_TERM_WITHOUT }
#define OPTIONAL(id, how)                                                                          \
    { .component = {id}, .kind = COSM_TERM_OPTIONAL, .access = (how) }
#define ANY_OF(id, how)                                                                            \
    { .component = {id}, .kind = COSM_TERM_ANY_OF, .access = (how) }
#define TERMS(...)                                                                                 \
    {                                                                                              \
        .terms = { __VA_ARGS__ }                                                                   \
    }
#define USES(id, how) .singletons = {{{id}, how}}

#define ROWS(...) .each = touch_rows, .queries = {TERMS(__VA_ARGS__)}
#define OWN ROWS(READ(POSITION)) // of movers, slots and stones, which are there in every world
#define OWN_WHOLE .whole = true, OWN
#define TURN .run = touch_worlds
#define RD COSM_ACCESS_READ
#define WR COSM_ACCESS_WRITE
#define KEEPS .context_size = sizeof(struct probe)

#define ACCESS COSM_ERROR_ACCESS
#define ARGUMENT COSM_ERROR_ARGUMENT
#define WALKED COSM_ERROR_WALKED
#define BUSY COSM_ERROR_BUSY

// clang-format off
static const struct trial faults[] = {
    // Reading what is not declared.
    {"r1", entity_read, VELOCITY, ACCESS, "cosm_entity_read", "'Velocity'", {OWN}},
    {"r2", entity_read, HEALTH, ACCESS, "cosm_entity_read", "'Health'", {TURN}},
    {"r3", typed_read, VELOCITY, ACCESS, "COSM_READ", "'Velocity'", {OWN}},
    {"r4", typed_read, HEALTH, ACCESS, "COSM_READ", "'Health'", {TURN, .reads = {{VELOCITY}}}},
    {"r5", read_many, VELOCITY, ACCESS, "cosm_entity_read_many", "'Velocity'", {OWN}},
    {"r6", read_many, HEALTH, ACCESS, "cosm_entity_read_many", "'Health'", {TURN}},
    {"r7", loc_read, VELOCITY, ACCESS, "cosm_loc_read", "'Velocity'", {OWN}},
    {"r8", loc_read, HEALTH, ACCESS, "cosm_loc_read", "'Health'", {TURN}},
    {"r9", loc_read_unchecked, VELOCITY, ACCESS, "cosm_loc_read_unchecked", "'Velocity'", {OWN}},
    {"r10", loc_read_unchecked, HEALTH, ACCESS, "cosm_loc_read_unchecked", "'Health'", {TURN}},
    {"r11", lookup_read, VELOCITY, ACCESS, "cosm_lookup_begin", "'Velocity'", {OWN}},
    {"r12", lookup_read, HEALTH, ACCESS, "cosm_lookup_begin", "'Health'", {TURN}},
    {"r13", entity_read, VELOCITY, ACCESS, "cosm_entity_read", "'Velocity'",
     {ROWS(READ(POSITION), WITHOUT(VELOCITY))}},
    {"r14", entity_read, VELOCITY, ACCESS, "cosm_entity_read", "'Velocity'",
     {ROWS(READ(POSITION), READ(MARK))}},
    {"r15", entity_read, VELOCITY, ACCESS, "cosm_entity_read", "'Velocity'",
     {TURN, .global = true, .writes = {{POSITION}, {HEALTH}}}},
    {"r16", entity_read, POSITION, ACCESS, "cosm_entity_read", "'Position'",
     {TURN, .main_thread = true, .commands = true}},
    {"r17", lookup_read, HEALTH, ACCESS, "cosm_lookup_begin", "'Health'", {OWN_WHOLE}},
    {"r18", entity_read, HEALTH, ACCESS, "cosm_entity_read", "'Health'", {OWN, .commands = true}},
    // Writing what is not declared.
    {"w1", entity_write, VELOCITY, ACCESS, "cosm_entity_write", "'Velocity'", {OWN}},
    {"w2", entity_write, HEALTH, ACCESS, "cosm_entity_write", "'Health'", {TURN}},
    {"w3", typed_write, VELOCITY, ACCESS, "COSM_WRITE", "'Velocity'", {OWN}},
    {"w4", typed_write, HEALTH, ACCESS, "COSM_WRITE", "'Health'", {TURN}},
    {"w5", write_many, VELOCITY, ACCESS, "cosm_entity_write_many", "'Velocity'", {OWN}},
    {"w6", write_many, HEALTH, ACCESS, "cosm_entity_write_many", "'Health'", {TURN}},
    {"w7", loc_write, VELOCITY, ACCESS, "cosm_loc_write", "'Velocity'", {OWN}},
    {"w8", loc_write, HEALTH, ACCESS, "cosm_loc_write", "'Health'", {TURN}},
    {"w9", loc_write_unchecked, VELOCITY, ACCESS, "cosm_loc_write_unchecked", "'Velocity'", {OWN}},
    {"w10", loc_write_unchecked, HEALTH, ACCESS, "cosm_loc_write_unchecked", "'Health'", {TURN}},
    {"w11", rows_column, VELOCITY, ACCESS, "cosm_rows_column", "'Velocity'", {OWN}},
    {"w12", typed_column, HEALTH, ARGUMENT, "COSM_WRITE", "'Health'", {OWN}},
    {"w13", table_column, VELOCITY, ACCESS, "cosm_table_column", "'Velocity'", {OWN}},
    {"w14", table_column, HEALTH, ACCESS, "cosm_table_column", "'Health'", {TURN}},
    // Writing what is declared for reading.
    {"d1", entity_write, POSITION, ACCESS, "cosm_entity_write", "'Position'", {OWN}},
    {"d2", entity_write, HEALTH, ACCESS, "cosm_entity_write", "'Health'",
     {TURN, .reads = {{HEALTH}}}},
    {"d3", typed_write, POSITION, ACCESS, "COSM_WRITE", "'Position'", {OWN}},
    {"d4", typed_write, HEALTH, ACCESS, "COSM_WRITE", "'Health'", {TURN, .reads = {{PAIR}}}},
    {"d5", write_many, POSITION, ACCESS, "cosm_entity_write_many", "'Position'", {OWN}},
    {"d6", loc_write, POSITION, ACCESS, "cosm_loc_write", "'Position'", {OWN}},
    {"d7", loc_write_unchecked, POSITION, ACCESS, "cosm_loc_write_unchecked", "'Position'", {OWN}},
    {"d8", own_write, POSITION, ARGUMENT, "COSM_COLUMN_WRITE", "'Position'", {OWN}},
    {"d9", own_write, VELOCITY, ARGUMENT, "COSM_COLUMN_WRITE", "'Velocity'",
     {ROWS(WRITE(POSITION), OPTIONAL(VELOCITY, RD))}},
    {"d10", cast_write, POSITION, ACCESS, "changed", "'Position'", {OWN}},
    {"d11", cast_write, VELOCITY, ACCESS, "changed", "'Velocity'",
     {ROWS(READ(POSITION), OPTIONAL(VELOCITY, RD))}},
    {"d12", cast_write, HEALTH, ACCESS, "changed", "'Health'",
     {ROWS(WRITE(POSITION), READ(HEALTH))}},
    {"d13", cast_write, HEALTH, ACCESS, "changed", "'Health'",
     {ROWS(READ(POSITION), ANY_OF(VELOCITY, RD), ANY_OF(HEALTH, RD)), .whole = true}},
    {"d14", cast_write, VELOCITY, ACCESS, "changed", "'Velocity'",
     {ROWS(READ(VELOCITY)), .reads = {{VELOCITY}}, .commands = true}},
    {"d15", cast_write, POSITION, ACCESS, "changed", "'Position'", {OWN, .global = true}},
    {"d16", entity_write, VELOCITY, ACCESS, "cosm_entity_write", "'Velocity'",
     {TURN, .queries = {TERMS(READ(VELOCITY)), TERMS(WRITE(POSITION))}}},
    {"d17", wrong_index, VELOCITY, ARGUMENT, "COSM_COLUMN_READ", "index 9", {OWN}},
    {"d18", set_present, VELOCITY, ACCESS, "cosm_entity_set", "'Velocity'", {TURN}},
    // Rows that no query of the system gives it.
    {"x1", other_row_read, POSITION, ACCESS, "cosm_entity_read", "add it to desc.uses",
     {ROWS(READ(POSITION), WRITE(HEALTH))}},
    {"x2", other_row_lookup, POSITION, ACCESS, "cosm_lookup_read", "not called with",
     {ROWS(READ(POSITION), READ(MARK))}},
    {"x3", other_row_read, POSITION, ACCESS, "cosm_entity_read", "not called with",
     {ROWS(WRITE(POSITION))}},
    {"x4", own_walk, 0, ACCESS, "cosm_turn_walk", "not called with", {ROWS(WRITE(POSITION))}},
    {"x5", foreign_walk, READS_POSITION, ACCESS, "cosm_query_walk", "not called with",
     {ROWS(WRITE(POSITION))}},
    {"x6", table_column, POSITION, ACCESS, "cosm_table_column", "not called with",
     {ROWS(WRITE(POSITION))}},
    // Queries of others.
    {"q1", foreign_walk, READS_VELOCITY, ACCESS, "cosm_query_walk", "'Velocity'", {OWN}},
    {"q2", foreign_walk, READS_VELOCITY, ACCESS, "cosm_query_walk", "'Velocity'", {TURN}},
    {"q3", foreign_walk, WRITES_VELOCITY, ACCESS, "cosm_query_walk", "'Velocity'", {OWN}},
    {"q4", foreign_walk, WRITES_VELOCITY, ACCESS, "cosm_query_walk", "'Velocity'",
     {TURN, .reads = {{VELOCITY}}}},
    {"q5", foreign_walk, OPTIONAL_VELOCITY, ACCESS, "cosm_query_walk", "'Velocity'", {OWN}},
    {"q6", foreign_walk, OPTIONAL_VELOCITY_WRITTEN, ACCESS, "cosm_query_walk", "'Velocity'",
     {TURN, .reads = {{POSITION}, {VELOCITY}}}},
    {"q7", foreign_walk, ANY_OF_TWO, ACCESS, "cosm_query_walk", "'Health'",
     {TURN, .reads = {{VELOCITY}}}},
    {"q8", foreign_walk, ANY_OF_TWO_WRITTEN, ACCESS, "cosm_query_walk", "'Health'",
     {TURN, .writes = {{VELOCITY}}, .reads = {{HEALTH}}}},
    {"q9", foreign_run, READS_VELOCITY, ACCESS, "cosm_query_walk", "'Velocity'", {OWN}},
    {"q10", foreign_run, WRITES_VELOCITY, ACCESS, "cosm_query_walk", "'Velocity'",
     {TURN, .reads = {{VELOCITY}}}},
    {"q11", foreign_walk, WRITES_POSITION, ACCESS, "cosm_query_walk", "'Position'", {OWN}},
    {"q12", foreign_run, OPTIONAL_VELOCITY, ACCESS, "cosm_query_walk", "'Velocity'",
     {TURN, .global = true, .reads = {{POSITION}}}},
    {"q13", own_walk, 2, ARGUMENT, "cosm_turn_walk", "no query 2",
     {TURN, .queries = {TERMS(READ(POSITION)), TERMS(READ(VELOCITY))}}},
    // Singletons.
    {"s1", singleton_read, CLOCK, ACCESS, "cosm_singleton_read", "'Clock'", {OWN}},
    {"s2", singleton_read, SCORE, ACCESS, "cosm_singleton_read", "'Score'",
     {TURN, USES(CLOCK, WR)}},
    {"s3", singleton_write, CLOCK, ACCESS, "cosm_singleton_write", "'Clock'", {OWN}},
    {"s4", singleton_write, SCORE, ACCESS, "cosm_singleton_write", "'Score'",
     {TURN, USES(SCORE, RD)}},
    {"s5", singleton_read_typed, CLOCK, ACCESS, "COSM_SINGLETON_READ", "'Clock'", {TURN}},
    {"s6", singleton_write_typed, CLOCK, ACCESS, "COSM_SINGLETON_WRITE", "'Clock'", {OWN}},
    {"s7", singleton_write_typed, CLOCK, ACCESS, "COSM_SINGLETON_WRITE", "'Clock'",
     {TURN, .global = true, USES(CLOCK, RD)}},
    {"s8", singleton_write, CLOCK, ACCESS, "cosm_singleton_write", "'Clock'",
     {OWN, USES(CLOCK, RD)}},
    {"s9", singleton_cast, CLOCK, ACCESS, "changed singleton", "'Clock'",
     {TURN, USES(CLOCK, RD)}},
    // Other worlds than that of the turn.
    {"o1", next_entity_read, POSITION, ACCESS, "cosm_entity_read", "world 1", {OWN_WHOLE}},
    {"o2", next_entity_write, VELOCITY, ACCESS, "cosm_entity_write", "world 1",
     {OWN_WHOLE, .writes = {{VELOCITY}}}},
    {"o3", next_read_many, POSITION, ACCESS, "cosm_entity_read_many", "world 1", {OWN_WHOLE}},
    {"o4", next_loc_read, POSITION, ACCESS, "cosm_loc_read", "world 1", {OWN_WHOLE}},
    {"o5", next_lookup, POSITION, ACCESS, "cosm_lookup_begin", "world 1",
     {OWN, .commands = true}},
    {"o6", next_table_column, VELOCITY, ACCESS, "cosm_table_column", "world 1",
     {OWN_WHOLE, .writes = {{VELOCITY}}}},
    {"o7", next_walk, READS_POSITION, ACCESS, "cosm_query_walk", "world 1", {OWN_WHOLE}},
    {"o8", foreign_walk_all, 0, ACCESS, "cosm_query_walk", "world 3", {OWN, .commands = true}},
    {"o9", next_singleton_read, CLOCK, ACCESS, "cosm_singleton_read", "world 1",
     {OWN_WHOLE, USES(CLOCK, RD)}},
    {"o10", next_singleton_write, CLOCK, ACCESS, "cosm_singleton_write", "world 1",
     {OWN_WHOLE, USES(CLOCK, WR)}},
    {"o11", next_own_walk, 1, ARGUMENT, "cosm_turn_walk", "1 worlds from world 1",
     {.each = touch_rows, .whole = true,
      .queries = {TERMS(READ(POSITION)), TERMS(READ(VELOCITY))}}},
    {"o12", record_for_next_world, 0, ARGUMENT, "cosm_commands_spawn", "world 1",
     {OWN, .commands = true}},
    // Structure, changed directly.
    {"c1", spawn, 0, WALKED, "cosm_entity_spawn", "directly", {OWN}},
    {"c2", spawn, 0, WALKED, "cosm_entity_spawn", "directly", {TURN, .commands = true}},
    {"c3", spawn_with, 0, WALKED, "cosm_entity_spawn_with", "directly", {TURN}},
    {"c4", spawn_many, 0, WALKED, "cosm_entity_spawn_many", "directly", {TURN, .global = true}},
    {"c5", spawn_many_unset, 0, WALKED, "cosm_entity_spawn_many_unset", "directly", {TURN}},
    {"c6", despawn, HEALTH, WALKED, "cosm_entity_despawn", "directly", {OWN}},
    {"c7", despawn_many, 0, WALKED, "cosm_entity_despawn_many", "directly",
     {TURN, .main_thread = true}},
    {"c8", add, MARK, WALKED, "cosm_entity_add", "directly", {OWN}},
    {"c9", add_many, MARK, WALKED, "cosm_entity_add_many", "directly", {TURN}},
    {"c10", take_away, VELOCITY, WALKED, "cosm_entity_remove", "directly", {OWN}},
    {"c11", take_away_many, VELOCITY, WALKED, "cosm_entity_remove_many", "directly", {TURN}},
    {"c12", set_adds, MARK, WALKED, "cosm_entity_set", "directly", {TURN}},
    {"c13", set_many, VELOCITY, WALKED, "cosm_entity_set_many", "directly",
     {TURN, .writes = {{VELOCITY}}}},
    {"c14", reset_world, 0, WALKED, "cosm_world_reset", "directly", {OWN}},
    {"c15", reset_batch, 0, WALKED, "cosm_batch_reset", "directly", {TURN}},
    {"c16", reserve_rows, 0, WALKED, "cosm_world_reserve", "directly", {TURN}},
    {"c17", trim_batch, 0, WALKED, "cosm_batch_trim", "directly", {TURN}},
    {"c18", clear_table, 0, WALKED, "cosm_table_clear", "directly", {OWN}},
    {"c19", sort_table, VELOCITY, WALKED, "cosm_table_sort_u32", "directly",
     {TURN, .writes = {{VELOCITY}}}},
    {"c20", sort_by_key, 0, WALKED, "cosm_table_sort", "directly", {TURN}},
    {"c21", query_despawn, 0, WALKED, "cosm_query_despawn", "directly", {OWN}},
    {"c22", query_add, HEALTH, WALKED, "cosm_query_add", "directly", {TURN}},
    {"c23", query_remove, VELOCITY, WALKED, "cosm_query_remove", "directly", {TURN}},
    {"c24", query_set, HEALTH, WALKED, "cosm_query_set", "directly", {TURN}},
    {"c25", step_again, 0, BUSY, "cosm_batch_step", "steps do not nest", {OWN}},
    {"c26", run_phase_again, 0, BUSY, "cosm_batch_run_phase", "steps do not nest", {TURN}},
    {"c27", destroy_batch, 0, BUSY, "cosm_batch_destroy", "is running", {TURN}},
    {"c28", remove_itself, 0, BUSY, "cosm_system_remove", "cannot be removed", {TURN}},
    // Commands and turns.
    {"k1", ask_for_commands, 0, ACCESS, "cosm_turn_commands", "desc.commands", {OWN}},
    {"k2", ask_for_commands, 0, ACCESS, "cosm_turn_commands", "desc.commands",
     {TURN, .exclusive = true}},
    {"k3", record_for_other_batch, 0, ARGUMENT, "cosm_commands_despawn", "another batch",
     {OWN, .commands = true}},
    {"k4", apply_own, 0, ARGUMENT, "cosm_commands_apply", "leave them to the step",
     {OWN, .commands = true}},
    {"k5", clear_own, 0, ARGUMENT, "cosm_commands_clear", "leave them to the step",
     {TURN, .commands = true}},
    {"k6", destroy_own, 0, ARGUMENT, "cosm_commands_destroy", "leave them to the step",
     {TURN, .commands = true}},
    {"k7", use_no_turn, 0, ARGUMENT, "cosm_turn_scratch", "turn is NULL", {TURN}},
    // Pointers kept.
    {"p1", keep_column, POSITION, ACCESS, "keeps a pointer", "'Position'",
     {TURN, .global = true, KEEPS, .queries = {TERMS(READ(POSITION))}}},
    {"p2", keep_middle, POSITION, ACCESS, "keeps a pointer", "'Velocity'",
     {TURN, .global = true, KEEPS, .queries = {TERMS(WRITE(VELOCITY))}}},
    {"p3", keep_last_byte, POSITION, ACCESS, "keeps a pointer", "'Health'",
     {TURN, .main_thread = true, KEEPS, .queries = {TERMS(READ(HEALTH), READ(POSITION))}}},
    {"p4", keep_rows, POSITION, ACCESS, "keeps a pointer", "'Position'",
     {TURN, .global = true, KEEPS, .queries = {TERMS(READ(POSITION))}}},
    {"p5", keep_write, VELOCITY, ACCESS, "keeps a pointer", "'Velocity'",
     {TURN, .global = true, KEEPS, .writes = {{VELOCITY}}}},
    {"p6", keep_write, HEALTH, ACCESS, "keeps a pointer", "'Health'",
     {TURN, .main_thread = true, KEEPS, .writes = {{HEALTH}}}},
    {"p7", keep_read, HEALTH, ACCESS, "keeps a pointer", "'Health'",
     {TURN, .global = true, KEEPS, .reads = {{HEALTH}}}},
    {"p8", keep_lookup, VELOCITY, ACCESS, "keeps a pointer", "'Velocity'",
     {TURN, .global = true, KEEPS, .reads = {{VELOCITY}}}},
    {"p9", keep_table_column, VELOCITY, ACCESS, "keeps a pointer", "'Velocity'",
     {TURN, .global = true, KEEPS, .writes = {{VELOCITY}}}},
    {"p10", keep_write, VELOCITY, ACCESS, "keeps a pointer", "'Velocity'",
     {TURN, .global = true, .exclusive = true, KEEPS}},
    {"p13", keep_entities, 0, ACCESS, "keeps a pointer", "'entities'",
     {TURN, .global = true, KEEPS}},
    {"p11", look_on, VELOCITY, ACCESS, "keeps a pointer", "'Velocity'",
     {OWN, .init = keep_in_init, KEEPS}},
    {"p12", look_on, POSITION, ACCESS, "keeps a pointer", "'Position'",
     {TURN, .init = keep_in_init, KEEPS}},
};
// clang-format on

#define RIGHT COSM_OK, NULL, NULL

// clang-format off
static const struct trial correct[] = {
    // `each` and its own rows, by every path.
    {"e1", own_read, POSITION, RIGHT, {OWN}},
    {"e2", own_write, VELOCITY, RIGHT, {ROWS(READ(POSITION), WRITE(VELOCITY))}},
    {"e3", own_read, HEALTH, RIGHT, {ROWS(READ(POSITION), OPTIONAL(HEALTH, RD))}},
    {"e4", own_write, HEALTH, RIGHT, {ROWS(READ(POSITION), OPTIONAL(HEALTH, WR))}},
    {"e5", own_write, VELOCITY, RIGHT,
     {ROWS(READ(POSITION), ANY_OF(VELOCITY, WR), ANY_OF(HEALTH, RD))}},
    {"e6", entity_read, POSITION, RIGHT, {OWN}},
    {"e7", entity_write, POSITION, RIGHT, {ROWS(WRITE(POSITION))}},
    {"e8", typed_read, POSITION, RIGHT, {OWN}},
    {"e9", typed_write, HEALTH, RIGHT, {ROWS(READ(POSITION), WRITE(HEALTH))}},
    {"e10", read_many, POSITION, RIGHT, {OWN}},
    {"e11", write_many, VELOCITY, RIGHT, {ROWS(READ(POSITION), WRITE(VELOCITY))}},
    {"e12", loc_read, POSITION, RIGHT, {OWN}},
    {"e13", loc_write, POSITION, RIGHT, {ROWS(WRITE(POSITION))}},
    {"e14", loc_read_unchecked, POSITION, RIGHT, {OWN}},
    {"e15", loc_write_unchecked, HEALTH, RIGHT, {ROWS(READ(POSITION), WRITE(HEALTH))}},
    {"e16", lookup_read, POSITION, RIGHT, {OWN}},
    {"e17", rows_column, POSITION, RIGHT, {ROWS(WRITE(POSITION))}},
    {"e18", typed_column, VELOCITY, RIGHT, {ROWS(READ(POSITION), WRITE(VELOCITY))}},
    {"e23", rows_column_read, POSITION, RIGHT, {OWN}},
    {"e24", table_column_read, POSITION, RIGHT, {OWN}},
    {"e25", entity_read, MARK, RIGHT, {ROWS(READ(POSITION), READ(MARK))}},
    {"e19", own_write, POSITION, RIGHT, {ROWS(WRITE(POSITION)), .whole = true}},
    {"e20", own_write, POSITION, RIGHT, {ROWS(WRITE(POSITION)), .global = true, KEEPS}},
    {"e21", own_read, POSITION, RIGHT, {ROWS(READ(POSITION), WITHOUT(MARK)), KEEPS}},
    {"e22", cast_write, POSITION, RIGHT, {ROWS(READ(POSITION)), .writes = {{POSITION}}}},
    // Rows of others, by declared lists.
    {"l1", entity_read, HEALTH, RIGHT, {OWN, .reads = {{HEALTH}}}},
    {"l2", entity_write, HEALTH, RIGHT, {OWN, .writes = {{HEALTH}}}},
    {"l3", entity_read, HEALTH, RIGHT, {TURN, .reads = {{PAIR}}}},
    {"l4", typed_write, VELOCITY, RIGHT, {TURN, .writes = {{PAIR}}}},
    {"l5", read_many, HEALTH, RIGHT, {TURN, .writes = {{HEALTH}}}},
    {"l6", write_many, HEALTH, RIGHT, {TURN, .writes = {{HEALTH}}}},
    {"l7", loc_read, VELOCITY, RIGHT, {TURN, .reads = {{VELOCITY}}}},
    {"l8", loc_write, VELOCITY, RIGHT, {TURN, .writes = {{VELOCITY}}}},
    {"l9", loc_read_unchecked, HEALTH, RIGHT, {TURN, .reads = {{HEALTH}}}},
    {"l10", loc_write_unchecked, VELOCITY, RIGHT, {TURN, .writes = {{VELOCITY}}}},
    {"l11", lookup_read, HEALTH, RIGHT, {TURN, .reads = {{HEALTH}}}},
    {"l12", lookup_write, HEALTH, RIGHT, {TURN, .writes = {{HEALTH}}}},
    {"l13", table_column, VELOCITY, RIGHT, {TURN, .writes = {{VELOCITY}}}},
    {"l14", table_column, HEALTH, RIGHT, {TURN, .writes = {{HEALTH}}}},
    // Queries.
    {"q1", own_walk, 0, RIGHT, {TURN, .queries = {TERMS(WRITE(POSITION), READ(VELOCITY))}}},
    {"q2", own_walk, 1, RIGHT,
     {.each = touch_rows, .queries = {TERMS(WRITE(VELOCITY)), TERMS(READ(HEALTH))}}},
    {"q3", nested_walk, 1, RIGHT,
     {TURN, .queries = {TERMS(READ(POSITION)), TERMS(READ(POSITION), OPTIONAL(HEALTH, WR))}}},
    {"q4", nested_walk, 0, RIGHT, {TURN, .queries = {TERMS(READ(HEALTH), READ(POSITION))}}},
    {"q5", foreign_walk, READS_VELOCITY, RIGHT, {TURN, .reads = {{VELOCITY}}}},
    {"q6", foreign_walk, WRITES_VELOCITY, RIGHT, {TURN, .writes = {{VELOCITY}}}},
    {"q7", foreign_walk, OPTIONAL_VELOCITY, RIGHT, {TURN, .reads = {{POSITION}, {VELOCITY}}}},
    {"q8", foreign_walk, ANY_OF_TWO, RIGHT, {TURN, .reads = {{VELOCITY}}, .writes = {{HEALTH}}}},
    {"q9", foreign_walk, POSITION_WITHOUT_VELOCITY, RIGHT, {OWN, .reads = {{POSITION}}}},
    {"q10", foreign_run, POSITION_MARKED, RIGHT, {OWN, .reads = {{POSITION}}}},
    {"q11", foreign_run, READS_POSITION, RIGHT, {TURN, .global = true, .reads = {{POSITION}}}},
    {"q12", walk_all, 0, RIGHT, {TURN, .global = true, .queries = {TERMS(WRITE(POSITION))}}},
    // Singletons.
    {"s1", singleton_read, CLOCK, RIGHT, {OWN, USES(CLOCK, RD)}},
    {"s2", singleton_write, SCORE, RIGHT, {OWN, USES(SCORE, WR)}},
    {"s3", singleton_read_typed, CLOCK, RIGHT, {TURN, USES(CLOCK, WR)}},
    {"s4", singleton_write_typed, CLOCK, RIGHT, {TURN, .main_thread = true, USES(CLOCK, WR)}},
    // All worlds, direct changes, commands, turns.
    {"g1", entity_write, VELOCITY, RIGHT, {TURN, .main_thread = true, .writes = {{VELOCITY}}}},
    {"g2", change_all, 0, RIGHT, {TURN, .exclusive = true}},
    {"g3", change_all, 0, RIGHT, {TURN, .exclusive = true, .global = true, KEEPS}},
    {"g4", record, 0, RIGHT, {OWN, .commands = true}},
    {"g5", record, 0, RIGHT, {TURN, .commands = true}},
    {"g6", record, 0, RIGHT, {OWN_WHOLE, .commands = true, .synced = true}},
    {"g7", use_turn, 0, RIGHT, {OWN}},
    {"g8", use_turn, 0, RIGHT, {TURN, .queries = {TERMS(READ(POSITION))}, .every = 2}},
    {"g9", keep_nothing_of_rows, 0, RIGHT, {TURN, .global = true, USES(CLOCK, RD), KEEPS}},
};
// clang-format on

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

_Static_assert(COUNT_OF(faults) >= 60, "there are at least 60 faults");
_Static_assert(COUNT_OF(correct) >= 40, "there are at least 40 correct systems");

// How a step is spread.
struct spread {
    uint32_t worker_count;
    cosm_split split;
};

static const struct spread spreads[] = {
    {1, COSM_SPLIT_NONE}, {1, COSM_SPLIT_WORLDS}, {1, COSM_SPLIT_CHUNKS},
    {8, COSM_SPLIT_NONE}, {8, COSM_SPLIT_WORLDS}, {8, COSM_SPLIT_CHUNKS},
};

// Called on any worker.
static void hear(void *context, cosm_result result, const char *message) {
    struct told *told = context;
    if (result == COSM_STALE) {
        return;
    }
    pthread_mutex_lock(&told->lock);
    uint32_t i = 0;
    while (i < told->count && strcmp(told->texts[i], message) != 0) {
        i++;
    }
    if (i == told->count && i < MESSAGE_MAX) {
        told->results[i] = result;
        (void)snprintf(told->texts[i], MESSAGE_LENGTH, "%s", message);
        told->count++;
    }
    told->total++;
    pthread_mutex_unlock(&told->lock);
}

static void make_queries(struct stage *stage) {
    static const cosm_query_desc descs[FOREIGN_COUNT] = {
        [READS_VELOCITY] = TERMS(READ(VELOCITY)),
        [WRITES_VELOCITY] = TERMS(WRITE(VELOCITY)),
        [OPTIONAL_VELOCITY] = TERMS(READ(POSITION), OPTIONAL(VELOCITY, RD)),
        [OPTIONAL_VELOCITY_WRITTEN] = TERMS(READ(POSITION), OPTIONAL(VELOCITY, WR)),
        [ANY_OF_TWO] = TERMS(ANY_OF(VELOCITY, RD), ANY_OF(HEALTH, RD)),
        [ANY_OF_TWO_WRITTEN] = TERMS(ANY_OF(VELOCITY, WR), ANY_OF(HEALTH, WR)),
        [READS_POSITION] = TERMS(READ(POSITION)),
        [WRITES_POSITION] = TERMS(WRITE(POSITION)),
        [POSITION_WITHOUT_VELOCITY] = TERMS(READ(POSITION), WITHOUT(VELOCITY)),
        [POSITION_MARKED] = TERMS(READ(POSITION), READ(MARK)),
    };
    for (uint32_t i = 0; i < FOREIGN_COUNT; i++) {
        stage->foreign[i] = cosm_query_create(stage->box.engine, &descs[i]);
        CHECK(stage->foreign[i] != NULL);
    }
}

static void open_stage(struct stage *stage, const struct spread *spread, bool is_legal) {
    struct fixture *box = &stage->box;
    memset(stage, 0, sizeof(*stage));
    pthread_mutex_init(&stage->told.lock, NULL);
    stage->is_legal = is_legal;
    fixture_open_with(
        box, 0,
        &(cosm_engine_desc){
            .error = hear, .error_context = &stage->told, .worker_count = spread->worker_count},
        &(cosm_batch_desc){
            .world_count = WORLDS, .seed = 5, .split = spread->split, .block_worlds = 1});
    cosm_component pair = cosm_bundle_define(
        box->engine, &(cosm_bundle_desc){.name = "Pair", .components = {{VELOCITY}, {HEALTH}}});
    cosm_singleton clock = COSM_SINGLETON_DEFINE(box->engine, Clock);
    cosm_singleton score = cosm_singleton_define(
        box->engine, &(cosm_singleton_desc){.name = "Score", .size = sizeof(Clock)});
    CHECK(box->position.id == POSITION && box->velocity.id == VELOCITY &&
          box->health.id == HEALTH && box->mark.id == MARK);
    CHECK(pair.id == PAIR && clock.id == CLOCK && score.id == SCORE);
    make_queries(stage);
    stage->other = cosm_batch_create(box->engine, NULL);
    for (uint32_t w = 0; w < WORLDS; w++) {
        cosm_world world = fixture_world(box, w);
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(world, box->mover, MOVERS, &rows));
        stage->movers[w] = rows.entities[MOVERS / 2];
        CHECK_DONE(cosm_entity_spawn_many(world, box->slot, 4, &rows));
        stage->slots[w] = rows.entities[1];
        CHECK_DONE(cosm_entity_spawn_many(world, box->stone, 2, &rows));
    }
}

static void close_stage(struct stage *stage) {
    for (uint32_t i = 0; i < FOREIGN_COUNT; i++) {
        cosm_query_destroy(stage->foreign[i]);
    }
    CHECK_DONE(cosm_batch_destroy(stage->other));
    fixture_close(&stage->box);
    pthread_mutex_destroy(&stage->told.lock);
}

static void define_trial(struct stage *stage, const struct trial *trial, struct probe *probe) {
    memset(probe, 0, sizeof(*probe));
    probe->stage = stage;
    probe->trial = trial;
    cosm_system_desc desc = trial->desc;
    desc.name = trial->name;
    desc.context = probe;
    CHECK(cosm_system_define(stage->box.engine, &desc).id != 0);
}

// What is refused whether or not access is checked.
static bool is_always_refused(const struct trial *trial) {
    return trial->result != COSM_ERROR_ACCESS || trial->touch == ask_for_commands;
}

static bool is_looked_at(const struct trial *trial) {
#ifdef COSM_CHECKS
    (void)trial;
    return true;
#else
    return is_always_refused(trial);
#endif
}

// Messages of calls that do not know of systems name the call and the cause only.
static bool names_system(const struct trial *trial) {
    static touch_fn *const silent[] = {own_write,  wrong_index, record_for_other_batch,
                                       apply_own,  clear_own,   destroy_own,
                                       use_no_turn};
    for (uint32_t i = 0; i < COUNT_OF(silent); i++) {
        if (trial->touch == silent[i]) {
            return false;
        }
    }
    return true;
}

static void check_message(const struct trial *trial, const char *message) {
    char quoted[64];
    (void)snprintf(quoted, sizeof(quoted), "'%s'", trial->name);
    if (names_system(trial)) {
        CHECK_CONTAINS(message, quoted);
    }
    CHECK_CONTAINS(message, trial->call);
    CHECK_CONTAINS(message, trial->thing);
}

static void check_same(const struct trial *trial, const struct told *a, const struct told *b) {
    CHECK_INT(a->count, b->count);
    for (uint32_t i = 0; i < a->count; i++) {
        uint32_t j = 0;
        while (j < b->count && strcmp(a->texts[i], b->texts[j]) != 0) {
            j++;
        }
        if (j == b->count) {
            printf("fault %s: told in one way of spreading only: %s\n", trial->name, a->texts[i]);
            CHECK(j < b->count);
        }
    }
}

// Steps a batch with one faulty system; leaves what was told in `out_told`.
static void run_fault(const struct trial *trial, const struct spread *spread,
                      struct told *out_told) {
    static struct stage stage;
    static struct probe probe;
    open_stage(&stage, spread, false);
    define_trial(&stage, trial, &probe);
    for (uint32_t i = 0; i < 2; i++) {
        cosm_error_clear();
        cosm_result result = cosm_batch_step(stage.box.batch);
        if (result != trial->result) {
            printf("fault %s: %s\n", trial->name, cosm_error_message());
        }
        CHECK_INT(result, trial->result);
        CHECK_INT(cosm_error_result(), trial->result);
        check_message(trial, cosm_error_message());
    }
    CHECK(stage.told.count > 0);
    for (uint32_t i = 0; i < stage.told.count; i++) {
        CHECK_INT(stage.told.results[i], trial->result);
        check_message(trial, stage.told.texts[i]);
    }
    if (!is_always_refused(trial)) {
        CHECK_INT(stage.told.total, 1);
    }
    *out_told = stage.told;
    close_stage(&stage);
}

TEST(every_fault_is_reported_by_name_and_the_same_whatever_the_spread) {
    static struct told first;
    static struct told now;
    for (uint32_t i = 0; i < COUNT_OF(faults); i++) {
        if (!is_looked_at(&faults[i])) {
            continue;
        }
        run_fault(&faults[i], &spreads[0], &first);
        for (uint32_t s = 1; s < COUNT_OF(spreads); s++) {
            run_fault(&faults[i], &spreads[s], &now);
            check_same(&faults[i], &first, &now);
        }
    }
}

TEST(names_of_faults_and_of_correct_systems_are_unique) {
    for (uint32_t i = 0; i < COUNT_OF(faults); i++) {
        for (uint32_t j = 0; j < i; j++) {
            CHECK(strcmp(faults[i].name, faults[j].name) != 0);
        }
    }
}

TEST(a_turn_is_of_no_use_in_a_turn_that_is_nested_in_it) {
    static struct stage stage;
    static struct probe probe;
    static const struct trial trial = {"k8",
                                       use_outer_turn,
                                       0,
                                       COSM_ERROR_SYSTEM,
                                       "cosm_turn_scratch",
                                       "not the current turn",
                                       {TURN, .main_thread = true}};
    for (uint32_t s = 0; s < COUNT_OF(spreads); s++) {
        open_stage(&stage, &spreads[s], false);
        define_trial(&stage, &trial, &probe);
        CHECK_INT(cosm_batch_step(stage.box.batch), COSM_ERROR_SYSTEM);
        check_message(&trial, cosm_error_message());
        close_stage(&stage);
    }
}

TEST(commands_are_of_no_use_after_their_turn) {
    static struct stage stage;
    static struct probe probe;
    static const struct trial keeper = {
        "keeper", keep_commands, 0, RIGHT, {TURN, .global = true, .commands = true}};
    static const struct trial user = {
        "user", keep_commands, 0, RIGHT, {TURN, .global = true, .after = {"keeper"}}};
    for (uint32_t s = 0; s < COUNT_OF(spreads); s++) {
        open_stage(&stage, &spreads[s], false);
        define_trial(&stage, &keeper, &probe);
        define_trial(&stage, &user, &probe);
        CHECK_INT(cosm_batch_step(stage.box.batch), COSM_ERROR_ARGUMENT);
        CHECK_CONTAINS(cosm_error_message(), "cosm_commands_spawn");
        CHECK_CONTAINS(cosm_error_message(), "belong to a finished turn");
        CHECK_INT(stage.told.count, 1);
        close_stage(&stage);
    }
}

// All of them at once, side by side where the plan lets them.
static uint64_t run_correct(const struct spread *spread) {
    static struct stage stage;
    static struct probe probes[COUNT_OF(correct)];
    open_stage(&stage, spread, true);
    for (uint32_t i = 0; i < COUNT_OF(correct); i++) {
        define_trial(&stage, &correct[i], &probes[i]);
    }
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_DONE(cosm_batch_step(stage.box.batch));
    }
    for (uint32_t i = 0; i < stage.told.count; i++) {
        printf("a correct system was told of: %s\n", stage.told.texts[i]);
    }
    CHECK_INT(stage.told.count, 0);
    uint64_t checksum = cosm_hash_batch(stage.box.batch, COSM_HASH_EXACT);
    close_stage(&stage);
    return checksum;
}

TEST(nothing_is_said_of_correct_systems_side_by_side) {
    uint64_t first = run_correct(&spreads[0]);
    for (uint32_t s = 1; s < COUNT_OF(spreads); s++) {
        CHECK_INT(run_correct(&spreads[s]), first);
    }
}

TEST(nothing_is_said_of_a_correct_system_by_itself) {
    static struct stage stage;
    static struct probe probe;
    for (uint32_t i = 0; i < COUNT_OF(correct); i++) {
        open_stage(&stage, &spreads[COUNT_OF(spreads) - 1], true);
        define_trial(&stage, &correct[i], &probe);
        CHECK_DONE(cosm_batch_step(stage.box.batch));
        CHECK_DONE(cosm_batch_step(stage.box.batch));
        if (stage.told.count > 0) {
            printf("%s was told of: %s\n", correct[i].name, stage.told.texts[0]);
        }
        CHECK_INT(stage.told.count, 0);
        close_stage(&stage);
    }
}
