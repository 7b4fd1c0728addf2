/* The luma samples from which a sampled signature is computed. docs/alignment.md */
#ifndef FV_ARITH_SIGNATURE_H
#define FV_ARITH_SIGNATURE_H

/* A signature has 32 x 18 blocks of luma. */
#define FV_SIGNATURE_COLUMNS 32
#define FV_SIGNATURE_ROWS 18
#define FV_SAMPLE_ROWS 4 /* rows of each block */

/* Returns the first row or column of block `at`, where `blocks` blocks share `size` rows or columns. */
FV_FN fv_i32 fv_block_first(fv_i32 at, fv_i32 size, fv_i32 blocks)
{
    return at * size / blocks;
}

/* Returns whether the signature of frames of this width uses all samples. Blocks of small frames have few samples. */
FV_FN bool fv_samples_all(fv_i32 width)
{
    return width < 8 * FV_SIGNATURE_COLUMNS;
}

/* The sampled rows or columns of a block: `count` of them, every `step`-th one from `first` on. */
FV_STRUCT(FvSampled)
{
    fv_i32 first;
    fv_i32 count;
    fv_i32 step;
};

/* Returns the sampled rows of block row `at`. */
FV_FN FvSampled fv_sampled_rows(fv_i32 at, fv_i32 width, fv_i32 height)
{
    fv_i32 first = fv_block_first(at, height, FV_SIGNATURE_ROWS);
    fv_i32 rows = fv_block_first(at + 1, height, FV_SIGNATURE_ROWS) - first;
    FvSampled sampled;
    sampled.count = fv_samples_all(width) || rows < FV_SAMPLE_ROWS ? rows : FV_SAMPLE_ROWS;
    sampled.step = rows / sampled.count;
    sampled.first = first + sampled.step / 2;
    return sampled;
}

/* Returns the sampled columns of block column `at`: every second one. Their number is a multiple of four. */
FV_FN FvSampled fv_sampled_columns(fv_i32 at, fv_i32 width)
{
    fv_i32 first = fv_block_first(at, width, FV_SIGNATURE_COLUMNS);
    fv_i32 end = fv_block_first(at + 1, width, FV_SIGNATURE_COLUMNS);
    bool all = fv_samples_all(width);
    FvSampled sampled;
    sampled.step = all ? 1 : 2;
    sampled.first = all ? first : (first + 1) / 2 * 2;
    sampled.count = all ? end - first : ((end + 1) / 2 - sampled.first / 2) & ~3;
    return sampled;
}

#endif
