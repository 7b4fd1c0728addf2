#include "cli/options.h"

#include <stdio.h>
#include <string.h>

#include "usual.h"

#define AT(field) offsetof(Options, field)

#define FOR_SCORING (FOR_SCORE | FOR_VIEW | FOR_PLAN)

#define POOLS "mean (the default), min, max, harmonic_mean, stddev, p1, p5, p10, p25, median, p75, p90, p95 or p99"

static const char *const map_formats[] = {"png", "png8", "pfm", "y4m", NULL};
const char *const options_formats[] = {"json", "csv", "ndjson", "html", "events", "junit", NULL};

/* The former values of --format, and what replaces them. */
static const char *const gone_formats[] = {
    "ffvship", "write -o FILE.json, and jq -c '[.frames[].metrics | [.ssimulacra2]]' FILE.json has the list",
    "turbo-metrics",
    "write -o FILE.json, and jq -r '\"ssimulacra2\", .frames[].metrics.ssimulacra2' FILE.json has the list", NULL};

/* The options that are not parameters of a run. A section continues until the next one begins. */
static const ArgOption own[] = {
    {FOR_SCORING | FOR_MAP, ROW_REFERENCE(AT(reference)), .left_out_by = FOR_CHECK, .first = true,
     .section = "Videos", .help = "the original video, for metrics that compare; - is standard input"},
    {FOR_CHECK, LIST("distorted", AT(encodes), "FILE"), .first = true, .letter = 'd', .offer = OFFER_FILES,
     .positional = true, .help = "a video to check; - is standard input. Several are checked one after the other"},
    {FOR_CHECK, TEXT("reference", AT(reference), "FILE"), .first = true, .letter = 'r', .offer = OFFER_FILES,
     .help = "the original video, whose events are kept apart from those that the encode adds"},
    {FOR_SCORING, LIST("distorted", AT(encodes), "FILE"), .left_out_by = FOR_CHECK, .first = true, .letter = 'd',
     .offer = OFFER_FILES, .positional = true,
     .help = "the video to score; - is standard input. With several, each is compared with the reference, which is "
             "read once; a quoted pattern such as 'ladder/*.mp4' stands for all files that it matches"},
    {FOR_MAP, ROW_DISTORTED(AT(distorted)), .first = true, .help = "the video to score; - is standard input"},
    {FOR_MAP, LIST("frame", AT(map_frames), "N|A-B"), .first = true,
     .help = "frames, counted from 0: a list such as 3,7,10-20; may be repeated (pictures: 0; video: all)"},
    {FOR_MAP, NUMBER("worst", AT(worst), 1, 100000), .first = true,
     .help = "score the whole clip first and show the N frames that are worst by the first score, each with "
             "reference.png and distorted.png next to its maps"},
    {FOR_DECODE, FLAG("strict", AT(refuse_damage)),
     .help = "stop at the first damaged frame instead of decoding what is left of it"},
    {FOR_CHECK, LIST("only", AT(only), "NAME,..."), .first = true, .section = "Checks",
     .help =
         "make these checks alone, by their names or those of their metrics: black, flat, freeze, cadence, repeat, "
         "bars, illegal, light, gamut, flash, flash_extended, fields, telecine, comb; levels, scan, siti, texture, "
         "cambi"},
    {FOR_CHECK, LIST("skip", AT(skip_checks), "NAME,..."), .first = true, .help = "do not make these checks"},
    {FOR_CHECK, LIST("expect", AT(expect), "NAME,..."), .first = true,
     .help = "events of these checks are intended, such as bars: they are information"},
    {FOR_CHECK, TEXT("fail-on", AT(fail_on), "NAME,...|warn|fail|none"), .first = true,
     .help = "exit with 1 if one of these checks has an event, or one of this severity or above is found (fail)"},
    {FOR_CHECK, FLAG("list", AT(list)), .help = "print all checks with their limits, and check nothing"},
    {FOR_CHECK, TEXT("profile", AT(profile), "sdr|pq|FILE"), .first = true, .offer = OFFER_FILES,
     .help = "rules of a delivery: limits, and the checks that must find nothing; sdr and pq are built in, and "
             "docs/check.md has the form of a JSON file. Options of the command line override the profile's"},
    {FOR_CHECK, LIST("metric", AT(metrics), "NAME=OPTION=VALUE:..."), .first = true, .section = "Metrics",
     .letter = 'm', .offer = OFFER_METRICS,
     .help = "options of the metrics, as in freeze=time=1; further metrics are computed too"},
    {FOR_SCORING, LIST("metric", AT(metrics), "NAME[=OPTION=VALUE:...],..."), .left_out_by = FOR_CHECK, .first = true,
     .section = "Metrics", .letter = 'm', .offer = OFFER_METRICS,
     .help = "the metrics to compute (" FV_USUAL_METRICS "); may be repeated. 'fovea metrics' lists all"},
    {FOR_MAP, LIST("metric", AT(metrics), "NAME[=OPTIONS]"), .first = true, .letter = 'm', .offer = OFFER_METRICS,
     .help = "metrics that have maps, with their options (with a reference the first that compares, else the first "
             "that needs none)"},
    {FOR_MAP, LIST("map", AT(maps), "NAME"),
     .help = "a map of these metrics, by the name that 'fovea metrics' lists; may be repeated (all but the maps for "
             "research)"},
    {FOR_MAP, TEXT("maximum", AT(maximum), "X"),
     .help = "the value shown as white, or as yellow in the overlay (the greatest that the metric's options allow; "
             "without a limit, 8 in the overlay and in 8 bits, 64 in 16 bits)"},
    {FOR_PLAN, NUMBER("shards", AT(shards), 1, 1000000), .section = "Shards", .help = "the number of shards"},
    {FOR_PLAN, NUMBER("frames-per-shard", AT(frames_per_shard), 1, INT32_MAX),
     .help = "about how many frames each shard has, instead of --shards; cuts lie where decoding can begin in both "
             "videos"},
    {FOR_RUN | FOR_MERGE, TEXT("plan", AT(plan), "FILE|FOLDER"), .offer = OFFER_FILES,
     .help = "the plan that 'fovea plan' wrote, or the folder of the plans of several encodes (plan.json)"},
    {FOR_RUN, TEXT("shard", AT(shard), "LIST|all"),
     .help =
         "the shards to compute, counted from 0, as in 7 or 0,4-6; without it, the number in SLURM_ARRAY_TASK_ID, "
         "JOB_COMPLETION_INDEX or AWS_BATCH_JOB_ARRAY_INDEX"},
    {FOR_RUN, FLAG("ignore-modified", AT(ignore_modified)),
     .help = "the videos are copies: check their size and content, not their modification time"},
    {FOR_MERGE, FLAG("allow-missing", AT(allow_missing)),
     .help = "where shards are missing, make a partial report of the others and exit with 5"},
    {FOR_CHECK, LIST("output", AT(outputs), "FILE"), .first = true, .section = "Results", .letter = 'o',
     .offer = OFFER_FILES,
     .help = "write a report: .json, .csv, a row for each event, .ndjson, .html, a page for a browser, or .xml, the "
             "quality gates as JUnit has them; may be repeated. - is standard output, in place of the lines"},
    {FOR_SCORE | FOR_MERGE | FOR_REPORT, LIST("output", AT(outputs), "FILE"), .left_out_by = FOR_CHECK, .first = true,
     .section = "Results", .letter = 'o', .offer = OFFER_FILES,
     .help = "write a report: .json, .csv, .ndjson, .html, a page for a browser, or .xml, the quality gates as JUnit "
             "has them; may be repeated. - is standard output, in place of the table"},
    {FOR_PLAN, TEXT("output", AT(output), "FILE"), .first = true, .letter = 'o', .offer = OFFER_FILES,
     .help =
         "write the plan; - is standard output (plan.json). Of several encodes, the folder that gets a plan for each "
         "(plans)"},
    {FOR_MAP, TEXT("output", AT(output), "FOLDER|FILE"), .first = true, .letter = 'o', .offer = OFFER_FILES,
     .help = "the folder that gets a folder frame_N for every frame, or the video; - is standard output (fovea-map)"},
    {FOR_RUN, TEXT("output", AT(output), "FOLDER"), .letter = 'o', .offer = OFFER_FILES,
     .help = "write the shards here; complete shards found here are not computed again (shards)"},
    {FOR_DECODE, TEXT("output", AT(output), "FILE"), .first = true, .letter = 'o', .offer = OFFER_FILES,
     .help = "write Y4M, or planar samples if FILE ends with .raw or .yuv; - is Y4M on standard output"},
    {FOR_DEMO, TEXT("output", AT(output), "FILE"), .first = true, .letter = 'o', .offer = OFFER_FILES,
     .help = "also write a JSON report"},
    {FOR_SCORE | FOR_MERGE | FOR_REPORT, TEXT("format", AT(format), "NAME"), .choices = options_formats,
     .gone = gone_formats,
     .help = "the format of the report: json, csv, ndjson, html, a page with curves and pictures, events, CSV "
             "with a row for each event of the checks, or junit, a test case for each quality gate (by the ending of "
             "FILE, .xml for junit, else json)"},
    {FOR_SCORE | FOR_MERGE | FOR_REPORT, TEXT("embed", AT(embed), "FILE"), .offer = OFFER_FILES,
     .help =
         "put the npm package fovea, the .tgz of this version, into the page (.html), which then scores two other "
         "files in the reader's browser; it takes 0.8 MB"},
    {FOR_MAP, TEXT("format", AT(format), "NAME"), .choices = map_formats,
     .help =
         "png (16 bits), png8, pfm (the values themselves), or y4m, a video of one map in 16 bits (png; y4m if the "
         "output is - or ends with .y4m)"},
    {FOR_SCORE | FOR_MERGE | FOR_REPORT, FLAG("details", AT(details)), .first = true,
     .help =
         "print every score with all its pools, the parts of VMAF, the sources of the verdicts, and every decision"},
    {FOR_SCORE | FOR_MERGE, FIXED("json", AT(format), "json"), .help = "--format json"},
    {FOR_SCORE | FOR_MERGE, FIXED("csv", AT(format), "csv"), .help = "--format csv"},
    {FOR_METRICS, FLAG("json", AT(json)), .help = "print a JSON array with one object for each metric"},
    {FOR_DEVICES, FLAG("json", AT(json)), .help = "print a JSON array with one object for each device"},
    {FOR_DEVICES, FLAG("verify", AT(verify)),
     .help = "also compare every GPU with the CPU: first its arithmetic, then each metric on small frames. Scoring "
             "does the same by itself when it meets a new driver"},
    {FOR_DEVICES, TEXT("report", AT(device_report), "FILE"), .offer = OFFER_FILES,
     .help =
         "with --verify: test every GPU on a long list of frames and options, measure its speeds, and write the "
         "outcome to FILE as JSON, which docs/devices collects; of several GPUs, each to a file of its own. It takes "
         "minutes, and the report names no user, host or file. The exit code is 1 if anything differs, 4 without a "
         "GPU"},
    {FOR_DEVICES, TEXT("device", AT(only_device), "NAME"), .offer = OFFER_DEVICES,
     .help = "report this device alone; the report of cpu compares every instruction set with plain C"},
    {FOR_DEVICES, TEXT("credit", AT(credit), "TEXT"), .help = "a name to credit in the report"},
    {FOR_DEVICES, FLAG("brief", AT(brief)),
     .help = "report on a short list of frames, without speeds: a try in seconds, which docs/devices does not count"},
    {FOR_DEVICES, FLAG("speeds", AT(speeds)),
     .help = "print the measured speeds that --device auto uses, instead of the devices"},
    {FOR_DEVICES, FLAG("clear-speeds", AT(clear_speeds)), .alias = "forget", .former_alias = true,
     .help = "delete the measured speeds"},
    {FOR_DECODE, FLAG("md5", AT(md5)),
     .help = "print the MD5 of every frame: its planes with alpha, without padding, 16-bit samples low byte first"},
    {FOR_SCORE, TEXT("batch", AT(batch), "FILE"), .left_out_by = FOR_CHECK, .offer = OFFER_FILES,
     .help = "score many pairs in one process: each line of FILE, or of standard input (-), is a JSON array of words "
             "such as [\"ref.mkv\", \"dis.mkv\", \"--frames\", \"50\"], added to this command's own, and is answered "
             "by a "
             "line on standard output"},
    {FOR_CHECK, TEXT("batch", AT(batch), "FILE"), .offer = OFFER_FILES,
     .help =
         "check many videos in one process: each line of FILE, or of standard input (-), is a JSON array of words "
         "such as [\"film.mov\", \"--skip\", \"light\"], added to this command's own, and is answered by a "
         "line with verdict and exit code on standard output"},
    {FOR_SCORE, TEXT("check", AT(check), "REPORT|FOLDER"), .left_out_by = FOR_CHECK, .offer = OFFER_FILES,
     .help = "score again what this JSON report says, or each of a folder, and compare every number. The metrics and "
             "options are the report's unless they are given, and so are the videos if none is named. Exit codes: 0 "
             "no number differs, 1 some do, 2 nothing could be compared, 3 a file cannot be read"},
    {FOR_SCORE, LIST("print", AT(print), "SCORE[:POOL]"), .left_out_by = FOR_CHECK, .offer = OFFER_OUTPUTS,
     .help = "print this pooled score alone, with 17 digits, in place of the table; may be repeated. A run that ends "
             "early prints none"},
    {FOR_SCORE | FOR_MERGE, LIST("fail-below", AT(fail_below), "SCORE=VALUE[:POOL]"), .first = true,
     .offer = OFFER_OUTPUTS,
     .help = "exit with 1 if a pooled score is lower than VALUE; POOL is " POOLS "; may be repeated"},
    {FOR_SCORE | FOR_MERGE, LIST("fail-above", AT(fail_above), "SCORE=VALUE[:POOL]"), .offer = OFFER_OUTPUTS,
     .help = "exit with 1 if a pooled score is higher than VALUE, for scores where lower is better; may be repeated"},
    {FOR_VIEW, LIST("fail-below", AT(fail_below), "SCORE=VALUE[:POOL]"), .first = true, .offer = OFFER_OUTPUTS,
     .help = "draw a quality gate and show whether the scores pass it; POOL is " POOLS "; may be repeated"},
    {FOR_VIEW, LIST("fail-above", AT(fail_above), "SCORE=VALUE[:POOL]"), .offer = OFFER_OUTPUTS,
     .help = "draw a quality gate of a score where lower is better; may be repeated"},
    {~0u, ROW_PROGRESS(AT(progress))},
    {FOR_SCORE | FOR_MERGE, LIST("group", AT(groups), "NAME=PATTERN"), .left_out_by = FOR_CHECK,
     .help =
         "group the encodes whose file names match PATTERN (* and ?); each group has its own hull and BD-rate; may "
         "be repeated (a group for each codec)"},
    {FOR_CHECK, FLAG("quiet", AT(quiet)), .letter = 'q',
     .help = "print one line for each video, and no progress unless --progress asks for it"},
    {FOR_SCORE | FOR_MERGE, FLAG("quiet", AT(quiet)), .left_out_by = FOR_CHECK, .letter = 'q',
     .help =
         "print the verdict's sentence alone, in place of the table of a pair, without --details, and no progress "
         "unless --progress asks for it"},
    {FOR_RUN | FOR_DECODE, FLAG("quiet", AT(quiet)), .letter = 'q', .help = "--progress none"},
    {FOR_VIEW, NUMBER("port", AT(port), 0, 65535), .section = "Server",
     .help = "the port to listen on; 0 takes any free port (0)"},
    {FOR_VIEW, TEXT("listen", AT(listen), "ADDRESS"),
     .help = "a numeric address of this machine, for access from other machines; the connection is not encrypted "
             "(127.0.0.1)"},
    {FOR_VIEW, TEXT("show", AT(show), "VIEW"),
     .help =
         "what the page shows at first, such as 'frame=21&mode=overlay': the part after # in the address of a page, "
         "whose key y copies the whole command"},
    {FOR_VIEW, TEXT("map-device", AT(map_device), "NAME"), .section = "Processors", .offer = OFFER_DEVICES,
     .help = "the device that computes maps, as 'fovea devices' lists it (cpu)"},
};
enum { OWN = sizeof own / sizeof *own, MOST = 256 };

