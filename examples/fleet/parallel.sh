#!/usr/bin/env bash
# Checks a folder of recordings with GNU parallel, one process for each core: parallel.sh RECORDINGS FINDINGS [PARTS]
# FINDINGS gets the results of each part and the table findings.parquet. A part that fails is repeated twice.
set -euo pipefail
export RECORDINGS=$1 FINDINGS=$2 PARTS=${3:-16} HITSTOP=${HITSTOP:-hitstop}
mkdir -p "$FINDINGS"
rm -f "$FINDINGS"/part-*.jsonl

# A part is written in one step. The exit status is 2 also for files that cannot be used, which are in it with their error.
check_part() {
    local out=$FINDINGS/part-$1.jsonl
    "$HITSTOP" check "$RECORDINGS" --shard "$1/$PARTS" --jobs 1 --fail-on none --no-progress --format json --out "$out" || [ -f "$out" ]
}
export -f check_part
seq "$PARTS" | SHELL=$BASH parallel --retries 3 check_part
"$HITSTOP" merge "$FINDINGS"/part-*.jsonl --fail-on none --out "$FINDINGS/findings.parquet" || [ -f "$FINDINGS/findings.parquet" ]
