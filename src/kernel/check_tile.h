/* Planes of a side, samples, and sums over the threads of a workgroup, for kernels that measure one video. */
#ifndef FV_KERNEL_CHECK_TILE_H
#define FV_KERNEL_CHECK_TILE_H

#if SAMPLE == 8
#define SAMPLES_P fv_u8_p
#define LOAD(p, i) FV_LD_U8(p, i)
#define SAMPLES_PER_WORD 4
#else
#define SAMPLES_P fv_u16_p
#define LOAD(p, i) FV_LD_U16(p, i)
#define SAMPLES_PER_WORD 2
#endif
#define SAMPLE_MASK ((1u << SAMPLE) - 1u)
#define STEP (4 * SAMPLES_PER_WORD) /* samples in 16 bytes */

/* Side 0 is the distorted video, 1 the reference. */
FV_FN FvPlanes planes_of(FvPair_p pairs, fv_u32 side)
{
    FvPlanes planes = FV_AT(pairs, FV_GROUP_Z).dis;
    if (side != 0u)
        planes = FV_AT(pairs, FV_GROUP_Z).ref;
    return planes;
}

/* Returns the planes of the previous frame. Before the first frame of a clip, their stride is 0. */
FV_FN FvPlanes planes_before(FvPair_p pairs, fv_u32 side)
{
    FvPlanes planes = FV_AT(pairs, FV_GROUP_Z).prev_dis;
    if (side != 0u)
        planes = FV_AT(pairs, FV_GROUP_Z).prev_ref;
    return planes;
}

FV_FN fv_i32 sample_at(FvPlanes planes, fv_i32 plane, fv_i32 x, fv_i32 y)
{
    return fv_i32(LOAD(FV_OFFSET(SAMPLES_P, planes.data[plane], fv_u32(y) * planes.stride[plane]), x));
}

FV_FN fv_u32 distance(fv_i32 a, fv_i32 b)
{
    return fv_u32(a < b ? b - a : a - b);
}

#ifdef SUMS
/*
 * Number i of thread t is sums[i * THREADS + t]. After add_threads(), sums[i * THREADS] is the sum over all threads.
 */
FV_SHARED(fv_u64, sums, SUMS *THREADS);

FV_FN void add_threads()
{
    for (fv_i32 n = THREADS / 2; n > 0; n /= 2) {
        FV_BARRIER();
        if (fv_i32(FV_THREAD) < n) {
            FV_UNROLL
            for (fv_i32 i = 0; i < SUMS; i++)
                sums[i * THREADS + fv_i32(FV_THREAD)] += sums[i * THREADS + fv_i32(FV_THREAD) + n];
        }
    }
    FV_BARRIER();
}

/* Writes the sums, two words each, the lower one first. */
FV_FN void write_sums(fv_u32_p results, fv_u32 at)
{
    if (FV_THREAD < fv_u32(SUMS)) {
        fv_u64 sum = sums[FV_THREAD * fv_u32(THREADS)];
        FV_AT(results, at + 2u * FV_THREAD) = fv_u32(sum & 0xffffffffu);
        FV_AT(results, at + 2u * FV_THREAD + 1u) = fv_u32(sum >> 32u);
    }
}
#endif

#endif
