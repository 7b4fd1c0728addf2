/* Writes output files, which appear under their names complete or not at all. */
#include "os/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "os/output_stream.h"
#include "os/replace.h"
#include "path_names.h"
#include "write_reason.h"

#define ATTEMPTS 100     /* attempts to find an unused name */
#define LONGEST_BASE 200 /* maximum bytes of a file's name that its temporary or partial name repeats */

struct FvOutput {
    FILE *file;
    FvOutputStream stream; /* the stream under `file`, if the output is written in place */
    char *path;            /* the path that the caller gave */
    char *target;          /* the final name, with links followed; NULL: the output is written in place */
    char *temporary;       /* the name until the output is complete */
    FvGuard guard;
};

static const char *name_of(const char *path)
{
    return strcmp(path, "-") ? path : "standard output";
}

static FvStatus fail_path(const char *path, int reason, FvError *error)
{
    if (reason == ECANCELED)
        return fv_fail(error, FV_FAIL_STOPPED, "%s: writing was stopped on request", name_of(path));
    if (reason == ENXIO)
        return fv_fail(error, FV_ERROR_OUTPUT,
                       "%s could not be written: it is a socket, or a device that is not there; name a file",
                       name_of(path));
    return fv_fail(error, fv_failure_of_system(FV_ERROR_OUTPUT, reason), "%s could not be written: %s", name_of(path),
                   strerror(reason));
}

static void release(FvOutput *output)
{
    free(output->path);
    free(output->target);
    free(output->temporary);
    fv_guard_free(&output->guard);
    free(output);
}

/* ---- The target ------------------------------------------------------------------------------------------------ */

static FvStatus refuse(const char *path, const FvGuarded *guarded, FvError *error)
{
    return fv_fail(error, FV_FAIL_OVERWRITES, "%s would overwrite the input %s; name another file", name_of(path),
                   guarded->name);
}

/* Checks the path before anything is opened. *facts is zeroed when the path does not exist yet. */
static FvStatus examine(const char *path, const FvGuard *guard, FvFileFacts *facts, FvError *error)
{
    int fd = fv_replace_descriptor(path);
    *facts = (FvFileFacts){.kind = FV_FILE_ABSENT};
    if (guard->incomplete)
        return fail_path(path, ENOMEM, error);
    if (fd >= 0 ? !fv_file_facts(fd, facts) : !fv_file_facts_of(path, facts))
        return fd >= 0 || !*path || errno != ENOENT ? fail_path(path, *path ? errno : ENOENT, error) : FV_OK;
    const FvGuarded *same = fv_guard_find(guard, facts->id);
    if (same)
        return refuse(path, same, error);
    if (facts->kind == FV_FILE_FOLDER)
        return fail_path(path, EISDIR, error);
    return FV_OK;
}

FvStatus fv_output_check_guarded(const char *path, const FvGuard *guard, FvError *error)
{
    FvFileFacts facts;
    FvStatus status = examine(path, guard, &facts, error);
    if (status || fv_replace_descriptor(path) >= 0)
        return status;
    int reason = 0;
    if (facts.kind && access(path, W_OK))
        reason = errno;
    if (!reason && facts.kind == FV_FILE_OTHER && !fv_output_stream_opens(path))
        reason = errno;
    if (!reason && (!facts.kind || facts.kind == FV_FILE_REGULAR)) {
        char *target = fv_replace_target(path);
        reason = !target || !fv_replace_takes(target) ? errno : 0;
        free(target);
    }
    return reason ? fail_path(path, reason, error) : FV_OK;
}

/* ---- Opening --------------------------------------------------------------------------------------------------- */

