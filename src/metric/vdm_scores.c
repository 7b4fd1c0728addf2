/* Computes scores of the visual discrimination model in binary64. docs/metrics/vdm.md */
#include "metric/vdm.h"

#include "arith/dmath.h"

void fv_vdm_scores(const FvTerm *terms, double samples, double ppd, double slope, double *values)
{
    double unit = 67108864, fourth = terms[FV_VDM_TERM_FOURTH].real / unit / samples;
    double greatest = terms[FV_VDM_TERM_GREATEST].real;
    values[FV_VDM_MEAN] = terms[FV_VDM_TERM_JND].real / unit / samples;
    values[FV_VDM_MIN] = terms[FV_VDM_TERM_LEAST].real;
    values[FV_VDM_MAX] = greatest;
    values[FV_VDM_P50] = terms[FV_VDM_TERM_P50].real;
    values[FV_VDM_P95] = terms[FV_VDM_TERM_P95].real;
    values[FV_VDM_P99] = terms[FV_VDM_TERM_P99].real;
    values[FV_VDM_MINKOWSKI] = fv_d_pow(fourth, 0.25);
    values[FV_VDM_DETECT] = sqrt(terms[FV_VDM_TERM_SQUARE].real / unit / (ppd * ppd));
    values[FV_VDM_VISIBLE] = (double)terms[FV_VDM_TERM_VISIBLE].integer / samples;
    /* J^b above 1000 would exceed the range of the exponential; the probability is 1 long before. */
    double exponent = greatest > 0 ? slope * fv_d_log2(greatest) : -1000;
    double strength = exponent > -1000 ? fv_d_exp2(exponent < 900 ? exponent : 900) : 0;
    values[FV_VDM_CORRECT_2AFC] = 1 - 0.5 * fv_d_exp2(-(strength < 1000 ? strength : 1000));
}
