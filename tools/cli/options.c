#include "cli/options.h"

#define AT(field) offsetof(Options, field)

#define FOR_SCORING (FOR_SCORE | FOR_VIEW | FOR_PLAN)
#define FOR_PAIRS (FOR_SCORING | FOR_MAP)
#define FOR_PROCESSORS (FOR_SCORE | FOR_VIEW | FOR_MAP | FOR_RUN | FOR_DEMO)

#define POOLS "mean (the default), min, max, harmonic_mean, stddev, p1, p5, p10, p25, median, p75, p90, p95 or p99"
#define TIME "in seconds or as [HOURS:]MINUTES:SECONDS"

static const char *const readers[] = {"auto", "y4m", "raw", "icpf", "libav", "libav:FORMAT", NULL};
static const char *const file_readers[] = {"auto", "y4m", "icpf", "libav", "libav:FORMAT", NULL};
static const char *const decoders[] = {"prores=fovea", "prores=libavcodec", NULL};
static const char *const ranges[] = {"limited", "full", NULL};
static const char *const sitings[] = {"left", "center", "topleft", "top", "bottomleft", "bottom", NULL};
static const char *const field_orders[] = {"top", "bottom", "progressive", NULL};
static const char *const film_grains[] = {"on", "off", NULL};
static const char *const rotations[] = {"auto", "0", "90", "180", "270", NULL};
static const char *const map_formats[] = {"png", "png8", "pfm", "y4m", NULL};
static const char *const styles[] = {"auto", "bar", "json", "none", NULL};
static const char *const isas[] = {"auto", "scalar", "sse2", "avx2", "avx512", "neon", NULL};
const char *const options_alignments[] = {"index", "time", "auto", "map", NULL};
const char *const options_formats[] = {"json", "csv", "ndjson", "html", "ffvship", "turbo-metrics", NULL};

