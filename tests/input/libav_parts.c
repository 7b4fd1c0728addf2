/* Tests each part of reading with libav alone: scripted packets and pictures replace libavformat and libavcodec. */
#include <string.h>

#include "clip.h"
#include "input/libav/calls.h"
#include "input/libav/seek.h"
#include "input/libav/skip_frames.h"
#include "input/packet/truncation.h"

/* ---- libavformat ----------------------------------------------------------------------------------------------- */

typedef struct Packet {
    int64_t dts, pts;
    int flags, stream;
    int code; /* error that reading returns instead of the packet; 0: none */
} Packet;

static struct {
    const Packet *packets;
    int count, next;
    int64_t sought[4]; /* times of the last seeks */
    int seeks;
} file;

static int fake_read(AVFormatContext *demuxer, AVPacket *packet)
{
    if (file.next == file.count)
        return AVERROR_EOF;
    const Packet *from = &file.packets[file.next++];
    packet->dts = from->dts;
    packet->pts = from->pts;
    packet->flags = from->flags;
    packet->stream_index = from->stream;
    packet->pos = file.next - 1; /* `pos` holds the packet's number */
    return from->code;
}

/* Finds the last key packet up to a time; fails if there is none. */
static int fake_seek(AVFormatContext *demuxer, int stream, int64_t time, int flags)
{
    file.sought[file.seeks++ & 3] = time;
    int found = -1;
    for (int i = 0; i < file.count; i++)
        if (file.packets[i].flags & AV_PKT_FLAG_KEY && file.packets[i].dts <= time)
            found = i;
    if (found < 0)
        return -1;
    file.next = found;
    return 0;
}

/* ---- libavcodec ------------------------------------------------------------------------------------------------ */

/* Every packet is a picture, which is delivered `delay` packets later. */

static struct {
    int64_t waiting[16];
    int count, delay;
    bool ended;
    int refuses; /* number from 1 of the packet that the decoder refuses; 0: none */
    int corrupt; /* number from 1 of the picture that is marked as corrupt; 0: none */
    int sent, received, opened;
} codec;

static int fake_send(AVCodecContext *context, const AVPacket *packet)
{
    if (!packet) {
        codec.ended = true;
        return 0;
    }
    if (++codec.sent == codec.refuses)
        return AVERROR_INVALIDDATA;
    codec.waiting[codec.count++] = packet->pts;
    return 0;
}

static int fake_receive(AVCodecContext *context, AVFrame *picture)
{
    if (codec.count <= (codec.ended ? 0 : codec.delay))
        return codec.ended ? AVERROR_EOF : AVERROR(EAGAIN);
    picture->pts = picture->best_effort_timestamp = codec.waiting[0];
    picture->pkt_dts = codec.ended ? AV_NOPTS_VALUE : 0;
    picture->format = AV_PIX_FMT_NONE;
    picture->flags = ++codec.received == codec.corrupt ? AV_FRAME_FLAG_CORRUPT : 0;
    memmove(codec.waiting, codec.waiting + 1, (size_t)--codec.count * sizeof *codec.waiting);
    return 0;
}

static void fake_flush(AVCodecContext *context)
{
    codec.count = 0;
    codec.ended = false;
}

/* ---- A video over them ----------------------------------------------------------------------------------------- */

static FvSource source;
static FvVideo video;
static AVInputFormat format;

static void open_video(const char *container, enum AVCodecID id, const Packet *packets, int count)
{
    int opened;
    assert_int_equal(fv_libav_calls_open(&opened, NULL), FV_OK);
    memset(&file, 0, sizeof file);
    memset(&codec, 0, sizeof codec);
    file.packets = packets;
    file.count = count;
    source = (FvSource){.info.path = "VIDEO", .stream.fd = -1};
    video = (FvVideo){.source = &source};
    FvDemux *demux = &video.demux;
    demux->facts = &video.facts;
    demux->container.source = &source;
    demux->container.log = &video.decoder.log;
    demux->container.demuxer = avformat_alloc_context();
    format.name = container;
    demux->container.demuxer->iformat = &format;
    AVStream *stream = avformat_new_stream(demux->container.demuxer, NULL);
    stream->time_base = (AVRational){1, 10};
    stream->codecpar->codec_id = id;
    demux->packet = av_packet_alloc();
    for (int i = 0; i < FV_DEMUX_AHEAD; i++)
        demux->ahead[i].packet = av_packet_alloc();
    video.decoder.context = avcodec_alloc_context3(NULL);
    video.decoder.picture = av_frame_alloc();
    fv_mutex_open(&video.decoder.made.lock);
    fv_video_turn(&video, FV_VIDEO_OPENED);
    fv_libav_calls.to_av_read_frame = fake_read;
    fv_libav_calls.to_av_seek_frame = fake_seek;
    fv_libav_calls.to_avcodec_send_packet = fake_send;
    fv_libav_calls.to_avcodec_receive_frame = fake_receive;
    fv_libav_calls.to_avcodec_flush_buffers = fake_flush;
}

