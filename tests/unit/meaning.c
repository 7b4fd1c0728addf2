/* Tests the words for scores: every score has a meaning, grades are in order, and verdicts follow the grades. */
#include "unit.h"

#include <math.h>

static void test_every_score_is_named(void **state)
{
    for (int m = 0; m < fv_metric_count(); m++)
        for (int o = 0; o < fv_metric_info(m)->output_count; o++)
            if (!fv_meaning(fv_metric_info(m)->outputs[o].name))
                fail_msg("%s has no meaning", fv_metric_info(m)->outputs[o].name);
}

static void test_the_table(void **state)
{
    for (int i = 0; i < fv_meaning_count(); i++) {
        const FvMeaning *meaning = fv_meaning_at(i);
        assert_ptr_equal(fv_meaning(meaning->score), meaning); /* each score has one row */
        assert_true(*meaning->title && *meaning->text);
        assert_in_range(strlen(meaning->brief), 1, 16);
        assert_int_equal(meaning->grade_count > 0, meaning->grades != NULL);
        assert_int_equal(meaning->grade_count > 0, meaning->source != NULL);
        for (int g = 0; g < meaning->grade_count; g++) {
            assert_in_range(meaning->grades[g].level, 1, 5);
            assert_true(g ? meaning->grades[g].from > meaning->grades[g - 1].from : isinf(meaning->grades[g].from));
        }
    }
}

static FvSession *start(const char *metrics, int height)
{
    const FvFormat format = {
        .width = 256, .height = height, .chroma = FV_CHROMA_420, .depth = 8, .rate_num = 25, .rate_den = 1};
    FvSession *session;
    assert_works(fv_session_open(&session, &(FvSessionParams){.device = "cpu", .threads = 1}, error));
    assert_works(fv_session_add(session, metrics, error));
    assert_works(fv_session_start(session, &format, &format, error));
    return session;
}

static int find(const FvSession *session, const char *name)
{
    for (int i = 0; i < fv_session_outputs(session); i++)
        if (!strcmp(fv_session_output(session, i)->name, name))
            return i;
    fail_msg("no output %s", name);
    return -1;
}

static void expect(const FvSession *session, const char *output, double value, int level, const char *word)
{
    FvVerdict verdict;
    const bool says_nothing = !strcmp(word, "at most excellent") || !strcmp(word, "at least bad");
    assert_int_equal(fv_session_verdict(session, find(session, output), value, &verdict), level > 0 && !says_nothing);
    assert_int_equal(verdict.level, level);
    assert_string_equal(verdict.word, word);
}

static void test_verdicts(void **state)
{
    FvSession *session = start("psnr,vdm,cambi,ssimulacra2,psnr_hvs,vif", 256);
    expect(session, "psnr_y", 36.999, 4, "good");
    expect(session, "psnr_y", 37, 5, "excellent");
    expect(session, "psnr_y", -3, 1, "bad");
    expect(session, "psnr_y", INFINITY, 5, "excellent");
    expect(session, "psnr_y", NAN, 0, "");
    expect(session, "psnr_cb", 40, 0, "");
    expect(session, "vdm_mean", 0.5, 5, "not seen");
    expect(session, "vdm_mean", 9, 2, "clearly seen");
    expect(session, "cambi", 24, 1, "unwatchable");
    expect(session, "psnr_hvs", 40, 0, "");
    assert_int_equal(fv_session_headline(session), find(session, "ssimulacra2"));
    assert_int_equal(fv_session_display(session, find(session, "psnr_y")), FV_DISPLAY_FIRST);
    assert_int_equal(fv_session_display(session, find(session, "psnr_cb")), FV_DISPLAY_ASKED);
    assert_int_equal(fv_session_display(session, find(session, "psnr_hvs")), FV_DISPLAY_FIRST);
    assert_int_equal(fv_session_display(session, find(session, "psnr_hvs_y")), FV_DISPLAY_ASKED);
    assert_int_equal(fv_session_display(session, find(session, "integer_vif_scale0")), FV_DISPLAY_FIRST);
    assert_int_equal(fv_session_display(session, find(session, "integer_vif_scale1")), FV_DISPLAY_PART);
    fv_session_close(&session);
}

/*
 * The word is an upper bound for pictures below two thirds of the model's height, and a lower bound for pictures
 * above one and a half times that height.
 */
static void test_bounds(void **state)
{
    FvSession *session = start("vmaf=version=vmaf_v0.6.1:name=old", 719);
    expect(session, "old", 60, 3, "at most fair");
    expect(session, "old", 95, 5, "at most excellent");
    assert_int_equal(fv_session_headline(session), find(session, "old"));
    assert_string_equal(fv_session_meaning(session, find(session, "integer_adm2"))->score, "integer_adm2");
    assert_int_equal(fv_session_display(session, find(session, "integer_adm2")), FV_DISPLAY_PART);
    assert_int_equal(fv_session_grade_bound(session, find(session, "integer_adm2")), FV_GRADE_BOUND_NONE);
    fv_session_close(&session);
    session = start("vmaf=version=vmaf_v0.6.1", 720);
    expect(session, "vmaf", 60, 3, "fair");
    fv_session_close(&session);
    session = start("vmaf=version=vmaf_v0.6.1", 1622);
    expect(session, "vmaf", 60, 3, "at least fair");
    expect(session, "vmaf", 3, 1, "at least bad");
    fv_session_close(&session);
}

static void test_a_collection_and_suffixes(void **state)
{
    FvSession *session = start("vmaf=version=vmaf_b_v0.6.3:name=b,vmaf,psnr,psnr=reduced_hbd_peak=true", 1080);
    assert_string_equal(fv_session_meaning(session, find(session, "b_ci_p95_lo"))->score, "vmaf_ci_p95_lo");
    assert_string_equal(fv_session_meaning(session, find(session, "b_0007"))->score, "vmaf_0000");
    for (int i = 0; i < fv_session_outputs(session); i++)
        if (!fv_session_meaning(session, i))
            fail_msg("%s has no meaning", fv_session_output(session, i)->name);
    assert_string_equal(fv_session_meaning(session, find(session, "psnr_y_rpeak"))->score, "psnr_y");
    fv_session_close(&session);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_score_is_named),
        cmocka_unit_test(test_the_table),
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_a_collection_and_suffixes),
    };
    return cmocka_run_group_tests_name("meaning", tests, NULL, NULL);
}
