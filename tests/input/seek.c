/*
 * Tests that frames reached by fv_source_seek(), or by skipping earlier frames that are not needed, equal those of
 * reading from the beginning.
 */
#include <stdlib.h>
#include <string.h>

#include "clip.h"
#include "config.h"
#include "input/source.h"
#include "picture/frame.h"
#if FV_HAVE_LIBAV
#include <libavutil/log.h>

#include "video.h"
#endif

#define FRAMES 37

/* Returns the FNV-1a hash of the samples, which distinguishes the frames of these clips. */
static uint64_t hash_frame(const FvFrame *frame)
{
    uint64_t hash = 14695981039346656037u;
    for (int plane = 0; plane < fv_format_planes(&frame->format); plane++) {
        int width, height;
        fv_format_plane_size(&frame->format, plane, &width, &height);
        const int bytes = width * fv_format_sample_bytes(&frame->format);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < bytes; x++)
                hash = (hash ^ frame->data[plane][y * frame->stride[plane] + x]) * 1099511628211u;
    }
    return hash;
}

static uint64_t read_hash(FvSource *source)
{
    FvFrame *frame;
    FvError error = {0};
    if (fv_source_read(source, &frame, &error))
        fail_msg("%s", error.message);
    const uint64_t hash = hash_frame(frame);
    fv_frame_unref(&frame);
    return hash;
}

static FvSource *open_source(const FvSourceParams *params)
{
    FvSource *source;
    FvError error = {0};
    if (fv_source_open(&source, params, &error))
        fail_msg("%s", error.message);
    return source;
}

/* Seeks backwards, to the next frame, far ahead, to the same frame again, and to the last one. */
static void check_seeks(FvSource *source, const uint64_t *hashes, int count)
{
    FvError error = {0};
    unsigned state = 1;
    for (int i = 0; i < 2 * count; i++) {
        state = state * 1664525 + 1013904223;
        const int frame = i < 3 ? count - 1 - i : (int)((state >> 8) % (unsigned)count);
        if (fv_source_seek(source, frame, &error))
            fail_msg("to frame %d: %s", frame, error.message);
        for (int k = frame; k < frame + 3 && k < count; k++)
            if (read_hash(source) != hashes[k])
                fail_msg("%s: frame %d, reached at %d, is another one", source->info.path, k, frame);
    }
    FvFrame *none;
    assert_int_equal(fv_source_seek(source, count - 1, &error), FV_OK);
    assert_int_equal(read_hash(source) == hashes[count - 1], 1);
    assert_int_equal(fv_source_read(source, &none, &error), FV_END);
    assert_int_equal(fv_source_seek(source, 0, &error), FV_OK);
    assert_int_equal(read_hash(source) == hashes[0], 1);
    assert_int_equal(fv_source_seek(source, count, &error), FV_ERROR_USAGE);
    assert_int_equal(fv_source_seek(source, -1, &error), FV_ERROR_USAGE);
}

/* Reads pairs of a file with itself, one frame apart, mostly backwards and with jumps. `kept` is the memory for
 * frames that were passed. */
static void check_pairs(const FvSourceParams *params, const uint64_t *hashes, int count, size_t kept)
{
    FvPairs *pairs;
    FvError error = {0};
    const FvScoreParams score = {.skip_distorted = 1, .shortest = true};
    if (fv_pairs_open(&pairs, params, params, &score, &error))
        fail_msg("%s", error.message);
    fv_pairs_set_cache(pairs, kept);
    for (int i = 0; i < 2 * count; i++) {
        const int number = i % 7 == 3 ? (i * 5) % (count - 1) : (3 * count - 3 - i) % (count - 1);
        FvFrame *frames[2];
        const int64_t near = fv_pairs_nearest_entry(pairs, number);
        assert_true(near >= 0 && near <= number && fv_pairs_nearest_entry(pairs, near) == near);
        if (fv_pairs_read(pairs, number, frames, &error))
            fail_msg("pair %d of %s: %s", number, params->path, error.message);
        for (int side = 0; side < 2; side++) {
            if (hash_frame(frames[side]) != hashes[number + side])
                fail_msg("%s: frame %d of pair %d, with %zu bytes, is another one", params->path, number + side,
                         number, kept);
            fv_frame_unref(&frames[side]);
        }
    }
    fv_pairs_close(&pairs);
}

/* Reads pairs by time of a file with itself, with an index of times or from the beginning. */
static void check_timed(const FvSourceParams *params, const uint64_t *hashes, int count)
{
    FvPairs *pairs;
    FvError error = {0};
    const FvScoreParams score = {.align = FV_ALIGN_BY_TIME};
    const int order[] = {count - 1, count / 2, count / 2 - 1, 0, count / 3};
    if (fv_pairs_open(&pairs, params, params, &score, &error))
        fail_msg("%s", error.message);
    for (int i = 0; i < 5; i++) {
        FvFrame *frames[2];
        if (fv_pairs_read(pairs, order[i], frames, &error) && strstr(error.message, "pair its frames by index"))
            break; /* the video has no rate, or some frame has no time */
        if (!frames[1])
            fail_msg("pair %d of %s by time: %s", order[i], params->path, error.message);
        for (int side = 0; side < 2; side++) {
            if (hash_frame(frames[side]) != hashes[order[i]])
                fail_msg("%s: frame %d by time is another one", params->path, order[i]);
            fv_frame_unref(&frames[side]);
        }
    }
    fv_pairs_close(&pairs);
}

