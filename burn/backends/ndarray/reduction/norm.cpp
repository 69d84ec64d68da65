#include <burn/backends/ndarray/ndarray_ops.h>
#include <burn/backends/ndarray/reduction/reduce_folds.h>
#include <burn/backends/ndarray/reduction/rows.h>
#include <burn/backends/ndarray/scratch.h>
#include <burn/base/order.h>
#include <burn/base/parallel.h>
#include <burn/ops/num.h>

namespace burn::ndarray {

namespace {

/// Elements of the rows whose sums for gamma and beta are added up by one thread; a number of its own, so that bits do not
/// depend on threads.
constexpr std::int64_t kChunkElements = 16 * 1024;

template <class T>
using AccumulatorType = typename AccumulatorOf<T>::type;

template <class A>
A scale_of(A variance, double epsilon) {
    return A(1) / ops::sqrt(ops::Num<A>(variance + static_cast<A>(epsilon))).value;
}

/// Copies a row as accumulators, its mean taken off, and gives the scale that makes its variance 1.
template <class T>
AccumulatorType<T> centre_row(const T* x, AccumulatorType<T>* centred, std::int64_t count, double epsilon) {
    using A = AccumulatorType<T>;
    const A mean = fold_packed<SumFold<T>>(x, count) / static_cast<A>(count);
    for (std::int64_t i = 0; i < count; ++i) centred[i] = static_cast<A>(x[i]) - mean;
    A lanes[8] = {};
    std::int64_t i = 0;
    for (; i + 8 <= count; i += 8) {
        for (int lane = 0; lane < 8; ++lane) lanes[lane] += centred[i + lane] * centred[i + lane];
    }
    for (; i < count; ++i) lanes[0] += centred[i] * centred[i];
    A squares = 0;
    for (const A lane : lanes) squares += lane;
    return scale_of(squares / static_cast<A>(count), epsilon);
}

/// The gradient of one row of x; adds the row's parts to those of gamma and beta. `centred` and `parts` have room for a row.
template <class T>
void row_gradient(const T* x, const T* gamma, const T* dy, T* dx, AccumulatorType<T>* centred,
                  AccumulatorType<T>* parts, AccumulatorType<T>* dgamma, AccumulatorType<T>* dbeta, std::int64_t count,
                  double epsilon) {
    using A = AccumulatorType<T>;
    const A scale = centre_row(x, centred, count, epsilon);
    for (std::int64_t i = 0; i < count; ++i) {
        centred[i] *= scale;
        const A cotangent = static_cast<A>(dy[i]);
        dbeta[i] += cotangent;
        dgamma[i] += cotangent * centred[i];
        parts[i] = cotangent * static_cast<A>(gamma[i]);
    }
    const A mean = fold_packed<SumFold<A>>(parts, count) / static_cast<A>(count);
    A slope = 0;
    for (std::int64_t i = 0; i < count; ++i) slope += parts[i] * centred[i];
    slope /= static_cast<A>(count);
    for (std::int64_t i = 0; i < count; ++i) dx[i] = static_cast<T>((parts[i] - mean - centred[i] * slope) * scale);
}

}  // namespace

ops::Handle run(const ops::LayerNorm& op, Args& args) {
    const ops::Handle x = args.contiguous(0);
    const ops::Handle gamma = args.contiguous(1);
    const ops::Handle beta = args.count() == 3 ? args.contiguous(2) : ops::Handle();
    ops::Handle y = args.make_result();
    const std::int64_t length = x.shape().back();
    const std::int64_t rows = length == 0 ? 0 : x.shape().numel() / length;
    visit_dtype(x.dtype(), [&]<class T>(T) {
        if constexpr (is_float(dtype_of<T>)) {
            using A = AccumulatorType<T>;
            const T* scales = NdTensor::of(gamma).data<const T>();
            const T* shifts = beta ? NdTensor::of(beta).data<const T>() : nullptr;
            for_rows(rows, length, [&](std::int64_t begin, std::int64_t end) {
                Scratch<A> centred(length);
                for (std::int64_t row = begin; row < end; ++row) {
                    T* to = NdTensor::of(y).data<T>() + row * length;
                    const A scale =
                        centre_row(NdTensor::of(x).data<const T>() + row * length, centred.data(), length, op.epsilon);
                    const A* from = centred.data();
                    if (shifts == nullptr) {
                        for (std::int64_t i = 0; i < length; ++i)
                            to[i] = static_cast<T>(from[i] * scale * static_cast<A>(scales[i]));
                    } else {
                        for (std::int64_t i = 0; i < length; ++i) {
                            to[i] =
                                static_cast<T>(from[i] * scale * static_cast<A>(scales[i]) + static_cast<A>(shifts[i]));
                        }
                    }
                }
            });
        }
    });
    return y;
}

ops::HandleList run(const ops::LayerNormGrad& op, Args& args) {
    const ops::Handle x = args.contiguous(0);
    const ops::Handle gamma = args.contiguous(1);
    const ops::Handle dy = args.contiguous(2);
    ops::HandleList results = ops::list_of(args.make_result(0), args.make_result(1), args.make_result(2));
    const std::int64_t length = x.shape().back();
    const std::int64_t rows = length == 0 ? 0 : x.shape().numel() / length;
    const std::int64_t chunk_rows = 1 + kChunkElements / (length + 1);
    const std::int64_t chunks = (rows + chunk_rows - 1) / chunk_rows;
    visit_dtype(x.dtype(), [&]<class T>(T) {
        if constexpr (is_float(dtype_of<T>)) {
            using A = AccumulatorType<T>;
            Scratch<A> sums(greatest<std::int64_t>(chunks, 1) * 2 * length);  // of each chunk: dgamma, dbeta
            for (std::int64_t i = 0; i < greatest<std::int64_t>(chunks, 1) * 2 * length; ++i) sums[i] = 0;
            parallel_for(chunks, 1, [&](std::int64_t begin, std::int64_t end) {
                Scratch<A> centred(length);
                Scratch<A> parts(length);
                for (std::int64_t chunk = begin; chunk < end; ++chunk) {
                    A* dgamma = sums.data() + chunk * 2 * length;
                    for (std::int64_t row = chunk * chunk_rows; row < least(rows, (chunk + 1) * chunk_rows); ++row) {
                        const std::int64_t at = row * length;
                        row_gradient(NdTensor::of(x).data<const T>() + at, NdTensor::of(gamma).data<const T>(),
                                     NdTensor::of(dy).data<const T>() + at, NdTensor::of(results[0]).data<T>() + at,
                                     centred.data(), parts.data(), dgamma, dgamma + length, length, op.epsilon);
                    }
                }
            });
            for (std::int64_t chunk = 1; chunk < chunks; ++chunk) {
                for (std::int64_t i = 0; i < 2 * length; ++i) sums[i] += sums[chunk * 2 * length + i];
            }
            for (std::int64_t i = 0; i < length; ++i) {
                NdTensor::of(results[1]).data<T>()[i] = static_cast<T>(sums[i]);
                NdTensor::of(results[2]).data<T>()[i] = static_cast<T>(sums[length + i]);
            }
        }
    });
    return results;
}

ops::Handle run(const ops::BatchNorm& op, Args& args) {
    const ops::Handle x = args.contiguous(0);
    const ops::HandleList vectors =
        ops::list_of(args.contiguous(1), args.contiguous(2), args.contiguous(3), args.contiguous(4));
    ops::Handle y = args.make_result();
    const std::int64_t channels = x.shape()[1];
    const std::int64_t planes = x.shape()[0] * channels;
    const std::int64_t length = planes == 0 ? 0 : x.shape().numel() / planes;
    visit_dtype(x.dtype(), [&]<class T>(T) {
        if constexpr (is_float(dtype_of<T>)) {
            using A = AccumulatorType<T>;
            const auto value = [&](std::size_t vector, std::int64_t channel) {
                return static_cast<A>(NdTensor::of(vectors[vector]).data<const T>()[channel]);
            };
            for_rows(planes, length, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t plane = begin; plane < end; ++plane) {
                    const std::int64_t channel = plane % channels;
                    const A slope = value(0, channel) * scale_of(value(3, channel), op.epsilon);
                    const A shift = value(1, channel);
                    const A mean = value(2, channel);
                    const T* from = NdTensor::of(x).data<const T>() + plane * length;
                    T* to = NdTensor::of(y).data<T>() + plane * length;
                    for (std::int64_t i = 0; i < length; ++i)
                        to[i] = static_cast<T>((static_cast<A>(from[i]) - mean) * slope + shift);
                }
            });
        }
    });
    return y;
}

}  // namespace burn::ndarray
