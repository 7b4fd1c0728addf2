/*
 * Tests frame rates that containers state. The same rate is recognised in every container and at any length.
 * Different rates are refused if the container can distinguish them. One coded picture is repeated to make each
 * video.
 */
#include <string.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

#include "video.h"

static const AVRational rates[] = {{24000, 1001}, {24, 1}, {25, 1},       {30000, 1001},
                                   {30, 1},       {50, 1}, {60000, 1001}, {60, 1}};
#define RATES ((int)(sizeof rates / sizeof *rates))

typedef struct Container {
    const char *ending, *encoder;
    bool exact; /* the container distinguishes all rates */
} Container;

static const Container containers[] = {
    {"mp4", "libx264", true}, {"mov", "libx264", true},  {"mkv", "libx264", true}, {"webm", "libvpx", true},
    {"ts", "libx264", true},  {"flv", "libx264", false}, {"avi", "libx264", true}, {"y4m", "wrapped_avframe", true},
};
#define CONTAINERS ((int)(sizeof containers / sizeof *containers))

static const int lengths[] = {10, 100, 3600};
#define LENGTHS ((int)(sizeof lengths / sizeof *lengths))

static void check(int code, const char *what)
{
    if (code < 0)
        fail_msg("%s: %s", what, av_err2str(code));
}

static AVCodecContext *open_encoder(const Container *container, AVRational rate, bool global)
{
    const AVCodec *codec = avcodec_find_encoder_by_name(container->encoder);
    AVCodecContext *encoder = avcodec_alloc_context3(codec);
    AVDictionary *options = NULL;
    encoder->width = encoder->height = 32;
    encoder->pix_fmt = AV_PIX_FMT_YUV420P;
    encoder->time_base = av_inv_q(rate);
    encoder->framerate = rate;
    encoder->gop_size = 1;
    encoder->thread_count = 1;
    if (global)
        encoder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    if (strstr(container->encoder, "x264"))
        check(av_dict_parse_string(&options, "preset=ultrafast:tune=zerolatency", "=", ":", 0), "options");
    check(avcodec_open2(encoder, codec, &options), container->encoder);
    av_dict_free(&options);
    return encoder;
}

/* Returns the first coded picture. */
static AVPacket *encode_one(AVCodecContext *encoder, AVFrame *picture)
{
    AVPacket *packet = av_packet_alloc();
    picture->pts = 0;
    check(avcodec_send_frame(encoder, picture), "picture");
    if (avcodec_receive_packet(encoder, packet)) {
        check(avcodec_send_frame(encoder, NULL), "end");
        check(avcodec_receive_packet(encoder, packet), "packet");
    }
    return packet;
}

static void write_video(const char *path, const Container *container, AVRational rate, int frames)
{
    AVFormatContext *muxer = NULL;
    Clip clip = clip_make(32, 32, FV_CHROMA_420, 8, 1);
    AVFrame *picture = video_picture(&clip, 0, "yuv420p");
    check(avformat_alloc_output_context2(&muxer, NULL, NULL, path), path);
    AVCodecContext *encoder = open_encoder(container, rate, muxer->oformat->flags & AVFMT_GLOBALHEADER);
    AVStream *stream = avformat_new_stream(muxer, NULL);
    stream->time_base = encoder->time_base;
    stream->avg_frame_rate = rate;
    check(avcodec_parameters_from_context(stream->codecpar, encoder), path);
    check(avio_open(&muxer->pb, path, AVIO_FLAG_WRITE), path);
    check(avformat_write_header(muxer, NULL), path);
    AVPacket *packet = encode_one(encoder, picture);
    for (int i = 0; i < frames; i++) {
        AVPacket *copy = av_packet_clone(packet);
        copy->pts = copy->dts = i;
        copy->duration = 1;
        copy->stream_index = 0;
        copy->flags |= AV_PKT_FLAG_KEY;
        av_packet_rescale_ts(copy, encoder->time_base, stream->time_base);
        check(av_interleaved_write_frame(muxer, copy), path);
        av_packet_free(&copy);
    }
    check(av_write_trailer(muxer), path);
    check(avio_closep(&muxer->pb), path);
    avformat_free_context(muxer);
    av_packet_free(&packet);
    av_frame_free(&picture);
    avcodec_free_context(&encoder);
    clip_free(&clip);
}

