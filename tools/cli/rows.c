#include "cli/rows.h"

const char *const row_readers[] = {"auto", "y4m", "raw", "icpf", "libav", "libav:FORMAT", NULL};
const char *const row_decoders[] = {"prores=fovea", "prores=libavcodec", NULL};
const char *const row_isas[] = {"auto", "scalar", "sse2", "avx2", "avx512", "neon", NULL};
const char *const row_styles[] = {"auto", "bar", "json", "none", NULL};
