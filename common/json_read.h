/* A JSON text (RFC 8259) as a tree of nodes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fovea/error.h"

typedef enum FvNodeKind {
    FV_NODE_NULL,
    FV_NODE_FALSE,
    FV_NODE_TRUE,
    FV_NODE_INTEGER, /* a number without fraction and exponent that fits 64 bits */
    FV_NODE_REAL,
    FV_NODE_TEXT,
    FV_NODE_LIST,
    FV_NODE_OBJECT
} FvNodeKind;

typedef struct FvNode {
    const char *key; /* key of a member of an object */
    FvNodeKind kind;
    uint32_t count; /* items of a list, members of an object, in the text's order */
    union {
        int64_t integer;
        double real; /* value of a number; always finite */
        const char *text;
        struct FvNode *items;
    };
} FvNode;

typedef struct FvDocument {
    char *text; /* the nodes' texts and keys point into it */
    FvNode root;
} FvDocument;

/*
 * Refuses what is not JSON, duplicate members, the character NUL, numbers beyond a double's range and containers in
 * more than 64 others; messages call the text `name`. fv_document_close() in any case.
 */
FvStatus fv_document_open(FvDocument *document, const char *name, const char *text, size_t size, FvError *error);
void fv_document_close(FvDocument *document);

/* The functions below take NULL, and a node of any kind. */

/* Returns a member of an object, or NULL. */
const FvNode *fv_node_member(const FvNode *node, const char *key);

/* Return the number of items of a list, and one item; for other nodes 0, and NULL. */
size_t fv_node_items(const FvNode *node);
const FvNode *fv_node_item(const FvNode *node, size_t i);

static inline bool fv_node_is(const FvNode *node, FvNodeKind kind)
{
    return node && node->kind == kind;
}

static inline bool fv_node_is_flag(const FvNode *node)
{
    return fv_node_is(node, FV_NODE_TRUE) || fv_node_is(node, FV_NODE_FALSE);
}

static inline bool fv_node_is_number(const FvNode *node)
{
    return fv_node_is(node, FV_NODE_INTEGER) || fv_node_is(node, FV_NODE_REAL);
}

/* Return the value of a node; for a node of another kind, 0, or NULL. */
int64_t fv_node_integer(const FvNode *node);
double fv_node_number(const FvNode *node);
const char *fv_node_text(const FvNode *node);
