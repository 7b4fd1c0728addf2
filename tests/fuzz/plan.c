/*
 * Parses any bytes as a plan file, without checking its hash. The result must be a refusal with a message, or a plan
 * whose printed text parses to the same plan, and whose session accepts rows.
 */
#include "fuzz.h"
#include "taken.h"

#include "report/report.h"
#include "session/state.h"
#include "shard/shard.h"

#define MOST_FRAMES 1000 /* plans with more frames are parsed and printed, but not merged */

/* Checks that the plan's printed text has the plan's hash, and parses to the same plan. */
static void print_again(const FvPlan *plan)
{
    FvError error = {0};
    FvPlan *again;
    char *text, *second, sha256[2][65];
    require(!fv_plan_print(plan, &text, sha256[0], &error), "a plan cannot be printed");
    require(!fv_plan_parse(&again, "again", text, strlen(text), false, &error), "a printed plan is not read");
    require(!fv_plan_print(again, &second, sha256[1], &error), "a plan cannot be printed again");
    require(!strcmp(text, second) && !strcmp(sha256[0], sha256[1]), "a plan changes when it is read again");
    free(second);
    free(text);
    fv_plan_close(&again);
}

/* Returns whether the plan has options, which may name files. */
static bool names_files(const FvPlan *plan)
{
    for (int i = 0; i < plan->metric_count; i++)
        if (strchr(plan->metrics[i], '='))
            return true;
    return false;
}

/* Merges rows of zeros. The bits of `there` choose the shards that have their rows. */
static void merge(const FvPlan *plan, unsigned there)
{
    FvError error = {0};
    FvSession *session;
    FvStatus status = fv_plan_session(&session, plan, &(FvSessionParams){.threads = 1}, &error);
    if (status) {
        require(!session && *error.message && error.status == status, "a session is refused without a message");
        return;
    }
    FvShard *shards = calloc((size_t)plan->shards, sizeof *shards);
    require(shards != NULL, "no memory");
    for (int i = 0; i < plan->shards; i++) {
        const size_t rows = (size_t)(plan->cuts[i + 1] - plan->cuts[i]);
        if (!(there >> i % 8 & 1))
            continue;
        shards[i] = (FvShard){.rows = (int64_t)rows,
                              .terms = calloc(rows * (size_t)session->scores.rows.width + 1, sizeof *shards->terms),
                              .skipped = calloc(rows, sizeof *shards->skipped)};
        require(shards[i].terms && shards[i].skipped, "no memory");
    }
    status = fv_merge_shards(session, plan, shards, NULL, NULL, &error);
    require(!status || *error.message, "rows are refused without a message");
    if (!status)
        require(!fv_report_write(session, "/dev/null", FV_REPORT_JSON, &error), "there is no report");
    for (int i = 0; i < plan->shards; i++)
        fv_shard_free(&shards[i]);
    free(shards);
    fv_session_close(&session);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    FvPlan *plan;
    FvError error = {0};
    FvStatus status = fv_plan_parse(&plan, "plan.json", (const char *)bytes, size, true, &error);
    if (status) {
        require(!plan && (status == FV_ERROR_INPUT || status == FV_ERROR_MEMORY) && error.status == status &&
                    !strncmp(error.message, "plan.json", 9),
                "refused without a message");
        return 0;
    }
    print_again(plan);
    if (plan->frames <= MOST_FRAMES && !names_files(plan)) {
        merge(plan, 0xff);
        merge(plan, bytes[size - 1] ^ bytes[size / 2]);
    }
    fv_plan_close(&plan);
    return 0;
}
