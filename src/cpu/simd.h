/*
 * Vector types for the files in cpu/ that are compiled once per instruction set, and the lane operations of
 * src/arith/ for them. A vector has FV_LANES 32-bit lanes: 16 (AVX-512), 8 (AVX2), 4 (SSE2, NEON, WebAssembly);
 * fv_i16 has twice as many lanes and fv_u8 four times. GCC's and Clang's vector extensions are used; intrinsics only
 * where those lack an operation.
 */
#pragma once

#include <stdint.h>
#include <string.h>

#if defined(__AVX512F__) || defined(__AVX2__) || defined(__SSE2__)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#elif defined(__wasm_simd128__)
#include "cpu/wasm_lanes.h"
#endif

/*
 * FV_X86(max_ps) is the intrinsic for vectors of the current set, for names that all x86 sets have; fv_x86i and
 * fv_x86f are its types.
 */
#if defined(__AVX512F__)
#define FV_VECTOR_BYTES 64
#define FV_X86(name) _mm512_##name
typedef __m512i fv_x86i;
typedef __m512 fv_x86f;
typedef __m512d fv_x86d;
typedef __m256i fv_x86i_half;
typedef __m256 fv_x86f_half;
#elif defined(__AVX2__)
#define FV_VECTOR_BYTES 32
#define FV_X86(name) _mm256_##name
typedef __m256i fv_x86i;
typedef __m256 fv_x86f;
typedef __m256d fv_x86d;
typedef __m128i fv_x86i_half;
typedef __m128 fv_x86f_half;
#else
#define FV_VECTOR_BYTES 16
#if defined(__SSE2__)
#define FV_X86(name) _mm_##name
typedef __m128i fv_x86i;
typedef __m128 fv_x86f;
typedef __m128d fv_x86d;
#endif
#endif
#define FV_LANES (FV_VECTOR_BYTES / 4)

/* With address checks in every line, GCC takes minutes to give registers to a function as long as VIF's. */
#ifdef __SANITIZE_ADDRESS__
#define FV_FN static inline __attribute__((unused))
#else
#define FV_FN static inline __attribute__((always_inline, unused))
#endif
#define FV_TABLE(type, name, count) static const type name[count]
#define FV_UNROLL _Pragma("GCC unroll 64")
#define FV_F64(literal) (literal)
#define FV_STRUCT(name)                                                                                              \
    typedef struct name name;                                                                                        \
    struct name

typedef float fv_f32 __attribute__((vector_size(FV_VECTOR_BYTES)));
typedef int32_t fv_i32 __attribute__((vector_size(FV_VECTOR_BYTES)));
typedef uint32_t fv_u32 __attribute__((vector_size(FV_VECTOR_BYTES)));
typedef int16_t fv_i16 __attribute__((vector_size(FV_VECTOR_BYTES)));
typedef uint16_t fv_u16 __attribute__((vector_size(FV_VECTOR_BYTES)));
typedef uint8_t fv_u8 __attribute__((vector_size(FV_VECTOR_BYTES)));
typedef int64_t fv_i64 __attribute__((vector_size(FV_VECTOR_BYTES)));
typedef uint64_t fv_u64 __attribute__((vector_size(FV_VECTOR_BYTES)));
typedef double fv_f64 __attribute__((vector_size(FV_VECTOR_BYTES)));
/* Vectors of half the size, whose lanes widen to one full vector. */
typedef uint8_t fv_u8_half __attribute__((vector_size(FV_VECTOR_BYTES / 2)));
typedef uint16_t fv_u16_half __attribute__((vector_size(FV_VECTOR_BYTES / 2)));
typedef int16_t fv_i16_half __attribute__((vector_size(FV_VECTOR_BYTES / 2)));
typedef uint8_t fv_u8_quarter __attribute__((vector_size(FV_VECTOR_BYTES / 4)));
typedef float fv_f32_half __attribute__((vector_size(FV_VECTOR_BYTES / 2)));
typedef fv_u64 fv_word; /* 32-bit unsigned numbers, each in a lane of 64 bits */
typedef fv_i32 fv_mask; /* all bits of a lane set: true; none set: false */
typedef fv_i16 fv_mask16;

