/* Scores several sources against one reference, which is read once. */
#include <stdlib.h>

#include "base/error.h"
#include "fovea/fovea.h"
#include "input/shared.h"
#include "input/source.h"
#include "os/thread.h"
#include "score/rate.h"
#include "score/rgb_matrix.h"
#include "session/session.h"

typedef struct Encode {
    FvEncode *encode;
    FvShared *shared; /* the shared reference; NULL: no reference */
    int number;
    bool turns; /* the encode has its own thread, which works only in its turn */
    FvThread thread;
} Encode;

static void score(void *argument)
{
    Encode *own = argument;
    FvEncode *encode = own->encode;
    FvSource *reference = own->shared ? fv_shared_reader(own->shared, own->number) : NULL;
    if (own->turns)
        fv_shared_enter(own->shared, own->number);
    encode->status = fv_score(encode->session, reference, encode->distorted, encode->params, &encode->error);
    if (own->shared)
        fv_shared_leave(own->shared, own->number);
}

static FvStatus check_encodes(const FvEncode *encodes, int count, const FvSource *reference, int threads,
                              FvError *error)
{
    static const char name[] = "fv_score_encodes";
    if (!encodes)
        return fv_fail_null(error, name, "encodes");
    if (count < 1 || threads < 0)
        return fv_fail(error, FV_ERROR_USAGE,
                       "%s: %d encodes, %d threads; give at least one encode, and 0 or more threads", name, count,
                       threads);
    for (int i = 0; i < count; i++) {
        const char *missing = !encodes[i].session     ? "session"
                              : !encodes[i].distorted ? "distorted"
                              : !encodes[i].params    ? "params"
                                                      : NULL;
        if (missing)
            return fv_fail_null(error, name, missing);
        if (encodes[i].distorted == reference)
            return fv_fail(error, FV_ERROR_USAGE,
                           "%s: %s is given as the reference and as an encode; open the file twice", name,
                           fv_source_info(reference)->path);
        for (int k = 0; k < i; k++)
            if (encodes[k].session == encodes[i].session || encodes[k].distorted == encodes[i].distorted)
                return fv_fail(error, FV_ERROR_USAGE, "%s: encodes %d and %d have the same %s; open one for each",
                               name, k, i, encodes[k].session == encodes[i].session ? "session" : "source");
    }
    return FV_OK;
}

/*
 * Settles the rates of all encodes, and one matrix for a reference that its reader converts from RGB: that of the
 * first encode.
 */
static void settle(const FvEncode *encodes, int count, FvSource *reference)
{
    const FvSourceInfo *info = fv_source_info(reference);
    for (int i = 0; i < count && info; i++)
        fv_rate_settle((FvSource *const[2]){reference, encodes[i].distorted}, encodes[i].params);
    if (!info || !info->rgb || info->format.chroma == FV_CHROMA_RGB || count < 2)
        return;
    fv_rgb_matrix_settle((FvSource *const[2]){reference, encodes[0].distorted});
    reference->info.named.matrix = reference->turned.named.matrix = reference->info.format.matrix;
}

FvStatus fv_score_encodes(FvEncode *encodes, int count, FvSource *reference, int threads, FvError *error)
{
    FV_FLOAT_MODE;
    FvShared *shared = NULL;
    FvError own_error = {0};
    error = error ? error : &own_error;
    FvStatus status = check_encodes(encodes, count, reference, threads, error);
    Encode *own = status ? NULL : calloc((size_t)count + 1, sizeof *own);
    if (!status && !own)
        status = fv_fail_memory(error, (size_t)count * sizeof *own);
    if (!status)
        settle(encodes, count, reference);
    if (!status && reference)
        status = fv_shared_open(&shared, reference, count, threads ? threads : fv_processors(), error);
    for (int i = 0; i < count && status && encodes; i++) {
        encodes[i].status = status;
        encodes[i].error = *error;
    }
    for (int i = 0; i < count && !status; i++) {
        const bool needs = fv_session_needs_reference(encodes[i].session);
        own[i] = (Encode){.encode = &encodes[i],
                          .shared = shared,
                          .number = i,
                          .turns = shared && needs && fv_session_devices(encodes[i].session)->threads == 1};
        if (shared && !needs)
            fv_shared_leave(shared, i);
        encodes[i].error = (FvError){0};
        fv_session_set_others(encodes[i].session, count - 1);
    }
    for (int i = 0; i < count && !status; i++)
        if (!fv_thread_start(&own[i].thread, score, &own[i])) {
            encodes[i].status = fv_fail(&encodes[i].error, FV_ERROR_MEMORY, "%s: no thread could be started for it",
                                        fv_source_info(encodes[i].distorted)->path);
            if (shared)
                fv_shared_leave(shared, i);
        }
    for (int i = 0; i < count && own; i++)
        fv_thread_join(&own[i].thread);
    for (int i = 0; i < count && !status; i++)
        if (encodes[i].status) {
            status = encodes[i].status;
            *error = encodes[i].error;
        }
    fv_shared_close(&shared);
    free(own);
    return status;
}
