/* Parses statements of a container that the pictures may contradict. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "picture/colour.h"

/* x and y of red, green and blue, of the primaries that the gamut check knows. */
static const struct {
    int code;
    double place[6];
} known[] = {
    {FV_H273_BT709, {0.64, 0.33, 0.30, 0.60, 0.15, 0.06}},
    {FV_H273_DISPLAY_P3, {0.68, 0.32, 0.265, 0.69, 0.15, 0.06}},
};

static int primaries_of(const char *mastering)
{
    double place[6];
    if (sscanf(mastering, "primaries %lf,%lf %lf,%lf %lf,%lf", &place[0], &place[1], &place[2], &place[3], &place[4],
               &place[5]) != 6)
        return 0;
    for (int i = 0; i < 2; i++) {
        double most = 0;
        for (int k = 0; k < 6; k++)
            most = fmax(most, fabs(place[k] - known[i].place[k]));
        if (most < 0.003)
            return known[i].code;
    }
    return 0;
}

static int number_behind(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    const long number = at ? strtol(at + strlen(name), NULL, 10) : 0;
    return number > 0 && number <= 1000000 ? (int)number : 0;
}

FvCheckEventFacts fv_check_event_facts(const char *mastering, int fields, int peak)
{
    const char *text = mastering ? mastering : "";
    return (FvCheckEventFacts){.fields = fields,
                               .max_cll = number_behind(text, "MaxCLL "),
                               .max_fall = number_behind(text, "MaxFALL "),
                               .peak = peak,
                               .primaries = primaries_of(text)};
}