static void close_video(void)
{
    video.demux.container.demuxer->iformat = NULL;
    fv_video_stop(&video);
    fv_mutex_close(&video.decoder.made.lock);
    fv_index_free(&source.index);
}

#define OPEN(container, id, packets) open_video(container, id, packets, (int)(sizeof(packets) / sizeof *(packets)))
#define KEY AV_PKT_FLAG_KEY
#define BAD AV_PKT_FLAG_CORRUPT
#define HIDDEN AV_PKT_FLAG_DISCARD

/* ---- Packets --------------------------------------------------------------------------------------------------- */

static void packets_in_order(void **state)
{
    static const Packet packets[] = {{0, 0, KEY, 0, 0}, {0, 0, KEY, 1, 0},    {1, 2, 0, 0, 0},
                                     {2, 1, 0, 0, 0},   {3, 3, HIDDEN, 0, 0}, {4, 4, KEY, 0, 0}};
    OPEN("matroska,webm", AV_CODEC_ID_MPEG4, packets);
    FvDemux *demux = &video.demux;
    assert_int_equal(fv_demux_read(demux), 0);
    fv_demux_put_back(demux);
    assert_int_equal(demux->shown, 0);
    static const int numbers[] = {0, 2, 3, 5}; /* packets of the other stream and the hidden packet are left out */
    for (int i = 0; i < 4; i++) {
        assert_int_equal(fv_demux_next(demux, NULL), FV_OK);
        assert_int_equal(demux->packet->pos, numbers[i]);
        assert_int_equal(demux->shown, i + 1);
    }
    assert_int_equal(fv_demux_next(demux, NULL), FV_END);
    assert_int_equal(demux->seen.shown.count, 4);
    assert_int_equal(demux->first_pts, 0);
    assert_int_equal(demux->last_dts, 4);
    close_video();
}

