/*
 * Tests videos that are divided into parts for several hardware decoders. libavcodec on the CPU stands in for each
 * decoder. Frames, times, errors and the decoder's description equal those of reading without hardware decoders.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <libavcodec/avcodec.h>
#include <libavutil/log.h>

#include "base/error.h"
#include "clip.h"
#include "input/hwdec/codecs.h"
#include "input/hwdec/thread.h"
#include "input/libav/pixels.h"
#include "input/packet/random_access.h"
#include "input/source.h"
#include "picture/frame.h"
#include "picture/signature.h"
#include "video.h"

#define FRAMES 61
#define MOST 128

/* ---- The decoders ---------------------------------------------------------------------------------------------- */

/* Faults of all fake decoders together, and counts of what they did. */
static struct {
    bool open;   /* no decoder can be opened */
    int picture; /* number of the picture, from 1 over all decoders, that cannot be copied; 0: none */
    bool loses;  /* several decoders lose frames that no other frame refers to */
    bool memory; /* memory for frames cannot be allocated */
    int opened, taken;
} fault;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

typedef struct Fake {
    FvHwdecThread *thread;
    AVCodecContext *decoder;
    AVFrame *picture;
    int64_t packets; /* number of packets of this part that were decoded, all undamaged */
} Fake;

static FvStatus open_fake(void **state, FvHwdecThread *thread, FvError *error)
{
    Fake *f = *state = calloc(1, sizeof *f);
    const AVCodecParameters *parameters = thread->shared->params.parameters;
    pthread_mutex_lock(&lock);
    fault.opened++;
    pthread_mutex_unlock(&lock);
    f->thread = thread;
    f->decoder = avcodec_alloc_context3(avcodec_find_decoder(parameters->codec_id));
    f->picture = av_frame_alloc();
    avcodec_parameters_to_context(f->decoder, parameters);
    f->decoder->thread_count = 1;
    f->decoder->err_recognition = AV_EF_EXPLODE;
    f->decoder->export_side_data |= AV_CODEC_EXPORT_DATA_FILM_GRAIN; /* fake decoders, like GPUs, add no film grain */
    f->decoder->flags |= AV_CODEC_FLAG_BITEXACT | AV_CODEC_FLAG_UNALIGNED;
    f->decoder->skip_frame = fault.loses ? AVDISCARD_NONREF : AVDISCARD_DEFAULT;
    if (fault.open || avcodec_open2(f->decoder, NULL, NULL) < 0)
        return fv_fail(error, FV_ERROR_DEVICE, "no fake");
    return FV_OK;
}

static FvStatus take_fake(const AVFrame *picture, FvFrame *frame, FvError *error)
{
    FvPixels pixels;
    pthread_mutex_lock(&lock);
    const bool fails = ++fault.taken == fault.picture;
    pthread_mutex_unlock(&lock);
    if (fails || fv_pixels_describe(&pixels, picture->format))
        return fv_fail(error, FV_ERROR_DEVICE, "no picture");
    for (int plane = 0; plane < fv_format_planes(&frame->format); plane++) {
        int width, height;
        const int from = pixels.component[plane].plane;
        fv_format_plane_size(&frame->format, plane, &width, &height);
        for (int y = 0; y < height; y++)
            fv_pixels_unpack(&pixels, plane, frame->data[plane] + y * frame->stride[plane],
                             picture->data[from] + y * (ptrdiff_t)picture->linesize[from], width);
    }
    return FV_OK;
}

