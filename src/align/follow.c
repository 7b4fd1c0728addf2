#include "align/follow.h"

#include <stdlib.h>
#include <string.h>

#include "align/even.h"
#include "base/error.h"
#include "os/memory.h"

#define NEAR 8       /* maximum distance, in frames, of the offsets that every pair is tried at */
#define FAR 60       /* replaces NEAR for pairs that fit at no offset within NEAR */
#define FARTHEST 120 /* largest offset that is followed */
#define RING 256     /* number of frames kept for each side: more than 2 FAR + FARTHEST */
#define LEAST_FITS 12
#define LEAST_CLEAR 5    /* replaces LEAST_FITS at the end of the videos */
#define LEAST_BLANK 3    /* minimum number of reference frames: encoders leave out single flashes */
#define LEAST_PICTURES 8 /* examined pairs (the first 8, then every 8th) that must show bars or a mirror image */

#define CODE 256            /* an 8-bit code in a signature */
#define BLACK (24 * CODE)   /* maximum mean of a black frame: limited-range black, and 8 codes of noise */
#define BRIGHT (48 * CODE)  /* minimum mean of a bright frame: not black in either range */
#define PICTURE (12 * CODE) /* minimum contrast of frames that certainly have more than one colour */
#define APART                                                                                                        \
    (FV_SIGNATURE * FV_EVEN_CONTRAST / 8) /* distance of frames that differ by an eighth of their contrast */

/* The evidence for another offset. */
typedef struct Claim {
    int64_t sum;   /* sum of the gains in distance since `first` */
    int64_t first; /* first pair at which this offset fits better */
    int fits, moves;
    int clear; /* number of fits that are four times as good */
} Claim;

/* A run of pairs of one kind. */
typedef struct Run {
    int64_t first, last;
    int count;    /* number of pairs that show the kind clearly */
    int32_t away; /* distance of the reference from its picture just before the run */
    bool black;   /* for a blank side: its colour is black */
    bool open;
} Run;

struct FvFollow {
    FvEven even[2][RING];
    int32_t last[2][FV_SIGNATURE];
    int64_t pairs, next; /* number of pairs added; number of the next pair to try */
    int offset, began;
    Claim claim[2 * FAR + 1];
    bool claims; /* claims have grown since all were dropped */
    int64_t fits;
    Run frozen, blank[2];
    FvEven begin;   /* last reference frame before the distorted video froze */
    int64_t looked; /* number of pairs examined for bars and mirrored pictures */
    int64_t dark[2][FV_EDGES], refuted[2][FV_EDGES];
    /* [mirror]: pairs whose pictures fit better when one is mirrored, and that fit better as they are. */
    int64_t mirrored[FV_MIRROR_BOTH + 1], straight[FV_MIRROR_BOTH + 1], differ;
    FvFollowEvent event[FV_FOLLOW_EVENTS];
    int kept, count;
};

FvStatus fv_follow_open(FvFollow **follow, int64_t offset, FvError *error)
{
    *follow = fv_alloc_zero(sizeof **follow);
    if (!*follow)
        return fv_fail_memory(error, sizeof **follow);
    (*follow)->offset = (*follow)->began = (int)offset;
    return FV_OK;
}

void fv_follow_close(FvFollow **follow)
{
    fv_free(*follow);
    *follow = NULL;
}

static void add_event(FvFollow *follow, FvFollowEvent event)
{
    follow->count++;
    if (follow->kept < FV_FOLLOW_EVENTS)
        follow->event[follow->kept++] = event;
}

/* ---- Black pictures and frozen ones ---------------------------------------------------------------------------- */

static void end_blank(FvFollow *follow, int side)
{
    Run *run = &follow->blank[side];
    if (run->open && run->last - run->first + 1 >= (side ? 1 : LEAST_BLANK))
        add_event(
            follow,
            (FvFollowEvent){
                .kind = FV_FOLLOW_BLANK, .side = side, .first = run->first, .last = run->last, .black = run->black});
    run->open = false;
}

static void look_for_blank(FvFollow *follow, const FvEven *const even[2], const int32_t mean[2])
{
    for (int side = 0; side < 2; side++) {
        Run *run = &follow->blank[side];
        const bool black = mean[side] <= BLACK;
        const bool blank = even[side]->flat && even[!side]->contrast >= PICTURE && (!black || mean[!side] >= BRIGHT);
        if (run->open && (!blank || run->black != black))
            end_blank(follow, side);
        if (!blank)
            continue;
        if (!run->open)
            *run = (Run){.first = follow->pairs, .black = black, .open = true};
        run->last = follow->pairs;
    }
}

