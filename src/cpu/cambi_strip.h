/* A strip of columns on its way through CAMBI's contrast stage. */
#pragma once

#include <string.h>

#include "cpu/simd.h"

#include "arith/cambi.h"
#include "cpu/cambi_planes.h"
#include "os/memory.h"

/* Counters are moved by 32 bytes at most: wider vectors would mostly hold what does not change. */
#if defined(__AVX512F__)
typedef fv_u16_half Counters;
#else
typedef fv_u16 Counters;
#endif
#define CAMBI_LANES16 (2 * FV_LANES)
#define CAMBI_STEP ((int)(sizeof(Counters) / sizeof(uint16_t)))

#define CAMBI_PITCH FV_CAMBI_COUNTERS /* distance of the counters of consecutive values */
#define CAMBI_RADIUS (FV_CAMBI_WINDOW / 2)
#define CAMBI_SHORT 16 /* pixels of a run whose trapezoid is tabled */
#define CAMBI_TRAPEZOID (2 * CAMBI_RADIUS + CAMBI_SHORT + 3 * CAMBI_STEP)
#define CAMBI_ROW (FV_CAMBI_STRIP + 64) /* results of one row: a vector may reach past the strip */
#define CAMBI_GROUP 32                  /* pixels whose reciprocals come from one place */
#define CAMBI_LOOK 8                    /* one row in so many finds out where */
#define CAMBI_MANY 12                   /* more edges than these among 64 pixels are listed by vectors */
#define CAMBI_AHEAD 4                   /* rows between prefetching and use */
#define CAMBI_FLUSH 4 /* rows whose c-values a lane adds up exactly: 4 * 1024 / 2 * 9 / 4 * 255^2 * 2^24 < 2^53 */
#define CAMBI_ABSENT (-1)
#define CAMBI_POINT_CONTRASTS 4 /* maximum number of contrasts with which a strip can use points */
#define CAMBI_POINT_RADIUS 63   /* and at most this */
#define CAMBI_POINT (2 * CAMBI_POINT_RADIUS + 1 + 3 * CAMBI_LANES16)
#define CAMBI_PAIRS ((FV_CAMBI_LEVELS + 1) / 2 + CAMBI_POINT_CONTRASTS)
#define CAMBI_PAD (2 * FV_CAMBI_CONTRASTS) /* padding of value-indexed arrays, before and after */

/*
 * The runs of a row that can make a difference. Columns are counted from where the window of the strip's first column
 * begins; runs are cut where the strip begins and ends. What each visit of a run would work out again stands here.
 * Of points: where the counters of the column are, and where the change stands.
 */
typedef struct List {
    int inner, outer, count;   /* runs [inner, outer) lie within the strip */
    uint32_t run[CAMBI_PITCH]; /* the column, and from bit 16 on the value, above the lowest one that counts */
    /* The first vector of counters that the run changes, counted from the first of value 0. */
    uint32_t at[CAMBI_PITCH];
    /* Where the change stands, for a short run, and from bit 16 on how many pixels it has. */
    uint32_t shape[CAMBI_PITCH];
} List;

/* Eight lanes: most runs are short, and vectors at any place cross cache lines the more often the wider they are. */
typedef uint16_t Eight __attribute__((vector_size(16)));

typedef struct Strip {
    /* Counters, which are set to 0 where they are used. Columns as in List. */
    uint16_t count[(FV_CAMBI_LEVELS + CAMBI_PAD) * CAMBI_PITCH + 32]; /* see counts_of; P columns earlier */
    /* Counters of points: [v / 2 + 2][column], v even and v + 1, a byte each. */
    uint16_t pair[CAMBI_PAIRS * CAMBI_PITCH + 2 * CAMBI_LANES16];
    /* From here on all is 0 at the start of a strip. */
    struct { /* what runs change, and how vectors are packed: the same for the whole strip */
        uint16_t ramp[2 * CAMBI_PITCH + 32]; /* [CAMBI_PITCH + i]: i + 1, at least 0, at most the window */
        uint16_t trapezoid[CAMBI_SHORT + 1][CAMBI_TRAPEZOID]; /* [n]: CAMBI_STEP zeros, what n pixels change, zeros */
        uint64_t packing[256]; /* [bits]: the places of those set, a byte each; for eight lanes */
    } shape;
    uint32_t end[CAMBI_PITCH];   /* the columns behind the runs of the list that is being made */
    struct {                     /* results of a row by runs */
        uint16_t own[CAMBI_ROW]; /* N(v) of the pixels of a row that have a partner, else 0: collect_list */
        uint16_t both[FV_CAMBI_CONTRASTS][CAMBI_ROW]; /* N(v) + A(d); anything where own is 0 */
    } runs;
    Eight gate[16][4];                   /* all bits of [n][i] are set when bit i of n is */
    struct {                             /* state of points: their changes, and the results of a row */
        uint16_t change[2][CAMBI_POINT]; /* [v % 2]: CAMBI_LANES16 zeros, what a point changes, zeros */
        uint32_t gate[FV_CAMBI_LEVELS];  /* [v]: a byte of ones for each contrast that is visible */
        uint32_t own[CAMBI_ROW], upper[CAMBI_ROW], lower[CAMBI_ROW];
    } of_points;
    uint16_t bin[CAMBI_ROW];           /* bins of the row: one more than the bins of c-values, 0 for c = 0 */
    struct {                           /* state by value, above the lowest one that is used */
        int32_t last[FV_CAMBI_LEVELS]; /* the lowest row under way that has the value, CAMBI_ABSENT when none has */
        uint8_t present[FV_CAMBI_LEVELS + 2 * CAMBI_PAD];  /* [CAMBI_PAD + v]: one has */
        uint32_t visible[FV_CAMBI_LEVELS + 2 * CAMBI_PAD]; /* [CAMBI_PAD + v]: of FvCambiTables */
        /* [CAMBI_PAD + v], bit d - 1: v has a visible partner d codes away. */
        uint32_t partners[FV_CAMBI_LEVELS + 2 * CAMBI_PAD];
        uint8_t cleared[FV_CAMBI_LEVELS + CAMBI_PAD]; /* the row of counters has been set to 0 */
        uint8_t booked[FV_CAMBI_LEVELS];              /* all rows that v can meet have been */
    } value;
    uint32_t tally[4][FV_CAMBI_BINS + 1]; /* how often each `bin` occurred, every fourth one in one of them */
    struct {                              /* the parameters, and values that follow from them */
        const FvCambiTables *tables;
        const FvCambiScale *scale;
        void *frame;
        int left, columns, radius;
        int begin, behind; /* columns that are in some window of the strip, and the one after them */
        int vectors;       /* maximum number of vectors that a trapezoid of CAMBI_SHORT touches */
        size_t room;       /* counters of a value that are in use, vectors included */
        int ring;          /* lists, and rows under way */
    } job;
    int listed;     /* the list made last */
    uint32_t used;  /* contrasts that occur in the current row */
    bool by_points; /* lists and counters are those of points */
    fv_u8 greatest; /* counts of points so far, bytes */
    uint64_t fixed; /* sum of c times 2^24 */
    int64_t nonzero;
    fv_f64 sum; /* sum of c since the last flush */
    fv_i32 zeros;
    struct { /* the current one */
        fv_f64 sum;
        fv_i32 zeros;
        int collected; /* columns or pixels */
        int binned;
        bool look; /* in the last row that found out, many reciprocals could come from elsewhere than the table */
    } row;
    int list_number[FV_CAMBI_WINDOW + 1]; /* list numbers of the rows in work, each at its row number modulo `ring` */
    List list[];
} Strip;
