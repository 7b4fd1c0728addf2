/*
 * XPSNR: the filters that measure the spatial and temporal activity of a block. The macros work on lanes of any
 * integer type that holds 48 times the maximum sample (12 times for frames up to 2048x1152). A result is either a
 * magnitude, or two numbers whose difference has that magnitude.
 */
#ifndef FV_ARITH_XPSNR_H
#define FV_ARITH_XPSNR_H

/*
 * Frames up to 2048x1152: 12 times the sample, less twice each direct neighbour, less each diagonal neighbour. That
 * is 16 times the sample, less the sum of its 3x3 neighbourhood weighted 1 2 1 in both directions.
 */
#define FV_XPSNR_121(first, middle, last) ((first) + (middle) + (middle) + (last))
#define FV_XPSNR_CENTRE(sample) ((sample) << 4)

/*
 * Larger frames: twelve times the sum of the four samples from (x, y) on, less the weighted ring around them. A
 * parameter names rows, then columns. Rows: outer is the sum of y-2 and y+3, inner of y-1 and y+2, own of y and y+1.
 * Columns: far is the sum of x-2 and x+3, near of x-1 and x+2, own of x and x+1.
 */
#define FV_XPSNR_RING(outer_near, outer_own, inner_far, inner_near, inner_own, own_far, own_near)                    \
    ((outer_near) + (outer_own) + (inner_far) + 2 * (inner_near) + 3 * (inner_own) + (own_far) + 3 * (own_near))
#define FV_XPSNR_FOUR(own_own) (12 * (own_own))

/* Temporal activity is |now - before| (order 1) or |now + older - 2 before| (order 2); returns what is subtracted. */
#define FV_XPSNR_STEADY(order, before) ((before) << ((order)-1))

#endif
