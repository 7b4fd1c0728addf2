/* The metrics that the user chose. */
#ifndef CHOICE_H
#define CHOICE_H

#include "cli/args.h"
#include "fovea/fovea.h"

/* Of --metric and --feature. Says what is wrong. */
FvStatus choice_add(FvSession *session, const ArgList *metrics, const ArgList *features);

/* What is computed without a choice: vmaf,psnr,psnr_hvs, without vmaf where its models cannot, which is said. */
FvStatus choice_add_usual(FvSession *session, const FvFormat *reference, const FvFormat *distorted);

/* Whether the session can do without a reference; FV_ERROR_USAGE after a message when not. */
FvStatus choice_allows_no_reference(const FvSession *session);

#endif