static FvStatus decode_fake(void *state, const AVPacket *packet, FvError *error)
{
    Fake *f = state;
    FvStatus status = FV_OK;
    if (packet && f->decoder->codec_id == AV_CODEC_ID_VP9)
        status = fv_packet_shows_vp9(packet, f->decoder->coded_width) == 1
                     ? FV_OK
                     : fv_fail(error, FV_ERROR_DEVICE, "no picture of a packet");
    int code = avcodec_send_packet(f->decoder, packet);
    f->packets = packet ? f->packets + 1 : 0;
    while (!status && !code && !(code = avcodec_receive_frame(f->decoder, f->picture))) {
        FvHwdecItem *item;
        status = fv_hwdec_thread_frame(f->thread, &item, error);
        if (status)
            break;
        status = take_fake(f->picture, item->frame.frame, error);
        if (status)
            fv_hwdec_thread_drop(item);
        else
            fv_hwdec_thread_put(f->thread, item, f->picture->pts);
    }
    if (!packet)
        avcodec_flush_buffers(f->decoder);
    else if (!status && code == AVERROR(EAGAIN))
        status = fv_hwdec_thread_verified(f->thread, f->packets);
    return status || code == AVERROR(EAGAIN) || code == AVERROR_EOF
               ? status
               : fv_fail(error, FV_ERROR_DEVICE, "no good packet");
}

static void close_fake(void **state)
{
    Fake *f = *state;
    av_frame_free(&f->picture);
    avcodec_free_context(&f->decoder);
    free(f);
    *state = NULL;
}

static const FvHwdecOps fake = {open_fake, decode_fake, close_fake};

static FvStatus make(void *opaque, FvFrame **frame, const FvFormat *format, FvMemory memory, FvError *error)
{
    *frame = NULL;
    return fault.memory ? fv_fail(error, FV_ERROR_DEVICE, "no memory") : fv_frame_alloc(frame, format, error);
}

/* ---- The output of a source ------------------------------------------------------------------------------------ */

typedef struct Given {
    uint64_t hash[MOST];
    int64_t time[MOST];
    int count;
    FvStatus status; /* FV_END, or the failure that ended reading */
    FvError error;
    char decoder[256];
} Given;

static uint64_t hash_frame(const FvFrame *frame)
{
    uint64_t hash = 14695981039346656037u;
    for (int plane = 0; plane < fv_format_planes(&frame->format); plane++) {
        int width, height;
        fv_format_plane_size(&frame->format, plane, &width, &height);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width * fv_format_sample_bytes(&frame->format); x++)
                hash = (hash ^ frame->data[plane][y * frame->stride[plane] + x]) * 1099511628211u;
    }
    return hash;
}

static bool chosen_alone; /* `auto` chose the device, and the caller did not */

/* Opens a video. decoders: number of hardware decoders; 0: CPU only; -1: CPU only, although opened for a GPU. */
static FvSource *open_source(const char *path, int decoders, size_t room)
{
    const char *device = decoders % 2 ? "cuda" : NULL;
    FvSource *source;
    FvError error = {0};
    if (fv_source_open(&source, &(FvSourceParams){.path = path, .threads = 1, .scored_on = device}, &error))
        fail_msg("%s", error.message);
    if (decoders > 0)
        source->ops->use_hwdec(source, &(FvHwdecService){.on_host = decoders != 2,
                                                         .has_signature = true,
                                                         .room = room,
                                                         .decoders = decoders,
                                                         .named = !chosen_alone,
                                                         .ops = &fake,
                                                         .make = make});
    return source;
}

/* Checks that each frame of a hardware decoder, and no other, has the signature that fv_sample_make() computes. */
static void check_signature(const FvSource *source, const FvFrame *frame)
{
    const FvLuma luma = fv_luma_of(frame);
    int32_t signature[FV_SIGNATURE];
    fv_sample_make(signature, &luma);
    assert_int_equal(source->has_signature, !strncmp(source->decoder, "GPU", 3));
    if (source->has_signature)
        assert_memory_equal(source->signature, signature, sizeof signature);
}

/* Reads the source to its end and closes it. */
static void read_source(Given *given, FvSource **source)
{
    int32_t signature[FV_SIGNATURE];
    *given = (Given){.count = 0};
    for (FvFrame *frame; given->count < MOST; given->count++) {
        (*source)->signature = signature;
        given->status = fv_source_read(*source, &frame, &given->error);
        if (given->status)
            break;
        check_signature(*source, frame);
        given->hash[given->count] = hash_frame(frame);
        fv_frame_time(frame, &given->time[given->count]);
        fv_frame_unref(&frame);
    }
    const char *decoder = fv_source_decoder(*source);
    snprintf(given->decoder, sizeof given->decoder, "%s", decoder ? decoder : "");
    fv_source_close(source);
}

