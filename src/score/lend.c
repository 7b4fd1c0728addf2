#include "score/lend.h"

#include <string.h>

#include "device_select/estimate.h"
#include "input/slices.h"
#include "input/source.h"
#include "picture/frame.h"
#include "session/session.h"

/* ---- Who reads the frames of a side ---------------------------------------------------------------------------- */

/* Returns whether all features run on one device, and no frame goes to a caller together with a map. */
static bool one_device_reads(const FvSession *session)
{
    return !fv_session_devices(session)->opened[1] && !fv_session_hands_maps(session);
}

/*
 * Returns whether one device, and nothing on the host, reads the frames of a side as the source delivers them. The
 * host reads them to find scenes, to prepare and to match frames.
 */
static bool device_alone_reads(const FvScoring *scoring, int side)
{
    return one_device_reads(scoring->session) && !fv_session_params(scoring->session)->scenes &&
           !scoring->preparation[side] && !scoring->twins[side] && !fv_scoring_matches(scoring);
}

/* ---- The samples that are needed ------------------------------------------------------------------------------- */

/*
 * Adds the planes and rows that a feature instance reads. A device other than the CPU needs all rows, and so does
 * matching, which may compare frames with each other.
 */
static void need_rows(FvSourceLoan *loan, const FvScoring *scoring, const FvRun *run)
{
    const bool some = !fv_session_devices(scoring->session)->opened[0]->ops->frame && !fv_scoring_matches(scoring);
    for (int plane = 0; plane < 3; plane++)
        if (run->planes >> plane & 1)
            loan->rows[plane] = !some                       ? (FvNeededRows){0, 0}
                                : loan->planes >> plane & 1 ? fv_needed_rows_of_both(loan->rows[plane], run->rows)
                                                            : run->rows;
    loan->planes |= run->planes;
}

/*
 * A preparation needs all planes and rows, and so does a caller that gets frames together with maps. With matching,
 * the pairs of a frame are not known in advance, and some pairs are examined.
 */
static void need_samples(FvSourceLoan *loan, const FvScoring *scoring, int side)
{
    const FvSession *session = scoring->session;
    const FvRuns *runs = fv_session_runs(session);
    loan->planes = FV_ALL_PLANES;
    if (scoring->preparation[side] || scoring->twins[side] || fv_session_hands_maps(session) ||
        (scoring->looks && fv_scoring_matches(scoring)))
        return;
    loan->planes = 0;
    for (int r = 0; r < runs->count; r++)
        if (runs->run[r].reads & (side == FV_REFERENCE ? FV_READS_REFERENCE : FV_READS_DISTORTED))
            need_rows(loan, scoring, &runs->run[r]);
    if (fv_session_params(session)->scenes) {
        loan->planes |= 1;
        loan->rows[0] = (FvNeededRows){0, 0};
    }
    if (scoring->watches && !(loan->planes & 1)) {
        loan->planes |= 1;
        loan->rows[0] = fv_needed_rows(FV_MAX_SIDE, 0); /* plus the rows that signatures read */
    }
}

/* ---- Hardware decoders ----------------------------------------------------------------------------------------- */

#define HWDEC_HOST_ROOM ((size_t)256 << 20) /* bytes of frames that may wait in host memory */
#define HWDEC_DECODERS 4                    /* decoders per video: two videos then keep seven engines busy */
#define HWDEC_PICTURES 24                   /* about the number of pictures that a decoder keeps for itself */

bool fv_lend_is_short(const FvScoring *scoring, const FvSource *source)
{
    const FvFormat *format = &source->info.format;
    const int videos = scoring->source[FV_REFERENCE] ? 2 : 1;
    const double samples = (double)scoring->total * videos * format->width * format->height;
    return scoring->total >= 0 &&
           samples * FV_DECODE_SECONDS < FV_HWDEC_START * fv_session_devices(scoring->session)->threads;
}

static FvStatus make_frame(void *opaque, FvFrame **frame, const FvFormat *format, FvMemory memory, FvError *error)
{
    return fv_session_frame(opaque, frame, format, memory, error);
}

/*
 * Lends hardware decoders. Frames stay on the device unless the host also reads them. Waiting frames may use an
 * eighth of the device's free memory, or of this session's share of it.
 */
