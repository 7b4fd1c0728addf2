/* Opens and closes the random access to pairs of frames. */
#include "pairs/state.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "os/memory.h"
#include "score/compatibility.h"
#include "score/span.h"
#include "score/ycbcr.h"

/* Decides how the frames of both files are prepared, and which of them are pairs. */
static FvStatus decide(FvPairs *pairs, const FvScoreParams *params, FvError *error)
{
    FvSource *const *source = pairs->files.source;
    fv_comparison_settle(source, params);
    FvComparison comparison = {.params = params,
                               .info = {fv_source_info(source[FV_REFERENCE]), fv_source_info(source[FV_DISTORTED])}};
    FvYcbcr ycbcr;
    FvIsa isa;
    FvStatus status = fv_isa_parse(NULL, &isa, error);
    if (!status)
        status = fv_comparison_decide(&comparison, error);
    if (!status)
        status = fv_ycbcr_decide(&ycbcr, &comparison, error);
    if (!status)
        status = fv_ycbcr_open(&ycbcr, &comparison, pairs->variants, isa, 1, error);
    if (!status)
        status = fv_span_choose(&comparison, error);
    for (int side = 0; side < 2 && !status; side++)
        if (comparison.info[side] &&
            !fv_prepare_is_nothing(&comparison.info[side]->format, &comparison.prepare[side]))
            status = fv_prepare_open(&pairs->preparation[side], &comparison.info[side]->format,
                                     &comparison.prepare[side], isa, 1, error);
    memcpy(pairs->format, comparison.format, sizeof pairs->format);
    pairs->content = params->align == FV_ALIGN_BY_CONTENT ? params->alignment : NULL;
    pairs->order.listed = pairs->content || params->align == FV_ALIGN_BY_TIME;
    memcpy(pairs->order.skip, comparison.skip, sizeof pairs->order.skip);
    pairs->order.frames = comparison.frames;
    return status;
}

FvStatus fv_pairs_open(FvPairs **pairs, const FvSourceParams *reference, const FvSourceParams *distorted,
                       const FvScoreParams *params, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, pairs);
    *pairs = NULL;
    FV_REQUIRE(error, distorted);
    FV_REQUIRE(error, params);
    if (!distorted->path || (reference && !reference->path))
        return fv_fail(error, FV_ERROR_USAGE, "fv_pairs_open: a file has no path");
    FvStatus status = fv_comparison_check_params(params, reference != NULL, error);
    if (status)
        return status;
    FvPairs *p = fv_alloc_zero(sizeof *p);
    if (!p)
        return fv_fail_memory(error, sizeof *p);
    p->asked = -1;
    status = fv_pair_files_open(&p->files, reference, distorted, error);
    if (!status)
        status = decide(p, params, error);
    if (status)
        fv_pairs_close(&p);
    *pairs = p;
    return status;
}

void fv_pairs_close(FvPairs **pairs)
{
    FvPairs *p = pairs ? *pairs : NULL;
    if (!p)
        return;
    fv_pairs_end_matching(p);
    fv_passed_drop_all(&p->passed);
    fv_pair_order_free(&p->order);
    for (int side = 0; side < 2; side++) {
        fv_prepare_close(&p->preparation[side]);
        fv_variants_close(&p->variants[side]);
        fv_source_close(&p->coded[side].source);
    }
    fv_pair_files_close(&p->files);
    fv_free(p);
    *pairs = NULL;
}

void fv_pairs_set_cache(FvPairs *pairs, size_t bytes)
{
    if (!pairs)
        return;
    pairs->passed.room = bytes;
    fv_passed_drop_all(&pairs->passed);
}

const FvSourceInfo *fv_pairs_info(const FvPairs *pairs, int side)
{
    return pairs && (side == 0 || side == 1) ? fv_source_info(pairs->files.source[side]) : NULL;
}
