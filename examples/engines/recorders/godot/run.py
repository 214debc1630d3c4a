"""Runs the level in the web template of Godot 4.6, in Chromium without a window.

    python run.py TEMPLATE LOG bug|healthy godot|jolt|2d

TEMPLATE is a folder with the template's index.js and index.wasm. What Godot prints is printed; the exit status is 0 once the log is written.
"""

import hashlib
import http.server
import pathlib
import struct
import subprocess
import sys
import tempfile
import threading

HERE = pathlib.Path(__file__).parent
RECORDER = HERE.parents[3] / "docs/record"
PAGE = """<!doctype html><canvas id=canvas></canvas><script src=index.js></script><script>
const say = (text) => fetch('/say', {method: 'POST', body: text});
new Engine({executable: 'index', mainPack: 'level.pck', canvasResizePolicy: 0, onPrint: say, onPrintError: say}).startGame().catch((error) => say(String(error)));
</script>"""
CLASS = """{"base": &"Node", "class": &"%s", "icon": "", "is_abstract": false, "is_tool": false, "language": &"GDScript", "path": "res://%s"}"""
CLASSES = {"HitstopRecorder": "hitstop_recorder.gd", "HitstopRecorder2D": "hitstop_recorder_2d.gd"}


def pack(files):
    """A pack of Godot: a header, the files, and the list of their names and places."""
    blob, entries = b"", b""
    for name, data in files.items():
        path = name.encode()
        path += b"\0" * (-len(path) % 4)
        entries += struct.pack("<I", len(path)) + path + struct.pack("<QQ", len(blob), len(data)) + hashlib.md5(data).digest() + bytes(4)
        blob += data + b"\0" * (-len(data) % 16)
    start = 112
    # Version 3 of the format, of Godot 4.6; places are relative to the start of the files.
    header = struct.pack("<4sIIIIIQQ", b"GDPC", 3, 4, 6, 0, 2, start, start + len(blob))
    return header + bytes(start - len(header)) + blob + struct.pack("<I", len(files)) + entries


def level(is_bug, engine):
    files = {name: (HERE / name).read_text() for name in ("project.godot", "main.tscn")}
    script = HERE / ("main_2d.gd" if engine == "2d" else "main.gd")
    files["main.gd"] = script.read_text().replace("IS_BUG := false", f"IS_BUG := {str(is_bug).lower()}")
    if engine == "2d":
        files["main.tscn"] = files["main.tscn"].replace("Node3D", "Node2D")
    if engine == "jolt":
        files["project.godot"] += '\n[physics]\n\n3d/physics_engine="Jolt Physics"\n'
    files[".godot/global_script_class_cache.cfg"] = f"list=[{', '.join(CLASS % it for it in CLASSES.items())}]\n"
    for name in (*CLASSES.values(), "hitstop_level.gd", "hitstop_shapes.gd", "hitstop_live.gd"):
        files[name] = (RECORDER / name).read_text()
    return pack({name: text.encode() for name, text in files.items()})


def play(template, level, take, seconds=120):
    """Plays a pack in Chromium without a window, until `take(path, text)` of a post of the page is true. Returns whether it was."""
    served = {"/": PAGE.encode(), "/level.pck": level}
    served |= {f"/{name}": (pathlib.Path(template) / name).read_bytes() for name in ("index.js", "index.wasm")}
    types = {"/": "text/html", "/index.js": "text/javascript", "/index.wasm": "application/wasm"}
    done = threading.Event()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            data = served.get(self.path)
            self.send_response(200 if data is not None else 404)
            self.send_header("Content-Type", types.get(self.path, "application/octet-stream"))
            self.end_headers()
            self.wfile.write(data or b"")

        def do_POST(self):
            text = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self.send_response(200)
            self.end_headers()
            if take(self.path, text):
                done.set()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
             f"--user-data-dir={profile}", f"http://127.0.0.1:{server.server_port}/"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        is_done = done.wait(seconds)
        browser.terminate()
        browser.wait()
    server.shutdown()
    return is_done


def main(template, log, kind, engine):
    def take(path, text):
        if path == "/log":
            pathlib.Path(log).write_text(text)
            return True
        print(text, flush=True)
        return False

    return 0 if play(template, level(kind == "bug", engine), take) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
