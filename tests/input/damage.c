/*
 * test_input_damage [[FIRST+]COUNT [FILE...]]: damages a small file of each codec, COUNT times from damage number
 * FIRST on (default: a random multiple of COUNT, at most 120 - COUNT), or only the FILEs, such as vp8.ivf. Each
 * damaged file is read with 1, 2 and 4 threads, and in memory that was filled with other bytes. Frames and refusals
 * must be equal. KEEP_DAMAGED names a folder for files that are read differently.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <libavutil/log.h>

#include "fovea/fovea.h"
#include "video.h"

#define MOST_FRAMES 40
#define MOST_SAMPLES (1 << 18) /* damage can enlarge a picture; larger ones are not decoded, to save time */
#define TOLD 5                 /* at most this many differences of a codec are printed */

static const struct {
    const char *file, *encoder, *options, *pixels;
} seeds[] = {
    {"vp8.ivf", "libvpx", "g=6:b=200k:deadline=realtime:cpu-used=8", "yuv420p"},
    {"vp8-parts.webm", "libvpx", "g=20:b=400k:slices=4:auto-alt-ref=1:lag-in-frames=5:error-resilient=partitions",
     "yuv420p"},
    {"vp9.webm", "libvpx-vp9", "g=6:b=200k:deadline=realtime:cpu-used=8", "yuv420p"},
    {"vp9-alt.ivf", "libvpx-vp9", "g=20:b=400k:lag-in-frames=5:cpu-used=8:frame-parallel=1", "yuv420p"},
    {"av1.mkv", "libsvtav1", "g=6:preset=12:crf=50", "yuv420p"},
    {"h264.h264", "libx264", "bf=2:preset=fast:g=8", "yuv420p"},
    {"h264-slices.mp4", "libx264", "bf=1:preset=veryfast:g=5:slices=4", "yuv420p"},
    {"h264-fields.ts", "libx264", "bf=1:preset=veryfast:g=8:flags=+ildct+ilme", "yuv420p"},
    {"h264-deep.mkv", "libx264", "bf=3:b-pyramid=normal:preset=fast:refs=4:qp=10", "yuv422p10le"},
    {"hevc.hevc", "libx265", "x265-params=log-level=0\\:keyint=8\\:bframes=2:preset=fast", "yuv420p"},
    {"hevc-rows.mp4", "libx265", "x265-params=log-level=0\\:keyint=8\\:wpp=1\\:slices=2:preset=ultrafast", "yuv420p"},
    {"hevc-wpp.mkv", "libx265", "x265-params=log-level=0\\:keyint=8\\:wpp=1\\:ctu=16\\:bframes=3:preset=fast",
     "yuv420p"},
    {"hevc-both.ts", "libx265", "x265-params=log-level=0\\:keyint=8\\:wpp=1\\:ctu=16\\:slices=3:preset=fast",
     "yuv420p"},
    {"hevc-hash.mkv", "libx265", "x265-params=log-level=0\\:keyint=8\\:hash=1:preset=ultrafast", "yuv420p10le"},
    {"mpeg1.mpg", "mpeg1video", "g=6:bf=2:b=500k", "yuv420p"},
    {"mpeg2.ts", "mpeg2video", "g=6:bf=2:b=500k", "yuv420p"},
    {"mpeg2-fields.mkv", "mpeg2video", "g=6:flags=+ildct+ilme:b=500k", "yuv422p"},
    {"mpeg4.avi", "mpeg4", "g=6:bf=2:b=300k", "yuv420p"},
    {"mpeg4-parts.mkv", "mpeg4", "g=6:data_partitioning=1:b=300k:ps=200", "yuv420p"},
    {"msmpeg4v2.avi", "msmpeg4v2", "g=6:b=300k", "yuv420p"},
    {"msmpeg4.avi", "msmpeg4", "g=6:b=300k", "yuv420p"},
    {"wmv1.asf", "wmv1", "g=6:b=300k", "yuv420p"},
    {"wmv2.asf", "wmv2", "g=6:b=300k", "yuv420p"},
    {"h263p.avi", "h263p", "g=6:b=300k", "yuv420p"},
    {"flv.flv", "flv", "g=6:b=300k", "yuv420p"},
    {"rv10.rm", "rv10", "g=6:b=300k", "yuv420p"},
    {"rv20.rm", "rv20", "g=6:b=300k", "yuv420p"},
    {"theora.ogg", "libtheora", "g=6:b=300k", "yuv420p"},
    {"dirac.mkv", "vc2", NULL, "yuv420p"},
    {"snow.nut", "snow", "g=6:b=300k", "yuv420p"},
    {"mjpeg.mov", "mjpeg", NULL, "yuvj420p"},
    {"ljpeg.avi", "ljpeg", NULL, "yuvj420p"},
    {"jpegls.nut", "jpegls", NULL, "gray"},
    {"jpeg2000.mkv", "jpeg2000", NULL, "yuv420p"},
    {"ffv1.mkv", "ffv1", "level=3:slicecrc=1", "yuv420p"},
    {"ffv1-plain.avi", "ffv1", "level=1:g=6", "yuv420p"},
    {"huffyuv.avi", "huffyuv", NULL, "yuv422p"},
    {"ffvhuff.mkv", "ffvhuff", "pred=median", "yuv420p10le"},
    {"utvideo.avi", "utvideo", NULL, "yuv420p"},
    {"magicyuv.avi", "magicyuv", NULL, "yuv444p"},
    {"asv1.avi", "asv1", NULL, "yuv420p"},
    {"asv2.avi", "asv2", NULL, "yuv420p"},
    {"speedhq.nut", "speedhq", NULL, "yuv422p"},
    {"prores.mov", "prores_ks", NULL, "yuv422p10le"},
    {"v210.mov", "v210", NULL, "yuv422p10le"},
    {"png.nut", "png", NULL, "gray"},
    {"raw.nut", "rawvideo", NULL, "yuv420p"},
};

