/* SSIMULACRA 2: writes the results computed from the light of a sample. */
#ifndef FV_KERNEL_SSIMULACRA2_LIGHT_H
#define FV_KERNEL_SSIMULACRA2_LIGHT_H

/* Writes X, Y and B of a sample, or only the needed ones. */
FV_FN void put_channels(fv_f32_p work, fv_i32 plane, fv_i32 planes, fv_i32 at, fv_u32 wanted, FvLightColour light)
{
    fv_f32 l = fv_ss2_long(light.r, light.g, light.b), m = fv_ss2_middle(light.r, light.g, light.b);
    if ((wanted & 0x3fu) != 0u)
        FV_AT(work, plane + at) = FV_SS2_X(l, m);
    if ((wanted & 0xfc0u) != 0u)
        FV_AT(work, plane + planes + at) = FV_SS2_Y(l, m);
    if ((wanted & 0x3f000u) != 0u)
        FV_AT(work, plane + 2 * planes + at) = FV_SS2_B(l, m, fv_ss2_short(light.r, light.g, light.b));
}

#endif
