// math_NAME: the functions of the C library, a call for each value.
#include "rows.h"
#include "waves.h"

WAVES_EACH(math_sin_limit, w->out[i] = sinf(w->x[i]));
WAVES_EACH(math_cos_limit, w->out[i] = cosf(w->x[i]));
// gcc makes one call of sincosf of these two.
WAVES_EACH(math_sin_cos_limit, w->out[i] = sinf(w->x[i]); w->out_2[i] = cosf(w->x[i]));
WAVES_EACH(math_tan_limit, w->out[i] = tanf(w->x[i]));
WAVES_EACH(math_atan2_limit, w->out[i] = atan2f(w->y[i], w->x[i]));
WAVES_EACH(math_exp_limit, w->out[i] = expf(w->x[i]));
WAVES_EACH(math_log_limit, w->out[i] = logf(w->size[i]));
WAVES_EACH(math_pow_limit, w->out[i] = powf(w->size[i], w->x[i]));