/* Makes and opens a video of this rate. Returns NULL if this libav lacks the encoder. */
static FvSource *open_video(const Container *container, AVRational rate, int frames)
{
    char name[32];
    FvError error = {0};
    FvSource *source = NULL;
    snprintf(name, sizeof name, "rate-%d-%d-%d.%s", rate.num, rate.den, frames, container->ending);
    const char *path = scratch_path(name);
    if (!video_possible(container->encoder, path))
        return NULL;
    write_video(path, container, rate, frames);
    if (fv_source_open(&source, &(FvSourceParams){.path = path, .threads = 1}, &error))
        fail_msg("%s", error.message);
    return source;
}

static bool fit(const FvSource *reference, const FvSource *distorted)
{
    FvFormat formats[2];
    FvError error = {0};
    if (!fv_score_formats(reference, distorted, &(FvScoreParams){0}, formats, &error))
        return true;
    if (!strstr(error.message, "`ignore_rate`"))
        fail_msg("%s", error.message);
    return false;
}

static void describe(char *text, size_t size, const FvSource *source)
{
    const FvSourceInfo *info = fv_source_info(source);
    snprintf(text, size, "%s %d/%d +- %g s", info->container, info->format.rate_num, info->format.rate_den,
             info->rate_error);
}

static void test_equal(void **state)
{
    for (int r = 0; r < RATES; r++) {
        FvSource *sources[CONTAINERS][LENGTHS];
        for (int c = 0; c < CONTAINERS; c++)
            for (int l = 0; l < LENGTHS; l++)
                sources[c][l] = open_video(&containers[c], rates[r], lengths[l]);
        for (int i = 0; i < CONTAINERS * LENGTHS; i++)
            for (int k = 0; k < CONTAINERS * LENGTHS; k++) {
                FvSource *a = sources[i / LENGTHS][i % LENGTHS], *b = sources[k / LENGTHS][k % LENGTHS];
                char texts[2][96];
                if (!a || !b || fit(a, b))
                    continue;
                describe(texts[0], sizeof texts[0], a);
                describe(texts[1], sizeof texts[1], b);
                fail_msg("%d/%d: %s is not %s", rates[r].num, rates[r].den, texts[0], texts[1]);
            }
        for (int i = 0; i < CONTAINERS * LENGTHS; i++)
            fv_source_close(&sources[i / LENGTHS][i % LENGTHS]);
    }
}

static void test_different(void **state)
{
    FvSource *sources[CONTAINERS][RATES];
    for (int c = 0; c < CONTAINERS; c++)
        for (int r = 0; r < RATES; r++)
            sources[c][r] = open_video(&containers[c], rates[r], 100);
    for (int c = 0; c < CONTAINERS; c++)
        for (int k = 0; k < CONTAINERS; k++)
            for (int r = 0; r < RATES; r++)
                for (int s = 0; s < RATES; s++) {
                    FvSource *a = sources[c][r], *b = sources[k][s];
                    /* Rates that differ by 1/1001 drift by a tenth of a frame in 100 frames, so they count as
                     * equal. */
                    const bool told =
                        av_q2d(rates[r]) / av_q2d(rates[s]) < 0.998 || av_q2d(rates[r]) / av_q2d(rates[s]) > 1.002;
                    char texts[2][96];
                    if (!a || !b || r == s || !told || !fit(a, b))
                        continue;
                    describe(texts[0], sizeof texts[0], a);
                    describe(texts[1], sizeof texts[1], b);
                    fail_msg("%s is taken for %s", texts[0], texts[1]);
                }
    for (int c = 0; c < CONTAINERS; c++)
        for (int r = 0; r < RATES; r++)
            fv_source_close(&sources[c][r]);
}

/* Matroska's header rounds the rate to three digits. */
static void test_rounded(void **state)
{
    FvSource *exact = open_video(&containers[7], (AVRational){24000, 1001}, 10);
    FvSource *other = open_video(&containers[7], (AVRational){24, 1}, 600);
    FvSource *drifts = open_video(&containers[7], (AVRational){24000, 1001}, 600);
    FvSource *rounded = open_video(&containers[2], (AVRational){2997, 125}, 10);
    if (exact && rounded) {
        assert_true(fit(exact, rounded) && fit(rounded, exact));
    }
    if (other && drifts)
        assert_false(fit(other, drifts)); /* the videos drift apart by 0.6 frames */
    fv_source_close(&exact);
    fv_source_close(&other);
    fv_source_close(&drifts);
    fv_source_close(&rounded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal),
        cmocka_unit_test(test_different),
        cmocka_unit_test(test_rounded),
    };
    av_log_set_level(AV_LOG_QUIET);
    return cmocka_run_group_tests_name("rates", tests, scratch_open, scratch_close);
}
