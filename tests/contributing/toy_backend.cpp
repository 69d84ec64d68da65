#include "toy_backend.h"

#include "toy_ops.h"

#include <burn/ops/run_table.h>

namespace toy {

namespace {

constexpr burn::ops::RunTable<Args> kTable = burn::ops::make_run_table<Args>(burn::ops::AllOps{});

class ToyEngine final : public burn::ops::Engine {
public:
    const char* name() const override { return "toy"; }

    HandleList execute(const burn::ops::AnyOp& op, HandleList inputs, const SpecList& results) override {
        if (!runs(op.code())) return burn::ops::decompose_on(*this, op, std::move(inputs));
        Args args{*this, std::move(inputs), results};
        return kTable[static_cast<std::size_t>(op.code())](op.attributes(), args);
    }

    bool runs(OpCode code) const override {
        return code < OpCode::Custom && kTable[static_cast<std::size_t>(code)] != nullptr;
    }

    Handle upload(burn::TensorData data) override {
        std::vector<double> values;
        for (std::int64_t i = 0; i < data.numel(); ++i) values.push_back(data.at(i));
        return Handle(burn::make_ref<ToyTensor>(*this, data.spec(), std::move(values)));
    }

    burn::Pending<burn::TensorData> read(Handle tensor) override {
        const auto& values = static_cast<ToyTensor*>(tensor.get())->values;
        return burn::TensorData::from<double>(values, tensor.shape()).convert(tensor.dtype());
    }

    void sync() override {}
    burn::MemoryReport memory() const override { return {}; }

    burn::ops::RandomState random_state() const override { return random_; }
    void set_random_state(burn::ops::RandomState state) override { random_ = state; }
    burn::ops::RandomState take_random(std::uint64_t blocks) override {
        const burn::ops::RandomState before = random_;
        random_.counter += blocks;
        return before;
    }

private:
    burn::ops::RandomState random_;
};

}  // namespace

burn::ops::Engine& Toy::engine(std::size_t) {
    static ToyEngine engine;
    return engine;
}

}  // namespace toy
