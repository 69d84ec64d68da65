// What holds for every line of the pointwise table, whatever it computes: on every backend, dtype and layout.
#include "tests/conformance/backends.h"
#include "tests/conformance/layouts.h"
#include "tests/conformance/pointwise_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

namespace burn::conformance::pointwise_test {
namespace {

constexpr std::int64_t kLong = 67;  // longer than the vectors of any processor, and no multiple of them

bool takes(ops::Types types, DType dtype) {
    switch (types) {
        case ops::Types::Float: return is_float(dtype);
        case ops::Types::Int: return is_int(dtype);
        case ops::Types::Bool: return dtype == DType::Bool;
        case ops::Types::Numeric: return is_numeric(dtype);
        case ops::Types::Any:
        case ops::Types::MaskAny: return true;
    }
    return false;
}

/// Calls `check(line, dtype)` for every dtype that a line takes.
template <class Check>
void for_each_line(Check check) {
    for (const PointwiseLine& line : pointwise_lines()) {
        for (int code = 0; code < kDTypeCount; ++code) {
            const auto dtype = static_cast<DType>(code);
            if (takes(line.info.types, dtype)) check(line, dtype);
        }
    }
}

/// The dtype of a line where one will do.
DType first_dtype(const PointwiseLine& line) {
    int code = 0;
    while (!takes(line.info.types, static_cast<DType>(code))) ++code;
    return static_cast<DType>(code);
}

std::string label(const PointwiseLine& line, DType dtype, Placement placement) {
    return std::string(line.info.op.name) + " of " + name_of(dtype) + ", " + name_of(placement);
}

/// 0, 1, 2, .., 6, 0, 1, .. in some order that another `seed` changes.
TensorData small_numbers(const Shape& shape, DType dtype, int seed) {
    TensorData data(shape, DType::F64);
    int i = 0;
    for (double& value : data.mutable_values<double>()) value = (++i * (2 * seed + 3) + seed) % 7;
    return data.convert(dtype);
}

TensorData read(const ops::Handle& handle) { return handle.engine().read(handle).wait(); }

class Pointwise : public testing::TestWithParam<const char*> {
protected:
    ops::Engine& engine() const { return find_backend(GetParam())->plain(); }
};

/// A test of its own for each dtype: a compiled backend makes a kernel for each layout.
class PointwiseOf : public testing::TestWithParam<std::tuple<const char*, DType>> {
protected:
    ops::Engine& engine() const { return find_backend(std::get<0>(GetParam()))->plain(); }
};

// Operands in other layouts, shared: the same bits in the same order. Where each operand lies does not change with the dtype,
// so operands of two layouts are tried with one.
TEST_P(PointwiseOf, DoesNotDependOnTheLayout) {
    const DType dtype = std::get<1>(GetParam());
    for (const PointwiseLine& line : pointwise_lines()) {
        if (!takes(line.info.types, dtype)) continue;
        std::vector<TensorData> data;
        for (int i = 0; i < line.info.operands; ++i) {
            const bool mask = i == 0 && line.info.types == ops::Types::MaskAny;
            data.push_back(small_numbers({8, 11}, mask ? DType::Bool : dtype, i));
        }
        const auto run = [&](Placement first, Placement others) {
            ops::HandleList operands;
            for (const TensorData& operand : data)
                operands.push_back(place(engine(), operand, operands.empty() ? first : others));
            const ops::HandleList shared = operands;
            return read(line.apply(std::move(operands), {3, 5}));
        };
        const TensorData want = run(Placement::Contiguous, Placement::Contiguous);
        for (const Placement placement : kPlacements) {
            EXPECT_TRUE(run(placement, placement) == want) << label(line, dtype, placement);
            if (line.info.operands == 1 || dtype != first_dtype(line)) continue;
            EXPECT_TRUE(run(placement, Placement::Contiguous) == want) << label(line, dtype, placement) << " first";
            EXPECT_TRUE(run(Placement::Contiguous, placement) == want) << label(line, dtype, placement) << " last";
        }
    }
}

// A truth value is the byte 0 or 1, whatever was compared, so that it counts as a number.
TEST_P(Pointwise, TruthValuesAreZeroOrOne) {
    for_each_line([&](const PointwiseLine& line, DType dtype) {
        if (!line.info.bool_result) return;
        ops::HandleList operands;
        for (int i = 0; i < line.info.operands; ++i)
            operands.push_back(engine().upload(small_numbers({kLong}, dtype, i)));
        const TensorData mask = read(line.apply(std::move(operands), {1, 1}));
        ASSERT_EQ(mask.dtype(), DType::Bool) << line.info.op.name;
        for (const std::byte byte : mask.bytes())
            ASSERT_LE(static_cast<int>(byte), 1) << label(line, dtype, Placement::Contiguous);
    });
}

/// What each operand of some line may be NaN without the result being NaN for.
bool hides_nan(const PointwiseLine& line, int operand) {
    return std::string(line.info.op.name) == "prelu" &&
           operand == 1;  // the slope, unused where the element is positive
}

// NaN in, NaN out, there and nowhere else: in every place of a vector loop, and over an operand of one element.
TEST_P(Pointwise, NanStaysWhereItIs) {
    const auto check = [&](const PointwiseLine& line, DType dtype, int nan_operand, const std::vector<Shape>& shapes) {
        std::vector<bool> expected(kLong, shapes[static_cast<std::size_t>(nan_operand)].numel() == 1);
        std::vector<TensorData> data;
        for (const Shape& shape : shapes) {
            TensorData numbers(shape, DType::F64);
            for (double& value : numbers.mutable_values<double>()) value = 0.5;  // in the domain of all but acosh
            data.push_back(numbers);
        }
        const auto numbers = data[static_cast<std::size_t>(nan_operand)].mutable_values<double>();
        for (const std::size_t place : {0, 1, 7, 8, 15, 16, 31, 63, 64, 66}) {
            if (place >= numbers.size()) break;
            numbers[place] = std::numeric_limits<double>::quiet_NaN();
            expected[place] = true;
        }
        for (const Placement placement : kPlacements) {
            ops::HandleList operands;
            for (const TensorData& operand : data)
                operands.push_back(place(engine(), operand.convert(dtype), placement));
            const TensorData result = read(line.apply(std::move(operands), {1, 2}));
            for (std::int64_t i = 0; i < kLong; ++i) {
                if (expected[static_cast<std::size_t>(i)] != std::isnan(result.at(i))) {
                    ADD_FAILURE() << label(line, dtype, placement) << ": NaN in operand " << nan_operand << ", element "
                                  << i << " is " << result.at(i);
                    break;
                }
            }
        }
    };
    for_each_line([&](const PointwiseLine& line, DType dtype) {
        const ops::PointwiseInfo& info = line.info;
        if (!is_float(dtype) || info.bool_result || info.operands > 2 || info.types == ops::Types::MaskAny) return;
        if (info.domain == ops::Domain::AboveOne) return;  // acosh is NaN everywhere at 1 / 2
        if (info.operands == 1) return check(line, dtype, 0, {{kLong}});
        for (const int operand : {0, 1}) {
            if (hides_nan(line, operand)) continue;
            for (const auto& shapes : {std::vector<Shape>{{kLong}, {kLong}}, {{kLong}, {1}}, {{1}, {kLong}}})
                check(line, dtype, operand, shapes);
        }
    });
}

std::vector<const char*> backend_names() {
    std::vector<const char*> names;
    for (const TestedBackend& backend : tested_backends()) names.push_back(backend.name);
    return names;
}

INSTANTIATE_TEST_SUITE_P(Table, Pointwise, testing::ValuesIn(backend_names()),
                         [](const auto& info) { return std::string(info.param); });

std::vector<DType> dtypes() {
    std::vector<DType> all;
    for (int code = 0; code < kDTypeCount; ++code) all.push_back(static_cast<DType>(code));
    return all;
}

INSTANTIATE_TEST_SUITE_P(Table, PointwiseOf,
                         testing::Combine(testing::ValuesIn(backend_names()), testing::ValuesIn(dtypes())),
                         [](const auto& info) {
                             return std::string(std::get<0>(info.param)) + "_" + name_of(std::get<1>(info.param));
                         });

}  // namespace
}  // namespace burn::conformance::pointwise_test
