#pragma once

#include "tests/conformance/case.h"

#include <burn/ops/engine.h>

namespace burn::conformance {

/// A case about to be run on an engine: its arguments by name, its operands as handles.
class Call {
public:
    Call(const Case& oracle_case, ops::Engine& engine, ops::HandleList inputs)
        : case_(oracle_case), engine_(engine), inputs_(std::move(inputs)) {}

    const Case& oracle_case() const { return case_; }
    ops::Engine& engine() const { return engine_; }

    // ---- operands; each is given away, so fetch it once
    std::size_t count() const { return inputs_.size(); }
    ops::Handle in(int i);
    /// By the name after the slash: "weight" of "conv2d.0/weight".
    ///
    /// Errors    ArgumentError when there is none of that name
    ops::Handle in(const char* operand);
    bool has_input(const char* operand) const;
    ops::HandleList all_inputs() { return std::move(inputs_); }

    // ---- arguments; one that is missing or of another type is a ParseError naming the file, the case and the argument
    /// Whether the argument is there and not null.
    bool has(const char* name) const;
    std::int64_t integer(const char* name) const;
    double number(const char* name) const;
    bool flag(const char* name) const;
    std::string text(const char* name) const;
    Dims dims(const char* name) const;
    /// A number as it is written: an integer stays one.
    Scalar scalar(const char* name) const;
    /// [start, end or null, step] for the leading axes.
    ops::SliceList slices(const char* name) const;
    /// The numbers among the arguments, in their order.
    SmallVector<Scalar, 2> scalars() const;
    /// For what has no function above; what its type does not allow is an error of the JSON library.
    const nlohmann::ordered_json& arg(const char* name) const;
    /// The field of the argument that was looked up last, for errors: "args.dim".
    const std::string& last_field() const { return last_field_; }

private:
    [[noreturn]] void expected(const char* what, const nlohmann::ordered_json& got) const;
    std::size_t index_of(const char* operand) const;

    const Case& case_;
    ops::Engine& engine_;
    ops::HandleList inputs_;
    mutable std::string last_field_ = "args";
};

/// "inf" and "-inf" are numbers too.
Scalar parse_scalar(const nlohmann::ordered_json& json);
Slice parse_slice(const nlohmann::ordered_json& json);

}  // namespace burn::conformance
