/*
 * The program fovea-bench, which measures how fast kernels and complete metrics run on this machine. It needs no
 * file.
 */
#include <string.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "cli/process.h"
#include "command/bench_options.h"
#include "measure.h"
#include "parity.h"
#include "record.h"

static int with_record(int status)
{
    return status ? status : record_close();
}

int bench_run(const void *values, const ArgList *words)
{
    const Bench *bench = values;
    Plan plan;
    int status = plan_make(&plan, bench);
    if (status)
        return status;
    if (!parity_filter_good(bench->filter))
        return report_error(FV_ERROR_USAGE, "--filter %s: not a valid extended regular expression", bench->filter);
    if (bench->stills &&
        (bench->kernels || bench->metrics || bench->metric.count || bench->filter || bench->distorted ||
         bench->from.count || bench->csv || bench->json || bench->record || bench->against))
        return report_error(FV_ERROR_USAGE,
                            "--stills takes --size, --depth, --clip, --device, --threads and --milliseconds");
    if (bench->stills)
        return process_end(bench_stills(&plan));
    if (!bench->files && (bench->frames || bench->keep))
        return report_error(FV_ERROR_USAGE,
                            "--frames and --keep are for --files: add --files FOLDER, or leave them out");
    if (bench->files &&
        (bench->stills || bench->kernels || bench->metrics || bench->scaling || bench->filter || bench->distorted ||
         bench->from.count || bench->csv || bench->json || bench->milliseconds || bench->record || bench->against))
        return report_error(FV_ERROR_USAGE,
                            "--files takes --frames, --keep, --metric, --size, --depth, --clip, --device, "
                            "--isa, --threads and --in-flight");
    if (bench->files)
        return process_end(bench_files(&plan));
    if ((bench->record || bench->against) && bench->kernels && !bench->metrics && !bench->metric.count)
        return report_error(FV_ERROR_USAGE, "--record and --against are for metrics: leave out --kernels");
    status = record_open(bench->record, bench->against);
    if (status)
        return status;
    if (plan.device_count) {
#if FV_HAVE_GPU
        return process_end(with_record(bench_gpu(&plan)));
#else
        return report_error(FV_ERROR_DEVICE, "this build has no GPUs, so it cannot measure %s", plan.devices[0]);
#endif
    }
    const bool metrics = bench->metrics || bench->metric.count;
    bool both = bench->kernels == metrics;
    const char *isa = bench->isa.count == 1 && strcmp(bench->isa.items[0], "all") ? plan.isas[0] : NULL;
    ParitySelection selection = {.filter = bench->filter, .runner = isa};
    if (bench->json)
        printf("{\"kernels\": ");
    if (both || bench->kernels)
        parity_bench(&selection, bench->json ? PARITY_JSON : bench->csv ? PARITY_CSV : PARITY_TEXT, stdout);
    else if (bench->json)
        printf("[]");
    printf(bench->json ? ",\n\"metrics\": " : both ? "\n" : "");
    if (both || metrics)
        status = bench_cpu(&plan);
    else if (bench->json)
        printf("[]");
    if (bench->json)
        printf("}\n");
    return process_end(with_record(status));
}

const Command *const commands[] = {&command_bench};
const int command_count = sizeof commands / sizeof *commands;

static int run_all(int argc, char **argv)
{
    return process_run(&command_bench, argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    return process_start(run_all, argc, argv);
}
