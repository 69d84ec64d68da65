#pragma once

#include <burn/ops/define_op.h>

/// Elements and rows chosen by tensors of indices, and the same places written.
///
/// Indices are of Int kind and count from 0; a negative one, or one beyond its axis, is an IndexError of the backend that
/// meets it, and nothing is written then.
///
/// `called` is the name of the function that the program called, where an operation is a part of it: errors begin with it. It is
/// no attribute; operations that differ in it alone are equal.

namespace burn::ops {

/// What is done with a value and the element it meets.
enum class IndexingUpdate : std::uint8_t {
    Assign,  ///< takes its place; which value stays when places repeat is not specified
    Add,     ///< is added, once for every time a place is named; on Bool a logical or
    Mul,     ///< the last three are for scatter_nd, with places that do not repeat
    Min,
    Max,
};

/// An element of each row along an axis, for every index.
///
///   y[i, j, k] = x[i, at[i, j, k], k]        for axis 1
///
/// Shapes    x [.., n, ..], at [.., m, ..], on the other axes no larger than x -> y like at
/// DTypes    x any, at Int
/// Gradient  dx = dy added at its places
/// Errors    ShapeError when `at` does not fit; IndexError when axis or index are out of range
/// Source    torch.gather
struct Gather {
    std::int64_t axis = 0;
    const char* called = info.name;

    static constexpr OpInfo info{.name = "gather",
                                 .doc = "an element along an axis for every index",
                                 .kind = OpKind::Move,
                                 .inputs = 2,
                                 .saves = Saves::input(1)};
    static void fields(auto& self, FieldVisitor& visit) { visit.structural("axis", self.axis); }
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
};

/// Writes to the places that gather would read.
///
///   y = x, then y[i, at[i, j, k], k] (=, +=) values[i, j, k]        for axis 1
///
/// Shapes    x [.., n, ..], at as in gather, values like at -> y like x
/// DTypes    x and values any one type, at Int
/// Gradient  Add: dx = dy; Assign: dx = dy with zeros at the places; dvalues = dy gathered
/// Memory    in place when x is given away
/// Errors    those of gather; ArgumentError for other updates than Assign and Add
struct Scatter {
    std::int64_t axis = 0;
    IndexingUpdate update = IndexingUpdate::Assign;
    const char* called = info.name;

    static constexpr OpInfo info{.name = "scatter",
                                 .doc = "values written along an axis, a place for each",
                                 .kind = OpKind::Move,
                                 .inputs = 3,
                                 .saves = Saves::input(1)};
    static void fields(auto& self, FieldVisitor& visit) {
        visit.structural("axis", self.axis);
        visit.structural("update", self.update);
    }
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
};

/// Whole rows of an axis.
///
///   y[.., j, ..] = x[.., at[j], ..]
///
/// Shapes    x [.., n, ..], at [m] -> y [.., m, ..]
/// DTypes    x any, at Int
/// Gradient  dx = dy's rows added at their places
/// Errors    IndexError when axis or index are out of range
struct Select {
    std::int64_t axis = 0;
    const char* called = info.name;

    static constexpr OpInfo info{.name = "select",
                                 .doc = "rows of an axis by their indices",
                                 .kind = OpKind::Move,
                                 .inputs = 2,
                                 .saves = Saves::input(1)};
    static void fields(auto& self, FieldVisitor& visit) { visit.structural("axis", self.axis); }
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
};

/// Writes to the rows that select would read.
///
///   y = x, then y[.., at[j], ..] (=, +=) values[.., j, ..]
///
/// Shapes    x [.., n, ..], at [m], values [.., m, ..] -> y like x
/// DTypes    x and values any one type, at Int
/// Gradient  Add: dx = dy; Assign: dx = dy with zeros in the rows; dvalues = dy's rows
/// Memory    in place when x is given away
/// Errors    ShapeError when `values` does not fit; IndexError when axis or index are out of range; ArgumentError for other
///           updates than Assign and Add
struct SelectAssign {
    std::int64_t axis = 0;
    IndexingUpdate update = IndexingUpdate::Assign;
    const char* called = info.name;

    static constexpr OpInfo info{.name = "select_assign",
                                 .doc = "rows of an axis written by their indices",
                                 .kind = OpKind::Move,
                                 .inputs = 3,
                                 .saves = Saves::input(1)};
    static void fields(auto& self, FieldVisitor& visit) {
        visit.structural("axis", self.axis);
        visit.structural("update", self.update);
    }
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
};

/// Elements, rows or blocks by the indices of the leading axes.
///
///   y[p.., rest..] = x[at[p.., 0], .., at[p.., k - 1], rest..]
///
/// Shapes    x [n_1, .., n_k, rest..], at [p.., k] -> y [p.., rest..]; of [1] when both are empty
/// DTypes    x any, at Int
/// Gradient  dx = dy added at its places
/// Errors    ShapeError when k is not 1 to x's rank; IndexError when an index is out of range
/// Source    ONNX GatherND
struct GatherNd {
    static constexpr OpInfo info{.name = "gather_nd",
                                 .doc = "elements or blocks by the indices of the leading axes",
                                 .kind = OpKind::Composite,
                                 .inputs = 2,
                                 .saves = Saves::input(1)};
    static void fields(auto&, FieldVisitor&) {}
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
    HandleList decompose(HandleList inputs) const;
};

/// Writes to the places that gather_nd would read.
///
/// Shapes    x and at as in gather_nd, values of its result's shape -> y like x
/// DTypes    x and values any one type, at Int
/// Gradient  as for scatter
/// Memory    in place when x is given away
/// Errors    those of gather_nd; ArgumentError for other updates than Assign and Add
struct ScatterNd {
    IndexingUpdate update = IndexingUpdate::Assign;

    static constexpr OpInfo info{.name = "scatter_nd",
                                 .doc = "elements or blocks written by the indices of the leading axes",
                                 .kind = OpKind::Composite,
                                 .inputs = 3,
                                 .saves = Saves::input(1)};
    static void fields(auto& self, FieldVisitor& visit) { visit.structural("update", self.update); }
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
    HandleList decompose(HandleList inputs) const;
};

Handle gather(Handle x, std::int64_t axis, Handle at, const char* called = Gather::info.name);
Handle scatter(Handle x, std::int64_t axis, Handle at, Handle values, IndexingUpdate update,
               const char* called = Scatter::info.name);
Handle select(Handle x, std::int64_t axis, Handle at, const char* called = Select::info.name);
Handle select_assign(Handle x, std::int64_t axis, Handle at, Handle values, IndexingUpdate update,
                     const char* called = SelectAssign::info.name);
Handle gather_nd(Handle x, Handle at);
/// All five updates; Mul, Min and Max need places that do not repeat.
Handle scatter_nd(Handle x, Handle at, Handle values, IndexingUpdate update);

/// Select by indices of any shape, whose axes take the place of `axis`.
///
/// Shapes    x [a.., n, b..], at [p..] -> y [a.., p.., b..]
Handle take(Handle x, std::int64_t axis, Handle at, const char* called = "take");
/// The rows of a table of vectors.
///
/// Shapes    weight [n, d], at [p..] -> y [p.., d]
Handle embedding(Handle weight, Handle at);

}  // namespace burn::ops
