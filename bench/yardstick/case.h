// What one case of the yardstick is: work to time, and a check of what it computes.
#pragma once

#include <burn/core/tensor_data.h>
#include <burn/ops/engine.h>

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace burn::bench {

enum class BackendChoice : std::uint8_t { NdArray, Cpu };

/// Where a case runs, and at which size.
struct Place {
    ops::Engine& engine;
    BackendChoice backend;
    bool quick;  ///< small tensors, for tests

    std::int64_t size(std::int64_t full, std::int64_t small) const { return quick ? small : full; }
};

/// A result differs from what an independent computation gives.
struct WrongResult : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The work of a case on tensors that are there, with what it cannot do without.
struct Workload {
    double bytes = 0;            ///< every input read once, every output written once
    double operations = 0;       ///< additions and multiplications
    double transcendentals = 0;  ///< values of exp, log, erf, tanh, ..
    /// The timed call. What it gives is materialised by `Engine::sync` before the clock stops.
    std::function<ops::HandleList()> run;
    /// Compares a result of `run` with plain loops in double precision, at full size on a subset.
    ///
    /// Errors    WrongResult
    std::function<void(const ops::HandleList& results)> check;
};

struct Case {
    const char* name;
    std::function<Workload(const Place& place)> setup;
    const char* note = "";  ///< how the case is expressed, where that is not obvious
};

/// A case of the list that cannot be expressed yet.
struct MissingCase {
    const char* name;
    const char* reason;
};

using CaseList = std::vector<Case>;

void add_elementwise_cases(CaseList& cases);
void add_reduction_cases(CaseList& cases);
void add_matmul_cases(CaseList& cases);
void add_conv_cases(CaseList& cases);
void add_layer_cases(CaseList& cases);
void add_overhead_cases(CaseList& cases);
void add_training_cases(CaseList& cases);

/// All cases, in the order of cases.json.
CaseList all_cases();
std::vector<MissingCase> missing_cases();

/// Standard normal numbers from the device's stream.
ops::Handle normal(const Place& place, const Shape& shape, DType dtype = DType::F32);
/// Whole numbers in [0, end), I64.
ops::Handle indices(const Place& place, const Shape& shape, std::int64_t end);
/// The values, on the host.
TensorData values_of(const ops::Handle& tensor);
double bytes_of(const ops::Handle& tensor);

/// Raises WrongResult unless |actual - expected| <= tolerance; NaN is never right.
void require_close(double actual, double expected, double tolerance, const char* what, std::int64_t index);
void require_shape(const TensorData& data, const Shape& shape);

/// At most `count` numbers in [0, size), evenly spread, with the first and the last.
std::vector<std::int64_t> some_of(std::int64_t size, std::int64_t count);

/// The unit roundoff of a type.
double roundoff(DType dtype);

}  // namespace burn::bench
