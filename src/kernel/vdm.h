/* The visual discrimination model on GPUs: arguments and constants of its kernels, areas of their workgroups. */
#ifndef FV_KERNEL_VDM_H
#define FV_KERNEL_VDM_H

/* Optics: the samples of a workgroup. */
#define FV_VDM_LIGHT_WIDTH 32
#define FV_VDM_LIGHT_HEIGHT 32

/* Pyramids and sums: a thread makes one sample of an area. */
#define FV_VDM_AREA_WIDTH 32
#define FV_VDM_AREA_HEIGHT 8

/* Transient responses, and the map of an orientation: the side of what a workgroup makes. */
#define FV_VDM_RESPONSE_SIDE 16

/* Responses: what a workgroup makes of S_k. */
#define FV_VDM_SUM_WIDTH 28
#define FV_VDM_SUM_HEIGHT 44

/* The map: rows of a workgroup, which takes all columns of a segment. */
#define FV_VDM_MAP_ROWS 8

/* Results, in words: least (its bits inverted) and greatest value, visible samples; sums of each segment of a row in
 * limbs; bins. */
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
    fv_i32 greatest;   /* code */
    fv_f32 spread[15]; /* class (a, b) at a (a + 1) / 2 + b */
};
FV_POINTER(FvVdmConstants, FvVdmConstants_p);

FV_STRUCT(FvVdmArgs)
{
    FvPair_p pairs;
    FvVdmConstants_p constants;
    fv_f32_p table; /* table of luminances, or of weights */
    fv_f32_p work;
    fv_u32_p results;
    fv_f32_p map; /* 0: not wanted */
    fv_u32 work_stride;
    fv_u32 result_stride;
    fv_u32 map_stride;
    fv_i32 width; /* width of the output */
    fv_i32 height;
    fv_i32 from_width; /* width of the input, if it differs */
    fv_i32 from_height;
    fv_i32 across; /* workgroups of one picture */
    /* Planes in work, in floats: of the reference and the distorted picture. */
    fv_i32 gauss[2];
    fv_i32 coarse[2];
    fv_i32 mean[2];
    fv_i32 sum;
    fv_i32 coarse_sum; /* -1: there is none */
};

/* One sample of each, in areas. */
FV_STRUCT(FvVdmPointArgs)
{
    FvVdmConstants_p constants;
    fv_f32_p from;
    fv_f32_p to;
    fv_u32 from_stride; /* from pair to pair */
    fv_u32 to_stride;
    fv_i32 width;
    fv_i32 height;
};

/* One pair: `work` is its own. */
FV_STRUCT(FvVdmTimeArgs)
{
    fv_f32_p work;
    fv_f32_p lasting;
    fv_f32 slow; /* shares of one frame */
    fv_f32 fast;
    fv_i32 first; /* 1: frame of all */
    fv_i32 width;
    fv_i32 height;
    fv_i32 across;        /* workgroups of one picture */
    fv_i32 lasting_plane; /* floats */
    /* Planes in work, in floats: the retina, what stays, what changes. */
    fv_i32 retina[2];
    fv_i32 sustained[2];
    fv_i32 transient[2];
};

/* From a picture to one of another size. */
FV_STRUCT(FvVdmResampleArgs)
{
    fv_i32_p first;   /* first input of each output, along rows and then along columns if both are done at once */
    fv_f32_p weights; /* `taps` of each */
    fv_f32_p work;
    fv_u32 work_stride;
    fv_i32 width; /* width of the output */
    fv_i32 height;
    fv_i32 from_width;
    fv_i32 from_height;
    fv_i32 across; /* workgroups of one picture */
    fv_i32 taps;
    fv_i32 from[2]; /* planes in work, in floats */
    fv_i32 to[2];
};

#endif
