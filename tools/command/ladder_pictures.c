#include "command/ladder_pictures.h"

#include <stdlib.h>

#include "cli/message.h"
#include "image/picture.h"
#include "result/ladder_page.h"
#include "result/worst_pictures.h"
#include "scoring/videos.h"

#define PICTURED 12 /* encodes of which the page has pictures */

/* Those that are missing. */
static void keep_pictures(LadderPicture *to, const FvReportPicture *from)
{
    for (int i = 0; i < LADDER_MOMENTS; i++)
        if (to[i].png)
            free((void *)from[i].png);
        else
            to[i] = (LadderPicture){(void *)from[i].png, from[i].bytes};
}

/* An encode that ends early leaves some to the others. */
static bool lacks_reference(const Ladder *ladder)
{
    for (int i = 0; i < ladder->moment_count; i++)
        if (!ladder->pictures[i].png)
            return true;
    return false;
}

static FvStatus picture_pair(const Pair *pair)
{
    Ladder *ladder = &pair->run->ladder;
    Job job = {.options = &pair->options};
    FvReportPicture distorted[LADDER_MOMENTS] = {{0}}, reference[LADDER_MOMENTS] = {{0}};
    FvError error = {0};
    const bool lacks = lacks_reference(ladder);
    message_about(pair->options.distorted);
    FvStatus status = job_open(&job);
    if (!status) {
        ExhibitParams params = {.params = &job.opened.run.score, .threads = job.opened.run.source[1].threads};
        for (int side = fv_session_needs_reference(job.opened.session) ? 0 : 1; side < 2; side++)
            params.file[side] = job.opened.run.source[side];
        if (exhibit_frames(&params, ladder->moments, ladder->moment_count, distorted, lacks ? reference : NULL,
                           &error))
            status = error.status;
        else
            ladder->pictured = true;
        if (status && status != FV_ERROR_PARTIAL)
            warn("the page has no pictures of it: %s", error.message);
        status = status == FV_ERROR_MEMORY ? status : FV_OK;
        keep_pictures(pair->rung->pictures, distorted);
        if (lacks)
            keep_pictures(ladder->pictures, reference);
    }
    job_close(&job);
    message_about(NULL);
    return status;
}

/* A stop after the last frame was scored is not told by any encode. */
static FvStatus fail_stopped(const Run *run)
{
    for (int i = 0; i < run->ladder.count; i++)
        if (run->ladder.rungs[i].status == FV_ERROR_PARTIAL)
            return FV_OK;
    return complain(FV_ERROR_PARTIAL, "stopped on request: the page has all scores, and lacks pictures");
}

FvStatus ladder_add_pictures(Run *run)
{
    const char *reference = run->options->reference;
    int pictured = 0;
    FvStatus status = FV_OK;
    if (run->references->count || run->merger || !picture_has_png() || (reference && videos_is_stream(reference)))
        return FV_OK;
    if (!run->options->run.score.align)
        ladder_choose_moments(&run->ladder);
    for (int i = 0; i < run->ladder.count && run->ladder.moment_count && pictured < PICTURED; i++)
        if (run->ladder.rungs[i].scored) {
            const FvStatus failed = fv_cancel_requested(run->cancel) ? FV_OK : picture_pair(&run->pairs[i]);
            if (fv_cancel_requested(run->cancel))
                return fail_stopped(run);
            status = status ? status : failed;
            pictured++;
        }
    return status;
}
