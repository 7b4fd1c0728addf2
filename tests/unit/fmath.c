/* Tests that division and square root computed with integers equal the processor's, which IEEE 754 defines. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arith/scalar.h"

#include "arith/check.h"
#include "arith/dmath.h"
#include "arith/fmath.h"
#include "arith/fmath64.h"
#include "arith/psnr_hvs.h"
#include "arith/root.h"
#include "arith/vif.h"
#include "feature/vif.h"
#include "kernel/psnr_hvs_inverse.h"
#include "tap/tap.h"

static uint64_t state;

static uint32_t next_random(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16);
}

static bool normal(float x)
{
    uint32_t exponent = fv_bits(x) >> 23 & 0xff;
    return exponent && exponent < 0xff;
}

/* Returns any float, or one whose significand has nearly all zeros or nearly all ones, which are hard cases. */
static float operand(void)
{
    uint32_t bits = next_random();
    switch (next_random() % 4) {
    case 0:
        bits |= 0x7ffff0;
        break;
    case 1:
        bits &= 0xff80000f;
        break;
    default:
        break;
    }
    return fv_f32_from_bits(bits);
}

/* Returns a for an odd divisor b such that a / b is nearly a middle between two floats: the middle times b differs by
 * 1 from a multiple of 2^25. */
static float near_float_middle(float *b)
{
    uint32_t n = (next_random() & 0x7fffff) | 0x800001, inverse = n;
    for (int i = 0; i < 5; i++)
        inverse *= 2 - n * inverse;
    uint32_t middle = (next_random() % 2 ? inverse : -inverse) & 0x1ffffff;
    *b = (float)n;
    return (float)(uint32_t)(((uint64_t)middle * n + 1) >> 25);
}

static void divide(Tap *tap, int count)
{
    char why[128] = "";
    for (int i = 0; i < count && !*why; i++) {
        float a = operand(), b = operand();
        if (next_random() % 4 == 0)
            a = near_float_middle(&b);
        float want = a / b;
        /* Below twice the smallest normal number, the exact quotient may be subnormal. */
        if (normal(a) && normal(b) && normal(want) && normal(want / 2) &&
            fv_bits(fv_div_exact(a, b)) != fv_bits(want))
            snprintf(why, sizeof why, "%a / %a is %a, not %a", a, b, want, fv_div_exact(a, b));
    }
    tap_case(tap, !*why, "fv_div_exact", why);
    tap_case(tap, fv_bits(fv_div_exact(0.0f, 3.0f)) == 0, "fv_div_exact of zero", NULL);
}

