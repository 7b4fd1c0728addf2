/* Arguments of the SpEED kernels. */
#ifndef FV_KERNEL_SPEED_H
#define FV_KERNEL_SPEED_H

/* Fixed for a run. Offsets count floats. */
FV_STRUCT(FvSpeedConstants)
{
    fv_i32 width, height; /* size of the planes that are read */
    fv_i32 scaled_width, scaled_height;
    fv_i32 columns, rows; /* operating plane */
    fv_i32 across, blocks;
    fv_i32 window_width, samples; /* columns and number of positions of a sliding block */
    fv_i32 taps, local_taps;
    fv_i32 first_plane, temporal, use_ref_diff;
    fv_i32 level;                                                /* subtracted from samples */
    fv_f32 scale;                                                /* scale of a code value, if samples are resized */
    fv_i32 resize_taps, resize_divide;                           /* taps 0: not resized */
    fv_i32 across_index, across_weight, down_index, down_weight; /* resize taps, in words behind this struct */
    fv_i32 weight_mode;
    fv_f32 sigma, base;
    fv_i32 side_step;                                                /* from side to side in work */
    fv_i32 low, mean, covariance, diagonal, q, r, variance, entropy; /* in a side */
    fv_i32 singular; /* singular by its eigenvalues; after it, by its pivots */
    fv_f32 tap[35];
    fv_f32 down_tap[35];
    fv_f32 local_tap[9];
};
FV_POINTER(FvSpeedConstants, FvSpeedConstants_p);

FV_STRUCT(FvSpeedArgs)
{
    FvPair_p pairs;
    FvSpeedConstants_p constants;
    fv_f32_p work;
    fv_f32_p planes;    /* operating planes without local mean, one for each side */
    fv_u32_p results;   /* score and whether a side is singular, for each plane */
    fv_u32 work_stride; /* from pair to pair, in units of 256 bytes */
    fv_u32 planes_stride;
    fv_u32 results_stride;
};

#endif
