#include "tests/fuzz/programs/generator.h"

#include <burn/decorators/autodiff/autodiff.h>
#include <burn/ops/functions.h>
#include <burn/ops/reduce.h>

#include "tests/fuzz/programs/draw.h"

namespace burn::fuzz {

namespace {

constexpr std::size_t kPool = 14;

std::vector<Drawer> all_drawers() {
    std::vector<Drawer> all;
    for (const auto& family :
         {pointwise_drawers(), movement_drawers(), reduction_drawers(), indexing_drawers(), layer_drawers()})
        all.insert(all.end(), family.begin(), family.end());
    return all;
}

/// Draws one program.
class Generator {
public:
    explicit Generator(std::uint64_t seed)
        : random_(seed), recorder_(begun()), tracked_(random_.one_in(3)), draw_(random_, tracked_),
          threads_(random_.one_in(6) ? static_cast<int>(random_.between(2, 3)) : 1) {
        // A program has a taste of its own: chains of pointwise operations, reductions, whatever.
        const std::int64_t taste = random_.below(4);
        std::size_t index = 0;
        for (const Drawer& drawer : drawers_) {
            int weight = drawer.weight * 2;
            if (taste == 0 && index >= pointwise_drawers().size()) weight /= 6;
            if (taste == 1 && index < pointwise_drawers().size()) weight /= 5;
            if (taste == 2 && random_.one_in(2)) weight /= 8;
            weights_.push_back(weight);
            total_ += weight;
            ++index;
        }
    }

    Program run() {
        const std::int64_t steps = random_.one_in(8) ? random_.between(30, 70) : random_.between(3, 25);
        for (std::int64_t i = 0; i < steps; ++i) {
            if (threads_ > 1 && random_.one_in(3)) recorder_.set_thread(static_cast<int>(random_.below(threads_)));
            step();
        }
        finish();
        return recorder_.end();
    }

private:
    static Recorder& begun() {
        Recorder::instance().begin();
        return Recorder::instance();
    }

    void step() {
        std::int64_t choice = random_.below(total_);
        std::size_t index = 0;
        while (choice >= weights_[index]) choice -= weights_[index++];
        try {
            for (ops::Handle& result : drawers_[index].draw(draw_)) keep(std::move(result));
        } catch (const Error& error) {
            // A choice that makes no sense (an empty axis, a type without the operation) is refused before it is recorded.
            if (error.kind() == ErrorKind::Internal) throw;
        }
        if (random_.one_in(14) && !draw_.pool.empty()) read(random_.pick(draw_.pool));
        while (draw_.pool.size() > kPool || (random_.one_in(12) && !draw_.pool.empty()))
            draw_.pool.erase(draw_.pool.begin() +
                             static_cast<std::ptrdiff_t>(random_.below(static_cast<std::int64_t>(draw_.pool.size()))));
    }

    void keep(ops::Handle result) {
        if (!result || random_.one_in(12)) return;
        const Known& known = draw_.known(result);
        // What nothing is known of, or what soon overflows, is not worth going on with.
        if (known.certainty == Certainty::Unknown || result.shape().numel() > 60000) return;
        if (is_float(result.dtype()) && known.magnitude() > 1e4) return;
        draw_.pool.push_back(std::move(result));
    }

    void read(const ops::Handle& tensor) { recorder_.record_read(tracked_ ? autodiff::inner(tensor) : tensor); }

    /// The sum of some results, pulled back to the leaves.
    void pull_back() {
        ops::Handle loss;
        for (std::size_t i = draw_.pool.size(); i-- > 0;) {
            const ops::Handle& it = draw_.pool[i];
            if (!is_float(it.dtype()) || !autodiff::is_tracked(it) || !draw_.moderate(it, 100) || random_.one_in(3))
                continue;
            if (loss && loss.dtype() != it.dtype()) continue;
            ops::Handle weighted = ops::mul(it, draw_.input(it.spec(), Fill::Eighths));
            ops::Handle sum = ops::sum_all(std::move(weighted));
            loss = loss ? ops::add(std::move(loss), std::move(sum)) : std::move(sum);
        }
        if (!loss || !autodiff::is_tracked(loss)) return;
        const autodiff::Gradients gradients = autodiff::backward(loss);
        for (const ops::Handle& leaf : draw_.leaves) {
            if (const ops::Handle gradient = gradients.get(leaf)) recorder_.record_read(gradient);
        }
    }

    void finish() {
        if (tracked_) {
            try {
                pull_back();
            } catch (const Error& error) {
                if (error.kind() == ErrorKind::Internal) throw;
            }
        }
        while (!draw_.pool.empty()) {
            const auto index = random_.below(static_cast<std::int64_t>(draw_.pool.size()));
            if (!random_.one_in(6)) read(draw_.pool[static_cast<std::size_t>(index)]);
            draw_.pool.erase(draw_.pool.begin() + index);
        }
    }

    Random random_;
    Recorder& recorder_;
    bool tracked_;
    Draw draw_;
    int threads_;
    std::vector<Drawer> drawers_ = all_drawers();
    std::vector<int> weights_;
    std::int64_t total_ = 0;
};

/// Other numbers in place of those that are bound at run time.
class OtherNumbers final : public ops::FieldVisitor {
public:
    void field(const ops::Field& field) override {
        if (field.type != ops::FieldType::Scalar || field.structural) return;
        auto& scalar = *static_cast<Scalar*>(field.value);
        scalar = scalar.is_floating() ? Scalar(scalar.to<double>() * 0.5) : Scalar(scalar.to<std::int64_t>() + 1);
    }
};

/// The program itself with other run-time numbers and inputs.
Program twin_of(const Program& program) {
    Program twin = parse(print(program));  // operations of its own: copies share their attributes
    for (Line& line : twin.lines) {
        line.source.seed += 1;
        OtherNumbers numbers;
        if (line.op) line.op->visit_fields(numbers);
    }
    return twin;
}

/// Adds a twin to a program. After it, plans and kernels of the first serve the second. Line by line, the two meet in one
/// segment, and what is alike in them can share a launch, even if one of them fails.
void add_twin(Program& program, bool line_by_line) {
    Program twin = twin_of(program);
    const ValueId first = program.value_count();
    for (Line& line : twin.lines) {
        for (Operand& operand : line.operands) operand.value += first;
        for (ValueId& result : line.results) result += first;
    }
    std::vector<Line> lines;
    const std::size_t count = program.lines.size();
    for (std::size_t i = 0; i < 2 * count; ++i) {
        const bool original = line_by_line ? i % 2 == 0 : i < count;
        const std::size_t at = line_by_line ? i / 2 : i % count;
        lines.push_back(std::move((original ? program : twin).lines[at]));
    }
    std::vector<ValueId> numbers(2 * first);
    ValueId next = 0;
    for (Line& line : lines) {
        for (Operand& operand : line.operands) operand.value = numbers[operand.value];
        for (ValueId& result : line.results) result = numbers[result] = next++;
    }
    program.lines = std::move(lines);
}

}  // namespace

Program draw_program(std::uint64_t seed) {
    Program program = Generator(seed).run();
    Random random(~seed);
    if (random.one_in(3)) add_twin(program, random.one_in(2));
    return program;
}

}  // namespace burn::fuzz
