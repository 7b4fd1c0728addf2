/*
 * fovea measures how good a video looks, in scores that are exact to the bit.
 *
 * Copyright (c) 2026, the fovea authors. BSD 2-Clause License, see LICENSE.
 *
 * This header includes all public headers of libfovea. The shortest useful program is:
 *
 *     #include <fovea/fovea.h>
 *     #include <stdio.h>
 *
 *     int main(void)
 *     {
 *         FvError error = {0};
 *         FvSource *reference = NULL, *distorted = NULL;
 *         FvSession *session = NULL;
 *         FvStatus status = fv_source_open(&reference, &(FvSourceParams){.path = "reference.mov"}, &error);
 *         if (!status)
 *             status = fv_source_open(&distorted, &(FvSourceParams){.path = "distorted.mp4"}, &error);
 *         if (!status)
 *             status = fv_session_open(&session, &(FvSessionParams){.threads = 4}, &error);
 *         if (!status)
 *             status = fv_session_add(session, "psnr_hvs", &error);
 *         if (!status)
 *             status = fv_score(session, reference, distorted, &(FvScoreParams){0}, &error);
 *         if (!status)
 *             status = fv_report_write(session, "report.json", FV_REPORT_JSON, &error);
 *         if (status)
 *             fprintf(stderr, "%s\n", error.message);
 *         fv_session_close(&session);
 *         fv_source_close(&distorted);
 *         fv_source_close(&reference);
 *         return status;
 *     }
 *
 * Conventions that hold for every call:
 *  - A call that can fail returns FvStatus and fills *error unless the status is FV_OK or FV_END. `error` may be
 *    NULL.
 *  - Parameter structs are read during the call only; a zeroed struct means the defaults.
 *  - A string that the library returns belongs to the object it came from and lives as long as that object, unless
 *    its comment names an earlier end.
 *  - `fv_X_close(&p)` and `fv_X_unref(&p)` accept NULL and a pointer to NULL, and set the caller's pointer to NULL.
 *  - NULL in place of a required object, parameter struct or result is FV_ERROR_USAGE, and so is a value outside its
 *    enum. Functions without a status then return 0, -1, NULL, false or NaN, unless their comment names another
 *    value.
 *  - Objects are independent of each other. An object serves one thread at a time unless its comment says otherwise.
 *  - The library computes with rounding to nearest and with subnormal numbers. It sets this floating-point mode when
 *    a call begins and restores the mode of the calling thread when the call returns. Callbacks run in the library's
 *    mode.
 */
#ifndef FOVEA_FOVEA_H
#define FOVEA_FOVEA_H

#include <fovea/bd.h>
#include <fovea/cancel.h>
#include <fovea/check.h>
#include <fovea/correlate.h>
#include <fovea/device.h>
#include <fovea/device_frame.h>
#include <fovea/error.h>
#include <fovea/frame.h>
#include <fovea/ladder.h>
#include <fovea/meaning.h>
#include <fovea/metric.h>
#include <fovea/model.h>
#include <fovea/output.h>
#include <fovea/pairs.h>
#include <fovea/param.h>
#include <fovea/pixels.h>
#include <fovea/plan.h>
#include <fovea/pool.h>
#include <fovea/preparer.h>
#include <fovea/report.h>
#include <fovea/resume.h>
#include <fovea/rgb.h>
#include <fovea/score.h>
#include <fovea/session.h>
#include <fovea/source.h>
#include <fovea/still.h>
#include <fovea/verdict.h>
#include <fovea/version.h>

#endif
