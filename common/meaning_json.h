/* What a score means, as JSON: for reports, pages and lists. */
#pragma once

#include <fovea/meaning.h>

#include "json.h"

/* Members of the object that is open: title, brief, text, unit, scale, factor, decimals, grades, source,
 * rule_of_thumb. */
void fv_meaning_json(FvJson *json, const FvMeaning *meaning);

/* What a metric states of an output: name, unit, minimum, maximum, better and sequence. */
void fv_output_info_json(FvJson *json, const FvOutputInfo *info);

/* As fv_meaning_json() for an output of a session, with name, output, metric, better, sequence, shown and bound
 * before them. */
void fv_output_json(FvJson *json, const FvSession *session, int output);