/* One-letter names of parameters, and the kind of values that a shell offers for them. */
static const struct {
    const char *name;
    ArgOffer offer;
    char letter;
} extras[] = {
    {"width", OFFER_NOTHING, 'w'},     {"height", OFFER_NOTHING, 'h'}, {"pixel_format", OFFER_NOTHING, 'p'},
    {"bitdepth", OFFER_NOTHING, 'b'},  {"model", OFFER_MODELS, 0},     {"roi", OFFER_FILES, 0},
    {"convert", OFFER_CONVERSIONS, 0}, {"device", OFFER_DEVICES, 0},   {"scale", OFFER_SCALES, 0},
};

ArgOption options_table[MOST + 1];
static int filled;

/* Help of parameters in commands where they do not mean what their row says. */
static const struct {
    const char *name;
    unsigned taken_by;
    const char *help;
} special[] = {
    {"device", FOR_SCORE,
     "the device that computes: auto, cpu, or another that 'fovea devices' lists. Several, as in cuda:0,cuda:1, or "
     "all share the frames. Scores are the same on all"},
    {"device", FOR_DECODE, "the device that decodes: cpu, or a GPU that 'fovea devices' lists (cpu)"},
};

/* Returns the texts joined, in memory that lasts as long as the process. */
static char *join_texts(const char *begin, const char *middle, const char *end)
{
    static char texts[16384];
    static size_t used;
    char *text = texts + used;
    used += (size_t)snprintf(text, sizeof texts - used, "%s%s%s", begin, middle, end) + 1;
    return text;
}

