#include <burn/backends/cpu/engine.h>

#include <burn/backends/cpu/cpu_device.h>
#include <burn/backends/ndarray/table.h>
#include <burn/compiler/custom_rule.h>
#include <burn/ops/cost.h>

namespace burn::cpu {

CpuEngine::CpuEngine() : HostEngine("cpu_eager", ndarray::kTable) {}

ops::HandleList CpuEngine::execute(const ops::AnyOp& op, ops::HandleList inputs, const SpecList& results) {
    if (op.op_class().custom != nullptr && eager_device().compiles()) {
        profile::Span span;
        if (profile::on()) ops::begin(span, profile::Kind::Kernel, op, inputs, results);
        return custom::run_on(eager_device(), op, std::move(inputs), results);
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
