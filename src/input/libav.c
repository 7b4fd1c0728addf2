/* Everything that libavformat opens and libavcodec decodes to planar YUV or gray. docs/input.md */
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/pixdesc.h>

#include "error.h"
#include "input/prores.h"
#include "mem.h"
#include "pixels.h"
#include "planes.h"

typedef struct Libav {
    AVFormatContext *demuxer;
    AVCodecContext *decoder; /* NULL when fovea decodes itself */
    FvProresInput *prores;   /* then this does it */
    bool prores_by_libavcodec;
    AVPacket *packet;
    AVFrame *picture;
    bool waiting; /* picture (or packet, with prores) is the first one, there to learn the format */
    int stream;
    enum AVPixelFormat format;
    FvPixels pixels;    /* of the format */
    struct Libav *next; /* among the open ones, for the log */
    bool complained;    /* libav has logged an error since the decoder was started */
    char log[256];      /* the last one, "" for none */
    char cut[256];      /* why the demuxer gave up, while the decoder still has pictures; "" for no reason */
} Libav;

/* ---- The log: libav has one for the process; what belongs to our sources goes into our messages ---------------- */

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static Libav *log_sources;
static _Thread_local Libav *log_current; /* whose call of libav this thread is in */

/* The source whose decoder or demuxer a context belongs to, also in threads that libav started. */
static Libav *log_owner(void *context)
{
    void *opaque = NULL;
    while (context && !opaque) {
        const AVClass *class = *(const AVClass **)context;
        if (!class)
            break;
        if (!strcmp(class->class_name, "AVCodecContext"))
            opaque = ((AVCodecContext *)context)->opaque;
        else if (!strcmp(class->class_name, "AVFormatContext"))
            opaque = ((AVFormatContext *)context)->opaque;
        if (!class->parent_log_context_offset)
            break;
        context = *(void **)((uint8_t *)context + class->parent_log_context_offset);
    }
    /* Somebody else's context may point to anything. */
    Libav *source = log_sources;
    while (source && source != opaque)
        source = source->next;
    return source;
}

static void log_line(void *context, int level, const char *format, va_list args)
{
    pthread_mutex_lock(&log_lock);
    Libav *source = log_current ? log_current : log_owner(context);
    if (source && (level & 0xff) <= AV_LOG_ERROR) {
        vsnprintf(source->log, sizeof source->log, format, args);
        source->log[strcspn(source->log, "\n")] = 0;
        source->complained = true;
    }
    pthread_mutex_unlock(&log_lock);
    if (!source)
        av_log_default_callback(context, level, format, args);
}

static void log_install(void)
{
    av_log_set_callback(log_line);
}

static void log_enter(Libav *libav)
{
    log_current = libav;
}

static void log_leave(void)
{
    log_current = NULL;
}

static void log_clear(Libav *libav)
{
    pthread_mutex_lock(&log_lock);
    libav->complained = false;
    libav->log[0] = 0;
    pthread_mutex_unlock(&log_lock);
}

static bool log_complained(Libav *libav)
{
    pthread_mutex_lock(&log_lock);
    bool complained = libav->complained;
    pthread_mutex_unlock(&log_lock);
    return complained;
}

/* Takes over the last logged error, or libav's text for its error code. */
static void log_take(Libav *libav, int code, char *text, size_t size)
{
    pthread_mutex_lock(&log_lock);
    snprintf(text, size, "%s", libav->log);
    pthread_mutex_unlock(&log_lock);
    if (!*text && av_strerror(code, text, size) < 0)
        snprintf(text, size, "error %d", code);
}

static void log_register(Libav *libav)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, log_install);
    pthread_mutex_lock(&log_lock);
    libav->next = log_sources;
    log_sources = libav;
    pthread_mutex_unlock(&log_lock);
}

static void log_unregister(const Libav *libav)
{
    pthread_mutex_lock(&log_lock);
    Libav **link = &log_sources;
    while (*link && *link != libav)
        link = &(*link)->next;
    if (*link)
        *link = libav->next;
    pthread_mutex_unlock(&log_lock);
}

