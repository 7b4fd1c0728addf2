/* The decisions of a session: one sentence each, for the log and the report. */
#include "session/state.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static const char mark[] = "warning: ";

__attribute__((format(printf, 4, 0))) static FvStatus record(FvSession *session, FvLogLevel level, FvError *error,
                                                             const char *format, va_list args)
{
    char text[1024 + sizeof mark];
    const size_t begin = level == FV_LOG_WARNING ? sizeof mark - 1 : 0;
    memcpy(text, mark, begin);
    vsnprintf(text + begin, sizeof text - begin, format, args);
    char *remedy = session->facts.score.fields ? strstr(text, " Add `scale=") : NULL;
    if (remedy) /* a run by field refuses `scale`, so its remedy is removed */
        *remedy = '\0';
    for (int i = 0; i < session->facts.decision_count; i++)
        if (!strcmp(session->facts.decisions[i], text))
            return FV_OK;
    char **grown = realloc(session->facts.decisions, (size_t)(session->facts.decision_count + 1) * sizeof *grown);
    char *copy = strdup(text);
    if (grown)
        session->facts.decisions = grown;
    if (!grown || !copy) {
        free(copy);
        return fv_fail_memory(error, strlen(text) + 1);
    }
    session->facts.decisions[session->facts.decision_count++] = copy;
    if (session->params.log)
        session->params.log(session->params.opaque, level, text + begin);
    return FV_OK;
}

FvStatus fv_session_decide(FvSession *session, FvError *error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const FvStatus status = record(session, FV_LOG_INFO, error, format, args);
    va_end(args);
    return status;
}

FvStatus fv_session_warn(FvSession *session, FvError *error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const FvStatus status = record(session, FV_LOG_WARNING, error, format, args);
    va_end(args);
    return status;
}

FvStatus fv_session_warn_mismatch(FvSession *session, const FvEvent *event, FvError *error, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (session->facts.score.strict)
        return fv_fail(error, FV_ERROR_INPUT, "refused by `strict`: %s", text);
    const int before = session->facts.decision_count;
    FvEvent told = *event;
    FvStatus status = fv_session_warn(session, error, "%s", text);
    if (!status && session->facts.decision_count > before) {
        told.text = session->facts.decisions[before] + sizeof mark - 1;
        status = fv_events_add(&session->facts.events, &told, error);
    }
    return status;
}

int fv_session_decisions(const FvSession *session)
{
    return session ? session->facts.decision_count : 0;
}

const char *fv_session_decision(const FvSession *session, int i)
{
    return session && i >= 0 && i < session->facts.decision_count ? session->facts.decisions[i] : NULL;
}