/* A packet that libavformat marks as damaged is a failure, unless it ends a part of joined transport streams. */
static void joined_streams(void **state)
{
    static const struct {
        const char *container;
        Packet packets[3];
        bool whole;
    } cases[] = {
        {"mpegts", {{50, 50, BAD, 0, 0}, {10, 10, KEY, 0, 0}}, true},
        {"mpegts", {{50, 50, BAD, 0, 0}, {51, 51, 0, 0, 0}, {10, 10, KEY, 0, 0}}, true},
        {"mpegts", {{50, 50, BAD, 0, 0}, {61, 61, KEY, 0, 0}}, true},
        {"mpegts", {{50, 50, BAD, 0, 0}, {60, 60, KEY, 0, 0}, {61, 61, 0, 0, 0}}, false},
        {"mpegts", {{50, 50, BAD, 0, 0}, {10, 10, 0, 0, 0}, {11, 11, 0, 0, 0}}, false},
        {"mpegts", {{50, 50, BAD, 0, 0}, {0, 0, 0, 0, AVERROR(EIO)}}, false},
        {"matroska,webm", {{50, 50, BAD, 0, 0}, {10, 10, KEY, 0, 0}}, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OPEN(cases[i].container, AV_CODEC_ID_MPEG2VIDEO, cases[i].packets);
        assert_int_equal(fv_demux_read(&video.demux), cases[i].whole ? 0 : AVERROR_INVALIDDATA);
        if (cases[i].whole) /* the packet that was read ahead comes next */
            assert_int_equal(fv_demux_read(&video.demux), 0);
        if (cases[i].whole)
            assert_int_equal(video.demux.packet->pos, 1);
        close_video();
    }
}

static void found_packets(void **state)
{
    /* Two packets have the same decoding time, and the first key packet comes too late for the frames before it. */
    static const Packet packets[] = {{-30, -30, KEY, 0, 0}, {9, 9, 0, 0, 0},   {10, 12, KEY, 0, 0},
                                     {10, 11, 0, 0, 0},     {13, 13, 0, 0, 0}, {14, AV_NOPTS_VALUE, 0, 0, 0}};
    OPEN("matroska,webm", AV_CODEC_ID_MPEG4, packets);
    FvDemux *demux = &video.demux;
    assert_true(fv_demux_find(demux, 10, 11));
    assert_int_equal(demux->looked, 1);
    assert_int_equal(fv_demux_read(demux), 0);
    assert_int_equal(demux->packet->pos, 3);
    assert_true(fv_demux_find(demux, 12, 12)); /* the index has no decoding time of its own for this packet */
    assert_int_equal(demux->ahead[0].packet->pos, 2);
    assert_true(fv_demux_find(demux, 14, AV_NOPTS_VALUE));
    file.seeks = 0;
    assert_false(fv_demux_find(demux, 12, 13)); /* three attempts: from this time, and 2 and 4 seconds earlier */
    assert_int_equal(file.seeks, 3);
    assert_int_equal(file.sought[1], 12 - 20);
    assert_int_equal(file.sought[2], 12 - 40);
    assert_false(fv_demux_find(demux, 10, 13));
    close_video();
}

/* ---- The decoder ----------------------------------------------------------------------------------------------- */

static bool is_third(void *opaque, const AVPacket *packet)
{
    return packet->pts == 2;
}

static void pictures(void **state)
{
    static const Packet whole[] = {{0, 0, KEY, 0, 0}, {1, 1, 0, 0, 0}, {2, 2, 0, 0, 0}, {3, 3, 0, 0, 0}};
    static const Packet cut[] = {{0, 0, KEY, 0, 0}, {1, 1, 0, 0, 0}, {0, 0, 0, 0, AVERROR(EIO)}};
    static const Packet late[] = {{0, 0, KEY, 0, 0}, {1, 7, 0, 0, 0}, {0, 0, 0, 0, AVERROR(EIO)}};
    const FvDecoderFilter filter = {is_third, NULL};
    FvDecoder *decoder = &video.decoder;
    OPEN("nut", AV_CODEC_ID_MPEG4, whole);
    codec.delay = 1;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(fv_decoder_read(decoder, &video.demux, &filter, NULL), FV_OK);
        assert_int_equal(decoder->picture->pts, i < 2 ? i : 3); /* filter leaves out the third packet */
    }
    assert_int_equal(decoder->end, FV_DECODER_ENDS);
    assert_int_equal(fv_decoder_read(decoder, &video.demux, &filter, NULL), FV_END);
    fv_decoder_flush(decoder);
    assert_int_equal(decoder->end, FV_DECODER_GOES_ON);
    close_video();

    /* After a cut, pictures are delivered as long as no earlier one can be missing. */
    FvError error = {0};
    OPEN("nut", AV_CODEC_ID_MPEG4, cut);
    codec.delay = 2;
    for (int i = 0; i < 2; i++)
        assert_int_equal(fv_decoder_read(decoder, &video.demux, &filter, NULL), FV_OK);
    assert_int_equal(decoder->end, FV_DECODER_CUT);
    assert_int_equal(fv_decoder_read(decoder, &video.demux, &filter, &error), FV_ERROR_INPUT);
    assert_non_null(strstr(error.message, "VIDEO: frame 0 cannot be read, the file is damaged or cut short"));
    close_video();
    OPEN("nut", AV_CODEC_ID_MPEG4, late);
    codec.delay = 2;
    assert_int_equal(fv_decoder_read(decoder, &video.demux, &filter, NULL), FV_OK);
    assert_int_equal(fv_decoder_read(decoder, &video.demux, &filter, NULL), FV_ERROR_INPUT);
    close_video();

    /* The decoder refuses a packet, or marks a picture as corrupt. */
    for (int i = 0; i < 2; i++) {
        OPEN("nut", AV_CODEC_ID_MPEG4, whole);
        *(i ? &codec.corrupt : &codec.refuses) = 2;
        assert_int_equal(fv_decoder_read(decoder, &video.demux, &filter, NULL), FV_OK);
        assert_int_equal(fv_decoder_read(decoder, &video.demux, &filter, &error), FV_ERROR_INPUT);
        assert_non_null(strstr(error.message, "cannot be decoded"));
        close_video();
    }
}

