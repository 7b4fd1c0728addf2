#include "parity.h"

#include <regex.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "run.h"
#include "tap/tap.h"

const ParitySize parity_sizes[] = {{1, 1},   {2, 3},   {7, 5},   {8, 8},   {9, 2},    {15, 9}, {16, 16}, {17, 4},
                                   {31, 7},  {32, 2},  {33, 3},  {63, 5},  {64, 9},   {65, 8}, {96, 6},  {127, 3},
                                   {128, 4}, {129, 2}, {255, 3}, {257, 5}, {640, 17}, {0, 0}};

/* ---- Runners ------------------------------------------------------------------------------------------------ */

static ParityRunner runner_list[FV_ISA_COUNT];
static int runner_count;

static void add_cpu_runners(void)
{
    for (int isa = 0; isa < FV_ISA_COUNT; isa++)
        if (fv_isa_usable(isa))
            runner_list[runner_count++] = (ParityRunner){.name = fv_isa_name(isa), .isa = isa};
}

/* Names the instruction sets of this architecture that are not tested. */
static void print_lacks(void)
{
    for (int isa = 0; isa < FV_ISA_COUNT; isa++)
        if (!fv_isa_usable(isa) && isa != FV_ISA_SIMD128 && (isa == FV_ISA_NEON) == !FV_ARCH_X86)
            printf("# %s is not tested: this processor or build lacks it\n", fv_isa_name(isa));
}

int parity_runners(const ParityRunner **runners)
{
    if (!runner_count)
        add_cpu_runners();
    *runners = runner_list;
    return runner_count;
}

/* ---- Cases -------------------------------------------------------------------------------------------------- */

static const char *fill_name(ParityFill fill)
{
    switch (fill) {
    case PARITY_LOW:
        return "low";
    case PARITY_HIGH:
        return "high";
    case PARITY_EXTREMES:
        return "extremes";
    case PARITY_GRADIENT:
        return "gradient";
    default:
        return "random";
    }
}

bool parity_filter_good(const char *filter)
{
    regex_t regex;
    if (filter && regcomp(&regex, filter, REG_EXTENDED | REG_NOSUB))
        return false;
    if (filter)
        regfree(&regex);
    return true;
}

static bool selects(const ParitySelection *selection, const ParityCase *c)
{
    if (!selection->filter)
        return true;
    regex_t regex;
    if (regcomp(&regex, selection->filter, REG_EXTENDED | REG_NOSUB))
        return false;
    bool found = !regexec(&regex, c->name, 0, NULL, 0);
    regfree(&regex);
    return found;
}

static void visit_case(const ParitySelection *selection, const ParityKernel *kernel, const Parity *p,
                       ParityVisit *visit, void *opaque)
{
    ParityCase c = {.kernel = kernel, .p = *p};
    snprintf(c.name, sizeof c.name, "%s.%s%s%s %dx%d %d-bit %s", kernel->noun, kernel->name,
             kernel->variants ? " " : "", kernel->variants ? kernel->variants[p->variant] : "", p->width, p->height,
             p->depth, fill_name(p->fill));
    if (selects(selection, &c))
        visit(opaque, &c);
}

static void visit_sizes(const ParitySelection *selection, const ParityKernel *kernel, Parity *p, bool bench,
                        ParityVisit *visit, void *opaque)
{
    if (bench) {
        if (kernel->bench.width < 0)
            return;
        p->fill = PARITY_RANDOM;
        p->width = kernel->bench.width ? kernel->bench.width : 1920;
        p->height = kernel->bench.width ? kernel->bench.height : 1080;
        visit_case(selection, kernel, p, visit, opaque);
        return;
    }
    unsigned fills = kernel->fills ? kernel->fills : PARITY_ALL_FILLS;
    for (const ParitySize *size = kernel->sizes ? kernel->sizes : parity_sizes; size->width; size++)
        for (unsigned fill = PARITY_RANDOM; fill <= PARITY_GRADIENT; fill *= 2)
            if (fills & fill) {
                p->width = size->width;
                p->height = size->height;
                p->fill = fill;
                visit_case(selection, kernel, p, visit, opaque);
            }
}

