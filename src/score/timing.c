#include "score/timing.h"

#include <stdio.h>
#include <string.h>

#include "path_names.h"

static double rate(int64_t frames, double seconds)
{
    return frames > 0 && seconds > 0 ? (double)frames / seconds : 0;
}

/* Seconds of work of one side, by kind. */
typedef struct Share {
    double reading, decoding, preparing, transferring;
} Share;

static Share share_of(const FvWorkTimes *times, int side)
{
    const FvWorked *worked = &times->worked[side];
    const double video = worked->seconds - worked->preparing - worked->transferring;
    const double reading = times->decodes[side] ? worked->reading : video;
    return (Share){reading, video - reading, worked->preparing, worked->transferring};
}

/* Names the side whose reader works longer, and its main work. */
static void report_reader(const FvWorkTimes *times, char *text, size_t size)
{
    const int side = !times->path[0] || times->worked[1].seconds > times->worked[0].seconds;
    const Share share = share_of(times, side);
    if (share.transferring > share.reading + share.decoding + share.preparing) {
        snprintf(text, size, "transfer to %s", times->device);
        return;
    }
    const char *what = share.preparing > share.decoding && share.preparing > share.reading ? "preparing"
                       : share.decoding > share.reading                                    ? "decoding"
                                                                                           : "reading";
    snprintf(text, size, "%s %s", what, times->path[side] ? fv_base_name(times->path[side]) : "");
}

/*
 * Returns the seconds of waiting for frames while no reader worked, because the scoring threads used the processors.
 */
static double waited_for_scoring(const FvWorkTimes *times)
{
    const double *a = &times->worked[0].seconds, *b = &times->worked[1].seconds;
    const double more = times->waited - (*a > *b ? *a : *b);
    const double most = times->scoring > 0 ? times->scoring / times->threads : 0;
    return more < 0 ? 0 : more < most ? more : most;
}

static double scored(const FvWorkTimes *times)
{
    return times->pushed - times->transferring + waited_for_scoring(times);
}

bool fv_timing_waits(const FvWorkTimes *times)
{
    const double waited = times->waited - waited_for_scoring(times);
    return waited >= scored(times) || times->transferring > scored(times);
}

void fv_timing_fill(FvTiming *timing, const FvWorkTimes *times, char *text, size_t size)
{
    const double starved = waited_for_scoring(times);
    const double scoring = scored(times);
    double transferring = times->transferring;
    for (int side = 0; side < 2; side++)
        if (times->worked[side].transferring > transferring)
            transferring = times->worked[side].transferring;
    *timing = (FvTiming){.transfer = rate(times->frames, transferring),
                         .scoring = rate(times->frames * times->threads, times->scoring)};
    for (int side = 0; side < 2; side++) {
        const Share share = share_of(times, side);
        const int64_t frames = times->worked[side].frames;
        timing->reading[side] = rate(frames, share.reading);
        timing->decoding[side] = times->decodes[side] ? rate(frames, share.decoding) : 0;
        timing->preparing[side] = rate(frames, share.preparing);
    }
    if (times->frames < 1)
        return;
    if (times->waited - starved >= scoring && times->waited - starved >= times->transferring)
        report_reader(times, text, size);
    else
        snprintf(text, size, scoring >= times->transferring ? "scoring on %s" : "transfer to %s", times->device);
    timing->limited_by = text;
}
