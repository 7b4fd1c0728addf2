/*
 * The verdict on a clip: the sentence that the command, the pages and the reports show, and the bad segments that it
 * is based on.
 */
#ifndef FOVEA_VERDICT_H
#define FOVEA_VERDICT_H

#include <fovea/meaning.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A frame of a graded score is low when its word is two or more words below the word of the clip's mean. Low frames
 * that last long enough are a bad segment. One score represents the clip: VMAF, else SSIMULACRA 2, PSNR of luma, VDM,
 * or Butteraugli; CAMBI for a single video. For PQ and HLG neither VMAF nor PSNR has words. Checks of a single video
 * (fovea/check.h) take precedence over its score; with a reference they follow the score: "Good. Look at: Freeze".
 * docs/verdicts.md has the rules.
 *
 * A program that prints, for a session that has ended, a sentence such as "Good, but bad from 0:06.0 to 0:08.0":
 *
 *     #include <stdio.h>
 *     #include <fovea/fovea.h>
 *
 *     void print_verdict(FvSession *session);
 *
 *     void print_verdict(FvSession *session)
 *     {
 *         const FvClipVerdict *verdict;
 *         FvError error = {0};
 *         if (fv_session_judge(session, &verdict, &error))
 *             fprintf(stderr, "%s\n", error.message);
 *         else
 *             puts(verdict->sentence);
 *     }
 */

/*
 * The beginning of the sentence. It is the first kind of this list that applies to the clip, except that
 * FV_VERDICT_NOT_SCORED and FV_VERDICT_CHECKED are tried after FV_VERDICT_IDENTICAL.
 */
typedef enum FvVerdictKind {
    FV_VERDICT_NOT_SCORED = 0, /* "Not scored": no frame has scores */
    FV_VERDICT_PARTIAL,        /* "Partial: 41 of 75 frames, then: REASON" */
    FV_VERDICT_NOT_COMPARABLE, /* "Not comparable: REASON": the videos do not show the same frames */
    FV_VERDICT_GATE_FAILED,    /* "Gate failed: VMAF, worst 5 %, 33.77 is below 80. Good" */
    FV_VERDICT_IDENTICAL,      /* "Identical": every sample was compared and is equal */
    FV_VERDICT_BUT,            /* "Good, but bad from 0:06.0 to 0:08.0" */
    FV_VERDICT_WORD,           /* "Good" */
    FV_VERDICT_NUMBER,         /* "PSNR-HVS 38.03 dB": no score has a word that says anything */
    FV_VERDICT_CHECKED         /* "Look at: Black": what the checks of one video without a reference found */
} FvVerdictKind;

/*
 * Returns "not scored", "partial", "not comparable", "gate failed", "identical", "but", "word", "number" or
 * "checked"; NULL for any other value.
 */
FV_API const char *fv_verdict_kind_name(FvVerdictKind kind);

/* A part of a bad segment within one scene. */
typedef struct FvShot {
    int64_t first, last; /* numbers of its first and last low frame */
    int64_t worst_frame; /* number of its worst frame, the first of equals */
} FvShot;

/* A bad segment of one score. Times are in seconds of the distorted video. */
typedef struct FvSegment {
    int output;          /* index of the output in its session, [0, fv_session_outputs()) */
    int64_t first, last; /* numbers of its first and last frame */
    double start, end;   /* when its first frame begins and its last frame ends */
    double low_seconds;  /* duration of its low frames together */
    double mean;         /* mean of its low frames */
    int level;           /* [1, 5]: level of the mean */
    const char *word;    /* word of the mean */
    double worst;        /* value of its worst frame */
    int64_t worst_frame; /* number of its worst frame, the first of equals */
    double cost;         /* sum over its low frames of words below the clip x seconds */
    double bit_rate;     /* bits per second of its frames in the distorted video; NaN: unknown */
    /*
     * The event that covers half of it or more: "offset", "frozen", "black" or "plain", or the name of a check
     * (fovea/check.h) whose event only the distorted video has. Else "starved": less than half the clip's bit rate;
     * "hard": more than twice the clip's bit rate; NULL: unknown.
     */
    const char *cause;
    const FvShot *shots; /* in order of time */
    int shot_count;      /* number of shots, 1 or more */
} FvSegment;

/* The session owns the verdict and everything it points to. */
typedef struct FvClipVerdict {
    FvVerdictKind kind;
    const char *sentence; /* UTF-8, one line; minus is U+2212 */
    const char *reason;   /* why the clip is partial, not comparable, or fails its gate; else NULL */
    int output;           /* the score that represents the clip, [0, fv_session_outputs()); -1: none has words */
    double value;         /* mean of the score `output`; NaN if `output` is -1 */
    int level;            /* [1, 5]: level of the mean; 0 if `output` is -1 */
    char word[48];        /* word of the mean with its bound; "" if there is no word, or the bound says nothing */
    FvGradeBound bound;   /* whether that word is a bound */
    int gates_passed, gates_failed; /* counts; a gate on a value that is not a number counts as failed */
    double low_seconds;             /* duration of the low frames and of the events that the sentence counts */
    /* segments of all graded scores: those of `output` first, then by falling cost, then by time */
    const FvSegment *segments;
    int segment_count; /* number of segments, 0 or more */
} FvClipVerdict;

/*
 * Judges the frames scored so far, with the gates and facts at this time. *verdict stays valid until the session is
 * closed, judged again or reported: fv_report_write() and fv_report_print() judge it, too. FV_ERROR_USAGE: the
 * session has not been started.
 */
FV_API FvStatus fv_session_judge(FvSession *session, const FvClipVerdict **verdict, FvError *error);

#ifdef __cplusplus
}
#endif

#endif
