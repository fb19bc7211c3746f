// The solver for any machine, and the choice between it and that of solve_avx2.c.
#define SOLVER cosmi_physics_solver_plain
#include "solve_wide.h"

const struct solver *cosmi_physics_solver(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") ? &cosmi_physics_solver_avx2
                                          : &cosmi_physics_solver_plain;
#else
    return &cosmi_physics_solver_plain;
#endif
}
