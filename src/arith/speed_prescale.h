/*
 * Resizing for SpEED's option speed_prescale: weights and sums of the four methods. Weights are computed once per
 * run.
 */
#ifndef FV_ARITH_SPEED_PRESCALE_H
#define FV_ARITH_SPEED_PRESCALE_H

#define FV_SPEED_PRESCALE_TAPS 9 /* maximum number of taps in each direction */

/* Keys' cubic kernel with a = -0.75; distance: from the kernel's centre, in samples. */
FV_FN fv_f32 fv_speed_prescale_cubic(fv_f32 distance)
{
    const float a = -0.75f;
    fv_f32 t = fv_abs_f32(distance);
    fv_f32 near = ((a + 2.0f) * t - (a + 3.0f)) * t * t + 1.0f;
    fv_f32 far = (((t - 5.0f) * t + 8.0f) * t - 4.0f) * a;
    return fv_sel_f32(t < fv_splat_f32(1), near, fv_sel_f32(t < fv_splat_f32(2), far, fv_splat_f32(0)));
}

/*
 * fv_speed_prescale_weight() returns the weight of one input sample. fv_speed_prescale_term() adds its term to a sum.
 */
FV_FN fv_f32 fv_speed_prescale_weight(float across, float down)
{
    return fv_splat_f32(across * down);
}

FV_FN fv_f32 fv_speed_prescale_term(fv_f32 sum, fv_f32 value, fv_f32 weight)
{
    return sum + value * weight;
}

#endif
