#include "score/lend.h"

#include <string.h>

#include "machine/estimate.h"
#include "picture/frame.h"
#include "input/slices.h"
#include "session/session.h"
#include "input/source.h"

enum { REFERENCE, DISTORTED };

static FvStatus make_pinned(void *opaque, FvFrame **frame, const FvFormat *format, FvError *error)
{
    return fv_session_frame(opaque, frame, format, FV_MEMORY_PINNED, error);
}

/* Lets the sources decode into memory that the session's device reads by itself, or takes it back. */
static void lend_memory(FvSession *session, FvSource *source, bool lend)
{
    if (source && session->devices.opened[0]->ops->frame)
        fv_frame_pool_lend(source->pool, lend ? make_pinned : NULL, session);
}

/*
 * Large frames that nobody but the device looks at go there while they are read, slice by slice. As for
 * FvDevice.reads_once.
 */
static void lend_feed(const FvScoring *scoring, int side, FvSource *source)
{
    FvDevice *device = scoring->session->devices.opened[0];
    if (!source)
        return;
    source->feed = NULL;
    const int lanes =
        device->reads_once && device->ops->feed && !scoring->preparation[side] && !scoring->session->params.scenes
            ? fv_slices_lanes(source)
            : 0;
    if (lanes)
        source->feed = device->ops->feed(device, side, lanes);
}

static FvStatus lend_packet(void *opaque, FvPacketMemory *memory, size_t bytes, FvError *error)
{
    FvDevice *device = opaque;
    return device->ops->packet(device, memory, bytes, error);
}

/* Frames that are prepared must be on the host first, and whoever takes a map gets the frame beside it. */
static bool device_alone_looks(const FvScoring *scoring, int side)
{
    const FvSession *session = scoring->session;
    return !session->devices.opened[1] && !session->flight.maps.count && !session->params.scenes &&
           !scoring->preparation[side] && !fv_scoring_matches(scoring);
}

/* Where the device does everything, it decodes as well. */
static void hand_packets(const FvScoring *scoring, int side, FvSource *source, bool hand)
{
    FvSession *session = scoring->session;
    FvDevice *device = session->devices.opened[0];
    if (!source)
        return;
    source->hands_packets = hand && !source->gpu && !source->conceals && device->ops->decodes &&
                            !scoring->skip[side] && device_alone_looks(scoring, side);
    source->packets = (FvPacketLender){0};
    if (source->hands_packets && device->ops->packet)
        source->packets = (FvPacketLender){lend_packet, device};
}

/* Of the planes that a run reads; devices other than the CPU take whole planes, and what is matched may be compared.
 */
static void leave_out_rows(const FvScoring *scoring, FvSource *source, const FvRun *run)
{
    const bool may = !scoring->session->devices.opened[0]->ops->frame && !fv_scoring_matches(scoring);
    for (int plane = 0; plane < 3; plane++)
        if (run->planes >> plane & 1)
            source->rows[plane] = !may ? (FvNeededRows){0, 0}
                                  : source->planes >> plane & 1
                                      ? fv_needed_rows_of_both(source->rows[plane], run->rows)
                                      : run->rows;
}

/* Planes and rows that nobody looks at need not be read. A preparation looks at all of them. */
static void leave_out_planes(const FvScoring *scoring, int side, FvSource *source, bool leave)
{
    if (!source)
        return;
    source->planes = FV_ALL_PLANES;
    memset(source->rows, 0, sizeof source->rows);
    if (!leave || scoring->preparation[side] ||
        scoring->session->flight.maps.count) /* whoever takes a map gets the frame */
        return;
    const FvRuns *runs = &scoring->session->runs;
    source->planes = 0;
    for (int r = 0; r < runs->count; r++)
        if (runs->run[r].reads & (side == REFERENCE ? FV_READS_REFERENCE : FV_READS_DISTORTED)) {
            leave_out_rows(scoring, source, &runs->run[r]);
            source->planes |= runs->run[r].planes;
        }
    if (scoring->session->params.scenes) {
        source->planes |= 1;
        source->rows[0] = (FvNeededRows){0, 0};
    }
}

static FvStatus make_for_chip(void *opaque, FvFrame **frame, const FvFormat *format, FvMemory memory, FvError *error)
{
    return fv_session_frame(opaque, frame, format, memory, error);
}

#define CHIP_HOST_ROOM ((size_t)256 << 20) /* bytes of frames that wait in memory of the host */
#define CHIP_DECODERS 4                    /* of each video: two videos then keep seven engines busy */
#define CHIP_PICTURES 24                   /* that a decoder keeps for itself, about */

