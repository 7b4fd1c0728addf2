#include "score/ycbcr.h"

#include "base/error.h"
#include "picture/rgb.h"

static int matrix_of(const FvSourceInfo *info)
{
    return info && info->format.chroma == FV_CHROMA_RGB ? info->rgb_matrix : 0;
}

static FvStatus check_matrix(const FvSourceInfo *info, FvError *error)
{
    return !matrix_of(info) || fv_rgb_has_matrix(matrix_of(info))
               ? FV_OK
               : fv_fail(error, FV_ERROR_USAGE,
                         "%s: RGB is converted by the matrix of BT.709, BT.601 or BT.2020 (1, 5, 6 or 9 of H.273), "
                         "not %d",
                         info->path, matrix_of(info));
}

/* Records that the metrics of the session get different frames. */
static FvStatus report(const FvComparison *comparison, FvError *error)
{
    char takers[256], others[256];
    if (!comparison->session)
        return FV_OK;
    fv_session_rgb_metrics(comparison->session, true, takers, sizeof takers);
    fv_session_rgb_metrics(comparison->session, false, others, sizeof others);
    return fv_session_decide(comparison->session, error, "RGB is kept%s%s, and made Y'CbCr for %s",
                             *takers ? " for " : "", takers, others);
}

FvStatus fv_ycbcr_decide(FvYcbcr *ycbcr, const FvComparison *comparison, FvError *error)
{
    char others[256] = "";
    *ycbcr = (FvYcbcr){.comparison = *comparison};
    if (comparison->session)
        fv_session_rgb_metrics(comparison->session, false, others, sizeof others);
    ycbcr->made = (matrix_of(comparison->info[FV_REFERENCE]) || matrix_of(comparison->info[FV_DISTORTED])) &&
                  (!comparison->session || *others);
    if (!ycbcr->made)
        return FV_OK;
    FvStatus status = report(comparison, error);
    for (int side = 0; side < 2 && !status; side++) {
        const FvSourceInfo *info = comparison->info[side];
        if (!info)
            continue;
        status = check_matrix(info, error);
        ycbcr->info[side] = *info;
        if (matrix_of(info))
            ycbcr->info[side].format = fv_variant_format(&info->format, matrix_of(info));
        ycbcr->comparison.info[side] = &ycbcr->info[side];
    }
    return status ? status : fv_comparison_decide(&ycbcr->comparison, error);
}

FvStatus fv_ycbcr_open(const FvYcbcr *ycbcr, const FvComparison *comparison, FvVariants *variants[2], FvIsa isa,
                       int threads, FvError *error)
{
    FvStatus status = FV_OK;
    for (int side = 0; side < 2 && !status && ycbcr->made; side++)
        if (comparison->info[side])
            status =
                fv_variants_open(&variants[side], &comparison->info[side]->format, matrix_of(comparison->info[side]),
                                 &ycbcr->comparison.prepare[side], isa, threads, error);
    return status;
}
