/*
 * The lane types and operations in which src/arith/ is written, for plain C: a lane is one number.
 *
 * A formula in src/arith/ is compiled with one of three headers: this one (the reference), cpu/simd.h (vectors of
 * lanes), or kernel/dialect.h (GLSL and CUDA). It may use the lane types, + - * and comparisons, integer shifts and
 * logic, and the functions below; no pointers, no loops over lanes, no ?: on lane values, no native division.
 */
#ifndef FV_ARITH_SCALAR_H
#define FV_ARITH_SCALAR_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifndef FV_FN /* for CUDA, kernel/dialect.h has already defined these three macros */
#define FV_FN static inline __attribute__((unused))
#define FV_TABLE(type, name, count) static const type name[count]
#define FV_UNROLL _Pragma("GCC unroll 64")
#endif
#define FV_F64(literal) (literal) /* a literal of a 64-bit float, for which GLSL needs a suffix */
#define FV_STRUCT(name)                                                                                              \
    typedef struct name name;                                                                                        \
    struct name

typedef float fv_f32;
typedef int32_t fv_i32;
typedef uint32_t fv_u32;
#ifdef FV_WIDE_I16 /* set for GPUs, where a 16-bit register costs a sign extension after every operation */
typedef int32_t fv_i16;
#else
typedef int16_t fv_i16;
#endif
typedef uint16_t fv_u16;
typedef int fv_mask;   /* the result of comparing lanes */
typedef int fv_mask16; /* the result of comparing 16-bit lanes */

#define fv_and(m, n) ((m) & (n))
#define fv_or(m, n) ((m) | (n))
#define fv_not(m) (!(m))

FV_FN fv_f32 fv_sel_f32(fv_mask m, fv_f32 yes, fv_f32 no)
{
    return m ? yes : no;
}

FV_FN fv_i32 fv_sel_i32(fv_mask m, fv_i32 yes, fv_i32 no)
{
    return m ? yes : no;
}

FV_FN fv_u32 fv_sel_u32(fv_mask m, fv_u32 yes, fv_u32 no)
{
    return m ? yes : no;
}

FV_FN fv_i16 fv_sel_i16(fv_mask16 m, fv_i16 yes, fv_i16 no)
{
    return m ? yes : no;
}

/* Fill every lane with a constant. */
#define fv_splat_f32(x) ((fv_f32)(x))
#define fv_splat_i32(x) ((fv_i32)(x))
#define fv_splat_u32(x) ((fv_u32)(x))
#define fv_splat_i16(x) ((fv_i16)(x))

/*
 * Conversions are exact or round to nearest even. Conversions to integers truncate, and the value must be in range.
 */
#define fv_f32_from_i32(x) ((fv_f32)(x))
#define fv_i32_from_f32(x) ((fv_i32)(x))
#define fv_i32_from_u32(x) ((fv_i32)(x))
#define fv_u32_from_i32(x) ((fv_u32)(x))

/* Shifts every lane right by the same number of bits. */
#define fv_shr_u16(v, bits) ((v) >> (bits))

