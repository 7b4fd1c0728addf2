#include "os/guard.h"

#include "session/session.h"
#include "input/source.h"

static void add(FvGuard *guard, FvFileId id, const char *name)
{
    if (id.known && guard->count < FV_MAX_GUARDED)
        guard->file[guard->count++] = (FvGuarded){id, name};
}

void fv_guard_sources(FvGuard *guard, const FvSource *const *sources, int count)
{
    for (int i = 0; i < count; i++)
        if (sources[i])
            add(guard, sources[i]->stream.id, fv_source_info(sources[i])->path);
}

void fv_guard_session(FvGuard *guard, const FvSession *session)
{
    add(guard, session->facts.reference.id, session->facts.reference.path);
    add(guard, session->facts.distorted.id, session->facts.distorted.path);
    for (int m = 0; m < session->metrics.count; m++) {
        const FvMetricRun *run = &session->metrics.run[m];
        const FvOptions *table = &run->metric->options;
        for (int i = 0; run->files && i < table->count; i++)
            add(guard, run->files[i].id, fv_option_path(run->options, table, i));
    }
}

const FvGuarded *fv_guard_find(const FvGuard *guard, FvFileId id)
{
    for (int i = 0; i < guard->count; i++)
        if (fv_file_same(id, guard->file[i].id))
            return &guard->file[i];
    return NULL;
}
