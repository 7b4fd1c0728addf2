/* Measures the cases: CPU time of the calling thread, in rounds that alternate between runners, as medians. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

#define ROUNDS 9
#define SAMPLE_SECONDS 4e-3 /* duration of one measurement, long compared with the clock's resolution */

typedef struct Bench {
    const ParitySelection *selection;
    ParityStyle style;
    FILE *file;
    int rows;
} Bench;

typedef struct Measure {
    const ParityRunner *runner;
    int calls;
    double seconds[ROUNDS]; /* seconds per call of each round */
    double samples, bytes;
} Measure;

static double measure_once(const ParityCase *c, const ParityRunner *runner, int calls, uint64_t seed,
                           Measure *measure)
{
    static ParityRun run;
    run = (ParityRun){.calls = calls};
    bool good = parity_run(c, runner, seed, &run);
    measure->samples = run.samples;
    measure->bytes = run.bytes;
    parity_run_free(&run);
    return good ? run.seconds : -1;
}

/* Returns the number of calls that fills one measurement. */
static int calibrate(const ParityCase *c, const ParityRunner *runner, uint64_t seed, Measure *measure)
{
    int calls = 1;
    for (;;) {
        double seconds = measure_once(c, runner, calls, seed, measure);
        if (seconds < 0)
            return 0;
        if (seconds >= SAMPLE_SECONDS / 2 || calls > 1 << 24)
            return seconds >= SAMPLE_SECONDS ? calls : (int)(calls * SAMPLE_SECONDS / fmax(seconds, 1e-6)) + 1;
        calls *= 4;
    }
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_row(Bench *bench, const ParityCase *c, const Measure *m, double scalar)
{
    static const char *const header = "kernel,runner,ns_per_sample,gigabytes_per_second,spread_percent,speedup\n";
    double median = m->seconds[ROUNDS / 2];
    double ns = median * 1e9 / m->samples, rate = m->bytes / median * 1e-9;
    double spread = 100 * (m->seconds[ROUNDS * 3 / 4] - m->seconds[ROUNDS / 4]) / median;
    double speedup = scalar > 0 ? scalar / median : 1;
    if (bench->style == PARITY_JSON)
        fprintf(bench->file,
                "%s{\"kernel\": \"%s\", \"runner\": \"%s\", \"ns_per_sample\": %.6g, \"gigabytes_per_second\": %.6g, "
                "\"spread_percent\": %.3g, \"speedup\": %.4g}",
                bench->rows ? ",\n" : "[\n", c->name, m->runner->name, ns, rate, spread, speedup);
    else if (bench->style == PARITY_CSV)
        fprintf(bench->file, "%s\"%s\",%s,%.6g,%.6g,%.3g,%.4g\n", bench->rows ? "" : header, c->name, m->runner->name,
                ns, rate, spread, speedup);
    else {
        if (!bench->rows)
            fprintf(bench->file, "%-44s %-8s %12s %9s %9s %9s\n", "kernel", "runner", "ns/sample", "GB/s", "spread",
                    "speed-up");
        fprintf(bench->file, "%-44s %-8s %12.4f %9.2f %8.1f%% %8.2fx\n", c->name, m->runner->name, ns, rate, spread,
                speedup);
    }
    fflush(bench->file);
    bench->rows++;
}

static void bench_case(void *opaque, ParityCase *c)
{
    Bench *bench = opaque;
    const ParitySelection *selection = bench->selection;
    const ParityRunner *runners;
    Measure measures[FV_ISA_COUNT];
    int count = parity_runners(&runners), used = 0;
    for (int i = 0; i < count; i++) {
        Measure *m = &measures[used];
        if (i && selection->runner && strcmp(selection->runner, runners[i].name))
            continue;
        m->runner = &runners[i];
        m->calls = calibrate(c, m->runner, selection->seed, m);
        used += m->calls > 0;
    }
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < used; i++)
            measures[i].seconds[round] =
                measure_once(c, measures[i].runner, measures[i].calls, selection->seed, &measures[i]) /
                measures[i].calls;
    for (int i = 0; i < used; i++) {
        qsort(measures[i].seconds, ROUNDS, sizeof(double), by_value);
        print_row(bench, c, &measures[i], measures[0].seconds[ROUNDS / 2]);
    }
}

int parity_bench(const ParitySelection *selection, ParityStyle style, FILE *file)
{
    Bench bench = {.selection = selection, .style = style, .file = file};
    parity_each_case(selection, true, bench_case, &bench);
    if (style == PARITY_JSON)
        fputs(bench.rows ? "\n]\n" : "[]\n", file);
    return ferror(file) ? 1 : 0;
}
