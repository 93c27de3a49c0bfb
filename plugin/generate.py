#!/usr/bin/env python3
"""Writes everything that follows from plugin/describe: the DialogScripts inside the nodes' sources,
the help pages, and otls/ in expanded form. --check only says what would change (tests do that)."""
import argparse
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "plugin"))
sys.path.insert(0, str(ROOT / "otls"))

from describe import NODES  # noqa: E402
from describe.dialog_script import dialog_script  # noqa: E402
from describe.help_page import help_page  # noqa: E402

BEGIN, END = 'R"THEDSFILE(\n', ')THEDSFILE"'


def with_script(source, node):
    head, _, rest = source.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return head + BEGIN + dialog_script(node) + END + tail


def outputs():
    """Every generated file: path from the root, text."""
    for node in NODES:
        path = ROOT / "plugin" / node.source
        if node.context == "sop" and path.exists():  # the DOPs take a part of the solver SOP's
            yield path, with_script(path.read_text(), node)
        yield ROOT / "help" / "nodes" / node.context / f"{node.file_stem}.txt", help_page(node)
    try:
        import expand
    except ImportError:
        return
    for name, text in expand.files():
        yield ROOT / "otls" / name, text


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--check", action="store_true")
    check = options.parse_args().check
    changed = [(p, t) for p, t in outputs() if not p.exists() or p.read_text() != t]
    for path, content in changed:
        print(("differs: " if check else "wrote ") + str(path.relative_to(ROOT)))
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
    return 1 if check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