#define fv_and(m, n) ((m) & (n))
#define fv_or(m, n) ((m) | (n))
#define fv_not(m) (~(m))

/*
 * Load and store at any alignment, whatever the type of the memory. (GCC 12 drops calls of functions that only memcpy
 * 64 bytes to their argument.)
 */
#define FV_ANYWHERE(Type)                                                                                            \
    struct __attribute__((packed, may_alias)) {                                                                      \
        Type value;                                                                                                  \
    }
#define FV_LOAD(Type, from) (((const FV_ANYWHERE(Type) *)(from))->value)
#define FV_STORE(to, from)                                                                                           \
    __extension__({                                                                                                  \
        __auto_type stored_ = (from);                                                                                \
        ((FV_ANYWHERE(__typeof__(stored_)) *)(to))->value = stored_;                                                 \
    })

/*
 * Stores to aligned memory that is written completely and read much later, without loading the cache line first. Call
 * FV_STREAM_END() before another thread reads the memory. On processors other than x86 these are plain stores.
 */
#if defined(__AVX512F__)
#define FV_STREAM(to, from) _mm512_stream_si512((void *)(to), (__m512i)(from))
#define FV_STREAM_HALF(to, from) _mm256_stream_si256((void *)(to), (__m256i)(from))
#elif defined(__AVX2__)
#define FV_STREAM(to, from) _mm256_stream_si256((void *)(to), (__m256i)(from))
#define FV_STREAM_HALF(to, from) _mm_stream_si128((void *)(to), (__m128i)(from))
#elif defined(__SSE2__)
#define FV_STREAM(to, from) _mm_stream_si128((void *)(to), (__m128i)(from))
#define FV_STREAM_HALF(to, from) FV_STORE(to, from)
#else
#define FV_STREAM(to, from) FV_STORE(to, from)
#define FV_STREAM_HALF(to, from) FV_STORE(to, from)
#endif
#if defined(__SSE2__)
#define FV_STREAM_END() _mm_sfence()
#else
#define FV_STREAM_END() ((void)0)
#endif

FV_FN fv_i32 fv_sel_i32(fv_mask m, fv_i32 yes, fv_i32 no)
{
    return (yes & m) | (no & ~m);
}

FV_FN fv_u32 fv_sel_u32(fv_mask m, fv_u32 yes, fv_u32 no)
{
    return (yes & (fv_u32)m) | (no & ~(fv_u32)m);
}

FV_FN fv_f32 fv_sel_f32(fv_mask m, fv_f32 yes, fv_f32 no)
{
    return (fv_f32)fv_sel_i32(m, (fv_i32)yes, (fv_i32)no);
}

FV_FN fv_i16 fv_sel_i16(fv_mask16 m, fv_i16 yes, fv_i16 no)
{
#if defined(__AVX512BW__)
    return (fv_i16)_mm512_mask_mov_epi16((__m512i)no, _mm512_movepi16_mask((__m512i)m), (__m512i)yes);
#else
    return (yes & m) | (no & ~m);
#endif
}

/*
 * Defines an operation on two vectors that all instruction sets have as one instruction, by its intrinsics for x86,
 * WebAssembly and NEON, and by NEON's type of the operands.
 */
#if defined(__SSE2__)
#define FV_TWO_OPERANDS(Type, name, x86, wasm, neon, Neon)                                                           \
    FV_FN Type name(Type a, Type b)                                                                                  \
    {                                                                                                                \
        return (Type)FV_X86(x86)((fv_x86i)a, (fv_x86i)b);                                                            \
    }
#elif defined(__wasm_simd128__)
#define FV_TWO_OPERANDS(Type, name, x86, wasm, neon, Neon)                                                           \
    FV_FN Type name(Type a, Type b)                                                                                  \
    {                                                                                                                \
        return (Type)wasm((v128_t)a, (v128_t)b);                                                                     \
    }
#else
#define FV_TWO_OPERANDS(Type, name, x86, wasm, neon, Neon)                                                           \
    FV_FN Type name(Type a, Type b)                                                                                  \
    {                                                                                                                \
        return (Type)neon((Neon)a, (Neon)b);                                                                         \
    }
