#include "clip.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input/planes.h"
#include "picture/frame.h"

static char scratch[256];

static uint32_t next_random(void)
{
    static uint64_t state = 0x9e3779b97f4a7c15u;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 32);
}

Clip clip_make(int width, int height, FvChroma chroma, int depth, int frames)
{
    Clip clip = {.format = {.width = width, .height = height, .chroma = chroma, .depth = depth}, .frames = frames};
    clip.frame_bytes = (size_t)fv_planes_bytes(&clip.format);
    clip.bytes = malloc(clip.frame_bytes * frames);
    assert_non_null(clip.bytes);
    int bytes = fv_format_sample_bytes(&clip.format);
    for (size_t i = 0; i < clip.frame_bytes * frames; i += bytes) {
        uint32_t value = next_random() >> (32 - depth);
        clip.bytes[i] = (uint8_t)value;
        if (bytes == 2)
            clip.bytes[i + 1] = (uint8_t)(value >> 8);
    }
    return clip;
}

void clip_free(Clip *clip)
{
    free(clip->bytes);
}

size_t clip_offset(const Clip *clip, int frame, int plane, int x, int y)
{
    size_t offset = clip->frame_bytes * frame;
    int width, height, bytes = fv_format_sample_bytes(&clip->format);
    for (int before = 0; before < plane; before++) {
        fv_format_plane_size(&clip->format, before, &width, &height);
        offset += (size_t)width * height * bytes;
    }
    fv_format_plane_size(&clip->format, plane, &width, &height);
    return offset + ((size_t)y * width + x) * bytes;
}

int scratch_open(void **state)
{
    const char *folder = getenv("TMPDIR");
    snprintf(scratch, sizeof scratch, "%s/fovea-input-XXXXXX", folder ? folder : P_tmpdir);
    if (!mkdtemp(scratch)) {
        perror(scratch);
        exit(1);
    }
    return 0;
}

int scratch_close(void **state)
{
    char command[320];
    snprintf(command, sizeof command, "rm -rf '%s'", scratch);
    if (system(command))
        fprintf(stderr, "%s could not be removed\n", scratch);
    return 0;
}

const char *scratch_path(const char *name)
{
    static char paths[8][512];
    static int turn;
    char *path = paths[turn++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", scratch, name);
    return path;
}

void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

const char *y4m_header(const Clip *clip, const char *more)
{
    static const char *const chroma[] = {"mono", "420", "422", "444"};
    static char header[256];
    char depth[16] = "";
    if (clip->format.depth > 8)
        snprintf(depth, sizeof depth, "%s%d", clip->format.chroma ? "p" : "", clip->format.depth);
    snprintf(header, sizeof header, "YUV4MPEG2 W%d H%d C%s%s%s", clip->format.width, clip->format.height,
             chroma[clip->format.chroma], depth, more);
    return header;
}

void write_y4m(const char *path, const Clip *clip, const char *header, const char *frame_line)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fprintf(file, "%s\n", header);
    for (int i = 0; i < clip->frames; i++) {
        fprintf(file, "%s\n", frame_line);
        assert_int_equal(fwrite(clip->bytes + clip->frame_bytes * i, 1, clip->frame_bytes, file), clip->frame_bytes);
    }
    assert_int_equal(fclose(file), 0);
}

static void assert_same_plane(const FvFrame *frame, const Clip *clip, int number, int plane)
{
    int width, height;
    fv_format_plane_size(&clip->format, plane, &width, &height);
    for (int y = 0; y < height; y++) {
        const uint8_t *row = frame->data[plane] + y * frame->stride[plane];
        const uint8_t *expected = clip->bytes + clip_offset(clip, number, plane, 0, y);
        for (int x = 0; x < width; x++) {
            int value = row[x], wanted = expected[x];
            if (clip->format.depth > 8) {
                value = ((const uint16_t *)row)[x];
                wanted = expected[2 * x] | expected[2 * x + 1] << 8;
            }
            if (value != wanted)
                fail_msg("frame %d plane %d (%d, %d): %d instead of %d", number, plane, x, y, value, wanted);
        }
    }
}

void assert_reads(FvSource *source, const Clip *clip)
{
    FvError error = {0};
    FvFrame *frame;
    for (int number = 0; number < clip->frames; number++) {
        if (fv_source_read(source, &frame, &error))
            fail_msg("frame %d: %s", number, error.message);
        assert_true(fv_format_same_shape(&frame->format, &clip->format));
        for (int plane = 0; plane < 3; plane++) {
            assert_int_equal(frame->data[plane] != NULL, plane < fv_format_planes(&clip->format));
            if (!frame->data[plane])
                continue;
            assert_int_equal((uintptr_t)frame->data[plane] % 64, 0);
            assert_int_equal(frame->stride[plane] % 64, 0);
            assert_same_plane(frame, clip, number, plane);
        }
        fv_frame_unref(&frame);
    }
    assert_int_equal(fv_source_read(source, &frame, &error), FV_END);
    assert_null(frame);
    assert_int_equal(fv_source_read(source, &frame, &error), FV_END);
}

static void assert_error(const FvError *error, FvStatus wanted, FvStatus status, va_list texts)
{
    if (status != wanted)
        fail_msg("status %d instead of %d: %s", status, wanted, error->message);
    assert_int_equal(error->status, status);
    for (const char *text; (text = va_arg(texts, const char *));)
        if (!strstr(error->message, text))
            fail_msg("'%s' is not in the message '%s'", text, error->message);
}

void assert_open_fails(const FvSourceParams *params, FvStatus status, ...)
{
    FvError error = {0};
    FvSource *source = (FvSource *)1;
    va_list texts;
    va_start(texts, status);
    assert_error(&error, status, fv_source_open(&source, params, &error), texts);
    va_end(texts);
    assert_null(source);
}

void assert_read_fails(const FvSourceParams *params, int frames, FvStatus status, ...)
{
    FvError error = {0};
    FvSource *source;
    FvFrame *frame;
    if (fv_source_open(&source, params, &error))
        fail_msg("does not open: %s", error.message);
    for (int i = 0; i < frames; i++) {
        if (fv_source_read(source, &frame, &error))
            fail_msg("frame %d: %s", i, error.message);
        fv_frame_unref(&frame);
    }
    for (int again = 0; again < 2; again++) {
        FvError last = {0};
        va_list texts;
        va_start(texts, status);
        assert_error(&last, status, fv_source_read(source, &frame, &last), texts);
        va_end(texts);
        assert_null(frame);
    }
    fv_source_close(&source);
    assert_null(source);
}
