/*
 * Requests to stop, which another thread or a signal handler can make.
 *
 * A program that stops at an interrupt from the terminal:
 *
 *     #include <fovea/fovea.h>
 *     #include <signal.h>
 *
 *     static FvCancel *cancel;
 *
 *     static void on_interrupt(int number)
 *     {
 *         (void)number;
 *         fv_cancel_request(cancel);
 *     }
 *
 *     int main(void)
 *     {
 *         FvSession *session = NULL;
 *         FvStatus status = fv_cancel_open(&cancel, NULL);
 *         if (!status) {
 *             signal(SIGINT, on_interrupt);
 *             status = fv_session_open(&session, &(FvSessionParams){.cancel = cancel}, NULL);
 *         }
 *         fv_session_close(&session);
 *         fv_cancel_close(&cancel);
 *         return status;
 *     }
 */
#ifndef FOVEA_CANCEL_H
#define FOVEA_CANCEL_H

#include <fovea/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A request to stop. It also ends calls that are waiting for a pipe or a terminal. One request may serve any number
 * of objects and must outlive them. Once made, it cannot be withdrawn.
 */
typedef struct FvCancel FvCancel;

/*
 * Opens a request that has not been made. The caller closes *cancel. FV_ERROR_MEMORY: memory or file descriptors ran
 * out.
 */
FV_API FvStatus fv_cancel_open(FvCancel **cancel, FvError *error);

/* Makes the request. Safe in any thread and in signal handlers. NULL is ignored. */
FV_API void fv_cancel_request(FvCancel *cancel);

/* Returns whether the request was made. Thread-safe. False for NULL. */
FV_API bool fv_cancel_requested(const FvCancel *cancel);

FV_API void fv_cancel_close(FvCancel **cancel);

#ifdef __cplusplus
}
#endif

#endif
