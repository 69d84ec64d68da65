#pragma once

#include <burn/compiler/device.h>
#include <burn/compiler/plan_cache.h>
#include <burn/decorators/fusion/fusion.h>
#include <burn/decorators/fusion/stream.h>

#include <atomic>
#include <vector>

namespace burn::fusion {

/// Records operations in the calling thread's stream; see Fusion.
class FusionEngine final : public ops::Engine {
public:
    FusionEngine(ops::Engine& inner, compiler::Device& device);

    const char* name() const override { return name_.text(); }
    ops::HandleList execute(const ops::AnyOp& op, ops::HandleList inputs, const SpecList& results) override;
    bool runs(ops::OpCode code) const override { return inner_.runs(code); }
    ops::Handle upload(TensorData data) override { return wrap(inner_.upload(std::move(data))); }
    Pending<TensorData> read(ops::Handle tensor) override;
    /// Runs what all threads recorded.
    ///
    /// Errors    the first one of what this thread recorded, else of what threads left behind that have ended; only errors that
    ///           neither a read nor a `sync` has raised. Those of other threads are theirs.
    void sync() override;
    MemoryReport memory() const override { return inner_.memory(); }
    DType default_float() const override { return inner_.default_float(); }
    DType default_int() const override { return inner_.default_int(); }
    ops::RandomState random_state() const override { return inner_.random_state(); }
    void set_random_state(ops::RandomState state) override { inner_.set_random_state(state); }
    ops::RandomState take_random(std::uint64_t blocks) override { return inner_.take_random(blocks); }
    ops::Engine* inner() override { return &inner_; }

    compiler::Device& device() { return device_; }
    compiler::PlanCache& plans() { return plans_; }

    /// The calling thread's stream; null where nothing is recorded: fusion is off, the thread ends and its streams are
    /// gone, or it is inside a stream.
    Stream* stream();
    /// Why no thread records here: fusion is off, or the device compiles no kernels. Empty where they do.
    std::string why_off() const;
    /// Gives the stream of a thread that ends to whoever comes next. It is never destroyed: others may be about to flush it.
    void hand_back(Ref<Stream> stream);

    Report report() const;
    void count(std::size_t operations, std::size_t kernels, std::size_t alone);

private:
    Stream& find_stream();
    ops::Handle wrap(ops::Handle inner);
    ops::HandleList execute_now(const ops::AnyOp& op, ops::HandleList inputs, const SpecList& results);

    ops::Engine& inner_;
    compiler::Device& device_;
    Message name_;
    compiler::PlanCache plans_;
    std::mutex mutex_;
    std::vector<Ref<Stream>> streams_;  ///< of all threads, and idle ones
    std::vector<Ref<Stream>> idle_;
    compiler::UnseenFailures left_behind_;  ///< by threads that have ended
    std::atomic<std::uint64_t> operations_{0}, segments_{0}, kernels_{0}, alone_{0};
};

/// Whether what is fused is told on stderr: BURN_FUSION_LOG=on.
bool log_wanted();

/// The inner tensor, computed if it is not there yet.
///
/// Errors    the first cause, when it could not be computed
ops::Handle settle(const ops::Handle& tensor);

}  // namespace burn::fusion
