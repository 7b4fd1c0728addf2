/*
 * Parses any bytes as JSON. The result must be a refusal with a message, or a tree in which every member is found by
 * its name.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "json_read.h"

static void walk(const FvNode *node)
{
    if (node->kind != FV_NODE_LIST && node->kind != FV_NODE_OBJECT)
        return;
    for (uint32_t i = 0; i < node->count; i++) {
        if (node->kind == FV_NODE_OBJECT && fv_node_member(node, node->items[i].key) != &node->items[i])
            abort();
        walk(&node->items[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    FvDocument document;
    FvError error = {0};
    FvStatus status = fv_document_open(&document, "it", (const char *)bytes, size, &error);
    if (status && (error.status != status || strncmp(error.message, "it: ", 4)))
        abort();
    if (!status)
        walk(&document.root);
    fv_document_close(&document);
    return 0;
}
