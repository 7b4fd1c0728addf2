/* Arguments of the kernel that computes each operation of the arithmetic on given operands. */
#ifndef FV_KERNEL_PRIMITIVES_H
#define FV_KERNEL_PRIMITIVES_H

/* Results for each pair of operands, in this order. */
#define FV_PRIMITIVE_ADD 0
#define FV_PRIMITIVE_SUB 1
#define FV_PRIMITIVE_MUL 2
#define FV_PRIMITIVE_MUL_ADD 3 /* a * b + a, two roundings */
#define FV_PRIMITIVE_DIV 4
#define FV_PRIMITIVE_SQRT 5 /* square root of |a| */
#define FV_PRIMITIVE_ABS 6
#define FV_PRIMITIVE_MAX 7
#define FV_PRIMITIVE_LESS 8
#define FV_PRIMITIVE_FROM_INT 9 /* the bits of a as an integer, made a float */
#define FV_PRIMITIVE_TO_INT 10  /* integer part of a, with its exponent limited to 2^30 */
#define FV_PRIMITIVE_MULHRS 11  /* mulhrs of the low 16 bits, signed */
#define FV_PRIMITIVE_SHIFT 12   /* the bits of a >> 5 bits of b, signed */
#define FV_PRIMITIVE_PRODUCT 13 /* product of the bits, modulo 2^32 */
#define FV_PRIMITIVES 14

FV_STRUCT(FvPrimitivesArgs)
{
    fv_u32_p operands; /* a0 b0 a1 b1 ... as bits */
    fv_u32_p results;  /* FV_PRIMITIVES words for each pair */
    fv_u32 count;
};

#endif
