#include "device/analysis.h"

#include <string.h>

#include "base/error.h"
#include "os/memory.h"
#include "os/thread.h"
#include "picture/frame.h"

typedef enum Progress { WAITS, BEGUN, MADE } Progress;

struct FvAnalysis {
    FvAnalyses *owner;
    FvAnalysis *next; /* next analysis of this frame, or next idle analysis */
    const FvFeature *feature;
    void *options;
    FvFormat format;
    FvIsa isa;
    void *memory;
    uint8_t *progress; /* progress of each part */
    int parts;
};

/* The analyses of a frame, which it owns. */
typedef struct Shared {
    FvAnalyses *owner;
    FvAnalysis *first;
    bool failed; /* memory ran out, so no session gets a further analysis of this frame */
} Shared;

struct FvAnalyses {
    FvMutex lock;
    FvCondition changed;
    FvAnalysis *idle;
    int users; /* number of frames that share, plus 1 until fv_analyses_close() */
};

static void free_analysis(FvAnalysis *analysis)
{
    if (!analysis)
        return;
    fv_free(analysis->options);
    fv_free(analysis->memory);
    fv_free(analysis->progress);
    fv_free(analysis);
}

FvStatus fv_analyses_open(FvAnalyses **analyses, FvError *error)
{
    *analyses = fv_alloc(sizeof **analyses);
    if (!*analyses)
        return fv_fail_memory(error, sizeof **analyses);
    **analyses = (FvAnalyses){.users = 1};
    fv_mutex_open(&(*analyses)->lock);
    fv_condition_open(&(*analyses)->changed);
    return FV_OK;
}

/* Ends one use. The caller holds the lock, which is released. */
static void leave(FvAnalyses *analyses)
{
    const bool last = --analyses->users == 0;
    fv_unlock(&analyses->lock);
    if (!last)
        return;
    for (FvAnalysis *next, *idle = analyses->idle; idle; idle = next) {
        next = idle->next;
        free_analysis(idle);
    }
    fv_condition_close(&analyses->changed);
    fv_mutex_close(&analyses->lock);
    fv_free(analyses);
}

void fv_analyses_close(FvAnalyses **analyses)
{
    FvAnalyses *closing = *analyses;
    *analyses = NULL;
    if (!closing)
        return;
    fv_lock(&closing->lock);
    leave(closing);
}

/* Makes the analyses of a frame idle when the frame's last reference is released. */
static void give_back(void *opaque)
{
    Shared *shared = opaque;
    FvAnalyses *analyses = shared->owner;
    fv_lock(&analyses->lock);
    for (FvAnalysis *next, *analysis = shared->first; analysis; analysis = next) {
        next = analysis->next;
        analysis->next = analyses->idle;
        analyses->idle = analysis;
    }
    leave(analyses);
    fv_free(shared);
}

void fv_analyses_share(FvAnalyses *analyses, FvFrame *reference)
{
    Shared *shared = fv_frame_attached(reference) ? NULL : fv_alloc(sizeof *shared);
    if (!shared)
        return;
    *shared = (Shared){.owner = analyses};
    fv_lock(&analyses->lock);
    analyses->users++;
    fv_unlock(&analyses->lock);
    fv_frame_attach(reference, shared, give_back);
}

static bool is_for(const FvAnalysis *analysis, const FvFeatureInstance *run)
{
    return analysis->feature == run->feature && analysis->isa == run->isa &&
           fv_options_equal(analysis->options, run->options, &run->feature->options) &&
           !memcmp(&analysis->format, &run->ref, sizeof run->ref);
}

static FvAnalysis *make_analysis(FvAnalyses *owner, const FvFeatureInstance *run)
{
    const size_t options_size = run->feature->options_size;
    FvAnalysis *made = fv_alloc(sizeof *made);
    if (!made)
        return NULL;
    *made = (FvAnalysis){.owner = owner,
                         .feature = run->feature,
                         .options = fv_alloc(options_size),
                         .format = run->ref,
                         .isa = run->isa,
                         .memory = fv_alloc(run->analysis_bytes),
                         .progress = fv_alloc((size_t)run->analysis_parts),
                         .parts = run->analysis_parts};
    if (!made->options || !made->memory || !made->progress) {
        free_analysis(made);
        return NULL;
    }
    memcpy(made->options, run->options, options_size);
    return made;
}

FvAnalysis *fv_analysis_of(const FvFeatureInstance *run, const FvFrame *reference)
{
    Shared *shared = run->analysis_parts && reference ? fv_frame_attached(reference) : NULL;
    if (!shared)
        return NULL;
    fv_lock(&shared->owner->lock);
    FvAnalysis *found = shared->first;
    while (found && !is_for(found, run))
        found = found->next;

    /* The first instance that needs an analysis takes over an idle one that fits, or makes a new one. */
    if (!found && !shared->failed) {
        FvAnalysis **idle = &shared->owner->idle;
        while (*idle && !is_for(*idle, run))
            idle = &(*idle)->next;
        found = *idle;
        if (found)
            *idle = found->next;
        else
            found = make_analysis(shared->owner, run);
        shared->failed = !found;
        if (found) {
            memset(found->progress, WAITS, (size_t)found->parts);
            found->next = shared->first;
            shared->first = found;
        }
    }
    fv_unlock(&shared->owner->lock);
    return found;
}

void *fv_analysis_memory(const FvAnalysis *analysis)
{
    return analysis->memory;
}

void fv_analysis_need(const FvFeatureInstance *run, const FvWork *work, int part, int first, int end)
{
    FvAnalysis *analysis = work->analysis;
    FvAnalyses *owner = analysis->owner;
    fv_lock(&owner->lock);
    while (analysis->progress[part] != MADE) {
        int own = part;
        if (analysis->progress[part] == BEGUN)
            for (own = first; own < end && analysis->progress[own] != WAITS;)
                own++;
        if (own == end) {
            fv_condition_wait(&owner->changed, &owner->lock);
            continue;
        }
        analysis->progress[own] = BEGUN;
        fv_unlock(&owner->lock);
        run->feature->analyse(run, work, own);
        fv_lock(&owner->lock);
        analysis->progress[own] = MADE;
        fv_condition_wake(&owner->changed);
    }
    fv_unlock(&owner->lock);
}
