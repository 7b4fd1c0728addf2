#include "device/instances.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "os/memory.h"

int fv_want(FvWants *wants, const FvFeature *feature, const void *options)
{
    if (wants->count == FV_MAX_WANTS) {
        wants->failed = true;
        return 0;
    }
    void *copy = fv_alloc_zero(feature->options_size);
    if (!copy) {
        wants->failed = true;
        return 0;
    }
    if (feature->options_size)
        memcpy(copy, options, feature->options_size);
    wants->item[wants->count].feature = feature;
    wants->item[wants->count].options = copy;
    return wants->count++;
}

void fv_wants_free(FvWants *wants)
{
    for (int i = 0; i < wants->count; i++)
        fv_free(wants->item[i].options);
    wants->count = 0;
}

static FvStatus add_inputs(FvFeatureInstances *runs, const FvFeature *feature, const void *options,
                           bool ycbcr_variant, int input[FV_MAX_INPUTS], int *count, FvError *error)
{
    *count = 0;
    FvWants *wants = feature->inputs ? fv_alloc_zero(sizeof *wants) : NULL;
    if (!feature->inputs)
        return FV_OK;
    if (!wants)
        return fv_fail_memory(error, sizeof *wants);
    feature->inputs(options, wants);
    FvStatus status = wants->failed || wants->count > FV_MAX_INPUTS ? fv_fail_memory(error, sizeof *wants) : FV_OK;
    for (int i = 0; i < wants->count && !status; i++)
        status =
            fv_instances_add(runs, wants->item[i].feature, wants->item[i].options, ycbcr_variant, &input[i], error);
    *count = wants->count;
    fv_wants_free(wants);
    fv_free(wants);
    return status;
}

FvStatus fv_instances_add(FvFeatureInstances *runs, const FvFeature *feature, const void *options, bool ycbcr_variant,
                          int *position, FvError *error)
{
    for (int i = 0; i < runs->count; i++)
        if (runs->run[i].feature == feature && runs->run[i].ycbcr_variant == ycbcr_variant &&
            fv_options_equal(runs->run[i].options, options, &feature->options)) {
            *position = i;
            return FV_OK;
        }
    int lead = 0;
    while (lead < runs->count &&
           !(feature->computes_both && runs->run[lead].feature == feature &&
             runs->run[lead].ycbcr_variant == ycbcr_variant && !runs->run[lead].twin &&
             !runs->run[lead].input_count && feature->computes_both(runs->run[lead].options, options)))
        lead++;
    int input[FV_MAX_INPUTS], count;
    FvStatus status = add_inputs(runs, feature, options, ycbcr_variant, input, &count, error);
    if (status)
        return status;
    if (runs->count == FV_MAX_INSTANCES)
        return fv_fail(error, FV_ERROR_USAGE,
                       "the metrics of one session need more than %d different features: choose fewer metrics",
                       FV_MAX_INSTANCES);
    void *copy = fv_alloc_zero(feature->options_size);
    if (!copy)
        return fv_fail_memory(error, feature->options_size);
    if (feature->options_size)
        memcpy(copy, options, feature->options_size);
    FvFeatureInstance *run = &runs->run[runs->count];
    *run = (FvFeatureInstance){
        .feature = feature, .options = copy, .ycbcr_variant = ycbcr_variant, .input_count = count};
    for (int i = 0; i < count; i++)
        run->input[i] = &runs->run[input[i]];
    if (lead < runs->count) {
        run->input[run->input_count++] = &runs->run[lead];
        runs->run[lead].twin = copy;
    }
    *position = runs->count++;
    return FV_OK;
}

FvStatus fv_instances_init(FvFeatureInstances *runs, const FvFormat *ref, const FvFormat *dis, FvError *error)
{
    FvStatus status = FV_OK;
    for (int i = 0; i < runs->count && !status; i++) {
        FvFeatureInstance *run = &runs->run[i];
        run->has_reference = ref != NULL;
        run->dis = run->ycbcr_variant ? runs->ycbcr_variant[1] : *dis;
        run->ref = !ref ? run->dis : run->ycbcr_variant ? runs->ycbcr_variant[0] : *ref;
        run->term_count = run->feature->term_count;
        run->planes = (1u << fv_format_planes(&run->dis)) - 1;
        run->reads = FV_READS_DISTORTED | (ref ? FV_READS_REFERENCE : 0);
        for (int s = 0; s < FV_MAX_STAGES; s++)
            run->jobs[s] = 1;
        for (int m = 0; m < run->feature->map_count; m++)
            run->map[m] = (FvMapShape){.width = run->dis.width,
                                       .height = run->dis.height,
                                       .minimum = run->feature->maps[m].minimum,
                                       .maximum = run->feature->maps[m].maximum};
        const size_t size = run->feature->state_size;
        run->state = size ? fv_alloc_zero(size) : NULL;
        status = size && !run->state ? fv_fail_memory(error, size) : run->feature->init(run, error);
    }
    return status;
}

FvStatus fv_instance_terms(const FvFeatureInstance *run, const FvWork *work, FvTerm *row, FvError *error)
{
    FvStatus status = run->term_count ? run->feature->terms(run, work, row, error) : FV_OK;
    for (int i = 0; i < run->term_count && !status; i++)
        if (run->feature->terms_info[i].type == FV_TERM_REAL && isnan(row[i].real))
            row[i].real = NAN;
    return status;
}

void fv_instances_close(FvFeatureInstances *runs)
{
    for (int i = runs->count - 1; i >= 0; i--) {
        if (runs->run[i].feature->close && runs->run[i].state)
            runs->run[i].feature->close(&runs->run[i]);
        fv_free(runs->run[i].state);
        fv_free((void *)runs->run[i].options);
    }
    runs->count = 0;
}
