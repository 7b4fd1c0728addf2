/* Sessions, and runs over two sources. */
#include "misuse.h"

#include <math.h>

#include "fovea/check.h"

static bool device_is_nothing(void)
{
    FvDeviceHandles handles = {.kind = "before"};
    fv_session_device(NULL, &handles);
    return !handles.kind && !handles.cuda_context;
}

static bool releases_what_it_refuses(FvSession *of, FvFrame **wrapped, const FvFormat *with)
{
    int released = 0;
    FvDeviceFrame where = {.release = count_release, .opaque = &released};
    return usage(fv_session_wrap(of, wrapped, with, &where, &error)) && released == 1;
}

void check_sessions(void)
{
    CHECK(fv_session_open, usage(fv_session_open(NULL, &(FvSessionParams){.threads = 1}, &error)));
    CHECK(fv_session_open, usage(fv_session_open(&(FvSession *){NULL}, NULL, &error)));
    CHECK(fv_session_add, usage(fv_session_add(NULL, "psnr", &error)));
    CHECK(fv_session_add, usage(fv_session_add(session, NULL, &error)));
    CHECK(fv_session_add, usage(fv_session_add(session, "", &error)));
    CHECK(fv_session_needs_reference, !fv_session_needs_reference(NULL));
    CHECK(fv_session_start, usage(fv_session_start(NULL, &format, &format, &error)));
    CHECK(fv_session_start, usage(fv_session_start(session, &format, NULL, &error)));
    CHECK(fv_session_start_frames, usage(fv_session_start_frames(NULL, NULL, NULL, &error)));
    CHECK(fv_session_start_frames, usage(fv_session_start_frames(session, NULL, NULL, &error)));
    CHECK(fv_session_memory, !fv_session_memory(NULL));
    CHECK(fv_session_push, usage(fv_session_push(NULL, 0, frame, frame, &error)));
    CHECK(fv_session_push, usage(fv_session_push(started(), 0, NULL, frame, &error)));
    CHECK(fv_session_push, usage(fv_session_push(started(), 0, frame, NULL, &error)));
    CHECK(fv_session_skip, usage(fv_session_skip(NULL, 0, frame, frame, &error)));
    CHECK(fv_session_skip, usage(fv_session_skip(started(), 0, NULL, frame, &error)));
    CHECK(fv_session_skip, usage(fv_session_skip(started(), 0, frame, NULL, &error)));
    CHECK(fv_session_wait, usage(fv_session_wait(NULL, &error)) && usage(fv_session_wait(session, &error)));
    CHECK(fv_session_finish, usage(fv_session_finish(NULL, &error)));
    CHECK(fv_session_release, usage(fv_session_release(NULL, &error)) && usage(fv_session_release(session, &error)));
    CHECK(fv_session_release, usage(fv_session_release(started(), &error)));
    CHECK(fv_session_frames, !fv_session_frames(NULL));
    CHECK(fv_session_frame_number, fv_session_frame_number(NULL, 0) < 0 && fv_session_frame_number(session, 0) < 0);
    CHECK(fv_session_outputs, !fv_session_outputs(NULL));
    CHECK(fv_session_output, !fv_session_output(NULL, 0) && !fv_session_output(session, 0));
    CHECK(fv_session_output, !fv_session_output(NULL, FV_LOW_SECONDS) && !fv_session_output(session, -1));
    CHECK(fv_session_find_output, fv_session_find_output(NULL, "psnr_y") == -1);
    CHECK(fv_session_find_output, fv_session_find_output(started(), NULL) == -1);
    CHECK(fv_session_find_output, fv_session_find_output(started(), "fluff") == -1);
    CHECK(fv_session_find_output, fv_session_find_output(started(), "low_seconds") == FV_LOW_SECONDS);
    CHECK(fv_session_output_origin, !fv_session_output_origin(NULL, 0, NULL));
    CHECK(fv_session_output_origin, !fv_session_output_origin(started(), 999, &(int){0}));
    CHECK(fv_meaning, !fv_meaning(NULL) && !fv_meaning("psnr") && fv_meaning("psnr_y"));
    CHECK(fv_meaning_count, fv_meaning_count() > 0);
    CHECK(fv_meaning_at, !fv_meaning_at(-1) && !fv_meaning_at(fv_meaning_count()));
    CHECK(fv_session_meaning, !fv_session_meaning(NULL, 0) && !fv_session_meaning(session, 0));
    CHECK(fv_session_meaning, !fv_session_meaning(started(), -1) && !fv_session_meaning(started(), 999));
    CHECK(fv_session_display, fv_session_display(NULL, 0) == FV_DISPLAY_PART);
    CHECK(fv_session_grade_bound, fv_session_grade_bound(NULL, 0) == FV_GRADE_BOUND_NONE);
    CHECK(fv_session_verdict, !fv_session_verdict(NULL, 0, 1, &(FvVerdict){0}));
    CHECK(fv_session_verdict, !fv_session_verdict(started(), 0, 1, NULL));
    CHECK(fv_session_headline, fv_session_headline(NULL) == -1 && fv_session_headline(session) == -1);
    CHECK(fv_session_equal_frames, !fv_session_equal_frames(NULL, 0) && !fv_session_equal_frames(started(), 999));
    CHECK(fv_session_events, !fv_session_events(NULL) && !fv_session_events(started()));
    CHECK(fv_session_event, !fv_session_event(NULL, 0) && !fv_session_event(started(), 0));
    const FvClipVerdict *verdict = NULL;
    CHECK(fv_session_judge, usage(fv_session_judge(NULL, &verdict, &error)));
    CHECK(fv_session_judge, usage(fv_session_judge(started(), NULL, &error)));
    CHECK(fv_session_judge, usage(fv_session_judge(session, &verdict, &error)) && !verdict);
    CHECK(fv_session_judge, !fv_session_judge(started(), &verdict, &error) && verdict->kind == FV_VERDICT_PARTIAL);
    CHECK(fv_verdict_kind_name, !fv_verdict_kind_name((FvVerdictKind)WRONG));
    CHECK(fv_session_add_default, usage(fv_session_add_default(NULL, &format, &format, false, &error)) &&
                                      usage(fv_session_add_default(session, NULL, &format, false, &error)) &&
                                      usage(fv_session_add_default(session, &format, NULL, false, &error)) &&
                                      usage(fv_session_add_default(started(), &format, &format, false, &error)));
    CHECK(fv_session_metrics, !fv_session_metrics(NULL));
    CHECK(fv_session_metric, !fv_session_metric(NULL, 0) && !fv_session_metric(started(), 999));
    CHECK(fv_session_metric, !fv_session_metric(started(), -1));
    CHECK(fv_session_want_map, usage(fv_session_want_map(NULL, &(FvMapRequest){0}, &error)));
    CHECK(fv_session_want_map, usage(fv_session_want_map(session, NULL, &error)));
    CHECK(fv_session_want_map, usage(fv_session_want_map(session, &(FvMapRequest){.metric = -1}, &error)));
    CHECK(fv_session_terms, !fv_session_terms(NULL));
    CHECK(fv_session_term, !fv_session_term(NULL, 0, NULL) && !fv_session_term(started(), -1, NULL));
    CHECK(fv_session_term, !fv_session_term(started(), 999, NULL));
    CHECK(fv_session_rows, !fv_session_rows(NULL));
    CHECK(fv_session_row, !fv_session_row(NULL, 0, NULL, NULL) && !fv_session_row(started(), -1, NULL, NULL));
    CHECK(fv_session_row, !fv_session_row(started(), 999, NULL, NULL));
    CHECK(fv_session_value, isnan(fv_session_value(NULL, 0, 0)) && isnan(fv_session_value(started(), 0, 999)));
    CHECK(fv_session_value, isnan(fv_session_value(started(), -1, 0)) && isnan(fv_session_value(started(), 0, -1)));
    CHECK(fv_session_pool, isnan(fv_session_pool(NULL, 0, FV_POOL_MEAN)));
    CHECK(fv_session_pool, isnan(fv_session_pool(started(), 0, (FvPool)WRONG)));
    CHECK(fv_session_pool, isnan(fv_session_pool(started(), 0, (FvPool)-1)));
    CHECK(fv_session_pool_part, isnan(fv_session_pool_part(NULL, 0, FV_POOL_MEAN, &(FvPart){0, 1, 0})));
    CHECK(fv_session_pool_part, isnan(fv_session_pool_part(started(), 0, FV_POOL_MEAN, NULL)));
    CHECK(fv_session_pool_part, isnan(fv_session_pool_part(started(), 0, FV_POOL_MEAN, &(FvPart){-1, 1, 0})));
    CHECK(fv_session_pool_part, isnan(fv_session_pool_part(started(), 0, FV_POOL_MEAN, &(FvPart){0, INT64_MAX, 0})));
    CHECK(fv_session_next_part, !fv_session_next_part(NULL, FV_PARTS_SCENES, &(FvPart){0}));
    CHECK(fv_session_next_part, !fv_session_next_part(started(), FV_PARTS_SCENES, NULL));
    CHECK(fv_session_next_part, !fv_session_next_part(started(), FV_PARTS_INTERVALS, &(FvPart){0}));
    CHECK(fv_pool_name, !fv_pool_name((FvPool)WRONG) && !fv_pool_name((FvPool)-1));
    CHECK(fv_session_partial, !fv_session_partial(NULL) && fv_session_partial(session));
    CHECK(fv_session_identical, !fv_session_identical(NULL) && !fv_session_identical(started()));
    CHECK(fv_session_time, isnan(fv_session_time(NULL, 0)) && isnan(fv_session_time(session, 0)));
    char timecode[FV_TIMECODE_TEXT];
    CHECK(fv_session_timecode,
          !fv_session_timecode(NULL, 0, timecode) && !fv_session_timecode(started(), 0, timecode));
    CHECK(fv_session_bit_rate,
          isnan(fv_session_bit_rate(NULL, FV_DISTORTED)) && isnan(fv_session_bit_rate(started(), FV_REFERENCE)));
    CHECK(fv_session_packet,
          !fv_session_packet(NULL, 0, NULL, NULL) && !fv_session_packet(started(), -1, NULL, NULL));
    CHECK(fv_session_format, !fv_session_format(NULL, FV_REFERENCE) && !fv_session_format(session, FV_DISTORTED));
    CHECK(fv_session_input, !fv_session_input(NULL, FV_REFERENCE, &(FvSourceInfo){0}));
    CHECK(fv_session_input, !fv_session_input(started(), FV_DISTORTED, NULL));
    CHECK(fv_session_note, !fv_session_note(NULL, 0) && !fv_session_note(started(), 999));
    CHECK(fv_session_decisions, !fv_session_decisions(NULL));
    CHECK(fv_session_decision, !fv_session_decision(NULL, 0) && !fv_session_decision(session, -1));
    CHECK(fv_session_device, (fv_session_device(NULL, NULL), fv_session_device(session, NULL), true));
    CHECK(fv_session_device, device_is_nothing());
    CHECK(fv_session_takes_device_frames, !fv_session_takes_device_frames(NULL));
    CHECK(fv_session_takes_device_frames, !fv_session_takes_device_frames(started()));
    CHECK(fv_session_open,
          usage(fv_session_open(&(FvSession *){NULL}, &(FvSessionParams){.device = "cpu", .cuda_context = &error},
                                &error)));
    CHECK(fv_session_frame, usage(fv_session_frame(NULL, &(FvFrame *){NULL}, &format, FV_MEMORY_PINNED, &error)));
    CHECK(fv_session_frame, usage(fv_session_frame(session, NULL, &format, FV_MEMORY_PINNED, &error)));
    CHECK(fv_session_frame, usage(fv_session_frame(session, &(FvFrame *){NULL}, NULL, FV_MEMORY_PINNED, &error)));
    CHECK(fv_session_frame, usage(fv_session_frame(session, &(FvFrame *){NULL}, &format, (FvMemory)WRONG, &error)));
    CHECK(fv_session_wrap, usage(fv_session_wrap(session, &(FvFrame *){NULL}, &format, NULL, &error)));
    CHECK(fv_session_wrap, releases_what_it_refuses(NULL, &(FvFrame *){NULL}, &format));
    CHECK(fv_session_wrap, releases_what_it_refuses(session, NULL, &format));
    CHECK(fv_session_wrap, releases_what_it_refuses(session, &(FvFrame *){NULL}, NULL));
}