static void read_all(Given *given, const char *path, int decoders, size_t room)
{
    FvSource *source = open_source(path, decoders, room);
    read_source(given, &source);
}

static void assert_same(const Given *a, const Given *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->status, b->status);
    assert_string_equal(a->error.message, b->error.message);
    assert_memory_equal(a->hash, b->hash, sizeof a->hash);
    assert_memory_equal(a->time, b->time, sizeof a->time);
}

static bool contains(const char *text, const char *part)
{
    return strstr(text, part) != NULL;
}

/* Returns frames that encoders predict from one another: each has an eighth of new samples. */
static Clip make_clip(int width, int height, int depth)
{
    Clip clip = clip_make(width, height, FV_CHROMA_420, depth, FRAMES);
    for (int i = 1; i < clip.frames; i++) {
        uint8_t *at = clip.bytes + (size_t)i * clip.frame_bytes, *before = at - clip.frame_bytes;
        const size_t first = (size_t)i * 977 % clip.frame_bytes / 2 * 2;
        for (size_t k = clip.frame_bytes / 16 * 2; k < clip.frame_bytes; k++)
            at[(first + k) % clip.frame_bytes] = before[(first + k) % clip.frame_bytes];
    }
    return clip;
}

static const char *write_video(const char *name, const char *encoder, const char *options, int depth)
{
    const char *path = scratch_path(name);
    if (!video_possible(encoder, path))
        return NULL;
    Clip clip = make_clip(66, 52, depth);
    video_write(path, &clip, depth > 8 ? "yuv420p10le" : "yuv420p", encoder, options);
    clip_free(&clip);
    return path;
}

/* ---- Tests ----------------------------------------------------------------------------------------------------- */

typedef struct Coding {
    const char *encoder, *options, *name;
    int depth;
    int decoders; /* number of decoders opened when four are allowed; 0: not checked */
    bool quick;
} Coding;

static bool full;

static const Coding codings[] = {
    {"libx264", "preset=veryfast:g=13:bf=3:threads=1", "a.mp4", 8, 4, true},
    {"libx264", "preset=veryfast:g=13:bf=3:threads=1", "a.ts", 8, 4, false},
    {"libx264", "preset=veryfast:g=5:bf=0:threads=1", "a.mkv", 8, 4, false},
    {"libx264", "preset=veryfast:threads=1:x264-params=open-gop=1\\:keyint=8\\:bframes=3", "a.mkv", 8, 0, true},
    {"libx264", "preset=veryfast:threads=1:x264-params=interlaced=1\\:keyint=14\\:bframes=2", "a.mp4", 8, 4, false},
    {"libx265", "preset=ultrafast:x265-params=open-gop=0\\:keyint=13\\:bframes=3\\:log-level=none", "a.mp4", 8, 4,
     false},
    {"libx265", "preset=ultrafast:x265-params=open-gop=1\\:keyint=13\\:bframes=3\\:log-level=none", "a.mkv", 8, 1,
     false},
    {"libx265", "preset=ultrafast:x265-params=open-gop=0\\:keyint=16\\:bframes=4\\:log-level=none", "a.mkv", 10, 4,
     false},
    {"libvpx-vp9", "g=13:deadline=realtime:cpu-used=8:lag-in-frames=12:auto-alt-ref=1", "a.mkv", 8, 0, false},
};

static void parts_of_videos(void **state)
{
    for (size_t i = 0; i < sizeof codings / sizeof *codings; i++) {
        const Coding *coding = &codings[i];
        const char *path =
            coding->quick || full ? write_video(coding->name, coding->encoder, coding->options, coding->depth) : NULL;
        if (!path)
            continue;
        Given cpu, gpu;
        fault.opened = 0;
        read_all(&cpu, path, 0, 0);
        assert_int_equal(cpu.count, FRAMES);
        assert_int_equal(fault.opened, 0);
        read_all(&gpu, path, -1, 0);
        assert_same(&cpu, &gpu);
        assert_int_equal(fault.opened, 0);
        for (int decoders = 1; decoders <= 4; decoders++) {
            fault.opened = 0;
            read_all(&gpu, path, decoders, decoders == 2 ? 0 : (size_t)1 << 24);
            assert_same(&cpu, &gpu);
            assert_true(contains(gpu.decoder, "GPU ("));
            if (coding->decoders)
                assert_int_equal(fault.opened, decoders < coding->decoders ? decoders : coding->decoders);
        }
    }
}

