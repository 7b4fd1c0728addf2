/* The choice of "auto": it stays on the CPU where the scoring is estimated to end sooner. */
#include <string.h>

#include "machine/estimate.h"
#include "machine/devices.h"
#include "picture/frame.h"
#include "session/state.h"

/* On `gpu`, which is open; NULL: on a GPU that is not open yet. */
static FvEstimate estimate(const FvSession *session, FvDevice *gpu)
{
    const FvFormat *dis = &session->dis;
    const int sides = 1 + session->has_reference;
    FvWorkload workload = {.pairs = session->expected.pairs,
                           .samples = (double)dis->width * dis->height,
                           .bytes = (double)fv_format_plane_bytes(dis) * sides,
                           .open = gpu != NULL,
                           .videos = session->expected.decoded,
                           .hwdec = session->expected.hwdec,
                           .processors = session->devices.threads};
    for (int r = 0; r < session->runs.count; r++) {
        const FvFeature *feature = session->runs.run[r].feature;
        const FvKnown known = feature->gpu ? fv_devices_known(gpu, feature) : (FvKnown){.tested = false};
        fv_workload_add(&workload, feature, &known);
    }
    return fv_estimate(&workload);
}

static FvStatus say_cpu(FvSession *session, const FvEstimate *estimate, const char *start, FvError *error)
{
    return fv_session_decide(
        session, error, "the device is cpu: %lld pairs are estimated to take %.2f s there, and %.2f s on a GPU%s",
        (long long)session->expected.pairs, estimate->cpu, estimate->gpu, start);
}

FvStatus fv_session_choose_device(FvSession *session, FvError *error)
{
    if (!session->devices.undecided)
        return FV_OK;
    const FvEstimate before = session->expected.pairs < 0 ? (FvEstimate){.gpu = 0} : estimate(session, NULL);
    if (session->expected.pairs >= 0 && before.gpu >= before.cpu) {
        session->devices.undecided = false;
        return say_cpu(session, &before, " with its start", error);
    }
    FvStatus status = fv_session_settle(session, error);
    if (status || session->expected.pairs < 0 || session->devices.opened[0]->ops == &fv_device_cpu)
        return status;
    /* Only an open device tells its name; it may differ from the last session's. */
    const FvEstimate opened = estimate(session, session->devices.opened[0]);
    if (opened.gpu < opened.cpu)
        return FV_OK;
    session->devices.opened[0]->ops->close(&session->devices.opened[0]);
    status = fv_device_open(
        &session->devices.opened[0],
        &(FvDeviceParams){.name = "cpu", .isa = session->devices.isa, .threads = session->devices.threads}, error);
    return status ? status : say_cpu(session, &opened, ", from its opening on", error);
}
