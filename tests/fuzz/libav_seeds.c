/* Writes small files of many containers and codecs, from which the fuzzer starts: libav_seeds FOLDER. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <libavutil/log.h>

#include "../input/video.h"

static const struct {
    const char *file, *encoder, *options, *pixels;
    int side, frames;
} seeds[] = {
    {"ffv1.mkv", "ffv1", "level=3:slicecrc=1", "yuv420p", 16, 2},
    {"mpeg4.avi", "mpeg4", "bf=1", "yuv420p", 16, 3},
    {"h264.mp4", "libx264", "bf=1:preset=ultrafast", "yuv420p", 32, 3},
    {"h264.ts", "libx264", "bf=1:preset=ultrafast", "yuv420p", 32, 3},
    {"h264.h264", "libx264", "bf=1:preset=ultrafast", "yuv420p", 32, 3},
    {"mpeg2.ts", "mpeg2video", NULL, "yuv422p", 32, 2},
    {"mpeg2.mpg", "mpeg2video", NULL, "yuv420p", 32, 2},
    {"hevc.mp4", "libx265", "x265-params=log-level=0", "yuv420p10le", 32, 2},
    {"prores.mov", "prores_ks", NULL, "yuv422p10le", 16, 1},
    {"mjpeg.mov", "mjpeg", NULL, "yuvj420p", 16, 2},
    {"v210.mov", "v210", NULL, "yuv422p10le", 6, 1},
    {"raw.nut", "rawvideo", NULL, "yuv420p10be", 4, 2},
    {"vp9.webm", "libvpx-vp9", NULL, "yuv420p", 32, 2},
    {"vp8.ivf", "libvpx", NULL, "yuv420p", 32, 2},
    {"dnxhd.mxf", "mpeg2video", NULL, "yuv422p", 32, 1},
    {"gray.mkv", "ffv1", NULL, "gray", 4, 2},
};

int main(int argc, char **argv)
{
    char path[4096];
    int written = 0;
    if (argc != 2)
        return 2;
    mkdir(argv[1], 0700);
    av_log_set_level(AV_LOG_FATAL);
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        if (!video_possible(seeds[i].encoder, seeds[i].file))
            continue;
        const bool words = strstr(seeds[i].pixels, "10") != NULL;
        const FvChroma chroma = strstr(seeds[i].pixels, "422")    ? FV_CHROMA_422
                                : strstr(seeds[i].pixels, "gray") ? FV_CHROMA_400
                                                                  : FV_CHROMA_420;
        Clip clip = clip_make(seeds[i].side, seeds[i].side, chroma, words ? 10 : 8, seeds[i].frames);
        for (size_t at = 0; at < clip.frame_bytes * (size_t)clip.frames; at++) /* simple samples make small files */
            clip.bytes[at] = words && at % 2 ? 1 : (uint8_t)(at / 64 * 3);
        snprintf(path, sizeof path, "%s/%s", argv[1], seeds[i].file);
        video_write(path, &clip, seeds[i].pixels, seeds[i].encoder, seeds[i].options);
        clip_free(&clip);
        written++;
    }
    printf("%d files\n", written);
    return !written;
}
