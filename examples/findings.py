"""Counts the findings of levels by cause and first fix, with DuckDB on the JSON of `hitstop check`.

    pip install duckdb
    python examples/findings.py scenes            # HITSTOP: the program, if it is not on the path
"""

import os
import pathlib
import subprocess
import sys
import tempfile

import duckdb

COUNTS = """
SELECT f.cause, f.kind, count(*) AS findings, count(DISTINCT file) AS files,
       f.fixes[1].what AS fix, min(f.fixes[1].holds) AS least, max(f.fixes[1].holds) AS most
FROM (SELECT file, unnest(findings) AS f FROM read_json(?))
GROUP BY ALL ORDER BY findings DESC, f.cause, f.kind, fix
"""


def main():
    with tempfile.TemporaryDirectory() as folder:
        reports = pathlib.Path(folder) / "findings.json"
        command = [os.environ.get("HITSTOP", "hitstop"), "check", "--no-progress", "--format", "json", *sys.argv[1:]]
        with reports.open("w") as out:
            status = subprocess.run(command, stdout=out).returncode
        # 1 is "there are findings".
        if status > 1:
            raise SystemExit(status)
        duckdb.sql(COUNTS, params=[str(reports)]).show(max_rows=100)


if __name__ == "__main__":
    main()
