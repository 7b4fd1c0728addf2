/* Aligns two files. Reads them once for signatures, and again where pictures are compared exactly. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "align/align.h"
#include "base/error.h"
#include "input/source.h"
#include "input/source_params.h"
#include "os/memory.h"
#include "picture/frame.h"

#define MOST_FRAMES 200000
#define WINDOW 16 /* number of reference frames kept for exact comparisons */

typedef struct Videos {
    FvSourceParams params[2]; /* parameters for opening each video to read luma */
    FvFormat format[2];
} Videos;

static FvStatus add_signature(FvAlignVideo *video, int *room, const FvFrame *frame, const FvSourceInfo *info,
                              FvError *error)
{
    if (video->frames == MOST_FRAMES)
        return fv_fail(error, FV_FAIL_ALIGNMENT,
                       "%s has more than %d frames, too many to be aligned by content; pair by `align=time`",
                       info->path, MOST_FRAMES);
    if (video->frames == *room) {
        *room = *room ? 2 * *room : 256;
        const size_t bytes = (size_t)*room * FV_SIGNATURE * sizeof(int32_t);
        int32_t *grown = realloc(video->signatures, bytes);
        if (!grown)
            return fv_fail_memory(error, bytes);
        video->signatures = grown;
    }
    fv_signature_make(video->signatures + (size_t)video->frames++ * FV_SIGNATURE, frame);
    return FV_OK;
}

static FvStatus read_signatures(Videos *videos, int side, FvAlignVideo *video, FvError *error)
{
    FvSource *source;
    int room = 0;
    FvStatus status = fv_source_open(&source, &videos->params[side], error);
    if (status)
        return status;
    const FvSourceInfo *info = fv_source_info(source);
    videos->format[side] = info->format;
    if (source->stream.waits)
        status = fv_fail(error, FV_FAIL_READ_ONCE,
                         "%s can be read only once, and aligning by content reads it twice: store it in a file first",
                         info->path);
    else if (info->format.width < 64 || info->format.height < 36)
        status = fv_fail(error, FV_ERROR_INPUT, "%s is %dx%d; aligning by content takes at least 64x36", info->path,
                         info->format.width, info->format.height);
    fv_source_attach(source, &(FvSourceServices){.planes = 1}); /* only luma */
    while (!status) {
        FvFrame *frame = NULL;
        status = fv_source_read(source, &frame, error);
        if (!status)
            status = add_signature(video, &room, frame, info, error);
        fv_frame_unref(&frame);
    }
    fv_source_close(&source);
    return status == FV_END ? FV_OK : status;
}

/* ---- Exact comparison ------------------------------------------------------------------------------------------ */

typedef struct Exact {
    FvSource *source[2];
    int64_t read[2];
    FvFrame *window[WINDOW]; /* the last reference frames read; frame i is at i modulo WINDOW */
    FvFrame *distorted;
} Exact;

static FvStatus read_to(Exact *exact, int side, int64_t number, FvError *error)
{
    FvStatus status = FV_OK;
    while (!status && exact->read[side] <= number) {
        FvFrame **place = side ? &exact->distorted : &exact->window[exact->read[side] % WINDOW];
        fv_frame_unref(place);
        status = fv_source_read(exact->source[side], place, error);
        exact->read[side] += !status;
    }
    if (status == FV_END)
        return fv_fail(error, FV_FAIL_CHANGED, "%s changed while it was aligned; wait until it is complete",
                       exact->source[side]->info.path);
    return status;
}

static FvStatus compare_one(Exact *exact, FvAlignCheck *check, FvError *error)
{
    FvStatus status = read_to(exact, 1, check->frame, error);
    if (!status)
        status = read_to(exact, 0, check->pair + 2, error);
    if (status || check->frame != exact->read[1] - 1 || check->pair - 2 < exact->read[0] - WINDOW)
        return status;
    for (int o = 0; o < 5; o++)
        fv_align_sse(check, o, exact->window[(check->pair + o - 2) % WINDOW], exact->distorted);
    check->known = true;
    return FV_OK;
}

static FvStatus compare(void *opaque, FvAlignCheck *checks, int count, FvError *error)
{
    const Videos *videos = opaque;
    Exact exact = {{NULL}, {0}, {NULL}, NULL};
    FvStatus status = FV_OK;
    for (int side = 0; side < 2 && !status; side++) {
        status = fv_source_open(&exact.source[side], &videos->params[side], error);
        if (!status)
            fv_source_attach(exact.source[side], &(FvSourceServices){.planes = 1});
    }
    for (int i = 0; i < count && !status; i++)
        status = compare_one(&exact, &checks[i], error);
    for (int i = 0; i < WINDOW; i++)
        fv_frame_unref(&exact.window[i]);
    fv_frame_unref(&exact.distorted);
    fv_source_close(&exact.source[0]);
    fv_source_close(&exact.source[1]);
    return status;
}