/* Whether the CPU has decoded the videos before a GPU's decoder gives its first picture. */
static bool is_short(const FvScoring *scoring, const FvSource *source)
{
    const FvFormat *format = &source->info.format;
    const int videos = scoring->source[REFERENCE] ? 2 : 1;
    const double samples = (double)scoring->total * videos * format->width * format->height;
    return scoring->total >= 0 && samples * FV_DECODE_SECONDS < FV_CHIP_START * scoring->session->devices.threads;
}

/*
 * A CUDA device decodes what its decoders know. The frames stay on the device, unless somebody else looks at them,
 * and an eighth of its free memory is for those that wait.
 */
static void use_chip(const FvScoring *scoring, int side, FvSource *source, bool use)
{
    const FvSession *session = scoring->session;
    FvDevice *device = session->devices.opened[0];
    if (!source || !source->ops->use_chip || source->loan)
        return;
    if (!use)
        source->ops->use_chip(source, NULL);
    if (!use || !device->ops->room || strcmp(device->ops->kind, "cuda") || is_short(scoring, source))
        return;
    const bool stays = device_alone_looks(scoring, side);
    const uint64_t room = device->ops->room(device);
    const uint64_t decoders = room / 8 / (CHIP_PICTURES * (uint64_t)fv_format_plane_bytes(&source->info.format));
    FvDeviceHandles handles;
    fv_session_device(session, &handles);
    FvSourceChip chip = {.context = handles.cuda_context,
                         .on_host = stays ? 0 : INT64_MAX,
                         .signatures = scoring->shift.video[0].signatures && !scoring->preparation[side]
                                           ? scoring->skip[side] + FV_SHIFT_FRAMES
                                           : 0,
                         .room = stays ? (size_t)(room / 8) : CHIP_HOST_ROOM,
                         .decoders = decoders < CHIP_DECODERS ? (int)decoders : CHIP_DECODERS,
                         .make = make_for_chip,
                         .opaque = scoring->session};
    source->ops->use_chip(source, &chip);
}

/* Who decoded, where it could have been somebody else. */
FvStatus fv_lend_tell_decoders(const FvScoring *scoring, FvError *error)
{
    FvStatus status = FV_OK;
    for (int side = 0; side < 2 && !status; side++)
        if (scoring->source[side] && *scoring->source[side]->decoder)
            status = fv_session_decide(scoring->session, error, "the %s is decoded by the %s",
                                       side == REFERENCE ? "reference" : "distorted video",
                                       scoring->source[side]->decoder);
    return status;
}

/*
 * Where the device does everything, it prepares frames as well. Whoever takes a map gets the frame beside it, and
 * scenes are found in frames that the host can read.
 */
FvStatus fv_lend_preparations(FvScoring *scoring, FvError *error)
{
    FvSession *session = scoring->session;
    FvDevice *device = session->devices.opened[0];
    const bool named = strcmp(session->devices.name, "auto") != 0;
    FvStatus status = FV_OK;
    char why[512];
    for (int side = 0; side < 2 && !status; side++) {
        if (!scoring->preparation[side] || !device->ops->prepares || session->devices.opened[1] ||
            session->flight.maps.count || session->params.scenes)
            continue;
        scoring->defers[side] = device->ops->prepares(device, scoring->preparation[side], why, sizeof why);
        if (!scoring->defers[side])
            status = (named ? fv_session_warn
                            : fv_session_decide)(session, error, "the frames of the %s are prepared on the CPU: %s",
                                                 side == REFERENCE ? "reference" : "distorted video", why);
    }
    return status;
}

/* What sources do for this scoring only. Frames that are matched may come again, and maps are taken with theirs. */
void fv_lend_all(const FvScoring *scoring, FvSource *reference, FvSource *distorted, bool started, bool lend)
{
    FvSource *sources[2] = {reference, distorted};
    FvSession *session = scoring->session;
    session->devices.opened[0]->reads_once =
        lend && started && !session->devices.opened[1] && !session->flight.maps.count && !fv_scoring_matches(scoring);
    for (int side = 0; side < 2; side++) {
        lend_memory(scoring->session, sources[side], lend && (!scoring->preparation[side] || scoring->defers[side]));
        hand_packets(scoring, side, sources[side], lend && started);
        lend_feed(scoring, side, sources[side]);
        leave_out_planes(scoring, side, sources[side], lend && started);
        use_chip(scoring, side, sources[side], lend && started);
    }
}
