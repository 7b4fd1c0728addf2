/* What is scored and how: the options of every command that scores, and what they open. */
#ifndef SCORING_H
#define SCORING_H

#include "cli/args.h"
#include "fovea/fovea.h"
#include "scoring/geometry.h"
#include "scoring/pairing.h"
#include "cli/rows.h"

/* The first member of the command's values. */
typedef struct Scoring {
    const char *reference, *distorted, *reader, *decoder;
    ArgList metrics, features, models;
    bool allow_hdr;
    const char *align;
    Geometry geometry;
    Pairing pairing;
    bool shortest, ignore_rate, ignore_range, ignore_colour;
    int64_t frames, subsample, skip_reference, skip_distorted;
    bool no_prediction;
} Scoring;

/* Everything for one scoring. */
typedef struct Opened {
    FvSession *session;
    FvSource *source[2]; /* reference, or NULL; distorted */
    FvSourceParams source_params[2];
    FvScoreParams params;
    FvAlignment *alignment;
    const FvCancel *cancel;
} Opened;

extern const char *const scoring_alignments[];

/*
 * Opens the session with its metrics, and the videos. FV_OK, or a status after a message; scoring_close in any case.
 */
FvStatus scoring_open(Opened *opened, const Scoring *scoring, const FvSessionParams *session);

/* Reads both files through before they are read for the scores, if frames pair by content. */
FvStatus scoring_align(Opened *opened, const Scoring *scoring);

void scoring_close(Opened *opened);