/* Returns the number of frames that were not decoded. */
static int64_t check_passes(const FvSourceParams *params, const FvFrameSelection *need, const uint64_t *hashes,
                            int count)
{
    FvSource *source = open_source(params);
    FvError error = {0};
    fv_source_attach(source, &(FvSourceServices){.planes = FV_ALL_PLANES, .need = *need});
    for (int i = 0; i < count; i++) {
        FvFrame *frame;
        if (fv_selection_has(need, i)) {
            if (read_hash(source) != hashes[i])
                fail_msg("%s, each %d: frame %d is another one", params->path, (int)need->every, i);
            continue;
        }
        if (fv_source_skip(source, &frame, &error))
            fail_msg("%s: frame %d cannot be passed: %s", params->path, i, error.message);
        assert_true(fv_frame_is_undecoded(frame));
        fv_frame_unref(&frame);
    }
    FvFrame *none;
    assert_int_equal(fv_source_read(source, &none, &error), FV_END);
    const int64_t passed = source->undecoded;
    fv_source_close(&source);
    return passed;
}

/* The share of unneeded frames that a reader may leave undecoded. */
typedef enum Passes { PASSES_NONE, PASSES_SOME, PASSES_ALL } Passes;

static void check_needs(const FvSourceParams *params, Passes passes, const uint64_t *hashes, int count)
{
    static const FvFrameSelection needs[] = {{.every = 2},
                                             {.every = 5, .first = 3, .whole = 4},
                                             {.every = 7, .back = 2, .ahead = 1},
                                             {.every = 1000},
                                             {.every = 3, .back = 1, .ahead = 1}};
    for (int i = 0; i < 5; i++)
        for (int threads = 1; threads < 4; threads += 2) {
            FvSourceParams own = *params;
            int64_t unneeded = 0;
            own.threads = threads;
            for (int k = 0; k < count; k++)
                unneeded += !fv_selection_has(&needs[i], k);
            const int64_t passed = check_passes(&own, &needs[i], hashes, count);
            if (threads > 1             ? passed > unneeded
                : passes == PASSES_SOME ? (passed > 0) != (unneeded > 0) || passed > unneeded
                                        : passed != (passes == PASSES_ALL ? unneeded : 0))
                fail_msg("%s, each %d: %d of %d frames were not decoded", params->path, (int)needs[i].every,
                         (int)passed, (int)unneeded);
        }
}

static void check_file(const FvSourceParams *params, Passes passes)
{
    uint64_t hashes[4 * FRAMES];
    const FvSourceIndex *index;
    FvError error = {0};
    FvSource *source = open_source(params);
    int count = 0;
    for (FvFrame *frame; count < 4 * FRAMES && !fv_source_read(source, &frame, &error); count++) {
        hashes[count] = hash_frame(frame);
        fv_frame_unref(&frame);
    }
    fv_source_close(&source);
    assert_true(count > 1);
    source = open_source(params);
    assert_int_equal(read_hash(source) == hashes[0], 1);
    if (fv_source_index(source, &index, &error))
        fail_msg("%s", error.message);
    assert_int_equal(index->frames, count);
    assert_int_equal(read_hash(source) == hashes[1], 1);
    source->strict = true;
    check_seeks(source, hashes, count);
    fv_source_close(&source);
    for (size_t kept = 0; kept < 1 << 20; kept = 30000 + 32 * kept)
        check_pairs(params, hashes, count, kept);
    check_timed(params, hashes, count);
    check_needs(params, passes, hashes, count);
}

static void planar_files(void **state)
{
    Clip clip = clip_make(18, 10, FV_CHROMA_420, 10, FRAMES);
    write_y4m(scratch_path("a.y4m"), &clip, y4m_header(&clip, ""), "FRAME");
    check_file(&(FvSourceParams){.path = scratch_path("a.y4m")}, PASSES_ALL);
    write_y4m(scratch_path("b.y4m"), &clip, y4m_header(&clip, ""), "FRAME Ixyz");
    check_file(&(FvSourceParams){.path = scratch_path("b.y4m")}, PASSES_ALL);
    write_file(scratch_path("c.yuv"), clip.bytes, clip.frame_bytes * FRAMES);
    check_file(&(FvSourceParams){.path = scratch_path("c.yuv"), .raw = clip.format}, PASSES_ALL);
    clip_free(&clip);
}

