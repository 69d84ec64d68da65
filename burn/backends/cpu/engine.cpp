#include <burn/backends/cpu/engine.h>

#include <burn/backends/cpu/convolution_candidates.h>
#include <burn/backends/cpu/cpu_device.h>
#include <burn/backends/cpu/product_candidates.h>
#include <burn/backends/ndarray/table.h>
#include <burn/compiler/custom_rule.h>
#include <burn/ops/all_ops.h>
#include <burn/ops/cost.h>

namespace burn::cpu {

namespace {

using ndarray::Args;

template <class Op>
void set(ndarray::Table& table, ops::HandleList (*run)(const void* attributes, Args& args)) {
    table.run[static_cast<std::size_t>(ops::CodeOf<Op>::value)] = run;
}

template <class Op>
void set_convolution(ndarray::Table& table) {
    set<Op>(table, [](const void* attributes, Args& args) {
        return ops::list_of(ndarray::run_conv(*static_cast<const Op*>(attributes), args, convolve_by_best));
    });
}

/// NdArray's, with products and convolutions run by the candidate that is best here.
const ndarray::Table& table() {
    static const ndarray::Table made = [] {
        ndarray::Table table = ndarray::kTable;
        set<ops::MatMul>(
            table, [](const void*, Args& args) { return ops::list_of(ndarray::run_matmul(args, multiply_by_best)); });
        set<ops::Linear>(
            table, [](const void*, Args& args) { return ops::list_of(ndarray::run_linear(args, multiply_by_best)); });
        set_convolution<ops::Conv>(table);
        set_convolution<ops::ConvInputGrad>(table);
        set_convolution<ops::ConvWeightGrad>(table);
        return table;
    }();
    return made;
}

}  // namespace

CpuEngine::CpuEngine() : HostEngine("cpu_eager", table()) {}

ops::HandleList CpuEngine::execute(const ops::AnyOp& op, ops::HandleList inputs, const SpecList& results) {
    if (op.op_class().custom != nullptr && eager_device().compiles()) {
        try {
            profile::Span span;
            if (profile::on()) ops::begin(span, profile::Kind::Kernel, op, inputs, results);
            return custom::run_on(eager_device(), op, inputs, results);
        } catch (const UnsupportedError&) {
            if (eager_device().compiles()) throw;  // else the compiler turned out to be missing
        }
    }
    return HostEngine::execute(op, std::move(inputs), results);
}

ops::Engine& eager_engine() {
    static CpuEngine engine;
    return engine;
}

compiler::Device& eager_device() {
    static CpuDevice device(eager_engine());
    return device;
}

}  // namespace burn::cpu