static uint64_t state;

static unsigned any(unsigned below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 11) % below;
}

/* Returns frames of a moving texture over a still background. */
static Clip make_clip(const char *pixels)
{
    const bool words = strstr(pixels, "10") != NULL;
    const FvChroma chroma = strstr(pixels, "gray")  ? FV_CHROMA_400
                            : strstr(pixels, "444") ? FV_CHROMA_444
                            : strstr(pixels, "422") ? FV_CHROMA_422
                                                    : FV_CHROMA_420;
    Clip clip = clip_make(96, 80, chroma, words ? 10 : 8, 12);
    for (int frame = 0; frame < clip.frames; frame++)
        for (int plane = 0; plane < fv_format_planes(&clip.format); plane++) {
            int width, height;
            fv_format_plane_size(&clip.format, plane, &width, &height);
            for (int y = 0; y < height; y++)
                for (int x = 0; x < width; x++) {
                    const int moved = x + 3 * frame - y;
                    const int inside = abs(x - width / 2) + abs(y - height / 2) < height / 2;
                    const int value = inside ? 60 + (moved * moved / 7 + 5 * (moved & 8)) % 120 : 90 + x / 2 + y / 4;
                    uint8_t *at = clip.bytes + clip_offset(&clip, frame, plane, 0, y) + (words ? 2 * x : x);
                    at[0] = (uint8_t)(words ? value * 4 : value);
                    if (words)
                        at[1] = (uint8_t)(value * 4 >> 8);
                }
        }
    return clip;
}

typedef struct Bytes {
    uint8_t *at;
    size_t size;
} Bytes;

static Bytes load(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    Bytes bytes = {NULL, 0};
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    bytes.size = (size_t)ftell(file);
    rewind(file);
    bytes.at = malloc(bytes.size);
    assert_true(bytes.at && fread(bytes.at, 1, bytes.size, file) == bytes.size);
    fclose(file);
    return bytes;
}

static void damage(Bytes *bytes)
{
    const size_t head = bytes->size / 16; /* bytes of the header, which seven of eight damages spare */
    const size_t from = any(8) ? head : 0, at = from + any((unsigned)(bytes->size - from));
    size_t length = 1 + any(64);
    length = length < bytes->size - at ? length : bytes->size - at;
    switch (any(6)) {
    case 0:
        for (unsigned i = 0, count = 1 + any(4); i < count; i++)
            bytes->at[from + any((unsigned)(bytes->size - from))] ^= (uint8_t)(1u << any(8));
        break;
    case 1:
        bytes->at[at] = (uint8_t)any(256);
        break;
    case 2:
        memset(bytes->at + at, any(2) ? 0 : 255, length);
        break;
    case 3:
        for (size_t i = 0; i < length; i++)
            bytes->at[at + i] = (uint8_t)any(256);
        break;
    case 4:
        memmove(bytes->at + at, bytes->at + at + length, bytes->size - at - length);
        bytes->size -= length;
        break;
    default:
        bytes->size = any(4) ? bytes->size : at + 1;
        bytes->at[any((unsigned)bytes->size)] ^= 0x10;
    }
}

typedef struct Result {
    FvStatus status;
    int frames;
    uint64_t hash;
    char message[1024];
} Result;

