#include <burn/decorators/fusion/stream.h>

#include <burn/decorators/fusion/engine.h>
#include <burn/ops/pointwise.h>

#include <cstdio>
#include <cstdlib>

namespace burn::fusion {

namespace {

/// A segment ends after this many operations; while only pointwise ones follow each other, later, so that the step of an
/// optimiser stays whole.
constexpr std::size_t kLongest = 512, kLongestPointwise = 4096;
constexpr std::uint64_t kIndexBits = 24;

bool is_simple(const ops::AnyOp& op) {
    return op.info().kind == ops::OpKind::Pointwise || ops::is_pointwise(op.code());
}

bool log_wanted() {
    static const bool wanted = std::getenv("BURN_FUSION_LOG") != nullptr;
    return wanted;
}

}  // namespace

void Stream::begin_segment() {
    static std::atomic<std::uint64_t> segments{0};
    epoch_ = (segments.fetch_add(1, std::memory_order_relaxed) + 1) << kIndexBits;
    segment_.clear();
    tensors_.clear();
    only_pointwise_ = true;
}

compiler::ValueId Stream::value_of(Ref<FusionTensor> tensor) {
    const std::uint64_t place = tensor->place.load(std::memory_order_relaxed);
    const auto index = static_cast<compiler::ValueId>(place - epoch_);
    if (place >= epoch_ && place - epoch_ < tensors_.size() && tensors_[index] == tensor) return index;
    const auto value = static_cast<compiler::ValueId>(tensors_.size());
    tensor->place.store(epoch_ + value, std::memory_order_relaxed);
    segment_.values.push_back({tensor->spec(), true, false, {}});
    tensors_.push_back(std::move(tensor));
    return value;
}

ops::HandleList Stream::record(const ops::AnyOp& op, ops::HandleList inputs, const SpecList& results) {
    const std::lock_guard lock(mutex_);
    only_pointwise_ = only_pointwise_ && is_simple(op);
    compiler::SegmentOp entry{op, {}, {}};
    for (ops::Handle& input : inputs) {
        entry.inputs.push_back(value_of(Ref<FusionTensor>(&FusionTensor::of(input))));
        input = ops::Handle();
    }
    ops::HandleList outputs;
    for (const TensorSpec& spec : results) {
        const auto value = static_cast<compiler::ValueId>(tensors_.size());
        auto tensor = make_ref<FusionTensor>(engine_, spec, *this);
        tensor->place.store(epoch_ + value, std::memory_order_relaxed);
        segment_.values.push_back({spec, false, false, {}});
        tensors_.push_back(tensor);
        entry.outputs.push_back(value);
        outputs.push_back(ops::Handle(std::move(tensor)));
    }
    segment_.ops.push_back(std::move(entry));
    if (segment_.ops.size() >= (only_pointwise_ ? kLongestPointwise : kLongest)) run();
    return outputs;
}

void Stream::flush() {
    const std::lock_guard lock(mutex_);
    run();
}

std::string Stream::flush_and_describe() {
    const std::lock_guard lock(mutex_);
    describes_ = true;
    description_.clear();
    run();
    describes_ = false;
    return std::move(description_);
}

compiler::FailureRef Stream::take_failure() {
    const std::lock_guard lock(mutex_);
    return std::exchange(failure_, nullptr);
}

void Stream::run_segment(compiler::Bindings& bindings) {
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
        compiler::SegmentValue& value = segment_.values[i];
        FusionTensor& tensor = *tensors_[i];
        value.live = !tensor.unique();
        if (!value.external) continue;
        bindings.failures[i] = tensor.failure();
        bindings.tensors[i] = value.live ? tensor.value() : tensor.take();
        if (bindings.tensors[i]) value.layout = engine_.device().layout(bindings.tensors[i]);
    }
    const std::shared_ptr<compiler::Plan> plan = engine_.plans().find(segment_);
    plan->run(segment_, bindings, *engine_.inner(), engine_.device());
    std::size_t kernels = 0;
    for (const compiler::Plan::Step& step : plan->steps()) kernels += step.is_fused() ? 1 : 0;
    engine_.count(segment_.ops.size(), kernels, plan->steps().size() - kernels);
    if (describes_) description_ = compiler::describe(*plan);
    if (log_wanted()) std::fputs(compiler::describe(*plan).c_str(), stderr);
}

void Stream::run() {
    if (segment_.ops.empty()) return;
    compiler::Bindings bindings;
    bindings.tensors.resize(tensors_.size());
    bindings.failures.resize(tensors_.size());
    try {
        run_segment(bindings);
    } catch (...) {  // no plan, no results: the error stays with all of them, and the next segment begins
        const compiler::FailureRef failure = compiler::current_failure();
        for (std::size_t i = 0; i < tensors_.size(); ++i) {
            if (!bindings.tensors[i] && !bindings.failures[i]) bindings.failures[i] = failure;
        }
    }
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
        if (bindings.failures[i] && !failure_) failure_ = bindings.failures[i];
        if (!segment_.values[i].external)
            tensors_[i]->set(std::move(bindings.tensors[i]), std::move(bindings.failures[i]));
    }
    begin_segment();
}

}  // namespace burn::fusion
