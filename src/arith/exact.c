/*
 * log(x): x = 2^e c with c in [sqrt(1/2), sqrt(2)) and z = |c - 1| / (c + 1), so log(c) = +-2
 * (z + z^3/3 + ... + z^75/75). Omitted terms and rounding errors together are below 2^-129 of the result: 2^-76 of
 * the spacing of doubles there. No double has a logarithm that near to a tie (Lefevre and Muller, Worst cases for
 * correct rounding of the elementary functions in double precision, 2001; for base 10, tests/unit/exact.c has the
 * hardest of millions), and none is a tie.
 *
 * x^y: 2^(y log2(x)) = 2^n (1 + e), e = exp(f ln 2) - 1 by its Taylor series, with an error below 2^-118.
 */
#include "arith/exact.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

__extension__ typedef unsigned __int128 Wide;

/*
 * A number in [0, 2^64), the lowest word first: word[3] is its integer part, the other words are a fraction of 192
 * bits.
 */
typedef struct Fixed {
    uint64_t word[4];
} Fixed;

typedef struct Signed {
    Fixed size;
    bool negative;
} Signed;

/* A base of logarithms: the logarithm of 2 in that base, and twice the logarithm of e. */
typedef struct Base {
    Fixed two, twice_e;
} Base;

/* The constants of bases 10, e and 2, rounded down. */
static const Base base_10 = {{{0x13569862a1e8f9a4, 0x47c4acd605be48bc, 0x4d104d427de7fbcc, 0}},
                             {{0x3ee3460245c9a202, 0x355baaafad33dc32, 0xde5bd8a937287195, 0}}};
static const Base base_e = {{{0x40f343267298b62d, 0xc9e3b39803f2f6af, 0xb17217f7d1cf79ab, 0}}, {{0, 0, 0, 2}}};
static const Base base_2 = {{{0, 0, 0, 1}}, {{0xad5deaa375a56962, 0xfa1ffb41a474fa23, 0xe2a8eca5705fc2ee, 2}}};
static const Fixed log2_e = {{0xd6aef551bad2b4b1, 0x7d0ffda0d23a7d11, 0x71547652b82fe177, 1}};

/* 1 / k in two words, rounded down, the upper word first. */
#define LEFT(k) (UINT64_MAX % (k) + 1) /* 2^64 modulo an odd k */
#define INVERSE(k)                                                                                                   \
    {                                                                                                                \
        UINT64_MAX / (k), (uint64_t)(((Wide)LEFT(k) << 64) / (k))                                                    \
    }
#define INVERSES(k) INVERSE(k), INVERSE(k + 2), INVERSE(k + 4), INVERSE(k + 6), INVERSE(k + 8), INVERSE(k + 10)
static const uint64_t odd_inverse[][2] = {INVERSES(3ull),  INVERSES(15ull), INVERSES(27ull), INVERSES(39ull),
                                          INVERSES(51ull), INVERSES(63ull), INVERSE(75ull)};

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

#define ONE 0x3ff0000000000000u
#define INFINITE 0x7ff0000000000000u
#define NOT_A_NUMBER 0x7ff8000000000000u
#define SIGN 0x8000000000000000u
#define LEADING ((uint64_t)1 << 52) /* the leading bit of a significand, which the format does not store */

/*
 * ---- Fixed point ------------------------------------------------------------------------------------------------
 */

static inline Fixed add_fixed(Fixed a, Fixed b)
{
    Wide carry = 0;
    for (int i = 0; i < 4; i++) {
        carry += (Wide)a.word[i] + b.word[i];
        a.word[i] = (uint64_t)carry;
        carry >>= 64;
    }
    return a;
}

/* a - b modulo 2^64 */
static inline Fixed subtract(Fixed a, Fixed b)
{
    uint64_t borrow = 0;
    for (int i = 0; i < 4; i++) {
        const Wide difference = (Wide)a.word[i] - b.word[i] - borrow;
        a.word[i] = (uint64_t)difference;
        borrow = (uint64_t)(difference >> 64) & 1;
    }
    return a;
}

/*
 * Returns the product of two fractions. Products of words below 2^-192 are left out, so it is too low by less than
 * 2^-190.
 */
