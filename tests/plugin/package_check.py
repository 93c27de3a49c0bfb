#!/usr/bin/env python3
"""The way to ship: the CMake path of find_package(Houdini) configures against a stand-in, and
make_package.py puts the folder together with one gate a Houdini version."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
problems = []


def need(good, text):
    if not good:
        problems.append(text)


def check_configure(work):
    hfs = work / "hfs"
    for folder in ("toolkit/cmake", "toolkit/include/tbb", "dsolib"):
        (hfs / folder).mkdir(parents=True)
    (hfs / "toolkit/include/tbb/task_arena.h").write_text("")
    for name in ("tbb", "openvdb_sesi", "blosc"):
        (hfs / "dsolib" / f"lib{name}.so").write_text("")
    (hfs / "toolkit/cmake/HoudiniConfig.cmake").write_text(
        (ROOT / "tests/hdk/stand_in/HoudiniConfig.cmake").read_text().replace(
            'get_filename_component(double "${CMAKE_CURRENT_LIST_DIR}/../../../double" REALPATH)',
            f'set(double "{ROOT / "tests/hdk"}")'))
    build = work / "build"
    env = dict(os.environ, HFS=str(hfs))
    done = subprocess.run(["cmake", "--preset", "houdini", "-B", str(build), "-S", str(ROOT)], env=env,
                          capture_output=True, text=True, cwd=ROOT)
    need(done.returncode == 0, "configuring with the preset 'houdini' failed:\n" + done.stderr)
    if done.returncode:
        return
    ninja = (build / "build.ninja").read_text()
    need("Purl/houdini21.0/dso/Purl.so" in ninja, "Purl.so does not go to Purl/houdini21.0/dso")
    link = re.search(r"build Purl/houdini21.0/dso/Purl.so.*?\n\n", ninja, re.S).group(0)
    need("--exclude-libs,ALL" in link, "symbols of the core are not hidden in Purl.so")
    need(str(hfs / "dsolib") in link or "hfs/dsolib" in link, "Houdini's own libraries are not linked")
    need("/usr/lib/x86_64-linux-gnu/libopenvdb" not in link and "libtbb.so.12" not in link, "a system library is linked")
    need("-fvisibility=hidden" in ninja, "symbols are visible")
    # A shell without Houdini is told what to do.
    env["HFS"] = ""
    done = subprocess.run(["cmake", "--preset", "houdini", "-B", str(work / "none"), "-S", str(ROOT)], env=env,
                          capture_output=True, text=True, cwd=ROOT)
    need(done.returncode != 0 and "houdini_setup" in done.stderr, "a missing Houdini is not explained")


def check_package(work):
    built = work / "built" / "Purl" / "houdini21.0" / "dso"
    built.mkdir(parents=True)
    (built / "Purl.so").write_text("stand-in")
    out = work / "package"
    done = subprocess.run([sys.executable, str(ROOT / "plugin/package/make_package.py"), str(ROOT), str(out),
                           str(work / "built")], capture_output=True, text=True)
    need(done.returncode == 0, done.stderr)
    for name in ("Purl/houdini21.0/dso/Purl.so", "Purl/help/nodes/sop/purl--solver-1.0.txt", "Purl/toolbar/purl.shelf",
                 "Purl/config/Icons/SOP_purl.svg", "Purl/otls/purl_drape.1.0.hda/INDEX__SECTION", "Purl/LICENSE",
                 "Purl/hip_examples/scarf_on_plane.py", "Purl/help/images/purl/solver.png"):
        need((out / name).exists(), f"{name} is not in the package")
    for version, yes, no in (("20.5", "20.5.300", "21.0.1"), ("21.0", "21.0.440", "20.5.584"), ("22.0", "22.0.368", "21.5.1")):
        package = json.loads((out / "packages" / f"Purl-{version}.json").read_text())

        def enabled(houdini):
            def number(text):
                return tuple(int(n) for n in text.split("."))
            low, high = re.findall(r"houdini_version (?:>=|<) '([\d.]+)'", package["enable"])
            return number(low) <= number(houdini)[:2] < number(high)
        need(enabled(yes) and not enabled(no), f"Purl-{version}.json has the wrong gate: {package['enable']}")
        need(f"$PURL/houdini{version}" in json.dumps(package), f"Purl-{version}.json does not lead to its nodes")
    need("no nodes for Houdini 20.5" in done.stdout and "no nodes for Houdini 21.0" not in done.stdout,
         "the missing nodes are not named")


def main():
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        check_configure(work)
        check_package(work)
    print("\n".join(problems) or "configures against the stand-in; the package is whole")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
