#pragma once

#include <burn/base/held.h>
#include <burn/base/memory.h>
#include <burn/core/dtype.h>
#include <burn/core/tensor_spec.h>

#include <initializer_list>
#include <span>

namespace burn {

/// Values on the host: contiguous row-major bytes with a shape and a dtype.
///
/// Copies share their bytes; writing through a copy makes it separate first.
class TensorData {
public:
    /// Shape [0] of F32.
    TensorData();
    /// All bytes zero.
    ///
    /// Errors    ShapeError for negative sizes, OutOfMemoryError
    TensorData(const Shape& shape, DType dtype);

    /// Errors    ShapeError when the number of values is not that of the shape
    template <Element T>
    static TensorData from(std::span<const T> values, const Shape& shape) {
        return from_bytes(std::as_bytes(values), shape, dtype_of<T>, values.size());
    }
    template <Element T>
    static TensorData from(std::initializer_list<T> values) {
        return from(std::span<const T>(values.begin(), values.size()), Shape{static_cast<std::int64_t>(values.size())});
    }
    /// Nested lists, row by row.
    ///
    /// Errors    ShapeError when rows differ in length
    template <Element T>
    static TensorData from(std::initializer_list<std::initializer_list<T>> rows) {
        return from_rows(rows);
    }
    template <Element T>
    static TensorData from(std::initializer_list<std::initializer_list<std::initializer_list<T>>> rows) {
        return from_rows(rows);
    }
    template <Element T>
    static TensorData from(
        std::initializer_list<std::initializer_list<std::initializer_list<std::initializer_list<T>>>> rows) {
        return from_rows(rows);
    }
    /// Wraps memory that already holds the values; shares it.
    ///
    /// Errors    ShapeError when `block` is smaller than shape and dtype demand
    static TensorData from_block(Ref<Block> block, const Shape& shape, DType dtype);
    /// Copies raw bytes.
    ///
    /// Errors    ShapeError when the number of bytes is not that of the shape
    static TensorData from_raw(std::span<const std::byte> bytes, const Shape& shape, DType dtype);

    const Shape& shape() const { return spec_.shape; }
    DType dtype() const { return spec_.dtype; }
    const TensorSpec& spec() const { return spec_; }
    std::int64_t numel() const { return spec_.shape.numel(); }

    std::span<const std::byte> bytes() const { return {memory(), byte_size()}; }
    /// Errors    OutOfMemoryError when the bytes are shared and must be copied
    std::span<std::byte> mutable_bytes();
    /// The memory itself, for backends that can use it without a copy.
    const Ref<Block>& block() const { return block_; }

    /// The values, in row-major order.
    ///
    /// Errors    DTypeError when T is not the stored type
    template <Element T>
    std::span<const T> values() const {
        require_dtype(dtype_of<T>);
        return {reinterpret_cast<const T*>(memory()), static_cast<std::size_t>(numel())};
    }
    template <Element T>
    std::span<T> mutable_values() {
        require_dtype(dtype_of<T>);
        return {reinterpret_cast<T*>(mutable_bytes().data()), static_cast<std::size_t>(numel())};
    }
    /// Element number `index` in row-major order, whatever its type.
    double at(std::int64_t index) const;

    /// The values under another dtype: floating to integer truncates and saturates (NaN gives 0), anything to Bool is != 0.
    TensorData convert(DType dtype) const;
    /// The same bytes under another shape.
    ///
    /// Errors    ShapeError when the numbers of elements differ
    TensorData reshape(const Shape& shape) const;

    /// Shapes, dtypes and bits are the same.
    bool operator==(const TensorData& other) const;

private:
    static TensorData from_bytes(std::span<const std::byte> bytes, const Shape& shape, DType dtype, std::size_t count);
    std::size_t byte_size() const { return static_cast<std::size_t>(numel()) * size_of(spec_.dtype); }
    void require_dtype(DType dtype) const;
    std::byte* memory() const { return held(block_, "TensorData").data(); }

    template <class List>
    static TensorData from_rows(const List& rows) {
        TensorData data;
        bool first = true;
        std::size_t index = 0;
        for (const auto& row : rows) {
            const TensorData part = from(row);
            if (first) {
                Shape shape = part.shape();
                shape.insert(0, static_cast<std::int64_t>(rows.size()));
                data = TensorData(shape, part.dtype());
                first = false;
            }
            data.put_row(index++, part);
        }
        return data;
    }
    void put_row(std::size_t index, const TensorData& row);

    TensorSpec spec_;
    Ref<Block> block_;
};

}  // namespace burn
