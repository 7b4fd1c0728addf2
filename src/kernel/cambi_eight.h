/*
 * Eight samples of a row, as the kernels of the pictures handle them: two in a word, the left one in its low half, the
 * flag of flat surroundings on top of each. With it the mode filter, and the notes of values that occur.
 */
#ifndef FV_KERNEL_CAMBI_EIGHT_H
#define FV_KERNEL_CAMBI_EIGHT_H

/* A thread makes eight columns and some rows; the includer says how many threads there are and rows of them all. */
#define FV_CAMBI_COLUMNS (FV_CAMBI_GROUP_WIDTH / 8)
#define FV_CAMBI_BAND (HEIGHT * FV_CAMBI_COLUMNS / THREADS)
#define FV_CAMBI_GROUP_CELLS (FV_CAMBI_GROUP_WIDTH / FV_CAMBI_CELL)
#define FV_CAMBI_NOTES (FV_CAMBI_GROUP_CELLS * (HEIGHT / FV_CAMBI_TILE) * FV_CAMBI_VALUES)
#define FV_CAMBI_FLAGS 0x80008000u

FV_STRUCT(FvCambiEight)
{
    fv_u32 word[4];
};

/* Eight samples; their neighbours are in the high half of `before` and in the low half of `after`. */
FV_STRUCT(FvCambiRow)
{
    FvCambiEight eight;
    fv_u32 before, after;
};

FV_SHARED(fv_u32, notes, FV_CAMBI_NOTES);

FV_FN FvCambiEight fv_cambi_unpack(fv_four four)
{
    FvCambiEight eight;
    eight.word[0] = four.x;
    eight.word[1] = four.y;
    eight.word[2] = four.z;
    eight.word[3] = four.w;
    return eight;
}

FV_FN fv_four fv_cambi_pack(FvCambiEight eight)
{
    fv_four four;
    four.x = eight.word[0];
    four.y = eight.word[1];
    four.z = eight.word[2];
    four.w = eight.word[3];
    return four;
}

/* Two of the three samples of fv_cambi_mode3, for both halves: the lesser one, the greater one, whether they are equal. */
FV_STRUCT(FvCambiPair)
{
    fv_u32 least, greatest, equal;
};

FV_FN FvCambiPair fv_cambi_pair(fv_u32 a, fv_u32 b)
{
    fv_u32 falling = fv_lanes_less(b, a);
    FvCambiPair pair;
    pair.least = (falling & b) | (~falling & a);
    pair.greatest = (falling & a) | (~falling & b);
    pair.equal = fv_lanes_equal(a, b);
    return pair;
}

/* fv_cambi_mode3 of a pair and c: unless the pair is equal, c where it equals the greater or is less than both. */
FV_FN fv_u32 fv_cambi_mode3_lanes(FvCambiPair pair, fv_u32 c)
{
    fv_u32 other = ~pair.equal & (fv_lanes_equal(c, pair.greatest) | fv_lanes_less(c, pair.least));
    return (other & c) | (~other & pair.least);
}

/* T of the mode filter. */
FV_FN FvCambiEight fv_cambi_across(FvCambiRow row)
{
    FvCambiEight across;
    fv_u32 left = (row.before >> 16) | (row.eight.word[0] << 16);
    FV_UNROLL
    for (fv_i32 i = 0; i < 4; i++) {
        fv_u32 right = (row.eight.word[i] >> 16) | ((i < 3 ? row.eight.word[(i + 1) % 4] : row.after) << 16);
        across.word[i] = fv_cambi_mode3_lanes(fv_cambi_pair(left, row.eight.word[i]), right);
        left = right;
    }
    return across;
}

/* Two filtered rows. */
FV_STRUCT(FvCambiTwo)
{
    FvCambiEight upper, lower;
};

/* Rows `upper` and `lower` between two others: both need the two of them, and one more. */
FV_FN FvCambiTwo fv_cambi_down(FvCambiEight above, FvCambiEight upper, FvCambiEight lower, FvCambiEight below)
{
    FvCambiTwo down;
    FV_UNROLL
    for (fv_i32 i = 0; i < 4; i++) {
        FvCambiPair pair = fv_cambi_pair(upper.word[i], lower.word[i]);
        down.upper.word[i] = fv_cambi_mode3_lanes(pair, above.word[i]);
        down.lower.word[i] = fv_cambi_mode3_lanes(pair, below.word[i]);
    }
    return down;
}

FV_FN void fv_cambi_clear_notes()
{
    for (fv_i32 i = fv_i32(FV_THREAD); i < FV_CAMBI_NOTES; i += THREADS)
        notes[i] = 0u;
}

/* The last two values that a thread noted, in both halves; FV_CAMBI_NOTHING, before there are any, is no value. */
#define FV_CAMBI_NOTHING 0x7fff7fffu
FV_STRUCT(FvCambiNoted)
{
    fv_u32 last, before;
};

/* The flags of samples that are neither of the two. */
FV_FN fv_u32 fv_cambi_fresh(fv_u32 word, FvCambiNoted noted)
{
    return word & (((word ^ noted.last) & 0x7fff7fffu) + 0x7fff7fffu) &
           (((word ^ noted.before) & 0x7fff7fffu) + 0x7fff7fffu) & FV_CAMBI_FLAGS;
}

/* Notes the flagged values from low to low + span of a row. */
FV_FN FvCambiNoted fv_cambi_note(FvCambiEight row, FvCambiNoted noted, fv_i32 place, fv_u32 low, fv_u32 span)
{
    fv_u32 fresh[4];
    FV_UNROLL
    for (fv_i32 i = 0; i < 4; i++)
        fresh[i] = fv_cambi_fresh(row.word[i], noted);
    while ((fresh[0] | fresh[1] | fresh[2] | fresh[3]) != 0u) {
        fv_u32 word = row.word[3], which = fresh[3];
        FV_UNROLL
        for (fv_i32 i = 0; i < 3; i++)
            if (fresh[i] != 0u) {
                word = row.word[i];
                which = fresh[i];
            }
        fv_u32 v = (which >= 0x80000000u ? word >> 16 : word) & 0x7fffu;
        if (v - low <= span)
            FV_ATOMIC_OR(notes[place + fv_i32(v >> 5)], 1u << (v & 31u));
        noted.before = noted.last;
        noted.last = v * 0x10001u;
        FV_UNROLL
        for (fv_i32 i = 0; i < 4; i++)
            fresh[i] &= fv_cambi_fresh(row.word[i], noted);
    }
    return noted;
}

/* The notes of the workgroup's cells, after a barrier. */
FV_FN void fv_cambi_keep_notes(FvCambiLevel level, fv_u32_p work)
{
    fv_u32_p values = FV_OFFSET(fv_u32_p, work, level.values);
    for (fv_i32 i = fv_i32(FV_THREAD); i < FV_CAMBI_NOTES; i += THREADS) {
        fv_i32 cell = i / FV_CAMBI_VALUES;
        fv_i32 x = fv_i32(FV_GROUP_X) * FV_CAMBI_GROUP_CELLS + cell % FV_CAMBI_GROUP_CELLS;
        fv_i32 y = fv_i32(FV_GROUP_Y) * (HEIGHT / FV_CAMBI_TILE) + cell / FV_CAMBI_GROUP_CELLS;
        if (x < level.cells && y < level.tiles)
            FV_AT(values, (y * level.cells + x) * FV_CAMBI_VALUES + i - cell * FV_CAMBI_VALUES) = notes[i];
    }
}

#endif
