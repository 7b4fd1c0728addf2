"""Checks the English of comments and messages in C and kernels: prose.py SOURCE_ROOT. A comment must name its thing,
be a whole sentence, stand alone, and use no words that a reader would have to translate. A correct comment that
breaks a rule contains the word prose-ok; few may."""

import os
import re
import sys

from tree import answer, tracked

ROOT = os.path.abspath(sys.argv[1])
EXCEPTIONS = 25
LEANS = re.compile(r"(?:of|that|as|with|by|which|whose)\b|(?:Of|That|Whose|By which) |As (?!soon|long|far|in\b)")
NAMELESS = re.compile(r"(?:It|Its|They|Their|Those|These|Whatever|What|Out of|Up to) (?!if )")
CLAUSE = re.compile(r"(?:What|Which|Whether|Where|How|When|From|Up to) ")
VERB_AFTER_COLON = re.compile(r"(?:-o )?%\S*s: "
                              r"(?:is|are|has|have|holds?|says?|names?|ends?|looks?|does|lies|changes) ")
# Phrases that a reader would have to translate, and what to say instead.
TRANSLATIONS = {
    r"\b(?:is|are|be|was|were)(?: not)? told\b(?! to\b| otherwise\b| apart\b)": "is reported, stated or expected",
    r"\btells? (?:no|nothing|something|whether|how|what|which)\b": "says, shows or returns",
    r"(?:, |\()as of\b": "such as",
    r"\b(?:hold|has|have|bear)s? no mark\b": "does not record",
    r"\bcounts? for nothing\b": "is ignored",
    r"\b(?:goes|go|going) by\b": "uses or follows",
    r"\ball the same\b": "anyway",
    r"\b(?:takes?|are|with) so many\b": "the number",
    r"\bone behind the other\b|\bbehind each other\b": "in order",
    r"\b(?:stands?|stood) (?:in (?!for|\()|under\b|above\b|next to\b|behind\b|among\b)": "is in or follows",
    r"\bbrings? a warning\b": "causes a warning",
    r"\bmakes? light of\b": "converts to linear light",
    r"\bmakes? (?:Y'CbCr|RGB|planes|frames|machine code|floats|such floats|X) of\b": "converts to",
    r"\b(?:says?|said) of (?:it|them)sel(?:f|ves)\b": "states",
    r"\b(?:packets?|containers?|header|index|list) promises?\b": "states or lists",
    r"\bthe ones? of\b|\bthe ones before\b|\bthe other ones\b": "the noun once more",
    r"\b(?:is|are) due\b": "must follow",
    r"\bin vain\b": "without success",
    r"\bmended\b": "fixed",
    r"\bin the making\b": "being written",
    r"\bbelieved\b": "used unchecked",
    r"\b(?:what|which) (?:is|are|was) (?:of|in|on) all\b": "the thing that all share",
    r"\bask(?:s|ed)? (?:of|for) (?:their|its|his) decoder\b": "request from the decoder",
    r"\b(?:goes|go) first\b": "takes precedence",
    r"\bworth (?:a|the) word\b|\bof no matter\b": "plain words",
    r"\blies? (?:one|there) behind\b|\bfarther behind\b": "follows",
    r"\bthe way of a\b": "the path of a",
    r"\bmust (?:show|have shown) the same bits\b": "must give the same bits",
    r"\b(?:is|are) settled\b": "is decided",
}
RIDDLES = [(re.compile(pattern, re.I), instead) for pattern, instead in TRANSLATIONS.items()]


def pieces(text):
    """Yields (line, "comment" or "message", words, whether the comment follows code on its line)."""
    for found in re.finditer(r'(?:"(?:[^"\\\n]|\\.)*"(?:\s|PRI\w+)*)+|/\*(.*?)\*/', text, re.S):
        line = text.count("\n", 0, found.start()) + 1
        if found[1] is None:
            yield line, "message", "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', found[0])), False
        else:
            words = " ".join(re.sub(r"\n\s*\*", " ", found[1]).split()).strip("*- ")
            yield line, "comment", words, bool(text[text.rfind("\n", 0, found.start()) + 1:found.start()].strip())


def faults_of(kind, words, trailing, first):
    """Yields (check, fault)."""
    if kind == "comment":
        if LEANS.match(words) or NAMELESS.match(words) or first and CLAUSE.match(words):
            yield "a comment begins with its noun or verb", words[:80]
        if re.search(r"[,;:]$" if trailing else r"[,;]$", words):
            yield "a comment is whole", words[-80:]
    elif VERB_AFTER_COLON.match(words):
        yield "a message has no colon before its verb", words[:80]
    if kind == "comment" or words.count(" ") > 3:
        for riddle, instead in RIDDLES:
            if riddle.search(words):
                yield "nothing is to be translated", f"'{riddle.search(words)[0]}' for '{instead}': {words[:80]}"


def main():
    checks = {name: [] for name in ("a comment begins with its noun or verb", "a comment is whole",
                                    "a message has no colon before its verb", "nothing is to be translated")}
    exceptions, seen = [], 0
    for path in tracked(ROOT):
        if not path.endswith((".c", ".h", ".fv")):
            continue
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            text = file.read()
        for number, (line, kind, words, trailing) in enumerate(pieces(text)):
            seen += 1
            if path.startswith("tests/") and kind == "message":
                continue
            if kind == "comment" and "prose-ok" in words:
                exceptions.append(f"{path}:{line}")
                continue
            for check, fault in faults_of(kind, words, trailing, number == 0 and line == 1):
                checks[check].append(f"{path}:{line}: {fault}")
    checks[f"at most {EXCEPTIONS} comments are exceptions"] = exceptions if len(exceptions) > EXCEPTIONS else []
    checks["comments and messages were read"] = [] if seen > 10000 else [f"only {seen}"]
    sys.exit(answer(checks))


main()
