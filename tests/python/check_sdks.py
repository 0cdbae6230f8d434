"""Feeds rendered tools to the providers' own Python SDKs.

Reads lines of {"id", "profile", "tool"} and fails when an SDK's transform would change a schema, or its types refuse a tool.
"""

import copy
import json
import sys

from anthropic.lib._parse._transform import transform_schema
from anthropic.types import ToolParam
from google.genai import types as gemini
from openai.lib._pydantic import _ensure_strict_json_schema
from openai.types.chat import ChatCompletionFunctionToolParam
from openai.types.responses import FunctionToolParam
from pydantic import ConfigDict, TypeAdapter, with_config


def typed(kind):
    return TypeAdapter(with_config(ConfigDict(extra="forbid"))(kind))


CHAT, RESPONSES, MESSAGES = typed(ChatCompletionFunctionToolParam), typed(FunctionToolParam), typed(ToolParam)
OPENAI_LIKE = {"openai", "openai_strict", "dashscope", "deepseek", "deepseek_strict", "mistral", "ollama", "xai"}


def same(before, after, what):
    if before != after:
        raise ValueError(f"{what} makes of {json.dumps(before)}: {json.dumps(after, default=str)}")


def lower_types(schema):
    """The SDK writes the names of types in capitals."""
    if isinstance(schema, dict):
        return {
            key: value.lower() if key == "type" and isinstance(value, str) else lower_types(value)
            for key, value in schema.items()
        }
    return [lower_types(inner) for inner in schema] if isinstance(schema, list) else schema


def without_obvious_types(schema):
    """Anthropic's SDK leaves out the type beside values that tell it."""
    if isinstance(schema, dict):
        return {
            key: without_obvious_types(value) for key, value in schema.items() if not (key == "type" and "enum" in schema)
        }
    return [without_obvious_types(inner) for inner in schema] if isinstance(schema, list) else schema


def check(profile, tool):
    if profile in OPENAI_LIKE:
        CHAT.validate_python(tool)
    if profile == "openai_strict":
        schema = tool["function"]["parameters"]
        own = copy.deepcopy(schema)
        same(schema, _ensure_strict_json_schema(own, path=(), root=own), "openai")
    elif profile == "openai_responses":
        RESPONSES.validate_python(tool)
    elif profile == "anthropic":
        MESSAGES.validate_python(tool)
    elif profile == "anthropic_strict":
        MESSAGES.validate_python(tool)
        schema = tool["input_schema"]
        after = transform_schema(copy.deepcopy(schema))
        same(without_obvious_types(schema), without_obvious_types(after), "anthropic")
    elif profile == "gemini":
        declared = gemini.FunctionDeclaration.model_validate(tool)
        same(tool["parametersJsonSchema"], declared.parameters_json_schema, "google-genai")
    elif profile == "gemini_parameters":
        declared = gemini.FunctionDeclaration.model_validate(tool)
        after = declared.model_dump(exclude_none=True, by_alias=True, mode="json")
        same(tool, lower_types(after), "google-genai")


def main():
    checked, faults = 0, 0
    for line in sys.stdin:
        case = json.loads(line)
        checked += 1
        try:
            check(case["profile"], case["tool"])
        except Exception as error:
            faults += 1
            print(f"{case['id']} {case['profile']}: {error}"[:2000])
    print(f"{checked} tools, {faults} not taken as they are")
    sys.exit(1 if faults or not checked else 0)


main()
