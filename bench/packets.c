#include "packets.h"

#include <stdlib.h>

#include "base/error.h"
#include "input/source.h"

static FvStatus open_source(Packets *packets, FvError *error)
{
    FvSourceParams params = {
        .path = packets->path, .raw = {.depth = packets->depth}, .threads = 1, .decoder = "prores=fovea"};
    FvStatus status = fv_source_open(&packets->source, &params, error);
    if (!status && !packets->source->prores)
        status = fv_fail(error, FV_ERROR_USAGE, "%s is not ProRes that fovea decodes", packets->path);
    if (status)
        return status;
    packets->source->services.hands_packets = true;
    packets->format = packets->source->info.format;
    return FV_OK;
}

FvStatus packets_read(Packets *packets, int count, FvError *error)
{
    if (count <= packets->count)
        return FV_OK;
    FvFrame **frames = realloc(packets->frames, (size_t)count * sizeof *frames);
    if (!frames)
        return fv_fail_memory(error, (size_t)count * sizeof *frames);
    packets->frames = frames;
    FvStatus status = FV_OK;
    while (packets->count < count && !status) {
        if (!packets->source)
            status = open_source(packets, error);
        if (!status)
            status = fv_source_read(packets->source, &packets->frames[packets->count], error);
        if (status == FV_END) {
            fv_source_close(&packets->source);
            status = FV_OK;
        } else {
            packets->count += !status;
        }
    }
    return status;
}

void packets_free(Packets *packets)
{
    for (int i = 0; i < packets->count; i++)
        fv_frame_unref(&packets->frames[i]);
    free(packets->frames);
    fv_source_close(&packets->source);
}
