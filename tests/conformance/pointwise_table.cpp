#include "tests/conformance/pointwise_table.h"

#include <burn/ops/engine.h>

#include <cstring>

namespace burn::conformance {

namespace {

template <ops::OpCode Code>
ops::AnyOp with_scalars(const ops::PointwiseAttributes& scalars) {
    ops::PointwiseOp<Code> op;
    op.s = scalars.s;
    op.t = scalars.t;
    return op;
}

template <ops::OpCode Code>
PointwiseLine line() {
    return {ops::pointwise_info(Code),
            [](ops::HandleList operands, const ops::PointwiseAttributes& scalars) {
                return ops::apply_one(with_scalars<Code>(scalars), std::move(operands));
            },
            [](std::span<const TensorSpec> operands, const ops::PointwiseAttributes& scalars) {
                return with_scalars<Code>(scalars).infer(operands);
            }};
}

}  // namespace

std::span<const PointwiseLine> pointwise_lines() {
    static const PointwiseLine lines[] = {
#define POINTWISE(NAME, ...) line<ops::OpCode::NAME>(),
#include <burn/ops/pointwise.def>
#undef POINTWISE
    };
    return lines;
}

const PointwiseLine* find_pointwise(const char* name) {
    for (const PointwiseLine& line : pointwise_lines()) {
        if (std::strcmp(line.info.op.name, name) == 0) return &line;
    }
    return nullptr;
}

}  // namespace burn::conformance