/* If a hardware decoder fails, the frames still equal the CPU's, and the source names the CPU as its decoder. */
static void failures(void **state)
{
    const char *path = write_video("f.mp4", "libx264", "preset=veryfast:g=13:bf=3:threads=1", 8);
    Given cpu, gpu;
    if (!path)
        skip();
    read_all(&cpu, path, 0, 0);
    fault.open = true;
    read_all(&gpu, path, 4, 1 << 20);
    fault.open = false;
    assert_same(&cpu, &gpu);
    assert_string_equal(gpu.decoder, "CPU: the GPU fails (no fake)");
    fault.memory = true;
    read_all(&gpu, path, 4, 1 << 20);
    fault.memory = false;
    assert_same(&cpu, &gpu);
    assert_string_equal(gpu.decoder, "CPU: the GPU fails (no memory)");
    fault.loses = true;
    read_all(&gpu, path, 4, 1 << 20);
    fault.loses = false;
    assert_same(&cpu, &gpu);
    assert_true(contains(gpu.decoder, "is shown at another time than its packets state"));
    for (int picture = 1; picture < FRAMES; picture += full ? 1 : 19)
        for (int decoders = 1; decoders <= 4; decoders += 3) {
            fault.picture = picture;
            fault.taken = 0;
            read_all(&gpu, path, decoders, 0);
            fault.picture = 0;
            assert_same(&cpu, &gpu);
            assert_true(contains(gpu.decoder, "CPU"));
        }
}

/* With --device auto, VP9 is decoded on the CPU, because GPUs do not notice damage in VP9's pictures. Callers who
 * name a GPU get it. */
static void vp9_on_auto(void **state)
{
    const char *path = write_video("n.mkv", "libvpx-vp9", "g=13:deadline=realtime:cpu-used=8", 8);
    Given cpu, gpu;
    if (!path)
        skip();
    read_all(&cpu, path, 0, 0);
    chosen_alone = true;
    fault.opened = 0;
    read_all(&gpu, path, 4, 1 << 20);
    chosen_alone = false;
    assert_same(&cpu, &gpu);
    assert_int_equal(fault.opened, 0);
    assert_true(contains(gpu.decoder, "CPU: GPUs decode damaged VP9"));
    read_all(&gpu, path, 4, 1 << 20);
    assert_true(contains(gpu.decoder, "which does not refuse all damage"));
}

/* Puts a message that asks for film grain before the encoder's own text, and shortens that text. */
static bool ask_for_grain(const char *path)
{
    static const uint8_t grain[] = {19, 10, 0x01, 0x20, 0x02, 0x00, 0xff, 0x03, 0xc0, 0x40, 0x20, 0xa0, 5};
    static uint8_t bytes[1 << 20];
    FILE *file = fopen(path, "r+b");
    const size_t count = fread(bytes, 1, sizeof bytes, file);
    size_t text = 32;
    while (text + 16 < count && memcmp(bytes + text, "x264 - core", 11))
        text++;
    /* The payload type 5, its size in several bytes, and an identifier of 16 bytes precede the text. */
    size_t at = text - 17, size = bytes[at];
    while (bytes[--at] == 255)
        size += 255;
    const size_t room = text - 16 + size - (at + sizeof grain), rest = room - 1 - (room - 1) / 256;
    memcpy(bytes + at, grain, sizeof grain);
    at += sizeof grain;
    memset(bytes + at, 255, rest / 255);
    bytes[at + rest / 255] = rest % 255;
    rewind(file);
    const bool written = fwrite(bytes, 1, count, file) == count;
    return !fclose(file) && written;
}

