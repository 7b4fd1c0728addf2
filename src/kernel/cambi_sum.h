/*
 * Exact sums of c-values: by each thread for itself, then of all threads of a workgroup in pieces of 16 bits. The
 * includer says how many THREADS there are, and which shared memory of FV_CAMBI_SUMMED * THREADS words is free:
 * PARTS.
 */
#ifndef FV_KERNEL_CAMBI_SUM_H
#define FV_KERNEL_CAMBI_SUM_H

/*
 * Selects among at most 2048 values: a thread that selects sees so many of a picture 32768 wide. Windows that leave
 * room for the counters of so many contrasts keep c below 2^17: 16 contrasts at most, of weight 8, with a window of
 * 255.
 */
FV_STRUCT(FvCambiSum)
{
    fv_u32 sixteenths; /* each c to the nearest */
    fv_i32 rest;       /* times 2^24 */
    fv_u32 nonzero;
};

FV_FN FvCambiSum fv_cambi_no_sum()
{
    FvCambiSum sum;
    sum.sixteenths = sum.nonzero = 0u;
    sum.rest = 0;
    return sum;
}

/* Every step is exact: a nonzero c is between 0.5 and 2^17, a multiple of 2^-24. */
FV_FN FvCambiSum fv_cambi_add(FvCambiSum sum, fv_f32 c)
{
    fv_f32 rounded = c + 786432.0f;
    sum.sixteenths += fv_bits(rounded) - 0x49400000u;
    fv_f32 rest = (c - (rounded - 786432.0f)) * 16777216.0f;
    sum.rest += fv_i32(fv_bits(rest + 12582912.0f) - 0x4b400000u);
    sum.nonzero++;
    return sum;
}

/* Adds over all threads. After a barrier, part i is fv_cambi_part(i), including the carry into the next piece. */
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
