// Defaults and ranges at the ends of their types.
#include <cosm/mark.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
typedef struct COSM_COMPONENT() Ends {
    int8_t a COSM_FIELD(default = INT8_MIN);
    int16_t b COSM_FIELD(default = INT16_MIN);
    int32_t c COSM_FIELD(default = INT32_MIN, min = INT32_MIN, max = INT32_MAX);
    int64_t d COSM_FIELD(default = INT64_MIN);
    uint8_t e COSM_FIELD(default = UINT8_MAX, min = 1);
    uint16_t f COSM_FIELD(default = UINT16_MAX);
    uint32_t g COSM_FIELD(default = UINT32_MAX);
    uint64_t h COSM_FIELD(default = UINT64_MAX, max = UINT64_MAX);
    float i COSM_FIELD(default = FLT_MAX, max = FLT_MAX);
    float j COSM_FIELD(default = 1.4e-45f);
    double k COSM_FIELD(default = DBL_MIN);
    double l COSM_FIELD(default = 4.9406564584124654e-324);
    double m COSM_FIELD(default = -INFINITY, min = -INFINITY);
    float n COSM_FIELD(default = NAN);
    float o COSM_FIELD(default = -0.0f);
    double p COSM_FIELD(default = 0.1, min = -1.0 / 3, max = 1.0 / 3);
    bool q COSM_FIELD(default = true);
    bool r[3] COSM_FIELD(default = {false, true});
    uint32_t s COSM_FIELD(default = -1);
    float t COSM_FIELD(default = 1e30);
} Ends;
