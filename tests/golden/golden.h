/*
 * Reads golden cases from files of vectors (vectors/README.md). A case has clips, options, and the values that they
 * must give.
 */
#pragma once

#include "clip/synth.h"

/* A clip as a golden case names it. */
typedef struct GoldenClip {
    bool present;
    SynthClip synth; /* the generated clip; its changes also apply to a clip from a file */
    char file[128];  /* name of a file in the folder of test video; empty: the clip is generated */
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

/* Hashes of a map of the first frame and, if there are two hashes, of the last frame. */
typedef struct GoldenMap {
    char name[32];    /* empty: the case has no map */
    int count;        /* number of entries of `hash` */
    uint64_t hash[2]; /* FNV-1a of the samples as bytes, the low byte first, row after row; -0 counts as 0 */
} GoldenMap;

typedef struct GoldenCase {
    char name[96];
    char metric[640];     /* argument of fv_session_add(): "name=option=value:option=value" */
    GoldenClip ref, dis;  /* ref is absent if the case has one clip */
    GoldenValues *frames; /* one entry for each frame of dis */
    GoldenValues clip;    /* values of the whole clip */
    GoldenMap map;
    bool refuse;
    double tolerance; /* relative for values above 1, else absolute; 0: bits must be equal */
} GoldenCase;

typedef struct GoldenFile {
    char metric[32];
    double tolerance;
    GoldenCase *cases;
    int count;
} GoldenFile;

/* Adds the cases of a file. If it cannot be read, returns false and prints a message with the line. */
bool golden_read(GoldenFile *golden, const char *path);
void golden_free(GoldenFile *golden);

/* Returns whether the case, by its metric and number of samples, is too large for the suite `quick`. */
bool golden_slow(const GoldenCase *golden);

/* Returns whether `value` equals the expected one: to the bit, or within the case's tolerance. */
bool golden_equal(const GoldenCase *golden, double expected, double value);

/* Reads the frames of a clip in order. */
typedef struct GoldenReader {
    const GoldenClip *clip;
    FvSource *source;
    int next;
} GoldenReader;

/* Opens a clip. `folder` has the files that cases name. */
FvStatus golden_reader_open(GoldenReader *reader, const GoldenClip *clip, const char *folder, FvError *error);
/* Reads the next frame. The caller owns one reference. */
FvStatus golden_reader_next(GoldenReader *reader, FvFrame **frame, FvError *error);
void golden_reader_close(GoldenReader *reader);
