#include "cli/message.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/style.h"
#include "cli/told.h"
#include "failure.h"
#include "json.h"
#include "remedy.h"

#define SLICE 50      /* milliseconds between checks for a stop request */
#define SAID 64       /* maximum number of warnings that are remembered */
#define PATIENCE 1000 /* milliseconds that a reader of standard error has after a stop request */

static bool as_json, deaf, has_bar, hushed;
static uint32_t said[SAID]; /* hashes of the warnings printed so far */
static int said_count;
static Told first_of[8]; /* the process's first error of each status; [0]: its first error of any status */
static const FvCancel *request;
static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;

void message_lock(void)
{
    pthread_mutex_lock(&writing);
}

void message_unlock(void)
{
    pthread_mutex_unlock(&writing);
}

/*
 * Waits until standard error can accept PIPE_BUF bytes without blocking; false: after a stop request, its reader did
 * not read for PATIENCE, so output is lost.
 */
static bool has_room(void)
{
    for (int waited = 0; !deaf;) {
        int ready = poll(&(struct pollfd){.fd = STDERR_FILENO, .events = POLLOUT}, 1, SLICE);
        if (ready > 0 || (ready < 0 && errno != EINTR))
            return true;
        waited += fv_cancel_requested(request) ? SLICE : 0;
        deaf = waited >= PATIENCE;
    }
    return false;
}

static ssize_t write_bytes(void *cookie, const char *bytes, size_t size)
{
    size_t done = 0;
    while (done < size && (!request || has_room())) {
        ssize_t got = write(STDERR_FILENO, bytes + done, size - done < PIPE_BUF ? size - done : PIPE_BUF);
        if (got < 0 && errno != EINTR && errno != EAGAIN)
            break;
        done += got > 0 ? (size_t)got : 0;
    }
    return (ssize_t)size; /* success even after a failed write, because an error could not be reported anywhere */
}

FILE *message_file(void)
{
    static FILE *file;
    static char buffer[8192];
    if (!file && (file = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_bytes})))
        setvbuf(file, buffer, _IOFBF, sizeof buffer);
    return file ? file : stderr;
}

void message_flush(void)
{
    fflush(message_file());
}

void message_until(const FvCancel *cancel)
{
    request = cancel;
}

void message_as_json(bool json)
{
    as_json = json;
}

bool message_is_json(void)
{
    return as_json;
}

void message_hush(bool hush)
{
    hushed = hush;
}

void message_bar(const char *text)
{
    fprintf(message_file(), "\r%s\033[K", text);
    has_bar = true;
}

void message_wipe_bar(void)
{
    if (has_bar)
        fputs("\r\033[K", message_file());
    has_bar = false;
}

void message_keep_bar(void)
{
    if (has_bar)
        fputc('\n', message_file());
    has_bar = false;
}

static uint32_t hash_of(const char *text)
{
    uint32_t hash = 2166136261u;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash;
}

bool message_shares_terminal(void)
{
    return !as_json && isatty(STDERR_FILENO) && isatty(STDOUT_FILENO);
}

bool message_was_seen(const char *text)
{
    char spelt[TOLD_BYTES];
    fv_remedy_spell(spelt, sizeof spelt, text);
    for (int i = 0; i < said_count && message_shares_terminal(); i++)
        if (said[i] == hash_of(spelt))
            return true;
    return false;
}

static _Thread_local Told first_error;
static _Thread_local const char *about;
static const char *common;
static uint32_t said_of_common; /* hash of the last error about the common video; 0: none so far */

void message_about(const char *name)
{
    about = name;
}

void message_common(const char *name)
{
    common = name;
    said_of_common = 0;
}

/* Returns whether an error concerns the common video, with which all others are compared. */
static bool is_common(const char *text)
{
    const size_t length = common ? strlen(common) : 0;
    return length && !strncmp(text, common, length) && !strncmp(text + length, ": ", 2);
}

