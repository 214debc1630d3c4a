"""Godot in its web template: `python godot.py TEMPLATE godot|jolt|2d` reads levels from standard input, writes where the bodies end. See levels.py."""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "examples/engines/recorders/godot"))

import run  # noqa: E402

SCENE = """[gd_scene load_steps=2 format=3]
[ext_resource type="Script" path="res://godot.gd" id="1"]
[node name="Main" type="Node"]
script = ExtResource("1")
"""


def main(template, engine):
    settings = (run.HERE / "project.godot").read_text()
    if engine == "jolt":
        settings += '\n[physics]\n\n3d/physics_engine="Jolt Physics"\n'
    files = {
        "project.godot": settings,
        "main.tscn": SCENE,
        "godot.gd": (HERE / "godot.gd").read_text().replace("IS_FLAT := false", f"IS_FLAT := {str(engine == '2d').lower()}"),
        "levels.txt": sys.stdin.read(),
    }
    answers = {}

    def take(_, text):
        word, *rest = text.split(maxsplit=2)
        if word == "answer":
            answers[int(rest[0])] = rest[1]
        elif word == "end":
            return True
        else:
            print(text, file=sys.stderr)
        return False

    pack = run.pack({name: text.encode() for name, text in files.items()})
    if not run.play(template, pack, take):
        sys.exit("Godot did not end")
    for number in range(len(answers)):
        print(answers[number])


main(*sys.argv[1:])
