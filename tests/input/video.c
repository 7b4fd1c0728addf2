#include "video.h"

#include <stdlib.h>
#include <string.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>

bool video_possible(const char *encoder, const char *path)
{
    return avcodec_find_encoder_by_name(encoder) && av_guess_format(NULL, path, NULL);
}

AVFrame *video_picture(const Clip *clip, int number, const char *pixel_format)
{
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(av_get_pix_fmt(pixel_format));
    assert_non_null(format);
    AVFrame *picture = av_frame_alloc();
    picture->format = av_get_pix_fmt(pixel_format);
    picture->width = clip->format.width;
    picture->height = clip->format.height;
    picture->pts = number;
    assert_true(av_frame_get_buffer(picture, 0) >= 0);
    for (int i = 0; i < AV_NUM_DATA_POINTERS && picture->buf[i]; i++)
        memset(picture->buf[i]->data, 0, picture->buf[i]->size);
    uint16_t row[4096];
    assert_true(clip->format.width <= 4096);
    for (int plane = 0; plane < fv_format_planes(&clip->format); plane++) {
        int width, height;
        fv_format_plane_size(&clip->format, plane, &width, &height);
        for (int y = 0; y < height; y++) {
            const uint8_t *from = clip->bytes + clip_offset(clip, number, plane, 0, y);
            for (int x = 0; x < width; x++)
                row[x] = clip->format.depth > 8 ? (uint16_t)(from[2 * x] | from[2 * x + 1] << 8) : from[x];
            av_write_image_line2(row, picture->data, picture->linesize, format, 0, y, plane, width, 2);
        }
    }
    return picture;
}

static void check(int code, const char *what)
{
    if (code < 0)
        fail_msg("%s: %s", what, av_err2str(code));
}

static void drain(AVCodecContext *encoder, AVFormatContext *muxer, AVPacket *packet)
{
    int code;
    while (!(code = avcodec_receive_packet(encoder, packet))) {
        packet->stream_index = 0;
        packet->duration = 1;
        av_packet_rescale_ts(packet, encoder->time_base, muxer->streams[0]->time_base);
        check(av_interleaved_write_frame(muxer, packet), "packet");
    }
    assert_true(code == AVERROR(EAGAIN) || code == AVERROR_EOF);
}

void video_write(const char *path, const Clip *clip, const char *pixel_format, const char *name, const char *options)
{
    const AVCodec *codec = avcodec_find_encoder_by_name(name);
    AVCodecContext *encoder = avcodec_alloc_context3(codec);
    AVFormatContext *muxer = NULL;
    AVPacket *packet = av_packet_alloc();
    check(avformat_alloc_output_context2(&muxer, NULL, NULL, path), path);
    encoder->width = clip->format.width;
    encoder->height = clip->format.height;
    encoder->pix_fmt = av_get_pix_fmt(pixel_format);
    encoder->time_base = (AVRational){1, 25};
    encoder->framerate = (AVRational){25, 1};
    encoder->color_range = clip->format.range == FV_RANGE_FULL      ? AVCOL_RANGE_JPEG
                           : clip->format.range == FV_RANGE_LIMITED ? AVCOL_RANGE_MPEG
                                                                    : AVCOL_RANGE_UNSPECIFIED;
    encoder->strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL;
    if (muxer->oformat->flags & AVFMT_GLOBALHEADER)
        encoder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    AVDictionary *dictionary = NULL;
    if (options)
        check(av_dict_parse_string(&dictionary, options, "=", ":", 0), options);
    check(avcodec_open2(encoder, codec, &dictionary), name);
    assert_int_equal(av_dict_count(dictionary), 0);
    AVStream *stream = avformat_new_stream(muxer, NULL);
    stream->time_base = encoder->time_base;
    stream->avg_frame_rate = encoder->framerate;
    check(avcodec_parameters_from_context(stream->codecpar, encoder), "parameters");
    check(avio_open(&muxer->pb, path, AVIO_FLAG_WRITE), path);
    /* The index of an MP4 file is at its beginning, so a cut leaves it complete. */
    AVDictionary *layout = NULL;
    if (!strcmp(muxer->oformat->name, "mp4"))
        check(av_dict_set(&layout, "movflags", "faststart", 0), path);
    check(avformat_write_header(muxer, &layout), path);
    assert_int_equal(av_dict_count(layout), 0);
    for (int i = 0; i < clip->frames; i++) {
        AVFrame *picture = video_picture(clip, i, pixel_format);
        check(avcodec_send_frame(encoder, picture), "frame");
        av_frame_free(&picture);
        drain(encoder, muxer, packet);
    }
    check(avcodec_send_frame(encoder, NULL), "end");
    drain(encoder, muxer, packet);
    check(av_write_trailer(muxer), path);
    check(avio_closep(&muxer->pb), path);
    avformat_free_context(muxer);
    avcodec_free_context(&encoder);
    av_packet_free(&packet);
}

void video_packet(const char *path, int number, int64_t *position, int *size)
{
    AVFormatContext *demuxer = NULL;
    AVPacket *packet = av_packet_alloc();
    check(avformat_open_input(&demuxer, path, NULL, NULL), path);
    for (int i = 0; i <= number; i++) {
        av_packet_unref(packet);
        check(av_read_frame(demuxer, packet), path);
    }
    *position = packet->pos;
    *size = packet->size;
    av_packet_free(&packet);
    avformat_close_input(&demuxer);
}
