/* The metrics that the user chose. */
#ifndef CHOICE_H
#define CHOICE_H

#include "args.h"
#include "fovea/fovea.h"

/* Of --metric and --feature; psnr,psnr_hvs when both are empty. Says what is wrong. */
FvStatus choice_add(FvSession *session, const ArgList *metrics, const ArgList *features);

/* Whether the session can do without a reference; FV_ERROR_USAGE after a message when not. */
FvStatus choice_allows_no_reference(const FvSession *session);

#endif
