#!/usr/bin/env python3
"""The guide as its users run it: a small data set in the same form, whole trainings, and all that can go wrong.

usage: guide_test.py GUIDE [TEST...]
"""

import os
import re
import pty
import random
import resource
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest
from pathlib import Path

GUIDE = ""
TRAIN_IMAGES, TEST_IMAGES = 448, 96


def write_data(folder):
    """Ten classes of bars at different heights, under noise; the same every time."""
    noise = random.Random(1)
    folder.mkdir()
    for prefix, count in (("train", TRAIN_IMAGES), ("t10k", TEST_IMAGES)):
        labels = bytes(i % 10 for i in range(count))
        images = bytearray()
        for label in labels:
            image = bytearray(noise.randrange(60) for _ in range(784))
            for row in (2 * label + 3, 2 * label + 4):
                image[row * 28 + 4:row * 28 + 24] = b"\xf0" * 20
            images += image
        (folder / f"{prefix}-images-idx3-ubyte").write_bytes(struct.pack(">IIII", 0x803, count, 28, 28) + images)
        (folder / f"{prefix}-labels-idx1-ubyte").write_bytes(struct.pack(">II", 0x801, count) + labels)


def no_large_files():
    """What a full disk does to a program: writes beyond 100 kB fail."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))


class GuideTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="guide-test-")
        cls.data = Path(cls.folder.name) / "data"
        write_data(cls.data)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def artifacts(self, name="artifacts"):
        return Path(self.folder.name) / self._testMethodName / name

    def command(self, *options, artifacts="artifacts"):
        return [GUIDE, *options, "--data", str(self.data), "--artifacts", str(self.artifacts(artifacts)), "--threads", "1"]

    def guide(self, *options, artifacts="artifacts", code=0, **popen):
        done = subprocess.run(self.command(*options, artifacts=artifacts), capture_output=True, text=True, timeout=100,
                              **popen)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def files(self, artifacts="artifacts"):
        """Names of all files below the artifacts."""
        root = self.artifacts(artifacts)
        return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())

    def saved(self, artifacts="artifacts"):
        """What a training leaves behind: the bytes of model and optimiser."""
        return [(self.artifacts(artifacts) / name).read_bytes() for name in ("model.bpk", "optimizer.bpk")]

    def test_trains_saves_and_evaluates(self):
        done = self.guide("--epochs", "2")
        self.assertEqual(done.stderr, "")
        lines = done.stdout.splitlines()
        self.assertRegex(lines[0], r"^backend: (cpu|ndarray)")
        self.assertRegex(lines[1], r"^epoch 1/2  train: loss \d\.\d{4}, accuracy \d+\.\d\d %;  valid: loss ")
        self.assertIn("accuracy  valid", done.stdout)
        self.assertIn("▒", done.stdout)
        self.assertIn("T-shirt/top", done.stdout)
        self.assertRegex(lines[-1], r"^test accuracy: \d+\.\d\d %$")
        checkpoint = ["model.bpk", "optimizer.bpk", "progress.bpk", "state.bpk"]
        self.assertEqual(self.files(), sorted(
            [f"checkpoints/epoch-{epoch}/{name}" for epoch in (1, 2) for name in checkpoint] +
            ["config.json", "model.bpk", "optimizer.bpk", "training.log"]))
        log = (self.artifacts() / "training.log").read_text()
        self.assertIn("epoch 2/2", log)
        # The evaluation once more: the same model, the same line.
        again = self.guide("infer")
        self.assertEqual(again.stdout.splitlines()[-1], lines[-1])

    def test_a_seed_gives_the_same_weights(self):
        self.guide("--epochs", "1", "--seed", "7", artifacts="a")
        self.guide("--epochs", "1", "--seed", "7", "--workers", "3", artifacts="b")
        self.guide("--epochs", "1", "--seed", "7", "--workers", "0", "--threads", "2", artifacts="c")
        self.guide("--epochs", "1", "--seed", "8", artifacts="d")
        self.assertEqual(self.saved("a"), self.saved("b"))
        self.assertEqual(self.saved("a"), self.saved("c"))
        self.assertNotEqual(self.saved("a"), self.saved("d"))

    def test_four_epochs_are_two_and_two(self):
        self.guide("--epochs", "4", artifacts="whole")
        self.guide("--epochs", "2", artifacts="parts")
        self.guide("--epochs", "4", "--resume", artifacts="parts")
        self.assertEqual(self.saved("whole"), self.saved("parts"))

    def test_killed_at_any_moment(self):
        self.guide("--epochs", "4", artifacts="whole")
        chance = random.Random(3)
        for attempt in range(4):
            name = f"killed-{attempt}"
            with subprocess.Popen(self.command("--epochs", "4", artifacts=name), stdout=subprocess.PIPE, text=True) as run:
                reported = 0
                for line in run.stdout:
                    reported += line.startswith("checkpoint: ")
                    if reported == 1 + attempt % 3:
                        break
                time.sleep(chance.uniform(0, 0.5))
                run.kill()
            done = self.guide("--epochs", "4", "--resume", artifacts=name)
            resumed = re.search(r"^resuming after epoch ([1234]) from ", done.stdout, re.MULTILINE)
            self.assertIsNotNone(resumed, done.stdout)
            self.assertGreaterEqual(int(resumed[1]), reported)
            self.assertEqual(self.saved("whole"), self.saved(name))
            self.assertFalse([file for file in self.files(name) if "partial" in file or "removed" in file or "tmp" in file])

    def test_interrupted(self):
        with subprocess.Popen(self.command("--epochs", "100"), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as run:
            for line in run.stdout:
                if line.startswith("checkpoint: "):
                    break
            run.send_signal(signal.SIGINT)
            output, errors = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 130, output + errors)
        self.assertRegex(output, r"interrupted \(Ctrl-C\) in epoch \d+, (train|valid) batch \d+ of \d+; the last checkpoint is ")
        self.assertEqual(errors, "guide: --resume goes on with it\n")
        self.assertNotIn("model.bpk", self.files())
        self.assertNotIn("test accuracy", output)

    def test_interrupted_before_a_checkpoint(self):
        with subprocess.Popen(self.command("--epochs", "100"), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as run:
            for _ in range(2):  # the backend; then it is on its way
                run.stdout.readline()
            run.send_signal(signal.SIGINT)
            output, errors = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 130, output + errors)
        # What was saved decides whether it says how to go on.
        self.assertEqual(errors, "guide: --resume goes on with it\n" if "checkpoint: " in output else "")

    def test_wrong_use(self):
        for options, message in (
                (["--epoch", "3"], "guide: unknown option --epoch; --help lists them\n"),
                (["--epochs", "0"], "guide: --epochs 0: expected a whole number from 1 to 1000000\n"),
                (["--epochs", "3x"], "guide: --epochs 3x: expected a whole number from 1 to 1000000\n"),
                (["--threads", ""], "guide: --threads: expected a value behind it\n"),
                (["--artifacts", ""], "guide: --artifacts: expected a value behind it\n"),  # else they go to the root folder
                (["--backend", "abacus"], "guide: --backend abacus: expected auto, cpu or ndarray\n")):
            self.assertEqual(self.guide(*options, code=2).stderr, message)
        done = subprocess.run([GUIDE, "--seed"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (2, "guide: --seed: expected a value behind it\n"))
        self.assertIn("usage: guide", subprocess.run([GUIDE, "--help"], capture_output=True, text=True, check=True).stdout)

    def test_missing_and_damaged_data(self):
        good = self.data
        try:
            self.data = Path(self.folder.name) / "damaged"
            done = self.guide(code=1)
            self.assertRegex(done.stderr, r"^guide: error: cannot read .*/damaged/train-images-idx3-ubyte.gz: .*"
                                          r"Debian package dataset-fashion-mnist")
            write_data(self.data)
            labels = self.data / "t10k-labels-idx1-ubyte"
            labels.write_bytes(labels.read_bytes()[:-1])
            self.assertRegex(self.guide(code=1).stderr, r"^guide: error: .*/damaged/t10k-labels-idx1-ubyte.*"
                                                        r"Debian package dataset-fashion-mnist")
            self.assertEqual(self.files(), [])
        finally:
            self.data = good

    def test_nothing_to_resume_or_evaluate(self):
        self.assertIn("config.json", self.guide("--resume", code=1).stderr)
        self.assertIn("config.json", self.guide("infer", code=1).stderr)
        self.guide("--epochs", "1", "--seed", "5")
        self.assertIn("--seed 6", self.guide("--resume", "--seed", "6", code=2).stderr)

    def test_a_full_disk(self):
        done = self.guide("--epochs", "2", code=1, preexec_fn=no_large_files)
        self.assertRegex(done.stderr, r"^guide: error: cannot write .*: File too large\n$")
        self.assertEqual(self.files(), ["config.json", "training.log"])
        self.assertIn("error: cannot write", (self.artifacts() / "training.log").read_text())
        with open("/dev/full", "w") as full:
            done = subprocess.run(self.command("--epochs", "1"), stdout=full, stderr=subprocess.PIPE, text=True, timeout=100)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "guide: error: cannot write to standard output: No space left on device\n")

    def on_terminal(self, *options, **popen):
        """Runs the guide on a terminal of its own; returns its exit code, what it drew, and whether settings stayed."""
        leader, follower = pty.openpty()
        before = termios.tcgetattr(follower)
        with subprocess.Popen(self.command(*options), stdin=follower, stdout=follower, stderr=follower,
                              env={**os.environ, "TERM": "xterm"}, **popen) as run:
            drawn = b""
            while True:
                if select.select([leader], [], [], 0.05)[0]:
                    drawn += os.read(leader, 65536)
                elif run.poll() is not None:
                    break
        same = termios.tcgetattr(follower) == before
        os.close(leader)
        os.close(follower)
        return run.returncode, drawn.decode(), same

    def test_on_a_terminal(self):
        code, drawn, same = self.on_terminal("--epochs", "1")
        self.assertEqual(code, 0, drawn)
        self.assertTrue(same)
        self.assertRegex(drawn, r"epoch 1/1 train \[=*>? *\] \d+/7  loss ")
        self.assertIn("▀", drawn)
        self.assertRegex(drawn.splitlines()[-1], r"^test accuracy: ")

    def test_an_error_on_a_terminal_is_seen(self):
        code, drawn, same = self.on_terminal("--epochs", "1", preexec_fn=no_large_files)
        self.assertEqual(code, 1)
        self.assertTrue(same)
        self.assertRegex(drawn.splitlines()[-1], r"^guide: error: cannot write .*: File too large$")


if __name__ == "__main__":
    GUIDE = sys.argv.pop(1)
    unittest.main(verbosity=2)
