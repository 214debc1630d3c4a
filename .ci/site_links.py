"""A preprocessor of mdBook for links of docs/ that a site would lack: those that lead out of the folder, and those to a README.md, whose page is index.html.

With HITSTOP_SOURCE, the address of the repository, the former lead there; without it only their text stays.
"""

import json
import os
import posixpath
import re
import sys

SOURCE = os.environ.get("HITSTOP_SOURCE", "").rstrip("/")
# Not of pictures.
LINK = re.compile(r"(?<!!)\[((?:`[^`]*`|[^\[\]`])*)\]\(([^()\s]+)\)")


def link(match, folder):
    text, target = match.groups()
    path, hash_, anchor = target.partition("#")
    if not path or ":" in path:
        return match[0]
    whole = posixpath.normpath(posixpath.join("docs", folder, path))
    if not whole.startswith("docs/"):
        return f"[{text}]({SOURCE}/blob/main/{whole}{hash_}{anchor})" if SOURCE else text
    if posixpath.basename(path) == "README.md":
        return f"[{text}]({path[: -len('README.md')]}index.md{hash_}{anchor})"
    return match[0]


def rewrite(text, folder):
    """A link may have code as its text, so that code is only skipped outside of links."""
    blocks = re.split(r"(```.*?```)", text, flags=re.S)
    return "".join(part if index % 2 else LINK.sub(lambda match: link(match, folder), part) for index, part in enumerate(blocks))


def walk(items):
    for item in items:
        chapter = item.get("Chapter") if isinstance(item, dict) else None
        if chapter:
            folder = posixpath.dirname(chapter.get("source_path") or "")
            chapter["content"] = rewrite(chapter["content"], folder)
            walk(chapter["sub_items"])


if sys.argv[1:2] == ["supports"]:
    sys.exit(0)
_, book = json.load(sys.stdin)
walk(book.get("items") or book.get("sections"))
json.dump(book, sys.stdout)
