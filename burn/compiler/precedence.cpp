#include <burn/compiler/precedence.h>

#include <bit>

namespace burn::compiler {

namespace {

using Set = std::vector<std::uint64_t>;

void add(Set& set, std::uint32_t step) { set[step / 64] |= std::uint64_t{1} << (step % 64); }
void remove(Set& set, std::uint32_t step) { set[step / 64] &= ~(std::uint64_t{1} << (step % 64)); }

void add_all(Set& set, const Set& other) {
    for (std::size_t i = 0; i < set.size(); ++i) set[i] |= other[i];
}

bool meet(const Set& a, const Set& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
        if ((a[i] & b[i]) != 0) return true;
    }
    return false;
}

template <class Body>
void for_each(const Set& set, Body body) {
    for (std::size_t i = 0; i < set.size(); ++i) {
        for (std::uint64_t word = set[i]; word != 0; word &= word - 1)
            body(static_cast<std::uint32_t>(i * 64) + static_cast<std::uint32_t>(std::countr_zero(word)));
    }
}

}  // namespace

Precedence::Precedence(std::size_t steps) : before_(steps, Set((steps + 63) / 64)), after_(before_) {}

void Precedence::require(std::uint32_t step, std::uint32_t before) {
    add_all(before_[step], before_[before]);
    add(before_[step], before);
    for_each(before_[step], [&](std::uint32_t each) { add(after_[each], step); });
}

bool Precedence::between(std::uint32_t a, std::uint32_t b) const {
    return meet(after_[a], before_[b]) || meet(after_[b], before_[a]);
}

void Precedence::merge(std::uint32_t to, std::uint32_t from) {
    const auto unite = [&](std::vector<Set>& sets) {
        add_all(sets[to], sets[from]);
        remove(sets[to], to);
        remove(sets[to], from);
        sets[from].assign(sets[from].size(), 0);
    };
    unite(before_);
    unite(after_);
    const auto tell = [&](std::vector<Set>& sets, std::uint32_t step) {
        add_all(sets[step], sets[to]);
        add(sets[step], to);
        remove(sets[step], from);
    };
    for_each(before_[to], [&](std::uint32_t step) { tell(after_, step); });
    for_each(after_[to], [&](std::uint32_t step) { tell(before_, step); });
}

std::size_t Precedence::count_before(std::uint32_t step) const {
    std::size_t total = 0;
    for (const std::uint64_t word : before_[step]) total += static_cast<std::size_t>(std::popcount(word));
    return total;
}

}  // namespace burn::compiler
