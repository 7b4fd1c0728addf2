#include "input/libav/container.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "input/libav/calls.h"
#include "os/cancel.h"
#include "os/memory.h"

#define IO_BYTES (64 << 10)            /* bytes of libavformat's read buffer */
#define MOST_EXTRADATA (1 << 20)       /* maximum bytes of a stream's codec description */
#define SMALL_FILE (1 << 20)           /* bytes below which a file is small */
#define SMALL_FILE_PIXELS (1 << 26)    /* maximum pixels of a picture in a small file */
#define SPARE_BYTES ((size_t)64 << 20) /* if this much memory cannot be allocated, no decoder can work */

/*
 * Formats whose demuxers read only the file that they are given. Excluded are playlists and manifests (hls, dash,
 * concat, imf), numbered pictures (image2), pictures that refer to others (svg_pipe), descriptions of a network (sdp,
 * rtp, rtsp), devices, text, sound and the formats of single games.
 */
static const char formats[] =
    "3gp,apng,asf,av1,avi,avs2,avs3,cavsvideo,dirac,dnxhd,dv,evc,flv,gif,gxf,h261,h263,h264,hevc,ivf,live_flv,lxf,"
    "m4v,"
    "matroska,mj2,mjpeg,mjpeg_2000,mov,mp4,mpeg,mpegts,mpegvideo,mxf,nsv,nut,nuv,obu,ogg,rm,ser,vc1,"
    "vc1test,vvc,webm,wtv,yuv4mpegpipe,"
    "bmp_pipe,dpx_pipe,exr_pipe,gif_pipe,j2k_pipe,jpeg_pipe,jpegls_pipe,jpegxl_pipe,jpegxl_anim,pam_pipe,pbm_pipe,"
    "pgm_pipe,pgmyuv_pipe,png_pipe,ppm_pipe,qoi_pipe,sgi_pipe,tiff_pipe,webp_pipe";

/*
 * Returns whether a demuxer reads only the file that it is given. A demuxer with several names, "mov,mp4,m4a", does
 * so if one of them is listed.
 */
static bool is_one_file(const AVInputFormat *format)
{
    return av_match_list(format->name, formats, ',') > 0;
}

int fv_libav_result(int code)
{
    return fv_memory_failed() && code != AVERROR_EXIT ? FV_LIBAV_MEMORY : code;
}

FvStatus fv_libav_status(int code, int width, int height)
{
    if (code == FV_LIBAV_MEMORY)
        return FV_ERROR_MEMORY;
    if (code != AVERROR(ENOMEM))
        return FV_ERROR_INPUT;
    void *block = malloc(SPARE_BYTES + 8 * (size_t)width * (size_t)height);
    free(block);
    return block ? FV_ERROR_INPUT : FV_ERROR_MEMORY;
}

int fv_libav_failure(FvStatus status, int code)
{
    return status == FV_ERROR_INPUT && code == AVERROR_INVALIDDATA ? FV_FAIL_DAMAGED : (int)status;
}

int64_t fv_container_pixels(const FvSource *source)
{
    bool small = source->stream.size >= 0 && source->stream.size < SMALL_FILE;
    return small ? SMALL_FILE_PIXELS : (int64_t)FV_MAX_SIDE * FV_MAX_SIDE;
}

FvStatus fv_container_fail(const FvContainer *container, const char *what, int code, FvError *error)
{
    const FvSource *source = container->source;
    char text[256];
    fv_libav_log_take(container->log, container->reason ? container->reason : code, text, sizeof text);
    const FvStatus status = fv_libav_status(code, 0, 0);
    return fv_fail(error, fv_libav_failure(status, code), "%s: %s: %s", source->info.path, what, text);
}

/* ---- Bytes ----------------------------------------------------------------------------------------------------- */

static size_t leave_out(FvStream *stream, int size)
{
    const int64_t length = stream->left < size ? stream->left : size;
    fv_stream_seek(stream, fv_stream_position(stream) + length);
    return (size_t)length;
}

static int read_bytes(void *opaque, uint8_t *bytes, int size)
{
    FvContainer *container = opaque;
    size_t length = 0;
    if (fv_cancel_requested(container->source->cancel))
        return AVERROR_EXIT;
    /* A read that is longer than libavformat's buffer bypasses the buffer, and belongs to one packet. */
    if (container->aside && size > IO_BYTES)
        length = leave_out(&container->source->stream, size);
    else if (container->hollow)
        memset(bytes, 0, length = leave_out(&container->source->stream, size));
    else if (fv_stream_read_some(&container->source->stream, bytes, (size_t)size, &length, NULL))
        return container->reason = AVERROR(EIO);
    return length ? (int)length : AVERROR_EOF;
}

static int64_t seek_bytes(void *opaque, int64_t position, int whence)
{
    FvStream *stream = &((FvContainer *)opaque)->source->stream;
    if (whence == AVSEEK_SIZE)
        return stream->size;
    if ((whence & ~AVSEEK_FORCE) != SEEK_SET || position < 0)
        return AVERROR(EINVAL);
    fv_stream_seek(stream, position);
    return position;
}

