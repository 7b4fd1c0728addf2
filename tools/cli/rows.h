/* Options that several commands have: what stands between the braces of a row of their tables. */
#ifndef ROWS_H
#define ROWS_H

#include "cli/args.h"

extern const char *const row_readers[], *const row_decoders[], *const row_isas[], *const row_styles[];

/* Their help follows. */
#define ROW_REFERENCE(at)                                                                                            \
    .name = "reference", .letter = 'r', .kind = ARG_TEXT, .offset = (at), .value = "FILE", .offer = OFFER_FILES
#define ROW_DISTORTED(at)                                                                                            \
    .name = "distorted", .letter = 'd', .kind = ARG_TEXT, .offset = (at), .value = "FILE", .offer = OFFER_FILES

#define ROW_PLAN(at)                                                                                                 \
    .name = "plan", .kind = ARG_TEXT, .offset = (at), .value = "FILE", .offer = OFFER_FILES,                         \
    .help = "what 'fovea plan' wrote (plan.json)"

#define ROW_READER(at)                                                                                               \
    .name = "reader", .kind = ARG_TEXT, .offset = (at), .value = "NAME", .choices = row_readers,                     \
    .help = "what opens a video: auto, y4m, raw, icpf, libav, or libav:FORMAT to name libavformat's demuxer (auto)"
#define ROW_DECODER(at)                                                                                              \
    .name = "decoder", .kind = ARG_TEXT, .offset = (at), .value = "prores=NAME", .choices = row_decoders,            \
    .help = "the decoder for ProRes: fovea or libavcodec (prores=fovea)"

#define ROW_WIDTH(at)                                                                                                \
    .name = "width", .letter = 'w', .kind = ARG_INT, .offset = (at), .value = "N", .minimum = 1, .maximum = 32768,   \
    .help = "raw video: luma columns"
#define ROW_HEIGHT(at)                                                                                               \
    .name = "height", .letter = 'h', .kind = ARG_INT, .offset = (at), .value = "N", .minimum = 1, .maximum = 32768,  \
    .help = "raw video: luma rows"
#define ROW_PIXEL_FORMAT(at)                                                                                         \
    .name = "pixel-format", .letter = 'p', .kind = ARG_TEXT, .offset = (at), .value = "NAME",                        \
    .help = "raw video: 400, 420, 422 or 444, or a name such as yuv420p10le, nv12, p010, uyvy422, "                  \
            "which also tells the depth"
#define ROW_BITDEPTH(at)                                                                                             \
    .name = "bitdepth", .letter = 'b', .kind = ARG_INT, .offset = (at), .value = "N", .minimum = 8, .maximum = 16,   \
    .help = "raw video: bits per sample; above 8 each sample takes two bytes, the low one first. With "              \
            "--reader icpf: 10 or 12"

#define ROW_PROGRESS(at)                                                                                             \
    .name = "progress", .kind = ARG_TEXT, .offset = (at), .value = "STYLE", .choices = row_styles,                   \
    .help = "what standard error shows: auto, bar, json or none. auto is a bar on a terminal; json makes every "     \
            "line a JSON object"
#define ROW_QUIET(at)                                                                                                \
    .name = "quiet", .letter = 'q', .kind = ARG_TEXT, .offset = (at), .fixed = "none", .help = "--progress none"

#define ROW_DEVICE(at)                                                                                               \
    .name = "device", .kind = ARG_TEXT, .offset = (at), .value = "NAME",                                             \
    .help = "what computes: auto, cpu, or another that 'fovea devices' lists; no choice changes a score"
#define ROW_ISA(at)                                                                                                  \
    .name = "isa", .kind = ARG_TEXT, .offset = (at), .value = "NAME", .choices = row_isas,                           \
    .help = "the CPU instructions to use: auto, scalar, sse2, avx2, avx512 or neon; no choice changes a score"
#define ROW_THREADS(at, most)                                                                                        \
    .name = "threads", .kind = ARG_INT, .offset = (at), .value = "N", .minimum = 0, .maximum = (most),               \
    .help = "threads to use; 0 is one for each processor (0)"

#define ROW_IN_FLIGHT(at)                                                                                            \
    .name = "in-flight", .kind = ARG_INT, .offset = (at), .value = "N", .minimum = 0, .maximum = 1024,               \
    .help = "frame pairs in flight at once, which bounds the memory; 0 chooses it from the threads (0)"

#endif
