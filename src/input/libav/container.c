#include "input/libav/container.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "os/cancel.h"
#include "base/error.h"
#include "input/libav/calls.h"
#include "os/memory.h"

#define IO_BYTES (64 << 10)
#define MOST_EXTRADATA (1 << 20)
#define SMALL_FILE (1 << 20)
#define SMALL_FILE_PIXELS (1 << 26)
#define SPARE_BYTES ((size_t)64 << 20) /* less than this is too little for any decoder */

/*
 * Formats whose demuxers read the one file they are given. Not here: playlists and manifests (hls, dash, concat,
 * imf), numbered pictures (image2), pictures that refer to others (svg_pipe), descriptions of a network (sdp, rtp,
 * rtsp), devices, text, sound and the formats of single games.
 */
static const char formats[] =
    "3gp,apng,asf,av1,avi,avs2,avs3,cavsvideo,dirac,dnxhd,dv,evc,flv,gif,gxf,h261,h263,h264,hevc,ivf,live_flv,lxf,"
    "m4v,"
    "matroska,mj2,mjpeg,mjpeg_2000,mov,mp4,mpeg,mpegts,mpegvideo,mxf,nsv,nut,nuv,obu,ogg,rm,ser,vc1,"
    "vc1test,vvc,webm,wtv,yuv4mpegpipe,"
    "bmp_pipe,dpx_pipe,exr_pipe,gif_pipe,j2k_pipe,jpeg_pipe,jpegls_pipe,jpegxl_pipe,jpegxl_anim,pam_pipe,pbm_pipe,"
    "pgm_pipe,pgmyuv_pipe,png_pipe,ppm_pipe,qoi_pipe,sgi_pipe,tiff_pipe,webp_pipe";

/* "mov,mp4,m4a" is on the list when one of its names is. */
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
    return fv_fail(error, fv_libav_status(code, 0, 0), "%s: %s: %s", source->info.path, what, text);
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
    /* Reads longer than libavformat's buffer bypass it, and belong to one packet. */
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

/* A demuxer that reads one file opens no other. */
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

static FvStatus fail_unknown(const FvContainer *container, FvError *error)
{
    return fv_fail(
        error, FV_ERROR_INPUT,
        "%s: is neither Y4M nor a file that libavformat recognises (name the reader 'raw' and the geometry "
        "if it is raw video)",
        container->source->info.path);
}

static FvStatus fail_unlisted(const FvContainer *container, const AVInputFormat *format, FvError *error)
{
    return fv_fail(
        error, FV_ERROR_INPUT,
        "%s: looks like '%s' (%s), which fovea opens only on request because it may refer to other files or hold no "
        "video; if you trust the file, name the reader 'libav:%.*s'",
        container->source->info.path, format->name, format->long_name, (int)strcspn(format->name, ","), format->name);
}

/* A number in the name does not make a file a sequence of pictures: the bytes alone decide. */
static FvStatus probe(FvContainer *container, const AVInputFormat **format, FvError *error)
{
    const char *name = container->source->path;
    fv_memory_watch();
    int score = av_probe_input_buffer2(container->io, format, name, container->demuxer, 0, 0);
    if (score >= 0 && !strcmp((*format)->name, "image2")) {
        *format = NULL;
        score = av_probe_input_buffer2(container->io, format, "", container->demuxer, 0, 0);
    }
    score = fv_libav_result(score);
    if (score == AVERROR_INVALIDDATA || (score >= 0 && score <= AVPROBE_SCORE_RETRY && !is_one_file(*format)))
        return fail_unknown(container, error);
    if (score < 0)
        return fv_container_fail(container, "cannot be read", score, error);
    return is_one_file(*format) ? FV_OK : fail_unlisted(container, *format, error);
}

