/*
 * Eigenvalues of a symmetric tridiagonal matrix. A matrix is one chain of dependent operations, which vectors cannot
 * speed up, so every instruction set uses this code.
 */
#include "arith/scalar.h"

#define FV_EIGEN_PARAMETERS float *diagonal, float *beside,
#define FV_EIGEN_ARGUMENTS diagonal, beside,
#include "arith/eigen_iteration.h"
#include "cpu/speed.h"

void fv_eigenvalues(float *diagonal, float *beside, int n)
{
    fv_eigen_iterate(diagonal, beside, n);
}