#endif

/* x - 0 is x, which compilers know; x + 0 differs from x when x is -0. */
#define fv_splat_f32(x) ((float)(x) - (fv_f32){0})
#define fv_splat_i32(x) ((fv_i32){0} + (int32_t)(x))
#define fv_splat_u32(x) ((fv_u32){0} + (uint32_t)(x))
#define fv_splat_i16(x) ((fv_i16){0} + (int16_t)(x))

#define fv_f32_from_i32(x) __builtin_convertvector((x), fv_f32)
#define fv_i32_from_f32(x) __builtin_convertvector((x), fv_i32)
#define fv_i32_from_u32(x) ((fv_i32)(x))
#define fv_u32_from_i32(x) ((fv_u32)(x))
#define fv_shr_u16(v, bits) ((v) >> (uint16_t)(bits))
#define fv_bits(x) ((fv_u32)(x))
#define fv_f32_from_bits(x) ((fv_f32)(x))

FV_FN fv_f32 fv_div(fv_f32 a, fv_f32 b)
{
    return a / b;
}

FV_FN fv_f32 fv_sqrt(fv_f32 x)
{
#if defined(__SSE2__)
    return (fv_f32)FV_X86(sqrt_ps)((fv_x86f)x);
#elif defined(__wasm_simd128__)
    return (fv_f32)wasm_f32x4_sqrt((v128_t)x);
#else
    return (fv_f32)vsqrtq_f32((float32x4_t)x);
#endif
}

FV_FN fv_f64 fv_sqrt_f64(fv_f64 x)
{
#if defined(__SSE2__)
    return (fv_f64)FV_X86(sqrt_pd)((fv_x86d)x);
#elif defined(__wasm_simd128__)
    return (fv_f64)wasm_f64x2_sqrt((v128_t)x);
#else
    return (fv_f64)vsqrtq_f64((float64x2_t)x);
#endif
}

FV_FN fv_f32 fv_abs_f32(fv_f32 x)
{
    return (fv_f32)((fv_u32)x & 0x7fffffffu);
}

/* Returns the greater number; operands are never NaN. */
FV_FN fv_f32 fv_max_f32(fv_f32 a, fv_f32 b)
{
#if defined(__SSE2__)
    return (fv_f32)FV_X86(max_ps)((fv_x86f)a, (fv_x86f)b);
#elif defined(__wasm_simd128__)
    return (fv_f32)wasm_f32x4_pmax((v128_t)b, (v128_t)a); /* b < a ? a : b */
#else
    return fv_sel_f32(a > b, a, b);
#endif
}

FV_FN fv_f32 fv_min_f32(fv_f32 a, fv_f32 b)
{
#if defined(__SSE2__)
    return (fv_f32)FV_X86(min_ps)((fv_x86f)a, (fv_x86f)b);
#elif defined(__wasm_simd128__)
    return (fv_f32)wasm_f32x4_pmin((v128_t)b, (v128_t)a);
#else
    return fv_sel_f32(a < b, a, b);
#endif
}

/*
 * Returns by how much |x| exceeds `bound`, which is at least 0; returns 0 if |x| does not exceed it. The sign of the
 * result is unspecified.
 */
FV_FN fv_f32 fv_beyond_f32(fv_f32 x, fv_f32 bound)
{
#if defined(__AVX512DQ__)
    return x - (fv_f32)_mm512_range_ps((__m512)x, (__m512)bound, 2); /* the smaller magnitude, with the sign of x */
#else
    return fv_max_f32(fv_abs_f32(x) - bound, fv_splat_f32(0));
#endif
}

FV_FN fv_i32 fv_max_i32(fv_i32 a, fv_i32 b)
{
#if defined(__AVX2__)
    return (fv_i32)FV_X86(max_epi32)((fv_x86i)a, (fv_x86i)b);
#elif defined(__ARM_NEON)
    return (fv_i32)vmaxq_s32((int32x4_t)a, (int32x4_t)b);
#elif defined(__wasm_simd128__)
    return (fv_i32)wasm_i32x4_max((v128_t)a, (v128_t)b);
#else
    return fv_sel_i32(a > b, a, b);
#endif
}

