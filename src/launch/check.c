/* What launches of features of one video share. */
#include "launch/check.h"

FvCheckArgs fv_check_split(const FvRun *run, int wide, int tall)
{
    FvCheckArgs args = {.depth = run->dis.depth};
    for (int plane = 0; plane < 3; plane++) {
        args.first[plane] = args.groups;
        if (plane >= fv_format_planes(&run->dis) || !(run->planes >> plane & 1))
            continue;
        fv_format_plane_size(&run->dis, plane, &args.width[plane], &args.height[plane]);
        args.across[plane] = (args.width[plane] + wide - 1) / wide;
        args.groups += args.across[plane] * ((args.height[plane] + tall - 1) / tall);
    }
    return args;
}

void fv_check_launch(const FvRun *run, const FvGpuBatch *batch, const FvKernel *kernel, FvCheckArgs args, int groups,
                     size_t words)
{
    args.pairs = batch->pairs;
    args.table = batch->constants;
    args.results = batch->results;
    args.result_stride = batch->result_stride;
    args.result_words = (uint32_t)words;
    fv_gpu_launch(batch, kernel, &args, (uint32_t)groups, (uint32_t)((const FvCheckPlan *)run->state)->sides);
}
