/* Chooses the device for "auto": a GPU, unless the run is estimated to end sooner on the CPU. */
#include "device_select/devices.h"
#include "session/state.h"

static FvStatus say_cpu(FvSession *session, const FvEstimate *estimate, const char *start, FvError *error)
{
    return fv_session_decide(
        session, error, "the device is cpu: %lld pairs are estimated to take %.2f s there, and %.2f s on a GPU%s",
        (long long)session->workload.pairs, estimate->cpu, estimate->gpu, start);
}

FvStatus fv_session_choose_device(FvSession *session, FvError *error)
{
    if (!session->devices.auto_pending)
        return FV_OK;
    FvEstimate before = {.gpu = 0}, opened;
    FvStatus status = session->workload.pairs < 0 ? FV_OK : fv_session_estimate(session, NULL, &before, error);
    if (status)
        return status;
    if (session->workload.pairs >= 0 && before.gpu >= before.cpu) {
        session->devices.auto_pending = false;
        return say_cpu(session, &before, " with its start", error);
    }
    status = fv_session_choose_auto(session, error);
    if (status || session->workload.pairs < 0 || session->devices.opened[0]->ops == &fv_device_cpu)
        return status;
    /* The name of a device is known only once it is open; it may differ from the last session's. */
    status = fv_session_estimate(session, session->devices.opened[0], &opened, error);
    if (status)
        return status;
    if (opened.gpu < opened.cpu)
        return fv_session_decide(
            session, error,
            "the device is %s: %lld pairs are estimated to take %.2f s there with its start, and %.2f s on the CPU",
            session->devices.opened[0]->ops->kind, (long long)session->workload.pairs, before.gpu, before.cpu);
    session->devices.opened[0]->ops->close(&session->devices.opened[0]);
    status = fv_device_open(
        &session->devices.opened[0],
        &(FvDeviceParams){.name = "cpu", .isa = session->devices.isa, .threads = session->devices.threads}, error);
    return status ? status : say_cpu(session, &opened, ", from its opening on", error);
}
