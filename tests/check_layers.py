#!/usr/bin/env python3
"""Reads every #include of core/purl and fails on one that the architecture does not allow.

The table below is the architecture (docs/architecture.md): a folder, and the folders it may include.
OpenVDB is seen in collide/sdf.* and io/*vdb* only, TBB in base/parallel.cpp only.
"""
import pathlib
import re
import sys

PHYSICS = ["base", "geometry", "model"]
ALLOWED = {
    "base": [],
    "geometry": ["base"],
    "model": ["base", "geometry"],
    "rod": PHYSICS,
    "contact": PHYSICS,
    "collide": PHYSICS,
    "integrate": PHYSICS,
    "solve": ["base"],
    "cloth": ["base", "geometry", "model", "solve", "collide"],
    "implicit": ["base", "geometry", "model", "rod", "contact", "collide", "integrate", "solve"],
    "crossing": ["base", "geometry", "model", "solve", "collide", "pattern"],
    "mixed": ["base", "geometry", "model", "solve", "collide", "cloth", "crossing"],
    "pattern": ["base", "geometry"],
    "check": ["base", "geometry"],
    "guard": ["base", "geometry", "model", "check", "contact"],
    "io": ["base", "geometry"],
    "scene": ["base", "geometry", "model", "pattern", "collide"],
    "host": ["base", "geometry", "model", "collide", "cloth", "crossing", "mixed", "pattern", "scene", "check", "io", "sim", "solve"],
    "sim": ["base", "geometry", "model", "rod", "contact", "collide", "integrate", "implicit", "scene", "solve", "cloth", "guard"],
}
EXTERNAL = {
    "tbb/": re.compile(r"^base/parallel\.cpp$"),
    "openvdb/": re.compile(r"^(collide/sdf|collide/mesh_sdf|io/vdb)[a-z_]*\.(h|cpp)$"),
    "blosc": re.compile(r"^io/"),
    "nlohmann/": re.compile(r"^(scene|io)/"),
}


def problems(root):
    core = pathlib.Path(root) / "core" / "purl"
    for path in sorted(core.rglob("*")):
        if path.suffix not in (".h", ".cpp"):
            continue
        name = path.relative_to(core).as_posix()
        folder = name.split("/")[0]
        if folder not in ALLOWED:
            yield f"{name}: folder '{folder}' is not in the architecture's table"
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            include = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line)
            if not include:
                continue
            target = include.group(1)
            own = re.match(r"purl/([a-z_]+)/", target)
            if own and own.group(1) != folder and own.group(1) not in ALLOWED[folder]:
                yield f"{name}:{number}: {folder} may not include {target}"
            if target.startswith(("cli/", "preview/", "plugin/", "../")):
                yield f"{name}:{number}: core may not include {target}"
            for prefix, where in EXTERNAL.items():
                if target.startswith(prefix) and not where.match(name):
                    yield f"{name}:{number}: {target} is not allowed here"


def main():
    found = list(problems(sys.argv[1] if len(sys.argv) > 1 else "."))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