void check_scores(void)
{
    FvFormat formats[2];
    CHECK(fv_score, usage(fv_score(NULL, source, other_source(), &(FvScoreParams){0}, &error)));
    CHECK(fv_score, usage(fv_score(session, source, NULL, &(FvScoreParams){0}, &error)));
    CHECK(fv_score, usage(fv_score(session, source, other_source(), NULL, &error)));
    CHECK(fv_score, usage(fv_score(session, source, source, &(FvScoreParams){0}, &error)));
    CHECK(fv_score, usage(fv_score(session, NULL, source, &(FvScoreParams){0}, &error)));
    CHECK(fv_score, usage(fv_score(started(), source, other_source(), &(FvScoreParams){0}, &error)));
    const FvScoreParams simple = {.shortest = false};
    const FvEncode right = {.session = session, .distorted = source, .params = &simple};
    FvEncode encodes[] = {right, right}, wrong[] = {right, right, right};
    wrong[0].session = NULL;
    wrong[1].distorted = NULL;
    wrong[2].params = NULL;
    CHECK(fv_score_encodes, usage(fv_score_encodes(NULL, 1, source, 1, &error)));
    CHECK(fv_score_encodes, usage(fv_score_encodes(encodes, 0, NULL, 1, &error)));
    CHECK(fv_score_encodes, usage(fv_score_encodes(encodes, 1, NULL, -1, &error)));
    CHECK(fv_score_encodes, usage(fv_score_encodes(encodes, 1, source, 1, &error)));
    CHECK(fv_score_encodes, usage(fv_score_encodes(encodes, 2, other_source(), 1, &error)));
    for (int i = 0; i < 3; i++)
        CHECK(fv_score_encodes, usage(fv_score_encodes(&wrong[i], 1, other_source(), 1, &error)));
    CHECK(fv_severity_name, !fv_severity_name((FvSeverity)WRONG));
    CHECK(fv_check_count, fv_check_count() == 14);
    CHECK(fv_check_info, !fv_check_info(-1) && !fv_check_info(WRONG));
    CHECK(fv_check_find, fv_check_find(NULL) == -1 && fv_check_find("fluff") == -1);
    CHECK(fv_session_check_events, !fv_session_check_events(NULL));
    CHECK(fv_session_check_events, !fv_session_check_events(started()));
    CHECK(fv_session_check_event, !fv_session_check_event(NULL, 0) && !fv_session_check_event(started(), 0));
    CHECK(fv_session_intend, usage(fv_session_intend(NULL, "black", &error)));
    CHECK(fv_session_intend, usage(fv_session_intend(started(), NULL, &error)));
    CHECK(fv_session_intend, usage(fv_session_intend(started(), "fluff", &error)));
    CHECK(fv_session_choose_checks, usage(fv_session_choose_checks(NULL, "black", &error)));
    CHECK(fv_session_choose_checks, usage(fv_session_choose_checks(started(), NULL, &error)));
    CHECK(fv_session_choose_checks, usage(fv_session_choose_checks(started(), "fluff", &error)));
    CHECK(fv_session_check, !fv_session_check(NULL, 0, &(FvCheckResult){0}));
    CHECK(fv_session_check, !fv_session_check(started(), WRONG, &(FvCheckResult){0}));
    CHECK(fv_session_check, !fv_session_check(started(), 0, NULL));
    CHECK(fv_session_check_verdict, !fv_session_check_verdict(NULL));
    CHECK(fv_session_gate, fv_session_gate(NULL, &(FvGate){0}, NULL) == FV_GATE_UNDEFINED);
    CHECK(fv_session_gate, fv_session_gate(started(), NULL, NULL) == FV_GATE_UNDEFINED);
    CHECK(fv_session_gate, fv_session_gate(started(), &(FvGate){.output = WRONG}, NULL) == FV_GATE_UNDEFINED);
    CHECK(fv_session_add_gate, usage(fv_session_add_gate(NULL, &(FvGate){0}, &error)));
    CHECK(fv_session_add_gate, usage(fv_session_add_gate(started(), NULL, &error)));
    CHECK(fv_session_add_gate, usage(fv_session_add_gate(started(), &(FvGate){.output = -1}, &error)));
    CHECK(fv_session_add_gate, usage(fv_session_add_gate(started(), &(FvGate){.pool = (FvPool)WRONG}, &error)));
    CHECK(fv_session_add_gate, usage(fv_session_add_gate(started(), &(FvGate){.limit = NAN}, &error)));
    FvAlignment *none = NULL;
    const FvSourceParams file = {.path = video};
    CHECK(fv_align, usage(fv_align(NULL, &file, &file, FV_ALIGN_BY_OFFSET, &error)));
    CHECK(fv_align, usage(fv_align(&none, NULL, &file, FV_ALIGN_BY_OFFSET, &error)) && !none);
    CHECK(fv_align, usage(fv_align(&none, &file, NULL, FV_ALIGN_BY_OFFSET, &error)) && !none);
    CHECK(fv_align, usage(fv_align(&none, &file, &file, FV_ALIGN_BY_TIME, &error)) && !none);
    CHECK(fv_align, usage(fv_align(&none, &file, &file, (FvAlignMode)WRONG, &error)) && !none);
    CHECK(fv_raw_layout, !fv_raw_layout(NULL, NULL) && !fv_raw_layout("", &(FvFormat){0}));
    CHECK(fv_find_bars, usage(fv_find_bars(NULL, &file, &error)));
    CHECK(fv_find_bars, usage(fv_find_bars(&(FvCrop){0}, NULL, &error)));
    CHECK(fv_alignment_frames, fv_alignment_frames(NULL) == 0);
    CHECK(fv_alignment_pair, fv_alignment_pair(NULL, 0) == -1);
    CHECK(fv_alignment_close, (fv_alignment_close(NULL), fv_alignment_close(&none), true));
    CHECK(fv_score_formats, usage(fv_score_formats(source, NULL, &(FvScoreParams){0}, formats, &error)));
    CHECK(fv_score_formats, usage(fv_score_formats(source, source, NULL, formats, &error)));
    CHECK(fv_score_formats, usage(fv_score_formats(source, source, &(FvScoreParams){0}, NULL, &error)));
    CHECK(fv_score_formats,
          usage(fv_score_formats(NULL, source, &(FvScoreParams){.crop[1] = {1, 0, 2, 2}}, formats, &error)));
    CHECK(fv_score_formats,
          usage(fv_score_formats(NULL, source, &(FvScoreParams){.crop[1] = {0, 0, 2, 33}}, formats, &error)));
    CHECK(fv_score_ycbcr_formats,
          usage(fv_score_ycbcr_formats(source, NULL, &(FvScoreParams){0}, formats, &error)) &&
              usage(fv_score_ycbcr_formats(source, source, NULL, formats, &error)) &&
              usage(fv_score_ycbcr_formats(source, source, &(FvScoreParams){0}, NULL, &error)));
    CHECK(fv_score_add_default,
          usage(fv_score_add_default(NULL, source, source, &(FvScoreParams){0}, false, &error)) &&
              usage(fv_score_add_default(started(), NULL, source, &(FvScoreParams){0}, false, &error)) &&
              usage(fv_score_add_default(started(), source, NULL, &(FvScoreParams){0}, false, &error)) &&
              usage(fv_score_add_default(started(), source, source, NULL, false, &error)));
    CHECK(fv_is_picture, !fv_is_picture(NULL) && !fv_is_picture("png") && !fv_is_picture("a%d.png") &&
                             fv_is_picture("a.b.PNG") && !fv_is_picture("a.png.mp4"));
    CHECK(fv_rgb_mode, fv_rgb_mode(2, 0, true) == FV_RGB_CONVERT && fv_rgb_mode(2, 1, true) == FV_RGB_BOTH &&
                           fv_rgb_mode(2, 1, false) == FV_RGB_REFUSE && fv_rgb_mode(2, 2, false) == FV_RGB_KEEP &&
                           fv_rgb_mode(0, 0, false) == FV_RGB_REFUSE);
    CHECK(fv_frame_ycbcr, !fv_frame_ycbcr(NULL));
    FvPairs *pairs = NULL;
    FvFrame *both[2];
    CHECK(fv_pairs_open, usage(fv_pairs_open(NULL, &file, &file, &(FvScoreParams){0}, &error)));
    CHECK(fv_pairs_open, usage(fv_pairs_open(&pairs, &file, NULL, &(FvScoreParams){0}, &error)) && !pairs);
    CHECK(fv_pairs_open, usage(fv_pairs_open(&pairs, NULL, &file, NULL, &error)) && !pairs);
    CHECK(fv_pairs_open, usage(fv_pairs_open(&pairs, NULL, &(FvSourceParams){0}, &(FvScoreParams){0}, &error)));
    CHECK(fv_pairs_open, usage(fv_pairs_open(&pairs, NULL, &file, &(FvScoreParams){.align = 1}, &error)) && !pairs);
    CHECK(fv_pairs_info, !fv_pairs_info(NULL, 0));
    CHECK(fv_pairs_read, usage(fv_pairs_read(NULL, 0, both, &error)));
    CHECK(fv_pairs_set_cache, (fv_pairs_set_cache(NULL, 1), true));
    CHECK(fv_pairs_nearest_entry, fv_pairs_nearest_entry(NULL, 3) == 3);
    FvCoding coding;
    FvPacket packet;
    CHECK(fv_pairs_coding, usage(fv_pairs_coding(NULL, 0, &coding, &error)));
    CHECK(fv_pairs_packet, usage(fv_pairs_packet(NULL, 0, 0, 0, &packet, &error)));
    CHECK(fv_pairs_close, (fv_pairs_close(NULL), fv_pairs_close(&pairs), true));
    int64_t places[2];
    char text[64];
    CHECK(fv_better_name, !fv_better_name((FvBetter)3) && !fv_better_name((FvBetter)-1));
    CHECK(fv_session_worst, !fv_session_worst(NULL, 0, 1, places, 2) && !fv_session_worst(started(), 0, 1, NULL, 2));
    CHECK(fv_session_worst, !fv_session_worst(started(), 999, 1, places, 2));
    CHECK(fv_session_metric_text, usage(fv_session_metric_text(NULL, 0, text, sizeof text, &error)));
    CHECK(fv_session_metric_text, usage(fv_session_metric_text(started(), 0, NULL, 9, &error)));
    CHECK(fv_session_metric_text, usage(fv_session_metric_text(started(), -1, text, sizeof text, &error)));
    CHECK(fv_session_metric_text, usage(fv_session_metric_text(started(), 0, text, 0, &error)));
    CHECK(fv_session_add_picture, usage(fv_session_add_picture(NULL, &(FvReportPicture){0}, &error)));
    CHECK(fv_session_add_picture, usage(fv_session_add_picture(started(), NULL, &error)));
    CHECK(fv_session_add_picture, usage(fv_session_add_picture(started(), &(FvReportPicture){0}, &error)));
    CHECK(fv_session_embed, usage(fv_session_embed(NULL, "x", 1, &error)));
    CHECK(fv_session_embed, usage(fv_session_embed(started(), NULL, 1, &error)));
    CHECK(fv_session_embed, usage(fv_session_embed(started(), "x", 0, &error)));
    CHECK(fv_session_embed, usage(fv_session_embed(started(), "x", (16 << 20) + 1, &error)));
    CHECK(fv_session_set_command, usage(fv_session_set_command(NULL, "fovea", &error)) &&
                                      usage(fv_session_set_command(started(), NULL, &error)));
    CHECK(fv_report_read,
          usage(fv_report_read(NULL, "x", &error)) && usage(fv_report_read(&(FvSession *){0}, NULL, &error)));
    CHECK(fv_report_write, usage(fv_report_write(NULL, output_path, FV_REPORT_JSON, &error)));
    CHECK(fv_report_write, usage(fv_report_write(started(), NULL, FV_REPORT_JSON, &error)));
    CHECK(fv_report_write, usage(fv_report_write(started(), output_path, (FvReportFormat)WRONG, &error)));
    CHECK(fv_report_write, usage(fv_report_write(started(), output_path, (FvReportFormat)-1, &error)));
    CHECK(fv_report_write, usage(fv_report_write(session, output_path, FV_REPORT_JSON, &error)));
    CHECK(fv_report_print, usage(fv_report_print(NULL, stderr, FV_REPORT_JSON, &error)) &&
                               usage(fv_report_print(started(), NULL, FV_REPORT_JSON, &error)) &&
                               usage(fv_report_print(started(), stderr, (FvReportFormat)WRONG, &error)) &&
                               usage(fv_report_print(session, stderr, FV_REPORT_JSON, &error)));
    CHECK(fv_session_close, (fv_session_close(NULL), fv_session_close(&(FvSession *){NULL}), true));
}
