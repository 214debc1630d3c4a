"""Tries Hitstop's answers in the engines, and prints two Markdown tables.

    python table.py [--engine NAME ..] [--level NAME ..] [--logs FOLDER]

For each bug level: what `hitstop check` said of its recording, and in how many of 64 starting phases the bug happens as it is, with
each suggested fix at the value that holds, and one notch below that value. For each healthy level: the number of findings.
The environment variable HITSTOP is the command to call; `hitstop` without it.
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import tempfile

import levels
import run

HITSTOP = os.environ.get("HITSTOP", "hitstop")
# Changes without a number, which the texts of these causes suggest.
CHANGES = {
    "C02": [("continuous detection", {"sweep": 1})],
    "C08": [("winding", {"winding": 1})],
    "C10": [("merged faces", {"merged": 1}), ("the engine's remedy", {"smooth": 1})],
    "C19": [("continuous detection", {"sweep": 1})],
    "C21": [("stiffer contacts", {"stiff": 1}), ("400 iterations", {"iterations": 400})],
}
# Kinds that do not make `hitstop check` fail.
HARMLESS = {"Clips", "StartsInside"}


def check(path):
    done = subprocess.run([HITSTOP, "check", "--no-progress", "--format", "json", path], capture_output=True, text=True)
    if done.returncode > 1:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout)


def values(fix):
    """A fix as settings; None where no value holds."""
    found = {}
    while fix:
        if fix["holds"] is None:
            return None
        found[fix["what"]] = fix["holds"]
        fix = fix.get("with")
    return found


def notch_less(settings):
    """One substep fewer, or 10 % the wrong way; None for values without an order."""
    less = dict(settings)
    for name in ("substeps", *settings):
        if name == "substeps" and name in less:
            return {**less, name: less[name] - 1}
        if name.startswith("max_"):
            return {**less, name: less[name] * 1.1}
        if name.startswith("min_") or name == "separation":
            return {**less, name: less[name] * 0.9}
    return None


def named(settings):
    return ", ".join(f"{name} {value:.3g}" for name, value in settings.items())


def relevant(report, level):
    """The findings about the level's own pair, or all if there are none."""
    names = set(map(str, level["through"].values()))
    own = [finding for finding in report["findings"] if names & {finding["a"], finding["b"]}]
    return own or report["findings"]


def verdict(findings, expected):
    if not findings:
        return "**nothing found**"
    first = findings[0]
    said = f"{first['kind']} {first['cause']}"
    if expected in [finding["cause"] for finding in findings]:
        return f"{said}, right"
    also = ", also " + expected if expected in first["also"] else ""
    return f"**{said}{also}, wrong**"


def tries(findings, expected):
    """Name and settings of each change to try."""
    made = [("", {})]
    for finding in findings[:1]:
        for settings in filter(None, map(values, finding["fixes"])):
            less = notch_less(settings)
            made.append((named(settings), settings))
            made.append((None, less))
    causes = [expected, *(cause for finding in findings[:1] for cause in [finding["cause"], *finding["also"]])]
    for name, settings in (change for cause in causes for change in CHANGES.get(cause, [])):
        if (name, settings) not in made:
            made += [(name, settings), (None, None)]
    return made


def bug_rows(name, engine, expected, folder):
    path = str(folder / f"{engine}_{name}.jsonl")
    run.record(engine, name, path)
    findings = relevant(check(path), levels.level(name, engine))
    made = tries(findings, expected)
    usable = [settings is not None and not levels.level(name, engine, settings)["unused"] for _, settings in made]
    counts = iter(run.phases(engine, name, [settings for (_, settings), ok in zip(made, usable) if ok]))
    counts = [str(len(next(counts))) if ok else "" for ok in usable]
    yield [name, engine, expected, verdict(findings, expected), "", counts[0], "", ""]
    for (what, _), with_it, less in zip(made[1::2], counts[1::2], counts[2::2]):
        # A change without a number that this level or engine does not have is left out.
        if with_it or " " not in what or what[-1].isdigit():
            yield ["", "", "", "", what, "", with_it or "not tried", less]


def healthy_row(name, engine, folder):
    path = str(folder / f"{engine}_{name}.jsonl")
    run.record(engine, name, path)
    findings = check(path)["findings"]
    kinds = collections.Counter(f"{finding['kind']} {finding['cause']}" for finding in findings)
    failing = sum(finding["kind"] not in HARMLESS for finding in findings)
    return [name, engine, str(len(findings)), str(failing), ", ".join(f"{count} {kind}" for kind, count in kinds.items())]


def line(cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def heading(*cells):
    print()
    line(cells)
    line(["---"] * len(cells))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", nargs="*", default=list(levels.ENGINES))
    parser.add_argument("--level", nargs="*")
    parser.add_argument("--logs", type=pathlib.Path, help="folder in which the recordings are kept")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.logs or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        wanted = lambda row: [engine for engine in row[2] if engine in given.engine and row[0] in (given.level or [row[0]])]
        heading("level", "engine", "expected", "said", "change", "before", "with it", "one notch less")
        for row in levels.BUGS:
            for engine in wanted(row):
                for cells in bug_rows(row[0], engine, row[3], folder):
                    line(cells)
        heading("healthy level", "engine", "findings", "failing", "which")
        for row in levels.HEALTHY:
            for engine in wanted(row):
                line(healthy_row(row[0], engine, folder))


if __name__ == "__main__":
    main()
