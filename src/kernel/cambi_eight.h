/*
 * Eight samples of a row, as the kernels that compute scales process them: two samples per word, the left one in the
 * low half; the top bit of each half is the flag of flat surroundings. Also the mode filter, and the sets of values
 * that occur.
 */
#ifndef FV_KERNEL_CAMBI_EIGHT_H
#define FV_KERNEL_CAMBI_EIGHT_H

/*
 * A thread computes eight columns of several rows. The includer defines the number of THREADS and the HEIGHT of the
 * workgroup.
 */
#define FV_CAMBI_COLUMNS (FV_CAMBI_GROUP_WIDTH / 8)
#define FV_CAMBI_BAND (HEIGHT * FV_CAMBI_COLUMNS / THREADS)
#define FV_CAMBI_GROUP_CELLS (FV_CAMBI_GROUP_WIDTH / FV_CAMBI_CELL)
#define FV_CAMBI_NOTES (FV_CAMBI_GROUP_CELLS * (HEIGHT / FV_CAMBI_TILE) * FV_CAMBI_VALUES)
#define FV_CAMBI_FLAGS 0x80008000u

FV_STRUCT(FvCambiEight)
{
    fv_u32 word[4];
};

/* Eight samples; the left neighbour is in the high half of `before`, the right one in the low half of `after`. */
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

/*
 * The lesser and the greater of two samples for fv_cambi_mode3(), and whether they are equal, in both halves of
 * words.
 */
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

/*
 * Returns fv_cambi_mode3() of a pair and c: c if the pair differs and c either equals the greater sample or is less
 * than both; otherwise the lesser sample.
 */
FV_FN fv_u32 fv_cambi_mode3_lanes(FvCambiPair pair, fv_u32 c)
{
    fv_u32 other = ~pair.equal & (fv_lanes_equal(c, pair.greatest) | fv_lanes_less(c, pair.least));
    return (other & c) | (~other & pair.least);
}

/* Returns T of the mode filter (docs/metrics/cambi.md). */
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

/*
 * Filters the rows `upper` and `lower`, which lie between two other rows. Both results need upper and lower, and each
 * needs one more row.
 */
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

/* The last two values that a thread has added to the set, in both halves; FV_CAMBI_NOTHING: no value. */
#define FV_CAMBI_NOTHING 0x7fff7fffu
FV_STRUCT(FvCambiNoted)
{
    fv_u32 last, before;
};

/* Returns the flags set in the halves in which two words of samples differ. */
FV_FN fv_u32 fv_cambi_differ(fv_u32 a, fv_u32 b)
{
    return ((a ^ b) & 0x7fff7fffu) + 0x7fff7fffu;
}

/*
 * Adds the flagged values of a row to the set at `place`, except the thread's last two values and equal neighbours.
 */
FV_FN FvCambiNoted fv_cambi_note(FvCambiEight row, FvCambiNoted noted, fv_i32 place)
{
    fv_u32 other[4], any = 0u;
    FV_UNROLL
    for (fv_i32 i = 0; i < 4; i++) {
        other[i] =
            row.word[i] & fv_cambi_differ(row.word[i], noted.last) & fv_cambi_differ(row.word[i], noted.before);
        any |= other[i];
    }
    if ((any & FV_CAMBI_FLAGS) != 0u) {
        fv_u32 fresh = 0u, before = 0u; /* left neighbours; in `fresh`, four even samples are in the upper bits of the
                                           low half, odd ones in the high half */
        FV_UNROLL
        for (fv_i32 i = 0; i < 4; i++) {
            fv_u32 word = row.word[i], left = (before >> 16) | (word << 16);
            fresh |= (other[i] & (fv_cambi_differ(word, left) | ~left) & FV_CAMBI_FLAGS) >> (3 - i);
            before = word;
        }
        while (fresh != 0u) {
            fv_i32 bit = 31 - fv_i32(fv_leading_zeros(fresh));
            fv_u32 low = (bit & 1) != 0 ? row.word[1] : row.word[0],
                   high = (bit & 1) != 0 ? row.word[3] : row.word[2];
            fv_u32 word = (bit & 2) != 0 ? high : low, v = (bit >= 16 ? word >> 16 : word) & 0x7fffu;
            FV_ATOMIC_OR(notes[place + min(fv_i32(v >> 5), FV_CAMBI_VALUES - 1)], 1u << (v & 31u));
            noted.before = noted.last;
            noted.last = v * 0x10001u;
            fresh ^= 1u << bit;
        }
    }
    return noted;
}

/* Returns a mask of the first n of 32 bits. */
FV_FN fv_u32 fv_cambi_first_bits(fv_i32 n)
{
    return n <= 0 ? 0u : n >= 32 ? 0xffffffffu : (1u << n) - 1u;
}

/* Writes the sets of the workgroup's cells to memory, limited to values in [low, high]. Call it after a barrier. */
FV_FN void fv_cambi_keep_notes(FvCambiLevel level, fv_u32_p work, fv_i32 low, fv_i32 high)
{
    fv_u32_p values = FV_OFFSET(fv_u32_p, work, level.values);
    fv_i32 first = fv_i32(FV_THREAD) / FV_CAMBI_VALUES, word = fv_i32(FV_THREAD) - first * FV_CAMBI_VALUES;
    fv_i32 left = fv_i32(FV_GROUP_X) * FV_CAMBI_GROUP_CELLS, top = fv_i32(FV_GROUP_Y) * (HEIGHT / FV_CAMBI_TILE);
    fv_u32 wanted = fv_cambi_first_bits(high + 1 - 32 * word) & ~fv_cambi_first_bits(low - 32 * word);
    if (first < THREADS / FV_CAMBI_VALUES)
        for (fv_i32 cell = first; cell * FV_CAMBI_VALUES < FV_CAMBI_NOTES; cell += THREADS / FV_CAMBI_VALUES) {
            fv_i32 x = left + cell % FV_CAMBI_GROUP_CELLS, y = top + cell / FV_CAMBI_GROUP_CELLS;
            if (x < level.cells && y < level.tiles)
                FV_AT(values, (y * level.cells + x) * FV_CAMBI_VALUES + word) =
                    notes[cell * FV_CAMBI_VALUES + word] & wanted;
        }
}

#endif
