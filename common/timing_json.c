#include "timing_json.h"

static void write_rates(FvJson *json, const char *name, const double rates[2])
{
    if (!rates[0] && !rates[1])
        return;
    fv_json_open_line(json, name, '{');
    for (int side = 0; side < 2; side++)
        if (rates[side])
            fv_json_real(json, side ? "distorted" : "reference", rates[side]);
    fv_json_close(json);
}

void fv_timing_json(FvJson *json, const FvTiming *timing)
{
    fv_json_open_line(json, "pace", '{');
    write_rates(json, "reading", timing->reading);
    write_rates(json, "decoding", timing->decoding);
    write_rates(json, "preparing", timing->preparing);
    if (timing->transfer)
        fv_json_real(json, "transfer", timing->transfer);
    if (timing->scoring)
        fv_json_real(json, "scoring", timing->scoring);
    fv_json_text(json, "limited_by", timing->limited_by);
    fv_json_close(json);
}
