#include "tests/fuzz/programs/shrink.h"

#include "tests/fuzz/programs/run_program.h"

#include <algorithm>
#include <set>

namespace burn::fuzz {

namespace {

/// Leaves out lines that use what is not there, inputs that nobody uses, and numbers values anew.
Program tidied(const Program& program) {
    std::set<ValueId> there, used;
    std::vector<bool> keep(program.lines.size(), true);
    for (std::size_t i = 0; i < program.lines.size(); ++i) {
        const Line& line = program.lines[i];
        for (const Operand& operand : line.operands) keep[i] = keep[i] && there.contains(operand.value);
        if (!keep[i]) continue;
        for (const ValueId result : line.results) there.insert(result);
        for (const Operand& operand : line.operands) {
            if (line.kind != Line::Kind::Drop) used.insert(operand.value);
            if (operand.given_away || line.kind == Line::Kind::Drop) there.erase(operand.value);
        }
    }
    const auto unused = [&](const Line& line) {
        if (line.kind == Line::Kind::Input) return !used.contains(line.results[0]);
        return false;
    };
    std::set<ValueId> gone;
    std::vector<ValueId> numbers(program.value_count(), ~0u);
    Program result;
    ValueId next = 0;
    for (std::size_t i = 0; i < program.lines.size(); ++i) {
        if (!keep[i]) continue;
        Line line = program.lines[i];
        if (unused(line)) {
            gone.insert(line.results[0]);
            continue;
        }
        if (line.kind == Line::Kind::Drop && gone.contains(line.operands[0].value)) continue;
        for (ValueId& value : line.results) value = numbers[value] = next++;
        for (Operand& operand : line.operands) operand.value = numbers[operand.value];
        result.lines.push_back(std::move(line));
    }
    return result;
}

/// Sizes among an operation's attributes, replaced.
class Resize final : public ops::FieldVisitor {
public:
    Resize(std::int64_t from, std::int64_t to) : from_(from), to_(to) {}

    void field(const ops::Field& field) override {
        const std::string name = field.name;
        if (field.type == ops::FieldType::Dims && (name == "shape" || name == "size" || name == "output")) {
            for (std::int64_t& size : *static_cast<Dims*>(field.value)) {
                if (size == from_) size = to_;
            }
        }
        if (field.type == ops::FieldType::Int && name == "count") {
            auto& count = *static_cast<std::int64_t*>(field.value);
            if (count == from_) count = to_;
        }
        if (field.type == ops::FieldType::Slices) {
            for (Slice& slice : *static_cast<ops::SliceList*>(field.value)) {
                if (slice.end == from_) slice.end = to_;
                if (slice.start >= to_ && slice.start != 0) slice.start = 0;
            }
        }
    }

private:
    std::int64_t from_, to_;
};

Program resized(const Program& program, std::int64_t from, std::int64_t to) {
    Program result = parse(print(program));  // operations of its own: copies share their attributes
    for (Line& line : result.lines) {
        for (std::int64_t& size : line.source.spec.shape) {
            if (size == from) size = to;
        }
        if (line.source.bound == from) line.source.bound = std::max<std::int64_t>(1, to);
        if (!line.op) continue;
        Resize resize(from, to);
        line.op->visit_fields(resize);
    }
    return result;
}

class Shrinker {
public:
    Shrinker(Program program, FunctionRef<bool(const Program&)> fails) : best_(std::move(program)), fails_(fails) {}

    Program run() {
        one_thread();
        for (std::size_t before = ~std::size_t{0}; before > cost() && attempts_ < kAttempts;) {
            before = cost();
            leave_out_lines();
            cut_off();
            keep_operands();
            smaller();
        }
        return std::move(best_);
    }

private:
    static constexpr int kAttempts = 3000;

    std::size_t cost() const {
        std::size_t total = print(best_).size();
        for (const Line& line : best_.lines) total += static_cast<std::size_t>(line.source.spec.shape.numel());
        return total;
    }

    bool attempt(const Program& changed) {
        if (++attempts_ > kAttempts) return false;
        Program candidate = tidied(changed);
        if (candidate.lines.empty() || !fails_(candidate)) return false;
        best_ = std::move(candidate);
        return true;
    }

    void one_thread() {
        Program changed = best_;
        for (Line& line : changed.lines) line.thread = 0;
        if (best_.thread_count() > 1) attempt(changed);
    }

    void leave_out_lines() {
        for (std::size_t size = std::max<std::size_t>(1, best_.lines.size() / 4); size > 0; size /= 2) {
            for (std::size_t at = best_.lines.size(); at-- > 0;) {
                if (at >= best_.lines.size()) continue;
                Program changed = best_;
                const auto first = changed.lines.begin() + static_cast<std::ptrdiff_t>(at);
                changed.lines.erase(first,
                                    first + static_cast<std::ptrdiff_t>(std::min(size, changed.lines.size() - at)));
                attempt(changed);
            }
        }
    }

    /// Inputs in place of results.
    void cut_off() {
        for (std::size_t at = best_.lines.size(); at-- > 0;) {
            if (at >= best_.lines.size() || best_.lines[at].kind != Line::Kind::Apply) continue;
            std::unique_ptr<Oracle> oracle = consult(best_);
            for (const Fill fill : {Fill::Eighths, Fill::Positive, Fill::Reals, Fill::Indices}) {
                Program changed = best_;
                const Line line = changed.lines[at];
                changed.lines.erase(changed.lines.begin() + static_cast<std::ptrdiff_t>(at));
                std::size_t place = at;
                for (const ValueId result : line.results) {
                    Line input;
                    input.thread = line.thread;
                    const Known& known = oracle->at(result);
                    const auto bound = static_cast<std::int64_t>(std::min(1e6, std::max(0.0, known.highest) + 1));
                    input.source = {known.exact.spec(), fill, bound, 1};
                    input.results = {result};
                    changed.lines.insert(changed.lines.begin() + static_cast<std::ptrdiff_t>(place++), input);
                }
                if (attempt(changed)) break;
            }
        }
    }

    void keep_operands() {
        for (std::size_t at = 0; at < best_.lines.size(); ++at) {
            for (std::size_t i = 0; at < best_.lines.size() && i < best_.lines[at].operands.size(); ++i) {
                if (!best_.lines[at].operands[i].given_away) continue;
                Program changed = best_;
                changed.lines[at].operands[i].given_away = false;
                attempt(changed);
            }
        }
    }

    void smaller() {
        std::set<std::int64_t> sizes;
        for (const Line& line : best_.lines) {
            for (const std::int64_t size : line.source.spec.shape) sizes.insert(size);
        }
        for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
            for (const std::int64_t to : {std::int64_t{1}, std::int64_t{2}, *size / 4, *size / 2, *size - 1}) {
                if (to > 0 && to < *size && attempt(resized(best_, *size, to))) break;
            }
        }
    }

    Program best_;
    FunctionRef<bool(const Program&)> fails_;
    int attempts_ = 0;
};

}  // namespace

Program shrink(Program program, FunctionRef<bool(const Program&)> fails) {
    return Shrinker(std::move(program), fails).run();
}

}  // namespace burn::fuzz
