#include "score/source_services.h"

#include <string.h>

#include "device_select/estimate.h"
#include "input/slices.h"
#include "input/source.h"
#include "picture/frame.h"
#include "session/session.h"

/* ---- Who reads the frames of a side ---------------------------------------------------------------------------- */

/* Returns whether one device computes all features, and no callback gets frames together with maps. */
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
           !scoring->preparation[side] && !scoring->variants[side] && !fv_scoring_matches(scoring);
}

/* ---- The samples that are needed ------------------------------------------------------------------------------- */

/*
 * Adds the planes and rows that a feature instance reads. Devices other than the CPU need all rows, as does matching,
 * which may compare frames with each other.
 */
static void need_rows(FvSourceServices *services, const FvScoring *scoring, const FvFeatureInstance *run)
{
    const bool some = !fv_session_devices(scoring->session)->opened[0]->ops->frame && !fv_scoring_matches(scoring);
    for (int plane = 0; plane < 3; plane++)
        if (run->planes >> plane & 1)
            services->rows[plane] = !some ? (FvNeededRows){0, 0}
                                    : services->planes >> plane & 1
                                        ? fv_needed_rows_of_both(services->rows[plane], run->rows)
                                        : run->rows;
    services->planes |= run->planes;
}

/*
 * Lists the samples that a side needs. A preparation needs all planes and rows, as does a callback that gets frames
 * together with maps. With matching, the pair of a frame is not known in advance, and looks at some pairs need all
 * samples.
 */
static void need_samples(FvSourceServices *services, const FvScoring *scoring, int side)
{
    const FvSession *session = scoring->session;
    const FvFeatureInstances *runs = fv_session_instances(session);
    services->planes = FV_ALL_PLANES;
    if (scoring->preparation[side] || scoring->variants[side] || fv_session_hands_maps(session) ||
        (scoring->looks && fv_scoring_matches(scoring)))
        return;
    services->planes = 0;
    for (int r = 0; r < runs->count; r++)
        if (runs->run[r].reads & (side == FV_REFERENCE ? FV_READS_REFERENCE : FV_READS_DISTORTED))
            need_rows(services, scoring, &runs->run[r]);
    if (fv_session_params(session)->scenes) {
        services->planes |= 1;
        services->rows[0] = (FvNeededRows){0, 0};
    }
    if (scoring->watches && !(services->planes & 1)) {
        services->planes |= 1;
        services->rows[0] = fv_needed_rows(FV_MAX_SIDE, 0); /* only row 0, besides the rows that signatures read */
    }
}

/* ---- Hardware decoders ----------------------------------------------------------------------------------------- */

#define HWDEC_HOST_ROOM ((size_t)256 << 20) /* bytes of frames that may wait in host memory */
#define HWDEC_DECODERS 4                    /* decoders per video; two videos then keep seven engines busy */
#define HWDEC_PICTURES 24                   /* approximate number of pictures that a decoder keeps internally */

bool fv_services_is_short_video(const FvScoring *scoring, const FvSource *source)
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
 * Offers hardware decoders. Frames stay on the device unless the host also reads them. Waiting frames may use an
 * eighth of the device's free memory, or of this session's share of it.
 */
static void offer_hwdec(FvHwdecService *hwdec, const FvScoring *scoring, int side)
{
    FvSession *session = scoring->session;
    FvDevice *device = fv_session_devices(session)->opened[0];
    const FvSource *source = scoring->source[side];
    if (!device->ops->room || strcmp(device->ops->kind, "cuda") || fv_services_is_short_video(scoring, source))
        return;
    const bool stays = device_alone_reads(scoring, side);
    const uint64_t room = device->ops->room(device) / (uint64_t)(1 + device->others);
    const uint64_t decoders = room / 8 / (HWDEC_PICTURES * (uint64_t)fv_format_plane_bytes(&source->info.format));
    const int64_t last = scoring->range                ? scoring->range->end
                         : fv_scoring_matches(scoring) ? 0
                                                       : scoring->frames; /* 0: the last frame's number is unknown */
    FvDeviceHandles handles;
    fv_session_device(session, &handles);
    *hwdec = (FvHwdecService){.context = handles.cuda_context,
                              .device = handles.index,
                              .on_host = !stays,
                              .has_signature = scoring->watches && !scoring->preparation[side],
                              .room = stays ? (size_t)(room / 8) : HWDEC_HOST_ROOM,
                              .decoders = decoders < HWDEC_DECODERS ? (int)decoders : HWDEC_DECODERS,
                              .end = last > 0 ? scoring->begun[side] + scoring->skip[side] + last : 0,
                              .named = strcmp(fv_session_devices(session)->name, "auto") != 0,
                              .make = make_frame,
                              .opaque = session};
}

