// The solver for machines with AVX2: the same source and the same bits, four times as fast.
#if defined(__x86_64__)
#define SOLVER cosmi_physics_solver_avx2
#include "solve_wide.h"
#else
typedef int solve_avx2_is_empty;
#endif
