#include "input/libav/skips.h"

#include "base/rank.h"
#include "input/packet/random_access.h"
#include "os/memory.h"

bool fv_skips_possible(const AVCodecParameters *codec)
{
    return codec->codec_id == AV_CODEC_ID_H264 || codec->codec_id == AV_CODEC_ID_HEVC;
}

void fv_skips_begin(FvSkips *skips, const FvIndex *index, int64_t first, int64_t end, const FvNeed *need)
{
    fv_skips_end(skips);
    if (first >= end || end > index->shown.frames)
        return;
    skips->out = fv_alloc_zero((size_t)(end - first) * sizeof *skips->out);
    if (skips->out)
        *skips = (FvSkips){index, first, end, skips->out, need};
}

bool fv_skips_take(FvSkips *skips, const AVPacket *packet, const AVCodecParameters *codec)
{
    const int64_t *times = skips->index ? skips->index->time + skips->first : NULL, count = skips->end - skips->first;
    const int64_t place = fv_rank(times, count, packet->pts);
    if (place == count || times[place] != packet->pts ||
        (skips->need && fv_need_has(skips->need, skips->first + place)) || !fv_packet_disposable(packet, codec))
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
    *skips = (FvSkips){.index = NULL};
}
