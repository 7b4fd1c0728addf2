#include "command/ladder_pictures.h"

#include <stdlib.h>

#include "cli/message.h"
#include "encodes/ladder_page.h"
#include "page/worst_pictures.h"
#include "scoring/videos.h"

#define BYTES 900000 /* maximum bytes of all pictures before Base64, so that the page stays below 1.5 MB */

/* Moves the pictures that `to` lacks from `from`, as far as *room bytes suffice. */
static void keep_pictures(LadderPicture *to, const FvReportPicture *from, size_t *room)
{
    for (int i = 0; i < LADDER_MOMENTS; i++)
        if (to[i].bytes_of || from[i].bytes > *room)
            free((void *)from[i].png);
        else {
            to[i] = (LadderPicture){(void *)from[i].png, from[i].bytes};
            *room -= from[i].bytes;
        }
}

/* Returns whether a picture of the reference is missing: an encode that ended early could not make all. */
static bool lacks_reference(const Ladder *ladder)
{
    for (int i = 0; i < ladder->moment_count; i++)
        if (!ladder->pictures[i].bytes_of)
            return true;
    return false;
}

static FvStatus picture_pair(const Pair *pair, int columns, size_t *room)
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
        if (exhibit_frames(&params, ladder->moments, ladder->moment_count, columns, distorted,
                           lacks ? reference : NULL, &error))
            status = error.status;
        else
            ladder->pictured = true;
        if (status && status != FV_ERROR_PARTIAL)
            warn("the page has no pictures of it: %s", error.message);
        status = status == FV_ERROR_MEMORY ? status : FV_OK;
        keep_pictures(pair->result->pictures, distorted, room);
        if (lacks)
            keep_pictures(ladder->pictures, reference, room);
    }
    job_close(&job);
    message_about(NULL);
    return status;
}

/* Reports a stop request after the last frame was scored, unless an encode has reported it. */
static FvStatus fail_stopped(const Run *run)
{
    for (int i = 0; i < run->ladder.count; i++)
        if (run->ladder.results[i].status == FV_ERROR_PARTIAL)
            return FV_OK;
    return report_error(FV_FAIL_STOPPED, "stopped on request: the page has all scores, and lacks pictures");
}

FvStatus ladder_add_pictures(Run *run)
{
    const char *reference = run->options->reference;
    int list[LADDER_PICTURED];
    size_t room = 0;
    FvStatus status = FV_OK;
    if (run->references->count || run->merger || (reference && videos_is_stream(reference)) ||
        run->options->run.score.align)
        return FV_OK;
    ladder_choose_moments(&run->ladder);
    const int count = run->ladder.moment_count ? ladder_pictured(&run->ladder, list) : 0;
    const int pictures = run->ladder.moment_count * (count + 1);
    const int columns = pictures <= 12 ? 800 : pictures <= 24 ? 560 : 400;
    for (int i = 0; i < count; i++) {
        /* The first encode also makes the pictures of the reference. */
        room += (size_t)((i ? 1 : 2) * BYTES / (count + 1));
        const FvStatus failed =
            fv_cancel_requested(run->cancel) ? FV_OK : picture_pair(&run->pairs[list[i]], columns, &room);
        if (fv_cancel_requested(run->cancel))
            return fail_stopped(run);
        status = status ? status : failed;
    }
    return status;
}
