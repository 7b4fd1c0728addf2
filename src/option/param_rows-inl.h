/*
 * The parameters of a run, one row each: PARAM(id, name, sides, tasks, first members of FvParamRow, help). Parsing
 * and help of the command, keywords of Python, plans, completions, the man page and docs/parameters.md follow from a
 * row; only the code that uses the member remains to be written. Rows of a section are consecutive, in the order of
 * help.
 */

/* ---- Videos ---- */
PARAM(WIDTH, "width", ALL, COMPARES, IN_VIDEOS NUMBER(source[0].raw.width, 1, FV_MAX_SIDE, "samples"),
      "raw video: luma columns")
PARAM(HEIGHT, "height", ALL, COMPARES, IN_VIDEOS NUMBER(source[0].raw.height, 1, FV_MAX_SIDE, "samples"),
      "raw video: luma rows")
PARAM(PIXEL_FORMAT, "pixel_format", ALL, COMPARES,
      IN_VIDEOS FORM(PIXELS, source[0].raw, "NAME", EXAMPLES("420", "yuv420p10le", "nv12"),
                     "400, 420, 422, 444, 411, 440, 410, planar names such as yuv420p and yuv422p10le, and packed "
                     "names such as nv12, "
                     "p010, uyvy422, y210 and v210"),
      "raw video: 400, 420, 422, 444, 411, 440 or 410, or a name that also gives the depth, such as yuv420p10le, "
      "nv12, p010 or "
      "uyvy422")
PARAM(BITDEPTH, "bitdepth", ALL, COMPARES | DECODE, IN_VIDEOS NUMBER(source[0].raw.depth, 8, 16, "bits"),
      "raw video: bits per sample; above 8, a sample takes two bytes, low byte first. Of ProRes frames without a "
      "container, which do not record it: 10 or 12 (10)")
PARAM(RATE, "rate", ALL, COMPARES | DECODE,
      IN_VIDEOS FORM(RATE, source[0].raw, "N[/D]", EXAMPLES("25", "30000/1001"),
                     "frames a second, as 25 or 30000/1001, of numbers up to 2147483647"),
      "frames a second, such as 25 or 30000/1001, of raw video, pictures and other files that state no rate")
PARAM(READER, "reader", BOTH, COMPARES | DECODE, IN_VIDEOS WORD(source[0].reader, "NAME", readers),
      "the reader of the video: auto, y4m, raw, icpf, libav, or libav:FORMAT to name a demuxer of libavformat (auto)")
PARAM(DECODER, "decoder", ALL, COMPARES | DECODE, IN_VIDEOS WORD(source[0].decoder, "prores=NAME", decoders),
      "the decoder for ProRes: fovea or libavcodec (prores=fovea)")
PARAM(STREAM, "stream", EACH, COMPARES | DECODE, IN_VIDEOS NUMBER(source[0].stream, 1, 256, NULL),
      "the video stream to use, counted from 1, where a container has several")
PARAM(RANGE, "range", EACH, COMPARES | DECODE, IN_VIDEOS CHOICE(source[0].tags.range, ranges, FV_RANGE_LIMITED),
      "the true range, limited or full; overrides the file's tag")
PARAM(MATRIX, "matrix", EACH, COMPARES | DECODE,
      IN_VIDEOS FORM(MATRIX, source[0].tags.matrix, "NAME", EXAMPLES("bt709", "bt601", "bt2020", "9"), COLOURS),
      "the true matrix: bt709, bt601, bt2020, or a code point of H.273; overrides the file's tag")
PARAM(TRANSFER, "transfer", EACH, COMPARES | DECODE,
      IN_VIDEOS FORM(TRANSFER, source[0].tags.transfer, "NAME", EXAMPLES("bt709", "srgb", "pq", "hlg", "16"),
                     TRANSFERS),
      "the true transfer characteristics: bt709, srgb, pq, hlg, or a code point of H.273; overrides the file's tag")
PARAM(PRIMARIES, "primaries", EACH, COMPARES | DECODE,
      IN_VIDEOS FORM(PRIMARIES, source[0].tags.primaries, "NAME", EXAMPLES("bt709", "bt601", "bt2020", "9"), COLOURS),
      "the true primaries: bt709, bt601, bt2020, or a code point of H.273; overrides the file's tag")
PARAM(SITING, "siting", EACH, COMPARES | DECODE, IN_VIDEOS CHOICE(source[0].tags.siting, sitings, FV_SITING_LEFT),
      "where the chroma samples lie: left, center, topleft, top, bottomleft or bottom; overrides the file's tag")
PARAM(FIELD_ORDER, "fields", EACH, SCORE | VIEW | MAP,
      IN_VIDEOS CHOICE(source[0].fields, field_orders, FV_FIELDS_PROGRESSIVE),
      "the true field order: progressive, top (field first) or bottom; overrides the file's tag")
PARAM(CONCEAL, "conceal", ALL, SCORE | VIEW | MAP, IN_VIDEOS FLAG(source[0].conceal),
      "accept damaged ProRes frames, with 0 in their lost parts, instead of refusing them")

