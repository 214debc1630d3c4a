"""Compares what engines do with what the table of engines says, and lists the rows that were read long ago.

    python check.py engines.ron NAME FROM VERSION -- PROGRAM.. [++ NAME FROM VERSION -- PROGRAM..]

FROM is the first version of the row, or `-`. Ends with 1 if a claim of the table fails.
"""

import datetime
import sys

import levels
import table

OLD = 180  # days


def holds(count, before):
    """Whether continuous detection acts: hardly any phase is left."""
    return count <= before / 8


def claims(row, seen):
    """Each claim of a row that the levels show: what, whether it is so, and the counts."""
    coverage = row["continuous"] if isinstance(row["continuous"], dict) else {}
    for other in ("fixed", "kinematic", "dynamic"):
        off, world, body = seen[other]
        switch = coverage.get(other)
        kind, is_on = (switch["variant"], switch.get("on", False)) if isinstance(switch, dict) else (switch, False)
        so = {
            "Always": off == world == body == 0,
            "World": off > 0 and holds(world, off),
            "Body": off > 0 and holds(body, off) and (is_on or not holds(world, off)),
            None: off > 0 and not holds(body, off),
        }[kind]
        yield f"against {other} bodies: {kind or 'not swept'}", so, seen[other]
    if "both_move" in coverage:
        before, one, both = seen["two"]
        so = {
            "OneIsEnough": holds(one, before),
            "BothNeeded": not holds(one, before) and holds(both, before),
            "Misses": not holds(both, before),
        }[coverage["both_move"]]
        yield f"of two moving bodies: {coverage['both_move']}", so, seen["two"]
    if "rotation" in coverage:
        before, after = seen["rotation"]
        yield f"follows a rotation: {coverage['rotation']}", holds(after, before) == coverage["rotation"], seen["rotation"]
    if "substeps" in row:
        one, many = seen["substeps"]
        detect = row["substeps"]["detect"]
        yield f"{row['substeps']['name']} detect: {detect}", holds(many, one) == detect, seen["substeps"]
    lengths = [row[name]["usual"] for name in ("slop", "margin") if name in row]
    if lengths and "soft" not in row and row.get("unit") == "m":
        depth = seen["depth"]
        yield f"a body at rest is at most {max(lengths)} m deep, or apart", abs(depth) <= max(lengths) + 1e-4, [round(depth, 5)]


def check(rows, name, first, version, program):
    row = next(row for row in rows if row["name"] == name and row.get("from", "-") == first)
    failed = 0
    print(f"\n{name} {version}" + ("" if version in row.get("tried", "") else f" (the table: {row.get('tried', 'not tried')})"))
    for what, so, counts in claims(row, levels.measure(program)):
        failed += not so
        print(f"  {'ok   ' if so else 'WRONG'} {what}: {' '.join(map(str, counts))}", flush=True)
    return failed


def old(rows):
    today = datetime.date.today()
    for row in rows:
        age = (today - datetime.date.fromisoformat(row["read"])).days
        if age > OLD:
            print(f"read {age} days ago: {row['name']} {row.get('from', '')}: {row['source']}")


def main():
    path, *rest = sys.argv[1:]
    rows = table.read(path)
    failed, given = 0, []
    for word in [*rest, "++"]:
        if word != "++":
            given.append(word)
        elif given:
            name, first, version, _, *program = given
            failed += check(rows, name, first, version, program)
            given = []
    print()
    old(rows)
    print(f"{failed} claims are wrong" if failed else "every claim that was tried holds")
    sys.exit(1 if failed else 0)


main()
