/* Options that several commands have: what stands between the braces of a row of their tables. */
#ifndef ROWS_H
#define ROWS_H

#include "args.h"

extern const char *const row_readers[], *const row_decoders[], *const row_isas[], *const row_styles[];

#define ROW_READER(at)                                                                                               \
    .name = "reader", .kind = ARG_TEXT, .offset = (at), .value = "NAME", .choices = row_readers,                     \
    .help =                                                                                                          \
        "auto, y4m, raw, icpf, libav or libav:FORMAT, which names libavformat's demuxer: what opens a video (auto)"
#define ROW_DECODER(at)                                                                                              \
    .name = "decoder", .kind = ARG_TEXT, .offset = (at), .value = "prores=NAME", .choices = row_decoders,            \
    .help = "who decodes ProRes: fovea or libavcodec (prores=fovea)"

#define ROW_WIDTH(at)                                                                                                \
    .name = "width", .letter = 'w', .kind = ARG_INT, .offset = (at), .value = "N", .minimum = 1, .maximum = 32768,   \
    .help = "raw video: luma columns"
#define ROW_HEIGHT(at)                                                                                               \
    .name = "height", .letter = 'h', .kind = ARG_INT, .offset = (at), .value = "N", .minimum = 1, .maximum = 32768,  \
    .help = "raw video: luma rows"
#define ROW_PIXEL_FORMAT(at)                                                                                         \
    .name = "pixel-format", .letter = 'p', .kind = ARG_TEXT, .offset = (at), .value = "NAME",                        \
    .help = "raw video: 400, 420, 422 or 444, or a name such as yuv420p10le, which tells the depth, too"
#define ROW_BITDEPTH(at)                                                                                             \
    .name = "bitdepth", .letter = 'b', .kind = ARG_INT, .offset = (at), .value = "N", .minimum = 8, .maximum = 16,   \
    .help = "raw video: bits per sample; above 8 each sample takes two bytes, low one first. With --reader "         \
            "icpf: 10 or 12"

#define ROW_PROGRESS(at)                                                                                             \
    .name = "progress", .kind = ARG_TEXT, .offset = (at), .value = "STYLE", .choices = row_styles,                   \
    .help = "auto, bar, json or none, on standard error; auto: a bar on a terminal. json makes every line "          \
            "there JSON"
#define ROW_QUIET(at)                                                                                                \
    .name = "quiet", .letter = 'q', .kind = ARG_TEXT, .offset = (at), .fixed = "none", .help = "--progress none"

#define ROW_DEVICE(at)                                                                                               \
    .name = "device", .kind = ARG_TEXT, .offset = (at), .value = "NAME",                                             \
    .help = "auto, cpu or another that 'fovea devices' lists; no choice changes a score"
#define ROW_ISA(at)                                                                                                  \
    .name = "isa", .kind = ARG_TEXT, .offset = (at), .value = "NAME", .choices = row_isas,                           \
    .help = "auto, scalar, sse2, avx2, avx512 or neon: the CPU instructions to use; no choice changes a "            \
            "score"
#define ROW_THREADS(at, most)                                                                                        \
    .name = "threads", .kind = ARG_INT, .offset = (at), .value = "N", .minimum = 0, .maximum = (most),               \
    .help = "0: one for each processor"

#endif