FV_FN fv_i32 fv_min_i32(fv_i32 a, fv_i32 b)
{
#if defined(__AVX2__)
    return (fv_i32)FV_X86(min_epi32)((fv_x86i)a, (fv_x86i)b);
#elif defined(__ARM_NEON)
    return (fv_i32)vminq_s32((int32x4_t)a, (int32x4_t)b);
#elif defined(__wasm_simd128__)
    return (fv_i32)wasm_i32x4_min((v128_t)a, (v128_t)b);
#else
    return fv_sel_i32(a < b, a, b);
#endif
}

/* A pair of 16-bit numbers for the dot product of arith/prores.h, which x86 computes in one instruction. */
#define FV_OWN_DOT
typedef struct FvTwo {
    fv_i32 a, b, both;
} FvTwo;

FV_FN FvTwo fv_two(fv_i32 a, fv_i32 b)
{
#if defined(__AVX2__) && !defined(__AVX512F__)
    return (FvTwo){a, b, (fv_i32)_mm256_blend_epi16((__m256i)a, (__m256i)(b << 16), 0xaa)};
#else
    return (FvTwo){a, b, (a & 0xffff) | b << 16};
#endif
}

FV_FN fv_u32 fv_dot(FvTwo x, int weight_a, int weight_b)
{
#if defined(__SSE2__)
    if (weight_a == (int16_t)weight_a && weight_b == (int16_t)weight_b) {
        fv_i32 weights = fv_splat_i32((weight_a & 0xffff) | (uint32_t)weight_b << 16);
        return (fv_u32)FV_X86(madd_epi16)((fv_x86i)x.both, (fv_x86i)weights);
    }
#elif defined(__wasm_simd128__)
    if (weight_a == (int16_t)weight_a && weight_b == (int16_t)weight_b) {
        fv_i32 weights = fv_splat_i32((weight_a & 0xffff) | (uint32_t)weight_b << 16);
        return (fv_u32)wasm_i32x4_dot_i16x8((v128_t)x.both, (v128_t)weights);
    }
#endif
    return (fv_u32)x.a * (uint32_t)weight_a + (fv_u32)x.b * (uint32_t)weight_b;
}

FV_TWO_OPERANDS(fv_i16, fv_min_i16, min_epi16, wasm_i16x8_min, vminq_s16, int16x8_t)
FV_TWO_OPERANDS(fv_i16, fv_max_i16, max_epi16, wasm_i16x8_max, vmaxq_s16, int16x8_t)
FV_FN fv_u16 fv_max_u16(fv_u16 a, fv_u16 b)
{
#if defined(__AVX2__)
    return (fv_u16)FV_X86(max_epu16)((fv_x86i)a, (fv_x86i)b);
#elif defined(__SSE2__)
    return b + (fv_u16)_mm_subs_epu16((__m128i)a, (__m128i)b);
#elif defined(__wasm_simd128__)
    return (fv_u16)wasm_u16x8_max((v128_t)a, (v128_t)b);
#else
    return (fv_u16)vmaxq_u16((uint16x8_t)a, (uint16x8_t)b);
#endif
}

FV_TWO_OPERANDS(fv_u8, fv_max_u8, max_epu8, wasm_u8x16_max, vmaxq_u8, uint8x16_t)

/* floor((a*b + 2^14) / 2^15) in 16-bit lanes; never for a = b = -32768. */
FV_FN fv_i16 fv_mulhrs_i16(fv_i16 a, fv_i16 b)
{
#if defined(__AVX2__)
    return (fv_i16)FV_X86(mulhrs_epi16)((fv_x86i)a, (fv_x86i)b);
#elif defined(__SSE2__)
    fv_i16 high = (fv_i16)_mm_mulhi_epi16((__m128i)a, (__m128i)b);
    fv_u16 low = (fv_u16)_mm_mullo_epi16((__m128i)a, (__m128i)b);
    return (fv_i16)(((fv_u16)high << 1) + (((low >> 14) + 1) >> 1));
#elif defined(__wasm_simd128__)
    return (fv_i16)wasm_i16x8_q15mulr_sat((v128_t)a, (v128_t)b);
#else
    return (fv_i16)vqrdmulhq_s16((int16x8_t)a, (int16x8_t)b);
#endif
}