/* ---- Decoding ---------------------------------------------------------------------------------------------------
 */

static FvStatus fail_frame(const FvSource *source, const char *what, int code, FvError *error)
{
    char text[256];
    log_take(source->state, code, text, sizeof text);
    return fv_fail(error, code == AVERROR(ENOMEM) ? FV_ERROR_MEMORY : FV_ERROR_INPUT,
                   "%s: frame %" PRId64 " cannot be %s: %s", source->info.path, source->next, what, text);
}

/* MOV and MP4 list every frame, so a decoder that leaves one out without a word can be caught. */
static bool is_mov(const Libav *libav)
{
    return !strncmp(libav->demuxer->iformat->name, "mov,", 4);
}

/* Takes the next packet of the stream, or says why there is none. */
static int demux(Libav *libav)
{
    int code;
    do {
        av_packet_unref(libav->packet);
        code = av_read_frame(libav->demuxer, libav->packet);
    } while (!code && libav->packet->stream_index != libav->stream);
    if (code == AVERROR_EOF && libav->demuxer->pb && libav->demuxer->pb->error < 0)
        return libav->demuxer->pb->error;
    /* Demuxers go on behind damage where they can; what they left out must not go unnoticed. */
    if (log_complained(libav) || (!code && libav->packet->flags & AV_PKT_FLAG_CORRUPT))
        return AVERROR_INVALIDDATA;
    return code;
}

/* Gives the decoder one packet, or the end of the stream, which may be a premature one. */
static FvStatus feed(FvSource *source, FvError *error)
{
    Libav *libav = source->state;
    int code = demux(libav);
    if (code && code != AVERROR_EOF) {
        log_take(libav, code, libav->cut, sizeof libav->cut);
        log_clear(libav);
    }
    code = avcodec_send_packet(libav->decoder, code ? NULL : libav->packet);
    av_packet_unref(libav->packet);
    return code ? fail_frame(source, "decoded", code, error) : FV_OK;
}

static FvStatus fail_short(const FvSource *source, FvError *error)
{
    return fv_fail(error, FV_ERROR_INPUT,
                   "%s: ends after %" PRId64 " of the %" PRId64
                   " frames that its index promises; the others could not be decoded",
                   source->info.path, source->next, source->info.frames);
}

/* Puts the next decoded picture into libav->picture. */
static FvStatus decode(FvSource *source, FvError *error)
{
    Libav *libav = source->state;
    int code;
    while ((code = avcodec_receive_frame(libav->decoder, libav->picture)) == AVERROR(EAGAIN)) {
        FvStatus status = feed(source, error);
        if (status)
            return status;
    }
    if (code && code != AVERROR_EOF)
        return fail_frame(source, "decoded", code, error);
    /* Concealed damage looks like video; it must not get a score. Some decoders only log that they conceal. */
    if (log_complained(libav) ||
        (!code && (libav->picture->flags & AV_FRAME_FLAG_CORRUPT || libav->picture->decode_error_flags)))
        return fail_frame(source, "decoded, its data are damaged or incomplete", AVERROR_INVALIDDATA, error);
    if (code && *libav->cut)
        return fv_fail(error, FV_ERROR_INPUT,
                       "%s: frame %" PRId64 " cannot be read, the file is damaged or cut short: %s",
                       source->info.path, source->next, libav->cut);
    if (code && source->info.frames > source->next && is_mov(libav))
        return fail_short(source, error);
    return code ? FV_END : FV_OK;
}

static FvRange range_of(const Libav *libav, const AVFrame *picture)
{
    if (libav->pixels.full || picture->color_range == AVCOL_RANGE_JPEG)
        return FV_RANGE_FULL;
    return picture->color_range == AVCOL_RANGE_MPEG ? FV_RANGE_LIMITED : FV_RANGE_UNKNOWN;
}