/* The CPU adds film grain and GPUs do not, so frames of a GPU are not used. */
static void film_grain(void **state)
{
    const char *path = write_video("g.mp4", "libx264", "preset=veryfast:g=13:bf=3:threads=1", 8);
    Given before, cpu, gpu;
    if (!path)
        skip();
    read_all(&before, path, 0, 0);
    assert_true(ask_for_grain(path));
    read_all(&cpu, path, 0, 0);
    assert_int_equal(cpu.count, FRAMES);
    assert_true(cpu.hash[0] != before.hash[0]);
    read_all(&gpu, path, 4, 1 << 20);
    assert_same(&cpu, &gpu);
    assert_string_equal(gpu.decoder, "CPU: the GPU fails (it asks for film grain, which GPUs leave out)");
}

/* Hardware decoders and the CPU refuse damage at the same frame, with the same message. */
static void damage(void **state)
{
    const char *path = write_video("d.mp4", "libx264", "preset=veryfast:g=13:bf=3:threads=1:qp=10", 8);
    Given cpu, gpu;
    if (!path)
        skip();
    for (int number = 13; number < 40; number += 13) {
        int64_t position;
        int size;
        video_packet(path, number, &position, &size);
        FILE *file = fopen(path, "r+b");
        fseek(file, (long)position + size / 3, SEEK_SET);
        for (int i = 0; i < size / 3; i++)
            fputc(0x55 + 37 * i, file);
        fclose(file);
        read_all(&cpu, path, 0, 0);
        assert_int_equal(cpu.status, FV_ERROR_INPUT);
        for (int decoders = -1; decoders <= 4; decoders += decoders < 0 ? 4 : 1) {
            read_all(&gpu, path, decoders, 1 << 20);
            assert_same(&cpu, &gpu);
        }
    }
}

/* After a seek, or after the hardware decoders are taken away, reading continues with the right frame. */
static void leaving(void **state)
{
    const char *path = write_video("l.mp4", "libx264", "preset=veryfast:g=13:bf=3:threads=1", 8);
    Given cpu;
    FvError error;
    FvFrame *frame;
    if (!path)
        skip();
    read_all(&cpu, path, 0, 0);
    FvSource *source = open_source(path, 4, 1 << 20);
    for (int i = 0; i < 40; i++) {
        if (i == 7)
            source->ops->use_hwdec(source, NULL);
        if (i == 20)
            assert_int_equal(fv_source_seek(source, i, &error), FV_OK);
        assert_int_equal(fv_source_read(source, &frame, &error), FV_OK);
        assert_true(hash_frame(frame) == cpu.hash[i]);
        fv_frame_unref(&frame);
    }
    fv_source_close(&source);
    for (int decoders = -1; decoders <= 3; decoders += 4) {
        source = open_source(path, decoders, 1 << 20);
        assert_int_equal(fv_source_seek(source, 30, &error), FV_OK);
        assert_int_equal(fv_source_read(source, &frame, &error), FV_OK);
        assert_true(hash_frame(frame) == cpu.hash[30]);
        fv_frame_unref(&frame);
        fv_source_close(&source);
    }
}

/* After a seek, decoding begins at that frame, or at the nearest earlier place where the video can be cut. */
static void entering(void **state)
{
    static const int64_t frames[] = {30, 31, 13, 0, 60, 26, 59, 12};
    for (size_t i = 0; i < sizeof codings / sizeof *codings; i++) {
        const Coding *coding = &codings[i];
        const char *path =
            coding->quick || full ? write_video(coding->name, coding->encoder, coding->options, coding->depth) : NULL;
        Given cpu;
        if (!path)
            continue;
        read_all(&cpu, path, 0, 0);
        FvSource *source = open_source(path, 3, 1 << 24);
        source->strict = true;
        for (size_t k = 0; k < sizeof frames / sizeof *frames; k++) {
            FvError error = {0};
            if (fv_source_seek(source, frames[k], &error))
                fail_msg("%s: %s", coding->options, error.message);
            for (int64_t number = frames[k]; number < FRAMES && number < frames[k] + 3; number++) {
                FvFrame *frame;
                int64_t time = -1;
                if (fv_source_read(source, &frame, &error))
                    fail_msg("%s: %s", coding->options, error.message);
                fv_frame_time(frame, &time);
                assert_int_equal(time, cpu.time[number]);
                assert_true(hash_frame(frame) == cpu.hash[number]);
                fv_frame_unref(&frame);
            }
            if (contains(source->decoder, "GPU (") != (source->index.enter_pts != NULL))
                fail_msg("%s: %s", coding->options, source->decoder);
        }
        fv_source_close(&source);
    }
}

