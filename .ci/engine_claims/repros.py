"""Runs reproductions in engines: `python repros.py HITSTOP 'SCENES/*.ron ..' NAME VERSION FOLDER FILE COMMAND ..`, five words for each engine.

For the first finding of each level, `hitstop repro` writes the program of the engine as FILE in FOLDER, runs COMMAND there as it is and with its
fix, and of its fixes takes the first after which it does not fail. Prints a table of the starting phases, of 64, in which the program fails. Ends
with status 1 if a program does not compile.
"""

import glob
import json
import pathlib
import re
import subprocess
import sys

hitstop, scenes, *words = sys.argv[1:]
hitstop = pathlib.Path(hitstop).resolve()
engines = [words[i : i + 5] for i in range(0, len(words), 5)]
levels = sorted(pathlib.Path(one).resolve() for pattern in scenes.split() for one in glob.glob(pattern))
MOST_FIXES = 4


def tried(level, name, folder, file, command):
    """The result, and whether the program could be run."""
    first = None
    for fix in range(1, MOST_FIXES + 1):
        words = [hitstop, "repro", level, "--finding", "1", "--for", name, "--out", file, "--no-progress"]
        words += (["--fix", str(fix)] if fix > 1 else []) + ["--", "sh", "-c", command]
        made = subprocess.run(words, cwd=folder, capture_output=True, text=True)
        found = re.search(r"eproduce[s]? here: (\d+) of 64 phases(?:, with the fix (\d+))?", made.stderr)
        if not found:
            error = made.stderr.split("error: ")[-1].splitlines()[0].removeprefix(f"{level}: ")
            ran = "the program " in error
            if ran:
                print(made.stderr, file=sys.stderr)
            says = re.sub(r", as it depends.*", "", error).split("; ")[0]
            return first or says, first is not None or not ran
        before, after = found[1], found[2]
        if before == "0":
            return "0", True
        if after is None:
            return f"{before}, no fix", True
        if after == "0":
            return f"{before} → 0" + (f", fix {fix}" if fix > 1 else ""), True
        first = first or f"{before} → {after}"
    return first, True


bad = 0
for name, version, folder, file, command in engines:
    print(f"\n{name} {version}\n")
    for level in levels:
        listed = subprocess.run([hitstop, "check", "--format", "json", "--fail-on", "none", level], capture_output=True, text=True)
        findings = json.loads(listed.stdout)["findings"]
        if not findings:
            continue
        says, good = tried(level, name, folder, file, command)
        bad += not good
        print(f"| {level.stem} | {findings[0]['kind']} {findings[0]['cause']} | {says} |", flush=True)
sys.exit(bad > 0)
