/* Parameters of runs, and plans. */
#include "misuse.h"

void check_params(void)
{
    FvRunParams run = {.roi = NULL};
    FvAlignment *alignment = NULL;
    char text[32] = "";
    CHECK(fv_param_count, fv_param_count() > 0);
    CHECK(fv_param_info, !fv_param_info(-1) && !fv_param_info(fv_param_count()));
    CHECK(fv_param_number, fv_param_number(NULL) == -1 && fv_param_number("no such") == -1);
    CHECK(fv_run_set, usage(fv_run_set(NULL, "align", "time", &error)));
    CHECK(fv_run_set, usage(fv_run_set(&run, NULL, "time", &error)));
    CHECK(fv_run_set, usage(fv_run_set(&run, "align", NULL, &error)));
    CHECK(fv_run_set, usage(fv_run_set(&run, "no such", "time", &error)));
    CHECK(fv_run_given, !fv_run_given(NULL, "align") && !fv_run_given(&run, NULL) && !fv_run_given(&run, "align"));
    CHECK(fv_run_text, !fv_run_text(&run, "align", NULL, 0) && !*fv_run_text(NULL, "align", text, sizeof text));
    CHECK(fv_run_text, !*fv_run_text(&run, NULL, text, sizeof text));
    CHECK(fv_run_settle, usage(fv_run_settle(NULL, 0, 0, false, &error)));
    CHECK(fv_run_add, usage(fv_run_add(NULL, &run, "psnr", &error)));
    CHECK(fv_run_add, usage(fv_run_add(session, NULL, "psnr", &error)));
    CHECK(fv_run_look, usage(fv_run_look(NULL, &alignment, &error)));
    CHECK(fv_run_look, usage(fv_run_look(&run, NULL, &error)));
}

void check_plans(void)
{
    const FvSourceParams file = {.path = video};
    const FvScoreParams plain = {.shortest = false};
    const FvPlanParams good = {.session = session,
                               .reference = source,
                               .distorted = listing ? NULL : other_source(),
                               .reference_params = &file,
                               .distorted_params = &file,
                               .score = &plain,
                               .shards = 1};
    FvPlanParams wrong = good;
    FvPlan *plan = NULL, *none = NULL;
    FvSession *made = NULL;
    FvPlanShard shard;
    const bool there = listing || !fv_plan_make(&plan, &good, &error);
    CHECK(fv_plan_make,
          there && usage(fv_plan_make(NULL, &good, &error)) && usage(fv_plan_make(&none, NULL, &error)));
    wrong.session = NULL;
    CHECK(fv_plan_make, usage(fv_plan_make(&none, &wrong, &error)) && !none);
    wrong = good;
    wrong.distorted = NULL;
    CHECK(fv_plan_make, usage(fv_plan_make(&none, &wrong, &error)));
    wrong = good;
    wrong.reference_params = NULL;
    CHECK(fv_plan_make, usage(fv_plan_make(&none, &wrong, &error)));
    wrong = good;
    wrong.frames_per_shard = 1;
    CHECK(fv_plan_make, usage(fv_plan_make(&none, &wrong, &error)));
    wrong = good;
    wrong.shards = -1;
    CHECK(fv_plan_make, usage(fv_plan_make(&none, &wrong, &error)));
    wrong.shards = 2;
    CHECK(fv_plan_make, usage(fv_plan_make(&none, &wrong, &error)) && !none);
    CHECK(fv_plan_write, usage(fv_plan_write(NULL, output_path, &error)) && usage(fv_plan_write(plan, NULL, &error)));
    CHECK(fv_plan_write, usage(fv_plan_write(plan, video, &error)));
    FvPlanHold *hold = NULL;
    CHECK(fv_plan_hold, usage(fv_plan_hold(NULL, plan, folder, &error)) &&
                            usage(fv_plan_hold(&hold, NULL, folder, &error)) &&
                            usage(fv_plan_hold(&hold, plan, NULL, &error)) && !hold);
    CHECK(fv_plan_hold, fv_plan_hold(&hold, plan, video, &error) == FV_ERROR_OUTPUT && !hold);
    CHECK(fv_plan_release, (fv_plan_release(NULL), fv_plan_release(&hold), true));
    CHECK(fv_plan_clear, usage(fv_plan_clear(NULL, video, &error)) && usage(fv_plan_clear(plan, NULL, &error)));
    CHECK(fv_plan_read, usage(fv_plan_read(NULL, video, &error)) && usage(fv_plan_read(&none, NULL, &error)));
    CHECK(fv_plan_read, fv_plan_read(&none, video, &error) && !none);
    CHECK(fv_plan_hash, !fv_plan_hash(NULL) && strlen(fv_plan_hash(plan)) == 64);
    CHECK(fv_plan_shards, !fv_plan_shards(NULL) && fv_plan_shards(plan) == 1);
    CHECK(fv_plan_shard, !fv_plan_shard(NULL, 0, &shard) && !fv_plan_shard(plan, 1, &shard) &&
                             !fv_plan_shard(plan, -1, &shard) && !fv_plan_shard(plan, 0, NULL));
    CHECK(fv_plan_run, usage(fv_plan_run(NULL, &(FvPlanRunParams){.folder = folder}, &error)));
    CHECK(fv_plan_run, usage(fv_plan_run(plan, NULL, &error)));
    CHECK(fv_plan_run, usage(fv_plan_run(plan, &(FvPlanRunParams){.first = 0}, &error)));
    CHECK(fv_plan_run, usage(fv_plan_run(plan, &(FvPlanRunParams){.folder = folder, .first = 1}, &error)));
    CHECK(fv_plan_run, usage(fv_plan_run(plan, &(FvPlanRunParams){.folder = folder, .count = 2}, &error)));
    CHECK(fv_plan_run, usage(fv_plan_run(plan, &(FvPlanRunParams){.folder = folder, .session.device = ","}, &error)));
    CHECK(fv_plan_merge, usage(fv_plan_merge(NULL, plan, &(FvMergeParams){.count = 0}, &error)));
    CHECK(fv_plan_merge, usage(fv_plan_merge(&made, NULL, &(FvMergeParams){.count = 0}, &error)));
    CHECK(fv_plan_merge, usage(fv_plan_merge(&made, plan, NULL, &error)));
    CHECK(fv_plan_merge, usage(fv_plan_merge(&made, plan, &(FvMergeParams){.count = 1}, &error)) && !made);
    CHECK(fv_plan_score, usage(fv_plan_score(NULL, plan, &(FvPlanRunParams){.first = 0}, &error)));
    CHECK(fv_plan_score, usage(fv_plan_score(&made, NULL, &(FvPlanRunParams){.first = 0}, &error)));
    CHECK(fv_plan_score, usage(fv_plan_score(&made, plan, NULL, &error)) && !made);
    CHECK(fv_plan_close, (fv_plan_close(NULL), fv_plan_close(&none), true));
    fv_plan_close(&plan);
}
