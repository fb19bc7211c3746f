// The vector code for machines with AVX2: the same source and the same bits, twice as fast.
#if defined(__x86_64__)
#define SOLVER cosmi_physics_solver_avx2
#define CAST cosmi_physics_cast_avx2
#include "cast_wide.h"
#include "solve_wide.h"
#else
typedef int wide_avx2_is_empty;
#endif
