/* Opens and describes the device of a session, and allocates frames in its memory. */
#include "session/state.h"

#include "base/error.h"
#include "clock.h"
#include "device_select/devices.h"
#include "picture/frame.h"
#include "picture/pixels.h"

FvStatus fv_session_open_device(FvSession *session, const char *name, FvError *error)
{
    const FvDeviceParams params = {name, session->devices.isa, session->devices.threads,
                                   session->params.cuda_context};
    static atomic_bool opened_before;
    const double asked = fv_seconds();
    FvStatus status = fv_device_open(&session->devices.opened[0], &params, error);
    const FvDevice *device = session->devices.opened[0];
    session->devices.opened_at = fv_seconds();
    session->devices.opening = session->devices.opened_at - asked;
    session->devices.first = !status && device->ops != &fv_device_cpu && !atomic_exchange(&opened_before, true);
    if (status || !*device->passed)
        return status;
    return (device->failing ? fv_session_warn : fv_session_decide)(session, error, "the device is %s: %s",
                                                                   device->ops->kind, device->passed);
}

FvStatus fv_session_choose_auto(FvSession *session, FvError *error)
{
    if (!session->devices.auto_pending)
        return FV_OK;
    session->devices.auto_pending = false;
    session->devices.opened[0]->ops->close(&session->devices.opened[0]);
    return fv_session_open_device(session, session->devices.name, error);
}

void fv_session_device(const FvSession *session, FvDeviceHandles *handles)
{
    if (!handles)
        return;
    *handles = (FvDeviceHandles){0};
    if (session && fv_session_choose_auto((FvSession *)session, NULL))
        return;
    const FvDevice *device = session ? session->devices.opened[0] : NULL;
    if (!device)
        return;
    *handles = (FvDeviceHandles){.kind = device->ops->kind};
    if (device->ops->handles)
        device->ops->handles(device, handles);
}

bool fv_session_takes_device_frames(const FvSession *session)
{
    return session && session->state == FV_SESSION_STARTED && session->devices.opened[0]->ops->frame &&
           !session->devices.opened[1];
}

FvStatus fv_session_frame(FvSession *session, FvFrame **frame, const FvFormat *format, FvMemory memory,
                          FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, frame);
    *frame = NULL;
    FV_REQUIRE(error, session);
    FV_REQUIRE(error, format);
    if ((unsigned)memory > FV_MEMORY_DEVICE)
        return fv_fail(error, FV_ERROR_USAGE, "memory kind %d does not exist", (int)memory);
    FvStatus status = fv_session_choose_auto(session, error);
    if (status)
        return status;
    FvDevice *device = session->devices.opened[0];
    return device && device->ops->frame ? device->ops->frame(device, frame, format, memory, error)
                                        : fv_frame_alloc(frame, format, error);
}

FvStatus fv_session_wrap(FvSession *session, FvFrame **frame, const FvFormat *format, const FvDeviceFrame *where,
                         FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, where);
    const char *missing = !session ? "session" : !frame ? "frame" : !format ? "format" : NULL;
    FvStatus settled = missing ? FV_OK : fv_session_choose_auto(session, error);
    FvDevice *device = session && !settled ? session->devices.opened[0] : NULL;
    if (!missing && device && device->ops->wrap)
        return device->ops->wrap(device, frame, format, where, error);
    if (frame)
        *frame = NULL;
    if (where->release)
        where->release(where->opaque);
    if (settled)
        return settled;
    return missing
               ? fv_fail_null(error, __func__, missing)
               : fv_fail(error, FV_ERROR_USAGE, "the session runs on the CPU, which cannot read a device's memory");
}

FvStatus fv_frame_from_pixels(FvFrame **frame, FvSession *session, const FvFormat *format, const FvPixels *pixels,
                              int matrix, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, frame);
    *frame = NULL;
    FV_REQUIRE(error, format);
    FV_REQUIRE(error, pixels);
    FvStatus status = fv_pixels_check(pixels, format, matrix, error);
    if (!status && session)
        status = fv_session_choose_auto(session, error);
    if (status)
        return status;
    if (!session)
        return fv_pixels_make(frame, format, pixels, matrix, error);
    FvDevice *device = session->devices.opened[0];
    return device && device->ops->pixels
               ? device->ops->pixels(device, frame, format, pixels, matrix, error)
               : fv_fail(error, FV_ERROR_USAGE, "the session runs on the CPU, which cannot read a device's memory");
}