static int interrupted(void *opaque)
{
    return fv_cancel_requested(((FvContainer *)opaque)->source->cancel);
}

/* Refuses to open a second file for a demuxer. */
static int open_nothing(AVFormatContext *demuxer, AVIOContext **io, const char *url, int flags,
                        AVDictionary **options)
{
    av_log(demuxer, AV_LOG_ERROR, "it refers to another file, '%s', which is not opened\n", url);
    return AVERROR(EPERM);
}

static FvStatus open_io(FvContainer *container, FvError *error)
{
    FvStream *stream = &container->source->stream;
    uint8_t *buffer = av_malloc(IO_BYTES);
    if (buffer)
        container->io = avio_alloc_context(buffer, IO_BYTES, 0, container, read_bytes, NULL, seek_bytes);
    if (!container->io) {
        av_free(buffer);
        return fv_fail_memory(error, IO_BYTES);
    }
    container->io->seekable = stream->waits ? 0 : AVIO_SEEKABLE_NORMAL;
    if (!stream->waits)
        fv_stream_seek(stream, 0);
    return FV_OK;
}

/* ---- Formats --------------------------------------------------------------------------------------------------- */

/* Returns whether the first bytes are printable characters and line ends. */
static bool is_text(const FvStream *stream)
{
    uint8_t bytes[256];
    size_t length = 0;
    FvError ignored;
    if (stream->waits || fv_stream_read_at(stream, 0, bytes, sizeof bytes, sizeof bytes, 1, &length, &ignored))
        return false;
    for (size_t i = 0; i < length; i++)
        if (bytes[i] < ' ' && !strchr("\t\n\r", bytes[i]))
            return false;
    return length > 0;
}

static FvStatus fail_text(const FvContainer *container, FvError *error)
{
    return fv_fail(error, FV_FAIL_UNKNOWN_FORMAT, "%s is a text file, and not a video; name the file of the video",
                   container->source->info.path);
}

/*
 * Recognises the format by the bytes. It must be one whose demuxer reads no other file, unless the caller names it.
 */
static FvStatus probe(FvContainer *container, const AVInputFormat **format, FvError *error)
{
    const FvSource *source = container->source;
    fv_memory_watch();
    int score = av_probe_input_buffer2(container->io, format, source->path, container->demuxer, 0, 0);
    /* libavformat would take a number in the name for an image sequence; the bytes alone decide. */
    if (score >= 0 && !strcmp((*format)->name, "image2")) {
        *format = NULL;
        score = av_probe_input_buffer2(container->io, format, "", container->demuxer, 0, 0);
    }
    score = fv_libav_result(score);
    if (score >= 0 && is_one_file(*format))
        return FV_OK;
    if (score < 0 && score != AVERROR_INVALIDDATA)
        return fv_container_fail(container, "cannot be read", score, error);
    if (score <= AVPROBE_SCORE_RETRY && is_text(&source->stream))
        return fail_text(container, error);
    if (score <= AVPROBE_SCORE_RETRY)
        return fv_fail(
            error, FV_FAIL_UNKNOWN_FORMAT,
            "%s is neither Y4M nor a file that libavformat recognises; if it is raw video, name the reader 'raw' and "
            "give the geometry",
            source->info.path);
    return fv_fail(
        error, FV_FAIL_UNSUPPORTED,
        "%s looks like '%s' (%s), which fovea opens only on request because it may refer to other files or hold no "
        "video; if you trust the file, name the reader 'libav:%.*s'",
        source->info.path, (*format)->name, (*format)->long_name, (int)strcspn((*format)->name, ","),
        (*format)->name);
}

/* ---- Opening --------------------------------------------------------------------------------------------------- */

static int set_limits(AVDictionary **options, const AVInputFormat *format, bool alone)
{
    char allowed[sizeof formats + 128];
    snprintf(allowed, sizeof allowed, "%s,%s", formats, format->name);
    int code = av_dict_set(options, "protocol_whitelist", alone ? "none" : "file,pipe", 0);
    if (code >= 0)
        code = av_dict_set(options, "format_whitelist", allowed, 0);
    if (code >= 0)
        code = av_dict_set_int(options, "max_streams", FV_CONTAINER_STREAMS, 0);
    return code;
}

static FvStatus open_demuxer(FvContainer *container, const AVInputFormat *format, FvError *error)
{
    const FvSource *source = container->source;
    const size_t size = strlen(source->path) + sizeof "file:";
    AVDictionary *options = NULL;
    char *url = malloc(size);
    if (!url || set_limits(&options, format, container->io) < 0 ||
        (source->first_image && av_dict_set_int(&options, "start_number", source->first_image, 0) < 0)) {
        free(url);
        av_dict_free(&options);
        return fv_fail_memory(error, sizeof formats);
    }
    snprintf(url, size, "file:%s", source->path); /* the prefix keeps a colon in the name from starting a protocol */
    container->demuxer->pb = container->io;
    if (container->io)
        container->demuxer->io_open = open_nothing;
    fv_memory_watch();
    int code = fv_libav_result(avformat_open_input(&container->demuxer, url, format, &options));
    free(url);
    av_dict_free(&options);
    if (code)
        return container->io && is_text(&container->source->stream)
                   ? fail_text(container, error)
                   : fv_container_fail(container, "cannot be opened", code, error);
    /* libavformat silently skips images that it cannot open. */
    const int images = source->images;
    const int64_t found = images ? container->demuxer->streams[0]->duration : 0;
    return found == images ? FV_OK
                           : fv_fail(error, FV_ERROR_INPUT,
                                     "%s: only %" PRId64
                                     " of %d images can be opened; check the next one, and do not change the folder "
                                     "while fovea reads it",
                                     source->info.path, found, images);
}

