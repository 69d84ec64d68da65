#pragma once

#include <burn/compiler/custom_op.h>
#include <burn/kernel/builder.h>
#include <burn/ops/expr.h>
#include <burn/ops/matmul.h>
#include <burn/ops/movement.h>
#include <burn/ops/reduce.h>

#include <vector>

namespace example {

using namespace burn;

/// max(x weight + bias, 0) as one kernel, with its gradient.
///
/// Shapes    x [m, k], weight [k, n], bias [n] -> y [m, n]
/// DTypes    f32
struct MatMulAddRelu {
    static constexpr custom::Info info{.name = "matmul_add_relu",
                                       .inputs = 3,
                                       .saves = ops::Saves::input(0) | ops::Saves::input(1) | ops::Saves::output()};

    SpecList infer(std::span<const TensorSpec> in) const {
        const Shape &x = in[0].shape, &weight = in[1].shape, &bias = in[2].shape;
        if (x.rank() != 2 || weight.rank() != 2 || x[1] != weight[0] || bias != Shape{weight[1]}) {
            raise(ErrorKind::Shape, Message() << "x " << x << ", weight " << weight << ", bias " << bias
                                              << "; expected [m, k], [k, n], [n]");
        }
        for (const TensorSpec& spec : in) {
            if (spec.dtype != DType::F32) raise(ErrorKind::DType, Message() << "not f32");
        }
        return {{Shape{x[0], weight[1]}, DType::F32}};
    }

    /// A cube makes a tile of y, 6 rows by 2 vectors, whose sums stay in registers.
    custom::Launch kernel(const custom::Call& call) const {
        using namespace burn::kernel;
        constexpr DType F32 = DType::F32;
        constexpr std::int64_t kRows = 6, kVectors = 2;
        const std::uint16_t lanes = call.lanes(F32);
        const std::int64_t width = kVectors * lanes;

        Builder k("matmul_add_relu");
        const Place x = k.buffer(F32, Access::Read), weight = k.buffer(F32, Access::Read),
                    bias = k.buffer(F32, Access::Read), y = k.buffer(F32, Access::Write);
        const Value rows = k.scalar(kIndex), inner = k.scalar(kIndex), columns = k.scalar(kIndex);

        // Neighbouring cubes work on one panel of the weight, which stays in the cache.
        const Value row_tiles = (rows + (kRows - 1)) / kRows;
        const Value row = rem(k.cube_index(), row_tiles) * kRows, column = k.cube_index() / row_tiles * width;
        std::vector<Value> row_start, at, inside;
        std::vector<Variable> sums;
        for (std::int64_t r = 0; r < kRows; ++r) row_start.push_back(min_pair(row + r, rows - 1) * inner);
        for (std::int64_t v = 0; v < kVectors; ++v) {
            at.push_back(column + v * lanes);
            inside.push_back(lower(at.back() + k.iota(kIndex, lanes), columns));
        }
        for (std::int64_t i = 0; i < kRows * kVectors; ++i) sums.push_back(k.variable({F32, lanes}, 0));

        k.for_loop(0, inner, 1, [&](const Value& i) {
            std::vector<Value> right;
            for (std::size_t v = 0; v < kVectors; ++v)
                right.push_back(weight.load_masked(i * columns + at[v], inside[v]));
            for (std::size_t r = 0; r < kRows; ++r) {
                const Value left = splat(x.load(row_start[r] + i), lanes);
                for (std::size_t v = 0; v < kVectors; ++v)
                    sums[r * kVectors + v] = fma(left, right[v], sums[r * kVectors + v]);
            }
        });
        for (std::size_t r = 0; r < kRows; ++r) {
            const Value mine = row + static_cast<std::int64_t>(r);
            k.if_then(lower(mine, rows), [&] {
                for (std::size_t v = 0; v < kVectors; ++v) {
                    const Value sum = sums[r * kVectors + v] + bias.load_masked(at[v], inside[v]);
                    y.store_masked(mine * columns + at[v], max_pair(sum, 0), inside[v]);
                }
            });
        }

        const std::int64_t m = call.outputs[0].shape[0], n = call.outputs[0].shape[1];
        const std::int64_t cubes = (m + kRows - 1) / kRows * ((n + width - 1) / width);
        return {k.finish(), cubes, {m, call.inputs[0].shape[1], n}};
    }

    void gradient(ops::GradScope& scope) const {
        const ops::Expr y = scope.output(), dy = scope.dy();
        const ops::Handle dz = where(greater(y, 0), dy, 0).tensor();
        if (scope.wants(0)) scope.dx(0) = matmul(dz, swap_dims(scope.input(1), 0, 1));
        if (scope.wants(1)) scope.dx(1) = matmul(swap_dims(scope.input(0), 0, 1), dz);
        if (scope.wants(2)) scope.dx(2) = reshape(sum(dz, {0}), scope.input_spec(2).shape);
    }
};

}  // namespace example
