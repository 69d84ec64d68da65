// Operations of a user, for the tests of custom operations.
#pragma once

#include <burn/compiler/custom_op.h>
#include <burn/kernel/builder.h>
#include <burn/ops/checks.h>
#include <burn/ops/expr.h>

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

namespace burn::testing {

using namespace ::testing;  // which this namespace hides

using kernel::Access;
using kernel::Builder;
using kernel::kIndex;
using kernel::Place;
using kernel::Value;

/// y = scale x^3; the scale is given at run time.
struct Cubed {
    double scale = 1;

    static constexpr custom::Info info{.name = "cubed", .inputs = 1, .saves = ops::Saves::input(0)};
    static void fields(auto& self, ops::FieldVisitor& visit) { visit.runtime("scale", self.scale); }

    /// How often a kernel was written.
    static inline std::atomic<int> written{0};

    SpecList infer(std::span<const TensorSpec> inputs) const {
        ops::require_float(inputs[0], info.name);
        return {inputs[0]};
    }
    custom::Launch kernel(const custom::Call& call) const {
        ++written;
        const DType dtype = call.inputs[0].dtype;
        const std::uint16_t lanes = call.lanes(dtype);
        Builder k("cubed");
        const Place x = k.buffer(dtype, Access::Read), y = k.buffer(dtype, Access::Write);
        const Value count = k.scalar(kIndex), factor = k.scalar(dtype);
        const Value at = k.cube_index() * lanes, inside = lower(at + k.iota(kIndex, lanes), count);
        const Value element = x.load_masked(at, inside);
        y.store_masked(at, factor * element * element * element, inside);
        const std::int64_t elements = call.inputs[0].shape.numel();
        return {k.finish(), (elements + lanes - 1) / lanes, {elements}};
    }
    void gradient(ops::GradScope& scope) const {
        const ops::Expr x = scope.input(0), dy = scope.dy();
        scope.dx(0) = (dy * x * x * (3 * scale)).tensor();
    }
};

/// The sums and the differences of the rows of two matrices, times a structural factor.
///
/// The operands are read as they lie.
struct SumAndDifference {
    std::int64_t factor = 1;

    static constexpr custom::Info info{.name = "sum_and_difference", .inputs = 2, .outputs = 2, .strided = true};
    static void fields(auto& self, ops::FieldVisitor& visit) { visit.structural("factor", self.factor); }

    SpecList infer(std::span<const TensorSpec> inputs) const {
        ops::require_same_shape(inputs[0], inputs[1], info.name);
        ops::require_rank(inputs[0], 2, info.name, "a");
        return {inputs[0], inputs[0]};
    }
    custom::Launch kernel(const custom::Call& call) const {
        const DType dtype = call.inputs[0].dtype;
        Builder k("sum_and_difference");
        const Place a = k.buffer(dtype, Access::Read), b = k.buffer(dtype, Access::Read);
        const Place sum = k.buffer(dtype, Access::Write), difference = k.buffer(dtype, Access::Write);
        const Shape& shape = call.inputs[0].shape;
        const Value i = k.cube_index();
        k.for_loop(0, shape[1], 1, [&](const Value& j) {
            const auto read = [&](const Place& place, const Layout& layout) {
                return place.load(i * layout.strides[0] + j * layout.strides[1]) * factor;
            };
            const Value left = read(a, call.layouts[0]), right = read(b, call.layouts[1]);
            sum.store(i * shape[1] + j, left + right);
            difference.store(i * shape[1] + j, left - right);
        });
        return {k.finish(), shape[0]};
    }
};

/// The sum of any number of vectors; its gradient is written with another operation of the user.
struct SumOfMany {
    static constexpr custom::Info info{.name = "sum_of_many", .inputs = ops::kVariadic, .saves = ops::Saves::nothing};

    SpecList infer(std::span<const TensorSpec> inputs) const {
        for (const TensorSpec& input : inputs) ops::require_same_shape(inputs[0], input, info.name);
        return {inputs[0]};
    }
    custom::Launch kernel(const custom::Call& call) const {
        const DType dtype = call.inputs[0].dtype;
        Builder k("sum_of_many");
        std::vector<Place> x;
        for (std::size_t i = 0; i < call.inputs.size(); ++i) x.push_back(k.buffer(dtype, Access::Read));
        const Place y = k.buffer(dtype, Access::Write);
        Value sum = x[0].load(k.cube_index());
        for (std::size_t i = 1; i < x.size(); ++i) sum = sum + x[i].load(k.cube_index());
        y.store(k.cube_index(), sum);
        return {k.finish(), call.inputs[0].shape.numel()};
    }
    void gradient(ops::GradScope& scope) const {
        const ops::Handle dy = custom::apply(SumOfMany{}, scope.dy());
        for (std::size_t i = 0; i < scope.input_count(); ++i) scope.dx(i) = dy;
    }
};

/// x + 1 by its kernel, x + 2 by its decomposition: tells which of them ran.
struct PlusOneOrTwo {
    static constexpr custom::Info info{.name = "plus_one_or_two", .inputs = 1};

    SpecList infer(std::span<const TensorSpec> inputs) const { return {inputs[0]}; }
    custom::Launch kernel(const custom::Call& call) const {
        const DType dtype = call.inputs[0].dtype;
        Builder k("plus_one");
        const Place x = k.buffer(dtype, Access::Read), y = k.buffer(dtype, Access::ReadWrite);
        y.store(k.cube_index(), x.load(k.cube_index()) + 1);
        return {k.finish(), call.inputs[0].shape.numel()};
    }
    ops::HandleList decompose(ops::HandleList inputs) const {
        return ops::list_of((ops::Expr(inputs[0]) + 2).tensor());
    }
};

}  // namespace burn::testing
