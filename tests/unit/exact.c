/*
 * Tests that fv_log10_exact() and similar functions return the nearest number, with the same bits on every system and
 * in every rounding mode: exact FILE_OF_VALUES
 */
#include "arith/exact.h"

#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

#include "tap/tap.h"
#include "unit/random.h"

typedef struct Function {
    const char *name;
    double (*of_one)(double x);
    double (*of_two)(double x, double y);
    uint64_t hash; /* hash_of() over COUNT values */
} Function;

#define COUNT 5000

static const Function functions[] = {
    {"log10", fv_log10_exact, NULL, 0x5d55e6bd5385ec77},
    {"log", fv_log_exact, NULL, 0x37e924b53c855ce4},
    {"exp", fv_exp_exact, NULL, 0x26c7ab61a531d1c3},
    {"pow", NULL, fv_pow_exact, 0x02450263187e6d55},
};
#define FUNCTIONS (int)(sizeof functions / sizeof *functions)

static double call(const Function *function, double x, double y)
{
    return function->of_one ? function->of_one(x) : function->of_two(x, y);
}

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static bool same(double a, double b)
{
    return bits_of(a) == bits_of(b) || (isnan(a) && isnan(b));
}

/* Returns a positive number: any, one between 2^-20 and 2^20, or one near 1. */
static double positive(void)
{
    const uint64_t r = next_random(), s = next_random();
    switch (s % 3) {
    case 0:
        return of_bits(r % 0x7ff0000000000000);
    case 1:
        return of_bits((1003 + s / 3 % 40) << 52 | r >> 12);
    default:
        return of_bits(0x3ff0000000000000 + (r >> (12 + s / 3 % 52)));
    }
}

/* Returns a number of either sign below about 2^10. */
static double exponent(void)
{
    const uint64_t r = next_random(), s = next_random();
    return of_bits((s & 1) << 63 | (983 + s / 2 % 50) << 52 | r >> 12);
}

/* Returns the FNV-1a hash of the bits of `count` results. */
static uint64_t hash_of(const Function *function, int count)
{
    uint64_t hash = 0xcbf29ce484222325;
    state = 1;
    for (int i = 0; i < count; i++) {
        const double x = positive(), y = exponent();
        const uint64_t bits = bits_of(call(function, function->of_one == fv_exp_exact ? y : x, y));
        for (int byte = 0; byte < 8; byte++)
            hash = (hash ^ (bits >> 8 * byte & 255)) * 0x100000001b3;
    }
    return hash;
}

static void table(Tap *tap, const char *path)
{
    FILE *file = fopen(path, "r");
    char line[256], name[8], why[200] = "";
    int count = 0;
    while (file && !*why && fgets(line, sizeof line, file)) {
        char word[3][40];
        const int words = *line == '#' ? 0 : sscanf(line, "%7s %39s %39s %39s", name, word[0], word[1], word[2]) - 1;
        for (int i = 0; i < FUNCTIONS && words > 0; i++) {
            if (strcmp(functions[i].name, name) != 0)
                continue;
            const double x = strtod(word[0], NULL), y = strtod(word[1], NULL), want = strtod(word[words - 1], NULL);
            const double value = call(&functions[i], x, y);
            count++;
            if (!same(value, want))
                snprintf(why, sizeof why, "%s of %a and %a is %a, not %a", name, x, y, value, want);
        }
    }
    if (file)
        fclose(file);
    tap_case(tap, count > 400 && !*why, "values that are hard to round", why);
}