#if FV_HAVE_LIBAV
/* Gives each frame an eighth of new samples, so that encoders predict frames from one another. */
static void make_similar(Clip *clip)
{
    for (int i = 1; i < clip->frames; i++) {
        uint8_t *at = clip->bytes + (size_t)i * clip->frame_bytes, *before = at - clip->frame_bytes;
        const size_t first = (size_t)i * 977 % clip->frame_bytes / 2 * 2;
        for (size_t k = clip->frame_bytes / 16 * 2; k < clip->frame_bytes; k++)
            at[(first + k) % clip->frame_bytes] = before[(first + k) % clip->frame_bytes];
    }
}

typedef struct Coding {
    const char *encoder, *pixel_format, *options, *extensions;
    int depth;
    bool quick;
    Passes passes;
} Coding;

static bool full;

static const Coding codings[] = {
    {"libx264", "yuv420p", "preset=veryfast:g=9:bf=3:threads=1", "mp4 mkv ts mov flv", 8, true, PASSES_SOME},
    {"libx264", "yuv420p", "preset=veryfast:threads=1:x264-params=open-gop=1\\:keyint=8\\:bframes=3", "mp4 mkv ts", 8,
     false, PASSES_SOME},
    {"libx264", "yuv420p", "preset=veryfast:threads=1:x264-params=intra-refresh=1\\:keyint=8\\:bframes=0", "mkv ts",
     8, false, PASSES_NONE},
    {"libx265", "yuv420p", "preset=ultrafast:x265-params=open-gop=1\\:keyint=8\\:bframes=3\\:log-level=none",
     "mp4 mkv ts", 8, false, PASSES_SOME},
    {"libx265", "yuv420p", "preset=ultrafast:x265-params=open-gop=0\\:keyint=8\\:bframes=3\\:log-level=none", "mp4",
     8, false, PASSES_SOME},
    {"mpeg2video", "yuv420p", "g=8:bf=2:threads=1", "ts mkv mpg mp4", 8, false, PASSES_NONE},
    {"mpeg4", "yuv420p", "g=8:bf=2:threads=1", "mp4 mkv avi", 8, false, PASSES_NONE},
    {"libvpx-vp9", "yuv420p", "g=9:deadline=realtime:cpu-used=8:lag-in-frames=12:auto-alt-ref=1", "mkv mp4 webm", 8,
     false, PASSES_NONE},
    {"libvpx", "yuv420p", "g=9:deadline=good:cpu-used=8:lag-in-frames=12:auto-alt-ref=1", "mkv webm", 8, false,
     PASSES_NONE},
    {"libaom-av1", "yuv420p", "g=9:usage=realtime:cpu-used=8:lag-in-frames=12", "mkv mp4", 8, false, PASSES_NONE},
    {"ffv1", "yuv420p", "g=5:threads=1", "mkv mov avi", 8, true, PASSES_NONE},
    {"prores_ks", "yuv422p10le", NULL, "mov mkv", 10, true, PASSES_ALL},
    {"dnxhd", "yuv422p", "profile=dnxhr_hq", "mov mkv", 8, false, PASSES_ALL},
    {"mjpeg", "yuvj420p", NULL, "mov avi mkv", 8, false, PASSES_ALL},
    {"rawvideo", "yuv420p", NULL, "nut", 8, false, PASSES_ALL},
};

static void coded_files(void **state)
{
    for (size_t i = 0; i < sizeof codings / sizeof *codings; i++) {
        const Coding *coding = &codings[i];
        if (!coding->quick && !full)
            continue;
        const bool half = strstr(coding->pixel_format, "422");
        const bool large = !strcmp(coding->encoder, "dnxhd");
        Clip clip = clip_make(large ? 256 : 64, large ? 120 : 48, half ? FV_CHROMA_422 : FV_CHROMA_420, coding->depth,
                              FRAMES);
        make_similar(&clip);
        char extensions[64], *rest = extensions;
        snprintf(extensions, sizeof extensions, "%s", coding->extensions);
        for (char *extension; (extension = strsep(&rest, " "));) {
            char name[64];
            snprintf(name, sizeof name, "%zu.%s", i, extension);
            const char *path = scratch_path(name);
            if (extension != extensions && !full)
                break;
            if (!video_possible(coding->encoder, path))
                continue;
            video_write(path, &clip, coding->pixel_format, coding->encoder, coding->options);
            /* Transport streams do not state the number of HEVC's temporal layers. */
            const bool unsaid = !strcmp(extension, "ts") && !strcmp(coding->encoder, "libx265");
            check_file(&(FvSourceParams){.path = path, .threads = 2}, unsaid ? PASSES_NONE : coding->passes);
        }
        clip_free(&clip);
    }
}
#endif

/* Without the argument "full", tests only a few codecs. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planar_files),
#if FV_HAVE_LIBAV
        cmocka_unit_test(coded_files),
#endif
    };
#if FV_HAVE_LIBAV
    av_log_set_level(AV_LOG_QUIET);
    full = argc > 1 && !strcmp(argv[1], "full");
#else
#endif
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
