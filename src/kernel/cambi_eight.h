/*
 * Eight samples of a row, as the kernels of the pictures handle them: two in a word, the left one in its low half, the
 * flag of flat surroundings on top of each. With it the mode filter, and the notes of values that occur.
 */
#ifndef FV_KERNEL_CAMBI_EIGHT_H
#define FV_KERNEL_CAMBI_EIGHT_H

/* A workgroup makes 128 by 64 samples; a thread eight columns and eight rows of them. */
#define FV_CAMBI_GROUP_THREADS 128
#define FV_CAMBI_COLUMNS (FV_CAMBI_GROUP_WIDTH / 8)
#define FV_CAMBI_BAND 8
#define FV_CAMBI_GROUP_CELLS (FV_CAMBI_GROUP_WIDTH / FV_CAMBI_CELL)
#define FV_CAMBI_NOTES (FV_CAMBI_GROUP_CELLS * (FV_CAMBI_GROUP_HEIGHT / FV_CAMBI_TILE) * FV_CAMBI_VALUES)
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

/* fv_cambi_mode3 of both halves: unless a and b are equal, c where it equals the greater or is less than both. */
FV_FN fv_u32 fv_cambi_mode3_lanes(fv_u32 a, fv_u32 b, fv_u32 c)
{
    fv_u32 falling = fv_lanes_less(b, a);
    fv_u32 least = (falling & b) | (~falling & a), greatest = (falling & a) | (~falling & b);
    fv_u32 other = ~fv_lanes_equal(a, b) & (fv_lanes_equal(c, greatest) | fv_lanes_less(c, least));
    return (other & c) | (~other & least);
}

/* T of the mode filter. */
FV_FN FvCambiEight fv_cambi_across(FvCambiRow row)
{
    FvCambiEight across;
    fv_u32 left = (row.before >> 16) | (row.eight.word[0] << 16);
    FV_UNROLL
    for (fv_i32 i = 0; i < 4; i++) {
        fv_u32 right = (row.eight.word[i] >> 16) | ((i < 3 ? row.eight.word[(i + 1) % 4] : row.after) << 16);
        across.word[i] = fv_cambi_mode3_lanes(left, row.eight.word[i], right);
        left = right;
    }
    return across;
}

FV_FN FvCambiEight fv_cambi_down(FvCambiEight above, FvCambiEight here, FvCambiEight below)
{
    FvCambiEight down;
    FV_UNROLL
    for (fv_i32 i = 0; i < 4; i++)
        down.word[i] = fv_cambi_mode3_lanes(above.word[i], here.word[i], below.word[i]);
    return down;
}

FV_FN void fv_cambi_clear_notes()
{
    for (fv_i32 i = fv_i32(FV_THREAD); i < FV_CAMBI_NOTES; i += FV_CAMBI_GROUP_THREADS)
        notes[i] = 0u;
}

/*
 * Notes the flagged values from low to low + span of a row, but not those that the row above or the sample to the left
 * has, which are in the same cell.
 */
FV_FN void fv_cambi_note_row(FvCambiEight row, FvCambiEight above, fv_i32 place, fv_u32 low, fv_u32 span)
{
    fv_u32 changed = 0u, flagged = 0u;
    FV_UNROLL
    for (fv_i32 i = 0; i < 4; i++) {
        changed |= row.word[i] ^ above.word[i];
        flagged |= row.word[i];
    }
    if (changed == 0u || (flagged & FV_CAMBI_FLAGS) == 0u)
        return;
    fv_u32 before = 0u, fresh = 0u; /* four even samples in the upper bits of the low half, odd ones in the high half */
    FV_UNROLL
    for (fv_i32 i = 0; i < 4; i++) {
        fv_u32 word = row.word[i], along = word ^ ((before >> 16) | (word << 16)), down = word ^ above.word[i];
        fresh |= (word & (((down & 0x7fff7fffu) + 0x7fff7fffu) | down) &
                  (((along & 0x7fff7fffu) + 0x7fff7fffu) | along) & FV_CAMBI_FLAGS) >> (3 - i);
        before = word;
    }
    while (fresh != 0u) {
        fv_i32 bit = 31 - fv_i32(fv_leading_zeros(fresh));
        fv_u32 low_word = (bit & 1) != 0 ? row.word[1] : row.word[0];
        fv_u32 high_word = (bit & 1) != 0 ? row.word[3] : row.word[2];
        fv_u32 word = (bit & 2) != 0 ? high_word : low_word, v = (bit >= 16 ? word >> 16 : word) & 0x7fffu;
        if (v - low <= span)
            FV_ATOMIC_OR(notes[place + fv_i32(v >> 5)], 1u << (v & 31u));
        fresh ^= 1u << bit;
    }
}

/* The notes of the workgroup's cells, after a barrier. */
FV_FN void fv_cambi_keep_notes(FvCambiLevel level, fv_u32_p work)
{
    fv_u32_p values = FV_OFFSET(fv_u32_p, work, level.values);
    for (fv_i32 i = fv_i32(FV_THREAD); i < FV_CAMBI_NOTES; i += FV_CAMBI_GROUP_THREADS) {
        fv_i32 cell = i / FV_CAMBI_VALUES;
        fv_i32 x = fv_i32(FV_GROUP_X) * FV_CAMBI_GROUP_CELLS + cell % FV_CAMBI_GROUP_CELLS;
        fv_i32 y = fv_i32(FV_GROUP_Y) * (FV_CAMBI_GROUP_HEIGHT / FV_CAMBI_TILE) + cell / FV_CAMBI_GROUP_CELLS;
        if (x < level.cells && y < level.tiles)
            FV_AT(values, (y * level.cells + x) * FV_CAMBI_VALUES + i - cell * FV_CAMBI_VALUES) = notes[i];
    }
}

#endif
