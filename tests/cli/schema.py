"""Checks a value against the part of JSON Schema that docs/report.schema.json uses."""

import re

TYPES = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
}

KNOWN = {
    "$schema", "$id", "$defs", "$ref", "title", "description", "type", "properties", "required",
    "additionalProperties", "items", "enum", "const", "minimum", "pattern", "anyOf",
}


def errors(value, schema, root, where="report"):
    """Returns a sentence for each fault."""
    unknown = set(schema) - KNOWN
    if unknown:
        return [f"{where}: the schema uses {sorted(unknown)}, which this checker does not know"]
    if "$ref" in schema:
        return errors(value, root["$defs"][schema["$ref"].rsplit("/", 1)[1]], root, where)
    if "anyOf" in schema:
        found = [errors(value, s, root, where) for s in schema["anyOf"]]
        return [] if any(not f for f in found) else [f"{where}: {value!r} fits no alternative"]
    wrong = []
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(TYPES[t](value) for t in types):
        return [f"{where}: {value!r} is no {' or '.join(types)}"]
    if "enum" in schema and value not in schema["enum"]:
        wrong.append(f"{where}: {value!r} is none of {schema['enum']}")
    if "const" in schema and value != schema["const"]:
        wrong.append(f"{where}: {value!r} is not {schema['const']!r}")
    if "minimum" in schema and TYPES["number"](value) and value < schema["minimum"]:
        wrong.append(f"{where}: {value} is less than {schema['minimum']}")
    if "pattern" in schema and isinstance(value, str) and not re.search(schema["pattern"], value):
        wrong.append(f"{where}: {value!r} does not match {schema['pattern']}")
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        wrong += [f"{where}: {key} is missing" for key in schema.get("required", []) if key not in value]
        for key, member in value.items():
            rule = properties.get(key, schema.get("additionalProperties", True))
            if rule is False:
                wrong.append(f"{where}: {key} is not in the schema")
            elif rule is not True:
                wrong += errors(member, rule, root, f"{where}.{key}")
    if isinstance(value, list) and "items" in schema:
        for i, member in enumerate(value):
            wrong += errors(member, schema["items"], root, f"{where}[{i}]")
    return wrong
