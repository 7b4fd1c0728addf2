/*
 * The state of a strip of columns in CAMBI's contrast stage. N(v) is the number of masked pixels of value v in the
 * window around a pixel, and A(d) the greater of N(v + d) and N(v - d), as in docs/metrics/cambi.md.
 */
#pragma once

#include <string.h>

#include "cpu/simd.h"

#include "arith/cambi.h"
#include "cpu/cambi_planes.h"
#include "os/memory.h"

/* Counters change in vectors of at most 32 bytes: wider ones would mostly hold counters that do not change. */
#if defined(__AVX512F__)
typedef fv_u16_half Counters;
#else
typedef fv_u16 Counters;
#endif
#define CAMBI_LANES16 (2 * FV_LANES)
#define CAMBI_STEP ((int)(sizeof(Counters) / sizeof(uint16_t)))

#define CAMBI_PITCH FV_CAMBI_COUNTERS /* distance between the counters of consecutive values, in counters */
#define CAMBI_RADIUS (FV_CAMBI_WINDOW / 2)
#define CAMBI_SHORT 16 /* maximum length in pixels of a run whose trapezoid is in a table */
#define CAMBI_TRAPEZOID (2 * CAMBI_RADIUS + CAMBI_SHORT + 3 * CAMBI_STEP)
#define CAMBI_ROW (FV_CAMBI_STRIP + 64) /* entries of one row of results: a vector may reach past the strip */
#define CAMBI_GROUP 32                  /* pixels that share one way of computing reciprocals */
#define CAMBI_LOOK 8                    /* every eighth row chooses how reciprocals are computed */
#define CAMBI_MANY 12                   /* words of 64 pixels with more edges than this are listed by vectors */
#define CAMBI_AHEAD 4                   /* rows between a prefetch and its use */
#define CAMBI_FLUSH 4     /* rows whose c-values a lane adds exactly: 4 * 1024 / 2 * 9 / 4 * 255^2 * 2^24 < 2^53 */
#define CAMBI_ABSENT (-1) /* no row in the window has the value */
#define CAMBI_POINT_CONTRASTS 4 /* maximum number of contrasts for which a strip may use points */
#define CAMBI_POINT_RADIUS 63   /* maximum radius of the window for which a strip may use points */
#define CAMBI_POINT (2 * CAMBI_POINT_RADIUS + 1 + 3 * CAMBI_LANES16)
#define CAMBI_PAIRS ((FV_CAMBI_LEVELS + 1) / 2 + CAMBI_POINT_CONTRASTS)
#define CAMBI_PAD (2 * FV_CAMBI_CONTRASTS) /* padding of arrays that are indexed by value, on each side */

/*
 * The runs of a row that can yield nonzero c-values. Column 0 is where the window of the strip's first column starts.
 * Runs are cut at the borders of the strip. `at` and `shape` store what each visit of a run would otherwise compute
 * again. For points, `at` is the column's counters and `shape` the position of the change.
 */
typedef struct List {
    int inner, outer, count;   /* runs [inner, outer) are inside the strip */
    uint32_t run[CAMBI_PITCH]; /* bits 0 to 15: column; from bit 16 on: value less the lowest visible value */
    /* The first vector of counters that the run changes, relative to value 0's first counter. */
    uint32_t at[CAMBI_PITCH];
    /* Bits 0 to 15: offset of the trapezoid, for a short run; from bit 16 on: the number of pixels. */
    uint32_t shape[CAMBI_PITCH];
} List;

/* Eight 16-bit lanes. Most runs are short, and wider vectors at arbitrary addresses cross cache lines more often. */
typedef uint16_t Eight __attribute__((vector_size(16)));

