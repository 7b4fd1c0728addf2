/* Records facts that reports of a session state besides the scores. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "input/source.h"
#include "os/memory.h"
#include "session/state.h"

const FvFacts *fv_session_facts(const FvSession *session)
{
    return &session->facts;
}

void fv_session_mark_partial(FvSession *session, const FvError *reason)
{
    session->facts.partial = true;
    session->facts.failure = *reason;
}

void fv_session_note_params(FvSession *session, const FvScoreParams *params)
{
    session->facts.score = *params;
    session->facts.score.alignment = NULL; /* the alignment belongs to the caller */
}

void fv_session_protect(FvSession *session, const FvGuard *files)
{
    fv_guard_add_all(&session->facts.read, files);
}

void fv_session_protect_path(FvSession *session, const char *path)
{
    fv_guard_add_path(&session->facts.read, path);
}

void fv_session_note_timing(FvSession *session, const FvTiming *timing)
{
    FvFacts *facts = &session->facts;
    facts->timing = *timing;
    snprintf(facts->limited_by, sizeof facts->limited_by, "%s", timing->limited_by ? timing->limited_by : "");
    facts->timing.limited_by = timing->limited_by ? facts->limited_by : NULL;
}

FvStatus fv_session_note_pairing(FvSession *session, const FvPairing *pairing, FvError *error)
{
    FvPairing *kept = &session->facts.pairing;
    const size_t bytes = (size_t)pairing->found.event_count * sizeof *pairing->found.events;
    FvAlignEvent *events = bytes ? malloc(bytes) : NULL;
    if (bytes && !events)
        return fv_fail_memory(error, bytes);
    if (bytes)
        memcpy(events, pairing->found.events, bytes);
    free(kept->found.events);
    *kept = *pairing;
    kept->found.pairs = NULL;
    kept->found.events = events;
    return FV_OK;
}

FvStatus fv_session_note_scene(FvSession *session, int64_t number, FvFrame *frame, FvError *error)
{
    return fv_scenes_add(&session->facts.scenes, number, frame, error);
}

void fv_session_note_samples(FvSession *session, bool differ)
{
    session->facts.compared = true;
    session->facts.differs |= differ;
}

void fv_session_note_times(FvSession *session, double *times)
{
    free(session->facts.times);
    session->facts.times = times;
}

static void drop_decisions(FvFacts *facts)
{
    while (facts->decision_count)
        free(facts->decisions[--facts->decision_count]);
    fv_events_free(&facts->events);
}

FvStatus fv_session_note_events(FvSession *session, const FvEvents *events, FvError *error)
{
    return fv_events_add_all(&session->facts.events, events, error);
}

void fv_session_import_record(FvSession *session, FvRecord *record)
{
    drop_decisions(&session->facts);
    session->facts.imported = record;
}

void fv_session_take_facts(FvSession *session, FvFacts *from)
{
    FvFacts *to = &session->facts;
    fv_session_import_record(session, from->imported);
    to->reference = from->reference;
    to->distorted = from->distorted;
    to->packets = from->packets;
    to->scenes = from->scenes;
    to->score = from->score;
    to->pairing = from->pairing;
    *from = (FvFacts){.numerics = 0};
}

FvStatus fv_session_take_fields(FvSession *session, FvSession *const field[2], FvError *error)
{
    FvFacts *to = &session->facts, *from = &field[0]->facts;
    const FvFacts *other = &field[1]->facts;
    FvRecord *record = fv_alloc_zero(sizeof *record);
    FvStatus status = record ? fv_record_make(record, field[0], error) : fv_fail_memory(error, sizeof *record);
    if (status) {
        fv_free(record);
        return status;
    }
    to->imported = record;
    to->reference.bit_rate = from->reference.bit_rate;
    to->distorted.bit_rate = from->distorted.bit_rate;
    to->packets = from->packets;
    to->times = from->times;
    to->pairing = from->pairing;
    to->scenes = from->scenes;
    to->compared = from->compared && other->compared;
    to->differs = from->differs || other->differs;
    from->packets = NULL;
    from->times = NULL;
    from->pairing.found.events = NULL;
    from->scenes = (FvScenes){.cuts = NULL};
    return FV_OK;
}

FvStatus fv_session_set_input(FvInput *input, const FvSourceInfo *info, FvError *error)
{
    *input = (FvInput){
        .present = true,
        .path = strdup(info->path),
        .reader = strdup(info->reader),
        .container = strdup(info->container),
        .codec = strdup(info->codec),
        .mastering = info->mastering ? strdup(info->mastering) : NULL,
        .info = *info,
        .bit_rate = NAN,
    };
    input->info.path = input->info.reader = input->info.container = input->info.codec = input->info.mastering = NULL;
    if (!input->path || !input->reader || !input->container || !input->codec ||
        (info->mastering && !input->mastering))
        return fv_fail_memory(error, 256);
    return FV_OK;
}

FvStatus fv_session_note_input(FvSession *session, FvSide side, const FvSourceInfo *info, FvError *error)
{
    return fv_session_set_input(side == FV_REFERENCE ? &session->facts.reference : &session->facts.distorted, info,
                                error);
}

bool fv_session_input(const FvSession *session, FvSide side, FvSourceInfo *info)
{
    const FvInput *input = !session ? NULL : side ? &session->facts.distorted : &session->facts.reference;
    if (!input || !input->present || !info)
        return false;
    *info = input->info;
    info->path = input->path;
    info->reader = input->reader;
    info->container = input->container;
    info->codec = input->codec;
    info->mastering = input->mastering;
    return true;
}

const char *fv_session_partial(const FvSession *session)
{
    return !session                                ? NULL
           : session->facts.partial                ? session->facts.failure.message
           : session->state != FV_SESSION_FINISHED ? "the session was not finished"
                                                   : NULL;
}

bool fv_session_identical(const FvSession *session)
{
    return session && session->facts.compared && !session->facts.differs;
}

static void free_input(FvInput *input)
{
    free(input->path);
    free(input->reader);
    free(input->container);
    free(input->codec);
    free(input->mastering);
    *input = (FvInput){0};
}

void fv_facts_free(FvFacts *facts)
{
    if (facts->imported)
        fv_record_free(facts->imported);
    fv_free(facts->imported);
    drop_decisions(facts);
    free(facts->decisions);
    free_input(&facts->reference);
    free_input(&facts->distorted);
    fv_guard_free(&facts->read);
    free(facts->packets);
    free(facts->times);
    free(facts->gates);
    free(facts->pairing.found.events);
    fv_scenes_close(&facts->scenes);
}
