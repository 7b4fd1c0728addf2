/* Makes small random clips in memory and in files, for the tests of the readers. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "fovea/fovea.h"

/* One frame after the other, planes without gaps, samples as raw files have them. */
typedef struct Clip {
    FvFormat format;
    int frames;
    size_t frame_bytes;
    uint8_t *bytes;
} Clip;

/* Random samples that use every code value of the depth. */
Clip clip_make(int width, int height, FvChroma chroma, int depth, int frames);
void clip_free(Clip *clip);

/* Byte where a sample of the clip begins. */
size_t clip_offset(const Clip *clip, int frame, int plane, int x, int y);

/* A directory of this test run, made and removed by two functions for cmocka, and the path of a file in it (static
 * memory, 8 in turn). */
int scratch_open(void **state);
int scratch_close(void **state);
const char *scratch_path(const char *name);

void write_file(const char *path, const void *bytes, size_t size);

/* A Y4M file with this header line and frame line (without their ends). */
void write_y4m(const char *path, const Clip *clip, const char *header, const char *frame_line);

/* The header line with size and chroma of the clip, followed by `more`. Static memory. */
const char *y4m_header(const Clip *clip, const char *more);

/* Reads the source to its end and fails the test unless it gives exactly the clip. */
void assert_reads(FvSource *source, const Clip *clip);

/* Fails the test unless opening fails with this status and a message that contains every text. NULL ends the list. */
void assert_open_fails(const FvSourceParams *params, FvStatus status, ...);

/* Fails the test unless the source opens, returns `frames` frames, and the next two reads fail with this status and
 * a message that contains every text. NULL ends the list. */
void assert_read_fails(const FvSourceParams *params, int frames, FvStatus status, ...);
