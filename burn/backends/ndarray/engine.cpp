#include <burn/backends/ndarray/engine.h>

#include <burn/backends/ndarray/table.h>
#include <burn/ops/cost.h>
#include <burn/ops/memory_error.h>

namespace burn::ndarray {

NdArrayEngine::NdArrayEngine() : HostEngine("ndarray", kTable) {}

ops::HandleList HostEngine::execute(const ops::AnyOp& op, ops::HandleList inputs, const SpecList& results) {
    const auto code = static_cast<std::size_t>(op.code());
    const auto run = code < ops::kOpCount ? table_.run[code] : nullptr;
    profile::Span span;
    if (profile::on()) ops::begin(span, profile::Kind::Operation, op, inputs, results);
    if (run == nullptr) return ops::decompose_on(*this, op, std::move(inputs));
    Args args(*this, std::move(inputs), results);
    return ops::with_memory_errors_of(op, results, [&] { return run(op.attributes(), args); });
}

bool HostEngine::runs(ops::OpCode code) const {
    return static_cast<std::size_t>(code) < ops::kOpCount && table_.run[static_cast<std::size_t>(code)] != nullptr;
}

ops::Handle HostEngine::upload(TensorData data) {
    return ops::Handle(make_ref<NdTensor>(*this, data.spec(), data.block(), Layout::contiguous(data.shape())));
}

Pending<TensorData> HostEngine::read(ops::Handle tensor) {
    const NdTensor& view = NdTensor::of(tensor);
    const TensorSpec spec = view.spec();
    if (view.is_contiguous() && view.layout().offset == 0)
        return TensorData::from_block(view.block(), spec.shape, spec.dtype);
    const ops::Handle packed = copy_contiguous(view);
    return TensorData::from_block(NdTensor::of(packed).block(), spec.shape, spec.dtype);
}

ops::RandomState HostEngine::random_state() const { return {random_key_.load(), random_counter_.load()}; }

void HostEngine::set_random_state(ops::RandomState state) {
    random_key_.store(state.key);
    random_counter_.store(state.counter);
}

ops::RandomState HostEngine::take_random(std::uint64_t blocks) {
    return {random_key_.load(), random_counter_.fetch_add(blocks)};
}

}  // namespace burn::ndarray
