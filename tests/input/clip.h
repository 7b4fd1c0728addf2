/* Makes small random clips in memory and in files, for the tests of the readers. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "fovea/fovea.h"

/* The frames of a clip one after the other: planes without gaps, and samples in the layout of raw files. */
typedef struct Clip {
    FvFormat format;
    int frames;
    size_t frame_bytes;
    uint8_t *bytes;
} Clip;

/* Random samples that use every code value of the depth. */
Clip clip_make(int width, int height, FvChroma chroma, int depth, int frames);
void clip_free(Clip *clip);

/* Returns the index of the byte at which a sample of the clip begins. */
size_t clip_offset(const Clip *clip, int frame, int plane, int x, int y);

/* Create and remove the directory of this test run (a setup and a teardown of cmocka), and return the path of a file
 * in it. The path is static memory, of which eight are used in turn. */
int scratch_open(void **state);
int scratch_close(void **state);
const char *scratch_path(const char *name);

void write_file(const char *path, const void *bytes, size_t size);

/* Writes a Y4M file with this header line and frame line, both given without their line ends. */
void write_y4m(const char *path, const Clip *clip, const char *header, const char *frame_line);

/* Returns a header line with the clip's size and chroma, followed by `more`, in static memory. */
const char *y4m_header(const Clip *clip, const char *more);

/* Reads the source to its end and fails the test unless the frames equal the clip. */
void assert_reads(FvSource *source, const Clip *clip);

/* Fails the test unless opening fails with this status and a message that contains every text. NULL ends the list. */
void assert_open_fails(const FvSourceParams *params, FvStatus status, ...);

/* Fails the test unless the source opens, returns `frames` frames, and the next two reads fail with this status and
 * a message that contains every text. NULL ends the list. */
void assert_read_fails(const FvSourceParams *params, int frames, FvStatus status, ...);
