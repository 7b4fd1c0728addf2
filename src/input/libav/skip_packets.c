#include "input/libav/skip_packets.h"

#include "base/rank.h"
#include "input/packet/random_access.h"
#include "os/memory.h"

bool fv_skips_possible(const AVCodecParameters *codec)
{
    return codec->codec_id == AV_CODEC_ID_H264 || codec->codec_id == AV_CODEC_ID_HEVC;
}

/*
 * Lists the codecs in which each packet is certainly one picture that needs no other packet. libavcodec's own list
 * also has codecs with pictures that refer to earlier ones, and with packets of several pictures.
 */
bool fv_skips_whole_packets(const AVCodecParameters *codec)
{
    static const enum AVCodecID whole[] = {
        AV_CODEC_ID_PRORES,   AV_CODEC_ID_DNXHD,   AV_CODEC_ID_MJPEG,   AV_CODEC_ID_JPEG2000, AV_CODEC_ID_DVVIDEO,
        AV_CODEC_ID_HUFFYUV,  AV_CODEC_ID_FFVHUFF, AV_CODEC_ID_UTVIDEO, AV_CODEC_ID_MAGICYUV, AV_CODEC_ID_HAP,
        AV_CODEC_ID_RAWVIDEO, AV_CODEC_ID_V210,    AV_CODEC_ID_R210,    AV_CODEC_ID_R10K,     AV_CODEC_ID_PNG,
        AV_CODEC_ID_TIFF,     AV_CODEC_ID_DPX,     AV_CODEC_ID_EXR,     AV_CODEC_ID_BMP,      AV_CODEC_ID_TARGA};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (whole[i] == codec->codec_id)
            return true;
    return false;
}

void fv_skips_begin(FvSkips *skips, const FvIndex *index, int64_t first, int64_t end, const FvFrameSelection *need)
{
    fv_skips_end(skips);
    if (first >= end || end > index->shown.frames)
        return;
    skips->out = fv_alloc_zero((size_t)(end - first) * sizeof *skips->out);
    if (!skips->out)
        return;
    skips->need = need ? *need : (FvFrameSelection){.every = 0};
    skips->index = index;
    skips->first = first;
    skips->end = end;
}

bool fv_skips_drop(FvSkips *skips, const AVPacket *packet, const AVCodecParameters *codec, int64_t number)
{
    const bool passes = skips->how > FV_SKIPPING_NONE; /* true: skips frames that are not needed; false: drops frames
                                                          before the target of a seek */
    if (passes && packet->flags & AV_PKT_FLAG_DISCARD)
        return false;
    if (skips->how == FV_SKIPPING_PACKETS)
        return !fv_selection_has(&skips->need, number);
    const int64_t *times = skips->out ? skips->index->time + skips->first : NULL, count = skips->end - skips->first;
    const int64_t place = fv_rank(times, count, packet->pts);
    if (place == count || times[place] != packet->pts ||
        (passes && fv_selection_has(&skips->need, skips->first + place)) || !fv_packet_disposable(packet, codec))
        return false;
    skips->out[place] = true;
    return true;
}

int64_t fv_skips_next(const FvSkips *skips, int64_t frame)
{
    while (frame >= skips->first && frame < skips->end && skips->out[frame - skips->first])
        frame++;
    return frame;
}

void fv_skips_end(FvSkips *skips)
{
    fv_free(skips->out);
    skips->out = NULL;
    skips->first = skips->end = 0;
}

void fv_skips_stop(FvSkips *skips)
{
    fv_skips_end(skips);
    skips->how = FV_SKIPPING_NONE;
}
