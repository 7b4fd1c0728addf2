/* Arguments of the SpEED kernels. */
#ifndef FV_KERNEL_SPEED_H
#define FV_KERNEL_SPEED_H

/* Constants of a run. Offsets are in floats. */
FV_STRUCT(FvSpeedConstants)
{
    fv_i32 width, height; /* size of the input planes */
    fv_i32 scaled_width, scaled_height;
    fv_i32 columns, rows; /* size of the operating plane */
    fv_i32 across, blocks;
    fv_i32 window_width, samples; /* columns of a sliding block's positions, and number of its positions */
    fv_i32 taps, local_taps;
    fv_i32 first_plane, temporal, use_ref_diff;
    fv_i32 level;                      /* the value that is subtracted from samples */
    fv_f32 scale;                      /* scale of a code value if samples are resized */
    fv_i32 resize_taps, resize_divide; /* taps 0: no resizing */
    /* Taps of resizing: offsets in words after this struct. */
    fv_i32 across_index, across_weight, down_index, down_weight;
    fv_i32 weight_mode;
    fv_f32 sigma, base;
    fv_i32 side_step;                                                /* distance between sides in `work` */
    fv_i32 low, mean, covariance, diagonal, q, r, variance, entropy; /* offsets in a side's memory */
    fv_i32 singular; /* offset of two flags: singular by its eigenvalues, and by its pivots */
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
    fv_f32_p planes;    /* operating planes before the local mean is subtracted, one per side */
    fv_u32_p results;   /* for each plane: the score, and whether a side is singular */
    fv_u32 work_stride; /* distance between pairs, in units of 256 bytes */
    fv_u32 planes_stride;
    fv_u32 results_stride;
};

#endif