FV_FN fv_u32 fv_bits(fv_f32 x)
{
    fv_u32 bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

FV_FN fv_f32 fv_f32_from_bits(fv_u32 bits)
{
    fv_f32 x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Quotient and square root, correctly rounded, for normal operands and results. */
FV_FN fv_f32 fv_div(fv_f32 a, fv_f32 b)
{
    return a / b;
}

FV_FN fv_f32 fv_sqrt(fv_f32 x)
{
    return sqrtf(x);
}

FV_FN fv_f32 fv_abs_f32(fv_f32 x)
{
    return fv_f32_from_bits(fv_bits(x) & 0x7fffffffu);
}

/* The greater, or the lesser, of two numbers; operands are never NaN. */
FV_FN fv_f32 fv_max_f32(fv_f32 a, fv_f32 b)
{
    return a > b ? a : b;
}

FV_FN fv_f32 fv_min_f32(fv_f32 a, fv_f32 b)
{
    return a < b ? a : b;
}

/*
 * Returns by how much |x| exceeds `bound`, which is at least 0; returns 0 if |x| does not exceed it. The sign of the
 * result is unspecified.
 */
FV_FN fv_f32 fv_beyond_f32(fv_f32 x, fv_f32 bound)
{
    return fv_max_f32(fv_abs_f32(x) - bound, 0);
}

FV_FN fv_i32 fv_max_i32(fv_i32 a, fv_i32 b)
{
    return a > b ? a : b;
}

FV_FN fv_i32 fv_min_i32(fv_i32 a, fv_i32 b)
{
    return a < b ? a : b;
}

FV_FN fv_i16 fv_min_i16(fv_i16 a, fv_i16 b)
{
    return a < b ? a : b;
}

/* floor((a*b + 2^31) / 2^32). */
FV_FN fv_u32 fv_rounded_high_product(fv_u32 a, fv_u32 b)
{
    return (fv_u32)(((uint64_t)a * b + 0x80000000u) >> 32);
}

/* floor((a*b + 2^14) / 2^15); a and b must not both be -32768. */
FV_FN fv_i16 fv_mulhrs_i16(fv_i16 a, fv_i16 b)
{
    return (fv_i16)((a * b + 16384) >> 15);
}

/*
 * Lanes of 64 bits. A vector of fv_f64 has as many lanes as one of fv_f32_half (32-bit floats) or fv_word (32-bit
 * unsigned integers).
 */
typedef double fv_f64;
typedef float fv_f32_half;
typedef uint32_t fv_word;

#define fv_splat_f64(x) ((fv_f64)(x))
#define fv_f64_from_f32(x) ((fv_f64)(x))
#define fv_f32_from_f64(x) ((fv_f32_half)(x))
#define fv_f64_from_word(x) ((fv_f64)(x))
#define fv_lookup_f64(table, index) ((table)[index])

/* 64-bit integers. Their vectors have as many lanes as those of doubles. */
typedef int64_t fv_i64;
typedef uint64_t fv_u64;
typedef int fv_mask64; /* the result of comparing lanes of 64 bits */

#define fv_splat_i64(x) ((fv_i64)(x))
#define fv_splat_word(x) ((fv_word)(x))
#define fv_i64_from_u64(x) ((fv_i64)(x))
#define fv_u64_from_i64(x) ((fv_u64)(x))
#define fv_u64_from_word(x) ((fv_u64)(x))
#define fv_word_from_u64(x) ((fv_word)(x)) /* x must be below 2^32 */

#define fv_u32_from_u64(x) ((fv_u32)(x))
#define fv_u64_from_words(low, high) ((fv_u64)(high) << 32 | (low))

FV_FN fv_u64 fv_bits64(fv_f64 x)
{
    fv_u64 bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

FV_FN fv_i64 fv_sel_i64(fv_mask64 m, fv_i64 yes, fv_i64 no)
{
    return m ? yes : no;
}

FV_FN fv_i64 fv_max_i64(fv_i64 a, fv_i64 b)
{
    return a > b ? a : b;
}

FV_FN fv_i64 fv_min_i64(fv_i64 a, fv_i64 b)
{
    return a < b ? a : b;
}

FV_FN fv_u64 fv_product(fv_word a, fv_word b)
{
    return (fv_u64)a * b;
}

/* floor(log2(x)) of x > 0. */
FV_FN fv_word fv_floor_log2(fv_word x)
{
    fv_word log = 0;
    while (x >>= 1)
        log++;
    return log;
}

/* Returns floor(2^30 / n) for n from 1 to 32768. ADM multiplies by it instead of dividing by n. */
#define fv_share(n) ((fv_u32)(1u << 30) / (n))

/* The quotient of 64-bit floats, correctly rounded. */
FV_FN fv_f64 fv_div_f64(fv_f64 a, fv_f64 b)
{
    return a / b;
}

/* Returns whether a < b, both unsigned; a word that has wrapped below 0 counts as large. */
#define fv_word_less(a, b) ((a) < (b))
#define fv_sel_f64(m, yes, no) ((m) ? (yes) : (no))

/* fv_max_f64() returns a if a > b, else b; fv_min_f64() returns a if a < b, else b. Neither operand is NaN. */
FV_FN fv_f64 fv_max_f64(fv_f64 a, fv_f64 b)
{
    return a > b ? a : b;
}

FV_FN fv_f64 fv_min_f64(fv_f64 a, fv_f64 b)
{
    return a < b ? a : b;
}

/* The upper word of x: sign, exponent and the upper 20 bits of the fraction. */
FV_FN fv_word fv_high_word(fv_f64 x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (fv_word)(bits >> 32);
}

FV_FN fv_word fv_low_word(fv_f64 x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (fv_word)bits;
}

FV_FN fv_f64 fv_f64_from_words(fv_word low, fv_word high)
{
    uint64_t bits = (uint64_t)high << 32 | low;
    fv_f64 x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

FV_FN fv_f64 fv_with_high_word(fv_f64 x, fv_word high)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits & 0xffffffffu) | (uint64_t)high << 32;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* a / n, correctly rounded, for n of up to 26 significant bits. */
FV_FN fv_f64 fv_quotient_f64(fv_f64 a, fv_f64 n)
{
    return a / n;
}

/* Returns fl32(fl64(1 / fl64(sqrt(x)))), each fl a rounding, for x in [1, 2]. */
FV_FN fv_f32 fv_inverse_sqrt(fv_f32 x)
{
    return (fv_f32)(1.0 / sqrt((double)x));
}

#endif
