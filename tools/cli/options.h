/* Everything that the commands can be told, in one table that says which command takes which option. */
#pragma once

#include "cli/args.h"
#include "fovea/frame.h"

enum {
    FOR_SCORE = 1 << 0,
    FOR_VIEW = 1 << 1,
    FOR_PLAN = 1 << 2,
    FOR_MAP = 1 << 3,
    FOR_RUN = 1 << 4,
    FOR_MERGE = 1 << 5,
    FOR_DECODE = 1 << 6,
    FOR_DEMO = 1 << 7,
    FOR_METRICS = 1 << 8,
    FOR_DEVICES = 1 << 9,
    FOR_REPORT = 1 << 10,
    FOR_CHECK = 1 << 24, /* and what FOR_SCORE has */
};

/* The values of these commands. NULL, 0 and false: not given. Pairs hold the reference's, then the distorted video's.
 */
typedef struct Options {
    const char *reference, *distorted;
    bool draws_ycbcr; /* of the command itself: RGB that stays is converted for it, too */
    ArgList encodes;  /* of score and view, in place of `distorted` */
    const char *reader, *reader_of[2], *decoder, *pixel_format;
    int64_t width, height, depth, stream[2];
    const char *range[2], *matrix[2], *transfer[2], *primaries[2], *siting[2];
    ArgList metrics, models;
    bool allow_hdr;
    const char *roi;
    ArgList maps, map_frames;
    const char *maximum;
    int64_t worst;
    const char *align, *start, *duration;
    bool shortest, ignore_rate, ignore_range, ignore_colour, ignore_fields, fields;
    const char *fields_of[2];
    int64_t subsample, frames, skip[2];
    const char *scale, *kernel, *crop[2];
    bool pad, stretch;
    const char *rotate, *rotation[2], *film_grain, *film_grain_of[2];
    ArgList convert;
    const char *background;
    int64_t shards, frames_per_shard;
    const char *plan, *shard;
    bool ignore_modified, allow_missing;
    ArgList outputs; /* reports */
    const char *batch, *output, *format, *intervals, *progress;
    ArgList fail_below, fail_above, print;
    ArgList only, skip_checks, expect; /* names of checks */
    const char *fail_on;
    bool list;
    bool json, md5, details, strict, scenes, resume, pace, verify, speeds, forget, overwrite;
    int64_t port;
    const char *listen, *show, *map_device;
    const char *device, *isa;
    int64_t threads, in_flight;
} Options;

extern const ArgOption options_table[];

/* The members of a Command that takes them: `command` is one of FOR_SCORE... */
#define OPTIONS_OF(command) .options = options_table, .taken_by = (command), .values_size = sizeof(Options)

/* In the order of FvAlignMode. */
extern const char *const options_alignments[];

/* Of --format. */
extern const char *const options_formats[];

/* Threads for one source, which takes no more than 256. */
int options_source_threads(const Options *options);

/* Rows that the tables of other programs share; their help follows. */
#define ROW_REFERENCE(at) TEXT("reference", at, "FILE"), .letter = 'r', .offer = OFFER_FILES, .positional = true
#define ROW_DISTORTED(at) TEXT("distorted", at, "FILE"), .letter = 'd', .offer = OFFER_FILES, .positional = true
#define ROW_WIDTH(at) NUMBER("width", at, 1, FV_MAX_SIDE), .letter = 'w', .help = "raw video: luma columns"
#define ROW_HEIGHT(at) NUMBER("height", at, 1, FV_MAX_SIDE), .letter = 'h', .help = "raw video: luma rows"