/* Returns the texts joined, with '-' for each '_': "", "frame_skip" and "-ref" give "frame-skip-ref". */
static const char *spell(const char *begin, const char *name, const char *end)
{
    char *text = join_texts(begin, name, end);
    for (char *c = text; *c; c++)
        *c = *c == '_' ? '-' : *c;
    return text;
}

/* Adds the option that sets `param`, named after the parameter's row, with `end` appended. */
static void add_option(const FvParamInfo *info, unsigned taken_by, const char *param, const char *end)
{
    const FvOptionInfo *row = &info->option;
    ArgOption *option = &options_table[filled];
    if (!taken_by || filled == MOST)
        return;
    *option = (ArgOption){.taken_by = taken_by,
                          .name = spell("", row->name, end),
                          .alias = row->alias ? spell("", row->alias, end) : NULL,
                          .former_alias = info->former_alias,
                          .kind = ARG_PARAM,
                          .offset = AT(run),
                          .param = param,
                          .row = info,
                          .repeats = info->repeats,
                          .value = info->form,
                          .choices = row->choices,
                          .first = info->first && !*end,
                          .help = row->help};
    if (*end && info->sides == FV_OF_BOTH)
        option->help =
            spell("--", row->name, *param == 'r' ? " for the reference alone" : " for the distorted video alone");
    else if (*end)
        option->help = join_texts(*param == 'r' ? "of the reference: " : "of the distorted video: ", row->help, "");
    if (!strcmp(row->name, "frame_skip") && !strcmp(end, "-dis"))
        option->alias = "frame-skip-dist"; /* the name of libvmaf's command */
    for (size_t i = 0; i < sizeof extras / sizeof *extras; i++)
        if (!strcmp(extras[i].name, row->name) && !*end) {
            option->offer = extras[i].offer;
            option->letter = extras[i].letter;
        }
    filled++;
}

