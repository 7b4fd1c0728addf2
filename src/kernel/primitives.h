/* Arguments of the kernel that computes each arithmetic operation on given operands, for the self-test. */
#ifndef FV_KERNEL_PRIMITIVES_H
#define FV_KERNEL_PRIMITIVES_H

/* The results for each pair of operands a and b, in this order. */
#define FV_PRIMITIVE_ADD 0
#define FV_PRIMITIVE_SUB 1
#define FV_PRIMITIVE_MUL 2
#define FV_PRIMITIVE_MUL_ADD 3 /* a * b + a, with two roundings */
#define FV_PRIMITIVE_DIV 4
#define FV_PRIMITIVE_SQRT 5 /* square root of |a| */
#define FV_PRIMITIVE_ABS 6
#define FV_PRIMITIVE_MAX 7
#define FV_PRIMITIVE_LESS 8
#define FV_PRIMITIVE_FROM_INT 9 /* the bits of a, read as an integer, converted to a float */
#define FV_PRIMITIVE_TO_INT 10  /* integer part of a, whose exponent is limited to 2^30 */
#define FV_PRIMITIVE_MULHRS 11  /* fv_mulhrs_i16() of the low 16 bits, signed */
#define FV_PRIMITIVE_SHIFT 12   /* the bits of a, as a signed integer, shifted right by the low 5 bits of b */
#define FV_PRIMITIVE_PRODUCT 13 /* product of a and b, read as integers, modulo 2^32 */
#define FV_PRIMITIVES 14

FV_STRUCT(FvPrimitivesArgs)
{
    fv_u32_p operands; /* a0 b0 a1 b1 ... as bits */
    fv_u32_p results;  /* FV_PRIMITIVES words for each pair of operands */
    fv_u32 count;
};

#endif