/* ---- The services ---------------------------------------------------------------------------------------------- */

static FvStatus make_pinned(void *opaque, FvFrame **frame, const FvFormat *format, FvError *error)
{
    return fv_session_frame(opaque, frame, format, FV_MEMORY_PINNED, error);
}

static FvStatus alloc_packet(void *opaque, FvPacketMemory *memory, size_t bytes, FvError *error)
{
    FvDevice *device = opaque;
    return device->ops->packet(device, memory, bytes, error);
}

static FvSourceServices make_services(const FvScoring *scoring, int side)
{
    FvDevice *device = fv_session_devices(scoring->session)->opened[0];
    const FvDeviceOps *ops = device->ops;
    const FvSource *source = scoring->source[side];
    const int lanes = device_alone_reads(scoring, side) && ops->feed ? fv_slices_lanes(source) : 0;
    FvSourceServices services = {.opaque = scoring->session, .need = fv_scoring_selection(scoring, side)};
    need_samples(&services, scoring, side);
    if (ops->frame && (!scoring->preparation[side] || scoring->defers[side]))
        services.make = make_pinned;
    if (lanes)
        services.feed = ops->feed(device, side, lanes);
    services.hands_packets = scoring->hands_packets[side];
    if (services.hands_packets && ops->packet)
        services.packets = (FvPacketAllocator){alloc_packet, device};
    if (source->ops->use_hwdec)
        offer_hwdec(&services.hwdec, scoring, side);
    return services;
}

void fv_services_attach(FvScoring *scoring)
{
    fv_session_devices(scoring->session)->opened[0]->reads_once =
        one_device_reads(scoring->session) && !fv_scoring_matches(scoring);
    FvSourceServices services[2];
    bool decodes = false;
    for (int side = 0; side < 2; side++)
        if (scoring->source[side]) {
            services[side] = make_services(scoring, side);
            decodes |= services[side].hands_packets || services[side].hwdec.make;
        }
    if (decodes)
        fv_looked_pairs_thin(&scoring->looked_pairs);
    for (int side = 0; side < 2; side++)
        if (scoring->source[side]) {
            if (scoring->looks && !fv_scoring_matches(scoring)) {
                services[side].whole = scoring->looked_pairs;
                services[side].whole.begin = services[side].need.first;
            }
            fv_source_attach(scoring->source[side], &services[side]);
        }
}

void fv_services_detach(const FvScoring *scoring)
{
    fv_session_devices(scoring->session)->opened[0]->reads_once = false;
    for (int side = 0; side < 2; side++)
        if (scoring->source[side])
            fv_source_attach(scoring->source[side], NULL);
}

FvStatus fv_services_defer(FvScoring *scoring, FvError *error)
{
    FvSession *session = scoring->session;
    FvDevice *device = fv_session_devices(session)->opened[0];
    const FvDeviceOps *ops = device->ops;
    const bool named = strcmp(fv_session_devices(session)->name, "auto") != 0;
    FvStatus status = FV_OK;
    for (int side = 0; side < 2 && !status; side++) {
        const FvSource *source = scoring->source[side];
        const char *refused = NULL;
        char why[512];
        if (scoring->preparation[side] && !scoring->variants[side] && ops->prepares && one_device_reads(session) &&
            !fv_session_params(session)->scenes) {
            scoring->defers[side] = ops->prepares(device, scoring->preparation[side], why, sizeof why);
            refused = scoring->defers[side] ? NULL : "prepared";
        }
        if (source && source->prores && device_alone_reads(scoring, side) && ops->decodes && !source->device &&
            !source->conceals && !scoring->skip[side]) {
            scoring->hands_packets[side] = ops->decodes(device, why, sizeof why);
            refused = scoring->hands_packets[side] ? NULL : "decoded";
        }
        if (refused)
            status = (named ? fv_session_warn : fv_session_decide)(
                session, error, "the frames of the %s are %s on the CPU: %s",
                side == FV_REFERENCE ? "reference" : "distorted video", refused, why);
    }
    return status;
}

FvStatus fv_services_report_decoders(const FvScoring *scoring, FvError *error)
{
    FvStatus status = FV_OK;
    for (int side = 0; side < 2 && !status; side++)
        if (scoring->source[side] && *scoring->source[side]->decoder)
            status = fv_session_decide(scoring->session, error, "the %s is decoded by the %s",
                                       side == FV_REFERENCE ? "reference" : "distorted video",
                                       scoring->source[side]->decoder);
    return status;
}
