"""The guide's training step in PyTorch, timed: one line with the median milliseconds of a step.

usage: guide_step_torch.py [--threads N] [--steps N]      (Debian: python3-torch; set OMP_WAIT_POLICY=passive, OPENBLAS_NUM_THREADS)
"""

import argparse
import statistics
import time

import torch
import torch.nn as nn
import torch.nn.functional as F


class Guide(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3)
        self.conv2 = nn.Conv2d(8, 16, 3)
        self.pool = nn.AdaptiveAvgPool2d(8)
        self.dropout = nn.Dropout(0.5)
        self.linear1 = nn.Linear(16 * 8 * 8, 512)
        self.linear2 = nn.Linear(512, 10)

    def forward(self, x):
        x = self.dropout(self.conv1(x))
        x = F.relu(self.dropout(self.conv2(x)))
        x = self.dropout(self.linear1(self.pool(x).flatten(1)))
        return self.linear2(F.relu(x))


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--steps", type=int, default=100)
    options = options.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(0)
    model = Guide()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    images, labels = torch.randn(64, 1, 28, 28), torch.randint(0, 10, (64,))
    times = []
    for step in range(options.steps + 10):
        begin = time.perf_counter()
        optimizer.zero_grad()
        loss = F.cross_entropy(model(images), labels)
        loss.backward()
        optimizer.step()
        if step >= 10:
            times.append((time.perf_counter() - begin) * 1e3)
    assert loss.item() < 2.5, "the step does not learn"
    print(f"{statistics.median(times):.3f}")


if __name__ == "__main__":
    main()