/* Returns the products of 16-bit lanes, neighbouring pairs added, as 32-bit lanes. */
FV_FN fv_i32 fv_madd_i16(fv_i16 a, fv_i16 b)
{
#if defined(__SSE2__)
    return (fv_i32)FV_X86(madd_epi16)((fv_x86i)a, (fv_x86i)b);
#elif defined(__wasm_simd128__)
    return (fv_i32)wasm_i32x4_dot_i16x8((v128_t)a, (v128_t)b);
#else
    int16x8_t m = (int16x8_t)a, n = (int16x8_t)b;
    return (fv_i32)vpaddq_s32(vmull_s16(vget_low_s16(m), vget_low_s16(n)), vmull_high_s16(m, n));
#endif
}

/* Returns sum + fv_madd_i16(a, b). */
FV_FN fv_i32 fv_madd_add_i16(fv_i32 sum, fv_i16 a, fv_i16 b)
{
#if defined(__AVX512VNNI__)
    return (fv_i32)_mm512_dpwssd_epi32((__m512i)sum, (__m512i)a, (__m512i)b);
#elif defined(__AVX2__) && !defined(__AVX512F__)
    /*
     * One asm statement, because GCC 12 computes all products of an unrolled sum first and spills them to the stack.
     */
    __m256i product;
    __asm__("vpmaddwd %3, %2, %1\n\tvpaddd %1, %0, %0" : "+x"(sum), "=&x"(product) : "x"(a), "xm"(b));
    return sum;
#else
    return sum + fv_madd_i16(a, b);
#endif
}

/*
 * Interleaves 16-bit lanes a[0], b[0], a[1], b[1], ... In each 128-bit part, `low` holds the first four pairs and
 * `high` the last four.
 */
typedef struct FvTurns {
    fv_i16 low, high;
} FvTurns;

FV_FN FvTurns fv_take_turns(fv_i16 a, fv_i16 b)
{
#if defined(__SSE2__)
    return (FvTurns){(fv_i16)FV_X86(unpacklo_epi16)((fv_x86i)a, (fv_x86i)b),
                     (fv_i16)FV_X86(unpackhi_epi16)((fv_x86i)a, (fv_x86i)b)};
#elif defined(__wasm_simd128__)
    return (FvTurns){__builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11),
                     __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)};
#else
    return (FvTurns){(fv_i16)vzip1q_s16((int16x8_t)a, (int16x8_t)b), (fv_i16)vzip2q_s16((int16x8_t)a, (int16x8_t)b)};
#endif
}

/*
 * Returns the lanes of two vectors of sums, computed from an FvTurns, as 16-bit lanes in the original order. Sums
 * outside 16 bits saturate.
 */
FV_FN fv_i16 fv_join_i16(fv_i32 low, fv_i32 high)
{
#if defined(__SSE2__)
    return (fv_i16)FV_X86(packs_epi32)((fv_x86i)low, (fv_x86i)high);
#elif defined(__wasm_simd128__)
    return (fv_i16)wasm_i16x8_narrow_i32x4((v128_t)low, (v128_t)high);
#else
    return (fv_i16)vqmovn_high_s32(vqmovn_s32((int32x4_t)low), (int32x4_t)high);
#endif
}

/* Returns weights for the interleaved pairs of FvTurns: the low 16 bits of two numbers in each 32-bit lane. */
FV_FN fv_i16 fv_splat_pair_i16(int even, int odd)
{
    return (fv_i16)fv_splat_u32(((uint32_t)even & 0xffff) | (uint32_t)odd << 16);
}

/* Returns whether any lane is true. */
FV_FN int fv_any(fv_mask m)
{
#if defined(__AVX512DQ__)
    return _mm512_movepi32_mask((__m512i)m) != 0;
#elif defined(__SSE2__)
    return FV_X86(movemask_ps)((fv_x86f)m) != 0;
#elif defined(__wasm_simd128__)
    return wasm_v128_any_true((v128_t)m);
#else
    return vmaxvq_u32((uint32x4_t)m) != 0;
#endif
}

