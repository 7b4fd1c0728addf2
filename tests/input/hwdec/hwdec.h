/*
 * Fake hardware decoders, and reading with and without them. libavcodec on the CPU stands in for each decoder.
 * Frames, times, errors and the decoder's description equal those of reading without hardware decoders.
 */
#pragma once

#include <libavcodec/avcodec.h>

#include "clip.h"
#include "input/hwdec/decoder.h"
#include "input/source.h"
#include "video.h"

#define FRAMES 61
#define MOST 128

/* Faults of all fake decoders together, and counts of what they did. */
typedef struct Faults {
    bool open;   /* no decoder can be opened */
    int only;    /* decoders from this number on cannot be opened; 0: all can */
    int late;    /* only the first decoder works until this number of pictures was copied; 0: all work at once */
    int picture; /* number of the picture, from 1 over all decoders, that cannot be copied; 0: none */
    bool loses;  /* several decoders lose frames that no other frame refers to */
    bool memory; /* memory for frames cannot be allocated */
    int opened, taken;
} Faults;
extern Faults fault;

extern bool chosen_alone; /* `auto` chose the device, and the caller did not */
extern bool full;         /* every codec and fault is tested */

/* The output of a source. */
typedef struct Given {
    uint64_t hash[MOST];
    int64_t time[MOST];
    int count;
    FvStatus status; /* FV_END, or the failure that ended reading */
    FvError error;
    char decoder[256];
} Given;

typedef struct Coding {
    const char *encoder, *options, *name;
    int depth;
    int decoders; /* number of decoders opened when four are allowed; 0: not checked */
    bool quick;
} Coding;

#define CODINGS 9
extern const Coding codings[CODINGS];

extern const FvHwdecOps fake_decoder;
FvStatus make_frame(void *opaque, FvFrame **frame, const FvFormat *format, FvMemory memory, FvError *error);
/* Returns the memory for which make_frame() made a frame. */
FvMemory memory_of(const FvFrame *frame);

uint64_t hash_frame(const FvFrame *frame);

/* Opens a video. decoders: number of hardware decoders; 0: CPU only; -1: CPU only, although opened for a GPU. */
FvSource *open_source(const char *path, int decoders, size_t room);

/* Gives a source that was not read yet fake hardware decoders; two put frames into a device's memory. */
void use_fakes(FvSource *source, int decoders, size_t room);

/* Reads the source to its end and closes it. */
void read_source(Given *given, FvSource **source);

void read_all(Given *given, const char *path, int decoders, size_t room);
void assert_same(const Given *a, const Given *b);
bool contains(const char *text, const char *part);

/* Writes a video of which each frame refers to others; NULL: libav lacks the encoder. */
const char *write_video(const char *name, const char *encoder, const char *options, int depth);

/* The tests. */
void parts_of_videos(void **state);
void entering(void **state);
void looked_at(void **state);
void no_times(void **state);
void on_cuda(void **state);
void vp9_on_auto(void **state);
void film_grain(void **state);
void what_is_tried(void **state);
void failures(void **state);
void some_decoders(void **state);
void damage(void **state);
void leaving(void **state);
void ending(void **state);
void shown_of_vp9(void **state);
