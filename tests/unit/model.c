/* Tests VMAF models: refused files, built-in models, and the exponential function. */
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "arith/scalar.h"

#include "arith/exp.h"
#include "model/model.h"

#define REGRESSION "svm_type nu_svr\\nkernel_type rbf\\ngamma 0.04\\nnr_class 2\\ntotal_sv 2\\nrho -1.3\\nSV\\n"
#define VECTORS "4 1:0.5 2:0.25 \\n-4 2:1 \\n"
#define PLAIN                                                                                                        \
    "{\"model_dict\":{\"model_type\":\"LIBSVMNUSVR\",\"norm_type\":\"linear_rescale\","                              \
    "\"feature_names\":[\"first\",\"second\"],\"feature_opts_dicts\":[{\"a\":3.0,\"b\":true,\"c\":\"x\"}],"          \
    "\"slopes\":[0.01,2,0.5],\"intercepts\":[-0.3,-1.5,0],\"score_clip\":[0,100.0],"                                 \
    "\"score_transform\":{\"p0\":5,\"p1\":0.9,\"p2\":null},\"model\":\"" REGRESSION VECTORS "\"}}"

static FvStatus read_text(FvModel **model, const char *text, FvError *error)
{
    return fv_model_read(model, "my.json", text, strlen(text), "hash", error);
}

/* Checks that PLAIN, with the first `from` replaced by `to`, is refused with these words. */
static void assert_refused(const char *from, const char *to, const char *words)
{
    char text[4096];
    const char *at = strstr(PLAIN, from);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - PLAIN), PLAIN, to, at + strlen(from));
    FvModel *model;
    assert_fails(read_text(&model, text, error), FV_ERROR_INPUT, words);
    assert_null(model);
}

static void plain(void **state)
{
    FvModel *model;
    assert_works(read_text(&model, PLAIN, error));
    assert_string_equal(model->sha256, "hash");
    assert_int_equal(model->feature_count, 2);
    assert_int_equal(model->vector_count, 2);
    const FvModelOption *option = model->feature[0].options;
    assert_string_equal(option[0].value, "3");
    assert_string_equal(option[1].value, "true");
    assert_string_equal(option[2].value, "x");
    assert_null(option[3].name);
    assert_null(model->feature[1].options[0].name);
    double scratch[16], score, features[] = {1, 2};
    fv_model_predict(model, (FvModelFlags){.disable_clip = true}, features, scratch, &score);
    double y = 4 * fv_exp(-0.04 * 0.5625) - 4 * fv_exp(-0.04 * 0.25) + 1.3;
    assert_true(score == (y + 0.3) / 0.01);
    fv_model_predict(model, (FvModelFlags){.enable_transform = true}, features, scratch, &score);
    assert_true(score == 100);
    fv_model_free(&model);
}

static void refused(void **state)
{
    assert_refused("{", "[", "my.json: line 1");
    assert_refused("\"model_dict\"", "\"0\"", "neither model_dict nor a collection");
    assert_refused("LIBSVMNUSVR", "RESIDUE", "model_type");
    assert_refused("linear_rescale", "other", "norm_type");
    assert_refused("\"norm_type\"", "\"x\"", "norm_type");
    assert_refused("\"norm_type\"", "\"conversion_target\":1,\"norm_type\"",
                   "model_dict has the member 'conversion_target'");
    assert_refused("\"score_transform\":{", "\"score_transform\":{\"p3\":1,", "score_transform has the member 'p3'");
    assert_refused("[\"first\",\"second\"]", "[]", "feature_names");
    assert_refused("\"first\"", "1", "feature_names");
    assert_refused("3.0", "[3]", "feature_opts_dicts: a");
    assert_refused("[{\"a\"", "[{},{},{\"a\"", "feature_opts_dicts");
    assert_refused("[0.01,2,0.5]", "[0.01,2]", "slopes is not a list of 3 numbers");
    assert_refused("[0.01", "[0", "slopes contains 0");
    assert_refused("\"intercepts\"", "\"x\"", "intercepts");
    assert_refused("-1.5", "1e999", "a number is too large");
    assert_refused("[0,100.0]", "[100,0]", "score_clip");
    assert_refused("0.9", "\"0.9\"", "p1 is not a finite number");
    assert_refused("\"p2\":null", "\"knots\":[[1,2]]", "knots");
    assert_refused("\"p2\":null", "\"knots\":[[1,2],[1,3]]", "knots must rise");
    assert_refused("\"p2\":null", "\"knots\":[[1,2],[2]]", "knots has a point");
    assert_refused("\"p2\":null", "\"out_lte_in\":\"yes\"", "out_lte_in");
    assert_refused("nu_svr", "c_svc", "'svm_type c_svc'");
    assert_refused("gamma 0.04", "gamma -1", "'gamma -1'");
    assert_refused("gamma 0.04\\n", "", "gamma, rho and total_sv");
    assert_refused("nr_class", "degree", "'degree 2'");
    assert_refused("total_sv 2", "total_sv 3", "has 2 support vectors, but total_sv says 3");
    assert_refused("total_sv 2", "total_sv 1", "more support vectors than total_sv");
    assert_refused("total_sv 2", "total_sv 1000000000", "total_sv 1000000000");
    assert_refused("1:0.5 2:0.25", "2:0.25 1:0.5", "support vector 1");
    assert_refused("2:1", "3:1", "support vector 2");
    assert_refused("2:1", "2:nan", "support vector 2");
    assert_refused("\"model\":", "\"model\":7,\"x\":", "model is not the text");
    assert_refused("\"slopes\"", "\"norm_type\"", "duplicate");
}

