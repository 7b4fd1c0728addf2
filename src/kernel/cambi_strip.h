/* A workgroup's part of a level in the contrast kernel: a strip of columns and a segment of rows, by FV_GROUP_X. */
#ifndef FV_KERNEL_CAMBI_STRIP_H
#define FV_KERNEL_CAMBI_STRIP_H

FV_STRUCT(Strip)
{
    fv_i32 group;               /* number of the workgroup in the level */
    fv_i32 left;                /* first column */
    fv_i32 first_x, last_x;     /* first and last column of all windows; the frame may end earlier */
    fv_i32 top, bottom;         /* rows [top, bottom) */
    fv_i32 first_row, last_row; /* first and last row of all windows */
};

/* Returns how many values a workgroup with this number of words for counters can count at once. */
FV_FN fv_i32 slots_of(FvCambiLevel level, fv_i32 words)
{
    return min(FV_CAMBI_ROOM(words, level.pitch), FV_CAMBI_SLOTS);
}

FV_FN fv_i32 level_of_group(FvCambiLevel_p levels)
{
    fv_i32 number = 0;
    for (fv_i32 i = 1; i < 5; i++)
        if (fv_i32(FV_GROUP_X) >= FV_AT(levels, i).first_group)
            number = i;
    return number;
}

FV_FN Strip strip_of_group(FvCambiLevel level, fv_i32 radius)
{
    Strip strip;
    strip.group = fv_i32(FV_GROUP_X) - level.first_group;
    fv_i32 segment = strip.group / level.strips;
    strip.left = (strip.group - segment * level.strips) * level.strip;
    strip.first_x = strip.left - radius;
    strip.last_x = strip.left + level.strip - 1 + radius;
    strip.top = segment * level.rows;
    strip.bottom = min(strip.top + level.rows, level.height);
    strip.first_row = max(strip.top - radius, 0);
    strip.last_row = min(strip.bottom - 1 + radius, level.height - 1);
    return strip;
}

#endif