static void special(Tap *tap)
{
    static const struct {
        int function;
        double x, y, value;
    } cases[] = {
        {0, 0, 0, -INFINITY},
        {0, -0.0, 0, -INFINITY},
        {0, -1, 0, NAN},
        {0, -INFINITY, 0, NAN},
        {0, INFINITY, 0, INFINITY},
        {0, NAN, 0, NAN},
        {0, 1, 0, 0},
        {1, 0, 0, -INFINITY},
        {1, -1e-320, 0, NAN},
        {1, INFINITY, 0, INFINITY},
        {1, NAN, 0, NAN},
        {1, 1, 0, 0},
        {2, 0, 0, 1},
        {2, -0.0, 0, 1},
        {2, INFINITY, 0, INFINITY},
        {2, -INFINITY, 0, 0},
        {2, NAN, 0, NAN},
        {2, 709.782712893384, 0, 0x1.fffffffffff2ap+1023},
        {2, 709.7827128933841, 0, INFINITY},
        {2, -745.1332191019411, 0, 0x1p-1074},
        {2, -745.1332191019412, 0, 0},
        {2, 1e300, 0, INFINITY},
        {2, -1e300, 0, 0},
        {2, 1e-300, 0, 1},
        {3, 0, 0.5, 0},
        {3, -0.0, 0.5, 0},
        {3, 0, -1, INFINITY},
        {3, 0, 0, 1},
        {3, NAN, 0, 1},
        {3, 1, NAN, 1},
        {3, 2, NAN, NAN},
        {3, NAN, 1, NAN},
        {3, -0.5, 0.5, NAN},
        {3, -0.5, 0, 1},
        {3, INFINITY, 2, INFINITY},
        {3, INFINITY, -2, 0},
        {3, 2, INFINITY, INFINITY},
        {3, 0.5, INFINITY, 0},
        {3, 0.5, -INFINITY, INFINITY},
        {3, 2, 1024, INFINITY},
        {3, 2, -1074, 0x1p-1074},
        {3, 2, -1075, 0},
        {3, 3, 1e300, INFINITY},
        {3, 2, -1074.5, 0x1p-1074},
        {3, 0x1p-1074, -1, INFINITY},
        {3, 0x1p-1022, 1, 0x1p-1022},
        {3, 0x1p-1074, 1, 0x1p-1074},
    };
    char why[200] = "";
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        const Function *function = &functions[cases[i].function];
        const double value = call(function, cases[i].x, cases[i].y);
        if (!same(value, cases[i].value))
            snprintf(why, sizeof why, "%s of %a and %a is %a, not %a", function->name, cases[i].x, cases[i].y, value,
                     cases[i].value);
    }
    tap_case(tap, !*why, "zeros, infinities and NaN", why);
}

/* Powers 1, 2, 0.5 and -1 equal the processor's results, which IEEE 754 defines. Some lie exactly between two
 * numbers. */
static void powers(Tap *tap)
{
    static const double power[] = {1, 2, 0.5, -1};
    char why[200] = "";
    state = 2;
    for (int i = 0; i < COUNT; i++) {
        /* Squares of numbers with few bits can lie exactly between two doubles. */
        const double few = (double)(next_random() >> (10 + i % 48));
        const double x = i % 2 ? few : positive(), want[] = {x, x * x, sqrt(x), 1 / x};
        for (int k = 0; k < 4; k++)
            if (!same(fv_pow_exact(x, power[k]), want[k]))
                snprintf(why, sizeof why, "%a to the power %g is %a, not %a", x, power[k], fv_pow_exact(x, power[k]),
                         want[k]);
    }
    double ten = 1;
    for (int i = 0; i <= 22; i++, ten *= 10)
        if (fv_log10_exact(ten) != i || fv_pow_exact(10, i) != ten)
            snprintf(why, sizeof why, "10^%d", i);
    tap_case(tap, !*why, "powers that are a product, a quotient or a root", why);
}

static void modes(Tap *tap)
{
    static const int rounding[] = {
#ifdef FE_UPWARD
        FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO,
#endif
        FE_TONEAREST};
    const int before = fegetround();
    bool good = true;
    for (int i = 0; i < (int)(sizeof rounding / sizeof *rounding); i++) {
        fesetround(rounding[i]);
#ifdef __SSE2__
        _mm_setcsr(_mm_getcsr() | 0x8040); /* treats subnormal numbers as zero */
#endif
        for (int k = 0; k < FUNCTIONS; k++)
            good &= hash_of(&functions[k], COUNT) == functions[k].hash;
    }
#ifdef __SSE2__
    _mm_setcsr(_mm_getcsr() & ~0x8040u);
#endif
    fesetround(before);
    tap_case(tap, good, "the same bits in every rounding mode, with subnormal numbers as zeros", NULL);
}

int main(int argc, char **argv)
{
    Tap tap = {0};
    table(&tap, argc > 1 ? argv[1] : "exact.txt");
    special(&tap);
    powers(&tap);
    for (int i = 0; i < FUNCTIONS; i++) {
        char name[80], why[64];
        const uint64_t hash = hash_of(&functions[i], COUNT);
        snprintf(name, sizeof name, "%s of %d arguments has the bits of every other machine", functions[i].name,
                 COUNT);
        snprintf(why, sizeof why, "their hash is %016" PRIx64, hash);
        tap_case(&tap, hash == functions[i].hash, name, why);
    }
    modes(&tap);
    return tap_done(&tap);
}