void parity_each_case(const ParitySelection *selection, bool bench, ParityVisit *visit, void *opaque)
{
    static const int only_8[] = {8, 0};
    for (const ParityKernel *const *noun = parity_nouns; *noun; noun++)
        for (const ParityKernel *kernel = *noun; kernel->noun; kernel++)
            for (int variant = 0; !variant || (kernel->variants && kernel->variants[variant]); variant++)
                for (const int *depth = kernel->depths ? kernel->depths : only_8; *depth; depth++) {
                    Parity p = {.depth = *depth, .variant = variant};
                    visit_sizes(selection, kernel, &p, bench, visit, opaque);
                }
}

static void print_case(void *opaque, ParityCase *c)
{
    puts(c->name);
}

int parity_list(const ParitySelection *selection)
{
    parity_each_case(selection, false, print_case, NULL);
    return 0;
}

/* ---- One body ----------------------------------------------------------------------------------------------- */

uint32_t parity_random(Parity *p)
{
    uint64_t z = p->run->random += 0x9e3779b97f4a7c15u; /* SplitMix64 (Steele, Lea, Flood 2014) */
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ (z >> 31)) >> 32);
}

float parity_random_real(Parity *p, float low, float high)
{
    return low + (high - low) * (float)(parity_random(p) >> 8) / 16777216.f;
}

void parity_work(Parity *p, double samples, double bytes)
{
    p->run->samples = samples;
    p->run->bytes = bytes;
}

void parity_add_result(ParityRun *run, const char *name, const void *bytes, size_t size, int element,
                       size_t row_bytes)
{
    ParityResult *result = &run->result[run->results];
    if (run->results == PARITY_VALUES || !(result->bytes = malloc(size ? size : 1))) {
        snprintf(run->fault, sizeof run->fault, "the test itself: no room for result '%s'", name);
        return;
    }
    memcpy(result->bytes, bytes, size);
    result->name = name;
    result->size = size;
    result->element = element;
    result->row_bytes = row_bytes;
    run->results++;
}

