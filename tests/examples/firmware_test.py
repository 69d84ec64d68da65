"""The firmware on an emulated Cortex-M4F gives the desktop's numbers.

usage: firmware_test.py DESKTOP_PROGRAM FIRMWARE_ELF
"""

import subprocess
import sys


def answers(command):
    # QEMU writes what the board prints to standard error.
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60).stdout
    return [[float(number) for number in line.split()] for line in output.splitlines() if line.strip()]


def main(desktop_program, elf):
    desktop = answers([desktop_program])
    board = answers(["qemu-system-arm", "-M", "mps2-an386", "-nographic", "-semihosting-config",
                     "enable=on,target=native", "-kernel", elf])
    assert len(desktop) == 3 and all(len(row) == 4 for row in desktop), f"desktop printed {desktop}"
    assert [len(row) for row in board] == [len(row) for row in desktop], f"the board printed {board}"
    # The board prints six decimals, and sums products without fusing them; the desktop's kernels fuse.
    worst = max(abs(a - b) for ours, theirs in zip(board, desktop) for a, b in zip(ours, theirs))
    assert worst <= 5e-6, f"worst difference {worst}\nboard   {board}\ndesktop {desktop}"
    print(f"12 numbers agree, worst difference {worst:.1e}")


if __name__ == "__main__":
    main(*sys.argv[1:])
