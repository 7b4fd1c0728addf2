/*
 * Reads any bytes as a video from a file and, for some inputs, also through a pipe. Both must give the same frames
 * and the same end. A failure must have a message, and no sample may exceed its depth.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

#define MOST_FRAMES 64
#define MOST_SAMPLES                                                                                                 \
    (16 << 20) /* maximum samples of a frame from a pipe, where a header can announce gigabytes that never come */
#define PIPE_BYTES 65536 /* bytes that a pipe accepts without a reader */
#define PIPE_EVERY 8     /* one input of this many is also read through a pipe, which is slower */

typedef struct Result {
    FvStatus status;
    int frames;
    uint64_t hash;
    int too_large;
} Result;

static void require(int condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

static uint64_t hash_frame(const FvFrame *frame, uint64_t hash)
{
    for (int plane = 0; plane < fv_format_planes(&frame->format); plane++) {
        int width, height, bytes = fv_format_sample_bytes(&frame->format);
        fv_format_plane_size(&frame->format, plane, &width, &height);
        for (int y = 0; y < height; y++) {
            const uint8_t *row = frame->data[plane] + y * frame->stride[plane];
            for (int x = 0; x < width; x++) {
                unsigned value = bytes == 2 ? ((const uint16_t *)row)[x] : row[x];
                require(value >> frame->format.depth == 0, "a sample exceeds its depth");
                hash = (hash ^ value) * 0x100000001b3u;
            }
        }
    }
    return hash;
}

static Result read_all(const FvSourceParams *params, int64_t most_samples)
{
    FvError error = {0};
    FvSource *source;
    FvFrame *frame;
    Result result = {.hash = 0xcbf29ce484222325u};
    result.status = fv_source_open(&source, params, &error);
    require(!result.status == (source != NULL), "status and source disagree");
    if (source) {
        const FvFormat *format = &fv_source_info(source)->format;
        result.too_large = (int64_t)format->width * format->height > most_samples;
    }
    while (!result.status && !result.too_large && result.frames < MOST_FRAMES &&
           !(result.status = fv_source_read(source, &frame, &error))) {
        result.hash = hash_frame(frame, result.hash);
        result.frames++;
        fv_frame_unref(&frame);
    }
    if (result.status && result.status != FV_END)
        require(error.status == result.status && *error.message, "an error without a message");
    fv_source_close(&source);
    return result;
}

static Result read_descriptor(int fd, FvSourceParams params, int64_t most_samples)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    params.path = path;
    return read_all(&params, most_samples);
}

/* Reads the bytes from a file in memory. All calls share the file, since making one takes longer than reading it. */
static Result read_file(const uint8_t *bytes, size_t size, FvSourceParams params)
{
    static int file = -1;
    if (file < 0)
        file = memfd_create("fuzz", 0);
    require(file >= 0 && pwrite(file, bytes, size, 0) == (ssize_t)size && !ftruncate(file, (off_t)size),
            "no memory file");
    return read_descriptor(file, params, INT64_MAX);
}

static Result read_pipe(const uint8_t *bytes, size_t size, FvSourceParams params)
{
    int ends[2];
    require(!pipe(ends) && write(ends[1], bytes, size) == (ssize_t)size, "no pipe");
    close(ends[1]);
    /* The source has opened the pipe a second time, so this end can be closed. */
    Result result = read_descriptor(ends[0], params, MOST_SAMPLES);
    close(ends[0]);
    return result;
}

/* Returns a hash of the bytes, so that the same input always makes the same choice. */
static unsigned choose(const uint8_t *bytes, size_t size)
{
    uint32_t hash = 0x811c9dc5u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 0x01000193u;
    return hash >> 16;
}

void fuzz_source(const uint8_t *bytes, size_t size, FvSourceParams params)
{
    Result from_file = read_file(bytes, size, params);
    if (!size || size > PIPE_BYTES || choose(bytes, size) % PIPE_EVERY)
        return;
    Result from_pipe = read_pipe(bytes, size, params);
    if (from_pipe.too_large || (from_file.status && from_file.status != FV_END))
        return; /* some errors are known from a file's size before a frame is read */
    require(from_pipe.status == from_file.status && from_pipe.frames == from_file.frames, "a pipe has other frames");
    require(from_pipe.hash == from_file.hash, "a pipe gives other samples");
}
