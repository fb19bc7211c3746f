// What code fragments in the manual may take for granted.
//
// A fragment is compiled after this file, so that pages can speak of "engine" or "Position"
// without saying where they come from each time.
#include <cosm/cosm.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
