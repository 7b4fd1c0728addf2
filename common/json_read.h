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
    const char *key; /* key, if the node is a member of an object; else NULL */
    FvNodeKind kind;
    uint32_t count; /* number of items of a list, or of members of an object, which are in the order of the text */
    union {
        int64_t integer;
        double real; /* value of a number; always finite */
        const char *text;
        struct FvNode *items;
    };
} FvNode;

typedef struct FvDocument {
    char *text; /* the document's text, into which the nodes' texts and keys point */
    FvNode root;
} FvDocument;

/*
 * Parses a text. Refuses what is not JSON, duplicate members, the character NUL, numbers beyond a double's range, and
 * containers inside more than 64 others. Messages call the text `name`. Call fv_document_close() also after a
 * failure.
 */
FvStatus fv_document_open(FvDocument *document, const char *name, const char *text, size_t size, FvError *error);
void fv_document_close(FvDocument *document);

/* The functions below accept NULL and nodes of any kind. */

/* Returns a member of an object, or NULL. */
const FvNode *fv_node_member(const FvNode *node, const char *key);

/* Return the number of items of a list, and one item; 0 and NULL for other nodes. */
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

/* Return the value of a node; 0 or NULL for a node of another kind. */
int64_t fv_node_integer(const FvNode *node);
double fv_node_number(const FvNode *node);
const char *fv_node_text(const FvNode *node);

/* Returns the text of a member; NULL: there is none. */
const char *fv_member_text(const FvNode *node, const char *key);

/* Returns a number that fv_json_real() or fv_json_number() wrote; NaN for other nodes. */
double fv_node_real(const FvNode *node);