static uint64_t hash_frame(const FvFrame *frame, uint64_t hash)
{
    for (int plane = 0; plane < fv_format_planes(&frame->format); plane++) {
        int width, height;
        fv_format_plane_size(&frame->format, plane, &width, &height);
        for (int y = 0; y < height; y++) {
            const uint8_t *row = frame->data[plane] + y * frame->stride[plane];
            for (int x = 0; x < width * (frame->format.depth > 8 ? 2 : 1); x++)
                hash = (hash ^ row[x]) * 0x100000001b3u;
        }
    }
    return hash;
}

static Result read_all(const char *path, int threads, int fill)
{
    Result result = {.hash = 0xcbf29ce484222325u};
    FvError error = {0};
    FvSource *source;
    FvFrame *frame;
    mallopt(M_PERTURB, fill);
    result.status =
        fv_source_open(&source, &(FvSourceParams){.path = path, .reader = "libav", .threads = threads}, &error);
    if (!result.status) {
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
    return result;
}

static bool is_same(const Result *a, const Result *b)
{
    return a->status == b->status && a->frames == b->frames && a->hash == b->hash && !strcmp(a->message, b->message);
}

static void keep(const char *name, int number, const Bytes *bytes)
{
    char path[512];
    const char *folder = getenv("KEEP_DAMAGED");
    if (!folder)
        return;
    snprintf(path, sizeof path, "%s/%d-%s", folder, number, name);
    FILE *file = fopen(path, "wb");
    if (file) {
        fwrite(bytes->at, 1, bytes->size, file);
        fclose(file);
    }
}

/* Returns the number of damaged files that were not always read equally. */
static int try_codec(const char *name, const Bytes *whole, int begin, int count, int file)
{
    static const struct {
        int threads, fill;
    } runs[] = {{1, 0x33}, {1, 0xcc}, {2, 0x5a}, {4, 0x81}};
    char path[64];
    int different = 0, refused = 0;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    for (int i = begin; i < begin + count; i++) {
        Bytes bytes = {malloc(whole->size), whole->size};
        memcpy(bytes.at, whole->at, whole->size);
        state = 0x9e3779b97f4a7c15u * (uint64_t)(i + 1);
        if (i)
            damage(&bytes);
        assert_true(!ftruncate(file, 0) && pwrite(file, bytes.at, bytes.size, 0) == (ssize_t)bytes.size);
        Result first = {0};
        for (size_t r = 0; r < sizeof runs / sizeof *runs; r++) {
            const Result result = read_all(path, runs[r].threads, runs[r].fill);
            if (!r)
                first = result;
            if (is_same(&first, &result))
                continue;
            if (different++ < TOLD)
                fprintf(stderr,
                        "%s, damage %d: one thread gives %d frames, status %d (%s); %d threads %d, %d (%s)%s\n", name,
                        i, first.frames, first.status, first.message, runs[r].threads, result.frames, result.status,
                        result.message,
                        first.frames == result.frames && first.hash != result.hash ? ", other samples" : "");
            keep(name, i, &bytes);
            break;
        }
        assert_true(i || first.status == FV_END);
        refused += first.status != FV_END;
        free(bytes.at);
    }
    printf("%-18s %6d files, %6d refused, %4d read differently\n", name, count, refused, different);
    fflush(stdout);
    return different;
}

int main(int argc, char **argv)
{
    const char *more = argc > 1 ? strchr(argv[1], '+') : NULL;
    const int count = argc > 1 ? atoi(more ? more + 1 : argv[1]) : 40;
    const int begin = more ? atoi(argv[1]) : count < 120 ? (int)(time(NULL) % (120 / count)) * count : 0;
    const int file = memfd_create("damaged", 0);
    int different = 0;
    scratch_open(NULL);
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_ARENA_MAX, 1);
    av_log_set_level(AV_LOG_QUIET);
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        bool wanted = argc < 3;
        for (int a = 2; a < argc; a++)
            wanted |= !strcmp(argv[a], seeds[i].file);
        if (!wanted || !video_possible(seeds[i].encoder, seeds[i].file))
            continue;
        Clip clip = make_clip(seeds[i].pixels);
        const char *path = scratch_path(seeds[i].file);
        video_write(path, &clip, seeds[i].pixels, seeds[i].encoder, seeds[i].options);
        clip_free(&clip);
        Bytes whole = load(path);
        different += try_codec(seeds[i].file, &whole, begin, count, file);
        free(whole.at);
    }
    scratch_close(NULL);
    return different != 0;
}
