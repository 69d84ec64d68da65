#pragma once

#include <burn/compiler/recording.h>
#include <burn/decorators/fusion/fusion_tensor.h>

#include <mutex>
#include <string>
#include <vector>

namespace burn::fusion {

class FusionEngine;

/// What one thread has recorded for one device and not yet run.
///
/// While a thread records in a stream or runs it, operations of users are called. What these compute themselves does not reach
/// a stream: it runs at once.
///
/// Thread    its owner records; any thread may flush
class Stream final : public Counted {
public:
    explicit Stream(FusionEngine& engine) : engine_(engine) { begin_segment(); }

    /// While it lives, its thread records the parts of an operation that the program called: errors of parts are told in its
    /// name. Within another one it changes nothing.
    class Caller {
    public:
        Caller(Stream& stream, const char* name) : caller_(stream.caller_), before_(stream.caller_) {
            if (caller_ == nullptr) caller_ = name;
        }
        ~Caller() { caller_ = before_; }
        Caller(const Caller&) = delete;
        Caller& operator=(const Caller&) = delete;

    private:
        const char*& caller_;
        const char* before_;
    };

    /// Appends an operation, whose operands it takes; gives its results, which are not there yet.
    ops::HandleList record(const ops::AnyOp& op, ops::HandleList& inputs, const SpecList& results);
    /// Runs everything recorded. Errors stay with the tensors that they concern.
    ///
    /// Errors    UnsupportedError inside a stream that this thread runs: it would wait for itself, or for who waits for it
    void flush();
    /// The same; gives the plan's steps as text.
    std::string flush_and_describe();
    /// The errors of what was flushed since the last call, of which nobody was told.
    compiler::UnseenFailures take_unseen();

    /// Whether the calling thread records in a stream, or runs one, at this moment.
    static bool held_by_this_thread() { return held_; }

private:
    class Hold;

    void begin_segment();
    compiler::ValueId value_of(ops::Handle tensor);
    void run();
    void run_recording();
    Layout layout_of(const ops::Handle& tensor) const;
    void bind_externals();
    void deliver();

    static inline constinit thread_local bool held_ = false;

    FusionEngine& engine_;
    std::mutex mutex_;
    compiler::Recording recording_;
    compiler::Bindings bindings_;
    std::vector<Ref<FusionTensor>> tensors_;  ///< by value of the segment
    std::vector<const char*> callers_;        ///< by operation, as Bindings has them
    const char* caller_ = nullptr;            ///< the owner's, of what is recorded now
    std::uint64_t epoch_ = 0;                 ///< number of the segment, unique in the process
    bool only_pointwise_ = true;
    compiler::UnseenFailures unseen_;
    std::string description_;
    bool describes_ = false;
};

}  // namespace burn::fusion