/* If the reader states which frame it needs last, parts after it are decoded only when it reads further. */
static void ending(void **state)
{
    const char *path = write_video("e.mp4", "libx264", "preset=veryfast:g=13:bf=3:threads=1", 8);
    Given cpu, gpu;
    if (!path)
        skip();
    read_all(&cpu, path, 0, 0);
    for (int all = 0; all < 2; all++) {
        FvSource *source = open_source(path, 0, 0);
        source->ops->use_hwdec(source, &(FvHwdecService){.on_host = true,
                                                         .has_signature = true,
                                                         .room = 1 << 24,
                                                         .decoders = 4,
                                                         .end = 20,
                                                         .ops = &fake,
                                                         .make = make});
        fault.taken = 0;
        for (int i = 0; i < 20 && !all; i++) {
            FvFrame *frame;
            FvError error;
            assert_int_equal(fv_source_read(source, &frame, &error), FV_OK);
            assert_true(hash_frame(frame) == cpu.hash[i]);
            fv_frame_unref(&frame);
        }
        if (all) {
            read_source(&gpu, &source);
            assert_same(&cpu, &gpu);
            assert_true(contains(gpu.decoder, "GPU ("));
        } else {
            /* Closing stops the second part's thread, which has decoded a few frames beyond the twenty read here. */
            fv_source_close(&source);
            assert_in_range(fault.taken, 20, 26);
        }
    }
}

/* Where NVDEC exists, its frames equal the CPU's, and it decodes every coding that can be made here. */
static void on_cuda(void **state)
{
    const char *path = write_video("g.mp4", "libx264", "preset=veryfast:g=13:bf=3:threads=1", 8);
    FvSource *source = NULL;
    FvError error = {0};
    Given cpu, gpu;
    if (!path || fv_source_open(&source, &(FvSourceParams){.path = path, .device = "cuda"}, &error)) {
        print_message("%s\n", path ? error.message : "libx264 is missing");
        skip();
    }
    read_source(&gpu, &source);
    if (contains(gpu.decoder, "libnvcuvid")) {
        print_message("%s\n", gpu.decoder);
        skip();
    }
    for (size_t i = 0; i < sizeof codings / sizeof *codings; i++) {
        path = write_video(codings[i].name, codings[i].encoder, codings[i].options, codings[i].depth);
        if (!path)
            continue;
        read_all(&cpu, path, 0, 0);
        if (fv_source_open(&source, &(FvSourceParams){.path = path, .device = "cuda"}, &error))
            fail_msg("%s", error.message);
        read_source(&gpu, &source);
        assert_same(&cpu, &gpu);
        if (!contains(gpu.decoder, "GPU ("))
            fail_msg("%s: %s", codings[i].options, gpu.decoder);
    }
}

/* The CPU decodes streams whose packets have no times. */
static void no_times(void **state)
{
    const char *path = write_video("t.h264", "libx264", "preset=veryfast:g=13:bf=2:threads=1", 8);
    Given cpu, gpu;
    if (!path)
        skip();
    read_all(&cpu, path, 0, 0);
    read_all(&gpu, path, 4, 1 << 20);
    assert_same(&cpu, &gpu);
    assert_true(contains(gpu.decoder, "CPU: "));
}

