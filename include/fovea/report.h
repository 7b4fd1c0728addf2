/* Reports of a session, and the pictures in the HTML report. <fovea/fovea.h> has a program that writes one. */
#ifndef FOVEA_REPORT_H
#define FOVEA_REPORT_H

#include <fovea/session.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A picture of a frame or of a part of a frame, for the HTML report. */
typedef struct FvReportPicture {
    int64_t frame;               /* number of the frame, as fv_session_frame_number() returns it */
    const char *name;            /* "reference", "distorted", "difference" or the name of a map */
    int x, y, width, height;     /* the part of the frame, in luma samples */
    int scale;                   /* n: one pixel per n x n samples */
    const void *png;             /* a PNG or JPEG file; a map is in gray, black at `low` and white at `high` */
    size_t bytes;                /* size of that file, [1, 16 MiB] */
    const char *unit;            /* unit of a map; else NULL */
    double low, high;            /* values that are black and white in a map */
    const uint8_t (*colours)[3]; /* red, green and blue for a map's values, in equal steps; else NULL */
    int colour_count;            /* number of colours, [0, 256] */
} FvReportPicture;

/*
 * Adds a picture to the page that FV_REPORT_HTML writes; other reports have no pictures. Copies everything. Call it
 * after the session has been started. A session has at most 1000 pictures. FV_ERROR_USAGE: there are more, the
 * session has not been started, or a member is missing or out of its range.
 */
FV_API FvStatus fv_session_add_picture(FvSession *session, const FvReportPicture *picture, FvError *error);

/*
 * Puts the npm package `fovea` into the page that FV_REPORT_HTML writes, which can then score two files that its
 * reader chooses. package: the .tgz of this version (docs/packaging.md), [1, 16 MiB], which is copied and replaces an
 * earlier one. FV_ERROR_USAGE: `package` is NULL, or `bytes` is out of its range.
 */
FV_API FvStatus fv_session_embed(FvSession *session, const void *package, size_t bytes, FvError *error);

/*
 * States the command that makes the report, as a shell reads it; the page that FV_REPORT_HTML writes shows it. Copies
 * the text, which replaces an earlier one.
 */
FV_API FvStatus fv_session_set_command(FvSession *session, const char *command, FvError *error);

typedef enum FvReportFormat {
    FV_REPORT_JSON = 0, /* docs/report.md, schema in report.schema.json */
    FV_REPORT_CSV,
    FV_REPORT_NDJSON, /* one object per frame and per event that ends there, then one with everything else */
    FV_REPORT_HTML,   /* one self-contained page for a browser: docs/report.md */
    FV_REPORT_EVENTS, /* CSV with one row per event of the checks: docs/check.md */
} FvReportFormat;

/*
 * Writes a report through an FvOutput: complete or not at all, and never over one of the session's inputs. Fails as
 * fv_output_open() and fv_output_close() do. FV_ERROR_USAGE: the session has not been started.
 *
 * FvSessionParams.threads threads, at most one for each 256 frames, format the frames of JSON, NDJSON and CSV. Their
 * number changes no byte, and a report that cannot start them has one.
 */
FV_API FvStatus fv_report_write(FvSession *session, const char *path, FvReportFormat format, FvError *error);

/*
 * Prints the bytes of such a report to a stream, which stays open. With open_memstream() the report is in memory.
 * FV_ERROR_USAGE: the session has not been started. FV_ERROR_OUTPUT: a write failed.
 */
FV_API FvStatus fv_report_print(FvSession *session, FILE *file, FvReportFormat format, FvError *error);

/*
 * Reads a JSON report whose `schema_version` is 1. *session, which the caller closes, has ended and has the report's
 * scores, gates and facts, so that other reports can be written from it. It has no rows of terms and no pictures.
 * FV_ERROR_INPUT: the file is not such a report, or a model file that its metrics name is missing.
 */
FV_API FvStatus fv_report_read(FvSession **session, const char *path, FvError *error);

#ifdef __cplusplus
}
#endif

#endif