const ArgOption options_table[] = {
    {FOR_PAIRS, ROW_REFERENCE(AT(reference)), .left_out_by = FOR_CHECK, .first = true, .section = "Videos",
     .help = "the original video, for metrics that compare; - is standard input"},
    {FOR_CHECK, LIST("distorted", AT(encodes), "FILE"), .first = true, .section = "Videos", .letter = 'd',
     .offer = OFFER_FILES, .positional = true,
     .help = "a video to check; - is standard input. Several are checked one after the other"},
    {FOR_CHECK, TEXT("reference", AT(reference), "FILE"), .first = true, .letter = 'r', .offer = OFFER_FILES,
     .help = "the original video, whose own events are told from those that the encode adds"},
    {FOR_CHECK, LIST("only", AT(only), "NAME,..."), .first = true, .section = "Checks",
     .help =
         "make these checks alone, by their names or those of their metrics: black, flat, freeze, cadence, repeat, "
         "bars, illegal, light, gamut, flash, flash_extended, fields, telecine, comb; levels, scan, siti, texture, "
         "cambi"},
    {FOR_CHECK, LIST("skip", AT(skip_checks), "NAME,..."), .first = true, .help = "leave these out"},
    {FOR_CHECK, LIST("expect", AT(expect), "NAME,..."), .first = true,
     .help = "events of these checks are intended, such as bars: they are information"},
    {FOR_CHECK, TEXT("fail-on", AT(fail_on), "NAME,...|warn|fail|none"), .first = true,
     .help = "exit with 1 if one of these checks has an event, or one of this severity or above is found (fail)"},
    {FOR_CHECK, FLAG("list", AT(list)), .help = "print all checks with their limits, and check nothing"},
    {FOR_CHECK, LIST("metric", AT(metrics), "NAME=OPTION=VALUE:..."), .first = true, .section = "Metrics",
     .letter = 'm', .offer = OFFER_METRICS,
     .help = "options of the metrics, as in freeze=time=1; further metrics are computed too"},
    {FOR_SCORE | FOR_VIEW | FOR_PLAN, LIST("distorted", AT(encodes), "FILE"), .left_out_by = FOR_CHECK, .first = true,
     .letter = 'd', .offer = OFFER_FILES, .positional = true,
     .help = "the video to score; - is standard input. With several, each is compared with the reference, which is "
             "read once; a quoted pattern such as 'ladder/*.mp4' stands for all files that it matches"},
    {FOR_MAP, ROW_DISTORTED(AT(distorted)), .first = true, .help = "the video to score; - is standard input"},
    {FOR_MAP, LIST("frame", AT(map_frames), "N|A-B"), .first = true,
     .help = "frames, counted from 0: a list such as 3,7,10-20; may be repeated (pictures: 0; video: all)"},
    {FOR_MAP, NUMBER("worst", AT(worst), 1, 100000), .first = true,
     .help =
         "score the whole clip first and show the N frames with the worst first score, each with reference.png and "
         "distorted.png next to its maps"},
    {FOR_PAIRS, TEXT("reader", AT(reader), "NAME"), .choices = readers,
     .help = "what opens the videos: auto, y4m, raw, icpf, libav, or libav:FORMAT to name a demuxer of libavformat "
             "(auto)"},
    {FOR_PAIRS, TEXT("reader-ref", AT(reader_of[0]), "NAME"), .choices = readers,
     .help = "the same for the reference alone"},
    {FOR_PAIRS, TEXT("reader-dis", AT(reader_of[1]), "NAME"), .choices = readers,
     .help = "the same for the distorted video alone"},
    {FOR_DECODE, TEXT("reader", AT(reader), "NAME"), .choices = file_readers,
     .help = "what opens the video: auto, y4m, icpf, libav, or libav:FORMAT to name a demuxer of libavformat (auto)"},
    {FOR_PAIRS | FOR_DECODE, TEXT("decoder", AT(decoder), "prores=NAME"), .choices = decoders,
     .help = "the decoder for ProRes: fovea or libavcodec (prores=fovea)"},
    {FOR_PAIRS, ROW_WIDTH(AT(width))},
    {FOR_PAIRS, ROW_HEIGHT(AT(height))},
    {FOR_PAIRS, TEXT("pixel-format", AT(pixel_format), "NAME"), .letter = 'p',
     .help =
         "raw video: 400, 420, 422 or 444, or a name that also gives the depth, such as yuv420p10le, nv12, p010 or "
         "uyvy422"},
    {FOR_PAIRS, NUMBER("bitdepth", AT(depth), 8, 16), .letter = 'b',
     .help =
         "raw video: bits per sample; above 8, a sample takes two bytes, low byte first. With --reader icpf: 10 or "
         "12"},
    {FOR_DECODE, NUMBER("bitdepth", AT(depth), 10, 12), .letter = 'b',
     .help = "bits per sample of ProRes frames without a container, which do not record it: 10 or 12 (10)"},
    {FOR_PAIRS, NUMBER("stream-ref", AT(stream[0]), 1, 256),
     .help = "the video stream of the reference to use, counted from 1, where its container has several"},
    {FOR_PAIRS, NUMBER("stream-dis", AT(stream[1]), 1, 256), .help = "the same for the distorted video"},
    {FOR_PAIRS, TEXT("range-ref", AT(range[0]), "NAME"), .choices = ranges,
     .help = "the true range of the reference, limited or full; overrides its tag"},
    {FOR_PAIRS, TEXT("range-dis", AT(range[1]), "NAME"), .choices = ranges,
     .help = "the same for the distorted video"},
    {FOR_PAIRS, TEXT("matrix-ref", AT(matrix[0]), "NAME"),
     .help = "the true matrix of the reference: bt709, bt601, bt2020, or a code point of H.273"},
    {FOR_PAIRS, TEXT("matrix-dis", AT(matrix[1]), "NAME"), .help = "the same for the distorted video"},
    {FOR_PAIRS, TEXT("transfer-ref", AT(transfer[0]), "NAME"),
     .help = "the true transfer characteristics of the reference: bt709, srgb, pq, hlg, or a code point"},
    {FOR_PAIRS, TEXT("transfer-dis", AT(transfer[1]), "NAME"), .help = "the same for the distorted video"},
    {FOR_PAIRS, TEXT("primaries-ref", AT(primaries[0]), "NAME"),
     .help = "the true primaries of the reference: bt709, bt601, bt2020, or a code point"},
    {FOR_PAIRS, TEXT("primaries-dis", AT(primaries[1]), "NAME"), .help = "the same for the distorted video"},
    {FOR_PAIRS, TEXT("siting-ref", AT(siting[0]), "NAME"), .choices = sitings,
     .help = "where the chroma samples of the reference lie: left, center, topleft, top, bottomleft or bottom"},
    {FOR_PAIRS, TEXT("siting-dis", AT(siting[1]), "NAME"), .choices = sitings,
     .help = "the same for the distorted video"},
    {FOR_SCORE, TEXT("fields-ref", AT(fields_of[0]), "ORDER"), .choices = field_orders,
     .help = "the true field order of the reference: the top or the bottom field first, or progressive; overrides "
             "its tag"},
    {FOR_SCORE, TEXT("fields-dis", AT(fields_of[1]), "ORDER"), .choices = field_orders,
     .help = "the same for the distorted video"},
    {FOR_DECODE, FLAG("strict", AT(strict)),
     .help = "stop at the first damaged frame instead of decoding what is left of it"},

    {FOR_SCORING, LIST("metric", AT(metrics), "NAME[=OPTION=VALUE:...],..."), .left_out_by = FOR_CHECK, .first = true,
     .section = "Metrics", .letter = 'm', .offer = OFFER_METRICS,
     .help = "the metrics to compute (vmaf,psnr,psnr_hvs, and of RGB pictures those that take RGB); may be repeated. "
             "'fovea metrics' lists all"},
    {FOR_MAP, LIST("metric", AT(metrics), "NAME[=OPTIONS]"), .first = true, .letter = 'm', .offer = OFFER_METRICS,
     .help = "metrics that have maps, with their options (with a reference the first that compares, else the first "
             "that needs none)"},
    {FOR_SCORING, LIST("model", AT(models), "auto|version=NAME|path=FILE[:...]"), .offer = OFFER_MODELS,
     .first = true,
     .help = "VMAF by this model, in libvmaf's spelling: name=NAME, disable_clip, enable_transform and "
             "METRIC.OPTION=VALUE may follow; may be repeated"},
    {FOR_SCORING, FLAG("allow-hdr", AT(allow_hdr)),
     .help = "score PQ and HLG videos with VMAF, whose models are not made for them"},
    {FOR_SCORING, TEXT("roi", AT(roi), "W:H:X:Y|FILE"), .offer = OFFER_FILES,
     .help =
         "where errors count: in a rectangle, in luma samples of the pictures that are compared, or as the samples "
         "of a gray picture or video of their size say, from 0, not at all, to 255"},
    {FOR_MAP, LIST("map", AT(maps), "NAME"),
     .help = "one of their maps, by the name that 'fovea metrics' lists; may be repeated (all but the maps for "
             "research)"},
    {FOR_MAP, TEXT("maximum", AT(maximum), "X"),
     .help = "the value shown as white, or as yellow in the overlay (the greatest that the metric's options allow; "
             "without a limit, 8 in the overlay and in 8 bits, 64 in 16 bits)"},

    {FOR_SCORE | FOR_VIEW | FOR_MAP, TEXT("align", AT(align), "HOW"), .first = true, .section = "Frames",
     .choices = options_alignments,
     .help = "how frames pair: index; time, by presentation time; auto, by one offset found by content; map, by "
             "content with drops and repeats (index)"},
    {FOR_SCORING, FLAG("shortest", AT(shortest)), .first = true,
     .help = "stop at the end of the shorter video instead of refusing unequal lengths"},
    {FOR_SCORE, FLAG("strict", AT(strict)),
     .help = "refuse videos that seem to show different frames (shifted, dropped, repeated, frozen, black, mirrored, "
             "with bars), instead of warning"},
    {FOR_PAIRS, FLAG("ignore-rate", AT(ignore_rate)), .help = "pair frame by frame although the frame rates differ"},
    {FOR_PAIRS, FLAG("ignore-range", AT(ignore_range)),
     .help = "compare the code values although one video is tagged limited and the other full range"},
    {FOR_PAIRS, FLAG("ignore-colour", AT(ignore_colour)), .alias = "ignore-color",
     .help = "compare the code values although primaries, transfer or matrix differ"},
    {FOR_PAIRS, FLAG("ignore-fields", AT(ignore_fields)),
     .help = "compare frame by frame although one video has another field order, or none"},
    {FOR_SCORE, FLAG("fields", AT(fields)),
     .help = "interlaced videos: score each field of both as a picture; each score then has columns for the top and "
             "the bottom fields, and is pooled over all fields"},
    {FOR_SCORING, NUMBER("subsample", AT(subsample), 1, INT32_MAX), .alias = "every",
     .help = "score only every N-th frame; also --every N"},
    {FOR_SCORING | FOR_DECODE, NUMBER("frames", AT(frames), 0, INT64_MAX), .alias = "frame-cnt",
     .help = "stop after N frames; 0 means all (0)"},
    {FOR_PAIRS, NUMBER("frame-skip-ref", AT(skip[0]), 0, INT64_MAX),
     .help = "skip N frames at the start of the reference"},
    {FOR_PAIRS, NUMBER("frame-skip-dist", AT(skip[1]), 0, INT64_MAX),
     .help = "skip N frames at the start of the distorted video"},
    {FOR_SCORING, TEXT("start", AT(start), "TIME"),
     .help = "start both videos at this time, " TIME "; counted after skipped frames"},
    {FOR_SCORING, TEXT("duration", AT(duration), "TIME"), .help = "stop after this time"},

    {FOR_PAIRS, TEXT("scale", AT(scale), "dis|ref|WxH|display"), .first = true, .section = "Pictures",
     .help =
         "scale the distorted video to the size of the reference (dis), the reference to the size of the distorted "
         "video (ref), or both to WxH or to the size of the reference with square samples (display)"},
    {FOR_PAIRS, TEXT("kernel", AT(kernel), "NAME"),
     .help = "the scaling kernel: bicubic, bicubic:B:C, lanczos, bilinear or spline36 (bicubic:0:0.6)"},
    {FOR_PAIRS, TEXT("crop-ref", AT(crop[0]), "W:H:X:Y|auto"),
     .help = "score only this part of the reference: width, height, column and row, after turning and before "
             "scaling; auto cuts off the "
             "black bars that the whole clip has"},
    {FOR_PAIRS, TEXT("crop-dis", AT(crop[1]), "W:H:X:Y|auto"), .help = "the same for the distorted video"},
    {FOR_PAIRS, FLAG("pad", AT(pad)),
     .help = "with --scale: where the videos have different shapes, keep both and add black bars to what is scaled"},
    {FOR_PAIRS, FLAG("stretch", AT(stretch)),
     .help = "compare the videos although players show them in different shapes: scale one shape to the other"},
    {FOR_PAIRS, TEXT("rotate", AT(rotate), "HOW"), .choices = rotations,
     .help = "turn both videos first: auto, as players do, or by so many degrees clockwise; 0 takes them as they are "
             "stored"},
    {FOR_PAIRS, TEXT("rotate-ref", AT(rotation[0]), "HOW"), .choices = rotations,
     .help = "the same for the reference alone"},
    {FOR_PAIRS, TEXT("rotate-dis", AT(rotation[1]), "HOW"), .choices = rotations,
     .help = "the same for the distorted video alone"},
    {FOR_PAIRS, TEXT("film-grain", AT(film_grain), "on|off"), .choices = film_grains,
     .help = "off: decode AV1, H.264 and HEVC without the film grain that the streams ask for; other videos ask for "
             "none (on)"},
    {FOR_PAIRS, TEXT("film-grain-ref", AT(film_grain_of[0]), "on|off"), .choices = film_grains,
     .help = "the same for the reference alone"},
    {FOR_PAIRS, TEXT("film-grain-dis", AT(film_grain_of[1]), "on|off"), .choices = film_grains,
     .help = "the same for the distorted video alone"},
    {FOR_DECODE, TEXT("film-grain", AT(film_grain), "on|off"), .choices = film_grains,
     .help = "off: leave out the film grain that streams of AV1, H.264 and HEVC ask for (on)"},
    {FOR_PAIRS, TEXT("background", AT(background), "RRGGBB"),
     .help = "the colour under RGB and gray pictures with alpha, in hexadecimal digits; default 000000, black"},
    {FOR_PAIRS, LIST("convert", AT(convert), "WHAT,..."), .offer = OFFER_CONVERSIONS,
     .help = "convert where the videos differ: range and matrix of the distorted video, chroma to the richer format, "
             "depth of full range; rgb: RGB to Y'CbCr 4:4:4; all: everything"},

    {FOR_PLAN, NUMBER("shards", AT(shards), 1, 1000000), .section = "Shards", .help = "the number of shards"},
    {FOR_PLAN, NUMBER("frames-per-shard", AT(frames_per_shard), 1, INT32_MAX),
     .help = "instead of --shards: about how many frames each has; cuts lie where decoding can begin in both videos"},
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
    {FOR_MERGE, FLAG("strict", AT(strict)),
     .help = "exit with 5 where the videos seem to show different frames, instead of warning"},

    {FOR_SCORE | FOR_MERGE | FOR_REPORT, LIST("output", AT(outputs), "FILE"), .first = true, .section = "Results",
     .letter = 'o', .offer = OFFER_FILES,
     .help = "write a report: .json, .csv, .ndjson or .html, a page for a browser; may be repeated. - is standard "
             "output, in place of the table"},
    {FOR_PLAN, TEXT("output", AT(output), "FILE"), .first = true, .letter = 'o', .offer = OFFER_FILES,
     .help =
         "write the plan; - is standard output (plan.json). Of several encodes, the folder that gets a plan for each "
         "(plans)"},
    {FOR_MAP, TEXT("output", AT(output), "FOLDER|FILE"), .first = true, .letter = 'o', .offer = OFFER_FILES,
     .help = "the folder that gets a folder frame_N for every frame, or the video; - is standard output (fovea-map)"},
    {FOR_MAP, FLAG("overwrite", AT(overwrite)),
     .help = "replace pictures that are in the folder already, and follow links in it"},
    {FOR_SCORE, FLAG("overwrite", AT(overwrite)),
     .help = "replace heat maps that are in the folder of cambi's heatmaps_path already"},
    {FOR_RUN, TEXT("output", AT(output), "FOLDER"), .letter = 'o', .offer = OFFER_FILES,
     .help = "write the shards here; complete shards found here are not computed again (shards)"},
    {FOR_DECODE, TEXT("output", AT(output), "FILE"), .first = true, .letter = 'o', .offer = OFFER_FILES,
     .help = "write Y4M, or planar samples if FILE ends with .raw or .yuv; - is Y4M on standard output"},
    {FOR_DEMO, TEXT("output", AT(output), "FILE"), .first = true, .letter = 'o', .offer = OFFER_FILES,
     .help = "also write a JSON report"},
    {FOR_SCORE | FOR_MERGE | FOR_REPORT, TEXT("format", AT(format), "NAME"), .choices = options_formats,
     .help =
         "the format of the report: json, csv, ndjson, html, a page with curves and the worst frames, or ffvship or "
         "turbo-metrics, the lists of scores of these programs (by the ending of FILE, else json)"},
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
    {FOR_DEVICES, FLAG("speeds", AT(speeds)),
     .help = "print what this machine has shown of its speeds instead, by which --device auto chooses"},
    {FOR_DEVICES, FLAG("forget", AT(forget)), .help = "forget these speeds"},
    {FOR_DECODE, FLAG("md5", AT(md5)),
     .help = "print the MD5 of every frame: its planes with alpha, without padding, 16-bit samples low byte first"},
    {FOR_SCORE, TEXT("batch", AT(batch), "FILE"), .left_out_by = FOR_CHECK, .offer = OFFER_FILES,
     .help = "score many pairs in one process: each line of FILE, or of standard input (-), is a JSON array of words "
             "such as [\"ref.mkv\", \"dis.mkv\", \"--frames\", \"50\"], added to this command's own, and is answered "
             "by a "
             "line on standard output"},
    {FOR_SCORE, LIST("print", AT(print), "SCORE[:POOL]"), .left_out_by = FOR_CHECK, .offer = OFFER_OUTPUTS,
     .help = "print this pooled score alone, with 17 digits, in place of the table; may be repeated. A run that does "
             "not score every frame prints none"},
    {FOR_SCORE | FOR_MERGE, LIST("fail-below", AT(fail_below), "SCORE=VALUE[:POOL]"), .first = true,
     .offer = OFFER_OUTPUTS,
     .help = "exit with 1 if a pooled score is lower than VALUE; POOL is " POOLS "; may be repeated"},
    {FOR_SCORE | FOR_MERGE, LIST("fail-above", AT(fail_above), "SCORE=VALUE[:POOL]"), .offer = OFFER_OUTPUTS,
     .help = "the same for scores where lower is better: exit with 1 if one is higher"},
    {FOR_VIEW, LIST("fail-below", AT(fail_below), "SCORE=VALUE[:POOL]"), .first = true, .offer = OFFER_OUTPUTS,
     .help = "draw a quality gate and show whether the scores pass it; POOL is " POOLS "; may be repeated"},
    {FOR_VIEW, LIST("fail-above", AT(fail_above), "SCORE=VALUE[:POOL]"), .offer = OFFER_OUTPUTS,
     .help = "the same for scores where lower is better"},
    {FOR_SCORE | FOR_MERGE, TEXT("intervals", AT(intervals), "TIME"),
     .help = "also pool the scores of every interval of this length, " TIME},
    {FOR_SCORE, FLAG("scenes", AT(scenes)), .help = "also pool the scores of every scene"},
    {FOR_VIEW, FLAG("scenes", AT(scenes)), .help = "mark where scenes begin"},
    {FOR_SCORE, FLAG("resume", AT(resume)),
     .help = "keep finished parts in FILE.shards until the report FILE is written; the same command continues from "
             "there"},
    {FOR_SCORE, FLAG("pace", AT(pace)),
     .help =
         "record in the report how fast reading, decoding and scoring went and what limited them; reports of equal "
         "runs then differ"},
    {FOR_SCORE | FOR_RUN | FOR_DECODE, TEXT("progress", AT(progress), "STYLE"), .choices = styles,
     .help =
         "what standard error shows: auto, bar, json or none. auto is a bar on a terminal; json makes every line a "
         "JSON object"},
    {FOR_SCORE | FOR_RUN | FOR_DECODE, FIXED("quiet", AT(progress), "none"), .letter = 'q',
     .help = "--progress none"},

    {FOR_VIEW, NUMBER("port", AT(port), 0, 65535), .section = "Server",
     .help = "the port to listen on; 0 takes any free port (0)"},
    {FOR_VIEW, TEXT("listen", AT(listen), "ADDRESS"),
     .help = "a numeric address of this machine, for access from other machines; the connection is not encrypted "
             "(127.0.0.1)"},
    {FOR_VIEW, TEXT("show", AT(show), "VIEW"),
     .help =
         "what the page shows at first, such as 'frame=21&mode=overlay': the part after # in the address of a page, "
         "whose key y copies the whole command"},

    {FOR_PROCESSORS, TEXT("device", AT(device), "NAME"), .first = true, .offer = OFFER_DEVICES,
     .section = "Processors",
     .help =
         "the device that computes: auto, cpu, or another that 'fovea devices' lists; scores are the same on all. "
         "'fovea score' also splits the frames among several, as in cuda:0,cuda:1, or among all"},
    {FOR_DECODE, TEXT("device", AT(device), "NAME"), .offer = OFFER_DEVICES,
     .help =
         "the device that decodes: cpu, or a GPU that 'fovea devices' lists, for ProRes and, with CUDA, the codecs "
         "of its video decoders; the samples are the same (cpu)"},
    {FOR_VIEW, TEXT("map-device", AT(map_device), "NAME"), .offer = OFFER_DEVICES,
     .help = "the device that computes maps, as 'fovea devices' lists it (cpu)"},
    {FOR_PROCESSORS, TEXT("isa", AT(isa), "NAME"), .choices = isas,
     .help = "the CPU instructions to use: auto, scalar, sse2, avx2, avx512 or neon; scores are the same with all"},
    {FOR_PROCESSORS | FOR_DECODE, NUMBER("threads", AT(threads), 0, 1024),
     .help = "threads to use; 0 means one for each processor (0)"},
    {FOR_SCORE | FOR_RUN, NUMBER("in-flight", AT(in_flight), 0, 1024),
     .help = "frame pairs processed at the same time, which bounds the memory; 0 chooses by the threads (0)"},
    {.name = NULL},
};

int options_source_threads(const Options *options)
{
    return options->threads < 256 ? (int)options->threads : 256;
}
