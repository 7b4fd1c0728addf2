/* Sizes that the measures of one video have on every device. */
#ifndef FV_ARITH_CHECK_LAYOUT_H
#define FV_ARITH_CHECK_LAYOUT_H

#define FV_CHECK_BLOCK 16 /* columns and rows of a block */

/* The cells into which a frame is divided. */
#define FV_CHECK_COLUMNS 16
#define FV_CHECK_ROWS 9
#define FV_CHECK_CELLS (FV_CHECK_COLUMNS * FV_CHECK_ROWS)

/* Bins of numbers up to 30 bits: one for each number below 64, then 64 per octave. */
#define FV_CHECK_BINS 1600
/* The bin of m, an unsigned number; octave: the number of its highest bit, but at least 6. */
#define FV_CHECK_BIN(m, octave) (64u * ((octave)-6u) + ((m) >> ((octave)-6u)))

#endif