static void lend_hwdec(FvHwdecLoan *hwdec, const FvScoring *scoring, int side)
{
    FvSession *session = scoring->session;
    FvDevice *device = fv_session_devices(session)->opened[0];
    const FvSource *source = scoring->source[side];
    if (!device->ops->room || strcmp(device->ops->kind, "cuda") || fv_lend_is_short(scoring, source))
        return;
    const bool stays = device_alone_reads(scoring, side);
    const uint64_t room = device->ops->room(device) / (uint64_t)(1 + device->others);
    const uint64_t decoders = room / 8 / (HWDEC_PICTURES * (uint64_t)fv_format_plane_bytes(&source->info.format));
    const int64_t last = scoring->range                ? scoring->range->end
                         : fv_scoring_matches(scoring) ? 0
                                                       : scoring->frames; /* 0: the last frame is unknown */
    FvDeviceHandles handles;
    fv_session_device(session, &handles);
    *hwdec = (FvHwdecLoan){.context = handles.cuda_context,
                           .device = handles.index,
                           .on_host = !stays,
                           .is_signed = scoring->watches && !scoring->preparation[side],
                           .room = stays ? (size_t)(room / 8) : HWDEC_HOST_ROOM,
                           .decoders = decoders < HWDEC_DECODERS ? (int)decoders : HWDEC_DECODERS,
                           .end = last > 0 ? scoring->begun[side] + scoring->skip[side] + last : 0,
                           .named = strcmp(fv_session_devices(session)->name, "auto") != 0,
                           .make = make_frame,
                           .opaque = session};
}

/* ---- The loan -------------------------------------------------------------------------------------------------- */

static FvStatus make_pinned(void *opaque, FvFrame **frame, const FvFormat *format, FvError *error)
{
    return fv_session_frame(opaque, frame, format, FV_MEMORY_PINNED, error);
}

static FvStatus lend_packet(void *opaque, FvPacketMemory *memory, size_t bytes, FvError *error)
{
    FvDevice *device = opaque;
    return device->ops->packet(device, memory, bytes, error);
}

static FvSourceLoan make_loan(const FvScoring *scoring, int side)
{
    FvDevice *device = fv_session_devices(scoring->session)->opened[0];
    const FvDeviceOps *ops = device->ops;
    const FvSource *source = scoring->source[side];
    const bool alone = device_alone_reads(scoring, side);
    const int lanes = alone && ops->feed ? fv_slices_lanes(source) : 0;
    FvSourceLoan loan = {.opaque = scoring->session, .need = fv_scoring_need(scoring, side)};
    need_samples(&loan, scoring, side);
    if (scoring->looks && !fv_scoring_matches(scoring))
        loan.whole = fv_looked_frames(loan.need.first);
    if (ops->frame && (!scoring->preparation[side] || scoring->defers[side]))
        loan.make = make_pinned;
    if (lanes)
        loan.feed = ops->feed(device, side, lanes);
    loan.hands_packets = alone && ops->decodes && !source->device && !source->conceals && !scoring->skip[side];
    if (loan.hands_packets && ops->packet)
        loan.packets = (FvPacketLender){lend_packet, device};
    if (source->ops->use_hwdec)
        lend_hwdec(&loan.hwdec, scoring, side);
    return loan;
}

void fv_lend(const FvScoring *scoring)
{
    fv_session_devices(scoring->session)->opened[0]->reads_once =
        one_device_reads(scoring->session) && !fv_scoring_matches(scoring);
    for (int side = 0; side < 2; side++)
        if (scoring->source[side]) {
            const FvSourceLoan loan = make_loan(scoring, side);
            fv_source_lend(scoring->source[side], &loan);
        }
}

void fv_lend_take_back(const FvScoring *scoring)
{
    fv_session_devices(scoring->session)->opened[0]->reads_once = false;
    for (int side = 0; side < 2; side++)
        if (scoring->source[side])
            fv_source_lend(scoring->source[side], NULL);
}

FvStatus fv_lend_preparations(FvScoring *scoring, FvError *error)
{
    FvSession *session = scoring->session;
    FvDevice *device = fv_session_devices(session)->opened[0];
    const bool named = strcmp(fv_session_devices(session)->name, "auto") != 0;
    FvStatus status = FV_OK;
    char why[512];
    for (int side = 0; side < 2 && !status; side++) {
        if (!scoring->preparation[side] || scoring->twins[side] || !device->ops->prepares ||
            !one_device_reads(session) || fv_session_params(session)->scenes)
            continue;
        scoring->defers[side] = device->ops->prepares(device, scoring->preparation[side], why, sizeof why);
        if (!scoring->defers[side])
            status = (named ? fv_session_warn
                            : fv_session_decide)(session, error, "the frames of the %s are prepared on the CPU: %s",
                                                 side == FV_REFERENCE ? "reference" : "distorted video", why);
    }
    return status;
}

FvStatus fv_lend_tell_decoders(const FvScoring *scoring, FvError *error)
{
    FvStatus status = FV_OK;
    for (int side = 0; side < 2 && !status; side++)
        if (scoring->source[side] && *scoring->source[side]->decoder)
            status = fv_session_decide(scoring->session, error, "the %s is decoded by the %s",
                                       side == FV_REFERENCE ? "reference" : "distorted video",
                                       scoring->source[side]->decoder);
    return status;
}
