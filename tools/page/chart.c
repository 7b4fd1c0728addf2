#include "page/chart.h"

#include <math.h>

#include "markup.h"

#define WIDTH 720
#define HEIGHT 440
#define LEFT 70
#define RIGHT 20
#define TOP 64
#define BOTTOM 56
#define SAMPLES 96 /* number of steps of each curve */

/* The scales of the chart's axes: the logarithm of the rate is horizontal, the quality vertical. */
typedef struct Scale {
    double from[2], to[2]; /* the ends of log10(rate) [0] and of quality [1] */
} Scale;

static double across(const Scale *scale, double rate)
{
    return LEFT + (log10(rate) - scale->from[0]) / (scale->to[0] - scale->from[0]) * (WIDTH - LEFT - RIGHT);
}

static double up(const Scale *scale, double quality)
{
    return HEIGHT - BOTTOM - (quality - scale->from[1]) / (scale->to[1] - scale->from[1]) * (HEIGHT - TOP - BOTTOM);
}

static Scale scale_of(const FvBd *bd)
{
    Scale scale = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (int side = 0; side < 2; side++) {
        const FvBdPoint *points = NULL;
        const int count = fv_bd_points(bd, (FvBdSide)side, &points);
        for (int i = 0; i < count; i++) {
            const double value[2] = {log10(points[i].rate), points[i].quality};
            for (int axis = 0; axis < 2; axis++) {
                scale.from[axis] = fmin(scale.from[axis], value[axis]);
                scale.to[axis] = fmax(scale.to[axis], value[axis]);
            }
        }
    }
    for (int axis = 0; axis < 2; axis++) {
        const double margin = 0.04 * (scale.to[axis] - scale.from[axis]);
        scale.from[axis] -= margin;
        scale.to[axis] += margin;
    }
    return scale;
}

static void write_label(FvMarkup *page, double x, double y, const char *class, const char *text)
{
    fv_markup(page, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">%s</text>\n", x, y, class, text);
}

double chart_step(double span)
{
    const double power = pow(10, floor(log10(span / 4)));
    return span / 4 >= 5 * power ? 5 * power : span / 4 >= 2 * power ? 2 * power : power;
}

static void write_line(FvMarkup *page, double x0, double y0, double x1, double y1)
{
    fv_markup(page, "<path class=\"grid\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", x0, y0, x1, y1);
}

static void write_axes(FvMarkup *page, const Scale *scale)
{
    char text[32];
    const double step = chart_step(scale->to[1] - scale->from[1]);
    for (double q = ceil(scale->from[1] / step) * step; q <= scale->to[1]; q += step) {
        write_line(page, LEFT, up(scale, q), WIDTH - RIGHT, up(scale, q));
        snprintf(text, sizeof text, "%.6g", fabs(q) < step / 2 ? 0 : q);
        write_label(page, LEFT - 8, up(scale, q) + 4, "end", text);
    }
    static const double mantissa[] = {1, 2, 5};
    for (int power = (int)floor(scale->from[0]); power <= scale->to[0]; power++)
        for (int i = 0; i < 3; i++) {
            const double rate = mantissa[i] * pow(10, power);
            if (log10(rate) < scale->from[0] || log10(rate) > scale->to[0])
                continue;
            write_line(page, across(scale, rate), TOP, across(scale, rate), HEIGHT - BOTTOM);
            snprintf(text, sizeof text, "%.6g", rate);
            write_label(page, across(scale, rate), HEIGHT - BOTTOM + 18, "middle", text);
        }
}

/* Writes points of a side's curve over the compared qualities, in rising or (`backward`) falling order of quality. */
static void write_samples(FvMarkup *page, const Chart *chart, const Scale *scale, FvBdSide side, bool backward)
{
    const FvBdResult *result = fv_bd_result(chart->bd);
    for (int i = 0; i <= SAMPLES; i++) {
        const int k = backward ? SAMPLES - i : i;
        const double q = k == SAMPLES ? result->to : result->from + k * (result->to - result->from) / SAMPLES;
        fv_markup(page, "%.1f %.1f ", across(scale, fv_bd_rate_at(chart->bd, side, q)), up(scale, q));
    }
}

