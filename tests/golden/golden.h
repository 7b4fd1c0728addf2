/* Golden cases: inputs, options and the values they must give. golden/import.py explains the file format. */
#pragma once

#include "clip/synth.h"

/* A clip as a golden case names it. */
typedef struct GoldenClip {
    bool present;
    SynthClip synth;
    char file[128];   /* in the folder of test video; empty: synth */
    FvFormat raw;     /* of a headerless file; width 0: the file says it itself */
    int skip;         /* frames dropped at the start */
    bool hold;        /* every frame is the first one */
    SynthClip chroma; /* whose Cb and Cr it has; width 0: its own */
    int quant;        /* every sample of 8 bits becomes the nearest multiple of this; 0: stays */
    int fill[3];      /* every sample of the plane, or -1 */
} GoldenClip;

typedef struct GoldenValue {
    char output[96];
    double value;
} GoldenValue;

typedef struct GoldenValues {
    GoldenValue *value;
    int count;
} GoldenValues;

/* A map of the first frame and, where there are two hashes, of the last. */
typedef struct GoldenMap {
    char name[32];    /* empty: none */
    int count;        /* of hashes */
    uint64_t hash[2]; /* FNV-1a of its samples as bytes, the low one first, row after row; -0 counts as 0 */
} GoldenMap;

typedef struct GoldenCase {
    char name[96];
    char metric[640];     /* as fv_session_add takes it: "name=option=value:option=value" */
    GoldenClip ref, dis;  /* ref is absent when the case uses one clip */
    GoldenValues *frames; /* frame_count of them */
    int frame_count;
    GoldenValues clip; /* sequence values */
    GoldenMap map;
    bool slow, reject;
    double tolerance; /* relative; 0: equality of bits */
} GoldenCase;

typedef struct GoldenFile {
    GoldenCase *cases;
    int count;
} GoldenFile;

/* False with a message on standard error, naming the line, when the file cannot be read. */
bool golden_read(GoldenFile *golden, const char *path);
void golden_free(GoldenFile *golden);

/* Whether `value` is what the case wants: the same bits, but for a tolerance of the case. */
bool golden_equal(const GoldenCase *golden, double expected, double value);

/* The frames of a clip in order. */
typedef struct GoldenReader {
    const GoldenClip *clip;
    FvSource *source;
    FvFrame *first; /* of a held clip */
    int next;
} GoldenReader;

/* `folder` holds the files that cases name. */
FvStatus golden_reader_open(GoldenReader *reader, const GoldenClip *clip, const char *folder, FvError *error);
/* The next frame; the caller owns one reference. */
FvStatus golden_reader_next(GoldenReader *reader, FvFrame **frame, FvError *error);
void golden_reader_close(GoldenReader *reader);
