/*
 * The language of src/kernel/: compilers of GLSL (for Vulkan), CUDA C++ and HIP read the kernels, and src/arith/,
 * through this header. Every kernel file includes it first. docs/dialect.md explains the rules. It defines:
 *
 *   FV_KERNEL(name, Args, threads) { ... }   one kernel; `args` is its argument struct, `threads` a literal
 *   FV_SHARED(type, name, count);            shared memory of a workgroup, declared at file scope
 *   FV_BARRIER()                             waits for all threads of the workgroup; never in divergent control flow
 *   FV_THREAD                                number of the thread in its workgroup; workgroups are one-dimensional
 *   FV_GROUP_X  FV_GROUP_Y  FV_GROUP_Z       position of the workgroup in the launch
 *   FV_AT(p, i)                              element i of the buffer p, for reading and writing
 *   fv_four                                  four fv_u32 x y z w; fv_four_p is read 16 aligned bytes at a time
 *   FV_LD_U8(p, i)  FV_LD_U16(p, i)          load a narrow element as fv_u32; FV_ST_U8 and FV_ST_U16 store one
 *   FV_OFFSET(type, p, bytes)                the pointer `bytes` bytes after p, as a pointer of that type
 *   FV_OF_PAIR(type, p, stride)              p for this workgroup's pair: FV_GROUP_Z strides of 256 bytes after p
 *   fv_leading_zeros(x)                      number of leading zero bits of an fv_u32 that is not 0
 *   FV_ATOMIC_ADD(place, value)              adds to an fv_u32, returns its previous value; also FV_ATOMIC_OR, _MAX
 *   FV_COUNT_BITS(x)                         number of bits set in an fv_u32
 *   fv_lanes_equal(a, b)                     compares both 16-bit halves, below 0x7c00: 0xffff where equal, else 0
 *   fv_lanes_less(a, b)                      compares both halves in the same way: 0xffff where a < b
 *   FV_ADD_BYTES(sum, word)                  adds the four bytes of word; FV_BYTES(sum) is the sum, 65535 at most
 *   FV_UNROLL                                unrolls the next loop, whose count is constant
 *   FV_ROLLED                                keeps the next loop rolled: long code stalls instruction fetch
 *   FV_KERNEL_FITTED(name, Args, threads, groups)   a kernel whose registers are limited so that `groups` workgroups
 *                                            fit a multiprocessor (CUDA)
 */
#ifndef FV_KERNEL_DIALECT_H
#define FV_KERNEL_DIALECT_H

#ifdef FV_GLSL

#extension GL_EXT_buffer_reference : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require

#define FV_FN
#define FV_TABLE(type, name, count) const type name[count]
#define FV_STRUCT(name) struct name
#define FV_UNROLL [[unroll]]
#define FV_ROLLED [[dont_unroll]]

#define fv_f32 float
#define fv_i32 int
#define fv_u32 uint
#define fv_i16 int
#define fv_u16 uint
#define fv_mask bool

#define fv_and(m, n) ((m) && (n))
#define fv_or(m, n) ((m) || (n))
#define fv_not(m) (!(m))
#define fv_sel_f32(m, yes, no) ((m) ? (yes) : (no))
#define fv_sel_i32(m, yes, no) ((m) ? (yes) : (no))
#define fv_sel_u32(m, yes, no) ((m) ? (yes) : (no))
#define fv_sel_i16(m, yes, no) ((m) ? (yes) : (no))
#define fv_splat_f32(x) float(x)
#define fv_splat_i32(x) int(x)
#define fv_splat_u32(x) uint(x)
#define fv_splat_i16(x) int(x)
#define fv_f32_from_i32(x) float(x)
#define fv_i32_from_f32(x) int(x)
#define fv_i32_from_u32(x) int(x)
#define fv_u32_from_i32(x) uint(x)
#define fv_bits(x) floatBitsToUint(x)
#define fv_f32_from_bits(x) uintBitsToFloat(x)
#define fv_abs_f32(x) uintBitsToFloat(floatBitsToUint(x) & 0x7fffffffu)
#define fv_max_f32(a, b) ((a) > (b) ? (a) : (b))
#define fv_min_f32(a, b) ((a) < (b) ? (a) : (b))
#define fv_beyond_f32(x, bound) fv_max_f32(fv_abs_f32(x) - (bound), 0.0f)
#define fv_max_i32(a, b) max(a, b)
#define fv_min_i32(a, b) min(a, b)
#define fv_min_i16(a, b) min(a, b)
#define fv_shr_u16(v, bits) ((v) >> (bits))
#define fv_mulhrs_i16(a, b) (((a) * (b) + 16384) >> 15)