static FvStatus find_format(const char *name, const AVInputFormat **format, FvError *error)
{
    *format = av_find_input_format(name);
    if (!*format)
        return fv_fail(
            error, FV_ERROR_USAGE,
            "reader 'libav:%s': libavformat has no such format; 'ffmpeg -demuxers' lists those that it has", name);
    return FV_OK;
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

static int set_first(AVDictionary **options, const FvSource *source)
{
    return source->first_image ? av_dict_set_int(options, "start_number", source->first_image, 0) : 0;
}

/* With the prefix, a colon in the name does not start a protocol. */
static char *make_url(const FvSource *source)
{
    size_t size = strlen(source->path) + sizeof "file:";
    char *url = malloc(size);
    if (url)
        snprintf(url, size, "file:%s", source->path);
    return url;
}

static FvStatus open_demuxer(FvContainer *container, const AVInputFormat *format, FvError *error)
{
    AVDictionary *options = NULL;
    char *url = make_url(container->source);
    if (!url || set_limits(&options, format, container->io) < 0 || set_first(&options, container->source) < 0) {
        free(url);
        av_dict_free(&options);
        return fv_fail_memory(error, sizeof formats);
    }
    container->demuxer->pb = container->io;
    if (container->io)
        container->demuxer->io_open = open_nothing;
    fv_memory_watch();
    int code = fv_libav_result(avformat_open_input(&container->demuxer, url, format, &options));
    free(url);
    av_dict_free(&options);
    if (code)
        return fv_container_fail(container, "cannot be opened", code, error);
    /* It passes over images that it cannot open, for whatever reason. */
    const int images = container->source->images;
    const int64_t found = images ? container->demuxer->streams[0]->duration : 0;
    return found == images ? FV_OK
                           : fv_fail(error, FV_ERROR_INPUT,
                                     "%s: %d images are there, and libavformat can open %" PRId64
                                     " of them in a row: let all be readable, and none come or go meanwhile",
                                     container->source->info.path, images, found);
}

/*
 * libavformat decodes a few frames to learn a stream's properties, within the limits of the decoder that follows. It
 * does not when the pixel format is known, so a stream that need not be decoded gets an arbitrary one.
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
            return fv_fail(error, FV_ERROR_INPUT,
                           "%s: has %d bytes of set-up for the decoder of stream %u, more than the %d that any codec "
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
    FvStatus status = name ? find_format(name, &format, error) : FV_OK;
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

/* An element's length in 1 to 8 bytes, which *at goes behind; -1: unknown. */
static int64_t take_length(const uint8_t *bytes, int *at)
{
    int more = 0;
    while (more < 8 && !(bytes[*at] << more & 0x80))
        more++;
    if (more == 8)
        return -1;
    int64_t length = bytes[*at] & 0x7f >> more;
    bool unknown = length == 0x7f >> more;
    for (int i = 1; i <= more; i++) {
        length = length << 8 | bytes[*at + i];
        unknown &= bytes[*at + i] == 0xff;
    }
    *at += more + 1;
    return unknown ? -1 : length;
}

/* How many of `count` bytes from `at` on the file has; the others are 0. */
static size_t peek_some(const FvStream *stream, int64_t at, uint8_t *bytes, size_t count)
{
    const int64_t left = at < stream->size ? stream->size - at : 0;
    const size_t there = left < (int64_t)count ? (size_t)left : count;
    size_t got = 0;
    memset(bytes, 0, count);
    return there && !fv_stream_read_at(stream, at, bytes, there, there, 1, &got, NULL) ? got : 0;
}

/* Bytes of the file from `at` on; false: it has fewer. */
static bool peek(const FvStream *stream, int64_t at, uint8_t *bytes, size_t count)
{
    return peek_some(stream, at, bytes, count) == count;
}

/* ISO/IEC 13818-1, 2.4.3.2: packets of 188 bytes that begin with 0x47, 192 with a time in front, 204 with parity. */
static int64_t transport_lacks(const FvStream *stream)
{
    static const struct {
        int bytes, sync;
    } kinds[] = {{188, 0}, {192, 4}, {204, 0}};
    for (int i = 0; i < 3; i++) {
        uint8_t sync[4] = {0};
        const int bytes = kinds[i].bytes;
        const int64_t rest = stream->size % bytes;
        bool fits = true;
        for (int k = 0; k < 4 && fits; k++)
            fits = peek(stream, (int64_t)k * bytes + kinds[i].sync, &sync[k], 1) && sync[k] == 0x47;
        if (fits)
            return rest > kinds[i].sync && peek(stream, stream->size - rest + kinds[i].sync, sync, 1) &&
                           sync[0] == 0x47
                       ? bytes - rest
                       : 0;
    }
    return 0;
}

/* The length of a unit from its first bytes, those included; 0: this is none. */
typedef int64_t UnitLength(const uint8_t *head);

static int64_t ivf_unit(const uint8_t *head)
{
    return 12 + ((int64_t)head[3] << 24 | head[2] << 16 | head[1] << 8 | head[0]);
}

/* Adobe Flash Video File Format, E.4.1: audio, video or data, and behind it the length once more. */
static int64_t flv_unit(const uint8_t *head)
{
    const int type = head[0] & 0x1f;
    return type != 8 && type != 9 && type != 18 ? 0 : 15 + (head[1] << 16 | head[2] << 8 | head[3]);
}

/* SMPTE ST 336: a key of 16 bytes, a length in one byte or in as many as the first one says. */
static int64_t mxf_unit(const uint8_t *head)
{
    static const uint8_t label[] = {0x06, 0x0e, 0x2b, 0x34};
    const int more = head[16] & 0x80 ? head[16] & 0x7f : 0;
    if (memcmp(head, label, sizeof label) || more > 7 || head[16] == 0x80)
        return 0;
    int64_t length = more ? 0 : head[16];
    for (int i = 1; i <= more; i++)
        length = length << 8 | head[16 + i];
    return 17 + more + length;
}

static uint64_t number_at(const uint8_t *at, int bytes)
{
    uint64_t number = 0;
    while (bytes--)
        number = number << 8 | *at++;
    return number;
}

/* Advanced Systems Format, 2.1: a GUID, and the length of the object. */
static int64_t asf_unit(const uint8_t *head)
{
    uint64_t length = 0;
    for (int i = 23; i >= 16; i--)
        length = length << 8 | head[i];
    return length >= 24 && length < INT64_MAX ? (int64_t)length : 0;
}

/* AV1, 4.10.5. The number of bytes, and what they say; 0: it is none. */
static int take_leb128(const uint8_t *bytes, int64_t *value)
{
    *value = 0;
    for (int i = 0; i < 8; i++) {
        *value |= (int64_t)(bytes[i] & 0x7f) << 7 * i;
        if (!(bytes[i] & 0x80))
            return i + 1;
    }
    return 0;
}

/* AV1, 5.3: a header that says whether it has an extension and whether a length follows. */
static int64_t obu_unit(const uint8_t *head)
{
    const int header = head[0] & 4 ? 2 : 1;
    int64_t length;
    const int bytes = (head[0] & 0x83) == 2 ? take_leb128(head + header, &length) : 0;
    return bytes ? header + bytes + length : 0;
}

/* AV1, B.2: temporal units. */
static int64_t annexb_unit(const uint8_t *head)
{
    int64_t length;
    const int bytes = take_leb128(head, &length);
    return bytes ? bytes + length : 0;
}

/* An element of Matroska of known length, or the beginning of another one, in which elements follow. */
static int64_t matroska_unit(const uint8_t *head)
{
    int at = 1;
    while (at <= 4 && !(head[0] << (at - 1) & 0x80))
        at++;
    if (at > 4)
        return 0;
    const int id = at;
    const int64_t length = take_length(head, &at);
    return at == id ? 0 : at + (length < 0 ? 0 : length);
}

/* Units of which each begins where the one before ends; 0 where one is not understood. */
static int64_t units_lack(const FvStream *stream, int64_t at, size_t head_bytes, UnitLength *length_of)
{
    uint8_t head[24];
    while (at < stream->size) {
        if (peek_some(stream, at, head, sizeof head) < head_bytes)
            return at + (int64_t)head_bytes - stream->size;
        const int64_t length = length_of(head);
        if (!length)
            return 0;
        if (length > stream->size - at)
            return length - (stream->size - at);
        at += length;
    }
    return 0;
}

/* RFC 8794, RFC 9559, 4.2: the segment states its length, or where it does not, the elements in it do. */
static int64_t matroska_lacks(const FvStream *stream)
{
    enum { HEAD = 64, MARK = 4, LENGTH = 8 };
    static const uint8_t marks[2][MARK] = {{0x1a, 0x45, 0xdf, 0xa3}, {0x18, 0x53, 0x80, 0x67}};
    uint8_t head[HEAD + MARK + LENGTH];
    if (!peek(stream, 0, head, sizeof head))
        return 0;
    int at = MARK;
    const int64_t header = memcmp(head, marks[0], MARK) ? -1 : take_length(head, &at);
    if (header < 0 || header > HEAD - at || memcmp(head + at + header, marks[1], MARK))
        return 0;
    at += (int)header + MARK;
    const int64_t segment = take_length(head, &at);
    if (segment < 0)
        return units_lack(stream, at, 2, matroska_unit);
    return segment > stream->size - at ? segment - (stream->size - at) : 0;
}

/* ISO/IEC 14496-12, 8.16.3: behind the box that begins at `at`, the parts that it lists reach to this place. */
static int64_t listed_end(const FvStream *stream, int64_t at, int64_t length)
{
    enum { WIDE = 36, ENTRY = 12 };
    uint8_t head[WIDE + 4], entry[ENTRY];
    if (!peek(stream, at, head, sizeof head))
        return 0;
    const int wide = head[8] ? 8 : 0, first = 32 + wide;
    int64_t end = at + length + (int64_t)(number_at(head + (wide ? 28 : 24), wide ? 8 : 4) & INT32_MAX);
    for (int64_t i = 0, count = (int64_t)number_at(head + first - 2, 2); i < count; i++) {
        if (!peek(stream, at + first + i * ENTRY, entry, sizeof entry))
            return 0;
        end += (int64_t)(number_at(entry, 4) & INT32_MAX);
    }
    return end;
}

/* ISO/IEC 14496-12, 4.2 and 8.8: boxes of a file in fragments, which has no index of all frames. */
static int64_t fragments_lack(const FvStream *stream)
{
    static const char known[] = "ftyp moov moof mdat mfra free skip sidx ssix styp emsg prft meta uuid wide";
    bool fragments = false;
    int64_t listed = 0, at = 0, lacks = 0;
    while (at < stream->size) {
        uint8_t head[16];
        const size_t got = peek_some(stream, at, head, sizeof head);
        const uint64_t size = number_at(head, 4), length = size == 1 ? number_at(head + 8, 8) : size;
        const char type[] = {(char)head[4], (char)head[5], (char)head[6], (char)head[7], 0},
                   *name = strstr(known, type);
        if (got < 8)
            lacks = size || got < 4 ? 8 - (int64_t)got : 0;
        else if (length < 8 || length > INT64_MAX / 2 || !name || (name - known) % 5)
            break;
        else if ((int64_t)length > stream->size - at)
            lacks = (int64_t)length - (stream->size - at);
        if (lacks || got < 8)
            break;
        fragments |= !strcmp(type, "moof");
        if (!strcmp(type, "sidx"))
            listed = listed_end(stream, at, (int64_t)length);
        at += (int64_t)length;
    }
    if (!lacks && listed > stream->size)
        lacks = listed - stream->size;
    return fragments ? lacks : 0;
}

/* RFC 3533, 6: pages, the last of which says so. */
static int64_t ogg_lacks(const FvStream *stream)
{
    enum { HEAD = 27, LAST = 4 };
    uint8_t head[HEAD], sizes[255];
    bool ended = false;
    for (int64_t at = 0; at < stream->size;) {
        const size_t got = peek_some(stream, at, head, sizeof head);
        if (memcmp(head, "OggS", got < 4 ? got : 4))
            return 0;
        if (got < HEAD)
            return HEAD - (int64_t)got;
        int64_t length = HEAD + head[26];
        peek_some(stream, at + HEAD, sizes, head[26]);
        for (int i = 0; i < head[26]; i++)
            length += sizes[i];
        if (length > stream->size - at)
            return length - (stream->size - at);
        ended = head[5] & LAST;
        at += length;
    }
    return !ended * HEAD; /* at least */
}

int64_t fv_container_lacks(const FvContainer *container)
{
    const FvStream *stream = &container->source->stream;
    const char *name = container->demuxer->iformat->name;
    if (!container->io || stream->waits || stream->size < 0)
        return 0;
    if (!strcmp(name, "mpegts"))
        return transport_lacks(stream);
    if (!strcmp(name, "ivf"))
        return units_lack(stream, 32, 12, ivf_unit);
    if (!strcmp(name, "flv"))
        return units_lack(stream, 13, 11, flv_unit);
    if (!strcmp(name, "mxf"))
        return units_lack(stream, 0, 24, mxf_unit);
    if (!strcmp(name, "asf"))
        return units_lack(stream, 0, 24, asf_unit);
    if (!strcmp(name, "obu"))
        return units_lack(stream, 0, 2, obu_unit);
    if (!strcmp(name, "av1"))
        return units_lack(stream, 0, 1, annexb_unit);
    if (!strcmp(name, "ogg"))
        return ogg_lacks(stream);
    if (!strncmp(name, "mov,", 4))
        return fragments_lack(stream);
    return matroska_lacks(stream);
}

void fv_container_close(FvContainer *container)
{
    avformat_close_input(&container->demuxer);
    if (container->io)
        av_freep(&container->io->buffer);
    avio_context_free(&container->io);
}
