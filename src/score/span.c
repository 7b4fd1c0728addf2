#include "score/span.h"

#include "base/error.h"

int64_t fv_span_pairs(int64_t frames, int64_t ref, int64_t dis)
{
    const int64_t both = ref < dis ? ref : dis;
    return frames > 0 && frames < both ? frames : both;
}

bool fv_span_fits(const FvScoreParams *params, int64_t frames, int64_t ref, int64_t dis)
{
    return ref == dis || params->shortest || (frames > 0 && frames <= ref && frames <= dis);
}

/* Returns the number of the first frame shown at `time` microseconds or later, by the frame rate. */
static int64_t frame_at(const FvFormat *format, int64_t time)
{
    __extension__ typedef __int128 Wide;
    const Wide unit = (Wide)1000000 * format->rate_den;
    return (int64_t)(((Wide)time * format->rate_num + unit - 1) / unit);
}

FvStatus fv_span_choose(FvComparison *comparison, FvError *error)
{
    const FvScoreParams *params = comparison->params;
    comparison->skip[FV_REFERENCE] = params->skip_reference;
    comparison->skip[FV_DISTORTED] = params->skip_distorted;
    comparison->frames = params->frames;
    if (params->align == FV_ALIGN_BY_OFFSET) {
        const FvAlignment *found = params->alignment;
        const int64_t offset = found->offset;
        comparison->skip[FV_REFERENCE] = offset > 0 ? offset : 0;
        comparison->skip[FV_DISTORTED] = offset < 0 ? -offset : 0;
        comparison->frames = fv_span_pairs(params->frames, found->reference_frames - comparison->skip[FV_REFERENCE],
                                           found->pair_count - comparison->skip[FV_DISTORTED]);
    }
    if (!params->start && !params->duration)
        return FV_OK;
    for (int side = 0; side < 2; side++) {
        if (!comparison->info[side])
            continue;
        if (!comparison->info[side]->format.rate_den)
            return fv_fail(error, FV_ERROR_INPUT,
                           "%s does not state its frame rate, which a start or duration in seconds needs; give it "
                           "with `rate`, or "
                           "give frames to skip and a number of frames",
                           comparison->info[side]->path);
        comparison->skip[side] += frame_at(&comparison->info[side]->format, params->start);
    }
    const int64_t frames = frame_at(&comparison->info[FV_DISTORTED]->format, params->duration);
    if (params->duration && (!comparison->frames || frames < comparison->frames))
        comparison->frames = frames;
    return FV_OK;
}
