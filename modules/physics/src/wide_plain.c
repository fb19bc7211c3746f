// The vector code for any machine, and the choice between this solver and that of wide_avx2.c.
#define SOLVER cosmi_physics_solver_plain
#define CAST cosmi_physics_cast_plain
#include "cast_wide.h"
#include "solve_wide.h"

const struct solver *cosmi_physics_solver(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") ? &cosmi_physics_solver_avx2
                                          : &cosmi_physics_solver_plain;
#else
    return &cosmi_physics_solver_plain;
#endif
}
