// math_NAME: functions of cosm/math.h, value by value and for whole arrays.
#include "rows.h"
#include "waves.h"

#include <cosm/math.h>

WAVES_EACH(math_sin_cosm, w->out[i] = cosm_math_sin(w->x[i]));
WAVES_EACH(math_cos_cosm, w->out[i] = cosm_math_cos(w->x[i]));
WAVES_EACH(math_sin_cos_cosm, cosm_math_sin_cos(w->x[i], &w->out[i], &w->out_2[i]));
WAVES_EACH(math_tan_cosm, w->out[i] = cosm_math_tan(w->x[i]));
WAVES_EACH(math_atan2_cosm, w->out[i] = cosm_math_atan2(w->y[i], w->x[i]));
WAVES_EACH(math_exp_cosm, w->out[i] = cosm_math_exp(w->x[i]));
WAVES_EACH(math_log_cosm, w->out[i] = cosm_math_log(w->size[i]));
WAVES_EACH(math_pow_cosm, w->out[i] = cosm_math_pow(w->size[i], w->x[i]));

WAVES_SIDE(math_sin_many_cosm, cosm_math_sin_many(w->x, w->out, w->n));
WAVES_SIDE(math_cos_many_cosm, cosm_math_cos_many(w->x, w->out, w->n));
WAVES_SIDE(math_sin_cos_many_cosm, cosm_math_sin_cos_many(w->x, w->out, w->out_2, w->n));
WAVES_SIDE(math_atan2_many_cosm, cosm_math_atan2_many(w->y, w->x, w->out, w->n));
WAVES_SIDE(math_exp_many_cosm, cosm_math_exp_many(w->x, w->out, w->n));
WAVES_SIDE(math_log_many_cosm, cosm_math_log_many(w->size, w->out, w->n));