/* Opens a temporary file next to the target, so that the later rename stays within one file system. */
static int open_temporary(FvOutput *output)
{
    size_t size = strlen(output->target) + 64;
    const char *slash = fv_last_slash(output->target), *base = slash ? slash + 1 : output->target;
    output->temporary = malloc(size);
    if (!output->temporary)
        return -1;
    int fd = -1;
    for (int i = 0; i < ATTEMPTS && fd < 0; i++) {
        snprintf(output->temporary, size, "%.*s%.*s.%ld.%d.tmp", (int)(base - output->target), output->target,
                 LONGEST_BASE, base, (long)getpid(), i);
        fd = fv_replace_create(output->temporary);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    return fd;
}

/* Opens an output that will replace the target. A file that the user may not write is not replaced either. */
static int open_replacement(FvOutput *output, const FvFileFacts *facts)
{
    if (facts->kind && access(output->path, W_OK))
        return -1;
    output->target = fv_replace_target(output->path);
    int fd = output->target ? open_temporary(output) : -1;
    if (fd >= 0 && facts->kind)
        fv_replace_permit(fd, facts->permissions);
    return fd;
}

static FvStatus open_output(FvOutput *output, const FvFileFacts *facts, const FvCancel *cancel, FvError *error)
{
    int named = fv_replace_descriptor(output->path);
    bool replaces = named < 0 && (!facts->kind || facts->kind == FV_FILE_REGULAR);
    if (replaces) {
        int fd = open_replacement(output, facts);
        output->file = fd < 0 ? NULL : fdopen(fd, "w");
        if (fd >= 0 && !output->file) {
            int reason = errno;
            close(fd);
            unlink(output->temporary);
            errno = reason;
        }
    } else {
        output->file = fv_output_stream_open(&output->stream, named, output->path, cancel);
    }
    return output->file ? FV_OK : fail_path(output->path, errno, error);
}

FvStatus fv_output_open_guarded(FvOutput **output, const char *path, const FvGuard *guard, const FvCancel *cancel,
                                FvError *error)
{
    FvFileFacts facts;
    *output = NULL;
    FvStatus status = examine(path, guard, &facts, error);
    if (status)
        return status;
    FvOutput *opening = calloc(1, sizeof *opening);
    if (opening)
        opening->path = strdup(path);
    if (!opening || !opening->path) {
        free(opening);
        return fv_fail_memory(error, sizeof *opening + strlen(path));
    }
    fv_guard_add_all(&opening->guard, guard);
    status = opening->guard.incomplete ? fail_path(path, ENOMEM, error) : open_output(opening, &facts, cancel, error);
    if (status)
        release(opening);
    else
        *output = opening;
    return status;
}

FILE *fv_output_file(FvOutput *output)
{
    return output ? output->file : NULL;
}

/* ---- Ending ---------------------------------------------------------------------------------------------------- */

/* Flushes everything to the disk or to the reader of the pipe. Returns 0, or the errno of the failure. */
static int end_writing(FvOutput *output)
{
    FILE *file = output->file;
    /* After a failed write that emptied the buffer, only errno still tells the reason. */
    int full = errno == ENOSPC || errno == EFBIG || errno == EDQUOT ? errno : EIO;
    errno = 0;
    /* Not every C library sets the error flag of a FILE if its cookie's write function fails. */
    bool written = !fflush(file) && !ferror(file) && !output->stream.reason;
    if (written && output->temporary)
        written = fv_replace_flush(fileno(file));
    int reason = written ? 0 : output->stream.reason ? output->stream.reason : errno ? errno : full;
    if (reason && !output->temporary)
        reason = fv_write_reason(fileno(file), reason);
    errno = 0;
    if (fclose(file) && !reason)
        reason = errno ? errno : EIO;
    output->file = NULL;
    return reason;
}

/*
 * Gives the temporary file its final name, unless an input has got that name since the output was opened. Returns 0
 * or an errno.
 */
static int rename_to_target(const FvOutput *output)
{
    FvFileFacts facts;
    if (fv_file_facts_of(output->target, &facts) && fv_guard_find(&output->guard, facts.id))
        return EEXIST;
    return fv_replace(output->temporary, output->target) ? 0 : errno;
}

/* Gives the temporary file a free name next to the target: film.partial.y4m, film.partial-2.y4m, ... */
static int rename_to_free_name(FvOutput *output, char *name, size_t size)
{
    const char *slash = fv_last_slash(output->target), *base = slash ? slash + 1 : output->target;
    const char *dot = strrchr(base, '.');
    size_t stem = dot && dot != base ? (size_t)(dot - base) : strlen(base);
    int folder = (int)(base - output->target), kept = (int)(stem < LONGEST_BASE ? stem : LONGEST_BASE);
    for (int i = 1; i <= ATTEMPTS; i++) {
        char number[16] = "";
        if (i > 1)
            snprintf(number, sizeof number, "-%d", i);
        int length =
            snprintf(name, size, "%.*s%.*s.partial%s%.32s", folder, output->target, kept, base, number, base + stem);
        if (length < 0 || (size_t)length >= size)
            return ENAMETOOLONG;
        if (fv_replace_none(output->temporary, name))
            return 0;
        if (errno != EEXIST)
            return errno;
    }
    return EEXIST;
}

static FvStatus end(FvOutput **output, bool whole, char *name, size_t size, FvError *error)
{
    FvOutput *ending = *output;
    *output = NULL;
    int reason = end_writing(ending);
    if (!reason && ending->temporary)
        reason = whole ? rename_to_target(ending) : rename_to_free_name(ending, name, size);
    if (reason && ending->temporary)
        unlink(ending->temporary);
    if (!reason && ending->temporary)
        fv_replace_flush_folder(ending->target);
    FvStatus status = reason ? fail_path(ending->path, reason, error) : FV_OK;
    release(ending);
    return status;
}

FvStatus fv_output_close(FvOutput **output, FvError *error)
{
    FV_FLOAT_MODE;
    return output && *output ? end(output, true, NULL, 0, error) : FV_OK;
}

FvStatus fv_output_keep_partial(FvOutput **output, char *name, size_t size, FvError *error)
{
    FV_FLOAT_MODE;
    if (!name || !size)
        return fv_fail(error, FV_ERROR_USAGE, "fv_output_keep_partial: there is no room for the name");
    *name = 0;
    return output && *output ? end(output, false, name, size, error) : FV_OK;
}

void fv_output_discard(FvOutput **output)
{
    if (!output || !*output)
        return;
    FvOutput *ending = *output;
    *output = NULL;
    if (!ending->temporary)
        fv_output_stream_abandon(&ending->stream);
    fclose(ending->file);
    if (ending->temporary)
        unlink(ending->temporary);
    release(ending);
}