/* ---- Metrics ---- */
PARAM(MODEL, "model", RUN, SCORE | VIEW | PLAN | PUSH,
      IN_METRICS FIRST REPEATED FORM(MODELS, models, "auto|version=NAME|path=FILE[:...]",
                                     EXAMPLES("auto", "version=vmaf_v0.6.1neg:name=neg"),
                                     "auto, version=NAME or path=FILE, and after a colon name=NAME, disable_clip, "
                                     "enable_transform and METRIC.OPTION=VALUE"),
      "VMAF by this model, in libvmaf's spelling: name=NAME, disable_clip, enable_transform and METRIC.OPTION=VALUE "
      "may follow; may be repeated")
PARAM(ALLOW_HDR, "allow_hdr", RUN, COMPARES | PUSH, IN_METRICS FLAG(allow_hdr),
      "score PQ and HLG videos with VMAF, whose models are not made for them")
PARAM(ROI, "roi", RUN, COMPARES | PUSH,
      IN_METRICS FORM(PATH, roi, "W:H:X:Y|FILE", EXAMPLES("32:32:0:0"), "a rectangle W:H:X:Y or a file"),
      "count errors only in a rectangle (luma samples of the pictures that are compared), or weight them by a gray "
      "picture or video of that size, from 0 (ignore) to 255")

/* ---- Frames ---- */
PARAM(
    ALIGN, "align", RUN, SCORE | VIEW | MAP, IN_FRAMES FIRST CHOICE(score.align, alignments, FV_ALIGN_BY_INDEX),
    "how frames pair: index; time, by presentation time; auto, by one offset found by content; map, by content with "
    "drops and repeats (index)")
PARAM(SHORTEST, "shortest", RUN, COMPARES, IN_FRAMES FIRST FLAG(score.shortest),
      "stop at the end of the shorter video instead of refusing unequal lengths")
PARAM(STRICT, "strict", RUN, SCORE | MERGE, IN_FRAMES FLAG(score.strict),
      "refuse videos that seem to show different frames (shifted, dropped, repeated, frozen, black, mirrored, with "
      "bars), instead of warning")
PARAM(IGNORE_RATE, "ignore_rate", RUN, COMPARES | PUSH, IN_FRAMES FLAG(score.ignore_rate),
      "pair frame by frame although the frame rates differ")
PARAM(IGNORE_RANGE, "ignore_range", RUN, COMPARES | PUSH, IN_FRAMES FLAG(score.ignore_range),
      "compare the code values although one video is tagged limited and the other full range")
PARAM(IGNORE_COLOUR, "ignore_colour", RUN, COMPARES | PUSH, IN_FRAMES ALIAS("ignore_color") FLAG(score.ignore_colour),
      "compare the code values although primaries, transfer or matrix differ")
PARAM(IGNORE_FIELDS, "ignore_fields", RUN, COMPARES, IN_FRAMES FLAG(score.ignore_fields),
      "compare frame by frame although one video has another field order, or none")
PARAM(FIELDS, "fields", RUN, SCORE, IN_FRAMES FLAG(score.fields),
      "interlaced videos: score each field of both as a picture; each score then has columns for the top and the "
      "bottom fields, and is pooled over all fields")
PARAM(SUBSAMPLE, "subsample", RUN, SCORE | VIEW | PLAN,
      IN_FRAMES ALIAS("every") NUMBER(score.subsample, 1, INT32_MAX, NULL), "score only every N-th frame")
PARAM(FRAMES, "frames", RUN, SCORE | VIEW | PLAN | DECODE, IN_FRAMES ALIAS("frame_cnt") LONG(score.frames),
      "stop after N frames; 0 means all (0)")
PARAM(FRAME_SKIP, "frame_skip", EACH, COMPARES, IN_FRAMES STEP(int64_t) LONG(score.skip_reference),
      "skip N frames at the start of the video")
PARAM(START, "start", RUN, COMPARES,
      IN_FRAMES FORM(TIME, score.start, "TIME", EXAMPLES("0", "0.04", "0:00:00.04"), TIMES),
      "start both videos at this time, in seconds or as [HOURS:]MINUTES:SECONDS; counted after skipped frames")
PARAM(DURATION, "duration", RUN, COMPARES,
      IN_FRAMES FORM(TIME, score.duration, "TIME", EXAMPLES("0.2", "0:01"), TIMES),
      "stop this long after the start, in seconds or as [HOURS:]MINUTES:SECONDS")

/* ---- Pictures ---- */
PARAM(
    SCALE, "scale", RUN, COMPARES | PUSH,
    IN_PICTURES FIRST FORM(SCALE, score.scale, "dis|ref|WxH|display", EXAMPLES("dis", "ref", "64x48", "display"),
                           "dis, ref, display or WIDTHxHEIGHT of numbers up to 32768"),
    "scale the distorted video to the size of the reference (dis), the reference to the size of the distorted video "
    "(ref), or both to WxH or to the size of the reference with square samples (display)")
