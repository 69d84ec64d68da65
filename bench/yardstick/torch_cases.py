"""The cases of the yardstick (cases.json) in PyTorch.

usage: torch_cases.py [--device cpu|cuda] [--threads N] [--filter SUBSTRING,..] [--json FILE] [--seconds S] [--no-compile] [--serve]

Times each case as burn-bench does: five calls to warm up, one to learn how many fit in the time, and the median of these.
Where torch.compile exists, cases that it may help are measured both ways. With --serve, reads names from standard input
and answers each with a line of JSON, so that another program can be measured in between.

Works with PyTorch 1.13 (Debian: python3-torch) and later.
"""

import argparse
import json
import math
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

CASES = {}  # name -> (make, worth compiling, devices)


def case(name, *, compiles=True, on=("cpu", "cuda"), **arguments):
    """Registers a function that makes the inputs and gives (call, flops, bytes)."""
    def register(make):
        CASES[name] = (lambda m: make(m, **arguments), compiles, on)
        return make
    return register


class Machine:
    """Where tensors are made, and what depends on it."""

    def __init__(self, device):
        self.device = torch.device(device)
        self.cuda = self.device.type == "cuda"
        self.n = 8192 if self.cuda else 2048
        self.batch = 1024 if self.cuda else 64
        self.images = 64 if self.cuda else 4
        self.narrow = torch.bfloat16 if self.cuda else torch.float32

    def normal(self, *shape, dtype=torch.float32):
        return torch.randn(*shape, device=self.device).to(dtype)

    def below(self, end, *shape):
        return torch.randint(0, end, shape, device=self.device)

    def wait(self):
        if self.cuda:
            torch.cuda.synchronize()


def size(*tensors):
    return sum(t.numel() * t.element_size() for t in tensors)


# ---- every element once

@case("copy.f32", compiles=False)
def copy(m):
    x = m.normal(4 * m.n if m.cuda else m.n, m.n)
    y = torch.empty_like(x)
    return lambda: y.copy_(x), 0, 2 * size(x)


@case("elementwise.chain.f32", dtype=torch.float32)
@case("elementwise.chain.bf16", dtype=torch.bfloat16)
def chain(m, dtype):
    x, y = (m.normal(m.n, m.n, dtype=dtype) for _ in range(2))
    w, b = (m.normal(m.n, dtype=dtype) for _ in range(2))
    return lambda: F.gelu(x * w + b) * y + torch.sigmoid(x), 0, 3 * size(x)


@case("transpose.copy.f32")
def transpose(m):
    x = m.normal(m.n, m.n)
    return lambda: x.t().contiguous(), 0, 2 * size(x)


@case("random.normal.f32", compiles=False)
def random_normal(m):
    return lambda: torch.randn(m.n, m.n, device=m.device), 0, 4 * m.n * m.n


# ---- rows and columns

@case("softmax.rows.f32", dtype=torch.float32)
@case("softmax.rows.bf16", dtype=torch.bfloat16)
def softmax(m, dtype):
    x = m.normal(m.n, m.n, dtype=dtype)
    return lambda: torch.softmax(x, -1), 0, 2 * size(x)


@case("softmax.composed.f32")
def softmax_composed(m):
    x = m.normal(m.n, m.n)

    def call():
        e = torch.exp(x - x.amax(-1, keepdim=True))
        return e / e.sum(-1, keepdim=True)
    return call, 0, 2 * size(x)


@case("layer_norm.f32", dtype=torch.float32)
@case("layer_norm.bf16", dtype=torch.bfloat16)
def layer_norm(m, dtype):
    x, w, b = m.normal(m.n, 1024, dtype=dtype), m.normal(1024, dtype=dtype), m.normal(1024, dtype=dtype)
    return lambda: F.layer_norm(x, (1024,), w, b), 0, 2 * size(x)


@case("reduce.sum.rows.f32", reduce=lambda x: x.sum(-1))
@case("reduce.sum.cols.f32", reduce=lambda x: x.sum(0))
@case("reduce.sum.all.f32", reduce=lambda x: x.sum())
@case("reduce.argmax.rows.f32", reduce=lambda x: x.argmax(-1))
def reduction(m, reduce):
    x = m.normal(m.n, m.n)
    return lambda: reduce(x), 0, size(x)


@case("cumsum.rows.f32")
def cumsum(m):
    x = m.normal(m.n, m.n)
    return lambda: x.cumsum(-1), 0, 2 * size(x)