/* Peeking decodes the first packet and leaves it unread. A decoder with a delay gives the picture, too, since peeking
 * announces the end of the video. */
static void peeking(void **state)
{
    static const Packet packets[] = {{0, 0, KEY, 0, 0}, {1, 1, 0, 0, 0}};
    OPEN("nut", AV_CODEC_ID_MPEG4, packets);
    codec.delay = 1;
    assert_true(fv_decoder_peek(&video.decoder, &video.demux));
    assert_int_equal(video.decoder.picture->pts, 0);
    assert_int_equal(fv_demux_read(&video.demux), 0);
    assert_int_equal(video.demux.packet->pos, 0);
    close_video();
    OPEN("nut", AV_CODEC_ID_MPEG4, packets);
    codec.refuses = 1;
    assert_false(fv_decoder_peek(&video.decoder, &video.demux));
    close_video();
}

/* ---- Progress through the video -------------------------------------------------------------------------------- */

/* Checks the transition of every event. Those in `always` happen in any state, the others only in some states. */
static void states(void **state)
{
    static const FvVideoState always[FV_VIDEO_EVENTS] = {[FV_VIDEO_OPENED] = FV_VIDEO_NEXT,
                                                         [FV_VIDEO_FAILED] = FV_VIDEO_LOST,
                                                         [FV_VIDEO_HANDED] = FV_VIDEO_HARDWARE,
                                                         [FV_VIDEO_BACK] = FV_VIDEO_LEFT};
    for (FvVideoState from = 0; from < FV_VIDEO_STATES; from++)
        for (FvVideoEvent event = 0; event < FV_VIDEO_EVENTS; event++) {
            FvVideoState to = event == FV_VIDEO_FAILED || always[event] ? always[event] : from;
            if (event == FV_VIDEO_PEEK && from == FV_VIDEO_NEXT)
                to = FV_VIDEO_PEEKED;
            if (event == FV_VIDEO_FOUND && from == FV_VIDEO_NEXT)
                to = FV_VIDEO_READY;
            if (event == FV_VIDEO_TAKEN && from == FV_VIDEO_READY)
                to = FV_VIDEO_NEXT;
            assert_int_equal(fv_video_after(from, event), to);
        }
}

static const Packet nine[] = {{0, 0, KEY, 0, 0}, {1, 1, 0, 0, 0}, {2, 2, 0, 0, 0},
                              {3, 3, KEY, 0, 0}, {4, 4, 0, 0, 0}, {5, 5, 0, 0, 0},
                              {6, 6, KEY, 0, 0}, {7, 7, 0, 0, 0}, {8, 8, 0, 0, 0}};

