/*
 * Runs that continue where an earlier run stopped: a folder keeps the finished shards of one plan. A program that
 * scores in such a folder, and goes on when it is started again with the same files:
 *
 *     #include <fovea/fovea.h>
 *
 *     int main(void)
 *     {
 *         FvError error = {0};
 *         FvPlan *plan = NULL;
 *         FvPlanHold *hold = NULL;
 *         FvSession *session = NULL;
 *         FvStatus status = fv_plan_read(&plan, "film.plan.json", &error);
 *         if (!status)
 *             status = fv_plan_hold(&hold, plan, "parts", &error);
 *         if (!status)
 *             status = fv_plan_score(&session, plan, &(FvPlanRunParams){.folder = "parts"}, &error);
 *         if (!status)
 *             status = fv_report_write(session, "report.json", FV_REPORT_JSON, &error);
 *         if (!status)
 *             status = fv_plan_clear(plan, "parts", &error);
 *         fv_plan_release(&hold);
 *         fv_session_close(&session);
 *         fv_plan_close(&plan);
 *         return status;
 *     }
 */
#ifndef FOVEA_RESUME_H
#define FOVEA_RESUME_H

#include <fovea/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A folder that a program holds while it computes the shards of one plan there and deletes them at the end. */
typedef struct FvPlanHold FvPlanHold;

/*
 * FvPlanParams.frames_per_shard for runs that may be interrupted: each device then loses the scores of at most this
 * many frames.
 */
#define FV_RESUME_FRAMES 240

/*
 * Creates the folder unless it exists, locks it until fv_plan_release() or the end of the process, and writes
 * FOLDER/plan.json, by which a later run recognises the shards. FV_ERROR_OUTPUT: another process or another part of
 * this one holds the folder, or a file cannot be written. FV_ERROR_USAGE: the folder has another plan.
 * FV_ERROR_INPUT: its plan cannot be read. File systems without locks, and Windows, do not protect the folder.
 */
FV_API FvStatus fv_plan_hold(FvPlanHold **hold, const FvPlan *plan, const char *folder, FvError *error);

/* Unlocks the folder and keeps its files. To delete them, call fv_plan_clear() first. */
FV_API void fv_plan_release(FvPlanHold **hold);

#ifdef __cplusplus
}
#endif

#endif