/* Rows of an option table. */
#define SCORING_ROWS                                                                                                 \
    {.section = "Videos",                                                                                            \
     ROW_REFERENCE(offsetof(Scoring, reference)),                                                                    \
     .help = "the video as it should look, for the metrics that compare; - is standard input"},                      \
        {ROW_DISTORTED(offsetof(Scoring, distorted)), .help = "the video to score; - is standard input"},            \
        {ROW_READER(offsetof(Scoring, reader))}, {ROW_DECODER(offsetof(Scoring, decoder))},                          \
        {ROW_WIDTH(offsetof(Scoring, geometry.width))}, {ROW_HEIGHT(offsetof(Scoring, geometry.height))},            \
        {ROW_PIXEL_FORMAT(offsetof(Scoring, geometry.pixel_format))},                                                \
        {ROW_BITDEPTH(offsetof(Scoring, geometry.depth))},                                                           \
        {.name = "stream-ref",                                                                                       \
         .kind = ARG_INT,                                                                                            \
         .offset = offsetof(Scoring, pairing.stream[0]),                                                             \
         .value = "N",                                                                                               \
         .minimum = 1,                                                                                               \
         .maximum = 256,                                                                                             \
         .help = "which video stream of the reference, counted from 1, where its container has several"},            \
        {.name = "stream-dis",                                                                                       \
         .kind = ARG_INT,                                                                                            \
         .offset = offsetof(Scoring, pairing.stream[1]),                                                             \
         .value = "N",                                                                                               \
         .minimum = 1,                                                                                               \
         .maximum = 256,                                                                                             \
         .help = "the same of the distorted video"},                                                                 \
        {.name = "range-ref",                                                                                        \
         .kind = ARG_TEXT,                                                                                           \
         .offset = offsetof(Scoring, pairing.range[0]),                                                              \
         .value = "NAME",                                                                                            \
         .choices = pairing_ranges,                                                                                  \
         .help = "what the reference is in truth, limited or full, whatever it says of itself"},                     \
        {.name = "range-dis",                                                                                        \
         .kind = ARG_TEXT,                                                                                           \
         .offset = offsetof(Scoring, pairing.range[1]),                                                              \
         .value = "NAME",                                                                                            \
         .choices = pairing_ranges,                                                                                  \
         .help = "the same of the distorted video"},                                                                 \
        {.name = "matrix-ref",                                                                                       \
         .kind = ARG_TEXT,                                                                                           \
         .offset = offsetof(Scoring, pairing.matrix[0]),                                                             \
         .value = "NAME",                                                                                            \
         .help = "the matrix of the reference in truth: bt709, bt601, bt2020, or a code point of H.273"},            \
        {.name = "matrix-dis",                                                                                       \
         .kind = ARG_TEXT,                                                                                           \
         .offset = offsetof(Scoring, pairing.matrix[1]),                                                             \
         .value = "NAME",                                                                                            \
         .help = "the same of the distorted video"},                                                                 \
        {.name = "transfer-ref",                                                                                     \
         .kind = ARG_TEXT,                                                                                           \
         .offset = offsetof(Scoring, pairing.transfer[0]),                                                           \
         .value = "NAME",                                                                                            \
         .help = "its transfer characteristics: bt709, srgb, pq, hlg, or a code point"},                             \
        {.name = "transfer-dis",                                                                                     \
         .kind = ARG_TEXT,                                                                                           \
         .offset = offsetof(Scoring, pairing.transfer[1]),                                                           \
         .value = "NAME",                                                                                            \
         .help = "the same of the distorted video"},                                                                 \
        {.name = "primaries-ref",                                                                                    \
         .kind = ARG_TEXT,                                                                                           \
         .offset = offsetof(Scoring, pairing.primaries[0]),                                                          \
         .value = "NAME",                                                                                            \
         .help = "its primaries: bt709, bt601, bt2020, or a code point"},                                            \
        {.name = "primaries-dis",                                                                                    \
         .kind = ARG_TEXT,                                                                                           \
         .offset = offsetof(Scoring, pairing.primaries[1]),                                                          \
         .value = "NAME",                                                                                            \
         .help = "the same of the distorted video"},                                                                 \
        {.name = "siting-ref",                                                                                       \
         .kind = ARG_TEXT,                                                                                           \
         .offset = offsetof(Scoring, pairing.siting[0]),                                                             \
         .value = "NAME",                                                                                            \
         .choices = pairing_sitings,                                                                                 \
         .help = "where its chroma samples lie: left, center, topleft, top, bottomleft or bottom"},                  \
        {.name = "siting-dis",                                                                                       \
         .kind = ARG_TEXT,                                                                                           \
         .offset = offsetof(Scoring, pairing.siting[1]),                                                             \
         .value = "NAME",                                                                                            \
         .choices = pairing_sitings,                                                                                 \
         .help = "the same of the distorted video"},                                                                 \
        {.section = "Metrics",                                                                                       \
         .name = "metric",                                                                                           \
         .letter = 'm',                                                                                              \
         .kind = ARG_LIST,                                                                                           \
         .offset = offsetof(Scoring, metrics),                                                                       \
         .value = "NAME[=OPTION=VALUE:...],...",                                                                     \
         .offer = OFFER_METRICS,                                                                                     \
         .help = "what to compute (vmaf,psnr,psnr_hvs); may be repeated. 'fovea metrics' lists all"},                \
        {.name = "feature",                                                                                          \
         .kind = ARG_LIST,                                                                                           \
         .offset = offsetof(Scoring, features),                                                                      \
         .value = "NAME[=OPTION=VALUE:...]",                                                                         \
         .offer = OFFER_METRICS,                                                                                     \
         .help = "the same in libvmaf's spelling, name=psnr:enable_mse=true included; it is not split at commas"},   \
        {.name = "model",                                                                                            \
         .kind = ARG_LIST,                                                                                           \
         .offset = offsetof(Scoring, models),                                                                        \
         .value = "auto|version=NAME|path=FILE[:...]",                                                               \
         .help = "VMAF by this model, in libvmaf's spelling: name=NAME, disable_clip, enable_transform and "         \
                 "METRIC.OPTION=VALUE may follow; may be repeated"},                                                 \
        {.name = "allow-hdr",                                                                                        \
         .kind = ARG_FLAG,                                                                                           \
         .offset = offsetof(Scoring, allow_hdr),                                                                     \
         .help = "score PQ and HLG videos with VMAF models, which are not made for them"},                           \
        {.name = "no-prediction",                                                                                    \
         .letter = 'n',                                                                                              \
         .kind = ARG_FLAG,                                                                                           \
         .offset = offsetof(Scoring, no_prediction),                                                                 \
         .help = "accepted because libvmaf has it; it changes nothing, as only the metrics that are named are "      \
                 "computed"},                                                                                        \
        {.section = "Pairing",                                                                                       \
         .name = "align",                                                                                            \
         .kind = ARG_TEXT,                                                                                           \
         .offset = offsetof(Scoring, align),                                                                         \
         .value = "HOW",                                                                                             \
         .choices = scoring_alignments,                                                                              \
         .help = "which frames belong together: index; time, by presentation time; auto, by one offset found by "    \
                 "content; "                                                                                         \
                 "map, "                                                                                             \
                 "by content with drops and repeats (index)"},                                                       \
        {.name = "shortest",                                                                                         \
         .kind = ARG_FLAG,                                                                                           \
         .offset = offsetof(Scoring, shortest),                                                                      \
         .help = "stop at the end of the shorter video instead of refusing unequal lengths"},                        \
        {.name = "ignore-rate",                                                                                      \
         .kind = ARG_FLAG,                                                                                           \
         .offset = offsetof(Scoring, ignore_rate),                                                                   \
         .help = "pair frame by frame although the frame rates differ"},                                             \
        {.name = "ignore-range",                                                                                     \
         .kind = ARG_FLAG,                                                                                           \
         .offset = offsetof(Scoring, ignore_range),                                                                  \
         .help = "compare the code values although one video says limited and the other full range"},                \
        {.name = "subsample",                                                                                        \
         .kind = ARG_INT,                                                                                            \
         .offset = offsetof(Scoring, subsample),                                                                     \
         .value = "N",                                                                                               \
         .minimum = 1,                                                                                               \
         .maximum = INT32_MAX,                                                                                       \
         .help = "score only every N-th frame"},                                                                     \
        {.name = "frame-cnt",                                                                                        \
         .alias = "frames",                                                                                          \
         .kind = ARG_INT,                                                                                            \
         .offset = offsetof(Scoring, frames),                                                                        \
         .value = "N",                                                                                               \
         .minimum = 0,                                                                                               \
         .maximum = INT64_MAX,                                                                                       \
         .help = "stop after N frames; 0 is all of them (0)"},                                                       \
        {.name = "frame-skip-ref",                                                                                   \
         .kind = ARG_INT,                                                                                            \
         .offset = offsetof(Scoring, skip_reference),                                                                \
         .value = "N",                                                                                               \
         .minimum = 0,                                                                                               \
         .maximum = INT64_MAX,                                                                                       \
         .help = "drop N frames at the start of the reference"},                                                     \
        {.name = "frame-skip-dist",                                                                                  \
         .kind = ARG_INT,                                                                                            \
         .offset = offsetof(Scoring, skip_distorted),                                                                \
         .value = "N",                                                                                               \
         .minimum = 0,                                                                                               \
         .maximum = INT64_MAX,                                                                                       \
         .help = "drop N frames at the start of the distorted video"},                                               \
        {.name = "start",                                                                                            \
         .kind = ARG_TEXT,                                                                                           \
         .offset = offsetof(Scoring, pairing.start),                                                                 \
         .value = "TIME",                                                                                            \
         .help = "begin both videos at that time, in seconds or as [HOURS:]MINUTES:SECONDS; after skipped frames"},  \
        {.name = "duration",                                                                                         \
         .kind = ARG_TEXT,                                                                                           \
         .offset = offsetof(Scoring, pairing.duration),                                                              \
         .value = "TIME",                                                                                            \
         .help = "stop after that time"},                                                                            \
        {.section = "Pictures",                                                                                      \
         .name = "scale",                                                                                            \
         .kind = ARG_TEXT,                                                                                           \
         .offset = offsetof(Scoring, pairing.scale),                                                                 \
         .value = "dis|ref|WxH|display",                                                                             \
         .help = "bring the distorted video to the reference's size (dis), the reference to the other's (ref), or "  \
                 "both to a "                                                                                        \
                 "size, or to that of the reference with square samples (display)"},                                 \
        {.name = "kernel",                                                                                           \
         .kind = ARG_TEXT,                                                                                           \
         .offset = offsetof(Scoring, pairing.kernel),                                                                \
         .value = "NAME",                                                                                            \
         .help = "what scales: bicubic, bicubic:B:C, lanczos, bilinear or spline36 (bicubic:0:0.6)"},                \
        {.name = "crop-ref",                                                                                         \
         .kind = ARG_TEXT,                                                                                           \
         .offset = offsetof(Scoring, pairing.crop[0]),                                                               \
         .value = "W:H:X:Y|auto",                                                                                    \
         .help = "the part of the reference that counts: width, height, column and row; before scaling. auto: what " \
                 "lies within black bars that the whole clip has"},                                                  \
        {.name = "crop-dis",                                                                                         \
         .kind = ARG_TEXT,                                                                                           \
         .offset = offsetof(Scoring, pairing.crop[1]),                                                               \
         .value = "W:H:X:Y|auto",                                                                                    \
         .help = "the same of the distorted video"},                                                                 \
        {.name = "convert",                                                                                          \
         .kind = ARG_LIST,                                                                                           \
         .offset = offsetof(Scoring, pairing.convert),                                                               \
         .value = "WHAT,...",                                                                                        \
         .help = "convert what differs: range and matrix of the distorted video, chroma to the richer format, "      \
                 "depth of full range; rgb: RGB to Y'CbCr 4:4:4"},                                                   \
    {                                                                                                                \
        .name = "ignore-colour", .alias = "ignore-color", .kind = ARG_FLAG,                                          \
        .offset = offsetof(Scoring, ignore_colour),                                                                  \
        .help = "compare the code values although primaries, transfer or matrix differ"                              \
    }

#endif