static void end_frozen(FvFollow *follow)
{
    Run *run = &follow->frozen;
    if (run->open && run->count >= FV_FOLLOW_LEAST_STILL && run->away >= APART)
        add_event(follow,
                  (FvFollowEvent){.kind = FV_FOLLOW_FROZEN, .side = 1, .first = run->first, .last = run->last});
    run->open = false;
}

/*
 * Looks for a frozen distorted video, before the pair is counted. A pause of the reference neither proves nor ends a
 * freeze. `away` tells motion from noise, which changes every frame but does not move away from the first one, and
 * from slow scenes, in which coarse encoders freeze repeatedly.
 */
static void look_for_frozen(FvFollow *follow, const FvEven *const even[2], const int32_t step[2])
{
    Run *run = &follow->frozen;
    const FvEven *before = &follow->even[0][(follow->pairs + RING - 1) % RING];
    const bool moves = step[0] > 2 * FV_SIGNATURE_QUIET;
    const bool still = !even[1]->flat && step[1] <= FV_SIGNATURE_QUIET && 8 * step[1] <= step[0];
    if (!follow->pairs || (!still && (moves || step[1] > FV_SIGNATURE_QUIET))) {
        end_frozen(follow);
        return;
    }
    if (!moves || !still)
        return;
    if (!run->open) {
        *run = (Run){.first = follow->pairs, .open = true};
        follow->begin = *before;
    }
    run->last = follow->pairs;
    run->away = fv_even_distance(&follow->begin, even[0]);
    run->count++;
}

/* ---- Bars ------------------------------------------------------------------------------------------------------ */

typedef struct Edge {
    int dark, bright; /* number of dark and of bright blocks at the edge */
    int count;
} Edge;

static Edge look_at_edge(const int32_t signature[FV_SIGNATURE], int which)
{
    const bool row = which == FV_EDGE_TOP || which == FV_EDGE_BOTTOM;
    const int first = which == FV_EDGE_BOTTOM  ? FV_SIGNATURE - FV_SIGNATURE_COLUMNS
                      : which == FV_EDGE_RIGHT ? FV_SIGNATURE_COLUMNS - 1
                                               : 0;
    Edge edge = {.count = row ? FV_SIGNATURE_COLUMNS : FV_SIGNATURE_ROWS};
    for (int i = 0; i < edge.count; i++) {
        const int32_t block = signature[first + i * (row ? 1 : FV_SIGNATURE_COLUMNS)];
        edge.dark += block <= BLACK;
        edge.bright += block >= BRIGHT;
    }
    return edge;
}

static void look_for_bars(FvFollow *follow, const int32_t *const signature[2])
{
    for (int which = 0; which < FV_EDGES; which++) {
        Edge edge[2];
        for (int side = 0; side < 2; side++)
            edge[side] = look_at_edge(signature[side], which);
        for (int side = 0; side < 2; side++) {
            const bool dark = edge[side].dark == edge[side].count;
            follow->refuted[side][which] += !dark;
            follow->dark[side][which] += dark && 2 * edge[!side].bright >= edge[!side].count;
        }
    }
}

bool fv_follow_bar(const FvFollow *follow, int side, int edge)
{
    const int64_t least = follow->looked < LEAST_PICTURES ? follow->looked : LEAST_PICTURES;
    return follow->dark[side][edge] >= least && follow->dark[side][edge] && !follow->refuted[side][edge];
}

/* ---- Mirrored pictures ----------------------------------------------------------------------------------------- */

static void look_for_mirror(FvFollow *follow, const FvEven *const even[2])
{
    if (even[0]->flat || even[1]->flat)
        return;
    const int32_t apart = fv_even_distance(even[0], even[1]);
    follow->differ += apart > APART;
    for (int mirror = FV_MIRROR_SIDES; mirror <= FV_MIRROR_BOTH; mirror++) {
        int32_t sum = 0;
        for (int l = 0; l < FV_SIGNATURE_ROWS; l++) {
            const int from = mirror & FV_MIRROR_UPSIDE_DOWN ? FV_SIGNATURE_ROWS - 1 - l : l;
            const int16_t *ref = even[0]->block + (ptrdiff_t)l * FV_SIGNATURE_COLUMNS;
            const int16_t *dis = even[1]->block + (ptrdiff_t)from * FV_SIGNATURE_COLUMNS;
            for (int k = 0; k < FV_SIGNATURE_COLUMNS; k++)
                sum += abs(ref[k] - dis[mirror & FV_MIRROR_SIDES ? FV_SIGNATURE_COLUMNS - 1 - k : k]);
        }
        follow->mirrored[mirror] += apart > APART && 3 * (int64_t)sum < apart;
        follow->straight[mirror] += apart <= APART && 3 * (int64_t)apart < sum;
    }
}

