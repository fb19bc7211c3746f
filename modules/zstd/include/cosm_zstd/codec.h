// A codec for save files: blocks are packed by zstd, with the bytes of numbers sorted by their place
// first where that helps.
//
//     cosm_save_desc save = {.codec = cosm_zstd_codec()};
//     cosm_load_desc load = {.codecs = cosm_zstd_codec(), .codec_count = 1};
//
// All levels write what every other one reads. The same bytes are always packed to the same bytes,
// by one version of zstd.
#ifndef COSM_ZSTD_CODEC_H
#define COSM_ZSTD_CODEC_H

#include <cosm/save.h>

COSM_BEGIN_C

#define COSM_ZSTD_LEVEL_DEFAULT 3
#define COSM_ZSTD_LEVEL_MAX 19 // those above take much memory

// The codec at its default level. It lives as long as the program, and any number of threads may use
// it at once. Its memory is the C library's.
const cosm_codec *cosm_zstd_codec(void);

// The same at a level from 1, which is the fastest, to COSM_ZSTD_LEVEL_MAX, which packs best. NULL,
// with a message, for any other.
const cosm_codec *cosm_zstd_codec_at(int level);

COSM_END_C

#endif
