/* Tests the decision over several encodes: groups, hulls, dominated encodes and the pick, by a table of cases. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#define MOST 16

/* An encode of a case. rate: in kb/s, 0: unknown; quality: below -999 means NaN. */
typedef struct Row {
    const char *name;
    double rate, quality;
    bool fails, partial;
    const char *group;
} Row;

typedef struct Case {
    const char *what, *score;
    FvBetter better;
    int gates;
    double limit;
    Row rows[MOST];
    const char *ranks, *hulls, *dominated, *groups, *sentence, *reason;
    int below, more;
} Case;

#define HIGH FV_HIGHER_IS_BETTER
#define ROW(title, bits, ...)                                                                                        \
    {                                                                                                                \
        .name = (title), .rate = (bits), .quality = __VA_ARGS__                                                      \
    }

static const Case cases[] = {
    {"the cheapest that passes",
     "vmaf",
     HIGH,
     1,
     75,
     {ROW("c.mp4", 4000, 90), ROW("a.mp4", 1000, 60, .fails = true), ROW("b.mp4", 2000, 80)},
     "312",
     "111",
     "---",
     "H.264:3:0:2",
     "Ship b.mp4: 2.00 Mb/s, the cheapest that passes the gate. Good.",
     "VMAF, mean is 80.00 and must be at least 75. 2 of 3 pass.",
     1,
     -1},
    {"of equal rates the better one, of equal values the first",
     "vmaf",
     HIGH,
     2,
     75,
     {ROW("a.mp4", 1000, 80), ROW("b.mp4", 1000, 81), ROW("c.mp4", 1000, 81)},
     "312",
     "010",
     "1--",
     "H.264:3:0:1",
     "Ship b.mp4: 1.00 Mb/s, the cheapest that passes the gates. Good.",
     "VMAF, mean is 81.00 and must be at least 75. 3 of 3 pass.",
     -1,
     -1},
    {"a little more",
     "vmaf",
     HIGH,
     1,
     70,
     {ROW("a.mp4", 1000, 70), ROW("b.mp4", 1250, 71), ROW("c.mp4", 1200, 70.9), ROW("d.mp4", 1251, 99)},
     "1324",
     "1001",
     "----",
     "H.264:4:0:0",
     "Ship a.mp4: 1.00 Mb/s, the cheapest that passes the gate. Good.",
     NULL,
     -1,
     1},
    {"none passes",
     "vmaf",
     HIGH,
     1,
     75,
     {ROW("a.mp4", 1000, 60.5, .fails = true), ROW("b.mp4", 500, 50, .fails = true)},
     "21",
     "11",
     "--",
     "H.264:2:0:-1",
     "No encode passes. The best, a.mp4, has 60.50 and lacks 14.50.",
     "VMAF, mean must be at least 75.",
     -1,
     -1},
    {"lower is better",
     "butteraugli",
     FV_LOWER_IS_BETTER,
     1,
     1,
     {ROW("a.mp4", 1000, 1.5, .fails = true), ROW("b.mp4", 2000, 0.9), ROW("c.mp4", 3000, 0.95)},
     "123",
     "110",
     "--1",
     "H.264:3:0:1",
     "Ship b.mp4: 2.00 Mb/s, the cheapest that passes the gate. Good.",
     "Butteraugli, mean is 0.90 and must be at most 1. 2 of 3 pass.",
     0,
     -1},
    {"partial encodes and those without a rate are never picked",
     "vmaf",
     HIGH,
     1,
     75,
     {ROW("a.mp4", 1000, 80, .partial = true), ROW("b.mp4", 0, 90), ROW("c.mp4", 0, 95), ROW("d.mp4", 3000, 80)},
     "1432",
     "0001",
     "----",
     "H.264:4:0:3",
     "Ship d.mp4: 3.00 Mb/s, the cheapest that passes the gate. Good.",
     NULL,
     -1,
     -1},
    {"no rates",
     "vmaf",
     HIGH,
     1,
     75,
     {ROW("a.y4m", 0, 80), ROW("b.y4m", 0, 90)},
     "21",
     "00",
     "--",
     "H.264:2:0:-1",
     "Bit rates unknown: no pick.",
     NULL,
     -1,
     -1},
    {"none was scored",
     "vmaf",
     HIGH,
     0,
     0,
     {ROW("a.mp4", 0, -1000, .partial = true)},
     "1",
     "0",
     "-",
     "",
     "No encode was scored whole.",
     "",
     -1,
     -1},
    {"the last step that gains 6 a doubling",
     "vmaf",
     HIGH,
     0,
     0,
     {ROW("a.mp4", 1000, 60), ROW("b.mp4", 2000, 80), ROW("c.mp4", 4000, 86), ROW("d.mp4", 8000, 91.99)},
     "1234",
     "1111",
     "----",
     "H.264:4:0:-1",
     "Best value: c.mp4, 4.00 Mb/s. Good.",
     "Beyond it, twice the bits buy less than 6 points of VMAF.",
     -1,
     -1},
    {"no step gains enough",
     "psnr_y",
     HIGH,
     0,
     0,
     {ROW("a.mp4", 1000, 30), ROW("b.mp4", 2000, 31.79)},
     "12",
     "11",
     "--",
     "H.264:2:0:-1",
     "Best value: a.mp4, 1.00 Mb/s. Good.",
     "Beyond it, twice the bits buy less than 1.8 dB of PSNR, luma.",
     -1,
     -1},
    {"each step gains enough",
     "vmaf",
     HIGH,
     0,
     0,
     {ROW("a.mp4", 1000, 30), ROW("b.mp4", 2000, 36)},
     "12",
     "11",
     "--",
     "H.264:2:0:-1",
     "Best value: b.mp4, 2.00 Mb/s. Good.",
     "No encode is better, and the step to it still buys 6 points of VMAF or more for twice the bits.",
     -1,
     -1},
    {"a score without words",
     "psnr_hvs",
     HIGH,
     0,
     0,
     {ROW("a.mp4", 1000, 30), ROW("b.mp4", 2000, 36)},
     "12",
     "11",
     "--",
     "H.264:2:0:-1",
     "No pick: nothing says how much PSNR-HVS a bit is worth.",
     "",
     -1,
     -1},
    {"infinite values are on no hull",
     "psnr_y",
     HIGH,
     1,
     40,
     {ROW("a.mp4", 1000, 45), ROW("b.mp4", 2000, INFINITY)},
     "12",
     "10",
     "--",
     "H.264:2:0:0",
     "Ship a.mp4: 1.00 Mb/s, the cheapest that passes the gate. Good.",
     NULL,
     -1,
     -1},
    {"dominated in its group alone, by the best one",
     "vmaf",
     HIGH,
     1,
     10,
     {ROW("a.mp4", 1000, 50), ROW("b.mp4", 2000, 50), ROW("c.mp4", 3000, 49, .group = "other"),
      ROW("d.mp4", 2000, 60), ROW("e.mp4", 4000, 55)},
     "13425",
     "10110",
     "-3--3",
     "H.264:4:0:0 other:1:1:2",
     "Ship a.mp4: 1.00 Mb/s, the cheapest that passes the gate. Good.",
     NULL,
     -1,
     -1},
    {"patterns of three and more are groups; sizes and numbers do not count",
     "vmaf",
     HIGH,
     1,
     10,
     {ROW("x264_slow_720p_1.mp4", 100, 50), ROW("x264_slow_360p_22.mp4", 200, 51),
      ROW("x264_slow_1280x720_3.mkv", 300, 52), ROW("x264_fast_1.mp4", 400, 53), ROW("x264_fast_HD_2.mp4", 500, 54),
      ROW("dir/x264_fast_3.mp4", 600, 55), ROW("odd.mp4", 700, 56)},
     "1234567",
     NULL,
     "-------",
     "H.264 x264_slow:3:0:0 H.264 x264_fast:3:1:3 H.264, others:1:2:6",
     NULL,
     NULL,
     -1,
     -1},
    {"numbers at the end of words do not divide, and numbers that all have remain",
     "vmaf",
     HIGH,
     1,
     10,
     {ROW("x264_slow_crf30.mp4", 100, 50), ROW("x264_slow_crf25.mp4", 200, 51), ROW("x264_slow_crf20.mp4", 300, 52),
      ROW("x264_p6q30_9.mp4", 400, 53), ROW("x264_p6q20_9.mp4", 500, 54), ROW("x264_p6q9_9.mp4", 600, 55)},
     "123456",
     NULL,
     "------",
     "H.264 x264_slow_crf:3:0:0 H.264 x264_p6q:3:1:3",
     NULL,
     NULL,
     -1,
     -1},
    {"one pattern is no group of its own",
     "vmaf",
     HIGH,
     1,
     10,
     {ROW("a_1.mp4", 100, 50), ROW("a_2.mp4", 200, 51), ROW("a_3.mp4", 300, 52), ROW("b_1.mp4", 400, 53),
      ROW("b_2.mp4", 500, 54)},
     "12345",
     NULL,
     "-----",
     "H.264:5:0:0",
     NULL,
     NULL,
     -1,
     -1},
    {"four groups have marks",
     "vmaf",
     HIGH,
     1,
     10,
     {ROW("1", 100, 50, .group = "a"), ROW("2", 200, 51, .group = "b"), ROW("3", 300, 52, .group = "c"),
      ROW("4", 400, 53, .group = "d"), ROW("5", 500, 54, .group = "e"), ROW("6", 600, 55, .group = "e")},
     "123456",
     NULL,
     "------",
     "a:1:0:0 b:1:1:1 c:1:2:2 d:1:-1:3 e:2:3:4",
     NULL,
     NULL,
     -1,
     -1},
};

