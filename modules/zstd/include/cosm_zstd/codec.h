// A codec for save files: compresses blocks with zstd, and first groups the bytes of numbers by
// significance where that helps.
//
//     cosm_save_desc save = {.codec = cosm_zstd_codec()};
//     cosm_load_desc load = {.codecs = cosm_zstd_codec(), .codec_count = 1};
//
// Every level reads what any other level wrote. One version of zstd always compresses the same
// bytes to the same bytes.
#ifndef COSM_ZSTD_CODEC_H
#define COSM_ZSTD_CODEC_H

#include <cosm/save.h>

COSM_BEGIN_C

#define COSM_ZSTD_LEVEL_DEFAULT 3
#define COSM_ZSTD_LEVEL_MAX 19 // higher levels need much memory

// The codec at its default level. It is static; any number of threads may use it at once. It
// allocates from the C library.
const cosm_codec *cosm_zstd_codec(void);

// The same at a level from 1, the fastest, to COSM_ZSTD_LEVEL_MAX, the smallest output. NULL,
// reported, for any other level.
const cosm_codec *cosm_zstd_codec_at(int level);

COSM_END_C

#endif
