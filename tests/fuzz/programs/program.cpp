#include "tests/fuzz/programs/program.h"

#include <burn/ops/all_ops.h>
#include <burn/ops/pointwise.h>

#include <algorithm>
#include <cstring>

namespace burn::fuzz {

bool Line::uses(ValueId value) const {
    return std::any_of(operands.begin(), operands.end(), [&](const Operand& it) { return it.value == value; });
}

ValueId Program::value_count() const {
    ValueId count = 0;
    for (const Line& line : lines) {
        for (const ValueId value : line.results) count = std::max(count, value + 1);
    }
    return count;
}

int Program::thread_count() const {
    int count = 1;
    for (const Line& line : lines) count = std::max(count, line.thread + 1);
    return count;
}

ops::AnyOp blank_op(ops::OpCode code) {
    using ops::OpCode;
    switch (code) {
#define POINTWISE(NAME, ...) \
    case OpCode::NAME: return ops::PointwiseOp<OpCode::NAME>();
#include <burn/ops/pointwise.def>
#undef POINTWISE
#define OP(NAME) \
    case OpCode::NAME: return ops::NAME();
#include <burn/ops/ops.def>
#undef OP
        case OpCode::Custom: break;
    }
    raise(ErrorKind::Internal, Message() << "blank_op: an operation that the library does not have");
}

const char* name_of(ops::OpCode code) { return blank_op(code).name(); }

ops::OpCode find_op(std::string_view name) {
    for (std::size_t i = 0; i < ops::kOpCount; ++i) {
        const auto code = static_cast<ops::OpCode>(i);
        if (name == name_of(code)) return code;
    }
    return ops::OpCode::Custom;
}

}  // namespace burn::fuzz
