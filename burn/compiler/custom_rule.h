#pragma once

#include <burn/compiler/device.h>
#include <burn/core/scalar.h>
#include <burn/ops/any_op.h>
#include <burn/ops/grad_scope.h>

#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace burn::custom {

/// What is known of a user's operation before it is used.
struct Info {
    const char* name;
    int inputs;  ///< number of operands, or ops::kVariadic
    int outputs = 1;
    /// Which operands and results the gradient reads; what is not named here need not be kept until backward.
    ops::Saves saves{~0u, ~0u};
    /// Whether the kernel takes operands as they lie in memory. Other kernels get contiguous ones, copied if need be.
    bool strided = false;
};

/// What a kernel is written for: operands and results of these shapes, types and layouts.
struct Call {
    std::span<const TensorSpec> inputs;
    std::span<const TensorSpec> outputs;
    std::span<const Layout> layouts;  ///< of the operands; a buffer begins at the first element
    std::size_t vector_bytes;         ///< of the device's vectors

    /// How many elements fill a vector.
    std::uint16_t lanes(DType dtype) const { return static_cast<std::uint16_t>(vector_bytes / size_of(dtype)); }
};

/// A kernel and how it is launched.
///
/// Its buffers are the operands, only read, then the results, undefined at first; its scalars are `scalars`, then the run-time
/// attributes.
struct Launch {
    kernel::Kernel kernel;
    std::int64_t cubes = 0;
    /// Numbers that follow the shapes, so that one compiled kernel serves many of them. They and the run-time attributes have to
    /// fit the kernel's types.
    std::vector<Scalar> scalars{};
};

/// The functions that a user wrote, without their type. Null: not written.
struct Functions {
    SpecList (*infer)(void* op, std::span<const TensorSpec> inputs);
    Launch (*kernel)(const void* op, const Call& call);
    void (*gradient)(const void* op, ops::GradScope& scope);
    ops::HandleList (*decompose)(const void* op, ops::HandleList inputs);
};

/// A kernel that was checked, ready to be launched on operands of one kind.
class PreparedKernel;

/// A user's operation as the library sees it: the user's functions, with what they give checked and what they throw named;
/// and the kernels that they gave so far.
///
/// Thread    any
class Rule final : public ops::CustomRule {
public:
    /// How many kernels are kept; those not used for longest go.
    static constexpr std::size_t kCapacity = 64;

    /// `op_class` has what depends on the type of the attributes, and functions that call those below.
    Rule(const Info& info, const Functions& user, const ops::OpClass& op_class);
    Rule(const Rule&) = delete;
    Rule& operator=(const Rule&) = delete;

    const Info& info() const { return info_; }
    const ops::OpClass& op_class() const { return op_class_; }

    /// Also writes the kernel for contiguous operands, so that its faults show at the call.
    SpecList infer(void* op, std::span<const TensorSpec> inputs) const;
    void gradient(const void* op, ops::GradScope& scope) const;
    ops::HandleList decompose(const void* op, ops::HandleList inputs) const;

    /// The kernel for a call, written now or found among those of earlier calls.
    ///
    /// Errors    what the user's function raises; ArgumentError or DTypeError when the kernel or its numbers do not fit the call
    std::shared_ptr<const PreparedKernel> prepare(const ops::AnyOp& op, const Call& call) const;

private:
    Info info_;
    Functions user_;
    ops::OpClass op_class_;
    mutable std::mutex mutex_;
    mutable std::vector<std::shared_ptr<const PreparedKernel>> prepared_;  ///< the last used at the end
};

/// Runs an operation that has a kernel on a device that compiles.
ops::HandleList run_on(compiler::Device& device, const ops::AnyOp& op, ops::HandleList inputs, const SpecList& results);

}  // namespace burn::custom