/* ---- Two files ------------------------------------------------------------------------------------------------- */

static FvStatus judge_mode(const FvAlignment *found, FvAlignMode mode, FvError *error)
{
    if (found->answer == FV_ALIGN_REFUSED)
        return fv_fail(error, FV_FAIL_ALIGNMENT,
                       "the videos cannot be aligned by content: %s; give the offset (`reference.frame_skip`, "
                       "`distorted.frame_skip`), or use `align=time`",
                       found->why);
    if (mode == FV_ALIGN_BY_OFFSET && found->answer == FV_ALIGN_MAP && found->event_count)
        return fv_fail(
            error, FV_FAIL_ALIGNMENT,
            "no single offset aligns the videos: the distorted video drops or repeats frames at %d places, "
            "first at its frame %d; `align=map` pairs the frames that it shows",
            found->event_count, found->events[0].at);
    if (mode == FV_ALIGN_BY_OFFSET && found->answer == FV_ALIGN_MAP)
        return fv_fail(
            error, FV_FAIL_ALIGNMENT,
            "no single offset aligns the videos, because their frame rates differ; `align=map` pairs their frames");
    if (mode == FV_ALIGN_BY_CONTENT && found->constant)
        return fv_fail(error, FV_FAIL_ALIGNMENT,
                       "the videos match with one offset of %" PRId64
                       " frames, but noise hides single drops and repeats: use `align=auto`",
                       found->offset);
    return FV_OK;
}

FvStatus fv_align(FvAlignment **alignment, const FvSourceParams *reference, const FvSourceParams *distorted,
                  FvAlignMode mode, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, alignment);
    *alignment = NULL;
    FV_REQUIRE(error, reference);
    FV_REQUIRE(error, distorted);
    if (mode != FV_ALIGN_BY_OFFSET && mode != FV_ALIGN_BY_CONTENT)
        return fv_fail(error, FV_ERROR_USAGE, "fv_align: mode number %d does not search for an alignment", (int)mode);
    Videos videos = {.params = {fv_source_params_luma(reference), fv_source_params_luma(distorted)}};
    FvAlignVideo video[2] = {{0, NULL}, {0, NULL}};
    FvAlignment *found = fv_alloc_zero(sizeof *found);
    FvStatus status = found ? FV_OK : fv_fail_memory(error, sizeof *found);
    for (int side = 0; side < 2 && !status; side++)
        status = read_signatures(&videos, side, &video[side], error);
    if (!status) {
        const FvFormat *ref = &videos.format[0], *dis = &videos.format[1];
        FvAlignParams params = {.opaque = &videos};
        if (ref->width == dis->width && ref->height == dis->height && ref->depth == dis->depth)
            params.compare = compare;
        if (ref->rate_den && dis->rate_den) {
            params.rate_num = (int64_t)ref->rate_num * dis->rate_den;
            params.rate_den = (int64_t)dis->rate_num * ref->rate_den;
            for (int64_t a = params.rate_num, b = params.rate_den, rest; b; a = b, b = rest) {
                rest = a % b;
                if (!rest) {
                    params.rate_num /= b;
                    params.rate_den /= b;
                    break;
                }
            }
            if (params.rate_num > INT32_MAX || params.rate_den > INT32_MAX)
                params.rate_num = params.rate_den = 0;
        }
        status = fv_align_find(found, &video[0], &video[1], &params, error);
    }
    if (!status)
        status = judge_mode(found, mode, error);
    free(video[0].signatures);
    free(video[1].signatures);
    if (status)
        fv_alignment_close(&found);
    *alignment = found;
    return status;
}

int64_t fv_alignment_frames(const FvAlignment *alignment)
{
    return alignment ? alignment->pair_count : 0;
}

int64_t fv_alignment_pair(const FvAlignment *alignment, int64_t frame)
{
    if (frame < 0 || frame >= fv_alignment_frames(alignment))
        return -1;
    const int64_t pair = alignment->pairs[frame];
    return pair >= 0 && pair < alignment->reference_frames ? pair : -1;
}

void fv_alignment_close(FvAlignment **alignment)
{
    if (!alignment || !*alignment)
        return;
    fv_align_close(*alignment);
    fv_free(*alignment);
    *alignment = NULL;
}
