#include "hwdec.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "input/hwdec/thread.h"
#include "input/libav/pixels.h"
#include "input/packet/random_access.h"

Faults fault;
bool chosen_alone, full;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The latest frames that make_frame() made. */
enum { MADE = 4096 };
static struct {
    const FvFrame *frame;
    FvMemory memory;
} made[MADE];
static int made_count;

typedef struct Fake {
    FvHwdecThread *thread;
    AVCodecContext *decoder;
    AVFrame *picture;
    int64_t packets; /* number of packets of this part that were decoded, all undamaged */
} Fake;

/* Waits until enough pictures were copied. A decoder that never comes to work makes the test fail after 20 s. */
static bool waits_in_vain(const FvHwdecThread *thread)
{
    bool waits = thread->index > 0;
    for (int i = 0; waits && i < 20000; i++) {
        pthread_mutex_lock(&lock);
        waits = fault.taken < fault.late;
        pthread_mutex_unlock(&lock);
        if (waits)
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return waits;
}

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
    if (fault.open || (fault.only && thread->index >= fault.only) || waits_in_vain(thread) ||
        avcodec_open2(f->decoder, NULL, NULL) < 0)
        return fv_fail(error, FV_ERROR_DEVICE, "no fake");
    return FV_OK;
}

static FvStatus take_fake(const AVFrame *picture, FvFrame *frame, unsigned planes, FvError *error)
{
    FvLibavPixels pixels;
    pthread_mutex_lock(&lock);
    const bool fails = ++fault.taken == fault.picture;
    pthread_mutex_unlock(&lock);
    if (fails || fv_pixels_describe(&pixels, picture->format))
        return fv_fail(error, FV_ERROR_DEVICE, "no picture");
    for (int plane = 0; plane < fv_format_planes(&frame->format) && planes >> plane & 1; plane++) {
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
        status = take_fake(f->picture, item->frame.frame, fv_hwdec_thread_planes(f->thread), error);
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

const FvHwdecOps fake_decoder = {open_fake, decode_fake, close_fake};

FvStatus make_frame(void *opaque, FvFrame **frame, const FvFormat *format, FvMemory memory, FvError *error)
{
    *frame = NULL;
    FvStatus status =
        fault.memory ? fv_fail(error, FV_ERROR_DEVICE, "no memory") : fv_frame_alloc(frame, format, error);
    pthread_mutex_lock(&lock);
    made[made_count % MADE].frame = *frame;
    made[made_count++ % MADE].memory = memory;
    pthread_mutex_unlock(&lock);
    return status;
}

FvMemory memory_of(const FvFrame *frame)
{
    FvMemory memory = FV_MEMORY_PINNED;
    bool found = false;
    pthread_mutex_lock(&lock);
    for (int i = made_count - 1; i >= 0 && i > made_count - MADE && !found; i--)
        if ((found = made[i % MADE].frame == frame))
            memory = made[i % MADE].memory;
    pthread_mutex_unlock(&lock);
    assert_true(found);
    return memory;
}

uint64_t hash_frame(const FvFrame *frame)
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

void use_fakes(FvSource *source, int decoders, size_t room)
{
    source->ops->use_hwdec(source, &(FvHwdecService){.on_host = decoders != 2,
                                                     .has_signature = true,
                                                     .room = room,
                                                     .decoders = decoders,
                                                     .named = !chosen_alone,
                                                     .ops = &fake_decoder,
                                                     .make = make_frame});
}

FvSource *open_source(const char *path, int decoders, size_t room)
{
    const char *device = decoders % 2 ? "cuda" : NULL;
    FvSource *source;
    FvError error = {0};
    if (fv_source_open(&source, &(FvSourceParams){.path = path, .threads = 1, .scored_on = device}, &error))
        fail_msg("%s", error.message);
    if (decoders > 0)
        use_fakes(source, decoders, room);
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

void read_source(Given *given, FvSource **source)
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

void read_all(Given *given, const char *path, int decoders, size_t room)
{
    FvSource *source = open_source(path, decoders, room);
    read_source(given, &source);
}

void assert_same(const Given *a, const Given *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->status, b->status);
    assert_string_equal(a->error.message, b->error.message);
    assert_memory_equal(a->hash, b->hash, sizeof a->hash);
    assert_memory_equal(a->time, b->time, sizeof a->time);
}

bool contains(const char *text, const char *part)
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

const char *write_video(const char *name, const char *encoder, const char *options, int depth)
{
    const char *path = scratch_path(name);
    if (!video_possible(encoder, path))
        return NULL;
    Clip clip = make_clip(66, 52, depth);
    video_write(path, &clip, depth > 8 ? "yuv420p10le" : "yuv420p", encoder, options);
    clip_free(&clip);
    return path;
}
