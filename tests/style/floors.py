"""The floors of the house: what a folder of burn/ may include. Read by layers.py; change it with a reason."""

# folder -> the folders its arrow names. A folder may also use what those stand on.
FLOORS = {
    "base": [],
    "core": ["base"],
    "ops": ["core"],
    "kernel": ["ops"],
    "compiler": ["kernel"],
    "decorators/autodiff": ["ops"],
    "decorators/fusion": ["ops", "compiler"],
    "decorators/router": ["ops"],
    "decorators/remote": ["ops"],
    "backends/ndarray": ["ops"],
    "backends/cpu": ["compiler", "backends/ndarray", "decorators/fusion"],
    "tensor": ["ops"],
    "module": ["tensor"],
    "nn": ["module"],
    "optim": ["module"],
    "data": ["module"],
    "store": ["module"],
    "train": ["nn", "optim", "data", "store"],
}

# The front door of a backend or decorator: burn/backends/ndarray/ndarray.h holds the tag NdArray that users
# write in types. Tensor, and so every floor above it, may include it; nothing else of those rooms. A folder whose source
# files do links the room.
FLOORS_THAT_SEE_TAGS = ["tensor"]

# Third-party headers (by prefix) and the one place in burn/ that includes them.
THIRD_PARTY = {
    "nlohmann/": "store",
    "zlib.h": "data",
    "llvm-c/": "backends/cpu/llvm",
    "oneapi/": "backends/cpu/libraries",
}

# Headers of the operating system and the processor, and what is allowed to know about either.
PLATFORM = [
    "unistd.h", "fcntl.h", "signal.h", "poll.h", "pthread.h", "sched.h", "termios.h", "dlfcn.h", "dirent.h",
    "sys/", "linux/", "netinet/", "arpa/", "netdb.h", "immintrin.h", "x86intrin.h", "arm_neon.h", "cpuid.h",
]

# Headers of the standard library that a header of ours leaves to its source file: each costs its includers
# between 0.1 and 0.5 s.
DEAR_IN_HEADERS = ["iostream", "sstream", "fstream", "regex", "chrono", "ranges", "random", "functional", "iomanip",
                   "filesystem", "thread", "future"]

# Folders that also compile without an operating system, and the standard headers they do without.
FREESTANDING = ["base", "core", "ops", "backends/ndarray", "tensor", "module", "nn"]
HOSTED_HEADERS = ["iostream", "ostream", "istream", "sstream", "fstream", "iomanip", "regex", "chrono", "random",
                  "functional", "string", "vector", "map", "unordered_map", "set", "unordered_set", "deque", "list",
                  "filesystem", "thread", "mutex", "shared_mutex", "condition_variable", "future", "stdexcept",
                  "typeinfo", "typeindex", "any", "memory", "cstdio", "locale"]

# Files of freestanding folders that only a hosted build compiles, and why. (A few lines are better guarded with
# #if BURN_HOSTED, or a processor's macro for its intrinsics.)
HOSTED_FILES = {
    "module/display.h": "printing modules gives a std::string",
    "module/display.cpp": "the same",
    "tensor/print.h": "text and streams; firmware reads TensorData",
    "tensor/print.cpp": "text and streams",
    "tensor/read.h": "std::vector",
    "base/environment.h": "firmware has no environment",
    "base/environment.cpp": "the same",
    "base/profile_log.h": "profiles need threads, a clock and files; in firmware `profile::on()` is false",
    "base/profile_report.h": "the same",
    "base/profile.cpp": "the same",
    "base/profile_environment.cpp": "the same",
    "base/profile_report.cpp": "the same",
    "base/parallel_threads.cpp": "the thread pool; firmware links parallel_inline.cpp instead",
    "backends/ndarray/product/gemm_vector.h": "intrinsics, for the kernels chosen at run time; firmware links gemm_portable.cpp",
}

# Exceptions to DEAR_IN_HEADERS: "folder/file.h header" -> the reason.
DEAR_EXCEPTIONS = {
}
