/* Writes the meaning of a score as JSON: for reports, pages and lists. */
#pragma once

#include <fovea/meaning.h>

#include "json.h"

/*
 * Writes members of the open object: title, brief, text, unit, scale, factor, decimals, grades, by, source and
 * rule_of_thumb.
 */
void fv_meaning_json(FvJson *json, const FvMeaning *meaning);

/* Writes the members name, unit, minimum, maximum, better and sequence of an output. */
void fv_output_info_json(FvJson *json, const FvOutputInfo *info);

/* Writes name, output, metric, better, sequence, shown and bound of a session's output, then the members that
 * fv_meaning_json() writes. */
void fv_output_json(FvJson *json, const FvSession *session, int output);
