/* The comparison of two videos, with the decisions about it. */
#pragma once

#include "picture/prepare.h"
#include "session/session.h"

/* A reason why two videos cannot be compared as they are. */
typedef struct FvMisfit {
    char what[160];  /* the reason in words, such as "sizes 64x64 and 32x32" */
    char remedy[96]; /* parameters as in FvError, without backticks: "scale=dis stretch"; "": no parameter helps */
} FvMisfit;

typedef struct FvComparison {
    FvSession *session; /* session that records decisions; NULL: none */
    const FvScoreParams *params;
    const FvSourceInfo *info[2]; /* the reference's may be NULL */
    FvSourceInfo own[2]; /* copies to which `info` points once the comparison is decided, with the matrices for RGB */
    bool guessed[2];     /* the matrix in `own` follows from the size of the frames */
    FvMisfit misfit;     /* the reason of a refusal */
    FvPrepareParams prepare[2]; /* how the frames of each video are prepared */
    FvFormat format[2];         /* formats of the frames that are compared */
    int64_t skip[2], frames;    /* (`skip`) number of frames dropped at the start of each video; (`frames`) number of
                                   frames to compare, 0: all */
} FvComparison;

/* Record a decision, or a warning with its event, if the comparison has a session. */
#define DECIDE(comparison, error, ...)                                                                               \
    ((comparison)->session ? fv_session_decide((comparison)->session, error, __VA_ARGS__) : FV_OK)
#define DOUBT(comparison, event, error, ...)                                                                         \
    ((comparison)->session ? fv_session_warn_mismatch((comparison)->session, event, error, __VA_ARGS__) : FV_OK)
