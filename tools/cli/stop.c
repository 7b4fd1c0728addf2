#include "cli/stop.h"

#include <signal.h>

#include "cli/message.h"
#include "program_stop.h"

static FvCancel *request; /* never freed, because signals may arrive at any time */

static void on_signal(int signal)
{
    fv_cancel_request(request);
}

const FvCancel *stop_on_signals(void)
{
    FvError error;
    if (!request && fv_cancel_open(&request, &error)) {
        report_error_if(error.status, &error);
        return NULL;
    }
    message_until(request);
    program_stop = request;
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, before;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (!sigaction(SIGHUP, NULL, &before) && before.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
    return request;
}
