# SPDX-License-Identifier: GPL-3.0-or-later
"""The numbers on a frozen screen are those of the snapshot: screen_equals_csv.py SCREEN ROUNDS."""
import csv
import re
import sys

TIME = {"n": 1, "u": 1e3, "µ": 1e3, "m": 1e6, "s": 1e9}
SI = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9}
NUMBER = r"([0-9]+\.?[0-9]*|\.[0-9]+)"


def shown(text, scale):
    """The value of a shown figure and half a unit of its last digit."""
    match = re.fullmatch(NUMBER + "(.?)", text)
    digits, unit = match.group(1), match.group(2)
    decimals = len(digits.partition(".")[2])
    return float(digits) * scale[unit], 0.501 * 10.0 ** -decimals * scale[unit]


def check(what, text, exact, scale):
    value, half = shown(text, scale)
    if abs(value - exact) > half + 1e-9 * exact:
        sys.exit(f"{what}: the screen says {text}, the file {exact}")
    print(f"{what}: {text} = {exact}")


screen = open(sys.argv[1], encoding="utf-8").read()
last = list(csv.DictReader(open(sys.argv[2], newline="")))[-1]

for quantile, column in ("p50", "p50"), ("p99", "p99"), ("p99.9", "p999"):
    found = re.findall(rf"(?<![\w.]){re.escape(quantile)} +(\S+)", screen)
    if len(found) < 2:
        sys.exit(f"{quantile} of wait and hold are not on the screen")
    for role, text in zip(("wait", "hold"), found):
        cell = last[f"{role}_{column}_ns"]
        if text.startswith("<"):
            # Smaller than the clock can tell: no number in the file.
            if cell:
                sys.exit(f"{role} {quantile}: the screen says {text}, the file {cell}")
            continue
        check(f"{role} {quantile}", text, float(cell), TIME)
mean = re.search(r"mean +" + NUMBER + r"([kMG]?)", screen)
check("mean throughput", mean.group(1) + mean.group(2), float(last["ops_per_s"]), SI)
jain = re.search(r"fair(?:ness)? +" + NUMBER, screen)
check("fairness", jain.group(1), float(last["fairness_jain"]), SI)
clocks = re.search(r"clocks/op +" + NUMBER + r"([kMG]?)", screen)
if clocks:
    check("clocks/op", clocks.group(1) + clocks.group(2), float(last["clocks_per_op"]), SI)