/* ---- Opening ----------------------------------------------------------------------------------------------------
 */

static FvStatus fail_open(const FvSource *source, const char *what, int code, FvError *error)
{
    char text[256];
    log_take(source->state, code, text, sizeof text);
    return fv_fail(error, code == AVERROR(ENOMEM) ? FV_ERROR_MEMORY : FV_ERROR_INPUT, "%s: %s: %s", source->info.path,
                   what, text);
}

static FvStatus open_demuxer(FvSource *source, FvError *error)
{
    Libav *libav = source->state;
    libav->demuxer = avformat_alloc_context();
    size_t size = strlen(source->path) + sizeof "file:";
    char *url = malloc(size);
    AVDictionary *options = NULL;
    /* A playlist must not reach out into the network. */
    int code = av_dict_set(&options, "protocol_whitelist", "file", 0);
    if (!libav->demuxer || !url || code < 0) {
        free(url);
        av_dict_free(&options);
        return fv_fail_memory(error, size);
    }
    /* So that a colon in the name does not make it a protocol. */
    snprintf(url, size, "file:%s", source->path);
    libav->demuxer->opaque = libav;
    code = avformat_open_input(&libav->demuxer, url, NULL, &options);
    free(url);
    av_dict_free(&options);
    if (code == AVERROR_INVALIDDATA)
        return fail_open(source,
                         "is neither Y4M nor a file that libavformat can open (name the reader 'raw' and the "
                         "geometry if it is raw video)",
                         code, error);
    if (code)
        return fail_open(source, "cannot be opened", code, error);
    code = avformat_find_stream_info(libav->demuxer, NULL);
    return code < 0 ? fail_open(source, "its streams cannot be examined", code, error) : FV_OK;
}

static FvStatus find_video(FvSource *source, const AVCodec **codec, FvError *error)
{
    Libav *libav = source->state;
    int stream = av_find_best_stream(libav->demuxer, AVMEDIA_TYPE_VIDEO, -1, -1, NULL, 0);
    if (stream < 0)
        return fv_fail(error, FV_ERROR_INPUT, "%s: has no video stream", source->info.path);
    if (libav->demuxer->streams[stream]->disposition & AV_DISPOSITION_ATTACHED_PIC)
        return fv_fail(error, FV_ERROR_INPUT, "%s: has no video stream, only an attached picture", source->info.path);
    for (unsigned i = 0; i < libav->demuxer->nb_streams; i++)
        libav->demuxer->streams[i]->discard = (int)i == stream ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
    libav->stream = stream;
    enum AVCodecID id = libav->demuxer->streams[stream]->codecpar->codec_id;
    *codec = avcodec_find_decoder(id);
    if (!*codec)
        return fv_fail(error, FV_ERROR_INPUT, "%s: this build of libavcodec has no decoder for %s", source->info.path,
                       avcodec_get_name(id));
    return FV_OK;
}

/*
 * Threads that decode one frame each would end the process over a damaged MPEG-4 stream (an assertion of FFmpeg 5.1)
 * and gain nothing for FFV1, whose slices are independent.
 */
static bool slices_only(enum AVCodecID codec)
{
    return codec == AV_CODEC_ID_MPEG4 || codec == AV_CODEC_ID_FFV1;
}

