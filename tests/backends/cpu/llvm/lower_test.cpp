// Kernels drawn at random do the same compiled as interpreted.
#include <burn/kernel/interpret.h>
#include <burn/kernel/text.h>

#include "../launch.h"
#include "samples.h"

namespace burn::cpu::lower_test {
namespace {

using kernel::Access;
using kernel::Builder;
using kernel::NodeKind;
using kernel::Place;
using kernel::Reduction;
using kernel::Type;
using kernel::Value;
using kernel::Variable;

constexpr DType kTypes[] = {DType::F32, DType::I32, DType::F64, DType::BF16, DType::I64, DType::U8, DType::Bool};
constexpr std::size_t kTypeCount = std::size(kTypes);
constexpr std::int64_t kSlots = 8;  ///< vectors that each unit has of each type, in and out
constexpr std::int64_t kCubes = 2;
constexpr int kLanes = 4;

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed * 2654435761u + 1) {}
    std::size_t below(std::size_t bound) {
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return static_cast<std::size_t>(state_ >> 33) % bound;
    }
    bool chance(std::size_t percent) { return below(100) < percent; }

private:
    std::uint64_t state_;
};

/// Draws a kernel: values and variables of all types, nested control flow, arrays; with several units also what they share.
class Drawer {
public:
    explicit Drawer(std::uint64_t seed)
        : random_(seed), units_(units_of(random_)), k_("random", units_, plane_of(random_)) {
        for (std::size_t t = 0; t < kTypeCount; ++t) {
            in_.push_back(k_.buffer(kTypes[t], Access::Read));
            out_.push_back(k_.buffer(kTypes[t], Access::ReadWrite));
            scalars_.push_back(k_.scalar(kTypes[t]));
        }
    }

    kernel::Kernel draw() {
        const Value unit = k_.unit_index(), cube = k_.cube_index();
        const Value first = (cube * static_cast<std::int64_t>(units_) + unit) * (kSlots * kLanes);
        base_ = &first;
        unit_ = &unit;
        for (std::size_t t = 0; t < kTypeCount; ++t) {
            values_.push_back({scalars_[t], in_[t].load(first + static_cast<std::int64_t>(random_.below(kSlots)))});
            vectors_.push_back({in_[t].load(first + slot(), kLanes)});
            variables_.push_back({k_.variable(any(t, 1)), k_.variable(any(t, kLanes))});
        }
        values_[index_type()].push_back(unit);
        block(12, true);
        for (std::size_t t = 0; t < kTypeCount; ++t) {
            for (const Variable& variable : variables_[t]) store(t, variable.get());
        }
        return k_.finish();
    }

    std::uint32_t units() const { return units_; }

private:
    static std::uint32_t units_of(Random& random) {
        constexpr std::uint32_t kUnits[] = {1, 1, 4, 6, 16};
        return kUnits[random.below(std::size(kUnits))];
    }
    std::uint32_t plane_of(Random& random) const {
        return random.chance(30) ? 1 : units_ % 3 == 0 ? 3 : random.chance(50) ? units_ : (units_ + 1) / 2;
    }
    static std::size_t index_type() { return 4; }
    static std::size_t bool_type() { return 6; }

    std::size_t any_type() { return random_.below(kTypeCount); }
    int any_lanes() { return random_.chance(50) ? 1 : kLanes; }
    std::int64_t slot() { return static_cast<std::int64_t>(random_.below(kSlots)) * kLanes; }

    std::vector<Value>& pool(std::size_t type, int lanes) { return lanes == 1 ? values_[type] : vectors_[type]; }
    Value any(std::size_t type, int lanes) {
        std::vector<Value>& all = pool(type, lanes);
        if (random_.chance(10)) {
            const int number = static_cast<int>(random_.below(5));
            return k_.constant(kTypes[type], is_numeric(kTypes[type]) ? number : number % 2,
                               static_cast<std::uint16_t>(lanes));
        }
        // Mostly what is young, so that values are used across the next cut or behind the next loop.
        const std::size_t window = random_.chance(70) ? std::min<std::size_t>(all.size(), 3) : all.size();
        return all[all.size() - 1 - random_.below(window)];
    }
    void keep(std::size_t type, const Value& value) { pool(type, value.lanes()).push_back(value); }
    Value any_bool() { return any(bool_type(), 1); }
    /// An index of one of `count` elements.
    Value any_index(std::int64_t count) {
        const Value number = any(index_type(), 1);
        const Value left = rem(number, k_.index(count));
        return where(lower(left, 0), left + count, left);
    }

    void store(std::size_t type, const Value& value) {
        if (value.lanes() == kLanes && random_.chance(30)) {
            out_[type].store_masked(*base_ + slot(), value, any(bool_type(), kLanes));
        } else {
            out_[type].store(*base_ + slot(), value);
        }
    }

    void block(int statements, bool uniform) {
        // What is made inside is not in scope behind it.
        const auto values = values_, vectors = vectors_;
        const auto arrays = arrays_;
        for (int i = 0; i < statements; ++i) statement(uniform);
        values_ = values;
        vectors_ = vectors;
        arrays_ = arrays;
    }

