#include "doubt/findings.h"

#define CODE 256.0

FvVote fv_look_is_unrelated(const FvLook *look, double most)
{
    FvLook luma = *look;
    FvMoments m;
    luma.coloured = true; /* includes looks without chroma, because only luma is read here */
    fv_moments_add_up(&m, &luma, 1);
    const double a = fv_moments_variance(&m, 1), b = fv_moments_variance(&m, 4);
    const double c = fv_moments_covariance(&m, 1, 4);
    if (a < 144.0 * CODE * CODE || b < a / 4.0 || a < b / 4.0)
        return FV_VOTE_NONE;
    return c < 0.0 || c * c <= most * a * b     ? FV_VOTE_FOR
           : c * c <= FV_UNRELATED_MOST * a * b ? FV_VOTE_NONE
                                                : FV_VOTE_AGAINST;
}

static bool are_unrelated(const FvLook *looks, int count)
{
    int seen = 0, votes = 0;
    for (int k = 0; k < count; k++) {
        const FvVote vote = fv_look_is_unrelated(&looks[k], FV_UNRELATED_MOST);
        seen += vote != FV_VOTE_NONE;
        votes += vote == FV_VOTE_FOR;
    }
    return 4 * seen >= 3 * count && seen && votes == seen;
}

static int64_t lines_of(const FvLook *looks, int count, int axis)
{
    int votes[FV_LINES_SHIFT(FV_LINES_FARTHEST) + 1] = {0}, seen = 0;
    for (int k = 0; k < count; k++) {
        const int64_t fit = looks[k].lines[axis].fit;
        votes[fit]++;
        seen += fit >= FV_LINES_APART;
    }
    for (int fit = FV_LINES_FIELDS; fit <= FV_LINES_SHIFT(FV_LINES_FARTHEST); fit++)
        if (votes[fit] && 4 * votes[fit] >= 3 * seen)
            return fit;
    return FV_LINES_UNKNOWN;
}

static bool is_bar(int64_t lines, int64_t count)
{
    return lines >= FV_BAR_LEAST && 8 * lines <= 3 * count; /* black pictures are no bars */
}

bool fv_look_has_bar(const FvLook *look, int axis, int side, int end)
{
    const FvLookBar *bar = &look->lines[axis].bar[side][end];
    return bar->bright && is_bar(bar->lines, look->lines[axis].count);
}

static int64_t bar_of(const FvLook *looks, int count, int axis, int side, int end, int64_t *black)
{
    int64_t bar = INT64_MAX, lines = 0;
    int known = 0, near = 0;
    bool bright = true;
    for (int k = 0; k < count; k++) {
        const FvLookBar *seen = &looks[k].lines[axis].bar[side][end];
        if (!looks[k].lines[axis].count)
            continue;
        known++;
        lines = looks[k].lines[axis].count;
        bar = seen->lines < bar ? seen->lines : bar;
        bright &= seen->bright;
    }
    *black = known ? bar : 0;
    for (int k = 0; k < count; k++)
        near += looks[k].lines[axis].count && looks[k].lines[axis].bar[side][end].lines <= bar + 1;
    return known && bright && is_bar(bar, lines) && 4 * near >= 3 * known ? bar : 0;
}

void fv_findings_make(FvFindings *findings, const FvLook *looks, int count, bool shifted)
{
    *findings = (FvFindings){.lost = fv_colour_lost(looks, count, FV_LOST_LEAST)};
    if (!findings->lost)
        fv_colour_explain(&findings->colour, looks, count);
    for (int axis = 0; axis < FV_AXES; axis++) {
        findings->lines[axis] = lines_of(looks, count, axis);
        for (int i = 0; i < 4; i++) {
            const int64_t bar = bar_of(looks, count, axis, i / 2, i % 2, &findings->black[axis][i / 2][i % 2]);
            findings->bars[axis][i / 2][i % 2] = findings->colour.found.mistake ? 0 : bar;
        }
    }
    findings->unrelated = !findings->colour.found.mistake && !findings->lines[FV_AXIS_ROWS] &&
                          !findings->lines[FV_AXIS_COLUMNS] && !shifted && are_unrelated(looks, count);
}
