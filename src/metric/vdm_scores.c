/* Scores of the visual discrimination model, in binary64. docs/metrics/vdm.md */
#include "metric/vdm.h"

#include "arith/dmath.h"

void fv_vdm_scores(const FvVdmResult *result, double samples, double ppd, double slope, double *values)
{
    double fourth = result->fourth / 67108864 / samples, greatest = result->greatest;
    values[FV_VDM_MEAN] = result->jnd / 67108864 / samples;
    values[FV_VDM_MIN] = result->least;
    values[FV_VDM_MAX] = greatest;
    values[FV_VDM_P50] = result->median;
    values[FV_VDM_P95] = result->p95;
    values[FV_VDM_P99] = result->p99;
    values[FV_VDM_MINKOWSKI] = fv_d_pow(fourth, 0.25);
    values[FV_VDM_DETECT] = sqrt(result->square / 67108864 / (ppd * ppd));
    values[FV_VDM_VISIBLE] = (double)result->visible / samples;
    /* Beyond J^b = 1000 the exponential's range ends, and the probability is 1 long before. */
    double strength = fv_d_pow(greatest, slope);
    values[FV_VDM_CORRECT_2AFC] = 1 - 0.5 * fv_d_exp2(-(strength < 1000 ? strength : 1000));
}
