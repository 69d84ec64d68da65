#pragma once

#include <burn/compiler/group_operands.h>
#include <burn/compiler/precedence.h>

#include <optional>
#include <utility>
#include <vector>

namespace burn::compiler {

/// Steps of a segment under construction: each operation starts as one, and two become one where their spaces fit, no third
/// step stands between them, and the kernel stays of moderate size.
class GrowingSteps {
public:
    struct Step {
        std::vector<std::uint32_t> ops;
        Shape space;
        std::size_t split = 0;
        std::size_t kept = 0;  ///< of what leaves; see ReducedPart
        bool fusable = false;
        bool rows = false;
        bool columns = false;  ///< whether columns are reduced
        bool draws = false;    ///< whether there are random numbers, whose elements are counted over the space
        std::size_t leaving = 0;

        bool is_free() const { return !rows && !columns; }
    };
    static constexpr std::uint32_t kNoStep = ~0u;
    /// Kernels beyond this take long to compile and run out of registers.
    static constexpr std::size_t kMaxOps = 48, kMaxInputs = 16, kMaxLeaving = 4;

    /// Of a segment and what its operations read; the shapes of this change with the spaces of the steps.
    GrowingSteps(const Segment& segment, GroupOperands& operands);

    /// Makes a step, of the operation's number, of an operation whose operands have theirs.
    Step& begin(std::uint32_t op);
    /// Makes one step of both, which has the number `to`; gives whether that can be.
    bool join(std::uint32_t to, std::uint32_t from);
    /// Why two steps cannot be one as they are now; None where they can.
    Reason why_apart(std::uint32_t a, std::uint32_t b) const { return unite(a, b).refused; }
    /// The steps with their operations in the segment's order, in an order in which they can run.
    std::vector<std::uint32_t> finish();

    const Step& operator[](std::uint32_t step) const { return steps_[step]; }
    /// The step that makes a value, or kNoStep.
    std::uint32_t producer(ValueId value) const { return producer_[value]; }
    /// The step that an operation is in, or kNoStep.
    std::uint32_t step_of(std::uint32_t op) const { return producer_[segment_.ops[op].outputs[0]]; }
    /// A value's shape as it is computed.
    const Shape& shape(ValueId value) const { return shapes_[value]; }

    /// Whether the operation's result leaves its group.
    bool leaves(std::uint32_t op) const { return leaves_[op]; }
    void set_leaves(std::uint32_t op, bool leaves) { leaves_[op] = leaves; }

private:
    /// How two steps become one: the space of both, and the spaces in which their values are computed.
    struct Union {
        Shape a_space, b_space;
        bool a_rows_of_b = false, b_rows_of_a = false;  ///< one element a row of the other
        Reason refused = Reason::None;                  ///< where they cannot be one
    };

    /// An operation computed in a larger space than its result had, whose elements its one reader repeats.
    struct Repeated {
        std::uint32_t maker, reader;       ///< operations
        std::size_t operand;               ///< of the reader
        Shape read, read_by_maker, space;  ///< as they were
    };

    std::optional<Repeated> repeat_for(std::uint32_t reader, std::uint32_t maker);
    void take_back(const Repeated& repeated);

    Union unite(std::uint32_t a, std::uint32_t b) const;
    bool reads_what_leaves(const Step& reader, std::uint32_t other) const;
    std::size_t count_inputs(const Step& a, const Step& b) const;

    Union common_space(std::uint32_t a, std::uint32_t b) const;
    std::optional<std::pair<Shape, Shape>> find_difference(const Step& reader, std::uint32_t other,
                                                           const Shape& reader_space, const Shape& other_space) const;
    void recast_one(const Step& x, const Step& y, const Shape& in_x, const Shape& in_y, Union& both) const;
    bool can_recast(const Step& step, const Shape& space) const;

    void merge(std::uint32_t to, std::uint32_t from, const Union& both);
    void compute_in(Step& step, const Shape& space);

    const Segment& segment_;
    GroupOperands& operands_;
    std::vector<Shape> shapes_;            ///< by value
    std::vector<std::uint32_t> producer_;  ///< by value
    std::vector<bool> leaves_;             ///< by operation
    std::vector<Step> steps_;
    Precedence precedence_;
};

}  // namespace burn::compiler