void parity_value(Parity *p, const char *name, const void *value, size_t bytes)
{
    parity_add_result(p->run, name, value, bytes, 1, bytes);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void parity_begin(Parity *p)
{
    ParityRun *run = p->run;
    parity_buffers_protect(run);
    run->left = run->calls ? run->calls : 1;
    run->start = now();
}

bool parity_again(Parity *p)
{
    ParityRun *run = p->run;
    if (run->left--)
        return true;
    run->seconds = now() - run->start;
    return false;
}

static ParityRun *volatile running;

static void on_fault(int number, siginfo_t *info, void *context)
{
    ParityRun *run = running;
    if (!run) {
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    char where[160];
    parity_buffers_describe(run, info->si_addr, where, sizeof where);
    snprintf(run->fault, sizeof run->fault, "%s, %s", strsignal(number), where);
    siglongjmp(run->escape, 1);
}

static void catch_faults(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
    for (int i = 0; i < 4; i++)
        sigaction(signals[i], &action, NULL);
}

static uint64_t hash_text(const char *text, uint64_t hash)
{
    for (; *text; text++)
        hash = (hash ^ (uint8_t)*text) * 1099511628211u;
    return hash;
}

bool parity_run(const ParityCase *c, const ParityRunner *runner, uint64_t seed, ParityRun *run)
{
    Parity p = c->p;
    p.runner = runner;
    p.run = run;
    run->random = hash_text(c->name, seed ^ 14695981039346656037u);
    running = run;
    if (!sigsetjmp(run->escape, 1))
        c->kernel->body(&p);
    running = NULL;
    bool good = !*run->fault && parity_buffers_check(run) && !*run->fault;
    parity_buffers_free(run);
    return good;
}

void parity_run_free(ParityRun *run)
{
    for (int i = 0; i < run->results; i++)
        free(run->result[i].bytes);
    run->results = 0;
}

/* ---- Comparing ---------------------------------------------------------------------------------------------- */

static void describe_difference(const ParityResult *want, const ParityResult *got, size_t byte, char *why,
                                size_t size)
{
    size_t element = byte / want->element * want->element, row = byte / want->row_bytes;
    char texts[2][64] = {"", ""};
    int bytes = want->element > 1 ? want->element : want->size <= 8 ? (int)want->size : 1;
    if (bytes > 1 && want->element == 1)
        element = 0;
    for (int i = 0; i < bytes; i++) { /* the most significant byte first */
        snprintf(texts[0] + 2 * i, 3, "%02x", want->bytes[element + bytes - 1 - i]);
        snprintf(texts[1] + 2 * i, 3, "%02x", got->bytes[element + bytes - 1 - i]);
    }
    snprintf(why, size, "'%s' differs first in row %zu, element %zu: 0x%s instead of 0x%s", want->name, row,
             (element - row * want->row_bytes) / want->element, texts[1], texts[0]);
}

static bool same_results(const ParityRun *want, const ParityRun *got, char *why, size_t size)
{
    if (want->results != got->results) {
        snprintf(why, size, "%d results instead of %d", got->results, want->results);
        return false;
    }
    for (int i = 0; i < want->results; i++) {
        const ParityResult *a = &want->result[i], *b = &got->result[i];
        if (strcmp(a->name, b->name) || a->size != b->size) {
            snprintf(why, size, "result '%s' of %zu bytes instead of '%s' of %zu", b->name, b->size, a->name,
                     a->size);
            return false;
        }
        for (size_t byte = 0; byte < a->size; byte++)
            if (a->bytes[byte] != b->bytes[byte]) {
                describe_difference(a, b, byte, why, size);
                return false;
            }
    }
    return true;
}

typedef struct Test {
    const ParitySelection *selection;
    const ParityKernel *kernel; /* kernel of the previous case */
    Tap tap;
} Test;

/* Chooses by the case's name and the run's seed, so that further runs take other cases. */
static bool in_share(Test *test, const ParityCase *c)
{
    bool first = c->kernel != test->kernel;
    test->kernel = c->kernel;
    return test->selection->share < 2 || first ||
           (hash_text(c->name, test->selection->seed | 1) >> 32) % (unsigned)test->selection->share == 0;
}

static bool test_runner(const Test *test, const ParityCase *c, const ParityRunner *runner, const ParityRun *want,
                        char *why, size_t size)
{
    bool good = true;
    for (int at_start = 0; at_start < 2 && good; at_start++) {
        static ParityRun run;
        run = (ParityRun){.at_start = at_start, .garbage = at_start ? 0x5a : 0xee};
        good = parity_run(c, runner, test->selection->seed, &run);
        if (!good)
            snprintf(why, size, "%s", run.fault);
        else
            good = same_results(want, &run, why, size);
        parity_run_free(&run);
    }
    return good;
}

static void test_case(void *opaque, ParityCase *c)
{
    Test *test = opaque;
    if (!in_share(test, c))
        return;
    const ParityRunner *runners;
    int count = parity_runners(&runners);
    static ParityRun want;
    want = (ParityRun){.garbage = 0x77};
    bool reference = parity_run(c, &runners[0], test->selection->seed, &want);
    for (int i = 0; i < count; i++) {
        const ParityRunner *runner = &runners[i];
        if (i && test->selection->runner && strcmp(test->selection->runner, runner->name))
            continue;
        char name[256], why[512];
        snprintf(name, sizeof name, "%s %s", c->name, runner->name);
        snprintf(why, sizeof why, "scalar: %s", want.fault);
        tap_case(&test->tap, reference && test_runner(test, c, runner, &want, why, sizeof why), name, why);
    }
    parity_run_free(&want);
}

int parity_test(const ParitySelection *selection)
{
    Test test = {.selection = selection};
    printf("# seed %llu\n", (unsigned long long)selection->seed);
    print_lacks();
    catch_faults();
    parity_each_case(selection, false, test_case, &test);
    return tap_done(&test.tap);
}
