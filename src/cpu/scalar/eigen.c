/* Eigenvalues of a symmetric tridiagonal matrix. One matrix is one chain of operations: every set uses this. */
#include "arith/scalar.h"

#define FV_EIGEN_PARAMETERS float *diagonal, float *beside,
#define FV_EIGEN_ARGUMENTS diagonal, beside,
#include "arith/eigen_iteration.h"
#include "cpu/speed.h"

void fv_eigenvalues(float *diagonal, float *beside, int n)
{
    fv_eigen_iterate(diagonal, beside, n);
}