/*
 * Functions that widen bytes or 16-bit words, by intrinsics: GCC 12 emits several instructions for some generic
 * conversions.
 */
FV_FN fv_i16 fv_i16_from_u8(fv_u8_half half)
{
#if defined(__AVX2__)
    return (fv_i16)FV_X86(cvtepu8_epi16)((fv_x86i_half)half);
#elif defined(__SSE2__)
    return (fv_i16)_mm_unpacklo_epi8(_mm_set_epi64x(0, (long long)FV_LOAD(uint64_t, &half)), _mm_setzero_si128());
#else
    return __builtin_convertvector(half, fv_i16);
#endif
}

FV_FN fv_i32 fv_i32_from_i16(fv_i16_half half)
{
#if defined(__AVX2__)
    return (fv_i32)FV_X86(cvtepi16_epi32)((fv_x86i_half)half);
#elif defined(__SSE2__)
    __m128i low = _mm_set_epi64x(0, (long long)FV_LOAD(uint64_t, &half));
    return (fv_i32)_mm_srai_epi32(_mm_unpacklo_epi16(low, low), 16);
#else
    return __builtin_convertvector(half, fv_i32);
#endif
}

FV_FN fv_i32 fv_i32_from_u16(fv_u16_half half)
{
#if defined(__AVX2__)
    return (fv_i32)FV_X86(cvtepu16_epi32)((fv_x86i_half)half);
#elif defined(__SSE2__)
    return (fv_i32)_mm_unpacklo_epi16(_mm_set_epi64x(0, (long long)FV_LOAD(uint64_t, &half)), _mm_setzero_si128());
#else
    return __builtin_convertvector(half, fv_i32);
#endif
}

FV_FN fv_i32 fv_i32_from_u8(fv_u8_quarter quarter)
{
#if defined(__AVX512F__)
    return (fv_i32)_mm512_cvtepu8_epi32((__m128i)quarter);
#elif defined(__AVX2__)
    return (fv_i32)_mm256_cvtepu8_epi32(_mm_set_epi64x(0, (long long)FV_LOAD(uint64_t, &quarter)));
#elif defined(__SSE2__)
    __m128i words = _mm_unpacklo_epi8(_mm_cvtsi32_si128(FV_LOAD(int32_t, &quarter)), _mm_setzero_si128());
    return (fv_i32)_mm_unpacklo_epi16(words, _mm_setzero_si128());
#else
    return __builtin_convertvector(quarter, fv_i32);
#endif
}

/* Returns lanes 0, 1, 2, ... */
FV_FN fv_i32 fv_lane_index(void)
{
    fv_i32 index;
    for (int lane = 0; lane < FV_LANES; lane++)
        index[lane] = lane;
    return index;
}

/* Lanes of 64 bits: see arith/scalar.h. */
#define FV_LANES64 (FV_VECTOR_BYTES / 8)

FV_FN uint64_t fv_sum_u64(fv_u64 v)
{
    uint64_t sum = 0;
    for (int i = 0; i < FV_LANES64; i++)
        sum += v[i];
    return sum;
}
#define fv_sum_i64(v) ((int64_t)fv_sum_u64((fv_u64)(v)))
#define fv_splat_f64(x) ((fv_f64){0} + (double)(x))
#define fv_f32_from_f64(x) __builtin_convertvector((x), fv_f32_half)
#define fv_word_less(a, b) ((a) < (uint64_t)(b)) /* a word that has wrapped below 0 is large */
#define fv_sel_f64(m, yes, no) ((fv_f64)(((fv_u64)(yes) & (fv_u64)(m)) | ((fv_u64)(no) & ~(fv_u64)(m))))
#define fv_high_word(x) ((fv_u64)(x) >> 32)
#define fv_with_high_word(x, high) ((fv_f64)(((fv_u64)(x)&0xffffffffu) | ((fv_u64){0} + (high)) << 32))
/* 2^52 + x holds x in its low word. */
#define fv_f64_from_word(x) ((fv_f64)((x) | 0x4330000000000000u) - 4503599627370496.0)

