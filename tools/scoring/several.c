#include "scoring/several.h"

#include <stdio.h>
#include <string.h>

/*
 * A second GPU costs half a second to start. One H200 decodes 18e9 luma samples of HEVC a second, so that it works
 * half a minute for this many: docs/performance.md, "What auto takes".
 */
#define LONG_WORK 5e11

bool several_choose(char *list, size_t size, const FvDeviceInfo *const *devices, int count, double samples)
{
    const FvDeviceInfo *first = NULL;
    size_t used = 0;
    int chosen = 0;
    *list = '\0';
    for (int i = 0; i < count && samples >= LONG_WORK; i++) {
        const FvDeviceInfo *info = devices[i];
        if (!info->usable || info->software || !strcmp(info->name, "cpu"))
            continue;
        first = first ? first : info;
        const size_t kind = strcspn(first->name, ":");
        if (strncmp(info->name, first->name, kind + 1) || strcmp(info->title, first->title) ||
            used + strlen(info->name) + 2 > size)
            continue;
        used += (size_t)snprintf(list + used, size - used, "%s%s", chosen++ ? "," : "", info->name);
    }
    if (chosen < 2)
        *list = '\0';
    return chosen > 1;
}

bool several_find(char *list, size_t size, const Opened *opened)
{
    const char *asked = opened->run.session.device;
    const FvDeviceInfo *info[64];
    FvDeviceList *devices;
    const int64_t limit = opened->run.score.frames, expected = scoring_expects(opened);
    const int64_t pairs = limit && limit < expected ? limit : expected;
    double samples = 0;
    int count = 0;
    bool coded = !asked || !strcmp(asked, "auto");
    *list = '\0';
    for (int side = 0; side < 2; side++) {
        const FvSourceInfo *video = fv_source_info(opened->source[side]);
        samples += video ? (double)pairs * video->format.width * video->format.height : 0;
        coded &= !video || strcmp(video->codec, "rawvideo"); /* raw video is bound by memory, not by the GPU */
    }
    if (!coded || samples < LONG_WORK || fv_devices_list(&devices, NULL))
        return false;
    for (; count < fv_devices_count(devices) && count < 64; count++)
        info[count] = fv_devices_info(devices, count);
    const bool several = several_choose(list, size, info, count, samples);
    fv_devices_close(&devices);
    return several;
}
