#include "scale.h"

#include "base/error.h"
#include "os/memory.h"

#define ALIVE 4 /* number of frames that exist at once */

struct BenchScale {
    FvPreparation *preparation;
    FvFrame *small, *alive[ALIVE];
};

static FvStatus make_small(FvFrame **small, const Clip *clip, FvIsa isa, FvError *error)
{
    FvPreparation *reduction;
    FvPrepareParams params = fv_prepare_nothing(&clip->format);
    params.width = (clip->format.width * 2 + 2) / 3;
    params.height = (clip->format.height * 2 + 2) / 3;
    FvStatus status = fv_prepare_open(&reduction, &clip->format, &params, isa, 1, error);
    if (status)
        return status;
    *small = fv_frame_ref(clip->ref[0]);
    status = fv_prepare_run(reduction, small, error);
    fv_prepare_close(&reduction);
    return status;
}

FvStatus bench_scale_prepare(FvPreparation **preparation, FvFrame **small, const Clip *clip, const char *name,
                             int threads, FvError *error)
{
    FvIsa isa;
    FvStatus status = fv_isa_parse(name, &isa, error);
    if (!status)
        status = make_small(small, clip, isa, error);
    if (status)
        return status;
    const FvFormat *from = &(*small)->format;
    FvPrepareParams params = fv_prepare_nothing(from);
    params.width = clip->format.width;
    params.height = clip->format.height;
    return fv_prepare_open(preparation, from, &params, isa, threads, error);
}

FvStatus bench_scale_open(BenchScale **scale, const Clip *clip, const char *name, int threads, FvError *error)
{
    BenchScale *s = *scale = fv_alloc_zero(sizeof *s);
    if (!s)
        return fv_fail_memory(error, sizeof *s);
    FvStatus status = bench_scale_prepare(&s->preparation, &s->small, clip, name, threads, error);
    /* The first run allocates the memory for all frames. */
    return status ? status : bench_scale_run(s, ALIVE, error);
}

FvStatus bench_scale_run(BenchScale *scale, int frames, FvError *error)
{
    FvStatus status = FV_OK;
    for (int i = 0; i < frames && !status; i++) {
        FvFrame **place = &scale->alive[i % ALIVE];
        fv_frame_unref(place);
        *place = fv_frame_ref(scale->small);
        status = fv_prepare_run(scale->preparation, place, error);
    }
    return status;
}

void bench_scale_close(BenchScale **scale)
{
    BenchScale *s = *scale;
    *scale = NULL;
    if (!s)
        return;
    for (int i = 0; i < ALIVE; i++)
        fv_frame_unref(&s->alive[i]);
    fv_frame_unref(&s->small);
    fv_prepare_close(&s->preparation);
    fv_free(s);
}
