#pragma once

#include <burn/base/error.h>
#include <burn/core/layout.h>
#include <burn/kernel/kernel.h>
#include <burn/ops/any_op.h>
#include <burn/ops/handle.h>

#include <memory>
#include <span>
#include <string>

namespace burn::compiler {

/// A kernel made ready for a device; devices derive their own.
class Executable {
protected:
    Executable() = default;
    ~Executable() = default;
};

/// Who holds it may launch it. A device keeps what it compiled for a while, but drops what nobody holds when there is too much.
using ExecutableRef = std::shared_ptr<const Executable>;

/// One launch: how many cubes, and what the kernel's parameters are.
struct Launch {
    std::int64_t cubes = 0;
    std::span<std::byte* const> buffers;     ///< in the order of the kernel's buffers
    std::span<const std::uint64_t> scalars;  ///< in the order of its scalars, as kernel::element_bits
};

/// A kernel that goes over the rows of an operation's result or operand.
struct RowKernel {
    const Executable& kernel;
    Launch launch;
    std::int64_t row = 0;            ///< elements of the tensor, of which one row lies behind the other
    std::int64_t cubes_per_row = 0;  ///< how many cubes in turn work on one
};

/// What runs along with an operation.
struct Alongside {
    const RowKernel* prologue = nullptr;  ///< makes the first operand: its last buffer, which the device provides
    TensorSpec operand;                   ///< what the prologue makes
    const RowKernel* epilogue =
        nullptr;  ///< runs on each row of the result once this is finished; it may overwrite the row then
};

/// What fusion needs of a backend besides its engine: compile, launch, allocate, look into tensors.
///
/// Thread    all members may be called from several threads
class Device {
public:
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    /// Whether kernels can be compiled here; where not, operations run one by one.
    virtual bool compiles() const = 0;
    /// Why it does not compile, in a line.
    virtual std::string why_not_compiling() const { return "the device compiles none"; }

    /// Width of the vector registers that kernels should fill, in bytes.
    virtual std::size_t vector_bytes() const = 0;

    /// The kernel, compiled now or found in a cache.
    ///
    /// Errors    UnsupportedError when the device cannot compile it
    virtual ExecutableRef compile(const kernel::Kernel& kernel) = 0;
    /// Runs the kernel once for each of `launches`, which do not depend on each other.
    virtual void launch(const Executable& executable, std::span<const Launch> launches) = 0;

    /// Whether `run_into` takes an operation.
    virtual bool runs_into(const ops::AnyOp&) const { return false; }
    /// Whether `run_into` takes an operation of operands like these with a prologue.
    virtual bool takes_prologue(const ops::AnyOp&, std::span<const TensorSpec> /*operands*/) const { return false; }
    /// Runs an operation with one result into `result`, which is contiguous and no part of an operand. Where a prologue makes the
    /// first operand, a null handle stands in its place.
    virtual void run_into(const ops::AnyOp& op, ops::HandleList /*inputs*/,  // NOLINT: devices that run it take them
                          const ops::Handle& /*result*/, const Alongside& /*alongside*/) {
        raise(ErrorKind::Internal, Message() << op.name() << ": this device makes its result itself");
    }

    /// A new contiguous tensor of the device's engine, its values undefined.
    virtual ops::Handle make_tensor(const TensorSpec& spec) = 0;
    /// The same, in the memory of `slab` from byte `place` on, a multiple of kBlockAlignment. It keeps the slab alive, and is not
    /// `reusable`.
    virtual ops::Handle make_tensor_in(const ops::Handle& slab, std::uint64_t place, const TensorSpec& spec) = 0;
    /// The tensor with its elements in order and without gaps: itself, or a copy.
    virtual ops::Handle contiguous(const ops::Handle& tensor) = 0;
    /// Where a tensor's elements lie, and its first element.
    virtual const Layout& layout(const ops::Handle& tensor) const = 0;
    virtual std::byte* data(const ops::Handle& tensor) const = 0;
    /// Whether `tensor` is the one owner of its buffer and holds each element once, so that a result may overwrite it.
    virtual bool reusable(const ops::Handle& tensor) const = 0;

protected:
    Device() = default;
    ~Device() = default;  // devices live as long as the program
};

}  // namespace burn::compiler