/*
 * Adds the options of a parameter. A parameter of a video becomes two options, one for each video, except in commands
 * that read only one video.
 */
static void add_row(const FvParamInfo *info)
{
    const unsigned alone = info->tasks & FOR_DECODE;
    const char *name = info->option.name;
    unsigned usual = info->sides == FV_OF_EACH ? alone : info->tasks;
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if (!strcmp(special[i].name, name)) {
            add_option(info, usual & special[i].taken_by, name, "");
            options_table[filled - 1].help = special[i].help;
            usual &= ~special[i].taken_by;
        }
    add_option(info, usual, name, "");
    if (info->sides == FV_OF_EACH || info->sides == FV_OF_BOTH) {
        add_option(info, info->tasks & ~alone, join_texts("reference.", name, ""), "-ref");
        add_option(info, info->tasks & ~alone, join_texts("distorted.", name, ""), "-dis");
    }
}

void options_fill(void)
{
    static const char *const sections[] = {"Videos", "Checks",  "Metrics", "Frames",    "Pictures",
                                           "Shards", "Results", "Server",  "Processors"};
    for (size_t s = 0; s < sizeof sections / sizeof *sections; s++) {
        const int from = filled;
        const char *section = NULL;
        for (int i = 0; i < OWN; i++) {
            section = own[i].section ? own[i].section : section;
            if (!strcmp(section, sections[s]))
                options_table[filled++] = own[i];
        }
        for (int p = 0; p < fv_param_count(); p++)
            if (!strcmp(fv_param_info(p)->section, sections[s]))
                add_row(fv_param_info(p));
        for (int k = from; k < filled; k++)
            options_table[k].section = sections[s];
    }
}
