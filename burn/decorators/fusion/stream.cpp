#include <burn/decorators/fusion/stream.h>

#include <burn/decorators/fusion/engine.h>
#include <burn/ops/pointwise.h>

#include <cstdio>

namespace burn::fusion {

namespace {

/// A segment ends after this many operations; while only pointwise ones follow each other, later, so that the step of an
/// optimiser stays whole.
constexpr std::size_t kLongest = 512, kLongestPointwise = 4096;
constexpr std::uint64_t kIndexBits = 24;

bool is_simple(const ops::AnyOp& op) {
    return op.info().kind == ops::OpKind::Pointwise || ops::is_pointwise(op.code());
}

}  // namespace

/// The lock of a stream, of which a thread has one at a time.
class Stream::Hold {
public:
    explicit Hold(Stream& stream) : lock_(mutex_of(stream)) { held_ = true; }
    ~Hold() { held_ = false; }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

private:
    static std::mutex& mutex_of(Stream& stream) {
        if (held_) {
            raise(
                ErrorKind::Unsupported,
                Message() << "fusion: an operation that runs reads a tensor that is not there yet, or waits for all of "
                             "them; it may compute with tensors that are there and that it makes");
        }
        return stream.mutex_;
    }

    const std::lock_guard<std::mutex> lock_;
};

void Stream::begin_segment() {
    static std::atomic<std::uint64_t> segments{0};
    epoch_ = (segments.fetch_add(1, std::memory_order_relaxed) + 1) << kIndexBits;
    recording_.clear();
    tensors_.clear();
    callers_.clear();
    only_pointwise_ = true;
}

compiler::ValueId Stream::value_of(ops::Handle handle) {
    FusionTensor& tensor = FusionTensor::of(handle);
    const std::uint64_t place = tensor.place.load(std::memory_order_relaxed);
    const auto index = static_cast<compiler::ValueId>(place - epoch_);
    if (place >= epoch_ && place - epoch_ < tensors_.size() && tensors_[index].get() == &tensor) return index;
    const compiler::ValueId value = recording_.add_external(tensor.spec());
    tensor.place.store(epoch_ + value, std::memory_order_relaxed);
    tensors_.push_back(Ref<FusionTensor>::adopt(static_cast<FusionTensor*>(std::move(handle).take().detach())));
    return value;
}

ops::HandleList Stream::record(const ops::AnyOp& op, ops::HandleList& inputs, const SpecList& results) {
    const Hold hold(*this);
    only_pointwise_ = only_pointwise_ && is_simple(op);
    SmallVector<compiler::ValueId, 4> operands;
    for (ops::Handle& input : inputs) operands.push_back(value_of(std::move(input)));
    const compiler::ValueId first = recording_.add(op, {operands.data(), operands.size()}, results);
    callers_.push_back(caller_);
    ops::HandleList outputs;
    for (const TensorSpec& spec : results) {
        auto* tensor = new FusionTensor(engine_, spec, *this);
        tensor->start_with(2);  // the caller, and this stream
        tensor->place.store(epoch_ + first + outputs.size(), std::memory_order_relaxed);
        tensors_.push_back(Ref<FusionTensor>::adopt(tensor));
        outputs.emplace_back(Ref<ops::EngineTensor>::adopt(tensor));
    }
    if (recording_.ops().size() >= (only_pointwise_ ? kLongestPointwise : kLongest)) run();
    return outputs;
}

void Stream::flush() {
    const Hold hold(*this);
    run();
}

std::string Stream::flush_and_describe() {
    const Hold hold(*this);
    describes_ = true;
    description_.clear();
    run();
    describes_ = false;
    return std::move(description_);
}

compiler::UnseenFailures Stream::take_unseen() {
    const std::lock_guard lock(mutex_);
    return std::exchange(unseen_, {});
}

/// Of a tensor that is not there: none.
Layout Stream::layout_of(const ops::Handle& tensor) const {
    return tensor ? engine_.device().layout(tensor) : Layout();
}

void Stream::bind_externals() {
    for (const compiler::ValueId value : recording_.externals()) {
        FusionTensor& tensor = *tensors_[value];
        ops::Handle& bound = bindings_.tensors[value];
        bindings_.failures[value] = tensor.failure();
        bound = recording_.is_live(value) ? tensor.value() : tensor.take();
        recording_.add_layout(layout_of(bound).strides);
    }
}

void Stream::run_recording() {
    recording_.end([this](compiler::ValueId value) { return !tensors_[value]->unique(); });
    bind_externals();
    bindings_.callers = callers_;
    const std::shared_ptr<compiler::Plan> plan = engine_.plans().find(recording_.key(), [this] {
        return recording_.segment(
            [this](compiler::ValueId value) -> const TensorSpec& { return tensors_[value]->spec(); },
            [this](compiler::ValueId value) { return layout_of(bindings_.tensors[value]); });
    });
    plan->run(recording_.ops(), bindings_, *engine_.inner(), engine_.device());
    std::size_t kernels = 0;
    for (const compiler::Plan::Step& step : plan->steps()) kernels += step.is_fused() ? 1 : 0;
    engine_.count(recording_.ops().size(), kernels, plan->steps().size() - kernels);
    if (describes_) description_ = compiler::describe(*plan);
    if (log_wanted()) std::fputs(compiler::describe(*plan).c_str(), stderr);
}

/// Gives the results, or the errors in their place, to the tensors that somebody holds.
void Stream::deliver() {
    auto external = recording_.externals().begin();
    for (std::size_t value = 0; value < tensors_.size(); ++value) {
        if (external != recording_.externals().end() && *external == value) {
            ++external;
            continue;
        }
        compiler::FailureRef& failure = bindings_.failures[value];
        if (failure) unseen_.add(failure);
        if (!tensors_[value]->unique()) tensors_[value]->set(std::move(bindings_.tensors[value]), std::move(failure));
    }
}

void Stream::run() {
    if (recording_.empty()) return;
    bindings_.reset(tensors_.size());
    try {
        run_recording();
    } catch (...) {  // no plan, no results: the error stays with all of them, and the next segment begins
        const compiler::FailureRef failure = compiler::current_failure();
        for (std::size_t i = 0; i < tensors_.size(); ++i) {
            if (!bindings_.tensors[i] && !bindings_.failures[i]) bindings_.failures[i] = failure;
        }
    }
    deliver();
    bindings_.reset(0);
    begin_segment();
}

}  // namespace burn::fusion