static void collections(void **state)
{
#define MEMBER(type, features, text)                                                                                 \
    "{\"model_dict\":{\"model_type\":\"" type "\",\"norm_type\":\"none\",\"feature_names\":" features                \
    ",\"model\":\"" text "\"}}"
#define SMALL "gamma 1 total_sv 1 rho 0 SV\\n1 1:1\\n"
#define GOOD MEMBER("BOOTSTRAP_LIBSVMNUSVR", "[\"a\"]", SMALL)
    FvModel *model;
    assert_works(read_text(&model, "{\"1\":" GOOD ",\"more\":1,\"0\":" GOOD "}", error));
    assert_int_equal(model->member_count, 2);
    assert_int_equal(fv_model_values(model), 6);
    assert_true(model->alike);
    fv_model_free(&model);
    assert_fails(read_text(&model, "{\"0\":" GOOD "}", error), FV_ERROR_INPUT, "collection of 2 to");
    assert_fails(read_text(&model, "{\"0\":" GOOD ",\"2\":" GOOD "}", error), FV_ERROR_INPUT,
                 "2 members, but none with the key 1");
    assert_fails(read_text(&model, "{\"0\":" GOOD ",\"1\":" MEMBER("LIBSVMNUSVR", "[\"a\"]", SMALL) "}", error),
                 FV_ERROR_INPUT, "1.model_type is for a plain model");
    assert_fails(read_text(&model,
                           "{\"0\":" GOOD ",\"1\":" GOOD
                           ",\"2\":" MEMBER("RESIDUEBOOTSTRAP_LIBSVMNUSVR", "[\"a\"]", SMALL) "}",
                           error),
                 FV_ERROR_INPUT, "2.model_type differs");
    assert_fails(
        read_text(&model, "{\"0\":" GOOD ",\"1\":" MEMBER("BOOTSTRAP_LIBSVMNUSVR", "[\"b\"]", SMALL) "}", error),
        FV_ERROR_INPUT, "1.feature_names");
    assert_fails(read_text(&model, "{\"0\":" GOOD ",\"1\":7}", error), FV_ERROR_INPUT, "1.model_dict");
    assert_fails(read_text(&model, "{\"0\":" GOOD ",\"0\":" GOOD "}", error), FV_ERROR_INPUT, "duplicate");
}

/* Built-in models predict what the models of the files predict. */
static void built_in(void **state)
{
    const char *folder = *state;
    int seen = 0;
    for (int i = 0; fv_model_at(i); i++) {
        const FvModel *want = fv_model_at(i);
        assert_ptr_equal(fv_model_find(want->name), want);
        char path[1024];
        snprintf(path, sizeof path, "%s/%s.json", folder, want->name);
        FILE *file = fopen(path, "r");
        if (!file)
            continue;
        static char text[1 << 20];
        size_t size = fread(text, 1, sizeof text, file);
        fclose(file);
        FvModel *got;
        assert_works(fv_model_read(&got, path, text, size, want->sha256, error));
        assert_int_equal(got->alike, want->alike);
        assert_int_equal(got->vector_count, want->vector_count);
        for (int f = 0; f < want->feature_count; f++) {
            assert_string_equal(got->feature[f].name, want->feature[f].name);
            for (const FvModelOption *a = want->feature[f].options, *b = got->feature[f].options; a->name || b->name;
                 a++, b++) {
                assert_string_equal(a->name, b->name);
                assert_string_equal(a->value, b->value);
            }
        }
        double scratch[2][1024], values[2][32], features[8];
        srand(1);
        for (int n = 0; n < 200; n++) {
            FvModelFlags flags = {n & 1, n & 2};
            for (int f = 0; f < want->feature_count; f++)
                features[f] = n % 5 ? 2. * rand() / RAND_MAX : 0;
            fv_model_predict(want, flags, features, scratch[0], values[0]);
            fv_model_predict(got, flags, features, scratch[1], values[1]);
            assert_memory_equal(values[0], values[1], (size_t)fv_model_values(want) * sizeof(double));
        }
        fv_model_free(&got);
        seen++;
    }
    if (!seen)
        LEAVE_OUT("there are no model files");
    assert_int_equal(seen, 13);
}