#define FV_POINTER(type, pointer)                                                                                    \
    layout(buffer_reference, scalar, buffer_reference_align = 4) buffer pointer                                      \
    {                                                                                                                \
        type at[];                                                                                                   \
    }
FV_POINTER(uint8_t, fv_u8_p);
FV_POINTER(uint16_t, fv_u16_p);
FV_POINTER(int16_t, fv_i16_p);
FV_POINTER(uint, fv_u32_p);
FV_POINTER(int, fv_i32_p);
FV_POINTER(float, fv_f32_p);
#define fv_four uvec4
layout(buffer_reference, scalar, buffer_reference_align = 16) buffer fv_four_p
{
    uvec4 at[];
};

#define fv_leading_zeros(x) (31 - findMSB(x))
#define fv_rounded_high_product(a, b) uint((uint64_t(a) * uint64_t(b) + uint64_t(0x80000000u)) >> 32)

#define FV_AT(p, i) (p).at[i]
#define FV_LD_U8(p, i) uint((p).at[i])
#define FV_LD_U16(p, i) uint((p).at[i])
#define FV_LD_I16(p, i) int((p).at[i])
#define FV_ST_U8(p, i, v) (p).at[i] = uint8_t(v)
#define FV_ST_U16(p, i, v) (p).at[i] = uint16_t(v)
#define FV_ST_I16(p, i, v) (p).at[i] = int16_t(v)
#define FV_OFFSET(type, p, bytes) type(uint64_t(p) + uint64_t(bytes))

#include "arith/fmath.h"
#define fv_div(a, b) fv_div_exact(a, b)
#define fv_sqrt(x) fv_sqrt_exact(x)

/* Types and functions of 64-bit lanes, for kernels that are compiled with -DFV_FLOAT64. */
#define fv_f64 double
#define fv_f32_half float
#define fv_word uint
#define fv_i64 int64_t
#define fv_u64 uint64_t
#define fv_mask64 bool
#define fv_splat_i64(x) int64_t(x)
#define fv_splat_word(x) uint(x)
#define fv_i64_from_u64(x) int64_t(x)
#define fv_u64_from_i64(x) uint64_t(x)
#define fv_u64_from_word(x) uint64_t(x)
#define fv_word_from_u64(x) uint(x)
#define fv_sel_i64(m, yes, no) ((m) ? (yes) : (no))
#define fv_max_i64(a, b) ((a) > (b) ? (a) : (b))
#define fv_min_i64(a, b) ((a) < (b) ? (a) : (b))
#define fv_product(a, b) (uint64_t(a) * uint64_t(b))
#define fv_floor_log2(x) uint(findMSB(x))
#define fv_share(n) (0x40000000u / (n))
#ifdef FV_FLOAT64
/*
 * glslang keeps all digits of a literal until it gets a type; without the conversion, results would differ from the
 * CPU's.
 */
