/* Tests the JSON parser: which texts it refuses, and the content of the others. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "json_read.h"

static FvStatus open_text(FvDocument *document, const char *text, FvError *error)
{
    return fv_document_open(document, "it.json", text, strlen(text), error);
}

static void assert_refused(const char *text, const char *words)
{
    FvDocument document;
    assert_fails(open_text(&document, text, error), FV_ERROR_INPUT, words);
    fv_document_close(&document);
}

static void refused(void **state)
{
    static const char *const values[] = {"nul", "True", "+1", "'a'", "]", "\xef\xbb\xbf{}", ",", "NaN", "#"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        assert_refused(values[i], "it.json: line 1: a value is not JSON's");
    static const char *const numbers[] = {"-", "1.", "-.5", "1e", "1e+", "1.e5"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        assert_refused(numbers[i], "a number is not JSON's");
    assert_refused("", "the text ends too early");
    assert_refused("[1,\n\n", "line 3: the text ends too early");
    assert_refused("[\"\\n\\n\",\n}", "line 2: a value");
    assert_refused("1e400", "a number is too large");
    assert_refused("01", "a second value");
    assert_refused("0x10", "a second value");
    assert_refused("{} {}", "a second value");
    assert_refused("[1 2]", "neither ','");
    assert_refused("[1}", "neither ','");
    assert_refused("[1,]", "a value is not");
    assert_refused("{\"a\":1,}", "has no name");
    assert_refused("{1:2}", "has no name");
    assert_refused("{\"a\" 1}", "no ':'");
    assert_refused("{\"a\"", "no ':'");
    assert_refused("{\"a\":1,\"b\":2,\"\\u0061\":3}", "duplicate member 'a'");
    assert_refused("\"a", "has no end");
    assert_refused("\"a\\", "wrong escape");
    assert_refused("\"a\nb\"", "control character");
    assert_refused("\"\x80\"", "not UTF-8");
    assert_refused("\"\xc0\x80\"", "not UTF-8");
    assert_refused("\"\xed\xa0\x80\"", "not UTF-8");
    static const char *const escapes[] = {"\\x",     "\\u12",   "\\u12g4",        "\\u0000",
                                          "\\ud800", "\\udc00", "\\ud800\\u0041", "\\ud800\\"};
    for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++) {
        char text[32];
        snprintf(text, sizeof text, "\"%s\"", escapes[i]);
        assert_refused(text, "wrong escape");
        snprintf(text, sizeof text, "\"%s",
                 escapes[i]); /* the text fills its memory, so sanitizers notice reads beyond it */
        assert_refused(text, "a text");
    }
    FvDocument document;
    assert_fails(fv_document_open(&document, "it.json", "1\0", 2, error), FV_ERROR_INPUT, "a second value");
    fv_document_close(&document);
    char deep[65 * 2 + 1] = "";
    memset(deep, '[', 65);
    memset(deep + 65, ']', 65);
    assert_refused(deep, "nested too deeply");
    deep[129] = '\0';
    assert_works(open_text(&document, deep + 1, error));
    fv_document_close(&document);
}

static void read_back(void **state)
{
    FvDocument document;
    assert_works(open_text(&document,
                           " {\"z\" : [1, -9223372036854775808, 9223372036854775808, -0, 1.5e3, 0.1, 1E-400],\r\n\t"
                           "\"a\":{\"b\":{}, \"\":null}, \"t\":true, \"f\":false, \"e\":[ ],"
                           "\"s\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\u20ac\\ud83d\\ude00\x7f\xc3\xa9\"} \n",
                           error));
    const FvNode *root = &document.root, *z = fv_node_member(root, "z");
    assert_true(fv_node_is(root, FV_NODE_OBJECT) && root->count == 6);
    assert_string_equal(root->items[0].key, "z"); /* keys keep the order of the text */
    assert_string_equal(root->items[5].key, "s");
    assert_int_equal(fv_node_items(z), 7);
    assert_int_equal(fv_node_integer(fv_node_item(z, 0)), 1);
    assert_true(fv_node_number(fv_node_item(z, 0)) == 1);
    assert_true(fv_node_integer(fv_node_item(z, 1)) == INT64_MIN);
    assert_true(fv_node_is(fv_node_item(z, 2), FV_NODE_REAL) && fv_node_number(fv_node_item(z, 2)) == 0x1p63);
    assert_true(fv_node_is(fv_node_item(z, 3), FV_NODE_REAL) && signbit(fv_node_number(fv_node_item(z, 3))));
    assert_true(fv_node_number(fv_node_item(z, 4)) == 1500 && fv_node_number(fv_node_item(z, 5)) == 0.1);
    assert_true(fv_node_number(fv_node_item(z, 6)) == 0);
    assert_null(fv_node_item(z, 7));
    assert_null(fv_node_member(z, "a"));
    assert_null(fv_node_member(NULL, "a"));
    const FvNode *a = fv_node_member(root, "a");
    assert_true(fv_node_is(fv_node_member(a, ""), FV_NODE_NULL));
    assert_int_equal(fv_node_member(a, "b")->count, 0);
    assert_null(fv_node_member(a, "c"));
    assert_true(fv_node_is_flag(fv_node_member(root, "t")) && fv_node_is(fv_node_member(root, "f"), FV_NODE_FALSE));
    assert_true(fv_node_is(fv_node_member(root, "e"), FV_NODE_LIST) && !fv_node_items(fv_node_member(root, "e")));
    assert_string_equal(fv_member_text(root, "s"), "\"\\/\b\f\n\r\t\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\x7f\xc3\xa9");
    assert_null(fv_node_text(z));
    fv_document_close(&document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(refused), cmocka_unit_test(read_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
