/* Stopping on request. */
#ifndef FOVEA_CANCEL_H
#define FOVEA_CANCEL_H

#include <fovea/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A request to stop. It also ends calls that are waiting for a pipe, a terminal or a slow file. One request may serve
 * any number of objects and must outlive them. Once made, it cannot be taken back.
 */
typedef struct FvCancel FvCancel;

/* FV_ERROR_MEMORY when memory or file descriptors run out. */
FV_API FvStatus fv_cancel_open(FvCancel **cancel, FvError *error);

/* Makes the request. Safe in any thread and in signal handlers. NULL is ignored. */
FV_API void fv_cancel_request(FvCancel *cancel);

/* Whether the request was made. Thread-safe. False for NULL. */
FV_API bool fv_cancel_requested(const FvCancel *cancel);

FV_API void fv_cancel_close(FvCancel **cancel);

#ifdef __cplusplus
}
#endif

#endif