static FvStatus open_decoder(FvSource *source, const AVCodec *codec, int threads, FvError *error)
{
    Libav *libav = source->state;
    const AVStream *stream = libav->demuxer->streams[libav->stream];
    AVCodecContext *decoder = libav->decoder = avcodec_alloc_context3(codec);
    libav->packet = av_packet_alloc();
    libav->picture = av_frame_alloc();
    if (!decoder || !libav->packet || !libav->picture)
        return fv_fail_memory(error, sizeof *decoder);
    int code = avcodec_parameters_to_context(decoder, stream->codecpar);
    if (code < 0)
        return fail_open(source, "its video stream cannot be decoded", code, error);
    decoder->opaque = libav;
    decoder->pkt_timebase = stream->time_base;
    decoder->thread_count = threads;
    if (slices_only(codec->id))
        decoder->thread_type = FF_THREAD_SLICE;
    /* Damage is an error, and where a decoder only marks it, the marked picture must come out to be refused. */
    decoder->err_recognition = AV_EF_EXPLODE | AV_EF_CRCCHECK;
    decoder->flags |= AV_CODEC_FLAG_OUTPUT_CORRUPT;
    /* The same samples on every processor, cropped as the stream says to the sample. */
    decoder->flags |= AV_CODEC_FLAG_BITEXACT | AV_CODEC_FLAG_UNALIGNED;
    code = avcodec_open2(decoder, codec, NULL);
    return code < 0 ? fail_open(source, "its decoder cannot be started", code, error) : FV_OK;
}

/* What the container says; edit lists and damaged files can make it wrong. */
static int64_t count_frames(const Libav *libav)
{
    AVStream *stream = libav->demuxer->streams[libav->stream];
    int entries = avformat_index_get_entries_count(stream);
    if (stream->nb_frames <= 0 || entries <= 0)
        return stream->nb_frames > 0 ? stream->nb_frames : -1;
    int64_t shown = 0;
    for (int i = 0; i < entries; i++)
        shown += !(avformat_index_get_entry(stream, i)->flags & AVINDEX_DISCARD_FRAME);
    return shown ? shown : -1;
}

/* 0/0 when the container does not tell. */
static AVRational rate_of(const AVStream *stream)
{
    AVRational rate = stream->avg_frame_rate;
    if (rate.num <= 0 || rate.den <= 0)
        rate = stream->r_frame_rate;
    return rate.num <= 0 || rate.den <= 0 ? (AVRational){0, 0} : rate;
}

static FvStatus describe(FvSource *source, FvError *error)
{
    Libav *libav = source->state;
    const AVStream *stream = libav->demuxer->streams[libav->stream];
    const AVFrame *picture = libav->picture;
    libav->format = picture->format;
    const char *refused = fv_pixels_describe(&libav->pixels, picture->format);
    if (refused) {
        const char *name = av_get_pix_fmt_name(picture->format);
        return fv_fail(
            error, FV_ERROR_INPUT,
            "%s: its pixel format %s %s, and fovea converts nothing by itself; convert the video to gray or "
            "YUV of 8 to 16 bits, for instance with ffmpeg and -pix_fmt yuv444p10le",
            source->info.path, name ? name : "(none)", refused);
    }
    AVRational rate = rate_of(stream);
    source->info.format = (FvFormat){.width = picture->width,
                                     .height = picture->height,
                                     .chroma = libav->pixels.chroma,
                                     .depth = libav->pixels.depth,
                                     .range = range_of(libav, picture),
                                     .rate_num = rate.num,
                                     .rate_den = rate.den};
    source->info.container = libav->demuxer->iformat->name;
    source->info.codec = avcodec_get_name(libav->decoder->codec_id);
    source->info.frames = count_frames(libav);
    FvError detail = {0};
    if (fv_format_check(&source->info.format, &detail))
        return fv_fail(error, FV_ERROR_INPUT, "%s: %s", source->info.path, detail.message);
    return FV_OK;
}

static bool probe(const FvSource *source)
{
    return strcmp(source->path, "-") != 0;
}

static void stop(Libav *libav)
{
    avcodec_free_context(&libav->decoder);
    avformat_close_input(&libav->demuxer);
    av_packet_free(&libav->packet);
    av_frame_free(&libav->picture);
}

/* Opens everything at the beginning of the video. */
static FvStatus start(FvSource *source, int threads, FvError *error)
{
    const AVCodec *codec;
    FvStatus status = open_demuxer(source, error);
    if (!status)
        status = find_video(source, &codec, error);
    Libav *libav = source->state;
    bool own = !status && codec->id == AV_CODEC_ID_PRORES && !libav->prores_by_libavcodec;
    if (!status && !own)
        status = open_decoder(source, codec, threads, error);
    /* What the demuxer tried in order to learn what the file is does not count. */
    if (!status)
        log_clear(source->state);
    return status;
}

