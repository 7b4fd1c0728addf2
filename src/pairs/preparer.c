/* Prepares the caller's frames as fv_score() prepares the frames of files. */
#include "fovea/preparer.h"

#include "base/error.h"
#include "os/memory.h"
#include "picture/frame.h"
#include "score/compatibility.h"

struct FvPreparer {
    bool has_reference;
    FvFormat from[2], to[2];
    FvPreparation *preparation[2]; /* preparation of each side's frames; NULL: not needed */
    int64_t count[2];              /* number of prepared frames, for messages */
};

static const char *const sides[] = {"reference", "distorted"};

static FvStatus decide(FvPreparer *preparer, FvSession *session, const FvScoreParams *params, FvError *error)
{
    FvSourceInfo info[2];
    FvComparison comparison = {.session = session, .params = params};
    FvIsa isa = FV_ISA_SCALAR;
    for (int side = 0; side < 2; side++) {
        info[side] = (FvSourceInfo){.path = sides[side], .format = preparer->from[side], .frames = -1};
        comparison.info[side] = side || preparer->has_reference ? &info[side] : NULL;
    }
    FvStatus status = session ? FV_OK : fv_isa_parse(NULL, &isa, error);
    if (!status)
        status = fv_comparison_decide(&comparison, error);
    for (int side = !preparer->has_reference; side < 2 && !status; side++) {
        preparer->to[side] = comparison.format[side];
        if (!fv_prepare_is_nothing(&preparer->from[side], &comparison.prepare[side]))
            status = fv_prepare_open(&preparer->preparation[side], &preparer->from[side], &comparison.prepare[side],
                                     session ? fv_session_devices(session)->isa : isa,
                                     session ? (fv_session_devices(session)->threads + 1) / 2 : 1, error);
    }
    return status;
}

FvStatus fv_preparer_open(FvPreparer **preparer, FvSession *session, const FvFormat *reference,
                          const FvFormat *distorted, const FvScoreParams *params, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, preparer);
    *preparer = NULL;
    FV_REQUIRE(error, distorted);
    FV_REQUIRE(error, params);
    const FvScoreParams counts = {.ignore_rate = params->ignore_rate,
                                  .ignore_range = params->ignore_range,
                                  .ignore_colour = params->ignore_colour,
                                  .convert = params->convert,
                                  .crop = {params->crop[0], params->crop[1]},
                                  .scale = params->scale};
    FvStatus status = fv_comparison_check_params(&counts, reference != NULL, error);
    if (!status && reference)
        status = fv_format_check(reference, error);
    if (!status)
        status = fv_format_check(distorted, error);
    if (!status && session && fv_session_state(session) != FV_SESSION_OPEN)
        status = fv_fail(error, FV_ERROR_USAGE, "fv_preparer_open: the session has been started before");
    if (status)
        return status;
    FvPreparer *opening = fv_alloc_zero(sizeof *opening);
    if (!opening)
        return fv_fail_memory(error, sizeof *opening);
    opening->has_reference = reference != NULL;
    opening->from[FV_REFERENCE] = reference ? *reference : *distorted;
    opening->from[FV_DISTORTED] = *distorted;
    status = decide(opening, session, &counts, error);
    if (status)
        fv_preparer_close(&opening);
    else if (session)
        fv_session_note_params(session, &counts);
    *preparer = opening;
    return status;
}

const FvFormat *fv_preparer_format(const FvPreparer *preparer, FvSide side)
{
    return preparer && (side == FV_DISTORTED || (side == FV_REFERENCE && preparer->has_reference))
               ? &preparer->to[side]
               : NULL;
}

FvStatus fv_preparer_run(FvPreparer *preparer, FvSide side, FvFrame *frame, FvFrame **prepared, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, prepared);
    *prepared = NULL;
    FV_REQUIRE(error, preparer);
    FV_REQUIRE(error, frame);
    char got[96], want[96];
    if ((unsigned)side > FV_DISTORTED || (side == FV_REFERENCE && !preparer->has_reference))
        return fv_fail(error, FV_ERROR_USAGE, "fv_preparer_run: side %d has no video", (int)side);
    const int64_t number = preparer->count[side]++;
    if (!fv_format_same_shape(&frame->format, &preparer->from[side]))
        return fv_fail(error, FV_ERROR_INPUT, "frame %lld of the %s video is %s, and those before it were %s",
                       (long long)number, sides[side], fv_format_describe(&frame->format, got, sizeof got),
                       fv_format_describe(&preparer->from[side], want, sizeof want));
    if (!frame->data[0])
        return fv_fail(error, FV_ERROR_USAGE, "frame %lld of the %s video is in device memory, which is not prepared",
                       (long long)number, sides[side]);
    FvStatus status = fv_frame_check(frame, sides[side], number, error);
    if (status)
        return status;
    *prepared = fv_frame_ref(frame);
    if (preparer->preparation[side])
        status = fv_prepare_run(preparer->preparation[side], prepared, error);
    if (status)
        fv_frame_unref(prepared);
    return status;
}

void fv_preparer_close(FvPreparer **preparer)
{
    FvPreparer *closing = preparer ? *preparer : NULL;
    if (!closing)
        return;
    *preparer = NULL;
    for (int side = 0; side < 2; side++)
        fv_prepare_close(&closing->preparation[side]);
    fv_free(closing);
}
