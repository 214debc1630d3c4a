"""Runs reproductions in engines: `python repros.py HITSTOP 'SCENES/*.ron ..' NAME VERSION FOLDER FILE COMMAND ..`, five words for each engine.

For the first finding of each level it writes the program of the engine with `hitstop repro` as FILE in FOLDER, runs COMMAND there as it is and
with FIX set, and prints a table of the starting phases, of 64, in which the program fails. It ends with status 1 if a program does not
compile, or one with a fix fails after it or does not fail before it.
"""

import glob
import json
import pathlib
import re
import subprocess
import sys

hitstop, scenes, *words = sys.argv[1:]
engines = [words[i : i + 5] for i in range(0, len(words), 5)]
levels = sorted(map(pathlib.Path, (one for pattern in scenes.split() for one in glob.glob(pattern))))


def run(command, folder=".", shell=True):
    return subprocess.run(command, cwd=folder, shell=shell, capture_output=True, text=True, timeout=600)


def phases(command, folder):
    """In how many phases it fails; None if it does not run."""
    done = run(command, folder)
    found = re.search(r"(\d+) of 64 phases", done.stdout)
    if not found:
        print(done.stdout[-500:], done.stderr[-2000:], file=sys.stderr)
    return int(found[1]) if found and (done.returncode != 0) == (found[1] != "0") else None


def tried(level, name, folder, file, command):
    """What a cell of the table says, and whether that is as it should be: the first fix after which it does not fail, or the first."""
    path = pathlib.Path(folder, file)
    cells = []
    for fix in range(1, 5):
        path.unlink(missing_ok=True)
        words = [hitstop, "repro", level, "--finding", "1", "--for", name, "--out", path, "--no-progress"]
        made = run(words + (["--fix", str(fix)] if fix > 1 else []), shell=False)
        if made.returncode != 0:
            text = made.stderr.split("error: ")[-1].splitlines()[0].removeprefix(f"{level}: ")
            return cells[0] if cells else (text, None)
        text = path.read_text()
        before = phases(command, folder)
        if not before:
            return f"{before}", None if before == 0 else False
        fixed = re.sub(r"\b(FIX(?:: bool)?)( =)? (?:[Ff]alse|0)", lambda m: f"{m[1]}{m[2] or ''} {'1' if not m[2] else 'True' if file.endswith('.py') else 'true'}", text, count=1)
        if fixed == text:
            return f"{before}, no fix", True
        path.write_text(fixed)
        after = phases(command, folder)
        says = f"{before} → {after}" + (f" with fix {fix}" if fix > 1 else "")
        if after == 0:
            return says, True
        cells.append((says, False))
    return cells[0]


bad = 0
for name, version, folder, file, command in engines:
    print(f"\n{name} {version}\n")
    for level in levels:
        listed = run([hitstop, "check", "--format", "json", "--fail-on", "none", level], shell=False)
        findings = json.loads(listed.stdout)["findings"]
        if not findings:
            continue
        says, good = tried(level, name, folder, file, command)
        bad += good is False
        print(f"| {level.stem} | {findings[0]['kind']} {findings[0]['cause']} | {says} | {'' if good is None else 'yes' if good else 'NO'} |", flush=True)
sys.exit(bad > 0)
