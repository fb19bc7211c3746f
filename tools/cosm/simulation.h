// A scene or an environment under way: the commands that step one need not know which it is.
// Environments get random actions, as spaces and masks allow.
#ifndef COSM_TOOL_SIMULATION_H
#define COSM_TOOL_SIMULATION_H

#include "arguments.h"

typedef struct cosm_sim cosm_sim;

// The episodes of an environment that were over.
struct episodes {
    uint64_t count;
    double returns; // the sum over them
    uint64_t lengths;
};

struct simulation {
    scene_run *scene; // NULL: `sim` is what it is
    cosm_sim *sim;
    uint64_t seed;
    uint64_t step_count; // steps taken
    uint64_t step_ns;    // time in them; drawing actions at random does not count
    struct episodes episodes;
};

// Makes one. False on failure, with a message in cosm_error_message() unless the C library ran out
// of memory; nothing is left to be destroyed then.
bool simulation_create(struct simulation *simulation, const struct choice *choice,
                       const scene_settings *settings);
void simulation_destroy(struct simulation *simulation);

// What was chosen, by the name that the user gave.
const char *simulation_choice_name(const struct choice *choice);

const char *simulation_name(const struct simulation *simulation);
cosm_engine *simulation_engine(const struct simulation *simulation);
cosm_batch *simulation_batch(const struct simulation *simulation);

// Takes a step, with actions for it where there are agents.
cosm_result simulation_step(struct simulation *simulation);

// The seconds that a step stands for; zero where that is not said.
float simulation_step_seconds(const struct simulation *simulation);

// The size of the picture that it draws best; false: it cannot be drawn.
bool simulation_canvas(const struct simulation *simulation, uint32_t *out_width,
                       uint32_t *out_height);

// Draws a world on a canvas.
cosm_result simulation_draw(const struct simulation *simulation, uint32_t world,
                            cosm_canvas *canvas);

// Lists the environments there are, for `cosm list`.
void simulation_list_envs(void);

#endif