PARAM(SCALE_FILTER, "scale_filter", RUN, COMPARES | PUSH,
      IN_PICTURES FORMER("kernel")
          FORM(KERNEL, score.scale, "NAME", EXAMPLES("bicubic", "bicubic:0:0.6", "lanczos", "bilinear", "spline36"),
               "bicubic, bicubic:B:C with B and C from 0 to 1, bilinear, lanczos or spline36"),
      "the filter that scales: bicubic, bicubic:B:C, lanczos, bilinear or spline36 (bicubic:0:0.6)")
PARAM(CROP, "crop", EACH, COMPARES | PUSH,
      IN_PICTURES STEP(FvCrop) FORM(CROP, score.crop[0], "W:H:X:Y|auto", EXAMPLES("32:32:0:0", "auto"),
                                    "WIDTH:HEIGHT:X:Y or auto, of numbers up to 32768"),
      "score only this part of the video: width, height, column and row, after turning and before scaling; auto cuts "
      "off the black bars that the whole clip has")
PARAM(PAD, "pad", RUN, COMPARES | PUSH, IN_PICTURES FIT(FV_FIT_PAD),
      "where the videos have different shapes, keep both and add black bars to what `scale` scales")
PARAM(STRETCH, "stretch", RUN, COMPARES | PUSH, IN_PICTURES FIT(FV_FIT_STRETCH),
      "compare the videos although players show them in different shapes: scale one shape to the other")
PARAM(ROTATE, "rotate", BOTH, COMPARES | DECODE, IN_PICTURES CHOICE(source[0].rotate, rotations, FV_ROTATE_AUTO),
      "turn the video first: auto, as players do, or by 0, 90, 180 or 270 degrees clockwise")
PARAM(FILM_GRAIN, "film_grain", BOTH, COMPARES | DECODE, IN_PICTURES SWITCH(source[0].no_grain, film_grains),
      "off: decode AV1, H.264 and HEVC without the film grain that the stream specifies; other codecs have none (on)")
PARAM(BACKGROUND, "background", ALL, COMPARES | DECODE,
      IN_PICTURES FORM(BACKGROUND, source[0].background, "RRGGBB", EXAMPLES("000000", "ffFF80"),
                       "a colour as RRGGBB, six hexadecimal digits"),
      "the colour under RGB and gray pictures with alpha, in hexadecimal digits; default 000000, black")
PARAM(CONVERT, "convert", RUN, COMPARES | DECODE | PUSH,
      IN_PICTURES REPEATED FORM(CONVERT, score.convert, "WHAT,...",
                                EXAMPLES("range", "matrix,chroma,depth", "rgb", "all"),
                                "range, matrix, chroma, depth, rgb and all"),
      "convert where the videos differ: range and matrix of the distorted video, chroma to a format that has all of "
      "both, the depth of videos of full range or floating point; rgb: RGB to Y'CbCr 4:4:4; all: all of these")

/* ---- Results ---- */
PARAM(INTERVALS, "intervals", RUN, SCORE | MERGE | PUSH,
      IN_RESULTS FORM(TIME, session.interval, "TIME", EXAMPLES("0.2", "0:01"), TIMES),
      "also pool the scores of every interval of this length, in seconds or as [HOURS:]MINUTES:SECONDS")
PARAM(SCENES, "scenes", RUN, SCORE | VIEW, IN_RESULTS FLAG(session.scenes),
      "find scenes: reports also pool the scores of each scene, and the viewer marks where they begin")
PARAM(RESUME, "resume", RUN, SCORE, IN_RESULTS FLAG(resume),
      "keep finished parts in FILE.shards until the report FILE is written; the same command continues from there")
PARAM(TIMING, "timing", RUN, SCORE, IN_RESULTS FORMER("pace") FLAG(score.timing),
      "record in the report how fast reading, decoding and scoring went and what limited them; reports of equal runs "
      "then differ")
PARAM(OVERWRITE, "overwrite", RUN, SCORE | MAP | PUSH, IN_RESULTS FLAG(session.overwrite),
      "replace pictures that exist already: those of 'fovea map', and heat maps of cambi's heatmaps_path")

/* ---- Processors ---- */
PARAM(DEVICE, "device", RUN, COMPUTES | DECODE,
      IN_PROCESSORS FIRST FORM(DEVICE, session.device, "NAME", EXAMPLES("cpu"), "a device"),
      "the device that computes: auto, cpu, or another that 'fovea devices' lists; scores are the same on all")
PARAM(ISA, "isa", RUN, COMPUTES, IN_PROCESSORS WORD(session.isa, "NAME", isas),
      "the CPU instructions to use: auto, scalar, sse2, avx2, avx512, neon or simd128; scores are the same with all")
PARAM(THREADS, "threads", RUN, COMPUTES | DECODE, IN_PROCESSORS NUMBER(session.threads, 0, 1024, NULL),
      "threads to use; 0 means one for each processor (0)")
PARAM(IN_FLIGHT, "in_flight", RUN, SCORE | RUN_SHARDS | PUSH, IN_PROCESSORS NUMBER(session.in_flight, 0, 1024, NULL),
      "frame pairs processed at the same time, which limits the memory; 0 chooses by the threads (0)")
