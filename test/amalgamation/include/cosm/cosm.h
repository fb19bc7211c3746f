// A library of two calls, whose sources have as many names in common as they can.
#ifndef COSM_COSM_H
#define COSM_COSM_H

#ifndef COSM_API
#define COSM_API
#endif

COSM_API int cosm_first(void);
COSM_API int cosm_second(void);

#endif
