/* The text of a metric with its options, from what a report says of it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "json_read.h"

/*
 * Writes "name=option=value:..." as fv_session_add() takes it, from an item of the member "metrics" of a report.
 * Options at their defaults are left out. Numbers may be texts. false: the item is damaged, or longer than `size`.
 */
bool fv_metric_text(const FvNode *metric, char *text, size_t size);