#define FV_F64(literal) double(literal)
#define fv_splat_f64(x) double(x)
#define fv_f64_from_f32(x) double(x)
#define fv_f64_from_word(x) double(x)
#define fv_lookup_f64(table, index) table[index]
#define fv_word_less(a, b) ((a) < (b))
#define fv_sel_f64(m, yes, no) ((m) ? (yes) : (no))
#define fv_max_f64(a, b) ((a) > (b) ? (a) : (b))
#define fv_min_f64(a, b) ((a) < (b) ? (a) : (b))
#define fv_bits64(x) doubleBitsToUint64(x)
#define fv_low_word(number) unpackDouble2x32(number).x
#define fv_high_word(number) unpackDouble2x32(number).y
#define fv_f64_from_words(low, high) packDouble2x32(uvec2(low, high))
#define fv_with_high_word(number, high) packDouble2x32(uvec2(unpackDouble2x32(number).x, high))
#define fv_u32_from_u64(x) uint(x)
#define fv_u64_from_words(low, high) (uint64_t(high) << 32 | uint64_t(low))
#include "arith/fmath64.h"
#define fv_div_f64(a, b) fv_div_f64_exact(a, b)
#define fv_f32_from_f64(x) fv_narrow_exact(x)
#define fv_quotient_f64(a, n) fv_quotient_exact(a, n)
#define fv_inverse_sqrt(x) fv_inverse_sqrt_exact(x)
#endif

#define FV_KERNEL(name, Args, threads)                                                                               \
    layout(local_size_x = threads) in;                                                                               \
    layout(push_constant, scalar) uniform FvPushConstants                                                            \
    {                                                                                                                \
        Args args;                                                                                                   \
    };                                                                                                               \
    void main()
#define FV_KERNEL_FITTED(name, Args, threads, groups) FV_KERNEL(name, Args, threads)
#define FV_SHARED(type, name, count) shared type name[count]
#define FV_BARRIER() barrier()
#define FV_THREAD gl_LocalInvocationID.x
#define FV_GROUP_X gl_WorkGroupID.x
#define FV_GROUP_Y gl_WorkGroupID.y
#define FV_GROUP_Z gl_WorkGroupID.z
#define FV_ATOMIC_ADD(place, value) atomicAdd(place, value)
#define FV_ATOMIC_OR(place, value) atomicOr(place, value)
#define FV_ATOMIC_MAX(place, value) atomicMax(place, value)
#define FV_COUNT_BITS(x) fv_u32(bitCount(x))

#else

#ifdef __HIP__
#include "kernel/clang/hip.h"
#elif defined FV_WAVES
#include "kernel/clang/waves.h"
#elif defined __clang__ && defined __CUDA__
#include "kernel/clang/cuda.h"
#endif
#define FV_FN static __device__ __forceinline__
#define FV_TABLE(type, name, count) static constexpr __device__ const type name[count]
#define FV_UNROLL _Pragma("unroll")
#define FV_ROLLED _Pragma("unroll 1")
#define FV_WIDE_I16
#include "arith/scalar.h"
#include "arith/fmath.h"
#ifdef FV_EXACT_QUOTIENTS
#define fv_div(a, b) fv_div_exact(a, b)
#define fv_sqrt(x) fv_sqrt_exact(x)
#endif
#include "arith/fmath64.h"
#ifdef FV_EXACT_QUOTIENTS
#define fv_div_f64(a, b) fv_div_f64_exact(a, b)
#define fv_quotient_f64(a, n) fv_quotient_exact(a, n)
#endif
#define fv_inverse_sqrt(x) fv_inverse_sqrt_exact(x) /* faster than a root and a quotient */
#define fv_floor_log2(x) (31u - (fv_u32)__clz((int)(x)))

#define FV_POINTER(type, pointer) typedef type *pointer
FV_POINTER(uint8_t, fv_u8_p);
FV_POINTER(uint16_t, fv_u16_p);
FV_POINTER(int16_t, fv_i16_p);
FV_POINTER(uint32_t, fv_u32_p);
FV_POINTER(int32_t, fv_i32_p);
FV_POINTER(float, fv_f32_p);
typedef uint4 fv_four;
FV_POINTER(uint4, fv_four_p);

