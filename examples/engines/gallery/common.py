"""What the Python programs of the gallery share: the command line, and the lines of a log."""

import json
import sys


def main(record, phases=None):
    """Runs `record OUT.jsonl [--fixed]` or `phases [--fixed]`, with the functions of a program."""
    words = sys.argv[1:]
    fixed = "--fixed" in words
    words = [word for word in words if word != "--fixed"]
    if len(words) == 2 and words[0] == "record":
        with open(words[1], "w") as log:
            for line in record(fixed):
                log.write(json.dumps(rounded(line), separators=(",", ":")) + "\n")
    elif words == ["phases"] and phases:
        print(phases(fixed))
    else:
        usage = "usage: record OUT.jsonl [--fixed]" + (" | phases [--fixed]" if phases else "")
        sys.exit(usage)


def rounded(value):
    """Numbers with ten digits: shorter lines, and far finer than any tolerance of Hitstop."""
    if isinstance(value, float):
        return float(f"{value:.10g}")
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(item) for item in value]
    return value
