#pragma once

#include <burn/tensor/tensor.h>

#include <iosfwd>
#include <optional>
#include <string>

namespace burn {

/// How tensors are written.
struct PrintOptions {
    /// Tensors with more elements are abridged.
    std::int64_t threshold = 1000;
    /// How many entries of each axis an abridged tensor shows at either end.
    std::int64_t edge_items = 3;
    /// Digits after the point; empty: as many as are needed to read the same number back.
    std::optional<int> precision = {};
};

/// The options for tensors that are written from here on, by any thread.
void set_print_options(const PrintOptions& options);
PrintOptions print_options();

/// The values in nested brackets, one row a line.
std::string to_string(const TensorData& data, const PrintOptions& options);
std::string to_string(const TensorData& data);

/// Writes "Tensor {", the values, shape, device, kind and dtype. std::fixed with std::setprecision sets the precision.
std::ostream& print_tensor(std::ostream& out, const TensorData& data, const char* device);

/// Waits for the tensor's values and writes them.
template <Backend B, std::size_t D, TensorKind K>
std::ostream& operator<<(std::ostream& out, const Tensor<B, D, K>& tensor) {
    return print_tensor(out, tensor.to_data(), tensor.handle().engine().name());
}

/// Writes for each epsilon from 1e-1 to 1e-8 which share of the elements satisfies |a - b| <= epsilon + epsilon |b|, and a
/// verdict in colour: PASS for all, WARN for 90 % and more, FAIL.
///
/// Errors    ShapeError when the shapes differ
void check_closeness(std::ostream& out, const TensorData& a, const TensorData& b);
template <Backend B, std::size_t D, TensorKind K>
void check_closeness(std::ostream& out, const Tensor<B, D, K>& a, const Tensor<B, D, K>& b) {
    check_closeness(out, a.to_data(), b.to_data());
}

}  // namespace burn