FvMirror fv_follow_mirror(const FvFollow *follow)
{
    const int64_t least = follow->looked < LEAST_PICTURES ? follow->looked : LEAST_PICTURES;
    for (int mirror = FV_MIRROR_SIDES; mirror <= FV_MIRROR_BOTH; mirror++)
        if (follow->mirrored[mirror] && follow->mirrored[mirror] >= least &&
            4 * follow->mirrored[mirror] >= 3 * (follow->differ + follow->straight[mirror]))
            return (FvMirror)mirror;
    return FV_MIRROR_NONE;
}

/* ---- Offsets --------------------------------------------------------------------------------------------------- */

static const FvEven *even_at(const FvFollow *follow, int side, int64_t number)
{
    const bool kept = number >= 0 && number < follow->pairs && number >= follow->pairs - RING;
    return kept ? &follow->even[side][number % RING] : NULL;
}

static void drop_claims(FvFollow *follow, int64_t next)
{
    for (int i = 0; i <= 2 * FAR; i++)
        follow->claim[i] = (Claim){.first = next};
}

/*
 * Returns the first of the still frames, at most `most`, that end at frame `first`: a shift that falls behind begins
 * there.
 */
static int64_t first_repeat(const FvFollow *follow, int side, int64_t first, int most)
{
    for (int i = 0; i < most; i++) {
        const FvEven *frame = even_at(follow, side, first - 1);
        if (!frame || first <= 1 || frame->step > frame->quiet)
            break;
        first--;
    }
    return first;
}

static bool moves(const FvEven *frame)
{
    return frame && !frame->flat && frame->step > frame->quiet;
}

/* Weighs the offset `follow->offset` + e, at distance `other`, against the followed offset, at distance `own`. */
static void weigh(FvFollow *follow, int e, int64_t number, int32_t own, int32_t other, int32_t quiet, bool moving,
                  bool least)
{
    Claim *claim = &follow->claim[e + FAR];
    const int32_t gain = own - other;
    if (!claim->sum)
        *claim = (Claim){.first = number};
    claim->sum += gain;
    claim->moves += moving;
    claim->fits += moving && least && gain > quiet && 2 * (int64_t)other < own;
    claim->clear += moving && least && gain > quiet && 4 * (int64_t)other < own;
    if (claim->sum <= 0 || (moving && -gain > quiet && 2 * (int64_t)own < other))
        *claim = (Claim){.first = number + 1};
}

/*
 * Follows another offset if there is enough evidence for it. At the end of the videos few pairs suffice, if all
 * moving ones fit clearly except the last, which lacks a neighbour to compare with.
 */
static void judge(FvFollow *follow, int64_t number, bool ends)
{
    int best = 0;
    for (int e = -FAR; e <= FAR; e++) {
        const Claim *claim = &follow->claim[e + FAR];
        const bool made = ends ? claim->clear >= LEAST_CLEAR && claim->clear + 1 >= claim->moves
                               : claim->fits >= LEAST_FITS && 2 * claim->fits >= claim->moves;
        if (e && made && (!best || claim->sum > follow->claim[best + FAR].sum))
            best = e;
    }
    if (!best || abs(follow->offset + best) > FARTHEST)
        return;
    int64_t first = follow->claim[best + FAR].first;
    if (best < 0)
        first = first_repeat(follow, 1, first, -best);
    follow->offset += best;
    add_event(follow, (FvFollowEvent){.kind = FV_FOLLOW_SHIFT, .first = first, .offset = follow->offset});
    drop_claims(follow, number + 1);
}

#define UNKNOWN INT32_MAX

/* Distances of a distorted frame from the reference frames at offset + e, e from -FAR to FAR. */
typedef struct Trial {
    const FvEven *other[2 * FAR + 1];
    int32_t apart[2 * FAR + 1];
} Trial;

/* Tries the offsets that are `from` to `to` away. Returns the least distance. */
static int32_t try_others(const FvFollow *follow, Trial *trial, int64_t number, const FvEven *dis, int from, int to)
{
    int32_t least = UNKNOWN;
    for (int e = -to; e <= to; e++) {
        const FvEven *other = even_at(follow, 0, number + follow->offset + e);
        if (abs(e) < from || !other || other->flat)
            continue;
        trial->other[e + FAR] = other;
        trial->apart[e + FAR] = fv_even_distance(other, dis);
        least = trial->apart[e + FAR] < least ? trial->apart[e + FAR] : least;
    }
    return least;
}

/*
 * Weighs all offsets of a trial. A frame is evidence for an offset only if it fits better there than at both
 * neighbouring offsets, whose distances must be known.
 */