static void exponential(void **state)
{
    double worst = 0;
    srand(2);
    for (int i = 0; i < 300000; i++) {
        double u = (rand() + (double)rand() / RAND_MAX) / RAND_MAX, x = i % 3 ? -20 * u : 1400 * u - 700;
        int exponent;
        long double exact = expl(x);
        frexpl(exact, &exponent);
        worst = fmax(worst, (double)fabsl(fv_exp(x) - exact) / ldexp(1, exponent - 53));
    }
    if (sizeof(long double) > 8)
        assert_true(worst < 0.52);
    assert_true(fv_exp(0) == 1 && fv_exp(-1e300) == 0 && fv_exp(-701) == 0 && isinf(fv_exp(710)) &&
                isnan(fv_exp(NAN)));
}

/* Models without videos give the scores that a session gives, and refusals name a remedy. */
static void on_their_own(void **state)
{
    FvModel *model;
    double features[] = {0.9, 3, 0.5, 0.8, 0.9, 0.95}, values[32], want[32], scratch[512];
    assert_fails(fv_model_open(&model, &(FvModelParams){.version = "vmaf_v0.6.2"}, error), FV_ERROR_USAGE,
                 "did you mean 'vmaf_v0.6.1'?");
    assert_null(model);
    assert_fails(fv_model_open(&model, &(FvModelParams){.path = "/nowhere/my.json"}, error), FV_ERROR_INPUT,
                 "/nowhere/my.json");
    assert_fails(fv_model_open(&model, &(FvModelParams){.path = "/dev/null"}, error), FV_ERROR_INPUT, "/dev/null");
    assert_null(model);
    assert_works(fv_model_open(&model, &(FvModelParams){.version = "vmaf_b_v0.6.3"}, error));
    assert_int_equal(fv_model_features(model), 6);
    assert_int_equal(fv_model_values(model), 25);
    assert_string_equal(fv_model_feature(model, 0)->name, "VMAF_integer_feature_adm2_score");
    assert_null(fv_model_feature(model, 6));
    assert_null(fv_model_feature(model, -1));
    assert_works(fv_model_score(model, (FvModelFlags){.disable_clip = true}, features, values, error));
    fv_model_predict(model, (FvModelFlags){.disable_clip = true}, features, scratch, want);
    assert_memory_equal(values, want, 25 * sizeof *want);
    fv_model_close(&model);
    assert_null(model);
}

/* The models are made for standard dynamic range, so other transfers are refused. */
static void hdr(void **state)
{
    static const struct {
        const char *metric;
        int transfer;
        bool fits;
    } cases[] = {{"vmaf", 1, true}, {"vmaf", 16, false}, {"vmaf", 18, false}, {"vmaf=allow_hdr=true", 16, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        FvFormat format = {.width = 320, .height = 240, .chroma = FV_CHROMA_420, .depth = 10};
        format.transfer = cases[i].transfer;
        FvSession *session;
        assert_works(fv_session_open(&session, &(FvSessionParams){.device = "cpu", .threads = 1}, error));
        assert_works(fv_session_add(session, cases[i].metric, error));
        if (cases[i].fits)
            assert_works(fv_session_start(session, &format, &format, error));
        else
            assert_fails(fv_session_start(session, &format, &format, error), FV_ERROR_INPUT, "`allow_hdr`");
        fv_session_close(&session);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain),        cmocka_unit_test(refused),
        cmocka_unit_test(collections),  cmocka_unit_test_prestate(built_in, argc > 1 ? argv[1] : "."),
        cmocka_unit_test(exponential),  cmocka_unit_test(hdr),
        cmocka_unit_test(on_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
