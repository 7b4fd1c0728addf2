#include "image/md5.h"

#if FV_HAVE_NETTLE
#include <nettle/md5.h>

#include "little_endian.h"

bool md5_available(void)
{
    return true;
}

static void add_frame(struct md5_ctx *md5, const FvFrame *frame)
{
    for (int plane = 0; plane < fv_format_planes(&frame->format); plane++) {
        int width, height;
        fv_format_plane_size(&frame->format, plane, &width, &height);
        const size_t sample = (size_t)fv_format_sample_bytes(&frame->format), bytes = (size_t)width * sample;
        uint8_t part[4096];
        for (int y = 0; y < height; y++)
            for (size_t at = 0, size; at < bytes; at += size) {
                size = bytes - at < sizeof part ? bytes - at : sizeof part;
                fv_copy_little(part, frame->data[plane] + y * frame->stride[plane] + at, size, sample);
                md5_update(md5, size, part);
            }
    }
}

char *md5_frames(char text[MD5_TEXT], const FvFrame *const *frames, int count)
{
    struct md5_ctx md5;
    uint8_t digest[MD5_DIGEST_SIZE];
    md5_init(&md5);
    for (int i = 0; i < count; i++)
        if (frames[i])
            add_frame(&md5, frames[i]);
    md5_digest(&md5, sizeof digest, digest);
    for (int i = 0; i < MD5_DIGEST_SIZE; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    return text;
}

#else

bool md5_available(void)
{
    return false;
}

char *md5_frames(char text[MD5_TEXT], const FvFrame *const *frames, int count)
{
    text[0] = 0;
    return text;
}

#endif