typedef struct Strip {
    /* Counters, cleared on first use. Columns are those of List. */
    uint16_t count[(FV_CAMBI_LEVELS + CAMBI_PAD) * CAMBI_PITCH + 32]; /* counts_of(): starts before column 0 */
    /* Counters of points: [v / 2 + 2][column], the bytes of v (even) and v + 1. */
    uint16_t pair[CAMBI_PAIRS * CAMBI_PITCH + 2 * CAMBI_LANES16];
    /* All members from here on are 0 at the start of a strip. */
    struct { /* the changes that runs make, and vector packing; constant for the strip */
        uint16_t ramp[2 * CAMBI_PITCH + 32]; /* [CAMBI_PITCH + i]: i + 1, limited to [0, window size] */
        /* [n]: CAMBI_STEP zeros, the change that n pixels make, zeros. */
        uint16_t trapezoid[CAMBI_SHORT + 1][CAMBI_TRAPEZOID];
        uint64_t packing[256]; /* [bits]: the positions of the set bits, a byte each, for eight lanes */
    } shape;
    uint32_t end[CAMBI_PITCH];   /* the columns after the runs of the list that is being made */
    struct {                     /* results of a row, if the strip uses runs */
        uint16_t own[CAMBI_ROW]; /* N(v) of the row's pixels that have a partner, else 0; see collect_list() */
        uint16_t both[FV_CAMBI_CONTRASTS][CAMBI_ROW]; /* N(v) + A(d); unspecified where own is 0 */
    } runs;
    Eight gate[16][4];                   /* [n][i]: all bits set if bit i of n is set */
    struct {                             /* state of points: the changes they make, and the results of a row */
        uint16_t change[2][CAMBI_POINT]; /* [v % 2]: CAMBI_LANES16 zeros, the change that a point makes, zeros */
        uint32_t gate[FV_CAMBI_LEVELS];  /* [v]: a byte of ones for each visible contrast */
        uint32_t own[CAMBI_ROW], upper[CAMBI_ROW], lower[CAMBI_ROW];
    } of_points;
    uint16_t bin[CAMBI_ROW];           /* bins of the row's c-values plus 1; 0 for c = 0 */
    struct {                           /* state per value, indexed from the lowest visible one */
        int32_t last[FV_CAMBI_LEVELS]; /* the lowest row in the window that has the value, or CAMBI_ABSENT */
        uint8_t present[FV_CAMBI_LEVELS + 2 * CAMBI_PAD];  /* [CAMBI_PAD + v]: a row in the window has v */
        uint32_t visible[FV_CAMBI_LEVELS + 2 * CAMBI_PAD]; /* [CAMBI_PAD + v]: `visible` of FvCambiTables */
        /* [CAMBI_PAD + v], bit d - 1: a value d codes away from v is present, and the contrast is visible. */
        uint32_t partners[FV_CAMBI_LEVELS + 2 * CAMBI_PAD];
        uint8_t cleared[FV_CAMBI_LEVELS + CAMBI_PAD]; /* 1: the counters of the value have been cleared */
        /* 1: the counters of all values up to D codes away from this one have been cleared. */
        uint8_t booked[FV_CAMBI_LEVELS];
    } value;
    /* Number of occurrences of each bin; four histograms take turns, for speed. */
    uint32_t tally[4][FV_CAMBI_BINS + 1];
    struct { /* the parameters, and constants derived from them */
        const FvCambiTables *tables;
        const FvCambiScale *scale;
        void *frame;
        int left, columns, radius;
        int begin, behind; /* the columns in some window of the strip: [begin, behind) */
        int vectors;       /* maximum number of vectors that the trapezoid of CAMBI_SHORT pixels touches */
        size_t room;       /* number of counters in use per value, with room for vectors */
        int ring;          /* number of lists, and of rows in the window */
    } job;
    int listed;     /* number of the last list that was made */
    uint32_t used;  /* contrasts that occur in the current row, one bit each */
    bool by_points; /* true: lists and counters hold points, not runs */
    fv_u8 greatest; /* maximum count of points so far in each byte lane */
    uint64_t fixed; /* sum of c-values times 2^24 */
    int64_t nonzero;
    fv_f64 sum; /* sum of c-values since the last flush */
    fv_i32 zeros;
    struct { /* the current row */
        fv_f64 sum;
        fv_i32 zeros;
        int collected; /* number of columns or pixels collected */
        int binned;
        bool look; /* the last check found many reciprocals that can be computed instead of read from the table */
    } row;
    int list_number[FV_CAMBI_WINDOW + 1]; /* list numbers of the rows in the window; row y is at y modulo `ring` */
    List list[];
} Strip;
