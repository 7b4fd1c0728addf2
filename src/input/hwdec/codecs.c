#include "input/hwdec/codecs.h"

#include <stdio.h>

#include "config.h"
#include "input/libav/calls.h"
#include "os/file.h"
#include "picture/frame.h"

typedef struct Codec {
    enum AVCodecID id;
    const char *name;
    int depth; /* maximum number of bits per sample */
} Codec;

static const Codec codecs[] = {
    {AV_CODEC_ID_H264, "H.264", 8},
    {AV_CODEC_ID_HEVC, "HEVC", 12},
    {AV_CODEC_ID_VP9, "VP9", 12},
    {AV_CODEC_ID_AV1, "AV1", 10},
};

static const Codec *find_codec(enum AVCodecID id)
{
    for (size_t i = 0; i < sizeof codecs / sizeof *codecs; i++)
        if (codecs[i].id == id)
            return &codecs[i];
    return NULL;
}

const char *fv_hwdec_codec_name(enum AVCodecID codec)
{
    const Codec *known = find_codec(codec);
    return known ? known->name : avcodec_get_name(codec);
}

bool fv_hwdec_installed(void)
{
    return FV_HAVE_NVDEC && fv_file_exists("/dev/nvidiactl");
}

/* Profile numbers of ITU-T H.264, A.2, and H.265, A.3. */
enum { H264_BASELINE = 66, H264_MAIN = 77, H264_HIGH = 100, HEVC_MAIN = 1, HEVC_RANGE_EXTENSIONS = 4 };

/*
 * Returns whether hardware decoders may decode the profile. Other profiles have coding tools that hardware decoders
 * lack without reporting it: lossless pictures, palettes of HEVC.
 */
static bool has_profile(enum AVCodecID codec, int profile, int depth)
{
    const int plain = profile & 0xff; /* libavcodec adds the profile's constraints as higher bits */
    if (codec == AV_CODEC_ID_H264)
        return profile > 0 && (plain == H264_BASELINE || plain == H264_MAIN || plain == H264_HIGH);
    return codec != AV_CODEC_ID_HEVC || (profile >= HEVC_MAIN && profile < HEVC_RANGE_EXTENSIONS) ||
           (profile == HEVC_RANGE_EXTENSIONS && depth > 10);
}

bool fv_hwdec_takes(enum AVCodecID codec, int profile, const FvFormat *format, char *why, size_t size)
{
    const Codec *known = find_codec(codec);
    const char *name = fv_hwdec_codec_name(codec);
    *why = '\0';
    if (!known)
        snprintf(why, size, "%s", name);
    else if (format->chroma != FV_CHROMA_420)
        snprintf(why, size, "%s of %s", name, fv_chroma_name(format->chroma));
    else if (format->depth > known->depth || format->depth % 2)
        snprintf(why, size, "%s of %d bits", name, format->depth);
    else if (!has_profile(codec, profile, format->depth))
        snprintf(why, size, "%s of profile %d", name, profile);
    return !*why;
}
