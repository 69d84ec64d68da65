#pragma once

#include <cstdint>

namespace burn::compiler {

/// Why an operation or a group is a step of its own, as the rule found that keeps it apart.
enum class Reason : std::uint8_t {
    None,
    // Of an operation that the backend runs: see find_role and Grouping.
    NoKernel,
    NoRows,
    OwnKernel,
    View,
    Drawn,
    DrawnAlone,
    PlaceAlone,
    Axes,
    FewRows,
    FewColumns,
    PlaceOfColumns,
    Index,
    // Of two groups: see GrowingSteps.
    ReadsWhatLeaves,
    Operations,
    Leaving,
    Operands,
    Shapes,
    OtherAxes,
    DrawnOfRows,
    LongRows,
    Between,
    Single,
    // Of a product and the group after it: see join_epilogues.
    NoReader,
    DrawnOfProduct,
    SumsOfProduct,
    ElementsOfProduct,
    RowsOfProduct,
    OtherProduct,
    // Of a group and the product after it: see join_prologues.
    NoOperand,
    Held,
    ReadAgain,
    NotFirst,
    RowsOfOperand,
};

/// The reason, and the operation of another step that it concerns.
struct Apart {
    static constexpr std::uint32_t kNobody = ~0u;

    Reason reason = Reason::None;
    std::uint32_t other = kNobody;
};

}  // namespace burn::compiler