#define fv_leading_zeros(x) __clz((int)(x))
#define FV_AT(p, i) (p)[i]
#define FV_LD_U8(p, i) ((fv_u32)(p)[i])
#define FV_LD_U16(p, i) ((fv_u32)(p)[i])
#define FV_LD_I16(p, i) ((fv_i32)(p)[i])
#define FV_ST_U8(p, i, v) (p)[i] = (uint8_t)(v)
#define FV_ST_U16(p, i, v) (p)[i] = (uint16_t)(v)
#define FV_ST_I16(p, i, v) (p)[i] = (int16_t)(v)
#ifdef __CUDACC__
#define FV_OFFSET(type, p, bytes) ((type)__cvta_global_to_generic(__cvta_generic_to_global(p) + (size_t)(bytes)))
#else
#define FV_OFFSET(type, p, bytes) ((type)((unsigned char *)(p) + (uintptr_t)(bytes)))
#endif

#ifndef FV_KERNEL
#define FV_KERNEL(name, Args, threads) extern "C" __global__ void __launch_bounds__(threads) name(const Args args)
#define FV_KERNEL_FITTED(name, Args, threads, groups)                                                                \
    extern "C" __global__ void __launch_bounds__(threads, groups) name(const Args args)
#endif
#define FV_SHARED(type, name, count) static __shared__ type name[count]
#define FV_BARRIER() __syncthreads()
#define FV_THREAD threadIdx.x
#define FV_GROUP_X blockIdx.x
#define FV_GROUP_Y blockIdx.y
#define FV_GROUP_Z blockIdx.z
#define FV_ATOMIC_ADD(place, value) atomicAdd(&(place), value)
#define FV_ATOMIC_OR(place, value) atomicOr(&(place), value)
#define FV_ATOMIC_MAX(place, value) atomicMax(&(place), value)
#define FV_COUNT_BITS(x) fv_u32(__popc(x))

#endif

#ifdef __CUDACC__
#define FV_ADD_BYTES(sum, word) __dp4a(word, 0x01010101u, sum)
#define FV_BYTES(sum) (sum)

/* Compares 16-bit halves as half floats: nonnegative floats have the order of their bits. */
FV_FN fv_u32 fv_lanes_equal(fv_u32 a, fv_u32 b)
{
    fv_u32 mask;
    asm("set.eq.u32.f16x2 %0, %1, %2;" : "=r"(mask) : "r"(a), "r"(b));
    return mask;
}

FV_FN fv_u32 fv_lanes_less(fv_u32 a, fv_u32 b)
{
    fv_u32 mask;
    asm("set.lt.u32.f16x2 %0, %1, %2;" : "=r"(mask) : "r"(a), "r"(b));
    return mask;
}

/*
 * Returns a product of 64 bits. nvcc multiplies 64-bit numbers, with three instructions, where the conversions of the
 * factors are in another block than the product.
 */
FV_FN fv_i64 fv_long_product(fv_i32 a, fv_i32 b)
{
    fv_i64 product;
    asm("mul.wide.s32 %0, %1, %2;" : "=l"(product) : "r"(a), "r"(b));
    return product;
}
#else
#define fv_long_product(a, b) (fv_i64(a) * fv_i64(b))
#define FV_ADD_BYTES(sum, word) ((sum) + ((word)&0x00ff00ffu) + (((word) >> 8) & 0x00ff00ffu))
#define FV_BYTES(sum) (((sum)&0xffffu) + ((sum) >> 16))

FV_FN fv_u32 fv_lanes_equal(fv_u32 a, fv_u32 b)
{
    return ~(((((a ^ b) + 0x7fff7fffu) >> 15) & 0x00010001u) * 0xffffu);
}

FV_FN fv_u32 fv_lanes_less(fv_u32 a, fv_u32 b)
{
    return (((b + 0x7fff7fffu - a) >> 15) & 0x00010001u) * 0xffffu;
}
#endif

#define FV_OF_PAIR(type, p, stride) FV_OFFSET(type, p, 256ul * FV_GROUP_Z * (stride))

/* Returns fv_f32_from_i32(x) for |x| < 2^22, without the slow conversion unit of GPUs. */
FV_FN fv_f32 fv_f32_from_small(fv_i32 x)
{
    return fv_f32_from_bits(0x4b400000u + fv_u32_from_i32(x)) - 12582912.0f;
}

#endif
