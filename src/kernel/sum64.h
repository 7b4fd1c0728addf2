/* Sums of 64 bits as two words in a buffer, the lower one first; any threads may add to them. */
#ifndef FV_KERNEL_SUM64_H
#define FV_KERNEL_SUM64_H

FV_FN void add_to_sum(fv_u32_p sums, fv_u32 at, fv_u32 number)
{
    fv_u32 before = FV_ATOMIC_ADD(FV_AT(sums, at), number);
    FV_ATOMIC_ADD(FV_AT(sums, at + 1u), before + number < before ? 1u : 0u);
}

#endif
