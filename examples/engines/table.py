"""Tries Hitstop's answers in the engines, and prints two Markdown tables.

    python table.py [--engine NAME ..] [--level NAME ..] [--logs FOLDER]

For each bug level: what `hitstop check` said of its recording, and in how many of 64 starting phases the bug happens: as it is, with
each suggested fix at the value that holds, and one notch below that value (a substep fewer, or 10 % the wrong way). For each healthy
level: the findings, in bold if they make `hitstop check` fail.
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
        if fix["what"] == "continuous_detection":
            found["sweep"] = 1
        elif fix["holds"] is None:
            return None
        else:
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
    return ", ".join("continuous detection" if name == "sweep" else f"{name} {value:.3g}" for name, value in settings.items())


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


def bug_row(name, engine, expected, folder):
    path = str(folder / f"{engine}_{name}.jsonl")
    run.record(engine, name, path)
    findings = relevant(check(path), levels.level(name, engine))
    made = tries(findings, expected)
    usable = [settings is not None and not levels.level(name, engine, settings)["unused"] for _, settings in made]
    counts = iter(run.phases(engine, name, [settings for (_, settings), ok in zip(made, usable) if ok]))
    counts = [len(next(counts)) if ok else None for ok in usable]
    changes = []
    for (what, settings), with_it, less in zip(made[1::2], counts[1::2], counts[2::2]):
        # A change that this level or engine does not have is left out; a value that cannot be set is not.
        if with_it is not None:
            changes.append(f"{what}: {with_it}" + (f" / {less}" if less is not None else ""))
        elif settings not in [change for listed in CHANGES.values() for _, change in listed]:
            changes.append(f"{what}: not tried")
    return [name, engine, expected, verdict(findings, expected), str(counts[0]), "; ".join(changes)]


def healthy_cell(name, engine, folder):
    """Number of findings, and which; bold if `hitstop check` fails because of them."""
    path = str(folder / f"{engine}_{name}.jsonl")
    run.record(engine, name, path)
    findings = check(path)["findings"]
    kinds = collections.Counter(f"{finding['kind']} {finding['cause']}" for finding in findings)
    which = ", ".join(f"{count} {kind}" for kind, count in kinds.items()) or "0"
    return f"**{which}**" if any(finding["kind"] not in HARMLESS for finding in findings) else which


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
        heading("level", "engine", "expected", "said", "before", "with each change / one notch less")
        for row in levels.BUGS:
            for engine in wanted(row):
                line(bug_row(row[0], engine, row[3], folder))
        heading("healthy level", *given.engine)
        for row in levels.HEALTHY:
            own = wanted(row)
            if own:
                line([row[0], *(healthy_cell(row[0], engine, folder) if engine in own else "" for engine in given.engine)])


if __name__ == "__main__":
    main()
