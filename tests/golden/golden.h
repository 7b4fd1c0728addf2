/*
 * Reads golden cases, which are clips, options and the values that they must give, from files of vectors
 * (vectors/README.md).
 */
#pragma once

#include "clip/synth.h"

/* A clip as a golden case names it. */
typedef struct GoldenClip {
    bool present;
    SynthClip synth; /* its changes are the clip's, whatever the clip is */
    char file[128];  /* in the folder of test video; empty: synth */
    FvFormat raw;    /* format of a headerless file; width 0: the file states its own */
    int frames;
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
    int count;        /* number of entries of `hash` */
    uint64_t hash[2]; /* FNV-1a of its samples as bytes, the low one first, row after row; -0 counts as 0 */
} GoldenMap;

typedef struct GoldenCase {
    char name[96];
    char metric[640];     /* argument of fv_session_add(): "name=option=value:option=value" */
    GoldenClip ref, dis;  /* ref is absent when the case uses one clip */
    GoldenValues *frames; /* one for each frame of dis */
    GoldenValues clip;    /* values of the whole clip */
    GoldenMap map;
    bool refuse;
    double tolerance; /* relative to values above 1, else absolute; 0: equality of bits */
} GoldenCase;

typedef struct GoldenFile {
    char metric[32];
    double tolerance;
    GoldenCase *cases;
    int count;
} GoldenFile;

/* Adds the cases of a file. False with a message on standard error, naming the line, when it cannot be read. */
bool golden_read(GoldenFile *golden, const char *path);
void golden_free(GoldenFile *golden);

/* Whether the case is too large for the suite `quick`, by its metric and its number of samples. */
bool golden_slow(const GoldenCase *golden);

/* Whether `value` is what the case wants: the same bits, but for a tolerance of the case. */
bool golden_equal(const GoldenCase *golden, double expected, double value);

/* The frames of a clip in order. */
typedef struct GoldenReader {
    const GoldenClip *clip;
    FvSource *source;
    int next;
} GoldenReader;

/* `folder` holds the files that cases name. */
FvStatus golden_reader_open(GoldenReader *reader, const GoldenClip *clip, const char *folder, FvError *error);
/* Reads the next frame. The caller owns one reference. */
FvStatus golden_reader_next(GoldenReader *reader, FvFrame **frame, FvError *error);
void golden_reader_close(GoldenReader *reader);