@case("embedding.f32")
def embedding(m):
    table, at = m.normal(50000, 1024), m.below(50000, 16384 if m.cuda else 2048)
    return lambda: F.embedding(at, table), 0, 2 * 4 * 1024 * at.numel()


@case("sort.f32", compiles=False)
def sort(m):
    x = m.normal(1 << 24 if m.cuda else 1 << 20)
    return lambda: x.sort(), 0, 3 * size(x)


# ---- products

def product(name, m, n, k, dtype=torch.float32, on=("cpu",), **options):
    case(name, compiles=False, on=on, sizes=(m, n, k), dtype=dtype, **options)(matmul)


def matmul(machine, sizes, dtype, batch=0, a_transposed=False, b_transposed=False, tf32=False):
    m, n, k = sizes
    before = (batch,) if batch else ()

    def matrix(rows, columns, transposed):
        if transposed:
            return machine.normal(*before, columns, rows, dtype=dtype).transpose(-1, -2)
        return machine.normal(*before, rows, columns, dtype=dtype)

    a, b, count = matrix(m, k, a_transposed), matrix(k, n, b_transposed), max(batch, 1)

    def call():
        torch.backends.cuda.matmul.allow_tf32 = tf32
        return a @ b
    return call, 2 * m * n * k * count, size(a, b) + count * m * n * a.element_size()


for s in (64, 256, 1024, 2048):
    product(f"matmul.f32.{s}", s, s, s)
product("matmul.f32.nt.1024", 1024, 1024, 1024, b_transposed=True)
product("matmul.f32.batched.64x128", 128, 128, 128, batch=64)
product("matmul.f32.gemv.1x4096x4096", 1, 4096, 4096)
product("matmul.f32.odd.1023x1025x1027", 1023, 1025, 1027)
GPU = {"on": ("cuda",)}
for s in (1024, 4096, 8192):
    product(f"matmul.bf16.{s}", s, s, s, torch.bfloat16, **GPU)
product("matmul.f16.4096", 4096, 4096, 4096, torch.float16, **GPU)
product("matmul.bf16.nt.4096", 4096, 4096, 4096, torch.bfloat16, b_transposed=True, **GPU)
product("matmul.bf16.tn.4096", 4096, 4096, 4096, torch.bfloat16, a_transposed=True, **GPU)
product("matmul.tf32.4096", 4096, 4096, 4096, tf32=True, **GPU)
product("matmul.f32.4096", 4096, 4096, 4096, **GPU)
product("matmul.bf16.batched.64x1024", 1024, 1024, 1024, torch.bfloat16, batch=64, **GPU)
product("matmul.bf16.gemv.1x8192x8192", 1, 8192, 8192, torch.bfloat16, **GPU)
product("matmul.bf16.skinny.16x4096x14336", 16, 4096, 14336, torch.bfloat16, **GPU)
product("matmul.bf16.odd.4095x4097x4099", 4095, 4097, 4099, torch.bfloat16, **GPU)


def gelu_tanh(x):
    return F.gelu(x, approximate="tanh")


@case("linear.gelu")
def linear_gelu(m):
    rows, inputs, outputs = (8192, 4096, 4096) if m.cuda else (512, 1024, 1024)
    x, w, b = (m.normal(*s, dtype=m.narrow) for s in ((rows, inputs), (outputs, inputs), (outputs,)))
    return (lambda: gelu_tanh(F.linear(x, w, b)), 2 * rows * inputs * outputs,
            size(x, w) + rows * outputs * x.element_size())


# ---- convolutions, pools, attention

def convolution(name, channels, pixels, outputs, kernel, stride=1, groups=1, also_f32_on_cuda=False):
    options = dict(channels=channels, pixels=pixels, outputs=outputs, kernel=kernel, stride=stride, groups=groups)
    case(f"{name}.f32", compiles=False, on=("cpu", "cuda") if also_f32_on_cuda else ("cpu",), dtype=torch.float32,
         **options)(conv2d)
    case(f"{name}.bf16", compiles=False, on=("cuda",), dtype=torch.bfloat16, **options)(conv2d)


