/*
 * The visual discrimination model on GPUs: arguments and constants of its kernels, sizes of their workgroups' areas.
 */
#ifndef FV_KERNEL_VDM_H
#define FV_KERNEL_VDM_H

/* Optics: the size in samples of a workgroup's area. */
#define FV_VDM_LIGHT_WIDTH 32
#define FV_VDM_LIGHT_HEIGHT 32

/* Pyramids and sums: a thread computes one sample of an area of this size. */
#define FV_VDM_AREA_WIDTH 32
#define FV_VDM_AREA_HEIGHT 8

/* Transient responses, and the map of an orientation: the side in samples of a workgroup's area. */
#define FV_VDM_RESPONSE_SIDE 16

/* Responses: the size in samples of the area of S_k that a workgroup computes. */
#define FV_VDM_SUM_WIDTH 28
#define FV_VDM_SUM_HEIGHT 44

/* The map: rows of a workgroup, which processes all columns of a segment. */
#define FV_VDM_MAP_ROWS 8

/*
 * Results, in words: the minimum (its bits inverted) and the maximum, the number of visible samples; the sums of each
 * segment of a row in limbs; bins.
 */
#define FV_VDM_RESULT_SUMS 4
#define FV_VDM_RESULT_LIMBS 8
#define FV_VDM_MAP_SEGMENT 8192
#define FV_VDM_RESULT_BINS 32768

FV_STRUCT(FvVdmConstants)
{
    fv_f32 half_n;
    fv_f32 half_difference;
    fv_f32 kappa;
    fv_f32 gain;
    fv_f32 q;
    fv_f32 inverse_q;
    fv_f32 psych_slope;
    fv_f32 transient_sens;
    fv_i32 square;
    fv_i32 pool;
    fv_i32 radius;
    fv_i32 greatest;   /* last code of the table */
    fv_f32 spread[15]; /* weight of class (a, b) at index a (a + 1) / 2 + b */
};
FV_POINTER(FvVdmConstants, FvVdmConstants_p);

FV_STRUCT(FvVdmArgs)
{
    FvPair_p pairs;
    FvVdmConstants_p constants;
    fv_f32_p table; /* table of luminances, or table of weights */
    fv_f32_p work;
    fv_u32_p results;
    fv_f32_p map; /* 0: the map is not requested */
    fv_u32 work_stride;
    fv_u32 result_stride;
    fv_u32 map_stride;
    fv_i32 width; /* width of the output */
    fv_i32 height;
    fv_i32 from_width; /* size of the input, if it differs from the output's */
    fv_i32 from_height;
    fv_i32 across; /* workgroups side by side in a frame */
    /* Indices of planes in work, in floats: of the reference and of the distorted frame. */
    fv_i32 gauss[2];
    fv_i32 coarse[2];
    fv_i32 mean[2];
    fv_i32 sum;
    fv_i32 coarse_sum; /* -1: there is no coarser level */
};

/* Arguments of kernels that compute each sample from one input sample. */
FV_STRUCT(FvVdmPointArgs)
{
    FvVdmConstants_p constants;
    fv_f32_p from;
    fv_f32_p to;
    fv_u32 from_stride; /* distance between pairs */
    fv_u32 to_stride;
    fv_i32 width;
    fv_i32 height;
};

/* Arguments for one pair, whose working memory is `work`. */
FV_STRUCT(FvVdmTimeArgs)
{
    fv_f32_p work;
    fv_f32_p lasting;
    fv_f32 slow; /* fractions of a step that the slow and the fast filter cover in one frame */
    fv_f32 fast;
    fv_i32 first; /* 1: the frame is the first of the clip */
    fv_i32 width;
    fv_i32 height;
    fv_i32 across;        /* workgroups side by side in a frame */
    fv_i32 lasting_plane; /* size of a persistent plane in floats */
    /* Indices of planes in work, in floats: the retina, the sustained and the transient frames. */
    fv_i32 retina[2];
    fv_i32 sustained[2];
    fv_i32 transient[2];
};

/* Arguments for resampling a frame to another size. */
FV_STRUCT(FvVdmResampleArgs)
{
    fv_i32_p first;   /* first input of each output, along rows and then along columns if both are done at once */
    fv_f32_p weights; /* `taps` weights for each output */
    fv_f32_p work;
    fv_u32 work_stride;
    fv_i32 width; /* width of the output */
    fv_i32 height;
    fv_i32 from_width;
    fv_i32 from_height;
    fv_i32 across; /* workgroups side by side in a frame */
    fv_i32 taps;
    fv_i32 from[2]; /* indices of planes in work, in floats */
    fv_i32 to[2];
};

#endif