/*
 * decode(), and when it fails while several frames are under way on threads, so that nobody knows which one is
 * damaged: the same again on one thread, from the beginning of the video. What is read and what is refused is then
 * the same for any number of threads.
 */
static FvStatus decode_next(FvSource *source, FvError *error)
{
    Libav *libav = source->state;
    FvStatus status = decode(source, error);
    if (!status || status == FV_END || *libav->cut || !(libav->decoder->active_thread_type & FF_THREAD_FRAME))
        return status;
    stop(libav);
    status = start(source, 1, error);
    int64_t number = source->next;
    for (source->next = 0; source->next < number && !status; source->next++)
        status = decode(source, error);
    return status ? status : decode(source, error);
}

/* ---- ProRes, which fovea decodes itself -------------------------------------------------------------------- */

/* Puts the next frame's packet into libav->packet. */
static FvStatus next_packet(FvSource *source, FvError *error)
{
    Libav *libav = source->state;
    int code;
    do
        code = demux(libav);
    while (!code && libav->packet->flags & AV_PKT_FLAG_DISCARD);
    if (!code)
        return FV_OK;
    if (code != AVERROR_EOF)
        return fail_frame(source, "read, the file is damaged or cut short", code, error);
    return source->info.frames > source->next && is_mov(libav) ? fail_short(source, error) : FV_END;
}

static FvStatus open_prores(FvSource *source, const FvSourceParams *params, FvError *error)
{
    Libav *libav = source->state;
    const AVStream *stream = libav->demuxer->streams[libav->stream];
    uint32_t tag = stream->codecpar->codec_tag;
    int depth = tag == MKTAG('a', 'p', '4', 'h') || tag == MKTAG('a', 'p', '4', 'x') ? 12 : 10;
    libav->packet = av_packet_alloc();
    if (!libav->packet)
        return fv_fail_memory(error, sizeof *libav->packet);
    FvStatus status = fv_prores_input_open(&libav->prores, params, depth, error);
    if (!status)
        status = next_packet(source, error);
    if (!status)
        status =
            fv_prores_input_describe(libav->prores, source, libav->packet->data, (size_t)libav->packet->size, error);
    AVRational rate = rate_of(stream);
    if (rate.den) {
        source->info.format.rate_num = rate.num;
        source->info.format.rate_den = rate.den;
    }
    source->info.container = libav->demuxer->iformat->name;
    source->info.frames = count_frames(libav);
    return status;
}

static void release_packet(void *opaque)
{
    AVPacket *packet = opaque;
    av_packet_free(&packet);
}

static FvStatus read_prores(FvSource *source, FvFrame **frame, FvError *error)
{
    Libav *libav = source->state;
    log_enter(libav);
    FvStatus status = libav->waiting ? FV_OK : next_packet(source, error);
    log_leave();
    libav->waiting = false;
    if (status)
        return status;
    const AVPacket *packet = libav->packet;
    AVPacket *copy = source->hands_packets ? av_packet_clone(packet) : NULL;
    if (copy)
        return fv_prores_input_hand(libav->prores, source, copy->data, (size_t)copy->size, release_packet, copy,
                                    frame, error);
    return fv_prores_input_read(libav->prores, source, packet->data, (size_t)packet->size, frame, error);
}

