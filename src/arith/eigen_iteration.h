/*
 * The implicit-shift QR iteration on a symmetric tridiagonal matrix, as one sequential computation. The diagonal ends
 * as the eigenvalues, in the order in which the iteration leaves them.
 *
 * The matrix is in the arrays diagonal[] and beside[], the entries next to the diagonal. Kernels have no pointers, so
 * the file that includes this one decides how functions receive the arrays. It defines FV_EIGEN_PARAMETERS, which
 * ends with a comma, and FV_EIGEN_ARGUMENTS. Both are empty where the arrays are variables of that file.
 */
#ifndef FV_ARITH_EIGEN_ITERATION_H
#define FV_ARITH_EIGEN_ITERATION_H

#include "arith/eigen.h"

FV_FN void fv_eigen_split(FV_EIGEN_PARAMETERS fv_i32 first, fv_i32 last)
{
    for (fv_i32 i = first; i < last; i++)
        if (fv_eigen_splits(beside[i], diagonal[i], diagonal[i + 1]))
            beside[i] = 0.0f;
}

/* Does one step on diagonal[first..last]: creates a bulge next to the diagonal (e and g) and moves it off the end. */
FV_FN void fv_eigen_step(FV_EIGEN_PARAMETERS fv_i32 first, fv_i32 last)
{
    fv_f32 shift =
        fv_eigen_shift(diagonal[last - 1], beside[last - 1], diagonal[last], diagonal[first], beside[first]);
    fv_f32 x = diagonal[first] - shift, z = beside[first];
    fv_f32 p = diagonal[first], r = beside[first], q = diagonal[first + 1], e = 0.0f, g = 0.0f, next = 0.0f;
    if (last - first > 1)
        next = beside[first + 1];
    for (fv_i32 k = first; k < last; k++) {
        FvRotation by = fv_eigen_rotation(x, z);
        FvTurned turned = fv_eigen_turn(by, p, r, q);
        if (k > first)
            beside[k - 1] = by.c * e - by.s * g;
        diagonal[k] = turned.p;
        p = turned.q;
        e = turned.r;
        x = e;
        g = -by.s * next;
        z = g;
        r = by.c * next;
        if (k < last - 1)
            q = diagonal[k + 2];
        if (k < last - 2)
            next = beside[k + 2];
    }
    diagonal[last] = p;
    beside[last - 1] = e;
}

/* Runs the complete iteration on a matrix of n rows. */
FV_FN void fv_eigen_iterate(FV_EIGEN_PARAMETERS fv_i32 n)
{
    fv_i32 last = n - 1, steps = 0;
    fv_eigen_split(FV_EIGEN_ARGUMENTS 0, last);
    while (last > 0 && steps < FV_EIGEN_STEPS) {
        if (beside[last - 1] == 0.0f) {
            last--;
        } else {
            fv_i32 first = last - 1;
            while (first > 0 && beside[fv_max_i32(first - 1, 0)] != 0.0f)
                first--;
            fv_eigen_step(FV_EIGEN_ARGUMENTS first, last);
            fv_eigen_split(FV_EIGEN_ARGUMENTS first, last);
            steps++;
        }
    }
}

#endif
