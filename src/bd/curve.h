/* A curve of y over ascending x, drawn by one of the methods of fovea/bd.h. */
#pragma once

#include "fovea/fovea.h"

typedef struct FvBdCurve {
    int count;          /* number of points, at least 2; 0: not drawn */
    double *x, *y;      /* coordinates of the points; x ascends */
    double (*piece)[4]; /* coefficients of powers of v - x[k] for each of count - 1 intervals; NULL: the curve is
                           `cubic` */
    double cubic[4];    /* coefficients of powers of (v - centre) / half */
    double centre, half;
} FvBdCurve;

/* Allocates a curve of `count` points. The caller closes it, also after FV_ERROR_MEMORY. */
FvStatus fv_bd_curve_open(FvBdCurve *curve, int count, FvError *error);

/* Draws the curve through x and y, which the caller has filled. */
FvStatus fv_bd_curve_draw(FvBdCurve *curve, FvBdMethod method, FvError *error);

void fv_bd_curve_close(FvBdCurve *curve);

/* Returns the curve's value at v in [x[0], x[count - 1]]. */
double fv_bd_curve_value(const FvBdCurve *curve, double v);

/* Returns the integral over [from, to], in closed form. */
double fv_bd_curve_integral(const FvBdCurve *curve, double from, double to);

/* Returns whether the slope changes its sign in [from, to]. */
bool fv_bd_curve_turns(const FvBdCurve *curve, double from, double to);