    void statement(bool uniform) {
        const std::size_t type = any_type();
        const int lanes = any_lanes();
        switch (random_.below(uniform && units_ > 1 ? 16 : 12)) {
            case 0: return store(type, any(type, lanes));
            case 1: return keep(type, in_[type].load(*base_ + slot(), static_cast<std::uint16_t>(lanes)));
            case 2:
                return keep(type, out_[type].load(*base_ + any_index(kSlots * kLanes - kLanes),
                                                  static_cast<std::uint16_t>(lanes)));
            case 3: return keep(type, kernel::cast(any(any_type(), lanes), kTypes[type]));
            case 4: return keep(type, where(any(bool_type(), lanes), any(type, lanes), any(type, lanes)));
            case 5: return lanes_to_element(type);
            case 6: return set_variable(type);
            case 7: return branch(uniform);
            case 8: return loop(uniform);
            case 9: return local_array(type);
            case 10:
            case 11: return arithmetic(type, lanes);
            case 12: return k_.barrier();
            case 13: return share(type);
            case 14: return reduce_plane(type, lanes);
            default: return keep(type, k_.plane_shuffle(any(type, lanes), any_index(k_.kernel().plane)));
        }
    }

    void arithmetic(std::size_t type, int lanes) {
        // What is exact and the same in every library, on any operands.
        static constexpr NodeKind kNumeric[] = {NodeKind::Add, NodeKind::Sub, NodeKind::Mul,
                                                NodeKind::Div, NodeKind::Min, NodeKind::Max,
                                                NodeKind::Neg, NodeKind::Abs, NodeKind::Rem};
        static constexpr NodeKind kBits[] = {NodeKind::And, NodeKind::Or, NodeKind::Xor, NodeKind::Not};
        static constexpr NodeKind kComparisons[] = {NodeKind::Eq, NodeKind::Ne, NodeKind::Lt,
                                                    NodeKind::Le, NodeKind::Gt, NodeKind::Ge};
        const bool numeric = is_numeric(kTypes[type]);
        NodeKind kind = numeric ? kNumeric[random_.below(std::size(kNumeric))] : kBits[random_.below(std::size(kBits))];
        std::size_t result = type;
        if (numeric && random_.chance(25)) {
            kind = kComparisons[random_.below(std::size(kComparisons))];
            result = bool_type();
        }
        std::vector<Value> operands;
        for (int i = 0; i < kernel::info_of(kind).operands; ++i) operands.push_back(any(type, lanes));
        keep(result, k_.emit_list(kind, operands));
    }

    Reduction any_reduction(std::size_t type) {
        return is_numeric(kTypes[type]) ? static_cast<Reduction>(random_.below(4))
                                        : (random_.chance(50) ? Reduction::And : Reduction::Or);
    }

    void lanes_to_element(std::size_t type) {
        switch (random_.below(4)) {
            case 0: return keep(type, reduce_lanes(any(type, kLanes), any_reduction(type)));
            case 1: return keep(type, extract(any(type, kLanes), static_cast<std::uint16_t>(random_.below(kLanes))));
            case 2: {
                const Value both = interleave(any(type, kLanes), any(type, kLanes));
                return keep(type, extract(both, static_cast<std::uint16_t>(random_.below(2 * kLanes))));
            }
            default: return keep(type, splat(any(type, 1), kLanes));
        }
    }

    void set_variable(std::size_t type) {
        const std::size_t which = random_.below(2);
        const Variable& variable = variables_[type][which];
        variable.set(any(type, which == 0 ? 1 : kLanes));
        keep(type, variable.get());
    }

    void branch(bool uniform) {
        if (depth_ == 3) return;
        ++depth_;
        const bool all_units = uniform && random_.chance(50);
        const Value condition = all_units ? equal(rem(k_.cube_index(), k_.index(2)), 0) : any_bool();
        if (random_.chance(50)) {
            k_.if_then(condition, [&] { block(4, all_units); });
        } else {
            k_.if_else(condition, [&] { block(4, all_units); }, [&] { block(3, all_units); });
        }
        --depth_;
    }

    void loop(bool uniform) {
        if (depth_ == 3) return;
        ++depth_;
        if (random_.chance(25)) {
            const Variable rounds = k_.variable(k_.index(0));
            k_.while_loop(
                [&] {
                    block(1, false);
                    return bool_and(lower(rounds.get(), 3), any_bool());
                },
                [&] {
                    rounds.set(rounds.get() + 1);
                    block(4, false);
                });
        } else {
            const bool all_units = uniform && random_.chance(60);
            const Value end = all_units ? k_.cube_index() + 1 : any_index(4);
            k_.for_loop(all_units ? k_.index(0) : any_index(3), end, static_cast<std::int64_t>(random_.below(2)) + 1,
                        [&](Value i) {
                            const auto values = values_;
                            keep(index_type(), i);
                            block(5, all_units);
                            values_ = values;
                        });
        }
        --depth_;
    }