/* Returns a positive double: any, of few bits, or with nearly all zeros or nearly all ones. */
static double wide_operand(void)
{
    uint64_t bits = (uint64_t)next_random() << 32 | next_random();
    switch (next_random() % 4) {
    case 0:
        bits |= 0xffffffffffff0;
        break;
    case 1:
        bits &= 0xfff000000000000f;
        break;
    case 2:
        return next_random() + 1.0;
    default:
        break;
    }
    bits = (bits & 0xfffffffffffff) | (uint64_t)(900 + bits % 246) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Returns a for an odd divisor b such that a / b is nearly a middle between two doubles. */
static double near_middle(double *b)
{
    uint64_t n = ((uint64_t)next_random() << 32 | next_random()) >> 12 | 1ull << 52 | 1, inverse = n;
    for (int i = 0; i < 6; i++)
        inverse *= 2 - n * inverse;
    /* middle * n differs by 1 from a multiple of 2^54 */
    bool above = next_random() % 2;
    uint64_t middle = (above ? inverse : -inverse) & ((1ull << 54) - 1);
    *b = (double)n;
    return (double)(uint64_t)((__extension__(unsigned __int128) middle * n + 1) >> 54);
}

static void divide_wide(Tap *tap, int count)
{
    char why[128] = "";
    for (int i = 0; i < count && !*why; i++) {
        double a = wide_operand(), b = wide_operand(), got = fv_div_f64_exact(a, b);
        if (next_random() % 4 == 0)
            got = fv_div_f64_exact(a = b * (1 + next_random() % 64), b);
        else if (next_random() % 3 == 0) {
            a = near_middle(&b);
            got = fv_div_f64_exact(a, b);
        }
        if (got != a / b)
            snprintf(why, sizeof why, "%a / %a is %a, not %a", a, b, a / b, got);
    }
    tap_case(tap, !*why, "fv_div_f64_exact", why);
}

/* Sums of lowered floats are rounded as sums of doubles are, for any floats and for sums that cancel. */
static void lower(Tap *tap, int count)
{
    char why[128] = "";
    for (int i = 0; i < count && !*why; i++) {
        float a = operand(), b = operand(), c = i % 3 ? operand() : -b;
        float want = (float)((double)a + b + c), magnitude = fv_abs_f32(a);
        if (!isfinite(a) || !isfinite(b) || !isfinite(want))
            continue;
        float got = fv_raised((fv_lowered_signed(a, 1u << 29) + fv_lowered_signed(b, 1u << 29)) +
                              fv_lowered_signed(c, 1u << 29));
        if (fv_bits(got) != fv_bits(want))
            snprintf(why, sizeof why, "%a + %a + %a is %a, not %a", a, b, c, want, got);
        if (fv_bits(fv_raised(fv_lowered(magnitude, 1u << 29))) != fv_bits(magnitude))
            snprintf(why, sizeof why, "%a does not come back", magnitude);
        fv_f64 sum = fv_lowered(magnitude, 1u << 29) + fv_lowered(fv_abs_f32(b), 1u << 29);
        if (fv_bits(fv_raised_nonnegative(sum)) != fv_bits(fv_raised(sum)))
            snprintf(why, sizeof why, "%a + %a is raised in two ways", magnitude, fv_abs_f32(b));
    }
    tap_case(tap, !*why, "fv_lowered, fv_raised and fv_raised_nonnegative", why);
}

/* Checks every significand with both parities of the exponent, and then random numbers. */
static void root(Tap *tap, int count)
{
    char why[128] = "";
    for (uint32_t i = 0; i < 1u << 24 && !*why; i++) {
        float a = fv_f32_from_bits(0x3f800000 + i);
        if (fv_bits(fv_sqrt_exact(a)) != fv_bits(sqrtf(a)))
            snprintf(why, sizeof why, "the root of %a is %a, not %a", a, sqrtf(a), fv_sqrt_exact(a));
    }
    for (int i = 0; i < count && !*why; i++) {
        float a = fv_abs_f32(operand());
        if (normal(a) && fv_bits(fv_sqrt_exact(a)) != fv_bits(sqrtf(a)))
            snprintf(why, sizeof why, "the root of %a is %a, not %a", a, sqrtf(a), fv_sqrt_exact(a));
    }
    tap_case(tap, !*why, "fv_sqrt_exact", why);
    tap_case(tap, fv_bits(fv_sqrt_exact(0.0f)) == 0, "fv_sqrt_exact of zero", NULL);
}

/* Checks every significand with every divisor of PSNR-HVS. */
static void divide_by_masks(Tap *tap)
{
    for (int i = 0; i < 192; i++) {
        float mask = fv_hvs_mask[i], inverse = fv_hvs_mask_inverse[i];
        uint32_t wrong = fv_bits(inverse) != fv_bits(1 / mask);
        if (i % 64 == 0 || i % 8 < i / 8 % 8) /* the entry has no mask, or the symmetric table repeats it */
            continue;
        for (uint32_t m = 0; m < 1u << 23; m++) {
            float a = fv_f32_from_bits(0x3f800000 + m);
            wrong += fv_bits(fv_div_constant(a, mask, inverse)) != fv_bits(a / mask);
        }
        char name[64];
        snprintf(name, sizeof name, "fv_div_constant by mask %d", i);
        tap_case(tap, !wrong && fv_div_constant(0, mask, inverse) == 0, name, NULL);
    }
}

/* Cube roots have an error of at most 0.502 units, and glibc powf's bits at some rare places where powf is off by
 * one. */
static void cube_root(Tap *tap, int count)
{
    static const float known[][2] = {{0x1.23ef9p+2f, 0x1.a89034p+0f},   {0x1.84de3ap+9f, 0x1.2647bp+3f},
                                     {0x1.c9be6p+13f, 0x1.877b2ap+4f},  {0x1.55c40cp+20f, 0x1.bf764cp+6f},
                                     {0x1.72b176p+25f, 0x1.6ce6a2p+8f}, {0x1.9c429ep+29f, 0x1.dc5358p+9f}};
    const float third = 0x1.555556p-2f;
    char why[128] = "";
    for (int i = 0; i < count && !*why; i++) {
        float x = fabsf(operand());
        if (!normal(x))
            continue;
        float got = fv_adm_root(x), next = fv_f32_from_bits(fv_bits(got) + 1);
        double off = fabs((double)got - fv_d_pow(x, third)) / (next - got);
        if (!(off < 0.502))
            snprintf(why, sizeof why, "the root of %a is %a, %g units off", x, got, off);
    }
    for (size_t i = 0; i < sizeof known / sizeof *known && !*why; i++)
        if (fv_bits(fv_adm_root(known[i][0])) != fv_bits(known[i][1]))
            snprintf(why, sizeof why, "the root of %a is %a", known[i][0], fv_adm_root(known[i][0]));
    tap_case(tap, !*why, "fv_adm_root", why);
    tap_case(tap, fv_bits(fv_adm_root(0)) == 0, "fv_adm_root of zero", NULL);
    tap_case(tap, isnan(fv_adm_root(-1)), "fv_adm_root of a negative number", NULL);
}

/* A rounded root m of n has m^2 - m < n <= m^2 + m. Checks all small gradients, and random ones up to 2^22. */
static void gradient(Tap *tap, int count)
{
    char why[128] = "";
    for (int i = 0; i < count && !*why; i++) {
        const bool small = i < 1 << 20;
        const int a = small ? i >> 10 : 4194304 - (int)(next_random() >> (10 + next_random() % 22));
        const int b = small ? i & 1023 : (int)((next_random() & 0x7fffff) >> next_random() % 23) - 4194304;
        const int64_t n = 16 * ((int64_t)a * a + (int64_t)b * b), m = fv_check_root(a, b, (float)a, (float)b);
        if (n > m * m + m || (n ? n <= m * m - m : m != 0))
            snprintf(why, sizeof why, "the gradient of %d and %d is %lld", a, b, (long long)m);
    }
    tap_case(tap, !*why, "fv_check_root", why);
}

/* The lines by which GPUs compute VIF's logarithm give every entry of the table. */
static void vif_lines(Tap *tap)
{
    static uint16_t logs[FV_VIF_TABLE];
    uint32_t lines[FV_VIF_LINES];
    char why[128] = "";
    fv_vif_log_table(logs);
    fv_vif_log_lines(logs, lines);
    for (int i = 0; i < FV_VIF_LOGS && !*why; i++) {
        const fv_word high = fv_high_word(FV_VIF_LOGS + i + 0.75);
        const int log = fv_vif_line_log(lines[fv_vif_line_index(high)], high);
        if (fv_vif_log_index(high) != (fv_word)i || log != logs[i])
            snprintf(why, sizeof why, "entry %d is %d in the table and %d on the line", i, logs[i], log);
    }
    tap_case(tap, !*why, "fv_vif_line_log", why);
}

int main(void)
{
    Tap tap = {0};
    uint64_t seed = (uint64_t)time(NULL);
    printf("# seed %llu\n", (unsigned long long)seed);
    state = seed * 2654435761u + 88172645463325252u;
    divide(&tap, 1000000);
    lower(&tap, 1000000);
    divide_wide(&tap, 1000000);
    root(&tap, 1000000);
    divide_by_masks(&tap);
    cube_root(&tap, 50000);
    gradient(&tap, 4000000);
    vif_lines(&tap);
    return tap_done(&tap);
}
