/* A strip of columns on its way through CAMBI's contrast stage. */
#ifndef FV_CPU_CAMBI_STRIP_H
#define FV_CPU_CAMBI_STRIP_H

#include <string.h>

#include "cpu/simd.h"

#include "arith/cambi.h"
#include "cpu/cambi_contrast.h"
#include "mem.h"

/* Counters are moved by 32 bytes at most: wider vectors would mostly hold what does not change. */
#if defined(__AVX512F__)
typedef fv_u16_half Counters;
#else
typedef fv_u16 Counters;
#endif
#define LANES16 (2 * FV_LANES)
#define STEP ((int)(sizeof(Counters) / sizeof(uint16_t)))

#define PITCH FV_CAMBI_COUNTERS /* of the counters of one value */
#define RADIUS (FV_CAMBI_WINDOW / 2)
#define SHORT 16 /* pixels of a run whose trapezoid is tabled */
#define TRAPEZOID (2 * RADIUS + SHORT + 3 * STEP)
#define ROW (FV_CAMBI_STRIP + 64) /* what is collected of one row: a vector may reach past the strip */
#define GROUP 32                  /* pixels whose reciprocals come from one place */
#define LOOK 8                    /* one row in so many finds out where */
#define MANY 12                   /* more edges than these among 64 pixels are listed by vectors */
#define AHEAD 4                   /* rows between prefetching and use */
#define FLUSH 4 /* rows whose c-values a lane adds up exactly: 4 * 1024 / 2 * 9 / 4 * 255^2 * 2^24 < 2^53 */
#define ABSENT (-1)
#define POINT_CONTRASTS 4 /* with which a strip can be done by points */
#define POINT_RADIUS 63   /* and at most this */
#define POINT (2 * POINT_RADIUS + 1 + 3 * LANES16)
#define PAIRS ((FV_CAMBI_LEVELS + 1) / 2 + POINT_CONTRASTS)
#define PAD (2 * FV_CAMBI_CONTRASTS) /* of value-indexed arrays, in front and behind */

/*
 * The runs of a row that can make a difference. Columns are counted from where the window of the strip's first column
 * begins; runs are cut where the strip begins and ends. What each visit of a run would work out again stands here.
 * Of points: where the counters of the column are, and where the change stands.
 */
typedef struct List {
    int inner, outer, count; /* runs [inner, outer) lie within the strip */
    uint32_t run[PITCH];     /* the column, and from bit 16 on the value, above the lowest one that counts */
    uint32_t at[PITCH];    /* the first vector of counters that the run changes, counted from the first of value 0 */
    uint32_t shape[PITCH]; /* where the change stands, for a short run, and from bit 16 on how many pixels it has */
} List;

/* Eight lanes: most runs are short, and vectors at any place cross cache lines the more often the wider they are. */
typedef uint16_t Eight __attribute__((vector_size(16)));

typedef struct Strip {
    uint16_t count[(FV_CAMBI_LEVELS + PAD) * PITCH + 32]; /* see counts_of; columns as in List, P earlier */
    uint16_t pair[PAIRS * PITCH + 2 * LANES16]; /* of points: [v / 2 + 2][column], v even and v + 1, a byte each */
    uint16_t ramp[2 * PITCH + 32];              /* [PITCH + i]: i + 1, at least 0, at most the window */
    uint16_t trapezoid[SHORT + 1][TRAPEZOID];   /* [n]: STEP zeros, what n pixels change, zeros */
    uint64_t packing[256];                      /* [bits]: the places of those set, a byte each; for eight lanes */
    uint32_t end[PITCH];                        /* the columns behind the runs of the list that is being made */
    uint16_t own[ROW]; /* N(v) of the pixels of a row that have a partner, else 0: collect_list */
    uint16_t both[FV_CAMBI_CONTRASTS][ROW];          /* N(v) + A(d); anything where own is 0 */
    Eight gate[16][4];                               /* all bits of [n][i] are set when bit i of n is */
    uint16_t point[2][POINT];                        /* [v % 2]: LANES16 zeros, what a point changes, zeros */
    uint32_t point_gate[FV_CAMBI_LEVELS];            /* [v]: a byte of ones for each contrast that is visible */
    uint32_t point_own[ROW], upper[ROW], lower[ROW]; /* what is collected of points */
    uint16_t bin[ROW];                               /* one more than the bins of c-values, 0 for c = 0 */
    int32_t last[FV_CAMBI_LEVELS]; /* the lowest row under way that has the value, ABSENT when none has */
    uint8_t present[FV_CAMBI_LEVELS + 2 * PAD];   /* [PAD + v]: one has */
    uint32_t visible[FV_CAMBI_LEVELS + 2 * PAD];  /* [PAD + v]: of FvCambiTables, at its lowest value that counts */
    uint32_t partners[FV_CAMBI_LEVELS + 2 * PAD]; /* [PAD + v], bit d - 1: v has a visible partner d codes away */
    uint8_t cleared[FV_CAMBI_LEVELS + PAD];       /* the row of counters has been set to 0 */
    uint8_t booked[FV_CAMBI_LEVELS];              /* all rows that v can meet have been */
    uint32_t tally[4][FV_CAMBI_BINS + 1];         /* how often each `bin` occurred, every fourth one in one of them */
    const FvCambiTables *tables;
    const FvCambiScale *scale;
    void *frame;
    int left, columns, radius;
    int begin, behind; /* columns that are in some window of the strip, and the one after them */
    int vectors;       /* that any trapezoid of SHORT touches */
    size_t room;       /* counters of a value that are in use, vectors included */
    int ring;          /* lists, and rows under way */
    int listed;        /* the list made last */
    uint32_t used;     /* contrasts that occur in the current row */
    bool points;       /* lists and counters are those of points */
    fv_u8 greatest;    /* counts of points so far, bytes */
    uint64_t fixed;    /* sum of c times 2^24 */
    int64_t nonzero;
    bool look;     /* in the last row that found out, many reciprocals could come from elsewhere than the table */
    int collected; /* of the current row: columns or pixels */
    int binned;
    fv_f64 sum, row_sum; /* of c, since the last flush and in the current row */
    fv_i32 zeros, row_zeros;
    int list_number[FV_CAMBI_WINDOW + 1]; /* of the rows under way, a row's at its number modulo `ring` */
    List list[];
} Strip;

static List *list_of(Strip *s, int y)
{
    return &s->list[s->list_number[y % s->ring]];
}

#endif
