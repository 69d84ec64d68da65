#include <burn/compiler/row_numbers.h>

#include <burn/compiler/random_words.h>

#include <algorithm>

namespace burn::compiler {

using kernel::Value;

namespace {

const ops::Random& law_of(const Segment& segment, std::uint32_t op) { return segment.ops[op].op.as<ops::Random>(); }

}  // namespace

void RowNumbers::declare(std::uint32_t op, Schedule& schedule) {
    Numbers& numbers = by_op_[op];
    std::uint8_t which = 0;
    for (const DType type : random_parameters(law_of(outline_.segment, op))) {
        schedule.attributes.push_back({op, which++, type});
        numbers.parameters.push_back(walk_.k.scalar(type));
    }
}

void RowNumbers::draw_row(const Value& begin, const Value& first, const Value& last) {
    const Value end = begin + (outline_.group.rows ? walk_.row_length() : last);
    for (auto& [op, numbers] : by_op_) {
        const ops::Random& law = law_of(outline_.segment, op);
        const std::int64_t in_block = elements_of_block(law);
        const Value block = (begin + first) / in_block;
        numbers.before = begin - block * in_block;
        const auto blocks =
            static_cast<std::uint16_t>(std::min<std::int64_t>(walk_.lanes, kernel::kMaxLanes / in_block));
        const auto lanes = static_cast<std::uint16_t>(in_block * blocks);
        numbers.drawn = walk_.k.local_array(
            drawn_dtype(law),
            array_size(outline_.cube_length() + 8, static_cast<std::uint16_t>(kDrawnVectors * lanes)));
        draw(walk_.k, law, *numbers.drawn, numbers.parameters, block, (end + in_block - 1) / in_block - block, blocks);
    }
}

Value RowNumbers::at(std::uint32_t op, const Columns& at, const Value& in_row) const {
    const Numbers& numbers = by_op_.at(op);
    return random_elements(walk_.k, law_of(outline_.segment, op), numbers.parameters,
                           numbers.drawn->load(*numbers.before + in_row, at.lanes));
}

}  // namespace burn::compiler
