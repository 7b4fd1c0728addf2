/* Positions outside of a plane. */
#ifndef FV_KERNEL_SPEED_MIRROR_H
#define FV_KERNEL_SPEED_MIRROR_H

/* Returns an index mirrored about the first or the last position, which is not repeated. */
FV_FN fv_i32 mirror(fv_i32 i, fv_i32 size)
{
    return i < 0 ? -i : i >= size ? 2 * size - 2 - i : i;
}

#endif
