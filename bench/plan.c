#include "plan.h"

#include <stdio.h>
#include <string.h>

#include "base/isa.h"
#include "cli/commands.h"
#include "cli/message.h"
#include "command/bench_options.h"

const char *const origin_names[ORIGINS] = {"resident", "pinned", "pageable", "packets"};

/* Checks that no option is repeated more often than the plan has room for. */
static int check_lists(const Bench *bench)
{
    const struct {
        const char *name;
        const ArgList *asked;
    } lists[] = {{"metric", &bench->metric}, {"size", &bench->size},       {"depth", &bench->depth},
                 {"isa", &bench->isa},       {"threads", &bench->threads}, {"device", &bench->device}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (lists[i].asked->count > BENCH_MAX_LIST)
            return report_error(FV_ERROR_USAGE,
                                "--%s is given %d times, and one run takes %d; run fovea bench again for the "
                                "others",
                                lists[i].name, lists[i].asked->count, BENCH_MAX_LIST);
    return EXIT_OK;
}

static int plan_metrics(Plan *plan, const ArgList *asked)
{
    for (int i = 0; i < (asked->count ? asked->count : fv_metric_count()); i++)
        plan->metrics[plan->metric_count++] = asked->count ? asked->items[i] : fv_metric_info(i)->name;
    return EXIT_OK;
}

static int plan_isas(Plan *plan, const ArgList *asked)
{
    FvIsa isa = fv_isa_best();
    if (!asked->count)
        plan->isas[plan->isa_count++] = fv_isa_name(isa);
    for (int i = 0; i < asked->count; i++) {
        FvError error;
        if (!strcmp(asked->items[i], "all")) {
            plan->isa_count = 0;
            for (int all = 0; all < FV_ISA_COUNT; all++)
                if (fv_isa_usable(all))
                    plan->isas[plan->isa_count++] = fv_isa_name(all);
            break;
        }
        if (fv_isa_parse(asked->items[i], &isa, &error))
            return report_error(error.status, "%s", error.message);
        plan->isas[plan->isa_count++] = fv_isa_name(isa);
    }
    return EXIT_OK;
}

static int plan_threads(Plan *plan, const ArgList *asked)
{
    const int processors = fv_processors();
    if (!asked->count) {
        plan->threads[plan->thread_count++] = 1;
        if (processors > 1)
            plan->threads[plan->thread_count++] = processors > 1024 ? 1024 : processors;
    }
    for (int i = 0; i < asked->count; i++) {
        int64_t threads;
        if (!arg_parse_int(asked->items[i], 1, 1024, &threads))
            return report_error(FV_ERROR_USAGE, "--threads %s: give a number from 1 to 1024", asked->items[i]);
        plan->threads[plan->thread_count++] = (int)threads;
    }
    return EXIT_OK;
}

static int plan_sizes(Plan *plan, const ArgList *asked)
{
    static const char *const usual[] = {"1920x1080", "3840x2160"};
    for (int i = 0; i < (asked->count ? asked->count : 2); i++) {
        const char *text = asked->count ? asked->items[i] : usual[i];
        int *width = &plan->width[i], *height = &plan->height[i], end = 0;
        if (sscanf(text, "%5dx%5d%n", width, height, &end) != 2 || text[end] || *width < 1 || *height < 1 ||
            *width > 8192 || *height > 8192)
            return report_error(FV_ERROR_USAGE, "--size %s: give WIDTHxHEIGHT, up to 8192x8192", text);
        plan->size_count++;
    }
    return EXIT_OK;
}

static int plan_depths(Plan *plan, const ArgList *asked)
{
    static const char *const usual[] = {"8", "10"};
    for (int i = 0; i < (asked->count ? asked->count : 2); i++) {
        const char *text = asked->count ? asked->items[i] : usual[i];
        int64_t depth;
        if (!arg_parse_int(text, 8, 16, &depth) || depth == 9 || depth == 11 || (depth > 12 && depth < 16))
            return report_error(FV_ERROR_USAGE, "--depth %s: give 8, 10, 12 or 16", text);
        plan->depth[plan->depth_count++] = (int)depth;
    }
    return EXIT_OK;
}

static int plan_devices(Plan *plan, const Bench *bench)
{
    const ArgList *asked = &bench->device;
    bool cpu = !asked->count, gpu = false;
    for (int i = 0; i < asked->count; i++) {
        if (!strcmp(asked->items[i], "auto"))
            return report_error(FV_ERROR_USAGE,
                                "--device auto: name the device to measure; 'fovea devices' lists all");
        if (!strcmp(asked->items[i], "cpu"))
            cpu = true;
        else
            plan->devices[plan->device_count++] = asked->items[i];
    }
    gpu = plan->device_count;
    if (cpu && gpu)
        return report_error(FV_ERROR_USAGE,
                            "--device: the CPU and GPUs are not measured in one run: their tables differ");
    if (gpu &&
        (bench->kernels || bench->filter || bench->isa.count || bench->threads.count || bench->csv || bench->json))
        return report_error(FV_ERROR_USAGE,
                            "--kernels, --filter, --isa, --threads, --csv and --json are for the CPU: leave them out "
                            "with --device %s",
                            plan->devices[0]);
    if (!gpu && (bench->reference || bench->distorted || bench->from.count))
        return report_error(FV_ERROR_USAGE, "-r, -d and --from are for GPUs: add --device, or leave them out");
    return EXIT_OK;
}

static int plan_origins(Plan *plan, const Bench *bench)
{
    const ArgList *asked = &bench->from;
    for (int i = 0; i < asked->count; i++) {
        int origin = 0;
        while (origin < PACKETS && strcmp(asked->items[i], origin_names[origin]))
            origin++;
        if (origin == PACKETS || bench->distorted)
            return report_error(FV_ERROR_USAGE, "--from %s: give resident, pinned or pageable, and no -d",
                                asked->items[i]);
        plan->from[origin] = true;
    }
    for (int origin = 0; origin < PACKETS && !asked->count; origin++)
        plan->from[origin] = !bench->distorted;
    plan->from[PACKETS] = bench->distorted;
    return EXIT_OK;
}

static int plan_videos(Plan *plan, const Bench *bench)
{
    plan->reference = bench->reference;
    plan->distorted = bench->distorted;
    plan->packet_depth = bench->depth.count ? plan->depth[0] : 0;
    if (plan->reference && !plan->distorted)
        return report_error(FV_ERROR_USAGE, "give the video to score: -d FILE");
    if (plan->distorted && (bench->size.count || bench->clip || bench->depth.count > 1))
        return report_error(FV_ERROR_USAGE,
                            "--size, --clip and several --depth are for generated clips: leave them out "
                            "with -d %s",
                            plan->distorted);
    return EXIT_OK;
}

int plan_make(Plan *plan, const Bench *bench)
{
    *plan = (Plan){.kind = SYNTH_MIX,
                   .in_flight = (int)bench->in_flight,
                   .scaling = bench->scaling,
                   .folder = bench->files,
                   .frames = bench->frames ? bench->frames : 600,
                   .keep = bench->keep,
                   .seconds = bench->milliseconds ? 1e-3 * (double)bench->milliseconds : 0.25,
                   .style = bench->json  ? BENCH_JSON
                            : bench->csv ? BENCH_CSV
                                         : BENCH_TEXT};
    if (bench->clip && !synth_kind_parse(bench->clip, &plan->kind))
        return report_error(FV_ERROR_USAGE, "--clip %s: give ref, band, noise, mix, steps, blocks or cells",
                            bench->clip);
    int status = check_lists(bench);
    if (!status)
        status = plan_metrics(plan, &bench->metric);
    if (!status)
        status = plan_isas(plan, &bench->isa);
    if (!status)
        status = plan_threads(plan, &bench->threads);
    if (!status)
        status = plan_sizes(plan, &bench->size);
    if (!status)
        status = plan_depths(plan, &bench->depth);
    if (!status)
        status = plan_devices(plan, bench);
    if (!status)
        status = plan_origins(plan, bench);
    return status ? status : plan_videos(plan, bench);
}

int plan_each_clip(const Plan *plan, int (*visit)(void *opaque, const Clip *clip), void *opaque)
{
    int status = EXIT_OK;
    for (int size = 0; size < plan->size_count && !status; size++)
        for (int depth = 0; depth < plan->depth_count && !status; depth++) {
            Clip clip;
            FvError error = {.message = "out of memory for the frames"};
            status = clip_make(&clip, plan->width[size], plan->height[size], plan->depth[depth], plan->kind, &error);
            status = status ? report_error(status, "%s", error.message) : visit(opaque, &clip);
            clip_free(&clip);
        }
    return status;
}