static void weigh_all(FvFollow *follow, const Trial *trial, int64_t number, const FvEven *dis, int32_t own)
{
    for (int i = 0; i <= 2 * FAR; i++) {
        const int32_t apart = trial->apart[i];
        const FvEven *other = trial->other[i];
        if (!other || i == FAR)
            continue;
        const bool moving =
            moves(dis) && moves(other) && dis->step / 4 <= other->step && other->step / 4 <= dis->step;
        const bool least = i && i < 2 * FAR && trial->apart[i - 1] < UNKNOWN && trial->apart[i + 1] < UNKNOWN &&
                           apart <= trial->apart[i - 1] && apart <= trial->apart[i + 1];
        weigh(follow, i - FAR, number, own, apart, dis->quiet, moving, least);
    }
}

/*
 * Returns whether the followed reference frame, at distance `own`, is clearly closer than the one `e` frames further.
 */
static bool beats(const FvFollow *follow, int64_t number, const FvEven *dis, int32_t own, int e)
{
    const FvEven *other = even_at(follow, 0, number + follow->offset + e);
    if (!other || other->flat)
        return false;
    const int32_t apart = fv_even_distance(other, dis);
    return 4 * (int64_t)own < 3 * (int64_t)apart && apart - own > dis->quiet;
}

/*
 * Tries a pair. If it fits and its neighbours do not, all claims end. If no near offset fits, farther ones are tried.
 */
static void try_pair(FvFollow *follow, int64_t number)
{
    const FvEven *dis = even_at(follow, 1, number), *ref = even_at(follow, 0, number + follow->offset);
    if (!dis || !ref || dis->flat)
        return;
    const int32_t own = fv_even_distance(ref, dis);
    if (moves(dis) && moves(ref) && beats(follow, number, dis, own, -1) && beats(follow, number, dis, own, 1)) {
        follow->fits += follow->offset == follow->began;
        if (follow->claims)
            drop_claims(follow, number + 1);
        follow->claims = false;
        return;
    }
    if (own <= dis->quiet)
        return;
    follow->claims = true;
    Trial trial = {.other = {NULL}};
    for (int i = 0; i <= 2 * FAR; i++)
        trial.apart[i] = UNKNOWN;
    trial.apart[FAR] = own;
    if (2 * (int64_t)try_others(follow, &trial, number, dis, 1, NEAR) >= own && own > APART)
        try_others(follow, &trial, number, dis, NEAR + 1, FAR);
    weigh_all(follow, &trial, number, dis, own);
    judge(follow, number, false);
}

void fv_follow_add(FvFollow *follow, const int32_t reference[FV_SIGNATURE], const int32_t distorted[FV_SIGNATURE])
{
    const int32_t *signature[2] = {reference, distorted};
    const FvEven *now[2];
    int32_t mean[2], step[2];
    for (int side = 0; side < 2; side++) {
        FvEven *even = &follow->even[side][follow->pairs % RING];
        mean[side] = fv_even_mean(signature[side]);
        step[side] = follow->pairs ? fv_signature_distance(signature[side], follow->last[side]) : 0;
        fv_even_make(even, signature[side], mean[side], step[side]);
        now[side] = even;
    }
    look_for_blank(follow, now, mean);
    look_for_frozen(follow, now, step);
    if (follow->pairs < LEAST_PICTURES || follow->pairs % LEAST_PICTURES == 0) {
        follow->looked++;
        look_for_bars(follow, signature);
        look_for_mirror(follow, now);
    }
    for (int side = 0; side < 2; side++)
        memcpy(follow->last[side], signature[side], sizeof follow->last[side]);
    follow->pairs++;
    const int ahead = follow->offset > 0 ? follow->offset : 0;
    while (follow->next + ahead + FAR < follow->pairs)
        try_pair(follow, follow->next++);
}

static int compare_events(const void *a, const void *b)
{
    const FvFollowEvent *x = a, *y = b;
    return x->first != y->first ? (x->first > y->first) - (x->first < y->first)
           : x->kind != y->kind ? (int)x->kind - (int)y->kind
                                : x->side - y->side;
}

void fv_follow_end(FvFollow *follow)
{
    while (follow->next < follow->pairs)
        try_pair(follow, follow->next++);
    judge(follow, follow->pairs - 1, true);
    for (int side = 0; side < 2; side++)
        end_blank(follow, side);
    end_frozen(follow);
    qsort(follow->event, (size_t)follow->kept, sizeof *follow->event, compare_events);
}

const FvFollowEvent *fv_follow_events(const FvFollow *follow, int *kept, int *count)
{
    *kept = follow->kept;
    *count = follow->count;
    return follow->event;
}

int64_t fv_follow_fits(const FvFollow *follow)
{
    return follow->fits;
}