static void decide(FvLadder **ladder, const Case *it, int *count)
{
    FvLadderEncode encodes[MOST];
    const FvLadderParams params = {.meaning = fv_meaning(it->score),
                                   .better = it->better,
                                   .pool = "mean",
                                   .gates = it->gates,
                                   .limit = it->limit,
                                   .words = true};
    for (*count = 0; *count < MOST && it->rows[*count].name; ++*count) {
        const Row *row = &it->rows[*count];
        const double quality = row->quality < -999 ? NAN : row->quality;
        encodes[*count] = (FvLadderEncode){.name = row->name,
                                           .codec = "h264",
                                           .group = row->group,
                                           .sentence = "Good",
                                           .width = 16,
                                           .height = 16,
                                           .rate = row->rate > 0 ? 1000 * row->rate : NAN,
                                           .quality = quality,
                                           .mean = quality,
                                           .whole = !row->partial,
                                           .passes = it->gates && !row->fails};
    }
    assert_works(fv_ladder_open(ladder, encodes, *count, &params, error));
}

static void every_case(void **state)
{
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const Case *it = &cases[c];
        FvLadder *ladder;
        int count;
        char ranks[MOST + 1] = "", hulls[MOST + 1] = "", dominated[MOST + 1] = "", groups[256] = "";
        printf("# %s\n", it->what);
        decide(&ladder, it, &count);
        for (int i = 0; i < count; i++) {
            const FvLadderPlace *place = fv_ladder_place(ladder, i);
            ranks[i] = (char)('0' + place->rank);
            hulls[i] = place->on_hull ? '1' : '0';
            dominated[i] = place->dominated_by < 0 ? '-' : (char)('0' + place->dominated_by);
        }
        for (int g = 0; g < fv_ladder_groups(ladder); g++) {
            const FvLadderGroup *group = fv_ladder_group(ladder, g);
            const size_t used = strlen(groups);
            snprintf(groups + used, sizeof groups - used, "%s%s:%d:%d:%d", used ? " " : "", group->name, group->count,
                     group->mark, group->cheapest);
        }
        const FvLadderPick *pick = fv_ladder_pick(ladder);
        assert_string_equal(ranks, it->ranks);
        assert_string_equal(dominated, it->dominated);
        assert_string_equal(groups, it->groups);
        if (it->hulls)
            assert_string_equal(hulls, it->hulls);
        if (it->sentence)
            assert_string_equal(pick->sentence, it->sentence);
        if (it->reason)
            assert_string_equal(pick->reason, it->reason);
        assert_int_equal(pick->below, it->below);
        assert_int_equal(pick->more, it->more);
        assert_null(fv_ladder_place(ladder, count));
        assert_null(fv_ladder_group(ladder, fv_ladder_groups(ladder)));
        fv_ladder_close(&ladder);
        assert_null(ladder);
    }
}

