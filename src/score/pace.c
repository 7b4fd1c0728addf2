#include "score/pace.h"

#include <stdio.h>
#include <string.h>

static double rate(int64_t frames, double seconds)
{
    return frames > 0 && seconds > 0 ? (double)frames / seconds : 0;
}

/* Seconds of one side's work, by kind. */
typedef struct Share {
    double reading, decoding, preparing, transferring;
} Share;

static Share share_of(const FvPacing *pacing, int side)
{
    const FvWorked *worked = &pacing->worked[side];
    const double video = worked->seconds - worked->preparing - worked->transferring;
    const double reading = pacing->decodes[side] ? worked->reading : video;
    return (Share){reading, video - reading, worked->preparing, worked->transferring};
}

/* Names the side whose reader works longer, and its main work. */
static void tell_reader(const FvPacing *pacing, char *text, size_t size)
{
    const int side = !pacing->path[0] || pacing->worked[1].seconds > pacing->worked[0].seconds;
    const Share share = share_of(pacing, side);
    if (share.transferring > share.reading + share.decoding + share.preparing) {
        snprintf(text, size, "transfer to %s", pacing->device);
        return;
    }
    const char *what = share.preparing > share.decoding && share.preparing > share.reading ? "preparing"
                       : share.decoding > share.reading                                    ? "decoding"
                                                                                           : "reading";
    const char *path = pacing->path[side] ? pacing->path[side] : "", *name = strrchr(path, '/');
    snprintf(text, size, "%s %s", what, name ? name + 1 : path);
}

/* Seconds for which frames were awaited while no reader worked, because the scoring threads used the processors. */
static double waited_for_scoring(const FvPacing *pacing)
{
    const double *a = &pacing->worked[0].seconds, *b = &pacing->worked[1].seconds;
    const double more = pacing->waited - (*a > *b ? *a : *b);
    const double most = pacing->scoring > 0 ? pacing->scoring / pacing->threads : 0;
    return more < 0 ? 0 : more < most ? more : most;
}

static double scored(const FvPacing *pacing)
{
    return pacing->pushed - pacing->transferring + waited_for_scoring(pacing);
}

bool fv_pace_waits(const FvPacing *pacing)
{
    const double waited = pacing->waited - waited_for_scoring(pacing);
    return waited >= scored(pacing) || pacing->transferring > scored(pacing);
}

void fv_pace_tell(FvPace *pace, const FvPacing *pacing, char *text, size_t size)
{
    const double starved = waited_for_scoring(pacing);
    const double scoring = scored(pacing);
    double transferring = pacing->transferring;
    for (int side = 0; side < 2; side++)
        if (pacing->worked[side].transferring > transferring)
            transferring = pacing->worked[side].transferring;
    *pace = (FvPace){.transfer = rate(pacing->frames, transferring),
                     .scoring = rate(pacing->frames * pacing->threads, pacing->scoring)};
    for (int side = 0; side < 2; side++) {
        const Share share = share_of(pacing, side);
        const int64_t frames = pacing->worked[side].frames;
        pace->reading[side] = rate(frames, share.reading);
        pace->decoding[side] = pacing->decodes[side] ? rate(frames, share.decoding) : 0;
        pace->preparing[side] = rate(frames, share.preparing);
    }
    if (pacing->frames < 1)
        return;
    if (pacing->waited - starved >= scoring && pacing->waited - starved >= pacing->transferring)
        tell_reader(pacing, text, size);
    else
        snprintf(text, size, scoring >= pacing->transferring ? "scoring on %s" : "transfer to %s", pacing->device);
    pace->limited_by = text;
}
