#include "pace_json.h"

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

void fv_pace_json(FvJson *json, const FvPace *pace)
{
    fv_json_open_line(json, "pace", '{');
    write_rates(json, "reading", pace->reading);
    write_rates(json, "decoding", pace->decoding);
    write_rates(json, "preparing", pace->preparing);
    if (pace->transfer)
        fv_json_real(json, "transfer", pace->transfer);
    if (pace->scoring)
        fv_json_real(json, "scoring", pace->scoring);
    fv_json_text(json, "limited_by", pace->limited_by);
    fv_json_close(json);
}
