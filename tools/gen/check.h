// Checks of the model as a whole: names that would meet, padding that would not fit.
#ifndef COSM_GEN_CHECK_H
#define COSM_GEN_CHECK_H

#include "model.h"

// Reports what is wrong. `function`: the name of the register-all function.
void check_model(struct report *report, const struct model *model, const char *function,
                 bool is_module);

#endif
