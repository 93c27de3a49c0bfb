#!/usr/bin/env python3
"""Fails when plugin/ uses a symbol of the HDK that docs/hdk-surface.md does not list: classes, types,
functions and macros by their prefixes, headers by their includes, members by the double's own
declarations (a member that plugin/ calls and the double declares as the HDK's)."""
import pathlib
import re
import sys

PREFIX = re.compile(r"\b(?:(?:UT|GA|GEO|GU|OP|SOP|SIM|GAS|PRM|CH|SYS|COOK|UTget|CHget)_?[A-Z]\w*"
                    r"|CHgetManager|UTgetInterrupt|DECLARE_\w+|IMPLEMENT_\w+|fpreal\d*|exint|int64|int32"
                    r"|newSopOperator|initializeSIM|_sh)\b")
OWN = re.compile(r"^(SOP_Purl|SIM_Purl|GAS_Purl|GA_PRIM$)")


def code(text):
    text = re.sub(r'R"THEDSFILE\(.*?\)THEDSFILE"', "", text, flags=re.S)
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    return re.sub(r'"(?:[^"\\]|\\.)*"', '""', text)


def plugin_sources(root):
    folder = root / "plugin"
    return [p for p in sorted(folder.iterdir()) if p.suffix in (".C", ".h", ".cpp")]


def documented_members(root):
    """Members that the double declares before it says what is not of the HDK, by name."""
    names = {}
    for path in (root / "tests" / "hdk" / "include").rglob("*.h"):
        owner, hidden = "", False
        for line in path.read_text().splitlines():
            opened = re.match(r"\s*class (\w+)[^;]*$", line)
            if opened:
                owner, hidden = opened.group(1), False
            if "ot of the HDK" in line:
                hidden = not re.search(r";\s*//", line) or hidden or "as what follows" in line
                continue
            found = re.match(r"\s+(?:virtual |static |explicit |inline |template <class T>)*[\w:<>,&* ]+?[ &*](\w+)\(", line)
            if found and owner and not hidden and not line.strip().startswith("return"):
                names.setdefault(found.group(1), set()).add(owner)
    return names


def used(root):
    symbols, headers, members = {}, {}, {}
    declared = documented_members(root)
    for path in plugin_sources(root):
        raw = path.read_text()
        for header in re.findall(r"#include <((?:UT|GA|GEO|GU|OP|SOP|SIM|GAS|PRM|CH|SYS)/\w+\.h)>", raw):
            headers.setdefault(header, path.name)
        text = code(raw)
        text = re.sub(r"#include[^\n]*", "", text)
        for symbol in PREFIX.findall(text):
            if not OWN.match(symbol):
                symbols.setdefault(symbol, path.name)
        for member in re.findall(r"\b(\w+)\s*[(<]", text) + re.findall(r"\b(\w+)\([^;{}]*\) (?:const )?override", text):
            if member in declared:
                members.setdefault(member, path.name)
    return symbols, headers, members


def listed(root):
    text = (root / "docs" / "hdk-surface.md").read_text()
    return set(re.findall(r"`([^`]+)`", text))


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    symbols, headers, members = used(root)
    if "--list" in sys.argv:
        for kind in (symbols, headers, members):
            print("\n".join(sorted(kind)), end="\n\n")
        return 0
    known = listed(root)
    words = {w for entry in known for w in re.findall(r"\w+", entry)}
    problems = [f"{where}: {s} is used and not listed" for s, where in symbols.items() if s not in words]
    problems += [f"{where}: <{h}> is included and not listed" for h, where in headers.items() if h not in known]
    problems += [f"{where}: member {m}() is used and not listed" for m, where in members.items() if m not in words]
    print("\n".join(problems) or f"{len(symbols)} symbols, {len(members)} members, {len(headers)} headers listed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