/* A comparison of two groups equals fv_bd_open() over their hulls, for scores of both directions. */
static void groups_are_compared_by_their_hulls(void **state)
{
    static const Case up = {
        .score = "vmaf",
        .better = HIGH,
        .rows = {ROW("1", 100, 30, .group = "a"), ROW("2", 200, 50, .group = "a"), ROW("3", 400, 70, .group = "a"),
                 ROW("4", 800, 85, .group = "a"), ROW("5", 80, 30, .group = "b"), ROW("6", 160, 50, .group = "b"),
                 ROW("7", 320, 70, .group = "b"), ROW("8", 640, 85, .group = "b"), ROW("9", 640, 85, .group = "c")}};
    FvLadder *ladder;
    FvBdResult result, down;
    FvBdPoint points[2][4], *hull[2];
    FvBd *bd;
    int count, hull_count[2];
    decide(&ladder, &up, &count);
    assert_works(fv_ladder_bd(ladder, 0, 1, &result, error));
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < 4; i++)
            points[side][i] = (FvBdPoint){up.rows[4 * side + i].rate, up.rows[4 * side + i].quality, 0};
        assert_works(fv_bd_hull(points[side], 4, HIGH, &hull[side], &hull_count[side], error));
    }
    assert_works(fv_bd_open(&bd, hull[0], hull_count[0], hull[1], hull_count[1], &(FvBdParams){0}, error));
    assert_true(result.bd_rate == fv_bd_result(bd)->bd_rate && fabs(result.bd_rate + 20) < 1e-3);
    assert_true(result.bd_quality == fv_bd_result(bd)->bd_quality && result.bd_quality > 0);
    fv_bd_close(&bd);
    fv_bd_free_hull(&hull[0]);
    fv_bd_free_hull(&hull[1]);
    assert_works(fv_ladder_bd(ladder, 0, 2, &result, error));
    assert_int_equal(result.refusal, FV_BD_FEW_POINTS);
    assert_string_equal(result.reason, "too few encodes of c: 1 of 4");
    assert_fails(fv_ladder_bd(ladder, 0, 0, &result, error), FV_ERROR_USAGE, "two different groups");
    fv_ladder_close(&ladder);

    Case opposite = up;
    opposite.score = "butteraugli";
    opposite.better = FV_LOWER_IS_BETTER;
    for (int i = 0; i < count; i++)
        opposite.rows[i].quality = 100 - opposite.rows[i].quality;
    decide(&ladder, &up, &count);
    assert_works(fv_ladder_bd(ladder, 0, 1, &result, error));
    fv_ladder_close(&ladder);
    decide(&ladder, &opposite, &count);
    assert_works(fv_ladder_bd(ladder, 0, 1, &down, error));
    assert_true(fabs(down.bd_rate - result.bd_rate) < 1e-9 && fabs(down.bd_quality + result.bd_quality) < 1e-9);
    assert_true(down.from < down.to);
    fv_ladder_close(&ladder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_case),
                                       cmocka_unit_test(groups_are_compared_by_their_hulls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