static void what_is_tried(void **state)
{
    static const struct {
        enum AVCodecID codec;
        FvChroma chroma;
        int depth;
        const char *why;
        int profile; /* the codec's profile; 0: one that GPUs decode */
    } cases[] = {
        {AV_CODEC_ID_H264, FV_CHROMA_420, 8, "", 0},
        {AV_CODEC_ID_H264, FV_CHROMA_420, 8, "", 66 | 1 << 9},
        {AV_CODEC_ID_H264, FV_CHROMA_420, 8, "H.264 of profile 244", 244},
        {AV_CODEC_ID_H264, FV_CHROMA_420, 8, "H.264 of profile 88", 88},
        {AV_CODEC_ID_HEVC, FV_CHROMA_420, 8, "HEVC of profile 4", 4},
        {AV_CODEC_ID_HEVC, FV_CHROMA_420, 12, "", 4},
        {AV_CODEC_ID_HEVC, FV_CHROMA_420, 8, "HEVC of profile 9", 9},
        {AV_CODEC_ID_HEVC, FV_CHROMA_420, 8, "HEVC of profile -99", -99},
        {AV_CODEC_ID_H264, FV_CHROMA_420, 10, "H.264 of 10 bits", 0},
        {AV_CODEC_ID_H264, FV_CHROMA_422, 8, "H.264 of 4:2:2", 0},
        {AV_CODEC_ID_HEVC, FV_CHROMA_420, 12, "", 0},
        {AV_CODEC_ID_HEVC, FV_CHROMA_422, 10, "HEVC of 4:2:2", 0},
        {AV_CODEC_ID_HEVC, FV_CHROMA_420, 16, "HEVC of 16 bits", 0},
        {AV_CODEC_ID_VP9, FV_CHROMA_420, 10, "", 0},
        {AV_CODEC_ID_AV1, FV_CHROMA_420, 12, "AV1 of 12 bits", 0},
        {AV_CODEC_ID_MPEG2VIDEO, FV_CHROMA_420, 8, "mpeg2video", 0},
        {AV_CODEC_ID_H264, FV_CHROMA_400, 8, "H.264 of 4:0:0", 0},
    };
    const char *path = write_video("w.avi", "mpeg4", NULL, 8);
    char why[64];
    Given given;
    if (!path)
        skip();
    read_all(&given, path, 4, 1 << 20);
    assert_string_equal(given.decoder, "CPU: GPUs do not decode mpeg4");
    path = write_video("w.mp4", "libx264", "qp=0:preset=ultrafast:threads=1", 8);
    if (path)
        read_all(&given, path, 4, 1 << 20);
    if (path)
        assert_string_equal(given.decoder, "CPU: GPUs do not decode H.264 of profile 244");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const FvFormat format = {.width = 64, .height = 64, .chroma = cases[i].chroma, .depth = cases[i].depth};
        const int profile = cases[i].profile ? cases[i].profile : cases[i].codec == AV_CODEC_ID_H264 ? 100 : 1;
        assert_int_equal(fv_hwdec_takes(cases[i].codec, profile, &format, why, sizeof why), !*cases[i].why);
        assert_string_equal(why, cases[i].why);
    }
}

/* ---- Packets of VP9 -------------------------------------------------------------------------------------------- */

typedef struct Bytes {
    uint8_t data[256];
    int bits;
} Bytes;

static void put(Bytes *to, unsigned value, int bits)
{
    for (int i = bits - 1; i >= 0; i--, to->bits++)
        to->data[to->bits / 8] |= (uint8_t)((value >> i & 1) << (7 - to->bits % 8));
}

/* Appends a VP9 frame and returns its size in bytes. It is a key frame of 64x64 samples ('s': shown, 'h': hidden),
 * with a compressed header of two bytes and a tile of three, or a frame that shows slot 4 again ('e'). */
static int put_frame(Bytes *to, char kind)
{
    const int before = to->bits;
    put(to, kind == 'e' ? 0x8c : kind == 's' ? 0x83 : 0x81, 8);
    if (kind != 'e') {
        put(to, 0x498342, 24);
        put(to, 2, 4);
        put(to, 63, 16);
        put(to, 63, 16);
        put(to, 0, 1 + 2 + 9 + 1);
        put(to, 50, 8);
        put(to, 0, 3 + 1 + 1);
        put(to, 2, 16);
        to->bits = (to->bits + 7) / 8 * 8;
        put(to, 0x7f1234, 24);
        put(to, 0x0102, 16);
    }
    return (to->bits - before) / 8;
}