typedef fv_i64 fv_mask64;
#define fv_splat_i64(x) ((fv_i64){0} + (int64_t)(x))
#define fv_splat_word(x) ((fv_word){0} + (uint64_t)(x))
#define fv_i64_from_u64(x) ((fv_i64)(x))
#define fv_u64_from_i64(x) ((fv_u64)(x))
#define fv_u64_from_word(x) (x)
#define fv_word_from_u64(x) (x)
#define fv_bits64(x) ((fv_u64)(x))
#define fv_quotient_f64(a, n) ((a) / (n))

FV_FN fv_i64 fv_sel_i64(fv_mask64 m, fv_i64 yes, fv_i64 no)
{
    return (yes & m) | (no & ~m);
}

FV_FN fv_i64 fv_max_i64(fv_i64 a, fv_i64 b)
{
#if defined(__AVX512F__)
    return (fv_i64)_mm512_max_epi64((__m512i)a, (__m512i)b);
#else
    return fv_sel_i64(a > b, a, b);
#endif
}

FV_FN fv_i64 fv_min_i64(fv_i64 a, fv_i64 b)
{
#if defined(__AVX512F__)
    return (fv_i64)_mm512_min_epi64((__m512i)a, (__m512i)b);
#else
    return fv_sel_i64(a < b, a, b);
#endif
}

/* fv_product() and fv_signed_product() read only the low 32 bits of their 64-bit lanes. */
FV_FN fv_u64 fv_product(fv_word a, fv_word b)
{
#if defined(__SSE2__)
    return (fv_u64)FV_X86(mul_epu32)((fv_x86i)a, (fv_x86i)b);
#elif defined(__wasm_simd128__)
    /* Not the intrinsic: clang 14 compiles it to a multiplication of whole 64-bit lanes. */
    const fv_u64 product = FV_WASM_PRODUCT(fv_u64, "i64x2.extmul_low_i32x4_u", a, b);
    return product;
#else
    return (fv_u64)vmull_u32(vmovn_u64((uint64x2_t)a), vmovn_u64((uint64x2_t)b));
#endif
}

FV_FN fv_i64 fv_signed_product(fv_i64 a, fv_i64 b)
{
#if defined(__AVX2__)
    return (fv_i64)FV_X86(mul_epi32)((fv_x86i)a, (fv_x86i)b);
#elif defined(__SSE2__)
    __m128i sign_a = _mm_srai_epi32((__m128i)a, 31), sign_b = _mm_srai_epi32((__m128i)b, 31);
    __m128i high = _mm_add_epi32(_mm_and_si128(sign_a, (__m128i)b), _mm_and_si128(sign_b, (__m128i)a));
    return (fv_i64)_mm_sub_epi64(_mm_mul_epu32((__m128i)a, (__m128i)b), _mm_slli_epi64(high, 32));
#elif defined(__wasm_simd128__)
    /* Not the intrinsic: clang 14 compiles it to a multiplication of whole 64-bit lanes. */
    const fv_i64 product = FV_WASM_PRODUCT(fv_i64, "i64x2.extmul_low_i32x4_s", a, b);
    return product;
#else
    return (fv_i64)vmull_s32(vmovn_s64((int64x2_t)a), vmovn_s64((int64x2_t)b));
#endif
}

FV_FN fv_word fv_floor_log2(fv_word x)
{
    return (fv_high_word(fv_f64_from_word(x)) >> 20) - 1023;
}

/*
 * Returns the first 24 bits of 2^30 / n, rounded down, for n up to 32768. For n below 64 the exact quotient has more
 * bits, but ADM's result, the quotient times at most n + 1, plus 2^14, divided by 2^15, is the same.
 */
FV_FN fv_u32 fv_share(fv_u32 n)
{
#if defined(__AVX512F__)
    return (fv_u32)_mm512_cvttps_epi32(_mm512_div_round_ps(
        _mm512_set1_ps(1073741824.0f), _mm512_cvtepi32_ps((__m512i)n), _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC));
#else
    fv_u32 share = (fv_u32)fv_i32_from_f32(1073741824.0f / fv_f32_from_i32((fv_i32)n));
    /* Subtracts 1 where the float division was rounded up. */
    return share + (fv_u32)((fv_i32)(1073741824u - share * n) >> 31);
#endif
}

