// parallel_for for builds without threads (bare metal, wasm): every loop runs on the caller.
#include <burn/base/parallel.h>

namespace burn {

void parallel_for(int64_t n, int64_t /*grain*/, FunctionRef<void(int64_t, int64_t)> body) {
    if (n > 0) body(0, n);
}

int num_threads() { return 1; }

void set_num_threads(int /*n*/) {}

}  // namespace burn