/* Makes a packet of the frames that the letters of put_frame() name. Several frames get an index of their sizes, each
 * of `wide` bytes. */
static Bytes make_packet(const char *kinds, int wide)
{
    Bytes packet = {.bits = 0};
    int size[8], count = 0;
    for (; kinds[count]; count++)
        size[count] = put_frame(&packet, kinds[count]);
    const unsigned mark = 0xc0u | (unsigned)(wide - 1) << 3 | (unsigned)(count - 1);
    if (count > 1)
        put(&packet, mark, 8);
    for (int i = 0; i < count && count > 1; i++)
        for (int k = 0; k < wide; k++)
            put(&packet, (unsigned)size[i] >> 8 * k & 0xff, 8);
    if (count > 1)
        put(&packet, mark, 8);
    return packet;
}

static int shown(const Bytes *bytes, int size)
{
    /* The memory has the exact size, so that sanitizers notice reads beyond it. */
    uint8_t *data = malloc(size ? (size_t)size : 1);
    memcpy(data, bytes->data, (size_t)size);
    const int shows = fv_packet_shows_vp9(&(AVPacket){.data = data, .size = size}, 64);
    free(data);
    return shows;
}

/* Checks the number of shown pictures for frames that are hidden, shown, or shown again, alone and together in a
 * packet. */
static void shown_of_vp9(void **state)
{
    static const struct {
        const char *kinds;
        int wide, shows;
    } cases[] = {{"s", 1, 1}, {"h", 1, 0}, {"e", 1, 1}, {"hs", 1, 1}, {"he", 2, 1}, {"ss", 4, 2}, {"hhhs", 3, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Bytes packet = make_packet(cases[i].kinds, cases[i].wide);
        assert_int_equal(shown(&packet, packet.bits / 8), cases[i].shows);
    }
    assert_int_equal(shown(&(Bytes){.bits = 0}, 0), -1);
    const Bytes whole = make_packet("s", 1);
    const int size = whole.bits / 8, header = size - 5;
    for (int cut = 0; cut < header + 3; cut++) /* the tile, unlike the header, may be cut */
        assert_int_equal(shown(&whole, cut), -1);
    static const struct {
        int byte;
        uint8_t flip;
    } wrong[] = {{0, 0x40}, {0, 0x20}, {1, 1}, {4, 0xc0}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Bytes packet = whole;
        packet.data[wrong[i].byte] ^= wrong[i].flip;
        assert_int_equal(shown(&packet, size), -1);
    }
    Bytes packet = whole;
    packet.data[header] |= 0x80; /* a wrong first bit of the compressed header */
    assert_int_equal(shown(&packet, size), -1);
    packet = whole;
    packet.data[header + 2] |= 0x80; /* a wrong first bit of the tile */
    assert_int_equal(shown(&packet, size), -1);
    packet = make_packet("hs", 1);
    packet.data[packet.bits / 8 - 2] ^= 0x20; /* the index states a frame longer than the packet */
    assert_int_equal(shown(&packet, packet.bits / 8), -1);
    packet.data[packet.bits / 8 - 2] = 0; /* the index states an empty frame */
    assert_int_equal(shown(&packet, packet.bits / 8), -1);
}

/* Without the argument "full", tests only a few codecs. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_of_videos), cmocka_unit_test(failures),     cmocka_unit_test(damage),
        cmocka_unit_test(leaving),         cmocka_unit_test(no_times),     cmocka_unit_test(what_is_tried),
        cmocka_unit_test(on_cuda),         cmocka_unit_test(shown_of_vp9), cmocka_unit_test(vp9_on_auto),
        cmocka_unit_test(entering),        cmocka_unit_test(ending),       cmocka_unit_test(film_grain),
    };
    av_log_set_level(AV_LOG_QUIET);
    full = argc > 1 && !strcmp(argv[1], "full");
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
