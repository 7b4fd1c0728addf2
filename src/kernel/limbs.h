/*
 * Exact sums of floats, for kernels that define LIMBS. A float becomes LIMBS integers of 30 bits; the unit of each is
 * 2^-30 of the previous one's. The sum of each limb has 64 bits.
 */
#ifndef FV_KERNEL_LIMBS_H
#define FV_KERNEL_LIMBS_H

#define PLACES 8 /* number of accumulators, to reduce atomic contention */

FV_SHARED(fv_u32, pieces, PLACES * 2 * LIMBS);

/* Adds t of all threads to sums[at] and on, two words per limb, the lower one first. All threads call it together. */
FV_FN void add_limbs(fv_u32_p sums, fv_u32 at, fv_f32 t)
{
    FV_BARRIER();
    if (FV_THREAD < fv_u32(PLACES * 2 * LIMBS))
        pieces[FV_THREAD] = 0u;
    FV_BARRIER();
    fv_u32 place = FV_THREAD % fv_u32(PLACES) * fv_u32(2 * LIMBS);
    FV_UNROLL
    for (fv_u32 limb = 0u; limb < fv_u32(LIMBS); limb++) {
        fv_i32 n = fv_i32_from_f32(t);
        t = (t - fv_light_to_f32(n)) * 1073741824.0f;
        FV_ATOMIC_ADD(pieces[place + 2u * limb], fv_u32(n) & 0xffffu);
        FV_ATOMIC_ADD(pieces[place + 2u * limb + 1u], fv_u32(n) >> 16);
    }
    FV_BARRIER();
    if (FV_THREAD < fv_u32(LIMBS)) {
        fv_u32 low = 0u, high = 0u;
        for (fv_u32 i = 0u; i < fv_u32(PLACES); i++) {
            low += pieces[fv_u32(2 * LIMBS) * i + 2u * FV_THREAD];
            high += pieces[fv_u32(2 * LIMBS) * i + 2u * FV_THREAD + 1u];
        }
        high += low >> 16;
        low = (low & 0xffffu) | (high << 16);
        fv_u32 before = FV_ATOMIC_ADD(FV_AT(sums, at + 2u * FV_THREAD), low);
        FV_ATOMIC_ADD(FV_AT(sums, at + 2u * FV_THREAD + 1u), (high >> 16) + (before + low < before ? 1u : 0u));
    }
}

#endif
