/*
 * Exact sums of c-values: first per thread, then over all threads of a workgroup in pieces of 16 bits. The includer
 * defines THREADS, and PARTS: FV_CAMBI_SUMMED * THREADS words of shared memory that are free.
 */
#ifndef FV_KERNEL_CAMBI_SUM_H
#define FV_KERNEL_CAMBI_SUM_H

/*
 * A thread's sum of at most 2048 values, as many as a thread adds in a frame 32768 pixels wide. c stays below 2^17:
 * the counters have room for at most 16 contrasts, whose weights are at most 8, and a window has at most 255 rows and
 * columns.
 */
FV_STRUCT(FvCambiSum)
{
    fv_u32 sixteenths; /* sum of the c-values, each rounded to a multiple of 1/16 */
    fv_i32 rest;       /* sum of the remainders, times 2^24 */
    fv_u32 nonzero;
};

FV_FN FvCambiSum fv_cambi_no_sum()
{
    FvCambiSum sum;
    sum.sixteenths = sum.nonzero = 0u;
    sum.rest = 0;
    return sum;
}

/* Adds c. All steps are exact: a nonzero c is in [0.5, 2^17) and a multiple of 2^-24. */
FV_FN FvCambiSum fv_cambi_add(FvCambiSum sum, fv_f32 c)
{
    fv_f32 rounded = c + 786432.0f;
    sum.sixteenths += fv_bits(rounded) - 0x49400000u;
    fv_f32 rest = (c - (rounded - 786432.0f)) * 16777216.0f;
    sum.rest += fv_i32(fv_bits(rest + 12582912.0f) - 0x4b400000u);
    sum.nonzero++;
    return sum;
}

/*
 * Adds the sums of all threads. After a barrier, fv_cambi_part(i) returns piece i; the caller carries what exceeds 16
 * bits to the next piece.
 */
FV_FN void fv_cambi_add_threads(FvCambiSum sum)
{
    fv_i32 thread = fv_i32(FV_THREAD);
    fv_u32 low = sum.sixteenths << 20, high = sum.sixteenths >> 12, sum_low = low + fv_u32(sum.rest);
    high += (sum_low < low ? 1u : 0u) - (sum.rest < 0 ? 1u : 0u);
    PARTS[thread] = sum_low & 0xffffu;
    PARTS[THREADS + thread] = sum_low >> 16;
    PARTS[2 * THREADS + thread] = high & 0xffffu;
    PARTS[3 * THREADS + thread] = high >> 16;
    PARTS[4 * THREADS + thread] = sum.nonzero;
    FV_BARRIER();
    if (thread < FV_CAMBI_SUMMED) {
        fv_u32 part = 0u;
        for (fv_i32 i = 0; i < THREADS; i++)
            part += PARTS[thread * THREADS + i];
        PARTS[thread * THREADS] = part;
    }
}

FV_FN fv_u32 fv_cambi_part(fv_i32 part)
{
    return PARTS[part * THREADS];
}

#endif
