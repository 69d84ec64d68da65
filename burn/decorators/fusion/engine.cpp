#include <burn/decorators/fusion/engine.h>

#include <burn/base/environment.h>
#include <burn/compiler/fusable.h>

#include <cstdio>

namespace burn::fusion {

namespace {

/// Whether this thread's streams are gone. Objects destroyed after them (static ones, in the main thread) may still compute.
thread_local bool streams_gone = false;

/// The stream that this thread used last.
struct Recent {
    const FusionEngine* engine;
    Stream* stream;
};
thread_local constinit Recent recent = {nullptr, nullptr};

/// The streams of one thread, by engine. What they hold is run when the thread ends.
struct ThreadStreams {
    std::vector<std::pair<FusionEngine*, Ref<Stream>>> streams;

    ~ThreadStreams() {
        streams_gone = true;
        recent = {nullptr, nullptr};
        for (auto& [engine, stream] : streams) {
            stream->flush();
            engine->hand_back(std::move(stream));
        }
    }
};

}  // namespace

bool enabled() {
    static const bool on = environment_switch("BURN_FUSION", true);
    return on;
}

bool log_wanted() {
    static const bool wanted = environment_switch("BURN_FUSION_LOG", false);
    return wanted;
}

FusionEngine::FusionEngine(ops::Engine& inner, compiler::Device& device)
    : inner_(inner), device_(device), plans_(device) {
    name_ << "fusion(" << inner.name() << ')';
    if (log_wanted()) std::fputs(why_off().c_str(), stderr);
}

std::string FusionEngine::why_off() const {
    if (!enabled()) return "fusion is off (BURN_FUSION=off)\n";
    return device_.compiles() ? std::string() : "no kernels: " + device_.why_not_compiling() + '\n';
}

Stream* FusionEngine::stream() {
    if (Stream::held_by_this_thread()) return nullptr;
    if (recent.engine == this) return recent.stream;
    if (streams_gone || !enabled() || !device_.compiles()) return nullptr;
    Stream& found = find_stream();
    recent = {this, &found};
    return &found;
}

Stream& FusionEngine::find_stream() {
    thread_local ThreadStreams mine;
    for (auto& [engine, stream] : mine.streams) {
        if (engine == this) return *stream;
    }
    const std::lock_guard lock(mutex_);
    Ref<Stream> stream;
    if (idle_.empty()) {
        stream = make_ref<Stream>(*this);
        streams_.push_back(stream);
    } else {
        stream = std::move(idle_.back());
        idle_.pop_back();
    }
    mine.streams.emplace_back(this, stream);
    return *stream;
}

void FusionEngine::hand_back(Ref<Stream> stream) {
    const compiler::UnseenFailures unseen = stream->take_unseen();
    const std::lock_guard lock(mutex_);
    left_behind_.add(unseen);
    idle_.push_back(std::move(stream));
}

ops::Handle FusionEngine::wrap(ops::Handle inner) {
    return ops::Handle(make_ref<FusionTensor>(*this, std::move(inner)));
}

ops::Handle settle(const ops::Handle& tensor) {
    FusionTensor& mine = FusionTensor::of(tensor);
    if (Stream* stream = mine.stream()) stream->flush();
    if (mine.failure()) mine.failure()->raise();
    return mine.value();
}

ops::HandleList FusionEngine::execute_now(const ops::AnyOp& op, ops::HandleList inputs, const SpecList& results) {
    for (ops::Handle& input : inputs) {
        ops::Handle inner = settle(input);
        if (input.unique()) FusionTensor::of(input).take();  // given away: the backend may reuse its buffer
        input = std::move(inner);
    }
    ops::HandleList outputs = inner_.execute(op, std::move(inputs), results);
    for (ops::Handle& output : outputs) output = wrap(std::move(output));
    return outputs;
}

ops::HandleList FusionEngine::execute(const ops::AnyOp& op, ops::HandleList inputs, const SpecList& results) {
    Stream* mine = stream();
    if (mine == nullptr) return execute_now(op, std::move(inputs), results);
    bool all_there = true;
    for (const ops::Handle& input : inputs) {
        Stream* other = FusionTensor::of(input).stream();
        if (other != nullptr && other != mine) other->flush();
        all_there = all_there && other != mine;
    }
    // A view of what is there costs nothing, and says how it lies in memory.
    if (all_there && op.info().kind == ops::OpKind::View) return execute_now(op, std::move(inputs), results);
    if (compiler::fuses_decomposed(op, inputs)) {
        const Stream::Caller caller(*mine, op.name());
        return ops::decompose_on(*this, op, std::move(inputs));
    }
    if (const auto two = compiler::split_reduction(op, inputs))
        return ops::apply_on(*this, two->second, ops::apply_on(*this, two->first, std::move(inputs)));
    return mine->record(op, inputs, results);
}

Pending<TensorData> FusionEngine::read(ops::Handle tensor) { return inner_.read(settle(tensor)); }

void FusionEngine::sync() {
    std::vector<Ref<Stream>> streams;
    {
        const std::lock_guard lock(mutex_);
        streams = streams_;
    }
    for (const Ref<Stream>& stream : streams) stream->flush();
    inner_.sync();
    compiler::UnseenFailures unseen;
    if (Stream* mine = stream()) unseen = mine->take_unseen();
    {
        const std::lock_guard lock(mutex_);
        unseen.add(std::exchange(left_behind_, {}));
    }
    if (const compiler::FailureRef failure = unseen.take_first()) failure->raise();
}

Report FusionEngine::report() const {
    const compiler::PlanCache::Counters plans = plans_.counters();
    return {operations_.load(), segments_.load(), kernels_.load(), alone_.load(),
            plans.hits,         plans.misses,     plans.plans};
}

void FusionEngine::count(std::size_t operations, std::size_t kernels, std::size_t alone) {
    operations_ += operations;
    segments_ += 1;
    kernels_ += kernels;
    alone_ += alone;
}

}  // namespace burn::fusion