/*
 * Examines the streams: libavformat decodes a few frames to learn their properties, within the limits of the later
 * decoder. It does not decode a stream whose pixel format is known, so a stream that need not be decoded gets an
 * arbitrary pixel format.
 */
static FvStatus examine(FvContainer *container, int64_t most_pixels, enum AVCodecID known, FvError *error)
{
    AVFormatContext *demuxer = container->demuxer;
    const unsigned count = demuxer->nb_streams;
    for (unsigned i = 0; i < count; i++) {
        AVStream *stream = demuxer->streams[i];
        if (i < FV_CONTAINER_STREAMS) {
            container->stated[i] = stream->avg_frame_rate;
            const AVCodecParameters *codec = stream->codecpar;
            container->colour[i] =
                (FvHeaderColour){codec->color_range, codec->color_trc, codec->color_primaries, codec->color_space};
        }
        if (known && stream->codecpar->codec_id == known)
            stream->codecpar->format = AV_PIX_FMT_YUV422P10;
    }
    AVDictionary **options = calloc(count + 1, sizeof *options);
    int code = options ? 0 : FV_LIBAV_MEMORY;
    for (unsigned i = 0; i < count && code >= 0; i++)
        code = av_dict_set_int(&options[i], "max_pixels", most_pixels, 0) < 0 ? FV_LIBAV_MEMORY : 0;
    fv_memory_watch();
    if (code >= 0)
        code = fv_libav_result(avformat_find_stream_info(demuxer, options));
    for (unsigned i = 0; i < count && options; i++)
        av_dict_free(&options[i]);
    free(options);
    return code < 0 ? fv_container_fail(container, "its streams cannot be examined", code, error) : FV_OK;
}

static FvStatus check_extradata(const FvContainer *container, FvError *error)
{
    for (unsigned i = 0; i < container->demuxer->nb_streams; i++) {
        const AVCodecParameters *stream = container->demuxer->streams[i]->codecpar;
        if (stream->codec_type == AVMEDIA_TYPE_VIDEO && stream->extradata_size > MOST_EXTRADATA)
            return fv_fail(error, FV_FAIL_DAMAGED,
                           "%s has %d bytes of set-up for the decoder of stream %u, more than the %d that any codec "
                           "needs; the file is damaged",
                           container->source->info.path, stream->extradata_size, i, MOST_EXTRADATA);
    }
    return FV_OK;
}

static FvStatus open_container(FvContainer *container, FvSource *source, const char *name, FvLibavLog *log,
                               FvError *error)
{
    const AVInputFormat *format = NULL;
    *container = (FvContainer){.source = source, .log = log};
    container->demuxer = avformat_alloc_context();
    if (!container->demuxer)
        return fv_fail_memory(error, sizeof *container->demuxer);
    container->demuxer->opaque = log;
    container->demuxer->interrupt_callback = (AVIOInterruptCB){interrupted, container};
    FvStatus status = FV_OK;
    if (name && !(format = av_find_input_format(name)))
        status = fv_fail(
            error, FV_ERROR_USAGE,
            "reader 'libav:%s': libavformat has no such format; 'ffmpeg -demuxers' lists those that it has", name);
    if (!status && (!name || is_one_file(format)))
        status = open_io(container, error);
    else
        fv_stream_close(&source->stream);
    if (!status && !name)
        status = probe(container, &format, error);
    return status ? status : open_demuxer(container, format, error);
}

FvStatus fv_container_open(FvContainer *container, FvSource *source, const char *name, enum AVCodecID known,
                           FvLibavLog *log, FvError *error)
{
    FvStatus status = open_container(container, source, name, log, error);
    if (!status)
        status = examine(container, fv_container_pixels(source), known, error);
    return status ? status : check_extradata(container, error);
}

FvStatus fv_container_open_list(FvContainer *container, FvSource *source, const char *name, FvLibavLog *log,
                                FvError *error)
{
    FvStatus status = open_container(container, source, name, log, error);
    container->hollow = true;
    if (!status)
        container->demuxer->flags |= AVFMT_FLAG_NOPARSE | AVFMT_FLAG_NOFILLIN;
    return status;
}

void fv_container_close(FvContainer *container)
{
    avformat_close_input(&container->demuxer);
    if (container->io)
        av_freep(&container->io->buffer);
    avio_context_free(&container->io);
}

bool fv_container_is_mov(const AVFormatContext *demuxer)
{
    return !strncmp(demuxer->iformat->name, "mov,", 4);
}
