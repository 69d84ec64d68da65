// Matrix products of all layouts with what they must give, for tests of those who run them.
#pragma once

#include <burn/backends/ndarray/product/product.h>

#include "tests/support/kernels.h"

#include <gtest/gtest.h>

#include <vector>

namespace burn::cpu {

enum class Order { Rows, Columns, PaddedRows, PaddedColumns, Strided, Reversed };

constexpr Order kOrders[] = {Order::Rows,          Order::Columns, Order::PaddedRows,
                             Order::PaddedColumns, Order::Strided, Order::Reversed};

struct ProductSizes {
    std::int64_t m = 1, n = 1, k = 1;
    std::int64_t batch = 1;
    Order a = Order::Rows, b = Order::Rows;
    bool accumulate = false;
    bool b_repeats = false;  ///< along the batch

    friend std::ostream& operator<<(std::ostream& out, const ProductSizes& s) {
        return out << "m " << s.m << " n " << s.n << " k " << s.k << " batch " << s.batch << " orders "
                   << static_cast<int>(s.a) << static_cast<int>(s.b) << " accumulate " << s.accumulate << " b repeats "
                   << s.b_repeats;
    }
};

/// A product of small whole numbers, exact in every order of summing, with the product by its definition.
template <class T>
class SampleProduct {
public:
    explicit SampleProduct(const ProductSizes& s) : sizes_(s) {
        const std::int64_t b_count = s.b_repeats ? 1 : s.batch;
        product_.dtype = DTypeOf<T>::value;
        product_.shape = {s.m, s.n, s.k};
        product_.accumulate = s.accumulate;
        product_.a = place(a_, s.m, s.k, s.batch, s.a, 1);
        product_.b = place(b_, s.k, s.n, b_count, s.b, 2);
        product_.c = place(c_, s.m, s.n, s.batch, Order::Rows, 3);
        product_.batch.rank = 1;
        product_.batch.sizes[0] = s.batch;
        product_.batch.a_strides[0] = static_cast<std::int64_t>(a_.size()) / s.batch;
        product_.batch.b_strides[0] = s.b_repeats ? 0 : static_cast<std::int64_t>(b_.size()) / b_count;
        product_.batch.c_strides[0] = s.m * s.n;
        define();
    }
    SampleProduct(const SampleProduct&) = delete;
    SampleProduct& operator=(const SampleProduct&) = delete;

    const ndarray::Product& get() const { return product_; }
    const std::vector<T>& result() const { return c_; }

    /// How many elements of the result differ from the definition.
    int faults() const { return faults_in(0, sizes_.batch * sizes_.m); }
    /// The same of rows [first, last), counted through the batch.
    int faults_in(std::int64_t first, std::int64_t last) const {
        int count = 0;
        for (auto i = static_cast<std::size_t>(first * sizes_.n); i < static_cast<std::size_t>(last * sizes_.n); ++i)
            count += testing::as_double(c_[i]) != expected_[i];
        return count;
    }

private:
    ndarray::AnyMatrix place(std::vector<T>& buffer, std::int64_t rows, std::int64_t columns, std::int64_t count,
                             Order order, std::uint32_t seed) {
        std::int64_t row = columns, column = 1, size = rows * columns, start = 0;
        switch (order) {
            case Order::Rows: break;
            case Order::Columns: row = 1, column = rows; break;
            case Order::PaddedRows: row = columns + 3, size = rows * row; break;
            case Order::PaddedColumns: row = 1, column = rows + 5, size = columns * column; break;
            case Order::Strided: row = 2 * columns, column = 2, size = rows * row; break;
            case Order::Reversed: row = -columns, start = (rows - 1) * columns; break;
        }
        testing::Numbers numbers(seed);
        buffer.resize(static_cast<std::size_t>(size * count));
        for (T& element : buffer) element = numbers.integer<T>(4);
        return {reinterpret_cast<std::byte*>(buffer.data() + start), row, column};
    }

    void define() {
        const auto a = product_.a.view<const T>(), b = product_.b.view<const T>();
        for (std::int64_t index = 0; index < sizes_.batch; ++index) {
            const T* left = a.data + index * product_.batch.a_strides[0];
            const T* right = b.data + index * product_.batch.b_strides[0];
            for (std::int64_t i = 0; i < sizes_.m; ++i) {
                for (std::int64_t j = 0; j < sizes_.n; ++j) {
                    double sum = sizes_.accumulate ? testing::as_double(c_[expected_.size()]) : 0;
                    for (std::int64_t p = 0; p < sizes_.k; ++p) {
                        sum += testing::as_double(left[i * a.row_stride + p * a.col_stride]) *
                               testing::as_double(right[p * b.row_stride + j * b.col_stride]);
                    }
                    expected_.push_back(sum);
                }
            }
        }
        if (sizes_.accumulate) return;
        for (T& element : c_) element = static_cast<T>(99.0f);
    }

    ProductSizes sizes_;
    ndarray::Product product_;
    std::vector<T> a_, b_, c_;
    std::vector<double> expected_;
};

/// Calls body with sizes around those that kernels treat apart, and every pair of orders.
template <class Body>
void for_each_product(Body body) {
    const ProductSizes sizes[] = {{1, 1, 1},    {2, 3, 4},    {1, 40, 9},     {40, 1, 9},       {17, 16, 1},
                                  {33, 65, 31}, {5, 7, 3, 4}, {1, 5, 6, 3},   {16, 48, 300},    {130, 97, 70},
                                  {3, 200, 5},  {4, 4, 4, 9}, {20, 12, 8, 3}, {129, 127, 66, 2}};
    for (ProductSizes s : sizes) {
        for (const Order a : kOrders) {
            for (const Order b : kOrders) {
                if (s.m * s.n * s.k > 400'000 && a != b) continue;  // takes long, and the small ones tell as much
                for (const bool flag : {false, true}) {
                    s.a = a;
                    s.b = b;
                    s.accumulate = flag;
                    s.b_repeats = (a == Order::Rows) != flag;
                    SCOPED_TRACE(::testing::Message() << s);
                    body(s);
                }
            }
        }
    }
}

}  // namespace burn::cpu
