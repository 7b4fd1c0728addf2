/*
 * XPSNR: the filters that measure how busy a block is. Words on lanes of any integer type that holds 48 times the
 * greatest sample (12 times where the picture is not big); every result is a magnitude or the two sides of one.
 */
#ifndef FV_ARITH_XPSNR_H
#define FV_ARITH_XPSNR_H

/*
 * Pictures up to 2048x1152: 12 times the sample, less twice each direct neighbour, less each diagonal one. That is
 * 16 times the sample less the sum of its 3x3 neighbourhood weighted 1 2 1 both ways.
 */
#define FV_XPSNR_121(first, middle, last) ((first) + (middle) + (middle) + (last))
#define FV_XPSNR_CENTRE(sample) ((sample) << 4)

/*
 * Larger pictures: twelve times the sum of the four samples from (x, y) on against the ring around them. The six rows
 * around are added in pairs from the outside: outer (y-2 and y+3), inner (y-1 and y+2), own (y and y+1). In each pair
 * of rows, `far` is the sum of columns x-2 and x+3, `near` of x-1 and x+2, `own` of x and x+1.
 */
#define FV_XPSNR_RING(outer_near, outer_own, inner_far, inner_near, inner_own, own_far, own_near)                    \
    ((outer_near) + (outer_own) + (inner_far) + 2 * (inner_near) + 3 * (inner_own) + (own_far) + 3 * (own_near))
#define FV_XPSNR_FOUR(own_own) (12 * (own_own))

/* Change in time, as two sums whose difference counts: of first order (`older` is 0) or of second order. */
#define FV_XPSNR_STEADY(order, before) ((before) << ((order)-1))

#endif
