/*
 * Tests that this C library prints and reads 100,000 doubles as other C libraries do, so that reports have the same
 * digits everywhere.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "os/locale.h"
#include "tap/tap.h"
#include "unit/random.h"

#define COUNT 100000

/*
 * Returns a finite number, a score, or a number of few binary digits, whose decimals often end in a 5 at the place of
 * rounding.
 */
static double number(int i)
{
    const uint64_t r = next_random(), s = next_random();
    switch (i % 3) {
    case 0:
        return of_bits((s & 1) << 63 | r % 0x7ff0000000000000);
    case 1:
        return (double)(r >> 11) * 0x1p-53 * 120 - 10;
    default:
        return ldexp((double)(r >> 50), -(int)(s % 20));
    }
}

static uint64_t hash_of(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (uint8_t)*text) * 0x100000001b3;
    return hash;
}

static void print(Tap *tap, const char *format, uint64_t expected)
{
    char text[512], name[64], why[64];
    uint64_t hash = 0xcbf29ce484222325;
    state = 1;
    for (int i = 0; i < COUNT; i++) {
        snprintf(text, sizeof text, format, number(i));
        hash = hash_of(hash, text);
    }
    snprintf(name, sizeof name, "%d numbers by %s", COUNT, format);
    snprintf(why, sizeof why, "their hash is %016" PRIx64, hash);
    tap_case(tap, hash == expected, name, why);
}

/* Reads numbers printed with all of their up to 1074 decimals, and with 17 digits. */
static void read_exactly(Tap *tap)
{
    char text[1200], why[128] = "";
    state = 2;
    for (int i = 0; i < COUNT / 10 && !*why; i++) {
        const uint64_t bits = next_random() % 0x7fe0000000000000;
        const double low = of_bits(bits), high = of_bits(bits + 1);
        char *end;
        snprintf(text, sizeof text, "%.1100g", low);
        if (fv_locale_number(text, &end) != low || *end)
            snprintf(why, sizeof why, "%a is read as another number", low);
        snprintf(text, sizeof text, "%.17g", high);
        if (fv_locale_number(text, &end) != high || *end)
            snprintf(why, sizeof why, "%a is read as another number", high);
    }
    tap_case(tap, !*why, "numbers that are read back", why);
}

/* Reads texts at, just below and just above the middle between two numbers. */
static void read_middles(Tap *tap)
{
    char why[160] = "";
    state = 3;
    for (int i = 0; i < COUNT / 10 && !*why; i++) {
        /* An integer of 54 bits that ends in 1 is the middle between two numbers of 53 bits. */
        const uint64_t middle = next_random() >> 10 | (uint64_t)1 << 53 | 1;
        const double below = (double)(middle - 1), above = (double)(middle + 1),
                     even = (middle - 1) & 2 ? above : below;
        const struct {
            const char *after;
            double value;
        } cases[] = {
            {"", even}, {".000000000000000000000000000000", even}, {".000000000000000000000000000001", above}};
        for (int k = 0; k < 3; k++) {
            char text[80], *end;
            snprintf(text, sizeof text, "%" PRIu64 "%s", middle, cases[k].after);
            const double value = fv_locale_number(text, &end);
            if (value != cases[k].value || *end)
                snprintf(why, sizeof why, "%s is read as %a, not %a", text, value, cases[k].value);
        }
        char text[80], *end;
        snprintf(text, sizeof text, "%" PRIu64 ".99999999999999999999999999999", middle - 1);
        if (fv_locale_number(text, &end) != below)
            snprintf(why, sizeof why, "%s is not read as %a", text, below);
    }
    tap_case(tap, !*why, "numbers at the middle between two others", why);
}

int main(void)
{
    Tap tap = {0};
    print(&tap, "%.17g", 0xa08edb3d25a5767d);
    print(&tap, "%.6f", 0xae63cc51f5c999be);
    print(&tap, "%g", 0x901a33bbd98609da);
    print(&tap, "%.2f", 0xd497643766c93282);
    print(&tap, "%.1e", 0x55c97cb372a2fe62);
    read_exactly(&tap);
    read_middles(&tap);
    return tap_done(&tap);
}