static inline Fixed multiply(Fixed a, Fixed b)
{
    uint64_t product[4] = {0}; /* words of the product, the lowest, of unit 2^-256, first */
    for (int i = 0; i < 3; i++) {
        uint64_t carry = 0;
        for (int j = 0; j <= i; j++) {
            const Wide sum = (Wide)a.word[i] * b.word[2 - i + j] + product[j] + carry;
            product[j] = (uint64_t)sum;
            carry = (uint64_t)(sum >> 64);
        }
        product[i + 1] = carry;
    }
    return (Fixed){{product[1], product[2], product[3], 0}};
}

/* Writes the product of `a` and a whole number to `product`, in units of 2^-192. */
static void multiply_whole(uint64_t product[5], Fixed a, uint64_t n)
{
    Wide carry = 0;
    for (int i = 0; i < 4; i++) {
        carry += (Wide)a.word[i] * n;
        product[i] = (uint64_t)carry;
        carry >>= 64;
    }
    product[4] = (uint64_t)carry;
}

static Fixed times(Fixed a, uint64_t n)
{
    uint64_t product[5];
    multiply_whole(product, a, n);
    return (Fixed){{product[0], product[1], product[2], product[3]}};
}

static Fixed divide(Fixed a, uint64_t divisor)
{
    Wide rest = 0;
    for (int i = 3; i >= 0; i--) {
        rest = rest << 64 | a.word[i];
        a.word[i] = (uint64_t)(rest / divisor);
        rest %= divisor;
    }
    return a;
}

/* Returns 64 bits of a number of `count` words, from bit `from` on. Bits outside the number are 0. */
static uint64_t bits_from(const uint64_t *word, int count, int from)
{
    const int index = (from + 4096) / 64 - 64, shift = from & 63;
    const uint64_t low = index >= 0 && index < count ? word[index] : 0;
    const uint64_t high = index >= -1 && index + 1 < count ? word[index + 1] : 0;
    return low >> shift | (shift ? high << (64 - shift) : 0);
}

static int leading_bit(const uint64_t *word, int count)
{
    while (count-- > 0)
        if (word[count])
            return 64 * count + 63 - __builtin_clzll(word[count]);
    return -1;
}

/*
 * ---- Numbers ----------------------------------------------------------------------------------------------------
 */

/* Returns the double nearest to v 2^exponent. even: if v is within its error of a tie, choose the even double. */
static double nearest(Signed v, int exponent, bool even)
{
    const int top = leading_bit(v.size.word, 4), least = 192 - 1074 - exponent;
    const int low = top - 52 > least ? top - 52 : least; /* place of the result's last bit */
    const uint64_t sign = v.negative ? SIGN : 0;
    if (top < 0 || low > top + 1)
        return of_bits(top < 0 ? 0 : sign);
    if (top - 192 + exponent > 1023)
        return of_bits(sign | INFINITE);
    const uint64_t significand = bits_from(v.size.word, 4, low), rest = bits_from(v.size.word, 4, low - 64);
    const bool middle = even && rest + 1 - SIGN <= 1;
    const uint64_t up = middle ? significand & 1 : rest >> 63;
    const uint64_t power = top - 52 >= least ? (uint64_t)(top - 192 + exponent + 1022) << 52 : 0;
    return of_bits(sign | (power + significand + up)); /* a carry raises the exponent, at last to infinity */
}

