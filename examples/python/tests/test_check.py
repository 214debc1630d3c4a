"""Compares `hitstop.check` with `hitstop check --format json`. HITSTOP names the program."""

import json
import math
import os
import pathlib
import signal
import subprocess
import sysconfig
import threading
import time

import hitstop
import pyarrow
import pytest

ROOT = pathlib.Path(__file__).parents[3]
FILES = sorted(path for path in (ROOT / "scenes").rglob("*") if path.name.endswith((".ron", ".jsonl", ".zst")))


def program(*arguments):
    run = subprocess.run([os.environ["HITSTOP"], "check", "--format", "json", *arguments], capture_output=True, text=True)
    return [json.loads(line) for line in run.stdout.splitlines()], run.stderr


def rows(table):
    return [dict(zip(table, values)) for values in zip(*table.values(), strict=True)]


def test_every_bundled_level_has_the_findings_of_the_program():
    reports, _ = program(*map(str, FILES))
    assert len(reports) == len(FILES) > 100
    for report in reports:
        file, *findings = rows(hitstop.check(report["file"]))
        assert (file["row"], file["file"], file["level"]) == ("file", report["file"], report["name"])
        assert (file["frames"], file["objects"], file["findings"]) == (report["frames"], report["objects"], len(findings))
        assert len(findings) == len(report["findings"])
        for index, (row, finding) in enumerate(zip(findings, report["findings"])):
            assert (row["row"], row["index"]) == ("finding", index)
            for key in ["kind", "cause", "frame", "last_frame", "fraction", "time", "a", "text", "expected"]:
                assert row[key] == finding[key], (report["file"], index, key)
            # The table is in metres and Y up, JSON as the file.
            point, fixes = [row["point_x"], row["point_y"], row["point_z"]], json.loads(row["fixes"] or "[]")
            if report["units"] == {"length": 1, "up": "y"}:
                assert (point, fixes) == (finding["point"], finding.get("fixes", []))
            else:
                assert math.hypot(*point) == pytest.approx(math.hypot(*finding["point"]) * report["units"]["length"])
                assert [fix["what"] for fix in fixes] == [fix["what"] for fix in finding.get("fixes", [])]


def test_frames_detection_and_build_are_as_in_the_program():
    scene = str(ROOT / "scenes/bullet_through_paper.ron")
    [swept], _ = program(scene, "--detection", "sweep", "--frames", "1..2", "--build", "1.9")
    file, *findings = rows(hitstop.check(scene, detection="sweep", frames="1..2", build="1.9"))
    assert (file["build"], len(findings)) == ("1.9", len(swept["findings"]))
    with pytest.raises(ValueError, match="overlap"):
        hitstop.check(scene, detection="none")
    with pytest.raises(ValueError, match="the end is before the start"):
        hitstop.check(scene, frames="3..2")
    with pytest.raises(hitstop.Error, match="frames are 0 to 3"):
        hitstop.check(scene, frames="90..")


def test_a_file_that_cannot_be_used_raises_the_text_of_the_program(tmp_path):
    broken = tmp_path / "broken.ron"
    broken.write_text("Scene(version: 1, objects: [(name: 3)])")
    for path in [broken, tmp_path / "missing.jsonl"]:
        [report], _ = program(str(path))
        with pytest.raises(hitstop.Error) as error:
            hitstop.check(path)
        assert report["error"][0]["what"] in str(error.value)


def test_the_columns_are_a_table():
    table = pyarrow.table(hitstop.check(ROOT / "scenes/recordings/warehouse.jsonl"))
    assert table.num_rows > 1
    assert table.schema.field("frame").type == pyarrow.int64()
    assert table.schema.field("fraction").type == pyarrow.float64()


def long_recording(path):
    header = {"hitstop": 1, "dt": 1 / 60, "objects": [{"id": i, "shape": {"sphere": {"radius": 0.4}}} for i in range(200)]}
    with path.open("w") as log:
        log.write(json.dumps(header) + "\n")
        for frame in range(3000):
            bodies = [{"id": i, "p": [i % 20 + frame / 5, i // 20, (frame * i) % 7]} for i in range(200)]
            log.write(json.dumps({"frame": frame, "bodies": bodies}) + "\n")
    return path


@pytest.mark.skipif(os.name == "nt", reason="os.kill ends the process there")
def test_other_threads_go_on_and_a_signal_stops_the_work(tmp_path):
    path = long_recording(tmp_path / "long.jsonl")
    ticks = []
    threading.Thread(target=lambda: [ticks.append(time.sleep(0.01)) for _ in range(20)]).start()
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        hitstop.check(path)
    assert time.monotonic() - started < 5
    assert len(ticks) > 5


def test_the_wheel_brings_the_program_and_the_recorders(tmp_path):
    log = hitstop.Recorder(tmp_path / "level.jsonl", dt=1 / 60)
    ball = log.add("ball", {"sphere": {"radius": 0.1}})
    log.add("wall", {"box": {"half_extents": [0.05, 2, 2]}}, motion="fixed", position=[0, 1, 0])
    for step in range(8):
        log.frame(step / 60, [hitstop.body(ball, [step * 40 / 60 - 3, 1, 0])])
    log.close()
    programs = [pathlib.Path(sysconfig.get_path("scripts")) / "hitstop", os.environ["HITSTOP"]]
    for option, status in [("--fail-on=none", 0), ("--cache=.", 1), ("--nothing", 2)]:
        own, other = (subprocess.run([program, "check", "level.jsonl", option], cwd=tmp_path, capture_output=True) for program in programs)
        assert (own.returncode, own.stdout, own.stderr) == (status, other.stdout, other.stderr)
    assert hitstop.check(tmp_path / "level.jsonl")["kind"][1:] == ["Tunnels"]