static FvStatus open(FvSource *source, const FvSourceParams *params, FvError *error)
{
    fv_stream_close(&source->stream);
    Libav *libav = source->state = fv_alloc_zero(sizeof *libav);
    if (!libav)
        return fv_fail_memory(error, sizeof *libav);
    libav->prores_by_libavcodec = params->decoder && !strcmp(params->decoder, "prores=libavcodec");
    log_register(libav);
    log_enter(libav);
    FvStatus status = start(source, params->threads, error);
    bool own = !status && !libav->decoder;
    /* Only a decoded picture tells for certain what the pictures are. */
    if (!status)
        status = own ? open_prores(source, params, error) : decode_next(source, error);
    log_leave();
    if (status == FV_END)
        return fv_fail(error, FV_ERROR_INPUT, "%s: holds no frame", source->info.path);
    libav->waiting = !status;
    return status || own ? status : describe(source, error);
}

/* ---- Reading ----------------------------------------------------------------------------------------------------
 */

static FvStatus check_same(const FvSource *source, FvError *error)
{
    const Libav *libav = source->state;
    const AVFrame *picture = libav->picture;
    const FvFormat *format = &source->info.format;
    char text[128];
    FvRange range = range_of(libav, picture);
    if (picture->format == libav->format && picture->width == format->width && picture->height == format->height &&
        (!range || range == format->range))
        return FV_OK;
    const char *name = av_get_pix_fmt_name(picture->format);
    return fv_fail(error, FV_ERROR_INPUT,
                   "%s: frame %" PRId64
                   " is %dx%d %s %s while the first one is %s; split the file where its format changes",
                   source->info.path, source->next, picture->width, picture->height, name ? name : "(none)",
                   range ? fv_range_name(range) : "", fv_format_describe(format, text, sizeof text));
}

/* A word in this row, whose first byte is at `from`, has bits that its format lacks. `row` is overwritten. */
static FvStatus fail_bits(const FvSource *source, int plane, int y, uint16_t *row, const uint8_t *from, int width,
                          FvError *error)
{
    const FvPixels *pixels = &((Libav *)source->state)->pixels;
    FvWords words = pixels->component[plane].words;
    fv_samples_unpack16(row, from + pixels->component[plane].offset, (FvWords){words.step, words.swap, 0, UINT16_MAX},
                        width);
    int x = 0;
    while (!(row[x] & pixels->component[plane].empty))
        x++;
    return fv_fail_sample(source, plane, x, y, row[x], error);
}

/* Also looks at every sample: decoders of uncompressed video pass on what the file has. */
static FvStatus copy(const FvSource *source, FvFrame *frame, FvError *error)
{
    const Libav *libav = source->state;
    const AVFrame *picture = libav->picture;
    for (int plane = 0; plane < fv_format_planes(&frame->format); plane++) {
        int width, height, from = libav->pixels.component[plane].plane;
        fv_format_plane_size(&frame->format, plane, &width, &height);
        for (int y = 0; y < height; y++) {
            const uint8_t *stored = picture->data[from] + y * (ptrdiff_t)picture->linesize[from];
            void *row = frame->data[plane] + y * frame->stride[plane];
            if (!fv_pixels_unpack(&libav->pixels, plane, row, stored, width))
                return fail_bits(source, plane, y, row, stored, width, error);
        }
    }
    return FV_OK;
}

static FvStatus read(FvSource *source, FvFrame **frame, FvError *error)
{
    Libav *libav = source->state;
    FvStatus status = FV_OK;
    if (libav->prores)
        return read_prores(source, frame, error);
    log_enter(libav);
    if (!libav->waiting)
        status = decode_next(source, error);
    libav->waiting = false;
    log_leave();
    if (!status)
        status = check_same(source, error);
    if (!status)
        status = fv_frame_pool_get(source->pool, frame, error);
    if (!status)
        status = copy(source, *frame, error);
    if (status)
        fv_frame_unref(frame);
    av_frame_unref(libav->picture);
    return status;
}

static void close(FvSource *source)
{
    Libav *libav = source->state;
    if (!libav)
        return;
    log_enter(libav);
    stop(libav);
    log_leave();
    log_unregister(libav);
    fv_prores_input_close(&libav->prores);
    free(libav);
}

const FvSourceOps fv_source_libav = {"libav", probe, open, read, close};