    void local_array(std::size_t type) {
        constexpr std::int64_t kCount = 6;
        if (arrays_[type].empty() || random_.chance(30)) {
            arrays_[type].push_back(k_.local_array(kTypes[type], kCount));
            for (std::int64_t i = 0; i < kCount; ++i) arrays_[type].back().store(i, any(type, 1));
        }
        const Place array = arrays_[type][random_.below(arrays_[type].size())];
        array.store(any_index(kCount), any(type, 1));
        keep(type, array.load(any_index(kCount)));
        keep(type, array.load(any_index(kCount - kLanes), kLanes));
    }

    /// Every unit writes its element, all wait, every unit reads another's.
    void share(std::size_t type) {
        const Place shared = k_.shared_array(kTypes[type], units_);
        shared.store(*unit_, any(type, 1));
        k_.barrier();
        keep(type, shared.load(any_index(units_)));
        k_.barrier();
    }

    void reduce_plane(std::size_t type, int lanes) {
        keep(type, k_.plane_reduce(any(type, lanes), any_reduction(type)));
    }

    Random random_;
    std::uint32_t units_;
    Builder k_;
    std::vector<Place> in_, out_;
    std::vector<Value> scalars_;
    std::vector<std::vector<Value>> values_, vectors_;
    std::vector<std::vector<Variable>> variables_;
    std::vector<std::vector<Place>> arrays_ = std::vector<std::vector<Place>>(kTypeCount);
    const Value* base_ = nullptr;
    const Value* unit_ = nullptr;
    int depth_ = 0;
};

/// The buffers of a launch, in the order of the kernel's parameters: of each type what is read and what is written.
struct Memory {
    explicit Memory(std::size_t elements) : count(elements) {
        for (const DType dtype : kTypes) {
            visit_dtype(dtype, [&](auto zero) {
                using T = decltype(zero);
                const std::vector<T> all = samples<T>();
                for (const std::size_t step : {std::size_t{7}, std::size_t{3}}) {
                    std::vector<std::byte>& bytes = buffers.emplace_back(elements * sizeof(T));
                    for (std::size_t i = 0; i < elements; ++i) {
                        const T element = all[i * step % all.size()];
                        std::memcpy(bytes.data() + i * sizeof(T), &element, sizeof(T));
                    }
                }
            });
        }
    }

    std::size_t count;
    std::vector<std::vector<std::byte>> buffers;
};

std::vector<std::uint64_t> scalars() {
    std::vector<std::uint64_t> all;
    for (const DType dtype : kTypes)
        all.push_back(kernel::element_bits(dtype, std::int64_t{dtype == DType::Bool ? 1 : 3}));
    return all;
}

bool same_memory(const Memory& a, const Memory& b, std::string& difference) {
    for (std::size_t buffer = 0; buffer < a.buffers.size(); ++buffer) {
        const DType dtype = kTypes[buffer / 2];
        const bool same = visit_dtype(dtype, [&](auto zero) {
            using T = decltype(zero);
            for (std::size_t i = 0; i < a.count; ++i) {
                T left, right;
                std::memcpy(&left, a.buffers[buffer].data() + i * sizeof(T), sizeof(T));
                std::memcpy(&right, b.buffers[buffer].data() + i * sizeof(T), sizeof(T));
                if (same_element(left, right)) continue;
                difference = std::string(name_of(dtype)) + " element " + std::to_string(i) + ": compiled " +
                             std::to_string(number_of(left)) + ", interpreted " + std::to_string(number_of(right));
                return false;
            }
            return true;
        });
        if (!same) return false;
    }
    return true;
}

void check_random_kernels(std::uint64_t first, std::uint64_t count) {
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        Drawer drawer(seed);
        const kernel::Kernel kernel = drawer.draw();
        const std::size_t elements = static_cast<std::size_t>(kCubes) * drawer.units() * kSlots * kLanes;
        Memory compiled(elements), interpreted(elements);
        const std::vector<std::uint64_t> numbers = scalars();
        std::vector<kernel::BufferElements> buffers;
        for (auto& bytes : interpreted.buffers) buffers.push_back({bytes.data(), static_cast<std::int64_t>(elements)});
        kernel::interpret(kernel, buffers, numbers, 0, kCubes);
        Launch launch(kernel);
        for (auto& bytes : compiled.buffers) launch.buffer(bytes);
        launch.scalars(numbers).run(0, kCubes);
        std::string difference;
        ASSERT_TRUE(same_memory(compiled, interpreted, difference)) << "seed " << seed << ": " << difference << "\n"
                                                                    << kernel::print(kernel);
    }
}

TEST(Lower, RandomKernelsDoTheSameCompiledAsInterpreted) { check_random_kernels(0, 50); }

TEST(Lower, RandomKernelsOnWeakerInstructionSets) {
    std::uint64_t seed = 1000;
    on_every_isa([&seed] { check_random_kernels(seed += 12, 12); });
}

}  // namespace
}  // namespace burn::cpu::lower_test
