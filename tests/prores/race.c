/*
 * Compares the speed of fovea's ProRes decoder with libavcodec's, both on one thread, with packets in memory and
 * reused output frames, so that only decoding is timed. Each round decodes the clip once with each decoder. The
 * program prints medians of CPU time.
 *
 *     race-prores CLIP.mov [ROUNDS] [ISA]
 */
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "codec/prores/prores.h"
#include "order.h"

enum { MAX_PACKETS = 64, MAX_ROUNDS = 101 };

static AVPacket *packets[MAX_PACKETS];
static int packet_count;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, fv_compare_reals);
    return values[count / 2];
}

static const AVCodecParameters *read_packets(AVFormatContext *input)
{
    int stream = av_find_best_stream(input, AVMEDIA_TYPE_VIDEO, -1, -1, NULL, 0);
    if (stream < 0 || input->streams[stream]->codecpar->codec_id != AV_CODEC_ID_PRORES)
        return NULL;
    for (AVPacket *packet = av_packet_alloc(); packet_count < MAX_PACKETS && av_read_frame(input, packet) >= 0;
         packet = av_packet_alloc())
        if (packet->stream_index == stream)
            packets[packet_count++] = packet;
    return input->streams[stream]->codecpar;
}

static double race_libavcodec(AVCodecContext *codec, AVFrame *frame)
{
    double start = seconds();
    for (int i = 0; i < packet_count; i++)
        if (avcodec_send_packet(codec, packets[i]) || avcodec_receive_frame(codec, frame))
            exit(1);
    return seconds() - start;
}

static double race_fovea(FvProresDecoder *decoder, FvFrame *frame, int depth)
{
    FvProresHeader header;
    FvProresDamage damage;
    double start = seconds();
    for (int i = 0; i < packet_count; i++)
        if (fv_prores_parse(&header, packets[i]->data, (size_t)packets[i]->size, depth, NULL) ||
            fv_prores_decode(decoder, &header, packets[i]->data, (size_t)packets[i]->size, frame, NULL, &damage,
                             NULL))
            exit(1);
    return seconds() - start;
}

/* Returns whether the planes of both decoders' last frames are equal. */
static bool same(const FvFrame *ours, const AVFrame *theirs)
{
    for (int plane = 0; plane < 3; plane++) {
        int width, height;
        fv_format_plane_size(&ours->format, plane, &width, &height);
        for (int y = 0; y < height; y++)
            if (memcmp(ours->data[plane] + y * ours->stride[plane], theirs->data[plane] + y * theirs->linesize[plane],
                       2 * (size_t)width))
                return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    AVFormatContext *input = NULL;
    const AVCodecParameters *parameters = NULL;
    if (argc > 1 && !avformat_open_input(&input, argv[1], NULL, NULL) && avformat_find_stream_info(input, NULL) >= 0)
        parameters = read_packets(input);
    if (!parameters || !packet_count) {
        fprintf(stderr, "usage: race-prores CLIP.mov [ROUNDS] [ISA]; the clip must hold ProRes\n");
        return 2;
    }
    int rounds = argc > 2 ? atoi(argv[2]) : 21;
    rounds = rounds < 1 ? 1 : rounds > MAX_ROUNDS ? MAX_ROUNDS : rounds;
    uint32_t tag = parameters->codec_tag;
    int depth = tag == MKTAG('a', 'p', '4', 'h') || tag == MKTAG('a', 'p', '4', 'x') ? 12 : 10;

    AVCodecContext *codec = avcodec_alloc_context3(avcodec_find_decoder(AV_CODEC_ID_PRORES));
    AVFrame *theirs = av_frame_alloc();
    avcodec_parameters_to_context(codec, parameters);
    codec->thread_count = 1;
    FvProresDecoder *decoder = NULL;
    FvProresHeader header;
    FvFrame *ours = NULL;
    FvIsa isa;
    FvError error = {0};
    if (avcodec_open2(codec, NULL, NULL) || fv_isa_parse(argc > 3 ? argv[3] : NULL, &isa, &error) ||
        fv_prores_open(&decoder, isa, 1, &error) ||
        fv_prores_parse(&header, packets[0]->data, (size_t)packets[0]->size, depth, &error) ||
        fv_frame_alloc(&ours, &header.format, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    static double peer[MAX_ROUNDS], own[MAX_ROUNDS], ratio[MAX_ROUNDS];
    race_libavcodec(codec, theirs);
    race_fovea(decoder, ours, depth);
    for (int i = 0; i < rounds; i++) {
        peer[i] = race_libavcodec(codec, theirs) * 1e3 / packet_count;
        own[i] = race_fovea(decoder, ours, depth) * 1e3 / packet_count;
        ratio[i] = peer[i] / own[i];
    }
    bool equal = same(ours, theirs);
    printf("%dx%d %d-bit, %s: libavcodec %.2f ms, fovea %.2f ms, ratio %.2f, %s\n", header.format.width,
           header.format.height, depth, fv_isa_name(isa), median(peer, rounds), median(own, rounds),
           median(ratio, rounds), equal ? "same samples" : "OTHER SAMPLES");
    fv_prores_close(&decoder);
    fv_frame_unref(&ours);
    av_frame_free(&theirs);
    avcodec_free_context(&codec);
    avformat_close_input(&input);
    for (int i = 0; i < packet_count; i++)
        av_packet_free(&packets[i]);
    return equal ? 0 : 1;
}
