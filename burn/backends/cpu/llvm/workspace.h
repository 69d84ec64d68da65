#pragma once

#include <burn/backends/cpu/llvm/ir.h>

#include <vector>

namespace burn::cpu::codegen {

/// The memory of a running kernel's arrays, each aligned for any vector: on the stack where little is wanted, else memory
/// that each thread keeps for the kernels it runs.
///
/// First everything is reserved, then `create` fixes where it is.
class Workspace {
public:
    /// The most that a kernel may want.
    static constexpr std::uint64_t kLimit = std::uint64_t{64} << 20;

    explicit Workspace(Ir& ir) : ir_(ir) {}

    /// Room for `count` elements of this type in memory; gives its number.
    std::size_t reserve(kernel::Type type, std::uint64_t count);
    /// Errors    UnsupportedError when more than kLimit was reserved
    void create();
    /// Where what was reserved under this number is; after `create`.
    LLVMValueRef operator[](std::size_t number) const { return pointers_[number]; }

private:
    struct Array {
        kernel::Type type;
        std::uint64_t count;
        std::uint64_t offset;
    };

    Ir& ir_;
    std::uint64_t bytes_ = 0;
    std::vector<Array> arrays_;
    std::vector<LLVMValueRef> pointers_;
};

}  // namespace burn::cpu::codegen