FV_FN fv_f64 fv_div_f64(fv_f64 a, fv_f64 b)
{
    return a / b;
}

/* floor((a*b + 2^31) / 2^32). */
FV_FN fv_u32 fv_rounded_high_product(fv_u32 a, fv_u32 b)
{
    fv_u64 even = fv_product((fv_word)a, (fv_word)b), odd = fv_product((fv_word)a >> 32, (fv_word)b >> 32);
    even += 0x80000000u;
    odd += 0x80000000u;
#if defined(__AVX512F__)
    return (fv_u32)_mm512_mask_shuffle_epi32((__m512i)odd, 0x5555, (__m512i)even, _MM_PERM_DDBB);
#else
    return (fv_u32)(even >> 32 | (odd & 0xffffffff00000000u));
#endif
}

/* Uses intrinsics, because GCC 12 emits several instructions for the generic conversion. */
FV_FN fv_f64 fv_f64_from_f32(fv_f32_half x)
{
#if defined(__AVX2__)
    return (fv_f64)FV_X86(cvtps_pd)((fv_x86f_half)x);
#else
    return __builtin_convertvector(x, fv_f64);
#endif
}

/* Joins two halves in registers: a full load after two half stores would wait until both have reached the cache. */
FV_FN fv_f32 fv_join_f32(fv_f32_half low, fv_f32_half high)
{
#if defined(__AVX512F__)
    return (fv_f32)_mm512_insertf64x4(_mm512_castps_pd(_mm512_castps256_ps512((__m256)low)), (__m256d)high, 1);
#elif defined(__AVX2__)
    return (fv_f32)_mm256_set_m128((__m128)high, (__m128)low);
#else
    return __builtin_shufflevector(low, high, 0, 1, 2, 3);
#endif
}

/*
 * Minimum and maximum as in plain C: operands are never NaN; of equal operands (0 and -0), the second one is
 * returned.
 */
FV_FN fv_f64 fv_max_f64(fv_f64 a, fv_f64 b)
{
#if defined(__SSE2__)
    return (fv_f64)FV_X86(max_pd)((fv_x86d)a, (fv_x86d)b);
#elif defined(__wasm_simd128__)
    return (fv_f64)wasm_f64x2_pmax((v128_t)b, (v128_t)a);
#else
    return fv_sel_f64(a > b, a, b);
#endif
}

FV_FN fv_f64 fv_min_f64(fv_f64 a, fv_f64 b)
{
#if defined(__SSE2__)
    return (fv_f64)FV_X86(min_pd)((fv_x86d)a, (fv_x86d)b);
#elif defined(__wasm_simd128__)
    return (fv_f64)wasm_f64x2_pmin((v128_t)b, (v128_t)a);
#else
    return fv_sel_f64(a < b, a, b);
#endif
}

/* Rounds down to a whole number, in one instruction if the instruction set has one. */
#if defined(__AVX2__) || defined(__ARM_NEON) || defined(__wasm_simd128__)
#define FV_OWN_WHOLE
FV_FN fv_f64 fv_whole_f64(fv_f64 x)
{
#if defined(__AVX512F__)
    return (fv_f64)_mm512_roundscale_pd((__m512d)x, _MM_FROUND_TO_NEG_INF);
#elif defined(__AVX2__)
    return (fv_f64)_mm256_floor_pd((__m256d)x);
#elif defined(__wasm_simd128__)
    return (fv_f64)wasm_f64x2_floor((v128_t)x);
#else
    return (fv_f64)vrndmq_f64((float64x2_t)x);
#endif
}
#endif

FV_FN fv_f64 fv_lookup_f64(const double *table, fv_word index)
{
#if defined(__AVX512F__)
    return (fv_f64)_mm512_i64gather_pd((__m512i)index, table, 8);
#elif defined(__AVX2__)
    return (fv_f64)_mm256_i64gather_pd(table, (__m256i)index, 8);
#else
    return (fv_f64){table[index[0]], table[index[1]]};
#endif
}
