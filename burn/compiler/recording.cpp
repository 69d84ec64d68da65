#include <burn/compiler/recording.h>

#include <algorithm>

namespace burn::compiler {

namespace {

// The key is a row of records that each say how long they are, so that different segments have different words: a value from
// outside begins with kExternal, an operation with the address of its class, the end with kEnd.
constexpr std::uint64_t kExternal = 1, kEnd = 2;

std::size_t words_of(const TensorSpec& spec) { return 1 + spec.rank(); }

std::uint64_t* write(std::uint64_t* to, const TensorSpec& spec) {
    *to++ = static_cast<std::uint64_t>(spec.dtype) << 8 | spec.rank();
    for (const std::int64_t size : spec.shape) *to++ = static_cast<std::uint64_t>(size);
    return to;
}

}  // namespace

ValueId Recording::add_external(const TensorSpec& spec) {
    key_.append(1 + words_of(spec), [&](std::uint64_t* to) {
        *to++ = kExternal;
        write(to, spec);
    });
    const auto value = static_cast<ValueId>(values_++);
    externals_.push_back(value);
    return value;
}

ValueId Recording::add(const ops::AnyOp& op, std::span<const ValueId> inputs, const SpecList& results) {
    std::size_t words = 2 + (inputs.size() + 1) / 2;
    for (const TensorSpec& result : results) words += words_of(result);
    key_.append(words, [&](std::uint64_t* to) {
        *to++ = reinterpret_cast<std::uintptr_t>(&op.op_class());
        *to++ = std::uint64_t{inputs.size()} << 32 | results.size();
        for (std::size_t i = 0; i < inputs.size(); i += 2)
            *to++ = std::uint64_t{inputs[i]} << 32 | (i + 1 < inputs.size() ? inputs[i + 1] : 0);
        for (const TensorSpec& result : results) to = write(to, result);
    });
    op.structural_words([this](std::uint64_t word) { key_.append(word); });

    ops_.push_back(op);
    arities_.push_back({static_cast<std::uint32_t>(inputs.size()), static_cast<std::uint32_t>(results.size())});
    operands_.insert(operands_.end(), inputs.begin(), inputs.end());
    const auto first = static_cast<ValueId>(values_);
    values_ += results.size();
    return first;
}

void Recording::end(FunctionRef<bool(ValueId)> is_live) {
    live_.assign((values_ + 63) / 64, 0);
    for (ValueId value = 0; value < values_; ++value)
        live_[value / 64] |= std::uint64_t{is_live(value)} << (value % 64);
    key_.append(kEnd);
    key_.append(live_.size(), [this](std::uint64_t* to) { std::copy(live_.begin(), live_.end(), to); });
}

void Recording::add_layout(const Dims& strides) {
    key_.append(1 + strides.size(), [&](std::uint64_t* to) {
        *to++ = strides.size();
        for (const std::int64_t stride : strides) *to++ = static_cast<std::uint64_t>(stride);
    });
}

Segment Recording::segment(FunctionRef<const TensorSpec&(ValueId)> spec_of,
                           FunctionRef<Layout(ValueId)> layout_of) const {
    Segment segment;
    for (ValueId value = 0; value < values_; ++value)
        segment.values.push_back({spec_of(value), false, is_live(value), {}});
    for (const ValueId value : externals_) {
        segment.values[value].external = true;
        segment.values[value].layout = layout_of(value);
    }
    // Values are numbered in the order in which they came: those from outside before the operation that took them first.
    ValueId next = 0;
    const auto next_made = [&] {
        while (segment.values[next].external) ++next;
        return next++;
    };
    const ValueId* operand = operands_.data();
    for (std::size_t i = 0; i < ops_.size(); ++i) {
        SegmentOp& op = segment.ops.emplace_back(SegmentOp{ops_[i], {}, {}});
        for (std::uint32_t j = 0; j < arities_[i].inputs; ++j) op.inputs.push_back(*operand++);
        for (std::uint32_t j = 0; j < arities_[i].outputs; ++j) op.outputs.push_back(next_made());
    }
    return segment;
}

void Recording::clear() {
    ops_.clear();
    arities_.clear();
    operands_.clear();
    externals_.clear();
    values_ = 0;
    key_.clear();
}

}  // namespace burn::compiler
