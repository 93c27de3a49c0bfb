#!/usr/bin/env python3
"""Puts the folder together that an artist drops in: make_package.py ROOT OUT [BUILD...].

OUT/Purl is a HOUDINI_PATH root; OUT/packages holds one package file a Houdini version, each with its
gate. BUILD are build folders with Purl/houdiniX.Y/dso inside (preset `houdini`, one a version)."""
import json
import pathlib
import re
import shutil
import sys

VERSIONS = [("20.5", "21.0"), ("21.0", "22.0"), ("22.0", "23.0")]


def version_of(root):
    return re.search(r"project\(purl VERSION ([\d.]+)", (root / "CMakeLists.txt").read_text()).group(1)


def package(version, below, release):
    return {
        "load_package_once": True,
        "enable": f"houdini_version >= '{version}' and houdini_version < '{below}'",
        "version": release,
        "env": [{"PURL": "$HOUDINI_PACKAGE_PATH/../Purl"},
                {"HOUDINI_PATH": {"value": ["$PURL", f"$PURL/houdini{version}"], "method": "prepend"}}]}


def main(root, out, builds):
    purl = out / "Purl"
    shutil.rmtree(purl, ignore_errors=True)
    shutil.rmtree(out / "packages", ignore_errors=True)
    purl.mkdir(parents=True)
    (out / "packages").mkdir()
    for library in (root / "otls").glob("*.hda"):
        shutil.copytree(library, purl / "otls" / library.name)
    shutil.copytree(root / "help", purl / "help")
    shutil.copytree(root / "plugin" / "package" / "config", purl / "config")
    shutil.copytree(root / "plugin" / "package" / "toolbar", purl / "toolbar")
    shutil.copytree(root / "hip_examples", purl / "hip_examples", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("otls/build_otls.py", "otls/assets.py"):
        (purl / "scripts" / "purl").mkdir(parents=True, exist_ok=True)
        shutil.copy(root / name, purl / "scripts" / "purl")
    shutil.copy(root / "docs" / "houdini.md", purl / "README.md")
    shutil.copy(root / "LICENSE", purl)
    for build in builds:
        for stage in (pathlib.Path(build) / "Purl").glob("houdini*"):
            shutil.copytree(stage, purl / stage.name, dirs_exist_ok=True)
    release = version_of(root)
    for version, below in VERSIONS:
        path = out / "packages" / f"Purl-{version}.json"
        path.write_text(json.dumps(package(version, below, release), indent=2) + "\n")
        if not list((purl / f"houdini{version}").glob("dso/*")):
            print(f"no nodes for Houdini {version}: configure with the preset 'houdini' in its shell first")
    print(f"{purl}: drop it and {out / 'packages'} into your Houdini folder, or set HOUDINI_PACKAGE_DIR")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:])
