#include "command/check_profile.h"

#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "table/file_text.h"

#define MOST_BYTES ((size_t)1 << 20)
#define MEMBERS "source, metric, expect, skip, fail_on, fail_above and fail_below"

static const struct {
    const char *name, *text;
} built_in[] = {
    {"sdr", "{\"source\": \"EBU R 103 (2020), tolerance; ITU-R BT.1702-3\","
            " \"metric\": [\"levels=illegal_share=10\", \"flash=step=20:dark=160:area=250\"],"
            " \"fail_on\": \"illegal,flash,flash_extended\"}"},
    {"pq", "{\"source\": \"EBU R 103 (2020), tolerance; CTA-861.3; ITU-R BT.1702-3\","
           " \"metric\": [\"levels=illegal_share=10\", \"flash=step=20:dark=160:area=250\"],"
           " \"fail_on\": \"illegal,light,flash,flash_extended\"}"},
};

static FvStatus open_profile(const char *name, FvDocument *document)
{
    char *text = NULL;
    size_t bytes = 0;
    FvError error = {0};
    FvStatus status = FV_OK;
    for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++)
        if (!strcmp(built_in[i].name, name))
            return report_error_if(
                fv_document_open(document, name, built_in[i].text, strlen(built_in[i].text), &error), &error);
    if (!strpbrk(name, "./"))
        return report_error(FV_ERROR_USAGE,
                            "--profile: there is no profile '%s'; there are sdr and pq, or name a file", name);
    status = file_text(name, MOST_BYTES, &text, &bytes);
    if (!status)
        status = report_error_if(fv_document_open(document, name, text, bytes, &error), &error);
    free(text);
    return status;
}

/* Returns whether one of the first `count` items sets options of the metric that `item` names. */
static bool names_metric(const ArgList *list, int count, const char *item)
{
    const size_t length = strcspn(item, "=");
    for (int i = 0; i < count; i++)
        if (strcspn(list->items[i], "=") == length && !strncmp(list->items[i], item, length))
            return true;
    return false;
}

/* Adds the texts of a member to a list, but not those of a metric that one of the first `given` items names. */
static FvStatus add_items(ArgList *list, const FvNode *member, int given, const char *profile)
{
    for (size_t i = 0; i < fv_node_items(member); i++) {
        const char *item = fv_node_text(fv_node_item(member, i));
        if (!item)
            return report_error(FV_ERROR_USAGE, "%s: '%s' has an item that is no text", profile, member->key);
        if (!names_metric(list, given, item) && !arg_list_add(list, item))
            return FV_ERROR_MEMORY;
    }
    return FV_OK;
}

static FvStatus add_member(Options *options, const FvNode *member)
{
    const struct {
        const char *name;
        ArgList *list;
    } lists[] = {{"metric", &options->metrics},
                 {"expect", &options->expect},
                 {"skip", &options->skip_checks},
                 {"fail_above", &options->fail_above},
                 {"fail_below", &options->fail_below}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (!strcmp(lists[i].name, member->key) && fv_node_is(member, FV_NODE_LIST))
            return add_items(lists[i].list, member, i ? 0 : options->metrics.count, options->profile);
    if (fv_node_text(member) && !strcmp(member->key, "fail_on")) {
        options->fail_on = options->fail_on ? options->fail_on : fv_node_text(member);
        return FV_OK;
    }
    if (fv_node_text(member) && !strcmp(member->key, "source"))
        return FV_OK;
    return report_error(FV_ERROR_USAGE,
                        "%s: its member '%s' is unknown or has a wrong type; there are " MEMBERS
                        ": source and fail_on are texts, the others are lists of texts",
                        options->profile, member->key);
}

FvStatus check_profile_apply(Options *options, FvDocument *document)
{
    if (!options->profile)
        return FV_OK;
    FvStatus status = open_profile(options->profile, document);
    const FvNode *root = &document->root;
    if (!status && !fv_node_is(root, FV_NODE_OBJECT))
        status = report_error(FV_ERROR_USAGE, "%s is not a profile: write an object with members of " MEMBERS,
                              options->profile);
    for (uint32_t i = 0; !status && i < root->count; i++)
        status = add_member(options, &root->items[i]);
    return status;
}
