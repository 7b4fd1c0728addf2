/*
 * Reads any bytes as a file through libavformat, with one thread and for some inputs also with two, which must give
 * the same frames and the same error. The result must be frames, the end, or a refusal of the file.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MOST_FRAMES 12
#define MOST_SAMPLES (1 << 20) /* larger pictures only cost time */
#define MOST_BYTES (64 << 10)
#define THREADS_EVERY 16 /* one input of this many is also read with two threads */

typedef struct Result {
    FvStatus status;
    int frames;
    uint64_t hash;
    char message[1024];
} Result;

static void require(bool good, const char *what, const char *detail)
{
    if (!good) {
        fprintf(stderr, "%s: %s\n", what, detail);
        abort();
    }
}

static uint64_t hash_frame(const FvFrame *frame, uint64_t hash)
{
    for (int plane = 0; plane < fv_format_planes(&frame->format); plane++) {
        int width, height;
        fv_format_plane_size(&frame->format, plane, &width, &height);
        for (int y = 0; y < height; y++) {
            const uint8_t *row = frame->data[plane] + y * frame->stride[plane];
            for (int x = 0; x < width; x++) {
                const unsigned value = frame->format.depth > 8 ? ((const uint16_t *)row)[x] : row[x];
                require(value >> frame->format.depth == 0, "a sample exceeds its depth", "");
                hash = (hash ^ value) * 0x100000001b3u;
            }
        }
    }
    return hash;
}

static Result read_all(const char *path, int threads)
{
    Result result = {.hash = 0xcbf29ce484222325u};
    FvError error = {0};
    FvSource *source;
    FvFrame *frame;
    result.status =
        fv_source_open(&source, &(FvSourceParams){.path = path, .reader = "libav", .threads = threads}, &error);
    if (source) {
        const FvFormat *format = &fv_source_info(source)->format;
        if ((int64_t)format->width * format->height > MOST_SAMPLES)
            result.frames = MOST_FRAMES;
    }
    while (!result.status && result.frames < MOST_FRAMES &&
           !(result.status = fv_source_read(source, &frame, &error))) {
        result.hash = hash_frame(frame, result.hash);
        result.frames++;
        fv_frame_unref(&frame);
    }
    fv_source_close(&source);
    memcpy(result.message, error.message, sizeof result.message);
    require(!result.status || result.status == FV_END || result.status == FV_ERROR_INPUT, "another status",
            error.message);
    require(result.status != FV_ERROR_INPUT || *error.message, "an error without a message", "");
    return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static int file = -1;
    char path[64];
    if (!size || size > MOST_BYTES)
        return 0;
    if (file < 0)
        file = memfd_create("fuzz", 0);
    require(file >= 0 && pwrite(file, bytes, size, 0) == (ssize_t)size && !ftruncate(file, (off_t)size), "no file",
            "");
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    const Result one = read_all(path, 1);
    unsigned sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += bytes[i];
    if (sum % THREADS_EVERY == 0) {
        const Result two = read_all(path, 2);
        require(one.status == two.status && one.frames == two.frames && one.hash == two.hash,
                "threads see other frames", two.message);
    }
    return 0;
}
