#include "tests/fuzz/programs/coverage.h"

#include <burn/backends/ndarray/nd_tensor.h>

#include <cstdio>

namespace burn::fuzz {

namespace {

/// How a tensor lies in memory, in a word.
const char* layout_name(const ops::Handle& tensor) {
    const Layout& layout = ndarray::NdTensor::of(tensor).layout();
    if (layout.shape.numel() == 0) return "empty";
    if (layout.is_contiguous()) return layout.offset == 0 ? "contiguous" : "part";
    bool repeated = false, reversed = false, ordered = true;
    std::int64_t before = 0;
    for (std::size_t i = 0; i < layout.shape.rank(); ++i) {
        if (layout.shape[i] == 1) continue;
        const std::int64_t stride = layout.strides[i];
        repeated = repeated || stride == 0;
        reversed = reversed || stride < 0;
        ordered = ordered && (before == 0 || std::abs(stride) <= before);
        before = std::abs(stride);
    }
    if (repeated) return "repeated";
    if (reversed) return "reversed";
    return ordered ? "strided" : "permuted";
}

}  // namespace

void Coverage::add(const Program& program, const Oracle& oracle) {
    ++programs_;
    threaded_ += program.thread_count() > 1 ? 1 : 0;
    for (const Line& line : program.lines) {
        if (line.kind == Line::Kind::Drop) ++dropped_;
        if (line.kind == Line::Kind::Read) {
            ++reads_;
            const Certainty certainty = oracle.at(line.operands[0].value).certainty;
            reads_bits_ += certainty == Certainty::Bits ? 1 : 0;
            reads_failed_ += certainty == Certainty::Failed ? 1 : 0;
            reads_near_ += certainty == Certainty::Near ? 1 : 0;
        }
        if (line.kind != Line::Kind::Apply) continue;
        Seen& seen = seen_[line.op->code()];
        ++seen.count;
        for (const Operand& operand : line.operands) {
            const ops::Handle& tensor = oracle.at(operand.value).exact;
            seen.pairs.emplace(tensor.dtype(), layout_name(tensor));
            given_away_ += operand.given_away ? 1 : 0;
        }
        if (line.operands.empty()) seen.pairs.emplace(oracle.at(line.results[0]).exact.dtype(), "made");
    }
}

std::string Coverage::missing() const {
    std::string result;
    for (std::size_t i = 0; i < ops::kOpCount; ++i) {
        const auto code = static_cast<ops::OpCode>(i);
        if (!seen_.contains(code)) result += std::string(" ") + name_of(code);
    }
    return result;
}

std::string Coverage::report() const {
    std::string result;
    char line[256];
    std::size_t pairs = 0;
    for (const auto& [code, seen] : seen_) {
        std::set<DType> types;
        std::set<std::string> layouts;
        for (const auto& [dtype, layout] : seen.pairs) {
            types.insert(dtype);
            layouts.insert(layout);
        }
        pairs += seen.pairs.size();
        std::string names;
        for (const DType dtype : types) names += std::string(names.empty() ? "" : " ") + name_of(dtype);
        std::snprintf(line, sizeof line, "%-28s %7llu times %4zu pairs %2zu layouts  %s\n", name_of(code),
                      static_cast<unsigned long long>(seen.count), seen.pairs.size(), layouts.size(), names.c_str());
        result += line;
    }
    std::snprintf(
        line, sizeof line,
        "%llu programs (%llu with threads), %zu of %zu operations, %zu (operation, type, layout); %llu operands "
        "given away, %llu tensors dropped\n",
        static_cast<unsigned long long>(programs_), static_cast<unsigned long long>(threaded_), seen_.size(),
        ops::kOpCount, pairs, static_cast<unsigned long long>(given_away_), static_cast<unsigned long long>(dropped_));
    result += line;
    std::snprintf(line, sizeof line,
                  "%llu values read: %llu by their bits, %llu within rounding, %llu errors, %llu not compared\n",
                  static_cast<unsigned long long>(reads_), static_cast<unsigned long long>(reads_bits_),
                  static_cast<unsigned long long>(reads_near_), static_cast<unsigned long long>(reads_failed_),
                  static_cast<unsigned long long>(reads_ - reads_bits_ - reads_near_ - reads_failed_));
    result += line;
    const std::string never = missing();
    result += "never drawn:" + (never.empty() ? " none" : never) + "\n";
    return result;
}

}  // namespace burn::fuzz
