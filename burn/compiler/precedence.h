#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace burn::compiler {

/// Which steps must run before which others, while steps grow together.
///
/// Units     bits, n / 64 words for each of n steps and both directions: a question costs n / 64 operations
class Precedence {
public:
    explicit Precedence(std::size_t steps);

    /// `step`, which nothing waits for yet, runs after `before` and all that this waits for.
    void require(std::uint32_t step, std::uint32_t before);
    /// Whether a third step must run after one of these and before the other.
    bool between(std::uint32_t a, std::uint32_t b) const;
    /// `from` becomes a part of `to`; nothing stands between them.
    void merge(std::uint32_t to, std::uint32_t from);
    /// How many steps must run before this one.
    std::size_t count_before(std::uint32_t step) const;

private:
    using Set = std::vector<std::uint64_t>;

    std::vector<Set> before_, after_;  ///< by step, directly or not
};

}  // namespace burn::compiler
