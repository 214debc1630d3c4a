"""Checks a folder of recordings with Dask and writes the findings table, partitioned by build.

    pip install "dask[distributed]" pyarrow
    python dask_cluster.py RECORDINGS FINDINGS [TASKS]

DASK_SCHEDULER is the address of a running cluster; without it, there is one worker for each core of this machine. All machines need the program
(HITSTOP, if it is not on the path) and the folder. Dask repeats the tasks of a lost worker.
"""

import itertools
import os
import pathlib
import subprocess
import sys
import tempfile

import pyarrow.dataset
import pyarrow.parquet
from dask.distributed import Client, as_completed

HITSTOP = os.environ.get("HITSTOP", "hitstop")


def check(paths):
    """The findings table of some files, as the bytes of its file. One that cannot be used is a row with its error."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder, "findings.parquet")
        command = [HITSTOP, "check", "--files-from", "-", "--jobs", "1", "--fail-on", "none", "--no-progress", "--out", str(out)]
        run = subprocess.run(command, input="\n".join(paths), stderr=subprocess.PIPE, text=True)
        if not out.exists():
            raise RuntimeError(f"hitstop: exit status {run.returncode}: {run.stderr}")
        return out.read_bytes()


def batches(futures):
    """The results as they arrive; each is then released."""
    for future, table in as_completed(futures, with_results=True):
        yield from pyarrow.parquet.read_table(pyarrow.BufferReader(table)).to_batches()
        future.release()


def main():
    recordings, findings = sys.argv[1:3]
    if os.path.exists(findings):
        raise SystemExit(f"{findings} exists")
    tasks = int(sys.argv[3]) if len(sys.argv) > 3 else 16
    # What `check` would judge; tasks run in other folders. The largest first, dealt in turn.
    listed = subprocess.run([HITSTOP, "check", "--list", pathlib.Path(recordings).resolve()], stdout=subprocess.PIPE, text=True, check=True)
    paths = [pathlib.Path(path) for path in listed.stdout.splitlines()]
    paths.sort(key=lambda path: (-path.stat().st_size, path))
    parts = [[str(path) for path in paths[n::tasks]] for n in range(min(tasks, len(paths)))]
    address = os.environ.get("DASK_SCHEDULER")
    with Client(address) if address else Client(threads_per_worker=1, dashboard_address=None) as client:
        results = batches(client.map(check, parts, pure=False))
        first = next(results)
        # The folder gets its name when it is whole.
        pyarrow.dataset.write_dataset(itertools.chain([first], results), findings + ".part", schema=first.schema, format="parquet",
                                      partitioning=["build"], partitioning_flavor="hive", existing_data_behavior="delete_matching")
    files = pyarrow.dataset.dataset(findings + ".part").to_table(["row", "error"])
    if not any(row["row"] == "file" and row["error"] is None for row in files.to_pylist()):
        raise SystemExit(f"no recording could be used: see the column `error` of {findings}.part")
    os.rename(findings + ".part", findings)


if __name__ == "__main__":
    main()