def conv2d(m, channels, pixels, outputs, kernel, stride, groups, dtype):
    torch.backends.cudnn.benchmark = True
    torch.backends.cudnn.allow_tf32 = False
    x = m.normal(m.images, channels, pixels, pixels, dtype=dtype)
    w = m.normal(outputs, channels // groups, kernel, kernel, dtype=dtype)
    out = (pixels + 2 * (kernel // 2) - kernel) // stride + 1
    count = m.images * outputs * out * out
    return (lambda: F.conv2d(x, w, stride=stride, padding=kernel // 2, groups=groups),
            2 * count * channels // groups * kernel * kernel, size(x, w) + count * x.element_size())


convolution("conv2d.3x3.64c.56px", 64, 56, 64, 3, also_f32_on_cuda=True)
convolution("conv2d.1x1.256c.56px", 256, 56, 64, 1)
convolution("conv2d.7x7s2.3c.224px", 3, 224, 64, 7, stride=2)
convolution("conv2d.depthwise.3x3.256c.28px", 256, 28, 256, 3, groups=256)


@case("max_pool2d.f32", compiles=False)
def max_pool2d(m):
    x = m.normal(m.images, 64, 112, 112)
    return lambda: F.max_pool2d(x, 3, 2, 1), 0, size(x) * 5 // 4


def attend(q, k, v, causal):
    if hasattr(F, "scaled_dot_product_attention"):
        return F.scaled_dot_product_attention(q, k, v, is_causal=causal)
    weights = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])  # before PyTorch 2
    if causal:
        later = torch.ones(weights.shape[-2:], dtype=torch.bool, device=q.device).triu(1)
        weights = weights.masked_fill(later, float("-inf"))
    return torch.softmax(weights, -1) @ v


@case("attention.full", compiles=False, causal=False)
@case("attention.causal", compiles=False, causal=True)
def attention(m, causal):
    batch, heads, length, width = (8, 16, 2048, 64) if m.cuda else (1, 8, 512, 64)
    q, k, v = (m.normal(batch, heads, length, width, dtype=m.narrow) for _ in range(3))
    flops = 4 * batch * heads * length * length * width // (2 if causal else 1)
    return lambda: attend(q, k, v, causal), flops, 4 * size(q)


# ---- the cost of the framework

@case("overhead.200_small_ops")
def small_operations(m):
    x, y = m.normal(32, 32), m.normal(32, 32)

    def call():
        t = x
        for _ in range(100):
            t = (t + y) * 0.5
        return t
    return call, 0, 3 * size(x)


# ---- training steps

def step(m, model, optimizer, inputs, targets, narrow=False):
    model = model.to(m.device)
    optimizer = optimizer(model.parameters())

    def call():
        optimizer.zero_grad(set_to_none=True)
        if narrow:
            with torch.autocast(m.device.type, dtype=torch.bfloat16):
                scores = model(inputs)
        else:
            scores = model(inputs)
        loss = F.cross_entropy(scores.float().flatten(0, -2), targets.flatten())
        loss.backward()
        optimizer.step()
    return call, 0, 0


@case("train.mlp")
def train_mlp(m):
    model = nn.Sequential(nn.Linear(784, 512), nn.GELU(), nn.Linear(512, 512), nn.GELU(), nn.Linear(512, 10))
    return step(m, model, lambda p: torch.optim.Adam(p, 1e-3), m.normal(m.batch, 784), m.below(10, m.batch))


class GuideCnn(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(1, 8, 3), nn.Conv2d(8, 16, 3)
        self.pool, self.dropout = nn.AdaptiveAvgPool2d(8), nn.Dropout(0.5)
        self.linear1, self.linear2 = nn.Linear(16 * 8 * 8, 512), nn.Linear(512, 10)

    def forward(self, x):
        x = self.dropout(self.conv2(self.dropout(self.conv1(x))))
        x = self.pool(F.relu(x)).flatten(1)
        return self.linear2(F.relu(self.dropout(self.linear1(x))))


@case("train.guide_cnn")
def train_guide_cnn(m):
    return step(m, GuideCnn(), lambda p: torch.optim.Adam(p, 1e-3), m.normal(m.batch, 1, 28, 28), m.below(10, m.batch))


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.inner, self.outer = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(batch, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        x = x + self.out(attend(q, k, v, True).transpose(1, 2).reshape(batch, length, width))
        return x + self.outer(gelu_tanh(self.inner(self.norm2(x))))


class Gpt(nn.Module):
    def __init__(self, vocabulary, width, heads, layers, context):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(vocabulary, width), nn.Embedding(context, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.norm, self.out = nn.LayerNorm(width), nn.Linear(width, vocabulary, bias=False)

    def forward(self, tokens):
        x = self.tokens(tokens) + self.positions(torch.arange(tokens.shape[1], device=tokens.device))
        for block in self.blocks:
            x = block(x)
        return self.out(self.norm(x))


@case("train.gpt", narrow=False)
@case("train.gpt.bf16", narrow=True, on=("cuda",))
def train_gpt(m, narrow):
    vocabulary, width, heads, layers, context = (32768, 768, 12, 12, 1024) if m.cuda else (1024, 128, 4, 2, 128)
    tokens, targets = (m.below(vocabulary, 8 if m.cuda else 4, context) for _ in range(2))
    return step(m, Gpt(vocabulary, width, heads, layers, context), lambda p: torch.optim.AdamW(p, 3e-4), tokens, targets,
                narrow)


# ---- measuring

def time_calls(m, call, seconds):
    """Median and best time of a call in microseconds."""
    for _ in range(5):
        call()
    m.wait()
    begin = time.perf_counter()
    call()
    m.wait()
    once = max(time.perf_counter() - begin, 1e-6)
    count = int(min(max(seconds / once, 5), 2000))
    if m.cuda:
        marks = [(torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)) for _ in range(count)]
        for before, after in marks:
            before.record()
            call()
            after.record()
        m.wait()
        times = [before.elapsed_time(after) * 1e3 for before, after in marks]
    else:
        times = []
        for _ in range(count):
            begin = time.perf_counter()
            call()
            times.append((time.perf_counter() - begin) * 1e6)
    times.sort()
    return times[len(times) // 2], times[0]


def measure(m, name, options):
    if name not in CASES:
        return {"case": name, "error": "no such case"}
    make, compiles, devices = CASES[name]
    if m.device.type not in devices:
        return {"case": name, "error": f"not measured on {m.device.type}"}
    try:
        if m.cuda:
            torch.cuda.reset_peak_memory_stats()
        torch.manual_seed(0)
        call, flops, moved = make(m)
        row = {"case": name, "flops": flops, "bytes": moved, "compiled_us": None, "peak_mib": None}
        with torch.set_grad_enabled(name.startswith("train.")):
            row["eager_us"], row["best_us"] = time_calls(m, call, options.seconds)
            if m.cuda:
                row["peak_mib"] = torch.cuda.max_memory_allocated() >> 20
            if compiles and hasattr(torch, "compile") and not options.no_compile:
                torch._dynamo.reset()
                try:
                    row["compiled_us"], best = time_calls(m, torch.compile(call), options.seconds)
                    row["best_us"] = min(row["best_us"], best)
                except Exception as error:  # the compiler refuses what it likes; eager mode stands
                    row["compile_error"] = f"{type(error).__name__}: {str(error)[:200]}"
        row["us"] = min(row["eager_us"], row["compiled_us"] or row["eager_us"])
        return row
    except Exception as error:
        return {"case": name, "error": f"{type(error).__name__}: {str(error)[:200]}"}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    options.add_argument("--threads", type=int, default=0)
    options.add_argument("--filter", default="")
    options.add_argument("--json", default="")
    options.add_argument("--seconds", type=float, default=0.4)
    options.add_argument("--no-compile", action="store_true")
    options.add_argument("--serve", action="store_true")
    options.add_argument("--list", action="store_true")
    options = options.parse_args()
    if options.list:
        print("\n".join(name for name, (_, _, devices) in CASES.items() if options.device in devices))
        return
    if options.threads:
        torch.set_num_threads(options.threads)
    m = Machine(options.device)
    if options.serve:
        for line in sys.stdin:
            print(json.dumps(measure(m, line.strip(), options)), flush=True)
        return
    where = torch.cuda.get_device_name() if m.cuda else "cpu"
    print(f"torch {torch.__version__} on {where}, threads {torch.get_num_threads()}")
    print(f"{'case':36} {'eager us':>12} {'compiled us':>12}")
    rows = []
    for name, (_, _, devices) in CASES.items():
        if m.device.type not in devices or not any(part in name for part in options.filter.split(",")):
            continue
        row = measure(m, name, options)
        rows.append(row)
        if "error" in row:
            print(f"{name:36} FAILED: {row['error']}")
        else:
            compiled = "" if row["compiled_us"] is None else f"{row['compiled_us']:12.1f}"
            print(f"{name:36} {row['eager_us']:12.1f} {compiled}", flush=True)
        if m.cuda:
            torch.cuda.empty_cache()
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"torch": torch.__version__, "device": where, "threads": torch.get_num_threads(), "rows": rows},
                      file, indent=1)


if __name__ == "__main__":
    main()
