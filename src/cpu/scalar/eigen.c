/* Eigenvalues of a symmetric tridiagonal matrix. One matrix is one chain of operations: every set uses this.
 */
#include "arith/scalar.h"

#include "arith/eigen.h"
#include "cpu/speed.h"

static void split(float *d, float *t, int first, int last)
{
    for (int i = first; i < last; i++)
        if (fv_eigen_splits(t[i], d[i], d[i + 1]))
            t[i] = 0;
}

/* One implicit-shift QR step on d[0..n) and t[0..n-1): a bulge (e, g beside the diagonal) is chased to the
 * end. */
static void step(float *d, float *t, int n)
{
    float x = d[0] - fv_eigen_shift(d[n - 2], t[n - 2], d[n - 1], d[0], t[0]), z = t[0];
    float p = d[0], r = t[0], q = d[1], e = 0, g = 0, next = n > 2 ? t[1] : 0;
    for (int k = 0; k < n - 1; k++) {
        FvRotation by = fv_eigen_rotation(x, z);
        FvTurned turned = fv_eigen_turn(by, p, r, q);
        if (k > 0)
            t[k - 1] = by.c * e - by.s * g;
        d[k] = turned.p;
        p = turned.q;
        e = x = turned.r;
        g = z = -by.s * next;
        r = by.c * next;
        if (k < n - 2)
            q = d[k + 2];
        if (k < n - 3)
            next = t[k + 2];
    }
    d[n - 1] = p;
    t[n - 2] = e;
}

void fv_eigenvalues(float *diagonal, float *beside, int n)
{
    split(diagonal, beside, 0, n - 1);
    int last = n - 1;
    for (int steps = 0; last > 0 && steps < FV_EIGEN_STEPS;) {
        if (beside[last - 1] == 0) {
            last--;
            continue;
        }
        int first = last - 1;
        while (first > 0 && beside[first - 1] != 0)
            first--;
        step(diagonal + first, beside + first, last - first + 1);
        split(diagonal, beside, first, last);
        steps++;
    }
}
