#pragma once

#include "tests/fuzz/programs/oracle.h"
#include "tests/fuzz/programs/program.h"

#include <burn/ops/engine.h>

#include <memory>

namespace burn::fuzz {

/// An engine that writes down what is done with it, and runs it on an oracle at once, so that whoever draws a program sees
/// its values. Operands given away and tensors dropped are written down as well; so a decorator around this engine writes
/// the program that it makes of another.
///
/// Thread    one at a time
class Recorder final : public ops::Engine {
public:
    /// The one that this program has; decorators are made once for each engine.
    static Recorder& instance();

    /// Begins a new program.
    void begin();
    /// Ends it: what is dropped from here on is not part of it.
    Program end();
    /// The oracle that has seen all of it.
    Oracle& oracle() { return *oracle_; }
    /// Who does what follows.
    void set_thread(int thread) { thread_ = thread; }
    std::size_t size() const { return program_.lines.size(); }

    ops::Handle input(const Source& source);
    /// Writes that a tensor of this engine is read.
    void record_read(const ops::Handle& tensor);
    static ValueId value_of(const ops::Handle& tensor);

    const char* name() const override { return "recorder"; }
    ops::HandleList execute(const ops::AnyOp& op, ops::HandleList inputs, const SpecList& results) override;
    bool runs(ops::OpCode) const override { return true; }
    ops::Handle upload(TensorData) override;
    Pending<TensorData> read(ops::Handle tensor) override;
    void sync() override {}
    MemoryReport memory() const override { return memory_report(); }
    ops::RandomState random_state() const override { return random_; }
    void set_random_state(ops::RandomState state) override { random_ = state; }
    ops::RandomState take_random(std::uint64_t blocks) override;

private:
    class Recorded;

    ops::Handle make(const TensorSpec& spec);
    void dropped(ValueId value, std::uint64_t epoch);

    Program program_;
    std::unique_ptr<Oracle> oracle_;
    ops::RandomState random_;
    ValueId next_ = 0;
    int thread_ = 0;
    std::uint64_t epoch_ = 0;  ///< number of the program, so that late tensors of an old one are told apart
    bool recording_ = false;
};

}  // namespace burn::fuzz
