/* The layout of coefficients that both ProRes kernels use. */

/* Returns log2 of the number of blocks of a component in a full slice. */
FV_FN fv_i32 component_log2(fv_i32 log2_slice, fv_i32 component, fv_i32 chroma_444)
{
    return log2_slice + (component > 0 && chroma_444 == 0 ? 1 : 2);
}

/* Returns the index of the first coefficient of a component of a slice. */
FV_FN fv_u32 string_start(fv_i32 log2_slice, fv_i32 slices, fv_i32 component, fv_i32 slice, fv_i32 chroma_444)
{
    fv_u32 luma = 64u << fv_u32(component_log2(log2_slice, 0, chroma_444));
    fv_u32 chroma = 64u << fv_u32(component_log2(log2_slice, 1, chroma_444));
    fv_u32 before = component == 0 ? 0u : fv_u32(slices) * (luma + fv_u32(component - 1) * chroma);
    return before + fv_u32(slice) * (component == 0 ? luma : chroma);
}
