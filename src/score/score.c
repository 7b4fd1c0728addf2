/* The public calls that score two sources, by frame or by field, and that return the formats which are compared. */
#include "base/error.h"
#include "input/source.h"
#include "score/compatibility.h"
#include "score/fields.h"
#include "score/run.h"
#include "score/scoring.h"
#include "session/session.h"

FvStatus fv_score(FvSession *session, FvSource *reference, FvSource *distorted, const FvScoreParams *params,
                  FvError *error)
{
    FV_FLOAT_MODE;
    FvError own = {0};
    error = error ? error : &own;
    if (!params || !params->fields)
        return fv_scoring_run(session, reference, distorted, params, NULL, error);
    const FvStatus status = fv_scoring_check(session, reference, distorted, params, error);
    if (status)
        return status;
    fv_comparison_settle((FvSource *const[2]){reference, distorted}, params);
    return fv_score_fields(session, reference, distorted, params, error);
}

FvStatus fv_score_import(FvSession *session, const FvSourceInfo *reference, const FvSourceInfo *distorted,
                         const FvScoreParams *params, FvError *error)
{
    FvComparison comparison = {.params = params, .info = {reference, distorted}};
    char others[256];
    FvYcbcr ycbcr = {.made = false};
    FvWorkload workload = {.arrival = FV_ARRIVES_AS_ROWS};
    fv_session_note_params(session, params);
    FvStatus status = fv_session_note_input(session, FV_DISTORTED, distorted, error);
    if (!status && reference)
        status = fv_session_note_input(session, FV_REFERENCE, reference, error);
    if (!status)
        status = fv_comparison_decide(&comparison, error);
    fv_session_rgb_metrics(session, false, others, sizeof others);
    if (!status && *others)
        status = fv_ycbcr_decide(&ycbcr, &comparison, error);
    fv_scoring_add_variants(&workload, &ycbcr);
    fv_session_set_workload(session, &workload);
    if (!status)
        status = fv_score_check_watch(session, distorted->path, &comparison.format[FV_DISTORTED], error);
    return status ? status
                  : fv_session_start(session, reference ? &comparison.format[FV_REFERENCE] : NULL,
                                     &comparison.format[FV_DISTORTED], error);
}

static FvStatus decide_formats(const FvSource *const source[2], const FvScoreParams *params, bool ycbcr,
                               FvFormat formats[2], FvError *error)
{
    /* The const is cast away because only a cache changes: the source's list of packets. */
    fv_comparison_settle((FvSource *const[2]){(FvSource *)source[FV_REFERENCE], (FvSource *)source[FV_DISTORTED]},
                         params);
    const FvSourceInfo *info[2] = {fv_source_info(source[FV_REFERENCE]), fv_source_info(source[FV_DISTORTED])};
    FvFields fields;
    FvYcbcr made = {.made = false};
    FvStatus status = params->fields ? fv_fields_choose(&fields, info, params, error) : FV_OK;
    FvComparison comparison = {.params = params, .info = {info[0], info[1]}};
    if (params->fields && !status)
        comparison = fields.comparison;
    if (!status)
        status = fv_comparison_decide(&comparison, error);
    if (!status && ycbcr)
        status = fv_ycbcr_decide(&made, &comparison, error);
    for (int side = 0; side < 2 && !status; side++)
        formats[side] = made.made ? made.comparison.format[side] : comparison.format[side];
    return status;
}

FvStatus fv_score_formats(const FvSource *reference, const FvSource *distorted, const FvScoreParams *params,
                          FvFormat formats[2], FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, distorted);
    FV_REQUIRE(error, params);
    FV_REQUIRE(error, formats);
    return decide_formats((const FvSource *const[2]){reference, distorted}, params, false, formats, error);
}

FvStatus fv_score_ycbcr_formats(const FvSource *reference, const FvSource *distorted, const FvScoreParams *params,
                                FvFormat formats[2], FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, distorted);
    FV_REQUIRE(error, params);
    FV_REQUIRE(error, formats);
    return decide_formats((const FvSource *const[2]){reference, distorted}, params, true, formats, error);
}

FvStatus fv_score_add_default(FvSession *session, const FvSource *reference, const FvSource *distorted,
                              const FvScoreParams *params, bool allow_hdr, FvError *error)
{
    FV_FLOAT_MODE;
    FvFormat kept[2], ycbcr[2];
    FV_REQUIRE(error, session);
    FV_REQUIRE(error, reference);
    FvStatus status = fv_score_formats(reference, distorted, params, kept, error);
    if (!status)
        status = fv_score_ycbcr_formats(reference, distorted, params, ycbcr, error);
    if (!status)
        status = fv_session_add_default(session, &ycbcr[FV_REFERENCE], &ycbcr[FV_DISTORTED], allow_hdr, error);
    return status || kept[FV_DISTORTED].chroma != FV_CHROMA_RGB || ycbcr[FV_DISTORTED].chroma == FV_CHROMA_RGB
               ? status
               : fv_session_add_rgb_metrics(session, kept, error);
}
