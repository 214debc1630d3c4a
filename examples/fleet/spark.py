"""Checks a folder of recordings with Apache Spark and writes the findings table, partitioned by build.

    pip install pyspark pyarrow                   # and Java 17 or newer
    spark-submit --master MASTER spark.py RECORDINGS FINDINGS [TASKS]

All machines need the program (HITSTOP, if it is not on the path) and the folder. Spark repeats the tasks of a lost executor.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

import pyarrow.parquet
from pyspark.sql import SparkSession

HITSTOP = os.environ.get("HITSTOP", "hitstop")
TYPES = {"string": "string", "int64": "bigint", "double": "double", "bool": "boolean"}


def check(paths):
    """The findings table of some files. One that cannot be used is a row with its error."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder, "findings.parquet")
        command = [HITSTOP, "check", "--files-from", "-", "--jobs", "1", "--fail-on", "none", "--no-progress", "--out", str(out)]
        run = subprocess.run(command, input="\n".join(paths), stderr=subprocess.PIPE, text=True)
        if not out.exists():
            raise RuntimeError(f"hitstop: exit status {run.returncode}: {run.stderr}")
        return pyarrow.parquet.read_table(out)


def check_batches(batches):
    for batch in batches:
        for paths in batch["paths"].to_pylist():
            yield from check(paths).to_batches()


def main():
    recordings, findings = sys.argv[1:3]
    tasks = int(sys.argv[3]) if len(sys.argv) > 3 else 16
    # What `check` would judge; tasks run in other folders. The largest first, dealt in turn.
    listed = subprocess.run([HITSTOP, "check", "--list", pathlib.Path(recordings).resolve()], stdout=subprocess.PIPE, text=True, check=True)
    paths = [pathlib.Path(path) for path in listed.stdout.splitlines()]
    paths.sort(key=lambda path: (-path.stat().st_size, path))
    parts = [[str(path) for path in paths[n::tasks]] for n in range(min(tasks, len(paths)))]
    columns = ", ".join(f"`{field.name}` {TYPES[str(field.type)]}" for field in check(parts[0][:1]).schema)
    spark = SparkSession.builder.appName("hitstop").getOrCreate()
    rows = spark.sparkContext.parallelize([(part,) for part in parts], len(parts))
    table = spark.createDataFrame(rows, "paths array<string>").mapInArrow(check_batches, columns)
    # One file for each build, in the order of the single table.
    table = table.repartition("build").sortWithinPartitions("file", "index")
    folder = pathlib.Path(findings).absolute().as_uri()
    table.write.partitionBy("build").mode("overwrite").parquet(folder)
    judged = spark.read.parquet(folder).where("row = 'file' AND error IS NULL").count()
    spark.stop()
    if judged == 0:
        raise SystemExit("no recording could be used: see the column `error`")


if __name__ == "__main__":
    main()
