/* The luma samples that a sampled signature reads: docs/alignment.md */
#ifndef FV_ARITH_SIGNATURE_H
#define FV_ARITH_SIGNATURE_H

#define FV_SIGNATURE_COLUMNS 32
#define FV_SIGNATURE_ROWS 18
#define FV_SAMPLE_ROWS 4 /* rows of each block */

/* The first row or column of block `at` of `blocks` that share `size` of them. */
FV_FN fv_i32 fv_block_first(fv_i32 at, fv_i32 size, fv_i32 blocks)
{
    return at * size / blocks;
}

/* Returns whether all samples are read. They are in small frames, whose blocks have few samples. */
FV_FN bool fv_samples_all(fv_i32 width)
{
    return width < 8 * FV_SIGNATURE_COLUMNS;
}

/* The sampled rows or columns of a block: `count` of them, from `first` on, with the distance `step`. */
FV_STRUCT(FvSampled)
{
    fv_i32 first;
    fv_i32 count;
    fv_i32 step;
};

/* The sampled rows of block row `at`. */
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

/* The sampled columns of block column `at`: every second one, a multiple of four in number. */
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