/* Gives the source an index of the packets `nine`, with the place of every frame or of key packets only. */
static void give_index(bool places)
{
    static const int64_t keys[] = {0, 3, 6}, all[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    FvIndex index = {.shown = {.frames = 9}};
    const struct {
        int64_t **list;
        const int64_t *from;
        size_t size;
    } lists[] = {{&index.time, all, sizeof all},
                 {&index.place, all, places ? sizeof all : 0},
                 {&index.entries, keys, places ? 0 : sizeof keys},
                 {&index.enter_pts, keys, places ? 0 : sizeof keys},
                 {&index.enter_dts, keys, places ? 0 : sizeof keys}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (lists[i].size)
            memcpy(*lists[i].list = malloc(lists[i].size), lists[i].from, lists[i].size);
    index.shown.entries = index.entries;
    index.shown.entry_count = places ? 0 : 3;
    source.index = index;
    source.has_index = true;
}

static void seeking(void **state)
{
    for (int places = 0; places < 2; places++) {
        OPEN("nut", places ? AV_CODEC_ID_MJPEG : AV_CODEC_ID_VP8, nine);
        give_index(places);
        static const int64_t goals[] = {7, 2, 8, 0, 4, 4, 1};
        for (size_t i = 0; i < sizeof goals / sizeof *goals; i++) {
            assert_int_equal(fv_video_seek(&video, goals[i], NULL), FV_OK);
            assert_int_equal(source.next, goals[i]);
            if (video.state != FV_VIDEO_READY)
                assert_int_equal(fv_video_decode(&video, NULL), FV_OK);
            assert_int_equal(video.decoder.picture->pts, goals[i]);
            fv_video_turn(&video, FV_VIDEO_TAKEN);
            source.next++;
        }
        assert_true(file.seeks > 0);
        close_video();
    }
}

/* A wrong time in the index is an error only if the caller is strict. */
static void wrong_index(void **state)
{
    for (int strict = 0; strict < 2; strict++) {
        FvError error = {0};
        OPEN("nut", AV_CODEC_ID_MPEG4, nine);
        give_index(false);
        source.index.time[1] = 20;
        source.strict = strict;
        assert_int_equal(fv_video_advance(&video, 2, &error), strict ? FV_ERROR_INPUT : FV_OK);
        assert_int_equal(video.state, strict ? FV_VIDEO_LOST : FV_VIDEO_NEXT);
        close_video();
    }
}

/* If every packet is a picture, frames that are not needed are never sent to the decoder. */
static void passing(void **state)
{
    OPEN("nut", AV_CODEC_ID_MJPEG, nine);
    source.info.format = (FvFormat){.width = 16, .height = 16, .depth = 8, .chroma = FV_CHROMA_420};
    source.services.need.every = 4;
    fv_skip_choose(&video);
    assert_int_equal(video.skips.how, FV_SKIPPING_PACKETS);
    for (source.next = 0; source.next < 9; source.next++) {
        FvFrame *frame = NULL;
        int64_t time;
        if (source.next % 4) {
            assert_int_equal(fv_skip_frame(&video, &frame, NULL), FV_OK);
            assert_true(fv_frame_is_undecoded(frame) && fv_frame_time(frame, &time));
            assert_int_equal(time, source.next);
            fv_frame_unref(&frame);
        } else {
            assert_int_equal(fv_skip_decode_needed(&video, NULL), FV_OK);
            assert_int_equal(video.decoder.picture->pts, source.next);
        }
    }
    assert_int_equal(codec.sent, 3);
    assert_int_equal(source.undecoded, 6);
    assert_false(fv_skip_lacks_frames(&video));
    source.services.need.every = 2;
    assert_true(fv_skip_lacks_frames(&video));
    close_video();
}

/* ---- Facts ----------------------------------------------------------------------------------------------------- */

static void facts(void **state)
{
    static const uint8_t webp[24] = {'R', 'I', 'F', 'F', 0,   0,  0, 0, 'W', 'E', 'B',
                                     'P', 'V', 'P', '8', 'X', 10, 0, 0, 0,   2};
    FvFacts facts = {.inks = NULL};
    FvError error = {0};
    AVPacket packet = {.data = (uint8_t *)webp, .size = sizeof webp};
    source = (FvSource){.info.path = "VIDEO"};
    fv_facts_take_packet(&facts, &(AVCodecParameters){.codec_id = AV_CODEC_ID_WEBP}, &packet);
    assert_true(facts.animated_webp);
    assert_int_equal(fv_facts_explain(&facts, &source, "no", &error), FV_ERROR_INPUT);
    assert_non_null(strstr(error.message, "webpmux"));
    facts.inks = "is CMYK"; /* reported before an animation, since such a video decodes, but with wrong colours */
    assert_int_equal(fv_facts_explain(&facts, &source, "no", &error), FV_ERROR_INPUT);
    assert_non_null(strstr(error.message, "is CMYK"));
    packet.size = 20; /* a packet that ends before the byte of flags is not an animation */
    facts = (FvFacts){.inks = NULL};
    fv_facts_take_packet(&facts, &(AVCodecParameters){.codec_id = AV_CODEC_ID_WEBP}, &packet);
    assert_false(facts.animated_webp);
    assert_int_equal(fv_facts_explain(&facts, &source, "no", &error), FV_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_in_order), cmocka_unit_test(joined_streams),
        cmocka_unit_test(found_packets),    cmocka_unit_test(pictures),
        cmocka_unit_test(peeking),          cmocka_unit_test(states),
        cmocka_unit_test(seeking),          cmocka_unit_test(wrong_index),
        cmocka_unit_test(passing),          cmocka_unit_test(facts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