const char *message_first_error(void)
{
    return first_error.failure ? first_error.text : NULL;
}

void message_forget_error(void)
{
    first_error.failure = 0;
}

void message_write_outcome(FvJson *json, int status)
{
    if (status)
        told_write(json, status, "error", &first_error);
    else
        fv_json_int(json, "status", status);
}

/*
 * Prints a message. In GitHub's CI it is a workflow command, which makes an annotation of the message;
 * github.com/actions/toolkit defines the escapes.
 */
static void print_text(bool failed, char *text)
{
    const char *farm = getenv("GITHUB_ACTIONS");
    if (!farm || strcmp(farm, "true") != 0) {
        fprintf(message_file(), "fovea: %s%s\n", failed ? "" : "warning: ", style_clean(text));
        return;
    }
    fprintf(message_file(), "::%s title=fovea::", failed ? "error" : "warning");
    for (const char *c = style_clean(text); *c; c++)
        if (*c == '%')
            fputs("%25", message_file());
        else
            fputc(*c, message_file());
    fputc('\n', message_file());
}

static void print_event(const char *event, int status, const Told *told)
{
    FvJson json = {.file = message_file()};
    fv_json_open_line(&json, NULL, '{');
    fv_json_text(&json, "event", event);
    told_write(&json, status, "message", told);
    fv_json_close(&json);
    fputc('\n', message_file());
}

void message_end(int status, bool foreign)
{
    if (!as_json)
        return;
    const Told *told = foreign ? &first_of[0] : status > 0 && status < 8 ? &first_of[status] : NULL;
    message_lock();
    print_event("end", status, told);
    message_flush();
    message_unlock();
}

static void say(int failure, const char *format, va_list args)
{
    const int status = FV_FAILURE_STATUS(failure);
    char whole[TOLD_BYTES] = "", given[TOLD_BYTES - 256], *text = whole;
    if (hushed)
        return;
    const int used = about ? snprintf(whole, 256, "%.250s: ", about) : 0;
    vsnprintf(given, sizeof given, format, args);
    fv_remedy_spell(whole + used, sizeof given, given);
    const bool of_common = status && is_common(whole + used);
    if (about && (of_common || strstr(whole + used, about)))
        text += used;
    message_lock();
    if (!status && !as_json && said_count < SAID)
        said[said_count++] = hash_of(text);
    Told *const firsts[] = {&first_error, &first_of[0], &first_of[status & 7]};
    for (int i = 0; i < 3 && status; i++)
        if (!firsts[i]->failure) {
            firsts[i]->failure = failure;
            snprintf(firsts[i]->text, sizeof firsts[i]->text, "%s", text);
        }
    const bool again = of_common && said_of_common == hash_of(text);
    said_of_common = of_common ? hash_of(text) : said_of_common;
    if (again) {
        message_unlock();
        return;
    }
    message_wipe_bar();
    if (!as_json) {
        print_text(status, text);
    } else if (status) {
        Told told = {.failure = failure};
        snprintf(told.text, sizeof told.text, "%s", text);
        print_event("error", status, &told);
    } else {
        FvJson json = {.file = message_file()};
        fv_json_open_line(&json, NULL, '{');
        fv_json_text(&json, "event", "warning");
        fv_json_text(&json, "message", text);
        fv_json_close(&json);
        fputc('\n', message_file());
    }
    message_flush();
    message_unlock();
}

int report_error(int failure, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(failure, format, args);
    va_end(args);
    return FV_FAILURE_STATUS(failure);
}

FvStatus report_error_if(FvStatus status, const FvError *error)
{
    const int failure = status == error->status ? fv_failure_of(error) : (int)status;
    return status == FV_OK ? FV_OK : (FvStatus)report_error(failure, "%s", error->message);
}

void warn(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(0, format, args);
    va_end(args);
}

void message_log(void *opaque, FvLogLevel level, const char *message)
{
    if (level != FV_LOG_INFO)
        warn("%s", message);
}
