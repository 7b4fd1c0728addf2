"""Compares the outputs of two commands, for tests that expect the same bytes."""


def first_difference(ours, theirs):
    """Describes the first difference of two dicts that map names to bytes; None if they are equal."""
    for name in sorted(set(ours) | set(theirs)):
        one, other = ours.get(name), theirs.get(name)
        if one is None or other is None:
            return f"{name} is written by one of the two only"
        if one != other:
            at = next((i for i, pair in enumerate(zip(one, other)) if pair[0] != pair[1]), min(len(one), len(other)))
            return f"{name} differs at byte {at}: {one[max(at - 60, 0):at + 60]} and {other[max(at - 60, 0):at + 60]}"
    return None
