/* Converts a metric in a report to the text that fv_session_add() accepts. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "json_read.h"

/*
 * Writes "name=option=value:..." from an item of a report's member "metrics". Omits options at their defaults.
 * Accepts numbers that are written as texts. false: the item is damaged, or its text exceeds `size` bytes.
 */
bool fv_metric_text(const FvNode *metric, char *text, size_t size);
