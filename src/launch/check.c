/* Arguments and launches that features of one video share. */
#include <string.h>

#include "launch/check.h"
#include "os/memory.h"
#include "picture/colour.h"

FvCheckArgs fv_check_split(const FvFeatureInstance *run, int wide, int tall)
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

void fv_check_results(const FvFeatureInstance *run, FvGpuPlan *plan, size_t words)
{
    plan->result_bytes = (size_t)fv_check_sides(run) * words * sizeof(uint32_t);
}

void fv_check_clear(const FvGpuBatch *batch)
{
    fv_gpu_fill(batch, batch->results, (size_t)batch->count * batch->result_stride * 256, 0);
}

void fv_check_launch(const FvFeatureInstance *run, const FvGpuBatch *batch, const FvKernel *const kernels[2],
                     FvCheckArgs args, int groups, size_t words)
{
    args.pairs = batch->pairs;
    args.results = batch->results;
    args.result_stride = batch->result_stride;
    args.result_words = (uint32_t)words;
    fv_gpu_launch(batch, kernels[run->dis.depth > 8], &args, (uint32_t)groups, (uint32_t)fv_check_sides(run));
}

/* The tables of light follow the colours of both sides. The gains of HLG follow the light of 65536 values. */
enum { VALUES = 65536, GAINS = 4098, TABLE_WORDS = VALUES + GAINS };
#define TABLE_OFFSET FV_ROUND_UP(FV_CHECK_SIDES * sizeof(FvCheckVideo), 256)

FvCheckVideo fv_check_video(const FvFeatureInstance *run, int side, const FvCheckLight *light)
{
    FvCheckVideo video = {
        .colour = {light->low, light->middle, light->ay, light->rv, light->gu, light->gv, light->bu},
        .least = light->least,
        .most = light->most,
        .bottom = light->bottom,
        .top = light->top,
        .gain = light->gain ? VALUES : 0,
        .gamut = fv_check_format(run, side)->primaries == FV_H273_BT2020};
    memcpy(video.weight, light->weight, sizeof video.weight);
    return video;
}

size_t fv_check_constant_bytes(const FvFeatureInstance *run)
{
    return TABLE_OFFSET + (size_t)fv_check_sides(run) * TABLE_WORDS * sizeof(uint32_t);
}

void fv_check_constants(const FvFeatureInstance *run, const FvCheckLight *light, void *memory)
{
    uint32_t *table = (uint32_t *)((char *)memory + TABLE_OFFSET);
    for (int side = 0; side < fv_check_sides(run); side++, table += TABLE_WORDS) {
        ((FvCheckVideo *)memory)[side] = fv_check_video(run, side, &light[side]);
        memcpy(table, light[side].table, VALUES * sizeof *table);
        if (light[side].gain)
            memcpy(table + VALUES, light[side].gain, GAINS * sizeof *table);
    }
}

void fv_check_set_light(FvCheckArgs *args, const FvGpuBatch *batch)
{
    args->videos = batch->constants;
    args->table = batch->constants + TABLE_OFFSET;
    args->table_words = TABLE_WORDS;
}
