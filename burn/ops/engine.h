#pragma once

#include <burn/base/memory.h>
#include <burn/core/tensor_data.h>
#include <burn/ops/any_op.h>
#include <burn/ops/handle.h>
#include <burn/ops/pending.h>

namespace burn::ops {

/// Where a device's next random numbers come from: a key and how many blocks of its stream are used up.
struct RandomState {
    std::uint64_t key = 0;
    std::uint64_t counter = 0;

    bool operator==(const RandomState&) const = default;
};

/// The run-time contract of a backend or decorator for one device. Everything above works through it and knows no backend.
///
/// Thread    different handles may be used at the same time from several threads
class Engine {
public:
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    /// "ndarray", "autodiff(ndarray)", ...
    virtual const char* name() const = 0;

    /// Runs an operation that `infer` has checked; `results` is what it gave. Operands are owned by the engine from here on.
    ///
    /// Errors    UnsupportedError for a primitive, or a dtype, that the engine lacks
    virtual HandleList execute(const AnyOp& op, HandleList inputs, const SpecList& results) = 0;

    /// Whether `execute` runs this operation whole, without decomposing it.
    virtual bool runs(OpCode code) const = 0;

    /// Brings host data to the device. The engine may share the bytes; it never writes to them.
    virtual Handle upload(TensorData data) = 0;

    /// Brings a tensor to the host.
    virtual Pending<TensorData> read(Handle tensor) = 0;

    /// Waits until everything asked for is done.
    ///
    /// Errors    the first error of what was pending, unless a read has raised it; with several threads see book/fusion.md
    virtual void sync() = 0;

    virtual MemoryReport memory() const = 0;

    /// The types that tensors get where the user names none.
    virtual DType default_float() const { return DType::F32; }
    virtual DType default_int() const { return DType::I64; }

    /// The device's random stream. Decorators pass their inner engine's on, so that all layers draw the same numbers.
    virtual RandomState random_state() const = 0;
    virtual void set_random_state(RandomState state) = 0;
    /// Takes `blocks` blocks of the stream and gives the state before.
    virtual RandomState take_random(std::uint64_t blocks) = 0;

    /// The engine below, for decorators; null for backends.
    virtual Engine* inner() { return nullptr; }

protected:
    Engine() = default;
    ~Engine() = default;  // engines live as long as the program
};

/// Checks the operands, infers, and runs `op` on the engine of its operands.
///
/// Errors    those of inference; DeviceError when operands live on different engines
HandleList apply(AnyOp op, HandleList inputs);
/// The same for operations that may have no operand.
HandleList apply_on(Engine& engine, AnyOp op, HandleList inputs);
/// The same where there is one result.
Handle apply_one(AnyOp op, HandleList inputs);

/// Runs an operation that `engine` does not run whole: the decomposition of a composite, the kernel of one from outside the
/// library on the host.
///
/// Errors    UnsupportedError naming engine and operation when it has neither
HandleList decompose_on(Engine& engine, const AnyOp& op, HandleList inputs);

/// Makes a handle list from handles given away.
template <class... Handles>
HandleList list_of(Handles&&... handles) {
    HandleList list;
    (list.push_back(std::forward<Handles>(handles)), ...);
    return list;
}

}  // namespace burn::ops