/* The logarithm of a finite x > 0. */
static Signed logarithm(double x, const Base *base)
{
    int e = (int)(bits_of(x) >> 52) - 1022;
    uint64_t m = bits_of(x) & (LEADING - 1), one = LEADING << 1; /* c = m / one */
    if (e > -1022)
        m |= LEADING;
    else
        for (e++; m < LEADING; e--)
            m <<= 1;
    if (m < 0x16a09e667f3bcd) {
        one >>= 1;
        e--;
    }
    const bool below = m < one;
    const Fixed z = divide((Fixed){{0, 0, 0, below ? one - m : m - one}}, m + one), square = multiply(z, z);
    /* 1/3 + square (1/5 + square (1/7 + ...)). Inner terms need fewer words, because square < 2^-5. */
    int k = sizeof odd_inverse / sizeof *odd_inverse - 1;
    uint64_t first = odd_inverse[k--][0];
    for (; k >= 12; k--)
        first = (uint64_t)((Wide)first * square.word[2] >> 64) + odd_inverse[k][0];
    Wide series = (Wide)first << 64;
    for (; k >= 0; k--) {
        const uint64_t high = (uint64_t)(series >> 64);
        series = (Wide)high * square.word[2] + ((Wide)high * square.word[1] >> 64) +
                 ((Wide)(uint64_t)series * square.word[2] >> 64) +
                 ((Wide)odd_inverse[k][0] << 64 | odd_inverse[k][1]);
    }
    Fixed sum = {{0, (uint64_t)series, (uint64_t)(series >> 64), 0}};
    sum = add_fixed(z, multiply(z, multiply(sum, square)));
    const Fixed part = add_fixed(multiply(sum, base->twice_e), times(sum, base->twice_e.word[3]));
    const Fixed whole = times(base->two, (uint64_t)(e < 0 ? -e : e));
    if (!e)
        return (Signed){part, below};
    /* If e != 0, `whole` is greater than `part`, so the difference is not negative. */
    return (Signed){(e < 0) == below ? add_fixed(whole, part) : subtract(whole, part), e < 0};
}

static double rounded_logarithm(double x, const Base *base)
{
    const uint64_t bits = bits_of(x);
    if (!(bits << 1))
        return of_bits(SIGN | INFINITE);
    if (bits > INFINITE)
        return of_bits(NOT_A_NUMBER);
    return bits == INFINITE ? x : nearest(logarithm(x, base), 0, false);
}

double fv_log10_exact(double x)
{
    return rounded_logarithm(x, &base_10);
}

double fv_log_exact(double x)
{
    return rounded_logarithm(x, &base_e);
}

/* Returns 2^(y v) for a finite y. */
static double power_of_two(double y, Signed v)
{
    const bool negative = v.negative != (bits_of(y) >> 63 != 0);
    int k = (int)(bits_of(y) >> 52 & 0x7ff);
    const uint64_t m = (bits_of(y) & (LEADING - 1)) | (k ? LEADING : 0);
    k = (k ? k : 1) - 1075; /* |y| = m 2^k */
    uint64_t product[5];
    multiply_whole(product, v.size, m);
    if (leading_bit(product, 5) + k >= 192 + 11)
        return of_bits(negative ? 0 : INFINITE);
    Fixed fraction = {{bits_from(product, 5, -k), bits_from(product, 5, 64 - k), bits_from(product, 5, 128 - k), 0}};
    int n = (int)bits_from(product, 5, 192 - k);
    if (negative) {
        fraction = subtract((Fixed){0}, fraction);
        n = -n - (fraction.word[3] != 0); /* a fraction borrows one from the integer part */
    }
    /* e = r (1 + r/2 (1 + r/3 (...))) with r = fraction ln 2 */
    const Fixed r = multiply(fraction, base_e.two);
    Fixed e = {0};
    for (uint64_t i = 46; i > 0; i--)
        e = divide(add_fixed(r, multiply(r, e)), i);
    e.word[3] = 1;
    return nearest((Signed){e, false}, n, true);
}

double fv_exp_exact(double x)
{
    const uint64_t bits = bits_of(x);
    if (bits << 1 > INFINITE << 1)
        return of_bits(NOT_A_NUMBER);
    if (bits << 1 == INFINITE << 1)
        return of_bits(bits >> 63 ? 0 : INFINITE);
    return power_of_two(x, (Signed){log2_e, false});
}

double fv_pow_exact(double x, double y)
{
    const uint64_t base = bits_of(x), power = bits_of(y);
    if (!(power << 1) || base == ONE)
        return of_bits(ONE);
    if (power << 1 > INFINITE << 1 || (base > INFINITE && base != SIGN))
        return of_bits(NOT_A_NUMBER);
    if (!(base << 1) || base == INFINITE || power << 1 == INFINITE << 1) {
        /* The power overflows or vanishes: the base, above 1 or below, decides between infinity and 0. */
        const bool above = base != SIGN && base > ONE;
        return of_bits(above == !(power >> 63) ? INFINITE : 0);
    }
    return power_of_two(y, logarithm(x, &base_2));
}
