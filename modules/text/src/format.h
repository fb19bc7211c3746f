// What writers and readers of JSON agree on.
#ifndef COSM_TEXT_FORMAT_H
#define COSM_TEXT_FORMAT_H

// The member "cosm" of a world: goes up when older readers would misread what is written.
#define JSON_FORMAT 1u

#endif