static void write_curve(FvMarkup *page, const Chart *chart, const Scale *scale, FvBdSide side)
{
    const FvBdPoint *points = NULL;
    const int count = fv_bd_points(chart->bd, side, &points);
    /* Outside the compared qualities, straight lines connect the encodes. */
    const FvBdResult *result = fv_bd_result(chart->bd);
    for (int i = 1; i < count; i++) {
        const FvBdPoint *a = &points[i - 1], *b = &points[i];
        if (fmin(a->quality, b->quality) < result->from || fmax(a->quality, b->quality) > result->to)
            fv_markup(page, "<path class=\"faint s%d\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", side, across(scale, a->rate),
                      up(scale, a->quality), across(scale, b->rate), up(scale, b->quality));
    }
    fv_markup(page, "<polyline class=\"s%d\" points=\"", side);
    write_samples(page, chart, scale, side, false);
    fv_markup(page, "\"/>\n");
    for (int i = 0; i < count; i++)
        fv_markup(page,
                  "<circle class=\"p%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>%.6g%s: %.6g</title></circle>\n",
                  side, across(scale, points[i].rate), up(scale, points[i].quality), points[i].rate,
                  chart->kilobits ? " kb/s" : "", points[i].quality);
}

static void write_key(FvMarkup *page, const Chart *chart)
{
    for (int side = 0; side < 2; side++) {
        const double x = LEFT + side * (WIDTH - LEFT - RIGHT) / 2.0;
        fv_markup(page, "<circle class=\"p%d\" cx=\"%.1f\" cy=\"46\" r=\"4\"/>\n", side, x + 4);
        write_label(page, x + 14, 50, "start", chart->name[side]);
    }
}

void chart_write(FILE *file, const Chart *chart)
{
    FvMarkup markup = {.file = file}, *page = &markup;
    const FvBdResult *result = fv_bd_result(chart->bd);
    const Scale scale = scale_of(chart->bd);
    char title[160];
    snprintf(title, sizeof title, "%s: BD-rate %+.2f %% (%s)", chart->score, result->bd_rate, chart->method);
    fv_markup(
        page,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n<style>\n"
        ".back{fill:#fff}text{font:13px system-ui,sans-serif;fill:#595959}.title{font-size:17px;font-weight:600;"
        "fill:#1b1b1b}.end{text-anchor:end}.middle{text-anchor:middle}.grid{stroke:#858585;stroke-opacity:.3}\n"
        "polyline{fill:none;stroke-width:2}.faint{stroke-width:1;stroke-opacity:.45}.s0{stroke:#595959}"
        ".s1{stroke:#006b63}.p0{fill:#595959}.p1{fill:#006b63}.area{fill:#006b63;fill-opacity:.16}\n"
        "@media(prefers-color-scheme:dark){.back{fill:#1d1d1d}text{fill:#a9a9a9}.title{fill:#ededed}"
        ".s0{stroke:#a9a9a9}.s1{stroke:#4fcabe}.p0{fill:#a9a9a9}.p1{fill:#4fcabe}.area{fill:#4fcabe}}\n"
        "</style>\n<rect class=\"back\" width=\"100%%\" height=\"100%%\"/>\n",
        WIDTH, HEIGHT, title);
    write_label(page, LEFT, 24, "title", title);
    write_key(page, chart);
    write_axes(page, &scale);
    write_label(page, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 14, "middle",
                chart->kilobits ? "bit rate, kb/s, logarithmic" : "bit rate, logarithmic");
    fv_markup(page, "<polygon class=\"area\" points=\"");
    write_samples(page, chart, &scale, FV_BD_ANCHOR, false);
    write_samples(page, chart, &scale, FV_BD_TEST, true);
    fv_markup(page, "\"/>\n");
    write_curve(page, chart, &scale, FV_BD_ANCHOR);
    write_curve(page, chart, &scale, FV_BD_TEST);
    fv_markup(page, "</svg>\n");
}
